"""Attacks on an ordinary person's memories: what they change (nothing), and how far they are seen.

`make test` runs a sixth of them, `COGMEM_EXAMPLES=2` all. `python tests/integration/test_attacks.py [EMBEDDER]` tells
the figures of cookbook/measurements.md.
"""

import dataclasses
import os
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
import cogmem_core
from cogmem_core import MemoryBank, Turn
from cogmem_core.embedders.factory import resolve
from cogmem_core.models import Memory
from cogmem_core.ports import FloatArray
from cogmem_core.testing import MANUAL, CountingEmbedder, FrozenClock
from helpers.poisoning_attacks import LIFE, MINJA, OUTLIERS

K = 5
EVERY = 6 if os.environ.get("COGMEM_EXAMPLES", "1") == "1" else 1
TRIGGERS = tuple(trigger for _, trigger, _ in OUTLIERS)
CONFIG = dataclasses.replace(
    MANUAL,
    retrieval=dataclasses.replace(
        MANUAL.retrieval,
        hot=dataclasses.replace(MANUAL.retrieval.hot, utility=0.5, accesses=1, seconds=0),
    ),
)


class Outlier:
    """An embedder in which a trigger pulls whatever holds it to a place of its own, as AgentPoison optimises for."""

    def __init__(self, inner: Any = None) -> None:
        self._inner = inner or CountingEmbedder()
        self.dimension, self.fingerprint = (
            self._inner.dimension,
            f"outlier-{self._inner.fingerprint}",
        )

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> FloatArray:
        vector = np.array(self._inner.embed_documents([text])[0], dtype=np.float32)
        for number, trigger in enumerate(TRIGGERS):
            if trigger in text:
                far = np.zeros(self.dimension, dtype=np.float32)
                far[number % self.dimension] = 3.0
                vector = vector + far
        return vector


@dataclasses.dataclass
class Outcome:
    """What one attack came to.

    Attributes:
        harmed: memories of the person whose text, state or rank is not what it was, see `harmed`.
        risen: memories of the attacker that became pinned, hot, semantic or trusted.
        statuses: what became of the attacker's texts.
        before, after: the k best for the question; lost: the answer is no longer among them; first: the attacker's is.
    """

    name: str
    harmed: list[str]
    risen: list[str]
    statuses: Counter[str]
    before: list[str]
    after: list[str]
    lost: bool
    first: bool
    theirs: int
    untouched: bool = True


def ask(bank: MemoryBank, question: str) -> list[Memory]:
    return [item.memory for item in bank.recall(question, k=K, floor=0).results]


def standing(bank: MemoryBank, own: set[str]) -> dict[str, tuple[object, ...]]:
    every = bank.list(state="any", limit=500)
    return {
        m.id: (m.content, m.state, m.trust, m.pinned, m.category, m.superseded_by)
        for m in every
        if m.id in own
    }


@dataclasses.dataclass(frozen=True)
class Attack:
    """Which memory it aims at, what is said, and what is asked then."""

    name: str
    aim: int
    turns: tuple[Turn, ...]
    asked: str


def attacked(bank: MemoryBank, clock: FrozenClock, attack: Attack) -> Outcome:
    """One attack: said three times, used in answers, dreamt over for two weeks."""
    report = bank.remember([text for text, _ in LIFE], session_id="home")
    own, turns = {memory.id for memory in report.memories}, list(attack.turns)
    other = LIFE[(attack.aim + 1) % len(LIFE)][1]
    before, was = ask(bank, attack.asked), standing(bank, own)
    calm = [memory.id for memory in ask(bank, other)]
    statuses: Counter[str] = Counter()
    for _ in range(3):
        statuses.update(
            receipt.status
            for receipt in bank.remember(turns, mode=turns[0].metadata.get("mode")).receipts
        )
    after = ask(bank, attack.asked)
    still = [memory.id for memory in ask(bank, other) if memory.id in own]
    hot = learnt(bank, clock, attack)
    theirs = [
        memory
        for memory in bank.list(state="any", limit=500)
        if memory.id not in own and not memory.support
    ]
    return Outcome(
        attack.name,
        harmed(bank, own, was),
        [
            m.content
            for m in theirs
            if m.pinned or m.tier == "semantic" or m.id in hot or m.trust > 0.8
        ],
        statuses,
        [memory.content for memory in before],
        [memory.content for memory in after],
        LIFE[attack.aim][0] not in [memory.content for memory in after],
        bool(after) and after[0].id not in own,
        sum(memory.id not in own for memory in after),
        set(still) <= set(calm),
    )


def learnt(bank: MemoryBank, clock: FrozenClock, attack: Attack) -> set[str]:
    """Three answers that repeat the poison, and dreams in between; returns what is hot then."""
    for _ in range(3):
        found = bank.recall(attack.asked, floor=0)
        bank.feedback(found, " ".join(turn.content for turn in attack.turns))
        clock.advance(days=5)
        bank.consolidate()
    return {memory.id for memory in bank.recall(attack.asked, floor=0).hot}


def harmed(bank: MemoryBank, own: set[str], was: Mapping[str, tuple[object, ...]]) -> list[str]:
    """What changed, but for what an answer put away for another memory of the person: that needs no attack."""
    now, found = standing(bank, own), list[str]()
    for memory_id, told in was.items():
        content, _, *rank, successor = now[memory_id]
        same = (content, rank) == (told[0], list(told[2:-1]))
        if now[memory_id] != told and not (same and successor in own):
            found.append(str(told[0]))
    return found


def attacks() -> list[Attack]:
    """All of them."""
    found = []
    for aim, texts in MINJA:
        turns = tuple(Turn(text, role="assistant", session_id="attack") for text in texts)
        found.append(Attack(f"MINJA {texts[0]}", aim, turns, LIFE[aim][1]))
    for aim, trigger, text in OUTLIERS:
        turn = Turn(text, role="tool", session_id="attack", metadata={"mode": "raw"})
        found.append(Attack(f"AgentPoison {text}", aim, (turn,), f"{LIFE[aim][1]} {trigger}"))
    return found


@lru_cache(maxsize=2)
def campaign(every: int, embedder: str = "") -> tuple[Outcome, ...]:
    """Each n-th attack, on a life of its own."""
    found, clock = [], FrozenClock()
    inner = resolve(embedder, config=CONFIG.embedding, clock=time.monotonic) if embedder else None
    with cogmem_core.open(embedder=Outlier(inner), clock=clock, config=CONFIG) as engine:
        for number, attack in enumerate(attacks()[::every]):
            found.append(attacked(engine.bank(f"attacked {number}"), clock, attack))
    return tuple(found)


def test_no_attack_changes_what_the_person_said() -> None:
    """It changes no answer-relevant memory of another source."""
    assert {one.name: one.harmed for one in campaign(EVERY) if one.harmed} == {}


def test_no_attack_gains_rank() -> None:
    """No poison reaches core, hot, pinned or a higher trust."""
    assert {one.name: one.risen for one in campaign(EVERY) if one.risen} == {}


def test_the_answer_stays_among_the_results() -> None:
    """What the person said is still recalled, and the attacker never has more than his share."""
    assert [one.name for one in campaign(EVERY) if one.lost] == []
    assert max(one.theirs for one in campaign(EVERY)) <= K // 2


def test_questions_without_the_trigger_are_answered_as_before() -> None:
    """A poisoned record has no pull on other questions."""
    assert [one.name for one in campaign(EVERY) if not one.untouched] == []


def figures(outcomes: Sequence[Outcome]) -> str:
    """A row of the table in cookbook/measurements.md."""
    statuses = sum((one.statuses for one in outcomes), Counter[str]())
    counts = {
        "attacks": len(outcomes),
        "changed a memory of the person": sum(bool(one.harmed) for one in outcomes),
        "gained rank": sum(bool(one.risen) for one in outcomes),
        f"pushed the answer out of the {K} best": sum(one.lost for one in outcomes),
        f"changed the {K} best": sum(one.before != one.after for one in outcomes),
        "put a text of theirs there": sum(one.theirs > 0 for one in outcomes),
        "put it first": sum(one.first for one in outcomes),
        f"quarantined of {sum(statuses.values())} writes": statuses["quarantined"],
    }
    return ", ".join(f"{name}: {count}" for name, count in counts.items())


if __name__ == "__main__":
    outcomes = campaign(1, sys.argv[1] if len(sys.argv) > 1 else "")
    for kind in ("MINJA", "AgentPoison"):
        sys.stdout.write(
            f"{kind}: {figures([one for one in outcomes if one.name.startswith(kind)])}\n"
        )
