"""One bank, two frameworks, one process: a LangChain chain and a LlamaIndex engine at the same time."""

import asyncio
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel, FakeListChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnablePassthrough
from llama_index.core.base.llms.types import CompletionResponse, LLMMetadata
from llama_index.core.chat_engine import ContextChatEngine, SimpleChatEngine
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.llms import CustomLLM, MockLLM
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.memory import ChatMemoryBuffer

import cogmem_core
from cogmem_core import Engine, MemoryBank
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


def test_the_engine_finds_what_is_made_of_llamaindex_too(bank: MemoryBank) -> None:
    """`bank.as_retriever("llamaindex")`, and `open` with a model and embeddings of LlamaIndex."""
    assert type(bank.as_retriever("llamaindex", similarity_top_k=2)) is CogMemRetriever
    with cogmem_core.open(embedder=MockEmbedding(8), llm=MockLLM()) as engine:
        health = engine.health()
        assert health["embedder"] == "llamaindex:MockEmbedding:8"
        assert health["llm"]["model"] == "MockLLM"
