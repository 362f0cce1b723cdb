"""The answers file: what is refused, that it is whole at any time, and that many may write it."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nbask import Ask, Question
from nbask.kinds import Answer
from nbask.record import answers, locking
from nbask.record.answers import AnswersFault, merge, placed, read, written
from nbask.record.entries import Entry, reply_of
from nbask.record.fingerprint import fingerprint
from nbask.record.locking import locked
from nbask.record.recorder import Recorder

Runner = Callable[..., Future[Any]]


def entry(mark: str, number: int = 1, said: str = "x") -> Entry:
    asked: Any = {"id": "q1", "kind": "text", "text": f"{mark}?", "answer": {"value": said}}
    return {"fingerprint": mark, "occurrence": number, "reply": "answered", "questions": [asked]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "answers.json"


def test_a_file_is_made_where_there_is_none_and_reads_back(file: Path) -> None:
    assert merge(file, [entry("a"), entry("b")]) == 2
    assert read(file) == [entry("a"), entry("b")]
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_entries_keep_their_place_and_the_latest_answer_counts(file: Path) -> None:
    merge(file, [entry("a"), entry("b"), entry("a", 2)])
    merge(file, [entry("c"), entry("a", said="y")])
    assert read(file) == [entry("a", said="y"), entry("b"), entry("a", 2), entry("c")]


def test_a_person_can_read_it(file: Path) -> None:
    merge(file, [entry("Größe", said="日本")])
    text = file.read_text(encoding="utf-8")
    assert text.startswith('{\n  "nbask": 1,\n  "answers": [\n    {\n      "fingerprint": "Größe",\n')
    assert '"value": "日本"' in text
    assert text.endswith("}\n")


def test_half_of_a_pair_of_surrogates_is_kept(file: Path) -> None:
    merge(file, [entry("a", said="\ud800")])
    assert read(file) == [entry("a", said="\ud800")]


def test_a_file_that_would_not_change_is_not_written(file: Path) -> None:
    merge(file, [entry("a")])
    before = file.stat()
    merge(file, [entry("a")])
    merge(file, [])
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_a_file_keeps_its_mode_and_a_new_one_has_that_of_any_file(file: Path) -> None:
    other = file.with_name("other")
    other.touch()
    merge(file, [entry("a")])
    assert file.stat().st_mode == other.stat().st_mode
    file.chmod(0o600)
    merge(file, [entry("b")])
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_link_leads_to_the_file_that_is_written(file: Path) -> None:
    link = file.with_name("link.json")
    link.symlink_to(file)
    merge(placed(link), [entry("a")])
    assert link.is_symlink()
    assert read(file) == [entry("a")]


GOOD = {"nbask": 1, "answers": [entry("a")]}


def changed(**changes: Any) -> dict[str, Any]:
    return {"nbask": 1, "answers": [{**entry("a"), **changes}]}


BAD: list[tuple[Any, str]] = [
    (b"", "is no JSON"),
    (b"{", "is no JSON"),
    (b"\xff\xfe\x00", "is no JSON"),
    (b'{"nbask": 1, "answers": []} x', "is no JSON"),
    (b'{"nbask": NaN}', "NaN is no JSON"),
    (b'{"nbask": ' + b"9" * 5000 + b"}", "is no JSON"),
    (b"[" * 100_000, "nested too deeply"),
    ([], "is no answers file of nbask"),
    ({}, "is no answers file of nbask"),
    ({"cells": []}, "is no answers file of nbask"),
    ({"nbask": "1", "answers": []}, "is no answers file of nbask"),
    ({"nbask": True, "answers": []}, "is no answers file of nbask"),
    ({"nbask": 2, "answers": []}, "has format 2, and this nbask reads 1; update nbask"),
    ({"nbask": 0, "answers": []}, "has format 0, and this nbask reads 1; record it anew"),
    ({"nbask": 1}, "is broken: the file: 'answers' is a required property"),
    ({"nbask": 1, "answers": {}}, "is broken: answers: {} is not of type 'array'"),
    ({"nbask": 1, "answers": [], "more": 1}, "'more' was unexpected"),
    ({"nbask": 1, "answers": [entry("a"), 5]}, r"is broken: answers\[1\]: 5 is not of type 'object'"),
    (changed(reply="agreed"), r"answers\[0\]\.reply: 'agreed' is not one of"),
    (changed(occurrence=0), r"answers\[0\]\.occurrence: 0 is less than the minimum of 1"),
    (changed(fingerprint=""), r"answers\[0\]\.fingerprint"),
    (changed(questions=[{"id": "q1", "kind": "text", "text": "A?", "anwser": {}}]), "'anwser' was unexpected"),
    (changed(questions=[{"id": "q1", "kind": "text", "text": "A?", "answer": {"selected": "x"}}]), "selected: 'x'"),
    ({"nbask": 1, "answers": [entry("a"), entry("a")]}, r"answers\[1\] has the fingerprint and occurrence of one"),
]


@pytest.mark.parametrize(("content", "says"), BAD, ids=lambda value: str(value)[:50])
def test_a_broken_or_foreign_file_is_refused_in_a_sentence_and_left_alone(file: Path, content: Any, says: str) -> None:
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    file.write_bytes(raw)
    for touch in (lambda: read(file), lambda: merge(file, [entry("b")]), lambda: Recorder(file)):
        with pytest.raises(AnswersFault, match=says) as refused:
            touch()
        assert str(file) in str(refused.value)
        assert "\n" not in str(refused.value)
    assert file.read_bytes() == raw


def test_a_missing_file_is_no_record(file: Path) -> None:
    with pytest.raises(AnswersFault, match=r"there is no answers file .*answers\.json; record one with %nbask record"):
        read(file)


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    for touch in (lambda: read(tmp_path), lambda: merge(tmp_path, [])):
        with pytest.raises(AnswersFault, match="is no file; name the answers file"):
            touch()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_a_pipe_is_not_waited_for(file: Path) -> None:
    os.mkfifo(file)
    with pytest.raises(AnswersFault, match="is no file"):
        read(file)


def test_a_name_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(AnswersFault, match=r"is no file's name \(embedded null"):
        placed("a\0b")


def test_a_file_that_may_not_be_read_says_so(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(_path: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    merge(file, [entry("a")])
    monkeypatch.setattr(Path, "read_bytes", forbidden)
    with pytest.raises(AnswersFault, match=r"cannot be read: Permission denied"):
        read(file)


def test_a_fault_without_words_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wordless(_path: Path) -> bytes:
        raise BlockingIOError

    merge(file, [entry("a")])
    monkeypatch.setattr(Path, "read_bytes", wordless)
    with pytest.raises(AnswersFault, match=r"cannot be read: BlockingIOError$"):
        read(file)


def test_a_file_of_which_nobody_can_say_whether_it_is_there_is_not_gone(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(_path: Path) -> bool:
        raise OSError(errno.EIO, "Input/output error")

    assert answers.is_gone(file)
    monkeypatch.setattr(Path, "exists", unknown)
    assert not answers.is_gone(file)


def test_a_directory_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(AnswersFault, match=r"there is no directory .*new; make it first"):
        merge(tmp_path / "new" / "answers.json", [])


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], None]:
    """Makes the directory read-only, for root as well, whom no mode stops."""

    def make() -> None:
        really = os.open

        def refuse(path: Any, flags: int, *rest: Any, **named: Any) -> int:
            if flags & os.O_CREAT and str(path).startswith(str(tmp_path)):
                raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
            return really(path, flags, *rest, **named)

        monkeypatch.setattr(os, "open", refuse)

    return make


def test_a_read_only_directory_is_said_at_once(file: Path, read_only: Callable[[], None]) -> None:
    read_only()
    with pytest.raises(AnswersFault, match=r"answers\.json cannot be written: Read-only file system; name a file"):
        Recorder(file)


def test_what_cannot_be_written_now_is_written_with_the_next_answer(file: Path) -> None:
    recorder = Recorder(file)
    recorder.add(entry("a"))
    good = file.read_bytes()
    file.write_bytes(b"{broken by hand")
    with pytest.raises(AnswersFault, match="is no JSON"):
        recorder.add(entry("b"))
    assert file.read_bytes() == b"{broken by hand"
    file.write_bytes(good)
    recorder.add(entry("c"))
    assert read(file) == [entry("a"), entry("b"), entry("c")]


def test_what_cannot_be_written_now_is_tried_again_at_the_end(file: Path) -> None:
    recorder = Recorder(file)
    file.write_bytes(b"{broken by hand")
    with pytest.raises(AnswersFault):
        recorder.add(entry("a"))
    file.unlink()
    recorder.finish()
    assert read(file) == [entry("a")]


def test_a_file_that_was_deleted_meanwhile_comes_back_whole(file: Path) -> None:
    recorder = Recorder(file)
    recorder.add(entry("a"))
    file.unlink()
    recorder.add(entry("b"))
    assert read(file) == [entry("a"), entry("b")]


def test_what_was_edited_by_hand_meanwhile_stays(file: Path) -> None:
    recorder = Recorder(file)
    recorder.add(entry("a"))
    file.write_text(file.read_text().replace('"x"', '"edited"'))
    recorder.add(entry("b"))
    assert read(file) == [entry("a", said="edited"), entry("b")]


def test_only_a_file_that_somebody_else_has_written_is_read_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[Path] = []
    monkeypatch.setattr(answers, "read", lambda path: reads.append(path) or read(path))
    first, second = Recorder(file), Recorder(file)
    reads.clear()
    for number in range(1, 4):
        first.add(entry("a", number))
    assert not reads
    second.add(entry("b"))
    first.add(entry("a", 4))
    assert len(reads) == 2  # each by the one that had not written last
    assert read(file) == [entry("a"), entry("a", 2), entry("a", 3), entry("b"), entry("a", 4)]


def test_a_file_is_written_as_json_indented_by_two(file: Path) -> None:
    entries = [entry("a", said="two\nlines\u2028and\x85more"), entry("b")]
    merge(file, entries)
    assert file.read_text("utf-8") == json.dumps({"nbask": 1, "answers": entries}, indent=2, ensure_ascii=False) + "\n"
    assert written([]) == json.dumps({"nbask": 1, "answers": []}, indent=2) + "\n"


def test_a_write_that_fails_leaves_the_file_as_it_was_and_no_litter(file: Path, monkeypatch: Any) -> None:
    merge(file, [entry("a")])

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(AnswersFault, match="No space left on device"):
        merge(file, [entry("b")])
    assert read(file) == [entry("a")]
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_write_that_fails_says_why_even_if_its_litter_stays(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    monkeypatch.setattr(Path, "unlink", full)
    with pytest.raises(AnswersFault, match="No space left on device"):
        merge(file, [entry("a")])


def test_half_a_character_is_written_as_its_number_and_as_legible_as_the_rest() -> None:
    entries = [entry("a", said="\ud800")]
    assert written(entries) == json.dumps({"nbask": 1, "answers": entries}, indent=2) + "\n"


def test_a_lock_that_another_keeps_is_not_waited_for_without_end(
    file: Path, monkeypatch: Any, in_thread: Runner
) -> None:
    monkeypatch.setattr(locking, "PATIENCE", 0.1)
    with locked(file), pytest.raises(AnswersFault, match="another process holds"):
        in_thread(merge, file, []).result(5)
    merge(file, [])


def test_who_holds_a_lock_sees_that_another_waits_and_gives_way_and_nothing_stays_open(
    file: Path, monkeypatch: pytest.MonkeyPatch, in_thread: Runner
) -> None:
    opened: list[int] = []
    slept: list[float] = []
    open_, sleep = os.open, time.sleep

    def opening(*args: Any, **more: Any) -> int:
        opened.append(open_(*args, **more))
        return opened[-1]

    def sleeping(seconds: float) -> None:
        slept.append(seconds)
        sleep(min(seconds, 0.01))

    def hold() -> None:
        with locked(file):
            pass

    monkeypatch.setattr(os, "open", opening)
    monkeypatch.setattr(locking.time, "sleep", sleeping)
    with locked(file):
        waiting = in_thread(hold)
        while not file.with_name(f".{file.name}.lock").stat().st_size:
            sleep(0.001)
    assert locking._GIVE_WAY in slept
    waiting.result(5)
    assert len(opened) > 1
    for handle in opened:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(handle)


def test_who_held_a_lock_alone_goes_on_at_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(locking.time, "sleep", slept.append)
    with locked(file):
        pass
    assert slept == []


def test_a_lock_that_cannot_be_had_leaves_nothing_open(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def refuse(handle: int) -> bool:
        tried.append(handle)
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(locking, "_take", refuse)
    with pytest.raises(OSError, match="No locks available"), locked(file):
        pass
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(tried[0])


def test_two_recorders_in_threads_lose_nothing(file: Path, in_thread: Runner) -> None:
    barrier = threading.Barrier(8)

    def write(name: str) -> None:
        recorder = Recorder(file)
        barrier.wait(5)
        for number in range(1, 6):
            recorder.add(entry(name, number))

    for future in [in_thread(write, name) for name in "abcdefgh"]:
        future.result(30)
    assert len(read(file)) == 8 * 5
    assert [path.name for path in file.parent.iterdir()] == [file.name]


WRITER = """
import sys
from pathlib import Path
from nbask.record.recorder import Recorder
recorder = Recorder(Path(sys.argv[1]))
sys.stdin.readline()
for number in range(1, 11):
    recorder.add({"fingerprint": sys.argv[2], "occurrence": number, "reply": "declined", "questions": []})
"""


def test_two_processes_that_write_the_same_file_lose_nothing(file: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, file, name], stdin=subprocess.PIPE, text=True) for name in "ab"
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    assert {(one["fingerprint"], one["occurrence"]) for one in read(file)} == {
        (name, number) for name in "ab" for number in range(1, 11)
    }


@given(st.lists(st.tuples(st.sampled_from("xy"), st.sampled_from("abc"), st.integers(1, 2), st.text(max_size=3))))
@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_two_recorders_in_any_order_keep_the_latest_of_every_answer(file: Path, steps: Any) -> None:
    file.unlink(missing_ok=True)
    recorders = {name: Recorder(file) for name in "xy"}
    expected: dict[Any, Entry] = {}
    for name, mark, number, said in steps:
        recorders[name].add(entry(mark, number, said))
        expected[mark, number] = entry(mark, number, said)
    assert read(file) == list(expected.values())


def test_the_example_in_the_documentation_is_an_answers_file(file: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "record.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    file.write_text(example)
    (entry,) = read(file)
    ask = Ask(Question("Red or blue?", ["Red", "Blue"], notes=True))
    assert entry["fingerprint"] == fingerprint(ask)
    assert reply_of(ask, entry).answers["q1"] == Answer("Red", ("Red",), notes="for now")  # type: ignore[union-attr]


NEARLY = st.builds(
    lambda good, cut, junk: good[: int(cut * len(good))] + junk + good[int(cut * len(good)) :],
    st.just(json.dumps(GOOD).encode()),
    st.floats(0, 1),
    st.binary(max_size=6),
)


@given(st.binary(max_size=40) | NEARLY)
@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_at_all_are_read_or_refused_in_a_sentence(file: Path, raw: bytes) -> None:
    file.write_bytes(raw)
    try:
        read(file)
    except AnswersFault as refused:
        assert str(file) in str(refused)


def test_a_file_that_is_checked_where_little_stack_is_left_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (file := tmp_path / "answers.json").write_text(json.dumps(GOOD))

    def no_stack(*_: object, **__: object) -> str:
        raise RecursionError

    monkeypatch.setattr(json, "dumps", no_stack)
    with pytest.raises(AnswersFault, match=r"answers\.json is broken: it is nested too deeply"):
        read(file)


def test_a_lock_that_somebody_took_away_is_not_the_one_that_is_held(tmp_path: Path) -> None:
    with (lock := tmp_path / "lock").open("w") as held:
        assert locking._is_at(lock, held.fileno())
        lock.unlink()
        assert not locking._is_at(lock, held.fileno())
        lock.touch()
        assert not locking._is_at(lock, held.fileno())
