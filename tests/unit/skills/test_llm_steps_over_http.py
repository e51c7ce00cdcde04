"""Every step of a language model over real HTTP: good answers are used, bad ones leave it to the twin and the op log.

A new step is one row of `STEPS`. What is a step's own (its answer, its twin, what it refuses) is tried with each; how a
server fails no step sees: each way is tried with one of them.
"""

import json
import pkgutil
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import cogmem_core.skills
from cogmem_core.llm import OpenAILLM, Usage
from cogmem_core.models import ObservationNote
from cogmem_core.process.oplog import OpLog
from cogmem_core.skills import Outcome, Skill, run_skill
from cogmem_core.skills.decide import DecideCandidate, DecideInput, Decision, NewFact, deciding
from cogmem_core.skills.derive_insight import INSIGHT, OVERVIEW, PATTERN, THEME
from cogmem_core.skills.digest_notes import CompressInput, Digest, compressing
from cogmem_core.skills.form import Formed, FormInput, FormTurn, forming
from cogmem_core.skills.grounds import Ground, Grounds
from cogmem_core.skills.intent import INTENT
from cogmem_core.skills.merge_texts import MergeInput, merging
from cogmem_core.skills.summarize_group import CONDENSE
from cogmem_core.testing import FrozenClock
from helpers.loopback_llm import LoopbackServer, Reply

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)


class Bad(NamedTuple):
    """A well-formed answer that must not be used, and how the reason begins."""

    answer: dict[str, Any]
    error: str


class Step(NamedTuple):
    """A step with what it is given, what the model answers, and what comes of it."""

    skill: Skill[Any, Any, Any]
    given: Any
    answer: dict[str, Any]
    value: Any
    twin: Any
    unknown: Bad
    mistyped: Bad


def fact(**changes: Any) -> dict[str, Any]:
    plain = {
        "turn": 0,
        "quote": "I moved to Lisbon in May.",
        "text": "Ana moved to Lisbon in May 2026.",
        "category": "fact",
        "entities": ["Lisbon"],
        "about": None,
        "until": None,
        "foresight": False,
        "passing": False,
    }
    return {"facts": [{**plain, **changes}]}


def decision(**changes: Any) -> dict[str, Any]:
    plain = {
        "fact": 0,
        "action": "ADD",
        "id": None,
        "relation": None,
        "text": None,
        "links": [{"id": "m1", "type": "same_entity"}],
    }
    return {"decisions": [{**plain, **changes}]}


def note(number: int, text: str) -> ObservationNote:
    return ObservationNote(
        id=f"id-{number}",
        namespace="alice",
        level="note",
        content=text,
        observed_at=NOON + timedelta(minutes=number),
        created_at=NOON,
        speaker="Ana",
        characters=len(text),
    )


def digest(**changes: Any) -> dict[str, Any]:
    plain = {
        "group": 0,
        "text": "Ana bought a small boat.",
        "priority": "important",
        "notes": ["n1", "n2"],
    }
    return {"digests": [{**plain, **changes}]}


TEA = DecideCandidate("id-tea", "Ana drinks green tea.", "fact", NOON, NOON)
BOAT = (note(0, "We bought a small boat."), note(1, "The boat is not insured yet."))
SAID = ("Ana hiked on May 3.", "Ana swam on May 9.")
HIKES = Grounds(tuple(Ground(text, NOON) for text in SAID))

STEPS = {
    "form": Step(
        skill=forming(lambda given: (Formed(0, given.turns[0].text),)),
        given=FormInput((FormTurn("I moved to Lisbon in May.", NOON, speaker="Ana"),)),
        answer=fact(),
        value=(Formed(0, "Ana moved to Lisbon in May 2026.", 0, 25, entities=("Lisbon",)),),
        twin=(Formed(0, "I moved to Lisbon in May."),),
        unknown=Bad(fact(turn=4), "ValueError: turn 4 was not given"),
        mistyped=Bad(
            fact(turn="one"),
            "LLMOutputError: the answer does not fit FormAnswer: facts.0.turn (int_type)",
        ),
    ),
    "intent": Step(
        skill=INTENT,
        given="Why did Ana buy a boat?",
        answer={"intent": "temporal"},
        value="temporal",
        twin="causal",
        unknown=Bad(
            {"intent": "gossip"},
            "LLMOutputError: the answer does not fit IntentAnswer: intent (literal_error)",
        ),
        mistyped=Bad(
            {"intent": ["temporal"]},
            "LLMOutputError: the answer does not fit IntentAnswer: intent (literal_error)",
        ),
    ),
    "decide": Step(
        skill=deciding(),
        given=DecideInput((NewFact("Ana likes her tea hot.", (TEA,)),), NOON),
        answer=decision(),
        value=(Decision("ADD", links=(("id-tea", "same_entity"),)),),
        twin=(None,),
        unknown=Bad(decision(action="NOOP", id="m7"), "ValueError: no decision is usable"),
        mistyped=Bad(
            decision(action="MERGE"),
            "LLMOutputError: the answer does not fit DecideAnswer: decisions.0.action (literal_error)",
        ),
    ),
    "merge": Step(
        skill=merging(),
        given=MergeInput("Ana lives in Lisbon.", "Ana has 2 cats."),
        answer={"text": "Ana lives in Lisbon and has 2 cats."},
        value="Ana lives in Lisbon and has 2 cats.",
        twin="Ana lives in Lisbon. Ana has 2 cats.",
        unknown=Bad(
            {"text": "Ana lives in Lisbon and has 3 cats."},
            "ValueError: the merged text loses 1 names or numbers and brings in 1 numbers",
        ),
        mistyped=Bad(
            {"text": ["Ana"]},
            "LLMOutputError: the answer does not fit MergeAnswer: text (string_type)",
        ),
    ),
    "compress": Step(
        skill=compressing(),
        given=CompressInput((BOAT,)),
        answer=digest(),
        value=(Digest("Ana bought a small boat.", "important", "llm"),),
        twin=(Digest("We bought a small boat.", "informational", "heuristic"),),
        unknown=Bad(
            digest(notes=["n1", "n9"]), "ValueError: group 0: 1 unknown and 1 missing notes"
        ),
        mistyped=Bad(
            digest(priority=1),
            "LLMOutputError: the answer does not fit CompressAnswer: digests.0.priority (literal_error)",
        ),
    ),
    **{
        skill.name: Step(
            skill=skill,
            given=HIKES,
            answer={"text": "Ana hiked on May 3 and swam on May 9."},
            value="Ana hiked on May 3 and swam on May 9.",
            twin=f"Summary: {' | '.join(SAID)}" if skill.name == "condense" else " ".join(SAID),
            unknown=Bad(
                {"text": "Ana hiked on May 3 and ran 7 miles."},
                "ValueError: the text brings in 1 names or",
            ),
            mistyped=Bad(
                {"text": 7},
                "LLMOutputError: the answer does not fit TextAnswer: text (string_type)",
            ),
        )
        for skill in (CONDENSE, THEME, INSIGHT, PATTERN, OVERVIEW)
    },
}
NAMES = sorted(STEPS)
ONE = "form"


@pytest.fixture
def log(tmp_path: Path) -> Iterator[OpLog]:
    kept = OpLog(tmp_path / "ops-log.jsonl", clock=FrozenClock())
    yield kept
    kept.close()


def asked(
    step: Step, address: str, log: OpLog, *, timeout: float = 10.0, attempts: int = 1
) -> Outcome[Any]:
    llm = OpenAILLM("tiny", base_url=address, attempts=attempts)
    llm.backoff_seconds = 0.0
    try:
        return run_skill(step.skill, step.given, llm, log=log, timeout=timeout)
    finally:
        llm.close()


def check_fallback(name: str, outcome: Outcome[Any], log: OpLog, error: str) -> None:
    """The twin's value, the reason, and both in the op log."""
    step = STEPS[name]
    (record,) = log.recent()

    assert outcome.source == "heuristic"
    assert outcome.error is not None
    assert error in outcome.error
    assert outcome.value == step.twin == run_skill(step.skill, step.given, None, timeout=5.0).value
    assert (record["op"], record["model"]) == (name, "tiny")
    assert (record["success"], record["fallback"], record["error"]) == (False, True, outcome.error)


def test_every_step_has_its_row() -> None:
    """Each module beside `run` is a step; a new one is not tested before it stands in the table."""
    modules = {module.name for module in pkgutil.iter_modules(cogmem_core.skills.__path__)} - {
        "run",
        "grounds",
        "grounding",
    }

    assert modules == {
        "decide",
        "derive_insight",
        "digest_notes",
        "form",
        "intent",
        "merge_texts",
        "summarize_group",
    }
    assert {name: step.skill.name for name, step in STEPS.items()} == {name: name for name in STEPS}


@pytest.mark.parametrize(
    ("name", "wrap"),
    [*((name, Reply.json) for name in NAMES), (ONE, Reply.fenced), (ONE, Reply.prose)],
    ids=[*NAMES, "fenced", "inside prose"],
)
def test_a_good_answer_is_used(name: str, wrap: Any, log: OpLog) -> None:
    """However the JSON is wrapped, the op log says that the model answered and what it cost.

    The server is asked for a strict schema of the step's answer; what was said stands in the user's message only.
    """
    step = STEPS[name]
    with LoopbackServer(wrap(step.answer)) as server:
        outcome = asked(step, server.address, log)
        (request,) = server.requests
    system, user = request["messages"]

    assert request["response_format"]["json_schema"]["name"] == step.skill.response_model.__name__
    assert request["response_format"]["json_schema"]["strict"] is True
    assert "Ana" in user["content"]
    assert "Ana" not in system["content"]
    assert json.loads(user["content"].removeprefix("<data>\n").removesuffix("\n</data>"))
    (record,) = log.recent()

    assert outcome == Outcome(
        step.value, "llm", None, Usage(prompt_tokens=11, completion_tokens=7, calls=1)
    )
    assert (record["op"], record["model"], record["success"], record["fallback"]) == (
        name,
        "tiny",
        True,
        False,
    )
    assert (record["promptTokens"], record["completionTokens"], record["calls"]) == (11, 7, 1)
    assert "error" not in record
    assert record["output"].startswith("sha256:")


@pytest.mark.parametrize("name", NAMES)
def test_ids_and_numbers_that_were_not_given_leave_it_to_the_twin(name: str, log: OpLog) -> None:
    """JSON of the right shape that speaks of something else."""
    step = STEPS[name]
    with LoopbackServer(Reply.json(step.unknown.answer)) as server:
        outcome = asked(step, server.address, log)

    check_fallback(name, outcome, log, step.unknown.error)
    assert outcome.usage == Usage(prompt_tokens=11, completion_tokens=7, calls=1)


@pytest.mark.parametrize("name", NAMES)
def test_wrong_types_leave_it_to_the_twin(name: str, log: OpLog) -> None:
    """The reason names the field and never the value."""
    step = STEPS[name]
    with LoopbackServer(Reply.json(step.mistyped.answer)) as server:
        outcome = asked(step, server.address, log)

    check_fallback(name, outcome, log, step.mistyped.error)
