"""A memory in the steps of a workflow of one's own: recall before a model is asked, remember after it has answered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.workflow import Context
from llama_index_instrumentation.dispatcher import instrument_tags

from cogmem_core.edge import checks
from cogmem_core.errors import InvalidInput
from llamaindex_cogmem.memory import CogMemMemory
from llamaindex_cogmem.tracing import current_tags, nobody_speaks

__all__ = ["arecall_step", "aremember_step", "recall_step", "remember_step"]

_PARTS = ("message", "response", "text", "response_gen")
"""Where what a model, an agent or an engine returned has its answer."""


def recall_step(
    memory: CogMemMemory, said: str | ChatMessage, *, by_person: bool = True
) -> list[ChatMessage]:
    """What a model should read: the conversation with what was said, and the memories for it.

    What the user said is on disk before a model is asked. What a model of the same run wrote (a
    planner's task) is nobody's word, whoever is named.

    Args:
        memory: of the conversation.
        said: what the user says.
        by_person: False = another agent says it, or a program: it is recalled for, and not
            remembered.

    Raises:
        InvalidInput: `said` is no text; the run does not tell whose memories are meant.

    Example:
        >>> import cogmem_core
        >>> from llama_index.core.llms import MockLLM
        >>> from llamaindex_cogmem import CogMemMemory, recall_step, remember_step
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     alice = engine.bank("alice")
        ...     _ = alice.remember("My sister Lena lives in Oslo")
        ...     memory = CogMemMemory.from_defaults(alice)
        ...     messages = recall_step(memory, "Where is Lena?")
        ...     remember_step(memory, MockLLM().chat(messages))
        ...     print("Lena lives in Oslo" in messages[-1].content, len(memory.get_all()))
        True 2
    """
    with nobody_speaks(not by_person):
        memory.put(_message("said", said, MessageRole.USER))
        return memory.get()


async def arecall_step(
    memory: CogMemMemory,
    said: str | ChatMessage,
    *,
    ctx: Context | None = None,
    by_person: bool = True,
) -> list[ChatMessage]:
    """Async twin of `recall_step`.

    Args:
        memory: of the conversation.
        said: what the user says.
        ctx: the workflow's: what `await ctx.store.set("user_id", ...)` told counts as if the tags of
            the run told it.
        by_person: as for `recall_step`.

    Raises:
        InvalidInput: `said` is no text; neither the context nor the run tells whose memories are
            meant.
    """
    with _told(await _state_of(ctx)), nobody_speaks(not by_person):
        await memory.aput(_message("said", said, MessageRole.USER))
        return await memory.aget()


def remember_step(memory: CogMemMemory, answer: Any) -> None:
    """Take in what the user was answered: the memories that were shown learn from it.

    Args:
        memory: of the conversation.
        answer: a text, a message, or what a model, an agent or an engine returned.

    Raises:
        InvalidInput: it is none of these.
    """
    memory.put(_message("answer", answer, MessageRole.ASSISTANT))


async def aremember_step(memory: CogMemMemory, answer: Any, *, ctx: Context | None = None) -> None:
    """Async twin of `remember_step`; `ctx`: as for `arecall_step`."""
    with _told(await _state_of(ctx)):
        await memory.aput(_message("answer", answer, MessageRole.ASSISTANT))


def _message(name: str, value: Any, role: MessageRole) -> ChatMessage:
    """A message: itself, that of a model's or an agent's answer, or a text as one.

    Raises:
        InvalidInput: it is none of these.
    """
    parts = [getattr(value, part, None) for part in _PARTS]
    for found in (value, *parts):
        if isinstance(found, ChatMessage):
            return found
    if not isinstance(value, str) and all(part is None for part in parts):
        raise InvalidInput(
            f"{name} is {checks.display(value)}; give a text, a ChatMessage, or what a model, an "
            "agent or an engine returned"
        )
    return ChatMessage(str(value), role=role)


async def _state_of(ctx: Context | None) -> dict[str, Any]:
    """What a workflow's context tells in plain values."""
    state = {} if ctx is None else dict(await ctx.store.get_state())
    return {name: value for name, value in state.items() if isinstance(value, (str, int))}


@contextmanager
def _told(state: dict[str, Any]) -> Iterator[None]:
    """Within the block the run tells what its context does; its own tags count first."""
    with instrument_tags({**state, **current_tags()}):
        yield
