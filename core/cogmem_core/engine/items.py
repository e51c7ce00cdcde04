"""The documents of one namespace: what an application keeps by path and key, beside what was remembered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cogmem_core import checks, documents
from cogmem_core.async_twin import async_twin
from cogmem_core.documents import DocumentQuery, Where
from cogmem_core.errors import InvalidInput, StoreError
from cogmem_core.results import Item, ItemWrite
from cogmem_core.services import Services

if TYPE_CHECKING:
    from cogmem_core.engine.engine import Engine

__all__ = ["Items"]


class Items:
    """Documents (JSON objects) by path and key; thread-safe; made by `MemoryBank.items`.

    A document is kept until it is deleted. Its texts become memories of category `item`, written
    with it in one transaction: `search` compares them with a query, and `bank.recall` finds them,
    too, until they fade. Secrets in values, texts, paths and keys are treated as the setting
    `encoding.secrets` says; a path or key without its secret is still another one than any other,
    and who asks for it by the same words gets it. Hard forgetting of such a memory erases its
    document and every text it ever had; `bank.export` and `import_` carry documents.

    Every method has an async twin of the same name with an `a` in front.

    Example:
        >>> import cogmem_core
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     items = engine.bank("alice").items()
        ...     _ = items.put(("recipes",), "soup", {"text": "Lentil soup with mint"}, texts=["Lentil soup with mint"])
        ...     print(items.search(("recipes",), query="mint soup")[0].value)
        {'text': 'Lentil soup with mint'}
    """

    def __init__(self, engine: Engine, namespace: str) -> None:
        self._engine = engine
        self.namespace = namespace

    def get(self, path: Sequence[str], key: str) -> Item | None:
        """The document of that path and key, or None.

        Raises:
            InvalidInput: path or key is unusable.
        """
        services = self._services()
        return documents.get(services, self.namespace, path, key)

    def put(
        self, path: Sequence[str], key: str, value: Mapping[str, Any], *, texts: Iterable[str] = ()
    ) -> Item:
        """Write a document; one that is there already is replaced as a whole, and its former texts leave recall.

        Args:
            path: the labels of its folder, the outermost first.
            key: its name there.
            value: a JSON object of at most `limits.content_bytes`.
            texts: what `search` and `bank.recall` find it by; none = only path, key and filters
                lead to it.

        Raises:
            InvalidInput: an argument is unusable.
            EmbedderUnavailable: no vector could be had. Nothing was stored.
        """
        if value is None:
            raise InvalidInput(
                "value is None; give a dict, or delete the document with delete(path, key)"
            )
        (item,) = self.write(
            [ItemWrite(checks.folder("path", path), key, value, checks.listed("texts", texts))]
        )
        if item is None:  # unreachable: there is a value
            raise StoreError(f"the document {key!r} was not written; try again")
        return item

    def delete(self, path: Sequence[str], key: str) -> None:
        """Delete a document, if there is one; its texts leave recall.

        Raises:
            InvalidInput: path or key is unusable.
            StoreError: the disk failed. Nothing was deleted.
        """
        self.write([ItemWrite(checks.folder("path", path), key, None)])

    def write(self, writes: Sequence[ItemWrite]) -> tuple[Item | None, ...]:
        """Put and delete several documents: all of it or nothing, with one call of the embedder.

        Returns:
            For each write the document as it is now; None if it was deleted. Of several writes of
            one document the last one counts.

        Raises:
            InvalidInput: a write is unusable.
            EmbedderUnavailable: no vector could be had. Nothing was written.
        """
        services = self._services()
        given = checks.listed("writes", writes, "cogmem_core.results.ItemWrite")
        record = services.log_operation("write_items", namespace=self.namespace, items=len(given))
        with record, self._engine.worker.foreground:
            done = documents.write(services, self.namespace, given)
        self._engine.changed()
        return tuple(done)

    def search(
        self,
        prefix: Sequence[str] = (),
        *,
        query: str | None = None,
        where: Where | None = None,
        limit: int = 10,
        offset: int = 0,
    ) -> tuple[Item, ...]:
        """Documents in a folder and below it.

        Args:
            prefix: the folder; () = everywhere. A label is compared whole: ("a",) does not hold
                ("ab",).
            query: the documents whose best text is most similar come first, those without a text
                last; every similarity is computed exactly. None = those written last come first.
            where: called with each value; only documents for which it is true count.
            limit, offset: which of them to return, 0 or more.

        Raises:
            InvalidInput: an argument is unusable.
            EmbedderUnavailable: the query has no vector.
        """
        services = self._services()
        given = {"prefix": prefix, "query": query, "where": where, "limit": limit, "offset": offset}
        search = DocumentQuery.checked(given, services.config)
        with services.log_operation(
            "search_items", namespace=self.namespace, input=search.query
        ) as note:
            with self._engine.worker.foreground:
                matches = documents.search(services, self.namespace, search)
            note["result_count"] = len(matches)
        return tuple(matches)

    def paths(self) -> tuple[tuple[str, ...], ...]:
        """The paths of all documents, each once, sorted.

        Raises:
            StoreError: the disk failed.
        """
        return tuple(documents.paths(self._services(), self.namespace))

    aget = async_twin(get)
    aput = async_twin(put)
    adelete = async_twin(delete)
    awrite = async_twin(write)
    asearch = async_twin(search)
    apaths = async_twin(paths)

    def _services(self) -> Services:
        self._engine.check_open()
        return self._engine.services

    def __repr__(self) -> str:
        return f"<cogmem_core.Items of {self.namespace!r} of {self._engine!r}>"
