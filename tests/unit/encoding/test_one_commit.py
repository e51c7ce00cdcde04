"""A turn that is waited for, and what it causes, are one commit; whatever goes wrong before, the turn waits."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

import cogmem_core
from cogmem_core import Engine, MemoryBank, Turn
from cogmem_core.embedders import HashingEmbedder
from cogmem_core.errors import EmbedderMismatch, EmbedderUnavailable
from cogmem_core.ports import FloatArray
from cogmem_core.storage.ledger.ledger import EMBEDDER_KEY
from cogmem_core.testing import MANUAL, ScriptedLLM
from helpers.bank_contents import contents
from helpers.tables import each_case_of

CHESS = "My sister Ines plays chess in Porto"


class Local(HashingEmbedder):
    """Computes here and now; does `first` before it embeds for the next time."""

    first: Callable[[], object] | None = None

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """The usual vectors."""
        first, self.first = self.first, None
        if first is not None:
            first()
        return super().embed_documents(texts)


class Remote(Local):
    """As if it had to ask a server."""

    local = False  # type: ignore[assignment]


def fails(error: BaseException) -> Callable[[], object]:
    def fail() -> None:
        raise error

    return fail


@contextmanager
def counted(engine: Engine) -> Iterator[tuple[list[str], list[str]]]:
    """The statements of a block, and those of its transactions that wrote."""
    statements: list[str] = []
    commits: list[str] = []
    written: list[str] = []

    def note(_c: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        statements.append(statement)
        if not statement.startswith("SELECT"):
            written.append(statement)

    def committed(_connection: Any) -> None:
        if written:
            commits.append(written[0])
            written.clear()

    database = engine.services.ledger.database.engine
    event.listen(database, "before_cursor_execute", note)
    event.listen(database, "commit", committed)
    yield statements, commits
    event.remove(database, "before_cursor_execute", note)
    event.remove(database, "commit", committed)


@pytest.fixture
def embedder() -> Local:
    return Local(64)


@pytest.fixture
def engine(tmp_path: Path, embedder: Local) -> Iterator[Engine]:
    with cogmem_core.open(tmp_path / "brain", embedder=embedder, config=MANUAL) as opened:
        opened.pause()
        opened.bank("alice").remember("I have a boat in Faro")
        yield opened


def turns_of(bank: MemoryBank) -> object:
    return bank.health()["turns"]


@each_case_of("one_commit/a_turn_costs_one_commit_and_few_statements")
def test_a_turn_costs_one_commit_and_few_statements(
    engine: Engine, said: str, session_id: str | None, most: int
) -> None:
    """Also where a memory is like it; nothing is read or written twice. One of them asks what is sealed."""
    bank = engine.bank("alice")
    bank.recall("boats")  # the indexes of this process follow the namespace from now on
    bank.remember("My brother Rui moved to Braga", session_id=session_id)
    with counted(engine) as (statements, commits):
        receipt = bank.remember(said, session_id=session_id).receipts[0]
    assert receipt.status == "stored"
    assert len(commits) == 1
    assert len(statements) <= most, statements
    assert turns_of(bank) == {"done": 3}


def test_what_others_wrote_between_two_turns_counts(engine: Engine, tmp_path: Path) -> None:
    """Numbers, the chain of the journal and the embedder are known only while nobody else writes."""
    bank = engine.bank("alice")
    with cogmem_core.open(tmp_path / "brain", embedder=Local(64), config=MANUAL) as other:
        other.pause()
        elsewhere = other.bank("alice")
        for number in range(3):
            bank.remember(f"Locker {number} is at the pool", mode="raw")
            elsewhere.remember(f"Seat {number} is at the opera", mode="raw")
            bank.remember(f"Row {number} of the vineyard is red", mode="raw")
        seqs = [memory.seq for memory in bank.list(limit=100)]
        assert (len(set(seqs)), bank.count()) == (10, 10)
        with engine.services.ledger.reading("alice") as ns:
            assert ns.audit.trail().findings == ()
        with other.services.ledger.writing() as writer:
            writer.meta.set(EMBEDDER_KEY, "another")
    with pytest.raises(EmbedderMismatch):
        bank.remember(CHESS)


@pytest.mark.parametrize("mode", ["auto", "raw", "semantic", "hybrid"])
def test_whatever_the_turns_are_like_they_are_one_commit(engine: Engine, mode: str) -> None:
    """Several at once, with session and ref; what only asks is skipped, and kept."""
    bank = engine.bank("alice")
    turns: list[str | Turn] = [
        Turn(CHESS, session_id="s", ref="1"),
        Turn("What do you think?", session_id="s", ref="2"),
    ]
    with counted(engine) as (_, commits):
        bank.remember(turns, mode=mode)
    assert len(commits) == 1
    assert [episode.status for episode in episodes(engine)] == [
        "done",
        "done",
        "done" if mode == "raw" else "skipped",
    ]


def episodes(engine: Engine) -> list[Any]:
    with engine.services.ledger.reading("alice") as ns:
        return ns.turns.page(limit=100)


@pytest.mark.parametrize(
    "error", [EmbedderUnavailable("down"), RuntimeError("a fault"), KeyboardInterrupt()]
)
def test_what_fails_before_the_commit_leaves_the_turn_queued(
    engine: Engine, embedder: Local, error: BaseException
) -> None:
    """A vector that cannot be had, a fault or an interrupt: the turn is on disk, and is finished later, once."""
    bank = engine.bank("alice")
    embedder.first = fails(error)
    if isinstance(error, KeyboardInterrupt):
        with pytest.raises(KeyboardInterrupt):
            bank.remember(CHESS)
    else:
        receipt = bank.remember(CHESS).receipts[0]
        assert (receipt.status, receipt.episode_id) == ("queued", episodes(engine)[-1].id)
    assert turns_of(bank) == {"done": 1, "queued": 1}
    assert bank.count() == 1
    bank.finish_pending()
    assert CHESS in contents(bank)
    assert (turns_of(bank), bank.count()) == ({"done": 2}, 2)


def test_what_fails_in_the_commit_leaves_the_turn_queued(engine: Engine) -> None:
    """Nothing of it is half done."""
    bank = engine.bank("alice")

    def full(_c: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        if statement.startswith("INSERT INTO journal"):
            raise RuntimeError("no room")

    database = engine.services.ledger.database.engine
    event.listen(database, "before_cursor_execute", full)
    with pytest.raises(RuntimeError, match="no room"):
        bank.remember(CHESS)
    event.remove(database, "before_cursor_execute", full)
    assert (turns_of(bank), bank.count()) == ({"done": 1, "queued": 1}, 1)
    bank.finish_pending()
    assert (turns_of(bank), bank.count()) == ({"done": 2}, 2)


def test_what_waits_for_others_is_on_disk_before(tmp_path: Path) -> None:
    """A server that embeds, a language model, more turns than one batch: nothing said is lost meanwhile."""
    seen: list[object] = []
    embedder = Remote(64)
    with cogmem_core.open(tmp_path / "brain", embedder=embedder, config=MANUAL) as engine:
        engine.pause()
        bank = engine.bank("alice")
        embedder.first = lambda: seen.append(turns_of(bank))
        bank.remember(CHESS)
    local = Local(64)
    with cogmem_core.open(embedder=local, llm=ScriptedLLM(), config=MANUAL) as engine:
        engine.pause()
        bank = engine.bank("alice")
        local.first = lambda: seen.append(turns_of(bank))
        bank.remember(CHESS)
    with cogmem_core.open(embedder=local, config=MANUAL) as engine:
        engine.pause()
        bank = engine.bank("alice")
        local.first = lambda: seen.append(turns_of(bank))
        bank.remember([f"Boat {number}" for number in range(501)], mode="raw")
    assert seen == [{"queued": 1}, {"queued": 1}, {"queued": 501}]


def test_what_was_sent_meanwhile_by_another_one_is_known(engine: Engine, embedder: Local) -> None:
    """The same message, sent again while it is being embedded: one turn, one memory."""
    bank = engine.bank("alice")
    turn = Turn(CHESS, ref="m-1", session_id="s")
    embedder.first = lambda: bank.remember(turn)
    receipt = bank.remember(turn).receipts[0]
    assert (receipt.status, receipt.episode_id) == ("known", episodes(engine)[-1].id)
    assert (turns_of(bank), bank.count()) == ({"done": 2}, 2)


def test_what_was_erased_meanwhile_does_not_come_back(engine: Engine, embedder: Local) -> None:
    """The namespace goes while a turn is embedded: the turn was said after it."""
    bank = engine.bank("alice")
    embedder.first = lambda: bank.forget_all(confirm="alice", hard=True)
    bank.remember(CHESS)
    assert contents(bank) == [CHESS]
    assert engine.doctor().findings == ()
