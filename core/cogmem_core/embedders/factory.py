"""Turns what a user names or hands over into an embedder whose answers can be trusted."""

from __future__ import annotations

import importlib.util
import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np

from cogmem_core.base.error_texts import reason
from cogmem_core.base.frameworks import adapted
from cogmem_core.config import EmbeddingConfig
from cogmem_core.edge.checks import display
from cogmem_core.embedders.checks import as_matrix
from cogmem_core.embedders.hashing import HashingEmbedder
from cogmem_core.embedders.libraries import FastEmbed, LiteLLMEmbedder, SentenceTransformers
from cogmem_core.embedders.minilm import MiniLM
from cogmem_core.embedders.openai import OpenAIEmbedder
from cogmem_core.embedders.prefixes import prefixes_of
from cogmem_core.errors import CogMemError, ConfigError, EmbedderUnavailable
from cogmem_core.llm.openai_client import ollama_address, unusable
from cogmem_core.maths.products import normalised
from cogmem_core.ports import Embedder, FloatArray

BATCH_SIZE = 256
"""Texts per call of the embedder."""

Monotonic = Callable[[], float]
"""Seconds on a clock that never goes back."""

Answer = TypeVar("Answer")

_MEMBERS = ("fingerprint", "dimension", "embed_documents", "embed_query")


_REQUIREMENTS = {
    "fastembed": "fastembed>=0.5",
    "litellm": "litellm>=1.60",
    "sentence-transformers": "sentence-transformers>=5",
}
"""What has to be installed besides, by the name of its package."""
_EXAMPLES = {
    "fastembed": "BAAI/bge-small-en-v1.5",
    "litellm": "cohere/embed-multilingual-v3.0",
    "ollama": "nomic-embed-text",
    "openai": "text-embedding-3-small",
    "sentence-transformers": "intfloat/multilingual-e5-small",
}
"""A model for each embedder that has to be told one."""
EMBEDDERS = (*_EXAMPLES, "hashing", "minilm", "minilm-int8")
"""The embedders that a string can name, by the part before the colon."""


def _made(name: str, argument: str, config: EmbeddingConfig, clock: Monotonic | None) -> Embedder:
    """The embedder of `EMBEDDERS`; `argument` follows the colon, "" if nothing does."""
    if name in _REMOTE:
        return _REMOTE[name](argument, timeout=config.timeout_seconds, attempts=config.attempts)
    if name in _LOCAL:
        return _LOCAL[name](argument)
    if name == "hashing":
        return _hashing(argument)
    if argument:
        raise ConfigError(
            f"embedder '{name}:{argument}' is unknown; {name} takes nothing after its name"
        )
    return MiniLM(clock=clock, int8=name == "minilm-int8")


def _hashing(argument: str) -> Embedder:
    if argument and not (argument.isascii() and argument.isdigit()):
        raise ConfigError(
            f"embedder 'hashing:{argument}' is unknown; write hashing or hashing:<dimension>"
        )
    return HashingEmbedder(int(argument)) if argument else HashingEmbedder()


def _ollama(model: str, **limits: Any) -> Embedder:
    address = ollama_address(os.environ.get("OLLAMA_HOST", ""))
    problem = unusable(address)
    if problem:
        raise ConfigError(f"embedder 'ollama:{model}' {problem}")
    return OpenAIEmbedder(
        model,
        base_url=address,
        api_key="ollama",
        prefixes=prefixes_of(model),
        provider="ollama",
        **limits,
    )


_LOCAL = {"fastembed": FastEmbed, "sentence-transformers": SentenceTransformers}
_REMOTE: Mapping[str, Callable[..., Embedder]] = {
    "litellm": LiteLLMEmbedder,
    "ollama": _ollama,
    "openai": OpenAIEmbedder,
}


def _check(name: str, model: str) -> None:
    """Refuse an embedder that cannot be made: no model is named, or its package is missing."""
    if name in _EXAMPLES and not model:
        example = f"{name}:{_EXAMPLES[name]}"
        raise ConfigError(
            f"embedder {name!r} names no model; write {name}:<model>, such as {example}"
        )
    if name in _REQUIREMENTS and importlib.util.find_spec(name.replace("-", "_")) is None:
        raise ConfigError(
            f"embedder '{name}:{model}' needs the `{name}` package; install it with `pip install "
            f"'{_REQUIREMENTS[name]}'` (the extra `cogmem-core[{name}]`)"
        )


NAMES = (
    "minilm, minilm-int8, hashing, hashing:<dimension>, openai:<model>, ollama:<model>, "
    "fastembed:<model>, sentence-transformers:<model> or litellm:<provider>/<model>"
)
"""How each of them is written."""


def resolve(
    spec: str | object, *, config: EmbeddingConfig, clock: Monotonic | None = None
) -> CheckedEmbedder:
    """The embedder that `spec` stands for; loads no model and opens no connection.

    Args:
        spec: a name (see `NAMES`), or an object with `fingerprint`, `dimension`, `embed_documents`
            and `embed_query` (see `ports.Embedder`), or embeddings of LangChain or LlamaIndex.
        config: batch size, and time-out and attempts of a remote embedder.
        clock: spaces out the attempts to download weights; None = one attempt per embedder.

    Raises:
        ConfigError: an unknown name, one whose package is not installed, or an object that lacks a
            member; says what is known, to be installed, or missing.
    """
    if isinstance(spec, CheckedEmbedder):
        return spec
    if isinstance(spec, str):
        name, _, argument = spec.partition(":")
        if name not in EMBEDDERS:
            raise ConfigError(
                f"unknown embedder {display(spec)}; use {NAMES}, or an object with {', '.join(_MEMBERS)}"
            )
        _check(name, argument)
        return CheckedEmbedder(_made(name, argument, config, clock), name=spec)
    if isinstance(spec, type):
        raise ConfigError(f"embedder is the class {spec.__name__}; pass an instance of it")
    if not all(_has(spec, member) for member in _MEMBERS):
        spec = adapted("embedder", spec)
    missing = [member for member in _MEMBERS if not _has(spec, member)]
    if missing:
        raise ConfigError(
            f"embedder of type {type(spec).__name__} lacks {', '.join(missing)}; see "
            "cogmem_core.ports.Embedder"
        )
    return CheckedEmbedder(spec)


def _has(embedder: object, member: str) -> bool:
    # Static first: reading `dimension` may ask a server, and nothing is asked before it is needed.
    return inspect.getattr_static(embedder, member, None) is not None or hasattr(embedder, member)


def _description(value: object) -> str:
    """A value of a user's object, or its kind where it could say anything."""
    plain = value is None or value == "" or isinstance(value, (int, float))
    return repr(value) if plain else f"of type {type(value).__name__}"


class CheckedEmbedder:
    """An embedder that returns finite unit vectors of the right shape or raises.

    What it raises is `EmbedderUnavailable`.

    Lists and arrays become float32; vectors get length 1, except that zeros stay zero; texts go in
    batches; whatever the inner embedder raises is chained to an `EmbedderUnavailable` that names
    it. Thread-safe if the inner one is.

    Args:
        inner: an object with the members of `ports.Embedder`.
        batch_size: texts per call of the inner embedder, >= 1.
        name: what messages call it; None = the name of its class.
    """

    def __init__(
        self, inner: Any, *, batch_size: int = BATCH_SIZE, name: str | None = None
    ) -> None:
        self._inner = inner
        self._batch_size = batch_size
        self._name = name or type(inner).__name__

    def __repr__(self) -> str:
        return f"CheckedEmbedder({self._name})"

    @property
    def inner(self) -> Any:
        """The embedder that does the work."""
        return self._inner

    @property
    def fingerprint(self) -> str:
        """That of the inner embedder.

        Raises:
            EmbedderUnavailable: it cannot be had, or it is not a text of at least one character.
        """
        fingerprint = self._ask("fingerprint", lambda: self._inner.fingerprint)
        if not isinstance(fingerprint, str) or not fingerprint:
            raise EmbedderUnavailable(
                f"embedder {self._name} has the fingerprint {_description(fingerprint)}; use a text"
            )
        return fingerprint

    @property
    def dimension(self) -> int:
        """Length of a vector, >= 1.

        Raises:
            EmbedderUnavailable: it cannot be had, or it is not a whole number above 0.
        """
        dimension = self._ask("dimension", lambda: self._inner.dimension)
        if (
            isinstance(dimension, bool)
            or not isinstance(dimension, (int, np.integer))
            or dimension < 1
        ):
            raise EmbedderUnavailable(
                f"embedder {self._name} has the dimension {_description(dimension)}; use 1 or more"
            )
        return int(dimension)

    @property
    def local(self) -> bool:
        """Whether it says of itself that it computes here and now, and neither asks a server nor loads a model."""
        return getattr(self._inner, "local", False) is True

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Unit vectors (or zeros), float32 of shape (len(texts), dimension).

        Raises:
            EmbedderUnavailable: the inner embedder raised, or answered with another count,
                dimension or with NaN.
        """
        dimension = self.dimension
        matrix = np.empty((len(texts), dimension), dtype=np.float32)
        for start in range(0, len(texts), self._batch_size):
            batch = list(texts[start : start + self._batch_size])
            answer = self._ask("embed_documents", partial(self._inner.embed_documents, batch))
            rows = as_matrix(answer, count=len(batch), dimension=dimension, who=self._name)
            matrix[start : start + len(batch)] = normalised(rows)
        return matrix

    def embed_query(self, text: str) -> FloatArray:
        """A unit vector (or zeros), float32 of shape (dimension,).

        Raises as `embed_documents` does.
        """
        answer = self._ask("embed_query", partial(self._inner.embed_query, text))
        rows = as_matrix([answer], count=1, dimension=self.dimension, who=self._name)
        vector: FloatArray = normalised(rows)[0]
        return vector

    def embed_queries(self, texts: Sequence[str]) -> FloatArray:
        """Unit vectors (or zeros), float32 of shape (len(texts), dimension), in one call.

        One that has no `embed_queries` is asked for several as documents, and for a single one by
        `embed_query`. Raises as `embed_documents` does.
        """
        if len(texts) == 1:
            return self.embed_query(texts[0])[None, :]
        embed_queries = getattr(self._inner, "embed_queries", None)
        if embed_queries is None:
            return self.embed_documents(texts)
        answer = self._ask("embed_queries", partial(embed_queries, list(texts)))
        return normalised(
            as_matrix(answer, count=len(texts), dimension=self.dimension, who=self._name)
        )

    def close(self) -> None:
        """Close the inner embedder if it can be closed."""
        close = getattr(self._inner, "close", None)
        if close is not None:
            self._ask("close", close)

    def _ask(self, member: str, call: Callable[[], Answer]) -> Answer:
        try:
            return call()
        except CogMemError:
            raise
        # User code may raise anything, and callers handle one type.
        except Exception as error:
            raise EmbedderUnavailable(
                f"embedder {self._name}: {member} failed with {reason(error)}"
            ) from error
