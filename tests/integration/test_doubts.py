"""One question about two versions: asked where it matters, once, at most one a day; the answer settles it."""

from datetime import datetime, timezone

import pytest

import cogmem_core
from cogmem_core import Config, Engine, MemoryBank, Turn
from cogmem_core.config import EncodingConfig
from cogmem_core.errors import NotFound
from cogmem_core.results import Ask
from cogmem_core.testing import FrozenClock
from helpers.tables import each_row, each_row_of

WORK = "Where do I work?"
QUESTION = "Do you still work at Acme, or at a bank now?"
KEPT = (
    ("the bank now", ["I work for a bank."]),
    ("still Acme", ["I work at Acme."]),
    ("both", ["I work at Acme.", "I work for a bank."]),
    ("neither, I freelance", ["neither, I freelance"]),
)

ENGINE = {"embedder": "minilm", "config": None}


def doubting(engine: Engine, name: str = "ann") -> MemoryBank:
    bank = engine.bank(name)
    bank.remember(["My dog is called Rex.", "I work at Acme.", "I work for a bank."])
    return bank


def put(bank: MemoryBank) -> Ask:
    ask = bank.recall(WORK).ask
    assert ask is not None
    assert bank.asked(ask.id)
    return ask


def texts(bank: MemoryBank) -> list[str]:
    return [memory.text for memory in bank.list() if "Rex" not in memory.text]


@each_row_of("doubts/it_is_asked_where_it_matters")
def test_it_is_asked_where_it_matters(message: str, is_asked: bool, engine: Engine) -> None:
    """Not about a bank that is no employer, nor about somebody else's work."""
    bank = engine.bank("ann")
    bank = bank if bank.count() else doubting(engine)
    assert (bank.recall(message).ask is not None) == is_asked


def test_an_ask_is_a_plain_value_and_a_recall_changes_nothing(engine: Engine) -> None:
    """It says what it asks, of which memories; who looks back is asked nothing."""
    bank = doubting(engine)
    ask = bank.recall(WORK).ask
    assert ask is not None
    assert (ask.question, ask.language, ask.older, ask.newer) == (QUESTION, "en", "Acme", "a bank")
    assert bank.get(ask.older_id).content == "I work at Acme."
    assert bank.recall(WORK).ask == ask == bank.doubts()[0]
    assert bank.recall(WORK, mode="timeline").ask is None


def test_no_question_comes_twice_and_one_a_day(engine: Engine) -> None:
    """A day is the user's: at 22:30 UTC it is tomorrow in Istanbul."""
    config = Config(encoding=EncodingConfig(timezone="Europe/Istanbul"))
    clock = FrozenClock(datetime(2026, 6, 1, 19, 30, tzinfo=timezone.utc))
    with cogmem_core.open(embedder="minilm", clock=clock, config=config) as other:
        bank = doubting(other)
        bank.remember(["I drive a Golf.", "I drive an Astra now."])
        car = bank.recall("Which car do I drive?").ask
        ask = put(bank)
        assert car is not None
        assert (bank.asked(ask.id), bank.asked(car.id)) == (False, False)
        assert bank.recall("Which car do I drive?").ask is None
        clock.advance(hours=3)
        assert bank.recall("Which car do I drive?").ask == car
        assert bank.recall(WORK).ask is None
        assert bank.asked(car.id)
    with pytest.raises(NotFound, match="no such doubt"):
        engine.bank("ann").asked("1:2")


@pytest.mark.parametrize(("answer", "left"), KEPT)
@pytest.mark.parametrize("by_session", [False, True])
def test_the_answer_settles_it(
    answer: str, left: list[str], by_session: bool, engine: Engine
) -> None:
    """Whether the caller gives what was asked, or the assistant's turn stands before it in the session."""
    bank = doubting(engine)
    said = f"Let me look. {put(bank).question}"
    if by_session:
        bank.append_messages([{"role": "assistant", "content": said}], session_id="monday")
        bank.remember(answer, session_id="monday")
    else:
        bank.remember(Turn(answer, asked=said))
    assert texts(bank) == left
    assert bank.doubts() == ()


@each_row("answer", ["yes", "not sure", "the bank from May", "Acme on Mondays", "I like Acme"])
def test_what_is_not_sure_decides_nothing(answer: str, engine: Engine) -> None:
    """Both stand as before; so they do where another question was answered."""
    bank = engine.bank(f"ann-{answer[:3].strip()}")
    bank.remember(["I work at Acme.", "I work for a bank."])
    ask = put(bank)
    bank.remember(Turn(answer, asked=ask.question))
    bank.remember(Turn("Acme", asked="Which of my customers is late?"))
    assert texts(bank)[:2] == ["I work at Acme.", "I work for a bank."]


def test_of_a_memory_that_says_more_the_rest_stays(engine: Engine) -> None:
    """By an answer, which settles but the two it was asked for, as by a person's hand, which settles all."""
    for name in ("answered", "by hand"):
        bank = engine.bank(name)
        bank.remember(["I work for a spa.", "I work at Acme and I ski.", "I work for a bank."])
        if name == "answered":
            ask = put(bank)
            bank.remember(Turn("The bank. I also got a parrot.", asked=ask.question))
        else:
            bank.settle_versions(keep=bank.doubts()[0].newer_id)
        partly = "[until 1 June 2026: I work at Acme] and I ski."
        spa = ["I work for a spa."] if name == "answered" else []
        assert texts(bank)[:3] == [*spa, partly, "I work for a bank."]
        assert (len(texts(bank)) == 2) == (name == "by hand")


@each_row_of("doubts/what_ends_beside_it_ends_no_home", "de en es fr")
def test_what_ends_beside_it(old: str, over: str, asks: str, line: str, engine: Engine) -> None:
    """It ends no home: who died is not asked about, and a car that was sold takes no way with it."""
    bank = engine.bank(old[:9])
    bank.remember([old, over])
    bank.consolidate()
    ask = bank.recall(asks).ask
    assert (line in str(bank.profile()), ask is None) == (True, "Golf" not in over)
    bank.remember(Turn("the second one", asked=ask.question if ask and bank.asked(ask.id) else ""))
    assert old in [memory.text for memory in bank.list()]


def test_what_somebody_else_says_is_no_doubt_of_the_user(engine: Engine) -> None:
    """Nor what is pinned, what only an assistant said, what is asked as a principal."""
    bank = doubting(engine)
    bank.pin(bank.doubts()[0].older_id)
    assert bank.doubts() == ()
    other = engine.bank("bob")
    other.remember("I work at Acme.", speaker="Ann")
    other.remember("I work for a bank.", speaker="Bob")
    other.remember("You work at a bakery.", role="assistant")
    assert other.doubts() == ()
    engine.add_principal("cem")
    engine.grant("cem", "cem", "read")
    doubting(engine, "cem")
    assert engine.as_("cem").bank("cem").recall(WORK).ask is None
