"""English: phrases and words that say the same.

A word that is missing costs a duplicate, a word too many makes two different facts one.
"""

from __future__ import annotations

PHRASES: dict[str, str] = {
    "right now": "",
    "at the moment": "",
    "at present": "",
    "these days": "",
    "by the way": "",
    "as of now": "",
    "have got": "have",
    "has got": "has",
    "can not stand": "dislike",
    "is based in": "live in",
    "am based in": "live in",
    "are based in": "live in",
    "reside in": "live in",
    "resides in": "live in",
    "work for": "work at",
    "works for": "work at",
    "my name is": "i am called",
    "is named": "is called",
    "am named": "am called",
    "are named": "are called",
    "each day": "every day",
    "each week": "every week",
    "each morning": "every morning",
    "ice cream": "icecream",
}
"""Phrases after contractions were written out, and what they stand for."""
_SETS = """
    like love enjoy adore
    liked loved enjoyed adored
    dislike hate detest loathe
    disliked hated detested loathed
    bought purchased
    buy purchase
    start begin
    started began
    mother mom mum mommy mummy mama
    father dad daddy papa
    grandmother grandma granny
    grandfather grandpa granddad
    child kid
    children kids
    film movie
    films movies
    flat apartment
    car automobile
    bicycle bike
    doctor physician
    favourite favorite
    colour color
    photo photograph picture
    fridge refrigerator
    sick ill
    happy glad
    scared afraid
    big large
    fix repair
    fixed repaired
    finished completed
    reply answer
    pc computer
    tv television
    ad advertisement
    exam examination
    usually normally
    programme program
    centre center
    theatre theater
    neighbour neighbor
    neighbours neighbors
    licence license
    organise organize
"""


def _synonyms() -> dict[str, str]:
    """Words that people use for one another, and the one that stands for them."""
    synonyms: dict[str, str] = {}
    for line in _SETS.strip().splitlines():
        first, *others = line.split()
        synonyms.update(dict.fromkeys(others, first))
    return synonyms


SYNONYMS = _synonyms()
