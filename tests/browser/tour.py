"""Click through a notebook that asks: run all, answer whatever cards come, say what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from card import Card
from lab import PATIENCE_MS, Lab
from playwright.sync_api import expect

TYPED = "Ada"
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
        _answer(lab.card(step.cell), step)
        expect(lab.receipt(step.cell)).to_be_visible()
        steps.append(step)
    for index in range(lab.cells.count()):
        if lab.cell(index).locator(ERRORS).count():
            raise TourError(f"Cell {index + 1} ended with an error:\n{lab.cell_output_text(index)}")
    for step in steps:
        step.returned = _said_after(lab, step.cell)
    return steps


def _answer(card: Card, step: Step) -> None:
    """Give each question of a card its first option, or a word, and submit."""
    foot = card.root.locator(".nbask-foot")
    while True:
        options = card.root.locator(".nbask-opt")
        if options.count():
            step.asked.append(card.question())
            label = options.first.locator(".nbask-label > span").first.inner_text()
            card.choose(label)
            step.clicked.append(label)
        elif card.text_field.count():
            step.asked.append(card.question())
            card.write(TYPED)
            step.clicked.append(TYPED)
        following = foot.get_by_role("button", name="Next", exact=True)
        if not following.count():
            break
        following.click()
    if not step.asked:  # a yes-or-no question: its options are the buttons
        step.asked.append(card.question())
        step.clicked.append(foot.locator(".nbask-primary").inner_text())
    foot.locator(".nbask-primary").click()


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
