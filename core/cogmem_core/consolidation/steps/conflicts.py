"""Step 7: of two memories that contradict each other one leaves recall (seed 001, contradiction cleanup).

Which one is a matter of personality where one is configured (seed 000), else the older one.
"""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import TopologicalSorter
from typing import Literal

from cogmem_core.changes import Retire
from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.cooperative import with_pauses
from cogmem_core.consolidation.near_duplicates import newness
from cogmem_core.consolidation.snapshot import Proposal, Snapshot, StepResult
from cogmem_core.encoding.facts import voice_of
from cogmem_core.encoding.to_changes import superseding
from cogmem_core.models import Memory
from cogmem_core.observation.personality import resolve
from cogmem_core.text.compare import attribute_of, contradicts
from cogmem_core.trust import outranks

__all__ = ["conflicts"]


_CHECKPOINT = "conflicts"


def conflicts(snapshot: Snapshot, context: StepContext) -> StepResult:
    """The losing side of every `contradicts` between active memories goes dormant, with a pointer to the winner.

    Nothing goes dormant for the sake of a memory that goes dormant itself: of a chain of
    contradictions every other side may stay, and of a circle one always does. What is protected
    stays, and so does what a person said against what an assistant said.
    """
    beaten: dict[str, list[str]] = {}
    kept = 0
    for newer, older in _pairs(snapshot):
        verdict = _verdict(snapshot, newer, older)
        if verdict == "both":
            continue
        winner, loser = (newer, older) if verdict == "newer" else (older, newer)
        if _stays(snapshot, winner, loser):
            kept += 1
        else:
            beaten.setdefault(loser.id, []).append(winner.id)
    note = f"left as they are, because the losing side is protected: {kept}" if kept else ""
    linked = _retired(snapshot, beaten)
    if not snapshot.config.consolidation.restated:
        return StepResult(linked, note=note)
    gone = {memory_id for proposal in linked for memory_id in proposal.ids}
    newest = max((memory.seq for memory in snapshot.memories.values()), default=0)
    return StepResult(
        [*linked, *_restated(snapshot, context, gone)],
        note=note,
        checkpoints={_CHECKPOINT: str(newest)},
    )


def _restated(snapshot: Snapshot, context: StepContext, gone: set[str]) -> Iterator[Proposal]:
    """Statements of a former value of an attribute, each with the newest statement of it."""
    seen = int(snapshot.checkpoints.get(_CHECKPOINT, "0"))
    for stated in _by_attribute(snapshot, context).values():
        if len(stated) < 2 or max(memory.seq for memory in stated) <= seen:
            continue
        *former, newest = sorted(stated, key=newness)
        for old in former:
            if (
                {old.id, newest.id} & gone
                or _verdict(snapshot, newest, old) != "newer"
                or _stays(snapshot, newest, old)
            ):
                continue
            found = contradicts(newest.content, old.content, same_speaker=True)
            if found is not None and found.same_attribute:
                changes = superseding(old, newest, found.reason, snapshot.now)
                yield Proposal(tuple(changes), {"resolved": 1}, (newest.id,))


def _by_attribute(
    snapshot: Snapshot, context: StepContext
) -> dict[tuple[str, str, str], list[Memory]]:
    """What states an attribute of something, by voice, subject and attribute."""
    found: dict[tuple[str, str, str], list[Memory]] = {}
    for memory in with_pauses(context, snapshot.memories.values()):
        told = None if memory.support else attribute_of(memory.content)
        if told is not None:
            found.setdefault((voice_of(memory), told.subject, told.attribute), []).append(memory)
    return found


def _pairs(snapshot: Snapshot) -> Iterator[tuple[Memory, Memory]]:
    """Contradicting active memories, the newer one first.

    Each pair once, whichever way it is linked.
    """
    ends = {
        frozenset((source, target))
        for source, target, kind in snapshot.relations
        if kind == "contradicts"
    }
    active = [pair for pair in ends if len(pair) == 2 and pair <= snapshot.memories.keys()]
    for pair in sorted(active, key=sorted):
        newer, older = sorted((snapshot.memories[i] for i in pair), key=newness, reverse=True)
        yield newer, older


def _verdict(snapshot: Snapshot, newer: Memory, older: Memory) -> Literal["newer", "older", "both"]:
    rules = snapshot.config.observation
    if snapshot.config.consolidation.conflict == "newer" or not rules.personality:
        return "newer"
    return resolve(newer.source_confidence, older.source_confidence, rules)


def _stays(snapshot: Snapshot, winner: Memory, loser: Memory) -> bool:
    """Pinned or immutable, what a person said against an assistant's word, what a person brought back, probation."""
    waiting = winner.id in snapshot.short_term or loser.id in snapshot.short_term
    outranked = winner.data_source == "assistant_message" and loser.data_source == "user_message"
    outranked |= outranks(loser, winner.data_source, winner.trust, snapshot.config.guard)
    restored = (winner.id, loser.id, "supersedes") in snapshot.relations
    return loser.pinned or loser.immutable or outranked or restored or waiting


def _retired(snapshot: Snapshot, beaten: dict[str, list[str]]) -> list[Proposal]:
    """Winners are decided on before those that they beat.

    There are no circles, as one rule decides all pairs.
    """
    gone: set[str] = set()
    found: list[Proposal] = []
    for memory_id in TopologicalSorter(beaten).static_order():
        standing = [snapshot.memories[i] for i in beaten.get(memory_id, ()) if i not in gone]
        if standing:
            gone.add(memory_id)
            winner = max(standing, key=newness)
            newer = newness(winner) > newness(snapshot.memories[memory_id])
            reason = (
                "contradicted by what was said later" if newer else "contradicted by what is surer"
            )
            retired = Retire(memory_id, "dormant", reason, {"superseded_by": winner.id})
            found.append(Proposal((retired,), {"resolved": 1}, (winner.id,)))
    return found
