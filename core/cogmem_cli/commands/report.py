"""The command `report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cogmem_cli.shell import Shell
from cogmem_core.errors import InvalidInput, StoreError


def report(
    shell: Shell,
    file: Annotated[Path, typer.Argument(metavar="FILE.html", help="The page; it may exist.")],
) -> None:
    """Write one page about the namespace: when things were said, what fades, what replaced what, the last dream.

    It holds memories, so only you can read the file. It needs no network, and no script runs in it.
    """
    from cogmem_core.base.files import replacing
    from cogmem_serve.report import report_page

    if file.is_dir():
        raise InvalidInput(f"{file} is a folder; give the name of a file")
    with shell.bank(read_only=True, must_exist=True) as bank:
        page = report_page(bank)
    try:
        with replacing(file) as target:
            target.write(page)
    except OSError as error:
        raise StoreError(f"{file} cannot be written: {error}; give another place") from error
    shell.show({"file": str(file), "bytes": len(page.encode())}, f"wrote {file}")


COMMANDS = (report,)
