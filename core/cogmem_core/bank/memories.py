"""The part of a bank that shows its memories and lets a person change single ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cogmem_core import checks, lifecycle
from cogmem_core.async_twin import async_twin
from cogmem_core.encoding.sanitize import screen, scrub
from cogmem_core.errors import NotFound
from cogmem_core.models import STATES, TIERS, Memory, Relation
from cogmem_core.results import History, LifeStory, Page
from cogmem_core.services import Services
from cogmem_core.storage.ledger.reader import Filter

if TYPE_CHECKING:
    from cogmem_core.engine import Engine

__all__ = ["Memories"]


class Memories:
    """Mixed into `MemoryBank`."""

    namespace: str
    _engine: Engine

    def _services(self) -> Services:
        self._engine.check_open()
        return self._engine.services

    def get(self, memory_id: str) -> Memory:
        """The memory of that id, in whatever state.

        Raises:
            NotFound: this namespace has none.
            InvalidInput: the id is unusable.
        """
        with self._services().ledger.reading() as reader:
            memory = reader.memories(self.namespace, [checks.identifier("memory_id", memory_id)]).get(memory_id)
        if memory is None:
            shown = scrub(memory_id, self._services().config.encoding)
            raise NotFound(f"no memory {shown!r} in namespace {self.namespace!r}; bank.list() shows the ids")
        return memory

    def list(
        self,
        *,
        state: str | None = None,
        category: str | None = None,
        tier: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page:
        """Memories, oldest first; `Page.cursor` leads to the next `limit`. `state`: None = active, "any" = all.

        Raises:
            InvalidInput: an argument is unusable.
            StoreError: a row cannot be read.
        """
        wanted = _filter(state, category, tier)
        size = checks.positive("limit", limit)
        after = None if cursor is None else checks.identifier("cursor", cursor)
        with self._services().ledger.reading() as reader:
            found = reader.page(self.namespace, wanted, limit=size + 1, after=after)
        more = len(found) > size
        return Page(tuple(found[:size]), found[size - 1].id if more else None)

    def count(self, *, state: str | None = None, category: str | None = None, tier: str | None = None) -> int:
        """How many memories; arguments as in `list`.

        Raises:
            InvalidInput: an argument is unusable.
            StoreError: the disk failed.
        """
        with self._services().ledger.reading() as reader:
            return reader.count(self.namespace, _filter(state, category, tier))

    def edit(self, memory_id: str, content: str) -> Memory:
        """Give a memory another text; the former one stays in its history.

        Raises:
            NotFound, Protected (immutable), InvalidInput, EmbedderUnavailable: nothing was changed.
        """
        services = self._services()
        text = checks.text("content", content, services.config.limits.content_bytes)
        text, _ = screen("content", text, services.config.encoding)
        with services.log_operation("edit", namespace=self.namespace, id=memory_id):
            memory = lifecycle.edit(services, self.get(memory_id), text)
        self._engine.changed()
        return memory

    def pin(self, memory_id: str) -> Memory:
        """Protect a memory from all forgetting.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: the disk failed.
        """
        return lifecycle.set_pinned(self._services(), self.get(memory_id), pinned=True)

    def unpin(self, memory_id: str) -> Memory:
        """Let a memory fade again.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: the disk failed.
        """
        return lifecycle.set_pinned(self._services(), self.get(memory_id), pinned=False)

    def restore(self, memory_id: str) -> Memory:
        """Bring a forgotten, dormant or superseded memory back; an active one stays as it is.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: the disk failed.
        """
        with self._services().log_operation("restore", namespace=self.namespace, id=memory_id):
            memory = lifecycle.restore(self._services(), self.get(memory_id))
        self._engine.changed()
        return memory

    def history(self, memory_id: str) -> History:
        """Former texts and every change, oldest first.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: a row cannot be read.
        """
        return lifecycle.history(self._services(), self.get(memory_id))

    def relations(self, memory_id: str) -> tuple[Relation, ...]:
        """Relations from and to a memory.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: a row cannot be read.
        """
        return lifecycle.relations(self._services(), self.get(memory_id))

    def explain(self, memory_id: str) -> LifeStory:
        """A memory's life in sentences: where it comes from, what happened to it, how it stands today.

        Raises:
            NotFound: there is no such memory.
            InvalidInput: the id is unusable.
            StoreError: a row cannot be read.
        """
        return lifecycle.explain(self._services(), self.get(memory_id))

    # noqa: A003 - the method above
    aget = async_twin(get)
    alist = async_twin(list)
    acount = async_twin(count)
    aedit = async_twin(edit)
    apin = async_twin(pin)
    aunpin = async_twin(unpin)
    arestore = async_twin(restore)
    ahistory = async_twin(history)
    arelations = async_twin(relations)
    aexplain = async_twin(explain)


def _filter(state: str | None, category: str | None, tier: str | None) -> Filter:
    chosen = "active" if state is None else checks.choice("state", state, (*STATES, "any"))
    return Filter(
        states=None if chosen == "any" else (chosen,),
        categories=None if category is None else (checks.category(category),),
        tier=None if tier is None else checks.choice("tier", tier, TIERS),
    )
