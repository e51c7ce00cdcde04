"""What every language has to fill, and that one language more is one record more."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cogmem_core.languages import LANGUAGES
from cogmem_core.text.query.intent import INTENTS

_THIRD_LANGUAGE = """
from dataclasses import replace
from cogmem_core.languages import LANGUAGES
english = LANGUAGES["en"]
LANGUAGES["de"] = replace(
    english,
    code="de",
    words=replace(english.words, stop_words=frozenset(("und",))),
    time=replace(english.time, months={"januar": 1}, relative_days={"gestern": -1}, expressions=()),
)
from cogmem_core.text.query.understand import understand
from cogmem_core.text.rewrite.third_person import rewrite
from cogmem_core.text.sentences import split_facts
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import MONTHS
assert tokens("cats und dogs") == ["cat", "dog"]
assert MONTHS["januar"] == 1
assert rewrite("I like tea") == "User likes tea"
assert len(split_facts("Ana likes tea and Bob likes coffee")) == 2
assert understand("What do Ana and Bob like?").parts == ("What does Ana like?", "What does Bob like?")
"""


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_fills_every_table_that_has_a_fixed_set_of_keys(code: str) -> None:
    """Months, seasons, intents and kinds of answers are complete."""
    language = LANGUAGES[code]
    assert language.code == code
    assert sorted(set(language.time.months.values())) == list(range(1, 13))
    assert sorted(language.time.weekdays.values()) == list(range(7))
    assert len(language.time.month_names) == 12
    assert set(language.time.season_names) == {3, 6, 9, 12}
    assert set(language.query.intents) == set(INTENTS) - {"general"}
    assert set(language.query.answers.patterns) == {"howto", "definition", "technical", "lookup"}
    assert all(
        "{topic}" in answer
        for answers in language.query.answers.templates.values()
        for answer in answers
    )


def test_a_third_language_is_one_record_more() -> None:
    """Nothing but the record is needed, and the results of the other languages stay."""
    subprocess.run([sys.executable, "-c", _THIRD_LANGUAGE], check=True, timeout=120)
