"""Work that takes longer than a page may: it runs in a thread, and its page shows how far it is."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cogmem_core.base.lru import LRUCache
from cogmem_core.base.runtime import monotonic
from cogmem_core.errors import CogMemError
from cogmem_serve.problems import Problem

_KEPT = 50
_SHORT_SECONDS = 0.2
"""How long a page waits for a job before it says that it works."""
_FRESH_SECONDS = 5.0
Progress = Callable[[str, int, int], None]


def _failed() -> Problem:
    return Problem(500, "it failed; the server's log tells more")


@dataclass(slots=True)
class Job:
    """A piece of work.

    Attributes:
        id: names it in addresses.
        owner: the id of the key that began it; "" for the owner.
        namespace: whose memories it works on.
        name: what kind of work it is.
        began: seconds on a clock that never goes back.
        after: the path of the page that is shown when it is done; empty = its own page shows the
            result.
        step: what is being done.
        done: steps that are behind it.
        total: steps in all.
        result: what came of it; None while it works, or if it failed.
        error: what it failed with; None = it is done.
        finished: set in the end.
    """

    owner: str
    namespace: str
    name: str
    began: float = field(default_factory=monotonic)
    after: str = ""
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    step: str = ""
    done: int = 0
    total: int = 0
    result: Any = None
    error: Exception | None = field(default_factory=_failed)
    finished: threading.Event = field(default_factory=threading.Event)

    def outcome(self) -> Any:
        """What came of it, when it is done.

        Raises:
            Exception: what it failed with.
        """
        if self.error is not None:
            raise self.error
        return self.result

    def advance(self, step: str, done: int, total: int) -> None:
        """Note how far it is."""
        self.step = step
        self.done = done
        self.total = total


class Jobs:
    """The latest pieces of work of this process; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: LRUCache[str, Job] = LRUCache(_KEPT)

    def start(
        self,
        name: str,
        owner: str,
        namespace: str,
        work: Callable[[Progress], Any],
        *,
        after: str = "",
    ) -> Job:
        """Begin. A short one is done when this returns."""
        return self._start(Job(owner, namespace, name, after=after), work)

    def latest(self, name: str, owner: str, namespace: str, work: Callable[[Progress], Any]) -> Job:
        """The newest job of a kind if it is still working or was done lately, else a new one."""
        with self._lock:
            for job in self._jobs.newest():
                is_same = (job.name, job.owner, job.namespace) == (name, owner, namespace)
                is_fresh = not job.finished.is_set() or monotonic() - job.began < _FRESH_SECONDS
                if is_same and is_fresh:
                    return job
        return self._start(Job(owner, namespace, name), work)

    def _start(self, job: Job, work: Callable[[Progress], Any]) -> Job:
        with self._lock:
            self._jobs.put(job.id, job)

        def run() -> None:
            try:
                job.result = work(job.advance)
                job.error = None
            except CogMemError as error:
                job.error = error
            finally:
                job.finished.set()

        threading.Thread(target=run, name="cogmem-page-job", daemon=True).start()
        job.finished.wait(_SHORT_SECONDS)
        return job

    def get(self, job_id: str, owner: str) -> Job | None:
        """The job of that id, for whoever began it."""
        with self._lock:
            job = self._jobs.get(job_id)
        return job if job is not None and job.owner == owner else None

    def wait(self, seconds: float) -> None:
        """Wait for what is being done, when the server is to stop."""
        with self._lock:
            running = [job for job in self._jobs.oldest() if not job.finished.is_set()]
        for job in running:
            job.finished.wait(seconds)
