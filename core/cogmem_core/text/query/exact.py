"""Whether a text holds a name or an identifier as a whole, and not as a part of a longer one. Pure, no I/O.

Both sides are folded alike: NFKC, letter case, white space, shapes of quotes and hyphens,
separators of telephone, card and account numbers, `https` and `http`. The path of a URL keeps its
case, because `/aB` and `/ab` are two pages. A capital I or İ meets i, and a capital I meets ı; i
and ı do not meet.
"""

# ruff: noqa: RUF001, RUF002 - Turkish is spelt in Turkish, and quotes have many shapes

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from cogmem_core.languages.tables import lazy_pattern
from cogmem_core.text.folding import single_spaced, text_before
from cogmem_core.text.tokens import UNSPACED, composed, tokens

_SHAPES = str.maketrans(
    dict.fromkeys("\u2018\u2019\u02bc\u0060\u00b4", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2043\u2212", "-")
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", "")
)
_LETTERS = {"i": "[iIİ]", "I": "[Iiİı]", "İ": "[İiI]", "ı": "[ıI]"}
_CASED = lazy_pattern("[^Iİ]+")  # of these two the case says which letter is meant

_URL = lazy_pattern(
    r"(?P<scheme>[a-z][a-z0-9+.-]{0,20}://)?(?P<host>(?(scheme)[^\s<>\"'/?#]+|(?<![\w@.+%/-])"
    r"(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}(?=/)))(?P<path>[^\s<>\"']*)",
    re.IGNORECASE,
)
_HTTP = "http://"
_PLACES = lazy_pattern(r"[a-z][a-z0-9+.-]{0,20}://[^\s<>\"']+", re.IGNORECASE)
_PATHS = lazy_pattern(r"(?<![\w/.~-])(?:(?:~|\.{1,2})?(?:/[\w.-]+)+|[\w.-]+(?:/[\w.-]+){2,})")
_CLOSING = ".,;:!?*]}"

_DATE = (
    r"(?<![\w+./-])(?:[0-9]{4}(?P<mark>[-./])[0-9]{1,2}(?P=mark)[0-9]{1,2}|[0-9]{1,2}(?P<dot>[-./])[0-9]{1,2}(?P=dot)[0-9]{4}"
    r"|(?:19|20)[0-9]{2} ?- ?(?:19|20)[0-9]{2})(?![-./]?[0-9])"
)
_START = r"(?<![\w@.+%])(?<!\w-)"
_STOP = r"(?![\w@%]|[-.+]\w)"
_IBAN = (
    rf"{_START}[a-z]{{2}}[0-9]{{2}} ?[a-z0-9]{{4}}(?: ?[0-9]{{4}}){{1,6}}(?: ?[0-9]{{1,3}})?{_STOP}"
)
_SPACED = rf"{_START}[(+]{{0,2}}[0-9](?:[ ()-]{{0,3}}[0-9]){{6,40}}{_STOP}"
_DOTTED = rf"{_START}\+?[0-9]{{1,4}}(?:\.[0-9]{{2,4}}){{2,6}}{_STOP}"
_NUMBERS = lazy_pattern(f"(?P<date>{_DATE})|(?P<joined>{_IBAN}|{_SPACED}|{_DOTTED})", re.IGNORECASE)
_ADDRESS = lazy_pattern(
    r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}"
)  # the dots of an IP address tell numbers apart
_SEPARATORS = lazy_pattern("[ ().-]+")
_LONG_NUMBER = lazy_pattern("[0-9]{7,}")
_LEAST_DIGITS = 7

_WRAPPING = " .,;:!?\"'()[]{}<>"
_PREFIX = lazy_pattern("(?:mailto|tel):")
_IDENTIFIER = lazy_pattern(
    r"[@_\\+]|://|^[~.]{0,2}/|/.*/|[0-9]{7}|[^\W\d]\.[^\W\d]|[^\W\d_].*[0-9]|[0-9].*[^\W\d_]"
)
# English contractions and possessives, Turkish endings after the apostrophe of a name.
_ENDING = lazy_pattern(
    r"'(?:s|d|m|re|ve|ll|[yn]?[aeıiuüIİ]|n?[dt][ae](?:n|k[iİI])?|[yn]?l[ae]|l[ae]r(?:[ıiIİ]n?)?"
    r"|n?[ıiuüIİ]n|l[ıiuüIİ]k?|[dt][ıiuüIİ]r)(?![\w'])"
)
_GOES_ON = lazy_pattern(r"[\w@+#\\]|[-.&%~]\w|:[0-9:]|'\w")
_COMES_FROM = lazy_pattern(r"(?:[\w@+\\]|\w[-&%~]|::|\w'|(?<!\.)\.)\Z")
_NUMBER_GOES_ON = lazy_pattern("[,/][0-9]")
_NUMBER_COMES_FROM = lazy_pattern(r"[0-9][,:/]\Z")
_UNSPACED_LETTER = lazy_pattern(f"[{UNSPACED}]")
_AROUND = 24


class Naming:
    """What a query names, to be looked for in many texts.

    An identifier is a mail address, a handle, a URL, a path, a code, a number of seven digits or
    more: whatever has a mark, or digits among its letters, inside.

    Attributes:
        identifiers: those of the query, folded.
    """

    def __init__(self, query: str) -> None:
        core = _PREFIX.sub("", _folded(query).strip(_WRAPPING)).strip(_WRAPPING)
        chunks = [chunk.strip(_WRAPPING) for chunk in core.split()]
        identifiers = [chunk for chunk in chunks if _IDENTIFIER.search(chunk)]
        plain_chunks = [chunk for chunk in chunks if not _IDENTIFIER.search(chunk)]
        self._tokens = frozenset(tokens(query))
        self._whole = _pattern(core) if core else None
        self.identifiers = tuple(identifiers)
        self._identifiers = [_pattern(chunk) for chunk in identifiers]
        self._words = frozenset(tokens(" ".join(plain_chunks)))

    def exact(self, text: str) -> bool:
        """Whether the query stands in the text as a whole: word for word, nothing adjoining it.

        Letters, digits and `_ @ +` adjoin; so does one `.`, `-`, `&` or apostrophe with a letter or
        digit behind it. The end of a sentence, a possessive, brackets and quotes do not. Stop-words
        alone name nothing.
        """
        if self._whole is None or not self._tokens:
            return False
        return _stands(self._whole, _folded(text))

    def loose(self, text: str) -> bool:
        """Whether the text holds all identifiers of the query as a whole, and all its other words in some form."""
        if self._whole is None or not self._tokens:
            return False
        folded = _folded(text)
        if _stands(self._whole, folded):
            return True
        if not all(_stands(pattern, folded) for pattern in self._identifiers):
            return False
        if not self._words:
            return bool(self._identifiers)
        return self._words <= set(tokens(_LONG_NUMBER.sub(" ", folded)))

    def near(self, text: str) -> bool:
        """Whether the text may be meant: it holds all words, or an identifier as a part of a longer one."""
        if self._tokens and self._tokens <= set(tokens(text)):
            return True
        folded = _folded(text)
        if not self._tokens:
            return self._whole is not None and _stands(self._whole, folded)
        return any(pattern.search(folded) for pattern in self._identifiers)


def _folded(text: str) -> str:
    text = composed(text).translate(_SHAPES)
    return _rewritten(single_spaced(text), _URL, _address, _plain)


def _rewritten(
    text: str,
    pattern: re.Pattern[str],
    matched: Callable[[re.Match[str]], str],
    between: Callable[[str], str],
) -> str:
    """A text with its matches written in one way, and what stands between them in another."""
    pieces = []
    position = 0
    for match in pattern.finditer(text):
        pieces += [between(text[position : match.start()]), matched(match)]
        position = match.end()
    return "".join([*pieces, between(text[position:])])


def _plain(text: str) -> str:
    """Outside of URLs: one case, and numbers without separators."""
    return _NUMBERS.sub(_joined, _uncased(text))


def _uncased(text: str) -> str:
    text = _CASED.sub(lambda match: match.group().casefold(), text)
    return unicodedata.normalize("NFKC", text.replace("i\u0307", "i"))


def _joined(match: re.Match[str]) -> str:
    number = match.group()
    if match["date"] or _ADDRESS.fullmatch(number):
        return number
    bare = _SEPARATORS.sub("", number)
    return bare if sum(map(str.isdigit, bare)) >= _LEAST_DIGITS else number


def _address(match: re.Match[str]) -> str:
    """A URL with its scheme, in one case up to its path, without a closing slash."""
    scheme = (match["scheme"] or _HTTP).lower().replace("https://", _HTTP)
    path = match["path"]
    address = _trimmed(path)
    return scheme + match["host"].casefold() + address.removesuffix("/") + path[len(address) :]


def _trimmed(address: str) -> str:
    """Without the marks of the sentence, or of the brackets, around it."""
    closing = _CLOSING if "(" in address else _CLOSING + ")"
    return address.rstrip(closing)


def _pattern(folded: str) -> re.Pattern[str]:
    written = _rewritten(folded, _PLACES, lambda match: re.escape(match.group()), _lettered)
    return re.compile(written)


def _lettered(folded: str) -> str:
    return "".join(_LETTERS.get(letter) or re.escape(letter) for letter in folded)


def _stands(pattern: re.Pattern[str], folded: str) -> bool:
    places = list(_places(folded)) if "/" in folded else []
    match = pattern.search(folded)
    while match is not None:
        start, end = match.span()
        if _whole(folded, start, end) and all(_covers(start, end, *place) for place in places):
            return True
        match = pattern.search(folded, start + 1)
    return False


def _places(folded: str) -> Iterator[tuple[int, int, int]]:
    """Of URLs and paths: where each begins, where it begins without `http://`, and where it ends."""
    for match in _PLACES.finditer(folded):
        bare = len(_HTTP) if match.group().startswith(_HTTP) else 0
        yield match.start(), match.start() + bare, match.start() + len(_trimmed(match.group()))
    for match in _PATHS.finditer(folded):
        yield match.start(), match.start(), match.start() + len(_trimmed(match.group()))


def _covers(start: int, end: int, begin: int, bare: int, stop: int) -> bool:
    """Whether a match lies apart from a URL or path, or takes in all of it."""
    apart = end <= begin or start >= stop
    return apart or ((start <= begin or start == bare) and end >= stop)


def _whole(text: str, start: int, end: int) -> bool:
    return not (_adjoins_before(text, start) or _adjoins_after(text, end))


def _adjoins_after(text: str, end: int) -> bool:
    following = text[end : end + _AROUND]
    edge = text[end - 1]
    if not following or _apart(edge, following[0]) or _ENDING.match(following):
        return False
    if unicodedata.category(following[0])[0] == "M":
        return True
    return bool(_GOES_ON.match(following) or (edge.isdigit() and _NUMBER_GOES_ON.match(following)))


def _adjoins_before(text: str, start: int) -> bool:
    preceding = text_before(text, start, _AROUND)
    edge = text[start]
    if not preceding or _apart(edge, preceding[-1]):
        return False
    if unicodedata.category(preceding[-1])[0] == "M" or (preceding[-1] == "#" and edge.isalpha()):
        return True
    return bool(
        _COMES_FROM.search(preceding) or (edge.isdigit() and _NUMBER_COMES_FROM.search(preceding))
    )


def _apart(edge: str, neighbour: str) -> bool:
    """Whether two characters never belong to one word: a symbol, or scripts with and without spaces."""
    if unicodedata.category(edge) == "So" or not neighbour.isalnum():
        return unicodedata.category(edge) == "So"
    return bool(_UNSPACED_LETTER.match(edge)) is not bool(_UNSPACED_LETTER.match(neighbour))
