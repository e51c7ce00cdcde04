"""The record that a language fills, area by area. Nothing here does I/O."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Literal, NamedTuple

Feeling = Literal["joy", "anger", "fear", "sadness", "surprise", "disgust", "neutral"]
"""Ekman's six emotions, or none of them."""


Pattern = str
"""A regular expression."""

Meaning = Literal[
    "numeric date",
    "slashed date",
    "day and month",
    "days of a month",
    "edge",
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

PatternTable = tuple[tuple[tuple[str, ...], str], ...]
"""(words, pattern): the pattern is tried on texts that hold one of the words."""


NOTHING = "(?!)"
"""A regular expression that matches nothing: the language has no such thing."""


@dataclass(frozen=True, eq=False, repr=False)
class WordingRules:
    """Words that decide whether two statements can be compared; folded.

    Attributes:
        negations: words that deny.
        number_words: numbers in words.
        leaning: first words of a sentence that is about what was said before it.
        first_person: words that mean the speaker or the listener.
        hedging: words that take back, limit or attribute what the other words say.
        narrowing: words beside which an addition says less, not more.
        signal_words: words that hardly occur in a text of another language.
        letters: regular expression for letters that no other language has.
        final_verb: regular expression for the last words of a statement.
        negative_verb: regular expression for a verb that denies by an ending.
        own_ending: regular expression for a word with an ending of the first person.
        verb_root: regular expression for a finite verb; its first group is the root.
        short_roots: roots that would be too short without their last vowel.
        person_ending: regular expression for a first-person ending at the end of a statement.
    """

    negations: frozenset[str]
    number_words: frozenset[str]
    leaning: frozenset[str]
    first_person: frozenset[str]
    hedging: frozenset[str]
    narrowing: frozenset[str]
    signal_words: frozenset[str]
    letters: str = NOTHING
    final_verb: str = NOTHING
    negative_verb: str = NOTHING
    own_ending: str = NOTHING
    verb_root: str = NOTHING
    short_roots: Mapping[str, str] = field(default_factory=dict)
    person_ending: str = NOTHING


@dataclass(frozen=True, eq=False, repr=False)
class Frame:
    """What the attribute reader of a language asks of the text package.

    Attributes:
        value_of: the value at the beginning of some words, without what follows it.
        empty_values: first words of what is no value.
        date_words: weekdays and months.
        verbs: words that no plain subject holds: auxiliaries, adverbs, hedges, past forms.
    """

    value_of: Callable[[str], str]
    empty_values: frozenset[str]
    date_words: frozenset[str]
    verbs: frozenset[str]


SPEAKER = "speaker"
"""The subject of "I", "my" and "User"."""


AttributeParts = tuple[str, str, str]
"""Subject, attribute and value."""


AttributeReader = Callable[[re.Match[str], str, str, Frame], AttributeParts | None]
"""Reads a match of a frame: match, name of the frame, original spelling, what it asks for."""


@dataclass(frozen=True, eq=False, repr=False)
class AttributeRules:
    """Frames of plain statements, folded.

    In frames `<number>`, `<age>` and `<dose>` stand for those of every language, and a blank for
    any white space.

    Attributes:
        frames: regular expressions for statements, each with the name by which `read` knows it.
        read: reads a match of a frame.
        introductions: regular expression for words in front of a statement that say nothing.
        value_endings: regular expression for words that end a value.
        value_openers: regular expression for words before a value that do not belong to it.
        empty_values: first words of what is no value.
        ages: ages in words.
        dose_units: regular expression for units of a dose.
        titles: abbreviations whose full stop ends no sentence.
    """

    frames: tuple[tuple[str, str], ...]
    read: AttributeReader
    introductions: str
    value_endings: str
    empty_values: frozenset[str]
    ages: frozenset[str]
    dose_units: str
    value_openers: str = ""
    titles: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class EntailmentTools:
    """What the functions of a language ask of the text package.

    Attributes:
        tokens: words, numbers and commas of a text in lower case.
        fold: letters as `fold_letters` writes them.
        base_verbs: English verbs in their base form.
        irregular_thirds: base forms whose third person is irregular.
        numerals: digits of numbers in words.
        narrowing: words beside which an addition says less.
        is_verb: whether a word is a verb.
        is_negative: whether a text denies something.
        is_hedged: whether words take back, limit or attribute what the others say.
    """

    tokens: Callable[[str], Iterator[str]]
    fold: Callable[[str], str]
    base_verbs: Set[str]
    irregular_thirds: Mapping[str, str]
    numerals: Mapping[str, str]
    narrowing: Set[str]
    is_verb: Callable[[str], bool]
    is_negative: Callable[[str], bool]
    is_hedged: Callable[[Sequence[str]], bool]


@dataclass(frozen=True, eq=False, repr=False)
class EntailmentRules:
    """When one sentence says all that another one says.

    Attributes:
        canonical: the words of a sentence in lower case without what makes no difference.
        includes: whether a sentence, the second one, says all that the first one says; both are
            canonical words.
        numerals: digits of numbers in words.
        owners: words before the thing that a sentence is about.
    """

    canonical: Callable[[str, EntailmentTools], list[str]]
    includes: Callable[[tuple[str, ...], tuple[str, ...], EntailmentTools], bool]
    numerals: Mapping[str, str]
    owners: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False, repr=False)
class StatementRules:
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

    filler: frozenset[str]
    meaningful: Mapping[str, str]
    cardinals: Mapping[str, str]
    turns: frozenset[str]
    conjunctions: frozenset[str]
    dropped: frozenset[str]
    base_forms: Mapping[str, str] = field(default_factory=dict)
    subjects: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    source_suffixes: frozenset[str] = frozenset()
    letters: str = NOTHING
    verb_shape: str = NOTHING
    verb_ending: str = ""
    noun_ending: str = ""
    opening_ending: str = ""
    light_verbs: frozenset[str] = frozenset()
    irregular_roots: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class AttributionRules:
    """Phrases round a statement that say nothing themselves: regular expressions on folded text.

    Attributes:
        reporting: phrases that say where a statement comes from ("as you mentioned").
        courtesies: polite phrases; some hold a negation that denies nothing.
    """

    reporting: tuple[str, ...]
    courtesies: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class RetellingRules:
    """Words by which two sentences tell of the same thing in other words; folded.

    Attributes:
        persons: regular expression for a word for somebody: kin, roles, animals of a household.
    """

    persons: str = NOTHING


@dataclass(frozen=True, eq=False, repr=False)
class CompareRules:
    """What one statement means to another.

    Attributes:
        wording: words that decide whether two statements can be compared.
        attributes: frames of plain statements.
        entailment: when one sentence says all that another one says.
        statements: words by which statements say the same or different things.
        attribution: phrases that say where a statement comes from.
        retellings: words by which two sentences tell of the same thing in other words.
    """

    wording: WordingRules
    attributes: AttributeRules
    entailment: EntailmentRules
    statements: StatementRules
    attribution: AttributionRules
    retellings: RetellingRules = field(default_factory=RetellingRules)


@dataclass(frozen=True, eq=False, repr=False)
class SignalRules:
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

    corrections: tuple[Pattern, ...] = ()
    preferences: tuple[Pattern, ...] = ()
    decisions: tuple[Pattern, ...] = ()
    facts: tuple[Pattern, ...] = ()
    statements: tuple[Pattern, ...] = ()
    temporal: tuple[Pattern, ...] = ()
    ambiguous_months: frozenset[str] = frozenset()
    tag_questions: tuple[Pattern, ...] = ()
    injections: tuple[Pattern, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class SmallTalkRules:
    """Courtesies that carry nothing, folded, without apostrophes.

    Attributes:
        greetings: whole phrases of greeting and leave-taking.
        confirmations: whole phrases of yes, no and consent.
        acknowledgements: whole phrases of thanks, praise and regret.
        fillers: words that add nothing between them, such as who is greeted.
        addressed: further phrases that are said to somebody by a name: thanks, good wishes.
    """

    greetings: frozenset[str]
    confirmations: frozenset[str]
    acknowledgements: frozenset[str]
    fillers: frozenset[str]
    addressed: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False, repr=False)
class EmotionRules:
    """Words of feeling: whole words whose valence VADER knows, or stems with one of their own.

    Attributes:
        words: whole words by the emotion that they show.
        strong_words: those of great arousal.
        denials_before: words that deny a word of feeling behind them.
        denial_ending: ending of further words that deny ("n't").
        superlative_denials: words that stress what they deny ("never been so happy").
        superlative_words: words beside which they do so.
        function_words: further words that show the language, beside its stop words.
        stems: stems by the emotion that they show.
        strong_stems: those of great arousal.
        positive_stems: stems of a good feeling.
        negative_stems: stems of a bad feeling.
        neutral_stems: longer stems that take the feeling out of the others.
        exact_stems: emotion and valence (-1, 0 or 1) of stems that need their own letters.
        exact_strong_stems: those of great arousal.
        denials_behind: folded beginnings of words that deny a word of feeling before them.
        endings: folded endings that show the language.
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

    words: Mapping[Feeling, frozenset[str]] = field(default_factory=dict)
    strong_words: frozenset[str] = frozenset()
    denials_before: frozenset[str] = frozenset()
    denial_ending: str = ""
    superlative_denials: frozenset[str] = frozenset()
    superlative_words: frozenset[str] = frozenset()
    function_words: frozenset[str] = frozenset()
    stems: Mapping[Feeling, tuple[str, ...]] = field(default_factory=dict)
    strong_stems: frozenset[str] = frozenset()
    positive_stems: tuple[str, ...] = ()
    negative_stems: tuple[str, ...] = ()
    neutral_stems: tuple[str, ...] = ()
    exact_stems: Mapping[str, tuple[Feeling, int]] = field(default_factory=dict)
    exact_strong_stems: frozenset[str] = frozenset()
    denials_behind: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    lower: Lower = str.lower
    urgent: frozenset[str] = frozenset()
    profanity: frozenset[str] = frozenset()
    profane_stems: tuple[str, ...] = ()
    grave: tuple[Pattern, ...] = ()
    acronyms: frozenset[str] = frozenset()
    cries: tuple[Pattern, ...] = ()
    dangers: tuple[Pattern, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class EntityRules:
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

    title_cues: Pattern = NOTHING
    ordinals: tuple[Pattern, ...] = ()
    day_link: str = ""
    year_before: tuple[str, ...] = ()
    year_behind: Pattern = ""
    months_and_verbs: tuple[str, ...] = ()
    clock_marks: Pattern = ""
    units: Mapping[str, str] = field(default_factory=dict)
    plain_units: tuple[str, ...] = ()
    relative_marks: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class NameRules:
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

    tech_talk: Pattern = NOTHING
    org_talk: Pattern = NOTHING
    place_words: frozenset[str] = frozenset()
    place_beginnings: frozenset[str] = frozenset()
    org_words: frozenset[str] = frozenset()
    honorifics: frozenset[str] = frozenset()
    given_names: frozenset[str] = frozenset()
    not_names: frozenset[str] = frozenset()
    names_and_words: frozenset[str] = frozenset()
    verb_endings: tuple[str, ...] = ()
    adverb_endings: tuple[str, ...] = ()
    suffixes: frozenset[str] = frozenset()
    place_suffixes: frozenset[str] = frozenset()
    direction_suffixes: frozenset[str] = frozenset()
    place_before: Pattern = ""
    org_before: Pattern = ""
    travel_behind: Pattern = ""


@dataclass(frozen=True, eq=False, repr=False)
class DurationRules:
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

    now: Pattern = NOTHING
    passing_states: Pattern = NOTHING
    lasting: Pattern = NOTHING
    requests_to_remember: Pattern = NOTHING
    days: Pattern = NOTHING
    own: Pattern = NOTHING
    musings: Pattern = NOTHING
    habit_words: frozenset[str] = frozenset()
    past_ending: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class NoteRules:
    """What kinds of knowledge are told apart by.

    Phrases are alternatives of regular expressions, which begin and end at a word.

    Attributes:
        rules: phrases of a rule that always holds; on the text as it stands, in any case; read in the
            default languages only.
        how_to: phrases of how something is done; as `rules`.
    """

    rules: Pattern = NOTHING
    how_to: Pattern = NOTHING


@dataclass(frozen=True, eq=False, repr=False)
class ObserveRules:
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
    notes: NoteRules = NoteRules()


@dataclass(frozen=True, eq=False, repr=False)
class SafetyRules:
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
        check_number_labels: labels of the check number on a card.
        copulas: words between a label and its value.
        number_labels: what a long number is called that is no card number.
        phone_labels: words before a telephone number.
        version_labels: words before a version, which may look like an address.
    """

    instructions: PatternTable = ()
    claims: PatternTable = ()
    rules: PatternTable = ()
    passcode_labels: Pattern = ""
    key_kinds: Pattern = ""
    key_nouns: Pattern = ""
    key_labels: Pattern = ""
    number_labels: Pattern = ""
    phone_labels: Pattern = ""
    version_labels: Pattern = ""
    telling_words: tuple[str, ...] = ()
    bare_passcode_labels: Pattern = ""
    bare_code_labels: Pattern = NOTHING
    login_labels: Pattern = NOTHING
    label_objects: Pattern = NOTHING
    check_number_labels: Pattern = NOTHING
    copulas: Pattern = ""


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


def one_fact(left: Clause, right: Clause) -> str | None:  # noqa: ARG001
    """Clauses belong together: the language has no rules to part them."""
    return None


@dataclass(frozen=True, eq=False, repr=False)
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

    stop_words: frozenset[str] = frozenset()
    stem: Stemmer = str
    separate_facts: Callable[[Clause, Clause], str | None] = one_fact
    owns: Owner | None = None
    clitics: frozenset[str] = frozenset()
    elisions: frozenset[str] = frozenset()
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


@dataclass(frozen=True, eq=False, repr=False)
class EndRules:
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

    closes_before: Pattern = NOTHING
    closes_after: Pattern = NOTHING
    excludes_before: Pattern = NOTHING
    excludes_after: Pattern = NOTHING
    opens_before: Pattern = NOTHING
    opens_after: Pattern = NOTHING
    pairs: Pattern = NOTHING
    still_not: Pattern = NOTHING
    goes_on: Pattern = NOTHING
    states: Pattern = NOTHING
    begins: Pattern = NOTHING
    future: Pattern = NOTHING
    duties: Pattern = NOTHING
    yearly: Pattern = NOTHING
    monthly: Pattern = NOTHING
    weekly: Pattern = NOTHING
    names_before: Pattern = NOTHING
    names_after: Pattern = NOTHING
    lasting: Pattern = NOTHING
    general: Pattern = NOTHING
    appointments: Pattern = NOTHING


@dataclass(frozen=True, eq=False, repr=False)
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
        edges: words for the end of a period -> 1, for its start -> -1.
        ends: by which words a statement begins and ends.
        expressions: what names a time, in order of precedence.
        written: how a time of each kind is written in the place of its words; in digits, unless
            said otherwise.
        written_parts: the hour with which a part of the day begins -> how the part is written.
        written_with: what fits a written time into its sentence: "prepositions", "case endings", or
            nothing.
    """

    weekdays: Mapping[str, int] = field(default_factory=dict)
    months: Mapping[str, int] = field(default_factory=dict)
    month_names: tuple[str, ...] = ()
    seasons: Mapping[str, int] = field(default_factory=dict)
    season_names: Mapping[int, str] = field(default_factory=dict)
    units: Mapping[str, Unit] = field(default_factory=dict)
    clock_units: Mapping[str, Unit] = field(default_factory=dict)
    weekend_names: frozenset[str] = frozenset()
    numbers: Mapping[str, int] = field(default_factory=dict)
    day_parts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    relative_days: Mapping[str, int] = field(default_factory=dict)
    directions: Mapping[str, int] = field(default_factory=dict)
    looks_back: Pattern = NOTHING
    looks_ahead: Pattern = NOTHING
    expressions: tuple[TimeExpression, ...] = ()
    written: Templates = field(default_factory=dict)
    written_parts: Mapping[int, str] = field(default_factory=dict)
    written_with: Fitting | None = None
    months_also_verbs: frozenset[str] = frozenset()
    months_also_names: frozenset[str] = frozenset()
    months_also_nouns: frozenset[str] = frozenset()
    prepositions_of_people: frozenset[str] = frozenset()
    dated_months: Mapping[str, Pattern] = field(default_factory=dict)
    ordinal_endings: tuple[str, ...] = ()
    day_links: tuple[str, ...] = ()
    noon: tuple[str, ...] = ()
    on_the_hour: tuple[str, ...] = ()
    hour_prepositions: tuple[str, ...] = ()
    bare_hour_prepositions: tuple[str, ...] = ()
    lone_hour_prepositions: tuple[str, ...] = ()
    hours_before_day: tuple[Pattern, ...] = ()
    hour_endings: tuple[str, ...] = ()
    part_prepositions: tuple[str, ...] = ()
    part_endings: tuple[str, ...] = ()
    past_verbs: frozenset[str] = frozenset()
    not_past: frozenset[str] = frozenset()
    not_future: frozenset[str] = frozenset()
    verb_last: bool = False
    habits: tuple[Pattern, ...] = ()
    edges: Mapping[str, int] = field(default_factory=dict)
    ends: EndRules = EndRules()


Strengths = tuple[tuple[float, str], ...]
"""Patterns of one intent, each with how surely it shows the intent by itself, 0..1."""


@dataclass(frozen=True, eq=False, repr=False)
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


@dataclass(frozen=True, eq=False, repr=False)
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
            left side. Its result is None if that is not a question of its own. Its last argument
            completes it.
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


@dataclass(frozen=True, eq=False, repr=False)
class ForgettingRules:
    """How a person asks to forget something, and how things are named that may be forgotten.

    All of it is matched with folded texts.

    Attributes:
        wish: a whole wish: `what` is to be forgotten. The groups `memory` and `stored` say that
            something remembered is meant, `clause` that a clause follows, `mild` is a verb that
            also other things are done with ("delete"), `asks` what makes a question a request.
        unless: a pattern of words by which it is no wish, or none for good: "for a moment".
        because: what begins a reason without a comma.
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

    wish: str
    unless: str
    because: str
    reason: str
    beside: str
    request: str
    topic: str
    own: str
    told: str
    openers: str
    subjects: frozenset[str]
    owners: frozenset[str]
    objects: frozenset[str]
    foreign: frozenset[str]
    slots: Mapping[str, tuple[str, ...]]
    cues: Mapping[str, str] = field(default_factory=dict)
    respelt: str = NOTHING
    belonging: frozenset[str] = frozenset()
    own_word: str = ""
    own_verb: str = NOTHING
    own_verb_ending: str = ""
    object_ending: str = ""
    silent: frozenset[str] = frozenset()
    common_beginning: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class AimRules:
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

    newest: Pattern = NOTHING
    oldest: Pattern = NOTHING
    everything: Pattern = NOTHING
    several: Pattern = NOTHING
    formerly: Pattern = NOTHING
    overview: Pattern = NOTHING
    answer_form: Pattern = NOTHING
    verb_forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class QueryRules:
    """What a question asks for: intents, parts, forms of questions.

    Patterns are regular expressions of a folded text.

    Attributes:
        asks_when: patterns of questions whose answer is a date.
        asks_number: a pattern of questions whose answer is a number.
        asks_name: a pattern of questions whose answer is a name.
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
        forgetting: how somebody asks to forget something; None if this language cannot tell.
        only_asks: whether a sentence, in lower case, only asks; None if this language cannot tell.
            Its second argument is the sentence folded.
        aims: which of the relevant memories a question wants, and in what order.
    """

    asks_when: tuple[str, ...]
    intents: Mapping[str, Strengths]
    answers: AnswerRules
    split: SplitRules
    first_person: str
    about_you: tuple[str, ...]
    no_fact: tuple[str, ...]
    only_asks: Callable[[str, str], bool | None]
    asks_number: str = NOTHING
    asks_name: str = NOTHING
    function_words: str = ""
    question_word: str = ""
    first_person_ending: str = ""
    not_first_person: frozenset[str] = frozenset()
    name_ending: str = ""
    yes: frozenset[str] = frozenset()
    no: frozenset[str] = frozenset()
    courteous: frozenset[str] = frozenset()
    courtesy: str = ""
    forgetting: ForgettingRules | None = None
    aims: AimRules = field(default_factory=AimRules)


class Antecedent(NamedTuple):
    """Something that was spoken of before.

    Attributes:
        name: as it is written.
        kind: `female`, `male` or `person` for people, `group` or `org` for several, anything else
            for a thing.
    """

    name: str
    kind: str


@dataclass(frozen=True, eq=False, repr=False)
class RewriteRules:
    """Sentences that can be understood on their own: third person, pronouns, foresight.

    Attributes:
        opening_fillers: words before a comma at the beginning that only win time.
        bare_opening_fillers: of those, what needs no comma.
        inner_fillers: words between commas that only win time.
        final_fillers: words after a comma at the end that only win time.
        third_person: a text in the first person, with a name in the place of its speaker.
        resolve_pronouns: a text with names in the place of pronouns.
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
    function_words: str = ""
    pronoun_context: str = ""
    first_person: Callable[[str, str], bool] | None = None


@dataclass(frozen=True, eq=False, repr=False)
class EvidenceRules:
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

    unknown: Pattern = NOTHING
    declined: Pattern = NOTHING
    told: Pattern = NOTHING
    never_told: Pattern = NOTHING
    pointing: Pattern = NOTHING
    whether: Pattern = NOTHING
    turns: Pattern = NOTHING
    ordinals: Mapping[str, str] = field(default_factory=dict)
    synonyms: tuple[frozenset[str], ...] = ()
    related: tuple[frozenset[str], ...] = ()
    empty: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False, repr=False)
class GroundingRules:
    """Words by which a fact that a model formed is compared with the turn it came from; folded.

    Attributes:
        numbers: numbers in words, ordinals too.
        ordinals: those of them that tell a place in a row.
        factors: words that multiply the number before them.
        single: words that say "one" besides what else they say.
        loose: number words with another meaning: in a fact they need not stand in the turn.
        half_past: pattern of an hour and a half, group `hour`.
        clocks: times of the day in words.
        forenoon: words beside an hour before noon.
        afternoon: words beside an hour after noon.
        meridians: marks of the half of the day.
        units: units, and the one spelling of each.
        periods: those units that tell how often.
        per: words before a period that something happens in.
        implied: words that imply a period.
        aged: words beside the years of an age.
        averse: words by which something does not agree with somebody.
        denying: words that deny without a negation.
        denying_phrases: pattern of phrases that deny.
        privative: pattern of what something is without, groups `noun`, or `thing` in front.
        privatives: those negations that belong to such a phrase.
        former: pattern of those of them that a past form says as well.
        no_denial: pattern of phrases with a negation that denies nothing.
        emphatic: negations that only stress another one.
        openers: words in front of a sentence that are no part of it.
        joints: pattern of what ends a clause.
        speakers: words that mean the speaker.
        owners: words for what is the speaker's.
        other_owners: words for what is somebody else's.
        objects: words by which the speaker is who something happens to.
        third: words for somebody who was named before.
        user: how a fact calls the speaker.
        naming: words between a person and the name.
        places: words in front of names that are nobody.
        place_ending: pattern of endings behind an apostrophe that say the same.
        possessive: pattern of the ending of an owner.
        own_possessive: the speaker as an owner.
        having: last words of a clause in which an owner has something.
        passive: words with which who does something changes places with whom it is done to.
        roles: persons of whose doings a fact may speak as the speaker's own.
        persons: relatives, animals and other persons without a name, and one spelling of each.
        person_ending: pattern of endings of such a word.
        person_roots: its roots that endings change.
        broader: persons that may stand for other ones.
        plain: words that a rewording brings in without adding anything.
        same: words of which one may stand for another.
        demonym: pattern of endings that make another form of a name.
    """

    numbers: Mapping[str, float] = field(default_factory=dict)
    ordinals: frozenset[str] = frozenset()
    factors: Mapping[str, int] = field(default_factory=dict)
    single: frozenset[str] = frozenset()
    loose: frozenset[str] = frozenset()
    half_past: str = ""
    clocks: Mapping[str, str] = field(default_factory=dict)
    forenoon: frozenset[str] = frozenset()
    afternoon: frozenset[str] = frozenset()
    meridians: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    periods: frozenset[str] = frozenset()
    per: frozenset[str] = frozenset()
    implied: Mapping[str, frozenset[str]] = field(default_factory=dict)
    aged: frozenset[str] = frozenset()
    averse: frozenset[str] = frozenset()
    denying: frozenset[str] = frozenset()
    denying_phrases: str = NOTHING
    privative: str = NOTHING
    privatives: frozenset[str] = frozenset()
    former: str = NOTHING
    no_denial: str = NOTHING
    emphatic: frozenset[str] = frozenset()
    openers: frozenset[str] = frozenset()
    joints: str = NOTHING
    speakers: frozenset[str] = frozenset()
    owners: frozenset[str] = frozenset()
    other_owners: frozenset[str] = frozenset()
    objects: frozenset[str] = frozenset()
    third: frozenset[str] = frozenset()
    user: frozenset[str] = frozenset()
    naming: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    place_ending: str = NOTHING
    possessive: str = NOTHING
    own_possessive: frozenset[str] = frozenset()
    having: frozenset[str] = frozenset()
    passive: frozenset[str] = frozenset()
    roles: frozenset[str] = frozenset()
    persons: Mapping[str, str] = field(default_factory=dict)
    person_ending: str = ""
    person_roots: Mapping[str, str] = field(default_factory=dict)
    broader: Mapping[str, frozenset[str]] = field(default_factory=dict)
    plain: frozenset[str] = frozenset()
    same: tuple[frozenset[str], ...] = ()
    demonym: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class TriggerRules:
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

    openers: Pattern = NOTHING
    topics: tuple[Pattern, ...] = ()
    asks: tuple[Pattern, ...] = ()
    anybody: frozenset[str] = frozenset()
    unreal: Pattern = NOTHING
    undone: Pattern = NOTHING
    denials: frozenset[str] = frozenset()
    asking: Pattern = NOTHING
    light: frozenset[str] = frozenset()
    same: tuple[frozenset[str], ...] = ()
    opposites: tuple[tuple[frozenset[str], frozenset[str]], ...] = ()
    paraphrase: tuple[str, ...] = ()
    ordinary: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
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
        lacks: the areas that the pack does not fill; nothing is guessed in them.
        shown_by: words that show this language, lower-case; for packs of other distributions.
        evidence: words by which an answer shows what it made of a memory.
        grounding: whether a fact says what its turn says.
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
    lacks: frozenset[str] = frozenset()
    shown_by: frozenset[str] = frozenset()
    evidence: EvidenceRules = field(default_factory=EvidenceRules)
    grounding: GroundingRules = field(default_factory=GroundingRules)
    triggers: TriggerRules = field(default_factory=TriggerRules)

    @staticmethod
    def from_toml(path: str | Path) -> Language:
        """The language that a TOML file describes.

        Raises:
            InvalidInput: it cannot be read; the message has each problem with its line.
        """
        return import_module("cogmem_core.languages.loading").language_from_toml(Path(path))  # type: ignore[no-any-return]
