"""Which candidates are of one kind: the thirty runs of "my latest run", the novels of "list all novels".

The best candidate says what is meant. What is nearly as close to the question is of its kind, down to
a plain gap; where there is no gap only what is very close.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cogmem_core.maths.products import dots
from cogmem_core.retrieval.plan import Plan
from cogmem_core.retrieval.score import ScoredPool
from cogmem_core.retrieval.signals import Pool, Values, shares
from cogmem_core.storage.ledger.candidates import Candidate
from cogmem_core.text.query.aim import Aim, calls_itself_first

MEANING = 0.85
"""Share of meaning in how close a candidate is to the question; the rest is words."""
LIKENESS = 0.2
"""Share of how near it is to the closest ones; the rest is how close it is to the question."""
CLOSEST = 5
"""So many of the closest ones say what kind is meant."""
ALIKE_FROM = 0.6
"""Nothing less close than this, as a share of the best one, is of its kind."""
PLAIN_GAP = 0.7
"""The first gap of this share of the largest one ends a kind."""
SMALLEST_GAP = 0.03
"""... if it is at least so large. These six were measured on logs of 3, 8 and 30 entries among near
and far memories."""
PLAINLY = 0.2
"""From a gap of this share of the best one's closeness on it is plain where a kind ends: entries of a
log have it, turns of a conversation have not."""
CLOSE = 0.85
"""Without such a gap, what is at least so close is of one kind."""


class Kind(NamedTuple):
    """Candidates of one kind.

    Attributes:
        places: of the candidates, the closest first.
        plain: nothing else is nearly as close: it is plain where the kind ends.
    """

    places: list[int]
    plain: bool


def alike(scored: ScoredPool, places: Sequence[int]) -> Kind:
    """Those of the places that are of the kind of the closest one."""
    closeness = _closeness(scored.pool, places)
    order = sorted(places, key=lambda place: (-closeness[place], place))
    values = [float(closeness[place]) for place in order]
    if values[0] <= 0.0:
        return Kind(order[:1], plain=False)
    gaps = []
    for value, following in zip(values, [*values[1:], 0.0], strict=True):
        if value < ALIKE_FROM * values[0]:
            break
        gaps.append(value - following)
    plain = max(PLAIN_GAP * max(gaps), SMALLEST_GAP * values[0])
    for number, gap in enumerate(gaps, 1):
        if gap >= plain:
            return Kind(order[:number], plain=gap >= PLAINLY * values[0])
    return Kind([place for place in order if closeness[place] >= CLOSE * values[0]], plain=False)


def _closeness(pool: Pool, places: Sequence[int]) -> Values:
    """How close the candidates are to the question, and to those of the places that are closest to it."""
    meaning = shares(pool.cosines)
    words = np.sqrt(shares(np.asarray(pool.lexical, dtype=np.float64)))
    to_question = shares(MEANING * meaning + (1 - MEANING) * words)
    closest = sorted(places, key=lambda place: (-to_question[place], place))[:CLOSEST]
    to_closest = pool.zeros
    for place in closest:
        to_closest = to_closest + dots(pool.vectors, pool.vectors[place])
    return (1 - LIKENESS) * to_question + LIKENESS * shares(to_closest)


def in_time(rows: Sequence[Candidate], texts: Sequence[str], plan: Plan, now: int) -> list[int]:
    """The places of rows in the order that a question wants: oldest or newest first.

    What was said is as old as what it speaks of. What lies ahead stands behind what has happened, if
    the question asks for that. What says of itself that it was the first is the oldest.

    Args:
        rows: candidates of one kind.
        texts: what they say.
        plan: what is asked.
        now: microseconds since 1970 UTC.
    """
    aim = plan.aim
    keys = [_moment(row, aim, now) for row in rows]
    sign = -1 if aim.order == "newest" else 1

    def key(place: int) -> tuple[bool, bool, int, str]:
        ahead, moment = keys[place]
        row = rows[place]
        first = aim.order == "oldest" and calls_itself_first(texts[place])
        return ahead, not first, sign * moment, row.id

    return sorted(range(len(rows)), key=key)


def _moment(row: Candidate, aim: Aim, now: int) -> tuple[bool, int]:
    spoken_of = row.referenced_at or row.valid_from
    if spoken_of is None:
        return False, row.last_said_at if aim.order == "newest" else row.recorded_at
    if spoken_of > now:
        return aim.happened, row.recorded_at
    return False, spoken_of
