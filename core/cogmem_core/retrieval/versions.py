"""Version chains: memories of which the newer ones may have taken the place of the older ones.

A relation of type `revises` joins two of them; both are active, and what was said later is the newer
one: a value that returns is the newest one again. For a question about the present the newest one of a
chain stands first, also where only an older one was found and however far it is from the question: who
reads the older one alone takes it for the present.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain

from cogmem_core.edge.clauses import reading_of, standing, withdrawn
from cogmem_core.reading.doubts import doubt
from cogmem_core.reading.question import answers
from cogmem_core.retrieval.present import SHORT, changes_another_part, has_words
from cogmem_core.retrieval.search import LONGEST_CHAIN, RankedMemory, Ranking
from cogmem_core.retrieval.search_context import SearchContext
from cogmem_core.retrieval.understand import asks_who
from cogmem_core.storage.ledger.codec import decode_moment
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.text.keys import plain
from cogmem_core.text.tokens import tokens
from cogmem_core.values.models import Memory, Relation

Chains = dict[str, set[str]]
"""Memories and the older ones of each, by id."""
_REVISING = ("revises",)
_REPLACING = ("revises", "supersedes")


def age(memory: Memory) -> tuple[datetime, str]:
    """Sorts memories by when they were last said, and of one moment by when they were learnt."""
    return memory.last_said_at, memory.id


def versions_of(
    tables: Namespace,
    memories: Mapping[str, Memory],
    *,
    types: Collection[str] = _REVISING,
    states: Collection[str] = ("active",),
) -> dict[str, Memory]:
    """The memories of the chains that these belong to, these included, by id.

    Args:
        tables: of the namespace.
        memories: where the chains begin, by id.
        types: of the relations that make a chain.
        states: of the memories that count.
    """
    members = dict(memories)
    frontier = list(memories)
    for _ in range(LONGEST_CHAIN):
        linked_ids = _other_ends(tables.relations.of_memories(frontier), members, types)
        if not linked_ids:
            break
        found = tables.memories.by_ids(linked_ids)
        frontier = [name for name, memory in found.items() if memory.state in states]
        members |= {name: found[name] for name in frontier}
    return members


def _other_ends(
    relations: Iterable[Relation], members: Mapping[str, Memory], types: Collection[str]
) -> list[str]:
    ends: dict[str, None] = {}
    for relation in relations:
        if relation.type in types:
            ends[relation.source_id] = None
            ends[relation.target_id] = None
    return [name for name in ends if name not in members]


def older_ids(
    relations: Iterable[Relation],
    memories: Mapping[str, Memory],
    *,
    types: Collection[str] = _REVISING,
) -> Chains:
    """Per memory the ids of those that it took the place of, directly or through others.

    Args:
        relations: of the memories.
        memories: by id.
        types: of the relations that count.
    """
    direct: Chains = {}
    for relation in relations:
        ends = (relation.source_id, relation.target_id)
        if relation.type in types and all(name in memories for name in ends):
            newer, older = ends
            if age(memories[older]) > age(memories[newer]):
                newer, older = older, newer  # it was said first and learnt later
            direct.setdefault(newer, set()).add(older)
    older_by_id: Chains = {}
    for name, targets in direct.items():
        reached: set[str] = set()
        frontier = set(targets)
        while frontier:
            reached |= frontier
            following = chain.from_iterable(direct.get(target, ()) for target in frontier)
            frontier = set(following) - reached
        older_by_id[name] = reached - {name}
    return older_by_id


def newest_first(
    ranking: Ranking, memories: Mapping[str, Memory]
) -> tuple[list[RankedMemory], dict[str, Memory], set[str]]:
    """Bring the newer versions of what was found before the older ones.

    Args:
        ranking: what was found.
        memories: what was found, by id.

    Returns:
        What is shown, in order; all its memories, by id; the ids of the older versions.
    """
    ranked = [item for item in ranking.memories if item.id in memories]
    visibility = ranking.context.visibility
    tables = ranking.context.tables
    if visibility.formerly and not (visibility.looks_back or visibility.timeline):
        return _older_first(ranking, ranked, memories)
    revising_ids = ranking.context.corpus.revising(tables, list(memories))
    relations = tables.relations.of_memories(revising_ids)
    changed = _changed_by(memories)
    revised = any(link.type == "revises" for link in relations)
    if visibility.looks_back or not (revised or changed):
        return ranked, dict(memories), set()
    changing = tables.memories.by_ids([name for name in changed if name not in memories])
    active = {name: memory for name, memory in changing.items() if memory.state == "active"}
    members = versions_of(tables, {**memories, **active})
    now = decode_moment(visibility.now)
    chains = older_ids(tables.relations.of_memories(list(members)), members)
    older = _of_what_is_asked(_by_what_holds(chains, members, now), members, ranking.context)
    known = {name: changed[name] for name in changed.keys() & members.keys()}
    certain = _of_what_is_asked(_by_what_holds(known, members, now), members, ranking.context)
    for name, targets in certain.items():
        older[name] = older.get(name, set()) | targets
    earlier = {
        other
        for name, targets in older.items()
        for other in targets
        if not _ends_aside(members[name], members[other])
    }
    if visibility.timeline:
        return ranked, members, earlier
    newer: dict[str, Sequence[str]] = {}
    if not asks_who(ranking.context.plan.question):
        newer = {item.id: _newer_than(item.id, older, members) for item in ranked}
    return _placed(ranking, ranked, newer), members, earlier


def _placed(
    ranking: Ranking, ranked: Sequence[RankedMemory], before: Mapping[str, Iterable[str]]
) -> list[RankedMemory]:
    """What was found, and before it those of its versions that go first, by its id."""
    context = ranking.context
    placed: dict[str, RankedMemory] = {}
    for item in ranked:
        for name in before.get(item.id, ()):
            if name not in placed and context.allows(name):
                placed[name] = _in_place_of(item, name, ranked)
        placed.setdefault(item.id, item)
    return list(placed.values())[: max(len(ranked), context.plan.k)]


def _changed_by(memories: Mapping[str, Memory]) -> Chains:
    """The ids of what clauses of these memories gave way to, and of which memories."""
    changed: Chains = {}
    for memory in memories.values():
        for state in memory.clause_states:
            if state.by and state.withdrawn:
                changed.setdefault(state.by, set()).add(memory.id)
    return changed


def _older_first(
    ranking: Ranking,
    ranked: Sequence[RankedMemory],
    memories: Mapping[str, Memory],
) -> tuple[list[RankedMemory], dict[str, Memory], set[str]]:
    """For a question about what held before: before each memory what it took the place of.

    The latest of what held before comes first. A copy that gave way to the same words is no earlier
    version.
    """
    tables = ranking.context.tables
    members = versions_of(tables, memories, types=_REPLACING, states=("active", "superseded"))
    links = tables.relations.of_memories(list(members))
    older = older_ids(links, members, types=_REPLACING)
    before: dict[str, list[str]] = {}
    for item in ranked:
        words = plain(members[item.id].content)
        former = [members[name] for name in older.get(item.id, ())]
        other = [memory for memory in former if plain(memory.content) != words]
        before[item.id] = [memory.id for memory in sorted(other, key=age, reverse=True)]
    chosen = _placed(ranking, ranked, before)
    replaced = (item.id for item in chosen if members[item.id].state == "superseded")
    return chosen, members, {*chain(*before.values()), *replaced}


def _by_what_holds(
    older: Mapping[str, set[str]], members: Mapping[str, Memory], now: datetime
) -> Chains:
    """The older versions of those that hold: what is over, or is yet to begin, takes no place.

    Nor does what speaks of many things, as long texts do, and nothing takes the place of that: only
    one of these things may have changed.
    """
    short = {name for name, memory in members.items() if len(memory.content) <= SHORT}
    holding: Chains = {}
    for name, targets in older.items():
        begin = members[name].valid_from
        end = members[name].valid_until
        holds = (begin is None or begin <= now) and (end is None or end > now)
        if holds and name in short:
            holding[name] = targets & short
    return holding


def _of_what_is_asked(
    older: Mapping[str, set[str]], members: Mapping[str, Memory], context: SearchContext
) -> Chains:
    """The older versions but those of which the newer one changed another part than is asked for."""
    terms = frozenset(tokens(context.request.query))
    wanted = context.plan.wanted

    def changes_it(newer: Memory, older: Memory) -> bool:
        new, old = reading_of(newer), reading_of(older)
        gone = [number for number, state in withdrawn(older).items() if state.by == newer.id]
        if answers(old, wanted) and not answers(new, wanted):
            # "the rent is 1,020 now" tells no new home
            over = any(clause.ends for clause in new.clauses)
            return over and not (gone and answers(standing(older), wanted))
        if gone:
            return has_words(old, gone, terms)
        return not changes_another_part(new, old, terms)

    asked: Chains = {}
    for name, targets in older.items():
        asked[name] = {other for other in targets if changes_it(members[name], members[other])}
    return asked


def _ends_aside(newer: Memory, older: Memory) -> bool:
    """Whether a memory ends only what an older one names beside what it tells, which holds on."""
    found = doubt(standing(newer), standing(older), known=True)
    return found is not None and found.aside


def _newer_than(
    memory_id: str, older: Mapping[str, set[str]], members: Mapping[str, Memory]
) -> Sequence[str]:
    """The ids of a memory's newer versions, the newest first."""
    newer_ids = [name for name, targets in older.items() if memory_id in targets]
    return sorted(newer_ids, key=lambda name: age(members[name]), reverse=True)


def _in_place_of(item: RankedMemory, newer_id: str, ranked: Sequence[RankedMemory]) -> RankedMemory:
    """A newer version as it was found, or as the older one that led to it."""
    for other in ranked:
        if other.id == newer_id:
            confidence = max(other.confidence, item.confidence)
            return replace(other, confidence=confidence, prior=max(other.prior, item.prior))
    rank = min(item.ranks.values(), default=1)
    score = replace(item.score, id=newer_id)
    return replace(item, id=newer_id, score=score, ranks={"linked": rank})
