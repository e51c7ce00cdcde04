"""Clusters: greedy around a first member, by cosine or by labels, and connected by weighted edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.maths.clusters import by_cosine, by_labels, connected_groups, greedy_groups

ROWS = np.array([[1, 0], [0.8, 0.6], [0.8, -0.6], [0, 1], [0.6, 0.8]], dtype=np.float32)


class TestGreedy:
    """Cognitive-memory, "greedy clustering with cosine similarity"."""

    def test_a_group_is_what_is_alike_to_its_first_member(self) -> None:
        """Rows 1 and 2 are alike to row 0 (0.8), though not to each other (0.28); rows 3 and 4 are left to a group."""
        assert greedy_groups(5, by_cosine(ROWS, 0.7), min_size=2, max_size=5) == [(0, 1, 2), (3, 4)]

    def test_a_group_that_is_too_small_frees_its_members(self) -> None:
        """Cognitive-memory: "A group must have at least consolidation_group_size members": row 4 may join row 1."""
        alike = np.eye(5, dtype=np.bool_)
        alike[0, 4] = alike[1, 2] = alike[1, 4] = True

        assert greedy_groups(5, lambda index: alike[index], min_size=3, max_size=5) == [(1, 2, 4)]

    def test_a_full_group_takes_no_more(self) -> None:
        """Cognitive-memory: "if len(group) >= group_size: break"; what is over begins the next one."""
        same = np.ones(5, dtype=np.bool_)

        assert greedy_groups(5, lambda _: same, min_size=2, max_size=2) == [(0, 1), (2, 3)]

    def test_a_cosine_on_the_threshold_counts(self) -> None:
        """0.8 x 1 in float32 is not 0.8."""
        assert greedy_groups(2, by_cosine(ROWS, 0.8), min_size=2, max_size=2) == [(0, 1)]

    def test_blocks_agree_with_the_whole_product(self) -> None:
        """600 rows are compared in three blocks."""
        rows = np.random.default_rng(7).normal(size=(600, 8)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        alike = by_cosine(rows, 0.5)
        whole = rows @ rows.T >= 0.5 - 1e-6

        assert all((alike(index) == whole[index]).all() for index in range(600))


class TestLabels:
    """V9: "Group by entity overlap (>=1)"."""

    LABELS = (("a", "b"), ("b",), ("c",), ("a", "b", "c"), ())

    def test_one_shared_label(self) -> None:
        """Item 0 shares "b" with item 1, and "a" and "b" with item 3."""
        assert by_labels(self.LABELS, 1)(0).tolist() == [True, True, False, True, False]

    def test_two_shared_labels(self) -> None:
        """Only items 0 and 3 have two in common; item 1 has not two labels at all."""
        assert by_labels(self.LABELS, 2)(0).tolist() == [True, False, False, True, False]
        assert by_labels(self.LABELS, 2)(1).tolist() == [False] * 5


class TestConnected:
    """Agentos, derive: `detectClusters()` of the memory graph, minimum size 5."""

    CHAIN = (("a", "b", 0.9), ("b", "c", 0.8), ("c", "d", 0.7), ("x", "y", 0.9))

    def test_a_component_is_a_group(self) -> None:
        """The largest first; the pair is too small."""
        assert connected_groups(self.CHAIN, min_size=3, max_size=9) == [("a", "b", "c", "d")]
        assert connected_groups(self.CHAIN, min_size=2, max_size=9) == [
            ("a", "b", "c", "d"),
            ("x", "y"),
        ]

    def test_the_weakest_edge_gives_way_to_the_bound(self) -> None:
        """Three at most: the edge of weight 0.7 would make four."""
        assert connected_groups(self.CHAIN, min_size=3, max_size=3) == [("a", "b", "c")]

    def test_the_order_of_the_edges_does_not_matter(self) -> None:
        """Nor which end is named first."""
        turned = [(other, one, weight) for one, other, weight in reversed(self.CHAIN)]

        assert connected_groups(turned, min_size=3, max_size=3) == [("a", "b", "c")]

    @given(
        st.lists(
            st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("abcdefgh"), st.floats(0, 1)),
            max_size=30,
        )
    )
    def test_groups_are_disjoint_and_within_bounds(
        self, edges: list[tuple[str, str, float]]
    ) -> None:
        """Whatever the graph."""
        groups = connected_groups(edges, min_size=2, max_size=4)
        names = [name for group in groups for name in group]

        assert len(names) == len(set(names))
        assert all(2 <= len(group) <= 4 for group in groups)

    def test_a_chain_of_a_hundred_thousand_is_cut_to_groups(self) -> None:
        """n log n: the square of that would never end."""
        edges = [(f"{n:06}", f"{n + 1:06}", 0.5) for n in range(100_000)]

        assert max(map(len, connected_groups(edges, min_size=5, max_size=20))) == pytest.approx(20)
