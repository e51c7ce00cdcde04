"""How a namespace is doing, as plain JSON values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from cogmem_core.consolidation.own_recall import Conditions, OwnRecall
from cogmem_core.edge.strength import retentions_at
from cogmem_core.edge.trust import QUARANTINED
from cogmem_core.erasure.returned import CHECKED, RETURNED
from cogmem_core.intentions.life import as_it_stands
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.codec import encode_time
from cogmem_core.storage.ledger.ledger import READER_KEY
from cogmem_core.storage.ledger.memories import Filter, pages_of
from cogmem_core.storage.ledger.transaction import Namespace
from cogmem_core.text.plural import counted
from cogmem_core.values.models import STATES, ConsolidationRun, Intention, Procedure, Review
from cogmem_core.values.readings import VERSION

_BINS = 10


def namespace_health(
    services: Services, namespace: str, *, warnings: list[str], index_lag: int
) -> dict[str, Any]:
    """Counts by state, tier, category and signal, the retention histogram, lag, queue, warnings; JSON-serialisable.

    `quarantined` counts memories by the reason, `sources` names untrusted sources that write
    suspiciously much. `retention_histogram` counts active memories per tenth of retention: key
    "0.3" means 0.3 <= retention < 0.4. `vector_search` is `exact`, or `chroma` where the
    namespace has a collection (see `storage.index_above`). `intentions`, `procedures` and `reviews` count by state.
    `self_test` is the bank's own recall@5 under this version, embedder and settings (`recall_at_5` is None
    until a dream cycle asked anew), and `earlier` the one before; None if it never asked itself.
    `erasures` tells when a dream cycle last looked for what was erased, and how much of it was there.
    `readings` tells how many texts were taken apart by this version; the worker does the rest.
    """
    with services.ledger.whole() as reader:
        ns = reader.at(namespace)
        census = ns.overview.counts()
        turns = ns.turns.counts()
        histogram = _histogram(services, ns)
        feedback = ns.feedback.signals()
        runs = ns.runs.newest(1)
        marks = ns.runs.state().marks
        own = OwnRecall.of(marks)
        quarantined = _quarantined(ns)
        records = _records(services, ns)
        memories = sum(count for *_, count in census)
        unread = 0
        if reader.meta.get(READER_KEY) != str(VERSION):
            unread = ns.clauses.count_unread()
    own = own.under(Conditions.of(services))
    warnings = [*warnings, *own.warnings()]
    noisy_sources = services.sources.loud(namespace, services.runtime.now(), services.config.guard)
    queued = turns.get("queued", 0)
    if queued:
        wait = counted(queued, "turn waits", "turns wait")
        warnings.append(f"{wait} to be encoded; engine.flush() finishes them")
    if quarantined:
        total = counted(sum(quarantined.values()), "memory is", "memories are")
        warnings.append(f"{total} quarantined; bank.list(state='quarantined'), bank.restore(id)")
    returned = int(marks.get(RETURNED, 0))
    warnings += _asking(records["reviews"].get("waiting", 0), returned)
    if noisy_sources:
        write = counted(len(noisy_sources), "untrusted source writes", "untrusted sources write")
        warnings.append(f"{write} suspiciously much; see `sources`")
    return {
        "namespace": namespace,
        "memories": memories,
        "by_state": {state: count for state in STATES if (count := _total(census, 0, state))},
        "by_tier": _totals(census, 1),
        "by_category": _totals(census, 2),
        "retention_histogram": histogram,
        "turns": dict(sorted(turns.items())),
        "queue_length": queued,
        "feedback": feedback,
        "quarantined": quarantined,
        "sources": noisy_sources,
        "self_test": own.shown(),
        **records,
        "readings": {"read": memories - unread, "of": memories},
        "index_lag": index_lag,
        "vector_search": services.searcher.answers(namespace, _total(census, 0, "active")),
        "erasures": {"checked_at": marks.get(CHECKED), "returned": returned},
        "last_run": _last_run(runs[0]) if runs else None,
        "embedder": services.embedder.fingerprint,
        "warnings": warnings,
    }


def _asking(waiting: int, returned: int) -> Iterator[str]:
    """What a person should look at: writes that wait, and what was erased and is there again."""
    if waiting:
        wait = counted(waiting, "write waits", "writes wait")
        yield f"{wait} for a person; bank.reviews(), bank.approve(id)"
    if returned:
        say = counted(returned, "record or file says", "records or files say")
        yield f"{say} what was erased; bank.verify_erasures() lists them"


def _records(services: Services, ns: Namespace) -> dict[str, dict[str, int]]:
    """How many intentions, procedures and reviews there are, by state; intentions as they stand now."""
    now = services.runtime.now()
    intentions: Sequence[Intention] = ()
    procedures: Sequence[Procedure] = ()
    if ns.journal.agent_seq():
        intentions = [as_it_stands(intention, now) for intention in ns.intentions.all()]
        procedures = ns.procedures.all()
    return {
        "intentions": _by_state(intentions),
        "procedures": _by_state(procedures),
        "reviews": _by_state(ns.reviews.all()),
    }


def _by_state(records: Sequence[Intention | Procedure | Review]) -> dict[str, int]:
    return dict(sorted(Counter(record.state for record in records).items()))


def _quarantined(ns: Namespace) -> dict[str, int]:
    """How many memories were set aside, by reason."""
    counts: Counter[str] = Counter()
    for page in pages_of(ns.memories, Filter(states=("quarantined",))):
        counts.update(str(memory.metadata.get(QUARANTINED, "unknown")) for memory in page)
    return dict(sorted(counts.items()))


def _last_run(run: ConsolidationRun) -> dict[str, Any]:
    counts: Counter[str] = Counter()
    steps = run.report.get("steps", {})
    for step in steps.values():
        counts.update(step["counts"])
    failed = sorted(name for name, step in steps.items() if step["error"])
    about = {
        "id": run.id,
        "cause": run.cause,
        "state": run.state,
        "started_at": run.started_at.isoformat(),
    }
    return {**about, "counts": dict(counts), "failed": failed}


def _total(census: list[tuple[str, str, str, int]], column: int, value: str) -> int:
    return sum(row[3] for row in census if row[column] == value)


def _totals(census: list[tuple[str, str, str, int]], column: int) -> Mapping[str, int]:
    """Counts of active memories per tier or category."""
    active = [row for row in census if row[0] == "active"]
    names = sorted({str(row[column]) for row in active})
    return {name: _total(active, column, name) for name in names}


def _histogram(services: Services, ns: Namespace) -> dict[str, int]:
    now = encode_time(services.runtime.now()) or 0
    retentions = retentions_at(ns.overview.active_strengths(), now, services.config.strength)
    bins = np.bincount(np.minimum(_BINS - 1, (retentions * _BINS).astype(int)), minlength=_BINS)
    return {f"{position / _BINS:.1f}": int(count) for position, count in enumerate(bins)}
