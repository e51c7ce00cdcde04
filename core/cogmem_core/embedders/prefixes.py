"""What a model wants before a question, and before what is searched: a table by the model's name. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple


class Prefixes(NamedTuple):
    """What stands before each text.

    Attributes:
        query: before what is asked.
        passage: before what is kept.
    """

    query: str = ""
    passage: str = ""

    def queries(self, texts: Iterable[str]) -> list[str]:
        """Questions as the model reads them."""
        return [self.query + text for text in texts]

    def passages(self, texts: Iterable[str]) -> list[str]:
        """What is kept, as the model reads it."""
        return [self.passage + text for text in texts]


NO_PREFIXES = Prefixes()
_TASK = "Given a web search query, retrieve relevant passages that answer the query"
_SEARCHING = "Represent this sentence for searching relevant passages: "
# As the cards of the models say. The first line that fits holds.
_TABLE: tuple[tuple[str, Prefixes], ...] = (
    (r"e5-.*instruct", Prefixes(f"Instruct: {_TASK}\nQuery: ")),
    (r"(?:^|[^a-z0-9])e5-", Prefixes("query: ", "passage: ")),
    (r"qwen3-embedding", Prefixes(f"Instruct: {_TASK}\nQuery:")),
    (r"embedding-?gemma", Prefixes("task: search result | query: ", "title: none | text: ")),
    (r"nomic-embed-text|modernbert-embed", Prefixes("search_query: ", "search_document: ")),
    (r"arctic-embed.*(?:v2|2\.0)", Prefixes("query: ")),
    (r"arctic-embed|mxbai-embed|bge-(?:small|base|large)-en", Prefixes(_SEARCHING)),
)


def prefixes_of(model: str) -> Prefixes:
    """The prefixes of a model, by its name in whatever spelling; none for one that is not known to want any."""
    name = model.lower().replace("_", "-").replace(":", "-")
    found = (prefixes for pattern, prefixes in _TABLE if re.search(pattern, name))
    return next(found, NO_PREFIXES)
