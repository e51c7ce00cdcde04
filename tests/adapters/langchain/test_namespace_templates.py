"""`namespace="{user_id}"`: filled from the run, in every class, or refused; never a bank that all users share."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda
from langchain_core.runnables.config import ensure_config
from langgraph.graph import START, MessagesState, StateGraph

from cogmem_core import Engine, InvalidInput
from helpers.langchain_models import HIKING, Answering
from helpers.tables import each_row_of
from langchain_cogmem import (
    CogMemChatMessageHistory,
    CogMemMemory,
    CogMemMiddleware,
    CogMemRetriever,
    CogMemVectorStore,
    create_memory_tools,
)
from langchain_cogmem.store import CogMemStore

BOB = "Bob likes hiking in the Alps"
TEMPLATE = "user-{user_id}"
CONFIG: Any = {"configurable": {"user_id": "bob"}}
NOBODY: Any = {"configurable": {"thread_id": "1"}}


@pytest.fixture
def people(engine: Engine) -> Engine:
    """Ann's bank, and Bob's."""
    engine.bank("user-ann").add(HIKING)
    engine.bank("user-bob").add(BOB)
    return engine


def by_config(config: Any) -> str:
    return f"user-{config['configurable']['user_id']}"


def names(engine: Engine) -> list[str]:
    return sorted(engine.namespaces())


def retrieved(engine: Engine, namespace: Any, config: Any) -> str:
    return str(CogMemRetriever(engine=engine, namespace=namespace).invoke("hiking?", config))


def with_middleware(engine: Engine, namespace: Any, config: Any) -> str:
    middleware = CogMemMiddleware(engine=engine, namespace=namespace, add_tools=True)
    seen: list[str] = []
    model = Answering(answer=lambda prompt: seen.append(prompt) or "Yes")
    create_agent(model, [], middleware=[middleware]).invoke(
        {"messages": [("user", "Where do I like hiking?")]}, config
    )
    return "\n".join(seen)


def with_tools(engine: Engine, namespace: Any, config: Any) -> str:
    recall_tool = create_memory_tools(engine=engine, namespace=namespace)[0]
    recall_tool.handle_tool_error = False
    return str(recall_tool.invoke({"query": "hiking?"}, config))


def in_node(call: Callable[[], Any], config: Any) -> str:
    """What a node of a graph returns that calls it."""
    told: list[str] = []

    def node(_state: Any) -> dict[str, Any]:
        told.append(str(call()))
        return {}

    graph = StateGraph(MessagesState).add_node("node", node).add_edge(START, "node").compile()
    graph.invoke({"messages": []}, config)
    return told[0]


def with_memory(engine: Engine, namespace: Any, config: Any) -> str:
    memory = CogMemMemory(engine=engine, namespace=namespace, memory_key="history")
    return in_node(lambda: memory.load_memory_variables({"input": "hiking?"}), config)


def with_history(engine: Engine, namespace: Any, config: Any) -> str:
    def call() -> Any:
        history = CogMemChatMessageHistory(engine=engine, namespace=namespace, session_id="1")
        return history.bank.recall("hiking?").context()

    return in_node(call, config)


def with_store(engine: Engine, namespace: Any, config: Any) -> str:
    store = CogMemStore(engine=engine, namespace=namespace)

    def call() -> Any:
        store.put(("trips",), "1", {"text": "hiking trip"})
        assert store.get(("trips",), "1") is not None
        return store.bank.recall("hiking?").context()

    return in_node(call, config)


def with_vector_store(engine: Engine, namespace: Any, config: Any) -> str:
    store = CogMemVectorStore(engine=engine, namespace=namespace)

    def call() -> Any:
        store.add_documents([Document("hiking trip")])
        assert store.similarity_search("hiking")[0].page_content == "hiking trip"
        return store.bank.recall("hiking?").context()

    return in_node(call, config)


CLASSES = [
    retrieved,
    with_middleware,
    with_tools,
    with_memory,
    with_history,
    with_store,
    with_vector_store,
]


@pytest.mark.parametrize("namespace", [TEMPLATE, by_config], ids=["template", "function"])
@pytest.mark.parametrize("made", CLASSES)
def test_every_class_knows_the_user_of_the_run(
    people: Engine, made: Callable[..., str], namespace: Any
) -> None:
    """The configuration tells it; nobody else's memories are seen."""
    told = made(people, namespace, CONFIG)

    assert BOB in told
    assert HIKING not in told
    assert names(people) == ["user-ann", "user-bob"]


@pytest.mark.parametrize("made", CLASSES)
def test_every_class_refuses_a_run_that_tells_no_user(
    people: Engine, made: Callable[..., str]
) -> None:
    """A typed error that names the argument, what is missing, and where to tell it; nothing is written."""
    with pytest.raises(InvalidInput, match=r"(?s)namespace is the template.*'user_id'.*; \w+"):
        made(people, TEMPLATE, NOBODY)
    assert names(people) == ["user-ann", "user-bob"]


@each_row_of("namespace_templates/what_fills_a_name")
def test_what_fills_a_name(engine: Engine, template: str, config: Any, found: str | None) -> None:
    """Text or a number, which is not read as a template again; nothing that two pairs could mean."""
    history = RunnableLambda(
        lambda _: CogMemChatMessageHistory(engine=engine, namespace=template, session_id="1")
    )
    if found is None:
        with pytest.raises(InvalidInput, match=r"text or a number|other values"):
            history.invoke("x", config)
    else:
        assert history.invoke("x", config).bank.namespace == found


@each_row_of("namespace_templates/what_is_no_template_is_refused_at_once")
def test_what_is_no_template_is_refused_at_once(engine: Engine, text: str) -> None:
    """Before the first run, with the fix; braces are never part of a name."""
    for made in (CogMemRetriever, CogMemMiddleware, CogMemStore, CogMemVectorStore, CogMemMemory):
        with pytest.raises(InvalidInput, match=r"namespace is .*no template.*\{user_id\}"):
            made(engine=engine, namespace=text)


def test_a_context_fills_it(people: Engine) -> None:
    """That of a graph or an agent."""
    seen: list[str] = []
    agent = create_agent(
        Answering(answer=lambda prompt: seen.append(prompt) or "Yes"),
        [],
        middleware=[CogMemMiddleware(engine=people, namespace=TEMPLATE)],
        context_schema=dict,
    )
    agent.invoke({"messages": [("user", "Where do I like hiking?")]}, context={"user_id": "ann"})

    assert HIKING in seen[0]
    assert BOB not in seen[0]


def test_a_chain_fills_it_from_its_inputs(people: Engine) -> None:
    """A classic chain that is called by itself tells its memory nothing else."""
    memory = CogMemMemory(
        engine=people, namespace=TEMPLATE, memory_key="history", input_key="input"
    )
    told = memory.load_memory_variables({"input": "hiking?", "user_id": "bob"})["history"]

    assert BOB in str(told)
    with pytest.raises(InvalidInput, match="whose session is meant"):
        CogMemMemory(engine=people, namespace=TEMPLATE, session_id="s").clear()


@pytest.mark.parametrize("namespace", [TEMPLATE, by_config], ids=["template", "function"])
async def test_users_who_use_one_store_at_the_same_time(people: Engine, namespace: Any) -> None:
    """Each awaits an item under the same key, and gets what was put for her or him."""
    store = CogMemStore(engine=people, namespace=namespace)

    async def node(_state: Any) -> dict[str, Any]:
        user = ensure_config()["configurable"]["user_id"]
        await store.aput(("self",), "name", {"text": user})
        item = await store.aget(("self",), "name")
        assert item is not None
        assert item.value == {"text": user}
        return {}

    graph = StateGraph(MessagesState).add_node("node", node).add_edge(START, "node").compile()
    users = [f"u{number}" for number in range(8)]
    await graph.abatch(
        [{"messages": []}] * len(users), [{"configurable": {"user_id": user}} for user in users]
    )

    twin = copy.copy(store)
    assert repr(twin) == repr(store)
    assert {f"user-{user}" for user in users} <= set(people.namespaces())
    assert twin.sweep_ttl() == 0


@pytest.mark.parametrize("namespace", [TEMPLATE, by_config], ids=["template", "function"])
async def test_the_retriever_of_a_vector_store_is_told_by_its_call(
    people: Engine, namespace: Any
) -> None:
    """Called by itself, outside of any chain."""
    CogMemVectorStore(people.bank("user-bob")).add_texts(["mint soup"])
    retriever = CogMemVectorStore(engine=people, namespace=namespace).as_retriever(
        search_kwargs={"k": 1}, tags=["mine"]
    )

    assert [found.page_content for found in retriever.invoke("soup", CONFIG)] == ["mint soup"]
    assert [found.page_content for found in await retriever.ainvoke("soup", CONFIG)] == [
        "mint soup"
    ]
    assert "mine" in (retriever.tags or [])
    with pytest.raises(InvalidInput, match="user_id"):
        retriever.invoke("soup", NOBODY)
