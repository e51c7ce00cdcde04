"""Agents that are scripts, in worlds that are rules: python tests/bench/bench_trajectories.py"""

import math
import sys
from collections import Counter
from pathlib import Path

from bounds import held

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import cogmem_core
from cogmem_core.embedders import resolve
from cogmem_eval import MemoizedEmbedder
from unit.helpers.trajectories import evaluate


def main() -> int:
    embedder = MemoizedEmbedder(resolve("minilm", config=cogmem_core.config.EmbeddingConfig()))
    report = evaluate(lambda: cogmem_core.open(embedder=embedder))
    verdicts: list[bool] = []
    for task in report.tasks:
        name = f"tasks, {task.world}:"
        held(f"{name} done without a memory", task.alone, math.inf)
        held(f"{name} done keeping everything", task.everything, math.inf)
        verdicts += [
            held(f"{name} done with what was learnt, more", task.uplift[0], 0.15, at_least=True),
            held(f"{name} lower end of that interval", task.uplift[1], 0.0, at_least=True),
            held(f"{name} exposures of the harmful procedure", task.exposures, 20),
            held(f"{name} harmful procedures not retired", task.harmful != "retired", 0),
            held(f"{name} promoted though the interval touches 0", task.doubtful, 0),
        ]
    asked, right, everything = Counter[str](), Counter[str](), Counter[str]()
    read = Counter[str]()
    for score in report.stories:
        asked[score.kind] += score.asked
        right[score.kind] += score.memory
        everything[score.kind] += score.everything
        read["memory"] += round(score.read_of_memory * score.asked)
        read["everything"] += round(score.read_of_everything * score.asked)
    for kind, count in asked.items():
        held(f"questions, {kind}: right from what is recalled", right[kind] / count, math.inf)
        held(f"questions, {kind}: right keeping everything", everything[kind] / count, math.inf)
    for name, texts in read.items():
        held(f"questions: texts read for one, {name}", texts / asked.total(), math.inf)
    return int(not all(verdicts))


if __name__ == "__main__":
    raise SystemExit(main())
