"""What a reader sees of a memory of which a part holds no more."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timezone

import pytest

from cogmem_core.edge.clauses import for_a_prompt, in_words
from cogmem_core.models import ClauseState, Memory
from cogmem_core.values.readings import Clause, ClauseStanding, Reading
from helpers.tables import each_row

NOW = datetime(2026, 5, 17, 12, tzinfo=timezone.utc)
MAY = datetime(2026, 5, 12, tzinfo=timezone.utc)
REX = "I live in Berlin with my dog Rex."
ACME = "I live in Berlin, and I work at Acme."
COOK = "I live in Berlin and work as a cook."
PLAN = "On Monday I fly to Bonn, and I'm vegan."


def clause(text: str, words: str, *, core: str = "", subject: str = "i") -> Clause:
    start = text.index(words)
    core_at = text.index(core or words)
    end = start + len(words)
    core_end = core_at + len(core or words)
    beside = ((core_end, end),) if core else ()
    return Clause(start, end, "statement", core=(core_at, core_end), beside=beside, subject=subject)


def memory(text: str, clauses: Sequence[Clause], *states: ClauseState) -> Memory:
    read = Reading("en", tuple(clauses))
    found = Memory("m", "ns", text, "", MAY, MAY, MAY, clause_states=states)
    return replace(found, reading=read)


def of_two(text: str, first: str, second: str, *states: ClauseState) -> Memory:
    return memory(text, (clause(text, first), clause(text, second)), *states)


def state(number: int, name: ClauseStanding, until: datetime | None = MAY) -> ClauseState:
    return ClauseState(number, name, NOW, until, "", "said otherwise")


LIVES = "I live in Berlin"
OF_REX = memory(REX, [clause(REX, REX[:-1], core=LIVES)], state(0, "ended"))
OF_ACME = of_two(ACME, LIVES, "I work at Acme", state(0, "ended"))
OF_COOK = of_two(COOK, LIVES, "work as a cook", state(0, "ended"))
OF_PLAN = of_two(PLAN, "On Monday I fly to Bonn", "I'm vegan", state(0, "expired"))


@each_row(
    "found, prompt, text",
    [
        (
            OF_REX,
            "[until 12 May: I live in Berlin] with my dog Rex.",
            "[until 12 May 2026: I live in Berlin] with my dog Rex.",
        ),
        (OF_ACME, "I work at Acme.", "[until 12 May 2026: I live in Berlin], and I work at Acme."),
        (
            OF_COOK,
            "[until 12 May: I live in Berlin] and work as a cook.",
            "[until 12 May 2026: I live in Berlin] and work as a cook.",
        ),
        (
            OF_PLAN,
            "I'm vegan.",
            "[planned until 12 May 2026: On Monday I fly to Bonn], and I'm vegan.",
        ),
        (
            of_two(COOK, LIVES, "work as a cook", state(0, "retracted", None)),
            "[never so: I live in Berlin] and work as a cook.",
            "[never so: I live in Berlin] and work as a cook.",
        ),
        (
            of_two(COOK, LIVES, "work as a cook", state(0, "ended", None)),
            "[no longer: I live in Berlin] and work as a cook.",
            "[no longer: I live in Berlin] and work as a cook.",
        ),
        (
            of_two(COOK, LIVES, "work as a cook", state(0, "forgotten", None)),
            "work as a cook.",
            "[forgotten] and work as a cook.",
        ),
        (of_two(ACME, LIVES, "I work at Acme", state(0, "doubted")), ACME, ACME),
        (of_two(ACME, LIVES, "I work at Acme"), ACME, ACME),
    ],
)
def test_what_is_shown(found: Memory, prompt: str, text: str) -> None:
    """To a model what holds, where that says enough by itself; to a person all of it, marked."""
    assert (for_a_prompt(found, 2026), found.text) == (prompt, text)


def test_deep_shows_what_is_over() -> None:
    """A plan whose day has passed is left out of a prompt, unless the question looks deep."""
    assert for_a_prompt(OF_PLAN, 2026, deep=True) == (
        "[planned until 12 May: On Monday I fly to Bonn], and I'm vegan."
    )


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (OF_ACME, '"I live in Berlin": until 12 May 2026 (said otherwise)'),
        (OF_PLAN, '"On Monday I fly to Bonn": planned until 12 May 2026 (said otherwise)'),
    ],
)
def test_how_a_clause_stands_is_said_in_words(found: Memory, sentence: str) -> None:
    """For `explain`, `cogm show` and whoever asks."""
    assert in_words(found) == (sentence,)
