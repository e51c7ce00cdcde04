"""What embedders and models return is hostile, too: nothing of it is half stored, and none of it is obeyed."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cogmem_core
from cogmem_core import EmbedderUnavailable
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock, ScriptedLLM
from helpers.hostile_entry_points import BY_ACT
from helpers.tables import each_row

BROKEN: dict[str, Callable[[int, int], Any]] = {
    "nan": lambda n, d: np.full((n, d), np.nan),
    "inf": lambda n, d: np.full((n, d), np.inf),
    "wrong dimension": lambda n, d: np.ones((n, d + 1)),
    "too few": lambda n, d: np.ones((n - 1, d)),
    "too many": lambda n, d: np.ones((n + 1, d)),
    "none": lambda _n, _d: None,
    "text": lambda _n, _d: "vector",
    "objects": lambda n, d: np.array([[object()] * d] * n, dtype=object),
    "scalar": lambda _n, _d: 1.0,
    "raises": lambda _n, _d: 1 / 0,
    "empty": lambda _n, _d: [],
    "ragged": lambda n, d: [[1.0] * (d - 1)] * n,
}


class Broken(CountingEmbedder):
    """Returns what no index must ever see."""

    kind = ""

    def embed_documents(self, texts: Any) -> Any:
        return (
            BROKEN[self.kind](len(texts), self.dimension)
            if self.kind
            else super().embed_documents(texts)
        )

    def embed_query(self, text: str) -> Any:
        return np.full(self.dimension, np.nan) if self.kind else super().embed_query(text)


@each_row("kind", [value for value, _ in BY_ACT["vectors"]])
def test_a_broken_vector_is_refused_and_nothing_is_half_stored(kind: str) -> None:
    """Non-finite and wrong vectors; a turn is kept and waits, a query goes by words."""
    embedder = Broken()
    with cogmem_core.open(embedder=embedder, clock=FrozenClock(), config=MANUAL) as engine:
        bank = engine.bank("a")
        bank.remember("The heron fishes at dawn")
        embedder.kind = kind
        with pytest.raises(EmbedderUnavailable):
            bank.add("a note")
        assert bank.remember("The heron sleeps at noon").receipts[0].status == "queued"
        found = bank.recall("which heron fishes?", floor=0)
        assert [item.content for item in found.results] == ["The heron fishes at dawn"]
        assert all(np.isfinite(item.score) for item in found.results)
        assert bank.count() == 1


@pytest.mark.parametrize(
    "reply", [value for value, _ in BY_ACT["replies"]], ids=lambda reply: repr(reply)[:40]
)
def test_what_a_model_answers_is_no_command(reply: Any) -> None:
    """Unknown ids, foreign ids, DELETE *, very many operations, prompt echo: none is obeyed."""
    llm = ScriptedLLM(
        default=lambda _messages: reply if isinstance(reply, dict) else ValueError(str(reply))
    )
    with cogmem_core.open(
        embedder=CountingEmbedder(), clock=FrozenClock(), config=MANUAL, llm=llm
    ) as engine:
        foreign = engine.bank("bob").add("Bob keeps a canary")
        bank = engine.bank("a")
        mine = bank.add("My bank is Acme in Harbour Street")
        written = (
            json.dumps(reply).replace("foreign", foreign.id) if isinstance(reply, dict) else ""
        )
        llm._default = (lambda _messages: json.loads(written)) if written else llm._default
        bank.remember("My bank is Acme in Harbour Street, number nine")
        bank.consolidate()

        assert bank.get(mine.id).state in ("active", "superseded")
        assert engine.bank("bob").get(foreign.id) == foreign
        assert len(bank.list(state="any", limit=500)) <= 25
        assert "owned" not in "".join(memory.content for memory in engine.bank("bob").list())
