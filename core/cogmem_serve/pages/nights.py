"""The pages of dream cycles: what a night did in sentences, what the next one would do, and taking one back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from starlette.responses import Response

from cogmem_core.edge.checks import display
from cogmem_core.engine import MemoryBank
from cogmem_core.errors import InvalidInput, NotFound
from cogmem_core.models import ConsolidationRun
from cogmem_core.results import ConsolidationReport, PlannedChange
from cogmem_serve.pages.lines import known
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
_TOLD_LINKS = ("revises", "contradicts")


@dataclass(frozen=True, slots=True)
class Night:
    """A cycle on record.

    Attributes:
        run: the record.
        groups: by name what was done, each with its number.
        total: how much of it changed something.
        failed: steps that failed, and why.
    """

    run: ConsolidationRun
    groups: Mapping[str, Sequence[tuple[str, int]]]
    total: int
    failed: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Act:
    """One change, as it is told.

    Attributes:
        change: of a memory.
        before: the words before, if they were others.
        beside: of what was joined: the words that stand for it now, or that it is joined to.
    """

    change: PlannedChange
    before: str
    beside: str


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
        group_names=list(GROUPS),
        acts=_by_group(page.bank, page.bank.consolidation_changes(shown.run.id)) if shown else {},
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
    job = page.begin(
        "dream", lambda progress: bank.consolidate(dry_run=kind == "try", progress=progress)
    )
    return page.go(f"/ui/nights/jobs/{job.id}")


def show_job(page: Page) -> Response:
    """How far a cycle is, or what it would do; what was done is a page of its own."""
    job = page.job("dream")
    if not job.finished.is_set():
        return page.show_work(job)
    report: ConsolidationReport = job.outcome()
    if report.run_id:
        return page.go("/ui/nights", night=report.run_id)
    counts = sum((Counter(step.counts) for step in report.steps.values()), Counter[str]())
    return page.show(
        "night.html",
        report=report,
        groups=_grouped(counts),
        group_names=list(GROUPS),
        acts=_by_group(page.bank, report.changes),
        failed=[(name, step.error) for name, step in report.steps.items() if step.error],
    )


def undo(page: Page) -> Response:
    """Take a cycle back, or one thing of it."""
    run_id, memory_id = page.request.path_params["run_id"], page.form.get("memory")
    report = page.bank.undo(run_id, memory_id)
    if memory_id:
        return page.go("/ui/nights", night=run_id, done="undone")
    return page.show("undone.html", report=report)


def _night(run: ConsolidationRun) -> Night:
    steps = run.report.get("steps", {})
    groups = _grouped(sum((Counter(step["counts"]) for step in steps.values()), Counter[str]()))
    total = sum(
        number for name, found in groups.items() for _, number in found if name != "looked after"
    )
    failed = [(name, step["error"]) for name, step in steps.items() if step.get("error")]
    return Night(run, groups, total, failed)


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
    bank: MemoryBank, changes: Sequence[PlannedChange]
) -> Mapping[str, tuple[Sequence[Act], int]]:
    """Changes in words, those of one memory once; and how many are left out."""
    texts = {change.memory_id: change.content for change in changes}
    found: dict[str, dict[str, Act]] = {}
    for change in changes:
        values = {**change.before, **change.after}
        is_link = change.kind == "link"
        if change.kind not in _BY_KIND or not change.content:
            continue
        if is_link and values.get("type") not in _TOLD_LINKS:
            continue
        other = str(values.get("target_id" if is_link else "superseded_by") or "")
        memory = known(bank, other) if other and other not in texts else None
        beside = texts.get(other, "") if memory is None else memory.content
        before = str(change.before.get("content") or "")
        group = "joined" if beside else _BY_KIND[change.kind]
        act = Act(change, "" if before == change.content else before, beside)
        found.setdefault(group, {}).setdefault(change.memory_id, act)
    return {
        name: (list(group.values())[:_SHOWN], max(0, len(group) - _SHOWN))
        for name, group in found.items()
    }
