"""What kind of thing a message says, and how much: pattern scores and information density."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cogmem_core.languages.merged import MergedPattern, all_patterns, all_words
from cogmem_core.languages.reading import in_its_language
from cogmem_core.languages.tables import any_of
from cogmem_core.text.folding import fold_beginning
from cogmem_core.text.observe.phrases import tells_how_to, tells_rule
from cogmem_core.text.vocabulary import MONTHS, WEEKDAYS
from cogmem_core.values.models import Category

CORRECTION_BASE = 0.4
"""Confidence of one hit of a correction's pattern."""
PREFERENCE_BASE = 0.3
"""Confidence of one hit of a preference's pattern."""
DECISION_BASE = 0.35
"""Confidence of one hit of a decision's pattern."""
ENTITY_BASE = 0.3
"""Confidence of one hit of an entity's pattern."""
FACT_BASE = 0.25
"""Confidence of one hit of a fact's pattern."""
ENTITY_RICH = 2
"""Named entities that make a message entity-rich; dates and numbers are no names."""
CONFIDENCE_STEP = 0.1
"""Confidence that each further hit adds."""
MAXIMUM_CONFIDENCE = 0.9
"""Where that ends."""


def _table(patterns: str, *, whole: bool = True) -> MergedPattern:
    end = r"(?!\w)" if whole else ""
    # No pattern begins with a lone letter but i: a text of thousands of them is not worth trying.
    return MergedPattern(rf"\b(?=[i\d]|\w[\w'])(?:{patterns}){end}", finish=_with_dates)


def _with_dates(pattern: str) -> str:
    """The pattern with the days and months of the languages that are read."""
    return pattern.replace("<day>", any_of(WEEKDAYS)).replace(
        "<month>", any_of(set(MONTHS) - all_words("observe.signals.ambiguous_months"))
    )


_CORRECTION = _table(all_patterns("observe.signals.corrections"), whole=False)
_PREFERENCE = _table(all_patterns("observe.signals.preferences"))
_DECISION = _table(all_patterns("observe.signals.decisions"), whole=False)
_FACT = _table(all_patterns("observe.signals.facts"), whole=False)
_STATEMENT = _table(all_patterns("observe.signals.statements"), whole=False)
_TEMPORAL = _table(all_patterns("observe.signals.temporal"))
_TAG_QUESTION = MergedPattern(rf"(?:{all_patterns('observe.signals.tag_questions')})\s?\?")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s|\n")


@dataclass(frozen=True, slots=True)
class Signals:
    """The different phrases of a message that say something, by kind; each counts once.

    Questions count for `correction` and `temporal` only: "where do I live?" states nothing.
    """

    correction: frozenset[str]
    preference: frozenset[str]
    decision: frozenset[str]
    fact: frozenset[str]
    statement: frozenset[str]
    temporal: frozenset[str]

    def density(self, entity_count: int) -> int:
        """The sum of unique entities, facts, temporal and correction signals.

        Dates are temporal signals, not entities.
        """
        facts = len(self.fact | self.statement)
        return entity_count + facts + len(self.temporal) + len(self.correction)


@in_its_language
def read_signals(text: str) -> Signals:
    """Find what a message says, in its first 5,000 characters."""
    folded = fold_beginning(text)
    stated = " ".join(
        sentence
        for sentence in _SENTENCE_END.split(folded)
        if not sentence.rstrip().endswith("?") or _TAG_QUESTION.search(sentence)
    )
    return Signals(
        correction=_matches(_CORRECTION, folded),
        preference=_matches(_PREFERENCE, stated),
        decision=_matches(_DECISION, stated),
        fact=_matches(_FACT, stated),
        statement=_matches(_STATEMENT, stated),
        temporal=_matches(_TEMPORAL, folded),
    )


def classify(signals: Signals, named_entities: int) -> tuple[Category, float]:
    """The category with the highest score, and that score as a confidence.

    A score is the kind's base plus 0.1 for each further hit, at most 0.9. Two or more named
    entities are one hit, however many they are. Of equal scores the first of correction, decision,
    preference, entity, fact wins.

    Returns:
        Category and confidence 0.25..0.9; `other` and 0.0 if no pattern matches.
    """
    kinds: tuple[tuple[Category, float, int], ...] = (
        ("correction", CORRECTION_BASE, len(signals.correction)),
        ("decision", DECISION_BASE, len(signals.decision)),
        ("preference", PREFERENCE_BASE, len(signals.preference)),
        ("entity", ENTITY_BASE, int(named_entities >= ENTITY_RICH)),
        ("fact", FACT_BASE, len(signals.fact)),
    )
    best: tuple[Category, float] = ("other", 0.0)
    for category, base, hits in kinds:
        if not hits:
            continue
        score = round(min(MAXIMUM_CONFIDENCE, base + CONFIDENCE_STEP * (hits - 1)), 6)
        if score > best[1]:
            best = (category, score)
    return best


def sub_tier(tier: str, category: str, data_source: str, text: str) -> str:
    """What kind of memory of its tier one is; recall weighs them apart.

    Returns:
        Of the semantic tier `schematic` (a rule), `procedural` (how something is done) or `factual`;
        of the others `personal` (a user said it), `vicarious` (another bank did) or `observed`.
    """
    if tier == "semantic":
        if category == "pattern" or tells_rule(text):
            return "schematic"
        return "procedural" if category == "procedure" or tells_how_to(text) else "factual"
    return {"user_message": "personal", "federation": "vicarious"}.get(data_source, "observed")


def _matches(pattern: MergedPattern, text: str) -> frozenset[str]:
    return frozenset(match.group() for match in pattern.finditer(text))
