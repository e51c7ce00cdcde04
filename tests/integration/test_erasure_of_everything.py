"""One word in every kind of record: what is erased by it, by session, by speaker or by time is nowhere, or is named."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from cogmem_core import MemoryBank, NotFound, Turn
from cogmem_core.models import ToolCall
from cogmem_core.results import ForgetReceipt
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.bank_contents import contents, files_holding

WORD = "Quendrith"
CONFIG = replace(MANUAL, guard=replace(MANUAL.guard, review=("untrusted",)))
SKIPPED = [
    Turn(f"Who is {WORD}?"),
    Turn(f"Please book a table for {WORD}."),
    Turn(f"Don't remember this: {WORD} owes me money."),
    Turn(f"Kannst du mir sagen, wo {WORD} wohnt?"),
    Turn(f"{WORD} nerede oturuyor?"),
    Turn(f"As you said, {WORD} is your dentist.", role="assistant"),
    Turn(f"found: {WORD}, 12 rows", role="tool"),
]

ENGINE = {"folder": True, "embedder": "hashing", "config": CONFIG}


def say(folder: Path, bank: MemoryBank) -> None:
    """The word in each kind of record, in the session `private`, by Ann where records tell who said it."""
    talk = [f"My dentist is Dr {WORD}.", f"I like tea, and {WORD} likes coffee."]
    turns = [Turn(text) for text in talk] + SKIPPED
    bank.remember(
        [
            replace(turn, session_id="private", speaker="Ann" if turn.role == "user" else None)
            for turn in turns
        ]
    )
    bank.observe([Turn(f"{WORD} called twice.", session_id="private", speaker="Ann")])
    bank.append_messages(
        [
            Turn("Look it up", ref="c1", speaker="Ann"),
            Turn("", role="assistant", ref="c2", metadata={"call": {"name": f"where is {WORD}"}}),
            Turn(f"{WORD} is at home", role="assistant", ref="c3"),
        ],
        session_id="private",
    )
    cat = bank.add(f"The cat is called {WORD}", session_id="private", speaker="Ann")
    bank.edit(cat.id, "The cat is called Mochi")
    bike = bank.add(f"{WORD} owns a green bike", session_id="private", speaker="Ann")
    bank.forget(bike.id)
    bank.items().put(("notes",), "one", {"text": f"{WORD} was here"}, texts=["A visit"])
    bank.intend(f"Call {WORD} back", when="Ben calls", session_id="private")
    for door in "red", "blue":
        calls = [ToolCall(tool, {"door": f"{WORD} {door}"}) for tool in ("open", "take", "unlock")]
        bank.observe_run(f"unlock the {door} door for {WORD}", calls, session_id="private", ok=True)
    skill = folder.parent / "SKILL.md"
    skill.write_text(f"---\nname: door\ndescription: open doors\n---\n\n1. Ask {WORD} first.\n")
    bank.import_(skill, "skill")
    skill.unlink()
    found = bank.recall(f"Who is the dentist, {WORD}?", session_id="private", floor=0)
    bank.feedback(found, "It is somebody.")
    bank.remember(f"{WORD} waits in the queue.", session_id="private", speaker="Ann", wait=False)


def keep(bank: MemoryBank) -> None:
    """What nobody asks to erase: another session, by Bob."""
    bank.remember(
        [Turn("I moved to Oslo.", speaker="Bob"), Turn("Yes, please.", speaker="Bob")],
        session_id="office",
    )


def test_a_word_is_erased_from_every_kind_of_record(
    folder: Path, bank: MemoryBank, clock: FrozenClock
) -> None:
    """Whether a memory came of it or not; what does not hold it stays."""
    keep(bank)
    clock.advance(days=9)
    say(folder, bank)
    assert files_holding(folder, WORD)
    receipt = bank.forget(WORD, hard=True)
    bank.engine.flush()

    assert receipt.remaining == ()
    assert files_holding(folder, WORD) == []
    assert "I moved to Oslo." in contents(bank)
    assert "Look it up" in [turn.content for turn in bank.transcript("private")]
    with pytest.raises(NotFound):
        bank.forget(WORD, hard=True)


def kinds_left(receipt: ForgetReceipt) -> list[str]:
    """The kinds of records that a receipt names."""
    return [sentence.partition(" stay ")[0] for sentence in receipt.remaining]


def test_a_session_is_erased_from_every_kind_that_tells_its_session(
    folder: Path, bank: MemoryBank, clock: FrozenClock
) -> None:
    """What tells none, and says what only the session said, is named."""
    keep(bank)
    clock.advance(days=9)
    say(folder, bank)
    receipt = bank.forget_session("private", hard=True)
    bank.engine.flush()

    assert kinds_left(receipt) == ["documents", "questions", "procedures"]
    assert (bank.intentions(), bank.transcript("private")) == ((), ())
    assert contents(bank) == ["I moved to Oslo.", "A visit"]
    assert bank.health()["turns"] == {"done": 1, "skipped": 1}
    bank.forget(WORD, hard=True)
    assert files_holding(folder, WORD) == []


def test_a_speaker_is_erased_from_every_kind_that_tells_who_spoke(
    folder: Path, bank: MemoryBank, clock: FrozenClock
) -> None:
    """What others and nobody said stays; if it holds words that only that speaker used, it is named."""
    keep(bank)
    clock.advance(days=9)
    say(folder, bank)
    receipt = bank.forget(speaker="Ann", hard=True)

    assert kinds_left(receipt) == [
        *("memories", "turns", "documents", "questions"),
        *("intentions", "procedures", "runs of tasks"),
    ]
    assert [memory.speaker for memory in bank.list(speaker="Ann", state="any")] == []
    bank.forget(WORD, hard=True)
    assert files_holding(folder, WORD) == []


def test_a_time_is_erased_from_every_kind(
    folder: Path, bank: MemoryBank, clock: FrozenClock
) -> None:
    """Each kind of record tells when it came to be."""
    keep(bank)
    clock.advance(days=9)
    say(folder, bank)
    receipt = bank.forget(since=clock() - timedelta(days=1), hard=True)
    bank.engine.flush()

    assert receipt.remaining == ()
    assert files_holding(folder, WORD) == []
    assert contents(bank) == ["I moved to Oslo."]


def test_what_nobody_said_elsewhere_is_all_that_a_receipt_names(bank: MemoryBank) -> None:
    """A question about something else is no trace of the session."""
    bank.remember("The boiler is in the cellar.", session_id="a")
    bank.remember("The ladder is in the shed.", session_id="b")
    bank.feedback(bank.recall("Where is the ladder?", floor=0), "In the shed.")
    assert bank.forget_session("a", hard=True).remaining == ()


@pytest.mark.parametrize(
    "add",
    [
        lambda bank: bank.remember("I like tea.", speaker=WORD),
        lambda bank: bank.remember("I like tea.", session_id=WORD),
        lambda bank: bank.add("Likes tea", tags=[WORD]),
        lambda bank: bank.add("Likes tea", metadata={"customer": WORD}),
        lambda bank: bank.items().put((WORD,), "one", {"text": "tea"}),
        lambda bank: bank.observe_run("brew tea", [ToolCall(WORD)], session_id="s"),
    ],
)
def test_what_is_only_called_so_stays_and_is_named(
    folder: Path, bank: MemoryBank, add: Callable[[MemoryBank], object]
) -> None:
    """A word erases what says it; names that callers gave are erased by filters."""
    bank.remember(f"{WORD} is my dentist.")
    add(bank)
    receipt = bank.forget(WORD, hard=True)

    assert kinds_left(receipt)
    assert f"{WORD} is my dentist." not in contents(bank)
    assert files_holding(folder, WORD)


@pytest.mark.parametrize(
    "quote",
    [
        lambda bank, said: bank.intend("Call her", when="Monday", metadata={"why": said}),
        lambda bank, said: bank.observe_run(
            "note it", [ToolCall("note", {"text": said})], session_id="s"
        ),
        lambda bank, said: bank.observe_run(
            "note it", [ToolCall("note", {"rows": [{"text": said}]})], session_id="s"
        ),
    ],
)
def test_what_an_agent_was_to_do_goes_with_the_memory_that_it_quotes(
    folder: Path, bank: MemoryBank, quote: Callable[[MemoryBank, str], object]
) -> None:
    """Arguments of tools and fields of plans hold words, too; another run of the tool stays."""
    said = f"My therapist is called {WORD} and I see her on Mondays."
    memory = bank.remember(said).memories[0]
    quote(bank, said)
    other = bank.observe_run("note it", [ToolCall("note", {"text": "milk"})], session_id="s")
    assert bank.forget(memory.id, hard=True).remaining == ()
    assert files_holding(folder, WORD) == []
    with bank.engine.services.ledger.reading(bank.namespace) as ns:
        assert [run.id for run in ns.task_runs.newest()] == [other.id]


def test_common_words_of_a_session_take_nothing_elsewhere(bank: MemoryBank) -> None:
    """A turn that made no memory goes alone: its words say nothing of what else is meant."""
    bank.remember(["Yes, please.", "Who is it?"], session_id="a")
    bank.remember(["Yes, please.", "Who is it?", "I moved to Oslo."], session_id="b")
    bank.intend("Say: yes, please.", when="Ben calls")
    receipt = bank.forget_session("a", hard=True)

    assert (receipt.episodes, contents(bank)) == (2, ["I moved to Oslo."])
    assert sum(bank.health()["turns"].values()) == 3
    assert [intention.text for intention in bank.intentions()] == ["Say: yes, please."]
