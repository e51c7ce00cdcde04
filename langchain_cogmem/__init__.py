"""cogmem for LangChain: memory of chains, retriever, callbacks that learn from answers, agent middleware, store."""

from __future__ import annotations

try:
    import langchain_core  # noqa: F401
except ImportError as error:
    raise ImportError("langchain_cogmem needs LangChain: pip install 'cogmem[langchain]'") from error

from langchain_cogmem.callbacks import AsyncCogMemCallbackHandler, CogMemCallbackHandler, cogmem_feedback
from langchain_cogmem.memory import CogMemMemory
from langchain_cogmem.retriever import CogMemRetriever

__all__ = [
    "AsyncCogMemCallbackHandler",
    "CogMemCallbackHandler",
    "CogMemMemory",
    "CogMemRetriever",
    "cogmem_feedback",
]
