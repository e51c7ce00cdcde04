"""What two statements mean to each other, word for word: the one place from which other packages import this.

`attribute_of` reads who has what value of which attribute, `entailment` tells whether one says all that
another says, and `without_echoes` what in a message is new.
"""

from cogmem_core.text.compare.attributes import NUMBER_WORDS, Attribute, attribute_of
from cogmem_core.text.compare.echo import without_context_blocks, without_echoes
from cogmem_core.text.compare.entailment import LONGEST_FACT, Entailment, entailment, same_words
from cogmem_core.text.compare.wording import OWN_ENDING, is_negative

__all__ = [
    "LONGEST_FACT",
    "NUMBER_WORDS",
    "OWN_ENDING",
    "Attribute",
    "Entailment",
    "attribute_of",
    "entailment",
    "is_negative",
    "same_words",
    "without_context_blocks",
    "without_echoes",
]
