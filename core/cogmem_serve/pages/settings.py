"""The page of settings: colours, language, zone, files in and out, and the way to all other pages."""

from __future__ import annotations

import tempfile
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response

from cogmem_serve.pages.page import Page


def show(page: Page) -> Response:
    """What can be chosen, and where everything else is."""
    encoding = page.engine.open_services.config.encoding
    return page.show(
        "settings.html",
        pages=page.settings(),
        never_kept=encoding.never_keep,
        configured_zone=encoding.timezone,
        counts={
            state: page.bank.count(state=state) for state in ("active", "dormant", "forgotten")
        },
    )


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
