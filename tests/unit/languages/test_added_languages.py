"""Packs that other distributions add with an entry point."""

from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path

import pytest

from cogmem_core.base.lru import forget_texts
from cogmem_core.embedders.hashing import HashingEmbedder
from cogmem_core.errors import InvalidInput
from cogmem_core.intentions.matching import fulfilled
from cogmem_core.languages import LANGUAGES, detect
from cogmem_core.languages.packs import OWN, added_by_others
from cogmem_core.models import Intention
from cogmem_core.reading.lasting import is_lasting
from cogmem_core.text.observe.small_talk import is_trivial
from cogmem_core.text.query.questions import only_asks

NOW = datetime(2026, 6, 3, 12, tzinfo=timezone.utc)
_PACK = """
from pathlib import Path
from cogmem_core.languages import Language

EO = Language.from_toml(Path(__file__).with_name("eo.toml"))
NO_PACK = "eo"
"""
_FILE = """
code = 'eo'
shown_by = 'saluton dankon kie mi lo\u011das estas kaj mia kiam jes'

[words]
stop_words = 'la kaj'

[query]
first_person = 'mi'
[query.asking]
opens = 'kie |kiam '
unless = '^mi '

[small_talk]
greetings = 'saluton'
confirmations = 'jes'
acknowledgements = 'dankon'

[wording]
negations = 'ne'

[durations]
requests_to_remember = 'memoru ke'
"""


def _read_packs_anew() -> None:
    added_by_others.cache_clear()
    detect._codes_by_word.cache_clear()
    forget_texts()


@pytest.fixture
def distribution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A distribution with a module `esperanto_pack`; its entry points are to be written."""
    (tmp_path / "esperanto_pack.py").write_text(_PACK, encoding="utf-8")
    (tmp_path / "eo.toml").write_text(_FILE, encoding="utf-8")
    info = tmp_path / "esperanto_pack-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: esperanto-pack\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield info / "entry_points.txt"
    _read_packs_anew()


def test_a_pack_of_another_distribution_reads_its_language(distribution: Path) -> None:
    """It is found by its entry point, and its words show the language."""
    distribution.write_text("[cogmem.languages]\neo = esperanto_pack:EO\n")
    _read_packs_anew()
    assert detect.language_shown("Kie mi lo\u011das?") == "eo"
    assert only_asks("Kie mi lo\u011das")
    assert is_trivial("Saluton!") == "greeting"
    assert is_lasting("Memoru ke mia hundo estas Rex")
    assert not is_lasting("Mia hundo estas Rex")
    assert [*LANGUAGES] == [*OWN, "eo"]
    assert len(LANGUAGES) == len(OWN) + 1
    assert "signals" in LANGUAGES["eo"].lacks


def test_an_entry_point_may_give_the_path_of_a_file(distribution: Path) -> None:
    """A pack that is a TOML file needs no Python but its path."""
    module = distribution.parent.parent / "esperanto_file.py"
    file = module.with_name("esperanto.toml")
    file.write_text("code = 'eo'\nshown_by = 'saluton kie mi'\n[notes]\nrules = 'eble'\n")
    module.write_text(f"FILE = {str(file)!r}\n")
    distribution.write_text("[cogmem.languages]\neo = esperanto_file:FILE\n")
    _read_packs_anew()
    assert detect.language_shown("Saluton, kie mi") == "eo"
    assert LANGUAGES["eo"].observe.notes.rules == "eble"


def test_a_pack_without_words_for_reminders_denies_by_its_own(distribution: Path) -> None:
    """What is waited for has not happened where a clause has a word of the pack that denies."""
    distribution.write_text("[cogmem.languages]\neo = esperanto_pack:EO\n")
    _read_packs_anew()
    reminder = Intention("i", "ns", "call the plumber", NOW, NOW, when="mia kaldrono estas rompita")
    embedder = HashingEmbedder()
    for text, fires in (
        ("mia kaldrono estas rompita", True),
        ("mia kaldrono ne estas rompita", False),
    ):
        assert bool(fulfilled(embedder, [reminder], text, NOW)) is fires


def test_no_distribution_replaces_a_pack_of_ours(distribution: Path) -> None:
    """An entry point with one of our codes is left out."""
    distribution.write_text("[cogmem.languages]\nde = esperanto_pack:EO\n")
    _read_packs_anew()
    assert LANGUAGES["de"].code == "de"
    assert added_by_others() == {}


def test_an_entry_point_has_to_give_a_language(distribution: Path) -> None:
    """Anything else is refused with its name."""
    distribution.write_text("[cogmem.languages]\neo = esperanto_pack:NO_PACK\n")
    _read_packs_anew()
    with pytest.raises(InvalidInput, match=r"'eo' of cogmem\.languages"):
        added_by_others()
