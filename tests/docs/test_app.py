"""The reference application, with both frameworks: three users talk to it at once, and see what it knows of them."""

import importlib
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph.checkpoint.memory import InMemorySaver

import cogmem_core

pytest.importorskip("fastapi", reason="needs fastapi")
COOKBOOK = Path(__file__).resolve().parents[2] / "cookbook"
SECRETS = {"ann": "a-secret", "ben": "b-secret", "cy": "c-secret"}
HOMES = {"ann": "Lisbon", "ben": "Oslo", "cy": "Leeds"}
Client = Callable[[str], Any]


@pytest.fixture(params=["langgraph_app", "llamaindex_app"])
async def client(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[httpx.AsyncClient]:
    """The running service."""
    monkeypatch.syspath_prepend(str(COOKBOOK))
    monkeypatch.syspath_prepend(str(COOKBOOK / "app"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    of_langchain = request.param == "langgraph_app"
    model = importlib.import_module("models" if of_langchain else "llamaindex_models").chat_model()
    app = importlib.import_module(request.param).create_app(
        cogmem_core.open(tmp_path / "bank", embedder="hashing"),
        model,
        SECRETS,
        *([InMemorySaver()] if of_langchain else []),
    )
    async with _lived(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://app") as asking:
            yield asking


@asynccontextmanager
async def _lived(app: Any) -> AsyncIterator[None]:
    async with app.router.lifespan_context(app):
        yield


async def said(client: httpx.AsyncClient, user: str, text: str, **more: Any) -> str:
    """What is answered, whole."""
    answer = await client.post("/chat", json={"text": text, **more}, auth=(user, SECRETS[user]))
    assert answer.status_code == 200
    return answer.text


async def profile_of(client: httpx.AsyncClient, user: str) -> str:
    return (await client.get("/profile", auth=(user, SECRETS[user]))).text


async def test_three_users_are_known_in_their_next_threads(client: httpx.AsyncClient) -> None:
    """Each by their own words alone; what an answer made use of is told without a thumb."""
    for user, home in HOMES.items():
        await said(client, user, f"I live in {home}, above a bakery.", thread="monday")
    for user, home in HOMES.items():
        answer = await said(client, user, "Where do I live?", thread="friday")
        assert [city for city in HOMES.values() if city in answer] == [home]
        page = await profile_of(client, user)
        assert [city for city in HOMES.values() if city in page] == [home]
        used = (await client.get("/used", auth=(user, SECRETS[user]))).json()
        assert used == {f"I live in {home}, above a bakery.": 1}


async def test_incognito_is_answered_from_memory_and_leaves_nothing(
    client: httpx.AsyncClient,
) -> None:
    await said(client, "ann", "I live in Lisbon, above a bakery.")
    assert "Lisbon" in await said(client, "ann", "Where do I live?", incognito=True)
    await said(client, "ann", "I collect silver spoons.", incognito=True)
    assert "spoons" not in await said(client, "ann", "What do I collect?", thread="later")
    assert "spoons" not in await profile_of(client, "ann")


async def test_a_person_corrects_and_forgets_what_is_known(client: httpx.AsyncClient) -> None:
    await said(client, "ann", "I live in Lisbon, above a bakery.")
    await client.get("/used", auth=("ann", SECRETS["ann"]))
    (address,) = re.findall(r'action="(/memories/[^"]+)"', await profile_of(client, "ann"))
    foreign = await client.post(address, auth=("ben", SECRETS["ben"]))
    assert foreign.status_code == 404
    await client.post(address, data={"content": "I live in Porto"}, auth=("ann", SECRETS["ann"]))
    assert "Porto" in await profile_of(client, "ann")
    await client.post(address, auth=("ann", SECRETS["ann"]))
    assert "Nothing yet." in await profile_of(client, "ann")


async def test_nobody_asks_for_another(client: httpx.AsyncClient) -> None:
    """Neither without the password, nor from a page of another site."""
    assert (await client.get("/profile")).status_code == 401
    assert (await client.get("/profile", auth=("ann", "guessed"))).status_code == 401
    lured = {"sec-fetch-site": "cross-site"}
    crossed = await client.get("/profile", auth=("ann", SECRETS["ann"]), headers=lured)
    assert crossed.status_code == 403
