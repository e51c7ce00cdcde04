"""Write-time synthesis: a memory and what refines it become one text that keeps every fact of both.

A merged text that loses a number, a name or the negation of either, or adds one of its own, is
refused; then the new sentences are appended to the old text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from cogmem_core.reading import sentences_of
from cogmem_core.reading.facts import denies, figures, names_and_figures
from cogmem_core.skills.run import Message, Skill, StrictModel, ask, day_of, one_line
from cogmem_core.text.keys import content_hash
from cogmem_core.text.tokens import tokens

_TASK = (
    "Merge two notes about the same thing into one. `old` was known before, `new` was said later. "
    "Keep every fact of both: every name, number, date and negation, in the words of the notes "
    "and in their language. Where they contradict each other, say what changed and keep both "
    "values, the newer one as current. Add nothing that neither says. One to three sentences."
)
_FULL_STOPS = ".!?…。！？"  # noqa: RUF001
_MIN_SHARE = 0.7
_LONGEST = 2_000  # characters of a merged text, unless its parts are as long themselves


@dataclass(frozen=True, slots=True)
class MergeInput:
    """Two texts to merge, and when each was said."""

    old: str
    new: str
    old_at: datetime | None = None
    new_at: datetime | None = None


class MergeAnswer(StrictModel):
    """The merged note."""

    text: str


def merging() -> Skill[MergeInput, MergeAnswer, str]:
    """The step; its heuristic is `appended`."""
    return Skill(
        "merge", _prompt, MergeAnswer, _parse, lambda texts: appended(texts.old, texts.new)
    )


def appended(old: str, new: str) -> str:
    """The old text followed by those sentences of the new one that it does not hold yet."""
    hashes = set(map(content_hash, _sentences(old)))
    new_sentences: list[str] = []
    for sentence in _sentences(new):
        sentence_hash = content_hash(sentence)
        if sentence_hash not in hashes:
            hashes.add(sentence_hash)
            new_sentences.append(sentence)
    if not new_sentences:
        return old
    addition = " ".join(new_sentences)
    start = old.strip()
    if not start:
        return addition
    separator = " " if start[-1] in _FULL_STOPS else "; "
    return f"{start}{separator}{addition}"


def lost(text: str, *originals: str) -> tuple[str, ...]:
    """Numbers, days and capitalised words of the originals that the text does not hold, as index tokens.

    They are sorted, and compared as the index sees them: without case, possessive and ending;
    stop-words do not count.
    """
    expected = tokens_of(chain.from_iterable(map(names_and_figures, originals)))
    return tuple(sorted(expected - set(tokens(text))))


def invented(text: str, *originals: str) -> tuple[str, ...]:
    """The numbers of the text that no original holds, as index tokens, sorted."""
    return tuple(sorted(tokens_of(figures(text)) - tokens_of(originals)))


def tokens_of(texts: Iterable[str]) -> set[str]:
    """The tokens of all of them."""
    return set(chain.from_iterable(map(tokens, texts)))


def _prompt(inputs: MergeInput) -> list[Message]:
    old = _dated(inputs.old, inputs.old_at)
    new = _dated(inputs.new, inputs.new_at)
    return ask(_TASK, {"old": old, "new": new})


def _dated(text: str, at: datetime | None) -> dict[str, str | None]:
    return {"said": day_of(at), "text": text}


def _parse(answer: MergeAnswer, inputs: MergeInput) -> str:
    text = one_line(answer.text)
    if not text:
        raise ValueError("the merged text is empty")
    if len(text) > max(_LONGEST, len(inputs.old) + len(inputs.new)):
        raise ValueError(f"the merged text has {len(text)} characters")
    missing = lost(text, inputs.old, inputs.new)
    added = invented(text, inputs.old, inputs.new)
    if missing or added:
        raise ValueError(
            f"the merged text loses {len(missing)} names or numbers and brings in {len(added)} "
            "numbers"
        )
    if denies(text) != (denies(inputs.old) or denies(inputs.new)):
        raise ValueError("the merged text loses a negation or brings one in")
    if not (_keeps_most(text, inputs.old) and _keeps_most(text, inputs.new)):
        raise ValueError("the merged text loses most of what one of the notes says")
    return text


def _keeps_most(text: str, original: str) -> bool:
    words = set(tokens(original))
    return len(words & set(tokens(text))) >= _MIN_SHARE * len(words)


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences_of(text)]
