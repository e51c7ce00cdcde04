"""What a bank says it learnt: new, changed, ended, forgotten; said and inferred; line by line."""

from datetime import timedelta

import pytest

from cogmem_core import Engine, MemoryBank
from cogmem_core.results import Learnt
from cogmem_core.testing import CountingEmbedder, FrozenClock
from helpers.tables import rows_of

BEFORE = (
    *("I live in Lisbon.", "I work at Siemens and I have a red bike."),
    *("My salary is 5000 euros.", "My fair ticket is valid."),
)
TODAY = (
    *("Hi! I live in Porto now.", "I work at Bosch now.", "Please forget my salary."),
    *("My cat is called Mochi. How are you?", "It rained a little."),
)
TOLD = list(rows_of("learnt/told"))


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder(384)


@pytest.fixture
def bank(engine: Engine, clock: FrozenClock) -> MemoryBank:
    """Two days: what was said on the first, and what changed on the second."""
    bank = engine.bank("alice")
    *said, ticket = BEFORE
    for text in said:
        bank.remember(text, session_id="monday")
    bank.add(ticket, valid_until=clock() + timedelta(hours=30), at=clock())
    clock.advance(days=2)
    for text in TODAY:
        bank.remember(text, session_id="wednesday")
    bank.tick()
    return bank


def told(found: Learnt) -> list[tuple[str, str, str]]:
    return [(line.what, line.words, line.former) for line in found]


def test_the_most_telling_come_first_in_their_own_words(bank: MemoryBank) -> None:
    """A day is the default; what was said before it is not told, nor courtesies, nor questions."""
    found = bank.learnt()
    assert told(found) == TOLD
    assert [line.number for line in found] == [1, 2, 3, 4, 5, 6]
    assert str(found).splitlines()[0] == (
        "1. changed: I live in Porto now (before: I live in Lisbon) [said]"
    )
    short = bank.learnt(limit=2)
    assert (told(short), short.more) == (TOLD[:2], 4)
    assert "Lisbon" in str(bank.learnt(found.since - timedelta(days=3), limit=20))


def test_a_session_tells_what_was_said_in_it(bank: MemoryBank, clock: FrozenClock) -> None:
    """Also what it had forgotten of another one; the ticket ended by itself."""
    bank.remember("I play the oboe.", session_id="thursday")
    clock.advance(days=30)
    assert told(bank.session("wednesday").learnt()) == [line for line in TOLD if line[0] != "ended"]
    assert told(bank.session("thursday").learnt()) == [("new", "I play the oboe", "")]
    assert told(bank.session("nobody's").learnt()) == told(bank.learnt()) == []
    assert str(bank.learnt()) == "nothing new"


def test_a_chain_is_one_line_and_a_doubt_says_so(bank: MemoryBank) -> None:
    """What cannot be told for certain is "perhaps before": both are recalled, this one first."""
    bank.remember("I live in Braga now.")
    (home,) = [line for line in bank.learnt() if "I live" in line.words]
    assert (home.words, len(home.memory_ids), home.sure) == ("I live in Braga now", 3, True)
    assert home.former == "I live in Porto now; I live in Lisbon"
    other = bank.engine.bank("bob")
    other.remember("I work at Siemens.")
    other.remember("I quit my job at Siemens.")
    assert str(other.learnt()) == (
        "1. ended: I quit my job at Siemens (perhaps before: I work at Siemens) [said]"
    )


def test_what_is_inferred_says_whose_it_is(engine: Engine) -> None:
    """An assistant's word, an agent's, what is derived: behind what a person said."""
    bank = engine.bank("team")
    engine.add_principal("ann")
    engine.add_principal("scout", kind="agent", owner="ann")
    for name in ("ann", "scout"):
        engine.grant(name, "team", "write")
    said = bank.remember("I grow figs.", speaker="Ann").memories[0]
    for text in ("Ann may like jam.", "Great news, that sounds lovely!"):
        bank.remember(text, role="assistant")
    engine.as_("scout").bank("team").remember("The shop sells jars.")
    bank.add("Ann cooks.", support=[said])
    found = {line.words: (line.basis, line.whose) for line in bank.learnt()}
    assert found == {
        "I grow figs": ("said", "Ann"),
        "Ann may like jam": ("inferred", "said by the assistant"),
        "The shop sells jars": ("inferred", "scout"),
        "Ann cooks": ("inferred", "derived from memories"),
    }
    assert next(iter(bank.learnt())).basis == "said"


def test_edits_and_erasures_are_told_and_merged_copies_are_not(bank: MemoryBank) -> None:
    """Of what was erased only how much it was; that a cycle merges what says the same changes nothing."""
    (bike,) = [memory for memory in bank.list() if "bike" in memory.content]
    bank.edit(bike.id, "I have a green bike.", whole=True)
    assert ("changed", "I have a green bike", "I have a red bike") in told(bank.learnt(limit=9))
    bank.edit(bike.id, bike.content, whole=True)
    assert not any("bike" in words for _, words, _ in told(bank.learnt(limit=9)))
    bank.forget("Mochi", hard=True)
    assert [line.count for line in bank.learnt() if line.what == "forgotten"] == [2]
    for _ in range(2):
        bank.add("The attic is dry.")
    bank.consolidate(steps=["duplicates"])
    assert [line.what for line in bank.learnt(limit=9) if "attic" in line.words] == ["new"]


def test_a_line_is_kept_fixed_or_forgotten_by_its_memory(bank: MemoryBank) -> None:
    """The first id is what it is about."""
    home, work, *_, rain = bank.learnt()
    assert home.label == f"1-{home.memory_ids[0][-8:]}"
    bank.hold(home.memory_ids[0])
    bank.edit(work.memory_ids[0], "I work at Bosch in Braga now.")
    bank.forget(rain.memory_ids[0])
    found = {line.words: line.kept for line in bank.learnt()}
    assert found["I live in Porto now"] is True
    assert "I work at Bosch in Braga now" in found
    assert rain.words not in found
