"""What somebody else's server or object says in an error may hold a key, or what it was sent: it is not passed on."""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Engine
from cogmem_core.base.error_texts import reason, report
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.config import LogConfig, StorageConfig
from cogmem_core.embedders import OpenAIEmbedder
from cogmem_core.errors import CogMemError, EmbedderUnavailable, StoreError
from cogmem_core.llm import OpenAILLM
from cogmem_core.ports import FloatArray
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock, ScriptedLLM
from helpers.bank_contents import files_holding
from helpers.loopback_server import LoopbackServer

CANARY = "Kanarienvogel4711"


class Talking(LoopbackServer):
    """A server that refuses everything, in words of its own."""

    def __init__(self) -> None:
        self.status, owner = 500, self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"] or 0))
                said = {"message": f"refused: {CANARY}", "code": CANARY, "type": CANARY}
                body = json.dumps({"error": said, "message": CANARY}).encode()
                self.send_response(owner.status, CANARY)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self) -> None:
                self.do_POST()

            def log_message(self, *_: object) -> None:
                return None

        super().__init__(Handler)


@pytest.fixture
def talking() -> Iterator[Talking]:
    server = Talking()
    yield server
    server.close()


class Broken(CountingEmbedder):
    """A user's embedder that quotes what it was given; `error`: None = it works."""

    def __init__(self) -> None:
        super().__init__()
        self.error: Exception | None = None

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        if self.error:
            raise self.error
        return super().embed_documents(texts)

    def embed_query(self, text: str) -> FloatArray:
        if self.error:
            raise self.error
        return super().embed_query(text)


def opened(folder: Path, **parts: Any) -> Engine:
    config = replace(MANUAL, log=LogConfig(content=True), **parts.pop("config", {}))
    return cogmem_core.open(folder, clock=FrozenClock(), config=config, **parts)


def everything_told(engine: Engine) -> str:
    """All that an engine says of what it has met."""
    bank = engine.bank("alice")
    told: list[object] = [
        bank.remember("I moved to Lisbon in May and work in a bakery there", ref="r")
    ]
    acts: list[Callable[[], object]] = [
        lambda: bank.add("Tea is warm"),
        lambda: bank.recall("Where did I move?").explain(),
        bank.reflect,
        lambda: bank.observe("I like tea"),
        bank.consolidate,
        engine.sync,
        engine.flush,
    ]
    for act in acts:
        try:
            told.append(act())
        except CogMemError as error:
            told.append(error)
    told += [engine.health(), bank.health(), engine.warnings(), engine.log()]
    return repr([str(one) for one in told])


@pytest.mark.parametrize("status", [400, 401, 403, 422, 500])
def test_a_server_of_embeddings(talking: Talking, tmp_path: Path, status: int) -> None:
    """Status and class are told, and where it was asked."""
    talking.status = status
    where = f"{talking.address.replace('//', f'//user:{CANARY}@')}/v1"
    embedder = OpenAIEmbedder("text-embedding-3-small", base_url=where, api_key=CANARY, attempts=1)
    with opened(tmp_path, embedder=embedder) as engine:
        told = everything_told(engine)
        assert (
            f"status {status}); check the model's name, the key, the address {talking.address}/v1/"
            in told
        )
        assert CANARY not in told
    embedder.close()
    assert files_holding(tmp_path, CANARY) == []


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError(CANARY),
        KeyError(CANARY),
        ValueError(f"text: {CANARY}"),
        OSError(CANARY),
        OSError(5, CANARY),
    ],
    ids=repr,
)
def test_an_embedder_of_the_users(tmp_path: Path, error: Exception) -> None:
    """Its class is told; what the operating system refused, in the system's words."""
    embedder = Broken()
    with opened(tmp_path, embedder=embedder) as engine:
        embedder.error = error
        told = everything_told(engine)
        assert f"embed_documents failed with {reason(error)}" in told
        assert CANARY not in told
    assert files_holding(tmp_path, CANARY) == []


@pytest.mark.parametrize("answer", [[[CANARY] * 48], {"a": CANARY}, CANARY], ids=repr)
def test_an_embedder_that_answers_with_words(answer: Any) -> None:
    """NumPy quotes what is no number."""

    class Wordy(CountingEmbedder):
        def embed_documents(self, texts: Sequence[str]) -> Any:
            return answer

    with (
        cogmem_core.open(embedder=Wordy(), config=MANUAL) as engine,
        pytest.raises(EmbedderUnavailable) as caught,
    ):
        engine.bank("alice").add("Tea")
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize(
    "error", [RuntimeError(CANARY), PermissionError(CANARY), Exception(CANARY)], ids=repr
)
def test_a_model_of_the_users(tmp_path: Path, error: Exception) -> None:
    """Rules decide instead, and say why."""
    with opened(tmp_path, embedder="hashing", llm=ScriptedLLM(default=error)) as engine:
        told = everything_told(engine)
        assert type(error).__name__ in told
        assert CANARY not in told
    assert files_holding(tmp_path, CANARY) == []


@pytest.mark.parametrize("status", [400, 403, 500])
def test_a_server_of_a_model(talking: Talking, tmp_path: Path, status: int) -> None:
    """Its code is a word, or is left out."""
    talking.status = status
    llm = OpenAILLM("tiny", base_url=f"{talking.address}/v1", api_key=CANARY, attempts=1)
    with opened(tmp_path, embedder="hashing", llm=llm) as engine:
        told = everything_told(engine)
        assert f"the server answered {status}" in told
        assert CANARY not in told
    llm.close()
    assert files_holding(tmp_path, CANARY) == []


def test_a_server_of_vectors(talking: Talking, tmp_path: Path) -> None:
    """Recall goes by the ledger, and says why."""
    storage = {"storage": StorageConfig(chroma_url=talking.address, index_above=0)}
    with opened(tmp_path, embedder="hashing", config=storage) as engine:
        told = everything_told(engine)
        assert "the vector index failed to reach its server" in told
        assert "see that the server at storage.chroma_url runs" in told
        assert CANARY not in told
    assert files_holding(tmp_path, CANARY) == []


def test_what_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Applications' logs outlive what they are about."""
    with caplog.at_level(logging.WARNING, logger="cogmem_core"), LogAndContinue()("a recall"):
        raise RuntimeError(CANARY)
    assert caplog.messages == ["a recall failed, and was done without: RuntimeError"]


def test_our_own_errors_say_what_they_say() -> None:
    """And the operating system's say what was refused; the cause stays for a debugger."""
    try:
        try:
            raise ConnectionRefusedError(111, CANARY)
        except OSError as error:
            raise RuntimeError(CANARY) from error
    except RuntimeError as error:
        hidden = error
    assert reason(StoreError("the disk is full")) == "the disk is full"
    assert report(StoreError("the disk is full")) == "StoreError: the disk is full"
    assert reason(hidden) == "[Errno 111] Connection refused"
    assert report(KeyError(CANARY)) == "KeyError"
