"""Which statements answer a question for what its speaker has one of at a time, in whatever words. Pure.

"First class at Urban Moves today, I can hardly walk" has no word of "Which gym do I go to?", and
answers it later than "I work out at Fit Factory" does. What this finds decides an order, and
nothing else: it raises no doubt about what was said before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cogmem_core.languages.merged import Kept, MergedPattern, all_patterns, languages_read
from cogmem_core.languages.reading import cached_by_language, in_its_language
from cogmem_core.languages.tables import lazy_pattern
from cogmem_core.text.compare import asked_slot, is_negative, slots_of
from cogmem_core.text.compare.wording import folded_words
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.query.understand import in_first_person
from cogmem_core.text.query.whose import tells_of_another

__all__ = ["answers_topic", "asked_topic"]

_UNREAL = MergedPattern(all_patterns(lambda language: language.compare.revisions.unreal))
_PERSON = MergedPattern(all_patterns(lambda language: language.compare.retellings.persons))
_NAME = r"(?P<name>[^\W\d_])"
_SENTENCE_END = re.compile(r"[.!?\n]")
_SLOTS = ("residence", "employer")


class _Topic:
    """The patterns of one topic in the languages that are read."""

    def __init__(self, name: str) -> None:
        topics = [
            language.compare.topics[name]
            for language in languages_read()
            if name in language.compare.topics
        ]
        self.asks = [lazy_pattern(topic.asks) for topic in topics]
        self.tells = [
            (lazy_pattern(pattern.replace("<name>", _NAME)), topic.wished)
            for topic in topics
            for pattern in topic.tells
        ]


_TOPICS = Kept(
    lambda: {
        name: _Topic(name) for language in languages_read() for name in language.compare.topics
    }
)


@in_its_language
def asked_topic(question: str) -> str | None:
    """What a question asks for of whoever asks; None if it is nothing of which one has one at a time.

    Example:
        >>> asked_topic("How do I get to work?"), asked_topic("How does Ana get to work?")
        ('commute', None)
    """
    head = question[:MAX_INPUT]
    folded = fold_letters(head)
    of_speaker = in_first_person(head) and not any(map(_PERSON.fullmatch, folded_words(folded)))
    for name, topic in _TOPICS().items():
        if of_speaker and any(pattern.search(folded) for pattern in topic.asks):
            return name
    return asked_slot(question)  # "where do I work out?" asks for no employer


@in_its_language
def answers_topic(text: str, topic: str) -> frozenset[str]:
    """The kinds of values that a statement of its speaker gives; nothing if it does not answer.

    Two statements that have a kind in common answer the same question, the later one as of later.

    Args:
        text: a statement.
        topic: see `asked_topic`.
    """
    if topic in _SLOTS:
        slots = slots_of(text)
        return frozenset(s.kind for s in slots if s.name == topic and s.phase != "offered")
    return frozenset(("",)) if _tells(text[:MAX_INPUT], topic) else frozenset()


@cached_by_language(4_096)
def _tells(text: str, name: str) -> bool:
    folded = fold_letters(text)
    topic = _TOPICS().get(name)
    if topic is None or len(folded) != len(text):
        return False
    is_told = any(
        (wished or _UNREAL.search(sentence) is None) and sentence[-1:] != "?"
        for sentence, wished in _sentences(text, folded, topic)
    )
    return is_told and not tells_of_another(text)


def _sentences(text: str, folded: str, topic: _Topic) -> Iterator[tuple[str, bool]]:
    """The sentences, folded, in which one of the phrases of a topic stands, and whether it may be wished."""
    for pattern, wished in topic.tells:
        for match in pattern.finditer(folded):
            if "name" in pattern.groupindex and not text[match.start("name")].isupper():
                continue
            ends = [mark.end() for mark in _SENTENCE_END.finditer(folded, 0, match.start())]
            begin = ends[-1] if ends else 0
            end = _SENTENCE_END.search(folded, match.end())
            if not is_negative(folded[begin : match.end()]):
                yield folded[begin : end.end() if end else None], wished
