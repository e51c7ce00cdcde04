"""Sharing with rights, over each store: nobody sees what no grant shows to it, whatever everybody does."""

from __future__ import annotations

from pathlib import Path

import pytest

from cogmem_core import Engine
from cogmem_core.testing import FrozenClock
from helpers.shared_world import NEEDS, World


def run(
    engine: Engine, folder: Path, clock: FrozenClock, *, size: tuple[int, int], steps: int
) -> World:
    principals, namespaces = size
    world = World(engine, folder, clock, principals, namespaces, seed=steps)
    for _ in range(steps):
        world.step()
    for principal in world.owners:
        handle = engine.as_(principal)
        readable = [name for name in world.names if world.level(principal, name) >= 1]
        assert handle.namespaces() == sorted(readable)
    return world


def test_nobody_sees_what_no_grant_shows(
    engine: Engine, tmp_path: Path, clock: FrozenClock
) -> None:
    """No id, text, count or error from outside the grants, also by what is derived, exported, dreamt or judged."""
    world = run(engine, tmp_path, clock, size=(6, 6), steps=80)

    assert len({act for act, _ in world.calls}) >= len(NEEDS) - 9
    assert sum(n for (_, allowed), n in world.calls.items() if not allowed) >= 8


@pytest.mark.thorough
def test_nobody_sees_what_no_grant_shows_at_length(
    engine: Engine, tmp_path: Path, clock: FrozenClock
) -> None:
    """20 principals, 50 namespaces, 10,000 operations."""
    world = run(engine, tmp_path, clock, size=(20, 50), steps=10_000)

    assert {act for act, _ in world.calls} == NEEDS.keys()
