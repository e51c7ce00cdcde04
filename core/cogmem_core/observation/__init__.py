"""Observation: recent turns become notes, many notes become traces, traces become memories."""

from cogmem_core.observation.observer import observe, reflect
from cogmem_core.observation.personality import resolve

__all__ = ["observe", "reflect", "resolve"]
