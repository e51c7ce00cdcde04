"""What a person does to single memories: edit, pin, forget, restore.

And the story of a memory's life.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain
from textwrap import shorten
from typing import Any, NamedTuple

from cogmem_core.changes import (
    REJECTED,
    Actor,
    Applied,
    Change,
    Link,
    Retire,
    Revive,
    Touch,
    carry_out,
)
from cogmem_core.config import GuardConfig
from cogmem_core.edge import checks
from cogmem_core.edge.clauses import in_words, withdrawn
from cogmem_core.edge.strength import retention_of
from cogmem_core.edge.trust import QUARANTINED, screened_memory
from cogmem_core.encoding.add_memory import Statement, memory_of
from cogmem_core.encoding.answers import tells_others, undoubted, version_parts
from cogmem_core.encoding.edit_memory import (
    FORMER,
    Restating,
    edit_changes,
    supersede_changes,
)
from cogmem_core.encoding.forgetting import (
    NOT_FORGOTTEN,
    candidates_of,
    drop_notes,
    forget_recent,
    is_of_several,
    meant_of,
    memories_named,
    names_part,
    put_away,
    retold,
)
from cogmem_core.encoding.to_changes import superseding
from cogmem_core.erasure.asked import Asked, Found
from cogmem_core.errors import InvalidInput, NotFound, Protected
from cogmem_core.maths.importance import priority
from cogmem_core.ports import Stored
from cogmem_core.process.services import Services
from cogmem_core.retrieval.versions import age, versions_of
from cogmem_core.storage.ledger.memories import EVERYTHING, Filter, pages_of
from cogmem_core.storage.ledger.record_kinds import MEMORIES
from cogmem_core.storage.ledger.table import chunks
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.text.keys import content_hash
from cogmem_core.text.query.exact import Naming
from cogmem_core.values.access_records import WRITTEN_BY
from cogmem_core.values.models import Memory, Relation
from cogmem_core.values.results import ForgetCandidate, ForgetReceipt, History, LifeStory

Proposal = Callable[[Transaction], Sequence[Change]]
"""Changes that depend on the rows as they are inside the transaction."""

_RESTORABLE = ("superseded_by", "valid_until", "clause_states")
_BATCH = 500
_LISTED = 10
_SHORT = 60
_SETTLED = "settled by the user"
_OUTLOOK_DAYS = (0, 1, 2, 4, 7, 10, 14, 21, 30, 45, 60, 75, 90)
_DOCUMENT = "the text of a document: change the document, with bank.items().put(...) or the store it was put into"


def _apply(
    services: Services,
    namespace: str,
    proposed: Sequence[Change] | Proposal,
    *,
    principal: str = "",
    guard: GuardConfig | None = None,
) -> Applied:
    """`guard`: what waits for a person; None: it is his own decision."""
    actor = Actor("user", principal=principal)
    return carry_out(services, namespace, proposed, actor=actor, guard=guard)


def _apply_to_one(
    services: Services,
    memory: Memory,
    proposed: Sequence[Change] | Proposal,
    *,
    principal: str = "",
) -> Memory:
    applied = _apply(services, memory.namespace, proposed, principal=principal)
    if applied.refused:
        reason = applied.refused[0].reason
        if reason == "not found":
            raise NotFound(f"memory {memory.id} was erased meanwhile")
        if reason == REJECTED:
            raise _rejected(memory)
        raise Protected(f"memory {memory.id} is {reason}; it can be forgotten, but not edited")
    return applied.memories[memory.id]


def _rejected(memory: Memory) -> Protected:
    return Protected(
        f"memory {memory.id} would say what a person rejected, which no agent brings back; a person "
        "may say or restore it"
    )


def edit(
    services: Services,
    memory: Memory,
    content: str,
    rewording: Touch | None = None,
    *,
    whole: bool = False,
) -> Memory:
    """Give a memory another text; its former one becomes a version.

    What gives another value also leaves the former text as a superseded memory, and the half of a
    compound that the new text does not contradict stays as a memory of its own. The text that it
    has already changes nothing, unless that was not written by cogmem: then it is settled by this.
    A text that orders the model about is set aside, as it would be in a turn. `rewording`: what
    changes besides if a principal edits it; `whole`: the new text stands for all of the former one.
    """
    if content == memory.content and content_hash(content) == memory.content_hash:
        return memory
    if memory.immutable or memory.category == "item":
        reason = "immutable; it can be forgotten, but not edited" if memory.immutable else _DOCUMENT
        raise Protected(f"memory {memory.id} is {reason}")
    former = _stored(services, memory)
    restating = Restating.of(services, former, content, whole=whole)
    former_id = services.runtime.new_id()

    def rewrite(writer: Transaction) -> list[Change]:
        services.guard_embedder(writer)
        # Read again: whatever else changed while the text was being embedded stays as it is now.
        current = writer.at(memory.namespace).memories.stored([memory.id]).get(memory.id, former)
        changes = edit_changes(restating, current, former_id, services.runtime.now())
        reworded = replace(current.memory, content=content)
        if rewording is not None:
            changes.append(rewording)
            reworded = replace(reworded, metadata=rewording.fields["metadata"])
        checked = screened_memory(reworded, services.config.guard)
        if checked.state == "quarantined":
            fields = {"metadata": checked.metadata}
            reason = str(checked.metadata[QUARANTINED])
            changes.append(Retire(memory.id, "quarantined", reason, fields))
        return changes

    edited = _apply_to_one(services, memory, rewrite, principal=_author(rewording))
    forget_recent(services, memory.namespace, [memory])
    return edited


def _author(rewording: Touch | None) -> str:
    return "" if rewording is None else str(rewording.fields["metadata"][WRITTEN_BY])


def _stored(services: Services, memory: Memory) -> Stored:
    with services.ledger.reading(memory.namespace) as ns:
        stored = ns.memories.stored([memory.id]).get(memory.id)
    if stored is None:
        raise NotFound(f"memory {memory.id} was erased meanwhile")
    return stored


def supersede(
    services: Services,
    memory: Memory,
    content: str,
    rewording: Touch | None = None,
    *,
    proposed: bool = False,
) -> Memory:
    """Put a new memory in the place of one that no longer holds; returns the new one.

    Args:
        services: the parts of the engine.
        memory: the old one.
        content: the new text.
        rewording: what a principal's new text says of itself.
        proposed: it waits, and the old one stays as it is until somebody approves it; or what waits
            already and proposes the same is returned.

    Raises:
        Protected: its text is a document's.
        InvalidInput: it has left recall, or says that already.
    """
    _check_holding(memory)
    if content_hash(content) == memory.content_hash:
        raise InvalidInput(f"content is what memory {memory.id} says already; give another text")
    now = services.runtime.now()
    statement = Statement(
        content=content,
        category=memory.category,
        importance=memory.importance,
        pinned=memory.pinned,
        immutable=memory.immutable,
        tags=memory.tags,
        valid_from=now,
        tier=memory.tier,
        speaker=memory.speaker,
        session_id=memory.session_id,
        metadata=memory.metadata if rewording is None else rewording.fields["metadata"],
    )
    successor = memory_of(services, memory.namespace, statement)
    restating = Restating.of(services, _stored(services, memory), content)
    if proposed:  # what stays of the old one is told apart when it is approved
        restating = replace(restating, rest=None)

    def replace_it(writer: Transaction) -> list[Change]:
        services.guard_embedder(writer)
        return supersede_changes(restating, memory, successor, now)

    guard = services.config.guard if proposed else None
    principal = _author(rewording)
    namespace = memory.namespace
    applied = _apply(services, namespace, replace_it, principal=principal, guard=guard)
    if successor.id in applied.waiting:
        with services.ledger.reading(namespace) as ns:
            waiting_id = applied.waiting[successor.id].target_id
            return ns.memories.by_ids([waiting_id])[waiting_id]
    if successor.id not in applied.memories:
        raise _rejected(memory)
    forget_recent(services, namespace, [memory])
    return applied.memories[successor.id]


def _check_holding(memory: Memory) -> None:
    if memory.category == "item":
        raise Protected(f"memory {memory.id} is {_DOCUMENT}")
    if memory.state not in ("active", "dormant"):
        raise InvalidInput(
            f"memory {memory.id} is {memory.state}; give the id of one that holds, or restore it"
        )


def end(services: Services, memory: Memory, at: datetime | None, principal: str = "") -> Memory:
    """Take a memory out of recall as one that was true until a moment; nothing takes its place.

    Args:
        services: the parts of the engine.
        memory: the memory.
        at: until when it was true; None = until now.
        principal: who says so; "" = the operator.

    Raises:
        Protected: its text is a document's.
        InvalidInput: it has left recall, or `at` is to come, or before it began.
    """
    _check_holding(memory)
    now = services.runtime.now()
    until = now if at is None else checks.moment("at", at)
    begun = memory.valid_from
    if until > now:
        raise InvalidInput(f"at is {until.isoformat()}, in the future; give a moment that is over")
    if begun is not None and until < begun:
        raise InvalidInput(
            f"at is {until.isoformat()}, before memory {memory.id} began to hold "
            f"({begun.isoformat()}); give a later moment, or edit or forget what never was so"
        )
    fields = {"superseded_by": None, "valid_until": until}
    retired = Retire(memory.id, "superseded", "ended by the user", fields, rejects=True)
    ended = _apply_to_one(services, memory, [retired], principal=principal)
    forget_recent(services, memory.namespace, [memory])
    return ended


def set_pinned(services: Services, memory: Memory, *, pinned: bool) -> Memory:
    """Protect a memory from forgetting, or stop doing so."""
    if memory.pinned is pinned:
        return memory
    return _apply_to_one(
        services, memory, [Touch(memory.id, {"pinned": pinned}, "pinned" if pinned else "unpinned")]
    )


def touch(services: Services, memory: Memory, change: Touch) -> Memory:
    """Change fields of a memory that carry no text."""
    return _apply_to_one(services, memory, [change])


def join(services: Services, namespace: str, links: Sequence[Link]) -> None:
    """Add relations between memories."""
    for some in chunks(links, _BATCH):
        _apply(services, namespace, some)


class Meaning(NamedTuple):
    """What a query means, of what a filter leaves.

    Attributes:
        memories: the memories.
        candidates: all that it may mean, with how it names them.
        asked: for good: what any kind of record may answer to; of an id and softly the filter.
        found: for good: what answers to that.
    """

    memories: list[Memory]
    candidates: tuple[ForgetCandidate, ...]
    asked: Asked
    found: Found | None = None


def matching(
    services: Services,
    namespace: str,
    text: str,
    *,
    hard: bool = False,
    dry_run: bool = False,
    within: Filter = EVERYTHING,
) -> Meaning:
    """The memories that a query means, and all that it may mean, with how it names them.

    Args:
        hard: only the memory of that id, or what holds the text as a whole, of whatever kind.
        dry_run: nothing is refused: the candidates say what there is.
        within: only what this leaves.

    Raises:
        InvalidInput: `hard`, and the text stands nowhere as a whole; the message lists what may be
            meant.
    """
    with services.ledger.reading(namespace) as ns:
        matches, words = memories_named(text, ns, hard=hard)
        if within.narrows:
            admitted = ns.tellings.admitted(within, [item.memory for item in matches])
            ids = {memory.id for memory in admitted}
            matches = [item for item in matches if item.memory.id in ids]
        named = meant_of(matches)
        meant = [item.memory for item in named]
        partly = any(names_part(words, item, hard=hard) for item in named)
        if partly or is_of_several(text, words, named):
            if hard and not dry_run:
                raise InvalidInput(_candidates(text, meant))
            meant, words = [], ""
        if not (hard and words):
            asked = Asked(within=EVERYTHING if hard else within)
            return Meaning(meant, candidates_of(matches, meant), asked)
        asked = Asked(Naming(words), within)
        found = asked.found(ns)
    meant = list(found.rows[MEMORIES].values())
    if matches and not found.is_anything and not dry_run:
        softly = any(item.way != "near" for item in matches)
        near = [item.memory for item in matches]
        raise InvalidInput(_candidates(text, near, softly=softly))
    return Meaning(meant, candidates_of(matches, meant), asked, found)


def _candidates(text: str, near: Sequence[Memory], *, softly: bool = False) -> str:
    """What to do where nothing may be erased by that text."""
    softer = "; or take all that hold its words out of recall, with hard=False" if softly else ""
    listed = [
        f"{memory.id} ({shorten(memory.content, _SHORT, placeholder='…')})"
        for memory in near[:_LISTED]
    ]
    more = f", and {len(near) - _LISTED} more" if len(near) > _LISTED else ""
    return (
        f"id_or_query is {checks.display(text)}, which no memory holds as a whole, several speakers told of "
        "themselves, or one clause tells beside other things, and hard forgetting takes nothing else; "
        f"give the id of each memory that is meant{softer}. Candidates: {', '.join(listed)}{more}"
    )


def everything(services: Services, namespace: str, within: Filter | None = None) -> list[Memory]:
    """All memories of a namespace, in every state; `within`: only those not forgotten that match."""
    where = replace(within, states=NOT_FORGOTTEN.states) if within else EVERYTHING
    with services.ledger.reading(namespace) as ns:
        return list(chain.from_iterable(pages_of(ns.memories, where, limit=_BATCH)))


def still_active(services: Services, namespace: str, ids: Sequence[str]) -> dict[str, Memory]:
    """Those of the memories that are active, as they are now, by id."""
    with services.ledger.reading(namespace) as ns:
        rows = ns.memories.by_ids(ids)
    return {name: memory for name, memory in rows.items() if memory.state == "active"}


def retire(
    services: Services, namespace: str, memories: Sequence[Memory], within: Filter = EVERYTHING
) -> ForgetReceipt:
    """Take memories out of recall until `restore`; what turns told that a filter leaves out stays theirs."""
    with services.ledger.reading(namespace) as ns:
        kept = ns.tellings.outside(within, memories)
        todo = [m for m in memories if m.state != "forgotten" and m.id not in kept]
        todo = [memory for memory in todo if memory.metadata.get(FORMER) not in kept]
        changes = put_away(ns, todo, "forgotten by the user")
        for memory in ns.memories.by_ids(list(kept)).values():
            fields = retold(memory, kept[memory.id])
            changes.append(Touch(memory.id, fields, "what told it besides was forgotten"))
    for part in chunks(changes, _BATCH):
        _apply(services, namespace, part)
    if todo:
        with services.ledger.writing_to(namespace) as ns:
            drop_notes(ns, todo)
        forget_recent(services, namespace, todo)
    return ForgetReceipt(tuple(memory.id for memory in todo), hard=False)


def restore(services: Services, memory: Memory, principal: str = "") -> Memory:
    """Make a memory active again, with the values that it had when it was put away (first, if more than once).

    Of an active one the clauses that were withdrawn hold again.

    It starts to fade anew from now on: else the next dream cycle would put it away again.

    Args:
        services: the parts of the engine.
        memory: the memory.
        principal: who brings it back; "" = the operator.

    Raises:
        Protected: a person rejected it, and the principal is an agent where others read.
    """
    if memory.state == "active" and not withdrawn(memory):
        return memory
    with services.ledger.reading(memory.namespace) as ns:
        entries = ns.journal.of_memory(memory.id)
    fields: dict[str, Any] = {"clause_states": ()} if memory.state == "active" else {}
    for entry in reversed([] if fields else entries):
        if entry.kind in ("put", "revive", "reset"):  # here it was active
            break
        if "state" in entry.before:
            fields |= {name: entry.before[name] for name in _RESTORABLE if name in entry.before}
    fields["last_reinforced_at"] = services.runtime.now()
    changes = [Revive(memory.id, "restored by the user", fields)]
    return _apply_to_one(services, memory, changes, principal=principal)


def versions(services: Services, memory: Memory) -> tuple[Memory, ...]:
    """The active memories of a memory's version chain, the newest first."""
    with services.ledger.reading(memory.namespace) as ns:
        members = versions_of(ns, {memory.id: memory})
    return tuple(sorted(members.values(), key=age, reverse=True))


def settle_versions(services: Services, keep: Memory) -> ForgetReceipt:
    """The other versions of a memory no longer hold, nor what is one of those that say more.

    Protected ones stay, and those of which a clause tells other things, too: both hold.
    """
    now = services.runtime.now()
    changes: list[Change] = []
    ids: list[str] = []
    for other in versions(services, keep):
        if other.id == keep.id or other.protected:
            continue
        if tells_others(other, keep):
            with services.ledger.reading(keep.namespace) as ns:
                changes += undoubted(ns, {keep.id, other.id})
        else:
            parts = version_parts(other, keep) or ()
            changes += superseding(other, keep, _SETTLED, now, parts=parts, rejects=True)
            ids.append(other.id)
    if changes:
        _apply(services, keep.namespace, changes)
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
    strength = services.config.strength
    retention = retention_of(memory, now, strength)
    story = [_birth(memory)]
    for entry in life.changes:
        if entry.kind != "put":
            fields = ", ".join(sorted(entry.before)) or "nothing else"
            story.append(f"{_day(entry.at)}: {entry.reason} (by {entry.actor}; changed {fields}).")
    story += [
        f"Version {v.version}, until {_day(v.replaced_at)}: {v.content}" for v in life.versions
    ]
    story += [f"Related ({link.type}) {link.source_id} → {link.target_id}." for link in links]
    turn_ids = list(dict.fromkeys(source.episode_id for source in memory.sources))
    with services.ledger.reading(memory.namespace) as ns:
        signals = ns.feedback.signals(memory_id=memory.id)
        turns = ns.turns.by_ids(turn_ids)
    if any(signals.values()):
        story.append(
            f"Used in {signals['used']} answer(s), ignored by {signals['ignored']}, "
            f"unjudged by {signals['unjudged']}."
        )
    story += [f"Clause {sentence}." for sentence in in_words(memory)]
    story.append(_present_state(memory, retention))
    outlook = [
        (float(days), retention_of(memory, now + timedelta(days=days), strength))
        for days in _OUTLOOK_DAYS
    ]
    return LifeStory(
        life,
        links,
        retention,
        tuple(story),
        sources=tuple(turns[name] for name in turn_ids if name in turns),
        outlook=tuple(outlook),
    )


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


def _present_state(memory: Memory, retention: float) -> str:
    marks = [name for name in ("pinned", "immutable") if getattr(memory, name)]
    extra = f", {', '.join(marks)}" if marks else ""
    return (
        f"Today: {memory.state}{extra}, {memory.tier} {memory.category}, retention "
        f"{retention:.2f}, "
        f"stability {memory.stability:.1f} days, importance {memory.importance:.2f} "
        f"({priority(memory.importance)}), utility "
        f"{memory.utility:.2f}."
    )
