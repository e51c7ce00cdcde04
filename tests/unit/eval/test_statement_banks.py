"""Banks of statements to calibrate with: what they hold, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from cogmem_core.errors import InvalidInput
from cogmem_eval.calibration import banks
from cogmem_eval.statement_banks import load_bank, pooled, sampled
from helpers.tables import each_row_of

BANK = {
    "statements": ["Rex is nine", "Rex barks", "The vet is Dr. Kaya", "I rent a flat"],
    "questions": [
        {"text": "How old is Rex?", "answers": [0]},
        {"text": "Who is the vet?", "answers": [2]},
        {"text": "What does the vet cost?", "answers": []},
    ],
}


def written(folder: Path, value: Any) -> Path:
    path = folder / "dogs.json"
    path.write_text(json.dumps(value))
    return path


def test_a_bank_is_named_after_its_file(tmp_path: Path) -> None:
    """Answers are the statements themselves."""
    bank = load_bank(written(tmp_path, BANK))
    assert (bank.id, len(bank.statements)) == ("dogs", 4)
    assert [(question.text, set(question.answers)) for question in bank.questions] == [
        ("How old is Rex?", {"Rex is nine"}),
        ("Who is the vet?", {"The vet is Dr. Kaya"}),
        ("What does the vet cost?", set()),
    ]


def test_a_part_keeps_the_questions_that_it_answers_and_those_that_nothing_does(
    tmp_path: Path,
) -> None:
    """Two of four statements, evenly; and two banks in one."""
    bank = load_bank(written(tmp_path, BANK))
    part = sampled(bank, 2)
    assert part.id == "dogs/2"
    assert part.statements == ("Rex is nine", "The vet is Dr. Kaya")
    assert len(part.questions) == 3
    one = sampled(bank, 1)
    assert [question.text for question in one.questions] == [
        "How old is Rex?",
        "What does the vet cost?",
    ]
    both = pooled([part, bank])
    assert (len(both.statements), len(both.questions)) == (4, 6)


def test_small_parts_and_the_whole_become_banks(tmp_path: Path) -> None:
    """Of five statements: four of them, and all; near questions are marked."""
    statements = [*BANK["statements"], "We baked bread"]
    bank = load_bank(written(tmp_path, {**BANK, "statements": statements}))
    found = list(banks((), ("Who sold the trawler?",) * 8, (bank,)))
    assert [made.id for made in found] == ["dogs/4", "dogs/5"]
    (near,) = (asked for asked in found[0].questions if asked.near)
    assert near.text == "What does the vet cost?"
    assert sum(not asked.evidence and not asked.near for asked in found[0].questions) == 2


@each_row_of("statement_banks/what_is_no_bank_is_refused")
def test_what_is_no_bank_is_refused(bank: Any, message: str, tmp_path: Path) -> None:
    """With the file and the place."""
    with pytest.raises(InvalidInput, match=r"dogs\.json") as caught:
        load_bank(written(tmp_path, bank))
    assert message in str(caught.value)
