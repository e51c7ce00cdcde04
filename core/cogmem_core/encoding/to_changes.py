"""From placements to changes and receipts, given the rows as they are inside the transaction. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from cogmem_core.changes import Change, Link, Put, Retire, Rewrite, Touch
from cogmem_core.config import Config
from cogmem_core.encoding.build_memory import holds_until
from cogmem_core.encoding.facts import Fact, Identity, identity_of, sources_united
from cogmem_core.encoding.gate import Placement
from cogmem_core.encoding.relate import links_of
from cogmem_core.encoding.sanitize import REDACTED
from cogmem_core.models import Memory, Relation, RelationType, ShortTerm, Source
from cogmem_core.ports import FloatArray, Stored
from cogmem_core.results import FactReceipt, Receipt, Status
from cogmem_core.text.keys import content_hash
from cogmem_core.trust import is_untrusted, outranks

__all__ = [
    "Plan",
    "Vector",
    "linking",
    "plan",
    "receipt_of",
    "reinforcement",
    "superseding",
    "trimmed_id",
]

Vector = tuple[str, FloatArray, str]
"""Index key, its vector, the fingerprint of the embedder."""
_ENTITIES = 8
_RANK: tuple[Status, ...] = (
    *("superseded", "updated", "merged", "stored", "reinforced", "quarantined", "queued", "skipped"),
)


@dataclass(slots=True)
class Plan:
    """Changes to apply, in order; what became of the facts of each turn; new memories; facts on probation."""

    changes: list[Change] = field(default_factory=list)
    facts: dict[str, list[FactReceipt]] = field(default_factory=dict)
    stored: list[Memory] = field(default_factory=list)
    short_term: list[ShortTerm] = field(default_factory=list)

    def note(self, fact: Fact, receipt: FactReceipt) -> None:
        """What became of a fact."""
        self.facts.setdefault(fact.episode.id, []).append(receipt)


@dataclass(frozen=True, slots=True)
class _Desk:
    plan: Plan
    rows: dict[str, Memory]
    same: dict[Identity, Memory]
    vectors: Mapping[str, Vector]
    now: datetime
    config: Config


def plan(
    placements: Sequence[Placement],
    rows: Mapping[str, Memory],
    vectors: Mapping[str, Vector],
    *,
    now: datetime,
    config: Config,
) -> Plan:
    """Turn placements into changes.

    Args:
        placements: in the order in which the facts were said.
        rows: active memories as they are now: the targets of the placements, and exact duplicates of their facts. A
            target that changed meanwhile is left alone, and its fact becomes a memory of its own.
        vectors: by the fact's `new_id`: of its key, or of the target's new key for an update.
    """
    same = {identity_of(memory): memory for memory in rows.values()}
    desk = _Desk(Plan(), dict(rows), same, vectors, now, config)
    for placed in placements:
        _carry_out(placed, desk)
    return desk.plan


def _carry_out(placed: Placement, desk: _Desk) -> None:
    if placed.fact.heard.aside:
        _set_aside(placed, desk)
        return
    if placed.action in ("skip", "echo"):
        _pass_over(placed, desk)
        return
    again = desk.same.get(placed.fact.identity) if placed.memory is not None else None
    if again is not None and again.referenced_at == placed.fact.referenced_at:
        _reinforce(replace(placed, target=again, reason="the same was said before"), desk)
        return
    target = _unchanged(placed.target, desk)
    if placed.action == "reinforce" and target is not None:
        _reinforce(replace(placed, target=target), desk)
    elif placed.action == "update" and target is not None and _updatable(placed, target, desk):
        _update(placed, target, desk)
    elif placed.memory is not None and placed.fact.new_id in desk.vectors:
        _store(placed, placed.memory, target, desk)
    else:
        desk.plan.note(
            placed.fact, FactReceipt("queued", placed.fact.content, "", "what it was about changed meanwhile")
        )


def _set_aside(placed: Placement, desk: _Desk) -> None:
    """It touches nothing else; what was set aside before, in the same words, is not kept twice."""
    fact, memory = placed.fact, placed.memory or placed.target
    if placed.memory is not None:
        desk.plan.changes.append(Put(Stored(placed.memory, *desk.vectors[fact.new_id]), placed.reason))
    desk.plan.note(fact, _receipt(placed, "quarantined", memory.id if memory is not None else ""))


def _unchanged(target: Memory | None, desk: _Desk) -> Memory | None:
    """The target as it is now, unless somebody else gave it another text or retired it."""
    known = desk.rows.get(target.id) if target is not None else None
    same_text = known is not None and target is not None and known.content == target.content
    return known if same_text and known is not None and known.state == "active" else None


def _updatable(placed: Placement, target: Memory, desk: _Desk) -> bool:
    return placed.fact.new_id in desk.vectors and not target.protected


def _pass_over(placed: Placement, desk: _Desk) -> None:
    target = _unchanged(placed.target, desk)
    if placed.action == "skip" and target is not None:
        sources = sources_united(target.sources, placed.fact.source, desk.config.encoding.sources_kept)
        _touch(target, {"sources": sources}, "the same, once more", desk)
    desk.plan.note(placed.fact, _receipt(placed, "skipped", target.id if target is not None else ""))


def _reinforce(placed: Placement, desk: _Desk) -> None:
    target = placed.target
    if target is None:
        return
    _touch(target, _renewed(target, placed.fact, desk), "said again", desk)
    desk.plan.note(placed.fact, _receipt(placed, "reinforced", target.id))


def _touch(target: Memory, fields: Mapping[str, Any], reason: str, desk: _Desk) -> None:
    desk.plan.changes.append(Touch(target.id, fields, reason))
    _now_is(replace(target, **fields), desk)


def _now_is(memory: Memory, desk: _Desk) -> None:
    desk.rows[memory.id] = memory
    if memory.state == "active":
        desk.same[identity_of(memory)] = memory


def reinforcement(memory: Memory, source: Source, *, now: datetime, config: Config) -> Touch:
    """The same thing was said again: a little stabler, one more source (seed 001: near-identical → REINFORCE)."""
    stability = min(memory.stability * config.encoding.reinforce_factor, config.strength.maximum_days)
    fields: dict[str, Any] = {
        "stability": max(stability, memory.stability),
        "last_reinforced_at": now,
        "access_count": memory.access_count + 1,
        "sources": sources_united(memory.sources, source, config.encoding.sources_kept),
    }
    return Touch(memory.id, fields, "said again")


def _renewed(target: Memory, fact: Fact, desk: _Desk) -> dict[str, Any]:
    """What a repetition changes: strength, feeling where it is stronger now (see `new_memory`), how long it holds."""
    fields = dict(reinforcement(target, fact.source, now=desk.now, config=desk.config).fields)
    feeling, limits, ceiling = fact.heard.emotion, desk.config.importance, desk.config.strength.maximum_days
    if feeling.arousal > target.arousal:
        told = {"valence": feeling.valence, "arousal": feeling.arousal, "intensity": feeling.intensity}
        fields |= {**told, "emotion": feeling.label}
    plain = target.flashbulb or is_untrusted(target, desk.config.guard)
    if feeling.arousal >= limits.flashbulb_arousal and not plain:
        days = max(fields["stability"], min(fields["stability"] * limits.flashbulb_stability, ceiling))
        value = max(target.importance, limits.flashbulb_importance)
        fields |= {"flashbulb": True, "pinned": True, "importance": value, "stability": days}
    until = holds_until(fact, desk.now, desk.config)
    if until is not None and target.valid_until is not None and until > target.valid_until:
        fields["valid_until"] = until
    return fields


def _update(placed: Placement, target: Memory, desk: _Desk) -> None:
    """Write-time synthesis: the former text stays as a version."""
    fact, text = placed.fact, placed.text
    memory = replace(
        target,
        **_renewed(target, fact, desk),
        content=text,
        content_hash=content_hash(text),
        entities=tuple(dict.fromkeys((*target.entities, *fact.entities)))[:_ENTITIES],
        referenced_at=target.referenced_at or fact.referenced_at,
        updated_at=desk.now,
    )
    key, vector, fingerprint = desk.vectors[fact.new_id]
    desk.plan.changes.append(Rewrite(Stored(memory, key, vector, fingerprint), placed.reason))
    desk.same.pop(identity_of(target), None)
    _now_is(replace(memory, version=target.version + 1), desk)
    status: Status = "updated" if text == fact.content else "merged"
    desk.plan.note(fact, _receipt(placed, status, target.id))


def _store(placed: Placement, memory: Memory, target: Memory | None, desk: _Desk) -> None:
    plan_, fact = desk.plan, placed.fact
    plan_.changes.append(Put(Stored(memory, *desk.vectors[fact.new_id]), placed.reason or "said"))
    _now_is(memory, desk)
    replaced = _replaced(placed, target, desk)
    outdated = next((old for old in replaced if old.recorded_at > memory.recorded_at), None)
    if outdated is not None:
        _retire(memory, outdated, "outdated already when it was learnt", desk)
    else:
        for old in replaced:
            rest = placed.trims.get(old.id, "")
            if rest and trimmed_id(fact, old.id) in desk.vectors:
                _trim(old, rest, placed, desk)
            else:
                _retire(old, memory, placed.reason, desk)
    contradicted = [*placed.conflicts, *([target] if placed.action == "supersede" and target is not None else [])]
    gone = {old.id for old in replaced}
    for other in dict.fromkeys(old.id for old in contradicted):
        if other not in gone and other in desk.rows:
            _link(memory, "contradicts", other, 1.0, desk)
    for kind, other, confidence in links_of(placed, desk.config.relations):
        if other in desk.rows:
            _link(memory, kind, other, confidence, desk)
    plan_.stored.append(memory)
    if fact.passing and memory.valid_until is not None:
        plan_.short_term.append(ShortTerm(memory.id, desk.now, memory.valid_until))
    plan_.note(fact, _receipt(placed, "superseded" if replaced else "stored", memory.id, memory.importance))


def _replaced(placed: Placement, target: Memory | None, desk: _Desk) -> list[Memory]:
    if placed.action != "supersede" or target is None or target.protected:
        return []
    new, guard = placed.memory, desk.config.guard
    others = (_unchanged(memory, desk) for memory in placed.conflicts)
    free = (one for one in (target, *others) if one is not None and not one.protected)
    return [one for one in free if new is None or not outranks(one, new.data_source, new.trust, guard)]


def _retire(old: Memory, new: Memory, reason: str, desk: _Desk) -> None:
    """The newer side wins; both stay linked, and the older one can be restored."""
    desk.plan.changes += superseding(old, new, reason, desk.now)
    desk.rows[old.id] = replace(old, state="superseded")
    desk.same.pop(identity_of(old), None)


def superseding(old: Memory, new: Memory, reason: str, now: datetime) -> list[Change]:
    """A memory that no longer holds is retired where its successor begins, and linked to it."""
    ends = (at for at in (new.valid_from, new.recorded_at) if at and (old.valid_from is None or at > old.valid_from))
    fields = {"superseded_by": new.id, "valid_until": next(ends, now)}
    retired = Retire(old.id, "superseded", f"superseded: {reason}", fields)
    return [retired, linking(new, "supersedes", old.id, now), linking(new, "contradicts", old.id, now)]


def linking(memory: Memory, kind: RelationType, other: str, now: datetime, confidence: float = 1.0) -> Link:
    """A relation from a memory to another one."""
    relation = Relation(memory.namespace, memory.id, other, kind, confidence=confidence, created_at=now)
    return Link(relation, kind.replace("_", " "))


def _trim(old: Memory, rest: str, placed: Placement, desk: _Desk) -> None:
    """Only a part of it is contradicted: the rest stays, the former text is kept as a version."""
    memory = replace(old, content=rest, content_hash=content_hash(rest), updated_at=desk.now)
    stored = Stored(memory, *desk.vectors[trimmed_id(placed.fact, old.id)])
    desk.plan.changes.append(Rewrite(stored, f"a part no longer holds: {placed.reason}"))
    desk.same.pop(identity_of(old), None)
    _now_is(replace(memory, version=old.version + 1), desk)


def trimmed_id(fact: Fact, memory_id: str) -> str:
    """Where the vector of what a fact leaves of a memory is kept."""
    return f"{fact.new_id}/{memory_id}"


def _link(memory: Memory, kind: RelationType, other: str, confidence: float, desk: _Desk) -> None:
    desk.plan.changes.append(linking(memory, kind, other, desk.now, confidence))


def _receipt(placed: Placement, status: Status, memory_id: str, importance: float | None = None) -> FactReceipt:
    by = "model" if placed.by_llm else "rules"
    similarity = None if placed.similarity is None else round(placed.similarity, 4)
    worth = None if importance is None else round(importance, 4)
    return FactReceipt(status, placed.fact.content, memory_id, placed.reason or "new", by, similarity, worth)  # type: ignore[arg-type]


def receipt_of(fact_receipts: Sequence[FactReceipt], episode_id: str, metadata: Mapping[str, Any]) -> Receipt:
    """One receipt per turn: the most telling status of its facts."""
    first = min(fact_receipts, key=lambda one: _RANK.index(one.status))
    ids = tuple(dict.fromkeys(one.memory_id for one in fact_receipts if one.memory_id))
    kinds = metadata.get(REDACTED)
    redacted = f"; redacted: {', '.join(kinds)}" if isinstance(kinds, list) and kinds else ""
    return Receipt(first.status, ids, first.reason + redacted, episode_id, tuple(fact_receipts))
