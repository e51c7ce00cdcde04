"""Names in a text: those of the gazetteer, and those that only their capitals show. Linear time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from cogmem_core.languages.merged import Kept, MergedPattern, Words, all_patterns, all_words
from cogmem_core.text.folding import Span, fold_letters, text_before
from cogmem_core.text.observe import gazetteer
from cogmem_core.text.vocabulary import MONTHS, STOPWORDS, WEEKDAYS

NameKind = Literal["tech", "org", "person", "place"]
_Spelling = Literal["any", "talked", "capital", "watched", "context"]


class Name(NamedTuple):
    """A name and its place in characters.

    `name` is its slug if the gazetteer knows it, else its spelling.
    """

    kind: NameKind
    name: str
    start: int
    end: int


class _Word(NamedTuple):
    """A word with a capital.

    Attributes:
        text: its spelling.
        start: its first character.
        end: the character behind it.
        opens: whether it opens a sentence, so that its capital means nothing.
        suffix: what follows an apostrophe, folded: a case ending or possessive.
    """

    text: str
    start: int
    end: int
    opens: bool
    suffix: str


class _Entry(NamedTuple):
    """What the gazetteer knows of a spelling."""

    kind: NameKind
    slug: str
    spelling: _Spelling


_TABLES: tuple[tuple[NameKind, _Spelling, dict[str, str]], ...] = (
    ("place", "capital", gazetteer.PLACES),
    ("org", "context", gazetteer.ORG_CONTEXT),
    ("org", "watched", gazetteer.ORG_WATCHED),
    ("org", "capital", gazetteer.ORG_CAPITAL),
    ("org", "any", gazetteer.ORG_ANY),
    ("tech", "context", gazetteer.TECH_CONTEXT),
    ("tech", "watched", gazetteer.TECH_WATCHED),
    ("tech", "capital", gazetteer.TECH_CAPITAL),
    ("tech", "talked", gazetteer.TECH_TALKED),
    ("tech", "any", gazetteer.TECH_ANY),
)


def _known_entries() -> dict[str, _Entry]:
    entries: dict[str, _Entry] = {}
    for kind, spelling, table in _TABLES:
        for name, slug in table.items():
            entries[name] = _Entry(kind, slug, spelling)
    return entries


def _longest_names() -> dict[str, int]:
    """Words of the longest known name, by the first word."""
    lengths: dict[str, int] = {}
    for name in _KNOWN:
        parts = name.split(" ")
        lengths[parts[0]] = max(lengths.get(parts[0], 0), len(parts))
    return lengths


_KNOWN = _known_entries()
_LENGTHS = _longest_names()
_TALK = {
    "tech": MergedPattern(rf"\b(?:{all_patterns('observe.names.tech_talk')})\b"),
    "org": MergedPattern(rf"\b(?:{all_patterns('observe.names.org_talk')})\b"),
}
_PLACE_WORDS = all_words("observe.names.place_words")
_PLACE_BEGINNINGS = all_words("observe.names.place_beginnings")
_ORG_WORDS = all_words("observe.names.org_words")
_HONORIFICS = all_words("observe.names.honorifics")
_GIVEN_NAMES = all_words("observe.names.given_names")
_NOT_NAMES = all_words("observe.names.not_names")
_NAMES_AND_WORDS = all_words("observe.names.names_and_words")
_SUFFIXES = all_words("observe.names.suffixes")
_PLACE_SUFFIXES = all_words("observe.names.place_suffixes")
_DIRECTION_SUFFIXES = all_words("observe.names.direction_suffixes")
_VERB_ENDINGS = Kept(lambda: tuple(all_words("observe.names.verb_endings")))
_ADVERB_ENDINGS = Kept(lambda: tuple(all_words("observe.names.adverb_endings")))
_PLACE_BEFORE = MergedPattern(all_patterns("observe.names.place_before"))
_ORG_BEFORE = MergedPattern(all_patterns("observe.names.org_before"))
_TRAVEL_BEHIND = MergedPattern(all_patterns("observe.names.travel_behind"))
_TERM = re.compile(r"[\w.+#&-]+")
_PART = re.compile(r"\w+")
_WORD = re.compile(r"[^\W\d_][\w-]*")
_SUFFIX = re.compile(r"'(\w+)")  # folded
_SENTENCE_END = re.compile('[.!?:;\n"\u201c\u201d\u00ab*\u2022>|]| - ')
_CONNECTORS = frozenset(
    ("of", "de", "da", "van", "von", "der", "del", "la", "le", "el", "bin", "ibn")
)
_LOOK_BACK = 30  # characters in front of a name that may tell its kind
_LOOK_AHEAD = 50
_MANY = 50  # capitals at the beginnings of sentences that are not compared with one another


def _common_words() -> frozenset[str]:
    """Folded words that are no names, however they are spelt."""
    common = (
        STOPWORDS | _NOT_NAMES | MONTHS.keys() | WEEKDAYS.keys() | {f"{day}s" for day in WEEKDAYS}
    )
    return (frozenset(map(fold_letters, common)) - _GIVEN_NAMES.now()) | _NAMES_AND_WORDS.now()


_COMMON = Words(_common_words)


def known_names(text: str, folded: str) -> Iterator[Name]:
    """Names of the gazetteer, the longest reading first, spelt as their table demands."""
    lookups = list(_lookups(list(_terms(folded)), folded))
    if not lookups:
        return
    talks = {kind: pattern.search(folded) is not None for kind, pattern in _TALK.items()}
    if any(entry.kind == "tech" and entry.spelling == "any" for entry, _, _ in lookups):
        talks["tech"] = True
    for entry, start, end in lookups:
        if entry.spelling == "any" or _is_spelt_as_name(text, entry, (start, end), talks):
            yield Name(entry.kind, entry.slug, start, end)


def _terms(folded: str) -> Iterator[Span]:
    """Words as they are looked up: whole (`node.js`, `c++`) if known so, else in parts."""
    for match in _TERM.finditer(folded):
        start = match.start()
        term = match.group().rstrip(".-&")
        is_known = term in _KNOWN or term.lstrip("-&+#") in _KNOWN
        bare = term.lstrip("-&+#" if is_known else ".-&+#")
        end = start + len(term)
        start = end - len(bare)
        if bare in _KNOWN or bare.isalnum():
            yield start, end
        else:
            for part in _PART.finditer(bare):
                yield start + part.start(), start + part.end()


def _lookups(spans: list[Span], folded: str) -> Iterator[tuple[_Entry, int, int]]:
    """Known names with their places; none overlaps another."""
    free = 0
    for position, (start, first_end) in enumerate(spans):
        longest = _LENGTHS.get(folded[start:first_end], 0)
        if start < free or not longest:
            continue
        for _, end in reversed(spans[position : position + longest]):
            entry = _KNOWN.get(folded[start:end])
            if entry:
                yield entry, start, end
                free = end
                break


def _is_spelt_as_name(text: str, entry: _Entry, span: Span, talks: dict[str, bool]) -> bool:
    start, end = span
    talked = talks.get(entry.kind, False)
    if entry.spelling == "talked":
        return talked
    if not text[start].isupper():
        return False
    preceding = text_before(text, start, _LOOK_BACK)
    following = text[end : end + 2]
    if entry.kind == "place":  # Paris Hilton, but Paris Opera is no better as a place
        return not (following[:1] == " " and following[1:].isupper() and " " not in text[start:end])
    if entry.spelling == "context":
        return talked and not _ends_in_name(preceding)
    return entry.spelling == "capital" or talked or not _opens_sentence(preceding)


def _ends_in_name(preceding: str) -> bool:
    """Whether the word in front is a part of the name, too: Taylor Swift.

    The capital of the first word of a sentence does not count.
    """
    if not preceding.endswith(" "):
        return False
    word = preceding[:-1].rpartition(" ")[2]
    folded = fold_letters(word)
    if not word.isalpha() or not _is_capitalized(word):
        return False
    return folded not in _COMMON and not folded.endswith(_VERB_ENDINGS())


def _opens_sentence(gap: str) -> bool:
    """Whether a sentence begins after this text."""
    return _SENTENCE_END.search(gap[-2:]) is not None or not gap.strip()


def capitalized_names(text: str, folded: str, claimed: bytearray) -> Iterator[Name]:
    """Capitalised names that nothing else has claimed.

    A word at the start of a sentence counts if another capital follows, if it occurs elsewhere with
    a capital, if it bears an ending after an apostrophe (`Ayşe'nin`), or if it is a common given
    name.

    Args:
        text: a text.
        folded: the text as `fold_letters` writes it.
        claimed: for each character, whether something has claimed it.
    """
    spans: list[Span] = []
    for match in _WORD.finditer(text):
        end = match.start() + len(match.group().rstrip("-"))
        spans.append((match.start(), end))
    capitals = list(_capital_words(text, folded, spans))
    if len(spans) >= 6 and len(capitals) > 0.6 * len(spans):
        return  # a headline, or shouting
    repeated = _repeated(capitals)
    for run in _runs(capitals, text, claimed):
        first = run[0]
        certain = len(run) > 1 or not first.opens or first.text in repeated
        if certain or first.suffix in _SUFFIXES or fold_letters(first.text) in _GIVEN_NAMES:
            start = first.start
            end = run[-1].end
            yield Name(_kind(run, folded), text[start:end], start, end)


def _repeated(capitals: list[_Word]) -> set[str]:
    """Words with a capital inside a sentence, and those that open more than one sentence."""
    repeated = {word.text for word in capitals if not word.opens}
    opening = [word.text for word in capitals if word.opens]
    if len(opening) < _MANY:
        repeated.update(word for word in opening if opening.count(word) > 1)
    return repeated


def _capital_words(text: str, folded: str, spans: list[Span]) -> Iterator[_Word]:
    previous_start = 0
    previous_end = 0
    for start, end in spans:
        word = text[start:end]
        if _is_capitalized(word):
            gap = text[previous_end:start]
            previous = text[previous_start:previous_end]
            abbreviated = gap[:1] == "." and (
                len(previous) == 1 or fold_letters(previous) in _HONORIFICS
            )
            at_end = previous_end == 0 or _SENTENCE_END.search(gap) is not None
            suffix = _SUFFIX.match(folded, end)
            yield _Word(
                word, start, end, at_end and not abbreviated, "" if suffix is None else suffix[1]
            )
        previous_start = start
        previous_end = end


def _is_capitalized(word: str) -> bool:
    return len(word) > 1 and word[0].isupper() and not word.isupper()


def _runs(capitals: list[_Word], text: str, claimed: bytearray) -> Iterator[list[_Word]]:
    """Neighbouring capitalised words, without common words and claimed ones."""
    run: list[_Word] = []
    for word in capitals:
        if not _may_name(word) or any(claimed[word.start : word.end]):
            continue
        if run and not _joins(text[run[-1].end : word.start], word):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _may_name(word: _Word) -> bool:
    folded = fold_letters(word.text)
    if folded in _COMMON or folded in _HONORIFICS:
        return False
    shaped = len(folded) > 4 and folded.endswith(_VERB_ENDINGS() + _ADVERB_ENDINGS())
    return not (word.opens and shaped and folded not in _GIVEN_NAMES and not word.suffix)


def _joins(gap: str, word: _Word) -> bool:
    if word.opens:
        return False
    connected = len(gap) < 7 and gap.strip() in _CONNECTORS and gap[:1] == gap[-1:] == " "
    return gap == " " or connected


def _kind(run: list[_Word], folded: str) -> NameKind:
    preceding = text_before(folded, run[0].start, _LOOK_BACK)
    words = [fold_letters(word.text) for word in run]
    several = len(words) > 1
    if _ORG_BEFORE.search(preceding) or (several and not _ORG_WORDS.isdisjoint(words)):
        return "org"
    if several and (words[-1] in _PLACE_WORDS or words[0] in _PLACE_BEGINNINGS):
        return "place"
    if words[0] in _GIVEN_NAMES:
        return "person"
    suffix = run[-1].suffix
    following = folded[run[-1].end : run[-1].end + _LOOK_AHEAD]
    bound = suffix in _DIRECTION_SUFFIXES and _TRAVEL_BEHIND.search(following)
    if bound or suffix in _PLACE_SUFFIXES or _PLACE_BEFORE.search(preceding):
        return "place"
    return "person"
