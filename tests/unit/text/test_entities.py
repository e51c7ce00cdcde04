"""Entities: gazetteer, names, dates, numbers, titles, in English and Turkish."""

from __future__ import annotations

from cogmem_core.text.observe.entities import Entity, entities
from helpers.tables import each_row


def uris(text: str) -> list[str]:
    return [entity.uri.removeprefix("entity://") for entity in entities(text)]


@each_row(
    ("text", "found"),
    [
        ("we use docker and k8s", ["tech/docker", "tech/kubernetes"]),
        ("PostgreSQL, postgres and psql are one", ["tech/postgresql"]),
        ("Node.js, C++, C# and .NET.", ["tech/nodejs", "tech/cpp", "tech/csharp", "tech/dotnet"]),
        ("a docker-based setup on Google Cloud", ["tech/docker", "tech/gcp"]),
        ("Docker'ı Google'da öğrendim", ["tech/docker", "org/google"]),
        ("Anthropic's model and OpenAI's", ["org/anthropic", "org/openai"]),
        ("dockerized and googled", []),
    ],
)
def test_known_names_are_found_as_whole_words(text: str, found: list[str]) -> None:
    """Spellings share a slug; possessives and Turkish case endings fall away."""
    assert uris(text) == found


@each_row(
    ("text", "found"),
    [
        ("let's go and be swift, an apple a day", []),
        ("Let's Go!", []),
        ("We rewrote the backend in Go and Swift", ["tech/golang", "tech/swift"]),
        ("We heard Taylor Swift live in an app", ["person/taylor-swift"]),
        ("Apple released a new phone", ["org/apple"]),
        ("Apple pie is what we had", []),
        ("the amazon forest and its stripes", []),
        ("He works for Amazon", ["org/amazon"]),
        ("Meta hired her as an engineer", ["org/meta"]),
        ("a meta target with a gap", []),
        ("The pandas at the zoo", []),
        ("We load the csv with pandas in Python", ["tech/pandas", "tech/python"]),
        ("Bana su getir ve eve git", []),
        ("zoom in on the target", []),
    ],
)
def test_ambiguous_names_need_a_capital_or_company(text: str, found: list[str]) -> None:
    """`go`, `swift`, `apple`, and Turkish `git` (go!) and `getir` (bring!) are words first."""
    assert uris(text) == found


@each_row(
    ("text", "found"),
    [
        ("yesterday Zelda met Kiran Desai", ["person/zelda", "person/kiran-desai"]),
        ("Yesterday was fine", []),
        ("Dr. Brenner called", ["person/brenner"]),
        ("Kiran Desai called", ["person/kiran-desai"]),
        ("Zelda called. I like Zelda", ["person/zelda"]),
        ("Zelda called", []),
        ("Emma called", ["person/emma"]),
        ("Ayşe'nin evi çok güzel", ["person/ayşe"]),
        ("Pelinsu'ya kitap verdim", ["person/pelinsu"]),
        ("Emma’s dog", ["person/emma"]),
        ("It's fine. Life's good. Let's see", []),
        ("I met Emma, I'm sure", ["person/emma"]),
        ("On Monday in May I speak Turkish", []),
        ("WE ARE ALL SHOUTING HERE", []),
        ("How To Make Really Great Coffee Today", []),
        ("we saw the API and the NGO", []),
    ],
)
def test_people_are_known_by_their_capitals(text: str, found: list[str]) -> None:
    """At the start of a sentence a capital proves nothing by itself."""
    assert uris(text) == found


@each_row(
    ("text", "found"),
    [
        ("I moved to Lisbon", ["place/lisbon"]),
        ("we live in Ravenna", ["place/ravenna"]),
        ("İSTANBUL'da, İstanbul'a, istanbul", ["place/istanbul"]),
        ("Zonguldak'ta çalışıyor", ["place/zonguldak"]),
        ("Zonguldak'a taşındık", ["place/zonguldak"]),
        ("we walked in Central Park", ["place/central-park"]),
        ("a letter from New York", ["place/new-york"]),
        ("a turkey from china", []),
        ("she studies at Ravenna University", ["org/ravenna-university"]),
        ("she works at Zyntex", ["org/zyntex"]),
        ("we saw Paris Hilton", ["person/paris-hilton"]),
    ],
)
def test_places_and_organisations_show_in_their_surroundings(text: str, found: list[str]) -> None:
    """A known city, a preposition, a Turkish locative, or a word such as `Park` or `University`."""
    assert uris(text) == found


@each_row(
    ("text", "found"),
    [
        ("on 2023-05-08", ["date/2023-05-08"]),
        ("on 08.05.2023", ["date/2023-05-08"]),
        ("on 8 May 2023", ["date/2023-05-08"]),
        ("on May 8th, 2023", ["date/2023-05-08"]),
        ("8 Mayıs 2023'te", ["date/2023-05-08"]),
        ("in May 2023", ["date/2023-05"]),
        ("on 8 May", ["date/05-08"]),
        ("since 2019", ["date/2019"]),
        ("2019'da", ["date/2019"]),
        ("on 5/8/2023", ["date/5-8-2023"]),
        ("on 2023-13-08", []),
        ("2019 people march 5 km", ["number/2019-people", "number/5-km"]),
        ("see you tomorrow", []),
    ],
)
def test_dates_are_iso_as_far_as_they_are_known(text: str, found: list[str]) -> None:
    """A date with slashes stays as it is: nobody can tell its day from its month."""
    assert [uri for uri in uris(text) if not uri.startswith("person")] == found


@each_row(
    ("text", "found"),
    [
        ("2.5 mg", ["number/2.5-mg"]),
        ("2.5mg", ["number/2.5-mg"]),
        ("fever of 39.5", ["number/39.5"]),
        ("39,5 derece", ["number/39.5-degrees"]),
        ("$1,200", ["number/1200-usd"]),
        ("1.250.000 TL", ["number/1250000-try"]),
        ("1.000,50 TL", ["number/1000.50-try"]),
        ("$1,000.50", ["number/1000.50-usd"]),
        ("50 %, %50", ["number/50-%"]),
        ("3 days ago", []),
        ("at 10:30, 192.168.1.1, room 12", []),
    ],
)
def test_numbers_need_a_unit_or_a_fraction(text: str, found: list[str]) -> None:
    """Clock times, addresses and bare counts are none."""
    assert uris(text) == found


@each_row(
    ("text", "found"),
    [
        ('I read "The Left Hand of Darkness"', ["title/the-left-hand-of-darkness"]),
        ("we watched “Dune” again", ["title/dune"]),
        ("«Kürk Mantolu Madonna» kitabı", ["title/kürk-mantolu-madonna"]),
        ('he said "Hello" and left', []),
        ('he said "please come in"', []),
    ],
)
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
