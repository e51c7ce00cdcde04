"""Engine and adapters with the oldest and the newest versions they allow: python tests/adapters/matrix.py [NAME]

Each set of versions gets an environment of its own under `.venv-matrix`, with the distributions of this clone that it
is about. PYTEST_ADDOPTS="-k package" is a shorter run.
"""

import subprocess
import sys
import venv
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".venv-matrix"
VERSIONS = Path(__file__).parent / "versions"
TOOLS = ("pytest", "pytest-asyncio>=1.3", "hypothesis", "psutil", "mypy")
# (The record manager of `langchain-classic` needs the asyncio of SQLAlchemy, which 2.1 does not bring by itself.)
SUITES = ("langchain-tests", "langmem", "langchain-openai", "sqlalchemy[asyncio]")
# The engine's own, but for what needs LangChain, Ray, a server, or a newer runner of commands.
ENGINE = ("../unit", "../integration")
LEFT_OUT = (
    "cli*",
    "doctor",
    "eval_gate",
    "eval_times",
    "fan_out*",
    "first_hour",
    "foreign",
    "hostile*",
    "isolation",
    "lives",
    "mcp*",
    "moving_in",
    "observability",
    "oplog",
    "postgres*",
    "registers",
    "shar*",
    "stateful*",
)
# What needs neither agents nor graphs nor LangChain's own suites, of which old versions do not go with old cores.
BASE = tuple(
    f"langchain/test_{name}.py"
    for name in ("memory", "callbacks", "chat_history", "chat_history_chains", "convert")
)


class Entry(NamedTuple):
    """A set of versions: what of this clone to install, under which constraints, and which tests to run."""

    projects: tuple[str, ...]
    constraints: str | None
    more: tuple[str, ...]
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()


MATRIX = {
    "core-oldest": Entry(
        (".[openai,postgres,serve]",), "core.txt", ("fsrs>=6", "llama-index-core"), ENGINE, LEFT_OUT
    ),
    "langchain-oldest": Entry((".", "langchain_cogmem[classic]"), "langchain.txt", (), BASE),
    "agents-oldest": Entry(
        (".", "langchain_cogmem[agents,classic,langgraph]"), "agents.txt", SUITES, ("langchain",)
    ),
    "llamaindex-oldest": Entry((".", "llamaindex_cogmem"), "llamaindex.txt", (), ("llamaindex",)),
    "mcp-oldest": Entry((".[mcp,otel]",), "mcp.txt", (), ("../integration/test_mcp.py",)),
    "newest": Entry((".[all]", "langchain_cogmem", "llamaindex_cogmem"), None, SUITES, (".",)),
}


def run(name: str) -> int:
    entry, folder = MATRIX[name], FOLDER / name
    if not (folder / "bin" / "python").exists():
        venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    constraints = ["-c", str(VERSIONS / entry.constraints)] if entry.constraints else ["--upgrade"]
    projects = [part for project in entry.projects for part in ("-e", f"{ROOT}/{project}")]
    wanted = [*projects, *TOOLS, *entry.more, *constraints]
    quiet = ["--quiet", "--disable-pip-version-check"]
    subprocess.run([python, "-m", "pip", "install", *quiet, *wanted], check=True)
    print(f"--- {name}", flush=True)
    subprocess.run(f"{python} -m pip list | grep -E '^(lang|llama)'", shell=True, check=False)
    tests = [str(Path(__file__).parent / path) for path in entry.tests]
    tests += [f"--ignore-glob=*/test_{name}.py" for name in entry.without]
    # Old ones of anyio have a plugin that a new pytest warns of; nothing here uses it.
    command = [python, "-m", "pytest", "-p", "no:anyio", *tests]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def main() -> int:
    return max(run(name) for name in sys.argv[1:] or MATRIX)


if __name__ == "__main__":
    raise SystemExit(main())
