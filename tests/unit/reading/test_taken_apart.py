"""Sentences of English, German, Spanish, French and Turkish, taken apart into clauses and compared."""

from typing import Any

import pytest

from cogmem_core.reading import Reading, read
from cogmem_core.reading.compare import compare
from cogmem_core.reading.pack import pack_of
from helpers.tables import each_row_of

LANGUAGES = "de es fr tr"


def taken_apart(text: str, language: str) -> Reading:
    return read(text, language, pack_of(language))


def graded(language: str, old: str, new: str) -> list[str]:
    """What a new statement does to each clause of an old one that it is about."""
    verdicts = compare(taken_apart(new, language), taken_apart(old, language), pack_of(language))
    return [verdict.grade for verdict in verdicts]


@each_row_of("reading/a_clause_says_of_whom_what_and_how", LANGUAGES)
def test_a_clause_says_of_whom_what_and_how(language: str, text: str, said: dict[str, Any]) -> None:
    """Its subject, slot and value, its denial and its end, its mood, and what limits it."""
    clause = taken_apart(text, language).clauses[0]
    assert {name: getattr(clause, name) for name in said} == said


@each_row_of("reading/each_clause_has_its_kind", f"en {LANGUAGES}")
def test_each_clause_has_its_kind(language: str, text: str, kinds: list[str]) -> None:
    """What is told beside a question, a request or a wish is a clause of its own."""
    assert [clause.kind for clause in taken_apart(text, language).clauses] == kinds


@each_row_of("reading/only_a_plain_claim_changes_another", f"en {LANGUAGES}")
def test_only_a_plain_claim_changes_another(language: str, old: str, new: str, grade: str) -> None:
    """What is told of others, asked, framed or limited leaves it as it is, or in doubt."""
    (found,) = graded(language, old, new)
    assert found in grade.split(" or ")


@pytest.mark.parametrize("text", ["J'habite plus à Lyon.", "Je ne bois que du thé."])
def test_what_limits_a_claim_is_its_scope(text: str) -> None:
    """A "plus" alone may be more or no more."""
    assert taken_apart(text, "fr").clauses[0].scope
