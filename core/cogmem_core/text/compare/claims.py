"""What a text claims, in forms that survive a rewriting: to know a value again that was rejected. Pure.

A text is cut into its statements. Each has up to three forms: its words in one spelling; its slot
with the stems of the value; and the set of all its stems, whatever their order. Letter case, letters
that only look alike, the shapes of digits, number words and signs of currencies and units make no
difference; negation does.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import chain

from cogmem_core.base.lru import text_cache
from cogmem_core.languages.merged import Words, languages_read
from cogmem_core.text.compare.attributes import attribute_of
from cogmem_core.text.compare.wording import is_negative
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.sentences import split_facts
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import NUMBERS, STOPWORDS

Claim = frozenset[str]
"""The forms of one statement; two statements with a form in common claim the same."""

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
_GROUPED = re.compile(r"(?<=\d)[ '\u00a0\u202f_](?=\d{3}(?!\d))")
_POINTED = re.compile(r"(?<![\d.,])(\d{1,3})\.(\d{3})(?![\d.,]?\d)")
_LONG_NUMBER = re.compile(r"\+?\d(?:[ ()-]{0,3}\d){6,40}")
_THOUSANDS = re.compile(r"\b(\d+(?:[.,]\d+)?) ?k\b")
_NUMBER_AND_UNIT = re.compile(r"(?<=\d)(?=[^\W\d_]{1,12}\b)")
_LATIN = re.compile("[A-Za-z]")
_OTHER = re.compile("[\u0370-\u04ff\u0500-\u052f]")
_HIDDEN = frozenset(("Cf", "Mn"))
_PEOPLE = Words(
    lambda: chain.from_iterable(
        language.query.forgetting.people
        for language in languages_read()
        if language.query.forgetting
    )
)
_PEOPLE_STEMS = Words(lambda: tokens(" ".join(_PEOPLE)))
_WORDS = re.compile(r"[^\W_]+(?:[.,:'@+-]{1,3}[^\W_]+)*")
_FEWEST_STEMS = 2  # of a set that stands for a statement
_STEM_LETTERS = 6
_MOST_CLAIMS = 24
_LONGEST = 4_000  # characters
_NEGATED = "not"
_SPEAKER = "speaker"


def claims(text: str, speaker: str | None = None) -> tuple[Claim, ...]:
    """The claims of a text, one for each of its statements.

    Args:
        text: what was said, or written.
        speaker: who said it: his name and "the user" are one.
    """
    return _claims(text[:_LONGEST], fold_letters(speaker or ""))


@text_cache(1_024)
def _claims(text: str, speaker: str) -> tuple[Claim, ...]:
    plain = _one_spelling(text)
    found = [_claim(piece.text, speaker) for piece in split_facts(plain)[:_MOST_CLAIMS]]
    return tuple(dict.fromkeys(filter(None, found)))


def _claim(statement: str, speaker: str) -> Claim:
    words = [_word(word) for word in _WORDS.findall(statement)]
    names = frozenset(tokens(speaker)) | _PEOPLE_STEMS
    denied = _NEGATED if is_negative(statement) else ""
    forms = {f"words {' '.join(words)}"} if words else set[str]()
    stems = {_beginning(stem) for stem in tokens(" ".join(words)) if stem not in names}
    if len(stems) >= _FEWEST_STEMS:
        forms.add(f"stems {denied} {' '.join(sorted(stems))}")
    slot = _slot(statement, speaker)
    if slot:
        forms.add(slot)
    return frozenset(forms)


def _beginning(stem: str) -> str:
    """Of a word its beginning: "allergic" and "allergy" are one; of a number all."""
    return stem[:_STEM_LETTERS] if stem.isalpha() else stem


def _slot(statement: str, speaker: str) -> str:
    """The slot of a statement and its value: "speaker residence = oslo"; "" if it has none."""
    attribute = attribute_of(statement)
    if attribute is None:
        return ""
    subject = attribute.subject
    owner, mark, thing = subject.partition("'s ")
    if owner in (speaker, _SPEAKER) or owner in _PEOPLE:
        subject = f"{_SPEAKER}{mark}{thing}"
    value = " ".join(map(_word, attribute.value.split()))
    stems = " ".join(sorted(tokens(value))) or value
    return f"slot {subject} {attribute.attribute} = {stems}"


def _one_spelling(text: str) -> str:
    """Digits, signs and look-alike letters written one way."""
    text = unicodedata.normalize("NFKC", "".join(_SIGNS.get(sign, sign) for sign in text))
    text = "".join(_digit(sign) for sign in text if unicodedata.category(sign) not in _HIDDEN)
    if len(_LATIN.findall(text)) > len(_OTHER.findall(text)):
        text = text.translate(_LOOK_ALIKE)
    text = _LONG_NUMBER.sub(lambda match: "".join(filter(str.isdigit, match[0])), text)
    text = _POINTED.sub(r"\1\2", _GROUPED.sub("", text))
    text = _THOUSANDS.sub(lambda match: f"{match[1]}000" if match[1].isdigit() else match[0], text)
    return " ".join(_NUMBER_AND_UNIT.sub(" ", text).split())


def _digit(sign: str) -> str:
    return str(unicodedata.digit(sign)) if unicodedata.category(sign) == "Nd" else sign


def _word(word: str) -> str:
    """A word in one spelling: numbers as figures, units in full."""
    folded = fold_letters(word)
    if folded in STOPWORDS:
        return folded
    return str(NUMBERS.get(folded, _SHORT.get(folded, folded)))
