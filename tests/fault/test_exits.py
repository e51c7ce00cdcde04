"""A sample of the exits of `make fault`: without `close()`, while the other tests keep the machine busy."""

from pathlib import Path

import pytest

pytest.importorskip("resource", reason="needs POSIX signals")

from fault.exits import Exits


def test_no_signal_ends_a_process_that_does_not_close(tmp_path: Path) -> None:
    """In the middle of indexing while threads recall, and without Chroma; what waited is kept."""
    exits = Exits(tmp_path, seed=1, busy=0)
    exits.run(2)

    assert exits.troubles == []
    assert exits.counts == {"both": 1, "plain": 1}
