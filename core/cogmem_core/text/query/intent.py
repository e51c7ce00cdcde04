"""What kind of question a query is: seed 001's six intents, by keyword patterns. English and Turkish; pure, linear."""

from __future__ import annotations

import re
from typing import Literal

from cogmem_core.text.compare import is_turkish
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.lexicon.intents import (
    CAUSAL,
    ENTITY_PROFILE,
    FACTUAL,
    PREFERENCE,
    TEMPORAL,
    TURKISH_QUESTION,
)

__all__ = ["INTENTS", "Intent", "asks_in_turkish", "classify_intent"]

Intent = Literal["factual", "temporal", "causal", "entity_profile", "preference", "general"]
INTENTS: tuple[Intent, ...] = ("causal", "temporal", "preference", "entity_profile", "factual", "general")
"""The fixed order that settles ties, the more specific intents first."""

_READ = 1_000  # characters; what somebody asks stands at the beginning or end of a longer text
_MORE = 0.1
_MOST = 0.98
_RIVALRY = 0.3


def _table(patterns: tuple[tuple[float, str], ...]) -> tuple[tuple[float, re.Pattern[str]], ...]:
    return tuple((strength, re.compile(rf"(?<![\w'])(?:{pattern})(?!\w)")) for strength, pattern in patterns)


_TABLES: tuple[tuple[Intent, tuple[tuple[float, re.Pattern[str]], ...]], ...] = (
    ("causal", _table(CAUSAL)),
    ("temporal", _table(TEMPORAL)),
    ("preference", _table(PREFERENCE)),
    ("entity_profile", _table(ENTITY_PROFILE)),
    ("factual", _table(FACTUAL)),
)


_ENGLISH_WORD = re.compile(
    r"\b(?:what|when|where|who|whom|whose|why|how|which|does|did|are|was|were|the|my|you|tell|about|have|has|would|should"
    r"|do|in|of|for|with|and)\b"
)
_TURKISH_WORD = re.compile(rf"\b{TURKISH_QUESTION}\b")


def asks_in_turkish(query: str) -> bool:
    """Whether a query is Turkish; "What does Ayşe like?" is English, as is what shows no language."""
    text = query[:_READ]
    if _ENGLISH_WORD.search(text.lower()):
        return False
    return bool(_TURKISH_WORD.search(fold_letters(text))) or is_turkish(text)


def classify_intent(query: str) -> tuple[Intent, float]:
    """The intent of a query, and how sure that is.

    An intent scores its strongest pattern plus 0.1 for each further one. Of equal scores the first of `INTENTS` wins.

    Args:
        query: of a long text the first and last 1,000 characters are read.

    Returns:
        The intent, and its score less 0.3 times the runner-up's, 0..0.98; `general` and 0.0 if no pattern holds.
    """
    folded = " ".join(fold_letters(_ends(query)).split())
    scores = {intent: _score(table, folded) for intent, table in _TABLES}
    best = max(scores, key=lambda intent: scores[intent])
    if not scores[best]:
        return "general", 0.0
    rival = max(score for intent, score in scores.items() if intent != best)
    return best, round(scores[best] - _RIVALRY * rival, 3)


def _ends(text: str) -> str:
    return text if len(text) <= 2 * _READ else f"{text[:_READ]}. {text[-_READ:]}"


def _score(table: tuple[tuple[float, re.Pattern[str]], ...], folded: str) -> float:
    hits = [strength for strength, pattern in table if pattern.search(folded)]
    return round(min(_MOST, max(hits) + _MORE * (len(hits) - 1)), 6) if hits else 0.0
