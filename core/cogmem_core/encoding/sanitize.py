"""The edge of writing: turns are checked, and secrets dealt with, before anything reaches the disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cogmem_core import checks
from cogmem_core.config import Config, EncodingConfig
from cogmem_core.errors import InvalidInput
from cogmem_core.models import Turn
from cogmem_core.text.safety.pii import find_pii, redact_pii
from cogmem_core.text.safety.secrets import find_secrets, redact

__all__ = ["REDACTED", "screen", "screen_entry", "screen_turn", "screen_value", "scrub", "take_entries", "take_turns"]

REDACTED = "redacted"


def screen(name: str, text: str, settings: EncodingConfig) -> tuple[str, tuple[str, ...]]:
    """The text as it may be kept, and the kinds of secret and of personal data that were taken out of it.

    Args:
        name: what the text is called in an error.
        settings: `secrets` says `redact` (replace secrets), `reject` (refuse the text) or `keep`; `pii` says what
            happens to each kind of personal data.

    Raises:
        InvalidInput: something is in the text that is refused; the message names its kind, not its value.
    """
    blocked, redacted = settings.pii.having("block"), settings.pii.having("redact")
    if blocked and (found := find_pii(text, blocked)):
        kinds = ", ".join(dict.fromkeys(one.kind for one in found))
        raise InvalidInput(f"{name} holds personal data ({kinds}); remove it, or allow it with encoding.pii")
    text, kinds_taken = _without_secrets(name, text, settings.secrets)
    personal = find_pii(text, redacted) if redacted else ()
    if not personal:
        return text, kinds_taken
    return redact_pii(text, redacted), tuple(dict.fromkeys((*kinds_taken, *(one.kind for one in personal))))


def _without_secrets(name: str, text: str, policy: str) -> tuple[str, tuple[str, ...]]:
    found = () if policy == "keep" else find_secrets(text)
    if not found:
        return text, ()
    kinds = tuple(dict.fromkeys(secret.kind for secret in found))
    if policy == "reject":
        raise InvalidInput(f"{name} holds a secret ({', '.join(kinds)}); remove it, or set encoding.secrets: redact")
    return redact(text), kinds


def scrub(text: str, settings: EncodingConfig) -> str:
    """A text without anything that may not be kept; nothing is refused."""
    clean = text if settings.secrets == "keep" else redact(text)
    kinds = settings.pii.having("block", "redact")
    return redact_pii(clean, kinds) if kinds else clean


def screen_value(
    name: str, value: Any, settings: EncodingConfig, *, beside: str = "", found: set[str] | None = None
) -> Any:
    """A JSON value as it may be kept: no string, whole number or name in it holds a secret.

    What stands beside a name is read with it, because the name may tell what it is: `{"password": "hunter2"}`.

    Args:
        beside: the name that the value stands beside.
        found: takes the kinds of secret that were taken out.
    """
    if isinstance(value, Mapping):
        names = {key: _screened(f"a name in {name}", key, settings, found) for key in value}
        kept = {names[key]: (f"{name}.{names[key]}", one, names[key]) for key, one in value.items()}
        return {
            key: screen_value(where, one, settings, beside=by, found=found) for key, (where, one, by) in kept.items()
        }
    if isinstance(value, list):
        ones = enumerate(value)
        return [screen_value(f"{name}[{index}]", one, settings, beside=beside, found=found) for index, one in ones]
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return value
    label = f"{beside}: " if beside else ""
    text = _screened(name, f"{label}{value}", settings, found)
    return value if text == f"{label}{value}" else text.removeprefix(label)


def _screened(name: str, text: str, settings: EncodingConfig, found: set[str] | None) -> str:
    text, kinds = screen(name, text, settings)
    if found is not None:
        found.update(kinds)
    return text


def screen_turn(name: str, turn: Turn, settings: EncodingConfig) -> Turn:
    """A turn as it may be kept; its metadata tell what was taken out."""
    text, kinds = screen(f"{name}.content", turn.content, settings)
    return replace(turn, content=text, metadata={**turn.metadata, REDACTED: list(kinds)}) if kinds else turn


def screen_entry(name: str, turn: Turn, settings: EncodingConfig) -> Turn:
    """A turn of a transcript as it may be kept: no string of its metadata holds a secret either.

    A string beside a key is read with it, because the key may tell what the string is: `{"password": "hunter2"}`.
    """
    found = set[str]()
    metadata = screen_value(f"{name}.metadata", turn.metadata, settings, found=found)
    kept = screen_turn(name, replace(turn, metadata=metadata), settings)
    kinds = [*dict.fromkeys([*kept.metadata.get(REDACTED, ()), *sorted(found)])]
    return replace(kept, metadata={**kept.metadata, REDACTED: kinds}) if found else kept


def take_turns(
    content: str | Turn | Sequence[str | Turn], alike: Mapping[str, Any], config: Config
) -> tuple[Turn, ...]:
    """What a caller handed in, checked and screened; `alike`: the fields of bare texts.

    Raises:
        InvalidInput: names the turn and what is wrong with it.
    """
    limits, encoding = config.limits, config.encoding
    if isinstance(content, (str, Turn)):
        given = Turn(content, **alike) if isinstance(content, str) else content
        return (screen_turn("content", checks.turn("content", given, limits), encoding),)
    if not isinstance(content, Sequence) or isinstance(content, bytes):
        raise InvalidInput(
            f"content is a {type(content).__name__}; give a string, a cogmem_core.Turn or a list of them"
        )
    if len(content) > limits.batch_items:
        raise InvalidInput(f"content has {len(content):,} turns, the limit is {limits.batch_items:,}; split it")
    given_turns = (Turn(item, **alike) if isinstance(item, str) else item for item in content)
    turns = [(f"content[{i}]", turn) for i, turn in enumerate(given_turns)]
    return tuple(screen_turn(name, checks.turn(name, turn, limits), encoding) for name, turn in turns)


def take_entries(content: Sequence[str | Turn], session_id: str, config: Config) -> tuple[Turn, ...]:
    """The turns of a transcript that a caller handed in, checked and screened.

    Raises:
        InvalidInput: names the turn and what is wrong with it.
    """
    limits, encoding = config.limits, config.encoding
    if isinstance(content, (str, bytes)) or not isinstance(content, Sequence):
        raise InvalidInput(f"turns is a {type(content).__name__}; give a list of cogmem_core.Turn")
    if len(content) > limits.batch_items:
        raise InvalidInput(f"turns has {len(content):,} entries, the limit is {limits.batch_items:,}; split it")
    entries = [checks.entry(f"turns[{i}]", turn, limits) for i, turn in enumerate(content)]
    for i, entry in enumerate(entries):
        if entry.session_id not in (None, session_id):
            raise InvalidInput(f"turns[{i}].session_id is {entry.session_id!r}; leave it out, or give {session_id!r}")
    return tuple(
        screen_entry(f"turns[{i}]", replace(entry, session_id=session_id), encoding) for i, entry in enumerate(entries)
    )
