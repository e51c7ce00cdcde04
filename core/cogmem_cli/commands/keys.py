"""Commands of the keys to a server: keys add, list, revoke, sessions end."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from cogmem_cli.shell import Shell
from cogmem_cli.tables import rows
from cogmem_cli.values import line

if TYPE_CHECKING:
    from cogmem_serve.keys import Key, KeyRing


def keys_add(
    shell: Shell,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whose it is, or what for.")],
    *,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            help="read, write, review or admin; may be repeated. Default: read, of a principal all."
        ),
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAMESPACE",
            help="A namespace, or how several begin: team/*; may be repeated. Default: that of -n, else *.",
        ),
    ] = None,
    principal: Annotated[
        str | None,
        typer.Option(help="A principal (`cogm principal`); its rights decide besides."),
    ] = None,
    days: Annotated[float | None, typer.Option(min=0, help="How long it is valid.")] = None,
) -> None:
    """Make a key and print it, once: only its hash is kept."""
    ring = _ring(shell, principal)
    default = [shell.namespace] if shell.namespace_given else ["*"]
    end = None if days is None else ring.now() + timedelta(days=days)
    key, secret = ring.add(
        name,
        scopes=scope,
        namespaces=allow or default,
        expires_at=end,
        principal=principal or "",
    )
    shell.show({**_shown(key), "key": secret}, secret)
    if shell.out.is_terminal:
        shell.note(f"key {key.id} of {line(name)}; it is not shown again")


def keys_list(shell: Shell) -> None:
    """List the keys: whose they are, what they open, and how long."""
    ring = _ring(shell)
    all_keys = ring.all()
    listed = (
        (
            key.id,
            line(key.name),
            " ".join(key.scopes),
            line(" ".join(key.namespaces)),
            line(key.principal),
            key.created_at,
            "over" if key.is_expired(ring.now()) else key.expires_at or "never",
        )
        for key in all_keys
    )
    headings = ("id", "name", "scopes", "namespaces", "principal", "made", "ends")
    table = rows(headings, listed, texts=("name", "namespaces", "principal"))
    shell.show({"keys": list(map(_shown, all_keys))}, table if all_keys else "there is no key")


def keys_revoke(
    shell: Shell, key_id: Annotated[str, typer.Argument(metavar="ID", help="Of the key.")]
) -> None:
    """Take a key away, and the sessions that began with it; a running server knows it at once."""
    key = _ring(shell).revoke(key_id)
    shell.show(_shown(key), f"revoked {key.id} of {line(key.name)}")


def keys_sessions_end(
    shell: Shell,
    key_id: Annotated[
        str | None,
        typer.Argument(metavar="ID", help="Of the key that they began with; else the owner's."),
    ] = None,
) -> None:
    """End all sessions that began with the login URL, or with a key; a running server knows it at once."""
    from cogmem_serve.keys import OWNER_ID

    holder = key_id or OWNER_ID
    _ring(shell).end_sessions(holder)
    shell.show({"ended": holder}, f"all sessions of {line(holder)} are over")


def _ring(shell: Shell, principal: str | None = None) -> KeyRing:
    """The keys beside the bank, which is made if there is none.

    Raises:
        NotFound: there is no such principal in it.
    """
    from cogmem_serve.keys import KEYS_FILE, KeyRing

    with shell.engine(create=True) as engine:
        if principal is not None:
            engine.as_(principal)
    return KeyRing(shell.folder / KEYS_FILE)


def _shown(key: Key) -> dict[str, object]:
    """A key without its hash."""
    return {name: value for name, value in asdict(key).items() if name != "digest"}


COMMANDS = (keys_add, keys_list, keys_revoke, keys_sessions_end)
GROUP = "Who may call `cogm serve`."
GROUPS = {"sessions": "Who is logged in on the pages of `cogm serve`."}
