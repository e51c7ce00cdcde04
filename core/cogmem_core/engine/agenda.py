"""What an agent is to do later: arguments are checked here, before anything is read or written."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from cogmem_core import intentions, procedures
from cogmem_core.access import OPERATOR
from cogmem_core.config import Config
from cogmem_core.edge import checks
from cogmem_core.edge.trust import screened
from cogmem_core.encoding.sanitize import (
    checked_label,
    sanitize_turn,
    sanitize_value,
    sanitize_wording,
)
from cogmem_core.engine.rights import require, words_wait
from cogmem_core.engine.sharing import not_its_own
from cogmem_core.errors import InvalidInput, NotFound
from cogmem_core.intentions.recurrence import SESSION, has_end, next_time, rule_of
from cogmem_core.process.services import Services
from cogmem_core.retrieval.recall import Recall
from cogmem_core.text.time.zones import zone_named, zone_of
from cogmem_core.upkeep import reviews
from cogmem_core.values.models import Intention, Message, Procedure, Turn

if TYPE_CHECKING:
    from cogmem_core.engine.bank import MemoryBank
    from cogmem_core.engine.engine import Engine


_DAY = timedelta(days=1)
_LONGEST_WINDOW = timedelta(days=31)
_OPEN = ("proposed", "open", "due", "fired")
_DECISIONS = ("confirmed", "rejected")
_TURN = "turn"
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Wanted(NamedTuple):
    """The arguments of `MemoryBank.intend`, as they were given."""

    text: str
    at: datetime | None
    when: str | None
    on_session: bool | str
    every: str | None
    times: int | None
    until: datetime | None
    window: timedelta | None
    zone: str | None
    session_id: str | None
    metadata: Mapping[str, Any] | None


def intend(bank: MemoryBank, wanted: Wanted) -> Intention:
    """Keep an intention."""
    services = bank.engine.open_services.sealed(bank.namespace)
    intention = _checked(services, bank.namespace, wanted)
    with bank._changing("intend") as record:
        kept = intentions.keep(services, bank.namespace, intention, bank.principal)
        record["id"] = kept.id
    return kept


def due(
    bank: MemoryBank, turn: str | Turn | Message | None, session_id: str | None
) -> tuple[Intention, ...]:
    """Hand out what is due; incognito nothing."""
    services = bank._services().sealed(bank.namespace)
    config = services.config
    turn_text = None
    if turn is not None:
        turn_text = sanitize_turn(_TURN, checks.turn(_TURN, turn, config.limits), config.encoding)
    session = checked_label("session_id", session_id, config)
    if not bank.keeps:
        return ()
    with services.log_operation("due", namespace=bank.namespace) as record:
        with bank.engine.worker.foreground:
            occasion = intentions.Occasion.of(turn_text, session)
            handed_out = intentions.hand_out(services, bank.namespace, occasion)
        record["due"] = len(handed_out)
    return handed_out


def take_shown(engine: Engine, namespace: str, recall: Recall, ids: Collection[str]) -> Recall:
    """Hand out what a recall told is due and a model is shown; the recall with that and nothing else.

    Args:
        engine: the engine.
        namespace: of the recall.
        recall: as it came.
        ids: of the intentions that are shown.
    """
    services = engine.open_services
    shown_intentions = [intention for intention in recall.due if intention.id in ids]
    session = None if recall.origin is None else recall.origin.request.session_id
    with services.log_operation("due", namespace=namespace) as record:
        with engine.worker.foreground:
            handed_out = intentions.take(services, namespace, shown_intentions, session)
        record["due"] = len(handed_out)
    return replace(recall, due=handed_out)


def remind(engine: Engine, namespace: str) -> int:
    """Give intentions whose moment has come to `Engine.on_due`; returns how many.

    What was missed or has expired is put on record.
    """
    services = engine.open_services
    callback = engine.on_due
    count = 0
    if callback is not None:
        bank = engine.bank(namespace)
        for intention in intentions.due_times(services, namespace):
            count += 1
            callback(bank, intention)
    intentions.catch_up(services, namespace)
    return count


def settle(bank: MemoryBank, record_id: str, outcome: str) -> Intention | Procedure:
    """Say what became of an intention, or what a person thinks of a procedure."""
    services = bank.engine.open_services
    namespace = bank.namespace
    checked_id = checks.identifier("intention_id", record_id)
    outcome = checks.choice("outcome", outcome, intentions.OUTCOMES)
    with services.log_operation("settle", namespace=namespace, id=checked_id):
        record = find(services, namespace, checked_id)
        if record is None:
            raise NotFound(
                f"no intention or procedure {checks.display(checked_id)} in namespace {namespace!r}; "
                "bank.intentions() and bank.procedures() show the ids"
            )
        if outcome in _DECISIONS and _waits(bank, record):
            require(bank, "review")
            not_its_own(bank, record)
        if isinstance(record, Procedure):
            return procedures.settle(services, namespace, record, outcome)
        return intentions.settle(services, namespace, record, outcome, bank.principal)


def _waits(bank: MemoryBank, record: Intention | Procedure) -> bool:
    """Whether to confirm or reject it is to decide about what waits for a person."""
    if bank.principal == OPERATOR:
        return False
    if isinstance(record, Procedure):
        return record.state == "quarantined"
    if record.state != "proposed":
        return False
    return words_wait(bank) or reviews.is_open(bank.engine.open_services, bank.namespace, record.id)


def find(services: Services, namespace: str, record_id: object) -> Intention | Procedure | None:
    """The intention or procedure of that id."""
    if not isinstance(record_id, str) or not _ID.fullmatch(record_id):
        return None
    record = intentions.by_id(services, namespace, record_id)
    return record or procedures.by_id(services, namespace, record_id)


def drop(services: Services, namespace: str, record: Intention | Procedure) -> str:
    """Cancel an intention that has not ended, or retire a procedure; returns its kind, "" = it was over."""
    if isinstance(record, Procedure):
        if record.state == "retired":
            return ""
        procedures.settle(services, namespace, record, "rejected")
        return "procedures"
    if record.state not in _OPEN:
        return ""
    intentions.settle(services, namespace, record, "cancelled")
    return "intentions"


def _checked(services: Services, namespace: str, wanted: Wanted) -> Intention:
    config = services.config
    now = services.runtime.now()
    text = _text("text", wanted.text, services)
    triggers = [
        wanted.at is not None,
        wanted.when is not None,
        wanted.on_session not in (False, None),
    ]
    if sum(triggers) != 1:
        raise InvalidInput(
            f"{sum(triggers)} of at, when and on_session are given; give one of them: a moment, "
            "what must be said, or a session"
        )
    at = None if wanted.at is None else _ahead("at", wanted.at, now)
    until = None if wanted.until is None else _ahead("until", wanted.until, now)
    if at is not None and until is not None and until < at:
        raise InvalidInput(f"until is {until.isoformat()}, before at; give a later moment")
    zone = _zone(wanted, config)
    times = 0 if wanted.times is None else checks.positive("times", wanted.times)
    starts_at = at or now
    every = ""
    if wanted.every is not None:
        every = _recurrence(wanted, starts_at, zone, times, until)
        if at is not None:
            at = next_time(every, starts_at, zone, starts_at - timedelta(microseconds=1))
    elif times > 1:
        raise InvalidInput(f"times is {times}, and every is not given; say how it recurs")
    metadata = checks.metadata(wanted.metadata or {}, config.limits)
    on_session = False if wanted.on_session is None else wanted.on_session
    if not isinstance(on_session, bool):
        on_session = checked_label("on_session", on_session, config) or False
    return Intention(
        id=services.runtime.new_id(),
        namespace=namespace,
        text=text,
        created_at=now,
        updated_at=now,
        at=at,
        window=_window(wanted.window, at),
        when=None if wanted.when is None else _text("when", wanted.when, services),
        on_session=on_session,
        every=every,
        zone=zone if every else "",
        starts_at=starts_at if every else None,
        times=times,
        until=until,
        session_id=checked_label("session_id", wanted.session_id, config),
        metadata=sanitize_value("metadata", metadata, config.encoding),
    )


def _text(name: str, value: object, services: Services) -> str:
    """A text that a prompt may hold: without secrets, and no order to the model."""
    config = services.config
    checked = checks.text(name, value, config.limits.query_bytes)
    clean, _ = sanitize_wording(name, checked, config.encoding)
    reason = screened(clean, "user_message", 1.0, config.guard).reason
    if reason:
        raise InvalidInput(f"{name} holds {reason}; say in plain words what is to come up")
    return clean


def _ahead(name: str, value: object, now: datetime) -> datetime:
    moment = checks.moment(name, value)
    if moment < now:
        raise InvalidInput(f"{name} is {moment.isoformat()}, in the past; give a moment to come")
    return moment


def _zone(wanted: Wanted, config: Config) -> str:
    """The zone of the recurrence: the one given, that of `at` if it has a name, else the configured one."""
    if wanted.zone is not None:
        name = checks.key("zone", wanted.zone, 128)
        try:
            zone_named(name)
        except (ValueError, OverflowError):
            raise InvalidInput(
                f"zone is {checks.display(name)}; give the name of a time zone such as 'Europe/Istanbul'"
            ) from None
        return name
    own = zone_of(wanted.at) if isinstance(wanted.at, datetime) else ""
    return own if own[:1].isalpha() else config.encoding.timezone


def _recurrence(
    wanted: Wanted, starts_at: datetime, zone: str, times: int, until: datetime | None
) -> str:
    every = checks.text("every", wanted.every, 500)
    if every.strip().lower() == SESSION:
        if wanted.at is not None:
            raise InvalidInput("every is 'session', and at is a moment; give a rule such as 'day'")
        rule = SESSION
    else:
        if wanted.on_session not in (False, None):
            raise InvalidInput(
                f"every is {checks.display(every)}, and on_session is given; give 'session'"
            )
        rule = rule_of(every, starts_at, zone, times if wanted.at is not None else 0)
    if not (times or until is not None or has_end(rule)):
        raise InvalidInput(
            f"every is {checks.display(every)}, which has no end; give until= (a moment) or times= (how often)"
        )
    return rule


def _window(value: object, at: datetime | None) -> float:
    if value is None:
        return _DAY.total_seconds()
    if not isinstance(value, timedelta) or not timedelta(0) < value <= _LONGEST_WINDOW:
        raise InvalidInput(f"window is {value!r}; give a timedelta above 0, at most 31 days")
    if at is None:
        raise InvalidInput("window is for intentions with at; leave it out, or give until")
    return value.total_seconds()
