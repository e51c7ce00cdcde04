"""A short turn is found by the question that it answers, and shown with it: "Rex." alone tells nobody anything."""

import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cogmem_core
from cogmem_core import Engine, MemoryBank, Turn
from cogmem_core.adapters.conversation import Conversation, ConversationOptions
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.testing import MANUAL, CountingEmbedder, ScriptedLLM
from helpers.bank_contents import files_holding
from helpers.tables import rows_of


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with cogmem_core.open(tmp_path / "bank", embedder=CountingEmbedder(), config=MANUAL) as engine:
        yield engine


NAMESPACE = "ann"


def asks(text: str, session: str | None = "s", **values: Any) -> Turn:
    return Turn(text, role="assistant", session_id=session, **values)


def says(text: str, session: str | None = "s", **values: Any) -> Turn:
    return Turn(text, session_id=session, **values)


def keys(bank: MemoryBank) -> dict[str, str]:
    """What is embedded and tokenised of each memory, without its date, by its text."""
    with bank.engine.services.ledger.whole() as reader:
        ids = reader.at(bank.namespace).memories.ids(Filter(states=None))
        stored = reader.at(bank.namespace).memories.stored(ids).values()
    return {one.memory.content: one.key.rpartition("\n: ")[2] for one in stored}


def test_it_is_found_by_the_question_and_shown_with_it(bank: MemoryBank) -> None:
    """No word of "What is my dog called?" stands in "Rex."."""
    bank.remember([asks("What is your dog called?"), says("Rex."), says("I hate queues")])
    (first, *_) = found = bank.recall("What is my dog called?", floor=0).results
    assert (first.content, first.asked, first.text) == (
        "Rex.",
        "What is your dog called?",
        "Rex. (asked: What is your dog called?)",
    )
    assert [item.asked for item in found if item.content == "I hate queues"] == [""]
    assert (
        "Rex. (asked: What is your dog called?)\n"
        in bank.recall("What is my dog called?", floor=0).context()
    )


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        *rows_of("answers/what_counts_as_the_question"),
        ("What is the dog called " + "that you have " * 30 + "?", ""),
    ],
)
def test_what_counts_as_the_question(bank: MemoryBank, said: str, asked: str) -> None:
    """The last sentence, if it is a question, of some length, that gives no orders."""
    bank.remember([asks(said), says("Rex, since May")])
    assert keys(bank)["Rex, since May"] == f"Rex, since May\n? {asked}".removesuffix("\n? ")


@pytest.mark.parametrize(
    "turns",
    [
        [says("What is my dog called?"), says("Rex, since May")],
        [asks("What is your dog called?"), says("I see."), says("Rex, since May")],
        [asks("What is your dog called?", "t"), says("Rex, since May")],
        [asks("What is your dog called?", None), says("Rex, since May", None)],
        [Turn("What is the dog called?", role="tool", session_id="s"), says("Rex, since May")],
    ],
    ids=["asked by the same", "not at once", "another session", "no session", "asked by a tool"],
)
def test_what_answers_nothing(bank: MemoryBank, turns: list[Turn]) -> None:
    """Only what somebody else asked just before in the same session is answered."""
    bank.remember(turns)
    assert keys(bank)["Rex, since May"] == "Rex, since May"


def test_long_turns_tell_enough(bank: MemoryBank) -> None:
    """More than 60 characters."""
    long, limit = (
        "Rex, whom we took home from a shelter in the north in spring",
        "x" * 53 + " is it.",
    )
    bank.remember([asks("What is your dog called?"), says(long + "time")])
    bank.remember([asks("What is the word?"), says(limit)])
    assert {text: "?" in key for text, key in keys(bank).items()} == {
        long + "time": False,
        limit: True,
    }


@pytest.mark.parametrize("way", ["one by one", "in the background", "of a transcript"])
def test_however_the_turns_come(engine: Engine, bank: MemoryBank, way: str) -> None:
    """The question may be there for the transcript alone, in an earlier call."""
    for turn in (asks("What is your dog called?"), says("Rex, since May")):
        if way == "of a transcript":
            bank.append_messages(
                [dataclasses.replace(turn, session_id=None)], session_id="s", remembered=("user",)
            )
        else:
            bank.remember(turn, wait=way == "one by one")
    engine.flush()
    assert keys(bank) == {"Rex, since May": "Rex, since May\n? What is your dog called?"}


def test_an_edited_answer_answers_the_same_question(bank: MemoryBank, tmp_path: Path) -> None:
    """Edited here, and in an exported file."""
    bank.remember([asks("What is your dog called?"), says("Rex, since May")])
    bank.edit(bank.list()[0].id, "Max, since May")
    assert keys(bank) == {"Max, since May": "Max, since May\n? What is your dog called?"}
    bank.export(tmp_path / "out.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    edited = [line | {"content": "Bo"} if line["kind"] == "memory" else line for line in lines]
    (tmp_path / "out.jsonl").write_text("\n".join(map(json.dumps, edited)))
    other = bank.engine.bank("bo")
    other.import_(tmp_path / "out.jsonl")
    assert keys(other) == {"Bo": "Bo\n? What is your dog called?"}


def test_a_line_of_a_text_is_no_question(bank: MemoryBank) -> None:
    """A text may have a line that begins as a question does in a key."""
    memory = bank.add("Agenda of May\n? who comes")
    assert bank.recall("agenda", floor=0).results[0].text == "Agenda of May\n? who comes"
    bank.edit(memory.id, "Nothing")
    assert keys(bank) == {"Nothing": "Nothing"}


def test_what_asked_is_forgotten(bank: MemoryBank, tmp_path: Path) -> None:
    """The answer stays; the question goes from its key, its former version's key and every file."""
    question = (
        "I moved to Berlin in May and have a zanzibarian cat. Did you ever meet a zanzibarian?"
    )
    bank.remember([says(question, speaker="Bo"), says("Once, since May", speaker="Ann")])
    (answer,) = (memory for memory in bank.list() if memory.speaker == "Ann")
    bank.edit(answer.id, "Twice, since May")
    (asked,) = (memory for memory in bank.list() if memory.speaker == "Bo")
    bank.forget(asked.id, hard=True)
    bank.engine.sync()
    assert keys(bank) == {"Twice, since May": "Twice, since May"}
    assert [memory.content for memory in bank.list()] == ["Twice, since May"]
    bank.engine.close()
    assert files_holding(tmp_path, "zanzibarian") == []


def test_what_the_caller_tells(engine: Engine) -> None:
    """`Turn.asked`: where the other's words are no turns here. Its last sentence counts, without secrets."""
    bank = engine.bank("ann")
    bank.remember(Turn("Rex, since May", asked="How nice. What is your dog called?"))
    bank.remember(
        Turn(
            "That one, since May",
            asked="Is your key sk-abcdefghijklmnopqrstuvwx1234567890ABCDEFGH?",
        )
    )
    bank.remember(Turn("I see it, since May", asked="I told you."))
    assert keys(bank) == {
        "Rex, since May": "Rex, since May\n? What is your dog called?",
        "That one, since May": "That one, since May\n? Is your key [redacted api key]?",
        "I see it, since May": "I see it, since May",
    }
    marks = [["cogmem_answers_to"], ["cogmem_answers_to"], []]
    assert [list(memory.metadata) for memory in bank.list()] == marks
    with pytest.raises(cogmem_core.InvalidInput, match=r"content\.asked"):
        bank.remember(Turn("Rex", asked=7))  # type: ignore[arg-type]


@pytest.mark.parametrize("save_mode", ["user", "both"])
def test_a_conversation_knows_what_the_model_asked(bank: MemoryBank, save_mode: str) -> None:
    """Also where only the words of the user are remembered."""
    talk = Conversation(lambda: bank, ConversationOptions(save_mode=save_mode))
    for question, answer in (
        ("I need help, please", "Sure! What is your dog called?"),
        ("Rex, since May", "Fine."),
    ):
        talk.add_question(question)
        talk.context_for(question)
        talk.add_answer(answer)
    bank.engine.flush()
    assert keys(bank)["Rex, since May"] == "Rex, since May\n? What is your dog called?"


def test_a_question_beside_a_turn_is_erased(bank: MemoryBank, tmp_path: Path) -> None:
    """What asked was remembered, and told with the answer as well."""
    question = "I moved to Berlin in May. Is your zanzibarian cat called Tom?"
    bank.remember(asks(question, None))
    bank.remember(Turn("No, Rex, since May", asked=question))
    bank.forget(next(memory.id for memory in bank.list() if "Berlin" in memory.content), hard=True)
    assert [memory.content for memory in bank.list()] == ["No, Rex, since May"]
    bank.engine.close()
    assert files_holding(tmp_path, "zanzibarian") == []


def test_the_question_goes_with_its_answer(bank: MemoryBank, tmp_path: Path) -> None:
    """A question that became no memory is erased with the answer that quotes it."""
    bank.remember([asks("Is your zanzibarian cat called Tom?"), says("No, Rex, since May")])
    bank.forget(bank.list()[0].id, hard=True)
    bank.engine.close()
    assert files_holding(tmp_path, "zanzibarian") == []


def test_what_asked_nothing_of_it_stays(bank: MemoryBank) -> None:
    """A question without its mark, in the same session, that the erased memory does not answer."""
    bank.remember([says("where do I live"), says("I keep two bees in the attic")])
    bank.forget(bank.list()[0].id, hard=True)
    with bank.engine.services.ledger.whole() as reader:
        assert [turn.content for turn in reader.at(bank.namespace).turns.page(limit=9)] == [
            "where do I live"
        ]


def test_the_same_question_elsewhere_stays(bank: MemoryBank) -> None:
    """Asked in every session; only what the erased answer answered goes."""
    for session, answer in (("s", "Two tickets to Porto"), ("t", "A table for four")):
        bank.remember([asks("How can I help you today?", session), says(answer, session)])
    bank.forget(next(memory.id for memory in bank.list() if "Porto" in memory.content), hard=True)
    assert keys(bank) == {"A table for four": "A table for four\n? How can I help you today?"}
    with bank.engine.services.ledger.whole() as reader:
        turns = reader.at(bank.namespace).turns.page(limit=9)
    assert [(turn.session_id, turn.content) for turn in turns] == [
        ("t", "How can I help you today?"),
        ("t", "A table for four"),
    ]


CHILDREN, CATS = "How many children do you have?", "How many cats do you have?"


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize("mode", ["raw", "auto", "semantic", "hybrid"])
def test_the_same_words_answer_two_questions(
    engine: Engine, bank: MemoryBank, mode: Any, at_once: bool
) -> None:
    """What says something else is never merged. "Three." about cats is not "Three." about children."""
    told = [
        Turn("Three.", asked=CHILDREN),
        Turn("Three.", asked=CATS),
        Turn("Three.", asked=CHILDREN.upper()),
    ]
    for turns in [told] if at_once else [[turn] for turn in told]:
        report = bank.remember(turns, mode=mode)
    assert [fact.status for fact in report.receipts[-1].facts] == ["reinforced"]
    for question in (CHILDREN, CATS):
        assert bank.recall(question, floor=0).results[0].text == f"Three. (asked: {question})"
    before = [(memory.id, len(memory.sources)) for memory in bank.list()]
    assert [sources for _, sources in before] == [2, 1]
    assert (bank.audit().duplicates.count, bank.consolidate().merged) == (0, 0)
    assert [(memory.id, len(memory.sources)) for memory in bank.list()] == before


def test_an_answer_without_its_question_is_another_one(bank: MemoryBank) -> None:
    """Nobody knows what it is about: it neither strengthens nor replaces what is known."""
    for turn in (
        Turn("In Lisbon.", asked="Where do you work?"),
        Turn("In Lisbon."),
        Turn("In Lisbon."),
    ):
        report = bank.remember(turn)
    assert report.receipts[0].status == "reinforced"
    assert [(memory.content, len(memory.sources)) for memory in bank.list()] == [
        ("In Lisbon.", 1),
        ("In Lisbon.", 2),
    ]


def test_what_says_enough_is_the_same_behind_any_question(bank: MemoryBank) -> None:
    """A whole sentence needs no question; it is one memory, however it was brought up."""
    for question in ("Where do you live?", "And where is home?", ""):
        bank.remember(Turn("I live in Lisbon.", asked=question))
    assert [(memory.content, len(memory.sources)) for memory in bank.list()] == [
        ("I live in Lisbon.", 3)
    ]


def test_an_answer_does_not_hide_behind_a_known_sentence(bank: MemoryBank) -> None:
    """ "Lisbon" is held by "I live in Lisbon."; as the favourite city it is news."""
    bank.remember("I live in Lisbon.")
    report = bank.remember(Turn("Lisbon", asked="Which city is your favourite?"))
    assert report.receipts[0].status == "stored"
    assert (
        bank.recall("Which city is my favourite?", floor=0).results[0].asked
        == "Which city is your favourite?"
    )


def test_an_edited_answer_says_enough(bank: MemoryBank) -> None:
    """What a person makes a sentence of is known when it is said again."""
    bank.remember(Turn("Three.", asked=CATS))
    bank.edit(bank.list()[0].id, "I live with three cats.")
    assert bank.remember("I live with three cats.").receipts[0].status == "reinforced"


def test_one_of_two_equal_answers_is_forgotten(bank: MemoryBank, tmp_path: Path) -> None:
    """The other one, its turn and its question stay; of the erased one's question nothing does."""
    zebras = "How many zanzibarian zebras do you have?"
    bank.remember([Turn("Three.", asked=zebras), Turn("Three.", asked=CATS)])
    bank.forget(bank.list()[0].id, hard=True)
    assert keys(bank) == {"Three.": f"Three.\n? {CATS}"}
    assert len(bank.list()[0].sources) == 1
    bank.engine.close()
    assert files_holding(tmp_path, "zanzibarian") == []


def test_a_model_is_asked_again_about_the_same_short_answer(tmp_path: Path) -> None:
    """What it made of the words beside one question is not what they mean beside another."""

    def formed(text: str) -> dict[str, Any]:
        told = {
            "quote": "My brother Tom",
            "category": "fact",
            "entities": [],
            "about": None,
            "until": None,
        }
        return {"facts": [{"turn": 0, "text": text, "foresight": False, **told}]}

    llm = ScriptedLLM(
        formed("User's brother Tom cooks."), formed("User's brother Tom drives."), default={}
    )
    with cogmem_core.open(
        tmp_path / "other", embedder=CountingEmbedder(), llm=llm, config=MANUAL
    ) as engine:
        bank = engine.bank("ann")
        for does in ("cooks", "drives"):
            bank.remember(asks(f"Who {does} at home?"))
            bank.remember(says("My brother Tom"))
        assert [m.content for m in bank.list()] == [
            "User's brother Tom cooks.",
            "User's brother Tom drives.",
        ]


VEGAN, SMOKES = "Are you vegan?", "Do you smoke?"


def test_a_yes_tells_what_was_asked(bank: MemoryBank) -> None:
    """A mere confirmation is no memory (v9), but to a question about the person it is a fact."""
    for question, answer in ((VEGAN, "Yes."), (SMOKES, "No!"), ("Vejetaryen misin?", "Evet")):
        assert bank.remember(Turn(answer, asked=question)).receipts[0].status == "stored"
    assert bank.recall("Am I vegan?", floor=0).results[0].text == "Yes. (asked: Are you vegan?)"
    assert bank.audit().junk.count == 0
    said = [(None, VEGAN, "assistant"), ("Ben", "No", "user"), ("Anna", "Yes", "user")]
    for who, text, role in said:  # both were asked
        report = bank.remember(Turn(text, role=role, speaker=who, session_id="lunch"))
    assert report.receipts[0].status == "stored"


@pytest.mark.parametrize(
    ("question", "answer"),
    [*rows_of("answers/a_yes_to_an_offer_tells_nothing"), (VEGAN, "ok"), (VEGAN, "Thanks!")],
)
def test_a_yes_to_an_offer_tells_nothing(bank: MemoryBank, question: str, answer: str) -> None:
    """What is agreed on in passing, and what nobody asked, stays a confirmation."""
    report = bank.remember(Turn(answer, asked=question))
    assert (report.receipts[0].status, list(bank.list())) == ("skipped", [])


def test_a_model_that_says_yes_tells_nothing_of_a_person(bank: MemoryBank) -> None:
    """Whoever asks a model about itself learns nothing for later."""
    bank.remember([says("Are you a robot?"), asks("Yes.")])
    assert list(bank.list()) == []


def test_the_seed_to_the_letter_skips_every_confirmation() -> None:
    """V9: `observer.keep_weak` off keeps nothing that the gate calls trivial."""
    config = dataclasses.replace(
        MANUAL, observer=dataclasses.replace(MANUAL.observer, keep_weak=False)
    )
    with cogmem_core.open(embedder=CountingEmbedder(), config=config) as engine:
        report = engine.bank("ann").remember(Turn("Yes.", asked=VEGAN))
    assert (report.receipts[0].status, report.receipts[0].reason) == (
        "skipped",
        "trivial_confirmation",
    )


def test_who_answers_otherwise_has_changed(bank: MemoryBank) -> None:
    """The newer answer to the same question holds; the same answer in other words is said again."""
    said = [
        bank.remember(Turn(answer, asked=SMOKES)).receipts[0].status
        for answer in ("Yes.", "Yep!", "No.", "Nope")
    ]
    assert said == ["stored", "reinforced", "superseded", "reinforced"]
    assert [(memory.content, memory.state) for memory in bank.list(state="any")] == [
        ("Yes.", "superseded"),
        ("No.", "active"),
    ]


def test_a_pinned_answer_stays_beside_its_opposite(bank: MemoryBank) -> None:
    """What is protected is never retired; the two are linked as a contradiction."""
    bank.remember(Turn("Yes.", asked=SMOKES))
    bank.pin(bank.list()[0].id)
    bank.remember(Turn("No.", asked=SMOKES))
    assert [memory.content for memory in bank.list()] == ["Yes.", "No."]
    assert bank.audit().contradictions.count == 2


def test_an_answer_is_used_if_its_question_is(bank: MemoryBank) -> None:
    """Neither "Yes." nor "Two." has a word that tells anything; the answer shows what was made of them."""
    bank.remember([Turn("Yes.", asked=VEGAN), Turn("Two.", asked="How many cats do you have?")])
    for question, answer, signal in (
        ("Am I vegan?", "You are vegan, so no cheese.", "used"),
        ("Am I vegan?", "I cannot tell.", "unjudged"),
        ("How many cats do I have?", "You have two cats.", "used"),
    ):
        (judged,) = bank.feedback(bank.recall(question, k=1, floor=0), answer)
        assert (question, judged.signal) == (question, signal)


def test_a_model_reads_the_question_with_the_answer(tmp_path: Path) -> None:
    """Where the other's words are no turns here, the model is told what was answered, and may use its words."""
    told = {
        "quote": "Yes.",
        "category": "fact",
        "entities": [],
        "about": None,
        "until": None,
        "foresight": False,
    }
    llm = ScriptedLLM({"facts": [{"turn": 0, "text": "User is vegan.", **told}]})
    with cogmem_core.open(
        tmp_path / "other", embedder=CountingEmbedder(), llm=llm, config=MANUAL
    ) as engine:
        bank = engine.bank("ann")
        bank.remember(Turn("Yes.", asked=VEGAN))
        assert [memory.content for memory in bank.list()] == ["User is vegan."]
    (call,) = llm.calls
    assert f'"answers": "{VEGAN}"' in call.messages[-1]["content"]
