"""What is known of whom: profiles, and models of a user's own that are filled from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from cogmem_core.errors import InvalidInput
from cogmem_core.reading.question import slot_named
from cogmem_core.values.results import Profile, ProfileLine
from cogmem_core.values.results.profile import SECTIONS

if TYPE_CHECKING:
    from cogmem_core.engine.bank import MemoryBank

SURE = 0.8
"""How likely a recalled memory must be relevant to fill a field."""
_LISTS = (list, tuple, set, frozenset)
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_VALUES = ("who", "home", "work", "animals", "possessions")
"""Sections whose lines are told by their values alone."""
Filled = TypeVar("Filled", bound=BaseModel)


def filled(bank: MemoryBank, known: Profile, schema: type[Filled]) -> Filled:
    """A model filled from a profile, and else from what a recall is sure of.

    Raises:
        InvalidInput: it is no pydantic model, or a field that must be given is not known.
    """
    if not (isinstance(schema, type) and issubclass(schema, BaseModel)):
        raise InvalidInput(f"schema is {schema!r}; give a class derived from pydantic.BaseModel")
    values: dict[str, Any] = {}
    for name, field in schema.model_fields.items():
        adapter = TypeAdapter[Any](field.rebuild_annotation())
        several = any(get_origin(part) in _LISTS for part in _alternatives(field.annotation))
        found = list(_values(bank, known, name.replace("_", " "), field))
        for value in [found] if several and found else found:
            if (fitting := _fitting(adapter, value)) is not None:
                values[field.alias or name] = fitting
                break
    optional = {
        name: None
        for name, field in schema.model_fields.items()
        if (field.alias or name) not in values
        and field.is_required()
        and NoneType in _alternatives(field.annotation)
    }
    try:
        return schema.model_validate({**optional, **values})
    except ValidationError as error:
        raise InvalidInput(f"schema cannot be filled: {error}") from None


def _values(bank: MemoryBank, known: Profile, name: str, field: FieldInfo) -> Iterator[str]:
    """What a field may hold, the surest first."""
    lines = list(_lines(known, name, field.description or ""))
    yield from (line.value if _told_by_value(line) else line.text for line in lines)
    if lines or known.subject:
        return
    recall = bank.recall(field.description or name, k=3)
    yield from (item.content for item in recall if item.confidence >= SURE)


def _told_by_value(line: ProfileLine) -> bool:
    return bool(line.value) and (line.section in _VALUES or line.subject.startswith("my "))


def _lines(known: Profile, name: str, about: str) -> Sequence[ProfileLine]:
    """The lines that a field asks for: by slot, by the thing that is spoken of, by section."""
    slot = slot_named(name) or slot_named(about)
    own = [line for line in known.lines if slot and line.slot == slot and line.of in ("", known.of)]
    named = [line for line in known.lines if line.subject == f"my {name}" and line.value]
    section = next((each for each in SECTIONS if name in (each, each.rstrip("s"))), None)
    return own or named or (known.section(section) if section else ())


def _fitting(adapter: TypeAdapter[Any], value: str | Sequence[str]) -> Any:
    """A value as its field takes it; None if it does not."""
    number = _NUMBER.search(value) if isinstance(value, str) else None
    for each in (value, *([number[0].replace(",", ".")] if number else [])):
        try:
            return adapter.validate_python(each)
        except ValidationError:
            continue
    return None


def _alternatives(annotation: Any) -> tuple[Any, ...]:
    """The parts of a union; of any other type itself."""
    union = get_origin(annotation) in (Union, UnionType)
    return get_args(annotation) if union else (annotation,)
