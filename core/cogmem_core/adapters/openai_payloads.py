"""What the requests and answers of OpenAI-compatible clients hold, in either of their two forms.

Chat completions have `messages`, responses have `input`. Messages may be mappings or the objects
that an earlier answer held. Pure: nothing here changes what it was given.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cogmem_core.values.messages import words

_TOOL_CALLS = ("function_call", "custom_tool_call", "mcp_call")
_OUTPUT = "_output"
_CALLS = 32  # of tools, whose arguments are told with an answer
Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model said.

    Attributes:
        text: empty if it said nothing.
        acts: it calls tools, so that its answer is still to come.
        arguments: what it gave to them, as text.
        is_only_one: False = the caller asked for several and takes one of them.
        response_id: by which a later request may follow it; None if it has none.
    """

    text: str = ""
    acts: bool = False
    arguments: str = ""
    is_only_one: bool = True
    response_id: str | None = None


class _Chat:
    """Requests and answers of `chat.completions`."""

    argument = "messages"
    """The argument of the request that holds what was said."""

    def messages(self, said: Any) -> list[Message]:
        """What was said, oldest first."""
        return _plain(said)

    def with_context(self, said: Any, context: str) -> Any:
        """The same, with a text in front of what the user said last."""
        return _informed(said, context, "text")

    def answer(self, response: Any) -> Answer:
        """What a response says."""
        message = response.choices[0].message
        calls = message.tool_calls or ()
        return Answer(
            message.content or "",
            acts=bool(calls or getattr(message, "function_call", None)),
            is_only_one=len(response.choices) == 1,
        )

    def collector(self) -> _ChatCollector:
        """Puts a streamed response together."""
        return _ChatCollector()


@dataclass(slots=True)
class _ChatCollector:
    """Puts a streamed answer together."""

    texts: list[str] = field(default_factory=list)
    acts: bool = False
    has_ended: bool = False
    is_only_one: bool = True

    def add(self, event: Any) -> None:
        """Take in what was streamed."""
        for choice in event.choices:
            if choice.index:
                self.is_only_one = False
                continue
            delta = choice.delta
            if delta is not None:
                self.texts.append(delta.content or "")
                self.acts = self.acts or bool(delta.tool_calls)
            self.has_ended = self.has_ended or choice.finish_reason is not None

    def answer(self) -> Answer | None:
        """The whole answer; None if it did not come to its end."""
        if not self.has_ended:
            return None
        return Answer("".join(self.texts), acts=self.acts, is_only_one=self.is_only_one)


class _Responses:
    """Requests and answers of `responses`: as those of `_Chat`."""

    argument = "input"

    def messages(self, said: Any) -> list[Message]:
        return [{"role": "user", "content": said}] if isinstance(said, str) else _plain(said)

    def with_context(self, said: Any, context: str) -> Any:
        if isinstance(said, str):
            return f"{context}\n\n{said}"
        return _informed(said, context, "input_text")

    def answer(self, response: Any) -> Answer:
        output = _plain(response.output)
        return Answer(
            response.output_text or "",
            acts=any(_is_call(item) for item in output),
            arguments=_arguments(output),
            response_id=response.id,
        )

    def collector(self) -> _ResponsesCollector:
        return _ResponsesCollector()


@dataclass(slots=True)
class _ResponsesCollector:
    response: Any = None

    def add(self, event: Any) -> None:
        if event.type == "response.completed":
            self.response = event.response

    def answer(self) -> Answer | None:
        return None if self.response is None else RESPONSES.answer(self.response)


CHAT = _Chat()
RESPONSES = _Responses()
Payload = _Chat | _Responses
"""One form of requests and answers."""


@dataclass(frozen=True, slots=True)
class Talk:
    """What a request holds of a conversation.

    Attributes:
        texts: (role, text), oldest first; blank where a model only called tools.
        asked: what the user said since a model answered, oldest first.
        arguments: what the model gave to tools since, as text.
    """

    texts: tuple[tuple[str, str], ...]
    asked: tuple[str, ...]
    arguments: str


def talk_of(messages: Sequence[Message]) -> Talk:
    """What the messages of a request say, and what of it waits for an answer."""
    texts: list[tuple[str, str]] = []
    acts = False
    for message in reversed(messages):
        role = message.get("role")
        if _is_call(message) or role == "tool" or str(message.get("type")).endswith(_OUTPUT):
            acts = True
            continue
        if role == "user":
            acts = False
        text = "" if acts else words(message.get("content"))
        texts.insert(0, (str(role), text if isinstance(text, str) else ""))
    first = 1 + max(
        (index for index, (role, text) in enumerate(texts) if role == "assistant" and text.strip()),
        default=-1,
    )
    questions = tuple(text for role, text in texts[first:] if role == "user" and text.strip())
    return Talk(tuple(texts), questions, _arguments(messages))


def _arguments(messages: Sequence[Message]) -> str:
    """What a model gave to tools since the user spoke, as text."""
    texts: list[str] = []
    for message in reversed(messages):
        if message.get("role") == "user" or len(texts) >= _CALLS:
            break
        calls = message.get("tool_calls") or ()
        functions = [call.get("function") or call.get("custom") or {} for call in calls]
        if _is_call(message) and not calls:
            functions = [message.get("function_call") or message]
        texts += [_argument(function) for function in functions]
    return "\n".join(reversed([text for text in texts if text]))


def _argument(function: Message) -> str:
    arguments = function.get("arguments") or function.get("input") or ""
    return (
        arguments
        if isinstance(arguments, str)
        else json.dumps(arguments, ensure_ascii=False, default=str)
    )


def _is_call(message: Message) -> bool:
    called = message.get("tool_calls") or message.get("function_call")
    return bool(called) or message.get("type") in _TOOL_CALLS


def _plain(messages: Any) -> list[Message]:
    """The messages as mappings; what is none stands for nothing that was said."""
    return [_as_mapping(message) for message in messages]


def _as_mapping(message: Any) -> Message:
    if isinstance(message, Mapping):
        return message
    dump = getattr(message, "model_dump", None)
    plain = dump() if callable(dump) else None
    return plain if isinstance(plain, Mapping) else {}


def _informed(messages: Any, context: str, kind: str) -> list[Any]:
    """The messages, with a text in front of the user's last one, which is copied for it."""
    informed = list(messages)
    for index in reversed(range(len(informed))):
        message = _as_mapping(informed[index])
        if message.get("role") == "user":
            content = message.get("content")
            if isinstance(content, str):
                content = f"{context}\n\n{content}"
            else:
                content = [{"type": kind, "text": f"{context}\n\n"}, *(content or ())]
            informed[index] = {**message, "content": content}
            break
    return informed
