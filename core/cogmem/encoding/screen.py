"""The edge of writing: turns are checked, and secrets dealt with, before anything reaches the disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cogmem import checks
from cogmem.config import Config
from cogmem.errors import InvalidInput
from cogmem.models import Turn
from cogmem.text.secrets import find_secrets, redact

__all__ = ["REDACTED", "screen", "screen_turn", "screen_value", "take_turns"]

REDACTED = "redacted"


def screen(name: str, text: str, policy: str) -> tuple[str, tuple[str, ...]]:
    """The text as it may be kept, and the kinds of secret that were taken out of it.

    Args:
        name: what the text is called in an error.
        policy: `redact` (replace secrets), `reject` (refuse the text) or `keep`.

    Raises:
        InvalidInput: the policy is `reject` and there is a secret; the message names its kind, not its value.
    """
    found = () if policy == "keep" else find_secrets(text)
    if not found:
        return text, ()
    kinds = tuple(dict.fromkeys(secret.kind for secret in found))
    if policy == "reject":
        raise InvalidInput(f"{name} holds a secret ({', '.join(kinds)}); remove it, or set encoding.secrets: redact")
    return redact(text), kinds


def screen_value(name: str, value: Any, policy: str, label: str = "") -> Any:
    """A JSON value as it may be kept: no string, whole number or name in it holds a secret.

    What stands beside a name is read with it, because the name may tell what it is: `{"password": "hunter2"}`.
    """
    if isinstance(value, Mapping):
        names = {key: screen(f"a name in {name}", key, policy)[0] for key in value}
        return {kept: screen_value(f"{name}.{kept}", value[key], policy, kept) for key, kept in names.items()}
    if isinstance(value, list):
        return [screen_value(f"{name}[{index}]", one, policy, label) for index, one in enumerate(value)]
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return value
    beside = f"{label}: " if label else ""
    text, kinds = screen(name, f"{beside}{value}", policy)
    return text.removeprefix(beside) if kinds else value


def screen_turn(name: str, turn: Turn, policy: str) -> Turn:
    """A turn as it may be kept; its metadata tell what was taken out."""
    text, kinds = screen(f"{name}.content", turn.content, policy)
    return replace(turn, content=text, metadata={**turn.metadata, REDACTED: list(kinds)}) if kinds else turn


def take_turns(
    content: str | Turn | Sequence[str | Turn], alike: Mapping[str, Any], config: Config
) -> tuple[Turn, ...]:
    """What a caller handed in, checked and screened; `alike`: the fields of bare texts.

    Raises:
        InvalidInput: names the turn and what is wrong with it.
    """
    limits, secrets = config.limits, config.encoding.secrets
    if isinstance(content, (str, Turn)):
        given = Turn(content, **alike) if isinstance(content, str) else content
        return (screen_turn("content", checks.turn("content", given, limits), secrets),)
    if not isinstance(content, Sequence) or isinstance(content, bytes):
        raise InvalidInput(f"content is a {type(content).__name__}; give a string, a cogmem.Turn or a list of them")
    if len(content) > limits.batch_items:
        raise InvalidInput(f"content has {len(content):,} turns, the limit is {limits.batch_items:,}; split it")
    given_turns = (Turn(item, **alike) if isinstance(item, str) else item for item in content)
    turns = [(f"content[{i}]", turn) for i, turn in enumerate(given_turns)]
    return tuple(screen_turn(name, checks.turn(name, turn, limits), secrets) for name, turn in turns)
