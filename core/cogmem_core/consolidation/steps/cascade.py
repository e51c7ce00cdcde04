"""Before the derived memories are added to: those whose ground changed are made again, or go with it.

What was summarised may be forgotten, contradicted, merged, edited or restored afterwards; nothing
derived may go on telling what it rested on.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from itertools import chain

from cogmem_core.changes import Change, Retire, Revive
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
from cogmem_core.consolidation.dream import Dream, Proposal, StepResult
from cogmem_core.consolidation.steps.category_summaries import most_important
from cogmem_core.consolidation.steps.fading import SUMMARY_WEIGHT
from cogmem_core.text.keys import content_hash
from cogmem_core.values.models import Memory, State

NOTHING_DERIVED = "skipped: there are no derived memories"
_LOST = ("forgotten", "quarantined")


def cascade(dream: Dream) -> StepResult:
    """Derived memories, those that others rest on first, so that a change below reaches the top."""
    derived = _bottom_up(dream)
    if not derived:
        return StepResult(note=NOTHING_DERIVED)
    work = _Cascade(dream)
    for memory in derived:
        work.visit(memory)
    return StepResult(work.proposals())


def _bottom_up(dream: Dream) -> list[Memory]:
    derived = {i: memory for i, memory in dream.memories.items() if kind_of(memory) in KINDS}
    graph = {i: filter(derived.__contains__, memory.support) for i, memory in derived.items()}
    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError:  # only a file that was written by hand can hold one
        order = sorted(derived)
    return [derived[memory_id] for memory_id in order]


@dataclass(slots=True)
class _Cascade:
    """What the derived memories come to.

    Attributes:
        now: memories as they will be, as far as this step changes them.
        ready: what is proposed, by derived memory.
        rewrites: what is still to be embedded, by derived memory.
        order: ids of the derived memories that change, those that others rest on first.
    """

    dream: Dream
    now: dict[str, Memory] = field(default_factory=dict)
    ready: dict[str, Proposal] = field(default_factory=dict)
    rewrites: dict[str, tuple[Memory, Derivation]] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)

    def visit(self, memory: Memory) -> None:
        """One derived memory, after those it rests on."""
        if memory.immutable:
            return
        live = self._live(memory)
        too_few = len(live) < (2 if archives(memory) else 1)
        if too_few and not (memory.pinned and live):
            self._retire(memory, live)
            return
        same = memory.metadata.get("texts", texts_of(live)) == texts_of(live)
        if same and memory.support == tuple(member.id for member in live):
            return
        self.order.append(memory.id)
        if same:
            derivation = self._derivation(memory, live, "updated")
            self.ready[memory.id] = repoint(self.dream, memory, derivation)
        else:
            self._rewrite(memory, live)

    def proposals(self) -> list[Proposal]:
        """What a derived memory does because of another is done together with it, or not at all."""
        rewritten = rederive(self.dream, list(self.rewrites.values()))
        ready = dict(zip(self.rewrites, rewritten, strict=True)) | self.ready
        batch_of: dict[str, str] = {}
        batches: dict[str, list[str]] = {}
        for memory_id in self.order:
            support = self.dream.memories[memory_id].support
            batch: list[str] = []
            for name in sorted({batch_of[i] for i in support if i in batch_of}):
                batch += batches.pop(name)
            batches[memory_id] = [*batch, memory_id]
            batch_of |= dict.fromkeys(batches[memory_id], memory_id)
        return [_joined(list(map(ready.__getitem__, ids))) for ids in batches.values()]

    def _memory(self, memory_id: str) -> Memory | None:
        return self.now.get(memory_id) or self.dream.memory(memory_id)

    def _live(self, derived: Memory) -> tuple[Memory, ...]:
        """What a derived memory still rests on.

        Of one that archives its members, those that are still away.
        """
        members: dict[str, Memory] = {}
        for member_id in derived.support:
            member = self._present_form(member_id)
            if member is not None and not (archives(derived) and member.state == "active"):
                members[member.id] = member
        return tuple(members.values())

    def _present_form(self, member_id: str) -> Memory | None:
        """The memory that stands for a member today: itself, or what it was merged into.

        None if what it said no longer counts.
        """
        visited_ids: set[str] = set()
        while member_id not in visited_ids:
            visited_ids.add(member_id)
            memory = self._memory(member_id)
            if memory is None or (
                memory.state in _LOST and not (memory.support and memory.superseded_by)
            ):
                return None
            successor_id = memory.superseded_by
            if memory.state == "active" or successor_id is None:
                # A derived memory that nothing supersedes has lost what it rested on.
                return None if memory.state == "superseded" and memory.support else memory
            if self.dream.contradict(memory.id, successor_id):
                return None
            successor = self._memory(successor_id)
            if successor is not None and memory.id in successor.support:
                return memory
            member_id = successor_id
        return None

    def _retire(self, memory: Memory, live: tuple[Memory, ...]) -> None:
        if memory.pinned:
            return
        revived = [member for member in live if member.superseded_by == memory.id]
        successor_id = revived[0].id if revived else None
        reason = "only one memory is left of it" if live else "nothing is left that it rests on"
        # What was forgotten must not come back, in deep recall, by what was derived from it.
        members = map(self._memory, memory.support)
        lost = any(member is None or member.state in _LOST for member in members)
        state: State = "forgotten" if lost else "superseded"
        superseded = {"superseded_by": successor_id} if successor_id else {}
        changes: list[Change] = [Retire(memory.id, state, reason, superseded)]
        for member in revived:
            fields = {"superseded_by": None, "last_reinforced_at": self.dream.now}
            changes.append(Revive(member.id, "the summary that stood for it is gone", fields))
            self.now[member.id] = replace(member, state="active", superseded_by=None)
        self.now[memory.id] = replace(memory, state=state, superseded_by=successor_id)
        about = tuple(filter(self.dream.memory, memory.support))
        self.ready[memory.id] = Proposal(tuple(changes), {"retired": 1}, about)
        self.order.append(memory.id)

    def _rewrite(self, memory: Memory, live: tuple[Memory, ...]) -> None:
        self.dream.yield_now()
        about = str(memory.metadata.get("category", ""))
        if kind_of(memory) == "category_summary":
            live = most_important(self.dream).get(about, live)
        text = compose_text(self.dream, kind_of(memory), live, about=about).value
        new = replace(self._derivation(memory, live, "rederived"), text=text)
        self.rewrites[memory.id] = (memory, new)
        self.now[memory.id] = replace(memory, content=text, content_hash=content_hash(text))

    def _derivation(self, memory: Memory, live: tuple[Memory, ...], count: str) -> Derivation:
        kind = kind_of(memory)
        return Derivation(
            kind,
            memory.content,
            live,
            {count: 1},
            importance=memory.importance,
            weight=SUMMARY_WEIGHT if kind == "summary" else 1.0,
            about=str(memory.metadata.get("category", "")),
        )


def _joined(proposals: list[Proposal]) -> Proposal:
    counts = Counter[str]()
    for proposal in proposals:
        counts.update(proposal.counts)
    changes = chain.from_iterable(proposal.changes for proposal in proposals)
    about = chain.from_iterable(proposal.about for proposal in proposals)
    return Proposal(tuple(changes), counts, tuple(about))
