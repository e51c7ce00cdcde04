"""Interrupts at chosen places of a call, as Ctrl-C and a soft time limit bring them."""

import gc
import itertools
import sys
from collections.abc import Callable
from types import FrameType

__all__ = ["interrupt_at"]


def interrupt_at(
    call: Callable[[], object], place: int, *, is_place: Callable[[FrameType, str], bool]
) -> KeyboardInterrupt | None:
    """Raise KeyboardInterrupt at one place of a call; the collector, whose callbacks count as calls, rests.

    Args:
        call: what is interrupted.
        place: the how-manieth place, from 1 on.
        is_place: whether a profiler's event in a frame counts as one.

    Returns:
        What left the call; None if it has fewer places.
    """
    remaining = itertools.count(place, -1)

    def hook(frame: FrameType, event: str, _argument: object) -> None:
        if is_place(frame, event) and next(remaining) == 1:
            sys.setprofile(None)
            raise KeyboardInterrupt

    gc.disable()
    sys.setprofile(hook)
    try:
        call()
    except KeyboardInterrupt as error:
        return error
    finally:
        sys.setprofile(None)
        gc.enable()
    return None
