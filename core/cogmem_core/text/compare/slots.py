"""What a message says, in passing, about where its speaker lives and works.

People seldom state such a thing in a sentence of its own ("Second day at Marea done. My head is a
bucket."), so phrases are looked for anywhere in a message. Two messages of one speaker that fill
one slot with different values are versions of one another: what this finds is a doubt, never enough
to retire anything. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from cogmem_core.languages.merged import AnyPattern, MergedPattern, all_patterns, all_words
from cogmem_core.languages.reading import cached_by_language, in_its_language
from cogmem_core.text.compare.attributes import attribute_of
from cogmem_core.text.compare.values import weekday_of
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.vocabulary import MONTHS, WEEKDAYS

SlotName = Literal["residence", "employer"]
_Phase = Literal["holds", "begins", "offered", "ends"]


class Slot(NamedTuple):
    """A value that a message gives.

    Attributes:
        name: of what.
        value: folded.
        phase: whether it holds, has begun, is offered, or ends.
        kind: of the value: a town does not contradict a street, nor a country a town.
    """

    name: SlotName
    value: str
    phase: _Phase
    kind: Literal["country", "town", "street", ""] = ""


_HOMES = AnyPattern(lambda language: language.compare.slots.homes)
_PLACE = MergedPattern(rf"\b({all_patterns(lambda language: language.compare.slots.places)})\s")
_STREETS = all_words(lambda language: language.compare.slots.streets)
_EMPLOYERS: tuple[tuple[_Phase, AnyPattern], ...] = (
    ("holds", AnyPattern(lambda language: language.compare.slots.working)),
    ("begins", AnyPattern(lambda language: language.compare.slots.beginning)),
    ("offered", AnyPattern(lambda language: language.compare.slots.offered)),
    ("ends", AnyPattern(lambda language: language.compare.slots.leaving)),
)
_NO_EMPLOYERS = all_words(lambda language: language.compare.slots.no_employers)
_COUNTRIES = all_words(lambda language: language.compare.wording.countries)
_OTHERS = MergedPattern(all_patterns(lambda language: language.compare.slots.others))
_UNREAL = MergedPattern(all_patterns(lambda language: language.compare.revisions.unreal))
_BESIDES = MergedPattern(
    rf"(?<!')(?:{all_patterns(lambda language: language.compare.revisions.besides)})"
)
_LEADS = all_words(lambda language: language.compare.slots.leads)
_SUBJECT = MergedPattern(rf"(?:{all_patterns(lambda language: language.compare.slots.subjects)})\b")
_LAST_WORD = re.compile(r"[\w']+\Z")
_SENTENCE_END = re.compile(r"[.!?\n]")
_CLAUSE_END = MergedPattern(
    rf"[;.!?\n]|,(?!\s(?:{all_patterns(lambda language: language.compare.slots.places)})\s)"
    rf"|\s(?:{all_patterns(lambda language: language.compare.slots.joints)})\s"
)
_NAME_WORD = re.compile(r"\s*(?P<word>[^\W\d_][\w&'\u2019-]*)(?P<end>[^\w\s]*)")
_PARTICLES = frozenset(("of", "de", "do", "da", "dos", "das", "del", "la", "the", "van", "von"))
_READ = 600  # characters; a longer message is about many things
_LONGEST_REGION = 80  # characters
_ABBREVIATION = 3  # letters of a word whose full stop ends no name: "St. Mary's"


@in_its_language
def slots_of(text: str) -> tuple[Slot, ...]:
    """What a message says about where its speaker lives and works, in any of its sentences.

    Example:
        >>> slots_of("Second day at Marea done. My head is a bucket.")
        (Slot(name='employer', value='marea', phase='begins', kind=''),)
    """
    return _slots_of(text[:_READ])


@cached_by_language(4_096)
def _slots_of(text: str) -> tuple[Slot, ...]:
    folded = fold_letters(text)
    found = (*_homes(text, folded), *_employers(text, folded))
    return tuple(dict.fromkeys(found or _stated(text, folded)))


def _stated(text: str, folded: str) -> Iterator[Slot]:
    """What a message states in a plain sentence."""
    attribute = attribute_of(text)
    if attribute is None or attribute.subject not in ("speaker", "we"):
        return
    if _UNREAL.search(folded) or _OTHERS.search(folded):
        return
    if attribute.attribute == "residence":
        yield _home(attribute.value, "")
    elif attribute.attribute == "employer":
        yield Slot("employer", attribute.value, "holds")


def _homes(text: str, folded: str) -> Iterator[Slot]:
    for match in _HOMES.finditer(folded):
        region = _CLAUSE_END.split(folded[match.end() : match.end() + _LONGEST_REGION], 1)[0]
        if any(map(weekday_of, region.split())) or _OTHERS.search(region):
            continue
        if not is_own_claim(folded, match.start()):
            continue
        for place in _PLACE.finditer(region):
            name = _name_at(text, match.end() + place.end())
            if name:
                yield _home(name, place[1])


def _home(name: str, preposition: str) -> Slot:
    words = {*name.split(), preposition}
    if not _COUNTRIES.isdisjoint(words):
        return Slot("residence", name, "holds", "country")
    return Slot("residence", name, "holds", "town" if _STREETS.isdisjoint(words) else "street")


def _employers(text: str, folded: str) -> Iterator[Slot]:
    for phase, pattern in _EMPLOYERS:
        for match in pattern.finditer(folded):
            group = next(key for key, value in match.groupdict().items() if value is not None)
            name = _name_at(text, match.start(group))
            # "I signed with Oakfield school" tells of a job, "my first week at school" does not.
            employs = phase in ("offered", "ends") or _NO_EMPLOYERS.isdisjoint(name.split())
            own = _is_of_speaker(text, folded, match.start())
            if name and employs and own and is_own_claim(folded, match.start()):
                yield Slot("employer", name, phase)


def _is_of_speaker(text: str, folded: str, start: int) -> bool:
    """Whether nobody else stands before a phrase without a subject: "Tom got a job at"."""
    before = folded[:start].rstrip(" ")
    if not before or text[start].isupper() or _SUBJECT.match(folded, start):
        return True
    last = _LAST_WORD.search(before)
    return last is None or last[0] in _LEADS


def is_own_claim(folded: str, start: int, *, whose: bool = True) -> bool:
    """Whether the sentence round a place says of the speaker that something is so, and always.

    Args:
        folded: a message.
        start: of a phrase in it.
        whose: whether it must be about the speaker.
    """
    marks = [mark.end() for mark in _SENTENCE_END.finditer(folded, 0, start)]
    begin = marks[-1] if marks else 0
    end = _SENTENCE_END.search(folded, start)
    sentence = folded[begin : end.start() if end else len(folded)]
    if (end and end[0] == "?") or '"' in sentence:
        return False
    foreign = whose and _OTHERS.search(folded[begin:start])
    return not (foreign or _UNREAL.search(sentence))


def _name_at(text: str, start: int) -> str:
    """The name that begins at a place in a text, folded; empty if there is none."""
    words: list[str] = []
    place = start
    while match := _NAME_WORD.match(text, place):
        word = match["word"]
        if not (word[0].isupper() or word in _PARTICLES):
            break
        words.append(fold_letters(word).partition("'")[0])
        place = match.end()
        if match["end"] and not (match["end"] == "." and len(word) <= _ABBREVIATION):
            break
    while words and words[-1] in _PARTICLES:
        words.pop()
    while words and words[0] in _PARTICLES:
        words.pop(0)
    if not words or words[0] in MONTHS or words[0] in WEEKDAYS or words[0] == "i":
        return ""
    return " ".join(words)


def other_slot(new: str, old: str) -> str:
    """How a newer message of the same speaker fills a slot otherwise; empty if it does not.

    Args:
        new: a message.
        old: an earlier one.

    Returns:
        For the log: "residence: rua do almada, now rua do heroismo".
    """
    for slot in _slots_of(new[:_READ]):
        for former in _slots_of(old[:_READ]):
            reason = _succession(slot, former)
            if reason and not _BESIDES.search(_without_phrase(fold_letters(new), slot)):
                return reason
    return ""


def _without_phrase(folded: str, slot: Slot) -> str:
    """A message without the phrase that fills the slot: "second day at"."""
    pattern = dict(_EMPLOYERS)[slot.phase] if slot.name == "employer" else _HOMES
    match = pattern.search(folded)
    if match is None:
        return folded
    end = match.end()
    for group, value in match.groupdict().items():
        if value is not None:
            end = match.start(group)
    return folded[: match.start()] + folded[end:]


def _succession(new: Slot, old: Slot) -> str:
    """Why a slot is a later version of another one; empty if it is none."""
    if (new.name, new.kind) != (old.name, old.kind):
        return ""
    words, others = set(new.value.split()), set(old.value.split())
    same = words <= others or others <= words
    moved_on = not same and old.phase != "offered" and new.phase != "ends"
    ended = same and new.phase == "ends" and old.phase != "offered"
    begun = same and old.phase == "offered" and new.phase in ("holds", "begins")
    if not (moved_on or ended or begun):
        return ""
    return f"{new.name}: {old.value}, now {'no longer' if ended else new.value}"
