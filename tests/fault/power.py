"""Power cuts: the process is killed, and every file goes back to what it held at its last fsync.

A small library in front of the C library (`fsync_shadow.c`, compiled here) copies a file whenever it was synced. What
was never synced is empty afterwards. That a file exists, or not, counts as known to the disk at once.
"""

import random
import shutil
import subprocess
from pathlib import Path

from fault.expected import Model, read_notes, traces
from fault.harness import HERE, Yard

_ROUNDS = 4
_OPERATIONS = 40


def compiled(folder: Path) -> Path | None:
    """The library; None where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    library = folder / "fsync_shadow.so"
    command = [
        compiler,
        "-shared",
        "-fPIC",
        "-O1",
        "-o",
        str(library),
        str(HERE / "fsync_shadow.c"),
        "-ldl",
    ]
    done = subprocess.run(command, capture_output=True, check=False)
    return library if done.returncode == 0 else None


def cut(folder: Path, shadows: Path) -> int:
    """Set every file back to its last synced state; returns how many were."""
    changed = 0
    for path in [
        one for one in folder.rglob("*") if one.is_file() and not one.name.endswith("-shm")
    ]:
        kept = shadows / str(path.stat().st_ino)
        durable = kept.read_bytes() if kept.exists() else b""
        if path.read_bytes() != durable:
            path.write_bytes(durable)
            changed += 1
    for path in folder.rglob("*-shm"):
        path.unlink()
    return changed


class Power:
    """Random operations, a kill and a power cut, again and again on one bank."""

    def __init__(self, place: Path, library: Path, seed: int) -> None:
        self.place, self.rng, self._seed = place, random.Random(seed), seed * 100_000
        self.shadows = place / "shadows"
        self.shadows.mkdir()
        self.yard = Yard({"LD_PRELOAD": str(library), "COGMEM_SHADOW": str(self.shadows)})
        self.cuts = self.rolled_back = self.acknowledged = 0
        self.troubles: list[str] = []

    def run(self, count: int) -> None:
        """So many power cuts."""
        while self.cuts < count and len(self.troubles) < 20:
            self._life(min(_ROUNDS, count - self.cuts))

    def _life(self, rounds: int) -> None:
        folder, notes, model = self.place / "bank", self.place / "notes.jsonl", Model()
        shutil.rmtree(folder, ignore_errors=True)
        for kept in self.shadows.iterdir():
            kept.unlink()
        for number in range(rounds):
            self._seed += 1
            notes.unlink(missing_ok=True)
            arg = {"folder": str(folder), "notes": str(notes), "seed": self._seed, "hours": number}
            kill = {"mode": "clock", "delay": self.rng.uniform(0, 0.8)}
            end = self.yard.run("workload:mixed", {**arg, "operations": _OPERATIONS}, kill=kill)[
                "end"
            ]
            self.cuts += 1
            self.rolled_back += cut(folder, self.shadows)
            wrong = [] if end in ("killed", "done") else [end]
            wrong += model.hear(read_notes(notes))
            answer = self.yard.run(
                "survey:checked", {"folder": str(folder), "hours": number + 0.5, "look": True}
            )
            if answer["end"] == "done":
                wrong += [
                    *answer["value"]["troubles"],
                    *model.compare(answer["value"]),
                    *traces(folder, model.gone),
                ]
            else:
                wrong.append(f"the check {answer['end']}")
            self.troubles += [f"seed {self._seed}: {one}" for one in wrong]
        self.acknowledged += model.acknowledged

    def close(self) -> None:
        """End the process."""
        self.yard.close()
