"""What an agent did, and how such tasks are done: arguments are checked here, before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cogmem_core import procedures
from cogmem_core.config import Config
from cogmem_core.edge import checks
from cogmem_core.encoding.sanitize import checked_label, sanitize, sanitize_value
from cogmem_core.engine.filters import checked_session
from cogmem_core.errors import InvalidInput, NotFound, StoreError
from cogmem_core.process.services import Services
from cogmem_core.values.models import Procedure, TaskRun, ToolCall
from cogmem_core.values.results import ImportReport

if TYPE_CHECKING:
    from cogmem_core.engine.engine import Engine


Call = ToolCall | Mapping[str, Any]
_MOST_CALLS = 500
_SKILL_BYTES = 200_000


@dataclass(frozen=True, slots=True)
class QueuedRun:
    """A run that callbacks have seen: the worker keeps it.

    Attributes:
        on_done: receives it as it was kept.
    """

    namespace: str
    task: str
    calls: tuple[ToolCall, ...]
    session_id: str
    on_done: Callable[[TaskRun], None] | None = None

    def carry_out(self, services: Services) -> None:
        """Keep it, and learn from it."""
        run = observe_run(
            services,
            self.namespace,
            self.task,
            self.calls,
            session_id=self.session_id,
            ok=None,
            at=None,
        )
        if self.on_done is not None:
            self.on_done(run)


def observe_run(
    services: Services,
    namespace: str,
    task: str,
    calls: Sequence[Call],
    *,
    session_id: str,
    ok: bool | None,
    at: datetime | None,
) -> TaskRun:
    """Keep a run, and learn from it."""
    config = services.sealed(namespace).config
    text, _ = sanitize(
        "task", checks.text("task", task, config.limits.query_bytes), config.encoding
    )
    session = checked_session(config, session_id)
    checked = _calls(calls, config)
    if ok is not None:
        checks.flag("ok", ok)
    run = TaskRun(
        id=services.runtime.new_id(),
        namespace=namespace,
        task=text,
        session_id=session,
        at=services.runtime.now() if at is None else checks.moment("at", at),
        calls=checked,
        ok=_end_of(checked) if ok is None else ok,
    )
    with services.log_operation("observe_run", namespace=namespace, calls=len(checked)) as record:
        stored_run = procedures.keep_run(services, namespace, run)
        record["ok"] = stored_run.ok
    return stored_run


def outcome(services: Services, namespace: str, run: TaskRun | str, ok: bool) -> TaskRun:
    """Say how a run ended."""
    run_id = checks.identifier("run", run.id if isinstance(run, TaskRun) else run)
    checks.flag("ok", ok)
    with services.log_operation("outcome", namespace=namespace, id=run_id, ok=ok):
        ended = procedures.end_run(services, namespace, run_id, ok=ok)
        if ended is None:
            raise NotFound(
                f"no run {checks.display(run_id)} in namespace {namespace!r}; give what observe_run returned"
            )
    return ended


def export_procedure(services: Services, namespace: str, procedure_id: str, path: object) -> Path:
    """Write a procedure as SKILL.md."""
    place = checks.path("path", path)
    checked_id = checks.identifier("procedure_id", procedure_id)
    procedure = procedures.by_id(services, namespace, checked_id)
    if procedure is None:
        raise NotFound(
            f"no procedure {checks.display(checked_id)} in namespace {namespace!r}; bank.procedures() shows the ids"
        )
    try:
        file = place / "SKILL.md" if place.is_dir() else place
        file.write_text(procedures.write_skill(procedure), encoding="utf-8")
    except OSError as error:
        raise StoreError(
            f"cannot write {place}: {error}; name a file in a writable folder"
        ) from error
    return file


def import_skill(engine: Engine, namespace: str, place: object) -> ImportReport:
    """Read a SKILL.md as a candidate; orders to the model are set aside."""
    services = engine.open_services
    path = checks.path("path", place)
    file = path / "SKILL.md" if path.is_dir() else path
    try:
        data = file.read_bytes()
        text = data.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"cannot read {file}: {error}; give the path of a SKILL.md") from error
    if len(data) > _SKILL_BYTES:
        raise InvalidInput(
            f"{file} has {len(data):,} bytes, the limit is {_SKILL_BYTES:,}; shorten it"
        )
    clean, _ = sanitize(file.name, text, services.sealed(namespace).config.encoding)
    skill = procedures.read_skill(str(file), clean)
    now = services.runtime.now()
    procedure = Procedure(
        id=services.runtime.new_id(),
        namespace=namespace,
        trigger=skill.description,
        steps=skill.steps,
        created_at=now,
        updated_at=now,
        avoid=skill.avoid,
        preconditions=skill.preconditions,
        provenance=(f"file:{file.name}",),
        name=skill.name,
    )
    with services.log_operation("import_skill", namespace=namespace) as record:
        stored_procedure = procedures.keep(
            services, namespace, procedures.screened(procedure, clean)
        )
        record["id"] = stored_procedure.id
    new = stored_procedure.id == procedure.id
    return ImportReport(1, int(new), int(not new))


def _calls(calls: object, config: Config) -> tuple[ToolCall, ...]:
    listed_calls = checks.listed("calls", calls, "cogmem_core.models.ToolCall")
    if len(listed_calls) > _MOST_CALLS:
        raise InvalidInput(
            f"calls has {len(listed_calls)} entries, the limit is {_MOST_CALLS}; split it"
        )
    return tuple(_call(f"calls[{place}]", call, config) for place, call in enumerate(listed_calls))


def _call(name: str, call: object, config: Config) -> ToolCall:
    """A call, given as a `ToolCall` or as a mapping with its fields."""
    if isinstance(call, Mapping):
        unknown = set(call) - {"tool", "arguments", "ok"}
        if unknown or "tool" not in call:
            raise InvalidInput(
                f"{name} has the names {sorted(map(str, call))}; give tool, arguments, ok"
            )
        call = ToolCall(call["tool"], call.get("arguments") or {}, call.get("ok"))
    if not isinstance(call, ToolCall):
        raise InvalidInput(f"{name} is a {type(call).__name__}; give a ToolCall or a dict")
    if call.ok is not None:
        checks.flag(f"{name}.ok", call.ok)
    tool = checked_label(f"{name}.tool", call.tool, config)
    if tool is None:
        raise InvalidInput(f"{name}.tool is None; give the name of the tool")
    arguments = checks.metadata(call.arguments, config.limits)
    return ToolCall(tool, sanitize_value(f"{name}.arguments", arguments, config.encoding), call.ok)


def _end_of(calls: Sequence[ToolCall]) -> bool | None:
    """What the calls tell of the end: a last one that failed, or none that did; else nobody knows."""
    if calls and calls[-1].ok is False:
        return False
    return True if calls and all(call.ok for call in calls) else None
