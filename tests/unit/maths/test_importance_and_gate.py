"""V9, Importance (four channels) and the prediction-error gate: one test per row."""

import pytest

from cogmem_core.maths.gate import Closest, decide, entities_agree
from cogmem_core.maths.importance import Channels, encoding_boost, importance, priority
from helpers.tables import each_row, each_row_of


@each_row_of("importance_and_gate/channel_weights")
def test_channel_weights(channel: str, weight: float) -> None:
    """'importance = (novelty * 0.25) + (arousal * 0.30) + (reward * 0.25) + (attention * 0.20)'."""
    alone = Channels(
        **{**dict.fromkeys(("novelty", "arousal", "reward", "attention"), 0.0), channel: 1.0}
    )
    assert importance(alone, boost=1.0) == pytest.approx(weight)


def test_encoding_boost_adjusts_the_composite() -> None:
    """'Encoding boost multiplier (0.7-1.3) adjusts composite score', clamped to 1."""
    half, full = Channels(0.5, 0.5, 0.5, 0.5), Channels(1, 1, 1, 1)
    assert [round(importance(half, boost=b), 3) for b in (0.1, 0.7, 1.0, 1.3, 9)] == [
        0.35,
        0.35,
        0.5,
        0.65,
        0.65,
    ]
    assert importance(full, boost=1.3) == 1.0
    assert [round(encoding_boost(e), 2) for e in (0, 0.5, 1, 2)] == [0.7, 1.0, 1.3, 1.3]


@each_row_of("importance_and_gate/priority_levels")
def test_priority_levels(value: float, name: str) -> None:
    """'Priority levels: critical (>=0.8), high (>=0.6), normal (>=0.4), low (<0.4)'."""
    assert priority(value) == name


@each_row(
    ("closest", "kept", "action"),
    [
        (None, 0.1, "create"),
        (Closest(0.69), 0.1, "create"),
        (Closest(0.70), 0.59, "skip"),
        (Closest(0.74), 0.6, "create"),
        (Closest(0.75, entities_agree=True), 0.1, "update"),
        (Closest(0.91, entities_agree=True), 0.1, "update"),
        (Closest(0.91, entities_agree=False), 0.1, "elaborate"),
        (Closest(0.91, entities_agree=True, protected=True), 0.1, "elaborate"),
        (Closest(0.92), 0.1, "reinforce"),
        (Closest(0.20, same_content=True), 0.1, "reinforce"),
        (Closest(0.95, contradicted=True), 0.1, "supersede"),
        (Closest(0.70, contradicted=True), 0.1, "supersede"),
        (Closest(0.69, contradicted=True), 0.1, "create"),
        (Closest(0.35, contradicted=True, same_attribute=True), 0.1, "supersede"),
        (Closest(0.99, contradicted=True, same_content=True), 0.1, "reinforce"),
    ],
)
def test_gate_table(closest: Closest | None, kept: float, action: str) -> None:
    """CREATE, (gap), UPDATE, REINFORCE and SUPERSEDE, in the specification's order."""
    assert decide(closest, importance=kept) == action


@each_row_of("importance_and_gate/entities_agree")
def test_entities_agree(one: tuple[str, ...], other: tuple[str, ...], agree: bool) -> None:
    """Jaccard of at least 0.5, or both empty."""
    assert entities_agree(one, other, jaccard=0.5) is agree
