"""The official SDK's own client, of either major version: over stdio against `cogm mcp`, and over HTTP."""

import contextlib
import os
import socket
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from starlette.types import ASGIApp

from cogmem_serve import connections
from cogmem_serve.guard import Limits

__all__ = ["Agent", "over_http", "over_stdio", "served"]


class Agent:
    """What a coding agent does with a server."""

    def __init__(self, session: ClientSession, greeting: Any) -> None:
        self._session = session
        server = greeting.model_dump(mode="json", by_alias=True)["serverInfo"]
        self.server: str = f"{server['name']} {server['version']}"

    async def tools(self) -> list[dict[str, Any]]:
        """The definitions of all tools, as a model gets them."""
        listed = await self._session.list_tools()
        return [
            tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed.tools
        ]

    async def read(self, uri: str) -> str:
        """The text of a resource, which is listed."""
        listed = await self._session.list_resources()
        assert uri in [str(resource.uri) for resource in listed.resources]
        result = await self._session.read_resource(uri)
        return "".join(part["text"] for part in result.model_dump(mode="json")["contents"])

    async def prompt(self, name: str) -> str:
        """The message of a prompt, which is listed."""
        listed = await self._session.list_prompts()
        assert name in [prompt.name for prompt in listed.prompts]
        result = await self._session.get_prompt(name)
        messages = result.model_dump(mode="json")["messages"]
        return "".join(message["content"]["text"] for message in messages)

    async def call(self, tool: str, **arguments: str) -> str:
        """The text that a tool answers; what it refuses begins with `error: `."""
        result = await self._session.call_tool(tool, arguments)
        answer = result.model_dump(mode="json", by_alias=True)
        text = "".join(part["text"] for part in answer["content"])
        return f"error: {text}" if answer["isError"] else text


@contextlib.asynccontextmanager
async def over_stdio(folder: Path) -> AsyncIterator[Agent]:
    """An agent that has started `cogm mcp` on a bank."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "cogmem_core", "mcp", "--path", str(folder), "--embedder", "hashing"],
        env=dict(os.environ),
    )
    async with stdio_client(server) as streams, ClientSession(*streams[:2]) as session:
        greeting = await session.initialize()
        yield Agent(session, greeting)


@contextlib.asynccontextmanager
async def over_http(url: str, key: str) -> AsyncIterator[Agent]:
    """An agent that was configured with an address and a key."""
    async with (
        create_mcp_http_client(headers={"Authorization": f"Bearer {key}"}) as http,
        streamable_http_client(url, http_client=http) as streams,
        ClientSession(*streams[:2]) as session,
    ):
        greeting = await session.initialize()
        yield Agent(session, greeting)


@contextlib.contextmanager
def served(app: ASGIApp, limits: Limits | None = None) -> Iterator[str]:
    """The address of an application that the server of `cogm serve` serves."""
    server = connections.server(app, limits or Limits())
    listener = socket.create_server(("127.0.0.1", 0))
    started = threading.Event()
    begin = server.startup

    async def startup(*args: Any, **kwargs: Any) -> None:
        await begin(*args, **kwargs)
        started.set()

    server.startup = startup  # type: ignore[method-assign]
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        assert started.wait(30)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
