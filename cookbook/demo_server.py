"""Two worker processes on one bank: PostgreSQL holds the memories, a Chroma server the vectors. `make demo-server`.

Both servers are started for the demonstration, in folders of their own, and stopped at the end.
"""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from rich.console import Console

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from helpers.servers import Chroma, Databases, Missing, Postgres, run_sql
from helpers.worker_process import Worker

SAID = "I moved from Izmir to Porto in March"
ASKED = "Where did I move in March?"


@contextmanager
def servers(console: Console) -> Iterator[tuple[str, Chroma]]:
    """Both servers, and an empty database."""
    with ExitStack() as running:
        postgres = running.enter_context(Postgres())
        chroma = running.enter_context(Chroma())
        url = running.enter_context(Databases(postgres.url).fresh())
        console.print(f"PostgreSQL listens on port {postgres.port}, Chroma on port {chroma.port}, both on loopback.")
        yield url, chroma
    console.print("Both servers are stopped, and their folders are deleted.")


def talk(console: Console, one: Worker, two: Worker) -> None:
    """What two workers make of the same user."""
    console.print(f"Worker 1 is told: {SAID!r}. Its receipt: {one('remember', 'ayse', SAID)}.")
    console.print(f"Worker 2 is told the same again. Its receipt: {two('remember', 'ayse', SAID)}; it is one memory.")
    console.print(f"Worker 2 is asked: {ASKED!r} It recalls: {two('recall', 'ayse', ASKED)[0]!r}.")
    for number in range(8):
        (one if number % 2 else two)("remember", "ayse", f"Parcel {number} is in locker {number * 7}")
    console.print(f"They share eight more turns. Each of them now lists {len(one('texts', 'ayse'))} memories.")
    one.send("dream", "ayse")
    reason, _ = two("dream", "ayse")
    first, _ = one.answer()
    console.print(f"Both start a dream cycle at once. Worker 1: {first or 'done'}. Worker 2: {reason or 'done'}.")


def fail(console: Console, one: Worker, two: Worker, ledger: str, chroma: Chroma) -> None:
    """What is left when one worker and one server are gone."""
    one.send("remember", "ayse", "The spare key is under the blue pot")
    kept = one.answer()
    one.send("remember", "ayse", "This sentence may be lost: nobody was told that it was kept")
    one.kill()
    console.print(f"Worker 1 keeps one more turn ({kept}) and is killed in the middle of the next one.")
    console.print(f"Worker 2 recalls what had been acknowledged: {two('recall', 'ayse', 'spare key blue pot')[0]!r}.")
    two("sync", "ayse")
    chroma.stop()
    console.print("The Chroma server is stopped.")
    console.print(f"Worker 2 goes by the ledger: {two('recall', 'ayse', ASKED)[0]!r}.")
    console.print(f"It says so: {two('trouble', 'ayse')!r}.")
    chroma.start()
    two("flush", "ayse")
    console.print(f"Chroma is back. What is left of the trouble: {two('trouble', 'ayse') or 'nothing'}.")
    rows = run_sql(ledger, "SELECT count(*), count(DISTINCT content) FROM memories")
    console.print(f"PostgreSQL holds {rows[0][0]} memories with {rows[0][1]} different texts.")


def main() -> int:
    """Run it all."""
    console = Console(soft_wrap=True, highlight=False)
    try:
        with servers(console) as (ledger, chroma), ExitStack() as workers:
            one, two = (workers.enter_context(Worker(ledger, chroma.url)) for _ in range(2))
            console.print("Two worker processes share one bank.")
            talk(console, one, two)
            fail(console, one, two, ledger, chroma)
    except Missing as error:
        console.print(str(error))
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
