"""Put the name of what was last spoken of in the place of a pronoun. English and Turkish; pure, and cautious.

Only the first pronoun of each kind is replaced, and only if nothing that fits is named before it in the same text:
what follows is then clear by itself. "It" stays where it stands for nothing ("it is raining").
"""

# ruff: noqa: RUF001, RUF002 - Turkish is spelt in Turkish

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from cogmem_core.text.folding import inside, quoted_spans

__all__ = ["Known", "resolve_pronouns"]


class Known(NamedTuple):
    """Something spoken of before.

    Attributes:
        name: as it is written.
        kind: `female`, `male` or `person` for people, `group` or `org` for several, anything else for a thing.
    """

    name: str
    kind: str


_PEOPLE = ("female", "male", "person")
_FITTING: dict[str, tuple[str, ...]] = {
    "he": ("male", "person"),
    "she": ("female", "person"),
    "they": ("group", "org"),
}
_CASES: dict[str, tuple[str, str]] = {
    "he": ("he", "subject"), "him": ("he", "object"), "his": ("he", "owner"),
    "she": ("she", "subject"), "her": ("she", "owner or object"), "hers": ("she", "owner"),
    "it": ("it", "object"), "its": ("it", "owner"),
    "they": ("they", "subject"), "them": ("they", "object"), "their": ("they", "owner"),
}  # fmt: skip
_PRONOUN = re.compile(
    r"\b(?:he|him|his|she|her|hers|it|its|they|them|their)\b(?P<is>['\u2019]s\b)?(?!['\u2019])", re.IGNORECASE
)
_EMPTY_IT = re.compile(
    r"it(?:['\u2019]s|\s+(?:is|was|will\s+be|has\s+been))?\s+(?:not\s+|so\s+|very\s+|too\s+|really\s+|a\s+)?"
    r"(?:raining|rains|rained|snow\w*|sunny|cloudy|cold|hot|warm|late|early|dark|time|seem\w*|appear\w*|looks?\s+like"
    r"|takes?|took|turns?|hard|easy|difficult|possible|impossible|important|nice|great|good|fine|okay|ok|fun|true|clear|likely"
    r"|pity|shame|been|worth|\d+|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
    re.IGNORECASE,
)
_HAS = re.compile(r"\s+(?:been|got|had|gone|become|done)\b")
_NOT_NOUNS = (
    r"(?:at|in|on|to|for|from|with|and|or|but|by|about|again|today|yesterday|tomorrow|last|next|very"
    r"|so|as|when|a|an|the)"
)
_OBJECT_HER = re.compile(rf"her(?:\s*(?:[.,;!?]|$)|\s+{_NOT_NOUNS}\b)", re.IGNORECASE)


def resolve_pronouns(text: str, known: Sequence[Known], *, speaker: str = "User") -> str:
    """Replace pronouns by the last known entity of fitting kind.

    Args:
        text: one fact.
        known: what was spoken of before it, the latest last.
        speaker: how the text names its speaker; "their" after that name is the speaker's.
    """
    if not known:
        return text
    spans, done, pieces, position = quoted_spans(text), set[str](), [], 0
    for match in _PRONOUN.finditer(text):
        who, case = _CASES[re.split("['\u2019]", match.group().lower())[0]]
        if who in done or inside(match.start(), spans) or (who == "it" and _EMPTY_IT.match(text, match.start())):
            continue
        done.add(who)
        name = _fitting(who, known)
        if (
            name is None
            or (who == "they" and speaker in text[: match.start()])
            or _named_before(text[: match.start()], known, who)
        ):
            continue
        owner = case == "owner" or (case == "owner or object" and not _OBJECT_HER.match(text, match.start()))
        verb = (" has" if _HAS.match(text, match.end()) else " is") if match["is"] else ""
        pieces += [text[position : match.start()], (f"{name}'s" if owner else name) + verb]
        position = match.end()
    return _resolve_turkish("".join(pieces) + text[position:], known)


def _fits(kind: str, who: str) -> bool:
    return kind in _FITTING[who] if who in _FITTING else kind not in (*_PEOPLE, "group")


def _fitting(who: str, known: Sequence[Known]) -> str | None:
    """The last entity that fits; a person of known sex before one whose sex is not known."""
    fitting = [one for one in reversed(known) if _fits(one.kind, who)]
    sure = [one for one in fitting if one.kind in ("female", "male")]
    return (sure or fitting)[0].name if fitting else None


def _named_before(before: str, known: Sequence[Known], who: str) -> bool:
    """Whether the text itself names whom the pronoun may mean: a known entity, or for people any capitalised word."""
    if any(one.name in before for one in known if _fits(one.kind, who)):
        return True
    capitals = re.findall(r"(?<![.!?]\s)(?<!^)\b[A-Z][^\W\d_]+", before)
    return who in ("he", "she") and bool(capitals)


_TURKISH_CASES = {"onun": "genitive", "onu": "accusative", "ona": "dative", "onda": "locative", "ondan": "ablative"}
_TURKISH_PRONOUN = re.compile(
    r"(?:^|(?<=[.!?]\s))(?P<o>[Oo])(?=,|\s+(?:da|de|ise|hâlâ|hala|hep|artık|şimdi|bugün|dün|yarın|çok|asla|genelde)\b)"
    r"|\b(?P<case>[Oo]n(?:un|u|a|da|dan))\b(?!\s+(?:kadar|göre|üzerine|sonra|önce|için|bir|iki|üç|dört|beş))"
)
_ENGLISH_HINT = re.compile(r"\b(?:the|is|was|are|were|and|to|of|has|have|with|for|in)\b", re.IGNORECASE)
_HARMONY = {"a": "ı", "ı": "ı", "e": "i", "i": "i", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}


def _resolve_turkish(text: str, known: Sequence[Known]) -> str:
    """The first `o` that stands by itself, or the first of its case forms: `onun kedisi`, `Ayşe'nin kedisi`."""
    if _ENGLISH_HINT.search(text):
        return text
    spans = quoted_spans(text)
    for match in _TURKISH_PRONOUN.finditer(text):
        people = [one for one in known if one.kind in _PEOPLE]
        name = (people or list(known))[-1].name
        if inside(match.start(), spans) or any(one.name in text[: match.start()] for one in known):
            return text
        case = _TURKISH_CASES.get((match["case"] or "").lower())
        return text[: match.start()] + name + (turkish_ending(name, case) if case else "") + text[match.end() :]
    return text


def turkish_ending(name: str, case: str) -> str:
    """The case ending of a name, by vowel harmony: `'nin`, `'ı`, `'ye`, `'ta`, `'dan`."""
    letters = [letter for letter in name.replace("I", "ı").replace("İ", "i").lower() if letter.isalpha()]
    vowels = [letter for letter in letters if letter in _HARMONY]
    close = _HARMONY[vowels[-1]] if vowels else "i"
    wide = "a" if close in "ıu" else "e"
    open_end = bool(letters) and letters[-1] in _HARMONY
    stop = "t" if letters and letters[-1] in "fstkçşhp" else "d"
    return (
        "'"
        + {
            "genitive": f"{'n' if open_end else ''}{close}n",
            "accusative": f"{'y' if open_end else ''}{close}",
            "dative": f"{'y' if open_end else ''}{wide}",
            "locative": f"{stop}{wide}",
            "ablative": f"{stop}{wide}n",
        }[case]
    )
