"""Large files: 200 MB move in by a process that never needs 300 MB, and what has no end is not read to it."""

import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core.errors import InvalidInput

SIZE = 200_000_000
CONVERSATIONS = 400
IMPORT = """
import json, sys, cogmem_core
from pathlib import Path
with cogmem_core.open(sys.argv[2], embedder="hashing") as engine:
    report = engine.bank("ann").import_(sys.argv[1])
# Not `ru_maxrss`: a process that another one starts begins with the peak of that one.
peak = int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) * 1024
print(json.dumps([report.format, report.read, report.stored, peak]))
"""
LONG = "the page says " * (SIZE // CONVERSATIONS // 14)


def chatgpt(number: int) -> str:
    """A conversation in which a browser says half a megabyte, and a person one sentence."""
    said = {
        "author": {"role": "user"},
        "content": {"parts": [f"My locker has the number {number}"]},
    }
    told = {"author": {"role": "tool"}, "content": {"parts": [LONG]}}
    nodes = {
        "root": {"parent": None, "message": None},
        "a": {"parent": "root", "message": {**said, "id": f"a{number}"}},
        "b": {"parent": "a", "message": {**told, "id": f"b{number}"}},
    }
    row = {"id": f"c{number}", "create_time": 1_714_644_000 + number, "mapping": nodes}
    return json.dumps({**row, "current_node": "b"})


def jsonl(number: int) -> str:
    """A message, and half a megabyte of what else a program kept with it."""
    message = {"role": "user", "content": f"My locker has the number {number}", "id": str(number)}
    return json.dumps({**message, "annotations": [LONG]})


def as_list(conversation: Callable[[int], str]) -> Iterator[str]:
    for number in range(CONVERSATIONS):
        yield f"{',' if number else '['}\n{conversation(number)}"
    yield "]"


def as_lines(message: Callable[[int], str]) -> Iterator[str]:
    for number in range(CONVERSATIONS):
        yield f"{message(number)}\n"


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="nothing tells the peak of this process there")
@pytest.mark.parametrize(
    ("form", "name", "pieces"),
    [("chatgpt", "conversations.json", as_list(chatgpt)), ("jsonl", "said.jsonl", as_lines(jsonl))],
    ids=("chatgpt", "jsonl"),
)
def test_200_mb_are_read_in_300(
    tmp_path: Path, form: str, name: str, pieces: Iterator[str]
) -> None:
    """Every sentence is stored, and what lies between them is passed over."""
    path = tmp_path / name
    with path.open("w", encoding="utf-8") as file:
        file.writelines(pieces)
    assert path.stat().st_size >= SIZE * 0.99
    command = [sys.executable, "-c", IMPORT, str(path), str(tmp_path / "brain")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told, read, stored, peak = json.loads(done.stdout)
    assert (told, read, stored) == (form, CONVERSATIONS, CONVERSATIONS)
    assert peak <= 300_000_000


MEGABYTE = b"a" * 2**20
ENDLESS = {
    "a line": ("said.jsonl", b'{"role": "user", "content": "', MEGABYTE),
    "a second line": ("said.ndjson", b'{"role": "user", "content": "Hi"}\n{"a": "', MEGABYTE),
    "a field of a table": ("said.csv", b'content,role\n"', MEGABYTE),
    "the head of a table": ("said.tsv", b"", MEGABYTE),
    "a row of many lines": ("said.csv", b'content,role\nHi,user\n"', b'aaaaa\n","' * 120_000),
    "an entry of a list": ("said.json", b'[{"role": "user", "content": "', MEGABYTE),
    "a name": ("said.json", b'{"', MEGABYTE),
    "what stands beside lists": ("said.json", b'{"x":[0]', b',"x":"' + MEGABYTE + b'"'),
}
"""In an archive of a few kB: the name of a file, how it begins, and what follows for 40 MB."""


@pytest.mark.parametrize(
    "kind",
    [
        # In `make test` every other one.
        pytest.param(kind, marks=pytest.mark.thorough if number % 2 else [])
        for number, kind in enumerate(ENDLESS)
    ],
)
def test_what_has_no_end_is_not_read_to_it(kind: str, tmp_path: Path) -> None:
    """A line, a row or an entry is refused when it grows too long, and nothing is stored."""
    name, begin, piece = ENDLESS[kind]
    packed = tmp_path / "export.zip"
    with (
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open(name, "w") as file,
    ):
        file.write(begin)
        for _ in range(40):
            file.write(piece)
    assert packed.stat().st_size < 200_000
    with cogmem_core.open(embedder="hashing") as engine:
        with pytest.raises(
            InvalidInput, match=re.escape("longer than 33,554,432 characters")
        ) as told:
            engine.bank("ann").import_(packed)
        assert name in str(told.value)
        assert engine.bank("ann").count() == 0


def test_a_line_of_an_export_has_an_end(tmp_path: Path) -> None:
    """Also where memories come from cogmem itself."""
    with cogmem_core.open(embedder="hashing") as engine:
        bank = engine.bank("ann")
        bank.add("Ann keeps goats")
        path = tmp_path / "all.jsonl"
        bank.export(path)
        lines = path.read_bytes().splitlines(keepends=True)
        long = b'{"kind": "note", "text": "' + MEGABYTE * 33
        path.write_bytes(b"".join([*lines[:-1], long]))
        with pytest.raises(InvalidInput, match="longer than 33,554,432 characters"):
            engine.bank("ben").import_(path)
        assert engine.bank("ben").count() == 0
