"""The memories that resemble new facts: by vector and by rare words, compared text with text.

Keys carry date and speaker, which makes the keys of one evening alike; so whatever is near by key
or by words is compared once more by the vectors of the bare texts. Those are made on demand, few
per message, and cached for a while.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from cogmem_core.base.lru import text_cache
from cogmem_core.edge.clauses import holding, reading_of
from cogmem_core.encoding.facts import Fact, Neighbor, answers_of, same_voice
from cogmem_core.maths.products import dots, normalised
from cogmem_core.ports import FloatArray, Hit, Stored
from cogmem_core.process.services import Services
from cogmem_core.reading import Reading, of
from cogmem_core.reading.between import change, filled, is_piece, states
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.storage.search.corpus import Corpus
from cogmem_core.text.compare import entailment, same_words
from cogmem_core.text.folding import MAX_INPUT
from cogmem_core.text.keys import content_hash
from cogmem_core.text.rewrite.third_person import third_person
from cogmem_core.text.tokens import tokens
from cogmem_core.values.models import Memory

GATE_CANDIDATES = 8
"""Similar memories that are looked at."""
WORD_CANDIDATES = 4
"""Memories that are found by rare words."""
WORD_POSTINGS = 500
"""Index entries that are read to find `WORD_CANDIDATES`."""
VERSIONS = 4
"""Newer or older versions of them that are looked at."""
BATCH_CANDIDATES = 4
"""Facts of the same batch that are looked at."""
BATCH_WINDOW = 1_000
"""Earlier facts of the same batch among which `BATCH_CANDIDATES` are chosen."""
NEAR_BY_KEY = 0.55
"""Least similarity of index keys from which on two texts are looked at. Keys share date and
speaker."""
WORD_OVERLAP = 0.5
"""Rules look at two texts if such a share of the shorter one's words stand in the other."""
OTHER_WORDS = 2
"""Rules look at two texts if no more than so many words of the shorter one are not in the other."""

LEAST_REPEATED = 2
"""Words that a statement and the memory that it repeats share at least."""
REPEATED_SHARE = 0.6
"""Share of its words that such a statement has from the memory."""


@text_cache(8_192)
def stems(text: str) -> frozenset[str]:
    """The index tokens of a text's beginning: they decide whether two texts are alike."""
    return frozenset(tokens(text[:MAX_INPUT]))


def find_neighbors(
    services: Services, namespace: str, facts: Sequence[Fact], vectors: Mapping[str, FloatArray]
) -> dict[str, list[Neighbor]]:
    """Per fact (by its `new_id`): the active memories that resemble it, best key first.

    Rules change a memory only where words agree, so without a language model a large namespace is
    searched by rare words and among its newest memories: the cost of a message does not grow with
    the number of memories.

    Args:
        services: the parts of the engine.
        namespace: where the memories are.
        facts: facts that look for neighbors.
        vectors: of their keys, by `new_id`, normalised.
    """
    if not facts:
        return {}
    candidate_ids: dict[str, list[str]] = {}
    with services.ledger.whole() as reader:
        view = services.searcher.view(reader, namespace)
        if not len(view):
            return {}
        stacked = np.stack([vectors[fact.new_id] for fact in facts])
        thorough = services.llm is not None
        hits_per_fact = services.searcher.nearest_many(
            reader, view, stacked, GATE_CANDIDATES, thorough=thorough
        )
        for fact, hits in zip(facts, hits_per_fact, strict=True):
            words = sorted(stems(fact.content))
            shared = view.sharing(words, WORD_CANDIDATES, postings=WORD_POSTINGS)
            corrected = sorted(stems(fact.turn.corrected))
            if corrected:
                shared += view.sharing(corrected, WORD_CANDIDATES, postings=WORD_POSTINGS)
            # The nearest one always: novelty is measured against it.
            ids = [
                hit.id for number, hit in enumerate(hits) if number == 0 or hit.score >= NEAR_BY_KEY
            ]
            candidate_ids[fact.new_id] = list(dict.fromkeys([*ids, *shared]))
        tables = reader.at(namespace)
        _add_versions(facts, candidate_ids, Corpus(view), tables)
        rows = tables.memories.stored(list(chain.from_iterable(candidate_ids.values())))
        for fact in facts:
            # What an assistant noted of "I live in Graz" shares no word with "I moved to Wien".
            told = states(of(fact.content))
            ids = candidate_ids[fact.new_id] if told else []
            known = [rows[name].memory for name in ids if name in rows]
            filling = [each for each in known if not told.isdisjoint(states(reading_of(each)))]
            if filling:
                texts = [memory.content for memory in filling]
                words = sorted(set(chain.from_iterable(map(stems, texts))))
                shared = view.sharing(words, WORD_CANDIDATES, postings=WORD_POSTINGS)
                added = [name for name in shared if name not in ids]
                ids += added
                rows |= tables.memories.stored(added)
    neighbors: dict[str, list[Neighbor]] = {}
    for fact, hits in zip(facts, hits_per_fact, strict=True):
        candidates = [rows[name] for name in candidate_ids[fact.new_id] if name in rows]
        neighbors[fact.new_id] = _neighbors_of(fact, candidates, hits, vectors[fact.new_id])
    return neighbors


def _add_versions(
    facts: Sequence[Fact],
    candidate_ids: Mapping[str, list[str]],
    corpus: Corpus,
    tables: Namespace,
) -> None:
    """Add the other versions of candidates where a fact fills a slot: it is newer than all of them."""
    filling = [candidate_ids[fact.new_id] for fact in facts if filled(of(fact.content))]
    linked_ids = corpus.linked(tables, list(chain.from_iterable(filling)))
    links = tables.relations.of_memories(linked_ids)
    for ids in filling:
        versions: dict[str, None] = {}
        for link in links:
            if link.type == "revises" and (link.source_id in ids or link.target_id in ids):
                versions |= {link.source_id: None, link.target_id: None}
        ids.extend([name for name in versions if name not in ids][-VERSIONS:])


def _neighbors_of(
    fact: Fact, candidates: Sequence[Stored], hits: Sequence[Hit], vector: FloatArray
) -> list[Neighbor]:
    """The active candidates from other turns, with the cosines of their keys."""
    cosines = {hit.id: hit.score for hit in hits}
    by_words: list[Stored] = []
    for row in candidates:
        if row.memory.id not in cosines:
            cosines[row.memory.id] = 0.0  # unless its vector has the same length
            if row.vector.shape == vector.shape:
                by_words.append(row)
    if by_words:
        units = normalised(np.stack([row.vector for row in by_words]))
        for row, cosine in zip(by_words, dots(units, vector), strict=True):
            cosines[row.memory.id] = float(cosine)
    neighbors: list[Neighbor] = []
    for row in candidates:
        memory = row.memory
        episode_ids = [source.episode_id for source in memory.sources]
        if memory.state == "active" and fact.episode.id not in episode_ids:
            neighbors.append(Neighbor(holding(memory), key_similarity=cosines[memory.id]))
    return sorted(neighbors, key=lambda near: (-near.key_similarity, near.memory.id))


def repeats(statement: str, memory: str) -> bool:
    """Whether most of what an assistant said stands in a memory: it was told of it."""
    statement_stems = stems(statement)
    return len(statement_stems & stems(memory)) >= max(
        LEAST_REPEATED, REPEATED_SHARE * len(statement_stems)
    )


def text_beside(fact: Fact, memory: Memory) -> str:
    """The text of a memory as a fact is compared with it.

    A rewritten fact names its speaker; what the same person said in the first person is read likewise.
    """
    if memory.write_source == "observer" and not fact.verbatim:
        return third_person(memory.content, memory.speaker)
    return memory.content


def reading_beside(text: str, memory: Memory) -> Reading:
    """The reading of `text_beside`: the one that is stored with the memory, if all of its text counts."""
    stored = text == memory.content and not memory.clause_states
    return reading_of(memory) if stored else of(text)


def worth_comparing(new: str, known: Reading, *, same_speaker: bool | None) -> bool:
    """Whether two texts are worth comparing by their own vectors.

    They are if what they say lets one change the other: they fill the same slot; or most words of
    the shorter text stand in the other (a few may be said differently), and they say the same; or
    one changes the other.
    """
    old = known.text
    if same_words(new, old):
        return True
    said = of(new)
    if not states(said).isdisjoint(states(known)):
        return True
    new_stems = stems(new)
    old_stems = stems(old)
    shorter = min(len(new_stems), len(old_stems))
    common = len(new_stems & old_stems)
    alike = common >= WORD_OVERLAP * shorter > 0 and shorter - common <= OTHER_WORDS
    if alike and entailment(new, old, same_speaker=bool(same_speaker)) != "different":
        return True
    return change(said, known, same_speaker=same_speaker) is not None


def pairs_to_compare(
    facts: Sequence[Fact],
    neighbors: Mapping[str, Sequence[Neighbor]],
    vectors: Mapping[str, FloatArray],
    *,
    every: bool,
) -> list[tuple[str, str]]:
    """The pairs of texts (new, old) that are worth comparing by their own vectors.

    Args:
        facts: the new facts.
        neighbors: of the facts, by `new_id`.
        vectors: of the facts' keys, by `new_id`, normalised.
        every: whether all neighbors are compared, not only those that rules could change.
    """
    pairs: dict[tuple[str, str], None] = {}
    for fact in facts:
        new = fact.content
        for neighbor in neighbors.get(fact.new_id, ()):
            memory = neighbor.memory
            old = memory.content
            if fact.answers != answers_of(memory):
                continue  # the same words may say something else there
            same_speaker = same_voice(fact.voice, memory)
            corrected = same_speaker and repeats(fact.turn.corrected, old)
            beside = text_beside(fact, memory)
            if (
                every
                or corrected
                or worth_comparing(new, reading_beside(beside, memory), same_speaker=same_speaker)
            ):
                pairs[new, old] = None
    if len(facts) > 1:
        _add_pairs_within_batch(facts, vectors, pairs)
    return list(pairs)


def _add_pairs_within_batch(
    facts: Sequence[Fact],
    vectors: Mapping[str, FloatArray],
    pairs: dict[tuple[str, str], None],
) -> None:
    """Pair each fact with earlier facts of the same batch that are worth comparing with it."""
    stacked = np.stack([vectors[fact.new_id] for fact in facts])
    stated: dict[tuple[str, str, str], list[str]] = {}
    earlier_texts: dict[str, list[str]] = {}
    for number, fact in enumerate(facts):
        new = fact.content
        voice = fact.voice
        candidates: list[str] = []
        for earlier in _nearest_earlier(number, facts, stacked):
            same_speaker = earlier.voice == voice
            if worth_comparing(new, of(earlier.content), same_speaker=same_speaker):
                candidates.append(earlier.content)
        if is_piece(of(new)):
            candidates += [
                earlier.content
                for earlier in facts[max(0, number - BATCH_CANDIDATES) : number]
                if earlier.voice == voice
            ]
        for subject, slot in filled(of(new)):
            key = (voice, subject, slot)
            candidates += stated.get(key, [])[-BATCH_CANDIDATES:]
            stated.setdefault(key, []).append(fact.content)
        earlier_texts[fact.content] = candidates  # of equal texts the last one counts
    for text, old_texts in earlier_texts.items():
        for other in old_texts:
            pairs[text, other] = None


def _nearest_earlier(number: int, facts: Sequence[Fact], stacked: FloatArray) -> list[Fact]:
    """The nearest of the earlier facts, by key, in a window of bounded size."""
    fact = facts[number]
    start = max(0, number - BATCH_WINDOW)
    cosines = dots(stacked[start:number], stacked[number])
    nearest: list[Fact] = []
    for index in np.argsort(-cosines)[:BATCH_CANDIDATES]:
        other = facts[start + int(index)]
        if cosines[index] < NEAR_BY_KEY or other.episode.id == fact.episode.id:
            continue
        if other.answers == fact.answers:
            nearest.append(other)
    return nearest


def similarities(
    services: Services, pairs: Sequence[tuple[str, str]]
) -> dict[str, dict[str, float]]:
    """Cosines, -1..1, of pairs of texts, by the first and then by the second text of a pair.

    Texts whose vectors are not cached are embedded in one call.

    Raises:
        EmbedderUnavailable: there is no vector.
    """
    keys: dict[str, str] = {}
    for pair in pairs:
        if not same_words(*pair):
            for text in pair:
                keys[text] = f"{services.embedder.fingerprint}\0{content_hash(text)}"
    vectors = services.recent.vectors(list(keys.values()))
    missing = [text for text, key in keys.items() if key not in vectors]
    if missing:
        rows = normalised(np.asarray(services.embedder.embed_documents(missing)))
        fresh = {keys[text]: row for text, row in zip(missing, rows, strict=True)}
        services.recent.keep_vectors(fresh.items())
        vectors |= fresh
    cosines: dict[str, dict[str, float]] = {}
    for new, old in pairs:
        same = same_words(new, old)
        cosine = 1.0 if same else float(vectors[keys[new]] @ vectors[keys[old]])
        cosines.setdefault(new, {})[old] = cosine
    return cosines
