"""How a message feels: valence, arousal, intensity and one of Ekman's six emotions.

The valence of whole words is VADER's (Hutto and Gilbert 2014), whose lexicon is read when it is
first needed. A language of stems has a table of its own, and a denial after the word (`mutlu
değilim`) turns its valence. Arousal adds what shows on the surface of a message; its parts are
weighed so that good cheer with an exclamation mark stays far below a flashbulb's 0.8.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cogmem_core.languages import Language
from cogmem_core.languages.base import Feeling
from cogmem_core.languages.detect import language_shown
from cogmem_core.languages.merged import (
    Entries,
    Kept,
    MergedPattern,
    all_patterns,
    all_words,
    languages_read,
)
from cogmem_core.languages.reading import in_its_language
from cogmem_core.text.folding import MAX_INPUT, fold_letters, single_spaced

if TYPE_CHECKING:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer


@dataclass(frozen=True, slots=True)
class Emotion:
    """How a message feels.

    Attributes:
        valence: -1 (bad) .. 1 (good); 0 if no word tells.
        arousal: 0 (calm) .. 1 (beside oneself); a flashbulb needs 0.8.
        intensity: 0..1, arousal x (1 + |valence|) / 2: strong only if both are.
        label: Ekman's basic emotion, `neutral` if none shows.
    """

    valence: float
    arousal: float
    intensity: float
    label: Feeling


NEUTRAL = Emotion(0.0, 0.0, 0.0, "neutral")

# What the parts of arousal add; chosen so that, of the turns of friendly chats, fewer than 1 in 200
# reach 0.8.
_EXCLAMATION = (0.08, 0.15, 0.25)  # one mark, two, three and more
_CAPITALS = (0.08, 0.2)  # one shouted word, two and more
_URGENCY = (0.25, 0.35)  # one word, two and more
_PROFANITY = (0.2, 0.3)  # one word, two and more
_MILD = 0.1  # a word of feeling; the strongest one counts
_STRONG = 0.4
_GRAVITY = 0.35  # an event of the gravest kind: accident, death, birth
_VALENCE = 0.1  # times |valence|
_CHEER = 0.75  # factor on good feelings without anything grave
_CHEERFUL_MAXIMUM = 0.7
# Without a strong word, a grave event, or urgency with profanity or capitals.
_CALM_MAXIMUM = 0.7
_VADER_HEAD = 600  # characters; VADER takes quadratic time
_VADER_TAIL = 400
_VADER_ALPHA = 15.0  # its normalisation, s / sqrt(s² + alpha)
_STEM_WEIGHT = 2.5  # a typical word of its lexicon, whose scale is -4..4
_DENIED = -0.74  # its factor for a word that is denied
# Without a word of feeling, so strong a valence decides; chat is friendly.
_JOY_FROM = 0.6
_SADNESS_FROM = -0.4
_REACH = 3  # words in front of a word, or behind a stem (one less), where a denial counts
_SHORTEST_STEM = 3
_LONGEST_STEM = 14
_WORD = re.compile(r"[^\W\d_]['\w]*|911")
_SHOUTED = re.compile(r"\b[^\W\d_]{4,30}\b")
_EMOJI = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff][\ufe0f\u200d\U0001f3fb-\U0001f3ff]*")
_MAX_EMOJI = 3
_GRAVE = MergedPattern(rf"\b(?=i|\w\w)(?:{all_patterns('observe.emotions.grave')})(?!\w)")
# A call for help beside what puts a life in danger. Its words mislead VADER, for which help is good.
_CRY = MergedPattern(rf"(?<!\w)(?:{all_patterns('observe.emotions.cries')})(?!\w)")
_DANGER = MergedPattern(rf"(?<!\w)(?:{all_patterns('observe.emotions.dangers')})(?!\w)")
_ALARM_VALENCE = -0.6
_ALARM_AROUSAL = 0.9
_STRONG_WORDS = all_words("observe.emotions.strong_words")
_DENIALS = all_words("observe.emotions.denials_before")
_SUPERLATIVE = all_words("observe.emotions.superlative_denials")
_SUPERLATIVE_WORDS = all_words("observe.emotions.superlative_words")
_URGENT = all_words("observe.emotions.urgent")
_PROFANE = all_words("observe.emotions.profanity")
_ACRONYMS = all_words("observe.emotions.acronyms")


def _labels_of_words() -> dict[str, Feeling]:
    labels: dict[str, Feeling] = {}
    for language in languages_read():
        for label, words in language.observe.emotions.words.items():
            labels.update(dict.fromkeys(words, label))
    return labels


_LABELS = Entries(_labels_of_words)
_PROFANE_STEMS = Kept(lambda: tuple(map(fold_letters, all_words("observe.emotions.profane_stems"))))
_DENIAL_ENDINGS = Kept(
    lambda: tuple(
        filter(None, [language.observe.emotions.denial_ending for language in languages_read()])
    )
)


class _Expression(NamedTuple):
    """A word of feeling that nothing denies, or a valence that a denial turned.

    Attributes:
        label: the emotion that it shows, if any.
        valence: of stems, on VADER's scale; 0 for whole words, which VADER weighs.
        strong: whether it is a word of great arousal.
    """

    label: Feeling | None
    valence: float
    strong: bool


_Sense = tuple[Feeling | None, int]
"""An emotion, if any, and a valence of -1, 0 or 1."""


class _Stems:
    """The words of feeling of a language that has stems."""

    def __init__(self, language: Language) -> None:
        rules = language.observe.emotions
        self.rules = rules
        self._senses = self._folded_senses()
        self._strong = frozenset(map(fold_letters, rules.strong_stems)) | rules.exact_strong_stems
        self._exact_beginnings = frozenset(stem[:2] for stem in rules.exact_stems)

    def _folded_senses(self) -> dict[str, _Sense]:
        """The sense of each folded stem."""
        senses: dict[str, _Sense] = {}
        for stem in self.rules.positive_stems:
            senses[fold_letters(stem)] = (None, 1)
        for stem in self.rules.negative_stems:
            senses[fold_letters(stem)] = (None, -1)
        for label, stems in self.rules.stems.items():
            usual = {"joy": 1, "surprise": 0}.get(label, -1)
            for stem in map(fold_letters, stems):
                senses[stem] = (label, senses.get(stem, (None, usual))[1])
        for stem in map(fold_letters, self.rules.neutral_stems):
            senses.setdefault(stem, (None, 0))
        return senses

    def feels(self, text: str, words: list[str]) -> bool:
        """Whether a text, whose folded words these are, has a word of feeling."""
        spelt = map(self._exact_stem, self.rules.lower(text).split())
        return any(map(self._stem, words)) or any(spelt)

    def expressions(self, words: list[str], spellings: list[str]) -> Iterator[_Expression]:
        """The words of feeling of a text.

        Args:
            words: folded words.
            spellings: the same words in lower case with their own letters.
        """
        for position, word in enumerate(words):
            stem = self._exact_stem(spellings[position]) or self._stem(word)
            label, sign = self.rules.exact_stems.get(stem) or self._senses.get(stem, (None, 0))
            if not (label or sign):
                continue
            following = words[position + 1 : position + _REACH]
            preceding = words[max(0, position - _REACH + 1) : position]
            denied = not self.rules.denials_before.isdisjoint(preceding)
            if denied or any(each.startswith(self.rules.denials_behind) for each in following):
                yield _Expression(None, sign * _STEM_WEIGHT * _DENIED, strong=False)
            else:
                yield _Expression(label, sign * _STEM_WEIGHT, stem in self._strong)

    def _stem(self, word: str) -> str:
        """The longest known stem that the word begins with; empty if there is none."""
        for length in range(min(len(word), _LONGEST_STEM), _SHORTEST_STEM - 1, -1):
            if word[:length] in self._senses:
                return word[:length]
        return ""

    def _exact_stem(self, word: str) -> str:
        if word[:2] not in self._exact_beginnings:
            return ""
        return next(filter(word.startswith, self.rules.exact_stems), "")


_STEMS = Entries(
    lambda: {
        language.code: _Stems(language)
        for language in languages_read()
        if language.observe.emotions.stems
    }
)


@in_its_language
def emotion(text: str) -> Emotion:
    """Detect the emotion of a message, in its first 5,000 characters.

    Args:
        text: the message as it was said; capitals and signs count.

    Returns:
        Values rounded to 4 places.
    """
    text = text[:MAX_INPUT]
    folded = fold_letters(text)
    spans = [match.span() for match in _WORD.finditer(folded)]
    words = [folded[start:end].rstrip("'") for start, end in spans]
    if not words:
        return _from_signs(text)
    stems = _stems_of(text, words)
    if stems:
        spellings = [stems.rules.lower(text[start:end]) for start, end in spans]
        expressions = list(stems.expressions(words, spellings))
        valence = _valence_of_stems(text, expressions)
    else:
        expressions = list(_word_expressions(words))
        valence = _vader_compound(_readable(text))
    if _CRY.search(folded) and _DANGER.search(folded):
        return _rounded(min(valence, _ALARM_VALENCE), _ALARM_AROUSAL, "fear")
    surface = _read_surface(text, folded, words)
    label = _label(expressions, valence)
    if label == "sadness" and surface.profane and not expressions:
        label = "anger"  # who swears is not sad
    return _rounded(valence, _arousal(surface, expressions, valence), label)


def _from_signs(text: str) -> Emotion:
    valence = _vader_compound(_few_emoji(text))
    arousal = _step(text.count("!"), _EXCLAMATION) + _VALENCE * abs(valence)
    return _rounded(valence, arousal, _label([], valence))


def _rounded(valence: float, arousal: float, label: Feeling) -> Emotion:
    intensity = arousal * (1 + abs(valence)) / 2
    return Emotion(round(valence, 4), round(arousal, 4), round(intensity, 4), label)


def _stems_of(text: str, words: list[str]) -> _Stems | None:
    """The stems of a text's language; where it shows none and no whole word tells a feeling, those that do."""
    shown = language_shown(text)
    if shown or not _LABELS.now().keys().isdisjoint(words):
        return _STEMS.get(shown)
    return next((stems for stems in _STEMS.values() if stems.feels(text, words)), None)


def _word_expressions(words: list[str]) -> Iterator[_Expression]:
    for position, word in enumerate(words):
        label = _LABELS.get(word)
        if label and not _is_denied(words[max(0, position - _REACH) : position]):
            yield _Expression(label, 0.0, word in _STRONG_WORDS)


def _is_denied(preceding: list[str]) -> bool:
    """Whether one of the words in front denies; "never been so happy" does not."""
    if not (_SUPERLATIVE.isdisjoint(preceding) or _SUPERLATIVE_WORDS.isdisjoint(preceding)):
        return False
    return any(word in _DENIALS or word.endswith(_DENIAL_ENDINGS()) for word in preceding)


def _valence_of_stems(text: str, expressions: list[_Expression]) -> float:
    total = sum(expression.valence for expression in expressions)
    total += _STEM_WEIGHT * _vader_compound(_few_emoji(text))
    return total / math.sqrt(total * total + _VADER_ALPHA)


def _readable(text: str) -> str:
    """At most 1,000 characters, the first and the last ones, and few emoji.

    That is what VADER reads in a few milliseconds.
    """
    if not text.isascii():
        parts = (_EMOJI.sub(" ", text), _few_emoji(text))
        text = " ".join(filter(None, parts))
    text = single_spaced(text.replace("\u2019", "'"))  # VADER knows can't, straight
    if len(text) <= _VADER_HEAD + _VADER_TAIL:
        return text
    return f"{text[:_VADER_HEAD]} {text[-_VADER_TAIL:]}"


def _few_emoji(text: str) -> str:
    if text.isascii():
        return ""
    matches = islice(_EMOJI.finditer(text), _MAX_EMOJI)
    return " ".join(match.group()[0] for match in matches)


def _vader_compound(text: str) -> float:
    return float(_analyser().polarity_scores(text)["compound"]) if text.strip() else 0.0


@lru_cache(maxsize=1)
def _analyser() -> SentimentIntensityAnalyzer:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer()


class _Surface(NamedTuple):
    """What shows arousal in a message: counts of signs and words."""

    exclamations: int
    shouted: int
    urgent: int
    profane: int
    grave: bool


def _read_surface(text: str, folded: str, words: list[str]) -> _Surface:
    capitals = filter(str.isupper, _SHOUTED.findall(text))
    return _Surface(
        exclamations=text.count("!"),
        shouted=sum(fold_letters(word) not in _ACRONYMS for word in capitals),
        urgent=sum(word in _URGENT for word in words),
        profane=sum(word in _PROFANE or word.startswith(_PROFANE_STEMS()) for word in words),
        grave=_GRAVE.search(folded) is not None,
    )


def _arousal(surface: _Surface, expressions: list[_Expression], valence: float) -> float:
    strong = any(expression.strong for expression in expressions)
    feeling = 0.0
    if strong:
        feeling = _STRONG
    elif any(expression.label for expression in expressions):
        feeling = _MILD
    total = (
        _step(surface.exclamations, _EXCLAMATION)
        + _step(surface.shouted, _CAPITALS)
        + _step(surface.urgent, _URGENCY)
        + _step(surface.profane, _PROFANITY)
        + feeling
        + _GRAVITY * surface.grave
        + _VALENCE * abs(valence)
    )
    if valence > 0 and not surface.grave:
        total = min(_CHEER * total, _CHEERFUL_MAXIMUM)
    alarmed = surface.urgent and (surface.profane or surface.shouted > 1)
    if not (strong or surface.grave or alarmed):
        total = min(total, _CALM_MAXIMUM)
    return min(1.0, total)


def _step(count: int, values: tuple[float, ...]) -> float:
    return values[min(count, len(values)) - 1] if count else 0.0


def _label(expressions: list[_Expression], valence: float) -> Feeling:
    """The emotion most spoken of, the first of equals; else what the valence says.

    Strong words count double.
    """
    votes: dict[Feeling, int] = {}
    for label, _, strong in expressions:
        if label:
            votes[label] = votes.get(label, 0) + 1 + strong
    if votes:
        return max(votes, key=lambda label: votes[label])
    if valence >= _JOY_FROM:
        return "joy"
    return "sadness" if valence <= _SADNESS_FROM else "neutral"
