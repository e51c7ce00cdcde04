"""A pattern is searched only in a text that holds what every match of it holds: nothing is lost."""

import json
import re
from pathlib import Path

from cogmem_core.languages.needed import DIGIT, QuickPattern, QuickPatterns, needed_by
from cogmem_core.text.folding import fold_letters
from cogmem_core.text.time.rules import RULES
from helpers.tables import each_row

_CASES = Path(__file__).parents[2] / "data" / "time_cases.jsonl"


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
    quick = QuickPatterns(rule.quick for rule in RULES())
    found = 0
    for line in _CASES.read_text(encoding="utf-8").splitlines():
        folded = fold_letters(json.loads(line)["text"])
        likely = [RULES()[place] for place in quick.places(folded)]
        for rule in RULES():
            if rule.quick.pattern.search(folded):
                found += 1
                assert rule in likely, (rule.quick.pattern.pattern, folded)
    assert found > 100


def test_one_look_tells_which_of_many_patterns_may_match() -> None:
    """Of two pieces that begin alike both are seen, and so are pieces that overlap."""
    patterns = ["how", "how long|since", "long ago", ".", r"\d", "h", r"\."]
    quick = QuickPatterns(map(QuickPattern, patterns))

    assert quick.places("how long ago") == [0, 1, 2, 3, 5]
    assert quick.places("since 5") == [1, 3, 4]
    assert quick.places("no, not at all.") == [3, 6]
    assert quick.places("") == [3]
