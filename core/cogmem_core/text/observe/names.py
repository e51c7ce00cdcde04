"""Names in a text: those of the gazetteer, and those that only their capitals give away.

Pure, linear, EN and TR.
"""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from cogmem_core.text.folding import fold_letters
from cogmem_core.text.lexicon import gazetteer as known
from cogmem_core.text.lexicon.calendar import MONTHS, WEEKDAYS
from cogmem_core.text.lexicon.stopwords import STOPWORDS

__all__ = ["Name", "NameKind", "known_names", "spelt_names"]

NameKind = Literal["tech", "org", "person", "place"]
_Spelling = Literal["any", "talked", "capital", "watched", "context"]


class Name(NamedTuple):
    """A name: its slug if the gazetteer knows it, else its spelling.

    And its place in characters.
    """

    kind: NameKind
    name: str
    start: int
    end: int


class _Word(NamedTuple):
    text: str
    start: int
    end: int
    opens: bool  # it opens a sentence, so that its capital means nothing
    suffix: str  # what follows an apostrophe, folded: a case ending or possessive


_TABLES: tuple[tuple[NameKind, _Spelling, dict[str, str]], ...] = (
    ("place", "capital", known.PLACES),
    ("org", "context", known.ORG_CONTEXT),
    ("org", "watched", known.ORG_WATCHED),
    ("org", "capital", known.ORG_CAPITAL),
    ("org", "any", known.ORG_ANY),
    ("tech", "context", known.TECH_CONTEXT),
    ("tech", "watched", known.TECH_WATCHED),
    ("tech", "capital", known.TECH_CAPITAL),
    ("tech", "talked", known.TECH_TALKED),
    ("tech", "any", known.TECH_ANY),
)
_KNOWN = {
    spelling: (kind, slug, rule)
    for kind, rule, table in _TABLES
    for spelling, slug in table.items()
}
_LENGTHS: dict[
    str, int
] = {}  # first part of a known name → words of the longest name that begins so
for _name in _KNOWN:
    _first = _name.partition(" ")[0]
    _LENGTHS[_first] = max(_LENGTHS.get(_first, 0), _name.count(" ") + 1)
_TALK = {
    "tech": re.compile(rf"\b{known.TECH_TALK}\b"),
    "org": re.compile(rf"\b{known.ORG_TALK}\b"),
}
_TERM = re.compile(r"[\w.+#&-]+")
_PART = re.compile(r"\w+")
_WORD = re.compile(r"[^\W\d_][\w-]*")
_APOSTROPHES = "'`\u2018\u2019\u02bc\uff07"
_SENTENCE_END = re.compile('[.!?:;\n"\u201c\u201d\u00ab*\u2022>|]| - ')
_CONNECTORS = frozenset("of de da van von der del la le el bin ibn".split())
_SUFFIXES = frozenset(
    """
    a e i u ya ye yi yu na ne ni nu da de ta te nda nde dan den tan ten ndan nden in un nin nun la le yla yle lar ler
    daki deki taki teki li lu lik luk dir dur tir tur
    """.split()
)
_LOCATIVE = frozenset("da de ta te daki deki taki teki li lu".split())
_TO_OR_FROM = frozenset("ya ye a e dan den tan ten".split())
_TRAVEL = re.compile(r"\b(?:tasin|gid|git|uctu|uca|gel|don|gez|yerles|seyahat|yolculuk)")
_PLACE_BEFORE = re.compile(
    r"\b(?:in|near|visit(?:ed|ing)?|(?:mov\w{1,3}|trip|travel\w{0,5}|flew|fly|flying|drove|drive|relocat\w{1,4}|back|been"
    r"|went|go|going) to|from downtown|toured|explor\w{1,4}) (?:the )?$"
)
_ORG_BEFORE = re.compile(
    r"\b(?:work\w{0,3}|job|employed|intern\w{0,4}|engineer|interview\w{0,3}) (?:at|for|with) $"
)
_LOOK_BACK = 30  # characters in front of a name that may tell its kind
_COMMON = (
    STOPWORDS | known.NOT_NAMES | MONTHS.keys() | WEEKDAYS.keys() | {f"{day}s" for day in WEEKDAYS}
)
_COMMON_FOLDED = frozenset(fold_letters(word) for word in _COMMON) - known.GIVEN_NAMES | {
    "may",
    "can",
    "will",
}


def known_names(text: str, folded: str) -> Iterator[Name]:
    """Names of the gazetteer, the longest reading first, spelt as their table demands."""
    spans = list(_terms(folded))
    found = list(_lookups(spans, folded))
    talks = {kind: pattern.search(folded) is not None for kind, pattern in _TALK.items()}
    talks["tech"] = talks["tech"] or any(
        kind == "tech" and rule == "any" for kind, _, rule, _, _ in found
    )
    for kind, slug, rule, start, end in found:
        if rule == "any" or _spelt_as_name(text, kind, rule, (start, end), talks):
            yield Name(kind, slug, start, end)


def _terms(folded: str) -> Iterator[tuple[int, int]]:
    """Words as they are looked up: whole (`node.js`, `c++`) if known so, else in parts."""
    for match in _TERM.finditer(folded):
        start, end = match.span()
        term = match.group().rstrip(".-&")
        bare = term.lstrip("-&+#" if term in _KNOWN or term.lstrip("-&+#") in _KNOWN else ".-&+#")
        end = start + len(term)
        start = end - len(bare)
        if bare in _KNOWN or bare.isalnum():
            yield start, end
        else:
            yield from ((start + part.start(), start + part.end()) for part in _PART.finditer(bare))


def _lookups(
    spans: list[tuple[int, int]], folded: str
) -> Iterator[tuple[NameKind, str, _Spelling, int, int]]:
    free = 0
    for position, (start, first_end) in enumerate(spans):
        longest = _LENGTHS.get(folded[start:first_end], 0)
        if start < free or not longest:
            continue
        for _, end in reversed(spans[position : position + longest]):
            entry = _KNOWN.get(folded[start:end])
            if entry:
                yield *entry, start, end
                free = end
                break


def _spelt_as_name(
    text: str, kind: NameKind, rule: _Spelling, span: tuple[int, int], talks: dict[str, bool]
) -> bool:
    start, end = span
    if rule == "talked":
        return talks[kind]
    if not text[start].isupper():
        return False
    before = text[max(0, start - _LOOK_BACK) : start]
    after = text[end : end + 2]
    if kind == "place":  # Paris Hilton, but Paris Opera is no better as a place
        return not (after[:1] == " " and after[1:].isupper() and " " not in text[start:end])
    if rule == "context":
        return talks[kind] and not _ends_in_name(before)
    return rule == "capital" or talks[kind] or not _opens(before)


def _ends_in_name(before: str) -> bool:
    """Whether the word in front has a capital, too, and is not merely the first of its sentence: Taylor Swift."""
    word = before[:-1].rpartition(" ")[2] if before.endswith(" ") else ""
    folded = fold_letters(word)
    return (
        word.isalpha()
        and _capitalised(word)
        and not (folded in _COMMON_FOLDED or folded.endswith(("ing", "ed")))
    )


def _opens(gap: str) -> bool:
    """Whether a sentence begins after this text."""
    return _SENTENCE_END.search(gap[-2:]) is not None or not gap.strip()


def spelt_names(text: str, folded: str, taken: bytearray) -> Iterator[Name]:
    """Capitalised names that nobody else has claimed: `taken[i]` tells of each character whether somebody has.

    A word at the start of a sentence counts if another capital follows, if it stands elsewhere with
    a capital, if it bears an ending after an apostrophe (`Ayşe'nin`), or if it is a common given
    name.
    """
    places = list(_places(text))
    capital = list(_capital_words(text, folded, places))
    if len(places) >= 6 and len(capital) > 0.6 * len(places):
        return  # a headline, or shouting
    inner = {word.text for word in capital if not word.opens}
    opening = [word.text for word in capital if word.opens]
    repeated = (
        inner | {word for word in opening if opening.count(word) > 1}
        if len(opening) < 50
        else inner
    )
    for run in _runs(capital, text, taken):
        first = run[0]
        certain = (
            len(run) > 1 or not first.opens or first.text in repeated or first.suffix in _SUFFIXES
        )
        if certain or fold_letters(first.text) in known.GIVEN_NAMES:
            start = first.start
            end = run[-1].end
            yield Name(_kind(run, folded), text[start:end], start, end)


def _places(text: str) -> Iterator[tuple[int, int]]:
    for match in _WORD.finditer(text):
        yield match.start(), match.start() + len(match.group().rstrip("-"))


def _capital_words(text: str, folded: str, places: list[tuple[int, int]]) -> Iterator[_Word]:
    previous_start = 0
    previous_end = 0
    for start, end in places:
        word = text[start:end]
        if _capitalised(word):
            gap = text[previous_end:start]
            before = text[previous_start:previous_end]
            abbreviated = gap[:1] == "." and (
                len(before) == 1 or fold_letters(before) in known.HONORIFICS
            )
            opens = not abbreviated and (previous_end == 0 or _SENTENCE_END.search(gap) is not None)
            tail = (
                _PART.match(folded, end + 1)
                if text[end : end + 1] and text[end] in _APOSTROPHES
                else None
            )
            yield _Word(word, start, end, opens, tail.group() if tail else "")
        previous_start = start
        previous_end = end


def _capitalised(word: str) -> bool:
    return len(word) > 1 and word[0].isupper() and not word.isupper()


def _runs(capital: list[_Word], text: str, taken: bytearray) -> Iterator[list[_Word]]:
    """Neighbouring capitalised words, common words and claimed ones left out."""
    run: list[_Word] = []
    usable = [word for word in capital if _may_name(word) and not any(taken[word.start : word.end])]
    for word in usable:
        if run and not _joins(text[run[-1].end : word.start], word):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _may_name(word: _Word) -> bool:
    folded = fold_letters(word.text)
    if folded in _COMMON_FOLDED or folded in known.HONORIFICS:
        return False
    verb = word.opens and len(folded) > 4 and folded.endswith(("ing", "ed", "ly"))
    return not (verb and folded not in known.GIVEN_NAMES and not word.suffix)


def _joins(gap: str, word: _Word) -> bool:
    return not word.opens and (
        gap == " " or (len(gap) < 7 and gap.strip() in _CONNECTORS and gap[:1] == gap[-1:] == " ")
    )


def _kind(run: list[_Word], folded: str) -> NameKind:
    first = fold_letters(run[0].text)
    last = fold_letters(run[-1].text)
    before = folded[max(0, run[0].start - _LOOK_BACK) : run[0].start]
    organised = len(run) > 1 and not known.ORG_WORDS.isdisjoint(
        fold_letters(word.text) for word in run
    )
    if organised or _ORG_BEFORE.search(before):
        return "org"
    if len(run) > 1 and (last in known.PLACE_WORDS or first in known.PLACE_FIRST):
        return "place"
    if first in known.GIVEN_NAMES:
        return "person"
    suffix = run[-1].suffix
    bound = suffix in _TO_OR_FROM and _TRAVEL.search(folded[run[-1].end : run[-1].end + 50])
    return "place" if suffix in _LOCATIVE or bound or _PLACE_BEFORE.search(before) else "person"
