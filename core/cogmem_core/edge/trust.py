"""Which sources are trusted, and what an untrusted one may not do. Pure.

Every text that is to become a memory passes `screened`, whichever door it comes through: a turn, a
stated memory, an edit, a document, a reflection, a file.

Provenance decides; wording is only a signal. A text is untrusted if no person said it and it is
trusted less than fully. It may be recalled, with its origin; it never gains rank by itself, and
never changes what is trusted more.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from cogmem_core.config import GuardConfig
from cogmem_core.text.observe.filters import gives_orders
from cogmem_core.text.safety.context_frame import ORIGINS
from cogmem_core.text.safety.prompt_injection import signs
from cogmem_core.values.models import Category, DataSource, Memory

FLAGGED = "flagged"
"""Metadata key: what a person's own words look like."""
QUARANTINED = "quarantined"
"""Metadata key: why a memory is in quarantine."""
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


def is_untrusted(memory: Memory, guard: GuardConfig) -> bool:
    """Whether a memory is neither a person's own words nor fully trusted."""
    return is_untrusted_source(memory.data_source, memory.trust, guard)


def is_untrusted_source(source: DataSource, trust: float, guard: GuardConfig) -> bool:
    """The same for a text that is not a memory yet; `trust` is 0..1.

    Ranking asks this of a `Candidate` without looking at `guard.on`: the share of results that one
    untrusted source may have is switched off by its own setting, `retrieval.source_share` = 1.
    """
    return guard.on and not is_trusted(source, trust)


def is_trusted(source: DataSource, trust: float) -> bool:
    """Whether a text is a person's own words, or from a source that is trusted fully, whatever the guard is."""
    return source == _PERSON or trust >= _FULL


def outranks(old: Memory, source: DataSource, trust: float, guard: GuardConfig) -> bool:
    """Whether a text of such a source may not replace, merge away or edit this memory."""
    ranks_higher = old.data_source == _PERSON or old.trust > trust
    return ranks_higher and is_untrusted_source(source, trust, guard)


class Screening(NamedTuple):
    """What a text looks like.

    Attributes:
        reason: why it belongs in quarantine; empty if it does not.
        flags: signs in the words of a person, who may mean them.
    """

    reason: str = ""
    flags: tuple[str, ...] = ()


def screened(
    text: str,
    source: DataSource,
    trust: float,
    guard: GuardConfig,
    *,
    claims: bool = True,
    skipped: bool = False,
) -> Screening:
    """Whether a text of such a source may become a memory that is recalled.

    What a person says is flagged where it looks like an order, and set aside where it plainly is
    one to the model: "ignore all previous instructions".

    Args:
        text: what is to become a memory.
        source: where it comes from.
        trust: how far that source is trusted, 0..1.
        guard: the settings.
        claims: False where a text tells of the user anyhow, as documents and reflections may.
        skipped: the observer took it for an order already.
    """
    if not guard.on or not text.strip():
        return Screening()
    matches = signs(text)
    if not is_untrusted_source(source, trust, guard):
        flags = tuple(sign for sign in matches if sign in _ALWAYS)
        orders = guard.quarantine and gives_orders(text)
        return Screening("orders to the model in a person's words" if orders else "", flags)
    if skipped and "instruction" not in matches:
        matches = ("instruction", *matches)
    if not claims:
        matches = tuple(sign for sign in matches if sign in _ALWAYS)
    return Screening(_suspicion(matches, source, trust, guard))


def screened_memory(memory: Memory, guard: GuardConfig, *, claims: bool = True) -> Memory:
    """A new memory as it may be stored: flagged, or in quarantine, or as it is."""
    screening = screened(memory.content, memory.data_source, memory.trust, guard, claims=claims)
    if screening.flags:
        metadata = {**memory.metadata, FLAGGED: list(screening.flags)}
        memory = replace(memory, metadata=metadata)
    return quarantine(memory, screening.reason) if screening.reason else memory


def _suspicion(signs: Collection[str], source: DataSource, trust: float, guard: GuardConfig) -> str:
    """Why a text of an untrusted source belongs in quarantine; empty if it does not."""
    if not guard.quarantine:
        return ""
    reasons = [_REASONS[sign] for sign in signs if sign in _ALWAYS or trust < guard.claims_below]
    if not reasons:
        return ""
    speaker = "an assistant" if source == "assistant_message" else "no person"
    return f"{', '.join(reasons)} in what {speaker} said"


def without_rank(memory: Memory, guard: GuardConfig) -> Memory:
    """A new memory; if it is untrusted, without the rank that its wording would give it."""
    if not is_untrusted(memory, guard):
        return memory
    category: Category = "fact" if memory.category in _RULES else memory.category
    return replace(memory, category=category, pinned=False, flashbulb=False)


def quarantine(memory: Memory, reason: str) -> Memory:
    """The memory in quarantine: stored and listed, but not recalled until a person restores it."""
    return replace(memory, state="quarantined", metadata={**memory.metadata, QUARANTINED: reason})


def origin_of(memory: Memory) -> str:
    """Where a memory comes from, as a prompt says it; empty for a person's own words."""
    if memory.category == "item":
        return ORIGINS["document"]
    if memory.write_source == "dream":
        return ORIGINS["derived"]
    return ORIGINS.get(memory.data_source, "")
