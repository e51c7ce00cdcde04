"""What a user gets by default: answers to what is known, silence about what is not; every number adds up."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import cogmem_core
from cogmem_core import Config, MemoryBank, Recall
from cogmem_core.embedders import MiniLM, weights
from cogmem_core.testing import FrozenClock
from cogmem_eval.calibration import read_messages
from cogmem_eval.conversations import LocomoConversation, load
from cogmem_eval.reading import read_questions
from cogmem_eval.statement_banks import load_bank

CORPORA = Path(__file__).parents[1] / "data" / "calibration"
STRANGERS = read_questions(CORPORA / "unrelated" / "measured.json")
EVERYDAY = read_messages(CORPORA / "messages" / "measured.json").impersonal
ASKED = 30
KEPT_BACK = [
    load_bank(CORPORA / "held_back" / f"{name}.json")
    for name in ("facts_en_nurse", "documents_policy", "facts_one_topic")
]


@pytest.fixture(scope="module")
def talk() -> LocomoConversation:
    """About 200 turns: far beyond `quiet_from`."""
    (found,) = load(CORPORA / "gardener_and_teacher.json")
    return found


@pytest.fixture(scope="module")
def bank(talk: LocomoConversation) -> Iterator[MemoryBank]:
    with cogmem_core.open(
        embedder=MiniLM(weights.fetch("minilm")), clock=FrozenClock(), config=Config()
    ) as engine:
        engine.pause()
        found = engine.bank(talk.id)
        for session in talk.sessions:
            found.remember(list(session.turns))
        assert found.count() > 150
        yield found


@pytest.fixture(scope="module")
def known(bank: MemoryBank, talk: LocomoConversation) -> list[Recall]:
    """The answers to the conversation's own questions."""
    return [bank.recall(question.text) for question in talk.questions]


@pytest.fixture(scope="module")
def unknown(bank: MemoryBank) -> list[Recall]:
    """The answers to questions that the models were not fitted on and nothing can answer."""
    return [bank.recall(text) for text in STRANGERS[:ASKED]]


def test_most_questions_that_nothing_can_answer_get_no_result(unknown: list[Recall]) -> None:
    """ "an explicit "no relevant memory" result", with its reason; holds what is measured, and a little."""
    assert len(unknown) == ASKED
    assert sum(bool(found.results) for found in unknown) <= 5
    silent = [found for found in unknown if not found.results]
    assert all(found.empty_reason.startswith("no relevant memory: of ") for found in silent)
    assert all(found.withheld and found.context() == "" for found in silent)


def test_messages_on_which_no_memory_bears_get_no_result(bank: MemoryBank) -> None:
    """ "Who invented the zipper?", a text to translate, "ok thanks", by an author whom nothing was fitted to."""
    shown = [text for text in EVERYDAY[::3] if bank.recall(text).results]
    assert len(shown) <= 4


def test_questions_about_what_was_said_get_results(known: list[Recall]) -> None:
    """Relevance first; silence must not cost answers: 46 of 48 questions."""
    assert len(known) == 48
    assert sum(bool(found.results) for found in known) >= 46


def test_most_answers_hold_what_was_asked_for(
    known: list[Recall], talk: LocomoConversation
) -> None:
    """What is shown is the turn that answers, not just any, for three questions in four."""
    right = [
        any(not question.evidence.isdisjoint(item.refs) for item in found.results)
        for question, found in zip(talk.questions, known, strict=True)
    ]
    assert sum(right) >= 36


@pytest.fixture(scope="module")
def statements() -> Iterator[MemoryBank]:
    """Three banks of statements that the models were not fitted on: a nurse, rules of a company, plants."""
    with cogmem_core.open(
        embedder=MiniLM(weights.fetch("minilm")), clock=FrozenClock(), config=Config()
    ) as engine:
        engine.pause()
        found = engine.bank("statements")
        for given in KEPT_BACK:
            for text in given.statements:
                found.add(text)
        yield found


def test_of_short_facts_logs_and_rules_too_only_what_is_known_gets_results(
    statements: MemoryBank,
) -> None:
    """At most one stranger in ten; of 53 own questions all but two, with five results or fewer on average."""
    strangers = [statements.recall(text) for text in STRANGERS[:ASKED]]
    assert sum(bool(found.results) for found in strangers) <= 3
    own = [asked for given in KEPT_BACK for asked in given.questions if asked.answers]
    answers = [statements.recall(asked.text).results for asked in own]
    right = [
        any(item.content in asked.answers for item in results)
        for asked, results in zip(own, answers, strict=True)
    ]
    assert (len(own), sum(right) >= 51) == (53, True)
    assert sum(map(len, answers)) <= 5 * len(own)


def test_what_the_other_one_said_is_no_sure_answer(
    bank: MemoryBank, talk: LocomoConversation, known: list[Recall]
) -> None:
    """Asked of Carla what Ines told, recall is less sure than asked of Ines: of two pairs in three."""
    right, near = [], []
    for question, found in zip(talk.questions, known, strict=True):
        ines, carla = "Ines" in question.text, "Carla" in question.text
        if ines != carla:
            names = ("Ines", "Carla") if ines else ("Carla", "Ines")
            right.append(found.confidence)
            near.append(bank.recall(question.text.replace(*names)).confidence)
    told_apart = [sure > unsure for sure in right for unsure in near]
    assert (len(right), sum(told_apart) >= 0.66 * len(told_apart)) == (26, True)


def test_contributions_sum_to_the_score(known: list[Recall], unknown: list[Recall]) -> None:
    """ "each component's value"; a boost counts as what it adds or takes away."""
    items = [item for found in (*known, *unknown) for item in (*found.results, *found.withheld)]
    assert len(items) > 400
    assert max(abs(sum(item.contributions.values()) - item.score) for item in items) < 1e-9
    assert all(set(item.contributions) <= set(item.signals) for item in items)


def test_confidences_are_probabilities(known: list[Recall], unknown: list[Recall]) -> None:
    """ "a calibrated 0..1 per result"; what is shown is at or above the floor, and its tier fits."""
    for found in (*known, *unknown):
        assert 0.0 <= found.confidence <= 1.0
        assert all(0.0 <= item.confidence <= 1.0 for item in (*found.results, *found.withheld))
        assert all(item.confidence >= 0.001 for item in found.results)
        tiers = {(item.tier, item.confidence >= 0.05) for item in found.results}
        assert tiers <= {("full", True), ("abbreviated", False)}
        assert {item.tier for item in found.withheld} <= {"withheld"}


def test_the_known_is_told_from_the_unknown(known: list[Recall], unknown: list[Recall]) -> None:
    """Recall: "how likely any of what was found is relevant": typically more likely than not, or unlikely."""
    middle = [
        sorted(found.confidence for found in answers)[len(answers) // 2]
        for answers in (known, unknown)
    ]
    assert middle[0] > 0.5
    assert middle[1] < 0.2


@pytest.mark.parametrize("k", [1, 8, 50])
def test_without_a_floor_there_are_exactly_k(
    bank: MemoryBank, talk: LocomoConversation, k: int
) -> None:
    """Bank: "floor: 0 = none": neither the floor nor the question's probability withholds anything."""
    for text in (talk.questions[0].text, *STRANGERS[:3]):
        found = bank.recall(text, k=k, floor=0)
        assert (len(found.results), found.withheld, found.empty_reason) == (k, (), "")
