"""Is a change told in a plain assertion, and is what it changes one? If not, nothing is retired. Pure.

Before a plain assertion stand known openers only, behind its value nothing that limits it: "in my novel
I live in Bergen", "my rent is 900 before tax", "I live in Bergen. Kidding!" are none, whatever limits
them. What is changed tells nothing else: "I live in Berlin with my dog Rex". Both have the same subject
and differ in one value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timezone

from cogmem_core.languages.base import NOTHING
from cogmem_core.languages.merged import (
    AnyPattern,
    MergedPattern,
    Words,
    all_patterns,
    all_words,
    any_word,
    languages_read,
)
from cogmem_core.languages.reading import cached_by_language, in_its_language, pair_in_one_language
from cogmem_core.text.compare.clauses import OWNERS, Sentence, sentence_of, words_of
from cogmem_core.text.compare.named import names_subject
from cogmem_core.text.compare.over import CALLED_OFF, ENDED
from cogmem_core.text.compare.values import is_capital, stems_of
from cogmem_core.text.compare.wording import folded_words, is_negation, is_negative, verb_root
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.sentences import is_verb
from cogmem_core.text.time.find import find_times
from cogmem_core.text.time.tense import only_looks_back
from cogmem_core.text.vocabulary import GOVERNING, MONTHS, NUMBERS, WEEKDAYS

_PRESENT = all_patterns(lambda language: language.compare.revisions.now)
_NOW = MergedPattern(rf"\b(?:{_PRESENT})(?!\w)")
_SINCE = rf"(?:{_PRESENT}|{all_patterns(lambda language: language.compare.revisions.begun)})(?!\w)"
_LASTING = MergedPattern(rf"\b{_SINCE}")
_OPENER = MergedPattern(
    rf"\W{{0,3}}(?:(?:(?:{all_patterns(lambda language: language.compare.revisions.openers)}"
    rf"|{all_patterns(lambda language: language.compare.contradictions.correction_openers)}"
    rf"|{all_patterns(lambda language: language.compare.contradictions.correction_cues)}"
    rf"|{all_patterns(lambda language: language.compare.contradictions.meant)}"
    rf"|{all_patterns(lambda language: language.observe.durations.requests_to_remember)})(?!\w)"
    rf"|{_SINCE})"
    r"[\s,:!.\u2013\u2014-]{0,4}){1,4}"
)
_GAMES = MergedPattern(all_patterns(lambda language: language.compare.revisions.games))
_UNMEANT = MergedPattern(all_patterns(lambda language: language.compare.revisions.unmeant))
_CHANGED = MergedPattern(
    rf"{all_patterns(lambda language: language.compare.revisions.given_up)}"
    rf"|{all_patterns(lambda language: language.compare.revisions.changed)}"
)
_BACK = AnyPattern(lambda language: language.compare.contradictions.back)
_STOPPED = MergedPattern(all_patterns(lambda language: language.compare.contradictions.stop_cue))
_OVER: tuple[MergedPattern | AnyPattern, ...] = (ENDED, CALLED_OFF, _STOPPED)
_CONTRAST = AnyPattern(lambda language: language.compare.revisions.named_wrong)
_VERBS = all_words(lambda language: language.compare.revisions.linking) | all_words(
    lambda language: language.compare.wording.auxiliaries
)
_COUNTRIES = all_words(lambda language: language.compare.wording.countries)
_RELATIONS = all_words(lambda language: language.compare.revisions.prepositions) | all_words(
    lambda language: language.compare.revisions.provided
)
_SUBJECTS = all_words(lambda language: language.compare.statements.subjects)
_HARMLESS = all_words(lambda language: language.compare.revisions.harmless)
_BEGINNING = _SUBJECTS | GOVERNING
_LIMITING = _RELATIONS | _BEGINNING | _HARMLESS
_CONJUNCTIONS = all_words(lambda language: language.compare.statements.conjunctions)
_JOINT = MergedPattern(
    r",(?!\d)|\s[-\u2013\u2014]\s|[;()]|:\s|\s/"
    rf"|(?<![\w'])(?:{all_patterns(lambda language: language.compare.revisions.turns)}"
    rf"|{any_word(_CONJUNCTIONS)})\b"
)
_QUOTED = re.compile('["\u201c\u201d\u00ab\u00bb]')
_ROOT = 4  # letters
_ANY_DAY = datetime(2000, 1, 1, tzinfo=timezone.utc)


def _times() -> Iterator[str]:
    yield from (*WEEKDAYS, *MONTHS)
    for language in languages_read():
        entities = language.observe.entities
        yield from (*entities.units, *entities.plain_units, *language.time.units)


_UNITS = Words(_times)


@in_its_language
@cached_by_language(2_048)
def is_meant(text: str) -> bool:
    """Whether nothing in a text says that it is a joke, a story or a game."""
    return not announces_game(text) and _UNMEANT.search(fold_letters(text[:MAX_INPUT])) is None


@in_its_language
@cached_by_language(2_048)
def announces_game(text: str) -> bool:
    """Whether a text announces a game or a story, so that what follows is not meant either."""
    return _GAMES.search(fold_letters(text[:MAX_INPUT])) is not None


@pair_in_one_language(False)
def plainly_changes(new: str, old: str) -> bool:
    """Whether two statements, of which the new one changes the old one, are both plain assertions.

    Example:
        >>> old = "I live in Oslo."
        >>> [plainly_changes(new, old) for new in ("I live in Bergen now.", "On paper I live in Bergen.")]
        [True, False]
    """
    if any(language.compare.revisions.unmeant == NOTHING for language in languages_read()):
        return False
    if _QUOTED.search(new) or _QUOTED.search(old):
        return False
    parts, former_parts = _parts(new, old, _LASTING), _parts(old, new, _NOW)
    said = {(part.words, part.negative) for part in former_parts}
    both = {(part.words, part.negative) for part in parts} & said
    parts, former_parts = (
        [part for part in each if (part.words, part.negative) not in both]
        for each in (parts, former_parts)
    )
    over = [part for part in parts if part.negative or any(map(part.search, _OVER))]
    denies = bool(over) or is_negative(old)
    if not parts or not former_parts:
        return False
    former = _nearest(former_parts, parts)[0]
    further = [part for part in former_parts if part is not former]
    joined = not _CONJUNCTIONS.isdisjoint(folded_words(old))
    if further and (joined or any(_states(part, former) for part in further)):
        return False
    return any(
        _changes(claim, former, denies=denies, alone=not further)
        and all(part is claim or _states(part, former) for part in parts)
        for claim in over or _nearest(parts, [former])
    )


def _parts(text: str, other: str, silent: MergedPattern) -> list[Sentence]:
    """What a text says between its marks, but for what opens it, tells why, or names a country.

    Args:
        text: a statement.
        other: the one that it is compared with.
        silent: words that make no difference.
    """
    folded = fold_letters(text)
    if len(folded) != len(text):
        return []
    known = stems_of(folded_words(other))
    parts: list[Sentence] = []
    start = 0
    for end, following in (*(match.span() for match in _JOINT.finditer(folded)), (len(text), 0)):
        tells_why = bool(parts) and next(words_of(folded[start:end]), "") in _HARMLESS
        opener = _OPENER.match(folded, start, end)
        part = text[opener.end() if opener else start : end]
        start = following
        sentence = sentence_of(_without_times(part, silent).strip())
        if sentence is None or tells_why or _COUNTRIES.issuperset(sentence.words):
            continue
        denied = is_negation(sentence.words[0]) and stems_of(sentence.words) <= known
        if not (denied and (parts or end < len(text) - 1)):
            parts.append(sentence)
    return parts


def _without_times(part: str, silent: MergedPattern) -> str:
    """A statement without the words that make no difference, and without when something happened."""
    spans = [match.span() for match in silent.finditer(fold_letters(part))]
    if only_looks_back(fold_letters(part)):
        spans += [(time.start, time.end) for time in find_times(part, _ANY_DAY)]
    for start, end in sorted(spans, reverse=True):
        part = f"{part[:start]} {part[end:]}"
    return part


def _nearest(parts: Sequence[Sentence], others: Sequence[Sentence]) -> list[Sentence]:
    """Those that share most words with others."""
    words = {word for other in others for word in other.words}
    shares = [sum(word in words for word in part.words) for part in parts]
    return [part for part, share in zip(parts, shares, strict=True) if share == max(shares)]


def _states(part: Sentence, other: Sentence) -> bool:
    """Whether a part is a statement of its own, and governs no other: "my knee gave out"."""
    if not GOVERNING.isdisjoint(part.words) or part.words[0] in _RELATIONS:
        return False
    begins = part.subject == "i" or part.words[0] in other.words or part.words[0] in _SUBJECTS
    return begins or any(_is_verb(word, part) for word in part.words)


def _changes(claim: Sentence, former: Sentence, *, denies: bool, alone: bool) -> bool:
    rest = _rest(claim, former)
    if rest is None or names_subject(claim, former):
        return False  # "my husband Tom" tells more than "Tom"
    ended = next(filter(None, map(claim.search, _OVER)), None)
    known = [*former.words, *words_of(ended[0] if ended else "")]
    if denies and all(_is_form(word, known) for word in rest):
        return True
    contrasted = claim.search(_CONTRAST) is not None
    former_rest = _rest(former, claim, is_old=True)
    if former_rest is None or not alone or (denies and not contrasted):
        return False
    # In Turkish, the value may stand first.
    opens = claim.words[0] in rest and former.words[0] in former_rest
    former_shape = 1 if contrasted else _shape(former_rest, former)
    return (opens or _is_same(claim, former)) and _shape(rest, claim) == former_shape


def _is_form(word: str, words: Sequence[str]) -> bool:
    """Whether a word stands among others, perhaps with a longer or shorter ending."""
    forms = [(word, other) if len(word) < len(other) else (other, word) for other in words]
    return any(len(short) >= _ROOT and long.startswith(short) for short, long in forms)


def _rest(sentence: Sentence, other: Sentence, *, is_old: bool = False) -> list[str] | None:
    """The words that only one of two statements has, besides its verbs; None if they limit it."""
    words = _telling(sentence, is_old=is_old and other.words[0] in sentence.words)
    shared = [word in other.words or not stems_of([word]).isdisjoint(other.stems) for word in words]
    rest: list[str] = []
    related = beside = False
    for index, word in enumerate(words):
        relates = word in _RELATIONS
        if shared[index] or (relates and all(shared[index + 1 : index + 2])):
            continue
        harmless = word in _HARMLESS and not is_old and not (relates and _has_figure(rest))
        if harmless and not relates:
            break  # "because ..."
        if harmless:
            beside = True
        elif word in _BEGINNING and not OWNERS.match(f"{word} "):
            if index:
                return None  # "I think I live ..."
        elif relates and (rest or related or beside):
            return None
        elif relates:
            related = True
        elif not beside:
            rest.append(word)
    return rest


def _has_figure(words: Sequence[str]) -> bool:
    return any(map(_is_figure, words))


def _is_figure(word: str) -> bool:
    return word[0].isdigit() or word in NUMBERS


def _telling(sentence: Sentence, *, is_old: bool) -> list[str]:
    """The words of a statement but its verbs.

    Args:
        sentence: the statement.
        is_old: it tells of the same by a longer name: "the pizza dough recipe", "my nephew Leon".
    """
    words = list(sentence.words)
    verbs = [index for index, word in enumerate(words) if _is_verb(word, sentence)]
    if is_old and verbs and verbs[0] + 1 < len(words):
        words = words[verbs[0] :]
    return [
        word
        for word in words
        if (stems_of([word]) or word in _LIMITING) and not _is_verb(word, sentence)
    ]


def _is_verb(word: str, sentence: Sentence) -> bool:
    if is_capital(word, sentence.text, sentence.folded):
        return False
    changed = sentence.search(_BACK) or sentence.search(_CHANGED)
    verb = is_verb(word) or verb_root(word) or word in _VERBS
    return bool(verb or (changed and word not in _LIMITING and word in words_of(changed[0])))


def _shape(rest: Sequence[str], sentence: Sentence) -> int:
    """How many values some words may be: a name, a figure with its unit, any other word."""
    count = 0
    before = ""
    for word in rest:
        figure = _is_figure(word)
        named = is_capital(word, sentence.text, sentence.folded)
        unit = before == "figure" and word.partition("'")[0] in _UNITS.now()
        if not (unit or (before and (figure or (named and before == "name")))):
            count += 1
        before = "figure" if figure else "name" if named else ""
    return max(1, count)


def _is_same(new: Sentence, old: Sentence) -> bool:
    """Whether two statements have the same subject."""
    subjects = ["i" if is_verb(each.words[0]) else each.subject for each in (new, old)]
    return subjects[0] == subjects[1]
