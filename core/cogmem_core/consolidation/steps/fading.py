"""Step 11: fading memories that belong together become one summary, and leave recall for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from cogmem_core.consolidation.clusters import NO_MODEL
from cogmem_core.consolidation.derived import Derivation, cluster_of, compose_text, derive
from cogmem_core.consolidation.dream import Dream, StepResult
from cogmem_core.edge.strength import stands
from cogmem_core.edge.trust import is_untrusted
from cogmem_core.maths.clusters import by_cosine, greedy_groups
from cogmem_core.values.models import Memory

CANDIDATES = 2_000
"""The most faded ones of each category per cycle."""
GROUPS = 50
"""Groups per cycle."""
CHARACTERS = 4_000
"""Longer memories are left alone."""
SIMILAR = 0.70
"""Cosine to the first memory of a group, at least, where there is too little to measure it on."""
SIMILAR_QUANTILE = 0.99
"""Share of all pairs that a member and the first memory of its group are nearer than."""
SUMMARY_WEIGHT = 0.8
"""Weight of the relation from a summary to each of its members."""


def fading(dream: Dream) -> StepResult:
    """Groups of one category, tier and trust.

    The originals stay, superseded by their summary, and can be restored.
    """
    rules = dream.settings.fading
    if not dream.model and not rules.rules:
        return StepResult(note=NO_MODEL)
    derivations: list[Derivation] = []
    for members in _groups(dream):
        if len(derivations) >= GROUPS:
            break
        if cluster_of("summary", members) not in dream.clusters:
            outcome = compose_text(dream, "summary", members)
            if outcome.source != "heuristic" or rules.rules:
                derivations.append(_summary(members, outcome.value))
    return StepResult(derive(dream, derivations))


def _groups(dream: Dream) -> Iterator[tuple[Memory, ...]]:
    rules = dream.settings.fading
    kinds: dict[tuple[str, str, bool], list[tuple[float, str]]] = defaultdict(list)
    below = dream.threshold("fading", rules.below)
    similarity = rules.similarity
    if similarity is None:
        similarity = dream.nearness(SIMILAR_QUANTILE, otherwise=SIMILAR)
    for memory in dream.each_memory():
        if _may_fade(dream, memory) and (retention := dream.retention(memory)) < below:
            doubted = is_untrusted(memory, dream.config.guard)
            kinds[memory.category, memory.tier, doubted].append((retention, memory.id))
    for faded in kinds.values():
        most_faded = sorted(faded)[:CANDIDATES]
        ids = sorted(memory_id for _, memory_id in most_faded)
        vectors = dream.vectors(ids)
        if len(vectors) < rules.least:
            continue
        alike = by_cosine(np.stack(list(vectors.values())), similarity)
        listed = [dream.memories[memory_id] for memory_id in vectors]
        for group in greedy_groups(len(listed), alike, min_size=rules.least, max_size=rules.most):
            yield tuple(map(listed.__getitem__, group))
        dream.yield_now()


def _may_fade(dream: Dream, memory: Memory) -> bool:
    rules = dream.settings.fading
    exempt_categories = {"summary", *rules.exempt, *dream.config.strength.permanent}
    safe = (
        memory.id in dream.kept
        or memory.category in exempt_categories
        or memory.id in dream.short_term
    )
    if safe or memory.support or len(memory.content) > CHARACTERS:
        return False
    return not (rules.standing and stands(memory))


def _summary(members: tuple[Memory, ...], text: str) -> Derivation:
    return Derivation(
        "summary",
        text,
        members,
        {"consolidated": len(members), "summaries": 1},
        importance=max(member.importance for member in members),
        stability=sum(member.stability for member in members) / len(members),
        access_count=max(member.access_count for member in members),
        archives=True,
        weight=SUMMARY_WEIGHT,
    )
