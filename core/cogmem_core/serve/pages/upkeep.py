"""The pages for whoever looks after a bank: audit and health."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from cogmem_core.errors import InvalidInput
from cogmem_core.results import Audit, AuditTrail
from cogmem_core.serve.pages.charts import bars
from cogmem_core.serve.pages.page import Page
from cogmem_core.serve.refusal import Problem

__all__ = ["look", "show_audit", "show_health", "show_job"]

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


def show_audit(page: Page) -> Response:
    """What can be looked at."""
    return page.show("audit.html", audit=None, trail=None)


def look(page: Page) -> Response:
    """Look through the memories, or check the audit trail."""
    kind = page.form.get("kind")
    if kind not in ("memories", "trail"):
        raise InvalidInput(f"kind is {kind!r}; give memories or trail")
    bank = page.bank

    def work(_progress: Any) -> Audit | AuditTrail:
        return bank.audit() if kind == "memories" else bank.verify_audit()

    job_id = page.jobs.start(page.caller.key_id, page.namespace, work)
    return page.go(f"/ui/audit/jobs/{job_id}")


def show_job(page: Page) -> Response:
    """What was found."""
    job = page.jobs.get(page.request.path_params["job_id"], page.caller.key_id)
    if job is None or job.namespace != page.namespace:
        raise Problem(404, "this process does not know that audit; begin it anew")
    if not job.finished.is_set():
        response = page.show("working.html", job=job)
        response.headers["refresh"] = "1"
        return response
    if job.result is None:
        raise Problem(503, job.error or "the audit failed; the server's log tells more")
    audit = job.result if isinstance(job.result, Audit) else None
    trail = job.result if isinstance(job.result, AuditTrail) else None
    findings = [(name, getattr(audit, name)) for name in _FINDINGS] if audit else []
    return page.show("audit.html", audit=findings, trail=trail)


def show_health(page: Page) -> Response:
    """Counts, how well memories are kept, what is to fade, warnings."""
    health = page.bank.health()
    forecast = page.bank.forecast(30, limit=_NEAREST)
    return page.show(
        "health.html",
        health=health,
        bars=bars(health["retention_histogram"]),
        forecast=forecast,
    )
