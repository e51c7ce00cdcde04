"""English, folded: how two sentences tell of the same thing."""

from cogmem_core.languages.base import RetellingRules
from cogmem_core.languages.tables import any_of, words

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

RETELLINGS = RetellingRules(
    persons=any_of(_PERSONS),
)
