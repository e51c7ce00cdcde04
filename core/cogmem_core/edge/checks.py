"""The edge: arguments are checked here, before anything is read or written.

Each check returns the cleaned value or raises `InvalidInput` naming the argument, its value, the
limit and the fix. NUL and lone surrogates are refused because not every database can store them.
"""

from __future__ import annotations

import json
import math
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, get_args

from cogmem_core.base.lru import text_cache
from cogmem_core.base.runtime import is_id
from cogmem_core.config import Config, LimitsConfig
from cogmem_core.errors import InvalidInput
from cogmem_core.text.safety.secrets import find_secrets, redact
from cogmem_core.values.messages import turn_of
from cogmem_core.values.models import CATEGORIES, Category, Role, Turn

_DIGEST = re.compile("[0-9a-f]{64}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
_ROLES = get_args(Role)
_LARGEST = 2**31 - 1
_DAY = 86_400
_NUMBER_KINDS = ("card number", "iban")
_READ_FOR_DISPLAY = (
    2_000  # characters; of a longer value the rest need not be read to show its beginning
)
_CENTURY = 36_500
ABOVE_ZERO = math.ulp(0.0)
"""The least number above 0."""
# JSON is read by recursion: what is nested deeper could be stored here and then not be read from a
# deeper call stack.
_DEEPEST = 100
# Of a document. An index row of PostgreSQL holds 2,700 bytes, and the namespace takes up to 1,024
# of them.
_PATH_BYTES = 1_024
_KEY_BYTES = 512


def display(value: object) -> str:
    """What a caller handed in, as an error may quote it: without a secret, in at most 80 characters."""
    # Before the quotes are put around it: behind an escaped tab a key is no word of its own.
    if isinstance(value, str):
        text = repr(redact(value[:_READ_FOR_DISPLAY]))
    else:
        text = redact(repr(value)[:_READ_FOR_DISPLAY])
    return text if len(text) <= 80 else text[:77] + "..."


@contextmanager
def quoting_no_secret() -> Iterator[None]:
    """For what is checked below this floor: an error that leaves the block says no secret."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(redact(str(error))) from None


def _storable(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{name} is {display(value)} ({type(value).__name__}); give a string")
    if "\x00" in value:
        raise InvalidInput(
            f"{name} holds a NUL character at position {value.index(chr(0))}; remove it"
        )
    if surrogate := _SURROGATE.search(value):
        raise InvalidInput(
            f"{name} holds a lone surrogate at position {surrogate.start()}; decode the bytes with "
            "the right encoding, or text.encode('utf-8', 'replace').decode()"
        )
    return value


def text(name: str, value: object, limit: int) -> str:
    """A text with something in it, of at most `limit` UTF-8 bytes."""
    value = _storable(name, value)
    if not value.strip():
        raise InvalidInput(f"{name} is {display(value)}: empty or blank; give some text")
    size = len(value.encode())
    if size > limit:
        raise InvalidInput(
            f"{name} has {size:,} bytes, the limit is {limit:,}; split it, or raise the limit in "
            "limits"
        )
    return value


def label(name: str, value: object, limits: LimitsConfig) -> str | None:
    """A short name (session, speaker, ref, tag) without control characters; None stays None."""
    if value is None:
        return None
    value = _storable(name, value)
    if not value.strip() or len(value) > limits.label_characters:
        raise InvalidInput(
            f"{name} is {display(value)} with {len(value)} characters; the range is 1 to "
            f"{limits.label_characters}"
        )
    if any(unicodedata.category(character) == "Cc" for character in value):
        raise InvalidInput(f"{name} is {display(value)}; remove the control characters")
    return value


def namespace(value: object, config: Config) -> str:
    """A namespace: 1..256 characters, no control characters, no secret.

    Compared whole and case-sensitively.
    """
    checked = label("namespace", value, config.limits)
    if checked is None:
        raise InvalidInput("namespace is None; give a string, for instance the user's id")
    return without_secret("namespace", checked, config.encoding.secrets)


def without_secret(name: str, value: str, secrets: str = "redact") -> str:
    """A name under which things are kept and shown: it may hold no key and no password.

    What looks like the number of a card may be somebody's id, and passes.

    Args:
        name: the argument, for the message.
        value: what was given for it.
        secrets: the setting `encoding.secrets`; with "keep" everything passes.
    """
    kind = "" if secrets == "keep" else _secret_in(value)
    if kind:
        raise InvalidInput(
            f"{name} holds a secret ({kind}); use an id in its place, or set encoding.secrets: keep"
        )
    return value


@text_cache(4_096)
def _secret_in(value: str) -> str:
    """The kind of the first secret that is no number; "" if there is none."""
    kinds = (secret.kind for secret in find_secrets(value))
    return next((kind for kind in kinds if kind not in _NUMBER_KINDS), "")


def identifier(name: str, value: object) -> str:
    """An id: any storable string may be asked for; only those that exist are found."""
    value = _storable(name, value)
    if not value:
        raise InvalidInput(f"{name} is ''; give an id, as the list of its kind shows it")
    return value


def cursor(value: object) -> str | None:
    """Where a page ended: an id, also of a memory that is there no more; None = before the first page."""
    if value is None:
        return None
    value = _storable("cursor", value)
    if not is_id(value):
        raise InvalidInput(
            f"cursor is {display(value)}, where no page ends; give the cursor of the page before, "
            "or leave it out for the first page"
        )
    return value


def anchor(value: object) -> str | None:
    """A noted head of an audit trail: a SHA-256 in small hexadecimal digits; None = none was noted."""
    if value is None:
        return None
    value = _storable("anchor", value)
    if not _DIGEST.fullmatch(value):
        raise InvalidInput(
            f"anchor is {display(value)}, which is no head of an audit trail; give the 64 digits of "
            "AuditTrail.head as they were noted, or leave it out if there were no entries then"
        )
    return value


def key(name: str, value: object, limit: int) -> str:
    """A string of at most `limit` UTF-8 bytes that is compared whole.

    It may be blank, but for NUL and surrogates.
    """
    value = _storable(name, value)
    size = len(value.encode())
    if size > limit:
        raise InvalidInput(f"{name} has {size:,} bytes, the limit is {limit:,}; give a shorter one")
    return value


def folder(name: str, value: object) -> tuple[str, ...]:
    """The path of documents: labels, the outermost first, of at most 1,024 bytes together as JSON."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidInput(
            f"{name} is {display(value)}; give a tuple of strings, such as ('users', 'alice')"
        )
    labels = tuple(key(f"{name}[{index}]", label, _PATH_BYTES) for index, label in enumerate(value))
    if "" in labels:
        raise InvalidInput(f"{name} is {display(value)}; leave the empty label out")
    if len(json.dumps(labels, ensure_ascii=False).encode()) > _PATH_BYTES:
        raise InvalidInput(
            f"{name} has more than {_PATH_BYTES:,} bytes as JSON; use shorter or fewer labels"
        )
    return labels


def address(path: object, name: object) -> tuple[tuple[str, ...], str]:
    """Path and key of a document; a key has at most 512 UTF-8 bytes."""
    return folder("path", path), key("key", name, _KEY_BYTES)


def path(name: str, value: object) -> Path:
    """A path that the operating system can take."""
    if not isinstance(value, (str, os.PathLike)):
        raise InvalidInput(f"{name} is {display(value)} ({type(value).__name__}); give a path")
    name_text = os.fsdecode(value)
    try:
        usable = bool(name_text.strip()) and b"\x00" not in os.fsencode(name_text)
    except UnicodeEncodeError:
        usable = False
    if not usable:
        raise InvalidInput(
            f"{name} is {display(name_text)}; give a path without NUL and lone surrogates, not empty"
        )
    try:
        return Path(name_text).expanduser()
    except RuntimeError as error:
        raise InvalidInput(
            f"{name} is {display(name_text)}: {error}; write the home folder out"
        ) from None


def folder_of_bank(value: object) -> Path:
    """Where a bank is: a path, and no address of a server.

    Raises:
        InvalidInput: it is an address, or no path.
    """
    if isinstance(value, str) and "://" in value:
        scheme = value.partition("://")[0]
        raise InvalidInput(
            f"path is an address ({display(scheme)}...); give a folder, and the address of a "
            "database as storage.ledger_url in cogmem.toml, or as COGMEM_STORAGE__LEDGER_URL"
        )
    return path("path", value)


def listed(name: str, values: object, element_kind: str = "strings") -> tuple[Any, ...]:
    """The entries of a list or of anything else that can be gone through, but for a text, which is one value.

    Args:
        name: the argument, for the message.
        values: what was given for it.
        element_kind: what the entries should be, for the message; they are not checked here.
    """
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InvalidInput(
            f"{name} is {display(values)} ({type(values).__name__}); give a list of {element_kind}"
        )
    return tuple(values)


def labels(name: str, values: object, limits: LimitsConfig) -> tuple[str, ...]:
    """Distinct labels in the given order."""
    entries = enumerate(listed(name, values))
    distinct = list(dict.fromkeys(label(f"{name}[{i}]", value, limits) for i, value in entries))
    if None in distinct:
        raise InvalidInput(f"{name} holds None; leave it out")
    if len(distinct) > limits.tags:
        raise InvalidInput(
            f"{name} has {len(distinct)} entries, the limit is {limits.tags}; use fewer"
        )
    return tuple(str(value) for value in distinct)


def moment(name: str, value: object) -> datetime:
    """A timezone-aware datetime, in UTC."""
    if not isinstance(value, datetime):
        raise InvalidInput(
            f"{name} is {display(value)} ({type(value).__name__}); give a timezone-aware datetime"
        )
    if value.utcoffset() is None:
        raise InvalidInput(
            f"{name} is the naive datetime {value.isoformat()}; add tzinfo, e.g. timezone.utc"
        )
    try:
        return value.astimezone(timezone.utc)
    except OverflowError:
        raise InvalidInput(
            f"{name} is {value.isoformat()}, outside the years 1 to 9999 in UTC; correct it"
        ) from None


def metadata(value: object, limits: LimitsConfig) -> Mapping[str, Any]:
    """A JSON object of limited size, as JSON would give it back."""
    written = json_object("metadata", value)
    if len(written.encode()) > limits.metadata_bytes:
        raise InvalidInput(
            f"metadata has {len(written.encode()):,} bytes, the limit is {limits.metadata_bytes:,}; "
            "shorten it, or raise limits.metadata_bytes"
        )
    result: Mapping[str, Any] = json.loads(written)
    return result


def json_object(name: str, value: object) -> str:
    """What JSON makes of a mapping that every database can store."""
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{name} is {display(value)}; give a dict")
    try:
        written = json.dumps(dict(value), allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(
            f"{name} is not JSON: {error}; use strings, numbers, lists and dicts"
        ) from None
    if _ESCAPED_NUL.search(written):
        raise InvalidInput(f"{name} holds a NUL character; remove it")
    _storable(name, written)
    if _depth(written) > _DEEPEST:
        raise InvalidInput(f"{name} is nested more than {_DEEPEST} levels deep; make it flatter")
    return written


def _depth(written: str) -> int:
    depth = deepest = 0
    for bracket in re.findall(r'"(?:[^"\\]|\\.)*"|[\[{\]}]', written):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(bracket, 0)
        deepest = max(deepest, depth)
    return deepest


def between(
    name: str, value: Any, low: float, high: float, wanted: str, *kinds: type[float]
) -> Any:
    """A number of one of these kinds; True and False are none."""
    if isinstance(value, bool) or not isinstance(value, kinds) or not low <= value <= high:
        raise InvalidInput(f"{name} is {display(value)}; give {wanted}")
    return value


def k_results(value: object, maximum: int) -> int:
    """How many results: 1 .. maximum."""
    return int(between("k", value, 1, maximum, f"an integer from 1 to {maximum:,}", int))


def positive(name: str, value: object, least: int = 1) -> int:
    """An integer from `least` to 2,147,483,647."""
    wanted = f"an integer of at least {least} and at most {_LARGEST:,}"
    return int(between(name, value, least, _LARGEST, wanted, int))


def whole(name: str, value: object) -> int:
    """An integer from 0 to 2,147,483,647."""
    return positive(name, value, 0)


def fraction(name: str, value: object) -> float:
    """A number from 0 to 1."""
    return float(between(name, value, 0, 1, "a number from 0 to 1", int, float))


def seconds(name: str, value: object) -> float:
    """A number above 0, at most a day's seconds."""
    wanted = f"seconds, a number above 0 and at most {_DAY:,}"
    return float(between(name, value, ABOVE_ZERO, _DAY, wanted, int, float))


def days(name: str, value: object) -> float:
    """A number above 0, at most a century's days."""
    wanted = f"days, a number above 0 and at most {_CENTURY:,}"
    return float(between(name, value, ABOVE_ZERO, _CENTURY, wanted, int, float))


def flag(name: str, value: object) -> bool:
    """True or False, nothing that merely looks like it."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{name} is {display(value)}; give True or False")
    return value


def choice(name: str, value: object, allowed: Sequence[str]) -> str:
    """One of a closed set."""
    if not isinstance(value, str) or value not in allowed:
        raise InvalidInput(f"{name} is {display(value)}; use one of {', '.join(allowed)}")
    return value


def category(value: object, name: str = "category") -> Category:
    """A memory's category."""
    return choice(name, value, CATEGORIES)  # type: ignore[return-value]


def categories(values: object, limits: LimitsConfig) -> tuple[Category, ...]:
    """Distinct categories of memories, in the given order."""
    return tuple(category(each, "categories") for each in labels("categories", values, limits))


def _local(name: str, value: Any) -> datetime | None:
    """A checked moment in the zone in which it was given: it tells what "today" meant."""
    return None if value is None else moment(name, value).astimezone(value.tzinfo)


def turn(name: str, value: object, limits: LimitsConfig) -> Turn:
    """A turn with every field checked.

    A bare string is a user's turn; a mapping is a message, see `values.messages.turn_of`.
    """
    checked = _turn(name, value, limits)
    text(
        name if isinstance(value, str) else f"{name}.content", checked.content, limits.content_bytes
    )
    return replace(checked, metadata=metadata(checked.metadata, limits))


def entry(name: str, value: object, limits: LimitsConfig) -> Turn:
    """A turn of a transcript: its text may be empty, its metadata may be as long as a text."""
    checked = _turn(name, value, limits)
    limit = limits.content_bytes
    written = json_object(f"{name}.metadata", checked.metadata)
    for part, size in (
        ("content", len(checked.content.encode())),
        ("metadata", len(written.encode())),
    ):
        if size > limit:
            raise InvalidInput(
                f"{name}.{part} has {size:,} bytes, the limit is {limit:,}; raise "
                "limits.content_bytes"
            )
    return replace(checked, metadata=json.loads(written))


def _turn(name: str, value: object, limits: LimitsConfig) -> Turn:
    """Everything but the sizes and the metadata."""
    source = Turn(value) if isinstance(value, str) else value
    if isinstance(source, Mapping):
        with quoting_no_secret():
            source = turn_of(name, source, {})
    if not isinstance(source, Turn):
        raise InvalidInput(
            f"{name} is {display(value)} ({type(value).__name__}); give a string, a "
            'cogmem_core.Turn or a message such as {"role": "user", "content": "..."}'
        )
    return Turn(
        content=_storable(f"{name}.content", source.content),
        role=choice(f"{name}.role", source.role, _ROLES),  # type: ignore[arg-type]
        speaker=label(f"{name}.speaker", source.speaker, limits),
        at=_local(f"{name}.at", source.at),
        session_id=label(f"{name}.session_id", source.session_id, limits),
        ref=label(f"{name}.ref", source.ref, limits),
        metadata=source.metadata,
        asked=_storable(f"{name}.asked", source.asked),
        tags=labels(f"{name}.tags", source.tags, limits),
        valid_until=None
        if source.valid_until is None
        else moment(f"{name}.valid_until", source.valid_until),
    )
