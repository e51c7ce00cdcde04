"""Many users who once said the same sentence, at once, in every set-up: nobody learns from another's answer.

Every bank holds one sentence that all banks hold, and one of its user's own. Each user is answered twice; every other
user's answers use the common sentence. No prompt may hold another user's sentence, and each memory is judged once by
each answer.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_classic.chains import ConversationChain
from langchain_core.messages import AIMessage
from langchain_core.prompts import ChatPromptTemplate, PromptTemplate
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.graph import END, START, MessagesState, StateGraph
from llama_index.core.agent.workflow import AgentWorkflow, FunctionAgent, ReActAgent
from llama_index.core.chat_engine import CondensePlusContextChatEngine, ContextChatEngine
from llama_index.core.instrumentation.dispatcher import instrument_tags
from llama_index.core.query_engine import RetrieverQueryEngine
from typing_extensions import TypedDict

from cogmem_core import Engine
from helpers.langchain_models import Answering
from helpers.llamaindex_models import TellingLLM
from helpers.llamaindex_models import call as calling
from langchain_cogmem import (
    CogMemCallbackHandler,
    CogMemMemory,
    CogMemMiddleware,
    CogMemRetriever,
    create_memory_tools,
)
from llamaindex_cogmem import CogMemInstrumentation, CogMemToolSpec
from llamaindex_cogmem import CogMemMemory as ChatMemory
from llamaindex_cogmem import CogMemRetriever as NodeRetriever

pytestmark = pytest.mark.filterwarnings(
    "ignore::langchain_core._api.deprecation.LangChainDeprecationWarning",
    "ignore::pydantic.warnings.PydanticDeprecatedSince20",
    "ignore::pydantic.warnings.PydanticDeprecatedSince211",
    "ignore:is_running called from within a step:DeprecationWarning",
)
COMMON = "I am fond of salted peanuts."
QUESTION = "What am I fond of, and which locker is mine?"
TURNS = 2
SetUp = Callable[["Crowd"], Awaitable[None]]


class Crowd:
    """The users of an engine, and what models say to them."""

    def __init__(self, engine: Engine, size: int) -> None:
        self.engine = engine
        self.users = [f"user{number:03d}" for number in range(size)]
        self.handler = CogMemCallbackHandler(engine)
        self.leaks: list[str] = []
        for user in self.users:
            engine.bank(user).add(COMMON)
            engine.bank(user).add(f"My locker has the label L-{user}.")

    def question(self, user: str) -> str:
        return f"{QUESTION} I am {user}!"

    def answer(self, prompt: str) -> str:
        """Who asks stands in the prompt, and whose locker as well."""
        user = re.findall(r"I am (user\d+)!", prompt)[-1]
        self.leaks += [label for label in re.findall(r"L-(user\d+)", prompt) if label != user]
        return "You are fond of salted peanuts." if int(user[-3:]) % 2 == 0 else "It is sunny."

    def agent_answer(self, prompt: str) -> AIMessage | str:
        """Looks up before it answers."""
        if COMMON in prompt.rpartition("I am user")[2]:
            return self.answer(prompt)
        arguments = {"query": QUESTION}
        return AIMessage("", tool_calls=[{"name": "recall_memory", "args": arguments, "id": "1"}])

    def config(self, user: str) -> Any:
        return {
            "configurable": {"user_id": user, "thread_id": user},
            "metadata": {"user_id": user},
            "callbacks": [self.handler],
        }

    async def each(self, ask: Callable[[str], Awaitable[object]]) -> None:
        """All users at once, each one question after the other."""

        async def turns(user: str) -> None:
            for _ in range(TURNS):
                await ask(user)

        await asyncio.gather(*map(turns, self.users))

    @property
    def judged(self) -> list[tuple[int, int, int, int]]:
        """Of each user: the common sentence used and ignored, the locker's, how many judgements in all."""
        self.engine.flush()
        counts = []
        for user in self.users:
            memories = self.engine.bank(user).list()
            (common_id,) = [memory.id for memory in memories if memory.content == COMMON]
            with self.engine.services.ledger.whole() as reader:
                rows = reader.at(user).feedback.all(since=None)
            of_common = [row.signal for row in rows if row.memory_id == common_id]
            used, ignored = (of_common.count(signal) for signal in ("used", "ignored"))
            counts.append((used, ignored, len(rows) - len(of_common), len(rows)))
        return counts

    @property
    def expected(self) -> list[tuple[int, int, int, int]]:
        used, ignored = (TURNS, 0, TURNS, 2 * TURNS), (0, TURNS, TURNS, 2 * TURNS)
        return [used if number % 2 == 0 else ignored for number in range(len(self.users))]


class Slow(Answering):
    """Gives way to the others before it answers."""

    async def _agenerate(self, messages: list[Any], *_: Any, **__: Any) -> Any:
        await asyncio.sleep(0)
        return self._generate(messages)


class SlowLLM(TellingLLM):
    """Gives way to the others before it answers."""

    async def astream_chat(self, messages: Any, **more: Any) -> Any:
        await asyncio.sleep(0)
        return await super().astream_chat(messages, **more)


class Run(TypedDict):
    user_id: str


async def agent_with_tools(crowd: Crowd) -> None:
    tools = create_memory_tools(
        engine=crowd.engine, namespace=lambda config: str(config["configurable"]["user_id"])
    )
    agent = create_agent(Slow(answer=crowd.agent_answer), tools)
    await crowd.each(
        lambda user: agent.ainvoke(
            {"messages": [("user", crowd.question(user))]},  # type: ignore[arg-type]
            crowd.config(user),
        )
    )


async def agent_with_middleware(crowd: Crowd) -> None:
    middleware = CogMemMiddleware(
        engine=crowd.engine,
        namespace=lambda state, runtime: str(runtime.context["user_id"]),
        save_mode="none",
    )
    agent = create_agent(Slow(answer=crowd.answer), [], middleware=[middleware], context_schema=Run)

    async def ask(user: str) -> None:
        asked: Any = {"messages": [("user", crowd.question(user))]}
        async for _ in agent.astream(asked, crowd.config(user), context={"user_id": user}):
            pass

    await crowd.each(ask)


def lcel(crowd: Crowd) -> Any:
    retriever = CogMemRetriever(
        engine=crowd.engine, namespace=lambda metadata: str(metadata["user_id"])
    )
    texts = retriever | (lambda documents: "\n".join(one.page_content for one in documents))
    prompt = ChatPromptTemplate.from_template("{context}\n{question}")
    sides: Any = {"context": texts, "question": RunnableLambda(lambda asked: asked)}
    return sides | prompt | Slow(answer=crowd.answer)


async def chain_in_batches(crowd: Crowd) -> None:
    chain = lcel(crowd)
    for _ in range(TURNS):
        await chain.abatch(
            [crowd.question(user) for user in crowd.users],
            [crowd.config(user) for user in crowd.users],
        )


async def chain_in_threads(crowd: Crowd) -> None:
    chain = lcel(crowd)
    asked = [crowd.question(user) for user in crowd.users]
    for _ in range(TURNS):
        await asyncio.to_thread(chain.batch, asked, [crowd.config(user) for user in crowd.users])


async def chain_that_streams(crowd: Crowd) -> None:
    chain = lcel(crowd)

    async def ask(user: str) -> None:
        async for _ in chain.astream(crowd.question(user), crowd.config(user)):
            await asyncio.sleep(0)

    await crowd.each(ask)


async def by_hand(crowd: Crowd) -> None:
    """Retriever and model are called one after the other: two runs of one task."""
    retriever = CogMemRetriever(
        engine=crowd.engine, namespace=lambda metadata: str(metadata["user_id"])
    )
    model = Slow(answer=crowd.answer)

    async def ask(user: str) -> None:
        documents = await retriever.ainvoke(QUESTION, crowd.config(user))
        texts = "\n".join(document.page_content for document in documents)
        await model.ainvoke(f"{texts}\n{crowd.question(user)}", crowd.config(user))

    await crowd.each(ask)


async def graph(crowd: Crowd) -> None:
    model = Slow(answer=crowd.answer)

    async def look_up(state: MessagesState, config: RunnableConfig) -> Any:
        bank = crowd.engine.bank(config["configurable"]["user_id"])
        recall = await bank.arecall(QUESTION)
        return {"messages": [("system", recall.context())]}

    async def answer(state: MessagesState) -> Any:
        return {"messages": [await model.ainvoke(state["messages"])]}

    built = StateGraph(MessagesState)
    built.add_node("look_up", look_up)
    built.add_node("answer", answer)
    built.add_edge(START, "look_up")
    built.add_edge("look_up", "answer")
    built.add_edge("answer", END)
    compiled = built.compile()
    await crowd.each(
        lambda user: compiled.ainvoke(
            {"messages": [("user", crowd.question(user))]},  # type: ignore[arg-type]
            crowd.config(user),
        )
    )


async def conversation_chain(crowd: Crowd) -> None:
    prompt = PromptTemplate.from_template("{history}\n{input}")

    async def ask(user: str) -> None:
        memory = CogMemMemory(bank=crowd.engine.bank(user), save_mode="none")
        chain = ConversationChain(llm=Slow(answer=crowd.answer), memory=memory, prompt=prompt)
        await chain.ainvoke({"input": crowd.question(user)}, crowd.config(user))

    await crowd.each(ask)


async def workflow_with_tools(crowd: Crowd) -> None:
    tools = CogMemToolSpec(
        engine=crowd.engine, namespace=lambda tags: str(tags["user_id"])
    ).to_tool_list()

    def answer(prompt: str) -> Any:
        said = crowd.agent_answer(prompt)
        return said if isinstance(said, str) else calling("recall_memory", query=QUESTION)

    async def ask(user: str) -> None:
        with instrument_tags({"user_id": user}):
            agent = FunctionAgent(tools=tools, llm=SlowLLM(answer))
            await AgentWorkflow(agents=[agent]).run(user_msg=crowd.question(user))

    await crowd.each(ask)


async def react_agent_with_memory(crowd: Crowd) -> None:
    def answer(prompt: str) -> str:
        return (
            f"Thought: I can answer without using any more tools.\nAnswer: {crowd.answer(prompt)}"
        )

    async def ask(user: str) -> None:
        memory = ChatMemory.from_defaults(
            crowd.engine.bank(user), save_mode="none", insert_method="user"
        )
        agent = ReActAgent(tools=[], llm=SlowLLM(answer))
        await agent.run(crowd.question(user), memory=memory)

    await crowd.each(ask)


def chatting(kind: Any) -> SetUp:
    async def chat_engine(crowd: Crowd) -> None:
        def answer(prompt: str) -> str:
            return QUESTION if "tandalone" in prompt else crowd.answer(prompt)

        chats = {}
        for user in crowd.users:
            bank = crowd.engine.bank(user)
            chats[user] = kind.from_defaults(
                NodeRetriever(bank),
                llm=SlowLLM(answer),
                memory=ChatMemory.from_defaults(bank, save_mode="none"),
            )

        async def ask(user: str) -> None:
            answered = await chats[user].astream_chat(crowd.question(user))
            async for _ in answered.async_response_gen():
                await asyncio.sleep(0)

        await crowd.each(ask)

    return chat_engine


def querying(*, streaming: bool) -> SetUp:
    async def query_engine(crowd: Crowd) -> None:
        async def ask(user: str) -> None:
            retriever = NodeRetriever(crowd.engine.bank(user))
            llm = SlowLLM(crowd.answer)
            engine = RetrieverQueryEngine.from_args(retriever, llm=llm, streaming=streaming)
            answered: Any = await engine.aquery(crowd.question(user))
            if streaming:
                async for _ in answered.response_gen:
                    await asyncio.sleep(0)

        await crowd.each(ask)

    return query_engine


SET_UPS: dict[str, SetUp] = {
    "agent with tools": agent_with_tools,
    "agent with middleware, streaming": agent_with_middleware,
    "chain in batches": chain_in_batches,
    "chain in threads": chain_in_threads,
    "chain that streams": chain_that_streams,
    "by hand": by_hand,
    "graph": graph,
    "conversation chain": conversation_chain,
    "workflow with tools": workflow_with_tools,
    "ReAct agent with memory": react_agent_with_memory,
    "context chat engine, streaming": chatting(ContextChatEngine),
    "condensing chat engine, streaming": chatting(CondensePlusContextChatEngine),
    "query engine": querying(streaming=False),
    "query engine, streaming": querying(streaming=True),
}


@pytest.mark.parametrize(
    "size", [pytest.param(6, id="six"), pytest.param(200, id="200", marks=pytest.mark.thorough)]
)
@pytest.mark.parametrize("name", SET_UPS)
async def test_many_users_at_once(engine: Engine, name: str, size: int) -> None:
    """No leak, one judgement for each memory and answer, no wrong owner."""
    crowd = Crowd(engine, size)

    with CogMemInstrumentation(engine):
        await SET_UPS[name](crowd)

    assert crowd.leaks == []
    assert crowd.judged == crowd.expected
