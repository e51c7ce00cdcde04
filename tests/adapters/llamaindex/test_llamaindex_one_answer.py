"""One judgement per memory and answer, in the namespace and the run of the recall that it was made of."""

import pickle
from copy import deepcopy
from typing import Any

import pytest
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.chat_engine import ContextChatEngine
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import QueryFusionRetriever

from cogmem_core import Engine, MemoryBank
from helpers.llamaindex_models import COFFEE, HIKING, USED, TellingLLM, call, judgements, signals
from helpers.tables import rows_of
from llamaindex_cogmem import CogMemInstrumentation, CogMemMemory, CogMemRetriever, CogMemToolSpec

QUESTION = "hiking or coffee?"
FACTS = rows_of("llamaindex_one_answer/facts")
BOTH = [(COFFEE, "ignored"), (HIKING, "used")]


class TestNodes:
    def test_a_memory_is_the_same_node_in_every_recall(self, bank: MemoryBank) -> None:
        """Its hash depends on what it is, and not on who asked."""
        retriever = CogMemRetriever(bank, score_threshold=0)
        first, second = (
            retriever.retrieve(question)[0] for question in ("Rainier?", "Where is hiking?")
        )
        other = retriever.retrieve("coffee?")[0]

        assert first.node.hash == second.node.hash
        assert first.node.hash != other.node.hash
        assert first.node.metadata["recall_id"] != second.node.metadata["recall_id"]

    def test_copies_keep_it(self, bank: MemoryBank) -> None:
        """Engines copy nodes, and servers pickle them."""
        node = CogMemRetriever(bank).retrieve("hiking?")[0].node

        assert {
            deepcopy(node).hash,
            node.model_copy().hash,
            pickle.loads(pickle.dumps(node)).hash,
        } == {node.hash}
        assert node.class_name() == "TextNode"

    @pytest.mark.parametrize(
        "mode", ["reciprocal_rerank", "relative_score", "dist_based_score", "simple"]
    )
    @pytest.mark.parametrize("use_async", [True, False])
    async def test_fusion_of_four_queries(
        self, engine: Engine, feedback: CogMemInstrumentation, mode: Any, use_async: bool
    ) -> None:
        """Four nodes, not one four times; one answer credits once."""
        bank = engine.bank("bob")
        for fact in FACTS:
            bank.add(fact)
        llm = TellingLLM(
            lambda prompt: (
                "Lena?\nWhere is Lena?\nLena's city?" if "generat" in prompt else FACTS[0]
            )
        )
        fused = QueryFusionRetriever(
            [CogMemRetriever(bank, score_threshold=0)],
            llm=llm,
            similarity_top_k=4,
            num_queries=4,
            mode=mode,
            use_async=use_async,
        )
        nodes = await fused.aretrieve("In which city does Lena live?")
        await RetrieverQueryEngine.from_args(fused, llm=llm).aquery("In which city does Lena live?")

        assert sorted(item.node.node_id for item in nodes) == sorted(
            memory.id for memory in bank.list()
        )
        assert sorted(signal for _, signal in signals(bank)) == ["ignored"] * 3 + ["used"]


class TestOneAnswer:
    @pytest.mark.parametrize("kind", ["chat", "achat", "stream"])
    async def test_memory_and_retriever(
        self, bank: MemoryBank, feedback: CogMemInstrumentation, kind: str
    ) -> None:
        """Each recalls by itself, and both show the same two memories."""
        memory = CogMemMemory.from_defaults(bank, save_mode="none")
        chats = ContextChatEngine.from_defaults(
            CogMemRetriever(bank, similarity_top_k=2), llm=TellingLLM(), memory=memory
        )

        if kind == "chat":
            chats.chat(QUESTION)
        elif kind == "achat":
            await chats.achat(QUESTION)
        else:
            assert "".join(chats.stream_chat(QUESTION).response_gen) == USED

        assert signals(bank) == BOTH

    async def test_memory_and_tool_of_an_agent(
        self, bank: MemoryBank, feedback: CogMemInstrumentation
    ) -> None:
        """What the tool shows stands in the prompt already."""
        tools = CogMemToolSpec(bank).to_tool_list()[:1]
        llm = TellingLLM([call("recall_memory", query=QUESTION), USED])
        memory = CogMemMemory.from_defaults(bank, save_mode="none")

        await FunctionAgent(tools=tools, llm=llm).run(QUESTION, memory=memory)

        assert signals(bank) == BOTH

    async def test_the_next_answer_counts_again(
        self, bank: MemoryBank, feedback: CogMemInstrumentation
    ) -> None:
        """The same question and the same answer, in another run."""
        memory = CogMemMemory.from_defaults(bank, save_mode="none")
        chats = ContextChatEngine.from_defaults(
            CogMemRetriever(bank, similarity_top_k=2), llm=TellingLLM(), memory=memory
        )

        await chats.achat(QUESTION)
        await chats.achat(QUESTION)

        assert signals(bank) == sorted(BOTH * 2)

    def test_the_recall_whose_question_was_asked_is_the_one_that_is_judged(
        self, bank: MemoryBank, feedback: CogMemInstrumentation
    ) -> None:
        """Of the rewritten questions none stands in the prompt."""
        llm = TellingLLM(lambda prompt: "hiking?\ncoffee?" if "generat" in prompt else USED)
        fused = QueryFusionRetriever(
            [CogMemRetriever(bank)], llm=llm, similarity_top_k=2, num_queries=3, use_async=False
        )

        RetrieverQueryEngine.from_args(fused, llm=llm).query(QUESTION)

        assert judgements(bank) == [(COFFEE, "ignored", QUESTION), (HIKING, "used", QUESTION)]
