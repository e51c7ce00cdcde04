"""Reads banks of statements: facts, logs, paragraphs of documents, and questions about them.

A file is one JSON object: `statements`, a list of texts, and `questions`, a list of objects with a
`text` and `answers`, the places of the statements that answer it (0 is the first one). A question
without answers asks for something that none of them tells, although they speak of its topic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cogmem_eval.reading import Spot, read_json, shortened

_FORM = "JSON object with statements and questions"


@dataclass(frozen=True, slots=True)
class StatementQuestion:
    """A question, and the statements that answer it; none if none does."""

    text: str
    answers: frozenset[str]


@dataclass(frozen=True, slots=True)
class StatementBank:
    """Statements, and questions about them."""

    id: str
    statements: tuple[str, ...]
    questions: tuple[StatementQuestion, ...]


def load_bank(path: str | Path) -> StatementBank:
    """The bank of a file, named after it.

    Raises:
        InvalidInput: the file cannot be read, or is no such bank.
    """
    spot = Spot(str(path))
    table = spot.table(read_json(path, _FORM), ("statements", "questions"))
    statements = spot.texts(table.get("statements"), "'statements'")
    rows = spot.get(table, "questions", list, "a list of questions")
    questions = [
        _question(row, statements, spot.at(f"questions[{place}]")) for place, row in enumerate(rows)
    ]
    return StatementBank(Path(path).stem, statements, tuple(questions))


def _question(row: Any, statements: Sequence[str], spot: Spot) -> StatementQuestion:
    table: Mapping[str, Any] = spot.table(row, ("text", "answers"))
    places = spot.get(table, "answers", list, "a list of places of statements")
    answers = set()
    for place in places:
        if not isinstance(place, int) or isinstance(place, bool):
            spot.fail(f"'answers' holds {shortened(place)}; give the places of statements")
        if not 0 <= place < len(statements):
            spot.fail(f"'answers' holds {place}; there are {len(statements)} statements, from 0 on")
        answers.add(statements[place])
    return StatementQuestion(spot.text(table, "text", "a question"), frozenset(answers))


def sampled(bank: StatementBank, size: int) -> StatementBank:
    """Every so many statements of a bank, and the questions that they answer, or that nothing does."""
    step = max(1, len(bank.statements) // size)
    statements = bank.statements[::step][:size]
    sample = set(statements)
    questions = tuple(
        question
        for question in bank.questions
        if not question.answers or not sample.isdisjoint(question.answers)
    )
    return StatementBank(f"{bank.id}/{size}", statements, questions)


def pooled(banks: Sequence[StatementBank]) -> StatementBank:
    """All banks as one."""
    statements = dict.fromkeys(text for bank in banks for text in bank.statements)
    questions = tuple(question for bank in banks for question in bank.questions)
    return StatementBank("pooled", tuple(statements), questions)
