"""`/mcp` of a served bank: the official client over a real server, with the keys of the server."""

from dataclasses import replace

import httpx

import cogmem_core
from cogmem_core import Engine
from cogmem_core.config import GuardConfig
from cogmem_core.testing import MANUAL, FrozenClock
from cogmem_serve import create_app
from cogmem_serve.agents import mcp_app
from cogmem_serve.keys import KeyRing
from helpers.canary_fields import PLANTED, found_in
from helpers.mcp_sessions import over_http, served


async def test_a_key_decides_whose_memory_an_agent_has(engine: Engine, ring: KeyRing) -> None:
    """Two agents at once: neither sees the other's, and what the key or a right forbids is told to the model.

    No tool answers with a secret, whichever argument it stood in.
    """
    engine.add_principal("cy")
    engine.grant("cy", "ann", "read")
    secrets = [
        ring.add("ann", scopes=["write"], namespaces=["ann"])[1],
        ring.add("ben", scopes=["read"], namespaces=["ben"])[1],
        ring.add("cy", principal="cy")[1],
    ]
    engine.bank("ben").remember("Ben keeps bees in Bergen")
    app, lifespan = mcp_app(engine)
    site = create_app(engine, keys=ring, mounts={"/mcp": app}, lifespans=[lifespan])
    with served(site) as url:
        async with (
            over_http(f"{url}/mcp", secrets[0]) as ann,
            over_http(f"{url}/mcp/", secrets[1]) as ben,
            over_http(f"{url}/mcp?namespace=ann", secrets[2]) as cy,
            over_http(f"{url}/mcp", secrets[2]) as nowhere,
        ):
            await ann.call("remember", content="Ann keeps goats in Oslo.")
            assert "goats" in await ann.call("recall", query="What animals are kept?")
            assert "goats" not in await ben.call("recall", query="What animals are kept?")
            assert "bees" in await ben.call("recall", query="What animals are kept?")
            assert "goats" in await cy.call("recall", query="What animals are kept?")
            by_scope = await ben.call("remember", content="Ben moved to Oslo in May 2026.")
            by_right = await cy.call("remember", content="Cy moved to Oslo in May 2026.")
            unnamed = await nowhere.call("recall", query="What animals are kept?")
            answers = []
            for tool in await ann.tools():
                schema = tool["inputSchema"]
                for field in schema["properties"]:
                    given = dict.fromkeys(schema.get("required", ()), "bees")
                    answers.append(await ann.call(tool["name"], **{**given, field: PLANTED}))
    assert "has no scope 'write'" in by_scope
    assert "'cy' has no right to write in 'ann'" in by_right
    assert "namespace is missing" in unnamed
    assert len(answers) == 7
    assert [answer for answer in answers if found_in(answer)] == []
    assert (engine.bank("ben").count(), engine.bank("ann").count()) == (1, 2)


async def test_what_an_agent_writes_over_http_waits(clock: FrozenClock, ring: KeyRing) -> None:
    """By REST and by MCP, with a key whose principal is a service, where others read."""
    guarded = replace(MANUAL, guard=GuardConfig(review=("shared",)))
    with cogmem_core.open(embedder="hashing", clock=clock, config=guarded) as engine:
        engine.add_principal("ann")
        engine.grant("ann", "team", "review")
        engine.add_principal("bot", kind="service")
        engine.grant("bot", "team", "write")
        _, secret = ring.add("bot", principal="bot")
        app, lifespan = mcp_app(engine)
        site = create_app(engine, keys=ring, mounts={"/mcp": app}, lifespans=[lifespan])
        with served(site) as url:
            async with over_http(f"{url}/mcp?namespace=team", secret) as agent:
                await agent.call("remember", content="Ann keeps goats in Oslo.")
            async with httpx.AsyncClient(
                base_url=f"{url}/v1", headers={"authorization": f"Bearer {secret}"}
            ) as client:
                here = {"namespace": "team"}
                said = {"content": "Ann keeps geese in Bergen."}
                kept = await client.post("/remember", params=here, json=said)
                added = await client.post("/memories", params=here, json={"content": "Ann flies."})
                call = {"text": "call Ann", "when": "somebody asks for geese"}
                intended = await client.post("/intentions", params=here, json=call)
        assert kept.json()["receipts"][0]["status"] == "quarantined"
        assert (added.json()["state"], intended.json()["state"]) == ("quarantined", "proposed")
        team = engine.as_("ann").bank("team")
        assert (team.count(), team.intentions("open"), len(team.reviews())) == (0, (), 4)
