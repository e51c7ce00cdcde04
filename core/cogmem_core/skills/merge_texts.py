"""Write-time synthesis: a memory and what refines it become one text that keeps every fact of both.

A merged text that loses a number, a name or the negation of either, or brings in one of its own, is
refused; then the new sentences are appended to the old text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from pydantic import BaseModel, ConfigDict

from cogmem_core.skills.run import Message, Skill, ask
from cogmem_core.text.keys import content_hash
from cogmem_core.text.tokens import tokens

__all__ = ["MergeAnswer", "MergeInput", "appended", "invented", "lost", "merging", "negates"]

_TASK = (
    "Merge two notes about the same thing into one. `old` was known before, `new` was said later. "
    "Keep every fact of both: every name, number, date and negation, in the words of the notes "
    "and in their language. Where they contradict each other, say what changed and keep both "
    "values, the newer one as current. Add nothing that neither says. One to three sentences."
)
_NUMBER = re.compile(r"[0-9]+(?:[.,:/-][0-9]+)*")
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")
_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])\s+|(?<=[。！？])|\n+")  # noqa: RUF001 - full stops of other scripts
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|without|cannot|değil|yok|asla|hiç)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_KEPT_SHARE = 0.7


@dataclass(frozen=True, slots=True)
class MergeInput:
    """Two texts to merge, and when each was said."""

    old: str
    new: str
    old_at: datetime | None = None
    new_at: datetime | None = None


class MergeAnswer(BaseModel):
    """The merged note."""

    model_config = ConfigDict(strict=True)

    text: str


def merging(
    fallback: Callable[[MergeInput], str] | None = None, *, max_characters: int = 2_000
) -> Skill[MergeInput, MergeAnswer, str]:
    """The step; without a twin of its own it falls back to `appended`.

    Args:
        max_characters: a longer merged text is refused, unless its parts are as long themselves.
    """
    parse = partial(_parse, max_characters=max_characters)
    twin = fallback or (lambda given: appended(given.old, given.new))
    return Skill("merge", _prompt, MergeAnswer, parse, twin)


def appended(old: str, new: str) -> str:
    """The old text followed by those sentences of the new one that it does not hold yet."""
    known = {content_hash(sentence) for sentence in _sentences(old)}
    fresh: list[str] = []
    for sentence in _sentences(new):
        if content_hash(sentence) not in known:
            known.add(content_hash(sentence))
            fresh.append(sentence)
    if not fresh:
        return old
    kept = old.strip()
    if not kept:
        return " ".join(fresh)
    return f"{kept}{' ' if kept[-1] in '.!?…。！？' else '; '}{' '.join(fresh)}"  # noqa: RUF001


def lost(text: str, *originals: str) -> tuple[str, ...]:
    """The numbers and capitalised words of the originals that the text no longer holds, as index tokens, sorted.

    Words are compared as the index sees them: without case, possessive and ending; stop-words do
        not count.
    """
    held = set(tokens(text))
    return tuple(sorted({token for original in originals for token in _marks(original)} - held))


def invented(text: str, *originals: str) -> tuple[str, ...]:
    """The numbers of the text that no original holds, as index tokens, sorted."""
    said = {token for original in originals for token in tokens(original)}
    return tuple(
        sorted({token for number in _NUMBER.findall(text) for token in tokens(number)} - said)
    )


def negates(text: str) -> bool:
    """Whether the text holds a word of negation, English or Turkish."""
    return _NEGATION.search(text) is not None


def _prompt(given: MergeInput) -> list[Message]:
    return ask(
        _TASK, {"old": _dated(given.old, given.old_at), "new": _dated(given.new, given.new_at)}
    )


def _dated(text: str, at: datetime | None) -> dict[str, str | None]:
    return {"said": at.date().isoformat() if at else None, "text": text}


def _parse(answer: MergeAnswer, given: MergeInput, *, max_characters: int) -> str:
    text = " ".join(answer.text.split())
    if not text:
        raise ValueError("the merged text is empty")
    if len(text) > max(max_characters, len(given.old) + len(given.new)):
        raise ValueError(f"the merged text has {len(text)} characters")
    missing = lost(text, given.old, given.new)
    added = invented(text, given.old, given.new)
    if missing or added:
        raise ValueError(
            f"the merged text loses {len(missing)} names or numbers and brings in {len(added)} "
            "numbers"
        )
    if negates(text) != (negates(given.old) or negates(given.new)):
        raise ValueError("the merged text loses a negation or brings one in")
    if not all(_keeps_most(text, original) for original in (given.old, given.new)):
        raise ValueError("the merged text loses most of what one of the notes says")
    return text


def _keeps_most(text: str, original: str) -> bool:
    said = set(tokens(original))
    return not said or len(said & set(tokens(text))) >= _KEPT_SHARE * len(said)


def _marks(text: str) -> set[str]:
    """The tokens that carry facts which nobody can guess back: numbers and capitalised words."""
    capitalised = [word for word in _WORD.findall(text) if word[0].isupper()]
    return {token for word in [*capitalised, *_NUMBER.findall(text)] for token in tokens(word)}


def _sentences(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]
