"""Click through a notebook that asks: run all, answer whatever cards come, say what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from card import Card
from lab import PATIENCE_MS, Lab
from playwright.sync_api import Locator, expect

VALUES = {
    "input[type=date]": "2026-03-01",
    "input[type=datetime-local]": "2026-03-01T14:30",
    "input[inputmode=numeric]": "3",
    "input[inputmode=decimal]": "2.5",
    "input[inputmode=email]": "ann@example.org",
    "input[inputmode=url]": "https://example.org/",
    "textarea": "one\ntwo",
    "input": "Ada",
}
"""What is typed into which field, tried in this order."""
ERRORS = '.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.error"]'

# The first cell with a card that can be answered; "idle" when none has one and nothing runs any more.
NEXT = """() => {
    const cells = [...document.querySelectorAll('.jp-Notebook .jp-Cell')];
    const open = cells.findIndex(cell => cell.querySelector('.nbask .nbask-foot'));
    if (open >= 0) return String(open);
    const busy = cells.some(cell => cell.querySelector('.jp-InputPrompt')?.textContent.includes('[*]'));
    const session = window.jupyterapp.shell.currentWidget.sessionContext.session;
    return session?.kernel?.status === 'idle' && !busy ? 'idle' : null;
}"""


class TourError(AssertionError):
    """A notebook did not do what it promises; the message is one sentence and what the cell says."""


@dataclass
class Step:
    """One card: under which cell, what it asked, what was clicked or typed, what the cells then said."""

    cell: int
    asked: list[str] = field(default_factory=list)
    clicked: list[str] = field(default_factory=list)
    returned: str = ""


def click_through(lab: Lab) -> list[Step]:
    """Run all cells of the open notebook, and answer every card with its first option.

    Raises:
        TourError: A cell ended with an error.
    """
    # A kernel that is idle before Run All has reached it would read as "all done".
    steps: list[Step] = []
    lab.run_all()
    lab.page.wait_for_function(
        "[...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')].some(p => !p.textContent.includes('[ ]'))"
    )
    while (found := lab.page.wait_for_function(NEXT, timeout=PATIENCE_MS).json_value()) != "idle":
        step = Step(int(found))
        # An agent may ask several things at once: the first that is open is as good as any.
        card = Card(lab.cell(step.cell).locator(".nbask:has(.nbask-foot)").first)
        step.asked, step.clicked = answer(card.wait())
        earlier = sum(one.cell == step.cell for one in steps)  # an agent asks again and again in its cell
        expect(lab.receipt(step.cell)).to_have_count(earlier + 1)
        expect(lab.receipt(step.cell).last).to_be_visible()
        steps.append(step)
    for index in range(lab.cells.count()):
        if lab.cell(index).locator(ERRORS).count():
            raise TourError(f"Cell {index + 1} ended with an error:\n{lab.cell_output_text(index)}")
    for step in steps:
        step.returned = _said_after(lab, step.cell)
    return steps


def answer(card: Card) -> tuple[list[str], list[str]]:
    """Give each question its first option, or a value that its field takes, and submit.

    Returns:
        What was asked, and what was clicked or typed for it.
    """
    asked: list[str] = []
    given: list[str] = []
    foot = card.root.locator(".nbask-foot")
    while True:
        for block in card.root.locator(".nbask-field").all():
            asked.append(block.locator(".nbask-q").first.inner_text())
            given.append(fill(block))
        following = foot.get_by_role("button", name="Next", exact=True)
        if not following.count():
            break
        following.click()
    button = foot.locator(".nbask-primary, .nbask-safe").first
    given = [one or button.inner_text() for one in given]  # a yes or no is answered by its button
    button.click()
    return asked, given


def fill(field: Locator) -> str:
    """Answer one question: its first option, or a required field; empty where there is nothing to do."""
    options = field.locator(".nbask-opt")
    if options.count():
        label = options.first.locator(".nbask-label > span").first.inner_text()
        options.first.click()
        return label
    for kind, value in VALUES.items():
        found = field.locator(f"{kind}.nbask-in:not(.nbask-notes)")
        if found.count():
            if found.first.get_attribute("aria-required") == "true":
                found.first.fill(value)
            return found.first.input_value() or "(nothing)"
    return ""


def _said_after(lab: Lab, cell: int) -> str:
    """What the asking cell printed, and the next cell that says anything."""
    said = [lab.printed(cell).all_inner_texts()]
    for index in range(cell + 1, lab.cells.count()):
        if lab.card_or_receipt(index):
            break
        if text := lab.cell_output_text(index).strip():
            said.append([text])
            break
    return "\n".join(text.strip() for texts in said for text in texts if text.strip())
