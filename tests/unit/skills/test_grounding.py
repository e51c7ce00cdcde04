"""Facts that a model formed, beside the turns that they are said to come from."""

from datetime import datetime, timezone

import pytest

from cogmem_core.skills.grounding import Said, lack_of
from helpers.tables import each_row_of, rows_of

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)  # a Monday


@each_row_of("formed_facts/what_is_lacking", "de en es fr tr")
def test_what_is_lacking(turn: str, said: tuple[str, ...], lacking: dict[str, str]) -> None:
    """Other figures, units, names, negations and persons, and what the turn says nothing of."""
    found = {fact: lack_of(fact, Said(turn, NOON), ()) for fact in (*said, *lacking)}
    assert found == {**dict.fromkeys(said), **lacking}


@pytest.mark.parametrize(
    ("rows", "lost", "kept"),
    [("formed_facts/by_one_author", 0.24, 0.13), ("formed_facts/by_another", 0.45, 0.33)],
)
def test_how_often_it_errs(rows: str, lost: float, kept: float) -> None:
    """Of what was said, in other words, so much is dropped at most, and of inventions so much kept."""
    dropped: list[bool] = []
    taken: list[bool] = []
    for turn, speaker, asked, earlier, honest, invented in rows_of(rows):
        said = Said(turn, NOON, speaker, asked)
        before = [Said(text, NOON) for text in earlier]
        dropped += [lack_of(fact, said, before) is not None for fact in honest]
        taken += [lack_of(fact, said, before) is None for _, fact in invented]
    assert sum(dropped) <= lost * len(dropped)
    assert sum(taken) <= kept * len(taken)
