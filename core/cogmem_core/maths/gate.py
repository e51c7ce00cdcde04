"""The prediction-error gate: what becomes of a new fact beside its closest memory (seed 001; bands as similarities).

The seed's table lists similarities although it calls them prediction errors; here surprise = 1 -
similarity is never mixed up with similarity.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from cogmem_core.config import GateConfig

__all__ = ["Action", "Closest", "decide", "entities_agree"]

Action = Literal["create", "reinforce", "supersede", "update", "elaborate", "skip"]


@dataclass(frozen=True, slots=True)
class Closest:
    """What is known of the closest memory.

    Attributes:
        similarity: cosine, -1..1.
        same_content: equal content hash.
        contradicted: the new fact says the opposite, or another value of the same subject and
            attribute.
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


def decide(closest: Closest | None, *, importance: float, config: GateConfig) -> Action:
    """The table of the specification, in its order; no candidate means create.

    Args:
        closest: None if no memory is similar enough to be a candidate.
        importance: of the new fact, 0..1.
        config: the bands.
    """
    if closest is None:
        return "create"
    near = closest.similarity
    table: tuple[tuple[bool, Action], ...] = (
        (closest.same_content, "reinforce"),
        (
            closest.contradicted and (near >= config.contradiction_from or closest.same_attribute),
            "supersede",
        ),
        (near >= config.reinforce_from, "reinforce"),
        (near >= config.update_from and closest.entities_agree and not closest.protected, "update"),
        (near >= config.update_from, "elaborate"),
        (near >= config.gap_from and importance < config.gap_importance, "skip"),
    )
    return next((action for holds, action in table if holds), "create")


def entities_agree(one: Collection[str], other: Collection[str], *, jaccard: float) -> bool:
    """True if both are empty, or their Jaccard index is at least `jaccard`: never weld different things together."""
    first = set(one)
    second = set(other)
    if not first and not second:
        return True
    return len(first & second) / len(first | second) >= jaccard
