"""Unified-update: "malformed LLM output → safe no-op": whatever a model answers, nothing is lost."""

from collections.abc import Iterator
from itertools import cycle
from typing import Any, NamedTuple

import pytest

import cogmem_core
from cogmem_core import Config, MemoryBank
from cogmem_core.embedders import MiniLM
from cogmem_core.llm import LLMOutputError, LLMUnavailable
from cogmem_core.skills.decide import DecideAnswer
from cogmem_core.testing import FrozenClock, ScriptedLLM
from helpers.model_answers import formed, lazy
from helpers.tables import each_case_of


class Case(NamedTuple):
    """What is known, what is said next, what the table of similarities makes of it, and what is known then."""

    old: str
    new: str
    status: str
    known: tuple[str, ...]


CASES = {
    "contradiction": Case(
        "User lives in Lisbon", "User moved to Porto", "superseded", ("User moved to Porto",)
    ),
    "refinement": Case(
        "User plays the piano",
        "User plays the piano every evening",
        "updated",
        ("User plays the piano every evening",),
    ),
    "duplicate": Case(
        "User likes hiking", "User enjoys hiking", "reinforced", ("User likes hiking",)
    ),
    "look-alike": Case(
        "User has a sister in Rome",
        "User has a brother in Rome",
        "stored",
        ("User has a sister in Rome", "User has a brother in Rome"),
    ),
}
SAID = {
    "contradiction": ("I live in Lisbon", "I moved to Porto"),
    "refinement": ("I play the piano", "I play the piano every evening"),
    "duplicate": ("I like hiking", "I enjoy hiking a lot, really"),
    "look-alike": ("I have a sister in Rome", "I have a brother in Rome"),
}


def decisions(*changed: dict[str, Any]) -> dict[str, Any]:
    plain = {"fact": 0, "action": "ADD", "id": None, "relation": None, "text": None, "links": []}
    return {"decisions": [{**plain, **one} for one in changed]}


FOREIGN = "01990000-0000-7000-8000-000000000001"
MALFORMED: dict[str, Any] = {
    "no answer": LLMUnavailable("did not answer in time"),
    "refusal": LLMOutputError("the model refused to answer"),
    "time-out": TimeoutError("30 s"),
    "a bug of the client": ZeroDivisionError("of all things"),
    "bad JSON": LLMOutputError("the answer holds no JSON object"),
    "another shape": {"answer": "UPDATE"},
    "wrong types": {"decisions": [{"fact": "0", "action": 7, "id": 1, "relation": [], "text": {}}]},
    "an unknown action": decisions({"action": "ERASE", "id": "m1"}),
    "no decision": decisions(),
    "an unknown id": decisions({"action": "DELETE", "id": "m9", "relation": "contradictory"}),
    "a foreign id": decisions({"action": "DELETE", "id": FOREIGN, "relation": "contradictory"}),
    "every id": decisions({"action": "DELETE", "id": "*", "relation": "contradictory"}),
    "another fact": decisions({"fact": 5}),
    "a negative fact": decisions({"fact": -1}),
    "two decisions on one fact": decisions(
        {"action": "ADD"}, {"action": "NOOP", "id": "m1", "relation": "subsumed"}
    ),
    "a DELETE that contradicts nothing": decisions(
        {"action": "DELETE", "id": "m1", "relation": "compatible"}
    ),
    "a DELETE without an id": decisions({"action": "DELETE", "relation": "contradictory"}),
    "an UPDATE without an id": decisions({"action": "UPDATE", "text": "User is gone"}),
    "a NOOP on a contradiction": decisions(
        {"action": "NOOP", "id": "m1", "relation": "contradictory"}
    ),
}


@pytest.fixture
def llm() -> ScriptedLLM:
    return ScriptedLLM()


@pytest.fixture
def bank(minilm: MiniLM, llm: ScriptedLLM) -> Iterator[MemoryBank]:
    with cogmem_core.open(embedder=minilm, clock=FrozenClock(), llm=llm, config=Config()) as engine:
        engine.pause()
        yield engine.bank("alice")


@pytest.mark.parametrize(("answer", "name"), list(zip(MALFORMED, cycle(CASES), strict=False)))
def test_a_malformed_decision_leaves_it_to_the_table(
    bank: MemoryBank, llm: ScriptedLLM, name: str, answer: str
) -> None:
    """ "Unknown id, bad JSON, wrong type, refusal, time-out → the table above decides"."""
    case, (first, second) = CASES[name], SAID[name]
    llm.enqueue(formed(case.old), formed(case.new), MALFORMED[answer])
    old = bank.remember(first).memories[0]
    report = bank.remember(second)

    assert len(llm.calls) == 3
    assert (report.receipts[0].status, report.receipts[0].facts[0].by) == (case.status, "rules")
    assert tuple(memory.content for memory in bank.list()) == case.known
    assert bank.get(old.id).state == ("superseded" if case.status == "superseded" else "active")
    assert [reason.partition(":")[0] for reason in report.degraded] == ["decide"]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(LLMUnavailable("did not answer in time"), id="no answer"),
        pytest.param({"facts": "none"}, id="wrong type"),
        pytest.param({"facts": [{"turn": 0}]}, id="fields missing"),
        pytest.param(formed("Napoleon was born in Ajaccio"), id="an invention"),
        pytest.param(
            {"facts": [{**formed("User lives in Lisbon")["facts"][0], "turn": 3}]},
            id="another turn",
        ),
        pytest.param(
            {"facts": [{**formed("User lives in Lisbon")["facts"][0], "category": "gossip"}]},
            id="an unknown category",
        ),
    ],
)
def test_malformed_facts_leave_the_turn(bank: MemoryBank, llm: ScriptedLLM, answer: Any) -> None:
    """The turn itself stands in for facts that cannot be used; the report says why."""
    llm.enqueue(answer)
    report = bank.remember("I live in Lisbon")
    assert [memory.content for memory in bank.list()] == ["I live in Lisbon"]
    assert [reason.partition(":")[0] for reason in report.degraded] == ["form"]


def test_a_model_that_takes_no_fact_does_not_lose_the_turn(
    bank: MemoryBank, llm: ScriptedLLM
) -> None:
    """ "a turn may have none": one that states something is kept as it was said, and the report tells."""
    llm.enqueue({"facts": []}, {"facts": []})
    report = bank.remember("I live in Lisbon")
    assert [memory.content for memory in report.memories] == ["I live in Lisbon"]
    assert [reason.partition(":")[0] for reason in report.degraded] == ["form"]
    assert bank.remember("Hmm, over there, perhaps").degraded == ()


@each_case_of("malformed_answers_lose_nothing/a_lazy_model_is_no_worse_than_none")
def test_a_lazy_model_is_no_worse_than_none(
    old: str, new: str, facts: str, action: str, named: str
) -> None:
    """What the rules are sure of has changed though the model says ADD or NOOP, and the report tells."""
    llm = ScriptedLLM(default=lazy(facts, action, named))
    with cogmem_core.open(embedder="hashing", clock=FrozenClock(), llm=llm) as engine:
        bank = engine.bank("alice")
        told = bank.remember(old).degraded
        told += bank.remember(new).degraded
        assert [memory.content for memory in bank.list()] == [new]
    decides = any(call.response_model is DecideAnswer for call in llm.calls)
    assert bool(told) is (decides or facts == "none")


def test_what_a_model_takes_for_known_is_not_dropped_with_its_names_and_numbers() -> None:
    """The memory that it names does not hold them."""
    llm = ScriptedLLM(default=lazy("all", "NOOP", "subsumed"))
    with cogmem_core.open(embedder="hashing", clock=FrozenClock(), llm=llm) as engine:
        bank = engine.bank("alice")
        for text in ("I have a cat called Tom.", "I have a dog called Rex.", "I have 3 parrots."):
            bank.remember(text)
        assert sorted(memory.content for memory in bank.list()) == [
            "I have 3 parrots.",
            "I have a cat called Tom.",
            "I have a dog called Rex.",
        ]


@each_case_of("malformed_answers_lose_nothing/an_update_that_loses_or_invents_is_merged_by_rules")
def test_an_update_that_loses_or_invents_is_merged_by_rules(
    bank: MemoryBank, llm: ScriptedLLM, text: str
) -> None:
    """Write-time synthesis keeps every fact of both; a text that does not is not taken."""
    update = {"action": "UPDATE", "id": "m1", "relation": "compatible", "text": text}
    llm.enqueue(
        formed("User plays the piano in Porto"),
        formed("User plays the piano at 9 pm"),
        decisions(update),
    )
    bank.remember("I play the piano in Porto")
    bank.remember("I play the piano at 9 pm")
    assert [memory.content for memory in bank.list()] == [
        "User plays the piano in Porto; User plays the piano at 9 pm"
    ]


def test_a_model_that_fails_every_time_costs_no_memory(bank: MemoryBank) -> None:
    """Principle 3: "a failed, slow or malformed answer means the heuristic ...; nothing is lost"."""
    texts = [f"My locker {n} in Porto has the code {4711 + n}" for n in range(10)]
    reports = [bank.remember(text) for text in texts]
    assert sorted(memory.content for memory in bank.list(limit=100)) == sorted(texts)
    assert all(report.degraded for report in reports)
