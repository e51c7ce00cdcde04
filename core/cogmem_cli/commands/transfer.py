"""Commands that move memories: export, import; of one namespace, or of all."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, TextIO, cast
from urllib.parse import quote

import typer

from cogmem_cli.options import Conversation, Filters
from cogmem_cli.progress import bar
from cogmem_cli.shell import Shell
from cogmem_cli.values import line, some
from cogmem_cli.values import others as in_words
from cogmem_core.base.digests import text_digest
from cogmem_core.base.reprs import plain
from cogmem_core.errors import InvalidInput, StoreError
from cogmem_core.text.plural import counted

if TYPE_CHECKING:
    from cogmem_core.results import ImportReport
    from cogmem_core.transfer import Stream


_SUFFIX = ".jsonl"
_STANDARD = "-"
_LONGEST = 180  # characters of a file's name; file systems take 255 bytes
_HEADER = (
    65_536  # characters; a header holds the names of a namespace (4,096 at most) and of an embedder
)
_ADDED = ("cogmem", "langgraph", "markdown", "mcp", "mem0", "skill")
"""Formats that hold memories; the others hold what was said."""
_KINDS = {
    "item": "documents",
    "intention": "intentions",
    "procedure": "procedures",
    "task_run": "runs",
}
"""What the lines of an export say of their kind, in our words."""
_KIND = re.compile(rf'"kind": "({"|".join(_KINDS)})"'.encode())
_UPPER = re.compile(r"[A-Z]")
TargetFile = Annotated[
    Path,
    typer.Argument(
        help="JSON Lines, replaced if it exists; - is standard output. With --all, or of Markdown, "
        "a folder."
    ),
]
SourceFile = Annotated[
    Path,
    typer.Argument(
        help="A file that `export` or another tool wrote, or that tool's folder or zip archive, such "
        "as a vault of Obsidian's; - is standard input. With --all, a folder."
    ),
]
EveryOut = Annotated[
    bool, typer.Option("--all", help="Every namespace, each into a file of the folder FILE.")
]
EveryIn = Annotated[
    bool, typer.Option("--all", help="Every file of the folder FILE, each into its own namespace.")
]
Form = Annotated[
    str,
    typer.Option(
        "--format",
        help="auto (as it looks), cogmem, chatgpt, claude, openwebui, langchain, langgraph, "
        "llamaindex, mem0, zep, letta, mcp, markdown, jsonl, csv, skill.",
    ),
]
Written = Annotated[
    str,
    typer.Option(
        "--format",
        help="cogmem (JSON Lines, without loss), or markdown: a folder with a file for each memory, "
        "to be read, edited and imported again.",
    ),
]
ForgetRemoved = Annotated[
    bool,
    typer.Option(
        "--forget-removed",
        help="Of Markdown: forget the memories whose file is gone from the folder.",
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        help="FIELD=COLUMN of a table, repeatable; FIELD is content, role, speaker, at, session_id "
        "or ref.",
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be imported.")]
Trust = Annotated[float | None, typer.Option(help="0..1, of a file that is not your own.")]


def export(
    shell: Shell,
    file: TargetFile,
    *,
    form: Written = "cogmem",
    every: EveryOut = False,
    filters: Filters,
    session: Conversation = None,
) -> None:
    """Write the memories of the namespace, or of each (--all), to a file that `import` reads without loss."""
    within = {**filters, "session_id": session}
    if every:
        if form != "cogmem":
            raise InvalidInput(
                "--all writes JSON Lines; leave --format out, or export one namespace"
            )
        if any(value is not None for value in within.values()):
            raise InvalidInput("--all exports everything; leave the filters out")
        _export_all(shell, file)
        return
    tally = _Tally()
    target: Path | Stream = file
    if str(file) == _STANDARD:
        target = _stream("standard output", sys.stdout)
        tally = _Tally(target.file)
        target = replace(target, file=cast("BinaryIO", tally))
    with (
        shell.bank(read_only=True) as bank,
        bar(shell, "exporting") as advance,
        _closed_pipe(),
    ):
        count = bank.export(target, form, progress=partial(advance, "exporting"), **within)
        other_names = [name for name in bank.engine.namespaces() if name != bank.namespace]
    if target is file:
        tally.read(file)
    told = f"exported {', '.join([counted(count), *in_words(tally.counts)])} to {target}"
    if target is file:
        shell.show({"path": str(file), "memories": count, **tally.counts}, told)
    else:
        shell.note(told, style="")
    if other_names:
        shell.note(
            f"other namespaces were not exported: {some(other_names)}; `cogm export --all DIR` writes "
            "every one"
        )


def import_(
    shell: Shell,
    file: SourceFile,
    *,
    form: Form = "auto",
    columns: Columns = None,
    trust: Trust = None,
    forget_removed: ForgetRemoved = False,
    dry_run: DryRun = False,
    every: EveryIn = False,
) -> None:
    """Read an exported file, or a folder (--all); memories that exist already are left alone."""
    pairs = [column.partition("=") for column in columns or ()]
    if not all(name and column for name, _, column in pairs):
        raise InvalidInput("--map takes FIELD=COLUMN, such as content=text")
    mapping = {name: column for name, _, column in pairs} or None
    if every:
        if mapping or dry_run:
            raise InvalidInput(
                "--all reads what `export --all` wrote; leave --map and --dry-run out"
            )
        if form not in ("auto", "cogmem"):
            raise InvalidInput(
                "--all reads what `export --all` wrote; leave --format out, or import one file"
            )
        _import_all(shell, file, trust)
        return
    source = _stream("standard input", sys.stdin) if str(file) == _STANDARD else file
    with (
        shell.bank(create=True) as bank,
        bar(shell, "importing", bank.engine) as advance,
    ):
        report = bank.import_(
            source,
            form,
            trust=trust,
            mapping=mapping,
            removed="forget" if forget_removed else "keep",
            dry_run=dry_run,
            progress=partial(advance, "importing"),
        )
    shell.show(report, _outcome(report))
    if report.passed:
        reasons = (f"{count} {reason}" for reason, count in sorted(report.passed.items()))
        shell.note(f"read as {report.format}; passed over: {', '.join(reasons)}", style="")
    for problem in report.problems:
        shell.note(line(problem))
    if report.removed:
        one = len(report.removed) == 1
        fate = f"{'stays' if one else 'stay'}; --forget-removed forgets {'it' if one else 'them'}"
        if forget_removed:
            fate = f"{'is' if one else 'are'} forgotten; `cogm restore` brings one back"
            fate = "would be forgotten" if dry_run else fate
        files = counted(len(report.removed), "file is gone", "files are gone")
        whose = "its memory" if one else "their memories"
        shell.note(f"{files}: {some(report.removed)}; {whose} {fate}")
    if report.format == "cogmem":
        _note_edited_texts(shell, report.edited)


def _outcome(report: ImportReport) -> str:
    units = () if report.format in _ADDED else ("turn", "turns")
    stored = "would be stored" if report.dry_run else "stored"
    parts = [f"{report.stored} {stored}", f"{report.known} known already"]
    empty_count = report.read - report.stored - report.known
    if "markdown" in report.format:
        parts.append(f"{report.edited} {'would be edited' if report.dry_run else 'edited'}")
        empty_count -= report.edited
    if empty_count:
        parts.append(f"{empty_count} without anything to remember")
    return f"read {counted(report.read, *units)}: {', '.join(parts)}{_also(report.others)}"


def _also(others: Mapping[str, int]) -> str:
    return f"; also {', '.join(in_words(others))}" if others else ""


def _export_all(shell: Shell, folder: Path) -> None:
    _check_all(shell, folder)
    with shell.engine() as engine, bar(shell, "exporting") as advance:
        engine.pause()
        names = engine.namespaces()
        _make_folder(folder)
        rows = []
        total = 0
        tally = _Tally()
        for name in names:
            path = folder / file_name(name)
            count = engine.bank(name).export(path, progress=partial(advance, line(name)))
            tally.read(path)
            rows.append({"namespace": name, "path": str(path), "memories": count})
            total += count
    spaces = counted(len(names), "namespace", "namespaces")
    shell.show(
        {"path": str(folder), "memories": total, **tally.counts, "files": rows},
        f"exported {', '.join([counted(total), *in_words(tally.counts)])} of {spaces} to {folder}",
    )
    written = {row["path"] for row in rows}
    old_files = sorted(path.name for path in folder.glob(f"*{_SUFFIX}") if str(path) not in written)
    if old_files:
        shell.note(
            f"left as they were, since no namespace of this bank is in them: {some(old_files)}"
        )


def _import_all(shell: Shell, folder: Path, trust: float | None) -> None:
    """All headers are read before the first memory is stored."""
    _check_all(shell, folder)
    files = sorted(folder.glob(f"*{_SUFFIX}")) if folder.is_dir() else []
    if not files:
        raise InvalidInput(
            f"there is no {_SUFFIX} file in {folder}; give a folder that `export --all` wrote"
        )
    spaces = {path: _namespace_of(path) for path in files}
    with (
        shell.engine(create=True) as engine,
        bar(shell, "importing", engine) as advance,
    ):
        banks = {path: engine.bank(name) for path, name in spaces.items()}
        rows = []
        problems: list[str] = []
        others = Counter[str]()
        sums = dict.fromkeys(("read", "stored", "known", "edited"), 0)
        for path, bank in banks.items():
            progress = partial(advance, line(bank.namespace))
            report = bank.import_(path, trust=trust, progress=progress)
            problems += report.problems
            others.update(report.others)
            rows.append({"namespace": bank.namespace, "path": str(path), **plain(report)})
            for count_name in sums:
                sums[count_name] += getattr(report, count_name)
    outcome = f"{sums['stored']} stored, {sums['known']} known already"
    shell.show(
        {**sums, "others": others, "files": rows},
        f"read {counted(sums['read'])} of {counted(len(files), 'file', 'files')}: {outcome}"
        f"{_also(others)}",
    )
    for problem in problems:
        shell.note(line(problem))
    _note_edited_texts(shell, sums["edited"])


def _note_edited_texts(shell: Shell, count: int) -> None:
    if count:
        texts = counted(count, "text is", "texts are")
        stand = "it stands" if count == 1 else "they stand"
        shell.note(
            f"{texts} not as exported (edited in the file, or damaged in the bank that it comes "
            f"from); taken as {stand}"
        )


class _Tally:
    """Counts what an export holds beside memories: written through it, or read from a file.

    `counts`: by kind.
    """

    def __init__(self, file: BinaryIO | None = None) -> None:
        self.counts: Counter[str] = Counter()
        self._file = file

    def write(self, text: bytes) -> int:
        """A line."""
        if _KIND.search(text) and (kind := json.loads(text)["kind"]) in _KINDS:
            self.counts[_KINDS[kind]] += 1
        return self._file.write(text) if self._file else len(text)

    def flush(self) -> None:
        """Also what it writes to."""
        if self._file:
            self._file.flush()

    def read(self, path: Path) -> None:
        """The lines of a file; a folder, a pipe or a device cannot be read again."""
        if path.is_file():
            with path.open("rb") as file:
                for text in file:
                    self.write(text)


def _stream(name: str, text: TextIO | None) -> Stream:
    if text is None or text.closed:
        raise InvalidInput(f"{name} is closed; name a file")
    from cogmem_core.transfer import Stream

    return Stream(name, text.buffer)


@contextmanager
def _closed_pipe() -> Iterator[None]:
    """Who reads standard output may end early.

    What is left in the buffer must not fail once more at the exit.
    """
    try:
        yield
    except StoreError as error:
        if isinstance(error.__cause__, BrokenPipeError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
        raise


def _check_all(shell: Shell, folder: Path) -> None:
    """Refuse what --all cannot be about."""
    if shell.one_namespace:
        raise InvalidInput("--all is about every namespace; leave --namespace out")
    if str(folder) == _STANDARD:
        raise InvalidInput("--all is about a folder of files; name one instead of -")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except FileExistsError as error:
        raise InvalidInput(f"{folder} is a file; with --all, give a folder") from error
    except OSError as error:
        raise StoreError(
            f"cannot make the folder {folder}: {error.strerror or error}; name another one"
        ) from error


def file_name(namespace: str) -> str:
    """The name of a namespace's file: percent-encoded; cut and with a hash where that alone would not do.

    It would not do where the name is too long, or differs from another one only in its capitals,
    which some file systems take for the same. No other name has a "+".
    """
    name = quote(namespace, safe="")
    name = f"%2E{name[1:]}" if name.startswith(".") else name
    if len(name) > _LONGEST or _UPPER.search(namespace):
        name = f"{name[:_LONGEST]}+{text_digest(namespace, 16)}"
    return f"{name}{_SUFFIX}"


def _namespace_of(path: Path) -> str:
    """The namespace that an exported file comes from.

    The rest of the file is checked when it is imported.
    """
    from cogmem_core.transfer.records import FORMAT

    try:
        with path.open(encoding="utf-8") as file:
            head = json.loads(file.readline(_HEADER))
    except OSError as error:
        raise InvalidInput(
            f"cannot read {path}: {error.strerror or error}; make it readable"
        ) from error
    except (ValueError, RecursionError):
        head = None
    valid = (
        isinstance(head, dict)
        and head.get("format") == FORMAT
        and isinstance(head.get("namespace"), str)
    )
    if not valid:
        raise InvalidInput(
            f"{path} is no cogm export: its first line is not a cogmem header; move it elsewhere"
        )
    return str(head["namespace"])


COMMANDS = (export, import_)
