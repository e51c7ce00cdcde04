"""What no model wrote is neither judged nor remembered: limits that were reached, models that failed."""

import inspect
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import (
    ModelCallLimitMiddleware,
    ModelRetryMiddleware,
    ToolCallLimitMiddleware,
)
from langchain.agents.middleware import model_call_limit as calls
from langchain.agents.middleware import tool_call_limit as tools
from langchain_classic.agents import AgentExecutor, create_react_agent, create_tool_calling_agent
from langchain_classic.agents.agent import BaseMultiActionAgent, BaseSingleActionAgent
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder, PromptTemplate
from langgraph.prebuilt import chat_agent_executor

from cogmem_core import Engine, MemoryBank
from helpers.langchain_models import COFFEE, HIKING, Answering, failing, learnt, look
from langchain_cogmem import CogMemCallbackHandler, CogMemMemory, CogMemMiddleware
from langchain_cogmem.framework_texts import by_framework

UNTOUCHED = {HIKING: (0, 0), COFFEE: (0, 0)}
QUESTION = "Where do I like hiking?"
TOLD = "I moved to Oslo in May"


def calling(_prompt: str) -> AIMessage:
    """Never stops calling."""
    return AIMessage("", tool_calls=[{"name": "look", "args": {"place": "Oslo"}, "id": "1"}])


def limited() -> list[Any]:
    return [ModelCallLimitMiddleware(run_limit=1, exit_behavior="end")]


def out_of_tools() -> list[Any]:
    return [ToolCallLimitMiddleware(run_limit=1, exit_behavior="end")]


def retried() -> list[Any]:
    return [
        ModelRetryMiddleware(max_retries=1, initial_delay=0.0, jitter=False, on_failure="continue")
    ]


def apologising() -> list[Any]:
    return [
        ModelRetryMiddleware(
            max_retries=0, on_failure=lambda _: "Sorry, hiking is out of reach today."
        )
    ]


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(
    ("others", "answer"),
    [(limited, calling), (out_of_tools, calling), (retried, failing), (apologising, failing)],
)
def test_an_agent_that_was_cut_off_teaches_nothing(
    bank: MemoryBank, others: Any, answer: Any, first: bool
) -> None:
    """With a handler, too, and whichever middleware comes first; the user's own words are remembered."""
    ours: list[Any] = [CogMemMiddleware(bank=bank, save_mode="both")]
    middleware = [*ours, *others()] if first else [*others(), *ours]
    agent = create_agent(Answering(answer=answer), [look], middleware=middleware)

    agent.invoke(
        {"messages": [("user", TOLD), ("user", QUESTION)]},
        {"callbacks": [CogMemCallbackHandler(bank.engine)]},
    )

    assert {text: counts for text, counts in learnt(bank).items() if text in UNTOUCHED} == UNTOUCHED
    assert TOLD in learnt(bank)
    assert not any(by_framework(text) or "out of reach" in text for text in learnt(bank))


def executor(bank: MemoryBank, kind: str, answer: Any) -> AgentExecutor:
    model: Any = Answering(answer=answer)
    memory = CogMemMemory(
        bank=bank, save_mode="both", memory_key="memories", input_key="input", output_key="output"
    )
    if kind == "react":
        text = "{memories}\n{tools}\n{tool_names}\nQuestion: {input}\n{agent_scratchpad}"
        agent: Any = create_react_agent(model, [look], PromptTemplate.from_template(text))
    else:
        prompt = ChatPromptTemplate.from_messages(
            [
                ("system", "{memories}"),
                ("human", "{input}"),
                MessagesPlaceholder("agent_scratchpad"),
            ]
        )
        agent = create_tool_calling_agent(model, [look], prompt)
    return AgentExecutor(agent=agent, tools=[look], memory=memory, max_iterations=2)


@pytest.mark.parametrize("handled", [True, False])
@pytest.mark.parametrize(
    ("kind", "answer"),
    [("tools", calling), ("react", lambda _: "Thought: I look.\nAction: look\nAction Input: Oslo")],
)
def test_an_executor_that_was_stopped_teaches_nothing(
    bank: MemoryBank, kind: str, answer: Any, handled: bool
) -> None:
    """`max_iterations`, by the memory and by a handler."""
    config: Any = {"callbacks": [CogMemCallbackHandler(bank.engine)]} if handled else {}

    result = executor(bank, kind, answer).invoke({"input": QUESTION}, config)

    assert result["output"].startswith("Agent stopped due to ")
    assert {text: counts for text, counts in learnt(bank).items() if text in UNTOUCHED} == UNTOUCHED
    assert not any(by_framework(text) or "out of reach" in text for text in learnt(bank))


def test_an_executor_that_answers_is_judged(bank: MemoryBank) -> None:
    """The rule does not take answers for limits."""
    final = "Thought: I know.\nFinal Answer: You like hiking on Mount Rainier!"

    executor(bank, "react", lambda _: final).invoke({"input": QUESTION})

    assert learnt(bank)[HIKING] == (1, 0)


def test_a_user_may_say_what_a_framework_says(engine: Engine) -> None:
    """Only in the name of a model it is nobody's word."""
    bank = engine.bank("bob")
    said = "Model call limits exceeded: run limit (1/1)"
    agent = create_agent(
        Answering(answer=lambda _: "I see."), [], middleware=[CogMemMiddleware(bank=bank)]
    )

    agent.invoke({"messages": [HumanMessage(said)]})
    bank.engine.flush()

    assert [memory.content for memory in bank.list()] == [said]


class TestTheInstalledVersion:
    """The texts that are known are those that LangChain writes; a change of words fails here."""

    @pytest.mark.parametrize("thread", [None, 3])
    @pytest.mark.parametrize("run", [None, 2])
    def test_limits_of_model_calls(self, thread: int | None, run: int | None) -> None:
        """Of the thread, of the run, or both."""
        if thread or run:
            assert by_framework(calls._build_limit_exceeded_message(5, 5, thread, run))

    @pytest.mark.parametrize("thread", [None, 3])
    @pytest.mark.parametrize("run", [None, 2])
    @pytest.mark.parametrize("name", [None, "look"])
    def test_limits_of_tool_calls(
        self, thread: int | None, run: int | None, name: str | None
    ) -> None:
        """Of one tool, or of all."""
        if thread or run:
            assert by_framework(tools._build_final_ai_message_content(5, 5, thread, run, name))

    @pytest.mark.parametrize("attempts", [1, 3])
    def test_models_that_failed(self, attempts: int) -> None:
        """After one attempt or several, with whatever text the error has."""
        error = RuntimeError("down\nand out")
        assert by_framework(
            str(ModelRetryMiddleware._format_failure_message(error, attempts).content)
        )

    @pytest.mark.parametrize("kind", [BaseSingleActionAgent, BaseMultiActionAgent])
    def test_executors_that_were_stopped(self, kind: type[Any]) -> None:
        """Each kind of agent has a text of its own."""
        finish = kind.return_stopped_response(None, "force", [])
        assert by_framework(finish.return_values["output"])

    def test_executors_of_other_kinds(self) -> None:
        """Those whose agents cannot be made without a model say one of the known texts."""
        from langchain_classic.agents import agent
        from langchain_classic.agents.openai_functions_agent import base

        for module in (agent, base):
            assert 'return_values={"output": "' not in inspect.getsource(module)
            for line in inspect.getsource(module).splitlines():
                if '{"output": "Agent stopped' in line:
                    assert by_framework(line.split('"output": "')[1].split('"')[0])

    def test_graphs_that_ran_out_of_steps(self) -> None:
        """`create_react_agent` of LangGraph."""
        text = "Sorry, need more steps to process this request."
        assert f'content="{text}"' in inspect.getsource(chat_agent_executor)
        assert by_framework(text)
