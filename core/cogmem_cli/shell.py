"""What every command shares: its options, where the bank is, how results and failures are written."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import platformdirs
import typer
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from cogmem_cli.examples import ALIASES, EXAMPLES, GROUPS
from cogmem_cli.options import OPTIONS, Filters
from cogmem_cli.values import (
    LogAndContinue,
    clean,
    document,
    in_commands,
    show_times_in,
    some,
    table_cells,
    zone_shown,
)
from cogmem_core.errors import CogMemError, ConfigError, InvalidInput, StoreError

if TYPE_CHECKING:
    from cogmem_core.base.runtime import Clock
    from cogmem_core.config import Config
    from cogmem_core.engine import Engine, MemoryBank


PANEL = "Options of every command"
FORMER_FOLDER = "~/.cogmem"
DEFAULT_NAMESPACE = "default"
PIPE_WIDTH = 120

Place = Annotated[
    Path | None,
    typer.Option(
        "--path",
        help="The bank's folder. Default: $COGMEM_PATH, else `cogmem-core` in the platform's folder for data.",
        rich_help_panel=PANEL,
    ),
]
Namespace = Annotated[
    str | None,
    typer.Option(
        "--namespace",
        "-n",
        help=f"Whose memories. Default: $COGMEM_NAMESPACE, else {DEFAULT_NAMESPACE!r}.",
        rich_help_panel=PANEL,
    ),
]
Embedder = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        help="minilm, minilm-int8, hashing, openai:<model>, ollama:<model>, fastembed:<model>, "
        "sentence-transformers:<model> or litellm:<provider>/<model>. Default: the one that the bank was written with, "
        "else $COGMEM_EMBEDDER, else minilm.",
        rich_help_panel=PANEL,
    ),
]
LanguageModel = Annotated[
    str | None,
    typer.Option(
        "--llm",
        help="openai:<model>, ollama:<model>, anthropic:<model> or litellm:<provider>/<model>: a language model forms "
        "and judges facts. Default: $COGMEM_LLM, else none.",
    ),
]
Json = Annotated[
    bool,
    typer.Option(
        "--json", help="Write one JSON document instead of tables.", rich_help_panel=PANEL
    ),
]
_COMMON: dict[str, tuple[Any, Any]] = {
    "path": (Place, None),
    "namespace": (Namespace, None),
    "embedder": (Embedder, None),
    "json": (Json, False),
}


def current_folder() -> Path:
    """The platform's folder for cogmem's data."""
    return platformdirs.user_data_path("cogmem-core", appauthor=False)


def former_folder() -> Path:
    """Where version 0.1 kept the bank if nobody said where."""
    return Path(FORMER_FOLDER).expanduser()


def default_folder() -> Path:
    """Where the bank is if nobody says so: in the platform's folder for data, or where version 0.1 kept it.

    Raises:
        ConfigError: the system does not tell where the user's folders are.
    """
    try:
        current = current_folder()
        former = former_folder()
    except RuntimeError as error:
        raise ConfigError(
            "there is no home folder; name the bank's folder with --path or COGMEM_PATH"
        ) from error
    return former if former.exists() and not current.exists() else current


class Shell:
    """One run of the command: resolves the options, opens the bank, writes the answer.

    Attributes:
        folder_given: an option or the environment says where the bank is.
        one_namespace: an option, not the environment, names the namespace.
        namespace_given: an option or the environment names the namespace; else it is the default.
    """

    def __init__(
        self,
        path: Path | None = None,
        namespace: str | None = None,
        embedder: str | None = None,
        json: bool = False,
    ) -> None:
        self._path = path if path is not None else os.environ.get("COGMEM_PATH")
        self.folder_given = bool(self._path)
        usual_namespace = os.environ.get("COGMEM_NAMESPACE")
        self.one_namespace = namespace is not None
        self.namespace_given = self.one_namespace or bool(usual_namespace)
        self.namespace = usual_namespace or DEFAULT_NAMESPACE if namespace is None else namespace
        self.embedder = embedder
        self.json = json
        self.out = _console(stderr=False)
        self.err = _console(stderr=True)

    @cached_property
    def folder(self) -> Path:
        """The bank's folder.

        Raises:
            ConfigError: nobody names it and the system does not tell where it would be, or the path
                begins with the home of a user whom the system does not know.
        """
        if not self._path:
            return default_folder()
        try:
            return Path(self._path).expanduser()
        except RuntimeError as error:
            raise ConfigError(
                f"the bank's folder is {str(self._path)!r}: {error}; write the home folder out"
            ) from error

    def check_embedder(self) -> None:
        """Raise `ConfigError` if `--embedder` names none: objects of a program's own are not for the command line."""
        if self.embedder is None:
            return
        from cogmem_core.edge.checks import display
        from cogmem_core.embedders import EMBEDDERS, NAMES

        if self.embedder.partition(":")[0] not in EMBEDDERS:
            raise ConfigError(f"unknown embedder {display(self.embedder)}; use {NAMES}")

    def require_namespace(self, engine: Engine) -> None:
        """Raise `InvalidInput` if the bank does not know the namespace.

        Names the nearest one that it knows.
        """
        names = engine.namespaces()
        if self.namespace in names:
            return
        near = get_close_matches(self.namespace, names, 1, 0.0)
        advice = "the bank has none yet"
        if near:
            advice = f"the nearest one is {near[0]!r}; the bank has {some(names)}"
        raise InvalidInput(f"there is no namespace {self.namespace!r}; {advice}")

    def namespace_hint(self, engine: Engine) -> str:
        """What to add where nothing was found: the bank's namespaces, if it does not know this one."""
        names = engine.namespaces()
        if not names or self.namespace in names:
            return ""
        return f"; the bank has {some(names)}"

    def empty_reason(self, engine: Engine, reason: str) -> str:
        """Why nothing was found, with the name of the namespace."""
        text = clean(in_commands(reason)).replace("this namespace", f"namespace {self.namespace!r}")
        return f"{text}{self.namespace_hint(engine)}"

    @property
    def for_people(self) -> bool:
        """True if tables are drawn: on a terminal, or where `COLUMNS` says how wide they are.

        Programs read one line per row, with tabs between the cells.
        """
        return self.out.is_terminal or "COLUMNS" in os.environ

    @property
    def interactive(self) -> bool:
        """True if a person can be asked."""
        return not self.json and sys.stdin is not None and sys.stdin.isatty()

    def show(self, value: Any, *human: RenderableType) -> None:
        """Write the answer: `value` as the JSON document, or else `human` for people."""
        if self.json:
            typer.echo(document(value, getattr(sys.stdout, "encoding", None)))
            return
        for part in human:
            if isinstance(part, Table) and not self.for_people:
                for cells in table_cells(part):
                    sys.stdout.write("\t".join(cells) + "\n")
                continue
            # Sentences are wrapped by the terminal, if there is one; tables know its width.
            printable = clean(part) if isinstance(part, str) else part
            self.out.print(printable, soft_wrap=isinstance(part, (str, Text)))
        if zone := zone_shown():
            self.note(f"times are those of {zone}", style="dim")

    def note(self, text: str, style: str = "yellow") -> None:
        """A remark for people, beside the answer; nothing with `--json`."""
        if not self.json:
            self.err.print(Text(clean(in_commands(text)), style=style), soft_wrap=True)

    def report(self, kind: str, message: str, code: int) -> int:
        """Write a failure to stderr; returns the exit code."""
        message = in_commands(message)
        if self.json:
            problem = {"error": {"type": kind, "message": message}}
            typer.echo(document(problem, getattr(sys.stderr, "encoding", None)), err=True)
        else:
            self.err.print(Text.assemble(("error: ", "bold red"), clean(message)), soft_wrap=True)
        return code

    @contextmanager
    def report_errors(self) -> Iterator[None]:
        """Turn what cogmem raises into a message and an exit code."""
        try:
            yield
        except CogMemError as error:
            code = 2 if isinstance(error, (InvalidInput, ConfigError)) else 1
            raise typer.Exit(self.report(type(error).__name__, str(error), code)) from error
        except KeyboardInterrupt as error:
            raise typer.Exit(130) from error
        except typer.Abort as error:
            # A question that got no answer: Ctrl-C, or the end of the input.
            raise typer.Exit(
                130 if isinstance(error.__context__, KeyboardInterrupt) else 1
            ) from error

    def config(self, *, with_folder: bool = True) -> Config:
        """The settings in force, with those of the bank's folder.

        Wrong ones are a failure of the set-up, not usage.
        """
        from cogmem_core.config.loading import load_config

        folder = self.folder if with_folder else None
        try:
            return load_config(folder)
        except ConfigError as error:
            raise typer.Exit(self.report("ConfigError", str(error), 1)) from error

    @contextmanager
    def engine(
        self,
        *,
        create: bool = False,
        as_stored: bool = False,
        llm: str | None = None,
        read_only: bool = False,
        dreams: bool = False,
        clock: Clock | None = None,
    ) -> Iterator[Engine]:
        """The engine on the folder, open until the block ends.

        Args:
            create: make a missing bank; otherwise it is a `StoreError`.
            as_stored: open it with the embedder it was written with, whatever `--embedder` says.
            llm: the language model; see `language_model`.
            read_only: nothing is written, so that a folder that nobody may write to will do, and the
                vector index is not loaded only to bring it up to date; what it lacks is searched.
            dreams: dream cycles start as configured; else only when a command says so.
            clock: the system's if None.
        """
        from cogmem_cli.stored import bank_exists, stored_embedder
        from cogmem_core.engine import open as open_engine

        config = self.config()
        show_times_in(config.encoding.timezone)
        # A command does what it says: dream cycles are started by `cogm dream`, or by the program
        # that uses the bank.
        if not dreams:
            config = manual(config)
        exists = bank_exists(self.folder, config)
        if not self.folder_given and self.folder == former_folder():
            self.note(
                f"this bank is in {self.folder}, where version 0.1 kept it; move it to "
                f"{current_folder()}, or set COGMEM_PATH to stay with it"
            )
        if not exists and not create:
            raise StoreError(
                f"there is no memory bank in {self.folder}; make one with `cogm init`, "
                "or name another folder with --path or COGMEM_PATH"
            )
        requested = None if as_stored else self.embedder
        frozen = read_only and exists and not config.storage.ledger_url
        frozen = frozen and not os.access(self.folder, os.W_OK)
        stored = None
        if exists and requested is None:
            stored = stored_embedder(self.folder, config, frozen=frozen)
        embedder = requested or stored or os.environ.get("COGMEM_EMBEDDER") or "minilm"
        with open_engine(
            self.folder, config=config, embedder=embedder, llm=llm, clock=clock, read_only=frozen
        ) as engine:
            if read_only:
                engine.pause()
            yield engine

    def language_model(self, option: str | None) -> str | None:
        """The model that `--llm` names, else the environment; "" names none."""
        return (os.environ.get("COGMEM_LLM") if option is None else option) or None

    @contextmanager
    def bank(
        self,
        *,
        create: bool = False,
        read_only: bool = False,
        must_exist: bool = False,
        llm: str | None = None,
        dreams: bool = False,
    ) -> Iterator[MemoryBank]:
        """The namespace's memories, open until the block ends.

        Args:
            create: as in `engine`.
            read_only: as in `engine`.
            must_exist: a namespace that somebody named must be one of the bank's.
            llm: as in `engine`.
            dreams: as in `engine`.
        """
        with self.engine(create=create, llm=llm, read_only=read_only, dreams=dreams) as engine:
            if must_exist and self.namespace_given:
                self.require_namespace(engine)
            yield engine.bank(self.namespace)

    def existing_bank(self) -> AbstractContextManager[MemoryBank]:
        """The namespace's memories, to be looked at: one that somebody named must be there."""
        return self.bank(read_only=True, must_exist=True)


def manual(config: Config) -> Config:
    """The configuration without dream cycles of its own: a measurement moves the clock by months."""
    return replace(config, consolidation=replace(config.consolidation, trigger="manual"))


def add_commands(app: typer.Typer, module: ModuleType) -> None:
    """Register the COMMANDS of a module, in the group that it is named after if it has a GROUP.

    Each `function(shell, ...)` becomes a command that also takes the options of every command; its
    examples, its group and its other names are those of `examples`. GROUPS are groups within it:
    `keys_sessions_end` is `cogm keys sessions end` where `sessions` is one of them.
    """
    place = module.__name__.rpartition(".")[2]
    about: str = getattr(module, "GROUP", "")
    commands = app
    if about:
        commands = typer.Typer(help=about, no_args_is_help=True)
        app.add_typer(commands, name=place, rich_help_panel=_panel(place))
    within = {name: typer.Typer(help=text) for name, text in getattr(module, "GROUPS", {}).items()}
    for name, inner in within.items():
        commands.add_typer(inner, name=name)
    for function in module.COMMANDS:
        name = function.__name__.rstrip("_").replace("_", "-").removeprefix(f"{place}-")
        group, _, rest = name.partition("-")
        owner = within.get(group, commands)
        name = rest if group in within else name
        key = " ".join(filter(None, (about and place, group if group in within else "", name)))
        lines = "\n\n".join(EXAMPLES[key])
        run = _with_common(function)
        epilog = f"Examples:\n\n{lines}"
        owner.command(name, epilog=epilog, rich_help_panel=_panel(key))(run)
        for other in ALIASES.get(key, ()):
            owner.command(other, epilog=epilog, hidden=True)(run)


def _panel(name: str) -> str | None:
    """The heading under which the help tells a command."""
    return next((title for title, names in GROUPS.items() if name in names), None)


def _with_common(function: Callable[..., None]) -> Callable[..., None]:
    def run(**options: Any) -> None:
        # Options may stand before the command, too; behind it they count more.
        common: dict[str, Any] = dict(options.pop("ctx").obj or {})
        for name, (_, absent) in _COMMON.items():
            given = options.pop(name)
            if given != absent:
                common[name] = given
        shell = Shell(**common)
        with shell.report_errors():
            shell.check_embedder()
            if filters:
                options[filters] = Filters.given(
                    {name: options.pop(name) for name in OPTIONS}, shell
                )
            function(shell, **options)

    hints = {
        name: _annotated(hint)
        for name, hint in get_type_hints(function, include_extras=True).items()
    }
    filters = next((name for name, hint in hints.items() if hint is Filters), "")
    _, *own = inspect.signature(function).parameters.values()
    parameters = [
        inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    ]
    for item in own:
        if item.name == filters:
            parameters += [_option(name, kind, None) for name, kind in OPTIONS.items()]
        else:
            parameters.append(item.replace(annotation=hints[item.name]))
    parameters += [_option(name, kind, value) for name, (kind, value) in _COMMON.items()]
    run.__name__ = function.__name__
    run.__doc__ = function.__doc__
    run.__annotations__ = {item.name: item.annotation for item in parameters}
    run.__dict__["__signature__"] = inspect.Signature(parameters)
    return run


def _option(name: str, kind: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _annotated(hint: Any) -> Any:
    """The hint as it was written: Python 3.10 wraps it in Optional once more where the default is None."""
    return next((part for part in get_args(hint) if get_origin(part) is Annotated), hint)


def _console(*, stderr: bool) -> Console:
    """No markup, no emoji codes: what is printed are people's own words."""
    stream: Any = LogAndContinue(sys.stderr if stderr else sys.stdout)
    console = Console(file=stream, stderr=stderr, markup=False, emoji=False, highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = PIPE_WIDTH
    return console
