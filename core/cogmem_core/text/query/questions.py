"""Whether a text only asks: questions, also without a question mark, and requests. Pure.

Without a mark only what opens as questions do counts, and nothing that goes on as a statement:
"What I like most is chess" and "Is allergic to cats" tell something. What is to be remembered is
told, however it is asked for. A question that tells something on its way ("I am vegan, can you
book a table?") does not only ask. In doubt it tells something: what is taken for a question is
lost.

Besides, what short answers are: pieces of a sentence, or a yes or no, and which questions a yes or
no makes a fact of.
"""

from __future__ import annotations

import re

from cogmem_core.languages.merged import MergedPattern, all_patterns, all_words, languages_read
from cogmem_core.languages.reading import DEFAULT, current, in_its_language
from cogmem_core.text.folding import fold_letters, single_spaced
from cogmem_core.text.observe.small_talk import is_addressed, is_trivial
from cogmem_core.text.sentences import sentence_spans

ANSWER_CHARACTERS = 60
"""A turn of at most so many is also found by the question that somebody else asked just before in
its session, and is shown with it: "Rex." tells little."""

_MOST_NAMES = 2  # of whom is greeted
_LONGEST_COURTESY = 60  # characters
_READ = 240  # characters of a short answer, and of a question that is quoted
_END = re.compile(r"[^\w?]+\Z")  # a smile, a closing quote
_WORD = re.compile(r"[^\W\d_]+")
_YES = all_words("query.yes")
_NO = all_words("query.no")
_COURTEOUS = all_words("query.courteous")
_ABOUT_YOU = MergedPattern(rf"\b(?:{all_patterns('query.about_you')})")
_NO_FACT = MergedPattern(rf"\b(?:{all_patterns('query.no_fact')})\b")
_COURTESY = MergedPattern(all_patterns("query.courtesy"))
_LATIN = re.compile("[A-Za-z]")


def _is_addressed(sentence: str) -> bool:
    """Whether a sentence is a courtesy with a name in it: "Good morning, Priya!"."""
    words = sentence.split()
    names = [word for word in words[1:] if word[:1].isupper() and word[1:2].islower()]
    if not 0 < len(names) <= _MOST_NAMES or len(sentence) > _LONGEST_COURTESY:
        return False
    return is_addressed(" ".join(word for word in words if word not in names))


@in_its_language
def polarity(text: str) -> bool | None:
    """Whether a text that tells nothing else says yes or no.

    Returns:
        None if it says neither or both, or if it answers an offer.
    """
    words = set(_WORD.findall(fold_letters(text[:_READ])))
    agrees = not words.isdisjoint(_YES)
    denies = not words.isdisjoint(_NO)
    return agrees if agrees != denies and words.isdisjoint(_COURTEOUS) else None


@in_its_language
def asks_about_you(question: str) -> bool:
    """Whether a person is asked about himself, so that yes or no tells a fact.

    As in "Are you vegetarian?". In doubt not: "Do you want me to go on?" is an offer, and a yes to
    it is no fact.
    """
    folded = fold_letters(question[:_READ])
    return _ABOUT_YOU.search(folded) is not None and _NO_FACT.search(folded) is None


def last_question(text: str) -> str:
    """The question that a text ends with, on one line.

    Returns:
        "" if it ends with no question, or with a very long one.
    """
    tail = _END.sub("", text[-2 * _READ :])
    if not tail.endswith("?"):
        return ""
    start, end = sentence_spans(tail)[-1]
    question = single_spaced(tail[start:end])
    return question if 1 < len(question) <= _READ else ""


@in_its_language
def only_asks(text: str) -> bool:
    """Whether a text asks something and tells nothing.

    Courtesies around a question do not count. One sentence that tells something is enough for
    False.
    """
    asks = False
    for start, end in sentence_spans(text):
        sentence = text[start:end].strip()
        if is_courtesy(sentence):
            continue
        if not _asks(sentence):
            return False
        asks = True
    return asks


@in_its_language
def is_courtesy(sentence: str) -> bool:
    """Whether a sentence carries nothing, or greets somebody by a name: "Hey Mel!"."""
    return is_trivial(sentence) is not None or _is_addressed(sentence)


def _asks(sentence: str) -> bool:
    if sentence.endswith("?") and current() == DEFAULT and not _LATIN.search(sentence):
        return True  # a script of which no language is known
    plain = single_spaced(sentence.replace("\u0130", "i").lower().replace("\u2019", "'"))
    courtesy = _COURTESY.match(plain)
    if courtesy:
        plain = plain[courtesy.end() :]
    folded = fold_letters(plain)
    for language in languages_read():
        asks = language.query.only_asks(plain, folded)
        if asks is not None:
            return asks
    return False
