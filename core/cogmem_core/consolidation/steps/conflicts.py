"""Step 7: of two memories that contradict each other one leaves recall (seed 001, contradiction cleanup).

Which one is a matter of personality where one is configured (seed 000), else the older one.
"""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import TopologicalSorter
from typing import Literal

from cogmem_core.changes import Retire
from cogmem_core.consolidation.context import Tools
from cogmem_core.consolidation.cooperative import paced
from cogmem_core.consolidation.near_duplicates import newness
from cogmem_core.consolidation.snapshot import Proposal, Scene, StepResult
from cogmem_core.encoding.facts import voice_of
from cogmem_core.encoding.to_changes import superseding
from cogmem_core.models import Memory
from cogmem_core.observation.personality import resolve
from cogmem_core.text.compare.attributes import attribute_of
from cogmem_core.text.compare.contradiction import contradicts
from cogmem_core.trust import outranks

__all__ = ["conflicts"]


_MARK = "conflicts"


def conflicts(scene: Scene, tools: Tools) -> StepResult:
    """The losing side of every `contradicts` between active memories goes dormant, with a pointer to the winner.

    Nothing goes dormant for the sake of a memory that goes dormant itself: of a chain of
    contradictions every other side may stay, and of a circle one always does. What is protected
    stays, and so does what a person said against what an assistant said.
    """
    beaten: dict[str, list[str]] = {}
    kept = 0
    for newer, older in _pairs(scene):
        verdict = _verdict(scene, newer, older)
        if verdict == "both":
            continue
        winner, loser = (newer, older) if verdict == "newer" else (older, newer)
        if _stays(scene, winner, loser):
            kept += 1
        else:
            beaten.setdefault(loser.id, []).append(winner.id)
    note = f"left as they are, because the losing side is protected: {kept}" if kept else ""
    linked = _retired(scene, beaten)
    if not scene.config.consolidation.restated:
        return StepResult(linked, note=note)
    gone = {memory_id for proposal in linked for memory_id in proposal.ids}
    newest = max((memory.seq for memory in scene.memories.values()), default=0)
    return StepResult(
        [*linked, *_restated(scene, tools, gone)], note=note, marks={_MARK: str(newest)}
    )


def _restated(scene: Scene, tools: Tools, gone: set[str]) -> Iterator[Proposal]:
    """Statements of a former value of an attribute, each with the newest statement of it."""
    seen = int(scene.marks.get(_MARK, "0"))
    for stated in _by_attribute(scene, tools).values():
        if len(stated) < 2 or max(memory.seq for memory in stated) <= seen:
            continue
        *former, newest = sorted(stated, key=newness)
        for old in former:
            if (
                {old.id, newest.id} & gone
                or _verdict(scene, newest, old) != "newer"
                or _stays(scene, newest, old)
            ):
                continue
            found = contradicts(newest.content, old.content, same_speaker=True)
            if found is not None and found.same_attribute:
                changes = superseding(old, newest, found.reason, scene.now)
                yield Proposal(tuple(changes), {"resolved": 1}, (newest.id,))


def _by_attribute(scene: Scene, tools: Tools) -> dict[tuple[str, str, str], list[Memory]]:
    """What states an attribute of something, by voice, subject and attribute."""
    found: dict[tuple[str, str, str], list[Memory]] = {}
    for memory in paced(tools, scene.memories.values()):
        told = None if memory.support else attribute_of(memory.content)
        if told is not None:
            found.setdefault((voice_of(memory), told.subject, told.attribute), []).append(memory)
    return found


def _pairs(scene: Scene) -> Iterator[tuple[Memory, Memory]]:
    """Contradicting active memories, the newer one first.

    Each pair once, whichever way it is linked.
    """
    ends = {
        frozenset((source, target))
        for source, target, kind in scene.relations
        if kind == "contradicts"
    }
    active = [pair for pair in ends if len(pair) == 2 and pair <= scene.memories.keys()]
    for pair in sorted(active, key=sorted):
        newer, older = sorted((scene.memories[i] for i in pair), key=newness, reverse=True)
        yield newer, older


def _verdict(scene: Scene, newer: Memory, older: Memory) -> Literal["newer", "older", "both"]:
    rules = scene.config.observation
    if scene.config.consolidation.conflict == "newer" or not rules.personality:
        return "newer"
    return resolve(newer.source_confidence, older.source_confidence, rules)


def _stays(scene: Scene, winner: Memory, loser: Memory) -> bool:
    """Pinned or immutable, what a person said against an assistant's word, what a person brought back, probation."""
    waiting = winner.id in scene.short_term or loser.id in scene.short_term
    outranked = winner.data_source == "assistant_message" and loser.data_source == "user_message"
    outranked |= outranks(loser, winner.data_source, winner.trust, scene.config.guard)
    restored = (winner.id, loser.id, "supersedes") in scene.relations
    return loser.pinned or loser.immutable or outranked or restored or waiting


def _retired(scene: Scene, beaten: dict[str, list[str]]) -> list[Proposal]:
    """Winners are decided on before those that they beat.

    There are no circles, as one rule decides all pairs.
    """
    gone: set[str] = set()
    found: list[Proposal] = []
    for memory_id in TopologicalSorter(beaten).static_order():
        standing = [scene.memories[i] for i in beaten.get(memory_id, ()) if i not in gone]
        if standing:
            gone.add(memory_id)
            winner = max(standing, key=newness)
            newer = newness(winner) > newness(scene.memories[memory_id])
            reason = (
                "contradicted by what was said later" if newer else "contradicted by what is surer"
            )
            retired = Retire(memory_id, "dormant", reason, {"superseded_by": winner.id})
            found.append(Proposal((retired,), {"resolved": 1}, (winner.id,)))
    return found
