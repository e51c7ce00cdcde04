"""Emotion: valence, arousal, intensity and Ekman's label, in English and Turkish."""

import subprocess
import sys

import pytest

from cogmem_core.text.observe.emotion import NEUTRAL, emotion
from helpers.tables import each_row, each_row_of

FLASHBULB = 0.8


@each_row_of("emotion/the_label_is_one_of_ekmans", "en tr")
def test_the_label_is_one_of_ekmans(text: str, label: str) -> None:
    """Six emotions in two languages, and none."""
    assert emotion(text).label == label


@each_row_of("emotion/valence_has_the_right_sign", "en tr")
def test_valence_has_the_right_sign(text: str, sign: int) -> None:
    """A denial turns it, in English before the word and in Turkish behind it."""
    assert (emotion(text).valence > 0) - (emotion(text).valence < 0) == sign


@each_row("text", ["I am not happy", "Mutlu değilim", "I'm never angry", "Kızgın değilim"])
def test_a_denied_emotion_is_not_the_label(text: str) -> None:
    """`not happy` is no joy, `never angry` no anger."""
    assert emotion(text).label not in ("joy", "anger")


def test_never_so_is_no_denial() -> None:
    """Nobody is as happy as who has never been so happy."""
    assert emotion("I have never been so happy").label == "joy"


@each_row_of("emotion/really_intense_messages_reach_the_flashbulb_threshold", "en tr")
def test_really_intense_messages_reach_the_flashbulb_threshold(text: str) -> None:
    """Grave events told with strong feeling, and shouted emergencies."""
    assert emotion(text).arousal >= FLASHBULB


@each_row_of("emotion/ordinary_chat_never_reaches_it", "en tr")
def test_ordinary_chat_never_reaches_it(text: str) -> None:
    """Good cheer, haste, profanity or a fear by itself is no flashbulb."""
    assert emotion(text).arousal < FLASHBULB


@each_row_of("emotion/signs_capitals_urgency_profanity_and_strong_words_arouse", "en tr")
def test_signs_capitals_urgency_profanity_and_strong_words_arouse(calm: str, aroused: str) -> None:
    """Each raises arousal over the same message without it."""
    assert emotion(aroused).arousal > emotion(calm).arousal


def test_acronyms_are_not_shouted() -> None:
    """JSON is spelt so."""
    assert emotion("the JSON and YAML files").arousal == 0.0


def test_intensity_needs_both_arousal_and_valence() -> None:
    """arousal x (1 + |valence|) / 2."""
    felt = emotion("I had a car accident today, I'm terrified!!!")
    assert felt.intensity == pytest.approx(felt.arousal * (1 + abs(felt.valence)) / 2, abs=1e-4)
    assert emotion("The door is brown").intensity == 0.0


@each_row(
    "text", ["good " * 999, "fuck!!! " * 600, "öldü " * 900, "😀" * 4_999, "\u0301!", "I" * 4_999]
)
def test_values_stay_in_their_ranges(text: str) -> None:
    """-1..1 and 0..1, whatever the text."""
    felt = emotion(text)
    assert -1 <= felt.valence <= 1
    assert 0 <= felt.arousal <= 1
    assert 0 <= felt.intensity <= 1


def test_no_words_no_emotion() -> None:
    """Digits and signs feel nothing."""
    assert emotion("42 + 1 = 43.") == NEUTRAL


def test_importing_reads_no_lexicon() -> None:
    """The lexicon is read when the first message is felt, not by `import`."""
    program = (
        "import sys, cogmem_core.text.observe.observer; sys.exit('vaderSentiment' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
