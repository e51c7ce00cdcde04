"""Tables for people. Ids are shown by their last group, which every command accepts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cogmem_cli.values import clean, line, local, local_day, short, shortened
from cogmem_core.base.reprs import plain
from cogmem_core.models import JournalEntry, Memory, MemoryVersion, Turn
from cogmem_core.results import FactReceipt, Recalled, Receipt
from cogmem_core.retrieval.explain import reason
from cogmem_core.text.time.days import seen_in

_BAR = 24
_EIGHTHS = "▏▎▍▌▋▊▉"
MANY = 110
"""As `NARROW`, for a table of many columns."""
SHORTENED = 160
"""Characters of a text that a table shows where its fate is what was asked for."""
NARROW = 70
"""Columns below which a table of texts cannot be read; entries then stand one below the other."""


def rows(
    headings: Sequence[str], lines: Iterable[Sequence[str | Text]], *, texts: Sequence[str] = ()
) -> Table:
    """A plain table; the columns named in `texts` wrap, the others keep their width."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for heading in headings:
        table.add_column(heading, no_wrap=heading not in texts, overflow="fold")
    for cells in lines:
        table.add_row(*map(_cell, cells))
    return table


def _cell(cell: str | Text) -> Text:
    """A cell whose width is that of what is seen of it."""
    if not isinstance(cell, Text):
        return Text(clean(cell))
    return cell if clean(cell.plain) == cell.plain else Text(clean(cell.plain), style=cell.style)


def bars(heading: str, counts: Mapping[str, int]) -> Table:
    """Names and how many, with a bar each; the longest is that of the most."""
    highest = max(counts.values(), default=0)
    lines = (
        (name, str(count), Text(_bar(count / highest if highest else 0.0), style="cyan"))
        for name, count in counts.items()
    )
    return rows((heading, "how many", ""), lines)


def _bar(share: float) -> str:
    """A bar of that share of the longest, in eighths of a character."""
    full, part = divmod(round(share * _BAR * 8), 8)
    return "█" * full + (_EIGHTHS[part - 1] if part else "")


def pairs(values: Mapping[str, Any]) -> Table:
    """Names and values, one pair per line; nested values as JSON."""
    return rows(
        ("what", "value"),
        ((name, _value(value)) for name, value in values.items()),
        texts=("value",),
    )


def _value(value: Any) -> str:
    value = plain(value)
    if value is None or value in ("", [], {}):
        return "-"
    if isinstance(value, dict) and all(
        not isinstance(item, (dict, list)) for item in value.values()
    ):
        return "  ".join(f"{name}: {item}" for name, item in value.items())
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "; ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def recall_results(results: Sequence[Recalled], now: datetime, width: int) -> RenderableType:
    """Recalled memories, best first; `now` tells what has ceased to hold."""
    if width < NARROW:
        return _stacked(_entry(rank, item, now) for rank, item in enumerate(results, 1))
    lines: list[tuple[str | Text, ...]] = []
    for rank, item in enumerate(results, 1):
        memory = item.memory
        text = Text.assemble(_spoken(memory, item.text), "\n", (_reasons(item, now), "dim"))
        label = f"{local_day(memory.recorded_at)}\n{item.label}"
        confidence = _percent(item.confidence)
        lines.append((str(rank), label, f"{item.score:.3f}", confidence, text, short(memory.id)))
    headings = ("#", "said", "score", "conf.", "memory and why", "id")
    return rows(headings, lines, texts=("memory and why",))


def _stacked(entries: Iterable[Iterable[str]]) -> Group:
    """Entries one below the other, for where no table fits; under the first line of each stands the rest of it."""
    return Group(*(Text("\n   ".join(filter(None, lines))) for lines in entries))


def _entry(rank: int, item: Recalled, now: datetime) -> tuple[str, ...]:
    origin = f"{local_day(item.memory.recorded_at)} ({item.label})"
    numbers = f"score {item.score:.3f}, confidence {_percent(item.confidence)}"
    said = f"{rank}. {_spoken(item.memory, item.text)}"
    return said, origin, numbers, _reasons(item, now), short(item.memory.id)


def _percent(share: float) -> str:
    """A probability; what is not certain is not shown as 0% or 100%."""
    if 0.0 < share < 0.01:
        return "<1%"
    return ">99%" if 0.99 < share < 1.0 else f"{share:.0%}"


def _reasons(item: Recalled, now: datetime) -> str:
    """What found a memory, after what tells that it is no longer in force."""
    memory = item.memory
    marks = [str(memory.state)] if memory.state != "active" else []
    if memory.valid_until is not None and memory.valid_until <= now:
        marks.append(f"until {seen_in(memory.valid_until, now.tzinfo or timezone.utc):%Y-%m-%d}")
    return "; ".join(filter(None, (", ".join(marks), reason(item))))


def memories(listed: Iterable[Memory], width: int) -> RenderableType:
    """Memories as a list."""
    if width < NARROW:
        return _stacked(map(_narrow_memory, listed))
    lines = ((short(m.id), local_day(m.recorded_at), _kind(m), _spoken(m, m.text)) for m in listed)
    return rows(("id", "said", "kind", "memory"), lines, texts=("memory",))


def _kind(memory: Memory) -> str:
    """Category, and what is out of the ordinary."""
    marks = (
        (memory.state, memory.state != "active"),
        ("pinned", memory.pinned),
        ("immutable", memory.immutable),
    )
    return ", ".join((memory.category, *(mark for mark, on in marks if on)))


def _spoken(memory: Memory, text: str) -> str:
    return line(f"{memory.speaker}: {text}" if memory.speaker else text)


def versions(former_versions: Iterable[MemoryVersion]) -> Table:
    """Former texts."""
    lines = (
        (str(v.version), local(v.replaced_at), v.reason, line(v.content)) for v in former_versions
    )
    return rows(("version", "until", "why", "text"), lines, texts=("text", "why"))


def changes(entries: Iterable[JournalEntry]) -> Table:
    """What happened to a memory."""
    lines = (
        (local(entry.at), entry.kind, entry.actor, entry.reason, ", ".join(sorted(entry.before)))
        for entry in entries
    )
    return rows(("when", "what", "by", "why", "changed"), lines, texts=("why", "changed"))


def _narrow_memory(memory: Memory) -> tuple[str, ...]:
    kind = f"{local_day(memory.recorded_at)}  {_kind(memory)}"
    return _spoken(memory, memory.text), kind, short(memory.id)


def fact_outcomes(
    remembered_turns: Sequence[Turn], receipts: Sequence[Receipt], width: int
) -> RenderableType:
    """What became of each fact; of a turn without facts, what became of the turn."""
    cells: list[tuple[str, ...]] = []
    for turn, receipt in zip(remembered_turns, receipts, strict=True):
        cells += map(_fact_row, receipt.facts or _turn_outcome(turn, receipt))
    if width < MANY:
        return _stacked(map(_narrow_fact, cells))
    headings = ("status", "fact", "memory", "why", "by", "similarity", "importance")
    return rows(headings, cells, texts=("fact", "why"))


def _narrow_fact(row: Sequence[str]) -> tuple[str, ...]:
    status, fact, memory_id, why, by, *numbers = row
    named_numbers = zip(("similarity", "importance"), numbers, strict=True)
    more = [f"{name} {number}" for name, number in named_numbers if number]
    return f"{status}: {fact}", why, ", ".join((f"by {by}", *more)), memory_id


def _turn_outcome(turn: Turn, receipt: Receipt) -> tuple[FactReceipt]:
    memory_id = receipt.memory_ids[0] if receipt.memory_ids else ""
    return (FactReceipt(receipt.status, turn.content, memory_id, receipt.reason),)


def _fact_row(fact: FactReceipt) -> tuple[str, ...]:
    numbers = (
        "" if number is None else f"{number:.2f}" for number in (fact.similarity, fact.importance)
    )
    return (
        fact.status,
        shortened(fact.text, SHORTENED),
        short(fact.memory_id),
        line(fact.reason),
        fact.by,
        *numbers,
    )
