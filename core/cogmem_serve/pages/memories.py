"""The pages of memories: the list, one memory with its life, what a person does to one, and what waits for a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, tzinfo
from functools import partial
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any

from starlette.responses import Response

from cogmem_core.engine import MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.models import CATEGORIES, STATES, TIERS, Memory, Review
from cogmem_core.results import ImportReport
from cogmem_core.text.safety.secrets import redact
from cogmem_core.transfer import Stream
from cogmem_serve.access import Scope
from cogmem_serve.pages.charts import curve
from cogmem_serve.pages.jobs import Progress
from cogmem_serve.pages.lines import all_known, known
from cogmem_serve.pages.moments import day_typed, end_of, start_of
from cogmem_serve.pages.page import Page
from cogmem_serve.problems import Problem

_PAGE = 30
_RELATED = 12
_CHANGES = 40
_SUFFIX = 8
_UNGRANTED = ("which?", "forget_request")
"""Why a wish to forget was not granted."""


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
        "since": _bound(page, "since", start_of),
        "until": _bound(page, "until", end_of),
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
    related = [
        (link, known(bank, link.target_id if link.source_id == memory.id else link.source_id))
        for link in story.relations[:_RELATED]
    ]
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
    report = page.bank.remember(page.typed("content"), speaker=page.typed("speaker") or None)
    shown = f"/{report.memories[-1].id}" if report.memories else ""
    receipt = report.receipts[0]
    done = "unclear" if receipt.reason in _UNGRANTED else receipt.status
    return page.back(f"/ui/memories{shown}", done=done)


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
    shown_id, undo = action(page.bank, memory_id, page)
    return page.back(f"/ui/memories/{shown_id}", done=name, undo=undo)


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
    return page.follow("erase", lambda _progress: bank.forget(memory_id, hard=True), "/ui/memories")


Action = Callable[[MemoryBank, str, Page], tuple[str, str]]
"""Does something to a memory, as a page's form says; returns the id of the one to be shown next, and
what takes it back: the name of an action and the id of a memory, with a colon between; "" = nothing does."""


def _forget(bank: MemoryBank, memory_id: str, _: Page) -> tuple[str, str]:
    bank.forget(bank.get(memory_id).id)
    return memory_id, f"restore:{memory_id}"


def settle_versions(bank: MemoryBank, memory_id: str, _: Page) -> tuple[str, str]:
    """Say which version holds."""
    gone = bank.settle_versions(keep=memory_id).memory_ids
    return memory_id, f"restore:{gone[0]}" if len(gone) == 1 else ""


def _edit(bank: MemoryBank, memory_id: str, page: Page) -> tuple[str, str]:
    edited = _put_right(bank, memory_id, page.typed("content"))
    return edited.id, f"unedit:{edited.id}" if edited.id == memory_id else ""


def _unedit(bank: MemoryBank, memory_id: str, _: Page) -> tuple[str, str]:
    """Give a memory the text back that it had before."""
    versions = bank.history(memory_id).versions
    if not versions:
        raise Problem(409, "nothing was edited that could be taken back")
    return _put_right(bank, memory_id, versions[-1].content).id, ""


def _put_right(bank: MemoryBank, memory_id: str, content: str) -> Memory:
    """Give a memory another text, and let no line say that the one before ever held."""
    before = bank.get(memory_id).content
    edited = bank.edit(memory_id, content, whole=True)
    lines = [line for line in bank.profile().lines if edited.id in line.memory_ids]
    for old in [former for line in lines for former in line.former]:
        memory = known(bank, old.memory_id)
        if memory is not None and (memory.content, memory.superseded_by) == (before, edited.id):
            bank.forget(memory.id)
    return edited


def _end(bank: MemoryBank, memory_id: str, page: Page) -> tuple[str, str]:
    """Until the end of the day that was typed, and not beyond this moment."""
    day = day_typed("at", page.typed("at"))
    moment = None if day == page.today else end_of(day, page.zone)
    return bank.end(memory_id, moment).id, f"restore:{memory_id}"


def _supersede(bank: MemoryBank, memory_id: str, page: Page) -> tuple[str, str]:
    return bank.supersede(memory_id, page.typed("content")).id, f"unsupersede:{memory_id}"


def _unsupersede(bank: MemoryBank, memory_id: str, _: Page) -> tuple[str, str]:
    """Bring back what was replaced, and let what took its place go."""
    new = bank.get(memory_id).superseded_by
    if new is not None:
        bank.forget(new)
    return bank.restore(memory_id).id, ""


_ACTIONS: Mapping[str, tuple[Scope, Action]] = {
    "pin": ("write", lambda bank, memory_id, _: (bank.pin(memory_id).id, f"unpin:{memory_id}")),
    "unpin": ("write", lambda bank, memory_id, _: (bank.unpin(memory_id).id, f"pin:{memory_id}")),
    "restore": ("write", lambda bank, memory_id, _: (bank.restore(memory_id).id, "")),
    "edit": ("write", _edit),
    "unedit": ("write", _unedit),
    "supersede": ("write", _supersede),
    "end": ("write", _end),
    "unsupersede": ("write", _unsupersede),
    "forget": ("write", _forget),
    "keep": ("review", lambda bank, memory_id, _: (bank.hold(memory_id).id, "")),
    "settle": ("review", settle_versions),
}


def _bound(page: Page, name: str, moment: Callable[[date, tzinfo], datetime]) -> datetime | None:
    day = page.asked_day(name)
    return None if day is None else moment(day, page.zone)


_SHOWN = 50
_UNDECIDED = ("waiting", "expired")
_DECISIONS: Mapping[str, Callable[[MemoryBank, str], Review]] = {
    "approve": MemoryBank.approve,
    "keep-both": partial(MemoryBank.approve, keep_both=True),
    "reject": MemoryBank.reject,
}


def show_review(page: Page) -> Response:
    """Doubts, the newest first; what waits, the oldest first, and what nobody decided in time."""
    bank = page.bank
    undecided = bank.reviews(_UNDECIDED)
    reviews = [
        (review, known(bank, review.target_id), all_known(bank, review.replaces))
        for review in undecided[:_SHOWN]
    ]
    more = len(undecided) - len(reviews)
    return page.show("review.html", doubts=bank.doubts(_SHOWN), reviews=reviews, more=more)


def decide(page: Page) -> Response:
    """Approve or reject one."""
    decision = page.request.path_params["decision"]
    if decision not in _DECISIONS:
        raise Problem(404, "there is no such decision")
    _DECISIONS[decision](page.bank, page.request.path_params["review_id"])
    return page.go("/ui/review", done=decision)


def settle(page: Page) -> Response:
    """Say which of two versions holds."""
    _, undo = settle_versions(page.bank, page.request.path_params["memory_id"], page)
    return page.back("/ui/review", done="settle", undo=undo)
