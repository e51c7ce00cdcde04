"""Values for output: JSON for programs, harmless text for terminals."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextvars import ContextVar
from datetime import datetime, timezone, tzinfo
from typing import Any, TextIO

from rich.table import Table

from cogmem_core.base.html_tables import CONTROLS
from cogmem_core.base.reprs import plain
from cogmem_core.text.plural import counted, first_of
from cogmem_core.text.time.days import in_zone, seen_in
from cogmem_core.text.time.zones import zone_or_utc

SHORT_ID = 12
"""Characters of an id that tables show: its last group, which is random and can be typed instead of the whole id."""
_NAMED = 5

# A stored text could steer the terminal (titles, colours, cursor), or turn the order of its signs
# round, so that it is read as something else: escapes and other controls become visible.
_UNSEEN = (0x61C, 0x200E, 0x200F, 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x2070))
_ESCAPED = {code: f"\\u{code:04x}" for code in (0x7F, *range(0x80, 0xA0), *_UNSEEN)}
_CONTROLS = {
    **_ESCAPED,
    **CONTROLS,
    0x7F: chr(0x2421),
}

# What messages of the engine name, and the command that does it.
_COMMANDS = {
    "edit": "edit",
    "forget": "forget",
    "grants": "grants",
    "intentions": "intentions",
    "list": "list",
    "namespaces": "namespaces",
    "procedures": "procedures",
    "recall": "recall",
    "reindex": "reindex",
    "remember": "remember",
    "restore": "restore",
    "unseal": "unseal",
    "add_principal": "principal",
    "approve": "review approve",
    "consolidation_runs": "runs",
    "finish_pending": "tick",
    "flush": "tick",
    "forget_matching": "forget --dry-run",
    "reviews": "review list",
    "seals": "seal",
    "verify_erasures": "audit --erasures",
}
_CALL = re.compile(r"\b(?:bank|engine)\.(\w+)\(([^()]*)\)")


def in_commands(text: str) -> str:
    """A message of the engine, with commands in place of the calls that it names."""
    return _CALL.sub(_command, text)


def _command(call: re.Match[str]) -> str:
    if call[1] not in _COMMANDS:
        return call[0]
    parts = [part.partition("=") for part in call[2].split(", ") if part]
    given = [
        f"--{name} {value.strip(chr(39))}" if sign else name.upper() for name, sign, value in parts
    ]
    return f"`{' '.join(('cogm', _COMMANDS[call[1]], *given))}`"


def document(value: Any, encoding: str | None) -> str:
    """One JSON document, indented.

    Escaped to ASCII where the stream cannot take more, and what nobody sees always.
    """
    utf8 = (encoding or "").lower().replace("-", "") == "utf8"
    return json.dumps(plain(value), ensure_ascii=not utf8, indent=2).translate(_ESCAPED)


def clean(text: str) -> str:
    """The text without the power to steer a terminal."""
    return text.translate(_CONTROLS)


class LogAndContinue:
    """A stream on which nothing arrives that turns signs round: for what was put together without `clean`.

    Escapes pass, because colours are made of them.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """As the stream's."""
        return self._stream.write(text.translate(_ESCAPED))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


_zone: ContextVar[str] = ContextVar("zone", default="")
_shown: ContextVar[str] = ContextVar("shown", default="")


def show_times_in(zone: str) -> None:
    """Show moments in this zone from now on; "" = this machine's."""
    _zone.set(zone)


def zone_shown() -> str:
    """The zone of the moments that were shown since this was asked; "" if there were none."""
    shown = _shown.get()
    _shown.set("")
    return shown


def local(moment: datetime) -> str:
    """A moment as the clock on the wall here shows it; `zone_shown` tells the zone."""
    local_moment = in_zone(moment, here(moment))
    _shown.set(_zone.get() or f"{datetime.now().astimezone():%Z}")
    return f"{local_moment:%Y-%m-%d %H:%M}"


def local_day(moment: datetime) -> str:
    """The day of a moment here; a day that was named stays that day."""
    return f"{seen_in(moment, here(moment)):%Y-%m-%d}"


def here(moment: datetime) -> tzinfo:
    """The zone in which a moment is shown."""
    if _zone.get():
        return zone_or_utc(_zone.get())
    try:
        return moment.astimezone().tzinfo or timezone.utc
    except (OverflowError, OSError, ValueError):
        return timezone.utc


def line(text: str) -> str:
    """The text on one line, cleaned."""
    return clean(" ".join(text.split()))


def table_cells(table: Table) -> Iterator[list[str]]:
    """The heading and the rows of a table, each cell on one line and without tabs."""
    yield [line(str(column.header)) for column in table.columns]
    columns = [list(column.cells) for column in table.columns]
    for cells in zip(*columns, strict=True):
        yield [line(str(cell)) for cell in cells]


def shortened(text: str, most: int) -> str:
    """The text on one line, cut to so many characters."""
    flat_text = line(text)
    return flat_text if len(flat_text) <= most else flat_text[: most - 1] + "…"


def short(memory_id: str) -> str:
    """The part of an id that tables show; every command accepts it."""
    return memory_id[-SHORT_ID:]


def some(names: Sequence[str]) -> str:
    """The first names on one line, and how many more there are."""
    return first_of(list(map(line, names)), _NAMED)


_OTHERS = ("documents", "intentions", "procedures", "runs")


def others(counts: Mapping[str, int]) -> list[str]:
    """How many records that are no memories, in words: "1 document", "2 runs"."""
    return [counted(counts[kind], kind[:-1], kind) for kind in _OTHERS if counts.get(kind)]
