"""Compression of notes, and of traces once more: per group some sentences and a priority, all groups in one call.

The model must name every note of a group and no other, add no number and no denial, and stay
shorter than the notes. A group for which it does not is left to the heuristic, which quotes the
sentences that say most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from math import sqrt
from typing import Any, Literal, NamedTuple

from cogmem_core.reading import of, sentences_of
from cogmem_core.reading.ends import foresees
from cogmem_core.reading.facts import denies, is_critical
from cogmem_core.skills.merge_texts import invented, tokens_of
from cogmem_core.skills.run import Message, Skill, StrictModel, ask, cut, one_line
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.keys import content_hash
from cogmem_core.text.observe.classify import Signals, read_signals
from cogmem_core.text.observe.emotion import emotion
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.rewrite.third_person import third_person
from cogmem_core.text.time.find import normalise
from cogmem_core.text.tokens import tokens
from cogmem_core.values.models import ObservationNote, Priority

_TASK = """\
Condense notes of a conversation for a memory. Each group of `groups` holds notes about one thing, \
with who said them and when. Answer with exactly one digest per group index.

Each digest:
- group: the index of the group.
- text: 1 to 3 sentences with what matters of the group, each of which stands alone, in \
the language of the notes and in the third person, with names instead of pronouns. One part in \
{share} of what was said (`characters`) is right. Keep names, \
numbers, negations and doubts as they were said. Replace relative dates by absolute ones, \
seen from the date of the note. Add nothing.
- priority: critical (deadlines, security, errors, health), important (decisions, corrections, \
preferences, plans) or informational.
- notes: the ids of all notes of the group."""
_SENTENCES = 3
_LONGEST = 400  # characters of a quoted sentence
_SHORT = 200  # characters; a digest may always be this long, however short its notes are
# Share of a digest's words that its notes must hold; paraphrase and Turkish endings change many.
_GROUNDED = 0.25
_AROUSED = 0.7
_FULL_STOPS = tuple(".!?…。")
_CLOSING = "\"'\u201d\u2019)]"
# The weight of a name and of a word; a fact weighs 1.
_NAME = 2.0
_WORD = 0.3
_FEW_WORDS = 8  # a sentence is not denser for being shorter than this
# "Bye, Caroline!" and questions tell little.
_FEW_TOKENS = 3
_EMPTY = 0.2
_WORTH = 0.3  # share of the best score that a further sentence must reach
_IMPORTANT = 0.3
_ORDER: tuple[Priority, ...] = ("critical", "important", "informational")


@dataclass(frozen=True, slots=True)
class CompressInput:
    """Notes, one tuple per group.

    Attributes:
        groups: of notes, or of traces.
        share: a digest should take one part in `share` of the conversation.
        orders: what else the model is told.
    """

    groups: tuple[tuple[ObservationNote, ...], ...]
    share: int = 5
    orders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Digest:
    """The text of one group, how much it matters, and who wrote it."""

    text: str
    priority: Priority
    source: Literal["llm", "heuristic"]


class DigestAnswer(StrictModel):
    """One digest as the model writes it."""

    group: int
    text: str
    priority: Priority
    notes: list[str]


class CompressAnswer(StrictModel):
    """The model's digests."""

    digests: list[DigestAnswer]


def compressing() -> Skill[CompressInput, CompressAnswer, tuple[Digest, ...]]:
    """The step: one digest per group, in order; its heuristic quotes the densest sentences."""
    return Skill(
        "compress",
        _prompt,
        CompressAnswer,
        _parse,
        lambda inputs: tuple(_extract(group, inputs) for group in inputs.groups),
    )


def voice(note: ObservationNote) -> str:
    """The speaker's name, or the role of the speaker."""
    return note.speaker or note.role.capitalize()


def priority_of(text: str, said_at: datetime, signals: Signals | None = None) -> Priority:
    """How much a statement matters.

    Critical are deadlines, security, errors, health and great excitement (arousal from 0.7);
    important are decisions, corrections, preferences and plans.

    Args:
        text: the statement.
        said_at: timezone-aware; decides what lies ahead.
        signals: the signals of the text, if the caller has read them.
    """
    if is_critical(text) or emotion(text).arousal >= _AROUSED:
        return "critical"
    signals = signals or read_signals(text)
    if signals.correction or signals.decision or signals.preference or foresees(of(text), said_at):
        return "important"
    return "informational"


class Quote(NamedTuple):
    """A sentence of a note.

    Attributes:
        note: the index of the note.
        text: the sentence as it can stand without the note.
        priority: how much it matters.
    """

    note: int
    text: str
    priority: Priority


def densest(notes: Sequence[ObservationNote], *, share: int, max_sentences: int) -> list[Quote]:
    """The sentences that say most, in their order, verbatim but with absolute dates.

    Critical sentences come first, then those with most names, facts and dates per length. If
    several voices speak, each sentence names its speaker.

    Args:
        notes: the notes to quote from.
        share: all sentences together take at most one part in `share` of the conversation; one
            sentence is always returned.
        max_sentences: at most so many.
    """
    ranked = sorted(
        _ranked_sentences(notes), key=lambda each: (not each.critical, -each.score, each.position)
    )
    room = sum(note.characters for note in notes) / share
    min_score = max((sentence.score for sentence in ranked), default=0.0) * _WORTH
    chosen: list[_RankedSentence] = []
    for sentence in ranked:
        fits = len(chosen) < max_sentences and len(sentence.quote.text) <= room
        is_worth = sentence.critical or sentence.score >= min_score
        if not chosen or (fits and is_worth):
            chosen.append(sentence)
            room -= len(sentence.quote.text)
    return [sentence.quote for sentence in sorted(chosen, key=lambda item: item.position)]


@dataclass(frozen=True, slots=True)
class _RankedSentence:
    """A sentence that may be chosen."""

    critical: bool
    score: float
    position: int
    quote: Quote


def _ranked_sentences(
    notes: Sequence[ObservationNote],
) -> Iterator[_RankedSentence]:
    """Every sentence of the notes once."""
    voices = {fold_letters(voice(note)) for note in notes}
    hashes: set[str] = set()
    for index, note in enumerate(notes):
        for sentence in _sentences(note.content):
            sentence_hash = content_hash(sentence)
            if sentence_hash in hashes:
                continue
            hashes.add(sentence_hash)
            priority, score = _priority_and_score(sentence, note, voices)
            quote = Quote(index, _quotable(sentence, note, attributed=len(voices) > 1), priority)
            yield _RankedSentence(priority == "critical", score, len(hashes), quote)


def _sentences(text: str) -> list[str]:
    return [cut(one_line(text[start:end]), _LONGEST) for start, end in sentences_of(text)]


def _quotable(sentence: str, note: ObservationNote, *, attributed: bool) -> str:
    text = normalise(sentence, note.observed_at)
    if text.rstrip(_CLOSING)[-1:] not in _FULL_STOPS:
        text = f"{text}."
    if (
        not attributed or note.role == "system"
    ):  # a trace of several voices already names the speakers
        return text
    name = voice(note)
    rewritten = third_person(text, name)
    return rewritten if rewritten.startswith(name) else f"{name}: {text}"


def _priority_and_score(
    sentence: str, note: ObservationNote, voices: Iterable[str]
) -> tuple[Priority, float]:
    """How much the sentence matters, and its names, facts, dates and corrections per length.

    The names of the speakers tell nothing: whoever takes part is only addressed.
    """
    signals = read_signals(sentence)
    priority = note.priority
    if priority != "informational":
        priority = priority_of(sentence, note.observed_at, signals)
    words = set(tokens(sentence)) - tokens_of(voices)
    weight = _NAME * _count_names(sentence, voices) + signals.density(0) + _WORD * len(words)
    score = weight / sqrt(max(_FEW_WORDS, sentence.count(" ") + 1))
    if sentence.endswith("?") or len(words) < _FEW_TOKENS:
        score *= _EMPTY
    if priority == "important":
        score += _IMPORTANT
    return priority, score


def _count_names(sentence: str, voices: Iterable[str]) -> int:
    """Names in the sentence, without those of the speakers."""
    count = 0
    for entity in entities(sentence):
        if not any(name.startswith(entity.slug) for name in voices):
            count += 1
    return count


def _extract(group: Sequence[ObservationNote], inputs: CompressInput) -> Digest:
    quotes = densest(group, share=inputs.share, max_sentences=_SENTENCES)
    priority = min((note.priority for note in group), key=_ORDER.index)
    return Digest(" ".join(quote.text for quote in quotes), priority, "heuristic")


def _prompt(inputs: CompressInput) -> list[Message]:
    aliases = _aliases(inputs)
    groups: list[dict[str, Any]] = []
    for index, group in enumerate(inputs.groups):
        notes = [_as_data(note, aliases[note.id]) for note in group]
        groups.append({"group": index, "notes": notes})
    task = _TASK.format(share=inputs.share)
    return ask("\n".join([task, *inputs.orders]), {"groups": groups})


def _aliases(inputs: CompressInput) -> dict[str, str]:
    notes = chain.from_iterable(inputs.groups)
    return {note.id: f"n{number}" for number, note in enumerate(notes, start=1)}


def _as_data(note: ObservationNote, alias: str) -> dict[str, Any]:
    moment = f"{note.observed_at:%A} {note.observed_at.isoformat(timespec='minutes')}"
    return {
        "id": alias,
        "speaker": voice(note),
        "said": moment,
        "text": note.content,
        "characters": note.characters,
        "confidence": note.confidence,
    }


def _parse(answer: CompressAnswer, inputs: CompressInput) -> tuple[Digest, ...]:
    aliases = _aliases(inputs)
    counts = Counter(item.group for item in answer.digests)
    written: dict[int, Digest] = {}
    reason = "no digest was written"
    for item in answer.digests:
        if not 0 <= item.group < len(inputs.groups) or counts[item.group] > 1:
            reason = f"group {item.group} was not given, or given twice"
            continue
        notes = inputs.groups[item.group]
        text = one_line(item.text)
        fault = _miscounted(item, {aliases[note.id] for note in notes})
        fault = fault or unsound(text, notes)
        if fault:
            reason = f"group {item.group}: {fault}"
        else:
            written[item.group] = Digest(text, item.priority, "llm")
    if inputs.groups and not written:
        raise ValueError(reason)
    return tuple(
        written.get(index) or _extract(group, inputs) for index, group in enumerate(inputs.groups)
    )


def _miscounted(item: DigestAnswer, aliases: set[str]) -> str:
    unknown = set(item.notes) - aliases
    missing = aliases - set(item.notes)
    if not unknown and not missing:
        return ""
    return f"{len(unknown)} unknown and {len(missing)} missing notes"


def unsound(text: str, notes: Sequence[ObservationNote]) -> str:
    """Why a text must not stand for notes, in a few words; empty if it may.

    Its numbers must be in the notes or be dates that the notes point to, and it must share words
    with them.
    """
    contents = [note.content for note in notes]
    sources = [*contents, *chain.from_iterable(map(_dated_texts, notes))]
    if not text or len(text) > max(_SHORT, sum(map(len, contents))):
        return f"the text has {len(text)} characters"
    if len(sentences_of(text)) > _SENTENCES:
        return f"the text has more than {_SENTENCES} sentences"
    added = invented(text, *sources)
    if added:
        return f"the text brings in {len(added)} numbers"
    if denies(text) and not any(map(denies, contents)):
        return "the text brings in a negation"
    stated = set(tokens(text))
    source_tokens = tokens_of([*sources, *map(voice, notes)])
    if len(stated & source_tokens) < _GROUNDED * len(stated):
        return "the text is not what was said"
    return ""


def _dated_texts(note: ObservationNote) -> Iterator[str]:
    """The note with its dates written out, and its dates."""
    yield normalise(note.content, note.observed_at)
    for moment in (note.observed_at, note.referenced_at):
        if moment:
            yield str(moment.date())
