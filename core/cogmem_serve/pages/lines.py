"""Lines of knowledge as pages show them: the words with their value, since when, what was before, who said it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from textwrap import shorten

from cogmem_core.engine import MemoryBank
from cogmem_core.errors import NotFound
from cogmem_core.knowledge.statements import NAMED
from cogmem_core.models import Memory
from cogmem_core.reading.topics import OTHERS, SPEAKER
from cogmem_core.results import Profile, ProfileLine
from cogmem_core.text.folding import fold_letters

_QUOTED = 3
"""Memories of a line that are quoted."""
_OF_THE_SPEAKER = ("tastes", "animals", "instructions")
"""Sections in which whatever somebody says of himself stands by itself."""
_BEINGS = ("people", "animals")
_POINTING = (*OTHERS, "it")
_LONGEST = 200  # characters
_WORD = re.compile(r"[^\W\d_][\w-]*")


@dataclass(frozen=True, slots=True)
class Told:
    """A line of knowledge, with the memories that say it.

    Attributes:
        line: what is known.
        lead: its words before the value; all of them if they do not hold it.
        value: the value in its words.
        rest: the words behind the value.
        quotes: the memories that say it, newest first, as far as they are there.
        language: of its words, as a code; "" = unknown.
        today: of another day: what holds today instead; None = nothing does.
        differs: of another day: whether it does not hold today.
    """

    line: ProfileLine
    lead: str
    value: str
    rest: str
    quotes: tuple[Memory, ...]
    language: str = ""
    today: str | None = None
    differs: bool = False

    @property
    def whole(self) -> str:
        """Its words."""
        return self.lead + self.value + self.rest

    @property
    def pinned(self) -> bool:
        """Whether a person said that it must always be shown."""
        return any(memory.pinned for memory in self.quotes)


def known(bank: MemoryBank, memory_id: str) -> Memory | None:
    """The memory of that id; None if it is gone."""
    try:
        return bank.get(memory_id)
    except NotFound:
        return None


def all_known(bank: MemoryBank, memory_ids: Iterable[str]) -> list[Memory]:
    """The memories of those ids, as far as they are there."""
    memories = (known(bank, memory_id) for memory_id in memory_ids)
    return [memory for memory in memories if memory is not None]


def told(bank: MemoryBank, lines: Iterable[ProfileLine]) -> list[Told]:
    """Lines with the memories that say them."""
    return [_told(bank, line) for line in lines]


def _told(bank: MemoryBank, line: ProfileLine) -> Told:
    quotes = all_known(bank, line.memory_ids[:_QUOTED])
    reading = quotes[0].reading if quotes else None
    lead, value, rest = line.text, "", ""
    pinned = [memory for memory in quotes if memory.pinned and not line.guards]
    if pinned or (quotes and line.subject in _POINTING):  # whom it means stands around it
        lead = shorten((*pinned, *quotes)[0].text, _LONGEST, placeholder="\u2026")
    elif line.value and line.value in line.text:
        lead, value, rest = line.text.partition(line.value)
    return Told(line, lead, value, rest, tuple(quotes), reading.language if reading else "")


def stands_alone(line: ProfileLine) -> bool:
    """Whether the words of a line tell something to whoever did not hear what was said around them.

    The others are folded away: a wrong line is worse than a missing one.
    """
    if line.of in OTHERS or line.subject in OTHERS:
        return False
    if line.of:
        starts = fold_letters(line.text).startswith(line.subject)
        return line.section in _BEINGS and bool(line.subject) and starts
    if line.subject not in SPEAKER:
        return False
    sure = line.slot in NAMED or line.since or line.former or len(line.said) > 1
    named = line.section == "who" and line.slot == "be" and line.value[:1].isupper()
    return line.section != "plans" and bool(sure or named or line.section in _OF_THE_SPEAKER)


def names(found: Profile, lines: Iterable[ProfileLine]) -> dict[str, str]:
    """Who and what has a page of their own: how lines name them, and how they are written."""
    written = {
        fold_letters(word): word
        for line in lines
        for word in _WORD.findall(f"{line.text} {line.whose}")
        if word[0].isupper()
    }
    return {of: written[of] for of in found.others if of in written and of not in OTHERS}


def compared(then: Iterable[Told], now: Iterable[ProfileLine]) -> Iterator[Told]:
    """Lines of another day, with what became of them."""
    today = list(now)
    words = {(line.of, fold_letters(line.text)) for line in today}
    by_slot: Mapping[tuple[str, str], str] = {
        (line.of, line.slot): line.value or line.text
        for line in reversed(today)
        if line.slot in NAMED
    }
    for each in then:
        line = each.line
        if (line.of, fold_letters(line.text)) in words:
            yield each
        else:
            yield replace(each, differs=True, today=by_slot.get((line.of, line.slot)))
