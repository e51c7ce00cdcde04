"""The profile of a person or thing: what holds, what was true before, and what speaks against it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from functools import partial
from itertools import chain
from typing import NamedTuple

from cogmem_core.caches.statements import Statements
from cogmem_core.edge.clauses import as_it_was, expired, in_recall, reading_of
from cogmem_core.edge.trust import origin_of
from cogmem_core.knowledge.statements import (
    NAMED,
    Names,
    Statement,
    names_of,
    statements_of,
    trimmed,
)
from cogmem_core.process.services import Services
from cogmem_core.reading.topics import SPEAKER
from cogmem_core.retrieval.budget import count_tokens
from cogmem_core.retrieval.doubts import DOUBTING, Doubted, doubted_pairs
from cogmem_core.retrieval.said_later import later_of
from cogmem_core.retrieval.visibility import Visibility, past_states
from cogmem_core.storage.ledger.codec import encode_time
from cogmem_core.storage.ledger.transaction import Namespace, Transaction
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.time.days import seen_in
from cogmem_core.text.time.zones import zone_or_utc
from cogmem_core.values.results.profile import SECTIONS, FormerValue, Profile, ProfileLine, Section

LINES = 12
"""Lines of a section, at most; that of people has twice as many."""
OF_ITS_OWN = 3
"""From so many lines on somebody or something has a profile of its own."""
_RULES = 100
"""Lines of which it is looked up what was said later."""
_ALONE = ("instructions", "plans")
"""Sections of what is not to be told alone once it was taken back."""
_DOUBTED = 0.5
"""What a doubt leaves of a line's confidence."""
_FIRST: tuple[Section, ...] = (
    "who",
    "health",
    "instructions",
    "home",
    "work",
    "people",
    "animals",
    "tastes",
    "plans",
    "projects",
    "habits",
    "possessions",
)
"""Sections by what is told first where there is little room."""
_NOBODY = Names({}, {})
_NEVER = datetime.max.replace(tzinfo=timezone.utc)


def profile(
    services: Services,
    namespaces: Sequence[str],
    subject: str,
    *,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    max_tokens: int | None = None,
) -> Profile:
    """What is known of whom at a moment.

    Args:
        namespaces: the namespace, and its compartments.
        subject: whom; "" = the person whose memories these are.
        as_of: what was true then; None = what is true now.
        known_at: only what had been said by then; None = all.
        max_tokens: what the profile's text may cost; None = as it comes.
    """
    now = services.runtime.now()
    with services.ledger.whole() as reader:
        at = _Moment(services, reader, now, as_of, known_at)
        spaces = [reader.at(name) for name in namespaces]
        kept = [services.statements.of(ns, statements_of) for ns in spaces]
        speakers = {fold_letters(who) for each in kept for who in each.speakers.values()}
        owner = fold_letters(namespaces[0].replace(":", "/").rpartition("/")[2])  # of "users/ann"
        others = frozenset(speakers.difference(("", owner) if len(speakers) > 1 else speakers))
        known = [_known(at, *each, others) for each in zip(spaces, kept, strict=True)]
    zone = zone_or_utc(services.config.encoding.timezone)
    begun = as_of or now  # of what is to come no profile says "since"
    lines = [
        replace(
            line, since=seen_in(line.since, zone) if line.since and line.since <= begun else None
        )
        for line in chain.from_iterable(known)
    ]
    return _within(_profile(lines, subject, speakers, others), max_tokens)


class _Moment(NamedTuple):
    """Where and when something is looked at: the present, what is true then, what had been said by then."""

    services: Services
    reader: Transaction
    now: datetime
    as_of: datetime | None
    known_at: datetime | None


def _known(
    at: _Moment, ns: Namespace, kept: Statements[Statement], others: frozenset[str]
) -> Sequence[ProfileLine]:
    """All lines of a namespace at a moment; those of the present are kept until something changes, or ends."""
    if at.as_of is not None or at.known_at is not None:
        begun = {name: each for name, each in kept.by_memory.items() if _had_begun(each, at)}
        return _lines(begun, _then(at, ns, kept.by_memory), others)
    lines: tuple[ProfileLine, ...]
    until, lines = kept.results.get(others, (at.now, ()))
    if until <= at.now:
        told = kept.by_memory.items()
        held = {name: _left(each, at.now) for name, each in told if _holds(each, at.now)}
        said = chain.from_iterable(held.values())
        ends = chain.from_iterable((each.memory.valid_until, each.ends) for each in said)
        until = min(filter(None, ends), default=_NEVER)
        pairs = list(doubted_pairs(ns, ns.relations.of_types(DOUBTING), at.now))
        found = [_in_doubt(line, pairs) for line in _lines(kept.by_memory, held, others)]
        lines = _beside(at, ns, found)
        kept.results[others] = until, lines
    return lines


def _beside(at: _Moment, ns: Namespace, lines: Iterable[ProfileLine]) -> tuple[ProfileLine, ...]:
    """Lines with what was said later of plans, instructions and guardian facts: it may take them back."""
    rules = {line: line.memory_ids[0] for line in lines if line.guards or line.section in _ALONE}
    memories = list(ns.memories.by_ids(list(rules.values())[:_RULES]).values())
    if not memories:
        return tuple(lines)
    view = at.services.searcher.view(at.reader, ns.name)
    found = later_of(at.services, at.reader, view, memories, rules.values())

    def with_later(line: ProfileLine) -> ProfileLine:
        later = [  # what somebody else is quoted with is not theirs
            trimmed(one.content)
            for one in found.get(rules.get(line, ""), ())
            if not reading_of(one).of_kind("quoted")
        ]
        known = *line.doubts, *line.later
        return replace(line, later=(*line.later, *(text for text in later if text not in known)))

    return tuple(map(with_later, lines))


def _holds(said: Sequence[Statement], now: datetime) -> bool:
    """Whether the memory that says something is in recall."""
    return bool(said) and in_recall(said[0].memory, now)


def _left(said: Sequence[Statement], now: datetime) -> Sequence[Statement]:
    """What a memory says without the clauses whose end has come."""
    if any(each.ends is not None and each.ends <= now for each in said):
        return tuple(statements_of(expired(said[0].memory, now)))
    return said


def _had_begun(said: Sequence[Statement], at: _Moment) -> bool:
    """Whether what a memory says was true by then or before, and had been said."""
    return all(
        (at.as_of is None or (each.memory.valid_from or each.memory.recorded_at) <= at.as_of)
        and (at.known_at is None or each.memory.recorded_at <= at.known_at)
        for each in said[:1]
    )


def _then(
    at: _Moment, ns: Namespace, by_memory: Mapping[str, Sequence[Statement]]
) -> dict[str, tuple[Statement, ...]]:
    """What held at a moment, by memory, in the words of then."""
    memories = {name: said[0].memory for name, said in by_memory.items() if said}
    present = encode_time(min(at.now, at.known_at or at.now)) or 0
    seen = Visibility(present, as_of=encode_time(at.as_of), known_at=encode_time(at.known_at))
    rows = ns.memories.candidates(list(memories))
    past = {}
    if at.known_at is not None:
        past = past_states(at.reader, ns.name, list(rows.values()), seen.known_at or 0)
        former = ns.history.former(at.known_at)
        memories |= {name: former[name].memory for name in former if name in memories}
    return {
        name: tuple(
            statements_of(
                expired(
                    as_it_was(memories[name], as_of=at.as_of, known_at=at.known_at),
                    at.as_of or at.now,
                )
            )
        )
        for name, row in rows.items()
        if seen.view_of(row, past.get(name))
    }


def _lines(
    by_memory: Mapping[str, Sequence[Statement]],
    held: Mapping[str, Sequence[Statement]],
    others: Collection[str],
) -> tuple[ProfileLine, ...]:
    """The lines that statements give, by section, the most important first in each.

    Args:
        by_memory: what all memories say, also those that were replaced.
        held: what those say that hold.
        others: the speakers whose memories these are not.
    """
    statements = list(chain.from_iterable(held.values()))
    by_speaker: dict[str, list[Statement]] = defaultdict(list)
    for each in statements:
        by_speaker[_stranger(each, others)].append(each)
    names = {speaker: names_of(said) for speaker, said in by_speaker.items()}
    replaced = chain.from_iterable(by_memory[name] for name in by_memory if name not in held)
    holding: dict[tuple[str, ...], list[Statement]] = defaultdict(list)
    over: dict[tuple[str, ...], list[Statement]] = defaultdict(list)
    by_successor: dict[str, list[Statement]] = defaultdict(list)
    for each in (*statements, *(replace(old, holds=False) for old in replaced)):
        speaker = _stranger(each, others)
        named = names.get(speaker, _NOBODY).settled(each, speaker)
        (holding if named.holds else over)[named.key].append(named)
        if not named.holds and named.memory.superseded_by is not None:
            by_successor[named.memory.superseded_by].append(named)
    made = (_line(group, over.get(key, ()), by_successor) for key, group in holding.items())
    return tuple(sorted(made, key=_place))


def _stranger(each: Statement, others: Collection[str]) -> str:
    speaker = each.memory.speaker or ""
    return speaker if fold_letters(speaker) in others else ""


def _line(
    group: Iterable[Statement],
    over: Iterable[Statement],
    by_successor: Mapping[str, Sequence[Statement]],
) -> ProfileLine:
    """The line of statements of which only one can be true, or which say the same."""
    last, *older = _newest_first(group)
    # "We moved to Hull, we live in Hessle now": neither is the past of the other.
    turn = [last, *(each for each in older if each.memory.id == last.memory.id)]
    told = {each.value: each for each in reversed(turn)}
    newest = max(told.values(), key=lambda each: (each.clause.tense == "present", each.clause.now))
    value = newest.value
    older = [each for each in older if each not in turn]
    same = [newest, *(each for each in older if each.value in told)]
    others = [each for each in older if each not in same]
    # "I'm no longer allergic to penicillin" may be the end of what was said; it is no value before it.
    before = [each for each in over if not (each.clause.ends and each.value == value)]
    for each in same:
        replaced = by_successor.get(each.memory.id, ())
        before += [old for old in replaced if old.section == newest.section and old not in before]
    # What was announced as a change is not in doubt.
    if any(each.clause.changes for each in turn):
        before += others
        others = []
    memory = newest.memory
    trust = memory.trust * memory.source_confidence
    present = told.keys() - {value}
    before = [old for old in before if old.value not in present]
    words = fold_letters(newest.text)
    return ProfileLine(
        section=newest.section,
        of=newest.of,
        subject=newest.clause.subject,
        text="; ".join(each.text for each in reversed(told.values())),
        slot=newest.clause.slot,
        value=newest.clause.value,
        since=newest.since,
        said=tuple(sorted({memory.last_said_at, *(each.memory.recorded_at for each in same)})),
        former=_former_values((old for old in before if fold_letters(old.text) != words), newest),
        memory_ids=tuple(dict.fromkeys(each.memory.id for each in same)),
        confidence=round(trust * (_DOUBTED if others else 1.0), 3),
        doubts=tuple(dict.fromkeys(each.text for each in others)),
        guards=newest.clause.guards,
        whose=origin_of(memory) or newest.told_by,
    )


def _in_doubt(line: ProfileLine, pairs: Iterable[Doubted]) -> ProfileLine:
    """A line with what may have taken its place, in whatever words: "I stopped taking warfarin"."""
    found = {
        trimmed(doubt.new.words(doubt.newer)): doubt.aside
        for _, older, _, doubt in pairs
        if older.id in line.memory_ids and trimmed(doubt.old.words(doubt.older)) in line.text
    }
    told = [words for words, aside in found.items() if not aside]
    line = replace(line, later=tuple(words for words in found if words not in told))
    if line.doubts or not told:
        return line
    confidence = round(line.confidence * _DOUBTED, 3)
    return replace(line, doubts=tuple(told), confidence=confidence)


def _newest_first(statements: Iterable[Statement]) -> list[Statement]:
    return sorted(
        statements, key=lambda each: (each.memory.last_said_at, each.memory.id), reverse=True
    )


def _former_values(before: Iterable[Statement], new: Statement) -> tuple[FormerValue, ...]:
    """What was true before, newest first; the same value, said twice in a row, once."""
    found: list[FormerValue] = []
    for old in map(partial(_former, new=new), _newest_first(before)):
        last = found[-1] if found else None
        if last and fold_letters(last.value or last.text) == fold_letters(old.value or old.text):
            found[-1] = replace(found[-1], since=old.since)
        else:
            found.append(old)
    return tuple(found)


def _former(old: Statement, new: Statement) -> FormerValue:
    until = old.until or old.memory.valid_until or (new.since if new.clause.changes else None)
    # Before "I like leek now" was not "leek" but "I don't like leek".
    alike = old.clause.slot in (new.clause.slot, *NAMED)
    value = old.clause.value if alike and old.clause.negative == new.clause.negative else ""
    return FormerValue(old.text, value, old.memory.recorded_at, until, old.memory.id)


def _place(line: ProfileLine) -> tuple[object, ...]:
    """Where a line stands: guardian facts first, then named slots, themselves, what was said oftenest and last."""
    themselves = line.subject in SPEAKER
    first = (not line.guards, line.slot not in NAMED, not themselves)
    return SECTIONS.index(line.section), *first, -len(line.said), -line.said[-1].timestamp()


def _profile(
    lines: Sequence[ProfileLine], subject: str, speakers: Collection[str], others: Collection[str]
) -> Profile:
    """The profile of one person or thing."""
    counts = Counter(line.of for line in lines)
    named = tuple(sorted(of for of, count in counts.items() if of and count >= OF_ITS_OWN))
    own = [line for line in lines if subject and fold_letters(line.whose) not in others]
    own.sort(key=lambda line: line.of)
    # A guardian fact stands in the speaker's profile, whoever it is about.
    called = {line.subject: line.of or line.subject for line in (*lines, *own)}
    called |= dict.fromkeys(SPEAKER, "")
    of = _called(fold_letters(subject), called, counts, speakers)
    owns = of in speakers and of not in others
    name = re.compile(rf"(?<!\w){re.escape(fold_letters(subject))}(?!\w|['\u2019]s)")
    subjects = {of, *(line.subject for line in own if of and line.of == of)}
    about = [
        line
        for line in lines
        if _is_about(line, of)
        or (
            (owns or (not line.of and (line.subject in subjects or _guards(line, name))))
            and fold_letters(line.whose) not in others
        )
    ]
    of_section: Counter[str] = Counter()
    kept = []
    for line in about:
        of_section[line.section] += 1
        if of_section[line.section] <= LINES * (2 if line.section == "people" else 1):
            kept.append(line)
    return Profile(subject, of, tuple(kept), len(about) - len(kept), named)


def _is_about(line: ProfileLine, of: str) -> bool:
    """Whether a line tells of somebody, or is what he tells of his own: "My boss is Olga"."""
    own = line.subject.startswith("my ") and fold_letters(line.whose) == of
    return own or of in ("", line.of) or line.of.startswith(f"{of}'s ")


def _guards(line: ProfileLine, name: re.Pattern[str]) -> bool:
    """Whether a guardian fact or a rule of no one person names somebody: "Never give Dennis aspirin"."""
    shared = (line.guards or line.section == "instructions") and line.subject not in SPEAKER
    return bool(shared and name.search(fold_letters(line.text)))


def _called(
    name: str, by_subject: Mapping[str, str], named: Collection[str], speakers: Collection[str]
) -> str:
    """How lines name whom somebody calls so: "my sister", "sister", "lena hansen".

    A word in the names of several speakers names none: "Ann Keller" is neither of two Anns.
    """
    words = [word for word in name.split() if sum(word in each.split() for each in speakers) < 2]
    for each in (name, f"my {name}", *words) if name and name not in speakers else ():
        if each in by_subject or each in named:
            return by_subject.get(each, each)
    return name


def _within(found: Profile, max_tokens: int | None) -> Profile:
    """A profile of so many tokens: one line of each section in turn, until there is no room."""
    if max_tokens is None:
        return found
    by_section = {name: list(lines) for name, lines in found.by_section()}
    turns = ((name, number) for number in range(LINES) for name in _FIRST)
    room = max_tokens
    kept: list[ProfileLine] = []
    for name, number in turns:
        lines = by_section.get(name, [])
        if number >= len(lines):
            continue
        cost = count_tokens(f"- {lines[number]}\n") + (
            count_tokens(f"{name}:\n") if not number else 0
        )
        if cost <= room:
            room -= cost
            kept.append(lines[number])
    shown = tuple(line for line in found.lines if line in kept)
    return replace(found, lines=shown, more=found.more + len(found.lines) - len(shown))
