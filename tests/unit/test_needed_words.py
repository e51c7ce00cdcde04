"""A pattern is searched only in a text that holds what every match of it holds: nothing is lost."""

from __future__ import annotations

import json
import re
from pathlib import Path

from cogmem_core.languages.needed import DIGIT, QuickPattern, needed_by
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.time.rules import RULES
from helpers.tables import each_row

_CASES = Path(__file__).parents[1] / "data" / "time_cases.jsonl"


@each_row(
    ("pattern", "needed"),
    [
        (r"\b(?:last|next) (?:week|month)\b", ["last", "next"]),
        (r"\b(?:week|month)s? ago\b", [" ago"]),
        (r"(?P<c>\d{1,2}|noon)\b", [DIGIT, "noon"]),
        (r"\d{4}-\d\d", [DIGIT]),
        (r"(?<!\bnot )sold(?: out)?", ["sold"]),
        (r"to(?=night)", ["night"]),
        (r"(?:very )*good", ["good"]),
        (r"(?:very )+", ["very "]),
        (r"(?:home|\w+)", []),
        (r"(?!gone)[a-z]+", []),
        (r"(?i:Home)", []),
    ],
)
def test_what_every_match_holds(pattern: str, needed: list[str]) -> None:
    assert sorted(needed_by(pattern)) == needed


def test_a_pattern_without_case_needs_nothing() -> None:
    quick = QuickPattern("home", re.IGNORECASE)
    assert quick.may_match("HOME")
    assert not QuickPattern("home").may_match("HOME")


def test_no_time_is_lost() -> None:
    """Each rule on each text of the recorded cases, with the test before it and without."""
    found = 0
    for line in _CASES.read_text(encoding="utf-8").splitlines():
        folded = fold_letters(json.loads(line)["text"])
        for rule in RULES():
            if rule.quick.pattern.search(folded):
                found += 1
                assert rule.quick.may_match(folded), (rule.quick.pattern.pattern, folded)
    assert found > 100
