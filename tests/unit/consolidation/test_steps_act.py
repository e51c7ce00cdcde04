"""Which life shows that a step of the dream cycle is worth its time: what never acts is off by default."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core.config import Config
from cogmem_core.embedders.minilm import MiniLM
from cogmem_core.testing import ScriptedLLM
from cogmem_eval.life_files import LifeQuestion, load_life
from cogmem_eval.life_runs import live, setups
from helpers.tables import rows_of

LIVES = Path(__file__).parents[2] / "data" / "lives"
SHOWN_BY = dict(rows_of("steps_act/shown_by"))
WITH_A_MODEL = {"themes", "insights", "abstraction", "category_summaries", "cascade"}
"""Derived memories, and what becomes of them; without a language model they are skipped."""
CHECKS = {"reindex", "self_test", "erasures"}
"""They look for, and repair, what a healthy bank does not have."""
HANDOVER = LifeQuestion(
    at=datetime(2025, 1, 10, 17, tzinfo=timezone.utc),
    text="For the handover: where do CI and production run, what is the staging database, where are secrets kept, "
    "when are releases cut?",
    answer="CI runs on Jenkins, production is deployed to Fly, the staging database is Postgres 14, secrets are kept "
    "in Vault, and releases are cut on Thursdays.",
    needs=("Jenkins", "Fly", "Postgres 14", "Vault", "Thursdays"),
)
"""Asked every Friday of a month, it uses five memories together; no question of the ten lives does."""


def test_every_step_that_is_on_is_accounted_for() -> None:
    assert {*SHOWN_BY, *WITH_A_MODEL, *CHECKS} == set(Config().consolidation.steps)


@pytest.mark.parametrize(
    "name",
    [
        "traveller",
        *(
            pytest.param(name, marks=pytest.mark.thorough)
            for name in sorted(set(SHOWN_BY.values()) - {"traveller"})
        ),
    ],
)
def test_every_step_that_is_on_acts_in_some_life(minilm: MiniLM, name: str) -> None:
    """With a cycle a week; the table names the life of each step."""
    (whole,) = setups(Config(), ["feedback+dream"])
    life = load_life(LIVES / f"{name}.json")
    found = live(life, replace(whole, nights=7), minilm, progress=lambda *_told: None)
    acted = {what.split(":")[0] for what in found.did}
    assert found.troubles == ()
    assert found.lost == ()
    assert [step for step, life in SHOWN_BY.items() if life == name and step not in acted] == []


def test_steps_that_need_a_model_act_in_a_life_with_one(minilm: MiniLM) -> None:
    """The developer's first weeks, and what he repeats in April; the model quotes one of the memories."""
    life = load_life(LIVES / "developer.json")
    end = datetime(2025, 4, 14, tzinfo=timezone.utc)
    spring = [turn for turn in life.turns if turn.at < end]
    life = replace(
        life,
        turns=tuple(turn for turn in spring if turn.at.month < 2 or "Vault" in turn.text),
        questions=tuple(replace(HANDOVER, at=HANDOVER.at + timedelta(weeks=n)) for n in range(4)),
        probes=(),
        vital=(),
        end=end,
    )
    (whole,) = setups(Config(), ["feedback+dream"])
    model = ScriptedLLM(default=quoted)
    found = live(life, replace(whole, nights=7), minilm, progress=lambda *_told: None, llm=model)
    assert {what.split(":")[0] for what in found.did} >= WITH_A_MODEL
    assert found.troubles == ()


def test_without_a_model_their_notes_say_that_they_were_skipped() -> None:
    with cogmem_core.open(None, embedder="hashing") as engine:
        steps = engine.bank("alice").consolidate().steps
    assert {name for name, step in steps.items() if step.note.startswith("skipped: ")} == (
        WITH_A_MODEL
    )


def quoted(messages: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """The first memory of a prompt, as the text that stands for all of them."""
    data = messages[-1]["content"].removeprefix("<data>\n").removesuffix("\n</data>")
    memories = json.loads(data).get("memories")
    return {"text": memories[0]["text"]} if memories else {}


def test_what_is_off_by_default() -> None:
    """And is on in the presets whose documents ask for it."""
    assert not {"fading", "redundancy"} & {
        *Config().consolidation.steps,
        *Config().consolidation.tick,
    }
