"""The store beside LangGraph's own `InMemoryStore`, with the same embedding function, over random operations."""

import random
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings
from langgraph.store.base import (
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    SearchItem,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

import cogmem_core
from cogmem_core import Engine
from cogmem_core.ports import Embedder
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.tables import rows_of
from langchain_cogmem.store import CogMemStore

SEQUENCES, BATCHES = 25, 4
QUICK = 25
ALL = 1_000_000
LABELS = rows_of("store_differential/labels")
KEYS = ("k", "K", "k1", "%", "_k", "ключ", "line\n", "", "'")
WORDS = rows_of("store_differential/words")
FILTERS: tuple[dict[str, Any], ...] = (
    {"kind": "note"},
    {"kind": {"$eq": "note"}},
    {"kind": {"$ne": "note"}},
    {"n": {"$gt": 3}},
    {"n": {"$gte": 3, "$lt": 7.5}},
    {"n": {"$lte": "4"}},
    {"meta": {"deep": {"level": 2}}},
    {"meta": {"deep": {"level": {"$gte": 2}}}},
    {"tags": ["rain"]},
    {"missing": None},
    {"flag": True, "n": {"$gt": 1}},
    {"meta": {}},
)
INDEXES: tuple[Any, ...] = (
    None,
    None,
    None,
    False,
    ["text"],
    ["tags[*]"],
    ["meta.deep", "text"],
    ["missing"],
    [],
)
FIELDS = (["text"], ["$"], ["text", "tags[*]"], ["meta.deep.level"])


class Bridge(Embeddings):
    """The engine's embedder, as LangChain calls it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[float(number) for number in row] for row in self._embedder.embed_documents(texts)]

    def embed_query(self, text: str) -> list[float]:
        return [float(number) for number in self._embedder.embed_query(text)]


class Reference(InMemoryStore):
    """`InMemoryStore` without what is no part of the contract, and what its durable siblings do not do either.

    Vectors of a former value are gone, two items of a batch may hold the same text, and a namespace without items is
    not listed.
    """

    def _extract_texts(self, put_ops: dict[tuple[tuple[str, ...], str], PutOp]) -> Any:
        for namespace, key in put_ops:
            self._vectors[namespace].pop(key, None)
        return super()._extract_texts(put_ops)

    def _insertinmem_store(self, to_embed: dict[str, Any], embeddings: list[list[float]]) -> None:
        for embedding, places in zip(embeddings, to_embed.values(), strict=True):
            for namespace, key, path in places:
                self._vectors[namespace][key][path] = embedding

    def _handle_list_namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        for namespace in [namespace for namespace, items in self._data.items() if not items]:
            del self._data[namespace]
        return super()._handle_list_namespaces(op)


class Pair:
    """Both stores, and when each item was written: the order of a search without a query."""

    def __init__(self, engine: Engine, seed: int) -> None:
        self.random = random.Random(seed)
        fields = self.random.choice(FIELDS)
        embedder = engine.services.embedder
        self.ours = CogMemStore(engine=engine, namespace=f"sequence {seed}", fields=fields)
        self.theirs = Reference(
            index={"dims": embedder.dimension, "embed": Bridge(embedder), "fields": fields}
        )
        common = self.random.sample(LABELS, 3)
        self.spaces = [
            tuple(self.random.choices(common, k=self.random.randint(1, 3))) for _ in range(4)
        ]
        self.keys = self.random.sample(KEYS, 3)
        self.clock = count()
        self.written: dict[tuple[tuple[str, ...], str], int] = {}

    def ops(self) -> list[Op]:
        """A batch: the first one writes only, the others mostly read."""
        if not self.written:
            return [self._put() for _ in range(6)]
        return [self._op() for _ in range(self.random.randint(3, 8))]

    def _put(self) -> PutOp:
        pick = self.random
        return PutOp(
            pick.choice(self.spaces), pick.choice(self.keys), self._value(), pick.choice(INDEXES)
        )

    def _op(self) -> Op:
        pick = self.random
        kind = pick.choices(("put", "delete", "get", "search", "list"), (4, 1, 2, 6, 1))[0]
        if kind == "put":
            return self._put()
        if kind == "delete":
            return PutOp(pick.choice(self.spaces), pick.choice(self.keys), None)
        if kind == "get":
            return GetOp(pick.choice(self.spaces), pick.choice(self.keys))
        if kind == "list":
            return self._listing()
        query = " ".join(pick.choices(WORDS, k=pick.randint(1, 3))) if pick.random() < 0.6 else None
        prefix, limit, offset = (
            self._prefix(),
            pick.choice((0, 1, 2, 3, 10, 10, 50)),
            pick.choice((0, 0, 0, 1, 2)),
        )
        return SearchOp(
            prefix, pick.choice(FILTERS) if pick.random() < 0.5 else None, limit, offset, query
        )

    def _listing(self) -> ListNamespacesOp:
        pick = self.random
        given = [
            (kind, pick.choice(self.spaces))
            for kind in pick.choices(("prefix", "suffix"), k=pick.randint(0, 2))
        ]
        conditions = tuple(MatchCondition(kind, self._part(kind, space)) for kind, space in given)
        depth, limit, offset = (
            pick.choice((None, None, 1, 2)),
            pick.choice((2, 100, 100)),
            pick.choice((0, 0, 1)),
        )
        return ListNamespacesOp(conditions or None, depth, limit, offset)

    def _part(self, kind: Any, space: tuple[str, ...]) -> tuple[str, ...]:
        length = self.random.randint(1, len(space))
        part = space[:length] if kind == "prefix" else space[-length:]
        return tuple(self.random.choice((label, label, label, "*")) for label in part)

    def _prefix(self) -> tuple[str, ...]:
        """Of a namespace that may hold something, or one label beside it."""
        space = self.random.choice(self.spaces)
        prefix = space[: self.random.choice((0, 0, 0, 1, 1, 2))]
        return (
            (*prefix[:-1], self.random.choice(LABELS))
            if prefix and self.random.random() < 0.15
            else prefix
        )

    def _value(self) -> dict[str, Any]:
        pick = self.random
        value: dict[str, Any] = {
            "text": " ".join(pick.choices(WORDS, k=pick.randint(1, 4))),
            "n": pick.choice((0, 1, 2.5, 3, 4, 8, -1)),
            "kind": pick.choice(("note", "Note", "task")),
            "tags": pick.choices(WORDS[:9], k=pick.randint(0, 2)),
            "meta": {"deep": {"level": pick.randint(0, 3)}, "none": None},
            "flag": pick.random() < 0.5,
        }
        return value

    def note(self, ops: Sequence[Op]) -> None:
        """Remember in which order items were written."""
        for op in ops:
            if isinstance(op, PutOp):
                self.written[op.namespace, op.key] = next(self.clock)


def wide(op: Op) -> Op:
    """The same search, without cutting anything off: where to cut depends on an order that is not the contract's."""
    return op._replace(limit=ALL, offset=0) if isinstance(op, SearchOp) else op


def shown(item: Item) -> tuple[tuple[str, ...], str, dict[str, Any]]:
    return item.namespace, item.key, item.value


def compare(pair: Pair, op: Op, ours: Any, theirs: Any) -> None:
    """One result beside the other, theirs uncut."""
    if isinstance(op, SearchOp):
        compare_search(pair, op, ours, theirs)
    elif isinstance(op, GetOp):
        assert (ours and shown(ours)) == (theirs and shown(theirs)), op
    else:
        assert ours == theirs, op


def compare_search(
    pair: Pair, op: SearchOp, ours: list[SearchItem], theirs: list[SearchItem]
) -> None:
    """The best first, then those without a score, the newest first; equal scores in any order."""
    order = {(item.namespace, item.key): item for item in theirs}
    newest = sorted(
        (at for at, item in order.items() if item.score is None),
        key=pair.written.__getitem__,
        reverse=True,
    )
    scores = sorted((item.score for item in theirs if item.score is not None), reverse=True)
    cut = slice(op.offset, op.offset + op.limit)
    page = [*scores, *newest][cut]
    assert len(ours) == len(page), op
    for item, place in zip(ours, page, strict=True):
        same = order[item.namespace, item.key]
        assert shown(item) == shown(same), op
        if same.score is None:
            assert (item.score, (item.namespace, item.key)) == (None, place), op
        else:
            assert item.score == pytest.approx(same.score, abs=2e-6), op
            assert item.score == pytest.approx(place, abs=2e-6), op
    assert len({(item.namespace, item.key) for item in ours}) == len(ours)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """Without its background work, which is of no concern here."""
    with cogmem_core.open(embedder="hashing", clock=FrozenClock(), config=MANUAL) as engine:
        engine.pause()
        yield engine


def starts(first: int, end: int, quick: int) -> list[Any]:
    """Where series of sequences begin; those from `quick` on are run by `make fault`."""
    late = range(first + quick, end, SEQUENCES)
    return [
        *range(first, first + quick, SEQUENCES),
        *(pytest.param(start, marks=pytest.mark.thorough) for start in late),
    ]


@pytest.mark.parametrize("first", starts(0, 500, QUICK))
def test_five_hundred_sequences_of_batches_give_the_same(engine: Engine, first: int) -> None:
    """INTERFACES scenario 15: "500 random ops equal to InMemoryStore"; each sequence has five batches."""
    for seed in range(first, first + SEQUENCES):
        pair = Pair(engine, seed)
        for _ in range(BATCHES):
            ops = pair.ops()
            ours, theirs = pair.ours.batch(ops), pair.theirs.batch([wide(op) for op in ops])
            for op, mine, other in zip(ops, ours, theirs, strict=True):
                compare(pair, op, mine, other)
            pair.note(ops)
