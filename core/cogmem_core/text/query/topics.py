"""Which statements answer a question for what one has one of at a time, or a class, in whatever words. Pure.

"First class at Urban Moves today, I can hardly walk" has no word of "Which gym do I go to?", and
answers it later than "I work out at Fit Factory" does. What this finds decides an order, and
nothing else: it raises no doubt about what was said before. "Tell me about my family" asks for a class:
no statement about a brother has a word of it, and each tells a part.
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

CLASSES = frozenset(("family", "pets", "health"))
"""Topics of which each statement tells a part, also of somebody of the speaker's."""

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
    """What a question asks for of whoever asks: what one has one of at a time, or a class; else None.

    Example:
        >>> asked_topic("How do I get to work?"), asked_topic("How does Ana get to work?")
        ('commute', None)
    """
    head = question[:MAX_INPUT]
    folded = fold_letters(head)
    own = in_first_person(head)  # a class is asked for by whose it is
    of_nobody_else = not any(map(_PERSON.fullmatch, folded_words(folded)))
    for name, topic in _TOPICS().items():
        may_ask = of_nobody_else and (own or name in CLASSES)
        if may_ask and any(pattern.search(folded) for pattern in topic.asks):
            return name
    return asked_slot(question)  # "where do I work out?" asks for no employer


@in_its_language
def answers_topic(text: str, topic: str) -> frozenset[str]:
    """The kinds of values that a statement of its speaker gives; nothing if it does not answer.

    Two statements that have a kind in common answer the same question, the later one as of later; of
    a class each tells another part.

    Args:
        text: a statement.
        topic: see `asked_topic`.
    """
    if topic in _SLOTS:
        slots = slots_of(text)
        return frozenset(s.kind for s in slots if s.name == topic and s.phase != "offered")
    if not _tells(text[:MAX_INPUT], topic):
        return frozenset()
    return frozenset((text if topic in CLASSES else "",))


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
    return is_told and (name in CLASSES or not tells_of_another(text))


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
