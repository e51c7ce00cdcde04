"""The pages of what an agent is to do, and how: intentions and procedures."""

from __future__ import annotations

from datetime import datetime, tzinfo

from starlette.responses import Response

from cogmem_core.errors import InvalidInput
from cogmem_serve.operations import JUDGEMENTS
from cogmem_serve.pages.page import Page

_PAST = 20
_RHYTHMS = {
    "DAILY": ("day", "days"),
    "WEEKLY": ("week", "weeks"),
    "MONTHLY": ("month", "months"),
    "YEARLY": ("year", "years"),
}
_PLAIN = {"FREQ", "INTERVAL", "COUNT", "UNTIL"}
"""Parts of a rule that its rhythm tells, or that only end it."""
_NEXT_STEPS = {
    "proposed": JUDGEMENTS,
    **dict.fromkeys(("due", "open", "fired"), ("done", "cancelled")),
}
"""What a person can say of an intention, by its state."""


def show_plans(page: Page) -> Response:
    """What is due, proposed, to come, and what became of the rest."""
    intentions = page.bank.intentions()
    groups = [
        ("due", [intention for intention in intentions if intention.state in ("due", "fired")]),
        ("proposed", [intention for intention in intentions if intention.state == "proposed"]),
        ("open", [intention for intention in intentions if intention.state == "open"]),
        (
            "past",
            [intention for intention in intentions if intention.state not in _NEXT_STEPS][-_PAST:],
        ),
    ]
    return page.show("plans.html", groups=groups, outcomes=_NEXT_STEPS, rhythm=_rhythm)


def intend(page: Page) -> Response:
    """Note something that is to come up later."""
    at = page.form.get("at")
    page.bank.intend(
        page.typed("text"),
        at=_moment(at, page.zone) if at else None,
        when=page.typed("when") or None,
    )
    return page.go("/ui/plans", done="intended")


def show_procedures(page: Page) -> Response:
    """Ways to do a kind of task, with what became of the tasks."""
    return page.show("procedures.html", procedures=page.bank.procedures())


def settle(page: Page) -> Response:
    """Say what became of an intention, or what is thought of a procedure."""
    outcome = page.typed("outcome")
    if outcome in JUDGEMENTS:
        page.need("review")
    page.bank.settle(page.typed("record"), outcome)
    screen = "/ui/procedures" if page.form.get("kind") == "procedure" else "/ui/plans"
    return page.go(screen, done="settled")


def _rhythm(rule: str) -> tuple[str, int] | None:
    """How often a rule of RFC 5545 repeats: the name of its text, and the interval; None if it says more."""
    parts = dict(part.partition("=")[::2] for part in rule.upper().split(";"))
    names = _RHYTHMS.get(parts.get("FREQ", ""))
    interval = parts.get("INTERVAL", "1")
    if names is None or not interval.isdecimal() or parts.keys() - _PLAIN:
        return None
    return names[interval != "1"], int(interval)


def _moment(text: str, zone: tzinfo) -> datetime:
    """A moment as a form gives it, where the reader is."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput("at is not a moment; give one such as 2026-03-01T18:30") from None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)
