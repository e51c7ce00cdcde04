"""What is given to the classes of `llamaindex_cogmem`: checked at once, and whose memories a run means."""

import json
import logging
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.schema import NodeWithScore, TextNode

import cogmem_core
from cogmem_core import Config, InvalidInput, MemoryBank
from cogmem_core.config import ConsolidationConfig, RetrievalConfig
from helpers.llamaindex_models import COFFEE, HIKING
from helpers.tables import each_row
from llamaindex_cogmem import (
    CogMemCallbackHandler,
    CogMemInstrumentation,
    CogMemMemory,
    CogMemMemoryBlock,
    CogMemPostprocessor,
    CogMemRetriever,
    CogMemToolSpec,
    CogMemVectorStore,
)

memory = CogMemMemory.from_defaults


@each_row(
    ("make", "misspelt"),
    [
        (memory, "sesion_id"),
        (CogMemMemoryBlock, "kk"),
        (CogMemPostprocessor, "topn"),
        (CogMemRetriever, "top_k"),
        (CogMemVectorStore, "colection"),
        (CogMemInstrumentation, "speed"),
        (CogMemCallbackHandler, "speed"),
    ],
)
def test_a_misspelt_option_is_refused(
    bank: MemoryBank, make: Callable[..., Any], misspelt: str
) -> None:
    """It would be ignored otherwise, and the default hold."""
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{misspelt}'"):
        make(bank, **{misspelt: 3})


@each_row(
    ("make", "options", "message"),
    [
        (
            CogMemRetriever,
            {"similarity_top_k": -1},
            "similarity_top_k is -1; give an integer from 1 to 1,000",
        ),
        (
            CogMemRetriever,
            {"score_threshold": 70},
            "score_threshold is 70; give a number from 0 to 1",
        ),
        (
            CogMemRetriever,
            {"filters": {"category": "fact"}},
            r"filters\['category'\] is unknown; .* categories, tags,",
        ),
        (
            CogMemRetriever,
            {"filters": {"tags": "live"}},
            r"filters\['tags'\] is 'live'.* give a list",
        ),
        (memory, {"filters": {"since": "2026"}}, r"filters\['since'\] is '2026'.* give a timezone"),
        (memory, {"k": -1}, "k is -1"),
        (memory, {"max_tokens": 0}, "max_tokens is 0"),
        (memory, {"session_id": ""}, "session_id is ''"),
        (CogMemMemoryBlock, {"k": 0}, "k is 0"),
        (CogMemMemoryBlock, {"max_tokens": -5}, "max_tokens is -5"),
        (CogMemPostprocessor, {"top_n": -1}, "top_n\n.*greater than or equal to 1"),
        (CogMemPostprocessor, {"utility": -0.1}, "utility\n.*greater than or equal to 0"),
        (CogMemPostprocessor, {"strength": float("nan")}, "strength\n"),
        (CogMemToolSpec, {"k": 1_001}, "k is 1001; give an integer from 1 to 1,000"),
        (CogMemToolSpec, {"session_id": ""}, "session_id is ''"),
    ],
)
def test_what_no_recall_could_use_is_refused_at_once(
    bank: MemoryBank, make: Callable[..., Any], options: dict[str, Any], message: str
) -> None:
    """Not at every call, where it would be logged, and the chat go on without memory."""
    with pytest.raises(ValueError, match=message):
        make(bank, **options)
    with pytest.raises(ValueError, match=message):
        make(engine=bank.engine, namespace="ann", **options)


@each_row("make", [CogMemRetriever, memory, CogMemMemoryBlock, CogMemToolSpec])
def test_the_limits_are_those_of_the_engine(make: Callable[..., Any]) -> None:
    """`retrieval.max_k` of its configuration."""
    config = Config(
        retrieval=RetrievalConfig(max_k=5), consolidation=ConsolidationConfig(trigger="manual")
    )
    name = "similarity_top_k" if make is CogMemRetriever else "k"
    with cogmem_core.open(embedder="hashing", config=config) as engine:
        make(engine.bank("ann"), **{name: 5})
        with pytest.raises(InvalidInput, match=f"{name} is 6; give an integer from 1 to 5"):
            make(engine.bank("ann"), **{name: 6})


def test_what_was_written_down_is_read_again_and_checked(tmp_path: Path) -> None:
    """No bank is known yet: what its configuration allows comes back, what none would allow does not."""
    config = Config(
        retrieval=RetrievalConfig(max_k=5_000), consolidation=ConsolidationConfig(trigger="manual")
    )
    with cogmem_core.open(tmp_path / "brain", embedder="hashing", config=config) as engine:
        made = memory(engine.bank("ann"), k=2_000, session_id="monday")
        data = json.loads(made.to_json())

        for again in (
            CogMemMemory.from_dict(data),
            CogMemMemory.model_validate(data),
            pickle.loads(pickle.dumps(made)),
        ):
            assert (again.k, again.session_id, again.bank) == (2_000, "monday", None)
    for changed, message in (
        ({"k": 0}, "k is 0"),
        ({"session_id": ""}, "session_id is ''"),
        ({"kk": 1}, "kk"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            CogMemMemory.from_dict({**data, **changed})


def test_a_postprocessor_is_written_down_and_read_again(bank: MemoryBank) -> None:
    """Its settings; the bank is given anew."""
    made = CogMemPostprocessor(bank, top_n=1, utility=0.5)
    for again in (
        CogMemPostprocessor.from_dict(made.to_dict(), bank=bank),
        CogMemPostprocessor(bank, **made.model_dump()),
    ):
        assert (again.top_n, again.utility, again.strength) == (1, 0.5, None)


def test_the_bank_comes_first_or_by_its_name(bank: MemoryBank) -> None:
    """The same everywhere."""
    for make in (CogMemRetriever, memory, CogMemMemoryBlock, CogMemPostprocessor, CogMemToolSpec):
        make(bank)
        make(bank=bank)
    buffer = ChatMemoryBuffer.from_defaults(token_limit=500)
    assert (
        CogMemMemory(bank, primary_memory=buffer).bank
        is CogMemMemory(bank=bank, primary_memory=buffer).bank
    )


# --- whose memories a run means ---


def of_nobody(*_: Any) -> str:
    raise LookupError("no such tenant")


def test_a_postprocessor_says_how_to_tell_whose_memories_are_meant(bank: MemoryBank) -> None:
    """As the retriever."""
    nodes = [NodeWithScore(node=TextNode(text="A document"), score=0.5)]
    with pytest.raises(InvalidInput, match=r"instrument_tags\({'user_id': 'ann'}\)"):
        CogMemPostprocessor(
            engine=bank.engine, namespace=lambda tags: tags["user_id"]
        ).postprocess_nodes(nodes)
    with pytest.raises(LookupError, match="no such tenant"):
        CogMemPostprocessor(engine=bank.engine, namespace=of_nobody).postprocess_nodes(nodes)


def test_a_closed_engine_is_no_mistake_of_the_function(
    bank: MemoryBank, caplog: pytest.LogCaptureFixture
) -> None:
    """Scenario 11 with a namespace that depends on the run: one warning each, and the query engine goes on."""
    whose = {"engine": bank.engine, "namespace": lambda tags: "ann"}
    retriever, postprocessor = CogMemRetriever(**whose), CogMemPostprocessor(**whose)
    nodes = [NodeWithScore(node=TextNode(text=text), score=0.5) for text in (COFFEE, HIKING)]
    bank.engine.close()
    with caplog.at_level(logging.WARNING, logger="cogmem_core"):
        assert retriever.retrieve("hiking?") == []
        assert [node.text for node in postprocessor.postprocess_nodes(nodes)] == [COFFEE, HIKING]

    said = [record.getMessage().partition(",")[0] for record in caplog.records]
    assert said == ["a recall failed", "re-ranking failed"]
