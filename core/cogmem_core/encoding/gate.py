"""The gate: what becomes of a fact beside what is known. Pure.

Without a language model the table of similarities (`maths.gate`) proposes, and what both texts say
(`reading.between`) decides whether two facts may become one. Vectors of look-alikes ("my sister lives
in Rome", "my brother lives in Rome") are nearly equal, so no similarity alone merges, retires or
drops anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from cogmem_core.config import Config
from cogmem_core.edge.clauses import guards_of
from cogmem_core.edge.trust import is_trusted, outranks
from cogmem_core.encoding.batch import BatchState, WriteBatch
from cogmem_core.encoding.build_memory import new_memory
from cogmem_core.encoding.facts import (
    Action,
    Decision,
    Fact,
    Neighbor,
    WeightedLink,
    answers_of,
    data_source_of,
    on_different_days,
    same_voice,
    voice_of,
)
from cogmem_core.encoding.neighbors import reading_beside, repeats, text_beside
from cogmem_core.encoding.observe_turn import IMPORTED
from cogmem_core.encoding.withdrawals import denied_clauses
from cogmem_core.maths import gate as table
from cogmem_core.maths.gate import GAP_FROM
from cogmem_core.maths.importance import NEUTRAL_CHANNEL, Channels
from cogmem_core.reading import of
from cogmem_core.reading.between import Change, is_piece
from cogmem_core.reading.between import change as change_between
from cogmem_core.skills.decide import Decision as ModelDecision
from cogmem_core.skills.merge_texts import lost
from cogmem_core.text.compare import Entailment, entailment
from cogmem_core.text.query.questions import polarity
from cogmem_core.values.access_records import WRITTEN_BY
from cogmem_core.values.models import Episode, Memory

ENTITY_JACCARD = 0.5
"""From which on entities agree."""
UNCOMPARED = 0.69
"""The most that keys alone can say about texts: below every band."""
SIMILAR_FROM = 0.5
"""Memories at least so similar tell the reward."""
BY_MODEL = 0.8
"""Confidence of what a model finds."""
SETTLED = "the user says which of two versions holds"
TAKEN_BACK_WITHIN = timedelta(days=1)
"""What was said longer ago is not meant by "sorry, Braga, not Porto"."""

_CREATING = ("create", "elaborate", "supersede")
_RANKED: tuple[Action, ...] = ("reinforce", "update", "skip", "elaborate", "create")


def decide(
    fact: Fact, state: BatchState, batch: WriteBatch, *, now: datetime, config: Config
) -> Decision | None:
    """What becomes of one fact; None if it waits for its vector.

    Args:
        fact: it has a vector, unless a memory repeats it.
        state: the memories as earlier facts of the batch left them.
        batch: what was read and worked out for the facts.
        now: the engine's time.
        config: all settings.
    """
    if fact.turn.quarantine:
        return _quarantine(fact, state, batch, now=now, config=config)
    settled = _decide_by_settling(fact, state)
    if settled is not None:
        return settled
    same = state.repeated(fact)
    if same is not None:
        repetition = Decision(fact, "reinforce", "the same was said before", Neighbor(same))
        return _limit_by_source(repetition, None, config)
    if fact.new_id not in batch.units:
        return None
    neighbors = _neighbors(fact, state, batch)
    memory = new_memory(fact, _channels(fact, neighbors, batch), now=now, config=config)
    if fact.exact:
        return Decision(fact, "create", "", memory=memory, neighbors=neighbors)
    decision = _neither(fact, state, memory) or _decide_by_question(fact, neighbors, memory)
    by_model = batch.model_decisions.get(fact.new_id)
    if decision is None:
        decision = decide_by_rules(fact, neighbors, memory)
        if decision.neighbor is None and not decision.links:
            decision = replace(decision, reason="new")
        if by_model is not None:
            said = _decide_by_model(fact, neighbors, memory, by_model)
            decision = _beside_rules(said, decision) if said is not None else decision
    decision = _limit_by_source(_without_unknown_order(decision), memory, config)
    return _reviewable(decision, memory, config)


def _decide_by_settling(fact: Fact, state: BatchState) -> Decision | None:
    """An answer that says nothing but which of two versions holds is a repetition of that one."""
    settled = fact.turn.settled
    if settled is None or not settled.alone or settled.choice == "neither":
        return None
    kept = state.rows.get((settled.kept or settled.pair.newer).id)
    if kept is None or kept.state != "active":
        return None
    action: Action = "reinforce" if settled.kept else "skip"
    return Decision(fact, action, f"{SETTLED}: {settled.choice}", Neighbor(kept))


def _neither(fact: Fact, state: BatchState, memory: Memory) -> Decision | None:
    """An answer that neither of two versions holds takes the place of both."""
    settled = fact.turn.settled
    if settled is None or settled.choice != "neither":
        return None
    rows = (state.rows.get(one.id) for one in (settled.pair.newer, settled.pair.older))
    gone = [row for row in rows if row is not None and row.state == "active"]
    if not gone:
        return None
    reason = f"{SETTLED}: neither"
    return Decision(fact, "supersede", reason, Neighbor(gone[0]), memory, conflicts=tuple(gone[1:]))


def _quarantine(
    fact: Fact, state: BatchState, batch: WriteBatch, *, now: datetime, config: Config
) -> Decision | None:
    """A quarantined fact is compared with nothing but what was quarantined before."""
    reason = f"quarantined: {fact.turn.quarantine}"
    same = state.quarantined.get(fact.identity)
    if same is not None:
        return Decision(fact, "skip", reason, Neighbor(same))
    if fact.new_id not in batch.units:
        return None
    channels = Channels(novelty=0.0, arousal=0.0, reward=0.0, attention=0.0)
    memory = new_memory(fact, channels, now=now, config=config)
    return Decision(fact, "create", reason, memory=memory)


def _neighbors(fact: Fact, state: BatchState, batch: WriteBatch) -> tuple[Neighbor, ...]:
    """The memories beside the fact as they are now, those of this batch too, nearest first."""
    neighbors: dict[str, Neighbor] = {}
    compared = batch.similarity.get(fact.content, {})
    for stored in batch.neighbors.get(fact.new_id, ()):
        memory = state.rows.get(stored.memory.id)
        if memory is None or memory.state != "active" or memory.id in state.changed_ids:
            continue
        similarity = None
        if answers_of(memory) == fact.answers:
            similarity = compared.get(stored.memory.content)
        by_key = min(stored.key_similarity, UNCOMPARED)
        neighbors[memory.id] = Neighbor(memory, similarity, by_key)
    for text, similarity in compared.items():
        for memory_id in state.created_ids.get(text, ()):
            memory = state.rows[memory_id]
            if memory.state == "active" and answers_of(memory) == fact.answers:
                neighbors.setdefault(memory.id, Neighbor(memory, similarity, similarity))
    return tuple(sorted(neighbors.values(), key=_by_nearness))


def _by_nearness(neighbor: Neighbor) -> tuple[float, str]:
    return -neighbor.nearness, neighbor.memory.id


def _channels(fact: Fact, neighbors: Sequence[Neighbor], batch: WriteBatch) -> Channels:
    """Novelty, arousal, reward and attention of a fact."""
    novelty = 1.0
    if neighbors:
        novelty -= neighbors[0].nearness
    similar = [near.memory for near in neighbors if near.nearness >= SIMILAR_FROM]
    reward = NEUTRAL_CHANNEL
    if similar:
        reward = sum(memory.utility for memory in similar) / len(similar)
    attention = batch.attention.get(fact.new_id, NEUTRAL_CHANNEL)
    return Channels(novelty, fact.turn.emotion.arousal, reward, attention)


def _decide_by_question(
    fact: Fact, neighbors: tuple[Neighbor, ...], memory: Memory
) -> Decision | None:
    """A yes or no beside what the same voice answered to the same question; None otherwise."""
    answer = polarity(fact.content) if fact.answers else None
    if answer is None:
        return None
    for neighbor in neighbors:
        old = neighbor.memory
        if answers_of(old) != fact.answers or voice_of(old) != fact.voice:
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
) -> Decision | None:
    """What the language model says; None if it can no longer be carried out."""
    by_id = {neighbor.memory.id: neighbor for neighbor in neighbors}
    neighbor = by_id.get(answer.target or "")
    if answer.target is not None and neighbor is None:
        return None
    links = tuple((kind, other, BY_MODEL) for other, kind in answer.links if other in by_id)
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


def _beside_rules(said: Decision, rules: Decision) -> Decision:
    """What a model decides, unless it leaves standing what the rules are sure has changed."""
    if said.action in ("supersede", "update"):
        return said
    doubts = tuple(link for link in rules.links if link[0] == "revises")
    dropped = said.target is not None and lost(said.target.content, said.fact.content)
    if rules.action == "supersede" or rules.conflicts:
        return rules
    if said.memory is None and (doubts or dropped):
        return rules
    return replace(said, links=(*said.links, *doubts))


def _change_by_model(decision: Decision, target: Memory, answer: ModelDecision) -> Decision:
    """An UPDATE or a DELETE: an untrue memory is superseded, a refined one is rewritten."""
    replaces = answer.action == "DELETE" or answer.relation == "contradictory"
    if target.protected or guards_of(target):  # what guards somebody changes by the rules alone
        conflicts = (target,) if replaces else ()
        return replace(decision, reason="the memory is protected", conflicts=conflicts)
    if replaces:
        return replace(decision, action="supersede", reason="contradicts it, says the model")
    reason = "refines it, says the model"
    text = answer.text or ""
    return replace(decision, action="update", reason=reason, text=text, memory=None, links=())


def _revising_only(decision: Decision, may: Callable[[Memory], bool]) -> Decision:
    """A decision whose new memory is a newer version only of what it may be one of."""
    memories = [neighbor.memory for neighbor in decision.neighbors if decision.links]
    others = {memory.id for memory in memories if not may(memory)}
    links = [link for link in decision.links if link[0] != "revises" or link[1] not in others]
    return replace(decision, links=tuple(links))


def _without_unknown_order(decision: Decision) -> Decision:
    """What has no date takes the place of nothing, and nothing said earlier takes its place.

    Both stay, as a contradiction; a turn that is said now is newer than all that was imported.
    """
    fact = decision.fact
    undated = fact.source.at is None

    def is_ordered(memory: Memory) -> bool:
        return not (undated or (memory.is_undated and fact.episode.at < memory.recorded_at))

    decision = _revising_only(decision, is_ordered)
    target = decision.target
    if decision.action != "supersede" or target is None:
        return decision
    conflicts = (target, *decision.conflicts)
    if all(map(is_ordered, conflicts)):
        return decision
    reason = f"{decision.reason}, but nobody knows which was said later"
    return replace(decision, action="create", reason=reason, conflicts=conflicts)


def _limit_by_source(decision: Decision, memory: Memory | None, config: Config) -> Decision:
    """A source of less trust never changes, retires or strengthens what is trusted more.

    An assistant never does that to what a person said, however far it is trusted.
    """
    decision = _revising_only(  # nor is it a newer version of that
        decision, lambda memory: not may_not_change(memory, decision.fact, config)
    )
    target = decision.target
    if target is None:
        return decision
    role = decision.fact.episode.role
    if decision.action in ("reinforce", "skip") or memory is None:
        source = "the assistant" if role == "assistant" else "an untrusted source"
        echo = replace(decision, action="echo", reason=f"{source} repeats what is known")
        return echo if _is_trusted_more(target, decision.fact, config) else decision
    if not may_not_change(target, decision.fact, config):
        return decision
    by_person = target.data_source == "user_message"
    trusted_words = "what a person said" if by_person else "what is trusted more"
    if decision.action == "supersede":
        conflicts = (target, *decision.conflicts)
        reason = f"contradicts {trusted_words}"
        return replace(decision, action="create", reason=reason, conflicts=conflicts)
    if decision.action == "update":
        reason = f"adds to {trusted_words}"
        return replace(decision, action="elaborate", reason=reason, text="", memory=memory)
    return decision


def _reviewable(decision: Decision, memory: Memory, config: Config) -> Decision:
    """What may have to wait for a person is a memory of its own: it rewrites none."""
    if decision.action != "update":
        return decision
    episode = decision.fact.episode
    trusted = is_trusted(data_source_of(episode.role), config.encoding.trusted(episode.role))
    waits = not trusted and "untrusted" in config.guard.review
    waits = waits or (WRITTEN_BY in episode.metadata and "shared" in config.guard.review)
    return replace(decision, action="elaborate", text="", memory=memory) if waits else decision


def may_not_change(memory: Memory, fact: Fact, config: Config) -> bool:
    """Whether a fact neither replaces nor rewrites a memory: that is trusted more, or guards somebody else."""
    foreign = not _is_own_word(memory, fact.episode)
    return _is_trusted_more(memory, fact, config) or (foreign and bool(guards_of(memory)))


def _is_trusted_more(memory: Memory, fact: Fact, config: Config) -> bool:
    """Whether a memory is trusted more than a fact, or an assistant would change a person's."""
    role = fact.episode.role
    if role == "assistant" and memory.data_source == "user_message":
        return True
    return outranks(memory, data_source_of(role), config.encoding.trusted(role), config.guard)


def _is_own_word(memory: Memory, episode: Episode) -> bool:
    """Whether a turn is said now, by the person whose word a memory is."""
    return (
        episode.role == "user"
        and IMPORTED not in episode.metadata
        and same_voice(voice_of(episode), memory) is not False
        and episode.metadata.get(WRITTEN_BY) == memory.metadata.get(WRITTEN_BY)
    )


def decide_by_rules(fact: Fact, neighbors: Sequence[Neighbor], memory: Memory) -> Decision:
    """Decide on one fact without a language model: contradicted, else by the similarities.

    The same words of the same voice never come here: the gate knows them by their identity.

    Args:
        fact: the new fact.
        neighbors: the memories that resemble it, in any order; only those whose text was compared
            count.
        memory: what the fact becomes if it is new.
    """
    ranked = [neighbor for neighbor in neighbors if neighbor.similarity is not None]
    if fact.turn.unmeant:
        ranked = []  # a joke, a story and a game say nothing of what is known
    ranked.sort(key=_by_nearness)
    compared = [(neighbor, text_beside(fact, neighbor.memory)) for neighbor in ranked]
    decision = _supersede(fact, compared)
    if decision is None:
        decision = _decide_by_similarity(fact, compared, memory.importance)
    decision = replace(decision, neighbors=tuple(neighbors))
    if decision.action == "update":
        return replace(decision, text=fact.content)
    if decision.action not in _CREATING:
        return decision
    return _revise(replace(decision, memory=memory), compared)


def _revise(decision: Decision, compared: Sequence[tuple[Neighbor, str]]) -> Decision:
    """Link a new memory to those of which it may be a newer version: all of them stay."""
    fact = decision.fact
    replaced = {memory.id for memory in decision.conflicts}
    if decision.action == "supersede" and decision.target is not None:
        replaced.add(decision.target.id)
    links: list[WeightedLink] = []
    reason = decision.reason
    taken_back = _taken_back(fact, compared)
    for neighbor, text in compared:
        same_speaker = fact.voice == voice_of(neighbor.memory)
        if neighbor.memory.id in replaced:
            continue
        change = _change(fact, neighbor, text)
        if change is not None and neighbor is not taken_back and _by_a_piece(fact, change):
            change = None  # "no, Otley" in passing takes back nothing of last month
        if change is None and same_speaker and repeats(fact.turn.corrected, text):
            change = Change("soft", "corrects what the assistant had said")
        passing = _only_for_a_time(fact, neighbor.memory)
        if change is not None and (passing or change.grade == "soft"):
            links.append(("revises", neighbor.memory.id, 1.0))
            if decision.action != "supersede":
                reason = f"may be a newer version: {change.reason}"
    return replace(decision, reason=reason, links=(*decision.links, *links))


def _by_a_piece(fact: Fact, change: Change) -> bool:
    clauses = of(fact.content).clauses
    return all(clauses[verdict.by].kind == "fragment" for verdict in change.verdicts)


def _taken_back(fact: Fact, compared: Sequence[tuple[Neighbor, str]]) -> Neighbor | None:
    """What the same person said last, of which a piece of a sentence takes back a value."""
    if fact.turn.question or not is_piece(of(fact.content)):
        return None  # it answers that, or says enough by itself
    meant = [
        neighbor
        for neighbor, text in compared
        if voice_of(neighbor.memory) == fact.voice
        and fact.episode.at - neighbor.memory.recorded_at <= TAKEN_BACK_WITHIN
        and _change(fact, neighbor, text) is not None
    ]
    return max(meant, key=lambda neighbor: neighbor.memory.id, default=None)


def _change(fact: Fact, neighbor: Neighbor, text: str) -> Change | None:
    """What a fact does to a memory: a doubt at most if what else it tells would be lost."""
    same_speaker = same_voice(fact.voice, neighbor.memory)
    known = reading_beside(text, neighbor.memory)
    change = change_between(of(fact.content), known, same_speaker=same_speaker)
    if change is None or change.grade == "soft":
        return change
    old = neighbor.memory
    verbatim = fact.verbatim
    if change.part and not denied_clauses(
        old, fact.content, same_speaker=same_speaker, verbatim=verbatim
    ):
        return change._replace(grade="soft")
    return change


def _only_for_a_time(fact: Fact, memory: Memory) -> bool:
    """Whether a lasting memory will hold again, or still holds: it may not be retired.

    "I'm in Leeds until Friday", "from 1 July I work at Brightwater".
    """
    if fact.valid_from is not None and fact.valid_from > fact.episode.at:
        return True
    return fact.valid_until is not None and memory.valid_until is None


def _supersede(fact: Fact, compared: Sequence[tuple[Neighbor, str]]) -> Decision | None:
    """The nearest memory that the fact makes untrue is superseded; others become conflicts."""
    replaced: list[tuple[Neighbor, Change]] = []
    for neighbor, text in compared:
        if _only_for_a_time(fact, neighbor.memory):
            continue
        change = _change(fact, neighbor, text)
        if change is not None and change.grade == "hard":
            replaced.append((neighbor, change))
    if not replaced:
        return None
    target, change = replaced[0]
    conflicts = tuple(neighbor.memory for neighbor, _ in replaced[1:])
    if target.memory.protected:
        reason = f"contradicts a protected memory: {change.reason}"
        return Decision(fact, "create", reason, target, conflicts=(target.memory, *conflicts))
    return Decision(fact, "supersede", change.reason, target, conflicts=conflicts)


def _decide_by_similarity(
    fact: Fact, compared: Sequence[tuple[Neighbor, str]], importance: float
) -> Decision:
    """The best that any neighbor allows: the nearest text need not be the one that says the same."""
    best = Decision(fact, "create", "nothing like it is known")
    for number, (neighbor, text) in enumerate(compared):
        action, reason = _propose(fact, neighbor, text, importance)
        if number == 0 or _RANKED.index(action) < _RANKED.index(best.action):
            best = Decision(fact, action, reason, None if action == "create" else neighbor)
    return best


def _propose(
    fact: Fact, neighbor: Neighbor, text: str, importance: float
) -> tuple[table.Action, str]:
    """What the table proposes beside one neighbor, unless what both texts say forbids it."""
    memory = neighbor.memory
    similarity = neighbor.nearness
    if similarity < GAP_FROM:
        return "create", "nothing so similar is known"
    agree = table.entities_agree(fact.entities, memory.entities, jaccard=ENTITY_JACCARD)
    closest = table.Closest(similarity, entities_agree=agree, protected=memory.protected)
    proposal = table.decide(closest, importance=importance)
    kind: Entailment = "different"
    same_speaker = fact.voice == voice_of(memory)
    # "Allergic to nuts", and an answer, are something else when another person says them.
    named = all(clause.subject not in ("", "i", "we") for clause in of(text).clauses)
    person = fact.episode.role == "user"
    others = person and not (same_speaker or (named and not fact.answers))
    if not (others or on_different_days(fact.referenced_at, memory.referenced_at)):
        kind = entailment(fact.content, text, same_speaker=same_speaker)
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
