"""Kill points: a bank is worked on, the process is killed, the bank is compared with what had been acknowledged."""

import itertools
import json
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fault.expected import Model, read_notes, traces
from fault.harness import FAILPOINTS, SYSTEM_CALLS, Answer, Yard
from fault.jobs import copied

MODES = ("clock", "failpoint", "syscall")
FOCUS = ("dream", "rebuild", "erase", "migrate", "import")
DAYS = 90  # what was lived fades within
_ROUNDS = 6  # kills that one bank lives through
_VISITED = (
    1 / 3
)  # of the processes: meanwhile another one opens and closes the ledger again and again
_MORE = 12  # a process that is to be killed has so many times more to do than one that is timed and counted
_EARLY = 0.3  # of what was timed and counted: under the hook all takes longer than a process that is to be killed


@dataclass
class Tally:
    """What came of the kill points."""

    kills: Counter[tuple[str, str]] = field(default_factory=Counter)
    points: Counter[str] = field(default_factory=Counter)
    survived: int = 0
    acknowledged: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    troubles: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        return sum(self.kills.values())

    def trouble(self, where: str, what: Iterable[str]) -> None:
        self.troubles += [f"{where}: {one}" for one in what]


class Killer:
    """Chooses where to kill, evenly over the modes and over the failpoints that a scenario passes."""

    def __init__(self, yard: Yard, rng: random.Random, modes: Iterable[str]) -> None:
        self.yard, self.rng, self.modes = yard, rng, tuple(modes)
        self._counts: dict[str, dict[str, int]] = {}
        self._seconds: dict[str, float] = {}
        self._turn = 0
        self._seen: Counter[str] = Counter()

    def learn(self, scenario: str, do: str, arg: dict[str, Any]) -> None:
        """Do a scenario's work undisturbed, to learn how long it takes and which failpoints it passes."""
        plain = self.yard.run(do, arg, count=list(FAILPOINTS))
        assert plain["end"] == "done", plain["end"]
        self._counts[scenario] = {name: count for name, count in plain["counts"].items() if count}
        self._seconds[scenario] = plain["seconds"]

    def known(self, scenario: str) -> bool:
        return scenario in self._counts

    def plan(self, scenario: str) -> dict[str, Any]:
        """Where to kill next."""
        mode = self.modes[self._turn % len(self.modes)]
        self._turn += 1
        if mode == "clock":
            return {"mode": mode, "delay": self.rng.uniform(0, self._seconds[scenario] * _EARLY)}
        if mode == "syscall":
            name, number = self.rng.choice(SYSTEM_CALLS), int(1.6 ** self.rng.uniform(0, 9))
            return {"mode": mode, "inject": f"{name}:signal=KILL:when={number}"}
        counts = self._counts[scenario]
        fewest = min(self._seen[name] for name in counts)
        name = self.rng.choice([name for name in counts if self._seen[name] == fewest])
        self._seen[name] += 1
        return {
            "mode": mode,
            "name": name,
            "n": self.rng.randint(1, max(1, int(counts[name] * _EARLY))),
        }

    def kill(self, tally: Tally, scenario: str, do: str, arg: dict[str, Any]) -> str:
        """Run a scenario once and count how it ended; returns where it was killed, "" if it was not."""
        kill = self.plan(scenario)
        if kill["mode"] == "failpoint":  # random work need not pass it
            arg = {**arg, "each": True}
        visited = self.rng.random() < _VISITED
        more = {"visit": str(Path(arg["folder"]).resolve() / "ledger.sqlite")} if visited else {}
        answer = self.yard.run(do, arg, kill=kill, **more)
        where = f"{scenario}, visited, " if visited else f"{scenario}, "
        where += (
            f"{kill['mode']} {kill.get('name') or kill.get('inject') or round(kill['delay'], 3)}"
        )
        where += f" #{kill['n']}" if "n" in kill else ""
        if answer["end"] == "killed":
            tally.kills[scenario, kill["mode"]] += 1
            tally.points[
                kill.get("name") or kill.get("inject", "").partition(":")[0] or "clock"
            ] += 1
            return where
        if answer["end"] == "done":
            tally.survived += 1
            return ""
        tally.trouble(where, [answer["end"]])
        return ""


class Campaign:
    """Kill points in `place`, a folder for the banks; random work is killed within about so many `operations`."""

    def __init__(
        self, yard: Yard, place: Path, seed: int, modes: Iterable[str], *, operations: int = 12
    ) -> None:
        self.yard, self.place, self.rng = yard, place, random.Random(seed)
        self._operations = operations
        self.killer, self.tally, self._seed = Killer(yard, self.rng, modes), Tally(), seed * 100_000

    def mixed(self, points: int, *, progress: Callable[[], object] = lambda: None) -> None:
        """At least so many kills of random operations, several on each bank."""
        until = self.tally.total + points
        while self.tally.total < until and len(self.tally.troubles) < 20:
            self._life(until)
            progress()

    def _life(self, until: int) -> None:
        folder, model = self.place / "mixed", Model()
        notes = self.place / "notes.jsonl"
        shutil.rmtree(folder, ignore_errors=True)
        for number in range(_ROUNDS):
            if self.tally.total >= until:
                break
            self._seed += 1
            arg = {"folder": str(folder), "notes": str(notes), "seed": self._seed, "hours": number}
            arg |= {"operations": _MORE * self._operations, "from_start": self.rng.random() < 0.2}
            if not self.killer.known("mixed"):
                counted = {
                    **arg,
                    "folder": str(self.place / "counted"),
                    "operations": self._operations,
                    "each": True,
                }
                self.killer.learn("mixed", "workload:mixed", counted)
                shutil.rmtree(self.place / "counted")
            notes.unlink(missing_ok=True)
            where = self.killer.kill(self.tally, "mixed", "workload:mixed", arg)
            self._verify(f"seed {self._seed} ({where or 'survived'})", folder, model, notes, number)
        self.tally.acknowledged += model.acknowledged
        self.tally.refused += model.refused

    def _verify(self, where: str, folder: Path, model: Model, notes: Path, number: int) -> None:
        self.tally.trouble(where, model.hear(read_notes(notes)))
        result = self.place / "result.json"
        tidy = self.rng.random() < 0.6
        arg = {"folder": str(folder), "hours": number + 0.5, "look": self.rng.random() < 0.5}
        answer = self.yard.run("survey:checked", {**arg, "tidy": tidy, "result": str(result)})
        if "value" not in answer:  # it failed, or ended as it was
            told = json.loads(result.read_text()) if result.exists() else None
            result.unlink(missing_ok=True)
            if told is None:
                self.tally.trouble(where, [f"the check {answer['end']}"])
                return
            answer["value"] = told
        found = answer["value"]
        self.tally.trouble(where, found["troubles"])
        self.tally.trouble(where, model.compare(found))
        self.tally.trouble(where, traces(folder, model.gone))

    def focus(
        self, scenario: str, points: int, *, progress: Callable[[], object] = lambda: None
    ) -> None:
        """At least so many kills within one piece of work, each on a fresh copy of the same bank."""
        run = getattr(self, f"_{scenario}")(self.place / scenario)
        count = 0
        while count < points and len(self.tally.troubles) < 20:
            count += bool(run())
            progress()
        shutil.rmtree(self.place / scenario)

    def _copy(self, template: Path) -> Path:
        return copied(template, template.with_name("killed"))

    def _checked(self, folder: Path, where: str, **more: Any) -> Answer | None:
        arg = {"folder": str(folder), "hours": 2, "look": self.rng.random() < 0.5, **more}
        answer = self.yard.run("survey:checked", arg)
        if answer["end"] != "done":
            self.tally.trouble(where, [f"the check {answer['end']}"])
            return None
        self.tally.trouble(where, answer["value"]["troubles"])
        found: Answer = answer["value"]
        return found

    def _try(self, scenario: str, do: str, template: Path, arg: dict[str, Any]) -> str:
        folder = self._copy(template)
        given = {**arg, "folder": str(folder)}
        key = f"{scenario} {arg.get('variant', '')}".strip()
        if not self.killer.known(key):
            self.killer.learn(key, do, given)
            self._copy(template)
        return self.killer.kill(self.tally, key, do, given)

    def _dream(self, place: Path) -> Callable[[], str]:
        template = place / "template"
        self.yard.value("jobs:lived", {"folder": str(template)})
        whole = self.yard.value(
            "survey:stations", {"folder": str(self._copy(template)), "days": DAYS}
        )
        assert sum(one != other for one, other in itertools.pairwise(whole)) >= 4

        def run() -> str:
            where = self._try("dream", "jobs:dream", template, {"days": DAYS})
            answer = self.yard.run(
                "survey:dreamt", {"folder": str(template.with_name("killed")), "days": DAYS}
            )
            if answer["end"] != "done":
                self.tally.trouble(where, [f"the check {answer['end']}"])
                return where
            found = answer["value"]
            self.tally.trouble(where, found["troubles"])
            if found["state"] not in whole:
                self.tally.trouble(where, ["the bank is not as after a whole step"])
            if not (found["ran"] or found["ran_later"]):
                self.tally.trouble(where, ["the lease never runs out"])
            if not set(found["runs_after"]) <= {"done", "interrupted"}:
                self.tally.trouble(where, [f"runs are {found['runs_after']}"])
            if [row[:3] for row in found["final"]] != [row[:3] for row in whole[-1]]:
                self.tally.trouble(where, ["the next cycle does not complete what was begun"])
            return where

        return run

    def _rebuild(self, place: Path) -> Callable[[], str]:
        clean, torn = place / "clean", place / "torn"
        self.yard.value("jobs:filled", {"folder": str(clean), "memories": 60})
        copied(clean, torn)
        self.yard.run(
            "workload:mixed",
            {**self._arg(torn), "from_start": False},
            kill={"mode": "clock", "delay": 0.3},
        )
        (place / "n.jsonl").unlink(missing_ok=True)
        self.yard.run(
            "survey:checked",
            {"folder": str(torn), "hours": 1, "tidy": False, "result": str(place / "r")},
        )
        turn = iter(range(10**9))

        def run() -> str:
            how = "open" if next(turn) % 2 else "reindex"
            template = torn if how == "open" else clean
            where = self._try("rebuild", "jobs:rebuild", template, {"how": how, "variant": how})
            self._checked(template.with_name("killed"), where)
            return where

        return run

    def _arg(self, folder: Path) -> dict[str, Any]:
        return {
            "folder": str(folder),
            "notes": str(folder.parent / "n.jsonl"),
            "seed": 7,
            "hours": 1,
            "operations": 40,
        }

    def _erase(self, place: Path) -> Callable[[], str]:
        template = place / "template"
        known = self.yard.value("jobs:canary", {"folder": str(template)})
        gone = {bird["name"]: bird["vectors"] for bird in known.values()}
        assert len(traces(template, gone)) > 0
        turn = iter(range(10**9))

        def run() -> str:
            variant = ("", "part", "", "whole")[next(turn) % 4]
            bird = known["part" if variant == "part" else "whole"]
            name = bird["name"]
            meant = f"{name} sings" if variant == "part" else bird["id"]
            whole = variant == "whole"
            arg = {"meant": meant, "whole": whole, "variant": variant}
            where = self._try("erase", "jobs:erase", template, arg)
            folder = template.with_name("killed")
            found = self._checked(folder, where, lease=not whole)
            if found is None:
                return where
            left = [memory for memory in found["memories"] if name in memory["content"]]
            others = len(found["memories"]) - len(left)
            if left and (others != 41 or left[0]["version"] != 2):
                self.tally.trouble(where, [f"half an erasure: {others} others are left"])
            if not left:
                self.tally.trouble(where, traces(folder, gone if whole else {name: gone[name]}))
                expected = {"whole": 0, "part": 42}.get(variant, 41)
                if others != expected:
                    self.tally.trouble(where, [f"{others} others are left, expected {expected}"])
            return where

        return run

    def _migrate(self, place: Path) -> Callable[[], str]:
        template = place / "template"
        self.yard.value("jobs:filled", {"folder": str(template), "memories": 20})
        olds = {}
        for version in (9, 12, 13, 18, 20):
            olds[version] = copied(template, place / f"v{version}")
            self.yard.value("jobs:downgraded", {"folder": str(olds[version]), "version": version})
        turn = iter(range(10**9))

        def run() -> str:
            version = list(olds)[next(turn) % 5]
            where = self._try(
                "migrate", "jobs:migrate", olds[version], {"variant": f"from {version}"}
            )
            folder = olds[version].with_name("killed")
            seen = self.yard.value("survey:version", {"folder": str(folder)})
            self.tally.trouble(where, seen["troubles"])
            if seen["version"] not in (version, seen["newest"]) or seen["memories"] != 25:
                self.tally.trouble(where, [f"half a migration: {seen}"])
            found = self._checked(folder, where, look=False)
            if found is not None and len(found["memories"]) != 20:
                self.tally.trouble(where, ["memories were lost"])
            return where

        return run

    def _import(self, place: Path) -> Callable[[], str]:
        template, empty, file = place / "template", place / "empty", place / "export.jsonl"
        self.yard.value("jobs:filled", {"folder": str(template), "memories": 40})
        self.yard.value("jobs:exported", {"folder": str(template), "file": str(file)})
        wanted = self._contents(
            self.yard.value("survey:checked", {"folder": str(template), "hours": 1})
        )
        self.yard.value("jobs:migrate", {"folder": str(empty)})

        def run() -> str:
            where = self._try("import", "jobs:moved", empty, {"file": str(file)})
            folder = empty.with_name("killed")
            half = self._checked(folder, where, look=False)
            self.yard.value("jobs:moved", {"folder": str(folder), "file": str(file)})
            whole = self._checked(folder, where, look=False)
            if half is None or whole is None:
                return where
            if not set(self._contents(half)) <= set(wanted):
                self.tally.trouble(where, ["a memory was imported by half"])
            if self._contents(whole) != wanted:
                self.tally.trouble(where, ["importing once more does not complete it"])
            return where

        return run

    def _contents(self, found: Answer) -> list[tuple[Any, ...]]:
        return sorted((m["id"], m["content"], m["state"], m["version"]) for m in found["memories"])
