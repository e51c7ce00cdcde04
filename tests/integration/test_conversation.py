"""What a chat memory does when questions and answers are put, in whatever order frameworks do it."""

import copy
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import cogmem_core
from cogmem_core import Engine, InvalidInput, MemoryBank
from cogmem_core.adapters.conversation import Conversation, ConversationOptions, open_question
from helpers.store_kinds import BLAMING
from helpers.tables import each_case_of, each_row_of

HIKING = "Ann likes hiking on Mount Rainier"
COFFEE = "Ann drinks coffee from Guatemala"
USED = "You like hiking on Mount Rainier"


@pytest.fixture
def engine() -> Iterator[Engine]:
    with cogmem_core.open(embedder="hashing", config=BLAMING) as engine:
        engine.bank("ann").add(HIKING)
        yield engine


NAMESPACE = "ann"


def conversation(bank: MemoryBank, **habits: object) -> Conversation:
    return Conversation(lambda: bank, ConversationOptions(**habits))  # type: ignore[arg-type]


def recalls(bank: MemoryBank) -> int:
    return len(bank.engine.log(op="recall"))


def contents(bank: MemoryBank) -> list[str]:
    bank.engine.flush()
    return [memory.content for memory in bank.list()]


def signals(bank: MemoryBank) -> list[tuple[str, str]]:
    """(memory, "used" or "ignored") of every judgement so far."""
    bank.engine.flush()
    with bank.engine.services.ledger.whole() as reader:
        rows = reader.at(bank.namespace).feedback.newest(limit=100)
    return sorted((bank.get(row.memory_id).content, row.signal) for row in rows)


def test_what_was_told_learns_from_the_answer_once(bank: MemoryBank) -> None:
    """INTERFACES scenario 20: one recall per user turn, one signal."""
    talk = conversation(bank)
    talk.add_question("Where do I go hiking?")
    told = talk.context_for("Where do I go hiking?")
    talk.add_answer(USED)
    talk.add_answer(USED)

    assert told is not None
    assert HIKING in told.text
    assert signals(bank) == [(HIKING, "used")]


def test_a_question_is_recalled_for_once(bank: MemoryBank) -> None:
    """INTERFACES 2.2: agents ask for the messages again after every tool call."""
    talk = conversation(bank)
    talk.add_question("Where do I go hiking?")
    told = [talk.context_for("Where do I go hiking?") for _ in range(3)]

    assert [one.first for one in told if one is not None] == [True, False, False]
    assert len({one.recall.id for one in told if one is not None}) == 1
    assert recalls(bank) == 1


def test_what_was_said_is_remembered_after_the_answer(bank: MemoryBank) -> None:
    """INTERFACES 0.9: else the question is recalled as its own memory."""
    talk = conversation(bank)
    talk.add_question("I moved to Lisbon in May")
    talk.context_for("I moved to Lisbon in May")
    before = contents(bank)
    talk.add_answer("Nice!")

    assert (before, contents(bank)) == ([HIKING], [HIKING, "I moved to Lisbon in May"])


@each_case_of("conversation/whose_words_are_remembered_is_chosen")
def test_whose_words_are_remembered_is_chosen(
    bank: MemoryBank, save_mode: str, kept: list[str]
) -> None:
    """INTERFACES 6: `save_mode="user"|"both"|"none"`."""
    talk = conversation(bank, save_mode=save_mode, session_id="s1")
    talk.add_question("I moved to Lisbon")
    talk.add_answer("Lisbon is in Portugal")
    bank.engine.flush()

    assert [memory.content for memory in bank.list() if memory.session_id == "s1"] == kept


def test_a_question_that_failed_is_asked_again_and_counts_once(bank: MemoryBank) -> None:
    """The model raised, the user tries again: one exchange."""
    talk = conversation(bank)
    for _ in range(2):
        talk.add_question("I went hiking on a Monday")
        talk.context_for("I went hiking on a Monday")
    talk.add_answer(USED)

    assert signals(bank) == [(HIKING, "used")]
    assert contents(bank).count("I went hiking on a Monday") == 1


def test_what_was_never_answered_is_remembered_with_the_next_answer(bank: MemoryBank) -> None:
    """What the user said is not lost because a model failed; no memory is blamed for it."""
    talk = conversation(bank)
    talk.add_question("I am allergic to nuts")
    talk.context_for("I am allergic to nuts")
    talk.add_question("Hello?")
    talk.add_answer("Yes?")

    assert contents(bank) == [HIKING, "I am allergic to nuts"]
    assert signals(bank) == []


def test_what_was_never_answered_is_remembered_at_the_end(bank: MemoryBank) -> None:
    """`end`: the chat is reset, or the process stops."""
    talk = conversation(bank)
    talk.add_question("I am allergic to nuts")
    talk.context_for("a look inside, by hand")
    talk.end()
    talk.end()

    assert contents(bank) == [HIKING, "I am allergic to nuts"]


def test_open_questions_are_bounded(bank: MemoryBank) -> None:
    """A memory object that is asked and never answered: the oldest are remembered and given up."""
    talk = conversation(bank)
    for number in range(10):
        talk.add_question(f"I have met Tom{number}")
    kept = contents(bank)[1:]

    assert kept == ["I have met Tom0", "I have met Tom1"]


def test_the_answer_belongs_to_what_was_said_not_to_a_look_inside(bank: MemoryBank) -> None:
    """`memory.get("...")` by hand between question and answer is no question of the user."""
    bank.add(COFFEE)
    talk = conversation(bank, k=1)
    talk.add_question("Where do I go hiking?")
    talk.context_for("Where do I go hiking?")
    talk.context_for("Which coffee from Guatemala?")
    talk.add_answer(USED)

    assert signals(bank) == [(HIKING, "used")]


def test_an_answer_that_no_model_wrote_is_nobodys_fault(bank: MemoryBank) -> None:
    """A tool whose output is returned as it is."""
    talk = conversation(bank)
    talk.add_question("Where do I go hiking?")
    talk.context_for("Where do I go hiking?")
    talk.add_answer("42", judged=False)

    assert signals(bank) == []


@pytest.mark.parametrize("answer", ["", "  \n"])
def test_a_blank_answer_is_none(bank: MemoryBank, answer: str) -> None:
    """Empty assistant messages come before tool calls."""
    talk = conversation(bank)
    talk.add_question("Where do I go hiking?")
    first = talk.context_for("Where do I go hiking?")
    talk.add_answer(answer)
    again = talk.context_for("Where do I go hiking?")

    assert first is not None
    assert again is not None
    assert first.recall.id == again.recall.id


def test_only_what_there_was_room_for_is_judged(bank: MemoryBank) -> None:
    """Penalising memories that never reached the model (INTERFACES 5)."""
    bank.add(
        "Ann goes hiking in the Alps every second summer, with a tent and a dog, and writes about it afterwards"
    )
    talk = conversation(bank)
    talk.add_question("hiking?")
    everything, less = talk.context_for("hiking?"), talk.context_for("hiking?", room=70)
    talk.add_answer("No idea")

    assert everything is not None
    assert less is not None
    assert (len(everything.recall.results), len(less.recall.results)) == (2, 1)
    assert signals(bank) == [(less.recall.results[0].content, "ignored")]
    assert talk.context_for("What about hiking?", room=0) is None


def test_a_history_tells_of_answers(bank: MemoryBank) -> None:
    """A memory block sees the answer when the next question comes."""
    talk = conversation(bank, save_mode="none")
    history = [("system", "Be kind"), ("user", "Where do I go hiking?")]
    talk.context_for(talk.follow(history))
    history += [
        ("assistant", "Let me see"),
        ("tool", "42"),
        ("assistant", USED),
        ("user", "And then?"),
    ]
    question = talk.follow(history)

    assert question == "And then?"
    assert signals(bank) == [(HIKING, "used")]


def test_the_same_question_again_is_not_answered_by_the_old_answer(bank: MemoryBank) -> None:
    """A history in which the open question was asked, and answered, before."""
    talk = conversation(bank, save_mode="none")
    history = [("user", "hiking?"), ("assistant", "No idea"), ("user", "hiking?")]
    talk.context_for(talk.follow(history))
    talk.follow(history)

    assert signals(bank) == []


@each_row_of("conversation/the_open_question_is_what_the_user_said_last")
def test_the_open_question_is_what_the_user_said_last(
    said: list[tuple[str, str]], question: str
) -> None:
    """INTERFACES 2.2: after an assistant message nothing must be recalled."""
    assert open_question(reversed(said)) == question


def test_a_failing_recall_is_done_without_and_not_tried_again(
    bank: MemoryBank, caplog: pytest.LogCaptureFixture
) -> None:
    """INTERFACES scenario 11: the chat goes on, one warning."""
    bank.engine.worker.pause()
    talk = conversation(bank, k=0)
    with caplog.at_level(logging.WARNING, logger="cogmem_core"):
        assert [talk.context_for("hiking?"), talk.context_for("hiking?")] == [None, None]

    assert len(caplog.records) == 1


def test_failures_are_raised_if_so_asked(bank: MemoryBank) -> None:
    """INTERFACES scenario 11: `raise_errors=True`; and the question may be asked again."""
    talk = conversation(bank, k=0, raise_errors=True)
    for _ in range(2):
        with pytest.raises(InvalidInput, match="k is 0"):
            talk.context_for("hiking?")


def test_a_copy_shares_the_bank_and_nothing_else(bank: MemoryBank) -> None:
    """INTERFACES scenario 28: `copy.deepcopy` shares the engine."""
    talk = conversation(bank)
    talk.add_question("Where do I go hiking?")
    talk.context_for("Where do I go hiking?")
    other = copy.deepcopy(talk)
    other.add_answer(USED)
    assert signals(bank) == []

    talk.add_answer(USED)
    assert signals(bank) == [(HIKING, "used")]


def test_threads_recall_once_and_remember_once(bank: MemoryBank) -> None:
    """Streams put their answers from threads of their own."""
    talk = conversation(bank)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(talk.add_question, ["I went hiking in May"] * 16))
        list(pool.map(talk.context_for, ["I went hiking in May"] * 16))
        list(pool.map(talk.add_answer, [USED] * 16))

    assert recalls(bank) == 1
    assert contents(bank) == [HIKING, "I went hiking in May"]
    assert signals(bank) == [(HIKING, "used")]


def test_unknown_habits_are_refused() -> None:
    """Typed errors that name the argument and the fix."""
    with pytest.raises(InvalidInput, match="save_mode is 'all'; use one of user, both, none"):
        ConversationOptions(save_mode="all")
