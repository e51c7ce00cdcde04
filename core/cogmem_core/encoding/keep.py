"""Keeping turns: as they were said, each once, before or with what becomes of them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import replace

from cogmem_core.encoding.facts import UNDATED
from cogmem_core.encoding.observe_turn import IMPORTED, stated_metadata
from cogmem_core.encoding.seals import NOT_KEPT
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.text.time.zones import zone_of
from cogmem_core.values.models import KEPT_ONLY, Episode, Turn

KNOWN = "sent before"
"""Why a turn changes nothing whose session, ref and words were there already."""

Known = dict[str, Episode]
"""Turns that were sent before, as they were kept then, by the ids of those that were sent now."""
SentBefore = Callable[[Transaction, Sequence[Episode]], Known]
"""Tells which turns are known."""


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
    for episode in as_episodes(services, namespace, turns, mode):
        if episode.role not in remembered or episode.content.strip() in ("", NOT_KEPT):
            episode = replace(episode, status="skipped", reason=KEPT_ONLY)  # noqa: PLW2901
        episodes.append(episode)

    def append(writer: Transaction) -> list[Episode]:
        queued = [episode for episode in episodes if episode.status == "queued"]
        stored_turns = known_turns(namespace, None, writer, queued)
        first = writer.at(namespace).transcripts.next_position(episodes[0].session_id or "")
        rows: list[Episode] = []
        for position, episode in enumerate(episodes, first):
            row = replace(episode, position=position)
            if episode.id in stored_turns:  # the transcript lists it; it is remembered already
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
    episodes = as_episodes(services, namespace, turns, mode)
    try:
        stored_turns = known_after_adding(services, namespace, episodes, shared_ref)
    finally:
        services.claims.leave(namespace)
    return [
        replace(stored_turns[episode.id], reason=KNOWN) if episode.id in stored_turns else episode
        for episode in episodes
    ]


def known_after_adding(
    services: Services, namespace: str, episodes: Sequence[Episode], shared_ref: str | None
) -> Known:
    """Commit the turns that are new; returns those that were known, each with the turn that was kept first."""

    def add(writer: Transaction) -> Known:
        stored_turns = known_turns(namespace, shared_ref, writer, episodes)
        new = [episode for episode in episodes if episode.id not in stored_turns]
        if new:
            writer.at(namespace).turns.add(new)
        return stored_turns

    return services.ledger.write(namespace, add)


def known_turns(
    namespace: str, shared_ref: str | None, writer: Transaction, episodes: Sequence[Episode]
) -> Known:
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
    turns: Known = {}
    for episode in episodes:
        earlier = first.get(_sending(episode)) if episode.ref else None
        if earlier is not None:
            turns[episode.id] = earlier
        elif episode.ref and episode.ref != shared_ref:
            first[_sending(episode)] = episode
    return turns


def _sending(episode: Episode) -> tuple[str | None, str | None, str, str]:
    return episode.session_id, episode.ref, episode.role, episode.content


def ids_of(episodes: Iterable[Episode]) -> list[str]:
    """Their ids, in order."""
    return [episode.id for episode in episodes]


def as_episodes(
    services: Services,
    namespace: str,
    turns: Sequence[Turn],
    mode: str | None,
    *,
    imported: bool = False,
) -> list[Episode]:
    """Turns as they are kept: with an id, a time and the zone of the person who said them."""
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
            metadata={**turn.metadata, **stated_metadata(turn, config), **mark},
            zone=zone,
        )
        episodes.append(episode)
    return episodes
