"""The pages of dream cycles: what a night did in sentences, what the next one would do, and taking one back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from cogmem_core.edge.checks import display
from cogmem_core.errors import InvalidInput, NotFound
from cogmem_core.models import ConsolidationRun
from cogmem_core.results import ConsolidationReport, PlannedChange
from cogmem_serve.pages.page import Page

_RUNS = 30
_SHOWN = 12
"""Changes of a group that are told in words."""
GROUPS: Mapping[str, Sequence[str]] = {
    "changed": ("updated", "resolved", "rewritten"),
    "joined": ("merged", "consolidated", "chained"),
    "put away": ("expired", "pruned", "demoted", "retired"),
    "learnt": ("derived", "promoted", "compacted", "strengthened", "linked_pairs"),
    "looked after": ("asked", "found", "repaired", "rehearsed", "untagged", "trimmed", "returned"),
}
"""What a person calls what a cycle counts, in the order in which it is told."""
_BY_KIND = {
    "rewrite": "changed",
    "retire": "put away",
    "put": "learnt",
    "revive": "learnt",
    "link": "joined",
}
"""What a change of one memory belongs to; any other is only counted."""
_UNDOES = {"rewrite": "unedit", "retire": "restore", "put": "forget"}
"""What takes a change of one memory back, of what a person may do to a memory."""


@dataclass(frozen=True, slots=True)
class Night:
    """A cycle on record.

    Attributes:
        run: the record.
        groups: by name what was done, each with its number.
        total: how much of it changed something.
    """

    run: ConsolidationRun
    groups: Mapping[str, Sequence[tuple[str, int]]]
    total: int


def show(page: Page) -> Response:
    """The last night, or the one that the address names, and those before it."""
    nights = [_night(run) for run in page.bank.consolidation_runs(limit=_RUNS)]
    name = page.asked("night")
    shown = next((one for one in nights if name in (None, one.run.id)), None)
    if name is not None and shown is None:
        raise NotFound("there is no such night")
    return page.show(
        "nights.html",
        shown=shown,
        nights=[one for one in nights if one is not shown],
        chosen=name,
        learnt=page.bank.learnt(),
    )


def dream(page: Page) -> Response:
    """Begin a cycle, or a dry run of one."""
    kind = page.form.get("kind")
    if kind not in ("run", "try"):
        raise InvalidInput(f"kind is {display(kind)}; give run or try")
    bank = page.bank

    def work(progress: Any) -> ConsolidationReport:
        return bank.consolidate(dry_run=kind == "try", progress=progress)

    job = page.jobs.start("dream", page.caller.key_id, page.namespace, work)
    return page.go(f"/ui/nights/jobs/{job.id}")


def show_job(page: Page) -> Response:
    """How far a cycle is, or what it did, in the words that it changed."""
    job = page.job("dream")
    if not job.finished.is_set():
        return page.show_work(job)
    report: ConsolidationReport = job.outcome()
    counts = Counter[str]()
    for step in report.steps.values():
        counts.update(step.counts)
    return page.show(
        "night.html",
        report=report,
        groups=_grouped(counts),
        changes=_by_group(report.changes),
        failed=[(name, step.error) for name, step in report.steps.items() if step.error],
        undoes=_UNDOES,
    )


def undo(page: Page) -> Response:
    """Take a cycle back."""
    report = page.bank.undo(page.request.path_params["run_id"])
    return page.show("undone.html", report=report)


def _night(run: ConsolidationRun) -> Night:
    counts = Counter[str]()
    for step in run.report.get("steps", {}).values():
        counts.update(step["counts"])
    groups = _grouped(counts)
    done = [
        number for name, found in groups.items() for _, number in found if name != "looked after"
    ]
    return Night(run, groups, sum(done))


def _grouped(counts: Mapping[str, int]) -> Mapping[str, Sequence[tuple[str, int]]]:
    """Counts by what a person calls them; those that have no name of their own come last."""
    named = {name for names in GROUPS.values() for name in names}
    found = {
        group: [(name, counts[name]) for name in names if counts.get(name)]
        for group, names in GROUPS.items()
    }
    found["looked after"] += [
        (name, number) for name, number in counts.items() if number and name not in named
    ]
    return {group: numbers for group, numbers in found.items() if numbers}


def _by_group(
    changes: Iterable[PlannedChange],
) -> Mapping[str, tuple[Sequence[tuple[PlannedChange, str]], int]]:
    """Changes in words, those that say the same once, with the words before; and how many are left out."""
    found: dict[str, dict[str, tuple[PlannedChange, str]]] = {}
    for change in changes:
        if change.kind in _BY_KIND and change.content:
            before = str(change.before.get("content") or "")
            group = found.setdefault(_BY_KIND[change.kind], {})
            group.setdefault(change.memory_id, (change, before))
    return {
        name: (list(group.values())[:_SHOWN], max(0, len(group) - _SHOWN))
        for name, group in found.items()
    }
