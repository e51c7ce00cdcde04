"""What a framework hands to retrievers and tools was meant, whatever characters broke on the way."""

import asyncio
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from langchain.agents import create_agent
from llama_index.core.llms import ChatMessage
from llama_index.core.schema import QueryBundle, TextNode
from llama_index.core.vector_stores.types import VectorStoreQuery

from cogmem_core import Engine, InvalidInput, MemoryBank
from helpers.langchain_models import Answering
from langchain_cogmem import CogMemMemory as ChainMemory
from langchain_cogmem import CogMemMiddleware, create_memory_tools
from langchain_cogmem import CogMemRetriever as ChainRetriever
from langchain_cogmem import CogMemVectorStore as ChainVectorStore
from langchain_cogmem.store import CogMemStore
from llamaindex_cogmem import CogMemMemory, CogMemRetriever, CogMemToolSpec, CogMemVectorStore

TOOLS = ("recall_memory", "remember", "forget", "why")
BROKEN = {
    "a NUL": "Ann likes hiking on Mount Rainier\x00",
    "a lone surrogate": "Ann likes hiking on Mount Rainier \udce9",
    "the wrong half": "\ud83d Ann likes hiking on Mount Rainier",
    "both": "Ann likes\x00 hiking on Mount Rainier\udfff",
    "nothing else": "\x00\ud800",
}


def of_langchain(bank: MemoryBank) -> Callable[..., str]:
    tools = {tool.name: tool for tool in create_memory_tools(bank, tools=TOOLS)}
    return lambda name, **arguments: str(tools[name].invoke(arguments))


def of_llamaindex(bank: MemoryBank) -> Callable[..., str]:
    tools = {tool.metadata.name: tool for tool in CogMemToolSpec(bank, tools=TOOLS).to_tool_list()}
    return lambda name, **arguments: tools[name].call(**arguments).content


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("tools_of", [of_langchain, of_llamaindex])
def test_tools_take_broken_characters(
    bank: MemoryBank, tools_of: Callable[..., Any], broken: str
) -> None:
    """No error reaches the model, and what is kept can be stored."""
    call = tools_of(bank)
    answers = [
        call("recall_memory", query=broken),
        call("why", what=broken),
        call("forget", what=broken),
        call("remember", content=broken),
    ]
    if "hiking" in broken:
        for answer in answers[:3]:
            assert "hiking on Mount Rainier" in answer
    for answer in answers:
        assert "NUL" not in answer
        assert "surrogate" not in answer
        answer.encode()
    for tool in ("why", "forget"):
        try:
            told = call(tool, what=" ")  # LangChain's tools tell it to the model
        except InvalidInput as error:
            told = str(error)
        assert told == "what is ' ': empty or blank; give some text"


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_retrievers_take_broken_characters(bank: MemoryBank, broken: str) -> None:
    """Both find what is meant, and raise nothing."""
    documents = ChainRetriever(bank=bank, raise_errors=True).invoke(broken)
    nodes = CogMemRetriever(bank, raise_errors=True).retrieve(broken)
    if "hiking" in broken:
        assert documents[0].page_content == "Ann likes hiking on Mount Rainier"
        assert nodes[0].text == "Ann likes hiking on Mount Rainier"


@pytest.mark.parametrize("other", [None, 7, {"question": "Where do I hike?"}])
def test_what_is_no_text_is_refused(bank: MemoryBank, other: Any) -> None:
    """A chain that is wired wrongly is no bank that fails: it is told, and not done without."""
    chat = CogMemMemory.from_defaults(bank)
    called: Any = CogMemToolSpec(bank)
    wrong: list[tuple[str, Callable[[], Any]]] = [
        ("query .*itemgetter", lambda: ChainRetriever(bank=bank).invoke(other)),
        ("query .*itemgetter", lambda: asyncio.run(ChainRetriever(bank=bank).ainvoke(other))),
        ("query .*itemgetter", lambda: ChainVectorStore(bank).as_retriever().invoke(other)),
        ("inputs", lambda: ChainMemory(bank=bank).load_memory_variables({"input": other})),
        ("inputs", lambda: ChainMemory(bank=bank).save_context({"input": other}, {"output": "I"})),
        ("query", lambda: CogMemRetriever(bank).retrieve(QueryBundle(other))),
        ("query", lambda: asyncio.run(CogMemRetriever(bank).aretrieve(QueryBundle(other)))),
        ("query", lambda: called.recall_memory(other)),
        ("what", lambda: called.why(other)),
        ("what", lambda: called.forget(other)),
        ("message", lambda: chat.put(other)),
        ("message", lambda: asyncio.run(chat.aput(other))),
        *([("input", lambda: chat.get(other))] if other else []),
    ]
    for name, call in wrong:
        with pytest.raises(InvalidInput, match=f"^{name}"):
            call()
    assert chat.get_all() == []


PASTED = "worker 17 wrote ünicode 日本 to /var/log/x; " * 2_300
LONG = {
    "the question first": f"hiking on Mount Rainier? {PASTED}",
    "the question last": f"{PASTED}\nWo war das: hiking on Mount Rainier?",
    "one word without end": f"Mount Rainier'da hiking? {'é' * 80_000}",
    "one character too much": "hiking on Mount Rainier".ljust(100_001, "."),
}


@pytest.mark.parametrize("long", list(LONG.values())[:2], ids=list(LONG)[:2])
def test_a_message_that_is_too_long_for_a_query_is_shortened(bank: MemoryBank, long: str) -> None:
    """Its beginning and its end are looked for, by retrievers and tools of both; a recall refuses it."""
    documents = ChainRetriever(bank=bank, raise_errors=True, k=1).invoke(long)
    nodes = CogMemRetriever(bank, raise_errors=True, similarity_top_k=1).retrieve(long)
    told = [call("recall_memory", query=long) for call in (of_langchain(bank), of_llamaindex(bank))]

    for text in (documents[0].page_content, nodes[0].text, *told):
        assert "Ann likes hiking on Mount Rainier" in text
    with pytest.raises(InvalidInput, match=r"query has .* bytes"):
        bank.recall(long)


def test_agents_and_chats_take_long_messages(bank: MemoryBank) -> None:
    """The memory stands in the prompt, and nothing is logged as failed."""
    model, long = Answering(), LONG["the question last"]
    middleware = CogMemMiddleware(bank=bank, save_mode="none", raise_errors=True)
    create_agent(model, [], middleware=[middleware]).invoke({"messages": [("user", long)]})
    chain = ChainMemory(bank=bank, memory_key="m", save_mode="none", raise_errors=True)
    chat = CogMemMemory.from_defaults(bank, save_mode="none", raise_errors=True, token_limit=10**6)
    chat.put(ChatMessage(long))

    for text in (model.prompts[0], chain.load_memory_variables({"input": long}), chat.get(long)):
        assert "Ann likes hiking on Mount Rainier" in str(text)


@pytest.mark.parametrize("long", list(LONG.values())[2:], ids=list(LONG)[2:])
def test_stores_take_long_questions(bank: MemoryBank, long: str) -> None:
    """The store of graphs, and both vector stores."""
    store, chain, index = CogMemStore(bank), ChainVectorStore(bank), CogMemVectorStore(bank)
    store.put(("a",), "1", {"text": "hiking on Mount Rainier"})
    chain.add_texts(["hiking on Mount Rainier"])
    index.add([TextNode(text="hiking on Mount Rainier", id_="1")])

    assert [item.key for item in store.search(("a",), query=long)] == ["1"]
    assert len(chain.similarity_search(long)) == 1
    assert index.query(VectorStoreQuery(query_str=long)).ids == ["1"]


def user(config: Any) -> str:
    return str(config["configurable"]["user_id"])


def test_a_pickled_tool_writes_where_the_first_one_did(engine: Engine) -> None:
    """And not into a copy."""
    _, remember = create_memory_tools(engine=engine, namespace=user)
    again = pickle.loads(pickle.dumps(remember))
    again.invoke({"content": "Ann moved to Lisbon in May."}, {"configurable": {"user_id": "ann"}})
    assert [memory.content for memory in engine.bank("ann").list()] == [
        "Ann moved to Lisbon in May."
    ]
