"""The I/O half of the write path: turns are durable first, then embedded, then committed with everything they cause."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from cogmem.changes import Actor, Applied, apply
from cogmem.encoding.plan import Draft, Identity, Plan, draft, identity_of, plan
from cogmem.errors import EmbedderUnavailable
from cogmem.models import Episode, Memory, Turn
from cogmem.ports import FloatArray
from cogmem.results import Receipt, WriteReport
from cogmem.services import Services
from cogmem.storage.trail import chunks
from cogmem.storage.writer import Writer

__all__ = ["finish_queued", "keep_turns", "take_in"]

_ENCODING = Actor("encoding")


def keep_turns(services: Services, namespace: str, turns: Sequence[Turn], mode: str | None) -> list[Episode]:
    """Commit turns verbatim and leave the rest to the worker; returns them as queued episodes."""
    episodes = _episodes(services, namespace, turns, mode)
    _keep(services, episodes)
    return episodes


def take_in(services: Services, namespace: str, turns: Sequence[Turn], mode: str | None) -> WriteReport:
    """Commit turns verbatim, before anything else is tried; then turn them into memories.

    Returns one receipt per turn, in order. If the embedder fails, the receipts say `queued` and why.
    """
    episodes = _episodes(services, namespace, turns, mode)
    # Claimed before they can be seen, so that the worker does not start on what the caller waits for.
    with services.claims.taking(episode.id for episode in episodes):
        _keep(services, episodes)
        return _encode(services, namespace, episodes)


def _episodes(services: Services, namespace: str, turns: Sequence[Turn], mode: str | None) -> list[Episode]:
    now = services.runtime.now()
    return [
        Episode(
            id=services.runtime.new_id(),
            namespace=namespace,
            content=turn.content,
            role=turn.role,
            speaker=turn.speaker,
            at=turn.at or now,
            recorded_at=now,
            session_id=turn.session_id,
            ref=turn.ref,
            mode=mode,
            metadata=turn.metadata,
        )
        for turn in turns
    ]


def _keep(services: Services, episodes: Sequence[Episode]) -> None:
    with services.ledger.writing() as writer:
        writer.add_episodes(episodes)


def _encode(services: Services, namespace: str, episodes: Sequence[Episode]) -> WriteReport:
    """Claimed episodes of one namespace become memories; what cannot be finished now stays queued."""
    receipts: list[Receipt] = []
    memories: dict[str, Memory] = {}
    for part in chunks(episodes, services.config.encoding.batch_turns):
        done, touched = _encode_part(services, namespace, part)
        receipts += done
        memories.update(touched)
    return WriteReport(tuple(receipts), tuple(memories.values()))


def _encode_part(
    services: Services, namespace: str, episodes: Sequence[Episode]
) -> tuple[Sequence[Receipt], Mapping[str, Memory]]:
    prefix = services.config.encoding.date_prefix
    drafts = [draft(episode, services.runtime.new_id(), date_prefix=prefix) for episode in episodes]
    with services.ledger.reading() as reader:
        known = _by_identity(reader.same_content(namespace, [item.identity[0] for item in drafts]))
    try:
        vectors = _embed(services, [item for item in drafts if item.identity not in known])
    except EmbedderUnavailable as error:
        return _left_queued(services, namespace, episodes, str(error)), {}
    with services.ledger.writing() as writer:
        decided, applied = _commit(services, writer, namespace, drafts, vectors)
    services.searcher.absorb(namespace, (applied.previous_seq, applied.last_seq), applied.indexed, applied.dropped)
    return decided.receipts, applied.memories


def _embed(services: Services, drafts: Sequence[Draft]) -> dict[Identity, tuple[FloatArray, str]]:
    wanted = {item.identity: item.key for item in drafts}
    if not wanted:
        return {}
    rows = services.embedder.embed_documents(list(wanted.values()))
    return {identity: (row, services.embedder.fingerprint) for identity, row in zip(wanted, rows, strict=True)}


def _commit(
    services: Services,
    writer: Writer,
    namespace: str,
    drafts: Sequence[Draft],
    vectors: Mapping[Identity, tuple[FloatArray, str]],
) -> tuple[Plan, Applied]:
    """Everything that the turns cause, in one transaction; a turn that another process finished is left alone."""
    services.guard_embedder(writer)
    now = services.runtime.now()
    waiting = writer.still_queued(namespace, [item.episode.id for item in drafts])
    known = _by_identity(writer.same_content(namespace, [item.identity[0] for item in drafts]))
    todo = [item for item in drafts if item.episode.id in waiting]
    decided = plan(todo, known, vectors, now=now, config=services.config)
    applied = apply(writer, namespace, decided.changes, now=now, actor=_ENCODING)
    finished = [r.episode_id for r in decided.receipts if r.status != "queued"]
    writer.finish_episodes(namespace, finished, "done")
    elsewhere = [_finished_elsewhere(item, known) for item in drafts if item.episode.id not in waiting]
    order = {item.episode.id: position for position, item in enumerate(drafts)}
    receipts = sorted((*decided.receipts, *elsewhere), key=lambda receipt: order[receipt.episode_id])
    return replace(decided, receipts=tuple(receipts)), applied


def _finished_elsewhere(item: Draft, known: Mapping[Identity, Memory]) -> Receipt:
    memory = known.get(item.identity)
    return Receipt("stored", (memory.id,) if memory else (), "finished by another process", item.episode.id)


def _by_identity(memories: Iterable[Memory]) -> dict[Identity, Memory]:
    found: dict[Identity, Memory] = {}
    for memory in memories:
        found.setdefault(identity_of(memory), memory)
    return found


def _left_queued(services: Services, namespace: str, episodes: Sequence[Episode], reason: str) -> list[Receipt]:
    with services.ledger.writing() as writer:
        writer.finish_episodes(namespace, [episode.id for episode in episodes], "queued", reason)
    return [Receipt("queued", (), reason, episode.id) for episode in episodes]


def finish_queued(services: Services, *, limit: int = 256, before: str | None = None) -> tuple[int, str]:
    """Encode turns that were left queued, oldest first; returns how many were finished and what went wrong.

    Turns that another thread is encoding are left to it.
    """
    with services.ledger.reading() as reader:
        queued = reader.queued(None, limit, before=before)
    by_namespace: dict[str, list[Episode]] = {}
    for episode in queued:
        by_namespace.setdefault(episode.namespace, []).append(episode)
    finished, trouble = 0, ""
    for namespace, episodes in by_namespace.items():
        with services.claims.taking(episode.id for episode in episodes) as mine:
            receipts = _sift(services, namespace, [episode for episode in episodes if episode.id in mine])
        finished += sum(receipt.status != "queued" for receipt in receipts)
        trouble = next((r.reason for r in receipts if r.status == "queued"), trouble)
    return finished, trouble


def _sift(services: Services, namespace: str, episodes: Sequence[Episode]) -> list[Receipt]:
    """Encode a batch; if it fails, find out whether some turns are to blame, so that one does not hold up the others.

    First and last turn are tried alone: if both fail too, the embedder is down, and it is not asked for each turn.
    """
    receipts = list(_encode(services, namespace, episodes).receipts)
    if len(episodes) == 1 or any(receipt.status != "queued" for receipt in receipts):
        return receipts
    ends = [_encode(services, namespace, [episode]).receipts[0] for episode in (episodes[0], episodes[-1])]
    inner = episodes[1:-1]
    if not inner or all(receipt.status == "queued" for receipt in ends):
        return [ends[0], *receipts[1:-1], ends[1]]
    half = (len(inner) + 1) // 2
    return [ends[0], *_halves(services, namespace, inner[:half], inner[half:]), ends[1]]


def _halves(services: Services, namespace: str, *halves: Sequence[Episode]) -> list[Receipt]:
    return [receipt for half in halves if half for receipt in _sift(services, namespace, half)]
