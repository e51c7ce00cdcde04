"""Does a new statement make an old one untrue? Heuristics without a language model. English and Turkish; pure.

Four signs, tried in this order: another value of the same subject and attribute, a cue that something ended ("no
longer", "switched from"), the same statement negated, and a correction of one word. Each of them needs the same
subject; statements about different things are left alone however alike they look.
"""

# ruff: noqa: SIM905 - a table is read as a table

from __future__ import annotations

import re
from typing import NamedTuple

from cogmem.text.attributes import SPEAKER, Attribute, attribute_of
from cogmem.text.letters import MAX_INPUT, fold_letters
from cogmem.text.lexicon.attributes import COUNTRIES, NEGATIONS, NUMBER_WORDS, TIME_ADVERBS
from cogmem.text.lexicon.calendar import MONTHS, WEEKDAYS
from cogmem.text.lexicon.stopwords import STOPWORDS
from cogmem.text.tokens import tokens

__all__ = ["Attribute", "Contradiction", "attribute_of", "contradicts", "correction_cue", "negated"]


class Contradiction(NamedTuple):
    """Why a new statement makes an old one untrue.

    Attributes:
        kind: `value`, `ended`, `negation` or `correction`.
        reason: for the log: "residence of speaker: lisbon, now porto".
    """

    kind: str
    reason: str


_CUE = re.compile(
    r"\b(?:actually|correction|i meant|i mean|to correct|should be|should have been|was wrong|were wrong"
    r"|is wrong|misspoke"
    r"|my mistake|not anymore|no longer|in fact|turns out|scratch that|instead of|rather than"
    r"|aslinda|duzeltme|duzeltiyorum|yanlis|demek istedim|pardon|artik (?:degil|yok))\b|^(?:no|sorry|wait|hayir"
    r"|yok)\s?[,.!\u2014-]"
    r"|,\s?not\s"
)
_TURKISH_NEGATIVE = re.compile(
    r"[a-z]{2,}(?:m[iu]yor[a-z]{0,4}|m[ae]d[iu](?:m|n|k|niz|lar|ler)?|m[ae]z(?:lar|ler|sin)?|m[ae]m|meyiz|mayiz|m[ae]y[ae]ca[kg][a-z]{0,4}"
    r"|m[ae]y[ae]ce[kg][a-z]{0,4}|m[ae]m[iu]s[a-z]{0,4})"
)
_WORD = re.compile(r"[^\W_]+(?:[.,:'][^\W_]+)*")


def correction_cue(text: str) -> bool:
    """Whether a text announces that it corrects something: "actually", "I meant", "not X", `aslında`, `yanlış`."""  # noqa: RUF002
    return bool(_CUE.search(fold_letters(text[:MAX_INPUT].strip())))


def negated(text: str) -> bool:
    """Whether a statement denies something; a double negation does not."""
    return sum(_is_negation(word) for word in _words(text)) % 2 == 1


def contradicts(new: str, old: str, *, same_speaker: bool, similarity: float = 0.0) -> Contradiction | None:
    """Whether the new statement makes the old one untrue.

    Args:
        new: a fact, as said or in the third person.
        old: a fact that was remembered before.
        same_speaker: whether one person said both; if not, "I" and "my" in them are different people.
        similarity: of the two, 0 to 1; "switched back to X" needs 0.7 or more where the old value is not named.
    """
    new, old = new[:MAX_INPUT], old[:MAX_INPUT]
    if new.rstrip().endswith("?") or old.rstrip().endswith("?"):
        return None
    if not same_speaker and (_FIRST.search(fold_letters(new)) or _FIRST.search(fold_letters(old))):
        return None
    return _other_value(new, old) or _ended(new, old, similarity) or _denied(new, old) or _corrected(new, old)


_FIRST = re.compile(
    r"\b(?:i|i'm|i've|i'd|i'll|my|me|mine|we|our|us|user|user's|ben|benim|bana|beni)\b|\b[a-z]{2,}(?:[iu]yorum|acagim|ecegim)\b"
)


def _other_value(new: str, old: str) -> Contradiction | None:
    now, then = attribute_of(new), attribute_of(old)
    if now is None or then is None or (now.subject, now.attribute) != (then.subject, then.attribute):
        return None
    if _compatible(now, then):
        return None
    return Contradiction("value", f"{now.attribute} of {now.subject}: {then.value}, now {now.value}")


def _compatible(now: Attribute, then: Attribute) -> bool:
    """Equal, one a part of the other ("Lisbon", "Lisbon, Portugal"), or a town and a country."""
    if now.attribute.startswith("likes "):
        return now.value == then.value
    a, b = set(_WORD.findall(now.value)) - STOPWORDS, set(_WORD.findall(then.value)) - STOPWORDS
    if now.value == then.value or a == b:
        return True
    numbers = any(word[0].isdigit() or word in NUMBER_WORDS for word in a | b)
    if a and b and (a <= b or b <= a) and not numbers:
        return True
    return now.attribute == "residence" and bool(a & COUNTRIES) != bool(b & COUNTRIES)


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
_STOP_CUE = re.compile(r"\b(?:stopped|quit|gave\sup|given\sup|done\swith|no\slonger|any\s?more)\b")
_BACK = re.compile(
    r"\b(?:switched|went|gone|changed|moved|am|i'm)\sback\s(?:to|on)\s(?P<b>[\w' -]{1,40}?)(?:[.,;!]|\sagain|$)"
)
_TURKISH_ENDED = re.compile(r"\b(?:birakti[mk]?|vazgecti[mk]?|kestim)\b")
_TURKISH_FROM = re.compile(r"\b(?P<a>[a-z]+)'?[dt][ae]n\s(?P<b>[a-z]+)'?y?[ae]\s(?:gecti|dondu|tasindi)[mk]?\b")
_SWITCHED_TO = re.compile(r"\b(?:switched|changed|moved|use|uses|using|prefers?|drinks?|went|on)\b")


def _ended(new: str, old: str, similarity: float) -> Contradiction | None:
    """What the new statement names as over is what the old one states."""
    folded, before = fold_letters(new), fold_letters(old)
    if negated(old) or not _same_subject(new, old):
        return None
    for pattern in (_FROM_TO, _INSTEAD, _TURKISH_FROM):
        match, earlier = pattern.search(folded), pattern.search(before)
        if match and earlier and _content(match["a"]) == _content(earlier["a"]):
            continue
        if (
            match
            and _covers(match["a"], old)
            and not _covers_all(folded[: match.start("a")] + folded[match.end("a") :], old)
        ):
            return Contradiction("ended", f"no longer {match['a'].strip()}")
    match = _STOPPED.search(folded) if _STOP_CUE.search(folded) else None
    if match and _mostly(match["a"], old):
        return Contradiction("ended", f"no longer {match['a'].strip()}")
    back = _BACK.search(folded)
    if back and _SWITCHED_TO.search(before) and not _same_target(back["b"], before):
        named = _content(back["b"]) & _content(old)
        if named or similarity >= 0.7:
            return Contradiction("ended", f"switched back to {back['b'].strip()}")
    if _TURKISH_ENDED.search(folded) and _stems(folded) - _stems("biraktim vazgectim") <= _stems(before):
        return Contradiction("ended", "given up")
    return None


def _same_target(target: str, before: str) -> bool:
    """Whether the old statement is already about what the new one returns to: "I switched to tea"."""
    match = re.search(r"\b(?:to|use|uses|using|prefers?|drinks?|on)\s([\w' -]{1,40}?)(?:\sfrom\b|[.,;!]|$)", before)
    return bool(match) and _content(match[1]) == _content(target)  # type: ignore[index]


def _covers(words: str, text: str) -> bool:
    content = _content(words)
    return bool(content) and content <= _content(text)


def _covers_all(words: str, text: str) -> bool:
    """Whether everything the old text states is still in the rest of the new one."""
    return _content(text) <= _content(words)


def _mostly(words: str, text: str) -> bool:
    """Whether what ended is all that the old statement says, besides its subject and manner."""
    ended, stated = _content(words), _content(text) - _subject_words(text)
    return bool(ended) and bool(stated) and ended <= _content(text) and len(stated - ended) <= len(ended)


def _denied(new: str, old: str) -> Contradiction | None:
    """The same words, once affirmed and once denied."""
    if negated(new) == negated(old) or not _same_subject(new, old):
        return None
    now, then = _stems(new), _stems(old)
    if not now or now != then:
        return None
    return Contradiction("negation", "affirmed before, denied now" if negated(new) else "denied before, affirmed now")


def _corrected(new: str, old: str) -> Contradiction | None:
    """One word differs, and it is of the same sort; without a cue only a number after a verb of state counts."""
    now, then = _plain_words(new), _plain_words(old)
    if negated(new) != negated(old) and not re.search(r",\s?not\s", new):
        return None
    gone, come = [w for w in then if w not in now], [w for w in now if w not in then]
    if len(gone) != 1 or len(come) != 1 or len(then) < 3 or not _same_sort(gone[0], come[0], new, old):
        return None
    if correction_cue(new) and len([w for w in now if w in then]) >= 2:
        return Contradiction("correction", f"{gone[0]}, corrected to {come[0]}")
    if (
        gone[0][0].isdigit()
        and _STATE.search(fold_letters(old))
        and _after_state(gone[0], old)
        and not _EVENTFUL.search(old)
    ):
        return Contradiction("value", f"{gone[0]}, now {come[0]}")
    return None


_STATE = re.compile(r"\b(?:is|are|has|costs?|weighs?|runs\son|needs|contains|holds|lasts|seats)\s")
_EVENTFUL = re.compile(
    r"\b(?:meetings?|calls?|appointments?|episodes?|chapters?|rooms?|flights?)\b|\bat\s\d|\bon\s\d", re.IGNORECASE
)


def _after_state(word: str, text: str) -> bool:
    folded = fold_letters(text)
    match = _STATE.search(folded)
    return bool(match) and folded.find(word, match.end()) >= 0  # type: ignore[union-attr]


def _same_sort(gone: str, come: str, new: str, old: str) -> bool:
    if gone[0].isdigit() or come[0].isdigit():
        return gone[0].isdigit() and come[0].isdigit()
    for table in (WEEKDAYS, MONTHS, NUMBER_WORDS):
        if gone in table or come in table:
            return gone in table and come in table
    return _capital(gone, old) and _capital(come, new)


def _capital(word: str, text: str) -> bool:
    place = fold_letters(text).find(word)
    return place >= 0 and text[place].isupper()


def _words(text: str) -> list[str]:
    return _WORD.findall(fold_letters(text[:MAX_INPUT].replace("\u2019", "'")))


def _plain_words(text: str) -> list[str]:
    cut = re.sub(r",\s?not\s[^,.;!]*", "", text)
    return [w for w in _words(cut) if w not in TIME_ADVERBS and w not in _CUE_WORDS and w not in _ARTICLES]


_CUE_WORDS = frozenset("actually correction sorry no wait meant mean aslinda hayir pardon duzeltme yok".split())
_ARTICLES = frozenset("a an the it's that's".split())


def _is_negation(word: str) -> bool:
    return word in NEGATIONS or bool(_TURKISH_NEGATIVE.fullmatch(word))


def _content(text: str) -> set[str]:
    """Index tokens that carry meaning: no stop-words, negations or adverbs of time."""
    kept = " ".join(w for w in _words(text) if w not in TIME_ADVERBS and not _is_negation(w) and w not in _CUE_WORDS)
    return set(tokens(kept))


_TURKISH_ROOT = re.compile(
    r"^([a-z]{2,}?)(?:m[iu]yor|[iu]yor|yor|m[ae]d[iu]|d[iu]|t[iu]|m[ae]z|m[ae]m|[aeiu]r|m[ae]y[ae]c[ae][kg]|[ae]c[ae][kg]|m[ae]m[iu]s|m[iu]s)"
    r"(?:um|im|m|uz|iz|k|sun|sin|lar|ler)?$"
)


def _stems(text: str) -> set[str]:
    """Content with Turkish verbs brought to their root, so that `seviyorum` and `sevmiyorum` meet."""
    found: set[str] = set()
    for word in _words(text):
        if word in TIME_ADVERBS or word in NEGATIONS or word in _CUE_WORDS or word in _AUXILIARY:
            continue
        root = _TURKISH_ROOT.match(word)
        if root and len(word) - len(root[1]) >= 3:
            found.add({"yi": "ye", "di": "de"}.get(root[1], root[1]))
        else:
            found.update(tokens(word))
    return found


_AUXILIARY = frozenset("do does did am is are was were have has had i user ben var".split())
_WHOSE = re.compile(
    r"^(?:(?P<self>i|i'm|i've|user|we|ben)|(?P<own>my|our|user's|benim)\s+(?P<thing>[a-z]+)|(?P<other>[a-z]+))\b"
)


def _subject_words(text: str) -> set[str]:
    return set(tokens(_subject_key(text)))


def _subject_key(text: str) -> str:
    """Whom a statement is about: the speaker, something of theirs, or its first word."""
    plain = re.sub(r"^(?:[a-z]+,\s+|actually\s+|now\s+|artik\s+|aslinda\s+)+", "", fold_letters(text.strip()))
    match = _WHOSE.match(plain)
    if match is None or match["self"]:
        return SPEAKER
    if match["own"]:
        return f"{SPEAKER}'s {match['thing']}"
    return match["other"]


def _same_subject(new: str, old: str) -> bool:
    """Equal first words, or, where Turkish leaves the subject to the verb, both in the same person."""
    a, b = _subject_key(new), _subject_key(old)
    if a == b:
        return True
    turkish = [re.search(r"(?:um|im|m|uz|iz)\W*$", fold_letters(text)) for text in (new, old)]
    return SPEAKER not in (a, b) and all(turkish) and not (new[:1].isupper() and old[:1].isupper() and a == b)
