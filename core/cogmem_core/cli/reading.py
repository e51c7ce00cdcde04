"""Commands that ask: recall and why."""

from __future__ import annotations

from datetime import date, datetime, time, timezone
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from cogmem_core.cli.progress import loading
from cogmem_core.cli.shell import Shell, command
from cogmem_core.cli.values import clean
from cogmem_core.cli.writing import MemoryId

if TYPE_CHECKING:
    from cogmem_core.results import Recalled
    from cogmem_core.retrieval.recall import Recall

__all__ = ["register"]

_FIRST, _LAST = time.min, time.max

Categories = Annotated[list[str] | None, typer.Option("--category", help="Only this category; may be repeated.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="Only with this tag; may be repeated (any of them).")]
Deep = Annotated[
    bool, typer.Option("--deep", help="Also what is dormant, superseded or has expired, at half its score.")
]
Timeline = Annotated[
    bool, typer.Option("--timeline", help="Also what was superseded or has expired; newest first, all dated.")
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="DATE",
        help="What was true then. ISO 8601; without a time, the day's first moment in UTC.",
    ),
]
KnownAt = Annotated[
    str | None,
    typer.Option(
        "--known-at",
        metavar="DATE",
        help="Only what had been said by then. ISO 8601; without a time, the day's last moment in UTC.",
    ),
]
Present = Annotated[str | None, typer.Option(help="The present conversation: what was said in it counts more.")]
Mood = Annotated[
    float | None, typer.Option(help="Valence of the present mood, -1 to 1. Default: as the query shows it.")
]
Floor = Annotated[
    float | None,
    typer.Option(help="Hide what is less likely to be relevant, 0 to 1; 0 shows all. Default: as configured."),
]
Deadline = Annotated[float | None, typer.Option(help="Seconds; then comes what was found so far.")]
Explain = Annotated[bool, typer.Option("--explain", help="Tell what each signal added.")]
Missed = Annotated[
    str | None,
    typer.Option(metavar="ID", help="Tell why that memory is not among the results; 8 characters of its id will do."),
]
Context = Annotated[bool, typer.Option("--context", help="Print the block of text for a prompt instead.")]
Budget = Annotated[int | None, typer.Option(help="Budget of --context.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    command(app, "recall")(recall)
    command(app, "why")(why)
    command(app, "explain")(explain)


def recall(  # a command's parameters are its options
    shell: Shell,
    query: Annotated[list[str], typer.Argument(metavar="QUERY", help="What you want to know.")],
    *,
    k: Annotated[int, typer.Option("-k", help="At most so many memories.")] = 8,
    deep: Deep = False,
    timeline: Timeline = False,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    session: Present = None,
    mood: Mood = None,
    category: Categories = None,
    tag: Tags = None,
    floor: Floor = None,
    deadline: Deadline = None,
    explain: Explain = False,
    missed: Missed = None,
    context: Context = False,
    max_tokens: Budget = None,
) -> None:
    """Recall the memories that matter for a query, best first."""
    from cogmem_core.cli.ids import complete
    from cogmem_core.retrieval.plan import local_now

    times = {"as_of": _moment("--as-of", as_of, _FIRST), "known_at": _moment("--known-at", known_at, _LAST)}
    only = {"categories": category or None, "tags": tag or None, "session_id": session, "mood": mood}
    how = {"mode": "timeline" if timeline else "current", "deep": deep, "floor": floor, "deadline": deadline}
    asked: dict[str, Any] = {**times, **only, **how, "k": k, "max_tokens": max_tokens}
    with shell.bank(asking=True) as (bank, engine), loading(shell, engine):
        looked_for = None if missed is None else complete(engine, bank, missed)
        found = bank.recall(" ".join(query), **asked)
        told = {
            "context": found.context() if context else None,
            "explanation": found.explain() if explain else None,
            "missed": None if looked_for is None else found.missed(looked_for),
        }
        now = local_now(engine.services, engine.services.runtime.now())
        none = "" if found.results else shell.nothing(engine, found.empty_reason)
    for trouble in found.degraded:
        shell.note(f"degraded: {trouble}")
    texts = {name: text for name, text in told.items() if text is not None}
    human = [Text(clean(text)) for text in texts.values()] or _human(shell, found, now, none)
    shell.show({**_answer(found), **texts}, *human)


def _moment(name: str, given: str | None, of_day: time) -> datetime | None:
    """A moment from ISO 8601; `of_day` is the time, in UTC, that a date alone means."""
    from cogmem_core.cli.turns import moment

    if given is None:
        return None
    try:
        return datetime.combine(date.fromisoformat(given.strip()), of_day, timezone.utc)
    except ValueError:
        return moment(name, given)


def _human(shell: Shell, found: Recall, now: datetime, none: str) -> list[RenderableType]:
    """The results as a table and how many were withheld, or why there is `none`."""
    from cogmem_core.cli.tables import recalled

    hidden = len(found.withheld)
    were, them = ("was", "it") if hidden == 1 else ("were", "them")
    hint = f"; --floor 0 shows {them}" if hidden else ""
    if not found.results:
        return [f"no result: {none}{hint}"]
    table = recalled(found.results, now, shell.out.width)
    return [table, f"{hidden} more {were} too unlikely to be relevant{hint}"] if hidden else [table]


def _answer(found: Recall) -> dict[str, Any]:
    return {
        "id": found.id,
        "query": found.query,
        "intent": found.intent,
        "parts": found.parts,
        "confidence": found.confidence,
        "empty_reason": found.empty_reason,
        "degraded": found.degraded,
        "results": [{"rank": rank, **_item(item)} for rank, item in enumerate(found.results, 1)],
        "withheld": [_item(item) for item in found.withheld],
    }


def _item(item: Recalled) -> dict[str, Any]:
    from cogmem_core.retrieval.explain import reason

    return {
        "content": item.content,
        "asked": item.asked,
        "score": item.score,
        "confidence": item.confidence,
        "tier": item.tier,
        "label": item.label,
        "reason": reason(item),
        "refs": item.refs,
        "signals": item.signals,
        "contributions": item.contributions,
        "found_by": item.found_by,
        "memory": item.memory,
    }


def why(shell: Shell, memory_id: MemoryId) -> None:
    """Tell a memory's life: where it comes from, what happened to it, how it stands today."""
    from cogmem_core.cli.ids import complete

    with shell.bank(asking=True) as (bank, engine):
        life = bank.explain(complete(engine, bank, memory_id))
    memory = life.history.memory
    answer = {
        "memory": memory,
        "retention": life.retention,
        "story": life.story,
        "relations": life.relations,
        "versions": life.history.versions,
        "changes": life.history.changes,
    }
    shell.show(answer, Text(f"{memory.id}\n{clean(memory.content)}\n"), Text(clean("\n".join(life.story))))


def explain(shell: Shell, memory_id: MemoryId) -> None:
    """The same as `why`, whose older name it is."""
    why(shell, memory_id)
