"""How often something comes back: RRULEs (RFC 5545) on the clock of a person's own time zone. Pure.

The rule runs on local times without a zone, as a person counts: nine o'clock stays nine o'clock
when the clocks change. A local time that the clocks skip counts as the one after the gap; of one
that there is twice, the first counts.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone, tzinfo

from dateutil.rrule import rrule, rruleset, rrulestr
from dateutil.tz import resolve_imaginary

from cogmem_core.edge import checks
from cogmem_core.errors import InvalidInput
from cogmem_core.text.folding import single_spaced
from cogmem_core.text.time.days import in_zone, utc
from cogmem_core.text.time.periods import later
from cogmem_core.text.time.zones import zone_or_utc

SESSION = "session"
"""In place of a rule: once in each session."""
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT = {
    "hour": "FREQ=HOURLY",
    "hourly": "FREQ=HOURLY",
    "day": "FREQ=DAILY",
    "daily": "FREQ=DAILY",
    "weekday": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "weekdays": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "week": "FREQ=WEEKLY",
    "weekly": "FREQ=WEEKLY",
    "month": "FREQ=MONTHLY",
    "monthly": "FREQ=MONTHLY",
    "year": "FREQ=YEARLY",
    "yearly": "FREQ=YEARLY",
    **{day: f"FREQ=WEEKLY;BYDAY={day[:2].upper()}" for day in _DAYS},
}
_UNITS = {"hour": "HOURLY", "day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY"}
_COUNTED = re.compile(r"([1-9]\d{0,2}) (hour|day|week|month|year)s")
_COUNT = re.compile(r";COUNT=\d+|COUNT=\d+;")
_UNTIL = re.compile(r"UNTIL=(\d{8}T\d{6})Z")
_TOO_OFTEN = ("SECONDLY", "MINUTELY")
_LONGEST = 36_525  # days, a century: a rule that never comes true has to end somewhere
_HINT = (
    'give "day", "weekday", "week", "month", "year", a day such as "monday", "2 weeks", or an RRULE '
    'such as "FREQ=WEEKLY;BYDAY=MO,TH"'
)


def rule_of(every: str, starts_at: datetime, zone: str, times: int) -> str:
    """The RRULE of what a caller gave, checked.

    Args:
        every: one of the short forms, or an RRULE.
        starts_at: from when it counts.
        zone: the name of the time zone.
        times: how often it comes; 0 = as the rule says.

    Raises:
        InvalidInput: it is no rule, comes more than once an hour, or never.
    """
    text = single_spaced(every)
    rule = _SHORT.get(text.lower(), "") or _counted(text.lower()) or text.upper()
    rule = _at_the_end_of_the_month(rule.removeprefix("RRULE:"), starts_at, zone)
    parts = dict(part.partition("=")[::2] for part in rule.split(";"))
    if "FREQ" not in parts or "\n" in every:
        raise InvalidInput(f"every is {checks.display(every)}, which is no rule; {_HINT}")
    if parts.get("INTERVAL", "1").strip("0") == "":
        raise InvalidInput(
            f"every is {checks.display(every)}, which is no rule (INTERVAL=0); {_HINT}"
        )
    if parts["FREQ"] in _TOO_OFTEN:
        raise InvalidInput(f"every is {checks.display(every)}, more than once an hour; {_HINT}")
    if times and "COUNT" not in parts:
        rule = f"{rule};COUNT={times}"
    try:
        _parsed(rule, _local(starts_at, zone_or_utc(zone)), zone_or_utc(zone))
        endless = _COUNT.sub(
            "", rule
        )  # what never comes true is not looked for until the year 9999
        first = next_time(endless, starts_at, zone, starts_at - timedelta(microseconds=1))
    except (ValueError, OverflowError, TypeError, KeyError):
        raise InvalidInput(f"every is {checks.display(every)}, which is no rule; {_HINT}") from None
    if first is None:
        raise InvalidInput(f"every is {checks.display(every)}, which never comes true; {_HINT}")
    return rule


def has_end(rule: str) -> bool:
    """Whether a rule says itself when it ends."""
    return "COUNT=" in rule or "UNTIL=" in rule


def _counted(text: str) -> str:
    match = _COUNTED.fullmatch(text)
    return f"FREQ={_UNITS[match[2]]};INTERVAL={match[1]}" if match else ""


def _at_the_end_of_the_month(rule: str, starts_at: datetime, zone: str) -> str:
    """From the 29th on, "every month" is the last day of shorter months, not none."""
    start = _local(starts_at, zone_or_utc(zone))
    day = start.day
    if day <= 28 or "BY" in rule:
        return rule
    days = ",".join(map(str, range(28, day + 1)))
    if rule.startswith("FREQ=MONTHLY"):
        return f"{rule};BYMONTHDAY={days};BYSETPOS=-1"
    if rule.startswith("FREQ=YEARLY") and start.month == 2:
        return f"{rule};BYMONTH=2;BYMONTHDAY={days};BYSETPOS=-1"
    return rule


def next_time(rule: str, starts_at: datetime, zone: str, after: datetime) -> datetime | None:
    """The first time of a rule after a moment, in UTC; None if there is none any more."""
    local_zone = zone_or_utc(zone)
    rules = _parsed(rule, _local(starts_at, local_zone), local_zone)
    # The clock goes back by hours at most: from a day before, nothing is left out.
    found = _local(after, local_zone) - timedelta(days=1)
    while True:
        found = rules.after(found)
        if found is None:
            return None
        aware: datetime = resolve_imaginary(found.replace(tzinfo=local_zone))
        moment = utc(aware)
        if moment > after:
            return moment


def _parsed(rule: str, start: datetime, zone: tzinfo) -> rrule | rruleset:
    # dateutil wants the ends of a rule without a zone, as its beginning is.
    rules = rrulestr(_UNTIL.sub(lambda match: _local_end(match, zone), rule), dtstart=start)
    if isinstance(rules, rrule) and not has_end(rule):
        rules = rules.replace(until=later(start, _LONGEST).replace(tzinfo=None))
    return rules


def _local_end(match: re.Match[str], zone: tzinfo) -> str:
    moment = datetime.strptime(match[1], "%Y%m%dT%H%M%S").replace(tzinfo=timezone.utc)
    return f"UNTIL={_local(moment, zone):%Y%m%dT%H%M%S}"


def _local(moment: datetime, zone: tzinfo) -> datetime:
    return in_zone(moment, zone).replace(tzinfo=None)
