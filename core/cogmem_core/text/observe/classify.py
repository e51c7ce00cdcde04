"""What kind of thing a message says, and how much: pattern scores and information density.

Pure, EN and TR.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from cogmem_core.config import ObserverConfig
from cogmem_core.models import Category
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.lexicon.patterns import (
    CORRECTION,
    DECISION,
    FACT,
    PREFERENCE,
    STATEMENT,
    TAG_QUESTION,
    TEMPORAL,
)

__all__ = ["Signals", "classify", "read_signals"]


def _table(patterns: tuple[str, ...], *, whole: bool = True) -> re.Pattern[str]:
    # No pattern begins with a lone letter but i: a text of thousands of them is not worth trying.
    return re.compile(
        r"\b(?=[i\d]|\w\w)(?:" + "|".join(patterns) + ")" + (r"(?!\w)" if whole else "")
    )


_CORRECTION = _table(CORRECTION, whole=False)
_PREFERENCE = _table(PREFERENCE)
_DECISION = _table(DECISION, whole=False)
_FACT = _table(FACT, whole=False)
_STATEMENT = _table(STATEMENT, whole=False)
_TEMPORAL = _table(TEMPORAL)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s|\n")
_TAG_QUESTION = re.compile(TAG_QUESTION)


@dataclass(frozen=True, slots=True)
class Signals:
    """The different phrases of a message that say something, by what they tell; each counted once.

    Questions count for `correction` and `temporal` only: "where do I live?" states nothing.
    """

    correction: frozenset[str]
    preference: frozenset[str]
    decision: frozenset[str]
    fact: frozenset[str]
    statement: frozenset[str]
    temporal: frozenset[str]

    def density(self, entity_count: int) -> int:
        """Unique entities + unique facts + temporal signals + correction signals (seed 001).

        Dates are temporal.
        """
        facts = len(self.fact | self.statement)
        return entity_count + facts + len(self.temporal) + len(self.correction)


def read_signals(text: str) -> Signals:
    """Find what a message says, in its first 5,000 characters."""
    folded = fold_letters(text[:MAX_INPUT])
    stated = " ".join(part for part in _SENTENCE_END.split(folded) if _states(part))
    return Signals(
        correction=_found(_CORRECTION, folded),
        preference=_found(_PREFERENCE, stated),
        decision=_found(_DECISION, stated),
        fact=_found(_FACT, stated),
        statement=_found(_STATEMENT, stated),
        temporal=_found(_TEMPORAL, folded),
    )


def classify(
    signals: Signals, named_entities: int, settings: ObserverConfig
) -> tuple[Category, float]:
    """The category with the highest score, and that score as a confidence (seed 001).

    A score is the kind's base plus 0.1 for each further hit, at most 0.9. Two or more named
    entities are one hit, however many they are. Of equal scores the first of correction, decision,
    preference, entity, fact wins.

    Returns:
        Category and confidence 0.25..0.9; `other` and 0.0 if no pattern holds.
    """
    scored: tuple[tuple[Category, float, int], ...] = (
        ("correction", settings.correction_base, len(signals.correction)),
        ("decision", settings.decision_base, len(signals.decision)),
        ("preference", settings.preference_base, len(signals.preference)),
        ("entity", settings.entity_base, int(named_entities >= settings.entity_rich)),
        ("fact", settings.fact_base, len(signals.fact)),
    )
    best: tuple[Category, float] = ("other", 0.0)
    for category, base, hits in scored:
        score = (
            round(min(settings.maximum_confidence, base + settings.step * (hits - 1)), 6)
            if hits
            else 0.0
        )
        if score > best[1]:
            best = (category, score)
    return best


def _states(sentence: str) -> bool:
    return not sentence.rstrip().endswith("?") or _TAG_QUESTION.search(sentence) is not None


def _found(pattern: re.Pattern[str], text: str) -> frozenset[str]:
    return frozenset(match.group() for match in pattern.finditer(text))
