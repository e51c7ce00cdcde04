"""MiniLM's encoder as a graph for onnxruntime: from token ids to a vector for each token.

The graph is a few kilobytes of protobuf, written here, because the package `onnx` is 13 MB. It
names onnxruntime's own fused operators, so that nothing depends on what is recognised and fused.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cogmem_core.ports import FloatArray

__all__ = ["Encode", "compile_encoder", "without_telemetry"]

Encode = Callable[[Sequence[int]], FloatArray]
"""The vectors of the tokens of one text, from their ids; float32 of shape (tokens, 384)."""

_Array = NDArray[Any]

_LAYERS = 6
_HEADS = 12
_WIDTH = 384
_SCALE = np.float32((_WIDTH // _HEADS) ** -0.5)
_EPSILON = 1e-12
_QUANTISED = 63
"""The largest quantised weight: 7 bits, because two products of 8 bits overflow on processors without VNNI."""
_MICROSOFT = "com.microsoft"
_KINDS = {"float32": 1, "int8": 3}
_INLINE_BYTES = 1_024  # smaller weights stand in the graph itself


def without_telemetry() -> None:
    """Call it before importing onnxruntime: it shall tell nobody that it is used, unless the user says so.

    From 1.32 on it reports to its makers by default. The threads that do so begin with its import;
    in a forked child they are missing, and the child would wait for them for ever when it ends.
    """
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")


def compile_encoder(tensors: Mapping[str, FloatArray], *, int8: bool) -> Encode:
    """The encoder, ready to compute on one core and without threads.

    Args:
        tensors: the published weights, by name.
        int8: with quantised weights: faster, and a little less exact.

    Raises:
        ImportError, OSError, AttributeError: onnxruntime is not here, cannot be loaded or is too old.
    """
    without_telemetry()
    import onnxruntime

    words, places, types = (
        tensors[f"embeddings.{kind}_embeddings.weight"]
        for kind in ("word", "position", "token_type")
    )
    places = places + types[0]  # all tokens are of type 0
    gain, shift = (tensors[f"embeddings.LayerNorm.{kind}"] for kind in ("weight", "bias"))
    graph = _Graph(tensors, int8=int8)
    output = "x"
    for number in range(_LAYERS):
        output = graph.layer(output, f"encoder.layer.{number}.")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # as fast without, and a long text leaves nothing behind
    options.log_severity_level = 4  # what goes wrong is told by exceptions
    large = {name: row for name, row in graph.weights.items() if row.nbytes > _INLINE_BYTES}
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(row) for row in large.values()]
    options.add_external_initializers(list(large), values)
    session = onnxruntime.InferenceSession(
        graph.model(output), options, providers=["CPUExecutionProvider"]
    )

    def encode(ids: Sequence[int], _kept: object = (large, values)) -> FloatArray:
        x = _normalised(words[list(ids)] + places[: len(ids)]) * gain + shift
        result: FloatArray = session.run(None, {"x": x[None]})[0][0]
        return result

    return encode


def _normalised(x: FloatArray) -> FloatArray:
    """Each row with mean 0 and variance 1, in place."""
    x -= x.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", x, x) / _WIDTH + np.float32(_EPSILON)
    x *= np.reciprocal(np.sqrt(variance))[:, None]
    return x


class _Graph:
    """Collects nodes and weights; each method returns the name of its output."""

    def __init__(self, tensors: Mapping[str, FloatArray], *, int8: bool) -> None:
        self.weights: dict[str, _Array] = {}
        self._tensors = tensors
        self._nodes: list[bytes] = []
        self._int8 = int8

    def layer(self, x: str, name: str) -> str:
        """Attention, then a wide and a narrow dense layer."""
        parts = [f"{name}attention.self.{part}" for part in ("query", "key", "value")]
        matrix, bias = (
            np.concatenate([self._tensors[f"{part}.{kind}"] for part in parts])
            for kind in ("weight", "bias")
        )
        # The scale of attention is put into the query's weights once, not into every score.
        matrix[:_WIDTH] *= _SCALE
        bias[:_WIDTH] *= _SCALE
        together = self._add("Add", [self._product(x, matrix), bias], domain="")
        split = self._split(together)
        attended = self._add("MultiHeadAttention", split, num_heads=_HEADS, scale=1.0)
        x = self._normed(attended, x, f"{name}attention.output")
        matrix, bias = self._pair(f"{name}intermediate.dense")
        wide = self._add("FastGelu", [self._product(x, matrix), bias])
        return self._normed(wide, x, f"{name}output")

    def _normed(self, x: str, skipped: str, name: str) -> str:
        """A dense layer, what went round it, and the normalisation of both together."""
        matrix, bias = self._pair(f"{name}.dense")
        product = self._product(x, matrix)
        gain, shift = self._pair(f"{name}.LayerNorm")
        inputs: list[str | _Array] = [product, skipped, gain, shift, bias]
        return self._add("SkipLayerNormalization", inputs, epsilon=_EPSILON)

    def _pair(self, name: str) -> tuple[FloatArray, FloatArray]:
        return self._tensors[f"{name}.weight"], self._tensors[f"{name}.bias"]

    def _product(self, x: str, matrix: FloatArray) -> str:
        matrix = matrix.T
        if not self._int8:
            return self._add("MatMul", [x, matrix], domain="")
        scales = np.abs(matrix).max(axis=0) / np.float32(_QUANTISED)
        scales[scales == 0.0] = 1.0
        quantised = np.rint(matrix / scales).astype(np.int8)
        zeros = np.zeros(len(scales), dtype=np.int8)
        return self._add("DynamicQuantizeMatMul", [x, quantised, scales, zeros])

    def _split(self, x: str) -> list[str]:
        names = [f"{x}_{part}" for part in range(3)]
        outputs = [(2, name) for name in names]
        attributes = [(5, _attribute("axis", 2)), (5, _attribute("num_outputs", 3))]
        self._nodes.append(_message((1, x), *outputs, (4, "Split"), *attributes))
        return names

    def _add(
        self,
        kind: str,
        inputs: Sequence[str | _Array],
        *,
        domain: str = _MICROSOFT,
        **attributes: float,
    ) -> str:
        names: list[tuple[int, str]] = []
        for value in inputs:
            name = value if isinstance(value, str) else f"weight_{len(self.weights)}"
            if not isinstance(value, str):
                self.weights[name] = np.ascontiguousarray(value)
            names.append((1, name))
        output = f"node_{len(self._nodes)}"
        rows = [(5, _attribute(name, value)) for name, value in attributes.items()]
        self._nodes.append(_message(*names, (2, output), (4, kind), *rows, (7, domain)))
        return output

    def model(self, output: str) -> bytes:
        """The graph from `x` to an output, as a serialised `ModelProto`."""
        nodes = [(1, node) for node in self._nodes]
        weights = [(5, _tensor(name, row)) for name, row in self.weights.items()]
        graph = _message(*nodes, (2, "minilm"), *weights, (11, _tokens("x")), (12, _tokens(output)))
        operators = [(8, _message((1, ""), (2, 18))), (8, _message((1, _MICROSOFT), (2, 1)))]
        return _message((1, 8), *operators, (7, graph))


# Protobuf's wire format, and ONNX's messages: the numbers are those of the fields in onnx.proto.


def _message(*fields: tuple[int, int | float | str | bytes]) -> bytes:
    parts: list[bytes] = []
    for number, value in fields:
        if isinstance(value, int):
            parts += [_varint(number << 3), _varint(value)]
        elif isinstance(value, float):
            parts += [_varint(number << 3 | 5), np.float32(value).tobytes()]
        else:
            content = value.encode() if isinstance(value, str) else value
            parts += [_varint(number << 3 | 2), _varint(len(content)), content]
    return b"".join(parts)


def _varint(number: int) -> bytes:
    digits = bytearray()
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    digits.append(number)
    return bytes(digits)


def _attribute(name: str, value: float) -> bytes:
    if isinstance(value, int):
        return _message((1, name), (3, value), (20, 2))
    return _message((1, name), (2, value), (20, 1))


def _tensor(name: str, row: _Array) -> bytes:
    """A weight; a large one stands outside, where `add_external_initializers` finds it."""
    head = [*((1, length) for length in row.shape), (2, _KINDS[row.dtype.name]), (8, name)]
    if row.nbytes <= _INLINE_BYTES:
        return _message(*head, (9, row.tobytes()))
    return _message(*head, (13, _message((1, "location"), (2, "memory"))), (14, 1))


def _tokens(name: str) -> bytes:
    """A value of shape (1, tokens, 384)."""
    sizes = [_message((1, 1)), _message((2, "tokens")), _message((1, _WIDTH))]
    shape = _message(*((1, size) for size in sizes))
    return _message((1, name), (2, _message((1, _message((1, 1), (2, shape))))))
