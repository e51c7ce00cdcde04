"""cogmem for LlamaIndex: memory, retriever, feedback that learns from answers, tools."""

try:
    import llama_index.core  # noqa: F401
except ImportError as error:
    raise ImportError(
        "llamaindex_cogmem needs LlamaIndex: pip install 'llama-index-core>=0.13,<0.15'"
    ) from error

from cogmem_core import __version__ as __version__  # all distributions have one
from llamaindex_cogmem.blocks import CogMemMemoryBlock
from llamaindex_cogmem.bridges import LlamaIndexEmbedder, LlamaIndexLLM
from llamaindex_cogmem.callbacks import CogMemCallbackHandler
from llamaindex_cogmem.convert import turns_of
from llamaindex_cogmem.instrumentation import CogMemInstrumentation
from llamaindex_cogmem.memory import CogMemMemory
from llamaindex_cogmem.postprocessor import CogMemPostprocessor
from llamaindex_cogmem.retriever import CogMemRetriever
from llamaindex_cogmem.steps import arecall_step, aremember_step, recall_step, remember_step
from llamaindex_cogmem.tools import CogMemToolSpec
from llamaindex_cogmem.vector_store import CogMemVectorStore

__all__ = [
    "CogMemCallbackHandler",
    "CogMemInstrumentation",
    "CogMemMemory",
    "CogMemMemoryBlock",
    "CogMemPostprocessor",
    "CogMemRetriever",
    "CogMemToolSpec",
    "CogMemVectorStore",
    "LlamaIndexEmbedder",
    "LlamaIndexLLM",
    "arecall_step",
    "aremember_step",
    "recall_step",
    "remember_step",
    "turns_of",
]
