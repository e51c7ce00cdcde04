"""Models of LlamaIndex that say what they are told to, and a look at what was learnt."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    CompletionResponse,
    LLMMetadata,
)
from llama_index.core.llms.callbacks import llm_chat_callback, llm_completion_callback
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection
from pydantic import PrivateAttr

from cogmem_core import MemoryBank
from llamaindex_cogmem.convert import text_of

HIKING = "Ann likes hiking on Mount Rainier"
COFFEE = "Ann drinks coffee from Guatemala"
USED = "You like hiking on Mount Rainier!"

Answer = str | list[dict[str, Any]] | Exception
"""What the model says; or the tools that it calls, as {"name": ..., "args": ...}; or what it raises."""


def signals(bank: MemoryBank) -> list[tuple[str, str]]:
    """(memory, "used" or "ignored") of every judgement so far."""
    return sorted((memory, signal) for memory, signal, _ in judgements(bank))


def judgements(bank: MemoryBank) -> list[tuple[str, str, str]]:
    """(memory, signal, the question it was recalled for) of every judgement so far."""
    bank.engine.flush()
    with bank.engine.services.ledger.whole() as reader:
        rows = reader.at(bank.namespace).feedback.newest(limit=10_000)
    return sorted((bank.get(row.memory_id).content, row.signal, row.query) for row in rows)


def recalls(bank: MemoryBank) -> int:
    """How often anybody recalled anything."""
    return len(bank.engine.log(op="recall", limit=1_000))


def contents(bank: MemoryBank) -> list[str]:
    """What is remembered, oldest first."""
    bank.engine.flush()
    return [memory.content for memory in bank.list(limit=1_000)]


def call(name: str, **args: Any) -> list[dict[str, Any]]:
    """A tool call, as an answer."""
    return [{"name": name, "args": args}]


class TellingLLM(FunctionCallingLLM):
    """A chat model with tools that gives the answers it was given in turn, or those of a function of its prompt.

    Streams word by word.
    """

    _answers: Callable[[str], Answer] = PrivateAttr()
    _prompts: list[list[ChatMessage]] = PrivateAttr(default_factory=list)

    def __init__(
        self, answers: Callable[[str], Answer] | Sequence[Answer] = USED, **fields: Any
    ) -> None:
        super().__init__(**fields)
        if callable(answers):
            self._answers = answers
        else:
            left = [answers] if isinstance(answers, str) else list(answers)
            self._answers = lambda _prompt: left.pop(0) if len(left) > 1 else left[0]

    @classmethod
    def class_name(cls) -> str:
        return "TellingLLM"

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(is_chat_model=True, is_function_calling_model=True, context_window=8_000)

    @property
    def prompts(self) -> list[str]:
        """What it was asked, as text, oldest first."""
        return [text_of(messages) for messages in self._prompts]

    @property
    def asked(self) -> list[list[ChatMessage]]:
        """What it was asked, oldest first."""
        return self._prompts

    def _answer(self, messages: Sequence[ChatMessage]) -> ChatMessage:
        self._prompts.append([message.model_copy(deep=True) for message in messages])
        answer = self._answers(text_of(messages))
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, str):
            return ChatMessage(role="assistant", content=answer)
        return ChatMessage(role="assistant", content="", additional_kwargs={"tool_calls": answer})

    def _pieces(self, messages: Sequence[ChatMessage]) -> Iterator[ChatResponse]:
        whole, said = self._answer(messages), ""
        for piece in (whole.content or "").split(" ") if whole.content else [""]:
            delta = piece if not said else f" {piece}"
            said += delta
            message = ChatMessage(
                role="assistant", content=said, additional_kwargs=whole.additional_kwargs
            )
            yield ChatResponse(message=message, delta=delta)

    @llm_chat_callback()
    def chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return ChatResponse(message=self._answer(messages))

    @llm_chat_callback()
    async def achat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> ChatResponse:
        return ChatResponse(message=self._answer(messages))

    @llm_chat_callback()
    def stream_chat(self, messages: Sequence[ChatMessage], **kwargs: Any) -> Iterator[ChatResponse]:
        def pieces() -> Iterator[ChatResponse]:
            yield from self._pieces(messages)

        return pieces()

    @llm_chat_callback()
    async def astream_chat(
        self, messages: Sequence[ChatMessage], **kwargs: Any
    ) -> AsyncIterator[ChatResponse]:
        async def pieces() -> AsyncIterator[ChatResponse]:
            for piece in self._pieces(messages):
                yield piece

        return pieces()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text=self._answer([ChatMessage(prompt)]).content or "")

    @llm_completion_callback()
    async def acomplete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> CompletionResponse:
        return CompletionResponse(text=self._answer([ChatMessage(prompt)]).content or "")

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:
        raise NotImplementedError

    async def astream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> Any:
        raise NotImplementedError

    def _prepare_chat_with_tools(
        self, tools: Any, user_msg: Any = None, chat_history: Any = None, **_: Any
    ) -> Any:
        asked = (
            [ChatMessage(user_msg)] if isinstance(user_msg, str) else [user_msg] if user_msg else []
        )
        return {"messages": [*(chat_history or []), *asked]}

    def get_tool_calls_from_response(
        self, response: ChatResponse, error_on_no_tool_call: bool = True, **_: Any
    ) -> list[ToolSelection]:
        calls = response.message.additional_kwargs.get("tool_calls", [])
        return [
            ToolSelection(tool_id=f"call-{number}", tool_name=one["name"], tool_kwargs=one["args"])
            for number, one in enumerate(calls)
        ]
