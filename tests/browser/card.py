"""A card as a person uses it: by what it says and by what can be clicked."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Locator, expect

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

    def question(self) -> str:
        """The words of the question in view."""
        return self.root.locator(".nbask-q").first.inner_text()

    def option(self, label: str) -> Locator:
        """The radio or checkbox of an option."""
        return self.root.get_by_role("radio", name=label).or_(self.root.get_by_role("checkbox", name=label))

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
        self.root.locator(".nbask-notes").fill(text)

    @property
    def text_field(self) -> Locator:
        """The field of a text question."""
        return self.root.locator(".nbask-field .nbask-in")

    def write(self, text: str) -> None:
        """Answer a text question."""
        self.text_field.fill(text)

    def press(self, name: str) -> None:
        """Press the button of that name."""
        self.root.get_by_role("button", name=name, exact=True).click()

    def submit(self) -> None:
        self.root.get_by_role("button", name="Submit").click()
