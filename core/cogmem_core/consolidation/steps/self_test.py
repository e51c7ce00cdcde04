"""Step 19: the bank examines itself: it asks for what it holds, and counts what it finds.

A question is a clause without its value ("My dog is called"), asked as a person would ask it, but with
no floor: what recall would withhold as too unlikely counts as found. Nobody asked it, so it strengthens
nothing, and no log tells of it. What is not found is examined: a broken entry of the indexes is made
anew; one that is whole, and only ranked lower, is counted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean
from typing import NamedTuple

from cogmem_core.base.runtime import monotonic
from cogmem_core.changes import Reindex
from cogmem_core.consolidation.dream import Dream, Proposal, StepResult
from cogmem_core.consolidation.own_recall import Conditions, OwnRecall
from cogmem_core.edge.clauses import keyed_text, said, telling
from cogmem_core.ports import Stored
from cogmem_core.retrieval.pipeline import PENDING, recall_unnoticed
from cogmem_core.retrieval.plan import Request
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.keys import embedded_text, index_key
from cogmem_core.text.tokens import tokens
from cogmem_core.values.models import UNMEANT, Memory
from cogmem_core.values.readings import Clause

FIRST = 5
"""Results among which it must be; what more memories than that fill alike is not asked for."""
ALIKE = 0.9
"""Cosine of a stored vector and one made anew, at least: below, it is the vector of something else."""

_MS = 1_000.0
_WARM_UP = 0.07  # milliseconds for a memory: what the first recall of a process reads (measured)
_SAME = 0.999


class _Question(NamedTuple):
    """A clause without its value, and the memory that it stands in."""

    memory: Memory
    clause: Clause
    text: str


class _Time:
    """What may be spent, in milliseconds; without a bound if there is no other step.

    Attributes:
        cost: of a question.
    """

    def __init__(self, own: OwnRecall, dream: Dream) -> None:
        self._began = monotonic()
        self._saved = own.saved
        self._budget: float | None = None
        if dream.began is not None:
            share = dream.settings.self_test.share
            self._budget = own.saved + share * (self._began - dream.began) * _MS
        self.cost = own.cost
        view = dream.services.searcher.views.loaded(dream.namespace)
        self._warm_up = 0.0 if view and len(view.rows) else _WARM_UP * len(dream.memories)
        self._laps: list[float] = []
        self._before = 0.0

    @property
    def _spent(self) -> float:
        return (monotonic() - self._began) * _MS

    def is_up(self) -> bool:
        """Whether another question would take too long."""
        expected = self._spent + self._warm_up + self.cost
        return self._budget is not None and expected > self._budget

    def lap(self) -> None:
        """A question was asked; what the first one took in a new process tells nothing of the others."""
        spent = self._spent
        if not self._warm_up:
            self._laps.append(spent - self._before)
            self.cost = fmean(self._laps)
        self._before = spent
        self._warm_up = 0.0

    def left(self, most: float) -> float:
        """What the next cycle may spend besides."""
        return self._saved if self._budget is None else min(self._budget - self._spent, most)


def self_test(dream: Dream) -> StepResult:
    """Counts `asked`, `found` and `repaired`; the next cycle goes on with other memories."""
    most = dream.settings.self_test.questions
    own = OwnRecall.of(dream.checkpoints)
    time = _Time(own, dream)
    found: list[_Question] = []
    missed: list[_Question] = []
    after = own.after
    for memory in () if time.is_up() else _in_turn(dream, own.after):
        if len(found) + len(missed) >= most or time.is_up():
            break
        dream.yield_now()
        question = _question(dream, memory)
        is_found = question and _is_found(dream, question)
        after = _turn(memory.id)
        if question and is_found is not None:
            (found if is_found else missed).append(question)
            time.lap()
    repairs = list(_repairs(dream, missed))
    asked = len(found) + len(missed)
    if asked:
        own = own.under(Conditions.of(dream.services))
        own = own.with_answers(asked, len(found), len(repairs), dream.now.isoformat())
    saved = time.left(most * time.cost)
    own = replace(own, after=after, saved=round(saved, 2), cost=round(time.cost, 2))
    lower = len(missed) - len(repairs)
    return StepResult(
        [Proposal((change,), {"repaired": 1}) for change in repairs],
        {"asked": asked, "found": len(found)},
        f"{lower} whole, but behind the first {FIRST}" if lower else "",
        own.mark(),
    )


def _turn(memory_id: str) -> str:
    """Where a memory stands among those that are asked for: by the random part of its id."""
    return memory_id[::-1]


def _in_turn(dream: Dream, after: str) -> Iterator[Memory]:
    """All memories, those first that come after a place; another sample of them each time."""
    turns = sorted(map(_turn, dream.memories))
    begin = bisect_right(turns, after)
    for turn in (*turns[begin:], *turns[:begin]):
        yield dream.memories[turn[::-1]]


def _question(dream: Dream, memory: Memory) -> _Question | None:
    """What to ask for a memory that holds now; None if it says nothing that a few words ask for."""
    until = memory.valid_until
    begins = memory.valid_from
    over = (until and until <= dream.now) or (begins and begins > dream.now)
    if over or UNMEANT in memory.tags:
        return None
    for clause in telling(memory).values():
        if not clause.framed or (clause.holder, clause.mood) != ("speaker", "asserted"):
            continue
        text = " ".join(said(memory, clause).replace(clause.value, " ").split())
        value = frozenset(tokens(clause.value))
        if not tokens(text) or not value or not value.isdisjoint(tokens(text)):
            continue
        with dream.reading() as ns:
            alike = {row.memory_id for row in ns.clauses.of(clause.subject, clause.slot)}
        if len(alike & dream.memories.keys()) <= FIRST:
            return _Question(memory, clause, text)
    return None


def _is_found(dream: Dream, question: _Question) -> bool | None:
    """Whether the memory, or one that gives the same value, is among the first; None if recall lacks a part."""
    services = replace(dream.services, llm=None)
    request = Request.checked(
        services.config, dream.namespace, question.text, k=FIRST, floor=0.0, mood=0.0
    )
    recall = recall_unnoticed(services, request)
    if any(not note.startswith(PENDING) for note in recall.degraded):
        return None
    shown = [*recall.hot, *(item.memory for item in recall.results[:FIRST])]
    return any(
        memory.id == question.memory.id or _gives(memory, question.clause) for memory in shown
    )


def _gives(memory: Memory, wanted: Clause) -> bool:
    value = fold_letters(wanted.value)
    return any(
        (clause.subject, clause.slot, fold_letters(clause.value))
        == (wanted.subject, wanted.slot, value)
        for clause in telling(memory).values()
    )


def _repairs(dream: Dream, missed: Sequence[_Question]) -> Iterator[Reindex]:
    """New entries for those whose entry is broken."""
    with dream.reading() as ns:
        stored_rows = ns.memories.stored([question.memory.id for question in missed])
    entries = [replace(stored, key=_key(stored)) for stored in stored_rows.values()]
    embedder = dream.services.embedder
    keys = [embedded_text(entry.key) for entry in entries]
    vectors = embedder.embed_documents(keys) if keys else ()
    for entry, vector in zip(entries, vectors, strict=True):
        stored = stored_rows[entry.memory.id]
        new = replace(entry, vector=vector, fingerprint=embedder.fingerprint)
        broken = _broken(dream, stored, new)
        if broken:
            yield Reindex(new, broken)


def _key(stored: Stored) -> str:
    """The text that a memory is to be found by."""
    memory = stored.memory
    text = keyed_text(memory)
    if text in stored.key:
        return stored.key
    return index_key(text, speaker=memory.speaker, at=memory.recorded_at)


def _broken(dream: Dream, stored: Stored, new: Stored) -> str:
    """What is wrong with the entry of a memory; "" if it is whole, and its own vector and words find it."""
    memory = stored.memory
    usable = stored.fingerprint == new.fingerprint and stored.vector.size == new.vector.size
    if not usable or not float(new.vector @ stored.vector) >= ALIKE:  # also if it is no number
        return "its vector is missing, damaged, or of another text or embedder"
    searcher = dream.services.searcher
    with dream.services.ledger.whole() as reader:
        (row,) = reader.at(memory.namespace).journal.tail(memory.seq - 1, 1)
        view = searcher.view(reader, memory.namespace)
        hits = searcher.nearest(reader, view, stored.vector, FIRST).hits
    if row.id != memory.id or row.tokens() != tokens(new.key) or memory.id not in view.lexical:
        return "its words are not indexed"
    if memory.id in [hit.id for hit in hits] or (hits and hits[-1].score >= _SAME):
        return ""
    return "its vector is not in the index"
