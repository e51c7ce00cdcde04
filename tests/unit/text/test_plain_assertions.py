"""Only a plain assertion retires anything: 60 frames, 60 circumstances and 30 plain changes in five languages.

Rows that are `held_back` were written when the rules stood: of 30 frames 1, of 30 circumstances 2 were retired
at first sight (18 and 14 before), and 13 of 15 changes replaced.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cogmem_core
from cogmem_core.text.compare import revision
from helpers.tables import each_case_of

DATA = Path(__file__).parents[2] / "data" / "plain_assertions.jsonl"
ROWS = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]


@each_case_of("plain_assertions/what_a_new_statement_does_to_an_old_one")
def test_what_a_new_statement_does_to_an_old_one(kind: str, grades: set[str]) -> None:
    """Jokes, stories, hearsay and circumstances raise a doubt at most; other things are no versions."""
    wrong = []
    for row in ROWS:
        if row["kind"] == kind and "before" not in row:
            found = revision(row["new"], row["old"], same_speaker=True)
            if (found.grade if found else "none") not in grades:
                wrong.append((row["old"], row["new"], found))
    assert wrong == []


def test_what_a_game_was_announced_for_retires_nothing() -> None:
    """A turn earlier in the session, in five languages; without it each of them would."""
    told = [row for row in ROWS if "before" in row]
    states = []
    with cogmem_core.open(embedder="hashing") as engine:
        for number, row in enumerate(told):
            for session in ("game", "life"):
                bank = engine.bank(f"{session}-{number}")
                old_id = bank.remember(row["old"]).receipts[0].memory_ids[0]
                bank.remember(row["before"], session_id="game")
                bank.remember(row["new"], session_id=session)
                states.append(bank.get(old_id).state)
    assert states == ["active", "superseded"] * len(told)


def test_half_of_the_rows_were_held_back() -> None:
    """Frames, circumstances and changes in each language."""
    counts = Counter((row["kind"], row["held_back"]) for row in ROWS)
    kinds = ("frame", "circumstance", "change")
    assert [[counts[kind, held] for held in (True, False)] for kind in kinds] == [
        [30, 30],
        [30, 30],
        [15, 15],
    ]
    assert {row["lang"] for row in ROWS} == {"de", "en", "es", "fr", "tr"}


def test_what_moves_is_not_what_else_was_moved() -> None:
    """A verb of change is no answer to a question with it; what else a memory tells stays findable."""
    with cogmem_core.open(embedder="minilm") as engine:
        bank = engine.bank("moves")
        bank.remember("We're moving on 21 March.")
        bank.remember("The call has been moved to 22 March.")
        bank.remember("I live in Berlin with my dog Rex.")
        bank.remember("I live in Lisbon now.")
        first = [
            bank.recall(question, k=3).results[0].content
            for question in ("When are we moving?", "Where do I live?")
        ]
        dogs = [result.content for result in bank.recall("What is my dog called?").results]
    assert first == ["We're moving on 21 March.", "I live in Lisbon now."]
    assert "I live in Berlin with my dog Rex." in dogs
