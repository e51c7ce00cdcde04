"""What users of LlamaIndex reach for first: its own arguments, whose memories, filters, a look at feedback."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine import ContextChatEngine, SimpleChatEngine
from llama_index.core.instrumentation.dispatcher import instrument_tags
from llama_index.core.llms import MockLLM
from llama_index.core.memory import BaseMemoryBlock, ChatMemoryBuffer, Memory
from llama_index.core.schema import MetadataMode
from llama_index.core.storage.chat_store import SimpleChatStore
from llama_index.core.storage.chat_store.base_db import MessageStatus
from llama_index.core.storage.chat_store.sql import SQLAlchemyChatStore
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters
from llama_index.core.workflow import WorkflowRuntimeError

from cogmem_core import Engine, Feedback, InvalidInput, MemoryBank
from helpers.llamaindex_engines import Documents
from helpers.llamaindex_models import COFFEE, HIKING, USED, TellingLLM, contents, recalls
from llamaindex_cogmem import CogMemMemory, CogMemMemoryBlock, CogMemRetriever
from llamaindex_cogmem.convert import text_of

QUESTION = "Where do I go hiking, on Mount Rainier, with coffee?"


def test_a_node_carries_what_the_caller_gave(engine: Engine) -> None:
    """Metadata, tags and session; no model sees them, and the node's own names stay its own."""
    bank = engine.bank("bob")
    bank.add(HIKING, tags=["sport"], session_id="monday", metadata={"city": "Oslo", "said": "x"})

    [node] = [item.node for item in CogMemRetriever(bank).retrieve("hiking?")]

    assert node.metadata["city"] == "Oslo"
    assert node.metadata["tags"] == ["sport"]
    assert node.metadata["session_id"] == "monday"
    assert node.metadata["said"] == bank.list()[0].recorded_at.isoformat()
    assert node.get_content(MetadataMode.LLM) == HIKING


class TestFromDefaults:
    """As LlamaIndex's own memories are made."""

    def test_a_model_tells_the_token_limit(self, bank: MemoryBank) -> None:
        """Three quarters of its context window; an own limit goes before it."""
        llm = TellingLLM()

        limits = [
            CogMemMemory.from_defaults(bank, **given).primary_memory.token_limit  # type: ignore[attr-defined]
            for given in ({"llm": llm}, {"llm": llm, "token_limit": 500}, {})
        ]

        assert limits == [6_000, 500, 30_000]

    def test_a_store_keeps_the_conversation(self, bank: MemoryBank) -> None:
        """`chat_store` and `chat_store_key`."""
        store = SimpleChatStore()
        memory = CogMemMemory.from_defaults(bank, chat_store=store, chat_store_key="ann")
        memory.put(ChatMessage("hiking?"))

        assert [message.content for message in store.get_messages("ann")] == ["hiking?"]

    async def test_so_does_a_store_of_the_newer_kind(self, bank: MemoryBank) -> None:
        """An `AsyncDBChatStore` needs LlamaIndex's `Memory`."""
        store = SQLAlchemyChatStore("mine")
        memory = CogMemMemory.from_defaults(
            bank, chat_store=store, chat_store_key="ann", token_limit=500
        )
        await memory.aput(ChatMessage("hiking?"))

        assert [message.content for message in await store.get_messages("ann")] == ["hiking?"]
        assert memory.primary_memory.token_limit == 500  # type: ignore[attr-defined]
        await store._async_engine.dispose()  # type: ignore[union-attr]

    def test_a_primary_memory_has_its_own(self, bank: MemoryBank) -> None:
        """What it would be made of is not ignored."""
        buffer = ChatMemoryBuffer.from_defaults(token_limit=500)
        with pytest.raises(
            InvalidInput, match="primary_memory is given and so is llm, token_limit"
        ):
            CogMemMemory.from_defaults(bank, primary_memory=buffer, llm=MockLLM(), token_limit=9)


def test_messages_by_their_status(bank: MemoryBank) -> None:
    """`Memory` tells active from archived messages; whatever a buffer holds is active."""
    memory = CogMemMemory.from_defaults(bank)
    memory.put(ChatMessage("hiking?"))

    assert memory.get_all(status=MessageStatus.ACTIVE) == memory.get_all()
    assert memory.get_all(status=MessageStatus.ARCHIVED) == []
    memory.reset(status=MessageStatus.ARCHIVED)
    assert len(memory.get_all()) == 1
    memory.reset(status=MessageStatus.ACTIVE)
    assert memory.get_all() == []


def test_it_has_a_schema(bank: MemoryBank) -> None:
    """Without what no JSON can say."""
    assert "insert_method" in CogMemMemory.model_json_schema()["properties"]
    assert "bank" not in CogMemMemoryBlock.model_json_schema()["properties"]


def test_a_long_conversation_is_counted_once(bank: MemoryBank) -> None:
    """1,000 messages: each is given to the tokenizer once, and the messages are those of `ChatMemoryBuffer`."""
    counted = []

    def tokenize(text: str) -> list[str]:
        counted.append(text)
        return text.split()

    roles = ["user", "assistant", "tool", "assistant"]
    messages = [
        ChatMessage(f"word {number} " * (number % 7 + 1), role=roles[number % 4])
        for number in range(1_000)
    ]
    memory = CogMemMemory.from_defaults(bank, token_limit=2_000, tokenizer_fn=tokenize)
    memory.set(messages)
    buffer = ChatMemoryBuffer.from_defaults(token_limit=2_000, tokenizer_fn=str.split)
    buffer.set(messages)

    for initial in (0, 10, 1_900):
        assert memory.get(initial_token_count=initial) == buffer.get(initial_token_count=initial)
    assert memory.get(initial_token_count=2_000) == messages[-1:]
    assert len(counted) <= 1_000
    with pytest.raises(ValueError, match="Initial token count exceeds token limit"):
        memory.get(initial_token_count=2_001)


def test_a_question_that_is_asked_again_does_not_find_itself(bank: MemoryBank) -> None:
    """The model failed, and the server sends the history and the question again; then another question comes."""
    memory = CogMemMemory.from_defaults(bank)
    said = ChatMessage("My aunt Berta lives in Turin. Where else do I know people?")
    for _ in range(3):
        memory.set([])
        memory.put(said)
        assert "Berta" not in "".join(text_of(message) for message in memory.get()[:-1])
        again = CogMemMemory.from_defaults(bank)  # the server makes one for each request
        again.put(said)
        assert "Berta" not in "".join(text_of(message) for message in again.get()[:-1])
    assert contents(bank)[2:] == [text_of(said)]
    assert bank.list()[2].version == 1

    memory.set([])
    memory.put(ChatMessage("Where does my aunt Berta live?"))

    assert "Turin" in text_of(memory.get()[0])


async def failing(memory: CogMemMemory, kind: str) -> None:
    """A person says something, and the model fails."""
    llm = TellingLLM([RuntimeError("overloaded")])
    if kind == "agent":
        await FunctionAgent(llm=llm).run(SAID, memory=memory)
    elif kind == "simple":
        await SimpleChatEngine.from_defaults(llm=llm, memory=memory).achat(SAID)
    else:
        await ContextChatEngine.from_defaults(Documents(), llm=llm, memory=memory).achat(SAID)


SAID = "I moved to Lisbon in May. What is on there?"


@pytest.mark.parametrize("kind", ["agent", "simple", "context"])
async def test_what_was_said_is_on_disk_before_the_model_is_asked(
    bank: MemoryBank, kind: str
) -> None:
    """A model that fails, and a server that throws the memory away, lose nothing."""
    with pytest.raises((RuntimeError, WorkflowRuntimeError), match="overloaded"):
        await failing(CogMemMemory.from_defaults(bank), kind)

    assert contents(bank)[2:] == [SAID]


def test_who_looks_into_a_memory_says_nothing(bank: MemoryBank) -> None:
    """`get` with an input is a question of the application's own, unless a chat engine asks."""
    CogMemMemory.from_defaults(bank).get(SAID)

    assert contents(bank) == [HIKING, COFFEE]


# --- whose memories ---


async def test_nobody_sees_anothers_conversation(bank: MemoryBank) -> None:
    """A memory holds one conversation: the first run tells whose it is."""
    memory = CogMemMemory.from_defaults(engine=bank.engine, namespace=lambda tags: tags["user_id"])
    with instrument_tags({"user_id": "ann"}):
        memory.put(ChatMessage("I have a cat called Tom"))
    with instrument_tags({"user_id": "bob"}):
        for use in (memory.get, memory.get_all, memory.reset, lambda: memory.set([])):
            with pytest.raises(InvalidInput, match="make one CogMemMemory for each conversation"):
                use()
        with pytest.raises(InvalidInput, match="make one CogMemMemory for each conversation"):
            await memory.aget_all()
    with instrument_tags({"user_id": "ann"}):
        assert len(memory.get_all()) == 1
        assert memory.to_dict()["bank_at"]["namespace"] == "ann"


# --- what is recalled, and what is learnt ---


async def recalled_by_memory(bank: MemoryBank, **options: Any) -> str:
    return text_of(await CogMemMemory.from_defaults(bank, **options).aget(QUESTION))


async def recalled_by_block(bank: MemoryBank, **options: Any) -> str:
    return await CogMemMemoryBlock(bank, **options).aget([ChatMessage(QUESTION)])


async def recalled_by_retriever(bank: MemoryBank, **options: Any) -> str:
    return text_of([item.text for item in CogMemRetriever(bank, **options).retrieve(QUESTION)])


NORWAY = MetadataFilters(filters=[MetadataFilter(key="country", value="NO")])
RECALLING = (recalled_by_memory, recalled_by_block, recalled_by_retriever)


@pytest.mark.parametrize("recalled", RECALLING)
async def test_only_what_is_asked_for_is_recalled(bank: MemoryBank, recalled: Any) -> None:
    """`filters`, `categories` and `deadline`, checked at once."""
    bank.add("Ann likes hiking in Norway", category="preference", metadata={"country": "NO"})

    everything = await recalled(bank)
    norway = await recalled(bank, filters={"where": {"country": "NO"}})
    by_framework = await recalled(bank, filters=NORWAY)
    preferences = await recalled(bank, categories=["preference"], deadline=60.0)

    assert HIKING in everything
    for text in (norway, by_framework, preferences):
        assert "Norway" in text
        assert HIKING not in text
    for options, message in (
        ({"filters": {"categories": ["x"]}}, r"filters\['categories'\] is 'x'"),
        ({"categories": ["x"]}, "categories is 'x'"),
        ({"deadline": 0}, "deadline is 0"),
    ):
        with pytest.raises(InvalidInput, match=message):
            await recalled(bank, **options)


def test_llamaindex_filters_are_written_down(engine: Engine) -> None:
    """As the engine's own."""
    memory = CogMemMemory.from_defaults(engine.bank("ann"), filters=NORWAY)

    assert CogMemMemory.from_string(memory.to_string()).filters == {
        "where": {"country": {"$eq": "NO"}}
    }


async def test_judgements_can_be_listened_to(bank: MemoryBank) -> None:
    """`on_feedback` of a memory and of a block."""
    told: list[tuple[Feedback, ...]] = []
    memory = CogMemMemory.from_defaults(bank, k=1, on_feedback=told.append)
    memory.put(ChatMessage(QUESTION))
    memory.get()
    memory.put(ChatMessage(USED, role="assistant"))
    block = CogMemMemoryBlock(bank, k=1, on_feedback=told.append)
    history = [ChatMessage(QUESTION), ChatMessage(USED, role="assistant"), ChatMessage("Thanks")]
    await block.aget(history[:1])
    await block.aget(history)
    bank.engine.flush()

    assert [[row.signal for row in rows] for rows in told] == [["used"], ["used"]]


# --- the block ---


@pytest.fixture
async def conversation(bank: MemoryBank) -> AsyncIterator[Memory]:
    """A `Memory` whose block remembers at once."""
    block = CogMemMemoryBlock(bank, k=1, remember_at_once=True, save_mode="both")
    memory = Memory.from_defaults(
        session_id="monday", token_limit=80, token_flush_size=10, memory_blocks=[block]
    )
    yield memory
    await memory.sql_store._async_engine.dispose()  # type: ignore[attr-defined]


async def test_a_block_remembers_at_once(bank: MemoryBank, conversation: Memory) -> None:
    """What is said is remembered when it was recalled for, and once, though `Memory` drops it later."""
    said = "I have a cat called Tom, who sleeps on the sofa all day and all night long."
    answered = "Tom the cat sounds lovely, and the sofa sounds soft."
    await conversation.aput(ChatMessage(said))
    await conversation.aget()
    at_once = contents(bank)[2:]
    await conversation.aget()
    await conversation.aput(ChatMessage(answered, role="assistant"))
    await conversation.aput(ChatMessage("The weather is fine again today."))
    await conversation.aget()
    await conversation.aput(ChatMessage("word " * 70))
    await conversation.aget()

    assert at_once == [said]
    assert recalls(bank) >= 2
    remembered = contents(bank)
    assert [remembered.count(text) for text in (said, answered)] == [1, 1]
    memory = next(one for one in bank.list() if one.content == said)
    assert (memory.session_id, memory.version) == ("monday", 1)


class Shelf(BaseMemoryBlock[str]):
    """A block of another kind, and whether it was shortened."""

    shortened: bool = False

    async def _aget(self, messages: Any = None, **_: Any) -> str:
        return "book " * 50

    async def _aput(self, messages: list[ChatMessage]) -> None:
        pass

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        self.shortened = True
        return content[: len(content) // 2]


@pytest.mark.parametrize(("priority", "other_first"), [(1, False), (3, True)])
async def test_which_block_is_shortened_first(
    bank: MemoryBank, priority: int, other_first: bool
) -> None:
    """As the docstring says of the installed version: the one with the lowest number, and never one with 0."""
    shelf = Shelf(name="shelf", priority=2)
    block = CogMemMemoryBlock(bank, priority=priority, tokenizer_fn=str.split)
    whole = len((await block.aget([ChatMessage(QUESTION)])).split())
    memory = Memory.from_defaults(
        token_limit=whole + 40, memory_blocks=[shelf, block], tokenizer_fn=str.split
    )
    await memory.aput(ChatMessage(QUESTION))
    shown = text_of((await memory.aget())[0])

    assert shelf.shortened is other_first
    assert (HIKING in shown and COFFEE in shown) is other_first
    await memory.sql_store._async_engine.dispose()  # type: ignore[attr-defined]
