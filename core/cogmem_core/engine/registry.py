"""Where an engine comes from, so that what holds it may be written down as JSON or pickled, and find it again."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cogmem_core.errors import BankClosed, InvalidInput

if TYPE_CHECKING:
    from cogmem_core.engine import Engine

__all__ = ["noted", "reopened"]

_LOCK = threading.RLock()
_OPEN: weakref.WeakSet[Engine] = weakref.WeakSet()
_KINDS: dict[str, Any] = {
    "ledger": str,
    "folder": (str, type(None)),
    "embedder": (str, type(None)),
    "llm": (str, type(None)),
}
_FIRST = "open its engine with cogmem_core.open(...) in this process first"


def noted(engine: Engine, ledger: str, embedder: object, llm: object) -> None:
    """Set where an engine comes from, as JSON values, and note that it is open.

    Args:
        ledger: its ledger's own name.
        embedder, llm: as they were given to `cogmem_core.open`; objects cannot be written down.
    """
    folder = None if engine.folder is None else str(engine.folder.resolve())
    engine.origin = {"ledger": ledger, "folder": folder, "embedder": _name(embedder), "llm": _name(llm)}
    with _LOCK:
        _OPEN.add(engine)


def reopened(origin: Mapping[str, Any]) -> Engine:
    """The engine of that origin: the one that is open in this process, else its folder opened again.

    The configuration is read anew (`cogmem.toml`, environment), as `cogmem_core.open` does without one.

    Args:
        origin: `Engine.origin`, as it was or from JSON.

    Raises:
        InvalidInput: it is none; the engine had no folder (it was in memory, or on a server) or an embedder of the
            caller's own, and is not open in this process; the folder is gone, or holds other memories now.
            Else as `cogmem_core.open`.
    """
    if not isinstance(origin, Mapping) or any(not isinstance(origin.get(key), kind) for key, kind in _KINDS.items()):
        raise InvalidInput("origin is none; give what Engine.origin says, as it was or from JSON")
    with _LOCK:
        return _found(origin["ledger"]) or _opened(origin)


def _found(ledger: str) -> Engine | None:
    for engine in list(_OPEN):
        if engine.origin["ledger"] == ledger and _is_open(engine):
            return engine
    return None


def _opened(origin: Mapping[str, Any]) -> Engine:
    from cogmem_core.engine import open  # noqa: A004 - the engine notes itself here

    folder = origin["folder"]
    embedder = origin["embedder"]
    if folder is None:
        raise InvalidInput(f"the memories were not in a folder, so they cannot be opened again from here; {_FIRST}")
    if embedder is None:
        raise InvalidInput(f"the embedder of {folder} is an object that cannot be written down; {_FIRST}")
    if not Path(folder).is_dir():
        raise InvalidInput(f"the folder {folder} is not here; bring it back, or {_FIRST} and give its bank")
    engine = open(folder, embedder=embedder, llm=origin["llm"])
    if engine.origin["ledger"] != origin["ledger"]:
        engine.close()
        raise InvalidInput(f"{folder} holds other memories now; give the bank that is meant")
    return engine


def _is_open(engine: Engine) -> bool:
    try:
        engine.check_open()
    except BankClosed:
        return False
    return True


def _name(spec: object) -> str | None:
    return spec if isinstance(spec, str) else None
