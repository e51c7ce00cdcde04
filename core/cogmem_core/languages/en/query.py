"""English: what a question asks for."""

from __future__ import annotations

from cogmem_core.languages.base import QueryRules

__all__ = ["QUERY"]

QUERY = QueryRules()
