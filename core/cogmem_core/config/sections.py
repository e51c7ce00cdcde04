"""What a section of the settings is: a frozen dataclass that refuses values out of bounds.

pydantic checks the values; the sentences about what is wrong are written here.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictFloat,
    StrictInt,
    TypeAdapter,
    ValidationError,
)
from pydantic.fields import FieldInfo
from pydantic_core import ArgsKwargs, CoreSchema, core_schema
from typing_extensions import dataclass_transform

from cogmem_core.errors import ConfigError

T = TypeVar("T")
K = TypeVar("K")
_PLACES: dict[type, str] = {}  # the dotted name of each class of settings
_SETTINGS: dict[type, dict[str, FieldInfo]] = {}
_LONGEST_NAME = 200  # characters
_CHECKED = ConfigDict(extra="forbid", allow_inf_nan=False)


def _known_zone(name: str) -> str:
    try:
        is_known = name in ("", "UTC") or bool(ZoneInfo(name))
    except (OSError, KeyError, ValueError):
        is_known = False
    if not is_known:
        raise ValueError("the name of a time zone known here, such as 'Europe/Istanbul', or ''")
    return name


def topic_name(name: str) -> str:
    """The name of a topic, or words of one's own, with single spaces; `ValueError` for anything else."""
    text = " ".join(name.split())
    if not any(map(str.isalpha, text)) or len(text) > _LONGEST_NAME:
        raise ValueError("no name")
    return text


def _without_unset(table: Any) -> Any:
    """A table without the entries that are None."""
    if not isinstance(table, Mapping):
        return table
    return {name: number for name, number in table.items() if number is not None}


@dataclasses.dataclass(frozen=True)
class OneOf:
    """The names that the entries of a table may have."""

    names: tuple[str, ...]

    def __get_pydantic_core_schema__(self, source: object, handler: object) -> CoreSchema:
        """A closed set, as far as pydantic is concerned."""
        return core_schema.literal_schema(list(self.names))


Share = Annotated[StrictFloat, Field(ge=0.0, le=1.0)]
Factor = Annotated[StrictFloat, Field(ge=0.1, le=2.0)]
Count = Annotated[StrictInt, Field(ge=0, le=10_000_000)]
Days = Annotated[StrictFloat, Field(ge=0.0, le=36_500.0)]
Seconds = Annotated[StrictFloat, Field(ge=0.0, le=86_400.0)]
UpToThousand = Annotated[StrictInt, Field(ge=1, le=1_000)]
UpToMillion = Annotated[StrictInt, Field(ge=1, le=1_000_000)]
UpToTenMillion = Annotated[StrictInt, Field(ge=1, le=10_000_000)]
UpToHundredMillion = Annotated[StrictInt, Field(ge=1, le=100_000_000)]
AboveZero = Annotated[StrictFloat, Field(gt=0.0, le=1.0)]
Table = Annotated[Mapping[K, T], BeforeValidator(_without_unset)]
"""A number for some of a closed set of names; None takes an entry out."""
TimeZone = Annotated[str, AfterValidator(_known_zone)]
TopicNames = tuple[Annotated[str, AfterValidator(topic_name)], ...]
"""Names of topics, and words of one's own."""


@dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field, Field))
def section(place: str) -> Callable[[type[T]], type[T]]:
    """Make a class a section of the settings, with that dotted name."""

    def decorate(cls: type[T]) -> type[T]:
        section_class: Any = dataclasses.dataclass(frozen=True, slots=True)(cls)
        section_class.__pydantic_config__ = _CHECKED
        take_defaults = section_class.__init__

        @functools.wraps(take_defaults)
        def __init__(self: T, *args: Any, **kwargs: Any) -> None:  # noqa: N807
            if not args and not kwargs:
                take_defaults(self)
                return
            try:
                # Built when the first value is given: to build all is a twentieth of a start (measured).
                check = _adapter(section_class).validator
                check.validate_python(ArgsKwargs(args, kwargs), self_instance=self)
            except ValidationError as error:
                raise ConfigError("; ".join(violations(section_class, error))) from None

        section_class.__init__ = __init__
        _PLACES[section_class] = place
        return section_class  # type: ignore[no-any-return]

    return decorate


def by_default(cls: type[T], **values: Any) -> Callable[[], T]:
    """What makes a section that is a default of another one; as with all defaults, a test checks its values."""

    def make() -> T:
        made = cls.__new__(cls)
        cls.__init__.__wrapped__(made, **values)  # type: ignore[attr-defined]
        return made

    return make


@functools.cache
def _adapter(cls: type[T]) -> TypeAdapter[T]:
    return TypeAdapter(cls)


def settings(cls: type) -> dict[str, FieldInfo]:
    """The settings of a section by name, with their types and bounds, and whether they may be shown."""
    if cls in _SETTINGS:
        return _SETTINGS[cls]
    hints = get_type_hints(cls, include_extras=True)
    infos = dict[str, FieldInfo]()
    for field in dataclasses.fields(cls):
        info = FieldInfo.from_annotation(hints[field.name])
        info.repr = field.repr
        infos[field.name] = info
    _SETTINGS[cls] = infos
    return infos


def highest(cls: type, name: str) -> int:
    """The upper bound of a whole number of a section."""
    limits = _limits(settings(cls)[name].metadata)
    return int(limits["le"])


def in_order(values: object, low: str, high: str) -> None:
    """Refuse a section in which the first of two settings is above the second."""
    first = getattr(values, low)
    second = getattr(values, high)
    if first > second:
        place = _PLACES[type(values)]
        raise ValueError(
            f"{place}.{low} is {first!r}, above {place}.{high}, which is {second!r}; "
            "lower the one or raise the other"
        )


def violations(cls: type, error: ValidationError) -> Iterator[str]:
    """What is wrong, as sentences with the fix; `cls` is the section that was to be made."""
    for detail in error.errors(include_url=False):
        yield from _sentences(cls, detail)


def _sentences(cls: type, detail: Mapping[str, Any]) -> Iterator[str]:
    kind = detail["type"]
    names = list(detail["loc"])
    place = [_PLACES[cls]] if _PLACES[cls] else []
    while len(names) > 1 and _section_of(settings(cls)[names[0]]):
        place.append(names[0])
        cls = _section_of(settings(cls)[names.pop(0)])
    dotted = ".".join([*place, *map(str, names[:1])])
    if kind == "unexpected_keyword_argument":
        yield from _unknown(dotted, settings(cls))
    elif not names or names[0] not in settings(cls):
        contradiction = kind == "value_error"
        yield str(detail["ctx"]["error"]) if contradiction else f"{dotted}: {detail['msg']}"
    elif inner := _section_of(settings(cls)[names[0]]):
        yield from _wrong_section(dotted, inner, detail)
    else:
        yield from _wrong_value(dotted, settings(cls)[names[0]], names[1:], detail)


def _section_of(info: FieldInfo) -> Any:
    return info.annotation if info.annotation in _PLACES else None


def _wrong_section(dotted: str, inner: type, detail: Mapping[str, Any]) -> Iterator[str]:
    if detail["type"] == "value_error":  # two settings of the section contradict each other
        yield str(detail["ctx"]["error"])
    else:
        yield (
            f"{dotted} is {detail['input']!r}; it is a section: give a {inner.__name__}, or in a "
            "file its settings, each by its name"
        )


def _wrong_value(
    dotted: str, info: FieldInfo, below: list[Any], detail: Mapping[str, Any]
) -> Iterator[str]:
    value = detail["input"]
    if below and below[-1] == "[key]":
        yield from _unknown(f"{dotted}.{below[0]}", _one_of(get_args(info.annotation)[0]).names)
    elif below and isinstance(below[0], int):
        yield f"{dotted} holds {value!r}; use {allowed_values(info)}"
    elif below:
        yield f"{dotted}.{below[0]} is {value!r}; use {allowed_entries(info)}"
    else:
        shown_value = repr(value) if info.repr else f"of the type {type(value).__name__}"
        words = detail["ctx"]["error"] if "error" in detail.get("ctx", {}) else allowed_values(info)
        yield f"{dotted} is {shown_value}; use {words}"


def _unknown(dotted: str, names: Iterable[str]) -> Iterator[str]:
    """What to write in place of a name that is no setting."""
    prefix, _, name = dotted.rpartition(".")
    section_prefix = f"{prefix}." if prefix else ""
    nearest = difflib.get_close_matches(name, names, 1)
    if nearest:
        yield f"{dotted} is not a setting; the nearest is {section_prefix}{nearest[0]}"
    else:
        yield f"{dotted} is not a setting; use one of {', '.join(names)}"


def allowed_values(info: FieldInfo) -> str:
    """What a setting may be, in words: "an integer from 1 to 10000", "one of use, retrieval"."""
    return _in_words(info.annotation, info.metadata)


def allowed_entries(info: FieldInfo) -> str:
    """What an entry of a table of numbers may be, in words."""
    return _in_words(get_args(info.annotation)[1], ())


def _in_words(kind: Any, bounds: Iterable[Any]) -> str:
    if get_origin(kind) is Annotated:
        kind, *more = get_args(kind)
        bounds = [*bounds, *more]
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        (kind,) = (part for part in get_args(kind) if part is not type(None))
        return f"{_in_words(kind, bounds)}, or none"
    if kind in (int, float):
        return _range(kind, bounds)
    if origin is Literal:
        return f"one of {', '.join(get_args(kind))}"
    if origin is tuple:
        (entry, _) = get_args(kind)
        names = get_args(entry) if get_origin(entry) is Literal else ()
        any_text = f"texts with a letter, each of at most {_LONGEST_NAME} characters"
        return f"a list of {'some of ' + ', '.join(names) if names else any_text}"
    if kind in (bool, str):
        return "true or false" if kind is bool else "a text"
    names, number = get_args(kind)
    return f"a table with {_in_words(number, ())} for some of {', '.join(_one_of(names).names)}"


def _one_of(kind: Any) -> OneOf:
    return get_args(kind)[1]  # type: ignore[no-any-return]


def _range(kind: type, bounds: Iterable[Any]) -> str:
    limits = _limits(bounds)
    if "gt" in limits:
        return f"a number above {limits['gt']:g} and at most {limits['le']:g}"
    return f"{'an integer' if kind is int else 'a number'} from {limits['ge']} to {limits['le']}"


def _limits(bounds: Iterable[Any]) -> dict[str, Any]:
    """The bounds of a number, by pydantic's names for them."""
    limits = dict[str, Any]()
    for bound in bounds:
        for part in getattr(bound, "metadata", (bound,)):
            for name in ("ge", "gt", "le"):
                if hasattr(part, name):
                    limits[name] = getattr(part, name)
    return limits
