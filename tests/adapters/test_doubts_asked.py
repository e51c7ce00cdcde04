"""A model of either framework may put the question about a doubt, once; the user's answer settles it."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from llama_index.core.llms import ChatMessage

from cogmem_core import Engine, MemoryBank
from langchain_cogmem import CogMemMemory as ChainMemory
from langchain_cogmem import CogMemMiddleware
from llamaindex_cogmem import CogMemMemory

QUESTION = "Do you still work at Acme, or at a bank now?"
WORK = "Where do I work?"
Saying = Callable[[str], str]

ENGINE = {"config": None}


class Seen(FakeListChatModel):
    """A model that notes its prompts, and puts the question whatever it is asked."""

    prompts: list[str] = []  # noqa: RUF012 - a field of a model

    def _call(self, messages: Any, *more: Any, **options: Any) -> str:
        self.prompts.append("\n".join(str(message.content) for message in messages))
        return f"All right. {QUESTION}"


def by_middleware(bank: MemoryBank, **options: Any) -> Saying:
    model = Seen(responses=[""])
    middleware = CogMemMiddleware(bank=bank, **options)
    agent = create_agent(model, [], middleware=[middleware], checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "monday"}}

    def say(words: str) -> str:
        agent.invoke({"messages": [HumanMessage(words)]}, thread)
        return model.prompts[-1]

    return say


def by_chain_memory(bank: MemoryBank, **options: Any) -> Saying:
    memory = ChainMemory(bank=bank, session_id="monday", **options)

    def say(words: str) -> str:
        shown = str(memory.load_memory_variables({"input": words})["history"])
        memory.save_context({"input": words}, {"output": f"All right. {QUESTION}"})
        return shown

    return say


def by_engine_memory(bank: MemoryBank, **options: Any) -> Saying:
    memory = CogMemMemory.from_defaults(bank, session_id="monday", **options)

    def say(words: str) -> str:
        memory.put(ChatMessage(words))
        shown = [str(memory.get()) for _ in range(2)]  # a second call of a model reads the same
        assert shown[0] == shown[1]
        memory.put(ChatMessage(f"All right. {QUESTION}", role="assistant"))
        return shown[0]

    return say


@pytest.mark.parametrize("way", [by_middleware, by_chain_memory, by_engine_memory])
def test_a_model_may_ask_once_and_the_answer_settles_it(engine: Engine, way: Any) -> None:
    """Off by default; on, the block ends with the question, once, and what the user says next counts."""
    for name, options in (("off", {}), ("on", {"ask": True})):
        bank = engine.bank(name)
        bank.remember(["I work at Acme.", "I work for a bank."])
        say = way(bank, **options)
        ChainMemory(bank=bank, **options).load_memory_variables({"input": WORK})  # no answer
        assert (f"word for word: {QUESTION}" in say(WORK)) == (name == "on")
        say("at the bank now")
        engine.flush()
        kept = ["I work for a bank."] if name == "on" else ["I work at Acme.", "I work for a bank."]
        assert [memory.content for memory in bank.list()][: len(kept)] == kept
        assert "word for word" not in say(WORK)
