"""`make demo-server` does what the guide says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.servers import Missing, postgres_binaries, required

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.thorough
def test_the_demonstration_on_servers_tells_what_happens() -> None:
    """Both servers started for real, two workers, one killed, everything stopped."""
    try:
        postgres_binaries()
    except Missing as error:
        (pytest.fail if required() else pytest.skip)(str(error))
    command = [sys.executable, str(ROOT / "cookbook" / "demo_server.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    told = re.sub(r"port \d+", "port N", done.stdout)
    # Clients of a newer chromadb tell less of what the system refused.
    told = told.replace("ConnectError", "[Errno 111] Connection refused").splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert [line for line in told if "dream" not in line] == [
        "PostgreSQL listens on port N, Chroma on port N, both on loopback.",
        "Two worker processes share one bank.",
        "Worker 1 is told: 'I moved from Izmir to Porto in March'. Its receipt: stored.",
        "Worker 2 is told the same again. Its receipt: reinforced; it is one memory.",
        "Worker 2 is asked: 'Where did I move in March?' It recalls: 'I moved from Izmir to Porto in March'.",
        "They share eight more turns. Each of them now lists 9 memories.",
        "Worker 1 keeps one more turn (stored) and is killed in the middle of the next one.",
        "Worker 2 recalls what had been acknowledged: 'The spare key is under the blue pot'.",
        "The Chroma server is stopped.",
        "Worker 2 goes by the ledger: 'I moved from Izmir to Porto in March'.",
        "It says so: 'vector: the vector index failed to search: [Errno 111] Connection refused; "
        "see that the server at storage.chroma_url runs, or correct the address'.",
        "Chroma is back. What is left of the trouble: nothing.",
        told[-2],
        "Both servers are stopped, and their folders are deleted.",
    ]
    assert re.fullmatch(r"PostgreSQL holds (\d+) memories with \1 different texts\.", told[-2])
