"""What a question wants of what is relevant, and which of its words are searched for."""

from datetime import datetime, timezone

from cogmem_core.text.query.aim import calls_itself_first, read_aim, searched, with_verb_forms
from cogmem_core.text.time.find import find_times
from helpers.tables import each_row_of

NOW = datetime(2026, 11, 20, 12, tzinfo=timezone.utc)


@each_row_of("aim/the_order_that_is_asked_for", "en tr")
def test_the_order_that_is_asked_for(question: str, order: str) -> None:
    """The newest or the oldest first; a period, a name or a title is no order."""
    assert read_aim(question, find_times(question, NOW)).order == order


@each_row_of("aim/a_list_is_asked_for", "en tr")
def test_a_list_is_asked_for(question: str, lists: bool) -> None:
    """All there is of a kind; an amount, or one thing of several, is no list."""
    assert read_aim(question, find_times(question, NOW)).lists is lists


@each_row_of("aim/all_that_matters_is_asked_for", "de en es fr tr")
def test_all_that_matters_is_asked_for(question: str, overview: bool) -> None:
    assert read_aim(question, ()).overview is overview


@each_row_of("aim/what_held_before_is_asked_for", "en tr")
def test_what_held_before_is_asked_for(question: str, formerly: bool) -> None:
    """What no longer holds; a time of day or so many days ago is something else."""
    assert read_aim(question, find_times(question, NOW)).formerly is formerly


@each_row_of("aim/what_has_happened_is_asked_for", "en tr")
def test_what_has_happened_is_asked_for(question: str, happened: bool) -> None:
    """A plan for Friday is not the last visit; it may be the latest plan."""
    assert read_aim(question, find_times(question, NOW)).happened is happened


@each_row_of("aim/what_is_searched_for", "en tr")
def test_what_is_searched_for(question: str, text: str) -> None:
    """Resolved times, orders and the form of the answer stand in no memory; figures become ISO dates."""
    assert searched(question, find_times(question, NOW)) == text


def test_a_memory_may_call_itself_the_first() -> None:
    """ "My first job was at Nokia" is the oldest, whenever it was said."""
    assert calls_itself_first("My first job was at Nokia.")
    assert not calls_itself_first("I work at Bosch.")


def test_irregular_forms_are_searched_for_too() -> None:
    """A log says "ran" where the question says "run"."""
    assert with_verb_forms(["run", "park"]) == ["run", "park", "ran"]
