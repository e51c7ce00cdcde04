"""Tables for people. Ids are shown by their last group, which every command accepts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cogmem.cli.values import clean, line, plain, short
from cogmem.models import JournalEntry, Memory, MemoryVersion
from cogmem.results import Recalled
from cogmem.retrieval.narrate import reason

__all__ = ["changes", "memories", "pairs", "recalled", "rows", "versions"]

NARROW = 70
"""Columns below which a table of texts cannot be read; entries then stand one below the other."""


def rows(headings: Sequence[str], lines: Iterable[Sequence[str | Text]], *, texts: Sequence[str] = ()) -> Table:
    """A plain table; the columns named in `texts` wrap, the others keep their width."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for heading in headings:
        table.add_column(heading, no_wrap=heading not in texts, overflow="fold")
    for cells in lines:
        table.add_row(*(cell if isinstance(cell, Text) else Text(clean(cell)) for cell in cells))
    return table


def pairs(values: Mapping[str, Any]) -> Table:
    """Names and values, one pair per line; nested values as JSON."""
    return rows(("what", "value"), ((name, _value(value)) for name, value in values.items()), texts=("value",))


def _value(value: Any) -> str:
    value = plain(value)
    if value is None or value in ("", [], {}):
        return "-"
    if isinstance(value, dict) and all(not isinstance(item, (dict, list)) for item in value.values()):
        return "  ".join(f"{name}: {item}" for name, item in value.items())
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "; ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def recalled(results: Sequence[Recalled], width: int) -> RenderableType:
    """Recalled memories, best first."""
    if width < NARROW:
        return Group(*(_entry(rank, item) for rank, item in enumerate(results, 1)))
    lines = (
        (
            str(rank),
            f"{item.memory.recorded_at:%Y-%m-%d}\n{item.label}",
            f"{item.score:.3f}",
            f"{item.confidence:.2f}",
            Text.assemble(_said(item.memory), "\n", (reason(item), "dim")),
            short(item.memory.id),
        )
        for rank, item in enumerate(results, 1)
    )
    return rows(("#", "said", "score", "conf.", "memory and why", "id"), lines, texts=("memory and why",))


def _entry(rank: int, item: Recalled) -> Text:
    said = f"{item.memory.recorded_at:%Y-%m-%d} ({item.label})"
    numbers = f"score {item.score:.3f}, confidence {item.confidence:.2f}"
    facts = (said, numbers, reason(item), short(item.memory.id))
    return Text("\n   ".join((f"{rank}. {_said(item.memory)}", *facts)))


def memories(found: Iterable[Memory], width: int) -> RenderableType:
    """Memories as a list."""
    if width < NARROW:
        entries = ("\n   ".join((_said(m), f"{m.recorded_at:%Y-%m-%d}  {_kind(m)}", short(m.id))) for m in found)
        return Group(*(Text(entry) for entry in entries))
    lines = ((short(m.id), f"{m.recorded_at:%Y-%m-%d}", _kind(m), _said(m)) for m in found)
    return rows(("id", "said", "kind", "memory"), lines, texts=("memory",))


def _kind(memory: Memory) -> str:
    """Category, and what is out of the ordinary."""
    marks = (
        (memory.state, memory.state != "active"),
        ("pinned", memory.pinned),
        ("immutable", memory.immutable),
    )
    return ", ".join((memory.category, *(mark for mark, on in marks if on)))


def _said(memory: Memory) -> str:
    return line(f"{memory.speaker}: {memory.content}" if memory.speaker else memory.content)


def versions(found: Iterable[MemoryVersion]) -> Table:
    """Former texts."""
    lines = ((str(v.version), f"{v.replaced_at:%Y-%m-%d %H:%M}", v.reason, line(v.content)) for v in found)
    return rows(("version", "until", "why", "text"), lines, texts=("text", "why"))


def changes(found: Iterable[JournalEntry]) -> Table:
    """What happened to a memory."""
    lines = (
        (f"{entry.at:%Y-%m-%d %H:%M}", entry.kind, entry.actor, entry.reason, ", ".join(sorted(entry.before)))
        for entry in found
    )
    return rows(("when", "what", "by", "why", "changed"), lines, texts=("why", "changed"))
