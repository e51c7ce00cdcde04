"""A bank with a story in it: four months of one person's conversation, what came of it, and what is to come."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

from cogmem_core.engine import MemoryBank
from cogmem_core.models import Turn
from cogmem_core.runtime import system_clock

__all__ = ["CONVERSATION", "NAMESPACE", "conversation", "fill"]

CONVERSATION = Path(__file__).resolve().parents[1] / "data" / "elif.jsonl"
NAMESPACE = "elif"
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


def fill(bank: MemoryBank, progress: Callable[[int, int], None] = lambda _done, _all: None) -> int:
    """Tell a bank the story, unless it knows it; returns how many turns were told.

    Args:
        bank: that of `NAMESPACE`, usually.
        progress: called with (turns told, turns in all).
    """
    if bank.count():
        return 0
    turns = conversation()
    told = 0
    for _, session in groupby(turns, key=lambda turn: turn.session_id):
        batch = list(session)
        bank.remember(batch)
        told += len(batch)
        progress(told, len(turns))
    bank.engine.flush()
    _plan(bank)
    _work(bank)
    _rethink(bank)
    return told


def _plan(bank: MemoryBank) -> None:
    """What is to come up later, and what came up."""
    now = system_clock()
    bank.intend("Give Pamuk his tablet, hidden in tuna", at=now + timedelta(seconds=1))
    bank.intend("Send Zeynep a card for the baby", at=now + timedelta(days=3))
    bank.intend("Ask Marta about the night shifts", when="Marta calls")
    bank.intend("Water the basil", at=now + timedelta(hours=9), every="2 days", times=20)
    done = bank.intend("Hand in the signed lease", on_session=True)
    bank.settle(done.id, "done")


def _work(bank: MemoryBank) -> None:
    """How a kind of task is done, learnt from how it went."""
    for session in ("monday", "tuesday", "thursday"):
        bank.observe_run(_BOOKING, _CALLS, session_id=session, ok=True)
    for session in ("wednesday", "friday"):
        bank.observe_run(_BOOKING, _AFTER_FAILURE, session_id=session, ok=False)


def _rethink(bank: MemoryBank) -> None:
    """Something is corrected, something is set aside, something is forgotten; then a night."""
    flat = bank.recall("on which street is the flat?", k=1)
    if flat.results:
        bank.pin(flat.results[0].memory.id)
    shoes = bank.add("Running shoes: size 39 fits", at=system_clock() - timedelta(days=150))
    bank.supersede(shoes.id, "Running shoes: size 40 fits, the toes need room")
    course = bank.add("The Portuguese course is on Mondays", category="plan")
    bank.edit(course.id, "The Portuguese course is on Wednesdays at 19:00")
    bank.forget(bank.add("The cafe on the corner closes at six").id)
    bank.consolidate()
