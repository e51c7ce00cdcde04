"""Which life shows that a step of the dream cycle is worth its time: what never acts is off by default."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

from cogmem_core.config import Config
from cogmem_core.embedders.minilm import MiniLM
from cogmem_core.evaluation import MemoizedEmbedder
from cogmem_core.evaluation.life_files import LifeQuestion, load_life
from cogmem_core.evaluation.life_runs import live, setups

LIVES = Path(__file__).parents[1] / "data" / "lives"
SHOWN_BY = {
    "expiry": "traveller",
    "short_term": "traveller",
    "utility_drift": "traveller",
    "synaptic_replay": "traveller",
    "promotion": "traveller",
    "relation_trim": "letters",
    "rehearsal": "turkish",
    "conflicts": "developer",
    "duplicates": "developer",
    "forgetting": "developer",
    "emotional": "life-0",
}
WITH_A_MODEL = {"themes", "insights", "abstraction", "category_summaries", "cascade"}
"""Derived memories, and what becomes of them; they do nothing without a language model, and no life has one."""
CHECKS = {"reindex"}
"""It repairs what a healthy bank does not have."""


TWO_THINGS = LifeQuestion(
    at=datetime(2025, 1, 20, 15, tzinfo=timezone.utc),
    text="Who is my solicitor, and what can I not take?",
    answer="Your solicitor is Mr Pemberton of Lincoln's Inn, and you cannot take penicillin: it brings a rash.",
    needs=("Mr Pemberton of Lincoln's Inn",),
)
"""Its answer binds two memories, and that fades in seven months."""


def test_every_step_that_is_on_acts_in_some_life(minilm: MiniLM) -> None:
    """With a cycle a week; the table names the life of each step."""
    assert {*SHOWN_BY, *WITH_A_MODEL, *CHECKS} == set(Config().consolidation.steps)
    (whole,) = setups(Config(), ["feedback+dream"])
    embedder = MemoizedEmbedder(minilm)
    acted = defaultdict[str, set[str]](set)
    for name in sorted(set(SHOWN_BY.values())):
        life = load_life(LIVES / f"{name}.json")
        if name == "letters":
            life = replace(life, questions=(*life.questions, TWO_THINGS))
        found = live(life, replace(whole, nights=7), embedder, progress=lambda *_told: None)
        acted[name] = {what.split(":")[0] for what in found.did}
        assert found.troubles == ()
        assert found.lost == ()
    assert [step for step, life in SHOWN_BY.items() if step not in acted[life]] == []


def test_what_is_off_by_default() -> None:
    """And is on in the presets whose documents ask for it."""
    assert not {"fading", "redundancy"} & {
        *Config().consolidation.steps,
        *Config().consolidation.tick,
    }
