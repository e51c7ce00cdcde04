"""A reading is the same after it was stored."""

import json

from cogmem_core.reading import of
from cogmem_core.values.readings import from_json, to_json
from helpers.tables import each_case_of


@each_case_of("reading/a_reading_comes_back_as_it_was")
def test_a_reading_comes_back_as_it_was(text: str) -> None:
    """Also where a clause has no claim."""
    reading = of(text)
    assert from_json(json.loads(json.dumps(to_json(reading))), text) == reading
