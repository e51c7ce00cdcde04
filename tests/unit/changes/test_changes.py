"""The one writer path: what `changes.apply` carries out, refuses and writes down."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

import numpy as np
import pytest

from cogmem_core.access.patterns import compartment
from cogmem_core.changes import (
    Actor,
    Applied,
    Change,
    Drop,
    Link,
    Mark,
    Move,
    Put,
    Reset,
    Retire,
    Revive,
    Rewrite,
    Touch,
    Unlink,
    Unmark,
    apply,
)
from cogmem_core.config import GuardConfig, StorageConfig
from cogmem_core.errors import StoreError
from cogmem_core.models import (
    REVIEW_KINDS,
    Intention,
    Memory,
    Relation,
    ReviewKind,
    ShortTerm,
    SynapticTag,
)
from cogmem_core.ports import Stored
from cogmem_core.storage.ledger.ledger import Ledger
from cogmem_core.testing import FrozenClock

CLOCK = FrozenClock()
USER, ENCODING, DREAM = Actor("user"), Actor("encoding"), Actor("dream", "run-1")


def stored(name: str, *, namespace: str = "ns", **more: Any) -> Stored:
    now = CLOCK()
    memory = Memory(name, namespace, f"text of {name}", f"hash-{name}", now, now, now, **more)
    return Stored(memory, memory.content, np.ones(4, dtype=np.float32), "test-4")


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    found = Ledger(None, StorageConfig(), CLOCK)
    yield found
    found.close()


def carry_out(
    ledger: Ledger,
    changes: Sequence[Change],
    actor: Actor = USER,
    *,
    namespace: str = "ns",
    review: Sequence[ReviewKind] = (),
) -> Applied:
    guard = GuardConfig(review=tuple(review)) if review else None
    with ledger.writing() as writer:
        return apply(writer, namespace, changes, now=CLOCK(), actor=actor, guard=guard)


def read(ledger: Ledger, name: str) -> Memory:
    with ledger.whole() as reader:
        return reader.at("ns").memories.by_ids([name])[name]


def test_put_stores_and_takes_a_journal_number(ledger: Ledger) -> None:
    """Numbers grow by one per change and are the memory's `seq`."""
    applied = carry_out(ledger, [Put(stored("a"), "said"), Put(stored("b"), "said")])
    assert [m.seq for m in applied.memories.values()] == [1, 2]
    assert (applied.previous_seq, applied.last_seq) == (0, 2)
    assert read(ledger, "b") == applied.memories["b"]


def test_rewrite_keeps_the_former_text_and_bumps_the_version(ledger: Ledger) -> None:
    """The former text is a version; the new one is what is found."""
    carry_out(ledger, [Put(stored("a"), "said")])
    fresh = stored("a")
    memory = Memory("a", "ns", "new text", "hash-new", CLOCK(), CLOCK(), CLOCK())
    carry_out(ledger, [Rewrite(Stored(memory, "new text", fresh.vector, "test-4"), "edited")])
    with ledger.whole() as reader:
        versions = reader.at("ns").history.versions("a")
        row = reader.at("ns").memories.stored(["a"])["a"]
    assert [(v.version, v.content, v.reason) for v in versions] == [(1, "text of a", "edited")]
    assert (row.memory.content, row.memory.version, row.key) == ("new text", 2, "new text")


def test_what_is_put_and_rewritten_at_once_is_inserted_as_it_ends(ledger: Ledger) -> None:
    """One row, with the key of its last text; the first text is a version."""
    memory = Memory("a", "ns", "new text", "hash-new", CLOCK(), CLOCK(), CLOCK())
    last = Stored(memory, "new text", np.zeros(4, dtype=np.float32), "test-4")
    carry_out(ledger, [Put(stored("a"), "said"), Rewrite(last, "edited")])
    with ledger.whole() as reader:
        versions = reader.at("ns").history.versions("a")
        row = reader.at("ns").memories.stored(["a"])["a"]
    assert (row.memory.content, row.memory.version, row.key, float(row.vector.sum())) == (
        "new text",
        2,
        "new text",
        0,
    )
    assert [version.content for version in versions] == ["text of a"]


@pytest.mark.parametrize("flag", ["pinned", "immutable"])
def test_the_dream_never_retires_what_is_protected(ledger: Ledger, flag: str) -> None:
    """Truth anchors override all forgetting; a person's own act is allowed."""
    carry_out(ledger, [Put(stored("a", **{flag: True}), "said")])
    refused = carry_out(ledger, [Retire("a", "dormant", "faded")], DREAM).refused
    assert ([r.reason for r in refused], read(ledger, "a").state) == ([flag], "active")
    carry_out(ledger, [Retire("a", "forgotten", "asked for")], USER)
    assert read(ledger, "a").state == "forgotten"


def test_immutable_is_never_rewritten_not_even_by_a_person(ledger: Ledger) -> None:
    """'Immutable memories additionally cannot be modified' (v9)."""
    carry_out(ledger, [Put(stored("a", immutable=True), "said")])
    applied = carry_out(
        ledger, [Rewrite(stored("a"), "edited"), Touch("a", {"utility": 0.9}, "used")]
    )
    assert [r.reason for r in applied.refused] == ["immutable"]
    assert read(ledger, "a").utility == 0.9


def test_changes_of_one_batch_see_each_other(ledger: Ledger) -> None:
    """A memory can be stored, touched and retired in one transaction."""
    changes = [
        Put(stored("a"), "said"),
        Touch("a", {"access_count": 3}, "used"),
        Retire("a", "dormant", "faded"),
    ]
    applied = carry_out(ledger, changes)
    assert (applied.memories["a"].access_count, applied.memories["a"].state) == (3, "dormant")
    assert (applied.indexed, applied.dropped) == ((), ("a",))
    assert read(ledger, "a") == applied.memories["a"]


def test_the_journal_holds_who_why_and_what_was_before(ledger: Ledger) -> None:
    """Enough to explain a change and to take it back; of a run also when the memory was changed before."""
    carry_out(ledger, [Put(stored("a"), "said")])
    carry_out(ledger, [Retire("a", "superseded", "moved", {"superseded_by": "b"})], DREAM)
    with ledger.whole() as reader:
        entries = reader.at("ns").journal.of_memory("a")
    assert [(e.seq, e.kind, e.actor, e.reason, e.run_id) for e in entries] == [
        (1, "put", "user", "said", None),
        (2, "retire", "dream", "moved", "run-1"),
    ]
    assert entries[1].before == {"state": "active", "superseded_by": None, "updated_at": CLOCK()}


def test_a_touch_leaves_the_indexes_alone(ledger: Ledger) -> None:
    """Counters change no vector, so the row's `seq` stays and nothing is written to Chroma again."""
    carry_out(ledger, [Put(stored("a"), "said")])
    applied = carry_out(ledger, [Touch("a", {"access_count": 1}, "used")])
    assert (applied.memories["a"].seq, applied.last_seq, applied.indexed, applied.dropped) == (
        1,
        2,
        (),
        (),
    )


def test_unknown_and_foreign_memories_are_refused_and_the_rest_goes_on(ledger: Ledger) -> None:
    """A change for another namespace's memory finds nothing."""
    carry_out(ledger, [Put(stored("x", namespace="other"), "said")], namespace="other")
    carry_out(ledger, [Put(stored("a"), "said")])
    intention = Intention("i", "ns", "call Ana", CLOCK(), CLOCK(), when="it rains")
    foreign = [
        Touch("x", {"utility": 0.1}, "no"),
        Rewrite(stored("x"), "no"),
        Move(intention, "no"),
    ]
    applied = carry_out(ledger, [*foreign, Revive("a", "yes")])
    assert [r.reason for r in applied.refused] == ["not found"] * 3
    assert list(applied.memories) == ["a"]


def test_what_waits_takes_its_marks_along_and_waits_until_something_is_decided(
    ledger: Ledger,
) -> None:
    """A step that may not put it away ends no review; the text of a document contradicts nothing."""
    name = str(uuid4())
    tag = SynapticTag(name, "s1", CLOCK(), CLOCK())
    strange = Put(stored(name, pinned=True, data_source="assistant", trust=0.1), "said")
    applied = carry_out(ledger, [strange, Mark(tag, "weak")], ENCODING, review=["untrusted"])
    review = applied.waiting[name]
    assert [r.reason for r in applied.refused] == ["queued for review"]
    refused = carry_out(ledger, [Retire(name, "dormant", "faded")], DREAM).refused
    assert [r.reason for r in refused] == ["pinned", "nothing was decided"]
    with ledger.whole() as reader:
        assert reader.at("ns").reviews.by_ids([review.id])[review.id].state == "waiting"
    item = Put(stored("b", category="item"), "kept")
    assert carry_out(ledger, [item], ENCODING, review=REVIEW_KINDS).waiting == {}


def test_what_is_made_of_a_compartment_rests_on_what_its_memories_do(ledger: Ledger) -> None:
    """A summary in it names no sources of its own; those of what it changes count."""
    name = compartment("home", ["pay", "trip"])
    for memory_id, source in (("a", "pay"), ("b", "trip")):
        put = Put(stored(memory_id, namespace=name), "derived", rests_on=((source, "x"),))
        carry_out(ledger, [put], namespace=name)
    summary = [Put(stored("s", namespace=name), "summary")]
    summary += [Retire(old, "dormant", "summarised", {"superseded_by": "s"}) for old in "ab"]
    carry_out(ledger, summary, DREAM, namespace=name)
    with ledger.whole() as reader:
        sources = reader.at(name).derivations.of(["s"])
    assert sources == {"s": [("pay", "x"), ("trip", "x")]}


def test_a_change_tells_what_it_differs_by() -> None:
    """Former and new values, of the fields that it sets; who only deletes has none to show."""
    memory = stored("a", utility=0.5).memory
    link = Relation("ns", "a", "b", "causes", 0.9)
    shown = {"type": "causes", "target_id": "b", "weight": 0.9}
    rows: list[tuple[Change, dict[str, Any], dict[str, Any]]] = [
        (Touch("a", {"utility": 0.7}, "used"), {"utility": 0.5}, {"utility": 0.7}),
        (Retire("a", "dormant", "faded"), {"state": "active"}, {"state": "dormant"}),
        (Unlink(link, "trimmed"), shown, {}),
        (Drop("a", "undone"), {}, {}),
    ]
    for change, before, after in rows:
        assert change.difference(memory, link) == (before, after), change.kind


def test_links_need_both_ends_and_are_unique(ledger: Ledger) -> None:
    """One row per pair and type; the newer weight stays."""
    carry_out(ledger, [Put(stored("a"), "said"), Put(stored("b"), "said")])
    link = Relation("ns", "a", "b", "elaborates", 0.5, 0.5, CLOCK(), CLOCK())
    stronger = Relation("ns", "a", "b", "elaborates", 0.9, 0.5, CLOCK(), CLOCK())
    dangling = Relation("ns", "a", "nobody", "elaborates")
    applied = carry_out(ledger, [Link(link, "r"), Link(stronger, "r"), Link(dangling, "r")])
    with ledger.whole() as reader:
        assert [(r.type, r.weight) for r in reader.at("ns").relations.of_memory("b")] == [
            ("elaborates", 0.9)
        ]
    assert [r.reason for r in applied.refused] == ["not found"]


def test_a_failure_leaves_nothing_behind(ledger: Ledger) -> None:
    """All of a transaction or nothing."""
    carry_out(ledger, [Put(stored("c"), "said")])
    with pytest.raises(StoreError, match="UNIQUE constraint"):
        carry_out(
            ledger, [Put(stored("a"), "said"), Put(stored("b"), "said"), Put(stored("c"), "said")]
        )
    with ledger.whole() as reader:
        assert (
            list(reader.at("ns").memories.by_ids(["a", "b", "c"])),
            reader.at("ns").journal.last_seq(),
        ) == (["c"], 1)


def test_unlink_takes_away_one_relation_and_leaves_the_others(ledger: Ledger) -> None:
    """Unique per pair and type: another type between the same two stays, and so does the other direction."""
    carry_out(ledger, [Put(stored("a"), "said"), Put(stored("b"), "said")])
    weak, strong = (
        Relation("ns", "a", "b", "related_to", 0.4, 0.4),
        Relation("ns", "a", "b", "causes"),
    )
    back = Relation("ns", "b", "a", "related_to")
    carry_out(ledger, [Link(weak, "r"), Link(strong, "r"), Link(back, "r")])
    carry_out(ledger, [Unlink(weak, "trimmed: too many relations")], DREAM)
    with ledger.whole() as reader:
        left = {
            (r.source_id, r.target_id, r.type) for r in reader.at("ns").relations.of_memory("a")
        }
    assert left == {("a", "b", "causes"), ("b", "a", "related_to")}


def test_the_journal_of_an_unlink_holds_what_undoing_needs(ledger: Ledger) -> None:
    """ "each such act is logged with its reason and can be undone": to whom, of which type, how strong, how sure."""
    carry_out(ledger, [Put(stored("a"), "said"), Put(stored("b"), "said")])
    relation = Relation("ns", "a", "b", "elaborates", 0.8, 0.5, CLOCK(), CLOCK())
    carry_out(ledger, [Link(relation, "elaborates")])
    carry_out(ledger, [Unlink(relation, "trimmed: too many relations")], DREAM)
    with ledger.whole() as reader:
        entry = reader.at("ns").journal.of_memory("a")[-1]
    assert (entry.kind, entry.memory_id, entry.actor, entry.reason) == (
        "unlink",
        "a",
        "dream",
        "trimmed: too many relations",
    )
    assert entry.before == {
        "target_id": "b",
        "type": "elaborates",
        "weight": 0.8,
        "confidence": 0.5,
        "created_at": CLOCK(),
        "last_activated_at": CLOCK(),
    }
    again = Relation("ns", entry.memory_id, **entry.before)
    carry_out(ledger, [Link(again, "undone")])
    with ledger.whole() as reader:
        assert [
            (r.target_id, r.type, r.weight, r.confidence)
            for r in reader.at("ns").relations.of_memory("a")
        ] == [("b", "elaborates", 0.8, 0.5)]


def test_links_are_no_change_of_the_memories_they_join(ledger: Ledger) -> None:
    """Neither version nor place in the journal of either end moves, and no index is written again."""
    carry_out(ledger, [Put(stored("a"), "said"), Put(stored("b"), "said")])
    before = read(ledger, "a"), read(ledger, "b")
    relation = Relation("ns", "a", "b", "elaborates")
    applied = carry_out(ledger, [Link(relation, "r"), Unlink(relation, "r")])
    assert (applied.memories, applied.indexed, applied.dropped, applied.last_seq) == ({}, (), (), 4)
    assert (read(ledger, "a"), read(ledger, "b")) == before


def test_what_a_change_overwrote_can_be_put_back(ledger: Ledger) -> None:
    """`before` holds the former values of just what changed, for a touch and for a retirement."""
    carry_out(ledger, [Put(stored("a", stability=5.0), "said")])
    original = read(ledger, "a")
    carry_out(ledger, [Touch("a", {"stability": 6.5, "access_count": 1}, "captured")])
    carry_out(
        ledger, [Retire("a", "superseded", "moved", {"superseded_by": "b", "valid_until": CLOCK()})]
    )
    with ledger.whole() as reader:
        put, touch, retire = reader.at("ns").journal.of_memory("a")
    assert (put.before, touch.before) == ({}, {"stability": 5.0, "access_count": 0})
    assert retire.before == {"state": "active", "superseded_by": None, "valid_until": None}
    fields = {**touch.before, **{k: v for k, v in retire.before.items() if k != "state"}}
    carry_out(ledger, [Revive("a", "undone", fields)])
    back = read(ledger, "a")
    assert [
        (name, getattr(back, name))
        for name in ("state", "stability", "access_count", "valid_until")
    ] == [
        (name, getattr(original, name))
        for name in ("state", "stability", "access_count", "valid_until")
    ]


def test_of_a_link_and_an_unlink_in_one_batch_the_last_one_counts(ledger: Ledger) -> None:
    """In either order, whatever was there before."""
    carry_out(ledger, [Put(stored("a"), "said"), Put(stored("b"), "said")])
    relation = Relation("ns", "a", "b", "elaborates")
    carry_out(ledger, [Link(relation, "r"), Unlink(relation, "r")])
    with ledger.whole() as reader:
        assert reader.at("ns").relations.of_memory("a") == []
    carry_out(ledger, [Unlink(relation, "r"), Link(relation, "r")])
    with ledger.whole() as reader:
        assert [link.target_id for link in reader.at("ns").relations.of_memory("a")] == ["b"]


def test_a_run_writes_down_what_a_link_replaced(ledger: Ledger) -> None:
    """A new one has no former weight; a stronger one has, so that undoing can tell them apart."""
    carry_out(ledger, [Put(stored("a"), "said"), Put(stored("b"), "said")])
    carry_out(ledger, [Link(Relation("ns", "a", "b", "co_activated", 0.1), "together")], DREAM)
    carry_out(ledger, [Link(Relation("ns", "a", "b", "co_activated", 0.2), "together")], DREAM)
    with ledger.whole() as reader:
        first, second = reader.at("ns").journal.of_memory("a")[-2:]
    assert first.before == {"target_id": "b", "type": "co_activated"}
    assert second.before["weight"] == 0.1


def test_reset_brings_back_text_fields_and_version(ledger: Ledger) -> None:
    """What a run rewrote is as it was, its former version is no former version any more."""
    carry_out(ledger, [Put(stored("a", utility=0.7), "said")])
    was = read(ledger, "a")
    memory = Memory("a", "ns", "new text", "hash-new", CLOCK(), CLOCK(), CLOCK(), utility=0.1)
    carry_out(
        ledger,
        [Rewrite(Stored(memory, "new text", stored("a").vector, "test-4"), "derived again")],
        DREAM,
    )
    assert (read(ledger, "a").content, read(ledger, "a").version) == ("new text", 2)

    applied = carry_out(ledger, [Reset("a", {"utility": 0.7}, "undone", stored("a"))])

    now = read(ledger, "a")
    assert (now.content, now.content_hash, now.version, now.utility) == (
        "text of a",
        "hash-a",
        1,
        0.7,
    )
    assert (now.seq > was.seq, [s.memory.id for s in applied.indexed]) == (True, ["a"])
    with ledger.whole() as reader:
        assert reader.at("ns").history.versions("a") == []


def test_drop_leaves_a_tombstone_for_the_indexes(ledger: Ledger) -> None:
    """What a run had made and nobody has used is gone; whoever follows the journal hears of it."""
    carry_out(ledger, [Put(stored("a"), "summary")], DREAM)
    applied = carry_out(ledger, [Drop("a", "undone")])
    with ledger.whole() as reader:
        assert reader.at("ns").memories.by_ids(["a"]) == {}
        assert [(row.id, row.state) for row in reader.at("ns").journal.tail(1, 10)] == [
            ("a", "erased")
        ]
    assert (applied.dropped, applied.memories) == (("a",), {})


def test_marks_are_taken_away_and_given_back(ledger: Ledger) -> None:
    """Synaptic tags and places on probation; the journal holds what giving them back needs."""
    carry_out(ledger, [Put(stored("a"), "said")])
    tag, place = SynapticTag("a", "s1", CLOCK(), CLOCK()), ShortTerm("a", CLOCK(), CLOCK())
    carry_out(ledger, [Mark(tag, "weak"), Mark(place, "passing")])
    carry_out(ledger, [Unmark(tag, "its time is over"), Unmark(place, "kept")], DREAM)
    with ledger.whole() as reader:
        assert (
            reader.at("ns").synaptic_tags.all(),
            reader.at("ns").synaptic_tags.short_term(),
        ) == ([], [])
        entries = reader.at("ns").journal.of_memory("a")[-2:]
    assert SynapticTag("a", **entries[0].before) == tag
    assert ShortTerm("a", **entries[1].before) == place
    carry_out(ledger, [Mark(tag, "undone"), Mark(place, "undone")])
    with ledger.whole() as reader:
        assert (
            reader.at("ns").synaptic_tags.all(),
            reader.at("ns").synaptic_tags.short_term(),
        ) == ([tag], [place])
