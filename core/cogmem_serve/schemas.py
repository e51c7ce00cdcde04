"""What a method takes and returns, read from its signature: JSON schemas, and models that check a request."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, create_model

_LISTS = (list, tuple, Iterable, Sequence, Collection)
_SIMPLE: Mapping[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    datetime: {"type": "string", "format": "date-time"},
    timedelta: {"type": "string", "format": "duration"},
    type(None): {"type": "null"},
    Any: {},
}
_WORDS: Mapping[Any, tuple[str, str]] = {
    str: ("a string", "strings"),
    bool: ("true or false", "true or false"),
    int: ("a whole number", "whole numbers"),
    float: ("a number", "numbers"),
    datetime: ("a time with its offset, such as 2026-01-31T12:00:00Z", "times"),
    timedelta: ("a duration, such as P7D or 3600 seconds", "durations"),
}
"""One of a kind, and several."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a method.

    Attributes:
        hint: its type, as a request can send it.
        default: `inspect.Parameter.empty` if it must be given.
        about: what it is, from the method's documentation.
    """

    name: str
    hint: Any
    default: Any
    about: str

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return self.default is inspect.Parameter.empty

    @property
    def wanted(self) -> str:
        """What to give for it, for the message of a refusal."""
        return _in_words(self.hint)

    @property
    def is_list(self) -> bool:
        """Whether it takes several values."""
        return any(get_origin(part) is list for part in _parts(self.hint))

    @property
    def is_object(self) -> bool:
        """Whether it is a JSON object."""
        return any(get_origin(part) is dict for part in _parts(self.hint))


@cache
def parameters_of(method: Callable[..., Any], omit: tuple[str, ...]) -> tuple[Parameter, ...]:
    """What a method takes, without its first parameter and what a request cannot send."""
    hints = get_type_hints(method)
    _, about = documented(method)
    _, *own = inspect.signature(method).parameters.values()
    return tuple(
        Parameter(item.name, _sendable(hints[item.name]), item.default, about.get(item.name, ""))
        for item in own
        if item.name not in omit
    )


@cache
def model_of(name: str, parameters: tuple[Parameter, ...], *, strict: bool) -> type[BaseModel]:
    """A model that checks these parameters, and refuses others."""
    chosen: dict[str, Any] = {
        item.name: (_dated(item.hint), ... if item.required else item.default)
        for item in parameters
    }
    return create_model(name, __config__=ConfigDict(extra="forbid", strict=strict), **chosen)


def _dated(hint: Any) -> Any:
    """The type, in which a time has a date: pydantic takes "2026" for seconds since 1970."""
    parts = [_MOMENT if part is datetime else part for part in _parts(hint)]
    return Union[tuple(parts)] if _MOMENT in parts else hint  # noqa: UP007 - of a list


def _with_date(value: Any) -> Any:
    if not isinstance(value, str) or not _DATE.match(value):
        raise ValueError("a time without a date")
    return value


def _with_offset(value: datetime) -> datetime:
    if value.utcoffset() is None:
        raise ValueError("a time without its offset")
    return value


_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_MOMENT = Annotated[
    datetime, Field(strict=False), BeforeValidator(_with_date), AfterValidator(_with_offset)
]


def documented(method: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """The first paragraph of a documentation, and what it says of each argument."""
    text = inspect.getdoc(method) or ""
    first = " ".join(text.partition("\n\n")[0].split())
    section = re.search(r"^Args:\n((?:    .*\n?|\n)+)", text, re.MULTILINE)
    entries = re.findall(
        r"^    (\w+): (.*(?:\n     .*)*)", section.group(1) if section else "", re.MULTILINE
    )
    return first, {name: " ".join(about.split()) for name, about in entries}


def schema_of(hint: Any, components: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of a type; that of a record goes to `components` and is referred to."""
    if hint in _SIMPLE:
        return dict(_SIMPLE[hint])
    origin = get_origin(hint)
    arguments = get_args(hint)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(part, components) for part in arguments]}
    if origin in _LISTS:
        return {"type": "array", "items": schema_of(arguments[0], components)}
    if is_dataclass(hint) and isinstance(hint, type):
        return _record(hint, components)
    values = schema_of(arguments[1], components) if origin in (dict, Mapping) else {}
    return {"type": "object", **({"additionalProperties": values} if values else {})}


def _record(kind: type, components: dict[str, Any]) -> dict[str, Any]:
    reference = {"$ref": f"#/components/schemas/{kind.__name__}"}
    if kind.__name__ in components:
        return reference
    components[kind.__name__] = {}
    hints = get_type_hints(kind)
    names = [item.name for item in fields(kind) if item.repr]
    components[kind.__name__] = {
        "type": "object",
        "description": documented(kind)[0],
        "properties": {name: schema_of(hints[name], components) for name in names},
        "required": names,
    }
    return reference


def _in_words(hint: Any, *, many: bool = False) -> str:
    """A type as a request has it: "a string or a list of strings"."""
    if get_origin(hint) is Literal:
        return f"one of {', '.join(get_args(hint))}"
    words = []
    for part in _parts(hint):
        origin = get_origin(part)
        if part in _WORDS:
            words.append(_WORDS[part][many])
        elif origin is list:
            words.append(f"a list of {_in_words(get_args(part)[0], many=True)}")
        elif origin is dict:
            words.append("JSON objects" if many else "a JSON object")
    return " or ".join(words)


def _parts(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def _sendable(hint: Any) -> Any:
    """The type as JSON has it: lists and dictionaries, durations in seconds where the method takes these."""
    parts = _parts(hint)
    if len(parts) > 1:
        sendable = [part for part in parts if not is_dataclass(part)]
        if float in sendable:
            sendable = [part for part in sendable if part is not timedelta]
        return Union[tuple(map(_sendable, sendable))]  # noqa: UP007 - of a list
    origin = get_origin(hint)
    if origin in _LISTS:
        return list[_sendable(get_args(hint)[0])]  # type: ignore[misc]
    if origin is Mapping:
        return dict[str, Any]
    return hint
