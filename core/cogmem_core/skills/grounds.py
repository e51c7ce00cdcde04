"""What a text that stands for several memories may say: what they say, and nothing else.

Numbers are compared as the index sees them; names are what `text.entities` takes for one. A date
that a memory points to ("yesterday") may be written out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from cogmem_core.models import ObservationNote
from cogmem_core.skills.digest_notes import densest
from cogmem_core.skills.merge_texts import negates
from cogmem_core.text.keys import index_key
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.sentences import sentence_spans
from cogmem_core.text.time.find import normalise
from cogmem_core.text.tokens import tokens

__all__ = ["Ground", "Grounds", "TextAnswer", "added", "checked", "dropped", "quoted", "shown"]

_READ = 4_000  # characters of a memory that are shown, and quoted from
_NAMES = 64  # of one text
_NO_NAMES = ("date", "number")
_ORDINAL = re.compile(r"(?<=[0-9])(?:st|nd|rd|th)$")
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_GROUNDED = 0.15  # share of a text's words that the memories must hold; an abstraction needs words of its own


@dataclass(frozen=True, slots=True)
class Ground:
    """What one memory says, when it was said, of which day it speaks, and who said it."""

    text: str
    said_at: datetime
    about_at: datetime | None = None
    speaker: str | None = None

    @property
    def head(self) -> str:
        """As much of the text as a model is shown."""
        return self.text[:_READ]


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a text is to stand for; `subject` is a word for all of it, such as a category."""

    items: tuple[Ground, ...]
    subject: str = ""


class TextAnswer(BaseModel):
    """The text as the model writes it; empty if there is nothing to say."""

    model_config = ConfigDict(strict=True)

    text: str


def shown(grounds: Grounds) -> dict[str, Any]:
    """The memories as a prompt shows them."""
    listed = [
        {
            "said": item.said_at.date().isoformat(),
            "about": item.about_at.date().isoformat() if item.about_at else None,
            "speaker": item.speaker,
            "text": item.head,
        }
        for item in grounds.items
    ]
    return {"memories": listed, **({"category": grounds.subject} if grounds.subject else {})}


def checked(
    answer: TextAnswer, grounds: Grounds, *, characters: int, sentences: int | None = None
) -> str:
    """The text on one line.

    Raises:
        ValueError: it is empty, too long, brings in a number, a name or a negation, or is about
            something else.
    """
    text = " ".join(answer.text.split())
    if not text:
        raise ValueError("the model found nothing to say")
    if len(text) > characters:
        raise ValueError(f"the text has {len(text)} characters, {characters} are allowed")
    if sentences is not None and len(sentence_spans(text)) > sentences:
        raise ValueError(f"the text has more than {sentences} sentences")
    if foreign := added(text, grounds):
        raise ValueError(f"the text brings in {len(foreign)} names or numbers")
    if negates(text) and not any(negates(item.text) for item in grounds.items):
        raise ValueError("the text brings in a negation")
    stated = set(tokens(text))
    if stated and len(stated & _known(grounds)) < _GROUNDED * len(stated):
        raise ValueError("the text is not what the memories say")
    return text


def added(text: str, grounds: Grounds) -> tuple[str, ...]:
    """Numbers and names of the text that no memory holds, as index tokens, sorted."""
    return tuple(sorted((_numbers(text) | _names(text)) - _known(grounds)))


def dropped(text: str, grounds: Grounds) -> tuple[str, ...]:
    """Numbers and names of the memories that the text does not hold, as index tokens, sorted.

    A number that only places an event in time ("3 days ago") may become a date.
    """
    held = {_plain(token) for token in tokens(text)}
    lost: set[str] = set()
    for item in grounds.items:
        lasting = _numbers(item.text) & _numbers(normalise(item.text, item.said_at))
        lost |= (lasting | _names(item.text)) - held
    return tuple(sorted(lost))


def quoted(grounds: Grounds, most: int) -> str:
    """Without a model: the sentences that say most, at most so many, in their order, as they were said."""
    notes = []
    for item in grounds.items:
        text = item.head
        room = 2 * len(
            text
        )  # full stops, names and dates written out make a quotation longer than what was said
        notes.append(
            ObservationNote(
                "",
                "",
                "note",
                text,
                item.said_at,
                item.said_at,
                speaker=item.speaker,
                characters=room,
            )
        )
    sentences = [quote.text for quote in densest(notes, (), share=1, most=most)]
    return " ".join(sentences) or " ".join(note.content for note in notes)


def _known(grounds: Grounds) -> set[str]:
    said = (text for item in grounds.items for text in _sayings(item))
    return {_plain(token) for text in (*said, grounds.subject) for token in tokens(text)}


def _sayings(item: Ground) -> Iterator[str]:
    """A memory's text, as it was said and with its dates written out; its dates; its speaker."""
    yield item.head
    yield normalise(item.head, item.said_at)
    yield item.speaker or "User"
    for moment in filter(None, (item.said_at, item.about_at)):
        yield index_key("", at=moment)
        yield moment.date().isoformat()


def _numbers(text: str) -> set[str]:
    """Tokens with a digit; of a date its year and day."""
    return {
        _plain(token)
        for token in _without_dates(tokens(text))
        if any(letter.isdigit() for letter in token)
    }


def _without_dates(listed: Iterable[str]) -> Iterator[str]:
    return (token for token in listed if not _ISO_DATE.fullmatch(token))


def _plain(token: str) -> str:
    """A number without its ordinal ending: `12th` is 12."""
    return _ORDINAL.sub("", token)


def _names(text: str) -> set[str]:
    found = (entity for entity in entities(text, limit=_NAMES) if entity.kind not in _NO_NAMES)
    return {
        _plain(token)
        for entity in found
        for token in _without_dates(tokens(text[entity.start : entity.end]))
    }
