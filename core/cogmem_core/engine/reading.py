"""What only reads a bank: recalls, pages of memories, transcripts, dream cycles on record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from cogmem_core import transfer
from cogmem_core.access import allow
from cogmem_core.edge import checks
from cogmem_core.encoding.sanitize import redact, sanitize_label, sanitize_labels
from cogmem_core.erasure.returned import verify
from cogmem_core.errors import InvalidInput, NotFound
from cogmem_core.process.services import Services
from cogmem_core.retrieval.pipeline import recall as recall_memories
from cogmem_core.retrieval.plan import Request
from cogmem_core.retrieval.recall import Recall
from cogmem_core.storage.ledger.memories import Filter
from cogmem_core.storage.ledger.record_kinds import MEMORIES
from cogmem_core.upkeep.tip_of_tongue import tip_of_tongue
from cogmem_core.values.models import Memory
from cogmem_core.values.results import (
    ErasureCheck,
    Returned,
    TipOfTongue,
)

if TYPE_CHECKING:
    from cogmem_core.engine.bank import MemoryBank


def recall(bank: MemoryBank, request: Request) -> Recall:
    """Recall, and tell the engine."""
    engine = bank.engine
    services = bank._services()
    settings = services.config.encoding
    for name in request.also:
        allow(services, bank.principal, name, "read")
    # What was stored under a name is looked up by the name as it was stored.
    if request.tags is not None:
        request = request.but(tags=sanitize_labels("tags", request.tags, settings))
    if request.session_id is not None:
        session = sanitize_label("session_id", request.session_id, settings)
        request = request.but(session_id=session)
    fields = {"namespace": bank.namespace, "input": request.query, "k": request.k}
    with services.log_operation("recall", **fields) as record:
        with engine.worker.foreground:
            result = recall_memories(services, request).for_audience(request.audience)
        record["recall_id"] = result.id
        record["intent"] = result.intent
        record["result_count"] = len(result.results)
        if result.results:
            confidence = fmean(item.confidence for item in result.results)
            record["average_relevance"] = round(confidence, 3)
        record["degraded"] = list(result.degraded) or None
        record["empty_reason"] = result.empty_reason or None
        record["withheld"] = [item.memory.id for item in result.withheld] or None
    if engine.follower.calls:
        engine.worker.notify()
    if not bank.keeps:
        result = replace(result, incognito=True)
    engine.retrieved(bank, result)
    if result.origin is None:
        return result
    # Its context can tell what is known of the person.
    profile = partial(bank.profile, None, as_of=request.as_of, known_at=request.known_at)
    return replace(result, origin=replace(result.origin, profile=profile))


def tips(bank: MemoryBank, query: str, k: int) -> TipOfTongue:
    """What is on the tip of the tongue."""
    services = bank._services()
    namespace = bank.namespace
    size = checks.k_results(k, services.config.retrieval.max_k)
    text = checks.text("query", query, services.config.limits.query_bytes)
    fields = {"namespace": namespace, "input": text, "k": size}
    with services.log_operation("tip_of_tongue", **fields) as record:
        with bank.engine.worker.foreground:
            result = tip_of_tongue(services, namespace, text, size)
        record["result_count"] = len(result.tips)
        record["degraded"] = list(result.degraded) or None
        record["empty_reason"] = result.empty_reason or None
    return result


def get(services: Services, namespace: str, memory_id: str) -> Memory:
    """The memory of that id.

    Raises:
        NotFound: there is no such memory.
        InvalidInput: the id is unusable.
    """
    with services.ledger.reading(namespace) as tables:
        checked_id = checks.identifier("memory_id", memory_id)
        memory = tables.memories.by_ids([checked_id]).get(checked_id)
    if memory is None:
        redacted = redact(memory_id, services.config.encoding)
        raise NotFound(
            f"no memory {redacted!r} in namespace {namespace!r}; bank.list() shows the ids"
        )
    return memory


def export(
    services: Services,
    namespace: str,
    path: object,
    *,
    form: str,
    progress: Callable[[int, int], None] | None,
    within: Filter,
    compartments: Sequence[str],
) -> int:
    """Write what a filter leaves to a file, or as Markdown to a folder; returns the number of memories."""
    place = file_place(path)
    write: Callable[..., int] = transfer.export_file
    if checks.choice("format", form, ("cogmem", "markdown")) == "markdown":
        if not isinstance(place, Path):
            raise InvalidInput("path is a stream; with format='markdown', give a folder")
        write = transfer.export_vault
    return write(
        services,
        namespace,
        place,
        progress,
        within=within,
        compartments=compartments,
    )


def file_place(path: object) -> transfer.Place:
    """A stream as it is, anything else as a path."""
    return path if isinstance(path, transfer.Stream) else checks.path("path", path)


def erasure_check(
    bank: MemoryBank, namespaces: Sequence[str], probe: Iterable[str]
) -> ErasureCheck:
    """What was erased in these and is there again, also what recall brings for the words of a probe."""
    services = bank.engine.open_services.incognito()
    words = [
        checks.text("probe", text, services.config.limits.query_bytes)
        for text in checks.listed("probe", probe, "texts")
    ]
    check = verify(services, namespaces)
    known = {item.id for item in check.returned}
    recalled: dict[str, Returned] = {}
    for text in words:
        for item in bank.incognito().recall(text).results:
            memory, sure = item.memory, item.confidence
            former = recalled.get(memory.id)
            if memory.id not in known and (former is None or sure > (former.confidence or 0.0)):
                recalled[memory.id] = Returned(
                    MEMORIES, memory.id, "found by recall", memory.created_at, None, sure
                )
    likeliest = sorted(recalled.values(), key=lambda item: -(item.confidence or 0.0))
    return replace(check, returned=(*check.returned, *likeliest))
