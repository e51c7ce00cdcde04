"""What a turn's wording and its source mean for what comes of it: set aside, or merely flagged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cogmem_core.config import Config
from cogmem_core.encoding.facts import Fact, Heard, data_source_of
from cogmem_core.models import Episode
from cogmem_core.ports import FloatArray
from cogmem_core.services import Services
from cogmem_core.text.safety.prompt_injection import signs
from cogmem_core.trust import is_untrusted_source, suspicion

__all__ = ["guarded", "paced", "trust_in"]

_TELLING = ("instruction", "markup")
_INJECTION = "prompt_injection"


def trust_in(turn: Episode, config: Config) -> float:
    """How far a turn is trusted, 0..1: by the role that says it."""
    return config.encoding.trusted(turn.role)


def guarded(heard: Heard, config: Config) -> Heard:
    """The turn as it may go on: of an untrusted one that gives orders only a quarantined memory comes."""
    turn, guard = heard.episode, config.guard
    if not heard.text.strip() or not guard.on:
        return heard
    found, source, trust = signs(heard.text), data_source_of(turn.role), trust_in(turn, config)
    if not is_untrusted_source(source, trust, guard):
        flagged = tuple(sign for sign in found if sign in _TELLING)
        return replace(heard, flagged=flagged) if flagged else heard
    if heard.skipped == _INJECTION and "instruction" not in found:
        found = ("instruction", *found)
    reason = suspicion(found, source, trust, guard)
    if not reason:
        return heard
    return Heard(turn, heard.text, heard.start, aside=reason)


def paced(services: Services, facts: Sequence[Fact], vectors: Mapping[str, FloatArray]) -> list[Fact]:
    """The facts of untrusted sources that are too loud are set aside, too.

    Args:
        services: the settings, the clock, and what untrusted sources wrote lately.
        facts: in the order in which they were said.
        vectors: normalised, by the fact's `new_id`; what has none is known already.
    """
    config, now, found = services.config, services.runtime.now(), list[Fact]()
    for fact in facts:
        turn = fact.episode
        source = data_source_of(turn.role)
        if fact.new_id in vectors and is_untrusted_source(source, trust_in(turn, config), config.guard):
            named = (source, turn.speaker or "", turn.session_id or "")
            reason = services.sources.note((turn.namespace, named), vectors[fact.new_id], now, config.guard)
            if reason and config.guard.quarantine and not fact.heard.aside:
                fact = replace(fact, heard=replace(fact.heard, aside=reason))  # noqa: PLW2901 - the one it becomes
        found.append(fact)
    return found
