"""Claude's AskUserQuestion: the schema, and the result as its agents read it."""

from __future__ import annotations

import asyncio
import copy
import json
import re
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

from nbask import NoAnswer, Option
from nbask.adapters.claude import ASK_USER_QUESTION_TOOL, aask_user_question, ask_user_question
from nbask.kinds import Answer
from nbask.replies import Answered, Cancelled, Declined, Discussed, Reply, TimedOut, Unavailable, Withdrawn
from nbask.testing import scripted

Runner = Callable[..., Future[Any]]
TEXT = {"type": "string"}
# The structure of the seed's schema, without its prose.
SEED = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "additionalProperties": False,
    "required": ["questions"],
    "properties": {
        "annotations": {
            "type": "object",
            "propertyNames": TEXT,
            "additionalProperties": {
                "type": "object",
                "additionalProperties": False,
                "properties": {"notes": TEXT, "preview": TEXT},
            },
        },
        "answers": {"type": "object", "propertyNames": TEXT, "additionalProperties": TEXT},
        "metadata": {"type": "object", "additionalProperties": False, "properties": {"source": TEXT}},
        "questions": {
            "type": "array",
            "minItems": 1,
            "maxItems": 4,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["question", "header", "options", "multiSelect"],
                "properties": {
                    "header": TEXT,
                    "multiSelect": {"type": "boolean", "default": False},
                    "question": TEXT,
                    "options": {
                        "type": "array",
                        "minItems": 2,
                        "maxItems": 4,
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": ["label", "description"],
                            "properties": {"description": TEXT, "label": TEXT, "preview": TEXT},
                        },
                    },
                },
            },
        },
    },
}


def stripped(schema: Any) -> Any:
    """A schema without descriptions, and without `propertyNames` of strings, which every JSON object has."""
    if isinstance(schema, list):
        return [stripped(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    prose = {"description"} if isinstance(schema.get("description"), str) else set()
    idle = {"propertyNames"} if schema.get("propertyNames") == TEXT else set()
    return {name: stripped(value) for name, value in schema.items() if name not in prose | idle}


def option(label: str, **rest: Any) -> dict[str, Any]:
    return {"label": label, "description": f"{label}, described", **rest}


def question(text: str = "Which DB?", *labels: str, many: bool = False, **rest: Any) -> dict[str, Any]:
    options = [option(label) for label in labels or ("Postgres", "SQLite")]
    return {"question": text, "header": "DB", "options": options, "multiSelect": many, **rest}


def call(*questions: dict[str, Any], **rest: Any) -> dict[str, Any]:
    return {"questions": list(questions), **rest}


def answers(script: Any, *questions: dict[str, Any]) -> dict[str, str]:
    with scripted(script):
        return ask_user_question(call(*questions))["answers"]


def test_the_tools_schema_is_the_seeds() -> None:
    assert stripped(ASK_USER_QUESTION_TOOL["input_schema"]) == stripped(SEED)


def test_the_tool_is_as_the_messages_api_takes_it() -> None:
    assert set(ASK_USER_QUESTION_TOOL) == {"name", "description", "input_schema"}
    assert ASK_USER_QUESTION_TOOL["name"] == "AskUserQuestion"
    assert json.loads(json.dumps(ASK_USER_QUESTION_TOOL)) == ASK_USER_QUESTION_TOOL


def broken(change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    given = call(question(), question("Which format?", "CSV", "Parquet"))
    change(given)
    return given


BREACHES: dict[str, tuple[Any, str]] = {
    "five questions": (
        call(*(question(f"{n}?") for n in range(5))),
        "questions: 5 given, at most 4 allowed; leave 1 out",
    ),
    "no questions": (call(), "questions: 0 given, at least 1 needed; add 1"),
    "questions missing": ({}, "'questions' is missing; add it"),
    "five options": (
        call(question("Q?", *"ABCDE")),
        "questions[0].options: 5 given, at most 4 allowed; leave 1 out",
    ),
    "one option": (call(question("Q?", "A")), "questions[0].options: 1 given, at least 2 needed; add 1"),
    "no options": (
        broken(lambda given: given["questions"][1].update(options=[])),
        "questions[1].options: 0 given, at least 2 needed; add 2",
    ),
    "an unknown property": (call(question(), title="x"), "'title' is not known here; leave it out"),
    "an unknown property of a question": (
        broken(lambda given: given["questions"][1].update(id="a")),
        "questions[1]: 'id' is not known here; leave it out",
    ),
    "an unknown property of an option": (
        broken(lambda given: given["questions"][0]["options"][1].update(value="a")),
        "questions[0].options[1]: 'value' is not known here; leave it out",
    ),
    "an unknown property of the metadata": (
        call(question(), metadata={"user": "x"}),
        "metadata: 'user' is not known here; leave it out",
    ),
    "an unknown property of an annotation": (
        call(question(), annotations={"Which DB?": {"mood": "x"}}),
        "annotations.Which DB?: 'mood' is not known here; leave it out",
    ),
    "an answer that is no text": (call(question(), answers={"Which DB?": 5}), "answers.Which DB?: 5 is a number"),
    "a label that is a number": (
        broken(lambda given: given["questions"][0]["options"][0].update(label=5)),
        "questions[0].options[0].label: 5 is a number; send a string",
    ),
    "a multiSelect that is a text": (
        call(question(multiSelect="yes")),
        "questions[0].multiSelect: 'yes' is a string; send a boolean",
    ),
    "options that are an object": (
        call(question(options={"A": "B"})),
        "questions[0].options: {'A': 'B'} is an object; send an array",
    ),
    "an option that is a text": (
        call(question(options=["A", "B"])),
        "questions[0].options[0]: 'A' is a string; send an object",
    ),
    "a header that is null": (call(question(header=None)), "questions[0].header: None is null; send a string"),
    "a question that is a text": ({"questions": ["Q?"]}, "questions[0]: 'Q?' is a string; send an object"),
    "questions that are a text": ({"questions": "[]"}, "questions: '[]' is a string; send an array"),
    "an input that is a list": ([question()], "is an array; send an object"),
    "no input": (None, "None is null; send an object"),
    **{
        f"{name} missing": (
            broken(lambda given, name=name: given["questions"][1].pop(name)),
            f"questions[1]: {name!r} is missing; add it",
        )
        for name in ("question", "header", "options", "multiSelect")
    },
    **{
        f"an option's {name} missing": (
            broken(lambda given, name=name: given["questions"][1]["options"][0].pop(name)),
            f"questions[1].options[0]: {name!r} is missing; add it",
        )
        for name in ("label", "description")
    },
    "a23 equal texts": (call(question(), question()), "'Which DB?' is asked twice"),
    "a23 equal labels": (call(question("Q?", "A", "A")), "questions[0]: option 'A' of 'Q?' is given twice"),
    "an empty question": (call(question(" ")), "questions[0]: the question's text is ' '"),
    "an empty label": (call(question("Q?", "A", "")), "questions[0]: an option's label is ''"),
}


@pytest.mark.parametrize("name", BREACHES)
@pytest.mark.parametrize("awaited", [False, True])
def test_a_breach_is_refused_by_its_path_and_mend_before_anything_is_shown(name: str, awaited: bool) -> None:
    given, says = BREACHES[name]
    with scripted(lambda ask: pytest.fail("shown")) as asks, pytest.raises(ValueError, match=re.escape(says)):
        asyncio.run(aask_user_question(given)) if awaited else ask_user_question(given)
    assert asks == []


@pytest.mark.parametrize("position", [2, 3])
def test_the_first_fault_is_named_by_position_and_not_by_spelling(position: int) -> None:
    given = call(*(question(f"{n}?") for n in range(4)))
    for index in range(position, 4):
        given["questions"][index].pop("header")
    with pytest.raises(ValueError, match=rf"questions\[{position}\]"):
        ask_user_question(given)


def test_a_long_header_is_accepted() -> None:
    with scripted({"Which DB?": "SQLite"}) as asks:
        ask_user_question(call(question(header="h" * 42)))
    assert asks[0].questions[0].header == "h" * 42


def test_metadata_is_accepted_and_not_shown() -> None:
    with scripted({"Which DB?": "SQLite"}) as asks:
        result = ask_user_question(call(question(), metadata={"source": "s3cret"}))
    assert "s3cret" not in repr(asks)
    assert set(result) == {"questions", "answers", "annotations"}


def test_answers_and_annotations_in_the_input_are_ignored() -> None:
    given = call(
        question(), answers={"Which DB?": "Postgres"}, annotations={"Which DB?": {"notes": "made up", "preview": "x"}}
    )
    with scripted({"Which DB?": "SQLite"}) as asks:
        result = ask_user_question(given)
    assert (result["answers"], result["annotations"]) == ({"Which DB?": "SQLite"}, {})
    assert "made up" not in repr(asks)


def test_the_input_is_not_changed_and_its_questions_come_back_as_they_were() -> None:
    given = call(question(), question("Which format?", "CSV", "Parquet"))
    before = copy.deepcopy(given)
    with scripted(lambda ask: {"q1": "SQLite"}):
        result = ask_user_question(given)
    assert given == before
    assert result["questions"] == before["questions"]


def test_the_card_says_that_claude_asks() -> None:
    with scripted({"Which DB?": "SQLite"}) as asks:
        ask_user_question(call(question()))
        ask_user_question(call(question()), asker="My agent", timeout=9)
    assert [(ask.who, ask.timeout) for ask in asks] == [("Claude", None), ("My agent", 9)]


def test_a_recommended_label_is_a_badge_and_comes_back_verbatim() -> None:
    with scripted({"Q?": "A (Recommended)"}) as asks:
        result = ask_user_question(call(question("Q?", "A (Recommended)", "B")))
    assert result["answers"] == {"Q?": "A (Recommended)"}
    first, second = asks[0].questions[0].options
    assert (first.recommended, first.shown_label, second.recommended) == (True, "A", False)


def test_a10_there_is_always_another_row_and_always_a_note() -> None:
    with scripted({"Layout?": "three columns"}) as asks:
        options = [option("A", preview="+--+"), option("B")]
        result = ask_user_question(call(question("Layout?", options=options)))
    assert (asks[0].questions[0].other, asks[0].questions[0].notes) == (True, True)
    assert result["answers"] == {"Layout?": "three columns"}
    assert result["annotations"] == {}


def test_a4_what_was_typed_beside_picks_is_delivered() -> None:
    given = question("Checks?", "Lint", "Types", many=True)
    assert answers({"Checks?": ["Lint", "also run on ARM"]}, given) == {"Checks?": "Lint, also run on ARM"}


def test_a6_picks_and_typed_words_are_joined_and_a_comma_is_quoted() -> None:
    given = question("Checks?", "Lint", "Types", many=True)
    assert answers({"Checks?": ["Types", "x, y", "Lint"]}, given) == {"Checks?": 'Lint, Types, "x, y"'}


@pytest.mark.parametrize(
    ("labels", "joined"),
    [
        (["A, B", "C"], '"A, B", C'),
        (["A,B", "C"], "A,B, C"),
        (['say "hi"', "C"], '"say \\"hi\\"", C'),
        (["größer", "C"], "größer, C"),
        (["größer, „so“", "C"], '"größer, „so“", C'),
        (["back\\slash", "C"], "back\\slash, C"),
    ],
)
def test_only_an_item_with_a_comma_or_a_quote_in_it_is_quoted(labels: list[str], joined: str) -> None:
    assert answers({"Q?": labels}, question("Q?", *labels, many=True)) == {"Q?": joined}


def test_one_pick_is_never_quoted() -> None:
    assert answers({"Q?": "A, B"}, question("Q?", "A, B", "C")) == {"Q?": "A, B"}
    assert answers({"Q?": 'my "own", words'}, question("Q?", "A", "B")) == {"Q?": 'my "own", words'}


def picked(**answered: Answer) -> Callable[[Any], Reply]:
    return lambda ask: Answered(answers=answered, via="card")


def test_a9_a_note_beside_a_pick_with_a_preview_keeps_the_pick() -> None:
    options = [option("A", preview="+--+"), option("B")]
    with scripted(picked(q1=Answer("A", ("A",), notes="wider"))):
        result = ask_user_question(call(question("Layout?", options=options)))
    assert result["answers"] == {"Layout?": "A"}
    assert result["annotations"] == {"Layout?": {"notes": "wider", "preview": "+--+"}}


def test_the_preview_of_another_option_and_of_many_is_not_annotated() -> None:
    options = [option("A", preview="+--+"), option("B")]
    with scripted({"Q?": "B"}):
        assert ask_user_question(call(question("Q?", options=options)))["annotations"] == {}
    with scripted({"Q?": ["A"]}):
        assert ask_user_question(call(question("Q?", many=True, options=options)))["annotations"] == {}


def test_a8_a17_each_question_has_its_own_answer_or_none() -> None:
    three = [question(f"{n}?", "A", "B") for n in ("One", "Two", "Three")]
    with scripted(lambda ask: {"q2": "abc"}) as asks:
        result = ask_user_question(call(*three))
    assert result["answers"] == {"Two?": "abc"}
    assert all(one.other and not one.required for one in asks[0].questions)


def test_a_note_without_a_pick_still_reaches_the_model() -> None:
    given = call(question("One?"), question("Two?"))
    from nbask.kinds import wire_answer
    from nbask.reading import read_answers

    said = {"q1": wire_answer(["o1"]), "q2": wire_answer(notes="neither fits")}
    with scripted(lambda ask: Answered(answers=read_answers(ask, said))):
        result = ask_user_question(given)
    assert result["annotations"].get("Two?") == {"notes": "neither fits"}
    assert "Two?" not in result["answers"]


def test_a3_one_question_alone_must_be_answered() -> None:
    with scripted({"Which DB?": "SQLite"}) as asks:
        ask_user_question(call(question()))
    assert asks[0].questions[0].required


def test_a26_the_wish_to_discuss_is_a_response_and_no_answer() -> None:
    with scripted(lambda ask: Discussed(text="wait, explain first")):
        result = ask_user_question(call(question()))
    assert (result["answers"], result["response"]) == ({}, "wait, explain first")
    with scripted(lambda ask: Discussed()):
        assert ask_user_question(call(question()))["response"]


@pytest.mark.parametrize(
    "reply", [Declined(), Cancelled(), TimedOut(), Unavailable(), Withdrawn()], ids=lambda reply: reply.kind
)
def test_a2_c23_a_non_answer_is_raised_with_its_text(reply: Reply) -> None:
    with scripted(lambda ask: reply), pytest.raises(NoAnswer, match="no answer to 'Which DB\\?'") as error:
        ask_user_question(call(question()))
    assert error.value.reply is reply


def test_a2_without_anybody_it_is_unavailable() -> None:
    with pytest.raises(NoAnswer) as error:
        ask_user_question(call(question()))
    assert error.value.reply.kind == "unavailable"


GERMAN = '[{"question": "Soll „alpha“ bleiben?", "options": [{"label": "Ja"}, {"label": "Nein"}]}]'


@pytest.mark.parametrize(
    "given",
    [
        GERMAN,
        {"questions": GERMAN},
        json.dumps({"questions": GERMAN}),
        json.loads(GERMAN),
        json.loads(GERMAN)[0],
        {"questions": json.loads(GERMAN)[0]},
    ],
)
def test_a15_questions_as_json_text_are_read_where_not_strict(given: Any) -> None:
    with scripted({"Soll „alpha“ bleiben?": "Ja"}):
        result = ask_user_question(given, strict=False)
    assert result["answers"] == {"Soll „alpha“ bleiben?": "Ja"}


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("no json", "questions: the text is no JSON"),
        ([], "at least one"),
        (5, "no list of questions"),
        ({"questions": [{"options": []}]}, "questions[0].question: missing"),
        ({"questions": [{"question": "Q?"}]}, "questions[0].options: missing"),
        ({"questions": [question(), {"question": "Q?", "options": [5]}]}, "questions[1]: option 5 has no label"),
        ({"questions": [{"question": "Q?", "options": []}]}, "questions[0]: 'Q?' has no options"),
        ({"questions": [{"question": "Q?", "options": ["A"], "header": 5}]}, "questions[0]: Question.header"),
        ({"questions": [question(), question()]}, "is asked twice"),
    ],
)
def test_what_cannot_be_read_is_refused_though_not_strict(given: Any, says: str) -> None:
    with scripted(lambda ask: pytest.fail("shown")), pytest.raises(ValueError, match=re.escape(says)):
        ask_user_question(given, strict=False)


def test_not_strict_takes_more_than_the_schema() -> None:
    given = call(*(question(f"{n}?", *"ABCDEF", stray=1) for n in range(6)), stray=1)
    with scripted(lambda ask: {"q6": "F"}):
        assert ask_user_question(given, strict=False)["answers"] == {"5?": "F"}


def test_c21_previews_of_many_are_shown() -> None:
    options = [option("A", preview="x"), option("B", preview="y"), option("C", preview="z")]
    with scripted({"Q?": ["A", "C"]}) as asks:
        assert ask_user_question(call(question("Q?", many=True, options=options)))["answers"] == {"Q?": "A, C"}
    assert [one.preview for one in asks[0].questions[0].options] == ["x", "y", "z"]


def test_several_calls_at_once_keep_their_answers_apart(in_thread: Runner) -> None:
    barrier = threading.Barrier(4)

    def work(number: int) -> Any:
        barrier.wait(5)
        return ask_user_question(call(question(f"{number}?", "A", "B")))["answers"]

    with scripted(lambda ask: f"own {ask.questions[0].text}"):
        results = [future.result(5) for future in [in_thread(work, number) for number in range(4)]]
    assert results == [{f"{n}?": f"own {n}?"} for n in range(4)]


def test_several_awaited_calls_at_once_keep_their_answers_apart() -> None:
    async def main() -> list[Any]:
        return await asyncio.gather(*(aask_user_question(call(question(f"{n}?"))) for n in range(4)))

    with scripted(lambda ask: f"own {ask.questions[0].text}"):
        assert [result["answers"] for result in asyncio.run(main())] == [{f"{n}?": f"own {n}?"} for n in range(4)]


def test_an_options_description_reaches_the_card() -> None:
    with scripted({"Which DB?": "SQLite"}) as asks:
        ask_user_question(call(question()))
    assert asks[0].questions[0].options[0] == Option("Postgres", "Postgres, described")
