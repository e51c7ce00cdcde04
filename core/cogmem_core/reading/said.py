"""The words of a clause as stems: what two clauses are compared by."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import snowballstemmer

from cogmem_core.base.lru import text_cache
from cogmem_core.reading.endings import bares
from cogmem_core.reading.model import Clause
from cogmem_core.reading.pack import Pack
from cogmem_core.reading.plain import OF_TIMES
from cogmem_core.reading.tokens import Token, only_words, tokens_of
from cogmem_core.text.folding import plain_number
from cogmem_core.text.vocabulary import NUMBERS

SILENT = (
    "determiners",
    "own",
    "adverbs",
    "prepositions",
    "negations",
    "helping",
    "stop",
    "within",
    "titles",
)


_OF_DOSES = (*OF_TIMES, "units", "habits", "quantities")
_MARKS = r"[,;+&](?!\d)|(?<=[^\W\d]|\s)/(?=[^\W\d]|\s)"


Lists = Sequence[Sequence[Sequence[str]]]
"""Things that are told side by side, each by the stems that no other one has; that which names it comes first."""


class Said(NamedTuple):
    """A clause with its words, as stems without articles and adverbs."""

    clause: Clause
    subject: tuple[str, ...]
    value: tuple[str, ...]
    denies: tuple[str, ...]
    claim: frozenset[str]
    head: str
    named: bool
    text: frozenset[str]
    several: bool
    adds: bool
    lists: Lists
    beside: frozenset[str]

    @property
    def own(self) -> bool:
        """Whether it is about whoever says it."""
        return self.clause.subject in ("i", "we")

    @property
    def verb(self) -> str:
        """The verb of its slot without the preposition."""
        return self.clause.slot.partition(" ")[0]

    @property
    def type(self) -> str:
        """The type of its value without the unit."""
        return self.clause.type.partition(":")[0]

    @property
    def told(self) -> frozenset[str]:
        """All that it names, also as what is wrong."""
        return self.claim.union(self.subject, self.value, self.denies)

    def is_had(self, pack: Pack) -> bool:
        """Whether the speaker tells what they have, take or use."""
        return self.own and pack.has("bearing", self.verb)

    def names_aside(self, other: Said, pack: Pack) -> bool:
        """Whether it names only beside its claim what another one is about: "with Rex" where Rex died.

        What somebody has may be named by what limits it: "I cancelled the gym" ends a contract at the gym.
        """
        scope = "" if self.is_had(pack) else self.clause.scope
        thing = set(other.value if other.own else other.subject)
        named = self.beside | stem_set(scope, pack)
        return bool(thing) and thing <= named - {*self.value, *self.subject}


_STEMMING = threading.Lock()  # a Snowball stemmer keeps its word in itself


@lru_cache(maxsize=16)
def _stemmer(language: str) -> Any:
    return snowballstemmer.stemmer(language)


@text_cache(8_192)
def _stem(word: str, language: str) -> str:
    with _STEMMING:
        return str(_stemmer(language).stemWord(word))


def stems(words: Iterable[str], pack: Pack) -> tuple[str, ...]:
    """The stems of folded words."""
    if not pack.stemmer:
        return tuple(words)
    if pack.stemmer == "endings":
        return bares(words, pack)
    return tuple(_stem(word, pack.stemmer) for word in words)


@text_cache(4_096)
def said_of(text: str, clause: Clause, pack: Pack) -> Said:
    """A clause of a text with its words; `pack`: of its language."""
    folded = pack.fold(text)
    return Said(
        clause,
        stems((word for word in clause.subject.split() if word != "my"), pack),
        words_of(clause.value, pack),
        words_of(clause.denies, pack),
        _claim(text, clause, pack),
        clause.subject.split()[_head(clause, pack)] if clause.subject else "",
        _is_named(text, clause, pack),
        stem_set(text, pack),
        pack.has_any("joints", folded[slice(*clause.claim)].split()[1:]),
        pack.patterns["adding"].search(folded, clause.core[0], clause.end) is not None,
        lists_of(text, clause, pack),
        stem_set(" ".join([clause.doubt, *(text[slice(*span)] for span in clause.beside)]), pack),
    )


def lists_of(text: str, clause: Clause, pack: Pack) -> Lists:
    """What a clause tells side by side: of whom, and what; as far as its language has frames."""
    if not pack.order:
        return ()
    begin = max(text.find(clause.value, clause.start, clause.end), clause.start)
    told = text[begin : clause.claim[1]] if clause.value else ""
    # "I have diabetes, type 2" tells of one.
    parted = clause.guards in ("allergy", "medicine")
    found = _items(clause.subject, pack, False), _items(told, pack, parted)
    return tuple(filter(None, found))


def leaves(lists: Lists, told: Collection[str]) -> bool:
    """Whether of what is told side by side some is named by these stems, and some is not."""
    return any(
        any(map(set(told).intersection, items)) and not all(item[0] in told for item in items)
        for items in lists
    )


@text_cache(4_096)
def _items(text: str, pack: Pack, guards: bool) -> Sequence[Sequence[str]]:
    """What a text tells side by side; () if it is one thing. Commas alone part guardian facts: "warfarin, lithium"."""
    joints = (pack.words["joints"] | pack.words["conjunctions"]) - pack.words["subordinating"]
    words = "|".join(map(re.escape, joints))
    cuts = rf"{_MARKS}|\b(?:{words})\b|{pack.patterns['adding'].pattern}"
    folded = pack.fold(text)
    items: list[tuple[str, ...]] = []
    place, joined = 0, False
    for start, end in [*(cut.span() for cut in re.finditer(cuts, folded)), (len(text),) * 2]:
        # "I take melatonin, before bed": what only a comma sets off may be a circumstance.
        named = _named(text[place:start], pack, aside=bool(items) and not joined)
        items += [named] if named else []
        place, joined = end, joined or folded[start : start + 1].isalpha()
    if len(items) < 2 or not (joined or guards):
        return ()
    held = Counter(chain.from_iterable(map(set, items)))
    own = ([word for word in each if held[word] == 1] or each for each in items)
    return [sorted(each, key=lambda word: word[0].isdigit()) for each in own]


def _named(text: str, pack: Pack, *, aside: bool) -> tuple[str, ...]:
    """The stems of one thing, those that name it first; () of a time, a dose or a circumstance alone."""
    told = [each for each in words_in(text, pack) if each.folded not in pack.subjects]
    limits = [each.end for each in told[:-1] if pack.has("prepositions", each.folded)]
    aside = aside and bool(limits) and limits[0] == told[0].end
    if aside or all(each.is_figure or pack.in_any(_OF_DOSES, each.folded) for each in told):
        return ()
    return (*words_of(text[max(limits, default=0) :], pack), *words_of(text, pack))


def _is_named(text: str, clause: Clause, pack: Pack) -> bool:
    """Whether a subject ends with a name that does not begin the sentence: "my son Emil"."""
    words = clause.subject.split()
    if len(words) < 2 or pack.nouns_capital:
        return False
    said = text[clause.start : clause.end]
    place = pack.fold(said).find(words[-1])
    owned = said[:place].rstrip()[-2:-1] in ("'", "\u2019")
    return (
        place > 0 and said[place].isupper() and said[place + 1 : place + 2].islower() and not owned
    )


def _claim(text: str, clause: Clause, pack: Pack) -> frozenset[str]:
    """The words of a clause without what opens it ("FYI, ..."), and of a denial up to what is set off behind it."""
    start = clause.core[0] if clause.framed else clause.start
    aside = text.find(",", clause.core[1], clause.end) if clause.negative and clause.doubt else -1
    end, doubt = (clause.end, clause.doubt) if aside < 0 else (aside, "")
    before = " ".join([clause.scope, doubt, *(text[slice(*span)] for span in clause.times)])
    return stem_set(f"{before} {text[start:end]}", pack)


def _head(clause: Clause, pack: Pack) -> int:
    """Which word of a subject names the thing: "phone number", "numéro de téléphone"."""
    return (
        min(clause.subject.startswith("my "), len(clause.subject.split()) - 1)
        if pack.head_first
        else -1
    )


def words_in(text: str, pack: Pack) -> list[Token]:
    """The words of a text, without marks; `pack`: of its language."""
    return only_words(tokens_of(text, pack.fold(text), 0, len(text), pack.splits))


def words_of(text: str, pack: Pack, *, silent: Sequence[str] = SILENT) -> tuple[str, ...]:
    """The stems of a text's words.

    Args:
        text: some words.
        pack: the tables of their language.
        silent: groups of words that are left out.
    """
    kept = [
        plain_number(each.folded) if each.is_figure else _letter(each)
        for each in words_in(text, pack)
    ]
    figures = pack.words["numbers"]
    spoken = [
        str(NUMBERS.get(w, w)) if w in figures else w
        for w in kept
        if w in figures or not pack.in_any(silent, w)
    ]
    return stems(spoken, pack)


def stem_set(text: str, pack: Pack) -> frozenset[str]:
    """As `words_of`, whatever their order."""
    return frozenset(words_of(text, pack))


def _letter(token: Token) -> str:
    """A word; a capital letter alone is no article: "blood type A"."""
    alone = len(token.raw) == 1 and token.is_capital and token.folded != "i"
    return f"{token.folded}." if alone else token.folded
