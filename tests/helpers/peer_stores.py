"""Other memories beside cogmem, each behind the same three calls, all with the same vectors.

The libraries get an environment of their own under `.venv-matrix/peers`; they are imported there only.
"""

import hashlib
import re
import subprocess
import venv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from helpers.tables import rows_of

__all__ = ["DIMENSION", "KEPT", "STORES", "Store", "environment", "vector", "words"]

DIMENSION = 64
ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / ".venv-matrix" / "peers"
NEEDED = rows_of("peer_stores/needed")
_MOST = 100_000


def environment() -> str:
    """The interpreter of an environment that has the libraries."""
    python, installed = HOME / "bin" / "python", HOME / "installed"
    if not installed.exists() or installed.read_text(encoding="utf-8") != " ".join(NEEDED):
        venv.create(HOME, with_pip=True, clear=True)
        quiet = ["--quiet", "--disable-pip-version-check"]
        subprocess.run(
            [str(python), "-m", "pip", "install", *quiet, "-e", str(ROOT), *NEEDED], check=True
        )
        installed.write_text(" ".join(NEEDED), encoding="utf-8")
    return str(python)


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
    found = np.random.default_rng(seed).normal(size=DIMENSION)
    return [float(value) for value in found / np.linalg.norm(found)]


class _Given:
    """cogmem's embedder: the same vectors as everybody's."""

    fingerprint, dimension = "given-64", DIMENSION

    def embed_documents(self, texts: Sequence[str]) -> Any:
        return np.array([vector(text) for text in texts], dtype=np.float32)

    def embed_query(self, query: str) -> Any:
        return np.array(vector(query), dtype=np.float32)


class _Cogmem(Store):
    def __init__(self, place: Path) -> None:
        import cogmem_core

        self._engine = cogmem_core.open(place / "bank", embedder=_Given())
        self._bank = self._engine.bank("ann")

    def keep(self, number: int) -> None:
        self._bank.remember(words(number), mode="raw")

    def there(self) -> list[int]:
        return [number_of(memory.content) for memory in self._bank.list(state="any", limit=1_000)]

    def found(self, number: int) -> list[int]:
        return [number_of(one.content) for one in self._bank.recall(words(number), floor=0).results]


class _Mem0(Store):
    def __init__(self, place: Path) -> None:
        from mem0 import Memory

        self._memory: Any = Memory.from_config(
            {
                "vector_store": {
                    "provider": "chroma",
                    "config": {"collection_name": "bank", "path": str(place / "db")},
                },
                "embedder": {"provider": "langchain", "config": {"model": _hashes()}},
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


def _hashes() -> Any:
    """LangChain's embedder."""
    from langchain_core.embeddings import Embeddings

    class Hashes(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [vector(text) for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return vector(text)

    return Hashes()


class _LangChain(Store):
    """`VectorStoreRetrieverMemory` on embedded Chroma."""

    def __init__(self, place: Path) -> None:
        from langchain_chroma import Chroma
        from langchain_classic.memory import VectorStoreRetrieverMemory

        self._store: Any = Chroma("notes", _hashes(), persist_directory=str(place / "chroma"))
        retriever = self._store.as_retriever(search_kwargs={"k": 10})
        self._memory: Any = VectorStoreRetrieverMemory(retriever=retriever, return_docs=True)

    def keep(self, number: int) -> None:
        # It has no call for one note: a turn with an empty answer adds the least to it.
        self._memory.save_context({"input": words(number)}, {"output": ""})

    def there(self) -> list[int]:
        return [number_of(text) for text in self._store.get()["documents"]]

    def found(self, number: int) -> list[int]:
        asked = f"input: {words(number)}\noutput: "
        return [
            number_of(one.page_content)
            for one in self._memory.load_memory_variables({"prompt": asked})["history"]
        ]


class _LangGraph(Store):
    """`InMemoryStore` with an index; nothing of it is left when the process ends."""

    def __init__(self, place: Path) -> None:
        from langgraph.store.memory import InMemoryStore

        self._store = InMemoryStore(
            index={"embed": _hashes(), "dims": DIMENSION, "fields": ["text"]}
        )

    def keep(self, number: int) -> None:
        self._store.put(("ann",), str(number), {"text": words(number)})

    def there(self) -> list[int]:
        return [int(one.key) for one in self._store.search(("ann",), limit=_MOST)]

    def found(self, number: int) -> list[int]:
        return [int(one.key) for one in self._store.search(("ann",), query=words(number), limit=10)]


KEPT = ("cogmem", "mem0", "LlamaIndex, Chroma", "LlamaIndex, its own store")
"""Those that are to be there again in the next process, and are killed by `tests/fault/peers.py`."""
STORES: Mapping[str, Callable[[Path], Store]] = {
    "cogmem": _Cogmem,
    "mem0": _Mem0,
    "LlamaIndex, Chroma": lambda place: _LlamaIndex(place, chroma=True),
    "LlamaIndex, its own store": lambda place: _LlamaIndex(place, chroma=False),
    "LangChain, Chroma": _LangChain,
    "LangGraph, in memory": _LangGraph,
}
