"""A card as a person uses it: by what it says and by what can be clicked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from playwright.sync_api import Keyboard, Locator, expect

# A card ignores keys and presses that come sooner after its appearing: they were meant for something else.
# It tells nobody when that time is over, so this is the one wait here that is for time.
SETTLE_MS = 300


@dataclass(frozen=True)
class Card:
    """The card that `root` finds."""

    root: Locator

    def wait(self) -> Card:
        """Wait until it is drawn and can be answered."""
        expect(self.root).to_be_visible()
        expect(self.root.locator(".nbask-foot")).to_be_visible()
        self.root.page.wait_for_timeout(SETTLE_MS + 50)
        return self

    @property
    def keyboard(self) -> Keyboard:
        return self.root.page.keyboard

    # -- what it shows ------------------------------------------------------------------------------

    def question(self) -> str:
        """The words of the question in view."""
        return self.root.locator(".nbask-q").first.inner_text()

    def option(self, label: str) -> Locator:
        """The radio or checkbox of an option."""
        return self.root.get_by_role("radio", name=label).or_(self.root.get_by_role("checkbox", name=label))

    def button(self, name: str) -> Locator:
        return self.root.get_by_role("button", name=name, exact=True)

    def tab(self, name: str) -> Locator:
        return self.root.get_by_role("tab", name=name)

    def field(self, question: str) -> Locator:
        """The field of a question that is answered by typing, in a form or alone."""
        block = self.root.locator(".nbask-field").filter(has=self.root.page.get_by_text(question, exact=True))
        return block.locator(".nbask-in:not(.nbask-notes)")

    def group(self, question: str) -> Locator:
        """The radios or checkboxes of a question in a form."""
        return self.root.get_by_role("group", name=re.compile(rf"^{re.escape(question)}( optional)?$"))

    @property
    def text_field(self) -> Locator:
        """The field of a text question."""
        return self.root.locator(".nbask-field .nbask-in").first

    @property
    def other_field(self) -> Locator:
        return self.root.locator(".nbask-other .nbask-in")

    @property
    def notes_field(self) -> Locator:
        return self.root.locator(".nbask-notes")

    @property
    def filter_field(self) -> Locator:
        return self.root.get_by_role("textbox", name=re.compile("^Filter"))

    @property
    def discuss_field(self) -> Locator:
        return self.root.locator(".nbask-ask textarea")

    @property
    def pane(self) -> Locator:
        """The preview of the option looked at."""
        return self.root.locator(".nbask-pane:not(.nbask-off)")

    @property
    def errors(self) -> Locator:
        """What is wrong, in words, where it is said."""
        return self.root.locator(".nbask-error:visible")

    def expect_error(self, question: str, words: str | re.Pattern[str]) -> None:
        """Wait until the field says so itself, in words that are tied to it."""
        field = self.field(question)
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(words if isinstance(words, re.Pattern) else _containing(words))

    # -- what is done with the mouse ----------------------------------------------------------------

    def choose(self, *labels: str) -> None:
        """Click these options' rows."""
        for label in labels:
            self.root.locator(".nbask-opt", has_text=label).first.click()
            expect(self.option(label)).to_be_checked()

    def say_other(self, text: str) -> None:
        """Type an answer of one's own into the Other row."""
        self.root.get_by_role("textbox", name="Other").fill(text)

    def note(self, text: str) -> None:
        """Type a note to the asker."""
        self.notes_field.fill(text)

    def write(self, text: str) -> None:
        """Answer a text question."""
        self.text_field.fill(text)

    def press(self, name: str) -> None:
        """Press the button of that name."""
        self.button(name).click()

    def submit(self) -> None:
        self.root.get_by_role("button", name="Submit").click()

    def discuss(self, text: str) -> None:
        """Say something before answering."""
        self.press("Discuss first")
        self.discuss_field.fill(text)
        self.press("Send")

    # -- what is done with the keyboard -------------------------------------------------------------

    def tab_to(self, target: Locator) -> None:
        """Press Tab until this has the focus; what comes before it is passed and not used."""
        for _ in range(60):
            if target.evaluate("element => element === document.activeElement"):
                return
            self.keyboard.press("Tab")
            assert self.root.locator(":focus").count(), "Tab left the card before it got there"
        raise AssertionError("Tab does not lead there")

    def keys(self, *keys: str) -> None:
        """Press these keys, one after the other; what starts with `=` is typed."""
        for key in keys:
            if key.startswith("="):
                self.keyboard.type(key[1:])
            else:
                self.keyboard.press(key)


def _containing(words: str) -> re.Pattern[str]:
    return re.compile(re.escape(words))
