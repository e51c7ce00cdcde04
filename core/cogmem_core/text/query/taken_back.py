"""Pieces of a sentence that take back a value of what was said just before. Pure."""

from __future__ import annotations

from cogmem_core.languages.merged import AnyPattern
from cogmem_core.languages.reading import cached_by_language, in_its_language
from cogmem_core.text.compare.clauses import bare_words, sentence_of, sentences_of
from cogmem_core.text.compare.values import value_type
from cogmem_core.text.compare.wording import folded_words, is_negation
from cogmem_core.text.query.questions import is_fragment
from cogmem_core.text.sentences import sentence_spans
from cogmem_core.text.vocabulary import STOPWORDS

_NAMED_WRONG = AnyPattern(lambda language: language.compare.revisions.named_wrong)
_READ = 240  # characters of what takes something back
_MOST_RIGHT = 3  # words beside the wrong value
_NOTHING = frozenset[str]()


@in_its_language
def takes_back(text: str, told: str) -> bool:
    """Whether a piece of a sentence names a value of a statement as wrong, and gives another of its kind.

    What it speaks of only shows from what was said just before.

    Args:
        text: what is said later.
        told: the statement.

    Example:
        >>> takes_back("Sorry, I meant Braga, not Porto.", "My sister lives in Porto.")
        True
        >>> takes_back("I bought a house in Braga, not Porto.", "My sister lives in Porto.")
        False
    """
    denied = _denied(text[:_READ])
    return bool(denied) and any(denied <= other.bare for other in sentences_of(told))


@cached_by_language(2_048)
def _denied(head: str) -> frozenset[str]:
    """The words of the value that a piece of a sentence takes back; empty if it takes back none."""
    start, end = sentence_spans(head)[0] if head.strip() else (0, 0)
    said = head[start:end]
    sentence = sentence_of(said)
    match = sentence.search(_NAMED_WRONG) if sentence is not None else None
    if sentence is None or match is None or sentence.asks:
        return _NOTHING
    wrong = folded_words(match["a"])
    denied = bare_words(wrong) - STOPWORDS
    right = [word for word in sentence.words if word not in wrong and _tells(word)]
    told_of = len(right) > 1 and not is_fragment(sentence.text)
    if not denied or told_of or not 0 < len(right) <= _MOST_RIGHT:
        return _NOTHING
    kind = value_type(wrong, said)
    if all(value_type([word], said) != kind for word in right):
        return _NOTHING
    return denied


def _tells(word: str) -> bool:
    return not (word in STOPWORDS or is_negation(word))
