"""The configuration files of coding agents: what is written into them, and how it is taken out again to the byte.

What a file was before stands in a record of its own, which only its owner can read. If the file is still as it was
left, removing puts those bytes back; if somebody has changed it since, only what was added goes.
"""

from __future__ import annotations

import base64
import difflib
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

from cogmem_core.base.digests import text_digest
from cogmem_core.base.files import replacing
from cogmem_core.base.toml import tomllib
from cogmem_core.errors import ConfigError, StoreError

_NAME = "cogmem"
_SECONDS = 30
"""After so long an agent goes on without a hook's answer."""


class Launch(NamedTuple):
    """How an agent starts this command.

    Attributes:
        options: that say which bank and whose memories.
    """

    options: tuple[str, ...]

    @property
    def program(self) -> str:
        """The absolute path of the interpreter, so that it does not depend on the agent's environment."""
        return sys.executable

    @property
    def server(self) -> list[str]:
        """Arguments of the MCP server."""
        return ["-m", "cogmem_core", "mcp", *self.options]

    def hook(self, agent: str) -> str:
        """The command line of a hook."""
        arguments = ["-m", "cogmem_core", "hooks", "run", agent, *self.options]
        join = shlex.join if os.name == "posix" else subprocess.list2cmdline
        return join([self.program, *arguments])


Document = dict[str, Any]


class _File(NamedTuple):
    """A file of an agent: where it is below the home folder and below a project, and what goes in.

    Attributes:
        user: below the home folder.
        project: below a project's folder.
        add: the text with the entry; raises `ValueError` or `TypeError` if the text is not as expected.
        drop: the text without it.
    """

    user: str
    project: str
    add: Callable[[str, Launch], str]
    drop: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of a file.

    Attributes:
        path: the file.
        before: its bytes; None = there is none.
        after: its new bytes; None = it goes.
    """

    path: Path
    before: bytes | None
    after: bytes | None

    def diff(self) -> str:
        """The difference, as `diff -u` writes it."""
        former, new = (
            (content or b"").decode("utf-8", "replace").splitlines(keepends=True)
            for content in (self.before, self.after)
        )
        lines = difflib.unified_diff(former, new, str(self.path), str(self.path))
        return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def install(agent: str, launch: Launch, *, project: Path | None, dry_run: bool) -> list[Change]:
    """Write the MCP server and the hooks into an agent's files; what an earlier call wrote is replaced.

    Args:
        agent: one of `AGENTS`.
        launch: how the agent starts this command.
        project: a project's folder; None = the user's own files.
        dry_run: change nothing.

    Returns:
        What was changed, or would be.

    Raises:
        ConfigError: a file is not one of such an agent; nothing was changed.
        StoreError: a file cannot be read or written; nothing was changed.
    """
    changes = []
    records = []
    for file in AGENTS[agent]:
        path = _place(file, project)
        record = _Record(path)
        present = _bytes_of(path)
        former = record.former(present, file)
        added = _edited(path, file.add, _text(path, former), launch)
        changes.append(Change(path, present, _encoded(added, former)))
        records.append((record, former))
    if dry_run:
        return changes
    try:
        for change, (record, former) in zip(changes, records, strict=True):
            record.keep(former, change.after or b"")
        _write_all(changes)
    except StoreError:
        for record, _ in records:
            record.put_back()
        raise
    return changes


def uninstall(agent: str, *, project: Path | None, dry_run: bool) -> list[Change]:
    """Take out of an agent's files what `install` wrote; its arguments, results and errors."""
    changes = []
    records = []
    for file in AGENTS[agent]:
        path = _place(file, project)
        record = _Record(path)
        present = _bytes_of(path)
        if not record.exists:
            continue
        records.append(record)
        former = record.former(present, file)
        if former != present:
            changes.append(Change(path, present, former))
    if not dry_run:
        _write_all(changes)
        for record in records:
            record.drop()
    return changes


class _Record:
    """What a file was before, and what it was made: a private file in the user's state folder."""

    def __init__(self, path: Path) -> None:
        folder = platformdirs.user_state_path("cogmem-core", appauthor=False) / "hooks"
        name = text_digest(str(path), 24)
        self._path = path
        self._file = folder / f"{name}.json"
        self._values: Document = {}
        with suppress(OSError, ValueError):
            self._values = json.loads(self._file.read_text(encoding="utf-8"))

    @property
    def exists(self) -> bool:
        """Whether something was written into the file."""
        return bool(self._values)

    def former(self, present: bytes | None, file: _File) -> bytes | None:
        """The file without what was written into it; None if there is to be none.

        Raises:
            ConfigError: it was broken since.
        """
        if not self.exists or present is None:
            return present
        if _digest(present) == self._values["after"]:
            before = self._values["before"]
            return None if before is None else base64.b64decode(before)
        return _encoded(_edited(self._path, file.drop, _text(self._path, present)), present)

    def keep(self, before: bytes | None, after: bytes) -> None:
        """Note both.

        Raises:
            StoreError: it cannot be written.
        """
        values = {
            "file": str(self._path),
            "before": None if before is None else base64.b64encode(before).decode(),
            "after": _digest(after),
        }
        try:
            self._write(values)
        except OSError as error:
            raise StoreError(
                f"{self._file} cannot be written: {error}; nothing was changed"
            ) from error

    def put_back(self) -> None:
        """Be as it was when it was read."""
        if not self._values:
            self.drop()
            return
        with suppress(OSError):
            self._write(self._values)

    def _write(self, values: Document) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(self._file) as file:
            json.dump(values, file)

    def drop(self) -> None:
        """Forget it."""
        with suppress(OSError):
            self._file.unlink(missing_ok=True)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _place(file: _File, project: Path | None) -> Path:
    """Where the file really is: a link stays a link."""
    try:
        path = Path.home() / file.user if project is None else project / file.project
    except RuntimeError as error:
        raise ConfigError("there is no home folder; name a project with --project") from error
    return path.resolve()


def _bytes_of(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error}; nothing was changed") from error


def _text(path: Path, content: bytes | None) -> str:
    try:
        return (content or b"").decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{path} is not UTF-8: {error}; repair it; nothing was changed"
        ) from error


def _encoded(text: str, like: bytes | None) -> bytes:
    """With the line ends of the file."""
    if like is not None and b"\r\n" in like:
        text = text.replace("\n", "\r\n")
    return text.encode("utf-8")


def _edited(path: Path, edit: Callable[..., str], *arguments: object) -> str:
    try:
        return edit(*arguments)
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise ConfigError(
            f"{path} is not as the agent writes it: {error}; repair it; nothing was changed"
        ) from error


def _write_all(changes: Sequence[Change]) -> None:
    """All files or none."""
    written: list[Change] = []
    try:
        for change in changes:
            written.append(change)
            _write(change.path, change.after)
    except OSError as error:
        for change in written:
            with suppress(OSError):
                _write(change.path, change.before)
        raise StoreError(
            f"{written[-1].path} cannot be written: {error}; nothing was changed"
        ) from error


def _write(path: Path, content: bytes | None) -> None:
    if content is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path, keeps_mode=True) as file:
        file.write(content.decode("utf-8"))


# JSON files.


def _loaded(text: str) -> Document:
    value = json.loads(text) if text.strip() else {}
    if not isinstance(value, dict):
        raise TypeError("it holds no JSON object")
    return value


def _dumped(value: Document, like: str) -> str:
    """In the style of the file: its indentation, and whether it ends with a new line."""
    found = re.search(r"\n([ \t]+)\S", like)
    indent = found[1] if found else "  "
    end = "\n" if like.endswith("\n") or not like else ""
    return json.dumps(value, indent=indent, ensure_ascii=False) + end


def _section(value: Document, name: str, kind: type) -> Any:
    section = value.setdefault(name, kind())
    if not isinstance(section, kind):
        raise TypeError(f"{name} is no {'object' if kind is dict else 'list'}")
    return section


def _in_json(edit: Callable[..., None]) -> Callable[..., str]:
    """What `edit` makes of the object in a text."""

    @wraps(edit)
    def edited(text: str, *launch: Launch) -> str:
        value = _loaded(text)
        edit(value, *launch)
        return _dumped(value, text)

    return edited


def _servers(user: str, project: str, section: str = "mcpServers") -> _File:
    """A file of MCP servers; `section`: what it calls them."""

    @_in_json
    def add(value: Document, launch: Launch) -> None:
        servers = _section(value, section, dict)
        if _NAME in servers:
            raise ValueError(f"{section} has another {_NAME!r}; rename it")
        servers[_NAME] = {"type": "stdio", "command": launch.program, "args": launch.server}

    @_in_json
    def drop(value: Document) -> None:
        servers = _section(value, section, dict)
        servers.pop(_NAME, None)
        if not servers:
            del value[section]

    return _File(user, project, add, drop)


def _hooks(agent: str, file: str, event: str, *, grouped: bool = True) -> _File:
    """A file of hooks, at the same place below the home folder and a project."""

    @_in_json
    def add(value: Document, launch: Launch) -> None:
        entry: Document = {"command": launch.hook(agent), "timeout": _SECONDS}
        if grouped:
            entry = {"hooks": [{"type": "command", **entry}]}
        else:
            value.setdefault("version", 1)
        _section(_section(value, "hooks", dict), event, list).append(entry)

    @_in_json
    def drop(value: Document) -> None:
        hooks = _section(value, "hooks", dict)
        hooks[event] = [entry for entry in _section(hooks, event, list) if not _is_own(entry)]
        if not hooks[event]:
            del hooks[event]
        if not hooks:
            del value["hooks"]

    return _File(file, file, add, drop)


def _is_own(entry: Any) -> bool:
    return "-m cogmem_core hooks run" in json.dumps(entry)


# Codex's configuration is TOML: a table at the end of the file, which nothing else belongs to.


def _add_table(text: str, launch: Launch) -> str:
    tables = tomllib.loads(text)
    if _NAME in tables.get("mcp_servers", {}):
        raise ValueError(f"mcp_servers has another {_NAME!r}; rename it")
    arguments = ", ".join(json.dumps(part) for part in launch.server)
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    table = f"[mcp_servers.{_NAME}]\ncommand = {json.dumps(launch.program)}\nargs = [{arguments}]\n"
    added = f"{text}{gap}{table}"
    tomllib.loads(added)
    return added


def _drop_table(text: str) -> str:
    tomllib.loads(text)
    own = rf"\n?^\[mcp_servers\.{_NAME}\]\n(?:(?!\[)[^\n]*(?:\n|\Z))*"
    dropped = re.sub(own, "", text, flags=re.MULTILINE)
    tomllib.loads(dropped)
    return dropped


_VSCODE = {"darwin": "Library/Application Support", "win32": "AppData/Roaming"}.get(
    sys.platform, ".config"
)
"""Below the home folder: where VS Code's settings are."""
AGENTS: Mapping[str, tuple[_File, ...]] = {
    "claude-code": (
        _servers(".claude.json", ".mcp.json"),
        _hooks("claude-code", ".claude/settings.json", "UserPromptSubmit"),
    ),
    "codex": (
        _File(".codex/config.toml", ".codex/config.toml", _add_table, _drop_table),
        _hooks("codex", ".codex/hooks.json", "UserPromptSubmit"),
    ),
    "cursor": (
        _servers(".cursor/mcp.json", ".cursor/mcp.json"),
        _hooks("cursor", ".cursor/hooks.json", "beforeSubmitPrompt", grouped=False),
    ),
    "vscode": (_servers(f"{_VSCODE}/Code/User/mcp.json", ".vscode/mcp.json", "servers"),),
}
"""The files of each agent: first that of its MCP servers, then that of its hooks, if it has any."""
