"""The page of settings, and the pages one click further: sharing, audit, health."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from cogmem_core.edge.checks import display
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.engine.handle import Handle
from cogmem_core.errors import InvalidInput
from cogmem_core.reading.topics import NAMES
from cogmem_core.results import Audit, AuditTrail, Forecast
from cogmem_core.values.access_records import EFFECTS, KINDS, RIGHTS
from cogmem_serve.pages.charts import bars
from cogmem_serve.pages.page import Page
from cogmem_serve.problems import Problem


def show(page: Page) -> Response:
    """What can be chosen, and where everything else is."""
    encoding = page.engine.open_services.config.encoding
    seals = page.bank.seals()
    return page.show(
        "settings.html",
        pages=page.settings(),
        never_kept=encoding.never_keep,
        sealed=[topic for topic in seals if topic not in encoding.never_keep],
        unsealed=[topic for topic in NAMES if topic not in seals],
        configured_zone=encoding.timezone,
        counts={
            state: page.bank.count(state=state) for state in ("active", "dormant", "forgotten")
        },
    )


def seal(page: Page) -> Response:
    """Never keep what tells of a topic."""
    before = page.bank.seals()
    new = [one for one in page.bank.seal(page.typed("topic")) if one not in before]
    return page.back("/ui/settings", done="seal", undo=f"unseal:{new[0]}" if new else "")


def unseal(page: Page) -> Response:
    """Keep again what tells of one."""
    page.bank.unseal(page.typed("topic"))
    return page.back("/ui/settings", done="unseal")


def copy(page: Page) -> Response:
    """A file with all memories of the namespace, which `cogm import` takes."""
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "memories.jsonl"
    page.bank.export(path)
    return FileResponse(
        path,
        filename="memories.jsonl",
        media_type="application/jsonl",
        background=BackgroundTask(folder.cleanup),
    )


_LOGGED = 50


def show_sharing(page: Page) -> Response:
    """To the owner everything; to a principal its own grants, and those that it may revoke."""
    grantor = _grantor(page)
    owner = grantor if isinstance(grantor, Engine) else None
    return page.show(
        "sharing.html",
        is_owner=owner is not None,
        principals=owner.principals() if owner else (),
        grants=[
            (grant, isinstance(grantor, Engine) or grantor.may(grant.namespaces, "admin"))
            for grant in grantor.grants()
        ],
        entries=owner.access_log(limit=_LOGGED)[::-1] if owner else (),
        kinds=KINDS,
        rights=RIGHTS,
        effects=EFFECTS,
    )


def add_principal(page: Page) -> Response:
    """Add somebody who may be granted rights."""
    grantor = _grantor(page)
    if not isinstance(grantor, Engine):
        raise Problem(403, "only the owner adds principals; ask for one")
    grantor.add_principal(
        page.typed("name"),
        kind=page.form.get("kind", "person"),
        owner=page.typed("owner") or None,
    )
    return page.go("/ui/sharing", done="added")


def grant(page: Page) -> Response:
    """Grant a right, or deny it."""
    _grantor(page).grant(
        page.typed("principal"),
        page.typed("pattern"),
        page.typed("right"),
        effect=page.form.get("effect", "allow"),
        reason=page.typed("reason"),
    )
    return page.go("/ui/sharing", done="granted")


def revoke(page: Page) -> Response:
    """Revoke a grant; what was derived by it is withdrawn."""
    _grantor(page).revoke(page.request.path_params["grant_id"])
    return page.go("/ui/sharing", done="revoked")


def _grantor(page: Page) -> Engine | Handle:
    """The engine, of whoever sees all namespaces; in the hands of a principal, if the key is one's.

    Raises:
        Problem: 403, the key is for some namespaces only.
    """
    if page.caller.principal:
        return page.caller.handle(page.engine)
    if not page.caller.is_everywhere:
        raise Problem(403, "rights are shared by whoever has a key for all namespaces")
    return page.engine


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
    "memories": MemoryBank.audit,
    "trail": MemoryBank.verify_audit,
    "ahead": lambda bank: bank.forecast(_DAYS, limit=_NEAREST),
}
"""What reads every memory, and may take its time."""


def show_audit(page: Page) -> Response:
    """What can be looked at."""
    return page.show("audit.html", audit=None, trail=None)


def look(page: Page) -> Response:
    """Look through the memories, check the record of changes, or look ahead."""
    kind = page.typed("kind")
    if kind not in _LOOKS:
        raise InvalidInput(f"kind is {display(kind)}; give one of {', '.join(_LOOKS)}")
    bank = page.bank
    job = page.begin(kind, lambda _progress: _LOOKS[kind](bank))
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
    return page.follow(
        "reindex",
        lambda progress: engine.reindex(progress=partial(progress, "rebuilding")),
        "/ui/health",
    )


def _may_rebuild(page: Page) -> bool:
    return page.caller.is_everywhere and not page.caller.principal
