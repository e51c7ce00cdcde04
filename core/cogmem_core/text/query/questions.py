"""Whether a text only asks: questions, also without a question mark, and requests that tell nothing. EN and TR; pure.

Without a mark only what opens as questions do counts, and nothing that goes on as a statement: "What I like most is
chess" and "Is allergic to cats" tell something. What is to be remembered is told, however it is asked for. A question
that tells something on its way ("I am vegan, can you book a table?") does not only ask. In doubt it tells something:
what is taken for a question is lost.

Besides, what short answers are: pieces of a sentence, or a yes or no, and which questions a yes or no makes a fact of.
"""

from __future__ import annotations

import re

from cogmem_core.text.compare import attribute_of
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.lexicon.intents import AUXILIARY, TURKISH_QUESTION
from cogmem_core.text.lexicon.polar import ABOUT_YOU, COURTEOUS, NO, NO_FACT, YES
from cogmem_core.text.lexicon.verbs import TURKISH_FINITE
from cogmem_core.text.observe.small_talk import is_trivial
from cogmem_core.text.sentences import is_verb, sentence_spans

__all__ = ["asks_about_you", "is_fragment", "last_question", "only_asks", "polarity"]

_LONGEST = 240  # characters without a question mark, and of a question that is quoted
_SUBJECT = r"(?:i|you|we|he|she|they|there)"
_TELLS_WHAT = r"(?:matters|counts|happens|happened|helps|helped|works|worked|bothers|makes|made|hurts|remains|follows)"
_OPENS = r"(?:(?:and|but|so|hey|hi|hello|ok|okay|also|please|then|well)[, ]+){0,2}"
_ASKS = re.compile(
    rf"{_OPENS}(?:"
    rf"(?:what|who|whom|when|where|why|how)(?:'s|s| {AUXILIARY}) (?!why\b|how\b|because\b|more\b)\S"
    rf"|(?:what|which|whose|how) (?!{_SUBJECT}\b|{_TELLS_WHAT}\b|it\b)[\w'-]+ (?:(?!{_TELLS_WHAT}\b)[\w'-]+ )?"
    rf"{AUXILIARY} (?:{_SUBJECT}|my|your|his|her|our|their|the)\b"
    rf"|{AUXILIARY} {_SUBJECT} \w"
    r"|(?:is|are|do|does|did|can|will) (?:my|your) \w|how come \w"
    r")"
)
_REQUESTS = re.compile(
    rf"{_OPENS}(?:tell|show) me\b|{_OPENS}(?:summari[sz]e|translate|rewrite|proofread|rephrase|explain) \w"
    rf"|{_OPENS}(?:write|draft|give) me an? \w"
)
_TELLING = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|we|we're|we've|because|ben|biz)\b")
_TELLS = re.compile(
    r"(?:(?P<first>^)|[,;] ?|\b(?:since|because|given|know|knew|known|told you|mentioned)(?: that)? )"
    r"(?:(?:i|we)(?:'m|'re|'ve|'d|'ll)? (?!(?:am |was |were |are |just )?(?:wonder|curious|asking|ask|wanted to know"
    r"|want to know|need to know|would like to know|guess|suppose|think|hope|mean|say)\w{0,3}\b)\w"
    r"|(?:my|our) \w{2,20}(?: \w{2,20})? (?:is|was|has|had|just|got|can|will|does|\w{1,20}ed)\b)"
)
"""A clause in which somebody tells of himself: before a comma, after one, or after "did you know"."""
_GOES_ON = re.compile(r"[,;] ?\S")
_TO_KEEP = re.compile(
    r"\b(?:remember|note|save|store|record|keep in mind|bear in mind|write down)(?: down)?(?: that\b)?[:,]? "
    r"(?:(?:i|i'm|i've|i'd|we|we're|we've)\b|(?!wh|how\b|if\b)(?:[\w'-]{1,30} ){1,4}(?:is|are|was|were|has|have|had"
    r"|likes?|loves?|hates?|prefers?|lives?|works?|wants?|needs?|can't|cannot|must)\b)"
    r"|\bintroduce (?:you to )?(?:my|our)\b"
)
"""Whoever asks for something to be remembered tells it; "do you remember where I live" tells nothing."""
_COURTESY = re.compile(
    r"(?:how are you|how's it going|what's up)(?: doing| today)?[ ,!]{1,3}(?=(?:i|i'm|i've|my|we|we're)\b)"
)
_CLEFT = re.compile(
    r"(?:what|who|where|when)(?:'s| is| was) .{1,80}? (?:is|was) (?:that|my|our|because|when|how|the|i|to|an?)\b"
)
_STATES = re.compile(
    r"(?:\b(?P<asked>what|which|who|whose|where|when|why|how)\b(?: [\w'-]{1,30}){0,3} )?"
    r"\b(?:i am|i'm|i've|i'll|i'd|i will|we are|we're|we've|we'll|(?:my|our) \w{2,20} (?:is|was|has))\b"
)
"""Without a question mark, what follows may be a statement: "should you call I am at home"."""
_AFTER = re.compile(r"[^\w?]+\Z")  # a smile, a closing quote
_TAG = re.compile(rf", {AUXILIARY} (?:{_SUBJECT}|it)\?\Z")  # "music is amazing, isn't it?"
_WORD = re.compile(r"[^\W\d_]+")
_TURKISH_ASKS = re.compile(rf"\b{TURKISH_QUESTION}\b")
_TURKISH_TELLS = re.compile(
    r"\b(?:bil|unut|hatirla|soyle|anla|merak)\w*"
    r"|\b\w{2,20}(?:acag|eceg|d[iu]g|t[iu]g)\w{0,4}[iu]\b"
    r"|\bne (?:yazik|guzel|kadar|mutlu)\b|\bne\b.{1,60}\bne\b"
)
_TURKISH_LONGEST = _FRAGMENT = 6  # words
_FINITE = re.compile(rf"(?:{TURKISH_FINITE})$")
_ABOUT_YOU, _NO_FACT = re.compile(ABOUT_YOU), re.compile(NO_FACT)
_CONTRACTED = re.compile(r"(?:i|you|he|she|it|we|they|that|there|who)'\w")
_ALSO_ELSEWHERE = re.compile(r"ne|kim|m[iu]\w*")
_TURKISH = re.compile(r"[ğış]|\b(?:benim|senin|bizim|sizin|bana|sana)\b")


def polarity(text: str) -> bool | None:
    """Whether a text that tells nothing else says yes or no; None if neither, or both, or if it answers an offer."""
    words = set(_WORD.findall(fold_letters(text[:_LONGEST])))
    agrees, denies = not words.isdisjoint(YES), not words.isdisjoint(NO)
    return agrees if agrees != denies and words.isdisjoint(COURTEOUS) else None


def asks_about_you(question: str) -> bool:
    """Whether a person is asked about himself in such a way that yes or no tells a fact: as in "Are you vegetarian?".

    In doubt not: "Do you want me to go on?" is an offer, and a yes to it is no fact.
    """
    folded = fold_letters(question[:_LONGEST])
    return _ABOUT_YOU.search(folded) is not None and _NO_FACT.search(folded) is None


def is_fragment(text: str) -> bool:
    """Whether a text is a piece of a sentence, as short answers are: "Three.", "In Lisbon", "Works at Acme".

    What it says depends on what was asked: "Three." about children is not "Three." about cats.
    """
    words = fold_letters(text[:_LONGEST]).split()
    if not 0 < len(words) <= _FRAGMENT or attribute_of(text) is not None:
        return False
    bare = [word.replace("\u2019", "'").strip(".,;:!'\"()") for word in words]
    finite = _TURKISH.search(text.lower()) and _FINITE.search(bare[-1])  # "-er" ends a Turkish verb, and "teacher"
    return not (finite or _CONTRACTED.match(bare[0]) or any(map(is_verb, bare[1:])))


def last_question(text: str) -> str:
    """The question that a text ends with, on one line; "" if it ends with none, or with one that is very long."""
    tail = _AFTER.sub("", text[-2 * _LONGEST :])
    if not tail.endswith("?"):
        return ""
    start, end = sentence_spans(tail)[-1]
    question = " ".join(tail[start:end].split())
    return question if 1 < len(question) <= _LONGEST else ""


def only_asks(text: str) -> bool:
    """Whether a text asks something and tells nothing.

    Courtesies around a question do not count. One sentence that tells something is enough for False.
    """
    asked = False
    for start, end in sentence_spans(text):
        sentence = text[start:end].strip()
        if is_trivial(sentence):
            continue
        if not _asks(sentence):
            return False
        asked = True
    return asked


def _asks(sentence: str) -> bool:
    plain = " ".join(sentence.lower().replace("\u2019", "'").split())
    courtesy = _COURTESY.match(plain)
    plain = plain[courtesy.end() :] if courtesy else plain
    if _TO_KEEP.search(plain):
        return False
    if plain.endswith("?"):
        return not (_tells(plain) or (_TAG.search(plain) and not _ASKS.match(plain)))
    if len(plain) > _LONGEST or plain[-1] in ".!":
        return False
    if _ASKS.match(plain):
        return not (_tells(plain) or _CLEFT.match(plain) or _states(plain))
    if _REQUESTS.match(plain):
        return _TELLING.search(plain) is None
    return _asks_in_turkish(plain)


def _tells(plain: str) -> bool:
    """Whether a clause of a question tells something: the first one only if there is another one to ask."""
    return any(found["first"] is None or _GOES_ON.search(plain, found.end()) for found in _TELLS.finditer(plain))


def _states(plain: str) -> bool:
    return any(found["asked"] is None for found in _STATES.finditer(plain))


def _asks_in_turkish(plain: str) -> bool:
    folded = fold_letters(plain)
    if not 1 < len(_WORD.findall(folded)) <= _TURKISH_LONGEST or _TURKISH_TELLS.search(folded):
        return False
    found = _TURKISH_ASKS.findall(folded)
    # "Kim called", "je ne sais" and "mi casa" are not Turkish.
    plainly = [word for word in found if not _ALSO_ELSEWHERE.fullmatch(word)]
    return bool(plainly) or (bool(found) and _TURKISH.search(plain) is not None)
