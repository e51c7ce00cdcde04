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
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from cogmem_core.access.patterns import check_stars
from cogmem_core.base.files import replacing
from cogmem_core.edge.checks import display, without_secret
from cogmem_core.errors import InvalidInput, NotFound, StoreError
from cogmem_serve.access import SCOPES, Caller

if sys.platform != "win32":
    import fcntl


KEYS_FILE = "keys.json"
"""The file in the bank's folder."""
OWNER_ID = "owner"
"""Whose the sessions are that began with a login URL."""
PREFIX = "cgm_"
_SECRET_BYTES = 32
_ID_BYTES = 4
_MOST_ENDED = 100
"""Sessions of one holder that are ended one by one; beyond them all of that holder's end."""
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
        namespaces: patterns, see `access.patterns.covers`.
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
class Ended:
    """Which sessions of a holder are over before their time.

    Attributes:
        round: all that began in an earlier one.
        ids: and these, each with the second at which its time is over.
    """

    round: int = 0
    ids: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Content:
    """What the file holds.

    Attributes:
        signing: the secret that sessions are signed with.
        keys: by id.
        ended: sessions by the id of the key that they began with.
    """

    signing: str
    keys: Mapping[str, Key] = field(default_factory=dict)
    ended: Mapping[str, Ended] = field(default_factory=dict)


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
        self.now = now
        self._lock = threading.Lock()
        self._changing = threading.Lock()
        self._stamp: tuple[int, ...] | None = None
        self._content = _Content(secrets.token_hex(_SECRET_BYTES))

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
            namespaces: patterns, see `access.patterns.covers`.
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
            namespaces=tuple(map(_pattern, namespaces)),
            created_at=self.now().isoformat(timespec="seconds"),
            expires_at=None if expires_at is None else self._end(expires_at),
            principal=principal and _label("principal", principal, _LONGEST_NAMESPACE),
        )
        if not key.namespaces:
            raise InvalidInput("namespaces is empty; give at least one, or '*' for all")
        with self._alone():
            content = self._read()
            self._write(replace(content, keys={**content.keys, key.id: key}))
        return key, secret

    def revoke(self, key_id: str) -> Key:
        """Take a key away; requests with it are refused from now on.

        Raises:
            NotFound: there is no such key.
            StoreError: the file cannot be written.
        """
        with self._alone():
            content = self._read()
            key = _known(content, key_id)
            keys, ended = dict(content.keys), dict(content.ended)
            del keys[key_id]
            ended.pop(key_id, None)
            self._write(replace(content, keys=keys, ended=ended))
        return key

    def end_sessions(self, key_id: str, session_id: str = "", ends: float = 0) -> None:
        """End the sessions that began with a key, or as the owner; they are over from now on.

        Args:
            key_id: of the key, or `OWNER_ID`.
            session_id: of the only one that is meant.
            ends: the second at which its time is over.

        Raises:
            NotFound: there is no such key.
            StoreError: the file cannot be written.
        """
        with self._alone():
            content = self._read()
            if key_id != OWNER_ID:
                _known(content, key_id)
            former = content.ended.get(key_id, Ended())
            now = self.now().timestamp()
            ids = {one: end for one, end in former.ids.items() if end > now} | {session_id: ends}
            are_all_over = not session_id or len(ids) > _MOST_ENDED
            ended = Ended(former.round + 1) if are_all_over else Ended(former.round, ids)
            self._write(replace(content, ended={**content.ended, key_id: ended}))

    def ended(self, key_id: str) -> Ended:
        """Which sessions are over that began with a key, or as the owner."""
        return self._read().ended.get(key_id, Ended())

    def caller(self, secret: str) -> Caller | None:
        """Who holds a secret; None if nobody does, or no longer."""
        digest = _digest(secret)
        found = [key for key in self.all() if hmac.compare_digest(key.digest, digest)]
        if not found or found[0].is_expired(self.now()):
            return None
        return found[0].caller

    def holder(self, key_id: str) -> Caller | None:
        """Who holds the key of that id; None if it is revoked or expired."""
        key = self._read().keys.get(key_id)
        return None if key is None or key.is_expired(self.now()) else key.caller

    @property
    def signing(self) -> str:
        """The secret that only processes with this file know."""
        return self._read().signing

    def keep(self) -> None:
        """Write the file if there is none yet, so that other processes sign as this one does."""
        if self._path is None or self._path.exists():
            return
        with self._alone():
            if not self._path.exists():
                self._write(self._read())

    def _end(self, moment: datetime) -> str:
        if moment.tzinfo is None or moment <= self.now():
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
                values = asdict(content)
                listed = {**values, "keys": list(values["keys"].values())}
                try:
                    with replacing(self._path) as file:
                        json.dump(listed, file, indent=1)
                except OSError as error:
                    raise StoreError(
                        f"cannot write {self._path}: {error}; name a writable folder"
                    ) from error


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
    ended = {key_id: Ended(**row) for key_id, row in dict(values.get("ended", {})).items()}
    return _Content(values["signing"], {key.id: key for key in keys}, ended)


def _known(content: _Content, key_id: str) -> Key:
    if key_id not in content.keys:
        raise NotFound(f"there is no key {display(key_id)}; `cogm keys list` shows them")
    return content.keys[key_id]


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


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _scopes(scopes: Iterable[str]) -> tuple[str, ...]:
    chosen = tuple(dict.fromkeys(scopes))
    unknown = [scope for scope in chosen if scope not in SCOPES]
    if unknown or not chosen:
        raise InvalidInput(f"scopes is {list(chosen)}; give one or more of {', '.join(SCOPES)}")
    return chosen


def _pattern(namespaces: str) -> str:
    pattern = _label("namespace", namespaces, _LONGEST_NAMESPACE)
    check_stars(pattern)
    return pattern


def _label(name: str, value: str, longest: int) -> str:
    if not 1 <= len(value) <= longest or not value.isprintable():
        raise InvalidInput(
            f"{name} has {len(value)} characters, or some that cannot be seen; "
            f"give 1 to {longest} printable ones"
        )
    return without_secret(name, value)
