"""The part of a bank that looks after its memories: dream cycles, undoing them, looking ahead, looking over.

And the documents that are kept beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from cogmem_core import checks
from cogmem_core.async_twin import async_twin
from cogmem_core.bank.items import Items
from cogmem_core.config.dreaming import STEP_NAMES
from cogmem_core.consolidation import Order, Watch, consolidate, undo
from cogmem_core.health.forecast import audit, forecast
from cogmem_core.models import ConsolidationRun
from cogmem_core.results import Audit, AuditTrail, ConsolidationReport, Forecast, TipOfTongue, UndoReport
from cogmem_core.services import Services
from cogmem_core.tip_of_tongue import tip_of_tongue

if TYPE_CHECKING:
    from cogmem_core.engine import Engine

__all__ = ["Upkeep"]


class Upkeep:
    """Mixed into `MemoryBank`."""

    namespace: str
    _engine: Engine

    def _services(self) -> Services:
        self._engine.check_open()
        return self._engine.services

    def consolidate(
        self,
        *,
        dry_run: bool = False,
        steps: Iterable[str] | None = None,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> ConsolidationReport:
        """Run a dream cycle now: expire, strengthen, merge, forget, summarise, derive, promote.

        Nothing is deleted: what leaves recall can be restored, and `undo(report.run_id)` takes the whole cycle back.

        Args:
            dry_run: only tell what would change. With a language model it is asked all the same.
            steps: names of the steps to run; as configured if None. They run in their fixed order.
            progress: called with (step that begins, steps done, steps in all).

        Returns:
            What was done; all zeros, and a reason, if another cycle is running on this namespace.

        Raises:
            InvalidInput: there is no such step.
            StoreError: the disk failed.
        """
        checks.flag("dry_run", dry_run)
        wanted = self._services().config.consolidation.steps if steps is None else _steps(steps)
        return self._dream(Order(wanted, dry_run), progress)

    def tick(self, *, progress: Callable[[str, int, int], None] | None = None) -> ConsolidationReport:
        """The cheap part of a dream cycle: what is over leaves recall, fading memories are consolidated.

        Args:
            progress: as for `consolidate`.

        Raises:
            StoreError: the disk failed; the steps that were done stand.
        """
        return self._dream(Order(self._services().config.consolidation.tick), progress)

    def _dream(self, order: Order, progress: Callable[[str, int, int], None] | None) -> ConsolidationReport:
        watch = Watch(self._engine.let_pass) if progress is None else Watch(self._engine.let_pass, progress=progress)
        report = consolidate(self._services(), self.namespace, order, watch)
        if report.changes and not order.dry_run:
            self._engine.changed()
        return report

    def undo(self, run_id: str) -> UndoReport:
        """Take back a dream cycle; what was changed again since stays as it is now.

        Raises:
            NotFound: there is no such cycle.
            InvalidInput: it was undone before, or is still running.
        """
        report = undo(self._services(), self.namespace, checks.identifier("run_id", run_id))
        self._engine.changed()
        return report

    def runs(self, *, limit: int = 20) -> tuple[ConsolidationRun, ...]:
        """Dream cycles, newest first."""
        with self._services().ledger.reading() as reader:
            return tuple(reader.runs(self.namespace, checks.positive("limit", limit)))

    def forecast(self, days: float = 90, *, limit: int = 1_000) -> Forecast:
        """What becomes of each memory if nobody uses it: which fade, go dormant, lose their validity, and when.

        What depends on other memories (capacity, duplicates) is not foreseen, nor what a dream cycle rehearses.

        Args:
            days: how far to look, above 0 and at most 36,500.
            limit: of the events; `Forecast.more` counts the others.

        Raises:
            InvalidInput: an argument is unusable.
        """
        return forecast(self._services(), self.namespace, checks.days("days", days), checks.positive("limit", limit))

    def audit(self) -> Audit:
        """What a person should look at: duplicates, contradictions, junk, orphans, stale insights, secrets, delays."""
        return audit(self._services(), self.namespace, index_lag=self._engine.follower.lag())

    def verify_audit(self, *, anchor: str | None = None) -> AuditTrail:
        """Check that no entry of the journal was altered, deleted, added or moved, and no memory changed beside it.

        Every change of a memory is an entry in a chain of hashes: who, what kind, which memory, when. Erased words
        leave the chain whole.

        Args:
            anchor: `AuditTrail.head` as it was noted elsewhere: also shows whether the whole chain was written anew.
        """
        wanted = None if anchor is None else checks.identifier("anchor", anchor)
        with self._services().ledger.reading() as reader:
            return reader.audit_trail(self.namespace, anchor=wanted)

    def tip_of_tongue(self, query: str, k: int = 8) -> TipOfTongue:
        """Memories that are stored deeply but hardly come to mind, dormant ones too, with cues. Changes nothing.

        Args:
            query: what you are trying to remember; a weak match is enough.
            k: at most so many, 1..1000.

        Raises:
            InvalidInput: an argument is unusable.
            StoreError: neither vectors nor words could be searched.
        """
        services = self._services()
        size = checks.k_results(k, services.config.retrieval.max_k)
        asked = checks.text("query", query, services.config.limits.query_bytes)
        with services.log_operation("tip_of_tongue", namespace=self.namespace, input=asked, k=size) as note:
            with self._engine.worker.foreground:
                found = tip_of_tongue(services, self.namespace, asked, size)
            note |= {"result_count": len(found.tips), "degraded": list(found.degraded) or None}
            note |= {"empty_reason": found.empty_reason or None}
        return found

    def items(self) -> Items:
        """Documents that are kept by path and key beside the memories (see `Items`)."""
        self._engine.check_open()
        return Items(self._engine, self.namespace)

    aconsolidate = async_twin(consolidate)
    atick = async_twin(tick)
    aundo = async_twin(undo)
    aruns = async_twin(runs)
    aforecast = async_twin(forecast)
    aaudit = async_twin(audit)
    atip_of_tongue = async_twin(tip_of_tongue)
    averify_audit = async_twin(verify_audit)


def _steps(given: Iterable[str]) -> tuple[str, ...]:
    return tuple(checks.choice("steps", name, STEP_NAMES) for name in checks.listed("steps", given))
