"""Kills a process that works on a bank, and tells how it ended.

A `Yard` is a process that has imported cogmem and Chroma but opened nothing. For each job it forks, so that a thousand
jobs do not import a thousand times; the child does the work, the yard kills it where the job says so. Three ways:

* by the clock: SIGKILL so many seconds after the work began;
* at a failpoint: at the n-th call of, or return from, a named function (`sys.setprofile` in the child: production code
  knows nothing of it);
* at a system call: `strace` delivers SIGKILL when a thread enters its n-th call of that name, or makes calls fail.

Meanwhile another process may come and go: the yard itself opens the job's ledger, reads, and closes it (`visit`).

Run as a program this file is the yard: one job per line of standard input, one answer per line of standard output.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import re
import resource
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

HERE = Path(__file__).resolve().parent
FILE_BYTES = 64 * 2**20  # a torn index once grew a sparse file of 338 GB
Job = dict[str, Any]
Answer = dict[str, Any]

FAILPOINTS: dict[str, list[str]] = json.loads((HERE / "failpoints.json").read_text("utf-8"))
SYSTEM_CALLS = (
    "pwrite64",
    "write",
    "fsync",
    "fdatasync",
    "unlink",
    "rename",
    "ftruncate",
    "openat",
    "close",
)


def has_strace() -> bool:
    """Whether system calls can be traced here: the program is there and may attach."""
    program = shutil.which("strace")
    if program is None:
        return False
    with subprocess.Popen(["/bin/sleep", "5"]) as sleeper:
        command = [program, "-q", "-p", str(sleeper.pid), "-e", "trace=none"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as tracer:
            assert tracer.stderr is not None
            ready, _, _ = select.select([tracer.stderr], [], [], 0.5)
            refused = (
                bool(ready) and "attach" in tracer.stderr.readline() and tracer.poll() is not None
            )
            tracer.terminate()
        sleeper.kill()
    return not refused


class Yard:
    """Runs jobs, one at a time.

    A job is `{"do": "module:function", "arg": {...}}` and may have `kill`: `{"mode": "clock", "delay": seconds}`,
    `{"mode": "failpoint", "name": ..., "n": 1...}`, `{"mode": "syscall", "inject": "pwrite64:signal=KILL:when=3"}`;
    `visit` (a ledger to open and close all the time), `count` (names of failpoints to count), `timeout` in seconds.

    The answer tells `end` ("done", "killed", "hung", "crashed: ...", "failed: ..."), what the function returned as
    `value`, `seconds` from the start of its work (see `ready`) to its end, and `counts`.
    """

    def __init__(self, more: Mapping[str, str] | None = None) -> None:
        environment = {
            **os.environ,
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            **(more or {}),
        }
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def __enter__(self) -> Yard:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def run(self, do: str, arg: Job, **more: Any) -> Answer:
        """Do a job; returns when it ended, however it ended."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"do": do, "arg": arg, **more}) + "\n")
        process.stdin.flush()
        answer: Answer = json.loads(process.stdout.readline())
        return answer

    def value(self, do: str, arg: Job, **more: Any) -> Any:
        """What a job returns that nothing interrupts."""
        answer = self.run(do, arg, **more)
        assert answer["end"] == "done", f"{do}: {answer['end']}"
        return answer["value"]

    def close(self) -> None:
        """End the process."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.wait(timeout=60)
        process.stdout.close()


class _Hook:
    """Counts failpoints, and dies at the n-th passing of one."""

    def __init__(self, names: list[str], name: str, number: int) -> None:
        # By identity: to hash code takes longer than to run most functions.
        self._points: dict[tuple[int, str], list[str]] = {}
        self._wanted, self._left = name, number
        self.counts: Counter[str] = Counter()
        for one in {*names, name} - {""}:
            where, event = FAILPOINTS[one]
            module, _, path = where.partition(":")
            found: Any = importlib.import_module(module)
            for part in path.split("."):
                found = getattr(found, part)
            found = getattr(found, "__wrapped__", found)
            self._points.setdefault((id(found.__code__), event), []).append(one)

    def install(self) -> None:
        threading.setprofile(self._passed)
        sys.setprofile(self._passed)

    def _passed(self, frame: FrameType, event: str, _: Any) -> None:
        if "_" in event:  # of functions in C, which no failpoint is
            return
        names = self._points.get((id(frame.f_code), event))
        for name in names or ():
            self.counts[name] += 1
            if name == self._wanted:
                self._left -= 1
                if self._left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)


class _Ready:
    """Passed to a function that wants to tell when its work begins; without it the work begins with the call."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe

    def __call__(self) -> None:
        os.writev(self._pipe, [b"r"])  # `write` may have been made to fail


def _child(job: Job, pipes: tuple[int, int], output: Path) -> None:
    """Do the work in a forked process; never returns."""
    code = 1
    try:
        go, tell = pipes
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        kill = job.get("kill") or {}
        point = kill if kill.get("mode") == "failpoint" else {"name": "", "n": 0}
        hook = _Hook(job.get("count", []), point["name"], point["n"])
        module, _, name = job["do"].partition(":")
        function = getattr(importlib.import_module(f"fault.{module}"), name)
        os.read(go, 1)
        if point["name"] or job.get("count"):
            hook.install()
        value = function(job["arg"], _Ready(tell))
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
        code = 0
        _tell(output, {"value": value, "counts": hook.counts})
    except BaseException:  # noqa: BLE001 - whatever it is, the parent is told
        with contextlib.suppress(OSError):
            _tell(output, {"error": traceback.format_exc()})
    finally:
        os._exit(code)


def _tell(output: Path, said: Answer) -> None:
    """Write a file by a system call that no test makes fail."""
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    content = memoryview(json.dumps(said).encode())
    while content:
        content = content[os.writev(file, [content]) :]
    os.close(file)


def attached(pid: int, inject: str) -> subprocess.Popen[str]:
    """A tracer that has attached to a process."""
    name = inject.partition(":")[0]
    command = [
        "strace",
        "-f",
        "-p",
        str(pid),
        "-e",
        f"trace={name}",
        "-e",
        f"inject={inject}",
        "-o",
        "/dev/null",
    ]
    tracer = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert tracer.stderr is not None
    said = tracer.stderr.readline()
    if "attached" not in said:
        raise RuntimeError(f"strace cannot attach: {said}")
    # It tells of every thread; once nobody reads that, it stands still, and with it whom it traces.
    threading.Thread(target=tracer.stderr.read, daemon=True).start()
    return tracer


def _run(job: Job, output: Path) -> Answer:
    output.unlink(missing_ok=True)
    go, release = os.pipe()
    heard, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(release)
        os.close(heard)
        _child(job, (go, tell), output)
    os.close(go)
    os.close(tell)
    kill = job.get("kill") or {}
    tracer = attached(pid, kill["inject"]) if kill.get("mode") == "syscall" else None
    os.write(release, b"g")
    released = time.monotonic()
    begun = bool(select.select([heard], [], [], job.get("timeout", 120))[0] and os.read(heard, 1))
    started = time.monotonic() if begun else released
    ledger = Path(job["visit"]) if "visit" in job else None
    if kill.get("mode") == "clock":
        until = time.monotonic() + kill["delay"]
        while ledger and time.monotonic() < until:
            _visit(ledger)
        time.sleep(max(0, until - time.monotonic()))
        os.kill(pid, signal.SIGKILL)
    status, hung = _waited(pid, job.get("timeout", 120), ledger)
    seconds = time.monotonic() - started
    for pipe in (release, heard):
        os.close(pipe)
    if tracer is not None:
        tracer.wait(timeout=60)
    return {**_told(job, status, output, hung=hung), "seconds": seconds}


def _visit(ledger: Path) -> None:
    """What a backup or somebody's shell does: open, look, close."""
    file = f"{ledger.as_uri()}?mode=rw"
    with (
        contextlib.suppress(sqlite3.Error),
        contextlib.closing(sqlite3.connect(file, uri=True, timeout=0)) as connection,
    ):
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    time.sleep(0.005)


def _waited(pid: int, timeout: float, ledger: Path | None) -> tuple[int, bool]:
    """The exit status, and whether the process had to be killed because it did not end."""
    until, pause = time.monotonic() + timeout, 0.0005
    while time.monotonic() < until:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status, False
        if ledger is not None:
            _visit(ledger)
        time.sleep(pause)
        pause = min(0.01, pause * 1.5)
    os.kill(pid, signal.SIGKILL)
    return os.waitpid(pid, 0)[1], True


def _told(job: Job, status: int, output: Path, *, hung: bool) -> Answer:
    if hung:
        return {"end": "hung"}
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        wanted = bool(job.get("kill")) and number == signal.SIGKILL
        return {"end": "killed" if wanted else f"crashed: {signal.Signals(number).name}"}
    if not output.exists():
        code = os.WEXITSTATUS(status)
        return {"end": f"failed: exit code {code}" if code else "done"}
    said = json.loads(output.read_text())
    return {"end": f"failed: {said['error']}"} if "error" in said else {"end": "done", **said}


def _serve() -> None:
    sys.path.insert(0, str(HERE.parent))
    for name in (
        "cogmem_core",
        "cogmem_core.engine",
        "chromadb",
        "chromadb.api.rust",
        "fault.workload",
        "fault.jobs",
        "fault.survey",
    ):
        importlib.import_module(name)
    # SQLAlchemy and the engine import more at first use; a thread here would not survive a fork.
    importlib.import_module("fault.workload").warm()
    assert threading.active_count() == 1
    gc.freeze()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    output = Path(tempfile.gettempdir()) / f"cogmem-yard-{os.getpid()}.json"
    for line in sys.stdin:
        answer = _run(json.loads(line), output)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    output.unlink(missing_ok=True)


def plainly(text: str) -> str:
    """The last line of a traceback, for a table."""
    lines = [line for line in re.split(r"[\r\n]+", text) if line.strip()]
    return lines[-1][:160] if lines else ""


if __name__ == "__main__":
    _serve()
