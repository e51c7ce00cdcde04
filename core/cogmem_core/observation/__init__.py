"""Observation: recent turns become notes, many notes become traces, traces become memories.

Each step drops what it replaces only after its result is on disk; without a language model, or when
it fails, the extractive twins answer.
"""

from cogmem_core.observation.notes import Reflection
from cogmem_core.observation.observer import observe
from cogmem_core.observation.personality import resolve
from cogmem_core.observation.reflector import reflect

__all__ = ["Reflection", "observe", "reflect", "resolve"]
