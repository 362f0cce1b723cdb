"""The answers file: JSON that a person can read and edit, checked when read, and written whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import uuid
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, cast

from nbask.record.entries import Entry
from nbask.record.locking import locked
from nbask.text import one_line

VERSION = 1
_INDENT = "    "


class AnswersFault(ValueError):
    """An answers file cannot be read or written; the message names it and the mend."""


def placed(given: str | os.PathLike[str]) -> Path:
    """Where a file is that was named by a person; a link leads to the file that is read and written.

    Raises:
        AnswersFault: No file can have this name.
    """
    try:
        return Path(given).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as fault:
        raise AnswersFault(f"{os.fspath(given)!r} is no file's name ({_reason(fault)})") from None


def read(path: Path) -> list[Entry]:
    """Read an answers file.

    Raises:
        AnswersFault: There is none, it cannot be read, or it is something else.
    """
    found = loaded(path)
    given: dict[str, Any] = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    version = given.get("nbask")
    if type(version) is not int:
        raise AnswersFault(f"{path} is no answers file of nbask: it has no 'nbask' with the format's number")
    if version != VERSION:
        mend = "update nbask" if version > VERSION else "record it anew"
        raise AnswersFault(f"{path} has format {version}, and this nbask reads {VERSION}; {mend}")
    _check(path, given)
    entries: list[Entry] = given["answers"]
    return _distinct(path, entries)


def checked(path: Path, entries: list[Entry]) -> list[Entry]:
    """Entries that were made of what `path` holds, if they fit the format.

    Raises:
        AnswersFault: They do not.
    """
    _check(path, {"nbask": VERSION, "answers": entries})
    return entries


def _distinct(path: Path, entries: list[Entry]) -> list[Entry]:
    seen: set[tuple[str, int]] = set()
    for number, entry in enumerate(entries):
        if key_of(entry) in seen:
            raise AnswersFault(
                f"{path} is broken: answers[{number}] has the fingerprint and occurrence of one before it; remove one"
            )
        seen.add(key_of(entry))
    return entries


def merge(path: Path, entries: Iterable[Entry]) -> int:
    """Add entries to a file, and make it where there is none; see :meth:`Writer.merge`."""
    return Writer(path).merge(entries)


class Writer:
    """Writes one answers file, again and again.

    The file is written whole each time, and read again only when somebody else has written it since: reading,
    checking and encoding every answer there is would be what a person waits for after each new one.

    Args:
        path: The file; made where there is none.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._texts: dict[tuple[str, int], str] = {}
        self._seen: object = None

    def merge(self, entries: Iterable[Entry]) -> int:
        """Add entries.

        What others have written meanwhile stays; an entry of the same question and occurrence is replaced, in its
        place. Whoever reads the file meanwhile sees the old one or the new one.

        Returns:
            How many entries the file has now.

        Raises:
            AnswersFault: The file is broken, in which case it is left as it is, or cannot be written.
        """
        path = self.path
        try:
            with locked(path):
                before = self._there()
                after = {**(before or {}), **{key_of(entry): _text(entry) for entry in entries}}
                if after != before:
                    self._seen = _write(path, _whole(after.values()))
                    self._texts = after
                return len(after)
        except FileNotFoundError:
            mend = f"there is no directory {path.parent}; make it first"
            raise AnswersFault(f"{path} cannot be written: {mend}") from None
        except OSError as fault:
            mend = f"{_reason(fault)}; name a file elsewhere, or mend that"
            raise AnswersFault(f"{path} cannot be written: {mend}") from None

    def _there(self) -> dict[tuple[str, int], str] | None:
        """The entries that the file has now, each as its text; None where there is no file."""
        if not self.path.exists():
            return None
        now = _version(self.path.stat())
        if now != self._seen:
            self._texts = {key_of(entry): _text(entry) for entry in read(self.path)}
            self._seen = now
        return self._texts


def _version(found: os.stat_result) -> object:
    """What differs once somebody else has written the file."""
    return found.st_ino, found.st_mtime_ns, found.st_size


def is_gone(path: Path) -> bool:
    """Whether a file that was there was deleted."""
    try:
        return not path.exists()
    except OSError:  # nobody can say
        return False


def key_of(entry: Entry) -> tuple[str, int]:
    """What finds an entry."""
    return entry["fingerprint"], entry["occurrence"]


def written(entries: Sequence[Entry]) -> str:
    """The text of an answers file."""
    return _whole([_text(entry) for entry in entries])


def _whole(texts: Collection[str]) -> str:
    answers = f"[\n{_INDENT}" + f",\n{_INDENT}".join(texts) + "\n  ]" if texts else "[]"
    return f'{{\n  "nbask": {VERSION},\n  "answers": {answers}\n}}\n'


def _text(entry: Entry) -> str:
    """An entry as it stands in the file."""
    text = json.dumps(entry, indent=2, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a pair of surrogates has no UTF-8
        text = json.dumps(entry, indent=2)
    return text.replace("\n", f"\n{_INDENT}")


def _write(path: Path, text: str) -> object:
    """Write a file whole, or not at all; returns its version."""
    # Not a secret: none is in it, and a class or a repository shares it. So it has the mode of any new file.
    part = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}")
    try:
        with part.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            version = _version(os.fstat(file.fileno()))  # while nobody else can have written it
        if path.exists():
            part.chmod(stat.S_IMODE(path.stat().st_mode))
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    return version


def loaded(path: Path, what: str = "answers file") -> Any:
    """The JSON in a file, of which `what` says what it should be.

    Raises:
        AnswersFault: There is none, or it cannot be read.
    """
    try:
        is_other = path.exists() and not path.is_file()  # a directory, or a pipe that would never end
        raw = b"" if is_other else path.read_bytes()
    except FileNotFoundError:
        mend = "; record one with %nbask record FILE" if what == "answers file" else ""
        raise AnswersFault(f"there is no {what} {path}{mend}") from None
    except (OSError, ValueError) as fault:
        raise AnswersFault(f"{path} cannot be read: {_reason(fault)}") from None
    if is_other:
        raise AnswersFault(f"{path} is no file; name the {what}")
    try:
        return json.loads(raw.decode("utf-8-sig"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as fault:
        said = "it is nested too deeply" if isinstance(fault, RecursionError) else one_line(str(fault), 160)
        raise AnswersFault(f"{path} is no {what}: it is no JSON ({said})") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


_fitting: set[int] = set()
"""Entries that were checked before, by their text's hash: a file that grows by one is not checked all over."""


def _check(path: Path, given: dict[str, Any]) -> None:
    try:
        fault = _fault_in(given)
    except RecursionError:
        fault = "it is nested too deeply"
    if fault is not None:
        raise AnswersFault(f"{path} is broken: {fault}")


def _fault_in(given: dict[str, Any]) -> str | None:
    answers: list[Any] = given["answers"] if isinstance(given.get("answers"), list) else []
    texts = [hash(json.dumps(one)) for one in answers]
    new = [one for one, text in zip(answers, texts, strict=True) if text not in _fitting]
    if texts and _validator().is_valid({**given, "answers": new}):
        _fitting.update(texts)
        return None
    fault = next(iter(sorted(_validator().iter_errors(given), key=lambda one: list(map(str, one.path)))), None)
    if fault is None:
        return None
    where = fault.json_path.removeprefix("$").lstrip(".") or "the file"
    return f"{where}: {one_line(fault.message, 160)}"


@cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    schema = Path(__file__).with_name("answers.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(schema))


def _reason(fault: Exception) -> str:
    return getattr(fault, "strerror", None) or one_line(str(fault), 160) or type(fault).__name__
