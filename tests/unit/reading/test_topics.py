"""Which topics a clause tells of: from its words, from whom it speaks of, from what stands beside them."""

from cogmem_core.reading import of
from cogmem_core.reading.topics import topics_of
from helpers.tables import each_row_of

PRIVATE = {"health", "religion", "money", "politics", "sex", "pregnancy", "conflicts", "family"}


def told(text: str) -> set[str]:
    """The topics of all clauses of a text."""
    reading = of(text)
    return set().union(*(topics_of(reading, clause) for clause in reading.clauses))


@each_row_of("topics/what_a_clause_tells_of")
def test_what_a_clause_tells_of(text: str, topic: str) -> None:
    """Each topic in five languages; health, religion and money in ten more."""
    assert topic in told(text)


@each_row_of("topics/what_only_sounds_like_it", "de en es fr tr")
def test_what_only_sounds_like_it(text: str) -> None:
    """A server, a sauce, an element, an election of a name: a word does not make a topic."""
    assert told(text) & PRIVATE == set()


def test_a_clause_tells_only_of_its_own() -> None:
    """What stands in another clause of the text does not count."""
    reading = of("I live in Lisbon, and I was diagnosed with diabetes.")
    assert [topics_of(reading, clause) & PRIVATE for clause in reading.clauses] == [
        set(),
        {"health"},
    ]
