"""How an intention stands at a moment, and what becomes of it when it fires or is settled. Pure.

Nothing here writes: `changes.apply` carries the moves out.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from cogmem_core.errors import InvalidInput
from cogmem_core.intentions.recurrence import SESSION, next_time
from cogmem_core.text.time.periods import later
from cogmem_core.values.models import Intention

_DAY = 86_400.0  # seconds
OUTCOMES = ("done", "cancelled", "confirmed", "rejected")
"""How a person settles an intention."""


def as_it_stands(intention: Intention, now: datetime) -> Intention:
    """The intention at a moment: expired, missed, put off to its next time, due, or as it was."""
    if intention.state == "proposed":
        is_over = intention.at is not None and now > _end_of(intention)
        return replace(intention, state="expired") if is_over else intention
    if not intention.is_live:
        return intention
    if intention.until is not None and now > intention.until:
        return replace(intention, state="fired" if intention.fires else "expired", every="")
    if not intention.by_time or intention.at is None:
        return intention
    if now > _end_of(intention):
        intention = _put_off(intention, now)
    if intention.is_live and intention.at is not None and intention.at <= now:
        return replace(intention, state="due")
    return intention


def is_due(intention: Intention) -> bool:
    """Whether the moment of an intention, as it stands, has come."""
    return intention.by_time and intention.state == "due"


def waits_for(intention: Intention, now: datetime, session_id: str | None) -> bool:
    """Whether an intention with a `when` may fire now, in this session."""
    if intention.when is None or not intention.is_live:
        return False
    return (intention.at is None or intention.at <= now) and _not_in_this(intention, session_id)


def starts_with(intention: Intention, session_id: str | None) -> bool:
    """Whether an intention for a session fires in this one."""
    if intention.on_session is False or not intention.is_live or session_id is None:
        return False
    if intention.on_session is True:
        return session_id != intention.session_id and _not_in_this(intention, session_id)
    return session_id == intention.on_session


def fired(intention: Intention, now: datetime, session_id: str | None) -> Intention:
    """The intention after it was handed out; what recurs has its next time."""
    fired_intention = replace(
        intention, state="fired", fires=intention.fires + 1, fired_at=now, fired_in=session_id
    )
    if not intention.every or intention.every == SESSION:
        return fired_intention
    return replace(fired_intention, at=_next(intention, now))


def settled(intention: Intention, outcome: str) -> Intention:
    """The intention after a person settled it; what recurs and is done waits for its next time.

    Raises:
        InvalidInput: that cannot become of an intention in its state.
    """
    proposed = intention.state == "proposed"
    if proposed != (outcome in ("confirmed", "rejected")) and outcome != "cancelled":
        fitting = "confirmed or rejected" if proposed else "done or cancelled"
        raise InvalidInput(
            f"outcome is {outcome!r}, and the intention is {intention.state}; give {fitting}"
        )
    if outcome == "confirmed":
        return replace(intention, state="open")
    if outcome == "done" and intention.state == "fired" and intention.is_live:
        return replace(intention, state="open")
    return replace(intention, state=outcome)  # type: ignore[arg-type]


def _put_off(intention: Intention, now: datetime) -> Intention:
    """What nobody asked for within its window: missed, or put off to the newest of its times."""
    if intention.every:
        next_moment = _rule_after(intention, now - timedelta(seconds=intention.window))
        following = next_moment and _rule_after(intention, next_moment)
        while following and following <= now:
            next_moment = following
            following = _rule_after(intention, next_moment)
        if next_moment is not None:
            return replace(intention, state="open", at=next_moment)
    state = "fired" if intention.fires else "missed"
    return replace(intention, state=state, at=None if intention.every else intention.at)  # type: ignore[arg-type]


def _end_of(intention: Intention) -> datetime:
    """Until when an intention is due; the next time takes its place."""
    if intention.at is None:
        return datetime.max.replace(tzinfo=intention.created_at.tzinfo)
    end = later(intention.at, intention.window / _DAY)
    if intention.every and intention.every != SESSION:
        following = _rule_after(intention, intention.at)
        if following is not None:
            return min(end, following - timedelta(microseconds=1))
    return end


def _next(intention: Intention, now: datetime) -> datetime | None:
    start = max(now, intention.at) if intention.at and intention.by_time else now
    next_moment = _rule_after(intention, start)
    if next_moment is not None and intention.until is not None and next_moment > intention.until:
        return None
    return next_moment


def _rule_after(intention: Intention, moment: datetime) -> datetime | None:
    starts_at = intention.starts_at or intention.created_at
    return next_time(intention.every, starts_at, intention.zone, moment)


def _not_in_this(intention: Intention, session_id: str | None) -> bool:
    """Whether it has not fired yet, or recurs and has not fired in this session."""
    return intention.fires == 0 or (
        intention.every != SESSION or (session_id is not None and session_id != intention.fired_in)
    )
