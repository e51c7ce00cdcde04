"""Servers that the tests share: one PostgreSQL and one Chroma for the whole run, one database for each test.

And the process that scripts are forked from.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import pytest
from scripts import Scripts
from servers import Databases, Missing, chroma_url, postgres_url, required


def _started(server: Callable[[], contextlib.AbstractContextManager[str]]) -> Iterator[str]:
    with contextlib.ExitStack() as stack:
        try:
            url = stack.enter_context(server())
        except Missing as error:
            (pytest.fail if required() else pytest.skip)(str(error))
        yield url


@pytest.fixture(scope="session")
def databases() -> Iterator[Databases]:
    """Makes empty PostgreSQL databases."""
    yield from map(Databases, _started(postgres_url))


@pytest.fixture(scope="session")
def chroma_server() -> Iterator[str]:
    """The address of a Chroma server."""
    yield from _started(chroma_url)


@pytest.fixture
def ledger_url(databases: Databases) -> Iterator[str]:
    """The URL of an empty PostgreSQL database."""
    with databases.fresh() as url:
        yield url


@pytest.fixture(scope="session")
def scripts() -> Iterator[Scripts]:
    """Runs scripts in processes of their own."""
    with Scripts.started() as made:
        yield made
