"""A bank as an MCP server, for coding agents and whoever else speaks the Model Context Protocol (extra `mcp`)."""

from cogmem_serve.mcp.serving import http_app, serve_stdio
from cogmem_serve.mcp.tools import Access

__all__ = ["Access", "http_app", "serve_stdio"]
