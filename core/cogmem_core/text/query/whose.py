"""Of whom a statement tells: of its speaker, or of somebody else. Pure.

"My sister lives in Lisbon" has more words of "Where do I live?" than "I'm in Porto these days", and it
is no answer.
"""

from __future__ import annotations

from collections.abc import Collection

from cogmem_core.languages.merged import MergedPattern, all_patterns
from cogmem_core.languages.reading import in_its_language
from cogmem_core.text.compare import attribute_of
from cogmem_core.text.compare.wording import folded_words
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.query.understand import in_first_person

_PERSON = MergedPattern(all_patterns(lambda language: language.compare.retellings.persons))
_SPEAKER = ("speaker", "we")
_OF_PERSONS = ("residence", "employer")  # nothing else has one


@in_its_language
def tells_of_another(text: str, asked: str = "") -> bool:
    """Whether a text tells of somebody else, and not of its speaker.

    Args:
        text: a statement, or a question.
        asked: the question that it may answer: whom that asks about is nobody else.

    Example:
        >>> tells_of_another("My sister lives in Lisbon."), tells_of_another("My sister and I ski.")
        (True, False)
        >>> tells_of_another("My dog is six."), tells_of_another("My dog is six.", "How old is my dog?")
        (True, False)
    """
    persons = persons_in(asked)
    of_speaker = _states_of_speaker(text, persons)
    if of_speaker is not None:
        return not of_speaker
    words, rest = _without_persons(text, persons)
    return len(rest) < len(words) and not in_first_person(" ".join(rest))


@in_its_language
def tells_of_speaker(text: str, asked: str = "") -> bool:
    """Whether a text tells of its speaker, or of somebody of his whom a question asks about.

    Args:
        text: a statement, or a question.
        asked: as for `tells_of_another`.

    Example:
        >>> tells_of_speaker("I'm in Porto these days."), tells_of_speaker("My sister is in Rome.")
        (True, False)
        >>> tells_of_speaker("My sister's dog is nine.", "How old is my dog?")
        False
    """
    persons = persons_in(asked)
    of_speaker = _states_of_speaker(text, persons)
    if of_speaker is not None:
        return of_speaker
    return in_first_person(" ".join(_without_persons(text, persons)[1]))


@in_its_language
def names_person(text: str) -> bool:
    """Whether a text names somebody without a name: "my boss", "the neighbour's daughter"."""
    words, rest = _without_persons(text)
    return len(rest) < len(words)


@in_its_language
def persons_in(text: str) -> frozenset[str]:
    """The words for somebody in a text, folded: kin, roles, animals of a household."""
    words = folded_words(fold_letters(text[:MAX_INPUT]))
    return frozenset(filter(_PERSON.fullmatch, words))


def _states_of_speaker(text: str, known: Collection[str]) -> bool | None:
    """Whether the attribute that a text states is its speaker's; None where it states none that tells."""
    attribute = attribute_of(text)
    if attribute is None or attribute.subject.removeprefix("speaker's ") in known:
        return None
    if attribute.subject in _SPEAKER:
        return True
    return False if attribute.attribute in _OF_PERSONS else None


def _without_persons(text: str, known: Collection[str] = ()) -> tuple[list[str], list[str]]:
    """The words of a text, folded, and those of them that are no person and no "my" before one.

    `known`: words for persons that count as other words.
    """
    words = list(folded_words(fold_letters(text[:MAX_INPUT])))
    rest: list[str] = []
    for word in words:
        if word in known or not _PERSON.fullmatch(word.removesuffix("'s")):
            rest.append(word)
        elif rest and in_first_person(rest[-1]):
            rest.pop()
    return words, rest
