"""The part of a bank that learns from answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cogmem_core import checks
from cogmem_core.async_twin import async_twin
from cogmem_core.encoding.commit import finish_queued
from cogmem_core.errors import InvalidInput
from cogmem_core.feedback import Similarity, give
from cogmem_core.feedback.queue import Judgement
from cogmem_core.models import Feedback
from cogmem_core.results import Recall, Recalled
from cogmem_core.services import Services

if TYPE_CHECKING:
    from cogmem_core.engine import Engine

__all__ = ["Learning"]

_SETTLED_AT_ONCE = 256


class Learning:
    """Mixed into `MemoryBank`."""

    namespace: str
    _engine: Engine

    def _services(self) -> Services:
        self._engine.check_open()
        return self._engine.services

    def feedback(
        self,
        recall: Recall,
        answer: str,
        *,
        query: str | None = None,
        similarity_fn: Similarity | None = None,
    ) -> tuple[Feedback, ...]:
        """Tell what the model answered: memories that it used last longer and rank higher, ignored ones fade.

        Args:
            recall: what the model was given.
            query: what it was asked, if other words than the recall's.
            similarity_fn: (memory, answer) → 0..1, instead of the share of the memory's telling words in the answer.

        Returns:
            A judgement per memory; none for those that this recall was judged for before, and none of a blank answer.

        Raises:
            InvalidInput: an argument is unusable.
            StoreError: the disk failed. Nothing was changed.
        """
        with self._engine.worker.foreground:
            return give(self._services(), self.namespace, recall, answer, query=query, similarity=similarity_fn)

    def credit(
        self,
        recall: Recall,
        answer: str,
        *,
        similarity_fn: Similarity | None = None,
        heard: Callable[[tuple[Feedback, ...]], None] | None = None,
        wait: bool = False,
    ) -> None:
        """As `feedback`, in passing: returns at once, and the worker judges; `Engine.flush` waits for it.

        What was judged by the same answer under another recall of the run is left out.

        Args:
            heard: called with the judgements, if there are any, in the thread that makes them.
            wait: True = judge before returning, as `feedback` does.

        Raises:
            InvalidInput: `recall` is none. With `wait` as `feedback`.
        """
        if not isinstance(recall, Recall):
            raise InvalidInput(f"recall is a {type(recall).__name__}; give what bank.recall() returned")
        services = self._services()
        recollections = self._engine.recollections
        ids = [*(item.memory.id for item in recall.results), *(memory.id for memory in recall.hot)]
        own = {memory_id for memory_id in ids if recollections.judged_as(memory_id, [recall.id]) == recall.id}
        if ids and not own:
            return
        recall = recall.only(own)
        if not wait:
            self._engine.judge(Judgement(self.namespace, recall, answer, similarity=similarity_fn, heard=heard))
            return
        with self._engine.worker.foreground:
            rows = give(services, self.namespace, recall, answer, query=None, similarity=similarity_fn)
        if rows and heard is not None:
            heard(rows)

    def redeem(self, ticket: Mapping[str, Any]) -> Recall:
        """A recall made of its ticket (`Recall.ticket`), good for feedback also in another process or after a restart.

        What was erased meanwhile is missing. The recall has no scores, and `context` is empty.

        Raises:
            InvalidInput: it is no ticket.
        """
        shown = _shown(ticket)
        services = self._services()
        with services.ledger.reading() as reader:
            rows = reader.memories(self.namespace, [*shown, *ticket["hot"]])
        here = {memory_id: prior for memory_id, prior in shown.items() if memory_id in rows}
        results = [Recalled(rows[i], 0.0, prior, {}, {}, {}, "", prior=prior) for i, prior in here.items()]
        hot = tuple(rows[i] for i in ticket["hot"] if i in rows)
        return Recall(ticket["id"], ticket["query"], tuple(results), hot=hot)

    def settle(self, *, seconds: float = 5.0) -> int:
        """Finish now the turns of this namespace that this process took in with `wait=False` or found; tells how many.

        So that what was said a moment ago is recalled; with a language model it is asked. Turns that another thread is
        at are waited for, at most `seconds`. What cannot be finished (the embedder fails) stays queued.
        """
        services = self._services()
        limit = checks.seconds("seconds", seconds)
        left = {name: times for name, times in services.claims.left.copy().items() if name == self.namespace}
        if not left:
            return 0
        with self._engine.worker.foreground:
            finished, _ = finish_queued(services, namespace=self.namespace, limit=_SETTLED_AT_ONCE)
            waiting = self._waiting()
            services.claims.wait(waiting, limit)
        if not waiting:
            services.claims.done(left)
        if finished:
            self._engine.changed()
        return finished

    def _waiting(self) -> list[str]:
        with self._services().ledger.reading() as reader:
            return [episode.id for episode in reader.queued(self.namespace, _SETTLED_AT_ONCE)]

    afeedback = async_twin(feedback)
    acredit = async_twin(credit)
    aredeem = async_twin(redeem)
    asettle = async_twin(settle)


def _shown(ticket: Mapping[str, Any]) -> dict[str, float]:
    kinds: dict[str, Any] = {"id": str, "query": str, "shown": Mapping, "hot": (list, tuple)}
    if not isinstance(ticket, Mapping) or any(not isinstance(ticket.get(key), kind) for key, kind in kinds.items()):
        raise InvalidInput("ticket is none; give what Recall.ticket() returned, as it was or from JSON")
    if not all(isinstance(memory_id, str) for memory_id in ticket["hot"]):
        raise InvalidInput("ticket is none: `hot` must list ids; give what Recall.ticket() returned")
    shown = ticket["shown"].items()
    return {checks.identifier("ticket", memory_id): checks.fraction("ticket", prior) for memory_id, prior in shown}
