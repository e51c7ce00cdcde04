"""The record that a language fills, area by area. Nothing here does I/O."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

__all__ = [
    "AnswerRules",
    "Antecedent",
    "Clause",
    "ClauseWord",
    "CompareRules",
    "Completion",
    "DatedWords",
    "Language",
    "ObserveRules",
    "QueryRules",
    "RewriteRules",
    "SafetyRules",
    "SplitRules",
    "Strengths",
    "TimeExpression",
    "TimeRules",
    "WordRules",
]


class ClauseWord(NamedTuple):
    """A word of a clause.

    Attributes:
        text: the word as it stands.
        folded: the word after `fold_letters`.
        start: where it begins in the message, in characters.
        governs: it governs what follows ("think", "if"), in any language.
        stop_word: it says nothing about a topic, in any language.
    """

    text: str
    folded: str
    start: int
    governs: bool
    stop_word: bool


Clause = Sequence[ClauseWord]


Completion = Callable[[str, str], str | None]
"""Completes a second question from the first one; None if it cannot be understood by itself."""


@dataclass(frozen=True)
class WordRules:
    """Words as such: stop words, stems, folding, sentence ends.

    Tables hold words as `fold_letters` writes them unless something else is said.

    Attributes:
        stop_words: lower-case words, with the letters of the language, that name no topic.
        stem: the stem of a folded word.
        separate_facts: whether two clauses are facts of their own. None if they belong together,
            else the words to put before the second one, usually none.
        owns: whether a folded word shows by itself that it is of this language. None: it never
            does, and every word is stemmed by this language, after its own one.
        letters: letters that only this language has, and the ASCII letter each is folded to.
        clitics: endings after an apostrophe that an index token does without.
        abbreviations: words whose full stop ends no sentence.
        base_verbs: base forms of verbs.
        third_person: irregular verbs, base form -> third person singular.
        auxiliaries: auxiliary and modal verbs.
        adverbs: adverbs that may stand between a subject and its verb.
        governing: words that govern what follows: a clause cut off after them would claim more
            than was said.
        is_verb: whether a folded word has a finite form of a common verb; None if nothing
            tells.
        third_person_of: the third person singular of a base form.
        conjunctions: words between two clauses.
        conjunction_followers: words that may follow those.
    """

    stop_words: frozenset[str]
    stem: Callable[[str], str]
    separate_facts: Callable[[Clause, Clause], str | None]
    owns: Callable[[str], bool] | None = None
    letters: Mapping[str, str] = field(default_factory=dict)
    clitics: frozenset[str] = frozenset()
    abbreviations: frozenset[str] = frozenset()
    base_verbs: frozenset[str] = frozenset()
    third_person: Mapping[str, str] = field(default_factory=dict)
    auxiliaries: frozenset[str] = frozenset()
    adverbs: frozenset[str] = frozenset()
    governing: frozenset[str] = frozenset()
    is_verb: Callable[[str], bool] | None = None
    third_person_of: Callable[[str], str] = str
    conjunctions: tuple[str, ...] = ()
    conjunction_followers: tuple[str, ...] = ()


class TimeExpression(NamedTuple):
    """How a language names times of one sort.

    Attributes:
        pattern: a regular expression of a folded text. A blank stands for one to three white-space
            characters, `<count>`, `<day part>` and `<lone hour>` for a number, a part of the day
            and an hour with its preposition, in any language. The group `x` is the expression;
            without it the whole match is.
        meaning: the name of what resolves it in `text.time.rules`.
        direction: -1 for the past, 1 for the future, 0 if neither or if the words say which.
        units: the calendar unit that it moves by, for a fixed one.
        relative: whether its meaning depends on when it was said, apart from a missing year.
    """

    pattern: str
    meaning: str
    direction: int = 0
    units: str = ""
    relative: bool = True


class DatedWords(NamedTuple):
    """A time expression in its text, and what it means.

    Attributes:
        text: the message.
        start: where the expression begins in it.
        end: where it ends.
        folded: the expression after `fold_letters`.
        first: the first moment.
        last: the last moment.
        kind: `day`, `part`, `time`, `week`, `weekend`, `month`, `season`, `year` or `range`.
    """

    text: str
    start: int
    end: int
    folded: str
    first: datetime
    last: datetime
    kind: str


@dataclass(frozen=True)
class TimeRules:
    """Dates, times, periods and tenses.

    Words are those of a text after `fold_letters`; patterns are regular expressions of such a text.

    Attributes:
        weekdays: names -> Monday = 0.
        months: names and abbreviations -> January = 1.
        month_names: the names as they are written, January first.
        seasons: names -> the first month, on the northern hemisphere.
        season_names: the first month -> the name as it is written.
        units: names -> `days`, `weeks`, `fortnights`, `months` or `years`.
        clock_units: names -> `minutes` or `hours`.
        weekend_names: names of the weekend.
        numbers: names -> the number.
        day_parts: names -> local hours from (inclusive) and to (exclusive).
        relative_days: names -> days from today.
        directions: words before a period -> -1 for the last one, 1 for the next one.
        months_also_verbs: names of months that are verbs, too, when they are in lower case.
        months_also_names: names of months that are names of people, too.
        months_also_nouns: names of months that are nouns, too, when they are in lower case.
        prepositions_of_people: prepositions after which such a month is no month.
        dated_months: names that are months only in a context -> the pattern of that context.
        ordinal_endings: what follows the number of a day ("th").
        day_links: words between the number of a day and its month ("of").
        noon: words for twelve o'clock.
        on_the_hour: words after an hour ("o'clock").
        hour_prepositions: words before an hour.
        bare_hour_prepositions: words before a number that make it an hour.
        lone_hour_prepositions: words before an hour that stands without a day.
        hours_before_day: patterns of an hour directly before its day, tried in this order; `<hour>`
            and `<number>` stand for a sure hour and for a number that may be one.
        hour_endings: case endings of an hour.
        part_prepositions: words before a part of the day.
        part_endings: endings of a part of the day.
        past_verbs: past forms without a regular ending.
        not_past: words with the shape of a past form that are not past forms.
        not_future: words with the shape of a future form that are not future forms.
        looks_back: a pattern of what looks back.
        looks_ahead: a pattern of what looks ahead or is in the present.
        verb_last: the verb ends the clause, so that the words after a time tell its tense first.
        habits: patterns of what happens every time.
        expressions: what names a time, in order of precedence.
        write: the words for a time, as they fit in the place of the expression.
    """

    weekdays: Mapping[str, int]
    months: Mapping[str, int]
    month_names: tuple[str, ...]
    seasons: Mapping[str, int]
    season_names: Mapping[int, str]
    units: Mapping[str, str]
    clock_units: Mapping[str, str]
    weekend_names: frozenset[str]
    numbers: Mapping[str, int]
    day_parts: Mapping[str, tuple[int, int]]
    relative_days: Mapping[str, int]
    directions: Mapping[str, int]
    looks_back: str
    looks_ahead: str
    expressions: tuple[TimeExpression, ...]
    write: Callable[[DatedWords], str]
    months_also_verbs: frozenset[str] = frozenset()
    months_also_names: frozenset[str] = frozenset()
    months_also_nouns: frozenset[str] = frozenset()
    prepositions_of_people: frozenset[str] = frozenset()
    dated_months: Mapping[str, str] = field(default_factory=dict)
    ordinal_endings: tuple[str, ...] = ()
    day_links: tuple[str, ...] = ()
    noon: tuple[str, ...] = ()
    on_the_hour: tuple[str, ...] = ()
    hour_prepositions: tuple[str, ...] = ()
    bare_hour_prepositions: tuple[str, ...] = ()
    lone_hour_prepositions: tuple[str, ...] = ()
    hours_before_day: tuple[str, ...] = ()
    hour_endings: tuple[str, ...] = ()
    part_prepositions: tuple[str, ...] = ()
    part_endings: tuple[str, ...] = ()
    past_verbs: frozenset[str] = frozenset()
    not_past: frozenset[str] = frozenset()
    not_future: frozenset[str] = frozenset()
    verb_last: bool = False
    habits: tuple[str, ...] = ()


@dataclass(frozen=True)
class CompareRules:
    """What one statement means to another: attributes, frames, denials, interchangeable words."""


@dataclass(frozen=True)
class ObserveRules:
    """What a sentence is about: filters, kinds, feelings, entities, names."""


Strengths = tuple[tuple[float, str], ...]
"""Patterns of one intent, each with how surely it shows the intent by itself, 0..1."""


@dataclass(frozen=True)
class AnswerRules:
    """Beginnings of hypothetical answers to a question.

    Attributes:
        templates: kind of answer -> two or three beginnings that name the `{topic}`.
        patterns: kind of answer -> what asks for it.
        place: asks for a place.
        time: asks for a time.
        omitted: words of a question that its answer does not have.
        askers: words for who asks.
        request: patterns of a request around a question.
        defining: words that ask for a definition.
        supports: auxiliaries that a base form leans on in a question and not in its answer ->
            whether the answer's verb is in the third person singular.
        empty_after: words that ask nothing after another one -> that one.
    """

    templates: Mapping[str, tuple[str, ...]]
    patterns: Mapping[str, str]
    place: str
    time: str
    omitted: frozenset[str]
    askers: frozenset[str]
    request: tuple[str, ...]
    defining: tuple[str, ...]
    supports: Mapping[str, bool] = field(default_factory=dict)
    empty_after: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SplitRules:
    """How compound questions are cut.

    Attributes:
        droppable: words that a split may drop.
        semicolon_words: words after a semicolon between two questions, longest first.
        also: words for "and also".
        conjunction: the word for "and".
        conjunction_followers: words that may follow it.
        alternatives: words that join alternatives, not questions.
        not_names: patterns of capitalised words that are no names.
        together: patterns of what is asked of both persons at once.
        fixed_names: names that hold the word for "and", folded.
        by_question_word: two halves with a question word each are two questions.
        genitive: the ending of a name that owns something; "" if the language has no fixed one.
        together_words: words between two names and what is said of both.
        both: a pattern with the groups `lead`, `one` and `two` of "both one and two"; "" if none.
        plural_endings: ends of a question about several persons, folded.
        singular: auxiliary of several persons -> that of one person.
        auxiliary: a pattern of an auxiliary before the names, from which a question about each of
            them is made; "" if the language asks otherwise.
        question_pair: a pattern with the groups `one`, `two` and `rest` of two question words that
            share the rest; "" if there is none.
        about: a pattern of words before names that end a question; "" if there is none.
        complete: a question with a person in the place of its pronouns. Its result is None if the
            question cannot be understood by itself.
        carry_over: the right side of a joint as a question of its own, with what it shares with the
            left side. Its result is None if that is not a question of its own. Its last argument completes it.
    """

    droppable: frozenset[str]
    semicolon_words: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    conjunction: str = ""
    conjunction_followers: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    not_names: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    fixed_names: tuple[str, ...] = ()
    by_question_word: bool = False
    genitive: str = ""
    together_words: tuple[str, ...] = ()
    both: str = ""
    plural_endings: tuple[str, ...] = ()
    singular: Mapping[str, str] = field(default_factory=dict)
    auxiliary: str = ""
    question_pair: str = ""
    about: str = ""
    complete: Callable[[str, str | None], str | None] | None = None
    carry_over: Callable[[str, str, re.Match[str], Completion], str | None] | None = None


@dataclass(frozen=True)
class QueryRules:
    """What a question asks for: intents, parts, forms of questions.

    Patterns are regular expressions of a folded text.

    Attributes:
        asks_when: patterns of questions whose answer is a date.
        intents: intent -> its patterns, without word boundaries around them.
        answers: beginnings of hypothetical answers.
        split: how compound questions are cut.
        function_words: a pattern of words that only this language has: a query with one of them is
            in it; "" if there is none.
        question_word: a pattern of question words; "" if they do not tell the language.
        first_person: a pattern of words of the first person.
        first_person_ending: a pattern of words with an ending of the first person; "" if none.
        not_first_person: words with the shape of a first person that are not in it.
        name_ending: a pattern of what may follow a name without an apostrophe; "" if none.
        yes: words that agree.
        no: words that deny.
        courteous: words beside a yes or no that then answers an offer.
        about_you: patterns of questions about the person who is asked.
        no_fact: words of questions of which yes or no makes no fact.
        courtesy: a pattern of a courtesy before what a message tells; "" if there is none.
        only_asks: whether a sentence, in lower case, only asks; None if this language cannot tell.
            Its second argument is the sentence folded.
        is_clause: whether a short text is more than a piece of a sentence, from the text in lower
            case and from its folded words.
    """

    asks_when: tuple[str, ...]
    intents: Mapping[str, Strengths]
    answers: AnswerRules
    split: SplitRules
    first_person: str
    about_you: tuple[str, ...]
    no_fact: tuple[str, ...]
    only_asks: Callable[[str, str], bool | None]
    is_clause: Callable[[str, Sequence[str]], bool]
    function_words: str = ""
    question_word: str = ""
    first_person_ending: str = ""
    not_first_person: frozenset[str] = frozenset()
    name_ending: str = ""
    yes: frozenset[str] = frozenset()
    no: frozenset[str] = frozenset()
    courteous: frozenset[str] = frozenset()
    courtesy: str = ""


class Antecedent(NamedTuple):
    """Something that was spoken of before.

    Attributes:
        name: as it is written.
        kind: `female`, `male` or `person` for people, `group` or `org` for several, anything else
            for a thing.
    """

    name: str
    kind: str


@dataclass(frozen=True)
class RewriteRules:
    """Sentences that can be understood on their own: third person, pronouns, foresight.

    Attributes:
        opening_fillers: words before a comma at the beginning that only win time.
        bare_opening_fillers: of those, what needs no comma.
        inner_fillers: words between commas that only win time.
        final_fillers: words after a comma at the end that only win time.
        third_person: a text in the first person, with a name in the place of its speaker.
        resolve_pronouns: a text with names in the place of pronouns.
        plans: whether a word between two places of a text tells of a plan; from the text, the text
            folded, the two places, and the places of its quotations.
        function_words: a pattern of words of a folded text that only this language has; "" if none.
        pronoun_context: the same for a text with pronouns, in any case.
        first_person: whether a text, with its folded form, is in this language and in the first
            person.
    """

    opening_fillers: tuple[str, ...]
    bare_opening_fillers: tuple[str, ...]
    inner_fillers: tuple[str, ...]
    final_fillers: tuple[str, ...]
    third_person: Callable[[str, str, str], str]
    resolve_pronouns: Callable[[str, Sequence[Antecedent], str], str]
    plans: Callable[[str, str, tuple[int, int], Sequence[tuple[int, int]]], bool]
    function_words: str = ""
    pronoun_context: str = ""
    first_person: Callable[[str, str], bool] | None = None


@dataclass(frozen=True)
class SafetyRules:
    """Orders to the model, secrets and personal data."""


@dataclass(frozen=True)
class Language:
    """One language.

    Attributes:
        code: ISO 639-1.
        words: words as such.
        time: dates, times, periods and tenses.
        compare: what one statement means to another.
        observe: what a sentence is about.
        query: what a question asks for.
        rewrite: sentences that can be understood on their own.
        safety: orders to the model, secrets and personal data.
    """

    code: str
    words: WordRules
    time: TimeRules
    compare: CompareRules
    observe: ObserveRules
    query: QueryRules
    rewrite: RewriteRules
    safety: SafetyRules
