"""The edge of writing: turns are checked, and secrets dealt with, before anything reaches the disk.

What names something (a session, a speaker, a ref, a tag, the key of a document) is looked up by that name later, and
two names must not become one. So a name without its secret carries a mark that is made of the whole name: the same name
becomes the same one each time, and another name another one. Who looks something up screens its name as who wrote it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from cogmem_core import checks
from cogmem_core.config import Config, EncodingConfig
from cogmem_core.errors import InvalidInput
from cogmem_core.models import Turn
from cogmem_core.text.safety.pii import find_pii, redact_pii
from cogmem_core.text.safety.secrets import find_secrets, redact

__all__ = [
    "REDACTED",
    "marked",
    "screen",
    "screen_address",
    "screen_label",
    "screen_labels",
    "screen_turn",
    "screen_value",
    "scrub",
    "take_entries",
    "take_turns",
]

REDACTED = "redacted"
_LABELS = ("speaker", "session_id", "ref")
# A mark is slow to make, so that a short secret is not quickly guessed from it, and holds no digit, so that nobody
# takes it for a number.
_MARK_ROUNDS, _MARK_BYTES = 100_000, 4
_MARK_LETTERS = str.maketrans("0123456789abcdef", "abcdefghijklmnop")


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


def screen_label(name: str, text: str, settings: EncodingConfig, found: set[str] | None = None) -> str:
    """A name by which something is looked up, as it may be kept: the same for the same text, another for another.

    Args:
        name: what the text is called in an error.
        text: the name as it was given.
        settings: as for `screen`.
        found: takes the kinds that were taken out.

    Raises:
        InvalidInput: as `screen`.
    """
    clean = _screened(name, text, settings, found)
    return text if clean == text else f"{clean}-{_mark(text)}"


def screen_labels(
    name: str, texts: Sequence[str], settings: EncodingConfig, found: set[str] | None = None
) -> tuple[str, ...]:
    """As `screen_label`, of each of several."""
    return tuple(screen_label(f"{name}[{i}]", text, settings, found) for i, text in enumerate(texts))


def screen_address(at: tuple[tuple[str, ...], str], settings: EncodingConfig) -> tuple[tuple[str, ...], str]:
    """Path and key of a document, as they may be kept.

    Raises:
        InvalidInput: as `screen`; or the key is too long without its secrets.
    """
    path, key = at
    kept = (screen_labels("path", path, settings), screen_label("key", key, settings))
    return at if kept == at else checks.address(*kept)


@lru_cache(maxsize=256)
def _mark(text: str) -> str:
    digest = hashlib.pbkdf2_hmac("sha256", text.encode(), b"cogmem", _MARK_ROUNDS, _MARK_BYTES)
    return digest.hex().translate(_MARK_LETTERS)


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
    """A turn as it may be kept, with all that stands beside its text; its metadata tell what was taken out.

    A string beside a key is read with it, because the key may tell what the string is: `{"password": "hunter2"}`.
    """
    found = set[str]()
    text, kinds = screen(f"{name}.content", turn.content, settings)
    given = {label: getattr(turn, label) for label in _LABELS if getattr(turn, label) is not None}
    labels: dict[str, Any] = {
        label: screen_label(f"{name}.{label}", value, settings, found) for label, value in given.items()
    }
    metadata = screen_value(f"{name}.metadata", turn.metadata, settings, found=found)
    if not kinds and not found:
        return turn
    return replace(turn, content=text, metadata=marked(metadata, (*kinds, *sorted(found))), **labels)


def marked(metadata: Mapping[str, Any], kinds: Sequence[str]) -> Mapping[str, Any]:
    """Metadata that tell what was taken out; what they told before stays."""
    before = metadata.get(REDACTED, ())
    known = before if isinstance(before, (list, tuple)) else ()
    return {**metadata, REDACTED: list(dict.fromkeys((*known, *kinds)))} if kinds else metadata


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
        named = None if entry.session_id is None else screen_label("session_id", entry.session_id, encoding)
        if named not in (None, session_id):
            raise InvalidInput(f"turns[{i}].session_id is {named!r}; leave it out, or give {session_id!r}")
    return tuple(
        screen_turn(f"turns[{i}]", replace(entry, session_id=session_id), encoding) for i, entry in enumerate(entries)
    )
