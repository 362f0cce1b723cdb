"""What one runtime replays from and records to, and how its asks are counted."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass
from pathlib import Path

from nbask.desk import Pending
from nbask.questions import Ask
from nbask.record.answers import AnswersFault, placed
from nbask.record.entries import VIA, NotReplayed, entry_of, is_kept
from nbask.record.fingerprint import Occurrences, fingerprint
from nbask.record.recorder import Recorder
from nbask.record.replay import Replay
from nbask.replies import Cancelled, Reply, Withdrawn
from nbask.text import one_line

log = logging.getLogger("nbask")

VARIABLE = "NBASK_ANSWERS"


@dataclass
class _Time:
    """One time a question is asked: its fingerprint, its number, and why it was not answered from the file."""

    mark: str
    number: int
    why_not: str = ""


class Record:
    """Replays from one file and records to one, the same or another: with the same, only what is new is asked.

    What goes wrong is said in the log, which a notebook shows in the cell, and the run goes on: an answer
    always reaches its asker, and a question without a usable answer is asked.

    Args:
        announced: A file to replay from the first ask on, as `NBASK_ANSWERS` has it. Where it cannot be read,
            the first ask says so, and questions are put as if there were none.
    """

    def __init__(self, announced: str | None = None) -> None:
        self._lock = threading.Lock()
        self._replay: Replay | None = None
        self._recorder: Recorder | None = None
        self._occurrences = Occurrences()
        self._times: dict[str, _Time] = {}
        self._fault = ""
        self._fault_said = False
        if announced:
            try:
                self._replay = Replay(placed(announced))
            except AnswersFault as fault:
                self._fault = f"{VARIABLE} is of no use: {fault}"

    def decide(self, ask: Ask) -> Reply | None:
        """The recorded reply to an ask, or None; a decider of the runtime, and told of every ask but scripted ones."""
        if self._replay is None and self._recorder is None and not self._fault:
            return None
        time = self._begun(ask)
        if self._fault:
            self._say_fault_once()
            time.why_not = self._fault
        if (replay := self._replay) is None:
            return None
        try:
            return replay.reply(ask, time.mark, time.number)
        except NotReplayed as missing:
            time.why_not = str(missing)
            if missing.fault:
                log.warning("nbask: %s It is not used.", missing)
        return None

    def why_not(self, ask: Ask) -> str:
        """Why an ask that is under way was not answered from a file, or an empty string."""
        time = self._times.get(ask.id)
        return time.why_not if time is not None else ""

    def forget(self, ask: Ask) -> None:
        """It came to nothing: the cell is run again, and the question asked as if for the first time."""
        if (time := self._times.pop(ask.id, None)) is not None:
            self._occurrences.give_back(time.mark, time.number)

    def ended(self, pending: Pending) -> None:
        """Record how an ask ended; an observer of the desk."""
        ask, reply = pending.ask, pending.reply
        if isinstance(reply, Withdrawn) or (isinstance(reply, Cancelled) and reply.by == "interrupt"):
            self.forget(ask)
            return
        time = self._times.pop(ask.id, None)
        recorder = self._recorder
        if recorder is None or reply is None or not is_kept(reply):
            return
        if reply.via == VIA and self._replays(recorder.path):
            return
        time = time or self._numbered(ask)
        try:
            recorder.add(entry_of(ask, reply, time.mark, time.number))
        except Exception as fault:  # noqa: BLE001 - whatever it is, the answer is the asker's
            log.warning("nbask: the answer to %s is not recorded yet: %s", one_line(ask.quoted), fault)

    def start_replay(self, given: str) -> str:
        """Answer from this file from now on, and count anew; returns a sentence that says so.

        Raises:
            AnswersFault: It cannot be read; what was replayed before still is.
        """
        replay = Replay(placed(given))
        with self._lock:
            self._replay = replay
            self._fault = ""
            self._occurrences = Occurrences()
        return f"Replaying {_answers(len(replay))} from {replay.path}."

    def start_recording(self, given: str) -> str:
        """Record to this file from now on; returns a sentence that says so.

        Counts anew, unless this very file is being replayed.

        Raises:
            AnswersFault: It is broken, or cannot be written; what was recorded to before still is.
        """
        path = placed(given)
        recorder = Recorder(path)
        before = self._recorder
        with self._lock:
            self._recorder = recorder
            if not self._replays(path):
                self._occurrences = Occurrences()
        if before is not None:
            _finish(before)
        return f"Recording to {path}, which has {_answers(recorder.there)}."

    def stop(self) -> str:
        """Neither record nor replay any more; returns a sentence that says so."""
        with self._lock:
            recorder, self._recorder, self._replay, self._fault = self._recorder, None, None, ""
        if recorder is not None:
            _finish(recorder)
        return "Answers are neither recorded nor replayed."

    def described(self) -> str:
        """What is replayed and recorded, for the status."""
        says = [self._fault] if self._fault else []
        if self._replay is not None:
            says.append(f"replaying {_answers(len(self._replay))} from {self._replay.path}")
        if self._recorder is not None:
            says.append(f"recording to {self._recorder.path}")
        return ", ".join(says) or "neither recorded nor replayed"

    def _replays(self, path: Path) -> bool:
        return self._replay is not None and self._replay.path == path

    def _begun(self, ask: Ask) -> _Time:
        time = self._times[ask.id] = self._numbered(ask)
        return time

    def _numbered(self, ask: Ask) -> _Time:
        mark = fingerprint(ask)
        return _Time(mark, self._occurrences.next(mark))

    def _say_fault_once(self) -> None:
        with self._lock:
            said, self._fault_said = self._fault_said, True
        if not said:
            log.warning("nbask: %s", self._fault)


def _finish(recorder: Recorder) -> None:
    try:
        recorder.finish()
    except AnswersFault as fault:
        log.warning("nbask: some answers are not recorded: %s", fault)


def _answers(count: int) -> str:
    return f"{count or 'no'} answer{'s' * (count != 1)}"
