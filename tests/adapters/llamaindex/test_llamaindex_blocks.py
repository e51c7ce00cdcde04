"""`CogMemMemoryBlock` in LlamaIndex's own `Memory`: INTERFACES 2.1, scenario 27."""

import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine import ContextChatEngine, SimpleChatEngine
from llama_index.core.memory import Memory
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from cogmem_core import BankClosed, Engine, MemoryBank
from helpers.llamaindex_models import COFFEE, HIKING, USED, TellingLLM, contents, recalls, signals
from llamaindex_cogmem import CogMemInstrumentation, CogMemMemoryBlock
from llamaindex_cogmem.convert import text_of

QUESTION = "Where do I go hiking, on Mount Rainier?"


class Memories:
    """Makes memories, and closes the databases that they leave open."""

    def __init__(self) -> None:
        self.made: list[Memory] = []

    def __call__(self, *blocks: CogMemMemoryBlock, limit: int = 4_000, **more: Any) -> Memory:
        memory = Memory.from_defaults(
            token_limit=limit,
            memory_blocks=list(blocks),
            tokenizer_fn=str.split,
            session_id="monday",
            **more,
        )
        self.made.append(memory)
        return memory


@pytest.fixture
async def memories() -> AsyncIterator[Memories]:
    memories = Memories()
    yield memories
    for memory in memories.made:
        store: Any = memory.sql_store
        if store._async_engine is not None:
            await store._async_engine.dispose()


def block(bank: MemoryBank, **more: Any) -> CogMemMemoryBlock:
    return CogMemMemoryBlock(bank, tokenizer_fn=str.split, **more)


async def test_scenario_27_memories_are_in_the_prompt(bank: MemoryBank, memories: Memories) -> None:
    """Scenario 27: recalled text in the prompt, within the system message."""
    llm = TellingLLM()
    chat = SimpleChatEngine.from_defaults(llm=llm, memory=memories(block(bank)))
    answer = await chat.achat(QUESTION)

    assert str(answer) == USED
    assert llm.asked[0][0].role.value == "system"
    assert HIKING in llm.prompts[0]
    assert "<CognitiveMemory>" in llm.prompts[0]


async def test_scenario_27_what_is_flushed_is_remembered(
    bank: MemoryBank, memories: Memories
) -> None:
    """Scenario 27: `_aput` ingests the turns that no longer fit."""
    memory = memories(block(bank, save_mode="both"), limit=60, token_flush_size=10)
    said = "I have a cat called Tom, who sleeps on the sofa all day and all night long"
    await memory.aput(ChatMessage(said))
    await memory.aput(
        ChatMessage("Tom the cat sounds lovely, and the sofa sounds soft", role="assistant")
    )
    before = contents(bank)
    await memory.aput(ChatMessage("word " * 40))

    assert before == [HIKING, COFFEE]
    assert contents(bank)[2:] == [said, "Tom the cat sounds lovely, and the sofa sounds soft"]
    assert {one.session_id for one in bank.list() if "Tom" in one.content} == {"monday"}


@pytest.mark.parametrize(("save_mode", "kept"), [("user", 1), ("both", 2), ("none", 0)])
async def test_whose_flushed_words_are_remembered_is_chosen(
    bank: MemoryBank, save_mode: str, kept: int
) -> None:
    """`save_mode`; tool messages never."""
    messages = [
        ChatMessage("I have a cat called Tom"),
        ChatMessage("", role="assistant", additional_kwargs={"tool_calls": [{"name": "x"}]}),
        ChatMessage("It rains in Seattle", role="tool"),
        ChatMessage("Tom the cat lives in Lisbon", role="assistant"),
    ]
    await block(bank, save_mode=save_mode).aput(messages)

    assert len(contents(bank)) == 2 + kept


def many(bank: MemoryBank) -> None:
    for number in range(12):
        bank.add(
            f"Ann went hiking for the {number + 3}rd time, and it rained all day long in the mountains"
        )


async def test_scenario_27_truncation_respects_the_budget(bank: MemoryBank) -> None:
    """Scenario 27: `atruncate` drops the least important memories, not all of them."""
    many(bank)
    own = block(bank, k=12)
    content = await own.aget([ChatMessage("What about hiking?")])
    sizes = []
    for fewer in (20, 60, 120):
        shorter = await own.atruncate(content, fewer)
        assert shorter is not None
        assert len(shorter.split()) <= len(content.split()) - fewer
        assert shorter.startswith("<memories>")
        sizes.append(len(shorter.split()))

    assert len(content.split()) > sizes[0] > sizes[1] > sizes[2]
    assert await own.atruncate(content, len(content.split()) - 5) is None
    assert await own.atruncate("what this block never said", 5) is None


@pytest.mark.parametrize(("priority", "shortened"), [(1, True), (0, False)])
async def test_scenario_27_priority_0_is_never_truncated(
    bank: MemoryBank, memories: Memories, priority: int, shortened: bool
) -> None:
    """Scenario 27: within `Memory` and its token limit."""
    many(bank)
    own = block(bank, k=12, priority=priority)
    whole = len((await own.aget([ChatMessage("What about hiking?")])).split())
    memory = memories(own, limit=whole - 50, chat_history_token_ratio=0.5)
    await memory.aput(ChatMessage("What about hiking?"))
    told = len(text_of((await memory.aget())[0]).split())

    assert (told < whole - 50) is shortened
    assert HIKING.split()[2] in text_of((await memory.aget())[0])


async def test_only_what_was_left_is_judged(
    engine: Engine, bank: MemoryBank, memories: Memories
) -> None:
    """INTERFACES 5: "penalising memories that never reached the model (token-truncated block)"."""
    many(bank)
    own = block(bank, k=12)
    whole = len((await own.aget([ChatMessage("What about hiking?")], session_id="other")).split())
    memory = memories(own, limit=whole - 100, chat_history_token_ratio=0.5)
    await memory.aput(ChatMessage("What about hiking?"))
    shown = text_of((await memory.aget())[0])
    await memory.aput(ChatMessage("No idea", role="assistant"))
    await memory.aget()

    judged = signals(bank)
    assert {signal for _, signal in judged} == {"ignored"}
    assert 0 < len(judged) < 12
    assert all(text in shown for text, _ in judged)


async def test_an_answer_is_learnt_from_when_the_next_question_comes(
    bank: MemoryBank, memories: Memories
) -> None:
    """No handler installed: the history shows the answer."""
    llm = TellingLLM([USED, "No idea"])
    chat = SimpleChatEngine.from_defaults(llm=llm, memory=memories(block(bank, k=1)))
    await chat.achat(QUESTION)
    before = signals(bank)
    await chat.achat("And which coffee from Guatemala?")

    assert before == []
    assert signals(bank) == [(HIKING, "used")]


async def test_instrumentation_learns_at_once_and_counts_once(
    engine: Engine, bank: MemoryBank, memories: Memories
) -> None:
    """Scenario 5: block and handler together."""
    chat = SimpleChatEngine.from_defaults(llm=TellingLLM(), memory=memories(block(bank, k=1)))
    with CogMemInstrumentation(engine):
        await chat.achat(QUESTION)
        at_once = signals(bank)
        await chat.achat("And which coffee from Guatemala?")

    assert at_once == [(HIKING, "used")]
    assert signals(bank) == [(COFFEE, "ignored"), (HIKING, "used")]


async def test_an_agent_recalls_once_per_turn(bank: MemoryBank, memories: Memories) -> None:
    """Agents ask for the messages once more after the answer, which is when the block learns."""
    memory = memories(block(bank, k=1))
    await FunctionAgent(llm=TellingLLM()).run(QUESTION, memory=memory)

    assert recalls(bank) == 1
    assert signals(bank) == [(HIKING, "used")]


class Documents(BaseRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [NodeWithScore(node=TextNode(text="The mountain is 4,392 metres high"), score=1.0)]


async def test_braces_reach_the_model_as_they_are(engine: Engine, memories: Memories) -> None:
    """Scenario 22, for a block."""
    braces = "The template is {query_str} {context_str} {x} and {{both}}"
    bank = engine.bank("ann")
    bank.add(braces)
    llm = TellingLLM()
    chat = ContextChatEngine.from_defaults(Documents(), llm=llm, memory=memories(block(bank)))
    await chat.achat("Which template?")

    assert braces in llm.prompts[0].replace("\u200b", "")


async def test_one_block_serves_several_conversations(bank: MemoryBank) -> None:
    """`Memory` tells which session it is; each has its own open question."""
    own = block(bank, k=1)
    for session in ("monday", "tuesday"):
        assert HIKING in await own.aget([ChatMessage(QUESTION)], session_id=session)
    history = [ChatMessage(QUESTION), ChatMessage(USED, role="assistant"), ChatMessage("Thanks")]
    await own.aget(history, session_id="monday")

    assert recalls(bank) == 3
    assert signals(bank) == [(HIKING, "used")]


async def test_without_a_question_there_is_nothing(bank: MemoryBank) -> None:
    """After the answer, and before anything was said."""
    own = block(bank)
    assert await own.aget() == ""
    assert await own.aget([ChatMessage("Hello"), ChatMessage("Hi!", role="assistant")]) == ""
    assert recalls(bank) == 0


async def test_scenario_11_a_broken_block_does_not_break_the_chat(
    bank: MemoryBank, caplog: pytest.LogCaptureFixture
) -> None:
    """Scenario 11: one warning; with `raise_errors=True` it raises."""
    harmless, strict = block(bank), block(bank, raise_errors=True)
    bank.engine.close()
    with caplog.at_level(logging.WARNING, logger="cogmem_core"):
        assert await harmless.aget([ChatMessage("hiking?")]) == ""
    assert len(caplog.records) == 1
    with pytest.raises(BankClosed, match="the engine is closed"):
        await strict.aget([ChatMessage("hiking?")])
