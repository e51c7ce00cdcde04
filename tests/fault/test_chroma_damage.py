"""Damaged Chroma folders: never opened, always replaced. Torn indexes crash, hang or lie."""

import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cogmem_core.config import StorageConfig
from cogmem_core.ports import VectorWrite
from cogmem_core.storage.vectors.chroma.generations import GenerationState, gate
from cogmem_core.storage.vectors.chroma.index import ChromaIndex, Prepared

CONFIG, DIMENSION, COUNT = StorageConfig(sync_threshold=100), 32, 300
VECTORS = np.random.default_rng(5).normal(size=(COUNT, DIMENSION)).astype(np.float32)
WRITES = [VectorWrite(f"m{i:03d}", vector) for i, vector in enumerate(VECTORS)]


class MemoryStore:
    """A generation store that survives as long as the test."""

    def __init__(self, state: GenerationState | None = None) -> None:
        self.state = state

    def load_generation(self) -> GenerationState | None:
        return self.state

    def save_generation(self, state: GenerationState) -> None:
        self.state = state


class FileStore:
    """A generation store that survives its process."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load_generation(self) -> GenerationState | None:
        return pickle.loads(self.path.read_bytes()) if self.path.exists() else None

    def save_generation(self, state: GenerationState) -> None:
        fresh = self.path.with_suffix(".new")
        fresh.write_bytes(pickle.dumps(state))
        fresh.replace(self.path)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, GenerationState]:
    """A cleanly closed index of 300 vectors whose HNSW files are on disk."""
    root, store = tmp_path_factory.mktemp("sound"), MemoryStore()
    index = ChromaIndex(root, store, "toy", DIMENSION, CONFIG)
    index.prepare()
    index.apply("alice", WRITES)
    index.checkpoint({"alice": COUNT})
    index.close()
    assert store.state is not None
    assert any((root / "gen-000001").rglob("index_metadata.pickle"))
    return root, store.state


@pytest.fixture
def copy(sound: tuple[Path, GenerationState], tmp_path: Path) -> tuple[Path, MemoryStore]:
    """A copy of the sound index, to be damaged."""
    shutil.copytree(sound[0], tmp_path / "chroma")
    return tmp_path / "chroma", MemoryStore(sound[1])


def the(root: Path, name: str) -> Path:
    return next((root / "gen-000001").rglob(name))


def truncate(name: str) -> Callable[[Path], None]:
    return lambda root: os.truncate(the(root, name), the(root, name).stat().st_size // 2)


def flip(name: str) -> Callable[[Path], None]:
    def damage(root: Path) -> None:
        data = bytearray(the(root, name).read_bytes())
        data[len(data) // 2] ^= 0xFF
        the(root, name).write_bytes(data)

    return damage


def zero(name: str) -> Callable[[Path], None]:
    return lambda root: (the(root, name).write_bytes(bytes(the(root, name).stat().st_size)), None)[
        1
    ]


def remove(name: str) -> Callable[[Path], None]:
    return lambda root: the(root, name).unlink()


def overwrite_with_garbage(root: Path) -> None:
    the(root, "chroma.sqlite3").write_bytes(os.urandom(50_000))


def delete_the_folder(root: Path) -> None:
    shutil.rmtree(root / "gen-000001")


def delete_the_segment(root: Path) -> None:
    shutil.rmtree(the(root, "header.bin").parent)


def add_a_stray_file(root: Path) -> None:
    (root / "gen-000001" / "stray").touch()


def leave_a_journal(root: Path) -> None:
    (root / "gen-000001" / "chroma.sqlite3-journal").write_bytes(
        b"\xd9\xd5\x05\xf9 \xa1c\xd7" + bytes(504)
    )


def let_the_links_run_away(root: Path) -> None:
    os.truncate(the(root, "link_lists.bin"), 1 << 38)


def replace_a_file_by_a_link(root: Path) -> None:
    moved = the(root, "data_level0.bin").rename(root / "moved.bin")
    (next((root / "gen-000001").rglob("header.bin")).parent / "data_level0.bin").symlink_to(moved)


DAMAGES: dict[str, Callable[[Path], None]] = {
    **{
        f"truncate {name}": truncate(name)
        for name in ("chroma.sqlite3", "data_level0.bin", "index_metadata.pickle")
    },
    **{
        f"flip {name}": flip(name)
        for name in ("chroma.sqlite3", "data_level0.bin", "header.bin", "length.bin")
    },
    **{
        f"zero {name}": zero(name)
        for name in ("chroma.sqlite3", "header.bin", "index_metadata.pickle", "length.bin")
    },
    **{
        f"remove {name}": remove(name)
        for name in ("chroma.sqlite3", "index_metadata.pickle", "link_lists.bin")
    },
    "garbage over the database": overwrite_with_garbage,
    "folder deleted": delete_the_folder,
    "segment deleted": delete_the_segment,
    "stray file": add_a_stray_file,
    "journal left": leave_a_journal,
    "runaway links": let_the_links_run_away,
    "file replaced by a link": replace_a_file_by_a_link,
}
GATE_REASONS = (
    "its folder is missing",
    "its files ",
    "its link lists ",
    "it was not closed cleanly",
)


def expect_a_fresh_usable_generation(root: Path, store: MemoryStore | FileStore) -> Prepared:
    index = ChromaIndex(root, store, "toy", DIMENSION, CONFIG)
    prepared = index.prepare()
    assert prepared is not None
    assert prepared.rebuilt
    assert dict(prepared.applied) == {}
    assert index.count("alice") == 0
    index.apply("alice", WRITES)
    index.mark_ready()
    hits = index.search("alice", VECTORS[7], 5)
    assert (hits[0].id, hits[0].score) == ("m007", pytest.approx(1, abs=1e-5))
    assert [path.name for path in root.glob("gen-*")] == [f"gen-{prepared.generation:06d}"]
    index.close()
    return prepared


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_folder_is_replaced_and_never_opened(
    copy: tuple[Path, MemoryStore], damage: str
) -> None:
    """The reason is the gate's own, so Chroma has not seen the files."""
    root, store = copy
    DAMAGES[damage](root)
    verdict = gate(root, store.state, "toy")

    assert verdict.startswith(GATE_REASONS)
    assert expect_a_fresh_usable_generation(root, store).reason == verdict


def test_a_dirty_flag_alone_condemns_the_folder(copy: tuple[Path, MemoryStore]) -> None:
    """Bytes that look right were not necessarily written completely."""
    root, store = copy
    assert store.state is not None
    store.state = replace(store.state, dirty=True)

    assert expect_a_fresh_usable_generation(root, store).reason == "it was not closed cleanly"


def test_a_failed_start_is_repaired_by_the_next(copy: tuple[Path, MemoryStore]) -> None:
    """Half-made generations of crashed rebuilds are swept away."""
    root, store = copy
    for number in (2, 3):
        (root / f"gen-{number:06d}").mkdir()
        (root / f"gen-{number:06d}" / "chroma.sqlite3").write_bytes(b"torn")
    index = ChromaIndex(root, store, "toy", DIMENSION, CONFIG)

    assert index.prepare() == Prepared(False, "", {"alice": COUNT}, 1)
    assert sorted(path.name for path in root.iterdir()) == ["gen-000001", "lock"]
    index.close()


WRITER = """
import pathlib, sys
sys.path.insert(0, sys.argv[1])
from test_chroma_damage import CONFIG, DIMENSION, WRITES, FileStore
from cogmem_core.storage.vectors.chroma.index import ChromaIndex
root = pathlib.Path(sys.argv[2])
index = ChromaIndex(root / "chroma", FileStore(root / "state"), "toy", DIMENSION, CONFIG)
index.prepare()
print("writing", flush=True)
while True:
    index.apply("alice", WRITES)
    index.checkpoint({"alice": 1})
    print("round", flush=True)
"""


def test_a_killed_writer_leaves_a_folder_that_is_rebuilt(tmp_path: Path) -> None:
    """kill -9 in the middle of writes: the next open starts a new generation and removes what was there."""
    command = [sys.executable, "-c", WRITER, str(Path(__file__).parent), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert [writer.stdout.readline() for _ in range(3)] == ["writing\n", "round\n", "round\n"]
        writer.kill()

    prepared = expect_a_fresh_usable_generation(tmp_path / "chroma", FileStore(tmp_path / "state"))
    assert prepared.reason == "it was not closed cleanly"
