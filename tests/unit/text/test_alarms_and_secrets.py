"""Calls for help, and secrets behind labels: kinds of sentences with their siblings, in English and Turkish."""

from cogmem_core import MemoryBank
from cogmem_core.text.observe.emotion import emotion
from cogmem_core.text.safety.secrets import redact
from helpers.tables import each_row, rows_of

EMERGENCIES = rows_of("alarms_and_secrets/emergencies", "en tr")
CALM = rows_of("alarms_and_secrets/calm", "en tr")
SECRETS = rows_of("alarms_and_secrets/secrets", "de en es fr tr")
HARMLESS = rows_of("alarms_and_secrets/harmless", "de en es fr tr")

ENGINE = {"embedder": "hashing"}


@each_row("text", EMERGENCIES)
def test_an_emergency_is_bad_and_loud(text: str) -> None:
    """A call for help beside a danger to life: VADER alone takes "help" for something good."""
    felt = emotion(text)

    assert (felt.valence <= -0.6, felt.arousal, felt.label) == (True, 0.9, "fear")


@each_row("text", CALM)
def test_what_only_holds_the_words_stays_calm(text: str) -> None:
    """Neither a call for help alone nor a danger alone is an emergency."""
    assert emotion(text).arousal < 0.8


def test_emergencies_become_flashbulbs(bank: MemoryBank) -> None:
    """They are pinned, and no question beside them keeps them out."""
    bank.remember([EMERGENCIES[0], EMERGENCIES[9], EMERGENCIES[20]])

    assert [(memory.flashbulb, memory.pinned) for memory in bank.list()] == [(True, True)] * 3


@each_row("text, clean", SECRETS)
def test_secrets_behind_labels_are_taken_out(text: str, clean: str) -> None:
    """Whatever stands between the label and the secret."""
    assert redact(text) == clean


@each_row("text", HARMLESS)
def test_labels_without_a_secret_are_left_alone(text: str) -> None:
    """Sentences about passwords, codes and keys."""
    assert redact(text) == text
