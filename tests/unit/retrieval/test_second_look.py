"""Where nothing sure is found, what was put away for disuse is looked through as well: forgotten is not gone."""

from dataclasses import replace

import pytest

import cogmem_core
from cogmem_core import Config, Memory, MemoryBank
from cogmem_core.changes import Actor, Retire, apply
from cogmem_core.config import ConsolidationConfig, RetrievalConfig
from cogmem_core.config.presets import PRESETS, preset
from cogmem_core.testing import FrozenClock
from helpers.tables import each_case_of

MANUAL = Config(
    consolidation=ConsolidationConfig(trigger="manual"), retrieval=RetrievalConfig(second_look=0.7)
)

ENGINE = {"embedder": "hashing"}


def away(bank: MemoryBank, memory: Memory, state: str = "dormant", **fields: object) -> None:
    services, change = bank._engine.services, Retire(memory.id, state, "faded", fields)  # type: ignore[arg-type]
    with services.ledger.writing() as writer:
        applied = apply(
            writer, "alice", [change], now=services.runtime.now(), actor=Actor("dream", "run")
        )
    services.update_indexes("alice", applied)


def found(bank: MemoryBank, query: str, **more: object) -> list[str]:
    return [item.memory.id for item in bank.recall(query, **more).results]  # type: ignore[arg-type]


def test_what_faded_is_found_where_nothing_else_answers(bank: MemoryBank) -> None:
    """Dormant is out of the way, not out of reach; its score counts four fifths, and that is told."""
    piano = bank.add("We moved the piano up to the attic")
    bank.add("I like tea")
    away(bank, piano)
    result = bank.recall("Where is the piano?")
    assert result.results[0].memory.id == piano.id
    assert result.results[0].signals["cold"] == 0.8
    assert bank.get(piano.id).state == "dormant"


def test_what_is_found_for_sure_needs_no_second_look(bank: MemoryBank) -> None:
    """An active memory that says it word for word is what was asked for."""
    old, new = (
        bank.add("the piano is in the attic, I think"),
        bank.add("Where is the piano? It is in the attic"),
    )
    away(bank, old)
    assert found(bank, "Where is the piano? It is in the attic") == [new.id]


@each_case_of("second_look/what_lost_or_is_over_stays_away")
def test_what_lost_or_is_over_stays_away(
    bank: MemoryBank, clock: FrozenClock, state: str, fields: dict[str, object]
) -> None:
    """A second look brings back what nobody needed, not what is no longer true, nor what a person forgot."""
    piano = bank.add("We moved the piano up to the attic")
    values = {"superseded_by": bank.add("I like tea").id, "valid_until": clock()}
    away(bank, piano, state, **{name: values[name] for name in fields})
    assert piano.id not in found(bank, "Where is the piano?", floor=0)


@pytest.mark.parametrize(("utility", "back"), [(0.44, True), (0.43, False)])
def test_what_answers_ignored_again_and_again_stays_away(
    bank: MemoryBank, utility: float, back: bool
) -> None:
    """It was put away because it was of no use, not because nobody asked."""
    piano = bank.add("We moved the piano up to the attic")
    bank.add("I like tea")
    away(bank, piano, utility=utility)
    assert (piano.id in found(bank, "Where is the piano?", floor=0)) is back


def test_what_took_the_place_of_an_answer_is_shown_for_it(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """It has no word of the question; where it was put away itself, nothing is shown."""
    octavia, zoe, smart = map(bank.add, ("I drive an Octavia", "A Zoe now", "It became a Smart"))
    away(bank, octavia, "superseded", superseded_by=zoe.id, valid_until=clock())
    assert found(bank, "What do I drive?")[0] == zoe.id
    away(bank, zoe, "superseded", superseded_by=smart.id, valid_until=clock())
    assert found(bank, "What do I drive?") == [smart.id]  # through both
    away(bank, smart, "forgotten")
    assert found(bank, "What do I drive?") == []


def test_members_of_a_summary_are_told_by_it(bank: MemoryBank) -> None:
    """Cognitive-memory: "normal recall finds the summary alone"; the originals are for deep recall."""
    piano, summary = (
        bank.add("We moved the piano up to the attic"),
        bank.add("Summary: a busy month"),
    )
    away(bank, piano, "superseded", superseded_by=summary.id)
    assert piano.id not in found(bank, "Where is the piano?")
    assert piano.id in found(bank, "Where is the piano?", deep=True)


def test_a_question_about_the_past_is_looked_up_again_as_well(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """It sees at once what was superseded, at half its score; what was put away is worth a second look as well."""
    garage, piano = (
        bank.add("The piano stood in the garage"),
        bank.add("We moved the piano up to the attic"),
    )
    away(bank, garage, "superseded", superseded_by=piano.id, valid_until=clock())
    away(bank, piano)
    results = bank.recall("When did we move the piano?", floor=0).results
    assert {item.memory.id: item.signals["cold"] for item in results} == {
        piano.id: 0.8,
        garage.id: 0.5,
    }


def test_why_something_is_missing_is_told_after_the_second_look(bank: MemoryBank) -> None:
    """`Recall.missed` asks as the recall did."""
    piano = bank.add("We moved the piano up to the attic")
    bank.add("I like tea")
    away(bank, piano)
    assert "it is result 1" in bank.recall("Where is the piano?").missed(piano.id)


def test_it_can_be_switched_off(clock: FrozenClock) -> None:
    """`retrieval.second_look` = 0, as in the presets of the documents: only deep recall finds it (cognitive-memory)."""
    config = replace(MANUAL, retrieval=replace(MANUAL.retrieval, second_look=0.0))
    with cogmem_core.open(None, embedder="hashing", clock=clock, config=config) as engine:
        bank = engine.bank("alice")
        piano = bank.add("We moved the piano up to the attic")
        bank.add("I like tea")
        away(bank, piano)
        assert piano.id not in found(bank, "Where is the piano?", floor=0)
    looks = {name: preset(name).retrieval.second_look for name in PRESETS}
    assert {name for name, least in looks.items() if least} == {"default"}
