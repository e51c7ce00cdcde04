"""The commands `principal`, `principals`, `grant`, `grants`, `revoke` and `access`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from cogmem_cli.ids import complete_among
from cogmem_cli.shell import Shell
from cogmem_cli.tables import rows
from cogmem_cli.times import moment
from cogmem_cli.values import line, local, short

if TYPE_CHECKING:
    from rich.console import RenderableType

    from cogmem_core.models import Grant


Name = Annotated[str, typer.Argument(metavar="PRINCIPAL", help="Its name.", show_default=False)]


def principal(
    shell: Shell,
    name: Name,
    *,
    kind: Annotated[str, typer.Option(help="person, agent or service.")] = "person",
    owner: Annotated[str | None, typer.Option(help="Of an agent: whom it acts for.")] = None,
) -> None:
    """Add somebody who may be granted rights, or change the kind and the owner."""
    with shell.engine(create=True) as engine:
        added = engine.add_principal(name, kind=kind, owner=owner)
    of = f" of {line(added.owner)}" if added.owner else ""
    shell.show(added, f"{line(added.name)}: {added.kind}{of}")


def principals(shell: Shell) -> None:
    """List who may be granted rights."""
    with shell.engine(read_only=True) as engine:
        found = engine.principals()
    listed = ((line(p.name), p.kind, line(p.owner or "")) for p in found)
    table = rows(("name", "kind", "owner"), listed, texts=("name", "owner"))
    shell.show({"principals": found}, table if found else "no principal yet")


def grant(
    shell: Shell,
    name: Name,
    namespaces: Annotated[
        str, typer.Argument(metavar="NAMESPACES", help="One, a folder ('team/*'), or '*'.")
    ],
    right: Annotated[str, typer.Argument(metavar="RIGHT", help="read, write, review or admin.")],
    *,
    deny: Annotated[bool, typer.Option("--deny", help="Deny it; a denial wins.")] = False,
    reason: Annotated[str, typer.Option(help="Why.")] = "",
    until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Its end: a day counts until it ends.")
    ] = None,
) -> None:
    """Grant a right in one or many namespaces; each right includes those before it."""
    with shell.engine(create=True) as engine:
        granted = engine.grant(
            name,
            namespaces,
            right,
            effect="deny" if deny else "allow",
            reason=reason,
            until=moment(shell, "--until", until, "last", ahead=True),
        )
    shell.show(granted, f"{short(granted.id)}  {_told(granted)}")


def grants(
    shell: Shell,
    name: Annotated[
        str | None, typer.Argument(metavar="PRINCIPAL", help="Only of this one.")
    ] = None,
    *,
    revoked: Annotated[bool, typer.Option("--revoked", help="Also those revoked.")] = False,
) -> None:
    """List grants, oldest first."""
    with shell.engine(read_only=True) as engine:
        listed = engine.grants(name, revoked=revoked)
    shell.show({"grants": listed}, _table(listed) if listed else "no grant")


def revoke(
    shell: Shell,
    grant_id: Annotated[
        str,
        typer.Argument(metavar="ID", help="Of a grant: whole, or its first or last 8 characters."),
    ],
) -> None:
    """Revoke a grant; what was derived by it is withdrawn."""
    with shell.engine() as engine:
        ids = [grant.id for grant in engine.grants()]
        revoked = engine.revoke(complete_among(grant_id, ids))
    shell.show(revoked, f"{short(revoked.id)}  revoked: {_told(revoked)}")


def access(
    shell: Shell,
    *,
    limit: Annotated[int, typer.Option(help="At most so many, the newest.")] = 20,
    of: Annotated[str | None, typer.Option("--of", help="Only of this principal.")] = None,
) -> None:
    """Show what was decided and changed about rights, and why."""
    with shell.engine(read_only=True) as engine:
        decisions = engine.access_log(limit=limit, principal=of)
    listed = (
        (
            local(entry.at),
            line(entry.principal),
            entry.act,
            line(entry.namespaces),
            "yes" if entry.allowed else "no",
            line(entry.reason),
        )
        for entry in decisions
    )
    headings = ("when", "who", "what", "where", "allowed", "why")
    table = rows(headings, listed, texts=("who", "where", "why"))
    shell.show({"access": decisions}, table if decisions else "nothing was decided yet")


def _table(grants: Sequence[Grant]) -> RenderableType:

    listed = (
        (
            short(grant.id),
            line(grant.principal),
            f"{grant.effect} {grant.right}",
            line(grant.namespaces),
            _end(grant),
            line(grant.reason),
        )
        for grant in grants
    )
    headings = ("id", "who", "right", "where", "until", "why")
    return rows(headings, listed, texts=("who", "where", "why"))


def _told(grant: Grant) -> str:
    until = f" until {local(grant.until)}" if grant.until else ""
    where = line(grant.namespaces)
    return f"{line(grant.principal)}: {grant.effect} {grant.right} in {where}{until}"


def _end(grant: Grant) -> str:
    if grant.revoked_at is not None:
        return f"revoked {local(grant.revoked_at)}"
    return local(grant.until) if grant.until else ""


COMMANDS = (principal, principals, grant, grants, revoke, access)
