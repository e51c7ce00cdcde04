"""The commands `serve` and `demo`."""

from __future__ import annotations

import ipaddress
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from cogmem_core.cli.progress import bar, loading
from cogmem_core.cli.shell import LanguageModel, Shell, command
from cogmem_core.errors import InvalidInput, StoreError

if TYPE_CHECKING:
    from cogmem_core.engine import Engine
    from cogmem_core.serve.keys import KeyRing

__all__ = ["register"]

DRAIN_SECONDS = 10
"""How long requests that are being answered may take when the server is to stop."""


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    command(app, "serve")(serve)
    command(app, "demo")(demo)


def serve(
    shell: Shell,
    *,
    host: Annotated[
        str, typer.Option(help="The address to listen on. Any but loopback needs a key first.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 = any that is free.")] = 8765,
    host_name: Annotated[
        list[str] | None,
        typer.Option(help="A name that the server is called by, besides localhost; may be repeated."),
    ] = None,
    body_bytes: Annotated[
        int, typer.Option(min=1_000, help="The largest request that is taken.")
    ] = 4 * 2**20,
    rate: Annotated[int, typer.Option(min=1, help="Requests per minute of one key.")] = 6_000,
    with_demo: Annotated[
        bool, typer.Option("--demo", help="Serve a bank with a story in it, which is not kept.")
    ] = False,
    llm: LanguageModel = None,
) -> None:
    """Serve the bank over HTTP: REST (/v1), pages to look at it (/ui), metrics; until Ctrl-C."""
    from cogmem_core.serve import create_app, require

    require()
    from cogmem_core.serve.guard import Limits
    from cogmem_core.serve.keys import KEYS_FILE, KeyRing
    from cogmem_core.serve.sessions import LoginTokens

    local = _is_loopback(host)
    with _place(shell, with_demo), shell.engine(
        create=True, llm=shell.language_model(llm), dreams=True
    ) as engine:
        keys = KeyRing(shell.folder / KEYS_FILE)
        if not local:
            _check_keys(host, keys)
        if with_demo:
            _tell(shell, engine)
        logins = LoginTokens()
        app = create_app(
            engine,
            keys=keys,
            logins=logins,
            hosts=host_name or (),
            limits=Limits(body_bytes=body_bytes, requests_per_minute=rate),
            open_metrics=local,
        )
        with _listening(host, port) as listener:
            address = f"http://{_written(host)}:{listener.getsockname()[1]}"
            login = f"{address}/login?token={logins.issue()}" if local else f"{address}/login"
            how = "once" if local else "with a key"
            lines = f"cogmem listens on {address}\nlog in {how}: {login}"
            shell.show({"address": address, "login": login}, lines)
            sys.stdout.flush()
            _run(app, listener)


def demo(shell: Shell) -> None:
    """Fill the namespace with a story to look at: four months of a conversation, plans, a dream."""
    from cogmem_core.serve.demo import NAMESPACE, fill

    if not shell.namespace_given:
        shell.namespace = NAMESPACE
    with (
        shell.bank(create=True) as (bank, engine),
        loading(shell, engine),
        bar(shell, "telling the story") as advance,
    ):
        told = fill(bank, lambda done, total: advance("telling the story", done, total))
    text = f"told {shell.namespace!r} {told} turns; `cogm serve` shows what came of them"
    if not told:
        text = f"{shell.namespace!r} holds memories already; name another with -n"
    shell.show({"namespace": shell.namespace, "turns": told}, text)


@contextmanager
def _place(shell: Shell, temporary: bool) -> Iterator[None]:
    """Where the bank is: as the shell says, or in a folder that is removed in the end."""
    if not temporary:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="cogmem-demo-") as folder:
        shell.folder = Path(folder) / "bank"
        shell.folder_given = True
        yield


def _tell(shell: Shell, engine: Engine) -> None:
    from cogmem_core.serve.demo import NAMESPACE, fill

    with loading(shell, engine), bar(shell, "telling the story") as advance:
        fill(
            engine.bank(NAMESPACE), lambda done, total: advance("telling the story", done, total)
        )


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _check_keys(host: str, keys: KeyRing) -> None:
    """Raise `InvalidInput` if nobody could call: others than this machine need a key."""
    if not any(not key.is_expired(keys.now()) for key in keys.keys()):
        raise InvalidInput(
            f"--host is {host}, which others can reach, and there is no key; make one with "
            "`cogm keys add NAME`, or listen on 127.0.0.1"
        )


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that takes connections.

    Raises:
        StoreError: the address is not to be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise StoreError(
            f"cannot listen on {host}:{port}: {error}; name another --host or --port"
        ) from error
    with listener:
        yield listener


def _run(app: object, listener: socket.socket) -> None:
    """Serve until a signal comes; what is being answered then is answered."""
    import uvicorn

    # uvicorn sends the signal that ended it once more when it is done: the bank is closed then.
    before = signal.signal(signal.SIGTERM, _leave)
    try:
        config = uvicorn.Config(
            app,  # type: ignore[arg-type]
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=DRAIN_SECONDS,
        )
        uvicorn.Server(config).run(sockets=[listener])
    finally:
        signal.signal(signal.SIGTERM, before)


def _leave(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host
