"""64 clients at once of `cogm serve`, beside as many threads of an engine: python tests/bench/bench_serve.py [SECONDS]

Every tenth call remembers, the others recall. The server and the engine take turns of a few seconds, so that both see
the same machine. At last the server is killed while it is asked: what it acknowledged must be there.
"""

from __future__ import annotations

import json
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from bench_engine import sentences
from bounds import held

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.testing import MANUAL
from helpers.serving import Serving

CLIENTS = 64
MEMORIES = 2_000
SECONDS = 60.0
TURN_SECONDS = 5.0
WRITES_ONE_IN = 10
RATIO = 3.0
Call = Callable[[str], None]


@dataclass
class Seen:
    """What the clients of one side saw.

    Attributes:
        seconds: that each recall took.
        acknowledged: texts that were said to be stored.
        errors: answers that were no success.
    """

    seconds: list[float] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@dataclass
class Client:
    """One of many who call at once; it knows what to ask, and says nothing twice."""

    recall: Call
    remember: Call
    questions: Iterator[str]
    number: int
    said: int = 0

    def act(self, seen: Seen, until: float, *, quiet: bool = False) -> None:
        """Call until a moment.

        Args:
            seen: takes what was seen.
            until: on the clock of `time.monotonic`.
            quiet: an error is the end, and none: the server is being killed.
        """
        while time.monotonic() < until:
            self.said += 1
            try:
                if self.said % WRITES_ONE_IN == 0:
                    text = f"Parcel {self.number} {self.said} waits in locker {self.said * 7}"
                    self.remember(text)
                    seen.acknowledged.append(text)
                else:
                    began = time.monotonic()
                    self.recall(next(self.questions))
                    seen.seconds.append(time.monotonic() - began)
            except (OSError, HTTPException, RuntimeError) as error:
                if quiet:
                    return
                seen.errors.append(f"{type(error).__name__}: {error}")


def of_server(server: Serving, key: str, number: int) -> Client:
    """A client that holds one connection."""
    where = urlsplit(server.address)
    connection = HTTPConnection(where.hostname or "", where.port, timeout=60)
    headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}

    def post(path: str, body: dict[str, str]) -> None:
        connection.request("POST", path, json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{answer.status} {text[:200]!r}")

    return Client(
        lambda question: post("/v1/recall", {"query": question}),
        lambda text: post("/v1/remember", {"content": text}),
        cycle(sentences(50, seed=number)),
        number,
    )


def of_engine(bank: MemoryBank, number: int) -> Client:
    """The same calls without a server between."""

    def recall(question: str) -> None:
        bank.recall(question)

    def remember(text: str) -> None:
        bank.remember(text)

    return Client(recall, remember, cycle(sentences(50, seed=number)), number)


def at_once(clients: list[Client], seen: Seen, seconds: float) -> None:
    """All of them, for so long."""
    until = time.monotonic() + seconds
    threads = [threading.Thread(target=one.act, args=(seen, until)) for one in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def killed(server: Serving, clients: list[Client], seen: Seen) -> None:
    """Kill the server in the middle of what it is asked."""
    until = time.monotonic() + 60
    threads = [
        threading.Thread(target=one.act, args=(seen, until), kwargs={"quiet": True})
        for one in clients
    ]
    before = len(seen.acknowledged)
    for thread in threads:
        thread.start()
    while len(seen.acknowledged) < before + CLIENTS:
        time.sleep(0.01)
    server.stop(signal.SIGKILL)
    server.code()
    for thread in threads:
        thread.join()


def filled(folder: Path) -> None:
    """A bank to be asked."""
    with cogmem_core.open(folder, embedder="hashing", config=MANUAL) as engine:
        engine.bank("alice").remember(list(sentences(MEMORIES, seed=1)), mode="raw")
        engine.flush()


def lost(engine: Engine, seen: Seen) -> int:
    """How much of what was acknowledged is not there."""
    bank = engine.bank("alice")
    stored = {one.content for one in bank.list(state="any", limit=1_000_000)}
    return len(set(seen.acknowledged) - stored)


def main(seconds: float) -> int:
    """Print one table."""
    served = Seen()
    alone = Seen()
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name in ("served/bank", "alone"):
            filled(place / name)
        engine = stack.enter_context(
            cogmem_core.open(place / "alone", embedder="hashing", config=MANUAL)
        )
        server = Serving(place / "served", "--rate", "1000000")
        stack.callback(server.close)
        server.wait_until_it_listens()
        key = server.key("write")
        remote = [of_server(server, key, number) for number in range(CLIENTS)]
        local = [of_engine(engine.bank("alice"), number) for number in range(CLIENTS)]
        spent = 0.0
        while spent < seconds:
            at_once(remote, served, TURN_SECONDS)
            at_once(local, alone, TURN_SECONDS)
            spent += TURN_SECONDS
        asked = len(served.seconds)
        killed(server, remote, served)
        with cogmem_core.open(place / "served/bank", embedder="hashing", config=MANUAL) as again:
            gone = lost(again, served)
    high = float(np.percentile(served.seconds, 95))
    ratio = high / float(np.percentile(alone.seconds, 95))
    print(f"{CLIENTS} clients for {seconds:g} s: {asked:,} recalls, beside {len(alone.seconds):,}")
    with suppress(IndexError):
        print("first error:", served.errors[0])
    held(f"p95 of /v1/recall, {CLIENTS} at once", high * 1000, float("inf"), "ms")
    verdicts = [
        held("p95 of /v1/recall, times the engine's", ratio, RATIO, "times"),
        held("answers that were errors", len(served.errors + alone.errors), 0),
        held(f"of {len(served.acknowledged):,} acknowledged, lost by a kill", gone, 0),
    ]
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    raise SystemExit(main(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS))
