"""The documents of one namespace: what an application keeps by path and key, beside what was remembered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from cogmem_core import documents
from cogmem_core.access import OPERATOR
from cogmem_core.base.async_twin import async_twin
from cogmem_core.documents import DocumentQuery, Where
from cogmem_core.edge import checks
from cogmem_core.engine.rights import needs, words_wait
from cogmem_core.errors import InvalidInput
from cogmem_core.process.services import Services
from cogmem_core.values.results import Item, ItemWrite

if TYPE_CHECKING:
    from cogmem_core.engine.bank import MemoryBank


class Items:
    """Documents (JSON objects) by path and key; thread-safe; made by `MemoryBank.items`.

    A document is kept until it is deleted, or until its `ttl` is over. Its texts become memories of
    category `item`, written with it in one transaction: `search` compares them with a query, and
    `bank.recall` finds them, too, until they fade. Secrets in values, texts, paths and keys are treated as the setting
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

    def __init__(self, bank: MemoryBank) -> None:
        self._bank = bank
        self._engine = bank.engine
        self.namespace = bank.namespace
        self.principal = bank.principal
        self.keeps = bank.keeps

    @needs("read")
    def get(self, path: Sequence[str], key: str, *, refresh: bool = False) -> Item | None:
        """The document of that path and key, or None.

        Args:
            path: the labels of its folder, the outermost first.
            key: its name there.
            refresh: True = one with a `ttl` lives as long again as when it was written.

        Raises:
            InvalidInput: path or key is unusable.
        """
        services = self._services()
        item = documents.get(services, self.namespace, path, key)
        if item is None or not checks.flag("refresh", refresh):
            return item
        return documents.refresh(services, self.namespace, [item])[0]

    @needs("write")
    def put(
        self,
        path: Sequence[str],
        key: str,
        value: Mapping[str, Any],
        *,
        texts: Iterable[str] = (),
        ttl: float | None = None,
        vector: Sequence[float] | None = None,
    ) -> Item:
        """Write a document; one that is there already is replaced as a whole, and its former texts leave recall.

        Args:
            path: the labels of its folder, the outermost first.
            key: its name there.
            value: a JSON object of at most `limits.content_bytes`.
            texts: what `search` and `bank.recall` find it by; none = only path, key and filters
                lead to it.
            ttl: seconds that it lives after it was last written, or read with `refresh`, up to a
                century; None = until it is deleted.
            vector: finite numbers, 1 to 65,536, made by a model of the caller's: what
                `search(vector=)` compares instead of the texts.

        Raises:
            InvalidInput: an argument is unusable.
            EmbedderUnavailable: no vector could be had. Nothing was stored.
        """
        if value is None:
            raise InvalidInput(
                "value is None; give a dict, or delete the document with delete(path, key)"
            )
        folder = checks.folder("path", path)
        (item,) = self.write(
            [ItemWrite(folder, key, value, checks.listed("texts", texts), ttl, vector)]
        )
        return cast("Item", item)  # there is a value

    @needs("write")
    def delete(self, path: Sequence[str], key: str) -> None:
        """Delete a document, if there is one; its texts leave recall.

        Raises:
            InvalidInput: path or key is unusable.
            StoreError: the disk failed. Nothing was deleted.
        """
        self.write([ItemWrite(checks.folder("path", path), key, None)])

    @needs("write")
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
        listed_writes = checks.listed("writes", writes, "cogmem_core.results.ItemWrite")
        record = services.log_operation(
            "write_items", namespace=self.namespace, items=len(listed_writes)
        )
        with record, self._engine.worker.foreground:
            author = self.principal if words_wait(self) else OPERATOR
            outcomes = documents.write(services, self.namespace, listed_writes, author=author)
        self._engine.changed()
        return tuple(outcomes)

    @needs("read")
    def search(
        self,
        prefix: Sequence[str] = (),
        *,
        query: str | None = None,
        vector: Sequence[float] | None = None,
        words: float = 0.0,
        where: Where | None = None,
        limit: int = 10,
        offset: int = 0,
        mmr_lambda: float | None = None,
        fetch: int = 20,
        refresh: bool = False,
    ) -> tuple[Item, ...]:
        """Documents in a folder and below it.

        Args:
            prefix: the folder; () = everywhere. A label is compared whole: ("a",) does not hold
                ("ab",).
            query: the documents whose best text is most similar come first, those without a text
                last; every similarity (a cosine, -1..1) is computed exactly. Without query and
                vector, those written last come first.
            vector: documents with a vector of their own of this length are compared by it. The
                others are compared by their texts: with the query, or with this vector itself if it
                is as long as those of the bank's embedder.
            words: how much the query's words (shared words and BM25, 0..1) count beside its
                meaning: 0 = not at all, 1 = nothing else does.
            where: called with each value; only documents for which it is true are compared.
            limit: how many to return, 0 or more.
            offset: how many to leave out before, 0 or more.
            mmr_lambda: choose, out of the `fetch` best, those that do not repeat each other: 1 = by
                similarity alone, 0 = by difference alone; None = do not choose.
            fetch: see `mmr_lambda`, 1 or more.
            refresh: True = those that are returned and have a `ttl` live as long again as when they
                were written.

        Raises:
            InvalidInput: an argument is unusable; or nothing can be compared with a vector of that
                length.
            EmbedderUnavailable: the query has no vector.
        """
        services = self._services()
        search_arguments = {
            "prefix": prefix,
            "query": query,
            "vector": vector,
            "words": words,
            "where": where,
            "limit": limit,
            "offset": offset,
            "mmr_lambda": mmr_lambda,
            "fetch": fetch,
        }
        search = DocumentQuery.checked(search_arguments, services.config)
        refreshed = checks.flag("refresh", refresh)
        with services.log_operation(
            "search_items", namespace=self.namespace, input=search.query
        ) as note:
            with self._engine.worker.foreground:
                matches = documents.search(services, self.namespace, search)
                if refreshed:
                    matches = documents.refresh(services, self.namespace, matches)
            note["result_count"] = len(matches)
        return tuple(matches)

    @needs("write")
    def drop_ended(self) -> int:
        """Delete the documents whose `ttl` is over; returns how many there were.

        Nothing finds them any more, nor their texts; their rows go with this, with the next write of
        a document, or when the engine's worker next looks (at least every half minute).

        Raises:
            StoreError: the disk failed. Nothing was deleted.
        """
        with self._engine.worker.foreground:
            count = documents.drop_ended(self._services(), self.namespace)
        if count:
            self._engine.changed()
        return count

    @needs("read")
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
    adrop_ended = async_twin(drop_ended)

    def _services(self) -> Services:
        return self._bank._services()

    def __repr__(self) -> str:
        return f"<cogmem_core.Items of {self.namespace!r} of {self._engine!r}>"
