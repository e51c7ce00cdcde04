"""Before the derived memories are added to: those whose ground changed are made again, or go with it.

What was summarised may be forgotten, contradicted, merged, edited or restored afterwards; nothing
derived may go on telling what it rested on.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter

from cogmem_core.changes import Change, Retire, Revive
from cogmem_core.consolidation.context import StepContext
from cogmem_core.consolidation.derived import (
    KINDS,
    Derivation,
    archives,
    compose_text,
    kind_of,
    rederive,
    repoint,
    texts_of,
)
from cogmem_core.consolidation.snapshot import Proposal, Snapshot, StepResult
from cogmem_core.consolidation.steps.category_summaries import most_important
from cogmem_core.models import Memory, State
from cogmem_core.text.keys import content_hash

__all__ = ["cascade"]

_LOST = ("forgotten", "quarantined")


def cascade(snapshot: Snapshot, context: StepContext) -> StepResult:
    """Derived memories, those that others rest on first, so that a change below reaches the top."""
    work = _Cascade(snapshot, context)
    for memory in _bottom_up(snapshot):
        work.visit(memory)
    return StepResult(work.proposals())


def _bottom_up(snapshot: Snapshot) -> list[Memory]:
    derived = {i: memory for i, memory in snapshot.memories.items() if kind_of(memory) in KINDS}
    below = {
        i: [lower for lower in memory.support if lower in derived] for i, memory in derived.items()
    }
    try:
        order = list(TopologicalSorter(below).static_order())
    except CycleError:  # only a file that was written by hand can hold one
        order = sorted(derived)
    return [derived[i] for i in order]


@dataclass(slots=True)
class _Cascade:
    """What the derived memories come to.

    Attributes:
        now: memories as they will be, as far as this step changes them.
        ready: what is proposed, by derived memory; `again`: what is still to be embedded.
    """

    snapshot: Snapshot
    context: StepContext
    now: dict[str, Memory] = field(default_factory=dict)
    ready: dict[str, Proposal] = field(default_factory=dict)
    again: dict[str, tuple[Memory, Derivation]] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)

    def visit(self, memory: Memory) -> None:
        """One derived memory, after those it rests on."""
        if memory.immutable:
            return
        live = self._live(memory)
        few = len(live) < (2 if archives(memory) else 1)
        if few and not (memory.pinned and live):
            self._retire(memory, live)
            return
        same = memory.metadata.get("texts", texts_of(live)) == texts_of(live)
        if same and memory.support == tuple(member.id for member in live):
            return
        self.order.append(memory.id)
        if same:
            self.ready[memory.id] = repoint(
                self.snapshot, memory, self._derivation(memory, live, "updated")
            )
        else:
            self._rewrite(memory, live)

    def proposals(self) -> list[Proposal]:
        """What a derived memory does because of another is done together with it, or not at all."""
        made = dict(
            zip(
                self.again,
                rederive(self.snapshot, self.context, list(self.again.values())),
                strict=True,
            )
        )
        made |= self.ready
        home: dict[str, str] = {}
        batches: dict[str, list[str]] = {}
        for memory_id in self.order:
            below = {home[i] for i in self.snapshot.memories[memory_id].support if i in home}
            batches[memory_id] = [i for first in sorted(below) for i in batches.pop(first)] + [
                memory_id
            ]
            home |= dict.fromkeys(batches[memory_id], memory_id)
        return [_joined([made[i] for i in ids]) for ids in batches.values()]

    def _known(self, memory_id: str) -> Memory | None:
        return self.now.get(memory_id) or self.snapshot.memory(memory_id)

    def _live(self, derived: Memory) -> tuple[Memory, ...]:
        """What a derived memory still rests on.

        Of one that archives its members, those that are still away.
        """
        found: dict[str, Memory] = {}
        for member_id in derived.support:
            member = self._standing(member_id)
            if member is not None and not (archives(derived) and member.state == "active"):
                found[member.id] = member
        return tuple(found.values())

    def _standing(self, member_id: str) -> Memory | None:
        """Who stands for a member today: itself, or what it was merged into.

        None if what it said no longer counts.
        """
        seen: set[str] = set()
        while member_id not in seen:
            seen.add(member_id)
            memory = self._known(member_id)
            if memory is None or (
                memory.state in _LOST and not (memory.support and memory.superseded_by)
            ):
                return None
            after = memory.superseded_by
            if memory.state == "active" or after is None:
                # A derived memory that nothing supersedes has lost what it rested on.
                return None if memory.state == "superseded" and memory.support else memory
            if self._contradict(memory.id, after):
                return None
            by = self._known(after)
            if by is not None and memory.id in by.support:
                return memory
            member_id = after
        return None

    def _contradict(self, one: str, other: str) -> bool:
        relations = self.snapshot.relations
        return (one, other, "contradicts") in relations or (other, one, "contradicts") in relations

    def _retire(self, memory: Memory, live: tuple[Memory, ...]) -> None:
        if memory.pinned:
            return
        back = [member for member in live if member.superseded_by == memory.id]
        left = {"superseded_by": back[0].id} if back else {}
        reason = "only one memory is left of it" if live else "nothing is left that it rests on"
        gone = self._gone(memory)
        changes: list[Change] = [Retire(memory.id, gone, reason, left)]
        for member in back:
            fields = {"superseded_by": None, "last_reinforced_at": self.snapshot.now}
            changes.append(Revive(member.id, "the summary that stood for it is gone", fields))
            self.now[member.id] = replace(member, state="active", superseded_by=None)
        self.now[memory.id] = replace(
            memory, state=gone, superseded_by=back[0].id if back else None
        )
        about = tuple(i for i in memory.support if self.snapshot.memory(i) is not None)
        self.ready[memory.id] = Proposal(tuple(changes), {"retired": 1}, about)
        self.order.append(memory.id)

    def _gone(self, memory: Memory) -> State:
        """What was forgotten must not come back, in deep recall, by what was derived from it."""
        members = (self._known(member_id) for member_id in memory.support)
        lost = any(member is None or member.state in _LOST for member in members)
        return "forgotten" if lost else "superseded"

    def _rewrite(self, memory: Memory, live: tuple[Memory, ...]) -> None:
        self.context.yield_now()
        about = str(memory.metadata.get("category", ""))
        if kind_of(memory) == "category_summary":
            live = most_important(self.snapshot).get(about, live)
        text = compose_text(self.context, kind_of(memory), live, about=about).value
        new = replace(self._derivation(memory, live, "rederived"), text=text)
        self.again[memory.id] = (memory, new)
        self.now[memory.id] = replace(memory, content=text, content_hash=content_hash(text))

    def _derivation(self, memory: Memory, live: tuple[Memory, ...], count: str) -> Derivation:
        weight = (
            self.snapshot.config.consolidation.fading.weight
            if kind_of(memory) == "summary"
            else 1.0
        )
        about = str(memory.metadata.get("category", ""))
        kind = kind_of(memory)
        text = memory.content
        worth = memory.importance
        return Derivation(
            kind, text, live, {count: 1}, importance=worth, weight=weight, about=about
        )


def _joined(proposals: list[Proposal]) -> Proposal:
    if len(proposals) == 1:
        return proposals[0]
    counts = sum((Counter(proposal.counts) for proposal in proposals), Counter[str]())
    changes = tuple(change for proposal in proposals for change in proposal.changes)
    return Proposal(changes, counts, tuple(i for proposal in proposals for i in proposal.about))
