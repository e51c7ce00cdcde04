"""A part that no longer holds is taken out; the rest of a memory stays."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cogmem_core.encoding.formation import text_without
from helpers.tables import each_row_of


@each_row_of("partial_supersede/what_is_left_of_a_memory")
def test_what_is_left_of_a_memory(text: str, newer: str, rest: str) -> None:
    """Principle 1: never lose; only what is contradicted goes."""
    assert text_without(text, newer, same_speaker=True) == rest


@given(st.text(max_size=200), st.text(max_size=80))
def test_any_text_is_taken(text: str, newer: str) -> None:
    """What is left holds no word that was not there."""
    rest = text_without(text, newer, same_speaker=True)
    assert set(rest.replace(".", " ").split()) <= set(text.replace(".", " ").split())
