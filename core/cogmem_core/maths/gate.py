"""The prediction-error gate: what to do with a new fact, given its closest memory.

The bands are similarities; surprise, which is 1 - similarity, is never mixed up with them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

CONTRADICTION_FROM = 0.7
"""A contradicted memory of at least this similarity is superseded."""
REINFORCE_FROM = 0.92
"""Nearly identical."""
UPDATE_FROM = 0.75
"""Overlaps, but adds detail."""
GAP_FROM = 0.7
"""Below `UPDATE_FROM`, a fact is kept only if it is at least as important as `GAP_IMPORTANCE`."""
GAP_IMPORTANCE = 0.6
"""Least importance of a fact between `GAP_FROM` and `UPDATE_FROM`."""

Action = Literal["create", "reinforce", "supersede", "update", "elaborate", "skip"]


@dataclass(frozen=True, slots=True)
class Closest:
    """Facts about the closest memory.

    Attributes:
        similarity: cosine, -1..1.
        same_content: equal content hash.
        contradicted: the new fact says the opposite, or gives another value for the same subject
            and attribute.
        same_attribute: equal subject and attribute, whatever the similarity.
        entities_agree: see `entities_agree`.
        protected: see `Memory.protected`.
    """

    similarity: float
    same_content: bool = False
    contradicted: bool = False
    same_attribute: bool = False
    entities_agree: bool = False
    protected: bool = False


def decide(closest: Closest | None, *, importance: float) -> Action:
    """The first action of the table whose condition holds; create if there is none.

    Args:
        closest: None if no memory is similar enough to be a candidate.
        importance: of the new fact, 0..1.
    """
    if closest is None:
        return "create"
    similarity = closest.similarity
    if closest.same_content:
        return "reinforce"
    if closest.contradicted and (similarity >= CONTRADICTION_FROM or closest.same_attribute):
        return "supersede"
    if similarity >= REINFORCE_FROM:
        return "reinforce"
    if similarity >= UPDATE_FROM:
        updatable = closest.entities_agree and not closest.protected
        return "update" if updatable else "elaborate"
    is_gap = similarity >= GAP_FROM and importance < GAP_IMPORTANCE
    return "skip" if is_gap else "create"


def entities_agree(first: Collection[str], second: Collection[str], *, jaccard: float) -> bool:
    """Whether both are empty, or their Jaccard index is at least `jaccard`.

    So texts about different things are never joined.
    """
    all_entities = set(first) | set(second)
    if not all_entities:
        return True
    return len(set(first) & set(second)) / len(all_entities) >= jaccard
