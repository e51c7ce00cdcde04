"""Five memories of hikes that fade together, and what a summary makes of them."""

from cogmem_core import Memory, MemoryBank
from cogmem_core.testing import FrozenClock
from helpers.tables import rows_of

HIKES = rows_of("fading_hikes/hikes")
STRUNG = f"Summary: {' | '.join(HIKES)}"
TOLD = (
    "In March 2024 User was active on every trail: Mount Rainier (Mar 12), Lake Washington (15), a 5K run in Fremont "
    "(Mar 20th), a climb at Stone Gardens (25), and User joined a trail cycling club (28)."
)


def hiked(bank: MemoryBank, clock: FrozenClock, *texts: str, **more: str) -> list[Memory]:
    """Memories that have faded."""
    found = [bank.add(text, **more) for text in texts or HIKES]
    clock.advance(days=100)
    return found
