"""The I/O half of observing: notes are on disk first.

Then, if many wait, they are replaced by traces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from cogmem_core.config import ObservationConfig
from cogmem_core.errors import StoreError
from cogmem_core.models import ObservationNote, Turn
from cogmem_core.observation.notes import note_of, skip_reason, trace_of
from cogmem_core.observation.personality import high_traits
from cogmem_core.results import ObservationReport
from cogmem_core.services import Services
from cogmem_core.skills import Outcome
from cogmem_core.skills.digest_notes import CompressInput, Digest, compressing
from cogmem_core.skills.reflect import Reflected
from cogmem_core.text.grouping import group_topics, topic_of
from cogmem_core.text.thoughts import without_thoughts

__all__ = [
    "GROUP_OVERLAP",
    "NOTE_CHARACTERS",
    "Tally",
    "batches",
    "compress",
    "observe",
    "replace_notes",
    "shortfall",
]

NOTE_CHARACTERS = 2_000
"""Of a turn; a longer one is a document, and its head tells what it is about."""
GROUP_OVERLAP = 0.2
"""Share of common entities or words from which on notes are about the same thing."""

_CHARACTERS_PER_TOKEN = 4
_ELSEWHERE = "another process compressed the notes meanwhile"


def observe(services: Services, namespace: str, turns: Sequence[Turn]) -> ObservationReport:
    """Note what was said; compress the notes once more than `max_notes` or `max_tokens` wait.

    Args:
        services: the parts of the engine.
        namespace: where the notes are stored.
        turns: checked, and sanitized, by the caller.

    Returns:
        What was noted, skipped and compressed. A compression that fails leaves its notes to the
        next call.

    Raises:
        StoreError: the disk failed before the notes were stored; nothing was changed.
    """
    limit = NOTE_CHARACTERS
    now = services.runtime.now()
    notes: list[ObservationNote] = []
    skipped: Counter[str] = Counter()
    for turn in turns:
        spoken = without_thoughts(turn.content) if turn.role == "assistant" else turn.content
        cut_turn = replace(turn, content=spoken.strip()[:limit].rstrip())
        reason = skip_reason(cut_turn, services.config.observer)
        if reason is None:
            notes.append(note_of(cut_turn, namespace, services.runtime.new_id(), now))
        else:
            skipped[reason] += 1
    if notes:
        with services.ledger.writing_to(namespace) as ns:
            ns.notes.add(notes)
    tally = Tally()
    if _is_full(services, namespace):
        tally = compress(services, namespace)
    return ObservationReport(
        notes=tuple(notes),
        skipped=dict(skipped),
        compressed=tally.compressed,
        traces=tuple(tally.traces),
        ratio=tally.ratio,
        source=tally.source,
        error=tally.error,
        llm_calls=tally.llm_calls,
    )


@dataclass(slots=True)
class Tally:
    """What compressions came to, added up."""

    compressed: int = 0
    traces: list[ObservationNote] = field(default_factory=list)
    source: Literal["llm", "heuristic", ""] = ""
    error: str | None = None
    llm_calls: int = 0

    @property
    def ratio(self) -> float:
        """Characters of conversation per character of the traces; 0.0 without traces."""
        length = sum(len(trace.content) for trace in self.traces)
        if not length:
            return 0.0
        return round(sum(trace.characters for trace in self.traces) / length, 2)


def compress(services: Services, namespace: str) -> Tally:
    """Replace all waiting notes by traces, one call of the model per batch of about `max_notes`.

    If another thread is compressing them already, nothing is done.
    """
    tally = Tally()
    with services.claims.taking([f"notes of {namespace}"]) as claimed:
        if not claimed:
            return tally
        with services.ledger.reading(namespace) as ns:
            notes = ns.notes.of_level("note")
        for part in batches(notes, services.config.observation):
            _compress_part(services, namespace, part, tally)
    return tally


def batches(
    notes: Sequence[ObservationNote], config: ObservationConfig
) -> list[Sequence[ObservationNote]]:
    """Consecutive slices of equal size, each with about as much as may wait."""
    tokens = sum(len(note.content) for note in notes) // _CHARACTERS_PER_TOKEN
    count = min(len(notes), max(1, len(notes) // config.max_notes, tokens // config.max_tokens))
    if not count:
        return []
    ends = [len(notes) * number // count for number in range(count + 1)]
    return [notes[start:end] for start, end in pairwise(ends)]


def replace_notes(
    services: Services,
    namespace: str,
    old: Sequence[ObservationNote],
    new: Sequence[ObservationNote],
) -> str | None:
    """Replace old notes by new ones in one transaction.

    Returns:
        Why that failed; None if it did not.
    """
    try:
        with services.ledger.writing_to(namespace) as ns:
            if ns.notes.drop([note.id for note in old]) < len(old):
                raise _GoneError
            ns.notes.add(new)
    except _GoneError:
        return _ELSEWHERE
    except StoreError as error:
        return f"{type(error).__name__}: {error}"
    return None


class _GoneError(Exception):
    """Rolls the transaction back."""


def _is_full(services: Services, namespace: str) -> bool:
    config = services.config.observation
    with services.ledger.reading(namespace) as ns:
        count, characters = ns.notes.count("note")
    return count > config.max_notes or characters > config.max_tokens * _CHARACTERS_PER_TOKEN


def _members(notes: Sequence[ObservationNote], row: Iterable[int]) -> tuple[ObservationNote, ...]:
    return tuple(notes[index] for index in row)


def _compress_part(
    services: Services, namespace: str, notes: Sequence[ObservationNote], tally: Tally
) -> None:
    config = services.config.observation
    topics = [topic_of(note.content, note.entities) for note in notes]
    groups = tuple(_members(notes, row) for row in group_topics(topics, GROUP_OVERLAP))
    outcome = services.ask(compressing(), CompressInput(groups, high_traits(config)))
    now = services.runtime.now()
    traces: list[ObservationNote] = []
    for digest, group in zip(outcome.value, groups, strict=True):
        traces.append(trace_of(digest, group, services.runtime.new_id(), now))
    error = replace_notes(services, namespace, notes, traces)
    tally.llm_calls += outcome.usage.calls
    tally.error = tally.error or error or shortfall(outcome, "groups")
    if error is None:
        tally.compressed += len(notes)
        tally.traces += traces
        tally.source = "llm" if "llm" in (tally.source, outcome.source) else "heuristic"


def shortfall(
    outcome: Outcome[tuple[Digest, ...]] | Outcome[tuple[Reflected, ...]], unit: str
) -> str | None:
    """Why not everything is the model's, in a few words; None if everything is.

    Args:
        outcome: what the model, or the heuristic, made.
        unit: what the message calls its parts.
    """
    count = 0
    for item in outcome.value:
        count += item.source == "heuristic"
    if outcome.source == "heuristic" or not count:
        return outcome.error
    return f"{count} of {len(outcome.value)} {unit} were left to the heuristic"
