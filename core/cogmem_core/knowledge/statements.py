"""What a memory says of whom, one statement a clause: the parts that profiles are made of. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from cogmem_core.edge.clauses import reading_of, states_of
from cogmem_core.reading.pack import Pack, pack_of
from cogmem_core.reading.topics import SPEAKER, is_of, topics_of
from cogmem_core.text.folding import fold_letters
from cogmem_core.values.models import Memory
from cogmem_core.values.readings import KEPT, Clause, Reading
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
    "tastes": "tastes",
    "habits": "habits",
    "possessions": "possessions",
}
"""In this order: of several topics the first decides."""
_BEINGS: Mapping[str, Section] = {"pets": "animals", "family": "people", "people": "people"}
_PERSONAL = ("health", "family", "people", "tastes")
"""Topics that only persons have."""
_OWN = "my "
_TO_COME = ("planned", "wished")
_ANYBODY = ("determiners", "quantities")
"""Words that begin a subject that nobody can name: "everyone", "some"."""
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
        holds: whether it holds, or is doubted; else it is over.
        until: until when it was true, if it is over and somebody knows.
    """

    memory: Memory
    clause: Clause
    of: str
    section: Section
    text: str
    holds: bool = True
    until: datetime | None = None

    @property
    def key(self) -> tuple[str, ...]:
        """What two statements have in common of which only one can be true, or which say the same."""
        clause = self.clause
        value = fold_letters(clause.value or self.text)
        named = clause.slot in NAMED or (clause.slot == "be" and clause.subject not in SPEAKER)
        if clause.framed and named and not clause.negative and self.section != "plans":
            return self.of, clause.slot, clause.subject if clause.slot == "be" else ""
        return self.of, clause.slot, str(clause.negative), value

    @property
    def since(self) -> datetime | None:
        """From when on it is true, if somebody told."""
        clause = self.clause
        if clause.changes and clause.mood == "asserted" and not clause.scope:
            return self.memory.referenced_at or self.memory.recorded_at
        pack = pack_of(reading_of(self.memory).language)
        told = any(pack.has("beginnings", word) for word in fold_letters(self.text).split())
        return self.memory.valid_from if told else None


def statements_of(memory: Memory) -> Iterator[Statement]:
    """What a memory says that is worth a line of a profile.

    What happened once, what was asked and what is told of a joke or a story is not.
    """
    reading = reading_of(memory)
    pack = pack_of(reading.language)
    states = states_of(memory)
    for number, clause in enumerate(reading.clauses):
        state = states.get(number)
        if not _is_told(clause) or (state and state.state in ("retracted", "forgotten")):
            continue
        of = _whom(clause, pack, own=memory.data_source == "user_message")
        section = None if of is None else _section(memory, reading, clause, of)
        if of is None or section is None:
            continue
        gone = state is not None and state.withdrawn
        yield Statement(
            memory,
            clause,
            of,
            section,
            reading.words(clause).strip().rstrip(".!;,:"),
            holds=not gone and (clause.changes or not (clause.ends or _is_past(clause))),
            until=state.until if state is not None and gone else None,
        )


def names_of(statements: Iterable[Statement]) -> dict[str, str]:
    """By what else somebody is called: "my sister lena" and "my sister" are "lena"."""
    names: dict[str, str] = {}
    for each in statements:
        clause = each.clause
        *words, last = each.of.split() or [""]
        if words[:1] != ["my"]:
            continue
        if len(words) > 1 and _is_name(last, each.text):
            names[each.of] = last
            names.setdefault(" ".join(words), last)
        elif clause.slot == "name" or (clause.slot == "be" and clause.type == "name"):
            names.setdefault(each.of, fold_letters(clause.value))
    return names


def _is_name(word: str, text: str) -> bool:
    """Whether a folded word stands with a capital letter in a text."""
    return any(each[0].isupper() and fold_letters(each) == word for each in _WORD.findall(text))


def _words(reading: Reading, clause: Clause) -> str:
    return reading.words(clause).strip().rstrip(".!;,:")


def _is_past(clause: Clause) -> bool:
    """Whether a clause says what somebody was or had, by its slot: "I worked at Bosch"."""
    return clause.tense == "past" and clause.slot in NAMED


def _is_told(clause: Clause) -> bool:
    """Whether a clause is meant as it stands."""
    if clause.kind not in KEPT or not clause.meant or clause.mood == "hypothetical":
        return False
    return clause.holder == "speaker" or clause.mood == "reported"


def _whom(clause: Clause, pack: Pack, *, own: bool) -> str | None:
    """Whom a clause is about; None = nobody knows.

    Args:
        clause: it tells something.
        pack: of its language.
        own: the person whose memories these are said it.
    """
    subject = clause.subject
    first = subject.partition(" ")[0]
    thing = subject.removeprefix(_OWN)
    attribute = any(clause.slot == slot.name and thing in slot.things for slot in pack.slots)
    if clause.kind == "instruction" or subject in SPEAKER or (attribute and subject != thing):
        return "" if own else None
    if pack.has("users", subject):
        return None if own else ""
    if not subject:
        return "" if own and clause.kind == "fragment" and clause.value else None
    nobody = first in pack.subjects or any(pack.has(group, first) for group in _ANYBODY)
    return subject if clause.framed and not nobody else None


def _section(memory: Memory, reading: Reading, clause: Clause, of: str) -> Section | None:
    """Where a profile has a clause; None = what happened once."""
    pack = pack_of(reading.language)
    if clause.kind == "instruction":
        return "instructions"
    if clause.slot in NAMED and clause.framed and not of:
        return "plans" if clause.mood in _TO_COME else NAMED[clause.slot]
    topics = topics_of(reading, clause)
    if of:
        return _of_another(clause, of, topics, pack)
    ahead = memory.referenced_at is not None and memory.referenced_at > memory.recorded_at
    if clause.mood in _TO_COME or memory.category == "plan" or (ahead and clause.times):
        return "plans"
    by_topic = next((_BY_TOPIC[topic] for topic in _BY_TOPIC if topic in topics), None)
    lasting = clause.framed and (clause.tense != "past" or clause.changes)
    return by_topic or ("who" if lasting else None)


def _of_another(clause: Clause, of: str, topics: frozenset[str], pack: Pack) -> Section | None:
    """Where a profile has what is told of another person, an animal or a thing."""
    words = of.split()
    being = next((_BEINGS[topic] for topic in _BEINGS if is_of(words, topic, pack)), None)
    if being:
        return being
    if not of.startswith(_OWN):
        return "people" if clause.slot in NAMED or not topics.isdisjoint(_PERSONAL) else "projects"
    by_topic = next((_BY_TOPIC[topic] for topic in _BY_TOPIC if topic in topics), None)
    return by_topic or ("who" if pack.has("single", words[-1]) else "possessions")
