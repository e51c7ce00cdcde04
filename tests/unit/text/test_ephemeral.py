"""Which statements matter for hours only; if unsure, they last."""

from cogmem_core.text.observe.ephemeral import is_ephemeral
from helpers.tables import each_row_of


@each_row_of("ephemeral/a_present_state_with_a_word_for_now_passes", "en tr")
def test_a_present_state_with_a_word_for_now_passes(text: str) -> None:
    """Unified-update: "active short-term" facts, TTL-tagged: where somebody is, a mood, an errand."""
    assert is_ephemeral(text)


@each_row_of("ephemeral/everything_else_lasts", "en tr")
def test_everything_else_lasts(text: str) -> None:
    """In doubt a fact is kept: a short-term fact that should have stayed would be lost."""
    assert not is_ephemeral(text)
