"""Compression of notes: per group 1 to 3 sentences and a priority, all groups in one call (seed 000).

The model must name every note of a group and no other, add no number and no denial, and stay shorter than the notes;
a group for which it does not is left to the twin, which quotes the sentences that say most.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import sqrt
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from cogmem_core.models import ObservationNote, Priority
from cogmem_core.skills.merge_texts import invented, negates
from cogmem_core.skills.run import Message, Skill, ask
from cogmem_core.text.compare import announces_correction
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.keys import content_hash
from cogmem_core.text.observe.classify import Signals, read_signals
from cogmem_core.text.observe.emotion import emotion
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.rewrite.foresight import foresee
from cogmem_core.text.rewrite.third_person import third_person
from cogmem_core.text.sentences import sentence_spans
from cogmem_core.text.time.find import normalise
from cogmem_core.text.tokens import tokens

__all__ = [
    "EMPHASIS",
    "CompressAnswer",
    "CompressInput",
    "Digest",
    "Quote",
    "compressing",
    "densest",
    "emphasised",
    "priority_of",
    "top_priority",
    "unsound",
    "voice",
]

_TASK = """\
Condense notes of a conversation for a memory. Each group of `groups` holds notes about one thing, with who said them \
and when. Answer with exactly one digest per group index.

Each digest:
- group: the index of the group.
- text: 1 to 3 sentences with what matters of the group, in the language of the notes and in the third person, with \
names instead of pronouns. A fifth of the length of the notes is right. Keep names, numbers, negations and doubts as \
they were said. Replace relative dates by absolute ones, seen from the date of the note. Add nothing.
- priority: critical (deadlines, security, errors, health), important (decisions, corrections, preferences, plans) or \
informational.
- notes: the ids of all notes of the group."""
EMPHASIS: Mapping[str, str] = {
    "emotionality": "emotional shifts, tone changes and sentiment transitions",
    "conscientiousness": "commitments, deadlines, action items and structured plans",
    "openness": "creative tangents, novel ideas and exploratory topics",
    "agreeableness": "user preferences, rapport cues and communication style",
    "honesty": "corrections, retractions and contradictions",
}
"""What a high trait makes the observer look at (seed 000; extraversion has nothing there)."""

_SENTENCES = 3
_SHARE = 5  # the twin aims at a fifth, in the middle of seed 000's 3 to 10
_LONGEST = 400  # characters of a quoted sentence
_SHORT = 200  # characters; so much a digest may have however short its notes are
_GROUNDED = 0.25  # share of a digest's words that its notes must hold; paraphrase and Turkish endings change many
_AROUSED = 0.7
_FULL_STOPS, _CLOSING = tuple(".!?…。"), "\"'\u201d\u2019)]"
_NAME, _WORD = 2.0, 0.3  # what a name and a word count, where a fact counts 1
_FEW_WORDS = 8  # a shorter sentence is no denser for that
_FEW_TOKENS, _EMPTY = 3, 0.2  # "Bye, Caroline!" and questions tell little
_WORTH = 0.3  # share of the best score from which on a further sentence is worth its place
_TRAIT = 2.0  # what a sentence of the emphasised kind gains; ten words with two names and a fact score about as much
_IMPORTANT = 0.3
_ORDER: tuple[Priority, ...] = ("critical", "important", "informational")
_CRITICAL = re.compile(
    r"\b(?:deadlines?|overdue|due (?:on|by|date|today|tomorrow|this|next|in)|no later than|at the latest|expires?"
    r"|son tarih\w{0,4}|son gun\w{0,4}|teslim tarih\w{0,4}"
    r"|security|passwords?|breach\w{0,3}|hacked|leaked|vulnerabilit\w{1,3}|phishing|credentials?|stolen"
    r"|guvenlik\w{0,6}|sifre\w{0,6}|hacklen\w{1,6}|calindi"
    r"|errors?|bugs?|crash\w{0,3}|outages?|data loss|failure|failed|broken|exceptions?|hata\w{0,6}|coktu|ariza\w{0,5}"
    r"|allerg\w{1,4}|hospital\w{0,2}|surgery|diagnos\w{1,4}|emergency|medications?|injur\w{1,4}|pregnan\w{1,3}"
    r"|chest pain|seizures?|insulin|alerji\w{0,5}|hastane\w{0,5}|ameliyat\w{0,5}|teshis\w{0,4}|acil)\b"
)
_COMMITMENT = re.compile(
    r"\b(?:deadlines?|due|must|have to|has to|need to|needs to|promised?|commit\w{0,6}|to-?do|action items?"
    r"|schedule\w{0,2}|appointments?|agenda|milestones?|i'll|we'll|soz ver\w{1,6}|randevu\w{0,5}|lazim|gerek|teslim"
    r"|toplanti\w{0,5})\b"
)
_IDEA = re.compile(
    r"\b(?:ideas?|imagine\w?|what if|wonder\w{0,3}|curious|brainstorm\w{0,3}|explor\w{1,5}|experiment\w{0,5}|creative"
    r"|invent\w{0,4}|novel|inspir\w{1,6}|dream\w{0,3} of|fikir\w{0,5}|fikri\w{0,4}|acaba|hayal\w{0,5}|merak\w{0,6}"
    r"|kesfet\w{0,5}|yarati\w{1,6}|deney\w{0,6})\b"
)
_RAPPORT = re.compile(
    r"\b(?:thank\w{0,3}|appreciat\w{1,5}|please|kind of you|briefly|concise|in detail|bullet points|tone|polite\w{0,2}"
    r"|tesekkur\w{0,6}|lutfen|kisaca|ayrintili)\b"
)


@dataclass(frozen=True, slots=True)
class CompressInput:
    """Notes, one tuple per group, and the traits that steer the emphasis (keys of `EMPHASIS`)."""

    groups: tuple[tuple[ObservationNote, ...], ...]
    traits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Digest:
    """What stands for one group: 1 to 3 sentences, how much they matter, and who wrote them."""

    text: str
    priority: Priority
    source: Literal["llm", "heuristic"]


class DigestAnswer(BaseModel):
    """One digest as the model writes it."""

    model_config = ConfigDict(strict=True)

    group: int
    text: str
    priority: Priority
    notes: list[str]


class CompressAnswer(BaseModel):
    """The model's digests."""

    model_config = ConfigDict(strict=True)

    digests: list[DigestAnswer]


def compressing(
    fallback: Callable[[CompressInput], tuple[Digest, ...]] | None = None,
) -> Skill[CompressInput, CompressAnswer, tuple[Digest, ...]]:
    """The step: one digest per group, in order; without a twin of its own it quotes the densest sentences."""
    return Skill("compress", _prompt, CompressAnswer, _parse, fallback or _extracted)


def emphasised(task: str, traits: Iterable[str]) -> str:
    """The task with the emphasis of high traits; the task itself if there is none."""
    wanted = [EMPHASIS[trait] for trait in traits if trait in EMPHASIS]
    return "\n".join([task, *(f"Emphasise {kinds}: they come first and are never left out." for kinds in wanted)])


def voice(note: ObservationNote) -> str:
    """The name of who said it, or what they are."""
    return note.speaker or note.role.capitalize()


def top_priority(priorities: Iterable[Priority]) -> Priority:
    """The highest one; informational if there is none."""
    return min(priorities, key=_ORDER.index, default="informational")


def priority_of(text: str, said_at: datetime, signals: Signals | None = None) -> Priority:
    """How much a statement matters.

    Critical are deadlines, security, errors, health and great excitement (arousal from 0.7); important are decisions,
    corrections, preferences and plans.

    Args:
        said_at: timezone-aware; decides what lies ahead.
        signals: those of the text, if they are known.
    """
    if _CRITICAL.search(fold_letters(text)) or emotion(text).arousal >= _AROUSED:
        return "critical"
    seen = signals or read_signals(text)
    if seen.correction or seen.decision or seen.preference or foresee(text, said_at):
        return "important"
    return "informational"


class Quote(NamedTuple):
    """A sentence of a note: which note (its index), the text as it may stand elsewhere, and how much it matters."""

    note: int
    text: str
    priority: Priority


def densest(notes: Sequence[ObservationNote], traits: Sequence[str], *, share: int, most: int) -> list[Quote]:
    """The sentences that say most, in their order, verbatim but for relative dates, which become absolute.

    Critical sentences come first, then those with most names, facts and dates per length. Where several voices speak,
    each sentence says whose it is.

    Args:
        share: all together they take at most one part in `share` of the conversation; one sentence is kept anyway.
        most: sentences.
    """
    ranked = sorted(_ranked(notes, traits))
    room = sum(note.characters for note in notes) / share
    worth = max((one.score for one in ranked), default=0.0) * _WORTH
    chosen: list[_Ranked] = []
    for one in ranked:
        fits = len(chosen) < most and len(one.quote.text) <= room
        if not chosen or (fits and (one.critical or one.score >= worth)):
            chosen.append(one)
            room -= len(one.quote.text)
    return [one.quote for one in sorted(chosen, key=lambda one: one.position)]


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A sentence on its way to be chosen; the best sorts first."""

    critical: bool
    score: float
    position: int
    quote: Quote

    def __lt__(self, other: _Ranked) -> bool:
        return (not self.critical, -self.score, self.position) < (not other.critical, -other.score, other.position)


def _ranked(notes: Sequence[ObservationNote], traits: Sequence[str]) -> Iterator[_Ranked]:
    """Every sentence of the notes once."""
    present = {fold_letters(voice(note)) for note in notes}
    known: set[str] = set()
    for index, note in enumerate(notes):
        for sentence in _sentences(note.content):
            if content_hash(sentence) not in known:
                known.add(content_hash(sentence))
                priority, score = _weighed(sentence, note, traits, present)
                quote = Quote(index, _quoted(sentence, note, named=len(present) > 1), priority)
                yield _Ranked(priority == "critical", score, len(known), quote)


def _sentences(text: str) -> list[str]:
    return [_cut(" ".join(text[start:end].split())) for start, end in sentence_spans(text)]


def _cut(sentence: str) -> str:
    if len(sentence) <= _LONGEST:
        return sentence
    head = sentence[: _LONGEST - 1]
    return (head.rsplit(" ", 1)[0] if " " in head else head) + "…"


def _quoted(sentence: str, note: ObservationNote, *, named: bool) -> str:
    text = normalise(sentence, note.observed_at)
    text = text if text.rstrip(_CLOSING)[-1:] in _FULL_STOPS else f"{text}."
    if not named or note.role == "system":  # a trace of several voices says already who speaks
        return text
    name = voice(note)
    told = third_person(text, name)
    return told if told.startswith(name) else f"{name}: {text}"


def _weighed(
    sentence: str, note: ObservationNote, traits: Sequence[str], present: Iterable[str]
) -> tuple[Priority, float]:
    """How much the sentence matters, and its names, facts, dates and corrections per length.

    Whoever is present is only addressed: their names tell nothing.
    """
    signals = read_signals(sentence)
    plain = note.priority == "informational"
    priority = note.priority if plain else priority_of(sentence, note.observed_at, signals)
    names = [entity for entity in entities(sentence) if not any(name.startswith(entity.slug) for name in present)]
    words = set(tokens(sentence)) - {token for name in present for token in tokens(name)}
    said = _NAME * len(names) + signals.density(0) + _WORD * len(words)
    score = said / sqrt(max(_FEW_WORDS, sentence.count(" ") + 1))
    score *= _EMPTY if sentence.endswith("?") or len(words) < _FEW_TOKENS else 1.0
    score += _IMPORTANT if priority == "important" else 0.0
    return priority, score + _TRAIT * sum(_KINDS[t](sentence, note, signals) for t in traits if t in _KINDS)


_KINDS: Mapping[str, Callable[[str, ObservationNote, Signals], bool]] = {
    "emotionality": lambda text, _note, _seen: emotion(text).label != "neutral",
    "conscientiousness": lambda text, note, _seen: bool(
        _COMMITMENT.search(fold_letters(text)) or foresee(text, note.observed_at)
    ),
    "openness": lambda text, _note, _seen: _IDEA.search(fold_letters(text)) is not None,
    "agreeableness": lambda text, _note, seen: bool(seen.preference or _RAPPORT.search(fold_letters(text))),
    "honesty": lambda text, _note, seen: bool(seen.correction or announces_correction(text)),
}


def _extracted(given: CompressInput) -> tuple[Digest, ...]:
    return tuple(_extract(group, given.traits) for group in given.groups)


def _extract(group: Sequence[ObservationNote], traits: Sequence[str]) -> Digest:
    quotes = densest(group, traits, share=_SHARE, most=_SENTENCES)
    priority = top_priority(note.priority for note in group)
    return Digest(" ".join(quote.text for quote in quotes), priority, "heuristic")


def _prompt(given: CompressInput) -> list[Message]:
    names = _aliases(given)
    groups = [
        {"group": index, "notes": [_shown(note, names[note.id]) for note in group]}
        for index, group in enumerate(given.groups)
    ]
    return ask(emphasised(_TASK, given.traits), {"groups": groups})


def _aliases(given: CompressInput) -> dict[str, str]:
    ids = [note.id for group in given.groups for note in group]
    return {id_: f"n{number}" for number, id_ in enumerate(ids, start=1)}


def _shown(note: ObservationNote, name: str) -> dict[str, Any]:
    when = f"{note.observed_at:%A} {note.observed_at.isoformat(timespec='minutes')}"
    return {"id": name, "speaker": voice(note), "said": when, "text": note.content}


def _parse(answer: CompressAnswer, given: CompressInput) -> tuple[Digest, ...]:
    names = _aliases(given)
    told = Counter(item.group for item in answer.digests)
    written: dict[int, Digest] = {}
    reason = "no digest was written"
    for item in answer.digests:
        if not 0 <= item.group < len(given.groups) or told[item.group] > 1:
            reason = f"group {item.group} was not given, or given twice"
            continue
        notes, text = given.groups[item.group], " ".join(item.text.split())
        wrong = _miscounted(item, {names[note.id] for note in notes}) or unsound(text, notes, sentences=_SENTENCES)
        if wrong:
            reason = f"group {item.group}: {wrong}"
        else:
            written[item.group] = Digest(text, item.priority, "llm")
    if given.groups and not written:
        raise ValueError(reason)
    return tuple(written.get(i) or _extract(group, given.traits) for i, group in enumerate(given.groups))


def _miscounted(item: DigestAnswer, notes: set[str]) -> str:
    unknown, missing = set(item.notes) - notes, notes - set(item.notes)
    return f"{len(unknown)} unknown and {len(missing)} missing notes" if unknown or missing else ""


def unsound(text: str, notes: Sequence[ObservationNote], *, sentences: int) -> str:
    """Why a text must not stand for notes, in a few words; empty if it may.

    Its numbers must be in the notes or be dates that the notes point to, and it must share words with them.
    """
    said = [note.content for note in notes]
    held = [*said, *(normalise(note.content, note.observed_at) for note in notes)]
    held += [str(moment.date()) for note in notes for moment in (note.observed_at, note.referenced_at) if moment]
    if not text or len(text) > max(_SHORT, sum(map(len, said))):
        return f"the text has {len(text)} characters"
    if len(sentence_spans(text)) > sentences:
        return f"the text has more than {sentences} sentences"
    if added := invented(text, *held):
        return f"the text brings in {len(added)} numbers"
    if negates(text) and not any(map(negates, said)):
        return "the text brings in a negation"
    stated = set(tokens(text))
    known = {token for each in (*held, *map(voice, notes)) for token in tokens(each)}
    return "" if not stated or len(stated & known) >= _GROUNDED * len(stated) else "the text is not what was said"
