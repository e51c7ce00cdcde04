"""Finds documents by path and key, by meaning, by words, by a vector of the caller's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any, TypeGuard

import numpy as np

from cogmem_core.config import Config
from cogmem_core.edge import checks
from cogmem_core.encoding.sanitize import sanitize_address, sanitize_labels
from cogmem_core.errors import InvalidInput
from cogmem_core.maths.diversity import mmr
from cogmem_core.maths.products import dots, normalised
from cogmem_core.ports import FloatArray
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.documents import Head
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.storage.search.corpus import Corpus
from cogmem_core.text.tokens import tokens
from cogmem_core.values.results import Item

Where = Callable[[Mapping[str, Any]], bool]
"""Whether a document with this value is wanted."""
_LONGEST_VECTOR = 65_536


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """A search, checked; see `Items.search`."""

    prefix: tuple[str, ...]
    query: str | None
    vector: FloatArray | None
    words: float
    where: Where | None
    limit: int
    offset: int
    mmr_lambda: float | None
    fetch: int

    @classmethod
    def checked(cls, values: Mapping[str, Any], config: Config) -> DocumentQuery:
        """Check every field.

        Raises:
            InvalidInput: names the first field that is unusable.
        """
        query = values["query"]
        vector = values["vector"]
        where = values["where"]
        weight = values["mmr_lambda"]
        if where is not None and not callable(where):
            raise InvalidInput(
                f"where is {where!r}; give a function that says of a value whether it is wanted"
            )
        words = checks.fraction("words", values["words"])
        if words and query is None:
            raise InvalidInput("words is given without a query; give query=, too")
        return cls(
            prefix=sanitize_labels(
                "prefix", checks.folder("prefix", values["prefix"]), config.encoding
            ),
            query=None if query is None else checks.text("query", query, config.limits.query_bytes),
            vector=None if vector is None else checked_vector(vector),
            words=words,
            where=where,
            limit=checks.whole("limit", values["limit"]),
            offset=checks.whole("offset", values["offset"]),
            mmr_lambda=None if weight is None else checks.fraction("mmr_lambda", weight),
            fetch=checks.positive("fetch", values["fetch"]),
        )


def checked_vector(value: object) -> FloatArray:
    """A vector of a caller's.

    Raises:
        InvalidInput: it is no list of finite numbers, or too long.
    """
    try:
        vector = np.asarray(value, dtype=np.float32)
    except (TypeError, ValueError):
        vector = np.empty(0, dtype=np.float32)
    usable = vector.ndim == 1 and 0 < len(vector) <= _LONGEST_VECTOR
    if not usable or not np.isfinite(vector).all():
        raise InvalidInput(
            f"vector is a {type(value).__name__} of shape {vector.shape}; give a list of 1 to "
            f"{_LONGEST_VECTOR:,} finite numbers"
        )
    return vector


def get(services: Services, namespace: str, path: Sequence[str], key: str) -> Item | None:
    """The document, if there is one.

    Raises:
        InvalidInput: path or key is unusable.
    """
    at = sanitize_address(checks.address(path, key), services.config.encoding)
    with services.ledger.reading(namespace) as ns:
        return ns.documents.at([at], now=services.runtime.now()).get(at)


def paths(services: Services, namespace: str) -> list[tuple[str, ...]]:
    """The folders that hold documents, sorted."""
    with services.ledger.reading(namespace) as ns:
        return ns.documents.paths(now=services.runtime.now())


def search(services: Services, namespace: str, query: DocumentQuery) -> list[Item]:
    """The best first, then what cannot be compared; without query and vector those that were written last first.

    Raises:
        EmbedderUnavailable: there is no vector of the query.
        InvalidInput: nothing can be compared with a vector of that length.
    """
    now = services.runtime.now()
    with services.ledger.reading(namespace) as ns:
        if query.query is None and query.vector is None:
            return _newest(ns, query, now)
        heads = _heads(ns, query, now)
    text_vector = _text_vector(services, query, heads)
    with services.ledger.whole() as reader:
        ranking = _Ranking(heads)
        ranking.compare_vectors(query.vector)
        if text_vector is not None:
            ranking.compare_texts(services, reader.at(namespace), text_vector)
        if query.words:
            ranking.count_words(services, reader.at(namespace), query)
        order = ranking.order()
        if query.mmr_lambda is not None:
            order = ranking.diverse(reader.at(namespace), order, query)
        page = order[query.offset : query.offset + query.limit]
        items = reader.at(namespace).documents.at([heads[place].at for place in page], now=now)
    page_items = [(items.get(heads[place].at), ranking.scores.get(place)) for place in page]
    # One may have been deleted or rewritten since its head was read.
    return [replace(item, score=score) for item, score in page_items if _still_wanted(item, query)]


def _still_wanted(item: Item | None, query: DocumentQuery) -> TypeGuard[Item]:
    return item is not None and (query.where is None or bool(query.where(item.value)))


def _newest(ns: Namespace, query: DocumentQuery, now: datetime) -> list[Item]:
    where = query.where
    limit = query.limit
    offset = query.offset
    if where is None:
        return list(ns.documents.below(query.prefix, limit=limit, offset=offset, now=now))
    matches = (item for item in ns.documents.below(query.prefix, now=now) if where(item.value))
    return list(islice(matches, offset, offset + limit))


def _heads(ns: Namespace, query: DocumentQuery, now: datetime) -> list[Head]:
    """The documents that are compared: a filter holds before anything is ranked."""
    where = query.where
    if where is None:
        return ns.documents.heads(query.prefix, now=now, vectors=query.vector is not None)
    matches = (item for item in ns.documents.below(query.prefix, now=now) if where(item.value))
    return [Head((item.path, item.key), item.memory_ids, item.vector) for item in matches]


def _text_vector(
    services: Services, query: DocumentQuery, heads: Sequence[Head]
) -> FloatArray | None:
    """What texts are compared with; None if none have to be."""
    own = query.vector
    compared = [own is not None and _comparable(head.vector, own) for head in heads]
    if all(compared) or query.words == 1:
        return None
    if query.query is not None:
        return services.embedder.embed_query(query.query)
    if own is not None and len(own) == services.embedder.dimension:
        return _normalised(own)
    if any(compared):
        return None
    lengths = {len(head.vector) for head in heads if head.vector is not None}
    dimensions = ", ".join(map(str, sorted({services.embedder.dimension, *lengths})))
    raise InvalidInput(
        f"vector has {0 if own is None else len(own)} numbers, the documents are compared by "
        f"vectors of {dimensions}; give the vector of the model that made theirs, or query="
    )


def _comparable(own: FloatArray | None, vector: FloatArray) -> TypeGuard[FloatArray]:
    return own is not None and len(own) == len(vector)


def _normalised(vector: FloatArray) -> FloatArray:
    row: FloatArray = normalised(vector.reshape(1, -1))[0]
    return row


class _Ranking:
    """How similar documents are to a query.

    Attributes:
        scores: by the document's place among `heads`; one that cannot be compared has none.
        texts: the id of the text that fits best, by place.
        vectors: the caller's own, normalised, by place; of those that were compared by it.
    """

    def __init__(self, heads: Sequence[Head]) -> None:
        self.heads = heads
        self.scores: dict[int, float] = {}
        self.texts: dict[int, str] = {}
        self.vectors: dict[int, FloatArray] = {}
        self._places = {name: at for at, head in enumerate(heads) for name in head.memory_ids}

    def compare_vectors(self, vector: FloatArray | None) -> None:
        """Compare the caller's own vectors."""
        if vector is None:
            return
        own = {
            place: head.vector
            for place, head in enumerate(self.heads)
            if _comparable(head.vector, vector)
        }
        if own:
            rows = normalised(np.stack(list(own.values())))
            cosines = map(float, dots(rows, _normalised(vector)))
            self.scores.update(zip(own, cosines, strict=True))
            self.vectors.update(zip(own, rows, strict=True))

    def compare_texts(self, services: Services, ns: Namespace, vector: FloatArray) -> None:
        """Compare the texts of all others; the best one of a document counts."""
        owner = {name: at for name, at in self._places.items() if at not in self.vectors}
        if not owner:
            return
        view = services.searcher.view(ns)
        for hit in services.searcher.among(ns, view, owner, vector, len(owner)).hits:
            if owner[hit.id] not in self.texts:
                self.texts[owner[hit.id]] = hit.id
                self.scores[owner[hit.id]] = hit.score

    def count_words(self, services: Services, ns: Namespace, query: DocumentQuery) -> None:
        """Weigh in how much of the query's words a document holds, 0..1.

        One half is the share of the words, of which rare ones count more; the other one BM25, in
        proportion to the best.
        """
        terms = tokens(query.query or "")
        ids = list(self._places)
        corpus = Corpus(services.searcher.view(ns), services.searcher.view(ns, cold=True))
        shares, _ = corpus.coverage(terms, ids)
        ranks = np.maximum(np.array(corpus.scores(terms, ids)), 0.0)
        ranks /= ranks.max(initial=0.0) or 1.0
        words: dict[int, float] = {}
        for place, share, rank in zip(self._places.values(), shares, ranks, strict=True):
            if share:
                words[place] = max(words.get(place, 0.0), (share + float(rank)) / 2)
        if query.words == 1:
            self.scores = words
            return
        for place in self.scores.keys() | words.keys():
            meaning = self.scores.get(place, 0.0)
            self.scores[place] = (1 - query.words) * meaning + query.words * words.get(place, 0.0)

    def order(self) -> list[int]:
        """Places, the best first, those without a score last."""
        return sorted(
            range(len(self.heads)),
            key=lambda place: (place not in self.scores, -self.scores.get(place, 0.0), place),
        )

    def diverse(self, ns: Namespace, order: Sequence[int], query: DocumentQuery) -> list[int]:
        """The best that do not repeat each other, out of the `fetch` best."""
        best = [place for place in order if place in self.scores][: query.fetch]
        stored = ns.memories.vectors([self.texts[place] for place in best if place in self.texts])
        by_text = {place: stored.get(memory_id) for place, memory_id in self.texts.items()}
        vectors = [self.vectors.get(place, by_text.get(place)) for place in best]
        width = next((len(vector) for vector in vectors if vector is not None), 0)
        alike = [v if v is not None and len(v) == width else None for v in vectors]
        scores = [self.scores[place] for place in best]
        picks = mmr(scores, alike, query.offset + query.limit, query.mmr_lambda or 0.0)
        return [best[pick] for pick in picks]
