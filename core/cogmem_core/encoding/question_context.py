"""What a short turn answers. "Rex." tells little; behind "What is your dog called?" it is found, and understood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cogmem_core.config import EncodingConfig
from cogmem_core.encoding.facts import Heard, voice_of
from cogmem_core.encoding.sanitize import scrub
from cogmem_core.models import Episode, Turn
from cogmem_core.services import Services
from cogmem_core.text.compare import without_context_blocks
from cogmem_core.text.observe.observer import TRIVIAL
from cogmem_core.text.query.questions import asks_about_you, last_question, polarity
from cogmem_core.text.safety.prompt_injection import signs

__all__ = ["ANSWERING", "answering", "asked_of"]

ANSWERING = "cogmem_answers"
"""In the metadata of a turn: the question that it answers, if the caller told."""

_ASKS = ("user", "assistant")  # a tool and a document ask nobody


def asked_of(turn: Turn, config: EncodingConfig) -> dict[str, str]:
    """Metadata of a turn as it is kept: what it answers, as far as that is told, may be kept, and will be of use."""
    if not turn.asked or len(turn.content.strip()) > config.answer_characters:
        return {}
    question = scrub(last_question(without_context_blocks(turn.asked)), config)
    return {ANSWERING: question} if question else {}


def answering(services: Services, namespace: str, heard: Sequence[Heard]) -> list[Heard]:
    """The turns of one batch; each short one with the question that another voice asked just before in its session."""
    longest, before = services.config.encoding.answer_characters, dict[str, Episode]()
    found: list[Heard] = []
    for one in heard:
        turn, session, asked = one.episode, one.episode.session_id, ""
        agrees = services.config.observer.keep_weak and _agrees(one)
        if agrees or _answers(one, longest):
            asked = _told(turn)
            if not asked and session is not None:
                asked = _asked(before.get(session) or _last(services, namespace, turn, session), turn)
        # Nobody's orders are taken in as part of what somebody else says.
        asked = "" if signs(asked) or (agrees and not asks_about_you(asked)) else asked
        found.append(_answered(one, asked) if asked else one)
        if session is not None:
            before[session] = turn
    return found


def _answers(one: Heard, longest: int) -> bool:
    text = one.text.strip()
    return not (one.skipped or one.aside) and len(text) <= longest and not text.endswith("?")


def _agrees(one: Heard) -> bool:
    """Whether a person says no more than yes or no."""
    agreed = one.episode.role == "user" and one.skipped == TRIVIAL["confirmation"] and not one.aside
    return agreed and polarity(one.text) is not None


def _answered(one: Heard, asked: str) -> Heard:
    """A mere "Yes." is a fact, too, where a person was asked about himself."""
    return replace(one, asked=asked, skipped="", category="fact") if one.skipped else replace(one, asked=asked)


def _told(turn: Episode) -> str:
    told = turn.metadata.get(ANSWERING, "")
    return told if isinstance(told, str) else ""


def _last(services: Services, namespace: str, turn: Episode, session: str) -> Episode | None:
    with services.ledger.reading() as reader:
        return next(iter(reader.turns_before(namespace, session, turn.id, 1, listed=True)), None)


def _asked(last: Episode | None, turn: Episode) -> str:
    if last is None or last.role not in _ASKS or voice_of(last) == voice_of(turn):
        return ""
    return last_question(without_context_blocks(last.content))
