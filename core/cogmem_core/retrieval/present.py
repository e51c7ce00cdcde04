"""What a question about the present wants first: of near-equal answers the newest, and never a question.

"My phone is a Pixel", "Fairphone here since May": no rule may see that the one took the place of the
other, and both stay. Where the two are nearly equal answers to a question, the newer one stands first.
Nothing is lost by an order. Of 294 pairs of which the new statement changes the old one and the old
one ranked higher, at no less than half, this turns 105 round; of 247 that look like it and stand side by
side, 22 (four authors, see `tests/data/statement_pairs`). And whatever their scores, "the Pixel is dead" stands
before "my phone is a Pixel": of 1,208 statements that no longer hold 83 are given up so, of 1,792 that
stand, 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cogmem_core.retrieval.confidence import DEPTH
from cogmem_core.retrieval.score import ScoredPool
from cogmem_core.retrieval.search_context import SearchContext
from cogmem_core.text.compare import gives_up, tells_what_is
from cogmem_core.text.query.asked import Asked, asked_for, holds_answer
from cogmem_core.text.query.questions import told_part
from cogmem_core.text.tokens import tokens

__all__ = ["NEAR", "NEARLY_EQUAL", "SHORT", "PresentOrder", "in_present_order"]

NEARLY_EQUAL = 0.8
"""From this share of the older one's score on two answers are nearly equal."""
SHORT = 160
"""Characters: what is longer speaks of many things, and is nearly equal to many questions' answers."""
NEAR = 0.5
"""From this cosine on two memories speak of the same subject."""


class PresentOrder(NamedTuple):
    """An order of candidates.

    Attributes:
        places: of the candidates.
        instead_of: of a newer answer the place of the best one that it stands before.
    """

    places: list[int]
    instead_of: dict[int, int]


def in_present_order(
    context: SearchContext, scored: ScoredPool, places: Sequence[int]
) -> PresentOrder:
    """Put each newer answer before older ones of nearly equal relevance.

    What only asks for what the question asks for stands behind what tells something. Questions
    about the past, or for an order of their own, keep the order of relevance.

    Args:
        context: of the search.
        scored: the pool.
        places: of chosen candidates, best first.
    """
    visibility = context.visibility
    former = visibility.about_past or visibility.formerly
    if former or visibility.timeline or visibility.looks_back:
        return PresentOrder(list(places), {})
    best = places[:DEPTH]
    texts = context.texts([scored.pool.ids[place] for place in best])
    kind = asked_for(context.request.query)
    question = _Question(scored, kind, dict(zip(best, texts, strict=True)))
    asked = [place for place in best if question.is_asked_by(place)]
    ordered: list[int] = []
    instead_of: dict[int, int] = {}
    for place in best:
        if place in asked:
            continue
        older = [number for number, other in enumerate(ordered) if question.is_newer(place, other)]
        if older:
            instead_of[place] = ordered[older[0]]
        ordered.insert(older[0] if older else len(ordered), place)
    return PresentOrder([*ordered, *asked, *places[DEPTH:]], instead_of)


@dataclass(frozen=True, slots=True)
class _Question:
    """A question beside its best candidates.

    Attributes:
        scored: the pool.
        kind: of answer that is asked for.
        texts: what the candidates say, by their places.
    """

    scored: ScoredPool
    kind: Asked | None
    texts: Mapping[int, str]

    def is_asked_by(self, place: int) -> bool:
        """Whether a memory has the question's words only in questions of its own."""
        text = self.texts[place]
        if "?" not in text or len(text) > SHORT:
            return False
        told = told_part(text)
        return bool(self._held(text)) and not self._held(told)

    def is_newer(self, place: int, other: int) -> bool:
        """Whether one candidate was said later than another, and speaks against it or answers as well."""
        pool = self.scored.pool
        newer = pool.candidates.at(place)
        older = pool.candidates.at(other)
        later = newer.recorded_at > older.recorded_at and newer.speaker == older.speaker
        if not later or max(newer.characters, older.characters) > SHORT:
            return False
        return self._gives_up(self.texts[place], self.texts[other]) or self._answers_as_well(
            place, other
        )

    def _answers_as_well(self, place: int, other: int) -> bool:
        """Whether one candidate answers the question nearly as well as another one."""
        pool = self.scored.pool
        if self.scored.scores[place] < NEARLY_EQUAL * self.scored.scores[other]:
            return False
        if float(pool.vectors[place] @ pool.vectors[other]) < NEAR:
            return False
        if not self._held(self.texts[other]) <= self._held(self.texts[place]):
            return False
        if self._answers(self.texts[other]) and not self._answers(self.texts[place]):
            return False
        return tells_what_is(self.texts[place])

    def _gives_up(self, newer: str, older: str) -> bool:
        """Whether the newer text says that what the older one answers is over, however near it is."""
        terms = self.scored.pool.terms
        return gives_up(newer, older, asked=terms) and tells_what_is(newer)

    def _held(self, text: str) -> set[str]:
        return set(self.scored.pool.terms) & set(tokens(text))

    def _answers(self, text: str) -> bool:
        terms = set(self.scored.pool.terms)
        return self.kind is not None and holds_answer(self.kind, terms, text)
