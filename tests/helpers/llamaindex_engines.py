"""Engines of LlamaIndex over a bank, a question for them, and how its answer is judged."""

from typing import Any

from llama_index.core.chat_engine import ContextChatEngine
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from cogmem_core import MemoryBank
from helpers.llamaindex_models import COFFEE, HIKING
from llamaindex_cogmem import CogMemRetriever

QUESTION = "Where do I like hiking on Mount Rainier, with coffee from Guatemala?"
BOTH = [(COFFEE, "ignored"), (HIKING, "used")]


def chat_engine(bank: MemoryBank, llm: Any, *, k: int = 2) -> ContextChatEngine:
    memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
    return ContextChatEngine.from_defaults(
        CogMemRetriever(bank, similarity_top_k=k), llm=llm, memory=memory
    )


def query_engine(bank: MemoryBank, llm: Any, **more: Any) -> RetrieverQueryEngine:
    return RetrieverQueryEngine.from_args(
        CogMemRetriever(bank, similarity_top_k=2), llm=llm, **more
    )


class Documents(BaseRetriever):
    """A retriever of something else than memories."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [NodeWithScore(node=TextNode(text="The mountain is 4,392 metres high"), score=1.0)]
