"""A clause that no longer holds is withdrawn; the rest of a memory holds."""

from datetime import datetime, timezone

from hypothesis import given, settings
from hypothesis import strategies as st

from cogmem_core.edge.clauses import holding, with_states
from cogmem_core.encoding.withdrawals import denied_clauses
from cogmem_core.models import ClauseState, Memory
from helpers.servers import examples
from helpers.tables import each_row_of

NOW = datetime(2026, 5, 17, 12, tzinfo=timezone.utc)


def memory(text: str) -> Memory:
    return Memory("m", "ns", text, "", NOW, NOW, NOW)


def what_holds(text: str, newer: str) -> str:
    """What a memory still says beside a newer text; empty if it goes as a whole."""
    old = memory(text)
    denied = denied_clauses(old, newer, same_speaker=True)
    ended = [ClauseState(number, "ended", NOW, NOW) for number in denied]
    return holding(with_states(old, ended)).content if denied else ""


@each_row_of("partial_supersede/what_is_left_of_a_memory")
def test_what_is_left_of_a_memory(text: str, newer: str, rest: str) -> None:
    """Principle 1: never lose; only what is contradicted goes."""
    assert what_holds(text, newer) == rest


@settings(max_examples=examples(15))
@given(st.text(max_size=200), st.text(max_size=80))
def test_any_text_is_taken(text: str, newer: str) -> None:
    """What is left holds no word that was not there."""
    rest = what_holds(text, newer)
    assert set(rest.replace(".", " ").split()) <= set(text.replace(".", " ").split())
