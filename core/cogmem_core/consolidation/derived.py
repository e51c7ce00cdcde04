"""Memories that are derived from others: summaries, themes, insights, patterns, category summaries.

A derived memory names what it rests on (`Memory.support`) and never outlives the last of it. Its
metadata tell the rest: `derived` what it is, `cluster` a hash of its members (what was derived once
is not derived again), `texts` a hash of what they said, `archives` that they left recall for it,
`category` what a category summary is about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from cogmem_core.base.digests import text_digest
from cogmem_core.changes import Change, Link, Put, Retire, Rewrite, Touch, Unlink
from cogmem_core.consolidation.dream import Dream, Proposal
from cogmem_core.edge.strength import initial_stability
from cogmem_core.edge.trust import outranks
from cogmem_core.ports import Stored
from cogmem_core.skills import Outcome, Skill
from cogmem_core.skills.derive_insight import INSIGHT, OVERVIEW, PATTERN, THEME
from cogmem_core.skills.grounds import Ground, Grounds, TextAnswer
from cogmem_core.skills.summarize_group import CONDENSE
from cogmem_core.text.keys import content_hash, index_key
from cogmem_core.values.models import Category, Memory, Relation, RelationType

_SKILLS: Mapping[str, Skill[Grounds, TextAnswer, str]] = {
    "summary": CONDENSE,
    "theme": THEME,
    "insight": INSIGHT,
    "pattern": PATTERN,
    "category_summary": OVERVIEW,
}
KINDS = tuple(_SKILLS)
"""What a derived memory may be."""
_LINKS: dict[str, RelationType] = {"summary": "summarizes", "category_summary": "summarizes"}
_SOURCES = 64
_ENTITIES = 8
_TAGS = 64


@dataclass(frozen=True, slots=True)
class Derivation:
    """What a memory to be derived is, and from what.

    Attributes:
        kind: one of `KINDS`.
        members: what it rests on; at least one.
        counts: what the step counts if it is stored.
        text: what it says.
        category: of a new memory.
        importance: 0..1.
        stability: of a new memory; None = as its category has it.
        access_count: of a new memory.
        archives: the members of a new memory leave recall, superseded by it.
        weight: of its relation to each member.
        about: of a category summary, the category.
    """

    kind: str
    text: str
    members: tuple[Memory, ...]
    counts: dict[str, int]
    category: Category = "summary"
    importance: float = 0.5
    stability: float | None = None
    access_count: int = 0
    archives: bool = False
    weight: float = 1.0
    about: str = ""


def kind_of(memory: Memory) -> str:
    """What a derived memory is; empty for any other."""
    return str(memory.metadata.get("derived", "")) if memory.support else ""


def archives(memory: Memory) -> bool:
    """Whether the members of a derived memory left recall for it."""
    return bool(memory.metadata.get("archives")) and bool(memory.support)


def cluster_of(kind: str, members: Iterable[Memory]) -> str:
    """Names a cluster by what it is for and what it holds."""
    listed = "\n".join(sorted(memory.id for memory in members))
    return text_digest(f"{kind}\n{listed}", 32)


def texts_of(members: Iterable[Memory]) -> str:
    """Names what members say: the same for the same set of texts, whoever says them."""
    listed = "\n".join(sorted({memory.content_hash for memory in members}))
    return text_digest(listed, 32)


def compose_text(
    dream: Dream, kind: str, members: Iterable[Memory], *, about: str = ""
) -> Outcome[str]:
    """The text of a derived memory, by the language model or by the heuristic of its kind."""
    items = tuple(Ground(m.content, m.recorded_at, m.referenced_at, m.speaker) for m in members)
    return dream.ask(_SKILLS[kind], Grounds(items, about))


def derive(dream: Dream, derivations: Sequence[Derivation]) -> list[Proposal]:
    """New memories, one proposal each; embedded in one batch.

    Raises:
        EmbedderUnavailable: there are no vectors.
    """
    memories = [_memory(dream, derivation) for derivation in derivations]
    proposals = []
    for derivation, stored in zip(derivations, _embedded(dream, memories), strict=True):
        memory = stored.memory
        kind = derivation.kind.replace("_", " ")
        changes: list[Change] = [Put(stored, f"{kind} of {len(derivation.members)} memories")]
        changes += [_link(dream, memory.id, m.id, derivation) for m in derivation.members]
        for member in derivation.members if derivation.archives else ():
            if not outranks(member, "system", memory.trust, dream.config.guard):
                fields = {"superseded_by": memory.id}
                changes.append(Retire(member.id, "superseded", f"part of a {kind}", fields))
        proposals.append(Proposal(tuple(changes), derivation.counts, memory.support))
    return proposals


def rederive(dream: Dream, derivations: Sequence[tuple[Memory, Derivation]]) -> list[Proposal]:
    """Derived memories once more, in place, from what they rest on now; what else is known of them stays.

    Raises:
        EmbedderUnavailable: there are no vectors.
    """
    memories = []
    for old, derivation in derivations:
        text = derivation.text
        fields = _inherited_fields(derivation, old)
        memories.append(replace(old, content=text, content_hash=content_hash(text), **fields))
    proposals = []
    for (old, derivation), stored in zip(derivations, _embedded(dream, memories), strict=True):
        changes = (
            Rewrite(stored, "what it rests on changed"),
            *_relation_changes(dream, old, derivation),
        )
        proposals.append(Proposal(changes, derivation.counts, stored.memory.support))
    return proposals


def repoint(dream: Dream, old: Memory, derivation: Derivation) -> Proposal:
    """A derived memory whose members changed but whose text still holds."""
    fields = _inherited_fields(derivation, old)
    touch = Touch(old.id, fields, "others stand for what it rests on")
    return Proposal(
        (touch, *_relation_changes(dream, old, derivation)), derivation.counts, fields["support"]
    )


def _embedded(dream: Dream, memories: Sequence[Memory]) -> list[Stored]:
    if not memories:
        return []
    keys = [index_key(memory.content, speaker=memory.speaker) for memory in memories]
    return dream.services.embedded(memories, keys)


def _memory(dream: Dream, derivation: Derivation) -> Memory:
    now = dream.now
    strength = dream.config.strength
    usual = initial_stability(
        derivation.category, importance=derivation.importance, intensity=0.0, config=strength
    )
    days = usual if derivation.stability is None else derivation.stability
    return Memory(
        id=dream.services.runtime.new_id(),
        namespace=dream.namespace,
        content=derivation.text,
        content_hash=content_hash(derivation.text),
        created_at=now,
        updated_at=now,
        category=derivation.category,
        tier="semantic",
        stability=days,
        initial_stability=days,
        last_reinforced_at=now,
        access_count=derivation.access_count,
        write_source="dream",
        data_source="system",
        **_inherited_fields(derivation, None),
    )


def _inherited_fields(derivation: Derivation, old: Memory | None) -> dict[str, Any]:
    """What a derived memory has from its members."""
    members = derivation.members
    sessions = list(dict.fromkeys(member.session_id for member in members if member.session_id))
    speakers = {member.speaker for member in members}
    tags = dict.fromkeys(chain.from_iterable(member.tags for member in members))
    sources = dict.fromkeys(chain.from_iterable(member.sources for member in members))
    metadata: dict[str, Any] = {} if old is None else dict(old.metadata)
    metadata |= {
        "derived": derivation.kind,
        "cluster": cluster_of(derivation.kind, members),
        "texts": texts_of(members),
        "sessions": sessions,
    }
    if derivation.about:
        metadata["category"] = derivation.about
        tags = {f"category:{derivation.about}": None, **tags}
    if derivation.archives:
        metadata["archives"] = True
    return {
        "recorded_at": max(member.recorded_at for member in members),
        "session_id": sessions[0] if len(sessions) == 1 else None,
        # A summary strings words together that one person said; the others speak about that person.
        "speaker": speakers.pop() if derivation.kind == "summary" and len(speakers) == 1 else None,
        "entities": _shared_entities(members),
        "tags": tuple(tags)[:_TAGS],
        "importance": derivation.importance,
        "source_confidence": min(member.source_confidence for member in members),
        "trust": min(member.trust for member in members),
        "valid_from": min((m.valid_from for m in members if m.valid_from), default=None),
        "sources": tuple(sources)[:_SOURCES],
        "support": tuple(member.id for member in members),
        "metadata": metadata,
    }


def _shared_entities(members: Sequence[Memory]) -> tuple[str, ...]:
    """The entities of the members, those that most of them share first."""
    counts = Counter(chain.from_iterable(member.entities for member in members))
    return tuple(entity for entity, _ in counts.most_common(_ENTITIES))


def _relation_changes(dream: Dream, old: Memory, derivation: Derivation) -> list[Change]:
    """Relations to members that are gone, and to those that are new.

    An erased member has none any more.
    """
    now = {member.id for member in derivation.members}
    changes: list[Change] = []
    for member_id in old.support:
        link = _link(dream, old.id, member_id, derivation).relation
        relation = dream.relations.get((link.source_id, link.target_id, link.type))
        if member_id not in now and relation is not None and dream.memory(member_id) is not None:
            changes.append(Unlink(relation, "no longer rests on it"))
    changes += [
        _link(dream, old.id, member.id, derivation)
        for member in derivation.members
        if member.id not in old.support
    ]
    return changes


def _link(dream: Dream, derived_id: str, member_id: str, derivation: Derivation) -> Link:
    kind = _LINKS.get(derivation.kind, "schema_instance")
    ends = (derived_id, member_id) if kind == "summarizes" else (member_id, derived_id)
    relation = Relation(
        dream.namespace, *ends, kind, weight=derivation.weight, created_at=dream.now
    )
    return Link(relation, kind.replace("_", " "))
