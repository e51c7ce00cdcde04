"""Put the name of what was last spoken of in the place of a pronoun. Pure, and cautious.

Only the first pronoun of each kind is replaced, and only if nothing that fits is named before it in
the same text: what follows is then clear by itself. "It" stays where it stands for nothing ("it is
raining").
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cogmem_core.languages.base import Antecedent
from cogmem_core.languages.merged import by_language, languages_read
from cogmem_core.languages.reading import in_its_language

__all__ = ["Antecedent", "resolve_pronouns"]

_CONTEXTS = by_language("rewrite.pronoun_context", re.IGNORECASE)


@in_its_language
def resolve_pronouns(text: str, antecedents: Sequence[Antecedent], *, speaker: str = "User") -> str:
    """Replace pronouns by the latest antecedent of fitting kind.

    Args:
        text: one fact.
        antecedents: what was spoken of before it, the latest last.
        speaker: how the text names its speaker; "their" after that name is the speaker's.
    """
    if not antecedents:
        return text
    for language in languages_read():
        if language.code in _CONTEXTS or not _has_context(text):
            text = language.rewrite.resolve_pronouns(text, antecedents, speaker)
    return text


def _has_context(text: str) -> bool:
    """Whether a text has words that show its language, so that it is in no other one."""
    return any(pattern.search(text) for pattern in _CONTEXTS.values())
