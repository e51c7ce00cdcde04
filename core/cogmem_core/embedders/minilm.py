"""all-MiniLM-L6-v2: a BERT forward pass in numpy, over a batch of tokens without padding.

The dense layers (most of the work) see one matrix of all tokens; attention runs per group of texts
of equal length. The vectors equal those of the published model (cosine > 0.9999); no torch. A
single text goes through the same layers in onnxruntime (see `onnx_graph`), which gives the same
vector sooner; where it cannot be used, through numpy.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from cogmem_core.base.exit_hooks import holding_exit
from cogmem_core.embedders import weights
from cogmem_core.embedders.onnx_graph import HEADS, ComputeLayers, compile_layers
from cogmem_core.errors import EmbedderUnavailable
from cogmem_core.maths.products import cores, each, one_core
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

_HEAD = DIMENSION // HEADS
_LAYERS = 6
_EPSILON = 1e-12
_BATCH_TOKENS = 2048  # larger batches measured no faster and take more memory
_CORE_TOKENS = 64  # fewer are not worth a second core
_GELU_BLOCK = 32_768  # numbers; a block and its scratch copy stay in the processor's cache
_SCORES = 262_144  # numbers; larger attention matrices fall out of the processor's cache
_PREFIX_CHARACTERS = 8_192
_PROBE = (101, 7592, 2088, 999, 102)  # "Hello world!"
_SAME = 1e-5  # no two numbers of the same vector may differ by more
_LIKE = 0.95  # cosine of a quantised vector with the exact one

_Tensors = dict[str, FloatArray]
_Indices = NDArray[np.intp]


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

    @property
    def dimension(self) -> int:
        """384; loads nothing."""
        return DIMENSION

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """Unit vectors, float32 of shape (len(texts), 384); texts longer than 256 tokens are cut.

        Raises:
            EmbedderUnavailable: the weights are not here and cannot be fetched, or they cannot be
                read; or they are to be quantised, and onnxruntime cannot be used here.
        """
        if not texts:
            return np.empty((0, DIMENSION), dtype=np.float32)
        model = self._ready()
        with holding_exit():
            return self._vectors(model, texts)

    def _vectors(self, model: _Model, texts: Sequence[str]) -> FloatArray:
        vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
        tokenizer, network = model.tokenizer, model.network
        # One by one: it costs 1 % of the time, and the tokenizer's own threads do not survive a
        # fork.
        tokens = [_token_ids(tokenizer, text) for text in texts]
        if len(texts) == 1 or self._int8:  # a quantised vector depends on its neighbors in a batch
            return np.stack(each(network.embed_one, tokens))
        batches = list(_batches(list(map(len, tokens))))

        def embed(batch: list[int]) -> None:
            vectors[batch] = network.embed([tokens[index] for index in batch])

        with one_core():
            each(embed, batches)
        return vectors

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
    network: _Network


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
        tensors: _Tensors = load_file(folder / "model.safetensors")
        definition = (folder / "tokenizer.json").read_text(encoding="utf-8")
    except (OSError, SafetensorError) as error:
        raise EmbedderUnavailable(
            f"cannot read the model in {folder}: {error}; remove the folder and run `cogm models "
            "fetch`"
        ) from error
    tokenizer = Tokenizer.from_str(definition)
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAXIMUM_TOKENS)
    return _Model(tokenizer, _Network(tensors, int8=int8))


def _token_ids(tokenizer: Tokenizer, text: str) -> list[int]:
    """At most 256 token ids; a long text is not tokenised beyond what can matter."""
    if len(text) > _PREFIX_CHARACTERS:
        prefix = text[:_PREFIX_CHARACTERS].rsplit(maxsplit=1)[0]
        ids = tokenizer.encode(prefix).ids
        if len(ids) == MAXIMUM_TOKENS:  # exact: tokens do not depend on what follows a blank
            return ids
    return tokenizer.encode(text).ids


def _batches(lengths: list[int]) -> Iterator[list[int]]:
    """Indices in ascending order of length, in batches of `_BATCH_TOKENS` or a core's share."""
    batch: list[int] = []
    total = 0
    limit = min(_BATCH_TOKENS, max(_CORE_TOKENS, -(-sum(lengths) // cores())))
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and total + lengths[index] > limit:
            yield batch
            batch = []
            total = 0
        batch.append(index)
        total += lengths[index]
    yield batch


@dataclass(frozen=True, slots=True)
class Norm:
    """Layer normalisation: what its result is multiplied by, and what is added; shape (384,)."""

    gain: FloatArray
    shift: FloatArray

    def __call__(self, x: FloatArray) -> FloatArray:
        """Layer normalisation over the last axis, in place."""
        x -= x.mean(axis=1, keepdims=True)
        scale = np.einsum("ij,ij->i", x, x)
        scale /= DIMENSION
        scale += np.float32(_EPSILON)
        np.reciprocal(np.sqrt(scale, out=scale), out=scale)
        x *= scale[:, None]
        x *= self.gain
        x += self.shift
        return x


@dataclass(frozen=True, slots=True)
class Dense:
    """A dense layer: its matrix, shape (inputs, outputs), and its bias."""

    matrix: FloatArray
    bias: FloatArray

    def __call__(self, x: FloatArray) -> FloatArray:
        """Shape (tokens, inputs) -> (tokens, outputs)."""
        y: FloatArray = x @ self.matrix
        y += self.bias
        return y


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of the encoder: attention, then a wide and a narrow dense layer.

    The queries' part of `qkv` holds the scale of attention, and `narrow` the factor 0.5 of GELU.
    """

    qkv: Dense
    attended: Dense
    attended_norm: Norm
    wide: Dense
    narrow: Dense
    output_norm: Norm

    def __call__(self, x: FloatArray, groups: list[tuple[int, int, int]]) -> FloatArray:
        """All tokens of a batch, shape (tokens, 384); `groups` as `_groups` makes them."""
        y = self.attended(_attention(self.qkv(x), groups))
        y += x
        x = self.attended_norm(y)
        y = self.narrow(_gelu_twice(self.wide(x)))
        y += x
        return self.output_norm(y)


class _Network:
    """The weights, arranged for the forward pass.

    Immutable, so any number of threads may use it.

    Raises:
        EmbedderUnavailable: they are to be quantised, and onnxruntime cannot be used.
    """

    _compute: ComputeLayers | None

    def __init__(self, tensors: _Tensors, *, int8: bool) -> None:
        self._words = tensors["embeddings.word_embeddings.weight"]
        # All tokens are of type 0, so its row can be part of the positions.
        types = tensors["embeddings.token_type_embeddings.weight"]
        self._positions = tensors["embeddings.position_embeddings.weight"] + types[0]
        self._norm = _norm(tensors, "embeddings.LayerNorm")
        self._layers = [_layer(tensors, f"encoder.layer.{number}.") for number in range(_LAYERS)]
        with one_core():
            exact = self.embed([list(_PROBE)])[0]
        # Where the library computes something else, it is not used.
        self._compute = compile_layers(self._layers, int8=int8)
        if self._compute is not None:
            vector = self.embed_one(_PROBE)
            close = float(vector @ exact) >= _LIKE
            if not (close if int8 else np.abs(vector - exact).max() <= _SAME):
                self._compute = None
        if int8:
            self._layers = []
            if self._compute is None:
                raise EmbedderUnavailable(
                    "minilm-int8 needs onnxruntime >= 1.17, which cannot compute it here; install "
                    "or upgrade it, or use minilm"
                )

    def embed_one(self, ids: Sequence[int]) -> FloatArray:
        """The vector of one text by its token ids, shape (384,)."""
        if self._compute is None:
            with one_core():
                vector: FloatArray = self.embed([list(ids)])[0]
            return vector
        x = self._words[list(ids)]
        x += self._positions[: len(ids)]
        pooled: FloatArray = self._compute(self._norm(x)).sum(axis=0)
        pooled /= np.linalg.norm(pooled)
        return pooled

    def embed(self, batch: list[list[int]]) -> FloatArray:
        """Mean-pooled unit vectors, shape (len(batch), 384).

        Args:
            batch: token id lists in ascending order of length.
        """
        lengths = list(map(len, batch))
        starts: _Indices = np.cumsum([0, *lengths[:-1]])
        groups = _groups(lengths)
        # Some BLAS builds raise floating-point flags for finite results; finiteness is checked by
        # the caller.
        with np.errstate(all="ignore"):
            x = self._words[np.concatenate(batch)]
            x += self._positions[np.concatenate(list(map(np.arange, lengths)))]
            x = self._norm(x)
            for layer in self._layers:
                x = layer(x, groups)
            # The sum has the direction of the mean.
            pooled: FloatArray = np.add.reduceat(x, starts, axis=0)
            pooled /= np.linalg.norm(pooled, axis=1, keepdims=True)
        return pooled


def _norm(tensors: _Tensors, name: str) -> Norm:
    return Norm(tensors[f"{name}.weight"], tensors[f"{name}.bias"])


def _dense(tensors: _Tensors, *names: str, factor: float = 1.0) -> Dense:
    """One layer out of one or several that share their input."""
    matrix = np.concatenate([tensors[f"{name}.weight"] for name in names]).T * np.float32(factor)
    return Dense(
        np.ascontiguousarray(matrix), np.concatenate([tensors[f"{name}.bias"] for name in names])
    )


def _layer(tensors: _Tensors, prefix: str) -> Layer:
    attention = prefix + "attention."
    qkv = _dense(tensors, *(f"{attention}self.{part}" for part in ("query", "key", "value")))
    # The 1/sqrt(head) of attention is put into the query's weights once, instead of into every
    # score.
    qkv.matrix[:, :DIMENSION] *= np.float32(_HEAD**-0.5)
    qkv.bias[:DIMENSION] *= np.float32(_HEAD**-0.5)
    return Layer(
        qkv=qkv,
        attended=_dense(tensors, f"{attention}output.dense"),
        attended_norm=_norm(tensors, f"{attention}output.LayerNorm"),
        wide=_dense(tensors, f"{prefix}intermediate.dense"),
        narrow=_dense(tensors, f"{prefix}output.dense", factor=0.5),
        output_norm=_norm(tensors, f"{prefix}output.LayerNorm"),
    )


def _groups(lengths: list[int]) -> list[tuple[int, int, int]]:
    """Runs of texts of equal length, as (first token, number of texts, tokens per text).

    A run is cut to `_SCORES` attention scores.
    """
    groups = []
    start = 0
    for length, run in groupby(lengths):
        texts = sum(1 for _ in run)
        step = max(1, _SCORES // (HEADS * length * length))
        for first in range(0, texts, step):
            count = min(step, texts - first)
            groups.append((start, count, length))
            start += count * length
    return groups


def _attention(qkv: FloatArray, groups: list[tuple[int, int, int]]) -> FloatArray:
    """Scaled dot-product attention within each text; (tokens, 3 x 384) -> (tokens, 384)."""
    context = np.empty((len(qkv), DIMENSION), dtype=np.float32)
    for start, count, length in groups:
        rows = slice(start, start + count * length)
        parts = qkv[rows].reshape(count, length, 3, HEADS, _HEAD).transpose(2, 0, 3, 1, 4)
        scores = parts[0] @ parts[1].swapaxes(-1, -2)
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        target = context[rows].reshape(count, length, HEADS, _HEAD).transpose(0, 2, 1, 3)
        np.matmul(scores, parts[2], out=target)
    return context


def _gelu_twice(x: FloatArray) -> FloatArray:
    """2 GELU(x) in place; the factor 0.5 stands in the next layer's weights.

    x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), within 0.001 of the erf form (Hendrycks and Gimpel
    2016).
    """
    flat = x.reshape(-1)
    scratch = np.empty(min(_GELU_BLOCK, flat.size), dtype=np.float32)
    linear = np.float32(0.7978845608)
    cubic = np.float32(0.7978845608 * 0.044715)
    for start in range(0, flat.size, _GELU_BLOCK):
        block = flat[start : start + _GELU_BLOCK]
        inner = np.multiply(block, block, out=scratch[: block.size])
        inner *= cubic
        inner += linear
        inner *= block
        np.tanh(inner, out=inner)
        inner += np.float32(1.0)
        block *= inner
    return x
