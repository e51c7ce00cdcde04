"""`LangChainLLM`: the engine works with an application's own chat model."""

import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import FakeListChatModel, FakeMessagesListChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatResult
from langchain_core.runnables import Runnable, RunnableLambda
from langchain_openai import ChatOpenAI
from pydantic import BaseModel, Field

import cogmem_core
from cogmem_core import InvalidInput
from cogmem_core.llm import LLMOutputError, LLMUnavailable, Usage
from cogmem_core.ports import LLM
from cogmem_core.testing import MANUAL, FrozenClock
from helpers.late_calls import wait_for_late_calls
from helpers.loopback_llm import LoopbackServer, Reply
from helpers.model_answers import formed
from langchain_cogmem.bridges import LangChainLLM

ASKED = [
    {"role": "system", "content": "Be exact."},
    {"role": "user", "content": "Where does Clara live?"},
]
LISBON = {"name": "Lisbon", "districts": ["Alfama"]}
PLENTY = 30.0


class City(BaseModel):
    """Where somebody lives."""

    name: str
    districts: list[str] = Field(default_factory=list)


def openai_model(server: LoopbackServer) -> ChatOpenAI:
    return ChatOpenAI(model="loopback", base_url=server.address, api_key="any", max_retries=0)


@pytest.fixture
def llm(server: LoopbackServer) -> LangChainLLM:
    return LangChainLLM(openai_model(server))


def complete(llm: LangChainLLM, timeout: float = PLENTY) -> City:
    return llm.complete(ASKED, City, timeout)


# --- over HTTP: ChatOpenAI and a server on the loopback ---


def test_structured_output_is_asked_for_first(server: LoopbackServer, llm: LangChainLLM) -> None:
    """INTERFACES section 4: ChatOpenAI sends a JSON schema; usage is told as cogmem's own client tells it."""
    server.enqueue(Reply.json(LISBON))
    assert complete(llm) == City(name="Lisbon", districts=["Alfama"])
    (request,) = server.requests
    assert request["response_format"]["type"] == "json_schema"
    assert request["response_format"]["json_schema"]["schema"]["required"] == ["name", "districts"]
    assert [(m["role"], m["content"]) for m in request["messages"]] == [
        (m["role"], m["content"]) for m in ASKED
    ]
    assert llm.usage == Usage(prompt_tokens=11, completion_tokens=7, calls=1)
    assert isinstance(llm, LLM)
    assert llm.model == "loopback"


def test_where_the_server_refuses_it_the_schema_goes_into_the_prompt() -> None:
    """Status 400 for `response_format`: asked once more without, and from then on at once."""
    with LoopbackServer(Reply.prose(LISBON), Reply.fenced(LISBON), formats=["text"]) as server:
        llm = LangChainLLM(openai_model(server))
        assert complete(llm).name == "Lisbon"
        assert llm.usage == Usage(prompt_tokens=11, completion_tokens=7, calls=2)
        assert complete(llm).name == "Lisbon"
        assert llm.usage == Usage(prompt_tokens=11, completion_tokens=7, calls=1)
        assert ["response_format" in request for request in server.requests] == [True, False, False]
        system = server.requests[1]["messages"][0]
        assert (
            system["role"],
            system["content"].startswith("Be exact.\n\nAnswer with one JSON object"),
        ) == ("system", True)
        assert '"districts"' in system["content"]


@pytest.mark.parametrize("wrapped", [Reply.prose, Reply.fenced], ids=["prose", "fenced"])
def test_json_is_taken_out_of_chatter(
    server: LoopbackServer, llm: LangChainLLM, wrapped: Callable[[Any], Reply]
) -> None:
    """Models wrap what they were asked to leave bare; with `include_raw` the text is still there."""
    server.enqueue(wrapped(LISBON))
    assert complete(llm).name == "Lisbon"
    assert llm.usage == Usage(prompt_tokens=11, completion_tokens=7, calls=1)


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply.text("I do not know."), LLMOutputError),
        (Reply.json({"name": 7}), LLMOutputError),
        (Reply.text(""), LLMOutputError),
        (Reply.refusal(), LLMOutputError),
        (Reply.truncated({"cities": [LISBON, LISBON]}), LLMOutputError),
        (Reply.empty_choices(), LLMUnavailable),
        (Reply.error(401), LLMUnavailable),
        (Reply.error(429), LLMUnavailable),
        (Reply.error(500), LLMUnavailable),
    ],
    ids=["prose", "shape", "empty", "refusal", "cut off", "no choices", "key", "rate", "server"],
)
def test_whatever_goes_wrong_is_raised(
    server: LoopbackServer, llm: LangChainLLM, reply: Reply, error: type[Exception]
) -> None:
    """The engine then decides by its rules; nothing is made up, and no question is repeated behind its back."""
    server.enqueue(reply)
    with pytest.raises(error):
        complete(llm)
    assert len(server.requests) == llm.usage.calls == 1


def test_a_part_of_an_answer_that_was_cut_off_is_no_answer() -> None:
    """A whole object inside the half of another one fits the schema all the same."""
    half = Reply(
        content='{"cities": [{"name": "Lisbon", "districts": []}, {"na', finish_reason="length"
    )
    with LoopbackServer(half, formats=["text"]) as server:
        llm = LangChainLLM(openai_model(server))
        with pytest.raises(LLMOutputError, match="cut off by the token limit"):
            complete(llm)
        assert llm.usage == Usage(prompt_tokens=11, completion_tokens=7, calls=2)


def test_an_error_tells_the_status_but_quotes_no_memory(
    server: LoopbackServer, llm: LangChainLLM
) -> None:
    """Messages of servers repeat what they were sent; ours go into logs and `health()`."""
    server.enqueue(Reply.error(500, "cannot answer: Where does Clara live?"))
    with pytest.raises(LLMUnavailable) as caught:
        complete(llm)
    assert re.fullmatch(r"LangChainLLM\('loopback'\) failed \(\w+, status 500\)", str(caught.value))


def test_a_server_that_refuses_everything_is_asked_twice_and_not_written_off(
    server: LoopbackServer,
) -> None:
    """A 404 may be a misspelt model: only a schema-less answer proves that the schema was the problem."""
    server.enqueue(Reply.error(404), Reply.error(404), Reply.json(LISBON))
    llm = LangChainLLM(openai_model(server))
    with pytest.raises(LLMUnavailable, match="status 404"):
        complete(llm)
    assert complete(llm).name == "Lisbon"
    assert ["response_format" in request for request in server.requests] == [True, False, True]


def test_a_model_that_hangs_is_given_up_and_not_asked_again_meanwhile(
    server: LoopbackServer, llm: LangChainLLM
) -> None:
    """The time limit is the engine's, whatever that of the model is."""
    arrived = threading.Event()

    def hang(_request: Any) -> Reply:
        arrived.set()
        return Reply.hang()

    server.enqueue(Reply.json(LISBON), hang)
    complete(llm)
    with pytest.raises(LLMUnavailable, match="did not answer in time"):
        complete(llm, timeout=0.3)
    assert llm.usage == Usage(calls=1)
    assert arrived.wait(PLENTY)
    with pytest.raises(LLMUnavailable, match="an earlier call has not come back yet"):
        complete(llm)
    assert llm.usage == Usage()
    assert len(server.requests) == 2


def test_an_engine_forms_facts_with_it(server: LoopbackServer, llm: LangChainLLM) -> None:
    """From `remember` to a memory: what the model made of the turn, and what it cost."""
    answer = formed("Clara moved to Lisbon in May 2026.", entities=["Clara"])
    server.enqueue(Reply.json(answer))
    with cogmem_core.open(
        embedder="hashing", clock=FrozenClock(), config=MANUAL, llm=llm
    ) as engine:
        report = engine.bank("ann").remember(
            "Clara told me she has moved to Lisbon in May, at last!"
        )
        assert [memory.content for memory in report.memories] == [
            "Clara moved to Lisbon in May 2026."
        ]
        assert (report.llm_calls, report.prompt_tokens, report.completion_tokens) == (1, 11, 7)
        assert report.degraded == ()
        assert engine.health()["llm"]["model"] == "loopback"


def test_an_engine_whose_model_fails_goes_on_by_its_rules(
    server: LoopbackServer, llm: LangChainLLM
) -> None:
    """No failure of a model reaches the caller; the report says what happened."""
    server.enqueue(Reply.error(503))
    with cogmem_core.open(
        embedder="hashing", clock=FrozenClock(), config=MANUAL, llm=llm
    ) as engine:
        report = engine.bank("ann").remember("I moved to Lisbon in May")
        assert [memory.content for memory in report.memories] == ["I moved to Lisbon in May"]
        assert [reason[-13:] for reason in report.degraded] == [", status 503)"]


# --- other kinds of models ---


def test_a_model_without_structured_output_is_asked_in_words() -> None:
    """FakeListChatModel cannot bind tools; its text is searched for JSON."""
    llm = LangChainLLM(FakeListChatModel(responses=['Sure: {"name": "Porto", "districts": []}']))
    assert complete(llm) == City(name="Porto")
    assert llm.usage == Usage(calls=1)
    assert llm.model == "FakeListChatModel"


class ToolCaller(FakeMessagesListChatModel):
    """A model that answers with calls of tools."""

    def bind_tools(self, tools: Any, **_: Any) -> Runnable[Any, BaseMessage]:
        return self


def called(**arguments: Any) -> AIMessage:
    spent = {"input_tokens": 5, "output_tokens": 3, "total_tokens": 8}
    call = {"name": "City", "args": arguments, "id": "c1", "type": "tool_call"}
    return AIMessage("", tool_calls=[call], usage_metadata=spent)


def test_a_model_that_answers_by_calling_a_tool() -> None:
    """LangChain's default structured output; a call that does not fit is an unusable answer."""
    llm = LangChainLLM(
        ToolCaller(responses=[called(name="Faro", districts=[]), called(nome="Faro")]),
        name="caller",
    )
    assert complete(llm) == City(name="Faro")
    assert llm.usage == Usage(prompt_tokens=5, completion_tokens=3, calls=1)
    with pytest.raises(LLMOutputError, match=r"does not fit City: name \(missing\)"):
        complete(llm)
    assert llm.model == "caller"


def test_a_model_with_fallbacks(server: LoopbackServer) -> None:
    """Any runnable that behaves like a chat model will do."""
    server.enqueue(Reply.error(500), Reply.json(LISBON))
    llm = LangChainLLM(openai_model(server).with_fallbacks([openai_model(server)]))
    assert complete(llm).name == "Lisbon"


def test_usage_is_told_to_the_thread_that_asked() -> None:
    """Two threads, two bills."""
    llm = LangChainLLM(ToolCaller(responses=[called(name="Faro")]))
    complete(llm)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: llm.usage).result() == Usage()
    assert llm.usage == Usage(prompt_tokens=5, completion_tokens=3, calls=1)


class Noting(BaseCallbackHandler):
    """Notes what runs, with its tags."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, tuple[str, ...]]] = []

    def on_chat_model_start(
        self, serialized: Any, messages: Any, *, tags: list[str] | None = None, **_: Any
    ) -> None:
        self.seen.append(("model", tuple(tags or ())))

    def on_chain_start(
        self, serialized: Any, inputs: Any, *, name: str | None = None, **_: Any
    ) -> None:
        self.seen.append((str(name), ()))


def test_the_handlers_of_a_run_do_not_see_what_the_engine_asks() -> None:
    """INTERFACES 1.4: a handler would take the engine's own question for an answer that used a memory."""
    of_run, of_model = Noting(), Noting()
    llm = LangChainLLM(FakeListChatModel(responses=['{"name": "Lisbon"}'], callbacks=[of_model]))
    chain = RunnableLambda(lambda _: complete(llm).name, name="outer")
    assert chain.invoke("x", {"callbacks": [of_run], "tags": ["mine"]}) == "Lisbon"
    assert of_run.seen == [("outer", ())]
    assert of_model.seen == [("model", ("cogmem",))]


async def test_it_works_inside_a_running_event_loop() -> None:
    """Synchronous calls of the engine may come from anywhere."""
    assert (
        complete(LangChainLLM(FakeListChatModel(responses=['{"name": "Lisbon"}']))).name == "Lisbon"
    )


class Hanging(FakeListChatModel):
    """Hangs until it is let go, then answers."""

    responses: list[str] = Field(default_factory=lambda: ['{"name": "Lisbon"}'])
    let_go: threading.Event = Field(default_factory=threading.Event)
    answered: threading.Event = Field(default_factory=threading.Event)

    def _generate(self, *arguments: Any, **more: Any) -> ChatResult:
        self.let_go.wait()
        try:
            return super()._generate(*arguments, **more)
        finally:
            self.answered.set()


def test_a_model_that_comes_back_is_asked_again() -> None:
    """An answer that came too late is not used, and the next question is not refused any more."""
    model = Hanging()
    llm = LangChainLLM(model)
    with pytest.raises(LLMUnavailable, match="did not answer in time"):
        complete(llm, timeout=0.5)
    model.let_go.set()
    wait_for_late_calls()
    assert model.answered.is_set()
    assert complete(llm).name == "Lisbon"


def test_what_is_no_chat_model_is_refused() -> None:
    """A name is no model, nor is a class."""
    with pytest.raises(InvalidInput, match="chat_model is a str; give a LangChain chat model"):
        LangChainLLM("gpt-4o-mini")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match="chat_model is a "):
        LangChainLLM(FakeListChatModel)  # type: ignore[arg-type]
