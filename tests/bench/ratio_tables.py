"""What `bench_ratios` measured, as bounds, one table and two figures."""

import os
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

import measurements
import numpy as np
from bounds import held

__all__ = ["LARGE", "READS", "THREADS", "Size", "enter"]

THREADS = 8
LARGE = ("cogmem", "Chroma", "the floor")
READS = ("recall", "recall and context", "query", "search", "numpy", "numpy and rows")
BOUNDS = {1_000: 1.8, 10_000: 2.0, 100_000: 2.5}
COLD_BOUNDS = {1_000: 1.2, 100_000: 2.5}
FIGURES = Path(__file__).resolve().parents[2] / "cookbook" / "figures"
Clocks = dict[str, list[float]]
"""CPU and wall, each a figure per round (or per process); seconds."""

_LATENCY = "What a search takes beside Chroma's, and what keeping one text takes, by store; CPU."
_GROWTH = "CPU of a recall and of a default write as the memories grow, beside Chroma's."


class Size:
    """What was measured with stores of one size.

    Attributes:
        took: by store and operation; the clocks of each round.
        first: by store: from the start of a process to its first answer; one of each process.
        concurrency: by store: how many times as much several threads ask per second of the wall clock, and how many
            times the CPU a question takes them.
        disk: bytes a memory, by store.
        rss: MB above bare Python with numpy, and threads, of a process that opened cogmem and asked.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.took: dict[tuple[str, str], Clocks] = {}
        self.first: dict[str, Clocks] = {}
        self.concurrency: dict[str, Clocks] = {}
        self.disk: dict[str, float] = {}
        self.rss = 0.0
        self.threads = 0

    def note(self, store: str, operation: str, answer: Mapping[str, float]) -> None:
        clocks = self.took.setdefault((store, operation), {"cpu": [], "wall": []})
        for clock, values in clocks.items():
            values.append(answer[clock])

    def ratio(self, store: str, operation: str, clock: str = "cpu") -> float:
        """The median over the rounds of what it took, in multiples of Chroma's."""
        base = "add" if operation not in (*READS, "batch") else "query"
        base = "batch" if operation == "batch" else base
        theirs = self.took["Chroma", base][clock]
        ours = self.took[store, operation][clock]
        return statistics.median(mine / their for mine, their in zip(ours, theirs, strict=True))

    def cold(self, store: str, clock: str = "cpu") -> float:
        pairs = zip(self.first[store][clock], self.first["Chroma"][clock], strict=True)
        return statistics.median(mine / their for mine, their in pairs)


def exponent(sizes: Sequence[Size], figures: Sequence[float]) -> float:
    """With which power of the number of memories a figure grows; 0 of one size."""
    if len(sizes) < 2:
        return 0.0
    counts = np.log([size.count for size in sizes])
    return float(np.polyfit(counts, np.log(figures), 1)[0])


def median_of(size: Size, store: str, operation: str, clock: str = "cpu") -> float:
    return statistics.median(size.took[store, operation][clock])


def enter(sizes: Sequence[Size]) -> bool:
    """Hold the bounds, write the table and draw the figures; True if all bounds hold."""
    FIGURES.mkdir(exist_ok=True)
    _draw_latency(sizes[0], FIGURES / "latency.svg")
    _draw_growth(sizes, FIGURES / "growth.svg")
    measurements.enter(
        {
            "name": "ratios",
            "title": "Beside Chroma: one table of ratios",
            "made_by": f"python tests/bench/bench_ratios.py {' '.join(str(s.count) for s in sizes)}",
            "columns": ["what", *(f"{size.count:,} memories: CPU (wall)" for size in sizes)],
            "rows": [*_operation_rows(sizes), *_other_rows(sizes)],
            "note": "Multiples of Chroma's `query` with documents and metadata, or of its `add`, in the same round; "
            "medians of the rounds. Vectors of 384 dimensions are given: nothing is embedded. The floor is an exact "
            "search with numpy, rows of SQLite, and one durable commit of a text with its vector. "
            f"The load of the machine was {os.getloadavg()[2]:.0f} on {os.cpu_count()} cores: beside other work "
            "several threads get a larger share of the wall clock than one, and only CPU is to be compared.",
            "figure": {"path": "figures/latency.svg", "about": _LATENCY},
        }
    )
    measurements.enter(
        {
            "name": "ratios-growth",
            "title": "Growth",
            "made_by": "the same run",
            "columns": ["what", "exponent"],
            "rows": _growth_rows(sizes),
            "note": "The power of the number of memories with which CPU grows.",
            "figure": {"path": "figures/growth.svg", "about": _GROWTH},
        }
    )
    return all(_bounds(sizes))


def _operation_rows(sizes: Sequence[Size]) -> list[list[str]]:
    rows = []
    for store, operation in sizes[0].took:
        cells = []
        for size in sizes:
            found = (store, operation) in size.took
            cells.append(_cell(size, store, operation) if found else "")
        rows.append([f"{store}: {operation}", *cells])
    return sorted(rows, key=lambda row: row[0].split(": ")[1] not in READS)


def _cell(size: Size, store: str, operation: str) -> str:
    cpu, wall = (size.ratio(store, operation, clock) for clock in ("cpu", "wall"))
    return f"{cpu:.2f} ({wall:.2f})"


def _other_rows(sizes: Sequence[Size]) -> list[list[str]]:
    first = [f"{s.cold('cogmem'):.2f} ({s.cold('cogmem', 'wall'):.2f})" for s in sizes]
    disk = [f"{s.disk['cogmem']:,.0f} ({s.disk['cogmem'] / s.disk['Chroma']:.2f})" for s in sizes]
    return [
        ["from start to the first answer", *first],
        [
            f"recalls a second by {THREADS} threads, of those by one (CPU of each)",
            *(_threads(s, "cogmem") for s in sizes),
        ],
        [
            f"the same, Chroma's queries by {THREADS} threads",
            *(_threads(s, "Chroma") for s in sizes),
        ],
        ["bytes on disk a memory (of Chroma's)", *disk],
        ["MB above bare Python with numpy, after a recall", *(f"{s.rss:.0f}" for s in sizes)],
        ["threads", *(str(s.threads) for s in sizes)],
    ]


def _threads(size: Size, store: str) -> str:
    wall, cpu = (statistics.median(size.concurrency[store][clock]) for clock in ("wall", "cpu"))
    return f"{wall:.2f} ({cpu:.2f})"


def _growth_rows(sizes: Sequence[Size]) -> list[list[str]]:
    rows = []
    for store, operation in (
        ("cogmem", "recall"),
        ("cogmem", "remember"),
        ("Chroma", "query"),
        ("Chroma", "add"),
    ):
        power = exponent(sizes, [median_of(size, store, operation) for size in sizes])
        rows.append([f"{store}: {operation}", f"{power:.2f}"])
    first = [statistics.median(size.first["cogmem"]["cpu"]) for size in sizes]
    rows.append(["cogmem: from start to the first answer", f"{exponent(sizes, first):.2f}"])
    return rows


def _bounds(sizes: Sequence[Size]) -> list[bool]:
    found = []
    for size in sizes:
        count = f"{size.count:,}"
        if bound := BOUNDS.get(size.count):
            found.append(
                held(
                    f"recall at {count}, of Chroma's query, CPU",
                    size.ratio("cogmem", "recall"),
                    bound,
                    "x",
                )
            )
        if bound := COLD_BOUNDS.get(size.count):
            found.append(
                held(f"first answer at {count}, of Chroma's, CPU", size.cold("cogmem"), bound, "x")
            )
        together, cpu = (
            statistics.median(size.concurrency["cogmem"][clock]) for clock in ("wall", "cpu")
        )
        found += [
            held(f"{THREADS} threads at {count}, of one", together, 0.95, "x", at_least=True),
            held(f"CPU of a recall by {THREADS} threads at {count}, of one", cpu, 1.2, "x"),
        ]
        disk = size.disk["cogmem"] / size.disk["Chroma"]
        found.append(held(f"disk at {count}, of Chroma's", disk, 1.2, "x"))
    small = sizes[0]
    found.append(held(f"memory at {small.count:,}, above bare Python", small.rss, 100, "MB"))
    found.append(held("threads", small.threads, 4))
    return found


def _draw_latency(size: Size, path: Path) -> None:
    """Searches and writes of each store, as SVG; the same bytes for the same figures."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": "latency", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(9, 4), layout="constrained")
        for axes, reads in zip(figure.subplots(1, 2), (True, False), strict=True):
            rows = [key for key in size.took if (key[1] in READS) == reads and key[1] != "batch"]
            rows.sort(key=lambda key: size.ratio(*key))
            values = [size.ratio(*key) for key in rows]
            colours = ["black" if store == "cogmem" else "grey" for store, _ in rows]
            axes.barh(range(len(rows)), values, color=colours)
            axes.set_yticks(range(len(rows)), [f"{store}: {name}" for store, name in rows])
            axes.axvline(1.0, color="grey", linewidth=0.8)
            base = "query" if reads else "add"
            axes.set_title(f"{size.count:,} memories, multiples of Chroma's {base}", fontsize=9)
            axes.grid(axis="x", alpha=0.3)
        figure.savefig(path, format="svg", metadata={"Date": None})


def _draw_growth(sizes: Sequence[Size], path: Path) -> None:
    """CPU of one operation by the number of memories, as SVG."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": "growth", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(6, 3.5), layout="constrained")
        axes = figure.subplots()
        counts = [size.count for size in sizes]
        for store, colour in zip(LARGE[:2], ("black", "grey"), strict=True):
            names = ("recall", "remember") if store == "cogmem" else ("query", "add")
            for name, style in zip(names, ("o-", "s--"), strict=True):
                taken = [median_of(size, store, name) * 1000 for size in sizes]
                axes.loglog(
                    counts, taken, style, color=colour, label=f"{store}: {name}", markersize=4
                )
        axes.set_xlabel("memories")
        axes.set_ylabel("ms of processor time")
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
        figure.savefig(path, format="svg", metadata={"Date": None})
