"""What a language does with single words, by the name that its file gives. Pure."""

# ruff: noqa: RUF001, RUF002 - Turkish is spelt in Turkish

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping

from snowballstemmer.english_stemmer import EnglishStemmer
from snowballstemmer.turkish_stemmer import TurkishStemmer

from cogmem_core.base.lru import text_cache
from cogmem_core.languages.base import Lower, Owner, Stemmer
from cogmem_core.languages.tables import words

_STEMMING = threading.Lock()  # a Snowball stemmer keeps its word in itself
_english_snowball = EnglishStemmer()
_turkish_snowball = TurkishStemmer()


def stem_by(endings: Iterable[str], keeps: int = 3, before: str = "") -> Stemmer:
    """A light stemmer that cuts one ending off, the longest first.

    Args:
        endings: the endings.
        keeps: letters that remain at least.
        before: what the word may begin with and loses, as a regular expression.
    """
    ending = re.compile(rf"^(.{{{keeps},}}?)(?:{'|'.join(endings)})$")
    beginning = re.compile(rf"^(?:{before})(?=.{{{keeps}}})") if before else None

    def stem(word: str) -> str:
        if beginning:
            word = beginning.sub("", word)
        match = ending.match(word)
        return match[1] if match else word

    return stem


# The endings that Snowball may change; calling it costs 20 µs, this pattern a fraction of one.
_STEM_ENDING = re.compile(
    r"(?: s | y | e | ed | ing | ll | al | ful | li | nci | ogi | iti | ion | tor | er | ic | ism "
    r"| ist | ant | ent )$",
    re.VERBOSE,
)
_PLURAL_S = re.compile("[aeiou].*[^su]s$")
_NO_PLURALS = frozenset(("andes", "atlas", "bias", "cosmos", "news"))


def english_stem(word: str) -> str:
    """The stem of a folded English word."""
    if word not in _NO_PLURALS and _PLURAL_S.search(word):
        singular = word[:-1]
        if not _STEM_ENDING.search(singular):
            return singular
    if not _STEM_ENDING.search(word):
        return word
    with _STEMMING:
        return str(_english_snowball.stemWord(word)) or word


_ALPHABET = re.compile("[a-pr-vyzçğöşüâîû]+")
_PLURAL = re.compile(
    r"""
      ( [aoui] [^aeiou]* lar ) (?: a | da | dan | la | i (?: n (?: a | da | dan | i )? )?
        | i (?: m | miz | niz ) (?: a | da | dan | i | in )? )? $
    | ( [ei] [^aeiou]* ler ) (?: e | de | den | le | i (?: n (?: e | de | den | i )? )?
        | i (?: m | miz | niz ) (?: e | de | den | i | in )? )? $
    """,
    re.VERBOSE,
)
_DISTINCTIVE = re.compile("[çğöşü]|..(?:imiz|iniz|umuz|unuz)(?:i|in|u|un|a|e|da|de|dan|den)?$")
# English words with the shape of a Turkish plural; one that is missing only loses its kin
# (`wrestler`, `wrestling`).
_NOT_PLURAL = words(
    """
    angular binocular burglar caterpillar cellar cellular circular collar dissimilar dollar familiar
    granular insular
    jugular lunar modular molar molecular muscular ocular particular perpendicular pillar polar
    popular poplar pulsar
    rectangular regular scholar secular similar singular solar spectacular stellar tabular titular
    triangular tubular
    unpopular vascular vernacular
    bestseller boiler broiler compiler controller counseler dispeller dweller enameler feeler filler
    fueler heeler
    installer jeweler jeweller killer labeler leveler leveller mailer miller modeler modeller
    peddler penciler profiler
    propeller reconciler refueler reseller retailer sailer seller settler simpler speller spoiler
    storyteller teller
    thriller tickler trailer traveler traveller wrestler
    """
)
_OTHER_VOWEL = re.compile("[aeouöü]")
_DOTS = {ord("ı"): "i"}
_STEM_CACHE = 16_384


def is_turkish(word: str) -> bool:
    """Whether a folded word shows by itself that it is Turkish.

    It is spelt with the Turkish alphabet, and has one of `çğöşü` or a plural or possessive ending
    that English hardly has (`-lar`, `-lerden`, `-imiz`).
    """
    if not _ALPHABET.fullmatch(word) or word in _NOT_PLURAL:
        return False
    return bool(_DISTINCTIVE.search(word) or _PLURAL.search(word))


@text_cache(_STEM_CACHE)
def turkish_stem(word: str) -> str:
    """Stem a folded word until nothing changes, as a base form by itself would be.

    Snowball shortens `öğretmen`, too. What follows a plural ending is cut first, because Snowball
    takes `adamların` (of the men) for `ada` (island).
    """
    plural = _PLURAL.search(word)
    if plural:
        word = word[: plural.end(plural.lastindex or 0)]
    with _STEMMING:
        stemmed = str(_turkish_snowball.stemWord(_with_dotless(word))).translate(_DOTS)
    if not 1 < len(stemmed) < len(word):
        return word
    return turkish_stem(stemmed) if is_turkish(stemmed) else stemmed


def _with_dotless(word: str) -> str:
    """Put the dotless ı back by vowel harmony, which Turkish suffixes follow and Snowball checks.

    After a, ı, o and u an i is dotless; the first i of a word sides with the first other vowel
    (`kızlar`, `kişiler`), which is wrong in loanwords (`kıtap`) and harmless there, as the endings
    follow the last vowel.
    """
    first_other = _OTHER_VOWEL.search(word)
    back = first_other is not None and first_other.group() in "aou"
    letters = []
    for letter in word:
        letters.append("ı" if letter == "i" and back else letter)
        if letter in "aoueöü":
            back = letter in "aou"
    return "".join(letters)


def turkish_lower(text: str) -> str:
    """Lower-case as Turkish has it: I is the capital of ı, İ that of i."""
    return text.replace("I", "ı").replace("İ", "i").lower()


STEMMERS: Mapping[str, Stemmer] = {"english": english_stem, "turkish": turkish_stem}
OWNERS: Mapping[str, Owner] = {"turkish": is_turkish}
LOWERS: Mapping[str, Lower] = {"turkish": turkish_lower}
