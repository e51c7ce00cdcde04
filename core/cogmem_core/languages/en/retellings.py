"""English, folded: how two sentences tell of the same thing."""

from cogmem_core.languages.base import RetellingRules
from cogmem_core.languages.en.interchangeable import SYNONYMS
from cogmem_core.languages.tables import any_of, stems, words

_ORDINALS = stems(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
)
_PERSONS = words(
    """
    mother father mum mom dad mama papa parents sister brother siblings son daughter wife husband
    partner spouse girlfriend boyfriend fiance fiancee aunt uncle cousin niece nephew grandma
    grandmother grandpa grandfather gran granny grandson granddaughter grandparents friend roommate
    flatmate housemate neighbour neighbor colleague coworker boss manager landlord landlady tenant
    doctor dentist therapist teacher tutor coach trainer client customer supplier vendor vet lawyer
    accountant assistant intern student kid kids child children boy girl baby toddler twin twins
    stepfather stepmother stepson stepdaughter godfather godmother godson goddaughter ex
    in-laws mother-in-law father-in-law brother-in-law sister-in-law dog cat puppy kitten rabbit
    horse parrot hamster
    """
)
_FURTHER_SYNONYMS = {
    "boy": "son",
    "girl": "daughter",
    "office": "work",
    "prod": "production",
    "db": "database",
    "physio": "physiotherapy",
    "chemo": "chemotherapy",
    "terrified": "fear",
    "afraid": "fear",
    "scared": "fear",
    "scares": "fear",
    "terrifies": "fear",
    "terrify": "fear",
    "scare": "fear",
    "frightens": "fear",
    "wake": "up",
    "wedding": "married",
    "postgres": "postgresql",
    "k8s": "kubernetes",
    "js": "javascript",
    "around": "about",
    "roughly": "about",
    "approximately": "about",
    "smokes": "smoke",
    "wed": "married",
}

RETELLINGS = RetellingRules(
    persons=any_of(_PERSONS),
    ordinals={word: str(number) for number, word in enumerate(_ORDINALS, start=1)},
    possessor=r"(.{2,})'s?",
    synonyms={**SYNONYMS, **_FURTHER_SYNONYMS},
    ambiguous_months=words("may march mar"),
    having=words("have has got had"),
    nearness=((0.7, 0.73), (0.5, 0.75), (0.3, 0.8)),
)
