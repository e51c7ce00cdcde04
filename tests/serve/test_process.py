"""`cogm serve` as a process of its own: where it listens, what a kill leaves, and how it stops."""

import asyncio
import json
import signal
import threading
from pathlib import Path

import httpx

import cogmem_core
from cogmem_core.testing import MANUAL
from helpers.command import cogm
from helpers.mcp_sessions import over_http
from helpers.serving import Serving, served_process


async def tools_of(server: Serving, key: dict[str, str]) -> list[str]:
    """What the server offers to coding agents."""
    secret = key["authorization"].removeprefix("Bearer ")
    async with over_http(f"{server.address}/mcp", secret) as agent:
        return sorted(tool["name"] for tool in await agent.tools())


def test_nothing_acknowledged_is_lost_however_it_ends(tmp_path: Path) -> None:
    """After a kill, what was said to be stored is there; told to stop, it answers what it was asked before."""
    body = {"content": "The spare key is under the basil"}
    with served_process(tmp_path) as server:
        key = {"authorization": f"Bearer {server.key('write')}"}
        assert asyncio.run(tools_of(server, key)) == [
            "due",
            "forget",
            "profile",
            "recall",
            "remember",
            "why",
        ]
        stored = httpx.post(f"{server.address}/v1/remember", json=body, headers=key, timeout=60)
        assert stored.json()["receipts"][0]["status"] == "stored"
        server.stop(signal.SIGKILL)
        server.code()
    with served_process(tmp_path) as server:
        found = httpx.get(f"{server.address}/v1/memories", headers=key, timeout=60).json()
        assert [one["content"] for one in found["memories"]] == [body["content"]]
        many = {"content": [f"Parcel {number} is in locker {number * 7}" for number in range(20)]}
        answers: list[httpx.Response] = []

        def remember() -> None:
            address = f"{server.address}/v1/remember"
            answers.append(httpx.post(address, json=many, headers=key, timeout=60))

        asking = threading.Thread(target=remember)
        asking.start()
        server.until_it_holds(2, key)
        server.stop(signal.SIGTERM)
        asking.join(60)
        assert [answer.status_code for answer in answers] == [200]
        assert (server.code(), server.errors()) == (0, "")


def test_others_than_this_machine_need_a_key(tmp_path: Path) -> None:
    """Without one it does not even listen where they reach it."""
    refused = cogm(tmp_path / "bank", "serve", "--host", "0.0.0.0", "--port", "0")
    assert (refused.exit_code, "cogm keys add" in refused.stderr) == (2, True)
    for option in ("--host", "--host-name"):
        refused = cogm(tmp_path / "bank", "serve", option, "wrong!", "--port", "0")
        assert (refused.exit_code, f"{option} holds 'wrong!'" in refused.stderr) == (2, True)


def test_the_story_is_told_once(tmp_path: Path) -> None:
    """Four months of a conversation, what is to come, how a task is done, and dreams that can be undone."""
    told = json.loads(cogm(tmp_path, "demo", "--json").stdout)
    assert told == {"namespace": "elif", "turns": 261}
    with cogmem_core.open(tmp_path, embedder="hashing", config=MANUAL) as engine:
        bank = engine.bank("elif")
        assert bank.count(state="active") > 150
        assert len(bank.consolidation_runs()) == 4
        assert {one.state for one in bank.intentions()} >= {"open", "done"}
        assert len(bank.procedures()) == 1
    assert json.loads(cogm(tmp_path, "demo", "--json").stdout)["turns"] == 0
