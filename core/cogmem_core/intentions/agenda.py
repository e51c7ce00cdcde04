"""What is due: found without writing, handed out once, whatever process asks.

An intention is handed out by a move from the state in which it was read; of two processes that try,
the ledger lets one. So a handed-out intention may be lost with the process that took it, and is
then found among those that fired and were not settled; it never comes twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain
from typing import NamedTuple, cast

from cogmem_core.changes import Actor, Change, Keep, Move, carry_out
from cogmem_core.errors import InvalidInput, Protected
from cogmem_core.intentions import life
from cogmem_core.intentions.matching import fulfilled
from cogmem_core.process.services import Services
from cogmem_core.values.models import Intention, Turn

_SYSTEM = Actor("intentions")
_HOLDING = ("active", "dormant")


class Occasion(NamedTuple):
    """What may make an intention due, besides the time.

    Attributes:
        text: what was said; empty if nothing was.
        session_id: the session.
        speaker: who said it.
    """

    text: str = ""
    session_id: str | None = None
    speaker: str = ""

    @staticmethod
    def of(turn: Turn | None, session_id: str | None) -> Occasion:
        """That of a turn, or of the beginning of a session."""
        if turn is None:
            return Occasion("", session_id)
        return Occasion(turn.content, turn.session_id or session_id, turn.speaker or "")


def due_now(
    services: Services,
    live: Sequence[Intention],
    occasion: Occasion,
    now: datetime,
) -> list[Intention]:
    """Of live intentions those that are due on an occasion, as they stand; changes nothing."""
    standing = [life.as_it_stands(intention, now) for intention in live]
    by_time = [intention for intention in standing if life.is_due(intention)]
    by_time.sort(key=lambda intention: (intention.at or now, intention.id))
    by_event = [i for i in standing if life.starts_with(i, occasion.session_id)]
    waiting = [i for i in standing if life.waits_for(i, now, occasion.session_id)]
    if occasion.text and waiting:
        by_event += fulfilled(
            services.embedder, waiting, occasion.text, now, speaker=occasion.speaker
        )
    return [*by_time, *sorted(by_event, key=lambda intention: intention.id)]


def hand_out(services: Services, namespace: str, occasion: Occasion) -> tuple[Intention, ...]:
    """Those that are due on an occasion, each of them once; what was missed or has expired is told so."""
    now = services.runtime.now()
    live = _live(services, namespace)
    due = due_now(services, live, occasion, now)
    called_off = called_off_among(services, namespace, due)
    due = [intention for intention in due if intention.id not in called_off]
    due_ids = {intention.id for intention in due}
    changes: list[Change] = [
        Move(life.fired(intention, now, occasion.session_id), "it was due") for intention in due
    ]
    changes += [
        Move(replace(intention, state="cancelled"), "called off")
        for intention in live
        if intention.id in called_off
    ]
    changes += _catching_up(live, due_ids | called_off, now)
    if not changes:
        return ()
    return _moved(services, namespace, changes, due)


def due_times(services: Services, namespace: str) -> Iterator[Intention]:
    """Those whose moment has come, one after the other, each handed out when it is asked for."""
    now = services.runtime.now()
    due = due_now(services, _live(services, namespace), Occasion(), now)
    called_off = called_off_among(services, namespace, due)
    for intention in due:
        if intention.id not in called_off:
            yield from take(services, namespace, [intention], None)


def take(
    services: Services, namespace: str, due: Sequence[Intention], session_id: str | None
) -> tuple[Intention, ...]:
    """Hand these out, as a recall told that they are due; not those that somebody else got meanwhile."""
    changes = [
        Move(life.fired(intention, services.runtime.now(), session_id), "it was due")
        for intention in due
    ]
    return _moved(services, namespace, changes, due)


def give_back(services: Services, namespace: str, handed_out: Mapping[str, int]) -> None:
    """Those become due again that nobody was told; not one that changed since it was handed out.

    `handed_out`: by id which state of it that was.
    """
    with services.ledger.reading(namespace) as ns:
        found = ns.intentions.by_ids(sorted(handed_out)).values()
    for fired in found:
        at = fired.fired_at if fired.every else fired.at
        unheard = replace(fired, state="open", at=at, fires=fired.fires - 1, fired_in=None)
        move = Move(replace(unheard, seq=handed_out[fired.id]), "no answer told it")
        carry_out(services, namespace, [move], actor=_SYSTEM)


def _moved(
    services: Services, namespace: str, changes: Sequence[Change], due: Sequence[Intention]
) -> tuple[Intention, ...]:
    """Those of them that the ledger let go."""
    records = carry_out(services, namespace, changes, actor=_SYSTEM).records
    return tuple(cast("Intention", records[i.id]) for i in due if i.id in records)


def catch_up(services: Services, namespace: str) -> None:
    """Put on record which intentions are due, were missed or have expired."""
    changes = _catching_up(_live(services, namespace), (), services.runtime.now(), due=True)
    if changes:
        carry_out(services, namespace, changes, actor=_SYSTEM)


def keep(
    services: Services, namespace: str, intention: Intention, principal: str = ""
) -> Intention:
    """Store a declared intention; the same one that is open, or waits, is returned instead.

    Args:
        services: the parts of the engine.
        namespace: where.
        intention: as it is declared.
        principal: who declares it; "" = the operator.

    Raises:
        Protected: a person rejected it, and the principal is an agent where others read.
    """
    for live_intention in _live(services, namespace):
        if live_intention.state == "open" and _same(live_intention, intention):
            return live_intention
    change = Keep(intention, "declared")
    applied = carry_out(
        services,
        namespace,
        [change],
        actor=Actor("user", principal=principal),
        guard=services.config.guard,
    )
    waiting = applied.waiting.get(intention.id)
    if waiting is not None and waiting.target_id != intention.id:
        return cast("Intention", by_id(services, namespace, waiting.target_id))
    if applied.refused:
        raise Protected(
            f"intention {intention.text[:80]!r} is what a person rejected, which no agent brings "
            "back; a person may state it"
        )
    return cast("Intention", applied.records[intention.id])


def settle(
    services: Services, namespace: str, intention: Intention, outcome: str, principal: str = ""
) -> Intention:
    """Move an intention to what a person, or a principal, says of it.

    Raises:
        InvalidInput: that cannot become of it.
    """
    moved = life.settled(life.as_it_stands(intention, services.runtime.now()), outcome)
    applied = carry_out(
        services, namespace, [Move(moved, outcome)], actor=Actor("user", principal=principal)
    )
    if applied.refused:
        raise InvalidInput(
            f"outcome is {outcome!r}: {applied.refused[0].reason}; bank.intentions() tells how it "
            "stands"
        )
    return cast("Intention", applied.records[intention.id])


def by_id(services: Services, namespace: str, intention_id: str) -> Intention | None:
    """The intention of that id, as it was last put on record."""
    with services.ledger.reading(namespace) as ns:
        return ns.intentions.by_ids([intention_id]).get(intention_id)


def all_of(
    services: Services, namespace: str, states: Collection[str] | None
) -> tuple[Intention, ...]:
    """Intentions as they stand now, oldest first; `states`: only those in one of them."""
    now = services.runtime.now()
    with services.ledger.reading(namespace) as ns:
        intentions = ns.intentions.all()
    standing = [life.as_it_stands(intention, now) for intention in intentions]
    pending = [i for i in standing if i.state in ("proposed", "open", "due")]
    called_off = called_off_among(services, namespace, pending)
    standing = [replace(i, state="cancelled") if i.id in called_off else i for i in standing]
    return tuple(i for i in standing if states is None or i.state in states)


def called_off_among(services: Services, namespace: str, inferred: Iterable[Intention]) -> set[str]:
    """Ids of intentions that were inferred from what was forgotten or no longer holds."""
    sources = {i.id: i.memory_ids for i in inferred if i.kind == "inferred" and i.memory_ids}
    if not sources:
        return set()
    with services.ledger.reading(namespace) as ns:
        memories = ns.memories.by_ids(sorted(set(chain.from_iterable(sources.values()))))
    return {
        intention_id
        for intention_id, memory_ids in sources.items()
        if not any(i in memories and memories[i].state in _HOLDING for i in memory_ids)
    }


def _live(services: Services, namespace: str) -> tuple[Intention, ...]:
    with services.ledger.reading(namespace) as ns:
        return services.agents.of(ns).intentions


def _catching_up(
    live: Sequence[Intention], fired_ids: Collection[str], now: datetime, *, due: bool = False
) -> list[Change]:
    """Moves of what is missed, expired or put off; with `due` also of what is due."""
    changes: list[Change] = []
    for intention in live:
        standing = life.as_it_stands(intention, now)
        if intention.id in fired_ids or standing == intention:
            continue
        if due or standing.state != "due":
            changes.append(Move(standing, f"it is {standing.state}"))
        elif standing.at != intention.at:
            changes.append(Move(replace(standing, state="open"), "an earlier time was missed"))
    return changes


def _same(live: Intention, new: Intention) -> bool:
    names = ("text", "at", "when", "on_session", "every", "times", "until", "session_id")
    return all(getattr(live, name) == getattr(new, name) for name in names)
