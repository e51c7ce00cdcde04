"""Options, filters and steps that several commands share, and what filters mean to a bank."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cogmem_core.errors import InvalidInput

if TYPE_CHECKING:
    from cogmem_cli.shell import Shell
    from cogmem_core.engine import Engine


SessionId = Annotated[str | None, typer.Option(help="The conversation that it belongs to.")]


def finish_waiting(engine: Engine) -> None:
    """Finish turns of earlier commands that had no embedder.

    The engine's own worker may not live long enough.
    """
    from cogmem_core.encoding.commit import finish_queued

    while finish_queued(engine.services)[0]:
        pass


OPTIONS: dict[str, Any] = {
    "category": Annotated[
        list[str] | None, typer.Option(help="Only this category; may be repeated.")
    ],
    "tag": Annotated[
        list[str] | None,
        typer.Option(help="Only with this tag; may be repeated (any of them)."),
    ],
    "where": Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="Only with this metadata, or a JSON object of conditions; may be repeated (all hold).",
        ),
    ],
    "speaker": Annotated[str | None, typer.Option(help="Only what this person said.")],
    "since": Annotated[
        str | None,
        typer.Option(
            metavar="DATE",
            help="Only what was said then or later: 2026-05-03, 3 May, yesterday, last monday ...",
        ),
    ],
    "until": Annotated[
        str | None,
        typer.Option(
            metavar="DATE",
            help="Only what was said then or earlier; of a day, until it ends.",
        ),
    ],
}
"""The options that a parameter of the type `Filters` stands for."""
Conversation = Annotated[
    str | None, typer.Option("--session", help="Only memories of this conversation.")
]


class Filters(dict[str, Any]):
    """The filters that were given, as the arguments of a bank's methods."""

    @classmethod
    def given(cls, options: Mapping[str, Any], shell: Shell) -> Filters:
        """What was typed for `OPTIONS`."""
        from cogmem_cli.times import moment

        return cls(
            where=_conditions(options["where"]),
            speaker=options["speaker"],
            since=moment(shell, "--since", options["since"]),
            until=moment(shell, "--until", options["until"], "last"),
            tags=options["tag"] or None,
            categories=options["category"] or None,
        )


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
