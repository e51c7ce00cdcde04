"""Who is trusted how far, and what follows: provenance is the control, wording only a signal. Pure.

Untrusted is what no person said and what is trusted less than fully. It may be recalled, with its origin; it never
gains rank by itself, and never changes what is trusted more.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from cogmem_core.config import GuardConfig
from cogmem_core.models import Category, DataSource, Memory
from cogmem_core.text.context_frame import ORIGINS

__all__ = [
    "FLAGGED",
    "QUARANTINED",
    "doubted",
    "humbled",
    "origin_of",
    "outranks",
    "reason_aside",
    "set_aside",
    "untrusted",
]

FLAGGED, QUARANTINED = "flagged", "quarantined"
"""Metadata: what a person's own words look like; why a memory was set aside."""
_FULL = 1.0
_PERSON: DataSource = "user_message"
_RULES: tuple[Category, ...] = ("preference", "correction", "decision", "procedure", "pattern")
"""Categories that steer later answers or never fade."""
_REASONS = {
    "instruction": "orders to the model",
    "markup": "chat markup",
    "claim": "tells what the user wants",
    "rule": "a rule for every answer",
}
_ALWAYS = ("instruction", "markup")


def untrusted(memory: Memory, guard: GuardConfig) -> bool:
    """Whether a memory is neither a person's own words nor fully trusted."""
    return doubted(memory.data_source, memory.trust, guard)


def doubted(source: DataSource, trust: float, guard: GuardConfig) -> bool:
    """As `untrusted`, of what is no memory yet; `trust` is 0..1.

    What ranking asks of a `Candidate` by the same name is the same but for `guard.on`: the share of results that one
    untrusted source may have is switched off by its own setting, `retrieval.source_share` = 1.
    """
    return guard.on and source != _PERSON and trust < _FULL


def outranks(old: Memory, source: DataSource, trust: float, guard: GuardConfig) -> bool:
    """Whether a memory may not be replaced, merged away or edited by what such a source says."""
    return doubted(source, trust, guard) and (old.data_source == _PERSON or old.trust > trust)


def reason_aside(signs: Collection[str], source: DataSource, trust: float, guard: GuardConfig) -> str:
    """Why a text of such a source is set aside; empty if it is not.

    Args:
        signs: what it looks like, see `text.orders.signs`.
        source, trust: where it comes from, and how far that is trusted, 0..1.
        guard: the settings.
    """
    if not (guard.quarantine and doubted(source, trust, guard)):
        return ""
    counting = [sign for sign in signs if sign in _ALWAYS or trust < guard.claims_below]
    found = ", ".join(_REASONS[sign] for sign in counting)
    return (
        f"{found} in what {'an assistant said' if source == 'assistant_message' else 'no person said'}" if found else ""
    )


def humbled(memory: Memory, guard: GuardConfig) -> Memory:
    """A new memory without the rank that its wording alone would give it."""
    if not untrusted(memory, guard):
        return memory
    category: Category = "fact" if memory.category in _RULES else memory.category
    return replace(memory, category=category, pinned=False, flashbulb=False)


def set_aside(memory: Memory, reason: str) -> Memory:
    """The memory in quarantine: kept, listed, and out of recall until a person restores it."""
    return replace(memory, state="quarantined", metadata={**memory.metadata, QUARANTINED: reason})


def origin_of(memory: Memory) -> str:
    """Where a memory comes from, as a prompt says it; empty for a person's own words."""
    if memory.category == "item":
        return ORIGINS["document"]
    return ORIGINS["derived"] if memory.write_source == "dream" else ORIGINS.get(memory.data_source, "")
