"""What a store does beside its caller: calls that are awaited together, and the sweeping of what has ended."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextvars import Context
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from cogmem_core.errors import BankClosed, CogMemError

__all__ = ["CoalescedCalls", "Sweeper"]

_LOG = logging.getLogger("langchain_cogmem")
Task = TypeVar("Task")
Answer = TypeVar("Answer")


@dataclass
class _Queue(Generic[Task, Answer]):
    """The calls of one event loop that wait, and what is carrying them out."""

    waiting: list[tuple[list[Task], asyncio.Future[list[Answer]]]] = field(default_factory=list)
    runner: asyncio.Task[None] | None = None


class CoalescedCalls(Generic[Task, Answer]):
    """Carries out calls that wait at the same time as one, in a thread, one batch after the other.

    Example:
        >>> calls = CoalescedCalls()
        >>> sizes = []
        >>> def double(numbers):
        ...     sizes.append(len(numbers))
        ...     return [2 * number for number in numbers]
        >>> async def main():
        ...     return await asyncio.gather(calls.run(double, [1]), calls.run(double, [2, 3]))
        >>> asyncio.run(main()), sizes
        ([[2], [4, 6]], [3])
    """

    def __init__(self) -> None:
        self._queues: WeakKeyDictionary[asyncio.AbstractEventLoop, _Queue[Task, Answer]] = (
            WeakKeyDictionary()
        )

    async def run(
        self, work: Callable[[Sequence[Task]], list[Answer]], tasks: list[Task]
    ) -> list[Answer]:
        """The answers to the tasks, in their order.

        A call that was cancelled before its batch began is not carried out.

        Args:
            work: carries out tasks of any callers, all or nothing; if it refuses an argument, it is
                called for each caller's tasks alone, so that nobody gets somebody else's error.
            tasks: this caller's.
        """
        loop = asyncio.get_running_loop()
        queue = self._queues.setdefault(loop, _Queue())
        answer: asyncio.Future[list[Answer]] = loop.create_future()
        queue.waiting.append((tasks, answer))
        if queue.runner is None or queue.runner.done():
            # In no caller's context: what it does is everybody's.
            queue.runner = Context().run(loop.create_task, _carry_out(queue, work))
        return await answer


async def _carry_out(
    queue: _Queue[Task, Answer], work: Callable[[Sequence[Task]], list[Answer]]
) -> None:
    while queue.waiting:
        calls = [(tasks, answer) for tasks, answer in queue.waiting if not answer.done()]
        queue.waiting.clear()
        try:
            outcomes = await _outcomes(work, [tasks for tasks, _ in calls])
            for (_, answer), outcome in zip(calls, outcomes, strict=True):
                if answer.done():
                    continue
                if isinstance(outcome, BaseException):
                    answer.set_exception(outcome)
                else:
                    answer.set_result(outcome)
        finally:
            for _, answer in calls:
                answer.cancel()  # who has no answer by now gets none


async def _outcomes(
    work: Callable[[Sequence[Task]], list[Answer]], groups: Sequence[Sequence[Task]]
) -> list[list[Answer] | BaseException]:
    """The answers for each group, or what went wrong with it."""
    outcome = await _outcome(work, [task for tasks in groups for task in tasks])
    if isinstance(outcome, list):
        answers = iter(outcome)
        return [[next(answers) for _ in tasks] for tasks in groups]
    if len(groups) == 1 or not isinstance(outcome, (TypeError, ValueError)):
        return [outcome for _ in groups]
    return [await _outcome(work, tasks) for tasks in groups]  # whose argument was it?


async def _outcome(
    work: Callable[[Sequence[Task]], list[Answer]], tasks: Sequence[Task]
) -> list[Answer] | BaseException:
    attempt = asyncio.to_thread(work, tasks)
    (outcome,) = await asyncio.gather(attempt, return_exceptions=True)
    return outcome


class Sweeper:
    """Calls something again and again, in a thread that ends with the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._done: Future[None] = Future()

    def start(self, work: Callable[[], object], seconds: float) -> Future[None]:
        """Begin, if it does not run yet; the future is done when it has stopped, and cancelling it stops it.

        What `work` raises is logged, and it goes on; it ends when the engine is closed.
        """
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._stop = threading.Event()
                self._done = Future()
                self._done.add_done_callback(lambda _, stop=self._stop: stop.set())  # type: ignore[misc]
                self._thread = threading.Thread(
                    target=_sweep,
                    args=(work, seconds, self._stop, self._done),
                    name="cogmem-ttl-sweeper",
                    daemon=True,
                )
                self._thread.start()
            return self._done

    def stop(self, timeout: float | None) -> bool:
        """Stop; whether it has stopped after `timeout` seconds (None = however long it takes)."""
        with self._lock:
            thread = self._thread
            self._stop.set()
        if thread is None:
            return True
        thread.join(timeout)
        return not thread.is_alive()


def _sweep(
    work: Callable[[], object], seconds: float, stop: threading.Event, done: Future[None]
) -> None:
    while not stop.wait(seconds):
        try:
            work()
        except BankClosed:
            break
        except CogMemError:
            _LOG.warning("sweeping failed; it is tried again", exc_info=True)
    if not done.done():
        done.set_result(None)
