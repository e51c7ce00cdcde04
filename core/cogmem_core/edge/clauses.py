"""Which clauses of a memory hold, and what becomes of their states when the text is read anew. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from cogmem_core import reading
from cogmem_core.edge.trust import is_trusted
from cogmem_core.reading.compare import PRONOUNS
from cogmem_core.reading.cut import sentences
from cogmem_core.reading.ends import endings
from cogmem_core.reading.pack import pack_of
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.keys import content_hash, plain
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.tokens import held_stems, tokens
from cogmem_core.values.models import UNMEANT, ClauseState, Memory
from cogmem_core.values.readings import (
    GUARDS,
    KEPT,
    VERSION,
    Clause,
    Guard,
    Reading,
    Span,
    marked,
)

_WORD = re.compile(r"\w+")
_ENDS = " .,;:!?\u2026"
_MARKS = ("", ".", "!", "?", "\u2026")
_DATED = 36_500
"""Days after which a plan without a date is over: none of these is meant here."""


def reading_of(memory: Memory) -> Reading:
    """The text of a memory taken apart; made now if it is not stored, or by an older reader."""
    return read_of(memory.content, memory.reading)


def read_of(content: str, stored: Reading | None) -> Reading:
    """A text taken apart; `stored`: how it was by some reader, None if by none."""
    if stored is None or stored.version != VERSION:
        return reading.of(content)
    if stored.text:
        return stored
    return Reading(stored.language, stored.clauses, stored.version, content)


def _clauses(memory: Memory) -> Sequence[Clause]:
    """The clauses of a memory, without its text."""
    stored = memory.reading
    if stored is None or stored.version != VERSION:
        return reading.of(memory.content).clauses
    return stored.clauses


def standing(memory: Memory) -> Reading:
    """The text of a memory taken apart, without the clauses that hold no more."""
    found = reading_of(memory)
    gone = withdrawn(memory)
    left = [clause for number, clause in enumerate(found.clauses) if number not in gone]
    return replace(found, clauses=tuple(left)) if gone else found


def guards_of(memory: Memory) -> tuple[Guard, ...]:
    """What guardian facts a memory tells that holds: the kinds, the most dangerous first.

    Only a person's word and what is trusted as much counts: no file and no tool guards anything.
    """
    clauses = _clauses(memory)
    if not any(clause.guards for clause in clauses):
        return ()
    doubtful = memory.support or memory.category == "item" or UNMEANT in memory.tags
    if doubtful or not is_trusted(memory.data_source, memory.trust):
        return ()
    gone = withdrawn(memory)
    told = {clause.guards for number, clause in enumerate(clauses) if number not in gone}
    return tuple(kind for kind in GUARDS if kind in told)


def guarded_things(memory: Memory) -> set[str]:
    """The stems of what the guardian facts of a memory are about: "penicillin"."""
    guarding = (clause for clause in standing(memory).clauses if clause.guards)
    return {*tokens(" ".join(f"{clause.value} {clause.scope}" for clause in guarding))}


def guarding_words(memory: Memory, things: Collection[str] = ()) -> str:
    """The clauses of a memory that tell guardian facts, with whom and what they are about; "" if none does.

    With them the statements that hold a stem of `things`: they may take one back.
    """
    if not guards_of(memory):
        return ""
    found = standing(memory)
    told = {*things}
    every = reading_of(memory).clauses
    spans: list[Span] = []
    for number, clause in enumerate(found.clauses):
        of_it = told and clause.kind == "statement"
        if clause.guards or (of_it and held_stems(told, {*tokens(found.words(clause))})):
            start, end = span_with_what_is_meant(found, number)
            between = range(spans[-1][1], start) if spans else ()
            if spans and not any(other.start in between for other in every):
                start = spans.pop()[0]
            spans.append((start, end))
    return " ".join(_ended(memory.content[slice(*span)]) for span in spans)


def span_with_what_is_meant(found: Reading, number: int) -> Span:
    """The place of a clause, with the clause before it if that says of whom or what this one tells.

    As in "They gave me penicillin. Turns out I'm allergic to it."
    """
    clause = found.clauses[number]
    folded = fold_letters(found.words(clause))
    pack = pack_of(found.language)
    named = clause.subject.split()[-1:]
    own = bool(named) and named[0] in folded
    points = any(
        word not in named and pack.subjects.get(word) in PRONOUNS
        for word in _WORD.findall(folded)
        if not pack.in_any(("deictic", "demonstratives"), word)
    )
    start = clause.start if not number or (own and not points) else found.clauses[number - 1].start
    return start, clause.end


def exempt(memory: Memory) -> bool:
    """Whether only a person takes a memory out of recall: it is pinned, immutable, or a guardian fact."""
    return memory.pinned or memory.immutable or bool(guards_of(memory))


def states_of(memory: Memory) -> Mapping[int, ClauseState]:
    """How clauses stand, by number."""
    return {state.number: state for state in memory.clause_states}


def withdrawn(memory: Memory) -> Mapping[int, ClauseState]:
    """The clauses that hold no more, by number."""
    return {state.number: state for state in memory.clause_states if state.withdrawn}


def ends_of(memory: Memory) -> Mapping[int, datetime]:
    """Until when the clauses hold that name an end, by number, where the memory as a whole has none.

    What changes goes on after its day ("I move to York on Friday"), and what another clause speaks of
    as "it" or "she" stays with that.
    """
    found = reading_of(memory)
    if memory.valid_until is not None or len(found.clauses) < 2:
        return {}
    subjects = pack_of(found.language).subjects
    pronouns = {word for word, person in subjects.items() if person in PRONOUNS}
    kept = {*states_of(memory)}
    for number, clause in enumerate(found.clauses):
        words = _WORD.findall(fold_letters(said(memory, clause)))
        if clause.changes:
            kept.add(number)
        elif clause.subject in PRONOUNS or not (clause.framed or pronouns.isdisjoint(words)):
            kept |= {number - 1, number}
    return {
        number: ending.end
        for clause, ending in endings(found, memory.recorded_at, default_days=_DATED)
        if (number := found.clauses.index(clause)) not in kept
        and ending.end is not None
        and ending.end > memory.recorded_at
    }


def in_recall(memory: Memory, now: datetime) -> bool:
    """Whether a memory is active, and its end has not come."""
    return memory.state == "active" and (memory.valid_until is None or memory.valid_until > now)


def expired(memory: Memory, now: datetime) -> Memory:
    """A memory of which the clauses hold no more whose end has come."""
    ends = ends_of(memory)
    over = [number for number in ends if ends[number] <= now]
    return with_states(memory, [ClauseState(each, "expired", until=ends[each]) for each in over])


def exempt_until(memory: Memory) -> datetime | None:
    """When nothing keeps a memory in recall any more; None = that names no end."""
    end = max(ends_of(memory).values(), default=None)
    return memory.valid_until if end is None or exempt(expired(memory, end)) else end


def telling(memory: Memory) -> dict[int, Clause]:
    """The clauses that tell something and are not withdrawn, by number."""
    gone = withdrawn(memory)
    return {
        number: clause
        for number, clause in enumerate(reading_of(memory).clauses)
        if clause.kind in KEPT and number not in gone
    }


def is_over(memory: Memory) -> bool:
    """Whether nothing that it tells is left, nor what is told beside it."""
    clauses = reading_of(memory).clauses
    beside = [
        number
        for number, state in withdrawn(memory).items()
        if state.state != "forgotten" and clauses[number].beside
    ]
    return not (telling(memory) or beside)


def with_states(memory: Memory, clauses: Iterable[ClauseState]) -> Memory:
    """A memory of which some clauses stand otherwise."""
    states = {**states_of(memory), **{state.number: state for state in clauses}}
    return replace(memory, clause_states=tuple(states[number] for number in sorted(states)))


def holding(memory: Memory) -> Memory:
    """A memory that says only what holds, for whoever compares texts; its clauses keep their numbers."""
    gone = withdrawn(memory)
    if not gone:
        return memory
    clauses = list(reading_of(memory).clauses)
    text = ""
    end: int | None = None  # of the clause before, if it holds
    for number, clause in enumerate(clauses):
        start = clause.start
        stop = _end_in(memory.content, clause)
        if number in gone:
            clauses[number] = replace(clause, start=0, end=0)
            start = clause.claim[1]
            if gone[number].state == "forgotten" or start >= clause.end:
                end = None
                continue
        joint = f"{_ended(text)} " if text else ""
        text = joint if end is None else text + memory.content[end:start]
        if number not in gone:
            clauses[number] = _moved(clause, len(text) - start)
        part = memory.content[start:stop]
        text += part.lstrip(_ENDS) if number in gone else part
        end = stop
    own = replace(reading_of(memory), clauses=tuple(clauses))
    text = _ended(text)
    return replace(memory, content=text, content_hash=content_hash(text), reading=own)


def in_sentences(memory: Memory, holds: Callable[[str], bool]) -> Memory:
    """A memory whose clauses that hold something are cut into whatever may be sentences; the others stay whole.

    Who deletes takes no sentence along only because the reader joined it to another one.
    """
    found, states = reading_of(memory), states_of(memory)
    pack = pack_of(found.language)
    clauses: list[Clause] = []
    moved: list[ClauseState] = []
    for number, clause in enumerate(found.clauses):
        cut = sentences(memory.content, clause.start, clause.end, pack, loosely=True)
        spans = [(start, end - (memory.content[end - 1] == ";")) for start, end in cut]
        parts = [clause]
        if len(spans) > 1 and any(holds(memory.content[slice(*span)]) for span in spans):
            parts = [
                replace(clause, start=span[0], end=span[1], core=span, beside=(), times=())
                for span in spans
            ]
        if number in states:
            moved += [replace(states[number], number=len(clauses) + i) for i in range(len(parts))]
        clauses += parts
    own = replace(found, clauses=tuple(clauses))
    return replace(memory, reading=own, clause_states=tuple(moved))


def blanked(memory: Memory, numbers: Collection[int]) -> Memory:
    """A memory without some of its clauses, as if they had never been said: what it names beside goes, too."""
    gone = tuple(ClauseState(number, "forgotten") for number in numbers)
    text = holding(replace(memory, clause_states=gone)).content
    named = {entity.uri for entity in entities(text)}
    states = tuple(state for state in memory.clause_states if state.number not in numbers)
    rest = replace(
        memory,
        content=text,
        content_hash=content_hash(text),
        version=1,  # no former text is left
        entities=tuple(uri for uri in memory.entities if uri in named),
    )
    return read_anew(rest, replace(memory, clause_states=states))


def keyed_text(memory: Memory) -> str:
    """What a memory is found by: what holds, where most of it does not."""
    held = holding(memory).content
    return held if 0 < 2 * len(held) < len(memory.content) else memory.content


def _ended(text: str) -> str:
    return text if text[-1:] in _MARKS else f"{text}."


def _end_in(content: str, clause: Clause) -> int:
    """Where a clause ends, with the marks behind it."""
    end = clause.end
    while content[end : end + 1] in _MARKS[1:]:
        end += 1
    return end


def _moved(clause: Clause, by: int) -> Clause:
    """A clause at another place."""

    def moved(span: Span) -> Span:
        return span[0] + by, span[1] + by

    return replace(
        clause,
        start=clause.start + by,
        end=clause.end + by,
        core=moved(clause.core),
        beside=tuple(map(moved, clause.beside)),
        times=tuple(map(moved, clause.times)),
    )


def in_words(memory: Memory) -> tuple[str, ...]:
    """How those clauses stand that do not simply hold, a sentence each."""
    clauses = reading_of(memory).clauses
    return tuple(
        f'"{said(memory, clauses[state.number])}": {state.in_words()} ({state.reason})'
        for state in memory.clause_states
        if state.number < len(clauses)
    )


def for_a_prompt(memory: Memory, year: int, *, deep: bool = False) -> str:
    """What a model reads of a memory: what holds, if that says enough by itself, else all of it, marked.

    Args:
        memory: the memory.
        year: whose days are told without it.
        deep: what is over is told as well.
    """
    gone = withdrawn(memory)
    if not gone:
        return memory.content
    if not deep:
        if _rest_stands_alone(memory):
            return holding(memory).content
        hidden = [state for state in gone.values() if state.state in ("expired", "forgotten")]
        rest = holding(replace(memory, clause_states=tuple(hidden)))
        memory = replace(rest, clause_states=memory.clause_states)
        gone = {number: state for number, state in gone.items() if state not in hidden}
    return marked(memory.content, reading_of(memory).clauses, gone.values(), year=year)


def _rest_stands_alone(memory: Memory) -> bool:
    """Whether what holds is sentences by itself: all of it is clauses, and no subject was left behind."""
    gone = withdrawn(memory)
    clauses = reading_of(memory).clauses
    rest = [number for number in range(len(clauses)) if number not in gone]
    behind = [number for number in rest if number - 1 in gone]
    return (
        bool(rest)
        and not any(clauses[number].beside for number in gone)
        and all(_has_its_subject(memory, clauses[number]) for number in behind)
    )


def _has_its_subject(memory: Memory, clause: Clause) -> bool:
    words = _WORD.findall(fold_letters(said(memory, clause)))
    return clause.kind == "statement" and all(word in words for word in clause.subject.split())


def said(memory: Memory, clause: Clause) -> str:
    """The words of a clause."""
    return memory.content[clause.start : clause.end]


def as_it_was(
    memory: Memory, *, as_of: datetime | None = None, known_at: datetime | None = None
) -> Memory:
    """A memory with the states that its clauses had: what ended since, held; what was retracted never did.

    Args:
        memory: as it is.
        as_of: what was true then; None = what is true now.
        known_at: only what had been said by then; None = all.
    """
    states = [
        state
        for state in memory.clause_states
        if not (known_at and state.since and state.since > known_at)
        and not (as_of and state.until and state.until > as_of)
    ]
    return replace(memory, clause_states=tuple(states)) if memory.clause_states else memory


def read_anew(memory: Memory, former: Memory | None = None) -> Memory:
    """A memory with the reading of its text; how clauses stand is carried over by their words.

    Args:
        memory: its text may be a new one.
        former: the memory whose clauses its states count; None = itself.
    """
    fresh = reading.of(memory.content)
    old = former or memory
    if not old.clause_states or (old.content == memory.content and old.reading in (None, fresh)):
        return replace(memory, reading=fresh)
    states = tuple(_carried(old, memory.content, fresh))
    return replace(memory, reading=fresh, clause_states=states)


def _carried(old: Memory, content: str, fresh: Reading) -> Iterator[ClauseState]:
    """The states for the clauses of a new text: each says what one of the old said, or a part of it."""
    clauses = reading_of(old).clauses if old.reading is None else old.reading.clauses
    for number, clause in enumerate(fresh.clauses):
        words = _words(content, clause)
        for state in old.clause_states:
            if state.number >= len(clauses):
                continue
            former = _words(old.content, clauses[state.number])
            if words in former or (former in words and 2 * len(former) >= len(words)):
                yield replace(state, number=number)
                break


def _words(content: str, clause: Clause) -> str:
    return plain(content[clause.start : clause.end]).strip(_ENDS)
