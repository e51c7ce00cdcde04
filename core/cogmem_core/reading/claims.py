"""What a text claims, in forms that survive a rewriting: to know a value again that was rejected. Pure.

Each clause of a text has up to three forms: its words in one spelling; its slot with the stems of the
value; and the set of all its stems, whatever their order. Letter case, letters
that only look alike, the shapes of digits, number words and signs of currencies and units make no
difference; negation does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from cogmem_core.base.lru import text_cache
from cogmem_core.reading import of
from cogmem_core.reading.cut import LONGEST, sentences
from cogmem_core.reading.facts import negates
from cogmem_core.reading.model import Clause
from cogmem_core.reading.pack import Pack, pack_of
from cogmem_core.text.folding import fold_letters, single_spaced
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import NUMBERS, STOPWORDS

Claim = frozenset[str]
"""The forms of one clause; two with a form in common claim the same."""

_LOOK_ALIKE = str.maketrans(
    dict(
        zip(
            "аеорсухіјѕԁһӏԛԝкмтнвАЕОРСУХІЈЅКМТНВЁёαονρτυικΑΒΕΖΗΙΚΜΝΟΡΤΥΧɑɡıℓ",
            "aeopcyxijsdhlqwkmthbAEOPCYXIJSKMTHBEeaovptuikABEZHIKMNOPTYXagil",
            strict=True,
        )
    )
)
_SIGNS = {
    "€": " euro ",
    "$": " dollar ",
    "£": " pound ",
    "¥": " yen ",
    "₺": " lira ",
    "₽": " ruble ",
    "₹": " rupee ",
    "%": " percent ",
    "℃": " celsius ",
    "&": " and ",
}
_SHORT = {
    "eur": "euro",
    "usd": "dollar",
    "gbp": "pound",
    "tl": "lira",
    "kg": "kilogram",
    "kgs": "kilogram",
    "kilo": "kilogram",
    "km": "kilometer",
    "kms": "kilometer",
    "kilometre": "kilometer",
    "kilometres": "kilometer",
    "cm": "centimeter",
    "centimetre": "centimeter",
    "centimetres": "centimeter",
    "mg": "milligram",
    "ml": "milliliter",
    "hrs": "hour",
    "hr": "hour",
    "mins": "minute",
    "min": "minute",
}
UNITS = frozenset(_SHORT.values())
"""Units in their one spelling."""
_GROUPED = re.compile(r"(?<=\d)[ '\u00a0\u202f_](?=\d{3}(?!\d))")
_POINTED = re.compile(r"(?<![\d.,])(\d{1,3})\.(\d{3})(?![\d.,]?\d)")
_LONG_NUMBER = re.compile(r"\+?\d(?:[ ()-]{0,3}\d){6,40}")
_THOUSANDS = re.compile(r"\b(\d+(?:[.,]\d+)?) ?k\b")
_NUMBER_AND_UNIT = re.compile(r"(?<=\d)(?=[^\W\d_]{1,12}\b)")
_LATIN = re.compile("[A-Za-z]")
_OTHER = re.compile("[\u0370-\u04ff\u0500-\u052f]")
_HIDDEN = frozenset(("Cf", "Mn"))
_WORDS = re.compile(r"[^\W_]+(?:[.,:'@+-]{1,3}[^\W_]+)*")
_FEWEST_STEMS = 2  # of a set that stands for a statement
_STEM_LETTERS = 6
_MOST_CLAIMS = 24
_LONGEST = 4_000  # characters
_NEGATED = "not"
_SPEAKER = "speaker"


class Statement(NamedTuple):
    """A clause that tells something.

    Attributes:
        words: it, in one spelling.
        forms: what it claims.
        denied: "not", if it denies that.
        stems: its words that tell something, without names of who said it.
    """

    words: str
    forms: Claim
    denied: str
    stems: frozenset[str]


def claims(text: str, speaker: str | None = None) -> tuple[Claim, ...]:
    """The claims of a text, one for each of its clauses.

    Args:
        text: what was said, or written.
        speaker: who said it: his name and "the user" are one.
    """
    return tuple(dict.fromkeys(said.forms for said in statements(text, speaker)))


def statements(text: str, speaker: str | None = None) -> tuple[Statement, ...]:
    """The clauses of a text that tell something; arguments as of `claims`."""
    return _statements(text[:_LONGEST], fold_letters(speaker or ""))


def finer(text: str, speaker: str | None = None) -> Iterator[Statement]:
    """What each tells by itself that may be a sentence of a text, if there are several; also far behind in it."""
    pack = pack_of(of(text).language)
    spans = list(sentences(text, 0, min(len(text), LONGEST), pack, loosely=True))
    for start, end in spans if len(spans) > 1 else ():
        yield from statements(text[start:end], speaker)


def in_one_spelling(text: str) -> str:
    """The words of a text, whatever their case, and however numbers and look-alike letters are written."""
    return " ".join(_word(word) for word in _WORDS.findall(_one_spelling(text)))


@text_cache(1_024)
def _statements(text: str, speaker: str) -> tuple[Statement, ...]:
    found = of(_one_spelling(text))
    pack = pack_of(found.language)
    said = [clause for clause in found.clauses if clause.kind != "filler"][:_MOST_CLAIMS]
    made = (_statement(clause, found.words(clause), speaker, pack) for clause in said)
    return tuple(statement for statement in made if statement.forms)


def _statement(clause: Clause, statement: str, speaker: str, pack: Pack) -> Statement:
    words = [_word(word) for word in _WORDS.findall(statement)]
    users = pack.words["users"]
    names = frozenset(tokens(" ".join((speaker, *users))))
    told = bool(clause.denies) or negates(statement, pack)
    denied = _NEGATED if clause.negative or (told and not clause.framed) else ""
    text = " ".join(words)
    forms = {f"words {text}"} if words else set[str]()
    stems = {beginning(stem) for stem in tokens(text) if stem not in names}
    if len(stems) >= _FEWEST_STEMS:
        forms.add(f"stems {denied} {' '.join(sorted(stems))}")
    if clause.framed and clause.plain:
        forms.add(_slot(clause, denied, frozenset((*users, *speaker.split())), pack))
    return Statement(text, frozenset(forms), denied, frozenset(stems))


def beginning(stem: str) -> str:
    """Of a word its beginning: "allergic" and "allergy" are one; of a number all."""
    return stem[:_STEM_LETTERS] if stem.isalpha() else stem


def _slot(clause: Clause, denied: str, users: frozenset[str], pack: Pack) -> str:
    """The slot of a clause and its value: "speaker home = oslo"; "my dog's name is" is "my dog is called"."""
    subject = clause.subject.split()
    slot = clause.slot
    if subject[-1:] and slot == "be":
        named = next((each.name for each in pack.slots if subject[-1] in each.things), "")
        subject, slot = (subject[:-1], named) if named else (subject, slot)
    thing = [word for word in subject if word not in ("i", "we", "you", "my") and word not in users]
    owner = [] if thing == subject else [_SPEAKER]
    value = " ".join(map(_word, clause.value.split()))
    stems = " ".join(sorted(tokens(value))) or value
    return f"slot {' '.join((*owner, *thing))} {denied} {slot} = {stems}"


def _one_spelling(text: str) -> str:
    """Digits, signs and look-alike letters written one way."""
    text = unicodedata.normalize("NFKC", "".join(_SIGNS.get(sign, sign) for sign in text))
    text = "".join(_digit(sign) for sign in text if unicodedata.category(sign) not in _HIDDEN)
    if len(_LATIN.findall(text)) > len(_OTHER.findall(text)):
        text = text.translate(_LOOK_ALIKE)
    text = _LONG_NUMBER.sub(lambda match: "".join(filter(str.isdigit, match[0])), text)
    text = _POINTED.sub(r"\1\2", _GROUPED.sub("", text))
    text = _THOUSANDS.sub(lambda match: f"{match[1]}000" if match[1].isdigit() else match[0], text)
    return single_spaced(_NUMBER_AND_UNIT.sub(" ", text))


def _digit(sign: str) -> str:
    return str(unicodedata.digit(sign)) if unicodedata.category(sign) == "Nd" else sign


def _word(word: str) -> str:
    """A word in one spelling: numbers as figures, units in full."""
    folded = fold_letters(word)
    if folded in STOPWORDS:
        return folded
    return str(NUMBERS.get(folded, _SHORT.get(folded, folded)))
