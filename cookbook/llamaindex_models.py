"""What the LlamaIndex recipes share: a language model that chats, streams and calls tools.

It is OpenAI's, or that of any server that speaks its protocol, if OPENAI_API_KEY is set and the package `openai` is
installed (OPENAI_BASE_URL and OPENAI_MODEL are heeded). Otherwise a stand-in answers, which can only quote its prompt.
"""

import asyncio
import importlib.util
import json
import os
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from common import Calls, run, stems, steps_of
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, CompletionResponse, LLMMetadata
from llama_index.core.llms.callbacks import llm_chat_callback, llm_completion_callback
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.llms.llm import ToolSelection

__all__ = ["Chatting", "OverOpenAI", "Quoting", "chat_model", "run"]

# Where LlamaIndex's prompts put what was retrieved.
_CONTEXT = re.compile(
    r"(?:^-{10,}|documents for the context:)\n(.*?)^(?:-{10,}| *Instruction:)", re.MULTILINE | re.DOTALL
)


def chat_model(**calls: Calls) -> FunctionCallingLLM:
    """The model of a recipe.

    Args:
        calls: for the stand-in, which cannot decide that by itself: which tool to call with which arguments if this
            word is in the question, or several, one after the other. A real model reads the tools' descriptions.
    """
    if os.environ.get("OPENAI_API_KEY") and importlib.util.find_spec("openai"):
        return OverOpenAI()
    return Quoting(calls=calls)


class Chatting(FunctionCallingLLM):
    """A language model that is one function: `reply`."""

    @property
    def metadata(self) -> LLMMetadata:
        """It chats, and calls functions."""
        return LLMMetadata(is_chat_model=True, is_function_calling_model=True, context_window=16_000)

    def reply(self, messages: Sequence[ChatMessage], tools: Sequence[Any]) -> ChatMessage:
        """What it answers; tool calls go into `additional_kwargs["tool_calls"]` as {"id", "name", "args"}."""
        raise NotImplementedError

    def _pieces(self, messages: Sequence[ChatMessage], tools: Sequence[Any]) -> Iterator[ChatResponse]:
        whole, said = self.reply(messages, tools), ""
        for piece in re.findall(r"\S+\s*", whole.content or "") or [""]:
            said += piece
            message = ChatMessage(role="assistant", content=said, additional_kwargs=whole.additional_kwargs)
            yield ChatResponse(message=message, delta=piece)

    @llm_chat_callback()
    def chat(self, messages: Sequence[ChatMessage], tools: Sequence[Any] = (), **_: Any) -> ChatResponse:
        return ChatResponse(message=self.reply(messages, tools))

    @llm_chat_callback()
    async def achat(self, messages: Sequence[ChatMessage], tools: Sequence[Any] = (), **_: Any) -> ChatResponse:
        return ChatResponse(message=await asyncio.to_thread(self.reply, messages, tools))

    @llm_chat_callback()
    def stream_chat(self, messages: Sequence[ChatMessage], tools: Sequence[Any] = (), **_: Any) -> Any:
        def pieces() -> Iterator[ChatResponse]:
            yield from self._pieces(messages, tools)

        return pieces()

    @llm_chat_callback()
    async def astream_chat(self, messages: Sequence[ChatMessage], tools: Sequence[Any] = (), **_: Any) -> Any:
        async def pieces() -> AsyncIterator[ChatResponse]:
            for piece in await asyncio.to_thread(lambda: list(self._pieces(messages, tools))):
                yield piece

        return pieces()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text=self.reply([ChatMessage(prompt)], ()).content or "")

    @llm_completion_callback()
    async def acomplete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        message = await asyncio.to_thread(self.reply, [ChatMessage(prompt)], ())
        return CompletionResponse(text=message.content or "")

    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> Any:
        raise NotImplementedError("the recipes stream chats")

    async def astream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> Any:
        raise NotImplementedError("the recipes stream chats")

    def _prepare_chat_with_tools(self, tools: Any, user_msg: Any = None, chat_history: Any = None, **_: Any) -> Any:
        asked = [ChatMessage(user_msg)] if isinstance(user_msg, str) else [user_msg] if user_msg else []
        return {"messages": [*(chat_history or []), *asked], "tools": list(tools)}

    def get_tool_calls_from_response(self, response: ChatResponse, **_: Any) -> list[ToolSelection]:
        calls = response.message.additional_kwargs.get("tool_calls", [])
        return [ToolSelection(tool_id=one["id"], tool_name=one["name"], tool_kwargs=one["args"]) for one in calls]


class Quoting(Chatting):
    """Answers a question with those lines of its prompt that have most words in common with it."""

    calls: Mapping[str, Calls] = {}

    def reply(self, messages: Sequence[ChatMessage], tools: Sequence[Any]) -> ChatMessage:
        """A quotation, or a tool call."""
        asked = [message.content or "" for message in messages if message.role == "user"][-1]
        prompt, question = "\n".join(message.content or "" for message in messages), _question(asked)
        answers = _answers_of_tools(messages)
        for name, arguments in steps_of(self.calls, question)[len(answers) :] if tools else []:
            call = {"id": f"call-{len(messages)}", "name": name, "args": dict(arguments)}
            return ChatMessage(role="assistant", content="", additional_kwargs={"tool_calls": [call]})
        if answers and messages[-1].role == "tool":
            return ChatMessage(role="assistant", content=f"Done: {answers[-1]}")
        if "standalone question" in prompt.lower():  # a chat engine wants a question that is understood by itself
            return ChatMessage(role="assistant", content=question)
        return ChatMessage(role="assistant", content=_quotation(prompt, question))


def _answers_of_tools(messages: Sequence[ChatMessage]) -> list[str]:
    """What tools returned since the user spoke; handing over to another agent is none."""
    answers: list[str] = []
    for message in messages:
        if message.role == "user":
            answers = []
        elif message.role == "tool" and "handling the request" not in (message.content or ""):
            answers.append(message.content or "")
    return answers


def _question(asked: str) -> str:
    """What the user wants, without what LlamaIndex wrote around it."""
    lines = [re.sub(r"^.*(?:user|Query|Input): ", "", line).strip() for line in asked.splitlines()]
    told = [line for line in lines if line and not line.endswith(":")]
    return next((line for line in reversed(told) if line.endswith("?")), told[-1])


def _quotation(prompt: str, question: str) -> str:
    if not question.endswith("?"):
        return "I see."
    context = "\n".join(_CONTEXT.findall(prompt))
    lines = [*re.findall(r"^- (?:\([^)]*\) )?(.+)$", prompt, re.MULTILINE), *map(str.strip, context.splitlines())]
    shared = {line: len(stems(line) & stems(question)) for line in lines if line}
    best = [line for line, count in shared.items() if count and count == max(shared.values())]
    return f"You told me: {' '.join(best)}" if best else "I do not know that."


class OverOpenAI(Chatting):
    """Any model behind OpenAI's protocol."""

    def reply(self, messages: Sequence[ChatMessage], tools: Sequence[Any]) -> ChatMessage:
        """What the server answers."""
        import openai

        given = {"tools": [tool.metadata.to_openai_tool() for tool in tools]} if tools else {}
        with openai.OpenAI(base_url=os.environ.get("OPENAI_BASE_URL") or None) as client:
            answer = client.chat.completions.create(
                model=os.environ.get("OPENAI_MODEL", "gpt-4o-mini"),
                messages=[_told(message) for message in messages],  # type: ignore[misc]
                **given,
            )
        message = answer.choices[0].message
        calls = [
            {"id": call.id, "name": call.function.name, "args": json.loads(call.function.arguments or "{}")}
            for call in message.tool_calls or ()
            if call.type == "function"
        ]
        told = {"tool_calls": calls} if calls else {}
        return ChatMessage(role="assistant", content=message.content or "", additional_kwargs=told)


def _told(message: ChatMessage) -> dict[str, Any]:
    """A message as OpenAI's protocol has it."""
    plain: dict[str, Any] = {"role": message.role.value, "content": message.content or ""}
    calls = message.additional_kwargs.get("tool_calls")
    if calls:
        functions = [{"name": call["name"], "arguments": json.dumps(call["args"])} for call in calls]
        plain["tool_calls"] = [
            {"id": call["id"], "type": "function", "function": function}
            for call, function in zip(calls, functions, strict=True)
        ]
    if message.role == "tool":
        plain["tool_call_id"] = message.additional_kwargs["tool_call_id"]
    return plain
