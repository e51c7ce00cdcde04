"""BM25 over one namespace: rank_bm25's scores from postings, with documents that come and go.

The library scores every document for every query and must be rebuilt for every new one; here a
query reads only the postings of its words, and an add or a remove touches only the words of one
document. Scores equal the library's.
"""

from __future__ import annotations

import heapq
import math
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from cogmem_core.ports import Hit, best_first
from cogmem_core.storage.search.saved_views import texts_in, texts_of

K1 = 0.9
"""BM25's term saturation; 0.9 wins on conversations (measured on LoCoMo), the library's default is
1.5."""
B = 0.4
"""BM25's length normalization; 0.4 wins on conversations (measured on LoCoMo), the library's
default is 0.75."""
EPSILON = 0.25
"""Floor for negative inverse document frequencies, as a share of the mean."""

Floats = NDArray[np.float64]
Slots = NDArray[np.intp]
_NONE = np.empty(0, dtype=np.intc)
_FIRST_SLOTS = 16
_FREQUENT = 64  # documents of a word from which its postings are kept as arrays of numpy
_MOST_KEPT = 4_000_000  # such postings at most, over all words; 64 MB
_MANY = 64  # documents from which sorting all their words at once beats taking them one by one


class Bm25Index(BM25Okapi):  # type: ignore[misc]  # the library has no types
    """`rank_bm25.BM25Okapi` that grows and shrinks.

    All public methods and figures of the library are here, also those that nothing in this package
    asks for (`corpus_size`, `get_batch_scores`): the inherited `get_top_n` needs them, and an
    inherited one that fails would be worse than none.

    score(d, q) = Σ idf(t) · tf · (k1 + 1) / (tf + k1 · (1 - b + b · |d| / mean |d|)) over the words
    t of q, repeats counted; idf(t) = ln(N - df + ½) - ln(df + ½), and where that is negative
    epsilon · mean idf of the whole vocabulary (Trotman et al., "Improvements to BM25 and Language
    Models Examined", as rank_bm25 implements it). In tiny corpora a score may be 0 or negative
    although the document fits; so a shared token finds a document, never a positive score.

    Not thread-safe: the caller holds one lock around every method, queries included. A query may
    name another part of the same corpus that is its `sibling`: how rare a word is then counts
    over both, and so do mean lengths, so that scores of the one can be compared with scores of the
    other.
    """

    def __init__(self) -> None:
        # BM25Okapi.__init__ is left out: it divides by the size of the corpus, which is empty here.
        self.k1 = K1
        self.b = B
        self.epsilon = EPSILON
        self._slots: dict[str, int] = {}
        self._ids: list[str] = []
        self._lengths: Floats = np.zeros(_FIRST_SLOTS)
        self._forward = _Arrays()
        self._free: list[int] = []
        self._total_length = 0
        self._postings = _Postings()
        self._last: tuple[list[str], Floats, NDArray[np.bool_]] | None = None

    def columns(self) -> dict[str, NDArray[Any]]:
        """All of it as arrays of numbers, with the words as `terms`; the ids are those of `ids`, in order."""
        slots = np.fromiter(self._slots.values(), dtype=np.intp, count=len(self._slots))
        place_of = np.zeros(len(self._ids), dtype=np.intc)
        place_of[slots] = np.arange(len(slots))
        columns = self._postings.columns_of_all(place_of)
        words = [self._forward[slot] for slot in slots.tolist()]
        number_of = columns.pop("number_of")
        columns["words"] = number_of[_joined(words)]
        columns["word_counts"] = np.fromiter(map(len, words), dtype=np.intc, count=len(words))
        columns["lengths"] = self._lengths[slots]
        return columns

    @classmethod
    def from_columns(cls, ids: list[str], columns: Mapping[str, NDArray[Any]]) -> Bm25Index:
        """The inverse of `columns`."""
        index = cls()
        index._ids = ids
        index._slots = dict(zip(ids, range(len(ids)), strict=True))
        index._lengths = np.concatenate([columns["lengths"], np.zeros(_FIRST_SLOTS)])
        index._total_length = int(columns["lengths"].sum())
        index._forward = _Arrays(columns["words"], columns["word_counts"])
        index._postings = _Postings.from_columns(columns)
        return index

    @property
    def ids(self) -> list[str]:
        """The documents, in the order in which they were added."""
        return list(self._slots)

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, key: object) -> bool:
        return key in self._slots

    def known(self, keys: Iterable[str]) -> list[str]:
        """Those of some ids that are documents here."""
        slots = self._slots
        return [key for key in keys if key in slots]

    @property
    def corpus_size(self) -> int:
        """Number of documents, empty ones included."""
        return len(self._slots)

    @property
    def avgdl(self) -> float:
        """Mean number of tokens of a document; 0 without documents."""
        return self._total_length / len(self._slots) if self._slots else 0.0

    @property
    def average_idf(self) -> float:
        """Mean idf of the vocabulary, before the floor; 0 without words."""
        return self._postings.mean_idf(len(self._slots))

    def add(self, id: str, tokens: Sequence[str]) -> None:  # noqa: A002 - the field's name everywhere
        """Index a document; replaces an earlier one of the same id.

        Without tokens it counts, but is never found.
        """
        self.remove(id)
        self._last = None
        slot = self._new_slot(id)
        numbers = array("i")
        for term, frequency in Counter(tokens).items():
            numbers.append(self._postings.append(term, slot, frequency))
        self._slots[id] = slot
        self._forward[slot] = numbers
        self._lengths[slot] = len(tokens)
        self._total_length += len(tokens)

    def extend(self, items: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Index many documents, given as (id, tokens); the last one of an id wins."""
        documents = dict(items)
        if len(documents) < _MANY:
            for key, tokens in documents.items():
                self.add(key, tokens)
            return
        self._last = None
        for key in documents:
            self.remove(key)
        slots = list(map(self._new_slot, documents))
        lengths = list(map(len, documents.values()))
        words = self._postings.append_many(slots, list(documents.values()))
        for key, slot, length, numbers in zip(documents, slots, lengths, words, strict=True):
            self._slots[key] = slot
            self._forward[slot] = numbers
            self._lengths[slot] = length
        self._total_length += sum(lengths)

    def remove(self, id: str) -> None:  # noqa: A002
        """Forget a document and the words that only it had; unknown ids are ignored."""
        slot = self._slots.pop(id, None)
        if slot is None:
            return
        self._last = None
        for number in self._forward[slot]:
            self._postings.discard(number, slot)
        self._total_length -= int(self._lengths[slot])
        self._ids[slot], self._forward[slot] = "", array("i")
        self._free.append(slot)

    def top(self, tokens: Sequence[str], k: int, *, sibling: Bm25Index | None = None) -> list[Hit]:
        """The k best documents that share a token with the query, best first; equal scores in the order of their ids.

        The order depends on the documents alone, not on the sequence of adds and removes that led
        to them.
        """
        scores, touched = self._accumulate(tokens, sibling)
        slots = np.flatnonzero(touched)
        if k < 1 or not slots.size:
            return []
        chosen = self._best(slots, scores[slots], k)
        hits = [Hit(self._ids[slot], float(scores[slot])) for slot in chosen]
        return best_first(hits)

    def sharing(self, tokens: Sequence[str], k: int, *, postings: int) -> list[str]:
        """The k documents that share the rarest words with a text, best first: sums of idf, read off short lists only.

        Words are taken from the rarest on, as long as their lists together have at most `postings`
        entries, so the cost does not grow with the corpus.
        """
        frequencies = {term: self.frequency(term) for term in tokens}
        slots = list[Slots]()
        weights = list[Floats]()
        budget = postings
        for frequency, term in sorted(
            (count, term) for term, count in frequencies.items() if count
        ):
            budget -= frequency
            if budget < 0:
                break
            slots.append(self._postings.columns(term)[0])
            weights.append(np.full(frequency, self._idf(term, None)))
        if not slots:
            return []
        shared_slots, places = np.unique(np.concatenate(slots), return_inverse=True)
        sums = np.bincount(places, weights=np.concatenate(weights)).astype(np.float64)
        best = self._best(shared_slots.astype(np.intp), sums, k)
        score = dict(zip(shared_slots.tolist(), sums.tolist(), strict=True))
        best.sort(key=lambda slot: (-score[slot], self._ids[slot]))
        return [self._ids[slot] for slot in best]

    def scores(
        self, tokens: Sequence[str], ids: Sequence[str], *, sibling: Bm25Index | None = None
    ) -> list[float]:
        """BM25 scores of given documents.

        0 for unknown ids and for documents that share no token.
        """
        accumulated, _ = self._accumulate(tokens, sibling)
        return self._values_of(ids, accumulated)

    def _values_of(self, ids: Sequence[str], values: Floats) -> list[float]:
        """The value in each document's slot; 0 for unknown ids."""
        if not len(values):
            return [0.0] * len(ids)
        slots = np.array([self._slots.get(name, -1) for name in ids], dtype=np.intp)
        found: list[float] = np.where(slots < 0, 0.0, values[slots]).tolist()
        return found

    def coverage(
        self, tokens: Sequence[str], ids: Sequence[str], *, sibling: Bm25Index | None = None
    ) -> tuple[list[float], float]:
        """How much of a query each document holds, and how much of it any document holds; 0..1 each.

        A word weighs ln(1 + (N - df + ½) / (df + ½)), so rare words count more and unknown ones
        most; 0 without words.
        """
        indexes = (self,) if sibling is None else (self, sibling)
        documents = sum(map(len, indexes))
        held = np.zeros(len(self._ids))
        total = present = 0.0
        for term in set(tokens):
            frequency = sum(index.frequency(term) for index in indexes)
            weight = math.log1p((documents - frequency + 0.5) / (frequency + 0.5))
            total += weight
            if frequency:
                present += weight
            if self.frequency(term):
                held[self._postings.columns(term)[0]] += weight
        held /= total or 1.0
        return self._values_of(ids, held), present / (total or 1.0)

    def frequency(self, token: str) -> int:
        """How many documents hold the token."""
        return self._postings.frequency(token)

    def share(self, token: str) -> float:
        """The share of documents that hold the token, 0..1; 0 without documents."""
        return self.frequency(token) / len(self._slots) if self._slots else 0.0

    def get_scores(self, query: Sequence[str]) -> Floats:
        """The library's method: the scores of all documents, in the order in which they were added."""
        accumulated, _ = self._accumulate(query, None)
        return accumulated[list(self._slots.values())]

    def get_batch_scores(self, query: Sequence[str], doc_ids: Sequence[int]) -> list[float]:
        """The library's method: the scores of documents given by their position in the order of adding."""
        return list(map(float, self.get_scores(query)[list(doc_ids)]))

    def _new_slot(self, id: str) -> int:  # noqa: A002
        if self._free:
            slot = self._free.pop()
            self._ids[slot] = id
            return slot
        self._ids.append(id)
        if len(self._ids) > len(self._lengths):
            # A query that runs keeps the array that it has.
            self._lengths = np.concatenate([self._lengths, np.zeros(len(self._lengths) // 2)])
        self._forward.append(array("i"))
        return len(self._ids) - 1

    def _accumulate(
        self, tokens: Sequence[str], sibling: Bm25Index | None
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """Score by slot, and which slots share a token with the query.

        The last answer is kept until a change.
        """
        if sibling is not None:  # may have changed meanwhile
            return self._score(tokens, sibling)
        if self._last is None or self._last[0] != tokens:
            self._last = (list(tokens), *self._score(tokens, None))
        return self._last[1], self._last[2]

    def _score(
        self, tokens: Sequence[str], sibling: Bm25Index | None
    ) -> tuple[Floats, NDArray[np.bool_]]:
        scores = np.zeros(len(self._ids))
        touched = np.zeros(len(self._ids), dtype=np.bool_)
        mean = self._mean_length(sibling)
        lengths = self._lengths
        for term, repeats in Counter(tokens).items():
            if self.frequency(term):
                slots, frequencies = self._postings.columns(term)
                saturation = frequencies + self.k1 * (1 - self.b + self.b / mean * lengths[slots])
                scores[slots] += (
                    repeats * self._idf(term, sibling) * (self.k1 + 1) * (frequencies / saturation)
                )
                touched[slots] = True
        return scores, touched

    def _mean_length(self, sibling: Bm25Index | None) -> float:
        if sibling is None:
            return self.avgdl
        documents = len(self) + len(sibling)
        return (self._total_length + sibling._total_length) / (documents or 1) or 1.0

    def _idf(self, term: str, sibling: Bm25Index | None) -> float:
        frequency = self.frequency(term)
        documents = len(self._slots)
        mean = self.average_idf
        if sibling is not None:
            frequency = frequency + sibling.frequency(term)
            documents = documents + len(sibling)
            # The mean of the joint vocabulary would have to be counted.
            mean = max(self, sibling, key=len).average_idf
        if 2 * frequency > documents:
            return self.epsilon * mean
        return math.log(documents - frequency + 0.5) - math.log(frequency + 0.5)

    def _best(self, slots: Slots, values: Floats, k: int) -> list[int]:
        """The k slots with the highest values, unsorted.

        Among equal ones at the cut, the smallest ids.
        """
        if slots.size <= k:
            return list(map(int, slots))
        cut = np.partition(values, slots.size - k)[slots.size - k]
        above = list(map(int, slots[values > cut]))
        tied = heapq.nsmallest(
            k - len(above), slots[values == cut].tolist(), key=self._ids.__getitem__
        )
        return above + tied


class _Postings:
    """Which documents hold a word, how often; and how many words stand in how many documents.

    A word's postings are one array of C integers, slot and frequency in turn: small and cheap to
    extend. Numpy reads a copy: an array of which it has a view cannot grow, and an interrupt would
    keep the view in its traceback. Copies of frequent words are kept until the word changes.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._terms: list[str] = []
        self._data = _Arrays()
        self._free: list[int] = []
        self._kept: dict[int, tuple[Slots, Floats]] = {}
        self._kept_size = 0
        # number of words by document frequency: few distinct values, so the mean idf is cheap after
        # any change
        self._histogram: dict[int, int] = {}
        self._mean: tuple[int, float] | None = None

    def columns_of_all(self, place_of: NDArray[np.intc]) -> dict[str, NDArray[Any]]:
        """All postings as arrays.

        Args:
            place_of: the place of the document in each slot.

        Returns:
            Words (`terms`), pairs of place and frequency (`postings`), how many of each word
            (`posting_counts`), and the new number of each word by its former one (`number_of`).
        """
        numbers = list(self._numbers.values())
        number_of = np.zeros(len(self._terms), dtype=np.intc)
        number_of[numbers] = np.arange(len(numbers))
        data = [self._data[number] for number in numbers]
        pairs = _joined(data).reshape(-1, 2)
        pairs[:, 0] = place_of[pairs[:, 0]]
        return {
            "terms": texts_of(list(self._numbers)),
            "postings": pairs.reshape(-1),
            "posting_counts": np.fromiter(map(len, data), dtype=np.intc, count=len(data)),
            "number_of": number_of,
        }

    @classmethod
    def from_columns(cls, columns: Mapping[str, NDArray[Any]]) -> _Postings:
        """The inverse of `columns_of_all`."""
        postings = cls()
        postings._terms = texts_in(columns["terms"])
        postings._numbers = dict(zip(postings._terms, range(len(postings._terms)), strict=True))
        counts = columns["posting_counts"]
        postings._data = _Arrays(columns["postings"], counts)
        sizes, words = np.unique(counts // 2, return_counts=True)
        postings._histogram = dict(zip(sizes.tolist(), words.tolist(), strict=True))
        return postings

    def frequency(self, term: str) -> int:
        """Number of documents that hold the word."""
        number = self._numbers.get(term)
        return 0 if number is None else len(self._data[number]) // 2

    def columns(self, term: str) -> tuple[Slots, Floats]:
        """Slots and frequencies of a known word, to be read only."""
        number = self._numbers[term]
        kept = self._kept.get(number)
        if kept is None:
            pairs = np.array(self._data[number], dtype=np.intc)
            kept = pairs[0::2].astype(np.intp), pairs[1::2].astype(np.float64)
            if len(kept[0]) >= _FREQUENT:
                self._keep(number, kept)
        return kept

    def _keep(self, number: int, columns: tuple[Slots, Floats]) -> None:
        if self._kept_size > _MOST_KEPT:
            self._kept.clear()
            self._kept_size = 0
        self._kept[number] = columns
        self._kept_size += len(columns[0])

    def _changes(self, number: int) -> None:
        """Before a word's postings change."""
        kept = self._kept.pop(number, None)
        if kept is not None:
            self._kept_size -= len(kept[0])

    def append(self, term: str, slot: int, frequency: int) -> int:
        """Add a document that the word does not have yet; returns the word's number."""
        number = self._numbers.get(term)
        if number is None:
            number = self._new_number(term)
        self._changes(number)
        data = self._data[number]
        documents = len(data) // 2
        data.append(slot)
        data.append(frequency)
        self._move(documents, documents + 1)
        return number

    def append_many(
        self, slots: Sequence[int], documents: Sequence[Sequence[str]]
    ) -> list[array[int]]:
        """Add whole documents in slots that no word has yet.

        Returns the numbers of each one's words.
        """
        number_of = self._numbers.get
        new = self._new_number
        flat = array("i")
        for tokens in documents:
            flat.extend(
                [new(term) if (number := number_of(term)) is None else number for term in tokens]
            )
        lengths = list(map(len, documents))
        owners = np.repeat(np.arange(len(documents)), lengths)
        spellings = np.array(flat, dtype=np.int64)
        pairs, counts = np.unique(spellings * len(documents) + owners, return_counts=True)
        numbers, owners = np.divmod(pairs, len(documents))
        columns = np.stack([np.asarray(slots)[owners], counts], axis=1).astype(np.intc)
        for start, end in _runs(numbers):
            self._changes(int(numbers[start]))
            data = self._data[int(numbers[start])]
            former_count = len(data) // 2
            data.frombytes(columns[start:end].tobytes())
            self._move(former_count, former_count + end - start)
        words = [array("i") for _ in documents]
        order = np.argsort(owners, kind="stable")
        by_owner = owners[order]
        spelt = numbers[order].astype(np.intc)
        for start, end in _runs(by_owner):
            words[int(by_owner[start])].frombytes(spelt[start:end].tobytes())
        return words

    def discard(self, number: int, slot: int) -> None:
        """Take a document out: the last posting fills the gap.

        A word without documents is forgotten.
        """
        self._changes(number)
        data = self._data[number]
        place = 2 * _position(data, slot)
        data[place] = data[-2]
        data[place + 1] = data[-1]
        del data[-2:]
        self._move(len(data) // 2 + 1, len(data) // 2)
        if not data:
            del self._numbers[self._terms[number]]
            self._terms[number] = ""
            self._free.append(number)

    def mean_idf(self, documents: int) -> float:
        """Mean of ln(N - df + ½) - ln(df + ½) over the words.

        The same for the same counts, whatever their history.
        """
        if self._mean is None or self._mean[0] != documents:
            self._mean = (documents, self._compute_mean(documents))
        return self._mean[1]

    def _compute_mean(self, documents: int) -> float:
        if not self._histogram:
            return 0.0
        size = len(self._histogram)
        frequencies = np.fromiter(self._histogram.keys(), dtype=np.float64, count=size)
        terms = np.fromiter(self._histogram.values(), dtype=np.float64, count=size)
        idfs = np.log(documents - frequencies + 0.5) - np.log(frequencies + 0.5)
        return math.fsum((terms * idfs).tolist()) / len(self._numbers)

    def _new_number(self, term: str) -> int:
        if self._free:
            number = self._free.pop()
            self._terms[number] = term
        else:
            number = len(self._terms)
            self._terms.append(term)
            self._data.append(array("i"))
        self._numbers[term] = number
        return number

    def _move(self, former_count: int, new_count: int) -> None:
        """One word changed its document frequency."""
        self._mean = None
        histogram = self._histogram
        if former_count:
            if histogram[former_count] == 1:
                del histogram[former_count]
            else:
                histogram[former_count] -= 1
        if new_count:
            histogram[new_count] = histogram.get(new_count, 0) + 1


class _Arrays:
    """Arrays of C integers by number, each cut from what was written down when it is first asked for.

    A query asks for few of them.

    Args:
        flat: all that was written down, one array behind the other.
        counts: how many integers each holds.

    Raises:
        ValueError: the counts do not fit.
    """

    def __init__(self, flat: NDArray[np.intc] = _NONE, counts: NDArray[np.intc] = _NONE) -> None:
        self._content = flat.astype(np.intc).tobytes()
        sizes = np.cumsum(counts, dtype=np.int64) * np.dtype(np.intc).itemsize
        self._ends = [0, *sizes.tolist()]
        if self._ends[-1] != len(self._content):
            raise ValueError("counts that do not fit")
        self._cut: list[array[int] | None] = [None] * (len(self._ends) - 1)

    def __getitem__(self, number: int) -> array[int]:
        part = self._cut[number]
        if part is None:
            start, end = self._ends[number : number + 2]
            part = self._cut[number] = array("i", self._content[start:end])
        return part

    def __setitem__(self, number: int, part: array[int]) -> None:
        self._cut[number] = part

    def append(self, part: array[int]) -> None:
        """Add an array with the next number."""
        self._cut.append(part)


def _joined(parts: Sequence[array[int]]) -> NDArray[np.intc]:
    return np.frombuffer(b"".join(map(array.tobytes, parts)), dtype=np.intc).copy()


def _runs(values: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Start and end of each run of equal values."""
    cuts = (np.flatnonzero(np.diff(values)) + 1).tolist()
    return zip([0, *cuts], [*cuts, values.size], strict=True) if values.size else iter(())


def _position(data: array[int], slot: int) -> int:
    pairs: NDArray[Any] = np.array(data, dtype=np.intc)
    return int(np.argmax(pairs[0::2] == slot))
