"""Reads the JSON files of an evaluation; what cannot be used is refused, with file and place."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from cogmem_core.errors import InvalidInput

Case = TypeVar("Case")
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""
# What a line that is JSON, but no case, makes of the code that reads it.
_NO_CASE = (AttributeError, LookupError, OSError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a file, so that every complaint names it."""

    file: str
    where: str = ""

    def at(self, part: str) -> Spot:
        """A place inside this one."""
        return Spot(self.file, f"{self.where}, {part}" if self.where else part)

    def fail(self, problem: str) -> NoReturn:
        """Refuse the file.

        Raises:
            InvalidInput: always.
        """
        raise InvalidInput(f"{self.file}: {self.where + ': ' if self.where else ''}{problem}")

    def get(self, table: Mapping[str, Any], key: str, kind: type, expected: str) -> Any:
        """The value of a field, which must be there and of that kind."""
        value = table.get(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            self.fail(
                f"{key!r} is {shortened(value) if key in table else 'missing'}; it must be "
                f"{expected}"
            )
        return value

    def text(self, table: Mapping[str, Any], key: str, expected: str) -> str:
        """A text that is not blank."""
        text: str = self.get(table, key, str, expected)
        if not text.strip():
            self.fail(f"{key!r} is empty; it must be {expected}")
        return text

    def texts(self, values: Any, name: str) -> tuple[str, ...]:
        """A list of texts, none of them blank."""
        if not isinstance(values, list):
            self.fail(f"{name} is {shortened(values)}; it must be a list of texts")
        for index, value in enumerate(values):
            if not isinstance(value, str) or not value.strip():
                self.fail(f"{name}[{index}] is {shortened(value)}; it must be a text, not empty")
        return tuple(values)

    def table(self, value: Any, fields: Collection[str]) -> Mapping[str, Any]:
        """An object that has no fields but these."""
        table = self.object(value, ", ".join(fields))
        for name in table:
            if name not in fields:
                self.fail(f"{name!r} is no field here; use some of {', '.join(fields)}")
        return table

    def object(self, value: Any, fields: str) -> Mapping[str, Any]:
        """An object; `fields` says which ones it must have."""
        if not isinstance(value, Mapping):
            self.fail(f"is {shortened(value)}; it must be an object with {fields}")
        return value


def ignore(_stage: str, _done: int, _total: int) -> None:
    """Report no progress."""


def read_json(path: str | Path, form: str) -> Any:
    """The JSON value of a file; `form` says in the error what file is wanted.

    Raises:
        InvalidInput: the file cannot be read or is not JSON.
    """
    spot = Spot(str(path))
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        spot.fail(f"cannot be read ({error.strerror or error}); pass the path of a readable {form}")
    except UnicodeDecodeError as error:
        spot.fail(f"is not UTF-8 text ({error.reason} at byte {error.start}); save it as UTF-8")
    except (ValueError, RecursionError) as error:
        spot.fail(f"is not JSON ({error}); pass a {form}")


def write_json(value: object, path: Path) -> None:
    """Write a table that ships with the engine."""
    path.write_text(json.dumps(value, indent=1) + "\n", "utf-8")


def read_cases(path: Path, case_of: Callable[[Mapping[str, Any]], Case], fields: str) -> list[Case]:
    """Labelled cases from a JSONL file, one object a line; blank lines count for nothing.

    Args:
        path: the file.
        case_of: makes a case of a line's object.
        fields: those that a case must have, for the message.

    Raises:
        InvalidInput: the file cannot be read, or a line is no case; the message names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path}: cannot be read ({type(error).__name__})") from error
    cases: list[Case] = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                cases.append(case_of(json.loads(line)))
            except _NO_CASE as error:
                raise InvalidInput(
                    f"{path}, line {number}: no case; give {fields} ({error!r})"
                ) from error
    return cases


def read_questions(path: str | Path) -> tuple[str, ...]:
    """A JSON list of questions, such as those that no conversation answers.

    Raises:
        InvalidInput: the file is no list of at least one text.
    """
    spot = Spot(str(path))
    questions = spot.texts(read_json(path, "JSON list of questions"), "the top level")
    if not questions:
        spot.fail("the list is empty; it must hold at least one question")
    return questions


def shortened(value: Any) -> str:
    """The value for a message, at most 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
