"""A bank with every kind of record, as this release writes it: the fixture of the next release's upgrade test.

`python tests/helpers/bank_of_this_release.py FILE.tgz` writes it, with the export of one namespace as `alice.jsonl`.
`tests/data/banks/schema_16.tgz` was made so by 0.2.0 (schema 16, export format 6). Make another one when the schema
changes, and leave the older ones as they are.
"""

import sys
import tarfile
import tempfile
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from functools import partial
from pathlib import Path

import cogmem_core
from cogmem_core import Config, Engine, MemoryBank, Turn
from cogmem_core.config import StorageConfig
from cogmem_core.models import ToolCall
from cogmem_core.testing import MANUAL, FrozenClock

__all__ = ["EXPORT", "FIRST_DAY", "write_bank"]

FIRST_DAY = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
EXPORT = "alice.jsonl"
# Alice's vectors are in Chroma, too, so that a state of the index is on record.
CONFIG: Config = replace(
    MANUAL, storage=StorageConfig(index_above=9), guard=replace(MANUAL.guard, review=("untrusted",))
)


def write_bank(folder: Path) -> None:
    """Write the bank to a folder that does not exist yet."""
    clock = FrozenClock(FIRST_DAY)
    with cogmem_core.open(folder, embedder="hashing", clock=clock, config=CONFIG) as engine:
        alice = engine.bank("alice")
        _say(alice, clock)
        _mark(alice)
        _keep_documents(alice)
        _plan(alice)
        _do_tasks(alice)
        _share(engine)
        _dream(alice, clock)
        _wait_for_a_person(alice)
        _say_for_hours(alice)
        alice.export(folder / EXPORT)
        engine.flush()


def _say(alice: MemoryBank, clock: FrozenClock) -> None:
    """Turns, facts, version chains, a statement that holds until a day, a transcript."""
    in_spring = partial(Turn, speaker="Ann", session_id="spring")
    alice.remember(
        [
            in_spring("I live in Lisbon.", ref="t1"),
            in_spring("My sister Lena plays the cello.", ref="t2"),
            in_spring("I drink my coffee with milk.", ref="t3"),
        ]
    )
    clock.advance(days=2)
    alice.remember(in_spring("I moved to Porto.", ref="t4"))
    alice.remember("The parking permit holds until 30 June 2026.")
    alice.append_messages(
        [Turn("Hello", ref="c1"), Turn("Hi there", role="assistant", ref="c2")], session_id="chat"
    )
    alice.session("talk").remember("The locker in the gym has the number 77.")


def _mark(alice: MemoryBank) -> None:
    """Memories of other categories and states; marks, metadata, feedback, an edit, what was erased."""
    alice.add(
        "The code of the shed is 4821",
        importance=0.9,
        pinned=True,
        tags=["home"],
        metadata={"wing": "north"},
        category="fact",
    )
    alice.add("Allergic to peanuts", immutable=True, category="preference")
    cat = alice.add("The cat is called Tom")
    alice.edit(cat.id, "The cat is called Mochi")
    bike = alice.add("The bike is green")
    alice.forget(bike.id)
    van = alice.add("The van is white")
    alice.forget(van.id, hard=True)
    found = alice.recall("What does my sister play?", session_id="spring")
    alice.feedback(found, "She plays the cello.")


def _keep_documents(alice: MemoryBank) -> None:
    """A document with texts, one without, one that ends."""
    items = alice.items()
    items.put(("garden",), "fig", {"wall": "south"}, texts=["The fig tree stands at the wall"])
    items.put(("settings",), "theme", {"dark": True})
    items.put(("garden",), "mint", {"pot": 3}, ttl=365 * 86_400.0)


def _plan(alice: MemoryBank) -> None:
    """Intentions of each kind, one of them done."""
    alice.intend("Call the dentist", at=FIRST_DAY + timedelta(days=60))
    alice.intend("Ask about the budget", when="Ben calls")
    alice.intend("Water the fig", every="week", times=4, at=FIRST_DAY + timedelta(days=50))
    done = alice.intend("Send the card", on_session=True)
    alice.settle(done.id, "done")


def _do_tasks(alice: MemoryBank) -> None:
    """Runs of a task, and the procedure that is mined from them."""
    for session, door in ("s1", "red"), ("s2", "blue"):
        calls = [ToolCall(tool, {"door": door}) for tool in ("open_drawer", "take_key", "unlock")]
        alice.observe_run(f"unlock the {door} door", calls, session_id=session, ok=True)


def _share(engine: Engine) -> None:
    """Principals, grants (one revoked), and what an agent derived from two namespaces."""
    engine.add_principal("ann")
    engine.add_principal("scout", kind="agent", owner="ann")
    engine.grant("ann", "ann/*", "admin")
    engine.grant("ann", "team/*", "write", reason="she leads it")
    engine.grant("scout", "*", "write")
    engine.revoke(engine.grant("scout", "archive/*", "read").id)
    pay = engine.bank("ann/pay").add("Ann earns 5000 euros")
    plans = engine.as_("scout").bank("team/plans")
    plans.add("The team has four people")
    plans.add("The pay with Ann is 20000 euros", support=[pay])


def _dream(alice: MemoryBank, clock: FrozenClock) -> None:
    """Two that say the same, merged by a cycle; what was observed and reflected on."""
    alice.add("Likes green tea")
    alice.add("Likes green tea")
    clock.advance(days=2)
    alice.consolidate()
    alice.observe(["The rent of the studio is 900 euros."])
    alice.reflect()


def _say_for_hours(alice: MemoryBank) -> None:
    """What a cycle would take away: a note, a tag of what is weak, a fact on probation."""
    alice.observe(["Emma visits Oslo on 8 May."])
    alice.remember("There was some rain at the bridge.", session_id="evening")
    alice.remember("I am at the dentist right now.", session_id="evening", mode="semantic")


def _wait_for_a_person(alice: MemoryBank) -> None:
    """What an assistant says: one waits, one is approved, one rejected."""
    for text in (
        "Sailing in the bay costs 40 euros.",
        "The museum closes at six.",
        "The ferry leaves from pier 9.",
    ):
        alice.remember([Turn(text, role="assistant")])
    _, museum, ferry = alice.reviews()
    alice.approve(museum.id)
    alice.reject(ferry.id)


def main(file: Path) -> None:
    """Write the bank, packed."""
    with tempfile.TemporaryDirectory() as folder:
        bank = Path(folder) / "brain"
        write_bank(bank)
        with tarfile.open(file, "w:gz") as archive:
            archive.add(bank, ".")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
