"""Does a new statement make an old one untrue? Heuristics without a language model.

Four signs, tried in this order: another value of the same subject and attribute, a cue that
something ended ("no longer", "switched from"), the same statement negated, and a correction of one
word. Each of them needs the same subject; statements about different things are left alone however
alike they look.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import NamedTuple

from cogmem_core.languages import LANGUAGES
from cogmem_core.languages.base import Switch
from cogmem_core.languages.merged import (
    AnyPattern,
    Kept,
    MergedPattern,
    Words,
    all_entries,
    all_patterns,
    all_words,
    any_word,
    languages_read,
)
from cogmem_core.languages.reading import (
    cached_by_language,
    in_its_language,
    pair_in_one_language,
)
from cogmem_core.text.compare.attributes import (
    NUMBER_WORDS,
    SPEAKER,
    TOLD_AS_EVENTS,
    Attribute,
    attribute_of,
)
from cogmem_core.text.compare.clauses import (
    have_other_labels,
    own_words,
    sentence_of,
    without_beginning,
)
from cogmem_core.text.compare.limits import is_for_a_day
from cogmem_core.text.compare.values import (
    conditions_of,
    denies_a_part,
    other_circumstances,
    other_letters,
    remarks,
    value_type,
)
from cogmem_core.text.compare.wording import (
    NEGATIONS,
    folded_words,
    is_negation,
    is_negative,
    is_personal,
    language_of,
    verb_root,
)
from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.time.tense import only_looks_back
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import MONTHS, NUMBERS, STOPWORDS, WEEKDAYS


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


_WISHES = AnyPattern(lambda language: language.compare.contradictions.wishes)
_RULES = Kept(lambda: [language.compare.contradictions for language in languages_read()])
_TIME_ADVERBS = all_words(lambda language: language.compare.wording.time_adverbs)
_COUNTRIES = all_words(lambda language: language.compare.wording.countries)
_AUXILIARIES = all_words(lambda language: language.compare.wording.auxiliaries)
_CUE_WORDS = all_words(lambda language: language.compare.contradictions.cue_words)
_EMPTY_WORDS = _TIME_ADVERBS | _CUE_WORDS
_ARTICLES = all_words(lambda language: language.compare.contradictions.articles)
_SILENT = _EMPTY_WORDS | _ARTICLES
_CUES = all_patterns(lambda language: language.compare.contradictions.correction_cues)
_OPENERS = all_patterns(lambda language: language.compare.contradictions.correction_openers)
_CONTRASTS = all_patterns(lambda language: language.compare.contradictions.contrast)
_CONTRAST = MergedPattern(_CONTRASTS)
_CONTRASTED = MergedPattern(rf"(?:{_CONTRASTS})[^,.;!]*")
_DENIALS = all_patterns(lambda language: language.compare.contradictions.denial)
_CONTRAST_OR_DENIAL = MergedPattern(f"{_CONTRASTS}|{_DENIALS}")
_CUE = MergedPattern(rf"\b(?:{_CUES})\b|^(?:{_OPENERS})\s?[,.!\u2014-]|{_CONTRASTS}")
_ANNOUNCED = re.compile(r"[^,.:;!?]{0,40}[,.:;!]\s+(?=\S)")
_MEANT = MergedPattern(
    rf"\s{{0,3}}(?:{all_patterns(lambda language: language.compare.contradictions.meant)})"
    r"\s{1,3}(?=\S)"
)
_NEAR = 0.7  # similarity from which "switched back to X" counts without the old value


@in_its_language
@cached_by_language(2_048)
def announces_correction(text: str) -> bool:
    """Whether a text announces a correction: "actually", "I meant", "not X"."""
    return bool(_CUE.search(fold_letters(text[:MAX_INPUT].strip())))


@pair_in_one_language(None)
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
    if any("contradictions" in language.lacks for language in languages_read()):
        return None
    new = own_words(new[:MAX_INPUT])
    old = old[:MAX_INPUT]
    if new.rstrip().endswith("?") or old.rstrip().endswith("?"):
        return None
    if not same_speaker and (is_personal(new) or is_personal(old)):
        return None
    if have_other_labels(new, old) or _WISHES.search(fold_letters(new)):
        return None
    statement = _without_cue(new)
    found = (
        _other_value(statement, old)
        or _ended(statement, old, similarity)
        or _denied(statement, old)
        or _corrected(statement, old, announced=announces_correction(new))
    )
    return None if found and is_for_a_day(new, old) else found


def _without_cue(text: str) -> str:
    """The text without a first clause that only announces a correction: "I misspoke, ..."."""
    match = _ANNOUNCED.match(text)
    if match and announces_correction(match.group().strip() + " "):
        text = text[match.end() :]
    meant = _MEANT.match(fold_letters(text))
    return text[meant.end() :] if meant else text


def _other_value(new: str, old: str) -> Contradiction | None:
    now = attribute_of(new)
    then = attribute_of(old)
    if now is None or then is None:
        return None
    if now.attribute != then.attribute or not _names_subject(now, then) or _compatible(now, then):
        return None
    if _both_may_hold(now, then, new, old):
        return None
    # Words of two languages cannot be compared ("evli", "married"), figures can.
    codes = {language_of(new), language_of(old)} - {""}
    if len(codes) > 1 and not _are_figures(now, then):
        return None
    reason = f"{now.attribute} of {now.subject}: {then.value}, now {now.value}"
    return Contradiction("value", reason, True)


def _names_subject(now: Attribute, then: Attribute) -> bool:
    """Whether two statements are about one subject, which the new one may only name: my sister Elif, Elif."""
    owner, _, named = then.subject.rpartition(" ")
    return now.subject == then.subject or (owner.startswith(SPEAKER) and now.subject == named)


_PRESENT = MergedPattern(
    f"{all_patterns(lambda language: language.compare.revisions.now)}"
    f"|{all_patterns(lambda language: language.compare.revisions.changed)}"
)
_PAST = MergedPattern(all_patterns(lambda language: language.compare.revisions.past))
_PREPOSITIONS = all_words(lambda language: language.compare.revisions.prepositions)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_UNITS = all_entries(lambda language: language.time.units)
_PASSING = Words(lambda: [*WEEKDAYS, *_UNITS])


def _both_may_hold(now: Attribute, then: Attribute, new: str, old: str) -> bool:
    """Whether two different values of one attribute may hold side by side."""
    if now.attribute.startswith("likes ") and (
        not _about_one_thing(now.attribute, new, old) or other_letters(new, old)
    ):
        return True
    if now.attribute in TOLD_AS_EVENTS and _YEAR.search(new) is not None:
        return True  # "I moved to Leeds in 2021" tells of the past
    said = sentence_of(new)
    lasting = without_beginning(said).folded if said else new
    new_conditions = _beside_value(lasting, now)
    old_conditions = _beside_value(old, then)
    if other_circumstances(conditions_of(new_conditions), conditions_of(old_conditions)):
        return True
    if only_looks_back(fold_letters(new)):  # the day of a move is no condition
        new_conditions = [word for word in new_conditions if word not in _PASSING]
    named = frozenset[str]().union(*conditions_of(new_conditions))
    further = named.difference(*conditions_of(old_conditions))
    if (named and now.attribute == "residence") or (
        further and not _PRESENT.search(fold_letters(new))
    ):
        return True  # "I live in Malaga in summer", "it opens at 11 on Sundays"
    told_alike = _stands_behind_preposition(now, new) == _stands_behind_preposition(then, old)
    if not told_alike and now.attribute not in TOLD_AS_EVENTS:
        return True  # "my boss is Pablo", "my boss is from Seville"
    return _is_no_name(now, then, new, old) or not _same_type(now, then, new)


def _beside_value(text: str, attribute: Attribute) -> list[str]:
    """The words of a text without those of the value, up to its first preposition."""
    value = list(takewhile(lambda word: word not in _PREPOSITIONS, folded_words(attribute.value)))
    return [word for word in folded_words(text) if word not in value]


def _same_type(now: Attribute, then: Attribute, new: str) -> bool:
    """Whether a new value may stand in the place of the old one: "paid late" is no salary."""
    new_words = folded_words(now.value)
    old_words = folded_words(then.value)
    if not new_words or not old_words:
        return True
    if remarks(new_words) or remarks(old_words):
        return False
    # Whether the old value was written with a capital, its attribute no longer tells.
    figures = value_type(old_words, then.value) == "number"
    kind = value_type(new_words, new)
    named = now.attribute in TOLD_AS_EVENTS
    return (named or kind != "nationality") and (not figures or kind in ("number", "date"))


def _stands_behind_preposition(attribute: Attribute, text: str) -> bool:
    """Whether a value that is no figure tells where or whence: "in Rome", "on holiday"."""
    words = folded_words(attribute.value)
    if not words or any(word[0].isdigit() or word in NUMBER_WORDS for word in words):
        return False
    before = folded_words(fold_letters(text).partition(words[0])[0])[-1:]
    return not _PREPOSITIONS.isdisjoint([words[0], *before])


def _is_no_name(now: Attribute, then: Attribute, new: str, old: str) -> bool:
    """Whether one of two names is written small where the other one is not: "is called fat"."""
    if now.attribute != "name" or not new[:1].isupper():
        return False
    types = [value_type(folded_words(each.value), text) for each, text in ((now, new), (then, old))]
    return types[0] == "free" != types[1]


def _about_one_thing(attribute: str, new: str, old: str) -> bool:
    """Whether one of two likings names nothing, from its object on, that the other does not name."""
    first = attribute.split()[1]
    contents = []
    for text in (new, old):
        folded = fold_letters(text)
        contents.append(_content(folded[max(0, folded.find(first)) :]))
    return contents[0] <= contents[1] or contents[1] <= contents[0]


def _compatible(now: Attribute, then: Attribute) -> bool:
    """Equal, one a part of the other ("Lisbon", "Lisbon, Portugal"), or a town and a country."""
    if now.value == then.value or now.attribute.startswith("likes "):
        return now.value == then.value
    new_words = _value_words(now.value)
    old_words = _value_words(then.value)
    if new_words == old_words:
        return True
    has_numbers = any(word[0].isdigit() or word in NUMBER_WORDS for word in new_words | old_words)
    nested = new_words <= old_words or old_words <= new_words
    if new_words and old_words and nested and not has_numbers:
        return True
    # Which town lies in which country, no table knows.
    names_one_country = bool(new_words & _COUNTRIES) != bool(old_words & _COUNTRIES)
    return now.attribute == "residence" and names_one_country


def _are_figures(now: Attribute, then: Attribute) -> bool:
    return all(word[0].isdigit() for word in _value_words(now.value) | _value_words(then.value))


def _value_words(value: str) -> set[str]:
    """The words of a value; "2" and "two" are one, and "Cole's son" holds "Cole"."""
    words = (word.removesuffix("'s") for word in folded_words(value))
    return {str(NUMBERS.get(word, word)) for word in words} - STOPWORDS


class _CompiledSwitch(NamedTuple):
    pattern: re.Pattern[str]
    needs_use: bool


def _compiled_switches() -> tuple[_CompiledSwitch, ...]:
    switches: list[Switch] = []
    for rules in _RULES():
        switches += rules.switches
    return tuple(_CompiledSwitch(re.compile(pattern), use) for pattern, use in switches)


_SWITCHES = Kept(_compiled_switches)
_STOPPED = AnyPattern(lambda language: language.compare.contradictions.stopped)
_STOP_CUE = MergedPattern(all_patterns(lambda language: language.compare.contradictions.stop_cue))
_BACK = AnyPattern(lambda language: language.compare.contradictions.back)
_SWITCHED_TO = MergedPattern(
    all_patterns(lambda language: language.compare.contradictions.switched_to)
)
_TARGET = AnyPattern(lambda language: language.compare.contradictions.target)
_GIVEN_UP = MergedPattern(all_patterns(lambda language: language.compare.contradictions.given_up))
_HABIT = MergedPattern(all_patterns(lambda language: language.compare.contradictions.habit))
_OBJECT_ENDING = MergedPattern(
    all_patterns(lambda language: language.compare.contradictions.object_ending)
)


def _ended(new: str, old: str, similarity: float) -> Contradiction | None:
    """What the new statement names as over is what the old one states."""
    new_folded = fold_letters(new)
    old_folded = fold_letters(old)
    past = _PAST.search(old_folded) and not _PRESENT.search(old_folded)  # "I used to smoke"
    if past or is_negative(old) or not _same_subject(new, old):
        return None
    for switch in _SWITCHES():
        thing = _switched_from(switch, new_folded, old_folded)
        if thing:
            return Contradiction("ended", f"no longer {thing}", switch.needs_use)
    match = _STOPPED.search(new_folded) if _STOP_CUE.search(new_folded) else None
    if match and _is_most_of(match["a"], old):
        whole = _content(match["a"]) == _content(old).difference(tokens(_subject_of(old)))
        return Contradiction("ended", f"no longer {match['a'].strip()}", whole)
    back = _BACK.search(new_folded)
    if back and _switches_back(back["b"], old_folded, similarity):
        return Contradiction("ended", f"switched back to {back['b'].strip()}")
    habit_ended = _GIVEN_UP.search(new_folded) and _HABIT.search(old_folded)
    if habit_ended and _names_what_was_given_up(new_folded, old_folded):
        return Contradiction("ended", "given up", True)
    return None


def _switches_back(target: str, old_folded: str, similarity: float) -> bool:
    """Whether the old statement says that something else than the target is used."""
    if not _SWITCHED_TO.search(old_folded):
        return False
    old_target = _TARGET.search(old_folded)
    if old_target and _content(old_target[1]) == _content(target):
        return False
    return similarity >= _NEAR or not _content(target).isdisjoint(_content(old_folded))


def _switched_from(switch: _CompiledSwitch, new_folded: str, old_folded: str) -> str:
    """The thing that the new statement gives up and the old one is about; empty if none."""
    match = switch.pattern.search(new_folded)
    if not match:
        return ""
    if _YEAR.search(new_folded) and _YEAR.search(old_folded):
        return ""  # two events of the past
    earlier = switch.pattern.search(old_folded)
    if earlier and _content(match["a"]) == _content(earlier["a"]):
        return ""
    thing = match["a"].strip()
    content = _content(match["a"])
    stated = _content(old_folded)
    if not content or not content <= stated:
        return ""
    if switch.needs_use and not _says_used(thing, old_folded):
        return ""
    remaining = new_folded[: match.start("a")] + new_folded[match.end("a") :]
    return "" if stated <= _content(remaining) else thing


def _says_used(thing: str, old_folded: str) -> bool:
    """Whether the old statement says that the thing is used.

    "We use Jenkins" does for Jenkins, "I use tea tree oil" does not for tea.
    """
    name = re.escape(thing)
    patterns = [rf"{rules.use_before}{name}{rules.use_behind}" for rules in _RULES()]
    return any(re.search(pattern, old_folded) for pattern in patterns)


def _names_what_was_given_up(new_folded: str, old_folded: str) -> bool:
    """Whether the old statement names all that the new one gives up."""
    stated = folded_words(old_folded)
    things = [
        _OBJECT_ENDING.sub("", word)
        for word in folded_words(_GIVEN_UP.sub(" ", new_folded))
        if word not in _TIME_ADVERBS
    ]
    return bool(things) and all(_is_named(thing, stated) for thing in things)


def _is_named(stem: str, words: list[str]) -> bool:
    if len(stem) < 2:
        return False
    for word in words:
        if word.startswith(stem) and stem in (word, _OBJECT_ENDING.sub("", word), verb_root(word)):
            return True
    return False


def _is_most_of(phrase: str, text: str) -> bool:
    """Whether what ended is all that the old statement says, besides its subject and manner."""
    ended = _content(phrase)
    content = _content(text)
    stated = content.difference(tokens(_subject_of(text)))
    return bool(ended and stated) and ended <= content and len(stated - ended) <= len(ended)


def _denied(new: str, old: str) -> Contradiction | None:
    """The same words, once affirmed and once denied."""
    if is_negative(new) == is_negative(old) or not _same_subject(new, old):
        return None
    stems = _stems(new)
    if not stems or stems != _stems(old):
        return None
    if denies_a_part(folded_words(new if is_negative(new) else old)):
        return None
    reason = "denied before, affirmed now"
    if is_negative(new):
        reason = "affirmed before, denied now"
    return Contradiction("negation", reason, True)


_STATE = MergedPattern(all_patterns(lambda language: language.compare.contradictions.states))
_EVENTFUL = MergedPattern(
    all_patterns(lambda language: language.compare.contradictions.events), re.IGNORECASE
)
_DATE_ENDING = MergedPattern(
    all_patterns(lambda language: language.compare.contradictions.date_ending)
)


def _corrected(new: str, old: str, *, announced: bool) -> Contradiction | None:
    """One word differs, and it is of the same sort.

    Without an announcement only a number after a verb of state counts.
    """
    new_words = _plain_words(new)
    old_words = _plain_words(old)
    if is_negative(new) != is_negative(old) and not _CONTRAST.search(new):
        return None
    removed = [word for word in old_words if word not in new_words]
    added = [word for word in new_words if word not in old_words]
    if len(removed) != 1 or len(added) != 1 or len(old_words) < 2:
        return None
    old_word = removed[0]
    new_word = added[0]
    if not _same_sort(old_word, new_word, new, old):
        return None
    if old_words[0] == old_word and not _CONTRAST_OR_DENIAL.search(fold_letters(new)):
        announced = False  # "Actually, Ana likes tea" may tell of one more person
    if announced and len(new_words) - 1 >= (1 if _is_placed(old_word, new_word) else 2):
        return Contradiction("correction", f"{old_word}, corrected to {new_word}", True)
    in_place = len(old_words) == len(new_words) >= 3 and (
        sum(map(str.__ne__, new_words, old_words)) == 1
    )
    if in_place and old_word[0].isdigit() and _is_state(old_word, old):
        return Contradiction("value", f"{old_word}, now {new_word}")
    return None


def _is_placed(old_word: str, new_word: str) -> bool:
    """Whether two words tell enough beside one other word.

    Weekdays and months do, and names with one and the same case.
    """
    for table in (WEEKDAYS, MONTHS):
        if _without_case(old_word) in table and _without_case(new_word) in table:
            return True
    old_ending = old_word.partition("'")[2]
    new_ending = new_word.partition("'")[2]
    for rules in _RULES():
        case = rules.case_of_name(old_ending)
        if case and case == rules.case_of_name(new_ending):
            return True
    return False


def _is_state(word: str, text: str) -> bool:
    """Whether a word is behind a verb of state, and the text is about no event."""
    folded = fold_letters(text)
    match = _STATE.search(folded)
    if match is None or folded.find(word, match.end()) < 0:
        return False
    return not _EVENTFUL.search(text)


def _same_sort(old_word: str, new_word: str, new: str, old: str) -> bool:
    old_word = _without_case(old_word)
    new_word = _without_case(new_word)
    if old_word[0].isdigit() or new_word[0].isdigit():
        return old_word[0].isdigit() and new_word[0].isdigit()
    for table in (WEEKDAYS, MONTHS, NUMBER_WORDS):
        if old_word in table or new_word in table:
            return old_word in table and new_word in table
    return _has_capital(old_word, old) and _has_capital(new_word, new)


def _without_case(word: str) -> str:
    """A weekday or month without its case ending."""
    bare = _DATE_ENDING.sub("", word)
    return bare if bare in WEEKDAYS or bare in LANGUAGES["tr"].time.months else word


def _has_capital(word: str, text: str) -> bool:
    index = fold_letters(text).find(word)
    return index >= 0 and text[index].isupper()


def _plain_words(text: str) -> list[str]:
    words = folded_words(_CONTRASTED.sub("", text))
    silent = _SILENT.now()
    return [word for word in words if word not in silent]


def _content(text: str) -> set[str]:
    """Index tokens that carry meaning: no stop words, negations or adverbs of time."""
    words = [word for word in folded_words(text) if word not in _EMPTY_WORDS]
    return set(tokens(" ".join(word for word in words if not is_negation(word))))


def _stems(text: str) -> set[str]:
    """Content with verbs brought to their root, so that `seviyorum` and `sevmiyorum` meet."""
    stems: set[str] = set()
    for word in folded_words(text):
        if word in _EMPTY_WORDS or word in NEGATIONS or word in _AUXILIARIES:
            continue
        root = verb_root(word)
        stems.update([root] if root else tokens(word))
    return stems


_OWN_SUBJECTS = all_patterns(lambda language: language.compare.contradictions.own_subjects)
_OWNERS = all_patterns(lambda language: language.compare.contradictions.owners)
_SUBJECT = MergedPattern(
    rf"(?:(?P<self>{_OWN_SUBJECTS})|(?P<own>{_OWNERS})\s+(?P<thing>[a-z]+)|(?P<other>[a-z]+))\b"
)
_BEFORE_SUBJECT = all_words(lambda language: language.compare.contradictions.subject_openers)
_SUBJECT_OPENER = MergedPattern(rf"(?:[a-z]+,|{any_word(_BEFORE_SUBJECT)})\s+")
_PERSON_ENDINGS = Kept(
    lambda: [re.compile(language.compare.wording.person_ending) for language in languages_read()]
)


def _subject_of(text: str) -> str:
    """Whom a statement is about: the speaker, something of theirs, or its first word."""
    folded = fold_letters(text.strip())
    start = 0
    while opener := _SUBJECT_OPENER.match(folded, start):
        start = opener.end()
    match = _SUBJECT.match(folded, start)
    if match is None or match["self"]:
        return SPEAKER
    if match["own"]:
        return f"{SPEAKER}'s {match['thing']}"
    return match["other"]


def _same_subject(new: str, old: str) -> bool:
    """Whether two statements have the same subject.

    Their first words are equal, or, where the language leaves the subject to the verb, both are in
    the same person.
    """
    new_subject = _subject_of(new)
    old_subject = _subject_of(old)
    if new_subject == old_subject:
        return True
    if SPEAKER in (new_subject, old_subject):
        return False
    new_folded = fold_letters(new)
    old_folded = fold_letters(old)
    return any(end.search(new_folded) and end.search(old_folded) for end in _PERSON_ENDINGS())
