"""Settings by their dotted names: their values, what they may be and what they mean.

Pure, no I/O.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from cogmem_core.config import Config
from cogmem_core.config.sections import allowed_entries, allowed_values, settings


class Setting(NamedTuple):
    """A setting of a configuration: its value, what it may be, and what it means, in words."""

    value: Any
    allowed: str
    meaning: str


def as_table(section: Any) -> dict[str, Any]:
    """A configuration as nested tables of plain values, as in a TOML or JSON document."""
    return {
        name: as_table(value)
        if dataclasses.is_dataclass(value) or isinstance(value, Mapping)
        else value
        for name, value in _entries(section)
    }


def merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Nested tables with the values of others in place of theirs, entry by entry."""
    result = dict(under)
    for name, value in over.items():
        both = isinstance(value, Mapping) and isinstance(result.get(name), Mapping)
        result[name] = merged(result[name], value) if both else value
    return result


def flat(section: Any) -> dict[str, Any]:
    """The values of a configuration, or of nested tables, by dotted name.

    An entry of a table of numbers is a setting of its own; a table without any is one setting.
    """
    return dict(_flat(section, ""))


def _flat(section: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    for name, value in _entries(section):
        if dataclasses.is_dataclass(value) or (isinstance(value, Mapping) and value):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _entries(section: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(section, Mapping):
        yield from section.items()
    else:
        yield from ((name, getattr(section, name)) for name in settings(type(section)))


def described(config: Config) -> dict[str, Setting]:
    """Every setting of a configuration by dotted name, in the order of the sections."""
    return dict(_described(config, ""))


def _described(section: Any, prefix: str) -> Iterator[tuple[str, Setting]]:
    meaning = meanings(type(section))
    for name, info in settings(type(section)).items():
        value = getattr(section, name)
        if dataclasses.is_dataclass(value):
            yield from _described(value, f"{prefix}{name}.")
        elif isinstance(value, Mapping) and value:
            words = allowed_entries(info)
            for entry, number in value.items():
                yield f"{prefix}{name}.{entry}", Setting(number, words, meaning[name])
        else:
            yield prefix + name, Setting(value, allowed_values(info), meaning[name])


def meanings(section: type) -> dict[str, str]:
    """What each setting of a section means: the text below it in the source.

    Read when it is asked for: pydantic would read it at every start.
    """
    body = _class_bodies(section.__module__)[section.__name__]
    result = dict[str, str]()
    for item, text in pairwise(body):
        if isinstance(item, ast.AnnAssign) and isinstance(text, ast.Expr):
            result[ast.unparse(item.target)] = " ".join(ast.literal_eval(text.value).split())
    return result


@lru_cache
def _class_bodies(module: str) -> dict[str, list[ast.stmt]]:
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {item.name: item.body for item in tree.body if isinstance(item, ast.ClassDef)}
