"""English: words as such."""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

from itertools import pairwise

from cogmem_core.languages.base import Clause, WordRules
from cogmem_core.languages.loading import language_of_ours

_words: WordRules = language_of_ours("en").words
BASE_VERBS = _words.base_verbs
THIRD_PERSON = _words.third_person
AUXILIARIES = _words.auxiliaries
ADVERBS = _words.adverbs
PAST_VERBS: frozenset[str] = language_of_ours("en").time.past_verbs
NOT_PAST: frozenset[str] = language_of_ours("en").time.not_past
PAST_TOO: frozenset[str] = frozenset(
    "bet burst cost cut fit hit hurt let put quit read set shut split spread".split()
)
"""Base forms that are also past forms; they stay as they are."""


def is_verb(word: str) -> bool:
    """Whether a folded word has a finite form of a common verb."""
    if word in AUXILIARIES or word in PAST_VERBS or word in BASE_VERBS:
        return True
    if word.endswith("ed"):
        return len(word) > 3 and word not in NOT_PAST
    if "'" in word:
        return word.rpartition("'")[2] in ("m", "re", "ve", "ll")
    if word.endswith("ies"):
        return word[:-3] + "y" in BASE_VERBS
    if not word.endswith("s"):
        return False
    return word[:-1] in BASE_VERBS or (word.endswith("es") and word[:-2] in BASE_VERBS)


def third_person_of(verb: str) -> str:
    """The third person singular of a base form.

    As in have, has; go, goes; carry, carries; like, likes.
    """
    if verb in THIRD_PERSON:
        return THIRD_PERSON[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh")):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return verb[:-1] + "ies"
    return verb + "s"


_PRONOUNS = frozenset(
    "i we he she they you it this that there i'm i've i'll we're we've he's she's they're it's".split()
)
_POSSESSIVES = frozenset("my our his her their your the".split())
_OPENERS = frozenset(
    "well so oh um uh hey hi yes yeah ok okay honestly actually anyway today yesterday now".split()
)
_VAGUE_SUBJECTS = frozenset("it it's this that there".split())
_DEPENDENT = frozenset("it it's this that there he he's she she's they they're you".split())
"""A clause that begins so is not understood without the one before it."""
_FAR_REACHING = frozenset(
    "will would shall should can could may might must cannot not never do does did".split()
)
_TO_BE = frozenset("is are was were has have had will isn't aren't wasn't".split())
_LONGEST_SUBJECT = 4  # words


def separate_facts(left: Clause, right: Clause) -> str | None:
    """Whether two clauses are facts of their own.

    Returns:
        None if they belong together; else the words to put before the right one, usually none.
    """
    while left and left[0].folded in _OPENERS:
        left = left[1:]
    if not left or not right or any(word.governs for word in left):
        return None
    left_size = _subject_size(left)
    right_size = _subject_size(right)
    if not left_size or left[0].folded in _VAGUE_SUBJECTS or not _has_verb(left, left_size):
        return None
    left_names = _names(left[left_size:])
    right_names = _names(right[right_size:])
    disjoint = bool(left_names and right_names) and not left_names & right_names
    if right_size:
        same_subject = _subject(left[:left_size]) == _subject(right[:right_size])
        separate = right[0].folded not in _DEPENDENT and (disjoint or not same_subject)
        return "" if separate else None
    shares_subject = left_size == 1 and is_verb(right[0].folded) and right[0].text.islower()
    if shares_subject and disjoint and not _governed(left):
        return f"{left[0].text} "
    return None


def _has_verb(clause: Clause, subject_size: int) -> bool:
    """Whether a clause has a verb after its subject, or a contracted one in it."""
    if "'" in clause[0].folded:
        return True
    return any(is_verb(word.folded) for word in clause[max(1, subject_size) :])


def _subject_size(clause: Clause) -> int:
    """How many words of the clause are its subject; 0 unless a verb follows them."""
    size = _candidate_size(clause)
    if not size or size > _LONGEST_SUBJECT:
        return 0
    for word in clause[1:size]:
        if word.governs or word.folded in _PRONOUNS or word.folded == "to":
            return 0
    first = clause[0].folded
    if "'" in first and first in _PRONOUNS:
        return size
    predicate = (word.folded for word in clause[size:] if word.folded not in ADVERBS)
    return size if is_verb(next(predicate, "")) else 0


def _candidate_size(clause: Clause) -> int:
    """How many words at the beginning of a clause may be its subject."""
    first = clause[0]
    if first.folded in _PRONOUNS:
        return 1
    if first.folded in _POSSESSIVES or first.folded.endswith("'s"):
        return next((n for n in range(2, min(5, len(clause))) if is_verb(clause[n].folded)), 0)
    if first.stop_word:
        return 0
    verbal = is_verb(first.folded) or first.folded.endswith("ing")
    if first.text[0].isupper() and not verbal:
        return next((n for n, word in enumerate(clause) if not word.text[0].isupper()), 0)
    return int(len(clause) > 2 and clause[1].folded in _TO_BE)


def _governed(clause: Clause) -> bool:
    """Whether a modal, a negation or an infinitive may reach beyond the clause.

    As in "I want to see Rome and visit Oslo".
    """
    if any(word.folded in _FAR_REACHING or "'" in word.folded for word in clause):
        return True
    return any(
        first.folded == "to" and second.folded in BASE_VERBS for first, second in pairwise(clause)
    )


def _names(clause: Clause) -> set[str]:
    """Capitalised words and numbers."""
    return {
        word.folded
        for word in clause
        if word.text[0].isdigit() or (word.text[0].isupper() and word.text != "I")
    }


def _subject(clause: Clause) -> str:
    return " ".join(word.folded for word in clause).split("'")[0]
