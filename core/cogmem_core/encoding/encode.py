"""The write path up to the decision: hear, form facts, embed, find neighbours, ask, place. Reads, never writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from pydantic import BaseModel

from cogmem_core.config import EchoConfig
from cogmem_core.encoding.facts import Fact, Heard, Identity, answers_to, identity_of, voice_of
from cogmem_core.encoding.formation import Former, formed_by_rules, said_of
from cogmem_core.encoding.gate import Known, Placement, place
from cogmem_core.encoding.neighbours import Near, find, pairs, similarities, stems
from cogmem_core.encoding.observe_turn import Echoes, hear, hear_as_said, said_at
from cogmem_core.encoding.partial_supersede import without
from cogmem_core.encoding.quarantine import guarded, paced
from cogmem_core.encoding.question_context import answering
from cogmem_core.encoding.to_changes import Vector, trimmed_id
from cogmem_core.maths.products import normalised
from cogmem_core.models import Episode, Memory
from cogmem_core.ports import FloatArray, Usage
from cogmem_core.services import Services
from cogmem_core.skills.decide import DecideCandidate, DecideInput, Decision, NewFact, deciding
from cogmem_core.skills.form import Formed, FormInput, FormTurn, forming
from cogmem_core.skills.merge_texts import MergeInput, merging
from cogmem_core.skills.run import Outcome, Skill
from cogmem_core.text.keys import content_hash, index_key

__all__ = ["Encoded", "encode", "uses_model"]

_Given = TypeVar("_Given")
_Answer = TypeVar("_Answer", bound=BaseModel)
_Value = TypeVar("_Value")


@dataclass(slots=True)
class Encoded:
    """What turns came to, before anything is written.

    Attributes:
        heard: every turn, in order.
        placements: of their facts.
        vectors: see `plan.Vector`, by the fact's `new_id`.
        usage: what the language model cost; degraded: why its answers were not used.
        seq: the namespace's journal number when reading began; rows: the memories that were looked at, as they were
            then. If nothing was written since, they need not be read again.
    """

    heard: list[Heard]
    placements: list[Placement] = field(default_factory=list)
    vectors: dict[str, Vector] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    degraded: list[str] = field(default_factory=list)
    seq: int = -1
    rows: dict[str, Memory] = field(default_factory=dict)


def uses_model(services: Services, episode: Episode) -> bool:
    """Whether the language model may form facts of this turn."""
    by_model = services.llm is not None and episode.role in services.config.encoding.llm_roles
    return by_model and _mode(services, episode) != "raw"


def _mode(services: Services, episode: Episode) -> str:
    return episode.mode or services.config.encoding.mode


def encode(services: Services, namespace: str, episodes: Sequence[Episode]) -> Encoded:
    """Decide what becomes of turns of one namespace.

    Raises:
        EmbedderUnavailable: there is no vector; nothing was decided.
    """
    work = _Work(services, namespace, Encoded(_hear(services, namespace, episodes)))
    facts = work.form()
    same = work.known([fact.identity for fact in facts if not fact.heard.aside])
    new = [fact for fact in facts if fact.identity not in same or _dated(fact, same) or fact.heard.aside]
    vectors = work.embed([(fact.new_id, fact.key) for fact in new])
    facts = paced(services, facts, vectors)
    aside = work.aside([fact.identity for fact in facts if fact.heard.aside])
    gated = [fact for fact in facts if fact.new_id in vectors and not (fact.exact or fact.heard.aside)]
    near = find(services, namespace, gated, vectors)
    work.done.rows |= {one.memory.id: one.memory for found in near.values() for one in found}
    compared = work.compare(gated, near, vectors)
    known = Known(same, near, vectors, compared, work.contexts(), work.decide(gated, near, compared), aside)
    now = services.runtime.now()
    work.done.placements = place(facts, known, now=now, config=services.config)
    work.keep_orphans(same)
    work.synthesise()
    work.attend(vectors)
    return work.done


def _dated(fact: Fact, same: Mapping[Identity, Memory]) -> bool:
    """The same words may speak of another day: then they need a vector of their own."""
    return fact.referenced_at is not None and same[fact.identity].referenced_at is not None


def _hear(services: Services, namespace: str, episodes: Sequence[Episode]) -> list[Heard]:
    limits = services.config.echo
    injected = services.recent.injected(namespace, seconds=60 * limits.minutes)
    resembling = _resembling(services, namespace, [one for one in episodes if one.role == "assistant"])
    heard: list[Heard] = []
    for place_, episode in enumerate(episodes):
        if _mode(services, episode) == "raw":
            heard.append(guarded(hear_as_said(episode), services.config))
            continue
        known: list[str] = []
        if episode.role == "assistant":
            before = (e.content for e in episodes[max(0, place_ - limits.earlier_turns) : place_] if e.role == "user")
            told, said = (*resembling.get(episode.id, ()), *before), stems(episode.content)
            # What was not injected here may have been elsewhere.
            known = [text for text in told if _tells_again(said, stems(text), limits)]
        back = [text for text in injected if _may_echo(text, episode, limits)]
        echoes = Echoes(back, known)
        heard.append(guarded(hear(episode, echoes, services.config.observer), services.config))
    return answering(services, namespace, heard)


def _tells_again(said: frozenset[str], known: frozenset[str], limits: EchoConfig) -> bool:
    """Whether a turn repeats much of a text: several words of a long one, most words of a short one."""
    shared = len(said & known)
    return shared >= limits.told_words or shared >= max(2, limits.told_share * len(known))


def _may_echo(known: str, turn: Episode, limits: EchoConfig) -> bool:
    """Whether a memory that went into a prompt may come back in a turn.

    A person who says a short thing again means it; only a long text, word for word, is taken for a pasted one.
    """
    words = known.split(None, limits.pasted_words)
    if turn.role != "assistant" and len(words) < limits.pasted_words:
        return False
    return bool(words) and words[0].strip("\"'.,!?").casefold() in turn.content.casefold()


def _resembling(services: Services, namespace: str, episodes: Sequence[Episode]) -> dict[str, list[str]]:
    """Per assistant turn: memories that share rare words with it."""
    if not episodes:
        return {}
    count, postings = services.config.echo.candidates, services.config.gate.word_postings
    with services.ledger.reading() as reader:
        view = services.searcher.view(reader, namespace)
        ids = {e.id: view.sharing(sorted(stems(e.content)), count, postings=postings) for e in episodes}
        rows = reader.memories(namespace, [memory_id for found in ids.values() for memory_id in found])
    return {key: [rows[i].content for i in found if i in rows] for key, found in ids.items()}


def _same_words(turn: Episode, memory: Memory, turns: Mapping[str, Episode]) -> bool:
    before = turns.get(memory.sources[-1].episode_id) if memory.sources else None
    same_voice = voice_of(turn) == voice_of(memory)
    return before is not None and same_voice and content_hash(before.content) == content_hash(turn.content)


def _by_turn(heard: Sequence[Heard], formed: Sequence[Formed]) -> dict[str, Sequence[Formed]]:
    return {one.episode.id: [fact for fact in formed if fact.turn == index] for index, one in enumerate(heard)}


@dataclass(frozen=True, slots=True)
class _Work:
    """One call of `encode`: the steps that ask the outside world."""

    services: Services
    namespace: str
    done: Encoded

    @property
    def former(self) -> Former:
        return Former(self.services.config, self.services.runtime.new_id)

    def form(self) -> list[Fact]:
        """Facts, in the order in which they were said."""
        audible = [heard for heard in self.done.heard if not heard.skipped]
        formed = self._formed([heard for heard in audible if not heard.aside])
        return [fact for heard in audible for fact in self._facts(heard, formed.get(heard.episode.id))]

    def _facts(self, heard: Heard, formed: Sequence[Formed] | None) -> list[Fact]:
        mode = _mode(self.services, heard.episode)
        if mode == "raw" or heard.aside:
            return [self.former.turn(heard, exact=True)]
        if formed is None:
            return self.former.turn_or_parts(heard)
        facts = self.former.facts(heard, formed)
        # What is bounded in time expires, and what was cut off is lost; the turn in which it was said is not.
        passing = any(fact.valid_until is not None or fact.passing for fact in facts)
        whole = mode == "hybrid" or passing or not 0 < len(facts) < self.services.config.encoding.facts_per_turn
        return [self.former.turn(heard, exact=True), *facts] if whole else facts

    def _formed(self, audible: Sequence[Heard]) -> dict[str, Sequence[Formed]]:
        """What the model or the rules took from each turn; in `auto` mode the turn itself stands in for the rules."""
        services = self.services
        asked = [one for one in audible if uses_model(services, one.episode) and not one.weak]
        found = self._said_before(asked)
        asked = [one for one in asked if one.episode.id not in found]
        by_rules = [h for h in audible if _mode(services, h.episode) in ("semantic", "hybrid") and not h.weak]
        if asked:
            outcome = self.ask(forming(self._rules), self._given(asked))
            if outcome.source == "llm":
                found |= _by_turn(asked, outcome.value)
        rest = [one for one in by_rules if one.episode.id not in found]
        if rest:
            found |= _by_turn(rest, self._rules(self._given(rest)))
        return found

    def _said_before(self, asked: Sequence[Heard]) -> dict[str, Sequence[Formed]]:
        """Turns that were said before, word for word: what was formed of them then is what they say now.

        Not so where the words say something only beside the question that they answer.
        """
        asked = [one for one in asked if not answers_to(one.text, one.asked)]
        if not asked:
            return {}
        config = self.services.config
        count, postings = config.echo.candidates, config.gate.word_postings
        with self.services.ledger.reading() as reader:
            view = self.services.searcher.view(reader, self.namespace)
            alike = {h.episode.id: view.sharing(sorted(stems(h.text)), count, postings=postings) for h in asked}
            rows = reader.memories(self.namespace, [i for ids in alike.values() for i in ids])
            turns = reader.episodes(self.namespace, [s.episode_id for row in rows.values() for s in row.sources[-1:]])
        found: dict[str, Sequence[Formed]] = {}
        for one in asked:
            known = [rows[i] for i in alike[one.episode.id] if i in rows and rows[i].state == "active"]
            again = [m for m in known if _same_words(one.episode, m, turns)]
            if again:
                found[one.episode.id] = [Formed(0, m.content, category=m.category) for m in again]
        return found

    def _rules(self, given: FormInput) -> tuple[Formed, ...]:
        return formed_by_rules(given, config=self.services.config)

    def _given(self, heard: Sequence[Heard]) -> FormInput:
        config = self.services.config.encoding
        return FormInput(
            tuple(said_of(one) for one in heard),
            self._earlier(heard[0].episode),
            foresight_days=config.foresight_days,
            max_characters=config.fact_characters,
        )

    def _earlier(self, episode: Episode) -> tuple[FormTurn, ...]:
        """The turns before, for pronouns."""
        count = self.services.config.encoding.earlier_turns
        if episode.session_id is None or not count:
            return ()
        with self.services.ledger.reading() as reader:
            turns = reader.turns_before(self.namespace, episode.session_id, episode.id, count)
        return tuple(FormTurn(turn.content, said_at(turn), turn.role, turn.speaker) for turn in turns)

    def known(self, identities: Sequence[Identity]) -> dict[Identity, Memory]:
        """Active memories with the same content and voice, the oldest of each."""
        with self.services.ledger.reading() as reader:
            self.done.seq = reader.last_seq(self.namespace)
            memories = reader.same_content(self.namespace, [identity[0] for identity in identities])
        self.done.rows |= {memory.id: memory for memory in memories}
        return {identity_of(memory): memory for memory in reversed(memories)}

    def aside(self, identities: Sequence[Identity]) -> dict[Identity, Memory]:
        """What was quarantined before, with the same content and voice."""
        if not identities:
            return {}
        with self.services.ledger.reading() as reader:
            found = reader.same_content(self.namespace, [one[0] for one in identities], state="quarantined")
        return {identity_of(memory): memory for memory in reversed(found)}

    def embed(self, keys: Sequence[tuple[str, str]]) -> dict[str, FloatArray]:
        """Normalised vectors of index keys, by `new_id`; one call, each text once."""
        texts = list(dict.fromkeys(key for _, key in keys))
        if not texts:
            return {}
        embedder = self.services.embedder
        rows = np.asarray(embedder.embed_documents(texts), dtype=np.float32)
        units = normalised(rows)
        place_of = {text: index for index, text in enumerate(texts)}
        for new_id, key in keys:
            self.done.vectors[new_id] = (key, rows[place_of[key]], embedder.fingerprint)
        return {new_id: units[place_of[key]] for new_id, key in keys}

    def compare(
        self, facts: Sequence[Fact], near: Mapping[str, Sequence[Near]], vectors: Mapping[str, FloatArray]
    ) -> dict[str, dict[str, float]]:
        """Per text, and per text that it was compared with: the cosine of the two."""
        wanted = pairs(facts, near, vectors, gate=self.services.config.gate, every=self.services.llm is not None)
        compared: dict[str, dict[str, float]] = {}
        for (new, old), similarity in similarities(self.services, wanted).items():
            compared.setdefault(new, {})[old] = similarity
        return compared

    def contexts(self) -> dict[str, Sequence[FloatArray]]:
        """What the sessions spoke of last."""
        sessions = {heard.episode.session_id for heard in self.done.heard if heard.episode.session_id}
        return {session: self.services.recent.context(self.namespace, session) for session in sessions}

    def attend(self, vectors: Mapping[str, FloatArray]) -> None:
        """The sessions go on."""
        for placed in self.done.placements:
            session = placed.fact.episode.session_id
            if session and placed.fact.new_id in vectors and not placed.fact.heard.aside:
                self.services.recent.attend(self.namespace, session, [vectors[placed.fact.new_id]])

    def decide(
        self, facts: Sequence[Fact], near: Mapping[str, Sequence[Near]], compared: Mapping[str, Mapping[str, float]]
    ) -> dict[str, Decision]:
        """Ask the model about the facts that resemble something; one call for all of them, none if there are none."""
        if self.services.llm is None:
            return {}
        asked: list[tuple[Fact, NewFact]] = []
        for fact in facts:
            candidates = self._candidates(near.get(fact.new_id, ()), compared.get(fact.content, {}))
            if candidates and uses_model(self.services, fact.episode) and not fact.heard.weak:
                asked.append((fact, NewFact(fact.content, candidates, fact.category, fact.referenced_at)))
        if not asked:
            return {}
        outcome = self.ask(deciding(), DecideInput(tuple(new for _, new in asked), asked[-1][0].episode.at))
        decided = zip(asked, outcome.value, strict=True)
        return {fact.new_id: decision for (fact, _), decision in decided if decision is not None}

    def _candidates(self, near: Sequence[Near], compared: Mapping[str, float]) -> tuple[DecideCandidate, ...]:
        gate = self.services.config.gate
        scored = [(compared.get(one.memory.content, 0.0), one.memory) for one in near]
        alike = sorted((pair for pair in scored if pair[0] >= gate.floor), key=lambda pair: (-pair[0], pair[1].id))
        return tuple(
            DecideCandidate(m.id, m.content, m.category, m.recorded_at, m.updated_at, m.referenced_at)
            for _, m in alike[: gate.candidates]
        )

    def keep_orphans(self, same: Mapping[Identity, Memory]) -> None:
        """A turn of which nothing else would be left is kept as it was said."""
        kept = {placed.fact.episode.id for placed in self.done.placements if placed.memory or placed.target}
        lost = {p.fact.episode.id for p in self.done.placements} - kept
        facts = [self.former.turn(one, exact=True) for one in self.done.heard if one.episode.id in lost]
        new = [fact for fact in facts if fact.identity not in same]
        vectors = self.embed([(fact.new_id, fact.key) for fact in new])
        known = Known(same, {}, vectors, {})
        self.done.placements += place(facts, known, now=self.services.runtime.now(), config=self.services.config)

    def synthesise(self) -> None:
        """New texts for memories that are updated, and their vectors."""
        merged: list[Placement] = []
        for placed in map(self._trimmed, self.done.placements):
            target = placed.target
            if placed.action != "update" or target is None:
                merged.append(placed)
                continue
            text = placed.text
            if not text:
                given = MergeInput(target.content, placed.fact.content, target.recorded_at, placed.fact.episode.at)
                text = self.ask(merging(), given).value
            merged.append(replace(placed, text=text))
        self.done.placements = merged
        updates = [placed for placed in merged if placed.action == "update"]
        keys = [(placed.fact.new_id, self._key(placed)) for placed in updates]
        self.embed([*keys, *(key for placed in merged for key in self._trimmed_keys(placed))])

    def _trimmed(self, placed: Placement) -> Placement:
        """A memory that says more than what is contradicted keeps the rest."""
        if placed.action != "supersede":
            return placed
        voice, rest = voice_of(placed.fact.episode), dict[str, str]()
        for memory in (placed.target, *placed.conflicts):
            if memory is not None:
                alike = voice_of(memory) == voice
                rest[memory.id] = without(memory.content, placed.fact.content, same_speaker=alike)
        return replace(placed, trims={memory_id: text for memory_id, text in rest.items() if text})

    def _trimmed_keys(self, placed: Placement) -> list[tuple[str, str]]:
        dated = self.services.config.encoding.date_prefix
        known = {memory.id: memory for memory in (placed.target, *placed.conflicts) if memory is not None}
        found: list[tuple[str, str]] = []
        for memory_id, text in placed.trims.items():
            memory = known[memory_id]
            key = index_key(text, speaker=memory.speaker, at=memory.recorded_at if dated else None)
            found.append((trimmed_id(placed.fact, memory_id), key))
        return found

    def _key(self, placed: Placement) -> str:
        """The key of an updated memory covers what it was before."""
        turn, dated = placed.fact.episode, self.services.config.encoding.date_prefix
        key = index_key(placed.text, speaker=turn.speaker, at=turn.at if dated else None)
        former = placed.target.content if placed.target is not None else ""
        parts = [key, *(part for part in (placed.fact.content, former) if part not in key)]
        return "\n".join(parts)[: self.services.config.encoding.key_characters]

    def ask(self, skill: Skill[_Given, _Answer, _Value], given: _Given) -> Outcome[_Value]:
        """One step with the model, or with the rules; what it cost and why it failed is kept for the report."""
        outcome = self.services.ask(skill, given)
        self.done.usage += outcome.usage
        if outcome.error:
            self.done.degraded.append(f"{skill.name}: {outcome.error}")
        return outcome
