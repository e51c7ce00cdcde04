"""What `bench_ratios` compares: stores of the same texts with the same vectors, each with its operations by name.

Nothing of a library is imported before its store is made: each store has a process of its own, and what that takes from
its start to its first answer is measured, too.
"""

import importlib.util
import itertools
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from given import DIMENSION, GivenVectors, Line, questions

__all__ = ["FLEETING", "FOUND", "STORES", "Operations", "Store", "is_here"]

FOUND = 8
"""Results of each search."""
_MOST = 500  # texts written at once
Operations = Mapping[str, Callable[[str], object]]


class Store(Protocol):
    """A store in a folder; opened again, it holds what it held.

    Attributes:
        operations: by name; each gets a text.
    """

    operations: Operations

    def fill(self, lines: Sequence[Line]) -> None:
        """Keep many messages as they are."""

    def close(self) -> None:
        """Write down what is not written yet."""


def alone(text: str) -> Line:
    """A message of no conversation that was before."""
    return Line(text, "Maren", "now", 0.0)


def _parts(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    for start in range(0, len(lines), _MOST):
        yield lines[start : start + _MOST]


class _Cogmem(Store):
    def __init__(self, place: Path) -> None:
        import cogmem_core

        self._engine = cogmem_core.open(place, embedder=GivenVectors())
        self._bank = self._engine.bank("one")
        self.operations = {
            "recall": lambda text: self._bank.recall(text, k=FOUND),
            "recall and context": lambda text: self._bank.recall(text, k=FOUND).context(),
            "remember": self._bank.remember,
            "remember as said": lambda text: self._bank.remember(text, mode="raw"),
            "add": self._bank.add,
        }

    def fill(self, lines: Sequence[Line]) -> None:
        from cogmem_core import Turn

        first = datetime(2026, 1, 1, tzinfo=timezone.utc)
        for part in _parts(lines):
            turns = [
                Turn(
                    line.text,
                    speaker=line.speaker,
                    session_id=line.session,
                    at=first + timedelta(hours=line.hours),
                )
                for line in part
            ]
            report = self._bank.remember(turns, mode="raw")
            self._live_with([name for receipt in report.receipts for name in receipt.memory_ids])
        self._engine.sync()
        self._bank.recall("what is searched in memory is here now")
        self._engine.pause()  # what nobody waits for is not measured

    def _live_with(self, ids: Sequence[str]) -> None:
        """As a bank that is used: 2 % replaced, 1 % put away, answers that were judged."""
        for name in ids[::50]:
            self._bank.supersede(name, f"{self._bank.get(name).content} So it is now.")
        for name in ids[7::100]:
            self._bank.forget(name)
        for question in questions(2, seed=len(ids)):
            found = self._bank.recall(question)
            if found.results:
                self._bank.feedback(found, f"As you said: {found.results[0].memory.content}")

    def close(self) -> None:
        self._engine.close()


class _Chroma(Store):
    def __init__(self, place: Path) -> None:
        import chromadb

        settings = chromadb.Settings(anonymized_telemetry=False)
        client = chromadb.PersistentClient(str(place), settings=settings)
        self._texts = client.get_or_create_collection("one", metadata={"hnsw:space": "cosine"})
        self._given = GivenVectors()
        self._numbers = itertools.count(self._texts.count())
        self.operations = {"query": self._query, "add": lambda text: self.fill([alone(text)])}

    def _query(self, text: str) -> object:
        vector = self._given.embed_query(text)
        wanted: list[Any] = ["documents", "metadatas", "distances"]
        return self._texts.query(query_embeddings=[vector], n_results=FOUND, include=wanted)

    def fill(self, lines: Sequence[Line]) -> None:
        for part in _parts(lines):
            texts = [line.text for line in part]
            self._texts.add(
                ids=[f"memory {next(self._numbers)}" for _ in part],
                embeddings=self._given.embed_documents(texts),
                documents=texts,
                metadatas=[
                    {"speaker": line.speaker, "session": line.session, "at": line.hours}
                    for line in part
                ],
            )

    def close(self) -> None:
        pass


class _Floor(Store):
    """The least that has to be done: an exact search with numpy, rows from SQLite, and one durable commit."""

    def __init__(self, place: Path) -> None:
        place.mkdir(exist_ok=True)
        self._rows = sqlite3.connect(place / "rows.sqlite", isolation_level=None)
        self._rows.execute("PRAGMA journal_mode=WAL")
        self._rows.execute("PRAGMA synchronous=FULL")
        self._rows.execute(
            "CREATE TABLE IF NOT EXISTS texts (id INTEGER PRIMARY KEY, text, vector)"
        )
        self._given = GivenVectors()
        blobs = [row[0] for row in self._rows.execute("SELECT vector FROM texts ORDER BY id")]
        self._matrix = np.frombuffer(b"".join(blobs), dtype=np.float32).reshape(-1, DIMENSION)
        self.operations = {
            "numpy": self._nearest,
            "numpy and rows": lambda text: [
                self._rows.execute(
                    "SELECT text FROM texts WHERE id = ?", (int(row) + 1,)
                ).fetchone()
                for row in self._nearest(text)
            ],
            "commit": self._commit,
        }

    def _nearest(self, text: str) -> Any:
        query = self._given.embed_query(text)
        scores = self._matrix @ (query / np.linalg.norm(query))
        best = np.argpartition(scores, -FOUND)[-FOUND:]
        return best[np.argsort(-scores[best])]

    def _commit(self, text: str) -> None:
        row = (text, self._given.embed_query(text).tobytes())
        self._rows.execute("INSERT INTO texts (text, vector) VALUES (?, ?)", row)

    def fill(self, lines: Sequence[Line]) -> None:
        texts = [line.text for line in lines]
        vectors = self._given.embed_documents(texts)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        self._rows.execute("BEGIN")
        rows = zip(texts, map(np.ndarray.tobytes, vectors), strict=True)
        self._rows.executemany("INSERT INTO texts (text, vector) VALUES (?, ?)", rows)
        self._rows.execute("COMMIT")
        self._matrix = np.concatenate([self._matrix, vectors])

    def close(self) -> None:
        self._rows.close()


def _hashes() -> Any:
    """LangChain's embedder."""
    from langchain_core.embeddings import Embeddings

    given = GivenVectors()

    class Given(Embeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return given.embed_documents(texts).tolist()

        def embed_query(self, text: str) -> list[float]:
            return given.embed_query(text).tolist()

    return Given()


class _LangChain(Store):
    """A retriever on embedded Chroma."""

    def __init__(self, place: Path) -> None:
        from langchain_chroma import Chroma

        store: Any = Chroma("one", _hashes(), persist_directory=str(place))
        retriever = store.as_retriever(search_kwargs={"k": FOUND})
        self._store = store
        self.operations = {"search": retriever.invoke, "add": lambda text: store.add_texts([text])}

    def fill(self, lines: Sequence[Line]) -> None:
        for part in _parts(lines):
            self._store.add_texts([line.text for line in part])

    def close(self) -> None:
        pass


class _LangGraph(Store):
    """`InMemoryStore` with an index; nothing of it is left when the process ends."""

    def __init__(self, place: Path) -> None:
        from langgraph.store.memory import InMemoryStore

        place.mkdir(exist_ok=True)
        self._store = InMemoryStore(
            index={"embed": _hashes(), "dims": DIMENSION, "fields": ["text"]}
        )
        self._numbers = itertools.count()
        self.operations = {
            "search": lambda text: self._store.search(("one",), query=text, limit=FOUND),
            "add": self._put,
        }

    def _put(self, text: str) -> None:
        self._store.put(("one",), str(next(self._numbers)), {"text": text})

    def fill(self, lines: Sequence[Line]) -> None:
        for line in lines:
            self._put(line.text)

    def close(self) -> None:
        pass


class _LlamaIndex(Store):
    """A vector index in its own store; it is written down when it is closed."""

    def __init__(self, place: Path) -> None:
        from llama_index.core import StorageContext, VectorStoreIndex, load_index_from_storage
        from llama_index.core.embeddings import BaseEmbedding
        from llama_index.core.schema import TextNode

        given = GivenVectors()

        class Given(BaseEmbedding):
            def _get_text_embedding(self, text: str) -> list[float]:
                return given.embed_query(text).tolist()

            _get_query_embedding = _get_text_embedding

            async def _aget_query_embedding(self, query: str) -> list[float]:
                return given.embed_query(query).tolist()

        self._place, self._node = str(place), TextNode
        if (place / "docstore.json").exists():
            stored = StorageContext.from_defaults(persist_dir=self._place)
            self._index: Any = load_index_from_storage(stored, embed_model=Given())
        else:
            self._index = VectorStoreIndex([], embed_model=Given())
        retriever = self._index.as_retriever(similarity_top_k=FOUND)
        self.operations = {
            "search": retriever.retrieve,
            "add": lambda text: self.fill([alone(text)]),
        }

    def fill(self, lines: Sequence[Line]) -> None:
        self._index.insert_nodes([self._node(text=line.text) for line in lines])

    def close(self) -> None:
        self._index.storage_context.persist(self._place)


class _Mem0(Store):
    """On embedded Chroma; no language model is asked."""

    def __init__(self, place: Path) -> None:
        from mem0 import Memory

        self._memory: Any = Memory.from_config(
            {
                "vector_store": {
                    "provider": "chroma",
                    "config": {"collection_name": "one", "path": str(place / "db")},
                },
                "embedder": {"provider": "langchain", "config": {"model": _hashes()}},
                "llm": {"provider": "openai", "config": {"api_key": "none is asked"}},
                "history_db_path": str(place / "history.db"),
            }
        )
        self.operations = {
            "search": lambda text: self._memory.search(text, filters={"user_id": "one"}),
            "add": self._add,
        }

    def _add(self, text: str) -> None:
        self._memory.add(text, user_id="one", infer=False)

    def fill(self, lines: Sequence[Line]) -> None:
        for line in lines:
            self._add(line.text)

    def close(self) -> None:
        pass


STORES: Mapping[str, tuple[Callable[[Path], Store], str]] = {
    "cogmem": (_Cogmem, "cogmem_core"),
    "Chroma": (_Chroma, "chromadb"),
    "the floor": (_Floor, "sqlite3"),
    "LangChain on Chroma": (_LangChain, "langchain_chroma"),
    "LangGraph InMemoryStore": (_LangGraph, "langgraph.store.memory"),
    "LlamaIndex": (_LlamaIndex, "llama_index.core"),
    "mem0 on Chroma": (_Mem0, "mem0"),
}
"""Each store, and the module that it needs."""
FLEETING = ("LangGraph InMemoryStore",)
"""Those of which nothing is left when a process ends."""


def is_here(module: str) -> bool:
    """Whether a module can be imported in this environment."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False
