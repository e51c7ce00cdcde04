"""Two clauses of which the newer one may have taken the place of the older one: how to ask, what an answer says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import shorten
from typing import Literal, NamedTuple

from cogmem_core.reading.between import change
from cogmem_core.reading.compare import SILENT, words_of
from cogmem_core.reading.model import Clause, Reading
from cogmem_core.reading.pack import GENERAL, Pack, pack_of
from cogmem_core.reading.pieces import is_fragment
from cogmem_core.reading.read import read
from cogmem_core.reading.tokens import tokens_of
from cogmem_core.reading.topics import SPEAKER

Choice = Literal["older", "newer", "both", "neither", ""]
"""What an answer says of two versions; "" = nothing that is sure."""
Bearing = Literal["slot", "subject", "another", ""]
"""How a message names a doubt: by what shows that its slot matters, or by what both versions are about; "another" =
it is about one of the versions itself ("how does a bank work?"), or about somebody else."""
_QUOTED = 80  # characters
_VALUE_WORDS = 4
_MARKS = re.compile(r'[.,;:!?](?!\w)|["()\u00ab\u00bb\u201c-\u201f\n]')
_PAUSES = re.compile(r"[,;:.!?](?!\w)|[\u2013\u2014\n]|\s-\s")
_LATER = ("plans", "limiting", "weekdays", "habits", "seasons", "source", "spells", "quantities")
_DENYING = ("negations", "denying", "excluding")


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
    """

    old: Reading
    new: Reading
    older: Clause
    newer: Clause

    def asked(self, code: str) -> Asked | None:
        """The question in a language; None if its pack has none."""
        pack = pack_of(code)
        if GENERAL not in pack.ask:
            return None
        form = pack.ask.get(self.newer.slot) if code == self.new.language else None
        values = (self.older.value.strip(), self.newer.value.strip())
        clauses = (self.older, self.newer)
        if form is None or not all(map(_fits, clauses, values, (pack, pack))):
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
        return _Reply(self, read(reply, code, pack_of(code)), pack_of(code)).choice()

    def alone(self, reply: str, code: str) -> bool:
        """Whether an answer tells nothing but which of the two holds."""
        pack = pack_of(code)
        texts = (self.old.words(self.older), self.new.words(self.newer))
        known = {word for text in texts for word in words_of(text, pack, silent=SILENT)}
        return is_fragment(reply) or known.issuperset(words_of(reply, pack, silent=SILENT))

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
        said = frozenset(words_of(message, pack, silent=SILENT)) - pack.subjects.keys()
        if any(said & words for words in self.words(pack)):
            return "another"
        older, newer = (
            frozenset(words_of(text, pack, silent=SILENT))
            for text in (self.old.words(self.older), self.new.words(self.newer))
        )
        topic = older & newer
        if self.newer.subject not in SPEAKER:
            head = words_of(self.newer.subject, pack, silent=SILENT)
            topic = frozenset(head[:1] if pack.head_first else head[-1:])
        asked = frozenset(words_of(subject, pack, silent=SILENT)) - pack.subjects.keys()
        if asked and self.owned and asked.isdisjoint(topic):
            return "another"
        return "subject" if said & topic else ""

    def words(self, pack: Pack) -> tuple[frozenset[str], frozenset[str]]:
        """The stems by which an answer names the older and the newer version: those of the values, if they differ."""
        for old, new in (
            (self.older.value, self.newer.value),
            (self.old.words(self.older), self.new.words(self.newer)),
        ):
            older, newer = (frozenset(words_of(text, pack, silent=SILENT)) for text in (old, new))
            if older - newer and newer - older:
                return older - newer, newer - older
        return older - newer, newer - older


def borne_slots(message: str, code: str) -> frozenset[str]:
    """The slots whose values matter to a message, as far as phrases show: "near me" is about a home."""
    pack = pack_of(code)
    folded = pack.fold(message)
    return frozenset(slot.name for slot in pack.slots if slot.bears.within(folded, 0, len(folded)))


def doubt(new: Reading, old: Reading) -> Doubt | None:
    """Which clauses of two texts of one person may be versions of one thing; None if none are.

    A country is no other version of a town: both may hold.
    """
    found = change(new, old)
    if found is None:
        return None
    verdict = found.verdicts[0]
    older = old.clauses[verdict.number]
    newer = new.clauses[verdict.by]
    pack = pack_of(new.language)
    wide = [
        any(pack.has("regions", word) for word in pack.fold(each.value).split())
        for each in (older, newer)
    ]
    if older.slot == newer.slot and wide[0] != wide[1]:
        return None
    return Doubt(old, new, older, newer)


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
    words = _MARKS.sub(" ", reading.words(clause)).strip()
    return shorten(words, _QUOTED, placeholder="\u2026")


class _Mention(NamedTuple):
    """A part of an answer that names one of the two; `sure`: it says so plainly of now."""

    side: Literal["older", "newer"]
    denied: bool
    sure: bool


class _Reply:
    """An answer beside the two versions that it was asked about."""

    def __init__(self, doubt: Doubt, reading: Reading, pack: Pack) -> None:
        self._pack = pack
        self._reading = reading
        self._folded = pack.fold(reading.text)
        self._older, self._newer = doubt.words(pack)
        self._slot = doubt.newer.slot

    def choice(self) -> Choice:
        """What it says."""
        mentions = [each for clause in self._reading.clauses for each in self._mentions(clause)]
        named = {each.side for each in mentions if not each.denied}
        denied = {each.side for each in mentions if each.denied}
        if self._has("unsure") or named & denied or not all(each.sure for each in mentions):
            return ""
        if self._has("neither") or len(denied) > 1:
            return "" if named else "neither"
        if self._has("both"):
            return "" if denied or len(named) == 1 else "both"
        if not mentions:
            return self._by_phrase()
        if len(named) > 1:
            return ""
        return "older" if "older" in named or "newer" in denied else "newer"

    def _has(self, kind: str) -> bool:
        return self._pack.reply(kind).within(self._folded, 0, len(self._folded)) is not None

    def _by_phrase(self) -> Choice:
        """What an answer says that names neither: all of it but courtesies must be such a phrase."""
        parts = [
            part
            for clause in self._reading.clauses
            if clause.kind != "filler"
            for part in self._parts(clause)
            if not self._is_idle(*part)
        ]
        found = {self._phrase(*part) for part in parts}
        return found.pop() if len(found) == 1 else ""

    def _is_idle(self, start: int, end: int) -> bool:
        """Whether a part is no more than "yes" or "no"."""
        idle = (self._pack.kind("filler"), self._pack.opener("correcting"))
        return any(phrases.is_all(self._folded, start, end) for phrases in idle)

    def _phrase(self, start: int, end: int) -> Choice:
        kinds: tuple[Choice, ...] = ("newer", "older")
        spans = {kind: self._pack.reply(kind).within(self._folded, start, end) for kind in kinds}
        kind = max(kinds, key=lambda each: _length(spans[each]))
        span = spans[kind]
        if span is None:
            return ""
        rest = f"{self._folded[start : span[0]]} {self._folded[span[1] : end]}"
        denies = any(self._pack.has("negations", word) for word in rest.split())
        return "" if denies or words_of(rest, self._pack, silent=SILENT) else kind

    def _parts(self, clause: Clause) -> Iterator[tuple[int, int]]:
        """The parts of a clause between pauses."""
        start = clause.start
        for match in _PAUSES.finditer(self._folded, clause.start, clause.end):
            if self._folded[start : match.start()].strip():
                yield start, match.start()
            start = match.end()
        if self._folded[start : clause.end].strip():
            yield start, clause.end

    def _mentions(self, clause: Clause) -> Iterator[_Mention]:
        if clause.kind == "question":
            return
        past = clause.ends or (clause.tense == "past" and not clause.changes)
        plain = clause.mood == "asserted" and self._bears(clause)
        for start, end in self._parts(clause):
            plain = plain and not self._is_limited(start, end)
            for side, denied in self._sides(start, end):
                over = past and not clause.negative
                sure = plain and not (over and side == "newer")
                yield _Mention(side, denied or past or clause.negative, sure)

    def _is_limited(self, start: int, end: int) -> bool:
        """Whether a part says that it holds at times, or from then on."""
        rest = self._folded[start:end]
        for kind in ("older", "newer"):
            for low, high in self._pack.reply(kind).places(self._folded, start, end):
                rest = rest.replace(self._folded[low:high], " ", 1)
        named = self._older | self._newer
        words = [
            word
            for word in rest.split()
            if named.isdisjoint(words_of(word, self._pack, silent=SILENT))
        ]
        return any(self._pack.has(group, word) for group in _LATER for word in words)

    def _bears(self, clause: Clause) -> bool:
        """Whether a clause can answer: it is a piece, is of the slot, or tells what is or has changed."""
        if not clause.framed or clause.slot == self._slot or clause.changes or clause.ends:
            return True
        kinds = (self._pack.reply(kind) for kind in ("older", "newer"))
        said = any(kind.within(self._folded, *clause.claim) is not None for kind in kinds)
        named = words_of(clause.subject, self._pack, silent=SILENT)
        is_told = clause.slot.partition(" ")[0] in ("be", *self._pack.words.get("copulas", ()))
        return said or (is_told and (self._older | self._newer).isdisjoint(named))

    def _sides(self, start: int, end: int) -> Iterator[tuple[Literal["older", "newer"], bool]]:
        """The versions that a part of a clause names, and whether it denies them."""
        text = self._reading.text
        tokens = tokens_of(text, self._folded, start, end, self._pack.splits)
        found: list[Literal["older", "newer", "not"]] = []
        for token in reversed(tokens) if self._pack.order == "verb-last" else tokens:
            stems = words_of(token.raw, self._pack, silent=SILENT)
            if not self._older.isdisjoint(stems):
                found.append("older")
            elif not self._newer.isdisjoint(stems):
                found.append("newer")
            elif any(self._pack.has(group, token.folded) for group in _DENYING):
                found.append("not")
        alone = len(set(found) - {"not"}) == 1
        for place, side in enumerate(found):
            if side != "not":
                yield side, ("not" in found) if alone else found[place - 1 : place] == ["not"]


def _length(span: tuple[int, int] | None) -> int:
    return span[1] - span[0] if span else 0
