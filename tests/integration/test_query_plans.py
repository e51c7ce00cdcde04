"""What a turn, a recall and its feedback ask of SQLite is found by an index: none of it grows with the bank."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from sqlalchemy import event
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler

import cogmem_core
from cogmem_core import Engine, Turn
from cogmem_core.testing import MANUAL, FrozenClock

LONG_AGO = datetime(2020, 1, 1, tzinfo=timezone.utc)
WALKS = re.compile(r"^SCAN (?!CONSTANT)|\(shard=\?(?: AND namespace=\?)?(?: AND id[<>]\?)?\)$")
"""Plans that read a whole table, shard or namespace."""
FEW = re.compile(
    r"namespaces|shards|generations|erasures|tombstones|relations_by_namespace|memories_outdated|clauses_that_guard"
)
"""Tables of few rows, guardian facts, a count that the bound on relations needs, and the vectors to be made anew."""


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL) as opened:
        opened.pause()
        bank = opened.bank("ann")
        bank.remember(
            [f"Ann has the book number {number} about boats" for number in range(20)],
            session_id="s0",
        )
        bank.recall("the book about boats")
        yield opened


@contextmanager
def plans(engine: Engine) -> Iterator[dict[str, list[str]]]:
    """How SQLite carries out each statement of the block, by its text; filled when the block ends."""
    database, seen, found = (
        engine.services.ledger.database.engine,
        dict[str, Any](),
        dict[str, list[str]](),
    )

    def note(
        _c: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, many: bool
    ) -> None:
        if statement.split(maxsplit=1)[0] in ("SELECT", "UPDATE", "DELETE"):
            seen[statement] = parameters[0] if many else parameters

    event.listen(database, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(database, "before_cursor_execute", note)
    with database.connect() as connection:
        for statement, parameters in seen.items():
            rows = connection.exec_driver_sql(
                f"EXPLAIN QUERY PLAN {statement}", parameters
            ).fetchall()
            found[statement] = [row[3] for row in rows]


def walks(found: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [
        (statement, step)
        for statement, steps in found.items()
        for step in steps
        if WALKS.search(step) and not FEW.search(step)
    ]


def test_a_turn_walks_through_nothing(engine: Engine) -> None:
    """Also a short answer, which looks for the question before it in its session."""
    with plans(engine) as found:
        bank = engine.bank("ann")
        bank.remember(Turn("What is your dog called?", role="assistant", session_id="s1"))
        bank.remember(Turn("Rex.", session_id="s1"))
        bank.remember(
            "I moved from Rome to Lisbon in May, and my sister Ines lives in Porto.",
            session_id="s1",
        )
        bank.remember("I live in Porto now.", wait=False)
        engine.flush()
    assert len(found) > 15
    assert walks(found) == []


def test_a_recall_and_its_feedback_walk_through_nothing(engine: Engine) -> None:
    """Neither the first one, nor the one that looks for what was put away."""
    bank = engine.bank("ann")
    bank.forget(bank.list()[0].id)
    engine.flush()
    with plans(engine) as found:
        recalled = bank.recall("Which book about boats has Ann?", floor=0.0)
        bank.feedback(recalled, "The book number 3 about boats.")
        bank.recall("zebras")
        engine.flush()
    assert len(found) > 8
    assert walks(found) == []


def test_what_one_bank_compiled_serves_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Composing SQL is half of the work of an engine that lives for a few calls: a process does it once."""
    compiled: list[str] = []
    begin = SQLiteCompiler.__init__

    def counted(self: SQLiteCompiler, *args: Any, **more: Any) -> None:
        begin(self, *args, **more)
        compiled.append(str(self))

    monkeypatch.setattr(SQLiteCompiler, "__init__", counted)

    def live(folder: Path | None) -> str:
        with cogmem_core.open(
            folder, embedder="hashing", config=MANUAL, clock=FrozenClock()
        ) as engine:
            bank = engine.bank("alice")
            bank.remember("I live in Lisbon with my two cats")
            bank.consolidate()
            return bank.recall("Where do I live?").results[0].content

    live(None)
    compiled.clear()
    assert live(None) == live(tmp_path) == "I live in Lisbon with my two cats"
    # SQLAlchemy 2.0, which Python 3.10 gets, composes every upsert anew.
    old = sqlalchemy.__version__.startswith("2.0.")
    assert [sql for sql in compiled if not (old and "ON CONFLICT" in sql)] == []


def test_a_page_reads_no_row_that_it_does_not_show(engine: Engine) -> None:
    """Whatever few memories have: all that is filtered by stands in one index, in the order of the page."""
    bank = engine.bank("ann")
    with plans(engine) as found:
        for newest_first in (False, True):
            for few in (
                {},
                {"state": "any"},
                {"state": "quarantined"},
                {"state": "any", "category": "plan"},
                {"category": "plan"},
                {"tier": "semantic"},
                {"speaker": "Ines"},
                {"tags": ["boats"]},
                {"session_id": "s9", "state": "any"},
                {"since": LONG_AGO, "until": LONG_AGO, "speaker": "Ines"},
            ):
                bank.list(limit=5, newest_first=newest_first, **few)
                bank.count(**few)
    steps = [step for plan in found.values() for step in plan if "memories" in step]
    assert len(steps) >= 25
    indexes = {re.sub(r".*USING (?:COVERING )?INDEX (\w+).*", r"\1", step) for step in steps}
    assert indexes <= {
        "memories_by_page",
        "memories_by_state",
        "memories_by_seq",
        "memories_told_again",
    }
    assert not any("TEMP B-TREE" in step for plan in found.values() for step in plan)
