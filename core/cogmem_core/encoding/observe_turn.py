"""From a turn as it was said to a turn as it was heard: echoes out, observer, times. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from cogmem_core.config import ObserverConfig
from cogmem_core.encoding.facts import Heard
from cogmem_core.models import Episode
from cogmem_core.text.compare import is_negative, without_context_blocks, without_echoes
from cogmem_core.text.observe.observer import TRIVIAL, Observation, observe
from cogmem_core.text.observe.small_talk import is_trivial
from cogmem_core.text.query.questions import only_asks
from cogmem_core.text.time.days import in_zone
from cogmem_core.text.time.find import first_time
from cogmem_core.text.time.zones import zone_or_utc
from cogmem_core.text.tokens import tokens

__all__ = ["RECALLED", "Echoes", "hear", "hear_as_said", "said_at"]

RECALLED = "recalled"
_NEVER_WEAK = ("role", "system_content", "prompt_injection", "xml_block")
_LONGEST = 5_000


def hear_as_said(episode: Episode) -> Heard:
    """Raw mode: no observer, verbatim; only a turn that is nothing but our own fence is not taken in again."""
    if not without_context_blocks(episode.content).strip():
        return Heard(episode, "", skipped=RECALLED)
    return Heard(episode, episode.content)


@dataclass(frozen=True, slots=True)
class Echoes:
    """What may come back in a turn.

    Attributes:
        injected: memories that went into a prompt lately; what repeats them is cut out.
        known: memories and turns that an assistant may repeat; a turn that says nothing else is left out.
    """

    injected: Sequence[str] = ()
    known: Sequence[str] = ()


def hear(episode: Episode, echoes: Echoes, config: ObserverConfig) -> Heard:
    """Judge one turn.

    Args:
        episode: the turn.
        echoes: what may come back in it.
        config: the observer's limits.
    """
    text = _novel(without_context_blocks(episode.content), episode, echoes)
    if not text.strip():
        return Heard(episode, "", skipped=RECALLED)
    observation, weak = _observe(text, episode, config)
    skipped = observation.skipped or ""
    return Heard(
        episode=episode,
        text=text,
        start=episode.content.find(text),
        skipped="" if weak else skipped,
        weak=weak,
        category=observation.category,
        confidence=observation.confidence,
        entities=tuple(entity.uri for entity in observation.entities),
        emotion=observation.emotion,
        referenced_at=first_time(text, said_at(episode)) if not skipped or weak else None,
    )


def _novel(text: str, episode: Episode, echoes: Echoes) -> str:
    """What is new in a text; an assistant also repeats in other words, and weaves several memories into a sentence."""
    if len(text) > _LONGEST:  # a document: kept whole, and weak
        return text
    exact = episode.role != "assistant"
    everything = (*echoes.injected, *echoes.known)
    if everything:
        rest = without_echoes(text, everything, exact=exact)
        if not rest.strip() or (not exact and _woven(rest, echoes.injected)):
            return ""
    return without_echoes(text, echoes.injected, exact=exact) if echoes.injected else text


def _woven(text: str, injected: Sequence[str]) -> bool:
    """Whether a text has no word that was not in the prompt, and denies nothing that was affirmed there."""
    said, given = set(tokens(text)), {token for one in injected for token in tokens(one)}
    return bool(said) and said <= given and (not is_negative(text) or any(map(is_negative, injected)))


def _observe(text: str, episode: Episode, config: ObserverConfig) -> tuple[Observation, str]:
    """The observation, and why the turn is weak. What is merely dull may still answer a question later."""
    asks = only_asks(text)
    # With its mark a question matches no pattern of statements.
    marked = f"{text.rstrip()}?" if asks and not text.rstrip().endswith("?") else text
    seen = observe(marked, episode.role, config)
    reason = seen.skipped
    if reason is None:
        return seen, ""
    if reason == "low_density" and asks:
        return replace(seen, skipped="question"), ""
    if reason in _NEVER_WEAK or reason.startswith("trivial") or not config.keep_weak:
        return seen, ""
    trivial = is_trivial(text)
    if trivial:
        return replace(seen, skipped=TRIVIAL.get(trivial, reason)), ""
    if reason != "low_density":
        seen = observe(text.strip()[: _LONGEST - 1], episode.role, _lenient(config))
        if seen.skipped:
            return seen, ""
    return seen, reason


@lru_cache(maxsize=8)
def _lenient(config: ObserverConfig) -> ObserverConfig:
    """The same observer without the filters that only look at form."""
    no_form = {"minimum_characters": 0, "maximum_characters": _LONGEST, "code_share": 1.0, "minimum_density": 0}
    return replace(config, **no_form, markdown_lines=10_000, maximum_emoji=10_000)  # type: ignore[arg-type]


def said_at(episode: Episode) -> datetime:
    """When a turn was said, in the speaker's zone; UTC where this machine does not know that zone."""
    return in_zone(episode.at, zone_or_utc(episode.zone))
