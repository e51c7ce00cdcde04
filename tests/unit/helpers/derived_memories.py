"""A bank for tests of derived memories: vectors by word, a scripted model, changes by hand."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import cogmem_core
from cogmem_core import Config, ConsolidationReport, Engine, Memory, MemoryBank
from cogmem_core.changes import Link
from cogmem_core.config import ConsolidationConfig, FadingConfig
from cogmem_core.models import Relation
from cogmem_core.testing import FrozenClock, GivenVectors, ScriptedLLM
from helpers.store_kinds import change, touched
from helpers.tables import rows_of

__all__ = ["Opener", "alive", "change", "derived", "linked", "openers", "ran", "touched"]

Opener = Callable[..., MemoryBank]
VECTORS = dict(rows_of("derived_memories/vectors"))
"""Cosines: trail and path 0.8, trail and track 0.8, path and track 0.28, tea with all of them 0."""


@contextmanager
def openers(clock: FrozenClock) -> Iterator[Opener]:
    """Opens banks in memory: `opener(llm=None, strength=..., **settings of the dream cycle)`."""
    with ExitStack() as engines:

        def opener(llm: ScriptedLLM | None = None, /, **settings: Any) -> MemoryBank:
            dream = ConsolidationConfig(
                **{
                    "trigger": "manual",
                    "fading": FadingConfig(standing=False, rules=True),
                    **settings,
                }
            )
            config = Config(consolidation=dream)
            engine: Engine = cogmem_core.open(
                None, embedder=GivenVectors(VECTORS), llm=llm, clock=clock, config=config
            )
            return engines.enter_context(engine).bank("alice")

        yield opener


def linked(bank: MemoryBank, one: Memory, other: Memory, kind: Any, weight: float = 1.0) -> None:
    """A relation between two memories, activated now."""
    now = bank._engine.services.runtime.now()
    ends = (bank.namespace, one.id, other.id)
    change(
        bank,
        Link(
            Relation(*ends, kind, weight=weight, created_at=now, last_activated_at=now), "by hand"
        ),
    )


def ran(bank: MemoryBank, *steps: str, **more: Any) -> ConsolidationReport:
    """A cycle of these steps, none of which failed."""
    report = bank.consolidate(steps=steps, **more)
    assert [step.error for step in report.steps.values() if step.error] == []
    return report


def derived(bank: MemoryBank, kind: str) -> list[Memory]:
    """Active derived memories of a kind."""
    return [memory for memory in bank.list() if memory.metadata.get("derived") == kind]


def alive(bank: MemoryBank) -> list[str]:
    """What is active and not derived."""
    return [memory.content for memory in bank.list() if not memory.support]
