"""Everything that a query tells by itself, read once: intent, parts, names, speakers, and what sort of answer.

Pure: the caller says who speaks in the memories. English and Turkish. The dates of a query are for `text.datehints`.
"""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from cogmem_core.text.compare import OWN_ENDING
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.lexicon.calendar import MONTHS, WEEKDAYS
from cogmem_core.text.lexicon.stopwords import STOPWORDS
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.observe.small_talk import TrivialKind, is_trivial
from cogmem_core.text.query.decompose import decompose
from cogmem_core.text.query.intent import Intent, asks_in_turkish, classify_intent
from cogmem_core.text.time.hints import asks_when
from cogmem_core.text.tokens import Word, words

__all__ = ["Named", "Question", "understand"]


class Named(NamedTuple):
    """A name as the query writes it, and its entity: `("Docker", "entity://tech/docker")`."""

    text: str
    uri: str


@dataclass(frozen=True, slots=True)
class Question:
    """A query, understood.

    Attributes:
        text: the query as it was asked.
        trivial: why nothing needs to be looked up; None if something does. A trivial query has no other attributes.
        intent: which of the six kinds it is.
        parts: 1 to 4 questions that stand on their own; the query itself if it is not compound.
        names: persons, organisations, places, technologies and titles, in order of appearance.
        speakers: those of the given speakers whom it names, as they were given, in order of appearance.
        asks_when: the answer is a date.
        about_self: it is in the first person.
    """

    text: str
    trivial: TrivialKind | None = None
    intent: Intent = "general"
    parts: tuple[str, ...] = ()
    names: tuple[Named, ...] = ()
    speakers: tuple[str, ...] = ()
    asks_when: bool = False
    about_self: bool = False


_KINDS = frozenset("person org place tech title".split())
_READ = 2_000  # characters; a longer query is a text, and what it asks is decided by its ends
_FIRST_PERSON = re.compile(
    r"(?<![\w'])(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|we're|we've|we'd|we'll|our|ours|ourselves)(?![\w'])"
)
_TURKISH_FIRST_PERSON = re.compile(
    r"\b(?:ben|bana|beni|bende|benden|benim\w{0,3}|benimle|biz|bize|bizi|bizde|bizden|bizim\w{0,3}|kendim\w{0,3})\b"
)
_NOT_MINE = frozenset(
    """
    isim resim hakim ekim kasim egitim donem sistem film bolum olum dogum yardim takim islem eylem problem program krem
    kilim iklim durum yorum toplum uretim yatirim onem gundem kalem yontem mevsim
    temiz deniz ucuz yildiz dokuz otuz omuz domuz havuz yalniz lastik plastik politik
    """.split()
)
"""Turkish words with the shape of a first person that are none."""
_TURKISH_SUFFIX = re.compile(
    r"(?:y?[iu]|n[iu]n|[iu]n|y?[ae]|d[ae]|t[ae]|d[ae]n|t[ae]n|y?l[ae]|l[ae]r\w{0,4}|n[iu]n?ki|d[ae]ki|t[ae]ki)"
)
_NICKNAME = 3  # letters, at least
_LONGEST_NAME = 4  # words


def understand(query: str, *, speakers: Collection[str] = ()) -> Question:
    """Read a query.

    Args:
        query: its first 2,000 characters are read; for the intent also its last 1,000.
        speakers: the names of those who speak in the memories.
    """
    trivial = is_trivial(query)
    if trivial:
        return Question(query, trivial)
    text = query[:_READ]
    folded = " ".join(fold_letters(text).split())
    turkish = asks_in_turkish(text)
    names = _names(text)
    return Question(
        text=query,
        intent=classify_intent(query)[0],
        parts=decompose(query),
        names=names,
        speakers=_speakers(text, speakers, turkish=turkish),
        asks_when=asks_when(text),
        about_self=_about_self(folded, names, turkish=turkish),
    )


def _names(text: str) -> tuple[Named, ...]:
    found = (entity for entity in entities(text) if entity.kind in _KINDS)
    return tuple(Named(text[entity.start : entity.end], entity.uri) for entity in found)


def _about_self(folded: str, names: tuple[Named, ...], *, turkish: bool) -> bool:
    if not turkish:
        return _FIRST_PERSON.search(folded) is not None
    if _TURKISH_FIRST_PERSON.search(folded):
        return True
    others = _NOT_MINE.union(*(fold_letters(name.text).split() for name in names))
    return any(match.group() not in others for match in OWN_ENDING.finditer(folded))


def _speakers(text: str, speakers: Collection[str], *, turkish: bool) -> tuple[str, ...]:
    """The speakers that the words of a query name: in full, by the first name that only one of them has, or a nickname.

    A Turkish case ending needs no apostrophe in a Turkish query.
    """
    called = _called(speakers)
    listed = words(text) if called else []
    found: dict[str, None] = {}
    for position, word in enumerate(listed):
        owner = _owner(called, listed[position : position + _LONGEST_NAME], turkish=turkish)
        if owner is None and position:  # the capital of a first word means nothing
            owner = _nicknamed(called, text, word)
        if owner is not None:
            found.setdefault(owner)
    return tuple(found)


def _called(speakers: Collection[str]) -> dict[str, str]:
    """What each speaker may be called, folded → the speaker; a first name that two share is nobody's."""
    called = {_plain(name): name for name in sorted(speakers) if _plain(name)}
    firsts: dict[str, set[str]] = {}
    for full, name in called.items():
        firsts.setdefault(full.partition(" ")[0], set()).add(name)
    unique = {first: names.pop() for first, names in firsts.items() if len(names) == 1 and first not in STOPWORDS}
    return {**unique, **called}


def _plain(name: str) -> str:
    return " ".join(word.text for word in words(fold_letters(name)))


def _owner(called: dict[str, str], following: list[Word], *, turkish: bool) -> str | None:
    """The speaker whom the next words name, the longest reading first."""
    keys = [fold_letters(word.text) for word in following]
    for length in range(len(keys), 0, -1):
        owner = called.get(" ".join(keys[:length]))
        if owner is not None:
            return owner
    if keys[0].endswith("s") and keys[0][:-1] in called:
        return called[keys[0][:-1]]
    if not turkish:
        return None
    bare = (name for name in called if keys[0].startswith(name) and _TURKISH_SUFFIX.fullmatch(keys[0], len(name)))
    return called.get(max(bare, key=len, default=""))


def _nicknamed(called: dict[str, str], text: str, word: Word) -> str | None:
    """The one speaker whose name begins like a capitalised word: Mel is Melanie."""
    key = fold_letters(word.text)
    if len(key) < _NICKNAME or not text[word.start].isupper() or key in STOPWORDS or key in MONTHS or key in WEEKDAYS:
        return None
    owners = {owner for name, owner in called.items() if name.startswith(key) and " " not in name}
    return owners.pop() if len(owners) == 1 else None
