"""What was true at a moment, what was known by a moment: against a model that replays every act, and by example."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, precondition, rule

import cogmem
from cogmem import MemoryBank, RetrievalConfig
from cogmem.changes import Actor, Retire, apply
from cogmem.testing import MANUAL, CountingEmbedder, FrozenClock

# One look: a second one, at what was put away for disuse, is not about time.
CONFIG = dataclasses.replace(MANUAL, retrieval=RetrievalConfig(second_look=0.0))
FIRST = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
DREAM = Actor("dream", "run-1")
HOME = "Where do I live?"
QUERY = "apple and river notes"
LAST = 4
DAYS = st.integers(-1, LAST)
MOST = 4  # memories, so that each has a long life
WORDS = st.sampled_from(["apple", "river", "çay", "42", "plum"])
TURNS = st.lists(st.tuples(st.sampled_from(["forgotten", "active", "dormant"]), st.booleans()), min_size=2, max_size=4)
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
        return next((one for one in reversed(self.standings) if one.noted <= known), self.standings[0])

    def become(self, noted: int, state: str, until: int | None, successor: str | None) -> None:
        if state != "active" and self.today.state == "active":
            self.undo = (self.today.until, self.today.successor)
        self.standings.append(Standing(noted, state, until, successor))


def shown(told: Told, was: Standing, moments: tuple[int | None, int | None, int], *, mode: str, deep: bool) -> bool:
    """Whether a memory may be seen; `moments`: as_of, known_at, the present."""
    as_of, known, now = moments
    if told.today.state == "forgotten" or was.state == "forgotten" or (known is not None and told.said > known):
        return False
    true = as_of is None or ((told.begins is None or told.begins <= as_of) and (was.until is None or as_of < was.until))
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
        self.engine = cogmem.open(embedder=CountingEmbedder(), clock=self.clock, config=CONFIG)
        self.engine.pause()
        self.bank = self.engine.bank("alice")

    def next_day(self) -> None:
        self.now += 1
        self.moments.add(self.now)
        self.clock.advance(days=1)

    def add(self, word: str, said: int | None = None, begins: int | None = None, until: int | None = None) -> str:
        text = f"note {len(self.model)} {word}"
        at, starts, ends = (None if number is None else day(number) for number in (said, begins, until))
        memory = self.bank.add(text, at=at, valid_from=starts, valid_until=ends)
        told = self.now if said is None else said
        self.model[memory.id] = Told(told, begins, [(self.now, text)], [Standing(self.now, "active", until)])
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
            name: day(number) for name, number in (("as_of", as_of), ("known_at", known)) if number is not None
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

    @initialize(target=memories, said=st.none() | DAYS, begins=st.none() | DAYS, lasts=st.none() | st.integers(1, 2))
    def begin(self, said: int | None, begins: int | None, lasts: int | None) -> str:
        return self.past.add("apple", said, begins, None if lasts is None else (begins or 0) + lasts)

    @precondition(lambda self: len(self.past.model) < MOST)
    @rule(target=memories, said=st.none() | DAYS, begins=st.none() | DAYS, later=st.booleans())
    def add(self, said: int | None, begins: int | None, later: bool) -> str:
        self.step(later)
        return self.past.add("river", said, begins)

    @precondition(lambda self: len(self.past.model) < MOST)
    @rule(target=memories, old=memories, said=st.none() | DAYS, ends=st.none() | DAYS, later=st.booleans())
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

    @rule(as_of=st.none() | DAYS, known=st.none() | DAYS, mode=st.sampled_from(MODES), fresh=st.booleans())
    def look(self, as_of: int | None, known: int | None, mode: tuple[str, bool], fresh: bool) -> None:
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
    max_examples=6,
    stateful_step_count=10,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


class TestAgainstAReplay(PastMachine.TestCase):
    """Whatever happened in whatever order, every moment is seen as it was."""


def test_every_life_of_four_days_is_seen_as_it_was() -> None:
    """SPEC 4: `as_of` is what was valid then, `known_at` what had been recorded by then: 256 lives side by side."""
    past = Past()
    with past.engine:
        lives = list(itertools.product(("dormant", "forgotten", "active", "superseded"), repeat=4))
        ids = [past.add("apple") for _ in lives]
        for number in range(4):
            past.next_day()
            for place, (memory_id, life) in enumerate(zip(ids, lives, strict=True)):
                if life[number] != "superseded":
                    past.turn(memory_id, life[number])
                elif past.model[memory_id].today.state == "active":
                    # Said today, or known of for long; it began today, or the day before.
                    past.supersede(memory_id, None if place % 2 else 0, past.now - place % 3 // 2)
        assert len(past.model) == 368
        past.compare_all((None, 0, 2, 5), (None, 0, 1, 2, 3, 4))


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(FIRST)


@pytest.fixture
def bank(clock: FrozenClock) -> Iterator[MemoryBank]:
    with cogmem.open(embedder=CountingEmbedder(), clock=clock, config=CONFIG) as engine:
        engine.pause()
        yield engine.bank("alice")


def told(bank: MemoryBank, query: str = HOME, **asked: Any) -> list[str]:
    return [item.content for item in bank.recall(query, **asked).results]


@pytest.fixture
def moved(bank: MemoryBank, clock: FrozenClock) -> MemoryBank:
    """Said in April: Lisbon; said on 1 June: Porto; it is 1 July."""
    clock.advance(days=-60)
    bank.remember("I live in Lisbon", mode="semantic")
    clock.advance(days=60)
    assert bank.remember("I live in Porto now", mode="semantic").receipts[0].status == "superseded"
    clock.advance(days=30)
    return bank


MAY = datetime(2026, 5, 1, tzinfo=timezone.utc)
LISBON, PORTO = "User lives in Lisbon", "User lives in Porto now"


def test_a_move_is_seen_from_today_from_may_and_as_a_timeline(moved: MemoryBank) -> None:
    """SPEC 4: "current (default), timeline (with superseded), as_of (what was valid then), and known_at"."""
    assert told(moved) == [PORTO]
    assert told(moved, as_of=MAY) == [LISBON]
    assert told(moved, known_at=MAY) == [LISBON]
    assert told(moved, mode="timeline") == [PORTO, LISBON]


def test_the_moment_of_the_move_belongs_to_the_new_home(moved: MemoryBank) -> None:
    """Config of `as_of`: valid_from <= t < valid_until; what is said at a moment is known at it."""
    just_before = FIRST - timedelta(microseconds=1)
    assert (told(moved, as_of=just_before), told(moved, as_of=FIRST)) == ([LISBON], [PORTO])
    assert (told(moved, known_at=just_before), told(moved, known_at=FIRST)) == ([LISBON], [PORTO])


def test_what_may_would_have_said_of_july(moved: MemoryBank) -> None:
    """Both moments at once: by what was known in May, Lisbon is still home in July."""
    july = datetime(2026, 7, 1, tzinfo=timezone.utc)
    assert told(moved, as_of=july, known_at=MAY) == [LISBON]
    assert told(moved, as_of=july) == [PORTO]
    assert told(moved, as_of=MAY, known_at=july) == [LISBON]


def test_before_anything_was_said_nothing_was_known(moved: MemoryBank) -> None:
    """SPEC 4: nothing → an explicit result with its reason."""
    found = moved.recall(HOME, known_at=datetime(2025, 1, 1, tzinfo=timezone.utc))
    assert (found.results, found.empty_reason) == ((), "no memory of that time matches the query")


def test_deep_recall_finds_the_old_home_at_half_its_score(moved: MemoryBank) -> None:
    """SPEC 4: "Deep recall also searches dormant and superseded, score x 0.5"."""
    scores = {item.content: item for item in moved.recall(HOME, deep=True).results}
    assert set(scores) == {LISBON, PORTO}
    old = scores[LISBON]
    assert old.signals["cold"] == 0.5
    assert old.contributions["cold"] == pytest.approx(-old.score)
    assert "cold" not in scores[PORTO].signals


def test_an_edited_text_is_told_as_it_was(bank: MemoryBank, clock: FrozenClock) -> None:
    """Bank: "what had been said by then, in the words of then"; it is found by its former words, too."""
    memory = bank.add("The dentist is on Monday")
    clock.advance(days=1)
    bank.edit(memory.id, "The dentist is on Thursday")
    clock.advance(days=1)
    bank.edit(memory.id, "The optician is on Friday")

    asked = [told(bank, "dentist Monday", known_at=day(number), floor=0) for number in (-1, 0, 1, 2, 9)]
    monday, thursday, friday = "The dentist is on Monday", "The dentist is on Thursday", "The optician is on Friday"
    assert asked == [[], [monday], [thursday], [friday], [friday]]
    assert told(bank, "dentist Monday", as_of=day(0), floor=0) == [friday]
    first = bank.recall("dentist Monday", known_at=day(0)).results[0]
    assert first.signals["similarity"] > 0.6  # measured by the vector of then
    assert (first.memory.version, bank.get(memory.id).version) == (1, 3)


def test_an_imported_history_is_known_from_when_it_was_said(bank: MemoryBank, clock: FrozenClock) -> None:
    """A move told in 2019 and 2021, but read in only today: superseded from when its successor was said."""
    years = [datetime(year, 3, 1, tzinfo=timezone.utc) for year in (2019, 2021)]
    bank.remember("I live in Lisbon", mode="semantic", at=years[0])
    bank.remember("I live in Porto now", mode="semantic", at=years[1])
    for asked in ("known_at", "as_of"):
        found = [
            told(bank, HOME, **{asked: datetime(year, 6, 1, tzinfo=timezone.utc)})
            for year in (2018, 2019, 2020, 2021, 2026)
        ]
        assert found == [[], [LISBON], [LISBON], [PORTO], [PORTO]]
    assert told(bank, mode="timeline") == [PORTO, LISBON]


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/New_York", "UTC"])
def test_a_day_begins_where_the_speaker_is(bank: MemoryBank, zone: str) -> None:
    """As of nine in the morning of that day he lives in Porto, and the night before he did not."""
    here = ZoneInfo(zone)
    bank.remember("I live in Lisbon", mode="semantic", at=datetime(2023, 3, 1, 12, tzinfo=here))
    bank.remember("I live in Porto now, since 6 May 2024", mode="semantic", at=datetime(2024, 5, 20, 12, tzinfo=here))
    found = [
        told(bank, HOME, as_of=datetime(2024, 5, day, hour, tzinfo=here)) for day, hour in ((5, 23), (6, 1), (6, 9))
    ]
    assert [[("Porto" in text) for text in texts] for texts in found] == [[False], [True], [True]]


def test_a_history_that_is_read_in_backwards_is_the_same(bank: MemoryBank) -> None:
    """What is outdated already when it is learnt was true, and known, in its time."""
    bank.remember("I live in Porto now", mode="semantic", at=datetime(2021, 3, 1, tzinfo=timezone.utc))
    bank.remember("I live in Lisbon", mode="semantic", at=datetime(2019, 3, 1, tzinfo=timezone.utc))
    for asked in ("known_at", "as_of"):
        found = [
            told(bank, HOME, **{asked: datetime(year, 6, 1, tzinfo=timezone.utc)}) for year in (2018, 2019, 2020, 2021)
        ]
        assert found == [[], [LISBON], [LISBON], [PORTO]]
    assert told(bank) == [PORTO]


def test_a_later_end_does_not_reach_back_behind_an_earlier_forgetting(bank: MemoryBank, clock: FrozenClock) -> None:
    """Bank: "what had been said by then": an end that was noted on day 3 is not known on day 0."""
    memory = bank.add("Anna works in the bakery")
    clock.advance(days=1)
    bank.forget(memory.id)
    clock.advance(days=1)
    bank.restore(memory.id)
    clock.advance(days=1)
    new = bank.add("Anna works in the library")
    let_go(bank, memory.id, "superseded", superseded_by=new.id, valid_until=day(3))

    bakery, query = ["Anna works in the bakery"], "Where does Anna work?"
    assert [told(bank, query, known_at=day(number), as_of=day(9)) for number in (0, 1, 2)] == [bakery, [], bakery]
    assert told(bank, query, known_at=day(3), as_of=day(9)) == ["Anna works in the library"]


def test_what_faded_had_not_faded_when_its_former_successor_was_said(bank: MemoryBank, clock: FrozenClock) -> None:
    """Horizon: only being superseded counts from when the successor was said, every other change from its own day."""
    memory = bank.add("Anna works in the bakery")
    new = bank.add("Anna works in the library", at=day(-1))
    let_go(bank, memory.id, "superseded", superseded_by=new.id)
    bank.forget(memory.id)
    bank.restore(memory.id)
    clock.advance(days=1)
    let_go(bank, memory.id, "dormant")

    assert "Anna works in the bakery" in told(bank, "Where does Anna work?", known_at=day(0))
    assert told(bank, "Where does Anna work?", known_at=day(1)) == ["Anna works in the library"]


def test_what_was_forgotten_is_shown_of_no_moment(bank: MemoryBank, clock: FrozenClock) -> None:
    """SPEC 0 and 1: a person's `forget` holds whatever moment is asked for; `restore` undoes it."""
    memory = bank.add("The safe opens with 4711")
    clock.advance(days=1)
    bank.forget(memory.id)
    for asked in ({"known_at": day(0)}, {"as_of": day(0)}, {"deep": True}, {"mode": "timeline"}):
        assert told(bank, "safe", floor=0, **asked) == []
    bank.restore(memory.id)
    assert told(bank, "safe", floor=0, known_at=day(0)) == ["The safe opens with 4711"]


def test_a_naive_moment_is_refused(bank: MemoryBank) -> None:
    """SPEC 1: "naive datetimes are rejected"."""
    with pytest.raises(cogmem.InvalidInput, match="known_at"):
        bank.recall("safe", known_at=datetime(2026, 5, 1))  # noqa: DTZ001 - that is the point
