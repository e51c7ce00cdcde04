"""What signals are worth: fitted, per form of a bank, unless a setting says it."""

import pytest

from cogmem_core.config import Route, SignalWeights
from cogmem_core.retrieval.ranker import FORMS, fitted, fitted_weights, forms_of
from cogmem_core.retrieval.score import score, weights_for
from unit.helpers.ranking_pools import pool, row

MINILM = "minilm-1110a243-384"
ASSISTANT = {"data_source": "assistant_message"}


def test_what_is_fitted_is_what_no_setting_says() -> None:
    """The table and the settings name the same signals."""
    unset = {name for name in SignalWeights.__slots__ if getattr(SignalWeights(), name) is None}
    assert unset == set(fitted()["every"])
    assert list(fitted()) == list(FORMS)


@pytest.mark.parametrize(
    ("said", "speaker", "query", "fingerprint", "forms"),
    [
        (1, None, "Where do I live?", MINILM, ("every", "assisted")),
        (0, None, "Where do I live?", MINILM, ("every",)),
        (1, "Ana", "Where do I live?", MINILM, ("every",)),
        (0, None, "Wo wohne ich eigentlich gerade?", MINILM, ("every", "other_language")),
        (0, None, "Wo wohne ich eigentlich gerade?", "other-8", ("every",)),
    ],
    ids=["assistant", "nobody else", "a friend", "German", "German of any embedder"],
)
def test_forms_follow_the_voices_and_the_language(
    said: int, speaker: str | None, query: str, fingerprint: str, forms: tuple[str, ...]
) -> None:
    """A voice with a name of its own is no assistant; only MiniLM is weak in other languages."""
    rows = [row("a"), *(row(f"b{n}", speaker=speaker, **ASSISTANT) for n in range(said))]
    assert forms_of(pool(*rows), query, fingerprint) == forms


def test_a_form_adds_to_the_weights_of_every_bank() -> None:
    """Long answers count less where an assistant speaks."""
    table = fitted()
    both = fitted_weights(("every", "assisted"))
    assert both["brief"] == pytest.approx(table["every"]["brief"] + table["assisted"]["brief"])
    assert both["brief"] > fitted_weights(("every",))["brief"]
    assert min(both.values()) >= 0.0


def test_a_setting_stands_above_what_was_fitted() -> None:
    """Also 0, which switches a signal off."""
    found = weights_for(Route(), SignalWeights(similarity=0.25, coverage=0.0))
    assert (found["similarity"], found["coverage"]) == (0.25, 0.0)
    assert found["length"] == fitted()["every"]["length"]


def test_what_the_person_said_stands_before_a_long_answer_with_the_same_words() -> None:
    """In a chat with an assistant, and the explanation tells why."""
    rows = (row("a", content="x" * 3_000, **ASSISTANT), row("b", content="x" * 120))
    found = pool(*rows, lexical=(4.0, 4.0), coverage=[0.5, 0.5])
    scored = score(found, weights_for(Route(), SignalWeights(), forms=("every", "assisted")))
    first, second = scored.candidate_scores([1, 0])
    assert first.score > second.score
    assert first.contributions["own"] > second.contributions["own"] == 0.0
    assert first.contributions["brief"] > second.contributions["brief"]
