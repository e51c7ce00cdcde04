"""Memories as nodes: a retriever for query engines, chat engines and agents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.callbacks import CallbackManager
from llama_index.core.schema import NodeWithScore, QueryBundle

from cogmem_core.adapters.attribution import FeedbackListener
from cogmem_core.adapters.options import as_query, checked_arguments, checked_function
from cogmem_core.adapters.resolve_bank import BankResolver, NamespaceSource
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.retrieval.recall import Recall
from llamaindex_cogmem.convert import Filters, nodes_of, recall_arguments
from llamaindex_cogmem.tracing import MISSING_TAG_HELP, current_tags

__all__ = ["CogMemRetriever"]


class CogMemRetriever(BaseRetriever):
    """Recalls the memories that matter for a query, best first.

    With `CogMemInstrumentation` (or `CogMemCallbackHandler`) the memories learn from the answers
    that are made of them. The event loop never waits for a recall.

    Args:
        bank: the bank whose memories are used. Or `engine` and `namespace`: a string, a template
            that the tags of the run fill ("{user_id}"), or a function
            that returns it from the tags of the run (`lambda tags: tags["user_id"]`, within `with
            instrument_tags({"user_id": "ann"}):`), sync or async.
        engine: see `bank`.
        namespace: see `bank`.
        similarity_top_k: the maximum number of nodes, 1..1000.
        filters: further arguments of `MemoryBank.recall`, such as `{"where": {"city": "Oslo"}}`,
            or `MetadataFilters`.
        categories: only memories of one of these categories.
        deadline: seconds; then what was found so far is returned.
        score_threshold: confidence below which a memory stays away, 0..1; None = as configured, so
            that a question of which nothing is known gets no nodes; 0 = the best, whatever they
            are.
        on_feedback: called with the judgements of each answer that was made of its nodes, by the
            worker's thread.
        callback_manager: LlamaIndex's.
        raise_errors: False = a recall that fails is logged and gives no nodes. What the function
            given as `namespace` raises is always raised.

    Raises:
        InvalidInput: neither a bank nor an engine with a namespace, or both; an option is unusable;
            later: the tags of the run do not tell whose memories are meant.

    Example:
        >>> import cogmem_core
        >>> from llamaindex_cogmem import CogMemRetriever
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     alice = engine.bank("alice")
        ...     _ = alice.remember("I play the cello in an orchestra")
        ...     nodes = CogMemRetriever(bank=alice, similarity_top_k=1).retrieve("Which instrument, the cello?")
        ...     print(nodes[0].text)
        I play the cello in an orchestra
    """

    def __init__(
        self,
        bank: MemoryBank | None = None,
        *,
        engine: Engine | None = None,
        namespace: NamespaceSource = None,
        similarity_top_k: int = 4,
        filters: Filters = None,
        categories: Sequence[str] | None = None,
        deadline: float | None = None,
        score_threshold: float | None = None,
        on_feedback: FeedbackListener | None = None,
        raise_errors: bool = False,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        super().__init__(callback_manager=callback_manager)
        self._resolve_bank = BankResolver(bank, engine, namespace, MISSING_TAG_HELP)
        checked_arguments(bank or engine, {"k": similarity_top_k}, "similarity_top_k")
        checked_arguments(bank or engine, {"floor": score_threshold}, "score_threshold")
        self.filters = recall_arguments(
            bank or engine, filters=filters, categories=categories, deadline=deadline
        )
        self.similarity_top_k = similarity_top_k
        self.score_threshold = score_threshold
        self.on_feedback = checked_function("on_feedback", on_feedback)
        self._fail_open = LogAndContinue(raises=Exception if raise_errors else None)

    def __repr__(self) -> str:
        k, floor = self.similarity_top_k, self.score_threshold
        name = type(self).__name__
        return f"{name}({self._resolve_bank!r}, similarity_top_k={k}, score_threshold={floor})"

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        bank = self._resolve_bank(current_tags())
        question = as_query(bank, query_bundle.query_str)
        with self._fail_open("a recall"):
            return self._nodes(bank, bank.recall(question, **self._recall_arguments()))
        return []

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        bank = await self._resolve_bank.awaited(current_tags())
        question = as_query(bank, query_bundle.query_str)
        with self._fail_open("a recall"):
            return self._nodes(bank, await bank.arecall(question, **self._recall_arguments()))
        return []

    def _nodes(self, bank: MemoryBank, recall: Recall) -> list[NodeWithScore]:
        if self.on_feedback is not None:
            bank.engine.recall_registry.tell(bank.namespace, [recall.id], self.on_feedback)
        return nodes_of(recall)

    def _recall_arguments(self) -> dict[str, Any]:
        return {"floor": self.score_threshold, **self.filters, "k": self.similarity_top_k}
