"""Memories as documents: a retriever for chains, graphs and agents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any, Literal

from langchain_core.callbacks import (
    AsyncCallbackManagerForRetrieverRun,
    CallbackManagerForRetrieverRun,
)
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables.config import RunnableConfig
from pydantic import ConfigDict, Field, PrivateAttr
from pydantic.json_schema import SkipJsonSchema

from cogmem_core.adapters.options import (
    as_query,
    both_conditions,
    checked_arguments,
    checked_filters,
)
from cogmem_core.adapters.resolve_bank import BankResolver
from cogmem_core.base.fail_open import LogAndContinue
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.errors import InvalidInput
from langchain_cogmem.convert import ONE_TEXT, NamespaceSource
from langchain_cogmem.recalled import documents_of
from langchain_cogmem.run_info import RunInfo, help_by_name, noted

__all__ = ["CogMemRetriever"]

_MISSING_KEY_HELP = 'tell it with the call: retriever.invoke(query, {"metadata": {%s: "ann"}})'
SearchType = Literal["similarity", "similarity_score_threshold", "mmr"]
_OF_MMR = ("fetch_k", "lambda_mult")


class CogMemRetriever(BaseRetriever):
    """Recalls the memories that matter for a query, best first.

    With `CogMemCallbackHandler`, or within `cogmem_feedback`, the memories learn from the answers
    that are made of them.

    Args:
        bank: the bank whose memories are used. Or `engine` and `namespace`: a string, a template
            that the configuration fills ("{user_id}"), or a function, sync or async, that returns it
            from what it names: `lambda config: config["configurable"]["user_id"]`, `lambda context:
            context.user_id` (of a graph),
            `lambda metadata: metadata["user_id"]`. Whoever calls gives that:
            `retriever.invoke(query, {"configurable": {"user_id": "ann"}})`, or `chain.invoke(...)`
            with the same.
        k: the maximum number of documents, 1..1000; `retriever.invoke(query, k=2)` overrides it, as
            it does every argument of `MemoryBank.recall`.
        score_threshold: confidence below which a memory stays away, 0..1; None = as configured, so
            that a question of which nothing is known gets no documents; 0 = the k best, whatever
            they are.
        filter: which memories may be found: conditions on their own metadata (`{"city": "Oslo"}`,
            `{"score": {"$gte": 3}}`, see `cogmem_core.values.where`), and arguments of
            `MemoryBank.recall`, such as `{"categories": ["preference"]}`. The conditions of a
            call's own `filter` hold besides these.
        search_type: as vector stores have it. All types leave out near copies, as
            `retrieval.mmr_lambda` says; "similarity_score_threshold" needs a `score_threshold`.
        search_kwargs: `k`, `score_threshold`, `filter` and further arguments of
            `MemoryBank.recall`, as vector stores have them; they go before the fields of the same
            name.
        raise_errors: False = a recall that fails is logged and gives no documents. What the
            function given as `namespace` raises is always raised.

    Raises:
        InvalidInput: neither a bank nor an engine with a namespace, or both; k, score_threshold,
            filter or search_kwargs is unusable; later: a run does not tell whose memories are
            meant.
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

    bank: SkipJsonSchema[MemoryBank | None] = Field(default=None, exclude=True, repr=False)
    engine: SkipJsonSchema[Engine | None] = Field(default=None, exclude=True, repr=False)
    namespace: SkipJsonSchema[NamespaceSource] = Field(default=None, exclude=True, repr=False)
    k: int = 4
    score_threshold: float | None = None
    filter: Mapping[str, Any] | None = None
    search_type: SearchType = "similarity"
    search_kwargs: Mapping[str, Any] | None = None
    raise_errors: bool = False

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")
    _resolve_bank: BankResolver = PrivateAttr()
    _fail_open: LogAndContinue = PrivateAttr()

    def __init__(
        self,
        bank: MemoryBank | None = None,
        *,
        engine: Engine | None = None,
        namespace: NamespaceSource = None,
        k: int = 4,
        score_threshold: float | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
        search_type: SearchType = "similarity",
        search_kwargs: Mapping[str, Any] | None = None,
        raise_errors: bool = False,
        name: str | None = None,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> None:
        fields: dict[str, Any] = {
            "bank": bank,
            "engine": engine,
            "namespace": namespace,
            "k": k,
            "score_threshold": score_threshold,
            "filter": filter,
            "search_type": search_type,
            "search_kwargs": search_kwargs,
            "raise_errors": raise_errors,
            "name": name,
            "tags": tags,
            "metadata": metadata,
        }
        super().__init__(**fields)
        self._resolve_bank = BankResolver(
            self.bank,
            self.engine,
            self.namespace,
            _MISSING_KEY_HELP,
            help_by_name(_MISSING_KEY_HELP),
        )
        self.filter = checked_filters(self.bank or self.engine, self.filter, "filter")
        checked_arguments(
            self.bank or self.engine, {"floor": self.score_threshold}, "score_threshold"
        )
        checked_arguments(self.bank or self.engine, {"k": self.k})
        self._check_search_kwargs(dict(self.search_kwargs or {}))
        arguments = self._recall_arguments({})
        if self.search_type == "similarity_score_threshold" and arguments["floor"] is None:
            raise InvalidInput(
                "search_type is 'similarity_score_threshold', which needs a threshold; give "
                "search_kwargs={'score_threshold': 0.5}"
            )
        self._fail_open = LogAndContinue(raises=Exception if self.raise_errors else None)

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        yield None, self._resolve_bank
        yield from super().__repr_args__()

    def invoke(
        self,
        input: str,  # noqa: A002 - LangChain's name
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """The memories that matter for a query.

        Args:
            input: the query.
            config: of the run; a namespace function may ask for it.
            kwargs: `k`, `filter`, `score_threshold` and arguments of `MemoryBank.recall`, for this
                call.

        Raises:
            InvalidInput: the query is no text, an argument is unusable, or it cannot be told whose
                memories are meant.
        """
        with noted(config):
            return super().invoke(input, config, **kwargs)

    async def ainvoke(
        self,
        input: str,  # noqa: A002 - LangChain's name
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """Async twin of `invoke`."""
        with noted(config):
            return await super().ainvoke(input, config, **kwargs)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **more: Any
    ) -> list[Document]:
        bank = self._resolve_bank(run_manager.metadata, run=_run(query, run_manager.metadata))
        arguments = self._recall_arguments(more)
        question = as_query(bank, query, fix=ONE_TEXT)
        with self._fail_open("a recall"):
            return documents_of(bank.recall(question, **arguments))
        return []

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **more: Any
    ) -> list[Document]:
        bank = await self._resolve_bank.awaited(
            run_manager.metadata, run=_run(query, run_manager.metadata)
        )
        arguments = self._recall_arguments(more)
        question = as_query(bank, query, fix=ONE_TEXT)
        with self._fail_open("a recall"):
            return documents_of(await bank.arecall(question, **arguments))
        return []

    def _check_search_kwargs(self, options: dict[str, Any]) -> None:
        """Name what is unusable as it was given."""
        source = self.bank or self.engine
        checked_filters(source, options.pop("filter", None), "search_kwargs['filter']")
        threshold = options.pop("score_threshold", None)
        checked_arguments(source, {"floor": threshold}, "search_kwargs['score_threshold']")
        others = {name: value for name, value in options.items() if name not in _OF_MMR}
        checked_arguments(source, others, "search_kwargs[{!r}]")

    def _recall_arguments(self, call: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of the recall; those of a call go before those of the retriever."""
        source = self.bank or self.engine
        options = {**(self.search_kwargs or {}), **call}
        filters = checked_filters(source, options.pop("filter", None), "filter")
        threshold = options.pop("score_threshold", self.score_threshold)
        checked_arguments(source, {"floor": threshold}, "score_threshold")
        k = options.pop("k", None)
        if of_mmr := sorted(options.keys() & _OF_MMR):
            raise InvalidInput(
                f"{of_mmr[0]} is unknown; every recall leaves out near copies, as the setting "
                "retrieval.mmr_lambda says, which holds for the whole engine"
            )
        checked_options = checked_arguments(source, {**options, "k": self.k if k is None else k})
        always = self.filter or {}
        arguments = {"floor": threshold, **always, **filters, **checked_options}
        wheres = (always.get("where"), filters.get("where"), checked_options.get("where"))
        if any(wheres):
            arguments["where"] = reduce(both_conditions, wheres)
        return arguments


def _run(query: str, metadata: Mapping[str, Any] | None) -> RunInfo:
    return RunInfo({"query": query}, metadata=metadata)
