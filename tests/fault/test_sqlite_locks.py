"""SQLite's locks are the system's: who closes a file drops them, and who forks does not hand them on (1-2)."""

import os
import threading
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core.storage.ledger.sqlite_locks import Gate, begin_use, end_use, raw
from cogmem_core.testing import MANUAL, CountingEmbedder
from helpers.script_runner import Scripts

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")

LOOKS = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1] + "/ledger.sqlite")
print("another program sees", connection.execute("SELECT count(*) FROM memories").fetchone()[0], flush=True)
connection.close()
"""

ERASES = f"""
import os, subprocess, sys
import cogmem_core
from cogmem_core.testing import MANUAL, CountingEmbedder

engine = cogmem_core.open(sys.argv[1], embedder=CountingEmbedder(), config=MANUAL)
bank = engine.bank("alice")
bank.add("My sister lives in Porto.")
for number in range(3):
    receipt = bank.forget(bank.add(f"The canary {{number}} lives in a box.").id, hard=True)
    print(receipt.remaining, receipt.files_scanned > 2)
subprocess.run([sys.executable, "-c", {LOOKS!r}, sys.argv[1]], check=True)
for number in range(20):
    bank.add(f"It was told afterwards that {{number}} is a number.")
print("told", bank.count(), flush=True)
os._exit(9)
"""

FORKS = f"""
import os, subprocess, sys, warnings
import cogmem_core
from cogmem_core.testing import MANUAL, CountingEmbedder

warnings.simplefilter("ignore", DeprecationWarning)
engine = cogmem_core.open(sys.argv[1], embedder=CountingEmbedder(), config=MANUAL)
bank = engine.bank("alice")
bank.add("My sister lives in Porto.")
(ready, tell), (may, allow) = os.pipe(), os.pipe()
child = os.fork()
if child == 0:
    code = 1
    try:
        bank.add("My brother lives in Kars.")
        os.write(tell, b"x")
        os.read(may, 1)
        for number in range(20):
            bank.add(f"It was told afterwards that {{number}} is a number.")
        print("told", bank.count(), flush=True)
        code = 9
    finally:
        os._exit(code)
os.read(ready, 1)
engine.close()
subprocess.run([sys.executable, "-c", {LOOKS!r}, sys.argv[1]], check=True)
os.write(allow, b"x")
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""

COPIES = """
import os, warnings
import cogmem_core
from cogmem_core.testing import MANUAL, CountingEmbedder

warnings.simplefilter("ignore", DeprecationWarning)
engine = cogmem_core.open(embedder=CountingEmbedder(), config=MANUAL)
bank = engine.bank("alice")
bank.add("My sister lives in Porto.")
child = os.fork()
if child == 0:
    code = 1
    try:
        bank.add("My brother lives in Kars.")
        print(bank.count(), [item.content for item in bank.recall("Porto", floor=0).results][:1], flush=True)
        code = 9
    finally:
        os._exit(code)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), bank.count())
"""


def run(scripts: Scripts, script: str, folder: Path) -> tuple[int, list[str], str]:
    done = scripts.run(script, folder.parent, arguments=[folder])
    return done.code, done.out.splitlines(), done.err[-2_000:]


def there(folder: Path) -> int:
    with cogmem_core.open(folder, embedder=CountingEmbedder(), config=MANUAL) as engine:
        assert engine.doctor().findings == ()
        return engine.bank("alice").count()


def test_what_is_told_after_a_hard_forgetting_is_kept_while_others_come_and_go(
    tmp_path: Path, scripts: Scripts
) -> None:
    """ "0 acknowledged writes lost"; the byte scan reads the ledger and leaves SQLite's locks alone."""
    code, said, wrong = run(scripts, ERASES, tmp_path / "bank")

    assert said == [*["() True"] * 3, "another program sees 1", "told 21"], wrong
    assert code == 9
    assert there(tmp_path / "bank") == 21


@needs_fork
def test_a_child_goes_on_after_its_parent_has_closed_the_bank(
    tmp_path: Path, scripts: Scripts
) -> None:
    """ "fork safety (gunicorn preload, multiprocessing)"; the child has locks of its own."""
    code, said, wrong = run(scripts, FORKS, tmp_path / "bank")

    assert said == ["another program sees 2", "told 22", "9"], wrong
    assert code == 0
    assert there(tmp_path / "bank") == 22


@needs_fork
def test_a_bank_in_memory_is_copied_with_the_process(tmp_path: Path, scripts: Scripts) -> None:
    """What the child does to it the parent never sees, as with anything in memory."""
    code, said, wrong = run(scripts, COPIES, tmp_path / "none")

    assert said == ["2 ['My sister lives in Porto.']", "9 1"], wrong
    assert code == 0


def test_a_ledger_in_use_is_read_by_a_handle_that_stays(tmp_path: Path) -> None:
    """One handle serves all readings of a file and of its index of locks, and ends with the file's last use."""
    ledger, index = tmp_path / "ledger.sqlite", tmp_path / "ledger.sqlite-shm"
    ledger.write_bytes(b"pages")
    index.write_bytes(b"locks")
    real = begin_use(ledger)
    begin_use(ledger)
    with raw(ledger) as file, raw(ledger) as beside, raw(index) as locks:
        assert (file.read(), beside.read(), locks.read()) == (b"pages", b"pages", b"locks")
    assert not any(one.closed for one in (file, beside, locks))
    with raw(ledger) as again, raw(index) as locks_again:
        assert again in (file, beside)
        assert locks_again is locks
        assert again.read() == b"pages"

    end_use(real)
    assert not file.closed
    end_use(real)
    assert file.closed
    assert beside.closed
    assert locks.closed


def test_a_file_that_took_the_place_of_another_is_read(tmp_path: Path) -> None:
    """A handle that was kept may be of a file that is gone."""
    ledger = tmp_path / "ledger.sqlite"
    ledger.write_bytes(b"before")
    real = begin_use(ledger)
    with raw(ledger) as file:
        assert file.read() == b"before"
    (tmp_path / "other").write_bytes(b"after")
    (tmp_path / "other").replace(ledger)
    with raw(ledger) as file:
        assert file.read() == b"after"
    end_use(real)


def test_a_file_that_sqlite_does_not_use_is_closed_at_once(tmp_path: Path) -> None:
    """Of anything else no handle stays; a missing file says so."""
    (tmp_path / "export.jsonl").write_bytes(b"{}")
    with raw(tmp_path / "export.jsonl") as file:
        assert file.read() == b"{}"
    assert file.closed
    with pytest.raises(FileNotFoundError), raw(tmp_path / "nothing"):
        pass


def test_the_gate_waits_for_those_inside_and_keeps_others_out() -> None:
    """A process is copied when no other thread is in a transaction; whoever is in one may begin one more in it."""
    gate, inside, leave, events = Gate(), threading.Event(), threading.Event(), list[str]()

    def first() -> None:
        with gate.inside():
            inside.set()
            leave.wait(10)
            with gate.inside():
                events.append("first, twice inside")

    def second() -> None:
        with gate.inside():
            events.append("second")

    threads = [threading.Thread(target=first), threading.Thread(target=second)]
    threads[0].start()
    assert inside.wait(10)
    assert not gate.shut(0.01), "one is inside"
    threads[1].start()
    leave.set()
    assert gate.shut(10), "all have left"
    assert events == ["first, twice inside"]
    with gate.inside():
        events.append("who has shut it")
    gate.open()
    for thread in threads:
        thread.join(10)
    assert events == ["first, twice inside", "who has shut it", "second"]


def test_the_gate_does_not_wait_for_its_own_thread() -> None:
    """Somebody who forks within a transaction would wait for himself."""
    gate = Gate()
    with gate.inside():
        assert not gate.shut(3600)
        gate.open()
    assert gate.shut(0)
    gate.open()
