"""A worker process of a bank on servers, told what to do line by line: python tests/worker.py LEDGER_URL CHROMA_URL

Answers each line with one line of JSON once it is done. With it, tests kill a worker at a moment of their choice.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import Any

import cogmem
from cogmem import ConsolidationConfig, Engine, StorageConfig
from cogmem.testing import MANUAL, CountingEmbedder

LEASE_SECONDS = 1.0


def obey(engine: Engine, what: str, namespace: str, *given: str) -> Any:
    """Carry out one order."""
    bank = engine.bank(namespace)
    if what == "remember":
        return bank.remember(given[0]).receipts[0].status
    if what == "texts":
        return [memory.content for memory in bank.list(limit=10_000)]
    if what == "recall":
        return [result.content for result in bank.recall(given[0], floor=0, k=50).results]
    if what == "dream":
        report = bank.consolidate()
        return [report.reason, report.merged]
    if what == "hang":
        # Takes the lease, as a cycle does, and then never comes back.
        with engine.services.ledger.writing(namespace) as writer:
            now = engine.services.runtime.now()
            return writer.take_lease(namespace, "hanging", now=now, seconds=LEASE_SECONDS)
    if what == "sync":
        return engine.sync()
    raise ValueError(what)


def main() -> None:
    """Obey until the input ends."""
    ledger, chroma = sys.argv[1:3]
    storage = StorageConfig(ledger_url=ledger, chroma_url=chroma, exact_below=0)
    dreams = ConsolidationConfig(trigger="manual", lease_seconds=LEASE_SECONDS)
    config = replace(MANUAL, storage=storage, consolidation=dreams)
    with cogmem.open(embedder=CountingEmbedder(), config=config) as engine:
        for line in sys.stdin:
            sys.stdout.write(json.dumps(obey(engine, *json.loads(line))) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
