"""Where an export goes to and an import comes from: files, folders, archives, streams, what only looks like a file."""

from __future__ import annotations

import codecs
import io
import os
import re
import shutil
import stat
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple, TextIO

from cogmem_core.base.files import replacing
from cogmem_core.errors import InvalidInput

LARGEST = 32 * 1024 * 1024
"""Characters of one entry of a file; the whole may be of any length."""
_LINKS = 40  # as many as Linux follows
_KERNEL = ("/proc/", "/dev/fd/", "/dev/std")
"""What is reached through them is the process's own, even if it is a file: it is written into, never replaced.

`/dev/shm` is a folder like any other.
"""


@dataclass(frozen=True, slots=True)
class Stream:
    """An open binary file, such as standard input; who opened it closes it.

    `name`: what messages call it.
    """

    name: str
    file: BinaryIO

    def __str__(self) -> str:
        return self.name


Place = Path | Stream


class Lines:
    """The lines of a text; those of one entry are bounded."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.begin()

    def begin(self) -> None:
        """What comes now belongs to another entry."""
        self._length = 0

    def __iter__(self) -> Iterator[str]:
        while line := self._file.readline(LARGEST + 1):
            self._length += len(line)
            check_length(self._length)
            yield line


def check_length(length: int) -> None:
    """Refuse an entry that is too long to be held.

    Raises:
        ValueError: it is.
    """
    if length > LARGEST:
        raise ValueError(f"an entry is longer than {LARGEST:,} characters, or broken")


@contextmanager
def reading(place: Place) -> Iterator[TextIO]:
    """The text of a file or stream, UTF-8; a stream stays open."""
    if isinstance(place, Path):
        with place.open(encoding="utf-8") as file:
            yield file
        return
    text = io.TextIOWrapper(place.file, encoding="utf-8")
    try:
        yield text
    finally:
        text.detach()


@contextmanager
def writing(place: Place) -> Iterator[TextIO | codecs.StreamWriter]:
    """A text to be written, UTF-8.

    A file, or the one that a link leads to, appears whole when the block ends, for its owner's eyes
    only, and is as it was if the block fails. A FIFO or a character device is written into.

    Raises:
        InvalidInput: the place is a folder, or nothing that an export can be written into.
        OSError: it cannot be written.
    """
    if isinstance(place, Stream):
        yield codecs.getwriter("utf-8")(place.file)
        place.file.flush()
        return
    target = _target(place)
    kind = _kind(target)
    if stat.S_ISDIR(kind):
        raise InvalidInput(f"path is {str(place)!r}, a folder; give the path of the file to write")
    if stat.S_ISBLK(kind) or stat.S_ISSOCK(kind):
        raise InvalidInput(
            f"path is {str(place)!r}, a disk or a socket; give the path of the file to write"
        )
    if kind and (not stat.S_ISREG(kind) or str(target).startswith(_KERNEL)):
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_APPEND), "w", encoding="utf-8") as file:
            yield file
        return
    with replacing(target) as file:
        yield file


def _target(path: Path) -> Path:
    """What a link leads to; a link of the kernel's, such as `/dev/stdout`, is left as it is."""
    target = path.absolute()
    for _ in range(_LINKS):
        if str(target).startswith(_KERNEL) or not target.is_symlink():
            break
        target = target.parent / target.readlink()
    return target


def _kind(path: Path) -> int:
    """The type of what is there, 0 = nothing."""
    try:
        return stat.S_IFMT(path.stat().st_mode)
    except FileNotFoundError:
        return 0


TEXTS = (".md", ".markdown")
_SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".af", *TEXTS)
_TALKS = re.compile(r"(?:.*/)?conversations[^/]*\.json", re.DOTALL)
"""Where an archive holds such files, they are what was said; what lies beside is about the account."""
_BESIDE_TALKS = re.compile(r"(?:.*/)?(?:memories|memories/[^/]+)\.json", re.DOTALL)
"""Beside them, what the model noted."""
_VAULT = ".obsidian"
_ASIDE = re.compile(r"(?:^|/)(?:\.[^/]|__MACOSX/)")
"""What programs keep beside a person's files: settings, what was deleted, what macOS adds."""
_ZIP = b"PK\x03\x04"
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


Source = Path | BinaryIO | tuple[zipfile.ZipFile, str]
"""A path, the file itself, or an archive and the name in it."""


class Document(NamedTuple):
    """A file that can be read again and again.

    Attributes:
        name: what messages call it.
        source: see `Source`.
        is_alone: it is what the caller named, not one of several.
        within: its name within its folder or archive, with "/".
    """

    name: str
    source: Source
    is_alone: bool
    within: str = ""

    @property
    def suffix(self) -> str:
        """Of its name, in lower case."""
        return PurePosixPath(self.name).suffix.casefold()

    @contextmanager
    def text(self) -> Iterator[TextIO]:
        """Its text; UTF-8, or as its byte order mark says."""
        with ExitStack() as stack:
            if isinstance(self.source, Path):
                binary: BinaryIO = stack.enter_context(self.source.open("rb"))
            elif isinstance(self.source, tuple):
                archive, member = self.source
                binary = io.BufferedReader(stack.enter_context(archive.open(member)))  # type: ignore[type-var]
            else:
                binary = self.source
                binary.seek(0)
            begin = binary.read(4)
            binary.seek(0)
            encoding = next((name for mark, name in _BOMS if begin.startswith(mark)), "utf-8")
            text = io.TextIOWrapper(binary, encoding=encoding, newline="")
            try:
                yield text
            finally:
                text.detach()  # who opened the file closes it


class Chosen(NamedTuple):
    """The files of an export, and the names of those beside them that are of another kind, though readable."""

    files: Sequence[Document]
    beside: Sequence[str] = ()


@contextmanager
def documents(place: Place, suffixes: Sequence[str]) -> Iterator[Chosen]:
    """The files of an export, by name; a stream and a pipe are kept in a file of their own meanwhile.

    `suffixes`: of which kinds; without any, Markdown counts where there is no other kind, or where
    a folder is a vault of Obsidian's.

    Raises:
        InvalidInput: there is nothing to read.
    """
    with ExitStack() as stack:
        try:
            yield _found(place, suffixes, stack)
        except (OSError, UnicodeDecodeError, zipfile.BadZipFile, RuntimeError) as error:
            # RuntimeError: a password, or a compression that Python does not know.
            raise InvalidInput(
                f"cannot read {place}: {error}; give a file, folder or zip archive as the tool "
                "exported it, or what cogmem's `export` wrote"
            ) from error


def _found(place: Place, suffixes: Sequence[str], stack: ExitStack) -> Chosen:
    if isinstance(place, Stream):
        return _of_file(str(place), _kept(place.file, stack), suffixes, stack)
    if place.is_dir():
        if not suffixes and (place / _VAULT).is_dir():
            suffixes = TEXTS
        root = place.resolve()
        names = {path.relative_to(place).as_posix(): path for path in place.rglob("*")}
        # A link that leads out of the folder is not what was exported.
        files = {
            name: path
            for name, path in names.items()
            if path.is_file() and path.resolve().is_relative_to(root)
        }
        return _chosen(str(place), files, suffixes)
    if not stat.S_ISREG(place.stat().st_mode):
        with place.open("rb") as pipe:
            return _of_file(str(place), _kept(pipe, stack), suffixes, stack)
    return _of_file(str(place), stack.enter_context(place.open("rb")), suffixes, stack, place)


def _kept(file: BinaryIO, stack: ExitStack) -> BinaryIO:
    copy = stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
    shutil.copyfileobj(file, copy)
    return copy


def _of_file(
    name: str,
    file: BinaryIO,
    suffixes: Sequence[str],
    stack: ExitStack,
    path: Path | None = None,
) -> Chosen:
    file.seek(0)
    begin = file.read(len(_ZIP))
    if not begin:
        raise InvalidInput(f"{name} is empty; give the file as it was exported")
    if begin != _ZIP:
        within = path.name if path else ""
        return Chosen([Document(name, path or file, is_alone=True, within=within)])
    archive = stack.enter_context(zipfile.ZipFile(file))
    members = [info.filename for info in archive.infolist() if not info.is_dir()]
    return _chosen(name, {member: (archive, member) for member in members}, suffixes)


def _chosen(place: str, sources: Mapping[str, Source], suffixes: Sequence[str]) -> Chosen:
    """Which files are read, and which are not, though they could be."""
    kinds = suffixes or _SUFFIXES
    readable = sorted(
        name
        for name in sources
        if PurePosixPath(name).suffix.casefold() in kinds and not _ASIDE.search(name)
    )
    if not readable:
        raise InvalidInput(
            f"cannot read {place}: it holds no file of {', '.join(kinds)}; give what the tool exported, or "
            "a file that cogmem's `export` wrote"
        )
    chosen = readable
    if not suffixes:
        others = [name for name in chosen if PurePosixPath(name).suffix.casefold() not in TEXTS]
        chosen = others or chosen
    if any(map(_TALKS.fullmatch, chosen)):
        talks = (_TALKS, _BESIDE_TALKS)
        chosen = [name for name in chosen if any(kind.fullmatch(name) for kind in talks)]
    alone = len(chosen) == 1
    files = [Document(f"{place}/{name}", sources[name], alone, name) for name in chosen]
    return Chosen(files, sorted(set(readable).difference(chosen)))
