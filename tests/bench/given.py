"""Texts and vectors that benchmarks are given: what people wrote, and vectors of words that cost little to make."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

__all__ = ["DIMENSION", "GivenVectors", "Line", "lines", "messages", "questions", "sentences"]

DIMENSION = 384
REGISTERS = Path(__file__).parents[2] / "core" / "cogmem_eval" / "registers"
A_SESSION = 20
_WORD = re.compile(r"\w+")
_END = re.compile(r"(?<=[.!?。])\s+")


class GivenVectors:
    """The sum of one vector a word, rare words first: what shares words is near, and nothing is embedded."""

    fingerprint, dimension = "given-bench-384", DIMENSION
    local = True  # nothing is waited for

    def __init__(self) -> None:
        rng = np.random.default_rng(7)
        self._words = rng.standard_normal((16_384, DIMENSION), dtype=np.float32)

    def embed_query(self, text: str) -> np.ndarray[Any, Any]:
        words = {word.casefold() for word in _WORD.findall(text)}
        places = [crc32(word.encode()) % len(self._words) for word in sorted(words)]
        weights = np.array([len(word) for word in sorted(words)], dtype=np.float32)
        return weights @ self._words[places] if places else self._words[0]

    def embed_documents(self, texts: list[str]) -> np.ndarray[Any, Any]:
        return np.stack([self.embed_query(text) for text in texts])


@dataclass(frozen=True)
class Line:
    """One message of a long acquaintance.

    Attributes:
        text: what was written.
        speaker: who wrote it.
        session: the conversation that it belongs to.
        hours: after the first one.
    """

    text: str
    speaker: str
    session: str
    hours: float


@cache
def _written() -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Messages of all registers, their sentences, and what is asked."""
    texts: dict[str, None] = {}
    asked: dict[str, None] = {}
    for path in sorted(REGISTERS.glob("*/*.jsonl")):
        for row in path.read_text(encoding="utf-8").splitlines():
            bank = json.loads(row)
            texts.update((memory["text"], None) for memory in bank["memories"])
            asked.update((question["q"], None) for question in bank["questions"])
    parts = dict.fromkeys(part for text in texts for part in _END.split(text) if len(part) > 20)
    return tuple(texts), tuple(parts), tuple(asked)


def sentences(count: int, seed: int) -> Iterator[str]:
    """Messages as they were written, each once; then, of no end, two sentences of theirs together."""
    texts, parts, _ = _written()
    rng = np.random.default_rng(seed)
    if seed == 1:  # the first ones that a bank is filled with
        whole = [texts[place] for place in rng.permutation(len(texts))[:count]]
        yield from whole
        count -= len(whole)
    for first, second in rng.integers(len(parts), size=(count, 2)):
        yield f"{parts[first]} {parts[second]}"


def lines(count: int, seed: int) -> Iterator[Line]:
    """`sentences`, said by five people in conversations of 20 messages, one a day."""
    people = ("Maren", "Tobias", "Ayşe", "Ikram", "Noor")
    for number, text in enumerate(sentences(count, seed)):
        day, message = divmod(number, A_SESSION)
        speaker = people[(day + message % 2) % len(people)]
        yield Line(text, speaker, f"{seed}-{day}", 24 * day + message / 60)


def messages(part: int, seed: int) -> list[str]:
    """What people say: a quarter of the messages, each with one more sentence."""
    texts, parts, _ = _written()
    said = [text for text in texts if len(text) <= 200][part::4]
    picks = np.random.default_rng(seed).integers(len(parts), size=len(said))
    return [f"{text} {parts[pick]}" for text, pick in zip(said, picks, strict=True)]


def questions(count: int, seed: int) -> list[str]:
    """What is asked of such a bank."""
    asked = _written()[2]
    return [asked[place] for place in np.random.default_rng(seed).integers(len(asked), size=count)]
