"""Whether a bank is worse off for what it put away: dormant memories that later questions asked for."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import islice

from cogmem_core.storage.ledger.memories import Filter, pages_of
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.text.plural import counted
from cogmem_core.text.tokens import tokens
from cogmem_core.values.models import Feedback, Memory

_DORMANT = Filter(states=("dormant",))
_MEMORIES = 500
_ANSWERS = 1_000
_WORDS = 2  # of a question, at least, that a memory must hold
_SHARE = 0.6  # of them
_FEWEST = 3  # memories that tell anything
_TOO_MANY = 0.1  # of what is dormant


def put_away_in_vain(ns: Namespace) -> tuple[int, int]:
    """(dormant memories that later questions asked for, dormant memories), of the newest 500.

    What left for a successor does not count: that is what is shown instead.
    """
    pages = pages_of(ns.memories, _DORMANT, limit=_MEMORIES)
    dormant = [memory for page in islice(pages, 1) for memory in page if not memory.superseded_by]
    questions = _unanswered(ns.feedback.newest(limit=_ANSWERS))
    return sum(_asked_for(memory, questions) for memory in dormant), len(dormant)


def wanted(counts: tuple[int, int]) -> list[str]:
    """The warning, if the share of what was put away in vain is not small."""
    asked_for, dormant = counts
    if asked_for < _FEWEST or asked_for < _TOO_MANY * dormant:
        return []
    were = counted(asked_for, "dormant memory was", "dormant memories were")
    return [
        f"{were} asked for later and not shown, of {dormant}: this bank may be worse off than if it had kept "
        "everything; bank.list(state='dormant'), bank.restore(id), or raise consolidation.forgetting.roomy"
    ]


def _unanswered(rows: Iterable[Feedback]) -> list[tuple[frozenset[str], datetime]]:
    """The words of questions whose answers used nothing of what was shown, and when they were asked."""
    used_in: set[str] = set()
    questions: dict[str, tuple[frozenset[str], datetime]] = {}
    for row in rows:
        if row.signal == "used":
            used_in.add(row.recall_id)
        elif row.recall_id not in questions:
            questions[row.recall_id] = (frozenset(tokens(row.query)), row.at)
    return [question for recall_id, question in questions.items() if recall_id not in used_in]


def _asked_for(memory: Memory, questions: Iterable[tuple[frozenset[str], datetime]]) -> bool:
    held = frozenset(tokens(memory.content))
    for words, at in questions:
        if at >= memory.updated_at and len(words & held) >= max(_WORDS, _SHARE * len(words)):
            return True
    return False
