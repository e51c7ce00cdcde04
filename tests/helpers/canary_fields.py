"""Every field of the public methods that takes words, by introspection, and a secret in the shape of each."""

import dataclasses
import inspect
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from cogmem_core.errors import CogMemError
from cogmem_core.models import ToolCall, Turn
from cogmem_core.results import ItemWrite

__all__ = ["PLANTED", "Field", "fields_of", "found_in", "laid_out", "outcome_of"]

KEY = "sk-proj-" + "Zq7Xw2Vt9Rk4Np6Ms1" * 2
PASSWORD = "Kanarie4711vogel"
CARD = "4539 5787 6362 1486"
PLANTED = f"Tea {KEY} password={PASSWORD} {CARD}"
"""One of each kind that the screen knows."""
_SHOWN = (KEY, PASSWORD, CARD, CARD.replace(" ", ""))
_RECORDS = (
    Turn("I moved to Oslo"),
    ToolCall("find"),
    ItemWrite(("notes",), "one", {"text": "tea"}),
)

_NO_FIELDS = ("as_retriever", "session")  # what is done through them passes other methods


class Field(NamedTuple):
    """A value with a secret for one parameter; of a record, for one field of it."""

    method: str
    parameter: str
    part: str
    value: Any


def fields_of(owner: type) -> Iterator[Field]:
    """The fields of the methods of a class that take words; async twins take the same ones."""
    for name, method in inspect.getmembers(owner, inspect.isfunction):
        if (
            name.startswith("_")
            or name in _NO_FIELDS
            or (hasattr(owner, name.removeprefix("a")) and name[0] == "a")
        ):
            continue
        for parameter in list(inspect.signature(method).parameters.values())[1:]:
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
                for part, value in _values(str(parameter.annotation)):
                    yield Field(name, parameter.name, part, value)


def _values(annotation: str) -> Iterator[tuple[str, Any]]:
    """What may be handed in where something of a type is wanted, by its part."""
    if "Callable" in annotation or annotation in ("Where | None", "Recall"):
        return
    for record in _RECORDS:
        if type(record).__name__ in annotation:
            yield from (
                (f"{type(record).__name__}.{part}", [made]) for part, made in _planted(record)
            )
    if "Message" in annotation:
        message = {"role": "user", "content": PLANTED, "name": PLANTED, "id": PLANTED}
        yield "message", [message]
        yield "unknown field of a message", [{**message, PLANTED: PLANTED}]
        yield "time of a message", [{"role": "user", "content": "Tea", "timestamp": PLANTED}]
    if "Mapping[str, Any]" in annotation:
        yield "operator", {"key": {PLANTED: PLANTED}}
    if "Mapping[str, Any]" in annotation and "ToolCall" not in annotation:
        yield "mapping", _mapping()
    if "Iterable[str]" in annotation or "Sequence[str]" in annotation:
        yield "several", [PLANTED]
    if annotation.startswith("str") or "| str" in annotation:
        yield "text", PLANTED


def _mapping() -> Mapping[str, Any]:
    return {"note": PLANTED, PLANTED: [{"deep": PLANTED}], "password": PASSWORD}


def _planted(record: Any) -> Iterator[tuple[str, Any]]:
    """A record with a secret in one field after the other."""
    for field in dataclasses.fields(record):
        kind = str(field.type)
        if "Mapping" in kind:
            yield field.name, dataclasses.replace(record, **{field.name: _mapping()})
        elif kind.startswith("tuple[str"):
            yield field.name, dataclasses.replace(record, **{field.name: (PLANTED,)})
        elif kind.startswith(("str", "Role")):
            yield field.name, dataclasses.replace(record, **{field.name: PLANTED})


def outcome_of(owner: Any, field: Field, valid: Mapping[str, Any]) -> str:
    """Everything that a call tells, be it a result or one of our errors."""
    try:
        return laid_out(getattr(owner, field.method)(**{**valid, field.parameter: field.value}))
    except CogMemError as error:
        return f"{error!r} {error}"


def laid_out(value: Any) -> str:
    """A result with all its fields, also those that its `repr` leaves out."""
    told = [repr(value), str(value)]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        told += [laid_out(getattr(value, field.name)) for field in dataclasses.fields(value)]
    elif isinstance(value, (list, tuple)):
        told += [laid_out(one) for one in value]
    return " ".join(told)


def found_in(told: str) -> list[str]:
    """The secrets that a text holds."""
    return [secret for secret in _SHOWN if secret in told]
