"""V9, bi-temporal model: what is true now, what was true then, what was known then; nothing is ever deleted."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from cogmem_core import Config
from helpers.exact_memories import Shelf, retrieval, shelf
from helpers.tables import each_case_of, each_row_of

NEAR = {"zulu": (1.0, 0.0), "near": (0.8, 0.6), "far": (0.0, 1.0)}


@pytest.fixture
def one() -> Iterator[Shelf]:
    with shelf(retrieval(Config(), mmr_lambda=1.0), NEAR) as found:
        yield found


@pytest.fixture
def moved(one: Shelf) -> tuple[Shelf, datetime]:
    """Somebody lived in Rome from day 0, in Oslo from day 10, and leaves for Bern on day 30; today is day 20."""
    today = one.clock()
    start = today - timedelta(days=20)
    rome = one.know("near Rome", days=20, valid_from=start)
    oslo = one.know("near Oslo", days=10, valid_from=start + timedelta(days=10))
    one.know("near Bern", days=1, valid_from=start + timedelta(days=30))
    one.retire(rome, "superseded", superseded_by=oslo, valid_until=start + timedelta(days=10))
    one.link(oslo, rome, "supersedes")
    return one, start


def day(start: datetime, number: float) -> datetime:
    return start + timedelta(days=number)


class TestFields:
    """ "Every memory carries two temporal dimensions"."""

    def test_both_dimensions_come_with_a_result(self, one: Shelf) -> None:
        """validFrom, validUntil, recordedAt; time_bounded if it ends."""
        now = one.clock()
        begun, ends = now - timedelta(days=3), now + timedelta(days=3)
        memory_id = one.know(
            "near the lake", at=now - timedelta(days=2), valid_from=begun, valid_until=ends
        )
        memory = one.item("zulu", memory_id).memory
        assert (memory.valid_from, memory.valid_until) == (begun, ends)
        assert memory.recorded_at == now - timedelta(days=2)
        assert memory.temporal_type == "time_bounded"


class TestNeverDelete:
    """ "Core Rule: Never delete — invalidate."."""

    def test_what_was_replaced_is_still_there(self) -> None:
        """Through the front door: the new address replaces the old one, which can be read, found and restored."""
        with shelf() as one:
            one.bank.remember("I live in Lisbon")
            one.clock.advance(days=1)
            one.bank.remember("I moved to Porto")
            [old] = one.bank.list(state="superseded")
            assert old.content == "I live in Lisbon"
            assert old.valid_until is not None
            assert one.texts("Where do I live?") == ["I moved to Porto"]
            assert "I live in Lisbon" in one.texts("Where do I live?", mode="timeline")
            one.bank.restore(old.id)
            assert "I live in Lisbon" in one.texts("Where do I live?")

    def test_what_has_expired_is_still_there(self, one: Shelf) -> None:
        """ "Time-bounded memories past validUntil": out of the present, not out of the bank."""
        memory_id = one.know("near the lake", valid_until=one.clock() + timedelta(days=7))
        assert one.texts("zulu") == ["near the lake"]
        one.clock.advance(days=7)
        assert one.texts("zulu") == []
        assert (
            one.texts("zulu", mode="timeline") == one.texts("zulu", deep=True) == ["near the lake"]
        )
        assert one.bank.get(memory_id).content == "near the lake"


class TestCurrent:
    """ "current state (default, validUntil = null)"."""

    def test_what_still_holds_today_is_part_of_it(self, one: Shelf) -> None:
        """An end that lies ahead is none yet; one that was reached is."""
        for text, seconds in (("near the lake", 1), ("near the pond", 0)):
            memory_id = one.know(text, valid_until=one.clock() + timedelta(hours=1))
            one.clock.advance(hours=1, seconds=-seconds)
            assert (memory_id in {item.memory.id for item in one.ask("zulu").results}) is bool(
                seconds
            )


class TestTimeline:
    """ "full timeline"."""

    def test_all_of_it_from_the_newest_to_the_oldest(self, moved: tuple[Shelf, datetime]) -> None:
        """With what was superseded, and at full score: here the past is what is asked for."""
        one, _ = moved
        found = one.ask("zulu", mode="timeline")
        assert [item.content for item in found.results] == ["near Bern", "near Oslo", "near Rome"]
        assert all("cold" not in item.signals for item in found.results)


class TestPointInTime:
    """ "point-in-time": `as_of` is what was true then."""

    @each_row_of("what_was_true_and_known_when/what_was_true_then")
    def test_what_was_true_then(
        self, moved: tuple[Shelf, datetime], number: float, expected: list[str]
    ) -> None:
        """From validFrom on, and up to, but without, validUntil; also in the future."""
        one, start = moved
        assert sorted(one.texts("zulu", as_of=day(start, number))) == expected

    def test_an_answer_about_the_past_says_so(self, one: Shelf) -> None:
        """Nothing found then is not nothing known."""
        one.know("near the lake", valid_from=one.clock())
        found = one.ask("zulu", as_of=one.clock() - timedelta(days=1))
        assert found.empty_reason == "no memory of that time matches the query"


class TestKnownAt:
    """The other dimension: "recordedAt | When system stored it"; `known_at` is what had been said by then."""

    @each_case_of("what_was_true_and_known_when/what_was_known_then")
    def test_what_was_known_then(
        self, moved: tuple[Shelf, datetime], number: float, expected: list[str]
    ) -> None:
        """Rome is known until Oslo is said; Bern only once somebody spoke of it, whenever it will be true."""
        one, start = moved
        assert sorted(one.texts("zulu", known_at=day(start, number))) == expected

    def test_both_moments_together(self, moved: tuple[Shelf, datetime]) -> None:
        """What was thought on day 5 about day 15: nobody knew of Oslo yet."""
        one, start = moved
        assert one.texts("zulu", known_at=day(start, 5), as_of=day(start, 15)) == ["near Rome"]
        assert one.texts("zulu", as_of=day(start, 15)) == ["near Oslo"]
