"""Personal data in text: mail addresses, telephone and card numbers, IBANs, IP addresses, ids.

A pattern proposes, a check decides: the shape of a domain, Luhn, mod 97, the check digits of a
Turkish identity number, the ranges of a US social security number, the letter of a Spanish DNI.
Linear time.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from ipaddress import ip_address
from itertools import starmap
from typing import Literal, NamedTuple, get_args

from cogmem_core.languages.merged import MergedPattern, guarding_patterns
from cogmem_core.languages.reading import in_its_language
from cogmem_core.text.folding import text_before
from cogmem_core.text.safety.secrets import find_numbers, without_spans

Kind = Literal["email", "phone", "iban", "card number", "ip address", "national id"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Personal(NamedTuple):
    """A stretch `text[start:end]` that tells who somebody is, or how to reach them."""

    kind: Kind
    start: int
    end: int


# Each repeats one class of characters, a bounded number of times.
_EMAIL = re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64}@[\w.-]{4,253}")
_DOMAIN = re.compile(r"[^\W_](?:[\w-]{0,62})(?:\.[^\W_][\w-]{0,62}){0,8}\.[^\W\d_]{2,24}")
_NUMBER = re.compile(
    r"(?<![\w.,/:#=@+-])(?:\+|\(\+?)?[0-9][0-9 ().-]{6,24}[0-9](?![\w@%]|[.,:/][0-9])"
)
_LABEL = MergedPattern(
    rf"\b(?:{guarding_patterns('safety.phone_labels')})\b[^0-9\n]{{0,16}}$",
    re.IGNORECASE,
)
_IPV4 = re.compile(r"(?<![\w.])[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![\w]|\.[0-9])")
_IPV6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f:]{6,39}(?![\w:])")
_VERSION = MergedPattern(
    rf"(?:{guarding_patterns('safety.version_labels')})[ .:]{{0,3}}$",
    re.IGNORECASE,
)
_ELEVEN = re.compile(r"(?<![\w.,/+-])[1-9][0-9]{10}(?![\w]|[.,-][0-9])")
_SSN = re.compile(r"(?<![\w-])[0-9]{3}-[0-9]{2}-[0-9]{4}(?![\w-])")
_DNI = re.compile(r"(?<![\w-])(?:[0-9]{8}|[XYZ][0-9]{7})-?[A-Z](?![\w-])")
_NINO = re.compile(
    r"(?<![\w-])[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D](?![\w-])"
)
_LOOK_BACK = 40


@in_its_language
def find_pii(text: str, kinds: Collection[str] = KINDS) -> tuple[Personal, ...]:
    """Find personal data of some kinds, in order; of two that overlap the first and longest counts.

    Takes time linear in the text. Names of people are not among the kinds.
    """
    if not kinds:
        return ()
    ordered = sorted(_all_personal(text), key=lambda personal: (personal.start, -personal.end))
    accepted: list[Personal] = []
    for personal in ordered:
        overlaps = bool(accepted) and personal.start < accepted[-1].end
        if personal.kind in kinds and not overlaps:
            accepted.append(personal)
    return tuple(accepted)


@in_its_language
def redact_pii(text: str, kinds: Collection[str] = KINDS) -> str:
    """Put `[redacted <kind>]` in the place of personal data of some kinds.

    Redacting twice changes nothing more.
    """
    return without_spans(text, find_pii(text, kinds))


def _all_personal(text: str) -> Iterator[Personal]:
    yield from starmap(Personal, find_numbers(text))
    if "@" in text:
        yield from _emails(text)
    yield from _ids(text)
    yield from _ip_addresses(text)
    for match in _NUMBER.finditer(text):
        if _is_phone(match.group(), text_before(text, match.start(), _LOOK_BACK)):
            yield Personal("phone", *match.span())


def _emails(text: str) -> Iterator[Personal]:
    for match in _EMAIL.finditer(text):
        local, _, host = match.group().partition("@")
        domain = _DOMAIN.match(host)
        if domain and local == local.strip(".") and ".." not in local:
            yield Personal("email", match.start(), match.start() + len(local) + 1 + domain.end())


def _ids(text: str) -> Iterator[Personal]:
    for pattern, is_valid in _NATIONAL_IDS:
        for match in pattern.finditer(text):
            if is_valid(match.group()):
                yield Personal("national id", *match.span())


def _is_turkish_id(digits: str) -> bool:
    """The tenth digit checks the nine before it, the eleventh the ten before it."""
    values = list(map(int, digits))
    tenth = (7 * sum(values[0:9:2]) - sum(values[1:8:2])) % 10
    return values[9] == tenth and values[10] == sum(values[:10]) % 10


def _is_american_id(spelling: str) -> bool:
    """Some areas, groups and serial numbers are never given."""
    area, group, serial = spelling.split("-")
    return area not in ("000", "666") and area < "900" and group != "00" and serial != "0000"


def _is_british_id(spelling: str) -> bool:
    """Some prefixes are never given."""
    return spelling[:2] not in ("BG", "GB", "KN", "NK", "NT", "TN", "ZZ")


def _is_spanish_id(spelling: str) -> bool:
    """The letter at the end checks the number; a letter in front stands for a digit."""
    digits = spelling[:-1].removesuffix("-")
    if digits[0] in "XYZ":
        digits = str("XYZ".find(digits[0])) + digits[1:]
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23] == spelling[-1]


_NATIONAL_IDS = (
    (_ELEVEN, _is_turkish_id),
    (_SSN, _is_american_id),
    (_DNI, _is_spanish_id),
    (_NINO, _is_british_id),
)


def _ip_addresses(text: str) -> Iterator[Personal]:
    for pattern in (_IPV4, _IPV6):
        for match in pattern.finditer(text):
            if pattern is _IPV6 and match.group().count(":") < 2:
                continue
            try:
                address = ip_address(match.group())
            except ValueError:
                continue
            if address.is_loopback or address.is_unspecified:
                continue
            if not _VERSION.search(text_before(text, match.start(), _LOOK_BACK)):
                yield Personal("ip address", *match.span())


def _is_phone(spelling: str, preceding: str) -> bool:
    """Whether digits are a telephone number.

    They are with a country code, as a Turkish or North American number is written, or behind a word
    that says so.
    """
    digits = "".join(filter(str.isdigit, spelling))
    if len(set(digits)) < 3 or re.fullmatch(r"[0-9]{1,4}([.-])[0-9]{1,2}\1[0-9]{1,4}", spelling):
        return False
    if "+" in spelling or spelling.startswith("00"):
        return 8 <= len(digits) <= 15
    if re.fullmatch(r"0?5[0-9]{9}|0[2348][0-9]{9}", digits):  # Turkish
        return True
    american = re.fullmatch(r"1?[2-9][0-9]{2}[2-9][0-9]{6}", digits) is not None
    if american and len(re.findall("[0-9]+", spelling)) >= 3:
        return True
    return 7 <= len(digits) <= 15 and _LABEL.search(preceding) is not None
