"""Sealed topics: what is never to be kept is cut out of a text, clause by clause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cogmem_core.base.lru import text_cache
from cogmem_core.reading import of
from cogmem_core.reading.model import Clause, Reading
from cogmem_core.reading.topics import NAMES, names_one, topics_of

NOT_KEPT = "[not kept]"
"""Stands for a text of which a seal leaves nothing."""
SEALED = "sealed topic"
"""The kind of what was taken out, beside the kinds of secrets and of personal data."""
_READ = 4_000  # characters that are read at once: a reading does not go on without end
_LINE_ENDS = re.compile(r"(?<=\n)|(?<=[.!?\u3002])(?=\s)")
_ENDS = ".!?\u2026\u3002\uff01\u0964"


class Cut(NamedTuple):
    """A text without what is sealed, and the seals that took something out of it."""

    text: str
    seals: tuple[str, ...] = ()


@text_cache(1_024)
def cut_sealed(text: str, never_keep: tuple[str, ...]) -> Cut:
    """Cut the clauses of sealed topics out of a text.

    Args:
        text: as it was said.
        never_keep: names of topics, and words of one's own.

    Returns:
        The same text if nothing of it is sealed, `NOT_KEPT` if nothing is left.
    """
    if not never_keep:
        return Cut(text)
    found: dict[str, None] = {}
    parts: list[str] = []
    for part in _portions(text):
        reading = of(part)
        sealed = _sealed(reading, never_keep)
        for names in sealed.values():
            found |= dict.fromkeys(names)
        parts.append(_without(reading, sealed) if sealed else part)
    left = "".join(parts)
    return Cut(left if left.strip() else NOT_KEPT, tuple(found)) if found else Cut(text)


def cut_answer(text: str, asked: str, never_keep: tuple[str, ...]) -> Cut:
    """As `cut_sealed`; an answer that tells something only with its question is sealed with that."""
    cut = cut_sealed(text, never_keep)
    if (
        not never_keep
        or cut.seals
        or not asked
        or any(clause.framed for clause in of(text[:_READ]).clauses)
    ):
        return cut
    seals = cut_sealed(asked, never_keep).seals
    return Cut(NOT_KEPT, seals) if seals else cut


def _portions(text: str) -> Iterator[str]:
    """A long text in portions that end with a line or a sentence."""
    if len(text) <= _READ:
        yield text
        return
    portion = ""
    for piece in _LINE_ENDS.split(text):
        if portion and len(portion) + len(piece) > _READ:
            yield portion
            portion = ""
        portion += piece
    yield portion


def _sealed(reading: Reading, never_keep: Sequence[str]) -> dict[int, list[str]]:
    """By the number of each clause that is sealed: by what. What goes on in its sentence goes with it."""
    found: dict[int, list[str]] = {}
    for number, clause in enumerate(reading.clauses):
        topics = topics_of(reading, clause)
        names = [
            seal
            for seal in never_keep
            if (seal in topics if seal in NAMES else names_one(reading, clause, seal))
        ]
        if not names and number - 1 in found and _goes_on(reading, number):
            names = found[number - 1]
        if names:
            found[number] = names
    return found


def _goes_on(reading: Reading, number: int) -> bool:
    """Whether a clause says something of the one before in its sentence: "..., it was benign"."""
    before, clause = reading.clauses[number - 1 : number + 1]
    between = reading.text[before.end : clause.start]
    return clause.subject in ("", "it") and not any(mark in _ENDS for mark in between)


def _without(reading: Reading, sealed: dict[int, list[str]]) -> str:
    """A text without some of its clauses; what stands between two that are left stays with them."""
    parts: list[list[Clause]] = []
    for number, clause in enumerate(reading.clauses):
        if number in sealed:
            continue
        if parts and number - 1 not in sealed:
            parts[-1].append(clause)
        else:
            parts.append([clause])
    texts = [reading.text[part[0].start : part[-1].end].strip() for part in parts]
    told = any(clause.kind != "filler" for part in parts for clause in part)
    return " ".join(each if each[-1:] in _ENDS else f"{each}." for each in texts) if told else ""
