"""Texts and vectors that benchmarks are given: drawn from seeds, and embedding costs nothing worth measuring."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["DIMENSION", "WORDS", "GivenVectors", "messages", "sentences"]

DIMENSION = 384
TALK = Path(__file__).parents[2] / "core" / "cogmem_core" / "data" / "elif.jsonl"
WORDS = [
    f"{first}{second}{third}"
    for first in "bdfgklmnprst"
    for second in "aeiou"
    for third in "bdfgklmnprst"
]
WORDS = [word + end for word in WORDS for end in ("", "an", "or", "is", "um", "el", "it")]


class GivenVectors:
    """Vectors around 500 topics, drawn from the text alone: embedding costs nothing worth measuring."""

    fingerprint, dimension = "given-bench-384", DIMENSION
    local = True  # nothing is waited for

    def __init__(self) -> None:
        rng = np.random.default_rng(7)
        self._topics = rng.standard_normal((500, DIMENSION), dtype=np.float32)
        self._noise = rng.standard_normal((4096, DIMENSION), dtype=np.float32)

    def embed_query(self, text: str) -> np.ndarray[Any, Any]:
        code = sum(ord(character) * (position % 97 + 1) for position, character in enumerate(text))
        return (
            self._topics[code % 500]
            + 0.7 * self._noise[code % 4096]
            + 0.3 * self._noise[code * 31 % 4093]
        )

    def embed_documents(self, texts: list[str]) -> np.ndarray[Any, Any]:
        return np.stack([self.embed_query(text) for text in texts])


def sentences(count: int, seed: int) -> Iterator[str]:
    rng = np.random.default_rng(seed)
    weights = 1 / np.arange(1, len(WORDS) + 1)
    picks = rng.choice(len(WORDS), size=(count, 12), p=weights / weights.sum())
    for number, row in enumerate(picks):
        yield f"note {seed}x{number} " + " ".join(WORDS[position] for position in row)


def messages(part: int, seed: int) -> list[str]:
    """What people say: a quarter of a conversation, each message made unique by two words of its own."""
    said = [json.loads(row)["content"] for row in TALK.read_text(encoding="utf-8").splitlines()][
        part::4
    ]
    picks = np.random.default_rng(seed).choice(len(WORDS), size=(len(said), 2))
    return [f"{text} {WORDS[a]} {WORDS[b]}" for text, (a, b) in zip(said, picks, strict=True)]
