"""What is searched in memory, written down at close and taken up by the next process."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from cogmem_core.changes import Actor, Put, Retire, Rewrite, apply
from cogmem_core.config import StorageConfig
from cogmem_core.models import Memory
from cogmem_core.ports import Stored
from cogmem_core.storage.ledger.ledger import Ledger
from cogmem_core.storage.search.corpus import Corpus
from cogmem_core.storage.search.saved_views import SavedViews
from cogmem_core.storage.search.searcher import Searcher
from cogmem_core.storage.vectors.chroma.index import ChromaIndex
from cogmem_core.storage.vectors.follower import ChromaFollower
from cogmem_core.testing import FrozenClock
from cogmem_core.text.tokens import tokens
from unit.helpers.toy_vectors import vector

CLOCK, USER = FrozenClock(), Actor("user")
CONFIG = StorageConfig()


def stored(name: str, text: str, **more: Any) -> Stored:
    now = CLOCK()
    memory = Memory(name, "ns", text, f"hash-{name}", now, now, now, **more)
    return Stored(memory, text, vector(1.0, float(len(name))), "toy")


class Process:
    """A process with a ledger and what it searches in memory."""

    def __init__(self, ledger: Ledger, folder: Path) -> None:
        self.ledger = ledger
        index = ChromaIndex(None, ledger, "toy", 2, CONFIG)
        self.searcher = Searcher(ChromaFollower(ledger, index, CONFIG), CONFIG, SavedViews(folder))

    def do(self, *changes: Any) -> None:
        with self.ledger.writing() as writer:
            apply(writer, "ns", changes, now=CLOCK(), actor=USER)

    def write_down(self) -> None:
        with self.ledger.writing_to("ns") as ns:
            self.searcher.view(ns).write_down(ns, self.searcher.views.saved)

    def told(self) -> dict[str, object]:
        """What searches and ranking learn from the view of the namespace."""
        with self.ledger.whole() as reader:
            view = self.searcher.view(reader, "ns")
            corpus = Corpus(view)
            near = self.searcher.nearest(reader, view, vector(1.0, 0.5), 9).hits
            return {
                "words": {
                    word: [
                        (hit.id, round(hit.score, 9)) for hit in view.lexical.top(tokens(word), 9)
                    ]
                    for word in ("boat", "harbour boat", "garden", "roses")
                },
                "near": [(hit.id, round(hit.score, 6)) for hit in near],
                "beside": dict(zip("acd", corpus.beside("acd"), strict=True)),
                "said": corpus.said_between(0, 2**62),
                "speakers": sorted(view.speakers),
            }


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    found = Ledger(None, CONFIG, CLOCK)
    yield found
    found.close()


def filled(ledger: Ledger, folder: Path) -> Process:
    process = Process(ledger, folder)
    process.do(
        Put(stored("a", "The boat lies in the harbour", session_id="s", speaker="Ana"), "said"),
        Put(stored("b", "A boat that is sold", session_id="s", speaker="Ben"), "said"),
        Put(stored("c", "Roses in the garden", session_id="s", speaker="Ana"), "said"),
        Put(stored("d", "The garden of the harbour office"), "said"),
    )
    process.told()
    process.do(
        Retire("b", "dormant", "rarely used"),
        Rewrite(stored("c", "Tulips in the garden", session_id="s", speaker="Ana"), "edited"),
    )
    return process


def test_a_view_that_was_written_down_goes_on_as_it_was(ledger: Ledger, tmp_path: Path) -> None:
    """The next process takes it up instead of the rows, finds the same, and follows what comes."""
    first = filled(ledger, tmp_path)
    expected = first.told()
    assert expected["speakers"] == ["Ana"]
    first.write_down()

    second = Process(ledger, tmp_path)
    read: list[str] = []
    event.listen(
        ledger.database.engine,
        "before_cursor_execute",
        lambda _c, _cursor, statement, *_rest: read.append(statement),
    )
    with ledger.whole() as reader:
        second.searcher.view(reader, "ns")
    assert [statement for statement in read if "memories.terms" in statement] == []
    assert second.told() == expected
    for process in (first, second):
        process.do(Put(stored(f"e{id(process)}", "Another boat", speaker="Cem"), "said"))
    assert first.told() == second.told() == Process(ledger, tmp_path / "nowhere").told()


def test_a_file_that_does_not_fit_the_ledger_is_not_used(ledger: Ledger, tmp_path: Path) -> None:
    """Damaged, cut off, of another ledger with as many changes, or of one that went back: rows are read."""
    filled(ledger, tmp_path).write_down()
    (path,) = (tmp_path / "views").iterdir()
    whole = path.read_bytes()
    other = Ledger(None, CONFIG, CLOCK)
    (tmp_path / "other").mkdir()
    strange = filled(other, tmp_path / "other")
    strange.do(Put(stored("a2", "The harbour is frozen"), "said"))
    strange.write_down()
    (strange_path,) = (tmp_path / "other" / "views").iterdir()
    other.close()
    middle = len(whole) // 2
    damaged = whole[:middle] + bytes(byte ^ 255 for byte in whole[middle : middle + 64])
    expected = Process(ledger, tmp_path / "nowhere").told()

    damaged += whole[len(damaged) :]
    for content in (whole[:middle], damaged, b"", strange_path.read_bytes()):
        path.write_bytes(content)
        assert Process(ledger, tmp_path).told() == expected


def test_what_the_next_recalls_look_at_is_read_beside_them(ledger: Ledger, tmp_path: Path) -> None:
    """The worker takes up what was written down, then reads the rows that ranking needs; afterwards none is read."""
    filled(ledger, tmp_path).write_down()
    process = Process(ledger, tmp_path)
    rounds = 0
    while process.searcher.warm(ledger):
        rounds += 1
    assert rounds == 2
    read: list[str] = []
    event.listen(
        ledger.database.engine,
        "before_cursor_execute",
        lambda _c, _cursor, statement, *_rest: read.append(statement),
    )
    with ledger.whole() as reader:
        corpus = Corpus(process.searcher.view(reader, "ns"))
        assert corpus.rows(reader.at("ns"), ["d", "a"]).ids == ["d", "a"]
    assert [statement for statement in read if "FROM memories" in statement] == []
