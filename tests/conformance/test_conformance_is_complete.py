"""The suite calls every public method of bank, documents and engine."""

import re
from pathlib import Path

import pytest

from cogmem_core import Engine, Items, MemoryBank

HERE = "".join(
    path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.py"))
)
# Of the engine's own parts; `close` and `bank` are called by every test.
INTERNAL = {
    "changed",
    "check_open",
    "judge",
    "leave",
    "prepare_erasure",
    "yield_to_foreground",
    "retrieved",
}


@pytest.mark.parametrize("kind", [MemoryBank, Items, Engine])
def test_every_public_method_is_called(kind: type) -> None:
    """The same conformance suite over three stores; async twins forward to these (test_async_parity)."""
    names = {
        name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))
    }
    twins = {f"a{name}" for name in names} | {"async_"}
    missing = {name for name in names - twins - INTERNAL if not re.search(rf"\.{name}\(", HERE)}
    assert missing == set()
