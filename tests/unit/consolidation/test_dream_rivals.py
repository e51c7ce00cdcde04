"""What use tells of former values: rivals that are ignored for a newer memory, statements that were never compared."""

from dataclasses import replace

import pytest

import cogmem_core
from cogmem_core import Config, Memory, MemoryBank
from cogmem_core.config import ConsolidationConfig, FeedbackConfig, ForgettingConfig
from cogmem_core.testing import FrozenClock, GivenVectors
from helpers.tables import each_case_of

# Cosines with "Fargo": Borgen 0.8, the cat 0.0.
VECTORS = GivenVectors(
    {"Fargo": (1.0, 0.0, 0.0), "Borgen": (0.8, 0.6, 0.0), "cat": (0.0, 0.0, 1.0)}
)
MANUAL = ConsolidationConfig(trigger="manual")


CROWDED = replace(MANUAL, forgetting=ForgettingConfig(roomy=0))
BLAMING = Config(feedback=FeedbackConfig(own_words=False, blame_from=0.0), consolidation=CROWDED)

ENGINE = {"embedder": VECTORS, "config": BLAMING}


def told(bank: MemoryBank, clock: FrozenClock, *texts: str, **more: object) -> list[Memory]:
    found = []
    for text in texts:
        found.append(bank.add(text, **more))  # type: ignore[arg-type]
        clock.advance(days=1)
    return found


def answered(bank: MemoryBank, used: str, times: int) -> None:
    """So many answers that use one text only."""
    for number in range(times):
        found = bank.recall(f"evening {number} watch series cat hooked", k=5, floor=0)
        bank.feedback(found, used, similarity_fn=lambda memory, answer: float(memory == answer))


def test_what_is_ignored_for_a_newer_one_goes_dormant(bank: MemoryBank, clock: FrozenClock) -> None:
    """Retrieval-induced forgetting (Anderson, Bjork & Bjork 1994): the third time in a row, with a way back."""
    old, new, cat = told(
        bank, clock, "hooked on Borgen", "hooked on Fargo", "the cat watches series"
    )
    answered(bank, new.content, 2)
    assert bank.consolidate(steps=["forgetting"]).pruned == 0
    answered(bank, new.content, 1)
    report = bank.consolidate(steps=["forgetting"])
    assert report.steps["forgetting"].counts == {"pruned": 1, "outdone": 1}
    gone = bank.get(old.id)
    assert (gone.state, gone.superseded_by) == ("dormant", new.id)
    assert "outdone: ignored 3 times for what was said later" in str(bank.explain(old.id))
    assert bank.get(cat.id).state == "active"


@each_case_of("dream_rivals/where_there_is_room_a_rival_states_the_same_attribute")
def test_where_there_is_room_a_rival_states_the_same_attribute(
    clock: FrozenClock, former: str, present: str, outdone: int
) -> None:
    """Being near and being used instead is no proof that the other is over: nothing true leaves on a guess."""
    config = replace(BLAMING, consolidation=MANUAL)
    with cogmem_core.open(None, embedder=VECTORS, clock=clock, config=config) as engine:
        bank = engine.bank("alice")
        told(bank, clock, former, present)
        for _ in range(3):
            found = bank.recall("boss hooked Borgen Fargo", k=5, floor=0)
            bank.feedback(
                found, present, similarity_fn=lambda memory, answer: float(memory == answer)
            )
        assert bank.consolidate(steps=["forgetting"]).pruned == outdone


def test_the_newer_one_is_never_outdone(bank: MemoryBank, clock: FrozenClock) -> None:
    """An answer may use what is no longer true; what was said last is not put away for it."""
    old, new = told(bank, clock, "hooked on Borgen", "hooked on Fargo")
    answered(bank, old.content, 5)
    assert bank.consolidate(steps=["forgetting"]).pruned == 0
    assert bank.get(new.id).state == "active"


@pytest.mark.parametrize("protection", ["pinned", "immutable"])
def test_the_protected_are_not_outdone(
    bank: MemoryBank, clock: FrozenClock, protection: str
) -> None:
    """V9, truth anchors: they survive all forgetting."""
    (old,) = told(bank, clock, "hooked on Borgen", **{protection: True})
    (new,) = told(bank, clock, "hooked on Fargo")
    answered(bank, new.content, 5)
    assert bank.consolidate(steps=["forgetting"]).pruned == 0
    assert bank.get(old.id).state == "active"


def test_what_is_about_something_else_is_no_rival(clock: FrozenClock) -> None:
    """Near by meaning, but another attribute: a sister is no brother, however often he is asked for."""
    kin = GivenVectors({"sister": (1.0, 0.0), "brother": (0.9, 0.436)})
    with cogmem_core.open(None, embedder=kin, clock=clock, config=BLAMING) as engine:
        bank = engine.bank("alice")
        told(bank, clock, "My sister is called Eva", "My brother is called Tom")
        for _ in range(4):
            found = bank.recall("what is called brother sister", k=5, floor=0)
            bank.feedback(
                found, "Tom", similarity_fn=lambda memory, _answer: float("brother" in memory)
            )
        assert bank.consolidate(steps=["forgetting"]).pruned == 0


def test_every_retelling_of_a_former_value_is_superseded(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """A new statement retires the one it was compared with; the others were said in other words."""
    first, second, new = told(
        bank, clock, "I live in Lisbon", "I moved to Lisbon", "I live in Porto"
    )
    report = bank.consolidate(steps=["conflicts"])
    assert report.steps["conflicts"].counts == {"resolved": 2}
    for old in (first, second):
        gone = bank.get(old.id)
        assert (gone.state, gone.superseded_by, gone.valid_until) == (
            "superseded",
            new.id,
            new.recorded_at,
        )
    assert {link.type for link in bank.relations(new.id)} == {"supersedes", "contradicts"}
    assert bank.consolidate(steps=["conflicts"]).changes == ()


def test_statements_are_looked_for_only_where_asked(clock: FrozenClock) -> None:
    """`restated`: False = only pairs that are linked as contradictions, as in v9."""
    config = Config(consolidation=replace(MANUAL, restated=False))
    with cogmem_core.open(None, embedder=VECTORS, clock=clock, config=config) as engine:
        bank = engine.bank("alice")
        told(bank, clock, "I live in Lisbon", "I live in Porto")
        assert bank.consolidate(steps=["conflicts"]).changes == ()


def test_what_other_people_say_of_themselves_is_no_contradiction(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """Two voices, two homes."""
    told(bank, clock, "I live in Lisbon", speaker="Ana")
    told(bank, clock, "I live in Porto", speaker="Rui")
    assert bank.consolidate(steps=["conflicts"]).changes == ()


@each_case_of("dream_rivals/what_fading_alone_puts_away")
def test_what_fading_alone_puts_away(
    bank: MemoryBank, clock: FrozenClock, *, text: str, used: int, days: int, state: str
) -> None:
    """What happened once: after 45 days, or half a year if an answer ever used it; how things stand: never."""
    memory = bank.add(text, category="other", importance=0.0)
    if used:
        bank.feedback(bank.recall(text, floor=0), text)
    clock.advance(days=days)
    bank.consolidate(steps=["forgetting"])
    assert bank.get(memory.id).state == state


def test_a_cycle_puts_away_a_part_of_the_namespace_at_most(clock: FrozenClock) -> None:
    """One in five, but a hundred in any case: nobody shall find his memory gone overnight."""
    rules = ForgettingConfig(rules=("retention",), roomy=0, idle_days=0.0, standing=False)
    config = Config(consolidation=replace(MANUAL, forgetting=rules))
    with cogmem_core.open(None, embedder="hashing", clock=clock, config=config) as engine:
        bank = engine.bank("alice")
        bank.remember(
            [f"I saw heron number {number} at the lake yesterday" for number in range(600)],
            mode="raw",
        )
        count = bank.count()
        clock.advance(days=5_000)
        first = bank.consolidate(steps=["forgetting"])
        assert (count, first.pruned) == (600, 120)
        assert first.steps["forgetting"].note == "left for the next cycle: 480"


@pytest.mark.parametrize(
    ("before", "after", "other", "chained"),
    [(1, 2, False, 1), (0, 3, False, 0), (1, 1, False, 0), (2, 5, True, 0)],
    ids=["replaced", "never used before", "once only", "another question"],
)
def test_what_answers_replace_becomes_an_earlier_version(
    clock: FrozenClock, *, before: int, after: int, other: bool, chained: int
) -> None:
    """The same question, first answered from the old, then twice from the new alone: a chain, and both stay."""
    config = Config(consolidation=MANUAL)
    with cogmem_core.open(None, embedder=VECTORS, clock=clock, config=config) as engine:
        bank = engine.bank("alice")
        old, new = told(
            bank, clock, "we watch Borgen in the evenings", "we watch Fargo in the evenings"
        )
        first = "What do we watch in the evenings?"
        second = "Which is newer, Fargo or Borgen evenings?" if other else first
        for used, question, times in ((old, first, before), (new, second, after)):
            for _ in range(times):
                found = bank.recall(question, k=5, floor=0)
                bank.feedback(
                    found,
                    used.content,
                    similarity_fn=lambda memory, answer: float(memory == answer),
                )
                clock.advance(hours=3)
        report = bank.consolidate(steps=["conflicts"])
        assert report.steps["conflicts"].counts.get("chained", 0) == chained
        assert {bank.get(one.id).state for one in (old, new)} == {"active"}
        if chained:
            results = bank.recall(first, k=5, floor=0).results
            assert [item.content for item in results] == [new.content, old.content]
            bank.undo(report.run_id)
            assert "revises" not in {link.type for link in bank.relations(new.id)}


def test_what_shared_words_with_an_answer_by_chance_is_no_former_value(clock: FrozenClock) -> None:
    """Recall held it for all but unrelated when an answer seemed to use it: no chain, whatever follows."""
    config = Config(consolidation=MANUAL)
    with cogmem_core.open(None, embedder=VECTORS, clock=clock, config=config) as engine:
        bank = engine.bank("alice")
        old, new, _cat = told(
            bank,
            clock,
            "we watch Borgen in the evenings",
            "we watch Fargo in the evenings",
            "the cat sleeps all day",
        )
        for used in (old, new, new):
            found = bank.recall("How long does the cat sleep?", k=5, floor=0)
            priors = {item.content: item.prior for item in found.results}
            assert priors[old.content] < 0.1
            bank.feedback(
                found, used.content, similarity_fn=lambda memory, answer: float(memory == answer)
            )
            clock.advance(hours=3)
        assert bank.consolidate(steps=["conflicts"]).changes == ()
