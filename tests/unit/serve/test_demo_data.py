"""The conversation that ships with the demo, and the ten questions about it."""

import importlib.util
import io
import json
from collections import Counter
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from rich.console import Console

import cogmem_core
from cogmem_core.testing import MANUAL, FrozenClock
from cogmem_serve.demo import CONVERSATION

COOKBOOK = Path(__file__).parents[3] / "cookbook"


@pytest.fixture(scope="module")
def demo():
    """The demo script as a module."""
    spec = importlib.util.spec_from_file_location("cogmem_demo", COOKBOOK / "demo.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def rows():
    """The lines of the conversation."""
    text = CONVERSATION.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_size(rows):
    """261 turns in 21 sessions, 140 of them by the user."""
    assert len(rows) == 261
    assert len({row["session_id"] for row in rows}) == 21
    assert Counter(row["role"] for row in rows) == {"user": 140, "assistant": 121}


def test_fields(rows):
    """Each line has the six fields of a turn, none of them empty."""
    fields = {"session_id", "at", "role", "speaker", "content", "ref"}
    assert all(set(row) == fields and all(row.values()) for row in rows)


def test_order_and_span(rows):
    """Turns are dated with an offset, in order, over more than four months of 2026."""
    times = [datetime.fromisoformat(row["at"]) for row in rows]
    assert all(time.tzinfo is not None for time in times)
    assert all(later > earlier for earlier, later in pairwise(times))
    assert times[0].isoformat() == "2026-02-03T21:14:24+00:00"
    assert timedelta(days=120) < times[-1] - times[0] < timedelta(days=135)


def test_sessions_are_contiguous(rows):
    """A session is named after its day, and its turns stand together."""
    changes = sum(first["session_id"] != second["session_id"] for first, second in pairwise(rows))
    assert changes == 20
    assert all(row["at"].startswith(row["session_id"]) for row in rows)


def test_refs_are_unique(rows):
    """A ref names one turn."""
    assert len({row["ref"] for row in rows}) == 261


def test_exact_duplicates(rows):
    """Three things are said twice in the same words."""
    repeated = {
        content: count
        for content, count in Counter(row["content"] for row in rows).items()
        if count > 1
    }
    assert repeated == {
        "I'm allergic to penicillin.": 2,
        "Pamuk's vet is Dra. Sofia Lopes at the clinic in Carvalhido.": 2,
        "ok thanks": 2,
    }


def test_two_languages(rows):
    """Turkish is heard in at least fifteen turns, in both roles."""
    turkish = [
        row for row in rows if set(row["content"]) & set("ığşİ") and "İzmir" not in row["content"]
    ]
    assert len(turkish) >= 15
    assert {row["role"] for row in turkish} == {"user", "assistant"}


def test_questions_point_to_turns_that_exist(demo, rows):
    """Ten questions, each with refs of turns in the conversation."""
    refs = {row["ref"] for row in rows}
    assert len(demo.QUESTIONS) == 10
    assert all(expected and set(expected) <= refs for expected in demo.QUESTIONS.values())


def test_load_gives_turns(demo):
    """The demo reads the conversation into turns that can be remembered."""
    first = demo.conversation()[0]
    assert first == cogmem_core.Turn(
        "Hi, is this thing on? I'm Elif.",
        role="user",
        speaker="Elif",
        at=datetime.fromisoformat("2026-02-03T21:14:24+00:00"),
        session_id="2026-02-03",
        ref="s01t01",
    )


def test_questions_are_answered(demo):
    """At least eight of the ten questions have an expected turn among the first five memories, without any model."""
    with cogmem_core.open(embedder="hashing") as engine:
        bank = engine.bank("elif")
        bank.remember(demo.conversation())
        answered = [
            question
            for question, expected in demo.QUESTIONS.items()
            if any(
                set(expected) & set(result.refs) for result in bank.recall(question, k=5).results
            )
        ]
    assert len(answered) >= 8


def test_what_the_other_acts_claim_holds(demo, tmp_path):
    """Change, forget, dream and undo: ten checks, none missed, with the default embedder; a miss would be marked."""
    clock = FrozenClock()
    marks = demo.Marks(Console(file=io.StringIO()))
    with cogmem_core.open(tmp_path / "brain", clock=clock, config=MANUAL) as engine:
        bank = engine.bank("mira")
        demo.change(bank, clock, marks)
        demo.forget(bank, tmp_path, marks)
        demo.dream(bank, clock, marks)
    assert marks.misses == []
    assert marks.hits == 10
    marks.check("the sea is green", holds=False)
    assert marks.misses == ["the sea is green"]
    assert marks.console.file.getvalue().endswith("  ✗ the sea is green\n")
