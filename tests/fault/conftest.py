"""What kills and damage are done with: a process that does jobs, and a folder that no kill takes."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
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


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder in memory where there is such a place: a kill loses nothing that was written."""
    from fault.harness import place

    made = Path(tempfile.mkdtemp(prefix="cogmem-fault-", dir=place()))
    yield made
    shutil.rmtree(made)
