"""What a question asks for in time, order and number is what comes first."""

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

import pytest

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.testing import FrozenClock
from helpers.tables import each_row, each_row_of, rows_of

NOW = datetime(2026, 11, 20, 12, tzinfo=timezone.utc)
DIARY = rows_of("asking/diary")
OTHERS = rows_of("asking/others")
ENGLISH = [
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen"),
]
TURKISH = [
    *("bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz", "on"),
    *("on bir", "on iki", "on üç", "on dört"),
]


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def first(bank: MemoryBank, question: str) -> str:
    results = bank.recall(question, floor=0).results
    return results[0].content if results else ""


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with cogmem_core.open(embedder="hashing", clock=FrozenClock(NOW)) as engine:
        diary = engine.bank("diary")
        for day, text in enumerate(DIARY, 1):
            diary.add(text, at=ago(day), session_id=f"day {day}")
        for text in OTHERS:
            diary.add(text, at=ago(100), session_id="long ago")
        yield engine


@each_row("pattern", ["What did I do {} ago?", "{} önce ne oldu?"])
def test_so_many_days_ago(engine: Engine, pattern: str) -> None:
    """In figures and in words, the memory of that day stands first, from 1 to 14."""
    words, unit = (ENGLISH, "day{}") if "ago" in pattern else (TURKISH, "gün")
    bank = engine.bank("diary")
    for number, word in enumerate(words, 1):
        for count in (str(number), word):
            when = f"{count} {unit.format('s' if number > 1 else '')}"
            assert first(bank, pattern.format(when)) == DIARY[number - 1], when


@each_row_of("asking/a_day_that_is_named", "en tr")
def test_a_day_that_is_named(engine: Engine, question: str, day: int) -> None:
    """ISO and local formats, relative days and hours; how long the answer shall be is no date."""
    assert first(engine.bank("diary"), question) == DIARY[day - 1]


@each_row_of("asking/a_stretch_of_days", "en tr")
def test_a_stretch_of_days(engine: Engine, question: str, days: int) -> None:
    """All of its memories come before any other."""
    results = engine.bank("diary").recall(question, k=days, floor=0).results
    assert {item.content for item in results} == set(DIARY[:days])


def test_the_memory_of_a_day_is_found_among_hundreds(engine: Engine) -> None:
    """A day brings its memories in, however little their words have to do with the question."""
    bank = engine.bank("hundreds")
    for number in range(200):
        bank.add(f"What I did in lesson {number}.", at=ago(400), session_id="lessons")
    bank.add("Rain all night.", at=ago(6), session_id="rain")
    assert first(bank, "What did I do 6 days ago?") == "Rain all night."


def test_the_hour_decides_between_memories_of_a_day(engine: Engine) -> None:
    """ "yesterday at 5 pm" is the day, and best the hour."""
    bank = engine.bank("hours")
    for hour in (9, 17, 21):
        bank.add(f"Meeting number {hour}.", at=ago(1).replace(hour=hour), session_id=str(hour))
    assert first(bank, "What meeting did I have yesterday at 5 pm?") == "Meeting number 17."


@pytest.fixture(scope="module")
def understanding() -> Iterator[Engine]:
    """An engine whose embedder knows what is alike."""
    with cogmem_core.open(clock=FrozenClock(NOW)) as engine:
        yield engine


@pytest.fixture(scope="module")
def log(understanding: Engine) -> MemoryBank:
    """Thirty entries of each of three kinds, not in the order of time, among other memories."""
    bank = understanding.bank("log")
    for number in range(30):
        day = (number * 7) % 30
        said = {"at": ago(2 + 3 * day), "session_id": str(number)}
        bank.add(f"Watered the monstera with {200 + day} ml.", **said)
        bank.add(f"Won a chess game against Igor in {20 + day} moves.", **said)
        bank.add(f"Elektrik faturası {400 + day} lira geldi.", **said)
    for text in (*OTHERS, *DIARY):
        bank.add(text, at=ago(50), session_id="others")
    return bank


@each_row_of("asking/the_latest_and_the_first_of_thirty", "en tr")
def test_the_latest_and_the_first_of_thirty(log: MemoryBank, question: str, content: str) -> None:
    """What is relevant is put in the order of time; it is not lost among its like."""
    results = log.recall(question).results
    assert results
    assert results[0].content == content


def test_what_calls_itself_the_first_is_the_first(engine: Engine) -> None:
    """Whenever it was said; and a plan ahead is no last visit."""
    bank = engine.bank("first")
    bank.add("My job at Bosch is hard work.", at=ago(300))
    bank.add("My first job was at Nokia.", at=ago(3))
    bank.remember("I went to the dentist.", at=ago(30))
    bank.remember("I will go to the dentist tomorrow.", at=ago(0))
    assert first(bank, "What was my first job?") == "My first job was at Nokia."
    assert first(bank, "When did I last go to the dentist?") == "I went to the dentist."


@each_row_of("asking/a_list_is_complete_and_in_the_order_of_time", "en tr")
def test_a_list_is_complete_and_in_the_order_of_time(
    log: MemoryBank, question: str, word: str, count: int
) -> None:
    """All that is relevant, the oldest first, although eight results are the default."""
    recall = log.recall(question, floor=0)
    contents = [item.content for item in recall.results if word in item.content]
    times = [item.memory.recorded_at for item in recall.results if word in item.content]
    assert len(contents) == count
    assert times == sorted(times)
    assert recall.more == 0


def test_a_long_list_says_how_many_more_there_are(understanding: Engine) -> None:
    """Fifty are returned, or as few as the caller wants; the context block tells the rest."""
    bank = understanding.bank("long")
    for number in range(60):
        bank.add(f"Paid {number} euros for a coffee.", at=ago(number + 1), session_id=str(number))
    for text in (*OTHERS, *DIARY):
        bank.add(text, at=ago(50), session_id="others")
    recall = bank.recall("List all the coffees that I paid for.", floor=0)
    assert (len(recall.results), recall.more) == (50, 10)
    few = bank.recall("List all the coffees that I paid for.", k=3, floor=0)
    assert (len(few.results), few.more) == (3, 57)
    assert "(And 57 memories of this kind besides, not shown here.)" in few.context()
    assert "more of the same kind: 57" in few.explain()
    short = recall.context(max_tokens=200)
    shown = short.count("euros for a coffee")
    assert f"(And {60 - shown} memories of this kind besides, not shown here.)" in short
    plain = bank.recall("Do I like coffee?", floor=0)
    assert plain.more == 0
    assert "besides" not in plain.context()


CHANGES = {
    "en": (
        ("I live in Oslo.", "I live in Porto now."),
        ("I prefer window seats on planes.", "I prefer aisle seats on planes."),
    ),
    "tr": (("Ankara'da oturuyorum.", "İzmir'e taşındım, artık İzmir'de oturuyorum."),),
}


@pytest.fixture(scope="module")
def changed(understanding: Engine) -> dict[str, MemoryBank]:
    """A bank of each language, in which homes and seats were changed."""
    banks = {code: understanding.bank(f"changed {code}") for code in CHANGES}
    for code, bank in banks.items():
        for number, (old, new) in enumerate(CHANGES[code]):
            bank.remember(old, at=ago(200 - number))
            bank.remember(new, at=ago(20 - number))
        for text in OTHERS:
            bank.add(text, at=ago(100))
    return banks


@each_row_of("asking/what_held_before_stands_first_and_says_so", "en tr")
def test_what_held_before_stands_first_and_says_so(
    changed: dict[str, MemoryBank], code: str, question: str, content: str
) -> None:
    """Superseded facts and earlier versions are found, and labelled as earlier."""
    recall = changed[code].recall(question, floor=0)
    assert (recall.results[0].content, recall.results[0].earlier) == (content, True)
    assert "- earlier (" in recall.context()


@each_row_of("asking/the_present_is_told_as_before", "en tr")
def test_the_present_is_told_as_before(
    changed: dict[str, MemoryBank], code: str, question: str, content: str
) -> None:
    """A question about the present shows what holds."""
    item = changed[code].recall(question, floor=0).results[0]
    assert (item.content, item.earlier) == (content, False)


def test_the_same_document_many_times_leaves_room() -> None:
    """Copies are one source: together they have half of the results at most."""
    with cogmem_core.open(embedder="hashing") as engine:
        bank = engine.bank("documents")
        for number in range(8):
            text = "The price list: tea costs four euros, coffee three."
            bank.items().put(("prices",), f"copy {number}", {"text": text}, texts=[text])
        for text in (*OTHERS, *DIARY):
            bank.add(text)
        results = bank.recall("What does the price list say tea and coffee cost?", floor=0).results
    copies = [item for item in results if item.memory.category == "item"]
    assert (len(results), len(copies)) == (8, 4)


def test_more_results_show_what_fewer_showed() -> None:
    """Also of a compound question: nothing is lost by asking for more."""
    with cogmem_core.open(embedder="hashing") as engine:
        bank = engine.bank("more")
        for number in range(60):
            bank.add(f"Ana lives in house {number} and works in office {number % 7}.")
        question = "Where does Ana live and when does Ana work?"
        assert len(bank.recall(question, floor=0).parts) == 2
        shown: set[str] = set()
        for k in (1, 2, 4, 8, 16):
            ids = {item.memory.id for item in bank.recall(question, k=k, floor=0).results}
            assert shown <= ids
            shown = ids


def test_turns_that_are_not_finished_are_told() -> None:
    """What was stored without waiting is not searched yet; the recall says so, and what to do."""
    with cogmem_core.open(embedder="hashing") as engine:
        bank = engine.bank("pending")
        engine.pause()
        bank.remember("I live in Lisbon.", wait=False)
        recall = bank.recall("Where do I live?")
        note = "pending: 1 turn is stored that has not become a memory yet"
        assert recall.degraded[0].startswith(note)
        assert note in recall.empty_reason
        bank.finish_pending()
        after = bank.recall("Where do I live?")
    assert (after.degraded, [item.content for item in after.results]) == ((), ["I live in Lisbon."])


@each_row_of("asking/letters_that_do_not_come_apart_are_found_plainly")
def test_letters_that_do_not_come_apart_are_found_plainly(said: str, asked: str) -> None:
    """Who has no such key still finds the name."""
    with cogmem_core.open(embedder="hashing") as engine:
        bank = engine.bank("letters")
        for name in ("Anton", "Beate", "Cem"):
            bank.add(f"{name} has a garden.")
        bank.add(said)
        name = asked.split()[2]
        found = bank.recall(name, floor=0).results[0]
        assert (found.content, found.found_by.get("lexical")) == (said, 1)


def test_what_only_asks_stands_behind_what_tells() -> None:
    """The question's words in a question of one's own, and the name of whoever is spoken to, answer nothing."""
    with cogmem_core.open(embedder="hashing", clock=FrozenClock(NOW)) as engine:
        bank = engine.bank("talk")
        turns = [
            ("Ann", "That is lovely, Bob! What pet do you have, and who gave you the pet?"),
            ("Bob", "A parrot. And you, Ann?"),
            ("Ann", "My pet is a guinea pig, he sleeps a lot, Bob."),
            ("Bob", "Did Father Christmas bring your pet, Ann, or Petra?"),
            ("Ann", "That was my aunt, and the cage came with the pet, from Petra."),
        ]
        bank.remember(
            [
                {"role": "user", "content": text, "speaker": name, "ref": str(number)}
                for number, (name, text) in enumerate(turns)
            ]
        )

        def asked(question: str) -> dict[str, float]:
            results = bank.recall(question, floor=0).results
            return {item.refs[0]: item.signals["asked"] for item in results}

        kinds = asked("What pet does Ann have?")
        assert (kinds["0"], kinds["2"], kinds["4"]) == (-0.5, 0.0, 0.0)
        names = asked("Who gave Ann the pet?")
        assert (names["2"], names["4"]) == (0.0, 1.0)


def test_what_is_known_of_whoever_asks_is_what_matters_most() -> None:
    """No memory has the words of such a question: the most important ones answer it."""
    with cogmem_core.open(embedder="hashing", clock=FrozenClock(NOW)) as engine:
        bank = engine.bank("ana")
        question = "What do you know about me?"
        assert bank.recall(question).empty_reason == "this namespace holds no active memories"
        vital = "I'm allergic to peanuts and carry an adrenaline pen."
        said = ["The bus was late.", "It rained on the market.", vital, "The tap drips again."]
        bank.remember(said)
        bank.add("My name is Ana.", pinned=True)
        found = bank.recall(question, k=2)
        assert {item.content for item in found} == {vital, "My name is Ana."}
        assert [item.tier for item in found] == ["full", "full"]
        assert "peanuts" in found.context()
