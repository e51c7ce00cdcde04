"""Damaged index files: every one is noticed from the outside, replaced, and nothing is embedded again."""

import os
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fault.harness import Yard
from fault.jobs import copied

MEMORIES = 130  # more than Chroma's threshold here, so that it has written its vector files


def _cut(path: Path, size: int) -> None:
    """Cut a file; one that is empty already gets a byte instead, or nothing would be damaged."""
    os.truncate(path, size if path.stat().st_size else 1)


def _truncate(path: Path, rng: random.Random, foreign: Path) -> None:
    _cut(path, rng.randrange(max(1, path.stat().st_size)))


def _empty(path: Path, rng: random.Random, foreign: Path) -> None:
    _cut(path, 0)


def _flip(path: Path, rng: random.Random, foreign: Path) -> None:
    content = bytearray(path.read_bytes() or b"\0")
    for place in rng.sample(range(len(content)), min(len(content), rng.choice((1, 1, 20)))):
        content[place] ^= 1 << rng.randrange(8)
    path.write_bytes(content)


def _zero(path: Path, rng: random.Random, foreign: Path) -> None:
    content = bytearray(path.read_bytes())
    start = rng.randrange(max(1, len(content)))
    content[start:] = bytes(len(content) - start)
    path.write_bytes(content + b"\0")


def _remove(path: Path, rng: random.Random, foreign: Path) -> None:
    path.unlink()


def _garbage(path: Path, rng: random.Random, foreign: Path) -> None:
    path.write_bytes(rng.randbytes(max(100, path.stat().st_size)))


def _append(path: Path, rng: random.Random, foreign: Path) -> None:
    with path.open("ab") as file:
        file.write(rng.randbytes(rng.randint(1, 5_000)))


def _exchange(path: Path, rng: random.Random, foreign: Path) -> None:
    """The file of another bank."""
    other = next(foreign.rglob(path.name))
    path.write_bytes(
        other.read_bytes() + (b"\0" if other.read_bytes() == path.read_bytes() else b"")
    )


def _link(path: Path, rng: random.Random, foreign: Path) -> None:
    moved = path.rename(foreign.parent / f"moved-{rng.randrange(10**9)}")
    path.symlink_to(moved)


def _dangle(path: Path, rng: random.Random, foreign: Path) -> None:
    path.unlink()
    path.symlink_to(path.with_name("nowhere"))


def _pipe(path: Path, rng: random.Random, foreign: Path) -> None:
    """Who opens it to read waits for ever."""
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path, rng: random.Random, foreign: Path) -> None:
    path.unlink()
    path.mkdir()


def _grow(path: Path, rng: random.Random, foreign: Path) -> None:
    """A sparse file, as a torn list of links becomes."""
    os.truncate(path, 1 << rng.randint(26, 38))


_FILES = (
    _truncate,
    _empty,
    _flip,
    _zero,
    _remove,
    _garbage,
    _append,
    _exchange,
    _link,
    _dangle,
    _pipe,
    _folder,
    _grow,
)


def _gone(chroma: Path, rng: random.Random, foreign: Path) -> None:
    shutil.rmtree(next(chroma.glob("gen-*")))


def _all_gone(chroma: Path, rng: random.Random, foreign: Path) -> None:
    shutil.rmtree(chroma)


def _other(chroma: Path, rng: random.Random, foreign: Path) -> None:
    """Another bank's generation, whole and sound."""
    mine = next(chroma.glob("gen-*"))
    shutil.rmtree(mine)
    shutil.copytree(next((foreign / "chroma").glob("gen-*")), mine)


def _stray(chroma: Path, rng: random.Random, foreign: Path) -> None:
    (next(chroma.glob("gen-*")) / "stray").write_bytes(b"")


def _journal(chroma: Path, rng: random.Random, foreign: Path) -> None:
    header = b"\xd9\xd5\x05\xf9 \xa1c\xd7" + bytes(504)
    (next(chroma.glob("gen-*")) / "chroma.sqlite3-journal").write_bytes(header)


def _segment(chroma: Path, rng: random.Random, foreign: Path) -> None:
    shutil.rmtree(next(chroma.glob("gen-*/*/header.bin")).parent)


def _linked(chroma: Path, rng: random.Random, foreign: Path) -> None:
    mine = next(chroma.glob("gen-*"))
    moved = mine.rename(foreign.parent / f"moved-{rng.randrange(10**9)}")
    mine.symlink_to(moved)


_FOLDERS = (_gone, _all_gone, _other, _stray, _journal, _segment, _linked)


class Damages:
    """Damages copies of one bank, closed cleanly or killed, and has them opened."""

    def __init__(self, yard: Yard, place: Path, seed: int) -> None:
        self.yard, self.place, self.rng = yard, place, random.Random(seed)
        self.counts: Counter[tuple[str, str]] = Counter()
        self.troubles: list[str] = []
        self._clean, self._torn, self._foreign = (
            place / name for name in ("clean", "torn", "foreign")
        )
        yard.value("jobs:filled", {"folder": str(self._clean), "memories": MEMORIES})
        yard.value("jobs:filled", {"folder": str(self._foreign), "memories": MEMORIES, "seed": 9})
        copied(self._clean, self._torn)
        yard.run("jobs:left", {"folder": str(self._torn)})
        assert any(self._clean.rglob("index_metadata.pickle"))
        self._wanted = yard.value("survey:answers", {"folder": str(self._clean)})["answers"]

    def run(self, count: int) -> None:
        """So many damages, evenly over kinds, files and states."""
        plan = self._plan()
        for _ in range(count):
            name, damage, state = next(plan)
            source = self._clean if state == "clean" else self._torn
            folder = copied(source, self.place / "damaged")
            damage(folder)
            self.counts[name.partition(" of ")[0], state] += 1
            self._check(f"{name}, {state}", folder, rebuilt=True)
            for moved in self.place.glob("moved-*"):
                shutil.rmtree(moved) if moved.is_dir() else moved.unlink()
            if len(self.troubles) > 20:
                return

    def _plan(self) -> Iterator[tuple[str, Callable[[Path], None], str]]:
        names = sorted(
            {path.name for path in self._clean.glob("chroma/gen-*/**/*") if path.is_file()}
        )
        while True:
            todo: list[tuple[Any, str, str]] = [
                (kind, name, s) for kind in _FILES for name in names for s in ("clean", "torn")
            ]
            todo += [(kind, "", state) for kind in _FOLDERS for state in ("clean", "torn")]
            self.rng.shuffle(todo)
            for kind, name, state in todo:
                label = kind.__name__.strip("_") + (f" of {name}" if name else "")
                yield label, self._applied(kind, name), state

    def _applied(self, kind: Any, name: str) -> Callable[[Path], None]:
        def damage(folder: Path) -> None:
            chroma = folder / "chroma"
            if not name:
                kind(chroma, self.rng, self._foreign)
                return
            found = sorted(chroma.glob(f"gen-*/**/{name}"))
            kind(self.rng.choice(found), self.rng, self._foreign)

        return damage

    def _check(self, where: str, folder: Path, *, rebuilt: bool) -> None:
        before = {path.name for path in (folder / "chroma").glob("gen-*")} or {"gen-000001"}
        answer = self.yard.run("survey:answers", {"folder": str(folder)}, timeout=120)
        if answer["end"] != "done":
            self.troubles.append(f"{where}: {answer['end']}")
            return
        found = answer["value"]
        self.troubles += [f"{where}: {trouble}" for trouble in found["troubles"]]
        for when in ("first", "answers"):
            if found[when] != self._wanted:
                self.troubles.append(f"{where}: other answers ({when})")
        if found["embedded"]:
            self.troubles.append(f"{where}: {found['embedded']} texts were embedded anew")
        if rebuilt and {path.name for path in (folder / "chroma").glob("gen-*")} & before:
            self.troubles.append(f"{where}: the damaged generation was kept")
