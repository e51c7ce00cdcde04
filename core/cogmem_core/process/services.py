"""What the write path and the read path work with: one bundle per engine, passed down explicitly."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from types import TracebackType
from typing import Any

from cogmem_core.base.digests import text_digest
from cogmem_core.base.interrupt_safe import pause, scope
from cogmem_core.base.runtime import Runtime, monotonic
from cogmem_core.base.timeouts import TimeLimitedCaller
from cogmem_core.caches.agents import AgentCache
from cogmem_core.caches.confidence_correction import ConfidenceCorrection
from cogmem_core.caches.decisions import DecisionCache
from cogmem_core.caches.hot_tier import HotTier
from cogmem_core.caches.recent_context import RecentContext
from cogmem_core.caches.statements import StatementCache
from cogmem_core.caches.unsaved_turns import UnsavedTurns
from cogmem_core.caches.untrusted_rate import UntrustedRate
from cogmem_core.config import Config
from cogmem_core.embedders import CachedEmbedder
from cogmem_core.errors import EmbedderMismatch
from cogmem_core.llm import Budget
from cogmem_core.observability.metrics import LLM_TOKENS
from cogmem_core.observability.operations import WatchedOperation
from cogmem_core.observability.recording import record
from cogmem_core.ports import LLM, Stored
from cogmem_core.process.oplog import NO_LOG, OpLog
from cogmem_core.skills.run import Answer, Input, Outcome, Skill, Value, run_skill
from cogmem_core.storage.ledger.ledger import EMBEDDER_KEY, Ledger
from cogmem_core.storage.ledger.transaction import Transaction
from cogmem_core.storage.search.in_memory_index import Changed
from cogmem_core.storage.search.searcher import Searcher
from cogmem_core.text.keys import embedded_text
from cogmem_core.values.models import Memory

_AGAIN_SECONDS = 0.005  # between two looks at what others hold


class InFlightTurns:
    """Turns that some thread of this process is encoding right now, so that no other one starts on them.

    Attributes:
        left: how often turns were left to the worker of this process, by namespace, as far as not
            known to be done.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: set[str] = set()
        self.left = Counter[str]()

    @scope
    def taking(self, ids: Iterable[str]) -> Iterator[frozenset[str]]:
        """Yields those of the ids that were free; they are held until the block ends."""
        held = self._held
        requested_ids = frozenset(ids)
        free = frozenset[str]()
        try:
            with self._lock:
                free = requested_ids - held
                held.update(free)
            yield free
        finally:
            held.difference_update(free)

    def leave(self, namespace: str) -> None:
        """Turns were committed and left to the worker."""
        with self._lock:
            self.left[namespace] += 1

    def done(self, counts: Mapping[str, int]) -> None:
        """Nothing waits any more in these namespaces, unless something was left there since."""
        with self._lock:
            for namespace, times in counts.items():
                if self.left.get(namespace) == times:
                    del self.left[namespace]

    def wait(self, ids: Iterable[str], seconds: float) -> None:
        """Wait until no thread holds any of them, at most `seconds`."""
        requested_ids = set(ids)
        end = monotonic() + seconds
        while not self._held.isdisjoint(requested_ids) and monotonic() < end:
            pause(_AGAIN_SECONDS)


@dataclass(frozen=True, slots=True)
class ErasureProgress:
    """How far this process got with erasures whose files are not clean yet: what is done is not done once more.

    Attributes:
        emptied: jobs whose vectors are out of the index.
        rewritten: jobs whose rows are out of the ledger's file.
    """

    emptied: set[str] = field(default_factory=set)
    rewritten: set[str] = field(default_factory=set)


class OperationRecord:
    """A context manager that writes one record of the op log, whatever ends its block; observability follows it."""

    def __init__(self, log: OpLog, op: str, fields: Mapping[str, Any], store: str) -> None:
        self._log = log
        self._op = op
        self._fields = fields
        self._store = store
        self._started = monotonic()
        self._note: dict[str, Any] = {**fields, "success": True}
        if isinstance(fields.get("namespace"), str):
            # Often a mail address; erasing a namespace must not have to search the logs for its
            # name.
            self._note["namespace"] = text_digest(fields["namespace"], 16)

    def __enter__(self) -> dict[str, Any]:
        self._watched = WatchedOperation(self._op, self._store, self._fields)
        return self._note

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if kind is not None:
            self._note |= {"success": False, "error": kind.__name__}
        seconds = monotonic() - self._started
        self._log.append(self._op, latency_ms=round(seconds * 1000, 2), **self._note)
        self._watched.end(self._note, seconds, None if kind is None else kind.__name__)


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of one engine.

    Attributes:
        embedder: turns texts into vectors; remembers those of recent queries.
        searcher: candidates from vectors and words.
        log: the op log; `log_operation` writes to it.
        claims: see `InFlightTurns`.
        cleaning: see `ErasureProgress`.
        budget: what may be asked of the language model; None = unlimited.
        recent: see `RecentContext`.
        patience: with the embedder, while somebody waits for an answer.
        hot: see `HotTier`.
        tuning: see `ConfidenceCorrection`.
        sources: see `UntrustedRate`.
        unsaved: see `UnsavedTurns`.
        agents: see `AgentCache`.
        decisions: see `DecisionCache`; holds a `cogmem_core.access.Policy`.
        statements: see `StatementCache`; holds what `cogmem_core.knowledge` makes of memories.
    """

    config: Config
    ledger: Ledger
    searcher: Searcher
    embedder: CachedEmbedder
    runtime: Runtime
    log: OpLog
    llm: LLM | None = None
    budget: Budget | None = None
    claims: InFlightTurns = field(default_factory=InFlightTurns)
    cleaning: ErasureProgress = field(default_factory=ErasureProgress)
    recent: RecentContext = field(default_factory=lambda: RecentContext(monotonic))
    patience: TimeLimitedCaller = field(default_factory=TimeLimitedCaller)
    hot: HotTier = field(default_factory=lambda: HotTier(monotonic))
    tuning: ConfidenceCorrection = field(default_factory=lambda: ConfidenceCorrection(monotonic))
    sources: UntrustedRate = field(default_factory=UntrustedRate)
    unsaved: UnsavedTurns = field(default_factory=UnsavedTurns)
    agents: AgentCache = field(default_factory=AgentCache)
    decisions: DecisionCache[object] = field(default_factory=DecisionCache)
    statements: StatementCache[Any] = field(default_factory=StatementCache)

    def log_operation(self, op: str, **fields: Any) -> OperationRecord:
        """Write an operation to the op log when the block ends: how long it took, whether it failed, and the fields.

        Yields the record; the block adds to it.
        """
        if self.log is NO_LOG:
            fields = {}  # nor does a span tell them
        return OperationRecord(self.log, op, fields, self.ledger.name())

    def incognito(self) -> Services:
        """The same parts for what leaves no trace: nothing goes into the op log."""
        return replace(self, log=NO_LOG)

    def sealed(self, namespace: str) -> Services:
        """The same parts, in whose settings also stands what people never want kept in a namespace.

        Whoever takes a text in asks for them, so what another process sealed holds at the next write.
        """
        with self.ledger.reading(namespace) as ns:
            own = ns.seals.all()
        encoding = self.config.encoding
        topics = tuple(dict.fromkeys((*encoding.never_keep, *own)))
        if topics == encoding.never_keep:
            return self
        encoding = replace(encoding, never_keep=topics)
        return replace(self, config=replace(self.config, encoding=encoding))

    def ask(self, skill: Skill[Input, Answer, Value], inputs: Input) -> Outcome[Value]:
        """One step with the engine's language model, or with its heuristic twin."""
        timeout = self.config.llm.timeout_seconds
        outcome = run_skill(
            skill, inputs, self.llm, budget=self.budget, log=self.log, timeout=timeout
        )
        if self.llm is not None:
            record(LLM_TOKENS, outcome.usage.prompt_tokens or 0, {"direction": "input"})
            record(LLM_TOKENS, outcome.usage.completion_tokens or 0, {"direction": "output"})
        if self.budget is not None and (outcome.source == "llm" or outcome.unusable):
            self.budget.count_answer(usable=outcome.source == "llm")
        return outcome

    def update_indexes(self, namespace: str, applied: Changed | None) -> None:
        """The indexes of this process take in what a transaction of its own changed, if it did."""
        if applied is not None:
            self.searcher.absorb(namespace, applied)

    def embedded(self, memories: Iterable[Memory], keys: Sequence[str]) -> list[Stored]:
        """Memories with the keys by which they are found, and the vectors of those."""
        vectors = self.embedder.embed_documents(list(map(embedded_text, keys)))
        return list(map(Stored, memories, keys, vectors, repeat(self.embedder.fingerprint)))

    def guard_embedder(self, writer: Transaction, namespace: str | None = None) -> None:
        """Make sure that this ledger's vectors come from this engine's embedder; the first write decides.

        Args:
            namespace: whose last journal number the writer needs next: it is read in the same
                statement.

        Raises:
            EmbedderMismatch: another process re-embedded the bank meanwhile.
        """
        fingerprint = self.embedder.fingerprint
        if namespace is None:
            claimed = writer.meta.claim(EMBEDDER_KEY, fingerprint)
        else:
            journal = writer.at(namespace).journal
            claimed = journal.claim_setting(writer.meta, EMBEDDER_KEY, fingerprint)
        if claimed != fingerprint:
            raise EmbedderMismatch(
                f"the bank was embedded with {claimed!r}, this engine uses "
                f"{self.embedder.fingerprint!r}; "
                f"open it with {claimed!r}, or re-embed it: cogm reindex --embedder NAME"
            )
