"""Settings by their dotted names: their values, what they may be, where two configurations differ.

Pure, no I/O.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from cogmem_core.config import Config
from cogmem_core.config.bounds import kinds, optional

__all__ = ["Difference", "allowed", "as_table", "differences", "flat"]


class Difference(NamedTuple):
    """A setting that two configurations do not agree on.

    None where one of them has no such entry.
    """

    name: str
    first: Any
    second: Any


def as_table(section: Any) -> dict[str, Any]:
    """A configuration as nested tables of plain values, as in a TOML or JSON document."""
    table = dict(_entries(section))
    for name, value in table.items():
        if dataclasses.is_dataclass(value) or isinstance(value, Mapping):
            table[name] = as_table(value)
    return table


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
        yield from (
            (item.name, getattr(section, item.name)) for item in dataclasses.fields(section)
        )


def differences(first: Config, second: Config) -> tuple[Difference, ...]:
    """Every setting in which the two differ, by name."""
    first_values = _without_empty_tables(flat(first))
    second_values = _without_empty_tables(flat(second))
    pairs = []
    for name in sorted(first_values.keys() | second_values.keys()):
        pair = Difference(name, first_values.get(name), second_values.get(name))
        if pair.first != pair.second:
            pairs.append(pair)
    return tuple(pairs)


def _without_empty_tables(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value != {}}


def allowed(config: Config) -> dict[str, str]:
    """What each setting of a configuration may be, in words: "1 to 10000", "use, retrieval", "true, false"."""
    return dict(_allowed(config, ""))


def _allowed(section: Any, prefix: str) -> Iterator[tuple[str, str]]:
    hints = kinds(section)
    for item in dataclasses.fields(section):
        name = prefix + item.name
        value = getattr(section, item.name)
        if dataclasses.is_dataclass(value):
            yield from _allowed(value, f"{name}.")
        elif isinstance(value, Mapping) and value:
            yield from ((f"{name}.{key}", _range(item.metadata)) for key in value)
        else:
            yield name, _in_words(item.metadata, hints[item.name])


def _range(bounds: Mapping[str, Any]) -> str:
    """What an entry of a table may be."""
    return f"above 0, at most {bounds['most']:g}"


def _in_words(bounds: Mapping[str, Any], kind: Any) -> str:
    unset = " or none" if optional(kind) else ""
    if "low" in bounds:
        return f"{bounds['low']} to {bounds['high']}{unset}"
    if "allowed" in bounds:
        return ", ".join(bounds["allowed"])
    if "members" in bounds:
        return f"a list of {', '.join(bounds['members'])}"
    if "names" in bounds:
        return f"{_range(bounds)}, for any of {', '.join(bounds['names'])}"
    if kind is bool:
        return "true, false"
    return f"{'a time zone' if 'zone' in bounds else 'a text'}{unset}"
