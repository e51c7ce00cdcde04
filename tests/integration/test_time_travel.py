"""What was true at a moment, what was known by a moment: against a model that replays every act, and by example."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, precondition, rule

import cogmem
from cogmem import Config, MemoryBank
from cogmem.changes import Actor, Retire, apply
from cogmem.testing import CountingEmbedder, FrozenClock

FIRST = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
DREAM = Actor("dream", "run-1")
QUERY = "apple and river notes"
LAST = 4
DAYS = st.integers(-1, LAST)
MOST = 3  # memories, so that each has a long life
WORDS = st.sampled_from(["apple", "river", "çay", "42", "plum"])
MODES = tuple(itertools.product(("current", "timeline"), (False, True)))


def day(number: int) -> datetime:
    return FIRST + timedelta(days=number)


def let_go(bank: MemoryBank, memory_id: str, state: Any, **fields: Any) -> None:
    """Retire a memory as the system does."""
    bank.get(memory_id)
    services = bank._services()
    with services.ledger.writing() as writer:
        change = Retire(memory_id, state, "replaced" if fields else "faded", fields)
        done = apply(writer, bank.namespace, [change], now=services.runtime.now(), actor=DREAM)
    assert done.refused == ()


@dataclasses.dataclass(frozen=True)
class Standing:
    """What a memory is from a day on."""

    noted: int
    state: str
    until: int | None
    successor: str | None = None


@dataclasses.dataclass
class Told:
    """The life of a memory, in days: when it was said, when it began to be true, its texts and standings in order.

    `undo`: what its last retirement changed, as it was before.
    """

    said: int
    begins: int | None
    texts: list[tuple[int, str]]
    standings: list[Standing]
    undo: tuple[int | None, str | None] = (None, None)

    @property
    def today(self) -> Standing:
        return self.standings[-1]

    def text(self, known: int | None) -> str:
        """The text in force; what was noted only later is told in its first words."""
        heard = [text for noted, text in self.texts if known is None or noted <= known]
        return heard[-1] if heard else self.texts[0][1]

    def standing(self, known: int | None, successor: Told | None) -> Standing:
        """Superseded counts from when the successor was said, everything else from when it was noted."""
        replaced = self.today.state == "superseded" and successor is not None
        if known is None or (replaced and successor is not None and successor.said <= known):
            return self.today
        return next((one for one in reversed(self.standings) if one.noted <= known), self.standings[0])

    def become(self, noted: int, state: str, until: int | None, successor: str | None) -> None:
        if state != "active":
            self.undo = (self.today.until, self.today.successor)
        self.standings.append(Standing(noted, state, until, successor))


def shown(told: Told, was: Standing, moments: tuple[int | None, int | None, int], *, mode: str, deep: bool) -> bool:
    """Whether a memory may be seen; `moments`: as_of, known_at, the present."""
    as_of, known, now = moments
    if told.today.state == "forgotten" or was.state == "forgotten" or (known is not None and told.said > known):
        return False
    true = as_of is None or (
        (told.begins is None or told.begins <= as_of) and (was.until is None or as_of < was.until)
    )
    if was.state == "dormant":
        return deep and true
    if as_of is not None:
        return true and (was.state == "active" or was.until is not None)
    present = now if known is None else min(known, now)
    holds = was.state == "active" and (was.until is None or was.until > present)
    return holds or deep or mode == "timeline"


class PastMachine(RuleBasedStateMachine):
    """Acts on a bank and on `model`, a dictionary from id to the life of the memory."""

    memories = Bundle("memories")

    def __init__(self) -> None:
        super().__init__()
        self.now, self.clock, self.model = 0, FrozenClock(FIRST), dict[str, Told]()
        self.moments: set[int] = {0}
        self.engine = cogmem.open(embedder=CountingEmbedder(), clock=self.clock, config=Config())
        self.engine.pause()
        self.bank = self.engine.bank("alice")

    def state_of(self, memory_id: str) -> str:
        return self.model[memory_id].today.state

    def step(self, later: bool) -> None:
        """Half of the acts happen a day after the one before."""
        if later and self.now < LAST:
            self.now += 1
            self.moments.add(self.now)
            self.clock.advance(days=1)

    def add_one(self, word: str, said: int | None, begins: int | None, until: int | None) -> str:
        text = f"note {len(self.model)} {word}"
        at, starts, ends = (None if number is None else day(number) for number in (said, begins, until))
        memory = self.bank.add(text, at=at, valid_from=starts, valid_until=ends)
        told = self.now if said is None else said
        self.model[memory.id] = Told(told, begins, [(self.now, text)], [Standing(self.now, "active", until)])
        self.moments |= {moment for moment in (told, begins, until) if moment is not None}
        return memory.id

    @precondition(lambda self: len(self.model) < MOST)
    @rule(
        target=memories,
        word=WORDS,
        said=st.none() | DAYS,
        begins=st.none() | DAYS,
        lasts=st.none() | st.integers(1, 4),
    )
    def add(self, word: str, said: int | None, begins: int | None, lasts: int | None) -> str:
        return self.add_one(word, said, begins, None if lasts is None else (begins or 0) + lasts)

    @precondition(lambda self: len(self.model) < MOST)
    @rule(target=memories, old=memories, said=st.none() | DAYS, ends=st.none() | DAYS, later=st.booleans())
    def supersede(self, old: str, said: int | None, ends: int | None, later: bool) -> str:
        """Something new takes the place of a memory, which was true until `ends`, or was never untrue (a duplicate)."""
        self.step(later)
        new = self.add_one("plum", said, None, None)
        if self.state_of(old) == "active":
            until = {} if ends is None else {"valid_until": day(ends)}
            let_go(self.bank, old, "superseded", superseded_by=new, **until)
            told = self.model[old]
            told.become(self.now, "superseded", told.today.until if ends is None else ends, new)
            self.moments |= set() if ends is None else {ends}
        return new

    @rule(memory_id=memories, state=st.sampled_from(["dormant", "forgotten"]), later=st.booleans())
    def leave_or_return(self, memory_id: str, state: str, later: bool) -> None:
        """An active memory fades or is forgotten, any other one is restored."""
        self.step(later)
        told = self.model[memory_id]
        if told.today.state != "active":
            self.bank.restore(memory_id)
            told.become(self.now, "active", *told.undo)
            return
        if state == "dormant":
            let_go(self.bank, memory_id, state)
        else:
            self.bank.forget(memory_id)
        told.become(self.now, state, told.today.until, told.today.successor)

    @rule(memory_id=memories, later=st.booleans())
    def forget_what_left(self, memory_id: str, later: bool) -> None:
        """A person forgets what is dormant or superseded already."""
        if self.state_of(memory_id) in ("dormant", "superseded"):
            self.step(later)
            self.bank.forget(memory_id)
            told = self.model[memory_id]
            told.become(self.now, "forgotten", told.today.until, told.today.successor)

    @rule(memory_id=memories, word=WORDS, later=st.booleans())
    def edit(self, memory_id: str, word: str, later: bool) -> None:
        self.step(later)
        text = f"note {word} once more"
        self.bank.edit(memory_id, text)
        self.model[memory_id].texts.append((self.now, text))

    @rule(as_of=st.none() | DAYS, known=st.none() | DAYS, mode=st.sampled_from(MODES), fresh=st.booleans())
    def look(self, as_of: int | None, known: int | None, mode: tuple[str, bool], fresh: bool) -> None:
        """Also with what is held in memory built anew from the ledger."""
        if fresh:
            self.engine.services.searcher.views.clear()
        self.compare(as_of, known, *mode)

    def compare(self, as_of: int | None, known: int | None, mode: str, deep: bool) -> None:
        expected = set()
        for memory_id, told in self.model.items():
            was = told.standing(known, self.model.get(told.today.successor or ""))
            if shown(told, was, (as_of, known, self.now), mode=mode, deep=deep):
                expected.add((memory_id, told.text(known)))
        when = {
            name: day(number) for name, number in (("as_of", as_of), ("known_at", known)) if number is not None
        }
        found = self.bank.recall(QUERY, k=100, floor=0, mode=mode, deep=deep, **when)  # type: ignore[arg-type]
        pairs = [(item.memory.id, item.content) for item in found.results]
        assert len(pairs) == len(set(pairs))
        assert (found.degraded, found.withheld) == ((), ())
        assert set(pairs) == expected

    def teardown(self) -> None:
        """Every pair of moments that were named or lived through, and no moment."""
        try:
            moments = (None, *sorted(self.moments))
            for as_of, known, mode in itertools.product(moments, moments, MODES):
                self.compare(as_of, known, *mode)
        finally:
            self.engine.close()


PastMachine.TestCase.settings = settings(
    max_examples=40,
    stateful_step_count=14,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


class TestAgainstAReplay(PastMachine.TestCase):
    """Whatever happened in whatever order, every moment is seen as it was."""
