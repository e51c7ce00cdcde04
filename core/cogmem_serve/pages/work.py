"""How far a piece of work is: a page, and the stream of events that it follows."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable

import anyio
from starlette.responses import Response, StreamingResponse

from cogmem_core.results import ImportReport
from cogmem_serve.pages.jobs import Job
from cogmem_serve.pages.language import language_of, translator
from cogmem_serve.pages.page import Page

_EVERY_SECONDS = 0.25
_LOOKS = 40
"""Of one stream; then the browser asks anew, so that a server that is to stop waits for none."""


def show(page: Page) -> Response:
    """How far it is; when it is done, the page that was named for then."""
    job = page.job()
    if not job.finished.is_set():
        return page.show_work(job)
    outcome = job.outcome()
    idle = isinstance(outcome, ImportReport) and not (outcome.stored or outcome.edited)
    return page.go(job.after, done="import-nothing" if idle else job.name)


def events(page: Page) -> Response:
    """Server-sent events: a JSON object with `step`, `done`, `total` and `finished`, whenever one changes."""
    stream = _told(page.job(), translator(language_of(page.request)))
    return StreamingResponse(stream, media_type="text/event-stream")


async def _told(job: Job, translate: Callable[[str], str]) -> AsyncIterator[str]:
    last_data = ""
    yield "retry: 500\n\n"
    for _ in range(_LOOKS):
        finished = job.finished.is_set()
        step = translate(job.step) if job.step else ""
        state = {"step": step, "done": job.done, "total": job.total, "finished": finished}
        data = json.dumps(state)
        if data != last_data:
            yield f"data: {data}\n\n"
            last_data = data
        if finished:
            return
        await anyio.sleep(_EVERY_SECONDS)
