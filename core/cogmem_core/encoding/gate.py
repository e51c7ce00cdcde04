"""The gate: what becomes of each fact beside what is known, each seeing what earlier facts did. Pure.

Without a language model the table of similarities (`maths.gate`) proposes, and what both texts say
(`text.compare`) decides whether two facts may become one. Vectors of look-alikes ("my sister lives
in Rome", "my brother lives in Rome") are nearly equal, so no similarity alone merges, retires or
drops anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np

from cogmem_core.config import Config, GateConfig, ImportanceConfig
from cogmem_core.encoding.build_memory import new_memory
from cogmem_core.encoding.facts import (
    Action,
    Decision,
    Fact,
    Identity,
    Neighbor,
    answers_of,
    data_source_of,
    identity_of,
    on_different_days,
    voice_of,
)
from cogmem_core.maths import gate as table
from cogmem_core.maths.importance import Channels
from cogmem_core.models import Memory
from cogmem_core.ports import FloatArray
from cogmem_core.skills.decide import Decision as ModelDecision
from cogmem_core.text.compare import Contradiction, Entailment, contradicts, entailment
from cogmem_core.text.query.questions import polarity
from cogmem_core.text.rewrite.third_person import third_person
from cogmem_core.trust import outranks

__all__ = ["BatchState", "GateInput", "decide_by_rules", "decide_facts"]

_CREATING = ("create", "elaborate", "supersede")
_RANKED: tuple[Action, ...] = ("reinforce", "update", "skip", "elaborate", "create")


@dataclass(frozen=True, slots=True)
class GateInput:
    """What the gate looks at.

    Attributes:
        by_identity: active memories by identity.
        neighbors: per fact (by `new_id`) the stored memories that resemble it.
        vectors: of the facts' keys, by `new_id`, normalised.
        similarity: per new text, and per old text compared with it, their cosine.
        contexts: per session the vectors of what was said last.
        model_decisions: of the language model, by `new_id`.
        quarantined: quarantined memories by identity.
    """

    by_identity: Mapping[Identity, Memory]
    neighbors: Mapping[str, Sequence[Neighbor]]
    vectors: Mapping[str, FloatArray]
    similarity: Mapping[str, Mapping[str, float]]
    contexts: Mapping[str, Sequence[FloatArray]] = field(default_factory=dict)
    model_decisions: Mapping[str, ModelDecision] = field(default_factory=dict)
    quarantined: Mapping[Identity, Memory] = field(default_factory=dict)


class BatchState:
    """What is known while the facts of one batch are worked off one after the other.

    Attributes:
        rows: memories as this batch left them, by id.
        by_identity: active memories by identity.
        created: memories that this batch creates, by their text.
    """

    def __init__(
        self, by_identity: Mapping[Identity, Memory], rows: Mapping[str, Memory] | None = None
    ) -> None:
        self.rows = dict(rows or {})
        self.by_identity = dict(by_identity)
        self.created: dict[str, list[Memory]] = {}

    def current(self, memory: Memory) -> Memory | None:
        """A memory as this batch left it; None if it was retired."""
        row = self.rows.get(memory.id, memory)
        return row if row.state == "active" else None

    def store(self, memory: Memory) -> None:
        """An active memory is like this now."""
        self.rows[memory.id] = memory
        self.by_identity[identity_of(memory)] = memory

    def retire(self, memory: Memory) -> None:
        """A memory no longer holds."""
        self.rows[memory.id] = replace(memory, state="superseded")
        self.by_identity.pop(identity_of(memory), None)


def decide_facts(
    facts: Iterable[Fact], gate_input: GateInput, *, now: datetime, config: Config
) -> list[Decision]:
    """Decide on facts in the order in which they were said.

    Args:
        facts: each has a vector, unless a memory with the same identity exists.
        gate_input: what the gate looks at; facts without a vector that no memory repeats are left
            out.
        now: the engine's time.
        config: all settings.
    """
    gate = _Gate(gate_input, now, config)
    decisions: list[Decision] = []
    for fact in facts:
        decision = gate.decide(fact)
        if decision is not None:
            decisions.append(decision)
            gate.take_over(decision)
    return decisions


class _Gate:
    """Decides on the facts of one batch."""

    def __init__(self, gate_input: GateInput, now: datetime, config: Config) -> None:
        self._input = gate_input
        self._now = now
        self._config = config
        self._state = BatchState(gate_input.by_identity)
        self._quarantined = dict(gate_input.quarantined)
        self._contexts = {session: list(rows) for session, rows in gate_input.contexts.items()}

    def decide(self, fact: Fact) -> Decision | None:
        """What becomes of one fact; None if it waits for its vector."""
        if fact.turn.quarantine:
            return self._quarantine(fact)
        same = self._state.by_identity.get(fact.identity)
        if same is not None and not on_different_days(fact.referenced_at, same.referenced_at):
            repetition = Decision(fact, "reinforce", "the same was said before", Neighbor(same))
            return _limit_by_source(repetition, None, self._config)
        if fact.new_id not in self._input.vectors:
            return None
        neighbors = self._neighbors(fact)
        channels = self._channels(fact, neighbors)
        memory = new_memory(fact, channels, now=self._now, config=self._config)
        if fact.exact:
            return Decision(fact, "create", "", memory=memory, neighbors=neighbors)
        decision = _decide_by_question(fact, neighbors, memory)
        by_model = self._input.model_decisions.get(fact.new_id)
        if decision is None and by_model is not None:
            sureness = self._config.relations.by_model
            decision = _decide_by_model(fact, neighbors, memory, by_model, sureness)
        if decision is None:
            decision = decide_by_rules(fact, neighbors, memory, self._config.gate)
            if decision.neighbor is None:
                decision = replace(decision, reason="new")
        return _limit_by_source(decision, memory, self._config)

    def take_over(self, decision: Decision) -> None:
        """Later facts see what this decision does."""
        fact = decision.fact
        memory = decision.memory
        target = decision.target
        state = self._state
        if fact.turn.quarantine:
            if memory is not None:
                self._quarantined[identity_of(memory)] = memory
            return
        if memory is not None:
            state.store(memory)
            state.created.setdefault(memory.content, []).append(memory)
        if decision.action == "supersede" and target is not None:
            guard = self._config.guard
            for old in (target, *decision.conflicts):
                if old.protected:
                    continue
                if memory is None or not outranks(old, memory.data_source, memory.trust, guard):
                    state.retire(old)
        if decision.action == "update" and target is not None:
            state.by_identity.pop(identity_of(target), None)
            state.rows[target.id] = replace(target, content=decision.text or target.content)
        session = fact.episode.session_id
        if session and fact.new_id in self._input.vectors:
            self._contexts.setdefault(session, []).append(self._input.vectors[fact.new_id])

    def _quarantine(self, fact: Fact) -> Decision | None:
        """A quarantined fact is compared with nothing but what was quarantined before."""
        reason = f"quarantined: {fact.turn.quarantine}"
        same = self._quarantined.get(fact.identity)
        if same is not None:
            return Decision(fact, "skip", reason, Neighbor(same))
        if fact.new_id not in self._input.vectors:
            return None
        channels = Channels(novelty=0.0, arousal=0.0, reward=0.0, attention=0.0)
        memory = new_memory(fact, channels, now=self._now, config=self._config)
        return Decision(fact, "create", reason, memory=memory)

    def _neighbors(self, fact: Fact) -> tuple[Neighbor, ...]:
        """The memories beside the fact as they are now, those of this batch too, nearest first."""
        neighbors: dict[str, Neighbor] = {}
        compared = self._input.similarity.get(fact.content, {})
        for stored in self._input.neighbors.get(fact.new_id, ()):
            memory = self._state.current(stored.memory)
            if memory is None:
                continue
            similarity = None
            if answers_of(memory) == fact.answers:
                similarity = compared.get(stored.memory.content)
            by_key = min(stored.key_similarity, self._config.gate.uncompared)
            neighbors[memory.id] = Neighbor(memory, similarity, by_key)
        for text, similarity in compared.items():
            for created in self._state.created.get(text, ()):
                memory = self._state.current(created)
                if memory is not None and answers_of(memory) == fact.answers:
                    neighbors.setdefault(memory.id, Neighbor(memory, similarity, similarity))
        by_nearness = sorted(neighbors.values(), key=lambda near: (-near.nearness, near.memory.id))
        return tuple(by_nearness)

    def _channels(self, fact: Fact, neighbors: Sequence[Neighbor]) -> Channels:
        """Novelty, arousal, reward and attention of a fact."""
        limits = self._config.importance
        context = self._contexts.get(fact.episode.session_id or "", ())
        similar = [row for row in neighbors if row.nearness >= limits.similar_from]
        utilities = [neighbor.memory.utility for neighbor in similar]
        reward = limits.neutral
        if utilities:
            reward = sum(utilities) / len(utilities)
        return Channels(
            novelty=1.0 - (neighbors[0].nearness if neighbors else 0.0),
            arousal=fact.turn.emotion.arousal,
            reward=reward,
            attention=_attention(context, self._input.vectors[fact.new_id], limits),
        )


def _attention(
    context: Sequence[FloatArray], vector: FloatArray, limits: ImportanceConfig
) -> float:
    """Similarity to the mean of what the session spoke of last; neutral without a context."""
    if not context:
        return limits.neutral
    mean = np.mean(np.stack(context[-limits.context_turns :]), axis=0)
    length = float(np.linalg.norm(mean))
    if not length:
        return limits.neutral
    return max(0.0, min(1.0, float(mean @ vector) / length))


def _decide_by_question(
    fact: Fact, neighbors: tuple[Neighbor, ...], memory: Memory
) -> Decision | None:
    """A yes or no beside what the same voice answered to the same question; None otherwise."""
    answer = polarity(fact.content) if fact.answers else None
    if answer is None:
        return None
    voice = voice_of(fact.episode)
    for neighbor in neighbors:
        old = neighbor.memory
        if answers_of(old) != fact.answers or voice_of(old) != voice:
            continue
        old_answer = polarity(old.content)
        if old_answer is None:
            continue
        target = Neighbor(old)
        if old_answer is answer:
            reason = "the same was answered before"
            return Decision(fact, "reinforce", reason, target, neighbors=neighbors)
        reason = "answered otherwise now"
        decision = Decision(fact, "supersede", reason, target, memory, neighbors=neighbors)
        if old.protected:
            return replace(decision, action="create", conflicts=(old,))
        return decision
    return None


def _decide_by_model(
    fact: Fact,
    neighbors: tuple[Neighbor, ...],
    memory: Memory,
    answer: ModelDecision,
    sureness: float,
) -> Decision | None:
    """What the language model says; None if it can no longer be carried out."""
    by_id = {neighbor.memory.id: neighbor for neighbor in neighbors}
    neighbor = by_id.get(answer.target or "")
    if answer.target is not None and neighbor is None:
        return None
    links = tuple((kind, other, sureness) for other, kind in answer.links if other in by_id)
    decision = Decision(
        fact,
        "create",
        "new, says the model",
        neighbor,
        memory,
        links=links,
        by_model=True,
        neighbors=neighbors,
    )
    if answer.action == "ADD":
        return decision
    if answer.action == "NOOP":
        action: Action = "reinforce"
        reason = "known already, says the model"
        if neighbor is None:
            action = "skip"
            reason = "not worth remembering, says the model"
        return replace(decision, action=action, reason=reason, memory=None, links=())
    return None if neighbor is None else _change_by_model(decision, neighbor.memory, answer)


def _change_by_model(decision: Decision, target: Memory, answer: ModelDecision) -> Decision:
    """An UPDATE or a DELETE: an untrue memory is superseded, a refined one is rewritten."""
    replaces = answer.action == "DELETE" or answer.relation == "contradictory"
    if target.protected:
        conflicts = (target,) if replaces else ()
        return replace(decision, reason="the memory is protected", conflicts=conflicts)
    if replaces:
        return replace(decision, action="supersede", reason="contradicts it, says the model")
    reason = "refines it, says the model"
    text = answer.text or ""
    return replace(decision, action="update", reason=reason, text=text, memory=None, links=())


def _limit_by_source(decision: Decision, memory: Memory | None, config: Config) -> Decision:
    """A source of less trust never changes, retires or strengthens what is trusted more.

    An assistant never does that to what a person said, however far it is trusted.
    """
    target = decision.target
    if target is None:
        return decision
    role = decision.fact.episode.role
    by_person = target.data_source == "user_message"
    if not (role == "assistant" and by_person):
        trust = config.encoding.trusted(role)
        if not outranks(target, data_source_of(role), trust, config.guard):
            return decision
    if decision.action in ("reinforce", "skip") or memory is None:
        source = "the assistant" if role == "assistant" else "an untrusted source"
        return replace(decision, action="echo", reason=f"{source} repeats what is known")
    trusted_words = "what a person said" if by_person else "what is trusted more"
    if decision.action == "supersede":
        conflicts = (target, *decision.conflicts)
        reason = f"contradicts {trusted_words}"
        return replace(decision, action="create", reason=reason, conflicts=conflicts)
    if decision.action == "update":
        reason = f"adds to {trusted_words}"
        return replace(decision, action="elaborate", reason=reason, text="", memory=memory)
    return decision


def decide_by_rules(
    fact: Fact, neighbors: Sequence[Neighbor], memory: Memory, config: GateConfig
) -> Decision:
    """Decide on one fact without a language model: contradicted, else by the similarities.

    The same words of the same voice never come here: the gate knows them by their identity.

    Args:
        fact: the new fact.
        neighbors: the memories that resemble it, in any order; only those whose text was compared
            count.
        memory: what the fact becomes if it is new.
        config: the bands.
    """
    ranked = [neighbor for neighbor in neighbors if neighbor.similarity is not None]
    ranked.sort(key=lambda near: (-near.nearness, near.memory.id))
    compared: list[tuple[Neighbor, str]] = []
    for neighbor in ranked:
        text = neighbor.memory.content
        if neighbor.memory.write_source == "observer" and not fact.verbatim:
            # A rewritten fact names its speaker; what the same person said in the first person has
            # to be read likewise.
            text = third_person(text, neighbor.memory.speaker)
        compared.append((neighbor, text))
    decision = _supersede(fact, compared, memory, config)
    if decision is None:
        decision = _decide_by_similarity(fact, compared, memory.importance, config)
    decision = replace(decision, neighbors=tuple(neighbors))
    if decision.action == "update":
        return replace(decision, text=fact.content)
    return replace(decision, memory=memory) if decision.action in _CREATING else decision


def _likeness(fact: Fact, memory: Memory, text: str) -> Entailment:
    same_speaker = voice_of(fact.turn.episode) == voice_of(memory)
    return entailment(fact.content, text, same_speaker=same_speaker)


def _supersede(
    fact: Fact, compared: Sequence[tuple[Neighbor, str]], memory: Memory, config: GateConfig
) -> Decision | None:
    """The nearest memory that the fact makes untrue is superseded; others become conflicts."""
    contradicted: list[tuple[Neighbor, Contradiction]] = []
    voice = voice_of(fact.turn.episode)
    for neighbor, text in compared:
        if _likeness(fact, neighbor.memory, text) != "different":
            continue
        similarity = neighbor.nearness
        same_speaker = voice == voice_of(neighbor.memory)
        contradiction = contradicts(
            fact.content, text, same_speaker=same_speaker, similarity=similarity
        )
        if contradiction is None:
            continue
        closest = table.Closest(
            similarity, contradicted=True, same_attribute=contradiction.same_attribute
        )
        action = table.decide(closest, importance=memory.importance, config=config)
        if action == "supersede":
            contradicted.append((neighbor, contradiction))
    if not contradicted:
        return None
    target, contradiction = contradicted[0]
    conflicts = tuple(neighbor.memory for neighbor, _ in contradicted[1:])
    if target.memory.protected:
        reason = f"contradicts a protected memory: {contradiction.reason}"
        return Decision(fact, "create", reason, target, conflicts=(target.memory, *conflicts))
    return Decision(fact, "supersede", contradiction.reason, target, conflicts=conflicts)


def _decide_by_similarity(
    fact: Fact, compared: Sequence[tuple[Neighbor, str]], importance: float, config: GateConfig
) -> Decision:
    """The best that any neighbor allows: the nearest text need not be the one that says the same."""
    best = Decision(fact, "create", "nothing like it is known")
    for number, (neighbor, text) in enumerate(compared):
        action, reason = _propose(fact, neighbor, text, importance, config)
        if number == 0 or _RANKED.index(action) < _RANKED.index(best.action):
            best = Decision(fact, action, reason, None if action == "create" else neighbor)
    return best


def _propose(
    fact: Fact, neighbor: Neighbor, text: str, importance: float, config: GateConfig
) -> tuple[table.Action, str]:
    """What the table proposes beside one neighbor, unless what both texts say forbids it."""
    memory = neighbor.memory
    similarity = neighbor.nearness
    if similarity < config.gap_from:
        return "create", "nothing so similar is known"
    agree = table.entities_agree(fact.entities, memory.entities, jaccard=config.entity_jaccard)
    closest = table.Closest(similarity, entities_agree=agree, protected=memory.protected)
    proposal = table.decide(closest, importance=importance, config=config)
    kind: Entailment = "different"
    if not on_different_days(fact.referenced_at, memory.referenced_at):
        kind = _likeness(fact, memory, text)
    outcome: tuple[table.Action, str] = ("elaborate", "adds to it")
    says_nothing_new = kind in ("same", "covered")
    if proposal == "create":
        outcome = ("create", "too little in common")
    elif proposal == "skip" and says_nothing_new:
        outcome = ("skip", "says nothing new, and matters little")
    elif proposal == "skip":
        outcome = ("create", "says something new")
    elif says_nothing_new:
        outcome = ("reinforce", "says nothing new")
    elif kind == "refines" and proposal in ("reinforce", "update") and not memory.protected:
        outcome = ("update", "says the same and more")
    elif kind == "different":
        outcome = ("elaborate", "alike, but something else")
    return outcome
