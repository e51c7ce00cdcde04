"""The pages of memories: the list with its filters, one memory with its life, and what a person does to one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, timezone
from functools import partial
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any

from starlette.responses import Response

from cogmem_core.engine import MemoryBank
from cogmem_core.errors import InvalidInput, NotFound
from cogmem_core.models import CATEGORIES, STATES, TIERS, Memory
from cogmem_core.results import ForgetReceipt, ImportReport
from cogmem_core.text.safety.secrets import redact
from cogmem_core.transfer import Stream
from cogmem_serve.access import Scope
from cogmem_serve.pages.charts import curve
from cogmem_serve.pages.jobs import Progress
from cogmem_serve.pages.page import Page
from cogmem_serve.refusal import Problem

_PAGE = 30
_RELATED = 12
_CHANGES = 40
_SUFFIX = 8


def show_list(page: Page) -> Response:
    """A page of memories, the newest first, as the filters say."""
    state = page.asked("state") or "active"
    tag = page.asked("tag")
    filters: dict[str, Any] = {
        "state": state,
        "category": page.asked("category"),
        "tier": page.asked("tier"),
        "speaker": page.asked("speaker"),
        "tags": [tag] if tag else None,
        "since": _day(page, "since"),
        "until": _end_of_day(page, "until"),
    }
    memories = page.bank.list(
        **filters, limit=_PAGE, cursor=page.asked("cursor"), newest_first=not page.asked("oldest")
    )
    names = ("category", "tier", "speaker", "tag", "since", "until", "oldest")
    parameters = {"state": state, **{name: page.asked(name) for name in names}}
    return page.show(
        "memories.html",
        found=memories,
        total=page.bank.count(**filters),
        kept=parameters,
        states=(*STATES, "any"),
        categories=CATEGORIES,
        tiers=TIERS,
        continued=page.asked("cursor") is not None,
    )


def show_one(page: Page) -> Response:
    """A memory: its sources, versions, life, curve, and what it is linked to."""
    memory_id = page.request.path_params["memory_id"]
    bank = page.bank
    story = bank.explain(memory_id)
    memory = story.history.memory
    related = []
    for link in story.relations[:_RELATED]:
        other = link.target_id if link.source_id == memory.id else link.source_id
        related.append((link, known(bank, other)))
    return page.show(
        "memory.html",
        memory=memory,
        story=story,
        versions=bank.versions(memory_id),
        related=related,
        more_related=len(story.relations) - len(related),
        changes=story.history.changes[-_CHANGES:],
        curve=curve(story.outlook),
        successor=None if memory.superseded_by is None else known(bank, memory.superseded_by),
    )


def remember(page: Page) -> Response:
    """Remember what was typed."""
    report = page.bank.remember(
        page.form.get("content", ""), speaker=page.form.get("speaker") or None
    )
    if report.memories:
        return page.go(f"/ui/memories/{report.memories[-1].id}", done=report.receipts[0].status)
    return page.go("/ui/memories", done=report.receipts[0].status)


def act(page: Page) -> Response:
    """Do what a button says to one memory."""
    memory_id = page.request.path_params["memory_id"]
    name = page.request.path_params["action"]
    if name not in _ACTIONS:
        raise Problem(404, "there is no such action")
    scope, action = _ACTIONS[name]
    page.need(scope)
    if name == "restore" and page.bank.get(memory_id).state == "quarantined":
        page.need("review")
    shown_id = action(page.bank, memory_id, page.form)
    return page.go(f"/ui/memories/{shown_id}", done=name)


def import_file(page: Page) -> Response:
    """Import a file that was sent; cogmem's own, or another tool's."""
    if page.file is None:
        raise InvalidInput("file is missing; choose one")
    name, content = page.file
    bank = page.bank

    def work(progress: Progress) -> ImportReport:
        path = PurePosixPath(name)
        # The name says what kind of file it is, and messages tell it.
        file = Stream(f"{redact(path.stem)}{path.suffix[:_SUFFIX]}" or "file", BytesIO(content))
        return bank.import_(file, progress=partial(progress, "importing"))

    return page.follow("import", work, "/ui/memories")


def erase(page: Page) -> Response:
    """Erase a memory from disk: every file of the bank is looked through, which may take its time."""
    if page.form.get("sure") != "yes":
        raise InvalidInput("sure is not ticked; what is erased cannot be restored")
    bank = page.bank
    memory_id = bank.get(page.request.path_params["memory_id"]).id

    def work(_progress: Progress) -> ForgetReceipt:
        return bank.forget(memory_id, hard=True)

    return page.follow("erase", work, "/ui/memories")


Action = Callable[[MemoryBank, str, Mapping[str, str]], str]
"""Does something to a memory; returns the id of the one to be shown next."""


def _forget(bank: MemoryBank, memory_id: str, _: Mapping[str, str]) -> str:
    bank.forget(bank.get(memory_id).id)
    return memory_id


def _settle(bank: MemoryBank, memory_id: str, _: Mapping[str, str]) -> str:
    bank.settle_versions(keep=memory_id)
    return memory_id


_ACTIONS: Mapping[str, tuple[Scope, Action]] = {
    "pin": ("write", lambda bank, memory_id, _: bank.pin(memory_id).id),
    "unpin": ("write", lambda bank, memory_id, _: bank.unpin(memory_id).id),
    "restore": ("write", lambda bank, memory_id, _: bank.restore(memory_id).id),
    "edit": (
        "write",
        lambda bank, memory_id, form: bank.edit(memory_id, form.get("content", "")).id,
    ),
    "supersede": (
        "write",
        lambda bank, memory_id, form: bank.supersede(memory_id, form.get("content", "")).id,
    ),
    "forget": ("write", _forget),
    "keep": ("review", lambda bank, memory_id, _: bank.hold(memory_id).id),
    "settle": ("review", _settle),
}


def known(bank: MemoryBank, memory_id: str) -> Memory | None:
    """The memory of that id; None if it is gone."""
    try:
        return bank.get(memory_id)
    except NotFound:
        return None


def _day(page: Page, name: str) -> datetime | None:
    """The start of a day that was asked for, in UTC."""
    text = page.asked(name)
    if text is None:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=timezone.utc)
    except ValueError:
        raise InvalidInput(f"{name} is not a day; give one such as 2026-03-01") from None


def _end_of_day(page: Page, name: str) -> datetime | None:
    day = _day(page, name)
    if day is None or day.date().isoformat() == "9999-12-31":
        return day
    return day + timedelta(days=1, microseconds=-1)
