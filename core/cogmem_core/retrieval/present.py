"""What a question about the present wants first: of near-equal answers the newest, and never a question.

"My phone is a Pixel", "Fairphone here since May": no rule may see that the one took the place of the
other, and both stay. Where the two are nearly equal answers to a question, the newer one stands first.
Nothing is lost by an order. Of 586 pairs of which the new statement changes the old one, and which score
half as much as the old one or more but less than it, this turns 188 round; of 607 that look like it and
stand side by side, 52 (from .8 on 181 and 50; four authors, see `tests/data/statement_pairs`). And
whatever their scores, "the Pixel is dead" stands before "my phone is a Pixel": of 1,208 statements that
no longer hold 83 are given up so, of 1,792 that stand, 6.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from cogmem_core.reading import Reading
from cogmem_core.reading.between import change, gives_up
from cogmem_core.reading.question import Question, answers, tells_of_another, tells_what_is
from cogmem_core.retrieval.confidence import DEPTH
from cogmem_core.retrieval.score import ScoredPool
from cogmem_core.retrieval.search_context import SearchContext
from cogmem_core.retrieval.understand import asks_who
from cogmem_core.storage.search.candidate_rows import CandidateColumns
from cogmem_core.text.query.asked import Asked, holds_answer
from cogmem_core.text.tokens import tokens

NEARLY_EQUAL = 0.75
"""From this share of the older one's score on two answers are nearly equal."""
SHORT = 160
"""Characters: what is longer speaks of many things, and is nearly equal to many questions' answers."""
NEAR = 0.5
"""From this cosine on two memories speak of the same subject."""
OWN_FROM = 0.5
"""From this share of its score on what tells of the speaker stands before what tells of somebody else."""


class PresentOrder(NamedTuple):
    """An order of candidates.

    Attributes:
        places: of the candidates.
        instead_of: of a newer answer the place of the best one that it stands before.
        answering: places of what says, in whatever words, where whoever asks lives or works, or the
            like, if that is asked.
    """

    places: list[int]
    instead_of: dict[int, int]
    answering: frozenset[int] = frozenset()


class _Row(NamedTuple):
    """What is compared of a candidate; see `Candidate`."""

    speaker: str | None
    data_source: str
    last_said_at: int
    characters: int


def _rows(columns: CandidateColumns) -> Iterator[_Row]:
    texts = map(columns.labels, ("speaker", "data_source"))
    numbers = (columns.moments(name).tolist() for name in ("last_said_at", "characters"))
    return map(_Row._make, zip(*texts, *numbers, strict=True))


def in_present_order(
    context: SearchContext, scored: ScoredPool, places: Sequence[int], *, talk: bool = False
) -> PresentOrder:
    """Put each newer answer before older ones of nearly equal relevance.

    What only asks for what the question asks for stands behind what tells something. Questions
    about the past, or for an order of their own, keep the order of relevance; so does what tells
    who somebody is, if that is asked.

    Args:
        context: of the search.
        scored: the pool.
        places: of chosen candidates, best first.
        talk: they are what people said to each other, and it is asked about one of these. Of such
            turns the newer is no better an answer, nor is the one with a number (together .006 of MRR
            on LoCoMo). What they say of a home, a job or the end of a thing still counts.
    """
    visibility = context.visibility
    former = visibility.about_past or visibility.formerly
    if former or visibility.timeline or visibility.looks_back:
        return PresentOrder(list(places), {})
    wanted = Question() if scored.pool.entities else context.plan.wanted
    best = places[:DEPTH]
    # Who tells of his work in passing uses other words.
    read = places if wanted.named or wanted.topic else best
    ids = [scored.pool.ids[place] for place in read]
    each_text = context.texts(ids)
    texts = dict(zip(read, each_text, strict=True))
    rows = dict(zip(read, _rows(scored.pool.candidates.take(read)), strict=True))
    terms = frozenset(scored.pool.terms)
    each_held = [terms & words for words in context.corpus.words(ids, each_text)]
    reading = partial(_reading, context, scored)
    names = context.plan.question.names or context.plan.question.speakers
    question = _Question(
        context.plan.question.text,
        wanted,
        scored,
        {place: float(scored.scores[place]) for place in read},
        terms,
        context.plan.asked,
        rows,
        texts,
        reading,
        dict(zip(read, each_held, strict=True)),
        dict(zip(read, context.answered(ids), strict=True)),
        _answering(scored, rows, reading, wanted),
        of_speaker=wanted.of_speaker and not names,
        unmeant=frozenset(itertools.compress(read, context.unmeant(ids))),
        talk=talk,
    )
    asked = [place for place in best if question.is_asked_by(place)]
    stating = [place for place in read if place in question.answering]
    others = [place for place in best if place not in asked and place not in stating]
    ordered: list[int] = []
    instead_of: dict[int, int] = {}
    by_relevance = asks_who(context.plan.question)
    for place in (*stating, *others):
        passed = () if by_relevance else ordered
        older = next((other for other in passed if question.is_before(place, other)), None)
        if older is None:
            ordered.append(place)
        else:
            instead_of[place] = older
            question.worth[place] = max(question.worth[place], question.worth[older])
            ordered.insert(ordered.index(older), place)
    if stating and ordered[0] != best[0]:
        instead_of.setdefault(ordered[0], best[0])
    rest = [place for place in places[DEPTH:] if place not in stating]
    return PresentOrder([*ordered, *asked, *rest], instead_of, question.answering)


def _reading(context: SearchContext, scored: ScoredPool, place: int) -> Reading:
    return context.reading(scored.pool.ids[place])


def _answering(
    scored: ScoredPool,
    rows: Mapping[int, _Row],
    reading: Callable[[int], Reading],
    wanted: Question,
) -> frozenset[int]:
    """Where the speaker who is asked about, or whoever asks, says what is asked for."""
    if not (wanted.named or wanted.topic):
        return frozenset()
    return frozenset(
        place
        for place, row in rows.items()
        if row.data_source == "user_message"
        and scored.pool.speaker in (None, row.speaker)
        and answers(reading(place), wanted)
    )


@dataclass(frozen=True, slots=True)
class _Question:
    """A question beside its best candidates.

    Attributes:
        text: what is asked.
        wanted: the same, read.
        scored: the pool.
        worth: the scores of the candidates; one that was put before a better one is worth as much.
        terms: the question's words.
        kind: of answer that is asked for.
        rows: of the candidates, by their places.
        texts: what they say.
        reading: of one of these.
        held: which of the question's words they have.
        answered: the questions that they answer, "" where none was asked.
        answering: those that say what is asked for.
        of_speaker: it is about whoever asks, and nobody else.
        unmeant: jokes, stories and games among the candidates.
        talk: it is about somebody who talks there, see `in_present_order`.
    """

    text: str
    wanted: Question
    scored: ScoredPool
    worth: dict[int, float]
    terms: frozenset[str]
    kind: Asked | None
    rows: Mapping[int, _Row]
    texts: Mapping[int, str]
    reading: Callable[[int], Reading]
    held: Mapping[int, frozenset[str]]
    answered: Mapping[int, str]
    answering: frozenset[int]
    of_speaker: bool
    unmeant: frozenset[int]
    talk: bool

    def is_asked_by(self, place: int) -> bool:
        """Whether a memory has the question's words only in questions of its own."""
        text = self.texts[place]
        if "?" not in text or len(text) > SHORT:
            return False
        told = tokens(self.reading(place).statements)
        return bool(self.held[place]) and self.terms.isdisjoint(told)

    def is_before(self, place: int, other: int) -> bool:
        """Whether a candidate belongs before one of no less relevance; what a document says stays."""
        if self.rows[place].data_source == "system":
            return False
        answered = other in self.answering and place not in self.answering
        if answered and self._is_foreign(place):
            return False
        if self.of_speaker and self._is_of_speaker(other, place):
            return False
        return (
            (
                {place, other} <= self.answering
                and not self.wanted.topic
                and self._is_later(place, other)
            )
            or self._is_newer(place, other)
            or self._holds_the_answer(place, other)
            or (self.of_speaker and self._is_of_speaker(place, other))
        )

    def _is_foreign(self, place: int) -> bool:
        return tells_of_another(self.reading(place), self.wanted)

    def _is_later(self, place: int, other: int) -> bool:
        """Whether the same person said one candidate later than the other, and meant it."""
        newer = self.rows[place]
        older = self.rows[other]
        later = newer.last_said_at > older.last_said_at and newer.speaker == older.speaker
        return later and place not in self.unmeant

    def _holds_the_answer(self, place: int, other: int) -> bool:
        """Whether only one of two nearly equal candidates holds the number or time that is asked for."""
        if self.talk or self.kind not in ("number", "time"):
            return False
        if self.worth[place] < NEARLY_EQUAL * self.worth[other]:
            return False
        return self._answers(place) and not self._answers(other)

    def _is_of_speaker(self, place: int, other: int) -> bool:
        """Whether one tells of whom is asked about, and the other the like of somebody else.

        Only where `of_speaker` holds. The like: it says what is asked for, or holds a word of the question or
        the kind of answer that is asked for, and is near.
        """
        if not self._is_foreign(other) or self._is_foreign(place):
            return False
        if place in self.answering:
            return True
        holds = bool(self.held[place]) or self._answers(place)
        return holds and self.worth[place] >= OWN_FROM * self.worth[other]

    def _is_newer(self, place: int, other: int) -> bool:
        """Whether one candidate was said later than another, and speaks against it or answers as well."""
        if not self._is_later(place, other):
            return False
        if self.rows[place].characters > SHORT or self.rows[other].characters > SHORT:
            return False
        if self.answered[place].casefold() != self.answered[other].casefold():
            return False  # "three" cats are no news of "three" children
        newer = self.reading(place)
        older = self.reading(other)
        is_news = tells_what_is(newer) and self._answers_as_well(place, other)
        if not (is_news or gives_up(newer, older, asked=self.text)):
            return False
        return not changes_another_part(newer, older, self.terms)

    def _answers_as_well(self, place: int, other: int) -> bool:
        """Whether one candidate answers the question nearly as well as another one."""
        pool = self.scored.pool
        if self.talk or self.worth[place] < NEARLY_EQUAL * self.worth[other]:
            return False
        if float(pool.vectors[place] @ pool.vectors[other]) < NEAR:
            return False
        if not self.held[other] <= self.held[place]:
            return False
        exact = self.kind in ("number", "time")
        return not exact or self._answers(place) or not self._answers(other)

    def _answers(self, place: int) -> bool:
        """Whether one holds the kind of answer that is asked for."""
        return self.kind is not None and holds_answer(self.kind, self.terms, self.texts[place])


def changes_another_part(new: Reading, old: Reading, terms: Collection[str]) -> bool:
    """Whether a new text changes clauses of an old one that a question does not ask for.

    Args:
        new: what was said later.
        old: what was said before.
        terms: index tokens of the question.
    """
    found = change(new, old)
    if found is None or not found.part:
        return False
    changed = {verdict.number for verdict in found.verdicts}
    held: dict[bool, set[str]] = {True: set(), False: set()}
    for number, clause in enumerate(old.clauses):
        held[number in changed] |= set(tokens(old.words(clause))) & set(terms)
    return not held[True] and bool(held[False])
