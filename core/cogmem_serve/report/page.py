"""The page: a heading, what was said when, what replaced what, what fades, what is related, and the last dream."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from importlib import resources

from cogmem_core.engine import MemoryBank
from cogmem_core.models import JournalEntry, Memory
from cogmem_serve.report import charts
from cogmem_serve.report.collected import DAYS, Collected, Fading, collect
from cogmem_serve.report.elements import Element, el, said, written

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
    sections = (
        _timeline(collected),
        _retention(collected.fading),
        _chains(collected.chains),
        _relations(collected),
        _dream(collected),
    )
    body = el("body", el("main", _heading(collected), *sections))
    return "<!doctype html>\n" + written(el("html", head, body, lang="en")) + "\n"


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


def _section(title: str, note: str, *parts: Element) -> Element:
    return el("section", el("h2", title), el("p", note, class_="dim"), *parts)


def _timeline(collected: Collected) -> Element:
    if not collected.memories:
        return _section("When it was said", "There are no memories yet.")
    note = "A dot is a memory: larger if it matters more, hollow if it is no longer active."
    if collected.more > 0:
        note += f" The newest {len(collected.memories)}; {collected.more} older ones are left out."
    return _section("When it was said", note, charts.timeline(collected.memories))


def _retention(fading: Sequence[Fading]) -> Element:
    title = "What fades, if nobody uses it"
    if not fading:
        return _section(title, "No memory is active.")
    controls = el("fieldset", el("legend", "Retention in"), class_="days")
    for days in DAYS:
        checked = {"checked": "checked"} if days == DAYS[3] else {}
        controls.append(el("input", type="radio", name="days", id=f"d{days}", **checked))
        controls.append(el("label", _ahead(days), for_=f"d{days}"))
    rows = el("ol", *map(_fading_row, fading), class_="fading")
    note = (
        "How likely each of the most important memories can be retrieved then; the weakest first."
    )
    return _section(title, note, el("div", controls, rows, class_="retention"))


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


def _chains(chains: Iterable[Sequence[Memory]]) -> Element:
    lists = [el("ol", *map(_version, chain), class_="chain") for chain in chains]
    if not lists:
        return _section("What took the place of what", "No memory has taken another's place.")
    note = "The newest first; what no longer holds is struck out."
    return _section("What took the place of what", note, el("div", *lists, class_="chains"))


def _version(memory: Memory) -> Element:
    holds = memory.state == "active"
    text = said(memory.text) if holds else el("s", said(memory.text))
    return el(
        "li",
        el("time", f"{memory.recorded_at:%Y-%m-%d}"),
        text,
        class_="holds" if holds else "gone",
    )


def _relations(collected: Collected) -> Element:
    if not collected.relations:
        return _section("What is related to what", "No memories are related yet.")
    counts = Counter[str](relation.type for relation in collected.relations)
    legend = el("p", class_="legend")
    for position, name in enumerate(charts.relation_kinds(collected.relations)):
        hue = f"key hue{position % charts.RELATION_KINDS}"
        label = f" {name.replace('_', ' ')} {counts[name]}"
        legend.append(el("span", el("i", class_=hue), label))
    drawing = charts.arcs(collected.memories, collected.relations)
    note = "The strongest relations; a thicker arc is a stronger one."
    return _section("What is related to what", note, legend, drawing)


def _dream(collected: Collected) -> Element:
    run = collected.run
    if run is None:
        return _section("The last dream", "No dream cycle has run yet.")
    note = f"{_moment(run.started_at)}, {run.state}, started by: {run.cause}."
    if not collected.changes:
        return _section("The last dream", f"{note} It changed nothing.")
    rows = [_change(entry, memory) for entry, memory in collected.changes]
    return _section("The last dream", note, el("ol", *rows, class_="diff"))


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
