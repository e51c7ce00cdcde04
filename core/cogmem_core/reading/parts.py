"""Cuts what stands round a verb into parts that are moved as a whole: nouns, phrases, times, adverbs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cogmem_core.reading.frames import INSIDE, Finder
from cogmem_core.reading.tokens import Token, Tokens, next_word
from cogmem_core.reading.verbs import Group


class Piece(NamedTuple):
    """A part of a statement that is moved as a whole.

    Attributes:
        kind: "subject", "object" (a pronoun), "noun", "phrase" (with its preposition), "time", "adverb", "negation",
            "stop", "limit", "mark".
        words: in the order of the text.
        time: whether it is a point of time or a spell.
    """

    kind: str
    words: tuple[Token, ...]
    time: bool = False

    @property
    def first(self) -> str:
        """Its first word, folded."""
        return self.words[0].folded


class Verbs(NamedTuple):
    """The verbs of a statement.

    Attributes:
        group: what they say.
        words: the verbs themselves, with a particle.
        places: where they stand.
        person: whose form the finite one is, if it shows that.
    """

    group: Group
    words: tuple[Token, ...]
    places: frozenset[int]
    person: str = ""


class Layout(NamedTuple):
    """The parts of a statement beside its verbs.

    Attributes:
        subject: None if nobody is named.
        lead: what stands before the subject.
        chosen: the value; None if there is none.
        others: what else stands between the verbs.
        post: the words behind all of that.
        who: whom the form of the verb means, if there is no subject.
    """

    subject: Piece | None
    lead: Sequence[Piece]
    chosen: Piece | None
    others: Sequence[Piece]
    post: Tokens
    who: str


class Parts(Finder):
    """A finder that knows the parts of a statement."""

    def is_inside(self, words: Tokens, place: int) -> bool:
        """Whether a mark is part of a value: "12. März", "50 %"."""
        word = words[place]
        if word.folded in self.pack.words["units"]:
            return True
        before = words[place - 1]
        behind = words[place + 1] if place + 1 < len(words) else None
        if word.folded == ".":
            short = before.is_figure or self.pack.has("abbreviations", before.folded)
            return short and before.end == word.start
        return word.folded in INSIDE and behind is not None and behind.start == word.end

    def pieces(self, words: Tokens, places: Sequence[int]) -> list[Piece]:
        """The parts of a stretch of words, in the order of the text."""
        inner = [words[k] for k in places]
        found: list[Piece] = []
        place = 0
        while place < len(inner):
            piece = self._piece(inner, place)
            found.append(piece)
            place += len(piece.words)
        return found

    def _piece(self, words: Tokens, place: int) -> Piece:
        pack = self.pack
        word = words[place]
        short = self._short(words, place)
        if short is not None:
            return short
        if not pack.has("prepositions", word.folded):
            return Piece("noun", tuple(words[place : max(self._noun_end(words, place), place + 1)]))
        time = self._time_end(words, place + 1)
        end = time if time > place + 1 else max(self._noun_end(words, place + 1), place + 1)
        inner = tuple(words[place:end])
        loose = len(inner) > 1 and all(pack.has("adverbs", each.folded) for each in inner[1:])
        return Piece("adverb" if loose else "phrase", inner, time=time > place + 1)

    def _short(self, words: Tokens, place: int) -> Piece | None:
        """The part at a place that is neither a noun nor has a preposition."""
        pack = self.pack
        word = words[place]
        behind = next_word(words, place)
        time = self._time_end(words, place)
        limit = pack.closers["limiting"].at(self.folded, word.start, words[-1].end)
        stops = pack.has("stop", f"{word.folded}-{behind}")
        found: tuple[tuple[bool, str, int], ...] = (
            (not word.is_word, "mark", 1),
            (stops, "stop", 2),
            (limit > word.start, "limit", sum(each.start < limit for each in words[place:])),
            (time > place, "time", time - place),
            (pack.has("stop", word.folded), "stop", 1),
            (pack.has("negations", word.folded), "negation", 1),
            (pack.has("limiting", word.folded), "limit", 1),
            (pack.has("objects", word.folded), "object", 1),
            (self._is_pronoun(words, place), "subject", 1),
            (
                pack.has("adverbs", word.folded) and not pack.has("prepositions", word.folded),
                "adverb",
                1,
            ),
        )
        for holds, kind, length in found:
            if holds:
                return Piece(kind, tuple(words[place : place + length]), time=kind == "time")
        return None

    def _is_pronoun(self, words: Tokens, place: int) -> bool:
        folded = words[place].folded
        article = self.pack.has("determiners", folded) and self._noun_follows(words, place + 1)
        return folded in self.pack.subjects and not article

    def _noun_follows(self, words: Tokens, place: int) -> bool:
        if place >= len(words):
            return False
        word = words[place]
        pack = self.pack
        if not word.is_word or word.folded in pack.subjects:
            return False
        groups = ("prepositions", "adverbs", "negations", "limiting", "stop", "objects")
        return not pack.in_any(groups, word.folded)

    def _time_end(self, words: Tokens, place: int) -> int:
        """Where a time that begins at a place ends: "nächste Woche", "12. Mai"; the place if none does."""
        pack = self.pack
        end = place
        stop = place
        named = False
        while end < len(words):
            folded = words[end].folded
            figure = words[end].is_figure or pack.has("numbers", folded) or folded == "."
            inner = pack.in_any(("determiners", "plans", "ordinals"), folded)
            if pack.has("times", folded):
                named = True
                stop = end + 1
            elif figure and named and pack.has("months", words[end - 1].folded):
                stop = end + 1
            elif not (figure or (inner and not named)):
                break
            end += 1
        measured = end < len(words) and pack.has("measures", words[end].folded)
        return place if measured else stop

    def _noun_end(self, words: Tokens, place: int) -> int:
        """Where a noun with its article, adjectives and genitives ends."""
        noun = False
        end = place
        while end < len(words):
            word = words[end]
            if not word.is_word:
                if not self.is_inside(words, end):
                    break
            elif end > place:
                goes_on = self._goes_on(words, place, end, noun=noun)
                if not goes_on:
                    break
                noun = noun and goes_on != "anew"
            noun = noun or (word.is_capital and not self._opens_noun(word.folded)) or word.is_figure
            end += 1
        return end

    def _goes_on(self, words: Tokens, place: int, end: int, *, noun: bool) -> str:  # noqa: PLR0911
        """Whether a word belongs to the noun before it: "" = no; "anew" = another noun begins."""
        pack = self.pack
        folded = words[end].folded
        before = words[end - 1].folded
        if pack.has("conjunctions", folded):
            more = end + 1 < len(words) and (
                self._noun_follows(words, end + 1) or words[end + 1].folded in pack.subjects
            )
            return "anew" if noun and more else ""
        if pack.has("conjunctions", before):
            return "yes"
        if self._opens_noun(folded):
            another = "anew" if pack.has("genitive", folded) else ""
            return another if noun else "yes" if self._opens_noun(before) else ""
        groups = ("prepositions", "subordinating", "objects", "negations", "stop")
        if pack.in_any(groups, folded) or folded in pack.subjects:
            return ""
        if pack.in_any(("limiting", "adverbs"), folded):
            return "yes" if not noun and self._opens_noun(before) and end + 1 < len(words) else ""
        if words[end].is_capital and not noun and end == place + 1 and self._is_loose(words[place]):
            return ""
        figure = (
            words[end].is_figure or pack.has("numbers", folded) or folded in pack.words["units"]
        )
        measures = figure or pack.has("measures", folded)
        return "yes" if not noun or measures or words[end].is_capital else ""

    def _is_loose(self, word: Token) -> bool:
        """Whether a word before a noun is not of it: "heißt meistens Erik"."""
        if word.is_capital or not word.folded.isalpha() or self._opens_noun(word.folded):
            return False
        if self.pack.has("numbers", word.folded):
            return False
        return not self._matches("adjective", word.folded)
