"""What the ledger tells about the past, what proved useful, and what ranking is told about a memory."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from sqlalchemy import event

from cogmem_core.changes import Actor, Change, Link, Put, Retire, Revive, Rewrite, Touch, apply
from cogmem_core.config import StorageConfig
from cogmem_core.models import Memory, Relation
from cogmem_core.ports import Stored
from cogmem_core.storage.ledger.candidates import candidate_of
from cogmem_core.storage.ledger.codec import encode_time
from cogmem_core.storage.ledger.ledger import Ledger
from cogmem_core.storage.ledger.schema import shard_of
from cogmem_core.testing import FrozenClock
from cogmem_core.text.keys import content_hash
from helpers.store_kinds import erase_rows
from helpers.tables import each_case_of

NOON = FrozenClock().now
DREAM = Actor("dream", "run-1")


def stored(name: str, text: str = "", **more: Any) -> Stored:
    namespace, number = more.pop("namespace", "ns"), more.pop("number", 1.0)
    said, content = more.pop("said", NOON), text or f"text of {name}"
    memory = Memory(name, namespace, content, content_hash(content), said, said, said, **more)
    return Stored(
        memory, f"key: {content}", np.array([number, 2.0], dtype=np.float32), f"toy-{number}"
    )


class Book:
    """A ledger in memory with a clock to move."""

    def __init__(self) -> None:
        self.clock = FrozenClock()
        self.ledger = Ledger(None, StorageConfig(), self.clock)

    def do(self, *changes: Change, actor: Actor | None = None, namespace: str = "ns") -> None:
        with self.ledger.writing() as writer:
            done = apply(writer, namespace, changes, now=self.clock(), actor=actor or Actor("user"))
        assert done.refused == ()

    def ask(self, query: str, *arguments: Any, **more: Any) -> Any:
        with self.ledger.whole() as reader:
            namespace, *rest = arguments
            table, method = query.split(".")
            return getattr(getattr(reader.at(namespace), table), method)(*rest, **more)


@pytest.fixture
def book() -> Iterator[Book]:
    found = Book()
    yield found
    found.ledger.close()


def after(hours: float) -> datetime:
    return NOON + timedelta(hours=hours)


def test_the_other_namespace_of_these_tests_shares_the_shard() -> None:
    """Or it would be told apart by the shard alone."""
    assert (shard_of("ns"), shard_of("beside")) == (11, 11)


def test_a_former_text_comes_with_its_own_hash_key_and_vector(book: Book) -> None:
    """It is searched as it was, without being embedded again; all else about the memory is as it is now."""
    book.do(Put(stored("a", "Lives in  Rome", number=3.0), "said"))
    book.clock.advance(hours=1)
    book.do(
        Rewrite(stored("a", "lives in Oslo", tags=("home",)), "edited"),
        Touch("a", {"utility": 0.9}, "used"),
    )
    book.do(Retire("a", "dormant", "faded"))
    row = book.ask("history.former", "ns", NOON)["a"]
    assert row.memory.content == "Lives in  Rome"
    # SHA-256 of "lives in rome"
    assert (
        row.memory.content_hash
        == "bcc8d082d3d12e6a0fcf29aa8379b8298ce20a8effda9ccda701ec3e29c79182"
    )
    assert (row.key, row.vector.tolist(), row.fingerprint) == (
        "key: Lives in  Rome",
        [3.0, 2.0],
        "toy-3.0",
    )
    assert (row.memory.utility, row.memory.tags, row.memory.state) == (0.9, ("home",), "dormant")


def test_former_texts_stay_inside_their_namespace(book: Book) -> None:
    """One namespace never sees another; what was erased is not in any."""
    for namespace, name in (("ns", "a"), ("ns", "gone"), ("beside", "b")):
        book.do(Put(stored(name, namespace=namespace), "said"), namespace=namespace)
    book.clock.advance(hours=1)
    for namespace, name in (("ns", "a"), ("ns", "gone"), ("beside", "b")):
        book.do(Rewrite(stored(name, "new", namespace=namespace), "edited"), namespace=namespace)
    erase_rows(book.ledger, "ns", ["gone"])
    assert list(book.ask("history.former", "ns", NOON)) == ["a"]
    assert list(book.ask("history.former", "beside", NOON)) == ["b"]
    assert book.ask("history.former", "unknown", NOON) == {}


def test_turning_points_are_when_a_memory_left_recall_and_came_back(book: Book) -> None:
    """`as_of=datetime` (what was valid then): its states in time, oldest first, and nothing else."""
    book.do(*(Put(stored(name), "said") for name in "abc"))
    for number, change in enumerate(
        [
            Retire("a", "dormant", "faded"),
            Touch("a", {"utility": 0.9}, "used"),
            Revive("a", "needed"),
            Retire("b", "superseded", "replaced", {"superseded_by": "c"}),
            Rewrite(stored("a", "new"), "edited"),
            Retire("a", "forgotten", "asked for"),
        ]
    ):
        book.clock.advance(hours=1)
        book.do(change, actor=DREAM if number == 0 else None)

    found = book.ask("history.turning_points", "ns", ["b", "a", "c", "unknown", "a"])
    told = {
        name: [(e.seq, e.kind, e.actor, e.reason, e.at) for e in entries]
        for name, entries in found.items()
    }
    assert told == {
        "a": [
            (4, "retire", "dream", "faded", after(1)),
            (6, "revive", "user", "needed", after(3)),
            (9, "retire", "user", "asked for", after(6)),
        ],
        "b": [(7, "retire", "user", "replaced", after(4))],
    }
    assert (found["a"][0].run_id, found["a"][0].before) == (
        "run-1",
        {"state": "active", "updated_at": after(0)},
    )
    assert found["b"][0].before == {"state": "active", "superseded_by": None}
    assert book.ask("history.turning_points", "beside", ["a"]) == {}
    assert book.ask("history.turning_points", "ns", []) == {}


def link(source: str, target: str, kind: Any = "related_to", **more: Any) -> Link:
    return Link(Relation("ns", source, target, kind, **more), "found")


def test_relations_of_many_memories_come_once_each_in_order(book: Book) -> None:
    """Associative expansion; source or target, by type, source and target."""
    book.do(*(Put(stored(name), "said") for name in "abcd"))
    book.do(
        link("c", "d"),
        link("b", "a", weight=0.4, confidence=0.5, created_at=NOON, last_activated_at=after(1)),
        link("a", "b", "causes"),
        link("a", "c"),
        link("a", "b"),
    )
    found = book.ask("relations.of_memories", "ns", ["b", "a", "b"])
    assert [(x.type, x.source_id, x.target_id) for x in found] == [
        ("causes", "a", "b"),
        ("related_to", "a", "b"),
        ("related_to", "a", "c"),
        ("related_to", "b", "a"),
    ]
    assert found[3] == Relation("ns", "b", "a", "related_to", 0.4, 0.5, NOON, after(1))
    assert [x.source_id for x in book.ask("relations.of_memories", "ns", ["d"])] == ["c"]
    assert book.ask("relations.of_memories", "beside", ["a"]) == []
    assert book.ask("relations.of_memories", "ns", []) == []


def test_relations_of_more_memories_than_one_query_may_name(book: Book) -> None:
    """900 ids per query; a relation between two parts comes once."""
    names = [f"m{number:04}" for number in range(1_000)]
    book.do(*(Put(stored(name), "said") for name in names))
    book.do(link("m0999", "m0000"), link("m0001", "m0950"))
    found = book.ask("relations.of_memories", "ns", names)
    assert [(x.source_id, x.target_id) for x in found] == [("m0001", "m0950"), ("m0999", "m0000")]


@each_case_of("looking_back/what_is_asked_by_ids_never_walks_the_namespace")
def test_what_is_asked_by_ids_never_walks_the_namespace(
    book: Book, query: str, indexes: list[str]
) -> None:
    """40 ids among 100,000 relations: only the keys that hold the ids serve."""
    plans: list[str] = []

    def explain(
        connection: Any, _cursor: Any, statement: str, parameters: Any, *_rest: Any
    ) -> None:
        raw = connection.connection.driver_connection
        rows = raw.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
        plans.extend(row[3] for row in rows if row[3].startswith(("SEARCH", "SCAN")))

    event.listen(book.ledger.database.engine, "before_cursor_execute", explain)
    book.ask(query, "ns", ["a", "b"])
    event.remove(book.ledger.database.engine, "before_cursor_execute", explain)
    assert len(plans) == len(indexes)
    assert all(index in plan for index, plan in zip(indexes, plans, strict=True)), plans


def useful(book: Book, **more: Any) -> list[str]:
    least = {"utility": 0.8, "accesses": 10, "since": NOON - timedelta(days=30), "limit": 15}
    found: list[str] = book.ask("overview.most_useful", "ns", **{**least, **more})
    return found


def test_what_a_tool_or_an_assistant_said_never_becomes_core_knowledge(book: Book) -> None:
    """Only what is fully trusted, or what a person said."""
    worth = {"utility": 0.9, "access_count": 20}
    book.do(
        Put(stored("mine", data_source="user_message", trust=0.5, **worth), "said"),
        Put(stored("sure", data_source="federation", trust=1.0, **worth), "said"),
        Put(stored("said", data_source="assistant_message", trust=0.8, **worth), "said"),
        Put(stored("tool", data_source="system", trust=0.6, **worth), "said"),
    )
    assert useful(book) == ["mine", "sure"]


def test_ranking_sees_text_entities_use_mood_and_origin(book: Book) -> None:
    """Boosts by entity, sub-tier, mood and source confidence; activation over real access history."""
    uris = ("entity://tech/docker", "entity://person/ana")
    told = {
        "valence": -0.5,
        "source_confidence": 0.4,
        "data_source": "federation",
        "superseded_by": "b",
    }
    book.do(
        Put(
            stored(
                "a",
                "Does Ana use Docker?",
                entities=uris,
                access_count=7,
                last_retrieved_at=NOON,
                **told,
            ),
            "said",
        ),
        Put(stored("b", "Ja, täglich 茶"), "said"),
    )
    found = book.ask("memories.candidates", "ns", ["a", "b", "unknown"])
    a, b = found["a"], found["b"]
    assert sorted(found) == ["a", "b"]
    assert (a.characters, a.asks, a.entities) == (20, True, uris)
    assert (a.access_count, a.last_retrieved_at) == (7, encode_time(NOON))
    assert (a.valence, a.source_confidence, a.data_source, a.superseded_by) == (
        -0.5,
        0.4,
        "federation",
        "b",
    )
    assert (b.characters, b.asks, b.entities, b.access_count) == (13, False, (), 0)
    assert (b.last_retrieved_at, b.superseded_by, b.data_source) == (None, None, "user_message")
    assert (a.turn, b.turn) == ("a", "b")
    assert candidate_of(book.ask("memories.by_ids", "ns", ["a"])["a"]) == a


def test_an_empty_text_asks_nothing(book: Book) -> None:
    """White space at the end counts as a character."""
    book.do(Put(stored("a", "? "), "said"))
    spaced = book.ask("memories.candidates", "ns", ["a"])["a"]
    assert (spaced.characters, spaced.asks) == (2, False)
    with book.ledger.writing() as writer:
        writer.at("ns").memories.update({"a": {"content": ""}})
    empty = book.ask("memories.candidates", "ns", ["a"])["a"]
    assert (empty.characters, empty.asks) == (0, False)


def test_the_histogram_of_retention_reads_neither_texts_nor_vectors(book: Book) -> None:
    """What decay needs is there; the rest is blank, so that a large namespace is read quickly."""
    book.do(
        Put(
            stored(
                "a",
                stability=7.0,
                category="plan",
                tier="semantic",
                pinned=True,
                entities=("entity://x",),
            ),
            "said",
        ),
        Put(stored("b", state="dormant"), "said"),
    )
    rows = book.ask("overview.active_strengths", "ns")
    assert (rows.categories, rows.tiers, rows.states) == (("plan",), ("semantic",), ("active",))
    assert (list(rows.pinned), list(rows.stabilities)) == ([True], [7.0])
    assert list(rows.since) == [encode_time(NOON)]
