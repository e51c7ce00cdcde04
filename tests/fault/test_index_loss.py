"""The vector index may be lost, torn or taken away while in use: answers stay the same, nothing is embedded again."""

import platform
import random
import shutil
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config, Engine
from cogmem_core.config import LogConfig, StorageConfig
from cogmem_core.testing import CountingEmbedder, FrozenClock

TEXTS = [
    f"Remark {i} about {['boats', 'trains', 'cheese', 'violins', 'rain'][i % 5]} and word{i}"
    for i in range(150)
]
QUERIES = ["boats word5", "a remark about violins", "cheese and rain", "word77", "trains"]
CONFIGS = {
    "chroma": Config(storage=StorageConfig(index_above=0)),
    "chroma, files written early": Config(storage=StorageConfig(index_above=0, sync_threshold=100)),
}


def opened(folder: Path, config: Config, embedder: CountingEmbedder | None = None) -> Engine:
    return cogmem_core.open(
        folder, embedder=embedder or CountingEmbedder(), clock=FrozenClock(), config=config
    )


def recalled(engine: Engine) -> list[list[str]]:
    """Ids per query; all of them found by a healthy search."""
    found = [engine.bank("alice").recall(query, k=10) for query in QUERIES]
    assert [recall.degraded for recall in found] == [()] * len(QUERIES)
    return [[result.memory.id for result in recall.results] for recall in found]


def filled(folder: Path, config: Config) -> list[list[str]]:
    """Fill a folder, let Chroma catch up, close; returns what was recalled."""
    with opened(folder, config) as engine:
        engine.bank("alice").remember(TEXTS)
        engine.bank("bob").remember(TEXTS[:20])
        engine.bank("alice").forget("word149")
        engine.sync()
        assert engine.follower.index.ready
        return recalled(engine)


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def delete(folder: Path) -> None:
    shutil.rmtree(folder)


def overwrite(folder: Path) -> None:
    for path in files(folder):
        path.write_bytes(random.Random(path.name).randbytes(max(100, path.stat().st_size)))


def empty(folder: Path) -> None:
    for path in files(folder):
        path.write_bytes(b"")


DAMAGES: dict[str, Callable[[Path], None]] = {
    "deleted": delete,
    "garbage in every file": overwrite,
    "emptied": empty,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_an_index_that_breaks_in_use_degrades_the_answer_and_never_raises(
    tmp_path: Path, damage: str
) -> None:
    """Exact search takes over, `degraded` says why, writes go on; the next engine has a sound index again."""
    folder, config = tmp_path / "brain", CONFIGS["chroma"]
    before = filled(folder, config)
    with opened(folder, config) as engine:
        engine.sync()
        assert recalled(engine) == before
        DAMAGES[damage](folder / "chroma")
        bank = engine.bank("alice")
        for query, ids in zip(QUERIES, before, strict=True):
            found = bank.recall(query, k=10)
            assert [result.memory.id for result in found.results] == ids
            assert all(
                trouble.startswith("vector: the vector index failed") for trouble in found.degraded
            )
        memory = bank.remember("A fresh remark about word999").memories[0]
        engine.flush()
        assert bank.recall("word999").results[0].memory.id == memory.id
        assert bank.count() == 150

    with opened(folder, config) as engine:
        engine.sync()
        bank = engine.bank("alice")
        assert bank.recall("word999").results[0].memory.id == memory.id
        assert (bank.recall("word999").degraded, engine.health()["warnings"]) == ((), [])


def test_a_closed_index_is_told_in_degraded(tmp_path: Path) -> None:
    """Whatever Chroma raises becomes a sentence in the answer."""
    folder, config = tmp_path / "brain", CONFIGS["chroma"]
    before = filled(folder, config)
    with opened(folder, config) as engine:
        engine.sync()
        generation = engine.follower.index._current
        assert generation is not None
        generation.collections.close()
        found = engine.bank("alice").recall(QUERIES[0], k=10)

        assert [result.memory.id for result in found.results] == before[0]
        assert found.degraded == ("vector: the vector index is closed; open the engine again",)


def test_a_namespace_that_shrank_before_a_rebuild_is_found_whole_after_it(tmp_path: Path) -> None:
    """It had a collection; after the rebuild it has none, and who opens the bank later knows."""
    folder, storage = tmp_path / "brain", StorageConfig(index_above=20, write_slice=5)
    config = Config(storage=storage)
    with opened(folder, config) as engine:
        bank = engine.bank("alice")
        memories = bank.remember(TEXTS[:25]).memories
        engine.sync()
        for memory in memories[:10]:
            bank.forget(memory.id)
        engine.reindex()
        before = [result.memory.id for result in bank.recall("remark about trains", k=5).results]
    with opened(folder, config) as engine:
        engine.sync()
        bank = engine.bank("alice")
        assert not engine.follower.loaded
        assert {memory.id for memory in bank.list()} == {memory.id for memory in memories[10:]}
        assert [
            result.memory.id for result in bank.recall("remark about trains", k=5).results
        ] == before


def test_a_memory_that_comes_back_leaves_the_index_of_those_that_were_put_away(
    tmp_path: Path,
) -> None:
    """Superseded by a dream cycle, and active again after its undoing: it has one vector, not two."""
    with opened(tmp_path / "brain", CONFIGS["chroma"]) as engine:
        bank = engine.bank("alice")
        bank.add("Emma plays the cello")
        bank.add("Emma plays the cello")
        bank.remember(TEXTS[:5])
        run = bank.consolidate(steps=["duplicates"])
        engine.sync()
        assert (engine.follower.index.count(), engine.follower.differing()) == (6, 0)
        bank.undo(run.run_id)
        engine.sync()
        assert (engine.follower.index.count(), engine.follower.differing()) == (7, 0)


CANARY = "The canary Tweety2718281 sings at dawn"


def traces(folder: Path, *vectors: bytes) -> list[str]:
    wanted = (b"Tweety2718281", *vectors)
    return [
        path.name for path in files(folder) if any(trace in path.read_bytes() for trace in wanted)
    ]


@pytest.mark.parametrize("config", [*CONFIGS, "no index"])
def test_nothing_of_a_hard_forgotten_memory_is_left_in_any_file(
    tmp_path: Path, config: str
) -> None:
    """Text, former text, journal and both vectors: looked for in every file, by the receipt and by the test."""
    folder, embedder = tmp_path / "brain", CountingEmbedder()
    with opened(folder, CONFIGS.get(config, Config()), embedder) as engine:
        bank = engine.bank("alice")
        memory = bank.remember(
            CANARY, speaker="Tweety2718281", metadata={"who": "Tweety2718281"}
        ).memories[0]
        bank.remember(TEXTS)
        bank.remember(CANARY, speaker="Tweety2718281")
        bank.pin(bank.edit(memory.id, f"{CANARY} and at dusk").id)
        engine.sync()
        keys = [text for text in embedder.texts if "Tweety" in text]
        vectors = [CountingEmbedder().embed_query(key).tobytes() for key in keys]
        there = traces(folder, *vectors)
        receipt = bank.forget(memory.id, hard=True)

        assert len(vectors) == 2
        assert "ledger.sqlite-wal" in there
        assert ("chroma.sqlite3" in there) is (config != "no index")
        assert (receipt.remaining, receipt.episodes, receipt.files_scanned > 0) == ((), 2, True)
        assert traces(folder, *vectors) == []
        engine.sync()
        bank.remember("Another bird")
        assert traces(folder, *vectors) == []
        assert [
            result for result in bank.recall("Tweety2718281").results if "canary" in result.content
        ] == []
    assert traces(folder, *vectors) == []


@pytest.mark.parametrize("content", [False, True])
def test_nothing_of_a_hard_forgotten_memory_is_left_in_the_op_log_nor_in_later_exports(
    tmp_path: Path, content: bool
) -> None:
    """Also where the op log holds texts (`log.content`): questions quote what was forgotten; the records stay."""
    config = Config(log=LogConfig(content=content))
    with opened(tmp_path / "brain", config) as engine:
        bank = engine.bank("alice")
        bank.remember(CANARY)
        bank.recall("What does Tweety2718281 do at dawn?")
        engine.log()
        assert (traces(tmp_path / "brain") == ["ledger.sqlite-wal", "ops-log.jsonl"]) is content
        assert bank.forget("Tweety2718281", hard=True).remaining == ()
        bank.export(tmp_path / "export.jsonl")
        assert [record["op"] for record in engine.log(limit=4)] == [
            "remember",
            "recall",
            "forget",
            "export",
        ][:3]
        assert traces(tmp_path) == []


def test_a_text_that_another_memory_holds_is_not_reported_as_a_trace(tmp_path: Path) -> None:
    """What Bob said in the same words is Bob's."""
    with opened(tmp_path / "brain", Config()) as engine:
        memory = engine.bank("alice").remember(CANARY).memories[0]
        engine.bank("bob").remember(f"{CANARY}, as Alice says")
        receipt = engine.bank("alice").forget(memory.id, hard=True)

        assert receipt.remaining == ()
        assert engine.bank("bob").recall("canary").results[0].content == f"{CANARY}, as Alice says"


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="only glibc can hand out blank memory"
)
def test_chroma_writes_no_leftover_memory_to_disk(tmp_path: Path) -> None:
    """What no vector uses in Chroma's files is zero: else whatever the process held before may be in it."""
    for number in range(3):
        filled(tmp_path / f"brain{number}", CONFIGS["chroma"])
    slots = [path for path in files(tmp_path) if path.name == "data_level0.bin"]

    assert slots
    assert [path.parts[-4] for path in slots if any(unused(path))] == []


def unused(path: Path) -> bytes:
    """The slots of Chroma's vector file that no vector uses."""
    _, _, count, size = struct.unpack_from("<4Q", path.with_name("header.bin").read_bytes(), 4)
    return path.read_bytes()[count * size :]
