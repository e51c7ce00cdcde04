"""What new statements do to known ones, and what is found of times: python tests/bench/bench_meaning.py"""

import json
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

from bounds import held

import cogmem_core
from cogmem_core.config import EmbeddingConfig
from cogmem_core.embedders import resolve
from cogmem_eval import MemoizedEmbedder, gate_cases, time_cases

DATA = Path(__file__).resolve().parents[1] / "data"
NOW = datetime(2026, 11, 20, 12, tzinfo=timezone.utc)
DAYS = 30.0
"""Between the old statement and the new one."""
ALLOWED = ("duplicate", "paraphrase", "refinement")
"""Classes in which the old statement may be taken up into the new one."""


def pairs() -> list[gate_cases.GateCase]:
    """The labelled pairs that one person says, as cases of `cogm eval gate`."""
    cases: list[gate_cases.GateCase] = []
    for line in (DATA / "gate_cases.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["voice_old"] != row["voice_new"]:
            continue
        changes = row["expected"] == ["supersede"]
        kind = "contradiction_value" if changes else "lookalike_different_entity"
        if row["class"] in ALLOWED:
            kind = "exact_duplicate" if row["class"] == "duplicate" else "refinement"
        cases.append(
            gate_cases.GateCase(
                id=row["id"],
                kind=kind,
                old=((row["old"], DAYS),),
                new=row["new"],
                target=0 if changes or row["class"] in ALLOWED else None,
                must_keep=(),
                must_not_be_current=(),
                question=row["old"],
            )
        )
    return cases


def statements() -> bool:
    """Whether the bounds on what new statements do hold."""
    embedder = MemoizedEmbedder(resolve("minilm", config=EmbeddingConfig()))
    with cogmem_core.open(embedder=embedder) as engine:
        report = gate_cases.evaluate(pairs(), engine, now=NOW)
    bounds = (
        ("changes found, hard or soft", 0.85),
        ("changes found, hard", 0.60),
        ("new value recalled first", 0.85),
        ("repetitions without a second memory", 0.80),
        ("look-alikes left alone", 0.95),
    )
    passed = [held("statements: true memories retired", report.wrong_retirements, 0)]
    for measure, bound in bounds:
        found = report.measures[measure]
        name = f"statements: {measure}, of {found.of}"
        passed.append(held(name, found.right / found.of, bound, at_least=True))
    return all(passed)


def times() -> bool:
    """Whether the bounds on what is found of times and ends hold."""
    config = cogmem_core.Config()

    def opened(mode: time_cases.Mode) -> cogmem_core.Engine:
        encoding = replace(config.encoding, mode=mode)
        return cogmem_core.open(config=replace(config, encoding=encoding), embedder="hashing")

    report = time_cases.evaluate(time_cases.load(DATA / "time_cases.jsonl"), opened)
    passed = []
    for mode, bound in (("auto", 0.85), ("semantic", 0.88)):
        found = report.modes[mode]
        name = f"times: right in mode {mode}, of {found.of}"
        passed.append(held(name, found.right / found.of, bound, at_least=True))
    for mode, found in report.modes.items():
        passed.append(held(f"times: ends that mode {mode} does not see", len(found.without_end), 0))
    return all(passed)


def main() -> int:
    return int(not all([statements(), times()]))


if __name__ == "__main__":
    raise SystemExit(main())
