"""Judged is what stood in the prompt of the call that answered, in whatever form it stood there."""

import json
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import pytest
from llama_index.core.agent.workflow import FunctionAgent, ReActAgent
from llama_index.core.chat_engine import CondenseQuestionChatEngine, SimpleChatEngine
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import NodeWithScore

from cogmem_core import Engine, MemoryBank
from helpers.llamaindex_engines import Documents
from helpers.llamaindex_models import TellingLLM, call, signals
from llamaindex_cogmem import CogMemInstrumentation, CogMemMemory, CogMemRetriever

LENA = "My sister Lena lives in Oslo with two cats."
BOAT = 'Our boat is called "Möwe"; she lies in the harbour of Köln.'
QUESTION = "Where does my sister Lena live, and where does our boat lie?"
REACT = (
    "Thought: I can answer without using any more tools.\nAnswer: Lena lives in Oslo with two cats."
)
JUDGED = [(LENA, "used"), (BOAT, "ignored")]


@pytest.fixture
def bank(engine: Engine) -> MemoryBank:
    bank = engine.bank("ann")
    bank.add(LENA)
    bank.add(BOAT)
    return bank


@pytest.fixture(params=[False, True], ids=["alone", "instrumented"])
def watched(request: pytest.FixtureRequest, engine: Engine) -> Iterator[None]:
    with CogMemInstrumentation(engine) if request.param else nullcontext():
        yield


async def ask(chat: Any, how: str, question: str = QUESTION) -> str:
    if how == "chat":
        return str(chat.chat(question))
    if how == "achat":
        return str(await chat.achat(question))
    if how == "stream_chat":
        return "".join(chat.stream_chat(question).response_gen)
    answer = await chat.astream_chat(question)
    return "".join([piece async for piece in answer.async_response_gen()])


@pytest.mark.usefixtures("watched")
class TestConversations:
    @pytest.mark.parametrize("how", ["chat", "achat", "stream_chat", "astream_chat"])
    @pytest.mark.parametrize("rewritten", ["Does Lena live in Oslo with two cats?", "No idea."])
    async def test_that_only_the_rewriting_model_saw(
        self, bank: MemoryBank, how: str, rewritten: str
    ) -> None:
        """`condense_question` shows its memory to the model that writes the question anew, and to no other."""
        llm = TellingLLM(lambda asked: rewritten if "tandalone" in asked else "No idea.")
        engine = RetrieverQueryEngine.from_args(
            Documents(), llm=llm, streaming=how in ("stream_chat", "astream_chat")
        )
        memory = CogMemMemory.from_defaults(bank, save_mode="none")
        chat = CondenseQuestionChatEngine.from_defaults(engine, llm=llm, memory=memory)

        assert await ask(chat, how) == "No idea."
        assert await ask(chat, how, "And our boat, where does she lie?") == "No idea."
        assert any(LENA in prompt for prompt in llm.prompts)
        assert signals(bank) == []

    async def test_that_no_model_answered(self, bank: MemoryBank) -> None:
        """A query engine that finds nothing answers by itself, after a model wrote the question anew."""

        class Nothing(Documents):
            def _retrieve(self, query_bundle: Any) -> list[NodeWithScore]:
                return []

        llm = TellingLLM(LENA)
        memory = CogMemMemory.from_defaults(bank, save_mode="none")
        chat = CondenseQuestionChatEngine.from_defaults(
            RetrieverQueryEngine.from_args(Nothing(), llm=llm), llm=llm, memory=memory
        )

        assert await ask(chat, "chat") == "Empty Response"
        assert await ask(chat, "achat", "And our boat?") == "Empty Response"
        assert len(llm.prompts) == 2
        assert signals(bank) == []

    @pytest.mark.parametrize("how", ["chat", "achat", "stream_chat", "astream_chat"])
    async def test_that_the_answering_model_saw(self, bank: MemoryBank, how: str) -> None:
        """The same with an engine that asks only once."""
        memory = CogMemMemory.from_defaults(bank, save_mode="none")
        chat = SimpleChatEngine.from_defaults(llm=TellingLLM(LENA), memory=memory)

        assert await ask(chat, how) == LENA
        assert signals(bank) == JUDGED

    @pytest.mark.parametrize("system_prompt", [None, "Be kind."])
    @pytest.mark.parametrize("insert_method", ["system", "user"])
    async def test_of_an_agent_that_may_leave_the_memories_out(
        self, bank: MemoryBank, system_prompt: str | None, insert_method: Any
    ) -> None:
        """A `ReActAgent` drops the first system message if it has no system prompt of its own."""
        llm = TellingLLM(REACT)
        memory = CogMemMemory.from_defaults(bank, save_mode="none", insert_method=insert_method)
        agent = ReActAgent(tools=[], llm=llm, system_prompt=system_prompt)
        for _ in range(2):
            await agent.run(QUESTION, memory=memory)

        shown = any("Möwe" in prompt for prompt in llm.prompts)
        assert signals(bank) == (sorted(JUDGED * 2) if shown else [])


class TestForms:
    @pytest.mark.parametrize(
        "mode", ["simple_summarize", "compact", "tree_summarize", "refine", "accumulate"]
    )
    def test_every_way_to_make_an_answer(
        self, bank: MemoryBank, feedback: CogMemInstrumentation, mode: Any
    ) -> None:
        """`simple_summarize` writes a list of Python into the prompt, with its escapes."""
        llm = TellingLLM(LENA)
        retriever = CogMemRetriever(bank, score_threshold=0)

        RetrieverQueryEngine.from_args(retriever, llm=llm, response_mode=mode).query(QUESTION)

        assert signals(bank) == JUDGED

    async def test_a_tool_that_answers_in_json(
        self, bank: MemoryBank, feedback: CogMemInstrumentation
    ) -> None:
        """Umlauts and quotes are escaped there."""

        async def look_up(query: str) -> str:
            """Look something up."""
            recall = await bank.arecall(query, floor=0)
            return json.dumps({"memories": [item.text for item in recall.results]})

        llm = TellingLLM([call("look_up", query=QUESTION), BOAT])
        await FunctionAgent(tools=[look_up], llm=llm).run(QUESTION)

        assert signals(bank) == [(LENA, "ignored"), (BOAT, "used")]

    @pytest.mark.parametrize("use_async", [False, True])
    async def test_a_postprocessor_that_shortens(
        self, engine: Engine, feedback: CogMemInstrumentation, use_async: bool
    ) -> None:
        """As those do that keep the sentences that matter."""
        bank = engine.bank("bob")
        letter = f"Dear all, the weather was grey and we stayed in all week long. {LENA} Love!"
        bank.add(letter)

        class Shortening(BaseNodePostprocessor):
            def _postprocess_nodes(
                self, nodes: list[NodeWithScore], query_bundle: Any = None
            ) -> list[NodeWithScore]:
                for item in nodes:
                    item.node.set_content(LENA)  # type: ignore[attr-defined]
                return nodes

        asked = RetrieverQueryEngine.from_args(
            CogMemRetriever(bank), llm=TellingLLM(letter), node_postprocessors=[Shortening()]
        )
        await asked.aquery("the weather?") if use_async else asked.query("the weather?")

        assert signals(bank) == [(letter, "used")]
