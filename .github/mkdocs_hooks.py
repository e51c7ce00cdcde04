"""What the site has and the repository has not: the page of the API, links for plain paths, pages as Markdown."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

import cogmem_core

API = "reference/api.md"
PATH = re.compile(r"(?<![\w/(\[`])cookbook/(?P<path>[\w/-]+\.md)")
CSS = "assets/code.css"
COLOURS = Path(__file__).with_name("mkdocs_code.css")
WEIGHTS = {"guide/": 4.0, "README": 4.0, "reference/": 1.0, "measurements": 0.25}
"""What a word on a page counts in the search, by the beginning of its path: the guide first, figures last."""
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def on_files(files: Files, config: Any) -> Files:
    """Add the page of the API: each public name with its docstring."""
    classes = [
        name
        for name in cogmem_core.__all__
        if name not in ("config", "errors", "models", "results")
    ]
    lines = ["# API", "", "The names of every day, as their docstrings tell them.", ""]
    lines += [f"::: cogmem_core.{name}\n" for name in sorted(classes, key=str.lower)]
    files.append(File.generated(config, API, content="\n".join(lines)))
    files.append(File.generated(config, CSS, content=COLOURS.read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Make links of paths that stand in plain text, as they do for whoever reads the repository."""
    weight = next(x for begin, x in WEIGHTS.items() if page.file.src_uri.startswith(begin))
    page.meta.setdefault("search", {"boost": weight})
    up = "../" * page.file.src_uri.count("/")

    def linked(text: str) -> str:
        return PATH.sub(lambda match: f"[{match['path']}]({up}{match['path']})", text)

    parts = []
    end = 0
    for fence in FENCE.finditer(markdown):
        parts += [linked(markdown[end : fence.start()]), fence.group()]
        end = fence.end()
    return "".join([*parts, linked(markdown[end:])])


def on_post_build(config: Any) -> None:
    """Put the pages beside their HTML as they were written, where llms.txt leads to."""
    source, site = Path(config.docs_dir), Path(config.site_dir)
    for page in source.rglob("*.md"):
        shutil.copyfile(page, site / page.relative_to(source))
