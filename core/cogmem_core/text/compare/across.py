"""Does a message in one language give another time or figure of what one in another language told? Pure.

"Portuguese class is on Tuesdays at 19:00", and a month later in Turkish that the course is on
Thursdays now. Sentences of two languages cannot be compared, but times and figures are the same in
all of them, and `languages.things` knows some names of things. Both sentences have to speak of the
same thing of the same kind, and of nobody else by name; what this finds is a doubt, never enough to
retire anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from functools import lru_cache
from typing import NamedTuple

from cogmem_core.base.lru import text_cache
from cogmem_core.languages.detect import language_shown
from cogmem_core.languages.merged import Kept, MergedPattern, all_patterns
from cogmem_core.languages.reading import DEFAULT, codes_of, reading
from cogmem_core.languages.tables import any_of
from cogmem_core.languages.things import HAPPENED, KINDS, MEASURED, SCHEDULED, TRANSLATED
from cogmem_core.text.compare.clauses import Sentence, sentence_of
from cogmem_core.text.compare.values import is_capital
from cogmem_core.text.folding import plain_number
from cogmem_core.text.sentences import sentence_spans
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import PARTS_OF_DAY, WEEKDAYS


class _Told(NamedTuple):
    """What a sentence tells of a thing.

    Attributes:
        thing: see `languages.things`; the first that it names.
        kinds: by which it is told apart.
        names: other words with a capital.
        days: weekdays, Monday is 0.
        times: hours and minutes.
        numbers: other figures.
        parts: of the day.
    """

    thing: str
    kinds: frozenset[str]
    names: frozenset[str]
    days: frozenset[int]
    times: frozenset[str]
    numbers: frozenset[str]
    parts: frozenset[tuple[int, int]]


_UNREAL = MergedPattern(all_patterns(lambda language: language.compare.revisions.unreal))
_BESIDES = MergedPattern(
    rf"(?<!')(?:{all_patterns(lambda language: language.compare.revisions.besides)})"
)
_CHANGED = MergedPattern(all_patterns(lambda language: language.compare.revisions.changed))
_DAY = Kept(
    lambda: re.compile(rf"({any_of(day for day in WEEKDAYS if len(day) > _SHORT)})\w{{0,7}}")
)
_TIME = re.compile(r"(\d{1,2})[:.h](\d\d)")
_HAPPENED = {code: re.compile(rf"\b(?:{pattern})\b") for code, pattern in HAPPENED.items()}
_HOUR = re.compile(r"\b(?:at|saat|um|las|a)\s(\d{1,2})(?![\d:.])")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SHORT = 3  # letters: "sun", "mon"
_ENDING = r"[a-z]{0,6}"
_NO_NAMES = frozenset(("i", "euro", "uhr"))  # with a capital all the same
_SEARCHED_ENDINGS = ("", "i", "u", "si", "su", "m", "im", "um")
_READ = 600  # characters; a longer message is about many things
_MOST_SENTENCES = 6


@text_cache(2_048)
def told_in_another_language(new: str, old: str) -> str:
    """What a newer message gives another time or figure of; empty if of nothing.

    Args:
        new: a message.
        old: an earlier one of the same speaker.

    Returns:
        For the log: "class: tuesday 19:00, now thursday 18:30", as far as languages share words.
    """
    shown = (language_shown(new), language_shown(old))
    codes = (shown[0] or _other_default(shown[1]), shown[1] or _other_default(shown[0]))
    if codes[0] == codes[1] or not set(codes) <= set(TRANSLATED):
        return ""
    for told in _told(new[:_READ], codes[0]):
        for former in _told(old[:_READ], codes[1]):
            if _differ(told, former):
                return f"{told.thing}: told otherwise in another language"
    return ""


def _other_default(code: str) -> str:
    """In which language a text is read that shows none, beside one that shows this one."""
    return next(other for other in DEFAULT if other != code)


@text_cache(2_048)
def other_words(text: str) -> tuple[str, ...]:
    """Index tokens by which what a message tells may be found in other languages; mostly none."""
    code = language_shown(text) or TRANSLATED[0]
    if code not in TRANSLATED:
        return ()
    names: set[str] = set()
    for told in _told(text[:_READ], code):
        names |= {told.thing, *told.kinds}
    found: dict[str, None] = {}
    for name in sorted(names):
        rows = SCHEDULED.get(name) or MEASURED.get(name) or KINDS[name]
        for language, words in rows.items():
            endings = _SEARCHED_ENDINGS if language == "tr" else ("",)
            if language != code:
                found |= dict.fromkeys(tokens(" ".join(w + end for w in words for end in endings)))
    return tuple(found)


@text_cache(4_096)
def _told(text: str, code: str) -> tuple[_Told, ...]:
    """What the sentences of a message in this language tell of things with a time or a figure."""
    with reading(codes_of(text)):
        return tuple(_sentences_told(text, code))


def _sentences_told(text: str, code: str) -> Iterator[_Told]:
    for start, end in list(sentence_spans(text))[:_MOST_SENTENCES]:
        part = text[start:end].strip()
        sentence = None if part.endswith("?") else sentence_of(part)
        if sentence is None or not _names_a_thing(sentence, code) or sentence.search(_UNREAL):
            continue
        doubtful = sentence.search(_BESIDES) or _HAPPENED[code].search(sentence.folded)
        if doubtful and not sentence.search(_CHANGED):
            continue
        yield _read(sentence, code)


_Names = tuple[tuple[str, re.Pattern[str]], ...]


@lru_cache(maxsize=len(TRANSLATED))
def _patterns(code: str) -> tuple[_Names, _Names]:
    """The things and the kinds with their words in a language.

    German writes both as one word: `klavierunterricht`.
    """
    before, behind = ("[a-z]*", "[a-z]*") if code == "de" else ("", _ENDING)
    things: list[tuple[str, re.Pattern[str]]] = []
    for name, words in (*SCHEDULED.items(), *MEASURED.items()):
        things.append((name, re.compile(rf"{before}{any_of(words[code])}{_ENDING}")))
    kinds: list[tuple[str, re.Pattern[str]]] = []
    for name, words in KINDS.items():
        kinds.append((name, re.compile(rf"{any_of(words[code])}{behind}")))
    return tuple(things), tuple(kinds)


@text_cache(4_096)
def _named(word: str, code: str) -> tuple[str, str]:
    """The thing and the kind that a folded word names; empty if it names none."""
    things, kinds = _patterns(code)
    return _first(things, word), _first(kinds, word)


def _first(names: _Names, word: str) -> str:
    return next((name for name, pattern in names if pattern.fullmatch(word)), "")


def _names_a_thing(sentence: Sentence, code: str) -> bool:
    return any(_named(word.partition("'")[0], code)[0] for word in sentence.words)


def _read(sentence: Sentence, code: str) -> _Told:
    things: list[str] = []
    kinds: set[str] = set()
    names: set[str] = set()
    days: set[int] = set()
    parts: set[tuple[int, int]] = set()
    for word in sentence.words:
        bare = word.partition("'")[0]
        thing, kind = _named(bare, code)
        things += [thing] if thing else []
        kinds |= {kind} if kind else set()
        day = _DAY().fullmatch(bare)
        if day:
            days.add(WEEKDAYS[day[1]])
        elif bare in PARTS_OF_DAY:
            parts.add(PARTS_OF_DAY[bare])
        elif not (thing or kind or bare in _NO_NAMES) and is_capital(
            word, sentence.text, sentence.folded
        ):
            names.add(bare)
    times = {f"{int(hour)}:{minute}" for hour, minute in _TIME.findall(sentence.folded)}
    figures = set(map(plain_number, _NUMBER.findall(_TIME.sub(" ", sentence.folded))))
    times |= {f"{int(hour)}:00" for hour in _HOUR.findall(sentence.folded)}
    return _Told(
        things[0],
        frozenset(kinds),
        frozenset(names),
        frozenset(days),
        frozenset(times),
        frozenset(figures),
        frozenset(parts),
    )


def _differ(new: _Told, old: _Told) -> bool:
    """Whether two sentences tell of one thing, and give it different times or figures."""
    if (new.thing, new.kinds) != (old.thing, old.kinds) or new.names != old.names:
        return False
    if new.parts and old.parts and new.parts != old.parts:
        return False
    if new.thing in SCHEDULED:
        return _other(new.days, old.days) or _other(new.times, old.times)
    return _other(new.numbers, old.numbers)


def _other(values: Set[object], others: Set[object]) -> bool:
    return bool(values) and bool(others) and values != others
