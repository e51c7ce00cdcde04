"""What every language has to fill."""

import re
import subprocess
import sys
from operator import attrgetter
from pathlib import Path

import cogmem_core
from cogmem_core.languages import LANGUAGES, Language
from cogmem_core.languages.detect import language_shown
from cogmem_core.text.query.intent import INTENTS
from helpers.tables import each_row, each_row_of


@each_row("code", LANGUAGES)
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


@each_row_of("languages/a_language_is_shown_by_its_own_words_only", "en es fr it tr")
def test_a_language_is_shown_by_its_own_words_only(text: str, language: str) -> None:
    """Not by words of addresses, nor by words of English or Turkish that look like its own."""
    assert language_shown(text) == language


_ASKED_FOR = re.compile(
    r"(?:all_words|all_patterns|guarding_patterns|all_entries|by_language|AnyPattern)\(\s*[\"']([\w.]+)"
)


def test_every_table_that_is_asked_for_is_a_field() -> None:
    """Tables are asked for by their place, which no type checker reads."""
    sources = Path(cogmem_core.__file__).parent.rglob("*.py")
    places = {
        place
        for source in sources
        for place in _ASKED_FOR.findall(source.read_text(encoding="utf-8"))
    }
    assert len(places) > 150
    for place in places:
        attrgetter(place)(Language())


_IMPORTS = """
import contextvars, importlib, pkgutil

class Untouched:
    def get(self):
        raise AssertionError("a table of a language is read while modules are imported")

real = contextvars.ContextVar
contextvars.ContextVar = lambda name, **given: Untouched() if name == "reading" else real(name, **given)
import cogmem_core.languages.reading
contextvars.ContextVar = real
names = [module.name for module in pkgutil.walk_packages(cogmem_core.__path__, "cogmem_core.")]
assert len(names) > 400
for name in names:
    importlib.import_module(name)
"""


def test_no_table_of_a_language_is_read_while_a_module_is_imported() -> None:
    """It would stay that of the language that was read then, whatever is read later."""
    subprocess.run([sys.executable, "-c", _IMPORTS], check=True)
