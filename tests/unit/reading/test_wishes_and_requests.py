"""Wishes to forget, orders that tell something, and games, as the reader sees them."""

from cogmem_core.reading import of
from cogmem_core.reading.model import KEPT
from helpers.tables import each_row, each_row_of


@each_row_of("reading/a_wish_to_forget_names_a_thing", "en de tr fr es")
def test_a_wish_to_forget_names_a_thing(text: str, target: str) -> None:
    """However it is asked: by an order, a polite question, a wish, or what need not be kept."""
    assert [wish.target for wish in of(text).of_kind("wish_to_forget")] == [target]


@each_row_of("reading/a_statement_is_no_wish_to_forget", "en de tr fr es")
def test_a_statement_is_no_wish_to_forget(text: str) -> None:
    """What somebody forgot or erased, what others ask for, and what is not to be forgotten."""
    reading = of(text)
    assert not reading.of_kind("wish_to_forget")
    assert reading.of_kind(*KEPT)


@each_row_of("reading/what_is_told_beside_a_request_is_kept", "en de tr fr es")
def test_what_is_told_beside_a_request_is_kept(text: str, told: list[str]) -> None:
    """Also what only begins or ends as a request does; and of one that tells nothing, nothing is."""
    reading = of(text)
    kept = [reading.words(clause) for clause in reading.of_kind(*KEPT)]
    assert len(kept) == len(told)
    assert all(words in part for words, part in zip(told, kept, strict=True))


@each_row_of("reading/imagine_opens_a_game_or_tells_news", "en de tr fr es")
def test_imagine_opens_a_game_or_tells_news(text: str, game: bool) -> None:
    """News are the speaker's; in a game nothing is meant."""
    reading = of(text)
    assert reading.tells_a_story is game
    assert reading.meant is not game


@each_row("text", ["I can't eat nuts.", "I cannot eat nuts.", "Je ne peux pas manger de noix."])
def test_a_denied_ability_is_denied(text: str) -> None:
    """Also where the denial is written together with its verb."""
    assert of(text).clauses[0].negative


@each_row("text", ["Please keep your answers short.", "Bitte antworte immer auf Deutsch."])
def test_an_instruction_may_be_polite(text: str) -> None:
    """A word of manners before it makes it no statement."""
    assert [clause.kind for clause in of(text).clauses] == ["instruction"]
