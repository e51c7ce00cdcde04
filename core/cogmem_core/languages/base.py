"""The record that a language fills, area by area. Nothing here does I/O."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple

Feeling = Literal["joy", "anger", "fear", "sadness", "surprise", "disgust", "neutral"]
"""Ekman's six emotions, or none of them."""


Pattern = str
"""A regular expression."""

Patterns = tuple[Pattern, ...]
NamedPatterns = Mapping[str, Pattern]
WordSet = frozenset[str]
WordSets = Mapping[str, frozenset[str]]
WordList = tuple[str, ...]
WordLists = Mapping[str, tuple[str, ...]]
WordGroups = tuple[frozenset[str], ...]
Numbers = Mapping[str, int]
Spellings = Mapping[str, str]
"""Words, and one spelling for each."""

Meaning = Literal[
    "numeric date",
    "slashed date",
    "day and month",
    "days of a month",
    "edge",
    "part",
    "holiday",
    "before last",
    "weeks from a weekday",
    "same day",
    "within",
    "month and year",
    "season and year",
    "year",
    "last or next",
    "weekday of a week",
    "weekday",
    "relative day",
    "fixed unit",
    "counted units",
    "stretch",
    "month",
    "season",
    "weekend",
    "day of month",
    "hour",
]
"""What words for a time mean: by this name `text.time.rules` resolves them."""

Unit = Literal["days", "weeks", "fortnights", "months", "years", "minutes", "hours"]
"""What time is counted in."""

Templates = Mapping[str, str]
"""Per kind of time, how it is written, with `{day}`, `{month}` and so on."""

Stemmer = Callable[[str], str]
"""The stem of a folded word."""

Owner = Callable[[str], bool]
"""Whether a folded word shows by itself that it is of a language."""

Lower = Callable[[str], str]
"""The lower-case spelling of a text."""

Strengths = tuple[tuple[float, str], ...]
"""Patterns of one intent, each with how surely it shows the intent by itself, 0..1."""

Frames = tuple[tuple[str, str], ...]
"""Patterns of statements, each with its name."""

PatternTable = tuple[tuple[tuple[str, ...], str], ...]
"""(words, pattern): the pattern is tried on texts that hold one of the words."""


NOTHING = "(?!)"
"""A regular expression that matches nothing: the language has no such thing."""

_EMPTY: Mapping[str, Any] = {
    "Pattern": NOTHING,
    "WordSet": frozenset(),
    **dict.fromkeys(("Patterns", "WordList", "WordGroups", "Frames", "PatternTable"), ()),
}
_TABLES = ("NamedPatterns", "WordSets", "WordLists", "Numbers", "Spellings", "Templates", "Mapping")

compiled = lru_cache(maxsize=None)(re.compile)


class Rules:
    """A table of a language; what a language does not give is empty, or as the class has it."""

    def __init__(self, **given: Any) -> None:
        vars(self).update(given)

    def __init_subclass__(cls) -> None:
        for name, kind in cls.__annotations__.items():
            if name not in vars(cls):
                setattr(cls, name, _empty(kind))


def _empty(kind: str) -> Any:
    """What a field of a type has where nothing is given."""
    if kind in _EMPTY:
        return _EMPTY[kind]
    name = kind.partition("[")[0]
    return {} if name in _TABLES else {**vars(builtins), **globals()}[name]()


class WordingRules(Rules):
    """Words that decide whether two statements can be compared; folded.

    Attributes:
        negations: words that deny.
        leaning: first words of a sentence that is about what was said before it.
        first_person: words that mean the speaker or the listener.
        hedging: words that take back, limit or attribute what the other words say.
        narrowing: words beside which an addition says less, not more.
        negative_verb: regular expression for a verb that denies by an ending.
        own_ending: regular expression for a word with an ending of the first person.
    """

    negations: WordSet
    leaning: WordSet
    first_person: WordSet
    hedging: WordSet
    narrowing: WordSet
    negative_verb: Pattern
    own_ending: Pattern


class EntailmentRules(Rules):
    """When one sentence says all that another one says.

    A word that is missing in a table costs a duplicate, a word too many makes two facts one.

    Attributes:
        spellings: patterns of a sentence in lower case, each behind what is written in its place.
        dropped: words that make no difference.
        same: words, and the one that stands for them.
        numerals: digits of numbers in words.
        owners: words before the thing that a sentence is about.
        openers: words that make no difference where a sentence begins.
        determiners: words before a noun.
        starters: words with which a phrase begins that may be moved.
        added: a pattern of what only says more.
        participle: a pattern of a verb before a noun, which what is added would belong to.
        letters_count: accents make another word.
        verb_last: what is added may stand before the verb.
    """

    spellings: Frames
    dropped: WordSet
    same: Spellings
    numerals: Spellings
    owners: WordSet
    openers: WordSet
    determiners: WordSet
    starters: WordSet
    added: Pattern
    participle: Pattern
    letters_count: bool
    verb_last: bool


class StatementRules(Rules):
    """Words and endings by which statements say the same or different things; folded.

    Attributes:
        filler: words of sentences that say nothing.
        meaningful: stop words of the index that make statements differ, and their stems.
        cardinals: number words and their digits, without those that are other words, too.
        turns: words that end what a negation reaches.
        conjunctions: words that join two statements.
        dropped: words that make no difference.
        base_forms: irregular forms and their base form.
        subjects: words with which a joined statement begins.
        sources: words before what something comes from.
        source_suffixes: endings behind an apostrophe that say so.
        letters: regular expression for letters of the language.
        verb_shape: regular expression for a verb that only the language has.
        verb_ending: a finite verb; its first group is the root.
        noun_ending: a noun with endings; its first group is the stem.
        opening_ending: the same for a word that opens a sentence.
        light_verbs: roots of verbs without a meaning of their own.
        irregular_roots: spellings of a root that differ from it.
    """

    filler: WordSet
    meaningful: Spellings
    cardinals: Spellings
    turns: WordSet
    conjunctions: WordSet
    dropped: WordSet
    base_forms: Spellings
    subjects: WordSet
    sources: WordSet
    source_suffixes: WordSet
    letters: Pattern
    verb_shape: Pattern
    verb_ending: Pattern = ""
    noun_ending: Pattern = ""
    opening_ending: Pattern = ""
    light_verbs: WordSet
    irregular_roots: Spellings


class AttributionRules(Rules):
    """Phrases round a statement that say nothing themselves: regular expressions on folded text.

    Attributes:
        reporting: phrases that say where a statement comes from ("as you mentioned").
        courtesies: polite phrases; some hold a negation that denies nothing.
    """

    reporting: Patterns
    courtesies: Patterns


class RetellingRules(Rules):
    """Words by which two sentences tell of the same thing in other words; folded.

    Attributes:
        persons: regular expression for a word for somebody: kin, roles, animals of a household.
    """

    persons: Pattern


class CompareRules(Rules):
    """What one statement means to another.

    Attributes:
        wording: words that decide whether two statements can be compared.
        entailment: when one sentence says all that another one says.
        statements: words by which statements say the same or different things.
        attribution: phrases that say where a statement comes from.
        retellings: words by which two sentences tell of the same thing in other words.
    """

    wording: WordingRules
    entailment: EntailmentRules
    statements: StatementRules
    attribution: AttributionRules
    retellings: RetellingRules


class SignalRules(Rules):
    r"""Phrases that show what kind of thing a message says: regular expressions on folded text.

    `<day>` and `<month>` stand for the weekdays and the unambiguous months of every language.

    Attributes:
        corrections: phrases of a correction.
        preferences: phrases of a preference.
        decisions: phrases of a decision.
        facts: phrases of a fact.
        statements: phrases that count in the density as facts do, but decide no category.
        temporal: phrases of time, and plans, which are bounded in time.
        ambiguous_months: names of months that are other words, too.
        tag_questions: what turns a statement into a question that still states it ("..., right?").
        injections: orders to the model, which keep a message out.
    """

    corrections: Patterns
    preferences: Patterns
    decisions: Patterns
    facts: Patterns
    statements: Patterns
    temporal: Patterns
    ambiguous_months: WordSet
    tag_questions: Patterns
    injections: Patterns


class SmallTalkRules(Rules):
    """Courtesies that carry nothing, folded, without apostrophes.

    Attributes:
        greetings: whole phrases of greeting and leave-taking.
        confirmations: whole phrases of yes, no and consent.
        acknowledgements: whole phrases of thanks, praise and regret.
        fillers: words that add nothing between them, such as who is greeted.
        addressed: further phrases that are said to somebody by a name: thanks, good wishes.
    """

    greetings: WordSet
    confirmations: WordSet
    acknowledgements: WordSet
    fillers: WordSet
    addressed: WordSet


class EmotionRules(Rules):
    """Words of feeling: whole words whose valence VADER knows, or stems with one of their own.

    Attributes:
        words: whole words by the emotion that they show.
        strong_words: those of great arousal.
        denials_before: words that deny a word of feeling behind them.
        denial_ending: ending of further words that deny ("n't").
        superlative_denials: words that stress what they deny ("never been so happy").
        superlative_words: words beside which they do so.
        stems: stems by the emotion that they show.
        strong_stems: those of great arousal.
        positive_stems: stems of a good feeling.
        negative_stems: stems of a bad feeling.
        neutral_stems: longer stems that take the feeling out of the others.
        exact_stems: emotion and valence (-1, 0 or 1) of stems that need their own letters.
        exact_strong_stems: those of great arousal.
        denials_behind: folded beginnings of words that deny a word of feeling before them.
        lower: lower-case spelling by the rules of the language.
        urgent: words of urgency.
        profanity: whole words of profanity.
        profane_stems: stems of profanity.
        grave: regular expressions for what happens to a person a few times in a life (Brown and
            Kulik 1977); folded.
        acronyms: words of four and more capitals that nobody shouts.
        cries: regular expressions for calls for help; folded.
        dangers: regular expressions for what puts a life in danger now; folded.
    """

    words: Mapping[Feeling, frozenset[str]]
    strong_words: WordSet
    denials_before: WordSet
    denial_ending: str
    superlative_denials: WordSet
    superlative_words: WordSet
    stems: Mapping[Feeling, tuple[str, ...]]
    strong_stems: WordSet
    positive_stems: WordList
    negative_stems: WordList
    neutral_stems: WordList
    exact_stems: Mapping[str, tuple[Feeling, int]]
    exact_strong_stems: WordSet
    denials_behind: WordList
    lower: Lower = staticmethod(str.lower)
    urgent: WordSet
    profanity: WordSet
    profane_stems: WordList
    grave: Patterns
    acronyms: WordSet
    cries: Patterns
    dangers: Patterns


class EntityRules(Rules):
    """Words round titles, dates and numbers; folded, blanks escaped in regular expressions.

    Attributes:
        title_cues: regular expression for words near a quotation that is a title.
        ordinals: endings of a day's number ("3rd").
        day_link: word between a day and its month ("3 of May").
        year_before: words before a number that is a year.
        year_behind: regular expression for what follows a number that is a year.
        months_and_verbs: names of months that are also verbs.
        clock_marks: regular expression for what makes a number behind a month a time of day.
        units: units and currencies with their slugs.
        plain_units: units that are their own slugs.
        relative_marks: words behind a number that tell a distance in time ("ago").
    """

    title_cues: Pattern
    ordinals: Patterns
    day_link: str
    year_before: WordList
    year_behind: Pattern = ""
    months_and_verbs: WordList
    clock_marks: Pattern = ""
    units: Spellings
    plain_units: WordList
    relative_marks: WordList


class NameRules(Rules):
    """Words round names, and words that look like names and are none; folded.

    Attributes:
        tech_talk: regular expression for words that show that a text is about technology.
        org_talk: regular expression for words that show that a text is about organisations.
        place_words: last words of the names of places.
        place_beginnings: first words of the names of places.
        org_words: words in the names of organisations.
        honorifics: titles before or behind a person's name.
        given_names: common given names.
        not_names: words that are written with a capital and are no names.
        names_and_words: given names that are words first.
        verb_endings: endings of verbs, which open a sentence with a capital.
        adverb_endings: endings of adverbs, which do so, too.
        suffixes: endings that stand behind a name's apostrophe.
        place_suffixes: those that make the name a place.
        direction_suffixes: those that do so beside a word of travel.
        place_before: regular expression for what stands before a place, up to its end.
        org_before: regular expression for what stands before an organisation, up to its end.
        travel_behind: regular expression for a word of travel behind a name.
    """

    tech_talk: Pattern
    org_talk: Pattern
    place_words: WordSet
    place_beginnings: WordSet
    org_words: WordSet
    honorifics: WordSet
    given_names: WordSet
    not_names: WordSet
    names_and_words: WordSet
    verb_endings: WordList
    adverb_endings: WordList
    suffixes: WordSet
    place_suffixes: WordSet
    direction_suffixes: WordSet
    place_before: Pattern = ""
    org_before: Pattern = ""
    travel_behind: Pattern = ""


class DurationRules(Rules):
    """Phrases that tell whether a statement holds for hours or for good.

    Phrases are alternatives of regular expressions on folded text, which begin and end at a word.

    Attributes:
        now: phrases for the present hour.
        passing_states: where somebody is, a mood, an errand.
        lasting: phrases that make a statement last.
        requests_to_remember: phrases that ask for remembering.
        days: phrases for the present days, which what lasts has not.
        own: words of the first person.
        musings: phrases of opinion, hope and mood.
        habit_words: words of which one shows that things stand so.
        past_ending: ending of regular past forms.
    """

    now: Pattern
    passing_states: Pattern
    lasting: Pattern
    requests_to_remember: Pattern
    days: Pattern
    own: Pattern
    musings: Pattern
    habit_words: WordSet
    past_ending: str


class NoteRules(Rules):
    """What kinds of knowledge are told apart by.

    Phrases are alternatives of regular expressions, which begin and end at a word.

    Attributes:
        rules: phrases of a rule that always holds; on the text as it stands, in any case; read in the
            default languages only.
        how_to: phrases of how something is done; as `rules`.
    """

    rules: Pattern
    how_to: Pattern


class ObserveRules(Rules):
    """What a sentence is about: filters, kinds, feelings, entities, names.

    Attributes:
        signals: phrases that show what kind of thing a message says.
        small_talk: courtesies that carry nothing.
        emotions: words of feeling.
        entities: words round titles, dates and numbers.
        names: words round names.
        durations: phrases that tell how long a statement holds.
        notes: what kinds of knowledge are told apart by.
    """

    signals: SignalRules
    small_talk: SmallTalkRules
    emotions: EmotionRules
    entities: EntityRules
    names: NameRules
    durations: DurationRules
    notes: NoteRules


class SafetyRules(Rules):
    """Orders to the model, secrets and personal data; labels are regular expressions.

    Attributes:
        instructions: orders to the model.
        claims: what somebody else is said to want or to have said.
        rules: what wants to hold for every answer.
        telling_words: words that most orders hold, and no text holds backwards by chance.
        passcode_labels: what a password is called.
        bare_passcode_labels: labels that stand before a password without "is" or a colon.
        bare_code_labels: labels of a PIN that figures follow without a verb.
        login_labels: labels in front of a name and a password.
        key_kinds: first words of the names of keys.
        key_nouns: second words of the names of keys.
        key_labels: other names of keys and tokens.
        label_objects: words between a label and what it is the secret of: "password of the router".
        network_names: what tells the name of a network, behind what was said of its password.
        check_number_labels: labels of the check number on a card.
        copulas: words between a label and its value.
        figure_words: figures that are told one by one and count nothing: "zero".
        lock_words: what a combination of turns opens.
        turn_words: the ways that a lock is turned.
        wallet_words: what the words of a recovery phrase are for.
        number_labels: what a long number is called that is no card number.
        phone_labels: words before a telephone number.
        version_labels: words before a version, which may look like an address.
    """

    instructions: PatternTable
    claims: PatternTable
    rules: PatternTable
    passcode_labels: Pattern = ""
    key_kinds: Pattern = ""
    key_nouns: Pattern = ""
    key_labels: Pattern = ""
    number_labels: Pattern = ""
    phone_labels: Pattern = ""
    version_labels: Pattern = ""
    telling_words: WordList
    bare_passcode_labels: Pattern = ""
    bare_code_labels: Pattern
    login_labels: Pattern
    label_objects: Pattern
    network_names: Pattern = ""
    check_number_labels: Pattern
    copulas: Pattern = ""
    figure_words: Pattern = ""
    lock_words: Pattern = ""
    turn_words: Pattern = ""
    wallet_words: Pattern = ""


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


class WordRules(Rules):
    """Words as such: stop words, stems, folding, sentence ends.

    Tables hold words as `fold_letters` writes them unless something else is said.

    Attributes:
        stop_words: lower-case words, with the letters of the language, that name no topic.
        stem: the stem of a folded word.
        owns: whether a folded word shows by itself that it is of this language. None: it never
            does, and every word is stemmed by this language, after its own one.
        clitics: endings after an apostrophe that an index token does without.
        elisions: what stands before an apostrophe and belongs to the word before.
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

    stop_words: WordSet
    stem: Stemmer = str
    owns: Owner | None = None
    clitics: WordSet
    elisions: WordSet
    abbreviations: WordSet
    base_verbs: WordSet
    third_person: Spellings
    auxiliaries: WordSet
    adverbs: WordSet
    governing: WordSet
    is_verb: Callable[[str], bool] | None = None
    third_person_of: Callable[[str], str] = str
    conjunctions: WordList
    conjunction_followers: WordList

    def separate_facts(self, left: Clause, right: Clause) -> str | None:  # noqa: ARG002
        """Whether two clauses are facts of their own.

        Returns:
            None if they belong together, else the words to put before the second one, usually none.
        """
        return None


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

    pattern: Pattern
    meaning: Meaning
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


Fitting = Callable[[DatedWords, str], str]
"""Fits a written time into its sentence."""


class EndRules(Rules):
    """By which words a statement has a beginning or an end, and by which it lasts.

    Regular expressions of a text after `fold_letters`. Those named `..._before` end where a time
    begins, those named `..._after` begin where it ends. Where a language lacks one, nothing
    matches, and a statement lasts.

    Attributes:
        closes_before: words for "until".
        closes_after: the same, behind the time.
        excludes_before: words for "before".
        excludes_after: the same, behind the time.
        opens_before: words for "since" and "from".
        opens_after: the same, behind the time.
        pairs: what joins two times to a period, with their surroundings, as in
            "from <2015> to <2019>."
        still_not: what was not so until a time, and is since then.
        goes_on: words after which a sentence tells what holds now.
        states: past forms of what lasts, after which "before" closes a period.
        begins: verbs of what begins on a day, and goes on.
        future: words for what will be done.
        duties: words for what has to be done.
        yearly: days that come back each year.
        monthly: what comes back each month.
        weekly: what comes back each week.
        names_before: words after which the name of a day or a month is a name.
        names_after: words before which it is one.
        lasting: words by which a statement about the future lasts.
        general: words by which it has no end unless it has a date.
        appointments: words for what is over with its day, and leaves nothing to know: a flight.
    """

    closes_before: Pattern
    closes_after: Pattern
    excludes_before: Pattern
    excludes_after: Pattern
    opens_before: Pattern
    opens_after: Pattern
    pairs: Pattern
    still_not: Pattern
    goes_on: Pattern
    states: Pattern
    begins: Pattern
    future: Pattern
    duties: Pattern
    yearly: Pattern
    monthly: Pattern
    weekly: Pattern
    names_before: Pattern
    names_after: Pattern
    lasting: Pattern
    general: Pattern
    appointments: Pattern


class TimeRules(Rules):
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
        clause_subjects: a pattern of who a further clause is about: "..., she".
        verb_last: the verb ends the clause, so that the words after a time tell its tense first.
        habits: patterns of what happens every time.
        since: a pattern of what stands round a time, in angle brackets, since which something is
            so, with the clause: "in Leeds since <May>".
        happened_on: a pattern of what stands round a day, in angle brackets, on which something
            happened: "on <9 May>". The clause stands before it,
            after "|" where the day does not come round within three months: only without it may
            what was done be to make an appointment ("offered me an interview on <9 May>").
        edges: words for the end of a period -> 1, for its start -> -1.
        ordinals: words for which one of several -> 1 for the first one, -1 for the last one.
        month_parts: words for a part of a month -> its first and its last day.
        holidays: names -> month and day, or days from Easter; "/" stands between the first and the last.
        ends: by which words a statement begins and ends.
        expressions: what names a time, in order of precedence.
        written: how a time of each kind is written in the place of its words; in digits, unless
            said otherwise.
        written_parts: the hour with which a part of the day begins -> how the part is written.
        written_with: what fits a written time into its sentence: "prepositions", "case endings", or
            nothing.
    """

    weekdays: Numbers
    months: Numbers
    month_names: WordList
    seasons: Numbers
    season_names: Mapping[int, str]
    units: Mapping[str, Unit]
    clock_units: Mapping[str, Unit]
    weekend_names: WordSet
    numbers: Numbers
    day_parts: Mapping[str, tuple[int, int]]
    relative_days: Numbers
    directions: Numbers
    looks_back: Pattern
    looks_ahead: Pattern
    expressions: tuple[TimeExpression, ...]
    written: Templates
    written_parts: Mapping[int, str]
    written_with: Fitting | None = None
    months_also_verbs: WordSet
    months_also_names: WordSet
    months_also_nouns: WordSet
    prepositions_of_people: WordSet
    dated_months: NamedPatterns
    ordinal_endings: WordList
    day_links: WordList
    noon: WordList
    on_the_hour: WordList
    hour_prepositions: WordList
    bare_hour_prepositions: WordList
    lone_hour_prepositions: WordList
    hours_before_day: Patterns
    hour_endings: WordList
    part_prepositions: WordList
    part_endings: WordList
    past_verbs: WordSet
    not_past: WordSet
    not_future: WordSet
    clause_subjects: Pattern
    verb_last: bool
    habits: Patterns
    since: Pattern
    happened_on: Pattern
    edges: Numbers
    ordinals: Numbers
    month_parts: Mapping[str, tuple[int, int]]
    holidays: Spellings
    ends: EndRules


_ANSWERED = ("howto", "definition", "technical", "lookup")
"""Kinds of answers that patterns ask for."""


class AnswerRules(Rules):
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

    templates: WordLists = dict.fromkeys(
        (*_ANSWERED, "reasoning", "place", "time", "preference", "general"),
        ("{topic}",),
    )
    patterns: NamedPatterns = dict.fromkeys(_ANSWERED, NOTHING)
    place: Pattern
    time: Pattern
    omitted: WordSet
    askers: WordSet
    request: Patterns
    defining: Patterns
    supports: Mapping[str, bool]
    empty_after: Spellings


class SplitRules(Rules):
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
            left side. Its result is None if that is not a question of its own. Its last argument
            completes it.
    """

    droppable: WordSet
    semicolon_words: WordList
    also: WordList
    conjunction: str
    conjunction_followers: WordList
    alternatives: WordList
    not_names: Patterns
    together: Patterns
    fixed_names: WordList
    by_question_word: bool
    genitive: str
    together_words: WordList
    both: Pattern = ""
    plural_endings: WordList
    singular: Spellings
    auxiliary: Pattern = ""
    question_pair: Pattern = ""
    about: Pattern = ""
    complete: Callable[[str, str | None], str | None] | None = None
    carry_over: Callable[[str, str, re.Match[str], Completion], str | None] | None = None


class ForgettingRules(Rules):
    """How a person asks to forget something, and how things are named that may be forgotten.

    All of it is matched with folded texts.

    Attributes:
        unless: a pattern of words by which it is no wish, or none for good: "for a moment".
        reason: a clause that says why something is to be forgotten: it is over, wrong or private.
        beside: a clause beside a plain request that speaks of what is to be forgotten, and of
            nothing else.
        request: words by which "forget" asks, and does not only pass over something.
        topic: a whole phrase for all that is known of something (`what`), or for the record of it
            (`thing`).
        own: something of the speaker's; `thing` is what it is.
        told: a clause about the speaker, or one that asks: "where I live".
        openers: words before what is to be forgotten that say nothing.
        subjects: words by which a text is about the speaker.
        owners: words by which a thing is the speaker's.
        objects: words for the speaker as an object: "me".
        foreign: words by which a thing is somebody else's.
        cues: how a statement of the speaker shows that it tells what people name so: "my weight" is
            in "I weigh 80 kg".
        respelt: letters that only one spelling has: the u of "colour".
        belonging: words between a thing and its owner: "the code of my locker".
        slots: how people name attributes of their own, and the names of those attributes.
        own_word: a word that is the speaker's by its ending; `form` is what stays of it in every
            case ("maasim"). "" if words do not show that.
        own_verb: a verb about the speaker as the object of a wish; `form` is its root.
        own_verb_ending: how a verb about the speaker ends in a statement.
        object_ending: the ending of what is to be forgotten; "" if there is none.
        silent: words of a wish that say nothing.
        common_beginning: two words of so many equal letters at their beginning may be one word; 0
            if endings do not hide that.
    """

    unless: Pattern
    reason: Pattern
    beside: Pattern
    request: Pattern
    topic: Pattern
    own: Pattern
    told: Pattern
    openers: Pattern
    subjects: WordSet
    owners: WordSet
    objects: WordSet
    foreign: WordSet
    slots: WordLists
    cues: NamedPatterns
    respelt: Pattern
    belonging: WordSet
    own_word: Pattern = ""
    own_verb: Pattern
    own_verb_ending: Pattern = ""
    object_ending: Pattern = ""
    silent: WordSet
    common_beginning: int


class AimRules(Rules):
    """Words that tell which of the relevant memories a question wants, and in what order.

    Patterns of a folded text; they match the words that tell it and nothing else, because those
    words are not searched for.

    Attributes:
        newest: asks for the latest one.
        oldest: asks for the first one; also what a memory says of itself.
        everything: orders a list ("list all").
        several: asks for all there are ("how many", "which ... have I"); these words stay.
        formerly: asks for what held before.
        overview: a whole question for all that is known about whoever asks.
        answer_form: says how the answer shall look ("in two sentences").
        verb_forms: base form of an irregular verb -> its other forms, which a log may use.
    """

    newest: Pattern
    oldest: Pattern
    everything: Pattern
    several: Pattern
    formerly: Pattern
    overview: Pattern
    answer_form: Pattern
    verb_forms: WordLists


_LONGEST_QUESTION = 240  # characters, without a question mark


class AskingRules(Rules):
    """How a language asks, as regular expressions on a folded sentence.

    Attributes:
        opens: how a question begins, also without a question mark.
        orders: how an order to tell something begins.
        remember: what asks for remembering what follows.
        told: a clause of a question that tells something.
        unless: what tells something in a question without a mark, or in an order.
        unless_ordered: further words of which an order tells something.
        ends: a question without a mark by its end.
        tag: what turns a statement into a question that still states it.
    """

    opens: Pattern
    orders: Pattern
    remember: Pattern
    told: Pattern
    unless: Pattern
    unless_ordered: Pattern
    ends: Pattern
    tag: Pattern


class QueryRules(Rules):
    """What a question asks for: intents, parts, forms of questions.

    Patterns are regular expressions of a folded text.

    Attributes:
        asks_when: patterns of questions whose answer is a date.
        asks_number: a pattern of questions whose answer is a number.
        asks_name: a pattern of questions whose answer is a name.
        intents: intent -> its patterns, without word boundaries around them.
        answers: beginnings of hypothetical answers.
        split: how compound questions are cut.
        question_word: a pattern of question words.
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
        forgetting: how somebody asks to forget something; None if this language cannot tell.
        asking: how a question, an order and a statement begin.
        aims: which of the relevant memories a question wants, and in what order.
    """

    asks_when: Patterns
    intents: Mapping[str, Strengths] = dict.fromkeys(
        ("causal", "temporal", "preference", "entity_profile", "factual"), ()
    )
    answers: AnswerRules
    split: SplitRules
    first_person: Pattern
    about_you: Patterns
    no_fact: Patterns
    asking: AskingRules
    asks_number: Pattern
    asks_name: Pattern
    question_word: Pattern = ""
    first_person_ending: Pattern = ""
    not_first_person: WordSet
    name_ending: Pattern = ""
    yes: WordSet
    no: WordSet
    courteous: WordSet
    courtesy: Pattern = ""
    forgetting: ForgettingRules | None = None
    aims: AimRules

    def only_asks(self, sentence: str, folded: str) -> bool | None:  # noqa: ARG002
        """Whether a sentence only asks: it ends or opens as questions do, and no clause tells.

        Args:
            sentence: it, in lower case.
            folded: it, folded.

        Returns:
            None if the language cannot tell.
        """
        asking = self.asking
        if compiled(asking.remember).search(folded):
            return False
        bare = folded.lstrip("\u00bf\u00a1 ")
        told = compiled(asking.told).search(bare)
        opens = compiled(asking.opens).match(bare)
        if bare.endswith(("?", "\uff1f", "\u061f")):
            return not told and (opens is not None or not compiled(asking.tag).search(bare))
        if compiled(asking.ends).match(bare):
            return True
        if len(bare) > _LONGEST_QUESTION or bare[-1] in ".!\u3002":
            return False
        if not opens and not compiled(asking.orders).match(bare):
            return None
        told = told if opens else compiled(asking.unless_ordered).search(bare)
        return not (told or compiled(asking.unless).search(bare))


class Antecedent(NamedTuple):
    """Something that was spoken of before.

    Attributes:
        name: as it is written.
        kind: `female`, `male` or `person` for people, `group` or `org` for several, anything else
            for a thing.
    """

    name: str
    kind: str


class RewriteRules(Rules):
    """Sentences that can be understood on their own: third person, pronouns, foresight.

    Attributes:
        opening_fillers: words before a comma at the beginning that only win time.
        bare_opening_fillers: of those, what needs no comma.
        inner_fillers: words between commas that only win time.
        final_fillers: words after a comma at the end that only win time.
    """

    opening_fillers: WordList
    bare_opening_fillers: WordList
    inner_fillers: WordList
    final_fillers: WordList

    def third_person(self, text: str, folded: str, speaker: str) -> str:  # noqa: ARG002
        """A text in the first person, with a name in the place of its speaker."""
        return text

    def resolve_pronouns(
        self,
        text: str,
        antecedents: Sequence[Antecedent],  # noqa: ARG002
        speaker: str,  # noqa: ARG002
    ) -> str:
        """A text with names in the place of pronouns."""
        return text


class EvidenceRules(Rules):
    """Words by which an answer shows what it made of a memory; patterns on folded text.

    Attributes:
        unknown: phrases that say that nothing is known, up to the end of their clause.
        declined: phrases that say that what is known is not used.
        told: phrases that refer to what somebody said: then something is known all the same.
        never_told: phrases that say that somebody did not say it.
        pointing: words behind a refusal that mean the sentence before.
        whether: a question that a yes or no answers, other than one to the listener.
        turns: words behind which a clause no longer belongs to what is unknown.
        ordinals: digits of ordinal numbers in words, folded.
        synonyms: words that people use for one another, a group each, folded.
        related: words that belong to one matter, a group each, folded: weaker evidence.
        empty: folded words that say nothing about the matter of a memory.
    """

    unknown: Pattern
    declined: Pattern
    told: Pattern
    never_told: Pattern
    pointing: Pattern
    whether: Pattern
    turns: Pattern
    ordinals: Spellings
    synonyms: WordGroups
    related: WordGroups
    empty: WordSet


class TriggerRules(Rules):
    """What a reminder waits for, and what only looks like it. Patterns are for `fold_letters`.

    Attributes:
        openers: pattern of words in front of what is waited for: "when", "as soon as".
        topics: patterns with a group `topic`: what only has to be spoken of; a group `who` may say
            by whom.
        asks: patterns with a group `topic`: what has to be asked for.
        anybody: words for whoever speaks, in the place of a name.
        unreal: pattern of words in front of what has not happened: "if", "might", "waiting for".
        undone: pattern of the same wherever they stand in the clause: "not yet", "never".
        denials: words of these that mean nothing else in any language, in `fold_letters`: they deny
            whatever language a short text is taken for.
        asking: pattern of what asks or wants something, besides a question mark.
        light: verbs and adverbs that tell little by themselves.
        same: words of which one may stand for another.
        opposites: words of which one says that the other is not so, as two groups.
        paraphrase: two sentences that share no word and say the same: whether an embedder knows the
            language; none = nobody can tell, and words decide.
        ordinary: sentences that have nothing to do with each other: how near is near.
    """

    openers: Pattern
    topics: Patterns
    asks: Patterns
    anybody: WordSet
    unreal: Pattern
    undone: Pattern
    denials: WordSet
    asking: Pattern
    light: WordSet
    same: WordGroups
    opposites: tuple[tuple[frozenset[str], frozenset[str]], ...]
    paraphrase: WordList
    ordinary: WordList


class Language(Rules):
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
        lacks: the areas that the pack does not fill; nothing is guessed in them.
        shown_by: words that show this language, lower-case; for packs of other distributions.
        evidence: words by which an answer shows what it made of a memory.
        triggers: whether a turn is what a reminder waits for.
    """

    code: str
    words: WordRules
    time: TimeRules
    compare: CompareRules
    observe: ObserveRules
    query: QueryRules
    rewrite: RewriteRules
    safety: SafetyRules
    lacks: WordSet
    shown_by: WordSet
    evidence: EvidenceRules
    triggers: TriggerRules

    @staticmethod
    def from_toml(path: str | Path) -> Language:
        """The language that a TOML file describes.

        Raises:
            InvalidInput: it cannot be read; the message has each problem with its line.
        """
        return import_module("cogmem_core.languages.loading").language_from_toml(Path(path))  # type: ignore[no-any-return]
