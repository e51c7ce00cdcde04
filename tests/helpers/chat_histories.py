"""Engines and conversations for tests of `CogMemChatMessageHistory`."""

from pathlib import Path
from typing import Any

from langchain_core.chat_history import BaseChatMessageHistory

import cogmem_core
from cogmem_core.testing import MANUAL, FrozenClock

KEY = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2


def opened(folder: Path | None = None, **more: Any) -> cogmem_core.Engine:
    return cogmem_core.open(
        folder, embedder="hashing", clock=FrozenClock(), **{"config": MANUAL, **more}
    )


def told(history: BaseChatMessageHistory) -> list[tuple[str, Any]]:
    return [(message.type, message.content) for message in history.messages]
