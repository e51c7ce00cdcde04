"""Memories as documents: a retriever for chains, graphs and agents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field, PrivateAttr

from cogmem_core.adapters.options import checked_arguments, checked_filters
from cogmem_core.adapters.resolve_bank import bank_resolver
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.fail_open import LogAndContinue
from langchain_cogmem.convert import NamespaceSource
from langchain_cogmem.recalled import documents_of

__all__ = ["CogMemRetriever"]

_MISSING_KEY_HELP = 'tell it with the call: retriever.invoke(query, {"metadata": {%s: "ann"}})'


class CogMemRetriever(BaseRetriever):
    """Recalls the memories that matter for a query, best first.

    With `CogMemCallbackHandler`, or within `cogmem_feedback`, the memories learn from the answers
    that are made of them.

    Args:
        bank: the bank whose memories are used. Or `engine` and `namespace`: a string, or a function
            that returns it from the metadata of the run (`lambda metadata: metadata["user_id"]`),
            which whoever calls gives: `retriever.invoke(query, {"metadata": {"user_id": "ann"}})`,
            or `chain.invoke(...)` with the same.
        k: the maximum number of documents, 1..1000; `retriever.invoke(query, k=2)` overrides it.
        score_threshold: confidence below which a memory stays away, 0..1; None = as configured, so
            that a question of which nothing is known gets no documents; 0 = the k best, whatever
            they are.
        filter: further arguments of `MemoryBank.recall`, such as `{"categories": ["preference"]}`.
        raise_errors: False = a recall that fails is logged and gives no documents. What the
            function given as `namespace` raises is always raised.

    Raises:
        InvalidInput: neither a bank nor an engine with a namespace, or both; k, score_threshold or
            filter is unusable; later: the metadata of a run does not tell whose memories are meant.
        ValidationError: (pydantic's) an argument is unknown.

    Example:
        >>> import cogmem_core
        >>> from langchain_cogmem import CogMemRetriever
        >>> with cogmem_core.open(embedder="hashing") as engine:
        ...     alice = engine.bank("alice")
        ...     _ = alice.remember("I play the cello in an orchestra")
        ...     documents = CogMemRetriever(bank=alice, k=1).invoke("Which instrument, the cello?")
        ...     print(documents[0].page_content)
        I play the cello in an orchestra
    """

    bank: MemoryBank | None = Field(default=None, exclude=True, repr=False)
    engine: Engine | None = Field(default=None, exclude=True, repr=False)
    namespace: NamespaceSource = Field(default=None, exclude=True, repr=False)
    k: int = 4
    score_threshold: float | None = None
    filter: Mapping[str, Any] = Field(default_factory=dict)
    raise_errors: bool = False

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")
    _resolve_bank: Callable[..., MemoryBank] = PrivateAttr()
    _fail_open: LogAndContinue = PrivateAttr()

    def __init__(self, bank: MemoryBank | None = None, **fields: Any) -> None:
        super().__init__(**{"bank": bank, **fields})
        self._resolve_bank = bank_resolver(
            self.bank, self.engine, self.namespace, _MISSING_KEY_HELP
        )
        self.filter = checked_filters(self.bank or self.engine, self.filter, "filter")
        checked_arguments(
            self.bank or self.engine, {"floor": self.score_threshold}, "score_threshold"
        )
        checked_arguments(self.bank or self.engine, {"k": self.k})
        self._fail_open = LogAndContinue(raises=Exception if self.raise_errors else None)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        **more: Any,
    ) -> list[Document]:
        bank = self._resolve_bank(run_manager.metadata)
        arguments = self._recall_arguments(k, more)
        with self._fail_open("a recall"):
            return documents_of(bank.recall(query, **arguments))
        return []

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: int | None = None,
        **more: Any,
    ) -> list[Document]:
        bank = self._resolve_bank(run_manager.metadata)
        arguments = self._recall_arguments(k, more)
        with self._fail_open("a recall"):
            return documents_of(await bank.arecall(query, **arguments))
        return []

    def _recall_arguments(self, k: int | None, more: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of the recall; those of a call go before those of the retriever."""
        if k is None:
            k = self.k
        call_arguments = checked_arguments(self.bank or self.engine, {**more, "k": k})
        return {"floor": self.score_threshold, **self.filter, **call_arguments}
