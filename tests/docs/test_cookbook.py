"""The recipes of the cookbook are run; what they print is what they say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

COOKBOOK = Path(__file__).resolve().parents[2] / "cookbook"


def printed(recipe: str, folder: Path, **environment: str) -> list[str]:
    """What a recipe prints, run with the stand-in for a model unless the environment says otherwise."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", str(COOKBOOK / recipe)],
        cwd=folder,
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_dream_cycle_is_forecast_rehearsed_run_and_undone(tmp_path: Path) -> None:
    """README, "Looking first, taking back": the dry run tells the cycle, undo brings back, the next cycle respects."""
    lines = printed("dream_cycle.py", tmp_path)
    cycle = [
        "  expiry: I fly to Rome on Friday (its time is over)",
        "  forgetting: We had dinner with Elif at the harbour (faded: retention 0.49)",
    ]
    assert lines[:13] == [
        "2026-06-05 expires: I fly to Rome on Friday (its time is over)",
        "2026-06-16 endangered: We had dinner with Elif at the harbour (its retention falls below 0.7)",
        "2026-10-30 dormant: We had dinner with Elif at the harbour (its retention falls below 0.5)",
        "a dry run: 2 changes",
        *cycle,
        "the cycle: 2 changes",
        *cycle,
        "recalled: ['I am allergic to penicillin', 'I like my coffee black']",
        "brought back: ['I fly to Rome on Friday', 'We had dinner with Elif at the harbour']",
        "the next cycle: 0 changes",
        "on record: ['done', 'undone']",
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_chain_knows_on_friday_what_was_said_on_monday(tmp_path: Path) -> None:
    """Issue E, item 4: two sessions of a classic chain; what was used in an answer lasts longer than what was not."""
    assert printed("langchain_chain_memory.py", tmp_path) == [
        "The prompt held, best first:",
        " - My sister Lena lives in Oslo with her two cats.",
        " - I am allergic to hazelnuts, so no praline for me.",
        " - I work night shifts at the children's hospital.",
        "The answer: You told me: My sister Lena lives in Oslo with her two cats.",
        "The answer: You told me: I am allergic to hazelnuts, so no praline for me.",
        "used 1, ignored in a row 1, lasts 5.9 days: My sister Lena lives in Oslo with her two cats.",
        "used 1, ignored in a row 0, lasts 6.2 days: I am allergic to hazelnuts, so no praline for me.",
        "used 0, ignored in a row 2, lasts 3.5 days: I work night shifts at the children's hospital.",
    ]
    assert list(tmp_path.iterdir()) == []


def test_retrieval_learns_what_answers_were_made_of(tmp_path: Path) -> None:
    """Issue E, item 4: a streamed answer is judged memory by memory, and after a week what was used stands higher."""
    lines = printed("langchain_rag_feedback.py", tmp_path)
    assert lines[0] == (
        "With which flag do database migrations run? "
        "You told me: Database migrations run before the deploy, with the flag --lock-timeout. (streamed)"
    )
    assert lines[1] == "  used    100%  Database migrations run before the deploy, with the flag --lock-timeout."
    assert [line[:9] for line in lines[2:5]] == ["  ignored"] * 3
    assert lines[12].split(maxsplit=5)[:5] == ["2", "->", "1", "4", "1"]
    assert lines[-1] == "mean rank of what was used: 3.5 -> 2.5"
    assert list(tmp_path.iterdir()) == []


def test_an_agent_remembers_across_threads_and_learns_after_a_person_approved(tmp_path: Path) -> None:
    """Issue E, item 4: two users, an interrupted run that is resumed, and a thread without a trace of the memories."""
    favourite = "I am a vegetarian, and Casa Verde is my favourite restaurant."
    assert printed("langchain_agent.py", tmp_path) == [
        f"ann asks: Which restaurant is my favourite? You told me: {favourite}",
        "bob asks: Which restaurant is my favourite? I do not know that.",
        "The agent wants to call book_table with {'restaurant': 'Casa Verde', 'guests': 2}.",
        "Approved. Done: a table for 2 at Casa Verde is booked.",
        f"(1, 0) -> (2, 0) (used, ignored): {favourite}",
        "(0, 1) -> (0, 2) (used, ignored): I always sleep badly in rooms above the street.",
        "new -> (0, 0) (used, ignored): Please book my favourite restaurant for two.",
        "The thread: human, ai, tool, ai",
    ]
    assert list(tmp_path.iterdir()) == []
