"""The memories that resemble new facts: by vector and by rare words, compared text with text.

Keys carry date and speaker, which makes the keys of one evening alike; so whoever is near by key or by words is
compared once more by the vectors of the bare texts. Those are made on demand, few per message, and kept for a while.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cogmem_core.config import GateConfig
from cogmem_core.encoding.facts import Fact, answers_of, voice_of
from cogmem_core.maths.products import dots, normalised
from cogmem_core.models import Memory
from cogmem_core.ports import FloatArray, Hit, Stored
from cogmem_core.services import Services
from cogmem_core.text.compare import Attribute, announces_end, attribute_of, contradicts, entailment
from cogmem_core.text.folding import MAX_INPUT
from cogmem_core.text.keys import content_hash
from cogmem_core.text.tokens import tokens

__all__ = ["Near", "Text", "compare", "find", "pairs", "similarities", "stems"]


@dataclass(frozen=True, slots=True)
class Near:
    """A stored memory beside a fact; `by_key` is the cosine of the index keys, 0 if only words found it."""

    memory: Memory
    by_key: float


@lru_cache(maxsize=8_192)
def stems(text: str) -> frozenset[str]:
    """The index tokens of a text's beginning: what decides whether two texts are alike."""
    return frozenset(tokens(text[:MAX_INPUT]))


class Text:
    """A text with what comparing it needs, computed once."""

    __slots__ = ("content", "ends", "stems")

    def __init__(self, content: str) -> None:
        self.content = content
        self.stems = stems(content)
        self.ends = announces_end(content)

    @property
    def attribute(self) -> Attribute | None:
        """Subject, attribute and value, if it is such a statement."""
        return attribute_of(self.content)

    def alike(self, other: Text, gate: GateConfig) -> bool:
        """Whether most words of the shorter text stand in the other; a few may be said differently."""
        shorter, common = min(len(self.stems), len(other.stems)), len(self.stems & other.stems)
        return common >= gate.overlap * shorter > 0 and shorter - common <= gate.other_words


def find(
    services: Services, namespace: str, facts: Sequence[Fact], vectors: Mapping[str, FloatArray]
) -> dict[str, list[Near]]:
    """Per fact (by its `new_id`): the active memories that resemble it, best key first.

    Rules change a memory only where words agree, so without a language model a large namespace is searched by rare
    words and among its newest memories: the cost of a message does not grow with what is remembered.

    Args:
        facts: facts that look for neighbours.
        vectors: of their keys, by `new_id`, normalised.
    """
    gate = services.config.gate
    if not facts:
        return {}
    with services.ledger.reading() as reader:
        view = services.searcher.view(reader, namespace)
        if not len(view):
            return {}
        stacked, thorough = np.stack([vectors[fact.new_id] for fact in facts]), services.llm is not None
        dense = services.searcher.nearest_many(reader, view, stacked, gate.candidates, thorough=thorough)
        count, postings = gate.word_candidates, gate.word_postings
        words = [view.sharing(sorted(stems(fact.content)), count, postings=postings) for fact in facts]
        wanted = [_ids(hits, shared, gate.near_by_key) for hits, shared in zip(dense, words, strict=True)]
        rows = reader.stored(namespace, [memory_id for ids in wanted for memory_id in ids])
    found: dict[str, list[Near]] = {}
    for fact, hits, ids in zip(facts, dense, wanted, strict=True):
        scores = {hit.id: hit.score for hit in hits}
        others = [rows[i] for i in ids if i in rows and i not in scores]
        scores |= zip((one.memory.id for one in others), _cosines(others, vectors[fact.new_id]), strict=True)
        near = (Near(rows[i].memory, scores[i]) for i in ids if i in rows)
        ours = [one for one in near if one.memory.state == "active" and not _same_turn(fact, one.memory)]
        found[fact.new_id] = sorted(ours, key=lambda one: (-one.by_key, one.memory.id))
    return found


def _cosines(rows: Sequence[Stored], vector: FloatArray) -> list[float]:
    """One per row; 0 where there is no vector of the same length."""
    alike = [place for place, row in enumerate(rows) if row.vector.shape == vector.shape]
    found = [0.0] * len(rows)
    if alike:
        units = normalised(np.stack([rows[place].vector for place in alike]))
        for place, cosine in zip(alike, dots(units, vector), strict=True):
            found[place] = float(cosine)
    return found


def _ids(hits: Sequence[Hit], shared: Sequence[str], near: float) -> list[str]:
    """The nearest one always: novelty is measured against it."""
    close = [hit.id for place, hit in enumerate(hits) if place == 0 or hit.score >= near]
    return list(dict.fromkeys([*close, *shared]))


def _same_turn(fact: Fact, memory: Memory) -> bool:
    return any(source.episode_id == fact.episode.id for source in memory.sources)


def compare(new: Text, old: Text, *, same_speaker: bool, gate: GateConfig) -> bool:
    """Whether two texts are worth comparing by their own vectors: only if what they say lets one change the other."""
    mine = new.attribute
    if mine is not None and old.attribute is not None and mine[:2] == old.attribute[:2]:
        return True
    alike = new.alike(old, gate)
    if alike and entailment(new.content, old.content, same_speaker=same_speaker) != "different":
        return True
    if not (alike or new.ends):
        return False
    return contradicts(new.content, old.content, same_speaker=same_speaker, similarity=1.0) is not None


def pairs(
    facts: Sequence[Fact],
    near: Mapping[str, Sequence[Near]],
    vectors: Mapping[str, FloatArray],
    *,
    gate: GateConfig,
    every: bool,
) -> list[tuple[str, str]]:
    """The pairs of texts (new, old) that are worth comparing by their own vectors; `every`: all that are near."""
    texts = {fact.content: Text(fact.content) for fact in facts}
    found: list[tuple[str, str]] = []
    for fact in facts:
        for one in near.get(fact.new_id, ()):
            said = one.memory.content
            old = texts[said] = texts.get(said) or Text(said)
            alike = voice_of(fact.episode) == voice_of(one.memory)
            if fact.answers != answers_of(one.memory):
                continue  # the same words may say something else there
            if every or compare(texts[fact.content], old, same_speaker=alike, gate=gate):
                found.append((fact.content, old.content))
    looking = [fact for fact in facts if fact.new_id in vectors and not (fact.exact or fact.heard.aside)]
    for text, before in _before(looking, vectors, texts, gate).items():
        found += [(text, other) for other in before]
    return list(dict.fromkeys(found))


def _before(
    facts: Sequence[Fact], vectors: Mapping[str, FloatArray], texts: Mapping[str, Text], gate: GateConfig
) -> dict[str, list[str]]:
    """Per text: the texts of earlier facts of the same batch that are worth comparing with it."""
    if len(facts) < 2:
        return {}
    stacked = np.stack([vectors[fact.new_id] for fact in facts])
    stated: dict[tuple[str, str, str], list[str]] = {}
    found: dict[str, list[str]] = {}
    for number, fact in enumerate(facts):
        mine, voice = texts[fact.content], voice_of(fact.episode)
        others: list[str] = []
        for earlier in _near_before(number, facts, stacked, gate):
            alike = voice_of(earlier.episode) == voice
            near = compare(mine, texts[earlier.content], same_speaker=alike, gate=gate)
            others += [earlier.content] if near else []
        if mine.attribute is not None:
            key = (voice, mine.attribute.subject, mine.attribute.attribute)
            others += stated.get(key, [])[-gate.batch_candidates :]
            stated.setdefault(key, []).append(fact.content)
        found[fact.content] = others
    return found


def _near_before(number: int, facts: Sequence[Fact], stacked: FloatArray, gate: GateConfig) -> list[Fact]:
    """The nearest of the facts before one, by key, in a window of bounded size."""
    start = max(0, number - gate.batch_window)
    alike = dots(stacked[start:number], stacked[number])
    first = np.argsort(-alike)[: gate.batch_candidates]
    best = (start + int(place) for place in first if alike[place] >= gate.near_by_key)
    mine = facts[number]
    near = (facts[place] for place in best)
    return [one for one in near if one.episode.id != mine.episode.id and one.answers == mine.answers]


def similarities(services: Services, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], float]:
    """Cosines, -1..1, of pairs of texts; what is not at hand is embedded in one call.

    Raises:
        EmbedderUnavailable: there is no vector.
    """
    texts = list(dict.fromkeys(text for pair in pairs if pair[0] != pair[1] for text in pair))
    keys = {text: f"{services.embedder.fingerprint}\0{content_hash(text)}" for text in texts}
    known = services.recent.vectors(list(keys.values()))
    missing = [text for text in texts if keys[text] not in known]
    if missing:
        made = services.embedder.embed_documents(missing)
        fresh = {keys[text]: row for text, row in zip(missing, normalised(np.asarray(made)), strict=True)}
        services.recent.keep_vectors(fresh.items())
        known |= fresh
    return {(a, b): float(known[keys[a]] @ known[keys[b]]) if a != b else 1.0 for a, b in pairs}
