"""What two statements mean to each other, word for word: the one place from which other packages import this.

`entailment` tells whether one says all that another says, and `without_echoes` what in a message is new.
"""

from cogmem_core.text.compare.echo import without_context_blocks, without_echoes
from cogmem_core.text.compare.entailment import RELATIONS, Entailment, entailment, same_words
from cogmem_core.text.compare.wording import is_negative

__all__ = [
    "RELATIONS",
    "Entailment",
    "entailment",
    "is_negative",
    "same_words",
    "without_context_blocks",
    "without_echoes",
]
