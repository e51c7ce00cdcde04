"""`cogm eval gate`: labelled cases of what a new statement does to known ones."""

import json
from pathlib import Path

import pytest

from cogmem_cli.main import app
from helpers.command import CliRunner
from helpers.tables import rows_of

CASES = rows_of("eval_gate/cases")


def written(folder: Path, rows: list[dict[str, object]]) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_it_counts_per_measure(tmp_path: Path) -> None:
    """Each measure says how many cases are right, and which are not."""
    rows: list[dict[str, object]] = []
    for name, kind, old, new, target in CASES:
        kept = [] if kind == "contradiction_value" else [old]
        expect = {"target": target, "must_keep": kept, "must_not_be_current": []}
        old_rows = [{"text": old, "days_ago": 30}]
        rows.append({"id": name, "kind": kind, "old": old_rows, "new": new, "expect": expect})
    path = written(tmp_path, rows)
    arguments = ["eval", "gate", str(path), "--embedder", "hashing", "--json"]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert answer["wrong_retirements"] == 0
    assert {name: (row["right"], row["of"]) for name, row in answer["measures"].items()} == {
        "true memories kept": (4, 4),
        "changes found, hard or soft": (1, 1),
        "changes found, hard": (1, 1),
        "new value recalled first": (1, 1),
        "repetitions without a second memory": (1, 1),
        "look-alikes left alone": (1, 1),
        "no statement, no memory": (1, 1),
    }


def test_without_its_distribution_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What measures is no part of the engine's wheel."""
    monkeypatch.setattr("cogmem_cli.commands.eval.find_spec", lambda name: None)
    done = CliRunner().invoke(app, ["eval", "gate", str(written(tmp_path, []))])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "pip install 'cogmem-core[eval]'" in done.stderr
