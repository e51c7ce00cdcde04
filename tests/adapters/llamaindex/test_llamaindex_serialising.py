"""Memories that are written down and read again: INTERFACES 2.2, scenario 28."""

import asyncio
import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from llama_index.core import MockEmbedding
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.instrumentation.dispatcher import instrument_tags
from llama_index.core.llms import MockLLM
from llama_index.core.memory import (
    BaseMemory,
    ChatMemoryBuffer,
    InsertMethod,
    Memory,
    SimpleComposableMemory,
)
from llama_index.core.storage.chat_store import SimpleChatStore
from llama_index.core.storage.chat_store.base_db import MessageStatus
from llama_index.core.workflow import Context, JsonSerializer
from pydantic import BaseModel

import cogmem_core
from cogmem_core import Engine, Feedback, InvalidInput, MemoryBank
from cogmem_core.testing import MANUAL
from helpers.llamaindex_models import COFFEE, HIKING, USED, TellingLLM, call, contents, signals
from llamaindex_cogmem import (
    CogMemMemory,
    CogMemMemoryBlock,
    CogMemPostprocessor,
    CogMemRetriever,
    CogMemToolSpec,
    LlamaIndexEmbedder,
    LlamaIndexLLM,
)
from llamaindex_cogmem.convert import text_of

QUESTION = "Where do I go hiking, on Mount Rainier?"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=MANUAL) as engine:
        engine.bank("ann").add(HIKING)
        engine.bank("ann").add(COFFEE)
        yield engine


@pytest.fixture
def bank(engine: Engine) -> MemoryBank:
    return engine.bank("ann")


def started(bank: MemoryBank) -> CogMemMemory:
    """A memory with settings of its own and a conversation."""
    memory = CogMemMemory.from_defaults(
        bank, token_limit=4_000, k=1, session_id="monday", insert_method="user"
    )
    memory.put(ChatMessage("I have a cat called Tom"))
    memory.put(ChatMessage("Nice!", role="assistant"))
    return memory


def restored(memory: CogMemMemory, how: str) -> CogMemMemory:
    if how == "pickle":
        found: CogMemMemory = pickle.loads(pickle.dumps(memory))
        return found
    if how == "serializer":
        return CogMemMemory.model_validate(
            JsonSerializer().deserialize(JsonSerializer().serialize(memory))
        )
    return CogMemMemory.from_json(memory.to_json())


HOW = ("serializer", "json", "pickle")


@pytest.mark.parametrize("how", HOW)
def test_scenario_28_a_memory_survives_the_end_of_its_engine(
    engine: Engine, bank: MemoryBank, how: str
) -> None:
    """Scenario 28: the conversation, the settings, and where the memories are."""
    memory = started(bank)
    engine.flush()
    engine.close()
    again = restored(memory, how)

    assert again.get_all() == memory.get_all()
    assert (again.k, again.session_id, again.insert_method) == (1, "monday", "user")
    assert HIKING in text_of(again.get(QUESTION))
    again.put_messages([ChatMessage(QUESTION), ChatMessage(USED, role="assistant")])
    assert again.bank is not None
    with again.bank.engine:
        assert again.bank.engine is not engine
        assert again.bank.namespace == "ann"
        assert signals(again.bank) == [(HIKING, "used")]
        assert "I have a cat called Tom" in contents(again.bank)


def test_the_bank_may_be_given_anew(bank: MemoryBank) -> None:
    """Another engine, an embedder of one's own, memory only: whoever restores it knows better."""
    data = json.loads(started(bank).to_json())
    with cogmem_core.open(embedder="hashing", config=MANUAL) as other:
        other.bank("bob").add("Bob goes hiking on Mount Fuji")
        again = CogMemMemory.from_dict(data, bank=other.bank("bob"))
        assert "Mount Fuji" in text_of(again.get("hiking?"))
        assert again.bank_at == data["bank_at"]
        assert again.to_dict()["bank_at"]["namespace"] == "bob"


def test_what_is_written_down_holds_no_memories(bank: MemoryBank) -> None:
    """The conversation, and where the memories are; not what they say."""
    memory = started(bank)
    memory.get(QUESTION)
    written = memory.to_json()

    assert HIKING not in written
    assert HIKING.encode() not in pickle.dumps(memory)
    assert set(json.loads(written)["bank_at"]) == {
        "ledger",
        "folder",
        "embedder",
        "llm",
        "namespace",
    }


async def test_scenario_28_an_agents_context_is_written_down_and_read_again(
    engine: Engine, bank: MemoryBank
) -> None:
    """Scenario 28: `Context.to_dict` and `from_dict` with the JSON serialiser, between two turns of an agent."""
    llm = TellingLLM(["Noted.", USED])
    agent = FunctionAgent(llm=llm)
    context = Context(agent)
    await agent.run(
        "I have a cat called Tom", ctx=context, memory=CogMemMemory.from_defaults(bank, k=1)
    )
    written = json.dumps(context.to_dict(serializer=JsonSerializer()))
    engine.flush()
    engine.close()
    agent = FunctionAgent(llm=llm)
    context = Context.from_dict(agent, json.loads(written), serializer=JsonSerializer())
    answer = await agent.run(QUESTION, ctx=context)
    memory = await context.store.get("memory")

    assert str(answer) == USED
    assert "I have a cat called Tom" in llm.prompts[-1]
    assert HIKING in llm.prompts[-1]
    with memory.bank.engine:
        assert (HIKING, "used") in signals(memory.bank)


async def test_a_context_that_is_read_again_within_a_turn(engine: Engine, bank: MemoryBank) -> None:
    """A person is asked between tool call and answer: the memories are recalled again, and learn from the answer."""
    memory = CogMemMemory.from_defaults(bank, k=1)
    await memory.aput(ChatMessage("I go hiking on Mount Rainier"))
    await memory.aget()
    again = restored(memory, "serializer")
    await again.aget(input="I go hiking on Mount Rainier")
    await again.aput_messages(
        [
            ChatMessage("", role="assistant", additional_kwargs={"tool_calls": call("ask")}),
            ChatMessage("yes", role="tool"),
            ChatMessage(USED, role="assistant"),
        ]
    )

    assert signals(bank) == [(HIKING, "used")]
    assert contents(bank)[2:] == ["I go hiking on Mount Rainier"]


@pytest.mark.parametrize("kind", [ChatMemoryBuffer, Memory])
async def test_llamaindex_own_memories_are_restored_as_what_they_are(
    bank: MemoryBank, kind: type[BaseMemory]
) -> None:
    """With their messages, also within a running event loop."""
    memory = CogMemMemory.from_defaults(bank, primary_memory=kind.from_defaults(token_limit=500))
    await memory.aput(ChatMessage("hiking?"))
    again = restored(memory, "serializer")

    assert type(again.primary_memory) is kind
    assert again.primary_memory.token_limit == 500  # type: ignore[attr-defined]
    assert [message.content for message in await again.aget_all()] == ["hiking?"]
    for one in (memory.primary_memory, again.primary_memory):
        if isinstance(one, Memory):
            await one.sql_store._async_engine.dispose()  # type: ignore[attr-defined]


def test_any_other_memory_cannot_be_written_down(bank: MemoryBank) -> None:
    """LlamaIndex's contexts leave such a memory out with a warning of their own; pickles take it along."""
    primary = SimpleComposableMemory.from_defaults(
        primary_memory=ChatMemoryBuffer.from_defaults(token_limit=500)
    )
    memory = CogMemMemory.from_defaults(bank, primary_memory=primary)

    with pytest.raises(
        InvalidInput, match="primary_memory is SimpleComposableMemory; only a ChatMemoryBuffer or"
    ):
        memory.to_dict()
    with pytest.raises(ValueError, match="primary_memory is a Strange; give it anew"):
        CogMemMemory.from_dict(
            {**started(bank).to_dict(), "primary_memory": {"class_name": "Strange"}}
        )
    assert type(restored(memory, "pickle").primary_memory) is SimpleComposableMemory


async def test_a_conversation_in_a_database_stays_there(bank: MemoryBank, tmp_path: Path) -> None:
    """Its address, its table and its settings are written down, and not its messages: nobody writes them twice."""
    primary = Memory.from_defaults(
        session_id="s1",
        async_database_uri=f"sqlite+aiosqlite:///{tmp_path}/chat.db",
        table_name="mychat",
        insert_method=InsertMethod.USER,
        image_token_size_estimate=99,
    )
    memory = CogMemMemory.from_defaults(bank, primary_memory=primary)
    await memory.aput(ChatMessage("I have a cat called Tom"))
    written = memory.to_string()
    await memory.aput(ChatMessage("Nice!", role="assistant"))

    again = CogMemMemory.from_string(written)
    pickled = pickle.loads(pickle.dumps(memory))

    assert "Tom" not in written
    for one in (again, pickled):
        kept = one.primary_memory
        assert (kept.sql_store.async_database_uri, kept.sql_store.table_name) == (
            f"sqlite+aiosqlite:///{tmp_path}/chat.db",
            "mychat",
        )
        assert (kept.insert_method, kept.image_token_size_estimate) == (InsertMethod.USER, 99)
        assert [message.content for message in await one.aget_all()] == [
            "I have a cat called Tom",
            "Nice!",
        ]
        await kept.sql_store._async_engine.dispose()
    await primary.sql_store._async_engine.dispose()  # type: ignore[attr-defined]


async def test_what_was_archived_stays_archived(bank: MemoryBank) -> None:
    """LlamaIndex's `Memory` in memory: what no longer fitted does not come back."""
    primary = Memory.from_defaults(session_id="s1", token_limit=60, token_flush_size=10)
    memory = CogMemMemory.from_defaults(bank, primary_memory=primary)
    for number in range(8):
        await memory.aput(ChatMessage(f"Sentence number {number} about everything in the world"))
        await memory.aput(ChatMessage("Yes, it is.", role="assistant"))
    statuses = [None, MessageStatus.ACTIVE, MessageStatus.ARCHIVED]
    counts = [len(await memory.aget_all(status=status)) for status in statuses]

    for how in HOW:
        again = restored(memory, how)
        assert [len(await again.aget_all(status=status)) for status in statuses] == counts
        await again.primary_memory.sql_store._async_engine.dispose()  # type: ignore[attr-defined]
    assert counts[0] == counts[1] + counts[2]
    assert 0 < counts[2] < counts[0]
    await memory.areset(status=MessageStatus.ARCHIVED)
    assert len(await memory.aget_all()) == counts[1]
    await primary.sql_store._async_engine.dispose()  # type: ignore[attr-defined]


class Redis(SimpleChatStore):
    """A store of another kind, as far as anybody can tell."""

    @classmethod
    def class_name(cls) -> str:
        return "Redis"


def longest(memory: str, answer: str) -> float:
    """A function that can be pickled."""
    return float(len(memory) > len(answer))


def words(text: str) -> list[str]:
    return text.split()


def listening(judgements: tuple[Feedback, ...]) -> None:
    pass


OWN = {
    "chat_store": ({"chat_store": Redis()}, "primary_memory", "keeps its messages in a Redis"),
    "tokenizer_fn": ({"tokenizer_fn": words}, "primary_memory", "tokenizer_fn of its own"),
    "similarity_fn": ({"similarity_fn": longest}, "similarity_fn", "is a function"),
    "on_feedback": ({"on_feedback": listening}, "on_feedback", "is a function"),
}


@pytest.mark.parametrize(("given", "name", "why"), OWN.values(), ids=OWN)
def test_what_cannot_be_written_down_is_refused_and_may_be_given_anew(
    bank: MemoryBank, given: Any, name: str, why: str
) -> None:
    """Rather than swapped for another one, or left out without a word; a pickle keeps it."""
    memory = CogMemMemory.from_defaults(bank, session_id="monday", **given)
    memory.put(ChatMessage("hiking?"))
    own = getattr(memory, name)

    with pytest.raises(InvalidInput, match=rf"{why}.*give it anew: from_dict\(data, {name}="):
        memory.to_dict()
    data = memory.to_dict(exclude={name})
    if name == "primary_memory":
        with pytest.raises(InvalidInput, match="primary_memory is missing"):
            CogMemMemory.from_dict(data)
    again = CogMemMemory.from_dict(data, **{name: own})
    assert getattr(again, name) is own
    assert again.session_id == "monday"
    pickled = pickle.loads(pickle.dumps(memory))
    assert [message.content for message in pickled.get_all()] == ["hiking?"]
    assert type(pickled.primary_memory.chat_store) is type(memory.primary_memory.chat_store)  # type: ignore[attr-defined]
    assert pickled.tokenizer_fn("a b") == memory.tokenizer_fn("a b")
    assert (pickled.similarity_fn, pickled.on_feedback) == (
        memory.similarity_fn,
        memory.on_feedback,
    )


def test_all_conversations_of_a_store_are_kept(bank: MemoryBank) -> None:
    """A `SimpleChatStore` may hold more than one."""
    store = SimpleChatStore()
    store.set_messages("bob", [ChatMessage("I am Bob")])
    memory = CogMemMemory.from_defaults(bank, chat_store=store, chat_store_key="ann")
    memory.put(ChatMessage("I am Ann"))

    again: Any = restored(memory, "json").primary_memory

    assert [message.content for message in again.get_all()] == ["I am Ann"]
    assert [message.content for message in again.chat_store.get_messages("bob")] == ["I am Bob"]


async def test_what_an_earlier_version_wrote_is_read(bank: MemoryBank) -> None:
    """The messages of one conversation, without a store."""
    data = started(bank).to_dict()
    for kind in ("ChatMemoryBuffer", "Memory"):
        primary = {
            "class_name": kind,
            "token_limit": 500,
            "chat_store_key": "chat_history",
            "session_id": "s1",
            "messages": [ChatMessage("hiking?").model_dump(mode="json")],
        }
        again = CogMemMemory.from_dict({**data, "primary_memory": primary})
        assert [message.content for message in await again.aget_all()] == ["hiking?"]
        if isinstance(again.primary_memory, Memory):
            await again.primary_memory.sql_store._async_engine.dispose()  # type: ignore[attr-defined]


class City(BaseModel):
    name: str


def of_tags(tags: Any) -> str:
    return str(tags["user_id"])


def test_everything_that_a_worker_process_needs_can_be_pickled(
    engine: Engine, bank: MemoryBank
) -> None:
    """With a namespace, and with a function of the tags; models, too."""
    nodes = CogMemRetriever(bank).retrieve(QUESTION)
    for given in ({"bank": bank}, {"engine": engine, "namespace": of_tags}):
        with instrument_tags({"user_id": "ann"}):
            postprocessor = pickle.loads(pickle.dumps(CogMemPostprocessor(**given, top_n=1)))
            assert [item.text for item in postprocessor.postprocess_nodes(nodes)] == [HIKING]
            retriever = pickle.loads(pickle.dumps(CogMemRetriever(**given, similarity_top_k=1)))
            assert [item.text for item in retriever.retrieve(QUESTION)] == [HIKING]
            memory = pickle.loads(pickle.dumps(CogMemMemory.from_defaults(**given)))
            assert HIKING in text_of(memory.get(QUESTION))
            tools = pickle.loads(pickle.dumps(CogMemToolSpec(**given)))
            assert HIKING in tools.recall_memory(QUESTION)
            block = pickle.loads(pickle.dumps(CogMemMemoryBlock(**given)))
            assert HIKING in asyncio.run(block.aget([ChatMessage(QUESTION)]))
    llm = pickle.loads(pickle.dumps(LlamaIndexLLM(MockLLM(), name="mine")))
    assert llm.model == "mine"
    told = [{"role": "user", "content": 'It is {"name": "Lisbon"}.'}]
    assert llm.complete(told, City, timeout=5.0).name == "Lisbon"
    embedder = pickle.loads(pickle.dumps(LlamaIndexEmbedder(MockEmbedding(4), name="v1")))
    assert embedder.fingerprint == "llamaindex:v1:4"
