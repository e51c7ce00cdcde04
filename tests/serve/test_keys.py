"""Keys to a server: how they are made, kept and taken away."""

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from cogmem_core.errors import InvalidInput, NotFound, StoreError
from cogmem_core.testing import FrozenClock
from cogmem_serve.keys import KeyRing
from helpers.command import cogm
from helpers.tables import each_row, each_row_of


def test_a_key_is_kept_as_a_hash_in_a_private_file(tmp_path: Path) -> None:
    """Who reads the file can use none of them; another process sees at once what changed."""
    path = tmp_path / "keys.json"
    ring, other = KeyRing(path), KeyRing(path)
    key, secret = ring.add("laptop", scopes=["write"], namespaces=["alice", "team/*"])
    assert secret.startswith("cgm_")
    assert len(secret) > 40
    assert secret not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["keys.json"]
    caller = other.caller(secret)
    assert caller is not None
    assert (caller.name, caller.key_id) == ("laptop", key.id)
    assert (caller.may("read"), caller.may("review"), caller.may("admin")) == (True, False, False)
    assert [caller.sees(name) for name in ("alice", "alice2", "team/red", "team")] == [
        *(True, False, True, False)
    ]
    other.revoke(key.id)
    assert ring.caller(secret) is None
    assert ring.all() == ()


def test_a_key_ends_at_its_time(clock: FrozenClock) -> None:
    """Not a moment later."""
    ring = KeyRing(None, now=clock)
    _, secret = ring.add("guest", expires_at=clock() + timedelta(days=1))
    clock.advance(hours=23)
    assert ring.caller(secret) is not None
    clock.advance(hours=1)
    assert ring.caller(secret) is None


@each_row(
    "pattern, seen", [("team/*", {"team/red"}), ("*", {"team", "teammates", "team/red", "other"})]
)
def test_a_keys_namespaces_are_named_as_a_grants_are(pattern: str, seen: set[str]) -> None:
    """A star stands for a folder or for all."""
    ring = KeyRing(None)
    caller = ring.caller(ring.add("laptop", namespaces=[pattern])[1])
    assert caller is not None
    names = ("team", "teammates", "team/red", "other")
    assert {name for name in names if caller.sees(name)} == seen


@each_row_of("keys/a_wrong_argument_makes_no_key")
def test_a_wrong_argument_makes_no_key(
    wrong: dict[str, Any], told: str, clock: FrozenClock
) -> None:
    """And says which it is."""
    ring = KeyRing(None, now=clock)
    if "expires_at" in wrong:
        wrong = {"expires_at": clock() - timedelta(seconds=1)}
    with pytest.raises(InvalidInput, match=told):
        ring.add(**{"name": "ana", **wrong})
    assert ring.all() == ()


def test_what_is_not_there_or_damaged_is_said(tmp_path: Path) -> None:
    """A damaged file opens nothing, and is not written over."""
    path = tmp_path / "keys.json"
    ring = KeyRing(path)
    with pytest.raises(NotFound, match="cogm keys list"):
        ring.revoke("00000000")
    for damaged in ("{", "[]", '{"signing": "xy", "keys": []}', '{"signing": "00", "keys": [{}]}'):
        path.write_text(damaged)
        with pytest.raises(StoreError, match="cogm keys add"):
            KeyRing(path).add("ana")
        assert path.read_text() == damaged


def test_the_commands_make_list_and_revoke(tmp_path: Path) -> None:
    """The secret is printed once, by itself, so that a script can take it."""
    bank = tmp_path / "bank"
    secret = cogm(bank, "keys", "add", "laptop", "--scope", "write", "-n", "alice").stdout.strip()
    (listed,) = json.loads(cogm(bank, "keys", "list", "--json").stdout)["keys"]
    assert (listed["name"], listed["scopes"], listed["namespaces"]) == (
        *("laptop", ["write"], ["alice"]),
    )
    ring = KeyRing(tmp_path / "bank" / "keys.json")
    assert ring.caller(secret) is not None
    assert cogm(bank, "keys", "revoke", listed["id"]).exit_code == 0
    assert ring.caller(secret) is None
    assert cogm(bank, "keys", "add", "ana", "--scope", "root").exit_code == 2
    assert cogm(bank, "keys", "revoke", listed["id"]).exit_code == 1
    assert "no principal" in cogm(bank, "keys", "add", "ana", "--principal", "ann").stderr
    cogm(bank, "principal", "ann")
    secret = cogm(bank, "keys", "add", "ana", "--principal", "ann").stdout.strip()
    caller = ring.caller(secret)
    assert caller is not None
    assert (caller.principal, caller.scopes, caller.namespaces) == ("ann", ("admin",), ("*",))


def test_keys_that_are_made_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    """Each ring stands for a process of its own: none writes over what another has just added."""
    rings = [KeyRing(tmp_path / "keys.json") for _ in range(8)]
    with ThreadPoolExecutor(len(rings)) as pool:
        added = list(pool.map(lambda ring: [ring.add("test")[0].id for _ in range(5)], rings))
    assert {key.id for key in rings[0].all()} == {one for ids in added for one in ids}
    assert [one.name for one in tmp_path.iterdir()] == ["keys.json"]


def test_what_is_kept_of_ended_sessions_has_an_end(tmp_path: Path, clock: FrozenClock) -> None:
    """Of one holder so many, until their time is over; with one more all of that holder's are over."""
    path = tmp_path / "keys.json"
    ring = KeyRing(path, now=clock)
    ids = [ring.add(name)[0].id for name in ("ana", "ben")]
    ends = (clock() + timedelta(hours=12)).timestamp()
    for number in range(100):
        ring.end_sessions(ids[0], f"{number:032}", ends)
    assert (ring.ended(ids[0]).round, len(ring.ended(ids[0]).ids)) == (0, 100)
    clock.advance(hours=12)
    ring.end_sessions(ids[0], "another", ends + 60)
    assert list(ring.ended(ids[0]).ids) == ["another"]
    for number in range(100):
        ring.end_sessions(ids[0], f"{number:032}", ends + 60)
    assert (ring.ended(ids[0]).round, len(ring.ended(ids[0]).ids)) == (1, 0)
    assert (ring.ended(ids[1]).round, len(ring.ended(ids[1]).ids)) == (0, 0)
    ring.revoke(ids[0])
    assert "another" not in path.read_text()
    assert ring.ended(ids[0]).round == 0
