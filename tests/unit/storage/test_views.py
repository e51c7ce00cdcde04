"""What is searched in memory: who speaks, the view of active memories and the one of cold memories."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import event

from cogmem_core.changes import (
    Actor,
    Applied,
    Change,
    Link,
    Put,
    Retire,
    Revive,
    Rewrite,
    Touch,
    apply,
)
from cogmem_core.config import StorageConfig
from cogmem_core.models import Memory, Relation
from cogmem_core.ports import FloatArray, Stored
from cogmem_core.storage.ledger.codec import MEMORY_COLUMNS
from cogmem_core.storage.ledger.ledger import Ledger
from cogmem_core.storage.search.conversation_order import Speakers
from cogmem_core.storage.search.corpus import Corpus
from cogmem_core.storage.search.in_memory_index import ViewCache
from cogmem_core.storage.search.saved_views import SavedViews
from cogmem_core.storage.search.searcher import Searcher
from cogmem_core.storage.vectors.chroma.index import ChromaIndex
from cogmem_core.storage.vectors.follower import ChromaFollower
from cogmem_core.testing import FrozenClock
from cogmem_core.text.tokens import tokens
from helpers.servers import examples
from helpers.store_kinds import erase_rows

CLOCK, USER = FrozenClock(), Actor("user")
EAST, NORTH = (1.0, 0.0), (0.0, 1.0)
COLD = ("dormant", "superseded")


def vector(*values: float) -> FloatArray:
    return np.array(values, dtype=np.float32)


def stored(name: str, text: str = "", at: tuple[float, float] = EAST, **more: Any) -> Stored:
    now, content = CLOCK(), text or f"text of {name}"
    namespace, key = more.pop("namespace", "ns"), more.pop("fingerprint", "toy")
    return Stored(
        Memory(name, namespace, content, f"hash-{name}", now, now, now, **more),
        content,
        vector(*at),
        key,
    )


class Bank:
    """A ledger in memory and a searcher over it."""

    def __init__(self, config: StorageConfig | None = None) -> None:
        config = config or StorageConfig()
        self.ledger = Ledger(None, config, CLOCK)
        self.follower = ChromaFollower(
            self.ledger, ChromaIndex(None, self.ledger, "toy", 2, config), config
        )
        self.searcher = Searcher(self.follower, config, SavedViews(None))

    def do(self, *changes: Change, namespace: str = "ns", absorb: bool = True) -> Applied:
        with self.ledger.writing() as writer:
            done = apply(writer, namespace, changes, now=CLOCK(), actor=USER)
        if absorb:
            self.searcher.absorb(namespace, done)
        return done

    def words(self, word: str, *, cold: bool = False, namespace: str = "ns") -> list[str]:
        with self.ledger.whole() as reader:
            view = self.searcher.view(reader, namespace, cold=cold)
            return sorted(hit.id for hit in view.lexical.top(tokens(word), 99))

    def near(
        self, at: tuple[float, float], k: int = 99, *, cold: bool = False
    ) -> list[tuple[str, float]]:
        with self.ledger.whole() as reader:
            view = self.searcher.view(reader, "ns", cold=cold)
            hits = self.searcher.nearest(reader, view, vector(*at), k).hits
        return [(hit.id, round(hit.score, 4)) for hit in hits]

    def among(self, ids: Sequence[str], *, cold: bool) -> list[str]:
        with self.ledger.whole() as reader:
            view = self.searcher.view(reader, "ns", cold=cold)
            return [hit.id for hit in self.searcher.among(reader, view, ids, vector(*EAST), 9).hits]

    def speakers(self) -> list[str]:
        with self.ledger.whole() as reader:
            return sorted(self.searcher.view(reader, "ns").speakers)

    def close(self) -> None:
        self.follower.close()
        self.ledger.close()


@contextmanager
def opened(config: StorageConfig | None = None) -> Iterator[Bank]:
    bank = Bank(config)
    try:
        yield bank
    finally:
        bank.close()


@pytest.fixture
def bank() -> Iterator[Bank]:
    with opened() as found:
        yield found


def test_ranking_reads_a_memory_once_until_it_changes(bank: Bank) -> None:
    """A recall of what is held in memory reads no row; what was used since is read anew, whoever used it."""
    bank.do(*(Put(stored(name), "said") for name in "abc"))
    read: list[str] = []

    def note(_c: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if "memories.importance" in statement:
            read.append(statement)

    event.listen(bank.ledger.database.engine, "before_cursor_execute", note)

    at = MEMORY_COLUMNS.index("utility")

    def utilities() -> list[float]:
        with bank.ledger.whole() as reader:
            corpus = Corpus(bank.searcher.view(reader, "ns"))
            columns = corpus.rows(reader.at("ns"), ["c", "a", "unknown"])
            whole = corpus.keyed(reader.at("ns"), ["c", "a", "unknown"])
        assert [whole[name][at] for name in "ca"] == list(columns.values("utility"))
        return [float(value) for value in columns.values("utility")]

    assert utilities() == [0.5, 0.5]
    read.clear()
    with bank.ledger.whole() as reader:
        corpus = Corpus(bank.searcher.view(reader, "ns"))
        assert corpus.rows(reader.at("ns"), ["b", "c"]).ids == ["b", "c"]
        assert list(corpus.keyed(reader.at("ns"), ["a", "c"])) == ["a", "c"]
    assert read == []
    bank.do(Touch("a", {"utility": 0.9}, "used"))
    assert utilities() == [0.5, 0.9]
    bank.do(Touch("a", {"utility": 0.2}, "used"), absorb=False)
    assert utilities() == [0.5, 0.2]


def test_speakers_are_counted_by_memory() -> None:
    """Entity profiles; a name stays known as long as one memory of theirs is left."""
    speakers = Speakers()
    for name, speaker in (("a", "Ana"), ("b", "Ana"), ("c", "Ben"), ("d", None), ("e", "")):
        speakers.add(name, speaker)
    assert set(speakers.names()) == {"Ana", "Ben"}

    speakers.remove("a")
    speakers.remove("c")
    speakers.remove("d")
    speakers.remove("unknown")
    assert set(speakers.names()) == {"Ana"}

    speakers.add("b", "Ben")
    speakers.add("b", "Ben")
    assert set(speakers.names()) == {"Ben"}
    speakers.add("b", None)
    assert set(speakers.names()) == set()


def test_a_tail_row_says_who_speaks(bank: Bank) -> None:
    """A memory's source is its speaker; an erased one has none."""
    bank.do(
        Put(stored("a", speaker="Ana"), "said"),
        Put(stored("b"), "said"),
        Put(stored("c", speaker="Cid"), "said"),
    )
    erase_rows(bank.ledger, "ns", ["c"])
    with bank.ledger.whole() as reader:
        assert [(row.id, row.speaker) for row in reader.at("ns").journal.tail(0, 9)] == [
            ("a", "Ana"),
            ("b", None),
            ("c", None),
        ]


@pytest.mark.parametrize("absorb", [True, False])
def test_the_view_knows_who_speaks_in_active_memories(bank: Bank, absorb: bool) -> None:
    """Written by this process or by another one: names come with memories and leave with the last of theirs."""
    assert bank.speakers() == []
    bank.do(
        Put(stored("a", speaker="Ana"), "said"),
        Put(stored("b", speaker="Ben"), "said"),
        absorb=absorb,
    )
    assert bank.speakers() == ["Ana", "Ben"]
    bank.do(Rewrite(stored("a", "other text", speaker="Eva"), "edited"), absorb=absorb)
    assert bank.speakers() == ["Ben", "Eva"]
    bank.do(Retire("b", "dormant", "faded"), absorb=absorb)
    assert bank.speakers() == ["Eva"]
    bank.do(Revive("b", "needed"), absorb=absorb)
    assert bank.speakers() == ["Ben", "Eva"]


def test_the_cold_view_holds_dormant_and_superseded_memories(bank: Bank) -> None:
    """'Deep recall also searches dormant and superseded'; neither what is active nor what was forgotten."""
    states = ("active", "dormant", "superseded", "quarantined", "forgotten")
    bank.do(*(Put(stored(state, "red boat", state=state), "said") for state in states))
    bank.do(
        Put(stored("elsewhere", "red boat", state="dormant", namespace="beside"), "said"),
        namespace="beside",
    )

    assert bank.words("boat", cold=True) == ["dormant", "superseded"]
    assert bank.near(EAST, cold=True) == [("dormant", 1.0), ("superseded", 1.0)]
    assert bank.words("boat") == ["active"]
    assert bank.near(EAST) == [("active", 1.0)]
    assert bank.words("boat", cold=True, namespace="beside") == ["elsewhere"]
    assert bank.words("boat", cold=True, namespace="unknown") == []


def test_the_cold_view_follows_the_journal(bank: Bank) -> None:
    """Retired later: found; revived, forgotten or erased: gone; retired again with a new text: found by that."""
    bank.do(*(Put(stored(name, "red boat"), "said") for name in "abcd"))
    assert bank.words("boat", cold=True) == []
    bank.do(*(Retire(name, "dormant", "faded") for name in "abcd"))
    assert bank.words("boat", cold=True) == ["a", "b", "c", "d"]
    bank.do(Revive("a", "needed"), Retire("b", "forgotten", "asked for"))
    erase_rows(bank.ledger, "ns", ["c"])
    assert (bank.words("boat", cold=True), bank.near(EAST, cold=True)) == (["d"], [("d", 1.0)])
    bank.do(
        Rewrite(stored("a", "blue kite", NORTH), "edited"), Retire("a", "superseded", "replaced")
    )
    assert (bank.words("boat", cold=True), bank.words("kite", cold=True)) == (["d"], ["a"])
    assert bank.near(NORTH, cold=True) == [("a", 1.0), ("d", 0.0)]


def test_both_views_of_a_namespace_stay_in_memory(bank: Bank) -> None:
    """One does not replace the other, and an empty one is kept too: it is not loaded again for each question."""
    bank.do(Put(stored("a"), "said"))
    with bank.ledger.whole() as reader:
        active, cold = (bank.searcher.view(reader, "ns", cold=cold) for cold in (False, True))
        assert bank.searcher.view(reader, "ns") is active
        assert bank.searcher.view(reader, "ns", cold=True) is cold
    assert bank.searcher.views.loaded("ns") is active
    assert bank.searcher.views.loaded("ns", cold=True) is cold
    assert (active.states, active.cold, cold.states, cold.cold) == (("active",), False, COLD, True)
    assert bank.searcher.views.loaded("other", cold=True) is None


def test_a_write_of_this_process_is_taken_over_by_the_active_view_only(bank: Bank) -> None:
    """The cold view reads it from the journal at its next use."""
    bank.do(Put(stored("a"), "said"), Put(stored("b"), "said"))
    with bank.ledger.whole() as reader:
        active, cold = (bank.searcher.view(reader, "ns", cold=cold) for cold in (False, True))
    bank.do(Retire("a", "dormant", "faded"))
    assert (len(active), active.applied, len(cold), cold.applied) == (1, 3, 0, 2)
    assert bank.words("text", cold=True) == ["a"]
    assert (len(cold), cold.applied) == (1, 3)


def test_a_vector_of_another_embedder_is_found_by_its_words_only(bank: Bank) -> None:
    """Vectors of two fingerprints are never compared, in the cold view neither."""
    old = stored("old", "red boat", state="dormant", fingerprint="former")
    bank.do(Put(old, "said"), Put(stored("new", "red boat", state="dormant"), "said"))
    assert bank.words("boat", cold=True) == ["new", "old"]
    assert bank.near(EAST, cold=True) == [("new", 1.0)]


def test_a_tail_can_be_limited_to_states(bank: Bank) -> None:
    """Rows in these states only, by journal number, page by page; what was erased has no state."""
    bank.do(*(Put(stored(name, state="dormant"), "said") for name in ("b", "a", "d", "x")))
    bank.do(
        Put(stored("c"), "said"),
        Put(stored("e", state="superseded"), "said"),
        Revive("d", "needed"),
    )
    bank.do(Put(stored("f", state="dormant", namespace="beside"), "said"), namespace="beside")
    erase_rows(bank.ledger, "ns", ["x"])
    with bank.ledger.whole() as reader:
        rows = [
            [(row.id, row.seq) for row in reader.at("ns").journal.tail(after, 2, states=COLD)]
            for after in (0, 2, 6)
        ]
        assert rows == [[("b", 1), ("a", 2)], [("e", 6)], []]
        assert [row.id for row in reader.at("ns").journal.tail(0, 9, states=("active",))] == [
            "c",
            "d",
        ]
        assert (reader.at("ns").journal.tail(0, 9, states=COLD)[0].tokens()) == tokens("text of b")
        assert reader.at("ns").journal.tail(0, 9, states=()) == []


def test_the_first_load_of_a_cold_view_never_walks_the_namespace(bank: Bank) -> None:
    """100 cold memories beside 100,000 active ones are loaded by their state, which the index knows."""
    bank.do(Put(stored("a"), "said"), Put(stored("b", state="dormant"), "said"))
    plans: list[str] = []

    def explain(
        connection: Any, _cursor: Any, statement: str, parameters: Any, *_rest: Any
    ) -> None:
        if "FROM memories" in statement:
            raw = connection.connection.driver_connection
            plans.extend(
                row[3] for row in raw.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            )

    event.listen(bank.ledger.database.engine, "before_cursor_execute", explain)
    assert bank.words("text", cold=True) == ["b"]
    event.remove(bank.ledger.database.engine, "before_cursor_execute", explain)

    searches = [plan for plan in plans if plan.startswith("SEARCH")]
    assert any(
        "memories_by_state (shard=? AND namespace=? AND state=?)" in plan for plan in searches
    )
    assert not any(
        "memories_by_seq (shard=? AND namespace=? AND seq>?)" in plan for plan in searches
    )
    assert not any(
        plan.startswith("SCAN memories") or "memories_by_shard_seq" in plan for plan in plans
    )


def test_more_cold_memories_than_a_page_holds_are_all_loaded(bank: Bank) -> None:
    """The first load pages by journal number."""
    rows = [
        stored(f"m{number}", "red boat", state="dormant", seq=number) for number in range(1, 5_003)
    ]
    with bank.ledger.writing() as writer:
        writer.at("ns").journal.allocate(len(rows))
        writer.at("ns").memories.insert(rows)
    with bank.ledger.whole() as reader:
        view = bank.searcher.view(reader, "ns", cold=True)
    assert (len(view), len(view.matrix), view.applied) == (5_002, 5_002, 5_002)


def test_given_memories_are_compared_in_either_view(bank: Bank) -> None:
    """The active view reads from the ledger what it does not hold; the cold one answers for its own only."""
    bank.do(Put(stored("hot", at=NORTH), "said"), Put(stored("warm"), "said"))
    bank.do(
        Put(stored("faded", state="dormant"), "said"),
        Put(stored("old", state="superseded", at=NORTH), "said"),
    )
    ids = ["hot", "faded", "old", "unknown"]
    assert bank.among(ids, cold=True) == ["faded", "old"]
    assert bank.among(ids, cold=False) == ["faded", "hot", "old"]
    assert bank.among(["old"], cold=True) == ["old"]


def test_a_cold_view_is_always_searched_exactly() -> None:
    """However large it is: all its vectors stay in memory, and Chroma is never asked for them."""
    with opened(StorageConfig(index_above=10, write_slice=1)) as bank:
        bank.do(*(Put(stored(f"c{number:02}", state="dormant"), "said") for number in range(30)))
        bank.do(*(Put(stored(f"h{number:02}"), "said") for number in range(30)))
        while bank.follower.step():
            pass
        with bank.ledger.whole() as reader:
            view = bank.searcher.view(reader, "ns", cold=True)
            assert (len(view.matrix), view.matrix_from) == (30, 0)
            many = bank.searcher.nearest_many(
                reader, view, vector(*EAST).reshape(1, 2), 99, thorough=True
            )
        assert bank.follower.covers("ns")
        assert bank.near(EAST, cold=True) == [(f"c{number:02}", 1.0) for number in range(30)]
        assert [hit.id for hit in many[0]] == [f"c{number:02}" for number in range(30)]
        assert (len(view.matrix), view.matrix_from) == (30, 0)
        assert [name[0] for name, _ in bank.near(EAST, 2)] == ["h", "h"]


def cache(*, documents: int) -> ViewCache:
    storage = StorageConfig(lexical_cache_documents=documents)
    return ViewCache(storage, SavedViews(None), fingerprint="toy", dimension=2)


def fill(views: ViewCache, namespace: str, count: int, *, cold: bool = False) -> None:
    rows = [stored(f"{namespace}{number}") for number in range(count)]
    written = Applied({}, (), indexed=tuple(rows), dropped=(), previous_seq=0, last_seq=count)
    views.get(namespace, cold=cold).absorb(written)


def test_views_of_both_kinds_count_when_memory_is_short() -> None:
    """`lexical_cache_documents` bounds all of them together; the least recently used one goes first."""
    views = cache(documents=7)
    fill(views, "a", 2)
    fill(views, "b", 3, cold=True)
    fill(views, "c", 2)
    views.trim()
    assert [
        views.loaded(*key[:1], cold=key[1]) is not None
        for key in (("a", False), ("b", True), ("c", False))
    ] == [True, True, True]
    fill(views, "d", 1)
    views.trim()
    assert (views.loaded("a"), views.loaded("b", cold=True) is None) == (None, False)
    fill(views, "e", 2)
    views.trim()
    assert views.loaded("b", cold=True) is None
    assert all(views.loaded(namespace) is not None for namespace in "cde")


def test_a_namespaces_two_views_do_not_drive_each_other_out() -> None:
    """Deep recall uses both, one after the other: each loading would cost seconds."""
    views = cache(documents=1)
    fill(views, "other", 1)
    fill(views, "ns", 3)
    fill(views, "ns", 3, cold=True)
    views.trim()
    assert views.loaded("other") is None
    assert views.loaded("ns") is not None
    assert views.loaded("ns", cold=True) is not None


def test_other_versions_are_looked_for_only_where_one_may_be(bank: Bank) -> None:
    """A talk has hundreds of relations, and few that say that one memory took the place of another."""

    def link(source: str, target: str, kind: str) -> Link:
        return Link(Relation("ns", source, target, kind, 1.0, 1.0, CLOCK(), CLOCK()), "related")

    bank.do(*(Put(stored(name, "red thing", (1.0, 0.0)), "said") for name in "abcdef"))
    bank.do(link("a", "b", "related_to"), link("c", "d", "revises"), absorb=False)
    with bank.ledger.whole() as reader:
        view = bank.searcher.view(reader, "ns")
        assert view.linked(reader.at("ns"), "abcdef") == ["a", "b", "c", "d"]
        assert view.revising(reader.at("ns"), "abcdef") == ["c", "d"]
    bank.do(link("e", "a", "revises"))
    with bank.ledger.whole() as reader:
        assert view.revising(reader.at("ns"), "abcdef") == ["a", "c", "d", "e"]


def test_who_began_with_nothing_sees_what_another_process_linked(bank: Bank) -> None:
    """The first look at an empty namespace is no reason to know of no relations for good."""
    with bank.ledger.whole() as reader:
        assert bank.searcher.view(reader, "ns").revising(reader.at("ns"), "ab") == []
    puts = [Put(stored(name, "red thing", (1.0, 0.0)), "said") for name in "ab"]
    revised = Relation("ns", "a", "b", "revises", 1.0, 1.0, CLOCK(), CLOCK())
    bank.do(*puts, Link(revised, "related"), absorb=False)
    with bank.ledger.whole() as reader:
        assert bank.searcher.view(reader, "ns").revising(reader.at("ns"), "ab") == ["a", "b"]


NAMES = st.sampled_from("abcde")
WORDS = {"red": (1.0, 0.0), "blue": (0.0, 1.0), "green": (-1.0, 0.0), "white": (0.0, -1.0)}
ACTS = st.tuples(
    st.sampled_from(
        ["put", "edit", "revive", "erase", "look", "touch", "link", *COLD, "forgotten"]
    ),
    NAMES,
    st.sampled_from(sorted(WORDS)),
    st.sampled_from(["Ana", "Ben", None]),
    st.booleans(),
)


def change(bank: Bank, act: str, name: str, word: str, speaker: str | None) -> Change | None:
    """The change that an act means as things stand; None if it means none."""
    with bank.ledger.whole() as reader:
        row = reader.at("ns").memories.stored([name]).get(name)
    fresh = stored(name, f"{word} thing", WORDS[word], speaker=speaker)
    if row is None:
        return Put(fresh, "said") if act == "put" else None
    if act == "edit":
        state = row.memory.state
        return Rewrite(
            stored(name, f"{word} thing", WORDS[word], speaker=speaker, state=state), "edited"
        )
    if act == "touch":
        return Touch(name, {"utility": row.memory.utility / 2, "referenced_at": CLOCK()}, "used")
    if act == "link":
        kind = "revises" if speaker == "Ana" else "causes"
        return Link(Relation("ns", name, word[0], kind, 1.0, 1.0, CLOCK(), CLOCK()), "related")
    if act in (*COLD, "forgotten"):
        return Retire(name, act, "tried")  # type: ignore[arg-type]
    return Revive(name, "tried") if act == "revive" else None


def check(bank: Bank, *, cold: bool) -> None:
    """A view holds exactly what the ledger holds in its states: ids, words, vectors, names, what ranking needs."""
    with bank.ledger.whole() as reader:
        view = bank.searcher.view(reader, "ns", cold=cold)
        tables = reader.at("ns")
        rows = Corpus(view).rows(tables, list("abcde"))
        taken = [rows.at(place) for place in range(len(rows))]
        assert taken == [row for _, row in sorted(tables.memories.candidates("abcde").items())]
        for _ in range(2):
            assert Corpus(view).keyed(tables, "abcde") == tables.memories.keyed("abcde")
        assert all(name in view.lexical for name, _ in view.shown.items())
        relations = tables.relations.of_memories("abcde")
        ends = {end for link in relations for end in (link.source_id, link.target_id)}
        assert ends <= {*view.linked(tables, "abcderbgw")}
        revising = [link for link in relations if link.type == "revises"]
        ends = {end for link in revising for end in (link.source_id, link.target_id)}
        assert ends <= {*view.revising(tables, "abcderbgw")}
        mine = [
            row
            for row in reader.at("ns").memories.stored(list("abcde")).values()
            if row.memory.state in view.states
        ]
    ids = {row.memory.id for row in mine}
    assert ({name for name in "abcde" if name in view.lexical}, len(view), len(view.matrix)) == (
        ids,
        len(ids),
        len(ids),
    )
    for word in WORDS:
        expected = sorted(row.memory.id for row in mine if word in row.memory.content)
        assert sorted(hit.id for hit in view.lexical.top(tokens(word), 9)) == expected
    for row in mine:
        held = view.matrix.get(row.memory.id)
        assert held is not None
        assert held.tolist() == row.vector.tolist()
    assert set(view.speakers) == {row.memory.speaker for row in mine if row.memory.speaker}


@settings(max_examples=examples(25))
@given(st.lists(ACTS, max_size=30))
def test_after_any_changes_both_views_hold_what_the_ledger_holds(
    acts: list[tuple[str, str, str, str | None, bool]],
) -> None:
    """Views are caches: whatever happened, and whoever wrote it, they equal the rows in their states."""
    with opened() as bank:
        for number, (act, name, word, speaker, absorb) in enumerate(acts):
            if act == "look":
                check(bank, cold=absorb)
            elif act == "erase":
                erase_rows(bank.ledger, "ns", [name], job=f"job-{number}")
            elif (proposed := change(bank, act, name, word, speaker)) is not None:
                bank.do(proposed, absorb=absorb)
        check(bank, cold=False)
        check(bank, cold=True)
