"""Where each fact goes beside what is known: the gate, fact by fact, each seeing what the ones before it did. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

import numpy as np

from cogmem_core.config import Config, GuardConfig, ImportanceConfig, RelationsConfig
from cogmem_core.encoding.build_memory import new_memory
from cogmem_core.encoding.facts import Fact, Identity, answers_of, data_source_of, identity_of, other_day, voice_of
from cogmem_core.encoding.neighbours import Near
from cogmem_core.encoding.rule_gate import Claim, Neighbour, judge
from cogmem_core.maths.importance import Channels
from cogmem_core.models import Memory, RelationType, Role
from cogmem_core.ports import FloatArray
from cogmem_core.skills.decide import Decision
from cogmem_core.text.query.questions import polarity
from cogmem_core.text.rewrite.third_person import third_person
from cogmem_core.trust import outranks

__all__ = ["Beside", "Known", "Placement", "place"]

Action = Literal["create", "reinforce", "supersede", "update", "elaborate", "skip", "echo"]
_DULL = "not worth remembering, says the model"
_CREATING = ("create", "elaborate", "supersede")


@dataclass(frozen=True, slots=True)
class Beside:
    """A memory beside a fact: `similarity` of the texts if they were compared; `by_key` = what the keys say of them."""

    memory: Memory
    similarity: float | None
    by_key: float

    @property
    def nearness(self) -> float:
        """The best estimate of how alike the texts are."""
        return self.by_key if self.similarity is None else self.similarity


@dataclass(frozen=True, slots=True)
class Placement:
    """A fact and what becomes of it.

    Attributes:
        action: as the gate says; `echo` = what the assistant repeats: nothing at all.
        target: the memory it is about, as it was when this was decided.
        memory: the new memory, for `create`, `elaborate` and `supersede`.
        text: the target's new text, for `update`.
        conflicts: further memories that it contradicts.
        links: relations from the new memory: (type, target id, confidence).
        by_llm: whether the language model decided.
        near: what it was compared with; similarity: of the target's text.
        trims: memories of which only a part is contradicted, and what is left of their text.
    """

    fact: Fact
    action: Action
    reason: str
    target: Memory | None = None
    memory: Memory | None = None
    text: str = ""
    conflicts: tuple[Memory, ...] = ()
    links: tuple[tuple[RelationType, str, float], ...] = ()
    by_llm: bool = False
    near: tuple[Beside, ...] = ()
    similarity: float | None = None
    trims: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """What the gate looks at.

    Attributes:
        same: active memories by identity.
        near: per fact (by `new_id`) the stored memories that resemble it.
        vectors: of the facts' keys, by `new_id`, normalised.
        similarity: per new text, and per old text compared with it, their cosine.
        contexts: per session the vectors of what was said last.
        decisions: of the language model, by `new_id`.
        aside: what was quarantined before, by identity.
    """

    same: Mapping[Identity, Memory]
    near: Mapping[str, Sequence[Near]]
    vectors: Mapping[str, FloatArray]
    similarity: Mapping[str, Mapping[str, float]]
    contexts: Mapping[str, Sequence[FloatArray]] = field(default_factory=dict)
    decisions: Mapping[str, Decision] = field(default_factory=dict)
    aside: Mapping[Identity, Memory] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Desk:
    """What placing one fact needs."""

    known: Known
    world: _World
    contexts: dict[str, list[FloatArray]]
    now: datetime
    config: Config


class _World:
    """What is known while the facts of a batch are placed one after the other."""

    def __init__(self, same: Mapping[Identity, Memory], aside: Mapping[Identity, Memory], guard: GuardConfig) -> None:
        self.same, self.aside, self._guard = dict(same), dict(aside), guard
        self.made: dict[str, list[Memory]] = {}
        self._now: dict[str, Memory] = {}
        self._gone: set[str] = set()

    def current(self, memory: Memory) -> Memory | None:
        """A memory as this batch left it; None if it was retired."""
        return None if memory.id in self._gone else self._now.get(memory.id, memory)

    def follow(self, placed: Placement) -> None:
        """Take over what a placement does."""
        if placed.memory is not None and placed.fact.heard.aside:
            self.aside[identity_of(placed.memory)] = placed.memory
        elif placed.memory is not None:
            self.same[identity_of(placed.memory)] = placed.memory
            self.made.setdefault(placed.memory.content, []).append(placed.memory)
        if placed.action == "supersede":
            for memory in (placed.target, *placed.conflicts):
                if memory is not None and not (memory.protected or self._stands(memory, placed.memory)):
                    self._gone.add(memory.id)
                    self.same.pop(identity_of(memory), None)
        if placed.action == "update" and placed.target is not None:
            self.same.pop(identity_of(placed.target), None)
            self._now[placed.target.id] = replace(placed.target, content=placed.text or placed.target.content)

    def _stands(self, old: Memory, new: Memory | None) -> bool:
        return new is not None and outranks(old, new.data_source, new.trust, self._guard)


def place(facts: Sequence[Fact], known: Known, *, now: datetime, config: Config) -> list[Placement]:
    """Decide on facts in the order in which they were said.

    Args:
        facts: with a vector each, unless the same content is known.
        known: see `Known`; facts without a vector that nobody knows are left out.
        now: the engine's time.
        config: all settings.
    """
    contexts = {session: list(vectors) for session, vectors in known.contexts.items()}
    world = _World(known.same, known.aside, config.guard)
    desk, placed = _Desk(known, world, contexts, now, config), list[Placement]()
    for fact in facts:
        one = _place(fact, desk)
        if one is None:
            continue
        placed.append(one)
        desk.world.follow(one)
        if fact.episode.session_id and fact.new_id in known.vectors and not fact.heard.aside:
            contexts.setdefault(fact.episode.session_id, []).append(known.vectors[fact.new_id])
    return placed


def _place(fact: Fact, desk: _Desk) -> Placement | None:
    if fact.heard.aside:
        return _aside(fact, desk)
    same = desk.world.same.get(fact.identity)
    if same is not None and not other_day(fact.referenced_at, same.referenced_at):
        return _by_source(Placement(fact, "reinforce", "the same was said before", same), None, desk.config)
    if fact.new_id not in desk.known.vectors:
        return None
    near = _near(fact, desk)
    memory = new_memory(fact, _channels(fact, near, desk), now=desk.now, config=desk.config)
    if fact.exact:
        return Placement(fact, "create", "", memory=memory, near=near)
    decision, told = desk.known.decisions.get(fact.new_id), _answered_before(fact, near, memory)
    if told is None and decision is not None:
        told = _as_decided(fact, decision, (near, memory), desk.config.relations)
    return _by_source(told or _as_judged(fact, near, memory, desk), memory, desk.config)


def _answered_before(fact: Fact, near: tuple[Beside, ...], memory: Memory) -> Placement | None:
    """A yes or no beside what the same voice said to the same question before; None if it is no such thing."""
    mine, voice = polarity(fact.content) if fact.answers else None, voice_of(fact.episode)
    asked = (one.memory for one in near if answers_of(one.memory) == fact.answers)
    said = (one for one in asked if voice_of(one) == voice and polarity(one.content) is not None)
    other = next(said, None) if mine is not None else None
    if other is None:
        return None
    if polarity(other.content) is mine:
        return Placement(fact, "reinforce", "the same was answered before", other, near=near)
    new = Placement(fact, "supersede", "answered otherwise now", other, memory, near=near)
    return replace(new, action="create", conflicts=(other,)) if other.protected else new


def _aside(fact: Fact, desk: _Desk) -> Placement | None:
    """What is quarantined is compared with nothing but what was quarantined before."""
    reason, known = f"quarantined: {fact.heard.aside}", desk.world.aside.get(fact.identity)
    if known is not None:
        return Placement(fact, "skip", reason, known)
    if fact.new_id not in desk.known.vectors:
        return None
    channels = Channels(novelty=0.0, arousal=0.0, reward=0.0, attention=0.0)
    memory = new_memory(fact, channels, now=desk.now, config=desk.config)
    return Placement(fact, "create", reason, memory=memory)


def _near(fact: Fact, desk: _Desk) -> tuple[Beside, ...]:
    """Memories as they are now beside the fact, those that this batch made too, the most similar first."""
    found: dict[str, Beside] = {}
    compared = desk.known.similarity.get(fact.content, {})
    for one in desk.known.near.get(fact.new_id, ()):
        memory = desk.world.current(one.memory)
        if memory is not None:
            by_key = min(one.by_key, desk.config.gate.uncompared)
            alike = compared.get(one.memory.content) if answers_of(memory) == fact.answers else None
            found[memory.id] = Beside(memory, alike, by_key)
    for old, similarity in compared.items():
        for made in desk.world.made.get(old, ()):
            memory = desk.world.current(made)
            if memory is not None and answers_of(memory) == fact.answers:
                found.setdefault(memory.id, Beside(memory, similarity, similarity))
    return tuple(sorted(found.values(), key=lambda one: (-one.nearness, one.memory.id)))


def _channels(fact: Fact, near: Sequence[Beside], desk: _Desk) -> Channels:
    """Novelty, arousal, reward and attention of a fact (seed 001)."""
    limits, session = desk.config.importance, fact.episode.session_id or ""
    similar = [one.memory.utility for one in near if one.nearness >= limits.similar_from]
    return Channels(
        novelty=1.0 - max((one.nearness for one in near), default=0.0),
        arousal=fact.heard.emotion.arousal,
        reward=sum(similar) / len(similar) if similar else limits.neutral,
        attention=_attention(desk.contexts.get(session, ()), desk.known.vectors[fact.new_id], limits),
    )


def _attention(context: Sequence[FloatArray], vector: FloatArray, limits: ImportanceConfig) -> float:
    """Similarity to the mean of what the session spoke of last; neutral where there is nothing to compare with."""
    if not context:
        return limits.neutral
    mean = np.mean(np.stack(context[-limits.context_turns :]), axis=0)
    length = float(np.linalg.norm(mean))
    return max(0.0, min(1.0, float(mean @ vector) / length)) if length else limits.neutral


def _as_judged(fact: Fact, near: tuple[Beside, ...], memory: Memory, desk: _Desk) -> Placement:
    """What the rules say."""
    beside = {one.memory.id: one.memory for one in near if one.similarity is not None}
    claim = Claim(fact.content, voice_of(fact.episode), fact.entities, memory.importance, fact.referenced_at)
    neighbours = [_neighbour(fact, one) for one in near if one.similarity is not None]
    verdict = judge(claim, neighbours, desk.config.gate)
    target = beside.get(verdict.target or "")
    conflicts = tuple(beside[i] for i in verdict.conflicts)
    reason = verdict.reason if verdict.target else "new"
    placed = Placement(
        fact, verdict.action, reason, target, conflicts=conflicts, near=near, similarity=_of(near, target)
    )
    if verdict.action == "update" and target is not None:
        return replace(placed, text=fact.content)
    return replace(placed, memory=memory) if verdict.action in _CREATING else placed


def _neighbour(fact: Fact, one: Beside) -> Neighbour:
    memory = one.memory
    # A rewritten fact names its speaker; what the same person said in the first person has to be read likewise.
    said = memory.write_source == "observer" and not fact.verbatim
    text = third_person(memory.content, memory.speaker) if said else memory.content
    return Neighbour(
        id=memory.id,
        text=text,
        similarity=one.similarity or 0.0,
        voice=voice_of(memory),
        entities=memory.entities,
        protected=memory.protected,
        referenced_at=memory.referenced_at,
    )


def _as_decided(
    fact: Fact, decision: Decision, found: tuple[tuple[Beside, ...], Memory], config: RelationsConfig
) -> Placement | None:
    """What the language model says; None where it can no longer be carried out."""
    near, memory = found
    beside = {one.memory.id: one.memory for one in near}
    target = beside.get(decision.target or "")
    if decision.target is not None and target is None:
        return None
    links = tuple((kind, other, config.by_model) for other, kind in decision.links if other in beside)
    similarity = _of(near, target)
    new = Placement(
        fact, "create", "new, says the model", target, memory, near=near, similarity=similarity, by_llm=True
    )
    if decision.action == "ADD":
        return replace(new, links=links)
    if decision.action == "NOOP":
        action: Action = "skip" if target is None else "reinforce"
        return replace(
            new, action=action, memory=None, reason=_DULL if target is None else "known already, says the model"
        )
    return _as_changed(replace(new, links=links), decision) if target is not None else None


def _as_changed(new: Placement, decision: Decision) -> Placement:
    """An UPDATE or a DELETE: a memory that no longer holds is superseded, one that is refined gets a new text."""
    target, replaces = new.target, decision.action == "DELETE" or decision.relation == "contradictory"
    if target is not None and target.protected:
        return replace(new, reason="the memory is protected", conflicts=(target,) if replaces else ())
    if replaces:
        return replace(new, action="supersede", reason="contradicts it, says the model")
    reason, text = "refines it, says the model", decision.text or ""
    return replace(new, action="update", reason=reason, text=text, memory=None, links=())


def _of(near: Sequence[Beside], target: Memory | None) -> float | None:
    return next((one.similarity for one in near if target is not None and one.memory.id == target.id), None)


def _by_source(placed: Placement, memory: Memory | None, config: Config) -> Placement:
    """What is trusted less never changes, retires or strengthens what is trusted more.

    An assistant never does that to what a person said, however far it is trusted.
    """
    target, turn = placed.target, placed.fact.episode
    if target is None or not _above(target, turn.role, config):
        return placed
    by_assistant, theirs = turn.role == "assistant", target.data_source == "user_message"
    who = "the assistant" if by_assistant else "an untrusted source"
    said = "what a person said" if theirs else "what is trusted more"
    if placed.action in ("reinforce", "skip") or memory is None:
        return replace(placed, action="echo", reason=f"{who} repeats what is known")
    if placed.action == "supersede":
        return replace(placed, action="create", reason=f"contradicts {said}", conflicts=(target, *placed.conflicts))
    if placed.action == "update":
        return replace(placed, action="elaborate", reason=f"adds to {said}", text="", memory=memory)
    return placed


def _above(target: Memory, role: Role, config: Config) -> bool:
    if role == "assistant" and target.data_source == "user_message":
        return True
    return outranks(target, data_source_of(role), config.encoding.trusted(role), config.guard)
