"""Everything cogmem raises on purpose.

    CogMemError
    ├── ConfigError (ValueError)      a setting is wrong: fix the configuration
    ├── InvalidInput (ValueError)     an argument is wrong: fix the call; nothing was changed
    ├── NotFound (KeyError)           no such memory, relation or run in this namespace
    ├── NotAllowed                    no grant gives the principal that right in this namespace
    ├── Protected                     the memory is immutable, the text of a document, or rejected
    ├── StoreError                    the disk or the database failed; what was acknowledged is safe
    │   ├── StoreUnavailable          the database server is away or busy: try again later
    │   └── StoreVersionError         the folder was written by a newer cogmem
    ├── EmbedderUnavailable           the embedding model cannot be loaded or does not answer
    ├── EmbedderMismatch              the bank was written with another embedder
    └── BankClosed                    the engine was closed

One class per decision that a caller can take. Each message says what, which value, and what to do.
Errors of a language model never leave the engine: the heuristic answers instead.
"""

from __future__ import annotations

__all__ = [
    "BankClosed",
    "CogMemError",
    "ConfigError",
    "EmbedderMismatch",
    "EmbedderUnavailable",
    "InvalidInput",
    "NotAllowed",
    "NotFound",
    "Protected",
    "StoreError",
    "StoreUnavailable",
    "StoreVersionError",
]


class CogMemError(Exception):
    """Base of every error that cogmem raises on purpose."""


class ConfigError(CogMemError, ValueError):
    """A setting is out of bounds, unknown or contradictory; the message lists every violation."""


class InvalidInput(CogMemError, ValueError):
    """An argument is unusable; the message names it, its value, the limit and the fix.

    Nothing was changed.
    """


class NotFound(CogMemError, KeyError):
    """No such record in this namespace."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class NotAllowed(CogMemError):
    """No grant gives the principal that right in this namespace.

    The message is the same whether the namespace holds anything or not; nothing was changed.
    """


class Protected(CogMemError):
    """The memory is immutable, or the text of a document, so it cannot be edited; or a person rejected it."""


class StoreError(CogMemError):
    """The disk or the database failed. What was acknowledged before is safe."""


class StoreUnavailable(StoreError):
    """The database server is away or busy.

    Nothing was changed, and the same call may succeed later.
    """


class StoreVersionError(StoreError):
    """The folder was written by a newer version of cogmem: its schema is one that this version does not know."""


class EmbedderUnavailable(CogMemError):
    """The embedding model cannot be loaded or does not answer."""


class EmbedderMismatch(CogMemError):
    """The bank was written with another embedder; vectors of two models are never mixed."""


class BankClosed(CogMemError):
    """The engine was closed; open it again."""
