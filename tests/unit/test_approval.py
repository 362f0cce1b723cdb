"""The approval card: what it shows of a call, what can be decided on it, and that nothing but a decision decides."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from nbask.adapters.toolkit.approval import Approval, Rule, ToolCall, aapprove, approve
from nbask.adapters.toolkit.arguments import loaded, shown
from nbask.kinds import wire_answer
from nbask.questions import Ask
from nbask.reading import Refused, read_answers
from nbask.render import markdown
from nbask.replies import Cancelled, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn
from nbask.testing import scripted

CALL = ToolCall(tool="delete_rows", arguments={"table": "runs", "days": 30})
SCHEMA = {
    "type": "object",
    "properties": {"table": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
    "required": ["table"],
}
NESTED = {"type": "object", "properties": {"where": {"type": "object"}}, "required": ["where"]}


def decided(call: ToolCall, *said: Any) -> tuple[Any, list[Ask]]:
    """What comes of a call where the person says this, card by card; and the cards."""
    answers = iter(said)
    with scripted(lambda ask: next(answers)) as asks:
        return approve(call, asker="Claude"), asks


def test_the_card_names_the_tool_and_who_asks_and_preselects_nothing() -> None:
    rules = [Rule(label="Always allow delete_rows", value="r1")]
    call = ToolCall(tool="delete_rows", arguments={}, description="Removes *rows*", rules=rules, respond=True)
    _, (ask,) = decided(call, False)
    (question,) = ask.questions
    assert (ask.who, question.text, question.description) == ("Claude", "Allow delete_rows?", "Removes *rows*")
    assert [option.label for option in question.options] == [
        "Approve", "Always allow delete_rows", "Edit first", "Answer in words instead", "Deny",
    ]  # fmt: skip
    assert (question.other_label, question.default) == ("Deny, and say why", None)


def test_what_the_framework_cannot_take_has_no_row() -> None:
    _, (ask,) = decided(ToolCall(tool="run", arguments={}, editable=False), False)
    assert [option.label for option in ask.questions[0].options] == ["Approve", "Deny"]


@pytest.mark.parametrize(
    ("said", "approval"),
    [
        ("Approve", Approval(approved=True)),
        ("Always allow it", Approval(approved=True, rule={"mode": "x"})),
        ("Deny", Approval(approved=False)),
        ("Only the old ones", Approval(approved=False, reason="Only the old ones")),
        ("edit", Approval(approved=False, reason="edit")),
    ],
)
def test_each_row_says_what_it_says(said: str, approval: Approval) -> None:
    rules = [Rule(label="Always allow it", value={"mode": "x"})]
    with scripted(lambda ask: said if said != "edit" else _typed("edit", ask)):
        found = approve(ToolCall(tool="run", arguments={}, rules=rules))
    assert found == approval
    assert bool(found) is approval.approved


def _typed(words: str, ask: Ask) -> Reply:
    from nbask.replies import Answered

    return Answered(answers=read_answers(ask, {"q1": wire_answer(other=words)}))


def test_rules_that_read_the_same_or_like_a_row_of_ours_are_told_apart() -> None:
    rules = [Rule(label="Approve", value=1), Rule(label="Always", value=2), Rule(label="Always", value=3)]
    found, (ask,) = decided(ToolCall(tool="run", arguments={}, rules=rules), "Always (2)")
    assert found == Approval(approved=True, rule=3)
    assert [option.label for option in ask.questions[0].options][:4] == [
        "Approve", "Approve (2)", "Always", "Always (2)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "reply",
    [
        Declined(),
        Cancelled(),
        Cancelled(by="interrupt"),
        Discussed(text="why?"),
        TimedOut(),
        Unavailable(),
        Withdrawn(),
    ],
)
def test_a_reply_that_decides_nothing_comes_back_as_it_is_and_is_not_true(reply: Reply) -> None:
    found, _ = decided(CALL, reply)
    assert found is reply
    assert not found


def test_nobody_there_approves_nothing_whatever_the_settings_say(person: Callable[..., Any]) -> None:
    person(None, allow_stdin=False, when_unanswered="default")
    found = approve(CALL)
    assert isinstance(found, Unavailable)
    assert found.fallback is None


def test_editing_is_a_form_with_the_arguments_where_the_tool_has_a_schema() -> None:
    call = ToolCall(tool="delete_rows", arguments=CALL.arguments, schema=SCHEMA)
    found, (_, form) = decided(call, "Edit first", {"table": "old_runs", "days": 30})
    assert found == Approval(approved=True, arguments={"table": "old_runs", "days": 30})
    assert [(one.id, one.kind, one.default) for one in form.questions] == [
        ("table", "text", "runs"), ("days", "integer", 30),
    ]  # fmt: skip
    assert (form.submit, form.message, form.plain) == ("Approve", "Run delete_rows with these arguments", True)


def test_arguments_that_were_not_changed_stay_as_they_were() -> None:
    found, _ = decided(CALL, "Edit first", json.dumps(CALL.arguments))
    assert found == Approval(approved=True, arguments=None)


def test_a_text_of_several_lines_keeps_them_in_the_form() -> None:
    call = ToolCall(tool="write", arguments={"table": "a\nb"}, schema=SCHEMA)
    _, (_, form) = decided(call, "Edit first", {"table": "a\nb"})
    assert form.questions[0].multiline


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        (None, {"table": "runs"}),
        ({"type": "object", "properties": {}}, {}),
        (NESTED, {"where": {"day": 1}}),
        (SCHEMA, {"table": "runs", "stray": 1}),
        (SCHEMA, {"table": 5}),
        ({"type": "object", "properties": {"key": {"type": "string", "format": "password"}}}, {"key": "k"}),
    ],
)
def test_without_a_form_that_holds_them_all_the_arguments_are_edited_as_json(schema: Any, arguments: Any) -> None:
    call = ToolCall(tool="run", arguments=arguments, schema=schema)
    _, (_, edit) = decided(call, "Edit first", '{"table": "x", "where": {}}')
    (field,) = edit.questions
    assert (field.id, field.multiline, json.loads(field.default)) == ("arguments", True, arguments)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("{'a': 1}", "no JSON"),
        ("[1]", "in braces"),
        ("null", "in braces"),
        ('{"where": 5}', "where: 5 is not of type 'object'."),
        ("{}", "'where' is a required property."),
        ('{"where": {"n": NaN}}', "NaN is no number"),
        ("[" * 100_000, "no JSON"),
    ],
)
def test_json_that_does_not_fit_is_refused_at_the_field_and_the_card_stays_open(typed: str, words: str) -> None:
    call = ToolCall(tool="run", arguments={"where": {}}, schema=NESTED)
    _, (_, edit) = decided(call, "Edit first", '{"where": {}}')
    with pytest.raises(Refused) as refused:
        read_answers(edit, {"arguments": wire_answer(value=typed)})
    assert words in refused.value.errors["arguments"]


def test_arguments_that_were_no_object_may_be_any_json() -> None:
    found, _ = decided(ToolCall(tool="run", arguments=["a"]), "Edit first", '["a", "b"]')
    assert found == Approval(approved=True, arguments=["a", "b"])


@pytest.mark.parametrize("leave", [Cancelled(), Declined()])
@pytest.mark.parametrize("row", ["Edit first", "Answer in words instead"])
def test_leaving_the_second_card_goes_back_to_the_first(row: str, leave: Reply) -> None:
    call = ToolCall(tool="run", arguments={}, respond=True)
    found, asks = decided(call, row, leave, "Deny")
    assert found == Approval(approved=False)
    assert asks[0].questions == asks[2].questions


@pytest.mark.parametrize("reply", [Cancelled(by="interrupt"), TimedOut(), Withdrawn(), Discussed(text="x")])
def test_the_second_card_ending_otherwise_decides_nothing(reply: Reply) -> None:
    found, _ = decided(CALL, "Edit first", reply)
    assert found is reply


def test_an_answer_in_words_takes_the_place_of_the_call() -> None:
    found, _ = decided(ToolCall(tool="ask", arguments={}, respond=True), "Answer in words instead", "42")
    assert found == Approval(approved=False, reason="42", responded=True)


def test_awaiting_asks_the_same() -> None:
    with scripted({"Allow delete_rows?": "Edit first", "Arguments, as JSON": '{"table": "x"}'}) as asks:
        found = asyncio.run(aapprove(CALL, asker="Claude", timeout=9))
    assert found == Approval(approved=True, arguments={"table": "x"})
    assert [(ask.who, ask.timeout) for ask in asks] == [("Claude", 9), ("Claude", 9)]


@pytest.mark.parametrize("tool", [" ", None])
def test_a_call_of_nothing_is_refused(tool: Any) -> None:
    with pytest.raises(ValueError, match=rf"the tool's name is {tool!r}; say what would run"):
        ToolCall(tool=tool, arguments={})


# -- the arguments ---------------------------------------------------------------------------------


def test_short_arguments_are_json_and_long_ones_texts_under_their_names() -> None:
    text = shown({"path": "a.py", "content": "first\nlast ```", "options": {"note": "n" * 101}})
    assert text == (
        '```json\n{\n  "path": "a.py"\n}\n```\n\n`content`\n\n````\nfirst\nlast ```\n````\n\n'
        f"`options.note`\n\n```\n{'n' * 101}\n```"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [("old_string", "new_string"), ("old_str", "new_str"), ("oldText", "newText"), ("before", "after"), ("old", "new")],
)
def test_two_texts_before_and_after_a_change_are_one_diff(old: str, new: str) -> None:
    text = shown({"edits": [{old: "a\nb", new: "a\nc"}, {old: "x", new: "y", "all": True}]})
    assert "```diff" in text
    assert f"edits[0].{old} → edits[0].{new}" in text
    assert "\n-b\n+c\n" in text
    assert '"all": true' in text


def test_names_that_only_begin_so_are_no_change() -> None:
    assert "diff" not in shown({"older": "a", "newer": "b", "old": "a", "old_x": "b", "new_y": "c"})


@pytest.mark.parametrize("nothing", [{}, None])
def test_a_call_without_arguments_says_so(nothing: Any) -> None:
    assert shown(nothing) == "No arguments."


@pytest.mark.parametrize("given", [{"a": {}}, {"a": []}, [], [{}], {"a": [{}, "x"]}, 5, False])
def test_what_is_empty_is_shown_as_it_is(given: Any) -> None:
    assert json.loads(shown(given).removeprefix("```json\n").removesuffix("\n```")) == given


def test_an_item_of_a_list_that_is_shown_below_leaves_its_place() -> None:
    text = shown({"items": ["short", "long\nlong"]})
    assert '"(below)"' in text
    assert "`items[1]`\n\n```\nlong\nlong\n```" in text


def test_arguments_that_are_no_json_are_shown_all_the_same() -> None:
    circle: dict[str, Any] = {"name": "x"}
    circle["self"] = circle
    assert "'name': 'x'" in shown(circle)
    assert "(1, 2)" in shown({(1, 2): "x"})
    assert "{1}" in shown({"a": {1}})


@pytest.mark.parametrize("hostile", ["```\n<b>x</b>\n# y", "\u202e\x1b[2J\nx", "</code></pre><script>x</script>\n"])
def test_no_argument_breaks_out_of_its_block_or_hides_what_it_says(hostile: str) -> None:
    for given in ({"content": hostile}, {hostile: "x"}, {"old": hostile, "new": "y"}, hostile, {"a": [hostile] * 2}):
        text = shown(given)
        assert not {"\u202e", "\x1b"} & set(text)
        html = markdown(text)["html"]
        assert not any(tag in html for tag in ("<script", "<b>", "<h1"))


def test_the_description_and_the_name_hide_nothing_either() -> None:
    _, (ask,) = decided(ToolCall(tool="r\u202em\nx", arguments={}, description="a\x1b[2J"), False)
    assert ask.questions[0].text == "Allow r\ufffdm x?"
    assert ask.questions[0].description == "a␛[2J"


class Unshowable:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


def nested(depth: int) -> Any:
    found: Any = {}
    for _ in range(depth):
        found = {"in": found}
    return found


@pytest.mark.parametrize(
    "arguments", [nested(5000), Unshowable(), {Unshowable(): 1}, {"a": Unshowable()}], ids=range(4)
)
def test_arguments_that_cannot_be_shown_are_said_to_be_and_still_decided_on(arguments: Any) -> None:
    approval, (ask,) = decided(ToolCall(tool="run", arguments=arguments), False)
    assert not approval
    assert "that cannot be shown" in (ask.message or "")


@pytest.mark.parametrize("arguments", [{"days": {1, 2}}, {("a", 1): 2}, {"at": object()}, nested(5000)], ids=range(4))
def test_arguments_that_json_would_change_are_not_given_to_edit(arguments: Any) -> None:
    _, (ask,) = decided(ToolCall(tool="run", arguments=arguments), False)
    assert [option.label for option in ask.questions[0].options] == ["Approve", "Deny"]


@pytest.mark.parametrize("written", ["[" * 100_000, "{", "a.csv"], ids=range(3))
def test_what_a_model_wrote_that_is_no_json_is_what_it_wrote(written: str) -> None:
    assert loaded(written) == written
