"""Neighbours for the dream cycle: few are looked up in the index, many are compared with all; the answers agree."""

import dataclasses
from collections.abc import Iterator

import pytest

import cogmem_core
from cogmem_core import MemoryBank
from cogmem_core.config import StorageConfig
from cogmem_core.consolidation.dream import Dream
from cogmem_core.testing import MANUAL
from helpers.tables import rows_of

PLACES = rows_of("dream_neighbours/places")
THINGS = ("tea", "bread", "a kite", "a bicycle", "maps", "an umbrella", "stamps", "chess")


@pytest.fixture(scope="module", params=["exactly", "with Chroma"])
def bank(request: pytest.FixtureRequest) -> Iterator[MemoryBank]:
    """640 memories, below or above the size that is searched exactly."""
    storage = StorageConfig(index_above=10_000 if request.param == "exactly" else 0)
    with cogmem_core.open(
        embedder="hashing", config=dataclasses.replace(MANUAL, storage=storage)
    ) as engine:
        bank = engine.bank("alice")
        texts = [
            f"{place} has {thing} in house {n}"
            for place in PLACES
            for thing in THINGS
            for n in range(8)
        ]
        bank.remember(texts, mode="raw")
        engine.sync()
        yield bank


def lived(bank: MemoryBank) -> tuple[Dream, list[int]]:
    services, breaths = bank._engine.services, list[int]()
    dream = Dream(services, bank.namespace, lambda: breaths.append(1))
    with services.ledger.reading(bank.namespace) as ns:
        dream.load(ns, lambda: None)
    return dream, breaths


def test_many_lookups_at_once_find_what_single_ones_find(bank: MemoryBank) -> None:
    """Exact search is the truth that the index is measured against."""
    dream, breaths = lived(bank)
    ids = sorted(dream.memories)

    together = dict(dream.neighbours(ids, 4))

    assert together.keys() == dream.memories.keys()
    assert len(breaths) > 4
    for memory_id in ids[::97]:
        [(_, alone)] = dream.neighbours([memory_id], 4)
        assert [hit.score for hit in alone] == pytest.approx(
            [hit.score for hit in together[memory_id]], abs=2e-6
        )
        assert memory_id not in {hit.id for hit in alone}


@pytest.mark.parametrize("count", [1, 640])
def test_only_what_is_near_enough_counts(bank: MemoryBank, count: int) -> None:
    """`least` is the smallest cosine that counts, however the neighbours are found."""
    dream, _ = lived(bank)
    ids = sorted(dream.memories)[:count]
    near = dict(dream.neighbours(ids, 8, minimum=0.7))

    found = [hit.score for hits in near.values() for hit in hits]

    assert min(found) >= 0.7
    assert [hits[:8] for hits in near.values()] == [
        [hit for hit in hits if hit.score >= 0.7] for _, hits in dream.neighbours(ids, 8)
    ]
