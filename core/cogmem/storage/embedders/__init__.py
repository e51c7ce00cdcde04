"""Embedders: the default model in numpy, hashing without a model, OpenAI-compatible servers, objects of the user's."""

from cogmem.storage.embedders.cache import CachedEmbedder
from cogmem.storage.embedders.hashing import HashingEmbedder
from cogmem.storage.embedders.minilm import MiniLM
from cogmem.storage.embedders.openai import OpenAIEmbedder
from cogmem.storage.embedders.wrap import EMBEDDERS, CheckedEmbedder, resolve

__all__ = [
    "EMBEDDERS",
    "CachedEmbedder",
    "CheckedEmbedder",
    "HashingEmbedder",
    "MiniLM",
    "OpenAIEmbedder",
    "resolve",
]
