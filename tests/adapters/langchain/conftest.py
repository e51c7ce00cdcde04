"""A server on the loopback, which answers as it is told to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cogmem_core.testing import LoopbackServer


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as made:
        yield made
