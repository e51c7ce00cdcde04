"""The Chroma index: what is written is found."""

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from cogmem_core.errors import StoreError
from cogmem_core.storage.vectors.chroma.index import ChromaIndex
from unit.helpers.toy_vectors import CONFIG, MemoryStore, drop, ids, put, reopen, vector


@pytest.fixture(params=["folder", "memory"])
def index(
    request: pytest.FixtureRequest, tmp_path: Path, store: MemoryStore
) -> Iterator[ChromaIndex]:
    root = tmp_path / "chroma" if request.param == "folder" else None
    opened = ChromaIndex(root, store, "toy", 2, CONFIG)
    opened.prepare()
    opened.mark_ready()
    yield opened
    opened.close()


def test_hits_are_cosine_similarities_best_first(index: ChromaIndex) -> None:
    """Length does not count, direction does; equal ones come by id."""
    index.apply(
        "alice",
        [put("east", 5, 0), put("north", 0, 1), put("west", -3, 0), put("also-east", 0.1, 0)],
    )

    hits = index.search("alice", vector(2, 0), 9)

    assert ids(hits) == ["also-east", "east", "north", "west"]
    assert [hit.score for hit in hits] == pytest.approx([1, 1, 0, -1], abs=1e-6)


def test_namespaces_never_see_each_other(index: ChromaIndex) -> None:
    """Each has a collection of its own; one that was never written is empty, not an error."""
    index.apply("alice", [put("a", 1, 0)])
    index.apply("bob", [put("b", 1, 0)])

    assert ids(index.search("alice", vector(1, 0), 5)) == ["a"]
    assert ids(index.search("bob", vector(1, 0), 5)) == ["b"]
    assert index.search("Alice", vector(1, 0), 5) == []
    assert index.count("Alice") == 0


def test_a_dropped_collection_is_empty_and_can_be_written_again(index: ChromaIndex) -> None:
    """Others stay as they are."""
    index.apply("alice", [put("a", 1, 0)])
    index.apply("bob", [put("b", 1, 0)])
    index.drop("alice")
    index.drop("carol")

    assert index.search("alice", vector(1, 0), 5) == []
    assert (index.count(), index.count("bob")) == (1, 1)
    index.apply("alice", [put("c", 0, 1)])
    assert ids(index.search("alice", vector(1, 0), 5)) == ["c"]


def test_the_last_write_of_an_id_wins(index: ChromaIndex) -> None:
    """Within one call as between calls; a deletion may be the last."""
    index.apply("alice", [put("a", 1, 0), put("b", 1, 0), put("a", 0, 1), drop("b")])
    index.apply("alice", [put("c", 1, 0)])
    index.apply("alice", [put("c", -1, 0)])

    hits = index.search("alice", vector(0, 1), 5)
    assert ids(hits) == ["a", "c"]
    assert [hit.score for hit in hits] == pytest.approx([1, 0], abs=1e-6)


def test_writes_can_be_repeated(index: ChromaIndex) -> None:
    """A replay changes nothing and counts no deletion twice."""
    for _ in range(3):
        index.apply("alice", [put("a", 1, 0), put("b", 0, 1), drop("c")])
        index.apply("alice", [drop("b")])

    assert index.count("alice") == 1
    assert index.tombstone_share() == pytest.approx(3 / 4)


def test_what_is_there_already_is_not_written_again(index: ChromaIndex) -> None:
    """A batch that adds and updates can leave vectors that no search reaches: what differs is deleted and added."""
    index.apply("alice", [put("a", 5, 0), put("b", 0, 1)])
    for _ in range(3):
        index.apply("alice", [put("a", 5, 0), put("b", 0, 1), put("c", 1, 1)])
    assert index.tombstone_share() == 0

    index.apply("alice", [put("a", 5, 0), put("b", 3, 4), put("d", -1, 0)])

    assert index.tombstone_share() == pytest.approx(1 / 5)
    assert index.fetch("alice", ["b"])["b"].tolist() == [3, 4]
    assert ids(index.search("alice", vector(3, 4), 9)) == ["b", "c", "a", "d"]


def test_every_vector_is_within_reach(tmp_path: Path, store: MemoryStore) -> None:
    """Also where every batch adds and changes, and after a reopening, when Chroma reads its log in one go.

    Written as updates, 2 to 3 in 100 such graphs had unreachable vectors.
    """
    numbers, root = np.random.default_rng(20_261_122), tmp_path / "chroma"
    held: dict[str, dict[str, np.ndarray]] = {f"user {n}": {} for n in range(10)}
    opened, _ = reopen(root, store, dimension=16)
    opened.mark_ready()
    for namespace, mine in held.items():
        for turn in range(6):
            names = [f"m{i}" for i in numbers.choice(4 * turn, min(4, 4 * turn), replace=False)]
            names += [f"m{4 * turn + i}" for i in range(4)]
            mine |= {name: numbers.normal(size=16).astype(np.float32) for name in names}
            opened.apply(namespace, [put(name, *mine[name]) for name in names])
    assert unreachable(opened, held) == []
    opened.close()

    again, prepared = reopen(root, store, dimension=16)
    again.mark_ready()
    assert not prepared.rebuilt
    assert unreachable(again, held) == []
    again.close()


def unreachable(
    index: ChromaIndex, held: dict[str, dict[str, np.ndarray]]
) -> list[tuple[str, str]]:
    """Vectors that do not find themselves."""
    return [
        (namespace, name)
        for namespace, mine in held.items()
        for name, value in mine.items()
        if name not in ids(index.search(namespace, value, 1))
    ]


def test_more_writes_than_a_slice_holds_all_arrive(index: ChromaIndex) -> None:
    """Slicing is invisible."""
    index.apply("alice", [put(f"m{i:03d}", 1, i / 100) for i in range(333)])

    assert index.count("alice") == 333
    assert len(index.search("alice", vector(1, 0), 9999)) == 333


@pytest.mark.parametrize("bad", [[float("nan"), 0], [float("inf"), 0], [1], [1, 2, 3]])
def test_one_unusable_vector_refuses_the_whole_call(index: ChromaIndex, bad: list[float]) -> None:
    """Nothing is written, so the caller can correct and repeat."""
    with pytest.raises(StoreError, match="vector of bad"):
        index.apply("alice", [put("good", 1, 0), put("bad", *bad)])

    assert index.count("alice") == 0


@pytest.mark.parametrize("bad", [[float("nan"), 0], [float("-inf"), 0], [0, 0]])
def test_a_query_without_direction_matches_nothing(index: ChromaIndex, bad: list[float]) -> None:
    """Chroma answers such queries with arbitrary rows."""
    index.apply("alice", [put("a", 1, 0)])

    assert index.search("alice", vector(*bad), 5) == []
    assert index.search("alice", vector(1, 0), 0) == []


def test_a_query_of_another_dimension_is_refused(index: ChromaIndex) -> None:
    """A vector of another model is an error, not a poor match."""
    with pytest.raises(StoreError, match="needs"):
        index.search("alice", vector(1, 0, 0), 5)


def test_restart_empties_the_index_for_another_embedder(index: ChromaIndex) -> None:
    """It answers again only after its caller has replayed, with vectors of the new length."""
    index.apply("alice", [put("old", 1, 0)])
    index.restart("other", 3)
    index.prepare()

    assert not index.ready
    assert index.count("alice") == 0
    index.apply("alice", [put("new", 1, 0, 0)])
    index.mark_ready()
    assert ids(index.search("alice", vector(1, 0, 0), 5)) == ["new"]


def test_a_closed_index_refuses_and_closes_twice(index: ChromaIndex) -> None:
    """Callers see a StoreError and search exactly."""
    index.close()
    index.close()

    assert not index.ready
    for call in (
        lambda: index.apply("alice", [put("a", 1, 0)]),
        lambda: index.count("alice"),
        index.prepare,
    ):
        with pytest.raises(StoreError, match="closed"):
            call()


def test_threads_search_while_one_writes(index: ChromaIndex) -> None:
    """Searches during writes return hits and no error."""
    index.apply("alice", [put(f"m{i:03d}", 1, i / 100) for i in range(200)])
    done, problems = threading.Event(), list[object]()

    def search() -> None:
        while not done.is_set():
            try:
                hits = index.search("alice", vector(1, 0), 10)
            except StoreError as error:
                problems.append(error)
            else:
                problems.extend([hits] if len(hits) != 10 else [])

    readers = [threading.Thread(target=search) for _ in range(4)]
    for reader in readers:
        reader.start()
    index.apply("alice", [put(f"n{i:03d}", 1, i / 100) for i in range(300)])
    done.set()
    for reader in readers:
        reader.join()

    assert problems == []
    assert index.count("alice") == 500
