"""Embedders: the default model in numpy, hashing without a model, OpenAI-compatible servers, objects of the user's."""

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
