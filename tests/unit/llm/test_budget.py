"""Limits on what is asked of a language model: per call, per cycle, per day."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from cogmem_core.config import LLMConfig
from cogmem_core.errors import StoreError
from cogmem_core.llm import Budget, Usage
from cogmem_core.testing import FrozenClock


def test_calls_per_day_run_out_and_come_back_at_midnight() -> None:
    """The third of two calls is refused with the reason; the next UTC day starts from zero."""
    clock = FrozenClock()
    budget = Budget(LLMConfig(calls_per_day=2), clock=clock)

    assert [budget.take(), budget.take(), budget.take()] == [
        None,
        None,
        "over budget: calls per day are limited to 2, this call would make 3",
    ]
    clock.advance(days=1)
    assert budget.take() is None
    assert budget.calls_today == 1


class Kept:
    """An account in memory."""

    def __init__(self) -> None:
        self.text = ""
        self.failure: Exception | None = None

    def read(self) -> str:
        if self.failure:
            raise self.failure
        return self.text

    def exchange(self, change: Callable[[str], str]) -> None:
        self.text = change(self.read())


def test_budgets_of_one_account_share_the_day() -> None:
    """As those of two processes, and of the next one."""
    clock, kept = FrozenClock(), Kept()
    first = Budget(LLMConfig(calls_per_day=2), clock=clock, account=kept)
    second = Budget(LLMConfig(calls_per_day=2), clock=clock, account=kept)
    assert [first.take(7), second.take(7)] == [None, None]
    assert first.take() == "over budget: calls per day are limited to 2, this call would make 3"
    later = Budget(LLMConfig(calls_per_day=2), clock=clock, account=kept)
    assert (later.calls_today, later.tokens_today, len(later.troubles())) == (2, 14, 1)
    clock.advance(days=1)
    assert (later.take(), first.calls_today) == (None, 1)


def test_an_account_that_fails_costs_no_call() -> None:
    """A full disk: the process counts for itself."""
    kept = Kept()
    kept.failure = StoreError("the disk is full; make room")
    budget = Budget(LLMConfig(calls_per_day=1), clock=FrozenClock(), account=kept)
    assert [budget.take(), budget.calls_today] == [None, 1]
    assert budget.take() is not None


def test_a_clock_that_goes_back_opens_no_new_day() -> None:
    """Otherwise moving the clock to and fro would refill the budget."""
    clock = FrozenClock()
    budget = Budget(LLMConfig(calls_per_day=1), clock=clock)
    budget.take()
    clock.advance(days=-1)

    assert budget.take() == "over budget: calls per day are limited to 1, this call would make 2"


def test_a_prompt_that_is_too_long_is_refused_alone() -> None:
    """A refused call takes nothing."""
    budget = Budget(LLMConfig(per_call_tokens=100, calls_per_day=1), clock=FrozenClock())

    assert (
        budget.take(101)
        == "over budget: tokens per call are limited to 100, this call would make 101"
    )
    assert budget.take(100) is None


def test_real_usage_takes_the_place_of_the_reservation() -> None:
    """Reserved 40, used 30 + 5, in two requests because of a retry."""
    budget = Budget(LLMConfig(tokens_per_day=100), clock=FrozenClock())
    budget.take(40)
    budget.record(Usage(prompt_tokens=30, completion_tokens=5, calls=2), reserved=40)

    assert budget.tokens_today == 35
    assert budget.calls_today == 2
    assert (
        budget.take(66)
        == "over budget: tokens per day are limited to 100, this call would make 101"
    )


def test_a_silent_server_leaves_the_reservation_standing() -> None:
    """Tokens that nobody counted were spent all the same."""
    budget = Budget(LLMConfig(), clock=FrozenClock())
    budget.take(40)
    budget.record(Usage(calls=1), reserved=40)

    assert budget.tokens_today == 40


def test_a_call_that_was_never_made_is_given_back() -> None:
    """No package, no key or a model that rests: nothing was sent, nothing is charged."""
    budget = Budget(LLMConfig(calls_per_cycle=1), clock=FrozenClock())
    cycle = budget.cycle()
    cycle.take(40)
    cycle.record(Usage(), reserved=40)

    assert (budget.calls_today, budget.tokens_today) == (0, 0)
    assert cycle.take() is None


def test_costs_add_up() -> None:
    """Part by part."""
    assert Usage(1, 2, 3) + Usage(10, 20, 30) == Usage(11, 22, 33)


def test_each_cycle_has_its_own_calls_and_shares_the_day() -> None:
    """`calls_per_cycle` binds cycles, not the write path."""
    budget = Budget(LLMConfig(calls_per_cycle=1, calls_per_day=3), clock=FrozenClock())
    first, second = budget.cycle(), budget.cycle()

    assert [first.take(), second.take(), budget.take()] == [None, None, None]
    assert first.take() == "over budget: calls per cycle are limited to 1, this call would make 2"
    assert budget.take() == "over budget: calls per day are limited to 3, this call would make 4"


def test_zero_means_never() -> None:
    """A budget of nothing is a way to switch the model off."""
    budget = Budget(LLMConfig(calls_per_day=0), clock=FrozenClock())

    assert budget.take() == "over budget: calls per day are limited to 0, this call would make 1"


def test_threads_cannot_overdraw() -> None:
    """Of 200 simultaneous calls exactly 50 are granted."""
    budget = Budget(LLMConfig(calls_per_day=50), clock=FrozenClock())
    with ThreadPoolExecutor(16) as pool:
        granted = [
            answer for answer in pool.map(lambda _: budget.take(1), range(200)) if answer is None
        ]

    assert len(granted) == 50
