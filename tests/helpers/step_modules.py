"""The modules of the dream cycle's steps, whose constants a test replaces."""

from importlib import import_module
from types import ModuleType

__all__ = ["step_module"]


def step_module(name: str) -> ModuleType:
    """The module of a step: the package shows the step of that name in its place."""
    return import_module(f"cogmem_core.consolidation.steps.{name}")
