"""What a bank says it learnt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from textwrap import shorten
from typing import Literal

from cogmem_core.base.html_tables import html_table
from cogmem_core.base.reprs import brief

LearntKind = Literal["changed", "ended", "forgotten", "new"]

_MARK = 8  # characters of an id
_SHOWN = 200  # characters of what is printed


@dataclass(frozen=True, slots=True)
class LearntLine:
    """One thing that was learnt; of memories that took each other's place the last one.

    Attributes:
        number: 1, 2, ...
        what: `new`; `changed` (another value than before); `ended` (it is over); `forgotten` (by a
            person's word, or put away by a dream cycle).
        words: what the memory tells, in its own words, without courtesies and questions; empty of what
            was forgotten.
        former: the words that held before; empty if none are known.
        basis: `said` by a person, or `inferred`: derived, or the word of an assistant, an agent or a
            tool; of what was forgotten: wished for, or decided by a dream cycle.
        whose: the speaker, if known, or where an inferred one comes from.
        memory_ids: the memory to keep, fix or forget, then the former ones; of what was forgotten
            those that can be restored.
        at: when it was learnt.
        count: of memories that were forgotten; else 1.
        sure: False if the former may still hold, too: both are recalled, this one first.
        kept: somebody stands for it (see `MemoryBank.hold`).
    """

    number: int
    what: LearntKind
    words: str
    former: str
    basis: Literal["said", "inferred"]
    whose: str
    memory_ids: tuple[str, ...]
    at: datetime
    count: int = 1
    sure: bool = True
    kept: bool = False

    @property
    def label(self) -> str:
        """The number with a mark of the memory: whoever acts on it later means no other one.

        The number alone where there is no memory to act on.
        """
        if self.what == "forgotten":
            return str(self.number)
        return f"{self.number}-{self.memory_ids[0][-_MARK:]}"

    def __str__(self) -> str:
        told = shorten(self.words, _SHOWN, placeholder="\u2026") or (
            "1 memory" if self.count == 1 else f"{self.count} memories"
        )
        if self.former:
            told += f" ({'before' if self.sure else 'perhaps before'}: {self.former})"
        source = ", ".join(filter(None, (self.basis, self.whose)))
        return f"{self.number}. {self.what}: {told} [{source}]"


@dataclass(frozen=True, slots=True)
class Learnt:
    """What a bank learnt, the most telling first; `print` shows a line for each.

    Attributes:
        since: from when on.
        until: up to when.
        lines: changes and ends before what is new, what lasts before small talk.
        more: how many further lines the limit left out.
    """

    since: datetime
    until: datetime
    lines: tuple[LearntLine, ...] = ()
    more: int = 0

    def __iter__(self) -> Iterator[LearntLine]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def __str__(self) -> str:
        more = [f"... and {self.more} more"] if self.more else []
        return "\n".join([*map(str, self.lines), *more]) or "nothing new"

    def __repr__(self) -> str:
        return brief(self, "since", "until", "more", lines=list(map(str, self.lines)))

    def _repr_html_(self) -> str:
        rows = [
            (line.number, line.what, line.words or line.count, line.former, line.basis, line.whose)
            for line in self.lines
        ]
        caption = f"What was learnt since {self.since:%Y-%m-%d %H:%M}"
        headings = ("", "what", "words", "before", "basis", "whose")
        return html_table(caption, headings, rows, more=self.more)
