"""How often a language model is asked on the demo conversation: never for what needs no judgement."""

import json
from collections.abc import Callable
from datetime import datetime
from itertools import groupby
from pathlib import Path

import cogmem_core
from cogmem_core import Turn
from cogmem_core.testing import ScriptedLLM
from helpers.model_answers import lazy

TALK = Path(__file__).parents[2] / "core" / "cogmem_core" / "data" / "elif.jsonl"
OBEDIENT = lazy("all", "ADD", "")
"""A model that takes every turn as one fact, in its own words, and adds every fact."""


def conversation() -> list[Turn]:
    """Its first sixty turns."""
    rows = [json.loads(line) for line in TALK.read_text(encoding="utf-8").splitlines()[:60]]
    return [Turn(**{**row, "at": datetime.fromisoformat(row["at"])}) for row in rows]


def test_at_most_six_calls_for_ten_turns_of_the_demo_conversation(
    record_property: Callable[[str, object], None],
) -> None:
    """LLM calls: on the demo conversation, a session at a time as `make demo` does, at most 0.6 per turn."""
    turns, llm = conversation(), ScriptedLLM(default=OBEDIENT)
    with cogmem_core.open(embedder="minilm", llm=llm) as engine:
        bank = engine.bank("elif")
        sessions = groupby(turns, key=lambda turn: turn.session_id)
        reports = [bank.remember(list(session)) for _, session in sessions]

    record_property("calls per turn", round(len(llm.calls) / len(turns), 2))
    assert len(llm.calls) <= 0.6 * len(turns)
    assert len(llm.calls) == sum(report.llm_calls for report in reports)
    assert [problem for report in reports for problem in report.degraded] == []


def test_turn_by_turn_a_message_costs_one_formation_and_one_decision_at_most() -> None:
    """LLM calls: at most one decision call per message (and one formation call)."""
    turns, llm = conversation()[:40], ScriptedLLM(default=OBEDIENT)
    asked = []
    with cogmem_core.open(embedder="minilm", llm=llm) as engine:
        bank = engine.bank("elif")
        for turn in turns:
            before = len(llm.calls)
            bank.remember(turn)
            asked.append([call.response_model.__name__ for call in llm.calls[before:]])

    assert {tuple(names) for names in asked} == {
        (),
        ("FormAnswer",),
        ("FormAnswer", "DecideAnswer"),
    }
    assert [
        turn.role for turn, names in zip(turns, asked, strict=True) if names if turn.role != "user"
    ] == []


def test_no_call_for_greetings_repeats_questions_and_the_assistant() -> None:
    """LLM calls: none for trivial, duplicate or first-of-its-kind facts (one formation, no decision)."""
    llm = ScriptedLLM(default=OBEDIENT)
    with cogmem_core.open(embedder="minilm", llm=llm) as engine:
        bank = engine.bank("elif")
        bank.remember("My cat is called Mochi and she is four years old.")
        first = [call.response_model.__name__ for call in llm.calls]
        for said in ("Good morning!", "ok, thanks", "What do you know about my cat?"):
            bank.remember(said)
        bank.remember("Cats sleep up to sixteen hours a day in a warm place.", role="assistant")
        bank.remember("My cat is called Mochi and she is four years old.")

    assert first == ["FormAnswer"]
    assert len(llm.calls) == 1
