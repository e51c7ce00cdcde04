"""The I/O half of the write path: turns are durable first, then encoded, then committed.

Everything that turns cause is committed in one transaction.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial

from cogmem_core.changes import Actor, Applied, Change, Link, Unlink, apply
from cogmem_core.encoding.batch import WriteBatch, WritePlan
from cogmem_core.encoding.encode import encode, uses_model
from cogmem_core.encoding.facts import UNDATED, ObservedTurn, by_id, hashes_of
from cogmem_core.encoding.forgetting import forget_recent
from cogmem_core.encoding.observe_turn import IMPORTED, question_metadata, stated_metadata
from cogmem_core.encoding.proposals import propose
from cogmem_core.encoding.tagging import tag
from cogmem_core.encoding.to_changes import PRUNABLE, plan_writes, receipt_of
from cogmem_core.encoding.wishes import (
    Granted,
    grant,
    is_imported,
    parts_of,
    settle_receipts,
)
from cogmem_core.errors import EmbedderUnavailable, StoreError
from cogmem_core.models import KEPT_ONLY, Episode, Memory, Turn
from cogmem_core.ports import Usage
from cogmem_core.results import FactReceipt, Receipt, WriteReport
from cogmem_core.runtime import first_id
from cogmem_core.services import Services
from cogmem_core.skills.form import DroppedFact
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.text.query.forgetting import Wish
from cogmem_core.text.time.zones import zone_of

__all__ = [
    "BATCH_TURNS",
    "KNOWN",
    "MODEL_TURNS",
    "finish_abandoned",
    "finish_queued",
    "keep_entries",
    "keep_turns",
    "known_receipt",
    "remember_turns",
    "write_unsaved",
]

BATCH_TURNS = 500
"""Turns that are embedded and committed together."""
MODEL_TURNS = 10
"""Turns that one call of the model forms facts from, and that one call decides on."""

KNOWN = "sent before"
"""Why a turn changes nothing whose session, ref and words were there already."""

_ENCODING = Actor("encoding")
_IMPORT = Actor("import")


def keep_entries(
    services: Services,
    namespace: str,
    turns: Sequence[Turn],
    *,
    remembered: Container[str],
    mode: str | None,
) -> list[Episode]:
    """Commit turns of one conversation behind its transcript; returns them with their positions.

    What a role in `remembered` said waits for the worker; the other turns are there for the
    transcript alone.
    """
    episodes: list[Episode] = []
    for episode in _episodes(services, namespace, turns, mode):
        if episode.role not in remembered or not episode.content.strip():
            episode = replace(episode, status="skipped", reason=KEPT_ONLY)  # noqa: PLW2901
        episodes.append(episode)

    def append(writer: Transaction) -> list[Episode]:
        queued = [episode for episode in episodes if episode.status == "queued"]
        known = _known_turns(writer, namespace, queued)
        first = writer.at(namespace).transcripts.next_position(episodes[0].session_id or "")
        rows: list[Episode] = []
        for position, episode in enumerate(episodes, first):
            row = replace(episode, position=position)
            if episode.id in known:  # the transcript lists it; it is remembered already
                row = replace(row, status="skipped", reason=KEPT_ONLY)
            rows.append(row)
        writer.at(namespace).turns.add(rows)
        return rows

    try:
        return services.ledger.write(namespace, append)
    finally:
        services.claims.leave(namespace)


def keep_turns(
    services: Services,
    namespace: str,
    turns: Sequence[Turn],
    mode: str | None,
    *,
    shared_ref: str | None = None,
) -> list[Episode]:
    """Commit turns verbatim and leave the rest to the worker; returns them as queued episodes.

    Instead of a turn that is known, the one that was kept first, with the reason `KNOWN`; for
    `shared_ref` see `remember_turns`.
    """
    episodes = _episodes(services, namespace, turns, mode)
    try:
        known = _add_new(services, namespace, episodes, shared_ref)
    finally:
        services.claims.leave(namespace)
    return [
        replace(known[episode.id], reason=KNOWN) if episode.id in known else episode
        for episode in episodes
    ]


def write_unsaved(services: Services, namespace: str | None = None) -> None:
    """Commit the turns that could not be written when they were said, of one namespace or of all.

    Raises:
        StoreError: they cannot be written yet; they wait on.
    """
    names = services.unsaved.namespaces() if namespace is None else [namespace]
    for name in names:
        while services.unsaved.waiting(name):
            with services.unsaved.writing(name) as turns:
                if turns:  # else another thread has written them
                    keep_turns(services, name, turns, services.config.encoding.mode)


def _add_new(
    services: Services, namespace: str, episodes: Sequence[Episode], shared_ref: str | None
) -> dict[str, Episode]:
    """Commit the turns that are new; returns for each of the others the one that was kept first."""

    def add(writer: Transaction) -> dict[str, Episode]:
        known = _known_turns(writer, namespace, episodes, shared_ref)
        new = [episode for episode in episodes if episode.id not in known]
        if new:
            writer.at(namespace).turns.add(new)
        return known

    return services.ledger.write(namespace, add)


def _known_turns(
    writer: Transaction,
    namespace: str,
    episodes: Sequence[Episode],
    shared_ref: str | None = None,
) -> dict[str, Episode]:
    """Turns that were sent before, by their new ids: same session, ref, role and words.

    Other words under the same ref are a message that was edited: a turn of its own, which
    corrects the first one as any later turn would.
    """
    refs = [episode.ref for episode in episodes if episode.ref]
    if not refs:
        return {}
    first: dict[tuple[str | None, str | None, str, str], Episode] = {}
    for stored in writer.at(namespace).refs.turns(refs):
        first.setdefault(_sending(stored), stored)
    known: dict[str, Episode] = {}
    for episode in episodes:
        earlier = first.get(_sending(episode)) if episode.ref else None
        if earlier is not None:
            known[episode.id] = earlier
        elif episode.ref and episode.ref != shared_ref:
            first[_sending(episode)] = episode
    return known


def _sending(episode: Episode) -> tuple[str | None, str | None, str, str]:
    return episode.session_id, episode.ref, episode.role, episode.content


def remember_turns(
    services: Services,
    namespace: str,
    turns: Sequence[Turn],
    mode: str | None,
    *,
    imported: bool = False,
    shared_ref: str | None = None,
) -> WriteReport:
    """Commit turns verbatim, before anything else is tried; then turn them into memories.

    Returns one receipt per turn, in order. If the embedder fails, the receipts say `queued` and
    why. A turn with a ref that was sent before changes nothing: its receipt says `known`.

    Args:
        services: the parts of the engine.
        namespace: where.
        turns: checked and sanitized.
        mode: how they are encoded.
        imported: they are not said now: they bring back nothing that a person rejected, and ask for
            nothing.
        shared_ref: the ref of all bare texts of one call, which tells none from another.
    """
    episodes = _episodes(services, namespace, turns, mode, imported=imported)
    # Claimed before they can be seen, so that the worker does not start on what the caller waits
    # for.
    with services.claims.taking(_ids(episodes)):
        is_finished = False
        try:
            known = _add_new(services, namespace, episodes, shared_ref)
            new = [episode for episode in episodes if episode.id not in known]
            report = _encode(services, namespace, new)
            is_finished = True
        finally:
            if not is_finished:
                # The worker finishes the turns that are on disk already.
                services.claims.leave(namespace)
    if not known:
        return report
    receipts = iter(report.receipts)
    united: list[Receipt] = []
    for episode in episodes:
        earlier = known.get(episode.id)
        united.append(next(receipts) if earlier is None else known_receipt(earlier))
    return replace(report, receipts=tuple(united))


def known_receipt(episode: Episode) -> Receipt:
    """The receipt of a turn that was sent before."""
    return Receipt("known", (), KNOWN, episode.id)


def _ids(episodes: Iterable[Episode]) -> list[str]:
    return [episode.id for episode in episodes]


def _episodes(
    services: Services,
    namespace: str,
    turns: Sequence[Turn],
    mode: str | None,
    *,
    imported: bool = False,
) -> list[Episode]:
    now = services.runtime.now()
    config = services.config.encoding
    episodes: list[Episode] = []
    for turn in turns:
        mark = {IMPORTED: True} if imported else {}
        if imported and turn.at is None:
            mark[UNDATED] = True
        at = now
        zone = config.timezone
        if turn.at:
            at = turn.at.astimezone(now.tzinfo)
            zone = zone_of(turn.at) or zone
        episode = Episode(
            id=services.runtime.new_id(),
            namespace=namespace,
            content=turn.content,
            role=turn.role,
            speaker=turn.speaker,
            at=at,
            recorded_at=now,
            session_id=turn.session_id,
            ref=turn.ref,
            mode=mode,
            metadata={
                **turn.metadata,
                **question_metadata(turn, config),
                **stated_metadata(turn),
                **mark,
            },
            zone=zone,
        )
        episodes.append(episode)
    return episodes


def _encode(services: Services, namespace: str, episodes: Sequence[Episode]) -> WriteReport:
    """Claimed episodes of one namespace become memories; what cannot be finished stays queued."""
    receipts: list[Receipt] = []
    memories: dict[str, Memory] = {}
    usage = Usage()
    degraded: dict[str, None] = {}
    size = BATCH_TURNS
    if any(uses_model(services, episode) for episode in episodes):
        size = min(MODEL_TURNS, size)
    for part, wish in parts_of(episodes, size, services.config):
        if wish is not None:
            granted = _grant(services, namespace, part[0], wish)
            receipts.append(granted.receipt)
            memories |= granted.applied.memories
            continue
        try:
            batch = encode(services, namespace, part)
        except EmbedderUnavailable as error:
            receipts += _leave_queued(services, namespace, part, str(error))
            continue
        part_receipts, part_memories, applied = services.ledger.write(
            namespace, partial(_commit, services, namespace=namespace, batch=batch)
        )
        services.update_indexes(namespace, applied)
        receipts += part_receipts
        memories |= part_memories
        memories |= applied.memories
        usage += batch.usage
        degraded |= dict.fromkeys(batch.degraded)
    return WriteReport(
        tuple(receipts),
        tuple(memories.values()),
        llm_calls=usage.calls,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        degraded=tuple(degraded),
    )


def _grant(services: Services, namespace: str, episode: Episode, wish: Wish) -> Granted:
    """Act upon a turn that wants something forgotten."""
    granted = services.ledger.write(
        namespace, lambda writer: grant(writer, episode, wish, services.runtime)
    )
    services.update_indexes(namespace, granted.applied)
    forget_recent(services, namespace, granted.forgotten)
    return granted


def _commit(
    services: Services, writer: Transaction, namespace: str, batch: WriteBatch
) -> tuple[list[Receipt], dict[str, Memory], Applied]:
    """Everything that the turns cause, in one transaction.

    A turn that another process finished is left alone; its memories are returned.
    """
    services.guard_embedder(writer, namespace)
    now = services.runtime.now()
    waiting = writer.at(namespace).turns.still_queued(_ids(batch.episodes))
    plan = _plan(services, writer, namespace, batch, waiting)
    changes = _within_link_limit(services, writer, namespace, plan.changes)
    if any(memory.session_id for memory in plan.stored):
        changes += tag(services, writer, namespace, plan.stored)
    actor = _IMPORT if any(map(is_imported, batch.episodes)) else _ENCODING
    if actor is _ENCODING:
        changes += propose(services, plan.stored, now)
    applied = apply(writer, namespace, changes, now=now, actor=actor)
    plan.receipts = settle_receipts(plan, applied)
    if plan.short_term:
        writer.at(namespace).synaptic_tags.add_short_term(
            [mark for mark in plan.short_term if mark.memory_id in applied.memories]
        )
    refused_ids = [memory.id for memory in plan.stored if memory.id not in applied.memories]
    writer.at(namespace).synaptic_tags.drop_of(refused_ids)
    elsewhere: dict[str, list[Memory]] = {}
    if len(waiting) < len(batch.turns):
        elsewhere = _finished_elsewhere(writer, namespace, batch, waiting)
    receipts: list[Receipt] = []
    skipped: dict[str, list[str]] = {}
    finished: list[str] = []
    for turn in batch.turns:
        receipt = _receipt(turn, plan, elsewhere)
        dropped = tuple(map(_tell_dropped, batch.dropped.get(turn.episode.id, ())))
        receipts.append(replace(receipt, facts=receipt.facts + dropped))
        if turn.skipped:
            skipped.setdefault(turn.skipped, []).append(turn.episode.id)
        if receipt.facts and receipt.status != "queued":
            finished.append(receipt.episode_id)
    for reason, episode_ids in skipped.items():
        writer.at(namespace).turns.finish(episode_ids, "skipped", reason)
    writer.at(namespace).turns.finish(finished, "done")
    memories: dict[str, Memory] = {}
    for group in elsewhere.values():
        memories |= by_id(group)
    return receipts, memories, applied


def _finished_elsewhere(
    writer: Transaction, namespace: str, batch: WriteBatch, waiting: set[str]
) -> dict[str, list[Memory]]:
    """Turns that another process finished meanwhile, with the memories it made of them."""
    memories: dict[str, list[Memory]] = {}
    for turn in batch.turns:
        if turn.episode.id not in waiting:
            memories[turn.episode.id] = []
    for memory in writer.at(namespace).memories.same_content(hashes_of(batch.facts)):
        for source in memory.sources:
            group = memories.get(source.episode_id, [])
            if memory not in group:
                group.append(memory)
    return memories


def _plan(
    services: Services, writer: Transaction, namespace: str, batch: WriteBatch, waiting: set[str]
) -> WritePlan:
    """The draft, if it is complete and nobody else wrote meanwhile; else a plan for the new rows."""
    draft = batch.plan
    rows: Mapping[str, Memory] = batch.rows
    if writer.at(namespace).journal.last_seq() == batch.seq:
        is_complete = not (draft.unmerged or draft.missing_keys)
        if is_complete and len(waiting) == len(batch.turns):
            return draft
    else:
        active = by_id(writer.at(namespace).memories.same_content(hashes_of(batch.facts)))
        compared = writer.at(namespace).memories.by_ids(list(batch.rows))
        for memory in compared.values():
            if memory.state == "active":
                active[memory.id] = memory
        rows = active
    now = services.runtime.now()
    return plan_writes(batch, rows, now=now, config=services.config, waiting=waiting)


def _within_link_limit(
    services: Services, writer: Transaction, namespace: str, changes: Sequence[Change]
) -> list[Change]:
    """The changes with no more links than the namespace has room for.

    The weakest links of prunable types are trimmed.
    """
    limits = services.config.relations
    weak: list[Link] = []
    firm_count = 0
    for change in changes:
        if isinstance(change, Link) and change.relation.type in PRUNABLE:
            weak.append(change)
        elif isinstance(change, Link):
            firm_count += 1
    if not weak:
        return list(changes)
    count = writer.at(namespace).relations.count() + firm_count
    room = max(0, limits.maximum - limits.trimmed_to, limits.maximum - count)
    weak.sort(key=lambda link: -link.relation.confidence)
    dropped = {id(link) for link in weak[room:]}
    remaining = [change for change in changes if id(change) not in dropped]
    count += min(room, len(weak))
    if count <= limits.maximum:
        return remaining
    surplus = count - min(limits.trimmed_to, limits.maximum)
    stale = writer.at(namespace).relations.weakest(PRUNABLE, surplus)
    trimmed = [Unlink(relation, "trimmed: too many relations") for relation in stale]
    return [*trimmed, *remaining]


def _tell_dropped(fact: DroppedFact) -> FactReceipt:
    return FactReceipt("skipped", fact.text, "", f"not said: {fact.lack}", by="model")


def _receipt(
    turn: ObservedTurn, plan: WritePlan, elsewhere: Mapping[str, Sequence[Memory]]
) -> Receipt:
    episode = turn.episode
    if turn.skipped:
        return Receipt("skipped", (), turn.skipped, episode.id)
    if episode.id in elsewhere:
        ids = tuple(memory.id for memory in elsewhere[episode.id])
        return Receipt("stored", ids, "finished by another process", episode.id)
    facts = plan.receipts.get(episode.id, ())
    if not facts:
        return Receipt("queued", (), "waits for its vector", episode.id)
    return receipt_of(facts, episode.id, episode.metadata)


def _leave_queued(
    services: Services, namespace: str, episodes: Sequence[Episode], reason: str
) -> list[Receipt]:
    ids = _ids(episodes)
    with services.ledger.writing_to(namespace) as ns:
        ns.turns.finish(ids, "queued", reason)
    services.claims.leave(namespace)
    return [Receipt("queued", (), reason, episode_id) for episode_id in ids]


def finish_queued(
    services: Services,
    *,
    namespace: str | None = None,
    limit: int = 256,
    before_id: str | None = None,
) -> tuple[int, str]:
    """Encode turns that were left queued, oldest first.

    Turns that another thread is encoding are left to it.

    Args:
        services: the parts of the engine.
        namespace: only the turns of this one; None = all.
        limit: at most so many turns.
        before_id: only turns with a smaller id.

    Returns:
        How many turns were finished, and what went wrong.
    """
    _, finished, trouble = _finish(services, namespace, limit, before_id)
    return finished, trouble


def _finish(
    services: Services, namespace: str | None, limit: int, before_id: str | None
) -> tuple[int, int, str]:
    """How many turns waited, of at most `limit`, how many were finished, and what went wrong."""
    with services.ledger.whole() as ledger:
        if namespace is None:
            queued = ledger.queued(limit, before_id=before_id)
        else:
            queued = ledger.at(namespace).turns.queued(limit, before_id=before_id)
    by_namespace: dict[str, list[Episode]] = {}
    for episode in queued:
        by_namespace.setdefault(episode.namespace, []).append(episode)
    finished = 0
    trouble = ""
    for name, episodes in by_namespace.items():
        with services.claims.taking(_ids(episodes)) as claimed:
            free = [episode for episode in episodes if episode.id in claimed]
            receipts = _encode_or_bisect(services, name, free)
        reasons = [receipt.reason for receipt in receipts if receipt.status == "queued"]
        finished += len(receipts) - len(reasons)
        if reasons:
            trouble = reasons[0]
    return len(queued), finished, trouble


def finish_abandoned(services: Services, *, limit: int) -> tuple[int, str]:
    """As `finish_queued`, for the background: turns left to this process, and abandoned ones.

    Turns that could not be written before are written first.

    Whoever calls another worker waits there for the turns that it took in a moment ago: to encode
    them here, too, would cost a vector each and take the receipt away from that caller. After
    `encoding.takeover_seconds` the other worker counts as dead.
    """
    with suppress(StoreError):  # they wait on, and hold nothing else up
        write_unsaved(services)
    takeover = timedelta(seconds=services.config.encoding.takeover_seconds)
    total = 0
    troubles: list[str] = []
    for name, times in services.claims.left.copy().items():
        waited, finished, trouble = _finish(services, name, limit, None)
        total += finished
        troubles.append(trouble)
        if finished == waited < limit:
            services.claims.done({name: times})
    late = first_id(services.runtime.now() - takeover)
    finished, trouble = finish_queued(services, limit=limit, before_id=late)
    troubles.append(trouble)
    return total + finished, next(filter(None, troubles), "")


def _encode_or_bisect(
    services: Services, namespace: str, episodes: Sequence[Episode]
) -> list[Receipt]:
    """Encode a batch; if it fails, find the turns to blame, so that they do not hold up the others.

    First and last turn are tried alone: if both fail too, the embedder is down, and it is not asked
    for each turn.
    """
    receipts = list(_encode(services, namespace, episodes).receipts)
    if len(episodes) < 2 or any(receipt.status != "queued" for receipt in receipts):
        return receipts
    first = _encode(services, namespace, [episodes[0]]).receipts[0]
    last = _encode(services, namespace, [episodes[-1]]).receipts[0]
    inner = episodes[1:-1]
    if not inner or first.status == last.status == "queued":
        return [first, *receipts[1:-1], last]
    half = (len(inner) + 1) // 2
    results = [first]
    for part in (inner[:half], inner[half:]):
        if part:
            results += _encode_or_bisect(services, namespace, part)
    return [*results, last]
