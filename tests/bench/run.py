"""All bounds, one after the other: python tests/bench/run.py"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

BENCHES = (
    "bench_lexical.py",
    "bench_observer.py",
    "bench_embedders.py",
    "bench_engine.py",
    "bench_servers.py",
    "bench_index_writes.py",
    "bench_dream.py",
    "bench_encoding.py",
    "bench_fan_out.py",
    "bench_langchain.py",
    "bench_llamaindex.py",
    "bench_locomo.py",
)


def main() -> int:
    here = Path(__file__).parent
    codes = [subprocess.run([sys.executable, str(here / name)], check=False).returncode for name in BENCHES]
    return max(codes)


if __name__ == "__main__":
    raise SystemExit(main())
