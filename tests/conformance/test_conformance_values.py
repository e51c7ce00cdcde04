"""Values that databases treat differently come back from each of them as they were given."""

import math
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from cogmem_core import Engine, InvalidInput, MemoryBank, Turn
from cogmem_core.testing import FrozenClock

TEXTS = [
    "apple",
    "Apple",
    "äpple",
    "a\u0308pple",
    "Zebra",
    "zebra",
    "_under",
    "100 %",
    "çay içtim",
    "İstanbul ısındı",
    "茶を飲んだ",
    "Ψάρι",
    "👩\u200d👩\u200d👧 family",
    "\u202eright to left",
    "tab\tand\nline",
    "'; DROP TABLE memories; --",
    '{"json": [1, 2]}',
    "back\\slash and \\u0000 spelled out",
    "\U0010ffff last plane",
    "e" + "\u0301" * 50,
]


def test_every_text_comes_back_as_it_was_written(bank: MemoryBank) -> None:
    """The same stored text on SQLite and PostgreSQL."""
    ids = [bank.add(text, metadata={text: text}).id for text in TEXTS]
    assert [bank.get(i).content for i in ids] == TEXTS
    assert [bank.get(i).metadata for i in ids] == [{text: text} for text in TEXTS]
    assert [len(bank.forget(i, hard=True).remaining) for i in ids[:3]] == [0, 0, 0]


def test_nul_and_lone_surrogates_are_refused_everywhere(bank: MemoryBank) -> None:
    """PostgreSQL cannot store them, SQLite can: refused at the edge, nothing is changed."""
    for text in ("a\x00b", "a\ud800b", "\udfff"):
        for attempt in _attempts(bank, text):
            with pytest.raises(InvalidInput):
                attempt()
    assert (bank.count(state="any"), bank.items().paths(), bank.transcript("s")) == (0, (), ())


def _attempts(bank: MemoryBank, text: str) -> list[Any]:
    """Every way in."""
    return [
        lambda: bank.remember(text),
        lambda: bank.remember("Fine", speaker=text),
        lambda: bank.remember("Fine", metadata={"k": text}),
        lambda: bank.remember("Fine", metadata={text: 1}),
        lambda: bank.add("Fine", tags=[text]),
        lambda: bank.append_messages([Turn("Fine", ref=text)], session_id="s"),
        lambda: bank.append_messages(["Fine"], session_id=text),
        lambda: bank.items().put(("a",), text, {"v": 1}),
        lambda: bank.items().put((text,), "k", {"v": 1}),
        lambda: bank.items().put(("a",), "k", {"v": text}),
        lambda: bank.recall(text),
        lambda: bank.forget(text),
        lambda: bank.session(text),
        lambda: bank.engine.bank(text),
    ]


def test_numbers_that_are_none_are_refused_everywhere(bank: MemoryBank) -> None:
    """JSON has no NaN."""
    for bad in (math.nan, math.inf, -math.inf):
        with pytest.raises(InvalidInput):
            bank.add("Fine", metadata={"n": bad})
        with pytest.raises(InvalidInput):
            bank.add("Fine", importance=bad)
        with pytest.raises(InvalidInput):
            bank.items().put(("a",), "k", {"n": bad})
    assert bank.count(state="any") == 0


def test_metadata_comes_back_equal_and_of_the_same_type(bank: MemoryBank) -> None:
    """Floats to the last bit, integers beyond 64 bits, empty things."""
    values = [
        0.1,
        1 / 3,
        5e-324,
        1.7976931348623157e308,
        -0.0,
        2**53 + 1,
        10**30,
        True,
        None,
        "",
        [],
        {"": {}},
    ]
    for value in values:
        memory = bank.add("Fine", metadata={"v": value})
        back = bank.get(memory.id).metadata["v"]
        assert (repr(back), type(back)) == (repr(value), type(value))
        bank.items().put(("a",), "k", {"v": value})
        item = bank.items().get(("a",), "k")
        assert item is not None
        assert repr(item.value["v"]) == repr(value)


def test_floats_of_a_memory_are_kept_to_the_last_bit(bank: MemoryBank) -> None:
    """Every column is a double."""
    for importance in (0.1 + 0.2, 1 / 3, 5e-324, 1.0):
        assert bank.get(bank.add("Fine", importance=importance).id).importance == importance


TIMES = [
    datetime(1970, 1, 1, tzinfo=timezone.utc),
    datetime(1, 1, 2, 0, 0, 0, 1, tzinfo=timezone.utc),
    datetime(9999, 12, 30, 23, 59, 59, 999_999, tzinfo=timezone.utc),
    datetime(2026, 10, 25, 2, 30, tzinfo=timezone(timedelta(hours=3))),
    datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=timezone.utc),
]


def test_times_are_kept_to_the_microsecond(bank: MemoryBank) -> None:
    """Before 1970, far ahead, of other zones."""
    for at in TIMES:
        memory = bank.add("Fine", valid_from=at, at=at)
        assert (bank.get(memory.id).valid_from, bank.get(memory.id).recorded_at) == (at, at)
        bank.append_messages([Turn("Fine", at=at)], session_id="s")
    assert [turn.at for turn in bank.transcript("s")] == TIMES


def test_order_is_that_of_code_points(engine: Engine, bank: MemoryBank) -> None:
    """Not of a language: "Zebra" before "apple", as Python sorts."""
    names = sorted(
        f"user {text}" for text in ("apple", "Apple", "Zebra", "zebra", "_under", "äpple", "茶")
    )
    for name in reversed(names):
        engine.bank(name).add("Fine")
    assert engine.namespaces() == names
    labels = ("b", "B", "a b", "a", "_", "é", "e", "aa")
    for label in labels:
        bank.items().put((label,), "k", {"v": label})
        bank.items().put((label, "below"), "k", {"v": label})
    assert bank.items().paths() == tuple(
        sorted((label, *more) for label in labels for more in ((), ("below",)))
    )
    for label in labels:
        assert {item.value["v"] for item in bank.items().search((label,))} == {label}


def test_tags_are_compared_byte_by_byte(bank: MemoryBank) -> None:
    """Case counts, and so do wildcards."""
    for tag in ("Tea", "tea", "t%", "t_a", 'te"a'):
        bank.add(f"About {tag}", tags=[tag])
    for tag in ("Tea", "tea", "t%", "t_a", 'te"a'):
        assert [r.content for r in bank.recall("about", tags=[tag], floor=0).results] == [
            f"About {tag}"
        ]


def test_the_largest_keys_fit(engine: Engine) -> None:
    """PostgreSQL's index rows hold 2,704 bytes: the limits of the edge stay below that."""
    bank = engine.bank("茶" * 256)
    long = tuple("ü" * 100 for _ in range(4))
    bank.items().put(long, "é" * 256, {"v": 1})
    assert [item.key for item in bank.items().search(long)] == ["é" * 256]
    bank.remember(
        "I moved to Lisbon in May", session_id="茶" * 256, ref="茶" * 256, speaker="茶" * 256
    )
    bank.append_messages(["I moved to Lisbon in May"], session_id="茶" * 256)
    assert len(bank.transcript("茶" * 256)) == 1
    engine.flush()
    assert bank.count() == 2  # the words of a named speaker, and of nobody named


def test_large_texts_come_back_whole(bank: MemoryBank) -> None:
    """Tens of kilobytes in one memory, a hundred kilobytes of metadata."""
    text = "lighthouse ".join(str(number) for number in range(5_000))
    memory = bank.add(text, metadata={"v": "x" * 99_000})
    assert bank.get(memory.id).content == text
    assert len(bank.get(memory.id).metadata["v"]) == 99_000


def test_a_clock_that_goes_back_loses_nothing(bank: MemoryBank, clock: FrozenClock) -> None:
    """Retention is never above 1, nothing is refused."""
    memory = bank.remember("The bridge is closed").memories[0]
    clock.advance(days=-400)
    bank.remember("The tunnel is open")
    assert bank.count() == 2
    assert bank.explain(memory.id).retention == 1.0
