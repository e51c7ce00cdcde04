"""A language model that does not answer is left alone for a while, and one call finds out whether it is back."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pydantic import BaseModel

import cogmem_core
from cogmem_core.config import Config, LLMConfig
from cogmem_core.llm import Budget, CircuitBreaker, LLMOutputError, LLMUnavailable, Usage
from cogmem_core.ports import LLM
from cogmem_core.skills import Skill, run_skill
from cogmem_core.skills.run import ask
from cogmem_core.testing import FrozenClock, ScriptedLLM
from helpers.monotonic_clock import Seconds

MESSAGES = [{"role": "user", "content": "Where?"}]
DOWN = LLMUnavailable("the server answered 503")
PORTO = {"city": "Porto"}


class City(BaseModel):
    """An answer."""

    city: str


@pytest.fixture
def clock() -> Seconds:
    return Seconds()


def resting(
    llm: Any, clock: Callable[[], float], *, failures: int = 2, seconds: float = 60.0
) -> CircuitBreaker:
    limits = LLMConfig(cooldown_failures=failures, cooldown_seconds=seconds)
    return CircuitBreaker(llm, limits, clock=clock)


def ask_city(llm: LLM) -> str:
    """The city, or the message of the error."""
    try:
        return llm.complete(MESSAGES, City, 5.0).city
    except (LLMUnavailable, LLMOutputError, OSError) as error:
        return str(error)


def test_after_so_many_failures_in_a_row_calls_are_refused_at_once(clock: Seconds) -> None:
    """The message says how often, how long still, and why; the model is not asked."""
    model = ScriptedLLM(DOWN, TimeoutError("read timed out"))
    llm = resting(model, clock)
    told = [ask_city(llm), ask_city(llm), ask_city(llm)]
    clock.now += 17.5

    assert told == [
        "the server answered 503",
        "read timed out",
        "the model failed 2 times in a row; it is left alone for 60 more seconds: TimeoutError",
    ]
    assert (
        ask_city(llm)
        == "the model failed 2 times in a row; it is left alone for 43 more seconds: TimeoutError"
    )
    assert len(model.calls) == 2


def test_an_answer_in_between_starts_the_count_anew(clock: Seconds) -> None:
    """Only failures in a row count."""
    llm = resting(ScriptedLLM(DOWN, PORTO, DOWN, PORTO), clock)

    assert [ask_city(llm) for _ in range(4)] == [str(DOWN), "Porto", str(DOWN), "Porto"]


@pytest.mark.parametrize(
    "answer", [LLMOutputError("no JSON"), {"city": 7}], ids=["unusable", "wrong type"]
)
def test_an_unusable_answer_is_an_answer(clock: Seconds, answer: Any) -> None:
    """The model can be reached: it is not left alone, and earlier failures are forgotten."""
    model = ScriptedLLM(DOWN, answer, DOWN, answer, PORTO)
    llm = resting(model, clock)
    for _ in range(4):
        with pytest.raises(Exception, match=r"503|no JSON|string_type"):
            llm.complete(MESSAGES, City, 5.0)

    assert ask_city(llm) == "Porto"


def test_after_the_pause_one_call_decides(clock: Seconds) -> None:
    """It fails: as long again, at once. It is answered: the model is back, and a new row of failures is needed."""
    model = ScriptedLLM(DOWN, DOWN, ConnectionRefusedError("refused"), PORTO, DOWN, PORTO)
    llm = resting(model, clock)
    ask_city(llm), ask_city(llm)
    clock.now += 60.0

    assert ask_city(llm) == "refused"
    left_alone = "the model failed 3 times in a row; it is left alone for 60 more seconds: ConnectionRefusedError"
    assert ask_city(llm) == left_alone
    clock.now += 60.0
    assert [ask_city(llm) for _ in range(3)] == ["Porto", str(DOWN), "Porto"]


def test_only_one_call_is_the_trial(clock: Seconds) -> None:
    """While it waits for its answer, further ones are refused."""
    asked, answer = threading.Event(), threading.Event()

    def slow(_messages: Any) -> Any:
        asked.set()
        assert answer.wait(10)
        return PORTO

    model = ScriptedLLM(DOWN, DOWN, slow, default={"city": "Faro"})
    llm = resting(model, clock)
    ask_city(llm), ask_city(llm)
    clock.now += 60.0
    with ThreadPoolExecutor(1) as pool:
        trial = pool.submit(ask_city, llm)
        assert asked.wait(10)
        meanwhile = [ask_city(llm), ask_city(llm)]
        answer.set()

        assert trial.result() == "Porto"
    assert (
        meanwhile
        == ["the model failed 2 times in a row; it is being tried again: the server answered 503"]
        * 2
    )
    assert ask_city(llm) == "Faro"


def test_calls_in_flight_run_side_by_side(clock: Seconds) -> None:
    """Four wait for each other: a lock around the call would never let them meet."""
    together = threading.Barrier(4)

    def meet(_messages: Any) -> Any:
        together.wait(10)
        return PORTO

    llm = resting(ScriptedLLM(default=meet), clock)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: ask_city(llm), range(4))) == ["Porto"] * 4


def test_failures_of_calls_in_flight_do_not_prolong_the_pause(clock: Seconds) -> None:
    """They began before it; the last reason is told."""
    asked, answer = threading.Semaphore(0), threading.Event()

    def slow(_messages: Any) -> Any:
        asked.release()
        assert answer.wait(10)
        return TimeoutError("late")

    llm = resting(ScriptedLLM(slow, DOWN, DOWN, PORTO), clock)
    with ThreadPoolExecutor(1) as pool:
        pending = pool.submit(ask_city, llm)
        assert asked.acquire(timeout=10)
        ask_city(llm), ask_city(llm)
        clock.now += 50.0
        answer.set()
        assert pending.result() == "late"

    assert (
        ask_city(llm)
        == "the model failed 3 times in a row; it is left alone for 10 more seconds: TimeoutError"
    )
    clock.now += 10.0
    assert ask_city(llm) == "Porto"


def test_an_interrupted_trial_leaves_the_way_free(clock: Seconds) -> None:
    """Ctrl-C says nothing about the model: the next call is the trial."""
    llm = resting(ScriptedLLM(DOWN, DOWN, KeyboardInterrupt, PORTO), clock)
    ask_city(llm), ask_city(llm)
    clock.now += 60.0
    with pytest.raises(KeyboardInterrupt):
        ask_city(llm)

    assert ask_city(llm) == "Porto"


def test_an_error_without_a_message_is_told_by_its_name(clock: Seconds) -> None:
    """And a long one in short."""
    llm = resting(
        ScriptedLLM(TimeoutError(), LLMUnavailable("x" * 500)), clock, failures=1, seconds=1.0
    )
    ask_city(llm)

    assert ask_city(llm).endswith("for 1 more seconds: TimeoutError")
    clock.now += 1.0
    ask_city(llm)
    assert ask_city(llm).endswith(f"for 1 more seconds: {'x' * 120}")


WHERE = Skill(
    "where",
    lambda given: ask("Which city?", given),
    City,
    lambda answer, _: answer.city,
    lambda _: "nowhere",
)


class TestInSteps:
    """What `run_skill` sees of the model behind the switch."""

    def test_a_refused_call_costs_nothing(self, clock: Seconds) -> None:
        """The budget is for calls that are made; the twin answers."""
        budget = Budget(LLMConfig(calls_per_day=3), clock=FrozenClock())
        llm = resting(ScriptedLLM(DOWN, PORTO), clock, failures=1)
        failed, *refused = [run_skill(WHERE, "", llm, budget=budget, timeout=5.0) for _ in range(5)]

        assert (failed.error, failed.usage) == (
            "LLMUnavailable: the server answered 503",
            Usage(10, 5, 1),
        )
        assert {outcome.usage for outcome in refused} == {Usage()}
        assert {outcome.value for outcome in refused} == {"nowhere"}
        assert refused[0].error == (
            "LLMUnavailable: the model failed 1 times in a row; it is left alone for 60 more seconds: "
            "the server answered 503"
        )
        assert (budget.calls_today, budget.tokens_today) == (1, 15)
        clock.now += 60.0
        assert run_skill(WHERE, "", llm, budget=budget, timeout=5.0).usage == Usage(10, 5, 1)


class TestInTheEngine:
    """Settings reach the model and the budget."""

    def test_an_engine_leaves_its_model_alone(self) -> None:
        """`llm.cooldown_failures`, `llm.calls_per_day` and the engine's clock."""
        clock = FrozenClock()
        config = Config(
            llm=LLMConfig(cooldown_failures=1, cooldown_seconds=3_600.0, calls_per_day=2)
        )
        model = ScriptedLLM(DOWN)
        with cogmem_core.open(embedder="hashing", llm=model, config=config, clock=clock) as engine:
            llm, budget = engine.services.llm, engine.services.budget
            errors = [run_skill(WHERE, "", llm, budget=budget, timeout=5.0).error for _ in range(2)]
            budget.take()
            refusal = budget.take()
            clock.advance(days=1)

            assert [error.split(";")[0] for error in errors] == [
                "LLMUnavailable: the server answered 503",
                "LLMUnavailable: the model failed 1 times in a row",
            ]
            assert refusal == "over budget: calls per day are limited to 2, this call would make 3"
            assert budget.take() is None
        assert len(model.calls) == 1
