"""What each signal is worth: one linear model, fitted on registers of every kind (`data/ranking.json`).

The weights of `every` bank, and what is added to them in one form of it: where an assistant speaks, whose
long answers have the words of every question (`assisted`), where the question is in a language that the
embedder was not made for (`other_language`), and for messages that are no questions. `make ranking` fits
them anew.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Literal

from cogmem_core.reading import of
from cogmem_core.reading.question import asked
from cogmem_core.retrieval.signals import Pool

FORMS = ("every", "assisted", "other_language", "request", "telling")
ASSISTED_FROM = 0.1
"""From this share of the candidates on that an assistant said a bank is one of its chats."""
_ENGLISH_ONLY = "minilm"


def message_kind(query: str) -> Literal["question", "request", "telling"]:
    """What a message is: key words alone ask, too."""
    kind = asked(query).kind
    if kind == "request":
        return "request"
    return "telling" if kind == "telling" and of(query).of_kind("statement") else "question"


@lru_cache(maxsize=1)
def fitted() -> Mapping[str, Mapping[str, float]]:
    """The weights of each form, by signal."""
    text = files("cogmem_core").joinpath("data/ranking.json").read_text(encoding="utf-8")
    table: Mapping[str, Mapping[str, float]] = json.loads(text)
    return table


def forms_of(pool: Pool, query: str, fingerprint: str) -> tuple[str, ...]:
    """The forms that hold for a question.

    Args:
        pool: its candidates.
        query: its words.
        fingerprint: of the embedder.
    """
    said = pool.by_assistant
    kind = message_kind(query)
    holds = {
        "assisted": bool(len(said)) and float(said.mean()) >= ASSISTED_FROM,
        "request": kind == "request",
        "telling": kind == "telling",
        "other_language": fingerprint.startswith(_ENGLISH_ONLY) and of(query).language != "en",
    }
    return tuple(form for form in FORMS if holds.get(form, True))


def fitted_weights(forms: Collection[str]) -> dict[str, float]:
    """The weight of each fitted signal; what would lower a score counts nothing."""
    table = fitted()
    return {
        name: max(0.0, sum(table[form].get(name, 0.0) for form in forms)) for name in table["every"]
    }
