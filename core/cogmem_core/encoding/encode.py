"""The write path up to the decisions, as a tuple of steps with one signature.

Reads, never writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from cogmem_core.edge.clauses import holding
from cogmem_core.edge.trust import is_untrusted_source
from cogmem_core.encoding.batch import BatchState, WriteBatch
from cogmem_core.encoding.facts import (
    Fact,
    Neighbor,
    ObservedTurn,
    answers_to,
    by_id,
    data_source_of,
    hashes_of,
    identity_of,
    voice_of,
)
from cogmem_core.encoding.formation import FACTS_PER_TURN, FactBuilder, formed_by_rules
from cogmem_core.encoding.neighbors import (
    GATE_CANDIDATES,
    WORD_POSTINGS,
    find_neighbors,
    pairs_to_compare,
    similarities,
    stems,
)
from cogmem_core.encoding.observe_turn import (
    ECHO_CANDIDATES,
    mode_of,
    observe_turns,
    said_at,
    spoken_text,
)
from cogmem_core.encoding.to_changes import plan_writes, update_key
from cogmem_core.maths.importance import NEUTRAL_CHANNEL
from cogmem_core.maths.products import normalised
from cogmem_core.ports import FloatArray
from cogmem_core.process.services import Services
from cogmem_core.skills.decide import DecideCandidate, DecideInput, NewFact, deciding
from cogmem_core.skills.form import (
    Formed,
    FormedFacts,
    FormInput,
    FormTurn,
    forming,
    tell_dropped,
)
from cogmem_core.skills.merge_texts import MergeInput, merging
from cogmem_core.skills.run import Answer, Input, Outcome, Skill, Value
from cogmem_core.text.keys import content_hash, embedded_text
from cogmem_core.values.models import Episode, Memory

EARLIER_TURNS = 6
"""Earlier turns that a pronoun may point to."""
FACT_CHARACTERS = 500
"""Longest fact, in characters."""
GATE_FLOOR = 0.3
"""The least similarity that counts."""
CONTEXT_TURNS = 5
"""Turns that the session's attention is made of."""

_FormedByTurn = dict[str, list[Formed]]
"""By the id of the turn."""
_OVERRULED = "decide: the model left standing what a newer statement makes untrue; rules decided"


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


def _ask(
    services: Services,
    batch: WriteBatch,
    skill: Skill[Input, Answer, Value],
    skill_input: Input,
) -> Outcome[Value]:
    """Ask the model, or the rules; the batch notes what it cost and why it failed."""
    outcome = services.ask(skill, skill_input)
    batch.usage += outcome.usage
    if outcome.error:
        batch.degraded.append(f"{skill.name}: {outcome.error}")
    return outcome


def _embed_keys(services: Services, batch: WriteBatch, keys: Iterable[str]) -> None:
    """Embed index keys in one call, each once."""
    texts = [key for key in dict.fromkeys(keys) if key not in batch.vectors]
    if texts:
        rows = np.asarray(
            services.embedder.embed_documents(list(map(embedded_text, texts))), dtype=np.float32
        )
        batch.vectors.update(zip(texts, rows, strict=True))
        batch.fingerprint = services.embedder.fingerprint


def _embed_facts(services: Services, batch: WriteBatch, facts: Sequence[Fact]) -> None:
    """Embed the keys of facts."""
    if facts:
        keys = [fact.key for fact in facts]
        _embed_keys(services, batch, keys)
        units = normalised(np.stack([batch.vectors[key] for key in keys]))
        for fact, unit in zip(facts, units, strict=True):
            batch.units[fact.new_id] = unit


def uses_model(services: Services, episode: Episode) -> bool:
    """Whether the language model may form facts of this turn."""
    asked = services.llm is not None and episode.role in services.config.encoding.llm_roles
    return asked and mode_of(episode, services.config) != "raw"


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
            batch.facts.append(builder.whole_turn(turn, exact=False))
        else:
            items = formed[turn.episode.id]
            facts = [builder.formed_fact(turn, item) for item in items]
            whole = builder.whole_turn(turn, exact=bool(facts))
            dropped = turn.episode.id in batch.dropped
            if mode == "hybrid" or dropped or _loses_words(items, whole):
                batch.facts.append(whole)
            batch.facts += facts


def _loses_words(facts: Sequence[Formed], whole: Fact) -> bool:
    """Whether words of the turn would be lost with its facts, so that the turn is stored as well.

    What is bounded in time expires, unless the whole turn does; what was cut off is lost.
    """
    if not 0 < len(facts) < FACTS_PER_TURN or any(fact.passing for fact in facts):
        return True
    return whole.valid_until is None and any(fact.valid_until is not None for fact in facts)


def _formed(services: Services, batch: WriteBatch, turns: Sequence[ObservedTurn]) -> _FormedByTurn:
    """What the model or the rules took from each turn; in `auto` mode rules take nothing."""
    solid = [
        turn
        for turn in turns
        if not (turn.quarantine or turn.weak or (turn.settled and turn.settled.alone))
    ]
    for_model = [turn for turn in solid if uses_model(services, turn.episode)]
    formed: _FormedByTurn = {}
    if for_model:
        formed = _formed_earlier(services, batch.namespace, for_model)
        for_model = [turn for turn in for_model if turn.episode.id not in formed]

    if for_model:
        form_input = _form_input(services, batch.namespace, for_model)
        outcome = _ask(services, batch, forming(formed_by_rules), form_input)
        if outcome.source == "llm":
            _sort_in(formed, for_model, outcome.value)
        if isinstance(outcome.value, FormedFacts) and outcome.value.dropped:
            # The receipts and the report tell what the model said that nobody had said.
            batch.degraded.append(f"form: {tell_dropped(outcome.value.dropped)}")
            for fact in outcome.value.dropped:
                batch.dropped.setdefault(for_model[fact.turn].episode.id, []).append(fact)
    for_rules = [
        turn
        for turn in solid
        if turn.episode.id not in formed
        and mode_of(turn.episode, services.config) in ("semantic", "hybrid")
    ]
    if for_rules:
        form_input = _form_input(services, batch.namespace, for_rules)
        _sort_in(formed, for_rules, formed_by_rules(form_input))
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
    memory_ids: dict[str, list[str]] = {}
    with services.ledger.whole() as reader:
        view = services.searcher.view(reader, namespace)
        for turn in independent:
            words = sorted(stems(turn.text))
            memory_ids[turn.episode.id] = view.sharing(
                words, ECHO_CANDIDATES, postings=WORD_POSTINGS
            )
        ns = reader.at(namespace)
        rows = ns.memories.by_ids(list(chain.from_iterable(memory_ids.values())))
        sources = chain.from_iterable(memory.sources[-1:] for memory in rows.values())
        episodes = ns.turns.by_ids([source.episode_id for source in sources])
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
    same_words = content_hash(earlier.content) == content_hash(episode.content)
    return same_words and voice_of(episode) == voice_of(memory)


def _form_input(services: Services, namespace: str, turns: Sequence[ObservedTurn]) -> FormInput:
    """The turns as the model sees them, with the turns before them, for pronouns."""
    config = services.config.encoding
    first = turns[0].episode
    rows: list[Episode] = []
    if first.session_id is not None:
        with services.ledger.reading(namespace) as ns:
            rows = ns.turns.before(first.session_id, first.id, EARLIER_TURNS)
    said = [
        FormTurn(
            turn.text,
            said_at(turn.episode),
            turn.episode.role,
            turn.episode.speaker,
            turn.question,
        )
        for turn in turns
    ]
    return FormInput(
        tuple(said),
        tuple(FormTurn(spoken_text(row), said_at(row), row.role, row.speaker) for row in rows),
        foresight_days=config.foresight_days,
        max_characters=FACT_CHARACTERS,
    )


def look_up(services: Services, batch: WriteBatch) -> None:
    """Active memories with the same content are looked up; facts that do not repeat one get vectors."""
    hashes = hashes_of(batch.facts)
    rows: list[Memory] = []
    with services.ledger.reading(batch.namespace) as ns:
        if hashes:
            batch.seq, rows = ns.memories.same_content_now(hashes)
        else:
            batch.seq = ns.journal.last_seq()
    for turn in batch.turns:
        rows += (turn.settled.pair.older, turn.settled.pair.newer) if turn.settled else ()
    batch.rows = by_id(map(holding, rows))
    state = BatchState(batch.rows, {})
    facts = [fact for fact in batch.facts if fact.turn.quarantine or not state.repeated(fact)]
    _embed_facts(services, batch, facts)


def set_aside(services: Services, batch: WriteBatch) -> None:
    """Facts of untrusted sources that write too much are quarantined, too; memories with their words are looked up."""
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
    facts = [fact for fact in batch.facts if fact.turn.quarantine]
    if facts:
        with services.ledger.reading(batch.namespace) as ns:
            rows = ns.memories.same_content(hashes_of(facts), state="quarantined")
        batch.quarantined = {identity_of(memory): memory for memory in reversed(rows)}


def find(services: Services, batch: WriteBatch) -> None:
    """Memories that resemble the facts are found, and compared with them text by text."""
    batch.compared = [
        fact
        for fact in batch.facts
        if fact.new_id in batch.units and not (fact.exact or fact.turn.quarantine)
    ]
    batch.neighbors = find_neighbors(services, batch.namespace, batch.compared, batch.units)
    near = chain.from_iterable(batch.neighbors.values())
    batch.rows |= by_id(neighbor.memory for neighbor in near)
    every = services.llm is not None
    pairs = pairs_to_compare(batch.compared, batch.neighbors, batch.units, every=every)
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
        candidates = _candidates(batch.neighbors.get(fact.new_id, ()), compared)
        if candidates:
            facts.append(fact)
            items.append(NewFact(fact.content, candidates, fact.category, fact.referenced_at))
    if not facts:
        return
    outcome = _ask(services, batch, deciding(), DecideInput(tuple(items), facts[-1].episode.at))
    for fact, decision in zip(facts, outcome.value, strict=True):
        if decision is not None:
            batch.model_decisions[fact.new_id] = decision


def _candidates(
    neighbors: Iterable[Neighbor], compared: Mapping[str, float]
) -> tuple[DecideCandidate, ...]:
    """The neighbors that the model sees, the most similar first."""
    scored = [(compared.get(near.memory.content, 0.0), near.memory) for near in neighbors]
    scored.sort(key=lambda pair: (-pair[0], pair[1].id))
    return tuple(
        DecideCandidate(
            memory.id,
            memory.content,
            memory.category,
            memory.recorded_at,
            memory.updated_at,
            memory.referenced_at,
        )
        for score, memory in scored[:GATE_CANDIDATES]
        if score >= GATE_FLOOR
    )


def weigh_attention(services: Services, batch: WriteBatch) -> None:
    """Each fact is compared with what its session spoke of before."""
    contexts: dict[str, list[FloatArray]] = {}
    for fact in batch.facts:
        vector = batch.units.get(fact.new_id)
        session = fact.episode.session_id
        if vector is None or not session or fact.turn.quarantine:
            continue
        if session not in contexts:
            contexts[session] = list(services.recent.context(batch.namespace, session))
        context = contexts[session]
        batch.attention[fact.new_id] = _attention(context, vector)
        context.append(vector)


def _attention(context: Sequence[FloatArray], vector: FloatArray) -> float:
    """Similarity to the mean of what the session spoke of last; neutral without a context."""
    if not context:
        return NEUTRAL_CHANNEL
    mean = np.mean(np.stack(context[-CONTEXT_TURNS:]), axis=0)
    length = float(np.linalg.norm(mean))
    if not length:
        return NEUTRAL_CHANNEL
    return max(0.0, min(1.0, float(mean @ vector) / length))


def draft(services: Services, batch: WriteBatch) -> None:
    """The gate decides, beside the rows that were read."""
    now = services.runtime.now()
    batch.plan = plan_writes(batch, batch.rows, now=now, config=services.config)
    changes = [
        decision.by_model
        for decision in batch.plan.decisions
        if decision.action == "supersede" and decision.fact.new_id in batch.model_decisions
    ]
    if False in changes and _OVERRULED not in batch.degraded:
        batch.degraded.append(_OVERRULED)
    if changes and services.budget is not None:
        services.budget.count_changes(len(changes), missed=changes.count(False))


def keep_turns(services: Services, batch: WriteBatch) -> None:
    """A turn is stored as it was said if nothing else would remain of it."""
    decisions = batch.plan.decisions
    lost = {decision.fact.episode.id for decision in decisions}
    lost -= {each.fact.episode.id for each in decisions if each.memory or each.neighbor}
    if not lost:
        return
    builder = FactBuilder(services.config, services.runtime.new_id)
    state = BatchState(batch.rows, {})
    unknown: list[Fact] = []
    for turn in batch.turns:
        if turn.episode.id in lost:
            fact = builder.whole_turn(turn, exact=True)
            batch.facts.append(fact)
            if state.repeated(fact) is None:
                unknown.append(fact)
    _embed_facts(services, batch, unknown)
    draft(services, batch)


def synthesize(services: Services, batch: WriteBatch) -> None:
    """Memories that are updated or trimmed get new texts and vectors."""
    keys = list(batch.plan.missing_keys)
    for decision in batch.plan.unmerged:
        fact = decision.fact
        target = decision.target
        if target is not None:
            merge_input = MergeInput(
                target.content, fact.content, target.recorded_at, fact.episode.at
            )
            text = _ask(services, batch, merging(), merge_input).value
            batch.merged[fact.new_id, target.content] = text
            keys.append(update_key(fact, target, text, services.config.encoding))
    _embed_keys(services, batch, keys)


def attend(services: Services, batch: WriteBatch) -> None:
    """The sessions go on with what was said."""
    for fact in batch.facts:
        if fact.new_id in batch.attention:
            vectors = [batch.units[fact.new_id]]
            services.recent.attend(batch.namespace, fact.episode.session_id or "", vectors)


STEPS: tuple[Step, ...] = (
    observe,
    form,
    look_up,
    set_aside,
    find,
    ask_model,
    weigh_attention,
    draft,
    keep_turns,
    synthesize,
    attend,
)
"""What happens to a batch, in order."""
