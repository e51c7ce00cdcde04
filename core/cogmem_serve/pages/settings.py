"""The page of settings: colours, language, zone, files in and out, and the way to all other pages."""

from __future__ import annotations

import tempfile
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from cogmem_core.reading.topics import NAMES
from cogmem_serve.pages.page import Page


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
    new = [one for one in page.bank.seal(page.form.get("topic", "")) if one not in before]
    return page.back("/ui/settings", done="seal", undo=f"unseal:{new[0]}" if new else "")


def unseal(page: Page) -> Response:
    """Keep again what tells of one."""
    page.bank.unseal(page.form.get("topic", ""))
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
