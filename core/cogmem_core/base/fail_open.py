"""A memory that fails must not take its user's chain, agent or thread down with it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from cogmem_core.base.error_texts import report

_LOG = logging.getLogger("cogmem_core")


class LogAndContinue:
    """Runs blocks and logs their failures instead of raising them.

    The first failure of each kind is logged as a warning, further ones for debugging.

    Args:
        raises: a class of errors that are raised all the same; `Exception` = all, None = no error.

    Example:
        >>> harmless = LogAndContinue()
        >>> with harmless("a recall"):
        ...     raise OSError("the disk is gone")
        >>> print("the chain goes on")
        the chain goes on
    """

    def __init__(self, *, raises: type[Exception] | None = None) -> None:
        self._raises = raises
        self._logged: set[tuple[str, str]] = set()

    @contextmanager
    def __call__(self, action: str) -> Iterator[None]:
        """Run a block; `action` names it in the log."""
        try:
            yield
        except Exception as error:  # the caller is an application that works without a memory
            if self._raises is not None and isinstance(error, self._raises):
                raise
            error_name = type(error).__name__
            kind = (action, error_name)
            level = logging.DEBUG if kind in self._logged else logging.WARNING
            self._logged.add(kind)
            _LOG.log(level, "%s failed, and was done without: %s", action, report(error))
