"""The I/O half of reflecting: traces become long-term memories, and go only after those are placed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from cogmem_core.models import ObservationNote
from cogmem_core.observation.notes import Reflection, reflection_of
from cogmem_core.observation.observer import batches, compress, replace_notes
from cogmem_core.observation.personality import high_traits, policy, settled
from cogmem_core.results import ReflectionReport
from cogmem_core.services import Services
from cogmem_core.skills import Outcome
from cogmem_core.skills.reflect import Reflected, ReflectInput, reflecting

__all__ = ["Place", "reflect"]

Place = Callable[[Sequence[Reflection]], tuple[str, ...]]
"""Stores reflections as memories and returns their ids; whatever it raises leaves the traces as they are."""


def reflect(services: Services, namespace: str, place: Place) -> ReflectionReport:
    """Compress the notes that wait, then turn all traces into long-term memories.

    Args:
        place: called once per batch of about `max_notes` traces, outside of any transaction.

    Returns:
        What was placed. If another thread is reflecting on the namespace, nothing is done and `error` says so.
    """
    before = compress(services, namespace)
    done = _Tally(error=before.error, llm_calls=before.llm_calls)
    with services.claims.taking([f"traces of {namespace}"]) as free:
        if free:
            with services.ledger.reading() as reader:
                traces = reader.notes(namespace, "trace")
            for part in batches(traces, services.config.observation):
                _reflect_part(services, namespace, part, place, done)
        else:
            done.error = "another thread is reflecting on this namespace"
    ratio = round(done.characters / done.kept, 2) if done.kept else 0.0
    return ReflectionReport(tuple(done.ids), done.traces, ratio, done.source, done.error, done.llm_calls)


@dataclass(slots=True)
class _Tally:
    """What the batches came to; `characters` of conversation, and those `kept` in reflections."""

    error: str | None
    llm_calls: int
    ids: list[str] = field(default_factory=list)
    traces: int = 0
    characters: int = 0
    kept: int = 0
    source: Literal["llm", "heuristic", ""] = ""


def _reflect_part(
    services: Services, namespace: str, traces: Sequence[ObservationNote], place: Place, done: _Tally
) -> None:
    config = services.config.observation
    given = ReflectInput(
        tuple(traces), config.group_overlap, high_traits(config), policy(config), config.confidence_gap
    )
    outcome = services.ask(reflecting(), given)
    done.llm_calls += outcome.usage.calls
    reflections = settled([reflection_of(reflected, traces) for reflected in outcome.value], config)
    done.ids += [memory_id for memory_id in place(reflections) if memory_id not in done.ids]
    done.traces += len(traces)
    done.characters += sum(trace.characters for trace in traces)
    done.kept += sum(len(reflection.text) for reflection in reflections)
    done.source = "llm" if "llm" in (done.source, outcome.source) else "heuristic"
    done.error = done.error or replace_notes(services, namespace, traces, ()) or _left_over(outcome)


def _left_over(outcome: Outcome[tuple[Reflected, ...]]) -> str | None:
    quoted = sum(reflected.source == "heuristic" for reflected in outcome.value)
    if outcome.source == "heuristic" or not quoted:
        return outcome.error
    return f"{quoted} of {len(outcome.value)} memories were left to the heuristic"
