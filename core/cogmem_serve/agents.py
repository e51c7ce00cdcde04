"""`/mcp`: the banks of the keys for coding agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_serve.guard import bank_of, caller_of
from cogmem_serve.mcp import http_app
from cogmem_serve.problems import Problem

if TYPE_CHECKING:
    from cogmem_serve.mcp.sdk import Served


def mcp_app(engine: Engine) -> Served:
    """The application to be mounted at `/mcp`, and its lifespan, see `create_app`.

    A key decides whose memory a call is about, and whether it may change it; one that is for several
    namespaces needs `?namespace=` in the address.

    Raises:
        ConfigError: the extra `mcp` is not installed.
    """

    def access(request: Any, /, *, writes: bool) -> MemoryBank:
        try:
            caller = caller_of(request)
            caller.need("write" if writes else "read")
            return bank_of(request, engine, request.query_params.get("namespace"))
        except Problem as error:
            raise InvalidInput(str(error)) from error

    return http_app(access)
