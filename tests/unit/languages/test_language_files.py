"""Languages as TOML files: what they hold, and what is told of mistakes in them."""

import re
from pathlib import Path

import pytest

from cogmem_core.errors import InvalidInput
from cogmem_core.languages import LANGUAGES, Language
from cogmem_core.languages.loading import TABLES
from cogmem_core.languages.packs import OWN
from helpers.tables import each_row_of

_HEAD = "code = 'eo'\nshown_by = 'saluton dankon kie mi estas kaj'\n"


def _language(folder: Path, text: str) -> Language:
    file = folder / "eo.toml"
    file.write_text(_HEAD + text, encoding="utf-8")
    return Language.from_toml(file)


def test_a_file_is_a_language(tmp_path: Path) -> None:
    """Words, names by their meaning, endings, patterns with parts, and times in the usual forms."""
    language = _language(
        tmp_path,
        """
[parts]
who = '(?:mi|ni)'

[words]
stop_words = '''
  la kaj
  de
'''
[words.stem]
endings = 'ojn oj on o'

[time.months]
1 = 'januaro jan'
2 = ['februaro', 'la dua monato']
[time.units]
days = 'tago tagoj'
[time.forms]
ago = 'antau <count> <unit>'
last_next = '(?P<w>venonta) (?P<n>{months})'

[triggers]
unreal = '''
  \\b(?:se|{who} volas
  |eble)\\b'''
same = '''
  veni venas
  iri iras
'''
[aims.verb_forms]
iri = 'iras iris'
[query.intents]
causal = [[0.9, 'kial']]
""",
    )
    assert language.code == "eo"
    assert language.shown_by == {"saluton", "dankon", "kie", "mi", "estas", "kaj"}
    assert language.words.stop_words == {"la", "kaj", "de"}
    assert language.words.stem("katojn") == "kat"
    assert language.time.months == {"januaro": 1, "jan": 1, "februaro": 2, "la dua monato": 2}
    assert language.triggers.unreal == r"\b(?:se|(?:mi|ni) volas|eble)\b"
    assert language.triggers.same == ({"veni", "venas"}, {"iri", "iras"})
    assert language.query.aims.verb_forms == {"iri": ("iras", "iris")}
    assert language.query.intents == {"causal": ((0.9, "kial"),)}
    patterns = [each.pattern for each in language.time.expressions]
    assert r"\bantau <count> (?P<u>(?:tagoj|tago))\b" in patterns
    assert r"\b(?P<w>venonta) (?P<n>(?:la dua monato|februaro|januaro|jan))\b" in patterns
    assert {"emotions", "names", "safety"} <= language.lacks
    assert language.safety.instructions == ()


@each_row_of("language_files/a_mistake_is_told_with_its_line")
def test_a_mistake_is_told_with_its_line(tmp_path: Path, text: str, problem: str) -> None:
    """An entry that nothing reads, of the wrong type, or that is no pattern."""
    with pytest.raises(InvalidInput, match=rf"^eo\.toml[,:] {problem}"):
        _language(tmp_path, text)


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    """One in each table, in their order."""
    with pytest.raises(InvalidInput) as told:
        _language(tmp_path, "[words]\nx = 1\n[notes]\ny = 2\nrules = '('\n")
    assert re.findall(r"line (\d+): ([\w.]+)", str(told.value)) == [
        ("4", "words.x"),
        ("6", "notes.y"),
        ("7", "notes.rules"),
    ]


def test_a_file_needs_a_code_and_words_that_show_it(tmp_path: Path) -> None:
    """Without them no text would be read with it; and a file has to be there."""
    file = tmp_path / "eo.toml"
    for text, problem in (("", "line 1: the file: give code"), ("code = 'eo'", "shown_by: give")):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InvalidInput, match=problem):
            Language.from_toml(file)
    with pytest.raises(InvalidInput, match="cannot be read"):
        Language.from_toml(tmp_path / "none.toml")


@pytest.mark.parametrize("code", OWN)
def test_our_own_files_have_no_mistakes(code: str) -> None:
    """Every entry is read and every pattern is one; it is not tried again when a bank starts."""
    language = Language.from_toml(TABLES / f"{code}.toml")
    assert language.code == code
    assert language.time.months == LANGUAGES[code].time.months


def test_the_language_of_everywhere_has_no_mistakes() -> None:
    """Orders to the model in many languages are looked for in every text."""
    assert len(Language.from_toml(TABLES / "any.toml").safety.instructions) == 13
