"""all-MiniLM-L6-v2: a BERT forward pass in onnxruntime, text by text, on every core.

The vectors equal those of the published model (cosine > 0.9999); no torch, and no padding.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import numpy as np

from cogmem_core.base.error_texts import reason
from cogmem_core.base.exit_hooks import holding_exit
from cogmem_core.embedders import weights
from cogmem_core.embedders.onnx_graph import Encode, compile_encoder
from cogmem_core.errors import EmbedderUnavailable
from cogmem_core.maths.products import each, normalised
from cogmem_core.ports import FloatArray

if TYPE_CHECKING:
    from tokenizers import Tokenizer


DIMENSION = 384
MAXIMUM_TOKENS = 256
"""What the model was trained with, its two special tokens included.

The rest of a text is cut off.
"""

RETRY_SECONDS = 60.0
"""After a failed download, the network is left alone for so long.

The local cache is looked at on every call.
"""

_PREFIX_CHARACTERS = 8_192


class MiniLM:
    """The default embedder. Thread-safe; loads or downloads its files at the first text.

    All that read the same files share one copy of the weights (90 MB); it is freed with the last.

    Args:
        folder: where `model.safetensors` and `tokenizer.json` lie; None =
            `weights.fetch("minilm")`.
        progress: told about a download; see `weights.Progress`.
        clock: seconds on a clock that never goes back; spaces out attempts after a failed download.
            None = the network is tried once per object.
        int8: compute with quantised weights: a text takes a quarter of the time, and its vector is
            another one (cosine about 0.99), with a fingerprint of its own.
    """

    dimension = DIMENSION

    def __init__(
        self,
        folder: Path | None = None,
        *,
        progress: weights.Progress | None = None,
        clock: Callable[[], float] | None = None,
        int8: bool = False,
    ) -> None:
        self._int8 = int8
        self._folder = folder
        self._progress = progress
        self._clock = clock
        self._lock = threading.Lock()
        self._loaded: _Model | None = None
        self._failure: tuple[float, str] | None = None

    def __repr__(self) -> str:
        kind = "int8, " if self._int8 else ""
        return f"MiniLM({kind}{'loaded' if self._loaded else 'not loaded yet'})"

    @property
    def local(self) -> bool:
        """It computes here and now, once its weights are loaded."""
        return self._loaded is not None

    @property
    def fingerprint(self) -> str:
        """Model, kind, revision and dimension; loads nothing."""
        return "minilm-int8-1110a243-384" if self._int8 else "minilm-1110a243-384"

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Unit vectors, float32 of shape (len(texts), 384); texts longer than 256 tokens are cut.

        Raises:
            EmbedderUnavailable: the weights are not here and cannot be fetched, or they cannot be
                read, or onnxruntime cannot be used here.
        """
        if not texts:
            return np.empty((0, DIMENSION), dtype=np.float32)
        model = self._ready()
        # One by one: it costs 1 % of the time, and the tokenizer's own threads do not survive a
        # fork.
        with holding_exit():
            tokens = [_token_ids(model.tokenizer, text) for text in texts]
            vectors = np.stack([row.sum(axis=0) for row in each(model.encode, tokens)])
        # The sum has the direction of the mean.
        return normalised(vectors)

    def embed_query(self, text: str) -> FloatArray:
        """A unit vector, float32 of shape (384,). Raises as `embed_documents` does."""
        vector: FloatArray = self.embed_documents([text])[0]
        return vector

    def _ready(self) -> _Model:
        loaded = self._loaded
        if loaded is None:
            with self._lock:
                if self._loaded is None:
                    folder = self._locate()
                    with holding_exit():
                        self._loaded = _model(folder, self._int8)
                loaded = self._loaded
        return loaded

    def _locate(self) -> Path:
        if self._folder is not None:
            return self._folder
        if self._failure is not None and not self._may_retry(self._failure[0]):
            folder = weights.find("minilm")
            if folder is None:
                raise EmbedderUnavailable(self._failure[1])
            return folder
        try:
            return weights.fetch("minilm", progress=self._progress)
        except EmbedderUnavailable as error:
            self._failure = (self._clock() if self._clock else 0.0, str(error))
            raise

    def _may_retry(self, failed_at: float) -> bool:
        return self._clock is not None and self._clock() - failed_at >= RETRY_SECONDS


@dataclass(frozen=True)
class _Model:
    """What is made of the files of a folder."""

    tokenizer: Tokenizer
    encode: Encode


_models: WeakValueDictionary[tuple[object, ...], _Model] = WeakValueDictionary()
"""What is in use in this process, by the files it was read from."""


def _model(folder: Path, int8: bool) -> _Model:
    """The one that is in use already, as long as its files are the same; else it is loaded."""
    try:
        files = [(folder / name).stat() for name in ("model.safetensors", "tokenizer.json")]
    except OSError:
        return _load(folder, int8)  # which says what is wrong
    key = (int8, *((file.st_dev, file.st_ino, file.st_mtime_ns, file.st_size) for file in files))
    shared = _models.get(key)
    # Of two threads that load at once the later one wins: no lock that a fork could leave closed.
    if shared is None:
        shared = _models[key] = _load(folder, int8)
    return shared


def _load(folder: Path, int8: bool) -> _Model:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    try:
        tensors = load_file(folder / "model.safetensors")
        definition = (folder / "tokenizer.json").read_text(encoding="utf-8")
    except (OSError, SafetensorError) as error:
        raise EmbedderUnavailable(
            f"cannot read the model in {folder}: {error}; remove the folder and run `cogm models "
            "fetch`"
        ) from error
    tokenizer = Tokenizer.from_str(definition)
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAXIMUM_TOKENS)
    try:
        return _Model(tokenizer, compile_encoder(tensors, int8=int8))
    except (ImportError, OSError, AttributeError) as error:
        raise EmbedderUnavailable(
            f"minilm needs onnxruntime >= 1.17, which cannot compute the model in {folder} here "
            f"({reason(error)}); install or upgrade it, or choose another embedder"
        ) from error


def _token_ids(tokenizer: Tokenizer, text: str) -> list[int]:
    """At most 256 token ids; a long text is not tokenised beyond what can matter."""
    if len(text) > _PREFIX_CHARACTERS:
        prefix = text[:_PREFIX_CHARACTERS].rsplit(maxsplit=1)[0]
        ids = tokenizer.encode(prefix).ids
        if len(ids) == MAXIMUM_TOKENS:  # exact: tokens do not depend on what follows a blank
            return ids
    return tokenizer.encode(text).ids
