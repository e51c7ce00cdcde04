"""From text to index tokens, the same for documents and queries; pure, no I/O.

A token depends on the word form alone, never on the words around it, so a word in a query always meets the same word in
a document. That settles three choices:

* i, I, İ and ı are one letter: nobody can tell whether the I of `ISTANBUL` or `IRMAK` had a dot.
* A word is stemmed as Turkish if it shows it by itself, after that folding: it is spelt with the Turkish alphabet, and
  has one of `çğöşü` or a plural or possessive ending that English hardly has (`-lar`, `-lerden`, `-imiz`). Then it is
  stemmed as English like every word, which makes `anneler` and `anne` meet. Bare case endings (`evde`) look English and
  stay.
* A case ending, possessive or contraction after an apostrophe is dropped: `Ayşe'nin`, `Ankara'ya`, `Caroline's`.

Numbers keep their inner points (`3.5`, `10:30`); `1,000` is `1000`, `1.000,50` is `1000.50`. A date that leads or ends
with a four-digit year (`2023-05-08`, `08.05.2023`) gives the ISO date, the year, the month's English name and the day,
so that it meets `8 May, 2023`. Scripts without spaces give character bigrams (and single Han characters, which are
words); an emoji is a token of its own.
"""

# ruff: noqa: RUF001, RUF002, SIM905 - Turkish is spelt in Turkish, and a table is read as a table

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from snowballstemmer.english_stemmer import EnglishStemmer
from snowballstemmer.turkish_stemmer import TurkishStemmer

from cogmem_core.text.folding import plain_number
from cogmem_core.text.lexicon.stopwords import STOPWORDS

__all__ = ["ANALYSER", "UNSPACED", "Word", "limit_marks", "strip_words", "tokens", "words"]

ANALYSER = "nfkc-ifold-snowball-en-tr-bigram-2"

_MAX_LENGTH = 64
_STEM_CACHE = 131_072
_MAX_MARKS = 30  # a longer run of combining marks is no text, and normalising it takes quadratic time
_BECOME_MARKS = dict.fromkeys((0x0F73, 0x0F75, 0x0F81, 0xFF9E, 0xFF9F), "\u0301")  # letters that normalise to marks

_DOTS = {ord("İ"): "i", ord("ı"): "i"}
_APOSTROPHES = "'`\u2018\u2019\u02bc\uff07"
_EMOJI = "\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\ua9e0-\ua9ff\uaa60-\uaa7f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_NOT_IN_WORD = rf"\s\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f{_APOSTROPHES}{_EMOJI}{UNSPACED}"
_PIECE = re.compile(
    rf"""
      (?P<date> (?<![0-9.-]) (?:
          (?P<year>[0-9]{{4}}) (?P<mark>[-/.]) (?P<month>[0-9]{{1,2}}) (?P=mark) (?P<day>[0-9]{{1,2}})
        | (?P<day2>[0-9]{{1,2}}) \. (?P<month2>[0-9]{{1,2}}) \. (?P<year2>[0-9]{{4}})
        ) (?! [.-]?[0-9] ) )
    | (?P<joint> (?<=[0-9]) [tT] (?=[0-9]{{2}}:) )
    | (?P<number> [0-9]+ (?: [.,:][0-9]+ )+ )
    | (?P<run> [{UNSPACED}] (?: [{UNSPACED}] | [\u0300-\u036f] )* )
    | (?P<emoji> [\U0001f1e6-\U0001f1ff]{{2}} | [{_EMOJI}] )
    | (?P<word> [^{_NOT_IN_WORD}]+ (?: [{_APOSTROPHES}] [^{_NOT_IN_WORD}]+ )* )
    """,
    re.VERBOSE,
)
_APOSTROPHE = re.compile(f"[{_APOSTROPHES}]")
_CLITICS = frozenset(
    """
    s ll ve re d m
    a e i u ü ya ye yi yu yü na ne ni nu nü da de ta te nda nde dan den tan ten ndan nden in un ün nin nun nün
    la le yla yle lar ler lari leri larin lerin daki deki taki teki li lu lü lik luk lük dir dur dür tir tur tür
    """.split()
)
_MONTHS = "january february march april may june july august september october november december".split()
_TURKISH_LETTERS = re.compile("[a-pr-vyzçğöşüâîû]+")
_TURKISH_PLURAL = re.compile(
    r"""
      ( [aoui] [^aeiou]* lar ) (?: a | da | dan | la | i (?: n (?: a | da | dan | i )? )?
        | i (?: m | miz | niz ) (?: a | da | dan | i | in )? )? $
    | ( [ei] [^aeiou]* ler ) (?: e | de | den | le | i (?: n (?: e | de | den | i )? )?
        | i (?: m | miz | niz ) (?: e | de | den | i | in )? )? $
    """,
    re.VERBOSE,
)
_TURKISH_MARK = re.compile("[çğöşü]|..(?:imiz|iniz|umuz|unuz)(?:i|in|u|un|a|e|da|de|dan|den)?$")
# English words with the shape of a Turkish plural; one that is missing only loses its kin (`wrestler`, `wrestling`).
_ENGLISH_LAR_LER = frozenset(
    """
    angular binocular burglar caterpillar cellar cellular circular collar dissimilar dollar familiar granular insular
    jugular lunar modular molar molecular muscular ocular particular perpendicular pillar polar popular poplar pulsar
    rectangular regular scholar secular similar singular solar spectacular stellar tabular titular triangular tubular
    unpopular vascular vernacular
    bestseller boiler broiler compiler controller counseler dispeller dweller enameler feeler filler fueler heeler
    installer jeweler jeweller killer labeler leveler leveller mailer miller modeler modeller peddler penciler profiler
    propeller reconciler refueler reseller retailer sailer seller settler simpler speller spoiler storyteller teller
    thriller tickler trailer traveler traveller wrestler
    """.split()
)
# The endings that English Snowball may change; calling it costs 20 µs, this pattern a fraction of one.
_ENGLISH_ENDING = re.compile(
    r"(?: s | y | e | ed | ing | ll | al | ful | li | nci | ogi | iti | ion | tor | er | ic | ism | ist | ant | ent )$",
    re.VERBOSE,
)
_PLURAL_S = re.compile("[aeiou].*[^su]s$")
_NO_PLURALS = frozenset(("andes", "atlas", "bias", "cosmos", "news"))
_VOWEL = re.compile("[aeiouyöü]")
_OTHER_VOWEL = re.compile("[aeouöü]")
_STEMMING = threading.Lock()  # a Snowball stemmer keeps its word in itself
_english = EnglishStemmer()
_turkish = TurkishStemmer()


class Word(NamedTuple):
    """A word of a text: its lower-case form without possessive, and its place `text[start:end]` in characters."""

    text: str
    start: int
    end: int


def tokens(text: str) -> list[str]:
    """Tokenise a document or a query: normalised, without stop-words, stemmed; in text order, repeats kept.

    Takes linear time. Stems are cached process-wide; safe to call from several threads.

    Returns:
        Tokens of 1..64 characters; empty if the text has no letters, digits or emoji, or only stop-words.
    """
    found: list[str] = []
    for match in _PIECE.finditer(_separated(_fold(text))):
        kind = match.lastgroup
        if kind == "word":
            token = _term(match.group()[: 2 * _MAX_LENGTH])
            if token:
                found.append(token)
        elif kind == "run":
            found.extend(_bigrams(match.group()))
        elif kind == "date":
            found.extend(_date(match))
        elif kind == "number":
            found.append(plain_number(match.group())[:_MAX_LENGTH])
        elif kind == "emoji":
            found.append(match.group())
    return found


def words(text: str) -> list[Word]:
    """List the words of a text as they stand: lower-case, not stemmed, stop-words included.

    A date, a number, an emoji and a stretch of a script without spaces count as one word each. `tokens(word.text)`
    gives the tokens that the word has in an index.
    """
    found = (match for match in _PIECE.finditer(_separated(text)) if match.lastgroup != "joint")
    listed = (Word(_bare(_fold(match.group())), match.start(), match.end()) for match in found)
    return [word for word in listed if word.text]


def strip_words(text: str, drop: Callable[[str], bool]) -> str:
    """Leave out the words for which `drop(word)` holds, such as names that stand in every memory.

    Args:
        text: what to shorten, usually a query that will be embedded.
        drop: gets the lower-case, unstemmed word without possessive ("caroline" for "Caroline's").

    Returns:
        The text with single spaces where words were dropped; the text itself if no word, or every word, would go.
    """
    listed = words(text)
    dropped = [word for word in listed if drop(word.text)]
    if not dropped or len(dropped) == len(listed):
        return text
    kept, position = [], 0
    for word in dropped:
        kept.append(text[position : word.start])
        position = word.end
    kept.append(text[position:])
    return " ".join("".join(kept).split())


class _Separators(dict[int, int]):
    """A translation table that turns everything except letters, marks, digits, emoji and apostrophes into spaces."""

    def __missing__(self, code: int) -> int:
        value = code if _belongs(code) else 0x20
        if len(self) < 65_536:  # bounded, though a hostile text may hold every character there is
            self[code] = value
        return value


def _belongs(code: int) -> bool:
    if code < 0x80 or chr(code) in _APOSTROPHES:
        return True
    if 0x1F000 <= code <= 0x1FAFF:
        return not 0x1F3FB <= code <= 0x1F3FF  # skin tones: every thumb is the same thumb
    if code in (0xFE0E, 0xFE0F, 0x20E3) or 0xE0000 <= code <= 0xE0FFF:
        return False
    category = unicodedata.category(chr(code))
    return category[0] in "LMN" or (category == "So" and (0x2300 <= code <= 0x27BF or 0x2B00 <= code <= 0x2BFF))


_SEPARATORS = _Separators()


def _separated(text: str) -> str:
    return text if text.isascii() else text.translate(_SEPARATORS)


def _fold(text: str) -> str:
    """NFKC, lower-case, one letter i."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", limit_marks(text)).translate(_DOTS).casefold()
    return unicodedata.normalize("NFKC", text).replace("i\u0307", "i").replace("\u00ad", "")


def limit_marks(text: str) -> str:
    """The text with runs of combining marks cut at 30: longer ones are no text and take quadratic time to normalise."""
    classes = bytes(map(unicodedata.combining, text.translate(_BECOME_MARKS)))
    if len(text) <= _MAX_MARKS or not re.search(rb"[^\x00]{%d}" % (_MAX_MARKS + 1), classes):
        return text
    kept, run = [], 0
    for character, combining in zip(text, classes, strict=True):
        run = run + 1 if combining else 0
        if run <= _MAX_MARKS:
            kept.append(character)
    return "".join(kept)


def _bare(word: str) -> str:
    """The word without apostrophes, possessive, contraction or Turkish case ending after the apostrophe."""
    head, *rest = _APOSTROPHE.split(word)
    if rest and rest[-1] in _CLITICS:
        rest.pop()
    return head + "".join(rest)


@lru_cache(maxsize=_STEM_CACHE)
def _term(word: str) -> str:
    """The index token of a folded word, empty for a stop-word and for marks without a letter."""
    bare = _bare(word)[:_MAX_LENGTH]
    if bare in _FOLDED_STOPWORDS or not any(map(str.isalnum, bare)):
        return ""
    return _stem(bare)


def _stem(word: str) -> str:
    if len(word) < 3 or not _VOWEL.search(word):
        return word
    if _is_turkish(word):
        return _stem_english(_stem_turkish(word))
    stem = _stem_english(word)
    # A plural s hides the Turkish shape that the same word shows without it; both must become one token.
    return _stem_english(_stem_turkish(stem)) if word == stem + "s" and _is_turkish(stem) else stem


def _is_turkish(word: str) -> bool:
    if not _TURKISH_LETTERS.fullmatch(word) or word in _ENGLISH_LAR_LER:
        return False
    return bool(_TURKISH_MARK.search(word) or _TURKISH_PLURAL.search(word))


def _stem_english(word: str) -> str:
    if word not in _NO_PLURALS and _PLURAL_S.search(word):
        singular = word[:-1]
        if not _ENGLISH_ENDING.search(singular):
            return singular
    if not _ENGLISH_ENDING.search(word):
        return word
    with _STEMMING:
        return str(_english.stemWord(word)) or word


@lru_cache(maxsize=_STEM_CACHE // 8)
def _stem_turkish(word: str) -> str:
    """Stem until nothing changes, as a base form by itself would be: Snowball shortens `öğretmen`, too.

    What follows a plural ending is cut first, because Snowball takes `adamların` (of the men) for `ada` (island).
    """
    plural = _TURKISH_PLURAL.search(word)
    if plural:
        word = word[: plural.end(plural.lastindex or 0)]
    with _STEMMING:
        stem = str(_turkish.stemWord(_undotted(word))).translate(_DOTS)
    if not 1 < len(stem) < len(word):
        return word
    return _stem_turkish(stem) if _is_turkish(stem) else stem


def _undotted(word: str) -> str:
    """Put the dotless ı back by vowel harmony, which Turkish suffixes follow and Snowball checks.

    After a, ı, o and u an i is dotless; the first i of a word sides with the first other vowel (`kızlar`, `kişiler`),
    which is wrong in loanwords (`kıtap`) and harmless there, as the endings follow the last vowel.
    """
    first_other = _OTHER_VOWEL.search(word)
    back = first_other is not None and first_other.group() in "aou"
    restored = []
    for letter in word:
        restored.append("ı" if letter == "i" and back else letter)
        if letter in "aoueöü":
            back = letter in "aou"
    return "".join(restored)


def _bigrams(run: str) -> Iterator[str]:
    """Pairs of neighbouring characters with their marks; a lone character and each Han character also by itself."""
    clusters: list[str] = []
    for character in run:
        if clusters and unicodedata.category(character)[0] == "M":
            clusters[-1] = (clusters[-1] + character)[: _MAX_LENGTH // 2]
        else:
            clusters.append(character)
    if len(clusters) == 1:
        yield clusters[0]
        return
    for left, right in zip(clusters, [*clusters[1:], ""], strict=True):
        if left >= "\u3400" and not "\ua960" <= left <= "\ud7ff" and not "\uff66" <= left <= "\uffdc":
            yield left
        if right:
            yield left + right


def _date(match: re.Match[str]) -> list[str]:
    year = match["year"] or match["year2"]
    month, day = int(match["month"] or match["month2"]), int(match["day"] or match["day2"])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return [match.group()]
    return [f"{year}-{month:02}-{day:02}", year, _MONTH_TOKENS[month - 1], str(day)]


_MONTH_TOKENS = tuple(map(_stem, _MONTHS))
_FOLDED_STOPWORDS = frozenset(_fold(word) for word in STOPWORDS)
