"""`CogMemInstrumentation` in the real engines: INTERFACES 2.4, scenarios 8, 9, 10, 19, 23, 24."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine import ContextChatEngine
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.memory import ChatMemoryBuffer

from cogmem_core import Engine, Feedback, MemoryBank
from helpers.llamaindex_engines import BOTH, QUESTION, chat_engine, query_engine
from helpers.llamaindex_models import COFFEE, HIKING, USED, TellingLLM, judgements, signals
from llamaindex_cogmem import CogMemInstrumentation, CogMemRetriever


async def chat(bank: MemoryBank) -> str:
    return str(chat_engine(bank, TellingLLM()).chat(QUESTION))


async def stream_chat(bank: MemoryBank) -> str:
    return "".join(chat_engine(bank, TellingLLM()).stream_chat(QUESTION).response_gen)


async def achat(bank: MemoryBank) -> str:
    return str(await chat_engine(bank, TellingLLM()).achat(QUESTION))


async def astream_chat(bank: MemoryBank) -> str:
    response = await chat_engine(bank, TellingLLM()).astream_chat(QUESTION)
    return "".join([token async for token in response.async_response_gen()])


async def query(bank: MemoryBank) -> str:
    return str(query_engine(bank, TellingLLM()).query(QUESTION))


async def aquery(bank: MemoryBank) -> str:
    return str(await query_engine(bank, TellingLLM()).aquery(QUESTION))


async def streaming_query(bank: MemoryBank) -> str:
    return "".join(query_engine(bank, TellingLLM(), streaming=True).query(QUESTION).response_gen)  # type: ignore[union-attr]


async def streaming_aquery(bank: MemoryBank) -> str:
    response = await query_engine(bank, TellingLLM(), streaming=True).aquery(QUESTION)
    return "".join([token async for token in response.async_response_gen()])  # type: ignore[union-attr]


async def by_hand(bank: MemoryBank) -> str:
    nodes = CogMemRetriever(bank).retrieve(QUESTION)
    prompt = "\n".join(item.text for item in nodes)
    return str(TellingLLM().chat([ChatMessage(f"{prompt}\n{QUESTION}")]).message.content)


WAYS: tuple[Callable[[MemoryBank], Coroutine[Any, Any, str]], ...] = (
    chat,
    stream_chat,
    achat,
    astream_chat,
    query,
    aquery,
    streaming_query,
    streaming_aquery,
    by_hand,
)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_scenario_19_equal_answers_give_equal_feedback(
    bank: MemoryBank,
    feedback: CogMemInstrumentation,
    way: Callable[[MemoryBank], Coroutine[Any, Any, str]],
) -> None:
    """Scenario 19 with the retriever; streams are answered after their root span is over, or without one."""
    assert await way(bank) == USED
    assert signals(bank) == BOTH
    assert feedback.pending["calls"] == 0


async def test_scenario_23_streams_consumed_in_reverse_order(
    bank: MemoryBank, feedback: CogMemInstrumentation
) -> None:
    """Scenario 23: two lazy streams over one bank, each attributed to its own query."""
    llm = TellingLLM(lambda prompt: USED if "hiking?" in prompt else "No idea")
    engine = query_engine(bank, llm, streaming=True)
    first, second = engine.query("What about hiking?"), engine.query("What about coffee?")
    streams = [iter(response.response_gen) for response in (second, first)]  # type: ignore[union-attr]
    for token in zip(*streams, strict=False):
        assert len(token) == 2
    for stream in streams:
        list(stream)

    assert judgements(bank) == [
        (COFFEE, "ignored", "What about coffee?"),
        (HIKING, "used", "What about hiking?"),
    ]


def numbered(count: int) -> list[str]:
    return [
        f"Question number {number} of Ann: which mountain for hiking?" for number in range(count)
    ]


def told(prompt: str) -> str:
    """Every other question is answered by what is known."""
    number = int(prompt.rpartition("Question number ")[2].split(" ")[0])
    return USED if number % 2 == 0 else "No idea"


def expected(questions: list[str]) -> list[tuple[str, str, str]]:
    return sorted(
        (HIKING, "used" if told(question) == USED else "ignored", question)
        for question in questions
    )


@pytest.fixture
def hiking(engine: Engine) -> MemoryBank:
    bank = engine.bank("hiker")
    bank.add(HIKING)
    return bank


async def test_scenario_23_forty_interleaved_lazy_streams(
    hiking: MemoryBank, feedback: CogMemInstrumentation
) -> None:
    """INTERFACES 2.4: identical memories, forty questions, forty feedbacks."""
    questions = numbered(40)
    engine = query_engine(hiking, TellingLLM(told), streaming=True)
    responses = await asyncio.gather(*(engine.aquery(question) for question in questions))

    async def consume(response: Any) -> None:
        async for _ in response.async_response_gen():
            await asyncio.sleep(0)

    await asyncio.gather(*(consume(response) for response in reversed(responses)))
    assert judgements(hiking) == expected(questions)


async def test_scenario_24_sixty_concurrent_chats(
    hiking: MemoryBank, feedback: CogMemInstrumentation
) -> None:
    """Scenario 24: sixty `achat` and forty `astream_chat` at once, over identical memories."""
    questions = numbered(100)
    retriever = CogMemRetriever(hiking)
    llm = TellingLLM(told)

    async def ask(question: str, *, stream: bool) -> None:
        memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
        engine = ContextChatEngine.from_defaults(retriever, llm=llm, memory=memory)
        if not stream:
            await engine.achat(question)
            return
        async for _ in (await engine.astream_chat(question)).async_response_gen():
            await asyncio.sleep(0)

    await asyncio.gather(
        *(ask(question, stream=place >= 60) for place, question in enumerate(questions))
    )
    assert judgements(hiking) == expected(questions)
    assert feedback.pending["calls"] == 0


async def test_scenario_24_nothing_after_uninstall(engine: Engine, bank: MemoryBank) -> None:
    """Scenario 24: the dispatcher is global; what was installed is taken out, nothing else is."""
    dispatcher = get_dispatcher()
    before = (list(dispatcher.event_handlers), list(dispatcher.span_handlers))
    feedback = CogMemInstrumentation(engine).install().install()
    assert len(dispatcher.event_handlers) == len(before[0]) + 1
    response = query_engine(bank, TellingLLM(), streaming=True).query(QUESTION)
    feedback.uninstall()
    feedback.uninstall()
    list(response.response_gen)  # type: ignore[union-attr]
    for way in WAYS:
        await way(bank)

    assert (dispatcher.event_handlers, dispatcher.span_handlers) == before
    assert signals(bank) == []


# A chat engine's stream fails in a thread of its own, and tells so to whoever reads it.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("way", ["chat", "stream_chat", "query"])
def test_scenario_8_a_model_that_fails_gives_no_feedback(
    bank: MemoryBank, feedback: CogMemInstrumentation, way: str
) -> None:
    """Scenario 8: the error stays what it is; nothing is pending afterwards."""
    llm = TellingLLM([RuntimeError("overloaded")])
    calls: dict[str, Callable[[], object]] = {
        "query": lambda: query_engine(bank, llm).query(QUESTION),
        "chat": lambda: chat_engine(bank, llm).chat(QUESTION),
        "stream_chat": lambda: list(chat_engine(bank, llm).stream_chat(QUESTION).response_gen),
    }

    with pytest.raises(RuntimeError, match="overloaded"):
        calls[way]()

    assert signals(bank) == []
    assert feedback.pending["calls"] == 0


async def test_scenario_9_an_abandoned_stream_gives_no_feedback(
    engine: Engine, bank: MemoryBank
) -> None:
    """Scenario 9: closed early, or never read; what is followed is bounded."""
    with CogMemInstrumentation(engine, max_runs=5) as feedback:
        asked = query_engine(bank, TellingLLM(), streaming=True)
        for number in range(20):
            stream = iter(asked.query(f"{QUESTION} {number}").response_gen)  # type: ignore[union-attr]
            if number % 2:
                next(stream)
                stream.close()  # type: ignore[attr-defined]

    assert signals(bank) == []
    assert feedback.pending["roots"] <= 5
    assert feedback.pending["calls"] <= 5


async def test_scenario_10_the_event_loop_never_waits_for_feedback(
    engine: Engine, bank: MemoryBank
) -> None:
    """Scenario 10: a slow similarity function, or a slow disk, is the worker's business."""
    threads: list[int] = []
    heard: list[int] = []

    def similarity(_memory: str, _answer: str) -> float:
        threads.append(threading.get_ident())
        return 1.0

    def on_feedback(_rows: tuple[Feedback, ...]) -> None:
        heard.append(threading.get_ident())

    with CogMemInstrumentation(
        engine, similarity_fn=similarity, on_feedback=on_feedback
    ) as feedback:
        for way in (achat, astream_chat, aquery, streaming_aquery):
            await way(bank)
        await feedback.aflush()

    assert (len(threads), len(heard)) == (8, 4)
    assert threading.get_ident() not in {*threads, *heard}
    assert [signal for _, signal in signals(bank)] == ["used"] * 8
