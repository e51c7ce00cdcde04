"""Keys to a server: made once, kept as hashes in a private file, read anew when the file changes."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from cogmem_core.checks import display, without_secret
from cogmem_core.errors import InvalidInput, NotFound, StoreError
from cogmem_core.serve.access import SCOPES, Caller

if sys.platform != "win32":
    import fcntl

__all__ = ["KEYS_FILE", "Key", "KeyRing"]

KEYS_FILE = "keys.json"
"""The file in the bank's folder."""
PREFIX = "cgm_"
_SECRET_BYTES = 32
_ID_BYTES = 4
_LONGEST_NAME = 64
_LONGEST_NAMESPACE = 256


@dataclass(frozen=True, slots=True)
class Key:
    """A key as it is kept: nobody can use what stands here.

    Attributes:
        id: names it for `revoke`.
        name: whose it is, or what for.
        digest: SHA-256 of the secret, in hexadecimal digits. The secret has 256 random bits, so
            that no slow hash is needed.
        scopes: of `access.SCOPES`.
        namespaces: patterns, see `access.matches`.
        created_at: ISO 8601.
        expires_at: ISO 8601; None = never.
        principal: whose rights decide besides; empty = no one's.
    """

    id: str
    name: str
    digest: str
    scopes: tuple[str, ...]
    namespaces: tuple[str, ...]
    created_at: str
    expires_at: str | None = None
    principal: str = ""

    def is_expired(self, now: datetime) -> bool:
        """Whether its time is over."""
        return self.expires_at is not None and datetime.fromisoformat(self.expires_at) <= now

    @property
    def caller(self) -> Caller:
        """Whoever holds it."""
        return Caller(self.name, self.scopes, self.namespaces, self.id, self.principal)


@dataclass(frozen=True, slots=True)
class _Content:
    """What the file holds: the keys by id, and the secret that sessions are signed with."""

    signing: str
    keys: Mapping[str, Key]


class KeyRing:
    """The keys of a server; thread-safe.

    Args:
        path: of the file; None = keys of this process only.
        now: the present moment, timezone-aware.
    """

    def __init__(
        self,
        path: Path | None,
        now: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
    ) -> None:
        self._path = path
        self._now = now
        self._lock = threading.Lock()
        self._changing = threading.Lock()
        self._stamp: tuple[int, ...] | None = None
        self._content = _Content(secrets.token_hex(_SECRET_BYTES), {})

    @property
    def path(self) -> Path | None:
        """Of the file."""
        return self._path

    def all(self) -> tuple[Key, ...]:
        """All of them, also expired ones, the oldest first."""
        return tuple(self._read().keys.values())

    def add(
        self,
        name: str,
        *,
        scopes: Iterable[str] | None = None,
        namespaces: Iterable[str] = ("*",),
        expires_at: datetime | None = None,
        principal: str = "",
    ) -> tuple[Key, str]:
        """Make a key; returns it, and the secret, which is kept nowhere.

        Args:
            name: whose it is, or what for; 1 to 64 characters.
            scopes: of `access.SCOPES`; None = `read`, for a principal `admin`: its rights decide.
            namespaces: patterns, see `access.matches`.
            expires_at: a timezone-aware moment to come; None = never.
            principal: of the engine; its rights decide besides. Empty = no one's.

        Raises:
            InvalidInput: an argument is unusable; nothing was made.
            StoreError: the file cannot be written.
        """
        if scopes is None:
            scopes = ("admin",) if principal else ("read",)
        secret = PREFIX + secrets.token_urlsafe(_SECRET_BYTES)
        key = Key(
            id=secrets.token_hex(_ID_BYTES),
            name=_label("name", name, _LONGEST_NAME),
            digest=_digest(secret),
            scopes=_scopes(scopes),
            namespaces=tuple(_label("namespace", one, _LONGEST_NAMESPACE) for one in namespaces),
            created_at=self._now().isoformat(timespec="seconds"),
            expires_at=None if expires_at is None else self._end(expires_at),
            principal=principal and _label("principal", principal, _LONGEST_NAMESPACE),
        )
        if not key.namespaces:
            raise InvalidInput("namespaces is empty; give at least one, or '*' for all")
        with self._alone():
            content = self._read()
            self._write(_Content(content.signing, {**content.keys, key.id: key}))
        return key, secret

    def revoke(self, key_id: str) -> Key:
        """Take a key away; requests with it are refused from now on.

        Raises:
            NotFound: there is no such key.
            StoreError: the file cannot be written.
        """
        with self._alone():
            content = self._read()
            if key_id not in content.keys:
                raise NotFound(f"there is no key {display(key_id)}; `cogm keys list` shows them")
            other_keys = {name: key for name, key in content.keys.items() if name != key_id}
            self._write(_Content(content.signing, other_keys))
        return content.keys[key_id]

    def caller(self, secret: str) -> Caller | None:
        """Who holds a secret; None if nobody does, or no longer."""
        digest = _digest(secret)
        found = [key for key in self.all() if hmac.compare_digest(key.digest, digest)]
        if not found or found[0].is_expired(self._now()):
            return None
        return found[0].caller

    def holder(self, key_id: str) -> Caller | None:
        """Who holds the key of that id; None if it is revoked or expired."""
        key = self._read().keys.get(key_id)
        return None if key is None or key.is_expired(self._now()) else key.caller

    def signature(self, text: str) -> str:
        """What only a process with this file can say of a text, in hexadecimal digits."""
        signing = bytes.fromhex(self._read().signing)
        return hmac.new(signing, text.encode(), hashlib.sha256).hexdigest()

    def keep(self) -> None:
        """Write the file if there is none yet, so that other processes sign as this one does."""
        if self._path is None or self._path.exists():
            return
        with self._alone():
            if not self._path.exists():
                self._write(self._read())

    def now(self) -> datetime:
        """The present moment."""
        return self._now()

    def _end(self, moment: datetime) -> str:
        if moment.tzinfo is None or moment <= self._now():
            raise InvalidInput(
                f"expires_at is {moment.isoformat()}; give a timezone-aware moment to come"
            )
        return moment.isoformat(timespec="seconds")

    def _read(self) -> _Content:
        """What the file holds now; it is parsed only when it changed."""
        if self._path is None:
            return self._content
        try:
            with self._lock:
                state = self._path.stat()
                stamp = (state.st_mtime_ns, state.st_size, state.st_ino)
                if stamp != self._stamp:
                    self._content = _parsed(self._path.read_bytes())
                    self._stamp = stamp
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StoreError(
                f"cannot read {self._path}: {type(error).__name__}; restore it, or delete it and "
                "make new keys with `cogm keys add`"
            ) from error
        return self._content

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Change the file as the only one, among threads and processes: none loses another's key.

        Raises:
            StoreError: the lock cannot be had.
        """
        with self._changing, ExitStack() as stack:
            if self._path is not None:
                try:
                    stack.enter_context(_locked(self._path.parent))
                except OSError as error:
                    raise StoreError(
                        f"cannot lock {self._path}: {error}; name a writable folder"
                    ) from error
            yield

    def _write(self, content: _Content) -> None:
        with self._lock:
            self._content = content
            self._stamp = None
            if self._path is not None:
                _replace(self._path, _written(content))


def _written(content: _Content) -> bytes:
    keys = [asdict(key) for key in content.keys.values()]
    return json.dumps({"signing": content.signing, "keys": keys}, indent=1).encode()


def _parsed(data: bytes) -> _Content:
    values: dict[str, Any] = json.loads(data)
    bytes.fromhex(values["signing"])
    keys = [
        Key(
            **{
                **row,
                "scopes": _scopes(row["scopes"]),
                "namespaces": tuple(map(str, row["namespaces"])),
            }
        )
        for row in values["keys"]
    ]
    return _Content(values["signing"], {key.id: key for key in keys})


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; Windows has none, there only threads of this process wait."""
    if sys.platform == "win32":
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _replace(path: Path, data: bytes) -> None:
    """Write the file as a whole or not at all, readable by its owner only."""
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(_ID_BYTES)}")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)  # noqa: PTH105 - atomic on every platform
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise StoreError(f"cannot write {path}: {error}; name a writable folder") from error


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _scopes(scopes: Iterable[str]) -> tuple[str, ...]:
    chosen = tuple(dict.fromkeys(scopes))
    unknown = [scope for scope in chosen if scope not in SCOPES]
    if unknown or not chosen:
        raise InvalidInput(f"scopes is {list(chosen)}; give one or more of {', '.join(SCOPES)}")
    return chosen


def _label(name: str, value: str, longest: int) -> str:
    if not 1 <= len(value) <= longest or not value.isprintable():
        raise InvalidInput(
            f"{name} has {len(value)} characters, or some that cannot be seen; "
            f"give 1 to {longest} printable ones"
        )
    return without_secret(name, value)
