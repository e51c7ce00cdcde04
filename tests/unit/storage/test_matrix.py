"""Exact search: the oracle of every index."""

import numpy as np
import pytest

from cogmem_core.errors import StoreError
from cogmem_core.ports import Hit
from cogmem_core.storage.vectors.exact import VectorMatrix
from helpers.tables import each_row


def matrix_of(**vectors: list[float]) -> VectorMatrix:
    matrix = VectorMatrix(2)
    for name, vector in vectors.items():
        matrix.extend([name], np.array([vector], dtype=np.float32))
    return matrix


def query(*values: float) -> np.ndarray:
    return np.array(values, dtype=np.float32)


def test_hits_are_cosine_similarities_best_first() -> None:
    """Length does not count, direction does."""
    matrix = matrix_of(east=[5, 0], north=[0, 0.1], northeast=[1, 1], west=[-3, 0])

    assert matrix.top(query(2, 0), 4) == [
        Hit("east", 1.0),
        Hit("northeast", pytest.approx(0.707107)),
        Hit("north", 0.0),
        Hit("west", -1.0),
    ]


def test_a_small_filter_gives_the_same_scores_as_none() -> None:
    """Gathering a few rows and multiplying all of them agree."""
    block = np.random.default_rng(7).normal(size=(400, 8)).astype(np.float32)
    matrix = VectorMatrix(8)
    matrix.extend([f"m{i:03d}" for i in range(400)], block)
    everything = {hit.id: hit for hit in matrix.top(block[0], 400)}

    few = matrix.top(block[0], 5, allowed=[f"m{i:03d}" for i in range(20)])

    assert (
        few
        == sorted(
            (everything[f"m{i:03d}"] for i in range(20)), key=lambda hit: (-hit.score, hit.id)
        )[:5]
    )


@pytest.mark.parametrize("bad", [[0.0, 0.0], [float("nan"), 1.0], [float("inf"), 0.0]])
def test_a_query_without_direction_matches_nothing(bad: list[float]) -> None:
    """A zero, NaN or infinite query has no neighbours."""
    assert matrix_of(a=[1, 0]).top(query(*bad), 3) == []


@each_row("bad", [[float("nan"), 1.0], [1.0, float("-inf")], [1.0], [1.0, 2.0, 3.0]])
def test_an_unusable_vector_is_refused_and_nothing_changes(bad: list[float]) -> None:
    """Values that are not finite and wrong dimensions never enter."""
    matrix = matrix_of(a=[1, 0])

    with pytest.raises(StoreError):
        matrix.extend(["b"], query(*bad)[None])

    assert len(matrix) == 1
    assert "b" not in matrix


def test_a_query_of_another_dimension_is_refused() -> None:
    """A vector of another model is an error, not a poor match."""
    with pytest.raises(StoreError, match="needs"):
        matrix_of(a=[1, 0]).top(query(1, 0, 0), 1)


def test_a_zero_vector_is_stored_and_resembles_nothing() -> None:
    """Its similarity is 0 with everything."""
    assert matrix_of(nothing=[0, 0]).top(query(1, 0), 1) == [Hit("nothing", 0.0)]


def test_huge_and_tiny_values_keep_their_direction() -> None:
    """Normalisation neither overflows nor underflows."""
    matrix = matrix_of(huge=[1e38, 1e38], tiny=[1e-38, 0])

    assert matrix.top(query(1e38, 0), 2) == [Hit("tiny", 1.0), Hit("huge", pytest.approx(0.707107))]


def test_a_vector_handed_out_is_a_copy() -> None:
    """Callers cannot change what is stored."""
    matrix = matrix_of(a=[1, 0])
    held = matrix.get("a")
    assert held is not None
    held[:] = 9

    assert matrix.get("a") == pytest.approx([1, 0])


def test_random_changes_agree_with_a_dictionary() -> None:
    """Against a plain model: 3,000 puts and removals, then every answer is the same."""
    rng = np.random.default_rng(11)
    matrix, model = VectorMatrix(6), dict[str, np.ndarray]()
    for _ in range(3000):
        name = f"m{rng.integers(120):03d}"
        if rng.random() < 0.4:
            matrix.remove(name)
            model.pop(name, None)
        else:
            vector = rng.normal(size=6).astype(np.float32)
            matrix.extend([name], vector[None])
            model[name] = vector / np.linalg.norm(vector)
    probe = rng.normal(size=6).astype(np.float32)
    probe /= np.linalg.norm(probe)
    expected = sorted(((-float(vector @ probe), name) for name, vector in model.items()))

    hits = matrix.top(probe, 10)

    assert len(matrix) == len(model)
    assert [hit.id for hit in hits] == [name for _, name in expected[:10]]
    assert [hit.score for hit in hits] == pytest.approx(
        [-score for score, _ in expected[:10]], abs=2e-6
    )


def same_hits(many: list[list[Hit]], single: list[list[Hit]]) -> bool:
    """The same ids, in the same order but for what differs in the last bits of a float32 product."""
    ids = [{hit.id for hit in hits} for hits in many] == [
        {hit.id for hit in hits} for hits in single
    ]
    return ids and all(
        abs(one.score - other.score) < 3e-6
        for hits, others in zip(many, single, strict=True)
        for one, other in zip(hits, others, strict=True)
    )


@each_row("queries", [1, 7, 8, 40])
@each_row(("size", "k"), [(0, 3), (1, 3), (50, 8), (400, 8), (400, 0), (400, 500)])
def test_top_many_equals_top(queries: int, size: int, k: int) -> None:
    """Few queries or many, few vectors or many: each row is answered as if it were alone."""
    rng = np.random.default_rng(size + queries)
    matrix = VectorMatrix(16)
    matrix.extend(
        [f"m{i:03d}" for i in range(size)], rng.normal(size=(size, 16)).astype(np.float32)
    )
    asked = (
        rng.normal(size=(queries, 16)) * rng.choice([1e-3, 1.0, 1e3], size=(queries, 1))
    ).astype(np.float32)

    assert same_hits(matrix.top_many(asked, k), [matrix.top(row, k) for row in asked])


@pytest.mark.parametrize("queries", [3, 40])
def test_top_many_leaves_out_what_is_too_far(queries: int) -> None:
    """`least`: the hits of `top` down to it; where nothing is near enough, none."""
    rng = np.random.default_rng(queries)
    matrix = VectorMatrix(8)
    matrix.extend([f"m{i:03d}" for i in range(200)], rng.normal(size=(200, 8)).astype(np.float32))
    asked = rng.normal(size=(queries, 8)).astype(np.float32)
    wanted = [[hit for hit in matrix.top(row, 5) if hit.score >= 0.8] for row in asked]

    assert {len(hits) for hits in wanted} >= {0, 1}
    assert same_hits(matrix.top_many(asked, 5, minimum=0.8), wanted)
    assert matrix.top_many(asked, 5, minimum=1.1) == [[]] * queries


@pytest.mark.parametrize("queries", [3, 12])
def test_top_many_breaks_ties_by_id_as_top_does(queries: int) -> None:
    """Thirty equal vectors in any order of rows."""
    matrix = VectorMatrix(4)
    names = [f"m{i:02d}" for i in np.random.default_rng(5).permutation(30)]
    matrix.extend(names, np.ones((30, 4), dtype=np.float32))

    found = matrix.top_many(np.ones((queries, 4), dtype=np.float32), 3)

    assert [[hit.id for hit in hits] for hits in found] == [["m00", "m01", "m02"]] * queries


@pytest.mark.parametrize("queries", [3, 12])
def test_top_many_gives_nothing_for_a_query_without_direction(queries: int) -> None:
    """Zero, NaN and infinite rows match nothing, and the rows beside them are answered."""
    matrix = matrix_of(a=[1, 0], b=[0, 1])
    asked = np.zeros((queries, 2), dtype=np.float32)
    asked[0], asked[1] = (0, 2), (np.nan, 1)
    asked[-1] = (np.inf, 0)

    found = matrix.top_many(asked, 1)

    assert found == [[Hit("b", 1.0)], *([[]] * (queries - 1))]


@pytest.mark.parametrize("queries", [3, 12])
def test_top_many_refuses_another_dimension(queries: int) -> None:
    """As `top` does, however many there are."""
    with pytest.raises(StoreError, match="needs"):
        matrix_of(a=[1, 0]).top_many(np.ones((queries, 3), dtype=np.float32), 1)


def test_top_many_of_a_large_matrix_goes_in_slices() -> None:
    """4,000,000 scores at once at most: 21,000 vectors and 400 queries take three slices."""
    rng = np.random.default_rng(3)
    matrix = VectorMatrix(4)
    matrix.extend(
        [f"m{i:05d}" for i in range(21_000)], rng.normal(size=(21_000, 4)).astype(np.float32)
    )
    asked = rng.normal(size=(400, 4)).astype(np.float32)

    found = matrix.top_many(asked, 2)

    assert len(found) == 400
    assert same_hits(found[::57], [matrix.top(row, 2) for row in asked[::57]])
