"""Workers of one bank on PostgreSQL."""

from collections.abc import Iterator

import pytest

from helpers.postgres_workers import Open, opening


@pytest.fixture
def opened(ledger_url: str) -> Iterator[Open]:
    """Opens workers of one bank on PostgreSQL."""
    with opening(ledger_url) as make:
        yield make
