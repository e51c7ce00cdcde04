"""Where engines and banks are: found again if they were pickled or written down as JSON, wherever the program goes."""

import copy
import json
import pickle
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import BankClosed, ConfigError, InvalidInput, StoreError
from cogmem_core.engine import reopen
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.script_runner import Scripts
from helpers.tables import each_row

HIKING = "Ann likes hiking on Mount Rainier"


def test_an_open_engine_is_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pickle made and read in one process: one engine, in memory (as SQLite calls it, too) or not."""
    monkeypatch.chdir(tmp_path)
    for folder in (None, ":memory:", tmp_path / "brain"):
        with cogmem_core.open(folder, embedder="hashing", config=MANUAL) as engine:
            bank = pickle.loads(pickle.dumps(engine.bank("ann")))
            assert (bank.engine, bank.namespace) == (engine, "ann")
            assert reopen(json.loads(json.dumps(engine.origin))) is engine
            assert copy.copy(engine) is engine
            assert copy.deepcopy(engine) is engine
    assert [folder.name for folder in tmp_path.iterdir()] == ["brain"]


def test_another_process_opens_the_folder(tmp_path: Path, scripts: Scripts) -> None:
    """INTERFACES 3: the engine is written down as where it is, not as what it holds."""
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL) as engine:
        engine.bank("ann").add(HIKING)
        pickled = pickle.dumps(engine.bank("ann"))
    source = (
        "import pickle, sys\n"
        "bank = pickle.loads(bytes.fromhex(sys.argv[1]))\n"
        "print(bank.recall('hiking?').results[0].content)\n"
        "bank.engine.close()\n"
    )
    done = scripts.run(source, Path("/"), arguments=[pickled.hex()])

    assert (done.out.strip(), done.err) == (HIKING, "")
    assert HIKING.encode() not in pickled


def test_a_closed_engine_is_opened_again(tmp_path: Path) -> None:
    """A server that is restarted within its process."""
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL) as engine:
        engine.bank("ann").add(HIKING)
        origin = engine.origin
    with reopen(origin) as again:
        assert again is not engine
        assert reopen(origin) is again
        assert [memory.content for memory in again.bank("ann").list()] == [HIKING]


def test_what_was_in_memory_is_gone_and_says_so() -> None:
    """INTERFACES scenario 28: a clear error for in-memory engines."""
    with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
        pickled = pickle.dumps(engine)
    with pytest.raises(
        InvalidInput, match=r"were not in a folder.*open its engine with cogmem_core.open\(...\)"
    ):
        pickle.loads(pickled)


def test_an_embedder_of_ones_own_is_not_written_down(tmp_path: Path) -> None:
    """It is found if the engine is open, and asked for if it is not."""
    with cogmem_core.open(tmp_path / "brain", embedder=CountingEmbedder(), config=MANUAL) as engine:
        origin = engine.origin
        assert reopen(origin) is engine
    with pytest.raises(
        InvalidInput, match=r"the embedder of .* is an object that cannot be written down"
    ):
        reopen(origin)


def test_a_folder_that_is_gone_is_not_made_anew(tmp_path: Path) -> None:
    """An empty bank in place of a full one would be worse than an error."""
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL) as engine:
        origin = engine.origin
    (tmp_path / "brain").rename(tmp_path / "elsewhere")

    with pytest.raises(InvalidInput, match="is not here"):
        reopen(origin)
    assert not (tmp_path / "brain").exists()


def test_other_memories_in_the_same_folder_are_not_taken_for_these(tmp_path: Path) -> None:
    """Names of folders are used again; a ledger's name is not."""
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL) as engine:
        origin = engine.origin
    (tmp_path / "brain").rename(tmp_path / "elsewhere")
    cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL).close()

    with pytest.raises(InvalidInput, match="holds other memories now"):
        reopen(origin)


@each_row(
    "origin", [None, "brain", {}, {"ledger": 1, "folder": None, "embedder": None, "llm": None}]
)
def test_what_is_no_origin_is_refused(origin: object) -> None:
    """Typed errors that name the argument and the fix."""
    with pytest.raises(
        InvalidInput, match=r"origin is not a valid engine origin; give Engine\.origin"
    ):
        reopen(origin)  # type: ignore[arg-type]


def test_an_origin_names_only_models_that_are_known(tmp_path: Path) -> None:
    """JSON from elsewhere cannot make cogm import anything."""
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL) as engine:
        origin = {**engine.origin, "embedder": "os.system"}
    with pytest.raises(ConfigError, match="unknown embedder"):
        reopen(origin)


def test_a_program_may_go_to_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bank that was opened by a relative path stays where it is, and an erasure searches its files."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    monkeypatch.chdir(here)
    with cogmem_core.open("brain", embedder=CountingEmbedder(), config=MANUAL) as engine:
        bank = engine.bank("ann")
        canary = bank.add("The canary sings at dawn")
        monkeypatch.chdir(there)
        bank.add(HIKING)
        receipt = bank.forget(canary.id, hard=True)
        assert (receipt.remaining, receipt.files_scanned > 2) == ((), True)
        assert engine.doctor().findings == ()
    assert list(there.iterdir()) == []
    with cogmem_core.open(here / "brain", embedder=CountingEmbedder(), config=MANUAL) as engine:
        assert [memory.content for memory in engine.bank("ann").list()] == [HIKING]


def test_without_a_current_folder_a_relative_path_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder that a program is in may be removed under it."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(StoreError, match="give an absolute path"):
        cogmem_core.open("brain", embedder=CountingEmbedder(), config=MANUAL)
    with cogmem_core.open(tmp_path / "brain", embedder=CountingEmbedder(), config=MANUAL) as engine:
        assert engine.bank("ann").count() == 0


def test_a_folder_opened_again_with_equal_settings_is_one_engine(tmp_path: Path) -> None:
    """A page that is run again and again opens no more files, and nobody closes it under another."""
    folder = tmp_path / "brain"
    first = cogmem_core.open(folder, embedder="hashing", config=MANUAL)
    opened = [cogmem_core.open(folder, embedder="hashing", config=MANUAL) for _ in range(30)]
    assert all(engine is first for engine in opened)
    for engine in opened:
        engine.close()
    first.bank("alice").remember("I live in Lisbon")
    with cogmem_core.open(folder, embedder="hashing", config=MANUAL) as again:
        assert again.bank("alice").count() == 1
    assert first.bank("alice").count() == 1
    first.close()
    with pytest.raises(BankClosed):
        first.bank("alice")


def test_other_settings_are_another_engine(tmp_path: Path) -> None:
    folder = tmp_path / "brain"
    with cogmem_core.open(folder, embedder="hashing", config=MANUAL) as engine:
        others = [
            cogmem_core.open(folder, embedder="hashing", config=cogmem_core.preset("v9")),
            cogmem_core.open(folder, embedder="hashing", config=MANUAL, clock=FrozenClock()),
            cogmem_core.open(tmp_path / "other", embedder="hashing", config=MANUAL),
            cogmem_core.open(embedder="hashing", config=MANUAL),
            cogmem_core.open(embedder="hashing", config=MANUAL),
        ]
        assert len({engine, *others}) == 6
        for other in others:
            other.close()
        engine.bank("alice").remember("I live in Lisbon")


def test_a_folder_that_was_made_anew_is_another_engine(tmp_path: Path) -> None:
    folder = tmp_path / "brain"
    with cogmem_core.open(folder, embedder="hashing", config=MANUAL) as engine:
        engine.bank("alice").remember("I live in Lisbon")
        folder.rename(tmp_path / "away")
        with cogmem_core.open(folder, embedder="hashing", config=MANUAL) as other:
            assert (other is engine, other.bank("alice").count()) == (False, 0)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_bank_is_read_without_a_change_to_its_folder(tmp_path: Path) -> None:
    """Recalls answer, also what is not in the closed file yet; what would change the bank is refused."""
    folder = tmp_path / "brain"
    with cogmem_core.open(folder, embedder="hashing", config=MANUAL) as engine:
        engine.bank("alice").remember(HIKING)
        with cogmem_core.open(folder, embedder="hashing", config=MANUAL, read_only=True) as live:
            assert live.bank("alice").recall("who likes hiking?")[0].content == HIKING
    before = files_of(folder)
    with cogmem_core.open(folder, embedder="hashing", config=MANUAL, read_only=True) as engine:
        bank = engine.bank("alice")
        recall = bank.recall("who likes hiking?")
        assert (recall[0].content, bank.count(), engine.namespaces()) == (HIKING, 1, ["alice"])
        for change in (
            lambda: bank.remember("Ann likes tea"),
            lambda: bank.forget(recall[0].memory.id),
            lambda: bank.add("Ann likes tea"),
            bank.consolidate,
        ):
            with pytest.raises(StoreError, match="opened read-only"):
                change()
        assert bank.count() == 1
    assert files_of(folder) == before


def test_only_a_bank_in_a_folder_is_opened_read_only(tmp_path: Path) -> None:
    for path in (None, tmp_path / "none"):
        with pytest.raises(InvalidInput):
            cogmem_core.open(path, embedder="hashing", config=MANUAL, read_only=True)
    assert not (tmp_path / "none").exists()
