"""The official SDK, in its first and its second major version: what is called differently in them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from cogmem_core import __version__
from cogmem_core.errors import ConfigError

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    Served = tuple[ASGIApp, Callable[[], AbstractAsyncContextManager[object]]]
    """An application, and what must be entered while it runs."""


# The host only switches off a check that the application makes itself.
_HTTP = {"stateless_http": True, "streamable_http_path": "/", "host": "0.0.0.0"}  # noqa: S104


class Server(Protocol):
    """An MCP server of either version."""

    session_manager: Any

    def add_tool(self, fn: Callable[..., Any], **about: Any) -> None:
        """Offer a function as a tool."""

    def resource(self, uri: str, **about: Any) -> Callable[[Callable[..., Any]], object]:
        """Offer what a function answers under an address."""

    def prompt(self, **about: Any) -> Callable[[Callable[..., Any]], object]:
        """Offer what a function answers as a message that a person may send."""

    async def run_stdio_async(self) -> None:
        """Serve whoever started this process, until they close its input."""

    def streamable_http_app(self, **options: Any) -> ASGIApp:
        """The application that serves over HTTP."""


class Sdk:
    """The installed version of the SDK.

    Attributes:
        tool_error: what a tool raises for the model to read.
        hints: the class of a tool's annotations.

    Raises:
        ConfigError: it is not installed.
    """

    def __init__(self) -> None:
        try:
            self._module = import_module("mcp.server.mcpserver")
            self._is_second = True
        except ModuleNotFoundError as error:
            if error.name != "mcp.server.mcpserver":
                raise ConfigError(
                    "the package mcp is missing; install it: pip install 'cogmem-core[mcp]'"
                ) from error
            self._module = import_module("mcp.server.fastmcp")
            self._is_second = False
        errors = import_module(f"{self._module.__name__}.exceptions")
        self.tool_error: type[Exception] = errors.ToolError
        self.hints: Callable[..., Any] = import_module("mcp.types").ToolAnnotations

    def server(self, name: str, instructions: str) -> Server:
        """A server without tools, which keeps nothing of a client between two requests over HTTP."""
        # Warnings only: at INFO the SDK writes a line per request.
        about: dict[str, Any] = {"instructions": instructions, "log_level": "WARNING"}
        if self._is_second:
            return cast(Server, self._module.MCPServer(name, version=__version__, **about))
        server = self._module.FastMCP(name, **about, **_HTTP)
        server._mcp_server.version = __version__
        return cast(Server, server)

    def http(self, server: Server) -> Served:
        """The application of a server, and what must be entered while it runs."""
        app = server.streamable_http_app(**(_HTTP if self._is_second else {}))
        return app, server.session_manager.run
