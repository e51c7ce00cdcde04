"""A whole conversation with an OpenAI-compatible server that misbehaves: the bank is what the rules make of it."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config, MemoryBank, WriteReport
from cogmem_core.config import LLMConfig
from cogmem_core.llm import OpenAILLM
from cogmem_core.testing import FrozenClock
from helpers.loopback_llm import LoopbackServer, Reply
from helpers.model_answers import decided, formed
from helpers.tables import rows_of

SAID = rows_of("remember_over_http/said")
ANSWER = {"facts": [], "decisions": []}
BAD: dict[str, tuple[str, Callable[[], Reply]]] = {
    "prose": ("LLMOutputError", lambda: Reply.text("Sure! I have updated your memory.")),
    "fenced with another shape": ("LLMOutputError", lambda: Reply.fenced({"facts": [{"turn": 9}]})),
    "truncated": ("LLMOutputError", lambda: Reply.truncated(ANSWER)),
    "wrong types": ("LLMOutputError", lambda: Reply.json({"facts": "none", "decisions": 3})),
    "a turn that was not given": ("turn 7 was not given", lambda: Reply.json(formed("x", turn=7))),
    "refusal": ("LLMOutputError", Reply.refusal),
    "no choices": ("LLMOutputError", Reply.empty_choices),
    "429": ("LLMUnavailable", lambda: Reply.error(429)),
    "500": ("LLMUnavailable", lambda: Reply.error(500)),
    "hang": ("LLMUnavailable", Reply.hang),
}


def said(bank: MemoryBank, mode: str) -> list[WriteReport]:
    return [bank.remember(text, session_id="s", mode=mode) for text in SAID]


def contents(bank: MemoryBank) -> Counter[tuple[str, str, str]]:
    return Counter((m.state, m.category, m.content) for m in bank.list(state="any", limit=100))


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        pytest.param(kind, mode, marks=[] if number % 3 == place else pytest.mark.thorough)
        for number, kind in enumerate(sorted(BAD))
        for place, mode in enumerate(("auto", "semantic", "hybrid"))
    ],
)
def test_a_bad_answer_leaves_the_bank_as_the_rules_make_it(
    kind: str, mode: str, tmp_path: Path
) -> None:
    """Good and bad answers: the store equals the heuristic result, and the receipt and op log say which."""
    error, reply = BAD[kind]
    config = Config(
        llm=LLMConfig(timeout_seconds=0.3 if kind == "hang" else 5.0, cooldown_failures=2)
    )
    with cogmem_core.open(embedder="hashing", clock=FrozenClock()) as engine:
        by_rules = engine.bank("a")
        said(by_rules, mode)
        expected = contents(by_rules)
    with LoopbackServer(*(reply() for _ in range(20))) as server:
        llm = OpenAILLM("tiny", base_url=server.address, attempts=1)
        with cogmem_core.open(
            tmp_path / "bank", embedder="hashing", llm=llm, clock=FrozenClock(), config=config
        ) as engine:
            bank = engine.bank("a")
            reports = said(bank, mode)
            found, log = (
                contents(bank),
                [r for r in engine.log() if r["op"] in ("form", "decide", "merge")],
            )
        llm.close()

    assert found == expected
    assert error in reports[0].degraded[0]
    assert {
        fact.by for report in reports for receipt in report.receipts for fact in receipt.facts
    } == {"rules"}
    assert log
    assert [record for record in log if record["success"] or not record["fallback"]] == []
    assert reports[-1].llm_calls == 0  # "Thanks!" needs no judgement


def test_a_good_answer_decides(tmp_path: Path) -> None:
    """The receipt says that the model decided, what it cost, and the op log has its calls."""
    script = (
        formed("User lives in Berlin.", quote="I live in Berlin", entities=["Berlin"]),
        formed("User lives in Lisbon.", quote="I live in Lisbon now", entities=["Lisbon"]),
        decided("DELETE", "m1", relation="contradictory"),
    )
    with LoopbackServer(*map(Reply.json, script)) as server:
        llm = OpenAILLM("tiny", base_url=server.address, attempts=1)
        with cogmem_core.open(tmp_path / "bank", embedder="minilm", llm=llm) as engine:
            bank = engine.bank("a")
            bank.remember("I live in Berlin, by the river.")
            report = bank.remember("I live in Lisbon now, by the sea.")
            states = {memory.content: memory.state for memory in bank.list(state="any")}
            steps = [
                (record["op"], record["fallback"])
                for record in engine.log()
                if record["op"] != "remember"
            ]
        llm.close()

    (fact,) = report.receipts[0].facts
    assert (fact.status, fact.by, fact.text) == ("superseded", "model", "User lives in Lisbon.")
    assert (report.llm_calls, report.prompt_tokens, report.completion_tokens) == (2, 22, 14)
    assert report.degraded == ()
    assert states == {"User lives in Berlin.": "superseded", "User lives in Lisbon.": "active"}
    assert steps == [("form", False), ("form", False), ("decide", False)]


def test_a_model_that_keeps_failing_is_left_alone_for_a_while(tmp_path: Path) -> None:
    """Three failures in a row, and no message waits for it again until it has cooled down."""
    with LoopbackServer(*(Reply.error(500) for _ in range(20))) as server:
        llm = OpenAILLM("tiny", base_url=server.address, attempts=1)
        config = Config(llm=LLMConfig(cooldown_failures=3))
        with cogmem_core.open(
            tmp_path / "bank", embedder="hashing", llm=llm, config=config
        ) as engine:
            bank = engine.bank("a")
            reports = [
                bank.remember(f"My locker number {n} is at the Harbour Gym in Porto")
                for n in range(6)
            ]
            asked = len(server.requests)
        llm.close()

    assert asked == 3
    assert "left alone" in reports[-1].degraded[0]
    assert [report.receipts[0].status for report in reports] == ["stored"] * 6


def test_a_failing_model_shows_in_health(tmp_path: Path) -> None:
    """LLM failing is visible in the receipt, the op log and `health()`."""
    with LoopbackServer(Reply.error(500)) as server:
        llm = OpenAILLM("tiny", base_url=server.address, attempts=1)
        with cogmem_core.open(tmp_path / "bank", embedder="hashing", llm=llm) as engine:
            report = engine.bank("a").remember("My locker is at the Harbour Gym in Porto")
            health = engine.health()
        llm.close()

    assert report.receipts[0].status == "stored"
    assert (health["llm"]["model"], health["llm"]["calls_today"]) == ("tiny", 1)
    assert health["llm"]["trouble"] == "OpenAILLM('tiny'): the server answered 500"
    assert [
        warning for warning in health["warnings"] if warning.startswith("the language model failed")
    ]
