"""How a language's tables are written, and what is said of a mistake in them."""

from pathlib import Path

import pytest

from cogmem_core.errors import InvalidInput
from cogmem_core.reading.pack import (
    CLOSERS,
    KINDS,
    OPENERS,
    PATTERNS,
    WORD_GROUPS,
    Form,
    pack_from_toml,
)
from cogmem_core.reading.phrases import pattern_of
from helpers.tables import each_case_of

GUIDE = Path(__file__).resolve().parents[3] / "cookbook" / "guide" / "reading-packs.md"
CLASSES = '[conjugations]\ne = "-e -es | -ed | -ing"\n"en.2" = "-e | -te | ge-t"\n[verbs]\n'


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("lives", Form("live", "present")),
        ("moved", Form("move", "past")),
        ("gemacht", Form("machen")),
        ("took", Form("take", "past")),
        ("taking", Form("take")),
    ],
)
def test_a_verb_of_a_class_has_the_forms_of_the_class(word: str, form: Form) -> None:
    """Alone in a list, with letters before its stem, and beside forms of its own."""
    verbs = '"+e" = "liv mov"\n"+en.2" = "mach"\ntake = "| took tak+e"'
    assert form in pack_from_toml(f'order = ""\n{CLASSES}{verbs}').forms[word]


@each_case_of("reading/a_mistake_in_a_pack_is_told_with_its_place")
def test_a_mistake_in_a_pack_is_told_with_its_place(text: str, told: str) -> None:
    """Before anything is read with it."""
    with pytest.raises(InvalidInput) as error:
        pack_from_toml(text)
    assert told in str(error.value)


@pytest.mark.parametrize("phrase", ["_ at home", "lives .. home", "*itis|pain"])
def test_a_word_that_may_be_any_has_a_bound(phrase: str) -> None:
    """Else a line of six thousand dashes is read again from each of them."""
    pattern = pattern_of(phrase)
    assert ("80}" in pattern, "]+" in pattern, "]*" in pattern) == (True, False, False)


def test_the_guide_names_every_table_that_a_pack_may_have() -> None:
    """Who writes a pack finds each group of words, list of phrases and pattern there."""
    guide = GUIDE.read_text(encoding="utf-8")
    names = (*WORD_GROUPS, *OPENERS, *CLOSERS, *KINDS, *PATTERNS)
    assert [name for name in names if f"`{name}`" not in guide] == []
