"""What is known of somebody or something, as lines with their times and sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from cogmem_core.base.html_tables import html_table
from cogmem_core.base.reprs import brief

Section = Literal[
    "who",
    "home",
    "work",
    "people",
    "animals",
    "health",
    "tastes",
    "habits",
    "possessions",
    "plans",
    "projects",
    "instructions",
]
SECTIONS: tuple[Section, ...] = get_args(Section)


@dataclass(frozen=True, slots=True)
class FormerValue:
    """What was true before.

    Attributes:
        text: the words that said so.
        value: the value in them; "" = the words tell more: "I don't like leek".
        since: when it was said.
        until: when it ceased to be true; None = nobody knows.
        memory_id: the memory that says it.
    """

    text: str
    value: str
    since: datetime
    until: datetime | None
    memory_id: str


@dataclass(frozen=True, slots=True)
class ProfileLine:
    """One thing that is known.

    Attributes:
        section: where it stands.
        of: whom it is about: "" = whom the profile is of; else as they are called: "Lena", "sister".
        subject: what the clause is about, as it says so, in small letters: "i", "my boss".
        text: the words of the clause, as they were said.
        slot: what it says: "home", "work"; a verb with its preposition; "" = was not understood.
        value: the value, as it stands in the text.
        since: from when on it is true, if somebody told; None = nobody did.
        said: when it was said, oldest first.
        former: what was true before, newest first.
        memory_ids: the memories that say it, newest first.
        confidence: 0..1, how sure it is: trust in the source, less where something speaks against it.
        doubts: the words of what may be true instead.
        later: what the same person said of a plan, an instruction or a guardian fact since, whatever it
            says; of any line what ended of which it tells besides.
        guards: what makes it a guardian fact, such as "allergy"; "" = it is none.
        whose: "" = the words of the person whose memories these are; else whose word it is: "an
            assistant's words", or of several speakers the one who says it: "Bob".
    """

    section: Section
    of: str
    subject: str
    text: str
    slot: str
    value: str
    since: datetime | None
    said: tuple[datetime, ...]
    former: tuple[FormerValue, ...] = ()
    memory_ids: tuple[str, ...] = ()
    confidence: float = 1.0
    doubts: tuple[str, ...] = ()
    later: tuple[str, ...] = ()
    guards: str = ""
    whose: str = ""

    def __str__(self) -> str:
        notes = []
        if self.since is not None:
            notes.append(f"since {self.since.date()}")
        if self.former:
            notes.append("before: " + "; ".join(old.value or old.text for old in self.former))
        notes += [f"or: {words}" for words in self.doubts]
        notes += [f"said later: {words}" for words in self.later]
        notes += [self.whose] if self.whose else []
        return self.text + (f" ({', '.join(notes)})" if notes else "")


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of a person or thing.

    Attributes:
        subject: whom it is of, as it was asked for; "" = whose memories these are.
        of: how its lines name that one.
        lines: by section, in the order of `SECTIONS`, the most important first in each.
        more: how many further lines found no room.
        others: who and what else has a profile of their own: three lines or more.
    """

    subject: str
    of: str = ""
    lines: tuple[ProfileLine, ...] = ()
    more: int = 0
    others: tuple[str, ...] = ()

    def section(self, name: Section) -> tuple[ProfileLine, ...]:
        """The lines of one section."""
        return tuple(line for line in self.lines if line.section == name)

    def by_section(self) -> Iterator[tuple[Section, tuple[ProfileLine, ...]]]:
        """The sections that have lines, with them."""
        for name in SECTIONS:
            if lines := self.section(name):
                yield name, lines

    def __str__(self) -> str:
        parts = []
        for name, lines in self.by_section():
            parts += [f"{name}:", *(f"- {line}" for line in lines)]
        parts += [f"and {self.more} more"] if self.more else []
        return "\n".join(parts)

    def __len__(self) -> int:
        return len(self.lines)

    def __repr__(self) -> str:
        return brief(self, "subject", "more", "others", lines=len(self.lines))

    def _repr_html_(self) -> str:
        rows = [(line.section, line.of, line.text, line.since or "") for line in self.lines]
        return html_table(self.subject, ("section", "of", "known", "since"), rows, more=self.more)
