"""What a recall asks the ledger: nothing that it knows already, and everything that may have changed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

import cogmem_core
from cogmem_core import Engine
from cogmem_core.testing import MANUAL, FrozenClock


@contextmanager
def statements(engine: Engine) -> Iterator[list[str]]:
    """The statements of a block, transactions left out."""
    made: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        made.append(statement)

    database = engine.services.ledger.database.engine
    event.listen(database, "before_cursor_execute", note)
    yield made
    event.remove(database, "before_cursor_execute", note)


def opened(folder: Path | None) -> Engine:
    engine = cogmem_core.open(folder, embedder="hashing", clock=FrozenClock(), config=MANUAL)
    engine.pause()
    return engine


@pytest.mark.parametrize("kind", ["in a file", "in memory"])
def test_a_warm_recall_reads_once(kind: str, tmp_path: Path) -> None:
    """The rows of its results; numbers, relations and waiting turns are known while nobody writes.

    Nine bees fit into the ten texts that are read for their order, so the order brings none that was
    not read; the boats were shown just before.
    """
    with opened(tmp_path if kind == "in a file" else None) as engine:
        bank = engine.bank("alice")
        for number in range(9):
            bank.add(f"Ana keeps bee number {number} in hive {number % 7}.")
            bank.add(f"Rui paints the {number}th boat blue.")
        bank.recall("Which boat does Rui paint?")
        with statements(engine) as made:
            found = bank.recall("Where does Ana keep bee number 7?")
        assert "bee number 7" in found.results[0].content
        assert len(made) == 1
        assert "memories.content" in made[0]
        with statements(engine) as made:
            bank.recall("Where does Ana keep bee number 5?")
        assert made == []


def test_what_another_engine_wrote_is_seen_at_once(tmp_path: Path) -> None:
    """A memory, its end, a use of it, a relation and a turn that waits: each time the next recall knows."""
    with opened(tmp_path) as mine, opened(tmp_path) as other:
        bank, elsewhere = mine.bank("alice"), other.bank("alice")
        first = bank.add("The wifi password is hunter two.")
        assert [item.content for item in bank.recall("wifi password").results] == [first.content]

        second = elsewhere.add("The wifi password of the cabin is moss.", speaker="Dora Dim")
        found = bank.recall("wifi password of the cabin", floor=0.0)
        assert found.results[0].memory.id == second.id

        elsewhere.edit(first.id, "The wifi password is larch.")
        assert "The wifi password is larch." in [i.content for i in bank.recall("larch").results]

        elsewhere.forget(second.id)
        ids = [item.memory.id for item in bank.recall("wifi password", floor=0.0).results]
        assert second.id not in ids

        elsewhere.remember("I parked the car in row nine.", wait=False)
        assert any(note.startswith("pending: 1 turn") for note in bank.recall("car").degraded)
        elsewhere.finish_pending()
        assert bank.recall("where is the car parked?").degraded == ()


def test_of_relations_only_those_are_read_that_there_are(tmp_path: Path) -> None:
    """A memory without any costs no statement; one that another engine relates is followed."""
    with opened(tmp_path) as mine, opened(tmp_path) as other:
        bank = mine.bank("alice")
        for number in range(12):
            bank.add(f"Ana keeps bee number {number}.")
        bank.recall("bees")
        with statements(mine) as made:
            bank.recall("bee number 3")
        assert not [statement for statement in made if "relations" in statement]

        elsewhere = other.bank("alice")
        elsewhere.remember("I live in Oslo.")
        elsewhere.remember("I no longer live in Oslo, I moved to Bergen.")
        bank.recall("where do I live?")
        with statements(mine) as made:
            found = bank.recall("Bergen")
        assert bank.relations(found.results[0].memory.id)
        assert [statement for statement in made if "relations" in statement]
