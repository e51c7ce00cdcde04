"""Which of the intentions that wait for something a turn fulfils, by its words and by what it means."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from cogmem_core.models import Intention
from cogmem_core.ports import FloatArray, QueryEmbedder
from cogmem_core.text.triggers import (
    Clause,
    Evidence,
    Trigger,
    clauses_of,
    evidence_of,
    read_trigger,
)

__all__ = ["fulfilled"]

# How near a turn must be, above ordinary talk, where all words, half of them or none stand in it.
# Measured on the scenes with even numbers of tests/helpers/prospective_dialogues.py.
_SPOKEN_OF = 0.15
_HAPPENED = 0.3
_ONE_WORD = 0.37
_HALF_OF_THE_WORDS = 0.62
_MEANING_ALONE = 0.68
_PARAPHRASE = ("The car does not start.", "My vehicle is broken.")
_TELLS_MEANING = 0.3
_ORDINARY = (
    "Good morning, how are you?",
    "I had soup for lunch.",
    "The meeting was moved to Thursday.",
    "Can you help me with a letter?",
    "My brother plays the guitar.",
    "We painted the kitchen yellow.",
    "What is the capital of Peru?",
    "I run five kilometres every day.",
    "Thank you, that was helpful.",
    "The train was late again.",
    "Please summarise this article.",
    "I was born in Vienna.",
)
"""What has nothing to do with each other: how near its vectors are is no nearness at all."""


class _Waiting(NamedTuple):
    trigger: Trigger
    vector: FloatArray
    background: float


def fulfilled(
    embedder: QueryEmbedder,
    waiting: Sequence[Intention],
    text: str,
    said_at: datetime,
    *,
    speaker: str = "",
) -> list[Intention]:
    """Those of the intentions with a `when` that a turn fulfils.

    Args:
        embedder: of meanings; asked only if the words do not rule a clause out.
        waiting: intentions with a `when`.
        text: what was said.
        said_at: when, in the time zone of the speaker.
        speaker: who said it.

    Raises:
        EmbedderUnavailable: there is no vector.
    """
    clauses = clauses_of(text)
    found: list[Intention] = []
    evidences: list[tuple[Intention, Trigger, list[tuple[Clause, Evidence]]]] = []
    for intention in waiting:
        trigger = _trigger(intention.when or "")
        open_clauses: list[tuple[Clause, Evidence]] = []
        for clause in clauses:
            evidence = evidence_of(trigger, clause, said_at, speaker)
            if evidence.real and evidence.named:
                open_clauses.append((clause, evidence))
        if open_clauses:
            evidences.append((intention, trigger, open_clauses))
    if not evidences:
        return found
    texts = list(dict.fromkeys(clause.text for _, _, pairs in evidences for clause, _ in pairs))
    meaning = _tells_meaning(embedder)
    vectors = dict(zip(texts, _unit(embedder.embed_queries(texts)), strict=True))
    for intention, trigger, pairs in evidences:
        one = _waiting(embedder, trigger)
        for clause, evidence in pairs:
            nearness = float(vectors[clause.text] @ one.vector)
            lift = (nearness - one.background) / max(1.0 - one.background, 1e-6)
            if _enough(trigger, evidence, lift, tells_meaning=meaning):
                found.append(intention)
                break
    return found


def _enough(trigger: Trigger, evidence: Evidence, lift: float, *, tells_meaning: bool) -> bool:
    """Whether words and meaning together say so.

    Args:
        trigger: what is waited for.
        evidence: what the words say.
        lift: nearness above that of ordinary talk, at most 1.
        tells_meaning: the embedder does more than compare words; else all of them must be there.
    """
    if not tells_meaning:
        return evidence.coverage == 1.0
    if evidence.coverage == 1.0:
        if trigger.kind != "event":
            return lift >= _SPOKEN_OF
        return lift >= (_HAPPENED if evidence.matched > 1 else _ONE_WORD)
    return lift >= (_HALF_OF_THE_WORDS if evidence.coverage >= 0.5 else _MEANING_ALONE)


def _tells_meaning(embedder: QueryEmbedder) -> bool:
    """Whether sentences that share no word, and say the same, are near for an embedder."""
    first, second = _unit(embedder.embed_queries(_PARAPHRASE))
    return float(first @ second) - _background(embedder, first) >= _TELLS_MEANING


def _background(embedder: QueryEmbedder, vector: FloatArray) -> float:
    """How near ordinary talk is on the average, which has nothing to do with it."""
    return float((_unit(embedder.embed_queries(_ORDINARY)) @ vector).mean())


@lru_cache(maxsize=2_048)
def _trigger(when: str) -> Trigger:
    return read_trigger(when)


def _waiting(embedder: QueryEmbedder, trigger: Trigger) -> _Waiting:
    vector = _unit(embedder.embed_queries([trigger.text]))[0]
    return _Waiting(trigger, vector, _background(embedder, vector))


def _unit(vectors: FloatArray) -> FloatArray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: FloatArray = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
    return unit
