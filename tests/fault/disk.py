"""Disks that fill up, fail, or are read-only: typed errors, and nothing that was acknowledged is lost.

Ways: system calls that fail (`strace`), a limit on the size of files, a small file system in memory that is filled up
or made read-only. Afterwards there is room again, and the bank must be as it was acknowledged and usable.
"""

import random
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

from fault.expected import Model, read_notes, traces
from fault.harness import Yard

# Not `write`: threads wake each other with it, and no disk is at fault when that fails.
CALLS = ("pwrite64", "fsync", "fdatasync", "ftruncate", "unlink", "mkdir", "rename")
ERRORS = ("ENOSPC", "EIO")
_OPERATIONS = 24


class Disk:
    """Runs random operations while the disk fails."""

    def __init__(self, yard: Yard, place: Path, seed: int) -> None:
        self.yard, self.place, self.rng, self._seed = (
            yard,
            place,
            random.Random(seed),
            seed * 100_000,
        )
        self.counts: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.acknowledged = 0
        self.struck = 0
        self.troubles: list[str] = []

    def inject(self, count: int) -> None:
        """System calls fail: from the n-th call of a thread on, for a while or to the end."""
        for _ in range(count):
            call, error = self.rng.choice(CALLS), self.rng.choice(ERRORS)
            first = int(1.6 ** self.rng.uniform(0, 8))
            last = self.rng.choice(
                (f"{first}", f"{first}..{first + self.rng.randint(1, 30)}", f"{first}+")
            )
            kill = {"mode": "syscall", "inject": f"{call}:error={error}:when={last}"}
            self.counts[f"{error} on {call}"] += 1
            self._life(self.place / "disk", f"{error} on {call} {last}", kill=kill)
            if len(self.troubles) > 20:
                return

    def limit(self, count: int) -> None:
        """No file may grow beyond a size that is reached soon; then it may again, in the same process."""
        for _ in range(count):
            self.counts["limit on the size of files"] += 1
            more = {"file_bytes": self.rng.randint(0, 60) * 4_096}
            self._life(self.place / "disk", f"files may grow by {more['file_bytes']}", **more)

    def small(self, count: int) -> bool:
        """A file system without room; False if none can be mounted here."""
        place = self.place / "small"
        place.mkdir(exist_ok=True)
        command = ["mount", "-t", "tmpfs", "-o", "size=16m", "cogmem-fault", str(place)]
        if (
            shutil.which("mount") is None
            or subprocess.run(command, capture_output=True, check=False).returncode
        ):
            return False
        try:
            for number in range(count):
                self.counts["full file system"] += 1
                free = self.rng.randint(0, 80) * 4_096
                self._life(
                    place / f"bank{number}",
                    f"{free} bytes are left",
                    ballast=str(place / "ballast"),
                    free=free,
                )
                shutil.rmtree(place / f"bank{number}", ignore_errors=True)
                # What the bank was exported to lies beside it.
                (place / f"bank{number}-export.jsonl").unlink(missing_ok=True)
            self._read_only(place)
        finally:
            subprocess.run(["umount", str(place)], check=False)
        return True

    def _read_only(self, place: Path) -> None:
        folder = place / "bank"
        self.yard.value("jobs:filled", {"folder": str(folder), "memories": 20})
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        answer = self.yard.run("jobs:refused", {"folder": str(folder)})
        subprocess.run(["mount", "-o", "remount,rw", str(place)], check=True)
        self.counts["read-only file system"] += 1
        if answer["end"] != "done" or not str(answer["value"]).startswith("StoreError: "):
            self.troubles.append(f"a read-only file system: {answer['end']} {answer.get('value')}")
        found = self.yard.value("survey:checked", {"folder": str(folder), "hours": 1})
        self.troubles += found["troubles"]

    def _life(
        self, folder: Path, where: str, *, kill: dict[str, Any] | None = None, **more: Any
    ) -> None:
        """A first part on a sound disk, a second on a failing one, then the check."""
        self._seed += 1
        notes, model = self.place / "notes.jsonl", Model(strained=True)
        shutil.rmtree(folder, ignore_errors=True)
        notes.unlink(missing_ok=True)
        arg = {
            "folder": str(folder),
            "notes": str(notes),
            "seed": self._seed,
            "hours": 0,
            "operations": 6,
        }
        self.yard.value("workload:mixed", arg)
        arg |= {"seed": self._seed + 50_000, "hours": 1, "operations": _OPERATIONS, **more}
        answer = self.yard.run(
            "workload:strained", arg, timeout=120, **({"kill": kill} if kill else {})
        )
        where = f"seed {self._seed}, {where}"
        if answer["end"] != "done":
            self.troubles.append(f"{where}: {answer['end']}")
        self.troubles += [f"{where}: {trouble}" for trouble in model.hear(read_notes(notes))]
        checked = self.yard.run(
            "survey:checked", {"folder": str(folder), "hours": 2, "look": self.rng.random() < 0.5}
        )
        self.acknowledged += model.acknowledged
        self.refused += model.refused
        self.struck += bool(model.refused)
        if checked["end"] != "done":
            self.troubles.append(f"{where}: the check {checked['end']}")
            return
        found = checked["value"]
        wrong = [*found["troubles"], *model.compare(found), *traces(folder, model.gone)]
        self.troubles += [f"{where}: {trouble}" for trouble in wrong]
