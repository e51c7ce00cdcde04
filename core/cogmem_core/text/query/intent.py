"""What kind of question a query is: one of six intents, by keyword patterns. Pure, linear."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from cogmem_core.languages.merged import Kept, languages_read
from cogmem_core.languages.needed import QuickPattern, QuickPatterns
from cogmem_core.languages.reading import in_its_language
from cogmem_core.text.folding import fold_letters, single_spaced

Intent = Literal["factual", "temporal", "causal", "entity_profile", "preference", "general"]
INTENTS: tuple[Intent, ...] = (
    "causal",
    "temporal",
    "preference",
    "entity_profile",
    "factual",
    "general",
)
"""The fixed order that settles ties, the more specific intents first."""

_READ = 1_000  # characters; what is asked stands at the beginning or end of a longer text
_FURTHER_PATTERN = 0.1
_MAX_SCORE = 0.98
_RIVALRY = 0.3


class _Patterns:
    """The patterns of all intents in all languages that are read, each with its strength."""

    def __init__(self) -> None:
        self._rows = [
            (intent, strength, QuickPattern(rf"(?<![\w'])(?:{pattern})(?!\w)"))
            for intent in INTENTS
            if intent != "general"
            for language in languages_read()
            for strength, pattern in language.query.intents[intent]
        ]
        self._quick = QuickPatterns(quick for _, _, quick in self._rows)

    def strengths(self, folded: str) -> dict[Intent, list[float]]:
        """How strong the patterns are that match, by intent."""
        found: dict[Intent, list[float]] = {}
        for place in self._quick.places(folded):
            intent, strength, quick = self._rows[place]
            if quick.pattern.search(folded):
                found.setdefault(intent, []).append(strength)
        return found


_PATTERNS = Kept(_Patterns)


@in_its_language
def classify_intent(query: str) -> tuple[Intent, float]:
    """The intent of a query, and how sure that is.

    An intent scores its strongest pattern plus 0.1 for each further one. Of equal scores the first
    of `INTENTS` wins.

    Args:
        query: of a long text the first and last 1,000 characters are read.

    Returns:
        The intent, and its score less 0.3 times the runner-up's, 0..0.98; `general` and 0.0 if no
        pattern holds.
    """
    folded = single_spaced(fold_letters(_ends(query)))
    scores = {intent: _score(each) for intent, each in _PATTERNS().strengths(folded).items()}
    if not scores:
        return "general", 0.0
    best = max(scores, key=lambda intent: scores[intent])  # they stand in the order of `INTENTS`
    rival = max((score for intent, score in scores.items() if intent != best), default=0.0)
    return best, round(scores[best] - _RIVALRY * rival, 3)


def _ends(text: str) -> str:
    if len(text) <= 2 * _READ:
        return text
    return f"{text[:_READ]}. {text[-_READ:]}"


def _score(strengths: Sequence[float]) -> float:
    score = max(strengths) + _FURTHER_PATTERN * (len(strengths) - 1)
    return round(min(_MAX_SCORE, score), 6)
