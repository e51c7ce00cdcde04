"""What memory and instrumentation add to a turn of a LlamaIndex chat engine, beside the bare one and one recall.

python tests/bench/bench_llamaindex.py [MEMORIES]
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from typing import Any

from bench_engine import GivenVectors, sentences
from bench_langchain import milliseconds
from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import CustomLLM
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.memory import ChatMemoryBuffer

import cogmem
from cogmem.testing import MANUAL
from llamaindex_cogmem import CogMemInstrumentation, CogMemMemory

LIMIT = 3_000
"""Tokens of a conversation: what is older leaves the prompt, so that every turn costs the same after a while."""


class Saying(CustomLLM):
    """Always says the same, at once."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text="That is what was noted.")

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponseGen:
        yield self.complete(prompt)


def main() -> None:
    warnings.simplefilter("ignore")
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    with tempfile.TemporaryDirectory() as folder, cogmem.open(folder, embedder=GivenVectors(), config=MANUAL) as engine:
        bank = engine.bank("one")
        bank.remember(list(sentences(size, 1)), mode="raw")
        engine.flush()
        plain = SimpleChatEngine.from_defaults(llm=Saying(), memory=ChatMemoryBuffer.from_defaults(token_limit=LIMIT))
        alone = milliseconds(plain.chat)
        memory = CogMemMemory.from_defaults(bank, token_limit=LIMIT)
        remembering = SimpleChatEngine.from_defaults(llm=Saying(), memory=memory)
        with CogMemInstrumentation(engine):
            with_memory = milliseconds(remembering.chat)
        # A recall of a bank that changes with every turn, as the chat engine's does.
        recall = milliseconds(
            lambda question: bank.recall(question).context(), after=lambda question: bank.remember(question, wait=False)
        )
    added = with_memory - alone - recall
    print(
        f"{size:>7} memories: bare chat engine {alone:.2f} ms a turn, one recall with its context {recall:.2f} ms, "
        f"with memory and instrumentation {with_memory:.2f} ms: {added:.2f} ms more than both (<= 3)"
    )


if __name__ == "__main__":
    main()
