"""Desktop notifications of real Chromium's; the rest of what is known of them is in `js/test/alive.test.ts`."""

from __future__ import annotations

from typing import Any

from lab import SETUP, Lab
from playwright.sync_api import Browser, expect

# Playwright has every page take itself for the one in front, so that none is ever hidden: that alone is told here.
# The notifications are the browser's own, which says of each that it is shown, and that it is gone.
WATCH = """
    window.told = [];
    window.Notification = class extends Notification {
        constructor(title, options) {
            super(title, options);
            const heard = {title, body: this.body, tag: this.tag, events: []};
            window.told.push(heard);
            for (const type of ["show", "close", "error"]) this.addEventListener(type, () => heard.events.push(type));
        }
    };
    Object.defineProperty(document, "hidden", {get: () => window.away === true});
"""
ASK = 'print("got", ask("Which DB?", ["Postgres", "SQLite"], asker="Claude"))'


def told(lab: Lab, events: list[str]) -> list[dict[str, Any]]:
    """Wait until the last notification has gone through these events; returns all of them."""
    lab.page.wait_for_function("events => String(window.told.at(-1)?.events) === String(events)", arg=events)
    return lab.page.evaluate("window.told")


def test_a_question_in_a_page_that_nobody_looks_at_is_a_notification_until_it_is_answered(
    lab: Lab, browser: Browser
) -> None:
    """Once for all views of it in the page; and none where the page is looked at."""
    lab.context.grant_permissions(["notifications"], origin=lab.server.url)
    lab.context.add_init_script(WATCH)
    lab.open_cells(SETUP, "%config NbAsk.notify = True\n%nbask inbox", ASK, ASK)
    lab.run_cell(0)
    lab.run_cell(1)
    lab.run_cell(2)
    card = lab.card(2)
    assert lab.page.evaluate("[Notification.permission, window.told]") == ["granted", []]
    card.choose("SQLite")
    card.submit()
    lab.expect_printed(2, "got SQLite")
    lab.page.evaluate("window.away = true")
    lab.run_cell(3)
    expect(lab.cell(1).locator(".nbask-inbox .nbask")).to_be_visible()
    lab.card(3)
    shown = told(lab, ["show"])
    assert {(one["title"], one["body"]) for one in shown} == {("Claude", "Which DB?")}
    assert len({one["tag"] for one in shown}) == 1
    lab.saved()
    elsewhere = Lab(lab.server, browser)
    try:
        elsewhere.page.goto(elsewhere.address(lab.notebook))
        elsewhere.wait_open()
        there = elsewhere.card(3)
        there.choose("Postgres")
        there.submit()
        told(lab, ["show", "close"])
    finally:
        elsewhere.close()
    lab.expect_printed(3, "got Postgres")
