"""How requests arrive: what has no end, comes too slowly, is too large or comes too often stops nobody else."""

import asyncio
import json
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from cogmem_core import Engine
from cogmem_serve import create_app
from cogmem_serve.agents import mcp_app
from cogmem_serve.guard import Limits
from cogmem_serve.keys import KeyRing
from helpers.mcp_sessions import served
from helpers.serving import Serving, served_process
from helpers.tables import rows_of

HOST = "Host: localhost\r\n"
ENDLESS = {
    "a header": f"GET /ui HTTP/1.1\r\n{HOST}X-A: ",
    "an address": "GET /ui?q=",
    "a method": "",
    "a cookie": f"POST /login HTTP/1.1\r\n{HOST}Cookie: a=",
    "a chunk's size": f"POST /login HTTP/1.1\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n1;a=",
}
HALF = {
    "nothing": "",
    "an address": "GET /heal",
    "a header": f"GET /healthz HTTP/1.1\r\n{HOST}X-A: b",
    "a body": f"POST /login HTTP/1.1\r\n{HOST}Content-Length: 10\r\n\r\nkey",
    "a chunk": f"POST /login HTTP/1.1\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n5\r\nke",
    "a body without a key": f"POST /v1/recall HTTP/1.1\r\n{HOST}Content-Length: 10\r\n\r\n{{",
}
PIECE = b"a" * 2**16
PIECES = 200


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """`cogm serve`, as it comes."""
    with served_process(tmp_path_factory.mktemp("served")) as server:
        yield server


def connected(address: str, text: str) -> socket.socket:
    """A connection on which something was sent."""
    url = httpx.URL(address)
    connection = socket.create_connection((url.host, url.port or 80), timeout=30)
    connection.sendall(text.encode())
    return connection


def answer_on(connection: socket.socket) -> str:
    """What is answered until the connection is closed, which it must be."""
    told = b""
    with suppress(ConnectionResetError):
        while piece := connection.recv(65_536):
            told += piece
    return told.decode()


@pytest.mark.parametrize("kind", ENDLESS)
def test_a_head_has_an_end(kind: str, server: Serving) -> None:
    """It is refused, or the connection closed, long before 13 MB of it were taken."""
    with connected(server.address, ENDLESS[kind]) as connection, pytest.raises(OSError):  # noqa: PT011
        connection.sendall(PIECE * PIECES)
    assert httpx.get(f"{server.address}/healthz", timeout=30).status_code == 200


@pytest.mark.skipif(
    sys.platform != "linux", reason="files of another process are bounded there only"
)
@pytest.mark.parametrize("kind", HALF)
def test_whoever_sends_half_of_a_request_keeps_nobody_out(kind: str, server: Serving) -> None:
    """More of them than the process may open files: whoever comes later is answered."""
    import resource

    resource.prlimit(server.process_id, resource.RLIMIT_NOFILE, (256, 1024))
    with ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(connected(server.address, HALF[kind]))
        for _ in range(3):
            assert httpx.get(f"{server.address}/healthz", timeout=30).status_code == 200


def test_half_of_a_request_ends(engine: Engine, ring: KeyRing) -> None:
    """The connection is closed in time, whatever was sent; a body that lacks something is told so."""
    limits = Limits(head_seconds=0.3, body_seconds=0.3)
    with (
        served(create_app(engine, keys=ring, limits=limits), limits) as url,
        ExitStack() as stack,
    ):
        half = {kind: stack.enter_context(connected(url, sent)) for kind, sent in HALF.items()}
        told = {kind: answer_on(connection) for kind, connection in half.items()}
        assert httpx.get(f"{url}/healthz", timeout=30).status_code == 200
    assert [kind for kind, answer in told.items() if "HTTP/1.1 2" in answer] == []
    assert [kind for kind, answer in told.items() if "HTTP/1.1 408" in answer] == [
        "a body",
        "a chunk",
    ]


def test_a_body_that_trickles_ends(engine: Engine, ring: KeyRing) -> None:
    """A piece that arrives gives no more time."""
    limits = Limits(head_seconds=0.3, body_seconds=0.3)
    chunked = f"POST /login HTTP/1.1\r\n{HOST}Transfer-Encoding: chunked\r\n\r\n"
    site = create_app(engine, keys=ring, limits=limits)
    with served(site, limits) as url, connected(url, chunked) as connection:
        trickling = threading.Thread(target=trickle, args=(connection,))
        trickling.start()
        assert "HTTP/1.1 408" in answer_on(connection)
        trickling.join(30)
        assert not trickling.is_alive()


def trickle(connection: socket.socket) -> None:
    """Send a body in small pieces until it is not taken any more."""
    with suppress(OSError):
        for _ in range(3_000):
            connection.sendall(b"1\r\na\r\n")
            time.sleep(0.01)


def bodies(engine: Engine, ring: KeyRing, limits: Limits) -> ASGIApp:
    """An application with everything that takes bodies."""
    app, lifespan = mcp_app(engine)
    mounts = {"/mcp": app}
    return create_app(engine, keys=ring, limits=limits, mounts=mounts, lifespans=[lifespan])


TAKING = rows_of("arrival/taking")


def test_what_is_too_large_is_told_so_everywhere(engine: Engine, ring: KeyRing) -> None:
    """Also where nobody says how large it is, and where another application would read it."""
    _, secret = ring.add("ana", scopes=["admin"], namespaces=["alice"])
    key = {"authorization": f"Bearer {secret}", "content-type": "application/json"}
    with TestClient(
        bodies(engine, ring, Limits(body_bytes=2_000)), base_url="http://localhost"
    ) as client:
        for path in TAKING:
            chunks = (b"x" * 1_000 for _ in range(3))
            for content in (chunks, b"x" * 3_000):
                answer = client.post(path, content=content, headers=key)
                assert (path, answer.status_code) == (path, 413)


def test_what_comes_too_slowly_is_told_so_everywhere(engine: Engine, ring: KeyRing) -> None:
    """The same holds for `/mcp`."""
    _, secret = ring.add("ana", scopes=["admin"], namespaces=["alice"])
    limits = Limits(body_seconds=0.3)
    typed = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
    with served(bodies(engine, ring, limits), limits) as url, ExitStack() as stack:
        slow = {}
        for path in TAKING:
            head = f"POST {path} HTTP/1.1\r\n{HOST}Authorization: Bearer {secret}\r\n"
            sent = f"{head}{typed}Content-Length: 9\r\n\r\n{{"
            slow[path] = stack.enter_context(connected(url, sent))
        for path, connection in slow.items():
            assert (path, connection.recv(65_536)[:12]) == (path, b"HTTP/1.1 408")


def test_before_a_login_little_is_read(engine: Engine, ring: KeyRing) -> None:
    """Of whoever has shown no key: a form to log in is small."""
    client = TestClient(create_app(engine, keys=ring), base_url="http://localhost")
    for path in ("/login", "/ui/import", "/ui/memories", "/nothing"):
        answer = client.post(path, content=b"key=" + b"x" * 100_000)
        assert (path, answer.status_code) == (path, 413)
    _, secret = ring.add("ana", scopes=["write"], namespaces=["alice"])
    key = {"authorization": f"Bearer {secret}"}
    many = {"content": [f"Locker {number} is free" for number in range(4_000)], "wrong": 1}
    assert client.post("/v1/remember", json=many, headers=key).status_code == 400


def test_what_a_stop_cuts_off_is_told_so(engine: Engine, ring: KeyRing) -> None:
    """Not as a failure: the answer says that it may be finished later, and when to look."""
    begun = threading.Event()

    async def endless(_scope: Any, _receive: Any, _send: Any) -> None:
        begun.set()
        await asyncio.sleep(3_600)

    _, secret = ring.add("ana", namespaces=["alice"])
    site = create_app(engine, keys=ring, mounts={"/mcp": endless})
    answers: list[httpx.Response] = []

    def ask(url: str) -> None:
        key = {"authorization": f"Bearer {secret}"}
        answers.append(httpx.post(f"{url}/mcp", headers=key, timeout=60))

    with served(site, Limits(drain_seconds=0.2)) as url:
        asking = threading.Thread(target=ask, args=(url,))
        asking.start()
        assert begun.wait(30)
    asking.join(30)
    (answer,) = answers
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
    assert "look before you send it once more" in json.loads(answer.text)["detail"]


def test_what_fails_names_no_file_of_the_server(engine: Engine, tmp_path: Path) -> None:
    """A damaged file of keys: who asks is told that it cannot be answered, and its log tells why."""
    path = tmp_path / "keys.json"
    ring = KeyRing(path)
    _, secret = ring.add("ana", namespaces=["alice"])
    path.write_text("{")
    client = TestClient(
        create_app(engine, keys=KeyRing(path)),
        base_url="http://localhost",
        raise_server_exceptions=False,
    )
    key = {"authorization": f"Bearer {secret}"}
    cookie = {"cookie": "cogm_session_0=a.b"}
    for where, headers in (
        ("/v1/health", key),
        ("/metrics", key),
        ("/ui", cookie),
        ("/login?token=x", cookie),
    ):
        answer = client.get(where, headers=headers)
        assert (answer.status_code, str(tmp_path) in answer.text) == (503, False)
