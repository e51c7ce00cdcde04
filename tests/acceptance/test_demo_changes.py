"""In the conversation of the demo a home and a job change; what holds stands in front, what held before behind it.

Nobody announces a change in it: "Second day done, I work at Marea now". No language model.
"""

import json
from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import MemoryBank, Turn
from helpers.tables import each_row_of

TALK = Path(__file__).parents[2] / "cookbook" / "data" / "elif.jsonl"


@pytest.fixture(scope="module")
def bank() -> Iterator[MemoryBank]:
    rows = [json.loads(line) for line in TALK.read_text(encoding="utf-8").splitlines()]
    turns = [Turn(**{**row, "at": datetime.fromisoformat(row["at"])}) for row in rows]
    with cogmem_core.open(embedder="minilm") as engine:
        bank = engine.bank("elif")
        for _, session in groupby(turns, key=lambda turn: turn.session_id):
            bank.remember(list(session))
        yield bank


def refs(memory: cogmem_core.Memory) -> set[str | None]:
    return {source.ref for source in memory.sources}


@each_row_of("demo_changes/each_change_supersedes_or_leads_a_chain")
def test_each_change_supersedes_or_leads_a_chain(
    bank: MemoryBank, first_told: str, told_last: str
) -> None:
    memories = bank.list(state="any", limit=1_000).memories
    (old,) = [memory for memory in memories if first_told in refs(memory)]
    (new,) = [memory for memory in memories if told_last in refs(memory)]
    chain = [memory.id for memory in bank.versions(old.id)]
    assert old.superseded_by == new.id or chain[:1] == [new.id]


@each_row_of("demo_changes/what_holds_now_is_recalled_first")
def test_what_holds_now_is_recalled_first(bank: MemoryBank, question: str, answer: str) -> None:
    assert answer in refs(bank.recall(question).results[0].memory)


def test_what_is_told_in_passing_never_retires_anything(bank: MemoryBank) -> None:
    """Each of the former statements tells something besides, and stays behind the newer one."""
    assert bank.list(state="superseded", limit=1_000).memories == ()
