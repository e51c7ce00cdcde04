"""What an answer teaches stays in the namespace and the run of the recall that it was made of."""

from __future__ import annotations

import asyncio
import operator
from typing import Annotated, Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send
from typing_extensions import TypedDict

from cogmem_core import Engine
from helpers.langchain_models import Answering, learnt
from langchain_cogmem import (
    CogMemCallbackHandler,
    CogMemMiddleware,
    CogMemRetriever,
    create_memory_tools,
)

PEANUTS = "I am allergic to peanuts."
USERS = [f"user{number:02d}" for number in range(40)]
QUESTION = "What am I allergic to?"
EXPECTED = [(1, 0) if number % 2 == 0 else (0, 1) for number in range(40)]


def banks(engine: Engine) -> None:
    for user in USERS:
        engine.bank(user).add(PEANUTS)


def counts(engine: Engine) -> list[tuple[int, int]]:
    return [learnt(engine.bank(user))[PEANUTS] for user in USERS]


def spoken(prompt: str) -> str:
    """Every other user is answered by what is known."""
    number = int(prompt.rpartition("user")[2][:2])
    return "You are allergic to peanuts." if number % 2 == 0 else "It is sunny."


def whose(config: RunnableConfig) -> str:
    return str(config["configurable"]["user_id"])


class Slow(Answering):
    """Gives way to the others before it answers, so that forty are at work at the same time."""

    async def _agenerate(self, messages: list[Any], *_: Any, **__: Any) -> Any:
        await asyncio.sleep(0.01)
        return self._generate(messages)


def config(user: str, handler: CogMemCallbackHandler) -> Any:
    return {
        "configurable": {"user_id": user},
        "metadata": {"user_id": user},
        "callbacks": [handler],
    }


async def agents(engine: Engine, handler: CogMemCallbackHandler) -> None:
    """An agent that calls the memory's tool."""

    def answer(prompt: str) -> str | AIMessage:
        if PEANUTS in prompt:
            return spoken(prompt)
        return AIMessage(
            "", tool_calls=[{"name": "recall_memory", "args": {"query": QUESTION}, "id": "1"}]
        )

    tools = create_memory_tools(engine=engine, namespace=whose)[:1]
    agent = create_agent(Slow(answer=answer), tools)
    asked = [{"messages": [("user", f"{QUESTION} I am {user}")]} for user in USERS]
    await asyncio.gather(
        *(agent.ainvoke(one, config(user, handler)) for one, user in zip(asked, USERS, strict=True))  # type: ignore[call-overload]
    )


async def lambdas(engine: Engine, handler: CogMemCallbackHandler) -> None:
    """`bank.recall` in a lambda of a chain."""

    async def looked_up(user: str) -> dict[str, str]:
        recall = await engine.bank(user).arecall(QUESTION)
        await asyncio.sleep(0.01)
        return {"context": recall.context(), "user": user}

    chain = (
        RunnableLambda(looked_up)
        | ChatPromptTemplate.from_template("{context}\nI am {user}")
        | Slow(answer=spoken)
    )
    await asyncio.gather(*(chain.ainvoke(user, config(user, handler)) for user in USERS))


async def synchronous(engine: Engine, handler: CogMemCallbackHandler) -> None:
    """The same with threads."""

    def looked_up(user: str) -> dict[str, str]:
        return {"context": engine.bank(user).recall(QUESTION).context(), "user": user}

    prompt = ChatPromptTemplate.from_template("{context}\nI am {user}")
    chain = RunnableLambda(looked_up) | prompt | Answering(answer=spoken)
    configs = [config(user, handler) for user in USERS]
    await asyncio.to_thread(chain.batch, USERS, configs)


async def one_run(engine: Engine, handler: CogMemCallbackHandler) -> None:
    """All users under one root run: nearer recalls count."""

    def looked_up(user: str) -> dict[str, str]:
        return {"context": engine.bank(user).recall(QUESTION).context(), "user": user}

    prompt = ChatPromptTemplate.from_template("{context}\nI am {user}")
    each = RunnableLambda(looked_up) | prompt | Answering(answer=spoken)
    await each.map().ainvoke(USERS, {"callbacks": [handler]})


class Fanned(TypedDict):
    answers: Annotated[list[str], operator.add]


async def graph(engine: Engine, handler: CogMemCallbackHandler) -> None:
    """A graph that sends each user to a node of its own, which recalls and asks within one function."""
    model = Slow(answer=spoken)

    async def node(state: Any, config: RunnableConfig) -> Any:
        recall = await engine.bank(state["user"]).arecall(QUESTION)
        said = await model.ainvoke(f"{recall.context()}\nI am {state['user']}", config)
        return {"answers": [str(said.content)]}

    built = StateGraph(Fanned)
    built.add_node("one", node)
    built.add_conditional_edges(
        START, lambda _: [Send("one", {"user": user}) for user in USERS], ["one"]
    )
    built.add_edge("one", END)
    await built.compile().ainvoke({"answers": []}, {"callbacks": [handler]})


@pytest.mark.parametrize("ask", [agents, lambdas, synchronous, one_run, graph])
async def test_forty_users_who_once_said_the_same(engine: Engine, ask: Any) -> None:
    """Forty judgements, none of them of somebody else's answer."""
    banks(engine)
    handler = CogMemCallbackHandler(engine)

    await ask(engine, handler)

    assert counts(engine) == EXPECTED


async def test_a_handler_for_each_request(engine: Engine) -> None:
    """None of the forty handlers knows what the others see."""
    banks(engine)

    async def one(user: str) -> None:
        async def looked_up(_: str) -> str:
            recall = await engine.bank(user).arecall(QUESTION)
            await asyncio.sleep(0.01)
            return f"{recall.context()}\nI am {user}"

        chain = RunnableLambda(looked_up) | Slow(answer=spoken)
        await chain.ainvoke("x", {"callbacks": [CogMemCallbackHandler(engine)]})

    await asyncio.gather(*(one(user) for user in USERS))

    assert counts(engine) == EXPECTED


def test_what_another_user_looked_up_is_not_meant(engine: Engine) -> None:
    """Bob opens a page of his settings; Ann's prompt holds the same sentence."""
    bob = engine.bank("bob")
    bob.add(PEANUTS)
    assert bob.recall("allergic to peanuts?").results
    handler = CogMemCallbackHandler(engine)
    model = Answering(answer=lambda _: "It is sunny.")
    chain = ChatPromptTemplate.from_template("Ann: I am allergic to peanuts.\n{q}") | model

    chain.invoke({"q": "Weather?"}, {"callbacks": [handler]})

    assert learnt(bob) == {PEANUTS: (0, 0)}


def test_by_hand_nothing_is_learnt_where_two_users_could_be_meant(engine: Engine) -> None:
    """No run holds recall and model together, and both banks hold the sentence."""
    for user in ("ann", "bob"):
        engine.bank(user).add(PEANUTS)
        assert engine.bank(user).recall(QUESTION).results

    Answering(answer=lambda _: "Peanuts.").invoke(
        f"{PEANUTS}\n{QUESTION}", {"callbacks": [CogMemCallbackHandler(engine)]}
    )

    assert learnt(engine.bank("ann")) == learnt(engine.bank("bob")) == {PEANUTS: (0, 0)}


def test_by_hand_the_only_recall_that_fits_is_meant(engine: Engine) -> None:
    """A tool called by hand, then the model: two root runs of one user."""
    bank = engine.bank("ann")
    bank.add(PEANUTS)
    handler = CogMemCallbackHandler(engine)
    found = create_memory_tools(bank)[0].invoke({"query": QUESTION})

    Answering(answer=lambda _: "You are allergic to peanuts.").invoke(
        f"{found}\n{QUESTION}", {"callbacks": [handler]}
    )

    assert learnt(bank) == {PEANUTS: (1, 0)}


def test_a_run_that_goes_on_lends_nothing_to_others(engine: Engine) -> None:
    """Ann's chain asks Bob's assistant in the middle: her recall is not the source of what stands in his prompt."""
    ann = engine.bank("ann")
    ann.add(PEANUTS)
    handler = CogMemCallbackHandler(engine)

    def asks_bob(context: str) -> str:
        bob = Answering(answer=lambda _: "It is sunny.")
        with_bob = RunnableLambda(lambda _: f"Bob: {PEANUTS} {QUESTION}") | bob
        # A run of its own: nothing of Ann's is handed on.
        with_bob.invoke("x", {"callbacks": [handler]})
        return context

    chain = (
        RunnableLambda(lambda _: ann.recall(QUESTION).context())
        | RunnableLambda(asks_bob)
        | Answering(answer=lambda _: "You are allergic to peanuts.")
    )
    chain.invoke("x", {"callbacks": [handler]})

    assert learnt(ann) == {PEANUTS: (1, 0)}


def test_two_namespaces_in_one_prompt_learn_of_their_own_texts(engine: Engine) -> None:
    """A user's bank and the team's, recalled in one lambda; what both of them say teaches neither."""
    ann, team = engine.bank("ann"), engine.bank("team")
    ann.add(PEANUTS)
    ann.add("My desk is on the third floor.")
    team.add(PEANUTS)
    team.add("Our standup is at nine.")

    def looked_up(_: str) -> str:
        return "\n".join(
            bank.recall("allergic, desk, standup?", floor=0).context() for bank in (ann, team)
        )

    model = Answering(answer=lambda _: "Your desk is on the third floor.")
    (RunnableLambda(looked_up) | model).invoke("x", {"callbacks": [CogMemCallbackHandler(engine)]})

    assert learnt(ann) == {PEANUTS: (0, 0), "My desk is on the third floor.": (1, 0)}
    assert learnt(team) == {PEANUTS: (0, 0), "Our standup is at nine.": (0, 1)}


async def test_middleware_retriever_and_handler_for_forty_users(engine: Engine) -> None:
    """All that the package offers in one agent, for everybody at once."""
    banks(engine)
    handler = CogMemCallbackHandler(engine)
    retriever = CogMemRetriever(engine=engine, namespace=lambda metadata: metadata["user_id"])

    async def one(user: str) -> None:
        middleware = CogMemMiddleware(bank=engine.bank(user))
        agent = create_agent(Slow(answer=spoken), [], middleware=[middleware])
        documents = await retriever.ainvoke(QUESTION, config(user, handler))
        text = f"{documents[0].page_content} {QUESTION} I am {user}"
        await agent.ainvoke({"messages": [("user", text)]}, config(user, handler))  # type: ignore[arg-type]

    await asyncio.gather(*(one(user) for user in USERS))

    assert counts(engine) == EXPECTED
