"""`LangChainEmbedder`: the engine works with an application's own embeddings."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings
from langchain_openai import OpenAIEmbeddings

import cogmem_core
from cogmem_core import EmbedderMismatch, InvalidInput
from cogmem_core.ports import Embedder
from cogmem_core.testing import MANUAL
from helpers.loopback_llm import LoopbackServer
from langchain_cogmem.bridges import LangChainEmbedder


class Counted(Embeddings):
    """Counts what is asked; breaks on demand."""

    def __init__(self, size: int = 8) -> None:
        self.inner, self.queries, self.batches = (
            DeterministicFakeEmbedding(size=size),
            list[str](),
            list[int](),
        )
        self.failure: Exception | None = None

    def embed_query(self, text: str) -> list[float]:
        self.queries.append(text)
        if self.failure:
            raise self.failure
        return self.inner.embed_query(text)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.batches.append(len(texts))
        if self.failure:
            raise self.failure
        return self.inner.embed_documents(texts)


def test_an_engine_embeds_with_it_over_http(server: LoopbackServer) -> None:
    """OpenAIEmbeddings and a server on the loopback: the fingerprint names class, model and dimension."""
    embeddings = OpenAIEmbeddings(
        model="loopback-small",
        base_url=server.address,
        api_key="any",
        check_embedding_ctx_length=False,
    )
    embedder = LangChainEmbedder(embeddings)
    assert isinstance(embedder, Embedder)
    with cogmem_core.open(embedder=embedder, config=MANUAL) as engine:
        engine.bank("ann").remember("I moved to Lisbon in May")
        assert engine.health()["embedder"] == "langchain:OpenAIEmbeddings:loopback-small:8"
        assert engine.bank("ann").recall("Lisbon").results[0].content == "I moved to Lisbon in May"


def test_vectors_come_as_float32_of_the_right_shape() -> None:
    """`ports.Embedder`: rows for texts, one row for a query; no text, no request."""
    embeddings = Counted(size=5)
    embedder = LangChainEmbedder(embeddings)
    rows = embedder.embed_documents(["a", "b"])
    assert (rows.shape, rows.dtype) == ((2, 5), np.dtype("float32"))
    assert embedder.embed_query("a").shape == (5,)
    assert embedder.embed_documents([]).shape == (0, 5)
    assert embeddings.batches == [2]
    np.testing.assert_allclose(rows[0], embeddings.inner.embed_query("a"), rtol=1e-6)


def test_the_dimension_is_measured_once_whoever_asks_first() -> None:
    """One request, also from eight threads at the same time."""
    embeddings = Counted()
    embedder = LangChainEmbedder(embeddings)
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: embedder.dimension, range(32))) == {8}
    assert embedder.fingerprint == "langchain:Counted:8"
    assert embeddings.queries == ["dimension"]


def test_a_bank_opens_only_with_the_model_it_was_written_with(tmp_path: Path) -> None:
    """A name tells apart what class and dimension do not."""
    folder = tmp_path / "brain"
    with cogmem_core.open(
        folder, embedder=LangChainEmbedder(Counted(), name="mine-v1"), config=MANUAL
    ) as engine:
        engine.bank("ann").remember("I moved to Lisbon in May")
    with cogmem_core.open(
        folder, embedder=LangChainEmbedder(Counted(), name="mine-v1"), config=MANUAL
    ) as engine:
        assert engine.bank("ann").count() == 1
    with pytest.raises(EmbedderMismatch, match="langchain:mine-v1:8"):
        cogmem_core.open(
            folder, embedder=LangChainEmbedder(Counted(), name="mine-v2"), config=MANUAL
        )


def test_embeddings_that_fail_leave_turns_queued() -> None:
    """The engine's own rule for a broken embedder holds for these, too."""
    embeddings = Counted()
    with cogmem_core.open(embedder=LangChainEmbedder(embeddings), config=MANUAL) as engine:
        bank = engine.bank("ann")
        bank.remember("I like green tea")
        engine.pause()
        embeddings.failure = OSError("no network")
        receipt = bank.remember("I moved to Lisbon in May").receipts[0]
        assert receipt.status == "queued"
        assert "embed_documents failed with OSError" in receipt.reason
        embeddings.failure = None
        engine.resume()
        engine.flush()
        assert bank.count() == 2


def test_what_is_no_embeddings_is_refused() -> None:
    """Each message says what to give."""
    with pytest.raises(InvalidInput, match="embeddings is a str; give LangChain embeddings"):
        LangChainEmbedder("text-embedding-3-small")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="name is ' '; name the model, or leave it out"):
        LangChainEmbedder(Counted(), name=" ")
