"""Which language a text shows, by its script and its function words: cheap, and the same each time.

Words that two languages have count half for each. English and Turkish are the default: another
language
has to be shown by more words than they are.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from cogmem_core.base.lru import text_cache
from cogmem_core.languages.loading import signs_of_languages
from cogmem_core.languages.packs import added_by_others
from cogmem_core.languages.tables import words

_READ = 600  # characters
_FEW_WORDS = 4  # in so short a text one word that only one language has is enough
_DEFAULT = frozenset(("en", "tr"))

_NO_LETTERS_OF_OURS = re.compile("[\u0370-\U0010ffff]")
_OF_READER = frozenset(("pl", "hi", "ko"))
"""Languages of the reader alone: there is no pack of rules for them, and they are read as English."""
_WIDE = ("ja", "zh", "ko")  # one sign is about as much as three letters
_WORD = re.compile(r"(?<!\w)(?<!\w')[^\W\d_]+(?:['-][^\W\d_]+)*(?!\w)")
_ADDRESSES = re.compile(
    r"\S*@\S+|\w+://\S+|(?<![\w.])[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:/\S*)?(?!\w)"
)
"""Mail addresses, handles, links and hosts: their words are of no language ("delta.io")."""
_APOSTROPHES = str.maketrans("\u2019\u02bc", "''")


@lru_cache(maxsize=1)
def _codes_by_word() -> dict[str, tuple[str, ...]]:
    codes: dict[str, tuple[str, ...]] = {}
    tables = {code: words(common) for code, common in signs_of_languages()["words"].items()}
    tables.update({code: pack.shown_by for code, pack in added_by_others().items()})
    default = frozenset[str]().union(*(tables[code] for code in _DEFAULT))
    for code, common in tables.items():
        # Many people write without accents; but "the" is no French tea.
        for word in common | (frozenset(map(_without_accents, common)) - default):
            codes[word] = (*codes.get(word, ()), code)
    return codes


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    return "".join(
        letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter)
    )


def language_shown(text: str) -> str:
    """The code of the language that a text shows in its first 600 characters; empty if none.

    Of the languages that have a pack of rules.
    """
    code = language_written(text)
    return "" if code in _OF_READER and code not in added_by_others() else code


@text_cache(4_096)
def language_written(text: str) -> str:
    """As `language_shown`, of the languages of the reader, too."""
    text = text[:_READ]
    if not text.isascii() and _NO_LETTERS_OF_OURS.search(text):
        code = _by_script(text)
        if code:
            return code
    words_alone = _ADDRESSES.sub(" ", text) if "." in text or "@" in text else text
    found_words = _WORD.findall(words_alone.lower().translate(_APOSTROPHES))
    counts = Counter[str]()
    table = _codes_by_word()
    for word in found_words:
        if len(word) == 1 and word.isascii():
            continue  # an initial, an option of a list
        codes = table.get(word) or table.get(word.partition("'")[0] + "'", ())
        for code in codes:
            counts[code] += 2 if len(codes) == 1 else 1
    _count_letters(text, counts)
    return _clearest(counts, len(found_words))


@lru_cache(maxsize=3)
def _letters(table: str) -> dict[str, re.Pattern[str]]:
    """Letters by the languages that they show."""
    return {code: re.compile(letters) for code, letters in signs_of_languages()[table].items()}


def _count_letters(text: str, counts: Counter[str]) -> None:
    for code, letters in _letters("likely_letters").items():
        if code in counts and letters.search(text):
            counts[code] += 1
    for code, letters in _letters("showing_letters").items():
        if letters.search(text):
            counts[code] += 2


def _by_script(text: str) -> str:
    """The language of the script in which most of a text is written."""
    scripts = _letters("scripts")
    for code, letters in scripts.items():
        signs = len(letters.findall(text))
        if not signs:
            continue
        if code == "ja":  # Japanese writes Chinese signs beside its own
            signs += len(scripts["zh"].findall(text))
        other_letters = sum(map(str.isalpha, text)) - signs
        if signs * (3 if code in _WIDE else 1) > other_letters:
            return code
    return ""


def _clearest(counts: Counter[str], size: int) -> str:
    """The language that most words show, if they are enough."""
    default = max(counts[code] for code in _DEFAULT)
    best = max(counts, key=lambda code: counts[code], default="")
    if not best:
        return ""
    if default >= counts[best]:
        return max(_DEFAULT, key=lambda code: (counts[code], code == "en"))
    enough = counts[best] > 1 or size <= _FEW_WORDS
    return best if enough else ""
