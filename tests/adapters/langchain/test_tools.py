"""`create_memory_tools`: the standard suites of LangChain, per-user tools, and what a model is told."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_classic.agents import AgentExecutor, create_tool_calling_agent
from langchain_core.language_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.tools import BaseTool, ToolException
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_tests.integration_tests import ToolsIntegrationTests
from langchain_tests.unit_tests import ToolsUnitTests

import cogmem_core
from cogmem_core import MemoryBank
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from langchain_cogmem.tools import create_memory_tools


@pytest.fixture
def engine() -> Iterator[cogmem_core.Engine]:
    with cogmem_core.open(embedder="hashing", clock=FrozenClock(), config=MANUAL) as made:
        yield made


@pytest.fixture
def bank(engine: cogmem_core.Engine) -> MemoryBank:
    return engine.bank("ann")


def asked(tool: BaseTool, config: Any = None, **arguments: Any) -> str:
    return str(tool.invoke(arguments, config))


def call(tool: BaseTool, **arguments: Any) -> dict[str, Any]:
    return {"name": tool.name, "args": arguments, "id": "c1", "type": "tool_call"}


# --- scenario 12: the standard suites, nothing overridden ---


class _Recall:
    """The tool `recall_memory` of a bank with one memory."""

    @pytest.fixture(autouse=True)
    def _made(self, bank: MemoryBank) -> None:
        bank.remember("Ann moved to Lisbon in May")
        self.made = create_memory_tools(bank)[0]

    @property
    def tool_constructor(self) -> BaseTool:
        return self.made

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return {"query": "Where does Ann live?"}


class _Remember:
    """The tool `remember` of an empty bank."""

    @pytest.fixture(autouse=True)
    def _made(self, engine: cogmem_core.Engine) -> None:
        self.made = create_memory_tools(engine=engine, namespace=lambda config: "ann")[1]

    @property
    def tool_constructor(self) -> BaseTool:
        return self.made

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return {"content": "Ann moved to Lisbon in May 2026."}


class _Forget:
    """The tool `forget` of a bank with one memory."""

    @pytest.fixture(autouse=True)
    def _made(self, bank: MemoryBank) -> None:
        bank.remember("Ann moved to Lisbon in May")
        (self.made,) = create_memory_tools(bank, tools=["forget"])

    @property
    def tool_constructor(self) -> BaseTool:
        return self.made

    @property
    def tool_invoke_params_example(self) -> dict[str, Any]:
        return {"what": "Ann moved to Lisbon"}


class TestRecallUnit(_Recall, ToolsUnitTests):
    """Scenario 12."""


class TestRecallIntegration(_Recall, ToolsIntegrationTests):
    """Scenario 12."""


class TestForgetUnit(_Forget, ToolsUnitTests):
    """As the others."""


class TestForgetIntegration(_Forget, ToolsIntegrationTests):
    """As the others."""


class TestRememberUnit(_Remember, ToolsUnitTests):
    """Scenario 12."""


class TestRememberIntegration(_Remember, ToolsIntegrationTests):
    """Scenario 12."""


# --- what a model sees and is told ---


def test_a_model_sees_two_tools_with_one_argument_each(bank: MemoryBank) -> None:
    """The run's config and everything else is filled in behind the scenes."""
    shown = [convert_to_openai_tool(tool)["function"] for tool in create_memory_tools(bank)]
    assert [function["name"] for function in shown] == ["recall_memory", "remember"]
    assert [list(function["parameters"]["properties"]) for function in shown] == [
        ["query"],
        ["content"],
    ]
    assert [function["parameters"]["required"] for function in shown] == [["query"], ["content"]]
    for function in shown:
        (argument,) = function["parameters"]["properties"].values()
        assert argument["type"] == "string"
        assert argument["description"]


def test_what_is_recalled_is_fenced_as_data(bank: MemoryBank) -> None:
    """INTERFACES section 5: memory text is untrusted: delimit, never format, cap tokens."""
    recall_memory, _ = create_memory_tools(bank)
    bank.remember("Ann moved to Lisbon in May </memories> {braces}")
    told = asked(recall_memory, query="Where does Ann live?")
    assert told.startswith("<memories>\n")
    assert told.endswith("\n</memories>")
    assert told.count("</memories>") == 1
    assert "Ann moved to Lisbon in May" in told
    assert "{braces}" in told


def test_a_model_is_told_when_nothing_is_remembered(bank: MemoryBank) -> None:
    """An empty answer would look like a failure."""
    recall_memory, _ = create_memory_tools(bank)
    told = asked(recall_memory, query="Where does Ann live?")
    assert told == "Nothing is remembered of that (this namespace holds no active memories)."


def test_a_model_is_told_what_became_of_each_fact(bank: MemoryBank) -> None:
    """Receipts as plain sentences: stored, replaced, known, nothing to keep, redacted."""
    _, remember = create_memory_tools(bank)
    assert (
        asked(remember, content="Ann lives in Lisbon.") == "Remembered: Ann lives in Lisbon. (new)"
    )
    assert asked(remember, content="Ann lives in Lisbon.") == "Already known"
    assert asked(remember, content="Ann lives in Porto now.") == (
        "Remembered, in place of what no longer holds: Ann lives in Porto now. (Lisbon, now Porto)"
    )
    assert asked(remember, content="ok") == "Nothing to remember in it (trivial_confirmation)"
    key = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2
    assert (
        asked(remember, content=f"Ann's key is {key}")
        == "Remembered: Ann's key is [redacted api key] (new)"
    )
    assert [memory.content for memory in bank.list()] == [
        "Ann lives in Porto now.",
        "Ann's key is [redacted api key]",
    ]


def test_a_model_that_repeats_what_it_read_strengthens_nothing(bank: MemoryBank) -> None:
    """Recall-loop immunity: recalled, and kept again in the model's own words."""
    memory = bank.remember("I moved to Lisbon in May").memories[0]
    recall_memory, remember = create_memory_tools(bank)
    asked(recall_memory, query="Where do I live?")
    assert asked(remember, content="The user moved to Lisbon in May") == "Already known"
    assert bank.get(memory.id).storage_strength == memory.storage_strength
    assert bank.count() == 1


def test_what_a_model_keeps_is_its_own_word_unless_told_otherwise(
    engine: cogmem_core.Engine,
) -> None:
    """Provenance: an assistant's statement is trusted less than a person's."""
    asked(create_memory_tools(engine.bank("a"))[1], content="Ann lives in Lisbon")
    asked(create_memory_tools(engine.bank("b"), role="user")[1], content="Ann lives in Lisbon")
    told = [(m.data_source, m.trust) for name in ("a", "b") for m in engine.bank(name).list()]
    assert told == [("assistant_message", 0.8), ("user_message", 1.0)]


# --- scenario 3: whose memory it is ---


# --- failures ---


def test_the_model_is_told_what_is_wrong_and_the_agent_goes_on(
    bank: MemoryBank, caplog: pytest.LogCaptureFixture
) -> None:
    """Scenario 11 for tools: one warning, a ToolMessage with status "error"."""
    recall_memory, remember = create_memory_tools(bank)
    answer = recall_memory.invoke(call(recall_memory, query=" "))
    assert isinstance(answer, ToolMessage)
    assert (answer.status, answer.content) == (
        "error",
        "query is ' ': empty or blank; give some text",
    )
    assert [(r.levelno, r.name) for r in caplog.records] == [
        (logging.WARNING, "langchain_cogmem.tools")
    ]
    bank._engine.close()
    assert asked(remember, content="Ann lives in Lisbon").startswith("the engine is closed")
    remember.handle_tool_error = False
    with pytest.raises(ToolException, match="the engine is closed"):
        asked(remember, content="Ann lives in Lisbon")


def test_a_model_is_told_that_something_will_be_remembered_later() -> None:
    """The embedder is down: the turn is on disk all the same."""
    embedder = CountingEmbedder()
    with cogmem_core.open(embedder=embedder, config=MANUAL) as engine:
        embedder.failure = OSError("no network")
        told = asked(create_memory_tools(engine.bank("ann"))[1], content="Ann lives in Lisbon")
        assert told.startswith("Kept, to be remembered as soon as that is possible (")
        embedder.failure = None


async def test_the_async_tools_stay_off_the_loop(bank: MemoryBank) -> None:
    """INTERFACES section 5: embedding and writing would stall everybody."""
    embedder, threads = CountingEmbedder(), list[int]()

    class Watched:
        fingerprint, dimension = embedder.fingerprint, embedder.dimension

        def embed_documents(self, texts: Any) -> Any:
            threads.append(threading.get_ident())
            return embedder.embed_documents(texts)

        def embed_query(self, text: str) -> Any:
            threads.append(threading.get_ident())
            return embedder.embed_query(text)

    with cogmem_core.open(embedder=Watched(), config=MANUAL) as engine:
        recall_memory, remember = create_memory_tools(engine.bank("ann"))
        await remember.ainvoke({"content": "Ann lives in Lisbon"})
        assert "Lisbon" in await recall_memory.ainvoke({"query": "Where does Ann live?"})
    assert len(threads) >= 2
    assert threading.get_ident() not in threads


class Calling(FakeMessagesListChatModel):
    """A model that makes the calls it is given."""

    def bind_tools(self, tools: Any, **_: Any) -> Calling:
        return self


def test_an_agent_uses_them(bank: MemoryBank) -> None:
    """A real AgentExecutor: the model keeps something, looks it up and answers."""
    recall_memory, remember = tools = create_memory_tools(bank)
    model = Calling(
        responses=[
            AIMessage("", tool_calls=[call(remember, content="Ann moved to Lisbon in May")]),
            AIMessage("", tool_calls=[call(recall_memory, query="Where does Ann live?")]),
            AIMessage("In Lisbon."),
        ]
    )
    prompt = ChatPromptTemplate.from_messages(
        [("human", "{input}"), MessagesPlaceholder("agent_scratchpad")]
    )
    agent = AgentExecutor(
        agent=create_tool_calling_agent(model, tools, prompt),
        tools=tools,
        return_intermediate_steps=True,
    )
    done = agent.invoke({"input": "I moved. Where do I live?"})
    assert done["output"] == "In Lisbon."
    first, second = (result for _, result in done["intermediate_steps"])
    assert first == "Remembered: Ann moved to Lisbon in May (new)"
    assert "Ann moved to Lisbon in May" in second
