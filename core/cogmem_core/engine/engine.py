"""The process-wide half: one `Engine` owns the ledger, the indexes, the embedder and the background worker."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from cogmem_core import checks
from cogmem_core.async_twin import async_twin
from cogmem_core.bank import MemoryBank
from cogmem_core.caches.recent_context import Recent
from cogmem_core.config import Config
from cogmem_core.config.loading import given_config, load_config
from cogmem_core.consolidation import Watch, due, run_one
from cogmem_core.embedders.cache import CachedEmbedder
from cogmem_core.encoding.commit import finish_left
from cogmem_core.engine.factory import budget_of, check_embedder, follower_of, log_of, rested, with_cache
from cogmem_core.engine.fanout import FanOut
from cogmem_core.engine.maintenance import Maintenance
from cogmem_core.engine.oversight import Oversight
from cogmem_core.engine.recall_registry import Recollections
from cogmem_core.engine.registry import noted, reopened
from cogmem_core.engine.worker import PATIENCE_SECONDS, Worker
from cogmem_core.erasure import finish_pending
from cogmem_core.errors import CogMemError, EmbedderUnavailable, StoreError
from cogmem_core.feedback.queue import Judgement, Judgements
from cogmem_core.feedback.reinforcement import Retrieved
from cogmem_core.leaving import close_at_exit
from cogmem_core.llm import resolve_llm
from cogmem_core.ports import LLM, Embedder
from cogmem_core.reindex import reembed, reindex
from cogmem_core.results import Recall, ReindexReport
from cogmem_core.runtime import Clock, Runtime, monotonic
from cogmem_core.services import Services
from cogmem_core.storage.ledger.ledger import Ledger
from cogmem_core.storage.search.searcher import Searcher

__all__ = ["Engine", "open"]

_AT_ONCE = 256


def open(  # noqa: A001 - cogmem_core.open() reads as it should
    path: str | os.PathLike[str] | None = None,
    *,
    config: Config | None = None,
    embedder: str | Embedder = "minilm",
    llm: str | LLM | None = None,
    clock: Clock | None = None,
) -> Engine:
    """Open a store of memories, creating it if need be.

    Args:
        path: a folder (SQLite and embedded Chroma inside), created if missing; None = in memory, gone when closed.
        config: settings, which replace those of `cogmem.toml`, `COGMEM_CONFIG` and `COGMEM_*`; None = read these.
        embedder: "minilm", "hashing", "openai:<model>", or any object with the `Embedder` protocol.
        llm: "openai:<model>" (`OPENAI_API_KEY`, `OPENAI_BASE_URL`), any object with the `LLM` protocol, or None.
        clock: returns the current timezone-aware time; the system's clock if None.

    Raises:
        InvalidInput: path or config is none.
        ConfigError: a setting is wrong.
        StoreError: the folder cannot be used.
        StoreVersionError: it is newer than this cogmem.
        EmbedderMismatch: it was embedded with another model.
        EmbedderUnavailable: the model cannot be loaded, or the server that was asked for its dimension fails.
    """
    try:
        # It stays where it is when the program goes to another folder.
        folder = None if path is None else checks.path("path", path).absolute()
    except OSError as error:
        raise StoreError(f"path is {path!r}, and the current folder is gone: {error}; give an absolute path") from error
    return Engine(folder, config=given_config(config) or load_config(folder), embedder=embedder, llm=llm, clock=clock)


class Engine(Maintenance, Oversight, FanOut):
    """Ledger, indexes, embedder and worker of one process; thread-safe; a context manager. Made by `cogmem_core.open`.

    Example:
        >>> import cogmem_core
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     alice = engine.bank("alice")
        ...     _ = alice.remember("I moved to Lisbon in May")
        ...     print(alice.recall("Lisbon").results[0].content)
        I moved to Lisbon in May

    Attributes:
        origin: where it comes from, as JSON values; `cogmem_core.engine.registry` finds it again.
    """

    origin: Mapping[str, str | None]

    def __init__(
        self,
        folder: Path | None,
        *,
        config: Config,
        embedder: str | Embedder,
        llm: str | LLM | None,
        clock: Clock | None,
    ) -> None:
        resolved = resolve_llm(llm)
        self._own_llm = resolved if isinstance(llm, str) else None
        language_model = rested(resolved, config)
        self.folder = folder
        self._closed = False
        self._wrote = False
        self._process = os.getpid()
        self._owns_embedder = isinstance(embedder, str)
        self._retrieved = Retrieved()
        self._hurry = False
        self._judgements = Judgements()
        self.recollections = Recollections(monotonic)
        runtime = Runtime(clock=clock)
        model = with_cache(embedder, config)
        ledger = Ledger(folder, config.storage, runtime.now)
        try:
            check_embedder(ledger, model)
            self.follower = follower_of(folder, ledger, model, config)
            searcher = Searcher(self.follower, config.storage, config.lexical)
            log = log_of(folder, config, runtime)
            budget = None if language_model is None else budget_of(config, runtime)
            recent = Recent(monotonic, context=config.importance.context_turns)
            self.services = Services(
                config, ledger, searcher, model, runtime, log, language_model, budget, recent=recent
            )
            learning = {"learn": self._learn, "reinforce": self._reinforce}
            self.worker = Worker(
                {"erase": self._erase, **learning, "encode": self._encode, "index": self._index},
                linger=config.storage.index_linger_seconds,
                urgent=("learn", "encode"),
                chores={"dream": self._dream},
            )
            work_waits = self._work_waits() or bool(ledger.pending_erasures())
            dreams = config.consolidation.trigger != "manual" and bool(self.namespaces())
            noted(self, ledger.name(), embedder, llm)
            close_at_exit(self)
        except BaseException:
            ledger.close()
            raise
        if work_waits:
            self.worker.notify()
        elif dreams:
            self.worker.start()

    def bank(self, namespace: str) -> MemoryBank:
        """The memories of one namespace: a user, an agent, a project. Cheap; make one per request.

        Args:
            namespace: 1..256 characters without control characters, compared whole and case-sensitively.

        Raises:
            InvalidInput: not such a string.
            BankClosed: the engine is closed.
        """
        self.check_open()
        return MemoryBank(self, checks.namespace(namespace, self.services.config.limits))

    def sync(self) -> int:
        """Bring the vector index up to date now; returns how many journal numbers it still lags behind."""
        self.check_open()
        self.follower.survey()
        while self.follower.step():
            pass
        return self.follower.lag()

    def reindex(
        self, embedder: str | Embedder | None = None, *, progress: Callable[[int, int], None] | None = None
    ) -> ReindexReport:
        """Rebuild every index from the ledger; with `embedder`, embed every memory anew first.

        Args:
            embedder: the new model; None keeps the present one and embeds nothing.
            progress: called with (done, total).

        Raises:
            EmbedderUnavailable: the new model fails; what is embedded already is kept, a repeat goes on from there.
        """
        self.check_open()
        embedded = 0
        if embedder is not None:
            model = with_cache(embedder, self.services.config)
            with ExitStack() as unused:
                if isinstance(embedder, str):
                    unused.callback(model.close)
                embedded = reembed(self.services, model, progress)
                unused.pop_all()
            self._release(self.services.embedder)
            self.services = replace(self.services, embedder=model)
            self._owns_embedder = isinstance(embedder, str)
            self.origin = {**self.origin, "embedder": embedder if isinstance(embedder, str) else None}
        return reindex(self.services, self.follower, embedded, progress)

    def health(self) -> dict[str, Any]:
        """The engine's state as JSON values: store, embedder, index, worker, warnings."""
        self.check_open()
        lag = self.follower.lag()
        warnings = self.warnings()
        return {
            "path": None if self.folder is None else str(self.folder),
            "namespaces": len(self.namespaces()),
            "embedder": self.services.embedder.fingerprint,
            "index": {"ready": self.follower.index.ready, "loaded": self.follower.loaded, "lag": lag},
            "llm": self._llm_health(),
            "worker": {"paused": self.worker.paused, "troubles": dict(self.worker.troubles)},
            "consolidation": {"trigger": self.services.config.consolidation.trigger, "due": len(due(self.services))},
            "warnings": warnings,
        }

    def warnings(self) -> list[str]:
        """What a person should know: failures of the index, the worker, the op log or the ledger.

        The ledger's file is read as a whole, where it is one: seconds for a large bank.
        """
        found = [f"background {name}: {trouble}" for name, trouble in self.worker.troubles.items()]
        found += [self.follower.trouble] if self.follower.trouble else []
        trouble = getattr(self.services.llm, "trouble", "")
        found += [f"the language model failed, rules decide: {trouble}"] if trouble else []
        lost = self._judgements.lost
        log = self.services.log
        found += [f"{lost} answers were given up before memories could learn from them"] if lost else []
        if log.dropped:
            found.append(f"the op log lacks {log.dropped} records: {log.failure or 'there were too many at once'}")
        found += [f"the ledger is damaged: {problem}" for problem in self.services.ledger.check()]
        return found

    def flush(self) -> None:
        """Wait until queued turns are encoded, answers are learnt from and the indexes have caught up.

        What fails is tried again later, and told by `warnings`.
        """
        self.check_open()
        self.worker.flush()

    def pause(self) -> None:
        """Stop background work (indexing, queued turns, dream cycles) until `resume`; everything still answers."""
        self.check_open()
        self.worker.pause()

    def resume(self) -> None:
        """Go on with background work."""
        self.check_open()
        self.worker.resume()

    def close(self) -> None:
        """Stop the worker, apply what is quickly applied, release files. Later calls raise `BankClosed`; idempotent."""
        self._end(None)

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
        with ExitStack() as last:  # from the last one up; each is closed whatever happens to the others
            last.callback(self.services.ledger.close)
            last.callback(self.services.log.close)
            last.callback(getattr(self._own_llm, "close", lambda: None))
            last.callback(self._release, self.services.embedder)
            last.callback(self.follower.close)
            last.callback(self.recollections.clear)
            last.callback(self._drain)
            self.worker.stop(seconds)

    aflush = async_twin(flush)
    async_ = async_twin(sync)
    areindex = async_twin(reindex)
    ahealth = async_twin(health)
    aclose = async_twin(close)
    apause = async_twin(pause)
    aresume = async_twin(resume)
    awarnings = async_twin(warnings)

    def changed(self) -> None:
        """Something was written: the indexes have to follow."""
        self._wrote = True
        self.worker.notify()

    def retrieved(self, bank: MemoryBank, recall: Recall) -> None:
        """Something was recalled: answers are traced to it; where that alone reinforces, the worker does so."""
        self.recollections.keep(bank, recall)
        if self.services.config.retrieval.reinforce_on == "retrieval":
            self._retrieved.note(bank.namespace, recall, self.services.runtime.now())
            self.worker.notify()

    def judge(self, judgement: Judgement) -> None:
        """An answer was given; the worker judges the memories that it was made of."""
        self.check_open()
        self._judgements.put(judgement)
        self.worker.notify()

    def let_pass(self) -> None:
        """Background work waits here for calls that somebody waits for."""
        self.worker.calls.let_pass(PATIENCE_SECONDS)

    def _llm_health(self) -> dict[str, Any] | None:
        llm = self.services.llm
        budget = self.services.budget
        if llm is None or budget is None:
            return None
        told = {"calls_today": budget.calls_today, "tokens_today": budget.tokens_today}
        return {"model": getattr(llm, "model", ""), "trouble": getattr(llm, "trouble", ""), **told}

    def _release(self, embedder: Embedder) -> None:
        """Close an embedder that was made here; an object of the caller's stays the caller's."""
        if self._owns_embedder and isinstance(embedder, CachedEmbedder):
            embedder.close()

    def _drain(self) -> None:
        """Learn from the last answers; for a handful of rows to index, loading Chroma is left to the next process."""
        storage = self.services.config.storage
        deadline = monotonic() + (0.0 if self._hurry else storage.close_drain_seconds)
        try:
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

    def _work_waits(self) -> bool:
        with self.services.ledger.reading() as reader:
            queued = reader.queued(None, _AT_ONCE)
        for episode in queued:
            self.services.claims.leave(episode.namespace)
        return bool(queued) or self.follower.behind() or bool(due(self.services))

    def _erase(self) -> bool:
        return finish_pending(self.services, self.follower)

    def _learn(self) -> bool:
        return self._judgements.settle(self.services, late=lambda: self.worker.stopped)

    def _encode(self) -> bool:
        # A slow model must not hold up indexing, nor `close()`.
        limit = _AT_ONCE if self.services.llm is None else self.services.config.encoding.llm_turns
        finished, trouble = finish_left(self.services, limit=limit)
        if trouble:
            raise EmbedderUnavailable(trouble)
        return finished > 0

    def _reinforce(self) -> bool:
        return self._retrieved.settle(self.services)

    def _dream(self) -> bool:
        return run_one(self.services, Watch(self.let_pass, stopping=lambda: self.worker.halting))

    def _index(self) -> bool:
        return self.follower.due and self.follower.step()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    async def __aenter__(self) -> Engine:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.aclose()

    def __deepcopy__(self, _memo: object) -> Engine:
        """An engine is one, however what holds it is copied."""
        return self

    def __reduce__(self) -> tuple[Callable[..., Engine], tuple[object]]:
        return reopened, (self.origin,)

    def __repr__(self) -> str:
        return f"<cogmem_core.Engine {self.folder or 'in memory'}{' closed' if self._closed else ''}>"
