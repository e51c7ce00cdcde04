"""`CogMemMemory`: which messages a model gets, and what it makes of those that it is given: INTERFACES 2.2."""

import copy
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import BaseMemory, ChatMemoryBuffer, InsertMethod, Memory

from cogmem_core import Engine, InvalidInput, MemoryBank
from helpers.llamaindex_models import HIKING, USED, contents, signals
from llamaindex_cogmem import CogMemMemory


def roles(messages: list[ChatMessage]) -> list[str]:
    return [message.role.value for message in messages]


def test_memories_follow_the_system_message(bank: MemoryBank) -> None:
    """`insert_method="system"`: merged into the system message if there is one (providers refuse two)."""
    memory = CogMemMemory.from_defaults(bank, insert_method="system")
    memory.put(ChatMessage("hiking?"))
    alone = memory.get()
    memory.set([ChatMessage("Be kind.", role="system"), ChatMessage("hiking?")])
    merged = memory.get()

    assert roles(alone) == roles(merged) == ["system", "user"]
    assert merged[0].blocks[0].text == "Be kind."  # type: ignore[union-attr]
    assert HIKING in str(merged[0].content)
    assert roles(memory.get_all()) == ["system", "user"]
    assert memory.get_all()[0].content == "Be kind."


@pytest.mark.parametrize("method", ["user", InsertMethod.USER])
def test_memories_precede_the_users_words(bank: MemoryBank, method: Any) -> None:
    """`insert_method="user"`: for models without a system message."""
    memory = CogMemMemory.from_defaults(bank, insert_method=method)
    first = memory.get("hiking?")
    memory.put_messages(
        [ChatMessage("Hello"), ChatMessage("Hi!", role="assistant"), ChatMessage("hiking?")]
    )
    later = memory.get()

    assert roles(first) == ["user"]
    assert roles(later) == ["user", "assistant", "user"]
    assert HIKING in later[2].blocks[0].text  # type: ignore[union-attr]
    assert later[2].blocks[1].text == "hiking?"  # type: ignore[union-attr]
    assert memory.get_all()[2].content == "hiking?"


def test_the_text_around_the_memories_can_be_changed(bank: MemoryBank) -> None:
    """`template`, as in LangChain's twin."""
    memory = CogMemMemory.from_defaults(bank, template="You remember:\n{memories}\nUse it.")
    told = str(memory.get("hiking?")[0].content)

    assert told.startswith("You remember:\n<memories>")
    assert told.endswith("</memories>\nUse it.")
    with pytest.raises(InvalidInput, match=r"it needs \{memories\} where the memories belong"):
        CogMemMemory.from_defaults(bank, template="nothing")


def test_without_an_input_the_open_question_is_recalled_for(bank: MemoryBank) -> None:
    """INTERFACES 2.2: `SimpleChatEngine` and agents call `get()` without an input."""
    memory = CogMemMemory.from_defaults(bank)
    assert memory.get() == []
    memory.put(ChatMessage("What about hiking?"))

    assert HIKING in str(memory.get(initial_token_count=10)[0].content)
    assert memory.last_recall is not None
    assert memory.last_recall.query == "What about hiking?"


def test_after_the_answer_nothing_is_recalled(bank: MemoryBank) -> None:
    """INTERFACES 2.2: one more `get()` after the final answer must not count as a question."""
    memory = CogMemMemory.from_defaults(bank, k=1)
    memory.put(ChatMessage("Where do I like hiking on Mount Rainier?"))
    memory.get()
    memory.put(ChatMessage(USED, role="assistant"))
    first = memory.last_recall

    assert roles(memory.get()) == ["user", "assistant"]
    assert memory.last_recall is first
    assert signals(bank) == [(HIKING, "used")]


def test_empty_and_tool_messages_are_no_answers(bank: MemoryBank) -> None:
    """INTERFACES 2.2: agents put them in one go with the answer."""
    memory = CogMemMemory.from_defaults(bank, k=1, save_mode="both")
    memory.put(ChatMessage("I go hiking on Mount Rainier"))
    memory.get()
    memory.put_messages(
        [
            ChatMessage("", role="assistant", additional_kwargs={"tool_calls": [{"name": "look"}]}),
            ChatMessage(
                "Let me look",
                role="assistant",
                additional_kwargs={"tool_calls": [{"name": "look"}]},
            ),
            ChatMessage(
                "It rains in Seattle", role="tool", additional_kwargs={"tool_call_id": "1"}
            ),
            ChatMessage(USED, role="assistant"),
        ]
    )

    assert signals(bank) == [(HIKING, "used")]
    assert contents(bank)[2:] == ["I go hiking on Mount Rainier"]
    assert len(memory.get_all()) == 5


def test_messages_can_be_changed_in_place(bank: MemoryBank) -> None:
    """INTERFACES 2.2: agents with `initial_state` rewrite the last message they got."""
    memory = CogMemMemory.from_defaults(bank)
    memory.put(ChatMessage("hiking?", additional_kwargs={"x": 1}))
    for messages in (memory.get(), memory.get_all()):
        messages[-1].blocks[0].text = "Current state: ..."  # type: ignore[union-attr]
        messages[-1].additional_kwargs["x"] = 2

    assert memory.get_all() == [ChatMessage("hiking?", additional_kwargs={"x": 1})]


def test_memories_leave_room_for_the_question(bank: MemoryBank) -> None:
    """Cap tokens (INTERFACES 5); `ChatMemoryBuffer` refuses to be asked for less than nothing."""
    for number in range(30):
        bank.add(
            f"Ann went hiking for the {number + 3}rd time, and it rained all day long in the mountains"
        )
    sizes = []
    for limit in (60, 200, 400):
        memory = CogMemMemory.from_defaults(
            bank, token_limit=limit, tokenizer_fn=str.split, k=30, max_tokens=1_000
        )
        memory.put(ChatMessage("What about hiking, once more?"))
        messages = memory.get(initial_token_count=20)
        words = sum(len(str(message.content).split()) for message in messages)
        assert messages[-1].blocks[-1].text == "What about hiking, once more?"  # type: ignore[union-attr]
        assert words + 20 <= limit
        sizes.append(words)

    assert sizes[0] < sizes[1] < sizes[2]


def test_the_oldest_turns_make_room_for_memories(bank: MemoryBank) -> None:
    """A token limit is one for all that the model gets."""
    memory = CogMemMemory.from_defaults(
        bank, token_limit=100, tokenizer_fn=str.split, insert_method="system"
    )
    old = [ChatMessage("word " * 40), ChatMessage("word " * 40, role="assistant")]
    memory.set([*old, ChatMessage("hiking?")])

    assert roles(memory.primary_memory.get()) == ["user", "assistant", "user"]
    assert roles(memory.get()) == ["system", "user"]


def test_a_limit_that_leaves_no_room_leaves_memories_out(bank: MemoryBank) -> None:
    """Better no memories than no question."""
    memory = CogMemMemory.from_defaults(bank, token_limit=9, tokenizer_fn=str.split)
    memory.put(ChatMessage("What about hiking then, once more?"))

    assert roles(memory.get()) == ["user"]


@pytest.mark.parametrize("primary", ["buffer", "memory"])
async def test_any_memory_can_keep_the_conversation(bank: MemoryBank, primary: str) -> None:
    """`primary_memory=`: LlamaIndex's own, sync and async."""
    kept: BaseMemory = (
        ChatMemoryBuffer.from_defaults(token_limit=1_000)
        if primary == "buffer"
        else Memory.from_defaults(token_limit=1_000)
    )
    memory = CogMemMemory.from_defaults(bank, primary_memory=kept, k=1, insert_method="system")
    await memory.aput(ChatMessage("Where do I like hiking on Mount Rainier?"))
    assert roles(await memory.aget()) == ["system", "user"]
    await memory.aput_messages([ChatMessage(USED, role="assistant")])
    assert roles(await memory.aget()) == ["user", "assistant"]
    assert await memory.aget_all() == await kept.aget_all()
    await memory.areset()
    assert await memory.aget_all() == []
    await memory.aset([ChatMessage("hiking?")])
    assert roles(await memory.aget("hiking?")) == ["system", "user"]

    assert signals(bank) == [(HIKING, "used")]
    if isinstance(kept, Memory):
        await kept.sql_store._async_engine.dispose()  # type: ignore[attr-defined]


def test_a_copy_is_a_conversation_of_its_own_with_the_same_bank(
    engine: Engine, bank: MemoryBank
) -> None:
    """Scenario 28: `copy.deepcopy` shares the engine."""
    memory = CogMemMemory.from_defaults(bank, k=1)
    memory.put(ChatMessage("Where do I like hiking on Mount Rainier?"))
    memory.get()
    for other in (copy.deepcopy(memory), memory.model_copy(deep=True)):
        assert other.bank is not None
        assert other.bank.engine is engine
        other.put(ChatMessage("Something else", role="assistant"))
        other.reset()

    assert signals(bank) == []
    assert roles(memory.get_all()) == ["user"]
    memory.put(ChatMessage(USED, role="assistant"))
    assert signals(bank) == [(HIKING, "used")]
