"""One line from the person by the kernel's stdin channel, which can be given up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest

from nbask.waiting.stdin import can_read, read_line

Runner = Callable[..., Future[Any]]


class Channel:
    """A stdin socket and the session that packs its messages: what the front end is asked, and what it replies.

    Args:
        replies: What comes in reply, in order; a request has all those before the first None come at once.
        stale: How many replies to earlier prompts lie there still.
    """

    def __init__(self, *replies: Any, stale: int = 0) -> None:
        self.replies = list(replies)
        self.stale = stale
        self.sent: list[Any] = []
        self.looks = 0

    def poll(self, timeout: int) -> int:
        if not self.sent:
            assert timeout == 0
            return self.stale
        assert timeout > 0
        self.looks += 1
        return bool(self.replies)

    def recv_multipart(self) -> list[bytes]:
        self.stale -= 1
        return [b"a reply to a prompt that was given up"]

    def send(self, socket: Any, kind: str, content: Any, parent: Any, ident: Any) -> None:
        assert (socket, self.stale) == (self, 0)
        self.sent.append((kind, content, parent, ident))

    def recv(self, socket: Any) -> tuple[Any, Any]:
        assert socket is self
        reply = self.replies.pop(0)
        return None, None if reply is None else {"content": reply}


def kernel(channel: Channel) -> Any:
    return SimpleNamespace(
        session=channel,
        stdin_socket=channel,
        get_parent=lambda name: {"parent of": name},
        _parent_ident={"shell": [b"page"]},
    )


def never() -> bool:
    return False


def test_a_kernel_without_a_stdin_channel_reads_nothing() -> None:
    assert can_read(kernel(Channel()))
    assert not can_read(SimpleNamespace(stdin_socket=None))
    assert not can_read(SimpleNamespace())


@pytest.mark.parametrize("secret", [False, True])
def test_the_page_of_the_running_cell_is_asked_and_its_line_comes_back(secret: bool) -> None:
    channel = Channel({"value": "Ann"})
    assert read_line(kernel(channel), "Name? ", secret, never) == "Ann"
    content = {"prompt": "Name? ", "password": secret}
    assert channel.sent == [("input_request", content, {"parent of": "shell"}, [b"page"])]


def test_replies_to_prompts_that_were_given_up_do_not_count() -> None:
    channel = Channel({"value": "now"}, stale=2)
    assert read_line(kernel(channel), "", False, never) == "now"


def test_a_reply_that_cannot_be_read_is_waited_past_and_one_without_a_value_is_empty() -> None:
    assert read_line(kernel(Channel(None, {"value": "then"})), "", False, never) == "then"
    assert read_line(kernel(Channel({})), "", False, never) == ""


def test_an_end_of_file_is_one() -> None:
    with pytest.raises(EOFError):
        read_line(kernel(Channel({"value": "\x04"})), "", False, never)


def test_a_prompt_is_given_up_once_it_is_told_to_stop() -> None:
    channel = Channel()
    assert read_line(kernel(channel), "", False, lambda: channel.looks >= 3) is None
    assert (len(channel.sent), channel.looks) == (1, 3)


def test_a_prompt_that_is_to_stop_before_it_began_is_not_shown() -> None:
    channel = Channel({"value": "x"})
    assert read_line(kernel(channel), "", False, lambda: True) is None
    assert channel.sent == []


def test_one_prompt_stands_at_a_time(in_thread: Runner) -> None:
    first, second, stop = Channel(), Channel({"value": "second"}), threading.Event()
    reading = in_thread(read_line, kernel(first), "", False, stop.is_set)
    while not first.looks:
        assert not reading.done()
    waiting = in_thread(read_line, kernel(second), "", False, never)
    assert not second.sent
    stop.set()
    assert (reading.result(5), waiting.result(5)) == (None, "second")
