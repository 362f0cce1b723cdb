"""Keys: what is typed in a card stays in it, and no key acts that was meant for something else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from kernels import pid_of, stopped
from lab import Lab
from playwright.sync_api import Locator, expect

# In JupyterLab's command mode: add a cell, delete cells, cut, move, merge, run.
TYPED = "adddx1"
CHORDS = ("Delete", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "Shift+Enter")
FORM = """print(ask_form("Go?", {
    "properties": {
        "name": {"type": "string", "title": "Name"},
        "days": {"type": "integer", "title": "Days"},
        "level": {"type": "number", "title": "Level"},
        "wind": {"type": "boolean", "title": "Wind?"},
        "checks": {"type": "array", "title": "Checks", "items": {"enum": ["lint", "types"]}},
        "mail": {"type": "string", "title": "Mail", "format": "email"},
        "page": {"type": "string", "title": "Page", "format": "uri"},
        "start": {"type": "string", "title": "Start", "format": "date"},
        "at": {"type": "string", "title": "At", "format": "date-time"},
        "tags": {"type": "array", "title": "Tags", "items": {"type": "string"}},
        "long": {"type": "string", "title": "Long", "maxLength": 500},
        "key": {"type": "string", "title": "Key", "format": "password"},
        "need": {"type": "string", "title": "Needed"},
    },
    "required": ["need"],
}))"""
WAIT = 'print(ask("Red or blue?", ["Red", "Blue"], notes=True))'


@contextmanager
def _untouched(lab: Lab) -> Iterator[None]:
    """Whatever happens within changes no cell, makes none active or edited, and runs none."""
    before = lab.state()
    yield
    assert lab.state() == before


@contextmanager
def _cell_below(lab: Lab, at: int) -> Iterator[None]:
    """There is a cell below the one that asks, which a stray Shift+Enter would go on to and run."""
    lab.page.evaluate(
        """() => {
            const notebook = window.jupyterapp.shell.currentWidget.content;
            const last = notebook.widgets.length;
            notebook.model.sharedModel.insertCell(last, {cell_type: 'code', source: 'ran = True'});
        }"""
    )
    yield
    assert lab.prompt(at + 1).strip() == "[ ]:"


def _type_everything(lab: Lab, field: Locator) -> None:
    field.focus()
    with _untouched(lab):
        lab.page.keyboard.type(TYPED)
        for chord in CHORDS:
            lab.page.keyboard.press(chord)
        assert field.page.evaluate("document.activeElement.closest('.nbask') !== null")


def test_keys_in_every_field_of_a_form_reach_no_cell(bench: Lab) -> None:
    """Ctrl+Enter in any of them submits the card and not the cell; here it is refused, for want of an answer."""
    at = bench.put(FORM)
    card = bench.card(at)
    fields = card.root.locator(".nbask-field input, .nbask-field textarea").all()
    assert len(fields) == 15
    with _cell_below(bench, at), _untouched(bench):
        for field in fields:
            if field.get_attribute("type") in ("radio", "checkbox"):
                field.focus()
                for key in (*TYPED, "Delete", "Shift+Enter"):
                    bench.page.keyboard.press(key)
            else:
                _type_everything(bench, field)
            field.focus()
            bench.page.keyboard.press("Control+Enter")
            expect(card.errors.last).to_be_visible()
    card.press("Decline")
    expect(bench.receipt(at)).to_be_visible()


@pytest.mark.parametrize("code", ['print(ask_text("Name?"))', 'print(ask_text("Name?", multiline=True))'])
def test_keys_in_a_text_card_reach_no_cell(bench: Lab, code: str) -> None:
    at = bench.put(code)
    card = bench.card(at)
    with _cell_below(bench, at):
        _type_everything(bench, card.text_field)
        assert TYPED in card.text_field.input_value()
        bench.page.keyboard.press("Control+Enter")
        expect(bench.receipt(at)).to_contain_text(TYPED)
        expect(bench.receipt(at)).to_be_focused()


def test_keys_in_other_notes_filter_and_discuss_reach_no_cell(bench: Lab) -> None:
    """A26: Esc leaves a field only, and what was typed stays; words to discuss are never a consent."""
    at = bench.put(
        'reply = put(Ask(Question("Which?", [f"S{n}" for n in range(15)], notes=True)))\nprint(reply.kind, reply.text)'
    )
    card = bench.card(at)
    with _cell_below(bench, at):
        for field in (card.other_field, card.notes_field, card.filter_field):
            _type_everything(bench, field)
            expect(field).to_have_value(TYPED)
        for field in (card.other_field, card.notes_field):
            field.focus()
            bench.page.keyboard.press("Escape")
            expect(field).not_to_be_focused()
            expect(field).to_have_value(TYPED)
            expect(card.root.locator(":focus").or_(card.root.and_(bench.page.locator(":focus")))).to_have_count(1)
        with _untouched(bench):
            card.press("Discuss first")
            expect(card.discuss_field).to_be_focused()
            bench.page.keyboard.type("wait, explain first")
            bench.page.keyboard.press("Escape")
            expect(card.discuss_field).to_have_value("wait, explain first")
            card.discuss_field.focus()
            bench.page.keyboard.press("Shift+Enter")
            _type_everything(bench, card.discuss_field)
        bench.page.keyboard.press("Control+Enter")
        expect(bench.printed(at)).to_contain_text("discussed wait, explain first")


def test_keys_on_buttons_and_tabs_reach_no_cell(bench: Lab) -> None:
    """What is no field takes keys too: its own, and lets none through."""
    at = bench.put('print(put(Ask([Question("One?"), Question("Two?", ["a", "b"])])).kind)')
    card = bench.card(at)
    with _cell_below(bench, at), _untouched(bench):
        for target in (card.button("Cancel"), card.tab("Question 1"), card.button("Decline")):
            target.focus()
            for key in (*"adddxmy", "Delete", "ArrowUp", "ArrowDown", "Shift+M"):
                bench.page.keyboard.press(key)
    card.press("Decline")
    bench.expect_printed(at, "declined")


def test_no_key_acts_without_focus_in_the_card(bench: Lab) -> None:
    """Digits, Enter and Esc in another cell are that cell's."""
    at = bench.put(WAIT)
    card = bench.card(at)
    with _cell_below(bench, at):
        bench.cell(at + 1).locator(".cm-content").click()
        for key in ("2", "Enter", "Escape", "?", "ArrowDown"):
            bench.page.keyboard.press(key)
        expect(card.root.get_by_role("radio", checked=True)).to_have_count(0)
        expect(card.root).to_be_visible()
        assert "2" in bench.sources()[at + 1]
    card.press("Decline")
    expect(bench.receipt(at)).to_be_visible()


EARLY = """() => {
    window.early = {};
    const watch = new MutationObserver(() => {
        const card = document.querySelector('.nbask .nbask-foot')?.closest('.nbask');
        if (!card) return;
        watch.disconnect();
        const radio = card.querySelector('input[type=radio]');
        const press = key => document.activeElement.dispatchEvent(
            new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
        window.early.focused = card.contains(document.activeElement);
        radio.focus();
        for (const key of ['2', 'Enter', 'Escape']) press(key);
        for (const button of card.querySelectorAll('.nbask-primary, .nbask-quiet, .nbask-x')) button.click();
        window.early.done = true;
    });
    watch.observe(document.body, {childList: true, subtree: true});
}"""


def test_no_key_or_press_acts_within_300_ms_of_the_cards_appearing(bench: Lab) -> None:
    """Not even with the focus in the card; and a key that is held down since before never does."""
    bench.page.evaluate(EARLY)
    sent = len(bench.sent)
    at = bench.put(WAIT)
    card = bench.card(at)
    assert bench.page.evaluate("window.early") == {"focused": False, "done": True}
    assert not any('"action"' in frame for frame in bench.sent[sent:])
    expect(card.root.locator("[role=alertdialog]")).to_have_count(0)
    expect(card.errors).to_have_count(0)
    expect(card.root.get_by_role("radio", checked=True)).to_have_count(0)
    keyboard = bench.page.keyboard
    with _cell_below(bench, at):
        bench.cell(at + 1).locator(".cm-content").click()
        keyboard.down("2")
        card.option("Red").focus()
        keyboard.down("2")  # a repeat, as of a key held
        keyboard.up("2")
    expect(card.root.get_by_role("radio", checked=True)).to_have_count(0)
    keyboard.press("2")
    bench.expect_printed(at, "Blue")


def _kind(code: str = '["Red", "Blue"], notes=True') -> str:
    return f'reply = put(Ask(Question("Which?", {code})))\nprint(reply.kind)'


def test_b17_escape_and_x_cancel_and_decline_declines(bench: Lab) -> None:
    """B17: each is its own ending, and none is an answer."""
    for press, kind in (("Escape", "cancelled"), ("Cancel", "cancelled"), ("Decline", "declined")):
        at = bench.put(_kind())
        card = bench.card(at)
        if press == "Escape":
            card.option("Red").focus()
            bench.page.keyboard.press(press)
        else:
            card.press(press)
        bench.expect_printed(at, kind)


def test_escape_asks_before_it_loses_what_was_typed(bench: Lab) -> None:
    """Esc, then the safe button; Esc again steps back; only the other button cancels."""
    at = bench.put(_kind())
    card = bench.card(at)
    card.note("typed")
    card.keys("Escape", "Escape")
    asked = card.root.get_by_role("alertdialog")
    expect(asked).to_contain_text("Cancel and lose what you typed?")
    expect(card.button("Keep answering")).to_be_focused()
    card.keys("Escape")
    expect(asked).to_have_count(0)
    expect(card.notes_field).to_have_value("typed")
    expect(card.root.locator(":focus")).to_have_count(1)
    card.keys("Escape", "Enter")
    expect(asked).to_have_count(0)
    card.press("Cancel")
    card.press("Cancel the question")
    bench.expect_printed(at, "cancelled")


def _replies(frames: list[str]) -> list[str]:
    return [frame for frame in frames if '"action"' in frame]


def test_b17_a_second_click_while_it_is_sent_is_ignored(bench: Lab) -> None:
    """B17: one reply goes out, whatever is pressed until the kernel has spoken; the card shows what was sent."""
    pid = pid_of(bench)
    at = bench.put(_kind())
    card = bench.card(at)
    card.choose("Red")
    bench.sent.clear()
    with stopped(pid):
        card.submit()
        expect(card.root.get_by_role("status").filter(has_text="Sending…")).to_be_visible()
        for name in ("Submit", "Decline", "Discuss first", "Cancel"):
            expect(card.button(name)).to_have_attribute("aria-disabled", "true")
            card.button(name).click(force=True)
        card.root.locator(".nbask-opt", has_text="Blue").click(force=True)
        expect(card.option("Red")).to_be_checked()
        card.keys("2", "Enter", "Escape")
        card.notes_field.focus()
        bench.page.keyboard.type("late")
        expect(card.notes_field).to_have_value("")
    bench.expect_printed(at, "answered")
    bench.expect_receipt(at, "Red")
    assert len(_replies(bench.sent)) == 1
