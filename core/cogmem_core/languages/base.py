"""The record that a language fills, area by area. Nothing here does I/O."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "CompareRules",
    "Language",
    "ObserveRules",
    "QueryRules",
    "RewriteRules",
    "SafetyRules",
    "TimeRules",
    "WordRules",
]


@dataclass(frozen=True)
class WordRules:
    """Words as such: stop words, stems, folding, sentence ends."""


@dataclass(frozen=True)
class TimeRules:
    """Dates, times, periods and tenses."""


@dataclass(frozen=True)
class CompareRules:
    """What one statement means to another: attributes, frames, denials, interchangeable words."""


@dataclass(frozen=True)
class ObserveRules:
    """What a sentence is about: filters, kinds, feelings, entities, names."""


@dataclass(frozen=True)
class QueryRules:
    """What a question asks for: intents, parts, forms of questions."""


@dataclass(frozen=True)
class RewriteRules:
    """Sentences that can be understood on their own: third person, pronouns, foresight."""


@dataclass(frozen=True)
class SafetyRules:
    """Orders to the model, secrets and personal data."""


@dataclass(frozen=True)
class Language:
    """One language.

    Attributes:
        code: ISO 639-1.
        words: words as such.
        time: dates, times, periods and tenses.
        compare: what one statement means to another.
        observe: what a sentence is about.
        query: what a question asks for.
        rewrite: sentences that can be understood on their own.
        safety: orders to the model, secrets and personal data.
    """

    code: str
    words: WordRules
    time: TimeRules
    compare: CompareRules
    observe: ObserveRules
    query: QueryRules
    rewrite: RewriteRules
    safety: SafetyRules
