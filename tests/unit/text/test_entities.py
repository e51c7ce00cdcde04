"""Entities: gazetteer, names, dates, numbers, titles, in English and Turkish."""

from cogmem_core.text.observe.entities import Entity, entities
from helpers.tables import each_row_of


def uris(text: str) -> list[str]:
    return [entity.uri.removeprefix("entity://") for entity in entities(text)]


@each_row_of("entities/known_names_are_found_as_whole_words", "en tr")
def test_known_names_are_found_as_whole_words(text: str, found: list[str]) -> None:
    """Spellings share a slug; possessives and Turkish case endings fall away."""
    assert uris(text) == found


@each_row_of("entities/ambiguous_names_need_a_capital_or_company", "en tr")
def test_ambiguous_names_need_a_capital_or_company(text: str, found: list[str]) -> None:
    """`go`, `swift`, `apple`, and Turkish `git` (go!) and `getir` (bring!) are words first."""
    assert uris(text) == found


@each_row_of("entities/people_are_known_by_their_capitals", "en tr")
def test_people_are_known_by_their_capitals(text: str, found: list[str]) -> None:
    """At the start of a sentence a capital proves nothing by itself."""
    assert uris(text) == found


@each_row_of("entities/places_and_organisations_show_in_their_surroundings", "en tr")
def test_places_and_organisations_show_in_their_surroundings(text: str, found: list[str]) -> None:
    """A known city, a preposition, a Turkish locative, or a word such as `Park` or `University`."""
    assert uris(text) == found


@each_row_of("entities/dates_are_iso_as_far_as_they_are_known", "en tr")
def test_dates_are_iso_as_far_as_they_are_known(text: str, found: list[str]) -> None:
    """A date with slashes stays as it is: nobody can tell its day from its month."""
    assert [uri for uri in uris(text) if not uri.startswith("person")] == found


@each_row_of("entities/numbers_need_a_unit_or_a_fraction")
def test_numbers_need_a_unit_or_a_fraction(text: str, found: list[str]) -> None:
    """Clock times, addresses and bare counts are none."""
    assert uris(text) == found


@each_row_of("entities/quoted_titles_are_entities", "en tr")
def test_quoted_titles_are_entities(text: str, found: list[str]) -> None:
    """Capitals throughout, or a word like `read` beside it; direct speech is none."""
    assert uris(text) == found


def test_at_most_eight_in_order_of_appearance() -> None:
    """V9: "Max 8 per observation"."""
    text = "redis kafka docker django react mysql nginx python terraform ansible in code"
    assert uris(text) == [
        "tech/redis",
        "tech/kafka",
        "tech/docker",
        "tech/django",
        "tech/mysql",
        "tech/nginx",
        "tech/python",
        "tech/terraform",
    ]


def test_an_entity_knows_its_place() -> None:
    """Without the ending after the apostrophe."""
    assert entities("dün Ayşe'ye sordum") == (Entity("person", "ayşe", 4, 8),)


def test_a_text_gives_the_same_entities_every_time() -> None:
    """Order and slugs depend on the text alone."""
    text = 'On 8 May 2023 Emma read "Dune" in Oslo with 2.5 mg at Google, using Docker'
    assert entities(text) == entities(text)
    assert uris(text) == [
        "date/2023-05-08",
        "person/emma",
        "title/dune",
        "place/oslo",
        "number/2.5-mg",
        "org/google",
        "tech/docker",
    ]


def test_only_the_first_5000_characters_are_read() -> None:
    """A bound in front of every pattern."""
    assert uris("x " * 2_500 + "docker") == []
