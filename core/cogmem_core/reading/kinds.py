"""What the parts of a sentence are: questions, requests, wishes, filler; and what their openers say."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise, product
from operator import itemgetter
from typing import NamedTuple

from cogmem_core.reading.cut import opens, sentences
from cogmem_core.reading.frames import Finder, Frame
from cogmem_core.reading.model import Clause, Holder, Kind, Mood, Span
from cogmem_core.reading.pack import Pack
from cogmem_core.reading.phrases import bare_span
from cogmem_core.reading.plain import Piece, Side, What, said_plainly
from cogmem_core.reading.rest import Source
from cogmem_core.reading.settle import taken_back
from cogmem_core.reading.tokens import Token, Tokens, only_words, span_of
from cogmem_core.reading.verb_last import VerbLast
from cogmem_core.reading.verb_second import VerbSecond
from cogmem_core.reading.wishes import Wishes

_NEUTRAL_MARKS = frozenset(",:;.!-\u2013\u2014\u2026*_\u00a1\u00bf~'\"()[]")
_MOST_OPENERS = 12  # before one statement; what more there are is its scope
_ONCE = ("pointing", "demonstratives", "deictic", "numbers")
_HANDED = ("determiners", "articles", "own", "mine", "objects", "clitics")
"""What stands behind the verb of a request: "write a", "give me"."""
_ASKED = ("request", "question")
_NO_THING = ("prepositions", "conjunctions", "adverbs", "pointing", "courtesies")
_LISTS = re.compile(r"\s*\n\s*(?:[-*\u2022]|\d{1,3}[.)])\s")
_OWN_PERSONS = frozenset({"i", "we"})
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
    if pack.order == "verb-second":
        return VerbSecond(folded, pack)
    return VerbLast(folded, pack) if pack.order == "verb-last" else Finder(folded, pack)


class Opened(NamedTuple):
    """What the openers of a part say, and where it begins behind them."""

    place: int
    holder: Holder = "speaker"
    mood: Mood = "asserted"
    correcting: bool = False
    scope: str = ""


def _begins(opened: Opened) -> bool:
    """Whether a question may begin behind openers: "perhaps have I" is none in some languages."""
    return opened.mood == "asserted" and opened.holder == "speaker"


class KindReader:
    """A text with the tables of its language, asked what its parts are."""

    def __init__(self, text: str, pack: Pack) -> None:
        self.text = text
        self.folded = pack.fold(text)
        self.pack = pack
        self.source = Source(text, self.folded, pack)
        self.finder = finder_of(self.folded, pack)
        self.wishes = Wishes(self.source)
        self._openings: dict[Span, Opened] = {}
        self._kinds: dict[tuple[int, int, bool, bool, bool], Kind | None] = {}
        self._frames: dict[tuple[int, int, int, bool], Frame | None] = {}

    def _frame(self, words: Tokens, *, subject: bool = True) -> Frame | None:
        """The frame of some words, which is looked for once; see `Finder.frame`."""
        if not words:
            return None
        key = (*span_of(words), len(words), subject)
        if key not in self._frames:
            self._frames[key] = self.finder.frame(words, subject=subject)
        return self._frames[key]

    def _agrees(self, verbs: Tokens, word: Token, *, own: bool) -> bool:
        """Whether a verb may go on with the subject of others before it: "they stopped it and put", "live and plan"."""
        last, first = verbs[-1].folded, word.folded
        return any(
            one.tense
            and (one.tense, one.person) == (other.tense, other.person)
            and (own or one.tense == "past" or (one.verb == last) is (other.verb == first))
            for one, other in product(self.pack.forms[last], self.pack.forms[first])
        )

    def _runs(self, words: Tokens) -> list[tuple[int, bool]]:
        """For each place where the joints that stand there end, and whether a word is one of them."""
        pack = self.pack
        found = [(len(words), False)]
        for place in range(len(words) - 1, -1, -1):
            word, (stop, joined) = words[place].folded, found[-1]
            joins = pack.has("joints", word)
            if joins or not words[place].is_word:
                found.append((stop, joined or joins or pack.has("conjunctions", word)))
            else:
                found.append((place, False))
        return found[::-1]

    def _bare(self, start: int, end: int) -> Span:
        """The place of some words without the marks round them."""
        return bare_span(self.folded, start, end)

    def _is_filler(self, start: int, end: int) -> bool:
        """Whether some words are nothing but phrases that tell nothing: "ok thanks!"."""
        place, end = self._bare(start, end)
        while place < end:
            stop = self.pack.kinds["filler"].at(self.folded, place, end)
            if stop == place:
                return False
            place, _ = self._bare(stop, end)
        return True

    def _material(self, start: int, end: int) -> int | None:
        """Where the colon ends behind which foreign material stands; None if there is none."""
        colon = max(self.folded.find(mark, start, end) for mark in ":\uff1a")
        line = self.text.startswith("\n", end) and self.text[end - 1 : end] in ":\uff1a"
        if colon < 0 and not line and not self.text.startswith("\n\n", end):
            return None
        head = end if colon < 0 else colon
        _, last = self._bare(start, head)
        opened = self._opened(start, head).place
        # "Edit" and "Say" open a statement, too, and "Résumé" is nothing but its label.
        begins = (opened,) if opens(self.text[start:last], self.pack) else (opened, start)
        if not any(self._hands_over(place, head) for place in begins):
            return None
        if colon < 0:
            return end
        following = self.text[colon + 1 : colon + 2]
        if not following.strip() or following in "\"'" or self.text[colon] == "\uff1a":
            return colon + 1
        return None

    def _hands_over(self, start: int, end: int) -> bool:
        """Whether a text to be worked on stands behind some words: "translate", "correct this sentence".

        "Fix the tap" is an order, and "Fix" and "The letter" are labels: what follows is told.
        """
        kinds = self.pack.kinds
        asked = self._kind_of(start, end)
        rest = self.text[end:].lstrip(":\uff1a \t")
        several = rest.startswith("\n") or len(list(sentences(rest, 0, len(rest), self.pack))) > 1
        named = kinds["handed"].within(self.folded, start, end) is not None
        if self._orders("material", start, end, asked=asked in _ASKED):
            return asked in _ASKED or not named or several
        if self._orders("reworking", start, end, asked=asked in _ASKED):
            return self._names_text(start, end) and not _LISTS.match(rest)
        # "This sentence: ...", but "This letter came today: ..." tells something.
        first, *more = self.source.tokens(start, end) or (None,)
        points = first and more and self.pack.has("pointing", first.folded)
        whole = points and kinds["handed"].at(self.folded, more[0].start, end) == more[-1].end
        return named and several and (asked == "question" or bool(whole))

    def _orders(self, kind: str, start: int, end: int, *, asked: bool) -> bool:
        _, last = self._bare(start, end)
        shown = self._opens_as(kind, start, end) or self._ends_as(kind, start, last)
        within = self.pack.kinds[kind].within
        behind, _ = self._bare(self.pack.kinds["request"].at(self.folded, start, end), end)
        polite = self._opens_as(kind, behind, end)  # "pls fix"
        return shown or polite or (asked and within(self.folded, start, end) is not None)

    def _names_text(self, start: int, end: int) -> bool:
        """Whether "this", or a word for a text, stands before no other thing: not "this tap", "the text field"."""
        pack = self.pack
        words = self.source.tokens(start, end)
        verb = pack.kinds["reworking"].at(self.folded, start, end)
        free = _NO_THING if pack.among("pointing", words) else _NO_THING[1:]
        for word in words:
            if word.start < verb:
                continue  # "Review" is a label
            points = pack.has("pointing", word.folded)
            stop = word.end if points else pack.kinds["handed"].at(self.folded, word.start, end)
            behind = next((each for each in words if each.start >= stop), None)
            if stop > word.start and (
                behind is None
                or not behind.is_word
                or (behind is words[-1] and pack.has("prepositions", behind.folded))
                or pack.in_any(free, behind.folded)
                or pack.kinds["reworking"].at(self.folded, behind.start, end) > behind.start
            ):
                return True
        return False

    def _opened(self, start: int, end: int) -> Opened:
        """What stands before a statement, as far as it is known."""
        if (start, end) not in self._openings:
            self._openings[start, end] = self._opening(start, end)
        return self._openings[start, end]

    def _opening(self, start: int, end: int) -> Opened:
        opened = Opened(start)
        for _ in range(_MOST_OPENERS):
            place = opened.place
            while place < end and (
                self.folded[place].isspace() or self.folded[place] in _NEUTRAL_MARKS
            ):
                place += 1
            opened = opened._replace(place=place)
            if self.pack.kinds["not_keep"].at(self.folded, place, end) > place:
                return opened  # "Note pas ça" is no "Note: ..."
            found: list[tuple[int, str, Holder, Mood]] = [
                (self.pack.openers[kind].at(self.folded, place, end), kind, holder, mood)
                for kind, holder, mood in _OPENERS
            ]
            unsure = self.pack.closers["unsure"].at(self.folded, place, end)
            if self.folded[unsure : unsure + 1] == ",":  # "Who knows, ..."
                found.append((unsure, "hypothetical", "speaker", "hypothetical"))
            stop, kind, holder, mood = max(found, key=itemgetter(0))
            if kind == "joke" and taken_back(self.folded, place, end, self.pack):
                kind, mood = "neutral", "asserted"
            if stop == place or not self._cuts(place, stop, end, kind):
                return opened
            opened = Opened(
                stop,
                holder if holder != "speaker" else opened.holder,
                mood
                if mood != "asserted" and (mood != "planned" or opened.mood == "asserted")
                else opened.mood,
                opened.correcting or kind == "correcting",
                opened.scope or (self.text[place:stop] if kind == "past" else ""),
            )
        return opened

    def _cuts(self, start: int, stop: int, end: int, kind: str) -> bool:
        """Whether an opener ends at a place: something follows, and its words are not the subject."""
        rest = self.folded[stop:end].lstrip()
        denies = rest[:1].isalnum() and self.pack.has("negations", self.folded[start:stop])
        if not rest or (denies and not self._goes_on(stop, end)):
            return False
        if (
            kind not in ("neutral", "correcting")
            or self.pack.drops_subject
            or not rest[0].isalpha()
        ):
            return True
        first = self.source.tokens(stop, min(end, stop + 40))[:1]
        return not (first and self.pack.is_tensed(first[0].folded))

    def _goes_on(self, start: int, end: int) -> bool:
        """Whether a subject or an opener follows: "no I lied" corrects, and "no meat for me" denies."""
        start, _ = self._bare(start, end)
        first = self.source.tokens(start, min(end, start + 40))[:1]
        corrects = self.pack.openers["correcting"].at(self.folded, start, end) > start
        return corrects or (bool(first) and first[0].folded in self.pack.subjects)

    def _kind_of(
        self, start: int, end: int, *, asks: bool = False, begins: bool = True, closed: bool = True
    ) -> Kind | None:
        """What a part is that is no statement; None if it may be one.

        `begins` = its beginning may show that; `closed` = its end may.
        """
        key = (*self._bare(start, end), asks, begins, closed)
        if key not in self._kinds:
            self._kinds[key] = self._look_for_kind(*key)
        return self._kinds[key]

    def _look_for_kind(
        self, start: int, end: int, asks: bool, begins: bool, closed: bool
    ) -> Kind | None:
        def shows(kind: str) -> bool:
            return self._shows(kind, start, end, begins=begins, closed=closed)

        if shows("no_wish"):
            return "question" if asks else None
        wishes: tuple[tuple[Kind, bool], ...] = (
            ("wish_to_forget", self._refuses(start, end)),
            ("wish_to_forget", self._wished(start, end) is not None),
            ("wish_to_keep", shows("keep") and not (asks and self._only_reminds(start, end))),
            ("wish_to_forget", shows("forget")),
            ("instruction", shows("instruction") or self._instructs_politely(start, end)),
        )
        wish = next((kind for kind, is_shown in wishes if is_shown), None)
        return wish or self._asked(start, end, asks=asks, begins=begins, closed=closed)

    def _instructs_politely(self, start: int, end: int) -> bool:
        """Whether an instruction stands behind a word of manners: "please keep your answers short"."""
        stop, end = self._bare(self.pack.kinds["manners"].at(self.folded, start, end), end)
        return stop > start and self._opens_as("instruction", stop, end)

    def _refuses(self, start: int, end: int) -> bool:
        """Whether a part asks not to keep what is said: it is none where its verb goes on ("that I live in Ulm")."""
        pack = self.pack
        stop = pack.kinds["not_keep"].at(self.folded, start, end)
        goes_on = self.folded[stop:end].lstrip()[:1].isalnum()
        last = self.folded[start:stop].split()[-1:]
        opens = pack.has_any("complements", last) or pack.order in ("", "verb-last")
        if stop <= start or (goes_on and opens):
            return False
        return not goes_on or self.wishes.is_of_memory(start, stop, end)

    def _kind_behind_openers(self, words: Tokens) -> Kind | None:
        start, end = span_of(words)
        return self._kind_of(self._opened(start, end).place, end)

    def _behind_openers(self, words: Tokens) -> Tokens:
        if not words:
            return words
        place = self._opened(*span_of(words)).place
        return [word for word in words if word.start >= place]

    def _asked(
        self, start: int, end: int, *, asks: bool, begins: bool, closed: bool
    ) -> Kind | None:
        """Whether a part is a question or a request; None if it may be a statement."""
        late = any(
            self._ends_as(kind, start, end, closed=closed) for kind in ("question", "request")
        )
        if self._opens_as("statement", start, end) and not late:
            return "question" if asks else None
        found = self.finder.asked(start, end, asks=asks)
        if found and not (found == "request" and self._ends_in_name(start, end)):
            return found
        if asks or self._shows("question", start, end, begins=begins, closed=closed):
            return "question"
        ordered = self._shows("request", start, end, begins=begins, closed=closed)
        if self.pack.kinds["whole_request"].is_all(self.folded, start, end):
            return "request"
        if not ordered or self._is_statement(start, end):
            return None
        return "instruction" if self._lasts(start, end) else "request"

    def _lasts(self, start: int, end: int) -> bool:
        """Whether an order tells how things are to be done: "before each commit"; not "check it before you send it"."""
        pack = self.pack
        said, _ = pack.kinds["standing"].within(self.folded, start, end) or (end, end)
        words = self.source.tokens(start, said)
        once = any(
            word.folded in pack.subjects or pack.in_any(_ONCE, word.folded) for word in words
        )
        return said < end and not once

    def _ends_in_name(self, start: int, end: int) -> bool:
        """Whether the last word is a name among small words: "On duty: Peace"."""
        words = only_words(self.source.tokens(start, end))
        return len(words) > 1 and words[-1].is_capital and not all(w.is_capital for w in words)

    def _only_reminds(self, start: int, end: int) -> bool:
        """Whether "remember ...?" asks, and is no polite wish: "can you remember that ...?"."""
        stop = self.pack.kinds["keep"].at(self.folded, start, end)
        asked = max(
            self.pack.kinds[kind].at(self.folded, start, end) for kind in ("question", "request")
        )
        return not self._ends_as("request", start, end) and not start < asked <= stop

    def _shows(
        self, kind: str, start: int, end: int, *, begins: bool = True, closed: bool = True
    ) -> bool:
        """Whether the words between two places begin or end as a kind does."""
        begun = begins and self._opens_as(kind, start, end)
        return begun or self._ends_as(kind, start, end, closed=closed)

    def _opens_as(self, kind: str, start: int, end: int) -> bool:
        """Whether phrases of a kind stand at the beginning of a part."""
        return self.pack.kinds[kind].at(self.folded, start, end) > start

    def _ends_as(self, kind: str, start: int, end: int, *, closed: bool = True) -> bool:
        """Whether they end as a kind does; a pattern counts only where nothing goes on (`closed`)."""
        shown = closed and kind in ("question", "request")
        if shown and self.pack.patterns[kind].search(self.folded[start:end]):
            return True
        return self.pack.endings[kind].before(self.folded, start, end) < end

    def _what(self, start: int, end: int, side: Side) -> What:
        """What a part of a sentence shows in a language by tables only."""
        pack = self.pack
        folded = self.folded
        start, end = self._bare(start, end)
        begun = self._opened(start, len(folded)).place >= end
        if self._is_filler(start, end) or pack.closers["retracted"].is_all(folded, start, end):
            return What("filler", own=True, tells=False, reason=False, open=begun)
        reason = pack.openers["reason"].at(folded, start, end)
        place, _ = self._bare(max(reason, pack.openers["joint"].at(folded, start, end)), end)
        opened = self._opened(place, end)
        place = opened.place
        needs = begun or pack.openers["condition"].at(folded, place, end) > place
        kind = self._kind_of(place, end, begins=_begins(opened), closed=side != "left")
        if kind == "question" and side == "right" and not self._ends_as("question", place, end):
            kind = None  # behind a comma "where I live" may belong to what stands before
        worded = side == "asked" and self._opens_as("question_word", place, end)
        tells = reason > start or self._tells(place, end)
        shown = kind or ("question" if side == "asked" else None)
        return What(
            shown, own=kind is not None or worded, tells=tells, reason=reason > start, open=needs
        )

    def _tells(self, start: int, end: int) -> bool:
        """Whether a subject, or a verb of the speaker's, begins at a place, or a common verb follows."""
        pack = self.pack
        folded = self.folded
        words = [word.folded for word in self.source.tokens(start, end)]
        return (
            bool(words and words[0] in pack.subjects)
            or self._opens_as("statement", start, end)
            or pack.patterns["tells"].match(folded, start, end) is not None
            or pack.has_any("copulas", words)
        )

    def _plain(self, piece: Piece, *, asks: bool) -> Clause:
        """A clause of a language by tables only: its kind and mood, and no subject or value."""
        pack = self.pack
        folded = self.folded
        start, end = self._bare(piece.start, piece.end)
        if self._is_filler(start, end):
            return Clause(start, end, "filler")
        place = max(pack.openers[kind].at(folded, start, end) for kind in ("joint", "reason"))
        opened = self._opened(place, end)
        asks = asks and pack.closers["tag"].before(folded, start, end) == end
        kind = self._kind_of(
            opened.place, end, asks=asks, begins=_begins(opened), closed=piece.closed
        )
        clause = Clause(
            start,
            end,
            kind or "fragment",
            core=(start, end),
            holder=opened.holder,
            mood=opened.mood,
            correcting=opened.correcting,
        )
        if kind == "wish_to_forget":
            return self._wish(clause)
        if kind not in (None, "wish_to_keep"):
            return clause
        told = (opened.place, end)
        if kind == "wish_to_keep":
            told = self._target(clause, opened.place, "keep")
            if told[0] >= told[1]:
                return replace(clause, kind="request")
            clause = replace(clause, target=self.text[slice(*told)], core=told)
        return said_plainly(self.text, folded, pack, clause, told)

    def _target(self, clause: Clause, place: int, kind: str) -> Span:
        """The place of what a wish names, behind the words that ask for it or before them."""
        stop = self.pack.kinds[kind].at(self.folded, place, clause.end)
        end = self.pack.endings[kind].before(self.folded, stop, clause.end)
        match = self.pack.patterns[f"{kind}_target"].match(self.folded, stop, end)
        low, high = self._bare(match.end() if match else stop, end)
        return self._bare(low, self.pack.closers["harmless"].before(self.folded, low, high))

    def _is_statement(self, start: int, end: int) -> bool:
        """Whether the word of a request opens what is told: "Google has moved", but not "Give me five good books".

        It does before a subject's verb, as a preposition, in a label ("Name: Ravi"), and where
        something happens again and again or goes on ("Take 5 mg every morning").
        """
        pack = self.pack
        words = self.source.tokens(start, end)
        stop = pack.kinds["request"].at(self.folded, start, end)
        behind = [word for word in words if word.start >= stop]
        first = behind[0].folded if behind else ""
        handed = pack.in_any(_HANDED, first)
        numbered = pack.has("numbers", first)
        polite = self._opens_as("manners", start, end)
        alone = len(words) == len(behind) + 1
        adverbial = alone and bool(behind) and pack.has("prepositions", words[0].folded)  # "para"
        labels = self._is_label(behind) or self.folded.startswith(": ", end)
        label = alone and labels and not (handed or numbered or polite)
        takes = any(pack.has("bearing", form.verb) for form in pack.forms[words[0].folded])
        dosed = takes and not handed and pack.guards["medicine"].within(self.folded, stop, end)
        if adverbial or label or dosed or (not handed and self._recurs(behind)):
            return True
        frame = self._frame(words)
        if frame is None or frame.subject == (0, 0):
            return False
        if frame.lead:
            persons = frame.group.persons
            return words[frame.lead].start >= stop and bool(persons) and persons <= _OWN_PERSONS
        if words[min(frame.subject[1], len(words) - 1)].start < stop:
            return False  # the verb is of the request: "I'd like you to"
        begins = frame.subject[0] == 0 and words[frame.subject[1] - 1].end > stop
        return not (begins and (handed or numbered))

    def _is_label(self, words: Tokens) -> bool:
        """Whether a colon stands behind the first words of a part, which are no object: "of shift: 6 am"."""
        first = words[0].folded if words else ""
        adverbial = self.pack.has("prepositions", first) and not self.pack.has("within", first)
        return not adverbial and any(
            word.folded == ":" and word.end < after.start for word, after in pairwise(words)
        )

    def _recurs(self, words: Tokens) -> bool:
        """Whether some words say that something happens again and again, or goes on since a time."""
        pack = self.pack
        habit = pack.patterns["habit"]
        before = ""
        for place, word in enumerate(words):
            near = [each.folded for each in words[place : place + 3]]
            timed = pack.has_any("times", near)
            opens = not pack.in_any(("prepositions", "determiners"), before)
            shown = any(habit.search(" ".join(near[:k])) for k in (1, 2, 3))
            often = pack.has("habits", near[0]) and not pack.has("within", before)
            if pack.has("beginnings", near[0]) or (timed and (often or (opens and shown))):
                return True
            before = word.folded
        return False

    def _wished(self, start: int, end: int) -> Span | None:
        """The place of what a sentence asks to forget in its middle: "remove ... from your memory"."""
        if self.pack.order:
            return self.wishes.target(start, end)
        match = self.pack.patterns["forget"].match(self.folded, start, end)
        return match.span("target") if match else None

    def _wish(self, clause: Clause) -> Clause:
        """A clause with what is to be forgotten, if it is such a wish."""
        if clause.kind != "wish_to_forget":
            return clause
        start, _ = self._bare(clause.start, clause.end)
        start, _ = self._bare(self._opened(start, clause.end).place, clause.end)
        if self._refuses(start, clause.end):
            return clause
        wished = self._wished(start, clause.end)
        if wished is not None:
            return replace(clause, target=self.text[slice(*self._bare(*wished))])
        low, high = self._target(clause, start, "forget")
        return replace(clause, target=self.text[low:high])
