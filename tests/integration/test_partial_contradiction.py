"""A newer statement that contradicts one half of a memory leaves the other half in recall."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

import cogmem_core
from cogmem_core import Engine, Turn
from helpers.tables import each_row

_namespaces = count()


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """One for all rows; each has a namespace of its own."""
    with cogmem_core.open(embedder="minilm") as opened:
        yield opened


def test_one_sentence_with_two_facts_becomes_two_memories() -> None:
    """Split only where clearly several facts; what changes then retires one of them."""
    with cogmem_core.open(embedder="minilm") as engine:
        bank = engine.bank("a")
        bank.remember("I live in Berlin and I work at Acme")
        bank.remember("I live in Lisbon now")

        states = {memory.content: memory.state for memory in bank.list(state="any")}
    assert states == {
        "I live in Berlin": "superseded",
        "I work at Acme": "active",
        "I live in Lisbon now": "active",
    }


@pytest.mark.parametrize("mode", ["auto", "semantic"])
def test_a_memory_of_two_facts_loses_the_one_that_changed(mode: str) -> None:
    """Principle 1: never lose; the former text stays as a version and can be read in its history."""
    with cogmem_core.open(embedder="minilm") as engine:
        bank = engine.bank("a")
        bank.remember("I live in Berlin and I work at Acme", mode="raw")
        (fact,) = bank.remember("I live in Lisbon now", mode=mode).receipts[0].facts
        old = next(memory for memory in bank.list() if "Acme" in memory.content)
        history = bank.history(old.id)
        found = [
            item.content
            for item in bank.recall("Where does the user work?", k=5, floor=0.0).results
        ]

    assert (fact.status, old.content, old.version) == ("superseded", "I work at Acme.", 2)
    assert [version.content for version in history.versions] == [
        "I live in Berlin and I work at Acme"
    ]
    assert (
        history.changes[-1].reason
        == "a part no longer holds: residence of speaker: berlin, now lisbon"
    )
    assert "I work at Acme." in found
    assert not any("Berlin" in content for content in found)


def test_another_speaker_changes_nothing() -> None:
    """Two people may live in two places."""
    with cogmem_core.open(embedder="minilm") as engine:
        bank = engine.bank("a")
        bank.remember(Turn("I live in Berlin and I work at Acme", speaker="Ana"), mode="raw")
        bank.remember(Turn("I live in Lisbon now", speaker="Bob"))

        assert {memory.state for memory in bank.list(state="any")} == {"active"}
        assert bank.count() == 2


@each_row(
    ("old", "new"),
    [
        (
            "My husband Tom works from home, he is a translator.",
            "Tom quit translating, he's retraining as a teacher.",
        ),
        ("My sister Elif lives in Porto.", "Elif lives in Lisbon now."),
        ("I drive a blue Golf, my wife drives a Clio.", "I no longer drive a Golf."),
        ("Hi! I'm Marta, a nurse at St. Anne's in Leeds.", "I'm not a nurse anymore."),
        ("Our dog Rex is 5 and loves swimming.", "Rex doesn't love swimming anymore."),
        ("I work at Acme as a designer, my desk is on the 3rd floor.", "My desk is now on the 5th floor."),
        ("I'm vegetarian and allergic to nuts.", "I'm not vegetarian any more."),
        ("I'm allergic to shellfish and penicillin.", "I'm not allergic to penicillin after all."),
        ("Emma, my manager, takes Fridays off.", "Emma doesn't take Fridays off any more."),
        ("Our flat in Porto has two bedrooms, the rent is 900 euros.", "The rent is now 950 euros."),
        ("Our CTO is Dana; she reports to Lee.", "Our CTO is now Ravi."),
        ("We have classes on Monday and Thursday.", "We no longer have classes on Monday."),
        ("The shop is open on Saturdays and Sundays.", "The shop is no longer open on Sundays."),
        ("Je cours le mardi et le dimanche.", "Je ne cours plus le mardi."),
        ("Trabajo en Lyon y en París.", "Ya no trabajo en París."),
        ("Ich arbeite in Lyon und Paris.", "Ich arbeite nicht mehr in Paris."),
        ("Mein Bruder Jonas wohnt in Köln und arbeitet bei Bosch.", "Jonas arbeitet nicht mehr bei Bosch."),
        ("Mi hermana Lucía vive en Cádiz y trabaja en un banco.", "Lucía ya no trabaja en un banco."),
        ("My rent is 900 euros, paid monthly.", "My rent is now 950 euros."),
        ("Our meeting room is Heron, on the second floor.", "Our meeting room is Kestrel now."),
        ("I live in Berlin with my dog Rex.", "I live in Lisbon now."),
        ("I work at Siemens since 2015.", "I work at Bosch now."),
        ("I work at Siemens as a welder near the river.", "I work at Bosch now."),
        ("Ich wohne in Ulm mit meinem Hund Bello.", "Ich wohne jetzt in Kiel."),
        ("J'habite à Lyon avec mon chien Rex.", "J'habite à Nantes maintenant."),
        ("Vivo en Madrid con mi perro Rex.", "Ahora vivo en Cádiz."),
    ],
)  # fmt: skip
def test_what_tells_more_is_not_retired(engine: Engine, old: str, new: str) -> None:
    """Nothing can be cut out of it: it stays, the new statement is its newer version and stands first."""
    bank = engine.bank(f"more-{next(_namespaces)}")
    bank.remember(old)
    (fact,) = bank.remember(new).receipts[0].facts

    assert [(memory.content, memory.state) for memory in bank.list(state="any")] == [
        (old, "active"),
        (new, "active"),
    ]
    assert fact.reason.startswith("may be a newer version: ")


@each_row(
    ("old", "new"),
    [
        ("I smoke, about ten a day.", "I don't smoke anymore."),
        ("I take 5 mg of melatonin, before bed.", "I no longer take melatonin."),
        ("I'm on a keto diet, since January.", "I'm no longer on a keto diet."),
        ("I work at Acme, in the design team.", "I don't work at Acme anymore."),
        ("We use Jenkins for CI, on a box in the basement.", "We no longer use Jenkins."),
        ("I play tennis on Mondays with Sam.", "I no longer play tennis."),
    ],
)
def test_a_circumstance_goes_with_what_is_over(engine: Engine, old: str, new: str) -> None:
    """With what is over goes where, when or how it was."""
    bank = engine.bank(f"circumstance-{next(_namespaces)}")
    bank.remember(old)
    bank.remember(new)

    assert [memory.content for memory in bank.list()] == [new]
