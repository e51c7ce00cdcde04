"""Which topics a clause tells of: health, money, family. The tables stand in the packs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from cogmem_core.base.lru import text_cache
from cogmem_core.reading.compare import SILENT, stems
from cogmem_core.reading.model import Clause, Reading
from cogmem_core.reading.pack import NO_TOPIC, OWN, Pack, Topic, Wording, pack_of
from cogmem_core.reading.tokens import Token, tokens_of

SPEAKER = ("i", "we")
OTHERS = ("he", "she", "they")
NAMES = (
    "family",
    "pets",
    "health",
    "religion",
    "money",
    "politics",
    "sex",
    "conflicts",
    "tastes",
    "habits",
    "possessions",
)
"""The topics that packs have tables for."""
_PERSONS = (*SPEAKER, *OTHERS, "you", "my")
_TIMES = ("times", "numbers", "units", "question_words")
_PASSED_OVER = ("own", "determiners", "articles", "prepositions", "within")
_LEAST_STEM = 6  # letters of a stem by which a word is known
_LEAST_BARE = 3  # ... where words are stripped of their endings


class _Said(NamedTuple):
    """The words of a clause, and their stems."""

    folded: str
    clause: Clause
    tokens: Sequence[Token]
    stems: Sequence[str]


def topics_of(reading: Reading, clause: Clause) -> frozenset[str]:
    """The names of the topics that a clause tells of, whatever its kind, mood or holder.

    A mark of a topic counts in any clause; its other words and its verbs only where a person is
    spoken of, and no thing that has a health or riches of its own: "the server", "the sauce".
    """
    return _topics(reading.text, clause, pack_of(reading.language))


@text_cache(1_024)
def _topics(text: str, clause: Clause, pack: Pack) -> frozenset[str]:
    if clause.kind == "filler" or not pack.topics:
        return frozenset()
    said = _said(text, clause, pack)
    personal = _is_personal(said, pack)
    return frozenset(
        name for name, topic in pack.topics.items() if _tells(topic, said, pack, personal=personal)
    )


def _said(text: str, clause: Clause, pack: Pack) -> _Said:
    folded = pack.fold(text)
    span = (clause.start, clause.end)
    tokens = [word for word in tokens_of(text, folded, *span, pack.splits) if word.is_word]
    return _Said(folded, clause, tokens, stems((token.folded for token in tokens), pack))


def _tells(topic: Topic, said: _Said, pack: Pack, *, personal: bool) -> bool:
    hidden = list(topic.unless.places(said.folded, said.clause.start, said.clause.end))
    if _has(topic.marks, said, hidden, pack):
        return True
    if not personal:
        return False
    slot = f"{said.clause.slot} "
    return any(slot.startswith(f"{verb} ") for verb in topic.verbs) or _has(
        topic.tells, said, hidden, pack
    )


def _has(wording: Wording, said: _Said, hidden: Iterable[tuple[int, int]], pack: Pack) -> bool:
    """Whether a word or a phrase stands in a clause, and not within what is hidden."""
    places = [
        (token.start, token.end)
        for token, stem in zip(said.tokens, said.stems, strict=True)
        if _is_word_of(wording, token.folded, stem, pack)
    ]
    places += wording.phrases.places(said.folded, said.clause.start, said.clause.end)
    return any(not any(low < end and start < high for low, high in hidden) for start, end in places)


@lru_cache(maxsize=1_024)
def _stemmed(wording: Wording, pack: Pack) -> frozenset[str]:
    return frozenset(stems(wording.words, pack))


def _is_word_of(wording: Wording, word: str, stem: str, pack: Pack) -> bool:
    """Whether a word, or one with its stem, is listed; short stems are those of too many: "nicht", "Nichte"."""
    least = _LEAST_BARE if pack.stemmer == "endings" else _LEAST_STEM
    return word in wording.words or (len(stem) >= least and stem in _stemmed(wording, pack))


def _is_personal(said: _Said, pack: Pack) -> bool:
    """Whether a clause is about a person: the speaker, somebody named, one of the family, or nobody else."""
    if any(pack.has("impersonal", token.folded) for token in said.tokens):
        return False
    subject = said.clause.subject.split()
    if not subject or not set(subject).isdisjoint(_PERSONS):
        return True
    named = {token.folded for token in said.tokens if token.is_capital}
    return not named.isdisjoint(subject) or is_of(subject, "family", pack)


def is_of(words: Sequence[str], name: str, pack: Pack) -> bool:
    """Whether some folded words, one behind the other, are of a topic."""
    topic = pack.topics.get(name, NO_TOPIC)
    said = " ".join(words)
    found = list(zip(words, stems(words, pack), strict=True))
    return any(
        any(_is_word_of(wording, word, stem, pack) for word, stem in found)
        or wording.phrases.within(said, 0, len(said)) is not None
        for wording in (topic.tells, topic.marks)
    )


def names_one(reading: Reading, clause: Clause, words: str) -> bool:
    """Whether a clause names what some words name: "my ex Daniel" is named by "Daniel" and "my ex".

    Of other words all have to be there, in any form and order.
    """
    pack = pack_of(reading.language)
    said = _said(reading.text, clause, pack)
    folded = pack.fold(words)
    tokens = [w for w in tokens_of(words, folded, 0, len(words), pack.splits) if w.is_word]
    own = bool(tokens) and pack.has("own", tokens[0].folded)
    meant = [w for w in tokens if not any(pack.has(group, w.folded) for group in _PASSED_OVER)]
    names = [word for word in meant if word.is_capital]
    things = [word for word in meant if not word.is_capital]
    told = set(said.stems)

    def all_told(words: Sequence[Token]) -> bool:
        return bool(words) and told.issuperset(stems((word.folded for word in words), pack))

    if own and names and things:
        owned = any(pack.has("own", token.folded) for token in said.tokens)
        return all_told(names) or (owned and all_told(things))
    return all_told(meant)


def is_self(who: str) -> bool:
    """Whether somebody is whoever speaks: "me", "ich"."""
    return any(pack_of(code).has("self", pack_of(code).fold(who.strip())) for code in OWN)


def tells_who_knows(reading: Reading, clause: Clause, who: str) -> bool:
    """Whether a clause says that somebody knows what it tells: "My boss knows that I am pregnant"."""
    pack = pack_of(reading.language)
    if clause.negative or not names_one(reading, clause, who):
        return False
    knowing = stems(pack.words.get("knowing", ()), pack)
    return not set(_said(reading.text, clause, pack).stems).isdisjoint(knowing)


def shares_words(reading: Reading, clause: Clause, text: str) -> bool:
    """Whether a text names the value of a clause, or a part of it."""
    pack = pack_of(reading.language)
    return not _content(clause.value, pack).isdisjoint(_content(text, pack))


def _content(text: str, pack: Pack) -> set[str]:
    """The stems of the words of a text that stand for things."""
    tokens = tokens_of(text, pack.fold(text), 0, len(text), pack.splits)
    words = [
        token.folded
        for token in tokens
        if token.is_word and not any(pack.has(group, token.folded) for group in (*SILENT, *_TIMES))
    ]
    return set(stems(words, pack))


def asked_topic(words: Iterable[str], pack: Pack) -> str:
    """The first topic that one of some folded words asks for; "" if none does."""
    asked = set(stems(words, pack))
    for name, topic in pack.topics.items():
        if not asked.isdisjoint(stems(topic.asks, pack)):
            return name
    return ""
