"""What both packages of adapters share, so that they cannot differ: tools, options, embedders, turns."""

from datetime import datetime, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from cogmem_core import InvalidInput, MemoryBank, Turn
from cogmem_core.adapters.conversation import with_dates
from cogmem_core.adapters.options import checked_arguments
from cogmem_core.adapters.tools import RecallInput, RememberInput
from cogmem_core.embedders.adapter import BorrowedEmbedder
from cogmem_core.llm.wrappers import cut_off
from helpers.tables import each_case_of, each_row_of
from langchain_cogmem import CogMemRetriever as LangChainRetriever
from langchain_cogmem import LangChainEmbedder, create_memory_tools
from llamaindex_cogmem import CogMemRetriever as LlamaIndexRetriever
from llamaindex_cogmem import CogMemToolSpec, LlamaIndexEmbedder

SAID = (
    Turn("I moved."),
    Turn("Where to?", role="assistant"),
    Turn(" "),
    Turn("a map", role="tool"),
    Turn("To Lisbon."),
)


def test_a_model_sees_the_same_tools_in_both_frameworks(bank: MemoryBank) -> None:
    """Name, description, arguments."""
    chain = [(tool.name, tool.description, tool.args_schema) for tool in create_memory_tools(bank)]
    engine = [
        (tool.metadata.name, tool.metadata.description, tool.metadata.fn_schema)
        for tool in CogMemToolSpec(bank).to_tool_list()
    ]

    assert chain == engine
    assert [schema for _, _, schema in chain] == [RecallInput, RememberInput]


def test_both_embedders_differ_in_two_calls() -> None:
    """All else is `BorrowedEmbedder`."""
    own = {"framework", "vector", "vectors", "__init__"}
    for kind in (LangChainEmbedder, LlamaIndexEmbedder):
        assert BorrowedEmbedder in kind.__mro__
        assert {name for name in vars(kind) if callable(vars(kind)[name]) or name in own} == own


def test_arguments_of_a_recall_come_back_as_the_engine_takes_them(bank: MemoryBank) -> None:
    """What can be read only once is read once."""
    given = {"k": 3, "floor": None, "tags": iter(["live", "live"]), "categories": ["fact"]}

    assert checked_arguments(bank, given) == {
        "k": 3,
        "floor": None,
        "tags": ("live",),
        "categories": ("fact",),
    }


def test_without_an_engine_only_what_no_configuration_allows_is_refused() -> None:
    """`retrieval.max_k` may be set to 100,000 and `limits.label_characters` to 4,096."""
    assert checked_arguments(None, {"k": 100_000, "session_id": "s" * 4_096})["k"] == 100_000
    for given, message in (
        ({"k": 100_001}, "k is 100001"),
        ({"k": 0}, "k is 0"),
        ({"session_id": "s" * 4_097}, "session_id is "),
        ({"session_id": ""}, "session_id is ''"),
    ):
        with pytest.raises(InvalidInput, match=message):
            checked_arguments(None, given)


def test_what_people_and_models_said_is_a_minute_apart() -> None:
    """Order in time for messages without dates; tools, and what has no text, are left out."""
    began = datetime(2025, 3, 1, 9, tzinfo=timezone.utc)

    assert [(turn.content, turn.at, turn.session_id) for turn in with_dates(SAID, began, "s1")] == [
        ("I moved.", datetime(2025, 3, 1, 9, 0, tzinfo=timezone.utc), "s1"),
        ("Where to?", datetime(2025, 3, 1, 9, 1, tzinfo=timezone.utc), "s1"),
        ("To Lisbon.", datetime(2025, 3, 1, 9, 2, tzinfo=timezone.utc), "s1"),
    ]
    assert with_dates(SAID, None, None) == [SAID[0], SAID[1], SAID[4]]


def test_their_order_survives_the_clocks_going_forward() -> None:
    """In the zone in which it began, which tells what "today" meant."""
    began = datetime(2025, 3, 30, 1, 59, tzinfo=ZoneInfo("Europe/Berlin"))

    assert [turn.at.isoformat() for turn in with_dates(SAID, began, None) if turn.at] == [
        "2025-03-30T01:59:00+01:00",
        "2025-03-30T03:00:00+02:00",
        "2025-03-30T03:01:00+02:00",
    ]
    with pytest.raises(InvalidInput, match="began is the naive datetime"):
        with_dates(SAID, datetime(2025, 3, 30), None)  # noqa: DTZ001
    with pytest.raises(InvalidInput, match="the calendar ends before the conversation does"):
        with_dates(SAID, datetime(9999, 12, 31, 23, 59, tzinfo=timezone.utc), None)


@each_case_of("toolbox/filters_are_checked_when_they_are_given")
def test_filters_are_checked_when_they_are_given(
    bank: MemoryBank, given: Any, message: str
) -> None:
    """`k` among them would be passed over, because the retriever has an option for it."""
    with pytest.raises(
        InvalidInput, match=f"^filters{message}" if message[0] == "\\" else f"^filters {message}"
    ):
        LlamaIndexRetriever(bank, filters=given)
    if isinstance(given, dict):
        with pytest.raises(InvalidInput, match=f"^filter{message}"):
            LangChainRetriever(bank, filter=given)


@each_row_of("toolbox/an_answer_was_cut_off_if_there_was_no_more_room")
def test_an_answer_was_cut_off_if_there_was_no_more_room(
    reasons: list[object], expected: bool
) -> None:
    """As OpenAI, Anthropic, Google and Ollama say it."""
    assert cut_off(reasons) is expected
