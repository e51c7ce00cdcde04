"""From decisions to changes and receipts, given the rows as they are inside the transaction.

Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from cogmem_core.changes import Change, Link, Put, Retire, Rewrite, Touch
from cogmem_core.config import Config, RelationsConfig
from cogmem_core.encoding.build_memory import expiry_of
from cogmem_core.encoding.facts import Decision, Fact, WeightedLink, add_source, identity_of
from cogmem_core.encoding.gate import BatchState
from cogmem_core.encoding.neighbors import stems
from cogmem_core.encoding.sanitize import REDACTED
from cogmem_core.models import Memory, Relation, RelationType, ShortTerm, Source
from cogmem_core.ports import FloatArray, Stored
from cogmem_core.results import FactReceipt, Receipt, Status
from cogmem_core.text.keys import content_hash
from cogmem_core.trust import is_untrusted, outranks

__all__ = [
    "PRUNABLE",
    "KeyVector",
    "WritePlan",
    "linking",
    "links_of",
    "receipt_of",
    "reinforcement",
    "superseding",
    "to_changes",
    "trimmed_id",
]

KeyVector = tuple[str, FloatArray, str]
"""Index key, its vector, the fingerprint of the embedder."""

PRUNABLE: tuple[RelationType, ...] = ("related_to", "same_entity", "elaborates")
"""Types that may be trimmed, the first ones first.

`supersedes`, `contradicts` and `causes` never are.
"""

_ENTITIES = 8
_RANK: tuple[Status, ...] = (
    "superseded",
    "updated",
    "merged",
    "stored",
    "reinforced",
    "quarantined",
    "queued",
    "skipped",
)


@dataclass(slots=True)
class WritePlan:
    """What a batch of decisions causes.

    Attributes:
        changes: to apply, in order.
        facts: the receipts of the facts, by the id of their turn.
        stored: new memories.
        short_term: new memories on probation.
    """

    changes: list[Change] = field(default_factory=list)
    facts: dict[str, list[FactReceipt]] = field(default_factory=dict)
    stored: list[Memory] = field(default_factory=list)
    short_term: list[ShortTerm] = field(default_factory=list)


def to_changes(
    decisions: Iterable[Decision],
    rows: Mapping[str, Memory],
    vectors: Mapping[str, KeyVector],
    *,
    now: datetime,
    config: Config,
) -> WritePlan:
    """Turn decisions into changes.

    Args:
        decisions: in the order in which the facts were said.
        rows: active memories as they are now: the targets of the decisions, and exact duplicates of
            their facts. A target that was changed meanwhile is left alone, and its fact becomes a
            memory of its own.
        vectors: by the fact's `new_id`: of its key, or of the target's new key for an update.
        now: the engine's time.
        config: all settings.
    """
    planner = _Planner(rows, vectors, now, config)
    for decision in decisions:
        planner.carry_out(decision)
    return planner.plan


class _Planner:
    """Collects the changes of one batch."""

    def __init__(
        self,
        rows: Mapping[str, Memory],
        vectors: Mapping[str, KeyVector],
        now: datetime,
        config: Config,
    ) -> None:
        self.plan = WritePlan()
        self._state = BatchState({identity_of(memory): memory for memory in rows.values()}, rows)
        self._vectors = vectors
        self._now = now
        self._config = config

    def carry_out(self, decision: Decision) -> None:
        """Add what one decision causes."""
        fact = decision.fact
        memory = decision.memory
        if fact.turn.quarantine:
            self._quarantine(decision)
            return
        target = self._unchanged(decision.target)
        if decision.action in ("skip", "echo"):
            self._skip(decision, target)
            return
        if memory is not None:
            same = self._state.by_identity.get(fact.identity)
            if same is not None and same.referenced_at == fact.referenced_at:
                repetition = replace(decision, reason="the same was said before")
                self._reinforce(repetition, same)
                return
        has_vector = fact.new_id in self._vectors
        is_free = has_vector and target is not None and not target.protected
        if decision.action == "reinforce" and target is not None:
            self._reinforce(decision, target)
        elif decision.action == "update" and target is not None and is_free:
            self._update(decision, target)
        elif memory is not None and has_vector:
            self._store(decision, memory, target)
        else:
            reason = "what it was about changed meanwhile"
            receipt = FactReceipt("queued", fact.content, "", reason)
            self.plan.facts.setdefault(fact.episode.id, []).append(receipt)

    def _unchanged(self, target: Memory | None) -> Memory | None:
        """The target as it is now, unless somebody else gave it another text or retired it."""
        if target is None:
            return None
        row = self._state.rows.get(target.id)
        if row is None or row.content != target.content or row.state != "active":
            return None
        return row

    def _quarantine(self, decision: Decision) -> None:
        """It touches nothing else; equal words are not quarantined twice."""
        memory = decision.memory or decision.target
        if decision.memory is not None:
            stored = Stored(decision.memory, *self._vectors[decision.fact.new_id])
            self.plan.changes.append(Put(stored, decision.reason))
        self._receipt(decision, "quarantined", "" if memory is None else memory.id)

    def _skip(self, decision: Decision, target: Memory | None) -> None:
        if decision.action == "skip" and target is not None:
            limit = self._config.encoding.sources_kept
            sources = add_source(target.sources, decision.fact.source, limit)
            self._touch(target, {"sources": sources}, "the same, once more")
        self._receipt(decision, "skipped", "" if target is None else target.id)

    def _reinforce(self, decision: Decision, target: Memory) -> None:
        self._touch(target, self._renewal(target, decision.fact), "said again")
        self._receipt(decision, "reinforced", target.id)

    def _touch(self, target: Memory, fields: Mapping[str, Any], reason: str) -> None:
        self.plan.changes.append(Touch(target.id, fields, reason))
        self._state.store(replace(target, **fields))

    def _renewal(self, target: Memory, fact: Fact) -> dict[str, Any]:
        """What a repetition changes: strength, a stronger feeling, and how long the memory holds.

        A flashbulb is made as in `new_memory`.
        """
        config = self._config
        fields = dict(reinforcement(target, fact.source, now=self._now, config=config).fields)
        emotion = fact.turn.emotion
        limits = config.importance
        if emotion.arousal > target.arousal:
            fields |= {
                "valence": emotion.valence,
                "arousal": emotion.arousal,
                "intensity": emotion.intensity,
                "emotion": emotion.label,
            }
        flashbulb = emotion.arousal >= limits.flashbulb_arousal and not target.flashbulb
        if flashbulb and not is_untrusted(target, config.guard):
            days = fields["stability"]
            longer = min(days * limits.flashbulb_stability, config.strength.maximum_days)
            fields |= {
                "flashbulb": True,
                "pinned": True,
                "importance": max(target.importance, limits.flashbulb_importance),
                "stability": max(days, longer),
            }
        until = expiry_of(fact, self._now, config)
        if until is not None and target.valid_until is not None and until > target.valid_until:
            fields["valid_until"] = until
        return fields

    def _update(self, decision: Decision, target: Memory) -> None:
        """Write-time synthesis: the former text stays as a version."""
        fact = decision.fact
        text = decision.text
        entities = tuple(dict.fromkeys((*target.entities, *fact.entities)))
        memory = replace(
            target,
            **self._renewal(target, fact),
            content=text,
            content_hash=content_hash(text),
            entities=entities[:_ENTITIES],
            referenced_at=target.referenced_at or fact.referenced_at,
            updated_at=self._now,
        )
        self._rewrite(target, memory, fact.new_id, decision.reason)
        self._receipt(decision, "updated" if text == fact.content else "merged", target.id)

    def _rewrite(self, old: Memory, new: Memory, vector_id: str, reason: str) -> None:
        self.plan.changes.append(Rewrite(Stored(new, *self._vectors[vector_id]), reason))
        self._state.by_identity.pop(identity_of(old), None)
        self._state.store(replace(new, version=old.version + 1))

    def _store(self, decision: Decision, memory: Memory, target: Memory | None) -> None:
        fact = decision.fact
        stored = Stored(memory, *self._vectors[fact.new_id])
        self.plan.changes.append(Put(stored, decision.reason or "said"))
        self._state.store(memory)
        replaced = self._replaceable(decision, memory, target)
        later = [old for old in replaced if old.recorded_at > memory.recorded_at]
        if later:
            self._retire(memory, later[0], "outdated already when it was learnt")
        else:
            for old in replaced:
                self._replace(decision, old, memory)
        self._link(decision, memory, target, [old.id for old in replaced])
        self.plan.stored.append(memory)
        if fact.ephemeral and memory.valid_until is not None:
            self.plan.short_term.append(ShortTerm(memory.id, self._now, memory.valid_until))
        status: Status = "superseded" if replaced else "stored"
        self._receipt(decision, status, memory.id, memory.importance)

    def _replaceable(
        self, decision: Decision, memory: Memory, target: Memory | None
    ) -> list[Memory]:
        """The memories that a new one supersedes."""
        if decision.action != "supersede" or target is None or target.protected:
            return []
        guard = self._config.guard
        replaceable: list[Memory] = []
        for old in (target, *map(self._unchanged, decision.conflicts)):
            if old is None or old.protected:
                continue
            if not outranks(old, memory.data_source, memory.trust, guard):
                replaceable.append(old)
        return replaceable

    def _replace(self, decision: Decision, old: Memory, new: Memory) -> None:
        """A memory that no longer holds is retired; if only a part does not, the rest stays."""
        remaining = decision.trims.get(old.id, "")
        vector_id = trimmed_id(decision.fact, old.id)
        if not remaining or vector_id not in self._vectors:
            self._retire(old, new, decision.reason)
            return
        trimmed = replace(
            old,
            content=remaining,
            content_hash=content_hash(remaining),
            updated_at=self._now,
        )
        self._rewrite(old, trimmed, vector_id, f"a part no longer holds: {decision.reason}")

    def _retire(self, old: Memory, new: Memory, reason: str) -> None:
        """The newer side wins; both stay linked, and the older one can be restored."""
        self.plan.changes += superseding(old, new, reason, self._now)
        self._state.retire(old)

    def _link(
        self, decision: Decision, memory: Memory, target: Memory | None, replaced_ids: list[str]
    ) -> None:
        """Links to what a new memory contradicts but does not replace, and to related memories."""
        contradicted = [old.id for old in decision.conflicts]
        if decision.action == "supersede" and target is not None:
            contradicted.append(target.id)
        standing_ids = [name for name in dict.fromkeys(contradicted) if name not in replaced_ids]
        links: list[WeightedLink] = [("contradicts", name, 1.0) for name in standing_ids]
        links += links_of(decision, self._config.relations)
        for kind, memory_id, confidence in links:
            if memory_id in self._state.rows:
                self.plan.changes.append(linking(memory, kind, memory_id, self._now, confidence))

    def _receipt(
        self,
        decision: Decision,
        status: Status,
        memory_id: str,
        importance: float | None = None,
    ) -> None:
        similarity = None
        if decision.neighbor is not None and decision.neighbor.similarity is not None:
            similarity = round(decision.neighbor.similarity, 4)
        receipt = FactReceipt(
            status,
            decision.fact.content,
            memory_id,
            decision.reason or "new",
            "model" if decision.by_model else "rules",
            similarity,
            None if importance is None else round(importance, 4),
        )
        self.plan.facts.setdefault(decision.fact.episode.id, []).append(receipt)


def links_of(decision: Decision, config: RelationsConfig) -> list[WeightedLink]:
    """A new memory's links, the surest first; at most one per memory that they point to.

    What the language model found counts first; then entities and words decide.
    """
    memory = decision.memory
    if memory is None:
        return []
    target = decision.target
    excluded = {old.id for old in decision.conflicts}
    excluded.add(memory.id)
    links: dict[str, WeightedLink] = {link[1]: link for link in decision.links}
    if target is not None and decision.action == "elaborate":
        links.setdefault(target.id, ("elaborates", target.id, config.elaborates))
    if target is not None and decision.action == "supersede":
        excluded.add(target.id)
    if not decision.fact.exact:
        for neighbor in decision.neighbors:
            other = neighbor.memory
            if other.id in links or other.id in excluded:
                continue
            kind, confidence = _relation(memory, other, config)
            if kind is not None:
                links[other.id] = (kind, other.id, confidence)
    allowed = [link for memory_id, link in links.items() if memory_id not in excluded]
    return sorted(allowed, key=lambda link: -link[2])[: config.per_memory]


def _relation(
    memory: Memory, other: Memory, config: RelationsConfig
) -> tuple[RelationType | None, float]:
    """Type and confidence of the link between two memories; None if they have little in common."""
    common = len(_names(memory.entities) & _names(other.entities))
    if common >= config.shared_entities:
        return "same_entity", config.same_entity
    first = stems(memory.content)
    second = stems(other.content)
    overlap = 0.0
    if first and second:
        overlap = len(first & second) / len(first | second)
    if overlap > config.elaborates_overlap and common:
        return "elaborates", config.elaborates
    if overlap > config.related_overlap and memory.category == other.category:
        return "related_to", config.related
    return None, 0.0


def _names(entities: Collection[str]) -> set[str]:
    """Entities without dates and numbers, which are no names."""
    return {uri for uri in entities if not uri.startswith(("entity://date/", "entity://number/"))}


def reinforcement(memory: Memory, source: Source, *, now: datetime, config: Config) -> Touch:
    """The same thing was said again: the memory is a little stabler and has one more source."""
    stability = memory.stability * config.encoding.reinforce_factor
    stability = min(stability, config.strength.maximum_days)
    fields: dict[str, Any] = {
        "stability": max(stability, memory.stability),
        "last_reinforced_at": now,
        "access_count": memory.access_count + 1,
        "sources": add_source(memory.sources, source, config.encoding.sources_kept),
    }
    return Touch(memory.id, fields, "said again")


def superseding(old: Memory, new: Memory, reason: str, now: datetime) -> list[Change]:
    """A memory that no longer holds is retired where its successor begins, and linked to it."""
    end = now
    for moment in (new.valid_from, new.recorded_at):
        if moment and (old.valid_from is None or moment > old.valid_from):
            end = moment
            break
    fields = {"superseded_by": new.id, "valid_until": end}
    retired = Retire(old.id, "superseded", f"superseded: {reason}", fields)
    return [
        retired,
        linking(new, "supersedes", old.id, now),
        linking(new, "contradicts", old.id, now),
    ]


def linking(
    memory: Memory, kind: RelationType, other_id: str, now: datetime, confidence: float = 1.0
) -> Link:
    """A relation from a memory to another one."""
    relation = Relation(
        memory.namespace, memory.id, other_id, kind, confidence=confidence, created_at=now
    )
    return Link(relation, kind.replace("_", " "))


def trimmed_id(fact: Fact, memory_id: str) -> str:
    """The id of the vector of what remains of a memory that a fact contradicts in part."""
    return f"{fact.new_id}/{memory_id}"


def receipt_of(
    fact_receipts: Sequence[FactReceipt], episode_id: str, metadata: Mapping[str, Any]
) -> Receipt:
    """One receipt per turn: the most telling status of its facts."""
    first = min(fact_receipts, key=lambda receipt: _RANK.index(receipt.status))
    ids = dict.fromkeys(receipt.memory_id for receipt in fact_receipts if receipt.memory_id)
    kinds = metadata.get(REDACTED)
    reason = first.reason
    if isinstance(kinds, list) and kinds:
        reason = f"{reason}; redacted: {', '.join(kinds)}"
    return Receipt(first.status, tuple(ids), reason, episode_id, tuple(fact_receipts))
