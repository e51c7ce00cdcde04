"""README is executed: its Python blocks in a folder of their own, its commands with the installed `cogmem`."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from scripts import Scripts

import cogmem_core
import cogmem_core.engine.engine
import cogmem_core.engine.items
import cogmem_core.testing
import cogmem_core.testing.llm

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = [
    line[2:] for line in re.findall(r"```console\n(.*?)```", README, re.DOTALL)[0].splitlines()
]


@pytest.mark.parametrize("source", PYTHON, ids=lambda source: source.splitlines()[-1].strip()[:40])
def test_python_blocks_run(source: str, scripts: Scripts, tmp_path: Path) -> None:
    """Every Python block runs as it stands, in a process of its own."""
    done = scripts.run(source, tmp_path)
    assert (done.code, done.err) == (0, "")


def test_the_sixty_second_script_prints_the_answer_and_where_it_came_from(tmp_path: Path) -> None:
    """The first line that a newcomer sees is the right memory with the caller's own id of the turn."""
    done = subprocess.run(
        [sys.executable, "-c", PYTHON[0]], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[0] == "I moved to Lisbon in May ('turn-1',)"


def test_a_second_process_recalls_the_same(tmp_path: Path) -> None:
    """Nothing lives in the first process alone."""
    again = (
        "import cogmem_core\n"
        "with cogmem_core.open('./brain') as engine:\n"
        "    print(engine.bank('alice').recall('Which city did I move to?', k=1).results[0].refs)\n"
    )
    subprocess.run([sys.executable, "-c", PYTHON[0]], cwd=tmp_path, capture_output=True, check=True)
    done = subprocess.run(
        [sys.executable, "-c", again], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "('turn-1',)"


def test_commands_run(tmp_path: Path) -> None:
    """The commands of the first minute succeed one after the other, and recall finds the city."""
    environment = {**os.environ, "COGMEM_PATH": str(tmp_path / "bank"), "COLUMNS": "120"}
    printed = []
    for command in COMMANDS:
        program, *arguments = shlex.split(command)
        if program == "pip":
            continue
        done = subprocess.run(
            [sys.executable, "-m", "cogmem_core", *arguments],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        printed.append(done.stdout)
    assert len(printed) == 3
    assert printed[1].index("Lisbon") < printed[1].index("Mochi")


@pytest.mark.parametrize(
    "module",
    [
        cogmem_core,
        cogmem_core.engine.engine,
        cogmem_core.engine.items,
        cogmem_core.testing,
        cogmem_core.testing.llm,
    ],
    ids=lambda module: module.__name__,
)
def test_docstring_examples_run(module: object) -> None:
    """What a docstring shows is what happens."""
    failed, tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert tried > 0
    assert failed == 0


def test_every_command_is_in_the_readme() -> None:
    """A command that the README does not name does not exist for a newcomer."""
    done = subprocess.run(
        [sys.executable, "-m", "cogmem_core", "--help"], capture_output=True, text=True, check=True
    )
    commands = set(re.findall(r"^[ │]*([a-z]+)\s{2,}[A-Z]", done.stdout, re.MULTILINE))
    named = set(re.findall(r"[a-z]+", README.split("## Command line")[1].split("Every command")[0]))
    assert commands
    assert commands - named == set()
