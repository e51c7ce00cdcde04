"""What an interrupt may not break: blocks that always end, a flag that never jams."""

import inspect
import itertools
import threading
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType

import pytest

from cogmem_core.base.interrupt_safe import Flag, pause, scope
from cogmem_core.storage.ledger.sqlite_locks import Gate
from helpers.interrupted_calls import interrupt_at


class Doors:
    """Counts who is inside."""

    def __init__(self) -> None:
        self.inside = 0
        self.passed = 0

    @scope
    def through(self) -> Iterator[int]:
        try:
            self.inside += 1
            yield self.inside
        finally:
            self.inside -= 1
            self.passed += 1

    @scope
    def twice(self) -> Iterator[int]:
        with self.through(), self.through() as depth:
            yield depth

    @scope
    def quietly(self) -> Iterator[None]:
        try:
            yield
        except KeyError:
            self.passed += 1


def interrupted(call: Callable[[], object], place: int) -> KeyboardInterrupt | None:
    """Raises KeyboardInterrupt at the n-th place where a signal could arrive; None if the call ended before.

    Where a function begins, and where a call of C returns: where a generator is entered by `throw`, none could.
    """

    def is_place(frame: FrameType, event: str) -> bool:
        entered = event == "call" and not frame.f_code.co_flags & inspect.CO_GENERATOR
        return entered or event == "c_return"

    return interrupt_at(call, place, is_place=is_place)


def places_that_leave_nobody_inside(visit: Callable[[Doors], None]) -> int:
    """Interrupt a visit at each of its places; the tracebacks are kept meanwhile."""
    errors = list[KeyboardInterrupt]()
    for place in itertools.count(1):
        doors = Doors()
        error = interrupted(partial(visit, doors), place)
        assert doors.inside == 0, f"interrupted at place {place}"
        if error is None:
            return len(errors)
        errors.append(error)
    raise AssertionError("the places never end")


class TestScope:
    def test_it_is_a_context_manager(self) -> None:
        """It yields a value, and its end comes once."""
        doors = Doors()
        with doors.through() as number:
            assert (number, doors.inside, doors.passed) == (1, 1, 0)
        assert (doors.inside, doors.passed) == (0, 1)

    def test_an_exception_passes_through_it(self) -> None:
        """As it came, after the end."""
        doors, error = Doors(), ValueError("what")
        with pytest.raises(ValueError, match="what") as caught, doors.twice():
            raise error
        assert caught.value is error
        assert (doors.inside, doors.passed) == (0, 2)

    def test_a_block_may_raise_stop_iteration(self) -> None:
        """A generator would make another exception of it."""
        doors, error = Doors(), StopIteration("over")
        with pytest.raises(StopIteration) as caught, doors.through():
            raise error
        assert caught.value is error
        assert doors.inside == 0

    def test_it_may_swallow_an_exception(self) -> None:
        """As `contextlib.contextmanager` lets it."""
        doors = Doors()
        with doors.quietly():
            raise KeyError("gone")
        assert doors.passed == 1

    @pytest.mark.parametrize("name", ["through", "twice"])
    def test_an_interrupt_anywhere_leaves_nobody_inside(self, name: str) -> None:
        """Wherever it arrives, and though its traceback is kept."""

        def visit(doors: Doors) -> None:
            with getattr(doors, name)():
                len("inside")
            with getattr(doors, name)():
                len("inside")

        assert places_that_leave_nobody_inside(visit) > 10

    def test_an_interrupt_within_an_exception_leaves_nobody_inside(self) -> None:
        """The end that an exception brings can be interrupted, too."""

        def visit(doors: Doors) -> None:
            try:
                with doors.twice():
                    raise ValueError
            except ValueError:
                len("outside")

        assert places_that_leave_nobody_inside(visit) > 10


def test_an_interrupt_anywhere_leaves_a_gate_empty() -> None:
    """A gate entered is always left: else each later fork would wait for nobody."""
    gate, errors = Gate(), list[KeyboardInterrupt]()

    def visit() -> None:
        with gate.inside(), gate.inside():
            len("inside")

    for place in itertools.count(1):
        error = interrupted(visit, place)
        assert gate.shut(0), f"interrupted at place {place}"
        gate.open()
        if error is None:
            break
        errors.append(error)
    assert len(errors) > 10


class TestFlag:
    def test_it_is_up_or_down(self) -> None:
        """As an event of `threading`; raised twice, it is lowered once."""
        flag = Flag()
        assert not flag.is_set()
        assert not flag.wait(0)
        flag.set()
        flag.set()
        assert flag.is_set()
        assert flag.wait(0)
        assert flag.wait()
        flag.clear()
        assert not flag.is_set()
        assert not flag.wait(0.001)

    def test_it_wakes_who_waits(self) -> None:
        """However often it goes up and down."""
        flag, rounds = Flag(), list[bool]()

        def wait() -> None:
            while len(rounds) < 50:
                rounds.append(flag.wait(30))
                flag.clear()

        thread = threading.Thread(target=wait)
        thread.start()
        while thread.is_alive():
            flag.set()
            pause(0.0001)
        thread.join()
        assert rounds == [True] * 50

    def test_an_interrupt_anywhere_leaves_it_usable(self) -> None:
        """Whoever waits is woken by the next one who raises it."""
        for place in itertools.count(1):
            flag = Flag()

            def use(flag: Flag = flag) -> None:
                flag.set()
                flag.wait(0)
                flag.clear()
                flag.wait(0)

            error = interrupted(use, place)
            flag.set()
            assert flag.wait(0), f"interrupted at place {place}"
            flag.clear()
            assert not flag.wait(0), f"interrupted at place {place}"
            if error is None:
                break
