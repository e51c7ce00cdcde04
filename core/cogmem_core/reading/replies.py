"""What an answer to the question which of two versions holds says. In doubt it says nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from cogmem_core.reading.model import Clause, Reading, Span
from cogmem_core.reading.pack import Pack
from cogmem_core.reading.said import stem_set, words_of
from cogmem_core.reading.tokens import tokens_of

Choice = Literal["older", "newer", "both", "neither", ""]
"""What an answer says of two versions; "" = nothing that is sure."""
Side = Literal["older", "newer"]
_SIDES: tuple[Side, ...] = ("older", "newer")
_PAUSES = re.compile(r"[,;:.!?](?!\w)|[\u2013\u2014\n]|\s-\s")
_LIMITING = ("limiting", "habits", "quantities", "plans")
_LATER = ("weekdays", "seasons", "source", "spells")
_DENYING = ("negations", "denying", "excluding")


class Versions(NamedTuple):
    """Two versions by the stems that name them.

    Attributes:
        older: words of the older one alone.
        newer: words of the newer one alone.
        common: words of both.
        slot: what they tell.
        alike: both are values of that slot.
    """

    older: frozenset[str]
    newer: frozenset[str]
    common: frozenset[str]
    slot: str
    alike: bool


class _Evidence(NamedTuple):
    """What a part of an answer says of one of the two; `sure`: it says so plainly of now, and nothing else."""

    side: Side
    denied: bool = False
    sure: bool = True

    @property
    def kept(self) -> Side:
        """Which one holds by it."""
        return _SIDES[(self.side == "newer") ^ self.denied]


class Reply:
    """An answer beside the two versions that it was asked about.

    Args:
        reading: of the answer.
        versions: the two.
        pack: the tables of the language of the question.
    """

    def __init__(self, reading: Reading, versions: Versions, pack: Pack) -> None:
        self._reading = reading
        self._versions = versions
        self._pack = pack
        self._folded = pack.fold(reading.text)

    def choice(self) -> Choice:
        """What it says."""
        found = [
            each
            for clause in self._reading.clauses
            if clause.kind not in ("question", "filler")
            for each in self._evidence(clause)
        ]
        named = {each.side for each in found if not each.denied}
        denied = {each.side for each in found if each.denied}
        if self._has("unsure"):
            return ""
        sure = {each.kept for each in found if each.sure}
        if (
            self._has("neither")
            or len({each.side for each in found if each.denied and each.sure}) > 1
        ):
            return "" if named else "neither"
        if self._has("both"):
            return "" if denied or len(named) == 1 else "both"
        return sure.pop() if len(sure) == 1 and {each.kept for each in found} == sure else ""

    def _has(self, kind: str) -> bool:
        return self._pack.replies[kind].within(self._folded) is not None

    def _evidence(self, clause: Clause) -> Iterator[_Evidence]:
        """What the parts of a clause say: "still", "the second one", or one of the versions."""
        past = clause.ends or (clause.tense == "past" and not clause.changes)
        plain = True
        for start, end in self._parts(clause):
            phrase = self._phrase(start, end)
            if phrase:
                yield _Evidence(phrase, sure=clause.mood == "asserted")
                continue
            words = self._rest(start, end)
            plain = plain and not self._is_limited(words)
            told = clause.framed and start < clause.core[1] and clause.core[0] < end
            if told or not clause.framed:
                plain = plain and clause.mood == "asserted" and self._bears(clause)
            over = told and past and not clause.negative
            denies = told and (past or clause.negative)
            more = (
                not (told and self._values(clause))
                and not self._since(words)
                and self._unknown(" ".join(words))
            )
            for side, denied in self._sides(start, end):
                sure = plain and not more and not (over and side == "newer")
                yield _Evidence(side, denied or denies, sure)

    def _parts(self, clause: Clause) -> Iterator[Span]:
        """The parts of a clause between pauses."""
        start = clause.start
        for match in _PAUSES.finditer(self._folded, clause.start, clause.end):
            if self._folded[start : match.start()].strip():
                yield start, match.start()
            start = match.end()
        if self._folded[start : clause.end].strip():
            yield start, clause.end

    def _phrase(self, start: int, end: int) -> Side | None:
        """Which version a part means that is nothing but a phrase for it."""
        spans = {
            side: self._pack.replies[side].within(self._folded, start, end) or (start, start)
            for side in _SIDES
        }
        side = max(_SIDES, key=lambda each: spans[each][1] - spans[each][0])
        low, high = spans[side]
        rest = f"{self._folded[start:low]} {self._folded[high:end]}"
        denies = self._pack.has_any("negations", rest.split())
        return None if low == high or denies or self._unknown(rest) else side

    def _unknown(self, text: str) -> bool:
        """Whether words are left that neither the versions nor their grammar have."""
        known = self._versions.common | self._pack.subjects.keys()
        return not known.issuperset(words_of(text, self._pack))

    def _rest(self, start: int, end: int) -> list[str]:
        """The words of a part without those that name a version, and without phrases."""
        rest = self._folded[start:end]
        for side in _SIDES:
            for low, high in self._pack.replies[side].places(self._folded, start, end):
                rest = rest.replace(self._folded[low:high], " ", 1)
        said = stem_set(rest, self._pack)
        return [
            word
            for word in rest.split()
            if not any(self._names(side, words_of(word, self._pack), said) for side in _SIDES)
        ]

    def _since(self, words: Sequence[str]) -> bool:
        return self._pack.has_any("beginnings", words)

    def _is_limited(self, words: Sequence[str]) -> bool:
        """Whether words say that something holds at times, or later; not "since Monday"."""
        groups = _LIMITING if self._since(words) else (*_LIMITING, *_LATER)
        return any(self._pack.in_any(groups, word) for word in words)

    def _values(self, clause: Clause) -> bool:
        """Whether the value of a clause names a version."""
        stems = words_of(clause.value, self._pack)
        known = self._versions.older | self._versions.newer
        return self._versions.alike and not known.isdisjoint(stems)

    def _bears(self, clause: Clause) -> bool:
        """Whether a clause can answer: it is a piece, is of the slot, or tells what is or has changed."""
        if clause.changes and clause.negative:
            return False
        if not clause.framed or clause.slot == self._versions.slot or clause.changes or clause.ends:
            return True
        said = any(
            self._pack.replies[side].within(self._folded, *clause.claim) is not None
            for side in _SIDES
        )
        named = words_of(clause.subject, self._pack)
        told = clause.slot.partition(" ")[0] in ("be", *self._pack.words["copulas"])
        known = self._versions.older | self._versions.newer
        return said or (told and known.isdisjoint(named))

    def _sides(self, start: int, end: int) -> Iterator[tuple[Side, bool]]:
        """The versions that a part of a clause names, and whether it denies them."""
        tokens = tokens_of(self._reading.text, self._folded, start, end, self._pack.splits)
        found: list[Side | Literal["not"]] = []
        said = stem_set(self._reading.text[start:end], self._pack)
        for token in reversed(tokens) if self._pack.order == "verb-last" else tokens:
            stems = words_of(token.raw, self._pack)
            named = [side for side in _SIDES if self._names(side, stems, said)]
            if named:
                found += named[:1]
            elif self._pack.in_any(_DENYING, token.folded):
                found.append("not")
        alone = len(set(found) - {"not"}) == 1
        for place, side in enumerate(found):
            if side != "not":
                yield side, ("not" in found) if alone else found[place - 1 : place] == ["not"]

    def _names(self, side: Side, stems: Sequence[str], said: frozenset[str]) -> bool:
        """Whether a word of a part names a version; one of several figures needs the others: "twenty one"."""
        words = self._versions.older if side == "older" else self._versions.newer
        figures = {word for word in words if word.isdigit()}
        return any(
            stem in words and (stem not in figures or figures <= said or len(figures) == 1)
            for stem in stems
        )
