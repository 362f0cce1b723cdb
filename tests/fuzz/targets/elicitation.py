"""An MCP server's elicitation: an ask and a result for whatever the person says, or a fault in words."""

from __future__ import annotations

from typing import Any

import asks
from asks import is_sentence, sendable
from source import Source

from nbask.adapters.toolkit.elicitations import Fault, asker_of, elicitation_from
from nbask.desk import Desk
from nbask.fronts.drawing import draw
from nbask.receipts import receipt
from nbask.replies import Answered, Declined
from targets.schema import fill_in, schema
from targets.wire import ASK


def attack(data: bytes) -> None:
    source = Source(data)
    params = source.mapping({"mode": lambda: source.pick(("form", "url", "x")), "url": source.text, "x": source.json})
    params |= {"message": source.maybe(source.text()), "requestedSchema": schema(source, True)}
    try:
        made = elicitation_from(params, asker_of(None, source.text()), source.pick((None, 30.0)))
    except Fault as fault:
        assert is_sentence(fault), fault
        return
    ask = made.ask
    drawn: Any = draw(Desk().open(ask))
    assert ASK.validate_python(sendable(drawn)) == drawn
    assert all(question["pattern"] is None and not question["notes"] for question in drawn["questions"])
    if made.form is not None:
        fill_in(source, ask, made.form)
    reply = asks.reply(source, ask)
    sendable(receipt(ask, reply, 0.0))
    try:
        result = made.result(reply)
    except Fault as fault:
        assert is_sentence(fault), fault
        return
    assert (result.action == "accept") is isinstance(reply, Answered)
    assert (result.action == "decline") is isinstance(reply, Declined)
    assert result.content is None or result.action == "accept"
    sendable([result.content, result.meta])
