"""What is to come up later: at a moment, when something is said, or in a session."""

from cogmem_core.intentions.agenda import (
    Occasion,
    all_of,
    by_id,
    called_off_among,
    catch_up,
    due_now,
    due_times,
    give_back,
    hand_out,
    keep,
    settle,
    take,
)
from cogmem_core.intentions.life import OUTCOMES, as_it_stands

__all__ = [
    "OUTCOMES",
    "Occasion",
    "all_of",
    "as_it_stands",
    "by_id",
    "called_off_among",
    "catch_up",
    "due_now",
    "due_times",
    "give_back",
    "hand_out",
    "keep",
    "settle",
    "take",
]
