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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, get_args

from cogmem_core.retrieval.confidence import DEPTH
from cogmem_core.retrieval.score import ScoredPool
from cogmem_core.retrieval.search_context import SearchContext
from cogmem_core.storage.search.candidate_rows import CandidateColumns
from cogmem_core.text.compare import (
    SlotName,
    changes_another_part,
    changing_words,
    gives_up,
    tells_what_is,
)
from cogmem_core.text.query.asked import Asked, holds_answer
from cogmem_core.text.query.questions import told_part
from cogmem_core.text.query.topics import answers_topic
from cogmem_core.text.query.understand import Question, asks_who
from cogmem_core.text.query.whose import (
    names_person,
    persons_in,
    tells_of_another,
    tells_of_speaker,
)
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
    topic = None if scored.pool.entities else context.plan.topic
    best = places[:DEPTH]
    read = places if topic else best  # who tells of his work in passing uses other words
    ids = [scored.pool.ids[place] for place in read]
    each_text = context.texts(ids)
    texts = dict(zip(read, each_text, strict=True))
    rows = dict(zip(read, _rows(scored.pool.candidates.take(read)), strict=True))
    terms = frozenset(scored.pool.terms)
    each_held = [terms & words for words in context.corpus.words(ids, each_text)]
    question = _Question(
        context.plan.question.text,
        scored,
        {place: float(scored.scores[place]) for place in read},
        terms,
        context.plan.asked,
        rows,
        texts,
        dict(zip(read, each_held, strict=True)),
        dict(zip(read, context.answered(ids), strict=True)),
        _answering(scored, rows, texts, topic),
        asks_slot=topic in get_args(SlotName),
        of_speaker=_asks_of_speaker(context.plan.question),
        unmeant=frozenset(itertools.compress(read, context.unmeant(ids))),
        talk=talk,
    )
    asked = [place for place in best if question.is_asked_by(place)]
    stating = [place for place in read if question.answering.get(place)]
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
    answering = frozenset(place for place, kinds in question.answering.items() if kinds)
    return PresentOrder([*ordered, *asked, *rest], instead_of, answering)


def _answering(
    scored: ScoredPool,
    rows: Mapping[int, _Row],
    texts: Mapping[int, str],
    topic: str | None,
) -> dict[int, frozenset[str]]:
    """What the speaker who is asked about, or whoever asks, says of what is asked for: kinds of values."""
    if topic is None:
        return {}
    pool = scored.pool
    answering: dict[int, frozenset[str]] = {}
    for place, text in texts.items():
        row = rows[place]
        own = row.data_source == "user_message" and pool.speaker in (None, row.speaker)
        if own:
            answering[place] = answers_topic(text, topic)
    return answering


def _asks_of_speaker(question: Question) -> bool:
    """Whether whoever asks asks about himself or somebody of his, and about nobody with a name."""
    names = question.names or question.speakers
    return question.about_self and not names and tells_of_speaker(question.text, question.text)


@dataclass(frozen=True, slots=True)
class _Question:
    """A question beside its best candidates.

    Attributes:
        text: what is asked.
        scored: the pool.
        worth: the scores of the candidates; one that was put before a better one is worth as much.
        terms: the question's words.
        kind: of answer that is asked for.
        rows: of the candidates, by their places.
        texts: what they say.
        held: which of the question's words they have.
        answered: the questions that they answer, "" where none was asked.
        answering: the kinds of values that they give of what is asked for, see `answers_topic`.
        asks_slot: it asks for a home or a job.
        of_speaker: it is about whoever asks, and nobody else.
        unmeant: jokes, stories and games among the candidates.
        talk: it is about somebody who talks there, see `in_present_order`.
    """

    text: str
    scored: ScoredPool
    worth: dict[int, float]
    terms: frozenset[str]
    kind: Asked | None
    rows: Mapping[int, _Row]
    texts: Mapping[int, str]
    held: Mapping[int, frozenset[str]]
    answered: Mapping[int, str]
    answering: Mapping[int, frozenset[str]]
    asks_slot: bool
    of_speaker: bool
    unmeant: frozenset[int]
    talk: bool

    def is_asked_by(self, place: int) -> bool:
        """Whether a memory has the question's words only in questions of its own."""
        text = self.texts[place]
        if "?" not in text or len(text) > SHORT:
            return False
        statement = told_part(text)
        return bool(self.held[place]) and self.terms.isdisjoint(tokens(statement))

    def is_before(self, place: int, other: int) -> bool:
        """Whether a candidate belongs before one of no less relevance."""
        if self.answering:
            foreign = self._answers_topic(other) and not self._answers_topic(place)
            if foreign and tells_of_another(self.texts[place], self.text):
                return False
        if self.of_speaker and self._is_of_speaker(other, place):
            return False
        return (
            (bool(self.answering) and self._answers_later(place, other))
            or self._is_newer(place, other)
            or self._holds_the_answer(place, other)
            or (self.of_speaker and self._is_of_speaker(place, other))
        )

    def _answers_topic(self, place: int) -> frozenset[str]:
        return self.answering.get(place, frozenset())

    def _answers_later(self, place: int, other: int) -> bool:
        """Whether both say what is asked for, in whatever words, the one later than the other."""
        kinds = self._answers_topic(place) & self._answers_topic(other)
        return bool(kinds) and self._is_later(place, other)

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
        """Whether one tells of the speaker, who is asked about, and the other the like of somebody else.

        Only where `of_speaker` holds. The like: it has all words of the question, the one some of them, or
        speaks of somebody as well whom the question asks about. Where a home or a job is asked for, the
        one names it.
        """
        if self._answers_topic(place):
            return tells_of_another(self.texts[other], self.text)
        near = self.worth[place] >= OWN_FROM * self.worth[other]
        if not near:
            return False
        own, foreign, terms = self.texts[place], self.texts[other], self.terms
        if self.asks_slot and not holds_answer("name", terms, own):
            return False
        named = self.kind == "name" and not self.asks_slot  # "who is my boss?"
        alike = not named and bool(terms) and self.held[other] == terms and bool(self.held[place])
        if self._hold_alike(place, other):
            return tells_of_another(foreign, self.text) and not tells_of_another(own, self.text)
        if not (self.asks_slot or alike or self._are_of_the_asked(place, other)):
            return False
        return tells_of_another(foreign, self.text) and tells_of_speaker(own, self.text)

    def _hold_alike(self, place: int, other: int) -> bool:
        """Whether both hold the number or the time that is asked for, beside the same word of the question."""
        shared = self.held[place] & self.held[other]
        both = (place, other)
        return self.kind in ("number", "time") and bool(shared) and all(map(self._answers, both))

    def _are_of_the_asked(self, place: int, other: int) -> bool:
        """Whether both name whom the question asks about ("my dog"), and hold the kind of answer that it wants."""
        persons = persons_in(self.text)
        both = (place, other)
        if not persons or not (self.kind is None or all(map(self._answers, both))):
            return False
        return all(persons <= persons_in(self.texts[each].replace("'s", "")) for each in both)

    def _is_newer(self, place: int, other: int) -> bool:
        """Whether one candidate was said later than another, and speaks against it or answers as well."""
        if not self._is_later(place, other):
            return False
        if self.rows[place].characters > SHORT or self.rows[other].characters > SHORT:
            return False
        if self.answered[place].casefold() != self.answered[other].casefold():
            return False  # "three" cats are no news of "three" children
        newer, older = self.texts[place], self.texts[other]
        is_news = self._answers_as_well(place, other) or self._gives_up(newer, older)
        return is_news and not changes_another_part(older, newer, self.text)

    def _answers_as_well(self, place: int, other: int) -> bool:
        """Whether one candidate answers the question nearly as well as another one."""
        pool = self.scored.pool
        if self.talk or self.worth[place] < NEARLY_EQUAL * self.worth[other]:
            return False
        if float(pool.vectors[place] @ pool.vectors[other]) < NEAR:
            return False
        held = self.held[other]
        if not held <= self.held[place] or (held and held <= changing_words(self.texts[place])):
            return False  # "the call has been moved" is no answer to "when are we moving?"
        if self._answers(other) and not self._answers(place):
            return False
        return tells_what_is(self.texts[place])

    def _gives_up(self, newer: str, older: str) -> bool:
        """Whether the newer text says that what the older one answers is over, however near it is."""
        return gives_up(newer, older, asked=self.terms) and tells_what_is(newer)

    def _answers(self, place: int) -> bool:
        """Whether one holds the kind of answer that is asked for; "my boss" is as good as a name."""
        text = self.texts[place]
        if self.kind is None:
            return False
        return holds_answer(self.kind, self.terms, text) or (
            self.kind == "name" and names_person(text)
        )
