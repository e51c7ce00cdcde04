"""What a memory says of whom, one statement a clause: the parts that profiles are made of. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from textwrap import shorten
from typing import NamedTuple

from cogmem_core.edge.clauses import (
    ends_of,
    reading_of,
    span_with_what_is_meant,
    states_of,
    withdrawn,
)
from cogmem_core.reading import sentences_of
from cogmem_core.reading.pack import Pack, pack_of
from cogmem_core.reading.settle import ABSENT, reports
from cogmem_core.reading.topic_words import is_of
from cogmem_core.reading.topics import SPEAKER, topics_of
from cogmem_core.text.folding import fold_letters
from cogmem_core.values.models import Memory
from cogmem_core.values.readings import KEPT, Clause, Reading, Span
from cogmem_core.values.results.profile import Section

NAMED: Mapping[str, Section] = {
    "home": "home",
    "work": "work",
    "job": "work",
    "employment": "work",
    "name": "who",
    "age": "who",
    "marital": "people",
    "diet": "tastes",
}
"""The slots that have names, and their sections."""
_BY_TOPIC: Mapping[str, Section] = {
    "health": "health",
    "pets": "animals",
    "family": "people",
    "people": "people",
    "job": "work",
    "tastes": "tastes",
    "habits": "habits",
    "possessions": "possessions",
}
"""In this order: of several topics the first decides."""
_BY_GUARD: Mapping[str, Section] = {"address": "who", "never": "instructions"}
"""Guardian facts that tell nothing of health."""
_BEINGS: Mapping[str, Section] = {"pets": "animals", "family": "people", "people": "people"}
_PERSONAL = ("health", "family", "people", "tastes")
"""Topics that only persons have."""
_OWN = "my "
_TO_COME = ("planned", "wished")
_EMPTY = (
    "determiners",
    "quantities",
    "objects",
    "adverbs",
    "pointing",
    "limiting",
    "prepositions",
    "negations",
    "times",
    "units",
    "subjects",
    "demonstratives",
    "mine",
)
"""Groups of words that tell nothing by themselves."""
_PASSING = ("tastes", "habits", "possessions")
"""Topics of which nothing is told by what happened once."""
_BEFORE: tuple[Section, ...] = (
    "instructions",
    "health",
    "home",
    "work",
    "people",
    "animals",
    "plans",
    "tastes",
    "habits",
    "projects",
    "possessions",
    "who",
)
"""Sections by which one a sentence belongs to that tells of several."""
_LONGEST = 200  # characters
_LONGEST_RELATION = 2
"""Words of a person of the speaker's without "my": "new boss"."""
_SHORT = 4
"""Words of a fragment that only calls somebody: fewer."""
_WORD = re.compile(r"[^\W\d_][\w-]*")


@dataclass(frozen=True, slots=True)
class Statement:
    """One clause of a memory, as a profile counts it.

    Attributes:
        memory: that says it.
        clause: of its text.
        of: whom it is about, as a key: "" = the speaker; "lena"; "my boss".
        section: where a profile of the speaker has it.
        text: its words.
        pack: of their language.
        holds: whether it holds, or is doubted; else it is over.
        until: until when it was true, if it is over and somebody knows.
        told_by: who says it, where several persons speak; "" = the one whose memories these are.
        ends: when a clause of the memory is over; None = none names an end.
    """

    memory: Memory
    clause: Clause
    of: str
    section: Section
    text: str
    pack: Pack
    holds: bool = True
    until: datetime | None = None
    told_by: str = ""
    ends: datetime | None = None

    @property
    def value(self) -> str:
        """The value that it gives, folded."""
        return fold_letters(self.clause.value)

    @property
    def key(self) -> tuple[str, ...]:
        """What two statements have in common of which only one can be true, or which say the same.

        What another speaker says is neither, nor what stands behind another name: "Ann: I live in Rome".
        """
        clause = self.clause
        voice = self.text.partition(": ")[0]
        # "Leo is allergic": a guardian fact stands in the speaker's profile, whoever it is about.
        who = "" if self.of or clause.subject in SPEAKER else clause.subject
        whose = fold_letters(self.told_by), voice if clause.doubt.startswith(voice) else "", who
        told = (clause.value, clause.scope, clause.doubt)  # allergic to what
        value = fold_letters(" ".join(told) if clause.value else self.text)
        attribute = clause.slot == "be" and self.of.startswith(_OWN) and self.section == "who"
        single = clause.slot in NAMED or attribute
        if clause.framed and single and not clause.negative and self.section != "plans":
            return *whose, self.of, clause.slot, clause.subject if attribute else ""
        return *whose, self.of, clause.slot, str(clause.negative), value

    @property
    def since(self) -> datetime | None:
        """From when on it is true, if somebody told."""
        clause = self.clause
        if clause.changes and clause.mood == "asserted" and not clause.scope:
            return self.memory.referenced_at or self.memory.recorded_at
        told = any(self.pack.has("beginnings", word) for word in fold_letters(self.text).split())
        return self.memory.valid_from if told else None


def statements_of(memory: Memory) -> Iterator[Statement]:
    """What a memory says that is worth a line of a profile: one a sentence, and one for each named slot in it.

    What happened once, what was asked, what is told of a joke or a story, and what an assistant said
    is not.
    """
    if memory.data_source == "assistant_message":
        return
    reading = reading_of(memory)
    gone = withdrawn(memory).keys()
    ends = min(ends_of(memory).values(), default=None)
    for span in sentences_of(reading.text):
        found = [replace(each, ends=ends) for each in _told_in(memory, reading, span)]
        clauses = {n: c for n, c in enumerate(reading.clauses) if span[0] <= c.start < span[1]}
        if any(each.mood == "hypothetical" or not each.meant for each in clauses.values()):
            found = [each for each in found if each.section != "instructions"]
        named = [each for each in found if each.clause.slot in NAMED and not each.of]
        yield from named
        others = [each for each in found if each not in named]
        others.sort(key=lambda each: _BEFORE.index(each.section))
        if not gone.isdisjoint(clauses):
            yield from others
            continue
        # "I love leek, Leo hates it": one line of the speaker, and one of somebody with a name.
        first = {_is_own(each.of): each for each in reversed(others)}.values()
        whole = len(first) == 1 and (len(found) == 1 or not named)
        whole = whole and all(each.kind in KEPT for each in clauses.values())
        for each in first:
            sentence = reading.text[slice(*span)] if whole and each.holds else ""
            yield replace(each, text=trimmed(max(sentence, each.text, key=len)))


def _is_dose(clause: Clause, pack: Pack) -> bool:
    """Whether a clause says how much of a medicine: "sumatriptan is 100 mg"."""
    told = clause.plain and clause.subject not in ABSENT
    return told and is_of(fold_letters(clause.value).split(), "health", pack)


def _is_own(of: str) -> bool:
    return not of or of.startswith(_OWN)


def _told_in(memory: Memory, reading: Reading, span: Span) -> Iterator[Statement]:
    """What the clauses of a sentence say."""
    pack = pack_of(reading.language)
    states = states_of(memory)
    for number, clause in enumerate(reading.clauses):
        if not span[0] <= clause.start < span[1] or not _is_told(clause):
            continue
        state = states.get(number)
        if state and state.state in ("retracted", "forgotten"):
            continue
        own = memory.data_source == "user_message"
        of = _whom(reading, clause, pack, own=own)
        section = None if of is None else _section(memory, reading, clause, of)
        if of is None and own and _is_dose(clause, pack):
            of, section = "", "health"
        if of is None or section is None:
            continue
        gone = state is not None and state.withdrawn
        yield Statement(
            memory,
            clause,
            of,
            section,
            trimmed(_with_what_is_meant(reading, number)),
            pack,
            holds=not gone
            and (
                clause.changes
                or not (clause.ends or (clause.tense == "past" and clause.slot in NAMED))
            ),
            until=state.until if state is not None and gone else None,
        )


def _with_what_is_meant(reading: Reading, number: int) -> str:
    """The words of a clause; of a guardian fact with those that say what "it" is."""
    clause = reading.clauses[number]
    if not clause.guards or not clause.subject:
        return reading.words(clause)
    return reading.text[slice(*span_with_what_is_meant(reading, number))]


def trimmed(text: str) -> str:
    """Some words as a line of a profile has them: short, and without the mark behind them."""
    return shorten(text.strip().rstrip(".!;,:"), _LONGEST, placeholder="\u2026")


class Names(NamedTuple):
    """Who is who.

    Attributes:
        of: by what somebody is called elsewhere the name: "my sister lena" and "my sister" are "lena".
        persons: the names of persons and animals, and where a profile has them.
    """

    of: Mapping[str, str]
    persons: Mapping[str, Section]

    def settled(self, each: Statement, speaker: str) -> Statement:
        """A statement under the name of whom it is about; `speaker`: who said it, if not the owner of the memories."""
        of = self.of.get(each.of, each.of)
        section = self.persons.get(of, each.section) if each.section == "projects" else each.section
        if speaker and _is_own(of):
            own = fold_letters(speaker)
            subject = each.clause.subject
            if not (of or subject in SPEAKER) and _is_name(subject, each.text):
                own = subject  # "Cleo is allergic"
            of = f"{own}'s {of.removeprefix(_OWN)}" if of and section != "who" else own
        return replace(each, of=of, section=section, told_by=speaker)


def names_of(statements: Iterable[Statement]) -> Names:
    """Who is who in what was said: by names behind a relation, and by who somebody is said to be."""
    names: dict[str, str] = {}
    persons: dict[str, Section] = {}
    for each in statements:
        clause = each.clause
        words = each.of.split()
        value = each.value
        own = words[:1] == ["my"]
        if own and len(words) > 2 and _is_name(words[-1], each.text):
            names[each.of] = words[-1]
            names.setdefault(" ".join(words[:-1]), words[-1])
        elif own and (clause.slot == "name" or (clause.slot == "be" and clause.type == "name")):
            names.setdefault(each.of, value)
        being = _being(each.of.removeprefix(_OWN), each.pack)
        if (
            not own
            and each.of
            and clause.slot == "be"
            and each.pack.has("own", value.partition(" ")[0])
        ):
            being = _being(value, each.pack)  # "Otis is our son"
            names.setdefault(_OWN + value.split()[-1], each.of)
        if being:
            persons[names.get(each.of, each.of)] = being
    return Names(names, persons)


def _is_name(word: str, text: str) -> bool:
    """Whether a folded word stands with a capital letter in a text."""
    return any(each[0].isupper() and fold_letters(each) == word for each in _WORD.findall(text))


def _being(of: str, pack: Pack) -> Section | None:
    """The section of some words for a person or an animal; None = they are for none."""
    words = of.split()
    return next((_BEINGS[topic] for topic in _BEINGS if is_of(words, topic, pack)), None)


def _is_told(clause: Clause) -> bool:
    """Whether a clause is meant as it stands."""
    told = clause.kind in KEPT and clause.meant and clause.mood != "hypothetical"
    return told and clause.holder == "speaker"


def _whom(reading: Reading, clause: Clause, pack: Pack, *, own: bool) -> str | None:
    """Whom a clause is about; None = nobody knows.

    Args:
        reading: of the text.
        clause: it tells something.
        pack: of its language.
        own: the person whose memories these are said it.
    """
    subject = clause.subject
    if subject in ABSENT or (reports(clause, pack) and not clause.plain):
        return None
    thing = subject.removeprefix(_OWN)
    attribute = any(clause.slot == slot.name and thing in slot.things for slot in pack.slots)
    if clause.kind == "instruction" or subject in SPEAKER or (attribute and subject != thing):
        return "" if own else None
    if pack.has("users", subject):
        return None if own else ""
    if not subject or clause.guards:
        kept = clause.guards or (clause.kind == "fragment" and clause.value)
        return (subject if subject != thing else "") if own and kept else None
    if subject != thing:
        return subject
    return _named(reading.text, subject.split(), pack)


def _named(text: str, words: Sequence[str], pack: Pack) -> str | None:
    """A subject that is a name, or one of the speaker's people: "Lena", "project Kestrel", "mum"."""
    last = words[-1]
    behind = f"{fold_letters(text).partition(last)[0]} ".split()
    plain = not (behind and pack.has("determiners", behind[-1]))
    if plain and len(words) <= _LONGEST_RELATION and _being(last, pack):
        return _OWN + last
    if _is_name(last, text) and (plain or not pack.nouns_capital):
        return " ".join(words)
    return None


def _section(memory: Memory, reading: Reading, clause: Clause, of: str) -> Section | None:
    """Where a profile has a clause; None = what happened once, or says nothing by itself."""
    if clause.guards and _is_own(of):
        return _BY_GUARD.get(clause.guards, "health")
    if clause.kind == "instruction":
        return "instructions"
    if clause.slot in NAMED and clause.framed and not of:
        if clause.negative and clause.slot != "diet":
            return None  # "I don't live in a cave"
        return "plans" if clause.mood in _TO_COME else NAMED[clause.slot]
    pack = pack_of(reading.language)
    topics = topics_of(reading, clause)
    past = clause.tense == "past" and not clause.changes
    lasting = topics.difference(_PASSING) if past else topics
    by_topic = next((_BY_TOPIC[topic] for topic in _BY_TOPIC if topic in lasting), None)
    return (
        _of_speaker(memory, clause, by_topic, pack, past=past)
        if not of
        else _of_another(clause, of, topics, by_topic, pack)
    )


def _of_speaker(
    memory: Memory, clause: Clause, by_topic: Section | None, pack: Pack, *, past: bool
) -> Section | None:
    ahead = memory.referenced_at is not None and memory.referenced_at > memory.recorded_at
    if clause.mood in _TO_COME or memory.category == "plan" or (ahead and clause.times):
        return None if clause.negative or not clause.value else "plans"
    fragment = clause.kind == "fragment"
    if by_topic == "possessions" and not (fragment or clause.plain):
        return None
    called = len(clause.value.split()) < _SHORT
    if by_topic == "people" and fragment and called and not clause.type.startswith("number"):
        return None  # "Thanks, Mum"
    return by_topic or ("who" if not past and _is_lasting(clause, pack) else None)


def _of_another(
    clause: Clause, of: str, topics: frozenset[str], by_topic: Section | None, pack: Pack
) -> Section | None:
    stands = clause.changes or clause.slot in NAMED or clause.slot.startswith("be")
    if clause.tense == "past" and not stands:
        return None  # what somebody did once
    if of.startswith(_OWN):
        words = of.removeprefix(_OWN)
        return (
            _being(words, pack)
            or by_topic
            or ("who" if pack.has("single", words.split()[-1]) else "possessions")
        )
    if not clause.framed:
        return None
    if pack.guards["medicine"].within(of) is not None:
        return "health"  # "Ramipril is paused"
    if clause.slot not in NAMED and topics.isdisjoint(_PERSONAL):
        return "projects"
    # "Ben moved out. It's just me and the kids now": "it" is no person.
    return "people" if clause.guards or clause.doubt.split()[-1:] != ["it"] else None


def _is_lasting(clause: Clause, pack: Pack) -> bool:
    """Whether a clause says who the speaker is, or what he does: not how he feels."""
    if clause.mood != "asserted" or clause.tense == "past" or clause.negative:
        return False
    words = [fold_letters(word) for word in clause.value.split()]
    if clause.slot != "be":
        empty = (pack.in_any(_EMPTY, word) for word in words)
        return clause.plain and not all(empty)
    noun = pack.nouns_capital and clause.value.split(" ")[-1][:1].isupper()
    if clause.framed and (clause.type == "name" or noun):
        return True  # "I'm Ann, 34, from Hull"
    return clause.plain and (clause.type != "word" or pack.has("articles", words[0]))
