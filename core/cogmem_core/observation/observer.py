"""Notes are on disk first; if many wait, traces take their place, and on demand memories take that of traces.

Each step drops what it replaces only after its result is on disk; without a language model, or when
it fails, the extractive twin answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from cogmem_core.config import ObservationConfig
from cogmem_core.errors import StoreError
from cogmem_core.observation.notes import note_of, skip_reason, trace_of
from cogmem_core.observation.personality import orders
from cogmem_core.process.services import Services
from cogmem_core.skills import Outcome
from cogmem_core.skills.digest_notes import CompressInput, Digest, compressing
from cogmem_core.text.grouping import group_topics, topic_of
from cogmem_core.text.thoughts import without_thoughts
from cogmem_core.values.models import NoteLevel, ObservationNote, Turn
from cogmem_core.values.results import ObservationReport, ReflectionReport

NOTE_CHARACTERS = 2_000
"""Of a turn; a longer one is a document, and its head tells what it is about."""
GROUP_OVERLAP = 0.2
"""Share of common entities or words from which on notes are about the same thing."""
Place = Callable[[Sequence[ObservationNote]], tuple[str, ...]]
"""Stores digests of traces as memories and returns their ids; if it raises, the traces stay."""

_CHARACTERS_PER_TOKEN = 4
_SHARES = {"note": 5, "trace": 10}  # one part in so many of the conversation stays


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
    now = services.runtime.now()
    notes: list[ObservationNote] = []
    skipped: Counter[str] = Counter()
    for turn in turns:
        spoken = without_thoughts(turn.content) if turn.role == "assistant" else turn.content
        cut_turn = replace(turn, content=spoken.strip()[:NOTE_CHARACTERS].rstrip())
        reason = skip_reason(cut_turn, services.config.observer)
        if reason is None:
            notes.append(note_of(cut_turn, namespace, services.runtime.new_id(), now))
        else:
            skipped[reason] += 1
    if notes:
        with services.ledger.writing_to(namespace) as ns:
            ns.notes.add(notes)
    tally = _Tally()
    config = services.config.observation
    with services.ledger.reading(namespace) as ns:
        count, length = ns.notes.count("note")
    if count > config.max_notes or length > config.max_tokens * _CHARACTERS_PER_TOKEN:
        _digest(services, namespace, "note", tally, None)
    return ObservationReport(
        notes=tuple(notes),
        skipped=dict(skipped),
        compressed=tally.replaced,
        traces=tuple(tally.digests),
        ratio=tally.ratio,
        source=tally.source,
        error=tally.error,
        llm_calls=tally.llm_calls,
    )


def reflect(services: Services, namespace: str, place: Place) -> ReflectionReport:
    """Compress the notes that wait, then turn all traces into long-term memories.

    Args:
        services: the parts of the engine.
        namespace: whose notes and traces these are.
        place: called once per batch of about `max_notes` traces, outside any transaction.
    """
    compressed = _Tally()
    _digest(services, namespace, "note", compressed, None)
    tally = _Tally(error=compressed.error, llm_calls=compressed.llm_calls)
    _digest(services, namespace, "trace", tally, place)
    return ReflectionReport(
        tuple(dict.fromkeys(tally.ids)),
        tally.replaced,
        tally.ratio,
        tally.source,
        tally.error,
        tally.llm_calls,
    )


@dataclass(slots=True)
class _Tally:
    """What digests came to, added up."""

    replaced: int = 0
    digests: list[ObservationNote] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    source: Literal["llm", "heuristic", ""] = ""
    error: str | None = None
    llm_calls: int = 0

    @property
    def ratio(self) -> float:
        """Characters of conversation per character of the digests; 0.0 without digests."""
        length = sum(len(digest.content) for digest in self.digests)
        if not length:
            return 0.0
        return round(sum(digest.characters for digest in self.digests) / length, 2)


def _digest(
    services: Services, namespace: str, level: NoteLevel, tally: _Tally, place: Place | None
) -> None:
    """Replace all that waits on a level, one call of the model per batch of about `max_notes`."""
    with services.claims.taking([f"{level}s of {namespace}"]) as claimed:
        if not claimed:
            tally.error = tally.error or f"another thread has the {level}s of this namespace"
            return
        with services.ledger.reading(namespace) as ns:
            notes = ns.notes.of_level(level)
        for part in _batches(notes, services.config.observation):
            _digest_part(services, namespace, part, tally, place)


def _batches(
    notes: Sequence[ObservationNote], config: ObservationConfig
) -> list[Sequence[ObservationNote]]:
    """Consecutive slices of equal size, each with about as much as may wait."""
    tokens = sum(len(note.content) for note in notes) // _CHARACTERS_PER_TOKEN
    count = min(len(notes), max(1, len(notes) // config.max_notes, tokens // config.max_tokens))
    if not count:
        return []
    ends = [len(notes) * number // count for number in range(count + 1)]
    return [notes[start:end] for start, end in pairwise(ends)]


def _digest_part(
    services: Services,
    namespace: str,
    notes: Sequence[ObservationNote],
    tally: _Tally,
    place: Place | None,
) -> None:
    level = notes[0].level
    groups: list[tuple[ObservationNote, ...]] = [(note,) for note in notes]
    if level == "note":
        topics = [topic_of(note.content, note.entities) for note in notes]
        rows = group_topics(topics, GROUP_OVERLAP)
        groups = [tuple(map(notes.__getitem__, row)) for row in rows]
    told = orders(services.config.observation)
    asked = CompressInput(tuple(groups), _SHARES[level], told)
    outcome = services.ask(compressing(), asked)
    now = services.runtime.now()
    digests = [
        trace_of(digest, group, services.runtime.new_id(), now)
        for digest, group in zip(outcome.value, groups, strict=True)
    ]
    if place is not None:
        tally.ids += place(digests)
    error = _replaced(services, namespace, notes, () if place else digests)
    tally.llm_calls += outcome.usage.calls
    tally.error = tally.error or error or _shortfall(outcome)
    if error is None:
        tally.replaced += len(notes)
        tally.digests += digests
        tally.source = "llm" if "llm" in (tally.source, outcome.source) else "heuristic"


def _replaced(
    services: Services,
    namespace: str,
    old: Sequence[ObservationNote],
    new: Sequence[ObservationNote],
) -> str | None:
    """Replace old notes by new ones in one transaction; why that failed, None if it did not."""
    try:
        with services.ledger.writing_to(namespace) as ns:
            if ns.notes.drop([note.id for note in old]) < len(old):
                raise _GoneError("another process compressed the notes meanwhile")
            ns.notes.add(new)
    except _GoneError as error:
        return str(error)
    except StoreError as error:
        return f"{type(error).__name__}: {error}"
    return None


class _GoneError(Exception):
    """Rolls the transaction back."""


def _shortfall(outcome: Outcome[tuple[Digest, ...]]) -> str | None:
    """Why not everything is the model's, in a few words; None if everything is."""
    count = [digest.source for digest in outcome.value].count("heuristic")
    if outcome.source == "heuristic" or not count:
        return outcome.error
    return f"{count} of {len(outcome.value)} groups were left to the heuristic"
