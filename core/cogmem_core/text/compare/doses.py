"""How much of a medicine somebody takes, and whether a newer message tells another dose of it. Pure.

A dose is told in passing, of somebody who was named before: "Skinny and loud. She takes 2.5 mg once
a day". What this finds is a doubt, never enough to retire anything.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from cogmem_core.languages.merged import (
    AnyPattern,
    MergedPattern,
    all_patterns,
    all_words,
    any_word,
    filled,
)
from cogmem_core.languages.reading import cached_by_language
from cogmem_core.text.compare.slots import is_own_claim
from cogmem_core.text.compare.wording import folded_words
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import PARTS_OF_DAY


class _Dose(NamedTuple):
    """How much somebody takes.

    Attributes:
        taker: who is named right before it; `i` for the speaker; empty for "she" and "it".
        pronoun: the word that stands for whoever takes it; empty if nobody is mentioned.
        unit: of the figure.
        drug: of what; empty if that is not said.
        parts: of the day at which it is taken.
        told: what is said from the figure on.
    """

    taker: str
    pronoun: str
    unit: str
    drug: str
    parts: frozenset[str]
    told: str


_UNITS = all_patterns(lambda language: language.compare.attributes.dose_units)
_NUMBERS = any_word(all_words(lambda language: language.compare.wording.number_words))
_FIGURE = rf"(?:\d+(?:[.,]\d+)?|{_NUMBERS})\s?(?P<u>{_UNITS})\b"
_TAKEN = AnyPattern(
    lambda language: language.compare.slots.doses.replace("<dose>", filled(_FIGURE))
)
_PRONOUNS = all_words(lambda language: language.compare.slots.takers)
_SELVES = all_words(lambda language: language.compare.slots.selves)
_BESIDES = MergedPattern(all_patterns(lambda language: language.compare.revisions.besides))
_TOLD_END = re.compile(r"[!?\n]|\.(?!\d)")
_CLAUSE_MARK = re.compile(r"[,.;:!?\n]")
_WORD = re.compile(r"[^\W\d_][^\s,.;:!?]*")
_NEAREST = 4  # words from who takes it to the figure
_LEAST_COMMON = 2  # stems of messages that speak of "her" and of "it"


def other_dose(new: str, old: str) -> str:
    """How a newer message of the same speaker tells another dose; empty if it does not.

    Args:
        new: a message.
        old: an earlier one.
    """
    for dose in _doses_of(new[:MAX_INPUT]):
        for former in _doses_of(old[:MAX_INPUT]):
            if dose.told != former.told and _of_one_course(dose, former, new, old):
                return f"dose: {former.told.strip()}, now {dose.told.strip()}"
    return ""


def unclear_doses(new: str, olds: Collection[str]) -> frozenset[str]:
    """The older messages of which a newer one may tell another dose, if nobody can say which is meant.

    "My GP bumped me up to 75 mcg" is clear beside one medicine that is counted so, not beside two.

    Args:
        new: a message.
        olds: what is known of the same speaker.
    """
    meant = {old: _former_drugs(new, old) for old in olds}
    drugs = frozenset[str]().union(*meant.values())
    return (
        frozenset(old for old, named in meant.items() if named) if len(drugs) > 1 else frozenset()
    )


def _former_drugs(new: str, old: str) -> frozenset[str]:
    """The medicines of an older message of which a newer one, that names none, may tell another dose."""
    return frozenset(
        former.drug
        for dose in _doses_of(new[:MAX_INPUT])
        for former in _doses_of(old[:MAX_INPUT])
        if former.drug and not dose.drug and _of_one_course(dose, former, new, old)
    )


@cached_by_language(2_048)
def _doses_of(text: str) -> tuple[_Dose, ...]:
    folded = fold_letters(text)
    doses: list[_Dose] = []
    for match in _TAKEN.finditer(folded):
        end = _TOLD_END.search(folded, match.end("v"))
        told = folded[match.start("v") : end.start() if end else len(folded)]
        clause = _CLAUSE_MARK.split(folded[: match.start()])[-1]
        besides = _BESIDES.search(f"{clause} {told}")
        if besides or not is_own_claim(folded, match.start(), whose=False):
            continue
        before = match["d0"] or ""
        taker, pronoun = _taker(text[: match.start("d0" if before else "v")])
        parts = frozenset(word for word in folded_words(told) if word in PARTS_OF_DAY)
        doses.append(_Dose(taker, pronoun, match["u"], match["d"] or before, parts, told))
    return tuple(doses)


def _taker(before: str) -> tuple[str, str]:
    """Who takes a dose, by name or as "i", and the pronoun that stands there instead."""
    for word in reversed(_WORD.findall(before)[-_NEAREST:]):
        folded = fold_letters(word).partition("'")[0]
        if folded in _SELVES:
            return "i", ""
        if folded in _PRONOUNS:
            return "", folded
        if word[0].isupper():
            return folded, ""
    return "", ""


def _of_one_course(new: _Dose, old: _Dose, new_text: str, old_text: str) -> bool:
    """Whether two doses are of one medicine, for one patient, at the same times of the day."""
    if new.unit != old.unit or (new.drug and old.drug and new.drug != old.drug):
        return False
    if new.parts and old.parts and not old.parts <= new.parts:
        return False  # in the morning, in the evening
    if new.taker and old.taker:
        return new.taker == old.taker
    pronouns = {new.pronoun, old.pronoun} - {""}
    named = new.taker or old.taker
    if len(pronouns) > 1 or named == "i":
        return False
    common = set(tokens(new_text)) & set(tokens(old_text))
    common -= set(tokens(f"{new.told} {old.told}")) - set(tokens(new.drug and old.drug))
    if named and named in folded_words(old_text if new.taker else new_text):
        return True
    return len(common) >= (1 if named else _LEAST_COMMON)
