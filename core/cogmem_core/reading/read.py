"""Takes a text apart into clauses. Pure: a reading depends on the text, the language and its tables (I7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from cogmem_core.reading.cut import sentences, stretches
from cogmem_core.reading.frames import Finder, Frame, Group
from cogmem_core.reading.model import Clause, Holder, Kind, Mood, Reading, Span
from cogmem_core.reading.pack import Pack
from cogmem_core.reading.rest import framed, is_time, thing_of
from cogmem_core.reading.settle import settled
from cogmem_core.reading.tokens import Token, tokens_of
from cogmem_core.reading.values import type_of
from cogmem_core.reading.verb_second import VerbSecond

_MARKS = frozenset(";:()[]\u2013\u2014\u2026,-/")
_LONGEST_SENTENCE = 160  # words
_NEUTRAL_MARKS = frozenset(",:;.!-\u2013\u2014\u2026*_\u00a1\u00bf~'\"()[]")
_OPENERS: tuple[tuple[str, Holder, Mood], ...] = (
    ("neutral", "speaker", "asserted"),
    ("correcting", "speaker", "asserted"),
    ("fiction", "fiction", "asserted"),
    ("hypothetical", "speaker", "hypothetical"),
    ("reported", "speaker", "reported"),
    ("joke", "speaker", "joke"),
    ("wished", "speaker", "wished"),
    ("planned", "speaker", "planned"),
    ("past", "speaker", "asserted"),
)


def finder_of(folded: str, pack: Pack) -> Finder:
    """The finder for the order of a language."""
    return VerbSecond(folded, pack) if pack.order == "verb-second" else Finder(folded, pack)


class Opened(NamedTuple):
    """What the openers of a part say, and where it begins behind them."""

    place: int
    holder: Holder = "speaker"
    mood: Mood = "asserted"
    correcting: bool = False
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a sentence, as places among its words."""

    words: Sequence[Token]
    asks: bool = False
    inherits: str = ""
    reported: bool = False


def read(text: str, language: str, pack: Pack) -> Reading:
    """Take a text apart.

    Args:
        text: what somebody said.
        language: the code under which the reading is stored.
        pack: the tables of the language; an empty one makes fragments of all sentences.
    """
    reader = _Reader(text, pack)
    found: list[Clause] = []
    material = False
    for stretch in stretches(text):
        if material or stretch.kind:
            kind: Kind = stretch.kind or "pasted"
            found.append(Clause(stretch.start, stretch.end, "pasted" if material else kind))
            continue
        for start, end in sentences(text, stretch.start, stretch.end, pack):
            if material:
                found.append(Clause(start, end, "pasted"))
                continue
            clauses, material = reader.sentence(start, end)
            found += clauses
    return Reading(language, settled(text, _joined(text, found), pack), text=text)


def _joined(text: str, clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses with pasted neighbours as one."""
    found: list[Clause] = []
    for clause in clauses:
        if found and clause.kind == found[-1].kind == "pasted":
            found[-1] = replace(found[-1], end=clause.end)
        else:
            found.append(clause)
    return found


class _Reader:
    def __init__(self, text: str, pack: Pack) -> None:
        self.text = text
        self.folded = pack.fold(text)
        self.pack = pack
        self.finder = finder_of(self.folded, pack)
        self.asks = False

    def sentence(self, start: int, end: int) -> tuple[list[Clause], bool]:
        """The clauses of one sentence, and whether what follows is material of its request."""
        material = self._material(start, end)
        if material is not None:
            head = Clause(start, material, "request")
            rest = self.text[material:end].strip()
            clauses = [head]
            if rest:
                begin = self.text.index(rest, material)
                clauses.append(Clause(begin, begin + len(rest), "pasted"))
            return clauses, True
        if self._is_filler(start, end):
            return [Clause(start, end, "filler")], False
        words = tokens_of(self.text, self.folded, start, end, self.pack.splits)
        while words and not words[-1].is_word and words[-1].folded in "?!.\u2026\uff1f\u3002\uff01)\"'\u201d":
            words = words[:-1]
        asks = self.asks = "?" in self.text[max(start, end - 4) : end] or self.text[end - 1] in "\uff1f\u061f"
        if not words:
            return [Clause(start, end, "filler")], False
        if not self.pack.order:
            kind = self._kind_of(start, end, asks=asks) or "fragment"
            return [self._wish(Clause(start, end, kind, core=(start, end)))], False
        return [self._clause(part) for part in self._parts(words, asks=asks)], False

    def _bare(self, start: int, end: int) -> Span:
        """The place of some words without the marks round them."""
        while start < end and not self.folded[start].isalnum():
            start += 1
        while end > start and not self.folded[end - 1].isalnum():
            end -= 1
        return start, end

    def _is_filler(self, start: int, end: int) -> bool:
        """Whether some words are nothing but phrases that tell nothing: "ok thanks!"."""
        place, end = self._bare(start, end)
        while place < end:
            stop = self.pack.kind("filler").at(self.folded, place, end)
            if stop == place:
                return False
            place, _ = self._bare(stop, end)
        return True

    def _material(self, start: int, end: int) -> int | None:
        """Where the colon ends behind which foreign material stands; None if there is none."""
        colon = self.folded.find(":", start, end)
        line = end < len(self.text) and self.text[end : end + 1] == "\n" and self.text[end - 1 : end] == ":"
        if colon < 0 and not line:
            return None
        head = end if colon < 0 else colon
        if self.pack.kind("material").within(self.folded, start, head) and (colon < 0 or colon + 1 >= end or self.text[colon + 1].isspace() or self.text[colon + 1] in "\"'"):
            return end if colon < 0 else colon + 1
        return None

    def _opened(self, start: int, end: int) -> Opened:
        """What stands before a statement, as far as it is known."""
        opened = Opened(start)
        while True:
            place = opened.place
            while place < end and (self.folded[place].isspace() or self.folded[place] in _NEUTRAL_MARKS):
                place += 1
            opened = opened._replace(place=place)
            best: tuple[int, str, Holder, Mood] | None = None
            for kind, holder, mood in _OPENERS:
                stop = self.pack.opener(kind).at(self.folded, place, end)
                if stop > place and (best is None or stop > best[0]):
                    best = (stop, kind, holder, mood)
            unsure = self.pack.closer("unsure").at(self.folded, place, end)
            if unsure > place and self.folded[unsure : unsure + 1] == "," and (best is None or unsure > best[0]):
                best = (unsure, "hypothetical", "speaker", "hypothetical")  # "Who knows, ..."
            if best is None or not self._cuts(best[0], end, best[1]):
                return opened
            stop, kind, holder, mood = best
            opened = Opened(
                stop,
                holder if holder != "speaker" else opened.holder,
                mood if mood != "asserted" else opened.mood,
                opened.correcting or kind == "correcting",
                opened.scope or (self.text[place:stop] if kind == "past" else ""),
            )

    def _cuts(self, stop: int, end: int, kind: str) -> bool:
        """Whether an opener ends at a place: something follows, and its words are not the subject."""
        rest = self.folded[stop:end].lstrip()
        if not rest:
            return False
        if kind not in ("neutral", "correcting") or not rest[0].isalpha():
            return True
        first = tokens_of(self.text, self.folded, stop, min(end, stop + 40), self.pack.splits)[:1]
        verbs = bool(first) and any(form.tense for form in self.pack.forms.get(first[0].folded, ()))
        return not verbs

    def _parts(self, words: Sequence[Token], *, asks: bool) -> list[Part]:
        """The parts of a sentence: cut where the left side is whole and the right side begins one."""
        parts: list[Part] = []
        begin = 0
        limit = min(len(words), _LONGEST_SENTENCE)
        subject, reported = "", False
        for place in range(1, limit):
            left_end, right = self._joint(words, place)
            if right is None or left_end <= begin or right >= len(words):
                continue
            inherits = self._begins(words, left_end, right)
            if inherits is None or not self._is_whole(words[begin:left_end], words[-1].end):
                continue
            subject = self._subject_of(words[begin:left_end]) or subject
            parts.append(Part(words[begin:left_end], reported=reported))
            reported = not words[left_end].is_word and self._reports(words[begin:left_end])
            if inherits == "verb":
                parts.append(Part((), inherits=subject))
            begin = right
        given = begin and self.pack.has("subordinating", words[begin].folded)
        asked = any(part.words and self._asks(part.words) for part in parts)
        parts.append(Part(words[begin:], asks=asks and not (given and asked), reported=reported))
        return self._with_subjects(parts)

    def _asks(self, words: Sequence[Token]) -> bool:
        """Whether a part is a question by its own words."""
        place = self._opened(words[0].start, words[-1].end).place
        return self.pack.kind("question").at(self.folded, place, words[-1].end) > place

    def _reports(self, words: Sequence[Token]) -> bool:
        """Whether what stands behind some words is what somebody says: "My neighbour claims, ..."."""
        frame = self.finder.frame(self._behind_openers(words))
        if frame is None:
            return False
        if frame.group.mood == "hypothetical" and self._subject_of(words) == "it":
            return True  # "It would be nice, ..."
        if frame.value[0] < frame.value[1]:
            return False
        return self.pack.has("reporting", frame.group.verb) and not frame.group.negative

    def _with_subjects(self, parts: Sequence[Part]) -> list[Part]:
        """The parts, of which those that begin with a verb have the subject of the one before."""
        found: list[Part] = []
        inherits = ""
        for part in parts:
            if not part.words:
                inherits = part.inherits
                continue
            found.append(replace(part, inherits=inherits))
            inherits = ""
        return found

    def _subject_of(self, words: Sequence[Token]) -> str:
        frame = self.finder.frame(self._behind_openers(words))
        if frame is None:
            return ""
        inner = self._behind_openers(words)
        return self._subject(inner, frame)

    def _behind_openers(self, words: Sequence[Token]) -> Sequence[Token]:
        if not words:
            return words
        place = self._opened(words[0].start, words[-1].end).place
        return [word for word in words if word.start >= place]

    def _joint(self, words: Sequence[Token], place: int) -> tuple[int, int | None]:
        """Where the left side of a cut ends, and where the right side begins; None = no cut here."""
        word = words[place]
        if not word.is_word:
            if word.folded == "," or word.folded in _MARKS:
                spaced = word.folded not in "-/'" or (
                    words[place - 1].end < word.start
                    and place + 1 < len(words)
                    and word.end < words[place + 1].start
                )
                return (place, place + 1) if spaced else (place, None)
            return place, None
        if self.pack.has("joints", word.folded) and words[place - 1].is_word:
            return place, place
        return place, None

    def _begins(self, words: Sequence[Token], left_end: int, right: int) -> str | None:
        """What begins at a place: "subject", "verb" (of the subject before), or None."""
        pack = self.pack
        joined = False
        while right < len(words) and (pack.has("joints", words[right].folded) or not words[right].is_word):
            joined = joined or pack.has("conjunctions", words[right].folded) or pack.has("joints", words[right].folded)
            right += 1
        if right >= len(words):
            return None
        rest = words[right:]
        start, end = rest[0].start, rest[-1].end
        opened = self._opened(start, end)
        if opened.mood in ("hypothetical", "joke") or opened.holder == "fiction":
            if self.finder.frame(self._behind_openers(rest)) is not None:
                return "subject"
        for name in ("retracted", "unsure"):
            if pack.closer(name).at(self.folded, start, end) == end:
                return "subject"
        if self._kind_of(opened.place, end, asks=False) in ("question", "request", "wish_to_forget", "wish_to_keep"):
            return "subject"
        if self.asks and pack.kind("question_word").at(self.folded, opened.place, end) > opened.place:
            return "subject"
        inner = [word for word in rest if word.start >= opened.place]
        frame = self.finder.frame(inner)
        if frame is not None and self._leads(inner, frame, joined=joined):
            empty = frame.value[0] >= frame.value[1]
            hearsay = empty and pack.has("reporting", frame.group.verb)
            return None if hearsay else "subject"
        if inner and (joined or self._without_subject(inner)) and self.finder.frame(inner, subject=False):
            return "verb"
        return None

    def _leads(self, words: Sequence[Token], frame: Frame, *, joined: bool) -> bool:
        """Whether nothing stands before a subject, or what may begin a statement: "and on Monday I ..."."""
        if frame.words:
            return True
        lead = words[: frame.lead]
        if not lead or all(self.pack.has("subordinating", word.folded) for word in lead):
            return True
        if frame.value[0] >= frame.value[1]:
            return False
        return is_time(self.pack, [word for word in lead if word.is_word]) or joined

    def _is_whole(self, words: Sequence[Token], end_of_sentence: int) -> bool:
        """Whether some words are a statement, a question or a request by themselves."""
        if not words or self._opened(words[0].start, end_of_sentence).place >= words[-1].end:
            return False
        inner = self._behind_openers(words)
        if not inner:
            return False
        start, end = inner[0].start, inner[-1].end
        if self._is_filler(words[0].start, end):
            return True
        if self.pack.kind("keep").is_all(self.folded, start, end):
            return False  # what is to be kept stands behind it
        if self._kind_of(start, end, asks=False) is not None:
            return True
        return (self.finder.frame(inner) or self._without_subject(inner)) is not None

    def _without_subject(self, words: Sequence[Token]) -> Frame | None:
        """The frame of "Sold the Astra": a past form without its "I"."""
        forms = self.pack.forms.get(words[0].folded, ()) if words else ()
        past = any(form.tense == "past" and form.verb != words[0].folded for form in forms)
        return self.finder.frame(words, subject=False) if past else None

    def _kind_of(self, start: int, end: int, *, asks: bool) -> Kind | None:
        """What a part is that is no statement; None if it may be one."""
        pack, folded = self.pack, self.folded
        start, _ = self._bare(start, end)

        def begins(kind: str) -> bool:
            return pack.kind(kind).at(folded, start, end) > start

        if begins("no_wish"):
            return "question" if asks else None
        if begins("not_keep"):
            return "wish_to_forget"
        if begins("keep"):
            return "wish_to_keep"
        if begins("forget") or self._wished(start, end):
            return "wish_to_forget"
        if begins("instruction"):
            return "instruction"
        if begins("statement"):
            return "question" if asks else None
        if asks or begins("question"):
            return "question"
        if begins("request") and not self._is_statement(start, end):
            return "request"
        return None

    def _is_statement(self, start: int, end: int) -> bool:
        """Whether the word of a request is a subject: "Google has moved"."""
        words = tokens_of(self.text, self.folded, start, end, self.pack.splits)
        frame = self.finder.frame(words)
        return frame is not None and not frame.lead and frame.subject != (0, 0)

    def _wished(self, start: int, end: int) -> Span | None:
        """The place of what a sentence asks to forget in its middle: "remove ... from your memory"."""
        pattern = self.pack.patterns.get("forget")
        match = pattern.match(self.folded, start, end) if pattern is not None else None
        return match.span("target") if match else None

    def _clause(self, part: Part) -> Clause:
        words = part.words
        while len(words) > 1 and self.finder.joins(words[0]):
            words = words[1:]
        start, end = words[0].start, words[-1].end
        bare = self._bare(start, end)
        if self._is_filler(start, end):
            return Clause(start, end, "filler")
        opened = self._opened(start, end)
        asks = part.asks and not self.pack.closer("tag").at(self.folded, *bare) == bare[1]
        kind = self._kind_of(opened.place, end, asks=asks)
        if self._wished(bare[0], end):
            kind, opened = "wish_to_forget", Opened(bare[0])
        inner = [word for word in words if word.start >= opened.place]
        while inner and self.finder.joins(inner[0]):
            inner = inner[1:]
        clause = Clause(
            start, end, kind or "statement", core=(start, end),
            holder=opened.holder, mood="reported" if part.reported and opened.mood == "asserted" else opened.mood,
            correcting=opened.correcting, scope=opened.scope,
        )
        if kind == "wish_to_keep":
            return self._kept(clause, opened.place, words)
        if kind is not None:
            return self._wish(clause)
        return self._statement(clause, inner, inherits=part.inherits)

    def _kept(self, clause: Clause, place: int, words: Sequence[Token]) -> Clause:
        """A wish to remember, with the statement that it names."""
        stop = self.pack.kind("keep").at(self.folded, place, clause.end)
        inner = [word for word in words if word.start >= stop and (word.is_word or word.start > stop + 2)]
        if not inner:
            return replace(clause, kind="request")
        found = self._statement(replace(clause, kind="statement"), inner, inherits="")
        target = self.text[inner[0].start : clause.end]
        return replace(found, kind="wish_to_keep", target=target)

    def _wish(self, clause: Clause) -> Clause:
        """A clause with what is to be forgotten, if it is such a wish."""
        if clause.kind != "wish_to_forget":
            return clause
        start, _ = self._bare(clause.start, clause.end)
        start, _ = self._bare(self._opened(start, clause.end).place, clause.end)
        if self.pack.kind("not_keep").at(self.folded, start, clause.end) > start:
            return clause
        wished = self._wished(start, clause.end)
        if wished is not None:
            return replace(clause, target=self.text[slice(*wished)])
        stop = self.pack.kind("forget").at(self.folded, start, clause.end)
        pattern = self.pack.patterns.get("forget_target")
        if pattern is not None:
            match = pattern.match(self.folded, stop, clause.end)
            stop = match.end() if match else stop
        low, high = self._bare(stop, clause.end)
        return replace(clause, target=self.text[low:high])

    def _statement(self, clause: Clause, words: Sequence[Token], *, inherits: str) -> Clause:
        """A statement with its frame; a fragment if none is found."""
        frame = self.finder.frame(words, subject=not inherits) if words else None
        if frame is None and inherits:
            frame, inherits = self.finder.frame(words), ""
        if frame is None or (frame.lead and not inherits):
            bare = self._without_subject(words)
            frame, inherits = (bare, "i") if bare else (frame, inherits)
        if frame is None:
            return self._fragment(clause, words)
        subject = inherits or self._subject(words, frame)
        return framed(self.text, self.folded, self.pack, clause, words, frame, subject)

    def _subject(self, words: Sequence[Token], frame: Frame) -> str:
        """The words that a statement is about, without articles."""
        pack, words = self.pack, frame.words or words
        if frame.who:
            return frame.who
        own = words[frame.subject[0] : frame.subject[1]]
        if len(own) == 1 and own[0].folded in pack.subjects:
            return pack.subjects[own[0].folded]
        return thing_of(pack, own)

    def _fragment(self, clause: Clause, words: Sequence[Token]) -> Clause:
        """What has no verb; "New address: 5 Mill Road" and "Deadline 12 May" have a thing and its value."""
        pack = self.pack
        colon = next((k for k, word in enumerate(words[:6]) if word.folded in (":", "=", "\u2192")), 0)
        if 0 < colon < len(words) - 1 and all(word.is_word for word in words[:colon]):
            frame = Frame(0, (0, colon), Group("be", colon + 1, tense="present"), "be", (colon + 1, self.finder.value_end(words, colon + 1)))
            return framed(self.text, self.folded, self.pack, clause, words, frame, self._subject(words, frame))
        value = [word for word in words if not pack.has("adverbs", word.folded)]
        denied, rest = negated(value, pack)
        kind = type_of(rest, pack)
        said = self.text[rest[0].start : rest[-1].end] if rest else ""
        return replace(clause, kind="fragment", value=said, type=kind, denies=denied)


def negated(words: Sequence[Token], pack: Pack) -> tuple[str, Sequence[Token]]:
    """What a fragment names as wrong, and the rest: "Braga, not Porto"."""
    for place, word in enumerate(words):
        if pack.has("negations", word.folded):
            before = [each for each in words[:place] if each.is_word]
            behind = words[place + 1 :]
            comma = next((k for k, each in enumerate(behind) if not each.is_word or pack.has("joints", each.folded)), len(behind))
            wrong = behind[:comma]
            right = before or [each for each in behind[comma:] if each.is_word and not pack.has("joints", each.folded)]
            if wrong and right:
                return " ".join(each.raw for each in wrong if each.is_word), right
    return "", [word for word in words if word.is_word] or words

