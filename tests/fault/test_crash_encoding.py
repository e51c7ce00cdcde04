"""kill -9 between acknowledgement and completion: every acknowledged turn is encoded once, whatever its mode."""

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Engine
from cogmem_core.testing import CountingEmbedder

pytestmark = pytest.mark.thorough

pytest.importorskip("resource", reason="needs POSIX signals")

MODES = ("auto", "raw", "semantic", "hybrid")
WRITER = """
import sys, time
import cogmem_core
from cogmem_core.testing import CountingEmbedder

class Slow(CountingEmbedder):
    def embed_documents(self, texts):
        time.sleep(0.03)
        return super().embed_documents(texts)

engine = cogmem_core.open(sys.argv[1], embedder=Slow())
bank, first = engine.bank("alice"), int(sys.argv[2])
print("ready", flush=True)
for number in range(first, first + 10_000):
    mode = ("auto", "raw", "semantic", "hybrid")[number % 4]
    said = f"My locker {number} at the Harbour Gym costs {number} euros and Tom{number} works there."
    bank.remember(said, mode=mode, wait=number % 3 == 0, ref=str(number), session_id="s")
    print(number, flush=True)
"""


def killed_after(folder: Path, first: int, acknowledgements: int) -> list[int]:
    """What a writer had acknowledged when it was killed."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), str(first)], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        said = [writer.stdout.readline() for _ in range(acknowledgements + 1)]
        writer.send_signal(signal.SIGKILL)
        said += writer.stdout.read().splitlines()
    return [int(line) for line in said[1:] if line.strip().isdigit()]


def told(engine: Engine) -> tuple[Counter[str], Counter[str]]:
    """Per ref: turns on disk, and memories of the turn's own words or of facts by content."""
    with engine.services.ledger.whole() as reader:
        turns = Counter(turn.ref or "" for turn in reader.at("alice").turns.page(limit=100_000))
    memories = engine.bank("alice").list(state="any", limit=100_000)
    return turns, Counter(f"{memory.refs[0]}: {memory.content}" for memory in memories)


@pytest.mark.parametrize("acknowledgements", [1, 2, 5, 11, 24, 40])
def test_every_acknowledged_turn_is_encoded_exactly_once(
    tmp_path: Path, acknowledgements: int
) -> None:
    """`kill -9` between acknowledgement and completion: a memory or a queued episode after restart, exactly once."""
    folder = tmp_path / "brain"
    acknowledged = killed_after(folder, 0, acknowledgements)
    acknowledged += killed_after(folder, 20_000, acknowledgements)
    with cogmem_core.open(folder, embedder=CountingEmbedder()) as engine:
        engine.pause()
        turns, before = told(engine)
        queued = engine.bank("alice").health()["turns"].get("queued", 0)
        engine.resume()
        engine.flush()
        after_turns, memories = told(engine)
        left = engine.bank("alice").health()["turns"]

    assert [number for number in acknowledged if turns[str(number)] != 1] == []
    assert turns == after_turns
    assert queued > 0 or acknowledgements < 5
    assert [text for text, count in memories.items() if count != 1] == []
    assert set(before) <= set(memories)
    assert set(turns) == {text.partition(":")[0] for text in memories}
    assert set(left) == {"done"}
