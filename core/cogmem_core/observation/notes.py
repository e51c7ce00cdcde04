"""From turns to notes, from groups of notes to traces, from traces to reflections. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from statistics import fmean
from typing import TypeVar

from cogmem_core.config import ObserverConfig
from cogmem_core.models import ObservationNote, Priority, Role, Turn
from cogmem_core.skills.digest_notes import Digest, priority_of, voice
from cogmem_core.skills.reflect import Reflected
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.observe.observer import observe
from cogmem_core.text.observe.small_talk import is_trivial
from cogmem_core.text.time.find import first_time

__all__ = ["Reflection", "note_of", "reflection_of", "skip_reason", "trace_of"]

T = TypeVar("T")

_SURE, _ANSWERED, _DOUBTFUL = 0.9, 0.6, 0.4
_DOUBT = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|i think|i guess|i suppose|i believe|not sure|unsure|might|could be"
    r"|if i remember|as far as i|belki|galiba|sanirim|saniyorum|herhalde|muhtemelen|emin degil\w{0,4}|zannediyorum)\b"
)
_HARD = ("role", "system_content", "prompt_injection")


@dataclass(frozen=True, slots=True)
class Reflection:
    """A long-term memory to be.

    Attributes:
        text: one sentence that stands alone.
        priority: how much it matters.
        entities: what it names, `entity://...`, at most 8.
        observed_at: when the newest of its traces was observed.
        referenced_at: when the event it speaks of happened, if it says so.
        confidence: 0..1, mean of its traces.
        refs: the callers' own ids of the turns, in the order they were said.
        characters: of conversation that its traces stand for; reflections that share a trace both count it.
        role, speaker, session_id: as in `ObservationNote`.
        supersedes: statements that contradict it and were given up for it.
        differs_from: statements that contradict it and are kept beside it.
    """

    text: str
    priority: Priority
    observed_at: datetime
    entities: tuple[str, ...] = ()
    referenced_at: datetime | None = None
    confidence: float = 1.0
    refs: tuple[str, ...] = ()
    characters: int = 0
    role: Role = "user"
    speaker: str | None = None
    session_id: str | None = None
    supersedes: tuple[str, ...] = ()
    differs_from: tuple[str, ...] = ()


def skip_reason(turn: Turn, config: ObserverConfig) -> str | None:
    """Why a turn becomes no note, None if it does.

    Turns of the machinery, attempts to give orders to the model, and courtesies never do. What is only dull, long or
    oddly formatted does, unless `config.keep_weak` is off: here nothing is lost by a note too many.
    """
    text = turn.content
    trivial = is_trivial(text) if turn.role in ("user", "assistant") else None
    if trivial:
        return f"trivial_{trivial}"
    skipped = observe(text, turn.role, config).skipped
    return skipped if skipped in _HARD or not config.keep_weak else None


def note_of(turn: Turn, namespace: str, note_id: str, now: datetime) -> ObservationNote:
    """The turn as a note: as it was said, its three dates, what it names, how much it matters."""
    text, said = turn.content, turn.at or now
    return ObservationNote(
        id=note_id,
        namespace=namespace,
        level="note",
        content=text,
        observed_at=said.astimezone(timezone.utc),
        created_at=now,
        priority=priority_of(text, said),
        role=turn.role,
        speaker=turn.speaker,
        session_id=turn.session_id,
        entities=_named(text),
        confidence=_confidence(text, turn),
        referenced_at=_referenced(text, said, ()),
        refs=(turn.ref,) if turn.ref is not None else (),
        characters=len(text),
    )


def trace_of(digest: Digest, notes: Sequence[ObservationNote], note_id: str, now: datetime) -> ObservationNote:
    """What stands for a group of notes from now on."""
    role, speaker = _voice(notes)
    newest = max(note.observed_at for note in notes)
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
        entities=_named(digest.text),
        confidence=round(fmean(note.confidence for note in notes), 4),
        referenced_at=_referenced(digest.text, newest, notes),
        refs=_refs(notes),
        characters=sum(note.characters for note in notes),
    )


def reflection_of(reflected: Reflected, traces: Sequence[ObservationNote]) -> Reflection:
    """A reflection with what its traces (of all that were reflected on) know."""
    own = [traces[i] for i in reflected.traces]
    role, speaker = _voice(own)
    newest = max(trace.observed_at for trace in own)
    return Reflection(
        text=reflected.text,
        priority=reflected.priority,
        observed_at=newest,
        entities=_named(reflected.text),
        referenced_at=_referenced(reflected.text, newest, ()),
        confidence=round(fmean(trace.confidence for trace in own), 4),
        refs=_refs(own),
        characters=sum(trace.characters for trace in own),
        role=role,
        speaker=speaker,
        session_id=_common(trace.session_id for trace in own),
    )


def _named(text: str) -> tuple[str, ...]:
    return tuple(entity.uri for entity in entities(text))


def _confidence(text: str, turn: Turn) -> float:
    """How sure it is said: doubts count less, and so does what an assistant without a name says about others."""
    if _DOUBT.search(fold_letters(text)):
        return _DOUBTFUL
    return _ANSWERED if turn.role == "assistant" and turn.speaker is None else _SURE


def _referenced(text: str, said: datetime, sources: Sequence[ObservationNote]) -> datetime | None:
    """The first time the text speaks of; else the one that all its sources agree on."""
    return first_time(text, said) or _common(source.referenced_at for source in sources)


def _voice(notes: Sequence[ObservationNote]) -> tuple[Role, str | None]:
    """Role and speaker of what one voice said; `system` and None for what several said together."""
    if len({(note.role, voice(note)) for note in notes}) > 1:
        return "system", None
    return notes[0].role, notes[0].speaker


def _common(values: Iterable[T | None]) -> T | None:
    found = set(values)
    return found.pop() if len(found) == 1 else None


def _refs(notes: Sequence[ObservationNote]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ref for note in notes for ref in note.refs))
