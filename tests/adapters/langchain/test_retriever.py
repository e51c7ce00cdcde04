"""`CogMemRetriever`: LangChain's own suite, and what goes beyond it (scenarios 3 and 12)."""

from collections.abc import Iterator
from datetime import datetime, timezone

import pytest
from langchain_core.documents import Document
from langchain_core.tools import create_retriever_tool
from langchain_tests.integration_tests import RetrieversIntegrationTests

import cogmem_core
from cogmem_core import Engine, MemoryBank
from cogmem_core.testing import MANUAL
from helpers.tables import rows_of
from langchain_cogmem import CogMemRetriever

SONGS = rows_of("retriever/songs")


class TestStandardSuite(RetrieversIntegrationTests):
    """Scenario 12: LangChain's tests of retrievers pass without overrides."""

    @pytest.fixture(autouse=True)
    def _jazz(self) -> Iterator[None]:
        with cogmem_core.open(embedder="hashing", config=MANUAL) as engine:
            self.bank = engine.bank("ann")
            for song in SONGS:
                self.bank.add(song)
            yield

    @property
    def retriever_constructor(self) -> type[CogMemRetriever]:
        return CogMemRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, object]:
        return {
            "bank": self.bank,
            "score_threshold": 0,
        }  # the suite wants k documents, whatever they are

    @property
    def retriever_query_example(self) -> str:
        return "jazz"


def test_a_document_tells_where_it_comes_from(engine: Engine) -> None:
    """Id, confidence, date, speaker, and the caller's own ids."""
    bank = engine.bank("ann")
    said = datetime(2026, 3, 1, 9, tzinfo=timezone.utc)
    bank.remember("I play jazz on Fridays", speaker="Ann", at=said, ref="turn-7", mode="raw")

    [document] = CogMemRetriever(bank=bank).invoke("jazz?")

    [memory] = bank.list()
    assert isinstance(document, Document)
    assert (document.id, document.page_content) == (memory.id, "I play jazz on Fridays")
    assert document.metadata["cogmem_id"] == memory.id
    assert document.metadata["said"] == "2026-03-01T09:00:00+00:00"
    assert (document.metadata["speaker"], document.metadata["refs"]) == ("Ann", ["turn-7"])
    assert 0.0 <= document.metadata["score"] <= 1.0
    assert engine.recall_registry.find(document.metadata["recall_id"]) is not None


@pytest.mark.parametrize("asynchronous", [False, True])
async def test_the_arguments_of_recall_reach_it(engine: Engine, asynchronous: bool) -> None:
    """`k` and `filter` of the retriever, overridden per call."""
    bank = engine.bank("ann")
    for song in SONGS:
        bank.add(
            song,
            category="plan" if "jazz" in song else "fact",
            tags=["live"] if "Lisbon" in song else [],
        )
    retriever = CogMemRetriever(bank=bank, k=2, filter={"categories": ["plan"]})

    async def found(**more: object) -> list[str]:
        documents = (
            await retriever.ainvoke("jazz?", **more)
            if asynchronous
            else retriever.invoke("jazz?", **more)
        )
        return [document.page_content for document in documents]

    assert len(await found()) == 2
    assert len(await found(k=9)) == 3
    assert await found(tags=["live"]) == ["Ann heard jazz in Lisbon"]


def test_a_threshold_keeps_strangers_out(bank: MemoryBank) -> None:
    """`score_threshold`: confidence, 0..1."""
    assert (
        CogMemRetriever(bank=bank, k=2, score_threshold=0.99).invoke(
            "quantum chromodynamics lattice"
        )
        == []
    )


def test_as_a_tool(bank: MemoryBank) -> None:
    """A retriever is a runnable, so LangChain makes a tool of it."""
    tool = create_retriever_tool(
        CogMemRetriever(bank=bank, k=1), "memories", "What Ann said before"
    )

    assert "hiking" in str(tool.invoke("hiking?"))


def test_no_dump_tells_whose_memories_they_are(bank: MemoryBank) -> None:
    """It goes into traces."""
    assert "'ann'" not in str(CogMemRetriever(bank=bank).model_dump())
