"""Every kind of question, answered by mouse and by keyboard alone; the next line has the value."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest
from card import Card
from lab import Lab
from playwright.sync_api import expect

A3 = 'Option("Wide", preview="+--+ wide"), Option("Long", preview="+--+ long" + "\\n|  |" * 30), Option("Neither")'
FLAT = """{
    "properties": {
        "name": {"type": "string", "title": "Name"},
        "days": {"type": "integer", "title": "Days", "minimum": 1, "maximum": 14, "default": 3},
        "dry": {"type": "boolean", "title": "Dry run?"},
        "unit": {"type": "string", "title": "Unit", "enum": ["c", "k"], "enumNames": ["Celsius", "Kelvin"]},
        "checks": {"type": "array", "title": "Checks", "items": {"enum": ["lint", "types"]}},
        "start": {"type": "string", "title": "First day", "format": "date"},
        "tags": {"type": "array", "title": "Tags", "items": {"type": "string"}},
    },
    "required": ["name", "dry"],
}"""
FLAT_VALUE = (
    "{'name': 'Ada', 'days': 3, 'dry': False, 'unit': 'k', 'checks': ['lint', 'types'], "
    "'start': '2026-03-01', 'tags': ['a', 'b']}"
)


@dataclass(frozen=True)
class Case:
    """One kind: the code that asks, what it then prints, what stays in the receipt, and two ways to answer.

    `keys` begin where Tab from the cell leads to first: the button that cancels, before whatever is asked.
    """

    code: str
    value: str
    receipt: str
    mouse: Callable[[Card], None]
    keys: Sequence[str]


def _mouse(*labels: str, other: str = "", write: str | None = None, press: str = "Submit") -> Callable[[Card], None]:
    def answer(card: Card) -> None:
        card.choose(*labels)
        if other:
            card.say_other(other)
        if write is not None:
            card.write(write)
        card.press(press)

    return answer


def _one(arguments: str) -> str:
    """The code that puts one question, for what has no function of its own."""
    return f"print(repr(put(Ask(Question({arguments}))).value))"


def _fill_form(card: Card) -> None:
    card.field("Name").fill("Ada")
    for group, label in (("Dry run?", "No"), ("Unit", "Kelvin"), ("Checks", "lint"), ("Checks", "types")):
        card.group(group).locator(".nbask-opt", has_text=label).click()
    card.field("First day").fill("2026-03-01")
    card.field("Tags").fill("a\n\nb")
    card.press("Submit")


CASES = {
    "choice": Case(
        'print(ask("Red or blue?", ["Red", "Blue"]))',
        "Blue",
        "Blue",
        _mouse("Blue"),
        ["Space", "ArrowDown", "Enter"],
    ),
    "choice by its digit": Case(
        'print(ask("Red or blue?", ["Red", "Blue"]))', "Blue", "Blue", _mouse("Blue"), ["2"]
    ),
    "choice, other": Case(
        'print(ask("Red or blue?", ["Red", "Blue"]))',
        "green 2",
        "green 2",
        _mouse(other="green 2"),
        ["3", "=green 2", "Enter"],
    ),
    "choice with previews": Case(
        f'print(ask("Which layout?", [{A3}]))',
        "Long",
        "Long",
        _mouse("Long"),
        ["ArrowDown", "Enter"],
    ),
    "many": Case(
        'print(ask("Checks?", ["Lint", "Types", "Tests"], many=True, min=2, max=3))',
        "['Lint', 'Tests', 'also on ARM']",
        "also on ARM",
        _mouse("Lint", "Tests", other="also on ARM"),
        ["Space", "3", "4", "=also on ARM", "Enter"],
    ),
    "many with previews": Case(
        f'print(ask("Which findings?", [{A3}], many=True))',
        "['Wide', 'Neither']",
        "Neither",
        _mouse("Wide", "Neither"),
        ["Space", "Tab", "Tab", "Space", "Enter"],
    ),
    "confirm": Case(
        'print(confirm("Overwrite it?", yes="Overwrite", no="Keep it"))',
        "False",
        "Keep it",
        _mouse(press="Keep it"),
        ["Tab", "Enter"],
    ),
    "text": Case(
        'print(repr(ask_text("Name?")))', "'Ann 1'", "Ann 1", _mouse(write="Ann 1"), ["=Ann 1", "Enter"]
    ),
    "text of several lines": Case(
        'print(repr(ask_text("Say more", multiline=True)))',
        r"'one\ntwo'",
        "one",
        _mouse(write="one\ntwo"),
        ["=one", "Enter", "=two", "Control+Enter"],
    ),
    "number": Case(
        _one('"How warm?", kind="number", min=-5, max=40'),
        "21.5",
        "21.5",
        _mouse(write="21.5"),
        ["=21.5", "Enter"],
    ),
    "integer": Case(
        _one('"How many?", kind="integer"'), "9007199254740993", "9007199254740993",
        _mouse(write="9007199254740993"), ["=9007199254740993", "Enter"],
    ),
    "date": Case(
        _one('"Which day?", kind="date"'),
        "datetime.date(2026, 3, 1)",
        "2026-03-01",
        _mouse(write="2026-03-01"),
        ["=03012026", "Enter"],
    ),
    "datetime": Case(
        _one('"When?", kind="datetime"'),
        "datetime.datetime(2026, 3, 1, 14, 30)",
        "2026-03-01",
        _mouse(write="2026-03-01T14:30"),
        ["=03012026", "ArrowRight", "=0230PM", "Enter"],
    ),
    "list": Case(
        _one('"Which stations?", kind="list", min=1'),
        "['a 1', 'b']",
        "a 1",
        _mouse(write="a 1\nb\n"),
        ["=a 1", "Enter", "=b", "Control+Enter"],
    ),
    "form": Case(
        f'print(ask_form("How should it run?", {FLAT}))',
        FLAT_VALUE,
        "Kelvin",
        _fill_form,
        [
            *("=Ada", "Tab", "Tab", "Space", "ArrowDown", "Tab", "Space", "ArrowDown"),
            # Behind the year comes the button of the browser's own calendar.
            *("Tab", "Space", "Tab", "Space", "Tab", "=03012026", "Tab", "Tab", "=a", "Enter", "=b", "Control+Enter"),
        ],
    ),
    "form without fields": Case(
        'print(ask_form("Send the report?", {"properties": {}}))', "{}", "Send the report?",
        _mouse(press="Accept"), ["Enter"],
    ),
    "plan": Case(
        'print(approve_plan("1. Do *it*"))', "PlanDecision(approved='auto', feedback=None)", "go on by itself",
        _mouse("Yes, and go on by itself"), ["1"],
    ),
    "plan, edit by edit": Case(
        'print(approve_plan("1. Do *it*"))', "PlanDecision(approved='manual', feedback=None)", "each edit",
        _mouse("Yes, I approve each edit"), ["2"],
    ),
    "plan, to be changed": Case(
        'print(approve_plan("1. Do *it*"))',
        "PlanDecision(approved=None, feedback='keep the old one')",
        "keep the old one",
        lambda card: (card.root.get_by_role("textbox", name="Change it").fill("keep the old one"), card.submit())[-1],
        ["3", "=keep the old one", "Enter"],
    ),
}  # fmt: skip
"""B13 is the form without fields; A10 and C20 the choice with previews; C21 the many with previews."""


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_kind_by_mouse(bench: Lab, case: Case) -> None:
    """A10, A21, B13, C20, C21: a click chooses and nothing more; a button submits; the next line has the value."""
    at = bench.put(case.code)
    case.mouse(bench.card(at))
    bench.expect_printed(at, case.value)
    bench.expect_receipt(at, case.receipt)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_kind_by_keyboard_alone(bench: Lab, case: Case) -> None:
    """A10, A21, B13, C20, C21: the same without a mouse, from the cell on; the focus ends on the receipt."""
    at = bench.put(case.code)
    card = bench.card(at)
    bench.tab_into(at)
    expect(card.button("Cancel")).not_to_be_focused()  # the way out comes last
    card.keys(*case.keys)
    bench.expect_printed(at, case.value)
    bench.expect_receipt(at, case.receipt)
    expect(bench.receipt(at)).to_be_focused()


# -- choices ----------------------------------------------------------------------------------------


def test_a21_a_click_and_an_arrow_choose_and_do_not_submit(bench: Lab) -> None:
    """A21: neither a click nor an arrow key ends the ask; Space and Enter then do by keyboard what they should."""
    at = bench.put('print(ask("Red or blue?", ["Red", "Blue"]))')
    card = bench.card(at)
    card.choose("Red")
    bench.page.keyboard.press("ArrowDown")
    expect(card.option("Blue")).to_be_checked()
    expect(card.option("Blue")).to_be_focused()
    expect(card.root).to_be_visible()
    expect(bench.printed(at)).to_have_count(0)
    bench.page.keyboard.press("Enter")
    bench.expect_printed(at, "Blue")


def test_a9_c20_previews_follow_and_keep_note_and_other(bench: Lab) -> None:
    """A9, A10, C20: the pane follows hover and focus, the Other row is there, pick and note are both sent."""
    at = bench.put(
        f'reply = put(Ask(Question("Layout?", [{A3}], notes=True)))\n'
        'print(reply.answers["q1"].selected, reply.answers["q1"].notes)'
    )
    card = bench.card(at)
    expect(card.pane).to_contain_text("+--+ wide")
    before = card.root.bounding_box(), card.pane.bounding_box()
    card.root.locator(".nbask-opt", has_text="Long").hover()
    expect(card.pane).to_contain_text("+--+ long")
    assert (card.root.bounding_box(), card.pane.bounding_box()) == before  # what grew would jump under the pointer
    card.option("Wide").focus()
    expect(card.pane).to_contain_text("+--+ wide")
    expect(card.other_field).to_be_visible()
    card.say_other("three columns")
    card.choose("Wide")
    expect(card.other_field).to_have_value("three columns")  # another pick erases nothing
    card.note("wider")
    bench.page.keyboard.press("Enter")
    bench.expect_printed(at, "('Wide',) wider")
    bench.expect_receipt(at, "wider")


def test_many_says_its_bounds_and_counts(bench: Lab) -> None:
    """Too few and too many are refused in words, at the question; a digit unticks, too."""
    at = bench.put('print(ask("Checks?", ["Lint", "Types", "Tests"], many=True, min=2, max=2))')
    card = bench.card(at)
    expect(card.root).to_contain_text("choose 2 · 0 chosen")
    card.submit()
    expect(card.errors).to_have_text("Choose at least 2.")
    expect(card.option("Lint")).to_be_focused()
    card.keys("1", "2", "3")
    expect(card.root).to_contain_text("3 chosen")
    bench.page.keyboard.press("Enter")
    expect(card.errors).to_contain_text("Choose at most 2")
    card.keys("2", "Enter")
    bench.expect_printed(at, "['Lint', 'Tests']")


def test_long_list_is_filtered(bench: Lab) -> None:
    """From 12 options on there is a box that filters them; Enter in it goes on and submits nothing."""
    at = bench.put('print(ask("Which station?", [f"Station {n:02}" for n in range(1, 31)]))')
    card = bench.card(at)
    bench.tab_into(at)
    card.tab_to(card.filter_field)
    card.keys("=nothing like it")
    expect(card.root.get_by_role("status").filter(has_text="shown")).to_have_text("0 of 30 shown")
    card.keys("Escape")
    expect(card.filter_field).to_have_value("")
    card.keys("=28", "Enter")
    expect(card.option("Station 28")).to_be_focused()
    expect(card.root.locator(".nbask-opt:not(.nbask-other)")).to_have_count(1)
    card.keys("Space", "Enter")
    bench.expect_printed(at, "Station 28")


# -- yes or no --------------------------------------------------------------------------------------


def test_danger_puts_the_safe_button_first(bench: Lab) -> None:
    """B20: no digit picks what cannot be undone, and the first button by Tab and by sight is the safe one."""
    at = bench.put('print(confirm("Delete 3 files?", yes="Delete them", no="Keep them", danger=True))')
    card = bench.card(at)
    expect(card.root.locator(".nbask-foot button").first).to_have_text("Keep them")
    bench.tab_into(at)
    card.keys("1", "2")
    expect(card.root).to_be_visible()
    expect(card.button("Keep them")).to_be_focused()
    card.keys("Tab")
    expect(card.button("Delete them")).to_be_focused()
    card.keys("Shift+Tab", "Enter")
    bench.expect_printed(at, "False")
    at = bench.put('print(confirm("Delete 3 files?", yes="Delete them", no="Keep them", danger=True))')
    bench.card(at).press("Delete them")
    bench.expect_printed(at, "True")


# -- words ------------------------------------------------------------------------------------------


def test_secret_is_dots_and_nowhere_kept(bench: Lab) -> None:
    """By mouse and by keyboard: dots in the field; nothing of it in the page, the receipt, or the saved notebook."""
    secret = "hunter2-xyzzy"
    code = 'key = ask_text("The key?", secret=True)\nprint(len(key), sum(map(ord, key)))'
    value = f"{len(secret)} {sum(map(ord, secret))}"
    at = bench.put(code)
    card = bench.card(at)
    expect(card.text_field).to_have_attribute("type", "password")
    card.write(secret)
    card.note("from the vault") if card.notes_field.count() else None
    bench.page.wait_for_timeout(400)  # the time after which a draft would have been sent
    assert not any(secret in frame for frame in bench.sent)
    card.submit()
    bench.expect_printed(at, value)
    bench.expect_receipt(at, "••••••")

    at = bench.put(code)
    card = bench.card(at)
    bench.tab_into(at)
    card.keys(f"={secret}", "Enter")
    bench.expect_printed(at, value)

    assert secret not in bench.page.content()
    assert not any(secret in frame for frame in bench.received)
    bench.saved()
    assert secret not in (bench.server.root / bench.notebook).read_text()


# -- numbers and forms ------------------------------------------------------------------------------

BAD_INTEGERS = {
    "0": "At least 1.",
    "4": "At most 3.",
    "1.5": "Type a whole number, like 3.",
    "42abc": "Type a whole number, like 3.",
    "1e400": "Type a whole number, like 3.",
    "NaN": "Type a whole number, like 3.",
}


def test_b1_b14_integers_are_refused_in_words(bench: Lab) -> None:
    """B1, B14: bounds and what is no integer are said at the field; then "2" is the number 2."""
    at = bench.put(
        'print(ask_form("Ice cream", {"properties": {"scoops": {"type": "integer", "minimum": 1, "maximum": 3}}, '
        '"required": ["scoops"]}))'
    )
    card = bench.card(at)
    card.submit()
    expect(card.errors.first).to_have_text("Type an answer.")
    for typed, words in BAD_INTEGERS.items():
        card.write(typed)
        expect(card.text_field).not_to_have_attribute("aria-invalid", "true")  # not while it is being typed
        bench.page.keyboard.press("Enter")
        card.expect_error("scoops", words)
        expect(card.text_field).to_be_focused()
        expect(card.text_field).to_have_value(typed)
    card.write("2")
    card.submit()
    bench.expect_printed(at, "{'scoops': 2}")
    bench.expect_receipt(at, "2")


def test_b14_minus_three_is_an_integer(bench: Lab) -> None:
    """B14: -3 is one; and an error shows when the field is left, not only at Submit."""
    at = bench.put('print(ask_form("n", {"properties": {"n": {"type": "integer"}, "m": {"type": "number"}}}))')
    card = bench.card(at)
    card.field("n").fill("4.5")
    card.field("m").focus()
    card.expect_error("n", "whole number")
    card.field("n").fill("-3")
    card.submit()
    bench.expect_printed(at, "{'n': -3}")


ODD = """{
    "properties": {
        "dry_run": {"type": "boolean"},
        "lvl": {"type": "string", "title": "Level",
                "oneOf": [{"const": "l1", "title": "Low"}, {"const": "l2", "title": "High"}], "default": "l2"},
        "n": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None},
        "p": {"$ref": "#/$defs/P"},
        "lang": {"type": "string", "enum": ["en", "de"], "enumNames": ["English"]},
        "mail": {"type": "string", "title": "Mail", "format": "email"},
        "page": {"type": "string", "title": "Page", "format": "uri"},
        "code": {"type": "string", "title": "Code", "pattern": "^[a-z]{2}-\\\\d+$"},
        "blank": {"type": "string", "title": "Blank"},
    },
    "required": ["dry_run"],
    "$defs": {"P": {"type": "string", "enum": ["lo", "hi"]}},
}"""


def test_b2_b3_b5_b8_form_of_odd_schemas(bench: Lab) -> None:
    """B2, B3, B5, B8, B10, B12, B25: what other clients get wrong about a schema, on one card."""
    at = bench.put(f'print(ask_form("Go?", {ODD}))')
    card = bench.card(at)
    # B2, B3, B5: two radios, neither picked; Accept without a choice sends nothing and says so at the field.
    yes_no = card.group("dry_run").get_by_role("radio")
    expect(yes_no).to_have_count(2)
    for radio in yes_no.all():
        expect(radio).not_to_be_checked()
    card.submit()
    expect(card.group("dry_run")).to_have_accessible_description(re.compile("Choose an option"))
    expect(yes_no.first).to_be_focused()
    expect(card.root.locator(".nbask-notice")).to_have_text("1 field needs another look.")
    # B8, B10, B12: titles are shown, defaults preselected, local references drawn.
    expect(card.group("Level").get_by_role("radio", name="High")).to_be_checked()
    assert card.group("lang").get_by_role("radio").count() == 2
    expect(card.group("lang").get_by_role("radio", name="English")).to_be_visible()
    expect(card.group("lang").get_by_role("radio", name="de")).to_be_visible()
    expect(card.group("p").get_by_role("radio", name="hi", exact=True)).to_be_visible()
    # Formats, in words at the field.
    card.field("Mail").fill("nobody")
    card.field("Page").fill("example")
    card.field("Code").fill("42")
    card.field("Blank").fill("x")
    card.field("Blank").fill("")  # cleared again: left out, never sent as ""
    card.expect_error("Mail", "email address")
    card.expect_error("Page", "whole address")
    card.expect_error("Code", "pattern")
    card.field("Mail").fill("ann@example.org")
    card.field("Page").fill("https://example.org/a")
    card.field("Code").fill("ab-12")
    card.group("dry_run").locator(".nbask-opt", has_text="No").click()
    card.submit()
    bench.expect_printed(
        at,
        "{'dry_run': False, 'lvl': 'l2', 'mail': 'ann@example.org', 'page': 'https://example.org/a', 'code': 'ab-12'}",
    )
    bench.expect_receipt(at, "High")


MODEL = """
from pydantic import BaseModel, Field, field_validator
class Trip(BaseModel):
    city: str = Field(min_length=2)
    nights: int = 2
    @field_validator("city")
    @classmethod
    def known(cls, city):
        if city != "Bordeaux":
            raise ValueError("we only go to Bordeaux")
        return city
print(repr(ask_form("Where to?", Trip)))
"""


def test_form_of_a_model_shows_the_models_own_words(bench: Lab) -> None:
    """What only the kernel can know is said at the field; the card stays open with what was typed."""
    at = bench.put(MODEL)
    card = bench.card(at)
    card.field("City").fill("Paris")
    card.field("Nights").fill("4")
    card.submit()
    card.expect_error("City", "We only go to Bordeaux.")
    expect(card.field("City")).to_be_focused()
    expect(card.field("City")).to_have_value("Paris")
    expect(card.field("Nights")).to_have_value("4")
    card.field("City").fill("Bordeaux")
    bench.page.keyboard.press("Enter")
    bench.expect_printed(at, "Trip(city='Bordeaux', nights=4)")


def test_half_a_date_is_not_passed_for_nothing(bench: Lab) -> None:
    """A date that is half typed is refused in words, even where none is needed."""
    at = bench.put('print(put(Ask(Question("Day?", kind="date", required=False))).kind)')
    card = bench.card(at)
    bench.tab_into(at)
    card.keys("=0301", "Enter")
    expect(card.errors).to_have_text("Choose a whole date.")
    card.press("Decline")
    bench.expect_printed(at, "declined")


# -- several questions ------------------------------------------------------------------------------

SEVERAL = """
reply = ask_questions([
    Question("Which model?", ["fast", "large"], header="Model", id="model"),
    Question("Which checks?", ["Gaps", "Units"], many=True, header="Checks", id="checks"),
    Question("Name of the run?", id="name", required=False),
], asker="Claude")
print(reply.values)
"""


def test_a8_a17_several_questions_by_mouse(bench: Lab) -> None:
    """A8, A17: one answer and one Other a question; an unanswered one is named at Submit, and nothing is copied."""
    at = bench.put(SEVERAL)
    card = bench.card(at)
    expect(card.root.get_by_role("tab")).to_have_text([re.compile(name) for name in ("Model", "Checks", "3", "Review")])
    card.choose("large")
    card.press("Next")
    assert card.question() == "Which checks?"
    expect(card.root.get_by_role("checkbox", checked=True)).to_have_count(0)
    expect(card.tab("Model")).to_contain_text("answered")
    card.tab("Review").click()
    rows = card.root.locator(".nbask-review li")
    expect(rows).to_have_text([re.compile("large"), re.compile("not answered"), re.compile("not answered")])
    card.press("Submit 1 answer")
    expect(card.errors).to_contain_text("Checks: Choose at least one option.")
    expect(card.tab("Checks")).to_have_attribute("aria-selected", "true")
    card.say_other("abc")
    card.tab("Review").click()
    expect(rows.nth(1)).to_contain_text("“abc”")
    card.press("Change the answer to Model")
    expect(card.option("large")).to_be_focused()
    card.choose("fast")
    card.press("Next")
    card.press("Next")
    card.press("Back")
    assert card.question() == "Which checks?"
    expect(card.other_field).to_have_value("abc")
    card.tab("Review").click()
    card.press("Submit 2 answers")
    bench.expect_printed(at, "{'model': 'fast', 'checks': ['abc']}")
    bench.expect_receipt(at, "not answered")


def test_a8_a17_several_questions_by_keyboard_alone(bench: Lab) -> None:
    """A8, A17: digits, Enter, the tabs' arrows and the review's links, from the cell on."""
    at = bench.put(SEVERAL)
    card = bench.card(at)
    bench.tab_into(at)
    expect(card.tab("Model")).to_be_focused()
    card.keys("ArrowRight", "End")
    expect(card.tab("Review")).to_be_focused()
    card.keys("Home", "Tab", "2")
    expect(card.option("large")).to_be_focused()
    card.keys("Enter")
    expect(card.option("Gaps")).to_be_focused()
    card.keys("Enter")
    expect(card.errors).to_contain_text("Choose at least one option.")
    card.keys("1", "2", "Enter", "=run 1", "Enter")
    expect(card.button("Submit 3 answers")).to_be_focused()
    card.keys("Shift+Tab", "Shift+Tab", "Shift+Tab")
    expect(card.button("Change the answer to Model")).to_be_focused()
    card.keys("Enter", "1")
    card.tab_to(card.button("Next"))
    card.keys("Enter", "Enter", "Enter", "Enter")
    bench.expect_printed(at, "{'model': 'fast', 'checks': ['Gaps', 'Units'], 'name': 'run 1'}")
    expect(bench.receipt(at)).to_be_focused()


# -- consent ----------------------------------------------------------------------------------------


def _consent(url: str) -> str:
    return f'reply = put(Ask(Question("Sign in?", kind="consent", url={url!r})))\nprint(reply.kind, bool(reply))'


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_b21_open_makes_a_new_tab(bench: Lab, way: str) -> None:
    """B21: the whole address is shown as text, with warnings; only the button opens it, once, in a tab of its own."""
    url = "http://user@xn--pple-43d.example/sign-in?next=a"
    at = bench.put(_consent(url))
    card = bench.card(at)
    expect(card.root.locator(".nbask-url")).to_have_text(url)
    expect(card.root.locator(".nbask-url b")).to_have_text("xn--pple-43d.example")
    expect(card.root.locator("a")).to_have_count(0)
    for words in ("leads to xn--pple-43d.example", "punycode", "not encrypted"):
        expect(card.root.locator(".nbask-warn")).to_contain_text(words)
    bench.tab_into(at)
    card.keys("1", "2")
    assert bench.outside == []
    with bench.context.expect_page() as opened:
        if way == "mouse":
            card.press("Open")
        else:
            card.tab_to(card.button("Open"))
            card.keys("Enter")
    bench.expect_printed(at, "answered True")
    assert opened.value.evaluate("window.opener") is None
    opened.value.close()
    assert len(bench.context.pages) == 1
    assert bench.outside == ["http://user@xn--pple-43d.example/sign-in?next=a"] or bench.outside == [
        "http://xn--pple-43d.example/sign-in?next=a"
    ]
    bench.outside.clear()  # it was refused, so nothing has left this machine


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,hi", "file:///etc/passwd"])
def test_b21_no_open_for_what_is_no_web_address(bench: Lab, url: str) -> None:
    """B21: it is shown, and can be declined and nothing else."""
    at = bench.put(_consent(url))
    card = bench.card(at)
    expect(card.root).to_contain_text(url)
    expect(card.button("Open")).to_have_count(0)
    expect(card.button("Accept")).to_have_count(0)
    bench.tab_into(at)
    card.keys("Enter") if card.root.locator(".nbask-url:focus").count() else None
    card.press("Decline")
    bench.expect_printed(at, "declined False")


# -- deadlines --------------------------------------------------------------------------------------


def test_a14_c22_typing_pauses_the_deadline_and_says_so(bench: Lab) -> None:
    """A14, C22: what is typed past the deadline's first moment still counts."""
    at = bench.put('print(ask("Red or blue?", ["Red", "Blue"], timeout=3))')
    card = bench.card(at)
    clock = card.root.locator(".nbask-wait")
    expect(clock).to_contain_text(re.compile(r"0:0\d left"))
    card.other_field.click()
    for letter in "abcd":
        bench.page.keyboard.type(letter)
        bench.page.wait_for_timeout(900)
    expect(clock).to_contain_text("paused")
    bench.page.keyboard.press("Enter")
    bench.expect_printed(at, "abcd")


def test_c22_the_end_of_the_time_keeps_the_draft(bench: Lab) -> None:
    """C22: a default where that is the policy, and a reply of its own kind, with what was typed, where it is not."""
    at = bench.put('print(ask("Keep it?", ["Keep", "Drop"], timeout=1.5, default="Keep", when_unanswered="default"))')
    bench.expect_printed(at, "Keep")
    bench.expect_receipt(at, re.compile("time for it ran out; the default was used: Keep"))
    at = bench.put(
        'reply = put(Ask(Question("Red or blue?", ["Red", "Blue"]), timeout=2))\n'
        'print(reply.kind, bool(reply), reply.draft["answers"]["q1"]["other"])'
    )
    card = bench.card(at)
    card.say_other("half a wo")
    bench.expect_printed(at, "timed_out False half a wo")
    bench.expect_receipt(at, "time for it ran out")


# -- long texts, other scripts, narrow windows -------------------------------------------------------


def _in_view(card: Card, words: str) -> None:
    """These words can be scrolled to, and are then in view whole and within the card's sides."""
    found = card.root.get_by_text(words).last
    found.evaluate("element => element.scrollIntoView({block: 'end'})")
    expect(found).to_be_in_viewport()
    box, around = found.bounding_box(), card.root.bounding_box()
    assert box is not None
    assert around is not None
    assert around["x"] <= box["x"]
    assert box["x"] + box["width"] <= around["x"] + around["width"] + 1


LONG = (
    'ask("q " * 300 + "LASTASKED", [Option("l " * 60 + "LASTLABEL", "d " * 450 + "LASTDESCRIBED", '
    'preview="\\n".join(f"row {n}" for n in range(60)) + "\\nLASTSHOWN"), Option("x" * 500, "y" * 500)])'
)


def test_a11_the_last_word_of_everything_is_reachable(bench: Lab) -> None:
    """A11: nothing is cut; it wraps or scrolls, and nothing sticks out of the card, in a wide window or a narrow one."""
    at = bench.put(f"try:\n    {LONG}\nexcept NoAnswer:\n    print('declined')")
    card = bench.card(at)
    for width in (1280, 640, 430):
        bench.resize(width)
        for words in ("LASTASKED", "LASTLABEL", "LASTDESCRIBED", "LASTSHOWN"):
            _in_view(card, words)
        assert card.root.evaluate("card => card.scrollWidth <= card.clientWidth"), f"it scrolls sideways at {width}"
    bench.resize(1280, 1000)
    card.press("Decline")
    bench.expect_printed(at, "declined")


def test_a24_each_text_has_its_own_direction(bench: Lab) -> None:
    """A24: right-to-left texts read from the right, in the card and in the receipt; code and addresses do not."""
    at = bench.put('print(ask("هل نستخدم pandas 2.2؟", {"نعم": "الإصدار", "לא": "no, `df`", "Both": "x"}))')
    card = bench.card(at)
    direction = "element => getComputedStyle(element).direction"
    assert card.root.locator(".nbask-q span").first.evaluate(direction) == "rtl"
    labels = card.root.locator(".nbask-opt:not(.nbask-other) .nbask-label > span")
    assert [label.evaluate(direction) for label in labels.all()] == ["rtl", "rtl", "ltr"]
    card.choose("نعم")
    card.submit()
    bench.expect_printed(at, "نعم")
    said = bench.receipt(at).locator("bdi")
    assert {one.evaluate(direction) for one in said.all()} == {"rtl", "ltr"}
