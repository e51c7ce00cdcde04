"""What is told of an exception: why something failed, without the words of strangers. Pure."""

from __future__ import annotations

import os
from collections.abc import Iterator

from cogmem_core.errors import CogMemError

_DEEPEST_CAUSE = 8


def reason(error: BaseException) -> str:
    """What may be shown and kept of an exception.

    The text of a server, a library or a user's object may quote what it was sent, or a key: of such
    an exception only its class is told, with the status of a server's answer. Our own errors say
    what they say, and what the operating system refused is told in its own words.
    """
    if isinstance(error, CogMemError):
        return str(error)
    system_text = next(filter(None, map(_system_text, _causes(error))), "")
    if system_text:
        return system_text
    name = type(error).__name__
    status = status_of(error)
    return name if status is None else f"{name}, status {status}"


def report(error: BaseException) -> str:
    """As `reason`, with the class of our own and of the operating system's errors in front."""
    name = type(error).__name__
    text = reason(error)
    return text if text.startswith(name) else f"{name}: {text}"


def status_of(error: object) -> int | None:
    """The status of a server's answer, as the clients of most providers tell it."""
    values = (getattr(error, name, None) for name in ("status_code", "code"))
    return next((status for status in values if isinstance(status, int)), None)


def _system_text(error: BaseException) -> str:
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(number, int) and number > 0:
        return f"[Errno {number}] {os.strerror(number)}"
    return ""


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The exception and its causes: clients hide the socket's error behind several of their own."""
    current: BaseException | None = error
    for _ in range(_DEEPEST_CAUSE):
        if current is None:
            return
        yield current
        cause = current.__cause__
        if cause is None and not current.__suppress_context__:
            cause = current.__context__
        current = cause
