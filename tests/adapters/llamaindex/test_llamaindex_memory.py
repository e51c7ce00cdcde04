"""`CogMemMemory` in the real chat engines: INTERFACES 2.1, 2.2, scenarios 3, 11, 19, 21, 22."""

import logging
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine import (
    CondensePlusContextChatEngine,
    ContextChatEngine,
    SimpleChatEngine,
)
from llama_index.core.memory import BaseMemory

from cogmem_core import BankClosed, Engine, MemoryBank
from helpers.llamaindex_engines import Documents
from helpers.llamaindex_models import COFFEE, HIKING, USED, TellingLLM, contents, signals
from helpers.tables import each_case_of
from llamaindex_cogmem import CogMemMemory

Chat = Callable[[Any, str], Coroutine[Any, Any, str]]


async def chat(engine: Any, question: str) -> str:
    return str(engine.chat(question))


async def stream_chat(engine: Any, question: str) -> str:
    return "".join(engine.stream_chat(question).response_gen)


async def achat(engine: Any, question: str) -> str:
    return str(await engine.achat(question))


async def astream_chat(engine: Any, question: str) -> str:
    response = await engine.astream_chat(question)
    return "".join([token async for token in response.async_response_gen()])


WAYS = (chat, stream_chat, achat, astream_chat)
ENGINES: dict[str, Callable[[TellingLLM, BaseMemory], Any]] = {
    "simple": lambda llm, memory: SimpleChatEngine.from_defaults(llm=llm, memory=memory),
    "context": lambda llm, memory: ContextChatEngine.from_defaults(
        Documents(), llm=llm, memory=memory
    ),
    "condense_plus_context": lambda llm, memory: CondensePlusContextChatEngine.from_defaults(
        Documents(), llm=llm, memory=memory
    ),
}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("kind", ENGINES)
async def test_scenario_19_every_way_to_chat_gives_the_same_feedback(
    bank: MemoryBank, kind: str, way: Chat
) -> None:
    """Scenario 19: chat, stream_chat, achat, astream_chat give equal feedback."""
    llm = TellingLLM()
    answer = await way(
        ENGINES[kind](llm, CogMemMemory.from_defaults(bank)), "Where do I like hiking, over coffee?"
    )

    assert answer == USED
    assert HIKING in llm.prompts[-1]
    assert signals(bank) == [(COFFEE, "ignored"), (HIKING, "used")]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("kind", ENGINES)
async def test_scenario_19_the_question_is_never_recalled_as_a_memory(
    bank: MemoryBank, kind: str, way: Chat
) -> None:
    """Scenario 19, INTERFACES 0.9: what is asked now is no memory yet; what was said before is one."""
    llm = TellingLLM(
        lambda prompt: (
            "Noted." if "Standalone" not in prompt and "rephrase" not in prompt else "a cat?"
        )
    )
    memory = CogMemMemory.from_defaults(bank)
    engine = ENGINES[kind](llm, memory)
    await way(engine, "I have a cat called Tom")
    first = memory.last_recall
    await way(engine, "My cat is called Tom, you know")
    second = memory.last_recall

    assert first is not None
    assert second is not None
    assert "I have a cat called Tom" not in [item.content for item in first.results]
    assert "I have a cat called Tom" in [item.content for item in second.results]
    assert "My cat is called Tom, you know" not in [item.content for item in second.results]


def test_scenario_21_an_empty_memory_is_the_one_that_is_used(bank: MemoryBank) -> None:
    """Scenario 21: neither `__len__` nor `__bool__`, or `memory or default` replaces it."""
    memory = CogMemMemory.from_defaults(bank)

    for make in ENGINES.values():
        assert make(TellingLLM(), memory)._memory is memory
    assert not hasattr(CogMemMemory, "__len__")
    assert not hasattr(CogMemMemory, "__bool__")
    assert bool(memory) is True


BRACES = "The template is {query_str} {context_str} {x} and {{both}}"


@pytest.mark.parametrize("kind", ENGINES)
def test_scenario_22_braces_in_a_memory_reach_the_model_as_they_are(
    engine: Engine, kind: str
) -> None:
    """Scenario 22: chat engines put the history through a prompt template."""
    bank = engine.bank("ann")
    bank.add(BRACES)
    llm = TellingLLM("The template has both query_str and context_str")
    ENGINES[kind](llm, CogMemMemory.from_defaults(bank)).chat("Which template?")

    assert BRACES in llm.prompts[0].replace("\u200b", "")
    assert signals(bank) == [(BRACES, "used")]


def test_scenario_3_two_people_never_see_each_others_memories(
    engine: Engine, bank: MemoryBank
) -> None:
    """Scenario 3, in LlamaIndex: two namespaces of one engine."""
    llm = TellingLLM("Noted.")
    for name in ("ann", "bob"):
        memory = CogMemMemory.from_defaults(engine=engine, namespace=name)
        SimpleChatEngine.from_defaults(llm=llm, memory=memory).chat("I like hiking with my dog")
    engine.flush()

    assert HIKING in llm.prompts[0]
    assert HIKING not in llm.prompts[1]
    assert contents(engine.bank("bob")) == ["I like hiking with my dog"]


@pytest.mark.parametrize("raise_errors", [False, True])
def test_scenario_11_a_broken_memory_does_not_break_the_chat(
    bank: MemoryBank, caplog: pytest.LogCaptureFixture, raise_errors: bool
) -> None:
    """Scenario 11: the engine still answers, one warning each; with `raise_errors=True` it raises."""
    memory = CogMemMemory.from_defaults(bank, raise_errors=raise_errors)
    engine = SimpleChatEngine.from_defaults(llm=TellingLLM(), memory=memory)
    bank.engine.close()
    if raise_errors:
        with pytest.raises(BankClosed, match="the engine is closed"):
            engine.chat("hiking?")
    else:
        with caplog.at_level(logging.WARNING, logger="cogmem_core"):
            assert str(engine.chat("hiking?")) == USED
        assert [
            record.getMessage().partition(": the engine is closed")[0] for record in caplog.records
        ] == [
            "a recall failed, and was done without: BankClosed",
            "remembering failed, and was done without: BankClosed",
        ]


def test_a_model_that_fails_gives_no_feedback_and_can_be_asked_again(bank: MemoryBank) -> None:
    """Scenario 8, in LlamaIndex."""
    llm = TellingLLM([RuntimeError("overloaded"), USED])
    engine = SimpleChatEngine.from_defaults(llm=llm, memory=CogMemMemory.from_defaults(bank, k=1))
    with pytest.raises(RuntimeError, match="overloaded"):
        engine.chat("Where do I like hiking on Mount Rainier?")
    assert signals(bank) == []

    engine.chat("Where do I like hiking on Mount Rainier?")
    assert signals(bank) == [(HIKING, "used")]


def test_reset_ends_the_conversation_and_keeps_the_memories(bank: MemoryBank) -> None:
    """`chat_engine.reset()` begins a new conversation; what was said without an answer is not lost."""
    memory = CogMemMemory.from_defaults(bank)
    SimpleChatEngine.from_defaults(llm=TellingLLM(), memory=memory).reset()
    memory.put(ChatMessage("I am allergic to nuts"))
    memory.reset()

    assert memory.get_all() == []
    assert contents(bank) == [HIKING, COFFEE, "I am allergic to nuts"]


def test_a_history_that_is_given_is_not_remembered(bank: MemoryBank) -> None:
    """`engine.chat(message, chat_history=[...])` repeats the history at every turn."""
    history = [ChatMessage("I live in Oslo"), ChatMessage("Nice!", role="assistant")]
    memory = CogMemMemory.from_defaults(bank, chat_history=history)
    engine = SimpleChatEngine.from_defaults(llm=TellingLLM(), memory=memory)
    for _ in range(2):
        engine.chat("I moved to Lisbon in May", chat_history=history)

    assert contents(bank) == [HIKING, COFFEE, "I moved to Lisbon in May"]


@each_case_of("llamaindex_memory/whose_words_are_remembered_is_chosen")
def test_whose_words_are_remembered_is_chosen(
    engine: Engine, save_mode: str, kept: list[str]
) -> None:
    """`save_mode`, and the session they were said in."""
    bank = engine.bank("ann")
    memory = CogMemMemory.from_defaults(bank, save_mode=save_mode, session_id="monday")
    SimpleChatEngine.from_defaults(llm=TellingLLM("Lisbon is in Portugal"), memory=memory).chat(
        "I moved to Lisbon"
    )
    memory.flush()

    assert [memory.content for memory in bank.list() if memory.session_id == "monday"] == kept
