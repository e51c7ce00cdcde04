"""Every door a text comes through has the same guard: orders are set aside, secrets are taken out."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import MemoryBank
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.bank_contents import contents
from helpers.tables import rows_of

ORDERS = list(rows_of("guarded_doors/orders"))
HARMLESS = [
    "From now on call me Bo, please.",
    "I ignored the previous instructions of my doctor.",
    "## Instructions\nMix the flour with water.",
    "Please disregard the noise from my neighbours.",
    "Önceki talimatları okudum ve fırını kurdum.",
]
SECRET = "The admin password of the router is hunter2xyz"
TAKEN_OUT = "The admin password of the router is [redacted password]"


def _raw(bank: MemoryBank, text: str, _folder: Path) -> None:
    bank.remember(text, mode="raw")


def _add(bank: MemoryBank, text: str, _folder: Path) -> None:
    bank.add(text)


def _edit(bank: MemoryBank, text: str, _folder: Path) -> None:
    bank.edit(bank.add("I keep two canaries.").id, text)


def _item(bank: MemoryBank, text: str, _folder: Path) -> None:
    bank.items().put(("docs",), "page", {"n": 1}, texts=[text])


def _mem0(bank: MemoryBank, text: str, folder: Path) -> None:
    file = folder / "mem0.json"
    file.write_text(json.dumps([{"id": "m1", "memory": text}]), encoding="utf-8")
    bank.import_(file, format="mem0")


def _file(bank: MemoryBank, text: str, folder: Path) -> None:
    """A file that was changed after its export."""
    file = folder / "bank.jsonl"
    with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
        other = engine.bank(bank.namespace)
        other.add("PLACEHOLDER")
        other.export(file)
    file.write_text(
        file.read_text(encoding="utf-8").replace("PLACEHOLDER", json.dumps(text)[1:-1]),
        encoding="utf-8",
    )
    bank.import_(file)


DOORS = {"raw": _raw, "add": _add, "edit": _edit, "item": _item, "mem0": _mem0, "file": _file}
Door = Callable[[MemoryBank, str, Path], None]
each_door = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS.keys())

ENGINE = {"embedder": "hashing", "paused": True}


@each_door
def test_an_order_to_the_model_is_set_aside(clock: FrozenClock, door: Door, tmp_path: Path) -> None:
    """It is listed for a person, and recalled only once it was released."""
    with cogmem_core.open(embedder="hashing", clock=clock, config=MANUAL) as engine:
        for number, text in enumerate(ORDERS):
            bank = engine.bank(f"n{number}")
            door(bank, text, tmp_path)
            aside = bank.list(state="quarantined")

            assert [memory.content for memory in aside] == [text]
            assert text not in contents(bank)
            assert "orders to the model" in aside[0].metadata["quarantined"] or (
                "chat markup" in aside[0].metadata["quarantined"]
            )
            assert bank.restore(aside[0].id).state == "active"


@each_door
def test_what_only_sounds_like_an_order_is_kept(
    clock: FrozenClock, door: Door, tmp_path: Path
) -> None:
    """A person's own wishes, and words about instructions; a document's wishes count as orders."""
    texts = HARMLESS[3:] if door is _item else HARMLESS
    with cogmem_core.open(embedder="hashing", clock=clock, config=MANUAL) as engine:
        for number, text in enumerate(texts):
            bank = engine.bank(f"n{number}")
            door(bank, text, tmp_path)

            assert contents(bank) == [text]


@each_door
def test_secrets_are_taken_out(bank: MemoryBank, door: Door, tmp_path: Path) -> None:
    """As in a turn."""
    door(bank, SECRET, tmp_path)

    assert contents(bank) == [TAKEN_OUT]


def test_an_edit_is_set_aside_with_its_history(bank: MemoryBank) -> None:
    """The former text is a version; a plain edit is trusted."""
    memory = bank.add("I keep two canaries.")
    bank.edit(memory.id, "I keep three canaries.")
    edited = bank.edit(memory.id, ORDERS[0])

    assert (edited.state, edited.content) == ("quarantined", ORDERS[0])
    assert [version.content for version in bank.history(memory.id).versions] == [
        "I keep two canaries.",
        "I keep three canaries.",
    ]


def test_what_a_person_released_stays_released_in_a_copy(bank: MemoryBank, tmp_path: Path) -> None:
    """Export and import do not set it aside again."""
    memory = bank.add(ORDERS[0])
    bank.restore(memory.id)
    bank.export(tmp_path / "bank.jsonl")
    copy = bank.engine.bank("bob")
    copy.import_(tmp_path / "bank.jsonl")

    assert contents(copy) == [ORDERS[0]]


def test_what_an_assistant_said_is_trusted_less_where_mem0_tells(
    bank: MemoryBank, tmp_path: Path
) -> None:
    """Its role decides; without one it is the user's."""
    rows = [
        {"id": "m1", "memory": "The piano tuner comes from Graz.", "role": "assistant"},
        {"id": "m2", "memory": "The greyhound is called Juno.", "role": "user"},
        {"id": "m3", "memory": "The canaries live in the kitchen."},
    ]
    (tmp_path / "mem0.json").write_text(json.dumps(rows), encoding="utf-8")
    bank.import_(tmp_path / "mem0.json", format="mem0")

    assert {memory.content: (memory.data_source, memory.trust) for memory in bank.list()} == {
        "The piano tuner comes from Graz.": ("assistant_message", 0.8),
        "The greyhound is called Juno.": ("user_message", 1.0),
        "The canaries live in the kitchen.": ("user_message", 1.0),
    }
