"""MCP elicitation: a request in, a card, and the client's own result out; never an accept that the person did not give.

Cases of the project's list that are tested here, by id: B1, B2, B3, B5, B8, B10, B12, B13, B14, B15, B17, B18, B20,
B21, B22, B25.
"""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mcp import types
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.exceptions import MCPError, UrlElicitationRequiredError
from pydantic import BaseModel

import nbask
from nbask import Ask
from nbask.adapters import claude
from nbask.adapters.mcp import accept_required, connect, elicitation_callback, elicitation_handler, with_label
from nbask.adapters.mcp.callbacks import MOST_OPEN
from nbask.adapters.toolkit.elicitations import LARGEST, NAMELESS, SAID, WARNING
from nbask.adapters.toolkit.secrets import asks_a_secret
from nbask.desk import Desk, Pending
from nbask.fronts.drawing import draw
from nbask.kinds import wire_answer
from nbask.reading import Refused, read_answers
from nbask.receipts import receipt
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn
from nbask.testing import scripted

NOBODY = SimpleNamespace(session=SimpleNamespace())
APPROVED = {"type": "object", "properties": {"approved": {"type": "boolean"}}, "required": ["approved"]}


def context(name: str | None = "weather", title: str | None = None) -> Any:
    return SimpleNamespace(session=SimpleNamespace(server_info=SimpleNamespace(name=name, title=title)))


def form(schema: Any, message: str = "Please fill in") -> Any:
    return types.ElicitRequestFormParams(message=message, requested_schema=schema)


def fields(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def address(url: str, message: str = "Please sign in") -> Any:
    return types.ElicitRequestURLParams(message=message, url=url, elicitation_id="x")


def answered(params: Any, script: Any, where: Any = NOBODY) -> Any:
    """What the callback returns with a scripted person, and the ask they got."""
    with scripted(script) as asks:
        result = asyncio.run(elicitation_callback(where, params))
    return result, asks[0] if asks else None


def sent(result: Any) -> dict[str, Any]:
    return result.model_dump(by_alias=True, mode="json", exclude_none=True)


def typed(ask: Ask, **texts: str) -> Any:
    """What these fields make of what is typed into them."""
    return read_answers(ask, {name: wire_answer(value=text) for name, text in texts.items()})


# What a form's fields become, and what goes back


def test_an_accepted_form_goes_back_with_what_was_filled_in_and_nothing_else() -> None:
    schema = fields("city", city={"type": "string"}, days={"type": "integer"}, note={"type": "string"})
    result, ask = answered(form(schema, "Where to?"), {"Where to?": {"city": "Cap Ferret", "days": 3}})
    assert sent(result) == {"action": "accept", "content": {"city": "Cap Ferret", "days": 3}}
    assert ask.message == "Where to?"


SCOOPS = fields("scoops", scoops={"type": "integer", "minimum": 1, "maximum": 3})


def test_b1_a_bounded_integer_is_a_number_field_and_goes_out_as_a_number() -> None:
    result, ask = answered(form(SCOOPS), lambda ask: {"scoops": 2})
    assert sent(result)["content"] == {"scoops": 2}
    assert (ask.questions[0].kind, ask.questions[0].min, ask.questions[0].max) == ("integer", 1, 3)
    for wrong in ("0", "4", "1.5", ""):
        with pytest.raises(Refused):
            typed(ask, scoops=wrong)


def test_b2_b5_an_accept_without_a_choice_is_refused_on_the_card_and_never_a_cancel() -> None:
    _, ask = answered(form(APPROVED), lambda ask: {"approved": "Yes"})
    with pytest.raises(Refused) as refused:
        read_answers(ask, {})
    assert refused.value.errors == {"approved": "This question needs an answer."}


@pytest.mark.parametrize(("label", "value"), [("Yes", True), ("No", False)])
def test_b3_a_boolean_has_two_states_and_goes_out_as_one(label: str, value: bool) -> None:
    result, ask = answered(form(APPROVED), lambda ask: {"approved": label})
    assert sent(result) == {"action": "accept", "content": {"approved": value}}
    assert json.dumps(sent(result)["content"]) == json.dumps({"approved": value})
    assert [option.label for option in ask.questions[0].options] == ["Yes", "No"]


def test_b8_titles_defaults_and_consts_of_choices_are_read() -> None:
    level = {"title": "Level", "oneOf": [{"const": "l1", "title": "Low"}, {"const": "l2", "title": "High"}]}
    schema = fields("lvl", lvl={"type": "string", "default": "l2", **level})
    result, ask = answered(form(schema), lambda ask: {"lvl": ask.questions[0].default})
    assert (ask.questions[0].text, ask.questions[0].default) == ("Level", "High")
    assert sent(result)["content"] == {"lvl": "l2"}


def test_b10_enum_names_are_shown_and_the_value_is_sent_also_where_names_are_missing() -> None:
    schema = fields(lang={"type": "string", "enum": ["en", "de"], "enumNames": ["English"]})
    result, ask = answered(form(schema), lambda ask: {"lang": "English"})
    assert [option.label for option in ask.questions[0].options] == ["English", "de"]
    assert sent(result)["content"] == {"lang": "en"}


def test_b12_a_local_reference_is_followed() -> None:
    schema = {**fields(p={"$ref": "#/$defs/P"}), "$defs": {"P": {"type": "string", "enum": ["lo", "hi"]}}}
    result, _ = answered(form(schema), lambda ask: {"p": "hi"})
    assert sent(result)["content"] == {"p": "hi"}


def test_b13_a_form_without_fields_asks_to_confirm_and_sends_an_empty_object() -> None:
    result, ask = answered(form({"type": "object", "properties": {}}, "Delete it all?"), lambda ask: {})
    assert ask.questions[0].kind == "consent"
    assert ask.message == "Delete it all?"
    assert sent(result) == {"action": "accept", "content": {}}


def test_b14_numbers_are_read_strictly_and_long_ones_stay_exact() -> None:
    _, ask = answered(form(fields(n={"type": "integer"})), lambda ask: {"n": -3})
    for wrong in ("42abc", "1e400", "NaN", "4.5"):
        with pytest.raises(Refused):
            typed(ask, n=wrong)
    result, _ = answered(form(fields(n={"type": "integer"})), lambda ask: {"n": 2**63 + 1})
    assert result.model_dump_json(by_alias=True).count("9223372036854775809") == 1


def test_b25_an_optional_field_that_stays_blank_is_left_out_and_is_not_null() -> None:
    nullable = {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}
    result, ask = answered(form(fields("city", n=nullable, city={"type": "string"})), lambda ask: {"city": "Ulm"})
    assert (ask.questions[0].kind, ask.questions[0].required) == ("integer", False)
    assert sent(result)["content"] == {"city": "Ulm"}


def test_several_picks_and_a_list_of_texts_go_out_as_lists_of_strings() -> None:
    many = {"type": "array", "items": {"anyOf": [{"const": "a", "title": "Ay"}, {"const": "b", "title": "Bee"}]}}
    schema = fields("m", "l", m=many, l={"type": "array", "items": {"type": "string"}})
    result, _ = answered(form(schema), lambda ask: {"m": ["Bee", "Ay"], "l": ["x", "y"]})
    content = sent(result)["content"]
    assert (sorted(content["m"]), content["l"]) == (["a", "b"], ["x", "y"])


def test_a_scalar_in_one_property_named_value_is_asked_by_the_message_alone() -> None:
    schema = fields("value", value={"type": "string", "title": "Value"})
    result, ask = answered(form(schema, "Name the experiment"), {"Name the experiment": "exp-1"})
    assert (ask.message, [question.text for question in ask.questions]) == (None, ["Name the experiment"])
    assert sent(result)["content"] == {"value": "exp-1"}


def test_a_value_with_a_title_of_its_own_keeps_it() -> None:
    _, ask = answered(form(fields(value={"type": "string", "title": "Amount"}), "Pay?"), lambda ask: {"value": "1"})
    assert (ask.message, ask.questions[0].text) == ("Pay?", "Amount")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"type": "integer", "default": 3.0}, 3),
        ({"type": "string", "enum": ["a", "b"], "default": "z"}, "a"),
        ({"type": "string", "format": "date", "default": "today"}, "2026-03-01"),
    ],
    ids=range(3),
)
def test_a_default_that_does_not_fit_is_not_prefilled_and_the_form_is_asked(given: Any, said: Any) -> None:
    result, ask = answered(form(fields("a", a=given)), lambda ask: {"a": said})
    assert (result.action, result.content) == ("accept", {"a": said})
    assert ask.questions[0].default is None


def test_what_the_servers_schema_refuses_is_refused_at_the_field_and_not_sent() -> None:
    schema = fields("n", n={"type": "number", "exclusiveMinimum": 2})
    _, ask = answered(form(schema), lambda ask: {"n": 3})
    with pytest.raises(Refused) as refused:
        typed(ask, n="2")
    assert list(refused.value.errors) == ["n"]


# How each ending goes back


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        (Declined(), "decline"),
        (Cancelled(), "cancel"),
        (Cancelled(by="interrupt"), "cancel"),
        (TimedOut(), "cancel"),
        (Discussed(), "cancel"),
    ],
    ids=lambda one: getattr(one, "kind", one),
)
@pytest.mark.parametrize("params", [form(APPROVED), address("https://a.example/")], ids=["form", "url"])
def test_b17_b20_every_ending_but_an_answer_is_no_accept_and_carries_no_content(
    params: Any, reply: Reply, action: str
) -> None:
    result, _ = answered(params, lambda ask: reply)
    assert sent(result) == {"action": action}


def test_what_the_person_says_instead_of_an_answer_is_not_lost() -> None:
    result, _ = answered(form(APPROVED), lambda ask: Discussed(text="what for?"))
    assert sent(result) == {"action": "cancel", "_meta": {SAID: "what for?"}}


@pytest.mark.parametrize("reply", [Unavailable(), Withdrawn()], ids=lambda reply: reply.kind)
def test_b15_where_nobody_was_asked_the_server_gets_an_error_and_no_word_of_the_persons(reply: Reply) -> None:
    result, _ = answered(form(APPROVED), lambda ask: reply)
    assert isinstance(result, types.ErrorData)


def test_b15_a_headless_run_answers_with_an_error_even_where_defaults_would_apply(person: Any) -> None:
    person(allow_stdin=False, when_unanswered="default")
    schema = fields("ok", ok={"type": "boolean", "default": True})
    result = asyncio.run(elicitation_callback(NOBODY, form(schema)))
    assert (type(result), result.code) == (types.ErrorData, -32603)
    assert result.message == "nobody can be asked here: no person has this notebook open"


def test_b20_accept_with_no_goes_out_as_an_accepted_no_and_declined_is_false() -> None:
    result, _ = answered(form(APPROVED), lambda ask: {"approved": "No"})
    assert sent(result)["content"] == {"approved": False}
    assert not Declined()


def test_the_card_offers_no_notes_since_no_answer_can_carry_them(person: Any) -> None:
    person(notes=True)
    _, ask = answered(form(APPROVED), lambda ask: {"approved": "Yes"})
    assert [question.notes for question in ask.questions] == [False]


# Addresses


def test_b21_a_web_address_is_shown_whole_and_accepted_without_content() -> None:
    result, ask = answered(address("https://good.com@evil.example/"), lambda ask: True)
    assert sent(result) == {"action": "accept"}
    drawn = draw(Pending(ask, None, Desk()._clock))["questions"][0]
    assert drawn["url"] == "https://good.com@evil.example/"
    assert any("leads to evil.example" in warning for warning in drawn["warnings"])


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "", "https://"])
def test_b21_what_is_no_web_address_cannot_be_accepted(url: str) -> None:
    _, ask = answered(address(url), lambda ask: Declined())
    with pytest.raises(Refused):
        read_answers(ask, {"accept": wire_answer(value=True)})


def test_b21_an_address_of_another_script_is_warned_of() -> None:
    _, ask = answered(address("https://xn--pple-43d.com"), lambda ask: Declined())
    assert "punycode" in draw(Pending(ask, None, Desk()._clock))["questions"][0]["warnings"][0]


def required(*urls: str) -> MCPError:
    return MCPError.from_error_data(UrlElicitationRequiredError([address(url) for url in urls]).error)


def test_the_addresses_of_an_error_are_shown_and_accepting_all_means_to_call_again() -> None:
    error = required("https://a.example/", "https://b.example/")
    with scripted(lambda ask: True) as asks:
        assert asyncio.run(accept_required(error)) is True
    assert [ask.questions[0].url for ask in asks] == ["https://a.example/", "https://b.example/"]
    with scripted(lambda ask: True if "a.example" in (ask.questions[0].url or "") else Declined()):
        assert asyncio.run(with_label("Bank").accept_required(error)) is False


@pytest.mark.parametrize(
    "error",
    [
        ValueError("x"),
        MCPError(-32602, "Invalid"),
        MCPError(-32042, "URL elicitation required"),
        MCPError(-32042, "URL elicitation required", {"elicitations": []}),
        MCPError(-32042, "URL elicitation required", {"elicitations": [{"message": "no url"}]}),
        MCPError(-32042, "URL elicitation required", {"elicitations": [5]}),
    ],
    ids=str,
)
def test_any_other_error_is_the_callers_to_raise(error: Exception) -> None:
    with scripted({}):
        assert asyncio.run(accept_required(error)) is False


# Who asks


@pytest.mark.parametrize(
    ("label", "where", "shown"),
    [
        (None, context("weather"), ("weather", "MCP")),
        (None, context("weather", "The weather"), ("The weather", "MCP")),
        ("Mine", context("weather"), ("Mine", "MCP · weather")),
        ("weather", context("weather"), ("weather", "MCP")),
        ("Mine", NOBODY, ("Mine", "MCP")),
        (None, NOBODY, (NAMELESS, "MCP")),
        (None, context(None), (NAMELESS, "MCP")),
        (None, context(" \n"), (NAMELESS, "MCP")),
        (None, context("a\nb" + "c" * 100), ("a b" + "c" * 56 + "…", "MCP")),
    ],
)
def test_b22_the_card_names_the_server_and_is_never_blank(
    label: str | None, where: Any, shown: tuple[str, str]
) -> None:
    callback = elicitation_callback if label is None else with_label(label).elicitation_callback
    with scripted(lambda ask: Declined()) as asks:
        asyncio.run(callback(where, form(APPROVED)))
    asker = asks[0].asker
    assert asker is not None
    assert (asker.label, asker.detail) == shown


BLANK = [("", None), ("  ", None), (3, None)]
NO_LIMIT = [("x", 0), ("x", -1), ("x", float("nan")), ("x", float("inf")), ("x", "5")]


@pytest.mark.parametrize("with_label", [with_label, claude.with_label], ids=["mcp", "claude"])
@pytest.mark.parametrize(("label", "timeout"), [*BLANK, *NO_LIMIT, (None, None)])
def test_a_blank_label_or_a_limit_of_nothing_is_refused(with_label: Any, label: Any, timeout: Any) -> None:
    with pytest.raises(ValueError, match="label is|timeout is"):
        with_label(label, timeout=timeout)


@pytest.mark.parametrize(("label", "timeout"), [*BLANK, *NO_LIMIT])
def test_no_session_is_opened_with_a_blank_label_or_a_limit_of_nothing(label: Any, timeout: Any) -> None:
    with pytest.raises(ValueError, match="label is|timeout is"):
        asyncio.run(connect("http://127.0.0.1:9/mcp", label=label, timeout=timeout))


def test_b18_there_is_no_deadline_unless_the_caller_names_its_own_which_typing_does_not_pause() -> None:
    _, ask = answered(form(APPROVED), lambda ask: Declined())
    assert ask.timeout is None
    with scripted(lambda ask: Declined()) as asks:
        asyncio.run(with_label("x", timeout=30).elicitation_callback(NOBODY, form(APPROVED)))
    assert (asks[0].timeout, asks[0].pausable) == (30, False)


# What servers say is text


def test_a_servers_words_are_text_with_no_links_and_no_markup() -> None:
    hostile = "[click](https://evil.example) **now** <img src=x onerror=alert(1)>\nhttps://evil.example"
    schema = fields(x={"type": "string", "title": hostile, "description": hostile})
    _, ask = answered(form(schema, hostile), lambda ask: {"x": "y"})
    message: Any = draw(Pending(ask, None, Desk()._clock))["message"]
    assert "<a" not in message["html"]
    assert "<img" not in message["html"]
    assert "**now**" in message["html"]
    _, ask = answered(address("https://a.example/", hostile), lambda ask: True)
    html = receipt(ask, Declined(), 0.0)["text/html"]
    assert "<a " not in html
    assert "<img" not in html


SECRETS = [
    *("password", "user_password", "Passwort? No: password", "apiKey", "api_key", "OPENAI_API_KEY", "API keys"),
    *("token", "githubToken", "access-token", "secret", "clientSecret", "private_key", "cvv", "card_number", "IBAN"),
    *("Credit card", "PIN", "one-time passcode", "ssn", "seed phrase", "Enter your bearer token"),
]
HARMLESS = [
    *("max_tokens", "token_count", "Token budget", "tokens", "keyboard", "key", "primary key", "secretary", "spinning"),
    *("pinned", "Password policy", "tokenizer", "card", "number", "Your number (do not enter your PIN)", "", "发送"),
]


@pytest.mark.parametrize("text", SECRETS)
def test_a_field_that_asks_for_a_secret_is_known(text: str) -> None:
    assert asks_a_secret([text])


@pytest.mark.parametrize("text", HARMLESS)
def test_a_field_that_asks_for_none_is_left_alone(text: str) -> None:
    assert not asks_a_secret([text])


def test_a_secret_is_warned_of_shown_as_dots_and_kept_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    schema = fields("api_key", api_key={"type": "string", "default": "old-one"}, n={"type": "integer"})
    result, ask = answered(form(schema), lambda ask: {"api_key": "hunter2", "n": 1})
    assert sent(result)["content"] == {"api_key": "hunter2", "n": 1}
    asked = ask.questions[0]
    assert (asked.warnings, asked.secret, asked.default) == ((WARNING,), True, None)
    assert ask.questions[1].warnings == ()
    ended = receipt(ask, Answered(answers=typed(ask, api_key="hunter2", n="1")), 0.0)
    assert "hunter2" not in json.dumps(ended)
    assert "hunter2" not in caplog.text


def test_the_message_tells_of_a_secret_where_there_is_one_field_alone() -> None:
    schema = fields("value", value={"type": "string", "title": "Value"})
    _, ask = answered(form(schema, "Enter your API key"), lambda ask: {"value": "x"})
    assert ask.questions[0].warnings == (WARNING,)


def test_a_pin_in_a_number_is_warned_of_as_well() -> None:
    _, ask = answered(form(fields(pin={"type": "integer"})), lambda ask: {"pin": 1})
    assert ask.questions[0].warnings == (WARNING,)


# What cannot be drawn


def deep(levels: int) -> dict[str, Any]:
    inner: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        inner = {"allOf": [inner]}
    return inner


DOUBLING = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]} for n in range(40)} | {
    "d40": {"type": "string"}
}
UNDRAWABLE = {
    "a nested object": fields(x={"type": "object", "properties": {"y": {"type": "string"}}}),
    "a list of numbers": fields(x={"type": "array", "items": {"type": "integer"}}),
    "several of an enum of integers": fields(x={"type": "array", "items": {"enum": [1, 2]}}),
    "an option that is null": fields(x={"enum": ["a", None]}),
    "two types": fields(x={"type": ["string", "integer"]}),
    "a reference outside": fields(x={"$ref": "https://evil.example/schema"}),
    "a required field that is not there": {"type": "object", "properties": {}, "required": ["x"]},
    "too many fields": fields(**{f"x{n}": {"type": "string"} for n in range(101)}),
    "too many options": fields(x={"enum": [str(n) for n in range(1001)]}),
    "a huge text": fields(x={"type": "string", "title": "x" * LARGEST}),
    "deep nesting": fields(x=deep(200)),
    "references that double": {**fields(x={"type": "string", "not": {"$ref": "#/$defs/d0"}}), "$defs": DOUBLING},
    "no object": {"type": "array"},
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("schema", UNDRAWABLE.values(), ids=UNDRAWABLE)
def test_what_cannot_be_drawn_is_a_card_that_says_so_and_never_an_accept(schema: Any) -> None:
    result, ask = answered(form(schema, "Please"), lambda ask: True)
    assert (type(result), result.code) == (types.ErrorData, -32602)
    assert result.message.startswith("this client cannot show the requested form: ")
    assert ask.questions[0].text == "This request cannot be shown as a form, so it cannot be answered here."
    for reply, action in ((Declined(), "decline"), (Cancelled(), "cancel")):
        result, _ = answered(form(schema, "Please"), lambda ask, reply=reply: reply)
        assert sent(result) == {"action": action}


def raw(**params: Any) -> Any:
    return SimpleNamespace(model_dump=lambda **_: params)


@pytest.mark.parametrize(
    "params",
    [
        raw(mode="voice", message="Speak"),
        raw(mode=5, message="x"),
        raw(mode="form", requestedSchema={}),
        raw(mode="form", message=5, requestedSchema={}),
        raw(mode="url", message="x"),
        raw(mode="url", message="x", url=5),
        raw(mode="url", message="x", url="https://a.example/" + "x" * LARGEST),
    ],
)
def test_a_mode_never_declared_or_a_malformed_request_is_an_error_and_no_card(params: Any) -> None:
    result, ask = answered(params, {})
    assert (type(result), result.code, ask) == (types.ErrorData, -32602, None)


def test_a_request_without_a_mode_is_a_form() -> None:
    result, _ = answered(raw(message="x", requestedSchema=APPROVED), lambda ask: {"approved": "Yes"})
    assert sent(result)["content"] == {"approved": True}


@pytest.mark.parametrize("message", ["", "  \n"])
def test_a_blank_message_is_none(message: str) -> None:
    result, ask = answered(form(fields("value", value={"type": "string"}), message), lambda ask: {"value": "v"})
    assert ask.message is None
    assert sent(result)["action"] == "accept"


def test_a_fault_of_ours_tells_the_server_nothing_and_the_log_all(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(_ask: Ask) -> Reply:
        raise RuntimeError("/home/ann/secret.txt")

    monkeypatch.setattr("nbask.adapters.mcp.callbacks.aput", broken)
    result = asyncio.run(elicitation_callback(NOBODY, form(APPROVED)))
    assert (type(result), result.code, result.message) == (
        types.ErrorData,
        -32603,
        "this client could not ask its user",
    )
    assert "/home/ann/secret.txt" in caplog.text


# Several at once, and requests that go away


def waiting(count: int) -> Callable[[Desk, Pending], None]:
    """A person who answers nobody until `count` cards are there, and then each with its own message."""
    there: list[Pending] = []

    def front(desk: Desk, pending: Pending) -> None:
        there.append(pending)
        if len(there) == count:
            for one in there:
                desk.settle(one.ask.id, Answered(answers=typed(one.ask, city=str(one.ask.message))))

    return front


CITY = fields("city", city={"type": "string"})


def test_requests_at_once_each_have_a_card_and_an_answer_whatever_their_ids(person: Any) -> None:
    person(waiting(3))
    same = SimpleNamespace(session=SimpleNamespace(), request_id=0)

    async def main() -> list[Any]:
        return await asyncio.gather(*(elicitation_callback(same, form(CITY, name)) for name in ("a", "b", "c")))

    results = asyncio.run(main())
    assert [sent(result)["content"] for result in results] == [{"city": "a"}, {"city": "b"}, {"city": "c"}]


def test_a_server_that_floods_has_so_many_cards_and_no_more_and_others_are_unharmed(person: Any) -> None:
    runtime = person()

    async def main() -> None:
        flood = [
            asyncio.ensure_future(elicitation_callback(context("flood"), form(CITY))) for _ in range(MOST_OPEN + 5)
        ]
        done, _ = await asyncio.wait(flood, timeout=5, return_when=asyncio.FIRST_COMPLETED)
        while len(done) < 5:
            done, _ = await asyncio.wait(flood, timeout=0.1)
        assert {one.result().code for one in done} == {-32000}
        assert len(runtime.desk.snapshot()) == MOST_OPEN
        calm = asyncio.ensure_future(elicitation_callback(context("calm"), form(CITY)))
        while len(runtime.desk.snapshot()) == MOST_OPEN:
            await asyncio.sleep(0)
        for pending in runtime.desk.snapshot():
            runtime.desk.settle(pending.ask.id, Declined())
        assert sent(await calm) == {"action": "decline"}
        await asyncio.wait(flood)
        # What has ended makes room.
        again = asyncio.ensure_future(elicitation_callback(context("flood"), form(CITY)))
        while not runtime.desk.snapshot():
            await asyncio.sleep(0)
        runtime.desk.settle(runtime.desk.snapshot()[0].ask.id, Cancelled())
        assert sent(await again) == {"action": "cancel"}

    asyncio.run(asyncio.wait_for(main(), 20))


def test_a_request_that_is_cancelled_withdraws_its_card(person: Any) -> None:
    runtime = person()
    ended: list[Reply | None] = []
    runtime.desk.observe(lambda pending: ended.append(pending.reply))

    async def main() -> None:
        request = asyncio.ensure_future(elicitation_callback(NOBODY, form(CITY)))
        while not runtime.desk.snapshot():
            await asyncio.sleep(0)
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request

    asyncio.run(asyncio.wait_for(main(), 20))
    assert [type(reply) for reply in ended] == [Withdrawn]
    assert runtime.desk.snapshot() == ()


class Scoops(BaseModel):
    scoops: int


def forgetful() -> MCPServer:
    """A server that keeps asking when its call was given up: what it gathers does not hear of it."""
    server = MCPServer("Kiosk")

    @server.tool()
    async def order(ctx: Context) -> str:
        said = await asyncio.gather(*(ctx.elicit(f"Cup {n}", Scoops) for n in range(2)))
        return " ".join(one.action for one in said)

    return server


@pytest.mark.parametrize("how", ["cancelled", "timed out"])
def test_b18_a_call_that_is_given_up_takes_the_cards_along_that_its_server_keeps(person: Any, how: str) -> None:
    """And only those: the questions of another call on the same connection stay."""
    runtime = person()

    async def opened(count: int) -> list[Pending]:
        while len(found := runtime.desk.snapshot()) < count:
            await asyncio.sleep(0.01)
        return list(found)

    async def main() -> None:
        async with await connect(forgetful(), mode="legacy") as kiosk:
            options: dict[str, Any] = {"read_timeout_seconds": 0.5} if how == "timed out" else {}
            asking = asyncio.ensure_future(kiosk.call_tool("order", **options))
            cards = await opened(2)
            if how == "cancelled":
                asking.cancel()
            await asyncio.wait({asking})
            while runtime.desk.snapshot():
                await asyncio.sleep(0.01)
            assert [type(card.reply) for card in cards] == [Withdrawn, Withdrawn]

            both = [asyncio.ensure_future(kiosk.call_tool("order")) for _ in range(2)]
            await opened(4)
            both[0].cancel()
            await asyncio.wait({both[0]})
            for card in runtime.desk.snapshot():
                runtime.desk.settle(card.ask.id, Declined())
            assert (await both[1]).content[0].text == "decline decline"

    asyncio.run(asyncio.wait_for(main(), 20))


@pytest.mark.parametrize("server", [{"command": "x", "env": {"KEY": "hunter2"}}, None, ["python"], 5], ids=range(4))
def test_what_is_no_server_is_refused_with_the_mend_and_without_its_keys(server: Any) -> None:
    with pytest.raises(ValueError, match="give mcp.StdioServerParameters") as refused:
        asyncio.run(connect(server))
    assert "hunter2" not in str(refused.value)


def test_a_request_that_is_gone_already_shows_nothing(person: Any) -> None:
    runtime = person()

    async def main() -> None:
        request = asyncio.ensure_future(elicitation_callback(NOBODY, form(CITY)))
        await asyncio.sleep(0)  # it has begun
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request

    asyncio.run(asyncio.wait_for(main(), 20))
    assert runtime.host.asked == []


# fastmcp's own door


def handled(params: Any, script: Any) -> Any:
    with scripted(script):
        return asyncio.run(elicitation_handler(params.message, str, params, context()))


def test_fastmcps_handler_gives_its_own_result_and_reads_the_schema_itself() -> None:
    from fastmcp.client.elicitation import ElicitResult

    titled = {"type": "string", "oneOf": [{"const": "l1", "title": "Low"}, {"const": "l2", "title": "High"}]}
    result = handled(form(fields("lvl", lvl=titled)), lambda ask: {"lvl": "High"})
    assert (type(result), result.action, result.content) == (ElicitResult, "accept", {"lvl": "l2"})
    for reply, action in ((Declined(), "decline"), (Cancelled(), "cancel")):
        result = handled(form(APPROVED), lambda ask, reply=reply: reply)
        assert (result.action, result.content) == (action, None)
    assert handled(address("https://a.example/"), lambda ask: True).action == "accept"


def test_fastmcps_handler_raises_a_plain_sentence_where_the_server_gets_an_error() -> None:
    with pytest.raises(Exception, match="^nobody can be asked here: no person has this notebook open$"):
        handled(form(APPROVED), lambda ask: Unavailable(reason="the file /home/ann is not there"))


# Where the SDK is not installed


BLOCKED = """
import asyncio, sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("mcp", "fastmcp"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Block())
from nbask.adapters.mcp import connect, elicitation_callback, with_label
with_label("x").elicitation_handler
try:
    asyncio.run(connect("http://127.0.0.1:1/"))
except ImportError as fault:
    print(fault)
"""


def test_the_adapter_imports_without_the_sdk_and_says_what_to_install_when_it_is_used() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED], capture_output=True, text=True, timeout=60, check=False,
        cwd=Path(nbask.__file__).parents[1],
    )  # fmt: skip
    assert done.stdout.strip() == 'this needs the package mcp: pip install "nbask[mcp]"', done.stderr


def test_a_server_that_cannot_be_started_is_an_error_that_says_why_and_where_its_words_are() -> None:
    from mcp import StdioServerParameters

    code = "import sys; print('no such table', file=sys.stderr); sys.exit(3)"
    with pytest.raises(
        ConnectionError, match="no session with the MCP server: .*'no such table' at the end of (.*)"
    ) as no:
        asyncio.run(connect(StdioServerParameters(command=sys.executable, args=["-c", code])))
    log = Path(str(no.value).rpartition("end of ")[2])
    assert log.read_text() == "no such table\n"
    log.unlink()
    with pytest.raises(ConnectionError, match="no-such-program"):
        asyncio.run(connect(StdioServerParameters(command="no-such-program")))
