"""Checks that a text that stands for several memories says what they say, and nothing else.

Numbers are compared as the index sees them; names are the entities of the text. A date that a
memory points to ("yesterday") may be written out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from cogmem_core.languages.merged import MergedPattern, all_words, any_word
from cogmem_core.reading import sentences_of
from cogmem_core.reading.facts import denies
from cogmem_core.skills.digest_notes import densest
from cogmem_core.skills.merge_texts import tokens_of
from cogmem_core.skills.run import Message, StrictModel, ask, day_of, one_line
from cogmem_core.text.keys import index_key
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.time.find import normalise
from cogmem_core.text.tokens import tokens
from cogmem_core.values.models import ObservationNote

_READ = 4_000  # characters of a memory that a model sees and the heuristic quotes from
_NAMES = 64  # of one text
_NO_NAMES = ("date", "number")
_ORDINAL = MergedPattern(rf"(?<=[0-9]){any_word(all_words('time.ordinal_endings'))}$")
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
# Share of a text's words that the memories must hold; an abstraction needs words of its own.
_GROUNDED = 0.15


@dataclass(frozen=True, slots=True)
class Ground:
    """One memory: its text, when it was said, which day it speaks of, and who said it."""

    text: str
    said_at: datetime
    about_at: datetime | None = None
    speaker: str | None = None

    @property
    def head(self) -> str:
        """The part of the text that a model sees."""
        return self.text[:_READ]


@dataclass(frozen=True, slots=True)
class Grounds:
    """The memories that a text stands for; `subject` names all of them, such as a category."""

    items: tuple[Ground, ...]
    subject: str = ""


class TextAnswer(StrictModel):
    """The text as the model writes it; empty if there is nothing to say."""

    text: str


def asking(task: str) -> Callable[[Grounds], list[Message]]:
    """The prompt of a task that is given memories."""

    def prompt(grounds: Grounds) -> list[Message]:
        data: dict[str, Any] = {"memories": list(map(_memory_data, grounds.items))}
        if grounds.subject:
            data["category"] = grounds.subject
        return ask(task, data)

    return prompt


def _memory_data(item: Ground) -> dict[str, Any]:
    return {
        "said": day_of(item.said_at),
        "about": day_of(item.about_at),
        "speaker": item.speaker,
        "text": item.head,
    }


def check_text(
    answer: TextAnswer, grounds: Grounds, *, characters: int, sentences: int | None = None
) -> str:
    """The text on one line.

    Raises:
        ValueError: it is empty, too long, adds a number, a name or a negation, or is about
            something else.
    """
    text = one_line(answer.text)
    if not text:
        raise ValueError("the model found nothing to say")
    if len(text) > characters:
        raise ValueError(f"the text has {len(text)} characters, {characters} are allowed")
    if sentences is not None and len(sentences_of(text)) > sentences:
        raise ValueError(f"the text has more than {sentences} sentences")
    foreign = added(text, grounds)
    if foreign:
        raise ValueError(f"the text brings in {len(foreign)} names or numbers")
    if denies(text) and not any(denies(item.text) for item in grounds.items):
        raise ValueError("the text brings in a negation")
    stated = set(tokens(text))
    if len(stated & _ground_tokens(grounds)) < _GROUNDED * len(stated):
        raise ValueError("the text is not what the memories say")
    return text


def added(text: str, grounds: Grounds) -> tuple[str, ...]:
    """Numbers and names of the text that no memory holds, as index tokens, sorted."""
    return tuple(sorted((_numbers(text) | _names(text)) - _ground_tokens(grounds)))


def dropped(text: str, grounds: Grounds) -> tuple[str, ...]:
    """Numbers and names of the memories that the text does not hold, as index tokens, sorted.

    A number that only places an event in time ("3 days ago") may become a date.
    """
    text_tokens = set(map(_plain, tokens(text)))
    lost: set[str] = set()
    for item in grounds.items:
        lasting = _numbers(item.text) & _numbers(normalise(item.text, item.said_at))
        lost |= (lasting | _names(item.text)) - text_tokens
    return tuple(sorted(lost))


def quote(grounds: Grounds, max_sentences: int) -> str:
    """Without a model: the sentences that say most, in their order, as they were said."""
    notes = list(map(_as_note, grounds.items))
    quotes = densest(notes, share=1, max_sentences=max_sentences)
    texts = [item.text for item in quotes] or [note.content for note in notes]
    return " ".join(texts)


def _as_note(item: Ground) -> ObservationNote:
    text = item.head
    # Full stops, names and dates written out make a quotation longer than the original text.
    characters = 2 * len(text)
    return ObservationNote(
        id="",
        namespace="",
        level="note",
        content=text,
        observed_at=item.said_at,
        created_at=item.said_at,
        speaker=item.speaker,
        characters=characters,
    )


def _ground_tokens(grounds: Grounds) -> set[str]:
    texts = [grounds.subject, *chain.from_iterable(map(_sayings, grounds.items))]
    return set(map(_plain, tokens_of(texts)))


def _sayings(item: Ground) -> Iterator[str]:
    """A memory's text, as it was said and with its dates written out, its speaker and its dates."""
    yield item.head
    yield normalise(item.head, item.said_at)
    yield item.speaker or "User"
    for moment in filter(None, (item.said_at, item.about_at)):
        yield index_key("", at=moment)
        yield moment.date().isoformat()


def _numbers(text: str) -> set[str]:
    """Tokens with a digit; of a date its year and day."""
    undated = _without_dates(tokens(text))
    return {_plain(token) for token in undated if any(map(str.isdigit, token))}


def _without_dates(text_tokens: Iterable[str]) -> Iterator[str]:
    return (token for token in text_tokens if not _ISO_DATE.fullmatch(token))


def _plain(token: str) -> str:
    """A number without its ordinal ending: `12th` is 12."""
    return _ORDINAL.sub("", token)


def _names(text: str) -> set[str]:
    names: set[str] = set()
    for entity in entities(text, limit=_NAMES):
        if entity.kind not in _NO_NAMES:
            undated = _without_dates(tokens(text[entity.start : entity.end]))
            names.update(map(_plain, undated))
    return names
