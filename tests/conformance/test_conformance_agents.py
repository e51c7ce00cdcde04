"""Intentions, procedures and reviews, over each store."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from cogmem_core import Engine, MemoryBank, Turn
from cogmem_core.testing import MANUAL, FrozenClock


class TestIntentions:
    def test_each_is_handed_out_once_and_settled(
        self, bank: MemoryBank, engine: Engine, clock: FrozenClock
    ) -> None:
        """By time, by what is said, in a session; also when nobody asks within its window."""
        call = bank.intend("call the bank", at=clock() + timedelta(hours=1))
        keys = bank.intend("give the keys back", when="Anna calls")
        hello = bank.intend("ask how the trip was", on_session=True, session_id="s1")
        late = bank.intend("buy the tickets", at=clock() + timedelta(minutes=1))
        assert bank.due("I had soup for lunch", session_id="s1") == ()
        clock.advance(days=1, minutes=30)
        assert engine.tick() == 0
        assert [i.id for i in bank.due("Anna calls", session_id="s2")] == [
            call.id,
            keys.id,
            hello.id,
        ]
        assert bank.due("Anna calls", session_id="s3") == ()
        assert bank.settle(call.id, "done").state == "done"
        assert [(i.id, i.state) for i in bank.intentions(["fired", "missed", "done"])] == [
            (call.id, "done"),
            (keys.id, "fired"),
            (hello.id, "fired"),
            (late.id, "missed"),
        ]
        assert bank.health()["intentions"] == {"done": 1, "fired": 2, "missed": 1}


class TestProcedures:
    def test_what_succeeded_twice_is_a_candidate_that_half_of_the_sessions_see(
        self, bank: MemoryBank, tmp_path: Path
    ) -> None:
        """Mined, shown, counted, retired by a person, written as SKILL.md and read again."""
        calls = [{"tool": "open_drawer"}, {"tool": "take_key"}, {"tool": "unlock"}]
        for session in ("s1", "s2"):
            run = bank.observe_run(f"unlock the door {session}", calls, session_id=session)
            assert bank.outcome(run, True).ok
        (mined,) = bank.procedures("candidate")
        assert mined.steps == ("open_drawer()", "take_key()", "unlock()")
        shown = [
            name
            for name in map(str, range(20))
            if bank.recall("unlock the door", session_id=name).procedures
        ]
        assert 0 < len(shown) < 20
        run = bank.observe_run("unlock the door", calls, session_id=shown[0], ok=True)
        assert run.shown == (mined.id,)
        assert bank.procedures("canary")[0].outcomes.shown_ok == 1
        file = bank.export_procedure(mined.id, tmp_path / "SKILL.md")
        assert bank.settle(mined.id, "rejected").state == "retired"
        bank.import_(file, "skill")
        assert [p.state for p in bank.procedures()] == ["retired", "candidate"]


class TestReviews:
    def test_what_waits_is_approved_rejected_or_left(
        self, reopen: Callable[..., Engine], clock: FrozenClock
    ) -> None:
        """Held back, known again, decided, refused, expired."""
        guard = replace(MANUAL.guard, review=("untrusted", "contradicting"), review_days=7.0)
        bank = reopen(replace(MANUAL, guard=guard)).bank("alice")
        bank.remember("I live in Lisbon.")
        clock.advance(days=1)
        bank.remember("I live in Porto now.")
        said = [Turn(f"Room {n} is painted green.", role="assistant") for n in (1, 2, 1)]
        waiting = [receipt.memory_ids[0] for receipt in bank.remember(said).receipts]
        assert waiting[0] == waiting[2]
        moved, first, second = bank.reviews()
        assert (first.target_id, second.target_id) == (waiting[0], waiting[1])
        assert bank.approve(moved.id).state == "approved"
        assert bank.reject(waiting[0]).state == "rejected"
        assert [memory.content for memory in bank.list()] == ["I live in Porto now."]
        assert bank.remember([said[0]]).receipts[0].status == "skipped"
        clock.advance(days=8)
        bank.tick()
        assert [review.state for review in bank.reviews(None)] == [
            "approved",
            "rejected",
            "expired",
        ]
