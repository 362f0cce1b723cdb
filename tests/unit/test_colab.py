"""Colab, with a stand-in for `google.colab` and its kernel: which route is picked, and that it answers."""

from __future__ import annotations

import asyncio
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from nbask import Ask, Question
from nbask.hosts import ColabHost, KernelHost, find_host
from nbask.replies import Answered, Unavailable
from nbask.runtime import Runtime
from nbask.settings import NbAsk

pytestmark = pytest.mark.support(front="Colab", kernel="stand-in", how="stand-in module")


class Stdin:
    """Colab's input box, and a person who types one line into it."""

    def __init__(self, line: str) -> None:
        self.replies = [{"content": {"value": line}}]
        self.prompts: list[str] = []

    def poll(self, timeout: int) -> bool:
        return bool(self.prompts and self.replies)


def colab_shell(stdin: Stdin | None, allow_stdin: bool = True) -> Any:
    def send(to: Stdin, kind: str, content: Any, parent: Any, ident: Any) -> None:
        to.prompts.append(content["prompt"])

    kernel = SimpleNamespace(
        session=SimpleNamespace(send=send, recv=lambda from_: (b"ident", from_.replies.pop(0))),
        stdin_socket=stdin,
        get_parent=lambda channel: {"header": {"msg_id": "m1"}, "content": {"allow_stdin": allow_stdin}},
        _parent_ident={"shell": b"ident"},
    )
    events = SimpleNamespace(register=lambda *_: None, unregister=lambda *_: None)
    return SimpleNamespace(kernel=kernel, events=events)


@pytest.fixture
def in_colab(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setitem(sys.modules, "google", ModuleType("google"))
    monkeypatch.setitem(sys.modules, "google.colab", ModuleType("google.colab"))
    return monkeypatch


def test_c6_colab_is_detected_by_its_module(in_colab: pytest.MonkeyPatch) -> None:
    shell = colab_shell(Stdin(""))
    in_colab.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert type(find_host()) is ColabHost
    in_colab.delitem(sys.modules, "google.colab")
    assert type(find_host()) is KernelHost


@pytest.mark.support(action="ask", cell="text", note="No card: Colab reads no comm messages while a cell runs.")
def test_c6_colab_asks_by_input_at_once_and_makes_no_card() -> None:
    stdin = Stdin("2")
    runtime = Runtime(ColabHost(colab_shell(stdin)), NbAsk())
    chosen = runtime.route()
    assert (chosen.fronts, chosen.text_after) == (("text",), 0.0)
    assert chosen.reason == "Colab reads no comm messages while a cell runs, so questions are asked as text"
    reply = runtime.put(Ask(Question("Red or blue?", ["Red", "Blue"])))
    assert isinstance(reply, Answered)
    assert (reply.value, reply.via) == ("Blue", "text")
    assert "1. Red" in stdin.prompts[0]
    assert runtime.fronts._cards is None


@pytest.mark.support(action="await", cell="text", note="No card: Colab reads no comm messages while a cell runs.")
def test_c6_awaiting_asks_the_same_way() -> None:
    runtime = Runtime(ColabHost(colab_shell(Stdin("red"))), NbAsk())
    reply = asyncio.run(runtime.aput(Ask(Question("Red or blue?", ["Red", "Blue"]))))
    assert (reply.value, reply.via) == ("Red", "text")  # type: ignore[union-attr]


@pytest.mark.parametrize(("stdin", "allow_stdin"), [(None, True), (Stdin(""), False)], ids=["no channel", "headless"])
def test_c6_without_a_way_to_reply_colab_says_so_at_once(stdin: Stdin | None, allow_stdin: bool) -> None:
    reply = Runtime(ColabHost(colab_shell(stdin, allow_stdin)), NbAsk()).put(Ask(Question("Name?")))
    assert isinstance(reply, Unavailable)
    assert reply.reason.startswith("Colab reads no comm messages while a cell runs, and this cell has no input")
