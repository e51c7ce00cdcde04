"""The changes of a dream cycle as lines that read like a diff: what leaves, what is new, what changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from rich.text import Text

from cogmem_cli.values import line, local, short, shortened
from cogmem_core.results import PlannedChange

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
_MINOR_STYLE = (" ", "dim")


def change_lines(changes: Sequence[PlannedChange], limit: int) -> list[Text]:
    """A heading per step, then a line per change.

    Args:
        limit: lines per step; 0 = all. Another line tells how many more there are.
    """
    lines: list[Text] = []
    for step, group in groupby(changes, key=lambda change: change.step):
        step_changes = list(group)
        listed = step_changes if limit == 0 else step_changes[:limit]
        lines.append(
            Text(
                f"{step or 'in all'}: {len(step_changes)} change{'' if len(step_changes) == 1 else 's'}",
                style="bold",
            )
        )
        lines += map(_line, listed)
        if len(listed) < len(step_changes):
            lines.append(
                Text(
                    f"  ... and {len(step_changes) - len(listed)} more (--lines 0 shows all)",
                    style="dim",
                )
            )
    return lines


def _line(change: PlannedChange) -> Text:
    kind = "merge" if change.kind == "retire" and change.step == _MERGING else change.kind
    sign, style = _STYLES.get(kind, _MINOR_STYLE)
    parts = (
        short(change.memory_id),
        shortened(change.content, _CHARACTERS),
        _values(change),
        change.reason,
    )
    text = "  ".join(filter(None, map(line, parts)))
    return Text(f"{sign} {text}", style=style)


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


def _fields(old_values: Mapping[str, Any], new_values: Mapping[str, Any]) -> str:
    changes = []
    for name, value in new_values.items():
        former = old_values.get(name)
        if former != value:
            changes.append(f"{name} {_value(former)} → {_value(value)}")
    return ", ".join(changes)


def _link(change: PlannedChange) -> str:
    relation = change.after or change.before
    weights = " → ".join(f"{end['weight']:.2f}" for end in (change.before, change.after) if end)
    suffix = "" if change.after else " removed"
    return f"{change.kind} {relation.get('type', '')} {short(str(relation.get('target_id', '')))} {weights}{suffix}"


def _value(value: Any) -> str:
    if value is None or value in ("", (), []):
        return "-"
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, datetime):
        return local(value)
    if isinstance(value, (tuple, list)):
        return f"{len(value)} of them" if len(value) > 3 else f"[{', '.join(map(_value, value))}]"
    return shortened(str(value), _CHARACTERS)
