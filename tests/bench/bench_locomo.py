"""Evidence recall on LoCoMo-format conversations: python tests/bench/bench_locomo.py [FILE]

Without a file the conversations are looked for where `COGMEM_LOCOMO` points, and beside the checkout.
"""

import os
import sys
from pathlib import Path

from bounds import held

import cogmem_core
from cogmem_core.embedders import resolve
from cogmem_eval import Extras, MemoizedEmbedder, evaluate
from cogmem_eval.reading import read_questions

UNRELATED = (
    Path(__file__).resolve().parents[1] / "data" / "calibration" / "unrelated" / "measured.json"
)


def find() -> Path | None:
    beside = Path(__file__).resolve().parents[3] / "shared" / "data" / "locomo_dev.json"
    named = sys.argv[1:] or [os.environ.get("COGMEM_LOCOMO", str(beside))]
    return Path(named[0]) if Path(named[0]).is_file() else None


def main() -> int:
    path = find()
    if path is None:
        print(
            "LoCoMo: no conversations found; name a file, or set COGMEM_LOCOMO                    SKIPPED"
        )
        return 0
    embedder = MemoizedEmbedder(resolve("minilm", config=cogmem_core.config.EmbeddingConfig()))

    def opened(config: cogmem_core.Config) -> cogmem_core.Engine:
        return cogmem_core.open(config=config, embedder=embedder)

    alone = evaluate(
        path, engine_factory=opened, extras=Extras(unrelated=read_questions(UNRELATED))
    )
    together = evaluate(path, engine_factory=opened, merged=True)
    found, merged, told = alone.overall.metrics, together.overall.metrics, alone.calibration
    return int(
        not all(
            [
                held(
                    "LoCoMo, categories 1-4: recall@5", found["recall@5"].mean, 0.74, at_least=True
                ),
                held(
                    "LoCoMo, categories 1-4: recall@10",
                    found["recall@10"].mean,
                    0.83,
                    at_least=True,
                ),
                held("LoCoMo, categories 1-4: MRR", found["mrr"].mean, 0.62, at_least=True),
                held(
                    "LoCoMo, all in one bank: recall@10",
                    merged["recall@10"].mean,
                    0.76,
                    at_least=True,
                ),
                held("LoCoMo: expected calibration error", told.error, 0.08),
                held("questions that nothing answers and that get a result", told.surfaced, 0.10),
                held(
                    "LoCoMo: recall@10 lost because results are withheld",
                    told.floor_cost.mean,
                    0.01,
                ),
            ]
        )
    )


if __name__ == "__main__":
    raise SystemExit(main())
