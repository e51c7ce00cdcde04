"""Links that are found without a language model (v9, Relations)."""

from dataclasses import replace
from datetime import datetime, timezone
from typing import Any

import pytest

from cogmem_core.encoding.facts import Decision, Fact, Neighbor, ObservedTurn
from cogmem_core.encoding.to_changes import links_of
from cogmem_core.models import Category, Episode, Memory

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
ANA, RUI, LISBON = "entity://person/ana", "entity://person/rui", "entity://place/lisbon"
DAY, WEIGHT = "entity://date/2026-06-01", "entity://number/5-km"


def memory(name: str, text: str, *entities: str, category: Category = "fact") -> Memory:
    return Memory(name, "ns", text, name, NOON, NOON, NOON, category=category, entities=entities)


def decision(
    new: Memory | None,
    *near: Memory,
    action: Any = "create",
    target: Memory | None = None,
    **more: Any,
) -> Decision:
    episode = Episode("e", "ns", "said", "user", None, NOON, NOON)
    exact = more.pop("exact", False)
    fact = Fact(ObservedTurn(episode, "said"), "said", "said", "new", "fact", exact=exact)
    neighbors = tuple(Neighbor(one, 0.6, 0.6) for one in near)
    neighbor = None if target is None else Neighbor(target)
    return Decision(fact, action, "said", neighbor, new, neighbors=neighbors, **more)


def links(new: Memory | None, *near: Memory, **more: Any) -> list[tuple[str, str, float]]:
    return links_of(decision(new, *near, **more))


@pytest.mark.parametrize("shared", [(DAY, WEIGHT), (ANA, DAY)])
def test_dates_and_numbers_are_no_common_entities(shared: tuple[str, str]) -> None:
    """Two things that happened on one day are not about one thing."""
    assert (
        links(memory("new", "They met there", *shared), memory("old", "Ana moved away", *shared))
        == []
    )


def test_a_fact_that_adds_to_a_memory_elaborates_it() -> None:
    """ "0.75 ≤ s < 0.92 otherwise: CREATE + `elaborates`"."""
    old = memory("old", "The cello is old", category="plan")
    assert links(memory("new", "Strings cost little"), old, action="elaborate", target=old) == [
        ("elaborates", "old", 0.5)
    ]


def test_what_is_superseded_or_contradicted_gets_no_further_link() -> None:
    """`supersedes` and `contradicts` say it already."""
    old, other = memory("old", "Ana moved", ANA, LISBON), memory("other", "Ana left", ANA, LISBON)
    new = memory("new", "They met there", ANA, LISBON)
    assert links(new, old, other, action="supersede", target=old, conflicts=(other,)) == []


def test_a_memory_starts_with_three_links_the_surest_ones() -> None:
    """`per_memory`: a hub of a hundred look-alikes would drown what matters."""
    loose = [memory(f"loose {n}", "cello strings cost money") for n in range(4)]
    sure = memory("sure", "Ana left", ANA, LISBON)
    found = links(memory("new", "cello strings cost little", ANA, LISBON), *loose, sure)
    assert [(kind, sureness) for kind, _, sureness in found] == [
        ("same_entity", 0.7),
        ("related_to", 0.4),
        ("related_to", 0.4),
    ]
    assert found[0][1] == "sure"


def test_a_memory_is_never_linked_to_itself() -> None:
    """Not even if a model says so."""
    new = memory("new", "They met there", ANA, LISBON)
    assert links(new, replace(new), links=(("elaborates", "new", 0.8),)) == []
