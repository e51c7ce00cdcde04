"""cogmem for LangChain: memory, retriever, callbacks that learn, agent middleware, stores."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

try:
    import langchain_core  # noqa: F401
except ImportError as error:
    raise ImportError(
        "langchain_cogmem needs LangChain: pip install 'langchain-core>=1.2.5'"
    ) from error

from cogmem_core import __version__ as __version__  # all distributions have one
from langchain_cogmem.bridges import LangChainEmbedder, LangChainLLM
from langchain_cogmem.callbacks import (
    AsyncCogMemCallbackHandler,
    CogMemCallbackHandler,
    cogmem_feedback,
)
from langchain_cogmem.chat_history import CogMemChatMessageHistory
from langchain_cogmem.convert import turns_of
from langchain_cogmem.nodes import memory_wrapper, recall_node, remember_node
from langchain_cogmem.retriever import CogMemRetriever
from langchain_cogmem.tools import create_memory_tools

if TYPE_CHECKING:
    from langchain_cogmem.memory import CogMemMemory
    from langchain_cogmem.middleware import CogMemMiddleware
    from langchain_cogmem.store import CogMemStore
    from langchain_cogmem.vector_store import CogMemVectorStore

__all__ = [
    "AsyncCogMemCallbackHandler",
    "CogMemCallbackHandler",
    "CogMemChatMessageHistory",
    "CogMemMemory",
    "CogMemMiddleware",
    "CogMemRetriever",
    "CogMemStore",
    "CogMemVectorStore",
    "LangChainEmbedder",
    "LangChainLLM",
    "cogmem_feedback",
    "create_memory_tools",
    "memory_wrapper",
    "recall_node",
    "remember_node",
    "turns_of",
]

_EXTRAS = {
    "CogMemMemory": "memory",
    "CogMemMiddleware": "middleware",
    "CogMemStore": "store",
    "CogMemVectorStore": "vector_store",
}
"""What needs more than langchain-core is imported when it is first asked for."""


def __getattr__(name: str) -> Any:
    if name in _EXTRAS:
        return getattr(importlib.import_module(f"langchain_cogmem.{_EXTRAS[name]}"), name)
    raise AttributeError(f"module 'langchain_cogmem' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
