"""English: when one sentence says all that another one says.

Tables of interchangeable words are small on purpose: a word that is missing costs a duplicate, a
word too many makes two different facts one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from cogmem_core.languages.base import EntailmentTools
from cogmem_core.languages.en.interchangeable import PHRASES, SYNONYMS
from cogmem_core.languages.tables import any_of, lazy_pattern, words

_Words = tuple[str, ...]

_SOFT = words(
    """
    a an the really very truly absolutely totally definitely actually just simply quite now still
    currently presently nowadays also honestly basically literally already finally recently
    """
)
# Soft where a sentence begins.
_OPENERS = words("well so oh hey um ok okay yes yeah and but fyi")
# A word behind one of these is a noun.
_DETERMINERS = words("a an the my his her our their your its 's this that these those two three")
# Verbs of which "I am working" and "I work" say the same.
_PLAIN_PROGRESSIVE = words("work live study learn use")
# After these, "to swim" and "swimming" say the same.
_GERUND_AFTER = words("like dislike start started prefer")
# Words with which a phrase begins that can be added to a statement or moved to its front.
_STARTERS = words(
    """
    in at on to from for with by near since until till during before after about into onto around
    through over under between among against as because which who called named every yesterday today
    tomorrow tonight last next twice once daily weekly monthly together
    """
)
# Phrases of one word.
_ADVERBIAL = words("yesterday today tomorrow tonight twice once daily weekly monthly together")
_SUBJECTS = words("i my we our he she they his her their")
_AS_SPEAKER = {"their": "my", "theirs": "mine", "themselves": "myself"}
_PRESENT_FORMS = {"has": "have", "does": "do", "have": "have", "do": "do", "go": "go"}
_CONTRACTIONS = (
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"\b(?:can't|cannot)\b"), "can not"),
    (re.compile(r"'s name is\b"), " is called"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'m\b"), " am"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"\b(he|she|it|that|there|what|who)'s\b"), r"\1 is"),
)
_PHRASE = lazy_pattern(rf"(?<!\w){any_of(PHRASES)}(?!\w)")
_AT_THE_END = lazy_pattern(r"\s(?:so much|very much|a lot|as well|too)\s*(?=,|$)")


def canonical(text: str, tools: EntailmentTools) -> list[str]:
    """The words of a sentence without contractions, third person and soft words."""
    for pattern, spelling in _CONTRACTIONS:
        text = pattern.sub(spelling, text)
    text = _AT_THE_END.sub(" ", _PHRASE.sub(lambda match: PHRASES[match.group()], text))
    bases: list[str] = []
    previous = ""
    for token in tools.tokens(text):
        owner = token.removesuffix("'s")
        possessive = token[len(owner) :]
        bases.append(owner if previous in _DETERMINERS else _base(owner, tools))
        if possessive:
            bases.append(possessive)
        previous = possessive or owner
    return list(_without_openers(_verb_forms(_as_speaker(bases), tools)))


def _base(word: str, tools: EntailmentTools) -> str:
    """A verb without the ending of the third person; forms of "be" in the present are one."""
    if word in tools.irregular_thirds or word in ("is", "has", "does"):
        return _PRESENT_FORMS.get(word, "be")
    if word.endswith("ies") and word[:-3] + "y" in tools.base_verbs:
        return word[:-3] + "y"
    if word.endswith("s"):
        for stem in (word[:-1], word[:-2]):
            if stem in tools.base_verbs:
                return stem
    return word


def _as_speaker(words: list[str]) -> Iterator[str]:
    """Write "User likes their dog" as "I like my dog"."""
    third_person = "user" in words
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else ""
        if word == "user":
            yield "my" if following == "'s" else "i"
        elif word == "'s" and index and words[index - 1] == "user":
            continue
        else:
            yield _AS_SPEAKER.get(word, word) if third_person else word


def _verb_forms(words: Iterable[str], tools: EntailmentTools) -> Iterator[str]:
    """Write "am working" as "work", "like to swim" as "like swimming", "do not" as "not"."""
    firm = [word for word in words if word not in _SOFT]
    plain = [SYNONYMS.get(word, tools.numerals.get(word, word)) for word in firm]
    index = 0
    while index < len(plain):
        word = plain[index]
        following = plain[index + 1 : index + 3]
        index += 1
        gerund = _gerund(following[0], tools) if following else ""
        if word == "do" and following[:1] == ["not"]:
            continue
        if word == "be" and gerund in _PLAIN_PROGRESSIVE:
            yield gerund
            index += 1
            continue
        yield word
        if word not in _GERUND_AFTER:
            continue
        if gerund:
            yield f"to {gerund}"
            index += 1
        elif following[:1] == ["to"] and following[1:] and following[1] in tools.base_verbs:
            yield f"to {following[1]}"
            index += 2


def _gerund(word: str, tools: EntailmentTools) -> str:
    """The verb of a form in -ing, or nothing."""
    if not word.endswith("ing"):
        return ""
    stem = word[:-3]
    single = stem[:-1] if stem[-2:-1] == stem[-1:] else stem
    for verb in (stem, stem + "e", single):
        if verb in tools.base_verbs:
            return verb
    return ""


def _without_openers(words: Iterable[str]) -> Iterator[str]:
    begun = False
    for word in words:
        if not begun and (word in _OPENERS or word == ","):
            continue
        begun = True
        yield word


def includes(part: _Words, whole: _Words, tools: EntailmentTools) -> bool:
    """Whether both state the same, and the phrases of the part are all among those of the whole."""
    if set(part).difference(whole, ","):
        return False
    head, phrases = _phrases(part, tools)
    whole_head, whole_phrases = _phrases(whole, tools)
    if head != whole_head or Counter(phrases) - Counter(whole_phrases):
        return False
    added = Counter(whole_phrases) - Counter(phrases)
    if not added:
        return _movable(whole_phrases)
    stated = [*head]
    for phrase in phrases:
        stated += phrase
    if len(stated) < 3 or not any(map(tools.is_verb, head)):
        return False
    if not tools.narrowing.isdisjoint(stated) or not _behind(whole_phrases, added, tools):
        return False
    return all(_may_be_added(phrase, tools) for phrase in added)


def _phrases(words: _Words, tools: EntailmentTools) -> tuple[_Words, list[_Words]]:
    """What is stated, and the phrases behind it.

    One in front of the statement ("In June, I ...") counts as behind it.
    """
    start = _front(words)
    chunks: list[list[str]] = [[]]
    for index in range(start, len(words)):
        word = words[index]
        following = words[index + 1 : index + 2]
        infinitive = word == "to" and following and following[0] in tools.base_verbs
        begins = word in _STARTERS and not infinitive and index > start
        only_starter = len(chunks[-1]) == 1 and chunks[-1][0] in _STARTERS
        if word == "," or (begins and not only_starter):
            chunks.append([])
        if word != ",":
            chunks[-1].append(word)
    phrases = [tuple(chunk) for chunk in chunks if chunk] or [()]
    front = tuple(word for word in words[:start] if word != ",")
    if front:
        phrases.append(front)
    return phrases[0], phrases[1:]


def _front(words: _Words) -> int:
    """Where the statement begins behind a phrase that was put in front of it; 0 without one."""
    if words[0] not in _STARTERS:
        return 0
    shortest = 1 if words[0] in _ADVERBIAL else 2
    for index in range(shortest, len(words)):
        if words[index] == "," and index + 1 < len(words):
            return index + 1
        if words[index] in _SUBJECTS:
            return index
    return 0


def _movable(phrases: Sequence[_Words]) -> bool:
    """Whether phrases may change places.

    "From Rome to Paris" may, "with Ana to Rome and with Ben to Oslo" may not.
    """
    first_words = {phrase[0] for phrase in phrases}
    return len(first_words) == len(phrases) and not any("and" in phrase for phrase in phrases)


def _behind(phrases: Sequence[_Words], added: Counter[_Words], tools: EntailmentTools) -> bool:
    """Whether every phrase with a verb comes before the first added one.

    Then what is added is no part of the subject.
    """
    adding = False
    for phrase in phrases:
        if phrase in added:
            adding = True
        elif adding and any(map(tools.is_verb, phrase)):
            return False
    return True


def _may_be_added(phrase: _Words, tools: EntailmentTools) -> bool:
    if tools.is_hedged(phrase):
        return False
    starts = phrase[0] in _STARTERS
    if starts and len(phrase) < 2 and phrase[0] not in _ADVERBIAL:
        return False
    return starts or phrase[0] == "and" or not any(map(tools.is_verb, phrase))
