"""Documents are written whole or not at all, without secrets, and found exactly."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import (
    BankClosed,
    EmbedderUnavailable,
    Engine,
    InvalidInput,
    Items,
    MemoryBank,
    StoreError,
)
from cogmem_core.results import ItemWrite
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.documents import HOME, SOUP, put, states
from helpers.store_kinds import edit
from helpers.tables import each_row, each_row_of

ENGINE = {"folder": True}


class TestWriting:
    """All of a call, or nothing."""

    @pytest.mark.parametrize("table", ["items", "memories", "journal"])
    def test_document_and_memories_are_one_transaction(
        self, items: Items, bank: MemoryBank, folder: Path, table: str
    ) -> None:
        """Where a row is refused nothing at all is written, and the next try writes everything."""
        put(items, SOUP)
        edit(
            folder,
            f"CREATE TRIGGER stop BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'no more'); END",
        )
        with pytest.raises(StoreError, match="no more"):
            items.write(
                [ItemWrite(HOME, "k", None), ItemWrite(HOME, "k2", {"n": 2}, ("Alice sings",))]
            )
        assert (items.get(HOME, "k2"), states(bank)) == (None, {SOUP: "active"})
        edit(folder, "DROP TRIGGER stop")
        written = items.write(
            [ItemWrite(HOME, "k", None), ItemWrite(HOME, "k2", {"n": 2}, ("Alice sings",))]
        )
        assert (written[0], written[1]) == (None, items.get(HOME, "k2"))
        assert states(bank) == {SOUP: "forgotten", "Alice sings": "active"}

    def test_one_call_of_the_embedder_for_a_batch(
        self, items: Items, embedder: CountingEmbedder
    ) -> None:
        """And each text once."""
        items.write(
            [
                ItemWrite(HOME, str(number), {"n": number}, (SOUP, f"text {number}"))
                for number in range(3)
            ]
        )
        assert embedder.texts == [SOUP, "text 0", "text 1", "text 2"]

    def test_without_a_vector_nothing_is_written(
        self, items: Items, bank: MemoryBank, embedder: CountingEmbedder
    ) -> None:
        """As `bank.add`; what needs no vector is written."""
        put(items, SOUP)
        embedder.failure = EmbedderUnavailable("asleep")
        with pytest.raises(EmbedderUnavailable, match="asleep"):
            put(items, "Alice sings")
        assert (items.get(HOME, "k").value, states(bank)) == ({"texts": [SOUP]}, {SOUP: "active"})
        put(items, SOUP, n=2)
        items.delete(HOME, "other")
        assert items.get(HOME, "k").value == {"texts": [SOUP], "n": 2}

    def test_two_engines_write_one_document(
        self, items: Items, bank: MemoryBank, reopen: Callable[[], Engine]
    ) -> None:
        """The same across engines, as across processes."""
        with reopen() as other, ThreadPoolExecutor(2) as pool:
            both = (items, other.bank("alice").items())
            list(pool.map(lambda number: put(both[number % 2], f"text {number}"), range(20)))
            (active,) = bank.list()
            assert both[0].get(HOME, "k") == both[1].get(HOME, "k")
            assert [found.score for found in both[1].search(query=active.content)] == [
                pytest.approx(1.0)
            ]

    def test_a_namespace_of_documents_alone_exists(self, items: Items, engine: Engine) -> None:
        """`engine.namespaces()`: every namespace that was ever written to."""
        items.put(("x",), "k", {"n": 1})
        assert engine.namespaces() == ["alice"]

    @each_row(
        ("given", "told"),
        [
            ({"path": "people"}, r"path is 'people'; give a tuple of strings"),
            ({"path": ("a", "")}, r"path is \('a', ''\); leave the empty label out"),
            ({"path": ("a", 1)}, r"path\[1\] is 1 \(int\)"),
            ({"path": ("a\x00",)}, r"path\[0\] holds a NUL"),
            ({"path": ("a" * 600, "b" * 600)}, "path has more than 1,024 bytes"),
            ({"path": ("ü" * 600,)}, r"path\[0\] has 1,200 bytes"),
            ({"key": 7}, "key is 7"),
            ({"key": "k" * 513}, "key has 513 bytes, the limit is 512"),
            ({"key": "\ud800"}, "key holds a lone surrogate"),
            ({"value": [1]}, r"value is \[1\]; give a dict"),
            ({"value": {"at": object()}}, "value is not JSON"),
            ({"value": {"n": float("inf")}}, "value is not JSON"),
            ({"value": {"x": "\x00"}}, "value holds a NUL"),
            ({"value": {"x": "y" * 1_000_000}}, "value has 1,000,009 bytes"),
            ({"texts": "soup"}, r"texts is 'soup' \(str\); give a list of strings"),
            ({"texts": ("soup", " ")}, r"texts\[1\] is ' ': empty or blank"),
            ({"texts": (7,)}, r"texts\[0\] is 7"),
        ],
    )
    def test_what_is_refused(self, items: Items, given: dict[str, Any], told: str) -> None:
        """Each message names the argument; nothing is stored."""
        with pytest.raises(InvalidInput, match=told):
            items.write([ItemWrite(**{"path": ("a",), "key": "k", "value": {"n": 1}, **given})])
        assert items.paths() == ()

    def test_the_longest_there_may_be(self, items: Items) -> None:
        """Labels, key and namespace together fit an index row of PostgreSQL."""
        path, key = ("a" * 500, "ü" * 250, "b"), "ключ" * 64
        items.put(path, key, {"n": 1})
        assert items.get(path, key).value == {"n": 1}
        assert items.search(path[:2])[0].key == key


class TestSearching:
    """Exact, whatever the state of the indexes."""

    def test_a_condition_is_asked_before_anything_is_cut_off(self, items: Items) -> None:
        """`where` sees each value below the folder, and no other one."""
        for number in range(20):
            items.put(("a", str(number % 2)), str(number), {"n": number})
        seen: list[int] = []

        def late(value: Any) -> bool:
            seen.append(value["n"])
            return bool(value["n"] > 15)

        assert [item.key for item in items.search(("a", "1"), where=late, limit=2)] == ["19", "17"]
        assert {number % 2 for number in seen} == {1}

    @each_row_of("items_writing/what_is_refused")
    def test_what_is_refused(self, items: Items, given: dict[str, Any], told: str) -> None:
        """Before anything is read."""
        with pytest.raises(InvalidInput, match=told):
            items.search(**given)

    def test_another_embedder_compares_with_its_own_vectors(
        self, items: Items, engine: Engine, folder: Path, clock: FrozenClock
    ) -> None:
        """`reindex` embeds the texts of documents like any memory."""
        put(items, SOUP)
        engine.reindex(embedder="hashing")
        assert items.search(query=SOUP)[0].score == pytest.approx(1.0)
        engine.close()
        with cogmem_core.open(folder, embedder="hashing", clock=clock, config=MANUAL) as later:
            assert later.bank("alice").items().search(query=SOUP)[0].score == pytest.approx(1.0)

    def test_the_log_tells_neither_texts_nor_names(self, items: Items, engine: Engine) -> None:
        """Like every call it is noted; by default without what was asked."""
        put(items, SOUP)
        items.search(query="mint")
        records = [record for record in engine.log() if "items" in record["op"]]
        assert [(record["op"], record.get("resultCount")) for record in records] == [
            ("write_items", None),
            ("search_items", 1),
        ]
        assert "mint" not in json.dumps(records)


def test_a_folder_is_one_range_of_the_key(items: Items, folder: Path) -> None:
    """The cost of a search must not grow with the number of other documents."""
    put(items, SOUP)
    query = "SELECT * FROM items WHERE shard = 1 AND namespace = 'n' AND path >= '[\"a\",' AND path <= '[\"a\"]'"
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as ledger:
        ((*_, plan),) = ledger.execute(f"EXPLAIN QUERY PLAN {query}")
    assert plan.endswith("(shard=? AND namespace=? AND path>? AND path<?)")


def test_after_closing_every_method_says_so(items: Items, engine: Engine) -> None:
    """BankClosed names the way back."""
    engine.close()
    calls: tuple[Callable[[], object], ...] = (
        lambda: items.get(HOME, "k"),
        lambda: put(items, SOUP),
        lambda: items.delete(HOME, "k"),
        lambda: items.write([]),
        items.search,
        items.paths,
    )
    for call in calls:
        with pytest.raises(BankClosed, match=r"cogmem_core\.open"):
            call()


async def test_the_twins_do_what_the_methods_do(items: Items) -> None:
    """Fifty at once, and all are there."""
    await asyncio.gather(
        *(items.aput(HOME, str(n), {"n": n}, texts=[f"text {n}"]) for n in range(50))
    )
    assert (await items.aget(HOME, "7")).value == {"n": 7}
    assert await items.apaths() == (HOME,)
    await items.adelete(HOME, "7")
    assert len(await items.asearch(limit=100)) == 49
    assert await items.awrite([]) == ()


def test_its_text_form_names_namespace_and_engine_also_after_closing(
    reopen: Callable[[], Engine],
) -> None:
    """A debugger shows it whenever it likes."""
    with reopen() as engine:
        items = engine.bank("alice").items()
        assert repr(items) == f"<cogmem_core.Items of 'alice' of {engine!r}>"
    assert repr(items).endswith(" closed>>")
