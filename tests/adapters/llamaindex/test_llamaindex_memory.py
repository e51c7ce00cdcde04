"""`CogMemMemory` in the real chat engines: INTERFACES 2.1, 2.2, scenarios 3, 11, 19, 21, 22."""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from llama_fakes import COFFEE, HIKING, USED, TellingLLM, contents, signals
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.chat_engine import CondensePlusContextChatEngine, ContextChatEngine, SimpleChatEngine
from llama_index.core.memory import BaseMemory, ChatMemoryBuffer, InsertMethod, Memory
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from cogmem import BankClosed, Engine, InvalidInput, MemoryBank
from llamaindex_cogmem import CogMemMemory


class Documents(BaseRetriever):
    """A retriever of something else than memories."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [NodeWithScore(node=TextNode(text="The mountain is 4,392 metres high"), score=1.0)]


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
    "context": lambda llm, memory: ContextChatEngine.from_defaults(Documents(), llm=llm, memory=memory),
    "condense_plus_context": lambda llm, memory: CondensePlusContextChatEngine.from_defaults(
        Documents(), llm=llm, memory=memory
    ),
}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("kind", ENGINES)
async def test_scenario_19_every_way_to_chat_gives_the_same_feedback(bank: MemoryBank, kind: str, way: Chat) -> None:
    """Scenario 19: chat, stream_chat, achat, astream_chat give equal feedback."""
    llm = TellingLLM()
    answer = await way(ENGINES[kind](llm, CogMemMemory.from_defaults(bank)), "Where do I like hiking, over coffee?")

    assert answer == USED
    assert HIKING in llm.prompts[-1]
    assert signals(bank) == [(COFFEE, "ignored"), (HIKING, "used")]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("kind", ENGINES)
async def test_scenario_19_the_question_is_never_recalled_as_a_memory(bank: MemoryBank, kind: str, way: Chat) -> None:
    """Scenario 19, INTERFACES 0.9: what is asked now is no memory yet; what was said before is one."""
    llm = TellingLLM(lambda prompt: "Noted." if "Standalone" not in prompt and "rephrase" not in prompt else "a cat?")
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


def test_an_application_may_judge_by_itself(bank: MemoryBank) -> None:
    """`similarity_fn`: here the other way round than the words would have it."""
    memory = CogMemMemory.from_defaults(bank, similarity_fn=lambda text, _: float(text == COFFEE))
    SimpleChatEngine.from_defaults(llm=TellingLLM(), memory=memory).chat("Where do I like hiking, over coffee?")
    assert signals(bank) == [(COFFEE, "used"), (HIKING, "ignored")]


@pytest.mark.parametrize("kind", ENGINES)
async def test_two_turns_two_recalls(bank: MemoryBank, kind: str) -> None:
    """INTERFACES 2.2: once per user turn; each answer counts for its own question."""
    llm = TellingLLM(lambda prompt: USED if "mountains" not in prompt.splitlines()[-1] else "In the Alps, perhaps.")
    memory = CogMemMemory.from_defaults(bank, k=1)
    engine = ENGINES[kind](llm, memory)
    engine.chat("Where do I like hiking on Mount Rainier?")
    engine.chat("Ann likes hiking, in which mountains?")

    assert signals(bank) == [(HIKING, "ignored"), (HIKING, "used")]


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
def test_scenario_22_braces_in_a_memory_reach_the_model_as_they_are(engine: Engine, kind: str) -> None:
    """Scenario 22: chat engines put the history through a prompt template."""
    bank = engine.bank("ann")
    bank.add(BRACES)
    llm = TellingLLM("The template has both query_str and context_str")
    ENGINES[kind](llm, CogMemMemory.from_defaults(bank)).chat("Which template?")

    assert BRACES in llm.prompts[0].replace("\u200b", "")
    assert signals(bank) == [(BRACES, "used")]


def test_scenario_3_two_people_never_see_each_others_memories(engine: Engine, bank: MemoryBank) -> None:
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
        with caplog.at_level(logging.WARNING, logger="cogmem"):
            assert str(engine.chat("hiking?")) == USED
        assert [record.getMessage().partition(": the engine is closed")[0] for record in caplog.records] == [
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


def roles(messages: list[ChatMessage]) -> list[str]:
    return [message.role.value for message in messages]


def test_memories_follow_the_system_message(bank: MemoryBank) -> None:
    """`insert_method="system"`: merged into the system message if there is one (providers refuse two)."""
    memory = CogMemMemory.from_defaults(bank)
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
    memory.put_messages([ChatMessage("Hello"), ChatMessage("Hi!", role="assistant"), ChatMessage("hiking?")])
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


def test_nothing_is_added_where_nothing_is_known(engine: Engine) -> None:
    """No empty system message."""
    memory = CogMemMemory.from_defaults(engine.bank("nobody"))
    memory.put(ChatMessage("hiking?"))

    assert roles(memory.get()) == ["user"]


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
            ChatMessage("Let me look", role="assistant", additional_kwargs={"tool_calls": [{"name": "look"}]}),
            ChatMessage("It rains in Seattle", role="tool", additional_kwargs={"tool_call_id": "1"}),
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
        bank.add(f"Ann went hiking for the {number + 3}rd time, and it rained all day long in the mountains")
    sizes = []
    for limit in (60, 200, 400):
        memory = CogMemMemory.from_defaults(bank, token_limit=limit, tokenizer_fn=str.split, k=30, max_tokens=1_000)
        memory.put(ChatMessage("What about hiking, once more?"))
        messages = memory.get(initial_token_count=20)
        words = sum(len(str(message.content).split()) for message in messages)
        assert str(messages[-1].content) == "What about hiking, once more?"
        assert words + 20 <= limit
        sizes.append(words)

    assert sizes[0] < sizes[1] < sizes[2]


def test_the_oldest_turns_make_room_for_memories(bank: MemoryBank) -> None:
    """A token limit is one for all that the model gets."""
    memory = CogMemMemory.from_defaults(bank, token_limit=100, tokenizer_fn=str.split)
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
    memory = CogMemMemory.from_defaults(bank, primary_memory=kept, k=1)
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


@pytest.mark.parametrize(
    ("save_mode", "kept"),
    [("user", ["I moved to Lisbon"]), ("both", ["I moved to Lisbon", "Lisbon is in Portugal"]), ("none", [])],
)
def test_whose_words_are_remembered_is_chosen(engine: Engine, save_mode: str, kept: list[str]) -> None:
    """`save_mode`, and the session they were said in."""
    bank = engine.bank("ann")
    memory = CogMemMemory.from_defaults(bank, save_mode=save_mode, session_id="monday")
    SimpleChatEngine.from_defaults(llm=TellingLLM("Lisbon is in Portugal"), memory=memory).chat("I moved to Lisbon")
    memory.flush()

    assert [memory.content for memory in bank.list() if memory.session_id == "monday"] == kept


def test_feedback_can_be_left_to_others(bank: MemoryBank) -> None:
    """`auto_feedback=False`."""
    memory = CogMemMemory.from_defaults(bank, auto_feedback=False)
    SimpleChatEngine.from_defaults(llm=TellingLLM(), memory=memory).chat("hiking?")

    assert signals(bank) == []


def test_a_copy_is_a_conversation_of_its_own_with_the_same_bank(engine: Engine, bank: MemoryBank) -> None:
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


def test_what_it_shows_of_itself_holds_no_memories(bank: MemoryBank) -> None:
    """INTERFACES 5: workflows write the repr of what they are given into their traces."""
    shown = repr(CogMemMemory.from_defaults(bank))

    assert "MemoryBank" not in shown
    assert "Engine" not in shown
    assert HIKING not in shown


def test_it_is_a_memory_of_llamaindex(bank: MemoryBank) -> None:
    """INTERFACES 3: `issubclass` via `__mro__`."""
    assert BaseMemory in CogMemMemory.__mro__
    assert CogMemMemory.class_name() == "CogMemMemory"
    assert MessageRole.SYSTEM == "system"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "bank is missing; give bank="),
        ({"engine": "engine"}, "engine is a str"),
        ({"bank": "bank"}, "bank is a str"),
    ],
)
def test_whose_memories_must_be_told(given: dict[str, Any], message: str) -> None:
    """Typed errors that name the argument and the fix."""
    with pytest.raises(InvalidInput, match=message):
        CogMemMemory.from_defaults(**given)
