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
from typing import Literal

from cogmem_core.languages.merged import MergedPattern, all_patterns, all_words, languages_read
from cogmem_core.languages.reading import DEFAULT, current, in_its_language
from cogmem_core.text.compare import announces_correction, attribute_of
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.observe.small_talk import is_addressed, is_trivial
from cogmem_core.text.query.forgetting import wish_of
from cogmem_core.text.sentences import sentence_spans

NoStatement = Literal["question", "request", "small_talk", "asked_not_to", "forget_request"]

ANSWER_CHARACTERS = 60
"""A turn of at most so many is also found by the question that somebody else asked just before in
its session, and is shown with it: "Rex." tells little."""

_MOST_NAMES = 2  # of whom is greeted
_LONGEST_COURTESY = 60  # characters
_READ = 240  # characters of a short answer, and of a question that is quoted
_FRAGMENT = 6  # words
_END = re.compile(r"[^\w?]+\Z")  # a smile, a closing quote
_WORD = re.compile(r"[^\W\d_]+")
_YES = all_words(lambda language: language.query.yes)
_NO = all_words(lambda language: language.query.no)
_COURTEOUS = all_words(lambda language: language.query.courteous)
_ABOUT_YOU = MergedPattern(rf"\b(?:{all_patterns(lambda language: language.query.about_you)})")
_NO_FACT = MergedPattern(rf"\b(?:{all_patterns(lambda language: language.query.no_fact)})\b")
_NOW = MergedPattern(all_patterns(lambda language: language.compare.revisions.now))
_COURTESY = MergedPattern(all_patterns(lambda language: language.query.courtesy))
_REQUEST = MergedPattern(rf"(?:{all_patterns(lambda language: language.query.requests)})")
_OPT_OUT = MergedPattern(rf"(?:{all_patterns(lambda language: language.query.opt_outs)})")
_OPT_OUT_BEHIND = MergedPattern(
    rf"[.!?;,\u2013\u2014-]\s(?:{all_patterns(lambda language: language.query.opt_outs_behind)})"
)
_FORGET = MergedPattern(rf"(?:{all_patterns(lambda language: language.query.forget_requests)})")
_TELLS_BESIDES = MergedPattern(rf"(?:{all_patterns(lambda language: language.query.no_request)})")
_LATIN = re.compile("[A-Za-z]")
# Question marks of all scripts; the Armenian one stands inside a word.
_ASKING_MARKS = "\uff1f\u061f\u037e\u1367\u2047\u2048\u2049\u2753\u2754\ufe16\ufe56\u2cfa\ua60f"
_MARKS = str.maketrans({**dict.fromkeys(_ASKING_MARKS, "?"), "\uff01": "!"})
_INNER_MARK = "\u055e"
_GREEK_MARK = re.compile(r"(?<=[\u0370-\u03ff\u1f00-\u1fff])\s*;(?=\s|$)")
_WRAPPED = re.compile(r"^[\s*_(\[>`\"'\u201c\u00ab\u00bf\u00a1]+|[\s*_)\]`\"'\u201d\u00bb]+$")
_COLON = re.compile(r":(?:\s|\Z)")
_ENDS = ".:!\u0589 "
_MIXED_END = re.compile(r"[?!]*\?[?!]*$")


@in_its_language
def no_statement(text: str) -> NoStatement | None:
    """What a text is that tells nothing to remember; None if it tells something.

    It may ask, ask the assistant to do something, greet somebody by a name, want not to be
    remembered, or want something forgotten. A request counts only if no sentence beside it tells
    anything; what stands behind the colon of a request ("Translate this: ...") is its material.
    """
    plain = _normal(text)
    folded = fold_letters(plain)
    if _OPT_OUT.match(folded) or _OPT_OUT_BEHIND.search(folded):
        return "asked_not_to"
    is_one = len(sentence_spans(plain)) == 1 and not _TELLS_BESIDES.search(folded)
    if (is_one and _FORGET.match(folded)) or wish_of(text) is not None:
        return "forget_request"
    if only_asks(plain):
        return "question"
    if _only_requests(plain):
        return "request"
    return "small_talk" if _only_greets(plain) else None


def _normal(text: str) -> str:
    """The text with plain question marks, without what is wrapped round it: "**Where?**"."""
    plain = _GREEK_MARK.sub("?", text.translate(_MARKS)).strip()
    if _INNER_MARK in plain:
        plain = f"{plain.rstrip(_ENDS)}?"
    while (bare := _WRAPPED.sub("", plain)) != plain and bare:
        plain = bare
    return _MIXED_END.sub("?", plain)


def _only_requests(text: str) -> bool:
    """Whether a text asks the assistant to do something, and tells nothing besides."""
    requests = False
    for start, end in sentence_spans(text):
        sentence = _without_interjection(text[start:end].strip())
        folded = fold_letters(sentence)
        colon = _COLON.search(folded)
        head = folded[: colon.start()] if colon else folded
        if _REQUEST.match(folded) and not _TELLS_BESIDES.search(head):
            if colon:
                return True
            requests = True
        elif not (_is_courtesy(sentence) or _asks(sentence)):
            return False
    return requests


def _without_interjection(sentence: str) -> str:
    """A sentence without a courtesy before its first comma: "Interesting, tell me more"."""
    head, comma, rest = sentence.partition(", ")
    return rest if comma and is_trivial(head) else sentence


def _only_greets(text: str) -> bool:
    """Whether a text greets, thanks or wishes well by a name, and tells nothing besides."""
    sentences = [text[start:end].strip() for start, end in sentence_spans(text)]
    return any(map(_is_addressed, sentences)) and all(map(_is_courtesy, sentences))


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


@in_its_language
def is_fragment(text: str) -> bool:
    """Whether a text is a piece of a sentence, as short answers are.

    As in "Three.", "In Lisbon", "Works at Acme". What it says depends on what was asked: "Three."
    about children is not "Three." about cats.
    """
    words = fold_letters(text[:_READ]).split()
    if not 0 < len(words) <= _FRAGMENT or attribute_of(text) is not None:
        return False
    bare = [word.replace("\u2019", "'").strip(".,;:!'\"()") for word in words]
    lower = text.lower()
    return not any(language.query.is_clause(lower, bare) for language in languages_read())


def corrects_what_was_said(text: str) -> bool:
    """Whether a text begins with a piece of a sentence that corrects what another voice just said.

    As in "Black now, actually!", "No, oat milk.", "Bristol these days."
    """
    head = text[:_READ]
    start, end = sentence_spans(head)[0]
    opening = head[start:end]
    if not is_fragment(opening) or opening.rstrip().endswith("?"):
        return False
    return announces_correction(opening) or _NOW.search(fold_letters(opening)) is not None


def last_question(text: str) -> str:
    """The question that a text ends with, on one line.

    Returns:
        "" if it ends with no question, or with a very long one.
    """
    tail = _END.sub("", text[-2 * _READ :])
    if not tail.endswith("?"):
        return ""
    start, end = sentence_spans(tail)[-1]
    question = " ".join(tail[start:end].split())
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
        if _is_courtesy(sentence):
            continue
        if not _asks(sentence):
            return False
        asks = True
    return asks


def _is_courtesy(sentence: str) -> bool:
    """Whether a sentence carries nothing, or greets somebody by a name: "Hey Mel!"."""
    return is_trivial(sentence) is not None or _is_addressed(sentence)


def _asks(sentence: str) -> bool:
    if sentence.endswith("?") and current() == DEFAULT and not _LATIN.search(sentence):
        return True  # a script of which no language is known
    plain = " ".join(sentence.replace("\u0130", "i").lower().replace("\u2019", "'").split())
    courtesy = _COURTESY.match(plain)
    if courtesy:
        plain = plain[courtesy.end() :]
    folded = fold_letters(plain)
    for language in languages_read():
        asks = language.query.only_asks(plain, folded)
        if asks is not None:
            return asks
    return False
