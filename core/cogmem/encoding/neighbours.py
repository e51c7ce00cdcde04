"""The memories that resemble new facts: by vector and by rare words, compared text with text.

Keys carry date and speaker, which makes the keys of one evening alike; so whoever is near by key or by words is
compared once more by the vectors of the bare texts. Those are made on demand, few per message, and kept for a while.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cogmem.encoding.facts import Fact
from cogmem.models import Memory
from cogmem.ports import FloatArray, Hit
from cogmem.services import Services
from cogmem.text.attributes import Attribute, attribute_of
from cogmem.text.contradiction import contradicts
from cogmem.text.keys import content_hash
from cogmem.text.likeness import likeness
from cogmem.text.tokens import tokens

__all__ = ["Near", "Text", "compare", "find", "similarities"]

_BY_WORDS = 4
_POSTINGS = 1_000
_NEAR_BY_KEY = 0.55
_OVERLAP = 0.5


@dataclass(frozen=True, slots=True)
class Near:
    """A stored memory beside a fact; `by_key` is the cosine of the index keys, 0 if only words found it."""

    memory: Memory
    by_key: float


class Text:
    """A text with what comparing it needs, computed once."""

    __slots__ = ("_attribute", "_known", "content", "stems")

    def __init__(self, content: str) -> None:
        self.content = content
        self.stems = frozenset(tokens(content))
        self._attribute: Attribute | None = None
        self._known = False

    @property
    def attribute(self) -> Attribute | None:
        """Subject, attribute and value, if it is such a statement."""
        if not self._known:
            self._attribute, self._known = attribute_of(self.content), True
        return self._attribute

    def overlap(self, other: Text) -> float:
        """Common stems as a share of the shorter text's, 0..1."""
        shorter = min(len(self.stems), len(other.stems))
        return len(self.stems & other.stems) / shorter if shorter else 0.0


def find(
    services: Services, namespace: str, facts: Sequence[Fact], vectors: Mapping[str, FloatArray]
) -> dict[str, list[Near]]:
    """Per fact (by its `new_id`): the active memories that resemble it, best key first.

    Args:
        facts: facts that look for neighbours.
        vectors: of their keys, by `new_id`.
    """
    if not facts:
        return {}
    count = services.config.gate.candidates
    with services.ledger.reading() as reader:
        view = services.searcher.view(reader, namespace)
        if not len(view):
            return {}
        stacked = np.stack([vectors[fact.new_id] for fact in facts])
        dense = services.searcher.nearest_many(reader, view, stacked, count)
        words = [view.sharing(tokens(fact.content), _BY_WORDS, postings=_POSTINGS) for fact in facts]
        wanted = [_ids(hits, shared) for hits, shared in zip(dense, words, strict=True)]
        rows = reader.memories(namespace, [memory_id for ids in wanted for memory_id in ids])
    found: dict[str, list[Near]] = {}
    for fact, hits, ids in zip(facts, dense, wanted, strict=True):
        by_key = {hit.id: hit.score for hit in hits}
        near = (Near(rows[i], by_key.get(i, 0.0)) for i in ids if i in rows and rows[i].state == "active")
        found[fact.new_id] = [one for one in near if not _same_turn(fact, one.memory)]
    return found


def _ids(hits: Sequence[Hit], shared: Sequence[str]) -> list[str]:
    """The nearest one always: novelty is measured against it."""
    close = [hit.id for place, hit in enumerate(hits) if place == 0 or hit.score >= _NEAR_BY_KEY]
    return list(dict.fromkeys([*close, *shared]))


def _same_turn(fact: Fact, memory: Memory) -> bool:
    return any(source.episode_id == fact.episode.id for source in memory.sources)


def compare(new: Text, old: Text, *, same_speaker: bool) -> bool:
    """Whether two texts are worth comparing by their own vectors: only if what they say lets one change the other."""
    mine, other = new.attribute, old.attribute
    if mine is not None and other is not None and (mine.subject, mine.attribute) == (other.subject, other.attribute):
        return True
    if new.overlap(old) < _OVERLAP:
        return False
    if likeness(new.content, old.content, same_speaker=same_speaker) != "different":
        return True
    return contradicts(new.content, old.content, same_speaker=same_speaker) is not None


def similarities(services: Services, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], float]:
    """Cosines, -1..1, of pairs of texts; what is not at hand is embedded in one call.

    Raises:
        EmbedderUnavailable: there is no vector.
    """
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    keys = {text: f"{services.embedder.fingerprint}\0{content_hash(text)}" for text in texts}
    known = services.recent.vectors(list(keys.values()))
    missing = [text for text in texts if keys[text] not in known]
    if missing:
        made = services.embedder.embed_documents(missing)
        fresh = {keys[text]: _unit(row) for text, row in zip(missing, made, strict=True)}
        services.recent.keep_vectors(fresh.items())
        known |= fresh
    return {(a, b): float(known[keys[a]] @ known[keys[b]]) for a, b in pairs}


def _unit(vector: FloatArray) -> FloatArray:
    length = float(np.linalg.norm(vector))
    return np.asarray(vector / length if length > 0 else vector, dtype=np.float32)
