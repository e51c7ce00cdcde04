"""Embedders: the default model, hashing, OpenAI-compatible servers, the user's own objects."""

from cogmem_core.embedders.cache import CachedEmbedder
from cogmem_core.embedders.factory import EMBEDDERS, CheckedEmbedder, resolve
from cogmem_core.embedders.hashing import HashingEmbedder
from cogmem_core.embedders.minilm import MiniLM
from cogmem_core.embedders.openai import OpenAIEmbedder

__all__ = [
    "EMBEDDERS",
    "CachedEmbedder",
    "CheckedEmbedder",
    "HashingEmbedder",
    "MiniLM",
    "OpenAIEmbedder",
    "resolve",
]
