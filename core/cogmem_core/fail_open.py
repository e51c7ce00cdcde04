"""A memory that fails must not take its user's chain, agent or thread down with it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["LogAndContinue"]

_LOG = logging.getLogger("cogmem_core")


class LogAndContinue:
    """Blocks whose failure is logged instead of raised: the first of each kind as a warning, the others for debugging.

    Args:
        passing: errors that are raised all the same; `Exception` = all.

    Example:
        >>> harmless = LogAndContinue()
        >>> with harmless("a recall"):
        ...     raise OSError("the disk is gone")
        >>> print("the chain goes on")
        the chain goes on
    """

    def __init__(self, *passing: type[Exception]) -> None:
        self._passing = passing
        self._told: set[tuple[str, str]] = set()

    @contextmanager
    def __call__(self, what: str) -> Iterator[None]:
        """Run a block; `what` names it in the log."""
        try:
            yield
        except (
            Exception
        ) as error:  # what calls us is somebody's application, and works without memory
            if isinstance(error, self._passing):
                raise
            kind = (what, type(error).__name__)
            level = logging.DEBUG if kind in self._told else logging.WARNING
            self._told.add(kind)
            _LOG.log(
                level,
                "%s failed, and was done without: %s: %s",
                what,
                *(type(error).__name__, error),
            )
