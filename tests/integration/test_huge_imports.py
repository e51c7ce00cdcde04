"""An export of 200 MB moves in by a process that never needs 300 MB."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

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
