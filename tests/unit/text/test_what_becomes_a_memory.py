"""V9: observer, classification, entity extraction, information density, emotion detection, pre-retrieval gate.

One test per sentence of the document, named after what it claims.
"""

from __future__ import annotations

import pytest

from cogmem_core.text.observe.emotion import emotion
from cogmem_core.text.observe.entities import entities
from cogmem_core.text.observe.observer import observe
from cogmem_core.text.observe.small_talk import is_trivial
from helpers.tables import each_case_of, each_row, each_row_of


def uris(text: str) -> list[str]:
    return [entity.uri for entity in entities(text)]


def test_bidirectional_message_analysis() -> None:
    """'captures valuable information from both user and assistant messages'."""
    said_by_user = observe("My name is Emma and I live in Oslo", "user")
    said_by_assistant = observe("We decided to deploy it with Docker on Friday", "assistant")
    assert (said_by_user.skipped, said_by_user.category) == (None, "fact")
    assert (said_by_assistant.skipped, said_by_assistant.category) == (None, "decision")


@each_row(("length", "skipped"), [(10, "length"), (11, None), (4_999, None), (5_000, "length")])
def test_length_gate(length: int, skipped: str | None) -> None:
    """'Length gate: 10 < length < 5000'."""
    assert observe("I like tea".ljust(length, "s")).skipped == skipped


@each_case_of("what_becomes_a_memory/system_content_detection")
def test_system_content_detection(text: str) -> None:
    """'System content detection (XML tags, heartbeat, system-reminder)'."""
    assert observe(text).skipped == "system_content"


@each_case_of("what_becomes_a_memory/prompt_injection_patterns", "en tr")
def test_prompt_injection_patterns(text: str) -> None:
    """'Prompt injection patterns ("ignore instructions", "system prompt")'."""
    assert observe(text).skipped == "prompt_injection"


def test_xml_block_structure_skip() -> None:
    """'XML-block structure skip'."""
    assert observe("<person><name>my name is Emma</name></person>").skipped == "xml_block"


@pytest.mark.parametrize("line", ["- I prefer tea\n", "**I prefer tea**\n"])
def test_markdown_heavy_skip(line: str) -> None:
    """'Markdown-heavy skip (5+ lines with bullets/bold)'."""
    assert observe(4 * line).skipped is None
    assert observe(5 * line).skipped == "markdown_heavy"


def test_code_heavy_skip() -> None:
    """'Code-heavy skip (>50% code blocks)'."""
    assert observe("I prefer this way of doing it: ```print(1)```").skipped is None
    assert observe("I prefer this: ```for i in range(10): print(i)```").skipped == "code_heavy"


def test_emoji_heavy_skip() -> None:
    """'Emoji-heavy skip (>3 emoji)'."""
    assert observe("I prefer tea 🍵🍵🍵").skipped is None
    assert observe("I prefer tea 🍵🍵🍵🍵").skipped == "emoji_heavy"


@each_row_of("what_becomes_a_memory/correction_pattern_scoring", "en tr")
def test_correction_pattern_scoring(text: str) -> None:
    """'Correction | "actually", "should be", "was wrong" | 0.4'."""
    assert (observe(text).category, observe(text).confidence) == ("correction", 0.4)


@each_row_of("what_becomes_a_memory/preference_pattern_scoring", "en tr")
def test_preference_pattern_scoring(text: str) -> None:
    """'Preference | "prefer", "like/hate", "favorite" | 0.3'."""
    assert (observe(text).category, observe(text).confidence) == ("preference", 0.3)


@each_row_of("what_becomes_a_memory/decision_pattern_scoring", "en tr")
def test_decision_pattern_scoring(text: str) -> None:
    """'Decision | "decided", "going with", "chose" | 0.35'."""
    assert (observe(text).category, observe(text).confidence) == ("decision", 0.35)


def test_entity_rich_pattern_scoring() -> None:
    """'Entity-rich | 2+ entities detected | 0.3'."""
    seen = observe("PostgreSQL beside Docker")
    assert (seen.category, seen.confidence) == ("entity", 0.3)
    assert observe("PostgreSQL beside it").category == "other"


@each_row("text", ["My name: Emma", "The version is new", "The api is slow", "Benim adım Emma"])
def test_fact_pattern_scoring(text: str) -> None:
    """'Fact | "my name", "version is", "api is" | 0.25'."""
    assert (observe(text).category, observe(text).confidence) == ("fact", 0.25)


def test_regex_ner_for_tech_and_org_entities() -> None:
    """'Regex NER for tech (React, Docker, PostgreSQL, etc.) and org (Google, Anthropic, etc.) entities.'."""
    assert uris("We use React, Docker and PostgreSQL like Google and Anthropic") == [
        "entity://tech/react",
        "entity://tech/docker",
        "entity://tech/postgresql",
        "entity://org/google",
        "entity://org/anthropic",
    ]


def test_entity_format() -> None:
    """'Format: entity://tech/{slug} or entity://org/{slug}.'."""
    assert uris("Docker Compose at Red Hat") == [
        "entity://tech/docker-compose",
        "entity://org/red-hat",
    ]


def test_density_rates_new_information_before_the_full_pipeline() -> None:
    """'Rates how much new information a message contains before committing to the full capture pipeline'."""
    poor, rich = (
        observe("The cat sat quietly"),
        observe("Emma moved to Oslo in 2021 and works at Google"),
    )
    assert poor.density < 2 <= rich.density


def test_density_formula() -> None:
    """'density = unique_entities + unique_facts + temporal_signals + correction_signals'."""
    assert observe("Docker over Docker").density == 1
    assert observe("The old door is in the garden").density == 1
    assert observe("Off again tomorrow").density == 1
    assert observe("Scratch that, friend").density == 1
    assert observe("Scratch that: tomorrow the door is in Docker").density == 4


def test_density_below_2_is_skipped_at_the_observer_level() -> None:
    """'Messages with density < 2 are skipped at the observer level.'."""
    assert observe("Off again tomorrow").skipped == "low_density"
    assert observe("Off again tomorrow with Emma").skipped is None


@pytest.mark.parametrize(
    "text", ["sounds good", "let me think about that", "Sounds good, let me think about that"]
)
def test_density_reduces_load_for_conversational_filler(text: str) -> None:
    """'This reduces write-path load for conversational filler ("sounds good", "let me think about that").'."""
    assert observe(text).skipped in ("low_density", "trivial_confirmation")


def test_detects_emotional_valence_and_arousal_in_messages() -> None:
    """'Detects emotional valence and arousal in messages'."""
    felt = observe("I had a car accident today, I'm terrified!!!").emotion
    assert felt.valence < -0.5
    assert felt.arousal >= 0.8


def test_pattern_based_detection_without_llm_across_en_and_tr() -> None:
    """'Pattern-based detection (no LLM cost) across EN and TR'."""
    assert emotion("I am very happy").label == emotion("Çok mutluyum").label == "joy"


@pytest.mark.parametrize(
    ("good", "bad"), [("This is great", "This is awful"), ("Bu harika", "Bu berbat")]
)
def test_valence_from_positive_and_negative_keyword_lists(good: str, bad: str) -> None:
    """'Valence | Positive/negative keyword lists (EN + TR)'."""
    assert emotion(good).valence > 0.3
    assert emotion(bad).valence < -0.3


@each_row("more", ["They left!!!", "THEY LEFT HERE", "They left, urgent", "They left, damn"])
def test_arousal_from_exclamation_marks_caps_urgency_words_profanity(more: str) -> None:
    """'Arousal | Exclamation marks, caps, urgency words, profanity'."""
    assert emotion(more).arousal > emotion("They left").arousal


@each_row_of("what_becomes_a_memory/category_is_one_of_ekmans_basic_emotions")
def test_category_is_one_of_ekmans_basic_emotions(text: str, label: str) -> None:
    """'Category | joy, anger, fear, sadness, surprise, disgust (Ekman basic)'."""
    assert emotion(text).label == label


def test_high_arousal_is_reachable_but_not_by_ordinary_chat() -> None:
    """'High-arousal events (arousal >= 0.8) create flashbulb memories'."""
    assert emotion("Our house is on fire, I'm panicking, HELP US NOW!!!").arousal >= 0.8
    assert emotion("What a lovely day, I'm so happy!").arousal < 0.5


@each_row("text", ["hi", "hello", "merhaba", "selam"])
def test_gate_skips_greetings(text: str) -> None:
    """'Greetings ("hi", "hello", "merhaba", "selam")'."""
    assert is_trivial(text) == "greeting"


@each_row("text", ["ok", "sure", "tamam", "evet"])
def test_gate_skips_confirmations(text: str) -> None:
    """'Confirmations ("ok", "sure", "tamam", "evet")'."""
    assert is_trivial(text) == "confirmation"


@pytest.mark.parametrize("text", ["/help", "/status", "/dream"])
def test_gate_skips_slash_commands(text: str) -> None:
    """'Slash commands ("/help", "/status", "/dream")'."""
    assert is_trivial(text) == "command"


@each_row("text", ["thanks", "cool", "wow", "teşekkürler", "eyvallah"])
def test_gate_skips_single_word_acknowledgements(text: str) -> None:
    """'Single-word acknowledgements'."""
    assert is_trivial(text) == "acknowledgement"


def test_gate_lets_real_questions_through() -> None:
    """'short-circuits the full retrieval pipeline for trivial messages'."""
    assert is_trivial("What is my dog called?") is None
