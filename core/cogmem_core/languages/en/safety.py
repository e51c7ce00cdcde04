"""English: orders to the model, secrets and personal data."""

from __future__ import annotations

from cogmem_core.languages.base import SafetyRules

__all__ = ["SAFETY"]

SAFETY = SafetyRules()
