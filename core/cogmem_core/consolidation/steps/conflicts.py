"""Step 7: of two memories that contradict each other one leaves recall.

Which one is a matter of personality where one is configured, else the older one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from graphlib import TopologicalSorter
from itertools import chain
from typing import Literal

from cogmem_core.changes import Link, Retire
from cogmem_core.consolidation.competition import replaced_in_answers
from cogmem_core.consolidation.dream import Dream, Proposal, StepResult
from cogmem_core.consolidation.later_statements import given_up_later, restated_later
from cogmem_core.consolidation.near_duplicates import newness
from cogmem_core.consolidation.room import by_attribute
from cogmem_core.edge.clauses import exempt, standing
from cogmem_core.edge.trust import outranks
from cogmem_core.encoding.to_changes import superseding
from cogmem_core.observation.personality import resolve
from cogmem_core.reading.between import change
from cogmem_core.values.models import Memory, Relation

_CHECKPOINT = "conflicts"


def conflicts(dream: Dream) -> StepResult:
    """The losing side of every `contradicts` between active memories goes dormant, with a pointer to the winner.

    What answers replaced by a newer memory becomes an earlier version of it. Nothing goes dormant
    for the sake of a memory that goes dormant itself: of a chain of contradictions every other side
    may stay, and of a circle one always does. What is protected stays, and so does what a person
    said against what an assistant said.
    """
    beaten: dict[str, list[str]] = {}
    protected = 0
    for newer, older in _pairs(dream):
        verdict = _verdict(dream, newer, older)
        if verdict == "both":
            continue
        winner, loser = (newer, older) if verdict == "newer" else (older, newer)
        if _stays(dream, winner, loser):
            protected += 1
        else:
            beaten.setdefault(loser.id, []).append(winner.id)
    note = (
        f"left as they are, because the losing side is protected: {protected}" if protected else ""
    )
    retired = _retired(dream, beaten)
    if not dream.settings.restated:
        return StepResult(retired, note=note)
    touched_ids = set(chain.from_iterable(proposal.ids for proposal in retired))
    restated, marks = restated_later(dream)
    linked = [*retired, *_chained(dream, restated, touched_ids)]
    retired_ids = set(chain.from_iterable(proposal.ids for proposal in linked))
    newest = max((memory.seq for memory in dream.memories.values()), default=0)
    return StepResult(
        [*linked, *_restated(dream, retired_ids)],
        note=note,
        checkpoints={_CHECKPOINT: str(newest), **marks},
    )


def _chained(
    dream: Dream,
    restated: Sequence[tuple[Memory, Memory]],
    touched_ids: set[str],
) -> Iterator[Proposal]:
    """Version chains that use or later words show: both sides stay, and the newer one stands first in recall.

    Args:
        restated: (older, newer) where the newer one gives another value.
        touched_ids: memories that this step changes already.
    """
    since = int(dream.checkpoints.get(_CHECKPOINT, "0"))
    reasons: dict[str, Iterable[tuple[Memory, Memory]]] = {
        "answers to the same question use it instead of the older one": replaced_in_answers(dream),
        "it says that what the older one states is over": given_up_later(dream, since),
        "it gives another value of what the older one states": restated,
    }
    linked: set[tuple[str, str]] = set()
    for reason, pairs in reasons.items():
        for older, newer in pairs:
            if (older.id, newer.id) not in linked and touched_ids.isdisjoint((older.id, newer.id)):
                linked.add((older.id, newer.id))
                relation = Relation(
                    dream.namespace, newer.id, older.id, "revises", created_at=dream.now
                )
                yield Proposal((Link(relation, reason),), {"chained": 1}, (older.id, newer.id))


def _restated(dream: Dream, retired_ids: set[str]) -> Iterator[Proposal]:
    """Statements of a former value of an attribute, each with the newest statement of it."""
    last_seq = int(dream.checkpoints.get(_CHECKPOINT, "0"))
    for stated in by_attribute(dream).values():
        if len(stated) < 2 or max(memory.seq for memory in stated) <= last_seq:
            continue
        *former, newest = sorted(stated, key=newness)
        for old in former:
            if (
                {old.id, newest.id} & retired_ids
                or _verdict(dream, newest, old) != "newer"
                or _stays(dream, newest, old)
            ):
                continue
            found = change(standing(newest), standing(old))
            if found is not None and found.grade == "hard":
                changes = superseding(old, newest, found.reason, dream.now)
                yield Proposal(tuple(changes), {"resolved": 1}, (newest.id,))


def _pairs(dream: Dream) -> Iterator[tuple[Memory, Memory]]:
    """Contradicting active memories, the newer one first.

    Each pair once, whichever way it is linked.
    """
    pairs = {
        (min(source, target), max(source, target))
        for source, target, kind in dream.relations
        if kind == "contradicts" and source != target
    }
    for first_id, second_id in sorted(pairs):
        first = dream.memories.get(first_id)
        second = dream.memories.get(second_id)
        if first is None or second is None or _is_settled(first, second):
            continue
        yield (first, second) if newness(first) > newness(second) else (second, first)


def _is_settled(first: Memory, second: Memory) -> bool:
    """Whether what one of them says against the other was withdrawn there: what is left of it holds."""
    return any(
        state.by == other.id
        for memory, other in ((first, second), (second, first))
        for state in memory.clause_states
    )


def _verdict(dream: Dream, newer: Memory, older: Memory) -> Literal["newer", "older", "both"]:
    rules = dream.config.observation
    if dream.settings.conflict == "newer" or not rules.personality:
        return "newer"
    return resolve(newer.source_confidence, older.source_confidence, rules)


def _stays(dream: Dream, winner: Memory, loser: Memory) -> bool:
    """What only a person takes away, or brought back; a person's word against an assistant's; probation.

    So is what only stands against a word of which nobody knows when it was said, and what tells
    other things besides, which still hold.
    """
    waiting = winner.id in dream.short_term or loser.id in dream.short_term
    outranked = winner.data_source == "assistant_message" and loser.data_source == "user_message"
    outranked |= outranks(loser, winner.data_source, winner.trust, dream.config.guard)
    restored = (winner.id, loser.id, "supersedes") in dream.relations
    unknown = winner.is_undated and newness(winner) > newness(loser)
    if exempt(loser) or unknown or outranked or restored or waiting:
        return True
    found = change(standing(winner), standing(loser))
    return found is not None and found.part


def _retired(dream: Dream, beaten: dict[str, list[str]]) -> list[Proposal]:
    """Winners are decided on before those that they beat.

    There are no circles, as one rule decides all pairs.
    """
    retired_ids: set[str] = set()
    proposals: list[Proposal] = []
    for memory_id in TopologicalSorter(beaten).static_order():
        winner_ids = [i for i in beaten.get(memory_id, ()) if i not in retired_ids]
        if winner_ids:
            retired_ids.add(memory_id)
            winner = max(map(dream.memories.__getitem__, winner_ids), key=newness)
            newer = newness(winner) > newness(dream.memories[memory_id])
            reason = f"contradicted by what {'was said later' if newer else 'is surer'}"
            retired = Retire(memory_id, "dormant", reason, {"superseded_by": winner.id})
            proposals.append(Proposal((retired,), {"resolved": 1}, (winner.id,)))
    return proposals
