"""Automatic feedback in LCEL chains, retrievers, graphs and by hand (scenarios 6-10)."""

import asyncio
import logging
import threading
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from langchain_classic.retrievers import (
    ContextualCompressionRetriever,
    EnsembleRetriever,
    MultiQueryRetriever,
)
from langchain_classic.retrievers.document_compressors import LLMChainFilter
from langchain_core.documents import Document
from langchain_core.documents.compressor import BaseDocumentCompressor
from langchain_core.messages import AIMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import Runnable, RunnableLambda, RunnablePassthrough

from cogmem_core import BankClosed, Engine, Feedback, MemoryBank
from helpers.langchain_models import (
    ABOUT_HIKING,
    COFFEE,
    HIKING,
    Answering,
    failing,
    joined,
    learnt,
    signals,
)
from langchain_cogmem import (
    AsyncCogMemCallbackHandler,
    CogMemCallbackHandler,
    CogMemRetriever,
    cogmem_feedback,
)

NOTHING_PENDING = {"runs": 0, "roots": 0, "calls": 0}
JUDGED = {HIKING: (1, 0), COFFEE: (0, 1)}
PROMPT = ChatPromptTemplate.from_messages(
    [("system", "Memories:\n{context}"), ("human", "{question}")]
)


def rag(
    retriever: Runnable[Any, Any], model: Runnable[Any, Any] | None = None
) -> Runnable[Any, Any]:
    """`retriever | prompt | llm`, as it is usually written."""
    return (
        {"context": retriever | joined, "question": RunnablePassthrough()}
        | PROMPT
        | (model or Answering())
    )


async def events(chain: Runnable[Any, Any], question: str, config: Any) -> None:
    async for _ in chain.astream_events(question, config, version="v2"):
        pass


async def astream(chain: Runnable[Any, Any], question: str, config: Any) -> None:
    async for _ in chain.astream(question, config):
        pass


CALLS: dict[str, Callable[[Runnable[Any, Any], str, Any], Any]] = {
    "invoke": lambda chain, question, config: chain.invoke(question, config),
    "stream": lambda chain, question, config: list(chain.stream(question, config)),
    "batch": lambda chain, question, config: chain.batch([question], config),
    "ainvoke": lambda chain, question, config: chain.ainvoke(question, config),
    "astream": astream,
    "abatch": lambda chain, question, config: chain.abatch([question], config),
    "astream_events": events,
}


@pytest.mark.parametrize("kind", [CogMemCallbackHandler, AsyncCogMemCallbackHandler])
@pytest.mark.parametrize("how", CALLS)
async def test_scenario_06_every_way_to_call_a_chain_learns(
    bank: MemoryBank, how: str, kind: type[Any]
) -> None:
    """`retriever | prompt | llm` with either handler."""
    handler = kind(bank.engine)
    chain = rag(CogMemRetriever(bank=bank, k=2))

    if how in ("invoke", "stream", "batch"):
        await asyncio.to_thread(CALLS[how], chain, "hiking or coffee?", {"callbacks": [handler]})
    else:
        await CALLS[how](chain, "hiking or coffee?", {"callbacks": [handler]})
    await handler.aflush()

    assert learnt(bank) == JUDGED
    assert handler.pending == NOTHING_PENDING


def test_scenario_06_without_passing_callbacks(bank: MemoryBank) -> None:
    """`with cogmem_feedback(engine):`; after the block nothing is followed."""
    chain = rag(CogMemRetriever(bank=bank, k=2))
    with cogmem_feedback(bank.engine):
        chain.invoke("hiking or coffee?")
    chain.invoke("hiking or coffee?")

    assert learnt(bank) == JUDGED


async def test_scenario_06_the_block_works_in_async_code(bank: MemoryBank) -> None:
    """Tasks take the context along."""
    chain = rag(CogMemRetriever(bank=bank, k=2))
    with cogmem_feedback(bank=bank):
        await asyncio.gather(*(chain.ainvoke("hiking or coffee?") for _ in range(3)))

    assert learnt(bank) == {HIKING: (3, 0), COFFEE: (0, 3)}


def test_scenario_07_two_retrievers_and_one_model(engine: Engine, bank: MemoryBank) -> None:
    """Both banks learn from the one answer."""
    other = engine.bank("trips")
    other.add("Trip: Mount Rainier hiking in August")
    context = {
        "a": CogMemRetriever(bank=bank, k=1) | joined,
        "b": CogMemRetriever(bank=other, k=1) | joined,
    }
    chain = context | ChatPromptTemplate.from_template("{a}\n{b}") | Answering()

    chain.invoke("hiking?", {"callbacks": [CogMemCallbackHandler(engine)]})

    assert learnt(bank)[HIKING] == (1, 0)
    assert learnt(other) == {"Trip: Mount Rainier hiking in August": (0, 1)} or learnt(other) == {
        "Trip: Mount Rainier hiking in August": (1, 0)
    }
    assert signals(other) == 1


def test_scenario_07_two_hops(bank: MemoryBank) -> None:
    """Each memory is judged by the answer to the prompt that held it."""
    first = rag(
        CogMemRetriever(bank=bank, k=1), Answering(answer=lambda _: "Tell me about the coffee")
    )
    second = rag(
        CogMemRetriever(bank=bank, k=1),
        Answering(answer=lambda _: "Coffee from Guatemala, for Ann"),
    )
    chain = first | (lambda message: message.content) | second

    chain.invoke("hiking?", {"callbacks": [CogMemCallbackHandler(bank.engine)]})

    assert learnt(bank) == {HIKING: (0, 1), COFFEE: (1, 0)}


def test_scenario_07_a_query_rewriter_is_not_the_answer(bank: MemoryBank) -> None:
    """Its words would match no memory, and count as ignoring them all."""
    rewrite = Answering(answer=lambda _: "hiking or coffee, which of them?") | (
        lambda message: message.content
    )
    chain = rewrite | rag(CogMemRetriever(bank=bank, k=2))

    chain.invoke("what do I like?", {"callbacks": [CogMemCallbackHandler(bank.engine)]})

    assert learnt(bank) == JUDGED


def test_scenario_07_a_query_rewriter_within_the_retriever_neither(bank: MemoryBank) -> None:
    """`MultiQueryRetriever` asks a model while it retrieves."""
    retriever = MultiQueryRetriever.from_llm(
        CogMemRetriever(bank=bank, k=2),
        Answering(answer=lambda _: "hiking?\ncoffee?"),
        include_original=True,
    )

    rag(retriever).invoke("hiking or coffee?", {"callbacks": [CogMemCallbackHandler(bank.engine)]})

    # Three questions, three recalls of the same memories, one answer.
    assert learnt(bank) == JUDGED


def test_scenario_07_an_ensemble_gives_no_double_feedback(bank: MemoryBank) -> None:
    """Its inner retrievers end, and so does itself, with the same documents."""
    retriever = EnsembleRetriever(retrievers=[CogMemRetriever(bank=bank, k=2)], weights=[1.0])

    rag(retriever).invoke("hiking or coffee?", {"callbacks": [CogMemCallbackHandler(bank.engine)]})

    assert learnt(bank) == JUDGED
    assert signals(bank) == 2


class OnlyHiking(BaseDocumentCompressor):
    """Drops all other documents."""

    def compress_documents(
        self, documents: Any, query: str, callbacks: Any = None
    ) -> list[Document]:
        return [document for document in documents if "hiking" in document.page_content]


@pytest.mark.parametrize("how", ["rule", "model"])
def test_scenario_07_what_a_compressor_drops_gives_no_signal(bank: MemoryBank, how: str) -> None:
    """Neither if a rule dropped it nor if a model did, whose prompt held it."""
    judge = Answering(answer=lambda prompt: "YES" if HIKING in prompt else "NO")
    compressor = OnlyHiking() if how == "rule" else LLMChainFilter.from_llm(judge)
    retriever = ContextualCompressionRetriever(
        base_compressor=compressor, base_retriever=CogMemRetriever(bank=bank, k=2)
    )

    rag(retriever).invoke("hiking or coffee?", {"callbacks": [CogMemCallbackHandler(bank.engine)]})

    assert learnt(bank) == {HIKING: (1, 0), COFFEE: (0, 0)}


def test_scenario_08_errors_give_no_feedback_and_stay_what_they_are(bank: MemoryBank) -> None:
    """Model down, retriever down: the chain's own error, nothing pending."""
    handler = CogMemCallbackHandler(bank.engine)
    with pytest.raises(ConnectionError, match="no model today"):
        rag(CogMemRetriever(bank=bank, k=2), Answering(answer=failing)).invoke(
            "x?", {"callbacks": [handler]}
        )
    with pytest.raises(ZeroDivisionError):
        rag(RunnableLambda(lambda _: 1 / 0)).invoke("hiking?", {"callbacks": [handler]})

    assert signals(bank) == 0
    assert handler.pending == NOTHING_PENDING


def test_scenario_08_a_fallback_gives_one(bank: MemoryBank) -> None:
    """The model that failed is not counted."""
    handler = CogMemCallbackHandler(bank.engine)
    model = Answering(answer=failing).with_fallbacks([Answering()])

    rag(CogMemRetriever(bank=bank, k=2), model).invoke(
        "hiking or coffee?", {"callbacks": [handler]}
    )

    assert learnt(bank) == JUDGED
    assert signals(bank) == 2


def test_scenario_08_a_retry_gives_one(bank: MemoryBank) -> None:
    """The second try answers."""
    tries = iter([failing, lambda _: ABOUT_HIKING])

    def second_time(prompt: str) -> str:
        return next(tries)(prompt)

    model = Answering(answer=second_time).with_retry(
        retry_if_exception_type=(ConnectionError,),
        wait_exponential_jitter=False,
        stop_after_attempt=2,
    )

    rag(CogMemRetriever(bank=bank, k=2), model).invoke(
        "hiking or coffee?", {"callbacks": [CogMemCallbackHandler(bank.engine)]}
    )

    assert learnt(bank) == JUDGED
    assert signals(bank) == 2


async def test_scenario_09_abandoned_streams_leave_little_behind(bank: MemoryBank) -> None:
    """10,000 runs that never end, and streams that were closed early: nothing crashes, the maps stay bounded."""
    handler = CogMemCallbackHandler(bank.engine, max_runs=100)
    chain = rag(CogMemRetriever(bank=bank, k=2))
    stream = chain.stream("hiking or coffee?", {"callbacks": [handler]})
    next(stream)
    stream.close()
    astream = chain.astream("hiking or coffee?", {"callbacks": [handler]})
    await anext(astream)
    await astream.aclose()
    for _ in range(10_000):
        root, model = uuid4(), uuid4()
        handler.on_chain_start({}, {"question": "hiking?"}, run_id=root)
        handler.on_chat_model_start({}, [[AIMessage(HIKING)]], run_id=model, parent_run_id=root)

    assert handler.pending["roots"] <= 100
    assert handler.pending["calls"] <= 100
    assert handler.pending["runs"] <= 1_600


async def test_scenario_10_a_slow_judgement_holds_up_no_loop(bank: MemoryBank) -> None:
    """Feedback of 200 ms each is made by the worker: the event loop's thread makes none of it."""
    threads = set[int]()
    finished = threading.Event()

    def slow(_memory: str, _answer: str) -> float:
        threads.add(threading.get_ident())
        finished.wait(0.1)
        return 1.0

    handler = CogMemCallbackHandler(bank.engine, similarity_fn=slow)
    chain = rag(CogMemRetriever(bank=bank, k=2))
    await asyncio.gather(*(chain.ainvoke("hiking?", {"callbacks": [handler]}) for _ in range(5)))
    finished.set()
    await handler.aflush()

    assert learnt(bank)[HIKING][0] == 5
    assert threading.get_ident() not in threads


@pytest.mark.parametrize("users", [10, pytest.param(100, marks=pytest.mark.thorough)])
async def test_1000_calls_and_200_streams_at_once_are_told_apart(
    engine: Engine, users: int
) -> None:
    """Every feedback on its own recall, with one handler for all of them: ten calls and two streams of each user."""
    names = [f"user{number:04d}" for number in range(users)]
    for name in names:
        engine.bank(name).add(f"The codeword of {name} is marigold{name}")
    handler = CogMemCallbackHandler(engine, max_runs=2_000)
    retriever = CogMemRetriever(engine=engine, namespace=lambda metadata: metadata["user_id"], k=1)
    chain = rag(
        retriever,
        Answering(answer=lambda prompt: "It is marigold" + prompt.split(" of ")[1].split()[0]),
    )

    def config(name: str) -> Any:
        return {"callbacks": [handler], "metadata": {"user_id": name}}

    calls = [chain.ainvoke("What is my codeword?", config(name)) for name in names * 10]
    streams = [astream(chain, "What is my codeword?", config(name)) for name in names * 2]
    await asyncio.gather(*calls, *streams)
    await handler.aflush()

    assert [engine.bank(name).list()[0].used_count for name in names] == [12] * users
    assert handler.pending == NOTHING_PENDING


def test_retrieval_and_model_called_by_hand(bank: MemoryBank) -> None:
    """Two root runs that have nothing in common but the text."""
    handler = CogMemCallbackHandler(bank.engine)
    found = CogMemRetriever(bank=bank, k=2).invoke("hiking or coffee?", {"callbacks": [handler]})
    Answering().invoke(f"{joined(found)}\nhiking or coffee?", {"callbacks": [handler]})

    assert learnt(bank) == JUDGED


def test_a_recall_without_any_retriever(bank: MemoryBank) -> None:
    """`bank.recall(...).context()` in a prompt of one's own is followed, too."""
    handler = CogMemCallbackHandler(bank.engine)
    Answering().invoke(
        bank.recall("hiking or coffee?").context() + "\nhiking or coffee?", {"callbacks": [handler]}
    )

    assert learnt(bank) == JUDGED


def test_an_answer_that_only_calls_tools_is_none(bank: MemoryBank) -> None:
    """What is said beside a tool call is said to the tool; the answer after it counts."""
    call = AIMessage("Let me see.", tool_calls=[{"name": "look", "args": {}, "id": "1"}])
    answers = iter([call, ABOUT_HIKING])
    model = Answering(answer=lambda _: next(answers))
    chain = (
        CogMemRetriever(bank=bank, k=2)
        | joined
        | RunnableLambda(lambda text: (model.invoke(text), text)[1])
        | model
    )

    chain.invoke("hiking or coffee?", {"callbacks": [CogMemCallbackHandler(bank.engine)]})

    assert learnt(bank) == JUDGED


def test_whoever_wants_to_hear_the_judgements_does(bank: MemoryBank) -> None:
    """`on_feedback`, for dashboards and logs."""
    heard: list[tuple[Feedback, ...]] = []
    handler = CogMemCallbackHandler(bank.engine, on_feedback=heard.append, background=False)

    rag(CogMemRetriever(bank=bank, k=2)).invoke("hiking or coffee?", {"callbacks": [handler]})

    assert sorted(row.signal for rows in heard for row in rows) == ["ignored", "used"]


def test_everything_recalled_counts_if_prompts_cannot_be_seen(bank: MemoryBank) -> None:
    """`match="all"`: for prompts that tell the memories in other words."""
    handler = CogMemCallbackHandler(bank.engine, match="all")
    chain = CogMemRetriever(bank=bank, k=2) | (lambda _: "a digest in other words") | Answering()

    chain.invoke("hiking or coffee?", {"callbacks": [handler]})

    assert learnt(bank) == JUDGED


def test_a_retriever_that_fails_gives_no_documents_and_one_warning(
    bank: MemoryBank, caplog: pytest.LogCaptureFixture
) -> None:
    """Scenario 11: the chain still answers."""
    chain = rag(CogMemRetriever(bank=bank, k=2))
    bank.engine.close()
    with caplog.at_level(logging.WARNING, logger="cogmem_core"):
        assert [chain.invoke("hiking?").content for _ in range(2)] == [ABOUT_HIKING] * 2

    assert [record.message.split(",")[0] for record in caplog.records] == ["a recall failed"]
    with pytest.raises(BankClosed, match="the engine is closed"):
        CogMemRetriever(bank=bank, raise_errors=True).invoke("hiking?")
