"""Embedders of other libraries by name: each is asked as it wants to be, and what is missing is named.

Stand-ins for the packages have their calls and their kinds of answers; Ollama is a loopback server.
"""

import json
import pickle
import sys
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace
from typing import Any

import httpx
import numpy as np
import openai
import pytest

from cogmem_cli.stored import spec_of
from cogmem_core.config import EmbeddingConfig
from cogmem_core.embedders import CheckedEmbedder, LiteLLMEmbedder, prefixes_of, resolve
from cogmem_core.errors import ConfigError, EmbedderUnavailable
from helpers.loopback_server import LoopbackServer
from helpers.tables import each_row, each_row_of, rows_of

CONFIG = EmbeddingConfig(timeout_seconds=5.0)
E5 = "intfloat/multilingual-e5-small"


def stand_in(monkeypatch: pytest.MonkeyPatch, name: str, **members: Any) -> None:
    """Puts a module in the place of a package, installed or not."""
    package = ModuleType(name)
    package.__dict__.update(members)
    package.__spec__ = ModuleSpec(name, None)
    monkeypatch.setitem(sys.modules, name, package)


def rows(texts: Iterable[str]) -> list[np.ndarray]:
    """A vector for each text: its length, and 1."""
    return [np.array([len(text), 1.0], dtype=np.float32) for text in texts]


class FastEmbedModel:
    """The class of fastembed that embeds; it knows two models."""

    asked: list[tuple[str, list[str]]]

    def __init__(self, model_name: str) -> None:
        if model_name not in (E5, "BAAI/bge-small-en-v1.5"):
            raise ValueError(f"Model {model_name} is not supported in TextEmbedding.")

    def query_embed(self, query: list[str]) -> Iterable[np.ndarray]:
        self.asked.append(("query", query))
        yield from rows(query)

    def passage_embed(self, texts: list[str]) -> Iterable[np.ndarray]:
        self.asked.append(("passage", texts))
        yield from rows(texts)


class SentenceTransformer:
    """The class of sentence-transformers; the model "own" brings prompts."""

    asked: list[tuple[str, list[str]]]

    def __init__(self, name: str) -> None:
        self.prompts = {"query": "q: " if name == "own" else "", "document": ""}

    def encode_query(self, texts: list[str], *, show_progress_bar: bool) -> np.ndarray:
        assert not show_progress_bar
        self.asked.append(("query", texts))
        return np.stack(rows(texts))

    def encode_document(self, texts: list[str], *, show_progress_bar: bool) -> np.ndarray:
        assert not show_progress_bar
        self.asked.append(("document", texts))
        return np.stack(rows(texts))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """What the stand-ins of both libraries were asked."""
    calls: list[tuple[str, list[str]]] = []
    for model in (FastEmbedModel, SentenceTransformer):
        monkeypatch.setattr(model, "asked", calls, raising=False)
    stand_in(monkeypatch, "fastembed", TextEmbedding=FastEmbedModel)
    stand_in(monkeypatch, "sentence_transformers", SentenceTransformer=SentenceTransformer)
    return calls


class TestLibraries:
    """fastembed and sentence-transformers: loaded when first asked, local from then on."""

    @each_row_of("embedder_named/texts_get_the_prefixes_that_the_model_wants")
    def test_texts_get_the_prefixes_that_the_model_wants(
        self,
        asked: list[tuple[str, list[str]]],
        spec: str,
        passage: tuple[str, list[str]],
        query: tuple[str, list[str]],
    ) -> None:
        """A model that brings prompts of its own gets no others; several questions are one call."""
        embedder = resolve(spec, config=CONFIG)
        assert not embedder.local
        assert embedder.fingerprint == f"{spec}:2"
        assert embedder.local
        asked.clear()
        embedder.embed_documents(["a"])
        embedder.embed_query("b")
        embedder.embed_queries(["b", "b"])
        assert asked == [passage, query, ("query", query[1] * 2)]
        assert spec_of(embedder.fingerprint) == spec

    def test_a_copy_loads_the_model_anew(self, asked: list[tuple[str, list[str]]]) -> None:
        """What is pickled holds no weights."""
        inner = resolve(f"fastembed:{E5}", config=CONFIG).inner
        assert inner.dimension == 2
        copy = pickle.loads(pickle.dumps(inner))
        assert not copy.local
        assert copy.embed_query("b").tolist() == inner.embed_query("b").tolist()

    def test_a_model_that_the_library_does_not_know(
        self, asked: list[tuple[str, list[str]]]
    ) -> None:
        with pytest.raises(EmbedderUnavailable, match="fastembed:nobody/nothing cannot be loaded"):
            resolve("fastembed:nobody/nothing", config=CONFIG).embed_query("a")

    def test_a_missing_package_or_model_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """When the embedder is named, and not when the first text is to be embedded."""
        for name in ("fastembed", "sentence-transformers", "litellm"):
            monkeypatch.setitem(sys.modules, name.replace("-", "_"), None)
            with pytest.raises(ConfigError, match=rf"the extra `cogmem-core\[{name}\]`"):
                resolve(f"{name}:x/y", config=CONFIG)
        for name in ("fastembed", "sentence-transformers", "litellm", "ollama"):
            with pytest.raises(ConfigError, match=f"names no model; write {name}:<model>, such as"):
                resolve(f"{name}:", config=CONFIG)


@each_row(
    ("model", "query", "passage"),
    [*rows_of("embedder_named/known_models_have_prefixes"), (E5, "query: ", "passage: ")],
)
def test_known_models_have_prefixes(model: str, query: str, passage: str) -> None:
    """Whoever serves them, and however that spells their names."""
    assert prefixes_of(model) == (query, passage)


def test_ollama_answers_as_openai_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """The address is that of `OLLAMA_HOST`; the fingerprint names Ollama."""
    inputs: list[list[str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            inputs.append(request["input"])
            data = [
                {"object": "embedding", "index": place, "embedding": [float(len(text)), 1.0]}
                for place, text in enumerate(request["input"])
            ]
            body = json.dumps({"object": "list", "model": request["model"], "data": data}).encode()
            self.send_response(200 if self.path == "/v1/embeddings" else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: object) -> None:
            return None

    server = LoopbackServer(Handler)
    monkeypatch.setenv("OLLAMA_HOST", server.address)
    embedder = resolve("ollama:nomic-embed-text", config=CONFIG)
    try:
        assert embedder.fingerprint == "ollama:nomic-embed-text:2"
        inputs.clear()
        embedder.embed_documents(["a"])
        embedder.embed_queries(["b", "c"])
    finally:
        embedder.close()
        server.close()
    assert inputs == [["search_document: a"], ["search_query: b", "search_query: c"]]
    assert spec_of("ollama:nomic-embed-text:2") == "ollama:nomic-embed-text"


class TestLiteLLM:
    """Whatever provider litellm reaches."""

    @pytest.fixture
    def calls(self, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
        asked: list[dict[str, Any]] = []

        def embedding(**options: Any) -> Any:
            asked.append(options)
            if len(asked) == 1 and options["model"].startswith("cohere/"):
                request = httpx.Request("POST", "http://localhost")
                raise openai.APIConnectionError(request=request)
            if options["model"] == "broken/model":
                raise openai.OpenAIError("the key sk-123 is wrong")
            return SimpleNamespace(
                data=[{"index": 0, "embedding": [3.0, 4.0]} for _ in options["input"]]
            )

        stand_in(monkeypatch, "litellm", embedding=embedding)
        return asked

    def test_a_provider_is_told_what_is_a_question(
        self, calls: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Lost connections are tried again; an empty text is sent as a blank."""
        monkeypatch.setattr(LiteLLMEmbedder, "backoff_seconds", 0.0)
        model = "cohere/embed-multilingual-v3.0"
        embedder = resolve(f"litellm:{model}", config=CONFIG)
        assert embedder.fingerprint == f"litellm:{model}:2"
        embedder.embed_documents(["a", ""])
        assert [call["input_type"] for call in calls] == ["search_query"] * 2 + ["search_document"]
        assert calls[-1]["input"] == ["a", " "]
        assert (calls[-1]["timeout"], calls[-1]["num_retries"]) == (5.0, 0)

    def test_a_failure_names_the_embedder_and_quotes_nothing(
        self, calls: list[dict[str, Any]]
    ) -> None:
        embedder = resolve("litellm:broken/model", config=CONFIG)
        assert isinstance(embedder, CheckedEmbedder)
        with pytest.raises(EmbedderUnavailable, match="litellm:broken/model") as caught:
            embedder.embed_query("a")
        assert "sk-123" not in str(caught.value)
        assert "input_type" not in calls[-1]
