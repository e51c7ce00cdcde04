"""Observations of a small bank."""

from collections.abc import Iterator

import pytest

from cogmem_core.process.services import Services
from unit.helpers.observed_talk import SMALL
from unit.helpers.observed_talk import opened as observing


@pytest.fixture
def services() -> Iterator[Services]:
    """Of an engine that compresses when more than four notes wait."""
    with observing(SMALL) as engine:
        yield engine.services
