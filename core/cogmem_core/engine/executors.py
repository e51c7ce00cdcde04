"""Who works off a round of dream cycles: threads, processes, or tasks of a Ray cluster.

Processes and tasks are told how to open the store as JSON; no object is handed over, and nothing is unpickled.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cogmem_core.config.loading import config_of
from cogmem_core.config.settings import as_table
from cogmem_core.consolidation import Watch
from cogmem_core.engine.fanout import Hands, Round, work_off
from cogmem_core.errors import CogMemError, InvalidInput
from cogmem_core.reasons import report
from cogmem_core.timeouts import Deadline

if TYPE_CHECKING:
    from cogmem_core.engine import Engine

__all__ = ["EXECUTORS", "serve", "work"]

_ENDING_SECONDS = 60.0
_SERVE = "from cogmem_core.engine.executors import serve; serve()"


class _Threads:
    """Threads of this process, on the engine that is open here."""

    def __init__(self, futures: Sequence[Future[dict[str, str]]]) -> None:
        self._futures = futures

    @property
    def troubles(self) -> Sequence[str]:
        return [str(future.exception()) for future in self._futures if future.done() and future.exception()]

    def wait(self, seconds: float) -> bool:
        return not wait(self._futures, timeout=seconds).not_done


@contextmanager
def _threads(engine: Engine, order: Round, workers: int) -> Iterator[Hands]:
    stop = threading.Event()
    watch = Watch(engine.let_pass, stopping=stop.is_set)
    with ThreadPoolExecutor(workers, thread_name_prefix="cogmem-fan-out") as pool:
        try:
            starts = _starts(order, workers)
            yield _Threads([pool.submit(work_off, engine.services, order, first=at, watch=watch) for at in starts])
        finally:
            stop.set()


class _Processes:
    """Processes of this machine; they end when their standard input is closed."""

    def __init__(self, running: Sequence[subprocess.Popen[str]]) -> None:
        self._running = running

    @property
    def troubles(self) -> Sequence[str]:
        return [f"worker {one.pid} ended with code {one.returncode}" for one in self._running if one.returncode]

    def wait(self, seconds: float) -> bool:
        left = [one for one in self._running if one.poll() is None]
        if left:
            try:
                left[0].wait(seconds)
            except subprocess.TimeoutExpired:
                return False
        return all(one.poll() is not None for one in self._running)


@contextmanager
def _processes(engine: Engine, order: Round, workers: int) -> Iterator[Hands]:
    recipe = _recipe(engine)
    running = list[subprocess.Popen[str]]()
    try:
        for at in _starts(order, workers):
            one = subprocess.Popen([sys.executable, "-c", _SERVE], stdin=subprocess.PIPE, text=True)  # noqa: S603 - ours
            running.append(one)
            _tell(one, _order(recipe, order, at) + "\n")
        yield _Processes(running)
    finally:
        _end(running)


def _tell(one: subprocess.Popen[str], text: str) -> None:
    # One that died already is seen to have ended, and closing would write what it has not read.
    with suppress(BrokenPipeError):
        if one.stdin is not None and text:
            one.stdin.write(text)
            one.stdin.flush()
        elif one.stdin is not None:
            one.stdin.close()


def _end(running: Sequence[subprocess.Popen[str]]) -> None:
    """Tell all of them, then wait: they end at the same time, not one after the other."""
    for one in running:
        _tell(one, "")
    until = Deadline(_ENDING_SECONDS)
    for one in running:
        try:
            one.wait(until.left)
        except subprocess.TimeoutExpired:
            one.kill()
            one.wait()


class _Tasks:
    """Tasks of a Ray cluster."""

    def __init__(self, ray: Any, tasks: Sequence[Any]) -> None:
        self._ray = ray
        self._tasks = tasks

    @property
    def troubles(self) -> Sequence[str]:
        found = []
        for task in self._ray.wait(list(self._tasks), num_returns=len(self._tasks), timeout=0)[0]:
            try:
                self._ray.get(task)
            except (self._ray.exceptions.RayError, CogMemError, OSError) as error:
                found.append(report(getattr(error, "cause", None) or error))
        return found

    def wait(self, seconds: float) -> bool:
        return not self._ray.wait(list(self._tasks), num_returns=len(self._tasks), timeout=seconds)[1]


@contextmanager
def _ray_tasks(engine: Engine, order: Round, workers: int) -> Iterator[Hands]:
    try:
        import ray
    except ImportError as error:
        raise InvalidInput("on='ray' needs Ray: pip install 'ray>=2.40'; or use on='processes'") from error
    recipe = _recipe(engine)
    ours = not ray.is_initialized()
    if ours:
        ray.init(address=os.environ.get("RAY_ADDRESS"), log_to_driver=False, include_dashboard=False)
    task = ray.remote(num_cpus=1, max_retries=3, scheduling_strategy="SPREAD")(work)
    tasks = [task.remote(_order(recipe, order, at)) for at in _starts(order, workers)]
    try:
        yield _Tasks(ray, tasks)
    finally:
        for one in tasks:
            ray.cancel(one, force=False)
        if ours:
            ray.shutdown()


def _starts(order: Round, workers: int) -> list[int]:
    """Where each worker begins; no more workers than there are namespaces."""
    count = min(workers, len(order.cycles))
    return [len(order.cycles) * number // count for number in range(count)]


def _recipe(engine: Engine) -> dict[str, Any]:
    """How another process opens the same store."""
    origin = engine.origin
    config = engine.services.config
    if origin["folder"] is None and config.storage.ledger_url is None:
        raise InvalidInput("the memories are in memory only, where no other process sees them; use on='threads'")
    for name, given in (("embedder", engine.services.embedder), ("llm", engine.services.llm)):
        if given is not None and origin[name] is None:
            raise InvalidInput(f"the {name} is an object, which another process cannot make again; use on='threads'")
    return {
        "folder": origin["folder"],
        "embedder": origin["embedder"],
        "llm": origin["llm"],
        "config": as_table(config),
    }


def _order(recipe: Mapping[str, Any], order: Round, first: int) -> str:
    return json.dumps({**recipe, "steps": order.steps, "cycles": order.cycles, "first": first})


def work(text: str, stopping: Callable[[], bool] = lambda: False) -> dict[str, str]:
    """Open the store that an order tells of, and work the order off; returns why namespaces were given up."""
    from cogmem_core.engine import open  # noqa: A004 - as in cogmem_core.open

    told = json.loads(text)
    config = config_of(told["config"])
    quiet = replace(config, consolidation=replace(config.consolidation, trigger="manual"))
    with open(told["folder"], config=quiet, embedder=told["embedder"], llm=told["llm"]) as engine:
        order = Round(tuple(told["steps"]), told["cycles"])
        watch = Watch(stopping=stopping)
        failed = work_off(engine.services, order, first=told["first"], watch=watch)
        engine.changed()
    return failed


def serve() -> None:
    """A worker process: the order is the first line of standard input; when the rest ends, so does the work."""
    order = sys.stdin.readline()
    ended = threading.Event()

    def listen() -> None:
        sys.stdin.read()
        ended.set()

    threading.Thread(target=listen, daemon=True).start()
    if order:
        work(order, ended.is_set)


EXECUTORS: Mapping[str, Callable[[Engine, Round, int], AbstractContextManager[Hands]]] = {
    "threads": _threads,
    "processes": _processes,
    "ray": _ray_tasks,
}
