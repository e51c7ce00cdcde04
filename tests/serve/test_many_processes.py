"""Several processes behind one address: one store, one file of keys, no matter which of them is asked."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from cogmem_core import Engine
from cogmem_serve import create_app
from cogmem_serve.keys import KeyRing
from helpers.served import Served, token_in
from helpers.servers import Databases
from helpers.serving import Serving

HOST = {"host": "localhost"}
"""What all of them are called by: the name of a session's cookie follows from it."""
RATE = 30
"""Requests a minute of a key: few, so that they are used up on a slow machine, too."""


def test_whoever_logged_in_at_one_is_known_to_all(engine: Engine, tmp_path: Path) -> None:
    """A form that one of them showed is taken by the other; a key that is taken away opens neither."""
    rings = [KeyRing(tmp_path / "keys.json") for _ in range(2)]
    clients = [
        TestClient(create_app(engine, keys=ring), base_url="http://localhost") for ring in rings
    ]
    first, second = (Served(client, engine, rings[0]) for client in clients)
    first.log_in("write")
    second.client.cookies = first.client.cookies
    fields = {"content": "Ana likes tea", "csrf": token_in(first.client.get("/ui").text)}
    assert "Remembered." in second.client.post("/ui/memories", data=fields).text
    rings[1].revoke(rings[1].all()[0].id)
    assert [client.get("/ui").url.path for client in clients] == ["/login", "/login"]


@pytest.fixture
def servers(
    databases: Databases, chroma_server: str, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[tuple[Serving, ...]]:
    """Three processes on PostgreSQL and a Chroma server."""
    (tmp_path / "bank").mkdir()
    with ExitStack() as stack:
        url = stack.enter_context(databases.fresh())
        (tmp_path / "bank" / "cogmem.toml").write_text(
            '[consolidation]\ntrigger = "manual"\n[storage]\n'
            f'ledger_url = "{url}"\nchroma_url = "{chroma_server}"\nindex_above = 0\n'
        )
        started = tuple(Serving(tmp_path, *request.param) for _ in range(3))
        for server in started:
            stack.callback(server.close)
        for server in started:
            server.wait_until_it_listens()
        yield started


def ask(server: Serving, verb: str, path: str, key: str, body: Any = None) -> Any:
    """Send a request to one of them; its answer, which is none of an error."""
    headers = {"authorization": f"Bearer {key}"}
    answer = httpx.request(
        verb, f"{server.address}/v1{path}", json=body, headers=headers, timeout=60
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


def found_by(server: Serving, key: str, query: str) -> list[str]:
    recall = ask(server, "POST", "/recall", key, {"query": query})["recall"]
    return [one["memory"]["content"] for one in recall["results"]]


@pytest.mark.thorough
@pytest.mark.parametrize("servers", [()], indirect=True, ids=["store"])
def test_three_processes_are_one_memory(servers: tuple[Serving, ...]) -> None:
    """What one keeps the others find at once; what one forgets or dreams is so for all."""
    writer, reader, dreamer = servers
    key = writer.key("admin")
    said = {"content": "The spare key is under the basil"}
    assert ask(writer, "POST", "/remember", key, said)["receipts"][0]["status"] == "stored"
    for server in servers:
        assert said["content"] in found_by(server, key, "Where is the spare key?")

    def fill(server: Serving, name: str) -> None:
        for number in range(20):
            text = f"{name} has the parcel number {number} in locker {number * 7}"
            ask(server, "POST", "/remember", key, {"content": text})

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(fill, servers, ("Ada", "Ben", "Cem")))
    assert {ask(one, "GET", "/memories/count", key) for one in servers} == {61}
    assert ask(dreamer, "GET", "/audit-trail", key)["findings"] == []

    stored = ask(reader, "GET", "/memories?limit=100", key)["memories"]
    (spare,) = [one["id"] for one in stored if one["content"] == said["content"]]
    ask(reader, "POST", "/forget", key, {"id_or_query": spare})
    for server in servers:
        assert said["content"] not in found_by(server, key, "Where is the spare key?")
    ask(writer, "POST", f"/memories/{spare}/restore", key)
    assert said["content"] in found_by(reader, key, "Where is the spare key?")

    run = ask(dreamer, "POST", "/dreams", key, {})
    (on_record,) = ask(writer, "GET", "/dreams", key)
    assert (on_record["id"], on_record["state"]) == (run["run_id"], "done")
    ask(reader, "POST", f"/dreams/{run['run_id']}/undo", key)
    assert ask(dreamer, "GET", "/dreams", key)[0]["state"] == "undone"
    assert [server.errors() for server in servers] == ["", "", ""]


@pytest.mark.thorough
@pytest.mark.parametrize("servers", [("--rate", str(RATE))], indirect=True, ids=["server"])
def test_three_processes_are_one_server(servers: tuple[Serving, ...]) -> None:
    """Sessions, forms and keys are good for all of them; each keeps off whoever asks too often."""
    first, second, third = servers
    secret = first.key("admin")
    with httpx.Client(headers=HOST, timeout=60) as person:
        login = person.post(f"{first.address}/login", data={"key": secret})
        assert login.headers["location"] == "/ui"
        token = token_in(person.get(f"{second.address}/ui").text)
        begun = person.post(f"{third.address}/ui/nights", data={"kind": "run", "csrf": token})
        assert begun.status_code == 303
        where = begun.headers["location"]
        shown = person.get(f"{third.address}{where}")
        while "data-events" in shown.text:
            shown = person.get(f"{third.address}{where}")
        assert len(re.findall(r"/ui/nights/[^/]+/undo", shown.text)) == 1
        assert "/undo" in person.get(f"{first.address}/ui/nights").text
        ring = KeyRing(first.keys)
        ring.revoke(ring.all()[0].id)
        gone = [person.get(f"{one.address}/ui").headers.get("location") for one in servers]
        assert gone == ["/login"] * 3
    other = {"authorization": f"Bearer {first.key('read')}"}
    for server in servers:
        answers = [200]
        while answers[-1] == 200:
            asked = httpx.get(f"{server.address}/v1/namespaces", headers=other, timeout=60)
            answers.append(asked.status_code)
        assert answers[-1] == 429
        assert len(answers) > RATE
