"""A folder of Markdown files, one for each memory, that a person reads and edits.

Beside the files lies what was written (`Written`), by which an edit, a file that is gone, and a memory that
changed since are told apart.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from cogmem_core.config import EncodingConfig
from cogmem_core.encoding.sanitize import redact
from cogmem_core.errors import InvalidInput, StoreError
from cogmem_core.process.services import Services
from cogmem_core.storage.ledger.memories import Filter, pages_of
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.text.plural import first_of
from cogmem_core.transfer.foreign.markdown import SUFFIXES, File
from cogmem_core.transfer.places import Place, check_length, writing

LIVE = ("active", "dormant")
"""States of memories that a vault holds."""
_WRITTEN = ".cogmem-vault.json"
_FORMAT = "cogmem-vault"
_NAMED = 3
_WORDS = 60  # characters of a name
_LONGEST = 240  # bytes of a part of a path
_DEEPEST = 32
_UNSAFE = re.compile(r'[<>:"/\\|?*#^\[\]%\x00-\x1f\x7f]')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Written:
    """What an export wrote into a folder: by path the id of the memory, and the digest of the file."""

    namespace: str
    files: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def read(cls, place: Place) -> Written:
        """What lies in a folder; nothing, with the namespace "", where no export wrote.

        Raises:
            InvalidInput: it is damaged.
        """
        path = place / _WRITTEN if isinstance(place, Path) else None
        if path is None or not path.is_file():
            return cls("")
        try:
            text = path.read_text(encoding="utf-8")
            check_length(len(text))
            kept = json.loads(text)
            files = {
                str(name): (str(entry[0]), str(entry[1])) for name, entry in kept["files"].items()
            }
            return cls(str(kept["namespace"]), files)
        except (
            OSError,
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
            RecursionError,
        ) as error:
            raise InvalidInput(
                f"{path} is damaged: {error}; delete it, and its folder is read as files of another tool"
            ) from error


def export_vault(
    services: Services,
    namespace: str,
    folder: Path,
    progress: Callable[[int, int], None] | None,
    *,
    within: Filter,
    compartments: Sequence[str],
) -> int:
    """Write each memory that holds as a Markdown file; texts of documents are left out.

    What an earlier export wrote there is replaced, and what is no longer here is removed, but
    nothing that somebody edited.

    Returns the number of memories.

    Raises:
        InvalidInput: the folder is a file, or holds what was edited since it was written.
        StoreError: a file cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise InvalidInput(f"path is {str(folder)!r}, a file; with Markdown, give a folder")
    before = Written.read(folder)
    if before.namespace not in ("", namespace):
        raise InvalidInput(f"{folder} is the vault of another namespace; name another folder")
    paths = _Paths(folder, {key: path for path, (key, _) in before.files.items()})
    criteria = replace(within, states=LIVE)
    names = (namespace, *compartments)
    settings = services.sealed(namespace).config.encoding
    files: dict[str, tuple[str, str]] = {}
    try:
        with services.ledger.whole() as reader:
            for file, memory_id in _files(reader, names, criteria):
                files[paths.of(file, memory_id)] = (memory_id, file.digest)
            stale, alike = _checked(folder, before, files, settings)
            by_id = {key: path for path, (key, _) in files.items()}
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            for count, (file, memory_id) in enumerate(_files(reader, names, criteria), 1):
                if by_id[memory_id] not in alike:
                    _write(folder / by_id[memory_id], file.text)
                if progress:
                    progress(count, len(files))
        for path in stale:
            path.unlink(missing_ok=True)
        kept = {"format": _FORMAT, "version": 1, "namespace": namespace, "files": files}
        with writing(folder / _WRITTEN) as target:
            target.write(json.dumps(kept, ensure_ascii=False, indent=0))
    except OSError as error:
        raise StoreError(
            f"cannot write the vault {folder}: {error}; name a folder that can be written"
        ) from error
    return len(files)


def _files(
    reader: Transaction, names: Sequence[str], criteria: Filter
) -> Iterator[tuple[File, str]]:
    for name in names:
        for page in pages_of(reader.at(name).memories, criteria):
            for memory in page:
                if memory.category != "item":
                    yield File.of(memory), memory.id


def _checked(
    folder: Path,
    before: Written,
    files: Mapping[str, tuple[str, str]],
    settings: EncodingConfig,
) -> tuple[list[Path], set[str]]:
    """The files of an earlier export that are no longer written, and the paths of those that stay as they are.

    They stay where only what may not be kept here is left out of what is stored.

    Raises:
        InvalidInput: what somebody edited would be overwritten.
    """
    edited = []
    alike = set[str]()
    for path, (_, digest) in files.items():
        found = _digest(folder / path)
        if found in ("", digest, before.files.get(path, ("", ""))[1]):
            continue
        if _digest(folder / path, settings) == digest:
            alike.add(path)
        else:
            edited.append(path)
    if edited:
        raise InvalidInput(
            f"{folder} holds what was edited since it was written: {first_of(edited, _NAMED)}; import "
            "it first, or name another folder"
        )
    kept = set(map(_folded, files))
    stale = [
        folder / path
        for path, (_, digest) in before.files.items()
        if _folded(path) not in kept and _is_safe(path) and _digest(folder / path) == digest
    ]
    return stale, alike


def _digest(path: Path, settings: EncodingConfig | None = None) -> str:
    """Of a file that is there, with settings without what they do not let be kept; else ""."""
    if not path.is_file():
        return ""
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return "no text"
    return File("", "", redact(text, settings) if settings else text, "").digest


def _write(path: Path, text: str) -> None:
    """A file appears whole, for its owner's eyes only, and only if it says something else."""
    data = text.encode("utf-8")
    if path.is_file() and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(".cogmem.part")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)
    draft.replace(path)


class _Paths:
    """Gives each memory a path of its own within the folder, the one that it had if that is safe."""

    def __init__(self, folder: Path, former: Mapping[str, str]) -> None:
        self._root = folder.resolve()
        self._former = former
        self._taken: set[str] = set()

    def of(self, file: File, memory_id: str) -> str:
        """The path of a memory's file."""
        own = file.path or self._former.get(memory_id, "")
        path = own if self._is_inside(own) else f"{_title(file.body)}.md"
        base, number = path, 1
        while _folded(path) in self._taken:
            number += 1
            stem = PurePosixPath(base)
            path = str(stem.with_name(f"{stem.stem} ({number}){stem.suffix}"))
        self._taken.add(_folded(path))
        return path

    def _is_inside(self, path: str) -> bool:
        """No links lead out of the folder either, and none is written through."""
        if not _is_safe(path):
            return False
        target = self._root / path
        return not target.is_symlink() and target.resolve().is_relative_to(self._root)


def _folded(path: str) -> str:
    """Two paths may be one file where capitals and the way to write an accent make no difference."""
    return unicodedata.normalize("NFC", path).casefold()


def _is_safe(path: str) -> bool:
    """Whether a path, which anybody may have put into a memory, stays within its folder."""
    parts = path.split("/")
    return (
        PurePosixPath(path).suffix.casefold() in SUFFIXES
        and len(parts) <= _DEEPEST
        and "\\" not in path
        and all(map(_is_safe_part, parts))
    )


def _is_safe_part(part: str) -> bool:
    if os.name == "nt" and (_UNSAFE.search(part) or _RESERVED.fullmatch(part) or part[-1:] in ". "):
        return False
    fits = 0 < len(part.encode("utf-8", "replace")) <= _LONGEST
    return fits and part[0] != "." and part.isprintable()


def _title(text: str) -> str:
    """A name that every system takes, made of the first words."""
    words = " ".join(_UNSAFE.sub(" ", text[: 4 * _WORDS]).split())
    words = "".join(character for character in words if character.isprintable())
    name = words if len(words) <= _WORDS else words[:_WORDS].rpartition(" ")[0] or words[:_WORDS]
    while len(name.encode("utf-8", "replace")) > _LONGEST // 2:
        name = name[:-1]
    name = name.strip(" .")
    return f"memory {name}".strip() if not name or _RESERVED.fullmatch(name) else name
