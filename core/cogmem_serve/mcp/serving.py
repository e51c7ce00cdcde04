"""A bank over stdio, and banks over HTTP."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from cogmem_core.engine import MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_serve.mcp.sdk import Sdk
from cogmem_serve.mcp.tools import INSTRUCTIONS, REQUEST, Access, add_tools

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from cogmem_serve.mcp.sdk import Served


_NAME = "cogmem"


def serve_stdio(bank: MemoryBank, *, session_id: str | None, read_only: bool) -> None:
    """Serve one bank to the agent that started this process, until it closes the process's input.

    Args:
        bank: whose memory, for the whole life of the process.
        session_id: the conversation; one of its own if None.
        read_only: without the tools that change what is stored.

    Raises:
        ConfigError: the package `mcp` is not installed.
    """
    sdk = Sdk()
    server = sdk.server(_NAME, INSTRUCTIONS)

    def access(_request: Any, *, writes: bool) -> MemoryBank:
        if writes and read_only:
            raise InvalidInput("this server only reads; start it without --read-only")
        return bank

    conversation = session_id or f"mcp-{uuid4()}"
    add_tools(server, sdk, access, session_id=conversation, writes=not read_only)
    asyncio.run(server.run_stdio_async())


def http_app(access: Access) -> Served:
    """The application that serves MCP (streamable HTTP), to be mounted, for example at `/mcp`.

    It keeps nothing between two requests, so any process behind an address may answer any of them.
    Keys, host names and sizes are checked by whoever mounts it.

    Args:
        access: whose memory a request is about, and whether it may change it; asked at each call.

    Returns:
        The application, and what must be entered while it runs (its lifespan).

    Raises:
        ConfigError: the package `mcp` is not installed.

    Example:
        >>> import cogmem_core
        >>> engine = cogmem_core.open(embedder="hashing")
        >>> app, lifespan = http_app(lambda request, *, writes: engine.bank("alice"))
        >>> engine.close()
    """
    from starlette.requests import Request

    sdk = Sdk()
    server = sdk.server(_NAME, INSTRUCTIONS)
    add_tools(server, sdk, access)
    app, lifespan = sdk.http(server)

    async def told(scope: Scope, receive: Receive, send: Send) -> None:
        """Tools, the resource and the prompt find the request: the SDK hands it on to tools only."""
        token = REQUEST.set(Request(scope) if scope["type"] == "http" else None)
        try:
            await app(scope, receive, send)
        finally:
            REQUEST.reset(token)

    return told, lifespan
