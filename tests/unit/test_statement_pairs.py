"""How often the rules say that a new statement makes an old one untrue, on 3,000 pairs written by four authors.

Both error rates are held: what is wrongly contradicted, and how many of the changes are found.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cogmem_core.text.compare import contradicts, entailment

DATA = Path(__file__).resolve().parents[1] / "data" / "statement_pairs"
NO_LONGER_TRUE = ("change", "correction", "end")


def contradicted(pair: dict[str, str]) -> bool:
    """Whether the gate would supersede the old statement, as near as two statements are that it compares."""
    if entailment(pair["new"], pair["old"]) != "different":
        return False
    return contradicts(pair["new"], pair["old"], same_speaker=True, similarity=0.7) is not None


@pytest.mark.parametrize(
    ("author", "wrong", "found"),
    [
        ("everyday", 0, 2),
        ("unusual_slots", 0, 1),
        ("hard", 1, 0),
        ("close_wording", 0, 28),
    ],
)
def test_both_error_rates_of_contradiction(author: str, wrong: int, found: int) -> None:
    """At most `wrong` old statements are contradicted although they hold, and at least `found` that do not hold."""
    lines = (DATA / f"{author}.jsonl").read_text(encoding="utf-8").splitlines()
    hits = [pair["label"] for pair in map(json.loads, lines) if contradicted(pair)]

    untrue = sum(label in NO_LONGER_TRUE for label in hits)
    assert len(hits) - untrue <= wrong
    assert untrue >= found
