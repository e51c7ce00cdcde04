"""Steps 8 and 9 of the dream cycle: memories that say the same become one, redundant ones go dormant."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from math import sqrt
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Config, Memory, MemoryBank
from cogmem_core.changes import Link
from cogmem_core.config import ConsolidationConfig, DuplicateConfig
from cogmem_core.errors import NotFound
from cogmem_core.models import Relation, ShortTerm, Source
from cogmem_core.testing import FrozenClock, GivenVectors
from helpers.store_kinds import change, states, touched
from helpers.tables import each_case_of, rows_of

Opener = Callable[..., MemoryBank]
VECTORS = GivenVectors(
    {
        "sea": (1.0, 0.0, 0.0),
        "coast": (0.95, sqrt(1 - 0.95**2), 0.0),
        "beach": (0.93, 0.0, sqrt(1 - 0.93**2)),
        "lake": (0.9, 0.0, -sqrt(1 - 0.9**2)),
        "harbour": (1.0, 0.0, 0.0),
    }
)
"""Cosines with "sea": coast 0.95, beach 0.93, lake 0.90, harbour 1."""
CHAIN = GivenVectors({"aspen": (1.0, 0.0), "birch": (0.96, 0.28), "cedar": (0.8432, 0.5376)})
"""Cosines with "birch": 0.96 each; of the other two 0.84."""


@pytest.fixture
def opened(clock: FrozenClock) -> Iterator[Opener]:
    with ExitStack() as engines:

        def opener(
            duplicates: DuplicateConfig | None = None, *, careful: bool = False, **more: Any
        ) -> MemoryBank:
            dream = ConsolidationConfig(
                trigger="manual", careful=careful, duplicates=duplicates or DuplicateConfig()
            )
            config = Config(consolidation=dream)
            engine = cogmem_core.open(
                None, **{"embedder": VECTORS, "clock": clock, "config": config, **more}
            )
            return engines.enter_context(engine).bank("alice")

        yield opener


@pytest.fixture
def bank(opened: Opener) -> MemoryBank:
    return opened()


def told(bank: MemoryBank, clock: FrozenClock, *texts: str, **more: Any) -> list[Memory]:
    """Memories, a day apart."""
    found = []
    for text in texts:
        found.append(bank.add(text, **more))
        clock.advance(days=1)
    return found


def counted(bank: MemoryBank, step: str = "duplicates") -> Mapping[str, int]:
    done = bank.consolidate(steps=[step]).steps[step]
    assert done.error == ""
    return done.counts


def redundant(bank: MemoryBank) -> Mapping[str, int]:
    return counted(bank, "redundancy")


def test_two_near_identical_memories_become_one(bank: MemoryBank, clock: FrozenClock) -> None:
    """Agentos, step 2 "Merge": cosine from 0.95, the newer content is kept, the older one refers to the survivor."""
    old, new = told(bank, clock, "likes walks by the sea", "likes walks along the coast")
    report = bank.consolidate(steps=["duplicates"])

    assert (report.merged, report.steps["duplicates"].counts) == (1, {"merged": 1})
    assert states(bank, old, new) == ["superseded", "active"]
    assert bank.get(old.id).superseded_by == new.id
    assert bank.get(new.id).content == "likes walks along the coast"
    assert [(r.source_id, r.target_id, r.type) for r in bank.relations(old.id)] == [
        (new.id, old.id, "supersedes")
    ]
    assert any("the same as a newer memory" in line for line in bank.explain(old.id).story)


def test_the_survivor_takes_over_what_makes_it_stronger(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """Agentos, step 2: "Tags from both traces are unioned"; "strengths max, counts summed"."""
    old, new = told(bank, clock, "likes walks by the sea", "likes walks along the coast")
    said = (Source("turn-1", ref="a"), Source("turn-2", ref="b"))
    weak = {"stability": 3.0, "importance": 0.2, "utility": 0.1, "access_count": 1, "used_count": 0}
    strong = {
        "stability": 40.0,
        "importance": 0.9,
        "utility": 0.8,
        "access_count": 5,
        "used_count": 4,
    }
    touched(
        bank,
        old,
        **strong,
        tags=("a", "b"),
        entities=("entity://place/sea",),
        sources=said,
        retrieval_count=6,
    )
    touched(
        bank,
        old,
        storage_strength=4.0,
        reinforcement_interval=8.0,
        last_reinforced_at=clock(),
        flashbulb=True,
    )
    touched(
        bank,
        new,
        **weak,
        tags=("b", "c"),
        sources=said[1:],
        retrieval_count=1,
        storage_strength=2.0,
    )
    counted(bank)

    kept = bank.get(new.id)
    assert (kept.stability, kept.importance, kept.utility, kept.storage_strength) == (
        40.0,
        0.9,
        0.8,
        4.0,
    )
    assert (kept.access_count, kept.used_count, kept.retrieval_count) == (6, 4, 7)
    assert (kept.tags, kept.entities, kept.refs) == (
        ("b", "c", "a"),
        ("entity://place/sea",),
        ("a", "b"),
    )
    assert (kept.reinforcement_interval, kept.last_reinforced_at) == (8.0, clock())
    assert (kept.flashbulb, kept.recorded_at) == (True, new.recorded_at)


def test_the_survivor_is_true_since_the_earlier_one(bank: MemoryBank, clock: FrozenClock) -> None:
    """It holds since it was first known to hold."""
    spring = datetime(2026, 3, 1, tzinfo=timezone.utc)
    bank.add("likes walks by the sea", valid_from=spring)
    clock.advance(days=1)
    new = bank.add("likes walks along the coast", valid_from=spring + timedelta(days=30))
    counted(bank)
    assert bank.get(new.id).valid_from == spring


def test_a_survivor_has_at_most_eight_entities(bank: MemoryBank, clock: FrozenClock) -> None:
    """ "entities ... at most 8"; its own ones come first."""
    old, new = told(bank, clock, "walks by the sea", "walks by the sea")
    touched(bank, old, entities=tuple(f"entity://old/{number}" for number in range(8)))
    touched(bank, new, entities=("entity://new/0", "entity://new/1"))
    counted(bank)
    assert bank.get(new.id).entities == (
        "entity://new/0",
        "entity://new/1",
        *(f"entity://old/{n}" for n in range(6)),
    )


def test_a_whole_group_is_merged_into_the_newest_at_once(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """One survivor; equal texts follow the one of them that is near to it."""
    *rest, new = told(
        bank, clock, *["walks by the sea"] * 4, "walks by the harbour", "walks along the coast"
    )
    assert counted(bank) == {"merged": 5}
    assert states(bank, *rest) == ["superseded"] * 5
    assert {bank.get(memory.id).superseded_by for memory in rest} == {new.id}
    assert [entry.kind for entry in bank.history(new.id).changes] == ["put", *["link"] * 5]


@pytest.mark.parametrize("order", [("aspen", "birch", "cedar"), ("birch", "aspen", "cedar")])
def test_nearness_is_not_handed_on(
    opened: Opener, clock: FrozenClock, order: tuple[str, ...]
) -> None:
    """A memory is merged into one that it resembles itself, and into one only: nearness is not handed on."""
    bank = opened(embedder=CHAIN)
    memories = dict(
        zip(order, told(bank, clock, *(f"about {word}" for word in order)), strict=True)
    )
    assert counted(bank) == {"merged": 1}
    assert states(bank, *(memories[word] for word in ("aspen", "birch", "cedar"))) == [
        "active",
        "superseded",
        "active",
    ]
    assert counted(bank) == {}


def test_what_another_one_made_room_for_stays(opened: Opener, clock: FrozenClock) -> None:
    """V9, redundancy: the second one stands for the first, so it does not give way to the third."""
    bank = opened(embedder=CHAIN)
    memories = told(bank, clock, "about aspen", "about birch", "about cedar")
    for memory, utility in zip(memories, (0.1, 0.2, 0.3), strict=True):
        touched(bank, memory, utility=utility)
    assert [redundant(bank).get("redundant", 0) for _ in range(2)] == [1, 0]
    assert states(bank, *memories) == ["dormant", "active", "active"]


@each_case_of("dream_duplicates/what_says_something_else_is_no_duplicate")
def test_what_says_something_else_is_no_duplicate(
    bank: MemoryBank, clock: FrozenClock, old: str, new: str
) -> None:
    """Nothing is lost: near in vectors, but a negation, a number or a name tells them apart."""
    memories = told(bank, clock, old, new)
    assert counted(bank) == {}
    assert redundant(bank) == {}
    assert states(bank, *memories) == ["active", "active"]


def test_a_newer_memory_that_holds_more_takes_over(bank: MemoryBank, clock: FrozenClock) -> None:
    """The number that only the newer one holds is kept with it, so nothing is lost."""
    old, new = told(bank, clock, "he ran by the sea", "he ran 5 km along the coast")
    assert counted(bank) == {"merged": 1}
    assert states(bank, old, new) == ["superseded", "active"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        *rows_of("dream_duplicates/what_must_stay_apart_stays_apart"),
        ({}, {"valid_until": datetime(2027, 1, 1, tzinfo=timezone.utc)}),
    ],
)
def test_what_must_stay_apart_stays_apart(
    bank: MemoryBank, clock: FrozenClock, first: dict[str, Any], second: dict[str, Any]
) -> None:
    """Only in the "same category"; v9: pinned survives, immutable "cannot be modified by consolidation merges"."""
    old = bank.add("walks by the sea", **first)
    clock.advance(days=1)
    new = bank.add("walks by the sea", **second)
    assert counted(bank) == {}
    assert states(bank, old, new) == ["active", "active"]


def test_a_pinned_newer_memory_takes_over_an_older_one(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """V9: pinned means that it survives, and here it does."""
    old = bank.add("walks by the sea")
    clock.advance(days=1)
    new = bank.add("walks by the sea", pinned=True)
    assert counted(bank) == {"merged": 1}
    assert (states(bank, old, new), bank.get(new.id).pinned) == (["superseded", "active"], True)


def test_the_same_words_about_another_day_are_another_event(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """`referenced_at` is "when the event happened"; two runs by the sea are two."""
    memories = told(bank, clock, "ran by the sea", "ran by the sea")
    for day, memory in enumerate(memories, 1):
        touched(bank, memory, referenced_at=datetime(2026, 5, day, tzinfo=timezone.utc))
    assert counted(bank) == {}


def test_a_fact_on_probation_takes_over_nothing(bank: MemoryBank, clock: FrozenClock) -> None:
    """Unified-update: it will expire, and must not take a lasting memory with it."""
    old, new = told(bank, clock, "walks by the sea", "walks by the sea")
    with bank._engine.services.ledger.writing() as writer:
        writer.at(bank.namespace).synaptic_tags.add_short_term(
            [ShortTerm(new.id, clock(), clock() + timedelta(days=2))]
        )
    assert counted(bank) == {}
    assert states(bank, old, new) == ["active", "active"]


@pytest.mark.parametrize("kind", ["contradicts", "supersedes"])
def test_what_is_linked_as_different_stays(bank: MemoryBank, clock: FrozenClock, kind: Any) -> None:
    """A known contradiction is no duplicate, and a pair that a person took apart (`restore`) stays so."""
    old, new = told(bank, clock, "walks by the sea", "walks by the sea")
    change(bank, Link(Relation(bank.namespace, new.id, old.id, kind), "said"))
    assert counted(bank) == {}
    assert redundant(bank) == {}


def test_a_restored_duplicate_is_not_merged_again(bank: MemoryBank, clock: FrozenClock) -> None:
    """ "`restore(id)` brings one memory back", also after the next cycle."""
    old, new = told(bank, clock, "walks by the sea", "walks by the sea")
    counted(bank)
    bank.restore(old.id)
    assert counted(bank) == {}
    assert states(bank, old, new) == ["active", "active"]


def test_only_what_changed_is_looked_up(opened: Opener, clock: FrozenClock) -> None:
    """ "a bound on rows": two per cycle, in the order in which they changed; the next cycle goes on."""
    bank = opened(DuplicateConfig(lookups=2))
    told(bank, clock, "around the lake", "on the beach")
    sea, harbour = told(bank, clock, "walks by the sea", "walks by the harbour")
    assert [counted(bank) for _ in range(3)] == [{}, {"merged": 1}, {}]
    assert states(bank, sea, harbour) == ["superseded", "active"]


def test_redundancy_takes_the_less_useful_one(bank: MemoryBank, clock: FrozenClock) -> None:
    """V9: "Cosine similarity > 0.9 → keep higher-utility, mark lower dormant", of whatever category."""
    old = bank.add("likes walks by the sea", category="fact")
    clock.advance(days=1)
    new = bank.add("likes walks on the beach", category="plan")
    touched(bank, old, utility=0.7)
    report = bank.consolidate(steps=["redundancy"])

    assert (report.pruned, report.steps["redundancy"].counts) == (1, {"pruned": 1, "redundant": 1})
    assert states(bank, old, new) == ["active", "dormant"]
    assert bank.get(new.id).superseded_by == old.id
    reason = "redundant: another memory says nearly the same (similarity 0.93)"
    assert any(reason in line for line in bank.explain(new.id).story)


@pytest.mark.parametrize(
    ("importance", "expected"), [(0.9, ["active", "dormant"]), (0.5, ["dormant", "active"])]
)
def test_equally_useful_ones_differ_by_importance_then_age(
    bank: MemoryBank, clock: FrozenClock, importance: float, expected: list[str]
) -> None:
    """V9 gives utility only; in a tie the less important one goes, then the older one."""
    old, new = told(bank, clock, "likes walks by the sea", "likes walks on the beach")
    touched(bank, old, importance=importance)
    assert redundant(bank) == {"pruned": 1, "redundant": 1}
    assert states(bank, old, new) == expected


def test_at_exactly_the_threshold_nothing_is_redundant(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """V9: "Cosine similarity > 0.9", not from 0.9 on."""
    told(bank, clock, "likes walks by the sea", "likes walks at the lake")
    assert redundant(bank) == {}


@pytest.mark.parametrize("flag", ["pinned", "immutable", "flashbulb"])
def test_what_is_protected_is_never_redundant(
    bank: MemoryBank, clock: FrozenClock, flag: str
) -> None:
    """V9, truth anchors and flashbulbs: "automatically protected"."""
    old, new = told(bank, clock, "likes walks by the sea", "likes walks on the beach")
    touched(bank, old, utility=0.1, **{flag: True})
    assert redundant(bank) == {}
    assert states(bank, old, new) == ["active", "active"]


def test_a_derived_memory_and_what_it_rests_on_both_stay(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """What is derived is no duplicate, nor redundant beside its members or another derived memory."""
    member, summary, other = told(
        bank, clock, "likes the sea", "likes the coast", "likes the coast"
    )
    with bank._engine.services.ledger.writing() as writer:
        writer.at(bank.namespace).memories.update(
            {one.id: {"support": (member.id,)} for one in (summary, other)}
        )
    assert counted(bank) == {}
    assert redundant(bank) == {}
    assert states(bank, member, summary, other) == ["active", "active", "active"]


def test_one_thing_of_a_cycle_is_taken_back(bank: MemoryBank, clock: FrozenClock) -> None:
    """With what was joined with it; the rest stands, and goes with the whole cycle, later."""
    old, new = told(bank, clock, "likes walks by the sea", "likes walks along the coast")
    fair = bank.add("The fair is in town", valid_until=clock() + timedelta(days=1))
    clock.advance(days=2)
    before = [replace(one, seq=0) for one in bank.list(state="any").memories]
    run_id = bank.consolidate(steps=["expiry", "duplicates"]).run_id

    done = bank.consolidation_changes(run_id)
    assert [(one.content, one.after) for one in done if one.kind == "retire"] == [
        ("The fair is in town", {"state": "superseded", "superseded_by": None}),
        ("likes walks by the sea", {"state": "superseded", "superseded_by": new.id}),
    ]

    assert bank.undo(run_id, new.id).restored == (old.id,)
    assert states(bank, old, new, fair) == ["active", "active", "superseded"]
    assert bank.relations(old.id) == ()
    undone = {one.memory_id for one in bank.consolidation_changes(run_id) if one.undone}
    assert undone == {old.id, new.id}
    with pytest.raises(NotFound, match="did nothing to memory"):
        bank.undo(run_id, bank.add("Ana drinks tea").id)
    bank.forget("Ana drinks tea", hard=True)

    bank.undo(run_id)
    assert [replace(one, seq=0) for one in bank.list(state="any").memories] == before
