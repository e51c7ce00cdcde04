"""Documents are erased and carried with their memories."""

import json
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Engine, InvalidInput, Items, MemoryBank, StoreError
from cogmem_core.changes import Actor, Touch, apply
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.bank_contents import files_holding
from helpers.documents import HOME, SOUP, put, states
from helpers.store_kinds import edit
from helpers.tables import each_case_of

ENGINE = {"folder": True}


class TestErasure:
    """`hard=True`: no file holds anything of the document any more."""

    WORDS = ("Zanzibar7741", "Palmtree9213", "Lagoon5520", "Coconut1187")

    @pytest.fixture
    def memory_id(self, items: Items, bank: MemoryBank) -> str:
        """A document that said something else before, with texts and with what is not indexed; and a note beside it."""
        put(items, "The treasure once lay in Lagoon5520", n=1)
        put(
            items,
            "The gold lies in Zanzibar7741",
            "Ask for Coconut1187",
            hint="It is under Palmtree9213 by the sea",
        )
        put(items, SOUP, key="other")
        bank.observe("Ask for Coconut1187, she said at the harbour of Lisbon.")
        return items.get(HOME, "k").memory_ids[0]

    def test_one_of_its_texts_takes_the_document(
        self, items: Items, bank: MemoryBank, folder: Path, memory_id: str
    ) -> None:
        """With all it says, and all it ever said; the receipt names the memories, the one that was named first."""
        receipt = bank.forget(memory_id, hard=True)
        assert (receipt.memory_ids[0], len(receipt.memory_ids), receipt.remaining) == (
            memory_id,
            3,
            (),
        )
        assert items.get(HOME, "k") is None
        assert [(item.key, item.score) for item in items.search(query=SOUP)] == [("other", 1.0)]
        assert (states(bank), files_holding(folder, *self.WORDS)) == ({SOUP: "active"}, [])

    def test_so_does_a_former_text(
        self, items: Items, bank: MemoryBank, folder: Path, memory_id: str
    ) -> None:
        """A superseded memory leads to its document, too."""
        (former,) = [
            memory for memory in bank.list(state="superseded") if "Lagoon5520" in memory.content
        ]
        assert bank.forget(former.id, hard=True).remaining == ()
        assert (items.paths(), files_holding(folder, *self.WORDS)) == ((HOME,), [])
        assert items.get(HOME, "k") is None

    def test_and_a_text_of_a_document_that_was_deleted(
        self, items: Items, bank: MemoryBank, folder: Path, memory_id: str
    ) -> None:
        """Its forgotten memories are still on disk until then."""
        items.delete(HOME, "k")
        assert files_holding(folder, "Zanzibar7741") != []
        assert len(bank.forget(memory_id, hard=True).memory_ids) == 3
        assert files_holding(folder, "Zanzibar7741", "Coconut1187", "Lagoon5520") == []

    def test_and_what_else_came_of_the_turn_that_is_erased(
        self, items: Items, bank: MemoryBank, engine: Engine, folder: Path
    ) -> None:
        """A document's text that is traced to an erased turn, too, takes its document and the other texts of it."""
        said = bank.remember("The gold lies in Zanzibar7741", mode="raw").memories[0]
        text = put(items, "The gold lies in Zanzibar7741", "Ask for Coconut1187")[0]
        with engine.services.ledger.writing() as writer:
            traced = [Touch(text, {"sources": said.sources}, "said again")]
            apply(
                writer, "alice", traced, now=engine.services.runtime.now(), actor=Actor("encoding")
            )
        assert len(bank.forget(said.id, hard=True).memory_ids) == 3
        assert (items.paths(), states(bank), files_holding(folder, *self.WORDS)) == ((), {}, [])

    def test_the_whole_namespace(
        self, items: Items, bank: MemoryBank, engine: Engine, folder: Path
    ) -> None:
        """Also documents that are not indexed; those of another namespace stay."""
        items.put(
            ("x",),
            "k",
            {
                "hint": "It is under Palmtree9213 by the sea",
                "list": [{"a": "at Coconut1187 again"}],
            },
        )
        engine.bank("bob").items().put(("x",), "k", {"n": 1})
        assert bank.forget_all(confirm="alice", hard=True).remaining == ()
        assert (items.paths(), files_holding(folder, *self.WORDS)) == ((), [])
        assert engine.bank("bob").items().paths() == (("x",),)

    def test_what_another_document_says_as_well_is_no_trace(
        self, items: Items, bank: MemoryBank, memory_id: str
    ) -> None:
        """The scan does not take what stays for what was erased."""
        items.put(("x",), "k", {"hint": "It is under Palmtree9213 by the sea"})
        assert bank.forget(memory_id, hard=True).remaining == ()
        assert items.get(("x",), "k") is not None

    def test_the_scan_looks_for_what_is_not_indexed_too(
        self, bank: MemoryBank, folder: Path, memory_id: str
    ) -> None:
        """A file that holds a sentence of the value is named in the receipt."""
        (folder / "notes.txt").write_text("She said: It is under Palmtree9213 by the sea")
        assert bank.forget(memory_id, hard=True).remaining == ("notes.txt still holds erased text",)

    def test_a_crash_in_between_leaves_all_or_nothing(
        self, bank: MemoryBank, folder: Path, memory_id: str
    ) -> None:
        """Document and memories are deleted in one transaction."""
        edit(
            folder,
            "CREATE TRIGGER stop BEFORE DELETE ON items BEGIN SELECT RAISE(ABORT, 'no more'); END",
        )
        with pytest.raises(StoreError, match="no more"):
            bank.forget(memory_id, hard=True)
        assert (bank.items().get(HOME, "k") is not None, bank.get(memory_id).state) == (
            True,
            "active",
        )
        edit(folder, "DROP TRIGGER stop")
        assert bank.forget(memory_id, hard=True).remaining == ()


class TestCarrying:
    """`export` and `import_`."""

    def test_the_round_trip_is_lossless(
        self, items: Items, bank: MemoryBank, clock: FrozenClock, tmp_path: Path
    ) -> None:
        """The copy exports the same bytes, and answers alike."""
        put(items, "former words")
        clock.advance(hours=1)
        items.put(HOME, "k", {"z": 1, "a": ["ü\n", None]}, texts=[SOUP, "Alice sings"])
        items.put(("x",), "", {})
        put(items, "put away later", key="gone")
        items.delete(HOME, "gone")
        bank.export(tmp_path / "one")
        with cogmem_core.open(embedder=CountingEmbedder(), clock=clock, config=MANUAL) as other:
            copy = other.bank("alice")
            copy.import_(tmp_path / "one")
            copy.import_(tmp_path / "one")
            copy.export(tmp_path / "two")
            assert copy.items().search(query="soup") == items.search(query="soup")
            assert list(copy.items().get(HOME, "k").value) == ["z", "a"]
        assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()

    def test_what_is_there_already_is_left_alone(
        self, items: Items, bank: MemoryBank, tmp_path: Path
    ) -> None:
        """A document that changed since keeps what it says now."""
        put(items, SOUP)
        bank.export(tmp_path / "one")
        put(items, "Alice sings")
        bank.import_(tmp_path / "one")
        assert items.get(HOME, "k").value == {"texts": ["Alice sings"]}

    @each_case_of("items_erasure/a_damaged_line_is_named", "de en")
    def test_a_damaged_line_is_named(
        self, items: Items, engine: Engine, tmp_path: Path, damage: tuple[str, Any, str]
    ) -> None:
        """And nothing is imported; a file may be made by hand."""
        (field, bad, told), bank = damage, engine.bank("alice")
        put(items, SOUP)
        bank.export(tmp_path / "one")
        lines = [json.loads(line) for line in (tmp_path / "one").read_text().splitlines()]
        number = next(index for index, line in enumerate(lines, 1) if line["kind"] == "item")
        lines[number - 1][field] = bad
        (tmp_path / "one").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        with pytest.raises(InvalidInput, match=rf"line {number}: .*{told}"):
            bank.import_(tmp_path / "one")
        with pytest.raises(InvalidInput, match=f"line {number}: "):
            engine.bank("bob").import_(tmp_path / "one")
        assert engine.bank("bob").count(state="any") == 0
