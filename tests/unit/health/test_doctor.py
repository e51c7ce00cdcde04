"""`Engine.doctor`: every kind of finding is planted, told, repaired, and not found again."""

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

import cogmem_core
from cogmem_cli.main import app
from cogmem_core import Config, Engine, InvalidInput
from cogmem_core.config import ConsolidationConfig, StorageConfig
from cogmem_core.health import doctor
from cogmem_core.health.doctor import CHECKS
from cogmem_core.storage.ledger.schema import shard_of
from cogmem_core.testing import CountingEmbedder, FrozenClock
from cogmem_core.text.keys import content_hash
from helpers.command import CliRunner
from helpers.store_kinds import edit, erase_rows

CONFIG = Config(
    storage=StorageConfig(index_above=10), consolidation=ConsolidationConfig(trigger="manual")
)
TEXTS = [
    f"remark {number} about {topic}"
    for number, topic in enumerate(("boats", "trains", "cheese") * 5)
]


@contextmanager
def opened(folder: Path, *, days: float = 0) -> Iterator[Engine]:
    clock = FrozenClock()
    clock.advance(days=days)
    with cogmem_core.open(
        folder, embedder=CountingEmbedder(), clock=clock, config=CONFIG
    ) as engine:
        engine.pause()
        yield engine


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank with memories, an edited one, a forgotten one, a document, a transcript, and its index."""
    folder = tmp_path_factory.mktemp("sound") / "brain"
    with opened(folder) as engine:
        bank = engine.bank("alice")
        memories = bank.remember(TEXTS, mode="raw").memories
        bank.edit(memories[0].id, "remark 0 about ships")
        bank.forget(memories[1].id)
        bank.items().put(("notes",), "soup", {"text": "lentils"}, texts=["lentil soup"])
        bank.append_messages(["hello", "good day"], session_id="s", remembered=())
        engine.bank("bob").remember("Bob likes trams")
        bank.consolidate(steps=["expiry"])
        engine.sync()
    return folder


@pytest.fixture
def folder(sound: Path, tmp_path: Path) -> Path:
    """A copy to be damaged."""
    return Path(shutil.copytree(sound, tmp_path / "brain"))


def statement(*statements: str) -> Callable[[Path], None]:
    """Does something to the ledger behind the engine's back."""

    return lambda folder: edit(folder, *statements)


def damage_an_index_of_the_ledger(folder: Path) -> None:
    """Other hashes in the pages of one index, as a failing disk would leave them: the table itself is sound."""
    ledger = sqlite3.connect(folder / "ledger.sqlite")
    (size,) = ledger.execute("PRAGMA page_size").fetchone()
    query = "SELECT rootpage FROM sqlite_master WHERE name = 'memories_by_hash'"
    (page,) = ledger.execute(query).fetchone()
    ledger.close()
    path = folder / "ledger.sqlite"
    content = bytearray(path.read_bytes())
    place = content.index(
        content_hash("remark 3 about boats").encode(), (page - 1) * size, page * size
    )
    content[place : place + 8] = b"00000000"
    path.write_bytes(content)


def leave_a_generation(folder: Path) -> None:
    (folder / "chroma" / "gen-000099").mkdir()
    (folder / "chroma" / "gen-000099" / "chroma.sqlite3").write_bytes(b"torn")


def open_to_all(folder: Path) -> None:
    folder.chmod(0o755)


def exchange_vectors(folder: Path) -> None:
    """The index is sound, and the ledger's vectors are other ones: as if a write had passed it by."""
    with opened(folder) as engine:
        engine.sync()
        a, b = (memory.id for memory in engine.bank("alice").list(limit=2))
    statement(
        f"UPDATE memories SET vector = (SELECT vector FROM memories WHERE id = '{b}') WHERE id = '{a}'"
    )(folder)


def interrupt_an_erasure(folder: Path) -> None:
    with opened(folder) as engine:
        memory = engine.bank("alice").list(limit=1)[0]
        erase_rows(engine.services.ledger, "alice", [memory.id])


def leave_a_turn(folder: Path) -> None:
    statement(
        "UPDATE episodes SET status = 'queued', reason = 'the embedder failed' WHERE content = 'good day'"
    )(folder)


ALICE = shard_of("alice")
PLANTED: dict[str, tuple[str, Callable[[Path], None], str]] = {
    "a missing table": (
        "schema",
        statement("DROP TABLE short_term"),
        "The ledger lacks table short_term.",
    ),
    "a missing index": (
        "schema",
        statement("DROP INDEX journal_by_run"),
        "The ledger lacks index journal_by_run.",
    ),
    "a damaged page": ("integrity", damage_an_index_of_the_ledger, "The ledger is damaged: "),
    "a counter set back": (
        "journal",
        statement(f"UPDATE namespaces SET last_seq = 2 WHERE shard = {ALICE}"),
        "In 1 namespace memories carry journal numbers above the counters",
    ),
    "a shard's counter lost": (
        "journal",
        statement(f"DELETE FROM shards WHERE shard = {ALICE}"),
        "In 1 namespace memories carry journal numbers above the counters",
    ),
    "vectors of another embedder": (
        "embedder",
        statement("UPDATE memories SET fingerprint = 'other' WHERE content LIKE '%cheese%'"),
        "5 memories have a vector of another embedder than 'counting-hashing-v1-64'",
    ),
    "a turn that waits": (
        "queue",
        leave_a_turn,
        "1 turn waits to become memories: the embedder failed.",
    ),
    "an erasure that was interrupted": (
        "erasures",
        interrupt_an_erasure,
        "1 erasure is not finished",
    ),
    "a lease that ran out": (
        "leases",
        statement("UPDATE dreams SET owner = 'dead', expires_at = 1"),
        "A dream cycle that never ended holds 1 namespace.",
    ),
    "a lease of a clock that went ahead": (
        "leases",
        statement("UPDATE dreams SET owner = 'dead', expires_at = 9000000000000000"),
        "A dream cycle that never ended holds 1 namespace.",
    ),
    "a run without a lease": (
        "leases",
        statement("UPDATE runs SET state = 'running'"),
        "A dream cycle that never ended holds 1 namespace.",
    ),
    "a relation to nothing": (
        "orphans",
        statement(
            f"INSERT INTO relations VALUES ({ALICE}, 'a', 'b', 'elaborates', 'alice', 1, 1, 0, 0)"
        ),
        "These rows belong to something that is not there: relations (1).",
    ),
    "feedback on nothing": (
        "orphans",
        statement(
            f"INSERT INTO feedback VALUES ({ALICE}, 'a', 'r', 'alice', 'used', 1, 1, 'q', 0)"
        ),
        "These rows belong to something that is not there: judgements (1).",
    ),
    "short-term marks on nothing": (
        "orphans",
        statement(f"INSERT INTO short_term VALUES ({ALICE}, 'a', 'alice', 0, 0)"),
        "These rows belong to something that is not there: short-term marks (1).",
    ),
    "synaptic tags on nothing": (
        "orphans",
        statement(f"INSERT INTO synaptic_tags VALUES ({ALICE}, 'a', 'alice', 's', 0, 0, 0)"),
        "These rows belong to something that is not there: synaptic tags (1).",
    ),
    "what nothing rests on": (
        "orphans",
        statement(f"INSERT INTO derivations VALUES ({ALICE}, 'alice', 'a', 'bob', 'b')"),
        "These rows belong to something that is not there: derivations (1).",
    ),
    "a successor that is not there": (
        "orphans",
        statement(
            "UPDATE memories SET superseded_by = 'nobody' WHERE content = 'remark 4 about trains'"
        ),
        "These rows belong to something that is not there: successors of memories (1).",
    ),
    "turns of no conversation": (
        "orphans",
        statement("UPDATE episodes SET session_id = NULL WHERE content = 'hello'"),
        "These rows belong to something that is not there: turns of a transcript without a conversation (1).",
    ),
    "a document whose text is gone": (
        "orphans",
        statement("""UPDATE items SET memory_ids = '["nobody"]'"""),
        "These rows belong to something that is not there: texts of documents (1).",
    ),
    "clauses of nothing": (
        "orphans",
        statement(
            f"INSERT INTO clauses VALUES ({ALICE}, 'a', 0, 'alice', 'i', 'home', 'holds', 0, 0, '', '')"
        ),
        "These rows belong to something that is not there: clauses (1).",
    ),
    "a clause that stands otherwise": (
        "clauses",
        statement(
            "INSERT INTO clauses SELECT shard, id, 0, namespace, 'i', 'home', 'ended', NULL, NULL, '', '' "
            "FROM memories WHERE content = 'remark 4 about trains'"
        ),
        "The index of clauses differs from 1 memory.",
    ),
    "an index that differs": (
        "index",
        exchange_vectors,
        "The vector index differs from the ledger in 1 vector.",
    ),
    "a folder that is open to all": (
        "permissions",
        open_to_all,
        "Every user of this machine may open brain",
    ),
}


def test_a_sound_bank_is_clean(folder: Path) -> None:
    """No finding, nothing skipped, and nothing is changed by looking."""
    with opened(folder) as engine:
        before = engine.bank("alice").list(state="any", limit=100)
        found = engine.doctor()
        assert (found.findings, found.skipped, found.clean) == ((), (), True)
        assert engine.doctor(repair=True).findings == ()
        assert engine.bank("alice").list(state="any", limit=100) == before


def test_a_bank_in_memory_is_examined_too() -> None:
    with cogmem_core.open(embedder="hashing", config=CONFIG) as engine:
        engine.bank("alice").remember(TEXTS, mode="raw")
        assert (engine.doctor().findings, engine.doctor().skipped) == ((), ())


@pytest.mark.parametrize("case", PLANTED)
def test_a_planted_trouble_is_told_repaired_and_gone(folder: Path, case: str) -> None:
    """Told without being touched, then repaired, then not found any more; no memory is lost by it."""
    kind, plant, message = PLANTED[case]
    plant(folder)
    with opened(folder) as engine:
        engine.worker.stop()
        memories = engine.bank("alice").count(state="any")
        told = {finding.kind: finding for finding in engine.doctor().findings}
        assert told[kind].message.startswith(message), told[kind].message
        assert told[kind].repaired is False
        mended = engine.doctor(repair=True)
        assert {finding.kind: finding.repaired for finding in mended.findings}[kind] is True
        assert mended.clean, mended
        assert engine.bank("alice").count(state="any") == memories
        assert (
            engine.bank("alice").recall("remark 3 about boats").results[0].content
            == "remark 3 about boats"
        )
    with opened(folder) as engine:
        assert engine.doctor().findings == ()


def test_a_generation_that_was_left_behind_is_told_and_removed(folder: Path) -> None:
    """Whoever opens the index sweeps them away; this one appeared later."""
    with opened(folder) as engine:
        engine.sync()
        leave_a_generation(folder)
        for _ in range(2):
            (finding,) = engine.doctor().findings
            assert finding.message == "Old index folders were left behind: gen-000099."
        assert engine.doctor(repair=True).clean
        assert engine.doctor().findings == ()
        assert sorted(path.name for path in (folder / "chroma").iterdir()) == ["gen-000001", "lock"]


def test_a_memory_that_cannot_be_read_is_told_and_left_to_a_person(folder: Path) -> None:
    """What needs it fails with its id and the way out; the rest of the examination goes on."""
    statement("UPDATE memories SET tags = '[' WHERE content = 'remark 3 about boats'")(folder)
    with opened(folder) as engine:
        (finding,) = (one for one in engine.doctor(repair=True).findings if one.kind == "rows")
        assert (finding.kind, finding.repaired) == ("rows", False)
        with pytest.raises(
            cogmem_core.StoreError,
            match=r"tags of memory \S+ cannot be read: .*; run `cogm doctor`",
        ) as told:
            engine.bank("alice").list(limit=100)
        memory_id = str(told.value).split()[3]
        assert finding.message.startswith(f"1 memory cannot be read: {memory_id} in 'alice'. ")


def test_a_file_that_vanishes_meanwhile_or_may_not_be_changed_is_no_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A running engine removes files; a folder may belong to somebody else."""
    open_to_all(folder)
    listed = doctor.files

    def gone(place: Path) -> list[Path]:
        return [*listed(place), place / "ledger.sqlite-journal"]

    def refused(*_: object) -> None:
        raise PermissionError("it belongs to root")

    monkeypatch.setattr(doctor, "files", gone)
    with opened(folder) as engine:
        monkeypatch.setattr(Path, "chmod", refused)
        (finding,) = engine.doctor(repair=True).findings
        monkeypatch.undo()
    assert (finding.kind, finding.repaired) == ("permissions", False)
    assert finding.message.endswith("The repair failed: it belongs to root")


def test_a_text_that_was_changed_on_disk_is_told_and_left_to_a_person(folder: Path) -> None:
    """Nobody can know what it was; an edit settles it."""
    statement(
        "UPDATE memories SET content = 'remark 3 about goats' WHERE content = 'remark 3 about boats'"
    )(folder)
    with opened(folder) as engine:
        (finding,) = engine.doctor(repair=True).findings
        assert (finding.kind, finding.repaired) == ("content", False)
        (memory,) = (m for m in engine.bank("alice").list(limit=100) if "goats" in m.content)
        assert finding.message.startswith(
            f"The text of 1 memory is not the one that was written: {memory.id} in 'alice'. "
        )
        engine.bank("alice").edit(memory.id, "remark 3 about boats")
        assert engine.doctor().clean


def test_a_changed_text_that_is_right_is_settled_by_an_edit_to_itself(folder: Path) -> None:
    """It is found by its own words again; the same edit once more changes nothing."""
    statement(
        "UPDATE memories SET content = 'remark 3 about goats' WHERE content LIKE 'remark 3 %'"
    )(folder)
    statement(
        "UPDATE memories SET content = 'remark 4 about goats' WHERE content LIKE 'remark 4 %'"
    )(folder)
    with opened(folder) as engine:
        bank = engine.bank("alice")
        changed = [memory for memory in bank.list(limit=100) if "goats" in memory.content]
        (finding,) = engine.doctor().findings
        assert finding.message == (
            f"The text of 2 memories is not the one that was written: {changed[0].id} in 'alice', {changed[1].id} in "
            "'alice'. Compare with a backup; `cogm edit -n NAMESPACE ID TEXT` settles what is right."
        )
        settled = [bank.edit(memory.id, memory.content) for memory in changed]
        assert [memory.version for memory in settled] == [2, 2]
        assert engine.doctor().findings == ()
        assert bank.recall("goats").results[0].content in (
            "remark 3 about goats",
            "remark 4 about goats",
        )
        assert bank.edit(changed[0].id, "remark 3 about goats").version == 2


def test_a_clock_that_went_back_is_told(folder: Path) -> None:
    """Two days before the last write; right again, it is no finding."""
    with opened(folder, days=-2) as engine:
        (finding,) = engine.doctor(repair=True).findings
        assert finding.message.startswith(
            "The clock says 2026-05-30 12:00, but the last change was made at 2026-06-01"
        )
        assert (finding.kind, finding.repaired) == ("clock", False)
        engine.services.runtime._clock.now += timedelta(days=2)  # type: ignore[attr-defined]
        assert engine.doctor().clean


def test_files_that_outgrew_the_disk_are_told(folder: Path) -> None:
    """A torn index once grew to 338 GB; here the file is as large as that, and sparse."""
    runaway = folder / "chroma" / "runaway.bin"
    runaway.touch()
    os.truncate(runaway, 1 << 43)
    with opened(folder) as engine:
        (finding,) = engine.doctor(repair=True).findings
        assert (finding.kind, finding.repaired) == ("disk", False)
        assert "the bank holds 8,388,6" in finding.message
        runaway.unlink()
        assert engine.doctor().clean


@pytest.mark.skipif(os.name == "nt", reason="a file that is open cannot be moved")
def test_a_folder_that_was_moved_is_told_and_no_other_is_touched(folder: Path) -> None:
    """Nor is another bank that lies there now; a copy is a bank like any other."""
    elsewhere = folder.with_name("elsewhere")
    with opened(folder) as engine:
        folder.rename(elsewhere)
        for _ in range(2):  # first there is none, then another one, which is damaged
            diagnosis = engine.doctor(repair=True)
            (finding,) = diagnosis.findings
            assert (finding.kind, finding.repaired) == ("folder", False)
            assert "was moved, removed or replaced. Open the bank again" in finding.message
            assert diagnosis.skipped == ("Nothing else was examined: it would be of another bank.",)
            assert any("was moved" in warning for warning in engine.health()["warnings"])
            if not folder.exists():
                shutil.copytree(elsewhere, folder)
                statement("DROP TABLE synaptic_tags")(folder)
    with opened(folder) as engine:
        assert {finding.kind for finding in engine.doctor().findings} == {"schema"}
    with opened(Path(shutil.copytree(elsewhere, folder.with_name("copy")))) as engine:
        assert engine.doctor().clean


def test_health_warns_of_what_is_found_quickly(folder: Path) -> None:
    """In the doctor's words, and of nothing where all is well."""
    runaway = folder / "chroma" / "runaway.bin"
    with opened(folder) as engine:
        assert engine.health()["warnings"] == []
        folder.chmod(0o755)
        runaway.touch()
        os.truncate(runaway, 1 << 43)
        permissions, disk = (finding.message for finding in engine.doctor().findings)
        told = engine.health()["warnings"]
        assert told[0] == permissions
        # What is left of the disk changes while this runs.
        assert told[1].partition(" MiB left; ")[2] == disk.partition(" MiB left; ")[2]
        assert permissions.startswith("Every user of this machine may open")
        assert len(told) == 2


def test_a_column_that_is_missing_cannot_be_made(folder: Path) -> None:
    """The finding stays, and says so."""
    statement("ALTER TABLE synaptic_tags DROP COLUMN captured")(folder)
    with opened(folder) as engine:
        (finding,) = engine.doctor(repair=True).findings
        assert finding.message.startswith("The ledger lacks column synaptic_tags.captured. ")
        assert (finding.kind, finding.repaired) == ("schema", False)


def test_every_kind_of_finding_is_planted_here() -> None:
    """A check that nobody ever saw find something proves nothing."""
    assert {kind for kind, _, _ in PLANTED.values()} | {
        "folder",
        "rows",
        "content",
        "clock",
        "disk",
        "generations",
    } == set(CHECKS)


def test_an_index_that_another_process_holds_is_skipped(folder: Path) -> None:
    """It is not examined, and not replaced under its owner's feet."""
    with opened(folder) as owner, opened(folder) as other:
        owner.sync()
        found = other.doctor(repair=True)
        assert found.clean
        assert len(found.skipped) == 1
        assert "another engine holds this folder's vector index" in found.skipped[0]
        leave_a_generation(folder)
        assert [finding.repaired for finding in other.doctor(repair=True).findings] == [False]
        assert owner.doctor(repair=True).clean
        assert other.doctor().findings == ()


def test_a_wrong_argument_is_refused(folder: Path) -> None:
    with opened(folder) as engine, pytest.raises(InvalidInput, match="repair"):
        engine.doctor("yes")  # type: ignore[arg-type]


def test_the_command_tells_repairs_and_exits_accordingly(tmp_path: Path) -> None:
    """Exit status 1 while something is wrong, 0 once it is repaired; sentences for people, JSON for programs."""
    folder, runner = tmp_path / "brain", CliRunner()

    def run(*arguments: str) -> tuple[int, str]:
        done = runner.invoke(app, [*arguments, "--path", str(folder)])
        return done.exit_code, done.stdout

    assert run("init", "--embedder", "hashing")[0] == 0
    assert run("remember", "I moved to Lisbon in May")[0] == 0
    assert run("doctor") == (0, "nothing is wrong\n")
    statement("DROP TABLE short_term")(folder)
    code, said = run("doctor")
    assert (code, "The ledger lacks table short_term." in said, "found" in said) == (1, True, True)
    code, said = run("doctor", "--json")
    document = json.loads(said)
    assert (code, document["clean"], [one["kind"] for one in document["findings"]]) == (
        1,
        False,
        ["schema"],
    )
    code, said = run("doctor", "--repair", "--json")
    assert (code, [one["repaired"] for one in json.loads(said)["findings"]]) == (0, [True])
    assert json.loads(run("doctor", "--json")[1]) == {"clean": True, "findings": [], "skipped": []}
