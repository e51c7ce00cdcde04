"""The changes of a dream cycle as lines that read like a diff: what leaves, what is new, what changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from rich.text import Text

from cogmem_core.cli.values import line, short
from cogmem_core.results import PlannedChange

__all__ = ["changed"]

_CHARACTERS = 60
"""Of a memory's text, or of a value, that one line shows."""
_MERGING = "duplicates"
# What a line begins with, and its colour. Links and marks matter least.
_STYLES = {
    "put": ("+", "green"),
    "retire": ("-", "red"),
    "merge": ("=", "cyan"),
    "touch": ("~", "yellow"),
    "rewrite": ("~", "yellow"),
    "revive": ("+", "green"),
}
_BESIDE = (" ", "dim")


def changed(changes: Sequence[PlannedChange], most: int) -> list[Text]:
    """A heading per step, then a line per change.

    Args:
        most: lines per step; 0 = all. Another line tells how many more there are.
    """
    lines: list[Text] = []
    for step, group in groupby(changes, key=lambda change: change.step):
        found = list(group)
        shown = found if most == 0 else found[:most]
        lines.append(
            Text(f"{step}: {len(found)} change{'' if len(found) == 1 else 's'}", style="bold")
        )
        lines += [_line(change) for change in shown]
        if len(shown) < len(found):
            lines.append(
                Text(f"  ... and {len(found) - len(shown)} more (--lines 0 shows all)", style="dim")
            )
    return lines


def _line(change: PlannedChange) -> Text:
    kind = "merge" if change.kind == "retire" and change.step == _MERGING else change.kind
    sign, style = _STYLES.get(kind, _BESIDE)
    parts = (short(change.memory_id), _shortened(change.content), _values(change), change.reason)
    told = "  ".join(filter(None, map(line, parts)))
    return Text(f"{sign} {told}", style=style)


def _values(change: PlannedChange) -> str:
    """What differs, in half a line."""
    if change.kind in ("link", "unlink"):
        return _link(change)
    if change.kind in ("mark", "unmark"):
        return change.kind
    if change.kind == "retire":
        other = change.after.get("superseded_by")
        return (
            f"→ {change.after.get('state', '')}{f', now in {short(str(other))}' if other else ''}"
        )
    if change.kind == "put":
        return ", ".join(
            f"{name} {_value(value)}"
            for name, value in change.after.items()
            if value not in ((), "", [])
        )
    return _fields(change.before, change.after)


def _fields(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name} {_value(before.get(name))} → {_value(value)}"
        for name, value in after.items()
        if before.get(name) != value
    )


def _link(change: PlannedChange) -> str:
    one = change.after or change.before
    weights = " → ".join(f"{end['weight']:.2f}" for end in (change.before, change.after) if end)
    gone = "" if change.after else " removed"
    return f"{change.kind} {one.get('type', '')} {short(str(one.get('target_id', '')))} {weights}{gone}"


def _value(value: Any) -> str:
    if value is None or value in ("", (), []):
        return "-"
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, (tuple, list)):
        return f"{len(value)} of them" if len(value) > 3 else f"[{', '.join(map(_value, value))}]"
    return _shortened(str(value))


def _shortened(text: str) -> str:
    told = line(text)
    return told if len(told) <= _CHARACTERS else told[: _CHARACTERS - 1] + "…"
