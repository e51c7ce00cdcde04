"""What the recipes share: a chat model, their data, and what makes scripts and notebooks alike.

The model is OpenAI's, or that of any server that speaks its protocol, if OPENAI_API_KEY is set and langchain-openai is
installed (OPENAI_BASE_URL and OPENAI_MODEL are heeded). Otherwise a stand-in answers, which can only quote its prompt.
"""

import importlib.util
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from common import Calls, run, stems, steps_of
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

__all__ = ["Quoting", "chat_model", "data", "run", "show"]


def chat_model(**calls: Calls) -> BaseChatModel:
    """The model of a recipe.

    Args:
        calls: for the stand-in, which cannot decide that by itself: which tool to call with which arguments if this
            word is in the question, or several, one after the other. A real model reads the tools' descriptions.
    """
    if os.environ.get("OPENAI_API_KEY") and importlib.util.find_spec("langchain_openai"):
        from langchain_openai import ChatOpenAI

        name = os.environ.get("OPENAI_MODEL", "gpt-4o-mini")
        return ChatOpenAI(model=name, base_url=os.environ.get("OPENAI_BASE_URL") or None, temperature=0)
    return Quoting(calls=calls)


class Quoting(BaseChatModel):
    """Answers a question with those lines of its prompt that have most words in common with it."""

    calls: Mapping[str, Calls] = {}

    @property
    def _llm_type(self) -> str:
        return "quoting"

    def bind_tools(self, _tools: Sequence[Any], **_: Any) -> BaseChatModel:
        """`calls` tells when to call which tool."""
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._answer(messages))])

    def _stream(self, messages: list[BaseMessage], *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
        answer = self._answer(messages)
        for word in re.findall(r"\S+\s*", answer.text):
            yield ChatGenerationChunk(message=AIMessageChunk(content=word))
        yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_calls=answer.tool_calls))

    def _answer(self, messages: list[BaseMessage]) -> AIMessage:
        asked = next(message.text for message in reversed(messages) if isinstance(message, HumanMessage))
        question = asked.rsplit("Human: ", 1)[-1].removesuffix("AI:").strip().splitlines()[-1]
        last = max(place for place, message in enumerate(messages) if isinstance(message, HumanMessage))
        answered = sum(isinstance(message, ToolMessage) for message in messages[last:])
        for name, arguments in steps_of(self.calls, question)[answered:]:
            call = {"name": name, "args": dict(arguments), "id": f"call-{len(messages)}"}
            return AIMessage("", tool_calls=[call])
        if isinstance(messages[-1], ToolMessage):
            return AIMessage(f"Done: {messages[-1].text}")
        if not question.endswith("?"):
            return AIMessage("I see.")
        prompt = "\n".join(message.text for message in messages)
        lines = dict.fromkeys(re.findall(r"^- (?:\([^)]*\) )?(.+)$", prompt, re.MULTILINE))
        shared = {line: len(stems(line) & stems(question)) for line in lines}
        best = [line for line in lines if shared[line] and shared[line] == max(shared.values())]
        return AIMessage(f"You told me: {' '.join(best)}" if best else "I do not know that.")


def data(name: str) -> Any:
    """The content of a JSON file in the folder `data` beside this file."""
    return json.loads((Path(__file__).parent / "data" / name).read_text(encoding="utf-8"))


def show(picture: str) -> None:
    """In a notebook, show a picture; a script leaves it to the reader to open it."""
    if "ipykernel" in sys.modules:
        from IPython.display import Image, display

        display(Image(filename=picture))
