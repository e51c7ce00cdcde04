"""Waiting no longer than one means to."""

import os
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar

import pytest

from cogmem_core.base.timeouts import CallTimeout, Deadline, TimeLimitedCaller, end_idle_threads
from cogmem_core.errors import EmbedderUnavailable
from helpers.late_calls import wait_for_late_calls

SETTING = ContextVar("SETTING", default="none")
LONG = 60.0  # seconds that no test waits


class Hanging:
    """A service that answers, or fails, when it is released."""

    def __init__(self, error: Exception | None = None) -> None:
        self.release = threading.Event()
        self.began = threading.Event()
        self.asked = 0
        self.thread: threading.Thread | None = None
        self._error = error

    def __call__(self) -> str:
        self.asked, self.thread = self.asked + 1, threading.current_thread()
        self.began.set()
        assert self.release.wait(LONG)
        if self._error is not None:
            raise self._error
        return "late"

    def come_back(self) -> None:
        self.release.set()
        if self.thread is not None:
            wait_for_late_calls(self.thread)


@pytest.fixture
def hanging() -> Iterator[Hanging]:
    found = Hanging()
    yield found
    found.come_back()


class TestDeadline:
    """Issue: "recall(deadline=…) answers within it"."""

    def test_without_one_there_is_always_time(self) -> None:
        """None = whenever."""
        whenever = Deadline()
        assert (whenever.left, whenever.passed, whenever.within(3.0)) == (None, False, 3.0)

    def test_a_step_gets_what_is_left_at_most(self) -> None:
        """Its own limit, or what is left if that is less."""
        due = Deadline(LONG)
        assert due.passed is False
        assert due.within(5.0) == 5.0
        assert 50.0 < due.within(100.0) <= 60.0
        assert due.left is not None
        assert 50.0 < due.left <= 60.0

    def test_once_it_is_over_nothing_is_left(self) -> None:
        """Never less than 0."""
        over = Deadline(0.0)
        assert (over.left, over.passed, over.within(5.0)) == (0.0, True, 0.0)


class TestCall:
    """A call in a thread of its own."""

    def test_the_value_comes_back(self) -> None:
        """In time: nothing is different, again and again."""
        patience = TimeLimitedCaller()
        assert [patience.call(lambda: 7, LONG), patience.call(lambda: 8, LONG)] == [7, 8]

    def test_the_thread_stands_by_for_the_next_call(self) -> None:
        """No thread is started for each call; what a call set in its context is not seen by the next one."""
        first = TimeLimitedCaller().call(threading.current_thread, LONG)
        TimeLimitedCaller().call(lambda: SETTING.set("mine"), LONG)
        assert TimeLimitedCaller().call(threading.current_thread, LONG) is first
        assert TimeLimitedCaller().call(SETTING.get, LONG) == "none"

    def test_threads_that_stand_by_can_be_ended(self) -> None:
        """A process that is copied should have none; the next call starts one again."""
        first = TimeLimitedCaller().call(threading.current_thread, LONG)
        end_idle_threads()
        assert not first.is_alive()
        assert TimeLimitedCaller().call(lambda: 7, LONG) == 7

    def test_calls_at_the_same_time_do_not_wait_for_each_other(self, hanging: Hanging) -> None:
        """Each has a thread of its own meanwhile."""
        caller = TimeLimitedCaller()
        waiting = threading.Thread(target=caller.call, args=(hanging, LONG))
        waiting.start()
        assert caller.call(lambda: 7, LONG) == 7
        hanging.come_back()
        waiting.join(LONG)

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="this system copies no processes")
    def test_a_forked_child_starts_threads_of_its_own(self) -> None:
        """Those of its parent, which stand by, are not there."""
        assert TimeLimitedCaller().call(lambda: 7, LONG) == 7
        child = os.fork()
        if not child:
            os._exit(TimeLimitedCaller().call(lambda: 8, LONG))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 8

    def test_what_never_returns_does_not_keep_the_process(self) -> None:
        """The thread is a daemon, and it has a name."""
        thread = TimeLimitedCaller().call(threading.current_thread, LONG)
        assert (thread.daemon, thread.name) == (True, "cogmem-patience")

    def test_the_errors_of_a_call_pass_through(self) -> None:
        """The very same error, a defect too, so that who handles it can tell what happened."""
        for error in (EmbedderUnavailable("the server is down"), OverflowError("too far")):

            def fail(error: Exception = error) -> str:
                raise error

            with pytest.raises(type(error)) as caught:
                TimeLimitedCaller().call(fail, LONG)
            assert caught.value is error

    def test_an_error_does_not_count_as_hanging(self) -> None:
        """The next call is made."""
        patience = TimeLimitedCaller()
        with pytest.raises(EmbedderUnavailable):
            patience.call(_unavailable, LONG)
        assert patience.call(lambda: 7, LONG) == 7


class TestHanging:
    """A service that hangs costs one wait, not one per question, and holds one thread."""

    def test_it_is_given_up(self, hanging: Hanging) -> None:
        """The message says how long it was waited for."""
        with pytest.raises(CallTimeout, match=r"^no answer within 0\.01 s$"):
            TimeLimitedCaller().call(hanging, 0.01)

    def test_the_next_call_is_refused_at_once(self, hanging: Hanging) -> None:
        """However long it would have waited; nothing is asked, and no further thread is held."""
        patience = TimeLimitedCaller()
        _given_up(patience, hanging)
        threads = threading.active_count()
        for _ in range(3):
            with pytest.raises(CallTimeout, match=r"^an earlier call has not come back yet$"):
                patience.call(hanging, LONG)
        assert (hanging.asked, threading.active_count()) == (1, threads)

    def test_when_it_comes_back_calls_are_made_again(self, hanging: Hanging) -> None:
        """What it returned late is not used."""
        patience = TimeLimitedCaller()
        _given_up(patience, hanging)
        hanging.come_back()
        assert patience.call(lambda: "new", LONG) == "new"

    def test_it_may_come_back_with_an_error(self) -> None:
        """That counts as coming back, and nobody sees the late error."""
        hanging, patience = Hanging(EmbedderUnavailable("too late")), TimeLimitedCaller()
        _given_up(patience, hanging)
        hanging.come_back()
        assert patience.call(lambda: "new", LONG) == "new"

    def test_one_of_several_that_came_back_is_not_enough(self) -> None:
        """Two calls at the same time may both hang."""
        first, second, patience = Hanging(), Hanging(), TimeLimitedCaller()
        both = [_waiting(patience, hanging) for hanging in (first, second)]
        for thread in both:
            thread.join(LONG)
        first.come_back()
        with pytest.raises(CallTimeout, match="an earlier call"):
            patience.call(lambda: "new", LONG)
        second.come_back()
        assert patience.call(lambda: "new", LONG) == "new"

    def test_another_service_is_not_affected(self, hanging: Hanging) -> None:
        """Each has a patience of its own."""
        _given_up(TimeLimitedCaller(), hanging)
        assert TimeLimitedCaller().call(lambda: 7, LONG) == 7


def _unavailable() -> str:
    raise EmbedderUnavailable("down")


def _given_up(patience: TimeLimitedCaller, call: Callable[[], str], seconds: float = 0.01) -> None:
    with pytest.raises(CallTimeout, match="no answer"):
        patience.call(call, seconds)
    if isinstance(call, Hanging):
        assert call.began.wait(LONG)


def _waiting(patience: TimeLimitedCaller, hanging: Hanging) -> threading.Thread:
    """A thread that is being given up; it was let in before the other one was given up."""
    let_in = threading.Event()

    def entered() -> str:
        let_in.set()
        return hanging()

    thread = threading.Thread(target=_given_up, args=(patience, entered, 0.5))
    thread.start()
    assert let_in.wait(LONG)
    return thread
