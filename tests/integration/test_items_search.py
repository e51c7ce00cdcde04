"""Documents: how they are ranked, and when their time is over."""

from pathlib import Path
from typing import Any

import pytest

from cogmem_core import EmbedderUnavailable, Engine, InvalidInput, Items, MemoryBank
from cogmem_core.results import ItemWrite
from cogmem_core.testing import CountingEmbedder, FrozenClock
from helpers.documents import SOUP
from helpers.tables import each_row

TEXTS = {
    "soup": "Lentil soup with mint",
    "stew": "Lentil stew with cumin",
    "cello": "The cello needs new strings",
}


@pytest.fixture
def three(items: Items) -> Items:
    for key, text in TEXTS.items():
        items.put(("a",), key, {"text": text}, texts=[text])
    return items


def keys(found: tuple[Any, ...]) -> list[str]:
    return [item.key for item in found]


class TestVectors:
    """`put(vector=)` and `search(vector=)`: the caller's own model ranks."""

    @pytest.fixture
    def own(self, items: Items) -> Items:
        for key, vector in {"x": [3, 0], "y": [0, 2], "xy": [1, 1]}.items():
            items.put(("a",), key, {"n": key}, texts=[SOUP], vector=vector)
        return items

    def test_the_nearest_comes_first_with_its_cosine(self, own: Items) -> None:
        found = own.search(vector=[1, 0])
        assert [(item.key, round(item.score or 0.0, 3)) for item in found] == [
            ("x", 1.0),
            ("xy", 0.707),
            ("y", 0.0),
        ]

    def test_a_vector_of_the_banks_own_model_compares_texts(
        self, three: Items, embedder: CountingEmbedder
    ) -> None:
        asked = embedder.embed_query("lentil mint soup")
        by_vector = three.search(vector=asked)
        by_query = three.search(query="lentil mint soup")
        assert by_vector == by_query
        assert by_vector[0].key == "soup"

    def test_with_both_each_document_is_compared_by_what_it_has(self, own: Items) -> None:
        own.put(("a",), "text", {}, texts=["The cello needs new strings"])
        found = own.search(query="The cello needs new strings", vector=[0, 1])
        assert keys(found) == ["text", "y", "xy", "x"]

    def test_the_query_is_not_embedded_where_all_have_a_vector(
        self, own: Items, embedder: CountingEmbedder
    ) -> None:
        embedder.failure = EmbedderUnavailable("the model is asleep")
        assert keys(own.search(query="soup", vector=[0, 1], limit=1)) == ["y"]

    def test_another_length_is_refused(self, own: Items, embedder: CountingEmbedder) -> None:
        lengths = f"vectors of 2, {embedder.dimension}"
        with pytest.raises(InvalidInput, match=f"vector has 3 numbers.*{lengths}"):
            own.search(vector=[1, 0, 0])

    @each_row("bad", ["ab", [], [[1.0]], [float("nan")], ["a"], [None], 5, [0.0] * 65_537])
    def test_what_is_no_vector_is_refused(self, items: Items, bad: Any) -> None:
        with pytest.raises(InvalidInput, match="vector is a"):
            items.put(("a",), "k", {}, vector=bad)
        with pytest.raises(InvalidInput, match="vector is a"):
            items.search(vector=bad)
        assert items.search() == ()


class TestWords:
    """`search(words=)`: 0 = meaning, 1 = words."""

    def test_words_alone_find_only_what_shares_one(self, three: Items) -> None:
        found = three.search(query="cumin lentil", words=1.0)
        assert [(item.key, item.score is not None) for item in found] == [
            ("stew", True),
            ("soup", True),
            ("cello", False),
        ]

    def test_words_weigh_in(self, three: Items) -> None:
        found = three.search(query="strings", words=0.5)
        assert found[0].key == "cello"
        assert all(item.score is not None for item in found)

    def test_words_need_a_query(self, items: Items) -> None:
        with pytest.raises(InvalidInput, match="words is given without a query"):
            items.search(words=0.5)


class TestDiversity:
    """`search(mmr_lambda=)`."""

    def test_what_repeats_gives_way(self, items: Items) -> None:
        for key in ("one", "two", "three"):
            items.put(("a",), key, {}, texts=["Lentil soup with mint"])
        items.put(("a",), "other", {}, texts=["Soup of onions"])
        assert keys(items.search(query="lentil soup", limit=2)) == ["three", "two"]
        assert keys(items.search(query="lentil soup", limit=2, mmr_lambda=0.3)) == [
            "three",
            "other",
        ]
        assert keys(items.search(query="lentil soup", limit=2, mmr_lambda=0.3, fetch=3)) == [
            "three",
            "two",
        ]

    def test_own_vectors_count_too(self, items: Items) -> None:
        for key, vector in {"a": [1, 0], "b": [1, 0.01], "c": [0.6, 0.8]}.items():
            items.put(("a",), key, {}, vector=vector)
        assert keys(items.search(vector=[1, 0], limit=2, mmr_lambda=0.3)) == ["a", "c"]


class TestEnds:
    """`put(ttl=)`."""

    @pytest.mark.parametrize("how", ["write", "worker"])
    def test_its_texts_leave_recall_by_themselves(
        self, items: Items, bank: MemoryBank, clock: FrozenClock, how: str
    ) -> None:
        items.put(("a",), "k", {}, texts=[SOUP], ttl=60)
        clock.advance(minutes=2)
        if how == "write":
            items.put(("b",), "other", {})
        else:
            bank.engine.flush()
        assert [memory.state for memory in bank.list(state="any")] == ["forgotten"]

    def test_writing_it_again_begins_anew(self, items: Items, clock: FrozenClock) -> None:
        first = items.put(("a",), "k", {"n": 1}, texts=[SOUP], ttl=60)
        clock.advance(seconds=30)
        again = items.put(("a",), "k", {"n": 2}, texts=[SOUP])
        assert (again.ttl, again.expires_at, again.created_at) == (None, None, first.created_at)
        items.put(("a",), "k", {"n": 3}, texts=[SOUP], ttl=60)
        clock.advance(minutes=2)
        born = items.put(("a",), "k", {"n": 4}, texts=[SOUP])
        assert born.created_at == clock.now
        assert keys(items.search(query=SOUP)) == ["k"]

    @each_row("bad", [0, -1, True, "60", float("nan"), float("inf"), 1e12])
    def test_what_is_no_time_is_refused(self, items: Items, bad: Any) -> None:
        with pytest.raises(InvalidInput, match=r"ttl is .*seconds above 0"):
            items.write([ItemWrite(("a",), "k", {}, ttl=bad)])
        assert items.get(("a",), "k") is None


def test_export_and_import_keep_ends_and_vectors(
    items: Items, bank: MemoryBank, engine: Engine, tmp_path: Path
) -> None:
    """A document goes on living as long as it had left."""
    put = items.put(("a",), "k", {"n": 1}, texts=[SOUP], ttl=3_600, vector=[1, 2.5])
    bank.export(tmp_path / "bank.jsonl")
    other = engine.bank("other")
    other.import_(tmp_path / "bank.jsonl")
    (item,) = other.items().search(vector=[1, 2.5])
    assert (item.ttl, item.expires_at, item.score) == (3_600.0, put.expires_at, 1.0)
