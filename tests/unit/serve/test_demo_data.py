"""The conversation that ships with the demo, and the ten questions about it."""

import importlib.util
import io
import json
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


def test_questions_point_to_turns_that_exist(demo, rows):
    """Ten questions, each with refs of turns in the conversation."""
    refs = {row["ref"] for row in rows}
    assert len(demo.QUESTIONS) == 10
    assert all(expected and set(expected) <= refs for expected in demo.QUESTIONS.values())


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
