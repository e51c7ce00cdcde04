"""What agents of both frameworks call for their tasks is kept, and becomes procedures, without code of the user's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import StructuredTool, ToolException
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import interrupt
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.tools import FunctionTool

from cogmem_core import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.models import TaskRun
from helpers.llamaindex_models import TellingLLM, call
from helpers.tables import each_case_of
from langchain_cogmem import (
    AsyncCogMemCallbackHandler,
    CogMemCallbackHandler,
    CogMemMiddleware,
    cogmem_feedback,
    create_memory_tools,
)
from llamaindex_cogmem import CogMemInstrumentation, CogMemMemory

Script = list[tuple[str, dict[str, Any]]]
REFUND: Script = [("find_order", {"query": "Ames"}), ("issue_refund", {"amount": 12})]
pytestmark = pytest.mark.filterwarnings(
    "ignore::pydantic.warnings.PydanticDeprecatedSince20",
    "ignore::pydantic.warnings.PydanticDeprecatedSince211",
    "ignore:is_running called from within a step:DeprecationWarning",
)


def find_order(query: str) -> str:
    """Find an order."""
    if query == "broken":
        raise ValueError("no such order")
    if query == "refused":
        raise ToolException("not allowed")
    if query == "ask":
        return str(interrupt("which one?"))
    return f"order of {query}"


def issue_refund(amount: int) -> str:
    """Pay money back."""
    return f"paid {amount}"


class Scripted(BaseChatModel):
    """Calls the tools of a script one after the other, then answers."""

    script: Script
    fails: bool = False

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, *_: Any, **__: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        step = sum(isinstance(message, AIMessage) for message in messages)
        if step >= len(self.script) and self.fails:
            raise RuntimeError("the model is down")
        message = AIMessage("Done.")
        if step < len(self.script):
            name, arguments = self.script[step]
            calls = [{"name": name, "args": arguments, "id": str(step)}]
            message = AIMessage("", tool_calls=calls)  # type: ignore[arg-type]
        return ChatResult(generations=[ChatGeneration(message=message)])


def chain_agent(
    bank: MemoryBank, script: Script, *, fails: bool = False, handles: bool = False
) -> Any:
    tools = [
        StructuredTool.from_function(find_order, handle_tool_error=handles),
        StructuredTool.from_function(issue_refund),
        *create_memory_tools(bank),
    ]
    return create_agent(
        Scripted(script=script, fails=fails),
        tools,
        middleware=[CogMemMiddleware(bank=bank)],
        checkpointer=InMemorySaver(),
    )


def by_langchain(bank: MemoryBank, task: str, script: Script, session: str | None) -> None:
    config: Any = {"configurable": {"thread_id": session or "x"}}
    agent = chain_agent(bank, script)
    if session is None:
        agent.checkpointer = None
        config = {}
    agent.invoke({"messages": [HumanMessage(task)]}, config)


def by_llamaindex(bank: MemoryBank, task: str, script: Script, session: str | None) -> None:
    answers: Any = [*(call(name, **arguments) for name, arguments in script), "Done."]
    agent = FunctionAgent(
        tools=[FunctionTool.from_defaults(find_order), FunctionTool.from_defaults(issue_refund)],
        llm=TellingLLM(answers),
    )
    memory = CogMemMemory.from_defaults(bank, session_id=session)

    async def run() -> None:
        await agent.run(task, memory=memory)

    asyncio.run(run())


Running = Callable[[MemoryBank, str, Script, str | None], None]


@pytest.fixture(params=["langchain", "llamaindex"])
def running(request: pytest.FixtureRequest) -> Running:
    return by_langchain if request.param == "langchain" else by_llamaindex


ENGINE = {"config": None}


class Listening:
    """Both frameworks' callbacks, and the runs that they kept."""

    def __init__(self, engine: Engine, **options: Any) -> None:
        self.engine = engine
        self._runs: list[TaskRun] = []
        self.keep = self._runs.append
        self.options = {"on_run": self.keep, **options}

    def __enter__(self) -> Listening:
        self._feedback = cogmem_feedback(self.engine, **self.options)
        self._instrumentation = CogMemInstrumentation(self.engine, **self.options)
        self._feedback.__enter__()
        self._instrumentation.install()
        return self

    def __exit__(self, *error: Any) -> None:
        self._instrumentation.uninstall()
        self._feedback.__exit__(*error)

    @property
    def runs(self) -> list[TaskRun]:
        self.engine.flush()
        return self._runs


def test_a_run_is_kept_with_its_task_and_its_calls(engine: Engine, running: Running) -> None:
    """In the namespace that was asked, also if that knows nothing yet."""
    with Listening(engine) as listening:
        running(engine.bank("ann"), "refund the order of Ames", REFUND, "s1")
        (run,) = listening.runs
    assert (run.namespace, run.task, run.session_id, run.ok) == (
        "ann",
        "refund the order of Ames",
        "s1",
        True,
    )
    assert [(made.tool, made.arguments, made.ok) for made in run.calls] == [
        ("find_order", {"query": "Ames"}, True),
        ("issue_refund", {"amount": 12}, True),
    ]


def test_procedures_are_learnt_from_two_sessions(engine: Engine, running: Running) -> None:
    """Without a call of `observe_run`, and for the own namespace only."""
    bank = engine.bank("ann")
    with Listening(engine) as listening:
        for session, name in (("s1", "Ames"), ("s2", "Bell")):
            script = [("find_order", {"query": name}), ("issue_refund", {"amount": 12})]
            running(bank, f"refund the order of {name}", script, session)
        assert len(listening.runs) == 2
    (procedure,) = bank.procedures()
    assert procedure.steps == ("find_order(query: <text>)", "issue_refund(amount: 12)")
    assert engine.bank("bob").procedures() == ()


@each_case_of("task_runs/a_tool_that_fails_is_a_failure")
def test_a_tool_that_fails_is_a_failure(engine: Engine, script: Script, ok: bool | None) -> None:
    """Of LlamaIndex's agents, which go on: the last call tells the end; what recovered, nobody knows."""
    with Listening(engine) as listening:
        by_llamaindex(engine.bank("ann"), "refund the order of Ames", script, "s1")
        (run,) = listening.runs
    assert run.ok is ok
    assert [made.ok for made in run.calls] == [made[1].get("query") != "broken" for made in script]


def test_langchain_tells_of_failures_in_three_ways(engine: Engine) -> None:
    """An error that ends the run, one that is made a message of, and a model that fails later."""
    config: Any = {"configurable": {"thread_id": "s1"}}
    task = {"messages": [HumanMessage("refund the order of Ames")]}
    bank = engine.bank("ann")
    with Listening(engine) as listening:
        with pytest.raises(ValueError, match="no such order"):
            chain_agent(bank, [("find_order", {"query": "broken"})]).invoke(task, config)
        assert [run.ok for run in listening.runs] == [False]
        handled = chain_agent(bank, [("find_order", {"query": "refused"})], handles=True)
        handled.invoke(task, config)
        assert [run.ok for run in listening.runs] == [False, False]
        with pytest.raises(RuntimeError, match="the model is down"):
            chain_agent(bank, REFUND, fails=True).invoke(task, config)
        assert len(listening.runs) == 2  # whether the task was done nobody knows


def test_what_waits_for_a_person_has_not_ended(engine: Engine) -> None:
    """Neither done nor failed."""
    agent = chain_agent(engine.bank("ann"), [*REFUND, ("find_order", {"query": "ask"})])
    with Listening(engine) as listening:
        config: Any = {"configurable": {"thread_id": "s1"}}
        agent.invoke({"messages": [HumanMessage("refund the order of Ames")]}, config)
        assert listening.runs == []


@each_case_of("task_runs/what_tells_no_task_is_not_kept")
def test_what_tells_no_task_is_not_kept(
    engine: Engine, running: Running, task: str, script: Script, session: str | None
) -> None:
    """No tool was called, or no session tells what was to be shown."""
    with Listening(engine) as listening:
        running(engine.bank("ann"), task, script, session)
        assert listening.runs == []


def test_tools_of_memory_are_no_steps(engine: Engine) -> None:
    """Nor does what they look up become the task."""
    script = [("recall_memory", {"query": "Ames"}), *REFUND]
    with Listening(engine) as listening:
        by_langchain(engine.bank("ann"), "refund the order of Ames", script, "s1")
        (run,) = listening.runs
    assert run.task == "refund the order of Ames"
    assert [made.tool for made in run.calls] == ["find_order", "issue_refund"]


def test_what_cannot_be_kept_of_arguments_costs_no_run(engine: Engine) -> None:
    """What a framework puts in, broken characters, texts without end, numbers that are none."""

    def issue(ctx: Any, text: str, amount: float, items: list[int]) -> str:
        """Pay money back."""
        return f"{ctx is None}{text}{amount}{items}"

    agent = create_agent(
        Scripted(script=[]), [], middleware=[CogMemMiddleware(bank=engine.bank("ann"))]
    )
    tool = StructuredTool.from_function(issue)
    given = {"ctx": object(), "text": "\x00" + "a" * 5_000, "amount": float("nan"), "items": [1]}

    def task(inputs: dict[str, Any], config: Any) -> None:
        agent.invoke(inputs, {**config, "configurable": {"thread_id": "s1"}})
        tool.invoke(given, config)

    with Listening(engine) as listening:
        RunnableLambda(task).invoke({"messages": [HumanMessage("refund the order of Ames")]})
        (run,) = listening.runs
    (made,) = run.calls
    assert made.arguments == {"text": "\ufffd" + "a" * 999, "items": [1]}


def test_it_can_be_left_out(engine: Engine, running: Running) -> None:
    """By one option of either handler."""
    with Listening(engine, observe_runs=False) as listening:
        running(engine.bank("ann"), "refund the order of Ames", REFUND, "s1")
        assert listening.runs == []
    for make in (CogMemCallbackHandler, CogMemInstrumentation):
        with pytest.raises(InvalidInput, match="observe_runs"):
            make(engine, observe_runs="no")  # type: ignore[operator]


def test_two_handlers_keep_a_run_once(engine: Engine) -> None:
    """The one of the block, and two of the call."""
    agent = chain_agent(engine.bank("ann"), REFUND)
    with Listening(engine) as listening:
        handlers = [
            CogMemCallbackHandler(engine, on_run=listening.keep),
            AsyncCogMemCallbackHandler(engine, on_run=listening.keep),
        ]
        config: Any = {"configurable": {"thread_id": "s1"}, "callbacks": handlers}
        task = {"messages": [HumanMessage("refund the order of Ames")]}
        asyncio.run(agent.ainvoke(task, config))
        assert [run.task for run in listening.runs] == ["refund the order of Ames"]


def test_runs_of_many_users_stay_apart(engine: Engine, running: Running) -> None:
    """Twelve at once, with the same words: each in its own namespace."""

    def one(number: int) -> None:
        script = [
            ("find_order", {"query": f"order {number}"}),
            ("issue_refund", {"amount": number}),
        ]
        running(engine.bank(f"user {number}"), "refund the order of Ames", script, "s1")

    with Listening(engine) as listening, ThreadPoolExecutor(6) as pool:
        # LangChain's block holds for what is called in its context.
        started = [pool.submit(copy_context().run, one, number) for number in range(12)]
        for run_of_user in started:
            run_of_user.result()
        amounts = sorted(
            (run.namespace, run.calls[1].arguments["amount"]) for run in listening.runs
        )
    assert amounts == sorted((f"user {number}", number) for number in range(12))


def test_a_run_over_two_namespaces_belongs_to_neither(engine: Engine) -> None:
    """As with feedback."""
    agent = create_agent(
        Scripted(script=REFUND),
        [StructuredTool.from_function(find_order), StructuredTool.from_function(issue_refund)],
        middleware=[
            CogMemMiddleware(bank=engine.bank("ann")),
            CogMemMiddleware(bank=engine.bank("team"), name="team"),
        ],
        checkpointer=InMemorySaver(),
    )
    with Listening(engine) as listening:
        config: Any = {"configurable": {"thread_id": "s1"}}
        agent.invoke({"messages": [HumanMessage("refund the order of Ames")]}, config)
        assert listening.runs == []


def test_what_was_kept_can_be_told_its_outcome(engine: Engine, running: Running) -> None:
    """The host knows better."""
    bank = engine.bank("ann")
    with Listening(engine) as listening:
        running(bank, "refund the order of Ames", REFUND, "s1")
        (run,) = listening.runs
    assert bank.outcome(run, False).ok is False
