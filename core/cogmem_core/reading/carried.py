"""Whether clauses that were said carry what a model wrote of them; else the clause that is missing.

A clause of a fact is carried by one clause that was said: about the same subject ("User" is who spoke, a
pronoun whoever was named before), denied or over alike, with its figures, units, names and times, and with
most of its other words in their order. In doubt it is missing: what was said is kept as it was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from cogmem_core.reading import of
from cogmem_core.reading.claims import one_spelling, spelling
from cogmem_core.reading.compare import stems
from cogmem_core.reading.model import Clause, Reading
from cogmem_core.reading.pack import Pack, pack_of
from cogmem_core.reading.tokens import tokens_of
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.time.find import TimeMention, find_times

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
_LIGHT = ("be", "have", "do", "get")
_DENYING = ("negations", "denials")
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
        names: the stems of the names in it.
        denied: whether anything in it is denied; None = the words do not tell whether the claim is.
        refers: whether its first word is a pronoun for somebody who was named before.
        before: the clause before it.
    """

    clause: Clause
    subject: tuple[str, ...]
    own: bool
    words: tuple[str, ...]
    exact: frozenset[str]
    times: tuple[TimeMention, ...]
    names: frozenset[str]
    denied: bool | None = False
    refers: bool = False
    before: _Part | None = None


def missing(fact: str, turn: Said, earlier: Sequence[Said] = ()) -> str:
    """The clause of a fact that no clause of its turn carries; "" if all are carried.

    Args:
        fact: a sentence that a model took from the turn.
        turn: the turn.
        earlier: turns before it: who "he" is may be told there.
    """
    selves = frozenset(turn.speaker.split())
    before = [part for other in earlier for part in _parts(other.text, other)]
    said = [*_joined(_parts(turn.text, turn), before), *_answered(turn)]
    spoken = one_spelling(_spoken(fact, selves))
    for part in _parts(spoken, turn):
        if not any(_carries(part, other) for other in said):
            return spoken[part.clause.start : part.clause.end]
    return ""


def _spoken(fact: str, selves: frozenset[str]) -> str:
    """A fact as who spoke would say it: "My sister sings" of "User's sister sings"."""
    pack = pack_of(of(fact).language)
    speaker = next((word for word, who in pack.subjects.items() if who == "i"), "")
    owner = min(pack.words.get("own", ()), key=lambda word: (len(word), word), default="")
    words = "|".join(
        map(re.escape, sorted({*selves, *pack.words.get("users", ())}, key=len, reverse=True))
    )
    if not (speaker and owner):
        return fact
    mine = re.sub(rf"(?i)\b(?:(?:the )?(?:{words})['\u2019]s?)(?=\s)", owner, fact)
    return re.sub(rf"(?i)\b(?:the )?(?:{words})\b", speaker, mine)


def _parts(text: str, turn: Said) -> Iterator[_Part]:
    """The clauses of a text with their words."""
    text = one_spelling(text)
    reading = of(text)
    times = find_times(text, turn.at)
    for clause in reading.clauses:
        if clause.kind != "filler":
            yield _part(reading, clause, times)


def _joined(parts: Iterable[_Part], before: Sequence[_Part]) -> Iterator[_Part]:
    """The clauses, each after the one before it, and once more with the fragments behind it."""
    last = before[-1] if before else None
    whole: _Part | None = None
    for part in parts:
        yield part._replace(before=last)
        if part.clause.kind == "fragment" and whole is not None and part.denied == whole.denied:
            whole = whole._replace(
                words=(*whole.words, *part.words),
                exact=whole.exact | part.exact,
                times=(*whole.times, *part.times),
            )
            yield whole
        else:
            whole = part._replace(before=last)
        last = part


def _answered(turn: Said) -> Iterator[_Part]:
    """What a turn says of what it was asked: the words of both, of the speaker; "No" denies them."""
    if not turn.asked:
        return
    answer = of(turn.text)
    first = next(iter(re.findall(r"\w+", fold_letters(turn.text))), "")
    text = one_spelling(f"{turn.asked.rstrip('?! ')} {turn.text}")
    clause = Clause(0, len(text), "statement", subject="i")
    reading = Reading(answer.language, (clause,), text=text)
    part = _part(reading, clause, find_times(text, turn.at))
    denied = any(each.negative for each in answer.clauses)
    yield part._replace(denied=denied or pack_of(answer.language).has("negations", first))


def _part(reading: Reading, clause: Clause, times: Sequence[TimeMention]) -> _Part:
    pack = pack_of(reading.language)
    own = tuple(each for each in times if clause.start <= each.start < clause.end)
    folded = fold_letters(reading.text)
    verb = clause.slot.partition(" ")[0]
    subject = clause.subject.split()
    words: list[str] = []
    exact: set[str] = set()
    names: set[str] = set()
    after = False  # a figure: what it counts
    negations = 0
    named_slot = any(clause.slot == slot.name for slot in pack.slots)
    tokens = tokens_of(reading.text, folded, clause.start, clause.end, pack.splits)
    for token in tokens:
        if any(time.start <= token.start < time.end for time in own):
            continue
        negations += any(pack.has(each, token.folded) for each in _DENYING)
        spelled = spelling(token.raw)
        figure = any(letter.isdigit() or letter == "@" for letter in spelled)
        unit = pack.has("units", token.folded) or spelled != token.folded
        named = token.is_capital and token.start > clause.start
        forms = [form.verb for form in pack.forms.get(token.folded, ())]
        told = named_slot and clause.value and bool(forms) and token.end <= clause.core[1]
        silent = _is_silent(token.folded, pack) and (token.folded != verb or verb in _LIGHT)
        if not (figure or unit) and (not token.is_word or silent or told):
            continue
        word = stems([spelled], pack)[0] if spelled.isalpha() else spelled
        words.append(word)
        if token.is_capital and (named or token.folded in subject):
            names.add(word)
        counted, after = after, figure
        if (
            figure
            or named
            or unit
            or counted
            or any(pack.has(group, token.folded) for group in _EXACT)
        ):
            exact.add(word)
    clear = bool(negations) == clause.negative or bool(clause.denies)
    if not clause.framed:
        clear, clause = True, replace(clause, negative=bool(negations))
    return _Part(
        clause,
        () if clause.subject in _SPEAKERS else stems((w for w in subject if w != "my"), pack),
        subject[:1] == ["my"]
        or (not subject and any(pack.has("own", each.folded) for each in tokens)),
        tuple(words),
        frozenset(exact),
        own,
        frozenset(names),
        denied=clause.negative if clear else None,
        refers=bool(tokens) and pack.subjects.get(tokens[0].folded) in _PRONOUNS,
    )


def _is_silent(word: str, pack: Pack) -> bool:
    """Whether a word says nothing by itself."""
    if word in pack.subjects or any(pack.has(group, word) for group in _SILENT):
        return True
    return any(word in phrase.split("-") for phrase in pack.words.get("stop", ()))


def _carries(part: _Part, said: _Part) -> bool:
    """Whether one clause that was said says what a clause of a fact says."""
    theirs = said.clause
    if theirs.holder == "fiction" or theirs.mood in ("joke", "hypothetical"):
        return False
    if theirs.more and part.clause.slot.partition(" ")[0] != theirs.slot.partition(" ")[0]:
        return False  # the claim may be the other one's that stands in it
    if not (_agrees(part, said) and _is_about(part, said) and _names_times(part, said)):
        return False
    known = {*said.words, *said.subject}
    resolved = part.subject if said.refers else ()
    lacking = [word for word in part.words if word not in known and word not in resolved]
    if part.exact.intersection(lacking):
        return False
    counted = [word for word in part.words if word not in part.subject]
    held = [word for word in counted if word in known]
    share = 1.0 - 1 / (len(counted) + 1) if part.denied else SHARE
    return len(held) > share * len(counted) and (bool(lacking) or _in_order(held, said))


def _agrees(part: _Part, said: _Part) -> bool:
    """Whether both are denied, both are over, or neither is either."""
    mine, theirs = part.clause, said.clause
    if said.denied is None or (mine.ends and theirs.ends):
        return said.denied is not None
    return bool(part.denied) == said.denied and (bool(part.denied) or mine.ends == theirs.ends)


def _is_about(part: _Part, said: _Part) -> bool:
    """Whether both clauses are about one subject."""
    theirs = said.clause.subject
    if not part.subject:
        if part.clause.kind == "fragment":
            return set(part.words) <= {*said.words, *said.subject} and (said.own or not part.own)
        if theirs in _SPEAKERS or (not theirs and said.clause.kind == "fragment"):
            return True
        return bool(said.subject) and set(said.subject) <= set(part.words)  # "I have a sister, Ana"
    before = said.before if said.refers else None
    if before is not None and set(part.subject) <= {*before.subject, *before.words}:
        return before.names <= set(part.subject)
    if part.own and not said.own:
        return False
    if theirs in _SPEAKERS or not theirs:
        return set(part.subject) <= set(
            said.words
        )  # "My tutor is Kenji" of "I learn with a tutor, Kenji"
    return set(part.subject) <= set(said.subject)


def _names_times(part: _Part, said: _Part) -> bool:
    """Whether each time of a fact is one that was said, or takes one in."""
    return all(
        any(
            mine.text.casefold() == each.text.casefold()
            or (mine.first <= each.first and each.last <= mine.last)
            for each in said.times
        )
        for mine in part.times
    )


def _in_order(held: Sequence[str], said: _Part) -> bool:
    """Whether the same words stand in the same order: "tabs over spaces" is not "spaces over tabs"."""
    places = [
        said.words.index(word) for word in held if word in said.words and word not in said.subject
    ]
    return places == sorted(places)
