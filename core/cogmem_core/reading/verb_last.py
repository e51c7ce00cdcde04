"""Finds the parts of a statement whose verb comes last, and whose nouns carry cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from cogmem_core.reading.endings import Ending, bare, case_of, says, verb_of
from cogmem_core.reading.frames import Frame
from cogmem_core.reading.model import Kind, Span
from cogmem_core.reading.nouns import Chunk, Nouns
from cogmem_core.reading.pack import Pack
from cogmem_core.reading.rest import is_scope_of_time, is_time
from cogmem_core.reading.tokens import Token, tokens_of
from cogmem_core.reading.told import PERSONS, Told
from cogmem_core.reading.values import type_of
from cogmem_core.reading.verbs import Group

_PAUSES = frozenset(",;()\u2013\u2014")
_POSTPOSED = 5
"""Words behind a verb."""
_LONGEST_VALUE = 7
_TYPED = ("weekday", "clock", "date", "number")


class VerbLast(Nouns):
    """Finds frames in the words of one text in a language whose verb comes last."""

    def __init__(self, folded: str, pack: Pack) -> None:
        super().__init__(folded, pack)
        self._found: dict[Span, Told | None] = {}

    def frame(self, words: Sequence[Token], *, subject: bool = True) -> Frame | None:
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
        words = [
            word
            for word in tokens_of(self.folded, self.folded, start, end, pack.splits)
            if word.is_word
        ]
        while len(words) > 1 and (pack.has("courtesies", words[-1].folded)):
            words = words[:-1]
        if not words:
            return None
        start, end = words[0].start, words[-1].end
        if self._searched("polite", start, end):
            return "request"
        word = words[-1].folded
        if self._ordered(words, word):
            return "request"
        if self._searched("question_word", start, end) and (asks or not self._inside(words)):
            return "question"
        return None

    def _inside(self, words: Sequence[Token]) -> bool:
        """Whether a question word may stand in an embedded clause."""
        return any(verb_of(word.folded, self.pack, "converb_endings") for word in words)

    def _searched(self, pattern: str, start: int, end: int) -> bool:
        found = self.pack.patterns.get(pattern)
        return found is not None and found.search(self.folded, start, end) is not None

    def _ordered(self, words: Sequence[Token], word: str) -> bool:
        """Whether the last word is an imperative, and no noun."""
        pack = self.pack
        order = pack.patterns.get("imperative")
        if order is None or pack.has("nouns", word) or pack.has("postpositions", word):
            return False
        for length in range(len(word), 0, -1):
            forms = pack.forms.get(word[:length])
            if forms is None or not forms[0].tense or not order.fullmatch(word, length):
                continue
            if not pack.has("invariant", word):
                return len(words) > 1 or length < len(word) or pack.has("orders", forms[0].verb)
            return len(words) > 1 and (
                case_of(words[-2], None, pack).says & {"acc", "dat"} != frozenset()
                or any(pack.has("orders", each.folded) for each in words[:-1])
            )
        return False

    def joins(self, words: Sequence[Token], place: int) -> bool:
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

    def told(self, words: Sequence[Token]) -> Told | None:
        """What some words say; None if no predicate is found in them."""
        if not words:
            return None
        place = words[0].start, words[-1].end
        if place not in self._found:
            self._found[place] = self._told(words)
        return self._found[place]

    def _told(self, words: Sequence[Token]) -> Told | None:
        pauses = [word.start for word in words[1:] if word.folded in _PAUSES]
        words = [
            word
            for word in words
            if word.is_word or word.folded in self.pack.words.get("units", ())
        ]
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
        there = next(
            (k for k in range(len(words) - 1, -1, -1) if self._there(words[k].folded)), None
        )
        if there is not None:
            self._existing(words, there, told)
            return told
        pause = next(iter(pauses), words[-1].end)
        told.doubt += [word for word in words if word.start > pause]
        words = [word for word in words if word.start < pause]
        return told if words and self._nominal(words, told) else None

    def _modified(self, words: Sequence[Token], told: Told) -> list[Token]:
        """The words without adverbs; what these limit is kept."""
        pack, kept = self.pack, list[Token]()
        start, end = words[0].start, words[-1].end
        for mood, phrases in pack.moods:
            span = phrases.within(self.folded, start, end)
            if span is not None:
                told.mood = told.mood or mood
        for place, word in enumerate(words):
            pair = f"{word.folded}-{words[place + 1].folded}" if place + 1 < len(words) else ""
            before = f"{words[place - 1].folded}-{word.folded}" if place else ""
            told.now |= pack.has("now", word.folded)
            told.stopped |= pack.has("stop", word.folded)
            if any(pack.has("limiting", each) for each in (word.folded, pair, before)):
                told.scope.append(word)
            elif (
                pack.has("adverbs", word.folded)
                or pack.has("adverbs", pair)
                or pack.has("adverbs", before)
            ):
                told.plans |= pack.has("plans", word.folded)
            elif (
                pack.has("joints", word.folded)
                and not pack.has("conjunctions", word.folded)
                and not kept
            ):
                continue
            else:
                kept.append(word)
        return kept

    def _verb(self, words: Sequence[Token]) -> int | None:
        """The place of the last finite verb."""
        pack = self.pack
        for place in range(len(words) - 1, max(-1, len(words) - 1 - _POSTPOSED), -1):
            word = words[place].folded
            if pack.has("nouns", word) or verb_of(word, pack) is None:
                continue
            behind = words[place + 1 :]
            if all(self._cased(behind, k) for k in range(len(behind))):
                return place
        return None

    def _cased(self, words: Sequence[Token], place: int) -> bool:
        word = words[place]
        if (
            word.folded.startswith("'")
            or self.pack.has("negations", word.folded)
            or is_time(self.pack, [word])
        ):
            return True
        return place + 1 < len(words) or self.case(words, place).says != frozenset()

    def _there(self, word: str) -> bool:
        return self.copula(word, "there") is not None

    def _verbal(self, words: Sequence[Token], place: int, told: Told) -> None:
        pack = self.pack
        verb = cast("Ending", verb_of(words[place].folded, pack))
        before = list(words[:place])
        behind = list(words[place + 1 :])
        told.verb, told.says = verb.stem, verb.says
        told.negative = "negative" in verb.says
        if behind and pack.has("negations", behind[0].folded):
            told.negative, behind = not told.negative, behind[1:]
        if pack.has("light", verb.stem) and before and pack.has("compounds", before[-1].folded):
            told.verb = f"{before.pop().folded}_{verb.stem}"
        self._earlier(before, told)
        before = self._without_wrong(self._unconditional(before, told), told)
        person = next((each for each in ("i", "we", "you") if each in verb.says), "")
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
        for place in range(len(words) - 1, -1, -1):
            found = verb_of(words[place].folded, self.pack)
            if found is not None and "hypothetical" in found.says:
                told.scope += words[: place + 1]
                return words[place + 1 :]
        return words

    def _happens(self, told: Told) -> bool:
        """Whether a verb tells what happens to a thing: one noun before it is its subject."""
        pack, verb = self.pack, told.verb
        return "passive" in told.says or pack.has("changing", verb) or pack.has("ends", verb)

    def _plain_subject(self, words: Sequence[Token]) -> int:
        """How many words are the subject before a verb of nobody's: a name, or one noun before an object."""
        end = 1
        while end < len(words) and words[end].is_capital and words[end - 1].is_capital:
            if end + 1 < len(words) and words[end + 1].folded.startswith("'"):
                break
            end += 1
        if end < len(words) and words[end].folded.startswith("'"):
            return 0
        return end

    def _earlier(self, words: Sequence[Token], told: Told) -> None:
        """Another finite verb before the predicate: what is said of it is not understood."""
        pack = self.pack
        for word in words:
            found = verb_of(word.folded, pack)
            if found is None or not found.says & {"present", "past", "planned", "reported"}:
                continue
            noun = pack.has("nouns", word.folded) or pack.has("bare", word.folded)
            if not noun and verb_of(word.folded, pack, "converb_endings") is None:
                told.doubt.append(word)

    def _without_wrong(self, words: list[Token], told: Told) -> list[Token]:
        """The words without what is named wrong: "Eskişehir'de değil Kütahya'da"."""
        for place, word in enumerate(words[:-1]):
            if place and self.copula(word.folded, "excluding"):
                begin = place - 1
                if words[begin].folded.startswith("'"):
                    begin -= 1
                while begin > 0 and self._goes_on(words, begin):
                    begin -= 1
                told.denies = self._uncased(words[begin:place], told, keep=True)
                return words[:begin] + words[place + 1 :]
        return words

    def _goes_on(self, words: Sequence[Token], place: int) -> bool:
        """Whether the word before a place belongs to the value at it."""
        before = words[place - 1]
        named = place > 1 and before.is_capital and words[place].is_capital
        return named or before.folded[:1].isdigit()

    def _times(self, words: Sequence[Token], told: Told) -> list[Token]:
        """The words without the times and circumstances at their beginning."""
        pack = self.pack
        for place in range(len(words) - 2, -1, -1):
            said = verb_of(words[place].folded, pack, "converb_endings")
            word = words[place].folded
            behind = words[place + 1].folded
            circumstance = pack.has("scoping", word) or pack.has("reasons", word)
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
            end < len(words)
            and is_time(self.pack, words[: end + 1])
            and not words[end].folded.startswith("'")
        ):
            end += 1
        behind = words[end].folded if end < len(words) else "'"
        owned = self.ends_as("possessed", behind) and not pack.has("bare", behind)
        if end and not behind.startswith("'") and not owned:
            self._time(words[:end], told)
            return list(words[end:])
        return list(words)

    def _time(self, words: Sequence[Token], told: Told) -> None:
        told.times.append(words)
        told.plans |= any(self.pack.has("plans", word.folded) for word in words)
        if is_scope_of_time(self.pack, words):
            told.scope += words

    def _arguments(self, chunks: Sequence[Chunk], told: Told) -> None:
        """What stands with a verb: its value, the thing that is changed, times, and what limits it."""
        pack = self.pack
        rest: list[Chunk] = []
        for chunk in chunks:
            bared = [word for word in chunk.words if not word.folded.startswith("'")]
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

    def _wants_time(self, words: Sequence[Token], told: Told, chunks: Sequence[Chunk]) -> bool:
        """Whether a time is the value: nothing else is, or the verb tells a new one."""
        if any(self.pack.has("habits", word.folded) for word in words):
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
            if any(f"{told.verb} {chunk.case}" in slot.verbs | slot.changes for slot in pack.slots)
        ]
        main = ranked[-1] if ranked else chunks[-1]
        object_ = next(
            (chunk for chunk in chunks if chunk.case == "acc" and chunk is not main), None
        )
        if changing and not ranked:
            main = next((chunk for chunk in chunks if pack.has("goal", chunk.case)), main)
            if pack.has("goal", main.case) and object_ is not None:
                told.subject, told.changes = self.thing(object_.words, absent=True), True
        elif (
            object_ is not None
            and told.subject == "he"
            and not main.case
            and main.words[0].is_capital
        ):
            told.subject, told.value, told.case = (
                self.thing(object_.words, absent=True),
                main.words,
                "by",
            )
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
            elif chunk.case == "abl" and (changing or self._tells_new(told, main)):
                told.denies = told.denies or self._uncased(chunk.words, told, keep=True)
            else:
                told.scope += chunk.words

    def _tells_new(self, told: Told, main: Chunk) -> bool:
        """Whether a verb with this case tells a new value of a slot."""
        return any(f"{told.verb} {main.case}" in slot.changes for slot in self.pack.slots)

    def _uncased(
        self, words: Sequence[Token], told: Told, *, keep: bool = False
    ) -> Sequence[Token]:
        """A value without the case of its last word."""
        if not words:
            return words
        pack = self.pack
        kept = list(words)
        if pack.has("postpositions", kept[-1].folded) and len(kept) > 1:
            kept.pop()
        following = None
        if kept[-1].folded.startswith("'") and len(kept) > 1:
            following = kept.pop()
        ending = case_of(kept[-1], following, pack)
        last = kept[-1]
        length = len(ending.stem) if following is None else len(last.folded)
        kept[-1] = Token(last.folded[:length], last.raw[:length], last.start, last.start + length)
        if not keep:
            told.says |= ending.says & {"attribute"}
        kept = [word for word in kept if not pack.has("adverbs", word.folded)] or kept
        return kept if keep else self._trimmed(kept, told, named=bool(ending.says))

    def _trimmed(self, words: list[Token], told: Told, *, named: bool) -> list[Token]:
        """A name in a case, or a time, without what stands before it: that limits the claim."""
        begin = len(words) - 1
        if named and words[begin].is_capital:
            while begin > 0 and (
                words[begin - 1].is_capital or words[begin - 1].folded[:1].isdigit()
            ):
                begin -= 1
        elif type_of(words, self.pack) in ("weekday", "clock", "date"):
            while begin > 0 and (
                words[begin - 1].is_capital or is_time(self.pack, words[begin - 1 :])
            ):
                begin -= 1
        else:
            while begin > 0 and not any(
                "attribute" in self.case(words, k).says for k in range(begin)
            ):
                begin -= 1
        told.scope += [
            word for word in words[:begin] if not self.pack.has("determiners", word.folded)
        ]
        return words[begin:]

    def _existing(self, words: Sequence[Token], place: int, told: Told) -> None:
        """What there is: "Alerjim var", "Depoda 40 koli var"."""
        pack = self.pack
        found = cast("Ending", self.copula(words[place].folded, "there"))
        told.says, told.negative = found.says, pack.has("negations", found.stem)
        told.verb = "var"
        told.doubt += words[place + 1 :]
        lead = self._times(words[:place], told)
        lead = self._without_wrong(lead, told)
        end = self.subject_end(lead)
        mine = next(
            (k for k in range(len(lead) - 1, -1, -1) if self.ends_as("mine", lead[k].folded)), None
        )
        chunks = self.chunks(lead)
        owner = next((k for k in range(len(lead)) if "gen" in self.case(lead, k).says), None)
        if end == len(lead) and lead and self.ends_as("mine", lead[-1].folded) and mine is not None:
            told.subject, told.value = self._whose(lead), self._owned_value(lead)
        elif mine is not None and mine == len(lead) - 1:
            told.subject, told.value = self._whose(lead), self._owned_value(chunks[-1].words)
            for chunk in chunks[:-1]:
                if chunk.case == "dat":
                    told.value = [*self._uncased(chunk.words, told), *told.value]
                elif is_time(pack, [w for w in chunk.words if not w.folded.startswith("'")]):
                    self._time(chunk.words, told)
                else:
                    told.scope += chunk.words
        elif owner is not None:
            cut = owner + 1 + (owner + 1 < len(lead) and lead[owner + 1].folded.startswith("'"))
            *others, last = self.chunks(lead[cut:]) or [Chunk(())]
            told.subject, told.value = self.thing(lead[:cut]), last.words
            told.scope += [word for chunk in others for word in chunk.words]
        elif end and end < len(lead):
            told.subject, told.value = (
                self.thing(lead[:end]),
                self._uncased(lead[end:], told, keep=True),
            )
        elif chunks and chunks[0].case == "loc" and len(chunks) > 1:
            told.subject = self.thing(self._uncased(chunks[0].words, told, keep=True))
            told.value = [word for chunk in chunks[1:] for word in chunk.words]
        elif lead:
            told.subject, told.value = "it", lead

    def _whose(self, words: Sequence[Token]) -> str:
        """Whose a thing with an ending of the first person is."""
        return "we" if self.ends_as("ours", words[-1].folded) else "i"

    def _owned_value(self, words: Sequence[Token]) -> Sequence[Token]:
        last = words[-1]
        stem = bare(last.folded, self.pack)
        return [*words[:-1], Token(stem, last.raw[: len(stem)], last.start, last.start + len(stem))]

    def _nominal(self, words: Sequence[Token], told: Told) -> bool:
        """A predicate without a verb: "Annem öğretmen", "Vegan değilim", "I'm in Rome"."""
        pack = self.pack
        told.verb = "be"
        words = list(words)
        denied = self.copula(words[-1].folded, "excluding") if words else None
        if denied is not None:
            told.negative, told.says = True, denied.says
            words = words[:-1]
        else:
            words = self._without_wrong(words, told)
        if not words or pack.has("scoping", words[-1].folded):
            return False
        lead = self._times(words, told) if len(words) > 2 else words
        end = self.subject_end(lead)
        if end == len(lead):
            end = 0
        person = next((each for each in PERSONS if each in told.says), "")
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
        found = self.pack.patterns.get("person")
        if found is None:
            return "", words
        listed = frozenset(each for slot in self.pack.slots for each in slot.values)
        for length in range(len(last.folded) - 1, 1 if not last.folded.startswith("'") else 0, -1):
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
            cut = Token(stem, last.raw[:length], last.start, last.start + length)
            who = next((each for each in ("i", "we") if each in says(match)), "")
            return who, ([*words[:-1], cut] if stem != "'" else list(words[:-1]))
        return "", words

    def _predicate(self, words: Sequence[Token], told: Told) -> None:
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
            elif chunk.case in ("acc", "dat") and not chunk.words[-1].folded.startswith("'"):
                last = Chunk([*chunk.words, *last.words], last.case)
            elif chunk.case in ("joined", "reason"):
                told.beside.append(chunk.words)
            else:
                told.scope += chunk.words
        if self.pack.has("scoping", last.case):
            return
        told.case = (
            last.case
            if last.case not in ("acc", "dat") or last.words[-1].folded.startswith("'")
            else ""
        )
        named = self._named_value(last.words)
        told.value = (
            self._uncased(last.words, told)
            if told.case
            else self._trimmed(named, told, named=False)
        )

    def _named_value(self, words: Sequence[Token]) -> list[Token]:
        return [word for word in words if not word.folded.startswith("'")]

    def _ended(self, words: Sequence[Token], told: Told) -> Sequence[Token]:
        """The words without "was", "is said to be" or "if it is" at their end."""
        if not words:
            return words
        last = words[-1]
        found = self.pack.patterns.get("was")
        for length in range(len(last.folded) - 1, 0, -1):
            match = found.fullmatch(last.folded, length) if found is not None else None
            if match is not None and (length > 2 or last.folded.startswith("'")):
                told.says |= says(match)
                if last.folded[:length] == "'":
                    return words[:-1]
                return [
                    *words[:-1],
                    Token(last.folded[:length], last.raw[:length], last.start, last.start + length),
                ]
        return words
