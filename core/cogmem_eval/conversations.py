"""Reads conversations in the format of LoCoMo: turns, and questions with their evidence.

A file is a JSON list of samples, each with a `conversation` (`speaker_a`, `speaker_b`, `session_1`,
... and `session_1_date_time`, ...) and its questions (`qa`). What cannot be used is refused; fields
not needed are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from itertools import chain
from pathlib import Path
from typing import Any

from dateutil.parser import parse as date_of

from cogmem_core.models import Turn
from cogmem_eval.reading import Spot, read_json, shortened

CATEGORY_NAMES = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
    5: "adversarial",
}

_MERGED = "merged"
_SESSION = re.compile(r"session_([1-9][0-9]{0,5})")
_REFERENCE = re.compile(r"([0-9]{1,9}):([0-9]{1,9})")
_DATE = re.compile(r"[0-9]{1,2}:[0-9]{2} ?[ap]m on [0-9]{1,2} [a-z]{3,},? [0-9]{4}")


@dataclass(frozen=True, slots=True)
class LocomoSession:
    """The turns of one sitting, in order."""

    id: str
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class LocomoQuestion:
    """A question and the refs of the turns that hold its answer (at least one).

    `category` is 1..5, as in LoCoMo.
    """

    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class LocomoConversation:
    """One sample.

    Attributes:
        left_out: questions without any evidence that exists; they cannot be scored.
        unknown_evidence: evidence ids that no turn has; they were dropped.
    """

    id: str
    sessions: tuple[LocomoSession, ...]
    questions: tuple[LocomoQuestion, ...]
    left_out: int = 0
    unknown_evidence: int = 0


def load(path: str | Path) -> tuple[LocomoConversation, ...]:
    """Read a file in LoCoMo format.

    Raises:
        InvalidInput: the file cannot be read, is not JSON or has another form; the message names
            file and place.
    """
    data = read_json(path, "file in LoCoMo format")
    return parse(data, name=str(path))


def load_all(paths: Sequence[str | Path]) -> tuple[LocomoConversation, ...]:
    """The conversations of several files.

    Raises:
        InvalidInput: a file is not in LoCoMo format, or two have a conversation of the same id.
    """
    by_id: dict[str, LocomoConversation] = {}
    for path in paths:
        for conversation in load(path):
            if conversation.id in by_id:
                Spot(str(path)).fail(
                    f"'sample_id' {conversation.id!r} also occurs in a file before; give each "
                    "sample its own"
                )
            by_id[conversation.id] = conversation
    return tuple(by_id.values())


def parse(data: Any, *, name: str = "data") -> tuple[LocomoConversation, ...]:
    """Turn the JSON value of a LoCoMo file into conversations; `name` stands in error messages.

    Raises:
        InvalidInput: the data has another form; the message names the place and what is expected
            there.
    """
    spot = Spot(name)
    if not isinstance(data, list) or not data:
        spot.fail(f"the top level is {shortened(data)}; it must be a list of at least one sample")
    by_id: dict[str, LocomoConversation] = {}
    for position, sample in enumerate(data, start=1):
        inner = spot.at(f"sample {position}")
        conversation = _conversation(sample, position, inner)
        if conversation.id in by_id:
            inner.fail(f"'sample_id' {conversation.id!r} occurs twice; give each sample its own")
        by_id[conversation.id] = conversation
    return tuple(by_id.values())


def one_bank(conversations: Sequence[LocomoConversation]) -> tuple[LocomoConversation, ...]:
    """One conversation that holds all, its refs made distinct by the sample's id."""
    sessions: list[LocomoSession] = []
    questions: list[LocomoQuestion] = []
    for conversation in conversations:
        prefix = f"{conversation.id}/"
        for session in conversation.sessions:
            turns = (replace(turn, ref=f"{prefix}{turn.ref}") for turn in session.turns)
            sessions.append(replace(session, turns=tuple(turns)))
        for question in conversation.questions:
            evidence = frozenset(prefix + ref for ref in question.evidence)
            questions.append(replace(question, evidence=evidence))
    return (LocomoConversation(_MERGED, tuple(sessions), tuple(questions)),)


def questions_elsewhere(
    conversations: Sequence[LocomoConversation],
) -> dict[str, tuple[str, ...]]:
    """For each conversation some questions about the other ones, at most twice its own number.

    They stand for questions that nothing in it answers.
    """
    elsewhere: dict[str, tuple[str, ...]] = {}
    for conversation in conversations:
        own = {question.text for question in conversation.questions}
        other_questions = chain.from_iterable(
            other.questions for other in conversations if other is not conversation
        )
        texts = [question.text for question in other_questions if question.text not in own]
        elsewhere[conversation.id] = tuple(texts[:: max(1, len(texts) // max(1, len(own)))])
    return elsewhere


def normalise_evidence(evidence: Sequence[str], refs: Sequence[str]) -> tuple[frozenset[str], int]:
    """The refs that the evidence names, and how many of its ids no turn has.

    One string may hold several ids, parted by anything ("D8:6; D9:17"); an id may lack its D
    ("8:6"), hold a colon too many ("D:11:26") or leading zeros ("D30:05").
    """
    ref_of = {_canonical(ref): ref for ref in refs}
    ids = dict.fromkeys(chain.from_iterable(_references(text, ref_of) for text in evidence))
    matches = frozenset(ref_of[id_] for id_ in ids if id_ in ref_of)
    unknown = sum(id_ not in ref_of for id_ in ids)
    return matches, unknown


def _references(text: str, ref_of: Mapping[str, str]) -> list[str]:
    if text.strip() in ref_of:
        return [text.strip()]
    return [f"D{int(session)}:{int(turn)}" for session, turn in _REFERENCE.findall(text)]


def _canonical(ref: str) -> str:
    match = re.fullmatch(r"[Dd]([0-9]{1,9}):([0-9]{1,9})", ref.strip())
    return f"D{int(match[1])}:{int(match[2])}" if match else ref.strip()


def _conversation(sample: Any, position: int, spot: Spot) -> LocomoConversation:
    spot.object(sample, "'conversation' and 'qa'")
    sample_id = str(sample.get("sample_id") or f"sample-{position}")
    inner = spot.at(sample_id)
    talk = inner.get(sample, "conversation", Mapping, "an object with the sessions")
    sessions = tuple(_sessions(talk, sample_id, inner))
    if not sessions:
        inner.fail(
            "'conversation' has no session with a turn; it needs 'session_1', a list of turns"
        )
    refs = [turn.ref for session in sessions for turn in session.turns if turn.ref]
    questions: list[LocomoQuestion] = []
    left_out = unknown = 0
    for number, row in enumerate(inner.get(sample, "qa", list, "a list of questions"), start=1):
        question, dropped = _question(row, refs, inner.at(f"question {number}"))
        unknown += dropped
        left_out += not question.evidence
        if question.evidence:
            questions.append(question)
    return LocomoConversation(sample_id, sessions, tuple(questions), left_out, unknown)


def _sessions(talk: Mapping[str, Any], sample_id: str, spot: Spot) -> Iterator[LocomoSession]:
    first = spot.get(talk, "speaker_a", str, "the name of the first speaker")
    spot.get(talk, "speaker_b", str, "the name of the second speaker")
    matches = filter(None, map(_SESSION.fullmatch, talk))
    for number in sorted(int(match[1]) for match in matches):
        name = f"session_{number}"
        inner = spot.at(name)
        rows = inner.get(talk, name, list, "a list of turns")
        if not rows:
            continue
        start = _date(
            inner.get(talk, f"{name}_date_time", str, 'a date such as "1:56 pm on 8 May, 2023"'),
            inner,
        )
        turns = [
            _turn(row, first, inner.at(f"turn {index}")) for index, row in enumerate(rows, start=1)
        ]
        session_id = f"{sample_id}/{name}"
        spoken = tuple(
            replace(turn, at=start + timedelta(seconds=index), session_id=session_id)
            for index, turn in enumerate(turns)
            if turn.content
        )
        if spoken:
            yield LocomoSession(session_id, spoken)


def _turn(row: Any, first_speaker: str, spot: Spot) -> Turn:
    """The turn, not yet dated.

    Its content is empty if it has neither text nor a captioned photo.
    """
    spot.object(row, "'speaker', 'dia_id' and 'text'")
    speaker = spot.get(row, "speaker", str, "the speaker's name")
    text = spot.get(row, "text", str, "what was said").strip()
    caption = row.get("blip_caption")
    photo = ""
    if isinstance(caption, str) and caption.strip():
        photo = f"[shares a photo: {caption.strip()}]"
    return Turn(
        content=f"{text} {photo}".strip(),
        role="user" if speaker == first_speaker else "assistant",
        speaker=speaker,
        ref=spot.get(row, "dia_id", str, 'the id of the turn, such as "D1:3"'),
    )


def _question(row: Any, refs: Sequence[str], spot: Spot) -> tuple[LocomoQuestion, int]:
    """The question, and how many of its evidence ids no turn has."""
    spot.object(row, "'question', 'evidence' and 'category'")
    text = spot.text(row, "question", "the question's text")
    category = spot.get(row, "category", int, "a number from 1 to 5")
    if category not in CATEGORY_NAMES:
        spot.fail(f"'category' is {category}; it must be a number from 1 to 5")
    evidence = row.get("evidence") or []
    evidence = [evidence] if isinstance(evidence, str) else evidence
    if not isinstance(evidence, list) or not all(isinstance(item, str) for item in evidence):
        spot.fail(f"'evidence' is {shortened(evidence)}; it must be a list of turn ids")
    evidence_refs, unknown = normalise_evidence(evidence, refs)
    return LocomoQuestion(text, category, evidence_refs), unknown


def _date(text: str, spot: Spot) -> datetime:
    """The session's date as UTC; `strptime` knows the names of the machine's language only."""
    written = " ".join(text.lower().split())
    try:
        if _DATE.fullmatch(written) is None:
            raise ValueError("another form")
        began: datetime = date_of(written)
        return began.replace(tzinfo=timezone.utc)
    except (ValueError, OverflowError):
        spot.fail(f'the date is {shortened(text)}; it must look like "1:56 pm on 8 May, 2023"')
