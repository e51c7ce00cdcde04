"""Any nodes, documents and memories alike, ordered by what is known of the memories among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle
from pydantic import ConfigDict, PrivateAttr

from cogmem.bank import MemoryBank
from cogmem.harmless import Harmless
from cogmem.reranking import rerank
from cogmem.whose import banks_of
from llamaindex_cogmem.tracing import known_tags

__all__ = ["CogMemPostprocessor"]


class CogMemPostprocessor(BaseNodePostprocessor):
    """Orders nodes by relevance, by how strong the memories among them are, and how useful they proved to be.

    Nodes that are no memories keep their relevance. The formula is `cogmem.reranking.rerank`. For the nodes of a
    `CogMemRetriever` alone there is no need of it: they are in such an order already.

    Args:
        bank: whose memories. Or `engine` and `namespace`: a string, or a function of tags, as for `CogMemRetriever`.
        strength, utility: what retention and utility count beside a relevance of 0..1; None = as configured.
        top_n: at most so many nodes; None = all.
        raise_errors: False = a failure is logged, and the order stays as it is.

    Raises:
        InvalidInput: neither a bank nor an engine with a namespace, or both.

    Example:
        >>> import cogmem
        >>> from llama_index.core.schema import NodeWithScore, TextNode
        >>> from llamaindex_cogmem import CogMemPostprocessor, CogMemRetriever
        >>> with cogmem.open(embedder="hashing") as engine:
        ...     alice = engine.bank("alice")
        ...     _ = alice.remember("I play the cello in an orchestra")
        ...     alice.feedback(alice.recall("the cello?"), "You play the cello in an orchestra.")[0].signal
        ...     nodes = CogMemRetriever(alice).retrieve("the cello?")
        ...     manual = NodeWithScore(node=TextNode(text="How to tune a cello"), score=nodes[0].score)
        ...     print([node.text for node in CogMemPostprocessor(alice, top_n=1).postprocess_nodes([manual, *nodes])])
        'used'
        ['I play the cello in an orchestra']
    """

    strength: float | None = None
    utility: float | None = None
    top_n: int | None = None
    raise_errors: bool = False

    model_config = ConfigDict(arbitrary_types_allowed=True)
    _whose: Callable[..., MemoryBank] = PrivateAttr()
    _harmless: Harmless = PrivateAttr()

    def __init__(self, bank: MemoryBank | None = None, **fields: Any) -> None:
        whose = banks_of(bank, fields.pop("engine", None), fields.pop("namespace", None))
        super().__init__(**fields)
        self._whose = whose
        self._harmless = Harmless(*((Exception,) if self.raise_errors else ()))

    @classmethod
    def class_name(cls) -> str:
        """The name under which it is serialised."""
        return "CogMemPostprocessor"

    def _postprocess_nodes(
        self,
        nodes: list[NodeWithScore],
        query_bundle: QueryBundle | None = None,  # noqa: ARG002 - the nodes' scores say how relevant they are
    ) -> list[NodeWithScore]:
        ordered = nodes
        with self._harmless("re-ranking"):
            found = [(item.node.metadata.get("cogmem_id"), item.score) for item in nodes]
            scores = rerank(self._whose(known_tags()), found, strength=self.strength, utility=self.utility)
            scored = [NodeWithScore(node=item.node, score=score) for item, score in zip(nodes, scores, strict=True)]
            ordered = sorted(scored, key=lambda item: -(item.score or 0.0))
        return ordered[: self.top_n]
