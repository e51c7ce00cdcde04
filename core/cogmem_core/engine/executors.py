"""Workers for a batch of dream cycles: threads, processes, or tasks of a Ray cluster.

Processes and tasks read how to open the store as JSON; no object is handed over, and nothing is
unpickled.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Protocol

from cogmem_core.base.error_texts import report
from cogmem_core.base.timeouts import Deadline
from cogmem_core.config.settings import as_table
from cogmem_core.consolidation import CycleControl
from cogmem_core.engine.batch import Batch, run_batch
from cogmem_core.errors import CogMemError, InvalidInput

if TYPE_CHECKING:
    from cogmem_core.engine.engine import Engine


_ENDING_SECONDS = 60.0
# Named, not imported: it opens engines, and engines start it.
_WORKER = "cogmem_core.engine.worker_process"


class WorkerPool(Protocol):
    """Workers that work off a batch, however they are run."""

    @property
    def failures(self) -> Sequence[str]:
        """Why workers ended before the batch did."""

    def wait(self, seconds: float) -> bool:
        """Wait for all of them to end, at most so long; returns whether they have."""


class _Threads:
    """Threads of this process, on the engine that is open here."""

    def __init__(self, futures: Sequence[Future[dict[str, str]]]) -> None:
        self._futures = futures

    @property
    def failures(self) -> Sequence[str]:
        ended = (future.exception() for future in self._futures if future.done())
        return [str(error) for error in ended if error]

    def wait(self, seconds: float) -> bool:
        return not wait(self._futures, timeout=seconds).not_done


@contextmanager
def _threads(engine: Engine, batch: Batch, workers: int) -> Iterator[WorkerPool]:
    stop = threading.Event()
    watch = CycleControl(engine.yield_to_foreground, stopping=stop.is_set)
    with ThreadPoolExecutor(workers, thread_name_prefix="cogmem-fan-out") as pool:
        try:
            yield _Threads(
                [
                    pool.submit(run_batch, engine.services, batch, first=first, watch=watch)
                    for first in _starts(batch, workers)
                ]
            )
        finally:
            stop.set()


class _Processes:
    """Processes of this machine; they end when their standard input is closed."""

    def __init__(self, processes: Sequence[subprocess.Popen[str]]) -> None:
        self._processes = processes

    @property
    def failures(self) -> Sequence[str]:
        failed = [process for process in self._processes if process.returncode]
        return [f"worker {process.pid} ended with code {process.returncode}" for process in failed]

    def wait(self, seconds: float) -> bool:
        running = [process for process in self._processes if process.poll() is None]
        if running:
            try:
                running[0].wait(seconds)
            except subprocess.TimeoutExpired:
                return False
        return all(process.poll() is not None for process in self._processes)


@contextmanager
def _processes(engine: Engine, batch: Batch, workers: int) -> Iterator[WorkerPool]:
    recipe = _recipe(engine)
    command = [sys.executable, "-c", f"from {_WORKER} import serve; serve()"]
    processes: list[subprocess.Popen[str]] = []
    try:
        for first in _starts(batch, workers):
            process = subprocess.Popen(command, stdin=subprocess.PIPE, text=True)  # noqa: S603 - ours
            processes.append(process)
            _write(process, _order(recipe, batch, first) + "\n")
        yield _Processes(processes)
    finally:
        _end(processes)


def _write(process: subprocess.Popen[str], text: str) -> None:
    """Write to the standard input of a process; an empty text closes it."""
    # A process that died already shows by its code; closing would flush what it has not read.
    with suppress(BrokenPipeError):
        if process.stdin is not None and text:
            process.stdin.write(text)
            process.stdin.flush()
        elif process.stdin is not None:
            process.stdin.close()


def _end(processes: Sequence[subprocess.Popen[str]]) -> None:
    """Tell all of them first, then wait: so they end at the same time."""
    for process in processes:
        _write(process, "")
    deadline = Deadline(_ENDING_SECONDS)
    for process in processes:
        try:
            process.wait(deadline.left)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class _RayTasks:
    """Tasks of a Ray cluster."""

    def __init__(self, ray: Any, tasks: Sequence[Any]) -> None:
        self._ray = ray
        self._tasks = list(tasks)

    @property
    def failures(self) -> Sequence[str]:
        messages = []
        ended, _ = self._ray.wait(self._tasks, num_returns=len(self._tasks), timeout=0)
        for task in ended:
            try:
                self._ray.get(task)
            except (self._ray.exceptions.RayError, CogMemError, OSError) as error:
                messages.append(report(getattr(error, "cause", None) or error))
        return messages

    def wait(self, seconds: float) -> bool:
        _, running = self._ray.wait(self._tasks, num_returns=len(self._tasks), timeout=seconds)
        return not running


@contextmanager
def _ray_tasks(engine: Engine, batch: Batch, workers: int) -> Iterator[WorkerPool]:
    try:
        import ray
    except ImportError as error:
        message = "on='ray' needs Ray: pip install 'ray>=2.40'; or use on='processes'"
        raise InvalidInput(message) from error
    recipe = _recipe(engine)
    started_here = not ray.is_initialized()
    if started_here:
        address = os.environ.get("RAY_ADDRESS")
        ray.init(address=address, log_to_driver=False, include_dashboard=False)
    task = ray.remote(num_cpus=1, max_retries=3, scheduling_strategy="SPREAD")(_work_in_task)
    tasks = [task.remote(_order(recipe, batch, first)) for first in _starts(batch, workers)]
    try:
        yield _RayTasks(ray, tasks)
    finally:
        for running in tasks:
            ray.cancel(running, force=False)
        if started_here:
            ray.shutdown()


def _work_in_task(order: str) -> dict[str, str]:
    failures: dict[str, str] = importlib.import_module(_WORKER).work(order)
    return failures


def _starts(batch: Batch, workers: int) -> list[int]:
    """Where each worker begins; no more workers than there are namespaces."""
    total = len(batch.cycles)
    count = min(workers, total)
    return [total * number // count for number in range(count)]


def _recipe(engine: Engine) -> dict[str, Any]:
    """How another process opens the same store."""
    origin = engine.origin
    services = engine.services
    if origin["folder"] is None and services.config.storage.ledger_url is None:
        raise InvalidInput(
            "the memories are in memory only, where no other process sees them; use on='threads'"
        )
    for name, part in (("embedder", services.embedder), ("llm", services.llm)):
        if part is not None and origin[name] is None:
            raise InvalidInput(
                f"the {name} is an object, which another process cannot make again; use "
                "on='threads'"
            )
    return {**origin, "config": as_table(services.config)}


def _order(recipe: Mapping[str, Any], batch: Batch, first: int) -> str:
    return json.dumps({**recipe, "steps": batch.steps, "cycles": batch.cycles, "first": first})


EXECUTORS: Mapping[str, Callable[[Engine, Batch, int], AbstractContextManager[WorkerPool]]] = {
    "threads": _threads,
    "processes": _processes,
    "ray": _ray_tasks,
}
