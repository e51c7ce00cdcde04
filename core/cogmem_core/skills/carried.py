"""Whether clauses that were said carry what a model wrote of them; else the clause that is missing.

A clause of a fact is carried by one clause that was said: about the same subject ("User" is who spoke, a
pronoun whoever was named before), denied or over alike, with its figures, units, names and times, and with
most of its other words in their order. In doubt it is missing: what was said is kept as it was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from cogmem_core.reading import of
from cogmem_core.reading.compare import stems
from cogmem_core.reading.model import Clause, Reading
from cogmem_core.reading.pack import pack_of
from cogmem_core.reading.tokens import Token, tokens_of
from cogmem_core.text.folding import fold_letters, plain_number
from cogmem_core.text.time.find import TimeMention, find_times
from cogmem_core.text.vocabulary import NUMBERS

SHARE = 0.5
"""Of the words of a clause that are no figure, name or time more than so many were said."""
_SILENT = (
    "determiners",
    "own",
    "adverbs",
    "prepositions",
    "negations",
    "helping",
    "stop",
    "joints",
)
_EXACT = ("units", "times", "weekdays", "months", "habits")
_SPEAKERS = ("i", "we")
_PRONOUNS = ("he", "she", "it", "they")


class Said(NamedTuple):
    """A turn.

    Attributes:
        text: what was said.
        at: when, in the speaker's time zone.
        speaker: the person's name, or "".
        asked: the question that it answers, or "".
    """

    text: str
    at: datetime
    speaker: str = ""
    asked: str = ""


class _Part(NamedTuple):
    """A clause with its words.

    Attributes:
        clause: as it was read; a fragment behind it counts as a part of it.
        subject: the stems of whom it is about, without "my".
        own: whether its subject is somebody's of the speaker: "my dog", "User's dog".
        words: the stems of all that it says, in order.
        exact: those of them that are figures, units, times and names.
        times: that it names.
        before: the stems of the clause before it.
        denied: whether anything in it is denied.
    """

    clause: Clause
    subject: tuple[str, ...]
    own: bool
    words: tuple[str, ...]
    exact: frozenset[str]
    times: tuple[TimeMention, ...]
    before: tuple[str, ...] = ()
    denied: bool = False


def missing(fact: str, turn: Said, earlier: Sequence[Said] = ()) -> str:
    """The clause of a fact that no clause of its turn carries; "" if all are carried.

    Args:
        fact: a sentence that a model took from the turn.
        turn: the turn.
        earlier: turns before it: who "he" is may be told there.
    """
    selves = frozenset(fold_letters(f"user {turn.speaker}").split())
    before: tuple[str, ...] = ()
    for other in earlier:
        before = tuple(word for part in _parts(other.text, other, selves) for word in part.words)
    said = [*_joined(_parts(turn.text, turn, selves), before), *_answered(turn, selves)]
    reading = of(fact)
    for part in _parts(fact, turn, selves):
        if not any(_carries(part, other) for other in said):
            return reading.words(part.clause)
    return ""


def _parts(text: str, turn: Said, selves: frozenset[str]) -> Iterator[_Part]:
    """The clauses of a text with their words."""
    reading = of(text)
    times = find_times(text, turn.at)
    for clause in reading.clauses:
        if clause.kind != "filler":
            yield _part(reading, clause, times, selves)


def _joined(parts: Iterable[_Part], before: tuple[str, ...]) -> Iterator[_Part]:
    """The clauses, each followed by itself with the fragments behind it."""
    whole: _Part | None = None
    for part in parts:
        yield part._replace(before=before)
        if part.clause.kind == "fragment" and whole is not None and part.denied == whole.denied:
            whole = whole._replace(
                words=(*whole.words, *part.words),
                exact=whole.exact | part.exact,
                times=(*whole.times, *part.times),
            )
            yield whole
        else:
            whole = part._replace(before=before)
        before = (*part.subject, *part.words)


def _answered(turn: Said, selves: frozenset[str]) -> Iterator[_Part]:
    """What a turn says of what it was asked: the words of both, of the speaker; "No" denies them."""
    if not turn.asked:
        return
    answer = of(turn.text)
    first = next(iter(re.findall(r"\w+", fold_letters(turn.text))), "")
    text = f"{turn.asked.rstrip('?! ')} {turn.text}"
    clause = Clause(0, len(text), "statement", subject="i")
    reading = Reading(answer.language, (clause,), text=text)
    part = _part(reading, clause, find_times(text, turn.at), selves)
    yield part._replace(denied=pack_of(answer.language).has("negations", first))


def _part(
    reading: Reading, clause: Clause, times: Sequence[TimeMention], selves: frozenset[str]
) -> _Part:
    pack = pack_of(reading.language)
    own = tuple(each for each in times if clause.start <= each.start < clause.end)
    folded = fold_letters(reading.text)
    verb = clause.slot.partition(" ")[0]
    words: list[str] = []
    exact: set[str] = set()
    denied = clause.negative
    for token in tokens_of(reading.text, folded, clause.start, clause.end, pack.splits):
        unit = pack.has("units", token.folded)
        if token.folded in selves or any(time.start <= token.start < time.end for time in own):
            continue
        denied |= not clause.denies and any(
            pack.has(each, token.folded) for each in ("negations", "lacking")
        )
        figure = _figure(token)
        silent = any(pack.has(group, token.folded) for group in _SILENT) and token.folded != verb
        if not (token.is_word or unit) or (silent and not (figure or unit)):
            continue
        word = figure or stems([token.folded], pack)[0]
        words.append(word)
        named = token.is_capital and token.start > clause.start
        if figure or named or unit or any(pack.has(group, token.folded) for group in _EXACT):
            exact.add(word)
    subject = clause.subject.split()
    return _Part(
        clause,
        stems((word for word in subject if word not in selves and word != "my"), pack),
        bool(subject[1:]) and (subject[0] == "my" or subject[0] in selves),
        tuple(words),
        frozenset(exact),
        own,
        denied=denied,
    )


def _figure(token: Token) -> str:
    """A figure, a code or an address as one writes it; "" if a word is none. "One" counts nothing."""
    if any(letter.isdigit() or letter == "@" for letter in token.folded):
        return plain_number(token.folded) if token.folded[0].isdigit() else token.folded
    number = NUMBERS.get(token.folded, 1)
    return str(number) if number != 1 else ""


def _carries(part: _Part, said: _Part) -> bool:
    """Whether one clause that was said says what a clause of a fact says."""
    theirs = said.clause
    if theirs.holder == "fiction" or theirs.mood in ("joke", "hypothetical"):
        return False
    if not (_agrees(part, said) and _is_about(part, said) and _names_times(part, said)):
        return False
    known = {*said.words, *said.subject, *(said.before if theirs.subject in _PRONOUNS else ())}
    lacking = [word for word in part.words if word not in known]
    if part.exact.intersection(lacking):
        return False
    counted = [word for word in part.words if word not in part.subject]
    held = [word for word in counted if word in known]
    slot = bool(part.clause.slot) and part.clause.slot == theirs.slot
    return len(held) + (slot and bool(held)) > SHARE * len(counted) and _in_order(held, said)


def _agrees(part: _Part, said: _Part) -> bool:
    """Whether both are denied, both are over, or neither is either."""
    mine, theirs = part.clause, said.clause
    if mine.ends and theirs.ends:
        return True
    return part.denied == said.denied and (part.denied or mine.ends == theirs.ends)


def _is_about(part: _Part, said: _Part) -> bool:
    """Whether both clauses are about one subject."""
    theirs = said.clause.subject
    if not part.subject or part.clause.subject in _SPEAKERS:
        return theirs in (*_SPEAKERS, "")
    if theirs in _PRONOUNS:
        return set(part.subject) <= set(said.before)
    if part.own and not said.own:
        return False
    return bool(theirs) and set(part.subject) <= set(said.subject)


def _names_times(part: _Part, said: _Part) -> bool:
    """Whether each time of a fact takes in one that was said."""
    return all(
        any(mine.first <= each.first and each.last <= mine.last for each in said.times)
        for mine in part.times
    )


def _in_order(held: Sequence[str], said: _Part) -> bool:
    """Whether what both say stands in the same order: "tabs over spaces" is not "spaces over tabs"."""
    places = [said.words.index(word) for word in held if word in said.words]
    return places == sorted(places)
