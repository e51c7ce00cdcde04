"""What memory and instrumentation add to a turn of a LlamaIndex chat engine, beside the bare one and one recall.

python tests/bench/bench_llamaindex.py [MEMORIES]
"""

import itertools
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from bench_langchain import ANSWER, milliseconds, recalling
from bounds import held
from given import GivenVectors, sentences
from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import ChatMessage, ChatResponse, CustomLLM
from llama_index.core.llms.callbacks import llm_chat_callback, llm_completion_callback
from llama_index.core.memory import ChatMemoryBuffer

import cogmem_core
from cogmem_core.testing import MANUAL
from llamaindex_cogmem import CogMemInstrumentation, CogMemMemory

CONVERSATION = 20
"""Turns of a conversation; then the next one begins, in the same bank."""


class Saying(CustomLLM):
    """Always says the same, at once; a chat model, as those of the great vendors."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata()

    @llm_chat_callback()
    def chat(self, messages: Sequence[ChatMessage], **_: Any) -> ChatResponse:
        return ChatResponse(message=ChatMessage(ANSWER, role="assistant"))

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text=ANSWER)

    @llm_completion_callback()
    def stream_complete(
        self, prompt: str, formatted: bool = False, **_: Any
    ) -> CompletionResponseGen:
        yield self.complete(prompt)


def ending(chat: SimpleChatEngine) -> Callable[[str], object]:
    """What comes after a turn: after the last one of a conversation nothing of it is left."""
    turns = itertools.count(1)

    def end(_: str) -> None:
        if next(turns) % CONVERSATION == 0:
            chat.reset()

    return end


def main() -> None:
    warnings.simplefilter("ignore")
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    with (
        tempfile.TemporaryDirectory() as folder,
        cogmem_core.open(folder, embedder=GivenVectors(), config=MANUAL) as engine,
    ):
        bank = engine.bank("one")
        bank.remember(list(sentences(size, 1)), mode="raw")
        engine.flush()
        plain = SimpleChatEngine.from_defaults(
            llm=Saying(), memory=ChatMemoryBuffer.from_defaults()
        )
        remembering = SimpleChatEngine.from_defaults(
            llm=Saying(), memory=CogMemMemory.from_defaults(bank)
        )
        listening = CogMemInstrumentation(engine)

        def chat(said: str) -> None:
            with listening:
                remembering.chat(said)

        took = milliseconds(
            {
                "chat": (chat, ending(remembering)),
                "bare": (plain.chat, ending(plain)),
                "recall": recalling(bank, ANSWER),
            }
        )
    added = took["chat"] - took["bare"] - took["recall"]
    print(
        f"{size:>7} memories: bare chat engine {took['bare']:.2f} ms a turn, one recall with its context "
        f"{took['recall']:.2f} ms, with memory and instrumentation {took['chat']:.2f} ms: "
        f"{added:.2f} ms more than both"
    )
    held("a LlamaIndex turn: more than the bare engine and one recall", added, 3, "ms")


if __name__ == "__main__":
    main()
