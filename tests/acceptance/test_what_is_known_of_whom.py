"""A profile says what is known of whom: dated, with its sources, what was before, and nothing of others."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from pydantic import BaseModel, Field

from cogmem_core import Engine, InvalidInput, MemoryBank
from cogmem_core.results import Profile
from cogmem_core.testing import FrozenClock
from helpers.tables import each_case_of, each_row_of

DAY = datetime(2026, 3, 1, 9, tzinfo=timezone.utc)


def lines(known: Profile, section: Any) -> list[str]:
    return [line.text for line in known.section(section)]


def live(bank: MemoryBank, clock: FrozenClock, *texts: str) -> None:
    """Say one thing a day, beginning on 1 March 2026."""
    for number, text in enumerate(texts):
        at = DAY + timedelta(days=number)
        clock.now = at
        bank.remember(text, at=at)


@each_case_of("what_is_known_of_whom/each_line_stands_in_its_section")
def test_each_line_stands_in_its_section(
    bank: MemoryBank, said: str, section: str, known: list[str]
) -> None:
    """What was said is told in its own words, where one looks for it."""
    bank.remember(said)
    assert lines(bank.profile(), section) == known


@each_case_of("what_is_known_of_whom/what_is_asked_or_imagined_is_not_known")
def test_what_is_asked_or_imagined_is_not_known(bank: MemoryBank, said: str) -> None:
    """A question, a request, a joke or a story gives no line."""
    bank.remember(said)
    assert lines(bank.profile(), "home") == []


@each_row_of("what_is_known_of_whom/what_others_say_is_nobodys_claim", "en de fr es tr")
def test_what_others_say_is_nobodys_claim(
    engine: Engine, own: str, said: str, foreign: str
) -> None:
    """Words of a letter, a chat, a form, a game or a supposition end nothing, and are told of nobody."""
    bank = engine.bank(f"bank-{abs(hash(said))}")
    bank.remember(own)
    bank.remember(said)
    (kept,) = (each for each in bank.list(limit=9).memories if each.content == own)
    assert (kept.state, kept.clause_states) == ("active", ())
    assert foreign not in str(bank.profile())


def test_former_values_have_their_times(bank: MemoryBank, clock: FrozenClock) -> None:
    """The present value stands first, with since when, the former one behind it with until when."""
    live(bank, clock, "I live in Leipzig.", "I work at Bosch.", "I moved to Otley.")
    (home,) = bank.profile().section("home")
    assert (home.value, home.since) == ("Otley", DAY + timedelta(days=2))
    (former,) = home.former
    assert (former.value, former.since, former.until) == ("Leipzig", DAY, home.since)
    assert [bank.get(memory_id).content for memory_id in home.memory_ids] == ["I moved to Otley."]


def test_what_was_true_and_known_at_a_moment(bank: MemoryBank, clock: FrozenClock) -> None:
    """Of an earlier day the profile says what held then, and of what was known then no more."""
    live(bank, clock, "I live in Leipzig.", "I work at Bosch.", "I moved to Otley.")
    then = DAY + timedelta(days=1, hours=1)
    (home,) = bank.profile(as_of=then).section("home")
    assert (home.text, home.former) == ("I live in Leipzig", ())
    assert bank.profile(known_at=then).section("home")[0].former == ()
    assert lines(bank.profile(known_at=DAY), "work") == []


def test_a_former_value_that_was_said_twice_is_told_once(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """From when it was said first."""
    live(
        bank, clock, "I live in Leeds and work at Acme.", "I work at Acme.", "I work at Globex now."
    )
    (work,) = bank.profile().section("work")
    assert [(old.value, old.since) for old in work.former] == [("Acme", DAY)]


@each_row_of("what_is_known_of_whom/what_each_says_stands_under_his_name", "de en es fr")
def test_what_each_says_stands_under_his_name(
    engine: Engine, said: list[tuple[str | None, str]], whom: str | None, known: str
) -> None:
    """Nobody's words are another's, nor his past; a bank that is called after one of them is his."""
    bank = engine.bank(f"bank-{abs(hash((whom, *said)))}/ann")
    for day, (name, text) in enumerate(said):
        bank.remember(text, speaker=name, at=DAY + timedelta(days=day))
    assert str(bank.profile(whom)) == known


def test_others_have_profiles_of_their_own(bank: MemoryBank) -> None:
    """What is told of somebody by name, or by what they are to one, stands together; none of it is one's own."""
    bank.remember("My sister Lena lives in Oslo.")
    bank.remember("Lena works at Equinor.")
    bank.remember("My sister is a carpenter.")
    known = bank.profile()
    assert (lines(known, "home"), lines(known, "work"), known.others) == ([], [], ("lena",))
    assert {len(bank.profile(name)) for name in ("Lena", "my sister", "sister")} == {3}


def test_two_values_that_stand_are_a_doubt(bank: MemoryBank) -> None:
    """Where two versions stand, the newer one is told, and the other as what speaks against it."""
    bank.add("I live in Leipzig.", at=DAY)
    bank.add("I live in Otley.", at=DAY + timedelta(days=9))
    (home,) = bank.profile().section("home")
    assert (home.value, home.doubts) == ("Otley", ("I live in Leipzig",))
    for text in ("I take ramipril 5 mg.", "My doctor raised the ramipril to 10 mg."):
        bank.remember(text)
    doubts = {line.doubts for line in bank.profile().section("health")}
    assert doubts == {(), ("My doctor raised the ramipril to 10 mg",)}


def test_forgotten_is_not_known(bank: MemoryBank) -> None:
    """What was forgotten is in no profile, also not as what was before."""
    bank.remember("I live in Leipzig.")
    bank.forget_matching("Leipzig", dry_run=False)
    assert not bank.profile().lines


def test_little_room_is_for_what_matters_most(bank: MemoryBank) -> None:
    """A budget takes from each section in turn; what is left out is counted."""
    for text in ("My name is Maya.", "I live in Leipzig.", "I want to learn Portuguese."):
        bank.remember(text)
    known = bank.profile(max_tokens=20)
    assert ([line.value for line in known.lines], known.more) == (["Maya", "Leipzig"], 1)


class Person(BaseModel):
    """What an application wants to know."""

    name: str | None
    city: str | None = Field(description="Where do I live?")
    age: int | None
    boss: str | None
    animals: list[str] = []
    blood_type: str | None


def test_model_of_ones_own_is_filled(bank: MemoryBank) -> None:
    """Fields are found by name and description; what nobody said is None."""
    for text in (
        "My name is Maya.",
        "I live in Leipzig.",
        "I turned 34.",
        "I have a dog named Rex.",
    ):
        bank.remember(text)
    bank.remember("My boss is Katrin.")
    assert bank.profile(schema=Person) == Person(
        name="Maya",
        city="Leipzig",
        age=34,
        boss="Katrin",
        animals=["a dog named Rex"],
        blood_type=None,
    )


def test_unusable_arguments_are_named(bank: MemoryBank) -> None:
    """Each refusal names the argument."""
    for name, arguments in (
        ("subject", {"subject": 3}),
        ("as_of", {"as_of": datetime(2026, 1, 1)}),  # noqa: DTZ001 - naive
        ("max_tokens", {"max_tokens": 0}),
        ("schema", {"schema": dict}),
    ):
        with pytest.raises(InvalidInput, match=name):
            bank.profile(**arguments)


def test_context_begins_with_what_is_known(bank: MemoryBank) -> None:
    """A prompt may hold the profile; its stable part has it, too."""
    bank.remember("I live in Leipzig.")
    recall = bank.recall("What shall I cook?")
    assert "What is known:\n- I live in Leipzig\n" in recall.context(profile=True)
    assert "- I live in Leipzig" in recall.context(stable=True, profile=True)
    assert "What is known" not in recall.context()


def test_a_fact_is_told_once(bank: MemoryBank) -> None:
    """What must always be kept in mind, what is known, what was recalled: each memory stands in one of them."""
    for text in ("I'm allergic to peanuts.", "I live in Leipzig.", "My boat is called Swallow."):
        bank.remember(text)
    recall = bank.recall("Where do I live, and what is my boat called?")
    block = recall.block(profile=True)

    for words in ("peanuts", "Leipzig", "Swallow"):
        assert (
            block.text.count(words) == recall.context(stable=True, profile=True).count(words) == 1
        )
        assert words not in recall.context(stable=False, profile=True)
    assert sorted(block.shown.values()) == [
        "I live in Leipzig.",
        "I'm allergic to peanuts.",
        "My boat is called Swallow.",
    ]
    assert "Leipzig" in recall.context(stable=False)
