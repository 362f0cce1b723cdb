"""A person's answers into a file, each as soon as it is given."""

from __future__ import annotations

import threading
from pathlib import Path

from nbask.record.answers import Writer, is_gone, key_of
from nbask.record.entries import Entry


class Recorder:
    """Adds entries to one answers file. What cannot be written now is kept, and written with the next entry.

    Args:
        path: The file; made where there is none.

    Raises:
        AnswersFault: It is broken, or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._given: dict[tuple[str, int], Entry] = {}
        self._unwritten: dict[tuple[str, int], Entry] = {}
        self._file = Writer(path)
        self.there = self._file.merge([])
        """How many entries the file has."""

    def add(self, entry: Entry) -> None:
        """Record one entry.

        Raises:
            AnswersFault: It cannot be written now; it is not lost.
        """
        with self._lock:
            self._given[key_of(entry)] = self._unwritten[key_of(entry)] = entry
            self._flush()

    def finish(self) -> None:
        """Write what could not be written before.

        Raises:
            AnswersFault: It still cannot.
        """
        with self._lock:
            if self._unwritten:
                self._flush()

    def _flush(self) -> None:
        # A file that was deleted comes back whole; one that is there may have been edited, and keeps its edits.
        entries = self._given if is_gone(self.path) else self._unwritten
        self.there = self._file.merge(entries.values())
        self._unwritten.clear()
