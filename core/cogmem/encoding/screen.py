"""Secrets are dealt with at the edge, before a turn reaches the disk."""

from __future__ import annotations

from dataclasses import replace

from cogmem.errors import InvalidInput
from cogmem.models import Turn
from cogmem.text.secrets import find_secrets, redact

__all__ = ["REDACTED", "screen", "screen_turn"]

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


def screen_turn(name: str, turn: Turn, policy: str) -> Turn:
    """A turn as it may be kept; its metadata tell what was taken out."""
    text, kinds = screen(f"{name}.content", turn.content, policy)
    return replace(turn, content=text, metadata={**turn.metadata, REDACTED: list(kinds)}) if kinds else turn
