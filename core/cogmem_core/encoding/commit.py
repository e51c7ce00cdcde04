"""The I/O half of the write path: turns are durable first, then encoded, then committed.

Everything that turns cause is committed in one transaction. Where nobody is waited for but this
process, the turns themselves are committed there, too; if anything fails before, they are queued.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import chain

from cogmem_core import reading
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.base.grouping import grouped
from cogmem_core.base.runtime import first_id
from cogmem_core.changes import Actor, Applied, Change, Link, Unlink, apply
from cogmem_core.edge.clauses import holding
from cogmem_core.encoding.batch import WriteBatch, WritePlan
from cogmem_core.encoding.encode import encode, uses_model
from cogmem_core.encoding.facts import ObservedTurn, by_id, hashes_of
from cogmem_core.encoding.forgetting import forget_recent, nearest_to
from cogmem_core.encoding.keep import (
    KNOWN,
    Known,
    SentBefore,
    as_episodes,
    ids_of,
    keep_turns,
    known_after_adding,
    known_turns,
)
from cogmem_core.encoding.observe_turn import mode_of
from cogmem_core.encoding.proposals import propose
from cogmem_core.encoding.sanitize import checked_turns
from cogmem_core.encoding.seals import NOT_KEPT
from cogmem_core.encoding.tagging import tag
from cogmem_core.encoding.to_changes import PRUNABLE, plan_writes, receipt_of
from cogmem_core.encoding.wishes import (
    grant,
    is_imported,
    parts_of,
    settle_receipts,
    wish_in,
)
from cogmem_core.errors import CogMemError, EmbedderUnavailable, StoreError
from cogmem_core.ports import Usage
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.transaction import Namespace, Transaction
from cogmem_core.values.models import Episode, EpisodeStatus, Memory, Turn
from cogmem_core.values.readings import shown
from cogmem_core.values.results import FactReceipt, Receipt, WriteReport

BATCH_TURNS = 500
"""Turns that are embedded and committed together."""
MODEL_TURNS = 10
"""Turns that one call of the model forms facts from, and that one call decides on."""

_HARMLESS = LogAndContinue(raises=CogMemError)
_BROKEN = "something broke while it was encoded; see the log"
_ENCODING = Actor("encoding")
_IMPORT = Actor("import")


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
                    # They may have waited where nothing could be read either, seals among it.
                    config = services.sealed(name).config
                    clean = [x for x in checked_turns(turns, {}, config) if x.content != NOT_KEPT]
                    keep_turns(services, name, clean, config.encoding.mode)


def remember_turns(
    services: Services,
    namespace: str,
    turns: Sequence[Turn],
    mode: str | None,
    *,
    imported: bool,
    shared_ref: str | None,
) -> WriteReport:
    """Commit turns verbatim, and turn them into memories; both at once where `_at_once` allows it.

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
    episodes = as_episodes(services, namespace, turns, mode, imported=imported)
    unwritten = _at_once(services, episodes)
    sent_before = partial(known_turns, namespace, shared_ref)
    # Claimed before they can be seen, so that the worker does not start on what the caller waits
    # for.
    with services.claims.taking(ids_of(episodes)):
        is_finished = False
        known: Known = {}
        try:
            if unwritten and any(episode.ref for episode in episodes):
                # So that nothing is made of them; whether there are more by then, the writer sees.
                with services.ledger.whole() as reader:
                    known = sent_before(reader, episodes)
            elif not unwritten:
                known = known_after_adding(services, namespace, episodes, shared_ref)
            new = [episode for episode in episodes if episode.id not in known]
            report = _encode(services, namespace, new, sent_before if unwritten else None)
            report = replace(report, receipts=with_readings(report.receipts, new))
            is_finished = True
        finally:
            if not is_finished:
                if unwritten:
                    with suppress(CogMemError):  # what went wrong first is told
                        known_after_adding(services, namespace, episodes, shared_ref)
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


def _at_once(services: Services, episodes: Sequence[Episode]) -> bool:
    """Whether turns are written together with what they cause: it is one commit instead of two.

    They are where that is the work of this process alone and of a moment: a model, a server or a
    download may keep it waiting, and whatever happens meanwhile, what was said must not be lost.
    """
    if not (services.embedder.local and services.ledger.database.sqlite):
        return False
    if len(episodes) > BATCH_TURNS:
        return False
    config = services.config
    if services.llm is not None and any(mode_of(one, config) != "raw" for one in episodes):
        return False
    return all(wish_in(episode, config) is None for episode in episodes)


def with_readings(receipts: Sequence[Receipt], episodes: Sequence[Episode]) -> tuple[Receipt, ...]:
    """Receipts that tell what was understood of their turns."""
    told = []
    for receipt, episode in zip(receipts, episodes, strict=True):
        clauses = reading.of_turn(episode.content, episode.role).clauses
        kept = receipt.status != "skipped"
        told.append(replace(receipt, reading=shown(episode.content, clauses, kept=kept)))
    return tuple(told)


def known_receipt(episode: Episode) -> Receipt:
    """The receipt of a turn that was sent before."""
    return Receipt("known", (), KNOWN, episode.id)


def _encode(
    services: Services,
    namespace: str,
    episodes: Sequence[Episode],
    sent_before: SentBefore | None = None,
) -> WriteReport:
    """Claimed episodes of one namespace become memories; what cannot be finished stays queued.

    `sent_before`: the episodes are not written yet; tells in a transaction which ones are known.
    """
    receipts: list[Receipt] = []
    memories: dict[str, Memory] = {}
    usage = Usage()
    degraded: dict[str, None] = {}
    by_model = any(uses_model(services, episode) for episode in episodes)
    size = min(MODEL_TURNS, BATCH_TURNS) if by_model else BATCH_TURNS
    for part, wish in parts_of(episodes, size, services.config):
        if wish is not None:
            near = nearest_to(services, namespace, wish.query) if wish.is_plain else None
            act = partial(grant, episode=part[0], wish=wish, runtime=services.runtime, near=near)
            granted = services.ledger.write(namespace, act)
            if granted is not None:
                services.update_indexes(namespace, granted.applied)
                forget_recent(services, namespace, granted.forgotten)
                receipts.append(granted.receipt)
                memories |= granted.applied.memories
                continue
        try:
            batch = encode(services, namespace, part)
        except EmbedderUnavailable as error:
            receipts += _leave_queued(services, namespace, part, str(error), sent_before)
            continue
        commit = partial(_commit, services, batch=batch, sent_before=sent_before)
        part_receipts, part_memories, applied = services.ledger.write(namespace, commit)
        services.update_indexes(namespace, applied)
        receipts += part_receipts
        memories |= {**part_memories, **applied.memories}
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


def _commit(
    services: Services,
    writer: Transaction,
    batch: WriteBatch,
    sent_before: SentBefore | None = None,
) -> tuple[list[Receipt], dict[str, Memory], Applied]:
    """Everything that the turns cause, in one transaction.

    A turn that another process finished is left alone; its memories are returned.
    """
    namespace = batch.namespace
    ns = writer.at(namespace)
    services.guard_embedder(writer, namespace)
    now = services.runtime.now()
    known: Known = {}
    if sent_before is None:
        waiting = ns.turns.still_queued(ids_of(batch.episodes))
    else:
        known = sent_before(writer, batch.episodes)
        waiting = set(ids_of(batch.episodes)) - known.keys()
    plan = _plan(services, ns, batch, waiting)
    changes = _within_link_limit(services, ns, plan.changes)
    if any(memory.session_id for memory in plan.stored):
        changes += tag(ns, plan.stored, now=now, longest=services.config.strength.maximum_days)
    actor = _IMPORT if any(map(is_imported, batch.episodes)) else _ENCODING
    if actor is _ENCODING:
        changes += propose(services, plan.stored, now)
    guard = services.config.guard
    applied = apply(writer, namespace, changes, now=now, actor=actor, guard=guard)
    plan.receipts = settle_receipts(plan, applied)
    recalled = applied.memories.keys() - applied.waiting.keys()
    probation = [mark for mark in plan.short_term if mark.memory_id in recalled]
    if probation:
        ns.synaptic_tags.add_short_term(probation)
    left_out = [memory.id for memory in plan.stored if memory.id not in recalled]
    if left_out:
        ns.synaptic_tags.drop_of(left_out)
    elsewhere: dict[str, list[Memory]] = {}
    if len(waiting) + len(known) < len(batch.turns):
        elsewhere = _finished_elsewhere(ns, batch, waiting)
    receipts: list[Receipt] = []
    ended: dict[str, tuple[EpisodeStatus, str]] = {}
    for turn in batch.turns:
        name = turn.episode.id
        receipt = _receipt(turn, plan, elsewhere, known)
        dropped = tuple(
            FactReceipt("skipped", fact.text, "", f"not said: {fact.lack}", by="model")
            for fact in batch.dropped.get(name, ())
        )
        receipts.append(replace(receipt, facts=receipt.facts + dropped))
        if turn.skipped:
            ended[name] = ("skipped", turn.skipped)
        elif receipt.facts and receipt.status != "queued":
            ended[name] = ("done", "")
    _end_turns(ns, batch, ended, None if sent_before is None else waiting)
    writer.keep_known(namespace)
    return receipts, by_id(chain.from_iterable(elsewhere.values())), applied


def _end_turns(
    tables: Namespace,
    batch: WriteBatch,
    ended: Mapping[str, tuple[EpisodeStatus, str]],
    unwritten: Container[str] | None,
) -> None:
    """Note what became of turns, by id; those that are not written yet are written so."""
    if unwritten is None:
        ids_by_end = grouped((end, name) for name, end in ended.items())
        for (status, reason), ids in ids_by_end.items():
            tables.turns.finish(ids, status, reason)
        return
    rows: list[Episode] = []
    for episode in batch.episodes:
        if episode.id in unwritten:
            status, reason = ended.get(episode.id, ("queued", ""))
            rows.append(replace(episode, status=status, reason=reason))
    tables.turns.add(rows)


def _finished_elsewhere(
    ns: Namespace, batch: WriteBatch, waiting: set[str]
) -> dict[str, list[Memory]]:
    """Turns that another process finished meanwhile, with the memories it made of them."""
    memories: dict[str, list[Memory]] = {
        turn.episode.id: [] for turn in batch.turns if turn.episode.id not in waiting
    }
    for memory in ns.memories.same_content(hashes_of(batch.facts)):
        for source in memory.sources:
            group = memories.get(source.episode_id, [])
            if memory not in group:
                group.append(memory)
    return memories


def _plan(services: Services, ns: Namespace, batch: WriteBatch, waiting: set[str]) -> WritePlan:
    """The draft, if it is complete and nobody else wrote meanwhile; else a plan for the new rows."""
    draft = batch.plan
    rows: Mapping[str, Memory] = batch.rows
    if ns.journal.last_seq() == batch.seq:
        is_complete = not (draft.unmerged or draft.missing_keys)
        if is_complete and len(waiting) == len(batch.turns):
            return draft
    else:
        same = ns.memories.same_content(hashes_of(batch.facts))
        compared = ns.memories.by_ids(list(batch.rows)).values()
        active = [memory for memory in compared if memory.state == "active"]
        rows = by_id(map(holding, (*same, *active)))
    now = services.runtime.now()
    return plan_writes(batch, rows, now=now, config=services.config, waiting=waiting)


def _within_link_limit(
    services: Services, ns: Namespace, changes: Sequence[Change]
) -> list[Change]:
    """The changes with no more links than the namespace has room for.

    The weakest links of prunable types are trimmed.
    """
    limits = services.config.relations
    links = [change for change in changes if isinstance(change, Link)]
    weak = [link for link in links if link.relation.type in PRUNABLE]
    if not weak:
        return list(changes)
    count = ns.relations.count() + len(links) - len(weak)
    room = max(0, limits.maximum - limits.trimmed_to, limits.maximum - count)
    weak.sort(key=lambda link: -link.relation.confidence)
    dropped = {id(link) for link in weak[room:]}
    remaining = [change for change in changes if id(change) not in dropped]
    count += min(room, len(weak))
    if count <= limits.maximum:
        return remaining
    surplus = count - min(limits.trimmed_to, limits.maximum)
    stale = ns.relations.weakest(PRUNABLE, surplus)
    trimmed = [Unlink(relation, "trimmed: too many relations") for relation in stale]
    return [*trimmed, *remaining]


def _receipt(
    turn: ObservedTurn, plan: WritePlan, elsewhere: Mapping[str, Sequence[Memory]], known: Known
) -> Receipt:
    episode = turn.episode
    if episode.id in known:
        return known_receipt(known[episode.id])
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
    services: Services,
    namespace: str,
    episodes: Sequence[Episode],
    reason: str,
    sent_before: SentBefore | None,
) -> list[Receipt]:
    def leave(writer: Transaction) -> Known:
        turns = writer.at(namespace).turns
        if sent_before is None:
            turns.finish(ids_of(episodes), "queued", reason)
            return {}
        known = sent_before(writer, episodes)
        turns.add([replace(one, reason=reason) for one in episodes if one.id not in known])
        return known

    known = services.ledger.write(namespace, leave)
    services.claims.leave(namespace)
    receipts: list[Receipt] = []
    for name in ids_of(episodes):
        queued = Receipt("queued", (), reason, name)
        receipts.append(known_receipt(known[name]) if name in known else queued)
    return receipts


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
    by_namespace = grouped((episode.namespace, episode) for episode in queued)
    finished = 0
    trouble = ""
    for name, episodes in by_namespace.items():
        with services.claims.taking(ids_of(episodes)) as claimed:
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
    receipts = _encode_or_leave(services, namespace, episodes)
    if len(episodes) < 2 or any(receipt.status != "queued" for receipt in receipts):
        return receipts
    [first] = _encode_or_leave(services, namespace, episodes[:1])
    [last] = _encode_or_leave(services, namespace, episodes[-1:])
    inner = episodes[1:-1]
    if not inner or first.status == last.status == "queued":
        return [first, *receipts[1:-1], last]
    half = (len(inner) + 1) // 2
    results = [first]
    for part in (inner[:half], inner[half:]):
        if part:
            results += _encode_or_bisect(services, namespace, part)
    return [*results, last]


def _encode_or_leave(
    services: Services, namespace: str, episodes: Sequence[Episode]
) -> list[Receipt]:
    """The receipts of turns; they stay queued if something breaks that never should."""
    with _HARMLESS("the encoding of turns"):
        return list(_encode(services, namespace, episodes).receipts)
    return _leave_queued(services, namespace, episodes, _BROKEN, None)
