"""The Chroma index: in a folder, in memory, on a server."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from cogmem.config import StorageConfig
from cogmem.errors import ConfigError, StoreError
from cogmem.ports import Hit, Place, VectorWrite
from cogmem.storage.generations import GenerationState
from cogmem.storage.vectors import ChromaIndex, Prepared

SHARED, COLD, OWN = Place(0), Place(0, cold=True), Place(0, own="beef")
CONFIG = StorageConfig(sync_threshold=100)


class MemoryStore:
    """A generation store that survives as long as the test; like the ledger's, it never goes back."""

    def __init__(self) -> None:
        self.state: GenerationState | None = None

    def load_generation(self) -> GenerationState | None:
        return self.state

    def save_generation(self, state: GenerationState) -> None:
        if self.state is None or self.state.number <= state.number:
            self.state = state


def vector(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


def put(name: str, *values: float, namespace: str = "alice", place: Place = SHARED) -> VectorWrite:
    return VectorWrite(place, name, namespace, vector(*values))


def drop(name: str, place: Place = SHARED) -> VectorWrite:
    return VectorWrite(place, name, "alice", None)


def ids(hits: list[Hit]) -> list[str]:
    return [hit.id for hit in hits]


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture(params=["folder", "memory"])
def index(request: pytest.FixtureRequest, tmp_path: Path, store: MemoryStore) -> Iterator[ChromaIndex]:
    root = tmp_path / "chroma" if request.param == "folder" else None
    opened = ChromaIndex.open(root, store, "toy", 2, CONFIG)
    opened.prepare()
    opened.mark_ready()
    yield opened
    opened.close()


def reopen(
    root: Path, store: MemoryStore, fingerprint: str = "toy", dimension: int = 2
) -> tuple[ChromaIndex, Prepared]:
    index = ChromaIndex.open(root, store, fingerprint, dimension, CONFIG)
    prepared = index.prepare()
    assert prepared is not None
    return index, prepared


def test_hits_are_cosine_similarities_best_first(index: ChromaIndex) -> None:
    """Length does not count, direction does; equal ones come by id."""
    index.apply([put("east", 5, 0), put("north", 0, 1), put("west", -3, 0), put("also-east", 0.1, 0)])

    hits = index.search(SHARED, vector(2, 0), 9, namespace="alice")

    assert ids(hits) == ["also-east", "east", "north", "west"]
    assert [hit.score for hit in hits] == pytest.approx([1, 1, 0, -1], abs=1e-6)


def test_a_shared_collection_never_mixes_namespaces(index: ChromaIndex) -> None:
    """Another namespace's vector is not found, however near it is."""
    index.apply([put("a", 1, 0), put("b", 1, 0, namespace="bob")])

    assert ids(index.search(SHARED, vector(1, 0), 5, namespace="alice")) == ["a"]
    assert ids(index.search(SHARED, vector(1, 0), 5, namespace="bob")) == ["b"]
    assert index.search(SHARED, vector(1, 0), 5, namespace="Alice") == []


def test_places_are_separate(index: ChromaIndex) -> None:
    """Shards, hot and cold, shared and own never see each other; an unwritten place is empty, not an error."""
    index.apply([put("a", 1, 0), put("b", 1, 0, place=COLD), put("c", 1, 0, place=OWN)])

    assert ids(index.search(SHARED, vector(1, 0), 5, namespace="alice")) == ["a"]
    assert ids(index.search(COLD, vector(1, 0), 5, namespace="alice")) == ["b"]
    assert ids(index.search(OWN, vector(1, 0), 5, namespace="alice")) == ["c"]
    assert index.search(Place(7), vector(1, 0), 5, namespace="alice") == []
    assert index.count(Place(7)) == 0


def test_the_last_write_of_an_id_wins(index: ChromaIndex) -> None:
    """Within one call as between calls; a deletion may be the last."""
    index.apply([put("a", 1, 0), put("b", 1, 0), put("a", 0, 1), drop("b")])
    index.apply([put("c", 1, 0)])
    index.apply([put("c", -1, 0)])

    hits = index.search(SHARED, vector(0, 1), 5, namespace="alice")
    assert ids(hits) == ["a", "c"]
    assert [hit.score for hit in hits] == pytest.approx([1, 0], abs=1e-6)


def test_writes_can_be_repeated(index: ChromaIndex) -> None:
    """A replay changes nothing and counts no deletion twice."""
    for _ in range(3):
        index.apply([put("a", 1, 0), put("b", 0, 1), drop("c")])
        index.apply([drop("b")])

    assert index.count(SHARED) == 1
    assert index.tombstone_share() == pytest.approx(3 / 4)


def test_what_is_there_already_is_not_written_again(index: ChromaIndex) -> None:
    """A batch that adds and updates can leave vectors that no search reaches: what differs is deleted and added."""
    index.apply([put("a", 5, 0), put("b", 0, 1)])
    for _ in range(3):
        index.apply([put("a", 5, 0), put("b", 0, 1), put("c", 1, 1)])
    assert index.tombstone_share() == 0

    index.apply([put("a", 5, 0), put("b", 3, 4), put("d", -1, 0)])

    assert index.tombstone_share() == pytest.approx(1 / 5)
    assert index.fetch(SHARED, ["b"])["b"].tolist() == [3, 4]
    assert ids(index.search(SHARED, vector(3, 4), 9, namespace="alice")) == ["b", "c", "a", "d"]


def test_every_vector_is_within_reach(tmp_path: Path, store: MemoryStore) -> None:
    """Also where every batch adds and changes, and after a reopening, when Chroma reads its log in one go.

    Written as updates, 2 to 3 in 100 such graphs had unreachable vectors.
    """
    numbers, root = np.random.default_rng(20_261_122), tmp_path / "chroma"
    held: dict[Place, dict[str, np.ndarray]] = {Place(0, own=f"{n:04x}"): {} for n in range(30)}
    opened, _ = reopen(root, store, dimension=16)
    opened.mark_ready()
    for place, mine in held.items():
        for turn in range(6):
            names = [f"m{i}" for i in numbers.choice(4 * turn, min(4, 4 * turn), replace=False)]
            names += [f"m{4 * turn + i}" for i in range(4)]
            mine |= {name: numbers.normal(size=16).astype(np.float32) for name in names}
            opened.apply([put(name, *mine[name], place=place) for name in names])
    assert unreachable(opened, held) == []
    opened.close()

    again, prepared = reopen(root, store, dimension=16)
    again.mark_ready()
    assert not prepared.rebuilt
    assert unreachable(again, held) == []
    again.close()


def unreachable(index: ChromaIndex, held: dict[Place, dict[str, np.ndarray]]) -> list[tuple[Place, str]]:
    """Vectors that do not find themselves."""
    return [
        (place, name)
        for place, mine in held.items()
        for name, value in mine.items()
        if name not in ids(index.search(place, value, 1, namespace="alice"))
    ]


def test_more_writes_than_a_slice_holds_all_arrive(index: ChromaIndex) -> None:
    """Slicing is invisible."""
    index.apply([put(f"m{i:03d}", 1, i / 100) for i in range(333)])

    assert index.count(SHARED) == 333
    assert len(index.search(SHARED, vector(1, 0), 9999, namespace="alice")) == 333


@pytest.mark.parametrize("bad", [[float("nan"), 0], [float("inf"), 0], [1], [1, 2, 3]])
def test_one_unusable_vector_refuses_the_whole_call(index: ChromaIndex, bad: list[float]) -> None:
    """Nothing is written, so the caller can correct and repeat."""
    with pytest.raises(StoreError, match="vector of bad"):
        index.apply([put("good", 1, 0), put("bad", *bad)])

    assert index.count(SHARED) == 0


@pytest.mark.parametrize("bad", [[float("nan"), 0], [float("-inf"), 0], [0, 0]])
def test_a_query_without_direction_matches_nothing(index: ChromaIndex, bad: list[float]) -> None:
    """Chroma answers such queries with arbitrary rows."""
    index.apply([put("a", 1, 0)])

    assert index.search(SHARED, vector(*bad), 5, namespace="alice") == []
    assert index.search(SHARED, vector(1, 0), 0, namespace="alice") == []


def test_a_query_of_another_dimension_is_refused(index: ChromaIndex) -> None:
    """A vector of another model is an error, not a poor match."""
    with pytest.raises(StoreError, match="needs"):
        index.search(SHARED, vector(1, 0, 0), 5, namespace="alice")


def test_restart_empties_the_index_for_another_embedder(index: ChromaIndex) -> None:
    """It answers again only after its caller has replayed, with vectors of the new length."""
    index.apply([put("old", 1, 0)])
    index.restart("other", 3)

    assert not index.ready
    assert index.count(SHARED) == 0
    index.apply([put("new", 1, 0, 0)])
    index.mark_ready()
    assert ids(index.search(SHARED, vector(1, 0, 0), 5, namespace="alice")) == ["new"]


def test_a_closed_index_refuses_and_closes_twice(index: ChromaIndex) -> None:
    """Callers see a StoreError and search exactly."""
    index.close()
    index.close()

    assert not index.ready
    for call in (lambda: index.apply([put("a", 1, 0)]), lambda: index.count(SHARED), index.prepare):
        with pytest.raises(StoreError, match="closed"):
            call()


def test_threads_search_while_one_writes(index: ChromaIndex) -> None:
    """Searches during writes return hits and no error."""
    index.apply([put(f"m{i:03d}", 1, i / 100) for i in range(200)])
    done, problems = threading.Event(), list[object]()

    def search() -> None:
        while not done.is_set():
            try:
                hits = index.search(SHARED, vector(1, 0), 10, namespace="alice")
            except StoreError as error:
                problems.append(error)
            else:
                problems.extend([hits] if len(hits) != 10 else [])

    readers = [threading.Thread(target=search) for _ in range(4)]
    for reader in readers:
        reader.start()
    index.apply([put(f"n{i:03d}", 1, i / 100) for i in range(300)])
    done.set()
    for reader in readers:
        reader.join()

    assert problems == []
    assert index.count(SHARED) == 500


def test_engines_in_memory_do_not_see_each_other(store: MemoryStore) -> None:
    """Chroma shares one store per process; closing one engine leaves the other alone."""
    first, second = (ChromaIndex.open(None, store, "toy", 2, CONFIG) for _ in range(2))
    for index, name in ((first, "a"), (second, "b")):
        index.prepare()
        index.mark_ready()
        index.apply([put(name, 1, 0)])
    seen = ids(first.search(SHARED, vector(1, 0), 5, namespace="alice"))
    first.close()

    assert (seen, ids(second.search(SHARED, vector(1, 0), 5, namespace="alice"))) == (["a"], ["b"])
    second.close()
    assert store.state is None


def test_an_index_answers_only_after_its_caller_said_so(tmp_path: Path, store: MemoryStore) -> None:
    """Before `prepare` and before `mark_ready` a search is a StoreError, a write before `prepare` too."""
    index = ChromaIndex.open(tmp_path, store, "toy", 2, CONFIG)
    with pytest.raises(StoreError, match="prepare"):
        index.apply([put("a", 1, 0)])
    prepared = index.prepare()
    index.apply([put("a", 1, 0)])
    with pytest.raises(StoreError, match="not ready"):
        index.search(SHARED, vector(1, 0), 5, namespace="alice")

    assert prepared == Prepared(True, "there is no generation yet", {}, 1)
    index.close()


def test_a_clean_close_is_reopened_without_a_rebuild(tmp_path: Path, store: MemoryStore) -> None:
    """Progress, deletions and vectors are all there; another name of the same folder is the same folder."""
    index, _ = reopen(tmp_path / "chroma", store)
    index.apply([put(f"m{i:03d}", 1, i / 100) for i in range(150)])
    index.apply([drop("m149"), drop("m148")])
    index.checkpoint({0: 152})
    index.checkpoint({3: 7})
    index.close()
    (tmp_path / "alias").symlink_to(tmp_path / "chroma")

    index, prepared = reopen(tmp_path / "alias", store)
    index.mark_ready()

    assert prepared == Prepared(False, "", {0: 152, 3: 7}, 1)
    assert index.prepare() == prepared
    assert ids(index.search(SHARED, vector(1, 0), 2, namespace="alice")) == ["m000", "m001"]
    assert index.tombstone_share() == pytest.approx(2 / 150)
    index.close()


def test_the_dirty_flag_is_durable_before_chroma_opens_the_folder(tmp_path: Path, store: MemoryStore) -> None:
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
    index.apply([put("a", 1, 0)])
    index.close()

    index, prepared = reopen(tmp_path, store, "other")

    assert prepared == Prepared(True, "it was built for another embedder", {}, 2)
    assert index.count(SHARED) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["gen-000002", "lock"]
    index.close()


def test_a_second_engine_on_the_folder_is_refused_until_the_first_closes(tmp_path: Path, store: MemoryStore) -> None:
    """It changes nothing, and may ask again."""
    first, _ = reopen(tmp_path, store)
    second = ChromaIndex.open(tmp_path, store, "toy", 2, CONFIG)

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
    index.apply([put("a", 1, 0, namespace="jane.doe@example.org")])
    index.close()

    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"cogmem-" in written
    assert b"jane" not in written


def test_a_folder_that_cannot_be_made_is_a_store_error_and_can_be_tried_again(
    tmp_path: Path, store: MemoryStore
) -> None:
    """Nothing stays locked after a failure."""
    (tmp_path / "chroma").write_text("in the way")
    index = ChromaIndex.open(tmp_path / "chroma", store, "toy", 2, CONFIG)
    with pytest.raises(StoreError, match="lock file"):
        index.prepare()
    (tmp_path / "chroma").unlink()

    assert index.prepare() == Prepared(True, "there is no generation yet", {}, 1)
    index.close()


def run_python(script: str, *arguments: str) -> str:
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_opening_neither_imports_chroma_nor_touches_the_disk(tmp_path: Path) -> None:
    """All slow work is left to `prepare`."""
    script = """
import pathlib, sys
from cogmem.config import StorageConfig
from cogmem.storage.vectors import ChromaIndex
root = pathlib.Path(sys.argv[1], "chroma")
index = ChromaIndex.open(root, None, "toy", 2, StorageConfig())
print("chromadb" in sys.modules, root.exists(), index.ready)
index.close()
"""
    assert run_python(script, str(tmp_path)) == "False False False\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_never_touches_its_parents_index(tmp_path: Path) -> None:
    """It is refused in words instead of hanging, ends normally, and harms neither the parent nor the lock."""
    script = """
import os, pathlib, sys, warnings
import numpy as np
from cogmem.config import StorageConfig
from cogmem.errors import StoreError
from cogmem.ports import Place, VectorWrite
from cogmem.storage.vectors import ChromaIndex

class Store:
    state = None
    def load_generation(self): return self.state
    def save_generation(self, state): self.state = state

root, store, one = pathlib.Path(sys.argv[1]), Store(), np.ones(2, np.float32)
index = ChromaIndex.open(root, store, "toy", 2, StorageConfig())
index.prepare(); index.mark_ready()
index.apply([VectorWrite(Place(0), "a", "alice", one)])
warnings.simplefilter("ignore", DeprecationWarning)
child = os.fork()
if child == 0:
    said, search = [], lambda: index.search(Place(0), one, 1, namespace="alice")
    for call in (search, lambda: index.apply([]), index.restart):
        try:
            call()
        except StoreError as error:
            said.append(str(error))
    index.close()
    fresh = ChromaIndex.open(root / "fresh", Store(), "toy", 2, StorageConfig())
    said.append(str(fresh.prepare()))
    said.append(fresh.refusal)
    print(index.ready, *said, sep="|", flush=True)
    sys.exit(0)
status = os.waitpid(child, 0)[1]
hits = index.search(Place(0), one, 1, namespace="alice")
index.close()
print(status, hits[0].id, store.state.dirty, ChromaIndex.open(root, store, "toy", 2, StorageConfig()).prepare().rebuilt)
"""
    child, parent = run_python(script, str(tmp_path)).splitlines()

    assert child.startswith("False|the vector index is not ready")
    assert child.count("opened before a fork") == 2
    assert child.endswith(
        "|None|this process was forked after its parent had opened Chroma; open the engine after the fork"
    )
    assert parent == "0 a False False"


@pytest.mark.parametrize(
    "url",
    ["localhost:8000", "ftp://host:1", "http://", "http://user:pw@host:1", "http://host:99999", "http://host/path"],
)
def test_a_malformed_server_address_is_refused_without_repeating_it(url: str, store: MemoryStore) -> None:
    """The message names the setting; an address may hold a password."""
    with pytest.raises(ConfigError, match=r"storage\.chroma_url") as caught:
        ChromaIndex.open(None, store, "toy", 2, StorageConfig(chroma_url=url), bank="b")
    assert "pw" not in str(caught.value)


def test_a_server_that_does_not_answer_is_a_store_error(store: MemoryStore) -> None:
    """The caller goes on with exact search and tries again later."""
    index = ChromaIndex.open(
        None, store, "toy", 2, StorageConfig(chroma_url=f"http://127.0.0.1:{free_port()}"), bank="b"
    )
    with pytest.raises(StoreError, match="reach its server"):
        index.prepare()
    index.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StorageConfig]:
    program = Path(sys.executable).with_name("chroma")
    if not program.exists():
        pytest.skip("the chroma program is not installed beside this interpreter")
    port = free_port()
    command = [program, "run", "--path", tmp_path_factory.mktemp("server"), "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        wait_for(port, process)
        yield StorageConfig(chroma_url=f"http://127.0.0.1:{port}")
        process.kill()


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(400):
        assert process.poll() is None, "the server stopped"
        with socket.socket() as probe:
            probe.settimeout(0.05)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        threading.Event().wait(0.05)
    pytest.fail("the server did not start")


def test_banks_share_a_server_without_mixing(server: StorageConfig) -> None:
    """Each has names of its own; one bank's rebuild leaves the other's vectors alone."""
    first, second = (ChromaIndex.open(None, MemoryStore(), "toy", 2, server, bank=bank) for bank in ("one", "two"))
    for index, name in ((first, "a"), (second, "b")):
        index.prepare()
        index.mark_ready()
        index.apply([put(name, 1, 0), put("more", 0, 1), drop("more")])
    first.restart()
    first.mark_ready()

    assert first.search(SHARED, vector(1, 0), 5, namespace="alice") == []
    assert ids(second.search(SHARED, vector(1, 0), 5, namespace="alice")) == ["b"]
    first.close()
    second.close()


def test_a_server_is_picked_up_where_it_was_left_even_after_a_crash(server: StorageConfig) -> None:
    """The server journals by itself; a generation that another worker replaced is not found, and not brought back."""
    store = MemoryStore()
    first, late, second = (ChromaIndex.open(None, store, "toy", 2, server, bank="crash") for _ in range(3))
    first.prepare()
    first.apply([put("a", 1, 0)])
    first.checkpoint({0: 1})
    assert late.prepare() == Prepared(False, "", {0: 1}, 1)
    late.mark_ready()

    assert second.prepare() == Prepared(False, "", {0: 1}, 1)
    assert ids(late.search(SHARED, vector(1, 0), 5, namespace="alice")) == ["a"]
    second.restart()
    late.close()
    assert store.state is not None
    assert store.state.number == 2
    second.close()
    first.close()


def test_a_server_that_lost_its_data_is_filled_again(server: StorageConfig) -> None:
    """Progress that the ledger remembers without any collection means that the server is another one."""
    store = MemoryStore()
    store.state = GenerationState(4, "toy", applied={0: 12})
    index = ChromaIndex.open(None, store, "toy", 2, server, bank="lost")

    assert index.prepare() == Prepared(True, "the Chroma server has lost its collections", {}, 5)
    index.close()


def test_a_server_needs_the_banks_name(server: StorageConfig) -> None:
    """Without it two banks would delete each other's collections."""
    with pytest.raises(ConfigError, match="bank's name"):
        ChromaIndex.open(None, MemoryStore(), "toy", 2, server)
