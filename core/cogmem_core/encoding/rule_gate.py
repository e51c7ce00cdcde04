"""The heuristic gate: what becomes of a new fact beside its most similar memories, without a language model. Pure.

The table of similarities (`maths.gate`) proposes; what both texts say (`text.likeness`) decides whether two facts may
become one. Vectors of look-alikes ("my sister lives in Rome", "my brother lives in Rome") are nearly equal, so no
similarity alone merges, retires or drops anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from cogmem_core.config import GateConfig
from cogmem_core.encoding.facts import other_day
from cogmem_core.maths.gate import Action, Closest, decide, entities_agree
from cogmem_core.text.compare import Contradiction, Entailment, contradicts, entailment

__all__ = ["Claim", "Neighbour", "Verdict", "judge"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A new fact.

    Attributes:
        text: as it will be stored.
        voice: the speaker's name, or the data source where no name is known.
        entities: what the text names.
        importance: 0..1.
        referenced_at: the time it speaks of, if that is known.
    """

    text: str
    voice: str
    entities: tuple[str, ...] = ()
    importance: float = 0.5
    referenced_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An active memory that resembles the new fact.

    Attributes:
        id: of the memory.
        text: its content.
        similarity: cosine of the two texts, -1..1.
        voice: the speaker's name, or the data source where no name is known.
        entities: what the text names.
        protected: see `Memory.protected`.
        referenced_at: the time it speaks of, if that is known.
    """

    id: str
    text: str
    similarity: float
    voice: str
    entities: tuple[str, ...] = ()
    protected: bool = False
    referenced_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of the new fact.

    Attributes:
        action: see `maths.gate`; `elaborate` is a new memory that is linked to the target.
        target: the memory it is about; None if no memory is near.
        reason: a few words for the receipt and the log.
        conflicts: memories that are contradicted besides the target; with `create`, the target is among them where it
            is contradicted, but protected: link `contradicts`, retire nothing.
    """

    action: Action
    target: str | None
    reason: str
    conflicts: tuple[str, ...] = ()


def judge(claim: Claim, neighbours: Sequence[Neighbour], config: GateConfig) -> Verdict:
    """Decide on one fact, in the order of the specification: contradicted, else by the similarities.

    The same words of the same voice never come here: `place` knows them by their hash.

    Args:
        claim: the new fact.
        neighbours: the memories that resemble it, in any order.
        config: the bands.
    """
    near = sorted(neighbours, key=lambda one: (-one.similarity, one.id))
    return _contradicted(claim, near, config) or _by_similarity(claim, near, config)


def _contradicted(claim: Claim, near: Sequence[Neighbour], config: GateConfig) -> Verdict | None:
    """The most similar memory that the claim makes untrue is superseded; the others are named as conflicts."""
    found: list[tuple[Neighbour, Contradiction]] = []
    for one in near:
        if _kind(claim, one) != "different":
            continue
        why = contradicts(claim.text, one.text, same_speaker=claim.voice == one.voice, similarity=one.similarity)
        if why is None:
            continue
        closest = Closest(one.similarity, contradicted=True, same_attribute=why.same_attribute)
        if decide(closest, importance=claim.importance, config=config) == "supersede":
            found.append((one, why))
    if not found:
        return None
    target, why = found[0]
    others = tuple(one.id for one, _ in found[1:])
    if target.protected:
        return Verdict("create", target.id, f"contradicts a protected memory: {why.reason}", (target.id, *others))
    return Verdict("supersede", target.id, why.reason, others)


def _kind(claim: Claim, neighbour: Neighbour) -> Entailment:
    return entailment(claim.text, neighbour.text, same_speaker=claim.voice == neighbour.voice)


_RANKED: tuple[Action, ...] = ("reinforce", "update", "skip", "elaborate", "create")


def _by_similarity(claim: Claim, near: Sequence[Neighbour], config: GateConfig) -> Verdict:
    """The best that any neighbour allows, because the most similar text need not be the one that says the same."""
    if not near:
        return Verdict("create", None, "nothing like it is known")
    verdicts = [_beside(claim, one, config) for one in near]
    return min(verdicts, key=lambda verdict: _RANKED.index(verdict.action))  # the most similar of the best


def _beside(claim: Claim, neighbour: Neighbour, config: GateConfig) -> Verdict:
    """What the table proposes beside one neighbour, unless what both say forbids it."""
    if neighbour.similarity < config.gap_from:
        return Verdict("create", None, "nothing so similar is known")
    agree = entities_agree(claim.entities, neighbour.entities, jaccard=config.entity_jaccard)
    closest = Closest(neighbour.similarity, entities_agree=agree, protected=neighbour.protected)
    proposed = decide(closest, importance=claim.importance, config=config)
    kind = "different" if other_day(claim.referenced_at, neighbour.referenced_at) else _kind(claim, neighbour)
    action, reason = _guarded(proposed, kind, protected=neighbour.protected)
    return Verdict(action, None if action == "create" else neighbour.id, reason)


def _guarded(proposed: Action, kind: Entailment, *, protected: bool) -> tuple[Action, str]:
    """The table's proposal, if what is said allows it."""
    known = kind in ("same", "covered")
    if proposed == "create":
        return "create", "too little in common"
    if proposed == "skip":
        return ("skip", "says nothing new, and matters little") if known else ("create", "says something new")
    if known:
        return "reinforce", "says nothing new"
    if kind == "refines" and proposed in ("reinforce", "update") and not protected:
        return "update", "says the same and more"
    return "elaborate", "alike, but something else" if kind == "different" else "adds to it"
