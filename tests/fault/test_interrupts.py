"""A sample of the interrupts of `make fault`: every group of methods, in memory, on a file, beside another process."""

from pathlib import Path

import pytest

pytest.importorskip("resource", reason="needs POSIX limits and signals")

from fault.harness import Yard
from fault.interrupts import CELLS, Interrupts

SEED = 20_261_125
SAMPLE = [cell for number, cell in enumerate(CELLS) if number // 2 % 2 == number % 2][::2]
"""Every group and every place, and both fates of the traceback."""


def test_an_interrupt_takes_nothing_with_it(yard: Yard, tmp_path: Path) -> None:
    """0 lost, 0 locked, 0 hung, 0 wrong: what comes next is answered as if nothing had been."""
    campaign = Interrupts(yard, tmp_path, SEED)
    campaign.run(1, SAMPLE)

    assert campaign.troubles == []
    assert len(campaign.counts) == len(SAMPLE) == 8
    assert min(campaign.counts.values()) >= 1
