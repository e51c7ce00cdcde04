"""Commands of the embedding models: models fetch, list, path."""

from __future__ import annotations

from typing import Annotated

import typer

from cogmem_cli.progress import bar
from cogmem_cli.shell import Shell
from cogmem_cli.tables import rows
from cogmem_core.errors import ConfigError

__all__ = ["COMMANDS", "GROUP"]

Model = Annotated[str, typer.Argument(metavar="NAME", help="The model's name.")]


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


def models_path(shell: Shell, name: Model = "minilm") -> None:
    """Print the folder in which a model's weights are, or would be."""
    from cogmem_core.embedders import weights

    info = next((info for info in weights.available() if info.name == name), None)
    if info is None:
        raise ConfigError(
            f"unknown model {name!r}; the models are {', '.join(sorted(weights.MODELS))}"
        )
    shell.show({"name": name, "path": str(info.path), "present": info.present}, str(info.path))


COMMANDS = (models_fetch, models_list, models_path)
GROUP = "The weights of embedding models."
