"""Finds what somebody wants forgotten, by what such a wish is made of.

Somebody is asked, or told by a verb at the beginning, to forget a thing, to remove it from a store, or not to keep
it. The words that do none of this name the thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from cogmem_core.reading.model import Span
from cogmem_core.reading.rest import Source
from cogmem_core.reading.tokens import Token, Tokens

_KEEPING = ("retaining", "recalling", "retained", "aware")
_VERBS = ("erasing", "removing", "forgetting", "removed", *_KEEPING)
_OF_MEMORY = ("stores", "confided", "aware")
_PASSIVE = {
    "erasing": "removed",
    "removing": "removed",
    "forgetting": "removed",
    "retaining": "retained",
}
_GROUPS = (*_VERBS, "stores", "asking", "obliging", "denied", "manners")
_EMPTY = ("adverbs", "courtesies", "clitics", "demonstratives", "objects")
_WORDS = {"denied": ("negations", "denying"), "joint": ("joints",), "article": ("articles",)}
_NAMING = ("thing", "i", "subject")
_SAID = (*_NAMING, *_VERBS[:-1])
_BREAKS = ",;:\u2013\u2014-"


class Part(NamedTuple):
    """Some words, and what they do in a wish: a group of phrases, or "thing", "i", "subject", "break"."""

    does: str
    start: int
    end: int
    denies: bool = False


class Wishes:
    """The wishes to forget of one text."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text, self.folded, self.pack = source
        self._stops: dict[Span, tuple[str, int]] = {}

    @cached_property
    def verbs(self) -> list[int]:
        """Where verbs begin with which one may ask to forget."""
        return [
            start
            for kind in _VERBS
            for start, _ in self.pack.kinds[kind].places(self.folded, 0, len(self.folded))
        ]

    def target(self, start: int, end: int) -> Span | None:
        """The place of what is to be forgotten between two places; empty: what is said; None: no such wish."""
        parts = self._parts(start, end)
        for verb, part in enumerate(parts):
            if part.does in _VERBS and self._asks(parts, verb):
                return self._target(parts, verb)
        return None

    def points(self, start: int, end: int) -> Span | None:
        """The place of words between two places that ask to forget "it", and name nothing.

        The text speaks of memory, or of what was told: else they may be about a list or a letter, or
        give a thing up.
        """
        parts = self._parts(start, end)
        place = 0
        while place < len(parts):
            low, high = _segment(parts, place)
            segment = parts[low:high]
            if segment and self._asks_for_it(segment):
                return segment[0].start, segment[-1].end
            place = max(high, place) + 1
        return None

    def points_back(self, start: int, end: int) -> bool:
        """Whether all there is between two places may ask to forget what was said before: "Delete that again"."""
        return self._asks_for_it(self._parts(start, end), alone=True)

    def is_of_memory(self, start: int, stop: int, end: int) -> bool:
        """Whether "don't keep it", up to `stop`, is about memory by what follows it.

        A place, a time, "this chat" or the speaker may follow; how it is, as in "so short", may not.
        """
        pack = self.pack
        pointed = pack.has_any("demonstratives", self.folded[start:stop].split()[-1:])
        words = list(
            takewhile(
                lambda word: self._part(word, end)[0] != "break", self.source.tokens(stop, end)
            )
        )
        if pointed or pack.has("prepositions", words[0].folded) or pack.among("times", words):
            return True
        said = pack.among("demonstratives", words) or any(
            self._does(word) == "i" or self._is_own(word) for word in words
        )
        return said or all(self._part(word, end)[0] != "thing" for word in words)

    def _asks_for_it(self, parts: Sequence[Part], *, alone: bool = False) -> bool:
        verbs = {part.does for part in parts}.intersection(_VERBS)
        denied = any(part.denies for part in parts)
        if not any((verb in _KEEPING) is denied for verb in verbs):
            return False
        if any(part.does in _NAMING and not self._is_empty(part) for part in parts):
            return False
        # "Forget it!" gives something up.
        asks = verbs != {"forgetting"} or any(part.does in ("asking", "stores") for part in parts)
        if not alone:
            return asks and self._speaks_of_memory
        words = self.folded[parts[0].start : parts[-1].end]
        return "removing" not in verbs and (asks or self.pack.says("demonstratives", words))

    @cached_property
    def _speaks_of_memory(self) -> bool:
        return any(self.pack.kinds[kind].within(self.folded) for kind in _OF_MEMORY)

    def _is_empty(self, part: Part) -> bool:
        """Whether a word is "it", or "me" as in "what you know about me"."""
        word = self.folded[part.start : part.end]
        return self.pack.subjects.get(word) == "it" or self.pack.has("mine", word)

    def _parts(self, start: int, end: int) -> list[Part]:
        """The words between two places by what they do in a wish; none if no verb of one stands there."""
        parts: list[Part] = []
        if not any(start <= place < end for place in self.verbs):
            return parts
        for word in self.source.tokens(start, end):
            if parts and word.start < parts[-1].end:
                continue
            does, stop = self._part(word, end)
            parts.append(Part(does, word.start, stop, self._denies(does, word.start, stop)))
        return parts

    def _part(self, word: Token, end: int) -> tuple[str, int]:
        """What a word does, or the phrase that begins with it, and where that ends."""
        does, stop = self._stops.get((word.start, end)) or self._stop(word.start, end)
        if stop < word.end:  # "forget-me-not" is no verb
            return self._does(word), word.end
        # "oublie" asks, "oublié" does not
        return _PASSIVE.get(does, does) if self.text[stop - 1] == "\u00e9" else does, stop

    def _stop(self, start: int, end: int) -> tuple[str, int]:
        """The group of the longest phrase that begins at a place, the first of equal ones, and where it ends."""
        found = _GROUPS[0], start
        for kind in _GROUPS:
            stop = self.pack.kinds[kind].at(self.folded, start, end)
            if stop > found[1]:
                found = kind, stop
        self._stops[start, end] = found
        return found

    def _does(self, word: Token) -> str:
        """What a word does that begins no phrase."""
        pack = self.pack
        if not word.is_word:
            return "break" if word.folded in _BREAKS else "manners"
        for does, groups in _WORDS.items():
            if pack.in_any(groups, word.folded):
                return does
        person = pack.subjects.get(word.folded)
        if person in ("i", "we"):
            return "i"
        if pack.in_any(_EMPTY, word.folded):
            return "manners"
        return "thing" if person is None else "subject"

    def _denies(self, does: str, start: int, stop: int) -> bool:
        inner = does in ("asking", "obliging", *_KEEPING)
        return does == "denied" or (
            inner and self.pack.kinds["denied"].within(self.folded, start, stop) is not None
        )

    def _asks(self, parts: Sequence[Part], verb: int) -> bool:
        """Whether a verb asks to forget."""
        low, high = _segment(parts, verb)
        before = parts[low:verb]
        behind = parts[verb + 1 : high]
        if self._is_no_wish(parts, low, verb) or not self._is_addressed(
            parts[verb].does, parts[:low], before, behind
        ):
            return False
        near = _near(before[::-1])
        late = _near(behind[::-1]) if self.pack.order == "verb-second" else []
        asking = [part for part in before if part.does == "asking"]
        denied = any(part.denies for part in (parts[verb], *near, *_near(behind), *late, *asking))
        does = parts[verb].does
        obliged = any(part.does == "obliging" for part in before)
        stored = any(part.does == "stores" for part in parts)
        if (does in _PASSIVE.values() and not obliged) or self._only_happened(parts, verb):
            return False
        if does not in _KEEPING:
            return not denied and (
                stored
                or does == "forgetting"
                or (does == "erasing" and self._is_own_only(parts, verb))
            )
        if stored or not denied:
            return denied
        target = self._target(parts, verb)
        words = self.source.tokens(*target)
        if does == "recalling" and self._may_be_own(parts[verb]) and not asking:
            asks = bool(words) and self.pack.has("question_words", words[0].folded)
            return not asks and self._is_told(parts, target, words)
        told = bool(asking) or does != "aware"
        return does == "recalling" or (told and self._is_told(parts, target, words))

    def _only_happened(self, parts: Sequence[Part], verb: int) -> bool:
        """Whether a verb may be a participle, and asks nobody: "schon wieder Annas Geburtstag vergessen"."""
        low, _ = _segment(parts, verb)
        place = parts[verb].start
        done = self.pack.kinds["removed"].at(self.folded, place, parts[verb].end) > place
        named = any(part.does in _SAID for part in parts[low:verb])
        asked = {part.does for part in parts[low:]}
        return done and named and asked.isdisjoint(("asking", "obliging", "stores"))

    def _is_own_only(self, parts: Sequence[Part], verb: int) -> bool:
        """Whether what is to be erased is "my age" or a name, and not "my name from the list" or "my account"."""
        target = self._target(parts, verb)
        words = self.source.tokens(*target)
        pack = self.pack
        placed = any(
            pack.has("prepositions", word.folded) and not pack.has("within", word.folded)
            for word in words
        )
        if (
            placed
            or not words
            or self.pack.kinds["elsewhere"].within(self.folded, *target) is not None
        ):
            return False
        named = not pack.nouns_capital and all(word.is_capital for word in words)
        return named or self._is_own(words[0])

    def _may_be_own(self, part: Part) -> bool:
        """Whether a verb may also tell what the speaker does: "[I] don't remember where I parked"."""
        forms = self.pack.forms[self.folded[part.start : part.end]]
        return any((form.tense, form.mood) == ("present", "asserted") for form in forms)

    def _is_no_wish(self, parts: Sequence[Part], low: int, verb: int) -> bool:
        phrases = self.pack.kinds["no_wish"]
        places = (parts[low].start, parts[verb].start)
        return any(phrases.at(self.folded, place, parts[-1].end) > place for place in places)

    def _is_addressed(
        self, does: str, earlier: Sequence[Part], before: Sequence[Part], behind: Sequence[Part]
    ) -> bool:
        """Whether the one who listens is told or asked to do what a verb says."""
        asked = max(
            (k + 1 for k, part in enumerate(before) if part.does in ("asking", "obliging")),
            default=0,
        )
        since = [part.does for part in before[asked:]]
        if (
            "i" in since
            or "subject" in since
            or not self._may_be_named((*earlier, *before[:asked]))
        ):
            return False
        if self.pack.order == "verb-last":
            first = not before and does not in _KEEPING
            return first or not any(part.does in _SAID for part in behind)
        if not any(does in _SAID for does in since):
            return True
        if self.pack.order != "verb-second":
            return False
        last = not any(part.does in _SAID for part in behind)
        return asked > 0 or (last and not self._tells(before))

    def _may_be_named(self, parts: Sequence[Part]) -> bool:
        """Whether what stands before a wish may be what it names, and nobody says there what is asked.

        "She said you can forget her" is none; "that I live in Ulm, you can forget" is one.
        """
        named = [part for part in parts if part.does in _NAMING]
        if not named:
            return True
        first = next(part for part in parts if part.does not in ("break", "denied"))
        if first.does in ("manners", "article", "stores"):
            return True
        return not self._tells(named) and all(part.does == "thing" for part in named)

    def _tells(self, parts: Sequence[Part]) -> bool:
        """Whether a form of a verb says that something is or was so."""
        words = [self.folded[part.start : part.end] for part in parts]
        return any(form.tense for word in words for form in self.pack.forms[word])

    def _is_told(self, parts: Sequence[Part], target: Span, words: Tokens) -> bool:
        """Whether what is not to be kept is something said, and no file or seat."""
        inside = [part for part in parts if target[0] <= part.start < target[1]]
        told = any(part.does == "i" for part in inside) or any(
            form.person in ("i", "we") for word in words for form in self.pack.forms[word.folded]
        )
        return not inside or told or any(map(self._is_own, words))

    def _is_own(self, word: Token) -> bool:
        """Whether a word says that a thing is the speaker's."""
        mine = self.pack.patterns.get("mine")
        said = word.folded
        ends = mine is not None and any(mine.fullmatch(said, k) for k in range(len(said)))
        return ends or self.pack.has("own", said)

    def _target(self, parts: Sequence[Part], verb: int) -> Span:
        """What a wish names: behind its verb, before it, behind a colon, or before its part of the sentence."""
        low, high = _segment(parts, verb)
        behind = verb + 1
        if self.pack.order == "verb-second" and behind < high and parts[behind].does == "subject":
            behind += 1  # "Vergessen Sie"
        for named in (parts[behind:high], parts[low:verb], _behind(parts, high), parts[:low]):
            span = _things(named)
            if span is not None:
                return span
        if parts[verb].does in _KEEPING:
            return parts[0].start, parts[0].start
        pointing = (part for part in parts if part.does == "stores" or self._points(part))
        part = next(pointing, parts[verb])
        return part.start, part.end

    def _points(self, part: Part) -> bool:
        return self.folded[part.start : part.end] in self.pack.subjects and part.does == "manners"


def _segment(parts: Sequence[Part], place: int) -> Span:
    """The first part between marks round a place, and the one behind the last."""
    start = end = place
    while start and parts[start - 1].does != "break":
        start -= 1
    while end < len(parts) and parts[end].does != "break":
        end += 1
    return start, end


def _near(parts: Sequence[Part]) -> list[Part]:
    """The parts up to the first thing."""
    stop = next((k for k, part in enumerate(parts) if part.does in (*_SAID, "joint")), len(parts))
    return list(parts[:stop])


def _behind(parts: Sequence[Part], mark: int) -> Sequence[Part]:
    """The first parts behind a mark that name something, up to the next mark."""
    while mark < len(parts):
        low, high = _segment(parts, min(mark + 1, len(parts) - 1))
        if _things(parts[low:high]):
            return parts[low:high]
        mark = max(high, mark + 1)
    return ()


def _things(parts: Sequence[Part]) -> Span | None:
    """Where things are named; None if they are not."""
    places = [place for place, part in enumerate(parts) if part.does in _SAID]
    if not any(parts[place].does == "thing" for place in places):
        return None
    first = places[0]
    if first and parts[first - 1].does == "article":
        first -= 1
    return parts[first].start, parts[places[-1]].end
