"""One bank, two frameworks, one process: a LangChain chain and a LlamaIndex engine at the same time."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel, FakeListChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnablePassthrough
from llama_index.core.base.llms.types import ChatMessage, CompletionResponse, LLMMetadata
from llama_index.core.chat_engine import ContextChatEngine, SimpleChatEngine
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.llms import CustomLLM, MockLLM
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.memory import ChatMemoryBuffer

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.testing import FrozenClock, ScriptedLLM
from helpers.model_answers import lazy
from helpers.tables import each_row_of
from langchain_cogmem import CogMemMemory as ChainMemory
from langchain_cogmem import CogMemRetriever as ChainRetriever
from langchain_cogmem import cogmem_feedback
from llamaindex_cogmem import CogMemInstrumentation, CogMemMemory, CogMemRetriever

HIKING = "Ann likes hiking on Mount Rainier"
USED, NOT_USED = "You like hiking on Mount Rainier!", "No idea"


def told(prompt: str) -> str:
    """Every other question is answered by what is known."""
    number = int(prompt.rpartition("Question number ")[2].split(" ")[0])
    return USED if number % 2 == 0 else NOT_USED


class ChainModel(BaseChatModel):
    """LangChain's."""

    @property
    def _llm_type(self) -> str:
        return "telling"

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        answer = told("\n".join(str(message.content) for message in messages))
        return ChatResult(generations=[ChatGeneration(message=AIMessage(answer))])


class EngineModel(CustomLLM):
    """LlamaIndex's."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(is_chat_model=True)

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text=told(prompt))

    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> Any:
        raise NotImplementedError


ENGINE = {"folder": True}


@pytest.fixture
def bank(engine: Engine) -> MemoryBank:
    bank = engine.bank("ann")
    bank.add(HIKING)
    return bank


def judgements(bank: MemoryBank) -> list[tuple[str, str]]:
    """(question, "used" or "ignored") of every judgement so far."""
    bank.engine.flush()
    with bank.engine.services.ledger.whole() as reader:
        rows = reader.at(bank.namespace).feedback.newest(limit=10_000)
    return sorted((row.query, row.signal) for row in rows)


def expected(questions: list[str]) -> list[tuple[str, str]]:
    return sorted(
        (question, "used" if told(question) == USED else "ignored") for question in questions
    )


def questions(start: int, count: int) -> list[str]:
    return [
        f"Question number {number} of Ann: which mountain for hiking?"
        for number in range(start, start + count)
    ]


def chain(bank: MemoryBank) -> Runnable[str, BaseMessage]:
    found = ChainRetriever(bank=bank, k=1) | (lambda documents: documents[0].page_content)
    prompt = ChatPromptTemplate.from_messages(
        [("system", "Memories:\n{memories}"), ("human", "{question}")]
    )
    return {"memories": found, "question": RunnablePassthrough()} | prompt | ChainModel()


def chat(bank: MemoryBank) -> ContextChatEngine:
    memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
    return ContextChatEngine.from_defaults(CogMemRetriever(bank), llm=EngineModel(), memory=memory)


async def test_concurrent_questions_in_one_event_loop(engine: Engine, bank: MemoryBank) -> None:
    """Identical memories in forty prompts: each answer counts for its own question, once."""
    chains, engines = questions(0, 20), questions(20, 20)
    with cogmem_feedback(engine), CogMemInstrumentation(engine):
        await asyncio.gather(
            *(chain(bank).ainvoke(question) for question in chains),
            *(chat(bank).achat(question) for question in engines),
        )

    assert judgements(bank) == expected([*chains, *engines])


def test_a_chain_within_a_tool_of_an_engine_counts_once(engine: Engine, bank: MemoryBank) -> None:
    """A chain that runs inside the model of an engine: two recalls, two judgements."""

    class Delegating(EngineModel):
        @llm_completion_callback()
        def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
            question = "Question number " + prompt.rpartition("Question number ")[2].splitlines()[0]
            return CompletionResponse(text=str(chain(bank).invoke(question).content))

    [question] = questions(0, 1)
    memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
    outer = ContextChatEngine.from_defaults(CogMemRetriever(bank), llm=Delegating(), memory=memory)
    with cogmem_feedback(engine), CogMemInstrumentation(engine):
        assert str(outer.chat(question)) == USED

    # Two recalls, the engine's and the chain's, each judged once.
    assert judgements(bank) == expected([question, question])


def test_what_is_said_to_one_is_known_to_the_other(engine: Engine) -> None:
    """No lost memory: both memories write to one bank and read from it."""
    bank = engine.bank("bob")
    chain_memory = ChainMemory(bank=bank)
    chain_memory.save_context({"input": "My sister Lena lives in Oslo"}, {"output": "Nice!"})
    memory = CogMemMemory.from_defaults(bank)
    llm = FakeListChatModel(responses=["unused"])
    assert llm.invoke("x").content == "unused"

    class Silent(EngineModel):
        @llm_completion_callback()
        def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
            return CompletionResponse(
                text="Lena in Oslo" if "Lena lives in Oslo" in prompt else "Who?"
            )

    said = SimpleChatEngine.from_defaults(llm=Silent(), memory=memory).chat(
        "Lena has a dog called Rex"
    )
    found = chain_memory.load_memory_variables({"input": "What is Lena's dog called?"})["history"]
    engine.flush()

    assert str(said) == "Lena in Oslo"
    assert "Lena has a dog called Rex" in found
    assert [memory.content for memory in bank.list()] == [
        "My sister Lena lives in Oslo",
        "Lena has a dog called Rex",
    ]
    assert judgements(bank) == [("Lena has a dog called Rex", "used")]


def told_to_chain(bank: MemoryBank, said: str, asked: str) -> str:
    """What LangChain's memory puts into a prompt, to whom something was said before."""
    memory = ChainMemory(bank=bank)
    if said:
        memory.save_context({"input": said}, {"output": "Noted."})
    return str(memory.load_memory_variables({"input": asked})["history"])


def told_to_chat(bank: MemoryBank, said: str, asked: str) -> str:
    """What LlamaIndex's memory puts into a prompt; in a new conversation each time."""
    if said:
        memory = CogMemMemory.from_defaults(bank)
        memory.put(ChatMessage(said))
        memory.get()
        memory.put(ChatMessage("Noted.", role="assistant"))
    memory = CogMemMemory.from_defaults(bank)
    memory.put(ChatMessage(asked))
    return "\n".join(str(message.content) for message in memory.get())


Telling = Callable[[MemoryBank, str, str], str]
BOTH = pytest.mark.parametrize("telling", [told_to_chain, told_to_chat])


@BOTH
@each_row_of("both_frameworks/what_holds_outlives_the_plan_beside_it")
def test_what_holds_outlives_the_plan_beside_it(telling: Telling, said: str, asked: str) -> None:
    """Both memories still show it when the day of the plan is over."""
    clock = FrozenClock()
    with cogmem_core.open(embedder="hashing", clock=clock) as engine:
        bank = engine.bank("ann")
        assert said in telling(bank, said, asked)
        engine.flush()
        clock.advance(days=30)
        bank.consolidate(steps=["expiry"])
        assert said in telling(bank, "", asked)


@BOTH
@each_row_of("both_frameworks/a_change_is_resolved_though_the_model_is_lazy")
def test_a_change_is_resolved_though_the_model_is_lazy(
    telling: Telling, old: str, new: str, asked: str
) -> None:
    """It finds no fact in anything; both memories show the new statement alone."""
    llm = ScriptedLLM(default=lazy("none", "ADD", ""))
    with cogmem_core.open(embedder="hashing", clock=FrozenClock(), llm=llm) as engine:
        bank = engine.bank("ann")
        telling(bank, old, asked)
        shown = telling(bank, new, asked)
        assert (new in shown, old in shown) == (True, False)
        assert [memory.content for memory in bank.list()] == [new]


async def test_sixty_writers_lose_nothing(engine: Engine) -> None:
    """Thirty turns through each framework at once, all remembered."""
    bank = engine.bank("eve")

    class Noting(EngineModel):
        @llm_completion_callback()
        def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
            return CompletionResponse(text="Noted.")

    async def through_chain(number: int) -> None:
        said = {"input": f"I bought book {number} in shop A{number}"}
        await ChainMemory(bank=bank).asave_context(said, {"output": "Noted."})

    async def through_engine(number: int) -> None:
        chats = SimpleChatEngine.from_defaults(
            llm=Noting(), memory=CogMemMemory.from_defaults(bank)
        )
        await chats.achat(f"I sold car {number} in street B{number}")

    await asyncio.gather(*map(through_chain, range(30)), *map(through_engine, range(30)))
    engine.flush()
    with engine.services.ledger.whole() as reader:
        kept = {source.episode_id for memory in bank.list(limit=1_000) for source in memory.sources}
        assert not reader.at("eve").turns.queued(1)

    assert len(kept) == 60


def test_the_engine_finds_what_is_made_of_llamaindex_too(bank: MemoryBank) -> None:
    """`bank.as_retriever("llamaindex")`, and `open` with a model and embeddings of LlamaIndex."""
    assert type(bank.as_retriever("llamaindex", similarity_top_k=2)) is CogMemRetriever
    with cogmem_core.open(embedder=MockEmbedding(8), llm=MockLLM()) as engine:
        health = engine.health()
        assert health["embedder"] == "llamaindex:MockEmbedding:8"
        assert health["llm"]["model"] == "MockLLM"
