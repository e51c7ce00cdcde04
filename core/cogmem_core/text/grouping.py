"""Which notes are about the same thing. Pure, and the same for the same notes.

The notes are grouped greedily, in the order in which they were made. A note joins the group of the
earlier note with which it shares most; what shares too little with all of them starts a group. What
is left over is put together with its neighbours in time, because people rarely change the subject
with every sentence.

A name or a word counts by the root of the number of notes that have it: what comes back is what a
conversation is about (with that, 76 % of the notes of three interleaved LoCoMo conversations are
with their own kind, else 68 %).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt
from typing import NamedTuple

from cogmem_core.text.tokens import tokens

# Notes per group: what 1 to 3 sentences can stand for at 3 to 10 times less text.
_MIN_SIZE = 4
_MAX_SIZE = 12
_REACH = 50  # earlier notes that a note is compared with; bounds the work on any number of notes
_FREQUENT = 1 / 2  # a word or a name in a larger share of the notes tells them apart from nothing
_FEW = 6  # notes; in fewer of them nothing counts as frequent
_NO_TOPIC = ("entity://date/", "entity://number/")


class Topic(NamedTuple):
    """What a note is about, without dates and numbers.

    Attributes:
        entities: names (`entity://...`).
        words: index tokens.
    """

    entities: frozenset[str]
    words: frozenset[str]


def topic_of(text: str, entities: Iterable[str] = ()) -> Topic:
    """The topic of a text that names these entities."""
    return Topic(
        entities=frozenset(uri for uri in entities if not uri.startswith(_NO_TOPIC)),
        words=frozenset(token for token in tokens(text) if not token[0].isdigit()),
    )


def group_topics(
    topics: Sequence[Topic], overlap: float, *, min_size: int = _MIN_SIZE, max_size: int = _MAX_SIZE
) -> tuple[tuple[int, ...], ...]:
    """Put notes of one topic together.

    Args:
        topics: of the notes, oldest first.
        overlap: share of common entities, or of common words, from which on two notes are about the
            same thing, 0..1; those that no other note has, or more than half of the notes have, are
            left out of account.
        min_size: smaller groups are leftovers and are joined with the leftovers next to them.
        max_size: notes per group.

    Returns:
        Indices, each in exactly one group, ascending; groups in the order of their first note.
    """
    weights = _weights(topics)
    telling = [
        Topic(topic.entities & weights.keys(), topic.words & weights.keys()) for topic in topics
    ]
    groups: list[list[int]] = []
    group_of: list[list[int]] = []  # each note's group
    for index, topic in enumerate(telling):
        group: list[int] = []
        best = -1.0
        for earlier in range(max(0, index - _REACH), index):
            if len(group_of[earlier]) >= max_size:
                continue
            share = _shared(topic, telling[earlier], weights)
            if share > best:
                best = share
                group = group_of[earlier]
        if best < overlap:
            group = []
            groups.append(group)
        group.append(index)
        group_of.append(group)
    return _with_leftovers_joined(groups, min_size, max_size)


def _weights(topics: Sequence[Topic]) -> dict[str, float]:
    """What each name and word counts that tells notes apart: several have it, but not most."""
    counts: Counter[str] = Counter()
    for topic in topics:
        counts.update(topic.entities)
        counts.update(topic.words)
    limit = _FREQUENT * len(topics) if len(topics) >= _FEW else len(topics)
    return {name: sqrt(count) for name, count in counts.items() if 1 < count <= limit}


def _shared(topic: Topic, other: Topic, weights: Mapping[str, float]) -> float:
    """Weighted share of what either has that both have, 0..1.

    Of entities or of words, whichever share is larger.
    """
    return max(
        _overlap(topic.entities, other.entities, weights),
        _overlap(topic.words, other.words, weights),
    )


def _overlap(names: frozenset[str], others: frozenset[str], weights: Mapping[str, float]) -> float:
    common = names & others
    if not common:
        return 0.0
    return fsum(weights[name] for name in common) / fsum(weights[name] for name in names | others)


def _with_leftovers_joined(
    groups: Sequence[list[int]], min_size: int, max_size: int
) -> tuple[tuple[int, ...], ...]:
    """Join leftovers in the order of time until there are enough of them.

    The last ones may stay few.
    """
    complete = [members for members in groups if len(members) >= min_size]
    pools: list[list[int]] = []
    pool: list[int] = []
    for members in groups:
        if len(members) >= min_size:
            continue
        if pool and len(pool) + len(members) > max_size:
            pools.append(pool)
            pool = []
        pool = pool + members
        if len(pool) >= 2 * min_size:
            pools.append(pool)
            pool = []
    if pool and pools and len(pools[-1]) + len(pool) <= max_size:
        pools[-1] += pool
    elif pool:
        pools.append(pool)
    return tuple(sorted(tuple(sorted(members)) for members in (*complete, *pools)))
