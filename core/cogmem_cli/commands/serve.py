"""The commands that serve a bank: serve, demo, mcp."""

from __future__ import annotations

import ipaddress
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from cogmem_cli.progress import bar, loading
from cogmem_cli.shell import LanguageModel, Shell
from cogmem_core.errors import InvalidInput, StoreError

if TYPE_CHECKING:
    import uvicorn

    from cogmem_serve.keys import KeyRing


_PATIENCE = "telling a story of four months; it may take a minute"
"""Said before anything is loaded."""


def serve(
    shell: Shell,
    *,
    host: Annotated[
        str, typer.Option(help="The address to listen on. Any but loopback needs a key first.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 = any that is free.")] = 8765,
    host_name: Annotated[
        list[str] | None,
        typer.Option(
            help="A name that the server is called by, besides localhost; may be repeated."
        ),
    ] = None,
    body_bytes: Annotated[
        int, typer.Option(min=1_000, help="The largest request that is taken.")
    ] = 4 * 2**20,
    rate: Annotated[int, typer.Option(min=1, help="Requests per minute of one key.")] = 6_000,
    readers: Annotated[
        int,
        typer.Option(
            min=1,
            help="Recalls at a time: more where they wait for an embedder or a language model elsewhere.",
        ),
    ] = 2,
    with_demo: Annotated[
        bool, typer.Option("--demo", help="Serve a bank with a story in it, which is not kept.")
    ] = False,
    llm: LanguageModel = None,
) -> None:
    """Serve the bank over HTTP: REST (/v1), MCP (/mcp), pages to look at it (/ui), metrics; until Ctrl-C."""
    if with_demo:
        shell.note(_PATIENCE, style="")
    from cogmem_serve import create_app, require

    require()
    from cogmem_serve.connections import server
    from cogmem_serve.guard import Limits, host_names
    from cogmem_serve.keys import KEYS_FILE, KeyRing
    from cogmem_serve.sessions import LoginTokens

    host_names("--host", [host])
    names = host_names("--host-name", host_name or ())
    local = _is_loopback(host)
    with ExitStack() as stack:
        if with_demo:
            stack.enter_context(_demo_bank(shell))
        engine = stack.enter_context(
            shell.engine(create=True, llm=shell.language_model(llm), dreams=True)
        )
        keys = KeyRing(shell.folder / KEYS_FILE)
        if not local:
            _check_keys(host, keys)
        logins = LoginTokens()
        mounts, lifespans = {}, []
        if find_spec("mcp") is not None:
            from cogmem_serve.agents import mcp_app

            mounts["/mcp"], lifespan = mcp_app(engine)
            lifespans.append(lifespan)
        limits = Limits(body_bytes=body_bytes, requests_per_minute=rate, readers=readers)
        app = create_app(
            engine,
            keys=keys,
            logins=logins,
            hosts=names,
            limits=limits,
            namespace=shell.namespace if shell.namespace_given else "",
            open_metrics=local,
            mounts=mounts,
            lifespans=lifespans,
        )
        with _listening(host, port) as listener:
            address = f"http://{_written(host)}:{listener.getsockname()[1]}"
            login = f"{address}/login?token={logins.issue()}" if local else f"{address}/login"
            how = "once" if local else "with a key"
            lines = f"cogmem listens on {address}\nlog in {how}: {login}"
            shell.show({"address": address, "login": login}, lines)
            sys.stdout.flush()
            _run(server(app, limits), listener)


def demo(shell: Shell) -> None:
    """Fill the namespace with a story to look at: four months of a conversation, plans, dreams."""
    shell.note(_PATIENCE, style="")
    from cogmem_serve.demo import NAMESPACE

    if not shell.namespace_given:
        shell.namespace = NAMESPACE
    turn_count = _tell(shell)
    text = f"told {shell.namespace!r} {turn_count} turns; `cogm serve` shows what came of them"
    if not turn_count:
        text = f"{shell.namespace!r} holds memories already; name another with -n"
    shell.show({"namespace": shell.namespace, "turns": turn_count}, text)


@contextmanager
def _demo_bank(shell: Shell) -> Iterator[None]:
    """Have the shell use a bank with the story in it, in a folder that is removed in the end."""
    from cogmem_serve.demo import NAMESPACE, ZONE

    with tempfile.TemporaryDirectory(prefix="cogmem-demo-") as folder:
        shell.folder = Path(folder) / "bank"
        shell.folder_given = True
        shell.namespace = NAMESPACE
        shell.folder.mkdir()
        settings = f'[encoding]\ntimezone = "{ZONE}"\n'
        (shell.folder / "cogmem.toml").write_text(settings, encoding="utf-8")
        _tell(shell)
        yield


def _tell(shell: Shell) -> int:
    """Tell the namespace the story; returns how many turns were told."""
    from cogmem_serve.demo import StoryClock, fill

    clock = StoryClock()
    title = "telling the story"
    with (
        shell.engine(create=True, clock=clock) as engine,
        loading(shell, engine),
        bar(shell, title) as advance,
    ):
        bank = engine.bank(shell.namespace)
        return fill(bank, clock, lambda done, total: advance(title, done, total))


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _check_keys(host: str, keys: KeyRing) -> None:
    """Raise `InvalidInput` if nobody could call: others than this machine need a key."""
    if not any(not key.is_expired(keys.now()) for key in keys.all()):
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


def _run(server: uvicorn.Server, listener: socket.socket) -> None:
    # uvicorn sends the signal that ended it once more when it is done: the bank is closed then.
    former_handler = signal.signal(signal.SIGTERM, _leave)
    try:
        server.run(sockets=[listener])
    finally:
        signal.signal(signal.SIGTERM, former_handler)


def _leave(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def mcp(
    shell: Shell,
    *,
    session: Annotated[
        str | None, typer.Option(help="The conversation. Default: one of its own.")
    ] = None,
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Offer only the tools that change nothing.")
    ] = False,
    llm: LanguageModel = None,
) -> None:
    """Serve the namespace to a coding agent over MCP (stdio): recall, remember, forget, why, due.

    The agent starts it; `cogm hooks install` writes its configuration. Any number of them may run on one bank.
    """
    from cogmem_serve.mcp import serve_stdio

    if shell.interactive:
        shell.note("waiting for an agent that speaks MCP on standard input; Ctrl-D ends it")
    model = shell.language_model(llm)
    with shell.bank(create=True, llm=model, dreams=True) as bank:
        serve_stdio(bank, session_id=session, read_only=read_only)


COMMANDS = (
    serve,
    demo,
    mcp,
)
