"""What people type first: messages, tags, ends, and what they get back."""

import pickle
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from cogmem_core import Config, Engine, InvalidInput, MemoryBank, Turn
from cogmem_core.testing import FrozenClock
from helpers.tables import each_row, each_row_of, rows_of

ENGINE = {"embedder": "hashing", "config": Config()}


class TestMessages:
    def test_a_chat_history_is_remembered_as_it_is(self, bank: MemoryBank) -> None:
        """Roles, names and ids are the client's; where nothing is said there is a receipt, too."""
        history = [
            {"role": "developer", "content": "You are a travel agent."},
            {"role": "user", "content": "I live in Lisbon with Rex", "name": "Ann", "id": "m1"},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]},
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]},
            {"role": "user", "content": [{"type": "text", "text": "My sister lives in Porto"}]},
        ]
        report = bank.remember(history, session_id="s1", speaker="Ann")
        assert [receipt.status for receipt in report.receipts] == [
            "skipped",
            "stored",
            "skipped",
            "skipped",
            "stored",
        ]
        assert [receipt.reason for receipt in report.receipts[2:4]] == ["nothing is said in it"] * 2
        first, second = report.memories
        assert (first.content, first.speaker, first.refs) == (
            "I live in Lisbon with Rex",
            "Ann",
            ("m1",),
        )
        assert (second.content, second.session_id) == ("My sister lives in Porto", "s1")
        assert bank.remember(history, session_id="s1").receipts[1].status == "known"

    def test_nobody_else_says_what_the_model_says(self, bank: MemoryBank) -> None:
        """A speaker given for the batch is the person who speaks in it, not the assistant or a tool."""
        messages = [
            {"role": "user", "content": "I moved to Lisbon in May"},
            {"role": "assistant", "content": "The tram 28 passes the cathedral of Lisbon"},
            {"role": "tool", "name": "maps", "content": "The castle opens at nine o'clock"},
        ]
        report = bank.remember(messages, speaker="Ann", mode="raw")
        assert [memory.speaker for memory in report.memories] == ["Ann", None, None]

    @each_row_of("everyday/what_is_no_message_is_refused_as_a_whole")
    def test_what_is_no_message_is_refused_as_a_whole(
        self, bank: MemoryBank, message: Any, complaint: str
    ) -> None:
        with pytest.raises(InvalidInput) as caught:
            bank.remember([message, "I live in Lisbon"])
        assert complaint in str(caught.value)
        assert bank.count() == 0

    def test_every_door_that_takes_a_turn_takes_a_message(
        self, bank: MemoryBank, clock: FrozenClock
    ) -> None:
        message = {"role": "user", "content": "I like green tea", "at": "2026-01-01T10:00:00Z"}
        assert bank.observe(message).notes[0].content == "I like green tea"
        (turn,) = bank.append_messages([message], session_id="s1")
        assert turn.at == datetime(2026, 1, 1, 10, tzinfo=timezone.utc)
        intended = bank.intend("offer a biscuit", when="I like green tea")
        assert [due.id for due in bank.due(message)] == [intended.id]
        with bank.session("s2") as session:
            told = session.remember({"role": "user", "content": "My dog is called Rex"})
        assert told.memories[0].session_id == "s2"


class TestTagsAndEnds:
    def test_tags_are_asked_for_again(self, bank: MemoryBank, engine: Engine) -> None:
        """Also where the turn waits, and where what is said is known already."""
        stored = bank.remember("I live in Lisbon", tags=["home"], metadata={"app": "web"})
        assert (stored.memories[0].tags, stored.memories[0].metadata) == (("home",), {"app": "web"})
        bank.remember([Turn("My sister is a nurse", tags=("family",))], wait=False)
        engine.flush()
        assert [found.content for found in bank.recall("nurse", tags=["family"], floor=0)] == [
            "My sister is a nurse"
        ]
        bank.remember("I live in Lisbon", tags=["address"])
        assert bank.list(tags=["address"])[0].tags == ("home", "address")

    def test_what_has_an_end_leaves_recall(self, bank: MemoryBank, clock: FrozenClock) -> None:
        end = clock() + timedelta(days=2)
        first = bank.remember("The guest code is 4711 blue", expires_in=timedelta(days=2))
        second = bank.remember("The garage is painted green", valid_until=end)
        third = bank.remember("The cellar is dry", expires_in=2 * 86_400)
        assert [report.memories[0].valid_until for report in (first, second, third)] == [end] * 3
        assert len(bank.recall("garage guest cellar", floor=0)) == 3
        clock.advance(days=3)
        assert len(bank.recall("garage guest cellar", floor=0)) == 0
        assert len(bank.recall("garage guest cellar", floor=0, deep=True)) == 3

    @each_row(
        "arguments",
        [
            *rows_of("everyday/unusable_ones_store_nothing"),
            {"expires_in": float("nan")},
            {"valid_until": datetime(2030, 1, 1)},  # noqa: DTZ001
            {"valid_until": datetime(2030, 1, 1, tzinfo=timezone.utc), "expires_in": 5},
        ],
    )
    def test_unusable_ones_store_nothing(self, bank: MemoryBank, arguments: Any) -> None:
        with pytest.raises(InvalidInput) as caught:
            bank.remember("I live in Lisbon", **arguments)
        assert next(iter(arguments)) in str(caught.value)
        assert bank.count() == 0


class TestAnswers:
    def test_a_recall_is_a_sequence_of_its_results(self, bank: MemoryBank) -> None:
        bank.remember(["I live in Lisbon", "My sister lives in Porto"])
        recall = bank.recall("who lives where?", floor=0)
        assert isinstance(recall, Sequence)
        assert (len(recall), list(recall), recall[0], recall[:1]) == (
            2,
            list(recall.results),
            recall.results[0],
            recall.results[:1],
        )
        assert pickle.loads(pickle.dumps(recall)) == recall
        assert not bank.recall("who lives where?", tags=["none"])

    def test_a_notebook_shows_them_on_one_short_line(self, bank: MemoryBank) -> None:
        report = bank.remember([f"My {n}. neighbour is called Ann {n} " * 20 for n in range(9)])
        shown = [report, report.memories[0], bank.list(), bank.recall("neighbour", floor=0)]
        shown.append(bank.history(report.memories[0].id))
        for value in shown:
            assert len(repr(value)) < 1_000
            assert "\n" not in repr(value)
        assert repr(report.memories[0]).startswith(f"Memory(id='{report.memories[0].id}', content=")
