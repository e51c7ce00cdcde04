"""The I/O half of reflecting: traces become memories, and are dropped only after that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from cogmem_core.models import ObservationNote
from cogmem_core.observation.notes import Reflection, reflection_of
from cogmem_core.observation.observer import (
    GROUP_OVERLAP,
    batches,
    compress,
    replace_notes,
    shortfall,
)
from cogmem_core.observation.personality import CONFIDENCE_GAP, high_traits, policy, settle
from cogmem_core.results import ReflectionReport
from cogmem_core.services import Services
from cogmem_core.skills.reflect import ReflectInput, reflecting

__all__ = ["Place", "reflect"]

Place = Callable[[Sequence[Reflection]], tuple[str, ...]]
"""Stores reflections as memories and returns their ids; if it raises, the traces stay."""


def reflect(services: Services, namespace: str, place: Place) -> ReflectionReport:
    """Compress the notes that wait, then turn all traces into long-term memories.

    Args:
        services: the parts of the engine.
        namespace: whose notes and traces these are.
        place: called once per batch of about `max_notes` traces, outside any transaction.

    Returns:
        What was placed. If another thread is reflecting on the namespace, nothing is done and
        `error` says so.
    """
    compressed = compress(services, namespace)
    tally = _Tally(error=compressed.error, llm_calls=compressed.llm_calls)
    with services.claims.taking([f"traces of {namespace}"]) as claimed:
        if claimed:
            with services.ledger.reading(namespace) as ns:
                traces = ns.notes.of_level("trace")
            for part in batches(traces, services.config.observation):
                _reflect_part(services, namespace, part, place, tally)
        else:
            tally.error = "another thread is reflecting on this namespace"
    ratio = 0.0
    if tally.stored_characters:
        ratio = round(tally.characters / tally.stored_characters, 2)
    return ReflectionReport(
        tuple(tally.ids), tally.traces, ratio, tally.source, tally.error, tally.llm_calls
    )


@dataclass(slots=True)
class _Tally:
    """What the batches came to.

    Attributes:
        error: why not everything is the model's.
        llm_calls: how often the model was called.
        ids: of the memories.
        traces: how many were reflected on.
        characters: of conversation that the traces stand for.
        stored_characters: of the reflections.
        source: who reflected.
    """

    error: str | None
    llm_calls: int
    ids: list[str] = field(default_factory=list)
    traces: int = 0
    characters: int = 0
    stored_characters: int = 0
    source: Literal["llm", "heuristic", ""] = ""


def _reflect_part(
    services: Services,
    namespace: str,
    traces: Sequence[ObservationNote],
    place: Place,
    tally: _Tally,
) -> None:
    config = services.config.observation
    reflect_input = ReflectInput(
        tuple(traces),
        GROUP_OVERLAP,
        high_traits(config),
        policy(config),
        CONFIDENCE_GAP,
    )
    outcome = services.ask(reflecting(), reflect_input)
    tally.llm_calls += outcome.usage.calls
    reflections = settle([reflection_of(reflected, traces) for reflected in outcome.value], config)
    tally.ids += [memory_id for memory_id in place(reflections) if memory_id not in tally.ids]
    tally.traces += len(traces)
    tally.characters += sum(trace.characters for trace in traces)
    tally.stored_characters += sum(len(reflection.text) for reflection in reflections)
    tally.source = "llm" if "llm" in (tally.source, outcome.source) else "heuristic"
    # What became memories is dropped, whatever went wrong with an earlier batch.
    error = replace_notes(services, namespace, traces, ())
    tally.error = tally.error or error or shortfall(outcome, "memories")
