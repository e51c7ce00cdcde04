"""The I/O half of the write path: turns are durable first, then encoded, then committed with everything they cause."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from cogmem_core.changes import Actor, Applied, Change, Link, Touch, Unlink, apply
from cogmem_core.encoding.encode import Encoded, encode, uses_model
from cogmem_core.encoding.facts import Heard
from cogmem_core.encoding.gate import Placement
from cogmem_core.encoding.question_context import asked_of
from cogmem_core.encoding.relate import PRUNABLE
from cogmem_core.encoding.tagging import tag_and_capture
from cogmem_core.encoding.to_changes import Plan, plan, receipt_of
from cogmem_core.errors import EmbedderUnavailable
from cogmem_core.models import KEPT_ONLY, Episode, Memory, Turn
from cogmem_core.ports import Usage
from cogmem_core.results import Receipt, WriteReport
from cogmem_core.runtime import first_id
from cogmem_core.services import Services
from cogmem_core.storage.ledger.compat import Writer
from cogmem_core.storage.ledger.journal import chunks
from cogmem_core.text.time.zones import zone_of

__all__ = ["finish_left", "finish_queued", "keep_entries", "keep_turns", "take_in"]

_ENCODING = Actor("encoding")


def keep_entries(
    services: Services, namespace: str, turns: Sequence[Turn], *, remembered: Container[str], mode: str | None
) -> list[Episode]:
    """Commit turns of one conversation behind its transcript; returns them with their positions.

    What a role in `remembered` said waits for the worker; the rest is there for the transcript alone.
    """
    episodes = [
        episode
        if episode.role in remembered and episode.content.strip()
        else replace(episode, status="skipped", reason=KEPT_ONLY)
        for episode in _episodes(services, namespace, turns, mode)
    ]

    def behind(writer: Writer) -> list[Episode]:
        first = writer.next_position(namespace, episodes[0].session_id or "")
        rows = [replace(episode, position=position) for position, episode in enumerate(episodes, first)]
        writer.add_episodes(rows)
        return rows

    try:
        return services.ledger.write(namespace, behind)
    finally:
        services.claims.leave(namespace)


def keep_turns(services: Services, namespace: str, turns: Sequence[Turn], mode: str | None) -> list[Episode]:
    """Commit turns verbatim and leave the rest to the worker; returns them as queued episodes."""
    episodes = _episodes(services, namespace, turns, mode)
    try:
        _keep(services, namespace, episodes)
    finally:
        services.claims.leave(namespace)
    return episodes


def take_in(services: Services, namespace: str, turns: Sequence[Turn], mode: str | None) -> WriteReport:
    """Commit turns verbatim, before anything else is tried; then turn them into memories.

    Returns one receipt per turn, in order. If the embedder fails, the receipts say `queued` and why.
    """
    episodes = _episodes(services, namespace, turns, mode)
    # Claimed before they can be seen, so that the worker does not start on what the caller waits for.
    with services.claims.taking(episode.id for episode in episodes):
        ended = False
        try:
            _keep(services, namespace, episodes)
            report = _encode(services, namespace, episodes)
            ended = True
        finally:
            if not ended:
                # What is kept already, the worker finishes.
                services.claims.leave(namespace)
        return report


def _episodes(services: Services, namespace: str, turns: Sequence[Turn], mode: str | None) -> list[Episode]:
    now, zone = services.runtime.now(), services.config.encoding.timezone
    return [
        Episode(
            id=services.runtime.new_id(),
            namespace=namespace,
            content=turn.content,
            role=turn.role,
            speaker=turn.speaker,
            at=turn.at.astimezone(now.tzinfo) if turn.at else now,
            recorded_at=now,
            session_id=turn.session_id,
            ref=turn.ref,
            mode=mode,
            metadata={**turn.metadata, **asked_of(turn, services.config.encoding)},
            zone=(zone_of(turn.at) if turn.at else "") or zone,
        )
        for turn in turns
    ]


def _keep(services: Services, namespace: str, episodes: Sequence[Episode]) -> None:
    services.ledger.write(namespace, lambda writer: writer.add_episodes(episodes))


def _encode(services: Services, namespace: str, episodes: Sequence[Episode]) -> WriteReport:
    """Claimed episodes of one namespace become memories; what cannot be finished now stays queued."""
    receipts: list[Receipt] = []
    memories: dict[str, Memory] = {}
    usage, degraded = Usage(), list[str]()
    for part in _parts(services, episodes):
        done = _encode_part(services, namespace, part)
        receipts += done.receipts
        memories.update(done.memories)
        usage += done.usage
        degraded += done.degraded
    return WriteReport(
        tuple(receipts),
        tuple(memories.values()),
        llm_calls=usage.calls,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        degraded=tuple(dict.fromkeys(degraded)),
    )


def _parts(services: Services, episodes: Sequence[Episode]) -> Iterator[list[Episode]]:
    """What one call of the model, or of the embedder, takes on."""
    limits = services.config.encoding
    asking = any(uses_model(services, episode) for episode in episodes)
    yield from chunks(episodes, min(limits.llm_turns, limits.batch_turns) if asking else limits.batch_turns)


@dataclass(frozen=True, slots=True)
class _Done:
    receipts: Sequence[Receipt]
    memories: Mapping[str, Memory]
    usage: Usage
    degraded: Sequence[str]


def _encode_part(services: Services, namespace: str, episodes: Sequence[Episode]) -> _Done:
    try:
        encoded = encode(services, namespace, episodes)
    except EmbedderUnavailable as error:
        return _Done(_left_queued(services, namespace, episodes, str(error)), {}, Usage(), ())
    receipts, elsewhere, applied = services.ledger.write(
        namespace, lambda writer: _commit(services, writer, namespace, encoded)
    )
    services.update_indexes(namespace, applied)
    return _Done(receipts, {**elsewhere, **applied.memories}, encoded.usage, encoded.degraded)


def _commit(
    services: Services, writer: Writer, namespace: str, encoded: Encoded
) -> tuple[list[Receipt], dict[str, Memory], Applied]:
    """Everything that the turns cause, in one transaction; a turn that another process finished is left alone."""
    services.guard_embedder(writer, namespace)
    now, turns = services.runtime.now(), [heard.episode for heard in encoded.heard]
    waiting = writer.still_queued(namespace, [turn.id for turn in turns])
    placements = [placed for placed in encoded.placements if placed.fact.episode.id in waiting]
    rows = _rows(writer, namespace, placements, encoded)
    decided = plan(placements, rows, encoded.vectors, now=now, config=services.config)
    changes = [*_bounded(services, writer, namespace, decided), *_tagged(services, writer, namespace, decided)]
    applied = apply(writer, namespace, changes, now=now, actor=_ENCODING)
    writer.keep_short(namespace, decided.short_term)
    elsewhere = _finished_elsewhere(writer, namespace, encoded, waiting)
    receipts = [_receipt(heard, decided, elsewhere) for heard in encoded.heard]
    skipped: dict[str, list[str]] = {}
    for heard in encoded.heard:
        if heard.skipped:
            skipped.setdefault(heard.skipped, []).append(heard.episode.id)
    for reason, ids in skipped.items():
        writer.finish_episodes(namespace, ids, "skipped", reason)
    writer.finish_episodes(namespace, [r.episode_id for r in receipts if r.facts and r.status != "queued"], "done")
    return receipts, {memory.id: memory for memories in elsewhere.values() for memory in memories}, applied


def _finished_elsewhere(writer: Writer, namespace: str, encoded: Encoded, waiting: set[str]) -> dict[str, list[Memory]]:
    """Turns that another process finished meanwhile, with the memories it made of them."""
    found = {heard.episode.id: list[Memory]() for heard in encoded.heard if heard.episode.id not in waiting}
    if found:
        facts = [placed.fact for placed in encoded.placements if placed.fact.episode.id in found]
        for memory in writer.same_content(namespace, [fact.identity[0] for fact in facts]):
            for turn in {source.episode_id for source in memory.sources} & found.keys():
                found[turn].append(memory)
    return found


def _rows(writer: Writer, namespace: str, placements: Sequence[Placement], encoded: Encoded) -> dict[str, Memory]:
    """Active memories that the placements are about, or that say the same by now."""
    if writer.last_seq(namespace) == encoded.seq:
        return encoded.rows
    targets = [m.id for placed in placements for m in (placed.target, *placed.conflicts) if m is not None]
    targets += [target for placed in placements for _, target, _ in placed.links]
    targets += [one.memory.id for placed in placements if placed.memory for one in placed.near]
    same = writer.same_content(namespace, [placed.fact.identity[0] for placed in placements])
    rows = {**writer.memories(namespace, targets), **{memory.id: memory for memory in reversed(same)}}
    return {key: memory for key, memory in rows.items() if memory.state == "active"}


def _bounded(services: Services, writer: Writer, namespace: str, decided: Plan) -> list[Change]:
    """The changes with no more links than the namespace has room for; the weakest that may go are trimmed."""
    limits = services.config.relations
    weak = [c for c in decided.changes if isinstance(c, Link) and c.relation.type in PRUNABLE]
    if not weak:
        return decided.changes
    count = writer.count_relations(namespace)
    others = sum(isinstance(change, Link) for change in decided.changes) - len(weak)
    room = max(0, limits.maximum - limits.trimmed_to, limits.maximum - count - others)
    kept = sorted(weak, key=lambda change: -change.relation.confidence)[:room]
    chosen = {id(change) for change in kept}
    dropped = {id(change) for change in weak if id(change) not in chosen}
    changes = [change for change in decided.changes if id(change) not in dropped]
    excess = count + others + len(kept) - limits.maximum
    if excess <= 0:
        return changes
    surplus = count + others + len(kept) - min(limits.trimmed_to, limits.maximum)
    stale = writer.weakest_relations(namespace, PRUNABLE, surplus)
    return [*(Unlink(relation, "trimmed: too many relations") for relation in stale), *changes]


def _tagged(services: Services, writer: Writer, namespace: str, decided: Plan) -> list[Change]:
    """Tags for weak memories; strong ones capture the tags of their session."""
    settings, now = services.config.tagging, services.runtime.now()
    strong = (memory for memory in decided.stored if memory.importance >= settings.strong_from)
    live = writer.live_tags(namespace, {memory.session_id for memory in strong if memory.session_id}, now)
    tagging = tag_and_capture(live, decided.stored, now=now, config=settings)
    writer.capture(namespace, tagging.captured)
    writer.tag(namespace, tagging.tags)
    fresh = {memory.id: memory for memory in decided.stored}
    rows = {**writer.memories(namespace, [i for i in tagging.captured if i not in fresh]), **fresh}
    ceiling = services.config.strength.maximum_days
    return [
        Touch(i, {"stability": max(m.stability, min(m.stability * settings.capture_factor, ceiling))}, "captured")
        for i, m in ((i, rows[i]) for i in tagging.captured if i in rows)
    ]


def _receipt(heard: Heard, decided: Plan, elsewhere: Mapping[str, Sequence[Memory]]) -> Receipt:
    turn = heard.episode
    if turn.id in elsewhere and not heard.skipped:
        ids = tuple(memory.id for memory in elsewhere[turn.id])
        return Receipt("stored", ids, "finished by another process", turn.id)
    if heard.skipped:
        return Receipt("skipped", (), heard.skipped, turn.id)
    facts = decided.facts.get(turn.id, ())
    if not facts:
        return Receipt("queued", (), "waits for its vector", turn.id)
    return receipt_of(facts, turn.id, turn.metadata)


def _left_queued(services: Services, namespace: str, episodes: Sequence[Episode], reason: str) -> list[Receipt]:
    with services.ledger.writing(namespace) as writer:
        writer.finish_episodes(namespace, [episode.id for episode in episodes], "queued", reason)
    services.claims.leave(namespace)
    return [Receipt("queued", (), reason, episode.id) for episode in episodes]


def finish_queued(
    services: Services, *, namespace: str | None = None, limit: int = 256, before: str | None = None
) -> tuple[int, str]:
    """Encode turns that were left queued, oldest first; returns how many were finished and what went wrong.

    Turns that another thread is encoding are left to it. `namespace`: only those of this one.
    """
    _, finished, trouble = _finish(services, namespace, limit, before)
    return finished, trouble


def _finish(services: Services, namespace: str | None, limit: int, before: str | None) -> tuple[int, int, str]:
    """How many turns waited, of at most `limit`, how many of them were finished, and what went wrong."""
    with services.ledger.reading() as reader:
        queued = reader.queued(namespace, limit, before=before)
    by_namespace: dict[str, list[Episode]] = {}
    for episode in queued:
        by_namespace.setdefault(episode.namespace, []).append(episode)
    finished, trouble = 0, ""
    for name, episodes in by_namespace.items():
        with services.claims.taking(episode.id for episode in episodes) as mine:
            receipts = _sift(services, name, [episode for episode in episodes if episode.id in mine])
        finished += sum(receipt.status != "queued" for receipt in receipts)
        trouble = next((r.reason for r in receipts if r.status == "queued"), trouble)
    return len(queued), finished, trouble


def finish_left(services: Services, *, limit: int) -> tuple[int, str]:
    """As `finish_queued`, for the background: turns that were left to this process, and those that nobody finishes.

    What another worker took in a moment ago somebody waits for there: to encode it here, too, would cost a vector each
    and take the receipt away from it. After `encoding.takeover_seconds` the other one counts as dead.
    """
    late = services.runtime.now() - timedelta(seconds=services.config.encoding.takeover_seconds)
    done = []
    for name, times in services.claims.left.copy().items():
        waited, finished, trouble = _finish(services, name, limit, None)
        done.append((finished, trouble))
        if finished == waited < limit:
            services.claims.done({name: times})
    done.append(finish_queued(services, limit=limit, before=first_id(late)))
    return sum(finished for finished, _ in done), next((trouble for _, trouble in done if trouble), "")


def _sift(services: Services, namespace: str, episodes: Sequence[Episode]) -> list[Receipt]:
    """Encode a batch; if it fails, find out whether some turns are to blame, so that one does not hold up the others.

    First and last turn are tried alone: if both fail too, the embedder is down, and it is not asked for each turn.
    """
    receipts = list(_encode(services, namespace, episodes).receipts)
    if len(episodes) < 2 or any(receipt.status != "queued" for receipt in receipts):
        return receipts
    ends = [_encode(services, namespace, [episode]).receipts[0] for episode in (episodes[0], episodes[-1])]
    inner = episodes[1:-1]
    if not inner or all(receipt.status == "queued" for receipt in ends):
        return [ends[0], *receipts[1:-1], ends[1]]
    half = (len(inner) + 1) // 2
    return [ends[0], *_halves(services, namespace, inner[:half], inner[half:]), ends[1]]


def _halves(services: Services, namespace: str, *halves: Sequence[Episode]) -> list[Receipt]:
    return [receipt for half in halves if half for receipt in _sift(services, namespace, half)]
