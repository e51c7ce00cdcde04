"""Breaks banks on purpose and tells what was left: python tests/fault/run.py [--points N] [--seed S] [--only NAME ...]

Exit code 0 if every bank was whole, 1 if one was not (or, where CI is set, if a part could not be run), 2 for wrong
usage. `make fault` runs everything; `make test` runs a sample.
"""

import argparse
import os
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fault.damage import Damages
from fault.disk import Disk
from fault.exits import Exits
from fault.harness import Yard, has_strace, plainly
from fault.interrupts import KINDS, Interrupts
from fault.kills import FOCUS, MODES, Campaign
from fault.power import Power, compiled
from fault.processes import relay, together
from fault.soak import slope
from helpers.servers import in_memory

_TOLD = Path(
    "dist/fault-troubles.txt"
)  # every trouble with its stacks; the table shows a line of each
_SHARE = 0.075  # of all kill points, for each piece of work in FOCUS; the least is 50 of 1,000


@dataclass
class Part:
    """What one part of the run found: rows of the table, and what is wrong."""

    rows: list[tuple[str, str, str]] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def row(self, what: str, how_often: object, result: str) -> None:
        """A line of the table."""
        self.rows.append(
            (what, f"{how_often:,}" if isinstance(how_often, int) else str(how_often), result)
        )


@dataclass(frozen=True)
class Order:
    """What to do: about so many kill points, from a seed, in a folder."""

    points: int
    seed: int
    folder: Path
    console: Console

    def tell(self, how_far: str) -> None:
        """How far it has come, on one line, where a person watches."""
        if self.console.is_terminal:
            self.console.print(f"\r{how_far:70}", end="" if how_far else "\n")
        elif how_far.split(" ", maxsplit=1)[0][-2:] == "00":
            self.console.print(how_far)


def kills(order: Order) -> Part:
    """Kill points."""
    part, modes = Part(), [mode for mode in MODES if mode != "syscall" or has_strace()]
    part.missing += (
        ["kills at system calls: strace is missing or may not attach"]
        if len(modes) < len(MODES)
        else []
    )
    started = time.monotonic()
    with Yard() as yard:
        campaign = Campaign(yard, order.folder, order.seed, modes)
        tally = campaign.tally

        def progress() -> None:
            spent = time.monotonic() - started
            order.tell(f"{tally.total} kills, {len(tally.troubles)} troubles, {spent:.0f} s")

        each = max(1, round(order.points * _SHARE))
        for name in FOCUS:
            campaign.focus(name, each, progress=progress)
        campaign.mixed(max(1, order.points - tally.total), progress=progress)
    order.tell("")
    for name in ("mixed", *FOCUS):
        found = {
            mode: sum(n for (s, m), n in tally.kills.items() if s.split()[0] == name and m == mode)
            for mode in modes
        }
        told = ", ".join(f"{mode} {number}" for mode, number in found.items())
        part.row(f"kills: {name}", sum(found.values()), told)
    passed = sorted(name for name in tally.points if ":" in name or " " in name)
    part.row("kills: distinct failpoints", len(passed), "")
    part.row("kills: runs that ended before their point", tally.survived, "checked like the others")
    part.row(
        "kills: acknowledged operations",
        tally.acknowledged,
        "0 lost" if not tally.troubles else "see below",
    )
    part.row(
        "kills: operations refused with a typed error",
        sum(tally.refused.values()),
        str(dict(tally.refused) or ""),
    )
    part.troubles += tally.troubles
    return part


def interrupts(order: Order) -> Part:
    """Single interrupts: as many of each group of methods in each place as there are points."""
    part, each = Part(), max(1, order.points // 2)
    with Yard() as yard:
        campaign = Interrupts(yard, order.folder, order.seed)
        campaign.run(
            each, progress=lambda: order.tell(f"{sum(campaign.counts.values())} interrupts")
        )
    order.tell("")
    for cell, number in campaign.counts.items():
        found = [one for one in campaign.troubles if one.startswith(" ".join(cell))]
        told = {kind: sum(f": {kind}: " in one for one in found) for kind in KINDS}
        part.row("interrupts: {}, {}, traceback {}".format(*cell), number, _listed(told))
    part.row("interrupts: exceptions", campaign.kinds.total(), _listed(campaign.kinds))
    part.row(
        "calls that ended before their interrupt", campaign.unnoticed, "checked like the others"
    )
    part.troubles += campaign.troubles
    return part


def exits(order: Order) -> Part:
    """Processes that end without `close()`."""
    part, count = Part(), round(order.points * 0.06)
    leaving = Exits(order.folder, order.seed)
    leaving.run(count, progress=lambda: order.tell(f"{leaving.counts.total()} exits"))
    order.tell("")
    killed = sum(": ended by " in one for one in leaving.troubles)
    part.row(
        "exits without close()",
        leaving.counts.total(),
        f"{killed} by a signal; {_listed(leaving.counts)}",
    )
    part.troubles += leaving.troubles
    return part


def damage(order: Order) -> Part:
    """Damaged index files."""
    part, count = Part(), round(order.points * 0.6)
    with Yard() as yard:
        damages = Damages(yard, order.folder, order.seed)
        damages.run(count)
    kinds = Counter(kind for kind, _ in damages.counts.elements())
    part.row("damaged index files", sum(damages.counts.values()), _listed(kinds))
    part.row(
        "of these after a clean close",
        sum(n for (_, s), n in damages.counts.items() if s == "clean"),
        "",
    )
    part.row(
        "rebuilt with no embedding call", sum(damages.counts.values()) - len(damages.troubles), ""
    )
    part.troubles += damages.troubles
    return part


def disk(order: Order) -> Part:
    """Disks that fail or fill up."""
    part, count = Part(), round(order.points * 0.3)
    with Yard() as yard:
        failing = Disk(yard, order.folder, order.seed)
        if has_strace():
            failing.inject(count * 6 // 10)
        else:
            part.missing.append("failing system calls: strace is missing or may not attach")
        failing.limit(count * 3 // 10)
        if not failing.small(count // 10):
            part.missing.append("a full file system: none can be mounted here")
    part.row("disk faults", sum(failing.counts.values()), _listed(failing.counts))
    part.row("runs in which one was met", failing.struck, f"refused: {_listed(failing.refused)}")
    part.row(
        "acknowledged operations",
        failing.acknowledged,
        "0 lost" if not failing.troubles else "see below",
    )
    part.troubles += failing.troubles
    return part


def power(order: Order) -> Part:
    """Power cuts."""
    part, library = Part(), compiled(order.folder)
    if library is None:
        part.missing.append("power cuts: there is no C compiler")
        return part
    cuts = Power(order.folder, library, order.seed)
    try:
        cuts.run(order.points // 10)
    finally:
        cuts.close()
    part.row("power cuts", cuts.cuts, f"{cuts.rolled_back:,} files went back to their last fsync")
    part.row(
        "acknowledged operations", cuts.acknowledged, "0 lost" if not cuts.troubles else "see below"
    )
    part.troubles += cuts.troubles
    return part


def processes(order: Order) -> Part:
    """Two processes write while two others recall; three work, and one after the other is killed."""
    part, count = Part(), order.points * 5
    result = together(order.folder / "bank", count)
    recalls = sum(said.get("recalls", 0) for said in result["told"].values())
    part.row(
        "two writers beside two readers: memories",
        2 * count,
        "0 lost" if not result["troubles"] else "see below",
    )
    part.row("their recalls", recalls, f"{result['seconds']:.0f} s in all")
    part.troubles += result["troubles"]
    kills = order.points // 10
    result = relay(order.folder / "relay", kills, order.seed)
    part.row(
        "three at work, one after the other killed",
        kills,
        f"{result['acknowledged']:,} memories acknowledged",
    )
    part.row(
        "their erasures", result["erased"], "0 lost" if not result["troubles"] else "see below"
    )
    part.troubles += result["troubles"]
    return part


def soak(order: Order) -> Part:
    """Long use with a moved clock."""
    part, operations = Part(), order.points * 200
    with Yard() as yard:
        arg = {"folder": str(order.folder / "bank"), "seed": order.seed, "operations": operations}
        answer = yard.run("soak:soak", arg, timeout=24 * 3600)
    if answer["end"] != "done":
        part.troubles.append(f"soak: {answer['end']}")
        return part
    told = answer["value"]
    samples = {name: [one.get(name, 0) for one in told["samples"]] for name in told["samples"][-1]}
    part.row(
        "soak: operations",
        operations,
        f"{told['hours']:,.0f} hours by the clock; {_listed(told['told'])}",
    )
    for name, most in (
        ("rss", 0.05),
        ("used", 0.1),
        ("index", 0.1),
        ("files", 0.1),
        ("memories", 1.0),
    ):
        grown = slope(samples[name])
        part.row(
            f"soak: {name}, first and last",
            f"{samples[name][0]:,} {samples[name][-1]:,}",
            f"{grown:+.1%}",
        )
        # A part of what grows is more memories.
        per_memory = (1 + grown) / max(1.0, 1 + slope(samples["memories"])) - 1
        part.troubles += [f"soak: {name} grew by {grown:.1%}"] if per_memory > most else []
    part.troubles += [f"soak: the doctor found: {finding}" for finding in told["findings"]]
    return part


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in sorted(counts.items()))


WHO = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
PARTS: dict[str, Callable[[Order], Part]] = {
    "kills": kills,
    "interrupts": interrupts,
    "exits": exits,
    "damage": damage,
    "disk": disk,
    "power": power,
    "processes": processes,
    "soak": soak,
}


def processor_seconds() -> float:
    """Of this process and of those that it has seen end."""
    return sum(sum(resource.getrusage(who)[:2]) for who in WHO)


def main() -> int:
    """Run what is asked for and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument(
        "--points", type=int, default=1_000, help="kill points, and the measure of the other parts"
    )
    parser.add_argument("--seed", type=int, default=1, help="of all that is random")
    parser.add_argument(
        "--only", action="append", choices=PARTS, help="only this part; may be repeated"
    )
    given = parser.parse_args()
    console = Console(highlight=False, markup=False)
    in_memory()
    folder = Path(tempfile.mkdtemp(prefix="cogmem-fault-"))
    table = Table("what", "times", "result", title=f"cogmem under faults, seed {given.seed}")
    troubles, missing = [], []
    try:
        for name in given.only or PARTS:
            (folder / name).mkdir()
            started, spent = time.monotonic(), processor_seconds()
            part = PARTS[name](Order(given.points, given.seed, folder / name, console))
            for row in part.rows:
                table.add_row(*row)
            table.add_row(
                f"{name}: seconds",
                f"{time.monotonic() - started:.0f}",
                f"{processor_seconds() - spent:.0f} of the processor",
                end_section=True,
            )
            troubles += part.troubles
            missing += part.missing
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    console.print(table)
    for one in missing:
        console.print(f"not run: {one}")
    for one in troubles[:50]:
        where, _, what = one.partition(": ")
        console.print(f"trouble: {where}: {plainly(what)}")
    console.print(f"{len(troubles)} troubles")
    if troubles:
        _TOLD.parent.mkdir(exist_ok=True)
        _TOLD.write_text("\n\n".join(troubles))
        console.print(f"all of them in full: {_TOLD}")
    return 1 if troubles or (missing and os.environ.get("CI")) else 0


if __name__ == "__main__":
    sys.exit(main())
