"""Takes a text apart into clauses. Pure: a reading depends on the text, the language and its tables (I7)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from cogmem_core.reading.cut import sentences, stretches
from cogmem_core.reading.frames import Frame
from cogmem_core.reading.guards import guarded
from cogmem_core.reading.kinds import KindReader, Opened
from cogmem_core.reading.model import Clause, Kind, Reading
from cogmem_core.reading.pack import Pack
from cogmem_core.reading.plain import parts
from cogmem_core.reading.rest import framed, is_time, thing_of
from cogmem_core.reading.settle import settled
from cogmem_core.reading.tokens import Token, Tokens, only_words, span_of, text_of
from cogmem_core.reading.told import framed as told_last
from cogmem_core.reading.values import negated, type_of
from cogmem_core.reading.verb_last import VerbLast
from cogmem_core.reading.verbs import AUXILIARY, Group
from cogmem_core.text.folding import trimmed

_MARKS = frozenset(".;:()[]\u2013\u2014\u2026,-/")
_ENDS = "?!.\u2026\uff1f\u3002\uff01\u061f\u0964\u0965)\"'\u201d"
_ASKING = re.compile("[?\uff1f\u061f\u1367]|(?<=[\u0370-\u03ff\u1f00-\u1fff])\\s*[;\u037e]\\W*\\Z")
_ASKED_BEHIND = re.compile("\\s*[?\uff1f\u061f]")
_ASKING_WITHIN = "\u055e"
"""A mark that stands in the word that asks."""
_APART = ("relatives", "question_words", "subordinating", "complements")
"""Words behind which somebody else, or nobody, may do what is told."""
_ASKED = ("question", "request")
_DEMANDS = ("question", "request", "wish_to_forget", "wish_to_keep")
_LONGEST_SENTENCE = 160  # words
_LEAST_TOLD = 3
"""Words of a clause whose verb is unknown."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a sentence, as places among its words."""

    words: Tokens
    asks: bool = False
    inherits: str = ""
    reported: bool = False
    relative: bool = False


def read(text: str, language: str, pack: Pack, *, given: bool = True) -> Reading:
    """Take a text apart.

    Args:
        text: what somebody said.
        language: the code under which the reading is stored.
        pack: the tables of the language; an empty one makes fragments of all sentences.
        given: whether the speaker may hand over a text to be worked on, as no assistant does.
    """
    reader = _Reader(text, pack, given=given)
    found: list[Clause] = []
    material = False
    cut = stretches(text)
    for place, stretch in enumerate(cut):
        if material or stretch.kind:
            kind: Kind = stretch.kind or "pasted"
            found.append(Clause(stretch.start, stretch.end, "pasted" if material else kind))
            continue
        for start, end in sentences(text, stretch.start, stretch.end, pack):
            if material:
                found.append(Clause(start, end, "pasted"))
                continue
            last = not text[end : stretch.end].strip() and place + 1 < len(cut)
            asked = last and _ASKED_BEHIND.match(text, cut[place + 1].end) is not None
            clauses, material = reader.sentence(start, end, asked=asked)
            found += clauses
    alone = _joined(found)
    return Reading(
        language,
        tuple(map(partial(guarded, reader.source), settled(reader.wishes, alone), alone)),
        text=text,
    )


def _joined(clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses with pasted neighbours as one."""
    found: list[Clause] = []
    for clause in clauses:
        if found and clause.kind == found[-1].kind == "pasted":
            found[-1] = replace(found[-1], end=clause.end)
        else:
            found.append(clause)
    return found


class _Reader(KindReader):
    def __init__(self, text: str, pack: Pack, *, given: bool) -> None:
        super().__init__(text, pack)
        self._given = given
        self.asks = False

    def sentence(self, start: int, end: int, *, asked: bool = False) -> tuple[list[Clause], bool]:
        """The clauses of one sentence, and whether what follows is material of its request.

        `asked` = a question mark stands behind a quotation that follows.
        """
        material = self._material(start, end) if self._given else None
        if material is not None:
            rest = (Clause(*span, "pasted") for span in trimmed(self.text, material, end))
            return [Clause(start, material, "request"), *rest], True
        if self._is_filler(start, end):
            return [Clause(start, end, "filler")], False
        words = self.source.tokens(start, end)
        while words and not words[-1].is_word and words[-1].folded in _ENDS:
            words = words[:-1]
        asks = self.asks = (
            _ASKING.search(self.text[max(start, end - 4) : end]) is not None
            or _ASKING_WITHIN in self.text[start:end]
            or asked
        )
        if not words:
            return [Clause(start, end, "filler")], False
        if not self.pack.order:
            pieces = parts(self.folded, self.pack, (start, end), asks=asks, what=self._what)
            return [
                self._plain(piece, asks=asks and piece == pieces[-1]) for piece in pieces
            ], False
        return [self._clause(part) for part in self._parts(words, asks=asks)], False

    def _parts(self, words: Tokens, *, asks: bool) -> list[Part]:
        """The parts of a sentence: cut where the left side is whole and the right side begins one."""
        parts: list[Part] = []
        begin = 0
        limit = min(len(words), _LONGEST_SENTENCE)
        subject = heir = listed = ""
        reported = relative = False
        runs = self._runs(words)
        near = words[: 2 * _LONGEST_SENTENCE]  # what is looked at to see whether a part begins
        for place in range(1, limit):
            left_end, right = self._joint(words, place)
            if right is None or left_end <= begin or right >= len(words):
                continue
            left = words[begin:left_end]
            inherits = self._begins(near, right, runs[right])
            lists = self._lists_verbs(left, near[left_end:right], near[right:], listed)
            if lists:
                inherits = "verb"
            elif (
                inherits is None
                and not words[left_end].is_word
                and (
                    self._explains(left, near[right:])
                    or (asks and self._asks_on(left, near[right:]))
                )
            ):
                inherits = "subject"
            begin_verb = runs[right][0]
            if inherits and self._tells_on(left, words[left_end:begin_verb], near[begin_verb:]):
                inherits = "verb"
            if inherits is None or (inherits == "verb" and asks and self._asks(left)):
                continue
            if self._goes_on_wishing(words, right, left) or self._coordinates(near, right, left):
                continue
            joined = self.pack.among("joints", words[left_end : right + 2])
            tells = not words[left_end].is_word and self._asks(near[right:]) and self._names(left)
            whole = tells or self._is_whole(left, words[-1].end, joined=joined)
            if not (whole or (listed and self._frame(left, subject=False) is not None)):
                continue
            subject = self._subject_of(left) or subject
            parts.append(Part(left, inherits=heir, reported=reported, relative=relative))
            relative = self._relates(words, right)
            reported = not words[left_end].is_word and self._reports(left)
            heir = subject if inherits == "verb" else ""
            listed = heir if lists else ""
            begin = right
        given = begin and self.pack.has("subordinating", words[begin].folded)
        asks = asks and not (given and any(self._asks(part.words) for part in parts))
        parts.append(Part(words[begin:], asks, heir, reported, relative))
        return parts

    def _tells_on(self, left: Tokens, joint: Tokens, right: Tokens) -> bool:
        """Whether what reads as a request tells more of whom it was told of: "I have asthma and take cortisone"."""
        pack = self.pack
        inner = self._behind_openers(left)
        frame = self._frame(inner)
        if not (joint and right) or frame is None:
            return False
        span = span_of(right)
        subject = self._subject(inner, frame)
        own = subject in ("i", "we")
        verbs = (frame.words or inner)[: frame.group.end]
        return (
            (
                self._agrees(verbs, right[0], own=own)
                or (subject == "they" and pack.among("now", right))
            )
            and not self._opens_as("manners", *span)
            and all(pack.has("conjunctions", word.folded) for word in joint)
            and subject not in ("", "you")
            and not (own and pack.among("mine", right[1:3]))
            and self._kind_of(*span_of(left)) is None
            and self._kind_of(*span) == "request"
        )

    def _lists_verbs(self, left: Tokens, mark: Tokens, right: Tokens, heir: str) -> bool:
        """Whether more is told of the same subject behind a comma: "she lives in Oslo, works there and has a son".

        Only of a plain claim, whose beginning is its subject; and behind the last "and" of such a list.
        """
        pack = self.pack
        ends = bool(heir) and bool(right) and pack.has("conjunctions", right[0].folded)
        if len(right) < _LEAST_TOLD - 1 or not (ends or [each.folded for each in mark] == [","]):
            return False
        frame = self._frame(left, subject=not heir)
        if frame is None:
            return False
        group = frame.group
        plain = not (frame.lead or group.negative or group.stopped or group.over or group.limiting)
        apart = any(pack.in_any(_APART, word.folded) for word in left) or self._reports(left)
        opened = len(self._behind_openers(left)) < len(left)
        if not plain or apart or opened or group.mood != "asserted":
            return False
        own = (heir or self._subject(left, frame)) in ("i", "we")
        verbs = (frame.words or left)[: group.end]
        if ends:
            return self._agrees(verbs, right[1], own=own)
        told = self._frame(right, subject=False)
        return (
            told is not None
            and told.value[0] < told.value[1]
            and not pack.has("conjunctions", right[1].folded)
            and not any(pack.has("reporting", form.verb) for form in pack.forms[right[0].folded])
            and self._agrees(verbs, right[0], own=own)
            and self._kind_of(*span_of(left)) is None
            and any(
                pack.has("conjunctions", before.folded) and self._agrees(verbs, word, own=own)
                for before, word in pairwise(right)
            )
        )

    def _goes_on_wishing(self, words: Tokens, right: int, left: Tokens) -> bool:
        """Whether a wish to forget names behind a mark what it is about: "all, what I told of Ann"."""
        groups = ("question_words", "complements")
        if not self.pack.in_any(groups, words[right].folded):
            return False
        target = self._wished(left[0].start, words[-1].end)
        return target is not None and target[0] >= words[right].start

    def _coordinates(self, words: Tokens, right: int, left: Tokens) -> bool:
        """Whether what looks like a wish goes on with what is told: "She said I should rest and forget him"."""
        joined = self.pack.has("conjunctions", words[right].folded) and words[right - 1].is_word
        if not joined or right + 1 >= len(words):
            return False
        if self._kind_behind_openers(left) is not None:
            return False
        return self._wished(words[right + 1].start, words[-1].end) is not None

    def _names(self, words: Tokens) -> bool:
        """Whether some words begin with a subject, though their verb is unknown: "my son swallowed bleach"."""
        inner = self._behind_openers(words)
        mark = max((k + 1 for k, word in enumerate(inner) if not word.is_word), default=0)
        inner = inner[mark:]
        if len(inner) < _LEAST_TOLD:
            return False
        first = inner[0].folded
        return first in self.pack.subjects or self.pack.has("own", first)

    def _explains(self, left: Tokens, right: Tokens) -> bool:
        """Whether something of the speaker's is told behind a request, though its frame is unknown.

        As in "Find me a dentist, my old one retired" or "a note to Mr Pell, our new landlord".
        """
        pack = self.pack
        first = right[0].folded
        if self._kind_behind_openers(left) not in _ASKED:
            return False
        if pack.has("own", first) and left[-1].is_capital:
            return len(right) > 1
        if pack.in_any(("question_words", "subordinating"), first):
            return False
        persons = [
            word
            for word in right
            if word.folded in pack.subjects or pack.in_any(("own", "mine"), word.folded)
        ]
        verb = pack.has("clitics", first) or any(map(self._is_verb, right))
        return bool(persons) and verb and len(right) >= _LEAST_TOLD

    def _asks_on(self, left: Tokens, right: Tokens) -> bool:
        """Whether a question begins with its verb behind what is told: "I'm pregnant, is brie ok?"."""
        pack = self.pack
        inner = self._behind_openers(left)
        frame = self._frame(inner)
        first = left[0].folded
        timed = pack.has("subordinating", first) and not pack.has("reasons", first)
        if frame is None or timed or self._reports(left):
            return False  # "When I'm in Bonn, is rent high?"
        if pack.order == "verb-second" and self._is_verb(inner[0]):
            return False  # "Nehme ich Marcumar, ist Aspirin dann ok?"
        whole = len(right) >= _LEAST_TOLD and self._leads(inner, frame, joined=False)
        return whole and any(
            form.tense and (form.verb in AUXILIARY or pack.order == "verb-second")
            for form in pack.forms[right[0].folded]
        )

    def _asks(self, words: Tokens) -> bool:
        """Whether a part is a question by its own words."""
        return self._kind_behind_openers(words) == "question"

    def _reports(self, words: Tokens) -> bool:
        """Whether what stands behind some words is what somebody says: "My neighbour claims, ..."."""
        frame = self._frame(self._behind_openers(words))
        if frame is None:
            return False
        if frame.group.mood == "hypothetical" and self._subject_of(words) == "it":
            return True  # "It would be nice, ..."
        if frame.value[0] < frame.value[1]:
            return False
        return self.pack.has("reporting", frame.group.verb) and not frame.group.negative

    def _subject_of(self, words: Tokens) -> str:
        inner = self._behind_openers(words)
        frame = self._frame(inner)
        return self._subject(inner, frame) if frame else ""

    def _joint(self, words: Tokens, place: int) -> tuple[int, int | None]:
        """Where the left side of a cut ends, and where the right side begins; None = no cut here."""
        word = words[place]
        if not word.is_word:
            return place, place + 1 if self._is_mark(words, place) else None
        if self.pack.has("joints", word.folded) and words[place - 1].is_word:
            beside = (words[place - 1], *words[place + 1 : place + 2])
            counts = len(beside) > 1 and all(map(self._counts, beside))  # "9 y media"
            return place, None if counts else place
        ends = (
            self.finder.joins(words, place)
            and all(each.is_word for each in words[place:])
            # The end of a sentence is a question or a request by itself.
            and self._kind_of(*span_of(words[place:]), asks=self.asks) in _ASKED
        )
        if self._passes_on(words, place):
            return place, place + 1
        return place, place if ends or self._relates(words, place) else None

    def _relates(self, words: Tokens, place: int) -> bool:
        """Whether "who" tells more of somebody whom a request names: "for my sister Ana who turns 40"."""
        pack = self.pack
        before = [word.folded for word in words[max(0, place - 6) : place]]
        last = -1 if pack.order == "verb-second" else min(place + 1, len(words) - 1)
        return (
            pack.in_any(("question_words", "relatives"), words[place].folded)
            and self._is_verb(words[last])
            and pack.has_any("own", before)
            and self._kind_of(*span_of(words[:place])) in _ASKED
        )

    def _passes_on(self, words: Tokens, place: int) -> bool:
        """Whether a request has somebody told what the speaker says: "write to my boss that I am ill"."""
        pack = self.pack
        inner = words[place + 1 :]
        if not inner or not pack.has("complements", words[place].folded):
            return False
        told = any(
            pack.has("reporting", form.verb)
            for word in words[:place]
            for form in pack.forms[word.folded]
        )
        if not told or pack.subjects.get(inner[0].folded) not in ("i", "we"):
            return False
        return self._kind_of(*span_of(words[:place])) == "request"

    def _is_mark(self, words: Tokens, place: int) -> bool:
        """Whether a sentence may be cut at a mark: at a hyphen only with blanks round it."""
        word = words[place]
        before = words[place - 1]
        if word.folded == "." and (
            before.is_figure or self.pack.has("abbreviations", before.folded)
        ):
            return False
        if word.folded not in _MARKS and unicodedata.category(word.folded[0]) != "So":
            return False
        return word.folded not in "-/'" or (
            before.end < word.start and place + 1 < len(words) and word.end < words[place + 1].start
        )

    def _counts(self, word: Token) -> bool:
        return word.is_figure or self.pack.has("numbers", word.folded)

    def _begins(self, words: Tokens, right: int, run: tuple[int, bool]) -> str | None:
        """What begins at a place, or behind the run of joints there: "subject", "verb" (of the one before), or None."""
        pack = self.pack
        if self._closes(words[right:]):
            return "subject"
        place, joined = run
        rest = words[place:]
        opened = self._opened(*span_of(rest)) if rest else Opened(0)
        if rest and self._stands_alone(rest, opened):
            return "subject"
        inner = [word for word in rest if word.start >= opened.place]
        frame = self._frame(inner)
        if frame is not None and self._leads(inner, frame, joined=joined):
            empty = frame.value[0] >= frame.value[1]
            hearsay = empty and pack.has("reporting", frame.group.verb)
            return None if hearsay else "subject"
        if len(inner) > 1 and pack.has("own", inner[0].folded) and self._is_verb(inner[1]):
            return "subject"  # "mine was stolen"
        drops = bool(inner) and (joined or self._without_subject(inner) is not None)
        return "verb" if drops and self._frame(inner, subject=False) else None

    def _is_verb(self, word: Token) -> bool:
        return self.pack.is_tensed(word.folded)

    def _stands_alone(self, words: Tokens, opened: Opened) -> bool:
        """Whether what ends a sentence is a part of it whatever stands before: it asks, wishes, takes back."""
        pack = self.pack
        start, end = span_of(words)
        apart = opened.mood in ("hypothetical", "joke") or opened.holder == "fiction"
        asking = self.asks and self._opens_as("question_word", opened.place, end)
        return (
            (apart and self._frame(self._behind_openers(words)) is not None)
            or any(
                pack.closers[name].at(self.folded, start, end) == end
                for name in ("retracted", "unsure")
            )
            or self._kind_of(opened.place, end) in _DEMANDS
            or asking
        )

    def _leads(self, words: Tokens, frame: Frame, *, joined: bool) -> bool:
        """Whether nothing stands before a subject, or what may begin a statement: "and on Monday I ..."."""
        if frame.words:
            return True
        lead = words[: frame.lead]
        if not lead or all(self.pack.has("subordinating", word.folded) for word in lead):
            return True
        if frame.value[0] >= frame.value[1]:
            return False
        return is_time(self.pack, only_words(lead)) or joined

    def _is_whole(self, words: Tokens, end_of_sentence: int, *, joined: bool) -> bool:
        """Whether some words are a statement, a question or a request by themselves."""
        if not words or self._opened(words[0].start, end_of_sentence).place >= words[-1].end:
            return False
        inner = self._behind_openers(words)
        if not inner:
            return False
        start, end = span_of(inner)
        if self._is_filler(words[0].start, end):
            return True
        kind = self._kind_of(start, end)
        if kind is not None:
            return not (
                kind == "wish_to_keep"
                and self.pack.kinds["keep"].at(self.folded, start, end) == end
            )
        frame = self._frame(inner) or self._without_subject(inner)
        if frame is not None and frame.implied and not frame.lead:
            first = inner[0].folded
            # "Como carne"
            return joined or self.pack.is_tensed(first) or not self.pack.has("prepositions", first)
        return frame is not None

    def _without_subject(self, words: Tokens) -> Frame | None:
        """The frame of "Sold the Astra": a past form without its "I"."""
        while len(words) > 1 and self.pack.has("adverbs", words[0].folded):
            words = words[1:]
        forms = self.pack.forms[words[0].folded] if words else ()
        past = any(form.tense == "past" and form.verb != words[0].folded for form in forms)
        return self._frame(words, subject=False) if past else None

    def _closes(self, words: Tokens) -> bool:
        """Whether some words are nothing but what takes back or weakens the clause before: "or not"."""
        span = self._bare(*span_of(words))
        return any(
            self.pack.closers[name].is_all(self.folded, *span) for name in ("retracted", "unsure")
        )

    def _clause(self, part: Part) -> Clause:
        words = part.words
        while (
            not self._closes(words)
            and len(words) > 1
            and self.finder.is_joint(words[0])
            and words[0].folded != "/"
        ):
            words = words[1:]
        start, end = span_of(words)
        bare = self._bare(start, end)
        if self._is_filler(start, end):
            return Clause(start, end, "filler")
        opened = self._opened(start, end)
        if self._is_filler(opened.place, end):
            return Clause(start, end, "filler")
        asks = part.asks
        kind = None if part.relative else self._kind_of(opened.place, end, asks=asks)
        reported = kind == "wish_to_forget" and opened.mood == "reported"
        # "Ab sofort darfst du ..."
        permits = not asks and self.pack.kinds["statement"].at(self.folded, *bare) > opened.place
        if reported or permits or (kind == "request" and part.inherits):
            kind = None  # "My boss told me to forget it"
        if not part.relative and self._wished(bare[0], end) is not None:
            kind = "wish_to_forget"
            opened = Opened(bare[0])
        stop = self.pack.kinds["request"].at(self.folded, *bare)
        asked = any(map(self._is_verb, [word for word in words if word.end <= stop]))
        if kind is None and asked and bare[0] < opened.place < stop:
            kind = "request"  # "J'aimerais que vous" is more than "j'aimerais que"
        inner = [word for word in words if word.start >= opened.place]
        while inner and self.finder.is_joint(inner[0]):
            inner = inner[1:]
        clause = Clause(
            start,
            end,
            kind or "statement",
            core=(start, end),
            holder=opened.holder,
            mood="reported" if part.reported and opened.mood == "asserted" else opened.mood,
            correcting=opened.correcting,
            now=self.pack.among("now", self.source.tokens(start, opened.place)),
            scope=opened.scope,
        )
        if kind == "wish_to_keep":
            return self._kept(clause, opened.place, words)
        if kind is not None:
            return self._wish(clause)
        return self._statement(clause, inner, inherits=part.inherits)

    def _kept(self, clause: Clause, place: int, words: Tokens) -> Clause:
        """A wish to remember, with the statement that it names."""
        stop = self.pack.kinds["keep"].at(self.folded, place, clause.end)
        last = self.pack.endings["keep"].before(self.folded, place, clause.end)
        inner = [
            word
            for word in words
            if word.start >= stop and (word.is_word or word.start > stop + 2) and word.end <= last
        ]
        if not inner:
            return replace(clause, kind="request")
        found = self._statement(replace(clause, kind="statement"), inner, inherits="")
        return replace(found, kind="wish_to_keep", target=text_of(self.text, inner))

    def _statement(self, clause: Clause, words: Tokens, *, inherits: str) -> Clause:
        """A statement with its frame; a fragment if none is found."""
        if words and isinstance(self.finder, VerbLast):
            told = self.finder.told(words)
            return (
                told_last(self.text, self.pack, clause, words, told)
                if told
                else self._fragment(clause, words)
            )
        frame = self._frame(words, subject=not inherits) if words else None
        if frame is None and inherits:
            frame = self._frame(words)
            inherits = ""
        if frame is None or (frame.lead and not inherits):
            bare = self._without_subject(words)
            frame, inherits = (bare, "i") if bare else (frame, inherits)
        if frame is None:
            return self._fragment(clause, words)
        return framed(self.source, clause, words, frame, inherits or self._subject(words, frame))

    def _subject(self, words: Tokens, frame: Frame) -> str:
        """The words that a statement is about, without articles."""
        pack = self.pack
        words = frame.words or words
        own = words[slice(*frame.subject)]
        if frame.implied:
            return frame.implied
        if len(own) == 1 and own[0].folded in pack.subjects:
            return pack.subjects[own[0].folded]
        return thing_of(pack, own)

    def _fragment(self, clause: Clause, words: Tokens) -> Clause:
        """What has no verb; "New address: 5 Mill Road" and "Deadline 12 May" have a thing and its value."""
        pack = self.pack
        colon = next(
            (k for k, word in enumerate(words[:6]) if word.folded in (":", "=", "\u2192")), 0
        )
        if 0 < colon < len(words) - 1 and all(word.is_word for word in words[:colon]):
            frame = Frame(
                0,
                (0, colon),
                Group("be", colon + 1, tense="present"),
                "be",
                (colon + 1, self.finder.value_end(words, colon + 1)),
            )
            return framed(self.source, clause, words, frame, self._subject(words, frame))
        value = [word for word in words if not pack.has("adverbs", word.folded)]
        denied, rest = negated(value, pack)
        kind = type_of(rest, pack)
        return replace(
            clause, kind="fragment", value=text_of(self.text, rest), type=kind, denies=denied
        )
