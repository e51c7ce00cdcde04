"""What a user may name or hand over, the checks on its answers, and the cache of query vectors."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from cogmem_core.config import EmbeddingConfig
from cogmem_core.embedders import CachedEmbedder, CheckedEmbedder, resolve
from cogmem_core.errors import ConfigError, EmbedderUnavailable
from cogmem_core.ports import Embedder
from helpers.tables import each_row, rows_of

CONFIG = EmbeddingConfig()


class Clock:
    """Seconds that move only when told."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Fake:
    """An embedder that answers what it is told and keeps what it was asked."""

    fingerprint = "fake-2"
    dimension = 2

    def __init__(self, answer: Any = None) -> None:
        self.answer = answer
        self.asked: list[Any] = []

    def embed_documents(self, texts: Sequence[str]) -> Any:
        self.asked.append(list(texts))
        return [[3.0, 4.0]] * len(texts) if self.answer is None else self.answer

    def embed_query(self, text: str) -> Any:
        self.asked.append(text)
        return [3.0, 4.0] if self.answer is None else self.answer


class Several(Fake):
    """One that takes several queries in one call."""

    def embed_queries(self, texts: Sequence[str]) -> Any:
        self.asked.append(("queries", *texts))
        return [[0.0, 2.0]] * len(texts) if self.answer is None else self.answer


class TestResolve:
    """What a user may name or hand over."""

    @each_row(
        ("spec", "fingerprint"),
        [
            ("minilm", "minilm-1110a243-384"),
            ("hashing", "hashing-v1-384"),
            ("hashing:64", "hashing-v1-64"),
            ("openai:text-embedding-3-small", "openai:text-embedding-3-small:1536"),
            (Fake(), "fake-2"),
        ],
    )
    def test_names_and_objects_become_embedders(self, spec: str | object, fingerprint: str) -> None:
        """Each form ends in a checked embedder that fits the protocol."""
        embedder = resolve(spec, config=CONFIG)

        assert embedder.fingerprint == fingerprint
        assert isinstance(embedder, Embedder)

    @each_row(
        ("spec", "message"),
        [
            *rows_of("embedder_wrap/what_is_unknown_is_a_config_error"),
            (
                object(),
                "embedder of type object lacks fingerprint, dimension, embed_documents, embed_query",
            ),
            (Fake, "embedder is the class Fake; pass an instance"),
        ],
    )
    def test_what_is_unknown_is_a_config_error(self, spec: str | object, message: str) -> None:
        """The message lists what is known or missing."""
        with pytest.raises(ConfigError) as caught:
            resolve(spec, config=CONFIG)
        assert message in str(caught.value)

    def test_a_checked_embedder_is_not_wrapped_twice(self) -> None:
        """Resolving is idempotent."""
        embedder = resolve("hashing", config=CONFIG)

        assert resolve(embedder, config=CONFIG) is embedder

    def test_resolving_asks_nothing(self) -> None:
        """A property that would ask a server is not read."""

        class Remote(Fake):
            @property
            def dimension(self) -> int:  # type: ignore[override]
                raise AssertionError("asked")

        assert resolve(Remote(), config=CONFIG).fingerprint == "fake-2"


class TestChecked:
    """Answers that can be trusted."""

    @each_row(
        "answer",
        [
            [[3.0, 4.0], [0.0, 2.0]],
            ([3, 4], (0, 2)),
            np.array([[3.0, 4.0], [0.0, 2.0]], dtype=np.float64),
            np.array([[3e30, 4e30], [0.0, 2e-30]], dtype=np.float32),
        ],
    )
    def test_numbers_become_float32_unit_vectors(self, answer: Any) -> None:
        """Lists, tuples and arrays of any float type are welcome; extreme lengths keep their direction."""
        vectors = CheckedEmbedder(Fake(answer)).embed_documents(["a", "b"])

        assert vectors.dtype == np.float32
        np.testing.assert_allclose(vectors, [[0.6, 0.8], [0.0, 1.0]], rtol=1e-6)

    def test_zero_vectors_stay_zero(self) -> None:
        """Nothing is divided by zero."""
        assert CheckedEmbedder(Fake([0.0, 0.0])).embed_query("a").tolist() == [0.0, 0.0]

    @each_row(
        ("answer", "message"),
        [
            (
                [[1.0, 2.0]],
                r"embedder mine answered with shape \(1, 2\) for 2 texts; expected one vector per text",
            ),
            ([[1.0, 2.0, 3.0]] * 2, "vectors of 3 numbers; its dimension is 2"),
            ([[1.0, float("nan")], [1.0, 2.0]], "NaN or infinity for 1 of 2 texts"),
            ([[1.0, float("-inf")], [1.0, 1e39]], "NaN or infinity for 2 of 2 texts"),
            ([[1.0], [1.0, 2.0]], "did not answer with rows of numbers"),
            ([["a", "b"], ["c", "d"]], "did not answer with rows of numbers"),
            (np.array([None, object()]), "did not answer with rows of numbers"),
            ([1.0, 2.0], r"shape \(2,\) for 2 texts"),
            (7.0, r"shape \(\) for 2 texts"),
        ],
    )
    def test_unusable_answers_name_the_embedder_and_the_fault(
        self, answer: Any, message: str
    ) -> None:
        """Every fault ends in one typed error."""
        with pytest.raises(EmbedderUnavailable, match=message):
            CheckedEmbedder(Fake(answer), name="mine").embed_documents(["a", "b"])

    def test_texts_go_in_batches(self) -> None:
        """No call carries more than `batch_size` texts; the rows stay in order."""
        fake = Fake()

        assert CheckedEmbedder(fake, batch_size=2).embed_documents(list("abcde")).shape == (5, 2)
        assert fake.asked == [["a", "b"], ["c", "d"], ["e"]]

    def test_no_texts_ask_nobody(self) -> None:
        """An empty batch has the right shape."""
        fake = Fake()

        assert CheckedEmbedder(fake).embed_documents([]).shape == (0, 2)
        assert fake.asked == []

    def test_several_queries_are_one_call(self) -> None:
        """An embedder with `embed_queries` is asked once for all of them, and by it; one query needs no batch."""
        several = Several()
        embedder = CheckedEmbedder(several)

        assert embedder.embed_queries(["a", "b"]).tolist() == [[0.0, 1.0], [0.0, 1.0]]
        assert embedder.embed_queries(["a"]).tolist() == [pytest.approx([0.6, 0.8])]
        assert several.asked == [("queries", "a", "b"), "a"]

    def test_without_the_method_queries_are_asked_for_as_documents(self) -> None:
        """An embedder of the plain port: several as documents in batches, a single one as a query."""
        fake = Fake()
        embedder = CheckedEmbedder(fake, batch_size=2)

        assert embedder.embed_queries(["a", "b", "c"]).tolist() == [pytest.approx([0.6, 0.8])] * 3
        assert embedder.embed_queries(["d"]).shape == (1, 2)
        assert fake.asked == [["a", "b"], ["c"], "d"]

    @pytest.mark.parametrize("answer", [[[1.0, 2.0]], [[1.0], [2.0]], [[float("nan"), 1.0]] * 2])
    def test_wrong_answers_to_several_queries_are_refused(self, answer: Any) -> None:
        """Too few rows, another dimension, NaN."""
        several = Several(answer)

        with pytest.raises(EmbedderUnavailable, match="Several"):
            CheckedEmbedder(several).embed_queries(["a", "b"])

    def test_exceptions_of_user_code_are_converted_and_chained(self) -> None:
        """Whatever an embedder raises, callers handle one type and see the cause."""

        class Broken(Fake):
            def embed_query(self, text: str) -> Any:
                raise ZeroDivisionError("oops")

        with pytest.raises(
            EmbedderUnavailable,
            match=r"^embedder Broken: embed_query failed with ZeroDivisionError$",
        ) as caught:
            CheckedEmbedder(Broken()).embed_query("a")
        assert isinstance(caught.value.__cause__, ZeroDivisionError)

    @each_row("dimension", [0, -3, 2.0, True, "2", None])
    def test_a_dimension_that_is_no_positive_integer_is_refused(self, dimension: Any) -> None:
        """A wrong property is caught before anything is embedded."""
        fake = Fake()
        fake.dimension = dimension

        with pytest.raises(EmbedderUnavailable, match="has the dimension"):
            CheckedEmbedder(fake).embed_documents(["a"])
        assert fake.asked == []

    @pytest.mark.parametrize("fingerprint", ["", None, 3])
    def test_a_fingerprint_that_is_no_text_is_refused(self, fingerprint: Any) -> None:
        """Vectors without a name could be mixed."""
        fake = Fake()
        fake.fingerprint = fingerprint

        with pytest.raises(EmbedderUnavailable, match="has the fingerprint"):
            CheckedEmbedder(fake).fingerprint  # noqa: B018


class TestCached:
    """The cache of query vectors."""

    def make(self, **settings: Any) -> tuple[CachedEmbedder, Fake, Clock]:
        fake, clock = Fake(), Clock()
        return CachedEmbedder(CheckedEmbedder(fake), clock=clock, **settings), fake, clock

    def test_several_queries_ask_once_for_what_is_not_kept(self) -> None:
        """Partly cached: the rows stay in the order of the texts, and each text is asked for once."""
        several = Several()
        cached = CachedEmbedder(CheckedEmbedder(several), clock=Clock())
        cached.embed_query("b")
        several.asked.clear()

        rows = cached.embed_queries(["a", "b", "c", "a"])

        assert rows.tolist() == [[0.0, 1.0], pytest.approx([0.6, 0.8]), [0.0, 1.0], [0.0, 1.0]]
        assert several.asked == [("queries", "a", "c")]
        assert cached.embed_queries(["c", "a"]).tolist() == [[0.0, 1.0], [0.0, 1.0]]
        assert cached.embed_queries([]).shape == (0, 2)
        assert several.asked == [("queries", "a", "c")]

    def test_what_is_kept_is_had_at_once(self) -> None:
        """All of it or nothing; a local embedder answers at once, too."""
        cached, fake, clock = self.make(ttl_seconds=10)
        assert cached.queries_at_once(["a"]) is None
        assert fake.asked == []
        cached.embed_query("a")
        rows = cached.queries_at_once(["a", "a"])
        assert rows is not None
        assert rows.tolist() == [pytest.approx([0.6, 0.8])] * 2
        assert cached.queries_at_once(["a", "b"]) is None
        assert (cached.hits, cached.misses) == (2, 1)
        clock.seconds += 10
        assert cached.queries_at_once(["a"]) is None

        fake.local = True  # type: ignore[attr-defined]
        rows = cached.queries_at_once(["b"])
        assert rows is not None
        assert (rows.shape, fake.asked) == ((1, 2), ["a", "b"])

    def test_changing_an_answer_does_not_change_what_is_kept(self) -> None:
        """The rows belong to the caller."""
        cached, _, _ = self.make()
        cached.embed_queries(["a", "b"])[:] = 9.0

        assert cached.embed_query("a").tolist() == pytest.approx([0.6, 0.8])

    def test_the_least_recently_used_entry_leaves_first(self) -> None:
        """Two places, three texts."""
        cached, fake, _ = self.make(entries=2)
        for text in ("a", "b", "a", "c", "a", "b"):
            cached.embed_query(text)

        assert fake.asked == ["a", "b", "c", "b"]
        assert len(cached) == 2

    def test_entries_age_out(self) -> None:
        """V9: 30 minutes."""
        cached, fake, clock = self.make()
        for seconds in (0.0, 1799.9, 1800.0):
            clock.seconds = seconds
            cached.embed_query("a")

        assert fake.asked == ["a", "a"]

    def test_another_fingerprint_is_another_entry(self) -> None:
        """A vector of another model is never served."""
        cached, fake, _ = self.make()
        cached.embed_query("a")
        fake.fingerprint = "fake-3"
        cached.embed_query("a")

        assert fake.asked == ["a", "a"]

    def test_zero_entries_switch_it_off(self) -> None:
        """Nothing is kept."""
        cached, fake, _ = self.make(entries=0)
        cached.embed_query("a")
        cached.embed_query("a")

        assert (len(cached), fake.asked) == (0, ["a", "a"])

    def test_failures_are_not_kept(self) -> None:
        """An embedder that recovers is asked again."""
        cached, fake, _ = self.make()
        fake.answer = [float("nan"), 1.0]
        with pytest.raises(EmbedderUnavailable):
            cached.embed_query("a")
        fake.answer = None

        assert cached.embed_query("a").tolist() == pytest.approx([0.6, 0.8])

    def test_documents_pass_through(self) -> None:
        """Only queries are repeated."""
        cached, fake, _ = self.make()
        cached.embed_documents(["a", "b"])

        assert (fake.asked, len(cached)) == ([["a", "b"]], 0)
        assert (cached.fingerprint, cached.dimension) == ("fake-2", 2)

    def test_closing_forgets(self) -> None:
        """No vector stays behind."""
        cached, _, _ = self.make()
        cached.embed_query("a")
        cached.close()

        assert len(cached) == 0
