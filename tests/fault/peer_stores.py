"""The memories that `peers.py` compares, each behind the same three calls; imported only where they are installed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np

_DIMENSION = 64
_MOST = 100_000


class Store(Protocol):
    """Notes by number."""

    def keep(self, number: int) -> None:
        """Returns when the note is said to be kept."""

    def there(self) -> list[int]:
        """The numbers of all notes, each as often as it is there."""

    def found(self, number: int) -> list[int]:
        """The numbers of what a search for the note's own words finds."""


def words(number: int) -> str:
    """A note."""
    return f"note n{number}q: {hashlib.sha256(str(number).encode()).hexdigest()[:24]}"


def number_of(text: str) -> int:
    """A note's number."""
    match = re.search(r"n(\d+)q", text)
    return int(match.group(1)) if match else -1


def vector(text: str) -> list[float]:
    """The same unit vector for the same text, at random otherwise."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    found = np.random.default_rng(seed).normal(size=_DIMENSION)
    return [float(value) for value in found / np.linalg.norm(found)]


class _Cogmem(Store):
    def __init__(self, place: Path) -> None:
        import cogmem

        self._engine = cogmem.open(place / "bank", embedder="hashing")
        self._bank = self._engine.bank("ann")

    def keep(self, number: int) -> None:
        self._bank.remember(words(number), mode="raw")

    def there(self) -> list[int]:
        return [number_of(memory.content) for memory in self._bank.list(state="any", limit=1_000)]

    def found(self, number: int) -> list[int]:
        return [number_of(one.content) for one in self._bank.recall(words(number), floor=0).results]


class _Mem0(Store):
    def __init__(self, place: Path) -> None:
        from langchain_core.embeddings import Embeddings
        from mem0 import Memory

        class Hashes(Embeddings):
            def embed_documents(self, texts: list[str]) -> list[list[float]]:
                return [vector(text) for text in texts]

            def embed_query(self, text: str) -> list[float]:
                return vector(text)

        self._memory: Any = Memory.from_config(
            {
                "vector_store": {
                    "provider": "chroma",
                    "config": {"collection_name": "bank", "path": str(place / "db")},
                },
                "embedder": {"provider": "langchain", "config": {"model": Hashes()}},
                "llm": {"provider": "openai", "config": {"api_key": "none is asked"}},
                "history_db_path": str(place / "history.db"),
            }
        )

    def keep(self, number: int) -> None:
        self._memory.add(words(number), user_id="ann", infer=False)

    def there(self) -> list[int]:
        found = self._memory.get_all(filters={"user_id": "ann"}, top_k=_MOST)
        return [number_of(one["memory"]) for one in found["results"]]

    def found(self, number: int) -> list[int]:
        found = self._memory.search(words(number), filters={"user_id": "ann"})
        return [number_of(one["memory"]) for one in found["results"]]


class _LlamaIndex(Store):
    """A vector index; with `chroma` in an embedded Chroma, else in its own store, written down after every note."""

    def __init__(self, place: Path, *, chroma: bool) -> None:
        from llama_index.core import StorageContext, VectorStoreIndex, load_index_from_storage
        from llama_index.core.embeddings import BaseEmbedding

        class Hashes(BaseEmbedding):
            def _get_text_embedding(self, text: str) -> list[float]:
                return vector(text)

            _get_query_embedding = _get_text_embedding

            async def _aget_query_embedding(self, query: str) -> list[float]:
                return vector(query)

        self._folder, self._chroma = str(place / "index"), None
        if chroma:
            import chromadb
            from llama_index.vector_stores.chroma import ChromaVectorStore

            self._chroma = chromadb.PersistentClient(self._folder).get_or_create_collection("notes")
            kept = ChromaVectorStore(chroma_collection=self._chroma)
            self._index: Any = VectorStoreIndex.from_vector_store(kept, embed_model=Hashes())
        elif (Path(self._folder) / "docstore.json").exists():
            stored = StorageContext.from_defaults(persist_dir=self._folder)
            self._index = load_index_from_storage(stored, embed_model=Hashes())
        else:
            self._index = VectorStoreIndex([], embed_model=Hashes())

    def keep(self, number: int) -> None:
        from llama_index.core.schema import TextNode

        self._index.insert_nodes([TextNode(text=words(number))])
        if self._chroma is None:
            self._index.storage_context.persist(self._folder)

    def there(self) -> list[int]:
        if self._chroma is not None:
            return [number_of(text) for text in self._chroma.get()["documents"]]
        return [number_of(node.text) for node in self._index.docstore.docs.values()]

    def found(self, number: int) -> list[int]:
        found = self._index.as_retriever(similarity_top_k=10).retrieve(words(number))
        return [number_of(one.text) for one in found]


STORES: Mapping[str, Callable[[Path], Store]] = {
    "cogmem": _Cogmem,
    "mem0": _Mem0,
    "LlamaIndex, Chroma": lambda place: _LlamaIndex(place, chroma=True),
    "LlamaIndex, its own store": lambda place: _LlamaIndex(place, chroma=False),
}
