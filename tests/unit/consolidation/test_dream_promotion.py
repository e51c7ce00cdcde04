"""From episodic to semantic and on to dormant, and which relations a night takes away (6.17)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from cogmem_core.config import ForgettingConfig, PromotionConfig, RelationsConfig
from helpers.tables import each_case_of
from unit.helpers.dream_cycles import MANUAL, Night

Opening = Callable[..., Night]
DOCKER, DATE, NUMBER = "entity://tech/docker", "entity://date/2026-06-01", "entity://number/3"


@pytest.fixture
def crowded(opening: Opening) -> Night:
    """Without room: disuse counts."""
    return opening(**promoting())


def promoting(**fields: Any) -> dict[str, Any]:
    crowded = replace(MANUAL, forgetting=ForgettingConfig(roomy=0))
    return {"consolidation": replace(crowded, promotion=PromotionConfig(**fields))}


@pytest.mark.parametrize("asked", [{"used_count": 3}, {"used_count": 3, "retrieval_count": 9}])
def test_old_and_often_retrieved_memories_are_compacted(
    night: Night, asked: dict[str, int]
) -> None:
    """Agentos, step 5: "Age > 7 days", "Retrieval count >= 3": content stays, the type becomes semantic."""
    memory_id = night.add("Emma keeps rabbits", **asked)
    night.clock.advance(days=7)
    assert night.counts("promotion") == {}
    night.clock.advance(seconds=1)
    report = night.dream("promotion")
    assert (report.promoted, report.compacted, report.demoted) == (1, 1, 0)
    memory = night.get(memory_id)
    assert (memory.tier, memory.state, memory.content, memory.version) == (
        "semantic",
        "active",
        "Emma keeps rabbits",
        1,
    )
    assert (
        night.bank.history(memory_id).changes[-1].reason
        == "older than 7 days and used 3 times or more"
    )


def test_often_used_memories_are_promoted_at_any_age(night: Night) -> None:
    """V9: "Access frequency: accessCount >= 3"; that is no compaction."""
    often, seldom = (
        night.add("Emma keeps rabbits", access_count=3, used_count=1),
        night.add("Noah repairs radios", access_count=2, used_count=1),
    )
    assert night.counts("promotion") == {"promoted": 1}
    assert (night.get(often).tier, night.get(seldom).tier) == ("semantic", "episodic")


def test_lasting_utility_promotes(night: Night) -> None:
    """V9: "utility >= 0.7 AND age >= 7 days"."""
    useful, less = (
        night.add("Emma keeps rabbits", utility=0.7, used_count=1),
        night.add("Noah repairs radios", utility=0.69, used_count=1),
    )
    night.clock.advance(days=6, hours=23)
    assert night.counts("promotion") == {}
    night.clock.advance(hours=1)
    assert night.counts("promotion") == {"promoted": 1}
    assert (night.get(useful).tier, night.get(less).tier) == ("semantic", "episodic")


def about(night: Night, name: str, count: int, **fields: Any) -> list[str]:
    return [night.add(f"{name} {number}", entities=(name,), **fields) for number in range(count)]


def test_what_many_memories_are_about_is_knowledge(opening: Opening) -> None:
    """V9: ">= 3 episodic memories share an entity"; all of them become semantic."""
    night = opening(**promoting(rules=("entity",), counted="retrieval"))
    ids = about(night, DOCKER, 2)
    assert night.counts("promotion") == {}
    ids += about(night, "entity://tech/docker", 1, access_count=9)
    assert night.counts("promotion") == {"promoted": 3}
    assert {night.get(one).tier for one in ids} == {"semantic"}


def test_semantic_and_cold_memories_do_not_count_for_a_shared_entity(opening: Opening) -> None:
    """V9 counts episodic memories; what left recall is no evidence either."""
    night = opening(**promoting(rules=("entity",), counted="retrieval"))
    about(night, DOCKER, 2)
    about(night, DOCKER, 1, tier="semantic")
    about(night, DOCKER, 1, state="dormant")
    assert night.counts("promotion") == {}


def test_dates_and_numbers_are_nothing_that_memories_are_about(opening: Opening) -> None:
    """Three things of one day are no convergent evidence."""
    night = opening(**promoting(rules=("entity",), counted="retrieval"))
    about(night, DATE, 3)
    about(night, NUMBER, 3)
    assert night.counts("promotion") == {}


def test_sharing_an_entity_promotes_only_if_so_configured(night: Night) -> None:
    """`consolidation.promotion.rules`: by default three mentions of a name do not make knowledge."""
    about(night, DOCKER, 3)
    assert night.counts("promotion") == {}


@pytest.mark.parametrize("flag", ["pinned", "immutable"])
def test_pinned_and_immutable_memories_are_never_promoted(opening: Opening, flag: str) -> None:
    """V9: "they stay where they are by design"; they still tell what the others are about."""
    night = opening(**promoting(rules=("old", "access", "utility", "entity"), counted="retrieval"))
    kept = night.add(
        "Emma keeps rabbits",
        access_count=9,
        used_count=9,
        utility=0.9,
        entities=(DOCKER,),
        **{flag: True},
    )
    others = about(night, DOCKER, 2)
    night.clock.advance(days=10)
    assert night.counts("promotion") == {"promoted": 2}
    assert (night.get(kept).tier, night.get(others[0]).tier) == ("episodic", "semantic")


def worn(night: Night, text: str = "Emma keeps rabbits", **fields: Any) -> str:
    return night.add(text, **{"tier": "semantic", "utility": 0.19, **fields})


@pytest.mark.parametrize(
    "fields", [{"access_count": 9}, {"utility": 0.9}, {"retrieval_count": 99, "access_count": 9}]
)
def test_what_was_never_used_is_never_promoted(night: Night, fields: dict[str, Any]) -> None:
    """Said again and again, shown again and again: it proves nothing about its worth."""
    memory_id = night.add("Emma keeps rabbits", **fields)
    night.clock.advance(days=30)
    assert night.counts("promotion") == {}
    assert night.get(memory_id).tier == "episodic"


def test_where_there_is_room_knowledge_stays(night: Night) -> None:
    """`forgetting.roomy`: idle and useless, and yet nothing is in want of its place."""
    memory_id = worn(night)
    night.clock.advance(days=400)
    assert night.counts("promotion") == {}
    assert night.get(memory_id).state == "active"


def test_only_what_is_too_much_is_demoted(opening: Opening) -> None:
    """Three active memories, room for two: one goes."""
    consolidation = replace(MANUAL, forgetting=ForgettingConfig(roomy=2))
    night = opening(consolidation=consolidation)
    ids = [worn(night, f"Emma has rabbit number {number}") for number in range(3)]
    night.clock.advance(days=400)
    assert night.counts("promotion") == {"demoted": 1}
    assert [night.get(one).state for one in ids] == ["dormant", "active", "active"]


def test_idle_and_useless_knowledge_goes_dormant(crowded: Night) -> None:
    """V9: ">= 60 days since last access", "< 0.2 utility score", "both must be true"; nothing is deleted."""
    idle, useful = worn(crowded), worn(crowded, "Noah repairs radios", utility=0.2)
    recent = worn(crowded, "Sofia swims", last_reinforced_at=crowded.clock() + timedelta(days=1))
    crowded.clock.advance(days=59, hours=23)
    assert crowded.counts("promotion") == {}
    crowded.clock.advance(hours=1)
    report = crowded.dream("promotion")
    assert (report.promoted, report.demoted) == (0, 1)
    assert [crowded.get(one).state for one in (idle, useful, recent)] == [
        "dormant",
        "active",
        "active",
    ]
    assert crowded.bank.history(idle).changes[-1].reason == "idle for 60 days and of little use"
    assert crowded.bank.restore(idle).state == "active"


@each_case_of("dream_promotion/what_is_never_demoted")
def test_what_is_never_demoted(crowded: Night, fields: dict[str, Any]) -> None:
    """V9: "pinned, immutable, and flashbulb memories are immune"; permanent categories never age out."""
    memory_id = worn(crowded, **fields)
    crowded.clock.advance(days=400)
    before = crowded.get(memory_id)
    assert crowded.counts("promotion") == {}
    assert crowded.get(memory_id) == before


def test_what_would_be_demoted_at_once_is_not_promoted(crowded: Night) -> None:
    """ "idempotent": a second cycle at the same moment finds nothing to do."""
    memory_id = worn(crowded, tier="episodic", access_count=9)
    crowded.clock.advance(days=60)
    assert [crowded.counts("promotion"), crowded.counts("promotion")] == [{}, {}]
    assert crowded.get(memory_id).tier == "episodic"


def test_a_cycle_promotes_and_demotes_so_many_at_most(opening: Opening) -> None:
    """`consolidation.promotion.limit`: the oldest first, and the rest in the next cycle."""
    night = opening(**promoting(limit=2))
    ids = [night.add(f"fact {number}", access_count=3, used_count=1) for number in range(2)]
    ids.append(worn(night, last_reinforced_at=night.clock() - timedelta(days=61)))
    assert night.dream("promotion").steps["promotion"].note == "1 more wait for the next cycle"
    assert [night.get(one).tier for one in ids[:2]] == ["semantic", "semantic"]
    assert night.counts("promotion") == {"demoted": 1}
    assert night.get(ids[2]).state == "dormant"


def web(night: Night, *links: tuple[str, float]) -> list[tuple[str, str, str]]:
    """Memories around one, linked to it as (type, confidence) says, a minute apart; their keys in order."""
    middle, keys = night.add("Emma"), []
    for number, (kind, confidence) in enumerate(links):
        keys.append((middle, night.add(f"about Emma {number}"), kind))
        night.link(*keys[-1], confidence=confidence, created_at=night.clock())
        night.clock.advance(minutes=1)
    return keys


def test_the_weakest_relations_that_may_go_are_trimmed(opening: Opening) -> None:
    """V9: at 1000 down to 900, "lowest-confidence pruneable types first"; here above 5 down to 3."""
    night = opening(relations=RelationsConfig(maximum=5, trimmed_to=3))
    kinds = ["same_entity", "related_to", "elaborates", "related_to", "related_to"]
    keys = web(night, *zip(kinds, [0.1, 0.9, 0.1, 0.4, 0.4], strict=True))
    assert night.counts("relation_trim") == {}
    night.link(keys[0][1], keys[1][1], "same_entity", confidence=0.2, created_at=night.clock())
    report = night.dream("relation_trim")
    assert report.steps["relation_trim"].counts == {"trimmed": 3}
    assert [change.before["target_id"] for change in report.changes] == [
        keys[3][1],
        keys[4][1],
        keys[1][1],
    ]
    assert {change.reason for change in report.changes} == {"trimmed: too many relations"}
    assert len(night.links()) == 3


@pytest.mark.parametrize(
    "kind", ["supersedes", "contradicts", "causes", "co_activated", "summarizes", "schema_instance"]
)
def test_some_relations_are_never_trimmed(opening: Opening, kind: str) -> None:
    """V9: "never prunes supersedes/contradicts/causes"; nor what was learnt from use and what was derived."""
    night = opening(relations=RelationsConfig(maximum=2, trimmed_to=1))
    keys = web(night, (kind, 0.1), (kind, 0.1), ("elaborates", 1.0))
    report = night.dream("relation_trim")
    assert report.steps["relation_trim"].counts == {"trimmed": 1}
    assert (
        report.steps["relation_trim"].note
        == "1 relations too many, but the others are never trimmed"
    )
    assert set(night.links()) == set(keys[:2])


def test_a_lower_bound_as_high_as_the_upper_one_trims_only_what_is_too_many(
    opening: Opening,
) -> None:
    """`relations.trimmed_to` may be as high as `relations.maximum`; above it is refused."""
    night = opening(relations=RelationsConfig(maximum=2, trimmed_to=2))
    web(night, ("related_to", 0.3), ("related_to", 0.2), ("related_to", 0.1))
    assert night.counts("relation_trim") == {"trimmed": 1}
    assert sorted(link.confidence for link in night.links().values()) == [0.2, 0.3]


def test_relations_without_a_date_are_the_oldest(opening: Opening) -> None:
    """Such a row comes from an import."""
    night = opening(relations=RelationsConfig(maximum=1, trimmed_to=1))
    (key,) = web(night, ("related_to", 0.4))
    night.link(key[1], key[0], "related_to", confidence=0.4)
    night.dream("relation_trim")
    assert set(night.links()) == {key}


def test_what_was_long_since_not_used_together_is_unlinked(opening: Opening) -> None:
    """Agentos: co-activation decays, w·exp(-days/90); below 0.01 nothing is left of it: 0.1 after 208 days."""
    with opening() as night:
        one, other = night.add("Emma plays the cello"), night.add("Emma lives in Oslo")
        night.link(one, other, "co_activated", weight=0.1, last_activated_at=night.clock())
        night.clock.advance(days=207)
        assert night.counts("relation_trim") == {}
        night.clock.advance(days=1)
        assert night.counts("relation_trim") == {"trimmed": 1}
        assert night.links() == {}
