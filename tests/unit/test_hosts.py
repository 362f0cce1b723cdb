"""What a kernel's host finds out, with a stand-in for the kernel; and one line read from its stdin channel."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextvars import ContextVar, copy_context
from types import SimpleNamespace
from typing import Any

import pytest

from nbask.hosts import ConsoleHost, KernelHost, find_host
from nbask.routing import Facts
from nbask.waiting.stdin import read_line

Runner = Callable[..., Future[Any]]


class Events:
    def __init__(self) -> None:
        self.registered: list[tuple[str, Any]] = []

    def register(self, event: str, callback: Any) -> None:
        self.registered.append((event, callback))

    def unregister(self, event: str, callback: Any) -> None:
        self.registered.remove((event, callback))

    def fire(self, event: str, *args: Any) -> None:
        for name, callback in list(self.registered):
            if name == event:
                callback(*args)


def shell(get_parent: Any) -> Any:
    return SimpleNamespace(kernel=SimpleNamespace(get_parent=get_parent), events=Events())


@pytest.mark.parametrize(
    ("parent", "allowed"),
    [
        ({"content": {"allow_stdin": False}}, False),
        ({"content": {"allow_stdin": True}}, True),
        ({"content": {}}, True),
        ({}, True),
    ],
)
def test_c26_c27_whether_a_person_is_there_is_said_by_the_execute_request(parent: Any, allowed: bool) -> None:
    facts = KernelHost(shell(lambda channel: parent)).facts(Facts())
    assert (facts.host, facts.allow_stdin) == ("kernel", allowed)


def test_a_cell_is_named_by_its_message() -> None:
    assert KernelHost(shell(lambda channel: {"header": {"msg_id": "m1"}})).cell() == "m1"
    assert KernelHost(shell(lambda channel: {})).cell() is None


def test_what_takes_an_outputs_place_does_not_wait_until_all_that_was_printed_is_out() -> None:
    sent: list[Any] = []
    publisher = SimpleNamespace(
        session=SimpleNamespace(send=lambda *args, **rest: sent.append((*args, rest))),
        pub_socket="iopub",
        parent_header={"msg_id": "m1"},
        topic=b"display_data",
        publish=lambda *_args, **_rest: pytest.fail("this writes out stdout and stderr first"),
    )
    one = shell(lambda channel: {})
    one.display_pub = publisher
    KernelHost(one).show({"text/plain": "Red"}, "d1", update=True)
    content = {"data": {"text/plain": "Red"}, "metadata": {}, "transient": {"display_id": "d1"}}
    assert sent == [("iopub", "update_display_data", content, {"msg_id": "m1"}, {"ident": b"display_data"})]


def test_a_card_is_shown_where_capture_has_another_publisher_in_place_of_the_kernels_own() -> None:
    shown: list[Any] = []
    own = SimpleNamespace(pub_socket="iopub", publish=lambda *args, **rest: shown.append((*args, rest)))
    one = shell(lambda channel: {})
    one.display_pub = own
    host = KernelHost(one)
    one.display_pub = SimpleNamespace(publish=lambda *_args, **_rest: pytest.fail("this keeps the card to itself"))
    host.show({"text/plain": "Red?"}, "d1")
    assert shown == [({"text/plain": "Red?"}, {"transient": {"display_id": "d1"}})]


def test_a_process_forked_from_the_kernel_has_nobody_and_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    one = shell(lambda channel: {})
    host = KernelHost(one)
    assert host.facts(Facts()).host == "kernel"
    one.display_pub = SimpleNamespace(pub_socket="iopub", publish=lambda *_args, **_rest: pytest.fail("not its socket"))
    monkeypatch.setattr("os.getpid", lambda: -1)
    assert host.facts(Facts()).host == "fork"
    host.show({"text/plain": "Red?"}, "d1")


def test_a_thread_without_the_kernels_context_belongs_to_the_cell_that_runs(in_thread: Runner) -> None:
    parent: ContextVar[dict[str, Any]] = ContextVar("parent")
    host = KernelHost(shell(lambda channel: parent.get()))
    host.listen(lambda *_: None, lambda *_: None)
    parent.set({"header": {"msg_id": "m7"}})
    host.shell.events.fire("pre_run_cell", None)
    assert in_thread(host.cell).result(5) == "m7"
    assert in_thread(lambda: host.context().run(parent.get)).result(5) == {"header": {"msg_id": "m7"}}


def test_cells_are_listened_to_until_it_stops() -> None:
    host, heard = KernelHost(shell(lambda channel: {})), []
    host.listen(lambda info: heard.append("started"), heard.append)
    host.shell.events.fire("pre_run_cell", None)
    host.shell.events.fire("post_run_cell", "result")
    host.stop_listening()
    host.shell.events.fire("pre_run_cell", None)
    assert heard == ["started", "result"]
    assert host.shell.events.registered == []


def kernel_host() -> tuple[KernelHost, ContextVar[dict[str, Any]]]:
    """A host with one parent a context, as ipykernel 7 has it, that listens to cells."""
    parent: ContextVar[dict[str, Any]] = ContextVar("parent")
    parent.set(request("load"))
    host = KernelHost(shell(lambda channel: parent.get()))
    host.listen(lambda *_: None, lambda *_: None)
    host.shell.events.fire("post_run_cell", None)
    return host, parent


def request(name: str, **content: Any) -> dict[str, Any]:
    return {"header": {"msg_id": name}, "content": content}


def running(host: KernelHost) -> bool:
    return host.facts(Facts()).cell_running


def in_a_cell(host: KernelHost, parent: ContextVar[Any], name: str, act: Any = lambda: None, **content: Any) -> Any:
    parent.set(request(name, **content))
    host.shell.events.fire("pre_run_cell", None)
    found = act()
    host.shell.events.fire("post_run_cell", None)
    return found


def test_no_cell_runs_before_and_after_one(in_thread: Runner) -> None:
    host, parent = kernel_host()
    assert (running(host), host.busy()) == (False, False)
    assert in_a_cell(host, parent, "m1", lambda: [running(host), in_thread(running, host).result(5), host.busy()]) == [
        True,
        True,
        True,
    ]
    assert (running(host), in_thread(running, host).result(5)) == (False, False)


def test_a_task_knows_that_its_cell_has_ended_while_another_runs(in_thread: Runner) -> None:
    host, parent = kernel_host()
    task = in_a_cell(host, parent, "m1", copy_context)
    assert in_a_cell(host, parent, "m2", lambda: task.run(running, host)) is False
    assert in_a_cell(host, parent, "m3", lambda: task.run(host.cell)) == "m1"
    assert in_a_cell(host, parent, "m4", lambda: task.run(lambda: host.context().run(parent.get)))["header"] == {
        "msg_id": "m1"
    }


def test_what_handles_a_comm_message_while_a_cell_runs_belongs_to_that_cell(in_thread: Runner) -> None:
    host, parent = kernel_host()

    def handle() -> Any:
        parent.set({"header": {"msg_id": "a comm message"}, "content": {}})
        return running(host), host.cell(), host.context().run(parent.get)["header"]["msg_id"]

    assert in_a_cell(host, parent, "m1", lambda: in_thread(handle).result(5)) == (True, "m1", "m1")


def test_a_widgets_callback_has_a_person_and_an_output_of_its_own_though_nobody_ran_the_cells() -> None:
    """As in Voilà, which runs the cells without a person, and then shows the page to one."""
    host, parent = kernel_host()
    in_a_cell(host, parent, "m1", allow_stdin=False)
    assert not host.facts(Facts()).allow_stdin
    parent.set({"header": {"msg_id": "click", "msg_type": "comm_msg"}, "content": {}})
    facts = host.facts(Facts())
    assert (facts.allow_stdin, facts.cell_running) == (True, False)
    assert host.context().run(parent.get)["header"]["msg_id"] == "click"


@pytest.mark.parametrize(("software", "voila"), [("voila/0.5.13", True), ("Apache", False), (None, False)])
def test_voila_says_so_in_the_environment(monkeypatch: pytest.MonkeyPatch, software: str | None, voila: bool) -> None:
    monkeypatch.delenv("SERVER_SOFTWARE", raising=False)
    if software is not None:
        monkeypatch.setenv("SERVER_SOFTWARE", software)
    host, _ = kernel_host()
    assert host.facts(Facts()).voila is voila


def test_code_that_runs_code_as_a_cell_is_still_in_its_own() -> None:
    host, parent = kernel_host()

    def outer() -> bool:
        host.shell.events.fire("pre_run_cell", None)
        host.shell.events.fire("post_run_cell", None)
        return running(host)

    assert in_a_cell(host, parent, "m1", outer) is True
    assert not host.busy()


def test_a_cell_whose_end_was_not_heard_of_ends_with_the_next_ones_beginning() -> None:
    host, parent = kernel_host()
    parent.set(request("lost"))
    host.shell.events.fire("pre_run_cell", None)
    in_a_cell(host, parent, "m2")
    assert not host.busy()


def test_whether_a_person_is_there_is_the_last_cells_to_say_while_none_runs(in_thread: Runner) -> None:
    host, parent = kernel_host()
    in_a_cell(host, parent, "m1", allow_stdin=False)
    assert in_thread(lambda: host.facts(Facts()).allow_stdin).result(5) is False


@pytest.mark.parametrize(
    ("found", "kind"),
    [(None, ConsoleHost), (SimpleNamespace(), ConsoleHost), (SimpleNamespace(kernel=None), ConsoleHost)],
)
def test_without_a_kernel_the_host_is_a_console(monkeypatch: pytest.MonkeyPatch, found: Any, kind: type) -> None:
    monkeypatch.setitem(__import__("sys").modules, "IPython", SimpleNamespace(get_ipython=lambda: found))
    assert type(find_host()) is kind


class Socket:
    """A stdin channel with replies waiting; `session.recv` takes the next one."""

    def __init__(self, *replies: Any, stale: int = 0) -> None:
        self.stale = stale
        self.replies = list(replies)
        self.asked = False

    def poll(self, timeout: int) -> bool:
        return self.stale > 0 or (self.asked and bool(self.replies))

    def recv_multipart(self) -> None:
        self.stale -= 1


def stdin_kernel(socket: Socket) -> Any:
    def send(to: Socket, kind: str, content: Any, parent: Any, ident: Any) -> None:
        assert (kind, parent, ident) == ("input_request", {"header": {}}, b"ident")
        to.asked = True

    session = SimpleNamespace(send=send, recv=lambda from_: (b"ident", from_.replies.pop(0)))
    return SimpleNamespace(
        session=session,
        stdin_socket=socket,
        get_parent=lambda channel: {"header": {}},
        _parent_ident={"shell": b"ident"},
    )


def test_a_line_is_read_from_the_person() -> None:
    socket = Socket({"content": {"value": "hello"}}, stale=2)
    assert read_line(stdin_kernel(socket), "Name?", False, lambda: False) == "hello"
    assert socket.stale == 0


def test_an_end_of_file_is_told_from_a_line() -> None:
    with pytest.raises(EOFError):
        read_line(stdin_kernel(Socket({"content": {"value": "\x04"}})), "Name?", False, lambda: False)


def test_a_prompt_is_given_up_before_or_after_it_is_shown() -> None:
    socket = Socket()
    assert read_line(stdin_kernel(socket), "Name?", False, lambda: True) is None
    assert not socket.asked
    looks = iter([False, False, False, True])
    assert read_line(stdin_kernel(socket), "Name?", False, lambda: next(looks)) is None
    assert socket.asked


def test_a_message_that_cannot_be_read_does_not_end_the_prompt() -> None:
    assert read_line(stdin_kernel(Socket(None, {"content": {"value": "x"}})), "Name?", False, lambda: False) == "x"


@pytest.mark.parametrize("secret", [True, False])
def test_a_front_end_is_told_to_hide_a_secret(secret: bool) -> None:
    socket = Socket({"content": {"value": "hunter2"}})
    kernel = stdin_kernel(socket)
    contents: list[Any] = []
    send = kernel.session.send

    def listen(to: Socket, kind: str, content: Any, parent: Any, ident: Any) -> None:
        contents.append(content)
        send(to, kind, content, parent, ident=ident)

    kernel.session.send = listen
    assert read_line(kernel, "Key?", secret, lambda: False) == "hunter2"
    assert contents == [{"prompt": "Key?", "password": secret}]


def test_a_secret_in_a_terminal_is_read_unseen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prompts: list[str] = []

    def getpass(prompt: str) -> str:
        prompts.append(prompt)
        return "hunter2"

    monkeypatch.setattr("nbask.hosts.console.getpass.getpass", getpass)
    assert ConsoleHost().read_line("Key? ", True, lambda: False) == "hunter2"
    assert prompts == ["Key? "]
    assert "hunter2" not in capsys.readouterr().out
