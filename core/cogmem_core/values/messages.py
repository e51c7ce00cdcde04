"""Messages as chat clients hold them: mappings with a role and a content, read as turns. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime, timezone
from difflib import get_close_matches
from typing import Any

from cogmem_core.errors import InvalidInput
from cogmem_core.values.models import Message, Role, Turn

Said = str | Turn | Message
"""What is said at once."""
_FIELDS = tuple(item.name for item in fields(Turn))
_ALIASES: Mapping[str, str] = {
    "name": "speaker",
    "id": "ref",
    "timestamp": "at",
    "created_at": "at",
    "type": "role",
}
_ROLES: Mapping[str, Role] = {
    "human": "user",
    "ai": "assistant",
    "model": "assistant",
    "developer": "system",
    "function": "tool",
    "ipython": "tool",
}
_LEFT_OUT = (
    "additional_kwargs",
    "annotations",
    "audio",
    "cache_control",
    "example",
    "function_call",
    "invalid_tool_calls",
    "reasoning",
    "reasoning_content",
    "refusal",
    "response_metadata",
    "status",
    "tool_call_id",
    "tool_calls",
    "usage_metadata",
)
"""What chat clients put into a message besides what was said."""
_TEXT_KINDS = ("text", "input_text", "output_text")
_MOMENTS = ("at", "valid_until")
_EPOCHS = ("timestamp", "created_at")
_NEAR = 0.7  # difflib's likeness, 0..1


def turn_of(name: str, message: Mapping[str, Any], defaults: Mapping[str, Any]) -> Turn:
    """The turn that a message is; its values are not checked here.

    Args:
        name: what the message is called in an error.
        message: `role` and `content` (a text, or a list of parts of which those with a text count),
            and any other field of `Turn`; `name` is the speaker of what a person or the model says,
            `id` the ref, moments may be ISO 8601; `timestamp` or `created_at` is `at`, also as
            seconds since 1970.
        defaults: the fields of `Turn` that the message does not give; the speaker only of a message
            of the same role, because it is not others who said it.

    Raises:
        InvalidInput: it has no content or no role, or a field that no message has.
    """
    values: dict[str, Any] = {}
    for key, value in message.items():
        field_name = _field_of(name, key)
        if field_name and value is not None and field_name not in values:
            values[field_name] = (
                _moment(f"{name}.{key}", value) if field_name in _MOMENTS else value
            )
    if "content" not in message:
        raise InvalidInput(
            f'{name} has no content; give a message such as {{"role": "user", "content": "..."}}'
        )
    role = values.get("role")
    if role is None:
        raise InvalidInput(
            f"{name} is a {type(message).__name__} without a role; give a string, a "
            'cogmem_core.Turn or a message such as {"role": "user", "content": "..."}'
        )
    if isinstance(role, str):
        values["role"] = _ROLES.get(role, role)
    fields = {**defaults, **values, "content": words(values.get("content", ""))}
    if "speaker" in values and values.get("role") == "tool":
        fields["speaker"] = None  # the name of a tool is no person's
    elif "speaker" not in values and fields.get("role") != defaults.get("role"):
        fields["speaker"] = None
    return Turn(**fields)


def holds_no_words(message: object) -> bool:
    """Whether it is a message in which nothing is said: a tool is called, or an image shown."""
    if not isinstance(message, Mapping) or "content" not in message:
        return False
    content = message["content"]
    if content == "":
        return bool(message.get("tool_calls") or message.get("function_call"))
    return (content is None or isinstance(content, (list, tuple))) and words(content) == ""


def _field_of(name: str, key: object) -> str:
    """The field of `Turn` that a key gives; empty if it gives none."""
    if isinstance(key, str) and (key in _FIELDS or key in _ALIASES):
        return _ALIASES.get(key, key)
    if key in _LEFT_OUT:
        return ""
    near = get_close_matches(str(key), (*_FIELDS, *_ALIASES), 1, _NEAR)
    advice = f"the nearest one is {near[0]!r}" if near else f"use {', '.join(_FIELDS)}"
    raise InvalidInput(
        f"{name} has the field {key!r}, which no message has; {advice}, or put it into metadata"
    )


def words(content: object) -> Any:
    """What is said in a content; anything but text and parts stays as it is, to be refused."""
    if content is None:
        return ""
    if isinstance(content, (str, bytes)) or not isinstance(content, Sequence):
        return content
    texts: list[str] = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, Mapping) and part.get("type", "text") in _TEXT_KINDS:
            text = part.get("text")
            texts += [text] if isinstance(text, str) else []
    return "\n".join(filter(None, texts))


def from_iso(text: str) -> datetime:
    """A time in ISO 8601, also with a Z, which Python 3.10 does not read.

    Raises:
        ValueError: it is none.
    """
    return datetime.fromisoformat(f"{text[:-1]}+00:00" if text[-1:] in ("Z", "z") else text)


def _moment(name: str, value: object) -> Any:
    """A moment as clients write it; anything else stays as it is, to be checked or refused."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and name.endswith(_EPOCHS):
        try:
            return datetime.fromtimestamp(value, timezone.utc)
        except (OverflowError, ValueError, OSError):
            raise InvalidInput(f"{name} is {value!r}; give seconds since 1970") from None
    if not isinstance(value, str):
        return value
    text = value.strip()
    try:
        return from_iso(text)
    except ValueError:
        raise InvalidInput(
            f"{name} is {value!r}; give ISO 8601 such as 2026-03-01T18:30:00+01:00"
        ) from None
