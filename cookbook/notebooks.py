"""Turns every recipe of this folder that has `# %%` cells into `notebooks/<name>.ipynb`, with its outputs.

Run it with `make notebooks`, or `python cookbook/notebooks.py NAME ...` for some of them. The recipes run in a folder
of their own, with the stand-in for a language model; the same recipes give the same files.
"""

import ast
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

HERE = Path(__file__).resolve().parent
NOTEBOOKS = HERE / "notebooks"
SETUP = 'import sys\n\nsys.path.insert(0, "..")  # models.py, which the recipes share'
_MARKER = re.compile(r"^# %%( \[markdown\])?$", re.MULTILINE)
_KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def recipes() -> list[Path]:
    """The scripts beside this one that have cells."""
    return [path for path in sorted(HERE.glob("*.py")) if _MARKER.search(path.read_text(encoding="utf-8"))]


def cells(recipe: Path) -> Iterator[tuple[str, str]]:
    """The cells of a recipe as ("markdown" or "code", text); its docstring is the first one."""
    head, *parts = _MARKER.split(recipe.read_text(encoding="utf-8"))
    title, _, rest = (ast.get_docstring(ast.parse(head)) or recipe.stem).partition("\n")
    yield "markdown", f"# {title.removesuffix('.')}\n{rest}".strip()
    for markdown, text in zip(parts[::2], parts[1::2], strict=True):
        if markdown:
            yield "markdown", re.sub(r"^# ?", "", text.strip(), flags=re.MULTILINE)
        else:
            yield "code", text.strip()


def notebook(recipe: Path) -> Any:
    """The notebook of a recipe, without outputs."""
    found = list(cells(recipe))
    if any(re.search(r"^from (llamaindex_)?models import", text, re.MULTILINE) for _, text in found):
        found.insert(1, ("code", SETUP))
    make = {"markdown": new_markdown_cell, "code": new_code_cell}
    made = [make[kind](text, id=f"cell-{number}") for number, (kind, text) in enumerate(found, 1)]
    return new_notebook(cells=made, metadata={"kernelspec": _KERNEL, "language_info": {"name": "python"}})


def run(book: Any, folder: Path) -> None:
    """Fill in the outputs; raises if a cell fails, complains, or tells something about this machine."""
    client = NotebookClient(
        book, kernel_name="python3", resources={"metadata": {"path": str(folder)}}, record_timing=False
    )
    client.coalesce_streams = True
    client.execute()
    book.metadata = {"kernelspec": _KERNEL, "language_info": {"name": "python"}}
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    for cell in code:  # what the last line of a cell is worth, the script does not show either
        cell.outputs = [output for output in cell.outputs if output.output_type != "execute_result"]
    for output in (output for cell in code for output in cell.outputs):
        if output.get("name") == "stderr":
            raise RuntimeError(f"a cell complains: {output.text}")
        if any(place in str(output) for place in (tempfile.gettempdir(), str(Path.home()), sys.prefix)):
            raise RuntimeError(f"a cell tells where it was run: {output}")


def main(names: list[str]) -> None:
    """Make the notebooks of these recipes; of all if none is named."""
    for name in [name for name in os.environ if name.startswith("OPENAI_")]:
        del os.environ[name]
    NOTEBOOKS.mkdir(exist_ok=True)
    for recipe in recipes():
        if names and recipe.stem not in names:
            continue
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary) / "cookbook" / "notebooks"
            shutil.copytree(HERE, folder.parent, ignore=shutil.ignore_patterns("notebooks", "__pycache__"))
            folder.mkdir()
            book = notebook(recipe)
            run(book, folder)
        nbformat.validate(book)
        text = nbformat.writes(book)
        (NOTEBOOKS / f"{recipe.stem}.ipynb").write_text(f"{text.rstrip()}\n", encoding="utf-8")
        print(f"notebooks/{recipe.stem}.ipynb")


if __name__ == "__main__":
    main(sys.argv[1:])
