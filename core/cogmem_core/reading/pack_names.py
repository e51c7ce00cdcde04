"""What a pack may have: its tables, their names, and those of the groups in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from cogmem_core.reading.model import GUARDS

Value = TypeVar("Value")


class Table(dict[str, Value]):
    """What a pack has by name; what it does not have is `nothing`.

    Args:
        nothing: of a name that it does not have.
        given: by name.
    """

    def __init__(self, nothing: Value, given: Mapping[str, Value] | None = None) -> None:
        super().__init__(given or {})
        self._nothing = nothing

    def __missing__(self, _: str) -> Value:
        return self._nothing


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


HEAD = _names("code name order spaced stemmer keep nouns_capital drops_subject head_first")
TABLES = _names(
    """
    text words subjects verbs conjugations endings reflexive moods openers closers kinds
    patterns slots topics ask replies guards
    """
)
WORD_GROUPS = _names(
    """
    abbreviations joints negations adverbs limiting determiners articles denials users own
    prepositions harmless within question_words times units additive single reporting habits
    subordinating particles plans ordinals months weekdays numbers seasons stop
    changed_nouns copulas infinitive conjunctions changing ends spells beginnings reasons
    source genitive deictic goal now several stopping invariant helping clitics denying
    moving perfect resuming felt nominative corrections there light compounds bare nouns
    postpositions scoping courtesies orders excluding living hours complements relatives
    objects oblique datives measures perfect_with_be instead
    bearing titles definite existing gone mine pointing contrast demonstratives quantities regions theirs preferred
    impersonal knowing receiving rules self texts unknown vague former replacing discontinuing swapping
    lapsing dismissing
    """
)
"""The groups of words that a pack may have; the guide says what each is for."""
OPENERS = _names(
    """
    neutral correcting fiction hypothetical condition reported joke wished planned past
    joint reason
    """
)
CLOSERS = ("retracted", "harmless", "unsure", "limiting")
KINDS = _names(
    """
    question question_word request material reworking handed instruction forget keep not_keep filler tag
    no_wish statement standing refusal whole_request critical
    asking obliging erasing removing removed forgetting retaining retained recalling aware
    stores elsewhere confided manners denied
    """
)
REPLIES = ("older", "newer", "both", "neither", "unsure")
GENERAL = "general"
"""In `ask`: the question about whatever has none of its own."""
GUARDING = (
    *GUARDS,
    "harms",
    "treats",
    "diagnoses",
    "limits",
    "forbids",
    "orders",
    "passing",
    "passed",
    "none",
)
"""The lists of `[guards]`; the guide says what each is for."""
PATTERNS = _names(
    """
    forget forget_target keep_target verb_endings nominal_endings progressive plural adverb
    adjective past third joint question request tells times verb converb_endings imperative
    polite question_word possessive possessive_genitive possessed theirs ours mine person
    copula was stem_endings clock habit infinitive enclitic describing
    adding
    """
)
