"""Does a new statement make an old one untrue? Heuristics without a language model. English and Turkish; pure.

Four signs, tried in this order: another value of the same subject and attribute, a cue that
    something ended ("no
longer", "switched from"), the same statement negated, and a correction of one word. Each of them
needs the same subject; statements about different things are left alone however alike they look.
"""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from cogmem_core.text.compare.attributes import SPEAKER, Attribute, attribute_of
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.lexicon.attributes import COUNTRIES, NEGATIONS, NUMBER_WORDS, TIME_ADVERBS
from cogmem_core.text.lexicon.calendar import MONTHS, NUMBERS, TURKISH_MONTHS, WEEKDAYS
from cogmem_core.text.lexicon.likeness import ENGLISH_WORDS, FIRST_PERSON, LEANING, TURKISH_WORDS
from cogmem_core.text.lexicon.statements import (
    CUE,
    TURKISH_LETTER,
    TURKISH_MINE,
    TURKISH_ROOT,
    TURKISH_VERB,
)
from cogmem_core.text.lexicon.stopwords import STOPWORDS
from cogmem_core.text.tokens import tokens

__all__ = [
    "Attribute",
    "Contradiction",
    "attribute_of",
    "contradicts",
    "correction_cue",
    "language",
    "negated",
    "personal",
]


class Contradiction(NamedTuple):
    """Why a new statement makes an old one untrue.

    Attributes:
        kind: `value`, `ended`, `negation` or `correction`.
        reason: for the log: "residence of speaker: lisbon, now porto".
        same_attribute: both are plainly about one attribute of one subject, so that no similarity
            need confirm it.
    """

    kind: str
    reason: str
    same_attribute: bool = False


_TURKISH_NEGATIVE = re.compile(
    r"[a-z]{2,}(?:m[iu]yor[a-z]{0,4}|m[ae]d[iu](?:m|n|k|niz|lar|ler)?|m[ae]z(?:lar|ler|sin)?|m[ae]m|meyiz|mayiz|m[ae]y[ae]ca[kg][a-z]{0,4}"
    r"|m[ae]y[ae]ce[kg][a-z]{0,4}|m[ae]m[iu]s[a-z]{0,4})"
)
_WORD = re.compile(r"[^\W_]+(?:[.,:'][^\W_]+)*")


def correction_cue(text: str) -> bool:
    """Whether a text announces that it corrects something: "actually", "I meant", "not X", `aslında`, `yanlış`."""  # noqa: RUF002
    return bool(CUE.search(fold_letters(text[:MAX_INPUT].strip())))


def negated(text: str) -> bool:
    """Whether a statement denies something; a double negation does not."""
    return sum(_is_negation(word) for word in _words(text)) % 2 == 1


def language(text: str) -> Literal["en", "tr", ""]:
    """The language of a statement by its function words, letters and last verb.

    Empty where nothing tells.
    """
    words = _words(text)
    if ENGLISH_WORDS.intersection(words):
        return "en"
    spelt = TURKISH_LETTER.search(text) or TURKISH_VERB.search(" ".join(words[-3:]))
    return "tr" if spelt or TURKISH_WORDS.intersection(words) else ""


def contradicts(
    new: str, old: str, *, same_speaker: bool, similarity: float = 0.0
) -> Contradiction | None:
    """Whether the new statement makes the old one untrue.

    Args:
        new: a fact, as said or in the third person.
        old: a fact that was remembered before.
        same_speaker: whether one person said both; if not, "I" and "my" in them are different
            people.
        similarity: of the two, 0 to 1; "switched back to X" needs 0.7 or more where the old value
            is not named.
    """
    new = new[:MAX_INPUT]
    old = old[:MAX_INPUT]
    if new.rstrip().endswith("?") or old.rstrip().endswith("?"):
        return None
    if not same_speaker and (personal(new) or personal(old)):
        return None
    plain = _without_cue(new)
    return (
        _other_value(plain, old)
        or _ended(plain, old, similarity)
        or _denied(plain, old)
        or _corrected(plain, old, cued=correction_cue(new))
    )


def personal(text: str) -> bool:
    """Whether who is meant depends on who speaks: "I", "your", "she".

    In Turkish, endings tell, too.
    """
    folded = fold_letters(text[:MAX_INPUT])
    if (FIRST_PERSON | LEANING).intersection(re.findall(r"[a-z]+", folded)):
        return True
    return language(text) != "en" and TURKISH_MINE.search(folded) is not None


_ANNOUNCED = re.compile(r"[^,.:;!?]{0,40}[,.:;!]\s+(?=\S)")

_MEANT = re.compile(r"\s{0,3}(?:i meant?(?: to say)?(?: that)?|demek istedigim)\s{1,3}(?=\S)")


def _without_cue(text: str) -> str:
    """The text without a first clause that only announces a correction: "I misspoke, ...", `yanlış söyledim, ...`."""  # noqa: RUF002
    match = _ANNOUNCED.match(text)
    if match and correction_cue(match.group().strip() + " "):
        text = text[match.end() :]
    meant = _MEANT.match(fold_letters(text))
    return text[meant.end() :] if meant else text


def _other_value(new: str, old: str) -> Contradiction | None:
    now = attribute_of(new)
    then = attribute_of(old)
    if (
        now is None
        or then is None
        or (now.subject, now.attribute) != (then.subject, then.attribute)
    ):
        return None
    if _compatible(now, then) or (
        {language(new), language(old)} == {"en", "tr"} and not _figures(now, then)
    ):
        return None
    return Contradiction(
        "value", f"{now.attribute} of {now.subject}: {then.value}, now {now.value}", True
    )


def _compatible(now: Attribute, then: Attribute) -> bool:
    """Equal, one a part of the other ("Lisbon", "Lisbon, Portugal"), or a town and a country."""
    if now.attribute.startswith("likes "):
        return now.value == then.value
    a = _value_words(now.value)
    b = _value_words(then.value)
    if now.value == then.value or a == b:
        return True
    numbers = any(word[0].isdigit() or word in NUMBER_WORDS for word in a | b)
    if a and b and (a <= b or b <= a) and not numbers:
        return True
    return now.attribute == "residence" and bool(a & COUNTRIES) != bool(b & COUNTRIES)


def _figures(now: Attribute, then: Attribute) -> bool:
    """Whether both values are figures alone: words of two languages cannot be compared ("evli", "married")."""
    return all(word[0].isdigit() for word in _value_words(now.value) | _value_words(then.value))


def _value_words(value: str) -> set[str]:
    """The words of a value; "2" and "two" are one."""
    return {str(NUMBERS.get(word, word)) for word in _WORD.findall(value)} - STOPWORDS


_FROM_TO = re.compile(
    r"\b(?:switched|switching|moved|migrated|changed|converted"
    r"|went)(?:\sback)?(?:\sto\s(?P<to>[\w' -]{1,40}?))?\sfrom\s"
    r"(?P<a>[\w' -]{1,40}?)(?:\s(?:back\s)?to\s|[.,;!]|$)"
)
_INSTEAD = re.compile(
    r"\b(?:instead\sof|rather\sthan|replaced)\s(?P<a>[\w' -]{1,40}?)(?:\s(?:with|by|for|now)\b|[.,;!]|$)"
)
_STOPPED = re.compile(
    r"\b(?:stopped|quit|gave\sup|given\sup|done\swith|no\slonger|don't|doesn't"
    r"|not)\s(?P<a>[\w' -]{2,60}?)(?:\s(?:any\s?more)\b|[.,;!]|$)"
)
_STOP_CUE = re.compile(
    r"(?<!n't\s)(?<!\bnot\s)(?<!\bnever\s)\b(?:stopped|quit|gave\sup|given\sup|done\swith|no\slonger|any\s?more)\b"
)
_BACK = re.compile(
    r"\b(?:switched|went|gone|changed|moved|am|i'm)\sback\s(?:to|on)\s(?P<b>[\w' -]{1,40}?)(?:[.,;!]|\sagain|$)"
)
_TURKISH_ENDED = re.compile(r"\b(?:birakti[mk]?|vazgecti[mk]?|kestim)\b")
_TURKISH_FROM = re.compile(
    r"\b(?P<a>[a-z]+)'?[dt][ae]n\s(?P<b>[a-z]+)'?y?[ae]\s(?:gecti|dondu|tasindi)[mk]?\b"
)
_SWITCHED_TO = re.compile(r"\b(?:switched|changed|moved|use|uses|using|prefers?|drinks?|went|on)\b")


def _ended(new: str, old: str, similarity: float) -> Contradiction | None:
    """What the new statement names as over is what the old one states."""
    folded = fold_letters(new)
    before = fold_letters(old)
    if negated(old) or not _same_subject(new, old):
        return None
    for pattern in (_FROM_TO, _INSTEAD, _TURKISH_FROM):
        match = pattern.search(folded)
        earlier = pattern.search(before)
        if match and earlier and _content(match["a"]) == _content(earlier["a"]):
            continue
        if (
            match
            and _covers(match["a"], old)
            and (pattern is _TURKISH_FROM or _uses(match["a"].strip(), before))
            and not _covers_all(folded[: match.start("a")] + folded[match.end("a") :], old)
        ):
            return Contradiction(
                "ended", f"no longer {match['a'].strip()}", pattern is not _TURKISH_FROM
            )
    match = _STOPPED.search(folded) if _STOP_CUE.search(folded) else None
    if match and _mostly(match["a"], old):
        whole = _content(match["a"]) == _content(old) - _subject_words(old)
        return Contradiction("ended", f"no longer {match['a'].strip()}", whole)
    back = _BACK.search(folded)
    if back and _SWITCHED_TO.search(before) and not _same_target(back["b"], before):
        named = _content(back["b"]) & _content(old)
        if named or similarity >= 0.7:
            return Contradiction("ended", f"switched back to {back['b'].strip()}")
    if (
        _TURKISH_ENDED.search(folded)
        and _TURKISH_HABIT.search(before)
        and _given_up(folded, before)
    ):
        return Contradiction("ended", "given up", True)
    return None


def _uses(thing: str, before: str) -> bool:
    """Whether the old statement says that the thing is used: "We use Jenkins", not "I use tea tree oil"."""
    return re.search(rf"{_USING}{re.escape(thing)}{_THEN}", before) is not None


_USING = (
    r"\b(?:use|uses|using|prefers?|drinks?|likes?|loves?|eats?|takes?|drives?|have|has|is|are|am|to|on|in|at|with)\s"
    r"(?:(?:the|an?|my|our)\s)?"
)
_THEN = r"(?=\W{0,9}$|[.,;!]|\s(?:for|as|at|in|on|with|since|every|to|and|from)\b)"
_TURKISH_HABIT = re.compile(r"(?:[iu]yor(?:um|uz)?|[aeiu]r[iu][mz])\W*$")
_TURKISH_OBJECT = re.compile(r"'?(?:[ny]?[iu]|m[ae]y[iu]|m[ae]kt[ae]n|[dt][ae]n)$")


def _given_up(folded: str, before: str) -> bool:
    """Whether what was given up is what the old statement begins with: `sigarayı`, `sigara`."""  # noqa: RUF002
    things = _words(_TURKISH_ENDED.sub(" ", folded))
    stated = _words(before)
    bare = [_TURKISH_OBJECT.sub("", word) for word in things if word not in TIME_ADVERBS]
    return bool(bare) and all(
        len(word) > 1 and any(_kin(word, other) for other in stated) for word in bare
    )


def _kin(stem: str, word: str) -> bool:
    return word.startswith(stem) and (
        word == stem or _TURKISH_OBJECT.sub("", word) == stem or _root(word) == stem
    )


def _same_target(target: str, before: str) -> bool:
    """Whether the old statement is already about what the new one returns to: "I switched to tea"."""
    match = re.search(
        r"\b(?:to|use|uses|using|prefers?|drinks?|on)\s([\w' -]{1,40}?)(?:\sfrom\b|[.,;!]|$)",
        before,
    )
    return bool(match) and _content(match[1]) == _content(target)  # type: ignore[index]


def _covers(words: str, text: str) -> bool:
    content = _content(words)
    return bool(content) and content <= _content(text)


def _covers_all(words: str, text: str) -> bool:
    """Whether everything the old text states is still in the rest of the new one."""
    return _content(text) <= _content(words)


def _mostly(words: str, text: str) -> bool:
    """Whether what ended is all that the old statement says, besides its subject and manner."""
    ended = _content(words)
    stated = _content(text) - _subject_words(text)
    return (
        bool(ended)
        and bool(stated)
        and ended <= _content(text)
        and len(stated - ended) <= len(ended)
    )


def _denied(new: str, old: str) -> Contradiction | None:
    """The same words, once affirmed and once denied."""
    if negated(new) == negated(old) or not _same_subject(new, old):
        return None
    now = _stems(new)
    then = _stems(old)
    if not now or now != then:
        return None
    return Contradiction(
        "negation",
        "affirmed before, denied now" if negated(new) else "denied before, affirmed now",
        True,
    )


def _corrected(new: str, old: str, *, cued: bool) -> Contradiction | None:
    """One word differs, and it is of the same sort.

    Without a cue only a number after a verb of state counts.
    """
    now = _plain_words(new)
    then = _plain_words(old)
    if negated(new) != negated(old) and not re.search(r",\s?not\s", new):
        return None
    shared = set(now).intersection(then)
    gone = [w for w in then if w not in shared]
    come = [w for w in now if w not in shared]
    if (
        len(gone) != 1
        or len(come) != 1
        or len(then) < 2
        or not _same_sort(gone[0], come[0], new, old)
    ):
        return None
    common = len(now) - 1
    if then[0] == gone[0] and not re.search(r",\s?not\s|\bdegil\b", fold_letters(new)):
        cued = False  # "Actually, Ana likes tea" may tell of one more person
    if cued and common >= (1 if _placed(gone[0], come[0]) else 2):
        return Contradiction("correction", f"{gone[0]}, corrected to {come[0]}", True)
    if (
        len(then) == len(now) >= 3
        and sum(map(str.__ne__, now, then)) == 1
        and gone[0][0].isdigit()
        and _after_state(gone[0], old)
        and not _EVENTFUL.search(old)
    ):
        return Contradiction("value", f"{gone[0]}, now {come[0]}")
    return None


def _placed(gone: str, come: str) -> bool:
    """Words that tell enough beside one other word: weekdays, months, Turkish names with one and the same case."""
    if any(_uncased(gone) in table and _uncased(come) in table for table in (WEEKDAYS, MONTHS)):
        return True
    cases = [
        re.sub("[aeiu]", "a", word.partition("'")[2]).replace("t", "d") for word in (gone, come)
    ]
    return bool(cases[0]) and cases[0] == cases[1] and cases[0] != "s"


_STATE = re.compile(r"\b(?:is|are|has|costs?|weighs?|runs\son|needs|contains|holds|lasts|seats)\s")
_EVENTFUL = re.compile(
    r"\b(?:meetings?|calls?|appointments?|episodes?|chapters?|rooms?|flights?)\b|\bat\s\d|\bon\s\d",
    re.IGNORECASE,
)


def _after_state(word: str, text: str) -> bool:
    folded = fold_letters(text)
    match = _STATE.search(folded)
    return bool(match) and folded.find(word, match.end()) >= 0  # type: ignore[union-attr]


def _same_sort(gone: str, come: str, new: str, old: str) -> bool:
    gone = _uncased(gone)
    come = _uncased(come)
    if gone[0].isdigit() or come[0].isdigit():
        return gone[0].isdigit() and come[0].isdigit()
    for table in (WEEKDAYS, MONTHS, NUMBER_WORDS):
        if gone in table or come in table:
            return gone in table and come in table
    return _capital(gone, old) and _capital(come, new)


def _uncased(word: str) -> str:
    """A Turkish weekday or month without its case ending: `mayısta`."""  # noqa: RUF002
    bare = re.sub("'?[dt][ae]n?$", "", word)
    return bare if bare in WEEKDAYS or bare in TURKISH_MONTHS else word


def _capital(word: str, text: str) -> bool:
    place = fold_letters(text).find(word)
    return place >= 0 and text[place].isupper()


def _words(text: str) -> list[str]:
    return _WORD.findall(fold_letters(text[:MAX_INPUT]))


def _plain_words(text: str) -> list[str]:
    cut = re.sub(r",\s?not\s[^,.;!]*", "", text)
    return [
        w
        for w in _words(cut)
        if w not in TIME_ADVERBS and w not in _CUE_WORDS and w not in _ARTICLES
    ]


_CUE_WORDS = frozenset(
    "actually correction sorry no wait meant mean aslinda hayir pardon duzeltme yok".split()
)
_ARTICLES = frozenset("a an the it's that's".split())


def _is_negation(word: str) -> bool:
    return word in NEGATIONS or bool(_TURKISH_NEGATIVE.fullmatch(word))


def _content(text: str) -> set[str]:
    """Index tokens that carry meaning: no stop-words, negations or adverbs of time."""
    kept = " ".join(
        w
        for w in _words(text)
        if w not in TIME_ADVERBS and not _is_negation(w) and w not in _CUE_WORDS
    )
    return set(tokens(kept))


def _stems(text: str) -> set[str]:
    """Content with Turkish verbs brought to their root, so that `seviyorum` and `sevmiyorum` meet."""
    found: set[str] = set()
    for word in _words(text):
        if word in TIME_ADVERBS or word in NEGATIONS or word in _CUE_WORDS or word in _AUXILIARY:
            continue
        root = _root(word)
        found.update([root] if root else tokens(word))
    return found


def _root(word: str) -> str:
    """The root of a finite Turkish verb, or nothing."""
    root = TURKISH_ROOT.match(word)
    found = root[1] if root and len(word) - len(root[1]) >= 3 else ""
    short = found.rstrip("aeiu")  # a root may lose its last vowel before -iyor
    return short if len(short) > 1 else {"yi": "ye", "di": "de"}.get(found, found)


_AUXILIARY = frozenset("do does did can am is are was were have has had i user ben var".split())
_WHOSE = re.compile(
    r"^(?:(?P<self>i|i'm|i've|user|we|ben)|(?P<own>my|our|user's|benim)\s+(?P<thing>[a-z]+)|(?P<other>[a-z]+))\b"
)


def _subject_words(text: str) -> set[str]:
    return set(tokens(_subject_key(text)))


def _subject_key(text: str) -> str:
    """Whom a statement is about: the speaker, something of theirs, or its first word."""
    plain = re.sub(
        r"^(?:[a-z]+,\s+|actually\s+|now\s+|artik\s+|aslinda\s+)+", "", fold_letters(text.strip())
    )
    match = _WHOSE.match(plain)
    if match is None or match["self"]:
        return SPEAKER
    if match["own"]:
        return f"{SPEAKER}'s {match['thing']}"
    return match["other"]


def _same_subject(new: str, old: str) -> bool:
    """Equal first words, or, where Turkish leaves the subject to the verb, both in the same person."""
    a = _subject_key(new)
    b = _subject_key(old)
    if a == b:
        return True
    turkish = [re.search(r"(?:um|im|m|uz|iz)\W*$", fold_letters(text)) for text in (new, old)]
    return SPEAKER not in (a, b) and all(turkish)
