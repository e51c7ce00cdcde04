"""From facts to decisions, changes and receipts: one pass over the facts of a batch. Pure."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np

from cogmem_core.changes import Change, Link, Put, Retire, Rewrite, Touch, Unlink, Withdraw
from cogmem_core.config import Config, EncodingConfig
from cogmem_core.edge.clauses import holding, reading_of, with_states
from cogmem_core.edge.trust import is_untrusted
from cogmem_core.encoding.answers import version_parts
from cogmem_core.encoding.batch import BatchState, WriteBatch, WritePlan
from cogmem_core.encoding.build_memory import (
    FLASHBULB_AROUSAL,
    FLASHBULB_IMPORTANCE,
    FLASHBULB_STABILITY,
    expiry_of,
)
from cogmem_core.encoding.facts import (
    Decision,
    Fact,
    Settled,
    WeightedLink,
    add_source,
    same_voice,
)
from cogmem_core.encoding.formation import dated_key
from cogmem_core.encoding.gate import SETTLED, decide, may_not_change
from cogmem_core.encoding.neighbors import stems
from cogmem_core.encoding.observe_turn import stated_tags
from cogmem_core.encoding.sanitize import REDACTED
from cogmem_core.encoding.seals import SEALED
from cogmem_core.encoding.withdrawals import denied_clauses
from cogmem_core.ports import FloatArray, Stored
from cogmem_core.reading.pack import pack_of
from cogmem_core.text.keys import content_hash
from cogmem_core.values.models import ClauseState, Memory, Relation, RelationType, ShortTerm, Source
from cogmem_core.values.results import FactReceipt, Receipt, Status

REINFORCE_FACTOR = 1.02
"""Stability factor when the same thing is said again."""
KEY_CHARACTERS = 2_000
"""Longest key of a memory that was updated."""
SHARED_ENTITIES = 2
"""So many make two memories `same_entity`."""
ELABORATES_OVERLAP = 0.3
"""A larger share of common words, and a common entity, is `elaborates`."""
RELATED_OVERLAP = 0.15
"""A larger share of common words in one category is `related_to`."""
SAME_ENTITY = 0.7
"""Confidence of `same_entity`."""
ELABORATES = 0.5
"""Confidence of `elaborates`."""
RELATED = 0.4
"""Confidence of `related_to`."""
LINKS_PER_MEMORY = 3
"""Links that a new memory starts with, at most."""

PRUNABLE: tuple[RelationType, ...] = ("related_to", "same_entity", "elaborates")
"""Types that may be trimmed, the first ones first.

`supersedes`, `contradicts` and `causes` never are.
"""

OUTDATED_ALREADY = "outdated already when it was learnt"
"""Begins the reason of what was said before what it would have replaced."""
_QUOTED = 80  # characters
_ENTITIES = 8
_NO_VECTOR: FloatArray = np.zeros(0, dtype=np.float32)
_RANK: tuple[Status, ...] = (
    "superseded",
    "updated",
    "merged",
    "stored",
    "reinforced",
    "quarantined",
    "queued",
    "known",
    "skipped",
)


def plan_writes(
    batch: WriteBatch,
    rows: Mapping[str, Memory],
    *,
    now: datetime,
    config: Config,
    waiting: Container[str] | None = None,
) -> WritePlan:
    """Decide on the facts of a batch, one after the other, and say what each decision changes.

    Args:
        batch: what was read and worked out for its facts.
        rows: active memories: those that the facts were compared with, and those that say the same.
            What was changed since it was compared is left alone.
        now: the engine's time.
        config: all settings.
        waiting: the turns that nobody else has finished meanwhile, inside the transaction; None
            before it: then the plan names the texts and vectors that are not there yet, and goes on
            as if they were.
    """
    changed_ids = set() if rows is batch.rows else _changed_since(batch, rows)
    outdated_ids = _outdated(batch, changed_ids) if changed_ids else set()
    state = BatchState(rows, batch.quarantined, changed_ids)
    context = _PlanContext(batch, state, now, config, is_draft=waiting is None)
    for fact in batch.facts:
        if waiting is not None and fact.episode.id not in waiting:
            continue
        if fact.new_id in outdated_ids:
            _leave(context, fact)
            continue
        if fact.turn.settled is not None:
            _settle(context, fact.turn.settled)
        decision = decide(fact, state, batch, now=now, config=config)
        if decision is not None:
            context.plan.decisions.append(decision)
            _carry_out(context, decision)
    return context.plan


def _changed_since(batch: WriteBatch, rows: Mapping[str, Memory]) -> set[str]:
    """The memories that have gone, or got another text, since they were compared."""
    return {
        old.id
        for old in batch.rows.values()
        if old.id not in rows or rows[old.id].content != old.content
    }


def _outdated(batch: WriteBatch, changed_ids: set[str]) -> set[str]:
    """Ids of the facts that were about a changed memory and nothing else."""
    return {
        draft.fact.new_id
        for draft in batch.plan.decisions
        if draft.memory is None and draft.target and (draft.target.id in changed_ids)
    }


@dataclass(frozen=True, slots=True)
class _PlanContext:
    """What carrying out a decision needs.

    Attributes:
        batch: what was read and worked out.
        state: the memories as earlier decisions left them.
        now: the engine's time.
        config: all settings.
        is_draft: whether missing vectors are still to be made.
        plan: collects what the decisions cause.
    """

    batch: WriteBatch
    state: BatchState
    now: datetime
    config: Config
    is_draft: bool
    plan: WritePlan = field(default_factory=WritePlan)

    def request_vector(self, key: str) -> bool:
        """Ask for the vector of an index key; returns whether it is there, or will be."""
        is_there = key in self.batch.vectors
        if not is_there:
            self.plan.missing_keys.append(key)
        return self.is_draft or is_there

    def stored(self, memory: Memory, key: str) -> Stored:
        """A memory with its vector; an empty one in a draft that waits for it."""
        vector = self.batch.vectors.get(key, _NO_VECTOR)
        return Stored(memory, key, vector, self.batch.fingerprint)


def _carry_out(context: _PlanContext, decision: Decision) -> None:
    target = decision.target
    if decision.fact.turn.quarantine:
        # It touches nothing else; equal words are not quarantined twice.
        memory = decision.memory or decision.target
        if decision.memory is not None:
            stored = context.stored(decision.memory, decision.fact.key)
            context.plan.changes.append(Put(stored, decision.reason))
            context.state.quarantined[decision.fact.identity] = decision.memory
        _write_receipt(context, decision, "quarantined", memory)
    elif decision.memory is not None:
        _create(context, decision, decision.memory)
    elif target is None or decision.action in ("skip", "echo"):
        _skip(context, decision)
    elif decision.action == "update":
        _update(context, decision, target)
    else:
        renewal = _renewal(target, decision.fact, now=context.now, config=context.config)
        _touch(context, target, renewal, "said again")
        _write_receipt(context, decision, "reinforced", target)


def _settle(context: _PlanContext, settled: Settled) -> None:
    """The other one of the two gives way to what holds; where both hold, none revises the other."""
    if settled.choice == "both":
        context.plan.changes.append(Unlink(settled.pair.link, f"{SETTLED}: both"))
    if settled.kept is None:
        return
    gone = settled.pair.older if settled.choice == "newer" else settled.pair.newer
    kept, other = (context.state.rows.get(one.id) for one in (settled.kept, gone))
    if kept is None or other is None or other.protected:
        return
    parts = version_parts(other, kept, known=True)
    if kept.state == other.state == "active" and parts is not None:
        _retire(context, other, kept, SETTLED, parts)


def _leave(context: _PlanContext, fact: Fact) -> None:
    """The turn waits, and is decided on anew."""
    receipt = FactReceipt("queued", fact.content, "", "what it was about changed meanwhile")
    context.plan.receipts.setdefault(fact.episode.id, []).append(receipt)


def _skip(context: _PlanContext, decision: Decision) -> None:
    target = decision.target
    if decision.action == "skip" and target is not None:
        fact = decision.fact
        fields: dict[str, Any] = {"sources": add_source(target.sources, fact.source)}
        fields |= _added_tags(target, fact, context.config)
        _touch(context, target, fields, "the same, once more")
    _write_receipt(context, decision, "skipped", target)


def _touch(context: _PlanContext, target: Memory, fields: Mapping[str, Any], reason: str) -> None:
    context.plan.changes.append(Touch(target.id, fields, reason))
    context.state.store(replace(target, **fields))


def _update(context: _PlanContext, decision: Decision, target: Memory) -> None:
    """Write-time synthesis: the former text stays as a version."""
    fact = decision.fact
    text = decision.text or context.batch.merged.get((fact.new_id, target.content), "")
    if not text:
        context.plan.unmerged.append(decision)
        _leave(context, fact)
        return
    key = update_key(fact, target, text, context.config.encoding)
    if not context.request_vector(key):
        _leave(context, fact)
        return
    entities = tuple(dict.fromkeys((*target.entities, *fact.entities)))[:_ENTITIES]
    memory = replace(
        target,
        **_renewal(target, fact, now=context.now, config=context.config),
        content=text,
        content_hash=content_hash(text),
        entities=entities,
        referenced_at=target.referenced_at or fact.referenced_at,
        updated_at=context.now,
    )
    context.plan.changes.append(Rewrite(context.stored(memory, key), decision.reason))
    context.state.store(replace(memory, version=memory.version + 1))
    _write_receipt(context, decision, "updated" if text == fact.content else "merged", target)


def _create(context: _PlanContext, decision: Decision, memory: Memory) -> None:
    """A new memory; what it supersedes is retired, or loses the part that no longer holds."""
    fact = decision.fact
    target = decision.target
    contradicted = list(decision.conflicts)
    replaced: list[Memory] = []
    if decision.action == "supersede" and target is not None:
        contradicted.append(target)
        if not target.protected:
            replaced = [
                old
                for old in (target, *decision.conflicts)
                if not (old.protected or may_not_change(old, fact, context.config))
            ]
    later = [old for old in replaced if old.recorded_at > memory.recorded_at]
    stored = context.stored(memory, fact.key)
    reason = "" if later else decision.reason
    context.plan.changes.append(Put(stored, reason or "said"))
    context.state.create(memory)
    if later:
        _retire(context, memory, later[0], OUTDATED_ALREADY)
        reason = f"{OUTDATED_ALREADY}: {later[0].content[:_QUOTED]}"
    for old in replaced:
        if not later:
            _retire(context, old, memory, decision.reason, _denied(fact, old))
    # What it contradicts and does not replace stays, linked to it.
    standing = {old.id: None for old in contradicted if old not in replaced}
    links: list[WeightedLink] = [("contradicts", name, 1.0) for name in standing]
    for kind, memory_id, confidence in [*links, *links_of(decision)]:
        context.plan.changes.append(linking(memory, kind, memory_id, context.now, confidence))
    context.plan.stored.append(memory)
    if fact.ephemeral and memory.valid_until is not None:
        context.plan.short_term.append(ShortTerm(memory.id, context.now, memory.valid_until))
    status: Status = "superseded" if replaced else "stored"
    _write_receipt(context, replace(decision, reason=reason), status, memory)


def _denied(fact: Fact, old: Memory) -> tuple[int, ...]:
    """The clauses of a memory that a fact contradicts, if it says more than that."""
    pair = fact.turn.settled.pair if fact.turn.settled else None
    if pair is not None and old.id in (pair.older.id, pair.newer.id):
        other = pair.newer if old.id == pair.older.id else pair.older
        return version_parts(old, other, known=True) or ()
    same_speaker = same_voice(fact.voice, old)
    return denied_clauses(old, fact.content, same_speaker=same_speaker, verbatim=fact.verbatim)


def update_key(fact: Fact, target: Memory, text: str, config: EncodingConfig) -> str:
    """The key of an updated memory covers what it was before."""
    parts = [dated_key(text, fact.episode.speaker, fact.episode.at, config)]
    for content in (fact.content, target.content):
        if content not in parts[0]:
            parts.append(content)
    return "\n".join(parts)[:KEY_CHARACTERS]


def _retire(
    context: _PlanContext, old: Memory, new: Memory, reason: str, parts: tuple[int, ...] = ()
) -> None:
    """The newer side wins; both stay linked, and the older one can be restored."""
    by_person = new.data_source == "user_message" and new.recorded_at >= old.recorded_at
    retired, *links = superseding(old, new, reason, context.now, parts=parts, rejects=by_person)
    context.plan.changes += [retired, *links]
    if isinstance(retired, Withdraw):
        context.state.store(holding(with_states(old, retired.clauses)))
    else:
        context.state.store(replace(old, state="superseded"))


def _write_receipt(
    context: _PlanContext, decision: Decision, status: Status, memory: Memory | None
) -> None:
    similarity = decision.neighbor.similarity if decision.neighbor else None
    new = memory if status in ("stored", "superseded") else None
    receipt = FactReceipt(
        status,
        decision.fact.content,
        memory.id if memory else "",
        decision.reason or "new",
        "model" if decision.by_model else "rules",
        None if similarity is None else round(similarity, 4),
        None if new is None else round(new.importance, 4),
    )
    context.plan.receipts.setdefault(decision.fact.episode.id, []).append(receipt)


def _renewal(target: Memory, fact: Fact, *, now: datetime, config: Config) -> dict[str, Any]:
    """What a repetition changes: strength, a stronger feeling, and how long the memory holds.

    A flashbulb is made as in `new_memory`.
    """
    fields = dict(reinforcement(target, fact.source, now=now, config=config).fields)
    emotion = fact.turn.emotion
    if emotion.arousal > target.arousal:
        fields |= {
            "valence": emotion.valence,
            "arousal": emotion.arousal,
            "intensity": emotion.intensity,
            "emotion": emotion.label,
        }
    flashbulb = emotion.arousal >= FLASHBULB_AROUSAL and not target.flashbulb
    if flashbulb and not is_untrusted(target, config.guard):
        days = fields["stability"]
        longer = min(days * FLASHBULB_STABILITY, config.strength.maximum_days)
        fields |= {
            "flashbulb": True,
            "pinned": True,
            "importance": max(target.importance, FLASHBULB_IMPORTANCE),
            "stability": max(days, longer),
        }
    fields |= _added_tags(target, fact, config)
    until = expiry_of(fact, now, config)
    if until is not None and target.valid_until is not None and until > target.valid_until:
        fields["valid_until"] = until
    return fields


def _added_tags(target: Memory, fact: Fact, config: Config) -> dict[str, Any]:
    """The tags that a memory gets from a turn that says it again; those it has stay."""
    tags = dict.fromkeys((*target.tags, *stated_tags(fact.episode)))
    if len(tags) == len(target.tags):
        return {}
    return {"tags": tuple(tags)[: max(len(target.tags), config.limits.tags)]}


def links_of(decision: Decision) -> list[WeightedLink]:
    """A new memory's links, the surest first; at most one per memory that they point to.

    What the language model found counts first; then entities and words decide.
    """
    memory = decision.memory
    if memory is None:
        return []
    target = decision.target
    excluded = {memory.id, *(old.id for old in decision.conflicts)}
    links: dict[str, WeightedLink] = {link[1]: link for link in decision.links}
    if target is not None and decision.action == "elaborate":
        links.setdefault(target.id, ("elaborates", target.id, ELABORATES))
    if target is not None and decision.action == "supersede":
        excluded.add(target.id)
    if not decision.fact.exact:
        for neighbor in decision.neighbors:
            other = neighbor.memory
            if other.id in links or other.id in excluded:
                continue
            kind, confidence = _relation(memory, other)
            if kind is not None:
                links[other.id] = (kind, other.id, confidence)
    allowed = [link for memory_id, link in links.items() if memory_id not in excluded]
    return sorted(allowed, key=lambda link: -link[2])[:LINKS_PER_MEMORY]


def _relation(memory: Memory, other: Memory) -> tuple[RelationType | None, float]:
    """Type and confidence of the link between two memories; None if they have little in common."""
    common = len(_names(memory.entities) & _names(other.entities))
    if common >= SHARED_ENTITIES:
        return "same_entity", SAME_ENTITY
    first = stems(memory.content)
    second = stems(other.content)
    overlap = len(first & second) / (len(first | second) or 1)
    if overlap > ELABORATES_OVERLAP and common:
        return "elaborates", ELABORATES
    if overlap > RELATED_OVERLAP and memory.category == other.category:
        return "related_to", RELATED
    return None, 0.0


def _names(entities: Collection[str]) -> set[str]:
    """Entities without dates and numbers, which are no names."""
    return {uri for uri in entities if not uri.startswith(("entity://date/", "entity://number/"))}


def reinforcement(memory: Memory, source: Source, *, now: datetime, config: Config) -> Touch:
    """The same thing was said again: the memory is a little stabler and has one more source."""
    stability = min(memory.stability * REINFORCE_FACTOR, config.strength.maximum_days)
    fields = {
        "stability": max(stability, memory.stability),
        "last_reinforced_at": now,
        "access_count": memory.access_count + 1,
        "sources": add_source(memory.sources, source),
    }
    return Touch(memory.id, fields, "said again")


def superseding(
    old: Memory,
    new: Memory,
    reason: str,
    now: datetime,
    *,
    parts: tuple[int, ...] = (),
    rejects: bool = False,
) -> list[Change]:
    """A memory that no longer holds is retired where its successor begins, and linked to it.

    `parts`: only these clauses of it hold no more; what else it says stays.
    `rejects`: a person says so, and what it claims is not to come back by itself.
    """
    contradicts = linking(new, "contradicts", old.id, now)
    end = _end_of(old, new, now)
    if not parts:
        fields = {"superseded_by": new.id, "valid_until": end}
        retired = Retire(old.id, "superseded", f"superseded: {reason}", fields, rejects=rejects)
        return [retired, linking(new, "supersedes", old.id, now), contradicts]
    until = None if _retracts(new) else end
    since = min(now, new.recorded_at)
    state = ClauseState(0, "ended" if until else "retracted", since, until, new.id)
    clauses = tuple(replace(state, number=number) for number in parts)
    return [Withdraw(old.id, clauses, f"a part no longer holds: {reason}", rejects), contradicts]


def _retracts(new: Memory) -> bool:
    """Whether a text says that something never was so: "Braga, not Porto"; not "moved from Porto to Braga"."""
    reading = reading_of(new)
    pack = pack_of(reading.language)
    return any(
        not (clause.now or (clause.changes and not pack.says("negations", reading.words(clause))))
        if clause.denies
        else clause.correcting and not (clause.changes or clause.ends)
        for clause in reading.clauses
    )


def _end_of(old: Memory, new: Memory, now: datetime) -> datetime:
    """When something ceased to hold: where its successor begins."""
    for moment in (new.valid_from, new.recorded_at):
        if moment and (old.valid_from is None or moment > old.valid_from):
            return moment
    return now


def linking(
    memory: Memory, kind: RelationType, other_id: str, now: datetime, confidence: float = 1.0
) -> Link:
    """A relation from a memory to another one."""
    relation = Relation(
        memory.namespace, memory.id, other_id, kind, confidence=confidence, created_at=now
    )
    return Link(relation, kind.replace("_", " "))


def receipt_of(
    fact_receipts: Sequence[FactReceipt], episode_id: str, metadata: Mapping[str, Any]
) -> Receipt:
    """One receipt per turn: the most telling status of its facts."""
    first = min(fact_receipts, key=lambda receipt: _RANK.index(receipt.status))
    ids = dict.fromkeys(receipt.memory_id for receipt in fact_receipts if receipt.memory_id)
    listed = metadata.get(REDACTED)
    kinds = [kind for kind in listed if kind != SEALED] if isinstance(listed, list) else ()
    reason = f"{first.reason}; redacted: {', '.join(kinds)}" if kinds else first.reason
    return Receipt(first.status, tuple(ids), reason, episode_id, tuple(fact_receipts))
