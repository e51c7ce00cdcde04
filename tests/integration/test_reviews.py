"""The review queue: kinds of writes wait for a person, who approves or rejects them; what is decided is remembered."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config, Engine, InvalidInput, MemoryBank, NotFound, Turn
from cogmem_core.models import Review
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.tables import each_row_of

REJECTED = "a person rejected that"
SAILING = "Sailing in the bay of Izmir costs 40 euros."
STEPS = ("open_drawer", "take_key", "unlock_door")
Opener = Callable[..., Engine]


def reviewing(*kinds: str, **guard: object) -> Config:
    return replace(MANUAL, guard=replace(MANUAL.guard, review=kinds, **guard))


@pytest.fixture
def opened(clock: FrozenClock) -> Iterator[Opener]:
    """Opens engines in memory, or in a folder, that hold back these kinds."""
    with ExitStack() as stack:

        def make(*kinds: str, folder: Path | None = None, **guard: object) -> Engine:
            config = reviewing(*kinds, **guard)
            made = cogmem_core.open(folder, embedder="hashing", config=config, clock=clock)
            return stack.enter_context(made)

        yield make


def by_assistant(bank: MemoryBank, text: str) -> cogmem_core.Receipt:
    return bank.remember([Turn(text, role="assistant")]).receipts[0]


def contents(bank: MemoryBank, state: str = "active") -> list[str]:
    return [memory.content for memory in bank.list(state=state)]


def moved(bank: MemoryBank, clock: FrozenClock, text: str = "I moved to Porto.") -> Review:
    """Somebody lives in Lisbon and says a day later that he moved; the review of that."""
    bank.remember("I live in Lisbon.")
    clock.advance(days=1)
    bank.remember(text)
    (review,) = bank.reviews()
    return review


class TestQueueing:
    def test_a_write_of_a_chosen_kind_waits_and_blocks_nothing(self, opened: Opener) -> None:
        """The call returns at once; the receipt says so; recall goes on as before."""
        bank = opened("untrusted").bank("alice")
        receipt = by_assistant(bank, SAILING)
        (review,) = bank.reviews()
        assert (receipt.status, receipt.memory_ids) == ("quarantined", (review.target_id,))
        assert receipt.reason == "queued for review (untrusted): new"
        assert (review.kind, review.state, review.content) == ("untrusted", "waiting", SAILING)
        assert bank.recall("what does sailing cost?").results == ()
        assert bank.remember("I like tea.").receipts[0].status == "stored"
        assert by_assistant(bank, SAILING.upper()).memory_ids == (review.target_id,)
        assert bank.reviews() == (review,)
        health = bank.health()
        assert health["reviews"] == {"waiting": 1}
        assert any("1 write waits for a person" in warning for warning in health["warnings"])

    def test_without_the_setting_nothing_waits(self, opened: Opener, clock: FrozenClock) -> None:
        bank = opened().bank("alice")
        assert by_assistant(bank, SAILING).status == "stored"
        bank.remember("I live in Lisbon.")
        clock.advance(days=1)
        assert bank.remember("I moved to Porto.").receipts[0].status == "superseded"
        assert bank.reviews(None) == ()

    def test_what_would_replace_something_leaves_it_until_it_is_approved(
        self, opened: Opener, clock: FrozenClock
    ) -> None:
        bank = opened("contradicting").bank("alice")
        review = moved(bank, clock)
        assert (review.kind, contents(bank)) == ("contradicting", ["I live in Lisbon."])
        bank.consolidate()
        assert contents(bank) == ["I live in Lisbon."]
        assert bank.approve(review.id).state == "approved"
        assert (contents(bank), contents(bank, "superseded")) == (
            ["I moved to Porto."],
            ["I live in Lisbon."],
        )
        kinds = {link.type for link in bank.relations(review.target_id)}
        assert kinds == {"supersedes", "contradicts"}
        assert bank.verify_audit().findings == ()

    def test_of_a_compound_the_other_half_stays_and_both_if_that_is_wanted(
        self, opened: Opener, clock: FrozenClock
    ) -> None:
        """Approved as it would have been written."""
        bank = opened("contradicting").bank("alice")
        bank.remember("I live in Berlin and I work at Acme", mode="raw")
        clock.advance(days=1)
        bank.remember("I live in Lisbon now")
        (review,) = bank.reviews()
        assert contents(bank) == ["I live in Berlin and I work at Acme"]
        bank.approve(review.id)
        both = bank.list(newest_first=False)
        states = [[state.state for state in memory.clause_states] for memory in both]
        assert [memory.content for memory in both] == [
            "I live in Berlin and I work at Acme",
            "I live in Lisbon now",
        ]
        assert states == [["ended"], []]
        other = bank.engine.bank("bob")
        other_review = moved(other, clock)
        other.approve(other_review.id, keep_both=True)
        assert sorted(contents(other)) == ["I live in Lisbon.", "I moved to Porto."]

    def test_what_is_shared_waits(self, opened: Opener, tmp_path: Path) -> None:
        """A stranger's file; a user's own file does not."""
        theirs = opened().bank("theirs")
        theirs.remember("I keep bees on the roof.")
        theirs.export(tmp_path / "theirs.jsonl")
        bank = opened("shared").bank("alice")
        bank.import_(tmp_path / "theirs.jsonl", trust=0.5)
        assert [(r.kind, r.content) for r in bank.reviews()] == [
            ("shared", "I keep bees on the roof.")
        ]
        own = opened("shared", "untrusted").bank("own")
        own.import_(tmp_path / "theirs.jsonl")
        assert own.reviews() == ()

    def test_what_waits_rewrites_nothing_that_was_approved(self, opened: Opener) -> None:
        """What says the same and more is a memory of its own then, and waits."""
        violin = "My daughter plays the violin"
        more = "My daughter plays the violin in the city youth orchestra"
        trusting = opened().bank("alice")
        assert [by_assistant(trusting, text).status for text in (violin, more)][1] == "updated"
        bank = opened("untrusted").bank("alice")
        bank.approve(by_assistant(bank, violin).memory_ids[0])
        assert by_assistant(bank, more).status == "quarantined"
        assert contents(bank) == [violin]
        assert [review.content for review in bank.reviews()] == [more]


class TestDecisions:
    def test_a_decision_is_remembered(self, opened: Opener) -> None:
        """What was approved is not asked about again; what was rejected is refused."""
        bank = opened("untrusted").bank("alice")
        sailing = by_assistant(bank, SAILING).memory_ids[0]
        bank.approve(sailing)
        bank.forget(sailing, hard=True)
        bank.remember("I like tea.")
        chess = "The user plays chess on Mondays."
        bank.reject(by_assistant(bank, chess).memory_ids[0])
        again = by_assistant(bank, "The user plays CHESS on Mondays!")
        assert (again.status, again.reason) == ("skipped", REJECTED)
        assert bank.reviews() == ()
        assert [(r.state, r.reason) for r in bank.reviews("rejected")] == [
            ("rejected", "rejected by a person")
        ]

    def test_the_same_is_approved_alike_until_it_would_replace_something_else(
        self, opened: Opener, clock: FrozenClock
    ) -> None:
        bank = opened("contradicting").bank("alice")
        bank.remember("I live in Lisbon.")
        for town in ("Porto", "Oslo", "Porto"):
            clock.advance(days=1)
            bank.remember(f"I live in {town} now.")
            (review,) = bank.reviews()
            bank.approve(review.id)
        clock.advance(days=1)
        bank.remember("I live in Oslo now.")
        assert bank.reviews() == ()
        assert contents(bank) == ["I live in Oslo now."]

    def test_whoever_says_a_rejected_thing_again_himself_reopens_the_question(
        self, opened: Opener, clock: FrozenClock
    ) -> None:
        bank = opened("contradicting").bank("alice")
        review = moved(bank, clock)
        bank.reject(review.id)
        assert contents(bank) == ["I live in Lisbon."]
        assert by_assistant(bank, "The user moved to Porto.").reason == REJECTED
        assert bank.remember("I moved to Porto.").receipts[0].status == "quarantined"
        assert [r.state for r in bank.reviews(None)] == ["rejected", "waiting"]

    def test_restoring_approves_and_forgetting_rejects(self, opened: Opener) -> None:
        """Whatever door a person takes, the queue follows; erasing leaves nothing in it."""
        bank = opened("untrusted").bank("alice")
        ids = [
            by_assistant(bank, text).memory_ids[0]
            for text in (
                SAILING,
                "The user plays chess on Mondays.",
                "The user keeps bees at home.",
            )
        ]
        bank.restore(ids[0])
        bank.forget(ids[1])
        assert [r.state for r in bank.reviews(None)] == ["approved", "rejected", "waiting"]
        bank.forget(ids[2], hard=True)
        assert [r.state for r in bank.reviews(None)] == ["approved", "rejected"]

    def test_what_waits_can_be_put_in_other_words_and_still_waits(self, opened: Opener) -> None:
        bank = opened("untrusted").bank("alice")
        waiting = by_assistant(bank, SAILING).memory_ids[0]
        assert bank.edit(waiting, "Sailing costs 50 euros.").state == "quarantined"
        assert [review.content for review in bank.reviews()] == ["Sailing costs 50 euros."]
        bank.approve(waiting)
        assert contents(bank) == ["Sailing costs 50 euros."]

    @each_row_of("reviews/nobody_decides_in_time")
    def test_nobody_decides_in_time(
        self, opened: Opener, clock: FrozenClock, default: str, state: str, memory: str
    ) -> None:
        """The default does; what expired may be proposed again, and still be decided."""
        bank = opened("untrusted", review_default=default, review_days=7.0).bank("alice")
        waiting = by_assistant(bank, SAILING).memory_ids[0]
        clock.advance(days=6)
        bank.tick()
        assert bank.reviews()[0].state == "waiting"
        clock.advance(days=2)
        bank.tick()
        (review,) = bank.reviews(None)
        assert (review.state, bank.get(waiting).state) == (state, memory)
        again = {"expire": "quarantined", "approve": "skipped", "reject": "skipped"}
        assert by_assistant(bank, SAILING).status == again[default]
        if default == "expire":
            assert bank.approve(review.id).state == "approved"

    def test_what_is_no_open_question_is_refused(self, opened: Opener) -> None:
        """Typed errors that change nothing."""
        bank = opened("untrusted").bank("alice")
        review = by_assistant(bank, SAILING).memory_ids[0]
        bank.approve(review)
        for act in (bank.approve, bank.reject):
            with pytest.raises(InvalidInput, match=r"is approved already; bank\.forget"):
                act(review)
            with pytest.raises(NotFound, match="no review 'nothing'"):
                act("nothing")
        with pytest.raises(InvalidInput, match="state is 'open'; use one of waiting"):
            bank.reviews("open")
        with pytest.raises(cogmem_core.ConfigError, match=r"guard\.review"):
            opened("everything")


class TestEachWay:
    def test_a_rejected_proposal_does_not_come_back(
        self, opened: Opener, clock: FrozenClock, tmp_path: Path
    ) -> None:
        """By extraction, a stranger's file, a backup, notes, or a dream (see unit/test_rejected)."""
        source = opened().bank("source")
        by_assistant(source, SAILING)
        for number in range(3):
            source.remember(f"I went sailing in the bay of Izmir on day {number}.")
        source.export(tmp_path / "before.jsonl")
        bank = opened("untrusted").bank("alice")
        bank.reject(by_assistant(bank, SAILING).memory_ids[0])

        assert by_assistant(bank, SAILING).reason == REJECTED
        assert bank.import_(tmp_path / "before.jsonl", trust=0.5).rejected == 1
        bank.import_(tmp_path / "before.jsonl")
        bank.observe([{"role": "assistant", "content": SAILING}])
        bank.reflect()
        clock.advance(days=40)
        bank.consolidate()
        assert SAILING not in contents(bank, "active")
        assert all(review.content != SAILING for review in bank.reviews())

    def test_procedures_wait_and_a_rejected_one_is_not_mined_again(self, opened: Opener) -> None:
        bank = opened("procedure").bank("alice")

        def observe(session: str) -> None:
            calls = [{"tool": tool} for tool in STEPS]
            bank.observe_run("unlock the red door", calls, session_id=session, ok=True)

        observe("s1")
        observe("s2")
        (review,) = bank.reviews()
        assert review.content == "unlock the red door: " + " > ".join(f"{s}()" for s in STEPS)
        assert bank.procedures()[0].state == "quarantined"
        sessions = list(map(str, range(20)))
        asked = [bank.recall("unlock the red door", session_id=s).procedures for s in sessions]
        assert not any(asked)
        bank.approve(review.id)
        assert bank.procedures()[0].state == "candidate"
        bank.settle(review.target_id, "rejected")
        observe("s3")
        assert [p.state for p in bank.procedures()] == ["retired"]
        assert bank.health()["procedures"] == {"retired": 1}

    def test_export_and_import_carry_what_waits_and_what_was_decided(
        self, opened: Opener, clock: FrozenClock, tmp_path: Path
    ) -> None:
        """A user's own file; a stranger's decisions are not his."""
        bank = opened("untrusted", "contradicting").bank("alice")
        review = moved(bank, clock)
        bank.approve(by_assistant(bank, SAILING).memory_ids[0])
        bank.export(tmp_path / "alice.jsonl")
        other = opened("untrusted", "contradicting").bank("other")
        for _ in range(2):
            other.import_(tmp_path / "alice.jsonl")
        assert [(r.kind, r.state, r.content) for r in other.reviews(None)] == [
            ("contradicting", "waiting", "I moved to Porto."),
            ("untrusted", "approved", SAILING),
        ]
        assert other.reviews()[0].until == review.until
        other.approve(other.reviews()[0].id)
        assert sorted(contents(other)) == ["I moved to Porto.", SAILING]
        stranger = opened("untrusted").bank("stranger")
        stranger.import_(tmp_path / "alice.jsonl", trust=0.5)
        assert {r.state for r in stranger.reviews(None)} == {"waiting"}
