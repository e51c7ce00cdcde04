"""The Chroma index: opened, closed and opened again, beside other engines and in processes of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cogmem_core.errors import StoreError
from cogmem_core.storage.vectors.chroma.index import ChromaIndex, Prepared
from helpers.script_runner import Scripts
from unit.helpers.toy_vectors import CONFIG, MemoryStore, drop, ids, put, reopen, vector


def test_engines_in_memory_do_not_see_each_other(store: MemoryStore) -> None:
    """Chroma shares one store per process; closing one engine leaves the other alone."""
    first, second = (ChromaIndex(None, store, "toy", 2, CONFIG) for _ in range(2))
    for index, name in ((first, "a"), (second, "b")):
        index.prepare()
        index.mark_ready()
        index.apply("alice", [put(name, 1, 0)])
    seen = ids(first.search("alice", vector(1, 0), 5))
    first.close()

    assert (seen, ids(second.search("alice", vector(1, 0), 5))) == (["a"], ["b"])
    second.close()
    assert store.state is None


def test_an_index_answers_only_after_its_caller_said_so(tmp_path: Path, store: MemoryStore) -> None:
    """Before `prepare` and before `mark_ready` a search is a StoreError, a write before `prepare` too."""
    index = ChromaIndex(tmp_path, store, "toy", 2, CONFIG)
    with pytest.raises(StoreError, match="prepare"):
        index.apply("alice", [put("a", 1, 0)])
    prepared = index.prepare()
    index.apply("alice", [put("a", 1, 0)])
    with pytest.raises(StoreError, match="not ready"):
        index.search("alice", vector(1, 0), 5)

    assert prepared == Prepared(True, "there is no generation yet", {}, 1)
    index.close()


def test_a_clean_close_is_reopened_without_a_rebuild(tmp_path: Path, store: MemoryStore) -> None:
    """Progress, deletions and vectors are all there; another name of the same folder is the same folder."""
    index, _ = reopen(tmp_path / "chroma", store)
    index.apply("alice", [put(f"m{i:03d}", 1, i / 100) for i in range(150)])
    index.apply("alice", [drop("m149"), drop("m148")])
    index.checkpoint({"alice": 152, "bob": 3})
    index.checkpoint({"alice": 152})
    index.close()
    (tmp_path / "alias").symlink_to(tmp_path / "chroma")

    index, prepared = reopen(tmp_path / "alias", store)
    index.mark_ready()

    assert prepared == Prepared(False, "", {"alice": 152}, 1)
    assert index.prepare() == prepared
    assert ids(index.search("alice", vector(1, 0), 2)) == ["m000", "m001"]
    assert index.tombstone_share() == pytest.approx(2 / 150)
    index.close()


def test_the_dirty_flag_is_durable_before_chroma_opens_the_folder(
    tmp_path: Path, store: MemoryStore
) -> None:
    """It is set while the index is open and cleared by a clean close."""
    index, _ = reopen(tmp_path, store)
    assert store.state is not None
    assert (store.state.dirty, store.state.manifest) == (True, "")
    index.close()
    assert (store.state.dirty, len(store.state.manifest.rpartition(":")[2])) == (False, 64)

    index, _ = reopen(tmp_path, store)
    assert store.state.dirty
    index.close()


def test_another_embedder_finds_an_empty_index(tmp_path: Path, store: MemoryStore) -> None:
    """Its collections have other names, and the old folder goes."""
    index, _ = reopen(tmp_path, store)
    index.apply("alice", [put("a", 1, 0)])
    index.close()

    index, prepared = reopen(tmp_path, store, "other")

    assert prepared == Prepared(True, "it was built for another embedder", {}, 2)
    assert index.count("alice") == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gen-000002", "lock"]
    index.close()


def test_a_second_engine_on_the_folder_is_refused_until_the_first_closes(
    tmp_path: Path, store: MemoryStore
) -> None:
    """It changes nothing, and may ask again."""
    first, _ = reopen(tmp_path, store)
    second = ChromaIndex(tmp_path, store, "toy", 2, CONFIG)

    assert second.prepare() is None
    assert "another engine" in second.refusal
    with pytest.raises(StoreError, match="another engine"):
        second.restart()
    assert not second.ready
    first.close()
    assert second.prepare() == Prepared(False, "", {}, 1)
    second.close()


def test_nothing_readable_reaches_the_disk(tmp_path: Path, store: MemoryStore) -> None:
    """Namespaces are hashed; the folder holds ids and vectors."""
    index, _ = reopen(tmp_path, store)
    index.apply("jane.doe@example.org", [put("a", 1, 0)])
    index.close()

    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"cogmem-" in written
    assert b"jane" not in written


def test_a_folder_that_cannot_be_made_is_a_store_error_and_can_be_tried_again(
    tmp_path: Path, store: MemoryStore
) -> None:
    """Nothing stays locked after a failure."""
    (tmp_path / "chroma").write_text("in the way")
    index = ChromaIndex(tmp_path / "chroma", store, "toy", 2, CONFIG)
    with pytest.raises(StoreError, match="lock file"):
        index.prepare()
    (tmp_path / "chroma").unlink()

    assert index.prepare() == Prepared(True, "there is no generation yet", {}, 1)
    index.close()


def test_opening_neither_imports_chroma_nor_touches_the_disk(tmp_path: Path) -> None:
    """All slow work is left to `prepare`."""
    script = """
import pathlib, sys
from cogmem_core.config import StorageConfig
from cogmem_core.storage.vectors.chroma.index import ChromaIndex
root = pathlib.Path(sys.argv[1], "chroma")
index = ChromaIndex(root, None, "toy", 2, StorageConfig())
print("chromadb" in sys.modules, root.exists(), index.ready)
index.close()
"""
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (finished.stdout, finished.stderr) == ("False False False\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_never_touches_its_parents_index(tmp_path: Path, scripts: Scripts) -> None:
    """It is refused in words instead of hanging, ends normally, and harms neither the parent nor the lock."""
    script = """
import os, pathlib, sys, warnings
import numpy as np
from cogmem_core.config import StorageConfig
from cogmem_core.errors import StoreError
from cogmem_core.ports import VectorWrite
from cogmem_core.storage.vectors.chroma.index import ChromaIndex

class Store:
    state = None
    def load_generation(self): return self.state
    def save_generation(self, state): self.state = state

root, store, one = pathlib.Path(sys.argv[1]), Store(), np.ones(2, np.float32)
index = ChromaIndex(root, store, "toy", 2, StorageConfig())
index.prepare(); index.mark_ready()
index.apply("alice", [VectorWrite("a", one)])
warnings.simplefilter("ignore", DeprecationWarning)
child = os.fork()
if child == 0:
    said, search = [], lambda: index.search("alice", one, 1)
    for call in (search, lambda: index.apply("alice", []), index.restart):
        try:
            call()
        except StoreError as error:
            said.append(str(error))
    index.close()
    fresh = ChromaIndex(root / "fresh", Store(), "toy", 2, StorageConfig())
    said.append(str(fresh.prepare()))
    said.append(fresh.refusal)
    print(index.ready, *said, sep="|", flush=True)
    sys.exit(0)
status = os.waitpid(child, 0)[1]
hits = index.search("alice", one, 1)
index.close()
print(status, hits[0].id, store.state.dirty, ChromaIndex(root, store, "toy", 2, StorageConfig()).prepare().rebuilt)
"""
    done = scripts.run(script, tmp_path, arguments=[tmp_path])
    assert (done.code, done.err) == (0, "")
    child, parent = done.out.splitlines()

    assert child.startswith("False|the vector index is not ready")
    assert child.count("opened before a fork") == 2
    assert child.endswith(
        "|None|this process was forked after its parent had opened Chroma; open the engine after the fork"
    )
    assert parent == "0 a False False"
