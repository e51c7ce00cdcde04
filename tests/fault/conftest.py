"""What kills and damage are done with: a process that does jobs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from fault.harness import Yard


@pytest.fixture(scope="session")
def yard() -> Iterator[Yard]:
    """Started once for all files: it opens nothing itself."""
    from fault.harness import Yard

    with Yard() as made:
        yield made
