"""Nouns that carry cases: what belongs together, whose it is, and where a subject ends."""

from __future__ import annotations

from dataclasses import dataclass

from cogmem_core.reading.endings import Ending, bare, case_of, first_of, says, verb_of
from cogmem_core.reading.frames import Finder
from cogmem_core.reading.rest import is_time
from cogmem_core.reading.tokens import Token, Tokens, next_word

_CASES = ("when", "loc", "abl", "ins", "dat", "acc")
_CLAUSES = ("joined", "when", "reason")
_LONGEST_SUBJECT = 3
_SHORT = 2
"""Letters of a noun whose ending always counts: "ad" of "adi"."""
_NO_ENDINGS = ("ordinals", "numbers", "weekdays", "months")
_NO_SUBJECTS = ("determiners", "numbers", "adverbs", "negations")


@dataclass(frozen=True, slots=True)
class Chunk:
    """Words that belong together, closed by a case, a postposition, or a verb that joins.

    Attributes:
        words: in order.
        case: "loc", "dat", ...; a postposition; "" = none; "when", "joined", "reason" = a clause.
    """

    words: Tokens
    case: str = ""


class Nouns(Finder):
    """The nouns of one text in a language with cases."""

    def case(self, words: Tokens, place: int) -> Ending:
        """The case of a word among others."""
        following = words[place + 1] if place + 1 < len(words) else None
        if place and following is not None and words[place].is_capital and following.is_capital:
            return Ending(words[place].folded)  # a name of two words has its ending at the last one
        return case_of(words[place], following, self.pack)

    def copula(self, word: str, group: str) -> Ending | None:
        """A word of a group with the endings of "to be"."""
        endings = self.pack.patterns["copula"]
        for stem in self.pack.words[group]:
            if word == stem:
                return Ending(stem)
            match = endings.fullmatch(word, len(stem)) if word.startswith(stem) else None
            if match is not None:
                return Ending(stem, says(match))
        return None

    def chunks(self, words: Tokens) -> list[Chunk]:
        """Words cut behind cases, postpositions and verbs that join."""
        found: list[Chunk] = []
        begin = 0
        for place in range(len(words)):
            if begin > place:
                continue
            stop, case = self._closed(words, begin, place)
            if case:
                found.append(Chunk(words[begin:stop], case))
                begin = stop
        if words[begin:]:
            found.append(Chunk(words[begin:]))
        return found

    def _closed(self, words: Tokens, begin: int, place: int) -> tuple[int, str]:
        """Where a chunk ends that a word closes, and by which case; "" = the word closes none."""
        pack = self.pack
        stop = place + 1
        if stop < len(words) and words[stop].is_ending:
            stop += 1
        following = words[stop].folded if stop < len(words) else ""
        joined = verb_of(words[place].folded, pack, "converb_endings")
        if pack.has("postpositions", following):
            if joined is None:
                return stop + 1, following
            return stop + 1, "reason" if pack.has("reasons", following) else "when"
        if joined is not None:
            case = first_of(_CLAUSES, joined.says)
            if case or "participle" in joined.says:
                return stop, case
        said = self.case(words, place).says
        if "acc" in said and self._owned(words, begin, place):
            return stop, ""
        return stop, first_of(_CASES, said)

    def _owned(self, words: Tokens, begin: int, place: int) -> bool:
        """Whether an ending is that of a thing owned, or of a compound, and no case: "evimin rengi"."""
        folded = words[place].folded
        bare = folded[:-2] if folded[-2:-1] == "n" else ""
        if not self.ends_as("possessed", folded) or self.ends_as("possessed", bare):
            return False  # "evimin rengini" has an ending more
        if any("gen" in self.case(words, k).says for k in range(begin, place)):
            return True
        return (
            place + 1 < len(words)
            and (self.case(words, place + 1).says == frozenset() or words[place + 1].is_figure)
            and place == begin + 1
            and not self.pack.has("determiners", words[begin].folded)
        )

    def ends_as(self, pattern: str, word: str) -> bool:
        """Whether a word has an ending of a pattern."""
        if self.pack.in_any(_NO_ENDINGS, word):
            return False
        found = self.pack.patterns[pattern]
        return any(found.fullmatch(word, k) for k in range(2, len(word)))

    def subject_end(self, words: Tokens) -> int:
        """How many words at the beginning are the subject; 0 = none is found."""
        owner = False
        for place, word in enumerate(words):
            if word.is_ending:
                if "gen" not in self.case(words, place - 1).says:
                    return 0
                owner = True
                continue
            end = self._subject_at(words, place, owner=owner)
            if end is not None:
                return end
            owner = owner or "gen" in self.case(words, place).says
        return 0

    def _subject_at(self, words: Tokens, place: int, *, owner: bool) -> int | None:
        """Where a subject ends that a word closes; 0 = there is none; None = it goes on."""
        pack = self.pack
        folded = words[place].folded
        said = self.case(words, place).says
        last = place + 1 == len(words)
        joined = verb_of(folded, pack, "converb_endings")
        if not last and words[place + 1].is_ending:
            return None if "gen" in said else 0
        if joined is not None:
            return self._behind_verb(words, place, joined)
        if folded in pack.subjects:
            return place + 1
        named = owner and self.ends_as("possessed", folded)
        if (
            "gen" in said
            and not named
            and (self.ends_as("possessive_genitive", folded) or not last)
        ):
            return None
        return (
            self._named(words, place + 1)
            if named
            else self._noun_end(words, place, said, owner=owner)
        )

    def _behind_verb(self, words: Tokens, place: int, joined: Ending) -> int | None:
        """Where a subject ends that has a verb in it: "en sevdigim yemek"."""
        if "participle" not in joined.says:
            return 0
        noun = self.ends_as("possessive", words[place].folded) and place + 2 < len(words)
        return self._owned_end(words, place + 1) if noun else None

    def _noun_end(
        self, words: Tokens, place: int, said: frozenset[str], *, owner: bool
    ) -> int | None:
        """Where a subject ends that a noun closes: with "my", or as the second word of a compound."""
        pack = self.pack
        folded = words[place].folded
        if said & {"loc", "abl", "ins"}:
            return 0
        if "attribute" in said:
            return None
        if self.ends_as("possessive", folded) and not pack.has("bare", folded):
            return self._named(words, place + 1)
        compound = place and not owner and place + 1 < len(words)
        return place + 1 if compound and self.ends_as("possessed", folded) else None

    def _owned_end(self, words: Tokens, place: int) -> int:
        """The place behind a noun with its own: "en sevdiğim yemek", "en sevdiğim dondurma çeşidi"."""
        behind = next_word(words, place)
        if (
            self.ends_as("possessed", behind)
            and place + 2 < len(words)
            and not self.pack.has("bare", behind)
        ):
            return place + 2
        return 0 if behind.startswith("'") else place + 1

    def _named(self, words: Tokens, place: int) -> int:
        """The place behind a name that stands behind a thing: "my daughter Elif"; a name at the end is a value."""
        end = place
        while end < len(words) - 1 and words[end].is_capital and not words[end].is_figure:
            if words[end + 1].is_ending:
                break
            end += 1
        if not place < end < len(words):
            return place
        last = end == len(words) - 1
        return place if last and (words[end].is_capital or words[end].is_figure) else end

    def short_subject(self, words: Tokens) -> int:
        """How many words are the subject where no ending shows it: up to the first figure, name or weekday."""
        first = words[0].folded
        if not first.isalpha() or self.pack.in_any(_NO_SUBJECTS, first):
            return 0
        for place in range(1, min(len(words), _LONGEST_SUBJECT + 1)):
            word = words[place]
            if word.is_ending:
                return 0
            typed = word.is_figure or word.is_capital or self.pack.has("numbers", word.folded)
            if typed or is_time(self.pack, [word]):
                return place
        return 1 if len(words) == 2 else 0

    def thing(self, words: Tokens, *, absent: bool = False) -> str:
        """The words of a thing as stems, "my" before what the speaker owns."""
        pack = self.pack
        if len(words) == 1 and words[0].folded in pack.subjects:
            return pack.subjects[words[0].folded]
        kept: list[str] = []
        mine = owner = False
        for place, word in enumerate(words):
            folded = word.folded
            if folded.startswith("'") or pack.has("determiners", folded):
                continue
            if pack.has("own", folded):
                mine = True
                continue
            owner = owner or "gen" in self.case(words, place).says
            mine = mine or self.ends_as("mine", folded)
            if not pack.has("changed_nouns", folded):
                kept.append(bare(folded, pack))
        if absent and not mine and len(words) == 1 and self._of_another(words[0].folded):
            kept.insert(0, "o")
        return " ".join(["my", *kept] if mine else kept)

    def _of_another(self, word: str) -> bool:
        """Whether a thing alone is somebody else's by its ending: "kiras-i"."""
        stem = bare(word, self.pack)
        return self.ends_as("theirs", word) or (
            stem != word and len(stem) <= _SHORT and self.pack.has("single", stem)
        )

    def stems(self, words: Tokens) -> list[Token]:
        """Words without their cases."""
        return [
            word._replace(folded=self.case(words, place).stem)
            for place, word in enumerate(words)
            if not word.is_ending
        ]
