"""Commands that tell what is known: recall, profile, list, namespaces."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from rich.console import RenderableType
from rich.text import Text

from cogmem_cli.ids import complete
from cogmem_cli.options import Conversation, Filters
from cogmem_cli.progress import loading
from cogmem_cli.shell import Shell
from cogmem_cli.tables import memories, recall_results
from cogmem_cli.times import moment
from cogmem_cli.values import clean, line

if TYPE_CHECKING:
    from cogmem_core.results import Recalled
    from cogmem_core.retrieval.recall import Recall


OnlySession = Annotated[
    str | None, typer.Option("--only-session", help="Only memories of this conversation.")
]
Deep = Annotated[
    bool,
    typer.Option(
        "--deep", help="Also what is dormant, superseded or has expired, at half its score."
    ),
]
Timeline = Annotated[
    bool,
    typer.Option(
        "--timeline", help="Also what was superseded or has expired; newest first, all dated."
    ),
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="DATE",
        help="What was true then: 2026-05-03, 3 May, yesterday, last monday ...",
    ),
]
KnownAt = Annotated[
    str | None,
    typer.Option(
        "--known-at",
        metavar="DATE",
        help="Only what had been said by then; of a day, until it ends.",
    ),
]
Present = Annotated[
    str | None, typer.Option(help="The present conversation: what was said in it counts more.")
]
Mood = Annotated[
    float | None,
    typer.Option(help="Valence of the present mood, -1 to 1. Default: as the query shows it."),
]
Floor = Annotated[
    float | None,
    typer.Option(
        help="Hide what is less likely to be relevant, 0 to 1; 0 shows all. Default: as configured."
    ),
]
Deadline = Annotated[float | None, typer.Option(help="Seconds; then comes what was found so far.")]
Explain = Annotated[bool, typer.Option("--explain", help="Tell what each signal added.")]
Missed = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        help="Tell why that memory is not among the results; 8 characters of its id will do.",
    ),
]
Context = Annotated[
    bool, typer.Option("--context", help="Print the block of text for a prompt instead.")
]
Budget = Annotated[int | None, typer.Option(help="Budget of --context.")]
Audience = Annotated[
    str | None,
    typer.Option(help="Who hears it (my boss): without what is private, unless it is asked for."),
]


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
    filters: Filters,
    only_session: OnlySession = None,
    floor: Floor = None,
    deadline: Deadline = None,
    explain: Explain = False,
    missed: Missed = None,
    context: Context = False,
    max_tokens: Budget = None,
    audience: Audience = None,
) -> None:
    """Recall the memories that matter for a query, best first."""
    from cogmem_core.edge import checks
    from cogmem_core.retrieval.plan import local_now

    checks.k_results(k, shell.config().retrieval.max_k)
    options: dict[str, Any] = {
        **filters,
        "as_of": moment(shell, "--as-of", as_of, "day"),
        "known_at": moment(shell, "--known-at", known_at, "last"),
        "only_session": only_session,
        "session_id": session,
        "mood": mood,
        "mode": "timeline" if timeline else "current",
        "deep": deep,
        "floor": floor,
        "deadline": deadline,
        "audience": audience,
        "k": k,
        "max_tokens": max_tokens,
    }
    with shell.bank(read_only=True) as bank, loading(shell, bank.engine):
        missed_id = None if missed is None else complete(bank, missed)
        result = bank.recall(" ".join(query), **options)
        texts = {}
        if context:
            texts["context"] = result.context()
        if explain:
            texts["explanation"] = result.explain()
        if missed_id is not None:
            texts["missed"] = result.missed(missed_id)
        now = local_now(bank.engine.services, bank.engine.services.runtime.now())
        empty_text = "" if result.results else shell.empty_reason(bank.engine, result.empty_reason)
    for trouble in result.degraded:
        shell.note(f"degraded: {trouble}")
    human = [Text(clean(text)) for text in texts.values()] or _human(shell, result, now, empty_text)
    shell.show({**_answer(result), **texts}, *human)


def _human(shell: Shell, result: Recall, now: datetime, empty_text: str) -> list[RenderableType]:
    """The results as a table and how many were withheld, or why there is `none`."""
    hidden = len(result.withheld)
    were, them = ("was", "it") if hidden == 1 else ("were", "them")
    hint = f"; --floor 0 shows {them}" if hidden else ""
    if not result.results:
        return [f"no result: {empty_text}{hint}"]
    lines: list[RenderableType] = [recall_results(result.results, now, shell.out.width)]
    if result.more:
        lines.append(f"there are {result.more} more of this kind")
    if hidden:
        lines.append(f"{hidden} more {were} too unlikely to be relevant{hint}")
    return lines


def _answer(result: Recall) -> dict[str, Any]:
    return {
        "id": result.id,
        "query": result.query,
        "intent": result.intent,
        "parts": result.parts,
        "confidence": result.confidence,
        "more": result.more,
        "empty_reason": result.empty_reason,
        "degraded": result.degraded,
        "results": [{"rank": rank, **_item(item)} for rank, item in enumerate(result.results, 1)],
        "withheld": list(map(_item, result.withheld)),
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


def profile(
    shell: Shell,
    subject: Annotated[
        list[str] | None, typer.Argument(help="Whom or what. Default: whose memories these are.")
    ] = None,
    *,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    max_tokens: Annotated[int | None, typer.Option(help="What the text may cost.")] = None,
) -> None:
    """Show what is known of you, or of somebody else, in sections: since when, and what was before."""
    with shell.bank(read_only=True) as bank:
        known = bank.profile(
            " ".join(subject) if subject else None,
            as_of=moment(shell, "--as-of", as_of, "day"),
            known_at=moment(shell, "--known-at", known_at, "last"),
            max_tokens=max_tokens,
        )
    shell.show(known, clean(str(known)) if known else "nothing is known")
    if known.others:
        shell.note(f"also known: {clean(', '.join(known.others))}")


def list_(
    shell: Shell,
    *,
    state: Annotated[
        str | None,
        typer.Option(help="active (default), dormant, superseded, forgotten, ... or any."),
    ] = None,
    filters: Filters,
    session: Conversation = None,
    tier: Annotated[str | None, typer.Option(help="episodic or semantic.")] = None,
    limit: Annotated[int, typer.Option(help="At most so many.")] = 50,
    cursor: Annotated[str | None, typer.Option(help="Go on behind this id.")] = None,
    oldest_first: Annotated[
        bool, typer.Option("--oldest-first", help="The other way round.")
    ] = False,
) -> None:
    """List memories, newest first."""
    from cogmem_core.edge import checks
    from cogmem_core.models import State, Tier

    if state is not None:
        checks.choice("--state", state, (*get_args(State), "any"))
    if tier is not None:
        checks.choice("--tier", tier, get_args(Tier))
    checks.positive("--limit", limit)
    with shell.bank(read_only=True) as bank:
        page = bank.list(
            state=state,
            tier=tier,
            session_id=session,
            limit=limit,
            cursor=cursor,
            newest_first=not oldest_first,
            **filters,
        )
        hint = "" if len(page) else shell.namespace_hint(bank.engine)
    nothing = f"no such memory in namespace {shell.namespace!r}{hint}"
    listed = memories(page.memories, shell.out.width) if len(page) else nothing
    shell.show({"memories": page.memories, "cursor": page.cursor}, listed)
    if page.cursor:
        shell.note(f"there are more: --cursor {page.cursor}")


def namespaces(shell: Shell) -> None:
    """List the namespaces of the bank."""
    with shell.engine(read_only=True) as engine:
        names = engine.namespaces()
    shell.show({"namespaces": names}, *(map(line, names) if names else ["no namespace yet"]))


COMMANDS = (
    recall,
    profile,
    list_,
    namespaces,
)
