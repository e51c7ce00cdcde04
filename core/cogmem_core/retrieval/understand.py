"""What a query tells by itself, read once: intent, parts, names, speakers, and its sort of answer.

Pure: the caller says who speaks in the memories. The dates of a query are for `text.time.hints`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.merged import by_language
from cogmem_core.languages.reading import in_its_language, language_told
from cogmem_core.reading.question import asked
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.observe.small_talk import is_trivial
from cogmem_core.text.query.decompose import decompose
from cogmem_core.text.query.intent import Intent, classify_intent
from cogmem_core.text.query.speaker_names import SpeakerNames
from cogmem_core.text.time.hints import asks_when
from cogmem_core.text.tokens import tokens, words
from cogmem_core.text.vocabulary import MONTHS, STOPWORDS, WEEKDAYS


class Named(NamedTuple):
    """A name as the query writes it, and its entity: `("Docker", "entity://tech/docker")`."""

    text: str
    uri: str


class Question(NamedTuple):
    """A query, understood.

    Attributes:
        text: the query as it was asked.
        trivial: what a mere greeting or the like is called; a trivial query has no other attributes.
        intent: which of the six kinds it is.
        parts: 1 to 4 questions that stand on their own; the query itself if it is not compound.
        names: persons, organisations, places, technologies and titles, in order of appearance.
        speakers: those of the given speakers whom it names, as they were given, in order of
            appearance.
        asks_when: the answer is a date.
        about_self: it is in the first person.
    """

    text: str
    trivial: str = ""
    intent: Intent = "general"
    parts: tuple[str, ...] = ()
    names: tuple[Named, ...] = ()
    speakers: tuple[str, ...] = ()
    asks_when: bool = False
    about_self: bool = False


_KINDS = frozenset(("person", "org", "place", "tech", "title"))
_READ = 2_000  # characters; a longer query is a text, and what it asks is decided by its ends


_FIRST_PERSON = by_language(lambda language: language.query.first_person)
_FIRST_PERSON_ENDINGS = by_language(lambda language: language.query.first_person_ending)
_NAME_ENDINGS = by_language(lambda language: language.query.name_ending)
_NICKNAME = 3  # letters, at least
_LONGEST_NAME = 4  # words


@in_its_language
def understand(query: str, *, speakers: Collection[str] = ()) -> Question:
    """Read a query.

    Args:
        query: its first 2,000 characters are read; for the intent also its last 1,000.
        speakers: the names of those who speak in the memories.
    """
    filler = asked(query[:_READ]).kind == "filler"
    idle = is_trivial(query) or ("piece of small talk" if filler else "")
    if idle:
        return Question(query, trivial=idle)
    text = query[:_READ]
    folded = " ".join(fold_letters(text).split())
    language = language_told(text)
    names = _names(text)
    return Question(
        text=query,
        intent=classify_intent(query)[0],
        parts=decompose(query),
        names=names,
        speakers=_speakers(text, speakers, language),
        asks_when=asks_when(text),
        about_self=_about_self(folded, names, language),
    )


def asks_who(question: Question) -> bool:
    """Whether a question has no words but a name: "Who is Olivia Chen?", "What is Nordlake?"."""
    name_terms = {term for name in question.names for term in tokens(name.text)}
    return bool(name_terms) and name_terms.issuperset(tokens(question.text))


def _names(text: str) -> tuple[Named, ...]:
    return tuple(
        Named(text[entity.start : entity.end], entity.uri)
        for entity in entities(text)
        if entity.kind in _KINDS
    )


def _about_self(folded: str, names: tuple[Named, ...], language: str) -> bool:
    if _FIRST_PERSON[language].search(folded):
        return True
    ending = _FIRST_PERSON_ENDINGS.get(language)
    if ending is None:
        return False
    exceptions = set(LANGUAGES[language].query.not_first_person)
    for name in names:
        exceptions.update(fold_letters(name.text).split())
    return not exceptions.issuperset(ending.findall(folded))


def _speakers(text: str, speakers: Collection[str], language: str) -> tuple[str, ...]:
    """The speakers that the words of a query name.

    In full, by the first name that only one of them has, or by a nickname. A case ending needs no
    apostrophe in a language that has some, such as Turkish.
    """
    names = speakers if isinstance(speakers, SpeakerNames) else SpeakerNames(speakers)
    query_words = words(text) if names else []
    keys = [fold_letters(word.text) for word in query_words]
    matches: dict[str, None] = {}
    for position, word in enumerate(query_words):
        owner = _owner(names, keys[position : position + _LONGEST_NAME], language)
        # The capital of a first word means nothing.
        if owner is None and position and text[word.start].isupper():
            owner = _owner_of_nickname(names, keys[position])
        if owner is not None:
            matches.setdefault(owner)
    return tuple(matches)


def _owner(names: SpeakerNames, keys: list[str], language: str) -> str | None:
    """The speaker whom the next words, folded, name; the longest reading first."""
    first = keys[0]
    for length in range(len(keys), 0, -1) if names.begins(first) else ():
        owner = names.called(" ".join(keys[:length]))
        if owner is not None:
            return owner
    if first.endswith("s"):
        owner = names.called(first[:-1])
        if owner is not None:
            return owner
    ending = _NAME_ENDINGS.get(language)
    if ending is None:
        return None
    for length in range(len(first) - 1, 0, -1):
        if ending.fullmatch(first, length):
            owner = names.called(first[:length])
            if owner is not None:
                return owner
    return None


def _owner_of_nickname(names: SpeakerNames, key: str) -> str | None:
    """The one speaker whose name begins like a capitalised word, folded: Mel is Melanie."""
    if len(key) < _NICKNAME:
        return None
    if key in STOPWORDS or key in MONTHS or key in WEEKDAYS:
        return None
    return names.called_like(key)
