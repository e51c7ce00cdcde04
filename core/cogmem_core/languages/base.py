"""The record that a language fills, area by area. Nothing here does I/O."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

__all__ = [
    "CompareRules",
    "DurationRules",
    "EmotionRules",
    "EntityRules",
    "Feeling",
    "Language",
    "NameRules",
    "ObserveRules",
    "PatternTable",
    "QueryRules",
    "RewriteRules",
    "SafetyRules",
    "SignalRules",
    "SmallTalkRules",
    "TimeRules",
    "WordRules",
]

Feeling = Literal["joy", "anger", "fear", "sadness", "surprise", "disgust", "neutral"]
"""Ekman's six emotions, or none of them."""
PatternTable = tuple[tuple[tuple[str, ...], str], ...]
"""(words, pattern): the pattern is tried on texts that hold one of the words."""


@dataclass(frozen=True)
class WordRules:
    """Words as such: stop words, stems, folding, sentence ends."""


@dataclass(frozen=True)
class TimeRules:
    """Dates, times, periods and tenses."""


@dataclass(frozen=True)
class CompareRules:
    """What one statement means to another: attributes, frames, denials, interchangeable words."""


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
