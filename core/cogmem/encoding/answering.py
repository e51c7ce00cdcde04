"""What a short turn answers. "Rex." tells little; behind "What is your dog called?" it is found, and understood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cogmem.encoding.facts import Heard, voice_of
from cogmem.models import Episode
from cogmem.services import Services
from cogmem.text.asking import last_question
from cogmem.text.echo import strip_fenced
from cogmem.text.orders import signs

__all__ = ["answering"]

_ASKS = ("user", "assistant")  # a tool and a document ask nobody


def answering(services: Services, namespace: str, heard: Sequence[Heard]) -> list[Heard]:
    """The turns of one batch; each short one with the question that another voice asked just before in its session."""
    longest, before = services.config.encoding.answer_characters, dict[str, Episode]()
    found: list[Heard] = []
    for one in heard:
        turn, session = one.episode, one.episode.session_id
        if session is None:
            found.append(one)
            continue
        short = not one.skipped and not one.aside and len(one.text.strip()) <= longest
        last = (before.get(session) or _last(services, namespace, turn, session)) if short else None
        found.append(replace(one, asked=_asked(last, turn)) if last is not None else one)
        before[session] = turn
    return found


def _last(services: Services, namespace: str, turn: Episode, session: str) -> Episode | None:
    with services.ledger.reading() as reader:
        return next(iter(reader.turns_before(namespace, session, turn.id, 1, listed=True)), None)


def _asked(last: Episode, turn: Episode) -> str:
    if last.role not in _ASKS or voice_of(last) == voice_of(turn) or turn.content.rstrip().endswith("?"):
        return ""
    question = last_question(strip_fenced(last.content))
    # Nobody's orders are taken in as part of what somebody else says.
    return "" if signs(question) else question
