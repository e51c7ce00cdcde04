"""The I/O half of observing: notes are on disk first; then, if many wait, they are replaced by traces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
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
from cogmem_core.text.grouping import group_topics, topic_of

__all__ = ["Tally", "batches", "compress", "observe", "replace_notes"]

_CHARACTERS_PER_TOKEN = 4
_ELSEWHERE = "another process compressed the notes meanwhile"


def observe(services: Services, namespace: str, turns: Sequence[Turn]) -> ObservationReport:
    """Note what was said, and compress the notes once more than `max_notes` or `max_tokens` of them wait.

    Args:
        turns: checked, and screened for secrets, by the caller.

    Returns:
        What was noted, skipped and compressed. A compression that fails leaves its notes to the next call.

    Raises:
        StoreError: the disk failed before the notes were kept; nothing was changed.
    """
    limit = services.config.observation.note_characters
    turns = [replace(turn, content=turn.content.strip()[:limit].rstrip()) for turn in turns]
    reasons = [skip_reason(turn, services.config.observer) for turn in turns]
    now = services.runtime.now()
    worth = [turn for turn, reason in zip(turns, reasons, strict=True) if reason is None]
    notes = tuple(note_of(turn, namespace, services.runtime.new_id(), now) for turn in worth)
    if notes:
        with services.ledger.writing(namespace) as writer:
            writer.add_notes(notes)
    done = compress(services, namespace) if _full(services, namespace) else Tally()
    return ObservationReport(
        notes=notes,
        skipped=dict(Counter(reason for reason in reasons if reason is not None)),
        compressed=done.compressed,
        traces=tuple(done.traces),
        ratio=done.ratio,
        source=done.source,
        error=done.error,
        llm_calls=done.llm_calls,
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
        kept = sum(len(trace.content) for trace in self.traces)
        return round(sum(trace.characters for trace in self.traces) / kept, 2) if kept else 0.0


def compress(services: Services, namespace: str) -> Tally:
    """Replace all waiting notes by traces, one call of the model per batch of about `max_notes`.

    If another thread is compressing them already, nothing is done.
    """
    done = Tally()
    with services.claims.taking([f"notes of {namespace}"]) as free:
        if not free:
            return done
        with services.ledger.reading() as reader:
            waiting = reader.notes(namespace, "note")
        for part in batches(waiting, services.config.observation):
            _compress_part(services, namespace, part, done)
    return done


def batches(notes: Sequence[ObservationNote], config: ObservationConfig) -> list[Sequence[ObservationNote]]:
    """Consecutive slices of equal size, each with about as much as may wait."""
    tokens = sum(len(note.content) for note in notes) // _CHARACTERS_PER_TOKEN
    count = min(len(notes), max(1, len(notes) // config.max_notes, tokens // config.max_tokens))
    ends = [len(notes) * number // count for number in range(count + 1)] if count else [0]
    return [notes[start:end] for start, end in pairwise(ends)]


def replace_notes(
    services: Services, namespace: str, old: Sequence[ObservationNote], new: Sequence[ObservationNote]
) -> str | None:
    """Put new notes in the place of old ones in one transaction; returns why it could not be done, else None."""
    try:
        with services.ledger.writing(namespace) as writer:
            if writer.drop_notes(namespace, [note.id for note in old]) < len(old):
                raise _GoneError
            writer.add_notes(new)
    except _GoneError:
        return _ELSEWHERE
    except StoreError as error:
        return f"{type(error).__name__}: {error}"
    return None


class _GoneError(Exception):
    """Rolls the transaction back."""


def _full(services: Services, namespace: str) -> bool:
    config = services.config.observation
    with services.ledger.reading() as reader:
        count, characters = reader.count_notes(namespace, "note")
    return count > config.max_notes or characters > config.max_tokens * _CHARACTERS_PER_TOKEN


def _compress_part(services: Services, namespace: str, notes: Sequence[ObservationNote], done: Tally) -> None:
    config = services.config.observation
    topics = [topic_of(note.content, note.entities) for note in notes]
    groups = tuple(tuple(notes[i] for i in members) for members in group_topics(topics, config.group_overlap))
    outcome = services.ask(compressing(), CompressInput(groups, high_traits(config)))
    now, new_id = services.runtime.now(), services.runtime.new_id
    traces = [trace_of(digest, group, new_id(), now) for digest, group in zip(outcome.value, groups, strict=True)]
    failed = replace_notes(services, namespace, notes, traces)
    done.llm_calls += outcome.usage.calls
    done.error = done.error or failed or _left_over(outcome)
    if failed is None:
        done.compressed += len(notes)
        done.traces += traces
        done.source = "llm" if "llm" in (done.source, outcome.source) else "heuristic"


def _left_over(outcome: Outcome[tuple[Digest, ...]]) -> str | None:
    """Why not everything is the model's, in a few words."""
    quoted = sum(digest.source == "heuristic" for digest in outcome.value)
    if outcome.source == "heuristic" or not quoted:
        return outcome.error
    return f"{quoted} of {len(outcome.value)} groups were left to the heuristic"
