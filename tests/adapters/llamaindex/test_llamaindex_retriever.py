"""`CogMemRetriever` and `CogMemPostprocessor`: INTERFACES 2.3, scenarios 3, 11."""

import asyncio
import logging
import threading
from typing import Any

import pytest
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle, TextNode

import cogmem_core
from cogmem_core import BankClosed, Engine, InvalidInput, MemoryBank
from cogmem_core.testing import MANUAL, CountingEmbedder
from helpers.llamaindex_models import COFFEE, HIKING, USED, TellingLLM
from llamaindex_cogmem import CogMemPostprocessor, CogMemRetriever


@pytest.fixture
def bank(engine: Engine) -> MemoryBank:
    bank = engine.bank("ann")
    bank.remember(HIKING, ref="turn-1", speaker="Ann")
    bank.remember(COFFEE)
    return bank


def texts(nodes: list[NodeWithScore]) -> list[str]:
    return [item.text for item in nodes]


def test_a_memory_is_a_node(bank: MemoryBank) -> None:
    """INTERFACES 2.3: id, text, metadata that neither models nor embedders see."""
    node = CogMemRetriever(bank, similarity_top_k=1).retrieve("hiking on Mount Rainier?")[0]
    memory = bank.get(node.node.node_id)

    assert (node.text, memory.content) == (HIKING, HIKING)
    assert set(node.metadata) == {"cogmem_id", "recall_id", "category", "said", "speaker", "refs"}
    assert node.metadata["cogmem_id"] == memory.id
    assert (node.metadata["refs"], node.metadata["speaker"]) == (["turn-1"], "Ann")
    assert 0.0 < (node.score or 0.0) <= 1.0
    for mode in (MetadataMode.LLM, MetadataMode.EMBED):
        assert node.node.get_content(metadata_mode=mode) == HIKING


async def test_so_many_nodes_best_first(bank: MemoryBank) -> None:
    """`similarity_top_k`; with a threshold of 0 nothing shrinks what is asked for (INTERFACES 1.6)."""
    question = "Which coffee from Guatemala?"
    for count in (2, 1):
        retriever = CogMemRetriever(bank, similarity_top_k=count, score_threshold=0)
        found = [retriever.retrieve(question), await retriever.aretrieve(QueryBundle(question))]
        assert [texts(nodes) for nodes in found] == [[COFFEE, HIKING][:count]] * 2
        scores = [item.score or 0.0 for item in found[0]]
        assert scores == sorted(scores, reverse=True)


async def test_of_what_nobody_said_there_are_no_nodes(town: MemoryBank) -> None:
    """As `bank.recall` has it: what is configured holds; with a threshold of 0 the best come, whatever they are."""
    question = QueryBundle("What is the boiling point of mercury?")
    for retriever, count in (
        (CogMemRetriever(town), 0),
        (CogMemRetriever(town, score_threshold=0), 4),
    ):
        assert [len(retriever.retrieve(question)), len(await retriever.aretrieve(question))] == [
            count,
            count,
        ]
    assert town.recall(question.query_str, k=4).results == ()


async def test_the_event_loop_never_waits_for_a_recall(engine: Engine) -> None:
    """INTERFACES 2.3: the base class would recall on the loop."""
    threads: list[int] = []

    class Watching(CountingEmbedder):
        def embed_query(self, text: str) -> Any:
            threads.append(threading.get_ident())
            return super().embed_query(text)

    with cogmem_core.open(embedder=Watching(), config=MANUAL) as watched:
        watched.bank("ann").add(HIKING)
        retriever = CogMemRetriever(watched.bank("ann"))
        await asyncio.gather(*(retriever.aretrieve(f"hiking {number}?") for number in range(5)))

    assert len(threads) == 5
    assert threading.get_ident() not in threads


@pytest.mark.parametrize("use_async", [True, False])
async def test_scenario_11_a_recall_that_fails(
    bank: MemoryBank, caplog: pytest.LogCaptureFixture, use_async: bool
) -> None:
    """Scenario 11: the query is answered without memories, one warning; with `raise_errors=True` it raises."""
    for raises in (False, True):
        engine = RetrieverQueryEngine.from_args(
            CogMemRetriever(bank, raise_errors=raises), llm=TellingLLM()
        )
        bank.engine.close()
        with caplog.at_level(logging.WARNING, logger="cogmem_core"):
            if raises:
                with pytest.raises(BankClosed, match="the engine is closed"):
                    await engine.aquery("hiking?") if use_async else engine.query("hiking?")
            else:
                assert (
                    str(await engine.aquery("hiking?") if use_async else engine.query("hiking?"))
                    != USED
                )
    assert len(caplog.records) == 1


def document(text: str, score: float | None) -> NodeWithScore:
    return NodeWithScore(node=TextNode(text=text), score=score)


@pytest.mark.parametrize("use_async", [True, False])
async def test_a_memory_that_proved_useful_rises(bank: MemoryBank, use_async: bool) -> None:
    """`CogMemPostprocessor`: memories by strength and utility, documents by relevance alone."""
    for _ in range(4):
        bank.feedback(bank.recall("hiking on Mount Rainier?", k=1), USED)
        bank.feedback(bank.recall("coffee from Guatemala?", k=1), "No idea")
    memories = {item.text: item for item in CogMemRetriever(bank).retrieve("hiking or coffee?")}
    given = [memories[COFFEE], document("A document", 0.5), memories[HIKING]]
    for item in given:
        item.score = 0.5
    rerank = CogMemPostprocessor(bank)
    nodes = (
        await rerank.apostprocess_nodes(given)
        if use_async
        else rerank.postprocess_nodes(given, query_str="x")
    )

    assert texts(nodes) == [HIKING, "A document", COFFEE]
    assert [item.score for item in given] == [0.5, 0.5, 0.5]
    assert texts(CogMemPostprocessor(bank, top_n=1).postprocess_nodes(given)) == [HIKING]
    assert texts(
        CogMemPostprocessor(bank, utility=0, strength=0).postprocess_nodes(given)
    ) == texts(given)


def test_a_query_engine_takes_it(bank: MemoryBank) -> None:
    """As one of its node postprocessors."""
    llm = TellingLLM()
    engine = RetrieverQueryEngine.from_args(
        CogMemRetriever(bank), llm=llm, node_postprocessors=[CogMemPostprocessor(bank, top_n=1)]
    )
    engine.query("Which coffee from Guatemala?")

    assert COFFEE in llm.prompts[0]
    assert HIKING not in llm.prompts[0]


def test_an_order_that_cannot_be_worked_out_stays(
    bank: MemoryBank, caplog: pytest.LogCaptureFixture
) -> None:
    """Scenario 11: one warning; with `raise_errors=True` it raises."""
    given = [document("one", float("nan")), document("two", 1.0)]
    with caplog.at_level(logging.WARNING, logger="cogmem_core"):
        assert texts(CogMemPostprocessor(bank, top_n=1).postprocess_nodes(given)) == ["one"]
    assert len(caplog.records) == 1
    with pytest.raises(InvalidInput, match="a relevance is nan"):
        CogMemPostprocessor(bank, raise_errors=True).postprocess_nodes(given)
    with pytest.raises(InvalidInput, match="bank is missing"):
        CogMemPostprocessor()
