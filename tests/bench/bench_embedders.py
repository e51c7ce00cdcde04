"""The default embedder against Chroma's default embedding function: same weights, same texts, same run.

Chroma's function wants to download an ONNX file. Here an equivalent one (the plain operators of a standard export,
which onnxruntime then fuses) is built from the same weights, and Chroma's own class runs it.

Run `python tests/bench/bench_embedders.py`; it needs the `onnx` package. One line per bound; exit code 1 if one fails.
"""

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from bounds import held

from cogmem_core.embedders import MiniLM, weights

ROUNDS = 3

STORY = """
I moved to Lisbon in May, right after the semester ended. Yeah, the kids loved the museum, especially the
dinosaurs; we stayed until it closed and then had ice cream. I've been looking into counseling and mental
health as a career. My doctor says I should cut down on sugar, so no more baklava for a while! How did you get
into pottery? My bowls came out crooked, but the teacher was patient, and I ended up with a mug that I use
every morning for my tea. Last weekend we drove up to the lake with the tent and the old canoe, and an eagle
caught a fish right in front of us.
"""
WORDS = STORY.split()
QUERY = "When did Caroline go to the support group?"


def text(start: int, words: int) -> str:
    """A stretch of conversation."""
    return " ".join(WORDS[(start + offset) % len(WORDS)] for offset in range(words))


def turns(count: int) -> list[str]:
    """Dialogue turns of 3 to 50 words; 34 tokens on average (in published conversation data: 35)."""
    return [f"{WORDS[n]}: {text(n * 11, 3 + n * 29 % 48)}" for n in range(count)]


class Graph:
    """Collects the nodes and constants of an ONNX graph of the model; every method returns the name of its output."""

    def __init__(self, tensors: dict[str, Any]) -> None:
        self.tensors = tensors
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.split, self.merge = self.indices(0, 0, 12, 32), self.indices(0, 0, 384)
        seen = self.add("Cast", self.add("Unsqueeze", "attention_mask", self.indices(1, 2)), to=1)
        self.mask = self.add("Mul", self.add("Sub", self.scalar(1.0), seen), self.scalar(-10_000.0))

    def constant(self, value: Any) -> str:
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(value, f"constant_{len(self.constants)}"))
        return str(self.constants[-1].name)

    def scalar(self, value: float) -> str:
        return self.constant(np.array(value, dtype=np.float32))

    def indices(self, *values: int) -> str:
        return self.constant(np.array(values, dtype=np.int64))

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        from onnx import helper

        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def dense(self, x: str, name: str) -> str:
        matrix = np.ascontiguousarray(self.tensors[f"{name}.weight"].T)
        return self.add(
            "Add",
            self.add("MatMul", x, self.constant(matrix)),
            self.constant(self.tensors[f"{name}.bias"]),
        )

    def norm(self, x: str, name: str) -> str:
        gain, shift = (self.constant(self.tensors[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self.add("LayerNormalization", x, gain, shift, axis=-1, epsilon=1e-12)

    def gelu(self, x: str) -> str:
        erf = self.add("Erf", self.add("Div", x, self.scalar(2**0.5)))
        return self.add(
            "Mul", self.add("Mul", x, self.add("Add", erf, self.scalar(1.0))), self.scalar(0.5)
        )

    def attention(self, x: str, name: str) -> str:
        names = (f"{name}self.{part}" for part in ("query", "key", "value"))
        query, key, value = (self.add("Reshape", self.dense(x, part), self.split) for part in names)
        query, value = (self.add("Transpose", part, perm=[0, 2, 1, 3]) for part in (query, value))
        scores = self.add("MatMul", query, self.add("Transpose", key, perm=[0, 2, 3, 1]))
        scores = self.add("Add", self.add("Div", scores, self.scalar(32**0.5)), self.mask)
        context = self.add("MatMul", self.add("Softmax", scores, axis=-1), value)
        context = self.add("Reshape", self.add("Transpose", context, perm=[0, 2, 1, 3]), self.merge)
        return self.dense(context, f"{name}output.dense")

    def embedding(self) -> str:
        tables = (
            f"embeddings.{name}_embeddings.weight" for name in ("word", "token_type", "position")
        )
        words, types, positions = (self.constant(self.tensors[table]) for table in tables)
        length = self.add("Gather", self.add("Shape", "input_ids"), self.indices(1))
        x = self.add(
            "Add",
            self.add("Gather", words, "input_ids"),
            self.add("Gather", types, "token_type_ids"),
        )
        x = self.add(
            "Add", x, self.add("Slice", positions, self.indices(0), length, self.indices(0))
        )
        return self.norm(x, "embeddings.LayerNorm")

    def layer(self, x: str, name: str) -> str:
        attended = self.add("Add", self.attention(x, f"{name}attention."), x)
        x = self.norm(attended, f"{name}attention.output.LayerNorm")
        wide = self.gelu(self.dense(x, f"{name}intermediate.dense"))
        return self.norm(
            self.add("Add", self.dense(wide, f"{name}output.dense"), x), f"{name}output.LayerNorm"
        )


def build_onnx(folder: Path, target: Path) -> None:
    """Write the model as a plain ONNX graph with the inputs and the output of Chroma's file."""
    import onnx
    from onnx import TensorProto, helper
    from safetensors.numpy import load_file

    graph = Graph(load_file(folder / "model.safetensors"))
    x = graph.embedding()
    for number in range(6):
        x = graph.layer(x, f"encoder.layer.{number}.")
    graph.nodes.append(helper.make_node("Identity", [x], ["last_hidden_state"]))
    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in names
    ]
    output = helper.make_tensor_value_info(
        "last_hidden_state", TensorProto.FLOAT, ["batch", "length", 384]
    )
    whole = helper.make_graph(graph.nodes, "minilm", inputs, [output], graph.constants)
    model = helper.make_model(whole, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, str(target))


def chroma_function(weights_folder: Path, temp: Path) -> Callable[[list[str]], Any]:
    """Chroma's own class, pointed at a folder that already holds what it would download."""
    from chromadb.utils.embedding_functions.onnx_mini_lm_l6_v2 import ONNXMiniLM_L6_V2

    class Local(ONNXMiniLM_L6_V2):
        DOWNLOAD_PATH = temp

    folder = temp / ONNXMiniLM_L6_V2.EXTRACTED_FOLDER_NAME
    folder.mkdir(parents=True)
    for name in ("config.json", "special_tokens_map.json", "tokenizer_config.json", "vocab.txt"):
        (folder / name).touch()
    shutil.copy(weights_folder / "tokenizer.json", folder)
    build_onnx(weights_folder, folder / "model.onnx")
    return Local()


def seconds(call: Callable[[], object], repeat: int) -> list[float]:
    """Durations of calls in a row, after one that is not counted: both libraries' threads spin a while after a call."""
    call()
    durations = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        durations.append(time.perf_counter() - start)
    return durations


def compare(
    first: Callable[[], object], second: Callable[[], object], repeat: int
) -> tuple[float, float]:
    """Best seconds of each (another load only ever adds time); they take turns for `ROUNDS` rounds."""
    pairs = [(seconds(first, repeat), seconds(second, repeat)) for _ in range(ROUNDS)]
    one, two = (min(chain.from_iterable(side)) for side in zip(*pairs, strict=True))
    return one, two


def speed(name: str, bound: float, theirs: float, ours: float, texts: Sequence[str]) -> bool:
    """Report a ratio of speeds with both absolute figures."""
    unit = "ms" if len(texts) == 1 else "texts/s"
    figures = [1000 * each if len(texts) == 1 else len(texts) / each for each in (ours, theirs)]
    note = f"cogmem {figures[0]:.1f} {unit}, Chroma {figures[1]:.1f} {unit}"
    return held(name, theirs / ours, bound, "x", at_least=True, note=note)


def main() -> int:
    """Measure, print, and return the exit code."""
    try:
        import onnx  # noqa: F401
    except ImportError as error:
        print(
            f"bench_embedders: skipped, the onnx package is not usable here ({error}); pip install onnx"
        )
        return 0
    folder, batch = weights.fetch("minilm"), turns(64)
    ours = MiniLM(folder)
    long = [text(start, 260) for start in range(16)]
    with tempfile.TemporaryDirectory() as temp:
        theirs = chroma_function(folder, Path(temp) / "chroma")
        cosine = float((np.array(theirs(batch)) * ours.embed_documents(batch)).sum(axis=1).min())
        passed = [
            held(
                "smallest cosine with Chroma's vectors",
                cosine,
                0.9999,
                at_least=True,
                note="64 texts",
            )
        ]
        batched = compare(lambda: theirs(batch), lambda: ours.embed_documents(batch), 2)
        passed.append(speed("speed-up: batch of 64 dialogue turns", 4.0, *batched, batch))
        single = compare(lambda: theirs([QUERY]), lambda: ours.embed_query(QUERY), 20)
        passed.append(speed("speed-up: one short text", 2.5, *single, [QUERY]))
        cut = compare(lambda: theirs(long), lambda: ours.embed_documents(long), 3)
        passed.append(speed("speed-up: 16 texts of 256 tokens (no padding)", 0.5, *cut, long))
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
