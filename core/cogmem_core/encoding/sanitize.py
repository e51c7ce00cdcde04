"""The edge of writing: turns are checked, and secrets dealt with, before anything reaches the disk.

What names something (a session, a speaker, a ref, a tag, the key of a document) is looked up by
that name later, and two names must not become one. So a name without its secret carries a mark that
is made of the whole name: the same name always gets the same mark, another name another one. A
reader sanitizes the name that it looks up in the same way as the writer did.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from typing import Any

from cogmem_core.base.lru import text_cache
from cogmem_core.config import Config, EncodingConfig, LimitsConfig
from cogmem_core.edge import checks
from cogmem_core.encoding.seals import NOT_KEPT, SEALED, cut_answer, cut_sealed
from cogmem_core.errors import InvalidInput
from cogmem_core.text.broken import readable, readable_value
from cogmem_core.text.query.questions import last_question
from cogmem_core.text.safety.pii import find_pii, redact_pii
from cogmem_core.text.safety.secrets import find_secrets
from cogmem_core.text.safety.secrets import redact as redact_secrets
from cogmem_core.values.messages import Said, turn_of
from cogmem_core.values.models import Turn

REDACTED = "redacted"
"""In metadata: the kinds of secret and of personal data that were taken out."""
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")
_LABELS = ("speaker", "session_id", "ref")
# A mark is slow to make, so that a short secret is not quickly guessed from it, and holds no digit,
# so that nobody takes it for a number.
_MARK_ROUNDS = 100_000
_MARK_BYTES = 4
_MARK_LETTERS = str.maketrans("0123456789abcdef", "abcdefghijklmnop")


def sanitize(name: str, text: str, settings: EncodingConfig) -> tuple[str, tuple[str, ...]]:
    """The text as it may be stored, and the kinds of secret and personal data that were taken out.

    Of a text that tells only of sealed topics `NOT_KEPT` is left.

    Args:
        name: what the text is called in an error.
        text: the text as the caller gave it.
        settings: `secrets` says `redact` (replace secrets), `reject` (refuse the text) or `keep`;
            `pii` says what happens to each kind of personal data; `never_keep` names sealed topics.

    Raises:
        InvalidInput: the text holds something that is refused; the message names its kind, not its
            value.
    """
    cut = cut_sealed(text, settings.never_keep)
    clean, kinds = _redacted(name, cut.text, settings)
    return clean, (*kinds, SEALED) if cut.seals else kinds


def sanitize_wording(name: str, text: str, settings: EncodingConfig) -> tuple[str, tuple[str, ...]]:
    """As `sanitize`, of a text of which something has to be left.

    Raises:
        InvalidInput: as `sanitize`; or it tells of sealed topics alone.
    """
    clean, kinds = sanitize(name, text, settings)
    if clean == NOT_KEPT:
        seals = ", ".join(map(repr, cut_sealed(text, settings.never_keep).seals))
        raise InvalidInput(
            f"{name} tells of a sealed topic ({seals}); leave it out, or lift the seal (bank.unseal, "
            "or encoding.never_keep in the settings)"
        )
    return clean, kinds


def _redacted(name: str, text: str, settings: EncodingConfig) -> tuple[str, tuple[str, ...]]:
    """A text without secrets and personal data, and their kinds."""
    matches = find_pii(text, settings.pii.having("block"))
    if matches:
        listed = ", ".join(dict.fromkeys(match.kind for match in matches))
        raise InvalidInput(
            f"{name} holds personal data ({listed}); remove it, or allow it with encoding.pii"
        )
    secrets = () if settings.secrets == "keep" else find_secrets(text)
    kinds: dict[str, None] = dict.fromkeys(secret.kind for secret in secrets)
    if secrets:
        if settings.secrets == "reject":
            raise InvalidInput(
                f"{name} holds a secret ({', '.join(kinds)}); remove it, or set encoding.secrets: "
                "redact"
            )
        text = redact_secrets(text)
    personal_kinds = settings.pii.having("redact")
    matches = find_pii(text, personal_kinds)
    if matches:
        kinds |= dict.fromkeys(match.kind for match in matches)
        text = redact_pii(text, personal_kinds)
    return text, tuple(kinds)


def redact(text: str, settings: EncodingConfig) -> str:
    """A text without anything that may not be stored; nothing is refused."""
    text = cut_sealed(text, settings.never_keep).text
    if settings.secrets != "keep":
        text = redact_secrets(text)
    return redact_pii(text, settings.pii.having("block", "redact"))


def sanitize_label(
    name: str, text: str, settings: EncodingConfig, kinds: set[str] | None = None
) -> str:
    """A name by which something is looked up, as it may be stored.

    The same text always gives the same name, another text another one.

    Args:
        name: what the text is called in an error.
        text: the name as the caller gave it.
        settings: as for `sanitize`.
        kinds: takes the kinds that were taken out.

    Raises:
        InvalidInput: as `sanitize`.
    """
    clean = _noted(_redacted(name, text, settings), kinds)
    return text if clean == text else f"{clean}-{_mark(text)}"


def checked_label(
    name: str, value: object, config: Config, kinds: set[str] | None = None
) -> str | None:
    """A name that a caller gave (see `checks.label`), as it may be stored; None stays None.

    Raises:
        InvalidInput: it is unusable, or as `sanitize`.
    """
    label = checks.label(name, value, config.limits)
    return None if label is None else sanitize_label(name, label, config.encoding, kinds)


def sanitize_labels(
    name: str, texts: Sequence[str], settings: EncodingConfig, kinds: set[str] | None = None
) -> tuple[str, ...]:
    """As `sanitize_label`, of each of several."""
    return tuple(
        sanitize_label(f"{name}[{index}]", text, settings, kinds)
        for index, text in enumerate(texts)
    )


def sanitize_address(
    address: tuple[tuple[str, ...], str], settings: EncodingConfig
) -> tuple[tuple[str, ...], str]:
    """Path and key of a document, as they may be stored.

    Raises:
        InvalidInput: as `sanitize`; or the key is too long without its secrets.
    """
    path, key = address
    clean_path = sanitize_labels("path", path, settings)
    clean_key = sanitize_label("key", key, settings)
    if (clean_path, clean_key) == address:
        return address
    return checks.address(clean_path, clean_key)


@text_cache(256)
def _mark(text: str) -> str:
    digest = hashlib.pbkdf2_hmac("sha256", text.encode(), b"cogmem", _MARK_ROUNDS, _MARK_BYTES)
    return digest.hex().translate(_MARK_LETTERS)


def sanitize_value(
    name: str,
    value: Any,
    settings: EncodingConfig,
    *,
    label: str = "",
    kinds: set[str] | None = None,
) -> Any:
    """A JSON value as it may be stored: no string, whole number or name in it holds a secret.

    A value is read together with its name, because the name may tell what the value is:
    `{"password": "hunter2"}`.

    Args:
        name: what the value is called in an error.
        value: the value as the caller gave it.
        settings: as for `sanitize`.
        label: the name under which the value stands.
        kinds: takes the kinds that were taken out.
    """
    if isinstance(value, Mapping):
        return _sanitize_mapping(name, value, settings, kinds)
    if isinstance(value, list):
        return [
            sanitize_value(f"{name}[{index}]", item, settings, label=label, kinds=kinds)
            for index, item in enumerate(value)
        ]
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return value
    prefix = f"{label}: " if label else ""
    text = _noted(sanitize(name, f"{prefix}{value}", settings), kinds)
    return value if text == f"{prefix}{value}" else text.removeprefix(prefix)


def _sanitize_mapping(
    name: str, value: Mapping[str, Any], settings: EncodingConfig, kinds: set[str] | None
) -> dict[str, Any]:
    """As `sanitize_value`: all names first, then the values; of equal names the last one counts."""
    items: dict[str, tuple[str, Any]] = {}
    for key, item in value.items():
        clean = _noted(_redacted(f"a name in {name}", key, settings), kinds)
        items[clean] = (f"{name}.{clean}", item)
    return {
        clean: sanitize_value(place, item, settings, label=clean, kinds=kinds)
        for clean, (place, item) in items.items()
    }


def _noted(clean: tuple[str, Sequence[str]], kinds: set[str] | None) -> str:
    text, new_kinds = clean
    if kinds is not None:
        kinds.update(new_kinds)
    return text


@dataclass(frozen=True, slots=True)
class SealedTurn(Turn):
    """A turn of which something was cut out.

    Attributes:
        seals: what took it out.
    """

    seals: tuple[str, ...] = ()


def sanitize_turn(name: str, turn: Turn, settings: EncodingConfig, before: str = "") -> Turn:
    """A turn with its names and metadata as it may be stored; its metadata tell what was taken out.

    It is a `SealedTurn` if its content told of a sealed topic, or answered a question about one:
    its own (`Turn.asked`), or that of the turn before. A string under a key is read with it,
    because the key may tell what the string is: `{"password": "hunter2"}`.

    Args:
        name: what the turn is called in an error.
        turn: as the caller gave it.
        settings: as for `sanitize`.
        before: what somebody else said before it.
    """
    kinds = set[str]()
    cut = cut_answer(turn.content, last_question(turn.asked or before), settings.never_keep)
    text, text_kinds = _redacted(f"{name}.content", cut.text, settings)
    text_kinds = (*text_kinds, *((SEALED,) if cut.seals else ()))
    labels: dict[str, Any] = {}
    for label in _LABELS:
        value = getattr(turn, label)
        if value is not None:
            labels[label] = sanitize_label(f"{name}.{label}", value, settings, kinds)
    if turn.tags:
        labels["tags"] = sanitize_labels(f"{name}.tags", turn.tags, settings, kinds)
    metadata = turn.metadata
    if metadata:
        metadata = sanitize_value(f"{name}.metadata", metadata, settings, kinds=kinds)
    if not text_kinds and not kinds:
        return turn
    metadata = add_redactions(metadata, (*text_kinds, *sorted(kinds)))
    clean = replace(turn, content=text, metadata=metadata, **labels)
    if not cut.seals:
        return clean
    fields = {each.name: getattr(clean, each.name) for each in dataclass_fields(clean)}
    return SealedTurn(**fields, seals=cut.seals)


def readable_turn(turn: Turn, limits: LimitsConfig | None = None) -> Turn:
    """A turn that some other program hands over, so that nothing in it makes `remember` refuse it.

    Broken characters are replaced in every text and in the metadata. A speaker loses control
    characters and what is too long; a ref that cannot be kept as it is is left out.

    Args:
        turn: as it was handed over.
        limits: those of the bank; None = the defaults.
    """
    longest = (limits or LimitsConfig()).label_characters
    speaker = _printable(turn.speaker)[:longest].strip() or None
    ref = _printable(turn.ref)
    return replace(
        turn,
        content=readable(turn.content),
        asked=readable(turn.asked),
        speaker=speaker,
        ref=ref if ref.strip() and len(ref) <= longest else None,
        metadata=readable_value(turn.metadata),
    )


def _printable(label: str | None) -> str:
    """A name without broken and control characters; empty if there is none."""
    text = readable(label or "")
    return text if text.isprintable() else _CONTROLS.sub(" ", text)


def add_redactions(metadata: Mapping[str, Any], kinds: Sequence[str]) -> Mapping[str, Any]:
    """Metadata that tell what was taken out, besides what they told already."""
    if not kinds:
        return metadata
    listed = metadata.get(REDACTED, ())
    if not isinstance(listed, (list, tuple)):
        listed = ()
    return {**metadata, REDACTED: list(dict.fromkeys((*listed, *kinds)))}


def checked_turns(
    content: Said | Sequence[Said],
    defaults: Mapping[str, Any],
    config: Config,
) -> tuple[Turn, ...]:
    """What a caller handed in, checked and sanitized.

    Args:
        content: a text, a turn, a message, or several of them.
        defaults: the fields of bare texts, and those that a message does not give.
        config: all settings.

    Raises:
        InvalidInput: names the turn and what is wrong with it.
    """
    if isinstance(content, (str, Turn, Mapping)):
        items: Sequence[tuple[str, Said]] = (("content", content),)
    elif not isinstance(content, Sequence) or isinstance(content, bytes):
        raise InvalidInput(
            f"content is a {type(content).__name__}; give a string, a cogmem_core.Turn, a message "
            "or a list of them"
        )
    else:
        _check_count("content", "turns", content, config)
        items = [(f"content[{index}]", item) for index, item in enumerate(content)]
    turns: list[Turn] = []
    before: Turn | None = None
    for name, item in items:
        turn = item
        if isinstance(turn, str):
            turn = Turn(turn, **defaults)
        elif isinstance(turn, Mapping):
            with checks.quoting_no_secret():
                turn = turn_of(name, turn, defaults)
        turn = checks.turn(name, turn, config.limits)
        turns.append(sanitize_turn(name, turn, config.encoding, _said_to(turn, before)))
        before = turn
    return tuple(turns)


def _said_to(turn: Turn, before: Turn | None) -> str:
    """What somebody else said before a turn."""
    return before.content if before is not None and before.role != turn.role else ""


def _check_count(name: str, unit: str, content: Sequence[object], config: Config) -> None:
    limit = config.limits.batch_items
    if len(content) > limit:
        raise InvalidInput(f"{name} has {len(content):,} {unit}, the limit is {limit:,}; split it")


def checked_entries(content: Sequence[Said], session_id: str, config: Config) -> tuple[Turn, ...]:
    """The turns of a transcript that a caller handed in, checked and sanitized.

    Raises:
        InvalidInput: names the turn and what is wrong with it.
    """
    if isinstance(content, (str, bytes)) or not isinstance(content, Sequence):
        raise InvalidInput(f"turns is a {type(content).__name__}; give a list of cogmem_core.Turn")
    _check_count("turns", "entries", content, config)
    entries = [
        checks.entry(f"turns[{index}]", turn, config.limits) for index, turn in enumerate(content)
    ]
    for index, entry in enumerate(entries):
        name = checked_label("session_id", entry.session_id, config)
        if name not in (None, session_id):
            raise InvalidInput(
                f"turns[{index}].session_id is {name!r}; leave it out, or give {session_id!r}"
            )
    turns: list[Turn] = []
    before: Turn | None = None
    for index, entry in enumerate(entries):
        turn = replace(entry, session_id=session_id)
        said = _said_to(turn, before)
        turns.append(sanitize_turn(f"turns[{index}]", turn, config.encoding, said))
        before = entry
    return tuple(turns)
