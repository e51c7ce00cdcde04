"""Whether words are of a topic: those that are listed, and their forms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from cogmem_core.reading.pack import NO_TOPIC, Pack, Wording
from cogmem_core.reading.said import stems

_LEAST = 4
"""Letters that two forms of a word share at least."""
_LEAST_STEM = 6
"""Letters of a stem by which another form is known: of "nicht" it is that of "Nichte"."""
_LEAST_BARE = 3
"""... where words are stripped of their endings."""


def is_of(words: Sequence[str], name: str, pack: Pack) -> bool:
    """Whether some folded words, one behind the other, are of a topic."""
    topic = pack.topics.get(name, NO_TOPIC)
    said = " ".join(words)
    forms = list(zip(words, stems(words, pack), strict=True))
    return any(
        any(is_form(word, stem, wording, pack) for word, stem in forms)
        or wording.phrases.within(said) is not None
        for wording in (topic.tells, topic.marks)
    )


def is_form(word: str, stem: str, wording: Wording, pack: Pack) -> bool:
    """Whether a word is a form of one of a wording; stems of short words are of many words."""
    if word in wording.words:
        return True
    if len(stem) < (_LEAST_BARE if pack.stemmer == "endings" else _LEAST_STEM):
        return False
    alike = _by_beginning(wording).get(word[:_LEAST], ())
    return any(stem == each for each in stems(alike, pack))


@lru_cache(maxsize=1_024)
def _by_beginning(wording: Wording) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in wording.words:
        found.setdefault(word[:_LEAST], []).append(word)
    return found
