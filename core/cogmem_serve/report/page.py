"""The page: a heading, what was said when, what replaced what, what fades, what is related, and the last dream."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from importlib import resources
from xml.etree.ElementTree import Element

from cogmem_core.engine import MemoryBank
from cogmem_core.models import JournalEntry, Memory
from cogmem_serve.report import charts
from cogmem_serve.report.charts import Child, el, said, written
from cogmem_serve.report.collected import DAYS, Collected, Fading, collect

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""No script runs and nothing is loaded, whatever stands on the page."""
_SIGNS = {"put": "+", "revive": "+", "retire": "-", "touch": "~", "rewrite": "~"}
_MINOR = "·"
_SHOWN_FIELDS = ("content", "state", "tier", "stability", "importance", "utility", "valid_until")


def report_page(bank: MemoryBank) -> str:
    """A namespace as one HTML document: inline style and SVG, no script, nothing from elsewhere.

    Args:
        bank: whose memories.

    Raises:
        StoreError: a row cannot be read.
    """
    collected = collect(bank)
    style = resources.files("cogmem_serve.report").joinpath("page.css").read_text("utf-8")
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", f"Memories of {collected.namespace}"),
        el("style", style + _retention_rules()),
    )
    main = el("main", _heading(collected))
    for title, told in _SECTIONS.items():
        note, *parts = told(collected)
        main.append(el("section", el("h2", title), el("p", note, class_="dim"), *parts))
    return "<!doctype html>\n" + written(el("html", head, el("body", main), lang="en")) + "\n"


def _heading(collected: Collected) -> Element:
    states = collected.health["by_state"]
    numbers = [(str(states.get("active", 0)), "active")]
    numbers += [(str(count), name) for name, count in states.items() if name != "active"]
    turns = sum(collected.health["turns"].values())
    numbers += [(str(turns), "turns"), (str(len(collected.chains)), "version chains")]
    parts = [el("div", el("dd", count), el("dt", name)) for count, name in numbers]
    header = el(
        "header",
        el("p", "cogmem report", class_="kicker"),
        el("h1", said(collected.namespace)),
        el("p", f"as of {_moment(collected.at)}", class_="dim"),
        el("dl", *parts, class_="numbers"),
    )
    for warning in collected.health["warnings"]:
        header.append(el("p", warning, class_="warning"))
    return header


Section = tuple[Child, ...]
"""What is said about a part of the page, and what stands below it."""


def _timeline(collected: Collected) -> Section:
    if not collected.memories:
        return ("There are no memories yet.",)
    note = "A dot is a memory: larger if it matters more, hollow if it is no longer active."
    if collected.more > 0:
        note += f" The newest {len(collected.memories)}; {collected.more} older ones are left out."
    return note, charts.timeline(collected.memories)


def _retention(collected: Collected) -> Section:
    if not collected.fading:
        return ("No memory is active.",)
    controls = el("fieldset", el("legend", "Retention in"), class_="days")
    for days in DAYS:
        checked = {"checked": "checked"} if days == DAYS[3] else {}
        controls.append(el("input", type="radio", name="days", id=f"d{days}", **checked))
        controls.append(el("label", _ahead(days), for_=f"d{days}"))
    rows = el("ol", *map(_fading_row, collected.fading), class_="fading")
    note = (
        "How likely each of the most important memories can be retrieved then; the weakest first."
    )
    return note, el("div", controls, rows, class_="retention")


def _fading_row(row: Fading) -> Element:
    values = list(zip(DAYS, row.retentions, strict=True))
    widths = ";".join(f"--d{days}:{value:.3f}" for days, value in values)
    numbers = [el("span", f"{value:.0%}", class_=f"n n{days}") for days, value in values]
    return el(
        "li",
        said(row.memory.text),
        el("span", el("span", class_="bar", style=widths), class_="track"),
        el("span", *numbers, class_="number"),
    )


def _retention_rules() -> str:
    """What choosing a number of days shows."""
    rules = []
    for days in DAYS:
        chosen = f".retention:has(#d{days}:checked)"
        rules.append(f"{chosen} .bar{{width:calc(var(--d{days})*100%)}}")
        rules.append(f"{chosen} .n{days}{{display:inline}}")
    return "\n".join(rules)


def _ahead(days: int) -> str:
    return "now" if days == 0 else "a year" if days == DAYS[-1] else f"{days} days"


def _chains(collected: Collected) -> Section:
    lists = [el("ol", *map(_version, chain), class_="chain") for chain in collected.chains]
    if not lists:
        return ("No memory has taken another's place.",)
    note = "The newest first; what no longer holds is struck out."
    return note, el("div", *lists, class_="chains")


def _version(memory: Memory) -> Element:
    holds = memory.state == "active"
    text = said(memory.text) if holds else el("s", said(memory.text))
    return el(
        "li",
        el("time", f"{memory.recorded_at:%Y-%m-%d}"),
        text,
        class_="holds" if holds else "gone",
    )


def _relations(collected: Collected) -> Section:
    if not collected.relations:
        return ("No memories are related yet.",)
    counts = Counter[str](relation.type for relation in collected.relations)
    legend = el("p", class_="legend")
    for position, name in enumerate(charts.relation_kinds(collected.relations)):
        hue = f"key hue{position % charts.RELATION_KINDS}"
        label = f" {name.replace('_', ' ')} {counts[name]}"
        legend.append(el("span", el("i", class_=hue), label))
    drawing = charts.arcs(collected.memories, collected.relations)
    note = "The strongest relations; a thicker arc is a stronger one."
    return note, legend, drawing


def _dream(collected: Collected) -> Section:
    run = collected.run
    if run is None:
        return ("No dream cycle has run yet.",)
    note = f"{_moment(run.started_at)}, {run.state}, started by: {run.cause}."
    if not collected.changes:
        return (f"{note} It changed nothing.",)
    rows = [_change(entry, memory) for entry, memory in collected.changes]
    return note, el("ol", *rows, class_="diff")


_SECTIONS: Mapping[str, Callable[[Collected], Section]] = {
    "When it was said": _timeline,
    "What fades, if nobody uses it": _retention,
    "What took the place of what": _chains,
    "What is related to what": _relations,
    "The last dream": _dream,
}


def _change(entry: JournalEntry, memory: Memory | None) -> Element:
    sign = _SIGNS.get(entry.kind, _MINOR)
    row = el("li", el("b", sign), class_=f"change {entry.kind}")
    row.append(said(memory.text if memory is not None else "a memory that is gone"))
    changed = [
        f"{name} {_value(entry.before[name])} → {_value(getattr(memory, name))}"
        for name in _SHOWN_FIELDS
        if memory is not None
        and name in entry.before
        and entry.before[name] != getattr(memory, name)
    ]
    about = "; ".join(filter(None, (entry.kind, entry.reason, *changed)))
    row.append(el("span", about, class_="dim", dir="auto"))
    return row


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d}"
    return "-" if value is None else str(value)


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
