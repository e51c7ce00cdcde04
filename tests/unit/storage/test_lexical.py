"""The lexical index gives rank_bm25's scores after any history of adds and removes."""

import math
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from cogmem_core.ports import Hit
from cogmem_core.storage.search.bm25 import Bm25Index
from helpers.tables import each_row

WORDS = st.lists(st.sampled_from("abcdef"), max_size=7)
IDS = st.sampled_from([f"m{number}" for number in range(9)])
STEPS = st.lists(st.one_of(st.tuples(IDS, WORDS), st.tuples(IDS, st.none())), max_size=40)


def tuned(k1: float, b: float, epsilon: float) -> Bm25Index:
    """An empty index with other numbers than its own."""
    index = Bm25Index()
    index.k1 = k1
    index.b = b
    index.epsilon = epsilon
    return index


INDEXES = st.builds(
    tuned,
    st.sampled_from([0.5, 0.9, 1.5]),
    st.sampled_from([0.0, 0.4, 1.0]),
    st.sampled_from([0.0, 0.25]),
)


def index_of(**documents: str) -> Bm25Index:
    index = Bm25Index()
    index.extend((key, text.split()) for key, text in documents.items())
    return index


def library_scores(
    tuned_as: Bm25Index, model: dict[str, list[str]], query: list[str]
) -> dict[str, float]:
    """The library's scores of the documents that share a token with the query."""
    sharing = [key for key, tokens in model.items() if set(tokens) & set(query)]
    if not sharing:
        return {}
    library = BM25Okapi(
        list(model.values()), k1=tuned_as.k1, b=tuned_as.b, epsilon=tuned_as.epsilon
    )
    with np.errstate(
        invalid="ignore"
    ):  # at b = 1 the library divides 0 by 0 for documents without tokens
        scores = dict(zip(model, library.get_scores(query).tolist(), strict=True))
    return {key: scores[key] for key in sharing}


def replay(index: Bm25Index, steps: list[tuple[str, list[str] | None]]) -> dict[str, list[str]]:
    """Apply steps to the index and to a dict, the model."""
    model: dict[str, list[str]] = {}
    for key, tokens in steps:
        model.pop(key, None)
        if tokens is None:
            index.remove(key)
        else:
            index.add(key, tokens)
            model[key] = tokens
    return model


class TestAgainstTheLibrary:
    @settings(max_examples=100, deadline=None)
    @given(INDEXES, STEPS, st.lists(st.sampled_from("abcdefz"), max_size=5))
    def test_scores_equal_after_any_history(
        self, index: Bm25Index, steps: list[tuple[str, list[str] | None]], query: list[str]
    ) -> None:
        """After adds, replacements and removes, `top` and `scores` are rank_bm25's to 1e-9."""
        model = replay(index, steps)
        expected = library_scores(index, model, query)
        assert {hit.id: hit.score for hit in index.top(query, 100)} == pytest.approx(
            expected, abs=1e-9
        )
        assert index.scores(query, list(model)) == pytest.approx(
            [expected.get(key, 0.0) for key in model], abs=1e-9
        )
        assert index.get_scores(query).tolist() == pytest.approx(
            index.scores(query, list(model)), abs=0
        )

    @settings(max_examples=60)
    @given(STEPS, WORDS)
    def test_queries_between_the_changes_leave_no_trace(
        self, steps: list[tuple[str, list[str] | None]], query: list[str]
    ) -> None:
        """An index that was asked after every step equals one that was loaded at once, to the last bit."""
        index, fresh = Bm25Index(), Bm25Index()
        model: dict[str, list[str]] = {}
        for key, tokens in steps:
            model.pop(key, None)
            if tokens is not None:
                model[key] = tokens
            replay(index, [(key, tokens)])
            index.top(query, 3)
        fresh.extend(model.items())
        assert index.top(query, 5) == fresh.top(query, 5)
        assert (len(index), index.avgdl, index.average_idf) == (
            len(fresh),
            fresh.avgdl,
            fresh.average_idf,
        )

    def test_it_can_stand_in_for_the_library(self) -> None:
        """The library's own methods work, in the order of adding."""
        documents = [["red", "apple"], ["green", "pear"], ["blue", "sky"], ["blue", "sea"]]
        index, library = Bm25Index(), BM25Okapi(documents, k1=0.9, b=0.4)
        index.extend((str(number), tokens) for number, tokens in enumerate(documents))
        assert index.get_top_n(["pear"], documents, 1) == [["green", "pear"]]
        assert index.get_batch_scores(["sky"], [0, 2]) == pytest.approx(
            library.get_batch_scores(["sky"], [0, 2])
        )
        assert (index.corpus_size, index.avgdl) == (library.corpus_size, library.avgdl)
        assert index.average_idf == pytest.approx(library.average_idf)


class TestTop:
    def test_a_word_in_half_of_a_tiny_corpus_is_found(self) -> None:
        """Its idf is exactly 0, and still it matches."""
        assert index_of(a="red", b="blue").top(["red"], 5) == [Hit("a", 0.0)]

    def test_equal_scores_are_ordered_by_id(self) -> None:
        """Neither the order of adding nor a reused place shows."""
        index = index_of(d="x", c="x", e="y", b="x", f="y", g="z", h="z")
        index.remove("d")
        index.add("a", ["x"])
        assert [hit.id for hit in index.top(["x"], 2)] == ["a", "b"]

    @settings(max_examples=60)
    @given(STEPS, WORDS, st.integers(0, 9))
    def test_k_cuts_the_full_ranking(
        self, steps: list[tuple[str, list[str] | None]], query: list[str], k: int
    ) -> None:
        """The k best are the start of all hits."""
        index = Bm25Index()
        replay(index, steps)
        assert index.top(query, k) == index.top(query, 100)[:k]


def rarest(model: dict[str, list[str]], query: Iterable[str], postings: int) -> dict[str, float]:
    """By brute force: sums of idf of the rarest words whose documents are together no more than `postings`."""
    frequency = {word: sum(word in tokens for tokens in model.values()) for word in set(query)}
    found: dict[str, float] = {}
    left = postings
    for word, count in sorted(frequency.items(), key=lambda item: (item[1], item[0])):
        left -= count
        if left < 0:
            break
        for key, tokens in model.items():
            if word in tokens:
                idf = math.log(len(model) - count + 0.5) - math.log(count + 0.5)
                found[key] = found.get(key, 0.0) + idf
    return found


class TestSharing:
    @settings(max_examples=80)
    @given(STEPS, WORDS, st.integers(1, 9), st.integers(0, 30))
    def test_it_is_what_brute_force_finds(
        self, steps: list[tuple[str, list[str] | None]], query: list[str], k: int, postings: int
    ) -> None:
        """After any history: the same documents, by falling sums of idf, equal ones in the order of their ids."""
        index = tuned(0.9, 0.4, 0.0)
        model = replay(index, steps)
        assume(
            all(
                2 * sum(word in tokens for tokens in model.values()) <= len(model) for word in query
            )
        )
        expected = rarest(model, query, postings)
        ranked = sorted(expected, key=lambda key: (-round(expected[key], 9), key))
        found = index.sharing(query, k, postings=postings)
        assert len(set(found)) == len(found)
        assert [expected[key] for key in found] == pytest.approx(
            [expected[key] for key in ranked[:k]]
        )

    def test_rare_words_count_more(self) -> None:
        """A document with the one rare word comes before one with two common ones."""
        index = index_of(
            a="cello",
            b="tea milk",
            c="tea milk",
            d="tea milk",
            e="sun",
            f="sea",
            g="sky",
            h="ice",
            i="fog",
        )
        assert index.sharing(["cello", "tea", "milk"], 2, postings=100) == ["a", "b"]

    @each_row(("postings", "found"), [(0, []), (1, ["a"]), (3, ["a"]), (4, ["a", "b", "c", "d"])])
    def test_no_more_postings_are_read_than_told(self, postings: int, found: list[str]) -> None:
        """So the cost does not grow with the corpus: "tea" stands in three documents, "cello" in one."""
        index = index_of(a="cello", b="tea", c="tea", d="tea", e="sun", f="sea", g="sky")
        assert index.sharing(["tea", "cello", "tea"], 9, postings=postings) == found

    def test_a_word_in_every_document_does_not_cost_every_document(self) -> None:
        """10,000 documents share "the"; only the one with the rare word is looked at."""
        index = Bm25Index()
        index.extend((f"m{number:05d}", ["the", f"w{number}"]) for number in range(10_000))
        assert index.sharing(["the", "w77"], 4, postings=1_000) == ["m00077"]


class TestLife:
    def test_share_is_the_part_of_the_documents_that_hold_a_word(self) -> None:
        """Repeats within a document count once, documents without words count, too."""
        index = index_of(a="red red", b="red blue", c="blue", d="")
        assert (index.share("red"), index.share("blue"), index.share("pink")) == (0.5, 0.5, 0.0)


def test_postings_that_are_kept_follow_the_documents() -> None:
    """Of a word that stands in a hundred documents: after any change the scores are the library's."""
    index = Bm25Index()
    model = {f"m{n:03}": ["tea", *["green"] * (n % 3), f"word{n}"] for n in range(100)}
    index.extend(model.items())
    for name, tokens in (("m100", ["tea", "tea"]), ("m007", ["green", "milk"]), ("m050", None)):
        for query in (["tea", "green"], ["milk"]):
            expected = library_scores(index, model, query)
            assert dict(zip(expected, index.scores(query, list(expected)), strict=True)) == (
                pytest.approx(expected, abs=1e-9)
            )
        index.remove(name)
        model.pop(name, None)
        if tokens is not None:
            index.add(name, tokens)
            model[name] = tokens
    assert index.frequency("tea") == 99
    assert len(index.top(["tea"], 200)) == 99
