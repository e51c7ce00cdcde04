"""Texts that LangChain writes in the name of a person or a model.

LangChain marks the messages that it writes in a person's name. What it writes in a model's name
bears no mark, so it is known by its text; a test compares the texts with those of the installed
version.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

__all__ = [
    "ORIGINS",
    "SOURCE",
    "Origin",
    "by_framework",
    "ended_without_answer",
    "is_interrupt",
    "is_memories",
    "memories_message",
    "written_by_langchain",
]

SOURCE = "lc_source"
"""The mark of middleware texts, in a message's `additional_kwargs` or a run's metadata."""
_OURS = "cogmem"
_MEMORIES = "cogmem_memories"
_HANDED_BACK = "__is_handoff_back"
"""The mark of langgraph-supervisor's "Transferring back to ...", in a message's metadata."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What one of LangChain's classes puts among the messages in the name of somebody else.

    Attributes:
        role: in whose name: "user" or "assistant".
        text: a pattern of the text; empty = the message bears the mark.
    """

    role: str
    text: str = ""


_NOTHING: tuple[Origin, ...] = ()
_STOPPED = Origin(
    "assistant", r"Agent stopped due to (max iterations|iteration limit or time limit)\."
)
_FLAGGED = r"I'm sorry, but I can't comply with that request\. It was flagged for .*\."
ORIGINS: Mapping[str, tuple[Origin, ...]] = {
    # langchain.agents.middleware
    "AgentMiddleware": _NOTHING,
    "AutoModeMiddleware": _NOTHING,
    "ContextEditingMiddleware": _NOTHING,
    "FilesystemFileSearchMiddleware": _NOTHING,
    "HumanInTheLoopMiddleware": _NOTHING,
    "LLMToolEmulator": _NOTHING,
    "LLMToolSelectorMiddleware": _NOTHING,
    "ModelCallLimitMiddleware": (
        Origin(
            "assistant",
            r"Model call limits exceeded: "
            r"(thread|run) limit \(\d+/\d+\)(, run limit \(\d+/\d+\))?",
        ),
    ),
    "ModelFallbackMiddleware": _NOTHING,
    "ModelRefusalMiddleware": _NOTHING,
    "ModelRetryMiddleware": (
        Origin("assistant", r"Model call failed after \d+ attempts? with \w+: .*"),
    ),
    "ModelRouterMiddleware": _NOTHING,
    "PIIMiddleware": _NOTHING,  # it only takes out: see `user_words`
    "ProviderToolSearchMiddleware": _NOTHING,
    "ShellToolMiddleware": _NOTHING,
    "SummarizationMiddleware": (Origin("user"),),
    "TodoListMiddleware": _NOTHING,
    "ToolCallLimitMiddleware": (
        Origin(
            "assistant",
            r"('.*' tool|Tool) call limit reached: "
            r"(thread|run) limit exceeded \(\d+/\d+ calls\)"
            r"( and run limit exceeded \(\d+/\d+ calls\))?\.",
        ),
    ),
    "ToolErrorMiddleware": _NOTHING,
    "ToolRetryMiddleware": _NOTHING,
    # langchain_anthropic.middleware, langchain_openai.middleware
    "AnthropicPromptCachingMiddleware": _NOTHING,
    "ClaudeBashToolMiddleware": _NOTHING,
    "FilesystemClaudeMemoryMiddleware": _NOTHING,
    "FilesystemClaudeTextEditorMiddleware": _NOTHING,
    "OpenAIAutoModeMiddleware": _NOTHING,
    "OpenAIModelRouterMiddleware": _NOTHING,
    "OpenAIModerationMiddleware": (Origin("user", _FLAGGED), Origin("assistant", _FLAGGED)),
    "StateClaudeMemoryMiddleware": _NOTHING,
    "StateClaudeTextEditorMiddleware": _NOTHING,
    "StateFileSearchMiddleware": _NOTHING,
    # langchain_classic.agents
    "Agent": (_STOPPED,),
    "AgentExecutor": (_STOPPED,),
    "BaseMultiActionAgent": (_STOPPED,),
    "BaseSingleActionAgent": (_STOPPED,),
    "ChatAgent": (_STOPPED,),
    "ConversationalAgent": (_STOPPED,),
    "ConversationalChatAgent": (_STOPPED,),
    "LLMSingleActionAgent": (_STOPPED,),
    "OpenAIFunctionsAgent": (_STOPPED,),
    "OpenAIMultiFunctionsAgent": (_STOPPED,),
    "MRKLChain": (_STOPPED,),
    "ReActChain": (_STOPPED,),
    "ReActDocstoreAgent": (_STOPPED,),
    "ReActTextWorldAgent": (_STOPPED,),
    "RunnableAgent": (_STOPPED,),
    "RunnableMultiActionAgent": (_STOPPED,),
    "SelfAskWithSearchAgent": (_STOPPED,),
    "SelfAskWithSearchChain": (_STOPPED,),
    "StructuredChatAgent": (_STOPPED,),
    "XMLAgent": (_STOPPED,),
    "ZeroShotAgent": (_STOPPED,),
    # langgraph.prebuilt
    "create_react_agent": (
        Origin("assistant", r"Sorry, need more steps to process this request\."),
    ),
}
"""Which of LangChain's classes write in the name of a person or a model; all others do not."""
_PATTERN = re.compile(
    "|".join(
        dict.fromkeys(
            f"(?:{origin.text})"
            for origins in ORIGINS.values()
            for origin in origins
            if origin.text
        )
    ),
    re.DOTALL,
)


def by_framework(text: str) -> bool:
    """Whether LangChain itself wrote an answer: a limit was reached, or the model failed.

    Example:
        >>> by_framework("Model call limits exceeded: run limit (1/1)")
        True
        >>> by_framework("It is sunny.")
        False
    """
    return _PATTERN.fullmatch(text.strip()) is not None


def written_by_langchain(message: BaseMessage) -> bool:
    """Whether LangChain wrote a message in the name of a person or a model.

    Example:
        >>> summary = HumanMessage("In short ...", additional_kwargs={"lc_source": "summarization"})
        >>> written_by_langchain(summary)
        True
    """
    if isinstance(message, HumanMessage):
        return bool(message.additional_kwargs.get(SOURCE))
    if not isinstance(message, AIMessage):
        return False
    return bool(message.response_metadata.get(_HANDED_BACK)) or by_framework(str(message.text))


def memories_message(
    text: str, message_id: str | None = None, memory_ids: Iterable[str] = ()
) -> HumanMessage:
    """Memories as a message for a model: of the role that every model takes anywhere, and of nobody's.

    `memory_ids`: which they are, for `memories_in`.

    Example:
        >>> is_memories(memories_message("Ann has a boat.")), is_memories(HumanMessage("Hi"))
        (True, False)
    """
    ids = list(memory_ids)
    marks = {SOURCE: _OURS, **({_MEMORIES: ids} if ids else {})}
    return HumanMessage(text, id=message_id, additional_kwargs=marks)


def is_memories(message: BaseMessage) -> bool:
    """Whether a message is one of `memories_message`."""
    return message.additional_kwargs.get(SOURCE) == _OURS


def memories_in(message: BaseMessage) -> frozenset[str]:
    """The ids of the memories in a `memories_message`, as far as it tells them."""
    return frozenset(message.additional_kwargs.get(_MEMORIES, ()))


def is_interrupt(error: BaseException) -> bool:
    """Whether a graph stopped to ask a person, and will go on."""
    return any(kind.__name__ == "GraphBubbleUp" for kind in type(error).__mro__)


def ended_without_answer(output: object) -> bool:
    """Whether a chain or an agent ended without an answer of a model, by what it returned."""
    if isinstance(output, BaseMessage):
        return written_by_langchain(output)
    if not isinstance(output, Mapping):
        return False
    messages = output.get("messages")
    answer = output.get("output")
    last = messages[-1] if isinstance(messages, Sequence) and messages else None
    return (isinstance(last, AIMessage) and written_by_langchain(last)) or (
        isinstance(answer, str) and by_framework(answer)
    )
