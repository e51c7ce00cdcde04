"""Which topics a clause tells of: health, money, family. The tables stand in the packs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cogmem_core.base.lru import text_cache
from cogmem_core.languages.detect import language_written
from cogmem_core.reading import of
from cogmem_core.reading.model import KEPT, Clause, Reading, Span
from cogmem_core.reading.pack import Pack, Topic, Wording, pack_of
from cogmem_core.reading.said import SILENT, stems, words_in
from cogmem_core.reading.tokens import Token, Tokens, only_words, tokens_of
from cogmem_core.reading.topic_words import is_form, is_of
from cogmem_core.text.tokens import UNSPACED

SPEAKER = ("i", "we")
OTHERS = ("he", "she", "they")
NAMES = (
    *(
        "family",
        "people",
        "pets",
        "health",
        "religion",
        "money",
        "politics",
        "sex",
        "pregnancy",
        "conflicts",
    ),
    *("job", "trouble", "location", "tastes", "habits", "possessions"),
)
"""The topics that packs have tables for."""
_KNOWING = ("en", "de", "tr", "fr", "es")
"""Languages whose packs know all topics."""
_SHORT = 60  # characters
_LONG = 7
"""Letters of a mark that counts in texts of other languages."""
_ALIKE = 5
"""Letters that two words of one thing share at least."""
_SHORTEST_NAME = 3
"""Letters of a name of which cases are known."""
_GENITIVE = "s"  # "Daniels Mutter", "daniels mum"
_UNSPACED = re.compile(f"[{UNSPACED}]")
_TIMES = ("times", "numbers", "units", "question_words")
_PASSED_OVER = ("own", "determiners", "articles", "prepositions", "within", "vague")


class _Said(NamedTuple):
    """The words of a clause, and their stems."""

    folded: str
    clause: Clause
    tokens: Tokens
    stems: Sequence[str]


def topics_of(reading: Reading, clause: Clause) -> frozenset[str]:
    """The names of the topics that a clause tells of, whatever its kind, mood or holder.

    A mark of a topic counts in any clause; its other words and its verbs only where a person is
    spoken of, and no thing that has a health or riches of its own: "the server", "the sauce".
    """
    return frozenset(_places(reading, clause))


def _places(reading: Reading, clause: Clause) -> Mapping[str, tuple[Span, ...]]:
    """The topics that a clause tells of, and by which words.

    What language a short text is of is not sure: long marks of the other ones count, too.
    """
    told = told_in(reading.text, clause, pack_of(reading.language))
    if len(reading.text) <= _SHORT or not language_written(reading.text):
        for code in _KNOWING:
            if code != reading.language:
                told = {**_marked(reading.text, clause, pack_of(code)), **told}
    return told


@text_cache(1_024)
def told_in(text: str, clause: Clause, pack: Pack) -> Mapping[str, tuple[Span, ...]]:
    """As `topics_of` by the tables of one language, and by which words."""
    if clause.kind == "filler":
        return {}
    said = _said(text, clause, pack)
    personal = _is_personal(said, pack)
    told = {
        name: tuple(_telling(topic, said, pack, personal=personal))
        for name, topic in pack.topics.items()
    }
    for name, topic in pack.topics.items():
        for part in topic.also:
            told[name] += told.get(part, ())
    return {name: spans for name, spans in told.items() if spans}


@text_cache(1_024)
def _marked(text: str, clause: Clause, pack: Pack) -> Mapping[str, tuple[Span, ...]]:
    """The topics of which a clause has a long mark, and where."""
    if clause.kind == "filler":
        return {}
    tokens = [token for token in _said(text, clause, pack).tokens if len(token.folded) >= _LONG]
    told = {
        name: tuple((w.start, w.end) for w in tokens if w.folded in topic.marks.words)
        for name, topic in pack.topics.items()
    }
    return {name: spans for name, spans in told.items() if spans}


def _said(text: str, clause: Clause, pack: Pack) -> _Said:
    folded = pack.fold(text)
    tokens = only_words(tokens_of(text, folded, clause.start, clause.end, pack.splits))
    return _Said(folded, clause, tokens, stems((token.folded for token in tokens), pack))


def _telling(topic: Topic, said: _Said, pack: Pack, *, personal: bool) -> Iterator[Span]:
    """The places of a clause that tell of a topic."""
    hidden = list(topic.unless.places(said.folded, said.clause.start, said.clause.end))
    yield from _found(topic.marks, said, hidden, pack)
    if not personal:
        return
    slot = f"{said.clause.slot} "
    if any(slot.startswith(f"{verb} ") for verb in topic.verbs):
        yield said.clause.start, said.clause.end
    # Who is spoken of tells nothing by himself: "the child overrides it".
    passed = () if _has_speaker(said, pack) else said.clause.subject.split()
    words = {token.start: token.folded for token in said.tokens}
    for start, end in _found(topic.tells, said, hidden, pack):
        if words.get(start) not in passed:
            yield start, end


def _found(wording: Wording, said: _Said, hidden: Collection[Span], pack: Pack) -> Iterator[Span]:
    """The places of words and phrases in a clause that do not stand within what is hidden."""
    places = [
        (token.start, token.end)
        for token, stem in zip(said.tokens, said.stems, strict=True)
        if is_form(token.folded, stem, wording, pack)
    ]
    places += wording.phrases.places(said.folded, said.clause.start, said.clause.end)
    for start, end in places:
        if not any(low < end and start < high for low, high in hidden):
            yield start, end


def _is_personal(said: _Said, pack: Pack) -> bool:
    """Whether a clause is about a person: the speaker, somebody named, one of the family, or nobody else."""
    if pack.among("impersonal", said.tokens):
        return False
    subject = said.clause.subject.split()
    if _has_speaker(said, pack):
        return True
    if not subject:
        first = said.tokens[0].folded if said.tokens else ""
        return said.clause.kind in KEPT and not pack.has("determiners", first)
    if subject[0] in OTHERS:
        return not (pack.drops_subject or pack.order == "verb-last")
    # "Support requests" and "das Kindelement" are no names; "Lena" is.
    named = {
        token.folded
        for before, token in zip([None, *said.tokens], said.tokens, strict=False)
        if token.is_capital
        and (len(subject) == 1 or before is not None)
        and not (before is not None and pack.has("determiners", before.folded))
    }
    return not named.isdisjoint(subject) or is_of(subject, "family", pack)


def _has_speaker(said: _Said, pack: Pack) -> bool:
    """Whether a clause speaks of the speaker, or of what is theirs, or asks whoever is spoken to."""
    subject = said.clause.subject.split()
    asks = said.clause.kind == "question"
    return not {*subject}.isdisjoint((*SPEAKER, "my")) or any(
        pack.subjects.get(token.folded) in SPEAKER
        or pack.in_any(("own", "mine"), token.folded)
        or (asks and (pack.has("users", token.folded) or pack.subjects.get(token.folded) == "you"))
        for token in said.tokens
    )


def names_one(reading: Reading, clause: Clause, words: str) -> bool:
    """Whether a clause names what some words name: "my ex Daniel" is named by "Daniel" and "my ex".

    What stands apart from a name has to be there, too, or something of its topic: "my quarrels with
    Daniel". Without a name all words have to be there, in any form and order.
    """
    pack = pack_of(reading.language)
    said = _said(reading.text, clause, pack)
    tokens = words_in(words, pack)
    names = [word for place, word in enumerate(tokens) if _is_name(tokens, place, pack)]
    first = names[0].start if names else 0
    meant = [w for w in tokens if w not in names and not _is_vague(w, pack)]
    there = [_is_there(word.folded, said, pack) for word in meant]
    if not names:
        return bool(there) and all(there)
    links = [w.start for w in tokens if w.start < first and pack.has("prepositions", w.folded)]
    if _is_named(said, names, pack):
        apart = [
            found
            for word, found in zip(meant, there, strict=True)
            if any(word.start < link for link in links)
        ]
        return not apart or any(apart) or bool(_topics(words) & topics_of(reading, clause))
    owned = pack.among("own", said.tokens)
    return owned and not links and bool(there) and all(there)


def means_something(words: str) -> bool:
    """Whether some words leave anything to look for: "the" and "before" do not."""
    pack = pack_of(of(words).language)
    return not all(_is_vague(word, pack) for word in words_in(words, pack))


def _is_there(word: str, said: _Said, pack: Pack) -> bool:
    """Whether a word stands in a clause in any form; where words are not written apart, as a part of it."""
    if _UNSPACED.search(word):
        return word in said.folded[said.clause.start : said.clause.end]
    return not set(stems((word,), pack)).isdisjoint(said.stems) or any(
        _is_case(token.folded, word, pack) for token in said.tokens
    )


def names_same(reading: Reading, words: str) -> bool:
    """Whether a text has all names of some words that are nothing but names, in any case."""
    pack = pack_of(reading.language)
    names = words_in(words, pack)
    said = [token for token in words_in(reading.text, pack) if token.is_capital]
    # Where endings stand in a row, one may be a part of another name: "Danielle".
    return (
        bool(names)
        and pack.stemmer != "endings"
        and all(
            name.is_capital and any(_is_case(token.folded, name.folded, pack) for token in said)
            for name in names
        )
    )


def _is_case(word: str, name: str, pack: Pack) -> bool:
    """Whether a word is a name with the ending of a case: "Daniels", "Даниила", "Анны" of "Анна"."""
    if len(name) < _SHORTEST_NAME or word == name:
        return word == name
    if word == name + _GENITIVE or (name in word and _UNSPACED.search(word)):
        return True
    endings = pack.patterns["nominal_endings"]
    # Where endings stand in a row, a name stays whole before them.
    last = len(name) - (pack.stemmer != "endings" and bool(endings.fullmatch(name, len(name) - 1)))
    return word[:last] == name[:last] and bool(endings.fullmatch(word, last))


def _topics(words: str) -> frozenset[str]:
    reading = of(words)
    return frozenset().union(*(topics_of(reading, clause) for clause in reading.clauses))


def _is_vague(word: Token, pack: Pack) -> bool:
    return pack.in_any(_PASSED_OVER, word.folded)


def _is_name(words: Tokens, place: int, pack: Pack) -> bool:
    """Whether a word is a name; where all nouns have capitals, the last of several, behind no article."""
    word = words[place]
    if not word.is_capital or _is_vague(word, pack):
        return False
    last = place + 1 == len(words) or not words[place + 1].is_capital
    before = words[place - 1].folded if place else ""
    bound = pack.in_any(("determiners", "own"), before)
    return not pack.nouns_capital or (last and not bound)


def _is_named(said: _Said, names: Tokens, pack: Pack) -> bool:
    """Whether a clause has a name, and not as the name of somebody else: "Daniel Craig"."""
    folded = {name.folded for name in names}
    in_small = not any(token.is_capital for token in said.tokens)
    for token, following in zip(said.tokens, [*said.tokens[1:], None], strict=False):
        if not (token.is_capital or in_small):
            continue
        if not any(_is_case(token.folded, name, pack) for name in folded):
            continue
        other = following is not None and following.is_capital and following.folded not in folded
        genitive = token.folded.removesuffix(_GENITIVE) in folded and token.folded not in folded
        if not other or genitive or pack.nouns_capital:
            return True
    return False


def is_self(who: str, language: str) -> bool:
    """Whether somebody is whoever speaks: "me", in English or in the language of the text."""
    packs = (pack_of(code) for code in ("en", language))
    return any(pack.has("self", pack.fold(who.strip())) for pack in packs)


def is_stranger(who: str, language: str) -> bool:
    """Whether nobody is named whom the speaker knows: "a buyer", "a stranger"."""
    pack = pack_of(language)
    return pack.among("unknown", words_in(who, pack))


def knows(reading: Reading, clause: Clause, who: str) -> bool | None:
    """Whether a clause says that somebody knows what is told, "My boss knows that I am pregnant", or does not.

    "Mum must not know", "don't tell Mum". None = neither.
    """
    pack = pack_of(reading.language)
    said = _said(reading.text, clause, pack)
    denied = clause.negative or pack.among("negations", said.tokens[:3])  # "please don't tell"
    told_them = denied and clause.subject != pack.fold(who)  # "Tom cannot say no" tells of him
    groups = ("knowing", "reporting") if told_them else ("knowing",)
    verbs = stems([verb for group in groups for verb in pack.words[group]], pack)
    told = names_one(reading, clause, who) and not {*said.stems}.isdisjoint(verbs)
    return not denied if told else None


def asked_topics(reading: Reading) -> frozenset[str]:
    """The topics that a text names: "my health"."""
    pack = pack_of(reading.language)
    words = {token.folded for token in words_in(reading.text, pack)}
    forms = set(stems(words, pack))
    return frozenset(
        name for name, topic in pack.topics.items() if not forms.isdisjoint(stems(topic.asks, pack))
    )


def asks_for(text: str, reading: Reading, clause: Clause, topics: Collection[str]) -> bool:
    """Whether a text names what a clause tells of some topics: "my asthma", "Belastungsasthma"."""
    pack = pack_of(reading.language)
    places = _places(reading, clause)
    spans = {span for name in topics for span in places.get(name, ())}
    asked = [token.folded for token in words_in(text, pack) if _is_thing(token, pack)]
    told = [
        token.folded
        for token in _said(reading.text, clause, pack).tokens
        if _is_thing(token, pack)
        and any(start <= token.start and token.end <= end for start, end in spans)
    ]
    return any(_is_same(one, other) for one in told for other in asked)


def _is_thing(word: Token, pack: Pack) -> bool:
    """Whether a word stands for a thing: no article, no preposition, no time."""
    return not pack.in_any((*SILENT, *_TIMES), word.folded) and (word.folded not in pack.subjects)


def _is_same(one: str, other: str) -> bool:
    """Whether two words have a beginning in common, or one is a part of the other."""
    short, long = sorted((one, other), key=len)
    return one == other or (
        len(short) >= _ALIKE and (short in long or short[:_ALIKE] == long[:_ALIKE])
    )


def asked_topic(words: Iterable[str], pack: Pack) -> str:
    """The first topic that one of some folded words asks for; "" if none does."""
    asked = set(stems(words, pack))
    begin = {word[:1] for word in asked}  # a stemmer takes away endings only
    for name, topic in pack.topics.items():
        alike = [word for word in topic.asks if word[:1] in begin]
        if not asked.isdisjoint(stems(alike, pack)):
            return name
    return ""
