"""Commands of the embedding models: models fetch, list."""

from __future__ import annotations

from typing import Annotated

import typer

from cogmem_cli.progress import bar
from cogmem_cli.shell import Shell
from cogmem_cli.tables import rows


def models_fetch(
    shell: Shell,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="One model; without it, all.")
    ] = None,
) -> None:
    """Download the embedding model's weights and the table that tokens are counted with, unless they are there."""
    from cogmem_core.embedders import weights

    fetched = []
    for model in [name] if name else list(weights.MODELS):
        with bar(shell, f"fetching {model}", sized=True) as advance:
            folder = weights.fetch(model, progress=advance)
        fetched.append({"name": model, "path": str(folder), "present": True})
    shell.show(
        {"models": fetched},
        "\n".join(f"{model['name']} is in {model['path']}" for model in fetched),
    )


def models_list(shell: Shell) -> None:
    """List the known models and whether they are on this machine."""
    from cogmem_core.embedders import weights

    models = weights.available()
    lines = (
        (m.name, "yes" if m.present else "no", f"{m.bytes / 1e6:.0f} MB", str(m.path))
        for m in models
    )
    shell.show(
        {"models": models}, rows(("model", "here", "size", "folder"), lines, texts=("folder",))
    )


COMMANDS = (models_fetch, models_list)
GROUP = "The weights of embedding models."
