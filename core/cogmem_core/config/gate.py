"""Settings of `[gate]`: how a new fact is compared with its neighbours."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.config.bounds import number

__all__ = ["GateConfig"]


@dataclass(frozen=True, slots=True)
class GateConfig:
    """The prediction-error gate; all bands are similarities (its column "PE" is mislabelled).

    Attributes:
        candidates: how many similar memories are looked at; `floor`: the least similar that counts.
        contradiction_from: a contradicted memory of at least this similarity is superseded.
        reinforce_from: nearly identical.
        update_from: overlaps, but adds detail.
        gap_from: below `update_from`, kept only if at least `gap_importance`.
        entity_jaccard: from which on entities agree.
        word_candidates: memories found by rare words; word_postings: how many index entries are
            read for that.
        batch_candidates, batch_window: facts of the same batch that are looked at, among so many
            before.
        near_by_key: least similarity of index keys from which on two texts are looked at. Keys
            share date and speaker.
        uncompared: the most that keys alone can say about texts: below every band.
        overlap, other_words: rules look at two texts if such a share of the shorter one's words
            stand in the other, and no more than so many do not.
    """

    candidates: int = number(8, 1, 1_000)
    floor: float = number(0.30, -1.0, 1.0)
    contradiction_from: float = number(0.70, -1.0, 1.0)
    reinforce_from: float = number(0.92, -1.0, 1.0)
    update_from: float = number(0.75, -1.0, 1.0)
    gap_from: float = number(0.70, -1.0, 1.0)
    gap_importance: float = number(0.6, 0.0, 1.0)
    entity_jaccard: float = number(0.5, 0.0, 1.0)
    word_candidates: int = number(4, 0, 1_000)
    word_postings: int = number(500, 0, 1_000_000)
    batch_candidates: int = number(4, 0, 1_000)
    batch_window: int = number(1_000, 1, 100_000)
    near_by_key: float = number(0.55, -1.0, 1.0)
    uncompared: float = number(0.69, -1.0, 1.0)
    overlap: float = number(0.5, 0.0, 1.0)
    other_words: int = number(2, 0, 1_000)
