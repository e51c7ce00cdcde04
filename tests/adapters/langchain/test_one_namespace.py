"""What an answer teaches stays in the namespace and the run of the recall that it was made of."""

import asyncio
import operator
from typing import Annotated, Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableConfig, RunnableLambda
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send
from typing_extensions import TypedDict

from cogmem_core import Engine
from helpers.langchain_models import Answering, learnt
from langchain_cogmem import CogMemCallbackHandler, create_memory_tools

PEANUTS = "I am fond of salted peanuts."
USERS = [f"user{number:02d}" for number in range(40)]
QUESTION = "What am I fond of?"
EXPECTED = [(1, 0) if number % 2 == 0 else (0, 1) for number in range(40)]


def banks(engine: Engine) -> None:
    for user in USERS:
        engine.bank(user).add(PEANUTS)


def counts(engine: Engine) -> list[tuple[int, int]]:
    return [learnt(engine.bank(user))[PEANUTS] for user in USERS]


def spoken(prompt: str) -> str:
    """Every other user is answered by what is known."""
    number = int(prompt.rpartition("user")[2][:2])
    return "You are fond of salted peanuts." if number % 2 == 0 else "It is sunny."


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

    Answering(answer=lambda _: "You are fond of salted peanuts.").invoke(
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
        | Answering(answer=lambda _: "You are fond of salted peanuts.")
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
