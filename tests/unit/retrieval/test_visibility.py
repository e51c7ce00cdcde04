"""Which memories a question may see: state by mode by validity."""

from datetime import datetime, timedelta, timezone
from typing import Any

from cogmem_core.config import RetrievalConfig
from cogmem_core.retrieval.plan import Request, make_plan
from cogmem_core.retrieval.understand import understand
from cogmem_core.retrieval.visibility import PastState, Visibility, visibility_of
from helpers.tables import each_row
from unit.helpers.ranking_pools import row

NOON = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
MICROSECONDS = 1_780_315_200_000_000
"""NOON since 1970."""

# Times are small numbers: the present is 100.
ROWS: dict[str, dict[str, Any]] = {
    "holds": {},
    "holds since 50": {"valid_from": 50},
    "holds until 101": {"valid_until": 101},
    "ended now": {"valid_until": 100},
    "ended at 60": {"valid_until": 60},
    "added until 60": {"valid_until": 60, "turn": "a"},
    "said at 51": {"recorded_at": 51},
    "replaced at 60": {"state": "superseded", "valid_until": 60, "superseded_by": "b"},
    "merged": {"state": "superseded"},
    "dormant": {"state": "dormant"},
    "dormant, ended at 60": {"state": "dormant", "valid_until": 60},
    "quarantined": {"state": "quarantined"},
    "forgotten": {"state": "forgotten"},
}
NEVER = dict.fromkeys(("quarantined", "forgotten"), "")
TRUE = dict.fromkeys(("holds", "holds since 50", "holds until 101", "said at 51"), "shown")
OVER = ("ended now", "ended at 60")
ENDED = (*OVER, "added until 60", "replaced at 60", "merged")
ASLEEP = ("dormant", "dormant, ended at 60")
SIGHTS: dict[str, tuple[Visibility, dict[str, str]]] = {
    "present": (
        Visibility(100),
        {
            **TRUE,
            **dict.fromkeys(ENDED, ""),
            **dict.fromkeys(OVER, "away"),
            **dict.fromkeys(ASLEEP, ""),
        },
    ),
    "past": (
        Visibility(100, about_past=True),
        {
            **TRUE,
            **dict.fromkeys(ENDED, ""),
            **dict.fromkeys(OVER, "shown"),
            **dict.fromkeys(ASLEEP, ""),
        },
    ),
    "timeline": (
        Visibility(100, timeline=True),
        {**TRUE, **dict.fromkeys(ENDED, "shown"), **dict.fromkeys(ASLEEP, "")},
    ),
    "history": (
        Visibility(100, history=True),
        {
            **TRUE,
            **dict.fromkeys(ENDED, "cold"),
            **dict.fromkeys(OVER, "shown"),
            **dict.fromkeys(ASLEEP, ""),
        },
    ),
    "deep": (
        Visibility(100, deep=True),
        {**TRUE, **dict.fromkeys((*ENDED, *ASLEEP), "cold"), **dict.fromkeys(OVER, "away")},
    ),
    "timeline and deep": (
        Visibility(100, timeline=True, deep=True),
        {**TRUE, **dict.fromkeys(ENDED, "shown"), **dict.fromkeys(ASLEEP, "cold")},
    ),
    "as of 49": (
        Visibility(100, as_of=49),
        {
            **TRUE,
            "holds since 50": "",
            "ended now": "shown",
            "ended at 60": "shown",
            "added until 60": "shown",
            "replaced at 60": "shown",
            "merged": "",
            **dict.fromkeys(ASLEEP, ""),
        },
    ),
    "as of 50": (
        Visibility(100, as_of=50),
        {
            **TRUE,
            "ended now": "shown",
            "ended at 60": "shown",
            "added until 60": "shown",
            "replaced at 60": "shown",
            "merged": "",
            **dict.fromkeys(ASLEEP, ""),
        },
    ),
    "as of 60": (
        Visibility(100, as_of=60),
        {
            **TRUE,
            "ended now": "shown",
            "ended at 60": "",
            "added until 60": "",
            "replaced at 60": "",
            "merged": "",
            **dict.fromkeys(ASLEEP, ""),
        },
    ),
    "as of 60, deep": (
        Visibility(100, as_of=60, deep=True),
        {
            **TRUE,
            "ended now": "shown",
            "ended at 60": "",
            "added until 60": "",
            "replaced at 60": "",
            "merged": "",
            "dormant": "cold",
            "dormant, ended at 60": "",
        },
    ),
    "known at 50": (
        Visibility(50, known_at=50),
        {
            **TRUE,
            "said at 51": "",
            "ended now": "shown",
            "ended at 60": "shown",
            "added until 60": "shown",
            "replaced at 60": "",
            "merged": "",
            **dict.fromkeys(ASLEEP, ""),
        },
    ),
}


@each_row("mode", SIGHTS)
def test_what_a_question_sees(mode: str) -> None:
    """State by mode by validity, the whole table; an end is exclusive, a beginning is not."""
    horizon, expected = SIGHTS[mode]
    seen = {
        name: horizon.view_of(row("a", **{"recorded_at": 0, **changes}))
        for name, changes in ROWS.items()
    }
    assert seen == {**expected, **NEVER}


@each_row("mode", SIGHTS)
def test_nobody_sees_what_was_forgotten(mode: str) -> None:
    """Nor what is in quarantine, whatever it was before or is said to have been true."""
    horizon, _ = SIGHTS[mode]
    for state in ("forgotten", "quarantined"):
        assert horizon.view_of(row("a", recorded_at=0), PastState(state, None)) == ""


@each_row(
    ("past", "expected"),
    [
        (None, ""),
        (PastState("active", None), "shown"),
        (PastState("active", 40), "away"),
        (PastState("dormant", None), ""),
        (PastState("superseded", 40), ""),
    ],
)
def test_what_it_was_then_decides(past: PastState | None, expected: str) -> None:
    """A memory that was replaced at 60 was what held at 50, unless the ledger says otherwise."""
    gone = row("a", recorded_at=0, state="superseded", valid_until=60)
    assert Visibility(50, known_at=50).view_of(gone, past) == expected


@each_row(
    ("horizon", "looks_back", "needs_cold"),
    [
        (Visibility(100), False, False),
        (Visibility(100, as_of=50), True, True),
        (Visibility(50, known_at=50), True, True),
        (Visibility(100, timeline=True), False, True),
        (Visibility(100, history=True), False, True),
        (Visibility(100, deep=True), False, True),
    ],
)
def test_cold_memories_are_loaded_only_if_they_may_be_seen(
    horizon: Visibility, looks_back: bool, needs_cold: bool
) -> None:
    """The present needs nothing but active memories."""
    assert (horizon.looks_back, horizon.needs_cold) == (looks_back, needs_cold)


@each_row(
    ("intent", "asked", "expected"),
    [
        ("factual", {}, Visibility(MICROSECONDS)),
        ("temporal", {}, Visibility(MICROSECONDS, history=True)),
        ("factual", {"mode": "timeline"}, Visibility(MICROSECONDS, timeline=True)),
        ("factual", {"deep": True}, Visibility(MICROSECONDS, deep=True)),
        (
            "factual",
            {"as_of": NOON - timedelta(seconds=1)},
            Visibility(MICROSECONDS, as_of=MICROSECONDS - 1_000_000),
        ),
        (
            "factual",
            {"known_at": NOON - timedelta(seconds=1)},
            Visibility(MICROSECONDS - 1_000_000, known_at=MICROSECONDS - 1_000_000),
        ),
        (
            "factual",
            {"known_at": NOON + timedelta(seconds=1)},
            Visibility(MICROSECONDS, known_at=MICROSECONDS + 1_000_000),
        ),
    ],
)
def test_the_horizon_of_a_request(intent: str, asked: dict[str, Any], expected: Visibility) -> None:
    """The route of temporal questions looks into history; nothing is known before it happens."""
    request = Request("ns", "Where is the key?", **asked)
    plan = make_plan(request, understand(request.query), intent, RetrievalConfig(), NOON)
    assert visibility_of(request, plan, NOON) == expected
