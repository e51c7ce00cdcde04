"""Export and import of what stands beside memories: notes and traces, synaptic tags, facts on probation."""

import dataclasses
import json
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cogmem_core
from cogmem_core import Config, Engine, InvalidInput, MemoryBank, Turn
from cogmem_core.models import ObservationNote, ShortTerm, SynapticTag
from cogmem_core.results import ImportReport
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)


def opened(**given: Any) -> Engine:
    return cogmem_core.open(
        embedder=CountingEmbedder(), clock=FrozenClock(), config=Config(), **given
    )


@pytest.fixture
def engine() -> Iterator[Engine]:
    with opened() as engine:
        yield engine


@pytest.fixture
def bank(engine: Engine) -> MemoryBank:
    """One memory with a tag, one on probation, two notes and a trace."""
    bank = engine.bank("alice")
    bank.remember("I am at the dentist right now.", mode="semantic", session_id="s1", ref="t1")
    at = NOON - timedelta(days=40)
    bank.observe(
        [
            Turn(
                "Maybe Emma visits Oslo tomorrow.", speaker="Ayşe", at=at, session_id="s2", ref="n1"
            ),
            "My cat is Mochi.",
        ]
    )
    trace = ObservationNote(
        id="01890000-0000-7000-8000-0000000000aa",
        namespace="alice",
        level="trace",
        content="Emma: “Oslo 🥳”",
        observed_at=at,
        created_at=NOON,
        priority="critical",
        role="system",
        entities=("entity://place/oslo",),
        confidence=0.4,
        refs=("n0", "n1"),
        characters=321,
    )
    with engine.services.ledger.writing() as writer:
        writer.at("alice").notes.add([trace])
        writer.at("alice").synaptic_tags.capture(
            [tag.memory_id for tag in writer.at("alice").synaptic_tags.all()]
        )
    return bank


Beside = tuple[list[ObservationNote], list[SynapticTag], list[ShortTerm]]


def beside(engine: Engine, namespace: str = "alice") -> Beside:
    with engine.services.ledger.whole() as reader:
        notes = [
            *reader.at(namespace).notes.of_level("note"),
            *reader.at(namespace).notes.of_level("trace"),
        ]
        return (
            notes,
            reader.at(namespace).synaptic_tags.all(),
            reader.at(namespace).synaptic_tags.short_term(),
        )


def test_the_round_trip_is_lossless(engine: Engine, bank: MemoryBank, tmp_path: Path) -> None:
    """The copy exports the same bytes; every record is equal."""
    bank.export(tmp_path / "one")
    with opened() as other:
        other.bank("alice").import_(tmp_path / "one")
        other.bank("alice").export(tmp_path / "two")
        notes, tags, short_term = beside(other)
        assert (len(notes), len(tags), len(short_term)) == (3, 1, 1)
        assert tags[0].captured
        assert (notes, tags, short_term) == beside(engine)
    assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()


def test_the_end_counts_every_record(bank: MemoryBank, tmp_path: Path) -> None:
    """The header, what was said, what is known, what is noted."""
    bank.export(tmp_path / "one")
    lines = [
        json.loads(line) for line in (tmp_path / "one").read_text(encoding="utf-8").splitlines()
    ]
    kinds = [line["kind"] for line in lines]
    assert {kind: kinds.count(kind) for kind in ("tag", "short_term", "note")} == {
        "tag": 1,
        "short_term": 1,
        "note": 3,
    }
    assert lines[0]["version"] == 7
    assert lines[-1] == {"kind": "end", "lines": len(lines) - 1}


def test_a_file_of_the_former_version_is_read(bank: MemoryBank, tmp_path: Path) -> None:
    """Version 1 had no such records."""
    path = tmp_path / "one"
    bank.export(path)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    old = [line for line in lines if line["kind"] not in ("tag", "short_term", "note")]
    old[0]["version"], old[-1]["lines"] = 1, len(old) - 1
    path.write_text("".join(json.dumps(line) + "\n" for line in old), encoding="utf-8")
    with opened() as other:
        assert other.bank("alice").import_(path).stored == 2
        assert beside(other) == ([], [], [])


def test_a_text_that_was_edited_in_the_file_counts_as_it_stands(tmp_path: Path) -> None:
    """With its own hash, key and vector: else what was said then would pass for what is said now."""
    with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
        ann, bob = engine.bank("ann"), engine.bank("bob")
        ann.remember([Turn("My blood group is O type.", speaker="Ann"), "I live in Porto."])
        ann.export(tmp_path / "ann.jsonl")
        lines = (tmp_path / "ann.jsonl").read_text().splitlines()
        changed = [
            line.replace("O type", "AB positive") if json.loads(line)["kind"] == "memory" else line
            for line in lines
        ]
        (tmp_path / "ann.jsonl").write_text("\n".join(changed))
        assert bob.import_(tmp_path / "ann.jsonl") == ImportReport(2, 2, 0, edited=1)
        assert bob.recall("AB positive").results[0].content == "My blood group is AB positive."
        again = Turn("My blood group is AB positive.", speaker="Ann")
        assert bob.remember(again).receipts[0].status == "reinforced"
        assert engine.doctor().clean
        (memory,) = [one for one in bob.list() if "blood" in one.content]
        with engine.services.ledger.whole() as reader:
            stored = reader.at("bob").memories.stored([memory.id])[memory.id]
        assert stored.key.endswith("] Ann\n: My blood group is AB positive.")
        assert np.allclose(
            stored.vector, engine.services.embedder.embed_documents([memory.content])[0]
        )


def test_a_number_that_is_too_large_is_refused(tmp_path: Path) -> None:
    """JSON allows 1e999; read as infinity it could never be exported again."""
    with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
        engine.bank("ann").add("Ann likes hiking", metadata={"height": 0.25})
        engine.bank("ann").export(tmp_path / "ann.jsonl")
        text = (tmp_path / "ann.jsonl").read_text(encoding="utf-8")
        (tmp_path / "ann.jsonl").write_text(
            text.replace('"height": 0.25', '"height": 1e999'), encoding="utf-8"
        )
        with pytest.raises(InvalidInput, match="line 2 is not JSON: 1e999 is too large"):
            engine.bank("bob").import_(tmp_path / "ann.jsonl")


def test_what_hardly_lasts_comes_back(tmp_path: Path) -> None:
    """`strength.initial_days` may be as short as one likes; FSRS's least is a thousandth of a day."""
    brief = dataclasses.replace(MANUAL.strength, initial_days={"fact": 1e-9})
    with cogmem_core.open(
        embedder="hashing", config=dataclasses.replace(MANUAL, strength=brief)
    ) as engine:
        assert engine.bank("ann").add("Ann likes hiking", importance=0.0).stability == 0.001
        engine.bank("ann").export(tmp_path / "ann.jsonl")
        lines = [json.loads(line) for line in (tmp_path / "ann.jsonl").read_text().splitlines()]
        older = [
            {**line, "stability": 1e-9} if line["kind"] == "memory" else line for line in lines
        ]
        (tmp_path / "ann.jsonl").write_text("\n".join(map(json.dumps, older)))
        engine.bank("bob").import_(tmp_path / "ann.jsonl")
        assert engine.bank("bob").list()[0].stability == 0.001


@pytest.mark.parametrize("field", ["stability", "initial_stability"])
def test_a_memory_that_lasts_no_time_is_refused(tmp_path: Path, field: str) -> None:
    """Nothing fades from nothing: every recall of its namespace would fail."""
    with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
        engine.bank("ann").add("Ann likes hiking on Mount Rainier")
        engine.bank("ann").export(tmp_path / "ann.jsonl")
        lines = [json.loads(line) for line in (tmp_path / "ann.jsonl").read_text().splitlines()]
        changed = [{**line, field: 0} if line["kind"] == "memory" else line for line in lines]
        (tmp_path / "ann.jsonl").write_text("\n".join(map(json.dumps, changed)))
        with pytest.raises(InvalidInput, match=f"{field} cannot be '0'"):
            engine.bank("bob").import_(tmp_path / "ann.jsonl")
