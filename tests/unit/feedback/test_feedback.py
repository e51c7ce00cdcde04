"""Feedback from end to end: recall, an answer, and what the bank has learnt from it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import cogmem_core
from cogmem_core import Config, Engine, Feedback, InvalidInput, MemoryBank, Recall
from cogmem_core.changes import Actor, Change, Link, Retire, Touch, apply
from cogmem_core.config import EncodingConfig, LogConfig
from cogmem_core.models import Relation
from cogmem_core.testing import FrozenClock
from helpers.feedback_facts import ANSWER, EMMA, NOAH, QUERY, SOFIA, three_facts
from helpers.store_kinds import BLAMING
from helpers.tables import each_row

ENGINE = {"folder": True, "embedder": "hashing", "config": BLAMING}


@pytest.fixture
def bank(engine: Engine, clock: FrozenClock) -> MemoryBank:
    return three_facts(engine, clock)


def ids(bank: MemoryBank) -> dict[str, str]:
    return {memory.content: memory.id for memory in bank.list(state="any")}


def asked(bank: MemoryBank, query: str = QUERY, **more: Any) -> Recall:
    return bank.recall(query, floor=0.0, k=10, **more)


def known(bank: MemoryBank) -> tuple[Any, ...]:
    """Everything that feedback may change."""
    memories = list(bank.list(state="any"))
    links = {link for memory in memories for link in bank.relations(memory.id)}
    return (
        memories,
        links,
        [bank.history(memory.id).changes for memory in memories],
        bank.health()["feedback"],
    )


def change(engine: Engine, clock: FrozenClock, *changes: Change) -> None:
    with engine.services.ledger.writing() as writer:
        applied = apply(writer, "alice", changes, now=clock(), actor=Actor("dream"))
    assert applied.refused == ()


def told(rows: tuple[Feedback, ...], bank: MemoryBank) -> dict[str, str]:
    texts = {memory_id: text for text, memory_id in ids(bank).items()}
    return {texts[row.memory_id]: row.signal for row in rows}


def test_what_an_answer_used_lasts_longer_and_what_it_ignored_fades(
    bank: MemoryBank, clock: FrozenClock
) -> None:
    """Agentos: "used → increases strength and stability", "ignored → accelerates decay"; one row per memory."""
    found = asked(bank)
    rows = bank.feedback(found, ANSWER)

    assert told(rows, bank) == {EMMA: "used", NOAH: "used", SOFIA: "ignored"}
    # Of Emma's words of more than four letters and her names three of four, of Noah's two of three.
    assert [round(row.ratio, 4) for row in rows] == [0.75, 0.6667, 0.0]
    assert [row.prior for row in rows] == [item.prior for item in found.results]
    assert {(row.recall_id, row.query, row.at) for row in rows} == {(found.id, QUERY, clock())}
    emma, _, sofia = bank.list()
    assert (emma.stability, emma.difficulty) == pytest.approx(
        (68.50775254982003, 3.3144613692968385)
    )
    assert (emma.used_count, emma.access_count, emma.last_reinforced_at) == (1, 1, clock())
    assert (sofia.stability, sofia.ignored_streak, sofia.used_count) == (pytest.approx(4.5), 1, 0)
    # Used 5 of 9 expected times; ignored where a third of its confidence was expected, in the third place.
    passed_over = 4 / (8 + 0.6 * found.results[2].prior)
    assert [memory.utility for memory in bank.list()] == pytest.approx([5 / 9, 5 / 9, passed_over])


@pytest.mark.parametrize(("own_words", "ratios"), [(True, [1.0, 0.2381]), (False, [1.0, 0.5])])
def test_what_shares_the_name_and_the_question_is_not_credited_for_another(
    own_words: bool, ratios: list[float]
) -> None:
    """`feedback.own_words`: an answer about a thing holds its name, whichever memory it comes from."""
    config = replace(BLAMING, feedback=replace(BLAMING.feedback, own_words=own_words))
    with cogmem_core.open(embedder="hashing", config=config) as engine:
        bank = engine.bank("alice")
        for text in (
            "The Falcon migration is led by Marta",
            "The Falcon migration starts in November",
        ):
            bank.add(text)
        rows = bank.feedback(
            bank.recall("Who leads the Falcon migration?", floor=0.0),
            "Marta leads Falcon migration.",
        )
        told = {bank.get(row.memory_id).content[-5:]: round(row.ratio, 4) for row in rows}
    assert told == {"Marta": ratios[0], "ember": ratios[1]}


def test_the_journal_says_who_did_it(bank: MemoryBank) -> None:
    """`Actor` "feedback", with the values before, so that everything can be told and undone."""
    bank.feedback(asked(bank), ANSWER)
    changes = {text: bank.history(memory_id).changes[1:] for text, memory_id in ids(bank).items()}
    assert {entry.actor for entries in changes.values() for entry in entries} == {"feedback"}
    assert [(entry.kind, entry.reason) for entry in changes[EMMA]] == [
        ("touch", "used in an answer (words)"),
        ("link", "used together in an answer"),
    ]
    assert [(entry.reason, entry.before["stability"]) for entry in changes[SOFIA]] == [
        ("ignored by an answer", 5.0)
    ]


def test_the_same_recall_counts_once(bank: MemoryBank) -> None:
    """ "Feedback for the same recall and answer twice counts once"; so does another answer to it."""
    found = asked(bank)
    bank.feedback(found, ANSWER)
    before = known(bank)
    assert bank.feedback(found, ANSWER) == ()
    assert bank.feedback(found, "Sofia studies marine biology, of course.") == ()
    assert known(bank) == before


def test_the_next_recall_counts_again(bank: MemoryBank) -> None:
    """It has an id of its own, even if the words are the same."""
    for _ in range(3):
        bank.feedback(asked(bank), ANSWER)
    emma, _, sofia = bank.list()
    assert (emma.used_count, sofia.ignored_streak) == (3, 3)
    assert sofia.stability == pytest.approx(5.0 * 0.9 * 0.9 * 0.5)


@pytest.mark.parametrize("answer", ["", "  \n\t "])
def test_a_blank_answer_says_nothing(bank: MemoryBank, answer: str) -> None:
    """It does not mean that everything was ignored."""
    before = known(bank)
    assert bank.feedback(asked(bank), answer) == ()
    assert known(bank) == before


def test_what_was_withheld_is_not_blamed(bank: MemoryBank) -> None:
    """The model never saw it."""
    first, second, _ = (item.confidence for item in asked(bank).results)
    found = bank.recall(QUERY, floor=(first + second) / 2)
    assert [item.content for item in found.withheld] == [NOAH, SOFIA]
    assert told(bank.feedback(found, "Nothing of the kind."), bank) == {EMMA: "ignored"}


def test_the_hot_tier_is_credited_but_never_blamed(
    engine: Engine, bank: MemoryBank, clock: FrozenClock
) -> None:
    """It is shown whatever the question; so being left out says nothing, and being used says something."""
    change(
        engine, clock, Touch(ids(bank)[SOFIA], {"utility": 0.9, "access_count": 12}, "was of use")
    )
    first, second = (bank.recall("Emma rabbits Lisbon", k=1, floor=0.0) for _ in range(2))
    assert [memory.content for memory in first.hot] == [SOFIA]
    assert told(bank.feedback(first, "Emma and rabbits in Lisbon."), bank) == {EMMA: "used"}
    assert bank.list()[2].utility == 0.9
    rows = bank.feedback(second, "Marine biology, says Sofia.")
    assert told(rows, bank) == {EMMA: "ignored", SOFIA: "used"}
    assert rows[1].prior == 1.0
    assert bank.list()[2].utility == pytest.approx(5 / (4 / 0.9 + 1))


def test_a_memory_that_was_found_and_is_hot_is_judged_once_as_found(
    engine: Engine, bank: MemoryBank, clock: FrozenClock
) -> None:
    """Then it was an answer to the question, and can be ignored."""
    change(
        engine, clock, Touch(ids(bank)[SOFIA], {"utility": 0.9, "access_count": 12}, "was of use")
    )
    rows = bank.feedback(asked(bank), ANSWER)
    assert told(rows, bank) == {EMMA: "used", NOAH: "used", SOFIA: "ignored"}


@pytest.mark.parametrize("one", [1, 1.0, np.float32(1.0), np.float64(1.0)])
def test_a_similarity_function_replaces_the_words(bank: MemoryBank, one: Any) -> None:
    """Agentos: "An optional similarityFn can be injected for higher-fidelity semantic detection"."""
    seen = []

    def similar(memory: str, answer: str) -> Any:
        seen.append((memory, answer))
        return {EMMA: 0.3, NOAH: 0.31, SOFIA: one}[memory]

    rows = bank.feedback(asked(bank), "xyz", similarity_fn=similar)
    assert told(rows, bank) == {EMMA: "ignored", NOAH: "used", SOFIA: "used"}
    assert [row.ratio for row in rows] == [0.3, 0.31, 1.0]
    assert seen == [(EMMA, "xyz"), (NOAH, "xyz"), (SOFIA, "xyz")]


def test_a_similarity_function_may_take_the_question_and_all_memories(bank: MemoryBank) -> None:
    """By the names of its parameters, or by a third and fourth one without a default; else it gets two."""
    seen: list[object] = []

    def by_name(memory: str, answer: str, *, memories: list[str], question: str) -> float:
        seen.append((question, sorted(memories)))
        return 0.0

    def by_place(memory: str, answer: str, asked: str, shown: list[str]) -> float:
        seen.append((asked, sorted(shown)))
        return 0.0

    def third(memory: str, answer: str, asked: str) -> float:
        seen.append(asked)
        return 0.0

    def two(memory: str, answer: str, threshold: float = 0.5) -> float:
        seen.append(threshold)
        return 0.0

    for similar in (by_name, by_place, third, two, max):
        wrong = similar is max  # the larger of two texts is no number
        try:
            bank.feedback(asked(bank), "xyz", similarity_fn=similar)
        except InvalidInput:
            assert wrong
    everything = (QUERY, sorted((EMMA, NOAH, SOFIA)))
    assert seen == 6 * [everything] + 3 * [QUERY] + 3 * [0.5]


@each_row(
    "value", [-0.1, 1.1, float("nan"), float("inf"), None, "0.5", True, np.bool_(True), 1j, [0.5]]
)
def test_a_similarity_function_that_returns_something_else_changes_nothing(
    bank: MemoryBank, value: Any
) -> None:
    """Not even for the memories before it; the message shows the value."""
    before = known(bank)
    with pytest.raises(InvalidInput, match=r"similarity_fn returned .*a number from 0 to 1"):
        bank.feedback(
            asked(bank), "xyz", similarity_fn=lambda memory, _: value if memory == SOFIA else 1.0
        )
    assert known(bank) == before


def test_an_error_of_the_similarity_function_changes_nothing(bank: MemoryBank) -> None:
    """It is the caller's own, and reaches the caller."""
    before = known(bank)

    def broken(memory: str, answer: str) -> float:
        if memory == SOFIA:
            raise RuntimeError("no model")
        return 1.0

    with pytest.raises(RuntimeError, match="no model"):
        bank.feedback(asked(bank), "xyz", similarity_fn=broken)
    assert known(bank) == before


BAD: list[tuple[Callable[[Recall], dict[str, Any]], str]] = [
    (lambda found: {"recall": found.id}, "recall is a str; give what bank.recall"),
    (lambda found: {"recall": None}, "recall is a NoneType"),
    (
        lambda found: {"alongside": [found, found.id]},
        "alongside holds a str; give what bank.recall",
    ),
    (lambda found: {"alongside": 3}, "alongside is 3"),
    (lambda found: {"answer": None}, "answer"),
    (lambda found: {"answer": 7}, "answer"),
    (lambda found: {"answer": "\ud800 half a character"}, "answer"),
    (lambda found: {"query": " "}, "query"),
    (lambda found: {"query": 7}, "query"),
]


@pytest.mark.parametrize(("wrong", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_arguments_change_nothing(
    bank: MemoryBank, wrong: Callable[[Recall], dict[str, Any]], message: str
) -> None:
    """InvalidInput names the argument."""
    before, found = known(bank), asked(bank)
    with pytest.raises(InvalidInput, match=message):
        bank.feedback(**{"recall": found, "answer": ANSWER, **wrong(found)})
    assert known(bank) == before


def test_a_memory_erased_meanwhile_is_left_out(bank: MemoryBank) -> None:
    """There is nothing left to learn it; the others learn."""
    found = asked(bank)
    bank.forget(ids(bank)[EMMA], hard=True)
    assert told(bank.feedback(found, ANSWER), bank) == {NOAH: "used", SOFIA: "ignored"}
    assert bank.relations(ids(bank)[NOAH]) == ()


def test_a_memory_superseded_meanwhile_learns_and_stays_superseded(
    engine: Engine, bank: MemoryBank, clock: FrozenClock
) -> None:
    """It was shown; what replaced it was not."""
    found = asked(bank)
    change(
        engine,
        clock,
        Retire(ids(bank)[EMMA], "superseded", "moved", {"superseded_by": ids(bank)[NOAH]}),
    )
    assert told(bank.feedback(found, ANSWER), bank)[EMMA] == "used"
    emma = bank.get(ids(bank)[EMMA])
    assert (emma.state, emma.superseded_by, emma.used_count) == ("superseded", ids(bank)[NOAH], 1)
    assert [item.content for item in asked(bank).results] == [NOAH, SOFIA]


def test_a_memory_edited_meanwhile_is_judged_by_the_words_that_were_shown(bank: MemoryBank) -> None:
    """The model answered those."""
    found = asked(bank)
    bank.edit(ids(bank)[EMMA], "Emma keeps horses in Porto")
    assert bank.feedback(found, ANSWER)[0].ratio == pytest.approx(0.75)
    assert (bank.list()[0].content, bank.list()[0].used_count) == ("Emma keeps horses in Porto", 1)


def pair(bank: MemoryBank, one: str = EMMA, other: str = NOAH) -> list[Relation]:
    ends = {ids(bank)[one], ids(bank)[other]}
    return [x for x in bank.relations(ids(bank)[one]) if {x.source_id, x.target_id} == ends]


def test_what_is_used_together_is_linked(bank: MemoryBank, clock: FrozenClock) -> None:
    """Agentos: learning rate 0.1; one row per pair, whichever came first; used with ignored is no pair."""
    bank.feedback(asked(bank), ANSWER)
    bank.feedback(asked(bank, "Noah radios Emma"), ANSWER)
    (link,) = pair(bank)
    assert (link.type, link.last_activated_at) == ("co_activated", clock())
    assert link.weight == pytest.approx(0.2)
    assert pair(bank, EMMA, SOFIA) == []


def test_the_link_fades_and_is_kept_at_one(bank: MemoryBank, clock: FrozenClock) -> None:
    """w·exp(-90/90) of 0.1 and 0.1 more; at most 1; the day it began stays."""
    bank.feedback(asked(bank), ANSWER)
    began = clock()
    clock.advance(days=90)
    bank.feedback(asked(bank), ANSWER)
    assert pair(bank)[0].weight == pytest.approx(0.1 + 0.1 / np.e)
    for _ in range(12):
        bank.feedback(asked(bank), ANSWER)
    assert (pair(bank)[0].weight, pair(bank)[0].created_at, len(pair(bank))) == (1.0, began, 1)


def test_a_pair_that_stands_the_other_way_round_stays_one_row(
    engine: Engine, bank: MemoryBank, clock: FrozenClock
) -> None:
    """ "undirected: one row per pair"; an import may have turned it."""
    first, second = sorted((ids(bank)[EMMA], ids(bank)[NOAH]))
    link = Relation("alice", second, first, "co_activated", 0.4, 1.0, clock(), clock())
    change(engine, clock, Link(link, "as the test needs it"))
    bank.feedback(asked(bank), ANSWER)
    assert pair(bank) == [replace(link, weight=0.5)]


def test_at_most_28_pairs_those_of_the_best_results(engine: Engine) -> None:
    """`pairs`: eight memories make 28; the ninth of a longer answer is linked to none."""
    bank = engine.bank("many")
    for number in range(10):
        bank.add(f"garden fact{number}")
    found = bank.recall("garden", floor=0.0, k=10)
    assert len(bank.feedback(found, "x", similarity_fn=lambda *_: 1.0)) == 10
    linked = [len(bank.relations(item.memory.id)) for item in found.results]
    assert linked == [7, 7, 7, 7, 7, 7, 7, 7, 0, 0]


def test_neighbours_of_what_was_used_last_a_little_longer_once(
    engine: Engine, bank: MemoryBank, clock: FrozenClock
) -> None:
    """A-MEM, S x 1.02: once per answer, even if it is related to two used memories; not if it was forgotten."""
    near, gone, far = (bank.add(f"Something {name}").id for name in ("near", "gone", "far"))
    emma, noah, now = ids(bank)[EMMA], ids(bank)[NOAH], clock()
    ends = [
        (emma, near, "related_to"),
        (near, noah, "causes"),
        (emma, gone, "same_entity"),
        (near, far, "causes"),
    ]
    links = [Link(Relation("alice", a, b, kind, 1.0, 1.0, now, now), "test") for a, b, kind in ends]  # type: ignore[arg-type]
    change(engine, clock, *links, Retire(gone, "forgotten", "test"))
    found = asked(bank)
    found = replace(found, results=tuple(x for x in found.results if x.content in (EMMA, NOAH)))
    bank.feedback(found, ANSWER)
    assert [bank.get(i).stability for i in (near, gone, far)] == pytest.approx([5.1, 5.0, 5.0])
    last = bank.history(near).changes[-1]
    assert (last.actor, last.reason) == ("feedback", "related to what was used")
    bank.feedback(replace(found, id="another"), ANSWER)
    assert bank.get(near).stability == pytest.approx(5.1 * 1.02)


@pytest.mark.parametrize(("policy", "kept"), [("redact", False), ("reject", False), ("keep", True)])
def test_a_secret_in_a_question_is_not_kept(policy: str, kept: bool) -> None:
    """As in what is remembered; feedback itself is never refused for it."""
    key = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2
    config = Config(encoding=EncodingConfig(secrets=policy), log=LogConfig())
    with cogmem_core.open(embedder="hashing", config=config) as engine:
        bank = engine.bank("alice")
        bank.add(EMMA)
        (row,) = bank.feedback(bank.recall(f"Does Emma use {key}?", floor=0.0), ANSWER)
    assert row.query == f"Does Emma use {key if kept else '[redacted api key]'}?"


def test_what_a_namespace_learnt_corrects_its_confidences(engine: Engine, bank: MemoryBank) -> None:
    """Its memories shown at 0.5 were used nine times of ten: it may be surer; the others are not."""
    other = engine.bank("bob")
    other.add(EMMA)
    now = engine.services.runtime.now()
    signals = ["used"] * 180 + ["ignored"] * 20
    rows = [Feedback(f"m{i}", "r", signal, 1.0, 0.5, "", now) for i, signal in enumerate(signals)]  # type: ignore[arg-type]
    with engine.services.ledger.writing() as writer:
        writer.at("alice").feedback.add(rows)
    ours, theirs = asked(bank).results[0], asked(other).results[0]
    assert (ours.content, ours.confidence > ours.prior + 0.05) == (EMMA, True)
    assert theirs.confidence == theirs.prior
