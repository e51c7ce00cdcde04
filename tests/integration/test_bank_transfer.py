"""A bank that is exported and imported, closed and opened again, is the same bank."""

import contextlib
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import BankClosed, Engine, MemoryBank, StoreError, Turn
from cogmem_core.config import StorageConfig
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.bank_contents import NOON, contents, lines

SEARCHED = replace(MANUAL, storage=StorageConfig(index_above=0))


class TestTransfer:
    def fill(self, bank: MemoryBank) -> None:
        """A bank with a bit of everything."""
        bank.remember(
            [
                "Plain",
                Turn(
                    "Dated",
                    at=NOON - timedelta(days=9),
                    speaker="Ana",
                    ref="r",
                    metadata={"ü": [1]},
                ),
            ]
        )
        bank.remember("Plain")
        bank.edit(bank.list()[0].id, "Edited 🥳")
        bank.forget(bank.add("Forgotten", tags=["t"], valid_until=NOON, immutable=True).id)
        bank.pin(bank.add("Pinned", category="plan", importance=0.25).id)

    def test_a_copy_in_another_namespace_has_ids_of_its_own(
        self, engine: Engine, bank: MemoryBank, tmp_path: Path
    ) -> None:
        """Forgetting the copy for good leaves the original alone."""
        self.fill(bank)
        before = lines(bank, tmp_path / "one")
        carol = engine.bank("carol")
        carol.import_(tmp_path / "one")
        ids = {memory.id for memory in bank.list(state="any")}

        assert ids.isdisjoint(memory.id for memory in carol.list(state="any"))
        assert [m.content for m in carol.list(state="any")] == [
            m.content for m in bank.list(state="any")
        ]
        carol.forget_all(confirm="carol", hard=True)
        assert lines(bank, tmp_path / "one") == before

    def test_vectors_of_another_embedder_are_made_anew(
        self, bank: MemoryBank, tmp_path: Path
    ) -> None:
        """Two models' vectors are never mixed."""
        self.fill(bank)
        bank.export(tmp_path / "one")
        other = CountingEmbedder(dimension=32)
        with cogmem_core.open(embedder=other, clock=FrozenClock(), config=MANUAL) as engine:
            engine.bank("alice").import_(tmp_path / "one")
            assert len(other.texts) == 4
            assert contents(engine.bank("alice").recall("edited"))[0] == "Edited 🥳"

    def test_turns_that_waited_when_exported_are_finished_where_they_arrive(
        self, engine: Engine, bank: MemoryBank, embedder: CountingEmbedder, tmp_path: Path
    ) -> None:
        """A backup loses nothing, not even what was not yet encoded."""
        embedder.failure = RuntimeError("down")
        bank.remember("Waiting for a vector", ref="w")
        bank.export(tmp_path / "one")
        with cogmem_core.open(
            embedder=CountingEmbedder(), clock=FrozenClock(), config=MANUAL
        ) as other:
            other.bank("alice").import_(tmp_path / "one")
            other.flush()
            assert [(m.content, m.refs) for m in other.bank("alice").list()] == [
                ("Waiting for a vector", ("w",))
            ]

    def test_progress_is_told_and_a_failed_export_leaves_no_file(
        self, bank: MemoryBank, tmp_path: Path
    ) -> None:
        """An interrupted export is no export; an earlier one stays as it was."""
        bank.remember(["one", "two"])
        told: list[tuple[int, int]] = []
        assert bank.export(tmp_path / "x", progress=lambda *step: told.append(step)) == 2
        before = (tmp_path / "x").read_bytes()

        def interrupt(done: int, total: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            bank.export(tmp_path / "x", progress=interrupt)
        assert told == [(1, 2), (2, 2)]
        assert [path.name for path in tmp_path.iterdir()] == ["x"]
        assert (tmp_path / "x").read_bytes() == before


class TestPersistence:
    def test_reindexing_with_another_embedder_keeps_every_memory(
        self, tmp_path: Path, clock: FrozenClock
    ) -> None:
        """The bank then belongs to the new embedder."""
        with cogmem_core.open(
            tmp_path / "brain", embedder=CountingEmbedder(), clock=clock, config=MANUAL
        ) as engine:
            engine.bank("alice").remember([f"Fact {i} about cats" for i in range(5)])
            report = engine.reindex("hashing:48")
            assert (report.embedded, report.indexed, report.fingerprint) == (5, 5, "hashing-v1-48")
            assert len(engine.bank("alice").recall("cats").results) == 5
            assert engine.origin["embedder"] == "hashing:48"
        with cogmem_core.open(
            tmp_path / "brain", embedder="hashing:48", clock=clock, config=MANUAL
        ) as engine:
            assert len(engine.bank("alice").recall("cats", k=5).results) == 5


def test_closing_goes_on_when_a_part_fails(tmp_path: Path) -> None:
    """Else the folder would stay locked until the process ends."""
    engine = cogmem_core.open(tmp_path / "brain", embedder="hashing", config=SEARCHED)
    engine.bank("alice").add("Wednesday is chess night")
    engine.sync()
    for generation in (tmp_path / "brain" / "chroma").glob("gen-*"):
        generation.rename(tmp_path / generation.name)
    with contextlib.suppress(OSError, StoreError):
        engine.close()
    with pytest.raises(BankClosed):
        engine.sync()
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=SEARCHED) as again:
        again.sync()
        assert again.health()["index"] == {"ready": True, "loaded": True, "lag": 0}
        assert [item.content for item in again.bank("alice").recall("chess").results] == [
            "Wednesday is chess night"
        ]
