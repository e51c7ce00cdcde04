"""Links between a new memory and those beside it, without a language model (seed 001, Relations). Pure."""

from __future__ import annotations

from collections.abc import Collection

from cogmem_core.config import RelationsConfig
from cogmem_core.encoding.gate import Beside, Placement
from cogmem_core.encoding.neighbours import stems
from cogmem_core.models import Memory, RelationType

__all__ = ["PRUNABLE", "links_of"]

PRUNABLE: tuple[RelationType, ...] = ("related_to", "same_entity", "elaborates")
"""Types that may be trimmed, the first ones first; `supersedes`, `contradicts` and `causes` never are (seed 001)."""
Found = tuple[RelationType, str, float]


def links_of(placed: Placement, config: RelationsConfig) -> list[Found]:
    """(type, target id, confidence) of a new memory's links, the surest first; at most one per target.

    What the language model found counts first; then entities and words decide.
    """
    memory = placed.memory
    if memory is None:
        return []
    found: dict[str, Found] = {target: (kind, target, sure) for kind, target, sure in placed.links}
    if placed.action == "elaborate" and placed.target is not None:
        found.setdefault(placed.target.id, ("elaborates", placed.target.id, config.elaborates))
    taken = {one.id for one in (*placed.conflicts, *([placed.target] if placed.action == "supersede" else [])) if one}
    for one in () if placed.fact.exact else placed.near:
        kind = _kind(memory, one, config) if one.memory.id not in taken else None
        if kind is not None:
            found.setdefault(one.memory.id, kind)
    kept = (link for target, link in found.items() if target not in taken and target != memory.id)
    return sorted(kept, key=lambda link: -link[2])[: config.per_memory]


def _kind(memory: Memory, beside: Beside, config: RelationsConfig) -> Found | None:
    other = beside.memory
    common = len(_named(memory.entities) & _named(other.entities))
    if common >= config.shared_entities:
        return "same_entity", other.id, config.same_entity
    shared = _overlap(memory.content, other.content)
    if shared > config.elaborates_overlap and common:
        return "elaborates", other.id, config.elaborates
    if shared > config.related_overlap and memory.category == other.category:
        return "related_to", other.id, config.related
    return None


def _named(entities: Collection[str]) -> set[str]:
    """Dates and numbers are no names."""
    return {uri for uri in entities if not uri.startswith(("entity://date/", "entity://number/"))}


def _overlap(one: str, other: str) -> float:
    """Common words as a share of all words of both."""
    mine, theirs = stems(one), stems(other)
    return len(mine & theirs) / len(mine | theirs) if mine and theirs else 0.0
