"""Commands of the languages: languages check."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cogmem_cli.shell import Shell


def languages_check(
    shell: Shell,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A pack: a TOML file.")],
) -> None:
    """Read a language pack, and tell each entry that cannot be read, with its line."""
    from cogmem_core.languages import Language

    language = Language.from_toml(file)
    lacks = sorted(language.lacks)
    shell.show(
        {"file": str(file), "code": language.code, "lacks": lacks},
        f"{file.name} can be read as {language.code!r}"
        + (f"; it lacks {', '.join(lacks)}" if lacks else ""),
    )


COMMANDS = (languages_check,)
GROUP = "Packs of languages."
