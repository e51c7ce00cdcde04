"""In the conversation of the demo six facts change; what holds stands in front, what held before behind it.

Nobody announces a change in it: "Second day at Marea done", "Black now, actually!", and once in
another language. No language model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import MemoryBank, Turn
from helpers.tables import each_row

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


@each_row(
    ("first_told", "told_last"),
    [
        ("s01t05", "s17t05"),  # home: Rua do Almada, Rua do Heroísmo
        ("s01t03", "s17t01"),  # work: Lusotel, Marea
        ("s04t09", "s20t09"),  # coffee: oat milk, regular milk, black
        ("s05t09", "s13t07"),  # shoes: 40, 39.5
        ("s05t13", "s17t11"),  # course: Tuesdays at 19:00, Thursdays at 18:30, in Turkish
        ("s06t01", "s19t05"),  # dose: twice 2.5 mg, 2.5 mg and 1.25 mg
        ("s01t11", "s19t05"),  # ... and once 2.5 mg, before
    ],
)
def test_each_change_supersedes_or_leads_a_chain(
    bank: MemoryBank, first_told: str, told_last: str
) -> None:
    memories = bank.list(state="any", limit=1_000).memories
    (old,) = [memory for memory in memories if first_told in refs(memory)]
    (new,) = [memory for memory in memories if told_last in refs(memory)]
    chain = [memory.id for memory in bank.versions(old.id)]
    assert old.superseded_by == new.id or chain[:1] == [new.id]


@each_row(
    ("question", "answer"),
    [
        ("Where does Elif live?", "s17t05"),
        ("On which street do I live now?", "s17t05"),
        ("Where does Elif work?", "s17t01"),
        ("Which company do I work for?", "s17t01"),
        ("How does Elif drink her coffee?", "s20t09"),
        ("How do I take my coffee these days?", "s20t09"),
        ("What size are Elif's running shoes?", "s13t07"),
        ("What is my shoe size?", "s13t07"),
        ("When is the Portuguese class?", "s17t11"),
        ("Portekizce kursu hangi gün, saat kaçta?", "s17t11"),
        ("Which dose of medicine does Pamuk get?", "s19t05"),
        ("What is Pamuk's dose now?", "s19t05"),
    ],
)
def test_what_holds_now_is_recalled_first(bank: MemoryBank, question: str, answer: str) -> None:
    assert answer in refs(bank.recall(question).results[0].memory)


def test_what_is_told_in_passing_never_retires_anything(bank: MemoryBank) -> None:
    """Each of the former statements tells something besides, and stays behind the newer one."""
    assert bank.list(state="superseded", limit=1_000).memories == ()
