"""Any nodes, documents and memories alike, ordered by what is known of the memories among them."""

from __future__ import annotations

import asyncio
from typing import Any

from llama_index.core.callbacks import CallbackManager
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle
from pydantic import ConfigDict, Field, PrivateAttr
from typing_extensions import Never

from cogmem_core.adapters.reranking import rerank
from cogmem_core.adapters.resolve_bank import BankResolver, NamespaceSource, bank_resolver
from cogmem_core.engine import Engine, MemoryBank
from cogmem_core.fail_open import LogAndContinue
from llamaindex_cogmem.convert import refuse_unknown
from llamaindex_cogmem.tracing import MISSING_TAG_HELP, current_tags

__all__ = ["CogMemPostprocessor"]


class CogMemPostprocessor(BaseNodePostprocessor):
    """Orders nodes by relevance and by the strength and usefulness of the memories among them.

    Nodes that are no memories keep their relevance. The formula is
    `cogmem_core.adapters.reranking.rerank`. For the nodes of a `CogMemRetriever` alone there is no
    need of it: they are in such an order already.

    Args:
        bank: the bank whose memories are used. Or `engine` and `namespace`: a string, or a function
            of tags, as for `CogMemRetriever`.
        engine: see `bank`.
        namespace: see `bank`.
        strength: what retention counts beside a relevance of 0..1, from 0; None = as configured.
        utility: what utility counts beside it, from 0; None = as configured.
        top_n: the maximum number of nodes, from 1; None = all.
        raise_errors: False = a failure is logged, and the order stays as it is. What the function
            given as `namespace` raises is always raised.
        callback_manager: LlamaIndex's.
        class_name: LlamaIndex writes it beside the fields.

    Raises:
        InvalidInput: neither a bank nor an engine with a namespace, or both; an argument is
            unknown; later: the tags of the run do not tell whose memories are meant.
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
    raise_errors: bool = False

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")
    _source: tuple[MemoryBank | None, Engine | None, NamespaceSource] = PrivateAttr()
    _resolve_bank: BankResolver = PrivateAttr()
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
        raise_errors: bool = False,
        callback_manager: CallbackManager | None = None,
        class_name: str | None = None,  # noqa: ARG002 - LlamaIndex writes it beside the fields
        **unknown: Never,
    ) -> None:
        refuse_unknown(unknown, CogMemPostprocessor.__init__)
        resolve_bank = bank_resolver(bank, engine, namespace, MISSING_TAG_HELP)
        fields: dict[str, Any] = {
            "strength": strength,
            "utility": utility,
            "top_n": top_n,
            "raise_errors": raise_errors,
            "callback_manager": callback_manager or CallbackManager(),
        }
        super().__init__(**fields)
        self._source = (bank, engine, namespace)
        self._resolve_bank = resolve_bank
        self._fail_open = LogAndContinue(raises=Exception if self.raise_errors else None)

    @classmethod
    def class_name(cls) -> str:
        """The name under which it is serialised."""
        return "CogMemPostprocessor"

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
        ordered = nodes
        with self._fail_open("re-ranking"):
            candidates = [(item.node.metadata.get("cogmem_id"), item.score) for item in nodes]
            scores = rerank(bank, candidates, strength=self.strength, utility=self.utility)
            scored = [
                NodeWithScore(node=item.node, score=score)
                for item, score in zip(nodes, scores, strict=True)
            ]
            ordered = sorted(scored, key=lambda item: -(item.score or 0.0))
        return ordered[: self.top_n]

    def __reduce__(self) -> tuple[Any, ...]:
        bank, engine, namespace = self._source
        fields = {name: getattr(self, name) for name in ("strength", "utility", "top_n")}
        return _rebuild, (
            type(self),
            {
                **fields,
                "raise_errors": self.raise_errors,
                "bank": bank,
                "engine": engine,
                "namespace": namespace,
            },
        )


def _rebuild(cls: type[CogMemPostprocessor], fields: dict[str, Any]) -> CogMemPostprocessor:
    return cls(**fields)
