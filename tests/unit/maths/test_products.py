"""Products of vectors, on cores that nothing spins on."""

import multiprocessing
import threading
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from cogmem_core.maths.products import cores, dots, each, normalised, one_core
from helpers.tables import each_row


def blas_threads() -> set[int]:
    """How many threads each BLAS library of this process may use."""
    return {
        library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"
    }


@each_row("rows", [0, 1, 8_192, 8_193, 32_767, 32_769])
def test_dots_are_the_products_of_each_row(rows: int) -> None:
    """With few rows, with many, and with so many that the cores share them."""
    given = np.arange(rows * 3, dtype=np.float32).reshape(rows, 3) % 7
    vector = np.array([1.0, 2.0, 0.5], dtype=np.float32)
    expected = [float(row[0] + 2 * row[1] + 0.5 * row[2]) for row in given]
    assert dots(given, vector).tolist() == expected


def test_normalised_rows_have_length_1() -> None:
    """As float32, and not in place; rows of zeros stay zero."""
    given = np.array([[3.0, 4.0], [0.0, 0.0], [0.0, -2.0]], dtype=np.float32)
    found = normalised(given)
    assert found.tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0.0, 0.0], [0.0, -1.0]]
    assert (found.dtype, found.shape, given.tolist()[0]) == (np.float32, (3, 2), [3.0, 4.0])
    assert normalised(given[:0]).shape == (0, 2)


@each_row("size", [3e38, 1e19, 1e-23, 1e-38, 1e-45])
def test_no_square_overflows_or_vanishes(size: float) -> None:
    """From the largest float32 to the smallest."""
    root = pytest.approx(0.5**0.5)
    assert normalised(np.array([[size, size]], dtype=np.float32)).tolist() == [[root, root]]


def test_blas_is_on_one_core_until_the_last_block_ends() -> None:
    """Blocks of several threads overlap; afterwards it is as before."""
    before = blas_threads()
    inside, leave = threading.Event(), threading.Event()

    def other() -> None:
        with one_core():
            inside.set()
            leave.wait(60)

    thread = threading.Thread(target=other)
    with one_core():
        thread.start()
        assert inside.wait(60)
        assert blas_threads() == {1}
    assert blas_threads() == {1}
    leave.set()
    thread.join()
    assert blas_threads() == before


def test_an_error_inside_leaves_nothing_limited() -> None:
    """The limit is given back."""
    before = blas_threads()
    with pytest.raises(ZeroDivisionError), one_core():
        _ = 1 // 0
    assert blas_threads() == before


def test_each_keeps_the_order_and_raises_what_was_raised() -> None:
    """Several at a time, where there are several cores."""
    assert each(lambda number: number * number, [3, 1, 2]) == [9, 1, 4]
    assert each(str, []) == []
    with pytest.raises(ValueError, match="invalid literal"):
        each(int, ["1", "two"])
    assert cores() >= 1


def _child(pipe: Any) -> None:
    pipe.send(dots(np.ones((9_000, 2), dtype=np.float32), np.ones(2, dtype=np.float32)).sum())


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_that_was_forked_inside_computes() -> None:
    """Whoever held the lock at the fork does not hold it in the child."""
    here, there = multiprocessing.Pipe()
    with one_core():
        child = multiprocessing.get_context("fork").Process(target=_child, args=(there,))
        child.start()
        assert here.poll(30)
        assert here.recv() == 18_000.0
        child.join()
