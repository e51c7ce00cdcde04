"""The page on which one asks: the answer in the words that carry it, what else was found, why, and why not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from cogmem_core import Recall
from cogmem_core.models import Memory
from cogmem_core.reading.question import asked
from cogmem_core.results import Profile, Recalled
from cogmem_serve.pages.charts import parts
from cogmem_serve.pages.lines import Told, told
from cogmem_serve.pages.moments import end_of
from cogmem_serve.pages.page import Page

_FOUND = 5
_SURE = 0.4
"""How likely a memory must be relevant to be told as the answer."""
_NEAR = 2


@dataclass(frozen=True, slots=True)
class Answer:
    """What answers a question.

    Attributes:
        line: the clause that answers it; None = the words of its memory do.
        memory: that says so.
    """

    line: Told | None
    memory: Memory


def show(page: Page) -> Response:
    """Ask, and show the answer first."""
    query = page.asked("q")
    missing = page.asked("missing")
    moment = page.asked_day("as_of")
    recall: Any = None
    answer = None
    others: list[Recalled] = []
    sought, why = None, ""
    if query is not None:
        bank = page.bank
        as_of = None if moment is None else end_of(moment, page.zone)
        recall = bank.recall(query, k=_FOUND, as_of=as_of)
        answer = _answer(page, recall, query, bank.profile(as_of=as_of))
        others = [
            item for item in recall.results if answer is None or item.memory.id != answer.memory.id
        ]
        if missing is not None:
            found = bank.recall(missing, k=1, deep=True, floor=0).results
            sought = found[0].memory if found else None
            why = recall.missed(sought.id) if sought else ""
    return page.show(
        "ask.html",
        query=query or "",
        answer=answer,
        found=recall,
        others=others[: _FOUND - 1 if answer else _NEAR],
        context="" if recall is None else recall.context(),
        parts=parts,
        sure=_SURE,
        missing=missing or "",
        sought=sought,
        why_missing=why,
        day=moment,
        total=page.bank.count(state="active"),
    )


def _answer(page: Page, recall: Recall, query: str, known: Profile) -> Answer | None:
    """The clause that answers; None if nothing is sure to."""
    if not recall.results or recall.results[0].confidence < _SURE:
        return None
    memory = recall.results[0].memory
    wanted = asked(query)
    lines = [
        line
        for line in known.lines
        if memory.id in line.memory_ids and wanted.slot and line.slot == wanted.slot
    ]
    return Answer(told(page.bank, lines[:1])[0] if lines else None, memory)
