"""Hypothetical answers to a question, from templates (HyDE without a model). Pure.

An embedding of "Caroline works at" lies nearer to what was remembered than one of "Where does
Caroline work?". The caller embeds the question and its hypothetical answers in one batch and
searches with their mean.
Source: Gao et al. (2022), "Precise zero-shot dense retrieval without relevance labels".
"""

from __future__ import annotations

import re
from typing import Literal

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.merged import (
    Kept,
    MergedPattern,
    all_entries,
    all_patterns,
    all_words,
    languages_read,
)
from cogmem_core.languages.reading import in_its_language, language_told
from cogmem_core.text.folding import fold_letters, single_spaced
from cogmem_core.text.rewrite.third_person import third_person
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import BASE_VERBS

HydeIntent = Literal[
    "definition", "howto", "reasoning", "lookup", "technical", "preference", "general"
]

_READ = 500  # characters; a template around a longer text changes nothing
_MIN_PREFERENCE = 0.7
_MIN_REASONING = 0.75


def _intent_pattern(intent: str, min_strength: float) -> re.Pattern[str]:
    """A pattern of what shows an intent at least so surely, in any language."""
    return _whole_words(
        [
            pattern
            for language in languages_read()
            for strength, pattern in language.query.intents[intent]
            if strength >= min_strength
        ]
    )


def _answer_pattern(kind: str) -> re.Pattern[str]:
    """A pattern of what asks for a kind of answer, in any language."""
    return _whole_words([language.query.answers.patterns[kind] for language in languages_read()])


def _whole_words(patterns: list[str]) -> re.Pattern[str]:
    return re.compile(r"(?<![\w'])(?:" + "|".join(patterns) + r")(?!\w)")


def _patterns() -> dict[HydeIntent, re.Pattern[str]]:
    return {
        "reasoning": _intent_pattern("causal", _MIN_REASONING),
        "preference": _intent_pattern("preference", _MIN_PREFERENCE),
        "howto": _answer_pattern("howto"),
        "definition": _answer_pattern("definition"),
        "technical": _answer_pattern("technical"),
        "lookup": _answer_pattern("lookup"),
    }


_PATTERNS = Kept(_patterns)
_PLACE = MergedPattern(rf"\b(?:{all_patterns('query.answers.place')})\b")
_TIME = MergedPattern(rf"\b(?:{all_patterns('query.answers.time')})\b")
_REQUEST = MergedPattern(all_patterns("query.answers.request"), re.IGNORECASE)
_DEFINING = MergedPattern(rf"\b(?:{all_patterns('query.answers.defining')})\b", re.IGNORECASE)
_OMITTED = all_words("query.answers.omitted")
_ASKERS = all_words("query.answers.askers")
_EMPTY_AFTER = all_entries("query.answers.empty_after")
_SUPPORTS = all_entries(
    lambda language: dict.fromkeys(language.query.answers.supports, language.code)
)
_WORD = re.compile(r"[^\s?!.,;:\"()\u201c\u201d]+(?:[.,:][^\s?!.,;:\"()\u201c\u201d]+)*")


@in_its_language
def hyde_intent(query: str) -> HydeIntent:
    """Which of seven kinds of answer a question wants.

    The first kind that matches counts, in this order: reasoning (why X), preference (likes and
    dislikes), howto (how to X), definition (what is X), technical (debugging, code, configuration),
    lookup (where, when, who, which, how many); else general.
    """
    folded = single_spaced(fold_letters(query[:_READ]))
    for intent, pattern in _PATTERNS().items():
        if pattern.search(folded):
            return intent
    return "general"


@in_its_language
def hypothetical(query: str) -> tuple[str, ...]:
    """Beginnings of answers to a question, to be embedded beside it.

    The person who asks is "User", as in what is remembered.

    Args:
        query: its first 500 characters are read.

    Returns:
        Two or three different texts, the plainest one first; none if the query has no word of
        content.
    """
    text = query[:_READ]
    intent = hyde_intent(text)
    topic = _topic(text, intent)
    if not tokens(topic):
        return ()
    templates = LANGUAGES[language_told(text)].query.answers.templates
    answers = templates[_answer_kind(intent, fold_letters(text))]
    return tuple(answer.replace("{topic}", topic) for answer in answers)


def _answer_kind(intent: HydeIntent, folded: str) -> str:
    """The kind of answer that an intent wants; a lookup may want a place or a time."""
    if intent == "lookup" and _PLACE.search(folded):
        return "place"
    if intent == "lookup" and _TIME.search(folded):
        return "time"
    return intent


def _topic(text: str, intent: HydeIntent) -> str:
    """The question as a statement without what is asked.

    It has no question words and auxiliaries, and is in the third person.
    """
    if intent == "definition":
        text = _DEFINING.sub(" ", text)
    content: list[str] = []
    previous = ""
    support = ""
    for match in _WORD.finditer(_REQUEST.sub("", text)):
        word = match.group()
        folded = fold_letters(word)
        if support and content and folded in BASE_VERBS:
            content.append(_finite(word, support))
            support = ""
        elif folded in _OMITTED or _EMPTY_AFTER.get(folded) == previous:
            if folded in _SUPPORTS:
                support = folded
        elif content or intent != "howto" or folded not in _ASKERS:
            content.append(word)
        previous = folded
    return third_person(" ".join(content))


def _finite(verb: str, support: str) -> str:
    """A base form as the verb of a statement, without the auxiliary that it leant on."""
    language = LANGUAGES[_SUPPORTS[support]]
    if language.query.answers.supports[support]:
        return language.words.third_person_of(verb)
    return verb
