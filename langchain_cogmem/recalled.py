"""What was recalled, in the shapes that a prompt takes, each of which knows its recall.

A chain passes the values of its memory on as they are: the same object that went into the prompt
comes back in `save_context`, and is seen by callbacks. So no table has to tell which recall belongs
to which run.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from typing_extensions import Self

from cogmem_core.engine import MemoryBank
from cogmem_core.results import Recalled
from cogmem_core.retrieval.recall import Recall

__all__ = [
    "RecalledDocuments",
    "RecalledId",
    "RecalledMessages",
    "RecalledText",
    "Traced",
    "documents_of",
]


class Traced:
    """Knows the recall that it was made of.

    Attributes:
        recall: only the memories that it shows; None if recalling failed.
        bank: whose recall.
        block: what it shows behind the conversation, to be shown there again; empty if nothing.
    """

    recall: Recall | None = None
    bank: MemoryBank | None = None
    block: str = ""

    def of(self, bank: MemoryBank, recall: Recall, memory_ids: Collection[str]) -> Self:
        """Itself, after noting where it comes from; `memory_ids`: the ids of the memories in it."""
        self.bank = bank
        self.recall = recall.only(memory_ids)
        return self


class RecalledText(str, Traced):
    """A text for a prompt."""


class RecalledMessages(list[BaseMessage], Traced):
    """Messages for a prompt: a system message, if there are memories, and what was said last."""


class RecalledDocuments(list[Document], Traced):
    """Documents, best first."""


_OF_RECALL = ("recall_id", "score")


class RecalledId(str):
    """The id of a memory that knows by which recall it was found, and as how likely; equal to any such string.

    Attributes:
        recall_id: of the recall.
        score: the confidence, 0..1.
    """

    recall_id: str
    score: float


class RecalledMetadata(dict[str, Any]):
    """The metadata of a memory: equal, copied and written down without what one recall says of it.

    Of that it tells when it is asked: `metadata["score"]`, `metadata["recall_id"]`.
    """

    def __missing__(self, name: str) -> Any:
        if name in _OF_RECALL:
            return getattr(self["cogmem_id"], name)
        raise KeyError(name)

    def get(self, name: str, default: Any = None) -> Any:
        """See `__missing__`."""
        return self[name] if name in self or name in _OF_RECALL else default


def documents_of(recall: Recall) -> list[Document]:
    """The results of a recall, best first."""
    return [_document(item, recall.id) for item in recall.results]


def _document(item: Recalled, recall_id: str) -> Document:
    """A recalled memory, with the caller's own metadata and what is known of it.

    It is equal whatever the query, so that retrievers of several queries show it once. `said` is
    the time it was said, ISO 8601. Of a short answer the text tells the question, too, see
    `Recalled.text`.
    """
    memory = item.memory
    found = RecalledId(memory.id)
    found.recall_id, found.score = recall_id, item.confidence
    document = Document(id=memory.id, page_content=item.text)
    document.metadata = RecalledMetadata(
        {
            **{key: value for key, value in memory.metadata.items() if key not in _OF_RECALL},
            "cogmem_id": found,
            "category": memory.category,
            "said": memory.recorded_at.isoformat(),
            "speaker": memory.speaker,
            "session_id": memory.session_id,
            "tags": list(memory.tags),
            "refs": list(memory.refs),
        }
    )
    return document
