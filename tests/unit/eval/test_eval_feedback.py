"""`cogm eval feedback`: labelled answers, and which of the memories that were shown they used."""

import json
from pathlib import Path

from cogmem_cli.main import app
from helpers.command import CliRunner
from helpers.tables import each_case_of

BANK = ["My sister Lena lives in Oslo.", "I play the cello.", "My car is a Volvo."]
CASES: list[dict[str, object]] = [
    {
        "id": "asked",
        "kind": "near",
        "question": "Where does Lena live?",
        "memories": BANK,
        "answer": "In Oslo.",
        "used": [0],
    },
    {
        "id": "shown",
        "kind": "plain",
        "memories": BANK[:2],
        "answer": "Bring the cello.",
        "used": [1],
    },
    {"id": "nothing", "memories": BANK[:2], "answer": "Done.", "used": []},
    {
        "id": "tool",
        "memories": BANK,
        "answer": "Done.",
        "arguments": '{"brand": "Volvo"}',
        "used": [2],
    },
    {"id": "missed", "memories": BANK[1:2], "answer": "Strings suit you.", "used": [0]},
]


def run(folder: Path, rows: list[dict[str, object]], *more: str) -> tuple[int, str]:
    path = folder / "cases.jsonl"
    path.write_text("\n".join([*map(json.dumps, rows), ""]), encoding="utf-8")
    arguments = ["eval", "feedback", str(path), "--embedder", "hashing", *more]
    done = CliRunner().invoke(app, arguments)
    return done.exit_code, done.output


def test_it_counts_what_was_found_and_what_was_blamed(tmp_path: Path) -> None:
    """Precision and recall of "used", blame, exact cases by kind, and the ids of the others."""
    code, output = run(tmp_path, CASES, "--json")
    assert code == 0, output
    answer = json.loads(output)
    assert answer.pop("judgements") >= 9
    assert answer == {
        "used": 4,
        "unshown": 0,
        "precision": 1.0,
        "recall": 0.75,
        "blamed": 0,
        "wrongly_blamed": 0,
        "exact": {
            "near": {"right": 1, "of": 1},
            "plain": {"right": 1, "of": 1},
            "case": {"right": 2, "of": 3},
        },
        "failures": ["missed"],
    }


@each_case_of("eval_feedback/a_line_that_is_no_case_is_named")
def test_a_line_that_is_no_case_is_named(tmp_path: Path, row: dict[str, object]) -> None:
    """With its number, and what a case has."""
    code, output = run(tmp_path, [row])
    assert code != 0
    told = "line 1: no case; give id, memories, answer and used"
    assert told in " ".join(output.split())
