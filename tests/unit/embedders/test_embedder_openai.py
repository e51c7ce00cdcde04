"""Embeddings from OpenAI-compatible servers; a loopback server plays their part."""

import base64
import json
import os
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import numpy as np
import pytest

from cogmem_core.config import EmbeddingConfig
from cogmem_core.embedders import OpenAIEmbedder, resolve
from cogmem_core.errors import ConfigError, EmbedderUnavailable
from helpers.loopback_server import LoopbackServer


class Server(LoopbackServer):
    """A loopback OpenAI-compatible server: `statuses` are answered first, then vectors `[length of text, 1, ...]`."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.ports: list[int] = []
        self.dimension = 3
        self.vectors: list[list[float]] | None = None
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"  # a connection serves several requests

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.requests.append(request)
                server.keys.append(self.headers["Authorization"])
                server.ports.append(self.client_address[1])
                status = server.statuses.pop(0) if server.statuses else 200
                body = json.dumps(
                    server.answer(request) if status == 200 else {"error": {"message": "no"}}
                ).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_args: object) -> None:
                return None

        super().__init__(Handler)
        self.address += "/v1"

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        dimension = request.get("dimensions", self.dimension)
        vectors = self.vectors
        if vectors is None:
            vectors = [[float(len(text))] + [1.0] * (dimension - 1) for text in request["input"]]
        rows = [
            {"object": "embedding", "index": index, "embedding": self.encode(vector, request)}
            for index, vector in enumerate(vectors)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return {"object": "list", "model": request["model"], "data": rows[::-1], "usage": usage}

    def encode(self, vector: list[float], request: dict[str, Any]) -> Any:
        if request.get("encoding_format") != "base64":
            return vector
        return base64.b64encode(np.array(vector, dtype="<f4").tobytes()).decode()


class Eager(OpenAIEmbedder):
    """Tries again at once."""

    backoff_seconds = 0.0


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


@pytest.fixture
def remote(server: Server) -> Iterator[OpenAIEmbedder]:
    embedder = Eager("tiny", base_url=server.address, api_key="k", timeout=5.0)
    yield embedder
    embedder.close()


class TestOpenAI:
    """Any server with OpenAI's embeddings API."""

    def test_vectors_come_in_the_order_of_the_texts(
        self, remote: OpenAIEmbedder, server: Server
    ) -> None:
        """Rows are ordered by the server's index; one request carries the batch."""
        vectors = remote.embed_documents(["a", "bbb", "cc"])

        assert vectors.tolist() == [[1.0, 1.0, 1.0], [3.0, 1.0, 1.0], [2.0, 1.0, 1.0]]
        assert vectors.dtype == np.float32
        assert len(server.requests) == 1

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
    @pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
    def test_a_forked_child_has_a_connection_of_its_own(
        self, remote: OpenAIEmbedder, server: Server
    ) -> None:
        """Over the parent's it would read answers that are meant for the parent, or for another child."""
        remote.embed_documents(["from the parent"])
        child = os.fork()
        if child == 0:
            os._exit(int(remote.embed_documents(["from the child"]).shape != (1, 3)))
        assert os.waitpid(child, 0)[1] == 0
        remote.embed_documents(["from the parent again"])

        parents, childs, again = server.ports
        assert parents == again
        assert childs != parents

    def test_an_unknown_dimension_costs_one_probe(
        self, remote: OpenAIEmbedder, server: Server
    ) -> None:
        """The fingerprint names the dimension that the server answers with."""
        assert remote.fingerprint == "openai:tiny:3"
        assert remote.dimension == 3
        assert len(server.requests) == 1

    def test_the_first_answer_teaches_the_dimension(
        self, remote: OpenAIEmbedder, server: Server
    ) -> None:
        """No probe is sent after a document was embedded."""
        remote.embed_query("hello")

        assert remote.fingerprint == "openai:tiny:3"
        assert len(server.requests) == 1

    def test_known_models_need_no_network(self) -> None:
        """OpenAI's own models are known by name."""
        assert (
            OpenAIEmbedder("text-embedding-3-small").fingerprint
            == "openai:text-embedding-3-small:1536"
        )
        assert (
            OpenAIEmbedder("text-embedding-3-large", dimension=256).fingerprint
            == "openai:text-embedding-3-large:256"
        )

    def test_a_shortened_dimension_is_asked_for(self, server: Server) -> None:
        """The third generation of models shortens its vectors on request."""
        embedder = Eager("text-embedding-3-small", base_url=server.address, dimension=8)

        assert embedder.embed_query("hello").shape == (8,)
        assert server.requests[0]["dimensions"] == 8
        embedder.close()

    @pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
    def test_transient_refusals_are_tried_again(
        self, remote: OpenAIEmbedder, server: Server, status: int
    ) -> None:
        """Two refusals, then an answer: the caller sees the answer."""
        server.statuses = [status, status]

        assert remote.embed_query("hello").tolist() == [5.0, 1.0, 1.0]
        assert len(server.requests) == 3

    def test_a_server_that_is_not_there_is_a_typed_error(self) -> None:
        """Connection refused, tried twice."""
        embedder = Eager(
            "tiny", base_url="http://127.0.0.1:9/v1", api_key="k", attempts=2, timeout=2.0
        )

        with pytest.raises(EmbedderUnavailable, match="APIConnectionError"):
            embedder.embed_query("hello")
        embedder.close()

    @pytest.mark.parametrize(
        ("vectors", "message"),
        [
            ([[1.0, 2.0, 3.0]], r"shape \(1, 3\) for 2 texts"),
            ([[1.0, float("nan"), 3.0], [1.0, 2.0, 3.0]], "NaN or infinity for 1 of 2 texts"),
            ([[1.0, 2.0], [1.0, 2.0, 3.0]], "did not answer with rows of numbers"),
            (
                [],
                "something else than embeddings|expected one vector per text",
            ),  # by the version of openai
        ],
    )
    def test_wrong_answers_are_typed_errors(
        self, remote: OpenAIEmbedder, server: Server, vectors: list[list[float]], message: str
    ) -> None:
        """A wrong count, uneven rows and values that are not finite never become memories."""
        server.vectors = vectors

        with pytest.raises(EmbedderUnavailable, match=message):
            remote.embed_documents(["a", "b"])

    def test_a_changed_dimension_is_a_typed_error(
        self, remote: OpenAIEmbedder, server: Server
    ) -> None:
        """A server that switches its model behind the name is noticed."""
        remote.embed_query("hello")
        server.dimension = 5

        with pytest.raises(EmbedderUnavailable, match="vectors of 5 numbers; its dimension is 3"):
            remote.embed_query("hello")

    def test_empty_texts_are_sent_as_blanks(self, remote: OpenAIEmbedder, server: Server) -> None:
        """The API refuses empty strings."""
        remote.embed_documents(["", "a"])

        assert server.requests[0]["input"] == [" ", "a"]

    def test_address_and_key_come_from_the_environment(
        self, server: Server, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """OPENAI_BASE_URL and OPENAI_API_KEY are read at the first request."""
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        monkeypatch.setenv("OPENAI_API_KEY", "secret")
        embedder = Eager("tiny")

        embedder.embed_query("hello")

        assert server.keys == ["Bearer secret"]
        assert "secret" not in repr(embedder)
        embedder.close()

    def test_a_missing_key_is_a_typed_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """OpenAI itself needs a key; the message names the variable."""
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

        with pytest.raises(EmbedderUnavailable, match="set OPENAI_API_KEY or pass api_key"):
            OpenAIEmbedder("tiny").embed_query("hello")

    def test_a_missing_package_is_a_typed_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The message names the extra to install."""
        monkeypatch.setitem(sys.modules, "openai", None)

        with pytest.raises(EmbedderUnavailable, match=r"pip install 'openai>=1\.55\.3'"):
            OpenAIEmbedder("tiny", api_key="k").embed_query("hello")

    def test_bad_arguments_are_reported_together(self) -> None:
        """All violations stand in one message."""
        with pytest.raises(
            ConfigError, match=r"model is empty.*timeout is 0.*attempts is 0.*dimension is 0"
        ):
            OpenAIEmbedder("", timeout=0, attempts=0, dimension=0)

    def test_settings_reach_the_remote_embedder(
        self, server: Server, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """`embedding.attempts` bounds the tries."""
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        server.statuses = [500]
        embedder = resolve("openai:tiny", config=EmbeddingConfig(attempts=1))

        with pytest.raises(EmbedderUnavailable):
            embedder.embed_query("hello")
        assert len(server.requests) == 1
        embedder.close()
