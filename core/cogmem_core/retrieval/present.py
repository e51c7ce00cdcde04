"""What a question about the present wants first: of near-equal answers the newest, and never a question.

"My phone is a Pixel", "Fairphone here since May": no rule may see that the one took the place of the
other, and both stay. Where the two are nearly equal answers to a question, the newer one stands first.
Nothing is lost by an order. Of 633 pairs of which the new statement changes the old one, and which score
half as much as the old one or more but less than it, this turns 182 round; of 530 of which both stand, 41
(from .8 on 153 of 253 and 32 of 160; four authors, see `tests/data/statement_pairs`). And whatever their
scores, "the Pixel is dead" stands before "my phone is a Pixel": of 1,208 statements that no longer hold
25 are given up so, of 1,792 that stand, none.

Questions that were remembered, and what tells the like of somebody else ("my sister lives in Oslo" for
"where do I live?"), stand behind. On banks of natural messages this is worth nothing that can be measured;
it keeps "my wife's dentist is Dr Alm" from standing before "my dentist is Dr Costa".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from cogmem_core.reading import Reading
from cogmem_core.reading.between import change, gives_up
from cogmem_core.reading.question import Question, answers, tells_of_another, tells_what_is
from cogmem_core.retrieval.confidence import DEPTH
from cogmem_core.retrieval.score import ScoredPool
from cogmem_core.retrieval.search_context import SearchContext
from cogmem_core.retrieval.understand import asks_who
from cogmem_core.text.query.asked import Asked, holds_answer
from cogmem_core.text.tokens import tokens

NEARLY_EQUAL = 0.75
"""From this share of the older one's score on two answers are nearly equal."""
FOREIGN = 0.5
"""From this share of its score on others belong before what tells the like of somebody else."""
SHORT = 160
"""Characters: what is longer speaks of many things, and is nearly equal to many questions' answers."""
NEAR = 0.5
"""From this cosine on two memories speak of the same subject."""


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


def in_present_order(
    context: SearchContext, scored: ScoredPool, places: Sequence[int], *, talk: bool
) -> PresentOrder:
    """Put what says what is asked for first, and each newer answer before those nearly as relevant.

    What only asks for what the question asks for stands behind, and the like of somebody else behind
    what tells of whoever asks. Questions about the past, or for an order of their own, keep the order
    of relevance; so does what tells who somebody is, if that is asked.

    Args:
        context: of the search.
        scored: the pool.
        places: of chosen candidates, best first.
        talk: they are what people said to each other, and it is asked about one of these. Of such
            turns the newer is no better an answer. What they say of a home, a job or the end of a
            thing still counts.
    """
    visibility = context.visibility
    former = visibility.about_past or visibility.formerly
    if former or visibility.timeline or visibility.looks_back:
        return PresentOrder(list(places), {})
    pool = scored.pool
    understood = context.plan.question
    wanted = Question() if pool.entities else context.plan.wanted
    question = _Question(
        understood.text,
        wanted,
        frozenset(pool.terms),
        context.plan.asked,
        of_speaker=wanted.of_speaker and not (understood.names or understood.speakers),
        speaker=pool.speaker,
        talk=talk,
    )
    # Who tells of his work in passing uses other words.
    read = places if wanted.named or wanted.topic else places[:DEPTH]
    ids = [pool.ids[place] for place in read]
    each = zip(read, context.texts(ids), context.unmeant(ids), strict=True)
    memories = [_Memory(context, scored, *of) for of in each]
    for memory in memories:
        memory.states = question.is_answered_by(memory)
        memory.behind = 1.0 if memory.states else question.behind(memory)
    stating = [memory for memory in memories if memory.states]
    best = [memory for memory in memories[:DEPTH] if not memory.states]
    ordered: list[_Memory] = []
    instead_of: dict[int, int] = {}
    by_relevance = asks_who(understood)
    for memory in (*stating, *_own_first(best)):
        passed = () if by_relevance or memory.behind < 1 else ordered
        older = next((other for other in passed if question.puts_before(memory, other)), None)
        if older is None:
            ordered.append(memory)
        else:
            instead_of[memory.place] = older.place
            memory.worth = max(memory.worth, older.worth)
            ordered.insert(ordered.index(older), memory)
    if stating and ordered[0].place != places[0]:
        instead_of.setdefault(ordered[0].place, places[0])
    first = [memory.place for memory in ordered]
    rest = [place for place in places if place not in first]
    answering = frozenset(memory.place for memory in stating)
    return PresentOrder([*first, *rest], instead_of, answering)


class _Memory:
    """A candidate; what it says is looked up where it is compared.

    Attributes:
        place: in the pool.
        text: what it says.
        unmeant: it was said in jest, in a story or in a game.
        row: what ranking looks at of it.
        worth: its score; one that was put before a better one is worth as much.
        vector: of what it says.
        states: it says what is asked for.
        behind: from this share of its score on others belong before it; 1 = none, 0 = all.
    """

    def __init__(
        self, context: SearchContext, scored: ScoredPool, place: int, text: str, unmeant: bool
    ) -> None:
        self.place = place
        self.text = text
        self.unmeant = unmeant
        self.row = scored.pool.candidates.at(place)
        self.worth = float(scored.scores[place])
        self.vector = scored.pool.vectors[place]
        self.states = False
        self.behind = 1.0
        self._context = context

    @cached_property
    def reading(self) -> Reading:
        return self._context.reading(self.row.id)

    @cached_property
    def words(self) -> frozenset[str]:
        return self._context.corpus.words([self.row.id], [self.text])[0]

    @cached_property
    def answered(self) -> str:
        """The question that it answers, "" where none was asked."""
        return self._context.answered([self.row.id])[0].casefold()


def _own_first(memories: Sequence[_Memory]) -> list[_Memory]:
    """Put the like of somebody else behind what may be meant as well, and what only asks behind all."""
    places: dict[int, float] = {}
    for number, memory in enumerate(memories):
        least = memory.worth * memory.behind
        passed = [n for n, other in enumerate(memories) if other.worth >= least]
        places[memory.place] = passed[-1] + 0.5 if memory.behind < 1 else number
    return sorted(memories, key=lambda memory: places[memory.place])


class _Question(NamedTuple):
    """A question beside its candidates.

    Attributes:
        text: what is asked.
        wanted: the same, read.
        terms: its words.
        kind: of answer that is asked for.
        of_speaker: it is about whoever asks, and nobody else.
        speaker: whose statements are asked about; None = anybody's.
        talk: it is about somebody who talks there, see `in_present_order`.
    """

    text: str
    wanted: Question
    terms: frozenset[str]
    kind: Asked | None
    of_speaker: bool
    speaker: str | None
    talk: bool

    def is_answered_by(self, memory: _Memory) -> bool:
        """Whether the speaker who is asked about, or whoever asks, says what is asked for."""
        return (
            (self.wanted.named or bool(self.wanted.topic))
            and memory.row.data_source == "user_message"
            and self.speaker in (None, memory.row.speaker)
            and answers(memory.reading, self.wanted)
        )

    def behind(self, memory: _Memory) -> float:
        """The share of its score from which on others belong before a memory: 1 = none, 0 = all."""
        if len(memory.text) > SHORT:
            return 1.0
        asks = "?" in memory.text and not self.terms.isdisjoint(memory.words)
        if asks and self.terms.isdisjoint(tokens(memory.reading.statements)):
            return 0.0
        foreign = self.of_speaker and tells_of_another(memory.reading, self.wanted)
        return FOREIGN if foreign else 1.0

    def puts_before(self, new: _Memory, old: _Memory) -> bool:
        """Whether a candidate belongs before one of no less relevance; what a document says stays.

        The same person said it later, and it answers as well, or says that the other is over.
        """
        later = new.row.last_said_at > old.row.last_said_at and new.row.speaker == old.row.speaker
        if not later or new.unmeant or new.row.data_source == "system":
            return False
        if new.states and old.states and not self.wanted.topic:
            return True
        if max(new.row.characters, old.row.characters) > SHORT or new.answered != old.answered:
            return False  # "three" cats are no news of "three" children
        is_news = self._answers_as_well(new, old) and tells_what_is(new.reading)
        if not (is_news or gives_up(new.reading, old.reading, asked=self.text)):
            return False
        return not changes_another_part(new.reading, old.reading, self.terms)

    def _answers_as_well(self, new: _Memory, old: _Memory) -> bool:
        """Whether one candidate answers the question nearly as well as another one."""
        if self.talk or new.worth < NEARLY_EQUAL * old.worth:
            return False
        if float(new.vector @ old.vector) < NEAR or not self.terms & old.words <= new.words:
            return False
        exact = self.kind in ("number", "time")
        return not exact or self._holds_answer(new) or not self._holds_answer(old)

    def _holds_answer(self, memory: _Memory) -> bool:
        return self.kind is not None and holds_answer(self.kind, self.terms, memory.text)


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
    others = set(range(len(old.clauses))) - changed
    return has_words(old, others, terms) and not has_words(old, changed, terms)


def has_words(reading: Reading, numbers: Iterable[int], terms: Collection[str]) -> bool:
    """Whether some clauses of a text, by number, have words of a question."""
    said = (tokens(reading.words(reading.clauses[number])) for number in numbers)
    return any(not set(terms).isdisjoint(each) for each in said)
