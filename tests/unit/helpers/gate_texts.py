"""The gate without a language model on bare texts: facts and neighbors as short as a test can write them."""

from collections.abc import Sequence
from datetime import datetime, timezone
from typing import NamedTuple

from cogmem_core.encoding.facts import Action, Fact, Neighbor, ObservedTurn
from cogmem_core.encoding.gate import decide_by_rules
from cogmem_core.models import Episode, Memory

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)


class Verdict(NamedTuple):
    """A decision in short: ids instead of memories."""

    action: Action
    target: str | None
    reason: str
    conflicts: tuple[str, ...] = ()


def fact(
    text: str, voice: str, entities: tuple[str, ...] = (), *, referenced_at: datetime | None = None
) -> Fact:
    """A new fact that a voice states."""
    turn = ObservedTurn(Episode("turn", "ns", text, "user", voice, NOON, NOON), text)
    return Fact(turn, text, text, "new", "fact", entities, referenced_at=referenced_at)


def neighbor(
    name: str,
    text: str,
    similarity: float,
    voice: str,
    entities: tuple[str, ...] = (),
    *,
    protected: bool = False,
    referenced_at: datetime | None = None,
) -> Neighbor:
    """A memory whose text has this similarity to the fact's."""
    memory = Memory(
        name,
        "ns",
        text,
        text,
        NOON,
        NOON,
        NOON,
        speaker=voice,
        entities=entities,
        pinned=protected,
        referenced_at=referenced_at,
    )
    return Neighbor(memory, similarity, similarity)


def decided(new: Fact, neighbors: Sequence[Neighbor], *, importance: float = 0.5) -> Verdict:
    """What the rules decide."""
    memory = Memory("new", "ns", new.content, new.content, NOON, NOON, NOON, importance=importance)
    decision = decide_by_rules(new, neighbors, memory)
    target = None if decision.target is None else decision.target.id
    return Verdict(
        decision.action, target, decision.reason, tuple(old.id for old in decision.conflicts)
    )
