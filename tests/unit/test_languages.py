"""What every language has to fill."""

from __future__ import annotations

import pytest

from cogmem_core.languages import LANGUAGES
from cogmem_core.text.query.intent import INTENTS


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_fills_every_table_that_has_a_fixed_set_of_keys(code: str) -> None:
    """Months, seasons, intents and kinds of answers are complete."""
    language = LANGUAGES[code]
    assert language.code == code
    assert sorted(set(language.time.months.values())) == list(range(1, 13))
    assert sorted(set(language.time.weekdays.values())) == list(range(7))
    assert len(language.time.month_names) == 12
    assert set(language.time.season_names) == {3, 6, 9, 12}
    assert set(language.query.intents) == set(INTENTS) - {"general"}
    assert set(language.query.answers.patterns) == {"howto", "definition", "technical", "lookup"}
    assert all(
        "{topic}" in answer
        for answers in language.query.answers.templates.values()
        for answer in answers
    )
