"""A server on the loopback, which answers as it is told to; and classic chains without their warnings."""

import warnings
from collections.abc import Iterator

import pytest

from helpers.loopback_llm import LoopbackServer


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer() as made:
        yield made


@pytest.fixture(autouse=True)
def _classic() -> Iterator[None]:
    """The chains of langchain-classic say themselves that they are classic."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
