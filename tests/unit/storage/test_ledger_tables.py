"""Each table of the ledger is bound to one namespace, by its base and nowhere else."""

import re
from pathlib import Path
from typing import Generic

import pytest

import cogmem_core
from cogmem_core.config import StorageConfig
from cogmem_core.models import Episode
from cogmem_core.storage.ledger.ledger import Ledger
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.storage.ledger.table import Table
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.testing import FrozenClock

CLOCK = FrozenClock()
LEDGER = Path(cogmem_core.__file__).parent / "storage" / "ledger"


def test_only_the_base_names_a_namespace_in_a_condition() -> None:
    """Isolation does not rest on nobody forgetting it."""
    own = [
        f"{path.name}: {line.strip()}"
        for path in sorted(LEDGER.rglob("*.py"))
        if path.name != "table.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"\bnamespace\)* ==|== \w*\.?namespace\b", line)
    ]
    assert own == []


def test_a_table_is_small_and_has_one_base() -> None:
    tables = Table.__subclasses__()
    assert len(tables) >= 10
    for table in tables:
        public = [name for name in vars(table) if not name.startswith("_")]
        assert [base for base in table.__bases__ if base is not Generic] == [Table]
        assert len(public) <= 15, table.__name__


def test_a_table_is_made_once_for_a_transaction() -> None:
    with Ledger(None, StorageConfig(), CLOCK).whole() as wide:
        ana = wide.at("ana")
        assert wide.at("ana") is ana
        assert ana.memories is ana.memories
        assert wide.at("ben").memories is not ana.memories


def test_a_snapshot_cannot_be_written() -> None:
    ledger = Ledger(None, StorageConfig(), CLOCK)
    with ledger.reading("ana") as ns, pytest.raises(RuntimeError, match="writing_to"):
        ns.journal.allocate(1)
    with ledger.reading("ana") as ns, pytest.raises(RuntimeError, match="writing_to"):
        ns.notes.drop(["n1"])


def test_what_one_namespace_writes_no_other_one_reads() -> None:
    """Even where both have the same shard, and ids of the other are named."""
    ledger = Ledger(None, StorageConfig(), CLOCK)
    turn = Episode("t1", "ana", "I live in Porto", "user", None, CLOCK(), CLOCK())
    ledger.write_to("ana", lambda ns: ns.turns.add([turn]))

    def ids(ns: Namespace) -> list[str]:
        return [*ns.turns.by_ids(["t1"]), *ns.turns.ids()]

    with ledger.whole() as wide:
        assert ids(wide.at("ana")) == ["t1", "t1"]
        assert [ids(wide.at(f"other{number}")) for number in range(40)] == [[]] * 40
        assert wide.at("ana").memories.count(Filter()) == 0
