"""Only a plain assertion retires anything: what a game or a story tells stands beside what is true."""

import json
from pathlib import Path

import cogmem_core
from helpers.tables import each_case_of

DATA = Path(__file__).parents[2] / "data" / "plain_assertions.jsonl"
ROWS = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]


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


def test_what_else_a_memory_tells_stays_findable() -> None:
    """Where a part of it was changed by a newer one."""
    with cogmem_core.open(embedder="minilm") as engine:
        bank = engine.bank("moves")
        bank.remember("I live in Berlin with my dog Rex.")
        bank.remember("I live in Lisbon now.")
        first = bank.recall("Where do I live?", k=3).results[0].content
        dogs = [result.content for result in bank.recall("What is my dog called?").results]
    assert first == "I live in Lisbon now."
    assert "I live in Berlin with my dog Rex." in dogs


@each_case_of("plain_assertions/a_story_is_no_newer_version_and_stands_behind_what_is_true")
def test_a_story_is_no_newer_version_and_stands_behind_what_is_true(
    old: str, jest: str, question: str
) -> None:
    """Neither at once nor after a dream; where no question stands, it is nearer to it by its words."""
    with cogmem_core.open(embedder="minilm") as engine:
        bank = engine.bank("story")
        old_id = bank.remember(old).receipts[0].memory_ids[0]
        bank.remember(jest)
        bank.consolidate()
        assert [memory.id for memory in bank.versions(old_id)] == [old_id]
        if question:
            assert bank.recall(question, floor=0).results[0].memory.id == old_id


def test_a_dream_does_not_retire_what_a_game_changes() -> None:
    """The game was announced in another turn; the statement itself looks plain."""
    with cogmem_core.open(embedder="hashing") as engine:
        bank = engine.bank("game")
        old_id = bank.remember("I live in Oslo.").receipts[0].memory_ids[0]
        bank.remember("Let's do a role-play: you are an officer.", session_id="game")
        bank.remember("I live in Bergen now.", session_id="game")
        bank.consolidate()
        assert bank.get(old_id).state == "active"
        assert bank.recall("Where do I live?", floor=0).results[0].memory.id == old_id
