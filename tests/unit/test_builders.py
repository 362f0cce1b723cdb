"""The questions a caller can put: what each one asks, and what comes back."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from pydantic import BaseModel, SecretStr, field_validator

from nbask import Ask, Asker, NoAnswer, PlanDecision, Question, approve_plan, ask, ask_form, ask_text, confirm
from nbask.builders import request_choice, request_confirm, request_form, request_questions, request_text
from nbask.desk import Desk, Pending
from nbask.forms import form_from
from nbask.fronts.drawing import draw
from nbask.fronts.text import converse
from nbask.kinds import Answer, wire_answer
from nbask.plans import AUTO, CHANGE, MANUAL, request_plan
from nbask.reading import read_answers, without_secrets
from nbask.receipts import receipt
from nbask.replies import DOTS, Answered, Cancelled, Declined, Discussed, TimedOut, Unavailable, Withdrawn
from nbask.testing import FakeClock, scripted

PLAN = "### 1. Read\n\nLoad `a.csv`.\n\n### 2. Delete\n\nDrop the column *old*."
QUESTION = "Go ahead with this plan?"


@pytest.mark.parametrize("keeps", [True, False, None])
def test_every_builder_hands_on_whether_the_loop_is_to_run_on(keeps: bool | None) -> None:
    for request in (
        request_choice("Which?", ["A", "B"], keep_loop_running=keeps),
        request_confirm("Sure?", keep_loop_running=keeps),
        request_text("Name?", keep_loop_running=keeps),
        request_questions([Question("Name?")], keep_loop_running=keeps),
        request_form("Where?", {"properties": {"city": {"type": "string"}}}, keep_loop_running=keeps),
        request_plan(PLAN, keep_loop_running=keeps),
    ):
        assert request.keep_loop_running is keeps


AROUND: Any = {"message": "First this.", "timeout": 5.0, "when_unanswered": "default", "asker": Asker("Ann")}
OF_ALL: Any = {"header": "About", "notes": True}
BUILT: dict[str, tuple[Any, tuple[Any, ...], dict[str, Any]]] = {
    "choice": (
        request_choice,
        ("Which?", ["A", "B"]),
        {"many": True, "min": 1, "max": 2, "default": ["A"], "other": False, "required": False, **OF_ALL},
    ),
    "confirm": (request_confirm, ("Sure?",), {"danger": True, "default": False, **OF_ALL}),
    "text": (request_text, ("Name?",), {"default": "a", "placeholder": "b", "multiline": True, **OF_ALL}),
    "secret": (request_text, ("Key?",), {"secret": True, **OF_ALL}),
}


@pytest.mark.parametrize("name", BUILT)
def test_whatever_a_builder_is_given_is_in_its_ask(name: str) -> None:
    build, args, given = BUILT[name]
    policy = {} if "default" in given else {"when_unanswered": "raise"}
    made = build(*args, **given, **{**AROUND, **policy}).ask
    assert {key: getattr(made, key) for key in AROUND} == {**AROUND, **policy}
    assert {key: getattr(made.questions[0], key) for key in given} == given


def test_several_questions_and_a_form_are_given_what_is_around_them() -> None:
    made = request_questions([Question("Name?", default="Ann"), Question("Age?", default="5")], **AROUND).ask
    assert {key: getattr(made, key) for key in AROUND} == AROUND
    around = {name: value for name, value in AROUND.items() if name != "message"}
    shape = {"properties": {"city": {"type": "string", "default": "Rome"}}}
    made = request_form("Where?", shape, default={"city": "Oslo"}, submit="Go", **around).ask
    assert {key: getattr(made, key) for key in around} == around
    assert (made.message, made.submit, made.questions[0].default) == ("Where?", "Go", "Oslo")


def test_a_confirm_answers_true_and_false_in_whatever_words() -> None:
    (question,) = request_confirm("Sure?", yes="Do it", no="Leave it").ask.questions
    assert [(option.label, option.value) for option in question.options] == [("Do it", True), ("Leave it", False)]


# A plan


def test_a_plan_is_markdown_above_a_question_with_two_ways_to_approve_and_one_to_change() -> None:
    asked = request_plan(PLAN).ask
    (question,) = asked.questions
    assert (asked.message, question.text, question.other_label) == (PLAN, QUESTION, CHANGE)
    assert [option.label for option in question.options] == [AUTO, MANUAL]
    assert (question.kind, question.other, question.default, question.required) == ("choice", True, None, True)


@pytest.mark.parametrize(
    ("given", "decision"),
    [
        (wire_answer(["o1"]), PlanDecision("auto")),
        (wire_answer(["o2"]), PlanDecision("manual")),
        (wire_answer(["o1"], notes="but keep the raw files"), PlanDecision("auto", "but keep the raw files")),
        (wire_answer(["o2"], notes="step 2 last"), PlanDecision("manual", "step 2 last")),
        (wire_answer(other="Keep the old column"), PlanDecision(None, "Keep the old column")),
        (wire_answer(other="yes"), PlanDecision(None, "yes")),
        (wire_answer(other=AUTO), PlanDecision(None, AUTO)),
        (wire_answer(other="no", notes="sorry"), PlanDecision(None, "no")),
    ],
    ids=str,
)
def test_a_plan_is_approved_or_to_be_changed(given: Any, decision: PlanDecision) -> None:
    request = request_plan(PLAN)
    answered = Answered(answers=read_answers(request.ask, {"q1": given}))
    assert request.result(answered) == decision


@pytest.mark.parametrize(("approved", "truth"), [("auto", True), ("manual", True), (None, False)])
def test_a26_b20_only_an_approved_plan_is_true(approved: Any, truth: bool) -> None:
    assert bool(PlanDecision(approved, "yes, but wait")) is truth


@pytest.mark.parametrize(
    "reply", [Declined(), Cancelled(), Discussed(text="yes"), TimedOut(), Unavailable(), Withdrawn()],
    ids=lambda reply: reply.kind,
)  # fmt: skip
def test_silence_approves_no_plan(reply: Any) -> None:
    with scripted(lambda _ask: reply), pytest.raises(NoAnswer):
        approve_plan(PLAN)


def test_no_policy_approves_a_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NBASK_WHEN_UNANSWERED", "default")
    with pytest.raises(NoAnswer):
        approve_plan(PLAN)


@pytest.mark.parametrize("plan", ["", " ", "\n\t", None, ["1. Go"]])
def test_a_plan_that_says_nothing_is_refused(plan: Any) -> None:
    with pytest.raises(ValueError, match="the plan is .*; give the markdown"):
        approve_plan(plan)


def test_a_plan_is_scripted_by_its_question_or_its_text() -> None:
    with scripted({QUESTION: MANUAL}):
        assert approve_plan(PLAN) == PlanDecision("manual")
    with scripted({"Really?": "Drop step 2"}):
        assert approve_plan(PLAN, question="Really?") == PlanDecision(None, "Drop step 2")
    with scripted({PLAN: {"q1": AUTO}}):
        assert approve_plan(PLAN) == PlanDecision("auto")


def test_a_plans_own_words_and_asker_are_passed_on() -> None:
    asked = request_plan(PLAN, question="Really?", timeout=5, asker="Claude").ask
    assert (asked.questions[0].text, asked.timeout, asked.who) == ("Really?", 5, "Claude")


def test_a_plans_receipt_says_what_was_decided_and_keeps_the_plan() -> None:
    asked = request_plan(PLAN).ask
    answer = read_answers(asked, {"q1": wire_answer(["o2"], notes="step 2 last")})
    bundle = receipt(asked, Answered(answers=answer, via="card"), 0.0)
    assert bundle["text/plain"] == f"{QUESTION} → {MANUAL}"
    for words in (MANUAL, "step 2 last", "<code>a.csv</code>", AUTO):
        assert words in bundle["text/html"]


# What cannot be undone


def test_a_confirm_is_dangerous_only_where_it_says_so() -> None:
    plain, danger = (request_confirm("Delete?", yes="Delete", no="Keep", danger=flag).ask for flag in (False, True))
    assert [one.questions[0].danger for one in (plain, danger)] == [False, True]
    wire = draw(Desk(FakeClock()).open(danger))["questions"][0]
    assert (wire["kind"], wire["danger"]) == ("confirm", True)
    assert [option["label"] for option in wire["options"]] == ["Delete", "Keep"], "yes stays the first on the wire"


@pytest.mark.parametrize("yes", [True, False])
def test_a_dangerous_confirm_is_true_for_yes_alone(yes: bool) -> None:
    with scripted({"Delete?": yes}):
        assert confirm("Delete?", danger=True) is yes
    with scripted({"Delete?": "Delete" if yes else "Keep"}):
        assert confirm("Delete?", yes="Delete", no="Keep", danger=True) is yes


# Secrets

WORD = "hunter2-s3cret"


def secret_ask() -> Ask:
    return request_text("Which key?", secret=True, timeout=60).ask


def test_a_secret_is_returned_to_the_code_that_asked() -> None:
    with scripted({"Which key?": WORD}):
        assert ask_text("Which key?", secret=True) == WORD


@pytest.mark.parametrize("default", ["x", ""])
def test_a_secret_has_no_default(default: str) -> None:
    with pytest.raises(ValueError, match="only ever typed"):
        ask_text("Which key?", secret=True, default=default)


def test_a_secret_is_drawn_without_a_value() -> None:
    (question,) = draw(Desk(FakeClock()).open(secret_ask()))["questions"]
    assert (question["secret"], question["default"]) == (True, None)


@pytest.mark.parametrize("beside", [0, 1])
def test_a_secret_is_dots_in_every_form_of_the_receipt(beside: int) -> None:
    form: Any = {"properties": {"key": {"type": "string", "format": "password"}, "name": {"type": "string"}}}
    asked = secret_ask() if not beside else form_asked(form)
    secret = asked.questions[0].id
    answers = read_answers(
        asked, {secret: wire_answer(value=WORD), **({"name": wire_answer(value="Ann")} if beside else {})}
    )
    bundle = receipt(asked, Answered(answers=answers, via="card"), 0.0)
    assert WORD not in json.dumps(bundle)
    assert DOTS in bundle["text/html"]
    assert DOTS in bundle["text/plain"]
    recorded = bundle["application/vnd.nbask.reply+json"]["questions"]
    assert recorded[0]["answer"] is None
    assert not beside or recorded[1]["answer"]["value"] == "Ann"


@pytest.mark.parametrize("text", ["a", "a much longer one than that"])
def test_the_dots_do_not_say_how_long_a_secret_is(text: str) -> None:
    bundle = receipt(secret_ask(), Answered(answers={"q1": Answer(text)}), 0.0)
    assert bundle["text/plain"] == f"Which key? → {DOTS}"


def test_a_note_beside_a_secret_that_was_left_blank_reads_as_not_answered() -> None:
    bundle = receipt(secret_ask(), Answered(answers={"q1": Answer(None, notes="ask Bo")}), 0.0)
    assert bundle["text/plain"] == "Which key? → not answered"


@pytest.mark.parametrize(
    "reply", [Declined(), Cancelled(), TimedOut(), Unavailable(), Withdrawn(), Discussed()],
    ids=lambda reply: reply.kind,
)  # fmt: skip
def test_a_secret_that_was_typed_and_not_sent_is_in_no_error_and_no_log(
    person: Any, caplog: pytest.LogCaptureFixture, reply: Any
) -> None:
    caplog.set_level(logging.DEBUG)

    def front(desk: Desk, pending: Pending) -> None:
        typed = {"answers": {"q1": wire_answer(value=WORD)}, "message": None}
        desk.keep_draft(pending.ask.id, without_secrets(typed, {"q1"}))  # type: ignore[arg-type]
        desk.settle(pending.ask.id, reply)

    person(front)
    with pytest.raises(NoAnswer) as error:
        ask_text("Which key?", secret=True)
    assert WORD not in f"{error.value} {error.value.reply!r} {error.value.ask!r} {caplog.text}"


def test_a_draft_is_kept_without_its_secrets() -> None:
    typed: Any = {"answers": {"a": wire_answer(value=WORD), "b": wire_answer(value="x")}, "message": "so"}
    assert without_secrets(typed, {"a"}) == {"answers": {"b": wire_answer(value="x")}, "message": "so"}
    assert without_secrets(typed, ()) == typed
    assert set(typed["answers"]) == {"a", "b"}


def test_a_secret_that_does_not_fit_is_refused_without_being_repeated() -> None:
    from nbask import Question
    from nbask.reading import Refused

    schema: Any = {"properties": {"key": {"type": "string", "writeOnly": True, "not": {"const": WORD}}}}
    for asked in (
        Ask(Question("Key?", id="key", secret=True, min=50)),
        Ask(Question("Key?", id="key", secret=True, pattern="^x")),
        form_asked(schema),
    ):
        with pytest.raises(Refused) as refusal:
            read_answers(asked, {"key": wire_answer(value=WORD)})
        assert set(refusal.value.errors) == {"key"}
        assert WORD not in str(refusal.value) + str(refusal.value.errors)


def form_asked(schema: Any) -> Ask:
    asks: list[Ask] = []

    def decline(one: Ask) -> Declined:
        asks.append(one)
        return Declined()

    with scripted(decline), pytest.raises(NoAnswer):
        ask_form("Where to?", schema)
    return asks[0]


# The other words


def test_a_choices_words_are_passed_on() -> None:
    with scripted({"Which?": "B"}) as asks:
        assert ask("Which?", ["A", "B"], message="**Look**", header="H", notes=True, timeout=9, asker="X") == "B"
    (asked,) = asks
    (question,) = asked.questions
    assert (asked.message, question.header, question.notes, asked.timeout, asked.who) == ("**Look**", "H", True, 9, "X")


@pytest.mark.parametrize("question", ["", "  "])
def test_a_form_without_a_question_is_refused(question: str) -> None:
    with pytest.raises(ValueError, match="say what is asked"), scripted({question: {}}):
        ask_form(question, {"properties": {}})


def test_a_secret_that_a_models_own_words_repeat_is_not_said_in_the_cell() -> None:
    class Login(BaseModel):
        key: SecretStr

        @field_validator("key")
        @classmethod
        def _long(cls, key: SecretStr) -> SecretStr:
            if len(key) < 20:
                raise ValueError(f"{key.get_secret_value()} is too short")
            return key

    said: list[str] = []
    lines = [WORD, WORD * 2]
    form = form_from(Login)
    asked = Ask(form.questions, message="Log in", layout="form", form=form.finish)
    reply = converse(asked, lambda _prompt, _secret: lines.pop(0), said.append)
    assert isinstance(reply, Answered)
    assert WORD not in " ".join(said)


def test_a_choice_from_nothing_is_refused_as_a_choice() -> None:
    """None is what a lookup gave; it is not said that the question is a text."""
    for options in (None, [], {}):
        with pytest.raises(ValueError, match="^'Which[?]' has no options; give at least one, or ask for a text$"):
            request_choice("Which?", options)
