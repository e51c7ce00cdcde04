"""What a framework hands over beside a text is screened as the text is; one test for each."""

from pathlib import Path

from langchain_core.messages import AIMessage, HumanMessage
from llama_index.core.base.llms.types import ChatMessage

import cogmem_core
from cogmem_core.testing import MANUAL
from helpers.bank_contents import files_holding
from langchain_cogmem import CogMemChatMessageHistory, CogMemStore
from llamaindex_cogmem import CogMemMemory

KEY = "sk-proj-" + "Zq7Xw2Vt9Rk4Np6Ms1" * 2
PASSWORD = "Kanarie4711vogel"


def test_langchain_histories_and_stores(tmp_path: Path) -> None:
    """Session, name, id and arguments of messages; namespace, key and value of items; all are found again."""
    with cogmem_core.open(tmp_path, embedder="hashing", config=MANUAL) as engine:
        bank = engine.bank("ann")
        history = CogMemChatMessageHistory(bank, session_id=KEY)
        extra = {"password": PASSWORD}
        history.add_messages([HumanMessage("I moved to Lisbon", name=f"pwd={PASSWORD}", id=KEY)])
        history.add_messages(
            [AIMessage("Nice", additional_kwargs=extra, response_metadata={"token": KEY})]
        )
        store = CogMemStore(bank)
        store.put(("users", KEY), f"password={PASSWORD}", {"api_key": KEY, "text": "tea"})
        again = CogMemChatMessageHistory(bank, session_id=KEY)
        item = store.get(("users", KEY), f"password={PASSWORD}")
        engine.flush()
        assert [message.content for message in again.messages] == ["I moved to Lisbon", "Nice"]
        assert item is not None
        assert item.value == {"api_key": "[redacted api key]", "text": "tea"}
        assert (
            len(store.search(("users", KEY)))
            == len(store.list_namespaces(prefix=("users", KEY)))
            == 1
        )
        store.delete(("users", KEY), f"password={PASSWORD}")
        assert store.get(("users", KEY), f"password={PASSWORD}") is None
        told = repr([engine.health(), engine.log(), bank.list(state="any"), again.messages])
        assert KEY not in told
        assert PASSWORD not in told
    assert files_holding(tmp_path, KEY, PASSWORD) == []


def test_llamaindex_memories(tmp_path: Path) -> None:
    """Session and arguments of messages."""
    with cogmem_core.open(tmp_path, embedder="hashing", config=MANUAL) as engine:
        bank = engine.bank("ann")
        memory = CogMemMemory.from_defaults(bank=bank, session_id=KEY)
        memory.put(
            ChatMessage(
                "I moved to Lisbon in May", additional_kwargs={"password": PASSWORD, "name": KEY}
            )
        )
        memory.put(ChatMessage(f"My password={PASSWORD}", role="assistant"))
        engine.flush()
        memories = bank.list(state="any").memories
        assert any("Lisbon" in one.content for one in memories)
        assert len(bank.recall("Lisbon", session_id=KEY, floor=0).results) >= 1
        assert {str(one.session_id)[:18] for one in memories} == {"[redacted api key]"}
        told = repr([engine.health(), engine.log(), memories])
        assert KEY not in told
        assert PASSWORD not in told
    assert files_holding(tmp_path, KEY, PASSWORD) == []
