"""The write path up to the decisions, as a tuple of steps with one signature.

Reads, never writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from pydantic import BaseModel

from cogmem_core.encoding.facts import (
    Decision,
    Fact,
    Identity,
    Neighbor,
    ObservedTurn,
    answers_to,
    data_source_of,
    identity_of,
    voice_of,
)
from cogmem_core.encoding.formation import FactBuilder, formed_by_rules, text_without
from cogmem_core.encoding.gate import GateInput, decide_facts
from cogmem_core.encoding.neighbors import find_neighbors, pairs_to_compare, similarities, stems
from cogmem_core.encoding.observe_turn import mode_of, observe_turns, said_at
from cogmem_core.encoding.to_changes import KeyVector, trimmed_id
from cogmem_core.maths.products import normalised
from cogmem_core.models import Episode, Memory
from cogmem_core.ports import FloatArray, Usage
from cogmem_core.services import Services
from cogmem_core.skills.decide import DecideCandidate, DecideInput, NewFact, deciding
from cogmem_core.skills.decide import Decision as ModelDecision
from cogmem_core.skills.form import Formed, FormInput, FormTurn, forming
from cogmem_core.skills.merge_texts import MergeInput, merging
from cogmem_core.skills.run import Outcome, Skill
from cogmem_core.text.keys import content_hash, index_key
from cogmem_core.trust import is_untrusted_source

__all__ = ["WriteBatch", "encode", "uses_model"]

_Input = TypeVar("_Input")
_Answer = TypeVar("_Answer", bound=BaseModel)
_Value = TypeVar("_Value")
_FormedByTurn = dict[str, list[Formed]]
"""By the id of the turn."""


@dataclass(slots=True)
class WriteBatch:
    """Turns of one namespace on their way to decisions; each step fills in its part.

    Attributes:
        namespace: whose turns these are.
        episodes: the turns as they were said.
        turns: the same turns after the observer, in order.
        facts: what may become memories, in the order in which it was said.
        existing: active memories by identity, the oldest of each.
        quarantined: quarantined memories by identity, the oldest of each.
        compared: the facts that are compared with memories.
        neighbors: per fact (by `new_id`) the stored memories that resemble it.
        similarity: per text, and per text that it was compared with: the cosine of the two.
        model_decisions: the language model's decisions, by `new_id`.
        decisions: what becomes of the facts.
        units: normalised vectors of the facts' keys, by `new_id`.
        vectors: what is stored with a memory, by `new_id`; see `KeyVector`.
        usage: what the language model cost.
        degraded: why answers of the language model were not used.
        seq: the namespace's journal number when reading began.
        rows: the memories that were looked at, as they were then. If nothing was written since
            `seq`, they need not be read again.
    """

    namespace: str
    episodes: Sequence[Episode]
    turns: list[ObservedTurn] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    existing: dict[Identity, Memory] = field(default_factory=dict)
    quarantined: dict[Identity, Memory] = field(default_factory=dict)
    compared: list[Fact] = field(default_factory=list)
    neighbors: dict[str, list[Neighbor]] = field(default_factory=dict)
    similarity: dict[str, dict[str, float]] = field(default_factory=dict)
    model_decisions: dict[str, ModelDecision] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)
    units: dict[str, FloatArray] = field(default_factory=dict)
    vectors: dict[str, KeyVector] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    degraded: list[str] = field(default_factory=list)
    seq: int = -1
    rows: dict[str, Memory] = field(default_factory=dict)

    def ask(
        self, services: Services, skill: Skill[_Input, _Answer, _Value], skill_input: _Input
    ) -> Outcome[_Value]:
        """Ask the model, or the rules; the batch notes what it cost and why it failed."""
        outcome = services.ask(skill, skill_input)
        self.usage += outcome.usage
        if outcome.error:
            self.degraded.append(f"{skill.name}: {outcome.error}")
        return outcome

    def embed(self, services: Services, keys: Sequence[tuple[str, str]]) -> dict[str, FloatArray]:
        """Normalised vectors of index keys, by id; one call, each text once."""
        texts = list(dict.fromkeys(key for _, key in keys))
        if not texts:
            return {}
        rows = np.asarray(services.embedder.embed_documents(texts), dtype=np.float32)
        normal = normalised(rows)
        index_of = {text: index for index, text in enumerate(texts)}
        units: dict[str, FloatArray] = {}
        for vector_id, key in keys:
            index = index_of[key]
            self.vectors[vector_id] = (key, rows[index], services.embedder.fingerprint)
            units[vector_id] = normal[index]
        return units


Step = Callable[[Services, WriteBatch], None]


def encode(services: Services, namespace: str, episodes: Sequence[Episode]) -> WriteBatch:
    """Decide what becomes of turns of one namespace.

    Raises:
        EmbedderUnavailable: there is no vector; nothing was decided.
    """
    batch = WriteBatch(namespace, episodes)
    for step in STEPS:
        step(services, batch)
    return batch


def uses_model(services: Services, episode: Episode) -> bool:
    """Whether the language model may form facts of this turn."""
    if services.llm is None or episode.role not in services.config.encoding.llm_roles:
        return False
    return mode_of(episode, services.config) != "raw"


def observe(services: Services, batch: WriteBatch) -> None:
    """Turns are observed."""
    batch.turns = observe_turns(services, batch.namespace, batch.episodes)


def form(services: Services, batch: WriteBatch) -> None:
    """Facts are formed, in the order in which they were said."""
    turns = [turn for turn in batch.turns if not turn.skipped]
    formed = _formed(services, batch, turns)
    builder = FactBuilder(services.config, services.runtime.new_id)
    for turn in turns:
        mode = mode_of(turn.episode, services.config)
        if mode == "raw" or turn.quarantine:
            batch.facts.append(builder.whole_turn(turn, exact=True))
        elif turn.episode.id not in formed:
            batch.facts += builder.turn_or_sentences(turn)
        else:
            facts = [builder.formed_fact(turn, item) for item in formed[turn.episode.id]]
            if mode == "hybrid" or _loses_words(facts, services.config.encoding.facts_per_turn):
                batch.facts.append(builder.whole_turn(turn, exact=True))
            batch.facts += facts


def _loses_words(facts: Sequence[Fact], limit: int) -> bool:
    """Whether words of the turn would be lost with its facts, so that the turn is stored as well.

    What is bounded in time expires, and what was cut off is lost; the turn itself is not.
    """
    if not 0 < len(facts) < limit:
        return True
    return any(fact.valid_until is not None or fact.ephemeral for fact in facts)


def _formed(services: Services, batch: WriteBatch, turns: Sequence[ObservedTurn]) -> _FormedByTurn:
    """What the model or the rules took from each turn; in `auto` mode rules take nothing."""
    solid = [turn for turn in turns if not (turn.quarantine or turn.weak)]
    for_model = [turn for turn in solid if uses_model(services, turn.episode)]
    formed = _formed_earlier(services, batch.namespace, for_model)
    for_model = [turn for turn in for_model if turn.episode.id not in formed]

    def by_rules(form_input: FormInput) -> tuple[Formed, ...]:
        return formed_by_rules(form_input, config=services.config)

    if for_model:
        form_input = _form_input(services, batch.namespace, for_model)
        outcome = batch.ask(services, forming(by_rules), form_input)
        if outcome.source == "llm":
            _sort_in(formed, for_model, outcome.value)
    for_rules: list[ObservedTurn] = []
    for turn in solid:
        mode = mode_of(turn.episode, services.config)
        if mode in ("semantic", "hybrid") and turn.episode.id not in formed:
            for_rules.append(turn)
    if for_rules:
        _sort_in(formed, for_rules, by_rules(_form_input(services, batch.namespace, for_rules)))
    return formed


def _sort_in(formed: _FormedByTurn, turns: Sequence[ObservedTurn], facts: Iterable[Formed]) -> None:
    for turn in turns:
        formed[turn.episode.id] = []
    for fact in facts:
        formed[turns[fact.turn].episode.id].append(fact)


def _formed_earlier(
    services: Services, namespace: str, turns: Sequence[ObservedTurn]
) -> _FormedByTurn:
    """Facts of turns that were said before, word for word: the same as were formed then.

    A turn whose words say something only beside the question that they answer is left out.
    """
    independent = [turn for turn in turns if not answers_to(turn.text, turn.question)]
    if not independent:
        return {}
    count = services.config.echo.candidates
    postings = services.config.gate.word_postings
    memory_ids: dict[str, list[str]] = {}
    with services.ledger.whole() as reader:
        view = services.searcher.view(reader, namespace)
        for turn in independent:
            words = sorted(stems(turn.text))
            memory_ids[turn.episode.id] = view.sharing(words, count, postings=postings)
        rows = reader.at(namespace).memories.by_ids(
            [name for ids in memory_ids.values() for name in ids]
        )
        episode_ids: list[str] = []
        for memory in rows.values():
            episode_ids += [source.episode_id for source in memory.sources[-1:]]
        episodes = reader.at(namespace).turns.by_ids(episode_ids)
    formed: _FormedByTurn = {}
    for turn in independent:
        facts: list[Formed] = []
        for memory_id in memory_ids[turn.episode.id]:
            row = rows.get(memory_id)
            if row is None or row.state != "active" or not row.sources:
                continue
            episode = episodes.get(row.sources[-1].episode_id)
            if episode is not None and _says_the_same(turn.episode, episode, row):
                facts.append(Formed(0, row.content, category=row.category))
        if facts:
            formed[turn.episode.id] = facts
    return formed


def _says_the_same(episode: Episode, earlier: Episode, memory: Memory) -> bool:
    if voice_of(episode) != voice_of(memory):
        return False
    return content_hash(earlier.content) == content_hash(episode.content)


def _form_input(services: Services, namespace: str, turns: Sequence[ObservedTurn]) -> FormInput:
    """The turns as the model sees them, with the turns before them, for pronouns."""
    config = services.config.encoding
    first = turns[0].episode
    context: list[FormTurn] = []
    if first.session_id is not None and config.earlier_turns:
        with services.ledger.reading(namespace) as ns:
            rows = ns.turns.before(first.session_id, first.id, config.earlier_turns)
        context = [FormTurn(row.content, said_at(row), row.role, row.speaker) for row in rows]
    items: list[FormTurn] = []
    for turn in turns:
        episode = turn.episode
        at = said_at(episode)
        items.append(FormTurn(turn.text, at, episode.role, episode.speaker, turn.question))
    return FormInput(
        tuple(items),
        tuple(context),
        foresight_days=config.foresight_days,
        max_characters=config.fact_characters,
    )


def look_up(services: Services, batch: WriteBatch) -> None:
    """Active memories with the same content and voice are looked up."""
    hashes = [fact.identity[0] for fact in batch.facts if not fact.turn.quarantine]
    with services.ledger.reading(batch.namespace) as ns:
        batch.seq = ns.journal.last_seq()
        memories = ns.memories.same_content(hashes)
    batch.rows |= {memory.id: memory for memory in memories}
    batch.existing = {identity_of(memory): memory for memory in reversed(memories)}


def embed(services: Services, batch: WriteBatch) -> None:
    """Facts that are not known yet get vectors."""
    keys: list[tuple[str, str]] = []
    for fact in batch.facts:
        same = batch.existing.get(fact.identity)
        # The same words may speak of another day: then they need a vector of their own.
        is_dated = fact.referenced_at is not None
        if same is not None and same.referenced_at is None:
            is_dated = False
        if same is None or is_dated or fact.turn.quarantine:
            keys.append((fact.new_id, fact.key))
    batch.units = batch.embed(services, keys)


def rate_limit(services: Services, batch: WriteBatch) -> None:
    """Facts of untrusted sources that write too much are quarantined, too."""
    guard = services.config.guard
    now = services.runtime.now()
    for index, fact in enumerate(batch.facts):
        episode = fact.episode
        source = data_source_of(episode.role)
        trust = services.config.encoding.trusted(episode.role)
        if fact.new_id not in batch.units or not is_untrusted_source(source, trust, guard):
            continue
        writer = (source, episode.speaker or "", episode.session_id or "")
        vector = batch.units[fact.new_id]
        reason = services.sources.note((episode.namespace, writer), vector, now, guard)
        if reason and guard.quarantine and not fact.turn.quarantine:
            turn = replace(fact.turn, quarantine=reason)
            batch.facts[index] = replace(fact, turn=turn)


def look_up_quarantined(services: Services, batch: WriteBatch) -> None:
    """Quarantined memories with the same content and voice as quarantined facts are looked up."""
    hashes = [fact.identity[0] for fact in batch.facts if fact.turn.quarantine]
    if hashes:
        with services.ledger.reading(batch.namespace) as ns:
            rows = ns.memories.same_content(hashes, state="quarantined")
        batch.quarantined = {identity_of(memory): memory for memory in reversed(rows)}


def find(services: Services, batch: WriteBatch) -> None:
    """Memories that resemble the facts are found, and compared with them text by text."""
    for fact in batch.facts:
        if fact.new_id in batch.units and not (fact.exact or fact.turn.quarantine):
            batch.compared.append(fact)
    neighbors = find_neighbors(services, batch.namespace, batch.compared, batch.units)
    for group in neighbors.values():
        batch.rows |= {neighbor.memory.id: neighbor.memory for neighbor in group}
    batch.neighbors = neighbors
    pairs = pairs_to_compare(
        batch.compared,
        neighbors,
        batch.units,
        gate=services.config.gate,
        every=services.llm is not None,
    )
    batch.similarity = similarities(services, pairs)


def ask_model(services: Services, batch: WriteBatch) -> None:
    """The model decides on the facts that resemble something; one call for all of them."""
    if services.llm is None:
        return
    facts: list[Fact] = []
    items: list[NewFact] = []
    for fact in batch.compared:
        if fact.turn.weak or not uses_model(services, fact.episode):
            continue
        compared = batch.similarity.get(fact.content, {})
        candidates = _candidates(services, batch.neighbors.get(fact.new_id, ()), compared)
        if candidates:
            facts.append(fact)
            items.append(NewFact(fact.content, candidates, fact.category, fact.referenced_at))
    if not facts:
        return
    outcome = batch.ask(services, deciding(), DecideInput(tuple(items), facts[-1].episode.at))
    for fact, decision in zip(facts, outcome.value, strict=True):
        if decision is not None:
            batch.model_decisions[fact.new_id] = decision


def _candidates(
    services: Services, neighbors: Iterable[Neighbor], compared: Mapping[str, float]
) -> tuple[DecideCandidate, ...]:
    """The neighbors that the model sees, the most similar first."""
    gate = services.config.gate
    scored: list[tuple[float, Memory]] = []
    for neighbor in neighbors:
        score = compared.get(neighbor.memory.content, 0.0)
        if score >= gate.floor:
            scored.append((score, neighbor.memory))
    scored.sort(key=lambda pair: (-pair[0], pair[1].id))
    candidates: list[DecideCandidate] = []
    for _, memory in scored[: gate.candidates]:
        candidates.append(
            DecideCandidate(
                memory.id,
                memory.content,
                memory.category,
                memory.recorded_at,
                memory.updated_at,
                memory.referenced_at,
            )
        )
    return tuple(candidates)


def decide(services: Services, batch: WriteBatch) -> None:
    """The gate decides."""
    contexts: dict[str, Sequence[FloatArray]] = {}
    for turn in batch.turns:
        session = turn.episode.session_id
        if session and session not in contexts:
            contexts[session] = services.recent.context(batch.namespace, session)
    gate_input = GateInput(
        batch.existing,
        batch.neighbors,
        batch.units,
        batch.similarity,
        contexts,
        batch.model_decisions,
        batch.quarantined,
    )
    now = services.runtime.now()
    batch.decisions = decide_facts(batch.facts, gate_input, now=now, config=services.config)


def keep_turns(services: Services, batch: WriteBatch) -> None:
    """A turn is stored as it was said if nothing else would remain of it."""
    remaining: dict[str, bool] = {}
    for decision in batch.decisions:
        episode_id = decision.fact.episode.id
        is_stored = decision.memory is not None or decision.neighbor is not None
        remaining[episode_id] = remaining.get(episode_id, False) or is_stored
    builder = FactBuilder(services.config, services.runtime.new_id)
    lost = [turn for turn in batch.turns if not remaining.get(turn.episode.id, True)]
    facts = [builder.whole_turn(turn, exact=True) for turn in lost]
    if facts:
        keys = [(fact.new_id, fact.key) for fact in facts if fact.identity not in batch.existing]
        gate_input = GateInput(batch.existing, {}, batch.embed(services, keys), {})
        now = services.runtime.now()
        batch.decisions += decide_facts(facts, gate_input, now=now, config=services.config)


def synthesize(services: Services, batch: WriteBatch) -> None:
    """Memories that are updated or trimmed get new texts and vectors."""
    update_keys: list[tuple[str, str]] = []
    trim_keys: list[tuple[str, str]] = []
    for index, decision in enumerate(batch.decisions):
        target = decision.target
        if target is not None and decision.action == "supersede":
            trims, keys = _trims(services, decision, (target, *decision.conflicts))
            trim_keys += keys
            batch.decisions[index] = replace(decision, trims=trims)
        elif target is not None and decision.action == "update":
            text = decision.text
            if not text:
                merge_input = MergeInput(
                    target.content,
                    decision.fact.content,
                    target.recorded_at,
                    decision.fact.episode.at,
                )
                text = batch.ask(services, merging(), merge_input).value
            batch.decisions[index] = replace(decision, text=text)
            key = _update_key(services, decision.fact, target, text)
            update_keys.append((decision.fact.new_id, key))
    batch.embed(services, [*update_keys, *trim_keys])


def _trims(
    services: Services, decision: Decision, memories: Iterable[Memory]
) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """What remains of memories that say more than what is contradicted, and its index keys."""
    fact = decision.fact
    voice = voice_of(fact.episode)
    trims: dict[str, str] = {}
    keys: dict[str, str] = {}
    for memory in memories:
        same_speaker = voice_of(memory) == voice
        text = text_without(memory.content, fact.content, same_speaker=same_speaker)
        if text:
            at = memory.recorded_at if services.config.encoding.date_prefix else None
            trims[memory.id] = text
            keys[trimmed_id(fact, memory.id)] = index_key(text, speaker=memory.speaker, at=at)
    return trims, list(keys.items())


def _update_key(services: Services, fact: Fact, target: Memory, text: str) -> str:
    """The key of an updated memory covers what it was before."""
    config = services.config.encoding
    at = fact.episode.at if config.date_prefix else None
    key = index_key(text, speaker=fact.episode.speaker, at=at)
    parts = [key, *(part for part in (fact.content, target.content) if part not in key)]
    return "\n".join(parts)[: config.key_characters]


def attend(services: Services, batch: WriteBatch) -> None:
    """The sessions go on with what was said."""
    for decision in batch.decisions:
        fact = decision.fact
        session = fact.episode.session_id
        if session and fact.new_id in batch.units and not fact.turn.quarantine:
            services.recent.attend(batch.namespace, session, [batch.units[fact.new_id]])


STEPS: tuple[Step, ...] = (
    observe,
    form,
    look_up,
    embed,
    rate_limit,
    look_up_quarantined,
    find,
    ask_model,
    decide,
    keep_turns,
    synthesize,
    attend,
)
"""What happens to a batch, in order."""
