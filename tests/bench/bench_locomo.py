"""Evidence recall on LoCoMo-format conversations: python tests/bench/bench_locomo.py [FILE]

Without a file the conversations are looked for where `COGMEM_LOCOMO` points, and beside the checkout.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bounds import held

import cogmem
from cogmem.evaluation import evaluate

BOUND = 0.80


def find() -> Path | None:
    beside = Path(__file__).resolve().parents[3] / "shared" / "data" / "locomo_dev.json"
    named = sys.argv[1:] or [os.environ.get("COGMEM_LOCOMO", str(beside))]
    return Path(named[0]) if Path(named[0]).is_file() else None


def main() -> int:
    path = find()
    if path is None:
        print("LoCoMo: no conversations found; name a file, or set COGMEM_LOCOMO                    SKIPPED")
        return 0
    report = evaluate(path, engine_factory=lambda config: cogmem.open(config=config, embedder="minilm"))
    recall = report.overall.metrics["recall@10"].mean
    return int(not held("LoCoMo recall@10, minilm, mode auto, categories 1-4", recall, BOUND, at_least=True))


if __name__ == "__main__":
    raise SystemExit(main())
