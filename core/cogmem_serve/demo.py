"""A bank with a story in it: four months of one person's conversation, what came of it, and what is to come."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

from cogmem_core.base.runtime import system_clock
from cogmem_core.engine import MemoryBank
from cogmem_core.models import Turn

CONVERSATION = Path(str(files("cogmem_core"))) / "data" / "elif.jsonl"
NAMESPACE = "elif"
ZONE = "Europe/Lisbon"
"""Where she lives."""
_NIGHTS = 7
"""Sessions between two dream cycles."""
_PLANS_AFTER = 16
"""Sessions after which a person corrects what is kept."""
_BOOKING = "book a table for the team"
_CALLS: tuple[dict[str, Any], ...] = (
    {"tool": "find_restaurant", "arguments": {"city": "Porto", "seats": 6}, "ok": True},
    {"tool": "check_calendar", "arguments": {"day": "2026-06-12"}, "ok": True},
    {"tool": "book_table", "arguments": {"place": "Cantina 32", "seats": 6}, "ok": True},
)
_AFTER_FAILURE: tuple[dict[str, Any], ...] = (
    _CALLS[0],
    {"tool": "call_restaurant", "arguments": {"place": "Cantina 32"}, "ok": False},
)


def conversation() -> list[Turn]:
    """What was said, oldest turn first."""
    rows = [json.loads(line) for line in CONVERSATION.read_text(encoding="utf-8").splitlines()]
    return [Turn(**{**row, "at": datetime.fromisoformat(row["at"])}) for row in rows]


class StoryClock:
    """A clock that shows the moment the story has come to; afterwards the present."""

    def __init__(self) -> None:
        self.moment: datetime | None = None

    def __call__(self) -> datetime:
        """The moment."""
        return self.moment or system_clock()


def fill(
    bank: MemoryBank,
    clock: StoryClock,
    progress: Callable[[int, int], None],
) -> int:
    """Tell a bank the story, unless it knows it; returns how many turns were told.

    Args:
        bank: that of `NAMESPACE`, usually.
        clock: of its engine, so that what was said in spring has faded since.
        progress: called with (turns told, turns in all).
    """
    if bank.count():
        return 0
    turns = conversation()
    count = 0
    for place, (_, session) in enumerate(groupby(turns, key=lambda turn: turn.session_id), 1):
        batch = list(session)
        clock.moment = (batch[-1].at or system_clock()) + timedelta(minutes=1)
        bank.remember(batch)
        if place == _PLANS_AFTER:
            _rethink(bank)
        if place % _NIGHTS == 0:
            clock.moment += timedelta(hours=6)
            bank.consolidate()
        count += len(batch)
        progress(count, len(turns))
    _work(bank)
    clock.moment = None
    _plan(bank)
    bank.engine.flush()
    bank.consolidate()
    return count


def _plan(bank: MemoryBank) -> None:
    """What is to come up later, and what came up."""
    now = system_clock()
    bank.intend("Give Pamuk his tablet, hidden in tuna", at=now + timedelta(seconds=1))
    bank.intend("Send Zeynep a card for the baby", at=now + timedelta(days=3))
    bank.intend("Ask Marta about the night shifts", when="Marta calls")
    bank.intend("Water the basil", at=now + timedelta(hours=9), every="2 days", times=20)
    bank.settle(bank.intend("Hand in the signed lease", on_session=True).id, "done")


def _work(bank: MemoryBank) -> None:
    """How a kind of task is done, learnt from how it went."""
    for session in ("monday", "tuesday", "thursday"):
        bank.observe_run(_BOOKING, _CALLS, session_id=session, ok=True)
    for session in ("wednesday", "friday"):
        bank.observe_run(_BOOKING, _AFTER_FAILURE, session_id=session, ok=False)


def _rethink(bank: MemoryBank) -> None:
    """Something is pinned, something is replaced, something is corrected, something is forgotten."""
    flat = bank.recall("on which street is the flat?", k=1)
    if flat.results:
        bank.pin(flat.results[0].memory.id)
    shoes = bank.add("Running shoes: size 39 fits")
    bank.supersede(shoes.id, "Running shoes: size 40 fits, the toes need room")
    course = bank.add("The Portuguese course is on Mondays", category="plan")
    bank.edit(course.id, "The Portuguese course is on Wednesdays at 19:00")
    bank.forget(bank.add("The cafe on the corner closes at six").id)
