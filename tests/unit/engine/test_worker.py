"""The background worker: every piece of work has its turn, and one that fails keeps nobody busy."""

import errno
import threading

from cogmem_core.engine.worker import Worker


class Erasing:
    """An erasure that empties an index and then fails, and the indexing that fills it again."""

    def __init__(self) -> None:
        self.erased, self.empty, self.idle = 0, False, threading.Event()
        self.tasks = {"erase": self.erase, "index": self.index}

    def erase(self) -> bool:
        self.erased, self.empty = self.erased + 1, True
        raise OSError(errno.ENOSPC, "no room")

    def index(self) -> bool:
        busy, self.empty = self.empty, False
        if not busy:
            self.idle.set()
        return busy


def test_a_flush_leaves_what_fails_for_the_next_one() -> None:
    """Engine.flush: "What fails is tried again later, and told by `warnings`"; on a bad disk it once never returned."""
    work = Erasing()
    worker = Worker(work.tasks, linger=0.0)

    worker.flush()
    assert (work.erased, worker.troubles) == (
        1,
        {"erase": "OSError: [Errno 28] No space left on device"},
    )
    worker.flush()
    assert work.erased == 2


def test_the_thread_tries_what_fails_once_per_wake_up() -> None:
    """Worker: "A task that raises is reported in `troubles` and tried again at the next wake-up"."""
    work = Erasing()
    worker = Worker(work.tasks, linger=0.0)
    try:
        worker.notify()
        assert work.idle.wait(10)
        assert work.erased == 1
    finally:
        worker.stop()
    assert work.erased == 1
