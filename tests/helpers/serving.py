"""`cogm serve` in a process of its own, on a port that is free."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from cogmem_serve.keys import KeyRing

__all__ = ["Serving", "served_process"]

_COGM = "from cogmem_cli.main import run; run()"


class Serving:
    """The process.

    Attributes:
        address: where it listens.
        keys: the file of its keys.
        login: what it prints to log in with.
    """

    def __init__(self, folder: Path, *options: str) -> None:
        self.address = ""
        self.login = ""
        self.keys = folder / "bank" / "keys.json"
        self._folder = folder / "bank"
        # Several may serve one folder.
        self._errors = folder / f"errors_{len(list(folder.glob('errors_*')))}.txt"
        common = ("--path", str(self._folder), "--port", "0", "--embedder", "hashing", "--json")
        with self._errors.open("w") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _COGM, "serve", *common, *options],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, "COGMEM_PATH": ""},
            )

    def wait_until_it_listens(self) -> None:
        """Until it says where."""
        assert self._process.stdout is not None
        text = ""
        for line in self._process.stdout:
            text += line
            if line.startswith("}"):
                break
        assert text, self.errors()
        said = json.loads(text)
        self.address = said["address"].replace("0.0.0.0", "127.0.0.1")
        self.login = said["login"]

    def key(self, *scopes: str, namespaces: tuple[str, ...] = ("alice",)) -> str:
        """The secret of a new key."""
        _, secret = KeyRing(self.keys).add("test", scopes=scopes, namespaces=namespaces)
        return secret

    def until_it_holds(self, turns: int, key: dict[str, str]) -> None:
        """Until alice's turns are so many: what is being remembered is on disk, and not answered yet."""
        kept = 0
        while kept < turns:
            health = httpx.get(f"{self.address}/v1/health", headers=key, timeout=60).json()
            kept = sum(health["turns"].values())

    @property
    def process_id(self) -> int:
        """Of the process."""
        return self._process.pid

    def stop(self, number: int) -> None:
        """Send a signal."""
        self._process.send_signal(number)

    def code(self) -> int:
        """How it ended."""
        return self._process.wait(60)

    def errors(self) -> str:
        """What it wrote to stderr."""
        return self._errors.read_text()

    def close(self) -> None:
        """End it, if it has not ended."""
        if self._process.poll() is None:
            self._process.terminate()
        self._process.wait(60)
        if self._process.stdout is not None:
            self._process.stdout.close()


@contextmanager
def served_process(folder: Path, *options: str) -> Iterator[Serving]:
    """A server that listens, until the block ends."""
    server = Serving(folder, *options)
    try:
        server.wait_until_it_listens()
        yield server
    finally:
        server.close()
