"""What health warns of: a model that is of no use, a budget that is spent."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core.config import LLMConfig
from cogmem_core.testing import MANUAL, FrozenClock, ScriptedLLM
from helpers.model_answers import lazy
from helpers.tables import each_case_of


def said(warnings: list[str], part: str) -> int:
    return sum(part in warning for warning in warnings)


@pytest.mark.parametrize(("turns", "warned"), [(1, 0), (6, 1)])
def test_answers_of_which_most_are_unusable(clock: FrozenClock, turns: int, warned: int) -> None:
    """Five answers tell; another day begins from nothing."""
    llm = ScriptedLLM(default={"nonsense": True})
    with cogmem_core.open(embedder="hashing", llm=llm, clock=clock, config=MANUAL) as engine:
        bank = engine.bank("alice")
        for number in range(turns):
            bank.remember(f"My {number}th cat is called Kit and sleeps on sofa {number}.")
        assert len(llm.calls) >= turns
        warnings = bank.health()["warnings"]
        assert said(warnings, "answers of the language model were unusable") == warned
        clock.advance(days=1)
        assert said(engine.warnings(), "unusable") == 0


@pytest.mark.parametrize("closes", [True, False])
def test_the_day_of_a_language_model_belongs_to_the_bank(
    tmp_path: Path, clock: FrozenClock, *, closes: bool
) -> None:
    """An engine that is opened anew, and one beside it, go on counting; the next day begins from nothing."""
    config = replace(MANUAL, llm=LLMConfig(calls_per_day=3))
    llm = ScriptedLLM(default={"facts": []})
    with ExitStack() as opened:
        for number in range(6):
            engine = opened.enter_context(
                cogmem_core.open(tmp_path, embedder="hashing", llm=llm, clock=clock, config=config)
            )
            engine.bank("alice").remember(f"My cat number {number} is called Kit{number}.")
            health = engine.health()
            if closes:
                engine.close()
        assert len(llm.calls) == 3
        assert health["llm"]["calls_today"] == 3
        assert said(health["warnings"], "budget of the day is spent") == 1
        clock.advance(days=1)
        with cogmem_core.open(
            tmp_path, embedder="hashing", llm=llm, clock=clock, config=config
        ) as engine:
            assert engine.health()["llm"]["calls_today"] == 0


@each_case_of("health_warnings/a_model_that_finds_nothing_in_statements")
def test_a_model_that_finds_nothing_in_statements(
    tmp_path: Path, clock: FrozenClock, text: str
) -> None:
    """Its answers are well-formed, and unusable: whoever opens the bank next is told, too."""
    llm = ScriptedLLM(default={"facts": [], "decisions": []})
    with cogmem_core.open(
        tmp_path, embedder="hashing", llm=llm, clock=clock, config=MANUAL
    ) as engine:
        for number in range(6):
            degraded = engine.bank("alice").remember(text.format(number, number)).degraded
            assert degraded[0].startswith("form: ValueError: the model took no fact")
    with cogmem_core.open(
        tmp_path, embedder="hashing", llm=llm, clock=clock, config=MANUAL
    ) as engine:
        assert said(engine.health()["warnings"], "language model were unusable") == 1


@each_case_of("health_warnings/a_model_that_leaves_standing_what_is_no_longer_true")
def test_a_model_that_leaves_standing_what_is_no_longer_true(
    tmp_path: Path, clock: FrozenClock, action: str, relation: str, warned: int
) -> None:
    """Three changes tell, though all answers are usable: whoever opens the bank next is told, too."""
    llm = ScriptedLLM(default=lazy("all", action, relation))
    told: list[int] = []
    for old, new in (
        ("I live in Porto.", "I live in Lisbon now."),
        ("Mein Zahnarzt ist Dr. Weber.", "Mein Zahnarzt ist jetzt Dr. Klein."),
        ("Vivo en Lugo.", "Ahora vivo en Vigo."),
    ):
        with cogmem_core.open(
            tmp_path, embedder="hashing", llm=llm, clock=clock, config=MANUAL
        ) as engine:
            bank = engine.bank(old)
            bank.remember(old), bank.remember(new)
            assert [memory.content for memory in bank.list()] == [new]
            warnings = engine.health()["warnings"]
            told.append(said(warnings, "of 3 statements that newer ones made untrue today"))
            assert said(warnings, "answers of the language model were unusable") == 0
    assert told == [0, 0, warned]


def test_a_budget_that_is_spent(clock: FrozenClock) -> None:
    """The limit of the day, named; the next day has a budget of its own."""
    config = replace(MANUAL, llm=LLMConfig(calls_per_day=1))
    llm = ScriptedLLM(default={"nonsense": True})
    with cogmem_core.open(embedder="hashing", llm=llm, clock=clock, config=config) as engine:
        bank = engine.bank("alice")
        assert said(engine.warnings(), "budget of the day is spent") == 0
        bank.remember("My cat is called Kit.")
        bank.remember("My dog is called Rex.")
        assert said(engine.warnings(), "budget of the day is spent") == 1
        assert "calls per day are limited to 1" in str(bank.health()["warnings"])
        clock.advance(days=1)
        assert said(engine.warnings(), "spent") == 0


ENGINE = {"embedder": "hashing"}
