"""The record that a language fills, area by area. Nothing here does I/O."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

__all__ = [
    "NOTHING",
    "SPEAKER",
    "AttributeParts",
    "AttributeReader",
    "AttributeRules",
    "AttributionRules",
    "CompareRules",
    "ContradictionRules",
    "DurationRules",
    "EmotionRules",
    "EntailmentRules",
    "EntailmentTools",
    "EntityRules",
    "Feeling",
    "Frame",
    "Language",
    "NameRules",
    "ObserveRules",
    "PatternTable",
    "QueryRules",
    "RewriteRules",
    "SafetyRules",
    "SignalRules",
    "SmallTalkRules",
    "StatementRules",
    "Switch",
    "TimeRules",
    "WordRules",
    "WordingRules",
    "no_case",
]

Feeling = Literal["joy", "anger", "fear", "sadness", "surprise", "disgust", "neutral"]
"""Ekman's six emotions, or none of them."""
PatternTable = tuple[tuple[tuple[str, ...], str], ...]
"""(words, pattern): the pattern is tried on texts that hold one of the words."""
NOTHING = "(?!)"
"""A regular expression that matches nothing: the language has no such thing."""


def no_case(ending: str) -> str:  # noqa: ARG001
    """Names have no cases."""
    return ""


@dataclass(frozen=True)
class WordRules:
    """Words as such: stop words, stems, folding, sentence ends."""


@dataclass(frozen=True)
class TimeRules:
    """Dates, times, periods and tenses."""


@dataclass(frozen=True)
class WordingRules:
    """Words that decide whether two statements can be compared; folded.

    Attributes:
        negations: words that deny.
        time_adverbs: adverbs of time and degree, which say nothing about the matter.
        number_words: numbers in words.
        countries: countries, which do not contradict a town in them.
        leaning: first words of a sentence that is about what was said before it.
        first_person: words that mean the speaker or the listener.
        hedging: words that take back, limit or attribute what the other words say.
        narrowing: words beside which an addition says less, not more.
        auxiliaries: verbs and pronouns that make no difference between statements.
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
    time_adverbs: frozenset[str]
    number_words: frozenset[str]
    countries: frozenset[str]
    leaning: frozenset[str]
    first_person: frozenset[str]
    hedging: frozenset[str]
    narrowing: frozenset[str]
    auxiliaries: frozenset[str]
    signal_words: frozenset[str]
    letters: str = NOTHING
    final_verb: str = NOTHING
    negative_verb: str = NOTHING
    own_ending: str = NOTHING
    verb_root: str = NOTHING
    short_roots: Mapping[str, str] = field(default_factory=dict)
    person_ending: str = NOTHING


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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


class Switch(NamedTuple):
    """A frame of a statement that something was given up for something else.

    Attributes:
        pattern: regular expression; its group `a` is what was given up.
        needs_use: it counts only if the old statement says that the thing is used; then both
            statements are plainly about one attribute.
    """

    pattern: str
    needs_use: bool = False


@dataclass(frozen=True)
class ContradictionRules:
    """Phrases by which a statement ends, denies or corrects an older one.

    Regular expressions on folded text.

    Attributes:
        correction_cues: words that announce a correction.
        correction_openers: words that announce one at the beginning, before a mark.
        meant: words that announce what was meant.
        endings: cues that something ended; such a statement shares few words with the one it ends.
        cue_words: words of announcements, which are left out of comparisons.
        own_subjects: words by which a statement is about the speaker.
        owners: words by which it is about something of the speaker's.
        subject_openers: words before the subject.
        articles: words that make no difference between statements.
        contrast: "not" behind the value that holds.
        denial: "not" beside the value that does not hold.
        switches: frames of giving up one thing for another.
        stopped: what somebody stopped doing, group `a`.
        stop_cue: words that show that something stopped.
        back: what somebody returned to, group `b`.
        switched_to: words of the use of a thing.
        target: a thing in use, first group.
        use_before: words in front of a thing in use.
        use_behind: what may follow a thing in use.
        given_up: a statement that something was given up.
        habit: a statement of habit.
        object_ending: case endings of an object.
        states: verbs of state.
        events: words of things that happen more than once.
        case_of_name: what follows the apostrophe of a name, in one spelling; empty if no case.
        date_ending: case endings of weekdays and months.
    """

    correction_cues: str
    correction_openers: str
    meant: str
    endings: str
    cue_words: frozenset[str]
    own_subjects: str
    owners: str
    subject_openers: frozenset[str]
    articles: frozenset[str] = frozenset()
    contrast: str = NOTHING
    denial: str = NOTHING
    switches: tuple[Switch, ...] = ()
    stopped: str = NOTHING
    stop_cue: str = NOTHING
    back: str = NOTHING
    switched_to: str = NOTHING
    target: str = NOTHING
    use_before: str = NOTHING
    use_behind: str = NOTHING
    given_up: str = NOTHING
    habit: str = NOTHING
    object_ending: str = NOTHING
    states: str = NOTHING
    events: str = NOTHING
    case_of_name: Callable[[str], str] = no_case
    date_ending: str = NOTHING


@dataclass(frozen=True)
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
    base_verbs: frozenset[str]
    irregular_thirds: Mapping[str, str]
    numerals: Mapping[str, str]
    narrowing: frozenset[str]
    is_verb: Callable[[str], bool]
    is_negative: Callable[[str], bool]
    is_hedged: Callable[[Sequence[str]], bool]


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class AttributionRules:
    """Phrases round a statement that say nothing themselves: regular expressions on folded text.

    Attributes:
        reporting: phrases that say where a statement comes from ("as you mentioned").
        courtesies: polite phrases; some hold a negation that denies nothing.
    """

    reporting: tuple[str, ...]
    courtesies: tuple[str, ...]


@dataclass(frozen=True)
class CompareRules:
    """What one statement means to another.

    Attributes:
        wording: words that decide whether two statements can be compared.
        attributes: frames of plain statements.
        contradictions: phrases by which a statement ends, denies or corrects an older one.
        entailment: when one sentence says all that another one says.
        statements: words by which statements say the same or different things.
        attribution: phrases that say where a statement comes from.
    """

    wording: WordingRules
    attributes: AttributeRules
    contradictions: ContradictionRules
    entailment: EntailmentRules
    statements: StatementRules
    attribution: AttributionRules


@dataclass(frozen=True)
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

    corrections: tuple[str, ...]
    preferences: tuple[str, ...]
    decisions: tuple[str, ...]
    facts: tuple[str, ...]
    statements: tuple[str, ...]
    temporal: tuple[str, ...]
    ambiguous_months: frozenset[str]
    tag_questions: tuple[str, ...]
    injections: tuple[str, ...]


@dataclass(frozen=True)
class SmallTalkRules:
    """Courtesies that carry nothing, folded, without apostrophes.

    Attributes:
        greetings: whole phrases of greeting and leave-taking.
        confirmations: whole phrases of yes, no and consent.
        acknowledgements: whole phrases of thanks, praise and regret.
        fillers: words that add nothing between them, such as who is greeted.
    """

    greetings: frozenset[str]
    confirmations: frozenset[str]
    acknowledgements: frozenset[str]
    fillers: frozenset[str]


@dataclass(frozen=True)
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
    lower: Callable[[str], str] = str.lower
    urgent: frozenset[str] = frozenset()
    profanity: frozenset[str] = frozenset()
    profane_stems: tuple[str, ...] = ()
    grave: tuple[str, ...] = ()
    acronyms: frozenset[str] = frozenset()


@dataclass(frozen=True)
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

    title_cues: str
    ordinals: tuple[str, ...] = ()
    day_link: str = ""
    year_before: tuple[str, ...] = ()
    year_behind: str = ""
    months_and_verbs: tuple[str, ...] = ()
    clock_marks: str = ""
    units: Mapping[str, str] = field(default_factory=dict)
    plain_units: tuple[str, ...] = ()
    relative_marks: tuple[str, ...] = ()


@dataclass(frozen=True)
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

    tech_talk: str
    org_talk: str
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
    place_before: str = ""
    org_before: str = ""
    travel_behind: str = ""


@dataclass(frozen=True)
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

    now: str
    passing_states: str
    lasting: str
    requests_to_remember: str
    days: str
    own: str
    musings: str
    habit_words: frozenset[str] = frozenset()
    past_ending: str = ""


@dataclass(frozen=True)
class ObserveRules:
    """What a sentence is about: filters, kinds, feelings, entities, names.

    Attributes:
        signals: phrases that show what kind of thing a message says.
        small_talk: courtesies that carry nothing.
        emotions: words of feeling.
        entities: words round titles, dates and numbers.
        names: words round names.
        durations: phrases that tell how long a statement holds.
    """

    signals: SignalRules
    small_talk: SmallTalkRules
    emotions: EmotionRules
    entities: EntityRules
    names: NameRules
    durations: DurationRules


@dataclass(frozen=True)
class QueryRules:
    """What a question asks for: intents, parts, forms of questions."""


@dataclass(frozen=True)
class RewriteRules:
    """Sentences that can be understood on their own: third person, pronouns, foresight."""


@dataclass(frozen=True)
class SafetyRules:
    """Orders to the model, secrets and personal data; labels are regular expressions.

    Attributes:
        instructions: orders to the model.
        claims: what somebody else is said to want or to have said.
        rules: what wants to hold for every answer.
        telling_words: words that most orders hold, and no text holds backwards by chance.
        passcode_labels: what a password is called.
        bare_passcode_labels: labels that stand before a password without "is" or a colon.
        key_kinds: first words of the names of keys.
        key_nouns: second words of the names of keys.
        key_labels: other names of keys and tokens.
        copulas: words between a label and its value.
        number_labels: what a long number is called that is no card number.
        phone_labels: words before a telephone number.
        version_labels: words before a version, which may look like an address.
    """

    instructions: PatternTable
    claims: PatternTable
    rules: PatternTable
    passcode_labels: str
    key_kinds: str
    key_nouns: str
    key_labels: str
    number_labels: str
    phone_labels: str
    version_labels: str
    telling_words: tuple[str, ...] = ()
    bare_passcode_labels: str = ""
    copulas: str = ""


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
