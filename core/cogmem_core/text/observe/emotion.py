"""How a message feels: valence, arousal, intensity and one of Ekman's six emotions (seed 001). No LLM, pure, EN and TR.

English valence is VADER's (Hutto and Gilbert 2014), whose lexicon is read when it is first needed.
Turkish has stems of its own, and a denial after the word (`mutlu değilim`) turns them. Arousal adds
what shows on the surface of a message; its parts are weighed so that good cheer with an exclamation
mark stays far below a flashbulb's 0.8.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cogmem_core.text.folding import MAX_INPUT, fold_letters
from cogmem_core.text.lexicon import emotions as lexicon
from cogmem_core.text.lexicon.emotions import Label
from cogmem_core.text.lexicon.stopwords import ENGLISH, TURKISH

if TYPE_CHECKING:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

__all__ = ["NEUTRAL", "Emotion", "Label", "emotion"]


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
    label: Label


NEUTRAL = Emotion(0.0, 0.0, 0.0, "neutral")


# What the parts of arousal add; chosen so that, of the turns of friendly chats, fewer than 1 in 200
# reach 0.8.
_EXCLAMATION = (0.08, 0.15, 0.25)  # one mark, two, three and more
_CAPITALS = (0.08, 0.2)  # one shouted word, two and more
# one word, two and more
_URGENCY = (0.25, 0.35)
_PROFANITY = (0.2, 0.3)
# a word of feeling; the strongest one counts
_MILD = 0.1
_STRONG = 0.4
_GRAVITY = 0.35  # an event of the gravest kind: accident, death, birth
_VALENCE = 0.1  # times |valence|
# factor on good feelings without anything grave, and the most they reach
_CHEER = 0.75
_CHEERFUL_MAXIMUM = 0.7
_CALM_MAXIMUM = 0.7  # without a strong word, a grave event, or urgency with profanity or capitals
# characters; VADER takes quadratic time
_VADER_HEAD = 600
_VADER_TAIL = 400
_VADER_ALPHA = 15.0  # its normalisation, s / sqrt(s² + alpha)
_STEM_WEIGHT = 2.5  # a typical word of its lexicon, whose scale is -4..4
_DENIED = -0.74  # its factor for a word that is denied
# without a word of feeling, a valence so strong decides; chat is friendly
_JOY_FROM = 0.6
_SADNESS_FROM = -0.4
_REACH = 3  # words in front of an English word, or behind a Turkish one (less one), where a denial counts
_SHORTEST_STEM = 3
_LONGEST_STEM = 14
_WORD = re.compile(r"[^\W\d_]['\w]*|911")
_SHOUTED = re.compile(r"\b[^\W\d_]{4,30}\b")
_EMOJI = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff][\ufe0f\u200d\U0001f3fb-\U0001f3ff]*")
_GRAVE = re.compile(r"\b(?=i|\w\w)(?:" + "|".join(lexicon.GRAVE) + r")(?!\w)")
_MAX_EMOJI = 3

_LABEL_OF = {word: label for label, words in lexicon.EKMAN.items() for word in words}


def _stem_table() -> dict[str, tuple[Label | None, int]]:
    """Folded Turkish stem → its emotion, if any, and its valence of -1, 0 or 1."""
    table: dict[str, tuple[Label | None, int]] = {}
    for stems, sign in ((lexicon.TURKISH_POSITIVE, 1), (lexicon.TURKISH_NEGATIVE, -1)):
        table.update({fold_letters(stem): (None, sign) for stem in stems})
    for label, stems in lexicon.TURKISH_EKMAN.items():
        default = {"joy": 1, "surprise": 0}.get(label, -1)
        table.update(
            {
                fold_letters(stem): (label, table.get(fold_letters(stem), (None, default))[1])
                for stem in stems
            }
        )
    table.update(
        {
            fold_letters(stem): (None, 0)
            for stem in lexicon.TURKISH_NEUTRAL
            if fold_letters(stem) not in table
        }
    )
    return table


_STEMS = _stem_table()
_STRONG_STEMS = frozenset(map(fold_letters, lexicon.TURKISH_STRONG)) | lexicon.TURKISH_EXACT_STRONG
_TURKISH_ENDINGS = (
    "yorum",
    "yoruz",
    "iyor",
    "uyor",
    "dim",
    "dum",
    "dik",
    "duk",
    "lar",
    "ler",
    "yim",
    "yum",
    "degil",
)
_TURKISH_MARKERS = frozenset(map(fold_letters, TURKISH)) - ENGLISH
_EXACT_BEGINNINGS = frozenset(stem[:2] for stem in lexicon.TURKISH_EXACT)
_SWEAR_STEMS = tuple(map(fold_letters, lexicon.TURKISH_PROFANITY))


class _Feeling(NamedTuple):
    """One word of feeling that nobody denied, or a valence that somebody turned."""

    label: Label | None
    valence: float  # of Turkish words, on VADER's scale; 0 for English ones, which VADER weighs
    strong: bool


def emotion(text: str) -> Emotion:
    """Detect the emotion of a message, in its first 5,000 characters.

    Args:
        text: the message as it was said; capitals and signs count.

    Returns:
        Values rounded to 4 places.
    """
    text = text[:MAX_INPUT]
    folded = fold_letters(text)
    places = [match.span() for match in _WORD.finditer(folded)]
    words = [folded[start:end].rstrip("'") for start, end in places]
    if not words:
        return _from_signs(text)
    spelt = [text[start:end].replace("I", "ı").replace("İ", "i").lower() for start, end in places]  # noqa: RUF001
    stems = {word: _stem(word) for word in set(words)}
    turkish = _is_turkish(words, stems)
    feelings = list(_turkish_feelings(words, spelt, stems) if turkish else _english_feelings(words))
    valence = _valence(text, feelings, turkish=turkish)
    seen = _surface(text, folded, words)
    arousal = _arousal(seen, feelings, valence)
    label = _label(feelings, valence)
    if label == "sadness" and seen.profane and not feelings:
        label = "anger"  # who swears is not sad
    return _rounded(valence, arousal, label)


def _from_signs(text: str) -> Emotion:
    valence = _vader_compound(_few_emoji(text)) if not text.isascii() else 0.0
    arousal = _step(text.count("!"), _EXCLAMATION) + _VALENCE * abs(valence)
    return _rounded(valence, arousal, _label([], valence))


def _rounded(valence: float, arousal: float, label: Label) -> Emotion:
    intensity = arousal * (1 + abs(valence)) / 2
    return Emotion(round(valence, 4), round(arousal, 4), round(intensity, 4), label)


def _is_turkish(words: list[str], stems: dict[str, str]) -> bool:
    """Whether more words are function words or feelings of Turkish than function words of English."""
    turkish = {
        word
        for word in stems
        if word in _TURKISH_MARKERS or stems[word] or word.endswith(_TURKISH_ENDINGS)
    }
    english = {
        word for word in stems if word in ENGLISH or word in _LABEL_OF or word in ("i'm", "it's")
    }
    return sum(1 for word in words if word in turkish) > sum(1 for word in words if word in english)


def _stem(word: str) -> str:
    """The longest known Turkish stem that the word begins with; empty if there is none."""
    for length in range(min(len(word), _LONGEST_STEM), _SHORTEST_STEM - 1, -1):
        if word[:length] in _STEMS:
            return word[:length]
    return ""


def _english_feelings(words: list[str]) -> Iterator[_Feeling]:
    for position, word in enumerate(words):
        label = _LABEL_OF.get(word)
        if label and not _denied(words[max(0, position - _REACH) : position]):
            yield _Feeling(label, 0.0, word in lexicon.STRONG)


def _denied(before: list[str]) -> bool:
    """Whether one of the words in front denies; "never been so happy" does not."""
    if "never" in before and ("so" in before or "this" in before):
        return False
    return any(word in lexicon.ENGLISH_NEGATIONS or word.endswith("n't") for word in before)


def _turkish_feelings(
    words: list[str], spelt: list[str], stems: dict[str, str]
) -> Iterator[_Feeling]:
    for position, word in enumerate(words):
        stem = _exact_stem(spelt[position]) or stems[word]
        label, sign = lexicon.TURKISH_EXACT.get(stem) or _STEMS.get(stem, (None, 0))
        if not (label or sign):
            continue
        if any(
            after.startswith(lexicon.TURKISH_NEGATIONS)
            for after in words[position + 1 : position + _REACH]
        ):
            yield _Feeling(None, sign * _STEM_WEIGHT * _DENIED, strong=False)
        else:
            yield _Feeling(label, sign * _STEM_WEIGHT, stem in _STRONG_STEMS)


def _exact_stem(word: str) -> str:
    if word[:2] not in _EXACT_BEGINNINGS:
        return ""
    return next((stem for stem in lexicon.TURKISH_EXACT if word.startswith(stem)), "")


def _valence(text: str, feelings: list[_Feeling], *, turkish: bool) -> float:
    if not turkish:
        return _vader_compound(_readable(text))
    total = sum(feeling.valence for feeling in feelings)
    emoji = _few_emoji(text)
    total += _STEM_WEIGHT * _vader_compound(emoji) if emoji else 0.0
    return total / math.sqrt(total * total + _VADER_ALPHA)


def _readable(text: str) -> str:
    """At most 1,000 characters, the first and the last ones, and few emoji: what VADER reads in a few milliseconds."""
    if not text.isascii():
        emoji = _few_emoji(text)
        text = " ".join(part for part in (_EMOJI.sub(" ", text), emoji) if part)
    text = " ".join(text.replace("\u2019", "'").split())  # VADER knows can't, straight
    return (
        text
        if len(text) <= _VADER_HEAD + _VADER_TAIL
        else f"{text[:_VADER_HEAD]} {text[-_VADER_TAIL:]}"
    )


def _few_emoji(text: str) -> str:
    if text.isascii():
        return ""
    return " ".join(
        match.group()[0] for match, _ in zip(_EMOJI.finditer(text), range(_MAX_EMOJI), strict=False)
    )


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


def _surface(text: str, folded: str, words: list[str]) -> _Surface:
    return _Surface(
        exclamations=text.count("!"),
        shouted=_shouted(text),
        urgent=sum(1 for word in words if word in lexicon.URGENT),
        profane=sum(
            1 for word in words if word in lexicon.PROFANITY or word.startswith(_SWEAR_STEMS)
        ),
        grave=_GRAVE.search(folded) is not None,
    )


def _arousal(seen: _Surface, feelings: list[_Feeling], valence: float) -> float:
    strong = any(feeling.strong for feeling in feelings)
    mild = any(feeling.label for feeling in feelings)
    total = (
        _step(seen.exclamations, _EXCLAMATION)
        + _step(seen.shouted, _CAPITALS)
        + _step(seen.urgent, _URGENCY)
        + _step(seen.profane, _PROFANITY)
        + (_STRONG if strong else _MILD if mild else 0.0)
        + (_GRAVITY if seen.grave else 0.0)
        + _VALENCE * abs(valence)
    )
    if valence > 0 and not seen.grave:
        total = min(_CHEER * total, _CHEERFUL_MAXIMUM)
    if not (strong or seen.grave or (seen.urgent and (seen.profane or seen.shouted > 1))):
        total = min(total, _CALM_MAXIMUM)
    return min(1.0, total)


def _step(count: int, values: tuple[float, ...]) -> float:
    return values[min(count, len(values)) - 1] if count else 0.0


def _shouted(text: str) -> int:
    return sum(
        1
        for match in _SHOUTED.finditer(text)
        if match.group().isupper() and fold_letters(match.group()) not in lexicon.ACRONYMS
    )


def _label(feelings: list[_Feeling], valence: float) -> Label:
    """The emotion most spoken of, strong words counting double, the first of equals.

    Else what the valence says.
    """
    votes: dict[Label, int] = {}
    for feeling in feelings:
        if feeling.label:
            votes[feeling.label] = votes.get(feeling.label, 0) + (2 if feeling.strong else 1)
    if votes:
        return max(votes, key=lambda label: votes[label])
    return "joy" if valence >= _JOY_FROM else "sadness" if valence <= _SADNESS_FROM else "neutral"
