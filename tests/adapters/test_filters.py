"""Filters of both frameworks, as the bank's own methods take them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from llama_index.core.vector_stores.types import FilterOperator, MetadataFilter, MetadataFilters

from cogmem_core import Engine, MemoryBank
from langchain_cogmem.filters import filters_of as langchain_filters_of
from llamaindex_cogmem.filters import filters_of as llamaindex_filters_of


def at_least(stars: int) -> MetadataFilters:
    part = MetadataFilter(key="stars", value=stars, operator=FilterOperator.GTE)
    return MetadataFilters(filters=[part])


@pytest.fixture
def hotels(engine: Engine) -> MemoryBank:
    bank = engine.bank("hotels")
    for number in range(40):
        bank.add(f"The hotel number {number} by the lake was fine", metadata={"stars": 2})
    bank.add("A tent in the woods", metadata={"stars": 5, "at": {"city": "Oslo"}})
    return bank


@pytest.mark.parametrize(
    "arguments",
    [
        langchain_filters_of({"stars": {"$gte": 3}}),
        langchain_filters_of({"at.city": {"$like": "%slo%"}}),
        llamaindex_filters_of(at_least(3)),
        llamaindex_filters_of({"stars": 5}),
    ],
)
def test_recall_list_count_and_forget_take_them(
    hotels: MemoryBank, arguments: Mapping[str, Any]
) -> None:
    """They hold before anything is searched, so that what is far behind is found."""
    recalled = hotels.recall("a fine hotel by the lake", k=2, floor=0.0, **arguments)
    assert [result.content for result in recalled.results] == ["A tent in the woods"]
    assert [memory.content for memory in hotels.list(**arguments)] == ["A tent in the woods"]
    assert hotels.count(**arguments) == 1
    hotels.forget(**arguments)
    assert hotels.count() == 40


@pytest.mark.parametrize("translate", [langchain_filters_of, llamaindex_filters_of])
def test_no_filter_is_no_argument(translate: Callable[[Any], dict[str, Any]]) -> None:
    assert (translate(None), translate({})) == ({}, {})
    assert llamaindex_filters_of(MetadataFilters(filters=[])) == {}
