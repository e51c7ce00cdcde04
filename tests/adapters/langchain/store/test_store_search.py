"""`CogMemStore` as LangGraph uses it: what a search finds, and which namespaces there are."""

import json

import pytest

from cogmem_core import InvalidInput, MemoryBank
from helpers.store_items import CELLO, RAIN, keys
from langchain_cogmem.store import CogMemStore


class TestSearch:
    """LangGraph: `search`."""

    def test_the_best_come_first(self, store: CogMemStore) -> None:
        """Suites of checkpoint-sqlite and checkpoint-postgres: scores descend; what is not indexed has none."""
        store.put(("docs",), "both", {"text": "cello music in the rain"}, index=["text"])
        store.put(("docs",), "one", {"text": "a cello"}, index=["text"])
        store.put(("docs",), "none", {"text": "the tax return"}, index=["text"])
        store.put(("docs",), "hidden", {"text": "cello rain"}, index=False)
        found = store.search(("docs",), query="cello rain")
        assert keys(found)[-1] == "hidden"
        assert set(keys(found)[:2]) == {"both", "one"}
        scores = [item.score for item in found]
        assert scores[3] is None
        assert scores[0] >= scores[1] > scores[2]

    def test_without_a_query_the_newest_come_first(self, store: CogMemStore) -> None:
        """As LangGraph's durable stores do; ten at most unless told otherwise."""
        for number in range(12):
            store.put(("docs",), str(number), {"n": number})
        store.put(("docs",), "3", {"n": 33})
        assert keys(store.search(("docs",))) == ["3", "11", "10", "9", "8", "7", "6", "5", "4", "2"]
        assert keys(store.search(("docs",), limit=2, offset=11)) == ["0"]
        assert keys(store.search(("docs",), query="  ", limit=1)) == ["3"]

    def test_a_label_is_compared_whole(self, store: CogMemStore) -> None:
        """Suites of checkpoint-sqlite and checkpoint-postgres: ("a",) does not hold ("ab",), nor "a%" "ab"."""
        labels = ("a", "ab", "a%", "a_", "A", "a*", 'a"', "a,", "a]", "größe", "a\n", "\\")
        for label in labels:
            store.put((label,), "k", {"of": label})
            store.put((label, "deeper"), "k", {"of": label})
        for label in labels:
            found = store.search((label,))
            assert [item.namespace for item in found] == [(label, "deeper"), (label,)]
            assert store.list_namespaces(prefix=(label,)) == [(label,), (label, "deeper")]
        assert store.search(("a", "deep")) == []

    def test_an_empty_prefix_is_everywhere(self, store: CogMemStore) -> None:
        """Suites of checkpoint-sqlite and checkpoint-postgres."""
        store.put(("a",), "1", CELLO)
        store.put(("b", "c"), "2", RAIN)
        assert keys(store.search(())) == ["2", "1"]
        assert keys(store.search((), query="cello")) == ["1", "2"]

    def test_an_unknown_operator_is_an_error(self, store: CogMemStore) -> None:
        """As `InMemoryStore` does; the message names the ones there are."""
        store.put(("a",), "k", {"n": 1})
        with pytest.raises(ValueError, match=r"'\$in'.*\$gte"):
            store.search(("a",), filter={"n": {"$in": [1]}})

    def test_what_is_indexed_is_a_matter_of_the_item(self, bank: MemoryBank) -> None:
        """`PutOp.index`: None = the store's fields, False = nothing, a list = these paths."""
        store = CogMemStore(bank, fields=["text", "tags[*]"])
        value = {
            "text": "Alice plays the cello",
            "tags": ["music", " ", "music"],
            "more": {"said": "rain"},
        }
        store.put(("a",), "default", value)
        store.put(("a",), "never", value, index=False)
        store.put(("a",), "said", value, index=["more.said", "missing"])
        store.put(("a",), "whole", value, index=["$"])
        texts = [memory.content for memory in bank.list(category="item")]
        assert texts == [
            "Alice plays the cello",
            "music",
            "rain",
            json.dumps(value, sort_keys=True),
        ]
        assert [
            (item.key, item.score) for item in store.search(("a",), query="music", limit=1)
        ] == [("default", 1.0)]
        with pytest.raises(InvalidInput, match="index is 'text'"):
            store.put(("a",), "k", value, index="text")  # type: ignore[arg-type]

    def test_the_best_text_of_an_item_counts(self, bank: MemoryBank) -> None:
        """INTERFACES 1.6 and `InMemoryStore`: the maximum over an item's texts."""
        store = CogMemStore(bank, fields=["texts[*]"])
        store.put(("a",), "mixed", {"texts": ["tax return", "cello", "harbour"]})
        store.put(("a",), "close", {"texts": ["cello lessons"]})
        assert keys(store.search((), query="cello")) == ["mixed", "close"]
