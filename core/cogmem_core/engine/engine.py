"""The process-wide half: one `Engine` owns the ledger, the indexes, the embedder and the worker."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

from cogmem_core import access, documents
from cogmem_core.base.async_twin import async_twin
from cogmem_core.base.exit_hooks import close_at_exit
from cogmem_core.base.runtime import Clock, Runtime, monotonic
from cogmem_core.base.timeouts import end_idle_threads
from cogmem_core.caches.recent_context import RecentContext
from cogmem_core.config import Config
from cogmem_core.config.loading import given_config, load_config
from cogmem_core.consolidation import CycleControl, due, run_one
from cogmem_core.edge import checks
from cogmem_core.embedders.cache import CachedEmbedder
from cogmem_core.encoding.commit import MODEL_TURNS, finish_abandoned, write_unsaved
from cogmem_core.encoding.encode import CONTEXT_TURNS
from cogmem_core.engine import agenda, backups, sharing, state
from cogmem_core.engine.bank import MemoryBank
from cogmem_core.engine.factory import (
    LOG_FILE,
    check_embedder,
    check_length,
    file_identity,
    make_budget,
    make_follower,
    origin_of,
    with_cache,
)
from cogmem_core.engine.fanout import consolidate_all
from cogmem_core.engine.handle import Handle
from cogmem_core.engine.recall_registry import RecallRegistry
from cogmem_core.engine.worker import PATIENCE_SECONDS, Worker
from cogmem_core.erasure import finish_pending as finish_erasures
from cogmem_core.errors import (
    BankClosed,
    CogMemError,
    EmbedderUnavailable,
    InvalidInput,
    StoreError,
)
from cogmem_core.feedback.queue import FeedbackQueue, Queued
from cogmem_core.feedback.reinforcement import RetrievalQueue
from cogmem_core.health.doctor import examine
from cogmem_core.llm import CircuitBreaker, resolve_llm
from cogmem_core.observability.otel import watch
from cogmem_core.ports import LLM, Embedder
from cogmem_core.process.oplog import OpLog
from cogmem_core.process.registry import LOCK, find_open, open_engines, register
from cogmem_core.process.services import Services
from cogmem_core.retrieval.recall import Recall
from cogmem_core.storage.ledger.ledger import Ledger
from cogmem_core.storage.ledger.whole import Key
from cogmem_core.storage.search.saved_views import SavedViews
from cogmem_core.storage.search.searcher import Searcher
from cogmem_core.upkeep.reindex import calibrate, embed_outdated, recall_scale, reembed, reindex
from cogmem_core.upkeep.rereading import BEGINNING, all_read, read_page
from cogmem_core.values.models import AccessEntry, Grant, Intention, Principal
from cogmem_core.values.results import (
    AuditTrail,
    BackupReport,
    Diagnosis,
    FanOutReport,
    Reading,
    ReindexReport,
)

_TURN_LIMIT = 256
_OPEN_FIRST = "open its engine with cogmem_core.open(...) in this process first"
_ORIGIN_FIELDS: Mapping[str, type | tuple[type, ...]] = {
    "ledger": str,
    "folder": (str, type(None)),
    "embedder": (str, type(None)),
    "llm": (str, type(None)),
}


def open(  # noqa: A001 - cogmem_core.open() reads as it should
    path: str | os.PathLike[str] | None = None,
    *,
    config: Config | None = None,
    embedder: str | Embedder | object = "minilm",
    llm: str | LLM | object | None = None,
    clock: Clock | None = None,
    read_only: bool = False,
) -> Engine:
    """Open a store of memories, creating it if need be.

    A folder that is open in this process already, with equal settings, embedder, model and clock,
    is the same engine once more; it ends when it was closed as often as it was opened.

    Args:
        path: a folder (SQLite and embedded Chroma inside), created if missing; None, or ":memory:" as
            SQLite calls it = in memory, gone when closed.
        config: settings, which replace those of `cogmem.toml`, `COGMEM_CONFIG` and `COGMEM_*`; None
            = read these.
        embedder: "minilm", "minilm-int8" (faster, a little less exact), "hashing", "openai:<model>",
            any object with the `Embedder` protocol, or embeddings of LangChain or LlamaIndex.
        llm: "openai:<model>" (`OPENAI_API_KEY`, `OPENAI_BASE_URL`), "ollama:<model>"
            (`OLLAMA_HOST`), "anthropic:<model>" (`ANTHROPIC_API_KEY`),
            "litellm:<provider>/<model>", any object with the `LLM` protocol, a chat model of
            LangChain or LlamaIndex, or None.
        clock: returns the current timezone-aware time; the system's clock if None.
        read_only: read the bank of the folder into memory as it is now, and leave the folder alone,
            which need not be writable: recalls answer, and what would change the bank raises
            `StoreError`.

    Raises:
        InvalidInput: path or config is not a valid one.
        ConfigError: a setting is wrong.
        StoreError: the folder cannot be used.
        StoreVersionError: the store is newer than this version.
        EmbedderMismatch: the store was embedded with another model.
        EmbedderUnavailable: the model cannot be loaded, or the server that was asked for its
            dimension fails.
    """
    try:
        # Absolute: it stays the same when the program changes its folder.
        folder = None if path in (None, ":memory:") else checks.folder_of_bank(path).absolute()
    except OSError as error:
        raise StoreError(
            f"path is {path!r}, and the current folder is gone: {error}; give an absolute path"
        ) from error
    settings = given_config(config) or load_config(folder)
    parts = (embedder, llm, clock)
    made = partial(Engine, config=settings, embedder=embedder, llm=llm, clock=clock)
    if checks.flag("read_only", read_only):
        return made(None, copy_of=_bank_folder(folder, settings))
    with LOCK:
        for engine in open_engines():
            if isinstance(engine, Engine) and engine._joined(folder, settings, parts):
                return engine
    return made(folder)


def reopen(origin: Mapping[str, Any]) -> Engine:
    """The engine of that origin: the one open in this process, else its folder opened again.

    The configuration is read anew (`cogmem.toml`, environment), as `cogmem_core.open` does without
    one.

    Args:
        origin: `Engine.origin`, as it was or from JSON.

    Raises:
        InvalidInput: it is not a valid origin; the engine had no folder (it was in memory, or on a
            server) or an embedder of the caller's own, and is not open in this process; the folder
            is gone, or holds other memories now.
        CogMemError: as `cogmem_core.open`.
    """
    if not isinstance(origin, Mapping) or not all(
        isinstance(origin.get(name), kind) for name, kind in _ORIGIN_FIELDS.items()
    ):
        raise InvalidInput(
            "origin is not a valid engine origin; give Engine.origin, as it was or from JSON"
        )
    with LOCK:
        engine = find_open(origin["ledger"])
        return cast(Engine, engine) if engine is not None else _open_again(origin)


def _bank_folder(folder: Path | None, config: Config) -> Path:
    """The folder of a bank that is opened read-only.

    Raises:
        InvalidInput: there is no bank in a folder.
    """
    if folder is None or config.storage.ledger_url is not None:
        raise InvalidInput("read_only is for a bank in a folder; give its path, or leave it out")
    if file_identity(folder) is None:
        raise InvalidInput(f"there is no bank in {folder}; give the folder of one")
    return folder


def _is_same(one: object, other: object) -> bool:
    """Whether two parts are the same object, or go by the same name."""
    return one is other or (isinstance(one, str) and isinstance(other, str) and one == other)


def _open_again(origin: Mapping[str, Any]) -> Engine:
    folder = origin["folder"]
    embedder = origin["embedder"]
    if folder is None:
        raise InvalidInput(
            "the memories were not in a folder, so they cannot be opened again from here; "
            + _OPEN_FIRST
        )
    if embedder is None:
        raise InvalidInput(
            f"the embedder of {folder} is an object that cannot be written down; {_OPEN_FIRST}"
        )
    if not Path(folder).is_dir():
        raise InvalidInput(
            f"the folder {folder} is not here; bring it back, or {_OPEN_FIRST} and give its bank"
        )
    engine = open(folder, embedder=embedder, llm=origin["llm"])
    if engine.origin["ledger"] != origin["ledger"]:
        engine.close()
        raise InvalidInput(f"{folder} holds other memories now; give the bank that is meant")
    return engine


class Engine:
    """Ledger, indexes, embedder and worker of one process; thread-safe; a context manager. Made by `cogmem_core.open`.

    Example:
        >>> import cogmem_core
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     alice = engine.bank("alice")
        ...     _ = alice.remember("I moved to Lisbon in May")
        ...     print(alice.recall("Lisbon").results[0].content)
        I moved to Lisbon in May

    Attributes:
        folder: where its files are; None = in memory.
        origin: where it comes from, as JSON values; `reopen` finds it again.
        services: the parts that functions below work with.
        follower: keeps the vector index up to date.
        worker: the background thread.
        recall_registry: the recalls of the last minutes, so that answers can be traced to them.
    """

    origin: Mapping[str, str | None]

    def __init__(
        self,
        folder: Path | None,
        *,
        config: Config,
        embedder: str | Embedder | object,
        llm: str | LLM | object | None,
        clock: Clock | None,
        copy_of: Path | None = None,
    ) -> None:
        self.folder = folder
        self._closed = False
        self._users = 1
        self._parts: tuple[object, ...] = (embedder, llm, clock)
        self._wrote = False
        self._hurry = False
        self._on_due: Callable[[MemoryBank, Intention], object] | None = None
        self._process = os.getpid()
        self._owns_embedder = isinstance(embedder, str)
        self._retrieved = RetrievalQueue()
        self._judgements = FeedbackQueue()
        self.recall_registry = RecallRegistry(monotonic)
        runtime = Runtime(clock=clock)
        resolved = resolve_llm(llm)
        self._own_llm = resolved if isinstance(llm, str) else None
        model = with_cache(embedder, config)
        ledger = Ledger(folder, config.storage, runtime.now, copy_of=copy_of)
        with ExitStack() as unused:
            unused.callback(ledger.close)
            check_embedder(ledger, model)
            # What a program brings itself is measured by `reindex`, and not behind its back.
            self._calibrated = recall_scale(ledger, model) or not self._owns_embedder
            self.follower = make_follower(folder, ledger, model, config)
            # Views are written down beside the ledger, if it is in the bank's folder.
            saved_views = SavedViews(folder if config.storage.ledger_url is None else None)
            log = OpLog(
                None if folder is None else folder / LOG_FILE,
                clock=runtime.now,
                content=config.log.content,
                max_bytes=config.log.max_bytes,
            )
            self.services = Services(
                config=config,
                ledger=ledger,
                searcher=Searcher(self.follower, config.storage, saved_views),
                embedder=model,
                runtime=runtime,
                log=log,
                llm=None
                if resolved is None
                else CircuitBreaker(resolved, config.llm, clock=monotonic),
                budget=None if resolved is None else make_budget(config, runtime, ledger),
                recent=RecentContext(monotonic, context=CONTEXT_TURNS),
            )
            self.worker = self._make_worker()
            work_waits = self._work_waits() or bool(ledger.pending_erasures())
            self._unread: Key | None = None if all_read(ledger) else BEGINNING
            dreams = config.consolidation.trigger != "manual" and bool(self.namespaces())
            self._file = file_identity(folder)
            self.origin = origin_of(folder, ledger, embedder, llm)
            register(self)
            watch(self)
            close_at_exit(self)
            unused.pop_all()
        if copy_of is not None:
            self.worker.pause()
        elif work_waits or self.services.searcher.views.saved.namespaces():
            self.worker.notify()
        elif dreams or self._unread:
            self.worker.start()

    def _make_worker(self) -> Worker:
        tasks = {
            "erase": lambda: finish_erasures(self.services, self.follower),
            "learn": self._learn,
            "reinforce": lambda: self._retrieved.settle(self.services),
            "encode": self._encode,
            "embed": lambda: embed_outdated(self.services),
            "index": lambda: self.follower.due and self.follower.step(),
            "expire": self._expire,
        }
        return Worker(
            tasks,
            linger=self.services.config.storage.index_linger_seconds,
            urgent=("learn", "encode", "embed"),
            chores={
                "calibrate": self._calibrate,
                "read": self._read,
                "remind": self._remind,
                "dream": self._dream,
                "warm": lambda: self.services.searcher.warm(self.services.ledger),
            },
        )

    def bank(self, namespace: str) -> MemoryBank:
        """The memories of one namespace: a user, an agent, a project. Cheap; make one per request.

        Args:
            namespace: 1..256 characters without control characters, keys and passwords, compared
                whole and case-sensitively.

        Raises:
            InvalidInput: not such a string.
            BankClosed: the engine is closed.
        """
        self.check_open()
        return MemoryBank(self, checks.namespace(namespace, self.services.config))

    def as_(self, principal: str) -> Handle:
        """The engine in the hands of a principal: its banks check its rights at each call. Cheap.

        `Engine.bank` stays the operator's own, who may do everything.

        Raises:
            NotFound: there is no such principal; `add_principal` adds it.
            InvalidInput: no such name.
        """
        services = self.open_services
        name = access.checked_name(services, "principal", principal)
        access.require_principal(access.policy_of(services), "principal", name)
        return Handle(self, name)

    def add_principal(
        self, name: str, *, kind: str = "person", owner: str | None = None
    ) -> Principal:
        """Add somebody who may be granted rights, or change the kind and the owner.

        Args:
            name: unique in the ledger.
            kind: "person", "agent" (has the lesser of its own rights and its owner's) or "service".
            owner: of an agent: the principal that it acts for.

        Raises:
            InvalidInput: an argument is unusable; an agent without an owner; ownership in a circle.
            NotFound: there is no such owner.
            StoreError: the disk failed.
        """
        return sharing.add_principal(self, name, kind=kind, owner=owner)

    def principals(self) -> tuple[Principal, ...]:
        """All principals, by name."""
        return access.principals(self.open_services)

    def grant(
        self,
        principal: str,
        namespaces: str,
        right: str,
        *,
        effect: str = "allow",
        reason: str = "",
        until: datetime | None = None,
    ) -> Grant:
        """Grant a principal a right, or deny it.

        Nothing is granted by default. A denial wins, whatever else is granted, and takes away the
        right and those after it. The same grant that holds already is not stored twice.

        Args:
            principal: whose.
            namespaces: a namespace; a folder of them ("team/*": all that begin with "team/"; also
                behind ":" and "."); "*" = all.
            right: "read", "write", "review" or "admin"; each includes those before it.
            effect: "allow" or "deny".
            reason: why; `why_allowed` tells it.
            until: the end, timezone-aware; None = open.

        Raises:
            InvalidInput: an argument is unusable; `until` is over.
            NotFound: there is no such principal.
            StoreError: the disk failed.
        """
        new_grant = access.add_grant(
            self.open_services,
            principal,
            namespaces,
            right,
            effect=effect,
            reason=reason,
            until=until,
        )
        return sharing.granted(self, new_grant)

    def grants(self, principal: str | None = None, *, revoked: bool = False) -> tuple[Grant, ...]:
        """Grants, oldest first.

        Args:
            principal: only those of this principal; None = all.
            revoked: also those that were revoked.

        Raises:
            NotFound: there is no such principal.
            InvalidInput: an argument is unusable.
        """
        return access.grants(self.open_services, principal, revoked=revoked)

    def revoke(self, grant_id: str) -> Grant:
        """Revoke a grant at once; it stays on record.

        What the principal, or who acts for it, derived from memories that it may not read any more
        is withdrawn, and what rests on that; `MemoryBank.restore` brings it back.

        Raises:
            NotFound: there is no such grant, or it was revoked before.
            InvalidInput: the id is unusable.
            StoreError: the disk failed.
        """
        return sharing.revoke(self, grant_id)

    def access_log(
        self, *, limit: int = 100, principal: str | None = None
    ) -> tuple[AccessEntry, ...]:
        """What was decided and changed, oldest first: each decision once, until grants change.

        Args:
            limit: at most so many, the newest.
            principal: only those of this principal.

        Raises:
            InvalidInput: an argument is unusable.
        """
        return access.log(self.open_services, limit=limit, principal=principal)

    def sync(self) -> int:
        """Bring the vector index up to date now.

        Returns how many journal numbers it still lags behind.
        """
        self.check_open()
        self.follower.survey()
        while self.follower.step():
            pass
        return self.follower.lag()

    def reindex(
        self,
        embedder: str | Embedder | None = None,
        *,
        progress: Callable[[int, int], None] | None = None,
    ) -> ReindexReport:
        """Rebuild every index from the ledger; with `embedder`, embed every memory anew first.

        Args:
            embedder: the new model; None keeps the present one and embeds nothing.
            progress: called with (done, total).

        Raises:
            EmbedderUnavailable: the new model fails; what is embedded already is kept, a repeat
                goes on from there.
            EmbedderMismatch: the new model's vectors have another length than those that the bank
                has of its fingerprint.
        """
        self.check_open()
        embedded = 0
        if embedder is not None:
            model = with_cache(embedder, self.services.config)
            with ExitStack() as unused:
                if isinstance(embedder, str):
                    unused.callback(model.close)
                check_length(self.services.ledger, model)
                embedded = reembed(self.services, model, progress)
                unused.pop_all()
            self._release(self.services.embedder)
            self.services = replace(self.services, embedder=model)
            self._owns_embedder = isinstance(embedder, str)
            self._parts = (embedder, *self._parts[1:])
            self.origin = {
                **self.origin,
                "embedder": embedder if isinstance(embedder, str) else None,
            }
        return reindex(self.services, self.follower, embedded, progress)

    def consolidate_all(
        self,
        *,
        namespaces: Iterable[str] | None = None,
        on: str = "threads",
        workers: int = 2,
        due_only: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> FanOutReport:
        """Run one dream cycle in each of many namespaces, several at a time.

        What a worker that dies leaves undone is done by the others, or in the end by this process.
        Several machines may share the work: with `due_only` each namespace that is due gets one
        cycle, however many machines run this.

        Args:
            namespaces: all of the store if None.
            on: "threads" of this process; "processes" of this machine; "ray" = tasks of a Ray
                cluster: the one that `ray.init` found or `RAY_ADDRESS` names, else one on this
                machine (`pip install 'ray>=2.40'`). Processes and Ray open the store anew: it needs
                a folder that they see, or the address of a database, and an embedder and a language
                model that were given by name.
            workers: how many, 1 or more.
            due_only: leave out where no cycle is due (`consolidation.trigger`).
            progress: called with (namespaces done, namespaces in all), now and then.

        Raises:
            InvalidInput: an argument is unusable, or no worker could open this store.
            StoreError: the disk failed.
        """
        return consolidate_all(
            self, namespaces, on=on, workers=workers, due_only=due_only, progress=progress
        )

    @property
    def on_due(self) -> Callable[[MemoryBank, Intention], object] | None:
        """Called with the bank and an intention whose moment has come; None = `due` hands them out.

        By the background thread, within half a minute, and by `tick`. Each intention once: if the
        call fails, it stays among those that fired and were not settled.
        """
        return self._on_due

    @on_due.setter
    def on_due(self, callback: Callable[[MemoryBank, Intention], object] | None) -> None:
        self.check_open()
        if callback is not None and not callable(callback):
            raise InvalidInput(f"on_due is {callback!r}; give a function, or None")
        self._on_due = callback
        if callback is not None:
            self.worker.notify()

    def tick(self) -> int:
        """Look in every namespace for intentions whose moment has come.

        They go to `on_due`; without it they wait, as due, for `MemoryBank.due`. What was missed or
        has expired is put on record. What rests on a grant that has ended is withdrawn.

        Returns:
            How many went to `on_due`.

        Raises:
            StoreError: the disk failed.
        """
        with self.open_services.ledger.whole() as reader:
            names = reader.namespaces.reminding(self.services.runtime.now())
        sharing.withdraw_unread(self)
        return sum(agenda.remind(self, name) for name in names)

    def namespaces(self) -> list[str]:
        """Every namespace that holds something, or did, sorted.

        Memories count, and so do turns that wait, notes and documents.
        """
        with self.open_services.ledger.whole() as reader:
            names = reader.namespaces.everywhere()
        # The memories of a compartment are its home's.
        return sorted({access.home_of(name) for name in names})

    def log(self, *, limit: int = 100, op: str | None = None) -> list[dict[str, Any]]:
        """The newest records of the op log, oldest first.

        Args:
            limit: at most so many.
            op: only this operation ("remember", "recall", ...).
        """
        return self.open_services.log.recent(checks.positive("limit", limit), op=op)

    def verify_audit(self) -> dict[str, AuditTrail]:
        """Check the audit trail of every namespace (see `MemoryBank.verify_audit`), by its name."""
        with self.open_services.ledger.whole() as reader:
            return {name: reader.at(name).audit.trail() for name in reader.namespaces.names()}

    def backup(self, path: str | os.PathLike[str]) -> BackupReport:
        """Copy all memories as they are at this moment, while everybody goes on, and check the copy.

        The ledger is copied, with all turns, memories, vectors and the journal; indexes are built
        anew from it. `cogm restore-backup` makes a bank of the copy, and so does putting the file into an
        empty folder as `ledger.sqlite`. What is erased for good later stays in older backups.

        Args:
            path: a new file, or with a name without an ending a folder, which gets `cogmem.toml`,
                too. Only its owner can read it.

        Raises:
            InvalidInput: it is there already, or in the bank's own folder; or the memories are on a
                server, which has backups of its own.
            StoreError: the copy cannot be written, or is not sound; there is none then.
        """
        target = checks.path("path", path)
        with self.open_services.log_operation("backup") as record:
            report = backups.back_up(self, target)
            record["memories"] = report.memories
        return report

    def doctor(self, repair: bool = False) -> Diagnosis:
        """Look for everything that can be wrong with the bank, and say it in plain sentences.

        All of the ledger is read, and the vector index is compared with it, vector by vector: on a
        large bank this takes minutes. What a running engine finishes by itself (turns that wait,
        erasures, the index's lag) is a finding if it is not finished now.

        Args:
            repair: repair what can be repaired. No memory is deleted, and nothing is embedded anew
                except memories with a vector of another embedder.

        Raises:
            InvalidInput: `repair` is not True or False.
            BankClosed: the engine is closed.
            StoreError: the ledger cannot be read.
        """
        services = self.open_services
        checks.flag("repair", repair)
        bank = state.examined(self)
        with services.log_operation("doctor", repair=repair) as record:
            diagnosis = examine(bank, repair=repair)
            record["findings"] = [finding.kind for finding in diagnosis.findings] or None
        return diagnosis

    def health(self) -> dict[str, Any]:
        """The engine's state as JSON values: store, embedder, index, worker, warnings."""
        return state.health(self)

    def metrics(self) -> tuple[Reading, ...]:
        """The present values of all gauges, for whoever watches many engines.

        Counts of memories by state, namespaces, turns that wait, the index's lag, and how much goes
        wrong; no name and no text. `cogmem_core.observability.METRICS` says what each is called in
        OpenTelemetry and Prometheus.

        Raises:
            BankClosed: the engine is closed.
            StoreError: the ledger cannot be read.
        """
        return state.gauges(self, lost_answers=self._judgements.lost)

    def warnings(self) -> list[str]:
        """What a person should know: failures of the index, the worker, the op log or the ledger.

        And what `doctor` finds quickly: vectors of another embedder, erasures that did not end,
        permissions, disk. The ledger's file is read as a whole, where it is one:
        seconds for a large bank.
        """
        return state.warnings(self, lost_answers=self._judgements.lost)

    def flush(self) -> None:
        """Wait until queued turns are encoded, answers are learnt from and the indexes have caught up.

        What fails is tried again later, and told by `warnings`.
        """
        self.check_open()
        self.worker.flush()

    def pause(self) -> None:
        """Stop background work (indexing, queued turns, dream cycles) until `resume`.

        Everything still answers.
        """
        self.check_open()
        self.worker.pause()

    def resume(self) -> None:
        """Go on with background work."""
        self.check_open()
        self.worker.resume()

    def close(self) -> None:
        """Stop the worker, finish what is quickly finished (turns that wait, too), release files.

        Later calls raise `BankClosed`; idempotent. An engine that was opened more than once is
        closed by the last one who closes it.
        """
        with LOCK:
            self._users -= 1
            is_used = self._users > 0
        if not is_used:
            self._end(None)

    def _joined(self, folder: Path | None, config: Config, parts: tuple[object, ...]) -> bool:
        """Whether this engine is what somebody opens, who uses it from now on, too.

        Args:
            folder: that is opened, absolute.
            config: all settings.
            parts: embedder, model and clock as they were given.
        """
        file = file_identity(folder)
        same = file is not None and (str(folder), file) == (str(self.folder), self._file)
        same = same and self._process == os.getpid()
        same = same and not self._closed and self.services.config == config
        if not same or not all(map(_is_same, self._parts, parts)):
            return False
        self._users += 1
        return True

    def leave(self, *, hurry: bool) -> None:
        """The process ends: `close`, if nobody did; of what is slow only what `storage.close_drain_seconds` allow.

        A forked child ends its thread, and leaves what waits to its parent.
        """
        self._hurry = hurry
        seconds = 0.0 if hurry else self.services.config.storage.close_drain_seconds
        if self._process == os.getpid():
            self._end(seconds)
        else:
            self.worker.stop(seconds)

    def _end(self, seconds: float | None) -> None:
        if self._closed:
            return
        self._closed = True
        # The last callback runs first; each runs whatever happens to the others.
        with ExitStack() as closing:
            closing.callback(end_idle_threads)
            closing.callback(self.services.ledger.close)
            closing.callback(self.services.log.close)
            closing.callback(getattr(self._own_llm, "close", lambda: None))
            closing.callback(self._release, self.services.embedder)
            closing.callback(self.follower.close)
            closing.callback(self.recall_registry.clear)
            closing.callback(self._write_down)
            closing.callback(self._drain)
            self.worker.stop(seconds)

    @property
    def open_services(self) -> Services:
        """The services; `BankClosed` if the engine was closed."""
        self.check_open()
        return self.services

    def check_open(self) -> None:
        """Raise `BankClosed` if the engine was closed."""
        if self._closed:
            raise BankClosed("the engine is closed; open it again with cogmem_core.open(...)")

    aadd_principal = async_twin(add_principal)
    aprincipals = async_twin(principals)
    agrant = async_twin(grant)
    agrants = async_twin(grants)
    arevoke = async_twin(revoke)
    aaccess_log = async_twin(access_log)
    aas_ = async_twin(as_)
    aconsolidate_all = async_twin(consolidate_all)
    atick = async_twin(tick)
    anamespaces = async_twin(namespaces)
    alog = async_twin(log)
    averify_audit = async_twin(verify_audit)
    abackup = async_twin(backup)
    adoctor = async_twin(doctor)
    ahealth = async_twin(health)
    ametrics = async_twin(metrics)
    awarnings = async_twin(warnings)
    async_ = async_twin(sync)
    areindex = async_twin(reindex)
    aflush = async_twin(flush)
    apause = async_twin(pause)
    aresume = async_twin(resume)
    aclose = async_twin(close)

    def changed(self) -> None:
        """Something was written: the indexes have to follow."""
        self._wrote = True
        self.worker.notify()

    def retrieved(self, bank: MemoryBank, recall: Recall) -> None:
        """Something was recalled: answers are traced to it, also where they teach nothing (incognito).

        Where that alone reinforces, the worker does so.
        """
        self.recall_registry.register(bank, recall)
        if bank.keeps and self.services.config.retrieval.reinforce_on == "retrieval":
            self._retrieved.note(bank.namespace, recall, self.services.runtime.now())
            self.worker.notify()

    def judge(self, judgement: Queued) -> None:
        """An answer was given, or a run has ended: the worker learns from it."""
        self.check_open()
        self._judgements.put(judgement)
        self.worker.notify()

    def prepare_erasure(self, namespace: str) -> None:
        """Let nothing that waits in memory bring back what is erased.

        What can be learnt from is learnt from, so that the erasure finds it; the rest is given up.
        """
        self.recall_registry.clear()
        with suppress(CogMemError):
            write_unsaved(self.services)
            self._judgements.settle(self.services)
        self._judgements.drop(namespace)

    def yield_to_foreground(self) -> None:
        """Background work waits here for calls that somebody waits for."""
        self.worker.calls.wait_for_quiet(PATIENCE_SECONDS)

    def _release(self, embedder: Embedder) -> None:
        """Close an embedder that was made here; an object of the caller's stays the caller's."""
        if self._owns_embedder and isinstance(embedder, CachedEmbedder):
            embedder.close()

    def _drain(self) -> None:
        """Finish turns that wait for no service, and learn from the last answers.

        For a handful of rows to index, loading Chroma is left to the next process.
        """
        storage = self.services.config.storage
        deadline = monotonic() + (0.0 if self._hurry else storage.close_drain_seconds)
        try:
            write_unsaved(self.services)
            while monotonic() < deadline and self._finish_some():
                self._wrote = True
            self._retrieved.settle(self.services)
            self._judgements.settle(self.services, late=lambda: monotonic() >= deadline)
            if not self._wrote or self.worker.paused:
                return
            if not self.follower.loaded and self.follower.lag() < storage.write_slice:
                return
            while monotonic() < deadline and self.follower.step():
                pass
        except CogMemError as error:
            self.follower.trouble = str(error)

    def _finish_some(self) -> bool:
        """Encode a few turns that were left to this process; not where a model may hold up `close`."""
        services = self.services
        waits = services.llm is not None or not services.embedder.local or self.worker.paused
        return (
            not waits
            and bool(services.claims.left)
            and finish_abandoned(services, limit=MODEL_TURNS)[0] > 0
        )

    def _write_down(self) -> None:
        if not self._hurry:
            with suppress(StoreError):  # the next process reads the ledger
                self.services.searcher.write_down(self.services.ledger)

    def _work_waits(self) -> bool:
        with self.services.ledger.whole() as reader:
            queued = reader.queued(_TURN_LIMIT)
        for episode in queued:
            self.services.claims.leave(episode.namespace)
        return bool(queued) or self.follower.behind() or bool(due(self.services))

    def _learn(self) -> bool:
        return self._judgements.settle(self.services, late=lambda: self.worker.stopped)

    def _encode(self) -> bool:
        # A slow model must not hold up indexing, nor `close()`.
        limit = _TURN_LIMIT if self.services.llm is None else MODEL_TURNS
        finished, trouble = finish_abandoned(self.services, limit=limit)
        if trouble:
            raise EmbedderUnavailable(trouble)
        return finished > 0

    def _remind(self) -> bool:
        if self._on_due is not None:
            self.tick()
        return False

    def _dream(self) -> bool:
        return run_one(
            self.services,
            CycleControl(self.yield_to_foreground, stopping=lambda: self.worker.halting),
        )

    def _expire(self) -> bool:
        ended = documents.drop_all_ended(self.services) + sharing.withdraw_unread(self)
        return ended > 0

    def _calibrate(self) -> bool:
        """Once, for an embedder that is new to the bank."""
        if not self._calibrated:
            self._calibrated = True
            calibrate(self.services)
        return False

    def _read(self) -> bool:
        """Texts that were not read by this reader, until there are none."""
        if self._unread:
            self._unread = read_page(self.services, self._unread)
        return self._unread is not None

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Engine:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __deepcopy__(self, _memo: object) -> Engine:
        """The same engine: copying what holds it does not copy it."""
        return self

    def __reduce__(self) -> tuple[Callable[..., Engine], tuple[object]]:
        return reopen, (self.origin,)

    def __repr__(self) -> str:
        return (
            f"<cogmem_core.Engine {self.folder or 'in memory'}{' closed' if self._closed else ''}>"
        )
