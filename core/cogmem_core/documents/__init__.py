"""Documents by path and key: kept as they are, and found by meaning through the memories of their texts.

A document lives as long as nobody deletes it, or until its time is over. Its memories live like any
other: what a dream cycle puts away leaves recall, but the document is still there, and is still
found by them.
"""

from cogmem_core.documents.search import DocumentQuery, Where, get, paths, search
from cogmem_core.documents.write import drop_all_ended, drop_ended, refresh, write

__all__ = [
    "DocumentQuery",
    "Where",
    "drop_all_ended",
    "drop_ended",
    "get",
    "paths",
    "refresh",
    "search",
    "write",
]
