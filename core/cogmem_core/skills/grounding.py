"""What of a fact that a model formed nobody said: its clauses beside those of its turn. Pure.

A clause of a fact is carried by clauses that were said if they name its figures, names and times and most
of its other words, and if that which shares most words with it is as sure, denied or not, and about the same
person. In doubt something is lacking: then the turn is kept as it was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import chain, pairwise
from typing import Literal, NamedTuple

from cogmem_core.reading import of, read, sentences_of
from cogmem_core.reading.claims import UNITS, in_one_spelling
from cogmem_core.reading.compare import PRONOUNS
from cogmem_core.reading.facts import negates
from cogmem_core.reading.model import Clause, Reading, Span
from cogmem_core.reading.pack import Pack, pack_of
from cogmem_core.reading.said import SILENT, stems, words_in
from cogmem_core.reading.tokens import Token
from cogmem_core.text.folding import plain_number
from cogmem_core.text.query.questions import last_question, polarity
from cogmem_core.text.time.find import TimeMention, find_times

Lack = Literal["date", "number", "unit", "name", "words", "person", "negation", "mood"]
"""What of a fact was not said."""

_GROUNDED = 0.4  # share of a clause's words that have to be said
_EXACT = ("times", "weekdays", "months", "habits")
_LIGHT = ("be", "have", "do", "get")
_ENDS = " .!"
_SPEAKERS = ("i", "we")
_REACH = 4  # clauses that may tell one thing together
_UNSURE = ("hypothetical", "joke")


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
        clause: as it was read.
        subject: the stems of whom it is about; empty = who speaks.
        words: the stems of all that it says, in order.
        exact: those of them that are figures and names.
        units: of its figures.
        times: that it names.
        denied: whether it says that something is not, or is over.
        unsure: whether it asks, supposes or jokes.
        ahead: whether it tells of what is to come.
        before: who was named last before it: whom a pronoun may mean.
    """

    clause: Clause
    subject: frozenset[str]
    words: tuple[str, ...]
    exact: frozenset[str]
    units: frozenset[tuple[str, str]]
    times: tuple[TimeMention, ...]
    denied: bool
    unsure: bool
    ahead: bool
    before: frozenset[str] = frozenset()

    @property
    def own(self) -> bool:
        """Whether it is about who speaks."""
        return not self.subject

    @property
    def verb(self) -> str:
        """What it says of that."""
        return self.clause.slot.partition(" ")[0]

    @property
    def known(self) -> frozenset[str]:
        """All words that it says, or points at."""
        return self.subject.union(self.words, self.before)

    def with_more(self, other: _Part) -> _Part:
        """Both as one."""
        return self._replace(
            words=(*self.words, *other.words),
            exact=self.exact | other.exact,
            units=self.units | other.units,
            times=(*self.times, *other.times),
        )


def lack_of(fact: str, turn: Said, earlier: Sequence[Said]) -> Lack | None:
    """What of a fact was not said; None if all of it was.

    Args:
        fact: one sentence that a model took from the turn.
        turn: the turn.
        earlier: turns before it, of which names and words may be.
    """
    if fact.strip(_ENDS) in {turn.text[slice(*span)].strip(_ENDS) for span in _whole(turn.text)}:
        return None
    if not turn.asked and earlier and polarity(turn.text) is not None:
        turn = turn._replace(asked=last_question(earlier[-1].text))
    pack = pack_of(of(turn.text).language or of(fact).language)
    before = chain.from_iterable(_parts(each, pack) for each in earlier)
    said = list(_joined([*before, *_answered(turn, pack), *_parts(turn, pack)]))
    texts = " ".join(each.text for each in (*earlier, turn))
    lacks = (_lack(part, said, texts) for part in _parts(turn._replace(text=fact), pack))
    return next(filter(None, lacks), None)


def _whole(text: str) -> Iterator[Span]:
    """The places of a text and of each of its sentences."""
    yield 0, len(text)
    yield from sentences_of(text)


def _parts(turn: Said, pack: Pack) -> Iterator[_Part]:
    reading = read(turn.text, pack.code, pack)
    times = find_times(turn.text, turn.at)
    selves = frozenset(stems((*pack.words["users"], *pack.fold(turn.speaker).split()), pack))
    for clause in reading.clauses:
        if clause.kind != "filler":
            part = _part(reading, clause, times, selves)
            later = bool(part.times) and all(each.first > turn.at for each in part.times)
            yield part._replace(ahead=part.ahead or later)


def _part(
    reading: Reading, clause: Clause, times: Sequence[TimeMention], selves: frozenset[str]
) -> _Part:
    pack = pack_of(reading.language)
    own = tuple(each for each in times if clause.start <= each.start < clause.end)
    text = reading.text[clause.start : clause.end]
    words: list[str] = []
    exact = set[str]()
    spoken = False
    for token in words_in(text, pack):
        place = clause.start + token.start
        himself = stems((token.folded,), pack)[0] in selves
        spoken |= himself
        if himself or any(each.start <= place < each.end for each in own):
            continue
        word = _spelt(token, pack)
        if _is_exact(token, word, pack):
            exact.add(word)
        elif not word or _is_silent(token, pack):
            continue
        words.append(word)
    over = clause.ends and not pack.has("ends", clause.slot.partition(" ")[0])
    told = clause.subject.split() if not (spoken and _leans(clause)) else ()
    people = stems((word for word in told if word not in (*_SPEAKERS, "my")), pack)
    return _Part(
        clause,
        frozenset(people) - selves,
        tuple(words),
        frozenset(exact),
        frozenset(_units(text, pack)),
        own,
        clause.negative or over or (not clause.framed and negates(text, pack)),
        clause.kind == "question" or clause.mood in _UNSURE or not clause.meant,
        clause.mood == "planned",
    )


def _spelt(token: Token, pack: Pack) -> str:
    """A word in one spelling: the name of a verb, a figure, a stem."""
    for form in pack.forms[token.folded]:
        return form.verb if form.verb not in _LIGHT else ""
    word = in_one_spelling(token.raw)
    if token.is_figure:
        return plain_number(word)
    return stems((token.folded,), pack)[0] if word == token.folded else word


def _units(text: str, pack: Pack) -> Iterator[tuple[str, str]]:
    """The figures of a text with the units beside them."""
    for pair in pairwise(in_one_spelling(text).split()):
        for figure, unit in (pair, pair[::-1]):
            if figure[0].isdigit() and (unit in UNITS or pack.has("units", unit)):
                yield plain_number(figure), stems((unit,), pack)[0]


def _is_exact(token: Token, word: str, pack: Pack) -> bool:
    """Whether nothing else may stand for a word: a figure, a name, a time."""
    named = token.is_capital and token.start > 0 and not pack.nouns_capital
    timed = pack.in_any(_EXACT, token.folded) and not pack.in_any(("now", *SILENT), token.folded)
    figure = any(map(str.isdigit, word)) or pack.has("numbers", token.folded)
    return (figure and not pack.has("articles", token.folded)) or "@" in word or named or timed


def _is_silent(token: Token, pack: Pack) -> bool:
    return token.folded in pack.subjects or pack.in_any(SILENT, token.folded)


def _answered(turn: Said, pack: Pack) -> Iterator[_Part]:
    """What a turn says of what it was asked: the words of both."""
    agrees = polarity(turn.text)
    for part in _parts(turn._replace(text=turn.asked), pack):
        whole = part
        for answer in _parts(turn, pack):
            whole = whole.with_more(answer)
        yield whole._replace(denied=part.denied if agrees is None else not agrees, unsure=False)


def _joined(parts: Sequence[_Part]) -> Iterator[_Part]:
    """The clauses with whom each may mean, and each with those behind it that go on with it."""
    named = frozenset[str]()
    resolved: list[_Part] = []
    for part in parts:
        leans = _leans(part.clause)
        resolved.append(part._replace(before=named) if leans else part)
        if not leans:
            named = part.subject or part.exact or named
    for place, part in enumerate(resolved):
        whole = part
        yield whole
        for other in resolved[place + 1 : place + _REACH]:
            goes_on = other.clause.kind == "fragment" or other.subject == part.subject
            if not goes_on or (other.denied, other.unsure) != (part.denied, part.unsure):
                break
            whole = whole.with_more(other)
            yield whole


def _leans(clause: Clause) -> bool:
    """Whether it is about somebody who was named before."""
    return clause.subject in PRONOUNS


def _lack(part: _Part, said: Sequence[_Part], texts: str) -> Lack | None:
    """What of a clause of a fact was not said."""
    times = list(chain.from_iterable(each.times for each in said))
    known = frozenset(chain.from_iterable(each.known for each in said))
    if not all(_is_told(each, times, texts) for each in part.times):
        return "date"
    words = frozenset(part.words)
    foreign = part.exact - known
    if foreign:
        return "number" if any(map(str.isdigit, "".join(foreign))) else "name"
    if len(words & known) < _GROUNDED * len(words):
        return "words"
    held = [(len(words & each.known), each) for each in said]
    best = max((number for number, _ in held), default=0)
    carriers = [each for number, each in held if number == best]
    shortest = min((len(each.words) for each in carriers), default=0)
    lacks = [_differs(part, each, known) for each in carriers if len(each.words) == shortest]
    return None if None in lacks else (*lacks, "words")[0]


def _differs(part: _Part, said: _Part, known: frozenset[str]) -> Lack | None:
    """What tells a clause of a fact from the one that it was taken from."""
    mine, theirs = part.clause, said.clause
    same = part.verb == said.verb
    torn = bool(part.exact - said.known) and bool(said.exact - frozenset(part.words))
    if torn or not _is_about(part, said, known, same=same):
        return "person"
    if _other_unit(part, said):
        return "unit"
    turned = mine.negative != theirs.negative and mine.ends != theirs.ends
    if part.denied != said.denied or (same and turned):
        return "negation"
    over = same and theirs.tense == "past" and not (theirs.changes or theirs.ends)
    hoped = same and theirs.mood in ("wished", "planned") and mine.mood == "asserted"
    ahead = said.ahead and not part.ahead and mine.tense == "past"
    if (said.unsure and not part.unsure) or (over and mine.tense == "present") or hoped or ahead:
        return "mood"
    return None if _in_order(part, said) else "person"


def _other_unit(part: _Part, said: _Part) -> bool:
    figures = {figure for figure, _ in said.units}
    return any(each[0] in figures and each not in said.units for each in part.units)


def _in_order(part: _Part, said: _Part) -> bool:
    """Whether figures and names stand in the same order."""
    shared = part.exact & said.exact
    places = [said.words.index(word) for word in part.words if word in shared]
    return places == sorted(places)


def _is_about(part: _Part, said: _Part, known: frozenset[str], *, same: bool) -> bool:
    """Whether a clause is about whom another one is about; `same`: both tell the same of somebody."""
    if part.own:
        other = same or _leans(said.clause)
        return said.own or not other or said.subject <= frozenset(part.words)
    if part.subject & (known - said.known):
        return False
    return not (same and said.own and part.verb != "be")


def _is_told(time: TimeMention, said: Sequence[TimeMention], texts: str) -> bool:
    """Whether a time of a fact was said, or a shorter one in it; where no time was understood it may be."""
    day = rf"(?<!\d)0?{time.day.day}(?!\d)"
    return (
        not said
        or re.search(day, texts) is not None
        or any(
            time.text.casefold() in each.text.casefold()
            or (time.first <= each.first and each.last <= time.last)
            for each in said
        )
    )
