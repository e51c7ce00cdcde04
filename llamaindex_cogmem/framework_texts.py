"""What LlamaIndex's own classes do to the messages of a memory, and what they write themselves.

Agents put more among the messages than a person said, and some in the person's name. Such texts
bear no mark, so they are known by their wording, or by the step of the agent that puts them. A test
finds the classes of the installed version, and compares the wording with it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine.types import BaseChatEngine

from llamaindex_cogmem.spans import active_span

__all__ = [
    "ORIGINS",
    "Origin",
    "by_framework",
    "current_origin",
    "from_tool",
    "only_code",
    "put_by_agent",
    "repeats_tool_output",
]


@dataclass(frozen=True, slots=True)
class Origin:
    """What a class does to the messages of a memory.

    Attributes:
        texts: patterns of what it writes in the name of a person or a model.
        asks_in: the only method in which it puts what a person said; None = any.
        answers: the model that reads the memory's messages answers the person; else it only
            rewrites the question.
        keeps_system: the first system message is sure to reach that model.
        asks_with_input: what it asks the memory with is what the person says.
    """

    texts: tuple[str, ...] = ()
    asks_in: str | None = None
    answers: bool = True
    keeps_system: bool = True
    asks_with_input: bool = False


_HANDOFF = (
    # What the tool says by which one agent of a workflow hands over to another.
    r"Agent .* is now handling the request due to the following reason: .*"
    r"\.\nPlease continue with the current request\.",
)
_CODEACT = (
    # What code that a `CodeActAgent` wrote has printed.
    r"Result of executing the code given:\n",
)
_REACT = (
    # What a `ReActAgent` asks its model for once more.
    r"FAILURE: Your previous response was empty\."
    r"\nYou must output a thought and an action/answer\.",
    r"Error while parsing the output: .*\n\nThe output should be in one of the following formats:",
)
_NOTHING = Origin()  # it writes nothing of its own in anybody's name
_CHAT = Origin(asks_with_input=True)

ORIGINS: Mapping[str, Origin] = {
    # Agents. Their steps are those of `BaseWorkflowAgent` and `AgentWorkflow`, which do not tell
    # what kind of agent is at work; a `ReActAgent` drops the first system message.
    "BaseWorkflowAgent": Origin(asks_in="init_run", keeps_system=False),
    "AgentWorkflow": Origin(_HANDOFF, asks_in="init_run", keeps_system=False),
    "FunctionAgent": Origin(asks_in="init_run"),
    "CodeActAgent": Origin(_CODEACT, asks_in="init_run"),
    "ReActAgent": Origin(_REACT, asks_in="init_run", keeps_system=False),
    # Chat engines.
    "SimpleChatEngine": _CHAT,
    "ContextChatEngine": _CHAT,
    "CondensePlusContextChatEngine": _CHAT,
    "MultiModalContextChatEngine": _CHAT,
    "MultiModalCondensePlusContextChatEngine": _CHAT,
    "CondenseQuestionChatEngine": Origin(answers=False, asks_with_input=True),
    # Memories, and blocks of memories: what they add to the messages is the system's, and they give
    # it out without keeping it.
    "BaseChatStoreMemory": _NOTHING,
    "ChatMemoryBuffer": _NOTHING,
    "ChatSummaryMemoryBuffer": _NOTHING,
    "Memory": _NOTHING,
    "SimpleComposableMemory": _NOTHING,
    "VectorMemory": _NOTHING,
    "BaseMemoryBlock": _NOTHING,
    "FactExtractionMemoryBlock": _NOTHING,
    "StaticMemoryBlock": _NOTHING,
    "VectorMemoryBlock": _NOTHING,
}
"""By the name of the class."""

_AGENTS = (
    ("llama_index.core.agent.workflow.base_agent", "BaseWorkflowAgent"),
    ("llama_index.core.agent.workflow.multi_agent_workflow", "AgentWorkflow"),
)
_CODE = re.compile(r"<execute>(.*?)</execute>", re.DOTALL)  # as `CodeActAgent` looks for it
_PATTERN = re.compile(
    "|".join(f"(?:{text})" for origin in ORIGINS.values() for text in origin.texts), re.DOTALL
)
_OBSERVATION = "Observation:"
_TOOL_ID = "tool_call_id"


def current_origin() -> tuple[Origin, str]:
    """The class of LlamaIndex that is at work in this context, and its method, as spans tell them.

    A class of the application's own counts as the one that it is made of; any other, or none, does
    nothing to a memory.
    """
    owner, _, method = (active_span() or "").partition("-")[0].rpartition(".")
    name = owner.rpartition(".")[2]
    if name:
        for kind in _subclasses(_roots()):
            # Applications have classes of the same names that are none of LlamaIndex's, with
            # methods of their own.
            if kind.__name__ == name and hasattr(kind, method):
                return _of_class(kind), method
    return _NOTHING, method


def put_by_agent() -> bool:
    """Whether an agent puts what it has said and observed, and not what a person says."""
    origin, method = current_origin()
    return origin.asks_in is not None and method != origin.asks_in


def _of_class(kind: type) -> Origin:
    """What the nearest known class does from which a class is made."""
    for base in kind.__mro__:
        if base.__name__ in ORIGINS:
            return ORIGINS[base.__name__]
    return _NOTHING


def _roots() -> list[type]:
    """What chat engines and agents are made of; to import agents takes long, where there are none."""
    roots: list[type] = [BaseChatEngine]
    for module, name in _AGENTS:
        if module in sys.modules:
            roots.append(getattr(sys.modules[module], name))
    return roots


def _subclasses(kinds: Iterable[type]) -> Iterator[type]:
    """The classes, and all that are made of them."""
    for kind in kinds:
        yield kind
        yield from _subclasses(kind.__subclasses__())


def from_tool(message: ChatMessage) -> bool:
    """Whether a message bears the mark of what a tool returned, whoever it names."""
    return _TOOL_ID in message.additional_kwargs


def by_framework(text: str, *, acting: bool = False) -> bool:
    r"""Whether LlamaIndex itself wrote a text that stands in the name of a person or a model.

    Args:
        text: what is said.
        acting: a model called a tool just before: what a ReAct agent observes is not a person's
            word then.

    Example:
        >>> by_framework("Result of executing the code given:\n\n42")
        True
        >>> by_framework("Observation: it rains.")
        False
    """
    stripped = text.lstrip()
    return _PATTERN.match(stripped) is not None or (acting and stripped.startswith(_OBSERVATION))


def only_code(text: str) -> bool:
    """Whether a model's answer is there to run code: what it says beside it, it says to itself."""
    return any(code.strip() for code in _CODE.findall(text))


def repeats_tool_output(text: str) -> bool:
    r"""Whether a ReAct agent's answer is what a tool returned, and no model said it.

    Example:
        >>> repeats_tool_output("Thought: I look.\nAction: look\nObservation: Rain\nThought: Rain\nAnswer: Rain")
        True
    """
    _, _, answer = text.rpartition("\nAnswer: ")
    return bool(answer) and text.endswith(
        f"{_OBSERVATION} {answer}\nThought: {answer}\nAnswer: {answer}"
    )
