"""What stands and what happened once (Tulving 1972): the one is spared by forgetting, the other fades."""

from cogmem_core.reading.lasting import is_lasting
from helpers.tables import each_row, rows_of

STANDING = rows_of("lasting/standing", "en tr")
PASSING = rows_of("lasting/passing")


@each_row("text", STANDING)
def test_how_things_stand(text: str) -> None:
    """True until something else is said."""
    assert is_lasting(text) is True


@each_row("text", PASSING)
def test_what_happened_once(text: str) -> None:
    """Over when it is said; in doubt, nothing stands."""
    assert is_lasting(text) is False
