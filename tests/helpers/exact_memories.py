"""A bank whose memories have exact fields: what the tests of the read path work with."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import cogmem_core
from cogmem_core import Config, MemoryBank, Recall
from cogmem_core.base.timeouts import Deadline
from cogmem_core.changes import Actor, Change, Link, Retire, Touch, apply
from cogmem_core.embedders.hashing import HashingEmbedder
from cogmem_core.models import Relation, RelationType
from cogmem_core.ports import FloatArray
from cogmem_core.results import Recalled
from cogmem_core.retrieval.plan import Request, embed_query, make_plan
from cogmem_core.retrieval.search import Ranking, search
from cogmem_core.retrieval.understand import understand
from cogmem_core.testing import FrozenClock, GivenVectors
from helpers.tables import rows_of

STATED = rows_of("exact_memories/stated")
SAID = ("speaker", "at", "session_id", "ref")


class Calls:
    """The hashing embedder, keeping each call that a question makes: the texts of one call are one entry."""

    fingerprint, dimension = "calls-64", 64

    def __init__(self) -> None:
        self.inner = HashingEmbedder(64)
        self.asked: list[list[str]] = []

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        return self.inner.embed_documents(texts)

    def embed_query(self, text: str) -> FloatArray:
        self.asked.append([text])
        return self.inner.embed_query(text)

    def embed_queries(self, texts: Sequence[str]) -> FloatArray:
        self.asked.append(list(texts))
        return self.inner.embed_documents(texts)


@dataclass(frozen=True)
class Shelf:
    """An engine, a bank and a clock that is moved by hand."""

    engine: cogmem_core.Engine
    bank: MemoryBank
    clock: FrozenClock

    def know(self, text: str, *, days: float = 0.0, **fields: Any) -> str:
        """Store a memory so many days ago, with these fields; returns its id."""
        self.clock.advance(days=-days)
        memory = self.bank.add(
            text, **{name: fields.pop(name) for name in (*STATED, *SAID) if name in fields}
        )
        self.clock.advance(days=days)
        if fields:
            self.change(Touch(memory.id, fields, "as the test needs it"))
        return memory.id

    def link(
        self,
        source: str,
        target: str,
        kind: RelationType,
        weight: float = 1.0,
        confidence: float = 1.0,
    ) -> None:
        """Relate two memories today."""
        now = self.clock()
        self.change(
            Link(
                Relation("alice", source, target, kind, weight, confidence, now, now),
                "as the test needs it",
            )
        )

    def retire(self, memory_id: str, state: Any, **fields: Any) -> None:
        """Take a memory out of normal recall, as the dream cycle does."""
        self.change(Retire(memory_id, state, "as the test needs it", fields))

    def change(self, *changes: Change) -> None:
        """Let the system change memories, through the one writer path."""
        with self.engine.services.ledger.writing() as writer:
            applied = apply(writer, "alice", changes, now=self.clock(), actor=Actor("dream"))
        assert applied.refused == ()

    def ask(self, query: str, **more: Any) -> Recall:
        """A recall of the mechanics: nothing is withheld."""
        return self.bank.recall(query, **{"floor": 0.0, **more})

    def walk(self, query: str, **asked: Any) -> Ranking:
        """What a recall comes to before it is presented."""
        services, request = self.engine.services, Request("alice", query, **asked)
        with services.ledger.whole() as reader:
            view = services.searcher.view(reader, "alice")
            question = understand(request.query, speakers=view.speakers)
            plan = make_plan(
                request, question, question.intent, services.config.retrieval, self.clock()
            )
            embedded = embed_query(
                services, view, request, plan, now=self.clock(), deadline=Deadline()
            )
            return search(services, reader, embedded)

    def texts(self, query: str, **more: Any) -> list[str]:
        """What such a recall finds, in order."""
        return [item.content for item in self.ask(query, **more).results]

    def item(self, query: str, memory_id: str, **more: Any) -> Recalled:
        """One memory among what such a recall finds."""
        return next(item for item in self.ask(query, **more).results if item.memory.id == memory_id)


@contextmanager
def shelf(
    config: Config | None = None, vectors: Mapping[str, Sequence[float]] | None = None
) -> Iterator[Shelf]:
    """A shelf in memory; `vectors`: those of texts with these words in them; hashed words if None."""
    clock = FrozenClock()
    embedder = "hashing" if vectors is None else GivenVectors(vectors)
    with cogmem_core.open(embedder=embedder, clock=clock, config=config or Config()) as engine:
        engine.pause()
        yield Shelf(engine, engine.bank("alice"), clock)


def retrieval(config: Config, **settings: Any) -> Config:
    """The configuration with other settings of the read path."""
    return replace(config, retrieval=replace(config.retrieval, **settings))
