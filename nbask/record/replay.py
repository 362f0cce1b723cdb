"""Answers from a file, in place of a person's."""

from __future__ import annotations

from pathlib import Path

from nbask.questions import Ask
from nbask.record.answers import key_of, read
from nbask.record.entries import NotReplayed, reply_of
from nbask.replies import Reply


class Replay:
    """The replies of one answers file, as it was when this was made.

    Args:
        path: The file.

    Raises:
        AnswersFault: It cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._entries = {key_of(entry): entry for entry in read(path)}

    def __len__(self) -> int:
        return len(self._entries)

    def reply(self, ask: Ask, mark: str, number: int) -> Reply:
        """The recorded reply to an ask.

        Args:
            ask: What is asked.
            mark: Its fingerprint.
            number: Which of the times it is asked this is.

        Raises:
            NotReplayed: There is none, or none that fits; the message names the file.
        """
        entry = self._entries.get((mark, number))
        try:
            if entry is None:
                again = f" (asked {number} times)" if (mark, 1) in self._entries else ""
                raise NotReplayed(f"has no answer to it{again}", fault=False)
            return reply_of(ask, entry)
        except NotReplayed as missing:
            raise NotReplayed(f"{self.path.name} {missing}", missing.fault) from None
