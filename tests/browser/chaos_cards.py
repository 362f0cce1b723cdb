"""What is done to the cards of a chaos run: they are answered, refused, and typed into."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from chaos_account import Asked
from chaos_notebook import ANY_TIME, NAMES, OPTIONS, WORDS, Field, fields_of
from chaos_page import Tab
from chaos_world import Fault, World
from playwright.sync_api import Browser
from playwright.sync_api import Error as PlaywrightError
from server import LabServer


class Cards(World):
    """A world with somebody who does to its cards what dice say.

    Args:
        server: A server that has the kernel.
        browser: Where tabs are opened.
        kernel: The kernel's name.
        seed: What the dice follow from.
    """

    def __init__(self, server: LabServer, browser: Browser, kernel: str, seed: int) -> None:
        super().__init__(server, browser, kernel)
        self._dice = Random(seed)
        self._words = 0

    def _pick(self, only: Tab | None = None) -> tuple[Asked, Tab, int, str] | None:
        """A question, the tab and which of its places there, and that in words."""
        shown = [(tab, tab.views()) for tab in self.tabs if only in (None, tab)]
        found = [
            (one, tab, place, f"in {tab.name}, {'the inbox' if view.inbox else NAMES[view.cell]}")
            for one in self.account.open
            for tab, views in shown
            for place, view in enumerate(view for view in views if view.tag == one.tag)
        ]
        return self._dice.choice(found) if found else None

    def _answer(self, only: Tab | None = None) -> str | None:
        if (found := self._pick(only)) is None:
            return None
        one, tab, place, where = found
        how = self._dice.choice(("mouse", "keyboard", "other"))
        said = self._give(one, tab, place, how)
        self._answered(one, said)
        return f"answer {one.tag} {where}, by {how}: {said!r}"

    def _give(self, one: Asked, tab: Tab, place: int, how: str) -> Any:
        """Answer a card; returns what its asker has to get."""
        self._may_end.setdefault(one.tag, set()).add("answered")
        words, label = self._new_words(), self._dice.choice(OPTIONS)
        typed = one.run.cell in ("text", "form")

        def act() -> None:
            card = tab.live_card(one.tag, place)
            if typed:
                field = tab.field(card, WORDS)
                field.fill(words)
                if how == "keyboard":
                    field.press("Enter")
                    return
            elif how == "keyboard":
                card.root.locator(".nbask-opt input").first.focus()
                card.keys(str(1 + OPTIONS.index(label)))
                return
            elif how == "other":
                card.say_other(words)
            else:
                card.choose(label)
            card.root.locator(".nbask-foot .nbask-primary").click()

        self._on_card(one, act)
        if one.run.cell == "form":
            return {"name": words, "size": "small"}
        return words if typed or how == "other" else label

    def _answered(self, one: Asked, said: Any) -> None:
        """Wait until a question that was answered has ended so."""
        self.until(lambda: one.ended is not None, f"the answer to {one.tag} counts")
        if one.ended is None or one.ended["kind"] != "answered":
            return  # whether it may end otherwise is asked of every question
        if one.ended["value"] != said:
            raise Fault(f"{one.tag} was answered with {said!r}, and the kernel has {one.ended['value']!r}")
        notes = [words for field, words in self._typed.get(one.tag, {}).items() if field.name == "note"]
        if one.ended["notes"] != notes:
            raise Fault(f"{one.tag} was answered with the notes {notes}, and the kernel has {one.ended['notes']}")

    def _type(self, only: Tab | None = None) -> str | None:
        if (found := self._pick(only)) is None:
            return None
        one, tab, place, where = found
        field, words = self._dice.choice(fields_of(one.run.cell)), self._new_words()
        self._on_card(one, lambda: self._write(one, tab, place, field, words))
        return f"type {words!r} as {field.name} of {one.tag} {where}"

    def _write(self, one: Asked, tab: Tab, place: int, field: Field, words: str) -> None:
        tab.field(tab.live_card(one.tag, place), field).fill(words)
        self._typed.setdefault(one.tag, {})[field] = words

    def _refuse(self) -> str | None:
        if (found := self._pick()) is None:
            return None
        one, tab, place, where = found
        kind = self._dice.choice(("declined", "discussed"))
        self._may_end.setdefault(one.tag, set()).add(kind)

        def act() -> None:
            card = tab.live_card(one.tag, place)
            if kind == "declined":
                card.press("Decline")
            else:
                card.discuss(self._new_words())

        self._on_card(one, act)
        self.until(lambda: one.ended is not None, f"{one.tag} is {kind}")
        return f"{one.tag} is {kind} {where}"

    def _on_card(self, one: Asked, act: Callable[[], None]) -> None:
        """Do something with a card, which may end under one's hands where it has a deadline."""
        try:
            act()
        except (PlaywrightError, AssertionError):
            self.look()
            if one.ended is None or one.ended["kind"] not in ANY_TIME.get(one.run.cell, set()):
                raise

    def _new_words(self) -> str:
        self._words += 1
        return f"words {self._words}."
