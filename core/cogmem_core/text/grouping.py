"""Which notes are about the same thing: greedy, in the order they were made, the same for the same notes. Pure.

A note joins the group of the earlier note with which it shares most; what shares too little with all of them starts a
group. What is left over is put together with its neighbours in time, because people rarely change the subject with
every sentence.

A name or a word counts by the root of the number of notes that have it: what comes back is what a conversation is
about (with that, 76 % of the notes of three interleaved LoCoMo conversations are with their own kind, else 68 %).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt
from typing import NamedTuple

from cogmem_core.text.tokens import tokens

__all__ = ["Topic", "group_topics", "topic_of"]

_LEAST, _MOST = 4, 12  # notes per group: what 1 to 3 sentences can stand for at 3 to 10 times less text
_REACH = 50  # notes before it that a note is compared with; bounds the work on any number of notes
_FREQUENT = 1 / 2  # a word or a name in a larger share of the notes tells them apart from nothing
_FEW = 6  # notes; in fewer of them nothing counts as frequent
_NO_TOPIC = ("entity://date/", "entity://number/")


class Topic(NamedTuple):
    """What a note is about: names (`entity://...`) and index tokens, both without dates and numbers."""

    entities: frozenset[str]
    words: frozenset[str]


def topic_of(text: str, entities: Iterable[str] = ()) -> Topic:
    """The topic of a text that names these entities."""
    named = frozenset(uri for uri in entities if not uri.startswith(_NO_TOPIC))
    return Topic(named, frozenset(token for token in tokens(text) if not token[0].isdigit()))


def group_topics(
    topics: Sequence[Topic], overlap: float, *, least: int = _LEAST, most: int = _MOST
) -> tuple[tuple[int, ...], ...]:
    """Put notes of one topic together.

    Args:
        topics: of the notes, oldest first.
        overlap: share of common entities, or of common words, from which on two notes are about the same thing, 0..1;
            those that no other note has, or more than half of the notes have, are left out of account.
        least: smaller groups are leftovers and are joined with the leftovers next to them.
        most: notes per group.

    Returns:
        Indices, each in exactly one group, ascending; groups in the order of their first note.
    """
    weights = _weights(topics)
    telling = [Topic(topic.entities & weights.keys(), topic.words & weights.keys()) for topic in topics]
    groups: list[list[int]] = []
    place: list[int] = []  # of each note, its group
    for index, topic in enumerate(telling):
        before = [n for n in range(max(0, index - _REACH), index) if len(groups[place[n]]) < most]
        shares = [_shared(topic, telling[n], weights) for n in before]
        best = max(shares, default=-1.0)
        if best < overlap:
            place.append(len(groups))
            groups.append([index])
        else:
            place.append(place[before[shares.index(best)]])
            groups[place[-1]].append(index)
    return _pooled(groups, least, most)


def _weights(topics: Sequence[Topic]) -> dict[str, float]:
    """What each name and word counts that tells notes apart: some others have it, but not most of them."""
    counts = Counter(name for topic in topics for name in (*topic.entities, *topic.words))
    most = _FREQUENT * len(topics) if len(topics) >= _FEW else len(topics)
    return {name: sqrt(count) for name, count in counts.items() if 1 < count <= most}


def _shared(one: Topic, other: Topic, weights: Mapping[str, float]) -> float:
    """Weighted share of what either has that both have, of entities or of words, whichever is larger; 0..1."""
    pairs = ((one.entities, other.entities), (one.words, other.words))
    return max(_weight(a & b, weights) / _weight(a | b, weights) if a & b else 0.0 for a, b in pairs)


def _weight(names: Iterable[str], weights: Mapping[str, float]) -> float:
    return fsum(weights[name] for name in names)


def _pooled(groups: Sequence[list[int]], least: int, most: int) -> tuple[tuple[int, ...], ...]:
    """Join leftovers in the order of time until there are enough of them; the last ones may stay few."""
    whole, pool, pools = [], list[int](), list[list[int]]()
    for members in groups:
        if len(members) >= least:
            whole.append(members)
            continue
        if pool and len(pool) + len(members) > most:
            pools.append(pool)
            pool = []
        pool = pool + members
        if len(pool) >= 2 * least:
            pools.append(pool)
            pool = []
    if pool and pools and len(pools[-1]) + len(pool) <= most:
        pools[-1] += pool
    elif pool:
        pools.append(pool)
    return tuple(sorted(tuple(sorted(members)) for members in (*whole, *pools)))
