"""Do two statements say the same, or one of them all that the other says and more? English and Turkish; pure.

Two texts are compared word by word, in their order, after only those differences were taken out
that say nothing: articles, intensifiers, "now" and "still", contractions, the third person, and a
small table of interchangeable words. Every other word counts: tense, modality, negation, names,
numbers, sides, owners, prepositions. What is said more may only be a phrase of its own ("near the
river", "since 2019", "Ayşe ile") or a further sentence on the same subject; a word put in front of
another one ("green tea", "my neighbour's dog") makes it another thing.

In doubt the answer is `different`: a duplicate is cheap, two facts welded into one are lost.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from cogmem_core.text.compare.contradiction import language, negated, personal
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.lexicon import likeness as known
from cogmem_core.text.lexicon.calendar import any_of
from cogmem_core.text.lexicon.verbs import BASE_VERBS, IRREGULAR_THIRD
from cogmem_core.text.sentences import is_verb
from cogmem_core.text.tokens import limit_marks

__all__ = ["Likeness", "likeness"]

Likeness = Literal["same", "refines", "covered", "different"]

_Words = tuple[str, ...]
_LONGEST = 2_000  # characters; a longer text is no fact, and only the same as itself
_MOST_SENTENCES = 20  # of each text that are compared one by one


class _Sentence(NamedTuple):
    """A sentence as it is compared.

    Attributes:
        words: canonical; a comma is a word of its own.
        asks: it is a question.
        plain: the words without commas.
        vocabulary: each of them once.
    """

    words: _Words
    asks: bool
    plain: _Words
    vocabulary: frozenset[str]


class _Statement(NamedTuple):
    sentences: tuple[_Sentence, ...]
    turkish: bool


def likeness(new: str, old: str, *, same_speaker: bool = True) -> Likeness:
    """Compare what two texts say.

    Args:
        new: a fact, as said or in the third person.
        old: a fact that was remembered before.
        same_speaker: whether one person said both; if not, "I", "my" and "you" in them are
            different people.

    Returns:
        `same`: at most in other words. `covered`: the old text says all of it and more. `refines`:
            the new text says
        all that the old one says and more. `different`: everything else, and every doubt.
    """
    if not same_speaker and (personal(new) or personal(old)):
        return "different"
    if new == old:
        return "same"
    if max(len(new), len(old)) > _LONGEST:
        return "different"
    languages = {language(new), language(old)}
    if languages == {"en", "tr"}:
        return "different"
    now, then = (_read(text, turkish="tr" in languages) for text in (new, old))
    covered = _within(now, then)
    refines = _within(then, now)
    if covered and refines:
        return "same"
    return "covered" if covered else "refines" if refines else "different"


_DOTS = {
    ord("İ"): "i",
    ord("ı"): "i",
    ord("\u2019"): "'",
    ord("\u2018"): "'",
    ord("\u02bc"): "'",
    ord("`"): "'",
}  # noqa: RUF001
_END = re.compile(
    r"(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bst)(?<!\bmrs)(?<!\bprof)([.!?;\u2026]{1,9})(?=\s|$)|\n"
)
_TOKEN = re.compile(
    r"(?<!\S)[-\u2212](?=\d)"
    r"|\d{1,3}(?:,\d{3})+(?!\d)"
    r"|[^\W_]+(?:[.:,'](?=[^\W_])[^\W_]+)*|'s\b|[,\u2013\u2014]"
    r"|[^\s\w.,:!?\"'\u201c\u201d()\[\]{}\u2026\u2013\u2014-]+"
)
_BREAKS = frozenset(",\u2013\u2014")


@lru_cache(maxsize=1024)
def _read(text: str, *, turkish: bool) -> _Statement:
    lowered = unicodedata.normalize("NFKC", limit_marks(text)).translate(_DOTS).casefold()
    sentences = []
    start = 0
    for end in [*_END.finditer(lowered), None]:
        part = lowered[start : end.start() if end else len(lowered)]
        words = (
            tuple(_turkish_words(part) if turkish else _english_words(part)) if part.strip() else ()
        )
        if words:
            plain = _plain(words)
            asks = bool(end and end[1] and "?" in end[1])
            sentences.append(_Sentence(words, asks, plain, frozenset(plain)))
        start = end.end() if end else start
    return _Statement(tuple(sentences), turkish)


_UNIT = re.compile(r"(\d[\d.,:]*?)([^\W\d]+)$")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+$")


def _tokens(text: str) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token in _BREAKS:
            yield ","
        elif token[0].isdigit() and not token.isdigit():
            unit = _UNIT.match(token)
            yield from (
                unit.groups()
                if unit
                else (token.replace(",", "") if _THOUSANDS.match(token) else token,)
            )
        else:
            yield token


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
_PHRASE = re.compile(rf"(?<!\w){any_of(known.PHRASES)}(?!\w)")
_AT_THE_END = re.compile(r"\s(?:so much|very much|a lot|as well|too)\s*(?=,|$)")


def _english_words(text: str) -> list[str]:
    for pattern, written in _CONTRACTIONS:
        text = pattern.sub(written, text)
    text = _AT_THE_END.sub(" ", _PHRASE.sub(lambda match: known.PHRASES[match.group()], text))
    found: list[str] = []
    previous = ""
    for token in _tokens(text):
        owner, possessive = (token[:-2], "'s") if token.endswith("'s") else (token, "")
        found.append(owner if previous in known.DETERMINERS else _base(owner))
        if possessive:
            found.append(possessive)
        previous = possessive or owner
    return list(_without_soft(_verb_forms(_speaker(found))))


def _base(word: str) -> str:
    """A verb without the ending of the third person; forms of "be" in the present are one."""
    if word in IRREGULAR_THIRD or word in ("is", "has", "does"):
        return {"has": "have", "does": "do", "have": "have", "do": "do", "go": "go"}.get(word, "be")
    if word.endswith("ies") and word[:-3] + "y" in BASE_VERBS:
        return word[:-3] + "y"
    if word.endswith("s"):
        return next((stem for stem in (word[:-1], word[:-2]) if stem in BASE_VERBS), word)
    return word


def _speaker(words: list[str]) -> Iterator[str]:
    """Write "User likes their dog" as "I like my dog"."""
    third = "user" in words
    for number, word in enumerate(words):
        follows = words[number + 1] if number + 1 < len(words) else ""
        if word == "user":
            yield "my" if follows == "'s" else "i"
        elif word == "'s" and number and words[number - 1] == "user":
            continue
        else:
            yield (
                {"their": "my", "theirs": "mine", "themselves": "myself"}.get(word, word)
                if third
                else word
            )


def _verb_forms(words: Iterator[str]) -> Iterator[str]:
    """Write "am working" as "work", "like to swim" as "like swimming", "do not" as "not"."""
    listed = [
        known.SYNONYMS.get(word, known.NUMERALS.get(word, word))
        for word in words
        if word not in known.SOFT
    ]
    number = 0
    while number < len(listed):
        word = listed[number]
        after = listed[number + 1 : number + 3]
        number += 1
        if word == "do" and after[:1] == ["not"]:
            continue
        if word == "be" and after and _gerund(after[0]) in known.PLAIN_PROGRESSIVE:
            yield _gerund(after[0])
            number += 1
            continue
        yield word
        if word in known.GERUND_AFTER and after and _gerund(after[0]):
            yield f"to {_gerund(after[0])}"
            number += 1
        elif (
            word in known.GERUND_AFTER
            and after[:1] == ["to"]
            and after[1:]
            and after[1] in BASE_VERBS
        ):
            yield f"to {after[1]}"
            number += 2


def _gerund(word: str) -> str:
    """The verb of a form in -ing, or nothing."""
    if not word.endswith("ing"):
        return ""
    stem = word[:-3]
    doubled = stem[:-1] if stem[-2:-1] == stem[-1:] else stem
    return next((verb for verb in (stem, stem + "e", doubled) if verb in BASE_VERBS), "")


def _without_soft(words: Iterator[str]) -> Iterator[str]:
    begun = False
    for word in words:
        if not begun and (word in known.OPENERS or word == ","):
            continue
        begun = True
        yield word


_STANDING = frozenset(known.TURKISH_SYNONYMS.values())


def _turkish_words(text: str) -> Iterator[str]:
    """Words with all their endings, which tell persons, cases and tenses.

    Only what the tables fold is folded.
    """
    listed = list(_tokens(text))
    folded = [fold_letters(token) for token in listed]
    skip = 0
    for number, (token, plain) in enumerate(zip(listed, folded, strict=True)):
        pair = " ".join(folded[number : number + 2])
        if skip:
            skip -= 1
        elif pair in known.TURKISH_PHRASES:
            skip = 1
            if known.TURKISH_PHRASES[pair]:
                yield known.TURKISH_PHRASES[pair]
        elif plain not in known.TURKISH_SOFT:
            yield (
                plain
                if plain in _STANDING
                else known.TURKISH_SYNONYMS.get(plain, known.NUMERALS.get(plain, token))
            )


def _within(part: _Statement, whole: _Statement) -> bool:
    """Whether the whole says all that the part says; the same holds for what is equal."""
    if part.sentences == whole.sentences:
        return bool(part.sentences)
    small = part.sentences
    large = whole.sentences
    if not small or len(small) > _MOST_SENTENCES or len(large) > _MOST_SENTENCES:
        return False
    held: set[int] = set()
    for sentence in small:
        at = [
            number
            for number, other in enumerate(large)
            if _inside(sentence, other, turkish=part.turkish)
        ]
        if not at or (len(large) > 1 and sentence.words[0] in known.LEANING):
            return False
        held.update(at)
    about = {_about(sentence) for sentence in large if sentence in small} | {
        _about(sentence) for sentence in small
    }
    return all(
        _adds(sentence, about) for number, sentence in enumerate(large) if number not in held
    )


def _about(sentence: _Sentence) -> _Words:
    """The first word, or "my" and the thing."""
    return sentence.words[:2] if sentence.words[0] in ("my", "our") else sentence.words[:1]


def _adds(sentence: _Sentence, about: set[_Words]) -> bool:
    """Whether a further sentence tells more about the same subject and takes nothing back."""
    same = _about(sentence) in about or sentence.words[0] in known.LEANING
    return same and not sentence.asks and not _hedged(sentence.words)


def _hedged(words: Sequence[str]) -> bool:
    return any(word in known.HEDGING or fold_letters(word) in known.HEDGING for word in words)


def _inside(part: _Sentence, whole: _Sentence, *, turkish: bool) -> bool:
    if part.asks != whole.asks:
        return False
    if part.plain == whole.plain:
        return True
    if turkish:
        return _turkish_inside(part.plain, whole.plain)
    return part.vocabulary <= whole.vocabulary and _english_inside(part.words, whole.words)


def _plain(words: _Words) -> _Words:
    return tuple(word for word in words if word != ",")


def _english_inside(part: _Words, whole: _Words) -> bool:
    """Whether the same is stated, and the phrases of the part are all among those of the whole."""
    head, phrases = _phrases(part)
    other, others = _phrases(whole)
    if head != other or Counter(phrases) - Counter(others):
        return False
    added = Counter(others) - Counter(phrases)
    if not added:
        return _movable(others)
    said = [*head, *(word for phrase in phrases for word in phrase)]
    return (
        len(said) >= 3
        and any(map(is_verb, head))
        and not known.NARROWING.intersection(said)
        and _behind(others, added)
        and all(map(_may_be_added, added))
    )


def _phrases(words: _Words) -> tuple[_Words, tuple[_Words, ...]]:
    """What is stated, and the phrases behind it.

    One in front of it ("In June, I ...") is put behind.
    """
    start = _front(words)
    chunks: list[list[str]] = [[]]
    for place, word in enumerate(words[start:], start):
        infinitive = (
            word == "to" and words[place + 1 : place + 2] and words[place + 1] in BASE_VERBS
        )
        begins = word in known.STARTERS and not infinitive and place > start
        if word == "," or (
            begins and not (len(chunks[-1]) == 1 and chunks[-1][0] in known.STARTERS)
        ):
            chunks.append([])
        if word != ",":
            chunks[-1].append(word)
    head, *rest = (tuple(chunk) for chunk in chunks if chunk) if any(chunks) else ((),)
    front = _plain(words[:start])
    return head, (*rest, front) if front else tuple(rest)


def _front(words: _Words) -> int:
    """Where the statement begins behind a phrase that was put in front of it; 0 without one."""
    if words[0] not in known.STARTERS:
        return 0
    first = 1 if words[0] in known.ADVERBIAL else 2
    ends = (n + (words[n] == ",") for n in range(first, len(words)) if _subject_from(words, n))
    return next(ends, 0)


def _subject_from(words: _Words, place: int) -> bool:
    return words[place] in known.SUBJECTS or (words[place] == "," and place + 1 < len(words))


def _movable(phrases: Sequence[_Words]) -> bool:
    """Whether phrases may change places: "from Rome to Paris" may, "with Ana to Rome and with Ben to Oslo" may not."""
    return len({phrase[0] for phrase in phrases}) == len(phrases) and not any(
        "and" in phrase for phrase in phrases
    )


def _behind(phrases: Sequence[_Words], added: Counter[_Words]) -> bool:
    """Whether everything with a verb comes before what is added, so that it is no part of the subject."""
    verbs = [
        number
        for number, phrase in enumerate(phrases)
        if phrase not in added and any(map(is_verb, phrase))
    ]
    first = next(number for number, phrase in enumerate(phrases) if phrase in added)
    return not verbs or verbs[-1] < first


def _may_be_added(phrase: _Words) -> bool:
    if _hedged(phrase) or (
        len(phrase) < 2 and phrase[0] not in known.ADVERBIAL and phrase[0] in known.STARTERS
    ):
        return False
    return phrase[0] in known.STARTERS or phrase[0] == "and" or not any(map(is_verb, phrase))


_TURKISH_PLACED = re.compile(r"'(?:n?[dt][ae]n?|y?l[ae]|y?[ae])$|ml[ae]$")
_TURKISH_PARTICIPLE = re.compile(r"(?:[ae]n|[dt][iu]g[a-z]{1,6}|ki|m[iu]s)$")


def _turkish_inside(part: _Words, whole: _Words) -> bool:
    """Whether the whole is the part with one adverbial more, which stands before the verb and modifies no noun."""
    more = len(whole) - len(part)
    shared = next(
        (n for n, (a, b) in enumerate(zip(part, whole, strict=False)) if a != b), len(part)
    )
    rest = part[shared:]
    if more < 1 or len(part) < 2 or not rest or whole[shared + more :] != rest:
        return False
    narrowed = negated(" ".join(part)) or any(
        fold_letters(word) in known.NARROWING for word in part
    )
    if narrowed or any(_TURKISH_PARTICIPLE.search(fold_letters(word)) for word in rest[:-1]):
        return False
    return _is_adverbial([fold_letters(word) for word in whole[shared : shared + more]])


def _is_adverbial(words: list[str]) -> bool:
    """Whether words are phrases of time, place, company or purpose, read from their end."""
    if _hedged(words):
        return False
    while words:
        last = words.pop()
        if last in known.TURKISH_POSTPOSITIONS:
            if words:
                words.pop()
        elif last in known.TURKISH_TIME_NOUNS:
            if not words or not _tells_which(words[-1]):
                return False
            while words and _tells_which(words[-1]):
                words.pop()
        elif last not in known.TURKISH_TIMES and not _TURKISH_PLACED.search(last):
            return False
    return True


def _tells_which(word: str) -> bool:
    return word in known.TURKISH_WHICH or word in known.TURKISH_TIME_NOUNS or word[0].isdigit()
