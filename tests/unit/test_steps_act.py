"""Which life shows that a step of the dream cycle is worth its time: what never acts is off by default."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from cogmem_core.config import Config
from cogmem_core.embedders.minilm import MiniLM
from cogmem_core.evaluation import MemoizedEmbedder
from cogmem_core.evaluation.life_files import load_life
from cogmem_core.evaluation.life_runs import live, setups

LIVES = Path(__file__).parents[1] / "data" / "lives"
SHOWN_BY = {
    "expiry": "traveller",
    "short_term": "traveller",
    "utility_drift": "traveller",
    "synaptic_replay": "traveller",
    "promotion": "traveller",
    "relation_trim": "traveller",
    "rehearsal": "letters",
    "conflicts": "developer",
    "duplicates": "developer",
    "forgetting": "developer",
    "emotional": "life-0",
}
WITH_A_MODEL = {"themes", "insights", "abstraction", "category_summaries", "cascade"}
"""Derived memories, and what becomes of them; they do nothing without a language model, and no life has one."""
CHECKS = {"reindex"}
"""It repairs what a healthy bank does not have."""


def test_every_step_that_is_on_acts_in_some_life(minilm: MiniLM) -> None:
    """With a cycle a week; the table names the life of each step."""
    assert {*SHOWN_BY, *WITH_A_MODEL, *CHECKS} == set(Config().consolidation.steps)
    (whole,) = setups(Config(), ["feedback+dream"])
    embedder = MemoizedEmbedder(minilm)
    acted = defaultdict[str, set[str]](set)
    for name in sorted(set(SHOWN_BY.values())):
        life = load_life(LIVES / f"{name}.json")
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
