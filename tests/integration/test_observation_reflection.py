"""Reflecting through an engine's services: what is on disk after each step, and after each failure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from cogmem_core import Config
from cogmem_core.config import ObservationConfig
from cogmem_core.models import ObservationNote
from cogmem_core.observation import Reflection, observe, reflect
from cogmem_core.services import Services
from cogmem_core.testing import ScriptedLLM
from helpers.observed_talk import FIVE, NOON, YEAR, StumblingLedger, kept, opened


class Places:
    """Stands for the write path: records what it gets, one id per reflection; raises what it is told to."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.got: list[Reflection] = []
        self.failure = failure

    def __call__(self, reflections: Sequence[Reflection]) -> tuple[str, ...]:
        if self.failure is not None:
            raise self.failure
        self.got += reflections
        return tuple(
            f"m{number}" for number in range(len(self.got) - len(reflections), len(self.got))
        )


class TestReflection:
    def test_traces_become_memories(self, services: Services) -> None:
        """What waits is compressed first; then the traces go, and the report names the memories."""
        observe(
            services,
            "alice",
            FIVE[:3],
        )
        place = Places()
        report = reflect(services, "alice", place)

        assert (report.memory_ids, report.traces, report.source, report.error) == (
            ("m0",),
            1,
            "heuristic",
            None,
        )
        assert (kept(services, "note"), kept(services, "trace")) == ([], [])
        (reflection,) = place.got
        assert reflection.text == "Emma lives in Oslo and works at Google."
        assert (reflection.refs, reflection.characters) == (("t1", "t2", "t3"), 116)
        assert (reflection.observed_at, reflection.priority, reflection.confidence) == (
            NOON,
            "informational",
            0.9,
        )
        assert reflection.entities == (
            "entity://person/emma",
            "entity://place/oslo",
            "entity://org/google",
        )
        assert report.ratio == round(116 / 39, 2)

    def test_nothing_observed_is_nothing_placed(self, services: Services) -> None:
        """`place` is not even called."""
        report = reflect(services, "alice", Places(AssertionError("called")))
        assert (report.memory_ids, report.traces, report.ratio, report.source) == ((), 0, 0.0, "")

    def test_traces_stay_if_their_memories_cannot_be_placed(self, services: Services) -> None:
        """Whatever `place` raises reaches the caller, and the next call has the same traces."""
        observe(services, "alice", FIVE)
        before = kept(services, "trace")
        with pytest.raises(ConnectionError):
            reflect(services, "alice", Places(ConnectionError("embedder")))
        assert kept(services, "trace") == before
        assert reflect(services, "alice", Places()).traces == len(before)

    def test_a_disk_that_keeps_the_traces_does_not_hide_the_memories(
        self, services: Services
    ) -> None:
        """They are placed; the error says that the traces will come again."""
        observe(services, "alice", FIVE)
        report = reflect(
            replace(services, ledger=StumblingLedger(services.ledger, 0)), "alice", Places()
        )
        assert (report.memory_ids, report.error, len(kept(services, "trace"))) == (
            ("m0",),
            "StoreError: disk full",
            1,
        )

    def test_the_model_compresses_and_reflects_with_one_call_each(self) -> None:
        """And the memory is a sentence of its own."""
        digest = {
            "group": 0,
            "text": "Emma lives in Oslo.",
            "priority": "important",
            "notes": ["n1", "n2", "n3"],
        }
        memory = {"text": "Emma is at home in Oslo.", "priority": "critical", "traces": ["t1"]}
        place = Places()
        with opened(llm=ScriptedLLM({"digests": [digest]}, {"memories": [memory]})) as engine:
            observe(engine.services, "alice", FIVE[:3])
            report = reflect(engine.services, "alice", place)

        assert (report.llm_calls, report.source, report.error) == (2, "llm", None)
        assert [(one.text, one.priority) for one in place.got] == [
            ("Emma is at home in Oslo.", "critical")
        ]

    def test_traces_go_although_the_model_did_not_answer(self) -> None:
        """Else every further call would make the same memories again."""
        place = Places()
        with opened(llm=ScriptedLLM()) as engine:
            observe(engine.services, "alice", FIVE[:3])
            reports = [reflect(engine.services, "alice", place) for _ in range(2)]
            assert kept(engine.services, "trace") == []

        assert [report.traces for report in reports] == [1, 0]
        assert reports[0].error is not None
        assert len(place.got) == 1

    def test_only_one_thread_reflects_on_a_namespace(self, services: Services) -> None:
        """Otherwise every memory would be placed twice."""
        observe(services, "alice", FIVE)
        inner: list[Any] = []

        def place(reflections: Sequence[Reflection]) -> tuple[str, ...]:
            inner.append(reflect(services, "alice", Places()))
            return tuple(one.text for one in reflections)

        assert reflect(services, "alice", place).traces == 1
        assert (inner[0].traces, inner[0].error) == (
            0,
            "another thread is reflecting on this namespace",
        )

    def test_a_reflection_refers_to_its_own_date_only(self, services: Services) -> None:
        """The year of one sentence of a trace is not that of the next."""
        text = "Google sent Emma to Oslo in 2021. Rui works at Google in Porto with Docker."
        trace = ObservationNote(
            "id", "alice", "trace", text, NOON, NOON, referenced_at=YEAR, characters=800
        )
        with services.ledger.writing() as writer:
            writer.at("alice").notes.add([trace])
        place = Places()
        reflect(services, "alice", place)
        assert [(one.text, one.referenced_at) for one in place.got] == [
            ("Google sent Emma to Oslo in 2021.", YEAR),
            ("Rui works at Google in Porto with Docker.", None),
        ]

    def test_contradictions_are_resolved_before_anything_is_placed(self) -> None:
        """An honest personality: what was said later is right, and names what it replaces."""
        config = Config(observation=ObservationConfig(personality={"honesty": 0.9}))
        given: dict[str, Any] = {
            "namespace": "alice",
            "level": "trace",
            "created_at": NOON,
            "speaker": "Ana",
        }
        traces = [
            ObservationNote(
                "id-1", content="I live in Lisbon.", observed_at=NOON, refs=("old",), **given
            ),
            ObservationNote(
                "id-2",
                content="I live in Porto.",
                observed_at=NOON + timedelta(days=9),
                refs=("new",),
                **given,
            ),
        ]
        place = Places()
        with opened(config) as engine:
            with engine.services.ledger.writing() as writer:
                writer.at("alice").notes.add([replace(trace, characters=400) for trace in traces])
            reflect(engine.services, "alice", place)
        (reflection,) = place.got
        assert (reflection.text, reflection.refs) == ("Ana lives in Porto.", ("old", "new"))
        assert reflection.supersedes == ("Ana lives in Lisbon.",)
