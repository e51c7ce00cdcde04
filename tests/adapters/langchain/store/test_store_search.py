"""`CogMemStore` as LangGraph uses it: what a search finds, and which namespaces there are."""

import json

import pytest

from cogmem_core import InvalidInput, MemoryBank
from helpers.store_items import keys
from langchain_cogmem.store import CogMemStore


class TestSearch:
    """LangGraph: `search`."""

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
