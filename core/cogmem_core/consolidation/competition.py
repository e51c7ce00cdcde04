"""Who loses to whom in use: memories that answers ignore again and again for the sake of a newer one of the same thing.

Recalling one of several memories that compete for a cue makes the others harder to recall
(retrieval-induced forgetting: Anderson, Bjork & Bjork 1994). Here it tells former values from
present ones where no rule and no model saw the contradiction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

from cogmem_core.consolidation.dream import Dream
from cogmem_core.consolidation.near_duplicates import newness, statement_key
from cogmem_core.consolidation.room import surplus
from cogmem_core.edge.clauses import exempt, standing
from cogmem_core.edge.trust import outranks
from cogmem_core.reading.between import states
from cogmem_core.text.tokens import tokens
from cogmem_core.values.models import UNMEANT, Feedback, FeedbackSignal, Memory

RIVAL_TIMES = 3
"""A memory is outdone when it was ignored so often in a row, and the same newer memory was used
instead as often."""
RIVAL_SIMILARITY = 0.6
"""Least cosine of a memory and the one that outdoes it."""
REPLACED_TIMES = 2
"""Answers to the same question that must use the newer memory, and no longer the older one."""
_REPLACED_QUANTILE = 0.97
_REPLACED_SIMILARITY = 0.4  # where there is too little to measure nearness on
_ANSWERED_FROM = 0.1
"""How likely relevant the older one has to have been when an answer used it: what recall held for
all but unrelated shares words with an answer by chance."""
_UNUSED: tuple[FeedbackSignal, ...] = ("ignored", "unjudged")
_ROWS = 200  # judgements of one memory that are looked at, the newest


def losing_to_rivals(dream: Dream) -> Iterator[tuple[Memory, Memory, int]]:
    """(loser, winner, how often), the loser's id first; protected memories never lose."""
    losing = [memory.id for memory in dream.each_memory() if _may_lose(dream, memory)]
    with dream.reading() as ns:
        rivals = ns.feedback.rivals(losing)
    crowded = surplus(dream) > 0
    pairs: list[tuple[Memory, Memory, int]] = []
    for loser_id, winner_id, times in rivals:
        if times < RIVAL_TIMES or winner_id not in dream.memories:
            continue
        loser = dream.memories[loser_id]
        winner = dream.memories[winner_id]
        if _same_thing(loser, winner, crowded=crowded) and not outranks(
            loser, winner.data_source, winner.trust, dream.config.guard
        ):
            pairs.append((loser, winner, times))
    vectors = dream.vectors([memory.id for pair in pairs for memory in pair[:2]])
    compared: set[str] = set()
    for loser, winner, times in pairs:
        if loser.id in compared or not vectors.keys() >= {loser.id, winner.id}:
            continue
        if float(vectors[loser.id] @ vectors[winner.id]) >= RIVAL_SIMILARITY:
            compared.add(loser.id)
            yield loser, winner, times


def _may_lose(dream: Dream, memory: Memory) -> bool:
    safe = exempt(memory) or memory.flashbulb or bool(memory.support)
    safe = safe or memory.id in dream.short_term
    return not safe and memory.ignored_streak >= RIVAL_TIMES


def _same_thing(loser: Memory, winner: Memory, *, crowded: bool) -> bool:
    """One voice's, the winner newer, used and not losing itself, and about the same.

    Where there is room, both must state the same attribute: that two memories are near to each other
    does not make the one a former value of the other. Else it is enough if nothing says otherwise.
    """
    if (
        newness(winner) <= newness(loser)
        or winner.ignored_streak
        or statement_key(winner)[0] != statement_key(loser)[0]
    ):
        return False
    former = states(standing(loser))
    present = states(standing(winner))
    return not former.isdisjoint(present) if former and present else crowded


def replaced_in_answers(dream: Dream) -> Iterator[tuple[Memory, Memory]]:
    """(older, newer): answers to one question used the older one, and then, again and again, the newer one instead.

    That is how a change looks which nobody put into words: it makes the newer one a later version,
    and retires nothing; so it needs no blame, and it is enough that the older one was shown. Only
    what was judged since the last cycle is looked at.
    """
    ids = {row.memory_id for row in dream.feedback if row.signal in _UNUSED}
    losers = [dream.memories[i] for i in sorted(ids & dream.memories.keys())]
    losers = [memory for memory in losers if memory.used_count and not memory.support]
    with dream.reading() as ns:
        rivals = ns.feedback.rivals([memory.id for memory in losers], signals=_UNUSED)
        pairs = []
        for older_id, newer_id, times in rivals:
            newer = dream.memories.get(newer_id)
            older = dream.memories[older_id]
            if newer is None or times < REPLACED_TIMES or not may_revise(dream, older, newer):
                continue
            rows = [ns.feedback.newest(limit=_ROWS, memory_id=i) for i in (older_id, newer_id)]
            if _replaced(*rows):
                pairs.append((older, newer))
    level = dream.nearness(_REPLACED_QUANTILE, otherwise=_REPLACED_SIMILARITY)
    vectors = dream.vectors([memory.id for pair in pairs for memory in pair])
    for older, newer in pairs:
        near = vectors.keys() >= {older.id, newer.id}
        if near and float(vectors[older.id] @ vectors[newer.id]) >= level:
            yield older, newer


def may_revise(dream: Dream, older: Memory, newer: Memory) -> bool:
    """One voice's, said later, meant, and not linked as versions or rivals yet."""
    if UNMEANT in (*newer.tags, *older.tags):
        return False
    ends = ((newer.id, older.id), (older.id, newer.id))
    linked = any(
        (*pair, kind) in dream.relations
        for pair in ends
        for kind in ("revises", "supersedes", "contradicts")
    )
    same_voice = statement_key(newer)[0] == statement_key(older)[0]
    return same_voice and not linked and not newer.support and newness(newer) > newness(older)


def _replaced(older: Sequence[Feedback], newer: Sequence[Feedback]) -> bool:
    """Whether some question was answered from the older memory at first, and of late from the newer one alone.

    Args:
        older: judgements of the older memory.
        newer: those of the newer one.
    """
    last_used: dict[frozenset[str], datetime] = {}
    shown_in = {row.recall_id for row in older if row.signal in _UNUSED}
    for row in older:
        words = frozenset(tokens(row.query))
        if row.signal == "used" and words and row.prior >= _ANSWERED_FROM:
            last_used[words] = max(row.at, last_used.get(words, row.at))
    times = Counter[frozenset[str]]()
    for row in newer:
        words = frozenset(tokens(row.query))
        since = last_used.get(words)
        if row.signal == "used" and row.recall_id in shown_in and since and row.at > since:
            times[words] += 1
    return any(count >= REPLACED_TIMES for count in times.values())
