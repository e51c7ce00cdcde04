"""Agentos, observation: compressor, reflector, temporal reasoning. One test per sentence or table row."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Config, Engine, Turn
from cogmem_core.config import ObservationConfig
from cogmem_core.models import ObservationNote
from cogmem_core.observation import observe, reflect, resolve
from cogmem_core.process.services import Services
from cogmem_core.testing import FrozenClock, ScriptedLLM
from helpers.evening_talks import NOON, TOPICS, conversation
from helpers.tables import each_case_of, each_row_of

ENGINE = {"embedder": "hashing", "config": Config()}


@pytest.fixture
def services(engine: Engine) -> Services:
    return engine.services


class Places:
    """Records what it is given to store."""

    def __init__(self) -> None:
        self.got: list[ObservationNote] = []

    def __call__(self, reflections: Sequence[ObservationNote]) -> tuple[str, ...]:
        self.got += reflections
        return tuple(one.content for one in reflections)


def kept(services: Services, level: Any) -> list[ObservationNote]:
    with services.ledger.whole() as reader:
        return reader.at("ana").notes.of_level(level)


def characters(items: Sequence[Any]) -> int:
    return sum(len(item.content) for item in items)


def note(text: str, **changes: Any) -> ObservationNote:
    given: dict[str, Any] = {"level": "note", "characters": len(text), "speaker": "Ana", **changes}
    return ObservationNote(
        id=text, namespace="ana", content=text, observed_at=NOON, created_at=NOON, **given
    )


def test_compresses_long_running_conversations_into_dense_searchable_memory_traces(
    services: Services,
) -> None:
    """ "compresses long-running conversations into dense, searchable memory traces": every turn is in one."""
    report = observe(services, "ana", conversation())
    assert (len(report.notes), report.compressed, kept(services, "note")) == (60, 60, [])
    assert {ref for trace in report.traces for ref in trace.refs} == {
        note.refs[0] for note in report.notes
    }
    assert all(trace.entities for trace in report.traces)


def test_observations_are_compressed_three_to_ten_times(services: Services) -> None:
    """ "concise notes via ObservationCompressor, 3-10x compression", on a conversation of 60 turns."""
    report = observe(services, "ana", conversation())
    measured = characters(conversation()[:60]) / characters(report.traces)
    assert 3.0 <= measured <= 10.0
    assert report.ratio == round(measured, 2)


def test_reflections_are_compressed_five_to_forty_times(services: Services) -> None:
    """ "long-term traces via ObservationReflector, 5-40x compression", against the conversation."""
    observe(services, "ana", conversation())
    place = Places()
    report = reflect(services, "ana", place)
    measured = characters(conversation()[:60]) / sum(len(one.content) for one in place.got)
    assert 5.0 <= measured <= 40.0
    assert report.ratio == round(measured, 2)


def test_groups_related_observation_notes_by_topic_and_entity_overlap(services: Services) -> None:
    """ "Groups related observation notes by topic/entity overlap": told in turns, six topics come apart again.

    Of 60 notes at least 42 are with a majority of their own topic; by chance it would be about 20.
    """
    lines = [topic.splitlines()[number] for number in range(10) for topic in TOPICS]
    turns = [Turn(line.split(": ", 1)[1], speaker=line[:3], ref=line) for line in lines]
    majority = 0
    for trace in observe(services, "ana", turns).traces:
        majority += max(sum(ref in topic for ref in trace.refs) for topic in TOPICS)
    assert majority >= 42


@each_case_of("notes_become_traces/assigns_priority_levels")
def test_assigns_priority_levels(services: Services, text: str, priority: str) -> None:
    """ "assigns priority levels (critical, important, informational)"."""
    assert observe(services, "ana", [Turn(text)]).notes[0].priority == priority


def test_what_is_critical_survives_compression_and_reflection(services: Services) -> None:
    """Priorities decide what is kept: the deadline and the allergy are still there in the end."""
    observe(services, "ana", conversation())
    place = Places()
    reflect(services, "ana", place)
    critical = " ".join(one.content for one in place.got if one.priority == "critical")
    assert "deadline of the migration is 30 June 2026" in critical
    assert "allergic to chicken" in critical


@each_row_of("notes_become_traces/a_high_trait_tunes_the_system_prompt")
def test_a_high_trait_tunes_the_system_prompt(trait: str, focus: str) -> None:
    """ "When HEXACO traits are provided, the system prompt is tuned": above 0.6, and only then."""

    def prompt(value: float) -> str:
        llm = ScriptedLLM(default=TimeoutError("late"))
        config = Config(observation=ObservationConfig(max_notes=1, personality={trait: value}))
        with cogmem_core.open(
            embedder="hashing", clock=FrozenClock(), config=config, llm=llm
        ) as engine:
            observe(
                engine.services,
                "ana",
                [Turn("Juno sleeps all day."), Turn("The kitchen is green.")],
            )
        return str(llm.calls[0].messages[0]["content"])

    assert focus in prompt(0.61)
    assert "Emphasise" not in prompt(0.6)


@each_row_of("notes_become_traces/conflict_resolution_is_personality_driven")
def test_conflict_resolution_is_personality_driven(
    personality: dict[str, float], verdict: str, left: list[str]
) -> None:
    """Honest: the newer one; agreeable: both, linked; else the surer one if the difference exceeds 0.2."""
    config = ObservationConfig(personality=personality)
    assert resolve(0.4, 0.9, config) == verdict
    assert contradictory(config) == left


@each_case_of("notes_become_traces/the_model_is_told_how_to_resolve_conflicts")
def test_the_model_is_told_how_to_resolve_conflicts(
    personality: dict[str, float], rule: str
) -> None:
    """Each row of the table is a rule of the prompt."""
    llm = ScriptedLLM(default=TimeoutError("late"))
    config = Config(observation=ObservationConfig(personality=personality))
    with cogmem_core.open(
        embedder="hashing", clock=FrozenClock(), config=config, llm=llm
    ) as engine:
        observe(engine.services, "ana", conversation()[:5])
        reflect(engine.services, "ana", Places())
    assert rule in llm.calls[1].messages[0]["content"]


def contradictory(config: ObservationConfig) -> list[ObservationNote]:
    """What is recalled after a sure statement was followed, nine days later, by another one that is less sure."""
    given: dict[str, Any] = {
        "namespace": "ana",
        "level": "trace",
        "created_at": NOON,
        "speaker": "Ana",
        "characters": 400,
    }
    later = NOON + timedelta(days=9)
    traces = [
        ObservationNote(
            "id-1", content="I live in Lisbon.", observed_at=NOON, confidence=0.9, **given
        ),
        ObservationNote(
            "id-2", content="I live in Porto.", observed_at=later, confidence=0.4, **given
        ),
    ]
    with cogmem_core.open(
        embedder="hashing", clock=FrozenClock(), config=Config(observation=config)
    ) as engine:
        with engine.services.ledger.writing() as writer:
            writer.at("ana").notes.add(traces)
        bank = engine.bank("ana")
        bank.reflect()
        return sorted(memory.content for memory in bank.list())
