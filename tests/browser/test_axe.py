"""axe-core finds nothing: in every kind of card and receipt, in every state, light and dark."""

from __future__ import annotations

from axe import look
from card import Card
from gallery import open_gallery
from kernels import pid_of, stopped
from lab import Lab
from playwright.sync_api import Locator, expect
from tour import fill

HEIGHT = 12_000
"""Pixels in which the whole gallery is in view: axe looks at nothing else."""


def _look(lab: Lab, within: str, fewest: int) -> list[str]:
    found: list[str] = []
    for dark in (False, True):
        lab.set_theme(dark=dark)
        lab.page.locator(".jp-WindowedPanel-outer").evaluate("notebook => { notebook.scrollTop = 0; }")
        found += [f"{'dark' if dark else 'light'}: {one}" for one in look(lab, within, fewest)]
    return found


def _unfold(lab: Lab) -> None:
    lab.page.set_viewport_size({"width": 1280, "height": HEIGHT})
    lab.page.wait_for_function(
        "height => document.querySelector('.jp-WindowedPanel-outer').clientHeight > height", arg=HEIGHT - 1000
    )


def _open(lab: Lab) -> list[Locator]:
    return lab.page.locator(".jp-OutputArea-output .nbask:not(.nbask-over)").all()


def _press_where_there_is(lab: Lab, name: str) -> None:
    """Press the button of that name in each card; not with the mouse, as what matters here is what is shown then."""
    lab.page.evaluate(
        """name => {
            for (const button of document.querySelectorAll('.jp-OutputArea-output .nbask button')) {
                if ((button.ariaLabel ?? button.textContent) === name) button.click();
            }
        }""",
        name,
    )


def _card_asking(lab: Lab, question: str) -> Card:
    return Card(lab.page.locator(".jp-OutputArea-output .nbask", has_text=question))


def test_axe_finds_nothing_in_the_gallery(lab: Lab) -> None:
    """One look at all cards for each state: fresh, wrong, filled, discussed, left, sent, and as receipts."""
    open_gallery(lab)
    pid = pid_of(lab)
    _unfold(lab)
    found: dict[str, list[str]] = {"fresh": _look(lab, ".nbask", 350)}

    # Wrong: nothing where something is needed, too many, half an answer, what only the kernel refuses.
    form = _card_asking(lab, "Which station should the forecast use?")
    form.field("Station name").fill("Cap Ferret")
    form.group("Include wind?").locator(".nbask-opt").first.click()
    form.group("Sensors").locator(".nbask-opt").first.click()
    form.field("Code").fill("äb-12")
    many = _card_asking(lab, "Which checks should run?")
    for row in many.root.locator(".nbask-opt").all()[:4]:
        row.click()
    _press_where_there_is(lab, "Submit")
    form.press("Send to weather-server")
    expect(form.errors).to_have_count(1)
    several = Card(lab.page.locator(".nbask").filter(has=lab.page.get_by_role("tablist")))
    several.press("Next")
    assert lab.page.locator(".nbask-error:visible").count() >= 8
    found["wrong"] = _look(lab, ".nbask", 350)

    # Filled in, with the list of keys and the filter in use, the review in view.
    for card in _open(lab):
        for block in card.locator(".nbask-field").all():
            fill(block)
    form.field("Code").fill("ab-12")
    form.group("Sensors").locator(".nbask-opt").first.click()
    several.press("Next")
    several.choose("Gaps")
    several.tab("Review").click()
    _card_asking(lab, "Which station?").filter_field.fill("2")
    _press_where_there_is(lab, "? keys")
    found["filled"] = _look(lab, ".nbask", 400)

    _press_where_there_is(lab, "? keys")
    _press_where_there_is(lab, "Discuss first")
    found["discuss"] = _look(lab, ".nbask-ask", 40)
    _press_where_there_is(lab, "Back")
    several.tab("Review").click()

    _press_where_there_is(lab, "Cancel")
    leaving = lab.page.get_by_role("alertdialog")
    assert leaving.count() >= 10
    found["leave"] = _look(lab, ".nbask-leave", 20)
    _press_where_there_is(lab, "Keep answering")

    several.tab("Review").click()
    with stopped(pid):
        for card in _open(lab):
            opens = card.get_by_role("button", name="Open", exact=True).count() > 0
            card.locator(".nbask-quiet" if opens else ".nbask-primary, .nbask-safe").first.click()
        found["sent"] = _look(lab, ".nbask", 150)
    expect(lab.page.locator(".jp-OutputArea-output .nbask")).to_have_count(0)
    for folded in lab.page.locator(".nbask-receipt summary").all():
        folded.click()
    found["receipts"] = _look(lab, ".nbask-receipt", 80)
    faults = [f"{state}, {fault}" for state, found_then in found.items() for fault in found_then]
    assert not faults, "\n".join(faults)
