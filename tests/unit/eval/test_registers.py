"""`cogm eval registers`: recall beside three plain searches, on banks of every kind."""

import json
from pathlib import Path
from typing import Any

from cogmem_cli.main import app
from cogmem_eval.registers import Outcome, score
from helpers.command import CliRunner
from helpers.tables import each_case_of

BANK: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "data" / "eval_registers" / "garage.json").read_text("utf-8")
)


def run(folder: Path, banks: list[dict[str, Any]], *more: str) -> tuple[int, str]:
    (folder / "garage.jsonl").write_text("\n".join(map(json.dumps, banks)), encoding="utf-8")
    arguments = ["eval", "registers", str(folder), "--embedder", "hashing", *more]
    done = CliRunner().invoke(app, arguments)
    return done.exit_code, done.output


def test_every_way_of_searching_is_scored_by_register_and_kind(tmp_path: Path) -> None:
    """Turns, notes and documents are found by recall and by words; fusion alone is never silent."""
    code, output = run(tmp_path, [BANK], "--json")
    assert code == 0, output
    answer = json.loads(output)
    assert list(answer) == ["garage", "kind: question", "kind: request", "kind: telling", "all"]
    assert list(answer["garage"]) == ["cogmem", "vectors", "bm25", "fusion"]
    for way in ("cogmem", "bm25"):
        row = answer["garage"][way]
        figures = {name: row[name] for name in ("recall_5", "mrr", "empty")}
        assert figures == {"recall_5": 100.0, "mrr": 100.0, "empty": 0.0}
    assert answer["garage"]["bm25"]["surfaced"] == 0.0
    assert answer["garage"]["fusion"]["surfaced"] == 100.0
    assert answer["garage"]["vectors"]["shown"] == 4.0


def test_the_table_names_each_way(tmp_path: Path) -> None:
    """Six figures a line."""
    code, output = run(tmp_path, [BANK])
    assert code == 0
    lines = output.splitlines()
    assert lines[0].split() == ["register", "R@5", "R@10", "MRR", "empty", "surfaced", "shown"]
    assert lines[1].split()[:5] == ["garage", "cogmem", "100.0", "100.0", "100.0"]


def test_figures_are_means_over_messages_in_percent() -> None:
    """Of two messages with evidence one is half found at the second place, and one gets nothing."""
    row = score(
        [
            Outcome(frozenset(("a", "b")), [{"x"}, {"a"}], silent=False),
            Outcome(frozenset("c"), [], silent=True),
            Outcome(frozenset(), [{"a"}, {"b"}], silent=False),
            Outcome(frozenset(), [], silent=True),
        ]
    )
    assert (row.recall_5, row.recall_10, row.mrr) == (25.0, 25.0, 25.0)
    assert (row.empty, row.surfaced, row.shown) == (50.0, 50.0, 1.0)


@each_case_of("registers/what_is_no_bank_is_refused")
def test_what_is_no_bank_is_refused(
    what: str, change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    """With the line and what may stand there."""
    code, output = run(tmp_path, [{**BANK, what: [*BANK[what], change]}])
    assert code == 2
    assert message in " ".join(output.split())


def test_a_folder_without_banks_is_refused(tmp_path: Path) -> None:
    """It says what the folder must hold."""
    code, output = run(tmp_path, [])
    assert code == 2
    assert "holds .jsonl files" in " ".join(output.split())
