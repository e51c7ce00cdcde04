"""MiniLM's layers as a graph for onnxruntime: one short text takes it half of numpy's time.

A batch is numpy's: there it is the faster one. The graph is a few kilobytes of protobuf, written
here, because the package `onnx` is 13 MB; its weights are the arrays that numpy computes with. It
names onnxruntime's own fused operators, so that nothing depends on what is recognised and fused.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cogmem_core.ports import FloatArray

if TYPE_CHECKING:
    from cogmem_core.embedders.minilm import Dense, Layer, Norm


ComputeLayers = Callable[[FloatArray], FloatArray]
"""What the layers make of the tokens of one text; float32 of shape (tokens, 384), as what it gets."""

_Array = NDArray[Any]

HEADS = 12
_WIDTH = 384
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


def compile_layers(layers: Sequence[Layer], *, int8: bool = False) -> ComputeLayers | None:
    """The layers, ready to compute on one core and without threads; None where onnxruntime cannot.

    Args:
        layers: the model's, in order.
        int8: with quantised weights: four times as fast as numpy, and a little less exact.
    """
    without_telemetry()
    try:
        import onnxruntime
        from onnxruntime.capi import onnxruntime_pybind11_state as state
    except (ImportError, OSError):
        return None
    # Its errors have no base of their own.
    errors: tuple[type[Exception], ...] = (AttributeError,)
    for kind in vars(state).values():
        if isinstance(kind, type) and issubclass(kind, Exception):
            errors += (kind,)
    graph = _Graph(int8=int8)
    output = "x"
    for layer in layers:
        output = graph.layer(output, layer)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # as fast without, and a long text leaves nothing behind
    options.log_severity_level = 4  # what goes wrong is told by exceptions
    large = {name: row for name, row in graph.weights.items() if row.nbytes > _INLINE_BYTES}
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(row) for row in large.values()]
    try:
        options.add_external_initializers(list(large), values)
        session = onnxruntime.InferenceSession(
            graph.model(output), options, providers=["CPUExecutionProvider"]
        )
    except errors:
        return None

    def compute(x: FloatArray, _kept: object = (large, values)) -> FloatArray:
        result: FloatArray = session.run(None, {"x": x[None]})[0][0]
        return result

    return compute


class _Graph:
    """Collects nodes and weights; each method returns the name of its output."""

    def __init__(self, *, int8: bool) -> None:
        self.weights: dict[str, _Array] = {}
        self._nodes: list[bytes] = []
        self._int8 = int8

    def layer(self, x: str, layer: Layer) -> str:
        """One layer of the encoder, as `minilm.Layer` computes it."""
        if self._int8:
            qkv = self._add("Add", [self._product(x, layer.qkv), layer.qkv.bias], domain="")
            parts = self._split(qkv)
            # The queries' weights hold the scale already.
            attended = self._add("MultiHeadAttention", parts, num_heads=HEADS, scale=1.0)
        else:
            weights = [layer.qkv.matrix, layer.qkv.bias]
            attended = self._add("Attention", [x, *weights], num_heads=HEADS, scale=1.0)
        x = self._normed(attended, x, layer.attended, layer.attended_norm)
        wide = self._add("FastGelu", [self._product(x, layer.wide), layer.wide.bias])
        # The next layer's weights hold the factor 0.5 of numpy's own way.
        return self._normed(
            self._add("Add", [wide, wide], domain=""), x, layer.narrow, layer.output_norm
        )

    def _normed(self, x: str, skipped: str, dense: Dense, norm: Norm) -> str:
        inputs: list[str | _Array] = [self._product(x, dense), skipped]
        inputs += [norm.gain, norm.shift, dense.bias]
        return self._add("SkipLayerNormalization", inputs, epsilon=_EPSILON)

    def _product(self, x: str, dense: Dense) -> str:
        if not self._int8:
            return self._add("MatMul", [x, dense.matrix], domain="")
        scales = np.abs(dense.matrix).max(axis=0) / np.float32(_QUANTISED)
        scales[scales == 0.0] = 1.0
        quantised = np.rint(dense.matrix / scales).astype(np.int8)
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
    place = _message((1, "location"), (2, "memory"))
    return _message(*head, (13, place), (14, 1))


def _tokens(name: str) -> bytes:
    """A value of shape (1, tokens, 384)."""
    sizes = [_message((1, 1)), _message((2, "tokens")), _message((1, _WIDTH))]
    shape = _message(*((1, size) for size in sizes))
    return _message((1, name), (2, _message((1, _message((1, 1), (2, shape))))))
