"""What two statements mean to each other: the one place from which other packages import this.

`attribute_of` reads who has what value of which attribute, `contradicts` tells whether a new
statement makes an old one untrue, `revision` whether it gives another value of what the old one
states, `entailment` whether one says all that another says, and `without_echoes`
what in a message is new.
"""

from cogmem_core.text.compare.across import other_words
from cogmem_core.text.compare.attributes import NUMBER_WORDS, Attribute, attribute_of
from cogmem_core.text.compare.contradiction import (
    Contradiction,
    announces_correction,
    contradicts,
)
from cogmem_core.text.compare.doses import unclear_doses
from cogmem_core.text.compare.echo import without_context_blocks, without_echoes
from cogmem_core.text.compare.entailment import LONGEST_FACT, Entailment, entailment, same_words
from cogmem_core.text.compare.given_up import (
    given_up_words,
    is_over_for_another,
    own_values,
)
from cogmem_core.text.compare.graded import may_change, revision
from cogmem_core.text.compare.plain import announces_game, is_meant
from cogmem_core.text.compare.revision import Revision, changing_words, tells_what_is
from cogmem_core.text.compare.slots import Slot, slots_of
from cogmem_core.text.compare.statements import is_turkish
from cogmem_core.text.compare.wording import OWN_ENDING, is_negative

__all__ = [
    "LONGEST_FACT",
    "NUMBER_WORDS",
    "OWN_ENDING",
    "Attribute",
    "Contradiction",
    "Entailment",
    "Revision",
    "Slot",
    "announces_correction",
    "announces_game",
    "attribute_of",
    "changing_words",
    "contradicts",
    "entailment",
    "given_up_words",
    "is_meant",
    "is_negative",
    "is_over_for_another",
    "is_turkish",
    "may_change",
    "other_words",
    "own_values",
    "revision",
    "same_words",
    "slots_of",
    "tells_what_is",
    "unclear_doses",
    "without_context_blocks",
    "without_echoes",
]
