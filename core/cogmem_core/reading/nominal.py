"""Predicates without a verb, times, and values without their cases, in a language whose verb comes last."""

from __future__ import annotations

from cogmem_core.reading.endings import case_of, first_of, says, verb_of
from cogmem_core.reading.nouns import Chunk, Nouns
from cogmem_core.reading.rest import is_scope_of_time, is_time
from cogmem_core.reading.tokens import Token, Tokens
from cogmem_core.reading.told import PERSONS, Told
from cogmem_core.reading.values import type_of

_LONGEST_VALUE = 7


class Nominal(Nouns):
    """Nouns as predicates and values: `_nominal` is the way in."""

    def _times(self, words: Tokens, told: Told) -> list[Token]:
        """The words without the times and circumstances at their beginning."""
        pack = self.pack
        for place in range(len(words) - 2, -1, -1):
            said = verb_of(words[place].folded, pack, "converb_endings")
            word = words[place].folded
            behind = words[place + 1].folded
            circumstance = pack.in_any(("scoping", "reasons"), word)
            circumstance = circumstance or bool(said and said.says & {"when", "joined", "reason"})
            if (
                circumstance
                and not behind.startswith("'")
                and not pack.has("postpositions", behind)
            ):
                for chunk in self.chunks(words[: place + 1]):
                    if chunk.case in ("joined", "reason") or pack.has("harmless", chunk.case):
                        told.beside.append(chunk.words)
                        told.scope += [
                            each for each in chunk.words if pack.has("habits", each.folded)
                        ]
                    else:
                        told.scope += chunk.words
                words = words[place + 1 :]
                break
        end = 0
        while (
            end < len(words) and is_time(self.pack, words[: end + 1]) and not words[end].is_ending
        ):
            end += 1
        behind = words[end].folded if end < len(words) else "'"
        owned = self.ends_as("possessed", behind) and not pack.has("bare", behind)
        if end and not behind.startswith("'") and not owned:
            self._time(words[:end], told)
            return list(words[end:])
        return list(words)

    def _time(self, words: Tokens, told: Told) -> None:
        told.times.append(words)
        told.plans |= self.pack.among("plans", words)
        if is_scope_of_time(self.pack, words):
            told.scope += words

    def _without_wrong(self, words: list[Token], told: Told) -> list[Token]:
        """The words without what is named wrong: "Eskişehir'de değil Kütahya'da"."""
        for place, word in enumerate(words[:-1]):
            if place and self.copula(word.folded, "excluding"):
                begin = place - 1
                if words[begin].is_ending:
                    begin -= 1
                while begin > 0 and self._goes_on(words, begin):
                    begin -= 1
                told.denies = self._uncased(words[begin:place], told, keep=True)
                return words[:begin] + words[place + 1 :]
        return words

    def _goes_on(self, words: Tokens, place: int) -> bool:
        """Whether the word before a place belongs to the value at it."""
        before = words[place - 1]
        named = place > 1 and before.is_capital and words[place].is_capital
        return named or before.is_figure

    def _uncased(self, words: Tokens, told: Told, *, keep: bool = False) -> Tokens:
        """A value without the case of its last word."""
        if not words:
            return words
        pack = self.pack
        kept = list(words)
        if pack.has("postpositions", kept[-1].folded) and len(kept) > 1:
            kept.pop()
        following = None
        if kept[-1].is_ending and len(kept) > 1:
            following = kept.pop()
        ending = case_of(kept[-1], following, pack)
        last = kept[-1]
        length = len(ending.stem) if following is None else len(last.folded)
        kept[-1] = cut = last.cut(length)
        if following is None and length < len(last.raw) and self._opens_sentence(last):
            kept[-1] = cut._replace(raw=cut.raw.lower())  # "Evde": a name would be "Van'da"
        if not keep:
            told.says |= ending.says & {"attribute"}
        kept = [word for word in kept if not pack.has("adverbs", word.folded)] or kept
        return kept if keep else self._trimmed(kept, told, named=bool(ending.says))

    def _opens_sentence(self, word: Token) -> bool:
        """Whether a word has a capital letter because it is the first."""
        before = self.folded[: word.start].rstrip(" \"'")
        return not before or before[-1] in ".!?:\n"

    def _trimmed(self, words: list[Token], told: Told, *, named: bool) -> list[Token]:
        """A name in a case, or a time, without what stands before it: that limits the claim."""
        begin = len(words) - 1
        if named and words[begin].is_capital:
            while begin > 0 and (words[begin - 1].is_capital or words[begin - 1].is_figure):
                begin -= 1
        elif type_of(words, self.pack) in ("weekday", "clock", "date"):
            while begin > 0 and (
                words[begin - 1].is_capital or is_time(self.pack, words[begin - 1 :])
            ):
                begin -= 1
        elif not any("attribute" in self.case(words, k).says for k in range(begin)):
            begin = 0
        told.scope += [
            word for word in words[:begin] if not self.pack.has("determiners", word.folded)
        ]
        return words[begin:]

    def _nominal(self, words: Tokens, told: Told) -> bool:
        """A predicate without a verb: "Annem öğretmen", "Vegan değilim", "I'm in Rome"."""
        pack = self.pack
        told.verb = "be"
        words = list(words)
        denied = self.copula(words[-1].folded, "excluding") if words else None
        if denied is not None:
            told.negative = True
            told.says = denied.says
            words = words[:-1]
        else:
            words = self._without_wrong(words, told)
        if not words or pack.has("scoping", words[-1].folded):
            return False
        lead = self._times(words, told) if len(words) > 2 else words
        end = self.subject_end(lead)
        if end == len(lead):
            end = 0
        person = first_of(PERSONS, told.says)
        if not end and not person and denied is None:
            person, lead = self._person(lead, told)
        if not end and not person:
            end = self.short_subject(lead)
        if not end and not person:
            return False
        if end and len(lead[:end]) == 1 and lead[0].folded in pack.subjects and denied is None:
            _, lead = self._person(lead, told)
        told.subject = self.thing(lead[:end], absent=True) if end else person
        self._predicate(lead[end:], told)
        return bool(told.value) and (len(told.value) <= _LONGEST_VALUE or not person)

    def _person(self, words: list[Token], told: Told) -> tuple[str, list[Token]]:
        """Who is meant by the ending of the last word, and the words without it: "I'm in Rome"."""
        last = words[-1]
        found = self.pack.patterns["person"]
        listed = frozenset(each for slot in self.pack.slots for each in slot.values)
        for length in range(len(last.folded) - 1, 1 if not last.is_ending else 0, -1):
            match = found.fullmatch(last.folded, length)
            if match is None:
                continue
            stem = last.folded[:length]
            sure = (
                says(match) & {"sure"}
                or stem in listed
                or len(words) <= 2
                or self.pack.has("articles", words[-2].folded)
            )
            if not sure:
                continue
            told.says |= says(match)
            who = first_of(("i", "we"), says(match))
            return who, ([*words[:-1], last.cut(length)] if stem != "'" else list(words[:-1]))
        return "", words

    def _predicate(self, words: Tokens, told: Told) -> None:
        """The value of a predicate, and what stands before it."""
        words = self._ended(words, told)
        chunks = self.chunks(words)
        if not chunks:
            return
        last = chunks[-1]
        for chunk in chunks[:-1]:
            if is_time(self.pack, self.stems(chunk.words)):
                if not last.case or is_time(self.pack, last.words):
                    last = Chunk([*chunk.words, *last.words], last.case)
                else:
                    self._time(chunk.words, told)
            elif chunk.case in ("acc", "dat") and not chunk.words[-1].is_ending:
                last = Chunk([*chunk.words, *last.words], last.case)
            elif chunk.case in ("joined", "reason"):
                told.beside.append(chunk.words)
            else:
                told.scope += chunk.words
        if self.pack.has("scoping", last.case):
            return
        told.case = last.case if last.case not in ("acc", "dat") or last.words[-1].is_ending else ""
        named = [word for word in last.words if not word.is_ending]
        told.value = (
            self._uncased(last.words, told)
            if told.case
            else self._trimmed(named, told, named=False)
        )

    def _ended(self, words: Tokens, told: Told) -> Tokens:
        """The words without "was", "is said to be" or "if it is" at their end."""
        if not words:
            return words
        last = words[-1]
        found = self.pack.patterns["was"]
        for length in range(len(last.folded) - 1, 0, -1):
            match = found.fullmatch(last.folded, length)
            if match is not None and (length > 2 or last.is_ending):
                told.says |= says(match)
                if last.folded[:length] == "'":
                    return words[:-1]
                return [*words[:-1], last.cut(length)]
        return words
