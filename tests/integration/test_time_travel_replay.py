"""What was true at a moment, what was known by a moment: against a model that replays every act."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, precondition, rule

import cogmem_core
from cogmem_core.testing import CountingEmbedder, FrozenClock
from helpers.servers import examples
from helpers.time_travel import CONFIG, FIRST, day, let_go

QUERY = "apple and river notes"
LAST = 4
DAYS = st.integers(-1, LAST)
MOST = 4  # memories, so that each has a long life
WORDS = st.sampled_from(["apple", "river", "çay", "42", "plum"])
TURNS = st.lists(
    st.tuples(st.sampled_from(["forgotten", "active", "dormant"]), st.booleans()),
    min_size=2,
    max_size=4,
)
MODES = tuple(itertools.product(("current", "timeline"), (False, True)))


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

    `undo`: what its retirements changed, as it was when it was last active.
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
        return next(
            (one for one in reversed(self.standings) if one.noted <= known), self.standings[0]
        )

    def become(self, noted: int, state: str, until: int | None, successor: str | None) -> None:
        if state != "active" and self.today.state == "active":
            self.undo = (self.today.until, self.today.successor)
        self.standings.append(Standing(noted, state, until, successor))


def shown(
    told: Told, was: Standing, moments: tuple[int | None, int | None, int], *, mode: str, deep: bool
) -> bool:
    """Whether a memory may be seen; `moments`: as_of, known_at, the present."""
    as_of, known, now = moments
    if (
        told.today.state == "forgotten"
        or was.state == "forgotten"
        or (known is not None and told.said > known)
    ):
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


class Past:
    """A bank, and a dictionary from id to the life of each memory; days pass as told."""

    def __init__(self) -> None:
        self.now, self.clock, self.model = 0, FrozenClock(FIRST), dict[str, Told]()
        self.moments: set[int] = {0}
        self.engine = cogmem_core.open(embedder=CountingEmbedder(), clock=self.clock, config=CONFIG)
        self.engine.pause()
        self.bank = self.engine.bank("alice")

    def next_day(self) -> None:
        self.now += 1
        self.moments.add(self.now)
        self.clock.advance(days=1)

    def add(
        self,
        word: str,
        said: int | None = None,
        begins: int | None = None,
        until: int | None = None,
    ) -> str:
        text = f"note {len(self.model)} {word}"
        at, starts, ends = (
            None if number is None else day(number) for number in (said, begins, until)
        )
        memory = self.bank.add(text, at=at, valid_from=starts, valid_until=ends)
        told = self.now if said is None else said
        self.model[memory.id] = Told(
            told, begins, [(self.now, text)], [Standing(self.now, "active", until)]
        )
        self.moments |= {moment for moment in (told, begins, until) if moment is not None}
        return memory.id

    def supersede(self, old: str, said: int | None, ends: int | None) -> str:
        """Something new takes the place of a memory, which was true until `ends`, or was never untrue (a duplicate)."""
        new, told = self.add("plum", said), self.model[old]
        if told.today.state == "active":
            until = {} if ends is None else {"valid_until": day(ends)}
            let_go(self.bank, old, "superseded", superseded_by=new, **until)
            told.become(self.now, "superseded", told.today.until if ends is None else ends, new)
            self.moments |= set() if ends is None else {ends}
        return new

    def turn(self, memory_id: str, state: str) -> None:
        """A memory fades, is forgotten or is restored, as far as its state allows it."""
        told = self.model[memory_id]
        if state == told.today.state or (state == "dormant" and told.today.state != "active"):
            return
        if state == "active":
            self.bank.restore(memory_id)
            told.become(self.now, state, *told.undo)
            return
        if state == "dormant":
            let_go(self.bank, memory_id, state)
        else:
            self.bank.forget(memory_id)
        told.become(self.now, state, told.today.until, told.today.successor)

    def edit(self, memory_id: str, word: str) -> None:
        text = f"note {word} once more"
        self.bank.edit(memory_id, text)
        self.model[memory_id].texts.append((self.now, text))

    def compare(self, as_of: int | None, known: int | None, mode: str, deep: bool) -> None:
        expected = set()
        for memory_id, told in self.model.items():
            was = told.standing(known, self.model.get(told.today.successor or ""))
            if shown(told, was, (as_of, known, self.now), mode=mode, deep=deep):
                expected.add((memory_id, told.text(known)))
        when: dict[str, Any] = {
            name: day(number)
            for name, number in (("as_of", as_of), ("known_at", known))
            if number is not None
        }
        found = self.bank.recall(QUERY, k=1_000, floor=0, mode=mode, deep=deep, **when)
        pairs = [(item.memory.id, item.content) for item in found.results]
        assert len(pairs) == len(set(pairs))
        assert (found.degraded, found.withheld) == ((), ())
        assert set(pairs) == expected, (as_of, known, mode, deep)

    def compare_all(self, truths: Iterable[int | None], knowns: Iterable[int | None]) -> None:
        """Every pair of moments, in every mode."""
        for as_of, known, mode in itertools.product(truths, knowns, MODES):
            self.compare(as_of, known, *mode)


class PastMachine(RuleBasedStateMachine):
    """Any sequence of acts on few memories."""

    memories = Bundle("memories")

    def __init__(self) -> None:
        super().__init__()
        self.past = Past()

    def step(self, later: bool) -> None:
        """Half of the acts happen a day after the one before."""
        if later and self.past.now < LAST:
            self.past.next_day()

    @initialize(
        target=memories,
        said=st.none() | DAYS,
        begins=st.none() | DAYS,
        lasts=st.none() | st.integers(1, 2),
    )
    def begin(self, said: int | None, begins: int | None, lasts: int | None) -> str:
        return self.past.add(
            "apple", said, begins, None if lasts is None else (begins or 0) + lasts
        )

    @precondition(lambda self: len(self.past.model) < MOST)
    @rule(target=memories, said=st.none() | DAYS, begins=st.none() | DAYS, later=st.booleans())
    def add(self, said: int | None, begins: int | None, later: bool) -> str:
        self.step(later)
        return self.past.add("river", said, begins)

    @precondition(lambda self: len(self.past.model) < MOST)
    @rule(
        target=memories,
        old=memories,
        said=st.none() | DAYS,
        ends=st.none() | DAYS,
        later=st.booleans(),
    )
    def supersede(self, old: str, said: int | None, ends: int | None, later: bool) -> str:
        self.step(later)
        return self.past.supersede(old, said, ends)

    @rule(memory_id=memories, turns=TURNS)
    def live(self, memory_id: str, turns: list[tuple[str, bool]]) -> None:
        for state, later in turns:
            self.step(later)
            self.past.turn(memory_id, state)

    @rule(memory_id=memories, word=WORDS, later=st.booleans())
    def edit(self, memory_id: str, word: str, later: bool) -> None:
        self.step(later)
        self.past.edit(memory_id, word)

    @rule(
        as_of=st.none() | DAYS,
        known=st.none() | DAYS,
        mode=st.sampled_from(MODES),
        fresh=st.booleans(),
    )
    def look(
        self, as_of: int | None, known: int | None, mode: tuple[str, bool], fresh: bool
    ) -> None:
        """Also with what is held in memory built anew from the ledger."""
        if fresh:
            self.past.engine.services.searcher.views.clear()
        self.past.compare(as_of, known, *mode)

    def teardown(self) -> None:
        """All moments that were named or lived through, and no moment."""
        try:
            moments = (None, *sorted(self.past.moments))
            self.past.compare_all(moments, moments)
        finally:
            self.past.engine.close()


PastMachine.TestCase.settings = settings(
    max_examples=examples(3),
    stateful_step_count=10,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


class TestAgainstAReplay(PastMachine.TestCase):
    """Whatever happened in whatever order, every moment is seen as it was."""


def test_every_life_of_three_days_is_seen_as_it_was() -> None:
    """`as_of` is what was valid then, `known_at` what had been recorded by then: 64 lives side by side."""
    past = Past()
    with past.engine:
        lives = list(itertools.product(("dormant", "forgotten", "active", "superseded"), repeat=3))
        ids = [past.add("apple") for _ in lives]
        for number in range(3):
            past.next_day()
            for place, (memory_id, life) in enumerate(zip(ids, lives, strict=True)):
                if life[number] != "superseded":
                    past.turn(memory_id, life[number])
                elif past.model[memory_id].today.state == "active":
                    # Said today, or known of for long; it began today, or the day before.
                    past.supersede(memory_id, None if place % 2 else 0, past.now - place % 3 // 2)
        assert len(past.model) == 88
        past.compare_all((None, 0, 2, 4), (None, 0, 1, 2, 3))
