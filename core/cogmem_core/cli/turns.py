"""Turns from outside: arguments, standard input, text files and JSON Lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any

from cogmem_core.errors import InvalidInput
from cogmem_core.models import Turn

__all__ = ["given_turns", "moment", "named_file", "read_text", "texts_of", "turns_of_file"]

_FIELDS = tuple(item.name for item in fields(Turn))
_JSON = ".json"
_JSON_LINES = (".jsonl", ".ndjson")
_TEXTS = (".txt", ".md", _JSON, *_JSON_LINES)
_STANDARD_INPUT = "-"


def moment(name: str, typed: str) -> datetime:
    """A point in time from ISO 8601.

    Raises:
        InvalidInput: another format, or no time zone.
    """
    text = typed.strip()
    if text[-1:] in ("Z", "z"):
        text = f"{text[:-1]}+00:00"
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(
            f"{name} is {typed!r}; give ISO 8601 such as 2026-03-01T18:30:00+01:00"
        ) from None
    if parsed.tzinfo is None:
        raise InvalidInput(
            f"{name} is {typed!r}, without a time zone; add one, e.g. {parsed.isoformat()}+00:00 "
            "(or Z)"
        )
    return parsed


def read_text(words: list[str]) -> str:
    """The words of the command line as one text; `-` alone means all of standard input."""
    if words != [_STANDARD_INPUT]:
        return " ".join(words)
    if sys.stdin is None or sys.stdin.closed:
        raise InvalidInput("standard input is closed; give the text as an argument")
    return _decoded("standard input", sys.stdin.buffer.read()).rstrip("\r\n")


def texts_of(words: list[str]) -> list[str]:
    """What is to be remembered: quoted texts one by one, or bare words as one text.

    `-` means standard input.
    """
    several = len(words) > 1 and all(" " in word.strip() for word in words)
    return words if several or not words else [read_text(words)]


def given_turns(
    text: list[str] | None, file: Path | None, shared_fields: Mapping[str, Any]
) -> list[tuple[str, Turn]]:
    """The turns that a command was given, as texts, on standard input or in a file, each after where it stands.

    Raises:
        InvalidInput: neither or both of texts and file, or one of them is unusable.
    """
    if bool(text) is (file is not None):
        raise InvalidInput("give either a text (or - for standard input) or --file")
    file = named_file(text or []) if file is None else file
    if file is not None:
        return turns_of_file(file, shared_fields)
    return [("text", Turn(content, **shared_fields)) for content in texts_of(text or [])]


def named_file(words: list[str]) -> Path | None:
    """The file that a single word names, if there is one.

    Raises:
        InvalidInput: there is none, but the word ends as the name of one.
    """
    if len(words) != 1 or words == [_STANDARD_INPUT]:
        return None
    try:
        path = Path(words[0])
        if path.is_file():
            return path
    except (OSError, ValueError):  # a text that cannot be a path
        return None
    if len(words[0].split()) == 1 and words[0].lower().endswith(_TEXTS):
        raise InvalidInput(
            f"there is no file {words[0]!r}; if the word itself is meant, give it on standard "
            "input (-)"
        )
    return None


def turns_of_file(path: Path, shared_fields: Mapping[str, Any]) -> list[tuple[str, Turn]]:
    """The turns of a file, each after where it stands ("notes.txt, line 3").

    A line of `.jsonl` and `.ndjson` is an object with the fields of `Turn`; `.json` is a list of
    such objects or of texts, or one such object; of any other file, a line that is not blank is the
    text.

    Args:
        path: the file; `-` is standard input.
        shared_fields: values for the fields that a turn does not give.

    Raises:
        InvalidInput: the file cannot be read, or a line or an entry is no turn; names it.
    """
    name, text = _content(path)
    if path.suffix.lower() == _JSON:
        return _entries(name, text, shared_fields)
    structured = path.suffix.lower() in _JSON_LINES
    numbered = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    filled = [(f"{name}, line {number}", line) for number, line in numbered if line]
    if not filled:
        raise InvalidInput(f"{name} holds no turn; it has only blank lines")
    if structured:
        return [
            (where, _turn(where, _parsed(where, line), shared_fields)) for where, line in filled
        ]
    return [(where, Turn(line, **shared_fields)) for where, line in filled]


def _content(path: Path) -> tuple[str, str]:
    """What a file is called in messages, and its text."""
    if str(path) == _STANDARD_INPUT:
        return "standard input", read_text([_STANDARD_INPUT])
    try:
        return str(path), _decoded(str(path), path.read_bytes())
    except OSError as error:
        raise InvalidInput(
            f"cannot read {path}: {error.strerror or error}; name a readable file"
        ) from error


def _entries(name: str, text: str, shared_fields: Mapping[str, Any]) -> list[tuple[str, Turn]]:
    """The turns of one JSON document."""
    document = _parsed(name, text)
    if isinstance(document, dict) and "content" in document:
        return [(name, _turn(name, document, shared_fields))]
    if not isinstance(document, list) or not document:
        raise InvalidInput(
            f'{name} is no list of turns; give one such as ["...", {{"content": "..."}}]'
        )
    entries = []
    for number, entry in enumerate(document, 1):
        at = f"{name}, entry {number}"
        is_text = isinstance(entry, str)
        turn = Turn(entry, **shared_fields) if is_text else _turn(at, entry, shared_fields)
        entries.append((at, turn))
    return entries


def _parsed(where: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{where} is not JSON: {error}; repair or remove it") from error


def _turn(where: str, record: Any, shared_fields: Mapping[str, Any]) -> Turn:
    if not isinstance(record, dict) or "content" not in record:
        raise InvalidInput(f'{where} is no turn; give an object such as {{"content": "..."}}')
    unknown = sorted(set(record) - set(_FIELDS))
    if unknown:
        raise InvalidInput(f"{where} has the field {unknown[0]!r}; a turn has {', '.join(_FIELDS)}")
    values = {
        **shared_fields,
        **{name: value for name, value in record.items() if value is not None},
    }
    if isinstance(values.get("at"), str):
        values["at"] = moment(f"{where}: at", values["at"])
    return Turn(**values)


def _decoded(name: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"{name} is not UTF-8 at byte {error.start}; convert it first"
        ) from error
