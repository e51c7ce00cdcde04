"""What a postprocessor and a retriever take beside whose memories: filters, a deadline, a listener."""

import pickle
import threading
from typing import Any

import pytest
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.vector_stores import MetadataFilter, MetadataFilters

from cogmem_core import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from cogmem_core.models import Feedback
from helpers.tables import each_row, each_row_of
from llamaindex_cogmem import CogMemInstrumentation, CogMemPostprocessor, CogMemRetriever

MANUAL = NodeWithScore(node=TextNode(text="How to tune a cello"), score=0.5)


@pytest.fixture
def cellos(engine: Engine) -> MemoryBank:
    bank = engine.bank("cellos")
    bank.add("The old cello is in Oslo", metadata={"city": "Oslo"}, tags=["old"])
    bank.add("The new cello is in Rome", metadata={"city": "Rome"}, category="preference")
    return bank


def texts(nodes: list[NodeWithScore]) -> set[str]:
    return {node.text for node in nodes}


@each_row(
    ("options", "kept"),
    [
        ({}, {"Oslo", "Rome"}),
        ({"filters": {"city": "Oslo"}}, {"Oslo"}),
        ({"filters": {"where": {"city": {"$in": ["Rome"]}}}}, {"Rome"}),
        ({"filters": {"tags": ["old"]}}, {"Oslo"}),
        (
            {"filters": MetadataFilters(filters=[MetadataFilter(key="city", value="Rome")])},
            {"Rome"},
        ),
        ({"categories": ["preference"]}, {"Rome"}),
        ({"categories": ["preference"], "filters": {"city": "Oslo"}}, set()),
        ({"filters": {"city": "Oslo"}, "deadline": 30.0}, {"Oslo"}),
    ],
)
def test_memories_that_the_filters_do_not_admit_are_left_out(
    cellos: MemoryBank, options: dict[str, Any], kept: set[str]
) -> None:
    """What is no memory stays, and a pickled one does the same."""
    nodes = CogMemRetriever(cellos, score_threshold=0).retrieve("Where is the cello?")
    made = CogMemPostprocessor(cellos, **options)
    for postprocessor in (made, pickle.loads(pickle.dumps(made))):
        left = texts(postprocessor.postprocess_nodes([MANUAL, *nodes]))
        assert left == {
            "How to tune a cello",
            *(node.text for node in nodes if node.text.rpartition(" ")[2] in kept),
        }


def test_a_memory_of_another_namespace_passes_no_filter(cellos: MemoryBank) -> None:
    """Its metadata on the node may say what it likes."""
    other = cellos.engine.bank("others")
    other.add("The cello of others is in Oslo", metadata={"city": "Oslo"})
    nodes = CogMemRetriever(other, score_threshold=0).retrieve("Where is the cello?")
    assert CogMemPostprocessor(cellos, filters={"city": "Oslo"}).postprocess_nodes(nodes) == []


@each_row_of("llamaindex_postprocessor/what_is_no_filter_is_refused")
def test_what_is_no_filter_is_refused(
    cellos: MemoryBank, options: dict[str, Any], message: str
) -> None:
    """At once, and by name."""
    with pytest.raises(InvalidInput, match=message):
        CogMemPostprocessor(cellos, **options)


class Waiting(dict[str, Any]):
    """Metadata that nobody can read before the test is over."""

    def __init__(self, values: dict[str, Any]) -> None:
        super().__init__(values)
        self.readable = threading.Event()

    def get(self, key: str, default: Any = None) -> Any:
        self.readable.wait()
        return super().get(key, default)


def test_without_time_the_order_stays(cellos: MemoryBank) -> None:
    """The nodes come back as they came."""
    nodes = [*CogMemRetriever(cellos, score_threshold=0).retrieve("Where is the cello?"), MANUAL]
    waiting = Waiting(nodes[0].node.metadata)
    nodes[0].node.__dict__["metadata"] = waiting
    try:
        assert CogMemPostprocessor(cellos, deadline=0.01).postprocess_nodes(nodes) == nodes
    finally:
        waiting.readable.set()


def test_filters_hold_where_nothing_can_be_read(
    cellos: MemoryBank, caplog: pytest.LogCaptureFixture
) -> None:
    """The memories are left out; documents stay."""
    nodes = CogMemRetriever(cellos, score_threshold=0).retrieve("Where is the cello?")
    plain = CogMemPostprocessor(cellos)
    filtered = CogMemPostprocessor(cellos, filters={"city": "Oslo"})
    cellos.engine.close()
    assert texts(plain.postprocess_nodes([*nodes, MANUAL])) == {MANUAL.text, *texts(nodes)}
    assert texts(filtered.postprocess_nodes([*nodes, MANUAL])) == {MANUAL.text}
    assert "re-ranking failed" in caplog.text


def test_listeners_hear_only_of_their_own_nodes(
    engine: Engine, cellos: MemoryBank, feedback: CogMemInstrumentation
) -> None:
    """Retriever and postprocessor of the query that was answered; not those of another one."""
    heard: dict[str, list[Feedback]] = {"retriever": [], "postprocessor": [], "other": []}
    retriever = CogMemRetriever(cellos, score_threshold=0, on_feedback=heard["retriever"].extend)
    postprocessor = CogMemPostprocessor(
        cellos, filters={"city": "Oslo"}, on_feedback=heard["postprocessor"].extend
    )
    CogMemRetriever(cellos, on_feedback=heard["other"].extend).retrieve("Where is the cello?")
    asked = RetrieverQueryEngine.from_args(
        retriever, llm=MockLLM(), node_postprocessors=[postprocessor]
    )
    asked.query("Where is the cello?")
    feedback.flush()
    oslo = next(memory for memory in cellos.list() if "Oslo" in memory.content)
    for name in ("retriever", "postprocessor"):
        assert [(row.memory_id, row.signal) for row in heard[name]] == [(oslo.id, "used")]
    assert heard["other"] == []
