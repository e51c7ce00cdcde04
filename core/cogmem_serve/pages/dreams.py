"""The pages of dream cycles: those on record, a dry run as a diff, a run, and taking one back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from cogmem_core.edge.checks import display
from cogmem_core.errors import InvalidInput
from cogmem_core.models import ConsolidationRun
from cogmem_core.results import ConsolidationReport
from cogmem_serve.pages.page import Page

_RUNS = 20
_CHANGES = 200
_HIDDEN = ("seq", "updated_at", "channels", "content_hash")
"""Fields of a change that tell a person nothing."""


def show(page: Page) -> Response:
    """The cycles on record."""
    runs = [(run, _counts(run)) for run in page.bank.consolidation_runs(limit=_RUNS)]
    return page.show("dreams.html", runs=runs)


def dream(page: Page) -> Response:
    """Begin a cycle, or a dry run of one."""
    kind = page.form.get("kind")
    if kind not in ("run", "try"):
        raise InvalidInput(f"kind is {display(kind)}; give run or try")
    bank = page.bank

    def work(progress: Any) -> ConsolidationReport:
        return bank.consolidate(dry_run=kind == "try", progress=progress)

    job = page.jobs.start("dream", page.caller.key_id, page.namespace, work)
    return page.go(f"/ui/dreams/jobs/{job.id}")


def show_job(page: Page) -> Response:
    """How far a cycle is, or what it did."""
    job = page.job("dream")
    if not job.finished.is_set():
        return page.show_work(job)
    report: ConsolidationReport = job.outcome()
    changes = report.changes[:_CHANGES]
    return page.show(
        "dream.html",
        report=report,
        changes=[(change, _fields(change.before, change.after)) for change in changes],
        more=len(report.changes) - len(changes),
    )


def undo(page: Page) -> Response:
    """Take a cycle back."""
    report = page.bank.undo(page.request.path_params["run_id"])
    return page.show("undone.html", report=report)


def _counts(run: ConsolidationRun) -> Mapping[str, int]:
    totals: Counter[str] = Counter()
    for step in run.report.get("steps", {}).values():
        totals.update(step["counts"])
    return dict(totals)


def _fields(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """What changed, field by field: its name, the former and the new value, as text."""
    names = [name for name in {**before, **after} if name not in _HIDDEN]
    return [(name, _text(before.get(name)), _text(after.get(name))) for name in names]


def _text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_text, value))
    return "" if value is None else str(value)
