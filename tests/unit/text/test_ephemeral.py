"""Which statements matter for hours only; if unsure, they last."""

from __future__ import annotations

from cogmem_core.text.observe.ephemeral import is_ephemeral
from helpers.tables import each_row


@each_row(
    "text",
    [
        "I'm at the airport right now",
        "I am stuck in traffic at the moment",
        "I'm so tired today",
        "We're waiting for the bus right now",
        "User is at the airport right now",
        "I have a headache today",
        "I\u2019m cooking tonight",
        "Şu an toplantıdayım",
        "Bugün çok yorgunum",
        "Şimdi evdeyim",
        "Bu sabah başım ağrıyor",
    ],
)
def test_a_present_state_with_a_word_for_now_passes(text: str) -> None:
    """Unified-update: "active short-term" facts, TTL-tagged: where somebody is, a mood, an errand."""
    assert is_ephemeral(text)


@each_row(
    "text",
    [
        "I live in Lisbon",
        "I'm at university",  # no word for now
        "Today I got engaged",  # no state
        "I'm engaged as of today",
        "I'm on a diet now, as every spring today",
        "I am sick today, as always",
        "My sister is at the airport right now",  # not the speaker
        "She is hungry right now",
        "I was tired this morning",
        "I am currently allergic to peanuts",
        "I'm pregnant right now",
        "Bugün evlendim",
        "Yıllardır beri yoldayım bugün",
        "İstanbul'da yaşıyorum",
        "",
    ],
)
def test_everything_else_lasts(text: str) -> None:
    """In doubt a fact is kept: a short-term fact that should have stayed would be lost."""
    assert not is_ephemeral(text)
