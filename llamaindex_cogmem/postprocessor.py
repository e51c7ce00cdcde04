"""Any nodes, documents and memories alike, ordered by what is known of the memories among them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from llama_index.core.callbacks import CallbackManager
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle
from pydantic import ConfigDict, Field, PrivateAttr
from pydantic.json_schema import SkipJsonSchema

from cogmem_core.adapters.attribution import FeedbackListener
from cogmem_core.adapters.options import FILTER_NAMES, checked_arguments, checked_function
from cogmem_core.adapters.reranking import admitted, rerank
from cogmem_core.adapters.resolve_bank import BankResolver, NamespaceSource
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.base.timeouts import TimeLimitedCaller
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from llamaindex_cogmem.convert import (
    Filters,
    memories_by_recall,
    plain_filters,
    recall_arguments,
)
from llamaindex_cogmem.tracing import MISSING_TAG_HELP, current_tags

__all__ = ["CogMemPostprocessor"]

_SETTINGS = (
    "strength",
    "utility",
    "top_n",
    "filters",
    "categories",
    "deadline",
    "on_feedback",
    "raise_errors",
)


class CogMemPostprocessor(BaseNodePostprocessor):
    """Orders nodes by relevance and by the strength and usefulness of the memories among them.

    Nodes that are no memories keep their relevance. The formula is
    `cogmem_core.adapters.reranking.rerank`. For the nodes of a `CogMemRetriever` alone there is no
    need of it: they are in such an order already.

    Args:
        bank: the bank whose memories are used. Or `engine` and `namespace`: a string, a template or a
            function of tags, as for `CogMemRetriever`.
        engine: see `bank`.
        namespace: see `bank`.
        strength: what retention counts beside a relevance of 0..1, from 0; None = as configured.
        utility: what utility counts beside it, from 0; None = as configured.
        top_n: the maximum number of nodes, from 1; None = all.
        filters: which memories may stay, as for `CogMemRetriever`: conditions on their own metadata,
            `MetadataFilters`, or `where`, `speaker`, `since`, `until`, `tags`, `categories` and
            `only_session` of `MemoryBank.recall`. Nodes that are no memories stay.
        categories: only memories of one of these categories stay.
        deadline: seconds; then the nodes stay in the order in which they came.
        on_feedback: called with the judgements of each answer that was made of memories among the
            nodes, by the worker's thread; `CogMemInstrumentation` has to be installed.
        raise_errors: False = a failure is logged, and the order stays as it is; memories that could
            not be compared with the filters are left out. What the function given as
            `namespace` raises is always raised.
        callback_manager: LlamaIndex's.
        class_name: LlamaIndex writes it beside the fields.

    Raises:
        InvalidInput: neither a bank nor an engine with a namespace, or both; later: the tags of
            the run do not tell whose memories are meant.
        ValidationError: (pydantic's) an argument is unusable.

    Example:
        >>> import cogmem_core
        >>> from llama_index.core.schema import NodeWithScore, TextNode
        >>> from llamaindex_cogmem import CogMemPostprocessor, CogMemRetriever
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     alice = engine.bank("alice")
        ...     _ = alice.remember("I play the cello in an orchestra")
        ...     alice.feedback(alice.recall("the cello?"), "You play the cello in an orchestra.")[0].signal
        ...     nodes = CogMemRetriever(alice).retrieve("the cello?")
        ...     manual = NodeWithScore(node=TextNode(text="How to tune a cello"), score=nodes[0].score)
        ...     print([node.text for node in CogMemPostprocessor(alice, top_n=1).postprocess_nodes([manual, *nodes])])
        'used'
        ['I play the cello in an orchestra']
    """

    strength: float | None = Field(default=None, ge=0.0, allow_inf_nan=False)
    utility: float | None = Field(default=None, ge=0.0, allow_inf_nan=False)
    top_n: int | None = Field(default=None, ge=1)
    filters: Mapping[str, Any] | None = None
    categories: Sequence[str] | None = None
    deadline: float | None = None
    on_feedback: SkipJsonSchema[Callable[..., Any] | None] = Field(
        default=None, exclude=True, repr=False
    )
    raise_errors: bool = False

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")
    _source: tuple[MemoryBank | None, Engine | None, NamespaceSource] = PrivateAttr()
    _resolve_bank: BankResolver = PrivateAttr()
    _wanted: dict[str, Any] = PrivateAttr()
    _fail_open: LogAndContinue = PrivateAttr()

    def __init__(
        self,
        bank: MemoryBank | None = None,
        *,
        engine: Engine | None = None,
        namespace: NamespaceSource = None,
        strength: float | None = None,
        utility: float | None = None,
        top_n: int | None = None,
        filters: Filters = None,
        categories: Sequence[str] | None = None,
        deadline: float | None = None,
        on_feedback: FeedbackListener | None = None,
        raise_errors: bool = False,
        callback_manager: CallbackManager | None = None,
        class_name: str | None = None,  # noqa: ARG002 - LlamaIndex writes it beside the fields
    ) -> None:
        resolve_bank = BankResolver(bank, engine, namespace, MISSING_TAG_HELP)
        wanted = _filters_of(bank or engine, filters, categories)
        checked_arguments(bank or engine, {"deadline": deadline})
        fields: dict[str, Any] = {
            "strength": strength,
            "utility": utility,
            "top_n": top_n,
            "filters": plain_filters(filters),
            "categories": categories,
            "deadline": deadline,
            "on_feedback": checked_function("on_feedback", on_feedback),
            "raise_errors": raise_errors,
            "callback_manager": callback_manager or CallbackManager(),
        }
        super().__init__(**fields)
        self._source = (bank, engine, namespace)
        self._resolve_bank = resolve_bank
        self._wanted = wanted
        self._fail_open = LogAndContinue(raises=Exception if self.raise_errors else None)

    @classmethod
    def class_name(cls) -> str:
        """The name under which it is serialised."""
        return "CogMemPostprocessor"

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        yield None, self._resolve_bank
        yield from super().__repr_args__()

    def _postprocess_nodes(
        self,
        nodes: list[NodeWithScore],
        query_bundle: QueryBundle | None = None,  # noqa: ARG002 - the nodes' scores suffice
    ) -> list[NodeWithScore]:
        bank = self._resolve_bank(current_tags())
        return self._ordered(bank, nodes)

    async def _apostprocess_nodes(
        self,
        nodes: list[NodeWithScore],
        query_bundle: QueryBundle | None = None,  # noqa: ARG002 - the nodes' scores suffice
    ) -> list[NodeWithScore]:
        bank = await self._resolve_bank.awaited(current_tags())
        return await asyncio.to_thread(self._ordered, bank, nodes)

    def _ordered(self, bank: MemoryBank, nodes: list[NodeWithScore]) -> list[NodeWithScore]:
        # What cannot be compared with the filters may be what they keep away.
        ordered = [item for item in nodes if not (self._wanted and _memory_id(item))]
        with self._fail_open("re-ranking"):
            if self.deadline is None:
                ordered = self._scored(bank, nodes)
            else:
                ordered = TimeLimitedCaller().call(lambda: self._scored(bank, nodes), self.deadline)
        if self.on_feedback is not None:
            recall_ids = memories_by_recall(ordered)
            bank.engine.recall_registry.tell(bank.namespace, recall_ids, self.on_feedback)
        return ordered[: self.top_n]

    def _scored(self, bank: MemoryBank, nodes: list[NodeWithScore]) -> list[NodeWithScore]:
        if self._wanted:
            ids = {memory_id for memory_id in map(_memory_id, nodes) if memory_id}
            admitted_ids = admitted(bank, ids, self._wanted)
            nodes = [item for item in nodes if _memory_id(item) in (None, *admitted_ids)]
        candidates = [(_memory_id(item), item.score) for item in nodes]
        scores = rerank(bank, candidates, strength=self.strength, utility=self.utility)
        scored = [
            NodeWithScore(node=item.node, score=score)
            for item, score in zip(nodes, scores, strict=True)
        ]
        return sorted(scored, key=lambda item: -(item.score or 0.0))

    def __reduce__(self) -> tuple[Any, ...]:
        bank, engine, namespace = self._source
        fields = {name: getattr(self, name) for name in _SETTINGS}
        return _rebuild, (
            type(self),
            {
                **fields,
                "bank": bank,
                "engine": engine,
                "namespace": namespace,
            },
        )


def _memory_id(item: NodeWithScore) -> str | None:
    return item.node.metadata.get("cogmem_id")


def _filters_of(
    source: MemoryBank | Engine | None, filters: Filters, categories: Sequence[str] | None
) -> dict[str, Any]:
    """Checked arguments of a recall that say which memories may stay.

    Raises:
        InvalidInput: one of them is unusable, or says something else.
    """
    arguments = recall_arguments(source, filters=filters, categories=categories)
    for name in arguments:
        if name not in FILTER_NAMES:
            raise InvalidInput(
                f"filters[{name!r}] does not say which memories may stay; there are "
                f"{', '.join(FILTER_NAMES)}"
            )
    return arguments


def _rebuild(cls: type[CogMemPostprocessor], fields: dict[str, Any]) -> CogMemPostprocessor:
    return cls(**fields)
