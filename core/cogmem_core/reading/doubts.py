"""Two clauses of which the newer one may have taken the place of the older one: how to ask, what an answer says."""

from __future__ import annotations

import re
from textwrap import shorten
from typing import Literal, NamedTuple

from cogmem_core.reading.between import change
from cogmem_core.reading.compare import GONE
from cogmem_core.reading.model import TELLING, Clause, Reading
from cogmem_core.reading.pack import Pack, pack_of
from cogmem_core.reading.pack_names import GENERAL
from cogmem_core.reading.pieces import is_fragment
from cogmem_core.reading.read import read
from cogmem_core.reading.replies import Choice, Reply, Versions
from cogmem_core.reading.said import Said, leaves, said_of, stem_set, words_of
from cogmem_core.reading.topics import SPEAKER

Bearing = Literal["slot", "subject", "version", "another", ""]
"""How a message names a doubt: by what shows that its slot matters, or by what both versions are about; "version" = it
is about one of them itself ("how does a bank work?"), "another" = about somebody else."""
_QUOTED = 80  # characters
_VALUE_WORDS = 4
_MARKS = re.compile(r'[.,;:!?](?!\w)|["()\u00ab\u00bb\u201c-\u201f\n]')
_BROKEN = re.compile(r'[.!?](?!\w)|["\n]')
"""What would end the question before its end."""


class Asked(NamedTuple):
    """A question, and the two versions as it names them."""

    question: str
    older: str
    newer: str


class Doubt(NamedTuple):
    """Two clauses about one thing that both stand.

    Attributes:
        old: the reading of what was said first.
        new: of what was said later.
        older: the clause of the first one.
        newer: the clause of the later one.
        gone: what the older one tells of is gone itself: nobody is asked about the dead.
    """

    old: Reading
    new: Reading
    older: Clause
    newer: Clause
    gone: bool = False

    def asked(self, code: str) -> Asked | None:
        """The question in a language; None if its pack has none."""
        pack = pack_of(code)
        if GENERAL not in pack.ask or self.gone or (self.aside and not self._said[1].own):
            return None
        of_one = code == self.new.language and self.older.slot == self.newer.slot
        form = pack.ask.get(self.newer.slot) if of_one else None
        values = (self.older.value.strip(), self.newer.value.strip())
        if form is None or not all(map(_fits, (self.older, self.newer), values, (pack, pack))):
            form = pack.ask[GENERAL]
            values = (_said(self.old, self.older), _said(self.new, self.newer))
        question = form.format(old=values[0], new=values[1])
        return Asked(question, *values)

    def choice(self, reply: str, code: str) -> Choice:
        """Which of the two an answer names; "" if it is not sure.

        Args:
            reply: what was answered, in few words.
            code: the language of the question.
        """
        pack = pack_of(code)
        versions = self._versions(pack)
        asked = self.asked(code)
        if asked is not None:
            words = stem_set(asked.question, pack)
            versions = versions._replace(
                common=versions.common | (words - versions.older - versions.newer)
            )
        choice = Reply(read(reply, code, pack), versions, pack).choice()
        gone = {"newer": self.older, "older": self.newer}.get(choice)
        return "both" if gone is not None and self.leaves(gone) else choice

    def leaves(self, gone: Clause) -> bool:
        """Whether one of the two tells other things beside what the other one is about: they hold on."""
        old, new = self._said
        left, kept = (old, new) if gone is self.older else (new, old)
        return self.aside or leaves(left.lists, kept.told)

    @property
    def aside(self) -> bool:
        """Whether what is over is only named beside what the older one tells; see `Said.names_aside`."""
        old, new = self._said
        over = self.newer.ends or self.newer.negative
        return over and old.names_aside(new, pack_of(self.old.language))

    @property
    def _said(self) -> tuple[Said, Said]:
        return (
            said_of(self.old.text, self.older, pack_of(self.old.language)),
            said_of(self.new.text, self.newer, pack_of(self.new.language)),
        )

    def alone(self, reply: str, code: str) -> bool:
        """Whether an answer tells nothing but which of the two holds."""
        pack = pack_of(code)
        known = frozenset().union(*self._claims(pack))
        return is_fragment(reply) or known.issuperset(words_of(reply, pack))

    @property
    def owned(self) -> bool:
        """Whether it is about the user, or what is his."""
        subjects = (self.older.subject, self.newer.subject)
        return any(each in SPEAKER or each.startswith("my ") for each in subjects)

    def bears_on(self, message: str, code: str, subject: str = "") -> Bearing:
        """What a message has to do with it.

        Args:
            message: what the user says.
            code: its language.
            subject: whom or what it asks about, see `reading.question`.
        """
        pack = pack_of(code)
        if self.newer.slot in borne_slots(message, code):
            return "slot"
        said = stem_set(message, pack) - pack.subjects.keys()
        named = self._versions(pack)
        if self._alike and said & (named.older | named.newer):
            return "version"
        topic = named.common
        if self._alike and self.newer.subject not in SPEAKER:
            head = words_of(self.newer.subject, pack)
            topic = frozenset(head[:1] if pack.head_first else head[-1:])
        asked = stem_set(subject, pack) - pack.subjects.keys()
        if asked and self.owned and asked.isdisjoint(topic):
            return "another"
        return "subject" if said & topic else ""

    @property
    def _alike(self) -> bool:
        """Whether both give a value of one slot."""
        return self.older.slot == self.newer.slot and bool(self.older.value and self.newer.value)

    def _claims(self, pack: Pack) -> tuple[frozenset[str], frozenset[str]]:
        texts = (self.old.words(self.older), self.new.words(self.newer))
        older, newer = (stem_set(text, pack) for text in texts)
        silent = pack.subjects.keys() | pack.words["joints"]
        return older - silent, newer - silent

    def _versions(self, pack: Pack) -> Versions:
        """The stems by which an answer names them: those of the values, if both are of one slot."""
        older, newer = self._claims(pack)
        common = older & newer
        if self._alike:
            values = (self.older.value, self.newer.value)
            old, new = (stem_set(text, pack) for text in values)
            if old - new and new - old:
                return Versions(old - new, new - old, common, self.newer.slot, True)
        return Versions(older - newer, newer - older, common, self.newer.slot, False)


def borne_slots(message: str, code: str) -> frozenset[str]:
    """The slots whose values matter to a message, as far as phrases show: "near me" is about a home."""
    pack = pack_of(code)
    folded = pack.fold(message)
    return frozenset(slot.name for slot in pack.slots if slot.bears.within(folded))


def doubt(new: Reading, old: Reading, *, known: bool = False) -> Doubt | None:
    """Which clauses of two texts of one person may be versions of one thing; None if none are.

    A country is no other version of a town: both may hold.

    Args:
        new: what was said later.
        old: what was said before.
        known: something else than their words says that they are: then texts that tell one thing each are.
    """
    found = change(new, old)
    if found is None:
        told = [
            [each for each in reading.clauses if each.kind in TELLING] for reading in (old, new)
        ]
        alone = known and all(len(clauses) == 1 for clauses in told)
        return Doubt(old, new, told[0][0], told[1][0]) if alone else None
    verdict = found.verdicts[0]
    older = old.clauses[verdict.number]
    newer = new.clauses[verdict.by]
    pack = pack_of(new.language)
    wide = [pack.says("regions", each.value) for each in (older, newer)]
    if older.slot == newer.slot and wide[0] != wide[1]:
        return None
    gone = verdict.reason == GONE and older.subject == newer.subject
    return Doubt(old, new, older, newer, gone)


def _fits(clause: Clause, value: str, pack: Pack) -> bool:
    """Whether a value can be put into the question of its slot as it is.

    It is the speaker's, short, and of no case that its article would show.
    """
    words = pack.fold(value).split()
    subject = clause.subject.removeprefix("my ")
    own = subject in SPEAKER or pack.has("users", subject)
    own = own or any(slot.name == clause.slot and subject in slot.things for slot in pack.slots)
    return (
        own
        and 0 < len(words) <= _VALUE_WORDS
        and not _MARKS.search(value)
        and not ("oblique" in pack.words and pack.has("determiners", words[0]))
    )


def _said(reading: Reading, clause: Clause) -> str:
    words = _BROKEN.sub(" ", reading.words(clause)).strip(" .,;:!?")
    return shorten(words, _QUOTED, placeholder="\u2026")
