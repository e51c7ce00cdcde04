"""What agents call for their tasks, from the tool events of both frameworks' callbacks.

Each root run in which tools were called is kept as `MemoryBank.observe_run` keeps it, so that
procedures are learnt without code of the user's. The task is what the first recall of the run was
asked, with its session; the namespace is that of the run's recalls. Where there is no such recall,
no session, or more than one namespace, nothing is kept. Nothing here waits: the worker writes.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from cogmem_core.adapters.tools import TOOLS
from cogmem_core.base.lru import LRUCache
from cogmem_core.config import LimitsConfig
from cogmem_core.edge import checks
from cogmem_core.engine import Engine
from cogmem_core.engine.recall_registry import RegisteredRecall
from cogmem_core.engine.rights import may_write
from cogmem_core.engine.tasks import QueuedRun
from cogmem_core.errors import InvalidInput
from cogmem_core.text.broken import readable, readable_value
from cogmem_core.values.models import TaskRun, ToolCall

RunListener = Callable[[TaskRun], None]
Path = tuple[Hashable, ...]
_MOST_CALLS = 500
_LONGEST = 1_000  # characters of an argument, as JSON


@dataclass(slots=True)
class _Call:
    tool: str
    arguments: Mapping[str, Any]
    ok: bool | None = None


@dataclass(slots=True)
class _Task:
    """What happened under a root run.

    Attributes:
        first: the recall that was asked what is wanted.
        namespaces: of all recalls.
        calls: of tools, by their runs, in the order in which they began.
        is_open: it was interrupted, and goes on in another run.
    """

    first: RegisteredRecall | None = None
    session: str = ""
    namespaces: set[str] = field(default_factory=set)
    calls: dict[Hashable, _Call] = field(default_factory=dict)
    is_open: bool = False


class TaskRuns:
    """Follows the tools of root runs. Thread-safe; all it keeps is bounded.

    Args:
        engine: whose recalls tell the tasks.
        path_of: the run that is asked about and all above it, the root first.
        on_run: called with each run that was kept, by the worker's thread: so a host can tell its
            `MemoryBank.outcome`.
        max_runs: how many root runs are followed at once; the oldest are given up.
    """

    def __init__(
        self,
        engine: Engine,
        path_of: Callable[[Hashable], Path],
        *,
        on_run: RunListener | None,
        max_runs: int,
    ) -> None:
        self._engine = engine
        self._path_of = path_of
        self._on_run = on_run
        self._lock = threading.Lock()
        self._tasks: LRUCache[Hashable, _Task] = LRUCache(max_runs)

    def asked(self, run: Hashable, source: RegisteredRecall) -> None:
        """Something was recalled in a run; what a tool looks up is no task."""
        path = self._path_of(run)
        origin = source.recall.origin
        session = None if origin is None else origin.request.session_id
        with self._lock:
            task = self._tasks.made(path[0], _Task)
            if any(above in task.calls for above in path):
                return
            task.namespaces.add(source.bank.namespace)
            if task.first is None and session is not None:
                task.first = source
                task.session = session

    def call_started(self, run: Hashable, tool: str, arguments: Mapping[str, Any]) -> None:
        """A tool was called; one that a tool calls belongs to that, and those of memory to no task."""
        path = self._path_of(run)
        call = _Call(tool, _plain(arguments, self._engine.services.config.limits))
        with self._lock:
            task = self._tasks.made(path[0], _Task)
            is_inner = any(above in task.calls for above in path)
            if tool and tool not in TOOLS and not is_inner and len(task.calls) < _MOST_CALLS:
                task.calls[run] = call

    def call_ended(self, run: Hashable, *, ok: bool) -> None:
        """A tool returned, or failed."""
        root = self._path_of(run)[0]
        with self._lock:
            task = self._tasks.get(root)
            call = task.calls.get(run) if task is not None else None
            if call is not None:
                call.ok = ok

    def call_put_off(self, run: Hashable) -> None:
        """A tool waits for a person, and will be called anew."""
        root = self._path_of(run)[0]
        with self._lock:
            task = self._tasks.get(root)
            if task is not None:
                task.calls.pop(run, None)

    def interrupted(self, run: Hashable) -> None:
        """The root of a run will end before its task does."""
        self.call_put_off(run)
        root = self._path_of(run)[0]
        with self._lock:
            self._tasks.made(root, _Task).is_open = True

    def ended(self, run: Hashable, *, failed: bool) -> None:
        """A run ended; that of a root run ends its task.

        Whether the task was done, its calls tell. If the run failed and its last call did not,
        nobody knows, and nothing is kept.
        """
        with self._lock:
            task = self._tasks.pop(run)
        if task is None or task.first is None or not task.calls or task.is_open:
            return
        calls = [ToolCall(call.tool, call.arguments, call.ok) for call in task.calls.values()]
        if len(task.namespaces) != 1 or (failed and calls[-1].ok is not False):
            return
        if self._engine.recall_registry.claim_run(run):
            bank = task.first.bank
            if not may_write(bank):
                return
            run_to_keep = QueuedRun(
                bank.namespace, task.first.recall.query, tuple(calls), task.session, self._on_run
            )
            self._engine.judge(run_to_keep)


def _plain(arguments: Mapping[str, Any], limits: LimitsConfig) -> Mapping[str, Any]:
    """The arguments that are JSON values; what frameworks put in besides is not, and long ones are cut.

    Empty if they are too many to be kept.
    """
    plain: dict[str, Any] = {}
    for name, value in arguments.items():
        with suppress(InvalidInput):
            written = checks.json_object("arguments", readable_value({str(name): value}))
            if len(written) > _LONGEST:
                text = value if isinstance(value, str) else written
                written = json.dumps({str(name): readable(text[:_LONGEST])})
            plain.update(json.loads(written))
    with suppress(InvalidInput):
        return checks.metadata(plain, limits)
    return {}
