"""From text to index tokens, the same for documents and queries; pure, no I/O.

The first token of a word depends on its form alone, never on the words around it, so a word in a
query always meets the same word in a document. That settles:

* Letters that do not come apart into a plain one and a mark are written plainly: `Søren` is
  `soren`, `Łukasz` is `lukasz`, `Æsop` is `aesop`.
* i, I, İ and ı are one letter: nobody can tell whether the I of `ISTANBUL` or `IRMAK` had a dot.
* A word is stemmed by its own language if it shows it by itself, after that folding, as Turkish
  words do (see `languages.stemming`). Then it is stemmed as English like every word, which makes
  `anneler` and `anne` meet. Bare case endings (`evde`) look English and stay.
* In a text of several words that shows another language a word has a second token, its stem there: `wohnt` is
  `wohnt` and `wohn`, and meets `wohnen`.
* A case ending, possessive or contraction after an apostrophe is dropped: `Ayşe'nin`, `Ankara'ya`,
  `Caroline's`.

Numbers keep their inner points (`3.5`, `10:30`); `1,000` is `1000`, `1.000,50` is `1000.50`. A date
that leads or ends with a four-digit year (`2023-05-08`, `08.05.2023`) gives the ISO date, the year,
the month's English name and the day, so that it meets `8 May, 2023`. Scripts without spaces give
character bigrams (and single Han characters, which are words); an emoji is a token of its own.
"""

# ruff: noqa: RUF001, RUF002 - Turkish is spelt in Turkish

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.base import WordRules
from cogmem_core.languages.reading import DEFAULT, cached_by_language, current, in_its_language
from cogmem_core.text.folding import PLAIN_LETTERS, plain_number, replaced, single_spaced

ANALYSER = "nfkc-ifold-snowball-en-tr-bigram-4"

SHORTEST_FORM = 5
"""Letters of a stem that is looked for in other forms."""

_MAX_LENGTH = 64
_STEM_CACHE = 131_072
_MAX_MARKS = 30  # a longer run of combining marks is no text
_FOREIGN_RUN = re.compile(rf"[^\x00-\x7f]{{{_MAX_MARKS + 1}}}")
_BECOME_MARKS = dict.fromkeys(
    (0x0F73, 0x0F75, 0x0F81, 0xFF9E, 0xFF9F), "\u0301"
)  # letters that normalise to marks

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
_DEFAULT_RULES = [LANGUAGES[code].words for code in DEFAULT]
_CLITICS = frozenset().union(*(rules.clitics for rules in _DEFAULT_RULES))
_DISTINCT = tuple(rules for rules in _DEFAULT_RULES if rules.owns)
_COMMON = tuple(rules for rules in _DEFAULT_RULES if not rules.owns)
_VOWEL = re.compile("[aeiouyöü]")
_REPLACED = str.maketrans(
    {code: plain for code, plain in PLAIN_LETTERS.items() if chr(code) not in "çğöşüä"}
    | {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"}
)


class Word(NamedTuple):
    """A word of a text.

    Attributes:
        text: its lower-case form without possessive.
        start: where it begins in the text, in characters.
        end: where it ends.
    """

    text: str
    start: int
    end: int


def tokens(text: str) -> list[str]:
    """Tokenise a document or a query: normalised, without stop-words, stemmed; in text order, repeats kept.

    Takes linear time. Stems are cached process-wide; safe to call from several threads.

    Returns:
        Tokens of 1..64 characters; empty if the text has no letters, digits or emoji, or only
        stop-words.
    """
    return _tokens_of_text(text) if " " in text else _tokens(text)


def _tokens(text: str) -> list[str]:
    if text.isascii() and text.isalpha():  # one word
        return list(_terms(text.lower()[: 2 * _MAX_LENGTH]))
    terms: list[str] = []
    for match in _PIECE.finditer(_separated(_fold(text))):
        kind = match.lastgroup
        if kind == "word":
            terms.extend(_terms(match.group()[: 2 * _MAX_LENGTH]))
        elif kind == "run":
            terms.extend(_bigrams(match.group()))
        elif kind == "date":
            terms.extend(_date(match))
        elif kind == "number":
            terms.append(plain_number(match.group())[:_MAX_LENGTH])
        elif kind == "emoji":
            terms.append(match.group())
    return terms


_tokens_of_text = in_its_language(_tokens)


def words(text: str) -> list[Word]:
    """List the words of a text as they stand: lower-case, not stemmed, stop-words included.

    A date, a number, an emoji and a stretch of a script without spaces count as one word each.
    `tokens(word.text)` gives the tokens that the word has in an index.
    """
    listed = []
    for match in _PIECE.finditer(_separated(text)):
        word = _bare(_fold(match.group()))
        if word and match.lastgroup != "joint":
            listed.append(Word(word, match.start(), match.end()))
    return listed


def strip_words(text: str, drop: Callable[[str], bool]) -> str:
    """Leave out the words for which `drop(word)` holds, such as names that stand in every memory.

    Args:
        text: what to shorten, usually a query that will be embedded.
        drop: gets the lower-case, unstemmed word without possessive ("caroline" for "Caroline's").

    Returns:
        The text with single spaces where words were dropped; the text itself if no word, or every
        word, would go.
    """
    listed = words(text)
    dropped = [word for word in listed if drop(word.text)]
    if not dropped or len(dropped) == len(listed):
        return text
    kept = replaced(text, ((word.start, word.end, "") for word in dropped))
    return single_spaced(kept)


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
    if category[0] in "LMN":
        return True
    return category == "So" and (0x2300 <= code <= 0x27BF or 0x2B00 <= code <= 0x2BFF)


_SEPARATORS = _Separators()


def _separated(text: str) -> str:
    return text if text.isascii() else text.translate(_SEPARATORS)


def _fold(text: str) -> str:
    """NFKC, lower-case, one letter i."""
    if text.isascii():
        return text.lower()
    text = composed(text).translate(_DOTS).casefold()
    return unicodedata.normalize("NFKC", text).replace("i\u0307", "i").replace("\u00ad", "")


def limit_marks(text: str) -> str:
    """The text with runs of combining marks cut at 30.

    Longer runs are no text, and normalising them takes quadratic time.
    """
    if _FOREIGN_RUN.search(text) is None:  # nearly every text in an alphabet
        return text
    classes = bytes(map(unicodedata.combining, text.translate(_BECOME_MARKS)))
    if len(text) <= _MAX_MARKS or not re.search(rb"[^\x00]{%d}" % (_MAX_MARKS + 1), classes):
        return text
    characters = []
    run = 0
    for character, combining in zip(text, classes, strict=True):
        run = run + 1 if combining else 0
        if run <= _MAX_MARKS:
            characters.append(character)
    return "".join(characters)


def composed(text: str) -> str:
    """NFKC, once piled-up marks are gone."""
    return unicodedata.normalize("NFKC", limit_marks(text))


def _bare(word: str) -> str:
    """The word without apostrophes, and without a clitic or case ending after the last one."""
    head, *parts = _APOSTROPHE.split(word)
    if parts and parts[-1] in _CLITICS:
        parts.pop()
    return head + "".join(parts)


@cached_by_language(_STEM_CACHE)
def _terms(word: str) -> tuple[str, ...]:
    """The index tokens of a folded word; none for a stop-word and for marks without a letter.

    The first one depends on the word form alone. In a text of another language its stem is the
    second one, if it differs.
    """
    bare = _bare(word)[:_MAX_LENGTH]
    if bare in _FOLDED_STOPWORDS or not any(map(str.isalnum, bare)):
        return ()
    term = _plain(_stem(bare))
    codes = current()
    if codes == DEFAULT:
        return (term,)
    rules = LANGUAGES[codes[0]].words
    opening, *rest = _APOSTROPHE.split(word, maxsplit=1)
    own = _bare(rest[0])[:_MAX_LENGTH] if rest and opening in rules.elisions else bare
    if not own or own in rules.stop_words:
        return ()
    return tuple(dict.fromkeys((term, _plain(rules.stem(own)))))


def _plain(word: str) -> str:
    """The word without accents, with letters that people replace when they lack them: Søren, Łódź.

    The letters of Turkish and of German umlauts stay: they make other words.
    """
    return word if word.isascii() else word.translate(_REPLACED)


def _stem(word: str) -> str:
    if len(word) < 3 or not _VOWEL.search(word):
        return word
    owner = _owner(word)
    if owner:
        return _common_stem(owner.stem(word))
    stem = _common_stem(word)
    # A plural s hides the shape of a language that the same word shows without it; both must become
    # one token.
    owner = _owner(stem) if word == stem + "s" else None
    return _common_stem(owner.stem(stem)) if owner else stem


def _owner(word: str) -> WordRules | None:
    """The language that a folded word shows by itself."""
    for words in _DISTINCT:
        if words.owns and words.owns(word):
            return words
    return None


def _common_stem(word: str) -> str:
    """The stem by the languages whose words nothing distinguishes."""
    for words in _COMMON:
        word = words.stem(word)
    return word


def _bigrams(run: str) -> Iterator[str]:
    """Pairs of neighbouring characters with their marks.

    A lone character and each Han character also by itself.
    """
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
        if (
            left >= "\u3400"
            and not "\ua960" <= left <= "\ud7ff"
            and not "\uff66" <= left <= "\uffdc"
        ):
            yield left
        if right:
            yield left + right


def _date(match: re.Match[str]) -> list[str]:
    year = match["year"] or match["year2"]
    month = int(match["month"] or match["month2"])
    day = int(match["day"] or match["day2"])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return [match.group()]
    return [f"{year}-{month:02}-{day:02}", year, _MONTH_TOKENS[month - 1], str(day)]


# Index keys and tokens name months in English.
_MONTH_TOKENS = tuple(_stem(_fold(name)) for name in LANGUAGES["en"].time.month_names)
_FOLDED_STOPWORDS = frozenset(_fold(word) for rules in _DEFAULT_RULES for word in rules.stop_words)


def held_stems(own: set[str], told: set[str]) -> set[str]:
    """The stems of a text that were told, also in a longer or a shorter form: "allerg" in "allergi"."""
    long = [stem for stem in told if len(stem) >= SHORTEST_FORM]
    return (own & told) | {
        stem
        for stem in own
        if len(stem) >= SHORTEST_FORM
        and any(stem.startswith(other) or other.startswith(stem) for other in long)
    }
