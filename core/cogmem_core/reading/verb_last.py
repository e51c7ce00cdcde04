"""Finds the parts of a statement whose verb comes last, and whose nouns carry cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from cogmem_core.reading.endings import Ending, bare, case_of, first_of, verb_of
from cogmem_core.reading.frames import Frame
from cogmem_core.reading.model import Kind, Span
from cogmem_core.reading.nominal import Nominal
from cogmem_core.reading.nouns import Chunk
from cogmem_core.reading.pack import Pack
from cogmem_core.reading.rest import is_time
from cogmem_core.reading.tokens import Token, Tokens, next_word, only_words, span_of, tokens_of
from cogmem_core.reading.told import Told
from cogmem_core.reading.values import type_of
from cogmem_core.reading.verbs import Group

_PAUSES = frozenset(",;()\u2013\u2014")
_POSTPOSED = 5
"""Words behind a verb."""
_TYPED = ("weekday", "clock", "date", "number")


class VerbLast(Nominal):
    """Finds frames in the words of one text in a language whose verb comes last."""

    def __init__(self, folded: str, pack: Pack) -> None:
        super().__init__(folded, pack)
        self._found: dict[Span, Told | None] = {}

    def frame(self, words: Tokens, *, subject: bool = True) -> Frame | None:
        """The frame of some words; None if they are no statement."""
        told = self.told(words) if subject else None
        if told is None:
            return None
        return Frame(
            0, (0, 0), Group(told.verb, len(words)), told.verb, (0, len(words) if told.value else 0)
        )

    def asked(self, start: int, end: int, *, asks: bool) -> Kind | None:
        """Whether a part asks or orders by the form of its verb."""
        pack = self.pack
        words = only_words(tokens_of(self.folded, self.folded, start, end, pack.splits))
        while len(words) > 1 and pack.has("courtesies", words[-1].folded):
            words = words[:-1]
        if not words:
            return None
        start, end = span_of(words)
        if self._searched("polite", start, end):
            return "request"
        if self._ordered(words, words[-1].folded):
            return "request"
        if self._searched("question_word", start, end) and (
            asks or not any(verb_of(each.folded, pack, "converb_endings") for each in words)
        ):
            return "question"
        return None

    def _searched(self, pattern: str, start: int, end: int) -> bool:
        return self.pack.patterns[pattern].search(self.folded, start, end) is not None

    def _ordered(self, words: Tokens, word: str) -> bool:
        """Whether the last word is an imperative, and no noun."""
        pack = self.pack
        order = pack.patterns["imperative"]
        if pack.in_any(("nouns", "postpositions"), word):
            return False
        if len(words) > 1 and pack.has("ordinals", words[-2].folded):
            return False  # "the third floor" is no order to add
        for length in range(len(word), 0, -1):
            forms = pack.forms.get(word[:length])
            if forms is None or not forms[0].tense or not order.fullmatch(word, length):
                continue
            if not pack.has("invariant", word):
                return len(words) > 1 or length < len(word) or pack.has("orders", forms[0].verb)
            return len(words) > 1 and (
                case_of(words[-2], None, pack).says & {"acc", "dat"} != frozenset()
                or pack.among("orders", words[:-1])
            )
        return False

    def joins(self, words: Tokens, place: int) -> bool:
        """Whether a clause that gives a reason or goes on ends before a place."""
        pack = self.pack
        word = words[place - 1].folded
        if pack.has("reasons", word) and place > 1:
            return verb_of(words[place - 2].folded, pack, "converb_endings") is not None
        if self._whole(word) and pack.has("question_words", words[place].folded):
            return True  # "I have diabetes which fruit may I eat"
        found = verb_of(word, pack, "converb_endings")
        return found is not None and bool(found.says & {"joined", "reason", "when"})

    def _whole(self, word: str) -> bool:
        """Whether a statement may end with a word: a finite verb, or "there is"."""
        return self._there(word) or verb_of(word, self.pack) is not None

    def told(self, words: Tokens) -> Told | None:
        """What some words say; None if no predicate is found in them."""
        if not words:
            return None
        place = span_of(words)
        if place not in self._found:
            self._found[place] = self._told(words)
        return self._found[place]

    def _told(self, words: Tokens) -> Told | None:
        pauses = [word.start for word in words[1:] if word.folded in _PAUSES]
        words = [word for word in words if word.is_word or word.folded in self.pack.words["units"]]
        if not words:
            return None
        told = Told()
        words = self._modified(words, told)
        if not words:
            return None
        place = self._verb(words)
        if place is not None:
            pause = next((each for each in pauses if each > words[place].start), words[-1].end)
            told.doubt += [word for word in words if word.start > pause]
            self._verbal([word for word in words if word.start < pause], place, told)
            return told
        there = next((k for k in reversed(range(len(words))) if self._there(words[k].folded)), None)
        if there is not None:
            self._existing(words, there, told)
            return told
        pause = next(iter(pauses), words[-1].end)
        told.doubt += [word for word in words if word.start > pause]
        words = [word for word in words if word.start < pause]
        if is_time(self.pack, [word for word in words if not word.is_ending]):
            return None  # "saat 10'da"
        return told if words and self._nominal(words, told) else None

    def _modified(self, words: Tokens, told: Told) -> list[Token]:
        """The words without adverbs; what these limit is kept."""
        pack = self.pack
        kept = list[Token]()
        start, end = span_of(words)
        for mood, phrases in pack.moods:
            span = phrases.within(self.folded, start, end)
            if span is not None:
                told.mood = told.mood or mood
        for place, word in enumerate(words):
            pair = f"{word.folded}-{next_word(words, place)}"
            before = f"{words[place - 1].folded}-{word.folded}" if place else ""
            said = (word.folded, pair, before)
            told.now |= pack.has("now", word.folded)
            told.stopped |= pack.has("stop", word.folded)
            if pack.has_any("limiting", said):
                told.scope.append(word)
            elif pack.has_any("adverbs", said):
                told.plans |= pack.has("plans", word.folded)
            elif pack.separates(word.folded) and not kept:
                continue
            else:
                kept.append(word)
        return kept

    def _verb(self, words: Tokens) -> int | None:
        """The place of the last finite verb."""
        pack = self.pack
        for place in range(len(words) - 1, max(-1, len(words) - 1 - _POSTPOSED), -1):
            word = words[place].folded
            if pack.has("nouns", word) or verb_of(word, pack) is None:
                continue
            if self.copula(word, "excluding"):
                return None  # "değildim" is no verb
            behind = words[place + 1 :]
            if all(self._cased(behind, k) for k in range(len(behind))):
                return place
        return None

    def _cased(self, words: Tokens, place: int) -> bool:
        word = words[place]
        if word.is_ending or self.pack.has("negations", word.folded) or is_time(self.pack, [word]):
            return True
        return place + 1 < len(words) or self.case(words, place).says != frozenset()

    def _there(self, word: str) -> bool:
        return self.copula(word, "there") is not None

    def _verbal(self, words: Tokens, place: int, told: Told) -> None:
        pack = self.pack
        verb = cast("Ending", verb_of(words[place].folded, pack))
        before = list(words[:place])
        behind = list(words[place + 1 :])
        told.verb = verb.stem
        told.says = verb.says
        told.negative = "negative" in verb.says
        if behind and pack.has("negations", behind[0].folded):
            told.negative = not told.negative
            behind = behind[1:]
        if pack.has("light", verb.stem) and before and pack.has("compounds", before[-1].folded):
            told.verb = f"{before.pop().folded}_{verb.stem}"
        self._earlier(before, told)
        before = self._without_wrong(self._unconditional(before, told), told)
        person = first_of(("i", "we", "you"), verb.says)
        lead = self._times(before, told)
        end = self.subject_end(lead)
        if not end and not person and lead and self.case(lead, 0).says == frozenset():
            end = self._plain_subject(lead)
            if end == len(lead) and not lead[0].is_capital and not self._happens(told):
                end = 0
        if person and end and not (len(lead[:end]) == 1 and lead[0].folded in pack.subjects):
            end = 0
        if end and lead[end - 1 :] and self.case(lead, end - 1).says - {"acc", "dat", "gen"}:
            end = 0
        told.subject = person or (self.thing(lead[:end]) if end else "he")
        self._arguments(self.chunks(behind) + self.chunks(lead[end:]), told)

    def _unconditional(self, words: list[Token], told: Told) -> list[Token]:
        """The words without a condition before them: "if it rains"."""
        for place in reversed(range(len(words))):
            found = verb_of(words[place].folded, self.pack)
            if found is not None and "hypothetical" in found.says:
                told.scope += words[: place + 1]
                return words[place + 1 :]
        return words

    def _happens(self, told: Told) -> bool:
        """Whether a verb tells what happens to a thing: one noun before it is its subject."""
        return "passive" in told.says or self.pack.in_any(("changing", "ends"), told.verb)

    def _plain_subject(self, words: Tokens) -> int:
        """How many words are the subject before a verb of nobody's: a name, or one noun before an object."""
        end = 1
        while end < len(words) and words[end].is_capital and words[end - 1].is_capital:
            if end + 1 < len(words) and words[end + 1].is_ending:
                break
            end += 1
        if end < len(words) and words[end].is_ending:
            return 0
        return end

    def _earlier(self, words: Tokens, told: Told) -> None:
        """Another finite verb before the predicate: what is said of it is not understood."""
        pack = self.pack
        for word in words:
            found = verb_of(word.folded, pack)
            if found is None or not found.says & {"present", "past", "planned", "reported"}:
                continue
            noun = pack.in_any(("nouns", "bare"), word.folded)
            if not noun and verb_of(word.folded, pack, "converb_endings") is None:
                told.doubt.append(word)

    def _arguments(self, chunks: Sequence[Chunk], told: Told) -> None:
        """What stands with a verb: its value, the thing that is changed, times, and what limits it."""
        pack = self.pack
        rest: list[Chunk] = []
        for chunk in chunks:
            bared = [word for word in chunk.words if not word.is_ending]
            plain = self.stems(chunk.words)
            if chunk.case in ("joined", "reason"):
                told.beside.append(chunk.words)
                told.scope += [word for word in bared if pack.has("habits", word.folded)]
            elif chunk.case == "when" or pack.has("scoping", chunk.case):
                told.scope += chunk.words
            elif is_time(pack, plain) and not self._wants_time(plain, told, chunks):
                self._time(bared, told)
            elif pack.has("harmless", chunk.case):
                told.beside.append(chunk.words)
            else:
                rest.append(chunk)
        self._valued(rest, told)

    def _wants_time(self, words: Tokens, told: Told, chunks: Sequence[Chunk]) -> bool:
        """Whether a time is the value: nothing else is, or the verb tells a new one."""
        if self.pack.among("habits", words):
            return False
        changing = self.pack.has("changing", told.verb)
        if changing or type_of(words, self.pack).partition(":")[0] not in _TYPED:
            return changing
        others = [chunk for chunk in chunks if chunk.case not in ("joined", "reason", "when")]
        return len(others) == 1 or (
            len(others) == 2 and any(chunk.case == "acc" for chunk in others)
        )

    def _valued(self, chunks: list[Chunk], told: Told) -> None:
        pack = self.pack
        if not chunks:
            return
        changing = pack.has("changing", told.verb)
        ranked = [
            chunk
            for chunk in chunks
            if any(slot.takes(f"{told.verb} {chunk.case}") for slot in pack.slots)
        ]
        main = ranked[-1] if ranked else chunks[-1]
        object_ = next(
            (chunk for chunk in chunks if chunk.case == "acc" and chunk is not main), None
        )
        if changing and not ranked:
            main = next((chunk for chunk in chunks if pack.has("goal", chunk.case)), main)
            if pack.has("goal", main.case) and object_ is not None:
                told.subject = self.thing(object_.words, absent=True)
                told.changes = True
        elif (
            object_ is not None
            and told.subject == "he"
            and not main.case
            and main.words[0].is_capital
        ):
            told.subject = self.thing(object_.words, absent=True)
            told.value = main.words
            told.case = "by"
            told.scope += [
                word for chunk in chunks if chunk not in (main, object_) for word in chunk.words
            ]
            return
        elif object_ is not None and main.case in ("", "ins", "loc", "dat", "abl"):
            owner = {"i": "my", "we": "my"}.get(told.subject, told.subject)
            thing = self.thing(object_.words).removeprefix("my ")
            told.subject = f"{owner} {thing}".strip()
        told.case = main.case
        told.value = self._uncased(main.words, told)
        for chunk in chunks:
            if chunk is main or chunk is object_:
                continue
            if chunk.case == "ins" or (chunk in ranked and chunk.case != main.case):
                told.beside.append(chunk.words)
            elif chunk.case == "abl" and (
                changing or any(f"{told.verb} {main.case}" in slot.changes for slot in pack.slots)
            ):
                told.denies = told.denies or self._uncased(chunk.words, told, keep=True)
            else:
                told.scope += chunk.words

    def _existing(self, words: Tokens, place: int, told: Told) -> None:
        """What there is: "Alerjim var", "Depoda 40 koli var"."""
        pack = self.pack
        found = cast("Ending", self.copula(words[place].folded, "there"))
        told.says = found.says
        told.negative = pack.has("negations", found.stem)
        told.verb = "var"
        told.doubt += words[place + 1 :]
        lead = self._times(words[:place], told)
        lead = self._without_wrong(lead, told)
        end = self.subject_end(lead)
        mine = bool(lead) and self.ends_as("mine", lead[-1].folded)
        chunks = self.chunks(lead)
        owner = next((k for k in range(len(lead)) if "gen" in self.case(lead, k).says), None)
        if mine and end == len(lead):
            told.subject = self._whose(lead)
            told.value = self._owned_value(lead)
        elif mine:
            told.subject = self._whose(lead)
            told.value = self._owned_value(chunks[-1].words)
            for chunk in chunks[:-1]:
                if chunk.case == "dat":
                    told.value = [*self._uncased(chunk.words, told), *told.value]
                elif is_time(pack, [w for w in chunk.words if not w.is_ending]):
                    self._time(chunk.words, told)
                else:
                    told.scope += chunk.words
        elif owner is not None:
            cut = owner + 1 + (owner + 1 < len(lead) and lead[owner + 1].is_ending)
            *others, last = self.chunks(lead[cut:]) or [Chunk(())]
            told.subject = self.thing(lead[:cut])
            told.value = last.words
            told.scope += [word for chunk in others for word in chunk.words]
        elif end and end < len(lead):
            told.subject = self.thing(lead[:end])
            told.value = self._uncased(lead[end:], told, keep=True)
        elif chunks and chunks[0].case == "loc" and len(chunks) > 1:
            told.subject = self.thing(self._uncased(chunks[0].words, told, keep=True))
            told.value = [word for chunk in chunks[1:] for word in chunk.words]
        elif lead:
            told.subject = "it"
            told.value = lead

    def _whose(self, words: Tokens) -> str:
        """Whose a thing with an ending of the first person is."""
        return "we" if self.ends_as("ours", words[-1].folded) else "i"

    def _owned_value(self, words: Tokens) -> Tokens:
        last = words[-1]
        stem = bare(last.folded, self.pack)
        return [*words[:-1], last.cut(len(stem))._replace(folded=stem)]
