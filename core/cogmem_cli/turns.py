"""Turns from outside: arguments, standard input, and files of texts, JSON Lines, JSON or CSV."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from cogmem_core.errors import InvalidInput
from cogmem_core.models import Turn
from cogmem_core.values.messages import from_iso, holds_no_words, turn_of

Entries = list[tuple[str, Turn]]
FORMS = ("jsonl", "json", "csv", "text")
_FORM_OF = {".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv"}
_TEXT_ENDS = (".txt", ".md", ".rst", ".log")
_STANDARD_INPUT = "-"
WORDLESS = Turn("")
"""Stands for a message in a file in which nothing is said: a tool is called, an image shown."""


def moment(name: str, typed: str) -> datetime:
    """A point in time from ISO 8601.

    Raises:
        InvalidInput: another format, or no time zone.
    """
    try:
        parsed = from_iso(typed.strip())
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


def given_turns(
    texts: list[str] | None, file: Path | None, shared_fields: Mapping[str, Any], form: str | None
) -> Entries:
    """The turns that a command was given: each argument is one text, `-` is that of standard input.

    Each stands after where it comes from.

    Args:
        texts: the arguments, as they were typed.
        file: of turns; see `turns_of_file`.
        shared_fields: see `turns_of_file`.
        form: see `turns_of_file`.

    Raises:
        InvalidInput: neither or both of texts and file, or one of them is unusable.
    """
    if bool(texts) is (file is not None):
        raise InvalidInput("give either a text (or - for standard input) or --file")
    if file is not None:
        return turns_of_file(file, shared_fields, form)
    if form is not None:
        raise InvalidInput("--format is for --file; leave it out")
    typed = texts or []
    if typed.count(_STANDARD_INPUT) > 1:
        raise InvalidInput("standard input can be read only once; give - once")
    if len(typed) == 1:
        _refuse_file_name(typed[0])
    return [
        ("text" if len(typed) == 1 else f"text {number}", Turn(read_text([text]), **shared_fields))
        for number, text in enumerate(typed, 1)
    ]


def hint_of(texts: list[str] | None) -> str:
    """What was perhaps meant by the arguments, for people; empty if they are plain."""
    typed = texts or []
    if len(typed) > 1 and any(len(text.split()) == 1 for text in typed):
        return f"{len(typed)} texts, one per argument; put a sentence into quotes to keep it one"
    return ""


def _refuse_file_name(text: str) -> None:
    """A word that ends as the name of a file is more likely that than a text, whether there is one or not."""
    if len(text.split()) != 1 or not text.lower().endswith((*_FORM_OF, *_TEXT_ENDS)):
        return
    is_file = Path(text).is_file()
    reason = f"{text!r} is a file; read it with -f" if is_file else f"there is no file {text!r}"
    raise InvalidInput(f"{reason}; if the word itself is meant, give it on standard input (-)")


def turns_of_file(path: Path, shared_fields: Mapping[str, Any], form: str | None) -> Entries:
    """The turns of a file, each after where it stands ("notes.txt, line 3").

    Args:
        path: the file; `-` is standard input.
        shared_fields: values for the fields that a turn does not give.
        form: "jsonl" (a message or a text per line), "json" (a list of these, one of them, or
            `{"messages": [...]}`), "csv" (a heading with the fields of a turn) or "text" (a turn
            per line that is not blank); None = as the name ends, else as the content looks.

    Raises:
        InvalidInput: the file cannot be read, or a line or an entry is no turn; names it.
    """
    name, text = _content(path)
    form = form or _FORM_OF.get(path.suffix.lower()) or _looks_like(path, text)
    if form == "json":
        return _entries(name, text, shared_fields)
    if form == "csv":
        return _rows(name, text, shared_fields)
    numbered = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    filled = [(f"{name}, line {number}", line) for number, line in numbered if line]
    if not filled:
        raise InvalidInput(f"{name} holds no turn; it has only blank lines")
    if form == "jsonl":
        return [
            (where, _turn(where, _parsed(where, line), shared_fields)) for where, line in filled
        ]
    return [(where, Turn(line, **shared_fields)) for where, line in filled]


def _looks_like(path: Path, text: str) -> str:
    """The form of a file whose name does not tell it."""
    if path.suffix.lower() in _TEXT_ENDS:
        return "text"
    lines = text.strip().split("\n")
    if lines[0].lstrip()[:1] not in ("{", "["):
        headings = [cell.strip() for cell in lines[0].split(",")]
        return "csv" if len(headings) > 1 and "content" in headings else "text"
    try:
        first = json.loads(lines[0])
    except (ValueError, RecursionError):
        return "json" if _is_json(text) else "text"
    if len(lines) == 1:
        return "json" if isinstance(first, (list, dict)) else "text"
    return "jsonl" if isinstance(first, dict) else "text"


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _rows(name: str, text: str, shared_fields: Mapping[str, Any]) -> Entries:
    """The turns of a table with a heading."""
    reader = csv.DictReader(io.StringIO(text))
    if "content" not in (reader.fieldnames or ()):
        raise InvalidInput(f"{name} has no column 'content'; name it so in the first line")
    turns: Entries = []
    try:
        for row in reader:
            where = f"{name}, line {reader.line_num}"
            if None in row:
                raise InvalidInput(f"{where} has more cells than the first line; quote the commas")
            record: dict[str, Any] = {
                key: cell for key, cell in row.items() if cell or key == "content"
            }
            if "metadata" in record:
                record["metadata"] = _parsed(f"{where}: metadata", record["metadata"])
            if "tags" in record:
                record["tags"] = [tag.strip() for tag in record["tags"].split(";") if tag.strip()]
            turns.append((where, _turn(where, record, shared_fields)))
    except csv.Error as error:
        raise InvalidInput(f"{name}, line {reader.line_num} is no CSV: {error}") from None
    if not turns:
        raise InvalidInput(f"{name} holds no turn; it has only a first line")
    return turns


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


def _entries(name: str, text: str, shared_fields: Mapping[str, Any]) -> Entries:
    """The turns of one JSON document."""
    document = _parsed(name, text)
    if isinstance(document, dict) and "content" in document:
        return [(name, _turn(name, document, shared_fields))]
    if isinstance(document, dict):
        document = document.get("messages")
    if not isinstance(document, list) or not document:
        raise InvalidInput(
            f'{name} is no list of turns; give one such as ["...", {{"content": "..."}}]'
        )
    places = [(f"{name}, entry {number}", entry) for number, entry in enumerate(document, 1)]
    return [(where, _turn(where, entry, shared_fields)) for where, entry in places]


def _parsed(where: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{where} is not JSON: {error}; repair or remove it") from error


def _turn(where: str, record: Any, shared_fields: Mapping[str, Any]) -> Turn:
    if isinstance(record, str):
        return Turn(record, **shared_fields)
    if not isinstance(record, dict) or "content" not in record:
        raise InvalidInput(f'{where} is no turn; give an object such as {{"content": "..."}}')
    if isinstance(record.get("at"), str):  # with a zone, or with what to write
        record = {**record, "at": moment(f"{where}: at", record["at"])}
    if holds_no_words(record):
        return WORDLESS
    if record.get("role") is None and record.get("type") is None:
        record = {**record, "role": shared_fields["role"]}
    return turn_of(where, record, shared_fields)


def _decoded(name: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"{name} is not UTF-8 at byte {error.start}; convert it first"
        ) from error
