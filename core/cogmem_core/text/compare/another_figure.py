"""Does a message say that a thing was moved, raised or cut to another figure than the one known? Pure.

"They've changed the home help to Mondays and Thursdays" names the thing and its new days, in other
words than "The home help comes on Tuesdays and Fridays". Whoever changed it need not be known, the
thing must be: all that the message calls it stands in the older one. What this finds is a doubt,
never enough to retire anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Literal, NamedTuple

from cogmem_core.languages.merged import (
    AnyPattern,
    MergedPattern,
    all_entries,
    all_patterns,
    all_words,
)
from cogmem_core.languages.reading import cached_by_language
from cogmem_core.text.compare.clauses import (
    OWN_SUBJECTS,
    Sentence,
    sentences_of,
    without_beginning,
    words_of,
)
from cogmem_core.text.compare.named import is_own_beside_other
from cogmem_core.text.compare.slots import is_own_claim
from cogmem_core.text.compare.values import conditions_of, other_circumstances, stems_of, weekday_of
from cogmem_core.text.compare.wording import is_negative, language_of
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import MONTHS, NUMBERS, STOPWORDS, WEEKDAYS

_Kind = Literal["day", "date", "time", "number"]


class _Figure(NamedTuple):
    """A figure of a sentence.

    Attributes:
        kind: a day of the week, a day of the year, a time of the day, or any other number.
        value: in figures where it is a number.
        unit: what is counted, by its stem; empty if that is not said.
    """

    kind: _Kind
    value: str
    unit: str = ""


class _Setting(NamedTuple):
    """What was set to other figures.

    Attributes:
        thing: its words.
        figures: the new ones.
        start: where the verb stands in the sentence.
    """

    thing: tuple[str, ...]
    figures: tuple[_Figure, ...]
    start: int


_SET = AnyPattern(lambda language: language.compare.revisions.set_to)
_SET_BEHIND = AnyPattern(lambda language: language.compare.revisions.set_behind)
_NOW = MergedPattern(all_patterns(lambda language: language.compare.revisions.now))
_NEWNESS = all_words(lambda language: language.compare.revisions.newness)
_COPULAS = all_words(lambda language: language.compare.revisions.copulas)
_TOWARD = all_words(lambda language: language.compare.revisions.toward)
_BESIDES = MergedPattern(all_patterns(lambda language: language.compare.revisions.besides))
_PERSON = MergedPattern(all_patterns(lambda language: language.compare.retellings.persons))
_OWNERS = MergedPattern(
    rf"(?:{all_patterns(lambda language: language.compare.contradictions.owners)})\Z"
)
_AUXILIARIES = all_words(lambda language: language.compare.wording.auxiliaries)
_TIME_ADVERBS = all_words(lambda language: language.compare.wording.time_adverbs)
_UNITS = all_entries(lambda language: language.time.units)
_SILENT = (STOPWORDS, _AUXILIARIES, _TIME_ADVERBS, _TOWARD, _UNITS)
_CLOCK = re.compile(r"\d{1,2}[:.]\d\d|\d{1,2}(?:[:.]\d\d)?(?:am|pm)")
_ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th)")
_NUMBER = re.compile(r"\d[\d.,:]*(?:k|m)?")
_ADDRESS = re.compile(r"[^@]+@[^@]+")
_FORMS = (_CLOCK, _ORDINAL, _NUMBER, _ADDRESS)
_CURRENCY = re.compile(r"[$\u20ac\u00a3\u20ba]")
_REACH = 6  # words from the first figure in which there may be more
_LONGEST_THING = 4  # words
_ROOT = 4  # letters that words of one root share at least


def another_figure(new: str, old: str) -> str:
    """Which figures of a thing that the old message tells a newer one of the same speaker replaces.

    Args:
        new: a message.
        old: an earlier one.

    Returns:
        For the log: "pizza night: friday, now saturday"; empty if it replaces none.
    """
    if is_negative(new):
        return ""
    for sentence, setting in _settings(new):
        telling = [other for other in sentences_of(old) if _tells(other, setting, new)]
        if telling and not _is_of_others(sentence, telling[0]):
            former = " ".join(figure.value for figure in _figures(telling[0].words))
            now = " ".join(figure.value for figure in setting.figures)
            return f"{' '.join(setting.thing)}: {former}, now {now}"
    return ""


@cached_by_language(2_048)
def _settings(text: str) -> tuple[tuple[Sentence, _Setting], ...]:
    """The sentences of a message that say what was set to other figures."""
    settings: list[tuple[Sentence, _Setting]] = []
    for sentence in sentences_of(text):
        setting = _setting(sentence)
        if setting is None or sentence.search(_BESIDES):
            continue
        if is_own_claim(sentence.folded, setting.start, whose=False):
            settings.append((sentence, setting))
    return tuple(settings)


def _setting(sentence: Sentence) -> _Setting | None:
    """What a sentence says was set to other figures; None if it says that of nothing."""
    folded = _CURRENCY.sub(" ", sentence.folded)
    match = _SET.search(folded)
    if match is not None:
        return _set_to(folded, match)
    match = _SET_BEHIND.search(folded)
    if match is None:
        return _stated_anew(sentence)
    before = list(words_of(folded[: match.start()]))
    first = next((index for index, word in enumerate(before) if _is_figure(word)), len(before))
    figures = _figures(before[first:])
    if match.groupdict().get("day") and any(figure.kind == "number" for figure in figures):
        return None  # bought for so much
    named = _thing(before[:first])
    if language_of(sentence.text) == "tr":
        named = named[-1:]  # what stands before it changes it
    return _Setting(named, figures, match.start()) if named and figures else None


def _set_to(folded: str, match: re.Match[str]) -> _Setting | None:
    behind = list(words_of(folded[match.end() :]))
    leads = [index for index, word in enumerate(behind) if word in _TOWARD]
    if match.groupdict().get("now"):
        leads.insert(0, -1)
    for lead in leads:
        between = list(takewhile(lambda word: word in STOPWORDS, behind[lead + 1 :]))
        target = behind[lead + 1 + len(between) :]
        if target and _is_figure(target[0]):
            named = _thing(behind[: max(lead, 0)]) or _thing(words_of(folded[: match.start()]))
            return _Setting(named, _figures(target[:_REACH]), match.start()) if named else None
    return None


def _stated_anew(sentence: Sentence) -> _Setting | None:
    """The day or time at which a thing is by now: "from now on yoga is on Thursdays"."""
    lasting = without_beginning(sentence)
    now = lasting.search(_NOW)
    if (now is None and lasting is sentence) or (now and now[0] in _NEWNESS):
        return None  # "the new class" may be one more
    start, end = now.span() if now else (0, 0)
    words = list(words_of(f"{lasting.folded[:start]} {lasting.folded[end:]}"))
    verb = next((index for index, word in enumerate(words) if word in _COPULAS), len(words))
    figure = next((index for index in range(verb, len(words)) if _is_figure(words[index])), 0)
    between = words[verb + 1 : figure]
    named = _thing(words[:verb])
    if not named:  # "ab jetzt ist das Training mittwochs"
        named = _thing(between)
        between = []
    figures = tuple(each for each in _figures(words[figure:]) if each.kind in ("day", "time"))
    stated = figure and named and figures and all(word in STOPWORDS for word in between)
    return _Setting(named, figures, sentence.folded.find(words[verb])) if stated else None


def _is_figure(word: str) -> bool:
    bare = word.partition("'")[0]
    counts = bare in NUMBERS and bare not in STOPWORDS
    return counts or bool(_weekday(bare)) or any(form.fullmatch(bare) for form in _FORMS)


def _weekday(bare: str) -> str:
    """The weekday of a folded word; empty for other words."""
    single = bare.removesuffix("s")
    return bare if bare in WEEKDAYS else single if single in WEEKDAYS else weekday_of(bare)


def _thing(words: Iterable[str]) -> tuple[str, ...]:
    """The words of a thing: without agents that are only "they", auxiliaries, owners and figures."""
    named: list[str] = []
    for word in words:
        bare = word.partition("'")[0]
        silent = any(bare in table for table in _SILENT)
        own = OWN_SUBJECTS.match(bare) or _OWNERS.match(bare)
        if not (silent or own or _is_figure(bare)) and tokens(bare):
            named.append(bare)
    return tuple(named) if len(named) <= _LONGEST_THING else ()


def _figures(words: Sequence[str]) -> tuple[_Figure, ...]:
    """The figures of some words, with what they count."""
    figures: list[_Figure] = []
    for index, word in enumerate(words):
        bare = word.partition("'")[0]
        following = words[index + 1].partition("'")[0] if index + 1 < len(words) else ""
        preceding = words[index - 1] if index else ""
        if _weekday(bare):
            figures.append(_Figure("day", _weekday(bare)))
        elif _CLOCK.fullmatch(bare) and following not in MONTHS:
            figures.append(_Figure("time", bare))
        elif _is_figure(bare) and (following in MONTHS or preceding in MONTHS):
            figures.append(
                _Figure("date", f"{bare} {following if following in MONTHS else preceding}")
            )
        elif _ORDINAL.fullmatch(bare):
            figures.append(_Figure("date", bare))
        elif _is_figure(bare):
            unit = "" if following in STOPWORDS else " ".join(tokens(following))
            figures.append(_Figure("number", str(NUMBERS.get(bare, bare)), unit))
    return tuple(figures)


def _tells(old: Sentence, setting: _Setting, new: str) -> bool:
    """Whether a sentence tells other figures of the same kind, of the very thing."""
    if old.text.rstrip().endswith("?") or not all(_names(old, word, new) for word in setting.thing):
        return False
    kinds = {figure.kind for figure in setting.figures}
    units = {figure.unit for figure in setting.figures if figure.unit}
    former = [
        figure
        for figure in _figures(old.words)
        if figure.kind in kinds and (not units or not figure.unit or _is_one_of(figure.unit, units))
    ]
    values = {figure.value for figure in former}
    known = sorted({*units, *(figure.unit for figure in former if figure.unit)}, key=len)
    counted = all(unit.startswith(known[0]) for unit in known)  # in any case
    # "Moved to Mondays and Thursdays" keeps one of the former days; one that keeps all is no news.
    return bool(former) and counted and any(f.value not in values for f in setting.figures)


def _is_one_of(unit: str, units: set[str]) -> bool:
    """Whether one of the units is this one, in any case."""
    return any(unit.startswith(other) or other.startswith(unit) for other in units)


def _names(sentence: Sentence, word: str, new: str) -> bool:
    """Whether a sentence names a thing; in Turkish, in any case."""
    stems = stems_of([word])
    if stems & stems_of(sentence.words):
        return True
    return language_of(new) == "tr" and any(_of_one_root(word, other) for other in sentence.words)


def _of_one_root(word: str, other: str) -> bool:
    shared = sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False))
    )
    return shared >= max(_ROOT, min(len(word), len(other)) - 1)


def _is_of_others(new: Sentence, old: Sentence) -> bool:
    """Whether each sentence is about a person, or under a condition, that the other one is not."""
    if other_circumstances(
        conditions_of([word for word in new.words if not _is_figure(word)]),
        conditions_of([word for word in old.words if not _is_figure(word)]),
    ):
        return True
    if is_own_beside_other(new, old):
        return True
    persons = [
        {word.partition("'")[0] for word in each.words if _is_person(word)} for each in (new, old)
    ]
    if persons[0] and persons[1] and persons[0].isdisjoint(persons[1]):
        return True
    owners = {word for word in old.words if word.endswith("'s")} - set(new.words)
    return bool(owners) and any(_OWNERS.match(word) for word in new.words)  # Tom's, mine


def _is_person(word: str) -> bool:
    return _PERSON.fullmatch(word.partition("'")[0]) is not None
