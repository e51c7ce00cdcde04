"""Personal data in text: mail addresses, telephone and card numbers, IBANs, IP addresses, national ids. Pure, linear.

A pattern proposes, a check decides: the shape of a domain, Luhn, mod 97, the check digits of a
    Turkish identity number,
the ranges of a US social security number, the letter of a Spanish DNI. Labels are read in English
and Turkish.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from ipaddress import ip_address
from itertools import starmap
from typing import Literal, NamedTuple, get_args

from cogmem_core.text.safety.secrets import find_numbers

__all__ = ["KINDS", "Kind", "Personal", "find_pii", "redact_pii"]

Kind = Literal["email", "phone", "iban", "card number", "ip address", "national id"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Personal(NamedTuple):
    """A stretch `text[start:end]` that tells who somebody is, or how to reach him."""

    kind: Kind
    start: int
    end: int


# Each repeats one class of characters, a bounded number of times.
_EMAIL = re.compile(r"(?<![\w.+%-])[\w.+%-]{1,64}@[\w.-]{4,253}")
_DOMAIN = re.compile(r"[^\W_](?:[\w-]{0,62})(?:\.[^\W_][\w-]{0,62}){0,8}\.[^\W\d_]{2,24}")
_NUMBER = re.compile(
    r"(?<![\w.,/:#=@+-])(?:\+|\(\+?)?[0-9][0-9 ().-]{6,24}[0-9](?![\w@%]|[.,:/][0-9])"
)
_LABEL = re.compile(
    r"\b(?:tel(?:ephone|efon)?\w{0,6}|phone|mobile|cell|fax|call(?: me)?(?: at| on)?|whats ?app|numara\w{0,4}"
    r"|cep\w{0,6}|ara)"
    r"\b[^0-9\n]{0,16}$",
    re.IGNORECASE,
)
_IPV4 = re.compile(r"(?<![\w.])[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![\w]|\.[0-9])")
_IPV6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f:]{6,39}(?![\w:])")
_VERSION = re.compile(r"(?:\bv|version|release|sürüm|schema|build)[ .:]{0,3}$", re.IGNORECASE)
_ELEVEN = re.compile(r"(?<![\w.,/+-])[1-9][0-9]{10}(?![\w]|[.,-][0-9])")
_SSN = re.compile(r"(?<![\w-])[0-9]{3}-[0-9]{2}-[0-9]{4}(?![\w-])")
_DNI = re.compile(r"(?<![\w-])(?:[0-9]{8}|[XYZ][0-9]{7})-?[A-Z](?![\w-])")
_NINO = re.compile(
    r"(?<![\w-])[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D](?![\w-])"
)
_LOOK_BACK = 40


def find_pii(text: str, kinds: Collection[str] = KINDS) -> tuple[Personal, ...]:
    """Find personal data of some kinds, in order; where two overlap the first and longest one counts.

    Takes time linear in the text. Names of people are none of them.
    """
    found = sorted(_all(text), key=lambda one: (one.start, -one.end))
    kept: list[Personal] = []
    for one in found:
        if one.kind in kinds and not (kept and one.start < kept[-1].end):
            kept.append(one)
    return tuple(kept)


def redact_pii(text: str, kinds: Collection[str] = KINDS) -> str:
    """Put `[redacted <kind>]` in the place of personal data of some kinds.

    Doing it twice changes nothing more.
    """
    pieces = []
    position = 0
    for one in find_pii(text, kinds):
        pieces += [text[position : one.start], f"[redacted {one.kind}]"]
        position = one.end
    return "".join([*pieces, text[position:]]) if pieces else text


def _all(text: str) -> Iterator[Personal]:
    yield from starmap(Personal, find_numbers(text))
    if "@" in text:
        yield from _emails(text)
    yield from _ids(text)
    yield from _addresses(text)
    for match in _NUMBER.finditer(text):
        if _is_phone(match.group(), text[max(0, match.start() - _LOOK_BACK) : match.start()]):
            yield Personal("phone", *match.span())


def _emails(text: str) -> Iterator[Personal]:
    for match in _EMAIL.finditer(text):
        local, _, rest = match.group().partition("@")
        domain = _DOMAIN.match(rest)
        if domain and not local.startswith(".") and not local.endswith(".") and ".." not in local:
            yield Personal("email", match.start(), match.start() + len(local) + 1 + domain.end())


def _ids(text: str) -> Iterator[Personal]:
    for match in _ELEVEN.finditer(text):
        if _is_turkish(match.group()):
            yield Personal("national id", *match.span())
    for match in _SSN.finditer(text):
        area, group, serial = match.group().split("-")
        if area not in ("000", "666") and area < "900" and group != "00" and serial != "0000":
            yield Personal("national id", *match.span())
    for match in _DNI.finditer(text):
        digits = match.group()[:-1].rstrip("-")
        letter = match.group()[-1]
        number = int(str("XYZ".find(digits[0])) + digits[1:] if digits[0] in "XYZ" else digits)
        if "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23] == letter:
            yield Personal("national id", *match.span())
    for match in _NINO.finditer(text):
        if match.group()[:2] not in ("BG", "GB", "KN", "NK", "NT", "TN", "ZZ"):
            yield Personal("national id", *match.span())


def _is_turkish(digits: str) -> bool:
    """The tenth digit checks the nine before it, the eleventh the ten before it."""
    d = [int(digit) for digit in digits]
    tenth = (7 * sum(d[0:9:2]) - sum(d[1:8:2])) % 10
    return d[9] == tenth and d[10] == sum(d[:10]) % 10


def _addresses(text: str) -> Iterator[Personal]:
    for pattern in (_IPV4, _IPV6):
        for match in pattern.finditer(text):
            if pattern is _IPV6 and match.group().count(":") < 2:
                continue
            try:
                address = ip_address(match.group())
            except ValueError:
                continue
            before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
            if not (address.is_loopback or address.is_unspecified or _VERSION.search(before)):
                yield Personal("ip address", *match.span())


def _is_phone(shown: str, before: str) -> bool:
    """With a country code, as a Turkish or North American number is written, or behind a word that says so."""
    digits = "".join(filter(str.isdigit, shown))
    if len(set(digits)) < 3 or re.fullmatch(r"[0-9]{1,4}([.-])[0-9]{1,2}\1[0-9]{1,4}", shown):
        return False
    if "+" in shown or shown.startswith("00"):
        return 8 <= len(digits) <= 15
    groups = re.findall("[0-9]+", shown)
    turkish = re.fullmatch(r"0?5[0-9]{9}|0[2348][0-9]{9}", digits) is not None
    american = (
        re.fullmatch(r"1?[2-9][0-9]{2}[2-9][0-9]{6}", digits) is not None and len(groups) >= 3
    )
    return turkish or american or (7 <= len(digits) <= 15 and _LABEL.search(before) is not None)
