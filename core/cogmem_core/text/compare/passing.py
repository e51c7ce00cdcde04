"""What a newer message changes in passing: a home, a job, a dose, a thing that is gone, a habit. Pure.

What this finds is a doubt, never enough to retire anything.
"""

from __future__ import annotations

import re

from cogmem_core.languages.merged import AnyPattern, MergedPattern, all_patterns, all_words
from cogmem_core.languages.reading import cached_by_language, pair_in_one_language
from cogmem_core.text.compare.another_figure import another_figure
from cogmem_core.text.compare.attributes import attribute_of
from cogmem_core.text.compare.clauses import own_words, sentences_of
from cogmem_core.text.compare.contradiction import contradicts
from cogmem_core.text.compare.doses import other_dose
from cogmem_core.text.compare.slots import is_own_claim, other_slot
from cogmem_core.text.compare.values import stems_of
from cogmem_core.text.compare.wording import folded_words, is_negative
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.time.tense import only_looks_back
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import MONTHS, STOPWORDS, WEEKDAYS

_QUESTION = re.compile("[?\uff1f\u061f\u037e]")
_GONE = AnyPattern(lambda language: language.compare.slots.gone)
_PERSON = MergedPattern(all_patterns(lambda language: language.compare.retellings.persons))
_HAVING = MergedPattern(all_patterns(lambda language: language.compare.slots.having))
_BACK = AnyPattern(lambda language: language.compare.contradictions.back)
_WENT_OVER = AnyPattern(lambda language: language.compare.contradictions.went_over)
_NAME = re.compile(r"[^\W\d_][\w&-]*(?!['\u2019]s\b)\b")
_REMARKS = all_words(lambda language: language.compare.revisions.remarks)
_JOINT = MergedPattern(rf"\s(?:{all_patterns(lambda language: language.compare.slots.further)})\s")
_LONGEST_SUBJECT = 3  # words
_MOST_PARTS = 4


@pair_in_one_language("")
def told_in_passing(new: str, old: str) -> str:
    """What a newer message of the same speaker changes of what an older one tells; empty if nothing.

    Args:
        new: a message.
        old: an earlier one.

    Returns:
        For the log: "residence: rua do almada, now rua do heroismo".
    """
    return _told_in_passing(new, old)


@cached_by_language(4_096)
def _told_in_passing(new: str, old: str) -> str:
    if _QUESTION.search(old) or own_words(new) != new:
        return ""  # a letter, a review, a text to translate
    return (
        other_slot(new, old)
        or other_dose(new, old)
        or _stated_beside(new, old)
        or _gone(new, old)
        or _went_back(new, old)
        or _went_over(new, old)
        or another_figure(new, old)
    )


def _stated_beside(new: str, old: str) -> str:
    """What a clause states behind another one: "We packed it all up, from May I live in Malaga".

    Returns:
        For the log; empty if no clause gives another value of what the old message states.
    """
    former = attribute_of(old)
    if former is None:
        return ""
    for part, attribute in _statements_in(new[:MAX_INPUT]):
        if attribute != former.attribute:
            continue
        found = contradicts(part, old, same_speaker=True)
        if found is not None and found.kind == "value":
            return found.reason
    return ""


@cached_by_language(2_048)
def _statements_in(text: str) -> tuple[tuple[str, str], ...]:
    """The clauses of a message that state an attribute, with its name.

    What follows "and" is read with the subject of its clause: "my sister sold it and moved to Rome".
    """
    folded = fold_letters(text)
    if len(folded) != len(text):
        return ()
    parts: list[str] = []
    for sentence in sentences_of(text):
        start = text.find(sentence.text)
        if start < 0 or not is_own_claim(folded, start, whose=False):
            continue
        parts.append(sentence.text)
        joints = list(_JOINT.finditer(sentence.folded))[:_MOST_PARTS]
        words = sentence.text.split()[:_LONGEST_SUBJECT]
        for joint in joints:
            rest = sentence.text[joint.end() :]
            parts += [" ".join([*words[:count], rest]) for count in range(len(words) + 1)]
    found = [(part, attribute_of(part)) for part in dict.fromkeys(parts) if part != text]
    return tuple((part, stated.attribute) for part, stated in found if stated is not None)


def _gone(new: str, old: str) -> str:
    """The thing of the old message of which a newer one says that it was sold, given away, ...

    Returns:
        Empty if there is none.
    """
    for thing in _gone_things(new[:MAX_INPUT]):
        stems = set(tokens(thing))
        former = old[:MAX_INPUT]
        if (
            stems
            and stems <= set(tokens(fold_letters(former)))
            and _HAVING.search(fold_letters(former))
        ):
            return f"gone: {thing}"
    return ""


@cached_by_language(2_048)
def _gone_things(text: str) -> tuple[str, ...]:
    """What a message says to be gone; no persons: a dog may come back."""
    folded = fold_letters(text)
    things: list[str] = []
    for match in _GONE.finditer(folded):
        if not is_own_claim(folded, match.start(), whose=False) or is_negative(match[0]):
            continue
        if not any(map(_PERSON.fullmatch, match["thing"].split())):
            things.append(match["thing"])
    return tuple(things)


def _went_back(new: str, old: str) -> str:
    """What a newer message has gone back to, from what the old message tells; empty if from nothing.

    The old one names what was given up then, and both speak of one more thing: "coffee: I switched
    back to regular milk".
    """
    goal = _goal_of_return(new[:MAX_INPUT])
    if not goal:
        return ""
    target = set(tokens(goal))
    former = set(tokens(old[:MAX_INPUT]))
    remarks = stems_of(list(_REMARKS))
    common = (set(tokens(fold_letters(new[:MAX_INPUT]))) & former) - target - remarks
    return f"back to {goal.strip()}" if target and target <= former and common else ""


@cached_by_language(2_048)
def _goal_of_return(text: str) -> str:
    """What a message has gone back to, as it is folded; empty if to nothing."""
    folded = fold_letters(text)
    match = _BACK.search(folded)
    if match is None or not is_own_claim(folded, match.start(), whose=False):
        return ""
    return match["b"]


def _went_over(new: str, old: str) -> str:
    """What the old message names and a newer one leaves for something else.

    "Slack got too noisy, we switched to Zulip" beside "We chat on Slack".

    Returns:
        Empty if there is none.
    """
    goal = _goal_of_change(new[:MAX_INPUT])
    state = fold_letters(old[:MAX_INPUT])
    if not goal or only_looks_back(state) or any(map(_PERSON.fullmatch, folded_words(state))):
        return ""
    former = _names_in(old[:MAX_INPUT])
    left = _names_in(new[:MAX_INPUT]) & former - {goal}
    return f"{min(left)}, now {goal}" if left and goal not in former else ""


@cached_by_language(2_048)
def _goal_of_change(text: str) -> str:
    """The name of what a message goes over to, as it is folded; empty if to nothing."""
    folded = fold_letters(text)
    match = _WENT_OVER.search(folded)
    if match is None or not is_own_claim(folded, match.start()):
        return ""
    start = match.start(match.lastgroup or 0)
    name = _NAME.match(text, start) if len(folded) == len(text) else None
    return fold_letters(name[0]) if name and name[0][0].isupper() else ""


@cached_by_language(2_048)
def _names_in(text: str) -> frozenset[str]:
    """The words that are written as names, folded."""
    words = [word[0] for word in _NAME.finditer(text) if word[0][0].isupper()]
    return frozenset(map(fold_letters, words)) - STOPWORDS - WEEKDAYS.keys() - MONTHS.keys()
