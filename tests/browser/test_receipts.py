"""Receipts in nbconvert's HTML, with JavaScript off."""

from __future__ import annotations

import json
from itertools import cycle
from pathlib import Path

import nbformat
from card import Card
from gallery import open_gallery
from lab import Lab
from nbconvert import HTMLExporter
from playwright.sync_api import Browser, expect
from tour import answer

ENDINGS = ("answer", "answer", "decline", "answer", "discuss", "answer", "cancel")


def _end(lab: Lab, card: Card, ending: str) -> list[str]:
    """End it one way or another; returns what its receipt must say."""
    if ending == "discuss":
        card.discuss("What does the first one cost?")
        return ["The person wants to discuss it first: What does the first one cost?"]
    if ending == "cancel":
        card.press("Cancel")
        return ["The person dismissed the question"]
    if ending == "decline" or card.button("Open").count():
        card.press("Decline")
        return ["The person declined to answer"]
    _asked, given = answer(card)
    return [words for words in given if words not in ("", "(nothing)")]


def test_receipts_read_well_without_javascript(lab: Lab, browser: Browser, tmp_path: Path) -> None:
    """A card of every kind, ended in every way, saved and converted: the receipt's words are all there to be seen."""
    indexes = open_gallery(lab)
    said: dict[int, list[str]] = {}
    for index, ending in zip(indexes, cycle(ENDINGS)):
        card = Card(lab.cell(index).locator(".nbask"))
        secret = card.root.locator("input[type=password]").count() > 0
        asked = card.root.locator(".nbask-q").first.inner_text().removesuffix(" optional")
        alone = card.root.locator(".nbask-field").count() == 1 and not card.root.get_by_role("tab").count()
        said[index] = _end(lab, card, "answer" if secret else ending)
        if secret:
            said[index] = ["••••••"]
        if alone:
            said[index].append(asked)
        expect(lab.receipt(index)).to_be_visible()
    notebook = lab.saved()
    html, _ = HTMLExporter().from_notebook_node(nbformat.reads(json.dumps(notebook), as_version=4))
    page = tmp_path / "gallery.html"
    page.write_text(html)

    context = browser.new_context(java_script_enabled=False, offline=True)
    try:
        reader = context.new_page()
        reader.goto(page.as_uri())
        cells = reader.locator(".jp-Cell")
        receipts = reader.locator(".nbask-receipt")
        expect(receipts).to_have_count(len(said))
        for index, texts in said.items():
            receipt = cells.nth(index).locator(".nbask-receipt")
            expect(receipt).to_be_visible()
            read = " ".join(receipt.inner_text().split())
            for text in texts:
                assert " ".join(text.split()) in read, f"{text!r} is not in the receipt {read!r}"
            assert "via card" in read
            folded = receipt.locator("summary")
            if folded.count():
                folded.first.click()
                expect(receipt.locator("details > :not(summary)").first).to_be_visible()
        expect(reader.locator(".nbask")).to_have_count(0)
    finally:
        context.close()
