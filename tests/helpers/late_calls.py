"""Calls that were given up and come back."""

import threading

from cogmem_core.base.timeouts import end_idle_threads

__all__ = ["wait_for_late_calls"]


def wait_for_late_calls(*threads: threading.Thread) -> None:
    """Wait until the calls in these threads, or in all, have come back; a thread stands by for ten seconds more."""
    for thread in threads or threading.enumerate():
        while thread.name == "cogmem-patience" and thread.is_alive():
            end_idle_threads()
            thread.join(0.01)
