"""What the engine did, one JSON object a line: time, operation, model, latency, tokens, outcome.

By default texts are not written, only their hash and length, and whatever is written is redacted
first. Appending never raises and never waits for the disk: a thread writes behind until `close()`
or the end of the process.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import re
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timezone
from itertools import count
from pathlib import Path
from typing import Any

from cogmem_core.base.exit_hooks import leave_first
from cogmem_core.base.files import replacing
from cogmem_core.base.interrupt_safe import Flag, pause
from cogmem_core.base.lru import text_cache
from cogmem_core.base.timeouts import Deadline
from cogmem_core.errors import StoreError
from cogmem_core.text.safety.pii import redact_pii
from cogmem_core.text.safety.secrets import redact

MAX_BYTES = 10_000_000
_TEXTS = frozenset(("input", "output"))
_PENDING = 2_000
_RING = 1_000
_CLOSE_SECONDS = 5.0
_POLL_SECONDS = 0.002  # between two looks at what is being written
_GATHER_SECONDS = 0.05  # records of so short a time are written together
_CHARACTERS = 500
_ITEMS = 50
_DEPTH = 4
_SHORT = 64  # characters: names of operations, models, reasons come up again and again
_KEPT = 512
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ROTATED = re.compile(r"-(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})(?:\.(?P<number>[0-9]+))?$")

Record = dict[str, Any]
_LOGS: weakref.WeakSet[OpLog] = weakref.WeakSet()


class OpLog:
    """The op log of one engine; thread-safe.

    Args:
        path: the file that is appended to, such as `ops-log.jsonl`; None keeps the newest records
            in memory only.
        clock: the engine's time, timezone-aware.
        content: write redacted texts of `input` and `output` instead of their hashes.
        max_bytes: a file that would grow beyond is renamed to `ops-log-{YYYY-MM-DD}[.n].jsonl`.

    Attributes:
        dropped: records that were lost: the queue was full, the log closed or the disk refused
            them.
        failure: the last error while writing, None if there was none.
    """

    def __init__(
        self,
        path: Path | None,
        *,
        clock: Callable[[], datetime],
        content: bool = False,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self.dropped = 0
        self.failure: Exception | None = None
        self._path = path
        self._clock = clock
        self._content = content
        self._max_bytes = max_bytes
        self._ring: deque[Record] = deque(maxlen=_RING)
        self._pending: deque[tuple[datetime, str, Mapping[str, Any]]] = deque()
        self._lock = threading.RLock()
        self._wake = Flag()
        self._hurry = Flag()
        self._writer: threading.Thread | None = None
        self._writing = self._closed = False
        _LOGS.add(self)

    def renew(self) -> None:
        """In a forked child: start anew; the parent writes what waits."""
        self._lock = threading.RLock()
        self._wake = Flag()
        self._hurry = Flag()
        self._writer = None
        self._writing = False
        self._pending.clear()

    def append(self, op: str, **fields: Any) -> None:
        """Note one operation; returns at once and never raises.

        Args:
            op: what was done.
            fields: in snake case, written in camel case; None is left out. `input` and `output` are
                texts.
        """
        with self._lock:
            if self._closed or len(self._pending) >= _PENDING:
                self.dropped += 1
                return
            self._pending.append((self._clock(), op, fields))
            if self._writer is None or not self._writer.is_alive():
                self._start()
            self._wake.set()
            if len(self._pending) > _PENDING // 2:
                self._hurry.set()

    def recent(self, limit: int = 100, *, op: str | None = None) -> list[Record]:
        """The newest records, oldest first; waits for those that are being written."""
        self.flush()
        if self._path is not None:
            return read(self._path, limit, op)
        if limit <= 0:
            return []
        records = [record for record in tuple(self._ring) if op in (None, record["op"])]
        return records[-limit:]

    def flush(self) -> bool:
        """Wait until everything appended so far is written; False if five seconds were not enough."""
        return self._comes_true(self._quiet)

    def _comes_true(self, condition: Callable[[], bool]) -> bool:
        """Ask until the answer is yes, while the writer hurries; False if five seconds were not enough."""
        deadline = Deadline(_CLOSE_SECONDS)
        while not condition():
            self._hurry.set()
            if deadline.passed:
                return False
            pause(_POLL_SECONDS)
        return True

    def _quiet(self) -> bool:
        with self._lock:
            return not self._pending and not self._writing

    def hide(self) -> None:
        """Put hashes in the place of all texts that were written so far: some of them were erased.

        What another process writes to the same file meanwhile may be lost.

        Raises:
            StoreError: a file cannot be written.
        """
        if self._content and not self._comes_true(self._try_hide):
            raise StoreError(
                "the op log is still being written and cannot be freed of erased texts; try again"
            )

    def _try_hide(self) -> bool:
        with self._lock:
            # A record that is being written now would come after its hashes.
            if not self._quiet():
                return False
            self._ring = deque(map(_without_texts, self._ring), maxlen=_RING)
            try:
                for file in [] if self._path is None else [self._path, *_rotated(self._path)]:
                    _rewrite(file)
            except OSError as error:
                raise StoreError(
                    f"the op log cannot be freed of erased texts: {error}; delete it"
                ) from error
        return True

    def close(self) -> None:
        """Write what is left and take no more; harmless when repeated."""
        with self._lock:
            self._closed = True
            writer = self._writer
        self._wake.set()
        self._hurry.set()
        if writer is not None:
            writer.join(_CLOSE_SECONDS)
        atexit.unregister(self.close)

    def _start(self) -> None:
        self._writer = threading.Thread(target=self._write_behind, name="cogmem-oplog", daemon=True)
        try:
            self._writer.start()
            atexit.register(self.close)
            leave_first()
        except RuntimeError as error:  # no more threads, or the interpreter is shutting down
            self._writer = None
            self.failure = error
            self.dropped += len(self._pending)
            self._pending.clear()

    def _write_behind(self) -> None:
        while True:
            with self._lock:
                self._writing = False
                self._wake.clear()
                idle = not self._pending
                closed = self._closed
            if idle and closed:
                return
            if idle:
                self._wake.wait()
            self._hurry.wait(_GATHER_SECONDS)
            with self._lock:
                self._hurry.clear()
                batch = list(self._pending)
                self._pending.clear()
                self._writing = True
            self._write(batch)

    def _write(self, batch: list[tuple[datetime, str, Mapping[str, Any]]]) -> None:
        try:
            records = [self._record(*item) for item in batch]
            if self._path is None:
                self._ring.extend(records)
            else:
                _append(self._path, records, self._max_bytes)
        # A log must never hurt what it logs; health() shows the failure.
        except Exception as error:  # noqa: BLE001
            self.failure = error
            self.dropped += len(batch)

    def _record(self, at: datetime, op: str, fields: Mapping[str, Any]) -> Record:
        ts = at.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        record: Record = {"ts": ts, "op": op}
        for name, value in fields.items():
            if value is not None:
                is_private = name in _TEXTS and isinstance(value, str) and not self._content
                record[_camel(name)] = _hash_of(value) if is_private else _clean(value, _DEPTH)
        return record


class _NoLog(OpLog):
    """Takes nothing."""

    def append(self, op: str, **fields: Any) -> None:
        """Note nothing."""


NO_LOG: OpLog = _NoLog(None, clock=lambda: datetime.now(timezone.utc))
"""The op log of what is incognito."""


def read(path: Path, limit: int = 100, op: str | None = None) -> list[Record]:
    """The newest records of a log and its rotated files, oldest first; other lines are skipped.

    Args:
        path: the file that is appended to; it need not exist.
        op: only records of this operation.
    """
    records: list[Record] = []
    for file in [path, *_rotated(path)]:
        if len(records) >= limit:
            break
        newest = deque(_records(file, op), maxlen=limit - len(records))
        records = [*newest, *records]
    return records


def _records(file: Path, op: str | None) -> Iterator[Record]:
    try:
        with file.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                record = _record_of(line)
                if record is not None and op in (None, record.get("op")):
                    yield record
    except FileNotFoundError:
        return


def _without_texts(record: Record) -> Record:
    texts = [name for name in _TEXTS if isinstance(record.get(name), str)]
    return {**record, **{name: _hash_of(record[name]) for name in texts}}


def _rewrite(file: Path) -> None:
    if not file.exists():
        return
    lines = [
        json.dumps(_without_texts(record), ensure_ascii=False) + "\n"
        for record in _records(file, None)
    ]
    with replacing(file) as fresh:
        fresh.writelines(lines)


def _record_of(line: str) -> Record | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) and "op" in record else None


def _rotated(path: Path) -> list[Path]:
    """The rotated files of a log, newest first."""
    files: list[tuple[str, int, Path]] = []
    for file in path.parent.glob(f"{path.stem}-*{path.suffix}"):
        match = _ROTATED.search(file.stem)
        if match and file.stem[: match.start()] == path.stem:
            files.append((match["day"], int(match["number"] or 0), file))
    return [file for _, _, file in sorted(files, reverse=True)]


def _append(path: Path, records: list[Record], max_bytes: int) -> None:
    """Append lines, rotating between them.

    The file is opened per batch, so several processes may share it.
    """
    chunk: list[bytes] = []
    size = _size(path)
    for record in records:
        line = json.dumps(record, ensure_ascii=False).encode("utf-8", errors="replace") + b"\n"
        if size and size + len(line) > max_bytes:
            _flush(path, chunk)
            _rotate(path, record["ts"][:10])
            chunk = []
            size = 0
        chunk.append(line)
        size += len(line)
    _flush(path, chunk)


def _size(path: Path) -> int:
    """0 if there is no such file: another process may have just rotated it."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _flush(path: Path, chunk: list[bytes]) -> None:
    if chunk:
        # Nobody else's, also in a folder that others can read.
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab") as file:
            file.write(b"".join(chunk))


def _rotate(path: Path, day: str) -> None:
    """Rename the file to the first free dated name.

    The name is reserved first, so no other process loses a file.
    """
    for number in count():
        target = path.with_name(f"{path.stem}-{day}{f'.{number}' if number else ''}{path.suffix}")
        try:
            os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            continue
        try:
            path.replace(target)
        except FileNotFoundError:  # another process was faster
            target.unlink()
        return


def _camel(name: str) -> str:
    first, *words = name.split("_")
    return first + "".join(part.capitalize() for part in words)


def _private(text: str) -> str:
    """Without secrets and without what tells who somebody is, whatever may be remembered."""
    return redact_pii(redact(text))


_private_name = text_cache(_KEPT)(_private)


def _private_value(text: str) -> str:
    """The same for what is no question: an id tells nobody's secret, though its digits may look like one."""
    if len(text) > _SHORT:
        return _private(text)
    return text if _ID.fullmatch(text) else _private_name(text)


def _hash_of(text: str) -> str:
    """What tells two texts apart without telling them.

    Secrets are redacted first, as short ones can be guessed.
    """
    digest = hashlib.sha256(_private(text).encode(errors="replace")).hexdigest()
    return f"sha256:{digest[:16]} ({len(text)} characters)"


def _clean(value: Any, depth: int) -> Any:
    """JSON values of bounded size without secrets."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if abs(value) < float("inf") else None
    if isinstance(value, Mapping) and depth:
        pairs = list(value.items())[:_ITEMS]
        return {
            _private_value(str(key)[:_CHARACTERS]): _clean(item, depth - 1) for key, item in pairs
        }
    if isinstance(value, (list, tuple, set, frozenset)) and depth:
        return [_clean(item, depth - 1) for item in list(value)[:_ITEMS]]
    text = _private_value(value if isinstance(value, str) else str(value))
    return text if len(text) <= _CHARACTERS else text[:_CHARACTERS] + "…"


def _renew_logs() -> None:
    for log in list(_LOGS):
        log.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_logs)
