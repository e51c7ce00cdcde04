"""Namespaces are opaque and exact: whatever they look like, no operation on one shows, counts or changes another.

Each look-alike name holds a canary, a word that stands nowhere else. Every public method of a bank and of its documents
runs on random names with the ids, recalls, tickets, cycles and cursors of others. `COGMEM_EXAMPLES=400` makes it 200
namespaces with 250 operations each on each of two kinds of index; others are then looked at after every tenth one, and
all of them after every 5,000th and in the end.
"""

import dataclasses
import os
import unicodedata
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config, Engine, InvalidInput, Items, MemoryBank, Turn
from cogmem_core.config import StorageConfig
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.lookalike_namespaces import LOOK_ALIKES, READS, SELDOM, Tenants, canary
from helpers.tables import each_row

TIMES = int(os.environ.get("COGMEM_EXAMPLES", "1"))
EVERY = 1 if TIMES == 1 else 10
CONFIGS = {
    "exact": dataclasses.replace(
        MANUAL, guard=dataclasses.replace(MANUAL.guard, review=("contradicting", "procedure"))
    ),
    "chroma": dataclasses.replace(MANUAL, storage=StorageConfig(index_above=6, write_slice=3)),
}


def public(kind: type) -> set[str]:
    """The public methods without their async twins."""
    found = {
        name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))
    }
    return {name for name in found if not (name[0] == "a" and name[1:] in found)}


def test_every_public_method_of_a_bank_is_tried() -> None:
    """A new method has to say how it treats what is foreign."""
    acts = {name.removeprefix("act_") for name in dir(Tenants) if name.startswith("act_")}

    assert acts == public(MemoryBank)
    assert acts >= READS | SELDOM
    assert public(Items) == {"get", "put", "delete", "write", "search", "paths", "drop_ended"}


@pytest.mark.parametrize("indexes", sorted(CONFIGS))
def test_no_operation_shows_counts_or_changes_another_namespace(
    tmp_path: Path, indexes: str
) -> None:
    """Another tenant is never returned, counted, changed or deleted; a foreign id is unknown."""
    count, steps = (24, 40) if TIMES == 1 else (200, 125 * TIMES)
    with cogmem_core.open(
        tmp_path / "bank", embedder=CountingEmbedder(), clock=FrozenClock(), config=CONFIGS[indexes]
    ) as on:
        tenants = Tenants(on, tmp_path, count, seed=len(indexes), every=EVERY)
        for number in range(steps):
            tenants.step()
            if number % (40 if TIMES == 1 else 1000) == 39:
                on.sync()
            if number % 5000 == 4999:
                for tenant in tenants.all:
                    tenants.check(tenant)
        for tenant in tenants.all:
            tenants.check(tenant)
            if count == 24:
                found = on.bank(tenant.name).recall(f"what about {tenant.word}?", k=100, floor=0)
                assert {item.memory.namespace for item in found.results} <= {tenant.name}


def test_every_look_alike_is_a_namespace_of_its_own(tmp_path: Path) -> None:
    """Compared whole and byte by byte: neither case nor Unicode form nor a wildcard makes two names one."""
    every = [
        *dict.fromkeys(
            (*LOOK_ALIKES, *(unicodedata.normalize(form, "é") for form in ("NFC", "NFD")))
        )
    ]
    with cogmem_core.open(tmp_path / "bank", embedder=CountingEmbedder(), config=MANUAL) as engine:
        for number, name in enumerate(every):
            engine.bank(name).add(canary(number))

        assert sorted(engine.namespaces()) == sorted(every)
        for number, name in enumerate(every):
            assert [memory.content for memory in engine.bank(name).list()] == [canary(number)]
            found = engine.bank(name).recall(canary((number + 1) % len(every)), floor=0, deep=True)
            assert {item.content for item in found.results} <= {canary(number)}


def test_a_namespace_without_memories_is_one(engine: Engine) -> None:
    """What waits to be encoded, notes, transcripts and documents belong to somebody, too."""
    engine.bank("notes").observe("Maybe Emma visits Oslo tomorrow.")
    engine.bank("kept").append_messages([Turn("Hello")], session_id="s1")
    engine.bank("skipped").remember("Good morning!")
    engine.bank("items").items().put(("a",), "b", {"c": 1})
    engine.bank("memories").remember("I moved to Lisbon.")
    assert engine.namespaces() == ["items", "kept", "memories", "notes", "skipped"]


@each_row(
    "name",
    ["", " ", "\t", "a\nb", "a\x00b", "a\x7f", "\ud800", "a" * 257, None, 1, b"a", ["a"], {}],
)
def test_what_is_no_name_is_refused(engine: Engine, name: object) -> None:
    """A typed error at the edge, and nothing is written."""
    with pytest.raises(InvalidInput, match="namespace"):
        engine.bank(name)  # type: ignore[arg-type]

    assert engine.namespaces() == []


ENGINE = {"clock": None}


def history(engine: Engine, name: str, word: str) -> tuple[object, ...]:
    """The same life in whatever company; returns everything that statistics, caches and calibration have a say in."""
    bank = engine.bank(name)
    bank.remember(
        [
            f"I keep the {word} of {place} in a box"
            for place in ("Lisbon", "Oslo", "Rome", "Kars", "Bonn")
        ]
    )
    for number in range(25):
        found = bank.recall(f"where is the {word} of Rome, time {number}?", floor=0)
        bank.feedback(found, f"The {word} of Rome is in a box.")
    bank.consolidate()
    found = bank.recall(f"where is the {word} of Rome?", floor=0)
    told = [
        (x.content, x.score, x.confidence, dict(x.signals), x.memory.utility) for x in found.results
    ]
    health = bank.health()
    return (
        told,
        found.confidence,
        [memory.content for memory in found.hot],
        health["retention_histogram"],
        found.context(),
    )


def test_statistics_caches_hot_tier_and_calibration_know_one_namespace(clock: FrozenClock) -> None:
    """The same life gives the same answers, alone and amid look-alikes that live otherwise."""
    config = dataclasses.replace(
        MANUAL,
        feedback=dataclasses.replace(MANUAL.feedback, calibrate_from=20),
        retrieval=dataclasses.replace(
            MANUAL.retrieval,
            hot=dataclasses.replace(MANUAL.retrieval.hot, accesses=3, utility=0.5, seconds=0),
        ),
    )
    assert _amid(config, clock, ()) == _amid(config, clock, LOOK_ALIKES[: 12 if TIMES == 1 else 30])


def _amid(config: Config, clock: FrozenClock, others: tuple[str, ...]) -> tuple[object, ...]:
    with cogmem_core.open(embedder=CountingEmbedder(), config=config, clock=clock) as engine:
        for name in others:
            bank = engine.bank(name)
            if name != "a":
                bank.remember(
                    [f"I lost the canary of {place} on Sunday" for place in ("Rome", "Paris")]
                )
                for _ in range(3):
                    bank.feedback(
                        bank.recall("where is the canary of Rome?", floor=0), "I do not know."
                    )
        told = history(engine, "a", "canary")
        assert told[2], "the hot tier has something to show"
        return told
