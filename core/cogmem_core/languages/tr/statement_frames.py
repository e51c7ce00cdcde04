"""Turkish: frames of plain statements, folded, and how a match of one is read."""

# ruff: noqa: RUF001, RUF002, RUF003 - Turkish is spelt in Turkish

from __future__ import annotations

import re

from cogmem_core.languages.base import SPEAKER, AttributeParts, Frame
from cogmem_core.languages.tables import stems, words

# Stems that take a possessive ending (`adım`, `numarası`), and what they name.
_HEADS = {
    "ad": "name",
    "isim": "name",
    "ism": "name",
    "soyad": "surname",
    "yas": "age",
    "boy": "height",
    "kilo": "weight",
    "numara": "number",
    "beden": "size",
    "adres": "address",
    "sifre": "password",
    "maas": "salary",
    "meslek": "job",
    "kira": "rent",
    "butce": "budget",
    "fiyat": "price",
    "dogum gun": "birthday",
    "dogum tarih": "birthday",
    "patron": "boss",
    "mudur": "manager",
    "doktor": "doctor",
    "es": "spouse",
    "kari": "spouse",
    "koca": "spouse",
    "surum": "version",
    "son tarih": "deadline",
    "teslim tarih": "deadline",
}


def _nouns() -> dict[str, str]:
    """Heads as they are spelt before a possessive ending, where a last k becomes g: `mesleğim`."""
    nouns = dict(_HEADS)
    for stem, name in _HEADS.items():
        if stem.endswith("k"):
            nouns[stem[:-1] + "g"] = name
    return nouns


_NOUNS = _nouns()
# What a thing may have as well as a person, so that the thing stands in front: `proje bütçesi`.
_OWNERLESS = words("deadline version price budget")
_PROPER_NAME = re.compile(r"[^\W\d_a-zçğıöşü]")
# What is dreamt, wished or past.
_UNREAL = re.compile(r"(?:ruya|hayal|keske|belki|galiba|eskiden|once)")
_FIGURE = re.compile(r"\D{0,12}\d")
# What the value of an attribute begins with, in the original spelling: `patronum izinde` names
# nobody.
_VALUE_BEGINNINGS = {
    **dict.fromkeys(stems("boss manager doctor spouse name surname"), _PROPER_NAME),
    **dict.fromkeys(
        stems("age height weight number size salary rent budget price version"), _FIGURE
    ),
}
_STATES_OF_LIFE = {
    **dict.fromkeys(stems("evli bekar bosanmis nisanli dul"), "marital status"),
    **dict.fromkeys(stems("vegan vejetaryen"), "diet"),
    **dict.fromkeys(stems("emekli issiz"), "work status"),
}


def read(match: re.Match[str], name: str, original: str, frame: Frame) -> AttributeParts | None:
    """What a match of a frame says, by the name of the frame."""
    value = frame.value_of(match["v"])
    if name == "head":
        return _head(match, value, original, frame)
    if name in ("time", "day"):
        return match["s"], name, value
    if name in ("likes", "number of", "favourite"):
        denied = re.match(r"sevm|nefret", value) is not None
        liking = "no" if denied else "yes"
        return SPEAKER, f"{name} {match['d']}", liking if name == "likes" else value
    return _plain(match, name, value, original)


def _is_proper(match: re.Match[str], original: str) -> bool:
    """Whether the value is a name: with a capital, or, where it opens the text, with an apostrophe."""
    start = match.start("v")
    marked = match.string[match.end("v") :][:1] == "'"
    return original[start].isupper() and (marked or start > 0)


def _plain(match: re.Match[str], name: str, value: str, original: str) -> AttributeParts | None:
    groups = match.groupdict()
    subject = groups["s"]
    if subject and _UNREAL.match(subject):
        return None
    if groups["p"] or not subject or subject in ("ben", "artik", "simdi"):
        subject = SPEAKER
    elif not original[:1].isupper():
        return None
    if name in ("residence", "employer") and not _is_proper(match, original):
        return None
    if name == "state":
        name = _STATES_OF_LIFE[value]
    elif name == "dose" and groups["d"]:
        name = f"dose of {groups['d']}"
    return subject, name, value


def _head(match: re.Match[str], value: str, original: str, frame: Frame) -> AttributeParts | None:
    """`Ayakkabı numaram 40`, `Ayşe'nin yaşı 12`: the owner is in the ending or before it."""
    own = match["p"].endswith("m")
    attribute = _NOUNS[match["h"]]
    thing = match["o"].strip()
    beginning = _VALUE_BEGINNINGS.get(attribute)
    if beginning and not beginning.match(original, match.start("v")):
        return None
    if not value or value.split(" ", maxsplit=1)[0] in frame.empty_values:
        return None
    if thing and not own and not match["s"] and attribute in _OWNERLESS:
        return thing, attribute, value
    if own == bool(match["s"]):
        return None
    owner = SPEAKER if own else match["s"]
    return f"{owner}'s {thing}" if thing else owner, attribute, value
