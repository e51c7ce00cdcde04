"""Step 19 of the dream cycle: the bank asks itself for what it holds, and repairs what is broken."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.config import ConsolidationConfig, RetrievalConfig, SelfTestConfig
from cogmem_core.consolidation.own_recall import Conditions, OwnRecall
from cogmem_core.results import StepReport
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.tables import each_row_of

PEOPLE = ("Ana", "Ben", "Cem", "Dora", "Emre", "Fritz", "Gina", "Hugo", "Ines", "Jan")
PLACES = (*("Oslo", "Porto", "Ankara", "Turin", "Leeds", "Lyon", "Cork", "Graz"), "Bonn", "Faro")
SAID = [f"My friend {who} lives in {place}." for who, place in zip(PEOPLE, PLACES, strict=True)]


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder(384)


@pytest.fixture
def bank(engine: Engine) -> Iterator[MemoryBank]:
    bank = engine.bank("alice")
    bank.remember(SAID, mode="raw")
    return bank


def examined(bank: MemoryBank, *, dry_run: bool = False) -> StepReport:
    """What the step reports where it is the only one, and so not bound by the time of others."""
    (step,) = bank.consolidate(steps=["self_test"], dry_run=dry_run).steps.values()
    assert step.error == ""
    return step


def damage(bank: MemoryBank, columns: str, content: str = SAID[0]) -> None:
    """Break the row of a memory by hand."""
    with bank.engine.services.ledger.alone() as connection:
        connection.execute(
            text(f"UPDATE memories SET {columns} WHERE content = :said"), {"said": content}
        )
    bank.engine.services.searcher.views.clear()


def found(bank: MemoryBank) -> list[str]:
    return [item.content for item in bank.recall("My friend Ana lives in", k=5, floor=0.0)]


def test_it_counts_what_it_finds_and_health_tells(bank: MemoryBank) -> None:
    """Ten memories that tell of ten friends."""
    assert bank.health()["self_test"] is None
    assert examined(bank).counts == {"asked": 10, "found": 10}
    told = bank.health()["self_test"]
    assert (told["recall_at_5"], told["asked"], told["earlier"]) == (1.0, 10, None)
    assert told["version"] == cogmem_core.__version__


@each_row_of("dream_self_test/what_is_broken_is_found_again")
def test_what_is_broken_is_found_again(columns: str, clock: FrozenClock) -> None:
    """Neither its words nor its vector find it; a dry run says so, and a repair outlives the view."""
    with cogmem_core.open(embedder=CountingEmbedder(384), clock=clock, config=MANUAL) as engine:
        bank = engine.bank("alice")
        bank.remember([*SAID, "Quinces ripen slowly"], mode="raw")
        damage(bank, columns)
        assert SAID[0] not in found(bank)
        rehearsed = bank.consolidate(steps=["self_test"], dry_run=True)
        assert [(x.kind, x.content) for x in rehearsed.changes] == [("reindex", SAID[0])]
        assert SAID[0] not in found(bank)
        assert examined(bank).counts == {"asked": 10, "found": 9, "repaired": 1}
        assert found(bank)[0] == SAID[0]
        engine.services.searcher.views.clear()
        assert found(bank)[0] == SAID[0]
        assert examined(bank).counts == {"asked": 10, "found": 10}
        assert bank.health()["self_test"]["repaired"] == 1
        assert bank.verify_audit().ok


def test_what_is_whole_and_ranked_lower_is_only_counted(bank: MemoryBank) -> None:
    """Six songs hold the words of the question about Ana twice."""
    line = "my friend Ana lives in, lives in, my friend Ana"
    bank.remember([f'A song: "{line}", part {part}' for part in "uvwxyz"], mode="raw")
    step = examined(bank)
    assert step.counts == {"asked": 10, "found": 9}
    assert step.note == "1 whole, but behind the first 5"
    assert bank.consolidate(steps=["self_test"]).changes == ()


def test_nobody_takes_its_questions_for_a_persons(bank: MemoryBank) -> None:
    """Neither counts nor strengths, nor the log, nor what was shown a moment ago."""
    before = bank.list()
    examined(bank)
    assert (bank.list(), bank.engine.log(op="recall")) == (before, [])
    assert bank.remember(SAID[0]).receipts[0].status == "reinforced"  # no echo of a recall


def test_an_undone_cycle_takes_its_figure_along(bank: MemoryBank) -> None:
    """The vectors stay: they are what the texts say."""
    damage(bank, "vector = x'', terms = ''")
    report = bank.consolidate(steps=["self_test"])
    bank.undo(report.run_id)
    assert bank.health()["self_test"] is None
    assert found(bank)[0] == SAID[0]


def test_its_settings_bound_it(clock: FrozenClock, embedder: CountingEmbedder) -> None:
    """Four questions a cycle, the next one goes on with other memories; beside other steps no time at all."""
    few = ConsolidationConfig(trigger="manual", self_test=SelfTestConfig(questions=4, share=0.0))
    config = replace(MANUAL, consolidation=few)
    with cogmem_core.open(embedder=embedder, clock=clock, config=config) as engine:
        bank = engine.bank("alice")
        bank.remember(SAID, mode="raw")
        embedder.queries.clear()
        assert [examined(bank).counts["asked"] for _ in range(3)] == [4, 4, 4]
        assert len(set(embedder.queries)) == 10
        assert bank.consolidate().steps["self_test"].counts == {}


def test_health_keeps_the_figure_of_the_settings_before(
    folder: Path, clock: FrozenClock, embedder: CountingEmbedder
) -> None:
    """Nothing is known of the new ones until the bank has asked itself anew."""
    told = []
    for config in (MANUAL, replace(MANUAL, retrieval=RetrievalConfig(pool=30))):
        with cogmem_core.open(folder, embedder=embedder, clock=clock, config=config) as engine:
            bank = engine.bank("alice")
            bank.remember(SAID, mode="raw")
            told.append(bank.health()["self_test"])
            examined(bank)
            told.append(bank.health()["self_test"])
    assert [one and one["recall_at_5"] for one in told] == [None, 1.0, None, 1.0]
    assert [one["earlier"]["recall_at_5"] for one in told[2:]] == [1.0, 1.0]
    assert told[3]["settings"] != told[3]["earlier"]["settings"]


@each_row_of("dream_self_test/a_fall_is_warned_of")
def test_a_fall_is_warned_of(
    before: tuple[int, int], now: tuple[int, int], *, warned: bool
) -> None:
    """By more than a tenth, and by more than two standard errors; the warning names what changed."""
    own = OwnRecall().under(Conditions("1.0", "minilm", "a")).with_answers(*before, 0, "")
    own = own.under(Conditions("2.0", "minilm", "a")).with_answers(*now, 0, "")
    kept = OwnRecall.of(own.mark())
    assert kept == own
    warnings = kept.warnings()
    assert len(warnings) == warned
    assert all("(version 1.0, now 2.0)" in warning for warning in warnings)
