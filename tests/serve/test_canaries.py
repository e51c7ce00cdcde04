"""A secret in every field that a request can send: in no answer, no page, no event, no log, and nowhere on the disk."""

import inspect
import json
import logging
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

import cogmem_core
from cogmem_core.config import LogConfig
from cogmem_core.testing import MANUAL, FrozenClock
from cogmem_serve import create_app
from cogmem_serve.keys import KeyRing
from cogmem_serve.operations import OPERATIONS, Operation
from cogmem_serve.pages.routes import PAGES
from cogmem_serve.schemas import Parameter
from helpers.canary_fields import PASSWORD, PLANTED, found_in, laid_out
from helpers.served import Served, token_in

CONFIG = replace(
    MANUAL,
    log=LogConfig(content=True),
    guard=replace(MANUAL.guard, review=("untrusted", "contradicting", "procedure", "shared")),
)
PLANTED_OBJECT = {"note": PLANTED, PLANTED: [{"deep": PLANTED}], "password": PASSWORD}
NEEDED: dict[str, Any] = {
    "answer": "It is warm.",
    "calls": [{"tool": "find"}],
    "confirm": "alice",
    "content": "I moved to Oslo in May",
    "messages": "I like tea",
    "ok": True,
    "outcome": "done",
    "principal": "ann",
    "query": "Which tea is warm?",
    "recall": {"id": "r", "query": "q", "priors": {}, "hot": []},
    "session_id": "s",
    "task": "brew tea",
    "text": "ask for the bill",
    "turns": ["Good morning"],
    "when": "the bill",
}
FORM = {"kind": "person", "right": "read", "pattern": "alice", "name": "ben", "sure": "yes"}
ECHOED = {
    ("recall", "query"),
    ("recall", "also"),
    ("profile", "subject"),
    ("tip_of_tongue", "query"),
}
"""Their answers say what was asked."""


class Scene:
    """A served bank on the disk, and the requests that plant something in it."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.bank = served.engine.bank("alice")
        served.engine.add_principal("ann")
        self.key = served.key("admin", namespaces=("*",))

    def path(self, path: str) -> str:
        """With an id in the place of each parameter; one of a memory that is there."""
        return re.sub(r"{(\w+)}", lambda _: self.bank.add("Tea is warm").id, path)

    def rest(self, operation: Operation) -> Iterator[tuple[str, str]]:
        """Each parameter of an operation, planted; what was answered."""
        in_path = re.findall(r"{(\w+)}", operation.path)
        memory = self.bank.add("Tea is warm")
        required = [one.name for one in operation.parameters if one.required]
        needed = {name: NEEDED.get(name, memory.id) for name in required}
        for one in filter(_takes_words, operation.parameters):
            value: Any = [PLANTED] if one.is_list else PLANTED_OBJECT if one.is_object else PLANTED
            given = {**needed, one.name: value}
            path = operation.path
            for name in in_path:
                path = path.replace(f"{{{name}}}", quote(str(given.pop(name)), safe=""))
            yield one.name, self.sent(operation, path, given)
        yield (
            "an unknown field",
            self.sent(operation, self.path(operation.path), {PLANTED: PLANTED}),
        )

    def sent(self, operation: Operation, path: str, given: dict[str, Any]) -> str:
        """What is answered by status, headers and body."""
        where = {"namespace": "alice", **({} if operation.has_body else _flat(given))}
        answer = self.served.client.request(
            operation.verb,
            f"/v1{path}",
            headers=self.key,
            params=where,
            json=given if operation.has_body else None,
        )
        return f"{answer.headers} {answer.text}"

    def forms(self) -> Iterator[tuple[str, str, str]]:
        """Each field of each form, planted: where it was sent, its name, the pages that followed."""
        client = self.served.client
        self.served.log_in_with(self.key)
        token = token_in(client.get("/ui/memories").text)
        for route in PAGES:
            if route.verb == "POST":
                source = inspect.getsource(sys.modules[route.view.__module__])
                for name in sorted(set(re.findall(r'form\.get\("(\w+)"', source))):
                    fields = {**NEEDED, **FORM, "record": self.bank.intend("pay", when="pay").id}
                    sent = {key: str(value) for key, value in {**fields, name: PLANTED}.items()}
                    path = route.path.replace("{action}", "edit").replace("{decision}", "approve")
                    answer = client.post(self.path(path), data={**sent, "csrf": token})
                    yield path, name, self.served.until_done(answer).text

    def pages(self) -> Iterator[tuple[str, str]]:
        """What else is answered: to a file, to names, keys and tokens; and the pages that show what there is."""
        client, token = self.served.client, token_in(self.served.client.get("/ui").text)
        line = json.dumps({"role": "user", "content": PLANTED, "name": PLANTED, PLANTED: PLANTED})
        for content in (line, "{" + PLANTED):
            file = {"file": (f"{PLANTED}.jsonl", content.encode())}
            work = client.post("/ui/import", data={"csrf": token}, files=file)
            yield "an import", work.text
            if "/work/" in work.url.path:
                yield "its events", client.get(f"{work.url.path}/events").text
                yield "its end", self.served.until_done(work).text
        bearer = {"authorization": f"Bearer {PLANTED}"}
        yield "a key", client.get("/v1/health", headers=bearer).text
        yield "a token", client.get("/login", params={"token": PLANTED}).text
        elsewhere = {"namespace": PLANTED}
        yield "a namespace", client.get("/v1/memories", headers=self.key, params=elsewhere).text
        yield "a page of it", client.get("/ui/memories", params=elsewhere).text
        for path in ("/metrics", "/v1/health", "/v1/reviews?namespace=alice"):
            yield path, client.get(path, headers=self.key).text
        for route in PAGES:
            if route.verb == "GET" and "{" not in route.path:
                yield route.path, client.get(route.path).text
        yield "logging in", client.post("/login", data={"key": PLANTED}).text

    def told(self) -> Iterator[str]:
        """What the engine and the keys tell."""
        engine = self.served.engine
        engine.flush()
        with pytest.raises(cogmem_core.InvalidInput) as refused:
            self.served.ring.add(PLANTED)
        yield str(refused.value)
        yield laid_out([engine.access_log(limit=10_000), engine.log(limit=10_000)])
        yield repr([engine.health(), engine.metrics(), self.served.ring.all()])


def _takes_words(parameter: Parameter) -> bool:
    """Not only truth or a number: such a one is refused as an unknown field is."""
    return parameter.hint not in (bool, int, float, int | None, float | None, bool | None)


def _flat(given: dict[str, Any]) -> dict[str, str | list[str]]:
    """As parameters of an address."""
    plain = (str, list)
    return {
        name: value if isinstance(value, plain) else json.dumps(value)
        for name, value in given.items()
    }


@pytest.fixture
def scene(tmp_path: Path, clock: FrozenClock) -> Iterator[Scene]:
    folder = tmp_path / "bank"
    with cogmem_core.open(folder, embedder="hashing", clock=clock, config=CONFIG) as engine:
        ring = KeyRing(folder / "keys.json", now=clock)
        with TestClient(create_app(engine, keys=ring), base_url="http://localhost") as client:
            yield Scene(Served(client, engine, ring))


def test_a_secret_in_any_request_stays_nowhere(
    scene: Scene, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Every parameter of `/v1`, every field of every form, names in addresses and headers, a file to import."""
    caplog.set_level(logging.DEBUG, "cogmem_core")
    logging.getLogger("cogmem_core.storage").setLevel(logging.WARNING)
    rest = [
        ((operation.id, name), told)
        for operation in OPERATIONS
        for name, told in scene.rest(operation)
    ]
    forms = [((path, name), told) for path, name, told in scene.forms()]
    asked = [*rest, *forms]
    shown = [field for field, told in asked if field not in ECHOED and found_in(told)]
    assert len(rest) > 150
    assert len(forms) > 25
    assert not shown, "\n".join(map(str, shown))
    assert [page for page, told in scene.pages() if found_in(told)] == []
    assert list(filter(found_in, scene.told())) == []
    assert found_in(caplog.text) == []
    scene.bank.export(tmp_path / "whole.jsonl")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path.name for path in files if found_in(path.read_bytes().decode("latin-1"))] == []
