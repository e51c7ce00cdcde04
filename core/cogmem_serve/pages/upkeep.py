"""The pages for whoever looks after a bank: audit and health."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from starlette.responses import Response

from cogmem_core.edge.checks import display
from cogmem_core.engine import MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.results import Audit, AuditTrail, Forecast, ReindexReport
from cogmem_serve.pages.charts import bars
from cogmem_serve.pages.jobs import Progress
from cogmem_serve.pages.page import Page
from cogmem_serve.refusal import Problem

_FINDINGS = (
    "duplicates",
    "contradictions",
    "junk",
    "orphans",
    "stale_derived",
    "secrets",
    "quarantined",
)
_NEAREST = 10
_DAYS = 30
_LOOKS: Mapping[str, Callable[[MemoryBank], Audit | AuditTrail | Forecast]] = {
    "memories": lambda bank: bank.audit(),
    "trail": lambda bank: bank.verify_audit(),
    "ahead": lambda bank: bank.forecast(_DAYS, limit=_NEAREST),
}
"""What reads every memory, and may take its time."""


def show_audit(page: Page) -> Response:
    """What can be looked at."""
    return page.show("audit.html", audit=None, trail=None)


def look(page: Page) -> Response:
    """Look through the memories, check the record of changes, or look ahead."""
    kind = page.form.get("kind", "")
    if kind not in _LOOKS:
        raise InvalidInput(f"kind is {display(kind)}; give one of {', '.join(_LOOKS)}")
    bank = page.bank

    def work(_progress: Any) -> Audit | AuditTrail | Forecast:
        return _LOOKS[kind](bank)

    job = page.jobs.start(kind, page.caller.key_id, page.namespace, work)
    return page.go(f"/ui/audit/jobs/{job.id}")


def show_job(page: Page) -> Response:
    """What was found."""
    job = page.job("audit")
    if not job.finished.is_set():
        return page.show_work(job)
    found = job.outcome()
    if isinstance(found, Forecast):
        return page.show("forecast.html", forecast=found)
    audit = found if isinstance(found, Audit) else None
    trail = found if isinstance(found, AuditTrail) else None
    findings = [(name, getattr(audit, name)) for name in _FINDINGS] if audit else []
    return page.show("audit.html", audit=findings, trail=trail)


def show_health(page: Page) -> Response:
    """Counts, how well memories are kept, warnings; of a large bank it is worked out first."""
    bank = page.bank
    job = page.jobs.latest(
        "health", page.caller.key_id, page.namespace, lambda _progress: bank.health()
    )
    if not job.finished.is_set():
        return page.show_work(job)
    health = job.outcome()
    return page.show(
        "health.html",
        health=health,
        bars=bars(health["retention_histogram"]),
        rebuilds=_may_rebuild(page) and page.may("admin"),
    )


def rebuild(page: Page) -> Response:
    """Rebuild the indexes of all namespaces."""
    if not _may_rebuild(page):
        raise Problem(403, "indexes are rebuilt by whoever has a key for all namespaces")
    engine = page.engine

    def work(progress: Progress) -> ReindexReport:
        return engine.reindex(progress=partial(progress, "rebuilding"))

    return page.follow("reindex", work, "/ui/health")


def _may_rebuild(page: Page) -> bool:
    return page.caller.is_everywhere and not page.caller.principal
