"""From LlamaIndex's messages to turns."""

from datetime import datetime, timezone
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import ChatMemoryBuffer

from cogmem_core import Engine, InvalidInput, Turn
from helpers.tables import each_row
from llamaindex_cogmem import turns_of

SAID = [
    ChatMessage("Be brief", role="system"),
    ChatMessage("I live in Berlin."),
    ChatMessage("", role="assistant", additional_kwargs={"tool_calls": [{"name": "look_up"}]}),
    ChatMessage("a map", role="tool"),
    ChatMessage("Thought: I know enough.\nAnswer: Noted.", role="assistant"),
    ChatMessage("I play the cello."),
]


def test_messages_become_turns() -> None:
    """What people said and were answered: neither calls of tools nor an agent's thoughts."""
    assert turns_of(SAID) == [
        Turn("I live in Berlin.", role="user"),
        Turn("Noted.", role="assistant"),
        Turn("I play the cello.", role="user"),
    ]


def test_turns_of_a_conversation_that_began_then_can_be_remembered(engine: Engine) -> None:
    """Moving in: dates in the order of the messages, and the conversation's name."""
    bank, began = engine.bank("bob"), datetime(2025, 3, 1, 9, tzinfo=timezone.utc)
    buffer = ChatMemoryBuffer.from_defaults(token_limit=3_000, chat_history=SAID)
    bank.remember(turns_of(buffer.get_all(), began=began, session_id="s1"))

    assert [
        (memory.content, memory.recorded_at.isoformat(), memory.session_id)
        for memory in bank.list()
    ] == [
        ("I live in Berlin.", "2025-03-01T09:00:00+00:00", "s1"),
        ("I play the cello.", "2025-03-01T09:02:00+00:00", "s1"),
    ]


@each_row(
    ("messages", "message"),
    [
        ("I moved.", "messages is a str; give a list of ChatMessage"),
        (ChatMessage("I moved."), "messages is a ChatMessage; give a list"),
        (7, "messages is a int"),
        ([ChatMessage("I moved."), "Where to?"], r"messages\[1\] is a str; give a ChatMessage"),
    ],
)
def test_what_is_no_message_becomes_no_turn(messages: Any, message: str) -> None:
    """Typed errors that name the argument and the fix."""
    with pytest.raises(InvalidInput, match=message):
        turns_of(messages)
