"""A test for each line of SECURITY.md's threat model that the server of a kernel stands for.

Raw HTTP: what a well-behaved client never sends.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shlex
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from outside_agents import ANSWERS, CALLS

from nbask import runtime, serve
from nbask.serve import guard, rendezvous
from nbask.serve.server import LARGEST_BODY, Server
from nbask.serve.settings import settings_of
from nbask.testing import scripted

MODERN = "2026-07-28"
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {
        "name": "ask_choice",
        "arguments": CALLS["ask_choice"],
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    },
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, person: Callable[..., Any]) -> Iterator[Server]:
    """A server whose person answers by script."""
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    person()
    with scripted(ANSWERS):
        yield serve.start()
    serve.stop()


def post(server: Server, body: Any = CALL, **headers: str | None) -> httpx2.Response:
    """A call; header names have underscores here, and None leaves one out."""
    given: dict[str, str | None] = {
        "authorization": f"Bearer {server.token}",
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": MODERN,
        "mcp-method": "tools/call",
        "mcp-name": "ask_choice",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    kept = {name: value for name, value in given.items() if value is not None}
    content = body if isinstance(body, str | bytes) else json.dumps(body)
    with httpx2.Client(trust_env=False, timeout=20) as http:
        return http.post(server.url, content=content, headers=kept)


def answered(server: Server) -> bool:
    """Whether it still serves: the kernel and other asks are unharmed."""
    return post(server).json()["result"]["structuredContent"]["status"] == "answered"


def test_whoever_has_the_token_is_let_in(server: Server) -> None:
    assert answered(server)
    assert post(server, host=f"localhost:{server.port}").status_code == 200


@pytest.mark.parametrize("token", [None, "Bearer wrong", "", "Bearer", "bearer {}", "Basic {}", "{}", "Bearer {}x"])
def test_a_wrong_or_missing_token_is_refused(server: Server, token: str | None) -> None:
    refused = post(server, authorization=None if token is None else token.format(server.token))
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    assert server.token not in refused.text
    assert answered(server)


def test_the_token_is_random_long_and_compared_in_constant_time(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(server.token) >= 43
    compared: list[bytes] = []

    def compare(one: bytes, other: bytes) -> bool:
        compared.append(one)
        return one == other

    monkeypatch.setattr(guard.hmac, "compare_digest", compare)
    assert answered(server)
    assert compared == [f"Bearer {server.token}".encode()]
    first = server.token
    serve.stop()
    assert serve.start().token != first


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{}", "127.0.0.1", "127.0.0.1:1", "0.0.0.0:{}", ""])
def test_another_host_name_is_refused(server: Server, host: str) -> None:
    """DNS rebinding: a page of evil.example that made its name point here sends its own name."""
    assert post(server, host=host.format(server.port)).status_code == 421
    assert answered(server)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://localhost:{}"])
def test_a_web_page_is_refused_even_with_the_token(server: Server, origin: str) -> None:
    refused = post(server, origin=origin.format(server.port))
    assert refused.status_code == 403
    assert not [name for name in refused.headers if name.startswith("access-control")]
    assert answered(server)


def test_only_this_machine_is_listened_to(server: Server) -> None:
    bound = server._socket.getsockname()
    assert bound == ("127.0.0.1", server.port)


def test_a_body_that_is_too_large_is_refused_as_soon_as_that_is_known(server: Server) -> None:
    head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as declared:
        declared.sendall(f"{head}Content-Length: {LARGEST_BODY + 1}\r\n\r\n".encode())
        assert declared.recv(64).startswith(b"HTTP/1.1 413")
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as chunked:
        chunk = f"{LARGEST_BODY + 1:x}\r\n".encode() + b" " * (LARGEST_BODY + 1) + b"\r\n"
        chunked.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + chunk)
        assert chunked.recv(64).startswith(b"HTTP/1.1 413")
    assert answered(server)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        "null",
        "[" * 200_000,
        '{"a":' * 50_000 + "1" + "}" * 50_000,
        '{"jsonrpc": "2.0", "id": ' + "9" * 5000 + "}",
        b"\xff\xfe",
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call"},
        {"jsonrpc": "2.0", "id": 1, "method": "no/such"},
        {**CALL, "params": {**CALL["params"], "name": ["x"]}},
        {**CALL, "params": {**CALL["params"], "arguments": "x"}},
    ],
    ids=range(12),
)
@pytest.mark.parametrize("version", [MODERN, "2025-06-18", None])
def test_what_is_no_call_is_refused_and_harms_nothing(server: Server, body: Any, version: str | None) -> None:
    refused = post(server, body, mcp_protocol_version=version)
    assert 400 <= refused.status_code < 500 or "error" in refused.json()
    assert server.token not in refused.text
    assert answered(server)


def test_deep_nesting_that_json_can_spell_is_an_error_of_the_tool(server: Server) -> None:
    schema = '{"properties":' * 300 + "{}" + "}" * 300
    arguments = f'{{"prompt": "P", "outputSchema": {schema}}}'
    body = json.dumps({**CALL, "params": {**CALL["params"], "name": "ask_form", "arguments": "X"}})
    said = post(server, body.replace('"X"', arguments), mcp_name="ask_form").json()
    assert said["result"]["isError"]
    assert answered(server)


def test_the_rendezvous_file_is_for_this_user_alone_and_goes_with_the_server(server: Server) -> None:
    (path,) = rendezvous.folder().glob("*")
    assert path.suffix == ".json"
    assert json.loads(path.read_text())["token"] == server.token
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    serve.stop()
    assert list(rendezvous.folder().glob("*")) == []


def test_the_rendezvous_file_goes_with_the_process(tmp_path: Path) -> None:
    code = "from nbask import serve; serve.start(); print(*serve.running()._file.parent.glob('*'))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "JUPYTER_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.strip().endswith(".json")
    assert done.stderr == ""
    assert list(tmp_path.rglob("*.json")) == []


def test_the_token_is_in_the_printed_settings_and_nowhere_else(
    server: Server, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.DEBUG):
        post(server)
        post(server, authorization="Bearer wrong")
        post(server, host="evil.example")
        post(server, "{")
    assert settings_of(server).count(server.token) == 1
    (found,) = rendezvous.living()
    told = (
        *capfd.readouterr(),
        caplog.text,
        repr(server),
        repr(found),
        rendezvous.described(found),
        str(vars(runtime)),
    )
    assert not [text for text in told if server.token in text]


def test_the_printed_settings_are_what_agents_read(server: Server) -> None:
    lines = [line.strip() for line in settings_of(server).splitlines() if line.startswith("  ")]
    named = {label: rest for label, _, rest in (re.split(r"(\s{2,})", line, maxsplit=1) for line in lines[:-1])}
    words = [sys.executable, "-m", "nbask", "mcp"]
    assert shlex.split(named["Claude Code"])[-4:] == shlex.split(named["Codex CLI"])[-4:] == words
    assert [word for word in shlex.split(named["Gemini CLI"]) if word != "--"][-4:] == words
    entry = {"command": words[0], "args": words[1:]}
    assert json.loads(shlex.split(named["VS Code"])[-1]) == {"name": "nbask", **entry}
    assert json.loads(named["Cursor, others"]) == {"mcpServers": {"nbask": entry}}
    assert json.loads(lines[-1])["mcpServers"]["nbask"]["url"] == server.url


def test_requests_write_nothing_into_the_cell(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    post(server)
    post(server, authorization="Bearer wrong")
    post(server, "{")
    assert capfd.readouterr() == ("", "")


def test_levels_of_other_peoples_loggers_are_put_back(server: Server) -> None:
    assert logging.getLogger("mcp.server").level > logging.CRITICAL
    serve.stop()
    assert logging.getLogger("mcp.server").level == logging.NOTSET


def test_a_connection_that_says_nothing_keeps_nobody_out(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as silent:
        silent.sendall(b"POST /mcp HTTP/1.1\r\nHost: ")
        assert answered(server)


@pytest.mark.parametrize("method", ["GET", "PUT", "OPTIONS", "HEAD", "DELETE"])
def test_other_methods_need_the_token_too(server: Server, method: str) -> None:
    with httpx2.Client(trust_env=False) as http:
        assert http.request(method, server.url).status_code == 401


def test_a_path_that_is_not_there_is_not_found(server: Server) -> None:
    headers = {"authorization": f"Bearer {server.token}"}
    with httpx2.Client(trust_env=False) as http:
        assert http.get(server.url.replace("/mcp", "/etc/passwd"), headers=headers).status_code == 404
