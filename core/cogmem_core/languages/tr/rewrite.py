"""Turkish: sentences that can be understood on their own."""

from __future__ import annotations

from cogmem_core.languages.base import RewriteRules

__all__ = ["REWRITE"]

REWRITE = RewriteRules()
