"""What a person does to single memories: edit, pin, forget, restore.

And the story of a memory's life.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain
from textwrap import shorten
from typing import Any

from cogmem_core.changes import Actor, Applied, Change, Retire, Revive, Rewrite, Touch, apply
from cogmem_core.encoding.to_changes import superseding
from cogmem_core.errors import InvalidInput, NotFound, Protected
from cogmem_core.models import JournalEntry, Memory, Relation
from cogmem_core.ports import Stored
from cogmem_core.results import ForgetReceipt, History, LifeStory
from cogmem_core.retrieval.versions import age, versions_of
from cogmem_core.services import Services
from cogmem_core.storage.ledger.journal import chunks
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.strength import retention_of
from cogmem_core.text.keys import content_hash, restated
from cogmem_core.text.query.exact import Naming
from cogmem_core.trust import QUARANTINED

__all__ = [
    "edit",
    "everything",
    "explain",
    "history",
    "matching",
    "relations",
    "restore",
    "retire",
    "set_pinned",
    "still_active",
]

Proposal = Callable[[Transaction], Sequence[Change]]
"""Changes that depend on the rows as they are inside the transaction."""

_PERSON = Actor("user")
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_RESTORABLE = ("superseded_by", "valid_until")
_NOT_FORGOTTEN = Filter(states=("active", "dormant", "superseded", "quarantined"))
_BATCH = 500
_LISTED = 10
_SHORT = 60
_DOCUMENT = "the text of a document: change the document, with bank.items().put(...) or the store it was put into"


def _apply(services: Services, namespace: str, proposed: Sequence[Change] | Proposal) -> Applied:
    def carry_out(writer: Transaction) -> Applied:
        changes = proposed(writer) if callable(proposed) else proposed
        return apply(writer, namespace, changes, now=services.runtime.now(), actor=_PERSON)

    applied = services.ledger.write(namespace, carry_out)
    services.update_indexes(namespace, applied)
    return applied


def _apply_to_one(
    services: Services, memory: Memory, proposed: Sequence[Change] | Proposal
) -> Memory:
    applied = _apply(services, memory.namespace, proposed)
    if applied.refused:
        reason = applied.refused[0].reason
        if reason == "not found":
            raise NotFound(f"memory {memory.id} was erased meanwhile")
        raise Protected(f"memory {memory.id} is {reason}; it can be forgotten, but not edited")
    return applied.memories[memory.id]


def edit(services: Services, memory: Memory, content: str) -> Memory:
    """Give a memory another text; its former one becomes a version.

    The text that it has already changes nothing, unless that was not written by cogmem: then it is
    settled by this.
    """
    if content == memory.content and content_hash(content) == memory.content_hash:
        return memory
    if memory.immutable or memory.category == "item":
        reason = "immutable; it can be forgotten, but not edited" if memory.immutable else _DOCUMENT
        raise Protected(f"memory {memory.id} is {reason}")
    with services.ledger.reading(memory.namespace) as ns:
        former = ns.memories.stored([memory.id]).get(memory.id)
    if former is None:
        raise NotFound(f"memory {memory.id} was erased meanwhile")
    key = restated(
        former.key, former.memory.content, content, speaker=memory.speaker, at=memory.recorded_at
    )
    vector = services.embedder.embed_documents([key])[0]

    def rewrite(writer: Transaction) -> list[Change]:
        services.guard_embedder(writer)
        # Read again: whatever else changed while the text was being embedded stays as it is now.
        current = writer.at(memory.namespace).memories.stored([memory.id]).get(memory.id, former)
        changed = replace(current.memory, content=content, content_hash=content_hash(content))
        return [Rewrite(Stored(changed, key, vector, services.embedder.fingerprint), "edited")]

    return _apply_to_one(services, memory, rewrite)


def set_pinned(services: Services, memory: Memory, *, pinned: bool) -> Memory:
    """Protect a memory from forgetting, or stop doing so."""
    if memory.pinned is pinned:
        return memory
    return _apply_to_one(
        services, memory, [Touch(memory.id, {"pinned": pinned}, "pinned" if pinned else "unpinned")]
    )


def matching(services: Services, namespace: str, text: str, *, hard: bool = False) -> list[Memory]:
    """The memory of that id, or every memory not yet forgotten that the text names.

    Args:
        hard: only memories in which the text stands as a whole; else also those that hold all its
            words, with its identifiers as a whole.

    Raises:
        InvalidInput: `hard`, and the text stands nowhere as a whole; the message lists what may be
            meant.
    """
    naming = Naming(text)
    matches_text = naming.exact if hard else naming.loose
    matches = list[Memory]()
    near = list[Memory]()
    with services.ledger.reading(namespace) as ns:
        if _ID.fullmatch(text.strip()):
            matches += ns.memories.by_ids([text.strip()]).values()
        for memory in (
            () if matches else chain.from_iterable(ns.memories.pages(_NOT_FORGOTTEN, limit=_BATCH))
        ):
            if matches_text(memory.content):
                matches.append(memory)
            elif hard and not matches and naming.near(memory.content):
                near.append(memory)
    if near and not matches:
        raise InvalidInput(
            _candidates(text, near, softly=any(naming.loose(memory.content) for memory in near))
        )
    return matches


def _candidates(text: str, near: Sequence[Memory], *, softly: bool) -> str:
    """What to do where nothing may be erased by that text."""
    softer = "; or take all that hold its words out of recall, with hard=False" if softly else ""
    listed = [
        f"{memory.id} ({shorten(memory.content, _SHORT, placeholder='…')})"
        for memory in near[:_LISTED]
    ]
    more = f", and {len(near) - _LISTED} more" if len(near) > _LISTED else ""
    return (
        f"id_or_query is {text!r}, which no memory holds as a whole, and hard forgetting takes "
        "nothing else; "
        f"give the id of each memory that is meant{softer}. Candidates: {', '.join(listed)}{more}"
    )


def everything(services: Services, namespace: str, within: Filter | None = None) -> list[Memory]:
    """All memories of a namespace, in every state; `within`: only those not forgotten that match."""
    where = Filter()
    if within is not None:
        where = replace(within, states=_NOT_FORGOTTEN.states)
    with services.ledger.reading(namespace) as ns:
        return list(chain.from_iterable(ns.memories.pages(where, limit=_BATCH)))


def still_active(services: Services, namespace: str, ids: Sequence[str]) -> dict[str, Memory]:
    """Those of the memories that are active, as they are now, by id."""
    if not ids:
        return {}
    with services.ledger.reading(namespace) as ns:
        return {
            i: memory for i, memory in ns.memories.by_ids(ids).items() if memory.state == "active"
        }


def retire(services: Services, namespace: str, memories: Sequence[Memory]) -> ForgetReceipt:
    """Take memories out of recall until `restore`."""
    todo = [memory for memory in memories if memory.state != "forgotten"]
    for part in chunks(todo, _BATCH):
        _apply(
            services,
            namespace,
            [Retire(memory.id, "forgotten", "forgotten by the user") for memory in part],
        )
    return ForgetReceipt(tuple(memory.id for memory in todo), hard=False)


def restore(services: Services, memory: Memory) -> Memory:
    """Make a memory active again, with the values that it had when it was put away (first, if more than once).

    It starts to fade anew from now on: else the next dream cycle would put it away again.
    """
    if memory.state == "active":
        return memory
    with services.ledger.reading(memory.namespace) as ns:
        entries = ns.journal.of_memory(memory.id)
    fields: dict[str, Any] = {}
    for entry in reversed(entries):
        if entry.kind in ("put", "revive", "reset"):  # here it was active
            break
        if entry.kind == "retire":
            fields |= {name: entry.before[name] for name in _RESTORABLE if name in entry.before}
    fields["last_reinforced_at"] = services.runtime.now()
    return _apply_to_one(services, memory, [Revive(memory.id, "restored by the user", fields)])


def versions(services: Services, memory: Memory) -> tuple[Memory, ...]:
    """The active memories of a memory's version chain, the newest first."""
    with services.ledger.reading(memory.namespace) as ns:
        members = versions_of(ns, {memory.id: memory})
    return tuple(sorted(members.values(), key=age, reverse=True))


def settle_versions(services: Services, keep: Memory) -> ForgetReceipt:
    """The other versions of a memory no longer hold; those that are protected stay."""
    now = services.runtime.now()
    retired = [other for other in versions(services, keep) if other.id != keep.id]
    changes: list[Change] = []
    for other in retired:
        if not other.protected:
            changes += superseding(other, keep, "settled by the user", now)
    if changes:
        _apply(services, keep.namespace, changes)
    ids = [other.id for other in retired if not other.protected]
    return ForgetReceipt(tuple(ids), hard=False)


def history(services: Services, memory: Memory) -> History:
    """Former texts and changes, oldest first."""
    with services.ledger.reading(memory.namespace) as ns:
        versions = ns.history.versions(memory.id)
        entries = ns.journal.of_memory(memory.id)
    return History(memory, tuple(versions), tuple(entries))


def relations(services: Services, memory: Memory) -> tuple[Relation, ...]:
    """Relations from and to a memory."""
    with services.ledger.reading(memory.namespace) as ns:
        return tuple(ns.relations.of_memory(memory.id))


def explain(services: Services, memory: Memory) -> LifeStory:
    """A memory's life in sentences."""
    life = history(services, memory)
    links = relations(services, memory)
    now = services.runtime.now()
    retention = retention_of(memory, now, services.config.strength)
    story = [_birth(memory), *(_event(entry) for entry in life.changes if entry.kind != "put")]
    story += [
        f"Version {v.version}, until {_day(v.replaced_at)}: {v.content}" for v in life.versions
    ]
    story += [f"Related ({link.type}) {link.source_id} → {link.target_id}." for link in links]
    with services.ledger.reading(memory.namespace) as ns:
        signals = ns.feedback.signals(memory_id=memory.id)
    if any(signals.values()):
        story.append(f"Used in {signals['used']} answer(s), ignored by {signals['ignored']}.")
    story.append(_present_state(memory, retention))
    return LifeStory(life, links, retention, tuple(story))


def _day(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M")


def _birth(memory: Memory) -> str:
    who = memory.speaker or memory.data_source.replace("_", " ")
    turns = f", from {len(memory.sources)} turn(s)" if memory.sources else ""
    origin = f"{who}, said {_day(memory.recorded_at)}{turns}"
    quarantine_note = (
        f"; quarantined: {memory.metadata[QUARANTINED]}" if QUARANTINED in memory.metadata else ""
    )
    return (
        f"{_day(memory.created_at)}: stored by {memory.write_source} ({origin}){quarantine_note}."
    )


def _event(entry: JournalEntry) -> str:
    fields = ", ".join(sorted(entry.before)) or "nothing else"
    return f"{_day(entry.at)}: {entry.reason} (by {entry.actor}; changed {fields})."


def _present_state(memory: Memory, retention: float) -> str:
    marks = [name for name in ("pinned", "immutable") if getattr(memory, name)]
    extra = f", {', '.join(marks)}" if marks else ""
    return (
        f"Today: {memory.state}{extra}, {memory.tier} {memory.category}, retention "
        f"{retention:.2f}, "
        f"stability {memory.stability:.1f} days, importance {memory.importance:.2f}, utility "
        f"{memory.utility:.2f}."
    )
