"""From turns to notes, from groups of notes to traces. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timezone
from itertools import chain
from statistics import fmean
from typing import TypeVar

from cogmem_core.config import ObserverConfig
from cogmem_core.reading import of
from cogmem_core.reading.facts import is_unsure
from cogmem_core.skills.digest_notes import Digest, priority_of, voice
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.observe.filters import refusal
from cogmem_core.text.time.find import first_time
from cogmem_core.values.models import ObservationNote, Role, Turn

T = TypeVar("T")

_SURE = 0.9
_ANSWERED = 0.6
_DOUBTFUL = 0.4
_HARD = ("system_content", "prompt_injection")


def skip_reason(turn: Turn, config: ObserverConfig) -> str | None:
    """Why a turn becomes no note, None if it does.

    Turns of the machinery, attempts to give orders to the model, and courtesies never do. A turn
    that tells nothing, or is long or oddly formatted, does, unless `config.keep_weak` is off: one note
    too many loses nothing.
    """
    if turn.role not in ("user", "assistant"):
        return "role"
    found = of(turn.content)
    if found.is_idle:
        return "small_talk"
    reason = refusal(turn.content.strip(), form=not config.keep_weak)
    if reason in _HARD or not config.keep_weak:
        return reason or (None if found.tells else "question")
    return None


def note_of(turn: Turn, namespace: str, note_id: str, now: datetime) -> ObservationNote:
    """The turn as a note: as it was said, its three dates, what it names, how much it matters."""
    text = turn.content
    at = turn.at or now
    # Doubts count less, and so does what an assistant without a name says about others.
    confidence = _SURE
    if is_unsure(text):
        confidence = _DOUBTFUL
    elif turn.role == "assistant" and turn.speaker is None:
        confidence = _ANSWERED
    return ObservationNote(
        id=note_id,
        namespace=namespace,
        level="note",
        content=text,
        observed_at=at.astimezone(timezone.utc),
        created_at=now,
        priority=priority_of(text, at),
        role=turn.role,
        speaker=turn.speaker,
        session_id=turn.session_id,
        entities=entity_uris(text),
        confidence=confidence,
        referenced_at=first_time(text, at),
        refs=() if turn.ref is None else (turn.ref,),
        characters=len(text),
    )


def trace_of(
    digest: Digest, notes: Sequence[ObservationNote], note_id: str, now: datetime
) -> ObservationNote:
    """What stands for a group of notes from now on."""
    role, speaker = _voice(notes)
    newest = max(note.observed_at for note in notes)
    # The first time that the text speaks of; else the one that all notes agree on.
    referenced_at = first_time(digest.text, newest)
    if referenced_at is None:
        referenced_at = _common(note.referenced_at for note in notes)
    return ObservationNote(
        id=note_id,
        namespace=notes[0].namespace,
        level="trace",
        content=digest.text,
        observed_at=newest,
        created_at=now,
        priority=digest.priority,
        role=role,
        speaker=speaker,
        session_id=_common(note.session_id for note in notes),
        entities=entity_uris(digest.text),
        confidence=round(fmean(note.confidence for note in notes), 4),
        referenced_at=referenced_at,
        refs=tuple(dict.fromkeys(chain.from_iterable(note.refs for note in notes))),
        characters=sum(note.characters for note in notes),
    )


def entity_uris(text: str) -> tuple[str, ...]:
    """What a text names."""
    return tuple(entity.uri for entity in entities(text))


def _voice(notes: Sequence[ObservationNote]) -> tuple[Role, str | None]:
    """Role and speaker of notes of one voice; `system` and None for notes of several voices."""
    if len({(note.role, voice(note)) for note in notes}) > 1:
        return "system", None
    return notes[0].role, notes[0].speaker


def _common(values: Iterable[T | None]) -> T | None:
    """The value if all are equal, else None."""
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None
