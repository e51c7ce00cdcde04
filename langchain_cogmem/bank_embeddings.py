"""The embedder of a bank, as LangChain calls it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_core.embeddings import Embeddings

from langchain_cogmem.bridges import LangChainEmbedder

if TYPE_CHECKING:
    from cogmem_core import Engine
    from cogmem_core.ports import Embedder

__all__ = ["BankEmbeddings", "embeddings_of"]


class BankEmbeddings(Embeddings):
    """The embedder of an engine as LangChain embeddings.

    Args:
        embedder: any `cogmem_core.ports.Embedder`.

    Example:
        >>> from cogmem_core.embedders.hashing import HashingEmbedder
        >>> len(BankEmbeddings(HashingEmbedder(dimension=64)).embed_query("mint"))
        64
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """A vector of each text."""
        return [list(map(float, row)) for row in self._embedder.embed_documents(texts)]

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        return list(map(float, self._embedder.embed_query(text)))


def embeddings_of(engine: Engine) -> Embeddings:
    """What makes the vectors of its banks: the application's own embeddings, if the engine was given some."""
    embedder = engine.services.embedder
    innermost: Any = embedder
    while hasattr(innermost, "inner"):
        innermost = innermost.inner
    if isinstance(innermost, LangChainEmbedder):
        return innermost.embeddings
    return BankEmbeddings(embedder)
