"""A bank's documents as a LlamaIndex vector store."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.schema import BaseNode, ImageNode, IndexNode, MetadataMode
from llama_index.core.vector_stores.types import (
    BasePydanticVectorStore,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
    VectorStoreQueryResult,
)
from llama_index.core.vector_stores.utils import metadata_dict_to_node, node_to_metadata_dict
from pydantic import ConfigDict, Field, PrivateAttr, field_serializer

from cogmem_core.adapters.options import as_query
from cogmem_core.adapters.resolve_bank import (
    BankResolver,
    NamespaceSource,
    as_told,
    location_of,
    reopened_bank,
)
from cogmem_core.edge import checks
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.engine.items import Items
from cogmem_core.errors import InvalidInput
from cogmem_core.ports import Embedder
from cogmem_core.results import Item, ItemWrite
from cogmem_core.values import where
from llamaindex_cogmem.filters import filters_of
from llamaindex_cogmem.tracing import MISSING_TAG_HELP, current_tags

__all__ = ["BankEmbedding", "CogMemVectorStore"]

Wanted = Callable[[Mapping[str, Any]], bool]
_ROOT = "llamaindex_vectors"
_KEPT_BY_INDEX = (ImageNode.class_name(), IndexNode.class_name())
_SOURCE_NAMES = ("document_id", "doc_id", "ref_doc_id")
_ALL = 2**31 - 1
_MMR_THRESHOLD = 0.5  # as LlamaIndex's own stores
_MMR_FACTOR = 4
_MMR_OPTIONS = ("mmr_threshold", "mmr_prefetch_factor", "mmr_prefetch_k")
_BY_WORDS = (VectorStoreQueryMode.TEXT_SEARCH, VectorStoreQueryMode.SPARSE)
_MODES = (*_BY_WORDS, *map(VectorStoreQueryMode, ("default", "mmr", "hybrid")))


class BankEmbedding(BaseEmbedding):
    """The embedder of a bank, as LlamaIndex calls it: `store.embed_model`."""

    _embedder: Embedder = PrivateAttr()

    def __init__(self, embedder: Embedder) -> None:
        super().__init__(model_name=embedder.fingerprint)
        self._embedder = embedder

    @classmethod
    def class_name(cls) -> str:
        """The name under which it is serialised."""
        return "BankEmbedding"

    def _get_query_embedding(self, query: str) -> list[float]:
        return list(map(float, self._embedder.embed_query(query)))

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return await asyncio.to_thread(self._get_query_embedding, query)

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return [list(map(float, row)) for row in self._embedder.embed_documents(texts)]

    async def _aget_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return await asyncio.to_thread(self._get_text_embeddings, texts)


class CogMemVectorStore(BasePydanticVectorStore):
    """Nodes in a cogmem bank, found by meaning and by words; every similarity is computed exactly.

    A node is kept as it is (text, metadata, relationships), until it is deleted: no gate judges it,
    nothing that is said contradicts it, no dream cycle touches it. Its text is a memory of the
    bank, too, so that `bank.recall` finds it beside what was remembered; give documents a namespace
    of their own where that is not wanted. The bank's setting `encoding.secrets` holds for texts,
    metadata and ids: by default secrets are redacted.

    Nodes that come with an embedding, as those of a `VectorStoreIndex`, are compared by it; others
    by the bank's embedder, with the words of the query. `store.embed_model` is the bank's embedder
    for LlamaIndex, so that an index needs no other model. There are the modes default, mmr (with
    `mmr_threshold`, `mmr_prefetch_factor` or `mmr_prefetch_k`), hybrid (with `alpha`: 0 = words
    alone, 1 = meaning alone), text_search and sparse (words alone).

    Args:
        bank: where the nodes are kept. Or `engine` and `namespace`.
        engine: the engine, with `namespace`.
        namespace: of the bank; also a template ("{user_id}") or a function, sync or async, of the
            tags of the run in which the store is used (`instrument_tags`).
        collection: nodes of one collection are not seen from another one.
        bank_at: where a store that was serialised finds its bank again; `to_dict` writes it.
        stores_text: LlamaIndex writes it beside the fields, like the rest.
        is_embedding_query: likewise.
        class_name: likewise.

    Raises:
        InvalidInput: neither a bank nor an engine with a namespace, or both; collection is no name;
            later, after it was deserialised: the bank cannot be found again.

    Example:
        >>> import cogmem_core
        >>> from llama_index.core import Document, VectorStoreIndex
        >>> from llamaindex_cogmem import CogMemVectorStore
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     store = CogMemVectorStore(engine.bank("handbook"))
        ...     index = VectorStoreIndex.from_vector_store(store, embed_model=store.embed_model)
        ...     index.insert(Document(text="Soup needs mint"))
        ...     print(index.as_retriever(similarity_top_k=1).retrieve("mint soup")[0].text)
        Soup needs mint
    """

    stores_text: bool = True
    is_embedding_query: bool = True
    bank: MemoryBank | None = Field(default=None, exclude=True, repr=False)
    bank_at: dict[str, Any] | None = Field(
        default=None, repr=False, description="Where the bank is found again."
    )
    collection: str = "documents"

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")
    _resolver: BankResolver | None = PrivateAttr(default=None)
    _source: dict[str, Any] = PrivateAttr(default_factory=dict)

    def __init__(
        self,
        bank: MemoryBank | None = None,
        *,
        engine: Engine | None = None,
        namespace: NamespaceSource = None,
        collection: str = "documents",
        bank_at: dict[str, Any] | None = None,
        stores_text: bool = True,
        is_embedding_query: bool = True,
        class_name: str | None = None,  # noqa: ARG002 - LlamaIndex writes it beside the fields
    ) -> None:
        resolver = None
        if bank is not None or engine is not None or bank_at is None:
            resolver = BankResolver(bank, engine, namespace, MISSING_TAG_HELP)
            bank = resolver.fixed
        if not isinstance(collection, str) or not collection.strip():
            raise InvalidInput(
                f"collection is {checks.display(collection)}; give a name such as 'documents'"
            )
        given: dict[str, Any] = {"bank": bank, "bank_at": bank_at, "collection": collection}
        super().__init__(stores_text=stores_text, is_embedding_query=is_embedding_query, **given)
        if resolver is not None and bank is None:
            self._resolver, self._source = resolver, {"engine": engine, "namespace": namespace}

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        yield None, self._resolver or self.bank
        yield from super().__repr_args__()

    @classmethod
    def class_name(cls) -> str:
        """The name under which it is serialised."""
        return "CogMemVectorStore"

    @property
    def client(self) -> MemoryBank:
        """The bank: always the same, or that of the run that is going on."""
        if self._resolver is not None:
            return self._resolver(current_tags())
        if self.bank is None:
            self.bank = reopened_bank(self.bank_at or {})
        return as_told(self.bank, [current_tags()])

    @property
    def embed_model(self) -> BankEmbedding:
        """The bank's embedder, for an index or a memory block on this store."""
        return BankEmbedding((self._resolver or self.client).engine.services.embedder)

    def add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:  # noqa: ARG002 - an index hands its own on
        """Write nodes: all of them or none; one whose id is there already is replaced.

        Args:
            nodes: the nodes.
            **kwargs: taken and ignored.

        Returns:
            Their ids, in their order.

        Raises:
            InvalidInput: a node is unusable.
            EmbedderUnavailable: a text has no vector. Nothing was written.
        """
        self._items().write([self._write_of(node) for node in nodes])
        return [node.node_id for node in nodes]

    def delete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:  # noqa: ARG002
        """Delete the nodes of a document.

        Args:
            ref_doc_id: the id of the document; of a node without a source, its own.
            **delete_kwargs: taken and ignored.
        """

        def belongs(value: Mapping[str, Any]) -> bool:
            return _document_id(value) == ref_doc_id

        self._delete(belongs)

    def delete_nodes(
        self,
        node_ids: list[str] | None = None,
        filters: MetadataFilters | None = None,
        **delete_kwargs: Any,  # noqa: ARG002
    ) -> None:
        """Delete nodes by their ids, by filters, or by both; ids that are not there are passed over.

        Args:
            node_ids: whose; None = any.
            filters: conditions on their metadata; None = any.
            **delete_kwargs: taken and ignored.

        Raises:
            InvalidInput: neither is given, or one is unusable.
        """
        conditions = _wanted(node_ids, None, filters)
        if conditions is None:
            raise InvalidInput(
                "node_ids and filters are missing; give one of them, or delete all with clear()"
            )
        self._delete(conditions)

    def get_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None
    ) -> list[BaseNode]:
        """Nodes by their ids, by filters, or by both; all of them without either.

        Args:
            node_ids: whose, in this order; None = any, those written first come first.
            filters: conditions on their metadata; None = any.

        Raises:
            InvalidInput: an argument is unusable.
        """
        items = self._items().search(
            self._path(), where=_wanted(node_ids, None, filters), limit=_ALL
        )
        nodes = {item.key: _node(item) for item in reversed(items)}
        if node_ids is None:
            return list(nodes.values())
        return [nodes[key] for key in dict.fromkeys(node_ids) if key in nodes]

    def clear(self) -> None:
        """Delete all nodes of the collection."""
        self._delete(None)

    def query(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """The nodes that are most similar, best first, with their similarities (cosines, -1..1).

        Filters, `node_ids` and `doc_ids` hold before anything is compared. `node_ids` that begin
        with an image or index node choose nothing: an index keeps such nodes itself, and names them
        in every query. Similarities of the modes with words are 0..1.

        Args:
            query: the query.
            **kwargs: `mmr_threshold`, `mmr_prefetch_factor` or `mmr_prefetch_k` of the mode mmr.

        Raises:
            InvalidInput: there is no such mode; neither query_str nor query_embedding is given; an
                argument is unusable.
            EmbedderUnavailable: the query has no vector.
        """
        conditions = _wanted(self._chosen(query.node_ids), query.doc_ids or None, query.filters)
        arguments = _search_arguments(query, kwargs)
        if arguments["query"] is not None:
            arguments["query"] = as_query(self.client, arguments["query"])
        items = self._items().search(self._path(), where=conditions, **arguments)
        scored_items = [item for item in items if item.score is not None]
        return VectorStoreQueryResult(
            nodes=[_node(item) for item in scored_items],
            similarities=[item.score or 0.0 for item in scored_items],
            ids=[item.key for item in scored_items],
        )

    async def async_add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """Async twin of `add`."""
        return await asyncio.to_thread(self.add, nodes, **kwargs)

    async def adelete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:
        """Async twin of `delete`."""
        await asyncio.to_thread(self.delete, ref_doc_id, **delete_kwargs)

    async def adelete_nodes(
        self,
        node_ids: list[str] | None = None,
        filters: MetadataFilters | None = None,
        **delete_kwargs: Any,
    ) -> None:
        """Async twin of `delete_nodes`."""
        await asyncio.to_thread(self.delete_nodes, node_ids, filters, **delete_kwargs)

    async def aget_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None
    ) -> list[BaseNode]:
        """Async twin of `get_nodes`."""
        return await asyncio.to_thread(self.get_nodes, node_ids, filters)

    async def aclear(self) -> None:
        """Async twin of `clear`."""
        await asyncio.to_thread(self.clear)

    async def aquery(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """Async twin of `query`."""
        return await asyncio.to_thread(self.query, query, **kwargs)

    def _items(self) -> Items:
        return self.client.items()

    def _path(self) -> tuple[str, ...]:
        return (_ROOT, self.collection)

    def _chosen(self, node_ids: Sequence[str] | None) -> Sequence[str] | None:
        """The nodes among which a query chooses; None = all."""
        if not node_ids:
            return None  # an index gives an empty list
        first = self._items().get(self._path(), node_ids[0])
        return None if first is not None and first.value["type"] in _KEPT_BY_INDEX else node_ids

    def _write_of(self, node: BaseNode) -> ItemWrite:
        text = node.get_content(metadata_mode=MetadataMode.NONE)
        described = node_to_metadata_dict(node, remove_text=True)
        content = json.loads(described["_node_content"])
        value = {
            "id": node.node_id,
            "ref_doc_id": node.ref_doc_id,
            "type": described["_node_type"],
            "text": text,
            "metadata": content.pop("metadata"),
            # Not as the text that it was: what is redacted in it must leave JSON.
            "node": content,
        }
        texts = (text,) if text.strip() else ()
        return ItemWrite(self._path(), node.node_id, value, texts, vector=node.embedding)

    def _delete(self, conditions: Wanted | None) -> None:
        items = self._items()
        stored_items = items.search(self._path(), where=conditions, limit=_ALL)
        items.write([ItemWrite(item.path, item.key, None) for item in stored_items])

    @field_serializer("bank_at")
    def _bank_location(self, value: dict[str, Any] | None) -> dict[str, Any] | None:
        if self.bank is None:
            return value
        return location_of(self.bank)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), {**self.model_dump(), **self._source})


def _rebuild(cls: type[CogMemVectorStore], fields: dict[str, Any]) -> CogMemVectorStore:
    return cls(**fields)


def _node(item: Item) -> BaseNode:
    value = item.value
    content = {**value["node"], "metadata": value["metadata"]}
    described = {"_node_content": json.dumps(content), "_node_type": value["type"]}
    return metadata_dict_to_node(described, text=value["text"] or None)


def _filtered(value: Mapping[str, Any]) -> dict[str, Any]:
    """What filters see: the metadata, and the ids that LlamaIndex's stores put beside them."""
    source = value["ref_doc_id"] or "None"
    return {**dict.fromkeys(_SOURCE_NAMES, source), **value["metadata"]}


def _document_id(value: Mapping[str, Any]) -> str:
    """Of the document that a node was made of; one without a source is a document of its own."""
    return str(value["ref_doc_id"] or value["id"])


def _wanted(
    node_ids: Sequence[str] | None,
    doc_ids: Sequence[str] | None,
    filters: MetadataFilters | None,
) -> Wanted | None:
    """Whether a node counts; None = every node does."""
    conditions = filters_of(filters).get("where")
    if node_ids is None and doc_ids is None and conditions is None:
        return None
    nodes = None if node_ids is None else frozenset(node_ids)
    documents = None if doc_ids is None else frozenset(doc_ids)

    def wanted(value: Mapping[str, Any]) -> bool:
        if nodes is not None and value["id"] not in nodes:
            return False
        if documents is not None and _document_id(value) not in documents:
            return False
        return conditions is None or where.holds(conditions, _filtered(value))

    return wanted


def _search_arguments(query: VectorStoreQuery, options: Mapping[str, Any]) -> dict[str, Any]:
    """The query as arguments of `Items.search`."""
    known_modes = {known.value: known for known in _MODES}
    mode = known_modes.get(getattr(query.mode, "value", query.mode))
    if mode is None:
        raise InvalidInput(
            f"mode is {checks.display(getattr(query.mode, 'value', query.mode))}; CogMemVectorStore knows "
            f"{', '.join(known_modes)}"
        )
    unknown = options.keys() - (_MMR_OPTIONS if mode == VectorStoreQueryMode.MMR else ())
    if unknown:
        raise InvalidInput(
            f"the mode {mode.value!r} takes no {', '.join(sorted(unknown))}; mmr takes "
            f"{', '.join(_MMR_OPTIONS)}"
        )
    text = query.query_str if query.query_str and query.query_str.strip() else None
    by_words = mode in _BY_WORDS or mode == VectorStoreQueryMode.HYBRID
    if text is None and (by_words or query.query_embedding is None):
        needed = "query_str" if by_words else "query_str or query_embedding"
        raise InvalidInput(f"the query has no words; give {needed}")
    arguments: dict[str, Any] = {
        "query": text,
        "vector": query.query_embedding,
        "limit": checks.whole("similarity_top_k", query.similarity_top_k),
    }
    if mode in _BY_WORDS:
        arguments |= {"words": 1.0, "vector": None}
    elif mode == VectorStoreQueryMode.HYBRID:
        alpha = 0.5 if query.alpha is None else query.alpha
        arguments["words"] = 1.0 - alpha
        if query.hybrid_top_k:
            arguments["limit"] = checks.whole("hybrid_top_k", query.hybrid_top_k)
    elif mode == VectorStoreQueryMode.MMR:
        arguments |= _diversity(query, options)
    return arguments


def _diversity(query: VectorStoreQuery, options: Mapping[str, Any]) -> dict[str, Any]:
    threshold = options.get("mmr_threshold", query.mmr_threshold)
    factor = options.get("mmr_prefetch_factor", _MMR_FACTOR)
    fetch = options.get("mmr_prefetch_k") or int(query.similarity_top_k * factor)
    return {
        "mmr_lambda": _MMR_THRESHOLD if threshold is None else threshold,
        "fetch": max(1, fetch),
    }
