"""A bank's documents as a LangChain vector store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore, VectorStoreRetriever

from cogmem_core.adapters.options import as_query
from cogmem_core.edge import checks
from cogmem_core.errors import InvalidInput
from cogmem_core.results import Item, ItemWrite
from cogmem_core.values import where
from langchain_cogmem.bank_embeddings import embeddings_of
from langchain_cogmem.convert import ONE_TEXT, NamespaceSource
from langchain_cogmem.filters import filters_of
from langchain_cogmem.run_info import RunInfo, noted, run_banks

if TYPE_CHECKING:
    from cogmem_core import Engine, MemoryBank
    from cogmem_core.engine.items import Items

__all__ = ["CogMemVectorStore", "Filter"]

Filter = Mapping[str, Any] | Callable[[Document], bool] | None
"""Conditions on metadata, see `langchain_cogmem.filters`, or a function that says of a document whether it counts."""
_ROOT = "langchain_vectors"
_ID = "id"  # for filters that are functions
_CONTENT = "page_content"
_METADATA = "metadata"
_ALL = 2**31 - 1


class CogMemVectorStore(VectorStore):
    """Documents in a cogmem bank, found by meaning; every similarity is computed exactly.

    A document is kept as it is, until it is deleted: no gate judges it, nothing that is said
    contradicts it, no dream cycle touches it. Its text is a memory of the bank, too, so that
    `bank.recall` finds it beside what was remembered; give documents a namespace of their own where
    that is not wanted. The bank's setting `encoding.secrets` holds for contents, metadata and ids:
    by default secrets are redacted. Metadata are JSON and come back as they were.

    Scores are cosines (-1..1, higher is better), relevance scores the same from 0 on.

    Args:
        bank: where the documents are kept. Or `engine` and `namespace`.
        engine: the engine, with `namespace`.
        namespace: of the bank; also a template ("{user_id}") or a function, sync or async, of the
            `config`, `context` or `metadata` of the run in which the store is used.
        embedding: makes the vectors that are compared; None = the bank's embedder does. Texts are
            embedded by the bank's embedder in either case, for `bank.recall`.
        collection: documents of one collection are not seen from another one.

    Raises:
        InvalidInput: neither a bank nor engine and namespace, or both; embedding is none;
            collection is no name.

    Example:
        >>> import cogmem_core
        >>> from langchain_cogmem import CogMemVectorStore
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     store = CogMemVectorStore(engine.bank("handbook"))
        ...     _ = store.add_texts(["Soup needs mint", "Strings need rosin"], [{"page": 1}, {"page": 2}])
        ...     print(store.similarity_search("mint soup", k=1, filter={"page": {"$lt": 5}})[0].page_content)
        Soup needs mint
    """

    def __init__(
        self,
        bank: MemoryBank | None = None,
        *,
        engine: Engine | None = None,
        namespace: NamespaceSource = None,
        embedding: Embeddings | None = None,
        collection: str = "documents",
    ) -> None:
        self._resolve_bank = run_banks(bank, engine, namespace, "use the store")
        if embedding is not None and not isinstance(embedding, Embeddings):
            raise InvalidInput(
                f"embedding is a {type(embedding).__name__}; give LangChain embeddings, or None = "
                "the bank's embedder"
            )
        if not isinstance(collection, str) or not collection.strip():
            raise InvalidInput(
                f"collection is {checks.display(collection)}; give a name such as 'documents'"
            )
        self.embedding = embedding
        self.collection = collection
        self._path = (_ROOT, collection)

    @property
    def bank(self) -> MemoryBank:
        """Where the documents are kept: always, or in the run that is going on."""
        return self._resolve_bank(run=RunInfo())

    @property
    def _items(self) -> Items:
        return self.bank.items()

    def as_retriever(self, **kwargs: Any) -> VectorStoreRetriever:
        """LangChain's retriever; what it is called with tells whose documents are meant."""
        return _Retriever(**dict(super().as_retriever(**kwargs)))

    @property
    def embeddings(self) -> Embeddings:
        """What makes the vectors that are compared."""
        if self.embedding is not None:
            return self.embedding
        return embeddings_of(self._resolve_bank.engine)

    def add_documents(
        self, documents: list[Document], *, ids: list[str] | None = None, **kwargs: Any
    ) -> list[str]:
        """Write documents: all of them or none; one whose id is there already is replaced.

        Args:
            documents: the documents.
            ids: one for each; None = the documents' own, and new ones for those without.
            **kwargs: `batch_size` is taken and ignored: a call is one transaction.

        Returns:
            The ids, in the order of the documents.

        Raises:
            InvalidInput: a document or an id is unusable, or there are more or fewer ids.
            EmbedderUnavailable: a text has no vector. Nothing was written.
        """
        kwargs.pop("batch_size", None)
        _refuse(kwargs, "add_documents", "ids")
        _one_each("ids", ids, documents, "documents")
        keys_or_none = ids if ids is not None else [document.id for document in documents]
        keys = [str(uuid4()) if key is None else key for key in keys_or_none]
        texts = [document.page_content for document in documents]
        vectors: Sequence[Sequence[float] | None] = [None] * len(texts)
        if self.embedding is not None and texts:
            vectors = self.embedding.embed_documents(texts)
        writes: list[ItemWrite] = []
        for key, document, vector in zip(keys, documents, vectors, strict=True):
            value = {_ID: key, _CONTENT: document.page_content, _METADATA: document.metadata}
            content = (document.page_content,) if document.page_content.strip() else ()
            writes.append(ItemWrite(self._path, key, value, content, vector=vector))
        self._items.write(writes)
        return keys

    def add_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        **kwargs: Any,
    ) -> list[str]:
        """Write texts, as `add_documents` writes documents.

        Args:
            texts: the texts.
            metadatas: one for each; None = none.
            ids: one for each; None = new ones.
            **kwargs: as for `add_documents`.

        Raises:
            InvalidInput: as `add_documents`; there are more or fewer metadatas.
        """
        listed = list(texts)
        _one_each("ids", ids, listed, "texts")
        _one_each("metadatas", metadatas or None, listed, "texts")
        return super().add_texts(listed, metadatas, ids=ids, **kwargs)

    def delete(self, ids: list[str] | None = None, **kwargs: Any) -> bool:
        """Delete documents; ids that are not there are passed over.

        Args:
            ids: whose; None = all of the collection.
            **kwargs: none.

        Raises:
            InvalidInput: an id is unusable.
        """
        _refuse(kwargs, "delete", "ids")
        if ids is None:
            ids = [item.key for item in self._items.search(self._path, limit=_ALL)]
        self._items.write([ItemWrite(self._path, key, None) for key in ids])
        return True

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """The documents with these ids, in their order; those that are not there are left out.

        Raises:
            InvalidInput: an id is unusable.
        """
        items = [self._items.get(self._path, key) for key in ids]
        return [_document(item) for item in items if item is not None]

    def similarity_search(
        self,
        query: str,
        k: int = 4,
        filter: Filter = None,  # noqa: A002
        **kwargs: Any,
    ) -> list[Document]:
        """The k documents that are most similar, best first.

        Args:
            query: a text; a blank one finds nothing.
            k: how many, from 0.
            filter: which documents count: conditions on metadata, or a function of the document. It
                holds before anything is compared.
            **kwargs: none.

        Raises:
            InvalidInput: an argument is unusable.
            EmbedderUnavailable: the query has no vector.
        """
        return [document for document, _ in self._ranked(query, k, filter, kwargs)]

    def similarity_search_with_score(
        self,
        query: str,
        k: int = 4,
        filter: Filter = None,  # noqa: A002
        **kwargs: Any,
    ) -> list[tuple[Document, float]]:
        """As `similarity_search`, with the cosine of each document, -1..1: higher is better."""
        return self._ranked(query, k, filter, kwargs)

    def similarity_search_by_vector(
        self,
        embedding: list[float],
        k: int = 4,
        filter: Filter = None,  # noqa: A002
        **kwargs: Any,
    ) -> list[Document]:
        """As `similarity_search`, for a vector of `store.embeddings`."""
        return [document for document, _ in self._ranked(None, k, filter, kwargs, embedding)]

    def similarity_search_with_score_by_vector(
        self,
        embedding: list[float],
        k: int = 4,
        filter: Filter = None,  # noqa: A002
    ) -> list[tuple[Document, float]]:
        """As `similarity_search_with_score`, for a vector of `store.embeddings`."""
        return self._ranked(None, k, filter, {}, embedding)

    def max_marginal_relevance_search(
        self,
        query: str,
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        filter: Filter = None,  # noqa: A002
        **kwargs: Any,
    ) -> list[Document]:
        """Of the `fetch_k` most similar documents the k that are similar and do not repeat each other.

        Args:
            query: a text; a blank one finds nothing.
            k: how many, from 0.
            fetch_k: how many are chosen from, from 1.
            lambda_mult: 1 = by similarity alone, 0 = by difference alone.
            filter: as for `similarity_search`.
            **kwargs: none.

        Raises:
            InvalidInput: an argument is unusable.
            EmbedderUnavailable: the query has no vector.
        """
        chosen = {**kwargs, "mmr_lambda": lambda_mult, "fetch": fetch_k}
        return [document for document, _ in self._ranked(query, k, filter, chosen)]

    def max_marginal_relevance_search_by_vector(
        self,
        embedding: list[float],
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        filter: Filter = None,  # noqa: A002
        **kwargs: Any,
    ) -> list[Document]:
        """As `max_marginal_relevance_search`, for a vector of `store.embeddings`."""
        chosen = {**kwargs, "mmr_lambda": lambda_mult, "fetch": fetch_k}
        return [document for document, _ in self._ranked(None, k, filter, chosen, embedding)]

    @classmethod
    def from_texts(
        cls,
        texts: list[str],
        embedding: Embeddings | None = None,
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        **kwargs: Any,
    ) -> CogMemVectorStore:
        """A store with these texts in it.

        Args:
            texts: the texts.
            embedding: as for the store; None = the bank's embedder.
            metadatas: of each text.
            ids: of each text.
            **kwargs: the store's own arguments; `bank` or `engine` and `namespace` are needed.

        Raises:
            InvalidInput: as the store and `add_documents`.
        """
        store = cls(embedding=embedding, **kwargs)
        store.add_texts(texts, metadatas, ids=ids)
        return store

    def _ranked(
        self,
        query: str | None,
        k: int,
        filter: Filter,  # noqa: A002
        more: Mapping[str, Any],
        vector: Sequence[float] | None = None,
    ) -> list[tuple[Document, float]]:
        """What can be compared, best first."""
        _refuse(more.keys() - {"mmr_lambda", "fetch"}, "a search", "k, filter")
        checks.whole("k", k)
        checks.positive("fetch_k", more.get("fetch", 1))
        checks.fraction("lambda_mult", more.get("mmr_lambda", 1.0))
        if vector is None:
            query = as_query(self.bank, query, fix=ONE_TEXT)
        if query is not None and not query.strip():
            return []
        if query is not None and self.embedding is not None:
            vector = self.embedding.embed_query(query)
        found = self._items.search(
            self._path,
            query=query,
            vector=vector,
            where=_wanted(filter),
            limit=k,
            **more,
        )
        return [(_document(item), item.score) for item in found if item.score is not None]

    def _select_relevance_score_fn(self) -> Callable[[float], float]:
        return _relevance

    def __repr__(self) -> str:
        return f"<CogMemVectorStore {self.collection!r} on {self._resolve_bank!r}>"


class _Retriever(VectorStoreRetriever):
    """Whose documents are meant, the configuration of its call may tell."""

    def invoke(self, *arguments: Any, **more: Any) -> list[Document]:
        with noted(_config_of(arguments, more)):
            return super().invoke(*arguments, **more)

    async def ainvoke(self, *arguments: Any, **more: Any) -> list[Document]:
        with noted(_config_of(arguments, more)):
            return await super().ainvoke(*arguments, **more)


def _one_each(name: str, given: Sequence[Any] | None, things: Sequence[Any], called: str) -> None:
    """Refuse what has more or fewer entries than there are things."""
    if given is not None and len(given) != len(things):
        raise InvalidInput(
            f"{name} has {len(given)} entries for {len(things)} {called}; give one for each"
        )


def _config_of(arguments: Sequence[Any], more: Mapping[str, Any]) -> Any:
    return arguments[1] if len(arguments) > 1 else more.get("config")


def _document(item: Item) -> Document:
    return _document_of(item.key, item.value)


def _document_of(key: str, value: Mapping[str, Any]) -> Document:
    return Document(id=key, page_content=value[_CONTENT], metadata=dict(value[_METADATA]))


def _wanted(filter: Filter) -> Callable[[Mapping[str, Any]], bool] | None:  # noqa: A002
    if callable(filter):
        return lambda value: bool(filter(_document_of(value[_ID], value)))
    conditions = filters_of(filter).get("where")
    if conditions is None:
        return None
    return lambda value: where.holds(conditions, value[_METADATA])


def _relevance(cosine: float) -> float:
    """A cosine as a relevance, 0..1; what points elsewhere is as little relevant as what has nothing in common."""
    return min(1.0, max(0.0, cosine))


def _refuse(unknown: Iterable[str], where_given: str, accepted: str) -> None:
    names = sorted(unknown)
    if names:
        raise InvalidInput(f"{where_given} does not know {', '.join(names)}; it takes {accepted}")
