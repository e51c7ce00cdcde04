"""Nothing of what is said or asked incognito comes to the disk, by whichever door: a scan of every byte proves it."""

import asyncio
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_classic.chains import LLMChain
from langchain_core.language_models import FakeListChatModel
from langchain_core.prompts import PromptTemplate
from langchain_core.runnables import RunnableLambda
from llama_index_instrumentation.dispatcher import instrument_tags
from starlette.testclient import TestClient

import cogmem_core
from cogmem_core import MemoryBank, Turn
from cogmem_core.config import Config, LogConfig
from cogmem_core.errors import InvalidInput, NotAllowed
from cogmem_serve import create_app
from cogmem_serve.keys import KeyRing
from langchain_cogmem import (
    CogMemCallbackHandler,
    CogMemMemory,
    CogMemMiddleware,
    CogMemRetriever,
    CogMemStore,
    create_memory_tools,
)

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from llama_index.core.chat_engine import SimpleChatEngine
    from llama_index.core.llms import ChatMessage, MockLLM

    import llamaindex_cogmem

pytestmark = [pytest.mark.filterwarnings("ignore")]
SAID = "My zorblatt is hidden in Qwopville, do you know the flimflam?"
WORDS = (b"zorblatt", b"qwopville", b"flimflam", b"thursday-of-secrets")
SESSION = "thursday-of-secrets"
NOT_KEPT = {"configurable": {"remember": False, "thread_id": SESSION}}


def by_session(bank: MemoryBank) -> str:
    with bank.session(SESSION, incognito=True) as session:
        report = session.remember([SAID, Turn(SAID, role="assistant")])
        told = [(receipt.status, receipt.reason) for receipt in report.receipts]
        assert told == [("skipped", "not kept: incognito")] * 2
        assert (report.memories, SAID in repr(report)) == ((), False)
        found = session.recall(f"Where does Lena live? {SAID}")
        ticket = json.loads(json.dumps(found.to_json()))
        assert bank.feedback(found, "Lena lives in Oslo.") == ()
        assert bank.feedback(cogmem_core.Recall.from_json(ticket), "Lena lives in Oslo.") == ()
        assert session.bank.due(SAID) == ()
        assert session.bank.append_messages([SAID], session_id=SESSION) == ()
        for write in (session.bank.add, session.bank.observe, session.bank.intend):
            with pytest.raises(NotAllowed, match="incognito"):
                write(SAID)
        with pytest.raises(NotAllowed, match="incognito"):
            session.bank.items().put((SESSION,), "x", {"text": SAID})
        session.bank.tip_of_tongue(SAID)
        return found.context()


def by_langchain(bank: MemoryBank) -> str:
    handler = CogMemCallbackHandler(bank)
    retriever = CogMemRetriever(bank)
    found = retriever.invoke(f"Where does Lena live? {SAID}", NOT_KEPT)
    model = FakeListChatModel(responses=["Lena lives in Oslo. Which flimflam?"])
    agent = create_agent(model, [], middleware=[CogMemMiddleware(bank, save_mode="both")])
    agent.invoke({"messages": [("user", SAID)]}, {**NOT_KEPT, "callbacks": [handler]})
    (_, remember) = create_memory_tools(bank)
    assert "incognito" in remember.invoke({"content": SAID}, NOT_KEPT)
    memory = CogMemMemory(bank, save_mode="both", session_id=SESSION)
    memory.load_memory_variables({"input": SAID, "remember": False})
    memory.save_context({"input": SAID, "remember": False}, {"output": "Which flimflam?"})
    chain = LLMChain(llm=model, memory=memory, prompt=PromptTemplate.from_template("{history}"))
    chain.invoke({"input": SAID}, NOT_KEPT)
    asyncio.run(chain.ainvoke({"input": SAID}, NOT_KEPT))
    store = CogMemStore(bank)
    putting = RunnableLambda(lambda text: store.put((SESSION,), "x", {"text": text}))
    with pytest.raises(NotAllowed, match="incognito"):
        putting.invoke(SAID, NOT_KEPT)
    with pytest.raises(InvalidInput, match="remember is 'no'"):
        retriever.invoke("Lena", {"configurable": {"remember": "no"}})
    return found[0].page_content


def by_llamaindex(bank: MemoryBank) -> str:
    memory = llamaindex_cogmem.CogMemMemory.from_defaults(bank, session_id=SESSION)
    chat = SimpleChatEngine.from_defaults(llm=MockLLM(), memory=memory)
    with instrument_tags({"remember": False}):
        chat.chat(SAID)
        nodes = llamaindex_cogmem.CogMemRetriever(bank).retrieve(f"Where does Lena live? {SAID}")
        _, remember = llamaindex_cogmem.CogMemToolSpec(bank).to_tool_list()
        assert "incognito" in remember.call(content=SAID).content
    return nodes[0].text


def by_rest(bank: MemoryBank) -> str:
    ring = KeyRing(None)
    _, secret = ring.add("test", scopes=("admin",), namespaces=("ann",))
    headers = {"authorization": f"Bearer {secret}", "X-Cogmem-Incognito": "1"}
    with TestClient(create_app(bank.engine, keys=ring), base_url="http://localhost") as client:

        def send(path: str, **body: Any) -> Any:
            return client.post(f"/v1{path}", json=body, headers=headers)

        assert send("/remember", content=SAID).json()["receipts"][0]["status"] == "skipped"
        found = send("/recall", query=f"Where does Lena live? {SAID}", session_id=SESSION).json()
        del headers["X-Cogmem-Incognito"]
        assert send("/feedback", recall=found["ticket"], answer="Lena is in Oslo.").json() == []
        headers["X-Cogmem-Incognito"] = "1"
        assert send("/memories", content=SAID).status_code == 403
        headers["X-Cogmem-Incognito"] = "perhaps"
        assert send("/remember", content=SAID).status_code == 400
    return str(found["context"])


@pytest.mark.parametrize("way", [by_session, by_langchain, by_llamaindex, by_rest])
def test_no_byte_of_it_is_written(tmp_path: Path, way: Callable[[MemoryBank], str]) -> None:
    """Recall works, nothing is learnt, and neither words nor question nor session stand in any file, log texts on."""
    folder = tmp_path / "brain"
    config = Config(log=LogConfig(content=True))
    with cogmem_core.open(folder, embedder="hashing", config=config) as engine:
        bank = engine.bank("ann")
        kept = bank.remember("My sister Lena lives in Oslo.").memories[0]
        assert "Lena lives in Oslo" in way(bank)
        engine.flush()
        assert bank.get(kept.id).used_count + sum(bank.health()["feedback"].values()) == 0
    contents = {path: path.read_bytes().lower() for path in folder.rglob("*") if path.is_file()}
    assert any(b"lena" in content for content in contents.values())
    assert [(path, w) for path, content in contents.items() for w in WORDS if w in content] == []


def test_what_was_put_incognito_stays_out_of_a_later_run(tmp_path: Path) -> None:
    """A model that failed leaves the question in the thread; the next run keeps only its own."""
    from langgraph.checkpoint.memory import InMemorySaver

    class Failing(FakeListChatModel):
        def _call(self, *args: Any, **more: Any) -> str:
            if self.i == 0:
                self.i = 1
                raise RuntimeError("down")
            return "I see."

    with cogmem_core.open(tmp_path / "brain", embedder="hashing") as engine:
        bank = engine.bank("ann")
        agent = create_agent(
            Failing(responses=["", "I see."]),
            [],
            middleware=[CogMemMiddleware(bank)],
            checkpointer=InMemorySaver(),
        )
        with pytest.raises(RuntimeError, match="down"):
            agent.invoke({"messages": [("user", SAID)]}, NOT_KEPT)
        agent.invoke(
            {"messages": [("user", "I like mint tea.")]}, {"configurable": {"thread_id": SESSION}}
        )
        engine.flush()
        assert [memory.content for memory in bank.list()] == ["I like mint tea."]


def test_what_a_block_drops_later_was_put_incognito_or_not(tmp_path: Path) -> None:
    """What was said in ordinary runs is kept, also if it is dropped in an incognito one; nothing else is."""
    with cogmem_core.open(tmp_path / "brain", embedder="hashing") as engine:
        bank = engine.bank("ann")
        block = llamaindex_cogmem.CogMemMemoryBlock(bank, save_mode="both")
        said = [ChatMessage("I collect stamps."), ChatMessage(SAID)]
        said += [ChatMessage("The flimflam?", role="assistant"), ChatMessage("I like tea.")]
        with instrument_tags({"remember": False}):
            asyncio.run(block.aget(said[:2], session_id=SESSION))
            asyncio.run(block.aput(said[:1], from_short_term_memory=True))
        asyncio.run(block.aput(said[1:], from_short_term_memory=True))
        engine.flush()
        assert [memory.content for memory in bank.list()] == ["I collect stamps.", "I like tea."]
