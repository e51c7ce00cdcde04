"""The filters that several commands share, and what they mean to a bank."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, datetime, time, timezone
from typing import Annotated, Any

import typer

from cogmem_core.errors import InvalidInput

Categories = Annotated[
    list[str] | None, typer.Option("--category", help="Only this category; may be repeated.")
]
Tags = Annotated[
    list[str] | None,
    typer.Option("--tag", help="Only with this tag; may be repeated (any of them)."),
]
Where = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE",
        help="Only with this metadata, or a JSON object of conditions; may be repeated (all hold).",
    ),
]
Said = Annotated[str | None, typer.Option("--speaker", help="Only what this person said.")]
Since = Annotated[
    str | None,
    typer.Option(
        metavar="DATE",
        help="Only what was said then or later. ISO 8601; without a time, from the day's first moment in UTC.",
    ),
]
Until = Annotated[
    str | None,
    typer.Option(
        metavar="DATE",
        help="Only what was said then or earlier. ISO 8601; without a time, to the day's last moment in UTC.",
    ),
]
Conversation = Annotated[
    str | None, typer.Option("--session", help="Only memories of this conversation.")
]


def chosen(
    *,
    where: Sequence[str] | None,
    speaker: str | None,
    since: str | None,
    until: str | None,
    tag: Sequence[str] | None,
    category: Sequence[str] | None,
) -> dict[str, Any]:
    """The filters as the arguments of a bank's methods."""
    return {
        "where": _conditions(where),
        "speaker": speaker,
        "since": day("--since", since, time.min),
        "until": day("--until", until, time.max),
        "tags": tag or None,
        "categories": category or None,
    }


def day(name: str, text: str | None, time_of_day: time) -> datetime | None:
    """A moment from ISO 8601; `time_of_day` is the time, in UTC, that a date alone means."""
    from cogmem_cli.turns import moment

    if text is None:
        return None
    try:
        return datetime.combine(date.fromisoformat(text.strip()), time_of_day, timezone.utc)
    except ValueError:
        return moment(name, text)


def _conditions(typed: Sequence[str] | None) -> dict[str, Any] | None:
    if not typed:
        return None
    parts = []
    for text in typed:
        key, mark, value = text.partition("=")
        if text.lstrip().startswith("{"):
            try:
                parts.append(json.loads(text))
            except ValueError as error:
                raise InvalidInput(
                    f"--where {text!r} is no JSON: {error}; give KEY=VALUE, or a JSON object"
                ) from None
        elif mark and key:
            parts.append({key: _value(value)})
        else:
            raise InvalidInput(f"--where is {text!r}; give KEY=VALUE, or a JSON object")
    return parts[0] if len(parts) == 1 else {"$and": parts}


def _value(text: str) -> Any:
    """A number, true, false or null as JSON knows it; anything else as text."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return text if isinstance(value, (dict, list, str)) else value
