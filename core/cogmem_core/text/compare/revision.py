"""Does a new statement give another value of what an old one states, with or without cue words?

Two sentences are laid side by side: what they share from the beginning is what they speak of ("my
phone is", "I work for"), what differs behind it are two values. Guards say where both may hold:
values of different types, different circumstances, things of which there may be several, wishes,
plans, the past, hearsay. Such a pair is left alone; a pair that passes them is graded:

* `hard`: the old statement no longer holds. It needs a frame with one value at a time and two
  values of one type, a contrast that names the old value, or the end of the old statement.
* `soft`: it may no longer hold; both stay, the newer one first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from cogmem_core.languages.merged import (
    AnyPattern,
    MergedPattern,
    Words,
    all_patterns,
    all_words,
    languages_read,
)
from cogmem_core.languages.reading import (
    cached_by_language,
    in_its_language,
    pair_in_one_language,
)
from cogmem_core.text.compare.clauses import (
    OWNERS,
    Sentence,
    bare_words,
    own_words,
    sentence_of,
    sentences_of,
    without_beginning,
    words_of,
)
from cogmem_core.text.compare.contradiction import announces_correction
from cogmem_core.text.compare.named import (
    differ_in_many_figures,
    figures_of,
    identifies,
    names_another,
    names_of,
    names_subject,
    other_thing,
    same_end,
)
from cogmem_core.text.compare.otherwise import otherwise
from cogmem_core.text.compare.over import CALLED_OFF, ENDED, PAST, called_off, ended
from cogmem_core.text.compare.retelling import (
    differ_in_a_word,
    nearness_of_retelling,
    tells_of_others,
)
from cogmem_core.text.compare.values import (
    denies_a_part,
    for_another,
    is_capital,
    one_is_a_country,
    other_circumstances,
    other_unit,
    remarks,
    stems_of,
    value_type,
)
from cogmem_core.text.compare.wording import (
    OWN_ENDING,
    folded_words,
    is_negation,
    is_negative,
    is_personal,
    language_of,
    verb_root,
)
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.time.tense import only_looks_back
from cogmem_core.text.tokens import tokens
from cogmem_core.text.vocabulary import BASE_VERBS, MONTHS, STOPWORDS, WEEKDAYS


class Revision(NamedTuple):
    """What a new statement does to an old one.

    Attributes:
        grade: `hard`: the old one no longer holds; `soft`: perhaps it no longer holds.
        reason: for the log: "my phone is: pixel 7, now fairphone 5".
        retold: no other value is seen: it may be the same in other words.
        part: the old one tells other things as well, which still hold.
    """

    grade: Literal["hard", "soft"]
    reason: str
    retold: bool = False
    part: bool = False


_UNREAL = MergedPattern(all_patterns(lambda language: language.compare.revisions.unreal))
_NOW = MergedPattern(all_patterns(lambda language: language.compare.revisions.now))
_BESIDES = MergedPattern(all_patterns(lambda language: language.compare.revisions.besides))
_LINKING = all_words(lambda language: language.compare.revisions.linking)
_COPULAS = all_words(lambda language: language.compare.revisions.copulas)
_SINGLE = all_words(lambda language: language.compare.revisions.single)
_FAVOURITE = all_words(lambda language: language.compare.revisions.favourite)
_SEVERAL = all_words(lambda language: language.compare.revisions.several)
_AUXILIARIES = all_words(lambda language: language.compare.wording.auxiliaries)
_CHANGED = MergedPattern(all_patterns(lambda language: language.compare.revisions.changed))
_NEW = MergedPattern(
    f"{all_patterns(lambda language: language.compare.revisions.now)}|"
    f"{all_patterns(lambda language: language.compare.revisions.changed)}"
)
_PREPOSITIONS = all_words(lambda language: language.compare.revisions.prepositions)
_QUESTION = re.compile("[?\uff1f\u061f\u037e]")
_INTERJECTION = re.compile(r"\A\s*\w+(?: \w+)?\?\s")  # "honestly? ..."
_QUOTED = re.compile('["\u201c\u201d\u00ab\u00bb]')
_CONTRAST = AnyPattern(lambda language: language.compare.revisions.named_wrong)
_DESTINATION = AnyPattern(lambda language: language.compare.revisions.destination)
_HAVING = all_words(lambda language: language.compare.retellings.having)
_STATE = AnyPattern(lambda language: language.compare.revisions.state)
LONGEST = 400
"""Characters; a longer text is no statement of one value."""
_LONGEST_VALUE = 5  # words
_MOST_FURTHER_WORDS = 6  # of what is affirmed beside what is denied
_LEAST_SHARED = 0.5  # of the words of the shorter sentence besides its figure
_LEAST_SHARED_UNANNOUNCED = 0.6
_LEAST_RESTATED = 0.8  # of the words of the shorter text
_LEAST_RETOLD = 0.7  # similarity
_LATEST_FRAME = 12  # words before the frame
# What changes statements without a word in common: "got married".
_IN_OTHER_WORDS = (ENDED, _STATE)
_NO_SHARED_WORD = (*_IN_OTHER_WORDS, CALLED_OFF, _CHANGED)
_LEAST_DENIED = 3  # words
_TELLING_FRAME = 3  # words
_NEAR = 0.5  # similarity from which two free values of one verb are taken for one slot
_SINGLE_STEMS = Words(lambda: [stem for word in _SINGLE for stem in tokens(word)])


@pair_in_one_language(None)
def revision_of(
    new: str, old: str, *, same_speaker: bool, nearness: float = 0.0
) -> Revision | None:
    """What a new statement does to an old one, laid side by side; see `compare.revision`."""
    if max(len(new), len(old)) > LONGEST or _QUESTION.search(old):
        return None
    if own_words(new) != new:
        return None  # a letter, a review, a text to translate
    if not same_speaker and (is_personal(new) or is_personal(old)):
        return None
    found = None
    apart = _text_stems(new).isdisjoint(_text_stems(old))
    if not apart or _speaks_in_other_words(new):
        found = _revision(new, old, 0.0 if nearness < _NEAR else 1.0)
    if found and any("revisions" in language.lacks for language in languages_read()):
        return found._replace(grade="soft")
    if found is None and _retells(new, old, nearness):
        return Revision(
            "soft", "tells the same in other words, or another value of it", retold=True
        )
    return found


@in_its_language
def tells_what_is(text: str) -> bool:
    """Whether a text says that something is so now: no question, wish, plan, hearsay or memory.

    Example:
        >>> tells_what_is("I take it with oat milk"), tells_what_is("I used to take it black")
        (True, False)
    """
    sentences = sentences_of(text)
    return bool(sentences) and all(map(_is_claim, sentences))


def _retells(new: str, old: str, nearness: float) -> bool:
    """Whether the vectors of two texts are near enough for one to retell the other."""
    if (
        nearness < _LEAST_RETOLD
        or _QUESTION.search(_INTERJECTION.sub("", new))
        or (_QUOTED.search(new) or _QUOTED.search(old))
    ):
        return False
    return nearness >= nearness_of_retelling(new, old)


@cached_by_language(2_048)
def _speaks_in_other_words(text: str) -> bool:
    """Whether a text may change what shares no word with it."""
    folded = fold_letters(text)
    return any(pattern.search(folded) for pattern in _IN_OTHER_WORDS)


@cached_by_language(4_096)
def _text_stems(text: str) -> frozenset[str]:
    return frozenset[str]().union(*(sentence.stems for sentence in sentences_of(text)))


@cached_by_language(2_048)
def _revision(new: str, old: str, nearness: float) -> Revision | None:
    """The same for what one person said; the gate asks more than once for a pair."""
    if len({language_of(new), language_of(old)} - {""}) > 1:
        return None
    best: Revision | None = None
    announced = announces_correction(new)
    old_sentences = sentences_of(old)
    # "Tilda wants 55 seats instead of 40" takes back no quote for 40 that was sent.
    event = only_looks_back(fold_letters(old)) and not only_looks_back(fold_letters(new))
    for sentence in sentences_of(new):
        anyway = any(sentence.search(pattern) is not None for pattern in _NO_SHARED_WORD)
        for other in old_sentences:
            # Most pairs are of sentences that have nothing in common.
            if not (anyway or _may_bear_on(sentence, other)):
                continue
            found = _compare(sentence, other, announced=announced, event=event, nearness=nearness)
            if found is None:
                continue
            if best is None or found.grade == "hard":
                best = found
    if best is None and _restates(new, old) and not tells_of_others(new, old):
        return Revision("soft", "says nearly the same", retold=True)
    return best


def _restates(new: str, old: str) -> bool:
    """Whether two texts share nearly all words of the shorter one, and all names and figures."""
    sentence = sentence_of(new)
    other = sentence_of(old)
    if sentence is None or other is None:
        return False
    least = max(2, _LEAST_RESTATED * min(len(sentence.stems), len(other.stems)))
    if len(sentence.stems & other.stems) < least or differ_in_a_word(sentence, other):
        return False
    if not _is_claim(sentence) or other.search(_UNREAL) is not None:
        return False
    if is_negative(new) != is_negative(old) or figures_of(sentence) != figures_of(other):
        return False
    if other_circumstances(sentence.conditions, other.conditions) or sentence.search(_BESIDES):
        return False
    return not (names_of(sentence, ()) - other.bare or names_of(other, ()) - sentence.bare)


def _is_claim(sentence: Sentence) -> bool:
    """Whether a sentence says that something is so now."""
    return not (sentence.asks or sentence.quotes) and sentence.search(_UNREAL) is None


def _may_bear_on(new: Sentence, old: Sentence) -> bool:
    """Whether two sentences share a word, or one of them denies something."""
    return new.negative != old.negative or not new.stems.isdisjoint(old.stems)


def _compare(
    new: Sentence, old: Sentence, *, announced: bool, event: bool, nearness: float
) -> Revision | None:
    if old.quotes:
        return None
    over = ended(new, old) or called_off(new, old)
    if over is not None or not _is_claim(new):
        return Revision(*over) if over else None
    if new.negative != old.negative:
        return _contrasted(new, old, event=event) or _denied(new, old)
    if old.search(_UNREAL) is not None and not announced:
        return None
    return (
        _contrasted(new, old, event=event)
        or _other_value(new, old, announced=announced, nearness=nearness)
        or _moved(new, old)
        or _otherwise(new, old, announced=announced)
    )


def _contrasted(new: Sentence, old: Sentence, *, event: bool) -> Revision | None:
    """The new statement names the old value as wrong: "we're 14, not 12"."""
    match = new.search(_CONTRAST)
    if match is None:
        return None
    wrong = folded_words(match["a"])
    rest = [word for word in new.words if word not in wrong]
    denied = bare_words(wrong) - STOPWORDS
    if not denied or not denied <= old.bare:
        return None
    common = stems_of(rest) & old.stems
    if not common or not stems_of(rest) - old.stems:
        return None
    if not bare_words(rest).isdisjoint(denied) or other_thing(new, old, wrong):
        return None
    return Revision("soft" if event else "hard", f"not {' '.join(wrong)}")


def _denied(new: Sentence, old: Sentence) -> Revision | None:
    """What the new statement denies is what the old one affirms, or the reverse."""
    new_clause = without_beginning(new.first_clause)
    old_clause = old.first_clause
    if new.negative:
        denying = new_clause
        affirming = old
        same = new_clause.subject == old.subject or names_subject(new_clause, old)
    else:
        denying = old_clause
        affirming = new
        same = old_clause.subject == new.subject
    opens = is_negation(denying.words[0])
    if denying is old_clause and len(denying.words) < _LEAST_DENIED - (not opens):
        return None  # "fourth floor, no lift"
    orders = opens and not denying.text.startswith("not ")  # "don't remember this"
    agrees = affirming is old and old.search(PAST) is not None  # "I used to smoke"
    if orders or agrees or not same or not denying.negative:
        return None
    denied = _said(denying.words)
    affirmed = _said(affirming.words)
    if not denied or not denied <= affirmed:
        return None
    if new.search(_BESIDES) or other_circumstances(new.conditions, old.conditions):
        return None
    if len(affirmed - denied) > _MOST_FURTHER_WORDS or denies_a_part(denying.words):
        return None
    # "I like quiet mornings" need not take back "I don't like mornings".
    narrower = affirming is new and not _said(new_clause.words) <= denied
    grade: Literal["hard", "soft"] = "soft" if narrower else "hard"
    return Revision(grade, "affirmed on the one side, denied on the other")


def _said(words: Sequence[str]) -> frozenset[str]:
    """Stems, and the verbs that an index leaves out ("like")."""
    verbs = {word for word in words if word in BASE_VERBS and word not in _AUXILIARIES}
    return stems_of(words) | verbs


def _otherwise(new: Sentence, old: Sentence, *, announced: bool) -> Revision | None:
    reason = otherwise(new, old, announced=announced)
    return Revision("soft", reason) if reason else None


def _other_value(
    new: Sentence, old: Sentence, *, announced: bool, nearness: float
) -> Revision | None:
    """Both sentences hold the same frame, and go on with another value."""
    events = not announced and differ_in_many_figures(new, old)
    if events or new.search(_BESIDES) or other_circumstances(new.conditions, old.conditions):
        return None
    start, shared = _shared_frame(new.words, old.words)
    frame = old.words[:shared]
    new_value = _value(new, start + shared) if frame else ()
    old_value = _value(old, shared) if frame else ()
    role = bool(frame) and same_end(new, old) and not _LINKING.isdisjoint(frame)
    named = stems_of([word for word in frame if word not in _LINKING])
    if not (new_value and old_value and (named or role)):
        return _typed_value(new, old, announced=announced)
    if stems_of(new_value) <= stems_of(old_value) or stems_of(old_value) <= stems_of(new_value):
        return None
    within = one_is_a_country(new_value, old_value) and not new.search(_NEW)
    several = not _SEVERAL.isdisjoint(frame) and not announced
    if (
        within
        or several
        or _is_other_slot(new_value, old_value)
        or remarks(new_value)
        or remarks(old_value)
    ):
        return None
    grade = _grade_of_frame(new, old, frame, (new_value, old_value), nearness, announced=announced)
    if grade is None:
        return _typed_value(new, old, announced=announced)
    return Revision(grade, f"{' '.join(frame)}: {' '.join(old_value)}, now {' '.join(new_value)}")


def _is_other_slot(new_value: Sequence[str], old_value: Sequence[str]) -> bool:
    """Whether two values answer different questions: "for Acme", "on Mondays"; "2 m", "3 years"."""
    if for_another(new_value, old_value):
        return True
    relations = {word for word in (new_value[0], old_value[0]) if word in _PREPOSITIONS}
    if relations and new_value[0] != old_value[0]:
        return True
    if not (new_value[0][0].isdigit() and old_value[0][0].isdigit()):
        return False
    # "12 euros for Netflix", "9 euros for Spotify"
    tails = [stems_of(_behind_preposition(value)) for value in (new_value, old_value)]
    apart = bool(tails[0]) and bool(tails[1]) and tails[0].isdisjoint(tails[1])
    return apart or other_unit(new_value, old_value)


def _behind_preposition(value: Sequence[str]) -> Sequence[str]:
    for index, word in enumerate(value):
        if word in _PREPOSITIONS:
            return value[index + 1 :]
    return ()


def _grade_of_frame(
    new: Sentence,
    old: Sentence,
    frame: tuple[str, ...],
    values: tuple[tuple[str, ...], tuple[str, ...]],
    nearness: float,
    *,
    announced: bool,
) -> Literal["hard", "soft"] | None:
    types = {value_type(values[0], new.text), value_type(values[1], old.text)}
    typed = len(types) == 1 and "free" not in types
    owned = OWNERS.match(f"{frame[0]} ") is not None or new.folded.startswith("the ")
    states = any(word in _LINKING for word in frame)
    acts = same_end(new, old) and bool(verb_root(new.words[-1]))
    if "tr" in (language_of(new.text), language_of(old.text)) and not acts:
        owned = OWN_ENDING.search(" ".join(frame)) is not None
        states = owned
    single = not stems_of(frame).isdisjoint(_SINGLE_STEMS)
    favourite = not _FAVOURITE.isdisjoint(frame)
    now = new.search(_NOW) is not None
    if not typed and frame[-1] in _HAVING:
        return None  # a garden has a shed, and a pond
    if "name" in types and not single and frame[-1] in _LINKING - _COPULAS:
        return "soft" if typed and owned else None  # a server runs a system and a database
    if typed and (favourite or announced or single or (states and (owned or now))):
        return "hard"
    ends_alike = same_end(new, old)
    if ends_alike and (single or now) and (now or announced):
        return "hard"
    equal = len(types) == 1
    if (states or single) and equal and (typed or ends_alike or now or favourite):
        return "soft"
    apart = stems_of(values[0]).isdisjoint(stems_of(values[1]))
    near = single and equal and apart and nearness >= _NEAR
    # "user wants replies in", "from now on"
    return "soft" if near or (typed and now and len(frame) >= _TELLING_FRAME) else None


def _shared_frame(new: Sequence[str], old: Sequence[str]) -> tuple[int, int]:
    """Where in the new words the beginning of the old ones stands, and how many words long."""
    best = (0, 0)
    for start, word in enumerate(new[:_LATEST_FRAME]):
        if word != old[0]:
            continue
        shared = 0
        for first, second in zip(new[start:], old, strict=False):
            if first != second:
                break
            shared += 1
        placed = start == 0 or (shared >= 2 and new[start - 1] not in _PREPOSITIONS)
        if shared > best[1] and placed:
            best = (start, shared)
    return best


def _value(sentence: Sentence, start: int) -> tuple[str, ...]:
    """The words behind the frame, up to a comma, a preposition or five words."""
    clause = sentence.first_clause.words
    if len(clause) <= start:
        clause = sentence.words
    return clause[start : start + _LONGEST_VALUE]


def _typed_value(new: Sentence, old: Sentence, *, announced: bool) -> Revision | None:
    """One figure differs, and most of the shorter sentence stands in the other one."""
    new_figures = figures_of(new)
    old_figures = figures_of(old)
    new_values = new_figures - old_figures
    old_values = old_figures - new_figures
    if len(new_values) != 1 or len(old_values) != 1:
        return None
    if other_thing(new, old, [*new_values, *old_values]) or _are_of_others(new, old):
        return None
    changed = new.search(_CHANGED) is not None
    identified = all(map(identifies, [*new_values, *old_values]))
    if identified and new.search(_NEW):
        changed = True
    stated = _stands_after_state(new, new_values) and _stands_after_state(old, old_values)
    now = new.search(_NOW) is not None
    least = _LEAST_SHARED if announced or changed else _LEAST_SHARED_UNANNOUNCED
    shared = _no_things(new)
    rest_new, rest_old = (
        stems_of([word for word in each.words if word.partition("'")[0] not in values]) - shared
        for each, values in ((new, new_values), (old, old_values))
    )
    common = len(rest_new & rest_old)
    smaller = min(len(rest_new), len(rest_old))
    if not (announced or changed or stated or now) or common < max(1, least * smaller):
        return None
    reason = f"{', '.join(old_values)}, now {', '.join(new_values)}"
    if not names_another(new, old) and (
        announced
        or (identified and changed)
        or (common >= 2 and (changed or (stated and now)))
        or (new.search(_CHANGED) and new.subject == old.subject != "i")
    ):
        return Revision("hard", reason)
    return Revision("soft", reason) if common >= 2 else None


@in_its_language
def changing_words(text: str) -> frozenset[str]:
    """The stems of the words by which a text says that anything changed: what is moved need not be a move."""
    return frozenset[str]().union(*map(_no_things, sentences_of(text)))


def _no_things(sentence: Sentence) -> frozenset[str]:
    """The stems of words that two sentences about different things may share: "moved", "March", "now"."""
    words = (word for word in sentence.words if word in MONTHS or word in WEEKDAYS)
    matches = filter(None, map(sentence.search, (_CHANGED, _NOW)))
    return stems_of([*words, *(word for match in matches for word in words_of(match[0]))])


def _are_of_others(new: Sentence, old: Sentence) -> bool:
    """Whether each of two sentences states something of a thing that the other does not name.

    "The wedding is on 18 June", "the christening is on 15 June".
    """
    things = [_stated_thing(sentence) for sentence in (new, old)]
    if not all(things):
        return False
    return things[0].isdisjoint(old.stems) and things[1].isdisjoint(new.stems)


def _stated_thing(sentence: Sentence) -> frozenset[str]:
    """The stems of the word before the last verb of state; empty if that is no noun."""
    states = [index for index, word in enumerate(sentence.words) if word in _LINKING]
    before = sentence.words[states[-1] - 1 : states[-1]] if states and states[-1] else ()
    return stems_of(before)


def _stands_after_state(sentence: Sentence, values: frozenset[str]) -> bool:
    """Whether a value stands behind a verb of state, not in the subject: "the 2019 return is ..."."""
    states = [index for index, word in enumerate(sentence.words) if word in _LINKING]
    behind = sentence.words[states[0] :] if states else ()
    return any(word.partition("'")[0] in values for word in behind)


def _moved(new: Sentence, old: Sentence) -> Revision | None:
    """Something of the speaker's got another value: "our office has moved to King's Cross"."""
    match = new.search(_CHANGED)
    if match is None or new.subject != old.subject or new.subject == "i":
        return None
    named = _is_one_of_many(new, old)
    if _LINKING.isdisjoint(old.words) or not (named or OWNERS.match(f"{new.folded} ")):
        return None
    target = _DESTINATION.search(new.folded[match.end() :])
    if target is None or not is_capital(target["to"].strip(".,;!"), new.text):
        return None
    if not any(is_capital(word, old.text) for word in old.words[2:]):
        return None
    grade: Literal["hard", "soft"] = "soft" if named else "hard"
    return Revision(grade, f"{match.group()} to {target['to'].strip('.,;!')}")


def _is_one_of_many(new: Sentence, old: Sentence) -> bool:
    """Whether two sentences begin with one thing and its number or name: "ticket 900 is ..."."""
    if new.words[:2] != old.words[:2] or len(new.words) < 2:
        return False
    return new.words[1][0].isdigit() or is_capital(new.words[1], new.text)
