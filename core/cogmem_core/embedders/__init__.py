"""Embedders: the default model, hashing, servers, models of other libraries, the user's own objects."""

from cogmem_core.embedders.cache import CachedEmbedder
from cogmem_core.embedders.factory import EMBEDDERS, NAMES, CheckedEmbedder, resolve
from cogmem_core.embedders.hashing import HashingEmbedder
from cogmem_core.embedders.libraries import FastEmbed, LiteLLMEmbedder, SentenceTransformers
from cogmem_core.embedders.minilm import MiniLM
from cogmem_core.embedders.openai import OpenAIEmbedder
from cogmem_core.embedders.prefixes import Prefixes, prefixes_of

__all__ = [
    "EMBEDDERS",
    "NAMES",
    "CachedEmbedder",
    "CheckedEmbedder",
    "FastEmbed",
    "HashingEmbedder",
    "LiteLLMEmbedder",
    "MiniLM",
    "OpenAIEmbedder",
    "Prefixes",
    "SentenceTransformers",
    "prefixes_of",
    "resolve",
]
