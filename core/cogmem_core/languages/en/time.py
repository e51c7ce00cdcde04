"""English: dates, times, periods and tenses."""

from __future__ import annotations

from cogmem_core.languages.base import TimeRules

__all__ = ["TIME"]

TIME = TimeRules()
