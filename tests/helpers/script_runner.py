"""Runs scripts, each in a process of its own that need not import what it needs first: it is forked from one that has.

What a script sees is what `python -W error script.py` shows it, but for the seconds that the imports and the weights of
the default model would take, and for a warning that is LlamaIndex's own: from Python 3.12 on, for how it looks for an
event loop. It ends as a process of `multiprocessing` does: all threads have ended and all that was registered is done,
but the libraries are not torn down: for most scripts that would take longer than the script.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import runpy
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Done", "Scripts", "default_model"]

_NOT_OURS = "ignore:There is no current event loop:DeprecationWarning:llama_index.core.async_utils"
_IMPORTED = ("cogmem_cli.main", "cogmem_core.engine", "chromadb.api.rust")
_FRAMEWORKS = (
    "langchain.agents",
    "langchain_classic.chains",
    "langchain_cogmem",
    "langgraph.checkpoint.memory",
    "llamaindex_cogmem",
    "llama_index.core",
)


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a script: its exit code (negative: the signal that ended it), and what it wrote."""

    code: int
    out: str
    err: str


class Scripts:
    """The process that scripts are forked from, as the tests see it."""

    def __init__(self) -> None:
        command = [sys.executable, "-W", "error", "-W", _NOT_OURS, __file__]
        self._server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    @classmethod
    @contextmanager
    def started(cls) -> Iterator[Scripts]:
        """One that ends with the block."""
        scripts = cls()
        try:
            yield scripts
        finally:
            scripts._server.communicate(timeout=60)

    def run(
        self,
        script: Path | str,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        arguments: Sequence[object] = (),
    ) -> Done:
        """Run a file, or lines of Python, in a folder; `environment` replaces the tests' own."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        with tempfile.TemporaryDirectory(prefix="cogmem-script-") as place:
            order = {
                "place": place,
                "folder": str(folder),
                "environment": dict(environment or os.environ),
                "arguments": [str(argument) for argument in arguments],
            }
            order["path" if isinstance(script, Path) else "source"] = str(script)
            self._server.stdin.write(json.dumps(order) + "\n")
            self._server.stdin.flush()
            code = int(self._server.stdout.readline())
            out, err = (Path(place, name).read_text(encoding="utf-8") for name in ("out", "err"))
        return Done(code, out, err)


def _obey(order: Mapping[str, Any]) -> None:
    """What the forked process does."""
    for number, name in enumerate(("in", "out", "err")):
        file = os.open(Path(order["place"], name), os.O_RDWR | os.O_CREAT)
        os.dup2(file, number)
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    os.chdir(order["folder"])
    if "path" in order:
        sys.argv = [order["path"], *order["arguments"]]
        sys.path[0] = str(Path(order["path"]).parent)
        runpy.run_path(order["path"], run_name="__main__")
    else:
        sys.argv, sys.path[0] = ["-c", *order["arguments"]], ""
        exec(compile(order["source"], "<string>", "exec"), {"__name__": "__main__"})


def _ended(order: Mapping[str, Any]) -> int:
    """Do it, and what is to be done at an exit; returns the exit code."""
    code: object = None
    try:
        _obey(order)
    except SystemExit as end:
        code = end.code
    except BaseException:  # noqa: BLE001 - told as Python itself tells it
        sys.excepthook(*sys.exc_info())
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    if not isinstance(code, (int, type(None))):
        sys.stderr.write(f"{code}\n")
        code = 1
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    return code or 0


def default_model() -> object:
    """The default model; as long as it is in use, engines share its weights. Not loaded where they are not here."""
    from cogmem_core.embedders import MiniLM, weights

    folder = weights.find("minilm")
    model = MiniLM(folder)
    if folder is not None:
        model.embed_query("kept")
    return model


def _warm() -> None:
    """Use everything once, without a thread: what is compiled at first use is compiled once for all scripts."""
    import cogmem_core
    from cogmem_core.testing import MANUAL

    with cogmem_core.open(config=MANUAL) as engine:
        engine.pause()
        engine.worker.start = lambda: None  # type: ignore[method-assign] - no thread survives a fork
        bank = engine.bank("warm")
        bank.remember("I live in Lisbon and my sister works as a nurse.")
        bank.remember("I moved to Porto.")
        bank.feedback(bank.recall("Where do I live?"), "You live in Porto.")
        bank.consolidate()


def _import(names: Sequence[str]) -> None:
    for name in names:
        with suppress(ImportError):
            importlib.import_module(name)


def _serve(kept: object) -> None:
    _import(_IMPORTED)
    if kept is not None:
        _warm()
    assert threading.active_count() == 1, "a thread would not survive a fork"
    gc.freeze()
    for line in sys.stdin:
        order = json.loads(line)
        source = order.get("source") or Path(order["path"]).read_text(encoding="utf-8")
        if any(word in source for word in ("langchain", "langgraph", "llama", "models")):
            _import(_FRAMEWORKS)
        child = os.fork()
        if child == 0:
            os._exit(_ended(order))
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve(default_model())
