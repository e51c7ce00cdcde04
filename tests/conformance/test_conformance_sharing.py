"""Sharing with rights, over each store: nobody sees what no grant shows to it, whatever everybody does."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from cogmem_core import Config, Engine, MemoryBank, NotAllowed
from cogmem_core.testing import MANUAL, FrozenClock
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


def reviewing(*kinds: str) -> Config:
    return replace(MANUAL, guard=replace(MANUAL.guard, review=kinds))


def test_nobody_sees_what_no_grant_shows(
    reopen: Callable[..., Engine], tmp_path: Path, clock: FrozenClock
) -> None:
    """No id, text, count or error from outside the grants, also by what is derived, exported, dreamt or reviewed."""
    world = run(reopen(reviewing("shared")), tmp_path, clock, size=(6, 6), steps=60)

    assert len({act for act, _ in world.calls}) >= len(NEEDS) - 16
    assert sum(n for (_, allowed), n in world.calls.items() if not allowed) >= 4


def test_grants_rule_what_a_principal_reads(
    engine: Engine, tmp_path: Path, clock: FrozenClock
) -> None:
    """Granted, clamped by the owner, denied, revoked, withdrawn, explained; the operator sees it all."""
    engine.add_principal("ann")
    engine.add_principal("scout", kind="agent", owner="ann")
    own = engine.grant("ann", "ann/*", "admin")
    engine.grant("ann", "team/*", "review", reason="her team")
    engine.grant("scout", "*", "write", until=clock() + timedelta(hours=1))
    scout = engine.as_("scout")
    pay = scout.bank("ann/pay").add("Ann earns 5000 euros")
    total = scout.bank("team/plans").add("Four of them cost 20000 euros", support=[pay])
    said = scout.bank("team/plans").remember("The launch is on Friday").memories[0]
    assert [p.name for p in engine.principals()] == ["ann", "scout"]
    assert [len(engine.grants()), len(engine.grants("scout"))] == [3, 1]
    team = engine.as_("ann").bank("team/plans")
    assert {memory.id for memory in team.list()} == {total.id, said.id}
    assert team.hold(said.id).metadata["cogmem_held_by"] == "ann"
    found = engine.as_("ann").bank("ann/pay").recall("euros", also=["team/plans"], floor=0)
    assert {item.memory.id for item in found} >= {pay.id, total.id}
    why = engine.bank("team/plans").why_allowed("scout", total.id)
    assert (why.allowed, len(why.grants)) == (True, 3)
    assert engine.revoke(own.id).revoked_at == clock()
    assert [memory.id for memory in engine.bank("team/plans").list()] == [said.id]
    clock.advance(hours=1)
    with pytest.raises(NotAllowed):
        scout.bank("team/plans").count()
    assert [entry.act for entry in engine.access_log(limit=2)] == ["withdraw", "read"]


@pytest.mark.thorough
def test_nobody_sees_what_no_grant_shows_at_length(
    reopen: Callable[..., Engine], tmp_path: Path, clock: FrozenClock
) -> None:
    """20 principals, 50 namespaces, 10,000 operations."""
    world = run(reopen(reviewing("shared")), tmp_path, clock, size=(20, 50), steps=10_000)

    assert {act for act, _ in world.calls} == NEEDS.keys()


def test_what_is_sealed_is_never_kept(bank: MemoryBank) -> None:
    """API: seal, seals, unseal; what was there stays."""
    bank.add("I was diagnosed with asthma")
    assert bank.seal("health") == bank.seals() == ("health",)
    assert bank.remember("I was diagnosed with diabetes").receipts[0].status == "skipped"
    assert bank.unseal("health") == bank.seals() == ()
    assert [memory.content for memory in bank.list()] == ["I was diagnosed with asthma"]
